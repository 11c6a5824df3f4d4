# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # The leaderboard as a matrix
#
# A leaderboard is a table of answers, and how many items you need depends on how many of them two models answer differently: here {glue:text}`near-rate` % for models that lie at most {glue:text}`limit` points apart.
#
# **What you will learn**
#
# - what a {term}`response matrix` holds, and what must be settled before anything is ranked
# - why two models that are close in accuracy still give different answers
# - when a {term}`gap` is small, as a number that depends on the {term}`size`
# - how many pairs of models lie that close together
#
# **Reading time** 12 minutes.
# **Running time** under a minute.

# %% tags=["parameters"]
dataset: str = "simulated:mmlu-pro"
missing: str = "drop-items"
sizes: list = [10, 25, 50, 100, 250, 500, 1000]
seed: int = 0

# %%
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from myst_nb import glue

import mbnb

mbnb.setup_charts()
p = mbnb.parameters(dataset=dataset, missing=missing, sizes=sizes, seed=seed)
p

# %% [markdown]
# ## One row a model, one column an item
#
# You look at a leaderboard and see one number a {term}`model`.
# Behind it lies a table: one row for each model, one column for each {term}`item`, and in each cell the {term}`score` of one answer.
# This book never needs more than that table.
# Here is its upper left corner.

# %%
raw = mbnb.load(p.dataset)
glue("data", mbnb.data_label(raw), display=False)
mbnb.show(pd.DataFrame(raw.scores[:5, :4], index=raw.model_ids[:5], columns=raw.item_ids[:4]))

# %% [markdown]
# A 1 is a right answer and a 0 a wrong one; 255 would stand for an answer that is missing.
# A model's {term}`accuracy` is the mean of its row, and an item's {term}`difficulty` is the share of models that get its column wrong.
# Where the data have them, each cell also holds a {term}`confidence`, the probability that the model gave to the right answer.
#
# ## What must be settled first
#
# Two things spoil a matrix without showing on a leaderboard.
# *Missing answers*: a mean over the items that a model happened to answer is no accuracy that you could compare, because the missing items are seldom a random part.
# What to do about them is a {term}`missing-answer policy` with a name, never a silent default.
# *Exact copies*: the same model uploaded twice looks like two models.
# A copy makes the leaderboard look more crowded than it is, and [](./02_splits) shows why a copy on the wrong side of a line is worse than that.

# %%
complete, loss = mbnb.resolve_missing(raw, p.missing)
matrix, copies = mbnb.drop_duplicate_models(complete)
mbnb.show(
    pd.DataFrame(
        {
            "as loaded": [raw.n_models, raw.n_items, len(raw.subtasks), raw.n_missing],
            "as studied": [matrix.n_models, matrix.n_items, len(matrix.subtasks), 0],
        },
        index=["models", "items", "subtasks", "missing answers"],
    )
)

# %% tags=["hide-input"]
copied = (
    f"{len(copies)} models are exact copies of another and were left out: a leaderboard of "
    f"{raw.n_models:,} rows holds {matrix.n_models:,} different models."
    if len(copies)
    else "No two models of this matrix gave exactly the same answers."
)
confident = "Confidences are there." if matrix.confidences is not None else "It has no confidences."
mbnb.say(str(loss), copied, confident)

# %% [markdown]
# Real leaderboards are less tidy than a simulated one; the [data cards](../book/data_cards.md) count the missing answers and the copies of each.
#
# ## What the matrix looks like
#
# {numref}`fig-01-matrix` sorts the models by accuracy and the items by difficulty.
# If ability and difficulty were all there is, you would see a clean staircase: dark above a line, light below it.
# The speckle is what the rest of this book is about.

# %% mystnb={"figure": {"caption": "The response matrix, sorted. Each dot is one answer, dark where it is right; rows run from the best model to the worst, columns from the easiest item to the hardest, and both are thinned evenly. Data: {glue:text}`data`.", "name": "fig-01-matrix"}, "image": {"alt": "A picture of the matrix of answers, sorted by accuracy and difficulty: mostly dark at the upper left, mostly light at the lower right, speckled everywhere."}} tags=["hide-input"]
figure = mbnb.draw_matrix(matrix)
plt.close(figure)
figure

# %% tags=["remove-cell"]
accuracies = matrix.accuracies()
wrong = 100 * (1 - matrix.scores.mean(axis=0, dtype=np.float64))
points = np.sort(100 * accuracies)[::-1]
glue("lowest", f"{points[-1]:.1f}", display=False)
glue("middle", f"{np.median(points):.1f}", display=False)
glue("highest", f"{points[0]:.1f}", display=False)
glue("alike", f"{100 * np.mean((wrong < 5) | (wrong > 95)):.0f}", display=False)
glue("step", f"{np.median(-np.diff(points)):.2f}", display=False)
glue("one-item", f"{100 / matrix.n_items:.3f}", display=False)

# %% [markdown]
# Accuracies run from {glue:text}`lowest` to {glue:text}`highest` points, and half of the models lie below {glue:text}`middle` ({numref}`fig-01-spread`).
# From one rank to the next there are {glue:text}`step` points in the median, where one item is worth {glue:text}`one-item`.
# Items are not alike either: {glue:text}`alike` % of them are answered alike by more than 95 % of the models.
# Such an item costs as much as any other and orders almost no pair, which is why choosing items by how models answer them is worth a try.

# %% mystnb={"figure": {"caption": "How able the models are and how hard the items. Above: models by accuracy. Below: items by the share of models that get them wrong. Data: {glue:text}`data`.", "name": "fig-01-spread"}, "image": {"alt": "Two histograms, one above the other: numbers of models by accuracy in points, and numbers of items by the per cent of models that get them wrong."}} tags=["hide-input"]
figure, (above, below) = plt.subplots(2, 1, figsize=(5.4, 5.4), layout="constrained")
above.hist(points, bins=24, color=mbnb.TINTS[0])
above.set(xlabel="Accuracy (points)", ylabel="Models")
below.hist(wrong, bins=np.arange(0, 101, 5), color=mbnb.TINTS[1])
below.set(xlabel="Models that are wrong (per cent)", ylabel="Items")
plt.close(figure)
figure

# %% [markdown]
# ## Two models
#
# Ranking is about pairs, so look at one.
# Take two models about two points apart, and among such pairs one that is typical.

# %%
pairs = mbnb.compare_pairs(matrix, seed=p.seed)
pair = mbnb.typical_pair(pairs, gap=2)
better, worse = matrix.subset(models=[pair["better"], pair["worse"]]).scores
wins, losses = int((better > worse).sum()), int((better < worse).sum())

# %% tags=["hide-input"]
mbnb.say(
    f"*{pair['better']}* scores higher than *{pair['worse']}* on {wins:,} of the "
    f"{matrix.n_items:,} items and lower on {losses:,}.",
    f"They differ on {wins + losses:,} items, {pair['disagreement']:.1f} % of all, and the gap of "
    f"{pair['gap']:.2f} points is what is left when wins and losses cancel.",
)

# %% tags=["remove-cell"]
limit = max(2.0, pairs["gap"].min())
near = pairs[pairs["gap"] <= limit]
rate = near["disagreement"].median()
glue("limit", f"{limit:g}", display=False)
glue("near-rate", f"{rate:.0f}", display=False)
glue("near-low", f"{near['disagreement'].quantile(0.05):.0f}", display=False)
glue("near-high", f"{near['disagreement'].quantile(0.95):.0f}", display=False)

# %% [markdown]
# The share of items on which two models differ is their {term}`disagreement rate`.
# With 0/1 scores, $w$ wins and $l$ losses among $N$ items, the gap is $(w - l)/N$ and the rate is $(w + l)/N$, so the rate is never below the gap.
# {numref}`fig-01-disagreement` draws both for many pairs.
# Look at its left edge: pairs at most {glue:text}`limit` points apart still differ on {glue:text}`near-rate` % of the items in the median, and nine pairs in ten lie between {glue:text}`near-low` and {glue:text}`near-high` %.
# Equal accuracy is not equal behaviour, and each item on which two models differ is a coin that a small sample tosses.

# %% mystnb={"figure": {"caption": "Disagreement rate against gap, one dot for each of a sample of pairs of models. No pair can lie below the line, where the better model loses no item. Data: {glue:text}`data`.", "name": "fig-01-disagreement"}, "image": {"alt": "A scatter plot of pairs of models: gap in points on the horizontal axis, per cent of items on which they differ on the vertical axis, with the line on which both are equal as lower edge."}} tags=["hide-input"]
figure, axes = plt.subplots()
shown = pairs.sample(min(len(pairs), 4000), random_state=p.seed)
axes.scatter(shown["gap"], shown["disagreement"], s=5, alpha=0.35, linewidths=0, color=mbnb.INK)
widest = shown["gap"].max()
axes.plot([0, widest], [0, widest], color=mbnb.THRESHOLD)
axes.annotate("rate = gap", (0.6 * widest, 0.55 * widest), ha="left", va="top")
axes.set(xlabel="Gap (points)", ylabel="Disagreement rate (per cent)")
axes.set(xlim=(0, None), ylim=(0, None))
plt.close(figure)
figure

# %% [markdown]
# ## What is a small gap?
#
# A gap is small or large only against the noise of the comparison.
# Draw $k$ items at random and let both models answer them.
# The difference of their scores then has a {term}`standard error` of about
#
# $$100 \sqrt{(r - d^2) / k}\ \text{points},$$
#
# where $r$ is the disagreement rate and $d$ the gap, both as shares.
# For close pairs $d^2$ hardly counts, and the disagreement rate decides.
# The table takes the median rate of pairs at most {glue:text}`limit` points apart, {glue:text}`near-rate` %.
# The last column pretends that the two models had answered *different* items, which is what you do when you add up two separate standard errors.

# %%
sizes, too_large = mbnb.possible_sizes(matrix, p.sizes)
counts = np.array([*sizes, matrix.n_items])
same_items = 10 * np.sqrt(rate / counts)
level = np.median(accuracies)
other_items = 100 * np.sqrt(2 * level * (1 - level) / counts)
noise = pd.DataFrame(
    {"same items": same_items, "other items": other_items},
    index=pd.Index([*map(str, sizes), f"all {matrix.n_items:,}"], name="items"),
)
mbnb.show(noise.round(1))

# %% tags=["hide-input"]
left_out = (
    f"Sizes above the train half are left out ({mbnb.listed(map(str, too_large))})."
    if too_large
    else ""
)
side = (
    "Both models facing the same items helps, because they err alike on many of them."
    if rate < 200 * level * (1 - level)
    else "Facing the same items does not help here, because these models do not err alike."
)
glue("at-smallest", f"{same_items[0]:.1f}", display=False)
glue("at-all", f"{same_items[-1]:.1f}", display=False)
glue("smallest", f"{counts[0]:,}", display=False)
mbnb.say(side, left_out)

# %% [markdown]
# With {glue:text}`smallest` items the noise is {glue:text}`at-smallest` points, so a gap of 2 points drowns in it.
# To put two models in order four times out of five, the gap has to be about 0.84 standard errors, since a normal variable stays above −0.84 with a probability of 0.8.
# The whole benchmark has a noise of its own, {glue:text}`at-all` points: its items are a sample too, of all the items that could have been asked {cite:p}`miller2024error`.
# A gap below that is small even for the full benchmark, and to ask a micro-benchmark for it is to ask for the order of two models that nobody knows.
#
# ## How many pairs are close
#
# A small gap would be no concern if few pairs had one.

# %% tags=["remove-cell"]
share = (pairs["gap"].to_numpy()[:, None] <= np.array([2, 5, 10]) + 1e-9).mean(axis=0)
glue("within-2", f"{100 * share[0]:.0f}", display=False)
glue("within-5", f"{100 * share[1]:.0f}", display=False)
glue("within-10", f"{100 * share[2]:.0f}", display=False)
leaders = mbnb.pair_gaps(np.sort(accuracies)[-10:])
glue("leaders-2", f"{100 * np.mean(leaders <= 2 + 1e-9):.0f}", display=False)
glue("n-leaders", str(min(10, matrix.n_models)), display=False)

# %% mystnb={"figure": {"caption": "The share of pairs of models that lie at most so far apart, read off at 2, 5 and 10 points; wider gaps than 20 points are cut off. Data: {glue:text}`data`; a sample of the pairs where there are more than 20,000.", "name": "fig-01-close"}, "image": {"alt": "A rising curve: gap in points on the horizontal axis, share of pairs with at most this gap on the vertical axis, marked at 2, 5 and 10 points."}} tags=["hide-input"]
figure = mbnb.draw_gap_shares(
    pairs["gap"].to_numpy(), {"2 points": 2.0, "5 points": 5.0, "10 points": 10.0}
)
figure.axes[0].set_xlim(0, 20)
plt.close(figure)
figure

# %% [markdown]
# {numref}`fig-01-close` counts them: {glue:text}`within-2` % of the pairs lie within 2 points, {glue:text}`within-5` % within 5 and {glue:text}`within-10` % within 10.
# These are all the pairs, the best model against the worst included.
# The comparisons that people make are closer than that: among the {glue:text}`n-leaders` best models {glue:text}`leaders-2` % of the pairs lie within 2 points.
# A developer who compares checkpoints, or models of one size, lives at the left edge of this figure; [](./12_case_study_8b) takes such a group.
#
# What would change our mind: a benchmark on which close models differ on few items.
# There $r$ is small, the noise is small, and a few items would do.

# %% [markdown]
# ## Take-aways
#
# - A leaderboard is a response matrix; accuracy is a mean over its rows and hides where two models differ.
# - Settle missing answers by a policy with a name, and drop exact copies, before you rank.
# - Models at most {glue:text}`limit` points apart differ on {glue:text}`near-rate` % of the items in the median.
# - The noise of a comparison on $k$ items is about $100\sqrt{r/k}$ points: {glue:text}`at-smallest` points at {glue:text}`smallest` items.
# - {glue:text}`within-2` % of all pairs, and {glue:text}`leaders-2` % of those among the best {glue:text}`n-leaders`, lie within 2 points.
#
# ## Re-run this chapter
#
# With other sizes, or on your own data and on real ones:
#
# ```bash
# mbnb run 01 -p 'sizes=[10,50]'
# MBNB_DATA=path/to/data mbnb run 01 -p dataset=bigcodebench
# ```

# %% tags=["hide-input"]
mbnb.footer(matrix, p.seed)
