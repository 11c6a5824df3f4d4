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
# **Drawn at random, 10 items order two models reliably only if these are 15.5 to 20 points apart, 100 items at 3 to 5 points and 250 at 2 to 3.5: that is the range over eight real leaderboards, and every other method is measured against it.**
#
# *You will learn* why the yardstick of this book asks no model at all, what gap no random sample of a given {term}`size` can order, and when blind sampling is the right choice.
# *Time*: 8 minutes to read, under a minute to run.

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

import mbnb

study = mbnb.open_study(globals())
study

# %% [markdown]
# ## The idea
#
# Put the items of the {term}`train half` into a random order and take the first $k$.
# Every set of $k$ items is equally likely, and the {term}`estimator` is the plain mean of the {term}`scores <score>`.
# No {term}`source model <source models>` is asked, so you can use this {term}`selector` on the day a benchmark appears.

# %%
train, targets = study.train, study.targets
rng = np.random.default_rng(study.p.seed)

order = rng.permutation(train.n_items)
drawn = order[:10]  # the sample of 25 would begin with the same ten

estimates = targets.scores[:, drawn].mean(axis=1)
accuracies = targets.scores.mean(axis=1)
error = 100 * np.abs(estimates - accuracies)
print(f"ten items miss the accuracy of a model by {error.mean():.1f} points on average")

# %% [markdown]
# `mbnb` draws the same way, with a generator of its own for each {term}`trial`, selector and size, so that adding one changes no other.

# %%
selection = mbnb.make_selector("uniform").fit(train).select(10, np.random.default_rng(0))
assert np.allclose(selection.weights, 1 / 10)  # the plain mean
assert len(set(selection.items)) == 10

# %% [markdown]
# ## What it picks
#
# A small draw has gaps and clumps, and nothing in the method notices them ({numref}`fig-02-draw`).
# Some draws are too easy, some too hard, but no item is favoured: over many draws the scores centre on the right value.

# %% mystnb={"figure": {"caption": "One uniform draw. Above: the items of the train half from the easiest to the hardest, and the share of source models that get each wrong. Below: a tick for each chosen item, one row for each size. Data: {glue:text}`data-one`.", "name": "fig-02-draw"}, "image": {"alt": "A rising curve of item difficulty above rows of tick marks that show which items were drawn at each size; the ticks lie irregularly over the whole range."}}
difficulty = 100 * (1 - train.scores.mean(axis=0, dtype=float))
rank = np.argsort(np.argsort(difficulty, kind="stable"))
rows = study.sizes[:4]
drawing, (curve, rug) = plt.subplots(2, 1, figsize=(5.4, 4.4), sharex=True, layout="constrained")
curve.plot(np.sort(difficulty), color=mbnb.LOOKS["uniform"].color)
curve.set(ylabel="Models that are wrong\n(per cent)", ylim=(0, 100))
ticks = pd.concat(
    pd.DataFrame({"size": size, "rank": np.sort(rank[order[:size]])}) for size in rows
)
for row, size in enumerate(rows):
    own = ticks.loc[ticks["size"] == size, "rank"]
    rug.plot(own, np.full(size, row), "|", color=mbnb.LOOKS["uniform"].color, markersize=14)
means = [f"{size:,} items\nmean {difficulty[order[:size]].mean():.0f}" for size in rows]
rug.set_yticks(range(len(rows)), means)
rug.set(xlabel=f"Rank among {train.n_items:,} items, easiest to hardest")
rug.set_ylim(len(rows) - 0.5, -0.5)
rug.grid(visible=False)
mbnb.figure(drawing, ticks)

# %% [markdown]
# ## How it does
#
# The {term}`MDAD` is the smallest {term}`gap` between two models that a micro-benchmark orders rightly at least eight times out of ten; [](./08_agreement_mdad) builds it up.
# On real leaderboards, 50 trials each, uniform sampling has these:

# %%
real = mbnb.real_leaderboards().query("selector == 'uniform'")
by_size = real.pivot(index="dataset", columns="size", values="mdad")
mbnb.show(by_size, "MDAD of uniform sampling in points, on eight real leaderboards.")

# %% tags=["claims", "remove-cell"]
lowest, highest = by_size.min(), by_size.max()
assert (lowest[10], highest[10]) == (15.5, 20), "at 10 items 15.5 to 20 points"
assert (lowest[100], highest[100]) == (3, 5), "at 100 items 3 to 5 points"
assert (lowest[250], highest[250]) == (2, 3.5), "at 250 items 2 to 3.5 points"

# %% [markdown]
# And on the simulated leaderboard, which you can re-run ({numref}`fig-02-mdad`):

# %%
trials = study.run("uniform")
counts = mbnb.agreement(trials, reading=study.reading)
table = study.mdad(counts)
floor = mbnb.uniform_floor(study.sizes, study.p.threshold)

# %% mystnb={"figure": {"caption": "MDAD of uniform sampling by size, with 95 % intervals, and the floor that holds for any two models. Data: {glue:text}`data`.", "name": "fig-02-mdad"}, "image": {"alt": "MDAD in points against size on a logarithmic axis: a falling line with intervals, above a dotted falling line, the floor."}}
mbnb.draw_mdad(table, floor=floor)

# %% [markdown]
# ## Why a small draw cannot rank
#
# A plain mean of ten right-or-wrong scores takes one of eleven values, so models tie: {glue:text}`ties` of the pairs at {glue:text}`smallest` items.
# A {term}`tie` is no order, and the study counts it as wrong.
#
# That alone sets a limit, the {term}`floor`.
# Take the best case: model A solves a share $d$ of the items that model B does not, and B solves none that A does not.
# The sample puts A ahead exactly when it holds one of those items, which happens with probability $1 - (1 - d)^k$.
# To be right four times out of five you need
#
# $$1 - (1 - d)^k \ge 0.8, \quad\text{so}\quad d \ge 1 - 0.2^{1/k}.$$

# %%
at_ten = 1 - (1 - 0.8) ** (1 / 10)
print(f"the floor at ten items: {100 * at_ten:.1f} points")
mbnb.show(floor.rename("floor (points)").to_frame().T)

# %% tags=["remove-cell"]
lenient = mbnb.agreement(trials, reading=mbnb.Reading(ties="half"))
tied = 2 * (lenient.agreeing - counts.agreeing).sum(axis=(1, 2)) / counts.pairs.sum(axis=(1, 2))
study.glue(ties=mbnb.percent(tied[0]), smallest=study.sizes[0])

# %% tags=["claims", "remove-cell"]
assert round(100 * at_ten, 1) == 14.9, "the floor at ten items is 14.9 points"
assert (by_size[10] > 14.9).all(), "no real leaderboard lies below the floor at ten items"

# %% [markdown]
# Real pairs also lose items, so their MDAD lies above the floor, on every leaderboard in the table.
# By how much follows from their {term}`disagreement rate` ([](./11_parity_at_250)).
# The limit binds the plain mean of random items only: weights break ties, and an estimator that knows how other models answered does too ([](./13_estimators)).
#
# ## When to use it
#
# Use it when you have no source models, when you cannot trust that new models err like the old ones, or when you can afford a few hundred items: from there on nothing beats it by much ([](./11_parity_at_250)).
# Do not use it at 10 or 25 items.
# If you may want to enlarge the sample later, keep one random order and go on along it.
# Prefer another selector at a given size when its MDAD lies below this one with intervals apart; the next five chapters look for one.
#
# ## Take-aways
#
# - Uniform sampling needs no source models and favours no item.
# - Ten items cannot order models less than 14.9 points apart, whoever they are; on real leaderboards it takes 15.5 to 20 points.
# - Ties do much of the harm at small sizes.
#
# ## Exercises
#
# ```{admonition} Exercise 1: at best, and really
# :class: exercise
#
# You must detect a gap of 2 points.
# How many items does uniform sampling need at the very least, by the floor?
# How many does it need for two models that differ on a quarter of the items?
# ```

# %% tags=["hide-cell", "solution"]
at_best = int(np.ceil(np.log(0.2) / np.log(1 - 0.02)))
print(f"by the floor: {at_best} items")
mbnb.plan(gap=2, agreement=0.8, disagreement=0.25)

# %% [markdown]
# ```{admonition} Exercise 2: is it only the rule for ties?
# :class: exercise
#
# Count a tied estimate as half right instead of wrong: what is the MDAD then, at each size?
# Which rule would you use for a leaderboard, and which for a choice between two models?
# ```

# %% tags=["hide-cell", "solution"]
pd.DataFrame(
    {
        "a tie is wrong": table["mdad"].to_numpy(),
        "a tie is half right": study.mdad(lenient)["mdad"].to_numpy(),
    },
    index=study.sizes,
)

# %% [markdown]
# Re-run with other parameters: `mbnb run 02 -p n_trials=10 -p 'sizes=[10,50]'`, or on your data with `-p dataset=./my-benchmark`.

# %% tags=["remove-input"]
study.footer()
