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
# **Reading time** 14 minutes, and half an hour for the exercises.
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
from IPython.display import display
from myst_nb import glue
from scipy.stats import kendalltau

import mbnb

p = mbnb.parameters(globals())
p

# %% tags=["hide-input"]
study = mbnb.open_study(p)

# %% [markdown]
# ## One row a model, one column an item
#
# You look at a leaderboard and see one number a {term}`model`.
# Behind it lies a table: one row for each model, one column for each {term}`item`, and in each cell the {term}`score` of one answer.
# This book never needs more than that table.
# Here is its upper left corner.

# %%
raw = mbnb.load(p.dataset)
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
#
# The next cell settles both in the open; `open_study`, with which every chapter begins, does the same without a word unless something was lost.

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
# If a model simply got right every item up to its own level, you would see a clean edge from the upper right to the lower left: all dark on one side, all light on the other.
# There is a drift from dark to light, but no edge.
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
glue("alike", mbnb.percent(np.mean((wrong < 5) | (wrong > 95))), display=False)
glue("step", f"{np.median(-np.diff(points)):.2f}", display=False)
glue("one-item", f"{100 / matrix.n_items:.3f}", display=False)

# %% [markdown]
# Accuracies run from {glue:text}`lowest` to {glue:text}`highest` {term}`points`, and half of the models lie below {glue:text}`middle` ({numref}`fig-01-spread`).
# From one rank to the next there are {glue:text}`step` points in the median, where one item is worth {glue:text}`one-item`.
# Items are not alike either: {glue:text}`alike` of them are answered alike by more than 95 % of the models.
# Such an item costs as much as any other and tells almost no two models apart, which is why choosing items by how models answer them is worth a try.

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
counts = np.array([*study.sizes, matrix.n_items])
same_items = 10 * np.sqrt(rate / counts)
level = np.median(accuracies)
other_items = 100 * np.sqrt(2 * level * (1 - level) / counts)
noise = pd.DataFrame(
    {"same items": same_items, "other items": other_items},
    index=pd.Index([f"{k:,}" for k in study.sizes] + [f"all {matrix.n_items:,}"], name="items"),
)
mbnb.show(noise.round(1))

# %% tags=["hide-input"]
above = [f"{size:,}" for size in p.sizes if size not in study.sizes]
left_out = (
    f"Not shown, since half the items are fewer: {mbnb.listed(above)} items." if above else ""
)
side = (
    "Both models facing the same items helps, because they err alike on many of them."
    if rate < 200 * level * (1 - level)
    else "Facing the same items does not help here, because these models do not err alike."
)
glue("at-smallest", f"{same_items[0]:.1f}", display=False)
glue("at-all", f"{same_items[-1]:.1f}", display=False)
glue("smallest", f"{counts[0]:,}", display=False)
glue("four-of-five", f"{0.84 * same_items[0]:.1f}", display=False)
mbnb.say(side, left_out)

# %% [markdown]
# With {glue:text}`smallest` items the noise is {glue:text}`at-smallest` points, so a gap of 2 points drowns in it.
# To put two models in order four times out of five, the gap has to be about 0.84 standard errors, since a standard normal variable stays above −0.84 with a probability of 0.8.
# At {glue:text}`smallest` items that is {glue:text}`four-of-five` points.
# The whole benchmark has a noise of its own, {glue:text}`at-all` points: its items are a sample too, of all the items that could have been asked {cite:p}`miller2024error`.
# A gap below that is small even for the full benchmark, and to ask a {term}`micro-benchmark` for it is to ask for the order of two models that nobody knows.
# Exercise 5 asks how many ranks that leaves.
#
# All this hangs on the disagreement rate, so a simulated leaderboard is of use here only if its models disagree as real ones do.

# %% tags=["hide-input"]
met = mbnb.beside_real("uniform", 100)
mbnb.say(
    f"They do: on {met.n} real leaderboards, random samples of 100 items were measured to order "
    "pairs rightly four times out of five from a gap of "
    f"{met.span}, and on the simulated MMLU-Pro from {mbnb.in_points(met.simulated)}."
    if met.real.min() - 0.5 <= met.simulated <= met.real.max() + 0.5
    else f"They do not quite: on {met.n} real leaderboards, random samples of 100 items were "
    f"measured to order pairs rightly four times out of five from a gap of {met.span}, and on the "
    f"simulated MMLU-Pro from {mbnb.in_points(met.simulated)}.",
)

# %% [markdown]
# [](./20_trust_in_the_simulation) compares the rates themselves.
#
# ## How many pairs are close
#
# A small gap would be no concern if few pairs had one.

# %% tags=["remove-cell"]
# Thousands of steps would say no more and weigh more.
gaps = np.quantile(pairs["gap"], np.linspace(0, 1, 2001), method="inverted_cdf")
share = (gaps[:, None] <= np.array([2, 5, 10]) + 1e-9).mean(axis=0)
glue("within-2", f"{100 * share[0]:.0f}", display=False)
glue("within-5", f"{100 * share[1]:.0f}", display=False)
glue("within-10", f"{100 * share[2]:.0f}", display=False)
leaders = mbnb.pair_gaps(np.sort(accuracies)[-10:])
glue("leaders-2", f"{100 * np.mean(leaders <= 2 + 1e-9):.0f}", display=False)
glue("n-leaders", str(min(10, matrix.n_models)), display=False)

# %% mystnb={"figure": {"caption": "The share of pairs of models that lie at most so far apart, read off at 2, 5 and 10 points; wider gaps than 20 points are cut off. Data: {glue:text}`data`; a sample of the pairs where there are more than 20,000.", "name": "fig-01-close"}, "image": {"alt": "A rising curve: gap in points on the horizontal axis, share of pairs with at most this gap on the vertical axis, marked at 2, 5 and 10 points."}} tags=["hide-input"]
figure = mbnb.draw_gap_shares(gaps, {"2 points": 2.0, "5 points": 5.0, "10 points": 10.0})
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
# ## Exercises
#
# ```{admonition} Exercise 1: what two accuracies tell
# :class: exercise
#
# Two models have accuracies $a$ and $b$, and every score is 0 or 1.
# Between which limits must their disagreement rate lie, whatever the items are?
# What would the rate be if the two erred independently of one another?
# Where between these does the pair of the section “Two models” lie?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
a, b = better.mean(), worse.mean()
least, most, strangers = a - b, min(a + b, 2 - a - b), a + b - 2 * a * b
mbnb.say(
    "The rate is least where the worse model is right only where the better one is, a − b, and "
    "most where they are right on different items as far as there are enough, the smaller of "
    "a + b and 2 − a − b.",
    f"For this pair the limits are {100 * least:.1f} and {100 * most:.1f} %; two models of these "
    f"accuracies that knew nothing of one another would differ on {100 * strangers:.1f} %.",
    f"The pair differs on {pair['disagreement']:.1f} %, so it errs "
    f"{'more' if pair['disagreement'] < 100 * strangers else 'no more'} alike than by chance.",
)

# %% [markdown]
# ```{admonition} Exercise 2: a model that gives no answer
# :class: exercise
#
# A model of middling accuracy runs out of time on the hardest twentieth of the items, those that most models get wrong, and has no score there.
# Somebody takes the mean over the items that it did answer.
# By how many points does its accuracy rise, and how many ranks does it climb?
# What does the policy `wrong` make of it?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
middle = np.argsort(accuracies, kind="stable")[matrix.n_models // 2]
answered = np.argsort(wrong, kind="stable")[: int(0.95 * matrix.n_items)]
right = matrix.scores[middle, answered].sum(dtype=np.float64)
outcomes = {"mean over the answered": right / answered.size, "wrong": right / matrix.n_items}
climbed = {
    name: int((accuracies > accuracies[middle]).sum() - (accuracies > value).sum())
    for name, value in outcomes.items()
}
mbnb.say(
    f"*{matrix.model_ids[middle]}* has {100 * accuracies[middle]:.1f} points.",
    f"Over the {answered.size:,} items that it answered it has "
    f"{100 * outcomes['mean over the answered']:.1f} points and stands "
    f"{mbnb.counted(climbed['mean over the answered'], 'rank')} higher, for having failed.",
    f"With its silence counted as wrong it has {100 * outcomes['wrong']:.1f} points and falls by "
    f"{mbnb.counted(-climbed['wrong'], 'rank')}, since it would have got few of the hardest items right: "
    f"{100 * (accuracies[middle] - outcomes['wrong']) * matrix.n_items / (matrix.n_items - answered.size):.0f} % of them.",
)

# %% [markdown]
# ```{admonition} Exercise 3: neighbours at the top
# :class: exercise
#
# Take the ten best models, and of each and the next in rank the gap and the disagreement rate.
# How many items, drawn at random, would put a typical couple of neighbours in the right order four times out of five?
# Compare the number with the items that there are.
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
top = np.argsort(-accuracies, kind="stable")[:10]
steps = accuracies[top[:-1]] - accuracies[top[1:]]
differ = mbnb.disagreement(matrix, top[:-1], top[1:])
step, differing = np.median(steps), np.median(differ)
needed = differing * (0.84 / step) ** 2 if step > 0 else np.inf
mbnb.say(
    f"Neighbours among the {top.size} best are {100 * step:.2f} points apart in the median and "
    f"differ on {100 * differing:.1f} % of the items.",
    f"A gap of 0.84 standard errors means k = r (0.84 / d)², here {needed:,.0f} items, where the "
    f"whole benchmark has {matrix.n_items:,}."
    if np.isfinite(needed)
    else "The typical step is a tie, and no number of items orders a tie.",
    "So the benchmark itself is too short to order them, if its items count as a sample of what "
    "could have been asked."
    if needed > matrix.n_items
    else "So the benchmark is long enough for its typical neighbours, and a micro-benchmark of "
    f"less than {100 * needed / matrix.n_items:.0f} % of it is not.",
)

# %% [markdown]
# ```{admonition} Exercise 4: items that tell nobody apart
# :class: exercise
#
# An item that a share $q$ of the models gets right tells apart $2q(1-q)$ of the pairs.
# Keep the half of the items that tell the most pairs apart, then a tenth, then a hundredth.
# How closely does the ranking on what is kept follow that on all items, by {term}`Kendall’s tau <tau>`?
# Compare it with the ranking on as many random items.
# When does choosing pay, and what would you want to know before you publish the shorter benchmark?
# ([](./02_splits) and [](./13_parity_at_250) take it up from there.)
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
telling = np.argsort(-(wrong * (100 - wrong)), kind="stable")
rng = np.random.default_rng([p.seed, 1])
rows = {}
for share in (2, 10, 100):
    size = max(2, matrix.n_items // share)
    drawn = [rng.choice(matrix.n_items, size, replace=False) for _ in range(20)]
    means = [matrix.scores[:, items].mean(axis=1) for items in (telling[:size], *drawn)]
    tau, *by_chance = (kendalltau(accuracies, mean).statistic for mean in means)
    rows[f"{size:,}"] = tau, np.nanmean(by_chance), np.nanmin(by_chance), np.nanmax(by_chance)
names = ["most telling", "random, mean of 20", "worst of 20", "best of 20"]
taus = pd.DataFrame.from_dict(rows, orient="index", columns=names)
display(mbnb.show(taus.rename_axis("items kept").map("{:.3f}".format)))
better_than_chance = taus["most telling"] > taus["best of 20"]
pays, not_there = (list(taus.index[holds]) for holds in (better_than_chance, ~better_than_chance))
mbnb.say(
    f"The telling items rank better than each of 20 random draws at {mbnb.listed(pays)} items."
    if pays
    else "At none of these sizes do the telling items rank better than each of 20 random draws.",
    f"They do not at {mbnb.listed(not_there)}." if pays and not_there else "",
    "What is left out, the easiest and the hardest items, belongs to the score too: where luck is "
    "small, that costs more than the choice gains.",
    "The same models chose the items and were ranked by them, which flatters the choice.",
)

# %% [markdown]
# ```{admonition} Exercise 5: how many ranks are there?
# :class: exercise
#
# Say that two models are *told apart* by the benchmark if their gap is more than two standard errors of the difference, $2\sqrt{(r-d^2)/N}$ for all $N$ items.
# Start with the best model; go down to the first that is told from it, from there to the first that is told from this one, and so on.
# How many levels has the leaderboard, and how many models share the first?
# What would you print in place of ranks?
# ([](./17_top_of_the_ranking) asks the same of micro-benchmarks.)
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
heads, shared = [], []
rest = np.argsort(-accuracies, kind="stable")
while rest.size:
    behind = accuracies[rest[0]] - accuracies[rest]
    rates = mbnb.disagreement(matrix, np.full(rest.size, rest[0]), rest)
    apart = behind > 2 * np.sqrt(np.maximum(rates - behind**2, 0) / matrix.n_items)
    width = int(apart.argmax()) if apart.any() else rest.size
    heads.append(rest[0])
    shared.append(width)
    rest = rest[width:]
mbnb.say(
    f"The {matrix.n_models:,} models stand on {len(heads)} levels, and the first holds "
    f"{shared[0]} of them; the fullest holds {max(shared)}.",
    "A level, or for each model the best and the worst rank that cannot be ruled out, says what "
    "is known; a rank says more than that.",
)

# %% [markdown]
# ## Re-run this chapter
#
# With other sizes, or on your own data and on real ones:
#
# ```bash
# mbnb run 01 -p 'sizes=[10,50]'
# MBNB_DATA=path/to/data mbnb run 01 -p dataset=bigcodebench
# ```

# %% tags=["hide-input"]
study.footer()
