# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Parity: when uniform sampling is enough
#
# {glue:text}`answer`
#
# **What you will learn**
#
# - from which {term}`size` on a clever {term}`selector` no longer buys you anything you would notice
# - how to compare two {term}`MDADs <MDAD>` trial by trial, so that luck common to both cancels
# - a formula that says what {term}`uniform sampling` must achieve, from one number: how often two models disagree
# - why parity comes, what could delay it, and what it means for cost
#
# **Reading time** 15 minutes, the exercises not counted.
# **Running time** under a minute after [](./10_main_tables), whose trials it reads; 5 to 15 minutes on two cores alone.

# %% tags=["parameters"]
dataset: str = "simulated:mmlu-pro"
missing: str = "drop-items"
n_trials: int = 50
sizes: list = [10, 25, 50, 100, 250, 500, 1000]
n_source: int = None
n_target: int = None
threshold: float = 0.8
seed: int = 0

# %%
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy.stats import norm

import mbnb

p = mbnb.parameters(globals())
p

# %% tags=["hide-input"]
study = mbnb.open_study(p)
study

# %% [markdown]
# ## The same trials, set against one another
#
# The study's most practical finding is a negative one: from about 250 items, sampling at random is as good as any method {cite:p}`yauney2026reliable`.
# [](./10_main_tables) shows the MDADs side by side.
# Here you see their *differences*, which are steadier than the numbers themselves.
# In one {term}`trial` all selectors share the halves, the sources and the targets, and a trial with many close pairs is hard for all of them.
# So each {term}`bootstrap` resample draws trials once, computes both MDADs from them, and subtracts.

# %%
every_selector = list(mbnb.SELECTORS)
trials = study.run(every_selector)
sizes, counts = study.sizes, mbnb.agreement(trials)
table = study.mdad(counts)
gains = mbnb.mdad_difference(counts, "uniform", **study.rule)

# %% mystnb={"figure": {"caption": "How far each selector's MDAD lies below that of uniform sampling, with 95 % intervals of the difference; above zero is better than uniform sampling. The shaded band is one point either way. Data: {glue:text}`data`.", "name": "fig-13-gain"}, "image": {"alt": "Line chart: points by which the MDAD is below that of uniform sampling, against size on a logarithmic axis, for five selectors with vertical intervals, a zero line and a shaded band of one point on either side."}} tags=["hide-input"]
above_uniform = mbnb.draw_gain(gains, margin=1.0)
plt.close(above_uniform)
above_uniform

# %% [markdown]
# Read {numref}`fig-13-gain` from left to right.
# A line above zero is a selector that sees smaller gaps than uniform sampling does; where its interval crosses zero, another set of trials might turn the difference round.
# Where an MDAD is {term}`not reached` there is no difference to draw.

# %% tags=["hide-input"]
most = gains.groupby("size")["gain"].max()
surely = gains[gains["low"] > 0]
from_point = next((k for k in sizes if most[most.index >= k].le(1.0).all()), None)
from_half = next((k for k in sizes if most[most.index >= k].le(0.5).all()), None)
ahead = {
    mbnb.label(str(name)): [f"{int(k):,}" for k in rows["size"]]
    for name, rows in surely.groupby("selector", observed=True, sort=False)
}
by_point = (
    f"from {from_point:,} items on no selector is more than a point better"
    if from_point is not None
    else f"up to {sizes[-1]:,} items some selector stays more than a point better"
)
by_half = (
    "none is more than half a point better either"
    if from_half is not None and from_half == from_point
    else f"from {from_half:,} on none is more than half a point better"
    if from_half is not None
    else "a lead of more than half a point is there at the largest size still"
)
mbnb.say(
    f"Measured here, {by_point} than uniform sampling, and {by_half}.",
    "Better than uniform sampling, with the whole interval above zero, are "
    + mbnb.listed([f"{name} at {mbnb.listed(found)}" for name, found in ahead.items()])
    + " items."
    if ahead
    else "Nowhere does the whole interval of a difference lie above zero.",
)

# %% [markdown]
# ## On items that no selector saw
#
# A lead on the {term}`train half` might be a lead on those items only.
# The same differences against the {term}`held-out half`:

# %% tags=["hide-input"]
heldout = mbnb.mdad_difference(mbnb.agreement(trials, "heldout"), "uniform", **study.rule)
both = pd.concat(
    {
        half: rows.pivot(index="selector", columns="size", values="gain")
        for half, rows in (("train", gains), ("held-out", heldout))
    }
)
both.index = pd.MultiIndex.from_tuples([(half, mbnb.label(str(name))) for half, name in both.index])
both.columns.name = "Size"
mbnb.show(both.map(mbnb.points))

# %% tags=["hide-input"]
most_heldout = heldout.groupby("size")["gain"].max()
from_heldout = next((k for k in sizes if most_heldout[most_heldout.index >= k].le(1.0).all()), None)
mbnb.say(
    "*Points by which the MDAD is below that of uniform sampling; a dash where one is not "
    "reached.*",
    "On held-out items "
    + (
        f"no selector is more than a point better from {from_heldout:,} items on."
        if from_heldout is not None
        else f"some selector is more than a point better even at {sizes[-1]:,} items."
    ),
)

# %% [markdown]
# ## What uniform sampling must achieve
#
# Why should parity come at all?
# Because the MDAD of uniform sampling is no mystery: it follows from how often two models disagree.
#
# Take two models that differ on a share $r$ of the $N$ items, the {term}`disagreement rate`, and whose accuracies differ by $d$.
# On a random item the difference of their scores is $+1$, $-1$ or $0$; its mean is $d$ and its variance $r-d^2$.
# On $k$ items drawn without replacement, the difference of their counts of right answers is a whole number with
#
# $$\text{mean } kd, \qquad \text{variance } k\,(r-d^2)\,\frac{N-k}{N-1},$$
#
# and close to normal.
# The order is right if that number is at least 1, since a tie is wrong.
# Asking for that with probability 0.8, so that the mean lies {glue:text}`z` standard deviations higher, gives roughly
#
# $$\text{MDAD} \approx z_{0.8}\,\sqrt{\frac{r}{k}\Bigl(1-\frac{k}{N}\Bigr)} + \frac{1}{2k}.$$
#
# The line in {numref}`fig-13-expected` solves it without the shortcut, with $r$ taken from pairs of models of the same gap.

# %%
pairs = mbnb.compare_pairs(study.matrix, 20_000, p.seed)
expected = mbnb.expected_mdad(pairs, sizes, trials.n_train, p.threshold)

# %% mystnb={"figure": {"caption": "The MDAD of uniform sampling: measured with 95 % intervals, expected from the disagreement rate alone, and the floor below which a tied sample makes it impossible. Data: {glue:text}`data`.", "name": "fig-13-expected"}, "image": {"alt": "Line chart: MDAD of uniform sampling in points against size on a logarithmic axis, measured points with intervals, a line for the value expected from the formula, and a dotted line for the floor below."}} tags=["hide-input"]
uniform = table[table["selector"] == "uniform"]
beside_formula = mbnb.draw_mdad(
    uniform, floor=mbnb.uniform_floor(sizes, p.threshold), expected=expected
)
plt.close(beside_formula)
beside_formula

# %% tags=["hide-input"]
off = (uniform.set_index("size")["mdad"] - expected).abs()
close = pairs["disagreement"][pairs["gap"] <= 5]
typical = close.median() if len(close) else pairs["disagreement"].median()
mbnb.say(
    f"Two models of this leaderboard that lie at most 5 points apart differ on {typical:.0f} % of "
    "the items, for half of such pairs.",
    f"The formula and the {p.n_trials} trials differ by {off.max():.1f} points at most "
    f"(at {int(off.idxmax()):,} items) and by {off.mean():.1f} on average."
    if off.notna().any()
    else "Uniform sampling reaches the threshold at no size here, so there is nothing to compare.",
)

# %% [markdown]
# No trial went into that line.
# ([](./22_theory_and_planning) does the same exactly, pair by pair, and turns it into a planner.)
# You need the answers of some models on some items, enough to see how often they disagree, and you know what a random sample of any size will do.
#
# ## Why parity comes
#
# The formula says that the MDAD falls with the square root of the size.
# A selector that works by reducing noise multiplies it by some factor, say 0.7 for half the variance.
# The same factor is worth less and less in points:

# %% tags=["hide-input"]
noise = 100 * np.sqrt(typical / 100 / np.array(sizes) * (1 - np.array(sizes) / trials.n_train))
halved = mbnb.expected_mdad(
    pairs.assign(disagreement=pairs["disagreement"] / 2), sizes, trials.n_train, p.threshold
)
why = pd.DataFrame(
    {
        "noise of a difference": noise,
        "MDAD expected": expected.to_numpy(),
        "with half the disagreement": halved.to_numpy(),
        "worth": (expected - halved).to_numpy(),
    },
    index=[f"{k:,} items" for k in sizes],
)
mbnb.show(why.map(lambda value: "not reached" if np.isnan(value) else f"{value:.1f}"))

# %% [markdown]
# *All in points.*
# The first column is the standard deviation of the difference of two models at that size.
# The last is what a selector would gain that removes half of the variance at every size, as the best of them might hope to.
# Even so gifted a selector runs into parity, because there is less and less to gain.
#
# Two things make it come sooner.
# An MDAD moves in steps of half a point, so a gain below that cannot be seen.
# And a selector has a bias of its own: its items are not the benchmark, and what they get wrong, more of them do not always put right.
#
# ## What it means for cost
#
# Points are one currency, items are another.
# Ask how many *uniformly drawn* items would do what a selector does at each size; the formula, solved for the size, answers.

# %% tags=["hide-input"]
grid = np.unique(np.geomspace(5, trials.n_train, 150).astype(int))
curve = mbnb.expected_mdad(pairs, grid, trials.n_train, p.threshold)
others = table[table["selector"] != "uniform"]
equal = pd.Series(
    [
        next((int(k) for k in grid if curve[k] <= mdad + 1e-9), np.nan) if mdad > 0 else np.nan
        for mdad in others["mdad"]
    ],
    index=pd.MultiIndex.from_frame(others[["selector", "size"]].astype({"selector": str})),
)
items = equal.unstack().reindex(others["selector"].astype(str).unique())
items.index = [mbnb.label(name) for name in items.index]
items.columns = pd.Index([f"{k:,}" for k in items.columns], name="Size")
mbnb.show(items.map(lambda k: "–" if np.isnan(k) else f"{k:,.0f}"))

# %% tags=["hide-input"]
first = sizes[0]
at_first = equal[equal.index.get_level_values("size") == first].dropna()
saved = (
    f"At {first:,} items {mbnb.label(at_first.idxmax()[0])} does what about "
    f"{int(at_first.max()):,} uniformly drawn items do."
    if len(at_first) and at_first.max() > first
    else f"At {first:,} items no selector does more than uniformly drawn items do."
)
mbnb.say(
    "*Items that uniform sampling needs for the same MDAD; a dash where none is known.*",
    saved,
    f"What a selector asks for is the answers of {study.n_source} source models on "
    f"{trials.n_train:,} items each, {study.n_source * trials.n_train:,} answers in all, before it "
    "chooses the first item.",
)

# %% [markdown]
# So the answer to “how should I choose?” turns on what an answer costs you.
# If one costs a cent, draw a few hundred items at random, and do not build anything.
# If one costs an hour of a laboratory's work, and somebody has the answers of many models already, ten or fifty chosen items are worth their trouble.
# Steps of half a point make this table coarse: at the larger sizes one step of the MDAD is hundreds of items.
#
# What would change our mind: a selector whose lead at the larger sizes is more than a point on held-out items, with an interval that keeps away from zero.
#
# ## Take-aways
#
# - {glue:text}`take-parity`
# - {glue:text}`take-formula`
# - {glue:text}`take-saved`
# - Compare selectors on the same trials and put the interval on the difference; two intervals that overlap prove nothing either way.

# %% tags=["remove-cell"]
study.insert(
    answer=f"Measured here, {by_point} than drawing items at random; a formula with one number in "
    "it, how often two models disagree, says why.",
    take_parity=f"{by_point[0].upper()}{by_point[1:]} than uniform sampling.",
    take_formula=f"Models here differ on about {typical:.0f} % of the items, and that alone gives "
    f"uniform sampling an MDAD of {mbnb.format_mdad(round(expected[first], 1))} points at "
    f"{first:,} items and {mbnb.format_mdad(round(expected[sizes[-1]], 1))} at {sizes[-1]:,}.",
    take_saved=saved,
    z=f"{norm.ppf(0.8):.2f}",
)

# %% [markdown]
# ## Exercises
#
# ```{admonition} Exercise 1: a stricter threshold
# :class: exercise
#
# You want the right order nine times in ten, not eight.
# By what factor does the MDAD of uniform sampling grow, if you trust the short formula without its last term?
# And how many times as many items bring it back?
# Check the first answer against the trials.
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
factor = norm.ppf(0.9) / norm.ppf(0.8)
eight, nine = (
    study.mdad(counts, threshold=asked).query("selector == 'uniform'").set_index("size")["mdad"]
    for asked in (0.8, 0.9)
)
ratio = (nine / eight.where(eight > 0)).dropna()
mbnb.say(
    f"The formula has the standard score of the threshold as its factor: {norm.ppf(0.9):.2f} takes "
    f"the place of {norm.ppf(0.8):.2f}, so the MDAD grows by a factor of {factor:.2f}.",
    f"It falls with the square root of the size, so {factor**2:.1f} times as many items bring it "
    "back, as long as they are a small part of the benchmark.",
    f"Measured, the factor is {ratio.median():.2f} in the median over the sizes."
    if len(ratio)
    else "There is no size at which both MDADs are reached, so it cannot be checked here.",
)

# %% [markdown]
# ```{admonition} Exercise 2: the most that a selector could gain
# :class: exercise
#
# A selector removes a share of the variance, the same at every size, and has no bias.
# How large must that share be for a lead of more than one point at the size nearest 250?
# Is any selector of this page so good?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
at = study.size_near(250)
base = expected[at]
shares = np.arange(0.05, 1, 0.05)
lead = [
    base
    - mbnb.expected_mdad(
        pairs.assign(disagreement=(1 - share) * pairs["disagreement"]),
        [at],
        trials.n_train,
        p.threshold,
    )[at]
    for share in shares
]
needed = next((share for share, points in zip(shares, lead, strict=True) if points > 1), None)
best_lead = gains[gains["size"] == at]["gain"].max()
mbnb.say(
    f"Uniform sampling is expected at {base:.1f} points with {at:,} items."
    if base > 0
    else f"Uniform sampling reaches no MDAD at {at:,} items.",
    f"A lead of more than a point takes a selector that removes {100 * needed:.0f} % of the variance."
    if needed
    else "No share that leaves anything is enough for a lead of a point: the whole MDAD is small.",
    f"The best lead measured at that size is {mbnb.in_points(best_lead)}."
    if best_lead == best_lead
    else "",
    "(The program never lets two models disagree on less than their gap, so a share near 1 stops "
    "helping.)",
)

# %% [markdown]
# ```{admonition} Exercise 3: a pilot of a few models
# :class: exercise
#
# The formula needs a disagreement rate, and you have the answers of five models only.
# How far off is the MDAD that you would expect at 100 items?
# Try five random models many times, then ten and twenty.
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
near = study.size_near(100)
pilots = np.random.default_rng(p.seed)
spread = {}
for n_models in [n for n in (5, 10, 20) if n <= study.matrix.n_models]:
    guesses = []
    for _ in range(100):
        pilot = study.matrix.subset(
            models=pilots.choice(study.matrix.model_ids, n_models, replace=False)
        )
        rate = mbnb.compare_pairs(pilot)["disagreement"].median()
        flat = pairs.assign(disagreement=rate)
        guesses.append(mbnb.expected_mdad(flat, [near], trials.n_train, p.threshold)[near])
    spread[n_models] = np.nanquantile(guesses, [0.05, 0.95]) if np.isfinite(guesses).any() else None
mbnb.say(
    f"With all models the formula says {mbnb.format_mdad(round(expected[near], 1))} points at "
    f"{near:,} items.",
    *[
        f"With {n_models} models, nine guesses of ten lie between {ends[0]:.1f} and {ends[1]:.1f}."
        for n_models, ends in spread.items()
        if ends is not None
    ],
    "The pilot’s rate is that of all its pairs, and pairs far apart tend to differ on more items, "
    "which makes a guess a little high. "
    "But the MDAD goes with the square root of the rate, so a rough rate is good enough for a plan: the "
    "cheapest pilot tells you most of what an experiment with hundreds of models would.",
)

# %% [markdown]
# ```{admonition} Exercise 4: parity on real leaderboards
# :class: exercise
#
# The claim of this chapter was reported for four benchmarks and is measured here on one.
# The book keeps what was measured on others: `mbnb.measured("leaderboards")`.
# On each, from which size on is no selector more than a point ahead of uniform sampling, on the half that no selector saw?
# Which one would make you doubt the rule?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
board = mbnb.measured("leaderboards").query("half == 'heldout'")
lines = board.pivot(index=["dataset", "size"], columns="selector", values="mdad")
ahead_by = lines.drop(columns="uniform").rsub(lines["uniform"], axis=0).max(axis=1)
found = pd.DataFrame(
    {
        name: {
            "level from": next((f"{k:,}" for k in own.index if own.loc[k:].le(1).all()), "never"),
            "largest size": f"{own.index[-1]:,}",
            "lead at the smallest": mbnb.points(own.iloc[0]),
            "lead at the largest": mbnb.points(own.iloc[-1]),
        }
        for name, own in ((name, rows.droplevel(0)) for name, rows in ahead_by.groupby("dataset"))
    }
).T
mbnb.show(found).set_caption("Sizes in items, leads in points; half a point is one bin.")

# %% mystnb={"code_prompt_show": "Show the solution in words", "code_prompt_hide": "Hide the solution in words"} tags=["hide-cell", "solution"]
late = [
    name
    for name, start in found["level from"].items()
    if start == "never" or int(start.replace(",", "")) > 250
]
mbnb.say(
    f"Parity comes at 250 items or before on {len(found) - len(late)} of {len(found)} data sets.",
    f"It does not on {mbnb.listed(late)}." if late else "",
    "Where the largest size is below 250 the data cannot contradict the rule, so they do not support "
    "it either. "
    "To publish the rule, compare on the same trials with the interval of the difference, as this "
    "chapter does, on benchmarks that differ in how often their models disagree.",
)

# %% [markdown]
# ## Re-run this chapter
#
# ```bash
# mbnb run 13 -p n_trials=10 -p 'sizes=[10,50]'
# MBNB_DATA=~/leaderboards mbnb run 13 -p dataset=bigcodebench
# ```

# %% tags=["hide-input"]
study.footer(trials)
