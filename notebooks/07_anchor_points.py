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
# - why the method stalls when the {term}`micro-benchmark` grows
# - how much of this is an assumption about confidences, and what real leaderboards show
#
# **Reading time** 14 minutes, the exercises not counted.
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
from sklearn.decomposition import PCA
from sklearn.metrics import adjusted_rand_score

import mbnb

p = mbnb.parameters(globals())
p

# %% tags=["hide-input"]
study = mbnb.open_study(p)
study

# %% [markdown]
# ## How it works
#
# If models answer two items alike, one of the two can speak for both.
# Find a few items that speak for all.
#
# Two items are alike if the {term}`source models` that are confident on the one are confident on the other: their distance is 1 − the correlation of the {term}`confidences <confidence>`, from 0 (alike) over 1 (unrelated) to 2 (opposite).
# Find $k$ items, the medoids, such that the distances of all items to their nearest medoid add up to as little as possible {cite:p}`vivek2024anchor,schubert2021fasterpam`.
# These are the *anchor points*.
# Each has a weight, the share of the items that are nearest to it, and the {term}`estimator` is the weighted mean of the target's confidences on them.
#
# {numref}`fig-07-plane` lays the items of one {term}`trial` out on the two axes on which their correlations differ most.
# Distances in a plane are a shadow of the distances in the method, so a medoid need not look central.
# Step through the sizes and watch the discs: first they share the crowd out among them, later ever more of them are specks.

# %%
train = study.train
shown = study.size_near(25)
fitted, selections, costs = mbnb.time_selector("anchor-points", train, study.sizes, seed=p.seed)
shares = {
    size: mbnb.singleton_share(selection, train.n_items) for size, selection in selections.items()
}

# %% mystnb={"figure": {"caption": "Anchor points among the items; choose a size. Axes: the first two principal axes of the items’ standardised confidences. A dot is an item (evenly thinned), a disc an anchor, its area the share of items that it speaks for. Data: {glue:text}`data-one`.", "name": "fig-07-plane"}} tags=["hide-input"]
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
anchor_weights = np.sort(selections[shown].weights)[::-1]
mbnb.say(
    *fitted.notes,
    f"With {shown:,} anchors the largest speaks for {100 * anchor_weights[0]:.1f} % of the items and the "
    f"smallest for {100 * anchor_weights[-1]:.1f} %; a uniform draw would give each {100 / shown:.1f} %.",
)

# %% [markdown]
# ## Clusters that shrink to one
#
# {numref}`fig-07-clusters` follows the clusters as the {term}`size` grows.
# On the left are the weights, from the heaviest anchor to the lightest.
# On the right is the share of {term}`singleton clusters <singleton cluster>`, in which an item stands only for itself.

# %% mystnb={"figure": {"caption": "What becomes of the clusters. Left: items in each cluster, from the largest to the smallest, for each size. Right: per cent of clusters that hold their medoid and nothing else. Data: {glue:text}`data-one`.", "name": "fig-07-clusters"}, "image": {"alt": "Left, falling curves of cluster size against rank on logarithmic axes, one for each number of anchors, lower and longer as it grows. Right, the per cent of singleton clusters against size."}} tags=["hide-input"]
figure, (left, right) = plt.subplots(1, 2, figsize=(5.4, 3.6), layout="constrained")
for number, (size, selection) in enumerate(selections.items()):
    members = np.sort(selection.weights)[::-1] * train.n_items
    shade = plt.colormaps["viridis"](0.9 * number / max(len(selections) - 1, 1))
    left.plot(np.arange(1, size + 1), members, color=shade, label=f"{size:,}")
left.set(xscale="log", yscale="log", xlabel="Rank of the cluster", ylabel="Items in the cluster")
for axis in (left.xaxis, left.yaxis):
    axis.set_major_formatter("{x:g}")
look = mbnb.LOOKS["anchor-points"]
right.plot(
    study.sizes, [100 * share for share in shares.values()], color=look.color, marker=look.marker
)
figure.legend(
    loc="outside upper center",
    ncols=len(selections),
    handlelength=0.8,
    columnspacing=0.9,
    title="Anchors",
)
mbnb.size_axis(right, study.sizes)
right.tick_params(axis="x", rotation=60)
right.set(ylabel="Singletons (per cent)", ylim=(0, 100))
plt.close(figure)
figure

# %% tags=["remove-cell"]
study.insert(
    smallest=study.smallest,
    largest=study.largest,
    shown=shown,
    singles_small=f"{100 * shares[study.smallest]:.0f}",
    singles_large=f"{100 * shares[study.largest]:.0f}",
)

# %% [markdown]
# With {glue:text}`smallest` anchors {glue:text}`singles-small` % of the clusters are singletons, with {glue:text}`largest` it is {glue:text}`singles-large` % (reported for MMLU-Pro with 1,000 anchors: 47 %).
# Where singletons are many, an anchor that is added splits no crowd into two, it picks off a loner; the crowd keeps its one speaker, and little more is learnt about it.
#
# ## Choosing or reading?
#
# Anchor Points does two things at once.
# It chooses items, and it reads confidences, which are finer than right and wrong: two models almost never have equal sums of confidences, so hardly anything {term}`ties <tie>`, and the {term}`floor` of [](./03_uniform) does not hold.
# To tell the two apart, leave the choice to chance: draw items *uniformly* and read their confidences.

# %%
both = study.compare("anchor-points")
read = study.mdad(mbnb.agreement(study.run("uniform", estimators=["confidence-mean"])))

# %% tags=["hide-input"]
found = both.mdads.set_index(["selector", "size"])["mdad"]
by_way = pd.DataFrame(
    {
        "chance, right or wrong": found.loc["uniform"],
        "chance, confidences": read.set_index("size")["mdad"],
        "anchors, confidences": found.loc["anchor-points"],
    },
    index=pd.Index(study.sizes, name="Size"),
)
mbnb.show(by_way.map(mbnb.format_mdad)).set_caption(
    "MDAD in points: which items are asked, and what is read."
)

# %% tags=["hide-input"]
chance, blind, anchors = by_way.loc[study.smallest]
lead = chance - anchors
gain = chance - blind
if train.confidences is None:
    answer = (
        "This data set has no confidences; scores stand in for them, the first two columns are "
        "the same, and whatever lead there is comes from the choice of items and their weights."
    )
elif np.isnan(lead) or np.isnan(gain) or lead <= 0:
    answer = f"At {study.smallest:,} items Anchor Points has no lead that could be divided."
else:
    answer = (
        f"At {study.smallest:,} items Anchor Points leads uniform sampling by {lead:g} points; reading "
        f"confidences on items drawn by chance already gains {gain:g} points"
        + (f", {100 * gain / lead:.0f} % of that." if 0 <= gain < lead else ".")
    )
mbnb.say(answer)

# %% [markdown]
# The fourth combination, anchors on which right and wrong are read, is {ref}`exercise 1 <exercise-07-1>`.
# The comparison matters because the two ingredients have different prices.
# Confidences cost nothing extra where you run the models yourself, and are not to be had from most hosted ones.
# Anchors cost the answers of all source models on all items.
#
# ## What remains with all items
#
# Suppose every item were an anchor.
# The estimate would be the target's mean confidence, which is its {term}`accuracy` only if the model is calibrated.

# %%
accuracy = 100 * study.targets.accuracies()
belief = 100 * study.targets.evidence.mean(axis=1, dtype=np.float64)

# %% tags=["hide-input"]
first, second = np.triu_indices(accuracy.size, 1)
turned = np.sign(belief[first] - belief[second]) != np.sign(accuracy[first] - accuracy[second])
offset = np.abs(belief - accuracy).mean()
study.insert(offset=f"{offset:.1f}")
mbnb.say(
    f"Over the target models of one trial, mean confidence and accuracy on the whole half differ by "
    f"{offset:.1f} points on average, and {100 * turned.mean():.1f} % of the pairs stand in another "
    "order by confidence than by accuracy."
    if train.confidences is not None
    else "Without confidences the estimate with all items is the accuracy itself, and nothing remains.",
)

# %% [markdown]
# That is where the error of the estimate goes as anchors are added: to this offset, not to zero.
# In the simulation the offset follows from how sharp each model’s confidences are, and how much that differs between models is an assumption: no real leaderboard at hand has confidences from log-likelihoods ([](./20_trust_in_the_simulation)).
# {ref}`Exercise 3 <exercise-07-3>` moves the assumption.
#
# ## When it is good, and when not
#
# {numref}`fig-07-comparison` has both measures at all sizes.

# %% mystnb={"figure": {"caption": "Anchor Points beside uniform sampling. Above: MDAD with 95 % intervals (bins with at least one pair a trial on average decide). Below: mean absolute estimation error. Data: {glue:text}`data`.", "name": "fig-07-comparison"}, "image": {"alt": "Two charts over size: MDAD with intervals for uniform sampling and Anchor Points; and their mean estimation errors."}} tags=["hide-input"]
both.draw()

# %% tags=["hide-input"]
both.table()

# %% tags=["hide-input"]
said = both.sentences()
verdict, misses = said
lowest, uniform_lowest = mbnb.format_mdad(anchors), mbnb.format_mdad(chance)
study.insert(verdict=verdict, answer=answer, mdad_small=lowest, uniform_small=uniform_lowest)
mbnb.say(verdict, misses)

# %% [markdown]
# ### On real leaderboards
#
# Does the stall need confidences that mislead?
# On most real leaderboards there are none, scores stand in, and mean score is accuracy: there is no offset at all.
# What stalls there is the clusters alone.
# {numref}`fig-07-elsewhere` shows that it suffices.
# Do not compare heights, though: where scores stand in, nothing can be gained by reading confidences, only by choosing.

# %% mystnb={"figure": {"caption": "Anchor Points on every leaderboard that was measured for this book: MDAD of uniform sampling minus its own, in points, so that above zero is a gain. The band is one bin, no difference. Dashed: simulated; solid: real. Data: `data/measured/leaderboards.csv`.", "name": "fig-07-elsewhere"}, "image": {"alt": "Lines over size, one for each leaderboard, real ones in one colour and simulated ones dashed in another: gains of several points at ten items that fall to zero or below between 25 and 500 items."}} tags=["hide-input"]
mbnb.draw_elsewhere("anchor-points")

# %% tags=["hide-input"]
mbnb.elsewhere_table("anchor-points")

# %% tags=["hide-input"]
mbnb.say(
    mbnb.place_simulation("anchor-points", 10),
    mbnb.place_simulation("anchor-points", 250),
    "`resampled-t07` is the one real leaderboard with confidences, shares of about a dozen samples.",
)

# %% [markdown]
# Use Anchor Points when you can afford tens of items, have confidences, and have source models that resemble the models you will test.
# There is little reason to use it for many hundreds of items, where clusters fall apart, the offset of confidences stays, and a blind draw needs no sources.
# A selector this dependent on its sources is the first to fear a new kind of model, whose answers correlate in other ways; its MDAD on such targets is what would change your mind.
#
# ## What it costs

# %% tags=["hide-input"]
study.cost_table(costs)

# %% [markdown]
# The fit is the matrix of distances, made once a trial and shared by all sizes; [](./18_what_the_study_costs) compares the selectors.
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
# ## Exercises
#
# (exercise-07-1)=
# ```{admonition} Exercise 1: the fourth combination
# :class: exercise
#
# The table above has three of four combinations.
# Guess first: do anchors on which only right and wrong are read beat a blind draw on which confidences are read?
# Then run the fourth combination, in a few trials at the two smallest sizes.
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
few = {"sizes": study.sizes[:2], "n_trials": min(p.n_trials, 10)}
ways = {}
for items, how in (
    ("uniform", "weighted-mean"),
    ("uniform", "confidence-mean"),
    ("anchor-points", "weighted-mean"),
    ("anchor-points", "confidence-mean"),
):
    tried = mbnb.agreement(study.run(items, estimators=[how], **few))
    row = study.mdad(tried, min_pairs=few["n_trials"]).set_index("size")["mdad"]
    ways[mbnb.label(items), how] = row.map(mbnb.format_mdad)
mbnb.show(pd.DataFrame(ways).T).set_caption(f"MDAD in points, {few['n_trials']} trials.")

# %% mystnb={"code_prompt_show": "Show the solution in words", "code_prompt_hide": "Hide the solution in words"} tags=["hide-cell", "solution"]
corner = {way: row[study.smallest] for way, row in ways.items()}
neither, reading, choosing, both_ways = corner.values()
mbnb.say(
    f"At {study.smallest:,} items a blind draw read for right and wrong has an MDAD of {neither}; "
    f"reading confidences alone makes it {reading}, choosing anchors alone {choosing}, and the two "
    f"together {both_ways}.",
    f"With {few['n_trials']} trials a difference of a point or two is noise.",
    "If the two together gain more than either alone, it is because the anchors were chosen, and "
    "weighted, for what confidences say and not for right and wrong."
    if train.confidences is not None
    else "Without confidences both means read the same numbers, and what differs is the choice alone.",
)

# %% [markdown]
# ```{admonition} Exercise 2: mend the offset
# :class: exercise
#
# You know the accuracy of every source model, and its estimate from the anchors too.
# Fit a straight line through these points, apply it to the targets, and compare the {term}`estimation error` before and after, with the {glue:text}`shown` anchors of one trial.
# What does the line do to the ranking?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
known, told = (
    100 * mbnb.estimate("confidence-mean", selections[shown], part)
    for part in (train, study.targets)
)
slope, start = np.polyfit(known, 100 * train.accuracies(), 1)
raw, mended = np.abs(told - accuracy).mean(), np.abs(start + slope * told - accuracy).mean()
mbnb.say(
    f"With {shown:,} anchors the error for the target models of one trial is {raw:.1f} points, and "
    f"{mended:.1f} after the line (slope {slope:.2f}).",
    "The line knows two things that no weight knows: how far what is read lies from accuracy on the "
    "whole, and how much these very anchors stretch or shrink the differences between models.",
    "A rising line keeps every model’s place, so not one pair is ordered otherwise: error and ranking "
    "part company again, as they do for diversity.",
)

# %% [markdown]
# (exercise-07-3)=
# ```{admonition} Exercise 3: how much of the stall is an assumption?
# :class: exercise
#
# Multiply the log-odds of each target’s confidences by a factor of its own, $e^{\sigma z}$ with $z$ standard normal: some models become surer of everything, others less sure, and no answer changes.
# With every item an anchor, how many pairs stand in the wrong order for $\sigma$ from 0 to 0.8?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
sureness = np.clip(study.targets.evidence, 1e-4, 1 - 1e-4).astype(np.float64)
log_odds = np.log(sureness) - np.log1p(-sureness)
factor = np.random.default_rng([p.seed, 7]).standard_normal(len(accuracy))[:, None]
gap = np.round(accuracy[first] - accuracy[second], 9)
moved = {}
for sigma in (0, 0.1, 0.2, 0.4, 0.8):
    sure = 0.5 + 0.5 * np.tanh(log_odds * np.exp(sigma * factor) / 2)
    order = np.sign(sure.mean(axis=1)[first] - sure.mean(axis=1)[second])
    wrong = (order != np.sign(gap)) & (gap != 0)
    moved[f"{sigma:g}"] = [100 * wrong.sum() / (gap != 0).sum(), np.abs(gap[wrong]).max(initial=0)]
moved = pd.DataFrame(moved, index=["Pairs in the wrong order (%)", "Widest of them (points)"])
mbnb.show(moved.round(1).rename_axis(columns="σ")).set_caption("With every item an anchor.")

# %% mystnb={"code_prompt_show": "Show the solution in words", "code_prompt_hide": "Hide the solution in words"} tags=["hide-cell", "solution"]
least, most = moved["0"], moved["0.8"]
mbnb.say(
    f"Without any change {least.iloc[0]:.1f} % of the pairs stand in the wrong order by their mean "
    f"confidence, the widest {least.iloc[1]:.1f} points apart; with σ = 0.8 it is {most.iloc[0]:.1f} % "
    f"and {most.iloc[1]:.1f} points.",
    "Where models differ more in sharpness than the simulated ones, Anchor Points stalls earlier; and "
    "tuning is known to change how sure a model is of itself."
    if train.confidences is not None
    else "Scores stand in for confidences here; it takes real confidences to see the effect.",
)

# %% [markdown]
# ```{admonition} Exercise 4: would two teams choose the same anchors? (open-ended)
# :class: exercise
#
# Halve the source models and let each half choose its anchors.
# How many items do the two sets share, and how many would two blind draws share?
# How alike are the clusters (adjusted Rand index: 1 is the same, 0 is chance)?
# And how far apart do the two sets put a target model?
# What would you want to see before a set of anchors is published as *the* small version of a benchmark?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
shuffled = np.random.default_rng([p.seed, 7]).permutation(train.n_models)
halves = np.array_split(shuffled, 2)
teams = [mbnb.make_selector("anchor-points").fit(train.subset(models=half)) for half in halves]
views = [profiles[half] - profiles[half].mean(axis=0) for half in halves]
views = [view / np.maximum(view.std(axis=0), 1e-6) for view in views]
tries = {}
for size in study.sizes[:3]:
    sets = [team.select(size, np.random.default_rng(p.seed)) for team in teams]
    crowds = [
        (view.T @ view[:, chosen.items]).argmax(axis=1)  # the anchor with the highest correlation
        for view, chosen in zip(views, sets, strict=True)
    ]
    one, other = (100 * mbnb.estimate("confidence-mean", chosen, study.targets) for chosen in sets)
    tries[f"{size:,}"] = {
        "Items in both sets": np.intersect1d(sets[0].items, sets[1].items).size,
        "By chance": round(size**2 / train.n_items, 2),
        "Likeness of clusters": round(adjusted_rand_score(*crowds), 2) + 0.0,
        "Two estimates apart (points)": round(np.abs(one - other).mean(), 1),
        "Correlation of the estimates": round(np.corrcoef(one, other)[0, 1], 3),
    }
mbnb.show(pd.DataFrame(tries).rename_axis(columns="Size")).set_caption("Two halves of the sources.")

# %% mystnb={"code_prompt_show": "Show the solution in words", "code_prompt_hide": "Hide the solution in words"} tags=["hide-cell", "solution"]
last = tries[f"{study.sizes[:3][-1]:,}"]
mbnb.say(
    f"At {study.sizes[:3][-1]:,} anchors the two sets share {last['Items in both sets']} items, where "
    f"blind draws would share {last['By chance']:g}; their clusters have a likeness of "
    f"{last['Likeness of clusters']:g}, and they put a target {last['Two estimates apart (points)']:g} "
    "points apart on average.",
    "The items are thus not the benchmark’s own anchors, they are one of many sets that do; how models "
    f"stand to one another agrees far more (correlation {last['Correlation of the estimates']:g}).",
    "Before a set is published, ask for its ranking beside that of a second set, from other sources.",
)

# %% [markdown]
# ## Re-run this chapter
#
# ```bash
# mbnb run 07 -p n_trials=10 -p 'sizes=[10,50]'
# MBNB_DATA=~/leaderboards mbnb run 07 -p dataset=bigcodebench
# ```

# %% tags=["hide-input"]
study.footer(both.trials)
