# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Items for close pairs
#
# **Items chosen for the differences of close {term}`source models` and estimated with a corrected mean detect 4.5 to 11 points with 10 items, 3 to 6.5 with 25 and 2 to 3.5 with 100 on eight real leaderboards, and of 29 combinations of selector and estimator they lie nearest to the best on average: 0.27 points from it.**
#
# *You will learn* what close pairs depend on, as one formula, how to choose items by it, why a free choice overfits its sources and what holds it back, and how every method of this book compares.
# *Time*: 13 minutes to read, two minutes to run.

# %% tags=["parameters"]
dataset: str = "simulated:mmlu-pro"
missing: str = "drop-items"
n_trials: int = 15
sizes: list = [10, 25, 50, 100, 250]
n_source: int = None
n_target: int = None
threshold: float = 0.8
seed: int = 0

# %%
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import mbnb

study = mbnb.open_study(globals(), n_trials=15, sizes=[10, 25, 50, 100, 250])
study

# %% [markdown]
# ## What a close pair depends on
#
# The study's selectors choose items that *represent* the benchmark: its subtasks, its difficulties, its clusters.
# None of them knows what the items are for.
# You want two models whose accuracies lie close together in the right order.
#
# Two models are ordered by the *difference* of their answers and by nothing else: what both solve and what neither solves cancels.
# The {term}`gap` is the mean of that difference over all items.
# So ask: knowing the difference on a few items $S$, how uncertain is its mean over all of them?
#
# The sources say what such differences look like.
# Weigh each pair of sources by how close it is, $w_{ij}\propto\exp\bigl(-\tfrac12(\text{gap}_{ij}/h)^2\bigr)$ with $h = 12$ points; the weighted mean product of differences on two items fills a matrix
#
# $$\Sigma=\sum_{i<j}w_{ij}\,(x_i-x_j)(x_i-x_j)^{\mathsf T}.$$
#
# With all pairs alike it would be the ordinary covariance, which is full of pairs thirty points apart that any items order.
# Treat differences as Gaussian with covariance $\Sigma + \sigma^2 I$, where $\sigma^2$ is what each item has of its own.
# Then the variance of the mean difference that is left is
#
# $$\operatorname{Var}(m)-c_S^{\mathsf T}\,(\Sigma_{SS}+\sigma^2I)^{-1}c_S,\qquad c_j=\operatorname{Cov}(m,x_j).$$
#
# **Choose $S$ so that this is smallest**, one item after another.
# The objective is an old friend: predicting a mean from a few observations is kriging, and choosing observations so that one linear function is known best is a design problem of 1952 {cite:p}`elfving1952optimum,chaloner1995bayesian`; greedy choice comes within a constant factor of the best {cite:p}`das2018approximate`.
# Selecting items as features of a regression is what Bowyer, Locatelli and Cao do with mutual information {cite:p}`bowyer2026efficient`; weighing *differences of close pairs* is what is new here.

# %%
train = study.train
X, accuracy = train.scores.astype(float), train.accuracies()
gaps = 100 * np.abs(accuracy[:, None] - accuracy[None])
w = np.exp(-0.5 * (gaps / 12) ** 2)
np.fill_diagonal(w, 0)
laplacian = (np.diag(w.sum(1)) - w) * 2 / w.sum()

products = X.T @ (laplacian @ X)  # Σ: differences of close pairs, items × items
noise = np.diag(products).mean()
with_mean = products.mean(axis=0) + noise / train.n_items
variance = np.diag(products) + noise
covariance, chosen = products + noise * np.eye(train.n_items), []
for _ in range(10):
    best = int(np.argmax(with_mean**2 / variance * ~np.isin(np.arange(train.n_items), chosen)))
    chosen.append(best)
    column = covariance[best] / np.sqrt(variance[best])
    with_mean = with_mean - column * with_mean[best] / np.sqrt(variance[best])
    variance = np.maximum(variance - column**2, 1e-9)
    covariance = covariance - np.outer(column, column)

# %% [markdown]
# `mbnb` never writes $\Sigma$ down, which has a number for each pair of items, but works on its root; a larger choice goes on from a smaller one.
# A free choice of ten items is the same:

# %%
free = mbnb.ClosePairsSelector(pools=(None,)).fit(train)
same = free.select(10, np.random.default_rng(0)).items
print(f"{len(set(same) & set(chosen))} of 10 items are the same")

# %% tags=["claims", "remove-cell"]
if study.is_default:
    assert set(same) == set(chosen), "the visible loop chooses the items that mbnb chooses"

# %% [markdown]
# ## A choice that overfits its sources
#
# From thousands of items a greedy search finds those that fit *these* models, by luck as well as by merit, and the fewer the models, the more by luck.
# No penalty in the estimator repairs it, since the items are paid for by then {cite:p}`cawley2010overfitting`.
#
# So `close-pairs` trusts its choice only as far as left-out sources bear it out.
# It draws $c \cdot k$ items at random and chooses the $k$ among *them*: with $c = 1$ the draw is uniform, with all items the choice is free.
# The sources are dealt into five folds; without each fold in turn items are chosen for every $c$, `corrected-mean` learns, and the differences of the fold's close pairs are estimated.
# The $c$ with the least squared error wins, for each size anew {cite:p}`stone1974crossvalidatory`.

# %%
pools = {"1 (random)": 1, "2": 2, "4": 4, "16": 16, "all (free)": None}
fixed = {name: study.run([mbnb.ClosePairsSelector(pools=(c,))]) for name, c in pools.items()}
guarded = study.run("close-pairs")
reading = mbnb.Reading(rule="interpolated", threshold=study.p.threshold)
by_pool = pd.DataFrame(
    {
        name: mbnb.mdad(mbnb.agreement(trials), reading).set_index("size")["mdad"]
        for name, trials in {**fixed, "close-pairs": guarded}.items()
    }
)
mbnb.show(by_pool, "MDAD in points by c, and with c chosen by left-out sources, this run.")

# %% [markdown]
# What the safeguard costs and saves on real leaderboards is its difference to a free choice, and the bandwidth $h$ was chosen there too:

# %%
kept = mbnb.measured("better-estimators").query("estimator == 'corrected-mean'")
ablation = pd.concat([kept.query("selector == 'close-pairs'"), mbnb.measured("better-ablation")])
variants = ablation.pivot_table(index="dataset", columns="selector", values="mdad")
sources = kept.groupby("dataset")["n_source"].first()
shown = variants.assign(sources=sources).sort_values("sources")
shown.columns = ["close-pairs", "free", "free, h = 3", "free, h = 6", "free, all alike", "sources"]
mbnb.show(shown, "Mean MDAD in points over sizes and halves, eight real leaderboards.")

# %% tags=["claims", "remove-cell"]
means = variants.mean()
free_mean = means["close-pairs, free"]
assert free_mean == means.drop("close-pairs").min(), "12 points is the best bandwidth of four"
price = variants["close-pairs"] - variants["close-pairs, free"]
assert 0 < price.mean() < 0.05, "the safeguard costs next to nothing on average"
assert round(price["rewardbench"], 2) == -0.5 and round(price.max(), 2) == 0.3, (
    "and saves or costs up to"
)

# %% [markdown]
# On these leaderboards, which have 31 to 300 sources, the safeguard costs next to nothing on average: up to 0.3 points where it is too cautious, and it saves half a point on `rewardbench`.
# Of four bandwidths 12 points has the lowest mean.

# %% mystnb={"figure": {"caption": "By how many points close pairs with the corrected mean detect a smaller gap at 25 items than random items, by the number of source models: with the plain mean (left) and with the corrected mean of the random items (right). A line for each of eight real leaderboards (data/measured, 30 trials).", "name": "fig-14-sources"}, "image": {"alt": "Two panels of lines over 10 to 300 sources. On the left all lie between one and eight points above zero. On the right most lie between zero and five points, one of them two points below zero at ten sources."}} tags=["remove-input"]
lots = mbnb.measured("better-sources").query("half == 'train' and size == 25")
wide = lots.assign(way=lots["selector"] + ", " + lots["estimator"]).pivot_table(
    index=["dataset", "n_source"], columns="way", values="mdad"
)
gain = pd.DataFrame(
    {
        "over random, plain mean": wide["uniform, weighted-mean"]
        - wide["close-pairs, corrected-mean"],
        "over random, corrected mean": wide["uniform, corrected-mean"]
        - wide["close-pairs, corrected-mean"],
    }
)
drawing, panels = plt.subplots(1, 2, figsize=(5.4, 3.2), sharey=True, layout="constrained")
for axes, name in zip(panels, gain.columns, strict=True):
    for _, own in gain[name].groupby(level="dataset"):
        x = own.index.get_level_values("n_source")
        axes.plot(x, own, marker="o", ms=4, color=mbnb.LOOKS["close-pairs"].color, alpha=0.6)
    axes.axhline(0, color=mbnb.INK, linewidth=0.8)
    axes.set(xscale="log", title=name, xlabel="Source models")
    axes.title.set_fontsize(10)
    axes.set_xticks([10, 30, 100, 300], ["10", "30", "100", "300"])
    axes.xaxis.set_minor_locator(plt.NullLocator())
panels[0].set_ylabel("Gain at 25 items (points)")
mbnb.figure(drawing, gain.reset_index())

# %% tags=["claims", "remove-cell"]
over_plain, over_corrected = gain.T.to_numpy()
n = gain.index.get_level_values("n_source")
assert (over_plain.min(), over_plain.max()) == (1.5, 8), "over the plain mean at 25 items"
assert over_corrected[n >= 30].min() >= 0.5, "from thirty sources on it always gains"
assert (over_corrected[n == 10] < 0).sum() == 1 and over_corrected.min() == -2, "ten sources"

# %% [markdown]
# From thirty sources on, close pairs gain on all eight leaderboards at 25 items over the *same* estimate of random items ({numref}`fig-14-sources`); with ten they gain on six, change nothing on one and lose 2 points on one (`rewardbench`).
# That is why this book advises them from thirty sources on.
#
# ## Every method against every other
#
# Now the whole field: seven selectors with up to five estimators, sizes 10 to 500, both halves, eight leaderboards.
# The *shortfall* is how far an MDAD lies above the smallest of all combinations at the same place; since each of the 29 has luck of its own, not even the best of them would lie at zero.

# %%
field = mbnb.measured("better-estimators").query("size <= 500").fillna({"mdad": np.inf})
place = ["dataset", "size", "half"]
field["shortfall"] = field["mdad"] - field.groupby(place)["mdad"].transform("min")
ranking = field.groupby(["selector", "estimator"])["shortfall"].agg(["mean", "max"])
within = field.assign(near=field["shortfall"] <= 0.5).groupby(["selector", "estimator"])["near"]
ranking["within half a point"] = within.mean().map(mbnb.percent)
ranking = ranking.sort_values("mean")
mbnb.show(
    ranking.iloc[[*range(8), *range(-6, 0)]].rename(index=mbnb.label),
    "Shortfall in points over 94 places: the best eight and the last six of 29 combinations.",
)

# %% tags=["claims", "remove-cell"]
mine = field[(field["selector"] == "close-pairs") & (field["estimator"] == "corrected-mean")]
assert len(ranking) == 29 and ranking.index[0] == ("close-pairs", "corrected-mean")
assert round(ranking["mean"].iloc[0], 2) == 0.27 and len(mine) == 94, "0.27 points from the best"
assert (mine["shortfall"] <= 0.5).sum() == 80 and (mine["shortfall"] <= 1).sum() == 89
others = ranking[ranking.index.get_level_values(0) != "close-pairs"]
assert others.index[0] == ("tinybenchmarks", "p-irt") and round(others["mean"].iloc[0], 2) == 1.2
of_board = mine.groupby("dataset")["shortfall"].max()
assert set(of_board.index[of_board > 1]) == {"mmlu-pro-47", "resampled-t07"}, "not met on two"
at_ten = field[(field["size"] == 10) & (field["half"] == "train")].set_index("dataset")
cp = at_ten[(at_ten["selector"] == "close-pairs") & (at_ten["estimator"] == "corrected-mean")][
    "mdad"
]
assert (cp.min(), cp.max()) == (4.5, 11), "10 items"

# %% [markdown]
# - **Close pairs with the corrected mean come first**: 0.27 points from the best on average, within half a point in 80 of 94 places and within one in 89.
#   Estimated by `ridge`, p-IRT or gp-IRT the same items are nearly as good (0.28 to 0.36); by their plain mean they are not (0.78).
# - **The next best with other items are tinyBenchmarks with p-IRT**, 1.2 points from the best.
# - **Where it fails**: on the two leaderboards with some thirty sources it is up to 2 and 2.5 points behind, mostly at 10 and 25 items; at 10 Anchor Points win on both, `mmlu-pro-47` (10.5 against 11 points) and, with confidences, which are not among the 29, `resampled-t07` (7 against 10).
# - **At 10 items** Anchor Points beat it on these two and on no other; random items with any estimator never do.

# %% mystnb={"figure": {"caption": "Shortfall to the best of 29 combinations by size, train half: a thin line for each of eight real leaderboards, a thick one for the mean. Lines that leave a panel go on above it (data/measured).", "name": "fig-14-shortfall"}, "image": {"alt": "Four panels of shortfall against size. Close pairs run along the bottom, Anchor Points and tinyBenchmarks lie one to two points above it, random items with the plain mean start eight points above and come down with size."}} tags=["remove-input"]
titles = {
    ("close-pairs", "corrected-mean"): "Close pairs, corrected mean",
    ("tinybenchmarks", "p-irt"): "tinyBenchmarks, p-IRT",
    ("anchor-points", "weighted-mean"): "Anchor Points, weighted mean",
    ("uniform", "weighted-mean"): "Random, plain mean",
}
own_half = field[(field["half"] == "train") & (field["size"] != 200)]
drawing, panels = plt.subplots(
    2, 2, figsize=(5.4, 4.8), sharex=True, sharey=True, layout="constrained"
)
for axes, (way, title) in zip(panels.flat, titles.items(), strict=True):
    rows = own_half[(own_half["selector"] == way[0]) & (own_half["estimator"] == way[1])]
    lines = rows.pivot(index="size", columns="dataset", values="shortfall")
    axes.plot(lines.index, lines, color="#a9b4bf", linewidth=0.9)
    axes.plot(lines.index, lines.mean(axis=1), color=mbnb.LOOKS[way[0]].color, linewidth=2.4)
    mbnb.size_axis(axes, [10, 25, 50, 100, 250, 500])
    axes.set(title=title, ylim=(-0.3, 9), xlabel="")
    axes.title.set_fontsize(10)
drawing.supxlabel("Size (items chosen)", fontsize="medium")
drawing.supylabel("Shortfall (points)", fontsize="medium")
mbnb.figure(drawing, own_half[["dataset", "size", "selector", "estimator", "shortfall"]])

# %% [markdown]
# ## When to use it
#
# Use it from thirty source models on, if these are like the models that you will test, with `corrected-mean`:
#
# ```bash
# mbnb select my-benchmark --selector close-pairs --size 50 --estimator corrected-mean --out micro.json
# ```
#
# Do not use it when the new models are better than every source: there its items mostly detect less than random ones, and up to 25 percentage points of agreement on close pairs may be lost ([](./12_new_items_new_models)).
# Keep the list of items to yourself as long as you can: few items are easily trained on.
# It costs a few seconds for a thousand items and some hundred sources ([](./C_costs)).
#
# ## Take-aways
#
# - Close pairs are ordered by differences; choose the items that leave the least doubt about their mean.
# - Left-out sources say how far to trust the choice; with thirty sources or more it gains on all eight leaderboards at 25 items.
# - It is the best of 29 combinations on average, and loses where some thirty sources choose ten items.
#
# ## Exercises
#
# ```{admonition} Exercise 1: how close is close?
# :class: exercise
#
# Set the bandwidth to 1, 12 and infinity points and choose freely.
# How many of 25 items do the choices share, and what goes wrong at either end?
# ```

# %% tags=["hide-cell", "solution"]
picks = {}
for h in (1, 12, np.inf):
    selector = mbnb.ClosePairsSelector(bandwidth=h, pools=(None,)).fit(train)
    picks[h] = set(selector.select(25, np.random.default_rng(0)).items)
print({(a, b): len(picks[a] & picks[b]) for a in picks for b in picks if a < b})
print("too narrow: models equal in accuracy differ by luck; too wide: far pairs decide")

# %% [markdown]
# ```{admonition} Exercise 2: which items?
# :class: exercise
#
# Compare the accuracy of the sources on the items chosen by close pairs and on random ones.
# Why are items that nearly all sources solve, or nearly none, not chosen?
# ```

# %% tags=["hide-cell", "solution"]
solved = X.mean(axis=0)
picked = free.select(50, np.random.default_rng(0)).items
print("chosen:", np.quantile(solved[picked], [0.1, 0.5, 0.9]).round(2))
print("all:   ", np.quantile(solved, [0.1, 0.5, 0.9]).round(2))
print("an item that all solve, or none, has no differences")

# %% [markdown]
# Re-run with other parameters: `mbnb run 14 -p n_trials=5`, or on your data with `-p dataset=./my-benchmark`.

# %% tags=["remove-input"]
study.footer()
