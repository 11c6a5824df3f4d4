# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
#   mbnb:
#     exclusive: true
# ---

# %% [markdown]
# # What the study costs
#
# {glue:text}`answer`
#
# **What you will learn**
#
# - where the time of one {term}`trial` goes, on your machine and in the study's released code
# - what holds each {term}`selector` up, and how far it is from the least it could do
# - how time and memory grow with items, {term}`source models` and trials, up to very large benchmarks
# - how to plan a study before you start it, and when more machines are worth their trouble
#
# **Reading time** 10 minutes.
# **Running time** about a minute, whatever the number of trials.

# %% tags=["parameters"]
dataset: str = "simulated:mmlu-pro"
missing: str = "drop-items"
n_trials: int = 50
sizes: list = [10, 25, 50, 100, 250, 500, 1000]
n_source: int = None
n_target: int = None
seed: int = 0

# %%
import numpy as np
import pandas as pd

import mbnb

p = mbnb.parameters(globals())
p

# %% tags=["hide-input"]
study = mbnb.open_study(p)
study

# %% [markdown]
# Times are the least reproducible numbers of this book.
# They depend on the processor, on its memory, and on what else it does meanwhile.
# So this page shows three kinds and says which is which: *reported* ones, of the released code {cite:p}`yauney2026reliable`, timed once on another machine with two cores; *kept* ones, of this book's code on a machine that did nothing else; and *live* ones, taken while this page was made, on the machine that made it.
# Compare within a column with confidence, and between columns with care: a factor of ten means something, a factor of 1.2 does not.
#
# ## One trial, step by step
#
# A {term}`trial` fits each selector once on the answers of the sources, and then chooses at every {term}`size`.
# Here all six do so, one after another on one core, and each step is timed.

# %%
yardstick = mbnb.measure_yardstick()
live = pd.concat(
    [
        mbnb.time_selector(name, study.train, study.sizes, seed=p.seed)[2]
        for name in mbnb.SELECTORS
        if study.matrix.binary or name != "tinybenchmarks"
    ]
)
trials = study.run("uniform")
judging = mbnb.time_judging(trials)

# %% tags=["hide-input"]
steps = mbnb.measured("costs-steps")
kept = steps[steps["step"].isin(["fit", "selection"])]
kept_judging = steps.loc[steps["step"] == "agreement", "seconds"].iloc[0]
runs = mbnb.measured("costs-runs").set_index("part")
kept_run = runs.loc["steps"]
told = mbnb.reported("costs")
compared = mbnb.compare_steps(told, {"kept": (kept, kept_judging), "live": (live, judging)})
mbnb.show_steps(
    compared,
    "kept",
    "Seconds of one trial, a fit shared out among the sizes. Reported: 300 source models × 6,012 "
    f"items. Kept: {kept_run['n_source']:,} × {kept_run['n_train']:,}, {mbnb.machine_label('steps')}. "
    f"Live: {study.train.n_models:,} × {study.train.n_items:,}. Trials to judge: {kept_run['n_trials']} kept, "
    f"{p.n_trials:,} live.",
)

# %% tags=["hide-input"]
kept_sizes = sorted(int(size) for size in kept["size"].dropna().unique())
split_once = steps.loc[steps["step"] == "split", "seconds"].iloc[0]
estimates = steps.loc[steps["step"] == "estimates", "seconds"].sum()
kept_trial = kept["seconds"].sum() + estimates + len(mbnb.SELECTORS) * split_once
told_trial = mbnb.reported_trial(told, kept_sizes)
live_trial = live["seconds"].sum()
shares = live.groupby("selector", sort=False)["seconds"].sum() / live_trial
largest = shares.sort_values(ascending=False)
mbnb.say(
    f"One trial of all six selectors at {len(kept_sizes)} sizes takes the released code about "
    f"{mbnb.duration(told_trial)} by these figures (sizes between two reported ones interpolated) "
    f"and this book's code {mbnb.duration(kept_trial)}: a factor of about "
    f"{told_trial / kept_trial:.0f}.",
    f"Live, on this page's data, choosing took {mbnb.duration(live_trial)}: "
    + mbnb.listed(
        [f"{mbnb.label(name)} {mbnb.percent(share)}" for name, share in largest[:3].items()]
    )
    + f" of it, and what is left the other {len(largest) - 3}.",
)

# %% [markdown]
# Most of the factor comes from two decisions.
# What sizes have in common (correlations, item parameters, axes) is computed once a trial and shared.
# And the item response model is fitted by a few dozen rounds of small linear systems in place of many small steps downhill.
#
# ## What holds each selector up
#
# A selector can be slow because its code is poor, or because what it does is much work.
# To tell the two apart, take the least that its way of working needs, and time that alone in the same run: reading the answers once, or the matrix products that nobody has found a way around.
# The ratio in the table says how much is left to gain at best.

# %% tags=["hide-input"]
bounds = mbnb.measured("costs-bounds")
mbnb.bounds_table(bounds).set_caption(
    f"One trial with all its sizes on {kept_run['dataset']}. Machine: {mbnb.machine_label('steps')}."
)

# %% [markdown]
# In plain words:
#
# - **Uniform, Subtask-stratified and Confidence strata** cost what any trial costs: dealing the items into halves and fetching the answers.
#   The choice itself is drawn in a moment.
# - **Diversity** turns items × $k$ numbers into $k$ directions at right angles, and projects every draw on what is spanned already.
#   That is work in proportion to the square of the size, so the largest size decides.
# - **Anchor Points** passes over the distances of all pairs of items several times for each size.
#   Twice the items are four times the pairs, and they no longer fit into the processor's cache: memory, not arithmetic, holds it up.
# - **tinyBenchmarks** goes round and round over all answers to fit its item response model.
#   How many rounds it takes depends on the data; the choice afterwards is cheap.
#
# ## How costs grow
#
# {numref}`fig-18-growth` doubles the items, and then, on half the items, the source models, and leaves everything else alone.

# %% mystnb={"figure": {"caption": "Seconds of one trial on one core as the items of the train half (left) or, on half the items, the source models (right) double. Data: parts of {glue:text}`growth-data`. Machine: {glue:text}`growth-on`.", "name": "fig-18-growth"}, "image": {"alt": "Two charts on logarithmic axes: seconds of one trial against items of the train half and against source models, a line for each of six selectors. On the left Anchor Points rises most steeply; on the right most lines are nearly level."}} tags=["hide-input"]
growth = mbnb.measured("costs-growth")
growth_run = runs.loc["growth"]
study.insert(
    growth_data=f"{growth_run['dataset']} ({int(growth_run['n_models']):,} simulated models × "
    f"{int(growth_run['n_items']):,} items)",
    growth_on=mbnb.machine_label("growth"),
)
mbnb.draw_growth(growth)

# %% [markdown]
# On such axes a straight line is a power: a cost in proportion to the items rises by one step for one step to the right, a cost in proportion to their square by two.
# The table gives the factor of the last doubling.
# 2 is proportion, 4 is the square, and 1 is no cost at all.

# %% tags=["hide-input"]
mbnb.growth_table(growth).set_caption(
    "Factor by which the seconds grow; a dash where it does not apply. Measured once: steps of a "
    "few milliseconds are mostly noise, the others differ by a tenth or two."
)

# %% [markdown]
# Trials are independent of one another, so they cost in proportion once they are many (a factor below two is what a run pays once), and a hundred of them could run at the same time.
# That is the property that makes the study fast on many cores.
#
# ## Large benchmarks
#
# What if your benchmark has ten times as many items as the largest of the study?
# {numref}`fig-18-large` measures each selector alone, in a process of its own, on made-up answers.
# There Anchor Points goes another way: where the distances of all pairs would not fit, it finds medoids in a sample of the items and then tries others in their place, against all items but with few distances at a time.

# %% mystnb={"figure": {"caption": "Seconds of a fit with one selection (left) and the memory that a process needs beyond the answers themselves (right; 1 MB stands for less), on one core. Data: answers of {glue:text}`large-models` made-up models, {glue:text}`large-size` items chosen. Machine: {glue:text}`large-on`.", "name": "fig-18-large"}, "image": {"alt": "Two charts on logarithmic axes against items of the train half: seconds and megabytes of memory, a line for each of six selectors. The three samplers stay at the bottom; diversity, tinyBenchmarks and Anchor Points rise above them."}} tags=["hide-input"]
large = mbnb.measured("costs-large")
study.insert(
    large_models=int(large["n_source"].iloc[0]),
    large_size=int(large["size"].iloc[0]),
    large_on=mbnb.machine_label("large"),
)
mbnb.draw_large(large)

# %% tags=["hide-input"]
top = large[large["n_items"] == large["n_items"].max()]
seconds = (top["fit_seconds"] + top["selection_seconds"]).set_axis(top["selector"])
memory = top.set_index("selector")["peak_mb"] / 1024
pairs_gb = 4 * float(top["n_items"].iloc[0]) ** 2 / 2**30
workers = mbnb.measured("costs-workers")
worker_mb = workers.loc[workers["process"] == "worker", "peak_mb"].max()
n_workers = int((workers["process"] == "worker").sum())
mbnb.say(
    f"At {int(top['n_items'].iloc[0]):,} items the slowest is {mbnb.label(seconds.idxmax())} with "
    f"{mbnb.duration(seconds.max())}, and the largest process is that of "
    f"{mbnb.label(memory.idxmax())} with {memory.max():.1f} GB.",
    f"A table of the distances of all pairs of items would fill {pairs_gb:.1f} GB at that size.",
    f"In a grid on {runs.loc['workers', 'dataset']}, {n_workers} workers held at most "
    f"{worker_mb:,.0f} MB each; memory that they share, such as the answers, counts in every one.",
)

# %% [markdown]
# So a machine can run one worker for each of its cores only if its memory holds that many times the peak of one.
#
# ## Plan your own
#
# You need not guess how long a study will take.
# `mbnb.expected_seconds` knows the leading terms of each selector's cost, and what each of them costs in units of a *yardstick*: a fixed piece of work that takes about half a second to measure.
# So it carries over to your machine.

# %%
expected = mbnb.expected_seconds(
    "anchor-points", n_items=1_000, n_source=100, sizes=[10, 100], yardstick=yardstick
)
round(expected, 3)

# %% [markdown]
# That is in seconds, for one trial on one core.
# For benchmarks of other sizes, on the machine that made this page:

# %% tags=["hide-input"]
plan_items = [500, 2_000, 12_000, 30_000, 100_000]
mbnb.planning_table(
    plan_items, p.sizes, n_source=study.n_source, n_trials=p.n_trials, yardstick=yardstick
).set_caption(
    f"Expected time of one trial on one core with {study.n_source:,} source models and the sizes "
    f"{mbnb.listed([f'{k:,}' for k in p.sizes])} (as far as half the items allow), and of a whole "
    f"grid. Yardstick of this machine: {yardstick:.3f} s."
)

# %% tags=["hide-input"]
planned = mbnb.measured("costs-planning")
ratios = planned.groupby(["dataset", "n_source"])[["expected", "measured"]].sum()
ratios = ratios["expected"] / ratios["measured"]
here = {
    "n_items": study.train.n_items,
    "n_source": study.n_source,
    "sizes": study.sizes,
    "yardstick": yardstick,
}
expected = sum(mbnb.expected_seconds(name, **here) for name in mbnb.SELECTORS)
mbnb.say(
    f"How good is it? Over {len(ratios)} grids on {planned['dataset'].nunique()} benchmarks with "
    f"{mbnb.listed([f'{n:,}' for n in sorted(planned['n_source'].unique())])} source models, the "
    f"expected time was {ratios.min():.2f} to {ratios.max():.2f} times the measured one "
    f"({mbnb.machine_label('planning')}).",
    f"For the trial that was timed live above it expects {mbnb.duration(expected)}, splitting "
    f"included, where choosing took {mbnb.duration(live_trial)}.",
)

# %% [markdown]
# Plans err where the answers decide how long something takes: how many rounds a fit needs, how often a medoid is exchanged.
# And they cannot know what else your machine will do.
#
# ## A grid, the whole paper, and more machines
#
# The paper runs much more than one grid: four benchmarks, seven numbers of source models, fixed groups of targets, and every subtask alone.
# Here is what that comes to, by the same planner.

# %% tags=["hide-input"]
whole = mbnb.paper_costs(yardstick, p.n_trials)
whole["total"] = whole["n_units"] * whole["seconds"]
by_part = whole.pivot_table(index="dataset", columns="variant", values="total", aggfunc="sum")
by_part["all"] = by_part.sum(axis=1)
by_part.loc["all"] = by_part.sum()
by_part.columns.name = by_part.index.name = None
mbnb.show(by_part.map(lambda value: "–" if np.isnan(value) else mbnb.duration(value))).set_caption(
    f"Expected core time of the paper's study, {p.n_trials:,} trials: the pooled benchmark at every "
    "number of source models, fixed groups of targets, and each subtask alone."
)

# %% tags=["hide-input"]
total, units = float(whole["total"].sum()), int(whole["n_units"].sum())
longest = float(whole["seconds"].max())
grid_total = p.n_trials * expected
in_words = {n: mbnb.duration(max(total / n, longest)) for n in (2, 8, 64)}
mbnb.say(
    f"A grid on {study.matrix.name} with {p.n_trials:,} trials takes about {mbnb.duration(grid_total)} of "
    f"one core, the whole paper {mbnb.duration(total)}.",
    f"It falls into {units:,} units of work, each one selector in one trial, that know nothing of "
    f"one another; the longest takes {mbnb.duration(longest)}.",
    "So the work can be shared out almost evenly, at best in "
    + mbnb.listed([f"{words} on {n} cores" for n, words in in_words.items()])
    + f". No number of cores makes it shorter than the longest unit: beyond {total / longest:,.0f} "
    "of them, more do not help.",
)

# %% [markdown]
# When do more machines pay?
# Starting workers elsewhere and sending them the answers takes seconds to minutes, and somebody has to set it up.
# A study of minutes is best run where you sit.
# One of hours, such as a large benchmark with hundreds of trials or many settings, gains nearly in proportion to the cores.
# And a benchmark whose workers do not fit into your memory wants a larger machine, not more of them.
# [](../book/more_machines) tells how.
#
# ## Take-aways
#
# - {glue:text}`take-factor`
# - {glue:text}`take-share`
# - Trials and selectors are independent: cost is in proportion to the trials, and cores share it almost evenly.
# - Items are what costs. {glue:text}`take-items`
# - Plan first: one call and half a second tell you whether a study takes minutes or days.

# %% tags=["remove-cell"]
doubled = growth[growth["grows"] == "items"].sort_values("value").groupby("selector")["seconds"]
doubled = doubled.agg(lambda curve: curve.iloc[-1] / curve.iloc[-2])
steepest = str(doubled.idxmax())
study.insert(
    answer=f"A trial of all six selectors takes {mbnb.duration(kept_trial)} of one core where the "
    f"released code takes about {mbnb.duration(told_trial)}, and the whole paper comes to "
    f"{mbnb.duration(total)} of one core of the machine that made this page.",
    take_factor=f"A trial of this book’s code is about {told_trial / kept_trial:.0f} times as fast "
    "as one of the released code, on machines that are alike but not the same.",
    take_share=f"{mbnb.listed([mbnb.label(str(name)) for name in largest.index[:3]])} take "
    f"{mbnb.percent(largest[:3].sum())} of the time of choosing; sampling at random is almost free.",
    take_items=f"When they doubled the last time, {mbnb.label(steepest)} took {doubled.max():.1f} "
    "times as long.",
)

# %% [markdown]
# ## Exercises
#
# ```{admonition} Exercise 1: more trials or more items
# :class: exercise
#
# You may double the trials of your study or double the items of your benchmark.
# What does each do to the time, for uniform sampling, for tinyBenchmarks and for Anchor Points?
# Say what you expect from the shape of the lines in {numref}`fig-18-growth`, then ask `mbnb.expected_seconds`.
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
doubled_items = {**here, "n_items": 2 * here["n_items"]}
factors = {
    name: mbnb.expected_seconds(name, **doubled_items) / mbnb.expected_seconds(name, **here)
    for name in ("uniform", "tinybenchmarks", "anchor-points")
}
mbnb.say(
    "Twice the trials take twice the time, whatever the selector: trials know nothing of one "
    "another.",
    "Twice the items, from those of this page on, take "
    + mbnb.listed([f"{factor:.1f} times with {mbnb.label(n)}" for n, factor in factors.items()])
    + ".",
    "On large benchmarks a sampler hardly notices, a fit over all answers grows in proportion, and distances of pairs "
    "grow with the square until the selector changes its way.",
)

# %% [markdown]
# ```{admonition} Exercise 2: ten minutes
# :class: exercise
#
# You have ten minutes, two cores and the data of this page.
# How many trials of all six selectors can you run?
# An interval narrows with the square root of the trials: by how much would it be narrower with an hour?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
core_seconds = 10 * 60 * 2
affordable = int(core_seconds / expected)
mbnb.say(
    f"One trial is expected to take {mbnb.duration(expected)} of one core here, so "
    f"{affordable:,} trials fit into ten minutes on two.",
    f"An hour holds six times as many, and an interval {np.sqrt(6):.1f} times as narrow.",
    "The same hour spent on another benchmark would tell you something that no interval over "
    "trials of this one can.",
)

# %% [markdown]
# ```{admonition} Exercise 3: where a size costs
# :class: exercise
#
# Each selector of the live run chose at every size after one fit.
# For which selectors does the largest size take most of the time, and for which the fit?
# What would you leave out of a study that must be quick?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
of_step = live.assign(
    step=live["size"].map("{:.0f} items".format).where(live["size"].notna(), "fit")
)
part = of_step.pivot(index="selector", columns="step", values="seconds")
part = part.div(part.sum(axis=1), axis=0)
mbnb.say(
    *(
        f"{mbnb.label(str(name))}: {row.idxmax()} ({mbnb.percent(row.max())} of its time)."
        for name, row in part.iterrows()
    ),
    "These are the dearest steps. Where it is the largest size, leaving that out saves the most; "
    "where it is the fit, sizes are nearly free, and only fewer trials or sources help.",
)

# %% [markdown]
# ```{admonition} Exercise 4: is the planner right on your machine?
# :class: exercise
#
# The planner was checked on a few grids on one machine.
# Check it on yours: time one selector on a half, a quarter and an eighth of the items, and set the expected seconds beside the measured ones.
# If you find a machine on which the ratio drifts with the number of items, you have found something that this book does not know.
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
checked = []
for shrink in (8, 4, 2):
    part_of = study.train.subset(items=np.arange(0, study.train.n_items, shrink))
    own = {**here, "n_items": part_of.n_items, "sizes": [min(10, part_of.n_items)]}
    timed = mbnb.time_selector("anchor-points", part_of, own["sizes"], seed=p.seed)[2]
    ratio = mbnb.expected_seconds("anchor-points", **own) / timed["seconds"].sum()
    checked.append(f"{ratio:.1f} with {part_of.n_items:,} items")
mbnb.say(
    f"Expected over measured seconds of Anchor Points: {mbnb.listed(checked)}.",
    "The expected ones include the split of the trial, which counts for more the fewer the items, "
    "and a single measurement on a busy machine is worth little: repeat it.",
)

# %% [markdown]
# ## Re-run this chapter
#
# ```bash
# mbnb run 18 -p n_trials=10 -p dataset=simulated:bbh
# MBNB_DATA=~/leaderboards mbnb run 18 -p dataset=bigcodebench
# ```

# %% tags=["hide-input"]
study.footer(trials)
