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
# Sampling from layers of equally hard items takes {glue:text}`for-scores` % of the variance out of a model's score and {glue:text}`for-pairs` % out of the difference of two models, so it serves an estimate more than a ranking.
#
# **What you will learn**
#
# - how {term}`strata` are cut, filled and weighted so that nothing is biased
# - why what helps one score need not help a comparison of two
# - on which real leaderboards it has helped a comparison, and by how much
# - what goes wrong when quotas are rounded one by one
#
# **Reading time** 12 minutes, the exercises not counted.
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
import pandas as pd

import mbnb

p = mbnb.parameters(globals())
p

# %% tags=["hide-input"]
study = mbnb.open_study(p)
study

# %% [markdown]
# ## How it works
#
# Some items are easy for everyone, some hard for everyone.
# A blind draw of ten may have too many of either, and then every score on it is off.
# This {term}`selector` makes the draw even.
#
# For each item of the {term}`train half`, take the mean {term}`confidence` of the {term}`source models`: near 1 where they are sure of the right answer, near 0 where they are sure of a wrong one.
# Cut the items into ten layers of similar means by one-dimensional $k$-means.
# Give each layer a number of places in proportion to its items and draw that many uniformly from it {cite:p}`fogliato2024framework`.
# A chosen item of layer $h$, with $N_h$ of the $N$ items and $n_h$ places, has the {term}`weight` $N_h / (N n_h)$: it speaks for its layer.
# The {term}`estimator`, the weighted mean of the scores, is then unbiased: within a layer every item has the same chance.
#
# {numref}`fig-05-strata` shows the layers of one {term}`trial`.

# %%
train = study.train
shown = study.size_near(25)
fitted, _, costs = mbnb.time_selector("confidence", train, study.sizes, seed=p.seed)
means = train.evidence.mean(axis=0, dtype=np.float64)
codes = np.repeat(range(len(fitted.strata)), [stratum.size for stratum in fitted.strata])
codes = codes[np.argsort(np.concatenate(fitted.strata))]

# %% mystnb={"figure": {"caption": "Strata on the histogram of mean source confidence. Above each layer stands the number of items that a selection takes from it. Data: {glue:text}`data-one`.", "name": "fig-05-strata"}, "image": {"alt": "A histogram of the items by mean confidence, cut into adjacent layers in alternating shades, each with the number of items it gives to the selection."}} tags=["hide-input"]
strata, quotas = fitted.merged(shown)
figure, axes = plt.subplots()
edges = np.linspace(means.min(), means.max(), 61)
heights = np.histogram(means, edges)[0]
look = mbnb.LOOKS["confidence"]
shades = [f"{look.color}{('f0', '80')[number % 2]}" for number in range(len(strata))]
axes.hist([means[stratum] for stratum in strata], edges, color=shades, stacked=True, linewidth=0)
for stratum, quota in zip(strata, quotas, strict=True):
    middle = (means[stratum].min() + means[stratum].max()) / 2
    axes.annotate(f"{quota}", (middle, 1.05 * heights.max()), ha="center", color=look.color)
axes.set(
    xlabel="Mean confidence of the source models", ylabel="Items", ylim=(0, 1.15 * heights.max())
)
axes.set_title(f"Items taken from each layer, of {shown:,} in all", fontsize="medium")
plt.close(figure)
figure

# %% tags=["hide-input"]
merges = {size: len(fitted.strata) - len(fitted.merged(size)[0]) for size in study.sizes}
merged = [f"{number} at {size:,} items" for size, number in merges.items() if number]
mbnb.say(
    *fitted.notes,
    f"There are {len(fitted.strata)} layers, of {min(s.size for s in fitted.strata):,} to "
    f"{max(s.size for s in fitted.strata):,} items.",
    f"Layers that would get no place are merged into their neighbour: {mbnb.listed(merged)}."
    if merged
    else "At every size each layer gets a place, so none had to be merged into its neighbour.",
)

# %% [markdown]
# Places are whole numbers, so proportions are rounded, by largest remainder: each layer first gets the whole part of its share, and the places that are left go to the largest fractions.
# A layer without a place would be a part of the benchmark that nobody speaks for; it is merged with the neighbour nearest in confidence, and the weights follow.
#
# ## One score, and two
#
# What do layers save?
# Cochran’s rule: with places in proportion to the items, the share of the variance over items that lies *between* the layers {cite:p}`cochran1977sampling`.
# Only what items of one layer differ in among themselves is left to chance.
#
# For the score of one model the layers are made for the job.
# An item that most sources get right is one that your model mostly gets right too, so much of its variance is between layers.
#
# Now take two models and look at their difference on each item: 1 where only the first is right, −1 where only the second is, 0 where they do alike.
# On easy items both are right and the difference is 0.
# On hard items both are wrong and it is 0 again.
# What the layers explain in one model they explain in the other, and it cancels.
# {numref}`fig-05-between` shows both shares for the {term}`target models` of one trial.

# %%
scores = study.targets.scores.astype(np.float32)
first, second = np.triu_indices(len(scores), 1)
for_scores = 100 * mbnb.between_share(scores, codes)
for_pairs = 100 * mbnb.between_share(scores[first] - scores[second], codes)

# %% mystnb={"figure": {"caption": "How much of the variance over items lies between the strata, for the scores of single target models and for the differences of pairs. Strata save this share of the noise, and no more. Data: {glue:text}`data-one`.", "name": "fig-05-between"}, "image": {"alt": "Two histograms, one above the other, on one axis of per cent: shares of variance between strata for single models, and for differences of pairs."}} tags=["hide-input"]
figure, panels = plt.subplots(2, 1, figsize=(5.4, 4.2), sharex=True, layout="constrained")
for axes, values, title in zip(
    panels,
    (for_scores, for_pairs),
    ("Scores of single models", "Differences of two models"),
    strict=True,
):
    axes.hist(values, np.arange(0, 101, 2), color=mbnb.LOOKS["confidence"].color)
    axes.axvline(np.nanmedian(values), color=mbnb.LOOKS["anchor-points"].color, linewidth=1.5)
    axes.set_title(f"{title}: median {np.nanmedian(values):.0f} %", loc="left")
panels[0].set_ylabel("Models")
panels[1].set(
    xlabel="Variance between strata (per cent)",
    ylabel="Pairs",
    xlim=(0, 1.1 * np.nanmax(for_scores)),
)
plt.close(figure)
figure

# %% tags=["remove-cell"]
single, double = np.nanmedian(for_scores), np.nanmedian(for_pairs)
saved = 100 * (1 - np.sqrt(1 - single / 100))
study.insert(for_scores=f"{single:.0f}", for_pairs=f"{double:.0f}", error_ratio=f"{saved:.0f}")

# %% [markdown]
# An error goes with the square root of a variance.
# Taking away {glue:text}`for-scores` % of the variance makes the {term}`estimation error` of a median model about {glue:text}`error-ratio` % smaller than that of uniform sampling, at any {term}`size`.
# For the order of a median pair the layers are worth about {glue:text}`for-pairs` % more items, where the next size on the axis has about twice as many.
#
# ## When it is good, and when not

# %%
both = study.compare("confidence")

# %% mystnb={"figure": {"caption": "Confidence strata beside uniform sampling. Above: MDAD with 95 % intervals (bins with at least one pair a trial on average decide). Below: mean absolute estimation error. Data: {glue:text}`data`.", "name": "fig-05-comparison"}, "image": {"alt": "Two charts over size: MDAD with intervals for uniform sampling and confidence strata, two falling lines; and their mean estimation errors, which fall as well."}} tags=["hide-input"]
both.draw()

# %% tags=["hide-input"]
both.table()

# %% tags=["hide-input"]
by_size = both.errors.pivot(index="size", columns="selector", values="error")
ratio = by_size["confidence"] / by_size["uniform"]
mbnb.say(
    *both.sentences(),
    f"The ratio of the two errors lies between {ratio.min():.2f} and {ratio.max():.2f}, where the "
    f"layers of one trial let you expect about {np.sqrt(1 - single / 100):.2f}.",
)

# %% [markdown]
# If {numref}`fig-05-comparison` shows a gain in {term}`MDAD` at the smallest sizes, the little that layers explain of a difference cannot account for it.
# More is at work than layers: an estimate that weights its items unequally {term}`ties <tie>` less often than a count does, and a tie counts as wrong ([](./03_uniform)).
#
# ### On real leaderboards
#
# The simulated {term}`confidences <confidence>` are cleaner than the only real ones at hand ([](./20_trust_in_the_simulation)).
# Layers cut from cleaner means are better layers, so ask what the selector does elsewhere.
# {numref}`fig-05-elsewhere` shows its {term}`MDAD` against that of uniform sampling on leaderboards measured for this book ([](./16_real_leaderboards) has them all).
# Most real ones have no confidences, and layers of mean scores stand in.

# %% mystnb={"figure": {"caption": "Confidence strata on every leaderboard that was measured for this book: MDAD of uniform sampling minus that of the strata, in points, so that above zero is a gain. The band is one bin, no difference. Dashed: simulated; solid: real. Data: `data/measured/leaderboards.csv`.", "name": "fig-05-elsewhere"}, "image": {"alt": "Lines over size, one for each leaderboard, real ones in one colour and simulated ones dashed in another: gains of a few points at the smallest sizes that shrink into the band of no difference."}} tags=["hide-input"]
mbnb.draw_elsewhere("confidence")

# %% tags=["hide-input"]
mbnb.elsewhere_table("confidence")

# %% tags=["hide-input"]
mbnb.say(mbnb.place_simulation("confidence", 10), mbnb.place_simulation("confidence", 250))

# %% [markdown]
# Use confidence strata when you want the score itself, and you have source models whose difficulties carry over to the model that you test.
# If they do not carry over, the layers turn into random groups: you lose the gain, and nothing else, because the weights keep the estimate unbiased.
# That makes this the safest of the selectors that look at models ({ref}`exercise 3 <exercise-05-3>` puts a price on it).
# It would change your mind about its use for ranking if the lower histogram of {numref}`fig-05-between` lay as far right as the upper one.
#
# ## What it costs

# %% tags=["hide-input"]
study.cost_table(costs)

# %% [markdown]
# ## What differs from the released code
#
# - There, quotas are rounded one by one.
#   They need not add up to the size: with 100 layers of 3 items each and a size of 50, every quota is 0.5 and rounds to 0, and all 50 items come from the draw that fills the rest.
#   Largest remainders always add up.
# - There, items are filled up at random but the inverse-probability weights ignore that draw, which biases the estimate.
#   Here there is no such draw, so the weights are exact and a model that is right everywhere scores exactly 1.
# - There, $k$-means starts at random, so that two runs have two sets of layers; here it starts at quantiles of the means.
#
# ## Take-aways
#
# - Layers of confidence explain {glue:text}`for-scores` % of the variance of a score and {glue:text}`for-pairs` % of that of a difference, in the median.
# - Difficulty is common to all models; ranking lives on what is not.
# - Proportional places and weights by layer leave the estimate unbiased, however badly the layers were chosen.
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

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
by_layer = np.array([scores[:, stratum].mean(axis=1) for stratum in fitted.strata])
shifts = 100 * (by_layer.mean(axis=0) - scores.mean(axis=1))
mbnb.say(
    "It estimates the mean of the layers’ means, in which an item of a small layer counts for more "
    "than one of a large layer.",
    f"For the {len(shifts)} target models of the first trial that is {np.abs(shifts).mean():.1f} points "
    f"off on average (from {shifts.min():+.1f} to {shifts.max():+.1f}), and no number of items makes it "
    "better.".replace("-", "−"),
    f"What all models share of it, a shift of {shifts.mean():+.1f} points, harms no ranking; what "
    f"is left differs between models with a standard deviation of {shifts.std():.1f} points, and "
    "does.".replace("-", "−"),
)

# %% [markdown]
# ```{admonition} Exercise 2: are ten layers enough?
# :class: exercise
#
# Cut the items into 2, 5, 10, 20, 50 and 100 layers of equally many items by mean confidence.
# How much of the variance of a score, and of a difference, lies between them?
# Beware: layers that are drawn blindly “explain” something too.
# How much, and what is left when you take it off?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
ranks = means.argsort(kind="stable").argsort()
found = {}
for n_layers in (2, 5, 10, 20, 50, 100):
    layers = ranks * n_layers // train.n_items
    found[n_layers] = {
        "score": 100 * np.nanmedian(mbnb.between_share(scores, layers)),
        "difference": 100
        * np.nanmedian(mbnb.between_share(scores[first] - scores[second], layers)),
        "blind layers": 100 * (n_layers - 1) / (train.n_items - 1),
    }
found = pd.DataFrame(found).T.rename_axis("Layers")
mbnb.show(found).set_caption("Per cent of the variance that lies between layers, medians.")

# %% mystnb={"code_prompt_show": "Show the solution in words", "code_prompt_hide": "Hide the solution in words"} tags=["hide-cell", "solution"]
honest = found.sub(found["blind layers"], axis=0)
mbnb.say(
    "Blind layers explain (layers − 1) ÷ (items − 1) of any variance, by chance alone.",
    f"Without that, five layers explain {honest.loc[5, 'score']:.0f} % of a score, ten "
    f"{honest.loc[10, 'score']:.0f} % and a hundred {honest.loc[100, 'score']:.0f} %.",
    f"Of a difference they explain {honest.loc[5, 'difference']:.1f}, {honest.loc[10, 'difference']:.1f} "
    f"and {honest.loc[100, 'difference']:.1f} %: finer layers do not turn this selector into one for "
    "rankings.",
)

# %% [markdown]
# (exercise-05-3)=
# ```{admonition} Exercise 3: old models choose for new ones
# :class: exercise
#
# Benchmarks are cut down with the models of last year and used on those of this year.
# Take the weakest third of the source models to cut the layers and the strongest third of the targets to be judged.
# How much of their variance do the layers still explain, beside layers that the strongest third of the sources cut?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
third = max(train.n_models // 3, 1)
by_strength = np.argsort(train.accuracies(), kind="stable")
newest = scores[np.argsort(study.targets.accuracies(), kind="stable")[-max(len(scores) // 3, 1) :]]
explained = {}
for name, rows in {"weakest": by_strength[:third], "strongest": by_strength[-third:]}.items():
    order = train.evidence[rows].mean(axis=0).argsort(kind="stable").argsort()
    explained[name] = 100 * np.nanmedian(mbnb.between_share(newest, order * 10 // train.n_items))
mbnb.say(
    f"Layers cut by the weakest third ({third} models) explain {explained['weakest']:.0f} % of the "
    f"variance of a strong target, layers cut by the strongest third {explained['strongest']:.0f} %.",
    "What fools a weak model is not what fools a strong one, so last year’s difficulties are a poor "
    "guide to this year’s, and most of the gain goes with them."
    if explained["weakest"] < 0.6 * explained["strongest"]
    else "Here the difficulties of weak models carry over fairly well.",
    "The estimate stays unbiased all the same; at worst it is as noisy as that of a blind draw.",
)

# %% [markdown]
# ```{admonition} Exercise 4: layers for a ranking (open-ended)
# :class: exercise
#
# Layers by difficulty explain little of a difference.
# Find layers that explain more: try each item’s covariance with the accuracy of the sources, so that a layer holds items that set strong and weak models apart alike, and try the subtasks.
# Look at pairs at least ten points apart and at pairs within five points of one another.
# Which layers would you want for which pairs, and what does that say about the hope for strata in ranking?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
answers = train.scores.astype(np.float64)
strength = train.accuracies() - train.accuracies().mean()
sharpness = (strength @ answers).argsort(kind="stable").argsort()
accuracies = 100 * study.targets.accuracies()
apart = np.abs(accuracies[first] - accuracies[second])
close, far = apart <= 5, apart >= 10
rows = {}
for name, layers in {
    "difficulty": ranks * 10 // train.n_items,
    "covariance with accuracy": sharpness * 10 // train.n_items,
    "subtasks": train.subtask_codes,
}.items():
    shares = 100 * mbnb.between_share(scores[first] - scores[second], layers)
    shares -= 100 * (np.unique(layers).size - 1) / (train.n_items - 1)  # what chance explains
    rows[name] = [
        np.median(shares[kind & ~np.isnan(shares)]) for kind in (close, far) if kind.any()
    ]
columns = [name for name, kind in (("≤ 5 points", close), ("≥ 10 points", far)) if kind.any()]
mbnb.show(pd.DataFrame(rows, index=columns).T.rename_axis("Layers by")).set_caption(
    "Per cent of the variance of a difference between layers, less chance; medians over pairs."
)

# %% mystnb={"code_prompt_show": "Show the solution in words", "code_prompt_hide": "Hide the solution in words"} tags=["hide-cell", "solution"]
best = {column: max(rows, key=lambda name: rows[name][at]) for at, column in enumerate(columns)}
tops = [max(values[at] for values in rows.values()) for at in range(len(columns))]
mbnb.say(
    *(
        f"For pairs {column} apart, layers by {best[column]} explain the most, {top:.1f} %."
        for column, top in zip(columns, tops, strict=True)
    ),
    "Pairs that are far apart are easy anyway.",
    "Two models that are equally able differ by what one happens to know and the other does not; no "
    "layer of the items tells that in advance, since knowing it would be knowing the answer to the "
    "comparison.",
    "What is worth a try is to layer by what *families* of models know, where those that you test "
    "come from families among the sources.",
)

# %% [markdown]
# ## Re-run this chapter
#
# ```bash
# mbnb run 05 -p n_trials=10 -p 'sizes=[10,50]'
# MBNB_DATA=~/leaderboards mbnb run 05 -p dataset=mmlu-pro-47
# ```

# %% tags=["hide-input"]
study.footer(both.trials)
