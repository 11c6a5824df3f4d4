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
# One item speaks for all items that models answer alike, and the estimate reads confidences rather than right and wrong: at {glue:text}`smallest` items that puts the {term}`MDAD` at {glue:text}`mdad-small` points, where uniform sampling has {glue:text}`uniform-small`; with every item an anchor it would still be {glue:text}`offset` points off.
#
# **What you will learn**
#
# - what a {term}`medoid` is and what its {term}`weight` says
# - how much of the lead comes from choosing items, and how much from reading confidences
# - why the method stalls when the micro-benchmark grows
#
# **Reading time** 12 minutes.
# **Running time** about two minutes once the grid of [](./10_main_tables) is stored, half an hour otherwise.

# %% tags=["parameters"]
dataset: str = "simulated:mmlu-pro"
missing: str = "drop-items"
n_trials: int = 50
sizes: list = [10, 25, 50, 100, 250, 500, 1000]
n_source: int = None
n_target: int = None
threshold: float = 0.8
seed: int = 0

# %% tags=["hide-input"]
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from myst_nb import glue
from sklearn.decomposition import PCA

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

# %% tags=["hide-input"]
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
# Two items are alike if the {term}`source models` that are confident on the one are confident on the other: their distance is 1 − the correlation of the {term}`confidences <confidence>`, from 0 (alike) over 1 (unrelated) to 2 (opposite).
# Find $k$ items, the medoids, such that the distances of all items to their nearest medoid add up to as little as possible {cite:p}`vivek2024anchor,schubert2021fasterpam`.
# These are the *anchor points*.
# Each has a weight, the share of the items that are nearest to it, and the {term}`estimator` is the weighted mean of the target's confidences on them.
#
# {numref}`fig-07-plane` lays the items of one trial out on the two axes on which their correlations differ most.
# Distances in a plane are a shadow of the distances in the method, so a medoid need not look central.
# Step through the sizes and watch the discs: first they share the crowd out among them, later ever more of them are specks.

# %%
fitted, selections, costs = mbnb.time_selector("anchor-points", train, sizes, seed=p.seed)
shown = sizes[min(1, len(sizes) - 1)]
shares = {
    size: mbnb.singleton_share(selection, train.n_items) for size, selection in selections.items()
}

# %% mystnb={"figure": {"caption": "Anchor points among the items; choose a size. Axes: the first two principal axes of the items’ standardised confidences. A dot is an item (evenly thinned), a disc an anchor, its area the share of items that it speaks for. Data: {glue:text}`data`.", "name": "fig-07-plane"}} tags=["hide-input"]
profiles = train.evidence - train.evidence.mean(axis=0)
profiles /= np.maximum(profiles.std(axis=0), 1e-6)
plane = PCA(2, random_state=0).fit_transform(profiles.T / np.sqrt(train.n_models))
mbnb.explore_selections(
    plane,
    selections,
    selector="anchor-points",
    axis_labels=("First axis (correlation units)", "Second axis (correlation units)"),
)

# %% tags=["hide-input"]
weights = np.sort(selections[shown].weights)[::-1]
mbnb.say(
    *fitted.notes,
    f"With {shown:,} anchors the largest speaks for {100 * weights[0]:.1f} % of the items and the "
    f"smallest for {100 * weights[-1]:.2f} %; a uniform draw would give each {100 / shown:.1f} %.",
)

# %% [markdown]
# ## Clusters that shrink to one
#
# {numref}`fig-07-clusters` follows the clusters as the {term}`size` grows.
# On the left are the weights, from the heaviest anchor to the lightest.
# On the right is the share of {term}`singleton clusters <singleton cluster>`, in which an item stands only for itself.

# %% mystnb={"figure": {"caption": "What becomes of the clusters. Left: items in each cluster, from the largest to the smallest, for each size. Right: per cent of clusters that hold their medoid and nothing else. Data: {glue:text}`data`.", "name": "fig-07-clusters"}, "image": {"alt": "Left, falling curves of cluster size against rank on logarithmic axes, one for each number of anchors, lower and longer as it grows. Right, the per cent of singleton clusters against size."}} tags=["hide-input"]
figure, (left, right) = plt.subplots(1, 2, figsize=(6.2, 3.6), layout="constrained")
for number, (size, selection) in enumerate(selections.items()):
    members = np.sort(selection.weights)[::-1] * train.n_items
    shade = plt.colormaps["viridis"](0.9 * number / max(len(sizes) - 1, 1))
    left.plot(np.arange(1, size + 1), members, color=shade, label=f"{size:,}")
left.set(xscale="log", yscale="log", xlabel="Rank of the cluster", ylabel="Items in the cluster")
left.xaxis.set_major_formatter("{x:g}")
left.yaxis.set_major_formatter("{x:g}")
look = mbnb.LOOKS["anchor-points"]
right.plot(sizes, [100 * shares[size] for size in sizes], color=look.color, marker=look.marker)
figure.legend(
    loc="outside upper center",
    ncols=len(sizes),
    handlelength=0.8,
    columnspacing=0.9,
    title="Anchors",
)
mbnb.size_axis(right, sizes)
right.tick_params(axis="x", rotation=60)
right.set(ylabel="Singleton clusters (per cent)", ylim=(0, 100))
plt.close(figure)
figure

# %% tags=["remove-cell"]
glue("smallest", f"{sizes[0]:,}", display=False)
glue("largest", f"{sizes[-1]:,}", display=False)
glue("singles-small", f"{100 * shares[sizes[0]]:.0f}", display=False)
glue("singles-large", f"{100 * shares[sizes[-1]]:.0f}", display=False)

# %% [markdown]
# With {glue:text}`smallest` anchors {glue:text}`singles-small` % of the clusters are singletons, with {glue:text}`largest` it is {glue:text}`singles-large` % (reported for MMLU-Pro with 1,000 anchors: 47 %).
# An anchor that is added then splits no crowd into two, it picks off a loner; the crowd keeps its one speaker, and little is learnt about it.
#
# ## Choosing or reading?
#
# Anchor Points does two things at once.
# It chooses items, and it reads confidences, which are finer than right and wrong: two models almost never have equal sums of confidences, so hardly anything {term}`ties <tie>`, and the limit of [](./03_uniform) does not hold.
# To tell the two apart, leave the choice to chance: draw items *uniformly* and read their confidences.

# %%
grid = dict(n_trials=p.n_trials, n_source=n_source, n_target=n_target, seed=p.seed)
trials = mbnb.run_trials(
    matrix, ["uniform", "anchor-points"], sizes, **grid, store=mbnb.ResultStore()
)
read = mbnb.run_trials(
    matrix,
    ["uniform"],
    sizes,
    **grid,
    estimators=["confidence-mean"],
    store=mbnb.ResultStore(),
)
rule = dict(threshold=p.threshold, min_pairs=p.n_trials)
counts = mbnb.agreement(trials)
table = mbnb.mdad(counts, **rule)
table_read = mbnb.mdad(mbnb.agreement(read), **rule)

# %% tags=["hide-input"]
by_way = pd.DataFrame(
    {
        "chance, right or wrong": table.loc[table["selector"] == "uniform", "mdad"].to_numpy(),
        "chance, confidences": table_read["mdad"].to_numpy(),
        "anchors, confidences": table.loc[table["selector"] == "anchor-points", "mdad"].to_numpy(),
    },
    index=pd.Index(sizes, name="Size"),
)
mbnb.show(by_way.map(mbnb.format_mdad)).set_caption(
    "MDAD in points: which items are asked, and what is read."
)

# %% tags=["hide-input"]
chance, blind, anchors = by_way.to_numpy()[0]
lead = chance - anchors
by_reading = f"{100 * (chance - blind) / lead:.0f} %" if lead > 0 else ""
if matrix.confidences is None:
    answer = (
        "This data set has no confidences; scores stand in for them, the first two columns are "
        "the same, and whatever lead there is comes from the choice of items and their weights."
    )
elif np.isnan(lead) or not by_reading:
    answer = f"At {sizes[0]:,} items Anchor Points has no lead that could be divided."
else:
    answer = (
        f"At {sizes[0]:,} items Anchor Points leads uniform sampling by {lead:g} points, and reading "
        f"confidences on items drawn by chance already gains {chance - blind:g} of them "
        f"({by_reading})."
    )
mbnb.say(answer)

# %% [markdown]
# The comparison matters because the two ingredients have different prices.
# Confidences cost nothing extra where you run the models yourself, and are not to be had from most hosted ones.
# Anchors cost the answers of all source models on all items.
#
# ## What remains with all items
#
# Suppose every item were an anchor.
# The estimate would be the target's mean confidence, which is its {term}`accuracy` only if the model is calibrated.

# %%
targets = matrix.subset(split.targets, split.train)
accuracy = 100 * targets.accuracies()
belief = 100 * targets.evidence.mean(axis=1, dtype=np.float64)

# %% tags=["hide-input"]
first, second = np.triu_indices(accuracy.size, 1)
turned = np.sign(belief[first] - belief[second]) != np.sign(accuracy[first] - accuracy[second])
offset = np.abs(belief - accuracy).mean()
glue("offset", f"{offset:.1f}", display=False)
glue("turned", f"{100 * turned.mean():.1f}", display=False)
mbnb.say(
    f"Over the target models of one trial, mean confidence and accuracy on the whole half differ by "
    f"{offset:.1f} points on average, and {100 * turned.mean():.1f} % of the pairs stand in another "
    "order by confidence than by accuracy."
    if matrix.confidences is not None
    else "Without confidences the estimate with all items is the accuracy itself, and nothing remains.",
)

# %% [markdown]
# That is where the error of the estimate goes as anchors are added: to this offset, not to zero.
#
# ## When it is good, and when not

# %%
gains = mbnb.mdad_difference(counts, **rule)
errors = mbnb.estimation_error(trials)

# %% mystnb={"figure": {"caption": "Anchor Points beside uniform sampling. Above: MDAD with 95 % intervals (bins with at least one pair a trial on average decide). Below: mean absolute estimation error. Data: {glue:text}`data`.", "name": "fig-07-comparison"}, "image": {"alt": "Two charts over size: MDAD with intervals for uniform sampling and Anchor Points; and their mean estimation errors."}} tags=["hide-input"]
mbnb.draw_comparison(table, errors)

# %% tags=["hide-input"]
mbnb.comparison_table(table, errors, mbnb.reported("mdad-mmlu-pro"), "MMLU-Pro")

# %% tags=["hide-input"]
verdict = mbnb.compare_mdad(gains, "anchor-points")
glue("verdict", verdict, display=False)
glue("answer", answer, display=False)
glue("mdad-small", mbnb.format_mdad(anchors), display=False)
glue("uniform-small", mbnb.format_mdad(chance), display=False)
mbnb.say(verdict, mbnb.compare_error(errors, "anchor-points"))

# %% [markdown]
# Use Anchor Points when you can afford tens of items, have confidences, and have source models that resemble the models you will test.
# There is little reason to use it for many hundreds of items, where clusters fall apart, the offset of confidences stays, and a blind draw needs no sources.
# A selector this dependent on its sources is the first to fear a new kind of model, whose answers correlate in other ways; its MDAD on such targets is what would change your mind.
#
# ## What it costs

# %% tags=["hide-input"]
mbnb.cost_table(costs, mbnb.reported("costs"), train)

# %% [markdown]
# The fit is the matrix of distances, made once a trial and shared by all sizes.
#
# ## What differs from the released code
#
# - Both correlate confidences, weight anchors by their share of nearest items, and compare a mean of confidences with accuracy.
# - The released function ends early on an exit that was left in it; here it runs through.
# - There, the distances are made anew for each size; here once.
# - An item that all sources answer alike has no correlation.
#   Here its distance to every other item is 1, and a note counts such items; a correlation that is left to rounding gives ±1 or no number.
# - Here the start and every tie are decided by the key of the trial, so that the same anchors come out on every machine.
#
# ## Take-aways
#
# - An anchor speaks for the items that models answer alike; its weight says for how many.
# - {glue:text}`verdict`
# - {glue:text}`answer`
# - With {glue:text}`largest` anchors {glue:text}`singles-large` % of them speak for themselves alone, and mean confidence stays {glue:text}`offset` points from accuracy.
#
# ## Re-run this chapter
#
# ```
# mbnb run 07 -p n_trials=10 -p 'sizes=[10,50]'
# MBNB_DATA=~/leaderboards mbnb run 07 -p dataset=bigcodebench
# ```

# %% tags=["hide-input"]
mbnb.footer(matrix, p.seed, trials)
