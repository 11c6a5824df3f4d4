# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Strata of confidence
#
# **Drawing evenly from layers of equally hard items detects a gap of 12 to 15 points with 10 items, 2 to 6 points less than uniform sampling needs on the same eight real leaderboards; from 250 items on the two are within a point of each other.**
#
# *You will learn* how {term}`strata` are cut, filled and weighted so that nothing is biased, and why what helps one score need not help a comparison of two.
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
from sklearn.cluster import KMeans

import mbnb
from mbnb.plots import draw_real

study = mbnb.open_study(globals())
study

# %% [markdown]
# ## The idea
#
# Some items are easy for everyone, some hard for everyone.
# A blind draw of ten may hold too many of either, and then every score on it is off.
# So make the draw even {cite:p}`fogliato2024framework`.
#
# For each item of the {term}`train half`, take the mean {term}`confidence` of the {term}`source models`: near 1 where they are sure of the right answer, near 0 where they are sure of a wrong one.
# Where a leaderboard has no confidences, as seven of the eight real ones, the scores stand in.
# Cut the items into ten layers of similar means, give each layer a quota in proportion to its items, and draw uniformly within it.
# An item of layer $h$, which holds $N_h$ of the $N$ items and gives $n_h$, has the {term}`weight` $N_h / (N n_h)$.

# %%
train, targets = study.train, study.targets
size = max(k for k in study.sizes if k <= 100 or k == study.sizes[0])
means = np.round(train.evidence.mean(axis=0, dtype=float), 12)

distinct = np.unique(means)
middles = (np.arange(10) + 0.5) / 10  # each layer starts at a quantile of the means
starts = distinct[(middles * distinct.size).astype(int)]
layer = KMeans(10, init=starts[:, None], n_init=1).fit_predict(means[:, None])
layer = np.argsort(np.argsort([means[layer == h].mean() for h in range(10)]))[layer]  # by mean

members = np.bincount(layer)
quotas, remainders = np.divmod(members * size, members.sum())
quotas[np.argsort(-remainders, kind="stable")[: size - quotas.sum()]] += 1  # largest remainders
rng = np.random.default_rng(0)
draws = [rng.choice(np.flatnonzero(layer == h), quotas[h], replace=False) for h in range(10)]

# %% [markdown]
# From the same generator `mbnb` draws the same items.
# At small sizes a layer may get no place at all; there `mbnb` merges it with its neighbour, so that every item is stood for by a chosen one.

# %%
fitted = mbnb.make_selector("confidence").fit(train)
selection = fitted.select(size, np.random.default_rng(0))
if quotas.min() > 0:
    items = np.concatenate(draws)
    weights = np.repeat(members / (train.n_items * quotas), quotas)
    assert np.array_equal(selection.items, np.sort(items))
    assert np.allclose(selection.weights, weights[np.argsort(items)])

# %% [markdown]
# Within a layer every item has the same chance, so the weighted mean is unbiased, however badly the layers were cut.
#
# ## What it picks
#
# {numref}`fig-04-strata` shows the layers and their quotas.

# %% mystnb={"figure": {"caption": "Ten layers on the histogram of the mean source confidence of the items, in two shades by turns. Above each stands how many items a selection takes from it. Data: {glue:text}`data-one`.", "name": "fig-04-strata"}, "image": {"alt": "A histogram of the items by mean confidence, cut into adjacent layers in alternating shades, each with the number of items that it gives to the selection."}} tags=["remove-input"]
drawing, axes = plt.subplots(figsize=(5.4, 3.6), layout="constrained")
edges = np.linspace(means.min(), means.max(), 61)
shades = [mbnb.LOOKS["confidence"].color + ("f0", "80")[h % 2] for h in range(10)]
heights, _, _ = axes.hist(
    [means[layer == h] for h in range(10)], edges, color=shades, stacked=True, linewidth=0
)
top = np.max(heights)
strata = pd.DataFrame({"layer": range(1, 11), "items": members, "quota": quotas})
strata["centre"] = [means[layer == h].mean() for h in range(10)]
for h, row in strata.iterrows():
    place = (row["centre"], (1.04, 1.12)[h % 2] * top)
    axes.annotate(f"{row['quota']:.0f}", place, ha="center", fontsize=10)
axes.set(xlabel="Mean confidence of the source models", ylabel="Items", ylim=(0, 1.22 * top))
mbnb.figure(drawing, strata)

# %% [markdown]
# ## One score, and two
#
# What do layers save?
# With quotas in proportion, it is the share of the variance over items that lies *between* the layers {cite:p}`cochran1977sampling`.
# Only what items of one layer differ in among themselves is left to chance.
#
# For the score of one model the layers are made for the job: an item that most sources get right is one that your model mostly gets right too.
# Now take the difference of two models on each item: 1 where only the first is right, −1 where only the second is, else 0.
# On easy items both are right and it is 0; on hard items both are wrong and it is 0 again.
# What the layers explain in one model they explain in the other, and it cancels ({numref}`fig-04-between`).


# %%
def share_between(values: np.ndarray, layers: np.ndarray) -> np.ndarray:
    """Per cent of each row's variance that lies between the layers of its columns."""
    counts = np.bincount(layers)
    means = np.array([values[:, layers == h].mean(axis=1) for h in range(counts.size)])
    between = (counts[:, None] * (means - values.mean(axis=1)) ** 2).sum(axis=0)
    return 100 * between / np.maximum(values.var(axis=1) * counts.sum(), 1e-12)


scores = targets.scores.astype(np.float32)
first, second = np.triu_indices(len(scores), 1)
differences = scores[first] - scores[second]
for_scores = share_between(scores, layer)
for_pairs = share_between(differences, layer)

# %% mystnb={"figure": {"caption": "How much of the variance over items lies between the layers, for scores of single target models and for differences of pairs; lines mark the medians. Layers save this share of the noise, and no more. Data: {glue:text}`data-one`.", "name": "fig-04-between"}, "image": {"alt": "Two histograms on one axis of per cent: shares for single models lie far to the right, those for differences of pairs near zero."}}
drawing, panels = plt.subplots(2, 1, figsize=(5.4, 3.8), sharex=True, layout="constrained")
kinds = {"Scores of single models": for_scores, "Differences of two models": for_pairs}
for axes, (title, values) in zip(panels, kinds.items(), strict=True):
    axes.hist(values, np.arange(0, 101, 1), color=mbnb.LOOKS["confidence"].color, linewidth=0)
    axes.axvline(np.median(values), color=mbnb.INK, linewidth=1.5)
    axes.set_title(f"{title}: median {np.median(values):.0f} %", loc="left")
panels[0].set(ylabel="Models", xlim=(0, 1.1 * for_scores.max()))
panels[1].set(xlabel="Variance between layers (per cent)", ylabel="Pairs")
spread = pd.concat(pd.DataFrame({"of": name, "share": values}) for name, values in kinds.items())
mbnb.figure(drawing, spread)

# %% tags=["remove-cell"]
single, double = np.median(for_scores), np.median(for_pairs)
study.glue(
    for_scores=f"{single:.0f} %",
    for_pairs=f"{double:.0f} %",
    less=f"{100 * (1 - np.sqrt(1 - single / 100)):.0f} %",
)

# %% [markdown]
# An error goes with the square root of a variance.
# Taking {glue:text}`for-scores` of the variance out of a score makes its error about {glue:text}`less` smaller than that of uniform sampling, at any {term}`size`.
# For the order of two models the layers are worth about {glue:text}`for-pairs` more items.
#
# ## How it does
#
# The lead in {term}`MDAD` on eight real leaderboards, in points:

# %%
real = mbnb.real_leaderboards()
mdads = real.pivot(index=["selector", "dataset"], columns="size", values="mdad")
lead = mdads.loc["uniform"] - mdads.loc["confidence"]
mbnb.show(lead, "Points by which the MDAD of confidence strata is below that of uniform sampling.")

# %% mystnb={"figure": {"caption": "MDAD with 95 % intervals of confidence strata and of uniform sampling. A leaderboard without a point has too few items for the size. Data: eight real leaderboards (data/measured).", "name": "fig-04-real"}, "image": {"alt": "Four panels, for 10, 25, 100 and 250 items: at 10 items the blue markers lie left of the grey ones on all eight leaderboards; at 100 and 250 items they lie close together."}}
draw_real(real, "confidence")

# %% tags=["claims", "remove-cell"]
own = mdads.loc["confidence"]
assert (own[10].min(), own[10].max()) == (12, 15), "with 10 items 12 to 15 points"
assert (lead[10].min(), lead[10].max()) == (2, 6), "with 10 items 2 to 6 points less"
assert lead[[200, 250, 500, 1000]].abs().max().max() <= 1, "from 250 on within a point"
error = real.pivot(index=["selector", "dataset"], columns="size", values="error")
ratio = error.loc["confidence"] / error.loc["uniform"]
assert ratio.max().max() < 1, "the error is smaller everywhere"
assert (round(ratio[100].min(), 2), round(ratio[100].max(), 2)) == (0.68, 0.91), "at 100 items"
if study.is_default:
    assert single > 4 * double, "layers explain far more of a score than of a difference"

# %% [markdown]
# The estimate of a score is better at every size on every one of them: at 100 items its error is 0.68 to 0.91 times that of uniform sampling.
# The lead in ranking is largest at 10 items, where layers explain too little of a difference to account for it.
# The weights do the rest: estimates with unequal weights {term}`tie` far less often than counts of right answers, and a tie is wrong ([](./02_uniform)).
#
# On the simulated leaderboard, which you can re-run ({numref}`fig-04-mdad`):

# %%
trials = study.run(["uniform", "confidence"])
counts = mbnb.agreement(trials, reading=study.reading)
table = study.mdad(counts)

# %% mystnb={"figure": {"caption": "MDAD of confidence strata and of uniform sampling by size, with 95 % intervals. Data: {glue:text}`data`.", "name": "fig-04-mdad"}, "image": {"alt": "MDAD in points against size: two falling lines with intervals; that of confidence strata begins lower and the two meet at larger sizes."}}
mbnb.draw_mdad(table)

# %% [markdown]
# ## When to use it
#
# Use confidence strata when you want the score itself, and have source models whose difficulties carry over to the models you test.
# If these do not carry over, the layers become random groups: you lose the gain and little else, since the estimate stays unbiased.
# That makes it the safest of the selectors that ask models.
# For a ranking of close models, layers of difficulty are the wrong layers; {numref}`fig-04-between` would have to show as much for pairs as for scores to change that.
#
# ## Take-aways
#
# - Layers of difficulty explain much of a score and little of a difference: difficulty is common to all models, and a ranking lives on what is not.
# - Quotas in proportion, weighted by layer, leave the estimate unbiased.
# - On real leaderboards 10 items detect gaps of 12 to 15 points; from 250 items on it makes hardly any difference to a ranking.
#
# ## Exercises
#
# ```{admonition} Exercise 1: the same number from every layer
# :class: exercise
#
# Somebody finds weights a nuisance, takes equally many items from each of the ten layers, and reports the plain mean.
# Which number does that mean estimate, and how far is it from the accuracy of a typical target model?
# Does it also spoil the ranking?
# ```

# %% tags=["hide-cell", "solution"]
by_layer = np.array([scores[:, layer == h].mean(axis=1) for h in range(10)])
shift = 100 * (by_layer.mean(axis=0) - scores.mean(axis=1))
print(f"it estimates the mean of the layers' means, {np.abs(shift).mean():.1f} points off")
print(f"shared by all models, harmless for ranking: {shift.mean():+.1f} points")
print(f"standard deviation over models, harmful: {shift.std():.1f} points")

# %% [markdown]
# ```{admonition} Exercise 2: are ten layers enough?
# :class: exercise
#
# Cut the items into 2, 5, 10, 20, 50 and 100 layers of equally many items by mean confidence.
# How much of the variance of a score, and of a difference, lies between them?
# Layers that are drawn blindly “explain” something too: how much, and what is left when you take it off?
# ```

# %% tags=["hide-cell", "solution"]
rank = np.argsort(np.argsort(means, kind="stable"))
rows = {}
for n in (2, 5, 10, 20, 50, 100):
    blind = 100 * (n - 1) / (train.n_items - 1)
    cut = rank * n // train.n_items
    told = [np.median(share_between(values, cut)) - blind for values in (scores, differences)]
    rows[n] = [*told, blind]
frame = pd.DataFrame(rows, index=["score", "difference", "blind layers"]).T
mbnb.show(frame, "Per cent of the variance between layers, less what blind layers explain.")

# %% [markdown]
# ```{admonition} Exercise 3: old models choose for new ones
# :class: exercise
#
# Benchmarks are cut down with the models of last year and used on those of this year.
# Let the weakest third of the sources cut the layers, and judge the strongest third of the targets.
# How much of their variance do the layers still explain, compared with layers that the strongest third of the sources cut?
# ```

# %% tags=["hide-cell", "solution"]
by_strength = np.argsort(train.accuracies(), kind="stable")
third = max(train.n_models // 3, 1)
newest = scores[np.argsort(targets.accuracies(), kind="stable")[-max(len(scores) // 3, 1) :]]
for name, group in (("weakest", by_strength[:third]), ("strongest", by_strength[-third:])):
    order = np.argsort(np.argsort(train.evidence[group].mean(axis=0), kind="stable"))
    share = np.median(share_between(newest, order * 10 // train.n_items))
    print(f"layers cut by the {name} third explain {share:.0f} % of a strong target's score")

# %% [markdown]
# Re-run with other parameters: `mbnb run 04 -p n_trials=10 -p 'sizes=[10,50]'`, or on your data with `-p dataset=./my-benchmark`.

# %% tags=["remove-input"]
study.footer()
