# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Six selectors, seven sizes
#
# **On eight real leaderboards 10 items chosen by Anchor Points detect 7 to 12 points where random ones need 15.5 to 20, with 50 items it is 4 to 7 against 5 to 7.5, and from 250 on no selector of the study gains more than a point over random items.**
#
# *You will learn* how all six selectors compare on leaderboards of real models, where one of them surely leads, and how that compares with the study's reported figures and with the simulation.
# *Time*: 10 minutes to read, under a minute to run once the trials are kept, five otherwise.

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
import pandas as pd
from myst_nb import glue

import mbnb

study = mbnb.open_study(globals())
study

# %% [markdown]
# ## Eight leaderboards
#
# The study measured four benchmarks of one leaderboard {cite:p}`yauney2026reliable`.
# Here are eight others, with the same protocol: 50 {term}`trials <trial>`, a {term}`train half` of the items, 300 {term}`source models` and 50 {term}`targets <target models>`, or two thirds and a third of the models where these are too few.

# %%
real = mbnb.real_leaderboards()
kinds = {
    "openllm2-mmlu-pro-math": "mathematics, multiple choice",
    "openllm1-metabench": "six benchmarks, informative items",
    "openllm1-union": "six benchmarks, wider",
    "mmlu-pro-47": "14 subjects, chain of thought",
    "bigcodebench": "programs that pass all tests",
    "rewardbench": "reward models, two choices",
    "swebench-verified": "agents on real issues",
    "resampled-t07": "twelve benchmarks, a dozen samples",
}
shapes = real.drop_duplicates("dataset").set_index("dataset")
shapes = shapes[["n_models", "n_items", "n_train", "n_source", "n_target"]]
shapes.columns = ["models", "items", "train half", "sources", "targets"]
shapes.insert(0, "answers", [kinds[name] for name in shapes.index])
mbnb.show(shapes, "After missing answers and copies were left out.")

# %% tags=["claims", "remove-cell"]
assert (len(shapes), (shapes["targets"] == 15).sum()) == (8, 2), "eight, two with 15 targets"
assert (shapes["sources"] < 33).sum() == 2, "and some thirty sources"

# %% [markdown]
# They are not eight independent samples: `openllm1-metabench` and `openllm1-union` share one source, and two leaderboards have some thirty sources and 15 targets, so that their figures are rough.
#
# ## What is measured
#
# {numref}`fig-09-explore` shows the {term}`agreement` of each selector by the {term}`gap` between two models.
# The {term}`MDAD` is where a curve reaches 0.8; an MDAD follows from the counts of pairs in a few lines:

# %%
counts = mbnb.measured("agreement-bigcodebench").query("half == 'train'")
reached = counts["anchor-points-25"] >= 0.8 * counts["pairs"] - 1e-9
enough = counts["pairs"] >= 50  # a pair a trial on average
print("Anchor Points, 25 items, bigcodebench:", counts["gap"][reached & enough].min(), "points")

# %%
curves, mdads = [], []
for name in kinds:
    kept = mbnb.counts_from_table(mbnb.measured(f"agreement-{name}"), name)
    table = mbnb.mdad(kept, mbnb.Reading(min_pairs=50))
    curve = kept.curve().query("pairs >= 50")
    curves.append(curve.assign(dataset=name))
    mdads.append(table.assign(dataset=name))
curves, mdads = pd.concat(curves), pd.concat(mdads)
as_kept = real.set_index(["dataset", "selector", "size"])["mdad"]
same = mdads.set_index(["dataset", "selector", "size"])["mdad"]
assert as_kept.sort_index().equals(same.loc[as_kept.index].sort_index().rename("mdad"))

# %% mystnb={"figure": {"caption": "Agreement against gap on the leaderboard and at the size that you choose, and the MDAD of each selector in points. The level line is the threshold of 0.8. Data: eight real leaderboards (data/measured).", "name": "fig-09-explore"}} tags=["remove-input"]
chart = mbnb.explore_agreement(curves, mdads, size=25)
glue("finding-chart", chart, display=False)
chart

# %% [markdown]
# ## Who leads where
#
# The table counts leaderboards on which a selector's 95 % interval lies wholly below that of uniform sampling, and wholly above it.

# %%
low, high = (
    real.pivot(index=["dataset", "size"], columns="selector", values=end) for end in ("low", "high")
)
ahead = high.lt(low["uniform"], axis=0).groupby("size").sum()
behind = low.gt(high["uniform"], axis=0).groupby("size").sum()
boards = low["uniform"].groupby("size").count()
told = ahead.astype(str) + " / " + behind.astype(str)
told = told.drop(columns="uniform").rename(columns=mbnb.label).assign(leaderboards=boards)
mbnb.show(told.drop(index=200), "Leaderboards on which a selector is surely ahead / surely behind.")

# %% tags=["claims", "remove-cell"]
wide = real.pivot(index=["dataset", "size"], columns="selector", values="mdad")
ten, fifty, many = (wide.xs(size, level="size") for size in (10, 50, 250))
assert (ten["anchor-points"] < ten["uniform"]).sum() == 8, "Anchor Points lead at 10 on 8 of 8"
assert (ten["anchor-points"].min(), ten["anchor-points"].max()) == (7, 12)
assert (ten["uniform"].min(), ten["uniform"].max()) == (15.5, 20)
assert (fifty["anchor-points"].min(), fifty["anchor-points"].max()) == (4, 7)
assert (fifty["uniform"].min(), fifty["uniform"].max()) == (5, 7.5)
assert ten.idxmin(axis=1).value_counts().to_dict() == {"anchor-points": 7, "tinybenchmarks": 1}
assert ahead.loc[10, ["anchor-points", "tinybenchmarks"]].tolist() == [7, 7]
assert ahead.loc[25, ["anchor-points", "tinybenchmarks"]].tolist() == [5, 4]
sure = ahead.sum(axis=1)
assert sure[[50, 100, 250, 500, 1000]].tolist() == [4, 5, 1, 3, 0], "fewer sure leads later"
later = wide[wide.index.get_level_values("size") >= 250]
assert (later["uniform"] - later.min(axis=1)).max() == 1, "no more than a point from 250 on"
assert many.median().min() == many["uniform"].median(), "level at 250 in the median"
assert (many["anchor-points"] > many["uniform"]).sum() == 6, "Anchor Points cost at 250"
assert behind.loc[[50, 100, 250, 500, 1000], "diversity"].tolist() == [3, 3, 1, 1, 1]
assert behind.loc[[10, 25, 50, 100, 250, 500], "anchor-points"].tolist() == [0, 0, 0, 2, 2, 1]

# %% [markdown]
# - **At 10 items Anchor Points lead**: ahead of uniform sampling on eight leaderboards of eight, surely on seven, and best of the six on seven (tinyBenchmarks are on the other).
# - **At 25 items** Anchor Points are surely ahead on five and tinyBenchmarks on four; at 50 four leads of all five selectors together are sure, at 100 five.
# - **From 250 items on** few leads are sure (one at 250, three at 500, none at 1,000), and none is above a point: in the median over leaderboards no selector is better than uniform sampling at 250.
# - **Some fall behind**: Anchor Points surely on two leaderboards at 100 and at 250 items, diversity on three at 50 and at 100, since it prefers outlying items ([](./05_diversity)).
# - **A part of every lead at 10 items is ties**: ten plain answers tie, weighted ones hardly ever do ([](./13_estimators) counts ties half).

# %% mystnb={"figure": {"caption": "MDAD by size: the median over leaderboards as a line, their range as a bar. Only three leaderboards allow 1,000 items, and are in the table below. Data: eight real leaderboards (data/measured), seven at 250 and 500 items.", "name": "fig-09-mdad"}, "image": {"alt": "Six falling lines on logarithmic axes, far apart at ten items, where Anchor Points are lowest and uniform, subtask and diversity highest, and close together from 100 items on."}} tags=["remove-input"]
shown = real[real["size"].isin([10, 25, 50, 100, 250, 500])]
spans = shown.groupby(["selector", "size"])["mdad"].agg(["median", "min", "max"])
spans = spans.rename(columns={"median": "mdad", "min": "low", "max": "high"}).reset_index()
spans["selector"] = pd.Categorical(spans["selector"], list(mbnb.SELECTORS), ordered=True)
spans = spans.sort_values(["selector", "size"])
drawing, axes = plt.subplots(figsize=(5.4, 4.6), layout="constrained")
mbnb.draw_lines(axes, spans, "mdad")
mbnb.size_axis(axes, [10, 25, 50, 100, 250, 500])
mbnb.points_axis(axes, 24)
axes.set_ylabel("MDAD (points)")
drawing.legend(loc="outside upper center", ncols=2, fontsize=10)
mbnb.figure(drawing, spans)

# %%
table = wide.unstack("size").stack("selector", future_stack=True)
every = table.drop(columns=200).rename(index=mbnb.label, level="selector")
mbnb.show(every, "MDAD in points of every selector on every leaderboard.")

# %% [markdown]
# ## Beside the simulation and the reported figures
#
# The simulated leaderboard is what you can re-run.
# Its Anchor Points use simulated confidences and reach 6 points at 10 items, better than on any real leaderboard ([](./A_trust)): take conclusions from the real ones.

# %%
trials = study.run()
counts_here = mbnb.agreement(trials, reading=study.reading)
here = study.mdad(counts_here)

# %% [markdown]
# The study's own figures for MMLU-Pro stand below, once in this book.
# They come from a reader's summary of the paper's charts, are approximate, and one of them (uniform sampling at 10 items) lies below the floor that holds for any models; [](./A_trust) weighs them, and nothing here rests on one.

# %%
mbnb.mdad_table(here, mbnb.reported("mdad-mmlu-pro"))

# %% [markdown]
# ## Take-aways
#
# - At 10 and 25 items it pays to let other models' answers choose; Anchor Points do it best of the six.
# - From about 250 items draw at random: at 250 Anchor Points need wider gaps on six leaderboards of seven.
# - Other estimators ([](./13_estimators)) and items for close pairs ([](./14_close_pairs)) detect smaller gaps with as many items.
#
# ## Exercises
#
# ```{admonition} Exercise 1: hindsight
# :class: exercise
#
# For each leaderboard take the selector that is best at 10 items.
# How often is it still the best at 25, 50 and 100?
# What does that say about choosing a selector by one measurement?
# ```

# %% tags=["hide-cell", "solution"]
winner = ten.idxmin(axis=1)
for size in (25, 50, 100):
    level = wide.xs(size, level="size")
    own = pd.Series({name: level.loc[name, best] for name, best in winner.items()})
    print(size, (own <= level.min(axis=1)).sum(), "of", len(own))

# %% [markdown]
# ```{admonition} Exercise 2: held out
# :class: exercise
#
# Count sure leads at 10 and 25 items on the held-out half (`mbnb.real_leaderboards("heldout")`).
# Which selector loses most of them?
# ```

# %% tags=["hide-cell", "solution"]
new = mbnb.real_leaderboards("heldout")
new_low, new_high = (
    new.pivot(index=["dataset", "size"], columns="selector", values=end) for end in ("low", "high")
)
mbnb.show(new_high.lt(new_low["uniform"], axis=0).groupby("size").sum().loc[[10, 25]])

# %% [markdown]
# Re-run with other parameters: `mbnb run 09 -p n_trials=10 -p 'sizes=[10,50]'`, or on your data with `-p dataset=./my-benchmark`.

# %% tags=["remove-input"]
study.footer()
