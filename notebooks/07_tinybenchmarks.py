# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # tinyBenchmarks and test theory
#
# **Items spread over the parameters of an item response model detect a gap of 9 to 13 points with 10 items on eight real leaderboards, 3 to 8 points less than uniform sampling needs; at 250 items the two are within 1.5 points of each other.**
#
# *You will learn* what a ten-dimensional {term}`IRT` model says about an item, how much of it repeats with other models, and when clustering it beats a blind draw.
# *Time*: 9 minutes to read, under a minute to run.

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
# Two items may be equally hard and yet ask for different things.
# If you knew what each asks for, you could choose a few that together ask for everything.
#
# {term}`Item response theory <IRT>` explains a table of answers by abilities and items {cite:p}`birnbaum1968latent,reckase2009multidimensional`.
# In the {term}`2PL` model the log-odds that a model with abilities $\theta$ is right on item $j$ are $a_j \cdot \theta - b_j$: $b_j$ is the {term}`difficulty`, $a_j$ are the {term}`discriminations <discrimination>`, one for each of ten kinds of {term}`ability`.
# Fitted to the {term}`source models`, this turns every item into a point with eleven coordinates.
# Put $k$ centres among the points by $k$-means, take the item nearest each, and let it weigh the share of the items nearest to it {cite:p}`polo2024tinybenchmarks`.

# %%
train, targets = study.train, study.targets
size = max(k for k in study.sizes if k <= 25 or k == study.sizes[0])
irt = mbnb.fit_2pl(train.scores)
points = np.column_stack([irt.discriminations, irt.difficulties])

rng = np.random.default_rng(0)
kmeans = KMeans(size, n_init=1, random_state=int(rng.integers(2**31 - 1))).fit(points)
centres = kmeans.cluster_centers_


def distances(some: np.ndarray, others: np.ndarray) -> np.ndarray:
    return np.linalg.norm(some[:, None] - others, axis=2)


items = np.unique(distances(centres, points).argmin(axis=1))
owners = distances(points, points[items]).argmin(axis=1)
weights = np.bincount(owners, minlength=items.size) / train.n_items

# %% [markdown]
# `mbnb` takes the seed of $k$-means from the generator that it is given, so from the same one it chooses the same items.
# Where two centres share their nearest item, one of them takes the next, so that the {term}`size` is always exact.

# %%
fitted = mbnb.make_selector("tinybenchmarks").fit(train)
selection = fitted.select(size, np.random.default_rng(0))
if items.size == size:  # no two centres share an item
    assert np.array_equal(selection.items, items)
    assert np.allclose(selection.weights, weights)

# %% [markdown]
# ## What it picks
#
# {numref}`fig-07-plane` shows two of the eleven coordinates.
# Most of the choice goes along the difficulty.

# %% mystnb={"figure": {"caption": "Items by difficulty and by discrimination on the widest ability. A cross is a centre of k-means, a ring the item chosen for it; the ring grows with the weight. A centre is an average in eleven dimensions, so in this plane its item can lie off it. Data: {glue:text}`data-one`.", "name": "fig-07-plane"}, "image": {"alt": "A scatter plot of items by difficulty and first discrimination, with crosses for cluster centres and rings for the chosen items, spread along the axis of difficulty."}}
picture = mbnb.draw_selection(
    points[:, [-1, 0]],
    selection,
    selector="tinybenchmarks",
    axis_labels=("Difficulty (log-odds)", "First discrimination (log-odds per sd)"),
)
panel = picture.drawing.axes[0]
panel.scatter(centres[:, -1], centres[:, 0], marker="x", s=36, color=mbnb.INK, label="centres")
panel.legend(loc="best", frameon=True, edgecolor="none")
picture

# %% [markdown]
# ## What the clustering depends on
#
# $k$-means spends its centres where the points spread, and cannot tell spread that says something about the items from noise of the fit.
# You can: halve the source models, fit each half alone, and ask how well the parameters from one half are predicted by those from the other.
# Abilities have no fixed axes, so the prediction may use all eleven coordinates.

# %%
spread = 100 * points.var(axis=0) / points.var(axis=0).sum()


def repeated(group: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Per cent of each coordinate's variance that a fit to other models predicts."""
    one, two = (
        mbnb.make_selector("tinybenchmarks").fit(train.subset(models=models)).points
        for models in (group, other)
    )
    known = np.column_stack([two, np.ones(train.n_items)])
    rest = one - known @ np.linalg.lstsq(known, one, rcond=None)[0]
    return 100 * (1 - rest.var(axis=0) / np.maximum(one.var(axis=0), 1e-12))


shuffled = np.random.default_rng(study.p.seed).permutation(train.n_models)
repeats = repeated(*np.array_split(shuffled, 2))

# %% mystnb={"figure": {"caption": "What k-means clusters: ten discriminations, widest ability first, and the difficulty b. Above: how the spread of the items divides over them. Below: how much of each, fitted to one half of the source models, the other half predicts. Data: {glue:text}`data-one`.", "name": "fig-07-spread"}, "image": {"alt": "Two bar charts over the same eleven coordinates, in per cent: the share of the spread, with the highest bar for difficulty, and the share that two fits have in common, high for difficulty and the first discriminations and low for the last."}} tags=["remove-input"]
parts = pd.DataFrame({"coordinate": [*map(str, range(1, spread.size)), "b"]})
parts["share of the spread"], parts["predicted from other models"] = spread, repeats
drawing, panels = plt.subplots(2, 1, figsize=(5.4, 4.4), sharex=True, layout="constrained")
shades = [mbnb.LOOKS["tinybenchmarks"].color] * (spread.size - 1) + [mbnb.TINTS[1]]
for panel, column in zip(panels, parts.columns[1:], strict=True):
    panel.bar(parts["coordinate"], parts[column], color=shades)
    panel.set(ylabel=f"{column.capitalize()}\n(per cent)", ylim=(0, None))
    panel.yaxis.label.set_fontsize(10)
    panel.grid(visible=False, axis="x")
panels[1].set(xlabel="Discriminations 1 to 10, and difficulty b", ylim=(0, 100))
mbnb.figure(drawing, parts)

# %% tags=["remove-cell"]
noise = float(spread @ (1 - repeats / 100))
study.glue(
    share=f"{spread[-1]:.0f} %",
    firm=int((repeats[:-1] >= 50).sum()),
    noise=f"{noise:.0f} %",
    n_half=train.n_models // 2,
)
print(spread.round(), repeats.round())

# %% [markdown]
# Difficulty takes {glue:text}`share` of the spread and repeats almost fully; of the ten discriminations {glue:text}`firm` repeat to at least half.
# Weighted by spread, {glue:text}`noise` of what the clustering uses does not repeat with {glue:text}`n-half` other sources.
#
# So what carries this {term}`selector` is in good part what carries [](./04_confidence): layers of difficulty, cut finely, one item from each.
# It adds the first few discriminations, which say not how hard an item is but *which models* it separates.
#
# ## How it does
#
# The lead in {term}`MDAD` on eight real leaderboards, in points:

# %%
real = mbnb.real_leaderboards()
mdads = real.pivot(index=["selector", "dataset"], columns="size", values="mdad")
lead = mdads.loc["uniform"] - mdads.loc["tinybenchmarks"]
mbnb.show(lead, "Points by which the MDAD of tinyBenchmarks is below that of uniform sampling.")

# %% mystnb={"figure": {"caption": "MDAD with 95 % intervals of tinyBenchmarks and of uniform sampling. A leaderboard without a point has too few items for the size. Data: eight real leaderboards (data/measured).", "name": "fig-07-real"}, "image": {"alt": "Four panels, for 10, 25, 100 and 250 items: at 10 items the purple markers lie left of the grey ones on all eight leaderboards; the distance shrinks until the two are level at 250."}}
draw_real(real, "tinybenchmarks")

# %% tags=["claims", "remove-cell"]
own = mdads.loc["tinybenchmarks"]
assert (own[10].min(), own[10].max()) == (9, 13), "with 10 items 9 to 13 points"
assert (lead[10].min(), lead[10].max()) == (3, 8), "with 10 items 3 to 8 points less"
assert lead[250].abs().max() == 1.5, "at 250 items within 1.5 points"
assert lead.loc["mmlu-pro-47", 250] == -1.5, "furthest behind on mmlu-pro-47"
error = real.pivot(index=["selector", "dataset"], columns="size", values="error")
saved = (error.loc["uniform"] - error.loc["tinybenchmarks"])[10].round(1)
assert (saved.min(), saved.max()) == (1.8, 5.1), (
    "the error is 1.8 to 5.1 points smaller at 10 items"
)
smallest = error[10].unstack(level=0).idxmin(axis=1)
assert (smallest == "tinybenchmarks").sum() == 7, "the smallest error of the six on seven of eight"
if study.is_default:
    assert spread.argmax() == 10, "difficulty spreads most"
    assert repeats[-1] > 90, "difficulty repeats almost fully"

# %% [markdown]
# With 10 items the error of its score is 1.8 to 5.1 points smaller than that of uniform sampling, and on seven of the eight the smallest of the six selectors.
# The weights help the ranking, too: estimates with unequal weights seldom {term}`tie`.
# On the simulated leaderboard, which you can re-run ({numref}`fig-07-mdad`):

# %%
trials = study.run(["uniform", "tinybenchmarks"])
counts = mbnb.agreement(trials, reading=study.reading)
table = study.mdad(counts)

# %% mystnb={"figure": {"caption": "MDAD of tinyBenchmarks and of uniform sampling by size, with 95 % intervals. Data: {glue:text}`data`.", "name": "fig-07-mdad"}, "image": {"alt": "MDAD in points against size: two falling lines with intervals; that of tinyBenchmarks begins several points lower and the two meet at larger sizes."}}
mbnb.draw_mdad(table)

# %% [markdown]
# ## When to use it
#
# Use it when you have thirty sources or more ([](./12_new_items_new_models)), scores of right and wrong, and a budget of tens of items: it asks for no confidences, and serves a score and a ranking alike.
# Do not use it with few sources, where the priors of the fit choose your items, or with graded scores, which this model is not made for.
# Nothing guarantees that its weighted mean is unbiased, since the item in the middle of a cluster is a typical one and the unusual ones are never chosen.
# The original method also corrects the estimate by the fitted model; [](./13_estimators) takes that up.
# A fit with two dimensions that does as well over many trials would change your mind about ten; {numref}`fig-07-spread` makes it worth a try.
#
# ## Take-aways
#
# - An item becomes a point of eleven coordinates; most of what repeats is its difficulty.
# - With 10 items the MDAD is 9 to 13 points on real leaderboards, and on seven of eight the score has the smallest error of the six.
# - At 250 items a random sample does as well.
#
# ## Exercises
#
# ```{admonition} Exercise 1: what an item tells
# :class: exercise
#
# Take the chosen item that weighs most.
# How likely is a right answer from an average model, and from models one standard deviation of the widest ability below and above?
# What do you learn from asking it?
# ```

# %% tags=["hide-cell", "solution"]
heaviest = selection.items[selection.weights.argmax()]
steepness, hardness = points[heaviest, [0, -1]]
likely = 100 / (1 + np.exp(-(steepness * np.array([-1, 0, 1]) - hardness)))
print("right with {:.0f}, {:.0f} and {:.0f} %".format(*likely))

# %% [markdown]
# ```{admonition} Exercise 2: which coordinates carry the choice?
# :class: exercise
#
# Cluster by difficulty alone, by the ten discriminations alone, and by all eleven coordinates, ten times each.
# Which do you want for a score, and which for an order?
# ```

# %% tags=["hide-cell", "solution"]
accuracy = targets.accuracies()
first, second = np.triu_indices(accuracy.size, 1)
gap = np.round(accuracy[first] - accuracy[second], 12)
ways = {"difficulty": [10], "discriminations": list(range(10)), "all eleven": list(range(11))}
rows = {}
for name, columns in ways.items():
    part = type(fitted)(points[:, columns], ())
    told = np.array(
        [mbnb.estimate("weighted-mean", part.select(size, rng), targets) for _ in range(10)]
    )
    right = np.sign(told[:, first] - told[:, second]) == np.sign(gap)
    rows[name] = [100 * np.abs(told - accuracy).mean(), 100 * right[:, gap != 0].mean()]
columns = ["error (points)", "pairs in order (%)"]
mbnb.show(pd.DataFrame(rows, index=columns).T, f"{size} items, ten choices in one trial.")

# %% [markdown]
# ```{admonition} Exercise 3: how many sources does a parameter take?
# :class: exercise
#
# Fit the model to two groups of 20 source models, and to two of 40 and of 80 as far as there are so many.
# How much of the difficulty, and of the first three discriminations, does one group predict of the other?
# ```

# %% tags=["hide-cell", "solution"]
groups = [n for n in (20, 40, 80) if 2 * n <= train.n_models] or [train.n_models // 2]
found = {n: repeated(shuffled[:n], shuffled[n : 2 * n])[[-1, 0, 1, 2]] for n in groups}
frame = pd.DataFrame(found, index=["difficulty", "first", "second", "third"])
mbnb.show(frame, "Per cent predicted, by number of sources.")

# %% [markdown]
# Re-run with other parameters: `mbnb run 07 -p n_trials=10 -p 'sizes=[10,50]'`, or on your data with `-p dataset=./my-benchmark`.

# %% tags=["remove-input"]
study.footer()
