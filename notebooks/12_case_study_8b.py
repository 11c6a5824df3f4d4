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
# - which pairs of one group you could tell apart, one by one, at the {term}`size` you choose
# - how much of the top of a ranking survives
#
# **Reading time** 12 minutes.
# **Running time** 2 to 4 minutes on two cores the first time, seconds after that.

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
from myst_nb import glue

import mbnb

mbnb.setup_charts()
p = mbnb.parameters(
    dataset=dataset,
    missing=missing,
    group=group,
    selectors=selectors,
    n_trials=n_trials,
    sizes=sizes,
    n_source=n_source,
    threshold=threshold,
    seed=seed,
)
p

# %% [markdown]
# ## The group
#
# Most people do not compare the best model of the year with the worst.
# They compare what fits on their hardware.
# The study therefore fixes its {term}`target models` to 32 instruction-tuned models of about eight billion parameters {cite:p}`yauney2026reliable`, and so does this chapter where the data hold such a group.

# %% tags=["hide-input"]
matrix, lost = mbnb.prepare(p.dataset, missing=p.missing)
sizes, too_large = mbnb.possible_sizes(matrix, p.sizes)
members = mbnb.group_members(matrix, p.group)
has_group = len(members) >= 5
if not has_group:
    members = mbnb.middle_models(matrix, max(2, min(32, matrix.n_models // 3)))
n_source = min(p.n_source or 300, matrix.n_models - len(members))
simulated = matrix.name.startswith("simulated:")
group_name = f"the group {p.group}" if has_group else "the models in the middle"
glue("data", mbnb.data_label(matrix, p.n_trials), display=False)
glue("group", f"{len(members)} models, {group_name}", display=False)
mbnb.say(
    *lost,
    f"In {matrix.name} the group {p.group} has {len(members)} models"
    + (", all of them simulated." if simulated else ", found by name.")
    if has_group
    else f"{matrix.name} has no group {p.group}. As a stand-in this page takes the "
    f"{len(members)} models whose accuracies lie nearest the median: a close group, but not one "
    "that anybody chooses from.",
    f"The {n_source} source models are drawn from the rest.",
    f"Sizes above the train half are left out: {mbnb.listed([f'{k:,}' for k in too_large])}."
    if too_large
    else "",
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
trials = mbnb.run_trials(
    matrix,
    p.selectors,
    sizes,
    n_trials=p.n_trials,
    n_source=n_source,
    targets=members,
    seed=p.seed,
    store=mbnb.ResultStore(),
)
counts = mbnb.agreement(trials)
table = mbnb.mdad(counts, threshold=p.threshold, min_pairs=p.n_trials)

# %% [markdown]
# **MDAD in points for this group**, with 95 % intervals over trials; a {term}`bin` counts only if it holds at least one pair a trial on average.

# %% tags=["hide-input"]
mbnb.mdad_table(table)

# %% tags=["hide-input"]
wide = table.pivot(index="selector", columns="size", values="mdad").astype(float)
wide = wide.rename(index=str).reindex(list(p.selectors))
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
figure = mbnb.draw_ranking(
    accuracies,
    {
        f"{size:,} items: {mbnb.format_mdad(best_mdad[size])} ({mbnb.label(best[size])})": gap
        for size, gap in best_mdad.items()
    },
)
plt.close(figure)
figure

# %% [markdown]
# ## How many comparisons you can trust
#
# An MDAD becomes a statement about *your* group once you ask how many of its pairs lie within it.
# The study reports that more than half of the pairs of its group do at 10 and 25 items, whichever method chooses them.
# {numref}`fig-12-shares` counts the pairs of this page's group by gap and marks the MDADs of {glue:text}`reference`.

# %% tags=["remove-cell"]
glue("reference", mbnb.label(reference), display=False)

# %% mystnb={"figure": {"caption": "The share of the group's pairs that are at most so far apart. The dotted lines lead from the MDAD of uniform sampling at each size to the share of pairs within it, whose order is not to be trusted. Data: {glue:text}`data`; {glue:text}`group`.", "name": "fig-12-shares"}, "image": {"alt": "Step chart: the share of pairs with at most a gap, rising from 0 to 1 as the gap grows in points; dotted lines at the MDAD of each size, labelled with the share of pairs below it."}} tags=["hide-input"]
figure = mbnb.draw_gap_shares(gaps, {f"{k:,} items": wide.loc[reference, k] for k in sizes})
plt.close(figure)
figure

# %% tags=["hide-input"]
within = wide.map(lambda mdad: 1.0 if np.isnan(mdad) else float((gaps <= mdad + 1e-9).mean()))
shares = within.map(mbnb.percent)
shares.index = [f"{mbnb.label(name)}, measured" for name in shares.index]
told = mbnb.reported("case-study-8b").set_index("size")
shares.loc["Reported, 8B group on MMLU-Pro"] = [
    mbnb.percent(told["share_of_pairs"][k]) if k in told.index else "–" for k in sizes
]
shares.loc["Reported MDAD (points)"] = [
    f"{told['mdad_relation'][k]} {told['mdad'][k]:g}" if k in told.index else "–" for k in sizes
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
# In {numref}`fig-12-pairs`, choose a size and a selector and point at a cell.

# %% tags=["hide-input"]
pairs = mbnb.pair_agreement(trials)
order = accuracies.sort_index().sort_values(ascending=False, kind="stable")

# %% mystnb={"figure": {"caption": "Each cell is a pair of the group, ranked by accuracy on all items; its colour says in what share of the trials the pair was put in the right order. Cells near the slope are neighbours in the ranking. Data: {glue:text}`data`; {glue:text}`group`.", "name": "fig-12-pairs"}} tags=["hide-input"]
mbnb.explore_pairs(pairs, list(order.index), threshold=p.threshold)

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
# If you need the winner, look at the row of rank 1, and at how far to the right it stays orange.
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
glue(
    "answer",
    f"Among {len(members)} similar models, {mbnb.percent(within.loc[reference, small])} of the pairs lie "
    f"within the MDAD of {small:,} uniformly drawn items, {mbnb.percent(within[small].min())} within that of "
    f"the best selector tried here, and at {large:,} items still {mbnb.percent(within[large].min())} do.",
    display=False,
)
glue(
    "take-range",
    f"The whole group spans {np.ptp(accuracies):.1f} points, and half of its pairs are at most "
    f"{np.median(gaps):.1f} apart.",
    display=False,
)
glue(
    "take-share",
    f"From {small:,} to {large:,} items the share of pairs within the MDAD of "
    f"{mbnb.label(reference)} goes from {mbnb.percent(within.loc[reference, small])} to "
    f"{mbnb.percent(within.loc[reference, large])}.",
    display=False,
)

# %% [markdown]
# ## Re-run this chapter
#
# ```bash
# mbnb run 12 -p n_trials=10 -p 'sizes=[10,50]'
# MBNB_DATA=~/leaderboards mbnb run 12 -p dataset=openllm2-mmlu-pro-math
# ```

# %% tags=["hide-input"]
mbnb.footer(matrix, p.seed, trials)
