# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # From one pair to the MDAD
#
# A micro-benchmark is as good as the smallest gap at which it puts two models in the right order four times out of five; for {glue:text}`few` items drawn at random that gap is {glue:text}`few-mdad`, and for {glue:text}`many` items {glue:text}`many-mdad`.
#
# **What you will learn**
#
# - how {term}`agreement` and the {term}`MDAD` come about, from one pair of models on
# - what decides an MDAD besides the selector: ties, bins, thin bins, the threshold
# - why {glue:text}`few` items drawn at random cannot be relied on below {glue:text}`few-floor` points, whatever the models
# - why {term}`Kendall’s tau <tau>` and the {term}`estimation error` answer other questions
#
# **Reading time** 18 minutes, the exercises not counted.
# **Running time** about a minute; less where the trials are stored.

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
from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import mbnb

p = mbnb.parameters(globals())
p

# %% tags=["hide-input"]
study = mbnb.open_study(p)
study

# %% [markdown]
# ## One pair
#
# Two models differ by about five points on the full benchmark.
# You can afford ten items, or twenty-five, or a hundred.
# Will the better model come out ahead?
# Take one such pair, with a {term}`disagreement rate` that is typical of its gap, and try: in every {term}`trial` {term}`uniform sampling` draws items from the {term}`train half`, and both models answer them.
# (The pair is fixed here as the only {term}`target models`; uniform sampling has no use for {term}`source models`, so one will do.)

# %%
pair = mbnb.typical_pair(mbnb.compare_pairs(study.matrix, seed=p.seed), gap=5)
followed = study.run("uniform", targets=[pair["better"], pair["worse"]], n_source=1)
sizes = study.sizes
answers = followed.table.set_index(["size", "trial"])
a, b = (answers[answers["model"] == name] for name in (pair["better"], pair["worse"]))
gap = 100 * (a["train_accuracy"] - b["train_accuracy"])
seen = 100 * (a["estimate"] - b["estimate"])
outcome = np.sign(gap) * np.sign(seen)

# %% tags=["hide-input"]
verdicts = {1.0: "right order", 0.0: "tied", -1.0: "wrong order"}
by_size = outcome.map(verdicts).groupby(level="size").value_counts().unstack(fill_value=0)
by_size = by_size.reindex(columns=list(verdicts.values()), fill_value=0)
by_size.columns.name = "size"
by_size.index.name = None
mbnb.say(
    f"The pair is *{pair['better']}* and *{pair['worse']}*: {pair['gap']:.2f} points apart on the "
    f"whole benchmark, different on {pair['disagreement']:.1f} % of its items.",
    f"On the train half their gap moves from trial to trial, between {gap.min():.1f} and "
    f"{gap.max():.1f} points.",
)

# %% mystnb={"figure": {"caption": "One pair through all trials. Each mark is one trial at one size: the difference of the two estimates. Its shape says whether the sample orders the pair as the full train half does. The dotted line is the pair's gap on the whole benchmark. Data: {glue:text}`data`.", "name": "fig-09-pair"}, "image": {"alt": "A strip of marks for each size: the difference of the two estimates in points, in each trial, with shapes for right order, tie and wrong order. The strips narrow around the true gap as the size grows."}} tags=["hide-input"]
one_pair, axes = plt.subplots(figsize=(5.4, 4.2))
spread = np.random.default_rng(0).uniform(-0.3, 0.3, len(seen))
column = np.searchsorted(sizes, seen.index.get_level_values("size")) + spread
for sign, color, marker, text in (
    (1, mbnb.TINTS[0], "^", "right order"),
    (0, mbnb.INK, "o", "tied"),
    (-1, mbnb.TINTS[1], "v", "wrong order"),
):
    marked = (outcome == sign).to_numpy()
    axes.scatter(
        column[marked],
        seen[marked],
        s=40,
        alpha=0.75,
        linewidths=0,
        color=color,
        marker=marker,
        label=text,
    )
axes.axhline(pair["gap"], linewidth=1, linestyle=":", color=mbnb.INK)
axes.set_xticks(range(len(sizes)), [f"{size:,}" for size in sizes])
axes.set(xlabel="Size (items chosen)", ylabel="Difference of the estimates (points)")
axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=3)
plt.close(one_pair)
one_pair

# %%
mbnb.show(by_size)

# %% [markdown]
# On average the estimates are right; what fails is the single draw ({numref}`fig-09-pair`).
# The share of trials in the first column of the table is this pair's agreement at each size.
# A {term}`tie` has its own column: a sample on which both models score the same has not ordered them, and the study's rule counts it as a failure.
#
# ## All pairs
#
# One pair is an anecdote.
# Now take {glue:text}`n-target` targets in each trial, and every pair of them, and sort the pairs by their gap on the full train half into {term}`bins <bin>` of half a point.
# The agreement of a bin is the share of its pairs, over all trials, that the {term}`micro-benchmark` puts in the right order.

# %%
trials = study.run("uniform")
counts, sizes = mbnb.agreement(trials), study.sizes
curve, table = counts.curve(), study.mdad(counts)

# %% tags=["hide-input"]
size = study.size_near(50)
one = curve[(curve["size"] == size) & (curve["gap"] <= 20)]
found = table.set_index("size")["mdad"]
study.insert(size=size, n_target=study.n_target, tied_full=counts.tied_pairs)
read = (
    f"At {size:,} items no bin reaches {p.threshold:g}: the MDAD is not reached."
    if np.isnan(found[size])
    else f"At {size:,} items the first bin that reaches {p.threshold:g} is the one at "
    f"{mbnb.in_points(found[size])}: that is the MDAD."
)
mbnb.say(read)

# %% mystnb={"figure": {"caption": "Reading the MDAD off one curve. Above: agreement of uniform sampling in each bin of gaps, at {glue:text}`size` items, with the threshold; the arrow marks the MDAD if it is reached. Below: how many pairs a bin holds, over all trials. Data: {glue:text}`data`.", "name": "fig-09-curve"}, "image": {"alt": "Above, agreement against gap in points rises from about a half or less towards one and crosses the dotted threshold. Below, bars of the number of pairs in each bin of gaps."}} tags=["hide-input"]
reading, (above, below) = plt.subplots(
    2, 1, figsize=(5.4, 4.8), sharex=True, height_ratios=[3, 1], layout="constrained"
)
line = mbnb.LOOKS["uniform"]
above.plot(one["gap"], one["agreement"], color=line.color, marker=line.marker)
above.axhline(p.threshold, linestyle=":", color=mbnb.THRESHOLD)
if not np.isnan(found[size]):
    above.annotate(
        f"MDAD {found[size]:g}",
        (found[size], p.threshold),
        xytext=(found[size], 0.3),
        ha="center",
        arrowprops={"arrowstyle": "->", "color": line.color},
    )
above.set(ylabel="Agreement", ylim=(0, 1.02))
below.bar(one["gap"], one["pairs"], width=0.4, color=line.color)
below.set(xlabel="Gap on the full train half (points)", ylabel="Pairs")
plt.close(reading)
reading

# %% [markdown]
# The {term}`MDAD` is where the curve first reaches the {term}`threshold` ({numref}`fig-09-curve`).
# It is the minimum detectable effect of power analysis {cite:p}`card2020little`, carried over to ranking by {cite:t}`yauney2026reliable`, and 0.8 is that field's convention, not a law.
# Pairs with no gap at all on the train half have no right order; they are left out and counted, {glue:text}`tied-full` of them over all trials.
#
# ## The MDAD at each size
#
# The MDAD is one number for each size, with an interval ({numref}`fig-09-mdad`).
# The interval comes from drawing whole trials with replacement: the pairs of one trial share their models and their items, and to draw pairs as if they were independent would make it far too narrow.
# From here on a bin decides only if it holds at least one pair a trial on average (`min_pairs`), here and in every other chapter.

# %%
mbnb.mdad_table(table)

# %% mystnb={"figure": {"caption": "MDAD of uniform sampling at each size, with 95 % intervals from resampled trials, and the floor below which no pair of models can be ordered reliably, whatever the models. Data: {glue:text}`data`.", "name": "fig-09-mdad"}, "image": {"alt": "A falling line of MDAD in points against size on a logarithmic axis, with vertical intervals, above a dotted floor."}} tags=["hide-input"]
floor = mbnb.uniform_floor(study.sizes, p.threshold)
at_each_size = mbnb.draw_mdad(table, floor=floor)
plt.close(at_each_size)
at_each_size

# %% tags=["remove-cell"]
reported = mbnb.reported("mdad-mmlu-pro").set_index(["selector", "size"])["mdad"]
study.insert(
    few=sizes[0],
    many=sizes[-1],
    few_mdad=mbnb.in_points(found[sizes[0]]),
    many_mdad=mbnb.in_points(found[sizes[-1]]),
    threshold=f"{p.threshold:g}",
    few_floor=f"{floor.loc[sizes[0]]:.1f}",
    ten_floor=f"{mbnb.uniform_floor([10], 0.8).loc[10]:.1f}",
    ten_floor_half=f"{mbnb.uniform_floor([10], 0.8, ties='half').loc[10]:.1f}",
    ten_reported=f"{reported['uniform', 10]:g}",
)

# %% [markdown]
# ## A floor that needs no experiment
#
# Give the better model every advantage.
# It wins a share $d$ of the items and loses none, so that any item of that share, once drawn, decides for it.
# Draw $k$ items: the sample shows a difference with probability
#
# $$1 - (1 - d)^k,$$
#
# and otherwise the two tie.
# With ties counted as failures, agreement cannot exceed this, so a threshold $t$ needs $d \ge 1 - (1 - t)^{1/k}$.
# At ten items and 0.8 that is {glue:text}`ten-floor` points, for any benchmark and any models.
# This {term}`floor` is the dotted line in {numref}`fig-09-mdad`.
# Two small liberties: items are drawn without replacement, which lowers the floor a trace where the train half is small, and a bin is half a point wide, so a bin's centre can lie a quarter of a point below a gap that it holds.
#
# The paper's MMLU-Pro figure for uniform sampling at ten items is reported as {glue:text}`ten-reported` points.
# Under the strict rule that cannot be, and with ties counted one half the floor would still be {glue:text}`ten-floor-half`.
# The reported tables reach us by way of a reader's summary, and [](./10_main_tables) sets them beside the measured ones.

# %%
mbnb.show(
    pd.DataFrame(
        {
            "floor, ties wrong": floor.map("{:.1f}".format),
            "floor, ties half": mbnb.uniform_floor(sizes, p.threshold, ties="half").map(
                "{:.1f}".format
            ),
            "MDAD measured": found.map(mbnb.format_mdad),
        }
    ).rename_axis("size")
)

# %% [markdown]
# Real pairs lose items as well as win them, so what uniform sampling needs lies above the floor; [](./03_uniform) derives by how much from the disagreement rate.

# %% tags=["hide-input"]
lucky = [f"{size:,}" for size in sizes if found[size] < floor[size] - 0.25]
mbnb.say(
    f"At {mbnb.listed(lucky)} items the measured MDAD is nevertheless below the floor. "
    f"That is luck: in {p.n_trials} trials few samples were drawn, each orders all pairs of its "
    "trial at once, and the first rule stops at the first bin that was lucky. "
    "Look at the interval, or run more trials."
    if lucky
    else "At no size is the measured MDAD below the floor."
)

# %% [markdown]
#
# ## What else decides
#
# The definition has joints, and each can move the number.
# The table computes the same trials under one change at a time.
#
# - *Ties half*: a tied estimate counts one half, as if a coin decided.
#   It matters where ties are common, with few items.
# - *Floor bins*: the released code sorts by floor and labels a bin by its left edge, $[0, 0.5)$ as 0 and so on.
#   A gap of 4.9 points then counts as 4.5; the label lies a quarter of a point below the middle of its bin, so the very same pairs read as a smaller MDAD.
# - *Any bin decides*: without a minimum of pairs, a bin of two pairs that happen to be right decides.
#   It can only lower the number.
# - *{term}`Sustained rule`*: the first bin from which on *every* bin with enough pairs reaches the threshold.
#   The {term}`first rule` is the study's and the book's; where the two differ, the curve crosses the threshold more than once, and the data are too few for a claim to half a point.
# - *Thresholds*: 0.7 and 0.9 instead of {glue:text}`threshold`.

# %%
half_ties = mbnb.agreement(trials, ties="half")
floored = mbnb.agreement(trials, binning="floor")
variants = {
    "as in this book": study.mdad(counts),
    "ties half": study.mdad(half_ties),
    "floor bins": study.mdad(floored),
    "any bin decides": study.mdad(counts, min_pairs=1),
    "sustained rule": study.mdad(counts, rule="sustained"),
    "threshold 0.7": study.mdad(counts, threshold=0.7),
    "threshold 0.9": study.mdad(counts, threshold=0.9),
    "held-out half": study.mdad(mbnb.agreement(trials, half="heldout")),
}
mbnb.show(
    pd.DataFrame(
        {name: v.set_index("size")["mdad"].map(mbnb.format_mdad) for name, v in variants.items()}
    ).T.rename_axis(columns="size")
)

# %% tags=["hide-input"]
strict, lenient = (c.agreeing.sum(axis=(1, 2)) for c in (counts, half_ties))
tied_share = 2 * (lenient - strict) / counts.pairs.sum(axis=(1, 2))
same = [
    f"{size:,}"
    for size, first, last in zip(
        sizes,
        variants["as in this book"]["mdad"],
        variants["sustained rule"]["mdad"],
        strict=True,
    )
    if first == last or (np.isnan(first) and np.isnan(last))
]
mbnb.say(
    f"Tied estimates make up {100 * tied_share[0]:.0f} % of all pairs at {sizes[0]:,} items and "
    f"{100 * tied_share[-1]:.1f} % at {sizes[-1]:,}.",
    f"The first and the sustained rule agree at {mbnb.listed(same)} items."
    if same
    else "The first and the sustained rule agree at no size.",
)

# %% [markdown]
# The last row judges the same estimates against the {term}`held-out half`, on items that no selector saw.
# [](./02_splits) measures how much of it is due to the halves alone.
#
# ## Why not Kendall's tau?
#
# The usual test of a small benchmark correlates two rankings.
# {term}`Tau <tau>` is agreement too, but over *all* pairs at once: it mixes wide gaps, which anything gets right, with the narrow ones that you asked about.
# How many there are of each is a property of the models, not of the micro-benchmark.
#
# So hold the micro-benchmark fixed and change the models.
# The same items, drawn by the same seeds, now rank the {glue:text}`n-target` models nearest the median instead of random ones.

# %%
middle = mbnb.middle_models(study.matrix, study.n_target)
crowd = study.run("uniform", targets=middle, n_source=1)
largest = study.size_near(250)
groups = {"random targets": trials, "middle targets": crowd}
taus = {name: mbnb.kendall_tau(t).set_index("size") for name, t in groups.items()}
errors = mbnb.estimation_error(trials).set_index("size")["error"]

# %% tags=["remove-cell"]
tau_random, tau_middle = (taus[name].loc[largest, "tau"] for name in groups)
curves = [
    mbnb.agreement(t).curve().query("size == @largest and pairs >= @p.n_trials")
    for t in groups.values()
]
both = curves[0].merge(curves[1], on="gap")
difference = (both["agreement_x"] - both["agreement_y"]).abs().mean()
answer = (
    f"In the {len(both)} bins that both groups fill, their agreements differ by "
    f"{difference:.2f} on average, the taus by {abs(tau_random - tau_middle):.2f}."
    if len(both)
    else "Here no bin is filled by both groups; with more trials there are some."
)
undefined = sum(int(t["n_undefined"].sum()) for t in taus.values())
study.insert(
    largest=largest,
    tau_random=f"{tau_random:.2f}",
    tau_middle=f"{tau_middle:.2f}",
    same_answer=answer,
    undefined=undefined,
)

# %% mystnb={"figure": {"caption": "The same items, two groups of models, at {glue:text}`largest` items. Agreement by gap asks the same question of both groups; tau, in the labels, does not. Bins with at least one pair a trial. Data: {glue:text}`data`.", "name": "fig-09-tau"}, "image": {"alt": "Two curves of agreement against gap in points, for random targets and for targets near the median, that run close together where both have pairs; each is labelled with its Kendall's tau."}} tags=["hide-input"]
two_groups, axes = plt.subplots()
looks = ((line.color, line.marker), (mbnb.TINTS[1], "v"))
for name, rows, (color, marker) in zip(groups, curves, looks, strict=True):
    rows = rows[rows["gap"] <= 10]
    tau = taus[name].loc[largest, "tau"]
    axes.plot(
        rows["gap"],
        rows["agreement"],
        color=color,
        marker=marker,
        label=f"{name}, tau {tau:.2f}",
    )
axes.axhline(p.threshold, linestyle=":", color=mbnb.THRESHOLD)
axes.set(xlabel="Gap on the full train half (points)", ylabel="Agreement", ylim=(0, 1.02))
axes.legend(loc="lower right")
plt.close(two_groups)
two_groups

# %% [markdown]
# Tau is {glue:text}`tau-random` for the random group and {glue:text}`tau-middle` for the middle group, with {glue:text}`largest` items each ({numref}`fig-09-tau`).
# No item changed, and the curves ask the same of both groups: what happens to two models that lie this far apart?
# {glue:text}`same-answer`
# A high tau can be bought with models that lie far apart, and a low one says that the models are close, not that the items are bad.
# (Where all estimates of a trial are equal, tau is undefined; it is left out and counted, {glue:text}`undefined` times here.)
#
# ## Why not the estimation error?
#
# The {term}`estimation error` is how far a model's estimate lies from its accuracy.
# A ranking only needs differences, and an error that all models share cancels in them.
# Halve every estimate and move it up by ten points: the error changes, for better or worse, and not one pair changes its order.

# %%
bent = replace(trials, table=trials.table.assign(estimate=0.1 + 0.5 * trials.table["estimate"]))
after = study.mdad(mbnb.agreement(bent))
mbnb.show(
    pd.DataFrame(
        {
            "error": errors.map("{:.1f}".format),
            "error, bent": mbnb.estimation_error(bent)
            .set_index("size")["error"]
            .map("{:.1f}".format),
            "MDAD": found.map(mbnb.format_mdad),
            "MDAD, bent": after.set_index("size")["mdad"].map(mbnb.format_mdad),
            "tau, random": taus["random targets"]["tau"].map("{:.2f}".format),
            "tau, middle": taus["middle targets"]["tau"].map("{:.2f}".format),
        }
    ).rename_axis("size")
)

# %% [markdown]
# This is no trick: Anchor Points estimates a mean confidence, which is off for every model in about the same way, and still orders models well ([](./07_anchor_points)).
# The reverse happens too, since a small error is no comfort to two models that lie closer together than the error is wide.
#
# What would change our mind about the MDAD: a use in which the cost of a wrong order grows with the gap.
# Then a mean over pairs, weighted by what a mistake costs, is the number to have, and tau comes nearer to it.

# %% [markdown]
# ## Take-aways
#
# - Agreement is the share of pairs put in the right order, gap by gap; the MDAD is the first gap at which it reaches {glue:text}`threshold`.
# - The MDAD of uniform sampling is {glue:text}`few-mdad` at {glue:text}`few` items and {glue:text}`many-mdad` at {glue:text}`many`.
# - With strict ties no ten random items can order models less than {glue:text}`ten-floor` points apart four times out of five; no experiment is needed to know it.
# - Say how you treat ties, bins, thin bins and the threshold, or your MDAD cannot be compared with another.
# - Tau describes the models as much as the items, and the estimation error describes a level, not an order.
#
# ## Exercises
#
# ```{admonition} Exercise 1: one bin by hand
# :class: exercise
#
# A bin holds twenty pairs.
# The sample puts fourteen in the right order, four in the wrong one, and two tie.
# What is the bin’s {term}`agreement`, if a {term}`tie` is wrong, and if it counts one half?
# Does the bin reach a {term}`threshold` of 0.7?
# How many ties would have to fall right for 0.8?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
right, wrong, tied = 14, 4, 2
whole = right + wrong + tied
strict_rule, half_rule, best_case = (
    right / whole,
    (right + tied / 2) / whole,
    (right + tied) / whole,
)
mbnb.say(
    f"Agreement is {strict_rule:.2f} if a tie is wrong and {half_rule:.2f} if it counts one half.",
    f"Both reach 0.7. For 0.8 the bin needs {0.8 * whole:.0f} right pairs, so "
    + (
        f"{'both' if tied == 2 else f'all {tied}'} ties would have to fall right."
        if round(best_case, 9) == 0.8
        else "the ties alone do not decide."
    ),
    "With few pairs one tie moves a bin by whole steps: here by "
    f"{100 / whole:.0f} percentage points.",
)

# %% [markdown]
# ```{admonition} Exercise 2: the floor, the other way round
# :class: exercise
#
# How many uniformly drawn items do you need at the very least before models one, two or five points apart can be ordered in four cases out of five?
# And in nine out of ten?
# Why will you need more than that?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
least = {
    threshold: [int(np.ceil(np.log(1 - threshold) / np.log(1 - d / 100))) for d in (1, 2, 5)]
    for threshold in (0.8, 0.9)
}
mbnb.say(
    *[
        f"At {threshold:g}: {mbnb.listed([f'{k:,}' for k in items])} items for 1, 2 and 5 points."
        for threshold, items in least.items()
    ],
    "From 1 − (1 − d)ᵏ ≥ t follows k ≥ log(1 − t) / log(1 − d).",
    "The floor gives the better model every advantage. Real pairs also lose items that they should "
    "have won, and each loss has to be made up for.",
)

# %% [markdown]
# ```{admonition} Exercise 3: intervals that are too narrow
# :class: exercise
#
# Suppose that you drew *pairs* with replacement instead of {term}`trials <trial>`, as if they were independent.
# Draw the agreeing pairs of each bin from a binomial distribution, read off the MDAD, and repeat.
# How much narrower do the intervals become?
# Which one would you trust?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
draws = np.random.default_rng(p.seed)
widths = {}
for row, own in table.set_index("size").iterrows():
    bins = curve[(curve["size"] == row) & (curve["pairs"] >= p.n_trials)]
    n_pairs, share = bins["pairs"].to_numpy(), bins["agreement"].to_numpy()
    again = draws.binomial(n_pairs, share, size=(1000, len(bins))) >= p.threshold * n_pairs
    reached = again[again.any(axis=1)]
    if len(reached) > 950 and own["high"] > own["low"]:
        drawn = bins["gap"].to_numpy()[reached.argmax(axis=1)]
        low, high = np.quantile(drawn, [0.025, 0.975], method="inverted_cdf")
        widths[f"{row:,} items"] = (high - low, own["high"] - own["low"])
narrower = pd.DataFrame(widths, index=["pairs drawn", "trials drawn"]).T
mbnb.say(
    "There is no size here with an interval to compare."
    if narrower.empty
    else f"At {narrower.index[0]} the interval is {narrower.iloc[0, 0]:g} points wide if pairs are "
    f"drawn, and {narrower.iloc[0, 1]:g} if trials are; over the sizes with an interval the mean "
    f"widths are {narrower['pairs drawn'].mean():.1f} and {narrower['trials drawn'].mean():.1f}.",
    "One unlucky draw of items is shared by all pairs of its trial, so a thousand pairs are far "
    "fewer than a thousand witnesses: trust the interval over trials. "
    "The first rule hides part of this, since one lucky bin decides either way.",
)

# %% [markdown]
# ```{admonition} Exercise 4: when mistakes have a price
# :class: exercise
#
# You choose the better of two models by the micro-benchmark, and a wrong choice costs you the gap, in points; a tie is settled by a coin.
# What does a choice cost you on average, at each size?
# Which share of that cost comes from pairs below the MDAD, that is, from the pairs that the MDAD says you cannot order?
# Would you report this number beside the MDAD?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
priced = half_ties.curve()
priced["cost"] = priced["gap"] * (priced["pairs"] - priced["agreeing"])
totals = priced.groupby("size")[["cost", "pairs"]].sum()
limits = priced["size"].map(found).fillna(np.inf)
share_below = priced[priced["gap"] < limits].groupby("size")["cost"].sum() / totals["cost"]
mbnb.say(
    "A choice costs on average "
    + mbnb.listed(
        [f"{row.cost / row.pairs:.2f} points at {row.Index:,} items" for row in totals.itertuples()]
    )
    + ".",
    f"Of that, {mbnb.percent(share_below.get(sizes[0], 0.0))} at {sizes[0]:,} items and "
    f"{mbnb.percent(share_below.get(sizes[-1], 0.0))} at {sizes[-1]:,} come from pairs below the MDAD.",
    "The cost is a mean over the pairs that you happen to have, as tau is: report it together with "
    "the distribution of their gaps, and for a decision in which the gap is what is lost.",
)

# %% [markdown]
# ## Re-run this chapter
#
# With fewer trials, another threshold, or on real data:
#
# ```bash
# mbnb run 09 -p n_trials=10 -p 'sizes=[10,50]'
# mbnb run 09 -p threshold=0.9
# MBNB_DATA=path/to/data mbnb run 09 -p dataset=bigcodebench
# ```

# %% tags=["hide-input"]
study.footer(trials)
