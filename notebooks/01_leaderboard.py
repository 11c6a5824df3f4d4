# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # The leaderboard and its splits
#
# **On eight real leaderboards of 46 to 3,903 models 3 to 8 % of all pairs of models lie within a point of each other and 15 to 29 % within five, though the two models of such a pair answer 18 to 29 % of the items differently: that is the resolution which a small benchmark would have to have.**
#
# *You will learn* what a {term}`response matrix` is, how far apart models lie, how a {term}`trial` splits items and models so that nothing is judged on what it was chosen from, and why every draw has a key.
# *Time*: 9 minutes to read, under a minute to run.

# %% tags=["parameters"]
dataset: str = "simulated:mmlu-pro"
missing: str = "drop-items"
sizes: list = [10, 25, 50, 100, 250, 500, 1000]
n_source: int = None
n_target: int = None
seed: int = 0

# %%
import hashlib

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import mbnb

study = mbnb.open_study(globals())
study

# %% [markdown]
# ## A matrix of answers
#
# A leaderboard is a table with a row for each {term}`model` and a column for each {term}`item`; an entry is the {term}`score` of one answer, 0 or 1.
# A model's {term}`accuracy` is the mean of its row.
# Everything in this book is computed from such a matrix ({numref}`fig-01-matrix`); `mbnb.load` reads one from a folder, and `mbnb read` makes one from evaluation logs.

# %%
matrix = study.matrix
accuracies = matrix.accuracies()
assert np.allclose(accuracies, matrix.scores.mean(axis=1))
order = np.argsort(-accuracies, kind="stable")
ranking = matrix.models.iloc[order].assign(accuracy=100 * accuracies[order])
mbnb.show(ranking.head(5), f"The first five of {matrix.n_models:,} models; accuracy in points.")

# %% mystnb={"figure": {"caption": "The response matrix: a row for each model, the best above, a column for each item, the easiest left; dark where the answer is right. Evenly thinned. Data: {glue:text}`data`.", "name": "fig-01-matrix"}, "image": {"alt": "Picture of the response matrix: dark dots for right answers, dense at the upper left and thin at the lower right."}} tags=["remove-input"]
mbnb.draw_matrix(matrix)

# %% [markdown]
# The matrix of this page is simulated, since the answers of hundreds of real models may not be passed on; its models bear names that no real model has ([](../book/data_cards)).
# What the book concludes comes from eight real leaderboards, whose measured figures it carries ([](./09_real_leaderboards)).
#
# ## How far apart models are
#
# The {term}`gap` of two models is the difference of their accuracies, in points of 100.
# What makes a gap hard to detect is how many items the two answer differently, their {term}`disagreement rate`.


# %%
def gap_and_disagreement(first, second):
    """Both in points, from two rows of 0 and 1."""
    return 100 * abs(first.mean() - second.mean()), 100 * (first != second).mean()


best, second = matrix.scores[order[0]].astype(float), matrix.scores[order[1]].astype(float)
gap, disagreement = gap_and_disagreement(best, second)
print(f"the two best lie {gap:.1f} points apart and differ on {disagreement:.1f} % of the items")
assert np.isclose(disagreement, 100 * mbnb.disagreement(matrix, order[:1], order[1:2])[0])

# %% mystnb={"figure": {"caption": "Gap and disagreement rate of pairs of models: a dot for each of 2,000 pairs; no pair can lie below the line, where the better model wins every item on which the two differ. Data: {glue:text}`data`.", "name": "fig-01-pairs"}, "image": {"alt": "A cloud of dots well above a rising diagonal line: pairs a few points apart differ on a tenth to a third of the items."}} tags=["remove-input"]
pairs = mbnb.compare_pairs(matrix, seed=study.p.seed).head(2000)
drawing, axes = plt.subplots(figsize=(5.4, 3.6), layout="constrained")
axes.plot(pairs["gap"], pairs["disagreement"], "o", ms=2.5, color=mbnb.TINTS[0], alpha=0.5)
axes.plot([0, pairs["gap"].max()], [0, pairs["gap"].max()], ":", color=mbnb.THRESHOLD)
axes.set(xlabel="Gap (points)", ylabel="Disagreement (per cent of the items)")
mbnb.figure(drawing, pairs[["gap", "disagreement"]])

# %% [markdown]
# On real leaderboards:

# %%
shares, rates = {}, mbnb.measured("planning-disagreement").query("gap == 3")
for name in mbnb.real_leaderboards()["dataset"].unique():
    own = mbnb.measured(f"agreement-{name}").query("half == 'train'")
    shares[name] = {
        f"within {points}": own.loc[own["gap"] <= points, "pairs"].sum() / own["pairs"].sum()
        for points in (1, 2, 5, 10)
    }
table = 100 * pd.DataFrame(shares).T
table["differ on"] = rates.set_index("dataset")["mean"].reindex(table.index)
mbnb.show(
    table, "Pairs within so many points, and items on which pairs 3 points apart differ, per cent."
)

# %% tags=["claims", "remove-cell"]
low, high = table.min().round(), table.max().round()
assert (low["within 1"], high["within 1"]) == (3, 8), "pairs within a point"
assert (low["within 5"], high["within 5"]) == (15, 29), "pairs within five points"
assert (low["differ on"], high["differ on"]) == (18, 29), "disagreement"
models = mbnb.real_leaderboards()["n_models"]
assert (models.min(), models.max()) == (46, 3903), "the leaderboards"

# %% [markdown]
# Disagreement is much alike everywhere, and that is why one table of sizes fits many leaderboards ([](./11_parity_at_250)).
#
# ## A trial: two splits
#
# A method that chooses items from models' answers must not be judged on the same answers.
# So a {term}`trial` splits the matrix twice:
#
# - **Items**: within each {term}`subtask` half of them, rounded down, are the {term}`train half`, from which items are chosen; the rest are the {term}`held-out half`.
# - **Models**: some, drawn at random, are {term}`target models`, which the chosen items must rank; others are {term}`source models`, whose answers choose the items.
#
# | | train half | held-out half |
# |---|---|---|
# | source models | a {term}`selector` learns from these answers | never used |
# | target models | the chosen items are answered; the whole half says who is better | says who is better on new items |
#
# The study makes 50 trials with 50 targets and up to 300 sources {cite:p}`yauney2026reliable`.
#
# ## Every draw has a key
#
# A running random stream makes a result depend on what was drawn before: add a model, or let four workers share the work, and every number moves.
# Here every draw is a function of a key.
# Each model and each item gets a priority from the seed, the trial and its own *name*, and the highest priorities win:


# %%
def priorities(names, seed, trial, purpose):
    """A number for each name that depends on nothing but the key and the name."""
    keys = [f"{seed}/{trial}/{purpose}/{name}".encode() for name in names]
    return np.array([int.from_bytes(hashlib.sha256(key).digest()[:8]) for key in keys])


names = matrix.model_ids.astype(str)
drawn = set(names[np.argsort(priorities(names, 0, 0, "target"))[:50]])
shuffled = np.random.default_rng(1).permutation(names)[:-1]  # another order, one model fewer
again = set(shuffled[np.argsort(priorities(shuffled, 0, 0, "target"))[:50]])
print(f"of {len(drawn)} targets {len(drawn & again)} are the same")

# %% [markdown]
# `mbnb.make_split` does the same with a faster hash.
# The order of rows changes nothing, and a model more or less displaces at most one other:

# %%
counts = {"seed": study.p.seed, "trial": 0, "n_source": study.n_source, "n_target": study.n_target}
split = mbnb.make_split(matrix, **counts)
reordered = matrix.subset(models=list(matrix.model_ids[::-1]))
other = mbnb.make_split(reordered, **counts)
assert set(matrix.model_ids[split.targets]) == set(reordered.model_ids[other.targets])
assert not set(split.train) & set(split.heldout)
assert not set(split.sources) & set(split.targets)
split_sizes = {
    "items of the train half": len(split.train),
    "items of the held-out half": len(split.heldout),
    "source models": len(split.sources),
    "target models": len(split.targets),
}
mbnb.show(pd.DataFrame({"in each trial": split_sizes}))

# %% [markdown]
# The two halves differ by luck, and so do the accuracies on them: two models a fraction of a point apart change places from one half to the other, whatever anybody chooses.

# %%
on_train, on_heldout = (
    100 * matrix.subset(items=half).accuracies() for half in (split.train, split.heldout)
)
moved = np.abs((on_train - on_train.mean()) - (on_heldout - on_heldout.mean()))
print(f"a model's accuracy moves by {moved.mean():.2f} points between the halves, on average")

# %% [markdown]
# ## Take-aways
#
# - Close pairs are common, and the two models of a pair still differ on about a fifth of the items or more.
# - Items are chosen from the source models' answers on one half, and judged on target models that no method was given.
# - Keyed draws make a result the same for any number of workers, any order of rows and any addition.
#
# ## Exercises
#
# ```{admonition} Exercise 1: neighbours at the top
# :class: exercise
#
# How far apart are neighbours among the ten best models, and how many items decide between the closest two?
# ```

# %% tags=["hide-cell", "solution"]
top = 100 * accuracies[order[:10]]
closest = int(np.argmin(-np.diff(top)))
one, two = (matrix.scores[order[closest + k]].astype(float) for k in (0, 1))
print("gaps between neighbours:", (-np.diff(top)).round(2))
print(f"the closest two differ on {(one != two).sum():,.0f} items,")
print(f"and a balance of {abs((one - two).sum()):,.0f} of these decides")

# %% [markdown]
# ```{admonition} Exercise 2: a model that gives no answer
# :class: exercise
#
# A model of middling accuracy runs out of time on the hardest twentieth of the items and has no score there.
# Somebody takes the mean over the items that it did answer.
# By how many points does its accuracy rise, and how many ranks does it climb?
# What does counting silence as wrong make of it?
# ```

# %% tags=["hide-cell", "solution"]
middle = order[matrix.n_models // 2]
easiest = np.argsort(-matrix.scores.mean(axis=0), kind="stable")[: int(0.95 * matrix.n_items)]
right = matrix.scores[middle, easiest].sum(dtype=float)
for name, value in {
    "all items": accuracies[middle],
    "mean over the answered": right / easiest.size,
    "silence is wrong": right / matrix.n_items,
}.items():
    print(f"{name}: {100 * value:.1f} points, rank {(accuracies > value).sum() + 1}")

# %% [markdown]
# Re-run with other parameters: `mbnb run 01 -p seed=3`, or on your data with `-p dataset=./my-benchmark`.

# %% tags=["remove-input"]
study.footer()
