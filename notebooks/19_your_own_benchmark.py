# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Your own benchmark
#
# {glue:text}`answer`

# %% [markdown] tags=["book-only"]
# **What you will learn**
#
# - what a {term}`response matrix` of your own can tell you, and what it is too small for
# - how to go from the {term}`gap` that you must see to a {term}`size` and a {term}`selector`
# - which of your models a leaderboard ranks, though it cannot tell them apart
# - what to doubt before you build on any of it
#
# This chapter is the notebook behind the command `mbnb report`, which runs it on your results and makes one page of it.
# Here it runs on a small simulated leaderboard.
#
# **Reading time** 12 minutes.
# **Running time** about a minute on two cores.

# %% tags=["parameters"]
dataset: str = "simulated:gpqa"
missing: str = "drop-items"
duplicates: str = "drop"
selectors: list = [
    "uniform",
    "subtask",
    "confidence",
    "diversity",
    "anchor-points",
    "tinybenchmarks",
    "close-pairs",
]
n_trials: int = 50
sizes: list = [10, 25, 50, 100, 250, 500, 1000]
n_source: int = None
n_target: int = None
gap: float = 2.0
threshold: float = 0.8
rule: str = "interpolated"
seed: int = 0

# %% tags=["report-last"]
import matplotlib.pyplot as plt
import numpy as np
from myst_nb import glue

import mbnb

p = mbnb.parameters(globals())
p

# %% [markdown]
# ## Your data at a glance
#
# **{glue:text}`answer-data`**

# %% tags=["hide-input"]
mbnb.setup_charts()
matrix, lost = mbnb.prepare(p.dataset, missing=p.missing, duplicates=p.duplicates)
facts = mbnb.describe(matrix)
mbnb.glance_table(facts)

# %% tags=["hide-input"]
averages = (
    ""
    if facts.n_subtasks == 1
    else "The mean over items and the mean over subtasks put all models in the same order."
    if not facts.turned_pairs
    else f"The mean over items, which this page goes by, and the mean over subtasks differ in the "
    f"order of {mbnb.counted(facts.turned_pairs, 'pair')} of {facts.n_pairs:,}"
    + (
        f"; at the top stands {mbnb.named(facts.best_by_items)} by either."
        if facts.best_by_items == facts.best_by_subtasks
        else f"; at the top stands {mbnb.named(facts.best_by_items)} by the one and "
        f"{mbnb.named(facts.best_by_subtasks)} by the other."
    )
)
mbnb.say(
    *map(mbnb.plain, lost),
    "" if lost else "No answer is missing, and no model is an exact copy of another.",
    averages,
    f"Without one right answer: {mbnb.some(facts.zero_models)}." if facts.zero_models else "",
)

# %% mystnb={"figure": {"caption": "The response matrix: a row for each model, the best above, a column for each item, the easiest left, dark where the answer is right; larger matrices are thinned. Data: {glue:text}`data`.", "name": "fig-19-matrix"}, "image": {"alt": "Picture of the response matrix: dark dots for right answers, dense at the upper left and thin at the lower right."}} tags=["hide-input"]
picture = mbnb.draw_matrix(matrix)
plt.close(picture)
picture

# %% [markdown]
# ## How far apart two models must be
#
# **{glue:text}`answer-apart`**
#
# Each {term}`trial` halves the items at random, takes some models as {term}`sources` whose answers choose the items, and others as {term}`targets` that the chosen items must rank.
# Then it looks at every pair of targets: did the few items put them in the order of the whole half?
# The {term}`MDAD` is the smallest {term}`gap` from which on they do so often enough.

# %% tags=["hide-input"]
plan = mbnb.plan_trials(matrix, p.selectors, p.sizes, p.n_source, p.n_target)
mbnb.say(*plan.notes, f"No trials are possible here: {plan.why_not}." if plan.why_not else "")

# %%
trials = (
    None
    if plan.why_not
    else mbnb.run_plan(matrix, plan, n_trials=p.n_trials, seed=p.seed, store=mbnb.ResultStore())
)
measured = mbnb.judge_trials(trials, p.threshold, p.rule)

# %% tags=["hide-input"]
mbnb.mdad_table(measured.mdad) if trials else mbnb.say()

# %% tags=["hide-input"]
pairs = mbnb.noisy_pairs(matrix, seed=p.seed)
needed = mbnb.needed_sizes(
    pairs,
    sorted({1.0, 2.0, 3.0, 5.0, p.gap}),
    matrix.n_items,
    p.threshold,
    binary=facts.binary,
)
possible = sorted({*plan.sizes, int(needed[p.gap]), *(k for k in p.sizes if k <= matrix.n_items)})
on_whole = mbnb.expected_gap(pairs, possible, matrix.n_items, p.threshold, binary=facts.binary)
on_half = (
    mbnb.expected_gap(pairs, plan.sizes, plan.n_train, p.threshold, binary=facts.binary)
    if trials
    else on_whole.iloc[:0]
)
floor = mbnb.sampling_floor(possible, matrix.n_items, p.threshold) if facts.binary else None
floor_on_half = (
    mbnb.sampling_floor(plan.sizes, plan.n_train, p.threshold) if facts.binary and trials else None
)
glue("data", mbnb.data_label(matrix, p.n_trials if trials else None), display=False)

# %% mystnb={"figure": {"caption": "How far apart two models must be, by size, selector and estimator, with 95 % intervals where trials were run; the thin lines are what theory expects of uniform sampling and, for scores of 0 and 1, the floor below which it cannot go. Data: {glue:text}`data`.", "name": "fig-19-mdad"}, "image": {"alt": "Line chart: MDAD in points against size on a logarithmic axis, a line with intervals for each selector and estimator, and thin lines for what theory expects of uniform sampling."}} tags=["hide-input"]
figure = (
    mbnb.draw_own_mdad(measured, on_half, floor_on_half)
    if trials
    else mbnb.draw_own_mdad(measured, on_whole, floor)
)
plt.close(figure)
figure

# %% tags=["hide-input"]
best = mbnb.best_rows(measured)
best_ways = best.apply(lambda row: mbnb.way_label(row["selector"], row["estimator"]), axis=1)
sure = mbnb.percent(p.threshold)
reached = on_whole.dropna()
if len(best):
    first, last = best.iloc[0], best.iloc[-1]
    apart = (
        f"At {int(first['size']):,} items two models must lie "
        f"{mbnb.gap_seen(first['mdad'], measured.width)} apart before the best way here "
        f"({best_ways.iloc[0]}) puts them in the right order in {sure} of cases"
        + (
            f"; at {int(last['size']):,} items, {mbnb.gap_seen(last['mdad'], measured.width)} "
            f"({best_ways.iloc[-1]})."
            if len(best) > 1
            else "."
        )
    )
elif trials:
    apart = (
        "At no size does any gap that occurs between these models reach the threshold with "
        "enough pairs to say so."
    )
elif len(reached):
    apart = (
        f"By theory, {int(reached.index[0]):,} items drawn at random put two models in the right "
        f"order in {sure} of cases from {mbnb.in_points(round(reached.iloc[0], 1))} apart on; no "
        "trials could be run."
    )
else:
    apart = "No two of these models lie far enough apart, and no trials could be run."
mbnb.say(
    f"MDADs are read by the {p.rule} rule from bins of gaps {mbnb.in_points(measured.width)} wide; "
    + (
        "a bin weighs as much as it holds pairs. "
        if measured.weighs_bins
        else f"a bin decides only if it holds at least {measured.min_pairs:,} pairs over all "
        "trials. "
    )
    + "Where an MDAD is *not reached*, no gap between these models was wide enough, or too few "
    f"pairs had it; an MDAD of 0 is {mbnb.gap_seen(0, measured.width)}."
    if trials
    else "",
)

# %% [markdown]
# ## Which selector or estimator helps
#
# **{glue:text}`answer-selector`**
#
# Two things can be better than drawing items at random and taking the mean: other items, or another reading of the same answers.
# The {term}`estimator` `corrected-mean` learns on the sources what the mean of just these items misses; *Close pairs* chooses items that tell close sources apart, and is read the same way.
# Either earns its trouble only if it sees smaller gaps.
# In one trial all share the halves and the models, so their *difference* is steadier than either number; it must hold on the half that no selector saw, too.

# %% tags=["hide-input"]
ahead = mbnb.sure_gains(measured)
listed_gains = "; ".join(
    f"{name} at {mbnb.listed([f'{k:,}' for k in found])}" for name, found in ahead.items()
)
compared = bool(trials) and measured.gains["gain"].notna().any()
helps = (
    "Nothing is known of selectors without trials."
    if not trials
    else " ".join(
        filter(None, [mbnb.same_items(measured), f"Surely better on both halves: {listed_gains}."])
    )
    if ahead
    else "Nothing has a lead over drawing at random whose whole interval lies above zero on both "
    "halves."
    if compared
    else "The trials allow no comparison: too few MDADs are reached, or one selector ran alone."
)
mbnb.gains_table(measured.gains, plan.sizes) if compared else mbnb.say()

# %% tags=["hide-input"]
leads, stay = int((measured.gains["low"] > 0).sum()), len(measured.sure)
mbnb.say(
    "*Points by which the MDAD is below that of uniform sampling read with the plain mean, with "
    "95 % intervals; above zero is better, and a dash stands where an MDAD is not reached.*"
    if compared
    else "",
    f"Of the {mbnb.counted(leads, 'lead')} clear of zero, {stay} "
    f"{'is' if stay == 1 else 'are'} clear of it on the items that no selector saw, too; only "
    "those count."
    if leads
    else "",
)

# %% [markdown]
# ## What uniform sampling needs
#
# **{glue:text}`answer-needed`**
#
# No trial is needed to know what a random sample can do.
# It follows from one number, how often two models disagree: where they do, either may come out ahead by luck, and the more often, the more items it takes.

# %% tags=["hide-input"]
mbnb.needed_table(needed, matrix.n_items)

# %% [markdown]
# The same question from the other end: what does a sample of a given size see?

# %% tags=["hide-input"]
columns = {f"of all {matrix.n_items:,} items": on_whole}
if trials:
    columns[f"of the half, {plan.n_train:,}"] = on_half
    columns["measured on the half"] = mbnb.plain_mdads(measured)
if facts.binary:
    columns["floor"] = floor
mbnb.sampling_table(columns)

# %% tags=["hide-input"]
close = pairs["noise"][pairs["gap"] <= max(p.gap, 5)]
typical = close.median() if len(close) else pairs["noise"].median()
mbnb.say(
    "*The smallest gap in points that uniformly drawn items see, by theory and, where trials were "
    "run, as measured.*",
    f"Pairs of these models with a gap of up to {max(p.gap, 5):g} points "
    f"{'differ on' if facts.binary else 'have a noise as of models that differ on'} "
    f"{typical:.0f} % of the items, half of them on fewer."
    if len(close)
    else f"No two of these models lie within {max(p.gap, 5):g} points of each other; what is said "
    "of smaller gaps is read off pairs with wider ones.",
    "The floor is where a sample too often shows no difference at all, however the models answer."
    if facts.binary
    else "",
)

# %% [markdown]
# ## Which of the models are tied
#
# **{glue:text}`answer-tied`**
#
# A leaderboard gives each model a rank, but a few items cannot tell neighbours apart.
# The last column of the table says how far that goes at the size that this page comes to below.

# %% tags=["hide-input"]
advice = mbnb.advise(measured, p.gap, int(needed[p.gap]), on_half, on_whole)
# What is surely better may see too little for this gap, and yet more than as many random items.
instead = None if advice.measured else mbnb.advise_fewer(measured, advice.size, on_half, on_whole)
how = mbnb.how_chosen(advice)
ranking = mbnb.rank_models(matrix)
gaps = mbnb.pair_gaps(matrix.accuracies())
below = float((gaps < advice.mdad - 1e-9).mean())
exact = int(ranking["shared"].sum())
enough = advice.size < matrix.n_items
tied = (
    f"On all items {exact:,} of the {len(ranking):,} models share a rank with another"
    if exact
    else "On all items every model has a rank of its own"
)
tied += (
    f"; with {advice.size:,} items, {how}, {mbnb.percent(below)} of the pairs are closer than the "
    f"{mbnb.in_points(round(advice.mdad, 1))} that can be seen."
    if enough
    else "."
)
mbnb.ranking_table(mbnb.tie_ranges(ranking, advice.mdad))

# %% mystnb={"figure": {"caption": "The models at the top. Point at one: those that its micro-benchmark could not reliably tell from it turn red, at the size you choose. Data: {glue:text}`data`.", "name": "fig-19-ties"}} tags=["hide-input"]
mdads = mbnb.mdads_on_whole(measured, advice, on_half, on_whole)
mbnb.explore_ties(ranking, mdads.to_dict(), how, advice.size)

# %% [markdown]
# Tied is not equal: it means that this many items cannot say.
# Nor does it pass on: a model may be tied with both its neighbours, and they not with each other.
#
# ## What to doubt
#
# **{glue:text}`answer-doubt`**

# %% tags=["hide-input"]
reasons = mbnb.doubts(
    facts,
    plan,
    measured,
    pairs,
    gap=p.gap,
    missing_note=next((note for note in lost if "missing answer" in note), ""),
    duplicates=p.duplicates,
)
mbnb.bullets(reasons)

# %% [markdown]
# ## Take-aways
#
# - {glue:text}`take-size`
# - {glue:text}`take-selector`
# - {glue:text}`take-tied`
# - Before you build on a number of this page, read what to doubt about it.

# %% tags=["remove-cell"]
answer = f"To see a gap of {mbnb.in_points(p.gap)} between models like these, " + (
    f"{advice.size:,} of the {matrix.n_items:,} items, {how}, are enough"
    + (
        f"; read with the plain mean, {needed[p.gap]:,} random ones would be needed."
        if advice.measured
        else "."
    )
    if enough
    else f"all {matrix.n_items:,} items are needed."
)
if instead:
    answer += (
        f" With {instead.size:,}, {mbnb.how_chosen(instead)}, expect to see "
        f"{mbnb.in_points(round(instead.mdad, 1))}; with as many random ones and the plain mean, "
        f"{mbnb.in_points(round(on_whole[instead.size], 1))}."
    )
widest = facts.highest - facts.lowest
caveat = ""
if p.gap > widest:
    caveat += f" No two of these models lie that far apart: the widest gap is {widest:.1f} points."
if not trials:
    caveat += f" That is theory alone: {plan.why_not}."
answer += caveat
texts = {
    "answer": answer,
    "answer-data": f"{mbnb.counted(facts.n_models, 'model')} on "
    f"{mbnb.counted(facts.n_items, 'item')} in {mbnb.counted(facts.n_subtasks, 'subtask')}, with "
    f"accuracies from {facts.lowest:.1f} to {facts.highest:.1f} points.",
    "answer-apart": apart,
    "answer-selector": helps,
    "answer-needed": f"Drawn at random, {needed[p.gap]:,} of the {matrix.n_items:,} items put two "
    f"models {mbnb.in_points(p.gap)} apart in the right order in {sure} of cases.{caveat}",
    "answer-tied": tied,
    "answer-doubt": f"{mbnb.counted(len(reasons), 'thing')} to weigh, the first of them: "
    f"{mbnb.first_names(reasons)}.",
    "take-size": answer,
    "take-selector": helps,
    "take-tied": tied,
}
for name, text in texts.items():
    glue(name, text, display=False)

# %% [markdown]
# ## What to do next
#
# Make the {term}`micro-benchmark`, and from then on run new models on its items alone.

# %% tags=["hide-input"]
fewer = needed[needed < matrix.n_items]
if enough:
    steps = mbnb.next_steps(p, advice.size, advice.selector, advice.estimator)
elif len(fewer):
    steps = mbnb.next_steps(p, int(fewer.iloc[0]))
else:
    steps = mbnb.next_steps(p, max(1, matrix.n_items // 2))
aim = (
    f"a gap of {mbnb.in_points(fewer.index[0])}"
    if len(fewer)
    else "half of them, whatever that half can see"
)
mbnb.say(
    ""
    if enough
    else f"No part of these {matrix.n_items:,} items sees {mbnb.in_points(p.gap)}; these commands "
    f"are for {aim}."
)

# %% tags=["remove-input"]
steps

# %% tags=["hide-input"]
mbnb.say(
    f"If {instead.size:,} items are all that you can pay for, freeze what these trials bear out:"
    if instead
    else ""
)

# %% tags=["remove-input"]
mbnb.next_steps(p, instead.size, instead.selector, instead.estimator) if instead else mbnb.say()

# %% [markdown]
# ## Exercises
#
# ```{admonition} Exercise 1: tied is not equal
# :class: exercise
#
# Take the ranking above and the MDAD at the size that this page comes to.
# How many of the pairs of neighbours, first and second, second and third and so on, are further apart than that MDAD?
# If nearly none, is the ranking worthless?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
ordered = 100 * np.sort(matrix.accuracies())
steps_apart = int((np.diff(ordered) >= advice.mdad - 1e-9).sum())
mbnb.say(
    f"Of {len(ordered) - 1:,} steps from a model to the next, {steps_apart:,} are as wide as the "
    f"MDAD of {mbnb.in_points(round(advice.mdad, 1))}, while {mbnb.percent(1 - below)} of all pairs "
    "are.",
    "The ranking is good at telling far from near and poor at telling neighbours: report groups "
    "of models, or the ranks that each may have, instead of a place.",
)

# %% [markdown]
# ```{admonition} Exercise 2: the price of a point
# :class: exercise
#
# You want to see half the gap.
# A rule of thumb says that this takes four times as many items.
# Does it hold for your benchmark, and why does it fail in the end?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
both_gaps = [p.gap / 2, p.gap]
prices = mbnb.needed_sizes(pairs, both_gaps, matrix.n_items, p.threshold, binary=facts.binary)
mbnb.say(
    f"To see {mbnb.in_points(p.gap)} takes {prices[p.gap]:,} items and to see "
    f"{mbnb.in_points(p.gap / 2)} takes {prices[p.gap / 2]:,}: {prices[p.gap / 2] / prices[p.gap]:.1f} times as many.",
    "The rule is that of a sample from an endless pool. Here the sample comes from "
    f"{matrix.n_items:,} items: the more of them you have, the less is left to chance, and all of "
    "them leave nothing. So the factor falls below four as the size nears the whole.",
)

# %% [markdown]
# ```{admonition} Exercise 3: the same data, other models
# :class: exercise
#
# What if only the better half of your models mattered, since nobody will deploy the others?
# Compute the items that uniform sampling needs to see the gap between models of the upper half alone.
# Do close models that are good need more items than close models in general?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
better_half = np.argsort(-matrix.accuracies(), kind="stable")[: max(2, matrix.n_models // 2)]
upper = mbnb.noisy_pairs(matrix.subset(models=np.sort(better_half)), seed=p.seed)
for_upper = mbnb.needed_sizes(upper, [p.gap], matrix.n_items, p.threshold, binary=facts.binary)[
    p.gap
]
mbnb.say(
    f"For {mbnb.in_points(p.gap)} among the upper half of the models it takes {for_upper:,} items, "
    f"among all of them {needed[p.gap]:,}.",
    f"What decides is how often two models differ: {upper['disagreement'].median():.0f} % of the "
    f"items for pairs of the upper half, {pairs['disagreement'].median():.0f} % for all pairs, in "
    "the median.",
)

# %% [markdown]
# ```{admonition} Exercise 4: a benchmark that wears out
# :class: exercise
#
# This page says what these items do for these models.
# Suppose that the models of next year are better than all of yours.
# Design a check that you could publish: choose items on the weaker models alone, and judge them on the strongest.
# Which function of this page do you need, and what do you hold fixed?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
strongest = matrix.model_ids[better_half[: max(2, plan.n_target // 2)]] if trials else []
future = (
    mbnb.run_trials(
        matrix,
        ["uniform", "confidence"],
        [plan.sizes[0]],
        n_trials=min(p.n_trials, 10),
        n_source=min(plan.n_source, matrix.n_models - len(strongest)),
        targets=[str(model) for model in strongest],
        seed=p.seed,
    )
    if trials
    else None
)
off = mbnb.estimation_error(future).set_index("selector")["error"] if future else None
mbnb.say(
    f"A first try takes the {len(strongest):,} strongest models as fixed targets (`targets=…` of "
    f"`run_trials`), which keeps them from the sources. At {plan.sizes[0]:,} items their accuracies "
    f"are misjudged by {off['confidence']:.1f} points on average with confidence strata and by "
    f"{off['uniform']:.1f} with uniform sampling."
    if future
    else "Without trials there is nothing to try here.",
    "For a finding, hold fixed how many sources and targets there are and how far apart the "
    "targets lie, since strong models are also close ones; compare with targets of middling "
    "strength; and repeat it on leaderboards that have dates.",
)

# %% [markdown] tags=["book-only"]
# ## Re-run this chapter
#
# ```bash
# mbnb run 19 -p n_trials=10 -p gap=3
# mbnb report my-results --out report.html
# ```

# %% tags=["hide-input", "report-last"]
mbnb.footer(matrix, p.seed, trials)
