# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Anchor Points
#
# **With 10 items Anchor Points leads on all eight real leaderboards: it detects a gap of 7 to 12 points where uniform sampling needs 15.5 to 20; with 250 items it falls behind on six of the seven that have so many.**
#
# *You will learn* what a {term}`medoid` is and what its {term}`weight` says, how much of the lead comes from choosing items and how much from confidences, and why the method stalls when the {term}`micro-benchmark` grows.
# *Time*: 10 minutes to read, under a minute to run.

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
import altair as alt
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.decomposition import PCA

import mbnb
from mbnb.plots import draw_real

study = mbnb.open_study(globals())
study

# %% [markdown]
# ## The idea
#
# If models answer two items alike, one of the two can stand for both.
# So find a few items that stand for all.
#
# Two items are alike if the {term}`source models` that are confident on the one are confident on the other: their distance is 1 − the correlation of the {term}`confidences <confidence>`, from 0 (alike) over 1 (unrelated) to 2 (opposite).
# Find $k$ items, the medoids, such that the distances of all items to their nearest medoid add up to as little as possible {cite:p}`vivek2024anchor`.
# Start anywhere, go through the items, and whenever swapping one for a medoid lowers the sum, swap {cite:p}`schubert2021fasterpam`.

# %%
train, targets = study.train, study.targets
size = study.sizes[0]
with np.errstate(invalid="ignore", divide="ignore"):  # an item that all answer alike has none
    distances = np.nan_to_num(1 - np.corrcoef(train.evidence.T), nan=1)

medoids = np.random.default_rng(0).choice(train.n_items, size, replace=False)
unchanged, item = 0, 0
while unchanged < train.n_items:  # until a whole round brings no swap
    if not unchanged:
        owner = distances[:, medoids].argmin(axis=1)
        nearest, second = np.partition(distances[:, medoids], 1, axis=1)[:, :2].T
    gained = np.minimum(distances[item] - nearest, 0)  # if the item becomes a medoid too
    without = np.minimum(distances[item], second) - nearest  # if its own medoid leaves as well
    change = gained.sum() + np.bincount(owner, without - gained, minlength=size)
    unchanged += 1
    if change.min() < -1e-6 and item not in medoids:
        medoids[change.argmin()], unchanged = item, 0
    item = (item + 1) % train.n_items

# %% [markdown]
# `mbnb` leaves the swaps to the library `kmedoids`.
# From the same start it must reach as small a sum.

# %%
fitted = mbnb.make_selector("anchor-points").fit(train)
selections = {k: fitted.select(k, np.random.default_rng(0)) for k in study.sizes}


def loss(items: np.ndarray) -> float:
    """Mean distance of an item to its nearest anchor."""
    return float(distances[:, items].min(axis=1).mean())


assert np.isclose(loss(medoids), loss(selections[size].items), rtol=1e-3)
print("medoids in common:", np.intersect1d(medoids, selections[size].items).size, "of", size)

# %% [markdown]
# The medoids are the *anchor points*.
# Each weighs the share of the items that are nearest to it, and the {term}`estimator` is the weighted mean of the target's *confidences* on them.
#
# ## What it picks
#
# {numref}`fig-06-plane` lays the items out on the two axes on which their correlations differ most.
# Step through the sizes and watch the discs: first they share the crowd among them, later ever more of them are specks.

# %% mystnb={"figure": {"caption": "Anchor points among the items; choose a size. Axes: the first two principal axes of the items’ standardised confidences. A dot is an item (evenly thinned), a disc an anchor, its area the share of items that it stands for. Distances in a plane are a shadow of those in the method, so an anchor need not look central. Data: {glue:text}`data-one`.", "name": "fig-06-plane"}, "image": {"alt": "Items as dots in a plane and the anchors of the size you choose as discs: ten large discs spread over the crowd; with more anchors most discs shrink to specks."}}
profiles = train.evidence - train.evidence.mean(axis=0)
profiles /= np.maximum(profiles.std(axis=0), 1e-6)
plane = PCA(2, random_state=0).fit_transform(profiles.T / np.sqrt(train.n_models)).round(3)
dots = pd.DataFrame(plane, columns=["x", "y"])
few = [k for k in study.sizes if k <= 500]
anchors = pd.concat(
    dots.iloc[selections[k].items].assign(size=k, weight=np.round(100 * selections[k].weights, 3))
    for k in few
)
choice = alt.param("size", value=few[0], bind=alt.binding_radio(options=few, name="Anchors: "))
x = alt.X("x:Q", title="First axis (correlation units)")
y = alt.Y("y:Q", title="Second axis (correlation units)")
thinned = dots.iloc[:: -(-len(dots) // 1200)]
crowd = alt.Chart(thinned).mark_circle(size=9, color="#a9b4bf", opacity=0.7).encode(x=x, y=y)
color = mbnb.LOOKS["anchor-points"].color
area = alt.Scale(domain=[0, float(anchors["weight"].max())], range=[0, 1200])
discs = (
    alt.Chart(anchors)
    .transform_filter(alt.datum.size == choice)
    .mark_circle(color=color, opacity=0.5, stroke=color)
    .encode(
        x=x,
        y=y,
        size=alt.Size("weight:Q", scale=area, legend=None),
        tooltip=alt.Tooltip("weight:Q", title="Weight (per cent of the items)"),
    )
)
words = "Items in a plane, and the anchors of the size that you choose as discs."
chart = (crowd + discs).add_params(choice)
chart = chart.properties(width="container", height=340, description=words)
mbnb.figure(chart, anchors)

# %% [markdown]
# ## Clusters that shrink to one
#
# {numref}`fig-06-singletons` counts the {term}`singleton clusters <singleton cluster>`, in which an item stands only for itself.
# An anchor that is added there splits no crowd in two: it picks off a loner, and the crowd keeps its one anchor.

# %%
singles = pd.DataFrame({"size": study.sizes})
singles["share"] = [
    100 * np.mean(np.rint(selections[k].weights * train.n_items) == 1) for k in study.sizes
]

# %% mystnb={"figure": {"caption": "Clusters that hold their medoid and nothing else, in per cent of all. Data: {glue:text}`data-one`.", "name": "fig-06-singletons"}, "image": {"alt": "The per cent of singleton clusters against size on a logarithmic axis, a rising line."}}
drawing, axes = plt.subplots(figsize=(5.4, 3), layout="constrained")
axes.plot(singles["size"], singles["share"], color=color, marker="v")
axes.set(ylabel="Singletons (per cent)", ylim=(0, 100))
mbnb.size_axis(axes, study.sizes)
mbnb.figure(drawing, singles)

# %% tags=["remove-cell"]
accuracy = 100 * targets.accuracies()
belief = 100 * targets.evidence.mean(axis=1, dtype=float)
first, second = np.triu_indices(accuracy.size, 1)
turned = np.sign(belief[first] - belief[second]) != np.sign(accuracy[first] - accuracy[second])
study.glue(
    smallest=study.sizes[0],
    largest=study.sizes[-1],
    singles_small=f"{singles['share'].iloc[0]:.0f} %",
    singles_large=f"{singles['share'].iloc[-1]:.0f} %",
    offset=f"{np.abs(belief - accuracy).mean():.1f}",
    turned=mbnb.percent(turned.mean()),
)

# %% [markdown]
# With {glue:text}`smallest` anchors {glue:text}`singles-small` of the clusters are singletons, with {glue:text}`largest` it is {glue:text}`singles-large`.
#
# Where confidences are used, something else remains.
# Were every item an anchor, the estimate would be the target's mean confidence, which is its {term}`accuracy` only if the model is calibrated.
# Here the two differ by {glue:text}`offset` points on average, and {glue:text}`turned` of the pairs stand in another order.
#
# ## Choosing, or confidences?
#
# Anchor Points chooses items, and it uses confidences, which are finer than right and wrong: two models almost never have equal sums of them, so hardly anything {term}`ties <tie>`.
# On seven of the eight real leaderboards there are no confidences and scores stand in, so what it leads there comes from the choice and the weights alone.
# The eighth, `resampled-t07`, has both: with right and wrong on the same 10 anchors the MDAD is 11 points, with confidences 7, where uniform sampling has 15.5.
#
# The two have different prices.
# Confidences cost nothing extra where you run the models yourself, and are not to be had from most hosted ones; anchors cost the answers of all source models on all items.
#
# ## How it does
#
# The lead in {term}`MDAD` on eight real leaderboards, in points:

# %%
real = mbnb.real_leaderboards()
mdads = real.pivot(index=["selector", "dataset"], columns="size", values="mdad")
lead = mdads.loc["uniform"] - mdads.loc["anchor-points"]
mbnb.show(lead, "Points by which the MDAD of Anchor Points is below that of uniform sampling.")

# %% mystnb={"figure": {"caption": "MDAD with 95 % intervals of Anchor Points and of uniform sampling. A leaderboard without a point has too few items for the size. Data: eight real leaderboards (data/measured).", "name": "fig-06-real"}, "image": {"alt": "Four panels, for 10, 25, 100 and 250 items: at 10 items the orange markers lie far left of the grey ones on all eight leaderboards; at 100 items they lie on either side, at 250 mostly to the right."}}
draw_real(real, "anchor-points")

# %% tags=["claims", "remove-cell"]
own = mdads.loc["anchor-points"]
assert (own[10].min(), own[10].max()) == (7, 12), "with 10 items 7 to 12 points"
assert (lead[10].min(), lead[10].max()) == (5.5, 10.5), "leads by 5.5 to 10.5 points on all eight"
behind = {k: list(lead.index[lead[k] < 0]) for k in lead}
assert not behind[10] and not behind[25], "behind nowhere at 10 and 25 items"
assert behind[50] == ["mmlu-pro-47", "swebench-verified"], "from 50 items on these two"
assert behind[100] == ["bigcodebench", "swebench-verified"], "at 100 items these two"
assert lead[250].count() == 7 and len(behind[250]) == 6, "at 250 items on six of seven"
assert lead.loc["rewardbench", 250] == 0.5, "not on rewardbench"
assert (lead[250].min(), lead[250].max()) == (-1.5, 0.5), "by up to 1.5 points"
assert lead[1000].dropna().to_dict() == {"mmlu-pro-47": 0, "resampled-t07": -1, "rewardbench": 0}
better = mbnb.measured("better-estimators").query(
    "dataset == 'resampled-t07' and selector == 'anchor-points' and size == 10 and half == 'train'"
)
plain = better.set_index("estimator").loc["weighted-mean", "mdad"]
assert plain == 11, "right and wrong on the same anchors: 11 points"
board = mdads.xs("resampled-t07", level="dataset")[10]
assert (board["anchor-points"], board["uniform"]) == (7, 15.5), "confidences 7, uniform 15.5"

# %% [markdown]
# At 10 items it leads everywhere, by 5.5 to 10.5 points, and at 25 it is behind nowhere.
# Then uniform sampling passes it: at 50 items on `mmlu-pro-47` and `swebench-verified`, at 100 on `bigcodebench` and `swebench-verified`, at 250 on every leaderboard of that size but `rewardbench`, by 0.5 to 1.5 points.
# At 1,000 items, which three leaderboards have, it is level on two and 1 point behind on `resampled-t07`.
# Seven of the eight have no confidences, so confidences that mislead cannot be the reason there.
#
# On the simulated leaderboard, which you can re-run ({numref}`fig-06-mdad`), the lead at 10 items is larger than on any real one, because its confidences are cleaner ([](./A_trust)):

# %%
trials = study.run(["uniform", "anchor-points"])
counts = mbnb.agreement(trials, reading=study.reading)
table = study.mdad(counts)

# %% mystnb={"figure": {"caption": "MDAD of Anchor Points and of uniform sampling by size, with 95 % intervals. Data: {glue:text}`data`.", "name": "fig-06-mdad"}, "image": {"alt": "MDAD in points against size: the line of Anchor Points begins far below that of uniform sampling, falls less steeply, and is crossed by it at larger sizes."}}
mbnb.draw_mdad(table)

# %% tags=["claims", "remove-cell"]
if study.is_default:
    found = table.pivot(index="size", columns="selector", values="mdad")
    simulated = found["uniform"] - found["anchor-points"]
    print(found)
    assert simulated[10] > lead[10].max(), "larger than on any real leaderboard"
    assert singles["share"].is_monotonic_increasing, "ever more singletons"

# %% [markdown]
# ## When to use it
#
# Use Anchor Points when you can afford 10 to 50 items and have source models that resemble the models you will test; confidences make it better.
# For a hundred items look at your leaderboard first; for hundreds there is little reason to use it, and a blind draw needs no sources.
# It depends on its sources, so a new kind of model, whose answers correlate in other ways, is the first thing to fear ([](./12_new_items_new_models)).
#
# ## Take-aways
#
# - An anchor stands for the items that models answer alike; its weight says for how many.
# - With 10 items it leads on all eight real leaderboards, with an MDAD of 7 to 12 points.
# - It does not stay level: uniform sampling passes it between 50 and 250 items on most of them.
#
# ## Exercises
#
# ```{admonition} Exercise 1: the fourth combination
# :class: exercise
#
# Guess first: do anchors with right and wrong beat a blind draw with confidences?
# Then run all four combinations of choice and answers, in ten trials at the two smallest sizes.
# ```

# %% tags=["hide-cell", "solution"]
ways = study.run(
    ["uniform", "anchor-points"],
    estimators=["weighted-mean", "confidence-mean"],
    sizes=study.sizes[:2],
    n_trials=min(study.p.n_trials, 10),
)
few_pairs = mbnb.Reading(threshold=study.p.threshold, min_pairs=min(study.p.n_trials, 10))
mbnb.mdad_table(mbnb.mdad(mbnb.agreement(ways, reading=few_pairs), few_pairs))

# %% [markdown]
# ```{admonition} Exercise 2: repair the offset
# :class: exercise
#
# You know the accuracy of every source model, and its estimate from the anchors too.
# Fit a straight line through these points and apply it to the targets.
# What does it do to the error of the score, and what to the ranking?
# ```

# %% tags=["hide-cell", "solution"]
known, told = (
    100 * mbnb.estimate("confidence-mean", selections[size], part) for part in (train, targets)
)
slope, start = np.polyfit(known, 100 * train.accuracies(), 1)
print(f"error before: {np.abs(told - accuracy).mean():.1f} points")
print(
    f"error after: {np.abs(start + slope * told - accuracy).mean():.1f} points (slope {slope:.2f})"
)
print("a rising line keeps the order of all models")

# %% [markdown]
# ```{admonition} Exercise 3: would two teams choose the same anchors?
# :class: exercise
#
# Halve the source models and let each half choose its anchors.
# How many items do the two sets share, and how far apart do they put a target model?
# What would you want to know before a set of anchors is published as *the* small version of a benchmark?
# ```

# %% tags=["hide-cell", "solution"]
halves = np.array_split(np.random.default_rng(study.p.seed).permutation(train.n_models), 2)
teams = [mbnb.make_selector("anchor-points").fit(train.subset(models=half)) for half in halves]
rows = {}
for k in study.sizes[:3]:
    sets = [team.select(k, np.random.default_rng(study.p.seed)) for team in teams]
    one, two = (100 * mbnb.estimate("confidence-mean", chosen, targets) for chosen in sets)
    shared = np.intersect1d(sets[0].items, sets[1].items).size
    rows[k] = [shared, k**2 / train.n_items, np.abs(one - two).mean(), np.corrcoef(one, two)[0, 1]]
names = ["items in both", "by chance", "estimates apart (points)", "correlation of estimates"]
mbnb.show(pd.DataFrame(rows, index=names).T, "Anchors from two halves of the sources, by size.")

# %% [markdown]
# Re-run with other parameters: `mbnb run 06 -p n_trials=10 -p 'sizes=[10,50]'`, or on your data with `-p dataset=./my-benchmark`.

# %% tags=["remove-input"]
study.footer()
