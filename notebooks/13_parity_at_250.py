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
# - from which {term}`size` on a clever selector no longer buys you anything you would notice
# - how to compare two {term}`MDADs <MDAD>` trial by trial, so that luck common to both cancels
# - a formula that says what {term}`uniform sampling` must achieve, from one number: how often two models disagree
# - why parity comes, and what it means for cost
#
# **Reading time** 12 minutes.
# **Running time** under a minute after chapter 10, whose trials it reads; 5 to 15 minutes on two cores alone.

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
from myst_nb import glue

import mbnb

mbnb.setup_charts()
p = mbnb.parameters(
    dataset=dataset,
    missing=missing,
    n_trials=n_trials,
    sizes=sizes,
    n_source=n_source,
    n_target=n_target,
    threshold=threshold,
    seed=seed,
)
p

# %% tags=["hide-input"]
matrix, lost = mbnb.prepare(p.dataset, missing=p.missing)
sizes, too_large = mbnb.possible_sizes(matrix, p.sizes)
n_source, n_target, chosen = mbnb.possible_counts(matrix, p.n_source, p.n_target)
glue("data", mbnb.data_label(matrix, p.n_trials), display=False)
mbnb.say(
    *lost,
    chosen,
    f"Sizes above the train half are left out: {mbnb.listed([f'{k:,}' for k in too_large])}."
    if too_large
    else "",
)

# %% [markdown]
# ## The same trials, set against one another
#
# The study's most practical finding is a negative one: from about 250 items, sampling at random is as good as any method {cite:p}`yauney2026reliable`.
# [](./10_main_tables) shows the MDADs side by side.
# Here you see their *differences*, which are steadier than the numbers themselves.
# In one {term}`trial` all selectors share the halves, the sources and the targets, and a trial with many close pairs is hard for all of them.
# So each {term}`bootstrap` resample draws trials once, computes both MDADs from them, and subtracts.

# %%
trials = mbnb.run_trials(
    matrix,
    list(mbnb.SELECTORS),
    sizes,
    n_trials=p.n_trials,
    n_source=n_source,
    n_target=n_target,
    seed=p.seed,
    store=mbnb.ResultStore(),
)
counts = mbnb.agreement(trials)
table = mbnb.mdad(counts, threshold=p.threshold, min_pairs=p.n_trials)
gains = mbnb.mdad_difference(counts, "uniform", threshold=p.threshold, min_pairs=p.n_trials)

# %% mystnb={"figure": {"caption": "How far each selector's MDAD lies below that of uniform sampling, with 95 % intervals of the difference; above zero is better than uniform sampling. The shaded band is one point either way. Data: {glue:text}`data`.", "name": "fig-13-gain"}, "image": {"alt": "Line chart: points by which the MDAD is below that of uniform sampling, against size on a logarithmic axis, for five selectors with vertical intervals, a zero line and a shaded band of one point on either side."}} tags=["hide-input"]
figure = mbnb.draw_gain(gains, margin=1.0)
plt.close(figure)
figure

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
heldout = mbnb.mdad_difference(
    mbnb.agreement(trials, "heldout"), "uniform", threshold=p.threshold, min_pairs=p.n_trials
)
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
# Asking for that with probability 0.8, 0.84 standard deviations above chance, gives roughly
#
# $$\text{MDAD} \approx 0.84\,\sqrt{\frac{r}{k}\Bigl(1-\frac{k}{N}\Bigr)} + \frac{1}{2k}.$$
#
# The line in {numref}`fig-13-expected` solves it without the shortcut, with $r$ taken from pairs of models of the same gap.

# %%
pairs = mbnb.compare_pairs(matrix, seed=p.seed)
expected = mbnb.expected_mdad(pairs, sizes, trials.n_train, p.threshold)

# %% mystnb={"figure": {"caption": "The MDAD of uniform sampling: measured with 95 % intervals, expected from the disagreement rate alone, and the floor below which a tied sample makes it impossible. Data: {glue:text}`data`.", "name": "fig-13-expected"}, "image": {"alt": "Line chart: MDAD of uniform sampling in points against size on a logarithmic axis, measured points with intervals, a line for the value expected from the formula, and a dotted line for the floor below."}} tags=["hide-input"]
uniform = table[table["selector"] == "uniform"]
figure = mbnb.draw_mdad(uniform, floor=mbnb.uniform_floor(sizes, p.threshold), expected=expected)
plt.close(figure)
figure

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
    f"What a selector asks for is the answers of {n_source} source models on "
    f"{trials.n_train:,} items each, {n_source * trials.n_train:,} answers in all, before it "
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
glue(
    "answer",
    f"Measured here, {by_point} than drawing items at random; a formula with one number in it, how "
    "often two models disagree, says why.",
    display=False,
)
glue("take-parity", f"{by_point[0].upper()}{by_point[1:]} than uniform sampling.", display=False)
glue(
    "take-formula",
    f"Models here differ on about {typical:.0f} % of the items, and that alone gives uniform "
    f"sampling an MDAD of {mbnb.format_mdad(round(expected[first], 1))} points at {first:,} items "
    f"and {mbnb.format_mdad(round(expected[sizes[-1]], 1))} at {sizes[-1]:,}.",
    display=False,
)
glue("take-saved", saved, display=False)

# %% [markdown]
# ## Re-run this chapter
#
# ```bash
# mbnb run 13 -p n_trials=10 -p 'sizes=[10,50]'
# MBNB_DATA=~/leaderboards mbnb run 13 -p dataset=bigcodebench
# ```

# %% tags=["hide-input"]
mbnb.footer(matrix, p.seed, trials)
