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
# # Case study: models of one size
#
# {glue:text}`answer`
#
# **What you will learn**
#
# - why the choice between similar models is the hard case for a {term}`micro-benchmark`
# - how to turn an {term}`MDAD` into the share of your own comparisons that you can trust
# - which pairs of one group you could tell apart, one by one, at the {term}`size` and with the {term}`selector` that you choose
# - how many models could still be the best, and how many tiers a ranking has
#
# **Reading time** 15 minutes, the exercises not counted.
# **Running time** 2 to 4 minutes on two cores the first time, well under one after that.

# %% tags=["parameters"]
dataset: str = "simulated:mmlu-pro"
missing: str = "drop-items"
group: str = "8b-instruct"
selectors: list = ["uniform", "subtask", "confidence", "anchor-points"]
n_trials: int = 50
sizes: list = [10, 25, 100, 1000]
n_source: int = None
threshold: float = 0.8
seed: int = 0

# %%
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import mbnb

p = mbnb.parameters(globals())
p

# %% tags=["hide-input"]
study = mbnb.open_study(p)
matrix, sizes = study.matrix, study.sizes

# %% [markdown]
# ## The group
#
# Most people do not compare the best model of the year with the worst.
# They compare what fits on their hardware.
# The study therefore fixes its {term}`target models` to 32 instruction-tuned models of about eight billion parameters {cite:p}`yauney2026reliable`, and so does this chapter where the data hold such a group.

# %% tags=["hide-input"]
members = mbnb.group_members(matrix, p.group)
has_group = len(members) >= 5
if not has_group:
    members = mbnb.middle_models(matrix, max(2, min(32, matrix.n_models // 3)))
n_source = min(p.n_source or 300, matrix.n_models - len(members))
simulated = matrix.name.startswith("simulated:")
group_name = f"the group {p.group}" if has_group else "the models in the middle"
study.insert(group=f"{len(members)} models, {group_name}")
mbnb.say(
    *[note for note in study.notes if "targets" not in note],
    f"In {matrix.name} the group {p.group} has {len(members)} models"
    + (", all of them simulated." if simulated else ", found by name.")
    if has_group
    else f"{matrix.name} has no group {p.group}. As a stand-in this page takes the "
    f"{len(members)} models whose accuracies lie nearest the median: a close group, but not one "
    "that anybody chooses from.",
    f"The {n_source} source models are drawn from the rest.",
)

# %% tags=["hide-input"]
own = matrix.subset(models=members)
accuracies = pd.Series(100 * own.accuracies(), index=own.model_ids.astype(str))
gaps = mbnb.pair_gaps(own.accuracies())
tied_ranks = int((gaps == 0).sum())
mbnb.say(
    f"Their accuracies run from {accuracies.min():.1f} to {accuracies.max():.1f} points, with a "
    f"median of {accuracies.median():.1f}.",
    f"Of their {gaps.size:,} pairs, {mbnb.percent((gaps <= 5).mean())} are at most 5 points apart, "
    f"{mbnb.percent((gaps <= 3).mean())} at most 3, and {mbnb.percent((gaps <= 2).mean())} at most 2.",
    f"{tied_ranks} {'pair is' if tied_ranks == 1 else 'pairs are'} tied on all items and "
    f"{'shares' if tied_ranks == 1 else 'share'} a rank."
    if tied_ranks
    else "No two are tied on all items.",
)

# %% [markdown]
# Leaderboards give each model a rank of its own, which makes a group like this one look more orderly than it is.
# Before you read {numref}`fig-12-ranking`, run the trials, so that the gaps that matter can be drawn beside it.
#
# ## Fixed targets
#
# Every trial halves the items anew and draws new {term}`source models` from outside the group; the targets are the same each time.

# %%
trials = study.run(p.selectors, targets=members, n_source=n_source)
table = study.mdad(mbnb.agreement(trials, half="train"))

# %% [markdown]
# **MDAD in points for this group**, with 95 % intervals over trials; a {term}`bin` counts only if it holds at least one pair a trial on average.

# %% tags=["hide-input"]
mbnb.mdad_table(table)

# %% tags=["hide-input"]
wide = table.pivot(index="selector", columns="size", values="mdad").rename(index=str)
wide = wide.reindex(list(p.selectors))
best = wide.fillna(np.inf).idxmin()
best_mdad = pd.Series({size: wide.loc[best[size], size] for size in sizes})
reference = "uniform" if "uniform" in wide.index else wide.index[0]
mbnb.say(
    f"Compare these with the {np.ptp(accuracies):.1f} points that lie between the best of the "
    "group and the worst.",
    "Where it says *not reached*, no gap inside the group is wide enough."
    if wide.isna().any().any()
    else "",
)

# %% mystnb={"figure": {"caption": "The group in order of accuracy, equal models with an equal rank. The bars at the foot are as long as the smallest MDAD of any selector here at each size: lay one against two models to see whether their order could be trusted. Data: {glue:text}`data`; {glue:text}`group`.", "name": "fig-12-ranking"}, "image": {"alt": "Dot chart: a row for each model of the group from the best to the worst, its accuracy in points on the horizontal axis; below, one bar for each size that shows the length of the MDAD."}} tags=["hide-input"]
ladder = mbnb.draw_ranking(
    accuracies,
    {
        f"{size:,} items: {mbnb.format_mdad(best_mdad[size])} ({mbnb.label(best[size])})": gap
        for size, gap in best_mdad.items()
    },
)
plt.close(ladder)
ladder

# %% [markdown]
# ## How many comparisons you can trust
#
# An MDAD becomes a statement about *your* group once you ask how many of its pairs lie within it.
# {glue:text}`reported-shares`
# {numref}`fig-12-shares` counts the pairs of this page's group by gap and marks the MDADs of {glue:text}`reference`.

# %% tags=["remove-cell"]
told = mbnb.reported("case-study-8b").set_index("size")
half_lost = [f"{k:,}" for k in told.index if told.loc[k, "share_of_pairs"] > 0.5]
study.insert(
    reference=mbnb.label(reference),
    reported_shares="The study reports that more than half of the pairs of its group do at "
    f"{mbnb.listed(half_lost)} items, whichever method chooses them.",
)

# %% mystnb={"figure": {"caption": "The share of the group's pairs that are at most so far apart. The dotted lines lead from the MDAD of uniform sampling at each size to the share of pairs within it, whose order is not to be trusted. Data: {glue:text}`data`; {glue:text}`group`.", "name": "fig-12-shares"}, "image": {"alt": "Step chart: the share of pairs with at most a gap, rising from 0 to 1 as the gap grows in points; dotted lines at the MDAD of each size, labelled with the share of pairs below it."}} tags=["hide-input"]
within_reach = mbnb.draw_gap_shares(gaps, {f"{k:,} items": wide.loc[reference, k] for k in sizes})
plt.close(within_reach)
within_reach

# %% tags=["hide-input"]
within = wide.map(lambda mdad: 1.0 if np.isnan(mdad) else float((gaps <= mdad + 1e-9).mean()))
shares = within.map(mbnb.percent)
shares.index = [f"{mbnb.label(name)}, measured" for name in shares.index]
shares.loc["Reported, 8B group on MMLU-Pro"] = [
    mbnb.percent(told["share_of_pairs"][k]) if k in told.index else "–" for k in sizes
]
shares.loc["Reported MDAD (points)"] = [
    f"{told['mdad_relation'][k]} {told['mdad'][k]:g}" if k in told.index else "–" for k in sizes
]
of_groups = mbnb.measured("group").query("half == 'train' and group == @p.group")
real = of_groups[mbnb.is_real(of_groups)]
for (name, n_models), rows in real.groupby(["dataset", "n_target"]):
    by_reference = rows[rows["selector"] == reference].set_index("size")["within"]
    for who, column in (
        (mbnb.label(reference), by_reference),
        ("best selector", rows.groupby("size")["within"].min()),
    ):
        shares.loc[f"{who}, {n_models} real models on {name}"] = [
            mbnb.percent(column.get(k, np.nan)) for k in sizes
        ]
shares.columns = pd.Index([f"{k:,}" for k in sizes], name="Size")
mbnb.show(shares)

# %% tags=["hide-input"]
smallest = {size: within[size].idxmin() for size in sizes}
mbnb.say(
    "*Share of the group's pairs within the MDAD.* Where the MDAD is not reached, every pair is "
    "within it.",
    f"Measured here, the best selector of this page leaves {mbnb.percent(within[sizes[0]].min())} of the "
    f"pairs within the MDAD at {sizes[0]:,} items ({mbnb.label(smallest[sizes[0]])}) and "
    f"{mbnb.percent(within[sizes[-1]].min())} at {sizes[-1]:,} ({mbnb.label(smallest[sizes[-1]])}); "
    f"{mbnb.label(reference)} leaves {mbnb.percent(within.loc[reference, sizes[0]])} and "
    f"{mbnb.percent(within.loc[reference, sizes[-1]])}.",
    "The rows of real models were measured once and are kept with the book." if len(real) else "",
    "The reported shares are of 32 real models on the whole of MMLU-Pro; "
    + (
        "the models of this page are simulated, so compare the pattern and not the numbers."
        if simulated
        else "this page's models or items are others, so compare the pattern and not the numbers."
    ),
)

# %% [markdown]
# ## Pair by pair
#
# The share within the MDAD is a rule of thumb, made from bins of gaps.
# Since the targets are fixed, you can also look at each pair by itself: in how many of the trials did the micro-benchmark order these two as the half did?
#
# ```{admonition} Before you touch it
# :class: tip
#
# Guess: of all pairs of the group, which share can ten items tell apart?
# And in which corner of the triangle do they lie?
# ```
#
# In {numref}`fig-12-pairs`, choose a size and a selector, and one model if you like, to see its pairs alone.
# Blue cells are pairs that are put in the right order often, orange ones are not.
# A ring in a cell marks a pair whose {term}`gap` is above the MDAD, so that you see where the rule of thumb and the count of that very pair part ways.
# Point at a cell, and it tells the two names, the gap and the count.

# %% tags=["hide-input"]
pairs = mbnb.pair_agreement(trials)
order = accuracies.round(9).sort_index().sort_values(ascending=False, kind="stable")

# %% mystnb={"figure": {"caption": "Each cell is a pair of the group, ranked by accuracy on all items; its colour says in what share of the trials the pair was put in the right order. Cells near the slope are neighbours in the ranking. Data: {glue:text}`data`; {glue:text}`group`.", "name": "fig-12-pairs"}} tags=["hide-input"]
mbnb.explore_pairs(pairs, accuracies, table, threshold=p.threshold)

# %% [markdown]
# {numref}`fig-12-triangles` holds two selectors still, for print: the reference and the one that tells the most pairs apart at the smallest size.

# %% mystnb={"figure": {"caption": "The pairs of the group, the better model’s rank downwards and the worse model’s to the right, at each size. The number is the share of pairs that are put in the right order at least as often as the threshold asks. Data: {glue:text}`data`; {glue:text}`group`.", "name": "fig-12-triangles"}, "image": {"alt": "Two rows of triangles, a row for each of two selectors and a column for each size. Each cell is a pair of models, blue where it is mostly put in the right order and orange where it is not. The orange shrinks towards the slope as the size grows."}} tags=["hide-input"]
apart_at_first = pairs[pairs["size"] == sizes[0]].assign(
    told=pairs["agreement"] >= p.threshold - 1e-9
)
others = apart_at_first[apart_at_first["selector"] != reference]
drawn = [reference]
if len(others):
    drawn.append(str(others.groupby("selector", observed=True)["told"].mean().idxmax()))
mbnb.draw_pairs(pairs, accuracies, table, selectors=drawn, sizes=sizes, threshold=p.threshold)

# %% tags=["hide-input"]
told_apart = (
    (pairs["agreement"] >= p.threshold - 1e-9)
    .groupby([pairs["selector"].astype(str), pairs["size"]], sort=False)
    .mean()
    .unstack()
)
top = list(order.index[: min(5, len(order))])
is_top = pairs["first"].isin(top) & pairs["second"].isin(top)
of_reference = is_top & (pairs["selector"] == reference)
top_share = (
    (pairs["agreement"][of_reference] >= p.threshold - 1e-9)
    .groupby(pairs["size"][of_reference])
    .mean()
)
steps = [f"{mbnb.percent(told_apart.loc[reference, k])} at {k:,} items" for k in sizes]
mbnb.say(
    f"With {mbnb.label(reference)}, of all pairs those that are put in the right order in at least "
    f"{mbnb.percent(p.threshold)} of the trials are {mbnb.listed(steps)}.",
    f"Among the {len(top)} best models alone it is {mbnb.percent(top_share[sizes[0]])} at {sizes[0]:,} items "
    f"and {mbnb.percent(top_share[sizes[-1]])} at {sizes[-1]:,}."
    if len(top_share) == len(sizes)
    else "",
)

# %% [markdown]
# Two ways of counting, one by bins and one by pairs, need not agree exactly.
# A pair of given gap is harder than its bin if the two models disagree on many items, and easier if they are near copies: see {term}`disagreement rate`.
#
# The corner of the triangle, far from the slope, fills first: the best of the group against the worst.
# If all you need is to discard the lower half, a small micro-benchmark serves you.
# If you need the winner, choose the model of rank 1 in the menu, and see how far to the right its row stays orange.
#
# What would change our mind about this group: a selector whose cells near the slope turn blue at 10 items, on models that it did not learn from.
#
# ## Take-aways
#
# - {glue:text}`take-range`
# - {glue:text}`take-share`
# - Turn an MDAD into a share of *your* pairs before you call a micro-benchmark good or bad.
# - Ranks within a group claim more than a small sample can know; print ties as ties and neighbours as neighbours.

# %% tags=["remove-cell"]
small, large = sizes[0], sizes[-1]
study.insert(
    answer=f"Among {len(members)} similar models, {mbnb.percent(within.loc[reference, small])} of "
    f"the pairs lie within the MDAD of {mbnb.label(reference)} with {small:,} items, "
    f"{mbnb.percent(within[small].min())} within that of the best selector tried here, and at "
    f"{large:,} items still {mbnb.percent(within[large].min())} do.",
    take_range=f"The whole group spans {np.ptp(accuracies):.1f} points, and half of its pairs are "
    f"at most {np.median(gaps):.1f} apart.",
    take_share=f"From {small:,} to {large:,} items the share of pairs within the MDAD of "
    f"{mbnb.label(reference)} goes from {mbnb.percent(within.loc[reference, small])} to "
    f"{mbnb.percent(within.loc[reference, large])}.",
)

# %% [markdown]
# ## Exercises
#
# ```{admonition} Exercise 1: neighbours
# :class: exercise
#
# A leaderboard says that rank 1 beats rank 2, rank 2 beats rank 3, and so on down the group.
# How many of these statements about neighbours could you repeat after {glue:text}`reference` with the largest size of this page?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
place = {name: number for number, name in enumerate(order.index)}
ranked = pairs.assign(
    distance=(pairs["first"].map(place) - pairs["second"].map(place)).abs(),
    right=pairs["agreement"] >= p.threshold - 1e-9,
)
neighbours = ranked.query("distance == 1 and size == @large and selector == @reference")
mbnb.say(
    f"{int(neighbours['right'].sum())} of {len(neighbours)}: the others are in the right order in "
    f"less than {mbnb.percent(p.threshold)} of the trials, at {large:,} items.",
    f"Half of the neighbours are at most {-order.diff().median():.2f} points apart, and the MDAD is "
    f"{mbnb.format_mdad(wide.loc[reference, large])}.",
)

# %% [markdown]
# ```{admonition} Exercise 2: who could be the best?
# :class: exercise
#
# You look for the best model of the group.
# Call every model a candidate whose pair with rank 1 is not told apart.
# How many candidates are left at each size, with each selector?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
champion = order.index[0]
with_best = ranked[(ranked["first"] == champion) | (ranked["second"] == champion)]
candidates = 1 + (~with_best["right"]).groupby(
    [with_best["selector"].astype(str), with_best["size"]]
).sum().unstack().reindex(list(p.selectors))
mbnb.say(
    *[
        f"{mbnb.label(name)}: "
        + mbnb.listed([f"{int(row[size])} at {size:,} items" for size in sizes])
        + "."
        for name, row in candidates.iterrows()
    ],
    f"That is of {len(members)} models, the best one included.",
)

# %% [markdown]
# ```{admonition} Exercise 3: when the rule of thumb fails
# :class: exercise
#
# An MDAD speaks of bins of gaps, the chart of each pair.
# At the size nearest 100, find the pairs whose gap is above the MDAD and that are still not told apart, and the pairs within it that are.
# What do the two kinds of exception differ in?
# (Hint: `mbnb.compare_pairs` tells the {term}`disagreement rate`.)
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
near = study.size_near(100)
rates = mbnb.compare_pairs(own).set_index(["better", "worse"])[["gap", "disagreement"]]
here = ranked[(ranked["size"] == near) & (ranked["selector"] == reference)]
ends = ["first", "second"]
keys = [
    tuple(sorted(pair, key=place.get)) for pair in here[ends].itertuples(index=False, name=None)
]
judged = rates.reindex(pd.MultiIndex.from_tuples(keys)).assign(right=here["right"].to_numpy())
above = judged["gap"] > np.nan_to_num(wide.loc[reference, near], nan=np.inf) + 1e-9
false_comfort, false_alarm = judged[above & ~judged["right"]], judged[~above & judged["right"]]
mbnb.say(
    f"At {near:,} items with {mbnb.label(reference)}, {len(false_comfort)} of {int(above.sum())} "
    f"pairs above the MDAD are not told apart, and {len(false_alarm)} of {int((~above).sum())} "
    "pairs within it are.",
    f"The first kind differ on {false_comfort['disagreement'].mean():.0f} % of the items on "
    f"average, the second on {false_alarm['disagreement'].mean():.0f} %."
    if len(false_comfort) and len(false_alarm)
    else "One kind is missing here, so there is nothing to compare.",
    "What to expect: at the same gap a pair that disagrees often is noisier, so that false comfort "
    "should go with high rates and a false alarm with low ones. "
    "Gaps near a border and few trials blur it.",
)

# %% [markdown]
# ```{admonition} Exercise 4: another group
# :class: exercise
#
# Is this group harder than others?
# Take the models of 70B parameters instead (where the data have no such group, the ten best models), draw items uniformly, and compare the share of pairs within the MDAD.
# Is it the MDAD that differs, or the gaps?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
large_models = mbnb.group_members(matrix, "70b")
if len(large_models) < 5:
    best_first = np.argsort(-matrix.accuracies(), kind="stable")[:10]
    large_models = sorted(matrix.model_ids[best_first].astype(str))
theirs = study.run("uniform", targets=large_models, n_source=1)
other = study.mdad(mbnb.agreement(theirs)).set_index("size")["mdad"]
other_gaps = mbnb.pair_gaps(matrix.subset(models=large_models).accuracies())
other_within = [(other_gaps <= gap + 1e-9).mean() for gap in other.fillna(100)]
mbnb.say(
    f"The {len(large_models)} models have a median gap of {np.median(other_gaps):.1f} points, this "
    f"chapter’s group {np.median(gaps):.1f}.",
    "The MDADs of uniform sampling for them: "
    + mbnb.listed(
        [
            f"{mbnb.format_mdad(gap)} at {size:,} items ({mbnb.percent(share)} of their pairs within)"
            for (size, gap), share in zip(other.items(), other_within, strict=True)
        ]
    )
    + ".",
    "The MDAD belongs to the items and to how often models disagree; the share within it belongs to "
    "the models that you compare.",
)

# %% [markdown]
# ```{admonition} Exercise 5: a ranking in tiers
# :class: exercise
#
# Publish tiers instead of ranks.
# The best model opens the first tier; the first model below it that is told apart from the one that opened the tier opens the next, and so on.
# How many tiers does the group have at each size, with each selector?
# What does such a list promise, and what not?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
n_tiers = {}
for (name, size), judged_here in ranked.groupby(["selector", "size"], observed=True):
    told = {frozenset(pair) for pair in judged_here.loc[judged_here["right"], ends].to_numpy()}
    openers = [champion]
    for model in order.index[1:]:
        if frozenset((openers[-1], model)) in told:
            openers.append(model)
    n_tiers[mbnb.label(str(name)), f"{size:,} items"] = len(openers)
tiers = pd.Series(n_tiers).unstack()[[f"{size:,} items" for size in sizes]]
mbnb.show(tiers)

# %% mystnb={"code_prompt_show": "Show the solution in words", "code_prompt_hide": "Hide the solution in words"} tags=["hide-cell", "solution"]
mbnb.say(
    f"Instead of {len(members)} ranks, a list at {small:,} items has {tiers.iloc[:, 0].min()} to "
    f"{tiers.iloc[:, 0].max()} tiers and one at {large:,} items {tiers.iloc[:, -1].min()} to "
    f"{tiers.iloc[:, -1].max()}.",
    "It promises that the models that open two tiers next to each other are ordered rightly in at "
    f"least {mbnb.percent(p.threshold)} of draws. "
    "It does not promise that for the last of one tier and the first of the next, since being told "
    "apart is not transitive: say so, or print for each model the ranks that it could have.",
)

# %% [markdown]
# ## Re-run this chapter
#
# With fewer trials, on another group, or on real models, where most of the study’s group can be found by name:
#
# ```bash
# mbnb run 12 -p n_trials=10 -p 'sizes=[10,50]'
# mbnb run 12 -p group=70b -p 'selectors=["uniform","tinybenchmarks"]'
# MBNB_DATA=~/leaderboards mbnb run 12 -p dataset=openllm2-mmlu-pro-math
# ```

# %% tags=["hide-input"]
study.footer(trials)
