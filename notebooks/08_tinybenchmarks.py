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
# - when that beats a blind draw, here and on real leaderboards
# - what the item response model is good for beyond choosing
#
# **Reading time** 14 minutes, the exercises not counted.
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
import pandas as pd

import mbnb

p = mbnb.parameters(globals())
p

# %% tags=["hide-input"]
study = mbnb.open_study(p, right_from=0.5)
study

# %% [markdown]
# ## How it works
#
# Two items may be equally hard and yet ask for different things.
# If you knew what each item asks for, you could choose a few that together ask for everything.
#
# {term}`Item response theory <IRT>` explains a table of answers by abilities and items {cite:p}`birnbaum1968latent,reckase2009multidimensional`.
# In the {term}`2PL` model the log-odds that a model with abilities $\theta$ is right on item $j$ are $a_j \cdot \theta - b_j$.
# Log-odds of 0 are even chances, of 2 about 88 %, of −2 about 12 %.
# Here $b_j$ is the {term}`difficulty` of the item and $a_j$ its {term}`discriminations <discrimination>`, one for each of ten kinds of {term}`ability`.
# Fitted to the {term}`source models`, this turns every item into a point with eleven coordinates.
# $k$-means puts $k$ centres among these points, the item nearest each centre is chosen, and its {term}`weight` is the share of items that are nearest to it {cite:p}`polo2024tinybenchmarks`.
# The {term}`estimator` is the weighted mean of the scores.
#
# {numref}`fig-08-plane` shows two of the eleven coordinates.

# %%
train = study.train
shown = study.size_near(25)
fitted, selections, costs = mbnb.time_selector("tinybenchmarks", train, study.sizes, seed=p.seed)
centres = fitted.centres(shown, np.random.default_rng(p.seed))
difficulty = fitted.points[:, -1]

# %% mystnb={"figure": {"caption": "Items by difficulty and discrimination on the widest ability. A cross is a centre of k-means, a ring the item that was chosen for it, its area growing with the weight. A centre is an average in eleven dimensions, so in this plane its item can lie off it. Data: {glue:text}`data-one`.", "name": "fig-08-plane"}, "image": {"alt": "A scatter plot of items by difficulty and first discrimination with crosses for cluster centres and rings for the chosen items, spread along the axis of difficulty."}} tags=["hide-input"]
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
spoken_for = 100 * selections[shown].weights
mbnb.say(
    *fitted.notes,
    f"Of {shown:,} chosen items, the heaviest speaks for {spoken_for.max():.1f} % of the half and the "
    f"lightest for {spoken_for.min():.1f} %.",
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

# %% mystnb={"figure": {"caption": "What k-means clusters: ten discriminations, widest ability first, and the difficulty b. Above: how the spread of the items divides over these coordinates. Below: how much of a coordinate’s spread, fitted to one half of the source models, the other half predicts. Data: {glue:text}`data-one`.", "name": "fig-08-spread"}, "image": {"alt": "Two bar charts over the same eleven coordinates, in per cent: the share of the spread, with a bar for difficulty at the right end, and the share that two fits have in common."}} tags=["hide-input"]
figure, panels = plt.subplots(2, 1, figsize=(5.4, 5.2), sharex=True, layout="constrained")
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
study.insert(
    share_difficulty=f"{spread[-1]:.0f}",
    fit_seconds=f"{costs['seconds'].iloc[0]:.1f}",
    firm=f"{firm or 'none'}",
    noise=f"{noise:.0f}",
)
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
# The later ones are more noise than signal, and $k$-means weighs them by their spread all the same.
# {ref}`Exercise 2 <exercise-08-2>` takes the coordinates apart, {ref}`exercise 3 <exercise-08-3>` asks how many sources it takes to know them.
#
# Taking the item in the middle of each cluster, rather than a random one, is cheap and not neutral: the middle of a cluster of hard and easy items is a typical item, and the unusual ones never speak.
# There is no guarantee that the weighted mean is unbiased; the trials have to show it.
#
# ## When it is good, and when not
#
# {numref}`fig-08-comparison` sets {term}`MDAD` and {term}`estimation error` beside those of uniform sampling.

# %%
both = study.compare("tinybenchmarks")

# %% mystnb={"figure": {"caption": "tinyBenchmarks beside uniform sampling. Above: MDAD with 95 % intervals (bins with at least one pair a trial on average decide). Below: mean absolute estimation error. Data: {glue:text}`data`.", "name": "fig-08-comparison"}, "image": {"alt": "Two charts over size: MDAD with intervals for uniform sampling and tinyBenchmarks; and their mean estimation errors."}} tags=["hide-input"]
both.draw()

# %% tags=["hide-input"]
both.table()

# %% tags=["hide-input"]
said = both.sentences()
verdict, misses = said
shift = both.trials.table.query("selector == 'tinybenchmarks' and size == @study.largest")
drift = 100 * (shift["estimate"] - shift["train_accuracy"]).mean()
study.insert(verdict=verdict, misses=misses)
mbnb.say(
    verdict,
    misses,
    f"At {study.largest:,} items its estimates lie {abs(drift):.1f} points "
    f"{'above' if drift > 0 else 'below'} the accuracies on average: a shift of all models, which a mean over trials does not remove.",
)

# %% [markdown]
# Weights help at the smallest {term}`sizes <size>` as they do for every weighted selector: estimates of unequal weights seldom {term}`tie`, and ties are what makes the smallest uniform samples so poor.
#
# ### On real leaderboards
#
# The selector reads no {term}`confidence`, so here the simulation has least to make up.
# It does make up that answers follow an item response model of a kind, which is what this selector fits ([](./20_trust_in_the_simulation)).
# {numref}`fig-08-elsewhere` shows the selector where nobody knows what answers follow.

# %% mystnb={"figure": {"caption": "tinyBenchmarks on every leaderboard that was measured for this book: MDAD of uniform sampling minus its own, in points, so that above zero is a gain. The band is one bin, no difference. Dashed: simulated; solid: real. Data: `data/measured/leaderboards.csv`.", "name": "fig-08-elsewhere"}, "image": {"alt": "Lines over size, one for each leaderboard, real ones in one colour and simulated ones dashed in another: gains of several points at ten items that shrink towards zero at 250."}} tags=["hide-input"]
mbnb.draw_elsewhere("tinybenchmarks")

# %% tags=["hide-input"]
mbnb.elsewhere_table("tinybenchmarks")

# %% tags=["hide-input"]
mbnb.say(mbnb.place_simulation("tinybenchmarks", 10), mbnb.place_simulation("tinybenchmarks", 250))

# %% [markdown]
# Use it when you have a few hundred sources, only right-or-wrong scores, and a budget of tens of items.
# Do not use it with few sources, where the priors choose your items, or with graded scores, for which this model is not made: on such data this chapter counts a score as right from one half on, and says so at the top.
# It would change your mind about ten dimensions if a fit with two did as well over many trials; {numref}`fig-08-spread` makes that worth trying, and `fit_2pl` takes the number.
#
# ## What it costs

# %% tags=["hide-input"]
study.cost_table(costs)

# %% [markdown]
# Most of it is the fit, which all sizes share; [](./18_what_the_study_costs) compares the selectors.
#
# ## What differs from the released code
#
# - There, the model is fitted by 2,000 steps of a variational method with hierarchical priors.
#   Here it is the most probable point under fixed Gaussian priors, found by alternating between models and items; variances that are estimated together with the mode would collapse to zero.
# - There, two centres can have the same nearest item, so that fewer items are chosen than were asked for.
#   Here the closer centre keeps it, the other takes the nearest item that is free, and the size is always exact.
# - There, $k$-means has one fixed seed for all trials; here each trial has its own, and the same on every machine.
# - The original method also corrects the weighted mean by the item response model, in estimators called *p-IRT* and *gp-IRT*; the study uses the weighted mean, and so does this chapter ({ref}`exercise 4 <exercise-08-4>` tries the correction).
#
# ## Take-aways
#
# - An item becomes a point of eleven coordinates; {glue:text}`share-difficulty` % of the spread is difficulty, which a plain mean of the scores would have told.
# - {glue:text}`verdict`
# - {glue:text}`misses`
# - Of the ten discriminations, {glue:text}`firm` can be predicted to at least half from other models; {glue:text}`noise` % of the spread does not repeat.
#
# ## Exercises
#
# ```{admonition} Exercise 1: read an item
# :class: exercise
#
# Take the chosen item that speaks for the most others.
# From its difficulty and its discrimination on the widest ability, how likely is a right answer from an average model, and from models one standard deviation below and above?
# What do you learn from asking it?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
heaviest = selections[shown].items[selections[shown].weights.argmax()]
steepness, hardness = fitted.points[heaviest, 0], fitted.points[heaviest, -1]
likely = 100 / (1 + np.exp(-(steepness * np.array([-1, 0, 1]) - hardness)))
mbnb.say(
    f"Its difficulty is {hardness:z.1f} and its discrimination {steepness:z.1f}: right answers come with "
    f"{likely[0]:.0f} % from a model one standard deviation below the average, {likely[1]:.0f} % from an "
    f"average one and {likely[2]:.0f} % from one a standard deviation above.".replace("-", "−"),
    f"It speaks for {100 * selections[shown].weights.max():.0f} % of the half, and to an average model "
    f"it is {'nearly settled before it is asked' if abs(hardness) > 2 else 'an open question'}.",
)

# %% [markdown]
# (exercise-08-2)=
# ```{admonition} Exercise 2: which coordinates carry the choice?
# :class: exercise
#
# Cluster the items by difficulty alone, by the ten discriminations alone, and by all eleven coordinates; choose ten times each, and set the estimates of the target models beside their accuracies.
# Which do you want for a score, and which for an order?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
accuracy = study.targets.accuracies()
one_of, other_of = np.triu_indices(len(accuracy), 1)
gap = np.round(accuracy[one_of] - accuracy[other_of], 12)
picks = np.random.default_rng([p.seed, 8])
seen = {}
for name, columns in {
    "difficulty": [-1],
    "discriminations": range(10),
    "all eleven": range(11),
}.items():
    part = type(fitted)(fitted.points[:, list(columns)], ())
    told = [
        mbnb.estimate("weighted-mean", part.select(shown, picks), study.targets) for _ in range(10)
    ]
    order = [np.sign(row[one_of] - row[other_of]) == np.sign(gap) for row in told]
    seen[name] = {
        "Estimation error (points)": 100 * np.abs(np.array(told) - accuracy).mean(),
        "Pairs in the right order (%)": 100 * np.array(order)[:, gap != 0].mean(),
    }
seen = pd.DataFrame(seen).T
mbnb.show(seen.round(1).rename_axis("Clustered by")).set_caption(f"{shown:,} items, one trial.")

# %% mystnb={"code_prompt_show": "Show the solution in words", "code_prompt_hide": "Hide the solution in words"} tags=["hide-cell", "solution"]
error, right = seen["Estimation error (points)"], seen["Pairs in the right order (%)"]
mbnb.say(
    f"For a score, {error.idxmin()} ({error.min():.1f} points off); for an order, {right.idxmax()} "
    f"({right.max():.1f} % of the pairs).",
    f"From the worst to the best it is {error.max() - error.min():.1f} points, and "
    f"{right.max() - right.min():.1f} % of the pairs; one trial settles no small differences.",
    "Difficulty is common to all models and steadies each score; a discrimination says whom an item "
    "separates.",
)

# %% [markdown]
# (exercise-08-3)=
# ```{admonition} Exercise 3: how many sources does an item’s parameter take?
# :class: exercise
#
# Fit the model to two groups of 20 source models, and to two of 40 and of 80 as far as there are so many.
# How much of the difficulty, and of the first three discriminations, does one group predict of the other?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
shuffled = np.random.default_rng([p.seed, 8]).permutation(train.n_models)
counts = [n for n in (20, 40, 80) if 2 * n <= train.n_models] or [train.n_models // 2]
agreed = {}
for n in counts:
    mine, yours = (
        mbnb.make_selector("tinybenchmarks").fit(train.subset(models=group)).points
        for group in (shuffled[:n], shuffled[n : 2 * n])
    )
    design = np.column_stack([yours, np.ones(train.n_items)])
    missed = (mine - design @ np.linalg.lstsq(design, mine, rcond=None)[0]).var(axis=0)
    agreed[f"{n}"] = 100 * (1 - missed / np.maximum(mine.var(axis=0), 1e-12))[[-1, 0, 1, 2]]
agreed = pd.DataFrame(agreed, index=["difficulty", "first", "second", "third"])
mbnb.show(agreed.round(0).rename_axis(columns="Sources")).set_caption("Per cent predicted.")

# %% mystnb={"code_prompt_show": "Show the solution in words", "code_prompt_hide": "Hide the solution in words"} tags=["hide-cell", "solution"]
fewest = agreed.columns[0]
mbnb.say(
    f"With {fewest} sources {agreed.loc['difficulty', fewest]:.0f} % of the difficulty repeats, and "
    f"{agreed.loc['first', fewest]:.0f}, {agreed.loc['second', fewest]:.0f} and "
    f"{agreed.loc['third', fewest]:.0f} % of the first three discriminations.",
    "Difficulties are had for little; whom an item separates needs far more models, and each further "
    "dimension more again.",
    "So with few sources the selector is one for layers of difficulty, whatever its name.",
)

# %% [markdown]
# (exercise-08-4)=
# ```{admonition} Exercise 4: let the model fill in the rest (open-ended)
# :class: exercise
#
# A target has answered the chosen items, and the item response model has an opinion on all others.
# Fit it once more to the sources’ answers and the targets’ few, everything else of the targets missing, and estimate a target’s accuracy from what it answered and, for the rest, the model’s probabilities.
# That is the idea of *p-IRT* {cite:p}`polo2024tinybenchmarks`.
# Is the error smaller than that of the weighted mean, and the order better?
# What would you have to show before you recommend it?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
asked = selections[shown].items
partial = np.full(study.targets.scores.shape, np.nan, dtype=np.float32)
partial[:, asked] = study.targets.scores[:, asked]
joint = mbnb.fit_2pl(np.vstack([train.scores.astype(np.float32), partial]), n_dims=10)
filled = np.where(np.isnan(partial), joint.probabilities[train.n_models :], partial)
ways = {
    "weighted mean": mbnb.estimate("weighted-mean", selections[shown], study.targets),
    "answers and model": np.round(filled.mean(axis=1), 12),
}
judged = {}
for name, guess in ways.items():
    order = np.sign(guess[one_of] - guess[other_of]) == np.sign(gap)
    judged[name] = [100 * np.abs(guess - accuracy).mean(), 100 * order[gap != 0].mean()]
old, new = judged.values()
mbnb.say(
    f"With {shown:,} items of one trial the error goes from {old[0]:.1f} to {new[0]:.1f} points and the "
    f"pairs in the right order from {old[1]:.0f} to {new[1]:.0f} %.",
    "The model borrows from the sources what the few answers do not tell, and it pulls every target "
    "towards the sources’ average; where targets are better than the sources, that is a bias.",
    "To recommend it, show it over many trials, on real leaderboards, with few sources and with "
    "targets unlike them, at each gap and not only over all pairs.",
)

# %% [markdown]
# ## Re-run this chapter
#
# ```bash
# mbnb run 08 -p n_trials=10 -p 'sizes=[10,50]'
# MBNB_DATA=~/leaderboards mbnb run 08 -p dataset=bigcodebench
# ```

# %% tags=["hide-input"]
study.footer(both.trials)
