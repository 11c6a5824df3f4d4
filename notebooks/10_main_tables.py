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
# - which {term}`gap` each of the six {term}`selectors <selector>` lets you see at each {term}`size`
# - which of the study’s findings hold on the data of this page and on three more benchmarks, and which do not
# - why one reported number cannot be right, whatever the data
# - what {term}`estimation error` and {term}`tau` say about the same trials, and what they hide
#
# **Reading time** 20 minutes, the exercises not counted.
# **Running time** 5 to 15 minutes on two cores the first time, since this chapter runs the grid that the others read; under a minute after that.

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

p = mbnb.parameters(globals())
p

# %% tags=["hide-input"]
study = mbnb.open_study(p)
study

# %% [markdown]
# ## The grid
#
# You have read how each selector works, one at a time, and how a {term}`micro-benchmark` is judged ([](./09_agreement_mdad)).
# Now all six meet on the same {term}`trials <trial>`: the same halves of the items, the same {term}`sources`, the same {term}`targets`.
# What differs between two lines of a chart below is the selector and nothing else.

# %%
trials = study.run(list(mbnb.SELECTORS), sizes=study.sizes)
counts, sizes = mbnb.agreement(trials), trials.sizes
table = study.mdad(counts)

# %% [markdown]
# A {term}`bin` decides an {term}`MDAD` here only if it holds one pair a trial on average, so that a handful of pairs cannot.
#
# ## Touch it
#
# In {numref}`fig-10-explore`, move the slider and watch the curves.
# Start at the smallest size and step upwards: the curves climb, and they close up on one another.
# The ring on a curve is the first bin that reaches the red line of the {term}`threshold`: there is the selector’s MDAD, and the list at the lower right says it in words.
# Click a name in the legend, or choose it from the menu, to see one selector alone.

# %% mystnb={"figure": {"caption": "Agreement against the gap of a pair, at the size that you choose. A ring marks the bin that decides a selector’s MDAD: the first with enough pairs whose agreement reaches the threshold. Data: {glue:text}`data`.", "name": "fig-10-explore"}} tags=["hide-input"]
mbnb.explore_agreement(counts.curve(), table, threshold=p.threshold)

# %% [markdown]
# {numref}`fig-10-agreement` holds the same curves still, for print.

# %% mystnb={"figure": {"caption": "Agreement against gap, a chart for each size; the dotted line is the threshold. Data: {glue:text}`data`.", "name": "fig-10-agreement"}, "image": {"alt": "Small line charts, one for each size: agreement from 0 to 1 against the gap from 0 to 25 points, a line for each of six selectors and a dotted line at the threshold. The lines rise with the gap and steepen with the size."}} tags=["hide-input"]
curves_still = mbnb.draw_agreement(counts.curve(), threshold=p.threshold)
plt.close(curves_still)
curves_still

# %% [markdown]
# ## The table
#
# One number a curve: the gap, in {term}`points`, from which the order can be trusted.
# The brackets hold 95 % {term}`bootstrap intervals <bootstrap interval>` over trials.
# Reported numbers {cite:p}`yauney2026reliable` reach this book by way of a reading of the paper's figures, so take them as approximate.

# %% tags=["hide-input"]
told = {name: mbnb.reported(f"mdad-{name.lower()}") for name in ("MMLU-Pro", "BBH")}
is_mmlu_pro = "mmlu-pro" in study.matrix.name and study.matrix.n_items > 5_000
mbnb.say(
    f"**MDAD in points, measured on {study.matrix.name}"
    + (", and as reported for MMLU-Pro.**" if is_mmlu_pro else ".**"),
    "The reported figures are of real models and the measured ones of simulated models: look for "
    "the same pattern, not for the same number."
    if is_mmlu_pro and study.matrix.name.startswith("simulated:")
    else "",
)

# %% tags=["hide-input"]
mbnb.mdad_table(table, reported=told["MMLU-Pro"] if is_mmlu_pro else None)

# %% tags=["hide-input"]
elsewhere = told["MMLU-Pro"].pivot(index="selector", columns="size", values="mdad")
elsewhere = elsewhere.reindex(list(mbnb.SELECTORS)).rename(index=mbnb.label)
None if is_mmlu_pro else mbnb.show(elsewhere).set_caption("Points, reported for MMLU-Pro.")

# %% [markdown]
# {numref}`fig-10-mdad` draws the measured table.
# The dotted line is the {term}`floor`: the gap below which uniform sampling cannot be reliable, because two models that differ on too few items tie on the sample.
# It binds uniform sampling alone; a selector that looks for telling items may go below it.

# %% mystnb={"figure": {"caption": "MDAD against size with 95 % intervals; lower is better. Points at one size are set side by side so that none hides another. The vertical axis is even up to 1 point and logarithmic above. Data: {glue:text}`data`.", "name": "fig-10-mdad"}, "image": {"alt": "Line chart: MDAD in points against size on a logarithmic axis, a line with vertical intervals for each of six selectors, all falling with the size, and a dotted line for the floor of uniform sampling."}} tags=["hide-input"]
floor = mbnb.uniform_floor(trials.sizes, p.threshold)
by_selector = mbnb.draw_mdad(table, floor=floor)
plt.close(by_selector)
by_selector

# %% [markdown]
# ## Which findings hold here
#
# The study makes three claims from its tables.
# Each is put to the test on the data of this page.
#
# **Anchor Points leads at small sizes.**

# %% tags=["hide-input"]
wide = table.astype({"selector": str}).pivot(index="selector", columns="size", values="mdad")
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

# %% tags=["hide-input"]
reported_large = told["MMLU-Pro"].query("size >= 250").groupby("selector")["mdad"]
stalled, others_end = (
    sorted(reported_large.get_group("anchor-points").unique()),
    reported_large.min().drop("anchor-points"),
)
mbnb.say(
    "The study reports "
    + mbnb.listed([f"{value:g}" for value in stalled])
    + f" points at every size from 250 on for MMLU-Pro, where the others go on to "
    f"{others_end.max():g}."
)

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
gains = mbnb.mdad_difference(counts, **study.rule)
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
study.insert(
    answer=f"With {first:,} uniformly drawn items {how_far} before you can trust their order, and "
    f"{lead}; {parity}.",
    threshold=mbnb.percent(p.threshold),
    mdad_uniform_10=mbnb.in_points(uniform_first),
    mdad_best_10=mbnb.in_points(winner_first),
    best_10=mbnb.label(winner),
    parity=parity,
)
finding = mbnb.explore_agreement(counts.curve(), table, threshold=p.threshold, size=10, height=300)
glue("finding-chart", finding, display=False)

# %% [markdown]
# ## Four benchmarks
#
# One benchmark is one case.
# The study has four, and each has a simulated counterpart with as many items, subtasks and options: MMLU-Pro, BBH, GPQA and MMLU ([](../book/data_cards.md)).
# They were run once with the study’s numbers of trials, sources and targets; what was measured is kept with the book.
# {numref}`fig-10-four` sets them side by side.

# %% tags=["hide-input"]
everything = mbnb.measured("leaderboards")
four = everything[~mbnb.is_real(everything)]
shapes = four.drop_duplicates("dataset")
study.insert(
    four_data="; ".join(
        f"{row.dataset} ({row.n_models:,} simulated models × {row.n_items:,} items, "
        f"{row.n_trials:,} trials)"
        for row in shapes.itertuples()
    )
)

# %% mystnb={"figure": {"caption": "MDAD against size on the four simulated benchmarks; the dotted line is the floor of uniform sampling. Data: {glue:text}`four-data`.", "name": "fig-10-four"}, "image": {"alt": "Four small line charts, one a benchmark: MDAD in points against size, a line for each of six selectors, all falling and closing up on one another as the size grows, above a dotted floor that uniform sampling keeps to."}} tags=["hide-input"]
mbnb.draw_leaderboards(four)

# %% tags=["hide-input"]
mbnb.every_mdad_table(four)

# %% [markdown]
# Beside BBH the study’s own table can be laid; for GPQA and MMLU this book knows sentences only.

# %% tags=["hide-input"]
bbh = four.query("dataset == 'simulated:bbh' and half == 'train'")
mbnb.mdad_table(bbh.assign(estimator="its own", threshold=0.8), reported=told["BBH"])

# %% [markdown]
# What does the study say of ten items?
# Its abstract names a gap that no selector sees, for two of the benchmarks, and a summary of the paper names others.

# %% tags=["hide-input"]
leads = mbnb.leading_selectors(four).set_index(["dataset", "size"])
said = mbnb.reported("claims").query("claim.str.startswith('no-selector-10')").copy()
said["dataset"] = "simulated:" + said["benchmark"].str.lower()
said["source"] = said["claim"].map({"no-selector-10": "the abstract"}).fillna("a summary")
at_ten = leads.xs(10, level="size")
claims = pd.DataFrame(
    {
        "reported: no selector sees": [f"{gap:g} points" for gap in said["value"]],
        "where": said["source"],
        "lowest measured": [mbnb.in_points(at_ten.loc[name, "mdad"]) for name in said["dataset"]],
        "by": [mbnb.label(at_ten.loc[name, "leader"]) for name in said["dataset"]],
        "uniform sampling": [
            mbnb.in_points(at_ten.loc[name, "uniform"]) for name in said["dataset"]
        ],
    }
)
claims.index = pd.Index(said["benchmark"] + ", 10 items", name=None)
mbnb.show(claims)

# %% tags=["hide-input"]
reach = at_ten["mdad"].reindex(said["dataset"]).to_numpy()
below = said[reach <= said["value"].to_numpy()]
mbnb.say(
    "*Measured on simulated models, reported for real ones.*",
    "On none of the simulated benchmarks does a selector see a gap as small as the one reported."
    if below.empty
    else "On the simulated benchmark a selector sees the gap that is reported as out of reach for "
    + mbnb.listed(
        [f"{row.benchmark} ({row.value:g}, in {row.source})" for row in below.itertuples()]
    )
    + ".",
)

# %% [markdown]
# And from 250 items on?
# Uniform sampling is reported to be level with every selector on all four.
# The table says from which size on no selector’s MDAD is more than a point, and no more than half a point, below that of uniform sampling; half a point is one bin.

# %% tags=["hide-input"]
lead_by = leads["gain"].unstack("dataset")[list(shapes["dataset"])]
level = pd.DataFrame(
    {
        text: {
            name: next((f"{k:,}" for k in own.index if own[own.index >= k].le(most).all()), "never")
            for name, own in ((name, lead_by[name].dropna()) for name in lead_by)
        }
        for most, text in ((1.0, "within a point from"), (0.5, "within half a point from"))
    }
).assign(largest=[f"{lead_by[name].dropna().index[-1]:,}" for name in lead_by])
mbnb.show(level.rename(columns={"largest": "largest size"}))

# %% tags=["hide-input"]
late = lead_by[lead_by.index >= 250].stack().dropna()
mbnb.say(
    "*Items.*",
    f"At 250 items and more the widest lead of any selector on any of them is "
    f"{mbnb.in_points(late.max())}, on {late.idxmax()[1]} at {late.idxmax()[0]:,} items."
    if late.max() > 0
    else "At 250 items and more no selector is ahead of uniform sampling on any of them.",
    f"At {lead_by.index[0]} items it is {mbnb.in_points(lead_by.iloc[0].max())}, on "
    f"{lead_by.iloc[0].idxmax()}.",
)

# %% [markdown]
# Does the same hold for real models?
# [](./16_real_leaderboards) asks eight leaderboards.
#
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
        "Error (points)": error.pivot(index="selector", columns="size", values="error").map(
            "{:.1f}".format
        ),
        "Tau-b": tau.pivot(index="selector", columns="size", values="tau").map("{:.2f}".format),
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
# Three of the six do not aim at the accuracy at all: equal quotas aim at the mean over subtasks, Anchor Points estimates with {term}`confidences <confidence>`, and diversity prefers items unlike the others and takes their plain mean.
# And tau counts every pair alike, most of which are so far apart that any ten items would order them.
#
# ## Does it carry over to new items?
#
# A micro-benchmark is chosen from the {term}`train half`, and so far it was asked to reproduce the ranking on that half.
# Ask it now for the ranking on the {term}`held-out half`, which no selector saw.

# %% tags=["hide-input"]
heldout = study.mdad(mbnb.agreement(trials, "heldout"))
mbnb.mdad_table(heldout)

# %% tags=["hide-input"]
worse = heldout["mdad"] - table["mdad"]
lost_cells = int((heldout["mdad"].isna() & table["mdad"].notna()).sum())
widest = worse.abs().idxmax() if worse.notna().any() else None
mbnb.say(
    "There is no MDAD to compare."
    if widest is None
    else f"Against held-out items the MDAD is {abs(worse.mean()):.2f} points "
    f"{'higher' if worse.mean() >= 0 else 'lower'} on average over the table. "
    f"The widest difference is {mbnb.in_points(worse.abs().max())}, for example for "
    f"{mbnb.label(str(heldout['selector'][widest]))} at {int(heldout['size'][widest]):,} items, where "
    f"it is {'higher' if worse[widest] > 0 else 'lower'}.",
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
study.insert(
    take_first=f"At {first:,} items the selector matters most: the MDADs run from "
    f"{mbnb.format_mdad(wide[first].min())} to "
    f"{mbnb.format_mdad(np.nan if wide[first].isna().any() else wide[first].max())} points; at "
    f"{largest:,} from {mbnb.format_mdad(wide[largest].min())} to "
    f"{mbnb.format_mdad(np.nan if wide[largest].isna().any() else wide[largest].max())}.",
    take_parity=f"{parity[0].upper()}{parity[1:]}.",
    floor_first=f"{floor.iloc[0]:.1f} points",
)

# %% [markdown]
# ## Exercises
#
# ```{admonition} Exercise 1: read the table
# :class: exercise
#
# Your two candidates are six points apart on the whole benchmark, and you can afford the smallest {term}`size` of this page.
# Which {term}`selectors <selector>` put them in the right order often enough?
# How many items would each of the others need?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
enough = (wide <= 6).apply(lambda row: next((k for k in sizes if row[k]), None), axis=1)
at_once = [mbnb.label(name) for name in enough.index if enough[name] == first]
later = [
    f"{mbnb.label(name)} from {int(size):,} items on"
    if size == size and size is not None
    else f"{mbnb.label(name)} at none of these sizes"
    for name, size in enough.items()
    if size != first
]
mbnb.say(
    f"At {first:,} items: {mbnb.listed(at_once) or 'none'}.",
    f"The others: {mbnb.listed(later)}." if later else "",
    "The MDAD is the gap from which agreement is high enough, so you look for cells of at most 6.",
)

# %% [markdown]
# ```{admonition} Exercise 2: intervals that overlap
# :class: exercise
#
# At the smallest size take the best selector and the runner-up.
# Do the intervals of their MDADs overlap?
# If so, are the two level?
# Compare them trial by trial (`mbnb.mdad_difference`) before you answer.
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
order = table[table["size"] == first].sort_values("mdad", kind="stable").head(2)
best_row, next_row = order.iloc[0], order.iloc[1]
apart = mbnb.mdad_difference(counts, str(next_row["selector"]), **study.rule)
apart = apart[(apart["selector"] == best_row["selector"]) & (apart["size"] == first)].iloc[0]
overlap = not best_row["high"] < next_row["low"]
mbnb.say(
    f"{mbnb.label(best_row['selector'])} has {mbnb.format_interval(best_row)}, "
    f"{mbnb.label(next_row['selector'])} {mbnb.format_interval(next_row)}: the intervals "
    f"{'overlap' if overlap else 'do not overlap'}.",
    f"The interval of the difference runs from {mbnb.points(apart['low'])} to "
    f"{mbnb.points(apart['high'])} points, so the two are "
    f"{'not level' if apart['low'] > 0 else 'not to be told apart'}.",
    "Luck that both share, such as a trial with many close pairs, widens each interval and leaves "
    "the difference alone; so overlap proves nothing, and the difference is the thing to look at.",
)

# %% [markdown]
# ```{admonition} Exercise 3: a selector for a size that you do not know yet
# :class: exercise
#
# You write an evaluation library and must choose *one* selector; its users choose the size.
# Which selector has the smallest regret, its largest distance in points to the best selector at any size?
# Does the answer change if you measure regret by ratio?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
reached = wide.clip(lower=0.25).fillna(100)
regret = pd.DataFrame(
    {
        "points": (reached - reached.min()).max(axis=1),
        "ratio": (reached / reached.min()).max(axis=1),
    }
)
where = pd.DataFrame(
    {
        "at": (reached - reached.min()).idxmax(axis=1),
        "at size": (reached / reached.min()).idxmax(axis=1),
    }
)
mbnb.say(
    f"By points {mbnb.label(regret['points'].idxmin())} (at worst {regret['points'].min():g} behind, "
    f"at {where['at'][regret['points'].idxmin()]:,} items), by ratio "
    f"{mbnb.label(regret['ratio'].idxmin())} (at worst {regret['ratio'].min():.1f} times the best, at "
    f"{where['at size'][regret['ratio'].idxmin()]:,}).",
    f"Uniform sampling is at worst {regret['points']['uniform']:g} points behind and "
    f"{regret['ratio']['uniform']:.1f} times the best.",
    "Points weigh small sizes, where MDADs are large; ratios weigh large ones. "
    "A cell that is not reached counts as 100 points here, and an MDAD of 0 as a quarter of a point.",
)

# %% [markdown]
# ```{admonition} Exercise 4: how an impossible number comes about
# :class: exercise
#
# The value reported for uniform sampling of 10 items lies below the floor.
# Could few trials do that, together with a rule that lets any bin decide?
# Draw 1, 3, 10 and 30 of this page’s trials at the smallest size, many times, and read the MDAD without a minimum of pairs.
# How often does it come out below the floor?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
cell = int(
    np.flatnonzero((counts.cells["selector"] == "uniform") & (counts.cells["size"] == first))[0]
)
lots = np.random.default_rng(p.seed)
outcomes = []
for n_drawn in [k for k in (1, 3, 10, 30) if k <= p.n_trials]:
    readings = []
    for _ in range(300):
        drawn = lots.choice(p.n_trials, n_drawn, replace=False)
        pairs, right = (part[cell, drawn].sum(axis=0) for part in (counts.pairs, counts.agreeing))
        passed = (pairs > 0) & (right >= p.threshold * pairs - 1e-9)
        readings.append(counts.gaps[passed.argmax()] if passed.any() else np.inf)
    lucky = np.mean(np.array(readings) < floor[first] - 0.25)
    outcomes.append(
        f"with {n_drawn} the median reading is {np.median(readings):g} points, and "
        f"{mbnb.percent(lucky)} of the readings are below the floor"
    )
mbnb.say(
    f"The floor at {first:,} items is {floor[first]:.1f} points. "
    f"Of the trials of this page, {'; '.join(outcomes)}.",
    "A bin of few pairs can reach the threshold by luck, and the first rule takes the first that "
    "does, so it tends to read low. "
    "A number below the floor is no better benchmark: ask how many pairs stand behind it.",
)

# %% [markdown]
# ```{admonition} Exercise 5: which selector wins is a question of the threshold
# :class: exercise
#
# Does the order of the six selectors depend on the {term}`threshold`?
# Rank them at each size for thresholds of 0.7, 0.8 and 0.9, and say at which sizes the winner changes.
# What would you have to do to publish “selector A beats selector B”?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
lowest = {}
for threshold in (0.7, 0.8, 0.9):
    for size, own in study.mdad(counts, threshold=threshold).groupby("size"):
        leaders_here = own["selector"][own["mdad"] == own["mdad"].min()].map(mbnb.label)
        lowest[f"{size:,} items", f"{threshold:g}"] = mbnb.listed(leaders_here) or "none reached"
winners = pd.Series(lowest).unstack().reindex([f"{size:,} items" for size in sizes])
winners.columns.name = "Threshold"
mbnb.show(winners)

# %% mystnb={"code_prompt_show": "Show the solution in words", "code_prompt_hide": "Hide the solution in words"} tags=["hide-cell", "solution"]
moved = winners.index[winners.nunique(axis=1) > 1]
mbnb.say(
    f"Who has the lowest MDAD depends on the threshold at {mbnb.listed(moved)}."
    if len(moved)
    else "Who has the lowest MDAD does not depend on the threshold here.",
    "A claim that one selector beats another should name its threshold and hold at its neighbours, "
    "rest on the interval of the difference, and hold on items and models that played no part in "
    "the choice.",
)

# %% [markdown]
# ## Re-run this chapter
#
# With fewer trials and sizes, or on real models:
#
# ```bash
# mbnb run 10 -p n_trials=10 -p 'sizes=[10,50]'
# MBNB_DATA=~/leaderboards mbnb run 10 -p dataset=bigcodebench
# ```
#
# The four benchmarks, anew, from a checkout of the repository:
#
# ```bash
# .venv/bin/python benchmarks/leaderboards.py --write
# ```

# %% tags=["hide-input"]
study.footer(trials)
