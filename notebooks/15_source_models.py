# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # How many source models
#
# {glue:text}`answer`
#
# **What you will learn**
#
# - how the {term}`MDAD` of each selector falls with the number of {term}`source models`, and where it stops falling
# - which selector is the hungriest, and why correlations and item parameters need many models
# - whether it matters that sources come from few families or from many, and from the targets’ own
# - how many models to collect before you choose items, and which
#
# **Reading time** 10 minutes.
# **Running time** some five minutes on two cores; a minute where the trials are stored.

# %% tags=["parameters"]
dataset: str = "simulated:mmlu-pro"
missing: str = "drop-items"
n_trials: int = 10
sizes: list = [10, 50, 250]
source_counts: list = [10, 50, 150]
selectors: list = ["uniform", "confidence", "diversity", "anchor-points", "tinybenchmarks"]
n_source: int = None
n_target: int = None
threshold: float = 0.8
seed: int = 0

# %%
from dataclasses import replace

import numpy as np
import pandas as pd

import mbnb

p = mbnb.parameters(globals())
p

# %% tags=["hide-input"]
study = mbnb.open_study(p)
study

# %% [markdown]
# Every {term}`selector` but two looks at answers: those of the source models, which somebody has to collect.
# The study gives its selectors 300 models and repeats some of its grid with fewer {cite:p}`yauney2026reliable`.
# If you have twenty evaluated models, what are you missing?
#
# ## From ten sources to all
#
# A {term}`trial` draws its {term}`targets <target models>` first and its sources from the rest.
# With another number of sources it keeps its halves and its targets, and the fewer sources are a part of the more.
# So what changes along a line of {numref}`fig-15-live` is what the selector saw, and nothing else.

# %%
counts = sorted({*(n for n in p.source_counts if n < study.n_source), study.n_source})
learners = [name for name in p.selectors if study.matrix.binary or name != "tinybenchmarks"]
runs = {n: study.run(learners, n_source=n) for n in counts}
trials = mbnb.join_trials(list(runs.values()))
by_source = mbnb.agreement(trials)
mdads = study.mdad(by_source)
enough = mbnb.enough_sources(mdads[mdads["selector"] != "uniform"])
more = mbnb.source_gains(by_source, **study.rule)

# %% mystnb={"figure": {"caption": "MDAD against the number of source models, at each size, with 95 % intervals. Data: {glue:text}`data`.", "name": "fig-15-live"}, "image": {"alt": "Small line charts, one for each size: MDAD in points against the number of source models on a logarithmic axis, a line with intervals for each selector. The line of uniform sampling is level."}} tags=["hide-input"]
mbnb.draw_sources(mdads)

# %% tags=["hide-input"]
graded = "" if study.matrix.binary else "tinyBenchmarks takes scores of 0 and 1 alone: left out."
mbnb.say(graded, mbnb.say_gains(enough, more))

# %% tags=["hide-input"]
mbnb.enough_table(enough)

# %% [markdown]
# ### A check: uniform sampling
#
# Uniform sampling sees no source, so its line must be flat.
# This is more than a truism.
# A program that lets the number of sources leak into the draw of the items, the halves or the targets would tilt it, and then the other lines would mean nothing.

# %%
level = mdads[mdads["selector"] == "uniform"].groupby("size")["mdad"]
spread = (level.max() - level.min()).fillna(0).max() if "uniform" in learners else np.nan

# %% tags=["hide-input"]
mbnb.say(
    "This run left uniform sampling out, so there is nothing to check."
    if np.isnan(spread)
    else f"From {counts[0]:,} to {counts[-1]:,} sources its MDAD moves by {spread:g} points.",
    "The study’s own protocol draws its models anew for each number of sources, so a line there "
    "may wander for that reason alone.",
)

# %% [markdown]
# ## Why some selectors are hungry
#
# What a selector estimates from the sources decides how many it needs.
#
# | selector | reads from the sources | what few sources spoil |
# |---|---|---|
# | `uniform`, `subtask` | nothing | nothing |
# | `confidence` | one mean an item | the edges between strata, not the estimate: it stays unbiased |
# | `diversity` | four axes over all items | the axes; below five sources there are not even four |
# | `anchor-points` | a correlation for each pair of items | every distance, each on its own |
# | `tinybenchmarks` | eleven item parameters (ten discriminations and a difficulty) | all but the difficulty: ten answers cannot fix eleven numbers |
#
# A mean over $n$ models is off by about its spread over $\sqrt{n}$, which ten models already make small beside the differences between easy and hard items.
# A correlation is another matter.
# Read from $n$ models, it strays by about $1/\sqrt{n-1}$ around a true value near 0, and true values *are* near 0: two items of a benchmark have little in common beyond difficulty.
# {numref}`fig-15-noise` shows how far the same correlations lie apart when two groups of models that share no member report them.

# %%
groups = [n for n in counts if 3 <= n <= study.n_source // 2] or [max(3, study.n_source // 2)]
noise = mbnb.correlation_noise(study.train, groups, seed=p.seed)
signal = float(noise["spread"].iloc[0])
break_even = int(np.ceil(1 + 1 / signal**2))

# %% mystnb={"figure": {"caption": "Noise of the correlation of two items, by the number of models from which it is read: measured between two groups without a common model, and derived for unrelated items. The dashed line is the spread of the correlations over pairs of items in all sources of the first trial, which is what there is to be seen. Data: {glue:text}`data`.", "name": "fig-15-noise"}, "image": {"alt": "Line chart: the standard deviation of a correlation against the number of models on a logarithmic axis. The measured line falls and follows the derived one; a dashed level line marks the spread over pairs of items."}} tags=["hide-input"]
mbnb.draw_noise(noise)

# %% tags=["hide-input"]
thin = noise.iloc[0]
mbnb.say(
    f"With {thin['n_source']:.0f} models a correlation strays by {thin['noise']:.2f}, where all "
    f"correlations between pairs of items spread by {signal:.2f}.",
    "The noise drowns the signal, and clusters are clusters of accidents."
    if thin["noise"] > signal
    else "The signal is above the noise already.",
    f"By the formula the two are level at about {break_even:,} models.",
)

# %% [markdown]
# A starved selector does not break: it still picks items and weighs them by the shares of clusters, only that the clusters are accidents.
# What is left is a clumsy random sample.
# Its unequal weights cost more than equal ones, so it can fall behind uniform sampling, and it does so first at large sizes, where uniform sampling is already good.
#
# ## On other leaderboards
#
# One simulated leaderboard has one structure.
# {numref}`fig-15-real` shows the same lines for the leaderboards that were measured for this book, real ones and a simulated one, each with as many sources as it allows, up to 300.

# %%
real_size = int(min(mbnb.sources_elsewhere()["size"].unique(), key=lambda size: abs(size - 50)))
elsewhere = mbnb.enough_elsewhere()
large = elsewhere[~elsewhere["simulated"] & (elsewhere["most"] >= 150)]
study.insert(real_size=f"{real_size:,}")

# %% mystnb={"figure": {"caption": "MDAD against the number of source models on the leaderboards measured for this book, with {glue:text}`real-size` items and 95 % intervals; dashed, uniform sampling. Data: `data/measured/sources.csv`, 50 trials each; names that begin with “simulated:” hold simulated models, all others real ones.", "name": "fig-15-real"}, "image": {"alt": "Small line charts, one for each leaderboard: MDAD in points against the number of source models on a logarithmic axis, a line with intervals for each selector that looks at answers, and a dashed level line for uniform sampling."}} tags=["hide-input"]
mbnb.draw_sources_elsewhere(real_size)

# %% tags=["hide-input"]
mbnb.enough_elsewhere_table(real_size)

# %% tags=["hide-input"]
known = large["enough"].dropna()
usual = int(known.quantile(0.8, interpolation="higher")) if len(known) else 0
flat = large["gain"].dropna()
hungry_there = mbnb.hungriest(large)
of_real = elsewhere[~elsewhere["simulated"] & elsewhere["gain"].notna()]
hurt = of_real[of_real["gain"] < -0.5]
mbnb.say(
    f"The figure and the table are for {real_size:,} items.",
    f"On {mbnb.counted(large['dataset'].nunique(), 'real leaderboard')} with at least 150 sources, "
    f"over all selectors and sizes, {usual:,} sources are enough in four cases out of five, and in "
    f"{mbnb.percent(float((flat <= 0.5).mean()))} of the cases the fewest sources do as well as "
    "the most, to within a bin."
    if len(known)
    else "No real leaderboard measured has 150 sources.",
    f"The selector that gains most from more sources is {mbnb.label(hungry_there)}."
    if hungry_there
    else "",
    f"More can also hurt: in {len(hurt):,} of {len(of_real):,} cases on all real leaderboards the "
    f"most sources have a higher MDAD than the fewest, by more than a bin; the most frequent "
    f"selector among these is {mbnb.label(str(hurt['selector'].mode().iloc[0]))}."
    if len(hurt)
    else "",
)

# %% [markdown]
# “Enough” is a statement about bins: the MDAD moves in steps of half a point, and a gain that is smaller than a step is not seen.
# It is also a statement about the leaderboard’s own models.
# A line that has become flat says that more models *of this kind* would not help.
#
# ## Which sources: families
#
# Models come in {term}`families <family>`: fine-tunes and sizes of one line of base models, which err alike.
# So fifty models are not fifty independent witnesses, and some witnesses are relatives of the accused.
# Two questions follow, and the study leaves both open.
#
# 1. Do sources of few families choose worse than the same number from many?
# 2. Do sources of the targets’ *own* families choose better, so that a study which mixes them flatters its selectors?
#
# Hold the rest fixed to find out.
# For each trial take whole families in random order until they hold enough models for targets and sources together: the home of that trial.
# Its targets are models of the home.
# Sources are then drawn, the same number each time, from three lots: the other models of the home, a few other families, or all other families.
# Targets and halves are the same in all three.

# %%
named, recognised = mbnb.with_families(study.matrix)
try:
    pools = mbnb.draw_pools(named, n_pools=p.n_trials, seed=p.seed)
    problem = ""
except mbnb.InputError as error:
    pools, problem = [], f"No such lots can be drawn here: {error}"
usable = [size for size in study.sizes if pools]
lots = (
    mbnb.run_pools(named, learners, usable, pools, seed=p.seed, store=mbnb.ResultStore())
    if pools
    else {}
)
by_lot = {lot: mbnb.agreement(found) for lot, found in lots.items()}
lot_mdads = {lot: study.mdad(found) for lot, found in by_lot.items()}

# %% tags=["hide-input"]
kinds = pd.DataFrame([pool.families for pool in pools])
mbnb.say(
    f"{recognised}",
    problem,
    f"Each trial has {len(pools[0].targets):,} targets and {pools[0].n_source:,} sources; averaged "
    f"over trials, the sources of the home are drawn from {kinds['own'].mean():.1f} families, the "
    f"few from {kinds['few'].mean():.1f} and the many from {kinds['many'].mean():.1f}."
    if pools
    else "",
)

# %% mystnb={"figure": {"caption": "MDAD by the families from which the same number of sources come, with the same targets and halves, and 95 % intervals. Data: {glue:text}`data`.", "name": "fig-15-lots"}, "image": {"alt": "Dot charts, one for each size, with a row for each selector: three MDADs with intervals, for sources from the targets’ own families, from a few other families and from many other families."}} tags=["hide-input"]
mbnb.draw_lots(lot_mdads) if pools else mbnb.say()

# %%
differences = {
    lot: mbnb.lot_gains(by_lot["many"], by_lot[lot], **study.rule)
    for lot in ("few", "own")
    if pools
}

# %% tags=["hide-input"]
mbnb.say(
    mbnb.say_lots(differences["few"], "many other families", "a few") if pools else "",
    mbnb.say_lots(differences["own"], "many other families", "the targets’ own") if pools else "",
    "Few trials decide little here: read the intervals before the points." if pools else "",
)

# %% [markdown]
# ### Families on one side of the line
#
# `run_trials(…, families=True)` keeps each family wholly among the targets or wholly out of the trial’s sources.
# It is the fair test of a micro-benchmark that is meant for models nobody has seen, of lines nobody knows.
# Targets are then whole families rather than a random draw, which makes them easier or harder to order by itself, so compare *gains over uniform sampling*, which has the same targets in each case.

# %%
most_apart = mbnb.sources_apart(named, n_trials=p.n_trials, n_target=study.n_target, seed=p.seed)
n_apart = max([n for n in counts if n <= most_apart], default=0)
ways = {}
if n_apart and "uniform" in learners:
    apart = replace(study, matrix=named).run(learners, n_source=n_apart, families=True)
    for way, found in (("mixed", runs[n_apart]), ("apart", apart)):
        ways[way] = mbnb.mdad_difference(mbnb.agreement(found), **study.rule)

# %% tags=["hide-input"]
both = pd.concat(
    [
        gains.assign(selector=[f"{mbnb.label(name)}, {way}" for name in gains["selector"]])
        for way, gains in ways.items()
    ]
    or [more.iloc[:0]]
).sort_values("selector", kind="stable")
mbnb.gains_table(both, study.sizes) if ways else mbnb.say()

# %% tags=["hide-input"]
paired = (
    ways["mixed"].merge(ways["apart"], on=["selector", "size"], suffixes=("", "_apart"))
    if ways
    else pd.DataFrame(columns=["gain", "gain_apart"], dtype=float)
).dropna(subset=["gain", "gain_apart"])
worse = int((paired["gain_apart"] < paired["gain"] - 0.5).sum())
better = int((paired["gain_apart"] > paired["gain"] + 0.5).sum())
mbnb.say(
    f"*Points by which the MDAD lies below that of uniform sampling, with {n_apart:,} sources, "
    "families mixed and kept apart; 95 % intervals.*"
    if ways
    else "Families cannot be kept apart here with as many sources as were run.",
    f"Of {mbnb.counted(len(paired), 'pair')} of selector and size, {worse} have a gain smaller by "
    f"more than a bin where families are kept apart, {better} a gain larger by more than a bin."
    if ways
    else "",
)

# %% [markdown]
# On the leaderboards measured, the same comparison has 50 trials behind it and real names.
# Their families are read from the names by `mbnb.with_families`, so they are the lines that a name admits to: a merge that hides its parents stands under its author.

# %% tags=["hide-input"]
cost = mbnb.apart_elsewhere()
mbnb.apart_table(cost) if len(cost) else mbnb.say()

# %% tags=["hide-input"]
real_cost = cost[~cost["dataset"].str.startswith("simulated:")].dropna(subset=["cost"])
lost_gain = (real_cost["cost"] > 0.5).groupby(real_cost["selector"]).sum()
won_gain = (real_cost["cost"] < -0.5).groupby(real_cost["selector"]).sum()
dearest = str((lost_gain - won_gain).idxmax()) if len(lost_gain) else ""
mbnb.say(
    f"On {mbnb.counted(real_cost['dataset'].nunique(), 'real leaderboard')} among them, the "
    f"selector that most often loses is {mbnb.label(dearest)}: keeping the targets’ families off "
    f"the sources takes more than a bin of its gain in {lost_gain[dearest]:,} of "
    f"{int((real_cost['selector'] == dearest).sum()):,} cases, and adds as much in "
    f"{won_gain[dearest]:,}."
    if dearest
    else "No real leaderboard was measured both ways.",
    "What a selector loses here it had from relatives, and a gain that was reported for mixed "
    "families may hold as much of it.",
)

# %% [markdown]
# ## What to do
#
# Before you collect answers, decide what you will do with them.
#
# - For **uniform sampling or equal quotas** collect none: they need no model at all, and [](./13_parity_at_250) says from which size on they are as good as any.
# - For **confidence strata** a few models of different ability do. They have to agree on which items are hard, and that takes little.
# - For **Anchor Points and tinyBenchmarks** collect as many as the figures above ask for. Short of that, test on your own models whether the selector beats chance: `mbnb report` does, in [](./19_your_own_benchmark).
# - Take models of **different lines**, and among them the lines that you will want to rank.
# - When a new line of models appears, choose the items again with some of its members among the sources, or you rely on strangers ({numref}`fig-15-lots`).

# %% tags=["remove-cell"]
shown = study.size_near(50)
rows = mdads[(mdads["size"] == shown) & (mdads["selector"] != "uniform")]
ends = rows.pivot(index="selector", columns="n_source", values="mdad").loc[:, counts]
falls = (ends[counts[0]] - ends[counts[-1]]).dropna()
hungry = str(falls.idxmax()) if len(falls) else ""
answer = (
    f"At {shown:,} items, {counts[-1]:,} source models instead of {counts[0]:,} bring the MDAD of "
    f"{mbnb.label(hungry)} from {mbnb.in_points(ends.loc[hungry, counts[0]])} to "
    f"{mbnb.in_points(ends.loc[hungry, counts[-1]])}, and no other selector gains more"
    if hungry and falls.max() > 0
    else f"At {shown:,} items, {counts[-1]:,} source models instead of {counts[0]:,} lower the MDAD "
    "of no selector"
)
elsewhere_says = (
    f"; on large real leaderboards {usual:,} are enough in four cases out of five."
    if usual
    else "."
)
study.insert(
    answer=answer + elsewhere_says,
    break_even=break_even,
    signal=f"{signal:.2f}",
    thin_noise=f"{thin['noise']:.2f}",
    thin_count=f"{thin['n_source']:.0f}",
)

# %% [markdown]
# ## Take-aways
#
# - {glue:text}`answer`
# - Sources are enough once more of the same kind lower the MDAD by no more than a bin.
# - A correlation from {glue:text}`thin-count` models strays by {glue:text}`thin-noise` where the truth spreads by {glue:text}`signal`; means are cheap, correlations and item parameters are not.
# - A starved selector does not break, it turns into a clumsy random sample, which can be worse than a plain one.
# - Ask of every reported gain whether relatives of the targets chose the items.
#
# ## Exercises
#
# ```{admonition} Exercise 1: the flat line
# :class: exercise
#
# The line of uniform sampling is flat to the last digit, and that of confidence strata is not.
# Are the *estimates* of uniform sampling the same for every number of sources, or only the MDADs made of them?
# Say what you expect and why, then look.
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
blind = trials.table[trials.table["selector"] == "uniform"]
per_target = blind.groupby(["size", "trial", "model"], observed=True)["estimate"]
distinct = per_target.nunique().max() if len(blind) else 1
mbnb.say(
    f"Each target has {distinct} estimate{'s' if distinct > 1 else ''} a size and trial, whatever "
    "the number of sources.",
    "A selection is drawn with a key of seed, trial, selector and size; the number of sources is "
    "no part of the key, and uniform sampling looks at nothing else.",
    "A selector that looks at answers uses the same random numbers on other distances or strata.",
)

# %% [markdown]
# ```{admonition} Exercise 2: from how many models on a correlation can be seen
# :class: exercise
#
# Correlations of items spread by {glue:text}`signal` over pairs, and one that is read from $n$ models strays by $1/\sqrt{n-1}$.
# How many models make the noise half of the signal?
# And a third?
# What does that say about the sources that Anchor Points needs?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
for_half, for_third = (int(np.ceil(1 + (part / signal) ** 2)) for part in (2, 3))
mbnb.say(
    f"Solve 1/√(n − 1) = s/k for n: {for_half:,} models for a half, {for_third:,} for a "
    "third, since each halving of the noise takes four times as many.",
    "Clusters pool many correlations, so Anchor Points can do with fewer than a single pair "
    "would; but the cost of a sharper picture grows with the square of the sharpness.",
)

# %% [markdown]
# ```{admonition} Exercise 3: more unknowns than answers
# :class: exercise
#
# tinyBenchmarks fits an {term}`IRT` model in ten dimensions.
# With the fewest sources of this run, how many numbers does the fit give each item, and from how many answers?
# Fit it and look at the shape of its points and at its notes.
# Why does it not crash?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
few_models = study.train.subset(models=np.arange(min(counts)))
starved = mbnb.make_selector("tinybenchmarks").fit(few_models) if study.matrix.binary else None
mbnb.say(
    "The scores here are graded, which this model does not take."
    if starved is None
    else f"Each item gets {starved.points.shape[1]} numbers from {few_models.n_models} answers. "
    f"{' '.join(starved.notes)} Priors fill in what the answers do not say, so the fit is finite "
    f"for any number of models. Its {len(starved.points):,} items fall on {starved.n_distinct:,} "
    "distinct points, since items with equal answers get equal parameters.",
)

# %% [markdown]
# ```{admonition} Exercise 4: another yardstick
# :class: exercise
#
# An MDAD moves in half points and may hide a small gain.
# The mean {term}`estimation error` has no bins.
# By how many per cent does it fall from the fewest sources to the most, for each selector and size, and does the order of hunger stay the same?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
error = mbnb.estimation_error(trials).pivot_table(
    index=["selector", "size"], columns="n_source", values="error", observed=True
)
fall = 1 - error[counts[-1]] / error[counts[0]].replace(0, np.nan)
of_selector = fall.groupby("selector", observed=True).mean().sort_values(ascending=False)
mbnb.say(
    "Mean fall of the error over sizes, from the fewest sources to the most: "
    + mbnb.listed([f"{mbnb.label(str(k))} {mbnb.percent(v)}" for k, v in of_selector.items()])
    + " (a minus is a rise).",
    f"By this yardstick the hungriest is {mbnb.label(str(of_selector.index[0]))}, by the MDAD "
    f"{mbnb.label(hungry) if hungry else 'none'}.",
    "An error counts what shifts all models alike, and an order does not.",
)

# %% [markdown]
# ```{admonition} Exercise 5: how few families are too few
# :class: exercise
#
# The figure of lots compares a few families with many at one number of sources.
# Nobody has published how the number of *families* trades against the number of models.
# Draw pools with half as many sources, run a cheap selector, and compare: do half as many models from many families do as well as all from a few?
# What would you have to vary to turn this into a finding?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
halved = [replace(pool, n_source=max(2, pool.n_source // 2)) for pool in pools]
cheap = ["confidence"]
store = mbnb.ResultStore()
fewer = mbnb.run_pools(named, cheap, usable, halved, seed=p.seed, store=store) if pools else {}
whole = mbnb.run_pools(named, cheap, usable, pools, seed=p.seed, store=store) if pools else {}
errors = (
    {
        "half, many": mbnb.estimation_error(fewer["many"])["error"].mean(),
        "all, few": mbnb.estimation_error(whole["few"])["error"].mean(),
    }
    if pools
    else {}
)
mbnb.say(
    f"For confidence strata the mean error is {errors['half, many']:.2f} points with "
    f"{halved[0].n_source} models of many families and {errors['all, few']:.2f} with "
    f"{pools[0].n_source} of a few."
    if pools
    else problem,
    "A finding needs a grid of both numbers, the selectors that feed on correlations, several "
    "leaderboards with families that are known and not guessed, and trials enough for intervals "
    "that are narrower than the differences.",
)

# %% [markdown]
# ## Re-run this chapter
#
# With more trials, other numbers of sources, or on real data:
#
# ```bash
# mbnb run 15 -p n_trials=50 -p 'source_counts=[10,30,50,100,150,200,250]'
# mbnb run 15 -p 'selectors=["uniform","anchor-points"]' -p 'sizes=[10,25,50,100,250]'
# MBNB_DATA=path/to/data mbnb run 15 -p dataset=bigcodebench
# ```

# %% tags=["hide-input"]
study.footer(trials)
