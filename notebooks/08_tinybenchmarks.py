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
# Fit an item response model to what the sources answered, and spread the chosen items over its parameters: {glue:text}`share-difficulty` % of what the clustering sees is difficulty, and the model costs {glue:text}`fit-seconds` seconds a trial to learn it.
#
# **What you will learn**
#
# - what a ten-dimensional item response model says about an item, and how much of it repeats with other models
# - how items are taken from clusters of parameters
# - when that beats a blind draw
#
# **Reading time** 11 minutes.
# **Running time** about two minutes once the grid of [](./10_main_tables) is stored, a quarter of an hour otherwise.

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
# {term}`Item response theory <IRT>` explains a table of answers by abilities and items {cite:p}`birnbaum1968latent,reckase2009multidimensional`.
# In the {term}`2PL` model the log-odds that a model with abilities $\theta$ is right on item $j$ are $a_j \cdot \theta - b_j$.
# Here $b_j$ is the {term}`difficulty` of the item and $a_j$ its {term}`discriminations <discrimination>`, one for each of ten kinds of {term}`ability`.
# Fitted to the {term}`source models`, this turns every item into a point with eleven coordinates.
# $k$-means puts $k$ centres among these points, the item nearest each centre is chosen, and its {term}`weight` is the share of items that are nearest to it {cite:p}`polo2024tinybenchmarks`.
# The {term}`estimator` is the weighted mean of the scores.
#
# {numref}`fig-08-plane` shows two of the eleven coordinates.

# %%
fitted, selections, costs = mbnb.time_selector("tinybenchmarks", train, sizes, seed=p.seed)
shown = sizes[min(1, len(sizes) - 1)]
centres = fitted.centres(shown, np.random.default_rng(p.seed))
difficulty = fitted.points[:, -1]

# %% mystnb={"figure": {"caption": "Items by difficulty and discrimination on the widest ability. A cross is a centre of k-means, a ring the item that was chosen for it, its area growing with the weight. A centre is an average in eleven dimensions, so in this plane its item can lie off it. Data: {glue:text}`data`.", "name": "fig-08-plane"}, "image": {"alt": "A scatter plot of items by difficulty and first discrimination with crosses for cluster centres and rings for the chosen items, spread along the axis of difficulty."}} tags=["hide-input"]
figure = mbnb.draw_selection(
    fitted.points[:, [-1, 0]],
    selections[shown],
    selector="tinybenchmarks",
    axis_labels=("Difficulty (log-odds)", "Discrimination, first ability (log-odds per sd)"),
)
axes = figure.axes[0]
axes.scatter(
    centres[:, -1],
    centres[:, 0],
    marker="x",
    s=36,
    color=mbnb.LOOKS["anchor-points"].color,
    label="centres",
    zorder=3,
)
axes.legend(loc="best")
plt.close(figure)
figure

# %% tags=["hide-input"]
weights = np.sort(selections[shown].weights)[::-1]
mbnb.say(
    *fitted.notes,
    f"Of {shown:,} chosen items, the heaviest speaks for {100 * weights[0]:.1f} % of the half and the "
    f"lightest for {100 * weights[-1]:.2f} %.",
)

# %% [markdown]
# ## What the clustering sees
#
# $k$-means spends its centres where the points spread, so look at how much each coordinate spreads.
# It cannot tell spread that says something about the items from spread that is noise of the fit.
# You can: halve the source models, fit each half alone, and ask how well the items’ parameters from one half are predicted from those of the other.
# Abilities have no fixed axes, so the prediction may use all eleven coordinates at once.
# {numref}`fig-08-spread` shows both.

# %%
spread = fitted.points.var(axis=0)
spread = 100 * spread / spread.sum()
halves = np.array_split(np.random.default_rng(p.seed).permutation(train.n_models), 2)
one, other = (
    mbnb.make_selector("tinybenchmarks").fit(train.subset(models=half)).points for half in halves
)
known = np.column_stack([other, np.ones(train.n_items)])
rest = one - known @ np.linalg.lstsq(known, one, rcond=None)[0]
repeated = 100 * (1 - rest.var(axis=0) / np.maximum(one.var(axis=0), 1e-12))

# %% mystnb={"figure": {"caption": "What k-means clusters: ten discriminations, widest ability first, and the difficulty b. Above: how the spread of the items divides over these coordinates. Below: how much of a coordinate’s spread, fitted to one half of the source models, the other half predicts. Data: {glue:text}`data`.", "name": "fig-08-spread"}, "image": {"alt": "Two bar charts over the same eleven coordinates, in per cent: the share of the spread, with a bar for difficulty at the right end, and the share that two fits have in common."}} tags=["hide-input"]
figure, panels = plt.subplots(2, 1, figsize=(6.2, 5.2), sharex=True, layout="constrained")
names = [*(str(number) for number in range(1, spread.size)), "b"]
shades = [mbnb.LOOKS["tinybenchmarks"].color] * (spread.size - 1) + [mbnb.LOOKS["confidence"].color]
for axes, values, text in zip(
    panels, (spread, repeated), ("Share of the spread", "Predicted from other models"), strict=True
):
    axes.bar(names, values, color=shades)
    axes.set(ylabel=f"{text}\n(per cent)", ylim=(0, None))
    axes.grid(visible=False, axis="x")
panels[1].set(xlabel="Discriminations 1 to 10, and difficulty b", ylim=(0, 100))
plt.close(figure)
figure

# %% tags=["hide-input"]
easiness = np.corrcoef(difficulty, train.scores.mean(axis=0, dtype=np.float64))[0, 1]
firm = int((repeated[:-1] >= 50).sum())
noise = float(spread @ (1 - repeated / 100))
glue("share-difficulty", f"{spread[-1]:.0f}", display=False)
glue("fit-seconds", f"{costs['seconds'].iloc[0]:.1f}", display=False)
glue("firm", f"{firm or 'none'}", display=False)
glue("noise", f"{noise:.0f}", display=False)
mbnb.say(
    f"Difficulty takes {spread[-1]:.0f} % of the spread and is predicted to {repeated[-1]:.0f} %; "
    f"it is no news either, since its correlation with the plain share of sources that are right is "
    f"{easiness:.2f}.".replace("-", "−"),
    f"Of the ten discriminations, {firm or 'none'} {'is' if firm == 1 else 'are'} predicted to at least half; "
    f"the last five to {repeated[5:-1].mean():.0f} % on average.",
    f"Weighted by spread, {noise:.0f} % of what the clustering sees does not repeat with "
    f"{halves[1].size} other sources; with all {train.n_models} sources it will be less.",
)

# %% [markdown]
# What carries this {term}`selector` is thus in good part what carries [](./05_confidence): layers of difficulty, cut finely, with one item from each.
# What it adds is the first few discriminations, which say not how hard an item is but *whom* it separates.
# The later ones are more noise than signal, and $k$-means takes them as seriously as the first.
#
# Taking the item in the middle of each cluster, rather than a random one, is cheap and not neutral: the middle of a cluster of hard and easy items is a typical item, and the unusual ones never speak.
# There is no guarantee that the weighted mean is unbiased; the trials have to show it.
#
# ## When it is good, and when not

# %%
trials = mbnb.run_trials(
    matrix,
    ["uniform", "tinybenchmarks"],
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

# %% mystnb={"figure": {"caption": "tinyBenchmarks beside uniform sampling. Above: MDAD with 95 % intervals (bins with at least one pair a trial on average decide). Below: mean absolute estimation error. Data: {glue:text}`data`.", "name": "fig-08-comparison"}, "image": {"alt": "Two charts over size: MDAD with intervals for uniform sampling and tinyBenchmarks; and their mean estimation errors."}} tags=["hide-input"]
mbnb.draw_comparison(table, errors)

# %% tags=["hide-input"]
mbnb.comparison_table(table, errors, mbnb.reported("mdad-mmlu-pro"), "MMLU-Pro")

# %% tags=["hide-input"]
verdict = mbnb.compare_mdad(gains, "tinybenchmarks")
misses = mbnb.compare_error(errors, "tinybenchmarks")
shift = trials.table.query("selector == 'tinybenchmarks' and size == @sizes[-1]")
drift = 100 * (shift["estimate"] - shift["train_accuracy"]).mean()
glue("verdict", verdict, display=False)
glue("misses", misses, display=False)
mbnb.say(
    verdict,
    misses,
    f"At {sizes[-1]:,} items its estimates lie {abs(drift):.1f} points "
    f"{'above' if drift > 0 else 'below'} the accuracies on average: a shift of all models, which a mean over trials does not remove.",
)

# %% [markdown]
# Weights help at the smallest sizes as they do for every weighted selector: estimates of unequal weights seldom {term}`tie`, and ties are what makes the smallest uniform samples so poor.
#
# Use it when you have a few hundred sources, only right-or-wrong scores, and a budget of tens of items.
# Do not use it with few sources, where the priors choose your items, or with graded scores, for which this model is not made.
# It would change your mind about ten dimensions if a fit with two did as well; {numref}`fig-08-spread` makes that worth trying, and `fit_2pl` takes the number.
#
# ## What it costs

# %% tags=["hide-input"]
mbnb.cost_table(costs, mbnb.reported("costs"), train)

# %% [markdown]
# The fit is nearly all of it, and all sizes share one.
#
# ## What differs from the released code
#
# - There, the model is fitted by 2,000 steps of a variational method with hierarchical priors.
#   Here it is the most probable point under fixed Gaussian priors, found by alternating between models and items; variances that are estimated together with the mode would collapse to zero.
# - There, two centres can have the same nearest item, so that fewer items are chosen than were asked for.
#   Here the closer centre keeps it, the other takes the nearest item that is free, and the size is always exact.
# - There, $k$-means has one fixed seed for all trials; here each trial has its own, and the same on every machine.
# - The original method also corrects the weighted mean by the item response model, in estimators called *p-IRT* and *gp-IRT*; the study uses the weighted mean, and so does this chapter.
#
# ## Take-aways
#
# - An item becomes a point of eleven coordinates; {glue:text}`share-difficulty` % of the spread is difficulty, which a plain mean of the scores would have told.
# - {glue:text}`verdict`
# - {glue:text}`misses`
# - Of the ten discriminations, {glue:text}`firm` can be predicted to at least half from other models; {glue:text}`noise` % of the spread does not repeat.
#
# ## Re-run this chapter
#
# ```
# mbnb run 08 -p n_trials=10 -p 'sizes=[10,50]'
# MBNB_DATA=~/leaderboards mbnb run 08 -p dataset=bigcodebench
# ```

# %% tags=["hide-input"]
mbnb.footer(matrix, p.seed, trials)
