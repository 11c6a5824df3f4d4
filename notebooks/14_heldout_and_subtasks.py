# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # New items, and subtasks alone
#
# {glue:text}`answer`
#
# **What you will learn**
#
# - what a {term}`micro-benchmark` loses when it is judged on items that nobody chose from
# - why that loss hangs on one number, the share of the items that you chose
# - how far two halves of one benchmark can agree at all, and what follows for any selection
# - why micro-benchmarks of single {term}`subtasks <subtask>` generalise worse, and which of them worst
#
# **Reading time** 15 minutes.
# **Running time** one to two minutes once the grid of [](./10_main_tables) is stored.

# %% tags=["parameters"]
dataset: str = "simulated:mmlu-pro"
missing: str = "drop-items"
n_trials: int = 50
sizes: list = [10, 25, 50, 100, 250, 500, 1000]
selectors: list = ["uniform", "confidence", "anchor-points"]
n_source: int = None
n_target: int = None
threshold: float = 0.8
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
# ## The items you have, and the items you mean
#
# You choose fifty items out of the six thousand that you have.
# When you rank models by them, which ranking do you want to hit?
# The one by your six thousand items, or the one by *any* items of that kind?
# For a leaderboard that is what it is, the first; for a claim about mathematics or law, the second.
#
# Every {term}`trial` of this book can answer both.
# The items are chosen from the {term}`train half`.
# The same estimates are then set against the target models' accuracies on the train half, and again against those on the {term}`held-out half`, of which no selector has seen an answer.
# The paper reports that the {term}`MDAD` hardly differs between the two where items are chosen from the whole benchmark, and is somewhat worse on held-out items where each subtask has a micro-benchmark of its own {cite:p}`yauney2026reliable`.
# Here you see both, and a formula that says why.
#
# ## Chosen from the whole benchmark
#
# First the grid of the main tables, each selector at each {term}`size`, judged on both halves.
# {numref}`fig-14-pooled` draws the differences of the two MDADs, the table beneath it holds the MDADs.

# %%
pooled = study.run()
on_train, on_heldout = (mbnb.agreement(pooled, half) for half in ("train", "heldout"))
halves = mbnb.half_difference(on_train, on_heldout, **study.rule)
pairs = mbnb.compare_pairs(study.matrix, n_pairs=20_000, seed=p.seed)
expected = mbnb.expected_on_halves(
    pairs, study.sizes, pooled.n_train, pooled.n_heldout, p.threshold
)

# %% mystnb={"figure": {"caption": "What each selector loses on new items: its MDAD on the held-out half minus that on the train half, with 95 % intervals over trials. Shaded: half a point, the step in which an MDAD moves. The broken line is derived for uniform sampling (see below). Data: {glue:text}`data`.", "name": "fig-14-pooled"}, "image": {"alt": "Line chart: held-out MDAD minus train MDAD in points against size on a logarithmic axis, for six selectors with intervals. All lines scatter about zero, mostly within half a point, and the derived line lies just above zero."}} tags=["hide-input"]
mbnb.draw_half_difference(halves, expected=expected["heldout"] - expected["train"])

# %% tags=["hide-input"]
wide = halves.assign(
    both=[
        f"{mbnb.format_mdad(row['train'])} → {mbnb.format_mdad(row['heldout'])}"
        for _, row in halves.iterrows()
    ]
).pivot(index="selector", columns="size", values="both")
wide = wide.rename(index=str).reindex(list(mbnb.SELECTORS)).rename(index=mbnb.label)
wide.columns = pd.Index([f"{size:,}" for size in wide.columns], name="Size")
wide.index.name = None
mbnb.show(wide)

# %% tags=["hide-input"]
known = halves.dropna(subset="difference")
within = (known["difference"].abs() <= 0.5).sum()
surely = known[known["low"] > 0]
study.insert(
    within=f"{within} of {len(known)}",
    n_train=pooled.n_train,
    n_heldout=pooled.n_heldout,
    mean_difference=f"{known['difference'].mean():.2f}",
)
mbnb.say(
    "*MDAD in points, train half → held-out half.*",
    f"Of {len(known)} cells {within} differ by half a point or less, one step of an MDAD; the mean "
    f"difference is {known['difference'].mean():.2f} points.",
    f"In {len(surely)} of them the whole interval of the difference lies above zero."
    if len(surely)
    else "In none of them does the whole interval of the difference lie above zero.",
)

# %% [markdown]
# Could it be worse?
# {term}`Source models <source models>` are not {term}`target models`, so a selector cannot suit its items to the models that are ranked.
# What it can learn by heart are the items of its half, and uniform sampling cannot learn even those.
# So begin with what uniform sampling must lose.
#
# ## What the loss hangs on
#
# Take two models with a {term}`disagreement rate` $r$ whose accuracies on the half that judges differ by $d$.
# Draw $k$ of the $N$ items of the train half.
# The difference that you see scatters about $d$ with variance
#
# $$(r-d^2)\Bigl(\frac1k-\frac1N\Bigr)$$
#
# if the train half judges, and
#
# $$(r-d^2)\Bigl(\frac1k+\frac1{N'}\Bigr)$$
#
# if the held-out half of $N'$ items does.
# The train half contains your sample, which makes the two more alike; the held-out half is a second sample beside it and adds noise of its own.
# An MDAD goes with the square root of the variance, so with two equal halves
#
# $$\frac{\text{MDAD on the held-out half}}{\text{MDAD on the train half}}\approx\sqrt{\frac{N+k}{N-k}}.$$
#
# The loss hangs on the *share* $k/N$ of the items that you chose, and on nothing else: not on the benchmark, nor on the models.

# %% tags=["hide-input"]
noise = np.array(study.sizes) / (np.array(study.sizes) + pooled.n_heldout)
derived = pd.DataFrame(
    {
        "share of the train half": [mbnb.percent(size / pooled.n_train) for size in study.sizes],
        "expected, train": expected["train"].map(mbnb.one_decimal).to_numpy(),
        "expected, held-out": expected["heldout"].map(mbnb.one_decimal).to_numpy(),
        "variance due to the new items": [mbnb.percent(share) for share in noise],
    },
    index=pd.Index([f"{size:,}" for size in study.sizes], name="Size"),
)
mbnb.show(derived)

# %% tags=["hide-input"]
uniform = halves[halves["selector"] == "uniform"].set_index("size")
off = (uniform[["train", "heldout"]] - expected).abs().to_numpy()
mbnb.say(
    "*MDAD of uniform sampling in points, derived from the disagreement rates of pairs of models; "
    "and what part of the variance on the held-out half comes from that half.*",
    f"The measured MDADs of uniform sampling differ from these by {np.nanmean(off):.1f} points on "
    "average over sizes and halves."
    if np.isfinite(off).any()
    else "",
)

# %% [markdown]
# ### On real leaderboards
#
# Real benchmarks are smaller than the simulated one, and sizes that are a tenth of one are half of another.
# That is what the formula needs to be tested: {numref}`fig-14-ratio` sets the ratio against the share, for all the leaderboards that were measured for this book ([](./16_real_leaderboards)).

# %%
told = mbnb.measured("leaderboards")
measured = told.pivot(
    index=["dataset", "selector", "size", "n_train"], columns="half", values="mdad"
).reset_index()
measured["share"] = measured["size"] / measured["n_train"]
measured = measured[measured["share"] < 1]
is_simulated = measured["dataset"].str.startswith("simulated:")
real = measured[~is_simulated]

# %% mystnb={"figure": {"caption": "The loss on new items against the share of the train half that was chosen, on all leaderboards measured, with the curve of the formula. Ratios are coarse where the MDAD is small, since it moves in steps of half a point. Data: measured for this book, `data/measured/leaderboards.csv`.", "name": "fig-14-ratio"}, "image": {"alt": "Scatter chart: the ratio of held-out to train MDAD against the per cent of the train half chosen, on a logarithmic axis. The points lie about one up to ten per cent and rise with the derived curve beyond."}} tags=["hide-input"]
mbnb.draw_half_ratio(measured, ["uniform", "anchor-points"])

# %% tags=["hide-input"]
real_loss = real.assign(loss=real["heldout"] - real["train"]).dropna(subset="loss")
few, many = (real_loss[(real_loss["share"] > 0.25) == high] for high in (False, True))
by_selector = pd.DataFrame(
    {
        "up to a quarter chosen": few.groupby("selector")["loss"].mean(),
        "more than a quarter chosen": many.groupby("selector")["loss"].mean(),
    }
).reindex(list(mbnb.SELECTORS))
by_selector = by_selector.map(mbnb.signed).rename(index=mbnb.label)
by_selector.index.name = None
mbnb.show(by_selector)

# %% tags=["hide-input"]
mbnb.say(
    f"*Mean of held-out MDAD − train MDAD in points, over {real_loss['dataset'].nunique()} real "
    "leaderboards.*",
    f"Where up to a quarter of the train half is chosen, the loss is {few['loss'].mean():.2f} points "
    f"on average; where more is, {many['loss'].mean():.2f}.",
)

# %% [markdown]
# A selector that had learnt the quirks of its half would stand out in this table, with a larger loss than uniform sampling, which learns nothing.

# %% tags=["hide-input"]
mean_loss = real_loss.groupby("selector")["loss"].mean()
larger = [mbnb.label(name) for name in mean_loss.index[mean_loss > mean_loss["uniform"] + 0.1]]
mbnb.say(
    f"Over all sizes, {mbnb.listed(larger)} lose over a tenth of a point more than uniform sampling."
    if larger
    else "There is none: over all sizes, no selector loses over a tenth of a point more than uniform "
    "sampling does.",
)

# %% [markdown]
# ## The part that must differ
#
# Now choose everything.
# The whole train half is a micro-benchmark of {glue:text}`n-train` items that orders every pair as the train half does, without one mistake.
# The held-out half still disagrees with it, since two halves rank close models differently.
# A choice that imitates the half it chooses from cannot be expected to do better, so this is its ceiling ({numref}`fig-14-ceiling`).
# (Only one that aims past the half, at what the models can do on any items, might; the last exercise has an example.)

# %%
ceiling = mbnb.whole_half(pooled)
ceiling_counts = mbnb.agreement(ceiling, "heldout")
ceiling_curve = ceiling_counts.curve()
ceiling_mdad = study.mdad(ceiling_counts)["mdad"].iloc[0]
curve = on_heldout.curve()
sampled = curve[curve["selector"] == "uniform"]
small, large = study.size_near(50), study.largest

# %% mystnb={"figure": {"caption": "Agreement with the held-out half, by the gap on that half: of the whole train half, which is the most that a choice from it can be expected to reach, and of two uniform samples of it. Beneath, the share of the pairs in each bin. Data: {glue:text}`data`.", "name": "fig-14-ceiling"}, "image": {"alt": "Three curves of agreement with the held-out half against the gap in points. The curve of the whole train half rises within the first few points to one; those of the samples rise later, the smaller sample last."}} tags=["hide-input"]
mbnb.draw_curves(
    {
        f"The whole train half, {pooled.n_train:,} items": (ceiling_curve, None),
        f"Uniform sampling, {large:,} items": (sampled[sampled["size"] == large], None),
        f"Uniform sampling, {small:,} items": (sampled[sampled["size"] == small], None),
    },
    threshold=p.threshold,
    xlabel="Gap on the held-out half (points)",
)

# %% tags=["hide-input"]
closest = ceiling_curve[ceiling_curve["gap"] <= 0.5]
at_half = closest["agreeing"].sum() / max(closest["pairs"].sum(), 1)
ceiling_expected = mbnb.expected_on_halves(
    pairs, [pooled.n_train], pooled.n_train, pooled.n_heldout, p.threshold
)["heldout"].iloc[0]
carried = [
    (size, own["agreeing"].sum() / own["pairs"].sum())
    for size in (small, large)
    for own in [sampled[(sampled["size"] == size) & (sampled["gap"] <= 2)]]
    if own["pairs"].sum()
]
near = ceiling_curve[ceiling_curve["gap"] <= 2]
study.insert(ceiling=mbnb.in_points(ceiling_mdad), at_half=mbnb.percent(at_half))
mbnb.say(
    f"The halves reach an agreement of {p.threshold:g} at {mbnb.in_points(ceiling_mdad)} (derived: "
    f"{mbnb.one_decimal(ceiling_expected)}).",
    f"Of the pairs that the held-out half puts at most half a point apart, the train half orders "
    f"{mbnb.percent(at_half)} alike.",
    f"Of those at most 2 points apart it is "
    f"{mbnb.percent(near['agreeing'].sum() / max(near['pairs'].sum(), 1))}; of the same pairs "
    + mbnb.listed(
        [
            f"{size:,} items order {mbnb.percent(share)} as the new items do"
            for size, share in carried
        ]
    )
    + ".",
)

# %% [markdown]
# So a disagreement with new items has two parts.
# One is the sample's: too few items were asked, and a better choice or a larger one repairs it.
# The other is the benchmark's: what it says of these two models would be another thing with other items of the same kind, and no choice repairs that.
# What carries over from one half to the other is every gap that the benchmark itself can see; what must differ are the gaps below {glue:text}`ceiling`, and a leaderboard that ranks by them ranks by luck.
#
# ## A micro-benchmark for each subtask
#
# People who care about law do not want a score for everything.
# So take each subtask as a benchmark of its own: halve its items, choose a share of the train half, and rank models on that subtask.
# The shares are those of the paper, from 2 to 40 %, and {numref}`fig-14-shares` shows what is lost.

# %%
alone = mbnb.run_subtasks(
    study.matrix,
    p.selectors,
    n_trials=p.n_trials,
    n_source=study.n_source,
    n_target=study.n_target,
    seed=p.seed,
    store=mbnb.ResultStore(),
)
by_subtask = alone.table(**study.rule)
ceilings = alone.ceilings(**study.rule)

# %% tags=["hide-input"]
together = by_subtask[by_subtask["part"] == "all"]
single = by_subtask[by_subtask["part"] != "all"]
n_parts = single["part"].nunique()
mbnb.say(
    *alone.notes,
    f"{study.matrix.name} has {n_parts} subtasks, with {single['items'].min():,} to "
    f"{single['items'].max():,} items in their train halves."
    if n_parts > 1
    else f"{study.matrix.name} has a single subtask, so this is the pooled selection once more, at "
    "other sizes.",
)

# %% mystnb={"figure": {"caption": "What selection within subtasks loses on new items, over the pairs within all subtasks together: held-out MDAD minus train MDAD, with 95 % intervals, by the share of each subtask's train half that was chosen. Shaded: half a point. Data: {glue:text}`data`.", "name": "fig-14-shares"}, "image": {"alt": "Line chart: held-out MDAD minus train MDAD in points against the per cent of a subtask chosen, for the selectors of this page with intervals. The lines rise above the band of half a point at the larger shares."}} tags=["hide-input"]
mbnb.draw_half_difference(together, across="share")

# %% tags=["hide-input"]
told_shares = together.assign(
    both=[
        f"{mbnb.format_mdad(row['train'])} → {mbnb.format_mdad(row['heldout'])}"
        for _, row in together.iterrows()
    ]
).pivot(index="selector", columns="share", values="both")
told_shares = told_shares.rename(index=str).reindex(list(p.selectors)).rename(index=mbnb.label)
told_shares.columns = pd.Index([f"{share} %" for share in told_shares.columns], name="Share")
told_shares.index.name = None
mbnb.show(told_shares)

# %% tags=["hide-input"]
known_shares = together.dropna(subset="difference")
sure_shares = known_shares[known_shares["low"] > 0]
study.insert(alone_difference=f"{known_shares['difference'].mean():.2f}")
mbnb.say(
    "*MDAD in points, train half → held-out half, over the pairs within all subtasks.*",
    f"The mean difference is {known_shares['difference'].mean():.2f} points, where it is "
    f"{known['difference'].mean():.2f} for the pooled selection above; in {len(sure_shares)} of "
    f"{len(known_shares)} cells its whole interval lies above zero.",
)

# %% [markdown]
# The formula tells what has changed.
# A thousand items are a small share of a benchmark of ten thousand, and 40 % are 40 % of anything.
# At that share the ratio of the two MDADs is $\sqrt{1.4/0.6}$, half as much again, for uniform sampling from a subtask of any size.
#
# ## Which subtasks generalise worst
#
# The *ratio* is the same for all subtasks; the points are not.
# With a fixed share, every MDAD of a subtask grows as its items become fewer, about as $1/\sqrt N$, and so does the difference of two of them ({numref}`fig-14-subtasks`).

# %%
share = int(single["share"].max())
shown = "uniform" if "uniform" in p.selectors else p.selectors[0]
rows = single[(single["share"] == share) & (single["selector"] == shown)]
study.insert(share=f"{share} %", shown=mbnb.label(shown))

# %% mystnb={"figure": {"caption": "Subtasks from the smallest at the foot to the largest (items of the train half in brackets): MDAD of {glue:text}`shown` at {glue:text}`share` of the items, judged on either half, and of the whole train half judged on the held-out one. No mark where it is not reached. Data: {glue:text}`data`.", "name": "fig-14-subtasks"}, "image": {"alt": "Dot chart with a row for each subtask, in order of its number of items: the MDAD on the held-out half lies to the right of that on the train half in most rows, further for small subtasks; an upright tick marks the MDAD of the whole train half."}} tags=["hide-input"]
mbnb.draw_subtasks(rows, ceilings)

# %% tags=["hide-input"]
seen = rows.dropna(subset=["train", "heldout"]).sort_values("heldout")
of_items = seen[["items", "heldout"]].corr(method="kendall").iloc[0, 1] if len(seen) > 2 else np.nan
order = mbnb.listed(
    [
        f"{row['part']} ({row['items']:,} items: {mbnb.format_mdad(row['train'])} → "
        f"{mbnb.format_mdad(row['heldout'])})"
        for _, row in seen.iloc[::-1].head(3).iterrows()
    ]
)
unreached = len(rows) - len(seen)
mbnb.say(
    f"On new items the largest MDADs are those of {order}." if n_parts > 1 and order else "",
    f"The rank correlation of a subtask's items with its held-out MDAD is {mbnb.signed(of_items)}."
    if not np.isnan(of_items)
    else "",
    f"In {unreached} subtasks the threshold is not reached on one of the halves."
    if unreached
    else "",
)

# %% [markdown]
# To see that it is size and little else, derive the held-out MDAD of each subtask from its own disagreement rates and compare.

# %%
codes = study.matrix.subtask_codes
from_formula = {}
for part, own in rows.groupby("part", sort=False):
    items = study.matrix.subset(items=np.flatnonzero(codes == study.matrix.subtasks.index(part)))
    own_pairs = mbnb.compare_pairs(items, n_pairs=5000, seed=p.seed)
    n, size = int(own["items"].iloc[0]), int(own["size"].iloc[0])
    whole = mbnb.expected_on_halves(own_pairs, [size, n], n, items.n_items - n, p.threshold)
    from_formula[part] = {
        "items": n,
        "held-out, expected": whole["heldout"].iloc[0],
        "whole half, expected": whole["heldout"].iloc[-1],
    }
compared = pd.DataFrame(from_formula).T.join(
    rows.set_index("part")[["heldout"]].rename(columns={"heldout": "held-out, measured"})
)
compared["whole half, measured"] = ceilings.set_index("part")["mdad"]

# %% tags=["hide-input"]
listed_parts = compared.sort_values("items").iloc[:: max(1, -(-len(compared) // 20))]
listed_parts.index.name = None
said = listed_parts.drop(columns="items").map(mbnb.one_decimal)
said.insert(0, "items", listed_parts["items"].map("{:,.0f}".format))
mbnb.show(said)

# %% tags=["hide-input"]
lean = (compared["held-out, measured"] - compared["held-out, expected"]).mean()
apart = (compared["held-out, measured"] - compared["held-out, expected"]).abs()
highest = ceilings.dropna(subset="mdad").sort_values(["mdad", "items"]).tail(1)
worst_text = (
    f"The halves of {highest['part'].iloc[0]} ({highest['items'].iloc[0]:,} items each) order "
    f"models reliably only from {mbnb.in_points(highest['mdad'].iloc[0])} on, whatever is chosen."
    if len(highest)
    else "No subtask here orders models reliably on new items at any gap that occurs."
)
study.insert(worst_subtask=worst_text)
mbnb.say(
    f"*MDAD in points; derived for uniform sampling, measured with {mbnb.label(shown)}.*",
    f"Derived and measured differ by {apart.mean():.1f} points on average, and the measured ones are "
    f"{'higher' if lean > 0 else 'lower'} by {abs(lean):.1f}."
    if apart.notna().any() and shown == "uniform"
    else "",
    "Two things push them up: an MDAD is the centre of the first half-point bin at the threshold, "
    "not the gap at which a smooth curve crosses it; and a gap seen on one half is, on average, larger "
    "than what the other half or a sample of it will show."
    if lean > 0
    else "",
    *(
        f"The halves of {row['part']}, the whole of them, agree no better than an MDAD of "
        f"{mbnb.in_points(row['mdad'])}: a claim that one model is better at it than another "
        "by less is a claim about its items."
        for _, row in highest.iterrows()
    ),
)

# %% [markdown]
# This is the practical side of the chapter.
# Leaderboards print a column for each subject, to a tenth of a point.
# Before you choose items *within* a subject, ask what the whole subject can tell: its own halves set the ceiling, and in a small subject it is high.
#
# ### On real leaderboards

# %%
kept = mbnb.measured("subtasks")
kept = kept[~kept["dataset"].str.startswith("simulated:") & (kept["selector"] == "uniform")]
real_parts = kept.pivot(
    index=["dataset", "part", "share"], columns="half", values="mdad"
).reset_index()

# %% tags=["hide-input"]
whole = real_parts[real_parts["part"] == "all"]
by_dataset = whole.assign(
    both=[
        f"{mbnb.format_mdad(row['train'])} → {mbnb.format_mdad(row['heldout'])}"
        for _, row in whole.iterrows()
    ]
).pivot(index="dataset", columns="share", values="both")
by_dataset.columns = pd.Index([f"{share:.0f} %" for share in by_dataset.columns], name="Share")
by_dataset.index.name = None
mbnb.show(by_dataset.fillna("–"))

# %% tags=["hide-input"]
real_all = whole.dropna(subset=["train", "heldout"])
worse = (real_all["heldout"] > real_all["train"]).groupby(real_all["share"]).agg(["sum", "count"])
mbnb.say(
    "*MDAD of uniform sampling within subtasks, in points, train half → held-out half; the pairs "
    f"within all subtasks of each of {by_dataset.shape[0]} real leaderboards.*",
    "The held-out MDAD is the larger one on "
    + mbnb.listed(
        [
            f"{int(row['sum'])} of {int(row['count'])} at {share_:.0f} %"
            for share_, row in worse.iterrows()
        ]
    )
    + ".",
)

# %% [markdown]
# ## What to do
#
# - **Judge on held-out items when you choose a large share.**
#   Below a tenth of the items the train half tells the same; at 40 % it flatters you by half.
# - **Compute the ceiling first.**
#   It takes no selector and no trial, only two halves; below it, save the work.
# - **For a small subtask, add items before you choose among them.**
#   Its MDAD on new items is made of its own smallness.
#
# What would change our mind: a selector whose loss on new items is larger than that of uniform sampling at the same share, with an interval that keeps away from it.
# That would be a selector that learns its half by heart.
# The third exercise looks for one.
#
# ## Take-aways
#
# - Chosen from the whole benchmark, {glue:text}`within` micro-benchmarks have the same MDAD on new items to half a point; the mean difference is {glue:text}`mean-difference` points.
# - The loss hangs on the share chosen: the ratio of the MDADs is about $\sqrt{(N+k)/(N-k)}$.
# - Within subtasks the shares are larger, and the mean difference is {glue:text}`alone-difference` points.
# - The whole train half foretells the held-out half from a gap of {glue:text}`ceiling` on, and of pairs at most half a point apart it orders {glue:text}`at-half` alike.
# - {glue:text}`worst-subtask`

# %% tags=["remove-cell"]
study.insert(
    answer=(
        f"On items that nobody chose from, micro-benchmarks of the whole benchmark lose "
        f"{known['difference'].mean():.2f} points of MDAD on average, those of single subtasks "
        f"{known_shares['difference'].mean():.2f}: what is lost hangs on the share of the items that "
        "was chosen, and no choice gets past what the benchmark's own halves can agree on."
    )
)

# %% [markdown]
# ## Exercises
#
# ```{admonition} Exercise 1: how long must a benchmark be
# :class: exercise
#
# Forget micro-benchmarks.
# How many items must each half of a benchmark have so that the halves agree on four out of five pairs of models that lie one point apart?
# And half a point?
# Use the disagreement rate of close pairs of this page, and leave out the correction for ties.
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
close = pairs[pairs["gap"] <= 2]["disagreement"].median() / 100
needed = {gap: 2 * close * (0.84 / (gap / 100)) ** 2 for gap in (1, 0.5)}
mbnb.say(
    f"Close pairs differ on {mbnb.percent(close)} of the items. Each half adds a variance of r/N, so "
    "0.84 standard deviations make d where N = 2 r (0.84 / d)²: "
    + mbnb.listed([f"{n:,.0f} items for {mbnb.in_points(gap)}" for gap, n in needed.items()])
    + f". The halves of this page have about {pooled.n_train:,}.",
    "Half the gap takes four times the items.",
)

# %% [markdown]
# ```{admonition} Exercise 2: from which size on does the judge matter
# :class: exercise
#
# Of the variance of a comparison on the held-out half, a part comes from that half and cannot be chosen away.
# From which size on is it more than a fifth?
# When is it more than half?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
fifth = pooled.n_heldout / 4
reached = [f"{size:,}" for size in study.sizes if size > fifth]
mbnb.say(
    "The parts are 1/k and 1/N′, so the judge's share is k / (k + N′). It exceeds a fifth where k is "
    f"above N′/4, here {fifth:,.0f} items"
    + (
        f" ({mbnb.listed(reached)} of this page's sizes)." if reached else " (none of this page's)."
    ),
    "More than half it never is: that would take more items than the held-out half has, and the train "
    "half has no more.",
)

# %% [markdown]
# ```{admonition} Exercise 3: does a selector learn its half by heart?
# :class: exercise
#
# A selector looks at the sources' answers to the train half, and could overfit to it; uniform sampling cannot.
# Compare each selector's loss within subtasks with that of uniform sampling at the same share.
# How often is the whole interval of a selector's loss above the loss of uniform sampling?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
base = together[together["selector"] == "uniform"].set_index("share")["difference"]
learned = together[together["selector"] != "uniform"].dropna(subset=["difference", "low"])
above = learned[learned["low"] > learned["share"].map(base)]
below = learned[learned["high"] < learned["share"].map(base)]
suspects = [f"{mbnb.label(r['selector'])} at {r['share']} %" for _, r in above.iterrows()]
mbnb.say(
    f"Of {len(learned)} selectors and shares, the loss lies surely above that of uniform sampling in "
    f"{len(above)} and surely below it in {len(below)}."
    if len(base)
    else "Uniform sampling is not among the selectors of this run, so there is nothing to compare with.",
    f"Those above deserve a second look: {mbnb.listed(suspects)}."
    if suspects
    else "There is no sign of learning by heart."
    if len(base)
    else "",
    "A smaller loss than that of uniform sampling is no merit by itself: a selector that errs by its "
    "bias, and not by noise, errs alike on both halves.",
)

# %% [markdown]
# ```{admonition} Exercise 4: ask the other subjects
# :class: exercise
#
# To rank models at one subject, you may use its own train half.
# Or you use the models' accuracy on *all other* subjects, which is another thing, but known from many more items.
# In which subjects does the second order models better on the subject's held-out half?
# (Whoever reports scores by subject would want to know.)
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
if n_parts > 1:
    rivals = {}
    for part, found in alone.trials.items():
        elsewhere = study.matrix.subset(
            items=np.flatnonzero(codes != study.matrix.subtasks.index(part))
        )
        borrowed = mbnb.whole_half(found)
        general = pd.Series(elsewhere.accuracies(), index=elsewhere.model_ids.astype(str))
        told_by = borrowed.table["model"].astype(str).map(general)
        borrowed.table["estimate"] = told_by.to_numpy()
        rivals[part] = study.mdad(mbnb.agreement(borrowed, "heldout"))["mdad"].iloc[0]
    own_half = ceilings.set_index("part")["mdad"].fillna(np.inf)
    other_items = pd.Series(rivals).fillna(np.inf)
    wins = other_items < own_half
    text = (
        f"In {int(wins.sum())} of {n_parts} subtasks the other items order models better than the "
        f"subtask's own half"
        + (f", such as {mbnb.listed(list(wins[wins].index[:3]))}." if wins.any() else ".")
        + f" They do as well in {int((other_items == own_half).sum())} and worse in "
        f"{int((other_items > own_half).sum())}."
        + (
            " Where they win, the total says more about a subject than the subject's own column does."
            if wins.any()
            else " So each subject has something of its own to tell, and its column is not in vain."
        )
        + (
            " These models are simulated, and how much subjects differ was a choice; real ones may "
            "differ less. Run the chapter on a real leaderboard before you rely on a column."
            if study.matrix.name.startswith("simulated:")
            else ""
        )
    )
else:
    text = "There is a single subtask here, and no other to ask."
mbnb.say(text)

# %% [markdown]
# ## Re-run this chapter
#
# ```bash
# mbnb run 14 -p n_trials=10 -p 'sizes=[10,50]'
# mbnb run 14 -p 'selectors=["uniform","tinybenchmarks"]'
# MBNB_DATA=~/leaderboards mbnb run 14 -p dataset=openllm1-metabench
# ```

# %% tags=["hide-input"]
study.footer(pooled)
