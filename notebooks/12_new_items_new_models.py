# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # New items, new models
#
# **On eight real leaderboards a micro-benchmark of at most a tenth of the items detects gaps about half a point larger on new items than on its own (−0.5 to 1 point in four of five cases), but on models better than all of its sources it may lose all it gained: at 50 items the edge of close pairs falls from 14 percentage points of agreement to none.**
#
# *You will learn* what a choice of items loses on items and on models that it never met, how many {term}`source models` a method needs and of which {term}`families <family>`, and when to choose anew.
# *Time*: 13 minutes to read, two minutes to run.

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
from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import mbnb

study = mbnb.open_study(globals())
study

# %% [markdown]
# ## New items
#
# You choose fifty items out of six thousand.
# Do you want the ranking by these six thousand, or by *any* items of that kind?
# Every {term}`trial` answers both: items are chosen from the {term}`train half`, and the same estimates are judged by the target models' accuracies on the train half and again on the {term}`held-out half`, from which no selector was given an answer.

# %%
trials = study.run()
own_items, new_items = (
    mbnb.agreement(trials, half, study.reading) for half in ("train", "heldout")
)
by_half = pd.DataFrame(
    {
        "own items": study.mdad(own_items).set_index(["selector", "size"])["mdad"],
        "new items": study.mdad(new_items).set_index(["selector", "size"])["mdad"],
    }
)
loss_here = (by_half["new items"] - by_half["own items"]).unstack()
mbnb.show(loss_here.rename(index=mbnb.label), "Points that the MDAD rises on new items, this run.")

# %% [markdown]
# What must any method lose?
# Two models differ on a share $r$ of the items and by $d$ on the half that judges.
# In a random sample of $k$ of the $N$ items the difference scatters with variance $(r-d^2)(1/k - 1/N)$ about that of the train half, which contains the sample, and with $(r-d^2)(1/k + 1/N)$ about that of an equally large held-out half, which does not.
# The {term}`MDAD` goes with the square root, so
#
# $$\frac{\text{MDAD on new items}}{\text{MDAD on own items}} \approx \sqrt{\frac{N+k}{N-k}}.$$
#
# The loss depends on the *share* of the items that you choose, and on nothing else ({numref}`fig-12-share`).

# %%
boards = mbnb.measured("leaderboards")
boards = boards[~boards["dataset"].str.startswith("simulated:")]
cells = ["dataset", "selector", "size", "n_train"]
real = boards.pivot(index=cells, columns="half", values="mdad").reset_index()
real["share"] = real["size"] / real["n_train"]
real["loss"] = real["heldout"] - real["train"]
real = real[real["share"] < 1]

small, large = real[real["share"] <= 0.1]["loss"], real[real["share"] > 0.25]["loss"]
print(f"up to a tenth of the items: {small.median():+.1f} points in the median")
print(f"more than a quarter of them: {large.median():+.1f} points")

# %% mystnb={"figure": {"caption": "How much larger the MDAD is on new items, by the share of the train half that was chosen: a dot for each selector, size and leaderboard, and the formula for random items. Ratios are coarse where MDADs are small. Data: eight real leaderboards (data/measured).", "name": "fig-12-share"}, "image": {"alt": "Dots scatter about one for small shares of the items and rise along a curve that leaves one at about a tenth and climbs steeply beyond a quarter."}} tags=["remove-input"]
ratio = real.assign(ratio=real["heldout"] / real["train"]).query("train > 0").dropna()
drawing, axes = plt.subplots(figsize=(5.4, 3.8), layout="constrained")
for name, look in mbnb.LOOKS.items():
    rows = ratio[ratio["selector"] == name]
    axes.plot(
        100 * rows["share"], rows["ratio"], look.marker, color=look.color, ms=4, label=look.label
    )
share = np.geomspace(0.002, 0.9, 100)
axes.plot(100 * share, np.sqrt((1 + share) / (1 - share)), color=mbnb.THRESHOLD, label="formula")
axes.set(xscale="log", ylim=(0.4, 5), yscale="log")
axes.set_xticks([1, 10, 50], ["1", "10", "50"])
axes.set_yticks([0.5, 1, 2, 4], ["0.5", "1", "2", "4"])
axes.yaxis.set_minor_locator(plt.NullLocator())
axes.set(xlabel="Items chosen (per cent of the train half)", ylabel="MDAD, new over own items")
drawing.legend(loc="outside upper center", ncols=2, fontsize=9)
mbnb.figure(drawing, ratio)

# %% tags=["claims", "remove-cell"]
assert small.median() == 0.5 and (small.quantile(0.1), small.quantile(0.9)) == (-0.5, 1)
assert large.median() == 1, "beyond a quarter of the items a point"
mean_loss = real[real["share"] <= 0.1].groupby("selector")["loss"].mean()
assert mean_loss.idxmax() == "uniform", "no method overfits its half more than random items"

# %% [markdown]
# A method that overfits the items of its half would lose more than uniform sampling, which cannot.
# None does: among selections of up to a tenth of the items uniform sampling loses most, 0.6 points on average.
# What overfits is not the half of the items but the sources, as the second part of this chapter shows.
#
# ### Single subtasks
#
# If you want a micro-benchmark of each {term}`subtask`, the share is what counts again: a subtask has few items, so that few chosen ones are a large share of them.

# %%
parts = mbnb.measured("subtasks").query("part == 'all'")
parts = parts[~parts["dataset"].str.startswith("simulated:")]
alone = parts.pivot_table(index=["dataset", "selector", "share"], columns="half", values="mdad")
alone["loss"] = alone["heldout"] - alone["train"]
mbnb.show(
    alone.groupby("share").median().rename(columns={"train": "own items", "heldout": "new items"}),
    "MDAD within subtasks in points by the per cent of a subtask's items chosen: median over "
    "eight real leaderboards and six selectors.",
)

# %% tags=["claims", "remove-cell"]
assert (alone["loss"].groupby("share").median().loc[[16, 24, 32, 40]] >= 1.25).all()
assert alone["train"].groupby("share").median().loc[8] > 10, "8 % of a subtask: over 10 points"

# %% [markdown]
# In the median, 8 % of a subtask's items detect nothing below 10 points within it, and from 16 % on the MDAD is at least 1.25 points larger on new items of the subtask.
# A ranking by single subtasks needs more items than the subtasks of most benchmarks have.
#
# ## New models
#
# ### How many sources
#
# Methods that learn need models to learn from ({numref}`fig-12-sources`).
# Ten are enough for Anchor Points to lead uniform sampling at ten items; they gain until about 150 and little beyond.
# Confidence strata and tinyBenchmarks hardly gain from more than thirty.

# %%
number = mbnb.measured("sources").query("half == 'train' and not families and size in [10, 50]")
number = number[~number["dataset"].str.startswith("simulated:")]
with_300 = number.loc[number["n_source"] == 300, "dataset"]
number = number[number["dataset"].isin(with_300)]
by_number = number.groupby(["size", "selector", "n_source"])["mdad"].mean().unstack()
mbnb.show(by_number.loc[10].rename(index=mbnb.label), "MDAD at 10 items by number of sources.")

# %% mystnb={"figure": {"caption": "MDAD against the number of source models at 10 and at 50 items, mean over the three real leaderboards that have 300 sources (data/measured).", "name": "fig-12-sources"}, "image": {"alt": "Two panels of lines over 10 to 300 source models: uniform sampling is level, Anchor Points fall until about 150 sources, the others flatten earlier."}} tags=["remove-input"]
drawing, panels = plt.subplots(1, 2, figsize=(5.4, 3.4), layout="constrained")
for axes, size in zip(panels, (10, 50), strict=True):
    rows = by_number.loc[size].stack().rename("mdad").reset_index()
    mbnb.draw_lines(
        axes,
        rows.drop(columns="n_source").assign(x=rows["n_source"]),
        "mdad",
        x="x",
        intervals=False,
    )
    axes.set(title=f"{size} items", xscale="log", xlabel="Source models", ylabel="MDAD (points)")
    axes.set_xticks([10, 30, 100, 300], ["10", "30", "100", "300"])
    axes.xaxis.set_minor_locator(plt.NullLocator())
    axes.set_ylim(bottom=0)
handles = panels[0].get_legend_handles_labels()
drawing.legend(*handles, loc="outside upper center", ncols=2, fontsize=9)
mbnb.figure(drawing, number[["dataset", "selector", "size", "n_source", "mdad"]])

# %% tags=["claims", "remove-cell"]
anchor = by_number.loc[(10, "anchor-points")]
assert anchor[10] < by_number.loc[(10, "uniform"), 10] - 5, "ten sources are enough to lead"
assert anchor[150] - anchor[300] <= 0.5 < anchor[10] - anchor[150], "until about 150"

# %% [markdown]
# The family of the sources matters less than their number.
# Where sources and targets are of different {term}`families <family>`, the agreement of close pairs falls by up to 4 percentage points at 10 to 50 items, by 1.6 in the median method, whether it chooses items or only estimates.

# %% tags=["claims", "remove-cell"]
kin = mbnb.measured("better-families").query("half == 'train' and size in [10, 25, 50]")
close = kin.groupby(["selector", "estimator", "size", "families"])["close"].median().unstack()
cost = 100 * (close[False] - close[True])
learns = cost.drop(index=("uniform", "weighted-mean"))
assert learns.min() > -0.5 and learns.max() < 4.2 and 1 < learns.median() < 2.5, "families apart"

# %% [markdown]
# ### Better than every source
#
# A micro-benchmark is chosen once and then used for months, on models that are not there yet, and these are better: that is why you test them.
# So order the models by accuracy, take the best as targets, and learn from five lots of sources: models *beside* the targets, *near* ones below them, a *mixed* lot of all before, *far* ones from the worse half, and the far lot *refreshed* by a fifth of models like the targets.
# Statistics knows this as covariate shift {cite:p}`shimodaira2000covariate` and item drift {cite:p}`goldstein1983changes,bock1988drift`; for benchmarks {cite:t}`zhang2025misses` found that no method that predicts scores beats the mean of a random sample reliably once the new models are better than all known ones.
#
# You can make it happen in a few lines:

# %%
board = study.matrix
ranked = board.models.index[np.argsort(-board.accuracies(), kind="stable")]
n_top = min(120, board.n_models // 4)
targets_of_today = list(ranked[:n_top:2])
lots = {"beside": list(ranked[1:n_top:2]), "far": list(ranked[-(board.n_models // 2) :])}
n_lot = min(map(len, lots.values()))
sizes = [size for size in (25, 100) if size in study.sizes] or study.sizes[:1]

faded = {}
for lot, sources in lots.items():
    pool = replace(study, matrix=board.subset(models=targets_of_today + sources))
    faded[lot] = pool.run(
        ["uniform", "close-pairs"],
        targets=targets_of_today,
        n_source=n_lot,
        n_trials=max(2, study.p.n_trials // 5),
        sizes=sizes,
        estimators=["weighted-mean", "corrected-mean"],
    )


# %%
def share_of_close_pairs(trials):
    """Agreement of all pairs at most five points apart, by selector, estimator and size."""
    counts = mbnb.agreement(trials).curve().query("0 < gap <= 5")
    sums = counts.groupby(["selector", "estimator", "size"], observed=True)[
        ["agreeing", "pairs"]
    ].sum()
    return sums["agreeing"] / sums["pairs"]


shares = pd.DataFrame({lot: 100 * share_of_close_pairs(t) for lot, t in faded.items()})
mbnb.show(shares, "Pairs up to 5 points apart that are ordered rightly, in per cent, this run.")

# %% [markdown]
# Uniform sampling with the plain mean learns nothing, so it cannot fade; whatever is ahead of it at *beside* can.
# On the real leaderboards the same experiment gives {numref}`fig-12-fading`.

# %% mystnb={"figure": {"caption": "Edge over random items with the plain mean at 50 items, by lot of sources: percentage points of agreement among pairs up to 5 points apart. Thin, each of eight real leaderboards; thick, their median (data/measured, 20 trials).", "name": "fig-12-fading"}, "image": {"alt": "Four panels, one for each method, over the lots beside, near, mixed, far and refreshed. The edge of close pairs falls from about fourteen to about zero; that of the corrected mean of random items stays about five."}} tags=["remove-input"]
fading = mbnb.measured("better-fading").query(
    "half == 'train' and order == 'accuracy' and size == 50"
)
ways = {
    ("uniform", "corrected-mean"): "Random, corrected mean",
    ("close-pairs", "corrected-mean"): "Close pairs, corrected mean",
    ("anchor-points", "weighted-mean"): "Anchor Points",
    ("tinybenchmarks", "gp-irt"): "tinyBenchmarks, gp-IRT",
}
order = ["beside", "near", "mixed", "far", "refreshed"]
edge = fading.set_index(["selector", "estimator"]).loc[list(ways)].reset_index()
drawing, panels = plt.subplots(
    2, 2, figsize=(5.4, 5), sharex=True, sharey=True, layout="constrained"
)
for axes, (way, title) in zip(panels.flat, ways.items(), strict=True):
    own = edge[(edge["selector"] == way[0]) & (edge["estimator"] == way[1])]
    lines = own.pivot(index="lot", columns="dataset", values="close_edge").loc[order]
    axes.plot(order, lines, color="#a9b4bf", linewidth=0.9)
    axes.plot(order, lines.median(axis=1), color=mbnb.LOOKS[way[0]].color, linewidth=2.4)
    axes.axhline(0, color=mbnb.INK, linewidth=0.8)
    axes.set_title(title, fontsize=10)
    axes.tick_params(axis="x", rotation=40)
drawing.supylabel("Edge (percentage points)", fontsize="medium")
mbnb.figure(drawing, edge[["dataset", "lot", "selector", "estimator", "close_edge"]])

# %%
median_edge = edge.groupby(["selector", "estimator", "lot"])["close_edge"].median().unstack()[order]
mbnb.show(median_edge, "Median edge in percentage points, 50 items, eight real leaderboards.")

# %% tags=["claims", "remove-cell"]
cp, cm = (
    median_edge.loc[("close-pairs", "corrected-mean")],
    median_edge.loc[("uniform", "corrected-mean")],
)
assert round(cp["beside"]) == 14 and -2 < cp["far"] < 0 and cp["refreshed"] > 5, "close pairs fade"
assert 5 < cm["far"] < 5.5 and 7 < cm["beside"] < 7.5, "the corrected mean keeps most of it"
apart = mbnb.measured("better-fading").query("half == 'train' and order == 'accuracy'")
apart = apart.groupby("lot")["distance"].median()
assert round(apart["near"]) == 18 and round(apart["far"]) == 33, "distance in points"

# %% [markdown]
# An item orders two models only if they answer it differently.
# A method that chooses items looks for those on which its *sources* differ; if these are weak, they are easy items, and better models solve them all.
# So close pairs, which gain most beside their sources, lose most: their edge of 14 percentage points is 5 with sources 18 points below the targets, and gone with sources 33 points below.
# A fifth of refreshed sources brings it back to 6.
# `corrected-mean` on random items keeps 5 of 7: it changes how answers are weighed, not which are asked.
#
# ## What to do about it
#
# - Choose anew when you have answers of models like those that you test; a fifth of the sources is a beginning.
# - If your targets are better than all sources, keep random items and the plain or corrected mean.
# - `mbnb score` says when a new model's estimate lies outside the range of the models that the items were chosen on.
#
# ## Take-aways
#
# - On new items a small micro-benchmark loses about half a point; no method overfits its half more than random items do.
# - Thirty source models are enough for most methods, 150 for Anchor Points; their number counts more than their family.
# - On models better than every source a choice of items may lose all that it gained; random items with a corrected mean keep most of it.
#
# ## Exercises
#
# ```{admonition} Exercise 1: a ceiling
# :class: exercise
#
# Choose *all* items of the train half: what is the smallest gap on the held-out half that even this choice detects?
# What part of a disagreement with new items can no choice repair?
# ```

# %% tags=["hide-cell", "solution"]
table = trials.table
first = table[(table["selector"] == "uniform") & (table["size"] == study.sizes[0])]
whole = replace(trials, table=first.assign(estimate=first["train_accuracy"]).reset_index(drop=True))
study.mdad(mbnb.agreement(whole, "heldout", study.reading))

# %% [markdown]
# ```{admonition} Exercise 2: the formula
# :class: exercise
#
# At which share of the items does the formula promise a loss of a tenth of the MDAD, and at which does it double?
# Compare with {numref}`fig-12-share`.
# ```

# %% tags=["hide-cell", "solution"]
for factor in (1.1, 2):
    print(factor, round((factor**2 - 1) / (factor**2 + 1), 2))

# %% [markdown]
# Re-run with other parameters: `mbnb run 12 -p n_trials=10`, or on your data with `-p dataset=./my-benchmark`.

# %% tags=["remove-input"]
study.footer()
