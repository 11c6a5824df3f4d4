# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # More from the same answers
#
# **The same 25 random items detect 6 to 8 points on eight real leaderboards if an {term}`estimator` knows how other models answered them, and 8 to 12 if you take their mean; at 10 items Anchor Points with their own estimate are still better (7 to 12 against 11 to 16).**
#
# *You will learn* how answers of {term}`source models` become coefficients for random items, what that gains on real leaderboards and what it does not, and when it does harm.
# *Time*: 13 minutes to read, a minute to run.

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
from myst_nb import glue

import mbnb

study = mbnb.open_study(globals())
study

# %% [markdown]
# ## The idea
#
# The chapters before this one ask *which* items to choose; what is done with the answers is always a mean.
# Here the items are random, and the question is what else their answers tell.
# An item that strong models solve and weak ones do not says much about a score; one that is solved by luck, or by everybody, says little; two that go together should not count twice.
# The source models tell which is which, since their answers to these items and their full scores are known.
#
# So regress what the mean misses on the answers, with a penalty $\lambda$ on large coefficients that is chosen by leaving one source out at a time {cite:p}`hoerl1970ridge,golub1979generalized`:
#
# $$\hat s = \beta_0 + \sum_i (w_i + \gamma_i)\,x_i .$$

# %%
sources, targets = study.train, study.targets
items = np.random.default_rng(study.p.seed).permutation(sources.n_items)[:25]
X, full = sources.scores[:, items].astype(float), sources.accuracies()

missed = full - X.mean(axis=1)  # what the plain mean misses
centred = X - X.mean(axis=0)
U, d, Vt = np.linalg.svd(centred, full_matrices=False)
scale = (d**2).sum() / min(len(X) - 1, len(items))


def left_out_error(penalty):
    shares = d**2 / (d**2 + penalty)
    leverage = (U**2) @ shares + 1 / len(X)
    return np.sum(((missed - missed.mean() - (U * shares) @ (U.T @ missed)) / (1 - leverage)) ** 2)


penalty = min(scale * np.logspace(-3, 4, 29), key=left_out_error)
gamma = Vt.T @ (d / (d**2 + penalty) * (U.T @ (missed - missed.mean())))
estimates = missed.mean() + (targets.scores[:, items] - X.mean(axis=0)) @ gamma
estimates += targets.scores[:, items].mean(axis=1)

# %% [markdown]
# This is `corrected-mean`.
# Where the sources teach nothing the penalty grows, $\gamma$ vanishes, and models are ordered as by the mean.

# %%
selection = mbnb.Selection.of(items)
same = mbnb.estimate("corrected-mean", selection, targets, sources)
assert np.allclose(same, estimates)
error = 100 * np.abs(
    np.stack([targets.scores[:, items].mean(axis=1), estimates]) - targets.accuracies()
)
print(
    f"mean error of 25 items: plain {error[0].mean():.1f} points, corrected {error[1].mean():.1f}"
)

# %% [markdown]
# Three other estimators learn from the same sources.
# `ridge` regresses the full score itself and falls back to the sources' mean, the same for all.
# `p-irt` fits an {term}`item response model <IRT>` to the sources, places the new model in it, and fills in the items not asked; `gp-irt` mixes that with the mean {cite:p}`polo2024tinybenchmarks`.
#
# None of this is new as statistics: survey samplers call it a regression estimator {cite:p}`cochran1977sampling,sarndal1992model`.
# Nor is it new for language models: Zhang, Dorner and Hardt showed that a random sample and a regression on it are a strong baseline that few methods beat {cite:p}`zhang2025misses`; Bowyer, Locatelli and Cao improve many methods by kernel ridge regression alone {cite:p}`bowyer2026efficient`; metabench maps a short test to the full score {cite:p}`kipnis2025metabench`.
# New here is what it does to the *gaps* that a micro-benchmark detects, with intervals, on eight leaderboards.
#
# ## What it gains, like with like
#
# The table compares the ways on the same 50 trials of eight real leaderboards.
# Anchor Points and tinyBenchmarks come with the estimates that their authors use.

# %%
measured = mbnb.measured("better-estimators").query("half == 'train'")
# With confidences, Anchor Points estimate by them; that is how chapter 9 has them.
own = mbnb.real_leaderboards().query("selector == 'anchor-points'").assign(estimator="own")
measured = pd.concat([measured, own], ignore_index=True)
ways = {
    "random, plain mean": ("uniform", "weighted-mean"),
    "random, corrected mean": ("uniform", "corrected-mean"),
    "random, gp-IRT": ("uniform", "gp-irt"),
    "Anchor Points, own estimate": ("anchor-points", "own"),
    "tinyBenchmarks, p-IRT": ("tinybenchmarks", "p-irt"),
    "tinyBenchmarks, gp-IRT": ("tinybenchmarks", "gp-irt"),
    "close pairs, corrected mean": ("close-pairs", "corrected-mean"),
}


def row(table, way, column="mdad"):
    """Median [lowest–highest] over leaderboards at each size; “not reached” counts as above all."""
    own = table[(table["selector"] == way[0]) & (table["estimator"] == way[1])]
    wide = own.pivot(index="dataset", columns="size", values=column)[[10, 25, 50, 100, 250]]
    known = wide.columns[wide.notna().any()]
    cells = {}
    for size in known:
        values = wide[size][own.groupby("dataset")["size"].max() >= size].fillna(np.inf)
        ends = [f"{v:g}" if np.isfinite(v) else "…" for v in (values.min(), values.max())]
        middle = values.median()
        cells[size] = (
            f"{middle:g} [{ends[0]}–{ends[1]}]" if np.isfinite(middle) else f"… [{ends[0]}–…]"
        )
    return cells


table = {name: row(measured, way) for name, way in ways.items()}
table |= {
    f"{name}, ties half": row(measured, ways[name], "mdad_half_ties")
    for name in ("random, plain mean", "random, corrected mean", "close pairs, corrected mean")
}
table["Anchor Points, weighted mean, ties half"] = row(
    measured, ("anchor-points", "weighted-mean"), "mdad_half_ties"
)
mbnb.show(
    pd.DataFrame(table).T, "MDAD in points: median [lowest–highest] of eight real leaderboards."
)

# %% tags=["claims", "remove-cell"]
by_way = {
    name: measured[(measured["selector"] == s) & (measured["estimator"] == e)].pivot(
        index="dataset", columns="size", values="mdad"
    )
    for name, (s, e) in ways.items()
}
plain, corrected = by_way["random, plain mean"], by_way["random, corrected mean"]
anchor = by_way["Anchor Points, own estimate"]
assert (corrected[25].min(), corrected[25].max()) == (6, 8), "corrected mean at 25: 6 to 8"
assert (plain[25].min(), plain[25].max()) == (8, 12), "plain mean at 25: 8 to 12"
assert (corrected[10].min(), corrected[10].max()) == (11, 16), "corrected at 10: 11 to 16"
assert (anchor[10] < corrected[10]).sum() == 8, "Anchor Points win at 10 items on 8 of 8"
assert (corrected - plain)[[10, 25, 50, 100, 250]].max().max() == 0, "random items gain everywhere"
wins = {
    k: ((corrected[k] < anchor[k]).sum(), (corrected[k] > anchor[k]).sum()) for k in (25, 50, 100)
}
assert wins == {25: (1, 5), 50: (6, 2), 100: (5, 1)}, wins

# %% [markdown]
# - **Random items gain everywhere.** On none of the eight leaderboards does the corrected mean detect a larger gap than the plain mean, from 10 to 250 items.
# - **At 10 items Anchor Points win**, on eight leaderboards of eight, with their own estimate. At 25 items they win on five and lose on one; at 50 and 100 random items with a corrected mean win on six and five, and lose on two and one.
# - **Which estimator matters little**: at no size do the medians of the learning estimators on random items differ by more than half a point.
# - **A part of the gain is ties.** Ten answers take eleven values and tie; coefficients break ties. With ties counted half, the plain mean detects 13.75 points in the median at 10 items and the corrected mean 11.25, a gain of 2.5 instead of 4.75.

# %% tags=["claims", "remove-cell"]
half_ties = measured[measured["selector"] == "uniform"].pivot_table(
    index="size", columns="estimator", values="mdad_half_ties", aggfunc="median"
)
strict = measured[measured["selector"] == "uniform"].pivot_table(
    index="size", columns="estimator", values="mdad", aggfunc="median"
)
assert tuple(half_ties.loc[10, ["weighted-mean", "corrected-mean"]]) == (13.75, 11.25)
assert strict.loc[10, "weighted-mean"] - strict.loc[10, "corrected-mean"] == 4.75
learners = strict.drop(columns="weighted-mean").loc[[10, 25, 50, 100, 250]]
assert (learners.max(axis=1) - learners.min(axis=1)).max() <= 0.5, "which estimator matters little"

# %% tags=["claims", "remove-cell"]
# What the landing page and the short answer say of the eight leaderboards.
close = by_way["close pairs, corrected mean"]


def spans(table, sizes):
    return [(table[size].min(), table[size].max()) for size in sizes]


def first_sizes(table, gap):
    """The smallest size that detects the gap, on the luckiest and the unluckiest leaderboard."""
    first = [row.index[row <= gap].min() for _, row in table.iterrows()]
    return min(first), max(first)


assert spans(plain, [10, 25, 100, 250]) == [(15.5, 20), (8, 12), (3, 5), (2, 3.5)]
assert spans(anchor, [10]) == [(7, 12)] and spans(close, [10, 25]) == [(4.5, 11), (3, 6.5)]
assert spans(close, [50, 100]) == [(2.5, 5), (2, 3.5)]
lead = (plain - anchor)[10]
assert (lead.min(), lead.max()) == (5.5, 10.5), "Anchor Points at 10 items"
assert (close <= anchor)[10].sum() == 6 and (anchor > plain)[250].sum() == 6
assert (plain - close)[250].ge(1).sum() == 4 and (plain - close)[250].min() == -0.5
for table_of, sizes_of in (
    (plain, {10: (25, 50), 5: (50, 100), 3: (100, 500), 2: (200, 500)}),
    (corrected, {10: (25, 25), 5: (50, 100), 3: (100, 250), 2: (200, 500)}),
    (close, {10: (10, 25), 5: (10, 50), 3: (25, 250), 2: (100, 1000)}),
):
    found = {gap: first_sizes(table_of, gap) for gap in sizes_of}
    assert found == sizes_of, f"sizes for each gap on the short answer: {found}"
old = mbnb.measured("better-fading").query(
    "half == 'train' and order == 'accuracy' and lot == 'far'"
)
old = (
    old[old["size"] == 25]
    .set_index(["selector", "estimator", "dataset"])["mdad"]
    .sort_index()
    .fillna(np.inf)
)
smaller = old["close-pairs", "corrected-mean"] < old["uniform", "weighted-mean"]
assert smaller.sum() == 2, "better than every source: 25 items of close pairs win on two of eight"
top = mbnb.measured("top").query(
    "half == 'train' and k == 1 and selector == 'uniform' and size == 100"
)
top = top[~top["dataset"].str.startswith("simulated:")]["best_kept"]
assert (round(100 * top.min()), round(100 * top.max())) == (37, 83), "the winner at 100 items"
tau = mbnb.real_leaderboards().query("0.78 < tau < 0.82")["mdad"]
assert (tau.min(), tau.max()) == (3.5, 11), "one tau, many MDADs"

# %% mystnb={"figure": {"caption": "MDAD against size for four ways: the median over eight real leaderboards as a line, their range as a bar; as many source models as there are, up to 300 (data/measured).", "name": "fig-13-ways"}, "image": {"alt": "Four falling lines on logarithmic axes. Random items with the plain mean lie highest, with the corrected mean lower; Anchor Points lie low at ten items and cross the others; close pairs lie lowest."}} tags=["remove-input"]
drawn = {
    "random, plain mean": ("#4d4d4d", "o", "-"),
    "random, corrected mean": ("#5b7db1", "s", "--"),
    "Anchor Points, own estimate": (mbnb.LOOKS["anchor-points"].color, "v", "-."),
    "close pairs, corrected mean": (mbnb.LOOKS["close-pairs"].color, "*", "-"),
}
drawing, axes = plt.subplots(figsize=(5.4, 4.2), layout="constrained")
lines = []
for place, (name, (color, marker, dash)) in enumerate(drawn.items()):
    wide = by_way[name][[10, 25, 50, 100, 250, 500]]
    x = np.array(wide.columns) * 1.05 ** (place - 1.5)
    axes.vlines(x, wide.min(), wide.max(), color=color, alpha=0.35, linewidth=2.5)
    axes.plot(x, wide.median(), color=color, marker=marker, linestyle=dash, label=name)
    lines.append(
        pd.DataFrame({"median": wide.median(), "low": wide.min(), "high": wide.max()}).assign(
            way=name
        )
    )
mbnb.size_axis(axes, [10, 25, 50, 100, 250, 500])
mbnb.points_axis(axes, 20)
axes.set_ylabel("MDAD (points)")
drawing.legend(loc="outside upper center", ncols=2, fontsize=9)
four_ways = mbnb.figure(drawing, pd.concat(lines).reset_index())
glue("three-ways", four_ways, display=False)
four_ways

# %% [markdown]
# ## On data you can re-run

# %%
trials = study.run("uniform", estimators=["weighted-mean", "corrected-mean", "ridge"])
counts = mbnb.agreement(trials, reading=study.reading)
mbnb.mdad_table(study.mdad(counts))

# %% [markdown]
# ## Why: what the coefficients reward
#
# {numref}`fig-13-coefficients` shows the coefficients of one draw.
# They follow the correlation of an item's answers with the score, which test theory calls discrimination, more than how easy the item is.
# Items that all or none of the sources solve get none.

# %%
drawn_items = np.random.default_rng(study.p.seed).permutation(sources.n_items)[:50]
draw = mbnb.Selection.of(drawn_items)
answers = sources.scores[:, draw.items].astype(float)
rule = mbnb.ESTIMATORS["corrected-mean"]().fit(sources).rule(draw)
varies = answers.std(axis=0) > 0
goes_with = np.array(
    [np.corrcoef(answers[:, j], full)[0, 1] if varies[j] else 0.0 for j in range(draw.size)]
)
coefficients = pd.DataFrame(
    {
        "accuracy": answers.mean(axis=0),
        "correlation": goes_with,
        "coefficient": draw.size * rule.coefficients,
    }
)
print(coefficients.corr()["coefficient"].round(2).to_string())

# %% mystnb={"figure": {"caption": "Coefficients of the corrected mean, times the size, of 50 random items in the first trial: by the share of sources that solve the item, and by the correlation of its answers with the sources' scores. Dotted: the plain mean. Data: {glue:text}`data-one`.", "name": "fig-13-coefficients"}, "image": {"alt": "Two scatter charts. Against the share of sources that solve an item the coefficients form a cloud; against the correlation with the score they rise from about zero to two and more."}} tags=["remove-input"]
drawing, panels = plt.subplots(1, 2, figsize=(5.4, 3), sharey=True, layout="constrained")
for axes, column, title in zip(
    panels,
    ("accuracy", "correlation"),
    ("Sources that solve it (share)", "Correlation with the score"),
    strict=True,
):
    axes.plot(coefficients[column], coefficients["coefficient"], "o", ms=5, color=mbnb.TINTS[0])
    axes.axhline(1, linestyle=":", color=mbnb.THRESHOLD)
    axes.set_xlabel(title)
panels[0].set_ylabel("Coefficient × size")
mbnb.figure(drawing, coefficients)

# %% tags=["claims", "remove-cell"]
if study.is_default:
    with_coefficient = coefficients.corr()["coefficient"]
    assert with_coefficient["correlation"] > abs(with_coefficient["accuracy"]) + 0.1

# %% [markdown]
# Two models that answer equally many items right can therefore get different estimates, and mostly in the right order.
#
# ## When it does harm
#
# The estimator learns from models that answered everything; what orders weak models may mislead about strong ones.
# With targets from the top of a real leaderboard and sources from its worse half, 33 points below in the median, random items give:

# %%
fading = mbnb.measured("better-fading").query(
    "half == 'train' and order == 'accuracy' and lot == 'far'"
)
compared = {
    "random, plain mean": ("uniform", "weighted-mean"),
    "random, corrected mean": ("uniform", "corrected-mean"),
    "random, ridge": ("uniform", "ridge"),
    "Anchor Points, weighted mean": ("anchor-points", "weighted-mean"),
    "tinyBenchmarks, gp-IRT": ("tinybenchmarks", "gp-irt"),
    "close pairs, corrected mean": ("close-pairs", "corrected-mean"),
}
far = {name: row(fading, way) for name, way in compared.items()}
mbnb.show(
    pd.DataFrame(far).T,
    "Targets better than every source: MDAD in points, median [lowest–highest] of eight real "
    "leaderboards; … not reached.",
)

# %% tags=["claims", "remove-cell"]
edges = fading[fading["size"] == 50].groupby(["selector", "estimator"])["close_edge"].median()
assert edges["uniform", "corrected-mean"] > 5 > 0 > edges["uniform", "ridge"], "harm by ridge"

# %% [markdown]
# There `corrected-mean` still orders 5 percentage points more of the close pairs than the plain mean (median, 50 items), and `ridge` 3 fewer: it draws all estimates towards weak sources.
# A second price is the level: a regression draws estimates together, so the strongest models are estimated too low and the weakest too high.
# That changes no order, but never compare a corrected estimate of one model with the plain score of another.

# %%
table_of = trials.table[trials.table["size"] == study.sizes[0]]
miss = 100 * (table_of["estimate"] - table_of["train_accuracy"])
fifth = pd.qcut(table_of["train_accuracy"].rank(method="first"), 5, labels=[1, 2, 3, 4, 5])
lean = miss.groupby([table_of["estimator"].astype(str), fifth], observed=True).mean().unstack()
mbnb.show(
    lean, "Mean error in points at the smallest size, from the weakest to the strongest fifth."
)

# %% [markdown]
# ## How many sources
#
# With ten sources the corrected mean of 25 items detects 7.5 to 10 points, with as many as there are 6 to 9 (30 trials).
# Fewer than ten were not tried.

# %% tags=["claims", "remove-cell"]
lots = mbnb.measured("better-sources").query(
    "half == 'train' and size == 25 and selector == 'uniform' and estimator == 'corrected-mean'"
)
ten = lots[lots["n_source"] == 10]["mdad"]
most = lots.loc[lots.groupby("dataset")["n_source"].idxmax(), "mdad"]
assert (ten.min(), ten.max()) == (7.5, 10) and (most.min(), most.max()) == (6, 9), "sources"

# %% [markdown]
# ## When to use it
#
# Use `corrected-mean` whenever you have ten source models or more that are not far below the models you test: it costs nothing, and the items stay random.
# Use the plain mean without sources, and beside the corrected one when the new models may beat all that you know: where the two disagree, the new model is unlike the known ones.
# `mbnb select … --selector uniform --estimator corrected-mean` freezes items, coefficients and an interval; with thirty sources or more, choose the items as well ([](./14_close_pairs)).
#
# ## Take-aways
#
# - Which items a model solves says more than how many; other models' answers tell which items count.
# - On eight leaderboards the corrected mean of random items detects a smaller gap than their plain mean, or the same, at every size up to 250.
# - At 10 items choosing them matters more, and Anchor Points win.
#
# ## Exercises
#
# ```{admonition} Exercise 1: the penalty at work
# :class: exercise
#
# What happens to $\gamma$ as $\lambda \to \infty$?
# Compute the mean error of the 25 items of this chapter for penalties from a hundredth to a hundred times the chosen one.
# ```

# %% tags=["hide-cell", "solution"]
for factor in (0.01, 0.1, 1, 10, 100):
    g = Vt.T @ (d / (d**2 + factor * penalty) * (U.T @ (missed - missed.mean())))
    new = missed.mean() + (targets.scores[:, items] - X.mean(axis=0)) @ g
    new += targets.scores[:, items].mean(axis=1)
    print(factor, round(100 * np.abs(new - targets.accuracies()).mean(), 2), "points")

# %% [markdown]
# ```{admonition} Exercise 2: is it the sources' number or their kind?
# :class: exercise
#
# Teach the estimator with the *worst* sources instead of random ones, half as many as there are, and compare the mean error on the targets of the first trial.
# ```

# %% tags=["hide-cell", "solution"]
ranked = np.argsort(full)
rng = np.random.default_rng(1)
for name, chosen in (
    ("worst half", ranked[: len(ranked) // 2]),
    ("random half", rng.permutation(len(ranked))[: len(ranked) // 2]),
):
    taught = mbnb.estimate(
        "corrected-mean", selection, targets, sources.subset(models=np.sort(chosen))
    )
    print(name, round(100 * np.abs(taught - targets.accuracies()).mean(), 2), "points")

# %% [markdown]
# Re-run with other parameters: `mbnb run 13 -p n_trials=10`, or on your data with `-p dataset=./my-benchmark`.

# %% tags=["remove-input"]
study.footer()
