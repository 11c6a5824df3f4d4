# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Your own benchmark

# %% [markdown] tags=["book-only"]
# **For a gap of 3 points 25 to 500 items are enough on eight real leaderboards, depending on how often the models disagree and on what you know of others; this page finds out for yours.**
#
# *You will learn* how to go from the {term}`gap` that matters to you to a {term}`size` and a method, which of your models are tied, and what to doubt before you build on it.
# This chapter is the notebook behind `mbnb report`, which runs it on your results and makes one page of it; here it runs on a small simulated leaderboard.
# *Time*: 8 minutes to read, a minute to run.

# %% [markdown]
# To detect a gap of {glue:text}`gap` between models like these, **{glue:text}`size` of the {glue:text}`n-items` items are enough**: {glue:text}`how`.
# Drawn at random and scored by their plain mean it takes {glue:text}`needed`.

# %% tags=["parameters"]
dataset: str = "simulated:gpqa"
missing: str = "drop-items"
duplicates: str = "drop"
selectors: list = [
    "uniform",
    "subtask",
    "confidence",
    "diversity",
    "anchor-points",
    "tinybenchmarks",
    "close-pairs",
]
n_trials: int = 50
sizes: list = [10, 25, 50, 100, 250, 500, 1000]
n_source: int = None
n_target: int = None
gap: float = 2.0
threshold: float = 0.8
rule: str = "interpolated"
seed: int = 0

# %%
import shlex

import numpy as np
import pandas as pd
from IPython.display import Markdown
from myst_nb import glue

import mbnb
from mbnb.book.opening import data_label
from mbnb.book.parameters import parameters
from mbnb.judge.planning import expected_gap, noisy_pairs, sampling_floor
from mbnb.run import advice

mbnb.setup_charts()
p = parameters(
    globals(),
    dataset="simulated:gpqa",
    selectors=[
        "uniform",
        "subtask",
        "confidence",
        "diversity",
        "anchor-points",
        "tinybenchmarks",
        "close-pairs",
    ],
)
matrix, notes = mbnb.prepare(p.dataset, missing=p.missing, duplicates=p.duplicates)
accuracy = 100 * matrix.accuracies()
glue("data", data_label(matrix), display=False)
Markdown(" ".join(notes) or "No answer is missing, and no model is a copy of another.")

# %% [markdown]
# ## The data

# %%
solved = matrix.scores.mean(axis=0, dtype=float)
facts = {
    "models": f"{matrix.n_models:,}",
    "items": f"{matrix.n_items:,}",
    "subtasks": f"{len(matrix.subtasks):,}",
    "accuracy, lowest to highest (points)": f"{accuracy.min():.1f} to {accuracy.max():.1f}",
    "items that every model solves, or none": f"{(solved == 1).sum():,}, {(solved == 0).sum():,}",
    "scores": "right or wrong" if matrix.binary else "graded",
    "confidences": "yes" if matrix.confidences is not None else "no",
}
mbnb.show(pd.DataFrame({"": facts}))

# %% mystnb={"figure": {"caption": "The response matrix: a row for each model, the best above, a column for each item, the easiest left, dark where the answer is right; larger matrices are thinned. Data: {glue:text}`data`.", "name": "fig-15-matrix"}, "image": {"alt": "Picture of the response matrix: dark dots for right answers, dense at the upper left and thin at the lower right."}} tags=["remove-input"]
mbnb.draw_matrix(matrix)

# %% [markdown]
# ## What random items detect
#
# No trial is needed for this: it follows from how often two models disagree ([](./11_parity_at_250)).
# A gap of half the width takes about four times the items, until these are a good part of the benchmark.

# %%
pairs = noisy_pairs(matrix, seed=p.seed)
needed = mbnb.needed_sizes(
    pairs, sorted({1.0, 2.0, 3.0, 5.0, p.gap}), matrix.n_items, p.threshold, binary=matrix.binary
)
mbnb.show(needed.rename("items needed").rename_axis("gap (points)").to_frame().T)

# %% [markdown]
# ## What trials say of other methods
#
# Each {term}`trial` halves the items, takes some models as {term}`sources` whose answers choose the items, and others as {term}`targets` that the chosen items must rank.
# The {term}`MDAD` is the smallest gap at which they are ranked as by the whole half in four cases out of five.

# %%
plan = advice.plan_trials(matrix, p.selectors, p.sizes, p.n_source, p.n_target)
trials = advice.run_plan(matrix, plan, n_trials=p.n_trials, seed=p.seed, store=mbnb.ResultStore())
measured = advice.judge_trials(trials, p.threshold, p.rule)
Markdown(" ".join(plan.notes) if trials else f"No trials are possible: {plan.why_not}.")

# %%
possible = sorted({*plan.sizes, int(needed[p.gap]), *(k for k in p.sizes if k <= matrix.n_items)})
on_whole = expected_gap(pairs, possible, matrix.n_items, p.threshold, binary=matrix.binary)
on_half = (
    expected_gap(pairs, plan.sizes, plan.n_train, p.threshold, binary=matrix.binary)
    if trials
    else on_whole.iloc[:0]
)
floor = (
    sampling_floor(
        on_half.index if trials else possible, plan.n_train or matrix.n_items, p.threshold
    )
    if matrix.binary
    else None
)

# %% mystnb={"figure": {"caption": "MDAD by size and method, with 95 % intervals where trials were run; the thin lines are what theory expects of random items and, for scores of 0 and 1, the floor below which these cannot go. Data: {glue:text}`data`.", "name": "fig-15-mdad"}, "image": {"alt": "MDAD in points against size on logarithmic axes, a line with intervals for each selector and estimator, and thin lines for what theory expects of uniform sampling."}} tags=["remove-input"]
theory = on_half if trials else on_whole
shown = measured.mdad
if not trials:
    empty = {"selector": "uniform", "estimator": "weighted-mean", "n_source": 0}
    shown = pd.DataFrame({"size": theory.index}).assign(
        **empty, mdad=np.nan, low=np.nan, high=np.nan
    )
mbnb.draw_mdad(shown, floor=floor, expected=theory)

# %%
mbnb.mdad_table(measured.mdad) if trials else None

# %% [markdown]
# A method is worth its trouble only if it surely detects smaller gaps: where the whole interval of its lead over random items with the plain mean lies above zero, on the half that items were chosen from *and* on the other.

# %%
sure = measured.sure[[*advice.WAY, "gain", "low", "high", "heldout"]]
mbnb.show(
    sure.assign(selector=sure["selector"].map(mbnb.label)).set_index(advice.WAY),
    "Points by which the MDAD is surely smaller than that of random items; heldout: the same on "
    "items that no method was given. No row: nothing is surely better.",
)

# %% [markdown]
# ## The advice
#
# The smallest size at which a method that is surely better detects the gap, else the size that random items need.
# The second row, where there is one, is for those who can pay for fewer items.

# %%
best = advice.advise(measured, p.gap, int(needed[p.gap]), on_half, on_whole)
cheaper = None if best.measured else advice.advise_fewer(measured, best.size, on_half, on_whole)
rows = {
    name: {
        "items": found.size,
        "selector": mbnb.label(found.selector),
        "estimator": found.estimator,
        "detects (points)": round(found.mdad, 1),
        "by": "trials" if found.measured else "theory",
    }
    for name, found in (("for this gap", best), ("with fewer", cheaper))
    if found
}
mbnb.show(pd.DataFrame(rows).T)

# %% tags=["remove-cell"]
random_items = (best.selector, best.estimator) == (advice.BASELINE, advice.PLAIN)
for name, text in {
    "gap": mbnb.in_points(p.gap),
    "size": f"{best.size:,}",
    "n-items": f"{matrix.n_items:,}",
    "needed": f"{needed[p.gap]:,}",
    "how": "drawn at random, plain mean"
    if random_items
    else f"{mbnb.label(best.selector)}, estimator {best.estimator}",
}.items():
    glue(name, text, display=False)

# %% [markdown]
# ## Which models are tied
#
# A leaderboard gives each model a rank, but this many items cannot order neighbours.
# For each model: the ranks that it could have among those closer than the gap that is detected at the advised size.

# %%
order = np.argsort(-accuracy, kind="stable")
sorted_accuracy = accuracy[order]
near = np.abs(sorted_accuracy[:, None] - sorted_accuracy[None]) < best.mdad - 1e-9
ranking = pd.DataFrame(
    {
        "accuracy (points)": sorted_accuracy.round(1),
        "rank": np.arange(1, len(order) + 1),
        "from": near.argmax(axis=1) + 1,
        "to": len(order) - near[:, ::-1].argmax(axis=1),
    },
    index=matrix.model_ids[order].astype(str),
)
tied_pairs = (near.sum() - len(order)) / max(1, near.size - len(order))
print(f"{tied_pairs:.0%} of all pairs are closer than that")
mbnb.show(ranking.head(20))

# %% [markdown]
# Tied is not equal: it means that this many items cannot say.
#
# ## What to doubt
#
# Only what applies is listed, the most serious first.

# %%
close = pairs["noise"][pairs["gap"] <= max(p.gap, 5)]
wide = measured.mdad["high"] - measured.mdad["low"] if trials else pd.Series(dtype=float)
checks = [
    ("no trials: theory alone", not trials, plan.why_not),
    ("few trials", bool(trials) and p.n_trials < advice.ENOUGH_TRIALS, f"{p.n_trials}"),
    ("few models to rank", bool(trials) and plan.n_target < 15, f"{plan.n_target} a trial"),
    ("few models to learn from", bool(trials) and plan.n_source < 30, f"{plan.n_source}"),
    ("gap wider than any here", p.gap > np.ptp(accuracy), f"widest {np.ptp(accuracy):.1f} points"),
    ("coarse bins", measured.reading.width > 0.5, mbnb.in_points(measured.reading.width)),
    ("wide intervals", bool(len(wide)) and wide.median() > 1, f"median {wide.median():.1f} points"),
    ("missing answers", any("missing" in note for note in notes), f"policy {p.missing}"),
    ("models with no right answer", (accuracy == 0).any(), f"{(accuracy == 0).sum()}"),
    ("near copies among the models", close.min() < 2, f"{close.min():.1f} % of the items differ"),
    ("items that order nobody", ((solved == 0) | (solved == 1)).mean() > 0.1, "table above"),
    ("graded scores", not matrix.binary, "no exact theory"),
]
doubts = pd.DataFrame([(what, found) for what, holds, found in checks if holds])
always = pd.DataFrame(
    [
        ("new models may be unlike these", "chapter 12"),
        ("intervals are over trials, not over other models", "appendix B"),
    ]
)
table = pd.concat([doubts, always]).set_axis(["doubt", "found"], axis=1).set_index("doubt")
mbnb.show(table)

# %% [markdown]
# ## What to do next
#
# Freeze the {term}`micro-benchmark`, and from then on run new models on its items alone.

# %%
Markdown(
    "```bash\n"
    f"mbnb select {shlex.quote(p.dataset)} --size {min(best.size, matrix.n_items)} --selector {best.selector} "
    f"--estimator {best.estimator} --missing {p.missing} --out micro.json\n"
    "mbnb score micro.json logs/new --extra ignore\n"
    "```"
)

# %% [markdown] tags=["book-only"]
# ## Take-aways
#
# - Start from the gap: theory says at once what random items need.
# - Another method is advised only where it is surely better on both halves.
# - At the size that you can afford, many neighbours on the leaderboard are tied.
#
# ## Exercises
#
# ```{admonition} Exercise 1: a wider gap
# :class: exercise
#
# Run this page with `-p gap=5`.
# How many items are enough, and which method is advised?
# ```
#
# ```{admonition} Exercise 2: fewer models
# :class: exercise
#
# Keep 20 of the models only (`matrix.subset(models=…)`) and run the page on them.
# Which methods are left out, and what is added to the doubts?
# ```
#
# Re-run on your own: `mbnb report my-benchmark --out report.html`, or `mbnb run 15 -p dataset=./my-benchmark`.
