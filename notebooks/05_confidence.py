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
# - what goes wrong when quotas are rounded one by one
#
# **Reading time** 9 minutes.
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
# For each item of the {term}`train half`, take the mean {term}`confidence` of the {term}`source models`: near 1 where they are sure of the right answer, near 0 where they are sure of a wrong one.
# Cut the items into ten layers of similar means by one-dimensional $k$-means.
# Give each layer a number of places in proportion to its items and draw that many uniformly from it {cite:p}`fogliato2024framework`.
# A chosen item of layer $h$, with $N_h$ of the $N$ items and $n_h$ places, has the {term}`weight` $N_h / (N n_h)$: it speaks for its layer.
# The weighted mean is then unbiased, since within a layer every item has the same chance.

# %%
fitted, selections, costs = mbnb.time_selector("confidence", train, sizes, seed=p.seed)
means = train.evidence.mean(axis=0, dtype=np.float64)
codes = np.repeat(range(len(fitted.strata)), [stratum.size for stratum in fitted.strata])
codes = codes[np.argsort(np.concatenate(fitted.strata))]
shown = sizes[min(1, len(sizes) - 1)]

# %% mystnb={"figure": {"caption": "Strata on the histogram of mean source confidence. Above each layer stands the number of items that a selection takes from it. Data: {glue:text}`data`.", "name": "fig-05-strata"}, "image": {"alt": "A histogram of the items by mean confidence, cut into adjacent layers in alternating shades, each with the number of items it gives to the selection."}} tags=["hide-input"]
strata, quotas = fitted.merged(shown)
figure, axes = plt.subplots(figsize=(6.2, 3.8))
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
merges = {size: len(fitted.strata) - len(fitted.merged(size)[0]) for size in sizes}
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
# Cochran's rule says what strata with proportional places save: the share of the variance that lies *between* the layers {cite:p}`cochran1977sampling`.
# For one model the layers are made for the job.
# An item that most sources get right is one that your model mostly gets right too, so much of its variance is between layers.
#
# Now take two models and look at their difference on each item: 1 where only the first is right, −1 where only the second is, 0 where they do alike.
# On easy items both are right and the difference is 0.
# On hard items both are wrong and it is 0 again.
# What the layers explain in one model they explain in the other, and it cancels.
# {numref}`fig-05-between` shows both shares for the {term}`target models` of one trial.

# %%
scores = matrix.subset(split.targets, split.train).scores.astype(np.float32)
first, second = np.triu_indices(len(scores), 1)
for_scores = 100 * mbnb.between_share(scores, codes)
for_pairs = 100 * mbnb.between_share(scores[first] - scores[second], codes)

# %% mystnb={"figure": {"caption": "How much of the variance over items lies between the strata, for the scores of single target models and for the differences of pairs. Strata save this share of the noise, and no more. Data: {glue:text}`data`.", "name": "fig-05-between"}, "image": {"alt": "Two histograms, one above the other, on one axis of per cent: shares of variance between strata for single models, and for differences of pairs."}} tags=["hide-input"]
figure, panels = plt.subplots(2, 1, figsize=(6.2, 4.2), sharex=True, layout="constrained")
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
glue("for-scores", f"{single:.0f}", display=False)
glue("for-pairs", f"{double:.0f}", display=False)
glue("error-ratio", f"{100 * (1 - np.sqrt(1 - single / 100)):.0f}", display=False)

# %% [markdown]
# An error goes with the square root of a variance.
# Taking away {glue:text}`for-scores` % of the variance makes the {term}`estimation error` of a median model about {glue:text}`error-ratio` % smaller than that of uniform sampling, at any {term}`size`.
# For the order of a median pair it is worth about {glue:text}`for-pairs` % more items, where the next size on the axis has two and a half times as many.
#
# ## When it is good, and when not

# %%
trials = mbnb.run_trials(
    matrix,
    ["uniform", "confidence"],
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

# %% mystnb={"figure": {"caption": "Confidence strata beside uniform sampling. Above: MDAD with 95 % intervals (bins with at least one pair a trial on average decide). Below: mean absolute estimation error. Data: {glue:text}`data`.", "name": "fig-05-comparison"}, "image": {"alt": "Two charts over size: MDAD with intervals for uniform sampling and confidence strata, two falling lines; and their mean estimation errors, which fall as well."}} tags=["hide-input"]
mbnb.draw_comparison(table, errors)

# %% tags=["hide-input"]
mbnb.comparison_table(table, errors, mbnb.reported("mdad-mmlu-pro"), "MMLU-Pro")

# %% tags=["hide-input"]
by_size = errors.pivot(index="size", columns="selector", values="error")
ratio = by_size["confidence"] / by_size["uniform"]
mbnb.say(
    mbnb.compare_mdad(gains, "confidence"),
    mbnb.compare_error(errors, "confidence"),
    f"The ratio of the two errors lies between {ratio.min():.2f} and {ratio.max():.2f}, where the "
    f"layers of one trial let you expect about {np.sqrt(1 - single / 100):.2f}.",
)

# %% [markdown]
# At the smallest sizes more is at work than layers: an estimate that weights its items unequally {term}`ties <tie>` less often than a count does, and a tie counts as wrong ([](./03_uniform)).
#
# Use confidence strata when you want the score itself, and you have source models whose difficulties carry over to the model that you test.
# If they do not carry over, the layers turn into random groups: you lose the gain, and nothing else, because the weights keep the estimate unbiased.
# That makes this the safest selector that looks at models at all.
# It would change your mind about its use for ranking if the lower histogram of {numref}`fig-05-between` lay as far right as the upper one.
#
# ## What it costs

# %% tags=["hide-input"]
mbnb.cost_table(costs, mbnb.reported("costs"), train)

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
# ## Re-run this chapter
#
# ```
# mbnb run 05 -p n_trials=10 -p 'sizes=[10,50]'
# MBNB_DATA=~/leaderboards mbnb run 05 -p dataset=mmlu-pro-47
# ```

# %% tags=["hide-input"]
mbnb.footer(matrix, p.seed, trials)
