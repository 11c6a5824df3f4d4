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
# **Items that repel one another detect a gap of 13 to 22 points with 10 items on eight real leaderboards, from 5.5 points less than uniform sampling needs to 6 points more; at 100 items they lead nowhere by more than half a point, and the score is off by 3.3 to 14.8 points.**
#
# *You will learn* how a {term}`DPP` draws items that are unlike one another, which items it favours, and why a score can be far off and the ranking much less so.
# *Time*: 9 minutes to read, under a minute to run.

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
from itertools import product

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import mbnb
from mbnb.plots import draw_real

study = mbnb.open_study(globals())
study

# %% [markdown]
# ## The idea
#
# A blind draw may take two items that every model answers alike, and the second teaches you nothing.
# So draw items that are unlike one another.
#
# Describe each item of the {term}`train half` by the {term}`confidences <confidence>` that the {term}`source models` gave it.
# Reduce these to the four widest principal axes, scaled into (−1, 1), and take as many polynomials on the axes as you want items, those of lowest degree, made orthonormal over the items.
# Each item is then a row of $k$ numbers, and a set of $k$ items is drawn with probability proportional to the squared volume that its rows span {cite:p}`bardenet2021minibatches`.
# Think of two rows as two arrows: items that are answered alike have nearly parallel arrows, span almost no area, and are almost never drawn together {cite:p}`kulesza2012dpp`.
#
# You need not try out sets: draw an item with a chance proportional to its squared length, remove its direction from all rows, and go on.

# %%
train, targets = study.train, study.targets
size = max(k for k in study.sizes if k <= 50 or k == study.sizes[0])
points = train.evidence.T.astype(float)
points -= points.mean(axis=0)
left, spreads, _ = np.linalg.svd(points, full_matrices=False)
axes = left[:, :4] * spreads[:4]
axes = (2 * (axes - axes.min(axis=0)) / np.ptp(axes, axis=0) - 1) * (1 - 1e-6)

powers = sorted(product(range(5), repeat=4), key=lambda p: (sum(p), [-x for x in p]))[:size]
rows, _ = np.linalg.qr(np.cos(np.array(powers)[:, None] * np.arccos(axes)).prod(axis=2).T)
chances = (rows**2).sum(axis=1)  # of each item, to be in the draw

rng, rest, chosen = np.random.default_rng(0), rows.copy(), []
for _ in range(size):
    lengths = (rest**2).sum(axis=1).clip(0)
    chosen.append(rng.choice(train.n_items, p=lengths / lengths.sum()))
    arrow = rest[chosen[-1]] / np.linalg.norm(rest[chosen[-1]])
    rest -= np.outer(rest @ arrow, arrow)

# %% [markdown]
# `mbnb` draws from the same ensemble with less work: it draws a block of items against old lengths and keeps each with the chance that corrects for it.
# So the same generator gives other items, and what must be equal is the chance of each item to be drawn.
# The {term}`estimator` is the plain mean.

# %%
fitted = mbnb.make_selector("diversity").fit(train)
selection = fitted.select(size, np.random.default_rng(0))
assert len(set(chosen)) == size == selection.size
assert np.allclose(fitted.inclusion(size), chances, atol=1e-6)
assert np.allclose(selection.weights, 1 / size)  # the plain mean

# %% [markdown]
# ## What it picks
#
# {numref}`fig-05-plane` shows the draw beside a uniform one.
# The diverse items are spread out and reach the edges of the cloud, where a uniform draw seldom goes.

# %% mystnb={"figure": {"caption": "As many items drawn uniformly and drawn to be diverse, in the plane of the first two axes; every dot is an item, a ring is a chosen one. Data: {glue:text}`data-one`.", "name": "fig-05-plane"}, "image": {"alt": "Two scatter plots of the same cloud of items. Left, uniformly chosen items sit where the cloud is dense; right, chosen items are spread out and reach its edges."}}
picks = {"uniform": rng.permutation(train.n_items)[:size], "diversity": np.array(chosen)}
drawing, panels = plt.subplots(1, 2, figsize=(5.4, 3.4), sharey=True, layout="constrained")
for panel, (name, items) in zip(panels, picks.items(), strict=True):
    look = mbnb.LOOKS[name]
    panel.scatter(axes[:, 0], axes[:, 1], s=4, color="#c3cad2", linewidths=0)
    panel.scatter(
        axes[items, 0],
        axes[items, 1],
        s=40,
        facecolors="none",
        edgecolors=look.color,
        linewidths=1.6,
    )
    panel.set(title=look.label, xlabel="First axis (scaled)")
panels[0].set_ylabel("Second axis (scaled)")
shown = pd.concat(
    pd.DataFrame(axes[items, :2], columns=["first", "second"]).assign(selector=name)
    for name, items in picks.items()
)
mbnb.figure(drawing, shown)

# %% [markdown]
# ## Who gets chosen
#
# Repulsion has a side effect.
# In a cloud with a dense middle, an item that stands alone is pushed away by no other: its arrow is long, because no other item shares its direction.
# You can compute by how much without drawing a single set.

# %%
relative = chances * train.n_items / size  # a uniform draw gives every item 1
distance = np.linalg.norm(axes - np.median(axes, axis=0), axis=1)
outer = distance > np.quantile(distance, 0.9)
print(f"the median item has {np.median(relative):.2f} times the chance of a uniform draw,")
print(f"the most favoured {relative.max():.0f} times;")
print(f"the outer tenth of the items takes {100 * chances[outer].sum() / size:.0f} % of the places")

# %% [markdown]
# With unequal chances the plain mean does not estimate the mean of the half.
# Its expectation is the mean of the answers weighted by the chances, and {numref}`fig-05-bias` shows how far from the {term}`accuracy` that is.

# %%
scores = 100 * targets.scores.astype(float)
accuracy = scores.mean(axis=1)
expected = np.array([scores @ fitted.inclusion(k) / k for k in study.sizes])
shift = expected - accuracy

# %% mystnb={"figure": {"caption": "Bias of the plain mean of a diverse draw, derived: expected estimate minus accuracy. The line is the mean over the target models, the band holds the middle 80 % of them. Data: {glue:text}`data-one`.", "name": "fig-05-bias"}, "image": {"alt": "Bias in points against size on a logarithmic axis: a line with a band around it, and a horizontal line at zero."}}
drawing, panel = plt.subplots(figsize=(5.4, 3.2), layout="constrained")
look = mbnb.LOOKS["diversity"]
low, high = np.quantile(shift, [0.1, 0.9], axis=1)
panel.fill_between(study.sizes, low, high, color=look.color, alpha=0.2, linewidth=0)
panel.plot(study.sizes, shift.mean(axis=1), color=look.color, marker=look.marker)
panel.axhline(0, color=mbnb.LOOKS["uniform"].color, linewidth=1)
panel.set_ylabel("Bias of the plain mean (points)")
mbnb.size_axis(panel, study.sizes)
bias = pd.DataFrame({"size": study.sizes, "mean": shift.mean(axis=1), "low": low, "high": high})
mbnb.figure(drawing, bias)

# %% tags=["remove-cell"]
study.glue(
    size=size,
    largest=study.sizes[-1],
    bias_large=f"{np.abs(shift[-1]).mean():.1f}",
    bias_small=f"{np.abs(shift[0]).mean():.1f}",
    spread_large=f"{shift[-1].std():.1f}",
)

# %% [markdown]
# The bias is {glue:text}`bias-small` points at the smallest {term}`size` and {glue:text}`bias-large` at {glue:text}`largest` items, and no number of draws averages it away.
# A ranking suffers only from the part that models do not share: the biases of single models differ with a standard deviation of {glue:text}`spread-large` points.
# This is the clearest case in the book of why a score and a ranking have to be judged apart.
#
# ## How it does
#
# The lead in {term}`MDAD` on eight real leaderboards, in points:

# %%
real = mbnb.real_leaderboards()
mdads = real.pivot(index=["selector", "dataset"], columns="size", values="mdad")
lead = mdads.loc["uniform"] - mdads.loc["diversity"]
mbnb.show(lead, "Points by which the MDAD of diversity is below that of uniform sampling.")

# %% mystnb={"figure": {"caption": "MDAD with 95 % intervals of diversity and of uniform sampling. A leaderboard without a point has too few items for the size. Data: eight real leaderboards (data/measured).", "name": "fig-05-real"}, "image": {"alt": "Four panels, for 10, 25, 100 and 250 items: at 10 and 25 items the green markers lie clearly left of the grey ones on one leaderboard, on the others near them or to their right."}}
draw_real(real, "diversity")

# %% tags=["claims", "remove-cell"]
own = mdads.loc["diversity"]
assert (own[10].min(), own[10].max()) == (13, 22), "with 10 items 13 to 22 points"
assert (lead[10].min(), lead[10].max()) == (-6, 5.5), "with 10 items from 6 behind to 5.5 ahead"
assert lead[100].max() == 0.5, "at 100 items it leads nowhere by more than half a point"
assert (lead[10] > 0).sum() == 5, "at 10 items ahead on five"
assert (lead[25] > 0).sum() == 1, "at 25 items ahead on one"
assert lead.loc["openllm2-mmlu-pro-math", [10, 25]].to_list() == [5.5, 2.5], "ahead on this one"
error = real.pivot(index=["selector", "dataset"], columns="size", values="error")
errors = {k: error.loc["diversity", k].dropna().round(1) for k in (100, 250)}
assert (errors[100].min(), errors[100].max()) == (3.3, 14.8), "at 100 items 3.3 to 14.8 points off"
assert (errors[250].min(), errors[250].max()) == (4.7, 14.8), "at 250 items 4.7 to 14.8"
assert round(error.loc["diversity"].max().max()) == 15, "by up to 15 points"
blind = error.loc["uniform", 250].dropna().round(1)
assert (blind.min(), blind.max()) == (1.7, 2.2), "uniform sampling 1.7 to 2.2"

# %% [markdown]
# At 10 items it is ahead on five of the eight, at 25 on one, `openllm2-mmlu-pro-math`; on others it is behind by as much.
# The score tells why: at 250 items it is off by 4.7 to 14.8 points, where uniform sampling is off by 1.7 to 2.2.
# On the simulated leaderboard, which you can re-run ({numref}`fig-05-mdad`):

# %%
trials = study.run(["uniform", "diversity"])
counts = mbnb.agreement(trials, reading=study.reading)
table = study.mdad(counts)

# %% mystnb={"figure": {"caption": "MDAD of diversity and of uniform sampling by size, with 95 % intervals. Data: {glue:text}`data`.", "name": "fig-05-mdad"}, "image": {"alt": "MDAD in points against size: two falling lines with intervals; that of diversity lies above that of uniform sampling at most sizes."}}
mbnb.draw_mdad(table)

# %% [markdown]
# ## When to use it
#
# Use it to look at a benchmark: a diverse draw shows you unusual items that a uniform one of the same size misses.
# Do not use its plain mean as a score.
# Dividing each answer by its item's chance removes the bias, at the price of large weights on ordinary items; the study does not do that, and neither does this selector.
# For ranking, try it on answers that you have before you trust it: it would change your mind if its MDAD lay below that of uniform sampling, with intervals apart, on *your* leaderboard.
#
# ## Take-aways
#
# - A determinantal process spreads the chosen items, and favours outliers by a factor that you can compute.
# - Its plain mean is biased: on real leaderboards it misses the score by up to 15 points. Models share part of that, so the ranking suffers less.
# - It leads uniform sampling on some real leaderboards at 10 items and trails it on others; from 25 items on it mostly trails.
#
# ## Exercises
#
# ```{admonition} Exercise 1: derived, or drawn?
# :class: exercise
#
# The chances above were computed without a single draw.
# Check them: draw 40 sets and count how many of their places go to the outer tenth of the items.
# ```

# %% tags=["hide-cell", "solution"]
sets = [fitted.select(size, rng).items for _ in range(40)]
print(f"drawn: {100 * outer[np.concatenate(sets)].mean():.1f} %")
print(f"derived: {100 * chances[outer].sum() / size:.1f} %, uniform: {100 * outer.mean():.1f} %")

# %% [markdown]
# ```{admonition} Exercise 2: the order after infinitely many draws
# :class: exercise
#
# Average a model's estimate over all possible draws of a size: no noise is left, only the bias.
# Which share of the pairs still stands in the wrong order, and how far apart is the farthest such pair?
# ```

# %% tags=["hide-cell", "solution"]
first, second = np.triu_indices(accuracy.size, 1)
gap = np.round(accuracy[first] - accuracy[second], 9)
wrong = (np.sign(expected[:, first] - expected[:, second]) != np.sign(gap)) & (gap != 0)
turned = pd.DataFrame(
    {
        "pairs turned round (%)": 100 * wrong.mean(axis=1),
        "widest (points)": np.abs(gap * wrong).max(axis=1),
    },
    index=study.sizes,
)
mbnb.show(turned.T, "What no number of draws mends, derived for one trial.")

# %% [markdown]
# ```{admonition} Exercise 3: what repulsion gains and favour costs
# :class: exercise
#
# The process keeps chosen items apart, and it favours some.
# Take the two apart: draw sets that favour the same items to the same degree but do not repel, and weight the diverse sets by one over each item's chance.
# Compare bias, noise, and the share of pairs in the right order.
# ```

# %% tags=["hide-cell", "solution"]
blind = [rng.choice(train.n_items, size, replace=False) for _ in sets]
favoured = [rng.choice(train.n_items, size, replace=False, p=chances / size) for _ in sets]
ways = {
    "uniform": [scores[:, s].mean(axis=1) for s in blind],
    "favour alone": [scores[:, s].mean(axis=1) for s in favoured],
    "favour and repulsion": [scores[:, s].mean(axis=1) for s in sets],
    "both, reweighted": [np.average(scores[:, s], axis=1, weights=1 / chances[s]) for s in sets],
}
rows = {}
for way, told in ways.items():
    told = np.round(told, 9)
    right = np.sign(told[:, first] - told[:, second]) == np.sign(gap)
    bias = np.abs(told.mean(axis=0) - accuracy).mean()
    rows[way] = [bias, told.std(axis=0).mean(), 100 * right[:, gap != 0].mean()]
columns = ["bias (points)", "noise (points)", "pairs in order (%)"]
mbnb.show(pd.DataFrame(rows, index=columns).T, "40 draws in one trial.")

# %% [markdown]
# Re-run with other parameters: `mbnb run 05 -p n_trials=10 -p 'sizes=[10,50]'`, or on your data with `-p dataset=./my-benchmark`.

# %% tags=["remove-input"]
study.footer()
