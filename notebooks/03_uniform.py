# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Uniform sampling
#
# Draw items blindly and you get an unbiased score whose error you know before you start; what {glue:text}`smallest` items cannot give you is the order of two models less than {glue:text}`floor-smallest` points apart, whoever they are.
#
# **What you will learn**
#
# - why the yardstick of this book looks at no model at all
# - how large the error of a score is, from a formula that you can do in your head
# - why a small sample ties, and what gap no uniform sample of a given {term}`size` can show
#
# **Reading time** 10 minutes.
# **Running time** under a minute once the grid of [](./10_main_tables) is stored, a few minutes otherwise.

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
import itertools

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

# %%
matrix, lost = mbnb.prepare(p.dataset, missing=p.missing)
sizes, too_large = mbnb.possible_sizes(matrix, p.sizes)
n_source, n_target, chosen = mbnb.possible_counts(matrix, p.n_source, p.n_target)
split = mbnb.make_split(matrix, seed=p.seed, trial=0, n_source=n_source, n_target=n_target)
train = matrix.subset(split.sources, split.train)
glue("data", mbnb.data_label(matrix, p.n_trials), display=False)
left_out = f"Sizes above the train half are left out: {mbnb.listed([f'{k:,}' for k in too_large])}."
mbnb.say(*lost, chosen, left_out if too_large else "")

# %% [markdown]
# ## How it works
#
# Put the items of the {term}`train half` into a random order and take the first $k$.
# Every set of $k$ items is then equally likely, and the {term}`estimator` is the plain mean of the {term}`scores <score>`.
# No {term}`source model <source models>` is asked, so this {term}`selector` can be used on the day a benchmark appears, when nobody has answered it.
#
# {numref}`fig-03-draw` shows one trial.
# The curve sorts the items by {term}`difficulty`; the ticks below it mark the items chosen.
# Since each row is the beginning of the same random order, each contains the row above it.

# %%
fitted, selections, costs = mbnb.time_selector("uniform", train, sizes, seed=p.seed)
difficulty = 100 * (1 - train.scores.mean(axis=0, dtype=np.float64))
rank = np.argsort(np.argsort(difficulty, kind="stable"))

# %% mystnb={"figure": {"caption": "One uniform draw. Above: the items of the train half from the easiest to the hardest, and the per cent of source models that get each wrong. Below: a tick for each chosen item, one row for each size, with the mean difficulty of the row. Rows are nested. Data: {glue:text}`data`.", "name": "fig-03-draw"}, "image": {"alt": "A rising curve of item difficulty above rows of tick marks that show which items were drawn at each size; the ticks lie irregularly over the whole range."}} tags=["hide-input"]
figure, (curve, rug) = plt.subplots(2, 1, figsize=(6.2, 4.8), sharex=True, layout="constrained")
curve.plot(np.sort(difficulty), color=mbnb.LOOKS["uniform"].color)
curve.set(ylabel="Models that are wrong\n(per cent)", ylim=(0, 100))
rows = sizes[:4]
for row, size in enumerate(rows):
    items = selections[size].items
    rug.plot(rank[items], np.full(size, row), "|", color=mbnb.LOOKS["uniform"].color, markersize=14)
means = [f"{size:,} items\nmean {difficulty[selections[size].items].mean():.0f}" for size in rows]
rug.set_yticks(range(len(rows)), means)
rug.set(
    xlabel=f"Rank among {train.n_items:,} items, easiest to hardest", ylim=(len(rows) - 0.5, -0.5)
)
rug.grid(visible=False)
plt.close(figure)
figure

# %% tags=["hide-input"]
nested = all(
    np.isin(selections[a].items, selections[b].items).all() for a, b in itertools.pairwise(sizes)
)
mbnb.say(
    f"The whole half has a mean difficulty of {difficulty.mean():.1f}.",
    f"The draw of {sizes[0]:,} has {difficulty[selections[sizes[0]].items].mean():.1f}, that of "
    f"{sizes[-1]:,} has {difficulty[selections[sizes[-1]].items].mean():.1f}.",
    "Each draw holds all the smaller ones." if nested and len(sizes) > 1 else "",
)

# %% [markdown]
# A small draw has gaps and clumps, and nothing in the method notices them.
# Some draws are too easy, some too hard, but no item is favoured: over many draws the scores centre on the right value.
#
# ## The error of a score
#
# For a model with {term}`accuracy` $a$, the score on $k$ of $N$ items has a {term}`standard error` of $\sqrt{a (1 - a) / k}$, times a correction for not drawing an item twice.
# The mean absolute error of a bell curve is $\sqrt{2/\pi} \approx 0.8$ of that.
# {numref}`fig-03-error` draws the formula, averaged over the {term}`target models`, through the errors measured in the trials.

# %%
trials = mbnb.run_trials(
    matrix,
    ["uniform"],
    sizes,
    n_trials=p.n_trials,
    n_source=n_source,
    n_target=n_target,
    seed=p.seed,
    store=mbnb.ResultStore(),
)
errors = mbnb.estimation_error(trials)
accuracy = trials.table.loc[trials.table["size"] == sizes[0], "train_accuracy"]
spread = np.sqrt(accuracy * (1 - accuracy)).mean()
half = train.n_items
formula = [100 * spread * np.sqrt(2 / np.pi * (half - k) / (half - 1) / k) for k in sizes]

# %% mystnb={"figure": {"caption": "Estimation error of uniform sampling: dots are measured, the line is derived from the accuracies of the target models alone. Both axes are logarithmic: four times the items halve the error. Data: {glue:text}`data`.", "name": "fig-03-error"}, "image": {"alt": "Mean absolute estimation error in points against size, both on logarithmic axes: a falling straight line from a formula, with measured dots beside it."}} tags=["hide-input"]
figure, axes = plt.subplots(figsize=(6.2, 3.6))
axes.plot(sizes, formula, color=mbnb.LOOKS["confidence"].color, label="derived")
axes.plot(sizes, errors["error"], "o", color=mbnb.LOOKS["uniform"].color, label="measured")
axes.set_yscale("log")
axes.yaxis.set_major_formatter("{x:g}")
axes.set_ylabel("Mean estimation error (points)")
mbnb.size_axis(axes, sizes)
axes.legend()
plt.close(figure)
figure

# %% tags=["remove-cell"]
strict = mbnb.agreement(trials)
lenient = mbnb.agreement(trials, ties="half")
ties = 200 * (lenient.agreeing - strict.agreeing).sum(axis=(1, 2)) / strict.pairs.sum(axis=(1, 2))
table = mbnb.mdad(strict, threshold=p.threshold, min_pairs=p.n_trials)
floor = mbnb.uniform_floor(sizes, p.threshold)
glue("smallest", f"{sizes[0]:,}", display=False)
glue("largest", f"{sizes[-1]:,}", display=False)
glue("floor-smallest", f"{floor.iloc[0]:.1f}", display=False)
glue("threshold", f"{p.threshold:g}", display=False)
glue("mdad-smallest", mbnb.format_mdad(table["mdad"].iloc[0]), display=False)
glue("mdad-largest", mbnb.format_mdad(table["mdad"].iloc[-1]), display=False)
glue("error-smallest", f"{errors['error'].iloc[0]:.1f}", display=False)
glue("ties-smallest", f"{ties[0]:.0f}", display=False)
glue("ties-largest", f"{ties[-1]:.0f}", display=False)
glue("values", f"{sizes[0] + 1:,}", display=False)

# %% [markdown]
# ## Why a small draw cannot rank
#
# An error of {glue:text}`error-smallest` points at {glue:text}`smallest` items does not yet say that models closer than that are in the wrong order, since both models answer the same items and share much of the luck.
# What hurts is coarseness.
# A plain mean of {glue:text}`smallest` right-or-wrong scores takes one of {glue:text}`values` values, so models tie: {glue:text}`ties-smallest` % of the pairs at {glue:text}`smallest` items, {glue:text}`ties-largest` % at {glue:text}`largest`.
# A {term}`tie` is no order, and the study counts it as wrong.
#
# That alone sets a limit.
# Take the best case, a model that wins a share $d$ of the items and loses none.
# A sample shows a difference only if it holds one of those items, which happens with probability $1 - (1 - d)^k$.
# For an {term}`agreement` of $t =$ {glue:text}`threshold` you therefore need $d \ge 1 - (1 - t)^{1/k}$, the {term}`floor`.
# Real pairs also lose items, so the {term}`MDAD` lies above it ({numref}`fig-03-mdad`).
# [](./09_agreement_mdad) builds up both words; until then, read MDAD as “the smallest gap that is ordered rightly often enough”.

# %% mystnb={"figure": {"caption": "MDAD of uniform sampling by size, with 95 % intervals, and the floor that holds for any two models. Bins decide only if they hold one pair a trial on average. Data: {glue:text}`data`.", "name": "fig-03-mdad"}, "image": {"alt": "MDAD in points against size on a logarithmic axis: a falling line with intervals, above a dotted falling line, the floor."}} tags=["hide-input"]
figure = mbnb.draw_mdad(table, floor=floor)
plt.close(figure)
figure

# %% tags=["hide-input"]
told = {
    name: mbnb.reported(f"mdad-{name}").query("selector == 'uniform'").set_index("size")["mdad"]
    for name in ("mmlu-pro", "bbh")
}
beside = pd.DataFrame(
    {
        "floor (derived)": [f"{value:.1f}" for value in floor],
        "measured here": [mbnb.format_mdad(value) for value in table["mdad"]],
        "reported, MMLU-Pro": [
            mbnb.format_mdad(told["mmlu-pro"].get(k, np.nan)) if k in told["mmlu-pro"] else "–"
            for k in sizes
        ],
        "reported, BBH": [
            mbnb.format_mdad(told["bbh"].get(k, np.nan)) if k in told["bbh"] else "–" for k in sizes
        ],
        "tied pairs (per cent)": [f"{value:.1f}" for value in ties],
    },
    index=pd.Index([f"{k:,}" for k in sizes], name="Size"),
)
mbnb.show(beside).set_caption("MDAD of uniform sampling, in points.")

# %% tags=["hide-input"]
lowest = mbnb.uniform_floor(told["mmlu-pro"].index)
broken = [
    f"{told[name][k]:g} points on {title} at {k:,} items, where the floor is {lowest[k]:.1f}"
    for name, title in (("mmlu-pro", "MMLU-Pro"), ("bbh", "BBH"))
    for k in lowest.index
    if told[name][k] < lowest[k] - 0.25
]
lucky = [k for k, value in zip(sizes, table["mdad"], strict=True) if value < floor[k] - 0.25]
mbnb.say(
    "The reported values reach us through a reader’s summary of the paper’s figures, so they are approximate.",
    f"Some cannot be right under the strict rule for ties, however they were read: {mbnb.listed(broken)}."
    if broken
    else "None of them lies below the floor.",
    f"The values measured here fall below it at {mbnb.listed([f'{k:,}' for k in lucky])} items, by "
    "luck: agreement is a share of finitely many pairs, and the first bin to reach the threshold "
    "counts, so few trials read too low."
    if lucky
    else "No value measured here lies below it.",
)

# %% [markdown]
# The same limit does not bind a selector whose estimate is finer than a count of right answers.
# Weights break ties, and so do {term}`confidences <confidence>`: [](./07_anchor_points) shows how far that alone goes.
#
# ## When it is good, and when not
#
# Uniform sampling is the right choice when you have no source models, when you cannot trust that new models err like the old ones, or when you can afford some hundreds of items.
# From there on nothing beats it by much ([](./13_parity_at_250)), and its error is known without a study.
# It is a poor choice at ten or twenty-five items.
# What would change your mind at larger sizes is another selector whose MDAD lies below this one with intervals apart; the next five chapters look for it.
#
# ## What it costs

# %% tags=["hide-input"]
mbnb.cost_table(costs, mbnb.reported("costs"), train)

# %% [markdown]
# Nothing, in other words: the seconds go into everything else.
#
# ## What differs from the released code
#
# - The released code draws from Python's and NumPy's global random states, unseeded, in forked workers, so that no run can be repeated.
#   Here each draw has a key made of the seed, the {term}`trial`, the selector and the size; more workers or more selectors change no number.
# - Both draw each size anew in the trials, so that sizes are independent of one another.
#   Nested draws, as in {numref}`fig-03-draw`, are what you want when you plan to enlarge a micro-benchmark later; `run_trials(nested=True)` makes them.
# - The released code writes 50 points where the threshold is not reached; here such an MDAD is {term}`not reached`, and no number.
#
# ## Take-aways
#
# - Uniform sampling needs no source models, favours no item, and its error follows a formula.
# - Its MDAD is {glue:text}`mdad-smallest` points at {glue:text}`smallest` items, where the floor is {glue:text}`floor-smallest`, and {glue:text}`mdad-largest` at {glue:text}`largest`.
# - Ties do much of the harm: {glue:text}`ties-smallest` % of the pairs tie at {glue:text}`smallest` items.
# - It is the yardstick for the five selectors that follow.
#
# ## Re-run this chapter
#
# ```
# mbnb run 03 -p n_trials=10 -p 'sizes=[10,50]'
# MBNB_DATA=~/leaderboards mbnb run 03 -p dataset=bigcodebench
# ```

# %% tags=["hide-input"]
mbnb.footer(matrix, p.seed, trials)
