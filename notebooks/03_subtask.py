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
# **Taking equally many items from every subtask ranks models no better than uniform sampling: with 10 items the MDAD is 17.5 to 22.5 points on eight real leaderboards, up to 4 points more than uniform sampling needs there, and the score it estimates is another one.**
#
# *You will learn* what equal quotas do to {term}`subtasks <subtask>` of unequal size, why more items do not remove their error, and which weight does.
# *Time*: 8 minutes to read, under a minute to run.

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
from scipy.stats import kendalltau

import mbnb
from mbnb.plots import draw_real

study = mbnb.open_study(globals())
study

# %% [markdown]
# ## The idea
#
# A uniform draw may forget a small subtask altogether.
# So give each subtask the same quota: the {term}`size` divided by the number of subtasks.
# Items left over go to as many subtasks at random, a subtask smaller than its quota gives all it has, and within a subtask the draw is {term}`uniform <uniform sampling>`.
# The {term}`estimator` is the plain mean, as in the study.

# %%
train, targets = study.train, study.targets
size = max(k for k in study.sizes if k <= 100 or k == study.sizes[0])
codes = train.subtask_codes
members = np.bincount(codes)
rng = np.random.default_rng(0)

quota = max(q for q in range(size + 1) if np.minimum(members, q).sum() <= size)
quotas = np.minimum(members, quota)
has_more = np.flatnonzero(members > quota)
quotas[rng.choice(has_more, size - quotas.sum(), replace=False)] += 1
draws = [
    rng.choice(np.flatnonzero(codes == code), n, replace=False) for code, n in enumerate(quotas)
]
items = np.sort(np.concatenate(draws))

# %% [markdown]
# `mbnb` draws in the same order, so from the same generator it takes the very same items.

# %%
fitted = mbnb.make_selector("subtask").fit(train)
selection = fitted.select(size, np.random.default_rng(0))
assert np.array_equal(selection.items, items)
assert np.allclose(selection.weights, 1 / size)  # the plain mean

# %% [markdown]
# ## What it picks
#
# {numref}`fig-03-quotas` compares what each subtask is worth in the {term}`train half` with what it is worth in the selection.
# The largest holds {glue:text}`largest-share` of the half and gets {glue:text}`largest-quota` of the selection; the smallest holds {glue:text}`smallest-share` and gets {glue:text}`smallest-quota`.

# %% mystnb={"figure": {"caption": "What each subtask is worth: its share of the train half, and its share of one selection with equal quotas. Data: {glue:text}`data-one`.", "name": "fig-03-quotas"}, "image": {"alt": "For each subtask two markers joined by a line: its share of the train half, which differs a lot from subtask to subtask, and its share of the selection, which is nearly the same for all."}}
shares = pd.DataFrame(
    {
        "subtask": train.subtasks,
        "in the train half": 100 * members / members.sum(),
        "in the selection": 100 * quotas / size,
    }
).sort_values("in the train half", ignore_index=True)
drawing, axes = plt.subplots(figsize=(5.4, 1.4 + 0.24 * len(shares)), layout="constrained")
axes.hlines(
    shares.index, shares["in the train half"], shares["in the selection"], color=mbnb.TINTS[2]
)
for name, column in (("uniform", "in the train half"), ("subtask", "in the selection")):
    look = mbnb.LOOKS[name]
    axes.plot(shares[column], shares.index, look.marker, color=look.color, label=column)
axes.set_yticks(shares.index, shares["subtask"], fontsize=10)
axes.set(xlabel="Share of the items (per cent)", xlim=(0, None))
drawing.legend(loc="outside upper center", ncols=2)
mbnb.figure(drawing, shares)

# %% tags=["remove-cell"]
ends = shares.iloc[[0, -1]].to_numpy()
for name, (_, share, own) in zip(("smallest", "largest"), ends, strict=True):
    study.glue(**{f"{name}_share": f"{share:.1f} %", f"{name}_quota": f"{own:.1f} %"})

# %% [markdown]
# ## Which score does it estimate?
#
# The {term}`accuracy` of this book pools all items, so a large subtask counts for more: it is the {term}`micro average`.
# Under equal quotas every subtask counts alike, and the plain mean aims at the {term}`macro average`.
# Both are honest scores, but they are not the same score.
#
# The remedy is a {term}`weight`.
# If subtask $h$ holds $N_h$ of the $N$ items and gives $n_h$ of them, each of these stands for $N_h / n_h$ items, and weighs $N_h / (N n_h)$.
# That is the textbook's stratified mean {cite:p}`cochran1977sampling`, and it is unbiased for the pooled accuracy.
# {numref}`fig-03-bias` draws 200 selections of each size and shows how far off the two estimates are.

# %%
micro, macro = 100 * targets.accuracies(), 100 * targets.accuracies("subtasks")
scores = 100 * targets.scores.astype(float)


def estimates(items: np.ndarray) -> dict[str, np.ndarray]:
    """Of each target model, in points: the plain mean, and the mean by stratified weights."""
    own = codes[items]
    weights = (members / members.sum())[own] / np.bincount(own, minlength=members.size)[own]
    return {
        "equal quotas, plain mean": scores[:, items].mean(axis=1),
        "equal quotas, weighted": scores[:, items] @ weights / weights.sum(),
    }


rng = np.random.default_rng([study.p.seed, 3])
missed = []
for k in study.sizes:
    for _ in range(200):
        told = estimates(fitted.select(k, rng).items)
        told["uniform"] = scores[:, rng.choice(train.n_items, k, replace=False)].mean(axis=1)
        missed += [(k, way, np.abs(guess - micro).mean()) for way, guess in told.items()]
errors = pd.DataFrame(missed, columns=["size", "way", "error"])
errors = errors.groupby(["size", "way"], sort=False)["error"].mean().unstack()

# %% mystnb={"figure": {"caption": "What equal quotas cost a score, and what repairs it: mean absolute error of the estimate of the accuracy over all items, 200 draws of each size. The dotted line is the mean distance of macro and micro average. Data: {glue:text}`data-one`.", "name": "fig-03-bias"}, "image": {"alt": "Error in points against size, three falling lines: uniform sampling and equal quotas with stratified weights go on falling, equal quotas with the plain mean levels out at a dotted line, its bias."}}
drawing, axes = plt.subplots(figsize=(5.4, 3.8), layout="constrained")
own, base = mbnb.LOOKS["subtask"], mbnb.LOOKS["uniform"]
for way, color, style in (
    ("uniform", base.color, "o-"),
    ("equal quotas, plain mean", own.color, "s--"),
    ("equal quotas, weighted", own.color, "d-"),
):
    hollow = "white" if "weighted" in way else color
    axes.plot(errors.index, errors[way], style, color=color, markerfacecolor=hollow, label=way)
bias = np.abs(macro - micro).mean()
axes.axhline(bias, color=mbnb.THRESHOLD, linestyle=":", label="macro less micro average")
mbnb.size_axis(axes, study.sizes)
mbnb.points_axis(axes, errors.max().max())
axes.set_ylabel("Error of the estimate (points)")
drawing.legend(loc="outside upper center", ncols=2, fontsize=10)
mbnb.figure(drawing, errors.reset_index())

# %% tags=["remove-cell"]
first, second = np.triu_indices(micro.size, 1)
order = np.sign(np.round(micro[first] - micro[second], 9))
turned = np.mean(order != np.sign(np.round(macro[first] - macro[second], 9)))
study.glue(
    bias=f"{bias:.1f}",
    spread=f"{(macro - micro).std():.1f}",
    turned=mbnb.percent(turned),
    largest=study.sizes[-1],
    plain_error=f"{errors.iloc[-1]['equal quotas, plain mean']:.1f}",
    weighted_error=f"{errors.iloc[-1]['equal quotas, weighted']:.1f}",
)

# %% [markdown]
# Macro and micro average lie {glue:text}`bias` points apart here, and that is where the plain mean stops: at {glue:text}`largest` items it is {glue:text}`plain-error` points off, with weights {glue:text}`weighted-error`.
# Weights have a price, too.
# An item that stands for many weighs much, so at small sizes the weighted mean is noisier than either of the others.
#
# A shift that all models share harms a score and no ranking.
# But models differ in their shift, here with a standard deviation of {glue:text}`spread` points, so {glue:text}`turned` of the pairs stand in another order under the macro average, and no number of items turns them back.
# On the real leaderboards it is 1.9 to 8.9 % of the pairs, and the two averages lie 0.7 to 6.4 points apart.

# %% tags=["claims", "remove-cell"]
facts = mbnb.measured("first-trial").set_index("dataset")
facts = facts[~facts.index.str.startswith("simulated:")].select_dtypes("number")
spans = facts.agg(["min", "max"]).round(1)
assert list(spans["bias"]) == [0.7, 6.4], "the two averages lie 0.7 to 6.4 points apart"
assert list(spans["turned"]) == [1.9, 8.9], "1.9 to 8.9 % of the pairs turn over"
assert list(spans["between_pairs"]) == [1.2, 14.9], "1.2 to 15 % lie between subtasks"
if study.is_default:
    assert errors.iloc[-1].idxmax() == "equal quotas, plain mean", "at the largest size it is worst"
    assert errors.iloc[0].idxmax() == "equal quotas, weighted", "small and weighted is noisiest"

# %% [markdown]
# ## How it does
#
# {term}`MDAD` in points of equal quotas on eight real leaderboards, and how much less than that of uniform sampling it is:

# %%
real = mbnb.real_leaderboards()
mdads = real.pivot(index=["selector", "dataset"], columns="size", values="mdad")
lead = mdads.loc["uniform"] - mdads.loc["subtask"]
mbnb.show(lead, "Points by which the MDAD of equal quotas is below that of uniform sampling.")

# %% mystnb={"figure": {"caption": "MDAD with 95 % intervals of equal quotas and of uniform sampling. A leaderboard without a point has too few items for the size. Data: eight real leaderboards (data/measured).", "name": "fig-03-real"}, "image": {"alt": "Four panels, for 10, 25, 100 and 250 items: on each of eight leaderboards a grey and an ochre marker with intervals; the ochre one lies at the same place as the grey one or to the right of it."}}
draw_real(real, "subtask")

# %% tags=["claims", "remove-cell"]
own = mdads.loc["subtask"]
assert (own[10].min(), own[10].max()) == (17.5, 22.5), "with 10 items 17.5 to 22.5 points"
assert (lead[10].min(), lead[10].max()) == (-4, 0), "with 10 items up to 4 points more"
error = real.pivot(index=["selector", "dataset"], columns="size", values="error")
worse = (error.loc["subtask"] - error.loc["uniform"])[250].dropna()
assert (lead > 0).sum().sum() == 1 and lead.loc["rewardbench", 50] == 1, "ahead once, by 1 point"
assert len(worse) == 7 and worse.min() > 0, "at 250 items the error is larger on all seven"
assert round(worse.max(), 1) == 3.1, "by up to 3.1 points"

# %% [markdown]
# At one size on one leaderboard equal quotas are ahead, by 1 point (50 items of `rewardbench`); everywhere else they are level or behind.
# At 250 items the error of the score is larger than that of uniform sampling on all seven leaderboards that have so many, by up to 3.1 points.
# On the simulated leaderboard, which you can re-run ({numref}`fig-03-mdad`):

# %%
trials = study.run(["uniform", "subtask"])
counts = mbnb.agreement(trials, reading=study.reading)
table = study.mdad(counts)

# %% mystnb={"figure": {"caption": "MDAD of equal quotas and of uniform sampling by size, with 95 % intervals. Data: {glue:text}`data`.", "name": "fig-03-mdad"}, "image": {"alt": "MDAD in points against size: two falling lines with intervals that overlap at most sizes."}}
mbnb.draw_mdad(table)

# %% [markdown]
# ## When to use it
#
# Use equal quotas when the macro average is the score you want, or when you must report every subtask.
# Do not use their plain mean for a pooled score; if you want coverage *and* the pooled score, use the weights, or quotas in proportion.
# For ranking, {term}`strata` can only save the part of the variance of a *difference* of two models that lies between them.
# On the real leaderboards that is 1.2 to 15 % for the median pair, so quotas save hardly more items than that.
# A benchmark whose subtasks split models far more than these would change your mind: exercise 2 measures yours.
#
# ## Take-aways
#
# - Equal quotas make sure that no subtask is forgotten; they do not make a ranking better.
# - Their plain mean estimates the macro average, 0.7 to 6.4 points from the pooled accuracy on real leaderboards.
# - The weight $N_h / (N n_h)$ takes the bias away, at the price of some noise.
#
# ## Exercises
#
# ```{admonition} Exercise 1: coverage without the bias
# :class: exercise
#
# Which of the three ways puts the most pairs of target models in the right order, at about 100 items and at the largest size?
# Does the answer change if the order you want is that of the macro average?
# ```

# %% tags=["hide-cell", "solution"]
rows = {}
for k in dict.fromkeys((size, study.sizes[-1])):
    for _ in range(100):
        told = estimates(fitted.select(k, rng).items)
        told["uniform"] = scores[:, rng.choice(train.n_items, k, replace=False)].mean(axis=1)
        for way, guess in told.items():
            gap = np.round(guess[first] - guess[second], 9)
            for aim, right in (("pooled order", micro), ("macro order", macro)):
                agree = np.sign(gap) == np.sign(right[first] - right[second])
                rows.setdefault((way, aim, k), []).append(100 * agree.mean())
judged = pd.Series({key: np.mean(values) for key, values in rows.items()})
mbnb.show(judged.unstack(), "Pairs in the right order (per cent), one trial.")

# %% [markdown]
# ```{admonition} Exercise 2: another ability, or only fewer items?
# :class: exercise
#
# The ranking by one subtask differs from the ranking by all the others.
# Does it measure another ability, or is it just a small sample?
# Compare {term}`Kendall’s tau <tau>` between the accuracies on a subtask and on the rest with that of as many random items.
# Which subtasks would you report on their own?
# ([](./12_new_items_new_models) measures a micro-benchmark for each.)
# ```

# %% tags=["hide-cell", "solution"]
whole, rows = study.matrix, {}
total = whole.scores.sum(axis=1, dtype=float)
for code, subtask in enumerate(whole.subtasks):
    own = np.flatnonzero(whole.subtask_codes == code)
    if not 5 <= own.size < whole.n_items:
        continue
    sets = [own] + [rng.choice(whole.n_items, own.size, replace=False) for _ in range(10)]
    sums = [whole.scores[:, some].sum(axis=1, dtype=float) for some in sets]
    taus = [kendalltau(part, total - part).statistic for part in sums]
    rows[subtask] = {"items": own.size, "tau": taus[0], "random items": np.mean(taus[1:])}
mbnb.show(pd.DataFrame(rows).T, "Kendall’s tau between a subtask and the rest of the benchmark.")

# %% [markdown]
# Re-run with other parameters: `mbnb run 03 -p n_trials=10 -p 'sizes=[10,50]'`, or on your data with `-p dataset=./my-benchmark`.

# %% tags=["remove-input"]
study.footer()
