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
# # Six selectors, seven sizes
#
# {glue:text}`answer`
#
# **What you will learn**
#
# - which {term}`gap` each of the six selectors lets you see at each {term}`size`
# - which of the study's findings hold on the data of this page, and which do not
# - why one reported number cannot be right, whatever the data
# - what {term}`estimation error` and {term}`tau` say about the same trials, and what they hide
#
# **Reading time** 15 minutes.
# **Running time** 5 to 15 minutes on two cores the first time, since this chapter runs the grid that the others read; seconds after that.

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

mbnb.setup_charts()
p = mbnb.parameters(
    dataset=dataset,
    missing=missing,
    n_trials=n_trials,
    sizes=sizes,
    n_source=n_source,
    n_target=n_target,
    threshold=threshold,
    seed=seed,
)
p

# %% tags=["hide-input"]
matrix, lost = mbnb.prepare(p.dataset, missing=p.missing)
sizes, too_large = mbnb.possible_sizes(matrix, p.sizes)
n_source, n_target, chosen = mbnb.possible_counts(matrix, p.n_source, p.n_target)
glue("data", mbnb.data_label(matrix, p.n_trials), display=False)
left_out = (
    f"Sizes above the train half are left out: {mbnb.listed([f'{k:,}' for k in too_large])}."
    if too_large
    else ""
)
mbnb.say(*lost, chosen, left_out)

# %% [markdown]
# ## The grid
#
# You have read how each selector works, one at a time, and how a {term}`micro-benchmark` is judged ([](./09_agreement_mdad)).
# Now all six meet on the same {term}`trials <trial>`: the same halves of the items, the same {term}`sources`, the same {term}`targets`.
# What differs between two lines of a chart below is the selector and nothing else.

# %%
trials = mbnb.run_trials(
    matrix,
    list(mbnb.SELECTORS),
    sizes,
    n_trials=p.n_trials,
    n_source=n_source,
    n_target=n_target,
    seed=p.seed,
    store=mbnb.ResultStore(),
)
counts = mbnb.agreement(trials)
table = mbnb.mdad(counts, threshold=p.threshold, min_pairs=p.n_trials)

# %% [markdown]
# A {term}`bin` decides an {term}`MDAD` here only if it holds one pair a trial on average, so that a handful of pairs cannot.
#
# ## Touch it
#
# In {numref}`fig-10-explore`, choose a size and watch the curves move.
# Start at the smallest size and step upwards: the curves climb, and they close up on one another.
# Where a curve meets the red line is its MDAD.
# Click a name in the legend to see one selector alone.

# %% mystnb={"figure": {"caption": "Agreement against the gap of a pair, at the size that you choose. Where a curve first meets the red line of the threshold, the micro-benchmark begins to be reliable. Data: {glue:text}`data`.", "name": "fig-10-explore"}} tags=["hide-input"]
mbnb.explore_agreement(counts.curve(), threshold=p.threshold)

# %% [markdown]
# {numref}`fig-10-agreement` holds the same curves still, for print.

# %% mystnb={"figure": {"caption": "Agreement against gap, a chart for each size; the dotted line is the threshold. Data: {glue:text}`data`.", "name": "fig-10-agreement"}, "image": {"alt": "Small line charts, one for each size: agreement from 0 to 1 against the gap from 0 to 25 points, a line for each of six selectors and a dotted line at the threshold. The lines rise with the gap and steepen with the size."}} tags=["hide-input"]
figure = mbnb.draw_agreement(counts.curve(), threshold=p.threshold)
plt.close(figure)
figure

# %% [markdown]
# ## The table
#
# One number a curve: the gap, in {term}`points`, from which the order can be trusted.
# The brackets hold 95 % {term}`bootstrap intervals <bootstrap interval>` over trials.
# Reported numbers {cite:p}`yauney2026reliable` reach this book by way of a reading of the paper's figures, so take them as approximate.

# %% tags=["hide-input"]
told = {"MMLU-Pro": mbnb.reported("mdad-mmlu-pro"), "BBH": mbnb.reported("mdad-bbh")}
is_mmlu_pro = "mmlu-pro" in matrix.name and matrix.n_items > 5_000
simulated = matrix.name.startswith("simulated:")
mbnb.say(
    f"**MDAD in points, measured on {matrix.name}"
    + (", and as reported for MMLU-Pro.**" if is_mmlu_pro else ".**"),
    "The reported figures are of real models and the measured ones of simulated models: look for "
    "the same pattern, not for the same number."
    if is_mmlu_pro and simulated
    else "",
)

# %% tags=["hide-input"]
mbnb.mdad_table(table, reported=told["MMLU-Pro"] if is_mmlu_pro else None)

# %% [markdown]
# What the study reports for the benchmarks that are not those of this page stands in a table of its own.

# %% tags=["hide-input"]
others = [name for name in told if not (is_mmlu_pro and name == "MMLU-Pro")]
wide_told = pd.concat(
    {name: told[name].pivot(index="selector", columns="size", values="mdad") for name in others}
).reindex(list(mbnb.SELECTORS), level=1)
wide_told.index = pd.MultiIndex.from_tuples(
    [(name, mbnb.label(selector)) for name, selector in wide_told.index],
)
wide_told.columns.name = "Size"
mbnb.show(wide_told)

# %% [markdown]
# {numref}`fig-10-mdad` draws the measured table.
# The dotted line is the {term}`floor`: the gap below which uniform sampling cannot be reliable, because two models that differ on too few items tie on the sample.
# It binds uniform sampling alone; a selector that looks for telling items may go below it.

# %% mystnb={"figure": {"caption": "MDAD against size with 95 % intervals; lower is better. Points at one size are set side by side so that none hides another. The vertical axis is even up to 1 point and logarithmic above. Data: {glue:text}`data`.", "name": "fig-10-mdad"}, "image": {"alt": "Line chart: MDAD in points against size on a logarithmic axis, a line with vertical intervals for each of six selectors, all falling with the size, and a dotted line for the floor of uniform sampling."}} tags=["hide-input"]
floor = mbnb.uniform_floor(sizes, p.threshold)
figure = mbnb.draw_mdad(table, floor=floor)
plt.close(figure)
figure

# %% [markdown]
# ## Which findings hold here
#
# The study makes three claims from its tables.
# Each is put to the test on the data of this page.
#
# **Anchor Points leads at small sizes.**

# %% tags=["hide-input"]
wide = table.pivot(index="selector", columns="size", values="mdad").astype(float)
wide = wide.rename(index=str)
ranked = wide.fillna(np.inf)
small = [size for size in sizes if size <= 50] or sizes[:1]
ahead = [k for k in small if ranked.loc["anchor-points", k] < ranked.drop("anchor-points")[k].min()]
level = [k for k in small if ranked.loc["anchor-points", k] == ranked[k].min() and k not in ahead]
behind = [k for k in small if k not in ahead + level]
clauses = [
    f"{how} at {mbnb.listed([f'{k:,}' for k in found])} items"
    for how, found in (
        ("has the lowest MDAD of all", ahead),
        ("shares the lowest MDAD", level),
        ("is behind the best", behind),
    )
    if found and np.isfinite(ranked[found].to_numpy().min(axis=0)).any()
]
verdict = "holds" if not behind else "holds in part" if ahead + level else "does not hold"
mbnb.say(
    f"Measured here, this {verdict}: Anchor Points {mbnb.listed(clauses) or 'reaches no MDAD'}.",
    f"At {small[0]:,} items its MDAD is "
    f"{mbnb.format_mdad(wide.loc['anchor-points', small[0]])}, and that of uniform sampling "
    f"{mbnb.format_mdad(wide.loc['uniform', small[0]])}.",
)

# %% [markdown]
# **Anchor Points stalls at large sizes.**
# The study reports 1.5 points at 250, 500 and 1,000 items alike on MMLU-Pro, where the others go on to 1.0.

# %% tags=["hide-input"]
largest = sizes[-1]
last = ranked[largest]
behind_by = last["anchor-points"] - last.drop("anchor-points").min()
rank = int((last < last["anchor-points"]).sum()) + 1
where = (
    f"the lowest or level with it ({mbnb.format_mdad(wide.loc['anchor-points', largest])})"
    if rank == 1
    else f"{mbnb.format_mdad(wide.loc['anchor-points', largest])}, and {rank - 1} of the "
    f"{len(last) - 1} others {'is' if rank == 2 else 'are'} lower "
    f"(the lowest {mbnb.format_mdad(last.drop('anchor-points').min())})"
)
mbnb.say(
    f"Measured here, this {'does not show' if rank == 1 else 'shows'}"
    f" at the largest size, {largest:,} items: the MDAD of Anchor Points is {where}.",
    "A cluster that holds one item speaks for one item, and at large sizes many do.",
)

# %% [markdown]
# [](./07_anchor_points) counts those clusters.
#
# **From about 250 items nothing beats uniform sampling.**

# %% tags=["hide-input"]
gains = mbnb.mdad_difference(counts, threshold=p.threshold, min_pairs=p.n_trials)
large = [size for size in sizes if size >= 250]
best = gains[gains["size"].isin(large)].dropna(subset="gain").sort_values("gain").tail(1)
within = gains.groupby("size")["gain"].max().le(1.0)
from_size = next((k for k in sizes if within[[j for j in sizes if j >= k]].all()), None)
parity = (
    f"from {from_size:,} items on no selector is more than a point better than uniform sampling"
    if from_size is not None
    else f"even at {largest:,} items a selector is more than a point better than uniform sampling"
)
if best.empty:
    claim = "Measured here, this cannot be said: there is no MDAD at 250 items or more."
else:
    top = best.iloc[0]
    most = (
        f"the best is {mbnb.label(top['selector'])} at {int(top['size']):,} items, "
        f"{mbnb.in_points(top['gain'])} below uniform sampling"
        if top["gain"] > 0
        else "none is below uniform sampling at all"
    )
    claim = (
        f"Measured here, this {'holds to within a point' if top['gain'] <= 1 else 'does not hold'}"
        f": of all selectors at {mbnb.listed([f'{k:,}' for k in large])} items, {most}."
    )
mbnb.say(claim, f"Over the whole table, {parity}.")

# %% [markdown]
# [](./13_parity_at_250) asks why.

# %% tags=["remove-cell"]
first = sizes[0]
uniform_first = wide.loc["uniform", first]
winner = ranked[first].idxmin()
winner_first = wide.loc[winner, first]
lead = (
    f"{mbnb.label(winner)}, the best selector at that size, needs {mbnb.format_mdad(winner_first)}"
    if winner != "uniform"
    else "no selector does better"
)
how_far = (
    f"two models must be {mbnb.in_points(uniform_first)} apart"
    if not np.isnan(uniform_first)
    else "no gap that occurs is wide enough"
)
glue(
    "answer",
    f"With {first:,} uniformly drawn items {how_far} before you can trust their order, and {lead}; "
    f"{parity}.",
    display=False,
)
glue("threshold", mbnb.percent(p.threshold), display=False)

# %% [markdown]
# ## A reported number that cannot be
#
# One cell of the reported tables contradicts the definition that it was measured by.
# Take the best case for uniform sampling: one model solves everything that the other solves, and a share $d$ of the items besides.
# A sample of $k$ items shows a difference only if at least one of them is among that share, which happens with probability $1-(1-d)^k$.
# If it shows none, the two estimates tie, and a tie counts as wrong.
# So {glue:text}`threshold` agreement needs $d$ to be large enough that the sample catches one.

# %% tags=["hide-input"]
bound = mbnb.uniform_floor([10], 0.8).iloc[0]
row = {name: t.set_index(["selector", "size"])["mdad"]["uniform", 10] for name, t in told.items()}
verdicts = [
    f"The value reported for {name}, {value:g}, "
    + ("keeps to that bound." if value >= bound else f"is {bound - value:.1f} points below it.")
    for name, value in row.items()
]
measured = (
    f"The value measured here is {mbnb.format_mdad(wide.loc['uniform', 10])}."
    if 10 in wide.columns
    else ""
)
few = (
    "That is below the bound, so bins with few pairs have decided it: run more trials."
    if 10 in wide.columns and wide.loc["uniform", 10] < bound - 0.25 and p.threshold >= 0.8
    else ""
)
mbnb.say(
    f"At 10 items and a threshold of 0.8 that is {bound:.1f} points.",
    *verdicts,
    measured,
    few,
)

# %% [markdown]
# An MDAD is the centre of a bin half a point wide, so a value may lie a quarter of a point below the bound and no more, unless few pairs decide it.
# A bin of few pairs can reach the threshold by luck, and the {term}`first rule` takes the first that does: with few trials the rule reads low.
# That may be how the reported value came about, or it may have been misread from the figure; the table alone cannot say.
# It would change our mind to see the counts of pairs behind it.
#
# ## What the older measures say
#
# Before agreement, a micro-benchmark was judged by how far its estimates are off and by how well it ranks all models at once.
# Here are both for the same trials: the mean absolute estimation error in points, and Kendall's {term}`tau-b` averaged over trials.

# %% tags=["hide-input"]
error = mbnb.estimation_error(trials)
tau = mbnb.kendall_tau(trials)
measures = pd.concat(
    {
        "Error (points)": error.pivot(index="selector", columns="size", values="error").round(1),
        "Tau-b": tau.pivot(index="selector", columns="size", values="tau").round(2),
    }
)
measures.index = pd.MultiIndex.from_tuples(
    [(measure, mbnb.label(str(selector))) for measure, selector in measures.index],
)
measures.columns.name = "Size"
mbnb.show(measures)

# %% tags=["hide-input"]
at_first = {
    "MDAD": ranked[first],
    "error": error[error["size"] == first].set_index("selector")["error"].rename(index=str),
    "tau": -tau[tau["size"] == first].set_index("selector")["tau"].rename(index=str),
}
leaders = {measure: mbnb.label(values.idxmin()) for measure, values in at_first.items()}
at_last = error[error["size"] == largest].set_index("selector")["error"].rename(index=str)
farthest = at_last.idxmax()
its_tau = tau[(tau["size"] == largest) & (tau["selector"] == farthest)]["tau"].iloc[0]
undefined = int(tau["n_undefined"].sum())
mbnb.say(
    f"At {first:,} items the lowest MDAD belongs to {leaders['MDAD']}, the lowest error to "
    f"{leaders['error']} and the highest tau to {leaders['tau']}.",
    "The three measures name the same selector."
    if len(set(leaders.values())) == 1
    else "The three measures do not name the same selector.",
    f"At {largest:,} items the largest error is that of {mbnb.label(farthest)}, "
    f"{at_last[farthest]:.1f} points"
    + ("." if np.isnan(its_tau) else f", with a tau of {its_tau:.2f}."),
    f"In {undefined:,} of {len(tau) * p.n_trials:,} cases all estimates were equal, tau was "
    "undefined, and the case is left out of the mean."
    if undefined
    else "",
)

# %% [markdown]
# The measures answer different questions.
# An error that is the same for every model leaves the order untouched, so a selector can be far off and rank well.
# Two of the six do not aim at the accuracy at all: Anchor Points estimates with {term}`confidences <confidence>`, and diversity prefers items unlike the others and takes their plain mean.
# And tau counts every pair alike, most of which are so far apart that any ten items would order them.
#
# ## Does it carry over to new items?
#
# A micro-benchmark is chosen from the {term}`train half`, and so far it was asked to reproduce the ranking on that half.
# Ask it now for the ranking on the {term}`held-out half`, which no selector saw.

# %% tags=["hide-input"]
heldout = mbnb.mdad(mbnb.agreement(trials, "heldout"), threshold=p.threshold, min_pairs=p.n_trials)
mbnb.mdad_table(heldout)

# %% tags=["hide-input"]
worse = heldout["mdad"] - table["mdad"]
lost_cells = int((heldout["mdad"].isna() & table["mdad"].notna()).sum())
widest = worse.abs().idxmax() if worse.notna().any() else None
mbnb.say(
    "There is no MDAD to compare."
    if widest is None
    else f"Against held-out items the MDAD is {abs(worse.mean()):.1f} points "
    f"{'higher' if worse.mean() >= 0 else 'lower'} on average over the table. "
    f"The widest difference is {mbnb.points(worse[widest])} points, for "
    f"{mbnb.label(str(heldout['selector'][widest]))} at {int(heldout['size'][widest]):,} items.",
    f"In {lost_cells} cells the threshold is no longer reached." if lost_cells else "",
)

# %% [markdown]
# The study reports hardly any difference for selections from the pooled benchmark.
# At the largest sizes some difference is bound to remain: two halves of a benchmark do not rank close models alike, however many items you answer.
#
# ## What the trials had to say
#
# Selectors leave notes where the data forced their hand.

# %% tags=["hide-input"]
notes = "\n".join(f"- {note}" for note in trials.notes)
mbnb.say(notes or "In this run there were none.")

# %% [markdown]
# ## Take-aways
#
# - {glue:text}`take-first`
# - {glue:text}`take-parity`
# - A tied sample is no evidence, and that alone sets a floor of {glue:text}`floor-first` under uniform sampling at the smallest size of this page.
# - A number below that floor is a sign of few pairs or of another rule, not of a better benchmark.
# - Error and tau are about all models at once; only the MDAD is about the two that you want to compare.

# %% tags=["remove-cell"]
glue(
    "take-first",
    f"At {first:,} items the selector matters most: the MDADs run from "
    f"{mbnb.format_mdad(wide[first].min())} to "
    f"{mbnb.format_mdad(np.nan if wide[first].isna().any() else wide[first].max())} points; at "
    f"{largest:,} from {mbnb.format_mdad(wide[largest].min())} to "
    f"{mbnb.format_mdad(np.nan if wide[largest].isna().any() else wide[largest].max())}.",
    display=False,
)
glue("take-parity", f"{parity[0].upper()}{parity[1:]}.", display=False)
glue("floor-first", f"{floor.iloc[0]:.1f} points", display=False)

# %% [markdown]
# ## Re-run this chapter
#
# ```bash
# mbnb run 10 -p n_trials=10 -p 'sizes=[10,50]'
# MBNB_DATA=~/leaderboards mbnb run 10 -p dataset=bigcodebench
# ```

# %% tags=["hide-input"]
mbnb.footer(matrix, p.seed, trials)
