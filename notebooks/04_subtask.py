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
# - how much of the noise there is for subtasks to remove
# - when equal quotas are what you want all the same
#
# **Reading time** 9 minutes, and half an hour for the exercises.
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

# %%
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import display
from scipy.stats import kendalltau

import mbnb

p = mbnb.parameters(globals())
p

# %% tags=["hide-input"]
study = mbnb.open_study(p)
study

# %% [markdown]
# ## How it works
#
# Divide the size by the number of {term}`subtasks <subtask>`: that is the quota of each, and the items that are left over go to as many subtasks at random.
# Within a subtask the draw is {term}`uniform <uniform sampling>`.
# A subtask smaller than its quota gives all it has, and the others share the rest.
# The {term}`estimator` is the plain mean over all chosen items.
#
# {numref}`fig-04-quotas` compares what each subtask is worth in the {term}`train half` with what it is worth in one draw.

# %%
sizes, train = study.sizes, study.train
fitted, selections, costs = mbnb.time_selector("subtask", train, sizes, seed=p.seed)
shown = study.size_near(100)
members = np.bincount(train.subtask_codes)
quotas = np.bincount(train.subtask_codes[selections[shown].items], minlength=members.size)
shares, quota_shares = 100 * members / members.sum(), 100 * quotas / shown

# %% mystnb={"figure": {"caption": "What each subtask is worth: its share of the train half, and its share of one selection with equal quotas. Data: {glue:text}`data-one`.", "name": "fig-04-quotas"}, "image": {"alt": "For each subtask two markers on a line: its share of the items of the train half, which differs a lot from subtask to subtask, and its share of the selection, which is nearly the same for all."}} tags=["hide-input"]
order = np.argsort(members, kind="stable")
figure, axes = plt.subplots(figsize=(5.4, 1.6 + 0.24 * members.size), layout="constrained")
heights = np.arange(members.size)
axes.hlines(heights, shares[order], quota_shares[order], color="#9aa5b1", linewidth=1.5)
for name, values, text in (
    ("uniform", shares, "in the train half"),
    ("subtask", quota_shares, f"in the selection of {shown:,}"),
):
    look = mbnb.LOOKS[name]
    axes.plot(values[order], heights, look.marker, color=look.color, label=text)
axes.set_yticks(heights, [train.subtasks[code] for code in order])
axes.set(xlabel="Share of the items (per cent)", xlim=(0, None))
axes.legend(
    loc="upper center", bbox_to_anchor=(0.5, 1.0 + 0.6 / (1.6 + 0.24 * members.size)), ncols=2
)
plt.close(figure)
figure

# %% tags=["hide-input"]
small, large = order[0], order[-1]
level = shown // members.size
mbnb.say(
    f"{shown:,} items and {mbnb.counted(members.size, 'subtask')} make a quota of {level}, with "
    f"{mbnb.counted(shown - level * members.size, 'item')} left over."
    if members.size > 1 and level <= members.min()
    else "",
    f"*{train.subtasks[large]}* holds {shares[large]:.1f} % of the half and gets "
    f"{quota_shares[large]:.1f} % of the draw; *{train.subtasks[small]}* holds {shares[small]:.1f} % "
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
targets = study.targets
micro = 100 * targets.accuracies()
macro = 100 * targets.accuracies("subtasks")

# %% mystnb={"figure": {"caption": "The macro average minus the micro average of each target model, over the micro average. A selector with equal quotas estimates the one and is judged by the other. Data: {glue:text}`data-one`.", "name": "fig-04-means"}, "image": {"alt": "A scatter plot: for each target model the difference of its two averages in points over its accuracy, with a horizontal line at zero."}} tags=["hide-input"]
figure, axes = plt.subplots()
axes.axhline(0, color="#9aa5b1", linewidth=1)
axes.scatter(micro, macro - micro, color=mbnb.LOOKS["subtask"].color, marker="s", s=22)
axes.set(xlabel="Accuracy, all items pooled (points)", ylabel="Macro minus micro average\n(points)")
plt.close(figure)
figure

# %% tags=["hide-input"]
first, second = np.triu_indices(micro.size, 1)
ahead = np.sign(np.round(micro[first] - micro[second], 9))
turned = 100 * np.mean(ahead != np.sign(np.round(macro[first] - macro[second], 9)))
bias = np.abs(macro - micro).mean()
study.insert(bias=f"{bias:.1f}", turned=f"{turned:.1f}")
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
share_of_pair = 100 * mbnb.between_share(differences, train.subtask_codes)
for_pairs = np.nanmedian(share_of_pair)
study.insert(for_pairs=f"{for_pairs:.1f}")
mbnb.say(
    f"Of the variance of a target model’s scores over the items, {for_scores:.1f} % lies between "
    f"subtasks in the median; of the variance of the *difference* of two models, {for_pairs:.1f} %.",
    f"Ranking is about differences, so even perfect quotas save about {for_pairs:.1f} % of the items.",
)

# %% [markdown]
# Subtasks are named by what an item is about, and models that are good at one are mostly good at the others (exercise 4 asks how mostly).
# [](./05_confidence) takes strata that are named by how hard an item is.
#
# This is a place where the simulation is kinder than the world.

# %% tags=["hide-input"]
pairs_real = mbnb.facts_beside_real("between_pairs")
turned_real = mbnb.facts_beside_real("turned")
mbnb.say(
    f"On {pairs_real.n} real leaderboards {pairs_real.span} of the variance of differences was "
    f"measured to lie between subtasks, most on *{pairs_real.real.index[-1]}*, against "
    f"{pairs_real.told(pairs_real.simulated)} on the simulated MMLU-Pro; and {turned_real.span} of "
    f"the pairs change order between the two averages, against "
    f"{turned_real.told(turned_real.simulated)}.",
)

# %% [markdown]
# Real benchmarks mix abilities that models have in different measure, and the simulated ones do so less ([](./20_trust_in_the_simulation)).
# So take from this chapter what quotas do, and look at your own benchmark for how much.
#
# ## When it is good, and when not
#
# {numref}`fig-04-comparison` sets the two beside one another on the same {term}`trials <trial>`: the {term}`MDAD`, which says how close two models may be and still be put in order, and the error of a single score.

# %%
beside = study.compare("subtask")

# %% mystnb={"figure": {"caption": "Equal quotas beside uniform sampling. Above: MDAD with 95 % intervals (bins with at least one pair a trial on average decide). Below: mean absolute estimation error. Data: {glue:text}`data`.", "name": "fig-04-comparison"}, "image": {"alt": "Two charts over size: MDAD with intervals for uniform sampling and equal quotas, two falling lines; and their mean estimation errors, which fall as well."}} tags=["hide-input"]
beside.draw()

# %% tags=["hide-input"]
beside.table()

# %% tags=["hide-input"]
last = beside.errors.set_index(["size", "selector"])["error"].loc[study.largest]
study.insert(
    error_own=f"{last['subtask']:.1f}",
    error_uniform=f"{last['uniform']:.1f}",
    largest=study.largest,
)
mbnb.say(*beside.sentences())

# %% tags=["hide-input"]
own_250, base_250 = mbnb.beside_real("subtask", 250), mbnb.beside_real("uniform", 250)
won = base_250.real.reindex(own_250.real.index) - own_250.real
own_error, base_error = (mbnb.beside_real(s, 250, "error") for s in ("subtask", "uniform"))
worse = own_error.real - base_error.real.reindex(own_error.real.index)
mbnb.say(
    f"Of {own_250.n} real leaderboards, on {int((won > 0.5).sum()) or 'none'} was the MDAD of equal "
    "quotas of 250 items measured to lie more than one bin below that of uniform sampling, and on "
    f"{int((won < -0.5).sum()) or 'none'} more than one bin above it; the estimation error was larger "
    f"on {int((worse > 0).sum()) or 'none'}, by up to {worse.max():.1f} points.",
)

# %% [markdown]
# Use equal quotas when the macro average is the score you want, or when you must be able to report every subtask.
# Do not use them to estimate a pooled accuracy from a benchmark whose subtasks are of very unequal size and difficulty.
# If you want coverage *and* the pooled score, {term}`weight` each item by its subtask's share; the selector does not, because the study's does not (exercise 3 does).
# It would change your mind about its use for ranking if more of the variance of differences lay between subtasks, as it does on some of the real leaderboards above.
#
# ## What it costs

# %% tags=["hide-input"]
study.cost_table(costs)

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
# - Of the noise in a comparison of two models {glue:text}`for-pairs` % lies between subtasks here, which bounds what any quota can save; some real leaderboards have more.
# - {glue:text}`turned` % of the pairs change order between the two averages, whatever the sample.
#
# ## Exercises
#
# ```{admonition} Exercise 1: quotas
# :class: exercise
#
# Write down the quota and the rest for each size of this run.
# At which sizes are quotas not equal, and what happens to the bias there?
# What does the selector choose when the size is the whole half?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
quota_of = {f"{k:,}": divmod(k, members.size) for k in sizes}
columns = ["quota", "left over"]
display(mbnb.show(pd.DataFrame.from_dict(quota_of, orient="index", columns=columns)))
unequal = [f"{k:,}" for k in sizes if k > members.size * members.min()]
mbnb.say(
    f"The smallest subtask has {members.min():,} items, so quotas stay equal up to "
    f"{members.size * members.min():,} items.",
    f"At {mbnb.listed(unequal)} items small subtasks give all they have and large ones more, and "
    "the bias begins to shrink."
    if unequal
    else "All sizes of this run lie below that, and the bias is the same for all.",
    "At the whole half every item is chosen, and nothing is left of it.",
)

# %% [markdown]
# ```{admonition} Exercise 2: for whom subtasks matter
# :class: exercise
#
# The share of the variance that lies between subtasks differs from pair to pair of models.
# Find the pair of targets for which it is largest.
# In which subtasks do the two differ, and how many items would quotas in proportion save this pair?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
widest = np.nanargmax(share_of_pair)
one, other = first[widest], second[widest]
means = pd.Series(differences[widest]).groupby(train.subtask_codes).mean()
for_one, for_other = means.idxmax(), means.idxmin()
mbnb.say(
    "There is one subtask, so nothing lies between subtasks."
    if members.size == 1
    else f"It is *{targets.model_ids[one]}* and *{targets.model_ids[other]}*: "
    f"{share_of_pair[widest]:.1f} % of the variance of their difference lies between subtasks, "
    f"where the median pair has {for_pairs:.1f} %.",
    f"The first leads by {mbnb.points(round(100 * means[for_one]))} points in "
    f"*{train.subtasks[for_one]}* and by {mbnb.points(round(100 * means[for_other]))} in "
    f"*{train.subtasks[for_other]}*, on all items by "
    f"{mbnb.points(round(micro[one] - micro[other], 1))}."
    if members.size > 1
    else "",
    f"Quotas in proportion save about that share, {share_of_pair[widest]:.0f} items in a hundred."
    if members.size > 1
    else "",
)

# %% [markdown]
# ```{admonition} Exercise 3: coverage without the bias
# :class: exercise
#
# Choose with equal quotas, but weight each chosen item by its subtask's share of the half over its share of the selection.
# Draw two hundred such selections of about 100 items, and as many of the largest size.
# What becomes of the estimation error and of the order of pairs, against the plain mean and against uniform sampling?
# And what is the plain mean's error if the macro average is what you want?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
rng = np.random.default_rng([p.seed, 4])
by_chance = mbnb.make_selector("uniform").fit(train)
told: dict = {}
for size in dict.fromkeys((shown, study.largest)):
    for _ in range(200):
        items, drawn = fitted.select(size, rng).items, by_chance.select(size, rng).items
        codes = train.subtask_codes[items]
        weights = shares[codes] / np.bincount(codes, minlength=members.size)[codes]
        for name, score, aim in (
            ("plain mean", scores[:, items].mean(axis=1), micro),
            ("weighted", scores[:, items] @ weights / weights.sum(), micro),
            ("uniform sampling", scores[:, drawn].mean(axis=1), micro),
            ("plain mean, macro average", scores[:, items].mean(axis=1), macro),
        ):
            score = np.round(100 * score.astype(float), 5)
            right = np.sign(score[first] - score[second]) == np.sign(aim[first] - aim[second])
            missed = np.abs(score - aim).mean()
            told.setdefault((f"{size:,}", name), []).append((missed, 100 * right.mean()))
judged = pd.DataFrame({name: np.mean(rows, axis=0) for name, rows in told.items()}).T
judged.columns = ["error (points)", "pairs in order (per cent)"]
display(mbnb.show(judged.map("{:.1f}".format)))
error = judged["error (points)"].unstack(level=0, sort=False)
changed = (error.loc["weighted"] - error.loc["plain mean"]).round(1)
mbnb.say(
    "Weighting changes the estimation error by "
    + mbnb.listed([f"{mbnb.points(value)} points at {size}" for size, value in changed.items()])
    + " items.",
    "It takes the bias away and adds chance, since an item that speaks for many weighs much: it "
    "pays where the bias is large beside the chance, so at large sizes, and not where one subtask "
    "holds most of the items.",
    "Where quotas are far from the shares, uniform sampling or quotas in proportion are the better "
    "way to a pooled score.",
    f"Judged by the macro average, which it estimates while quotas are equal, the plain mean has an error of "
    f"{error.loc['plain mean, macro average', f'{study.largest:,}']:.1f} points at "
    f"{study.largest:,} items, against {error.loc['plain mean', f'{study.largest:,}']:.1f} by the "
    "pooled score: before you compare methods, ask which score each of them estimates.",
)

# %% [markdown]
# ```{admonition} Exercise 4: another ability, or only fewer items?
# :class: exercise
#
# The ranking by one subtask differs from the ranking by all the others.
# Does it measure another ability, or is it just a small sample?
# For each subtask compare two values of {term}`Kendall’s tau <tau>`: that of the models' accuracies on it and on all other items, and that of as many random items and all other items.
# Which subtasks would you report on their own?
# ([](./14_heldout_and_subtasks) builds a micro-benchmark for each.)
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
whole, rng = study.matrix, np.random.default_rng([p.seed, 4])
sums, taus = whole.scores.sum(axis=1, dtype=np.float64), {}
for code, subtask in enumerate(whole.subtasks):
    own = np.flatnonzero(whole.subtask_codes == code)
    if own.size < 5 or own.size == whole.n_items:
        continue
    draws = [own] + [rng.choice(whole.n_items, own.size, replace=False) for _ in range(10)]
    points = [whole.scores[:, items].sum(axis=1, dtype=np.float64) for items in draws]
    alike, *by_chance = (kendalltau(sums - part, part).statistic for part in points)
    taus[subtask] = own.size, alike, np.nanmean(by_chance), np.nanmin(by_chance)
apart = pd.DataFrame(
    taus, index=["items", "tau", "tau of random items", "least of 10"]
).T.sort_values("tau")
lower = list(apart.index[apart["tau"] < apart["least of 10"]])
if len(apart):
    rounded = apart.map("{:.3f}".format).assign(items=apart["items"].map("{:,.0f}".format))
    display(mbnb.show(rounded))
mbnb.say(
    f"In {len(lower)} of {len(apart)} subtasks the ranking is further from the rest than in any of "
    "ten random samples of the same size" + (f", furthest in *{lower[0]}*." if lower else ".")
    if len(apart)
    else "There is one subtask, and nothing to compare it with.",
    "These measure something of their own, which a mean over all items hides." if lower else "",
    "The others tell you nothing that fewer items of the whole would not."
    if len(lower) < len(apart)
    else "",
)

# %% [markdown]
# ## Re-run this chapter
#
# With fewer trials and sizes, or on real data:
#
# ```bash
# mbnb run 04 -p n_trials=10 -p 'sizes=[10,50]'
# MBNB_DATA=path/to/data mbnb run 04 -p dataset=bigcodebench
# ```

# %% tags=["hide-input"]
study.footer(beside.trials)
