# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Equal quotas for subtasks
#
# Taking as many items from every {term}`subtask` makes sure that none is forgotten, and makes the plain mean aim at another score: the mean of the subtasks, which lies {glue:text}`bias` points from the pooled accuracy here, at any {term}`size` that the smallest subtask can fill.
#
# **What you will learn**
#
# - what an equal quota does to subtasks of unequal size
# - why more items do not mend the {term}`estimation error` of this {term}`selector`
# - how little of the noise there is for subtasks to remove
#
# **Reading time** 8 minutes.
# **Running time** under a minute once the grid of [](./10_main_tables) is stored, a few minutes otherwise.

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
from myst_nb import glue

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
# A size of 100 and 14 subtasks make a quota of 7, and the 2 items that are left over go to two subtasks at random.
# Within a subtask the draw is uniform.
# A subtask smaller than its quota gives all it has, and the others share the rest.
# The {term}`estimator` is the plain mean over all chosen items.
#
# {numref}`fig-04-quotas` compares what each subtask is worth in the benchmark with what it is worth in one draw.

# %%
fitted, selections, costs = mbnb.time_selector("subtask", train, sizes, seed=p.seed)
shown = sizes[len(sizes) // 2]
members = np.bincount(train.subtask_codes)
quotas = np.bincount(train.subtask_codes[selections[shown].items], minlength=members.size)
shares, quota_shares = 100 * members / members.sum(), 100 * quotas / shown

# %% mystnb={"figure": {"caption": "What each subtask is worth: its share of the train half, and its share of one selection with equal quotas. Data: {glue:text}`data`.", "name": "fig-04-quotas"}, "image": {"alt": "For each subtask two markers on a line: its share of the items of the train half, which differs a lot from subtask to subtask, and its share of the selection, which is nearly the same for all."}} tags=["hide-input"]
order = np.argsort(members, kind="stable")
figure, axes = plt.subplots(figsize=(6.2, 1.6 + 0.24 * members.size), layout="constrained")
heights = np.arange(members.size)
axes.hlines(heights, shares[order], quota_shares[order], color="#9aa5b1", linewidth=1.5)
for name, values, text in (
    ("uniform", shares, "in the train half"),
    ("subtask", quota_shares, f"in the selection of {shown:,}"),
):
    look = mbnb.LOOKS[name]
    axes.plot(values[order], heights, look.marker, color=look.color, label=text)
axes.set_yticks(heights, [matrix.subtasks[code] for code in order])
axes.set(xlabel="Share of the items (per cent)", xlim=(0, None))
axes.legend(
    loc="upper center", bbox_to_anchor=(0.5, 1.0 + 0.6 / (1.6 + 0.24 * members.size)), ncols=2
)
plt.close(figure)
figure

# %% tags=["hide-input"]
small, large = order[0], order[-1]
mbnb.say(
    f"*{matrix.subtasks[large]}* holds {shares[large]:.1f} % of the half and gets "
    f"{quota_shares[large]:.1f} % of the draw; *{matrix.subtasks[small]}* holds {shares[small]:.1f} % "
    f"and gets {quota_shares[small]:.1f} %."
    if members.size > 1
    else "This data set has a single subtask, so this selector is uniform sampling under another name.",
    f"Quotas stay equal up to {members.min() * members.size:,} items; above that the smallest "
    "subtask is used up."
    if members.size > 1
    else "",
)

# %% [markdown]
# ## Two means of the same answers
#
# The {term}`accuracy` of this book, as of the study, pools all items: it is the {term}`micro average`, in which a large subtask counts for more.
# With equal quotas the plain mean counts every subtask alike, and its expectation is the {term}`macro average`.
# Both are honest scores.
# They are not the same score, as {numref}`fig-04-means` shows for the {term}`target models` of one trial.

# %%
targets = matrix.subset(split.targets, split.train)
micro = 100 * targets.accuracies()
by_subtask = [
    targets.scores[:, train.subtask_codes == code].mean(axis=1) for code in range(members.size)
]
macro = 100 * np.mean(by_subtask, axis=0)

# %% mystnb={"figure": {"caption": "The macro average minus the micro average of each target model, over the micro average. A selector with equal quotas estimates the one and is judged by the other. Data: {glue:text}`data`.", "name": "fig-04-means"}, "image": {"alt": "A scatter plot: for each target model the difference of its two averages in points over its accuracy, with a horizontal line at zero."}} tags=["hide-input"]
figure, axes = plt.subplots(figsize=(6.2, 3.4))
axes.axhline(0, color="#9aa5b1", linewidth=1)
axes.scatter(micro, macro - micro, color=mbnb.LOOKS["subtask"].color, marker="s", s=22)
axes.set(xlabel="Accuracy, all items pooled (points)", ylabel="Macro minus micro average\n(points)")
plt.close(figure)
figure

# %% tags=["hide-input"]
first, second = np.triu_indices(micro.size, 1)
turned = 100 * np.mean(
    np.sign(macro[first] - macro[second]) != np.sign(micro[first] - micro[second])
)
bias = np.abs(macro - micro).mean()
glue("bias", f"{bias:.1f}", display=False)
glue("turned", f"{turned:.1f}", display=False)
mbnb.say(
    f"The two averages differ by {bias:.2f} points on average over the target models, and by "
    f"{np.abs(macro - micro).max():.2f} at most.",
    f"The differences themselves vary from model to model with a standard deviation of "
    f"{(macro - micro).std():.2f} points, and that is the part that reorders models: "
    f"{turned:.1f} % of the pairs stand in another order under the macro average.",
)

# %% [markdown]
# A shift that all models share is harmless for ranking and fatal for a score that you quote.
# Where models differ in their shift, pairs turn over, and no number of items turns them back until the quotas stop being equal.
# You can see the first part in the lower panel of {numref}`fig-04-comparison`: uniform sampling goes on falling, equal quotas approach their bias.
#
# ## How much could subtasks help?
#
# {term}`Strata <strata>` remove the part of the noise that lies *between* them {cite:p}`cochran1977sampling`.
# So ask how much that is.

# %% tags=["hide-input"]
scores = targets.scores.astype(np.float32)
for_scores = 100 * np.nanmedian(mbnb.between_share(scores, train.subtask_codes))
differences = scores[first] - scores[second]
for_pairs = 100 * np.nanmedian(mbnb.between_share(differences, train.subtask_codes))
glue("for-pairs", f"{for_pairs:.1f}", display=False)
mbnb.say(
    f"Of the variance of a target model’s scores over the items, {for_scores:.1f} % lies between "
    f"subtasks in the median; of the variance of the *difference* of two models, {for_pairs:.1f} %.",
    f"Ranking is about differences, so even perfect quotas save about {for_pairs:.1f} % of the items.",
)

# %% [markdown]
# Subtasks are named by what an item is about, and models that are good at one are mostly good at the others.
# [](./05_confidence) takes strata that are named by how hard an item is.
#
# ## When it is good, and when not

# %%
trials = mbnb.run_trials(
    matrix,
    ["uniform", "subtask"],
    sizes,
    n_trials=p.n_trials,
    n_source=n_source,
    n_target=n_target,
    seed=p.seed,
    store=mbnb.ResultStore(),
)
counts = mbnb.agreement(trials)
table = mbnb.mdad(counts, threshold=p.threshold, min_pairs=p.n_trials)
gains = mbnb.mdad_difference(counts, threshold=p.threshold, min_pairs=p.n_trials)
errors = mbnb.estimation_error(trials)

# %% mystnb={"figure": {"caption": "Equal quotas beside uniform sampling. Above: MDAD with 95 % intervals (bins with at least one pair a trial on average decide). Below: mean absolute estimation error. Data: {glue:text}`data`.", "name": "fig-04-comparison"}, "image": {"alt": "Two charts over size: MDAD with intervals for uniform sampling and equal quotas, two falling lines; and their mean estimation errors, which fall as well."}} tags=["hide-input"]
mbnb.draw_comparison(table, errors)

# %% tags=["hide-input"]
mbnb.comparison_table(table, errors, mbnb.reported("mdad-mmlu-pro"), "MMLU-Pro")

# %% tags=["hide-input"]
last = errors[errors["size"] == sizes[-1]].set_index("selector")["error"]
glue("error-own", f"{last['subtask']:.1f}", display=False)
glue("error-uniform", f"{last['uniform']:.1f}", display=False)
glue("largest", f"{sizes[-1]:,}", display=False)
mbnb.say(mbnb.compare_mdad(gains, "subtask"), mbnb.compare_error(errors, "subtask"))

# %% [markdown]
# Use equal quotas when the macro average is the score you want, or when you must be able to report every subtask.
# Do not use them to estimate a pooled accuracy from a benchmark whose subtasks are of very unequal size and difficulty.
# If you want coverage *and* the pooled score, weight each item by its subtask's share; the selector does not, because the study's does not.
# It would change your mind about its use for ranking if more of the variance of differences lay between subtasks, as it may in a benchmark that mixes, say, code and law.
#
# ## What it costs

# %% tags=["hide-input"]
mbnb.cost_table(costs, mbnb.reported("costs"), train)

# %% [markdown]
# ## What differs from the released code
#
# - There, a quota must be *smaller* than the subtask, strictly, so that a request for all items of a subtask fails, and so does any size whose quota a small subtask cannot fill.
#   Here a small subtask gives what it has and the others take up the rest, so every size up to the whole half is possible.
# - The items left over go to random subtasks in both, there from a global random state, here from the key of the trial.
#
# ## Take-aways
#
# - Equal quotas aim at the macro average, {glue:text}`bias` points from the pooled score on these data.
# - At {glue:text}`largest` items the error is {glue:text}`error-own` points, against {glue:text}`error-uniform` of uniform sampling; the bias in it does not shrink with size while quotas stay equal.
# - Only {glue:text}`for-pairs` % of the noise in a comparison of two models lies between subtasks, which bounds what any quota can save.
# - {glue:text}`turned` % of the pairs change order between the two averages, whatever the sample.
#
# ## Re-run this chapter
#
# ```
# mbnb run 04 -p n_trials=10 -p 'sizes=[10,50]'
# MBNB_DATA=~/leaderboards mbnb run 04 -p dataset=bigcodebench
# ```

# %% tags=["hide-input"]
mbnb.footer(matrix, p.seed, trials)
