# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Parity at 250, derived
#
# **From about 250 items uniform sampling is level with the study's other methods: there it detects 2 to 3.5 points on seven real leaderboards, the best of the five others gains half a point at most on six of them and one point on the seventh, and all of this follows from one number, how often two models differ.**
#
# *You will learn* how to compute what random items detect without drawing one, why methods that choose items lose their lead as the size grows, and how to plan a {term}`size` for the {term}`gap` that matters to you.
# *Time*: 13 minutes to read, a minute to run.

# %% tags=["parameters"]
dataset: str = "simulated:mmlu-pro"
missing: str = "drop-items"
n_trials: int = 50
sizes: list = [10, 25, 50, 100, 250, 500, 1000]
n_source: int = None
n_target: int = None
gap: float = 2.0
threshold: float = 0.8
seed: int = 0

# %%
import altair as alt
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy.stats import hypergeom

import mbnb

study = mbnb.open_study(globals())
study

# %% [markdown]
# ## One pair of models
#
# Of the $N$ {term}`items <item>` of a benchmark some are solved by both models and some by neither; these say nothing about which of the two is better.
# What is left are the items on which they differ: $w$ *wins* of the better model and $l$ *losses*.
# The gap is $w - l$ items wide, and the {term}`disagreement rate` is $r = (w + l) / N$.
# That only these items count is McNemar's insight {cite:p}`mcnemar1947note`, and the number of items that a significance test of it needs is an old result {cite:p}`connor1987sample`.
# The question here is a different one: is the *order* right?
#
# Draw $k$ of the $N$ items at random.
# The sample holds $D$ items on which the two differ, which is hypergeometric.
# Given $D$, the number of wins among them is hypergeometric again, and the order is right if it is more than half of $D$:

# %%
N, rate, gap_points, k = 12_032, 0.25, 3, 225
differ = round(rate * N)
wins = (differ + round(gap_points / 100 * N)) // 2

right = 0.0
for D in range(1, min(k, differ) + 1):
    that_many = hypergeom(N, differ, k).pmf(D)
    more_than_half = hypergeom(differ, wins, D).sf(D // 2)
    right += that_many * more_than_half
print(f"{k} items order two models {gap_points} points apart rightly with probability {right:.3f}")

# %% [markdown]
# `mbnb.exact_agreement` gives the same by a recursion over $D$ that handles the 60,000 pairs of a leaderboard in a second or two, and `mbnb.plan` solves it for the size, the gap or the {term}`agreement`.

# %%
exact = mbnb.exact_agreement([wins], [differ - wins], [k], N)[0, 0]
assert np.isclose(exact, right)
mbnb.plan(gap=3, agreement=0.8, disagreement=0.25, n_items=12_032)

# %% [markdown]
# A {term}`tie` counts as wrong here, as in the study.
# Since only an even number of differences can tie, agreement may fall a little from an odd size to the next even one; a planned size is the smallest *from which on* agreement stays above the {term}`threshold`.
#
# ## From the gap to the size
#
# So the question of this book has an answer before any experiment.
# For two models that differ on a quarter of 12,032 items, as many as MMLU-Pro has, and an agreement of 0.8:

# %%
plans = {
    points: mbnb.plan(gap=points, agreement=0.8, disagreement=0.25, n_items=12_032)
    for points in (10, 5, 3, 2, 1)
}
needed = pd.DataFrame({"items needed": {g: plan.size for g, plan in plans.items()}})
mbnb.show(needed.rename_axis("gap (points)").T)

# %% tags=["remove-cell"]
study.glue(**{f"items_{points}": plan.size for points, plan in plans.items()})

# %% tags=["claims", "remove-cell"]
assert [plan.size for plan in plans.values()] == [26, 89, 225, 472, 1637], "items for each gap"

# %% [markdown]
# Half the gap takes about four times the items, as long as these are a small part of the benchmark.
# Choose your own gap, disagreement rate and agreement in {numref}`fig-11-planner`.

# %% mystnb={"figure": {"caption": "Items that uniform sampling needs of a benchmark with 12,000 items, by gap and disagreement rate, at the agreement that you choose; a tie is wrong. Computed; no data.", "name": "fig-11-planner"}} tags=["remove-input"]
questions = mbnb.plan_table(
    [0.5, 1, 1.5, 2, 3, 4, 5, 7, 10, 15], [0.1, 0.2, 0.3, 0.5], agreements=[0.7, 0.8, 0.9, 0.95]
).dropna(subset="size")
questions["differ on"] = (100 * questions["rate"]).astype(int).astype(str) + " % of the items"
agreement_field = alt.param(
    "asked",
    value=0.8,
    bind=alt.binding_radio(options=[0.7, 0.8, 0.9, 0.95], name="Agreement asked for: "),
)
planner = (
    alt.Chart(questions[["gap", "rate", "agreement", "size", "differ on"]])
    .transform_filter("datum.agreement == asked")
    .mark_line(point=True)
    .encode(
        x=alt.X("gap:Q", title="Gap (points)", scale=alt.Scale(type="log", nice=False)),
        y=alt.Y("size:Q", title="Items needed", scale=alt.Scale(type="log")),
        color=alt.Color("differ on:N", title="Two models", scale=alt.Scale(scheme="viridis")),
        tooltip=["gap:Q", "differ on:N", alt.Tooltip("size:Q", format=",")],
    )
    .add_params(agreement_field)
    .properties(
        width="container",
        height=300,
        description="Items needed against the gap, both logarithmic, a line for each disagreement "
        "rate, at the agreement that you choose.",
    )
)
mbnb.figure(planner, questions)

# %% [markdown]
# ## Theory and trials, on real leaderboards
#
# An {term}`MDAD` needs nothing more.
# Take the targets of each {term}`trial` and its {term}`train half`, count the wins and losses of every pair, compute each pair's agreement, and average by gap: `mbnb.derive_agreement` does so on the very splits that trials use.
# {numref}`fig-11-real` compares it with what 50 trials measured.

# %% mystnb={"figure": {"caption": "MDAD of uniform sampling as derived and as measured in 50 trials: a dot for each leaderboard and size; the bar holds 95 of 100 studies that differ in their samples alone. On the dotted line the two agree. Data: eight real leaderboards (data/measured).", "name": "fig-11-real"}, "image": {"alt": "Dots with vertical bars along a rising dotted diagonal on logarithmic axes: measured and derived MDAD agree from one point to twenty."}} tags=["remove-input"]
beside = mbnb.measured("planning-uniform")
real = beside[~beside["dataset"].str.startswith("simulated:") & (beside["half"] == "train")]
drawing, axes = plt.subplots(figsize=(5.4, 4.2), layout="constrained")
axes.vlines(real["exact"], real["lowest"], real["highest"].fillna(30), color="#b9c2cb", lw=1.5)
axes.plot(real["exact"], real["measured"], "o", color=mbnb.LOOKS["uniform"].color, ms=5)
axes.plot([1, 22], [1, 22], ":", color=mbnb.THRESHOLD)
axes.set(xscale="log", yscale="log", ylim=(0.4, 30))
for axis in (axes.xaxis, axes.yaxis):
    axis.set_ticks([1, 2, 5, 10, 20], ["1", "2", "5", "10", "20"])
    axis.set_minor_locator(plt.NullLocator())
axes.set(xlabel="MDAD derived (points)", ylabel="MDAD measured (points)")
mbnb.figure(drawing, real[["dataset", "size", "exact", "measured", "lowest", "highest"]])

# %%
within = (real["measured"] - real["exact"]).abs() <= 0.5 + 1e-9
redrawn_within = (real["redrawn"] - real["exact"]).abs() <= 0.5 + 1e-9
print(f"within one bin of half a point: {within.sum()} of {len(real)} measured values;")
print(f"with 200 samples a trial in place of one: {redrawn_within.sum()} of {len(real)}")

# %% tags=["claims", "remove-cell"]
assert (within.sum(), redrawn_within.sum(), len(real)) == (35, 50, 50), "theory beside trials"
assert (real["measured"] < real["exact"])[~within].mean() > 0.7, "too low more often than too high"

# %% [markdown]
# 35 of 50 measured values lie within one {term}`bin` of the derived one.
# The rest is luck: a trial draws *one* sample at each size and judges all its pairs by it.
# Give each trial 200 samples, and all 50 values agree with theory to within a bin.
# Where the values of single samples do not, they are mostly too low, since the {term}`first rule` takes the first bin that reaches the threshold, and among many bins that nearly do, one is there too early ([](./B_definitions)).
# So compare a new method with the *derived* MDAD of uniform sampling: a yardstick should have no luck of its own.

# %% [markdown]
# ## Why 250
#
# A normal approximation shows what matters {cite:p}`miller2024error`.
# The difference of the two counts has mean $kd$ and variance $k(r - d^2)(N - k)/(N - 1)$, where $d$ is the gap as a share.
# Asking for a lead of at least one item with probability 0.8 gives roughly
#
# $$\text{MDAD} \approx 0.84\,\sqrt{\frac{r}{k}\Bigl(1-\frac{k}{N}\Bigr)} + \frac{1}{2k}.$$
#
# On real leaderboards pairs 3 points apart differ on 18 to 29 % of the items on average, and that is why one rule of thumb fits them all: the derived MDAD at 250 items is 2 to 3 points on each of seven (the eighth has too few items).

# %% tags=["claims", "remove-cell"]
rates = mbnb.measured("planning-disagreement")
rates = rates[~rates["dataset"].str.startswith("simulated:") & (rates["gap"] == 3)]["mean"]
assert (round(rates.min()), round(rates.max())) == (18, 29), "disagreement at 3 points"
at_250 = real[real["size"] == 250]
assert (at_250["exact"].min(), at_250["exact"].max(), len(at_250)) == (2, 3, 7), "derived at 250"
assert (at_250["measured"].min(), at_250["measured"].max()) == (2, 3.5), "measured at 250"

# %% [markdown]
# And why do other methods lose their lead just there?
# A {term}`selector` that removes a share $s$ of the noise variance multiplies the MDAD by about $\sqrt{1-s}$.
# The same factor is worth ever fewer points, as the table shows for one that removes half of the variance at every size:

# %%
wide = mbnb.real_leaderboards().pivot(index=["dataset", "size"], columns="selector", values="mdad")
best = wide.drop(columns="uniform").min(axis=1)
lead = (wide["uniform"] - best).groupby("size")
derived = real.groupby("size")["exact"].median()
worth = pd.DataFrame(
    {
        "derived MDAD, median": derived,
        "half of the variance is worth": derived * (1 - np.sqrt(0.5)),
        "best of five others gains, median": lead.median(),
        "and at most": lead.max(),
    }
).drop(index=200)
mbnb.show(worth, "Points, on eight real leaderboards; the best is chosen with hindsight.")

# %% tags=["claims", "remove-cell"]
gains = (wide["uniform"] - best).xs(250, level="size")
assert gains.max() == 1 and (gains <= 0.5).sum() == 6 and len(gains) == 7, "lead at 250"
assert (wide["anchor-points"] < wide["uniform"]).xs(250, level="size").sum() == 1

# %% [markdown]
# Parity is no law of nature.
# It moves to larger sizes where models differ on more items or where you must be surer of the order, and a method that goes on removing at 250 items what the best remove at ten would push it far to the right: [](./14_close_pairs) has one that gains 1 to 1.5 points there on four leaderboards of seven.
# Nor is every method level: Anchor Points is behind uniform sampling at 250 items on six of seven leaderboards.

# %% tags=["claims", "remove-cell"]
close = (
    mbnb.measured("better-estimators")
    .query(
        "half == 'train' and selector == 'close-pairs' and estimator == 'corrected-mean' and size == 250"
    )
    .set_index("dataset")["mdad"]
)
ahead = wide["uniform"].xs(250, level="size") - close
assert (ahead >= 1).sum() == 4 and ahead.max() == 1.5 and len(ahead) == 7, "close pairs at 250"

# %% [markdown]
# ## The same on data you can re-run
#
# In one trial all selectors share the halves, the sources and the targets, so that the *differences* of their MDADs are steadier than the MDADs themselves: each {term}`bootstrap` resample draws trials once and subtracts ({numref}`fig-11-gain`).

# %%
trials = study.run()
counts = mbnb.agreement(trials, reading=study.reading)
gains_here = mbnb.mdad_difference(counts, "uniform")

# %% mystnb={"figure": {"caption": "How far each selector's MDAD lies below that of uniform sampling, with 95 % intervals of the difference; above zero is better. The band is one point either way. Data: {glue:text}`data`.", "name": "fig-11-gain"}, "image": {"alt": "Points by which the MDAD is below that of uniform sampling against size, five selectors with intervals that close in on a shaded band about zero as the size grows."}} tags=["remove-input"]
mbnb.draw_gain(gains_here, margin=1.0)

# %% [markdown]
# With data of your own, let the answers say how often models differ:

# %%
pairs = mbnb.compare_pairs(study.matrix, seed=study.p.seed)
plan = mbnb.plan(
    gap=study.p.gap,
    agreement=study.p.threshold,
    disagreement=pairs,
    n_items=study.matrix.n_items,
)
plan

# %% [markdown]
# In the shell: `mbnb plan --gap 2 --dataset my-benchmark`, or `mbnb plan --gap 2 --disagreement 0.25` before any benchmark exists.
#
# Theory ends in three places.
# It knows right and wrong, no graded scores ([](./D_beyond_accuracy)); it knows random items with the plain mean, no method that looks at answers; and it takes answers as given, so that noise from run to run adds to the disagreement.
# Power analysis came to language models with the warning that most comparisons are too small {cite:p}`card2020little`; what is added here is that the order, and not significance, is asked for, exactly, without replacement, ties included, up to the agreement curve of a leaderboard.
#
# ## Take-aways
#
# - What random items detect follows exactly from the items on which two models differ; plan with `mbnb plan` before you measure.
# - 250 random items detect 2 to 3 points wherever models differ on about a quarter of the items.
# - Other methods lose their lead there, since removing a share of the noise is worth ever fewer points.
#
# ## Exercises
#
# ```{admonition} Exercise 1: a small benchmark
# :class: exercise
#
# Your benchmark has 500 items, your two candidates differ on a fifth of them, and you can pay for 100 answers of each.
# Which gap do you detect?
# How many answers would detect two points?
# ```

# %% tags=["hide-cell", "solution"]
print(mbnb.plan(size=100, agreement=0.8, disagreement=0.2, n_items=500))
print(mbnb.plan(gap=2, agreement=0.8, disagreement=0.2, n_items=500))

# %% [markdown]
# ```{admonition} Exercise 2: the item that made it worse
# :class: exercise
#
# Two models of an endless benchmark never agree: on every item exactly one of them is right, and the better one wins 56 % of them.
# Print the agreement for 1 to 10 items.
# Why does it go up and down, and which size would you rely on for 0.8?
# ```

# %% tags=["hide-cell", "solution"]
print([round(mbnb.plan(size=k, gap=12, disagreement=1.0).agreement, 2) for k in range(1, 11)])
print("only an even number of answers can tie, and a tie is wrong; rely on")
print(mbnb.plan(agreement=0.8, gap=12, disagreement=1.0))

# %% [markdown]
# ```{admonition} Exercise 3: surer
# :class: exercise
#
# You want the right order nine times in ten, not eight.
# By which factor does the MDAD grow by the short formula, and how many times the items bring it back?
# Check the first answer with `mbnb.plan`.
# ```

# %% tags=["hide-cell", "solution"]
for asked in (0.8, 0.9):
    print(asked, round(mbnb.plan(size=250, agreement=asked, disagreement=0.25).gap, 2), "points")
print("by the formula 1.28 / 0.84 = 1.52 times the gap, so 2.3 times the items")

# %% [markdown]
# Re-run with other parameters: `mbnb run 11 -p gap=1 -p threshold=0.9`, or on your data with `-p dataset=./my-benchmark`.

# %% tags=["remove-input"]
study.footer()
