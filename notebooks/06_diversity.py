# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Diversity
#
# Items that repel one another cover the benchmark more evenly than a blind draw does, but the draw visits outlying items far more often than typical ones, and the plain mean pays for it with a bias of {glue:text}`bias-small` points at {glue:text}`smallest` items.
#
# **What you will learn**
#
# - how a {term}`DPP` draws items that are unlike each other
# - which items it favours, from its own probabilities and without a single draw
# - why a score can be far off and the ranking much less so
# - whether it ranks better than a blind draw, here and on real leaderboards
#
# **Reading time** 13 minutes, the exercises not counted.
# **Running time** about two minutes once the grid of [](./10_main_tables) is stored, some ten minutes otherwise.

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
from scipy.spatial import cKDTree

import mbnb

p = mbnb.parameters(globals())
p

# %% tags=["hide-input"]
study = mbnb.open_study(p)
study

# %% [markdown]
# ## How it works
#
# A blind draw may take two items that every model answers alike, and the second teaches you nothing.
# So why not draw items that are unlike one another?
#
# Describe each item of the {term}`train half` by the {term}`confidences <confidence>` that the {term}`source models` gave it, a point with as many coordinates as there are sources.
# Reduce the points to their four widest principal axes and scale each axis into (−1, 1).
# Take as many polynomials on these axes as you want items, those of lowest degree, and make them orthonormal over the items.
# For a {term}`size` of $k$, each item is then a row of $k$ numbers, and a set of $k$ items is drawn with probability proportional to the squared volume that its rows span {cite:p}`bardenet2021minibatches`.
# Think of two rows as two arrows: the area between them is largest if they are long and at right angles.
# Two items that are answered alike have nearly parallel arrows, span almost no area, and so are almost never drawn together {cite:p}`kulesza2012dpp`.
# An item with a long arrow is drawn often; keep that in mind.
# The {term}`estimator` is the plain mean.
#
# {numref}`fig-06-plane` shows a draw and, beside it, a uniform one of the same size.

# %%
train = study.train
shown = study.size_near(50)
fitted, selections, costs = mbnb.time_selector("diversity", train, study.sizes, seed=p.seed)
blind = mbnb.make_selector("uniform").fit(train)
draws = {
    "uniform": blind.select(shown, np.random.default_rng(p.seed)),
    "diversity": selections[shown],
}

# %% mystnb={"figure": {"caption": "The same number of items drawn uniformly and by the diversity process, in the plane of the first two scaled axes; every dot is an item, a ring marks one that was chosen. Data: {glue:text}`data-one`.", "name": "fig-06-plane"}, "image": {"alt": "Two scatter plots of the same cloud of items. Left, uniformly chosen items sit where the cloud is dense; right, chosen items are spread out and reach its edges."}} tags=["hide-input"]
figure, panels = plt.subplots(1, 2, figsize=(5.4, 3.6), sharey=True, layout="constrained")
plane = np.column_stack([fitted.axes, np.zeros((train.n_items, 2))])[:, :2]
for axes, (name, draw) in zip(panels, draws.items(), strict=True):
    mbnb.draw_selection(
        plane, draw, selector=name, axis_labels=("First axis (scaled)", ""), axes=axes
    )
    axes.set_title(mbnb.label(name))
    axes.get_legend().remove()
panels[0].set_ylabel("Second axis (scaled)")
plt.close(figure)
figure

# %% tags=["hide-input"]
nearest = {
    name: np.median(cKDTree(fitted.axes[draw.items]).query(fitted.axes[draw.items], k=2)[0][:, -1])
    for name, draw in draws.items()
}
mbnb.say(
    *fitted.notes,
    f"Among {shown:,} items chosen for diversity, the median distance to the nearest other chosen "
    f"item is {nearest['diversity']:.2f} in the space of all axes; among {shown:,} drawn uniformly, "
    f"{nearest['uniform']:.2f}.",
)

# %% [markdown]
# ## Who gets chosen
#
# For this process you need not draw a single set to know how often an item is chosen: its chance is the squared length of its row.
# A uniform draw gives every item the chance $k / N$.
# {numref}`fig-06-chances` shows each item's chance as a multiple of that, against its distance from the middle of the axes.

# %%
chances = fitted.inclusion(shown) * train.n_items / shown
centre = np.median(fitted.axes, axis=0)
distance = np.linalg.norm(fitted.axes - centre, axis=1)

# %% mystnb={"figure": {"caption": "The chance of each item to be chosen, as a multiple of its chance in a uniform draw (the line), against its distance from the median item on the scaled axes; of many items some 2,000 are shown. Derived, not drawn. Data: {glue:text}`data-one`.", "name": "fig-06-chances"}, "image": {"alt": "A scatter plot of items: distance from the median item on the horizontal axis, relative chance to be chosen on a logarithmic vertical axis, rising with distance across a horizontal line at one."}} tags=["hide-input"]
figure, axes = plt.subplots()
some = slice(None, None, max(1, train.n_items // 2000))
shade = mbnb.LOOKS["diversity"].color
axes.scatter(distance[some], chances[some], s=8, alpha=0.5, linewidths=0, color=shade)
axes.axhline(1, color=mbnb.LOOKS["uniform"].color, linewidth=1.5)
axes.annotate("uniform", (distance.max(), 1), xytext=(0, 4), textcoords="offset points", ha="right")
axes.set_yscale("log")
axes.yaxis.set_major_formatter("{x:g}")
axes.set(xlabel="Distance from the median item (scaled axes)", ylabel="Chance ÷ uniform chance")
plt.close(figure)
figure

# %% tags=["hide-input"]
far = distance > np.quantile(distance, 0.9)
mbnb.say(
    f"At {shown:,} items, half of all items have less than {np.median(chances):.2f} times the chance "
    f"of a uniform draw, and the most favoured has {chances.max():.0f} times.",
    f"The tenth of the items that lies furthest out takes {100 * chances[far].sum() / chances.sum():.0f} % "
    "of the places.",
)

# %% [markdown]
# That is what repulsion does in a cloud with a dense middle: whoever stands alone is pushed away by nobody.
# Its arrow is long because no other item shares its direction.
#
# ## What that does to the score
#
# With unequal chances the plain mean does not estimate the mean of the half.
# Its expectation is known too: the mean of the answers weighted by the chances.
# {numref}`fig-06-bias` draws the distance of that expectation from the {term}`accuracy`, averaged over the {term}`target models` of one trial.

# %%
scores = study.targets.scores.astype(np.float64)
accuracy = scores.mean(axis=1)
expected = {size: scores @ fitted.inclusion(size) / size for size in study.sizes}
shifts = 100 * (np.array(list(expected.values())) - accuracy)

# %% mystnb={"figure": {"caption": "Derived bias of the plain mean under the diversity process: expected estimate minus accuracy. The line is the mean over the target models, the band holds the middle 80 % of them. Data: {glue:text}`data-one`.", "name": "fig-06-bias"}, "image": {"alt": "Bias in points against size on a logarithmic axis: a line with a band around it and a horizontal line at zero."}} tags=["hide-input"]
figure, axes = plt.subplots(figsize=(5.4, 3.4))
low, high = np.quantile(shifts, [0.1, 0.9], axis=1)
color = mbnb.LOOKS["diversity"].color
axes.fill_between(study.sizes, low, high, color=color, alpha=0.2, linewidth=0)
axes.plot(study.sizes, shifts.mean(axis=1), color=color, marker=mbnb.LOOKS["diversity"].marker)
axes.axhline(0, color=mbnb.LOOKS["uniform"].color, linewidth=1)
axes.set_ylabel("Bias of the plain mean (points)")
mbnb.size_axis(axes, study.sizes)
plt.close(figure)
figure

# %% tags=["remove-cell"]
ends = np.quantile(fitted.axes, [0.01, 0.99], axis=0)
inside = np.flatnonzero(((fitted.axes >= ends[0]) & (fitted.axes <= ends[1])).all(axis=1))
kept = mbnb.make_selector("diversity").fit(train.subset(items=inside))
asked = min(shown, inside.size)
cut = 100 * (scores[:, inside] @ kept.inclusion(asked) / asked - accuracy)
bias = dict(zip(study.sizes, np.abs(shifts).mean(axis=1), strict=True))
study.insert(
    shown=shown,
    smallest=study.smallest,
    largest=study.largest,
    shut_out=f"{100 * (1 - inside.size / train.n_items):.0f}",
    bias_all=f"{bias[shown]:.1f}",
    bias_cut=f"{np.abs(cut).mean():.1f}",
    bias_small=f"{bias[study.smallest]:.1f}",
    bias_large=f"{bias[study.largest]:.1f}",
    spread_large=f"{100 * (expected[study.largest] - accuracy).std():.1f}",
)

# %% [markdown]
# At {glue:text}`largest` items the expected estimate is still {glue:text}`bias-large` points off, and no number of draws averages that away.
# Ranking suffers only from the part that models do not share: the biases of single models differ with a standard deviation of {glue:text}`spread-large` points.
# A {term}`micro-benchmark` can misjudge every model by the same amount and still put them in order.
# This is the clearest case in the book of why {term}`estimation error` and ranking have to be judged apart.
#
# ## When it is good, and when not
#
# {numref}`fig-06-comparison` sets {term}`MDAD` and estimation error beside those of uniform sampling.

# %%
both = study.compare("diversity")

# %% mystnb={"figure": {"caption": "Diversity beside uniform sampling. Above: MDAD with 95 % intervals (bins with at least one pair a trial on average decide). Below: mean absolute estimation error. Data: {glue:text}`data`.", "name": "fig-06-comparison"}, "image": {"alt": "Two charts over size: MDAD with intervals for uniform sampling and diversity; and their mean estimation errors."}} tags=["hide-input"]
both.draw()

# %% tags=["hide-input"]
both.table()

# %% tags=["hide-input"]
said = both.sentences()
verdict, misses = said
study.insert(verdict=verdict)
told = mbnb.reported("mdad-mmlu-pro").pivot(index="size", columns="selector", values="mdad")
ahead = [f"{k:,}" for k in told.index[told["diversity"] < told["uniform"]]]
gains = both.gains
unlike = not (gains.loc[gains["size"].isin(told.index), "low"] > 0).any()
mbnb.say(
    verdict,
    misses,
    f"Reported for real models on MMLU-Pro, its MDAD lies below that of uniform sampling at "
    f"{mbnb.listed(ahead)} items.",
    "That lead is not repeated here. The data come into question, and so do the outlying items that "
    "the released code cuts off and the accuracy of the reported figures; the next section takes up "
    "the data."
    if unlike
    else "",
)

# %% [markdown]
# ### On real leaderboards
#
# Is it the simulation that holds the selector back?
# In part: two of its assumptions, that weak models prefer a letter and that what fools a weak model does not fool a strong one, add to its lag, by figures that the [data cards](../book/data_cards.md) give.
# {numref}`fig-06-elsewhere` shows the selector on real leaderboards, where nothing is assumed; [](./20_trust_in_the_simulation) says what else differs.

# %% mystnb={"figure": {"caption": "Diversity on every leaderboard that was measured for this book: MDAD of uniform sampling minus its own, in points, so that above zero is a gain. The band is one bin, no difference. Dashed: simulated; solid: real. Data: `data/measured/leaderboards.csv`.", "name": "fig-06-elsewhere"}, "image": {"alt": "Lines over size, one for each leaderboard, real ones in one colour and simulated ones dashed in another: gains on some leaderboards and losses on others at small sizes, mostly losses at the middle ones."}} tags=["hide-input"]
mbnb.draw_elsewhere("diversity")

# %% tags=["hide-input"]
mbnb.elsewhere_table("diversity")

# %% tags=["hide-input"]
mbnb.say(mbnb.place_simulation("diversity", 10), mbnb.place_simulation("diversity", 250))

# %% [markdown]
# Use it to look at a benchmark: a diverse draw shows you its unusual items, which a uniform one of the same size misses.
# Do not use its plain mean as a score.
# Dividing each answer by its item’s chance would remove the bias, at the price of large weights on the many ordinary items that are seldom drawn; the study does not do that, and neither does this selector ({ref}`exercise 3 <exercise-06-3>` does).
# It would change your mind about ranking by it if its MDAD lay below that of uniform sampling, with intervals apart, at the sizes that you can afford.
#
# ## What it costs

# %% tags=["hide-input"]
study.cost_table(costs)

# %% [markdown]
# At large sizes the cost grows with the square of the size, since each new item must be checked against all that are chosen; [](./18_what_the_study_costs) compares the selectors.
#
# ## What differs from the released code
#
# - There, the items in the outer 1 % at either end of each axis are cut off before anything is drawn, so that they can never be chosen.
#   On these data that would shut out {glue:text}`shut-out` % of the items and turn the bias at {glue:text}`shown` items from {glue:text}`bias-all` to {glue:text}`bias-cut` points.
#   It removes the strongest favourites of {numref}`fig-06-chances`, not the tendency; here every item stays eligible.
# - There, weights are computed and then not used: the estimate is the plain mean, as it is here.
# - There, the process needs at least as many candidates and independent polynomials as items.
#   Here, where duplicates or few sources leave too few, the process gives what it can, the rest is drawn uniformly, and a note says so.
#
# ## Take-aways
#
# - A determinantal process spreads the chosen items, and favours outliers by a factor that you can compute.
# - Its plain mean is biased by {glue:text}`bias-small` points at {glue:text}`smallest` items and {glue:text}`bias-large` at {glue:text}`largest`; models share most of that, so the ranking keeps much of its worth.
# - {glue:text}`verdict`
#
# ## Exercises
#
# ```{admonition} Exercise 1: derived, or drawn?
# :class: exercise
#
# {numref}`fig-06-chances` was made without a single draw.
# Check it: draw 40 sets, count how many of their places go to the tenth of the items that lies furthest out, and compare with the derived share.
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
rng = np.random.default_rng([p.seed, 6])
sets = [fitted.select(shown, rng).items for _ in range(40)]
places = 100 * far[np.concatenate(sets)].mean()
mbnb.say(
    f"Of {40 * shown:,} places drawn, {places:.1f} % go to the outer tenth; derived are "
    f"{100 * chances[far].sum() / chances.sum():.1f} %, and a uniform draw would give "
    f"{100 * far.mean():.1f} %.",
)

# %% [markdown]
# ```{admonition} Exercise 2: the order after infinitely many draws
# :class: exercise
#
# Suppose you could average a model’s estimate over all possible draws of a size.
# No noise is left then, only the bias of {numref}`fig-06-bias`.
# Which share of the pairs of target models would still stand in the wrong order, and how far apart is the farthest such pair?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
one, two = np.triu_indices(len(accuracy), 1)
gaps = 100 * (accuracy[one] - accuracy[two])
apart = np.abs(gaps) > 1e-9  # pairs tied on the half have no right order
turned = pd.DataFrame(
    {
        size: [100 * wrong[apart].mean(), np.abs(gaps)[wrong & apart].max(initial=0)]
        for size, told_order in expected.items()
        for wrong in [np.sign(told_order[one] - told_order[two]) != np.sign(gaps)]
    },
    index=["Pairs turned round (%)", "Widest of them (points)"],
).rename_axis("Size")
turned.columns = [f"{size:,}" for size in turned.columns]
mbnb.show(turned).set_caption(
    "Derived for the targets of one trial: what no number of draws mends."
)

# %% mystnb={"code_prompt_show": "Show the solution in words", "code_prompt_hide": "Hide the solution in words"} tags=["hide-cell", "solution"]
share, widest = turned[f"{shown:,}"]
mbnb.say(
    f"At {shown:,} items {share:.1f} % of the pairs stay turned round, the farthest {widest:.1f} points "
    "apart.",
    "So the bias is not wholly shared, and it sets a limit to the ranking that more draws do not lift.",
)

# %% [markdown]
# (exercise-06-3)=
# ```{admonition} Exercise 3: what repulsion gains and favour costs
# :class: exercise
#
# The process does two things: it keeps chosen items apart, and it favours some.
# Take them apart.
# Beside the diverse sets and uniform ones, draw sets that favour the same items to the same degree but do not repel (independent draws with the derived chances), and weight the diverse sets by one over each item’s chance.
# Compare the bias, the noise of a score, and the share of pairs put in the right order.
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
chance = fitted.inclusion(shown)
every = np.arange(train.n_items)
ways = {
    "uniform": [scores[:, rng.choice(every, shown, replace=False)].mean(axis=1) for _ in sets],
    "favour alone": [
        scores[:, rng.choice(every, shown, replace=False, p=chance / shown)].mean(axis=1)
        for _ in sets
    ],
    "favour and repulsion": [scores[:, chosen].mean(axis=1) for chosen in sets],
    "both, reweighted": [
        np.average(scores[:, chosen], axis=1, weights=1 / chance[chosen]) for chosen in sets
    ],
}
parts = {}
for way, told_scores in ways.items():
    told_scores = np.round(told_scores, 12)
    ordered = np.sign(told_scores[:, one] - told_scores[:, two]) == np.sign(gaps)
    parts[way] = {
        "Bias": 100 * np.abs(told_scores.mean(axis=0) - accuracy).mean(),
        "Noise of a score": 100 * told_scores.std(axis=0).mean(),
        "Pairs in the right order (%)": 100 * ordered[:, apart].mean(),
    }
parts = pd.DataFrame(parts).T
mbnb.show(parts.round(1)).set_caption(f"{len(sets)} draws of {shown:,} items in one trial; points.")

# %% mystnb={"code_prompt_show": "Show the solution in words", "code_prompt_hide": "Hide the solution in words"} tags=["hide-cell", "solution"]
noise, ordered = parts["Noise of a score"], parts["Pairs in the right order (%)"]
mbnb.say(
    "Repulsion does its work:"
    if noise["favour and repulsion"] < noise["favour alone"]
    else "Repulsion gains nothing here:",
    f"the noise of a score is {noise['favour and repulsion']:.1f} points with it and "
    f"{noise['favour alone']:.1f} without, at the same chances.",
    f"Reweighting takes the bias from {parts.loc['favour and repulsion', 'Bias']:.1f} to "
    f"{parts.loc['both, reweighted', 'Bias']:.1f} points (not to zero, since {len(sets)} draws are few) "
    f"and makes the noise {noise['both, reweighted']:.1f}.",
    f"Pairs in the right order: {ordered['uniform']:.0f} % drawn uniformly, "
    f"{ordered['favour alone']:.0f} % with favour alone, {ordered['favour and repulsion']:.0f} % with "
    f"both, {ordered['both, reweighted']:.0f} % reweighted; a point or two is noise.",
)

# %% [markdown]
# ```{admonition} Exercise 4: repulsion without favour (open-ended)
# :class: exercise
#
# An item is favoured because its place on the axes is thinly populated.
# Spread the items out before drawing: replace each axis by the items’ ranks on it, $u$ from 0 to 1, and by $-\cos(\pi u)$, the density for which the process’s polynomials are made.
# How much of the favour and of the bias is left, and what becomes of the order?
# Try a single axis, too.
# Would you publish it?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
places = fitted.axes.argsort(axis=0, kind="stable").argsort(axis=0)
spaces = {
    "as in the study": fitted.axes,
    "first axis alone": fitted.axes[:, :1],
    "spread by ranks": -np.cos(np.pi * (places + 0.5) / train.n_items),
}
variants = {}
for name, space in spaces.items():
    variant = type(fitted)(space, ())
    likely = variant.inclusion(shown)
    told_scores = [scores[:, variant.select(shown, rng).items].mean(axis=1) for _ in sets]
    told_scores = np.round(told_scores, 12)
    ordered = np.sign(told_scores[:, one] - told_scores[:, two]) == np.sign(gaps)
    variants[name] = {
        "Most favoured item (times a uniform chance)": likely.max() * train.n_items / shown,
        "Bias (points, derived)": 100 * np.abs(scores @ likely / shown - accuracy).mean(),
        "Pairs in the right order (%)": 100 * ordered[:, apart].mean(),
    }
variants = pd.DataFrame(variants).T
mbnb.show(variants.round(1)).set_caption(f"{shown:,} items, one trial, {len(sets)} draws.")

# %% mystnb={"code_prompt_show": "Show the solution in words", "code_prompt_hide": "Hide the solution in words"} tags=["hide-cell", "solution"]
times, biases, ordered = (variants[column] for column in variants)
mbnb.say(
    f"Spread by ranks, the most favoured item has {times['spread by ranks']:.1f} times a uniform "
    f"chance in place of {times['as in the study']:.1f}, and the bias is {biases['spread by ranks']:.1f} "
    f"points in place of {biases['as in the study']:.1f}.",
    f"Pairs in the right order: {ordered['spread by ranks']:.0f} % against "
    f"{ordered['as in the study']:.0f} % as in the study, {ordered['first axis alone']:.0f} % with the "
    f"first axis alone, and {parts.loc['uniform', 'Pairs in the right order (%)']:.0f} % drawn "
    "uniformly.",
    "One trial decides nothing.",
    "To publish it, run it on many splits and on several real leaderboards: a single axis can shine on "
    "one and fail on the next.",
)

# %% [markdown]
# ## Re-run this chapter
#
# ```bash
# mbnb run 06 -p n_trials=10 -p 'sizes=[10,50]'
# MBNB_DATA=~/leaderboards mbnb run 06 -p dataset=bigcodebench
# ```

# %% tags=["hide-input"]
study.footer(both.trials)
