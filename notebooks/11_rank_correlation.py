# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # What rank correlation hides
#
# {glue:text}`answer`
#
# **What you will learn**
#
# - how closely {term}`Kendall’s tau <tau>` and the {term}`MDAD` go together, and where they part
# - how two {term}`micro-benchmarks <micro-benchmark>` of equal tau can differ in what they let you see
# - to take tau apart, and find out which pairs of models it is made of
# - why tau changes with the leaderboard while the MDAD stays
# - when tau is all that you need
#
# **Reading time** 14 minutes.
# **Running time** under a minute once the grid of [](./10_main_tables) is stored, 5 to 15 minutes otherwise.

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
import numpy as np
import pandas as pd

import mbnb

p = mbnb.parameters(globals())
p

# %% tags=["hide-input"]
study = mbnb.open_study(p)
study

# %% [markdown]
# ## One number for all pairs
#
# You read of a benchmark of a hundred items whose ranking “correlates at 0.85 with the full one”.
# You have two models that are three points apart.
# Will the hundred items put them in the right order?
#
# The number does not say.
# {term}`Tau <tau>` counts pairs of models: those that both rankings put in the same order, less those that they put in opposite orders, over all pairs {cite:p}`kendall1938new`.
# It is {term}`agreement` over every pair at once, near and far alike.
# Earlier work judged micro-benchmarks by it, and {cite:t}`yauney2026reliable` report how it goes with the MDAD: the two rank the micro-benchmarks of their study with a correlation of {glue:text}`reported`.
# That is high, and it is not −1.
# This chapter asks what is lost between the two.
#
# ## How closely they go together
#
# Take the grid of [](./10_main_tables): six {term}`selectors <selector>` at every {term}`size`, all on the same {term}`trials <trial>`.
# Each cell of it is one micro-benchmark with one tau (tau-b, the mean over trials) and one MDAD.

# %%
six = study.run()
both = mbnb.tau_and_mdad(six, **study.rule)
cells = both.table

# %% mystnb={"figure": {"caption": "Kendall's tau and MDAD of the same micro-benchmarks, a mark for each selector and size, with 95 % intervals both ways. Sizes rise from left to right along a line. A cell whose MDAD is not reached has no mark. Data: {glue:text}`data`.", "name": "fig-11-scatter"}, "image": {"alt": "Scatter chart: MDAD in points falls as Kendall's tau rises, along a band; the lines of the six selectors do not lie on one another, so that one tau goes with several MDADs."}} tags=["hide-input"]
mbnb.draw_tau_mdad(cells)

# %% tags=["hide-input"]
told = mbnb.reported("rank-correlation").iloc[0]["value"]
no_mdad = int(cells["mdad"].isna().sum())
mbnb.say(
    f"Over the {len(cells)} cells of this page the rank correlation of tau and MDAD is "
    f"**{mbnb.signed(both.correlation)}**"
    + (
        ""
        if np.isnan(both.low)
        else f", with a 95 % interval from {mbnb.signed(both.low)} to {mbnb.signed(both.high)} over "
        "trials"
    )
    + f"; reported for the study is {mbnb.signed(told, 3)}.",
    f"{no_mdad} of the cells have no MDAD and rank last." if no_mdad else "",
)

# %% [markdown]
# The reported figure is of the study's own cells; over which benchmarks, sizes and numbers of {term}`source models` it was taken, the paper's summary does not tell.
# So look at other leaderboards too.
# The next table holds what was measured for this book on real response matrices, with the same six selectors, and the simulated leaderboards beneath ([](./16_real_leaderboards) has the details).

# %%
measured = mbnb.measured("leaderboards").query("half == 'train'")
with_sources = mbnb.measured("sources").query("half == 'train'")
own_correlations = pd.DataFrame(
    {
        "models": measured.groupby("dataset", sort=False)["n_models"].first(),
        "cells": measured.groupby("dataset", sort=False).size(),
        "tau and MDAD": measured.groupby("dataset", sort=False)[["tau", "mdad"]]
        .apply(mbnb.tau_mdad_correlation)
        .map(mbnb.signed),
        "with other numbers of sources": with_sources.groupby("dataset", sort=False)[
            ["tau", "mdad"]
        ]
        .apply(mbnb.tau_mdad_correlation)
        .map(mbnb.signed),
    }
)
mbnb.show(own_correlations.reindex(measured["dataset"].unique()).fillna("–"))

# %% tags=["hide-input"]
real = measured[~measured["dataset"].str.startswith("simulated:")]
pooled, pooled_low, pooled_high = mbnb.clustered_correlation(real, seed=p.seed)
of_each = real.groupby("dataset")[["tau", "mdad"]].apply(mbnb.tau_mdad_correlation)
mbnb.say(
    "*Rank correlation (Kendall's) of tau and MDAD over the cells of each leaderboard; the last "
    "column over all numbers of source models that were measured there.*",
    f"Within one real leaderboard the correlation lies between {mbnb.signed(of_each.min())} and "
    f"{mbnb.signed(of_each.max())}.",
    f"Throw the cells of all {of_each.size} real leaderboards together, as one must to compare a "
    f"micro-benchmark of one with that of another, and it is {mbnb.signed(pooled)} (95 % interval "
    f"{mbnb.signed(pooled_low)} to {mbnb.signed(pooled_high)}, whole leaderboards resampled).",
    "The reported figure is nearer to this one than to that of any single leaderboard, as it would be "
    "if it was taken over several benchmarks at once."
    if abs(pooled - told) < (of_each - told).abs().min()
    else "",
)

# %% [markdown]
# Most of this correlation comes cheap.
# More items raise tau and lower the MDAD whatever the selector, so a table that runs over sizes must show the two going together.
# The question that a chooser asks is narrower: at *this* size, which selector?

# %%
verdicts = mbnb.tau_verdicts(cells)
verdicts_real = sum(mbnb.tau_verdicts(rows) for _, rows in real.groupby("dataset"))

# %% tags=["hide-input"]
agreed = pd.DataFrame(
    {
        "this page": verdicts["agree"] / verdicts["pairs"].where(verdicts["pairs"] > 0),
        "pairs, this page": verdicts["pairs"].map("{:,.0f}".format),
        "real leaderboards": verdicts_real["agree"]
        / verdicts_real["pairs"].where(verdicts_real["pairs"] > 0),
        "pairs, real": verdicts_real["pairs"].map("{:,.0f}".format),
    }
)
agreed[["this page", "real leaderboards"]] = agreed[["this page", "real leaderboards"]].map(
    mbnb.percent
)
mbnb.show(agreed)

# %% [markdown]
# *Pairs of micro-benchmarks of one leaderboard whose MDADs differ by more than half a point: in how many has the one with the lower MDAD the higher tau?*
# Between sizes tau is a safe guide, where nobody needs one.

# %% tags=["hide-input"]
misled = 1 - verdicts_real.loc["same size", "agree"] / max(
    verdicts_real.loc["same size", "pairs"], 1
)
mbnb.say(
    "Between selectors at one size it misleads more often: on the real leaderboards the better of "
    f"the two has the lower tau in {mbnb.percent(misled)} of the pairs."
    if misled > 0
    else "Between selectors at one size it names the better one in every pair of the real "
    "leaderboards as well.",
)

# %% [markdown]
# ## Same tau, another MDAD
#
# Of all pairs of cells in {numref}`fig-11-scatter` whose taus lie within 0.01 of one another, take the pair with the most different MDADs.
# {numref}`fig-11-twins` sets their agreement curves on one another.

# %%
twins = mbnb.same_tau(cells, tolerance=0.01)
curve = mbnb.agreement(six).curve()

# %% tags=["hide-input"]
found = len(twins) == 2
if found:
    fine, coarse = (row for _, row in twins.iterrows())
    twin_text = (
        f"**{mbnb.cell_name(fine)}**, has a tau of {fine['tau']:.3f} and an MDAD of "
        f"{mbnb.format_interval(fine)}; **{mbnb.cell_name(coarse)}**, has a tau of "
        f"{coarse['tau']:.3f} and an MDAD of {mbnb.format_interval(coarse)}."
    )
else:
    twin_text = "On this page no two cells have taus so near and different MDADs."
study.insert(
    fine=mbnb.cell_name(fine) if found else "none",
    coarse=mbnb.cell_name(coarse) if found else "none",
)
mbnb.say(twin_text, "(MDADs in points; brackets hold 95 % intervals over trials.)" if found else "")

# %% mystnb={"figure": {"caption": "Two micro-benchmarks of nearly equal tau, {glue:text}`fine` and {glue:text}`coarse`. Above, their agreement by gap, with the threshold; below, the share of all pairs that each bin holds, which is the same for both. Data: {glue:text}`data`.", "name": "fig-11-twins"}, "image": {"alt": "Two agreement curves against the gap in points, which reach the threshold at different gaps. Beneath them the share of pairs in each bin, which falls with the gap."}} tags=["hide-input"]
chosen = twins if found else cells.head(1)
mbnb.draw_curves(
    {
        f"{mbnb.cell_name(row)}: tau {row['tau']:.3f}, MDAD {mbnb.format_mdad(row['mdad'])}": (
            curve[(curve["selector"] == row["selector"]) & (curve["size"] == row["size"])],
            mbnb.LOOKS[str(row["selector"])],
        )
        for _, row in chosen.iterrows()
    },
    threshold=p.threshold,
)

# %% tags=["hide-input"]
if found:
    pair = [
        curve[(curve["selector"] == row["selector"]) & (curve["size"] == row["size"])]
        for row in (fine, coarse)
    ]
    sums = [
        (
            one.loc[one["gap"] <= coarse["mdad"], ["agreeing", "pairs"]].sum(),
            one.loc[one["gap"] > coarse["mdad"], ["agreeing", "pairs"]].sum(),
        )
        for one in pair
    ]
    near, far = (
        [part[side]["agreeing"] / max(part[side]["pairs"], 1) for part in sums] for side in (0, 1)
    )
    n_near, n_far = (sums[0][side]["pairs"] for side in (0, 1))
    lesson = (
        f"Up to a gap of {mbnb.in_points(coarse['mdad'])} the first orders "
        f"{mbnb.percent(near[0])} of the pairs rightly and the second {mbnb.percent(near[1])}; "
        f"beyond it, where {mbnb.percent(n_far / (n_near + n_far))} of all pairs lie, it is "
        f"{mbnb.percent(far[0])} and {mbnb.percent(far[1])}."
    )
    crossed = near[0] > near[1] and far[0] < far[1]
    moral = (
        "The first has its strength among close models and the second among distant ones, and tau "
        "adds the two up."
        if crossed
        else "The first is no worse at either, and tau-b still calls the two alike; it forgives ties, "
        "which the next section takes up."
        if near[0] >= near[1] and far[0] >= far[1]
        else ""
    )
else:
    lesson = moral = ""
mbnb.say(lesson, moral)

# %% [markdown]
# Which of two such micro-benchmarks is better for you can depend on how far apart *your* models are, and tau cannot be asked.
# Try it: in {numref}`fig-11-explore`, click on marks that stand above one another.

# %% mystnb={"figure": {"caption": "Every micro-benchmark of this page. Click a mark to see its agreement curve beneath, and click it again to take it away. Marks above one another have the same tau. Data: {glue:text}`data`.", "name": "fig-11-explore"}} tags=["hide-input", "narrow"]
mbnb.explore_tau(cells, curve, chosen, threshold=p.threshold)

# %% [markdown]
# Between leaderboards it is worse.
# {numref}`fig-11-leaderboards` draws {term}`uniform sampling` alone, the same rule everywhere.

# %% mystnb={"figure": {"caption": "Tau and MDAD of uniform sampling on real leaderboards (solid lines) and simulated ones (dashed), from the smallest size, on the left, to the largest. Data: measured for this book, `data/measured/leaderboards.csv`.", "name": "fig-11-leaderboards"}, "image": {"alt": "Lines of MDAD against Kendall's tau, one for each leaderboard, all falling from left to right but far apart, so that one tau meets MDADs that differ by a factor."}} tags=["hide-input"]
uniform = measured[measured["selector"] == "uniform"]
mbnb.draw_leaderboards_tau(uniform)

# %% tags=["hide-input"]
strangers = mbnb.same_tau(real[real["selector"] == "uniform"])
sentences = [
    f"{int(row['size']):,} items of {row['dataset']} have a tau of {row['tau']:.3f} and an MDAD of "
    f"{mbnb.in_points(row['mdad'])}"
    for _, row in strangers.iterrows()
]
mbnb.say(f"Of uniform samples of real leaderboards, {mbnb.listed(sentences)}." if sentences else "")

# %% [markdown]
# Nothing was chosen cleverly in either of these.
# The same way of drawing items gives the same tau and quite another MDAD, because the models of the two leaderboards are spread differently.
#
# ## What tau is made of
#
# Leave out the pairs that are tied on the full half.
# Of the $n$ pairs that remain, $c$ are ordered rightly and $d$ wrongly; $(c-d)/n$ is Somers' asymmetric relative of tau {cite:p}`somers1962new`, and tau-b is the same with a denominator that allows for ties.
# A mean over pairs can be taken bin by bin.
# With a share $s_g$ of the pairs in the bin at gap $g$, and an agreement $a_g$ there (a {term}`tie` counting one half),
#
# $$\frac{c-d}{n} \;=\; \sum_g s_g\,(2a_g-1).$$
#
# The curve $a_g$ belongs to the micro-benchmark; the MDAD is read off it.
# The weights $s_g$ belong to the leaderboard, and no selector has a say in them.
# Where most pairs lie far apart, tau is mostly about pairs that far apart ({numref}`fig-11-parts`).

# %%
parts = mbnb.tau_by_gap(six)
of_uniform = parts[parts["selector"] == "uniform"]

# %% mystnb={"figure": {"caption": "Where tau comes from, for uniform sampling: the share of it that pairs at least so far apart contribute, a line for each size; the mark stands at the MDAD (none where it is not reached). The dotted line is the share of the pairs themselves. Data: {glue:text}`data`.", "name": "fig-11-parts"}, "image": {"alt": "Falling curves, one for each size: the per cent of tau that comes from pairs at least a given number of points apart. All lie above the dotted line for the share of pairs, and at the marks of the MDADs most of tau is still to the right."}} tags=["hide-input"]
mbnb.draw_tau_by_gap(of_uniform, cells[cells["selector"] == "uniform"])

# %% tags=["hide-input"]
size = study.size_near(100)
one = of_uniform[of_uniform["size"] == size]
own_mdad = cells[(cells["selector"] == "uniform") & (cells["size"] == size)]["mdad"].iloc[0]
beyond = one[one["gap"] > own_mdad]
far_five = one[one["gap"] >= 5]
five = far_five["above"].head(1).mean()
if found:
    lenient = mbnb.tau_and_mdad(six, ties="half", **study.rule).table.set_index(
        ["selector", "size"]
    )
    sums = parts.groupby(["selector", "size"], observed=True)["part"].sum()
    keys = [(row["selector"], row["size"]) for row in (fine, coarse)]
    halved = [mbnb.format_mdad(lenient.loc[key, "mdad"]) for key in keys]
    strict = [mbnb.format_mdad(row["mdad"]) for row in (fine, coarse)]
    plain = [f"{sums[key]:.3f}" for key in keys]
    with_b = [f"{row['tau']:.3f}" for row in (fine, coarse)]
    with_halves = (
        f"With a tie counted one half, the MDADs of the two micro-benchmarks of equal tau are "
        f"{mbnb.listed(halved)} instead of {mbnb.listed(strict)}, and their sums of the formula above "
        f"{mbnb.listed(plain)}, where their taus are {mbnb.listed(with_b)}."
    )
    of_ties = (
        "Ties have no part in this. " + with_halves
        if halved == strict
        else "Ties have a part in it too: tau-b forgives a tied estimate, and strict agreement charges "
        "it in full. " + with_halves
    )
else:
    of_ties = ""
study.insert(size=size, five=mbnb.percent(five), far=mbnb.percent(far_five["share"].sum()))
mbnb.say(
    f"At {size:,} items, pairs at least 5 points apart are {mbnb.percent(far_five['share'].sum())} "
    f"of all pairs and make {mbnb.percent(five)} of tau.",
    f"Pairs that lie beyond the MDAD, and so are known to be easy, make "
    f"{mbnb.percent(beyond['above'].head(1).mean())} of it."
    if len(beyond)
    else "",
)

# %% [markdown]
# Two models on the verge of being told apart are the ones that you ask about.
# They are few among all pairs, and each adds little, since an agreement near one half adds nothing.
# A selector could lose every one of them, and tau would hardly notice.

# %% tags=["hide-input"]
mbnb.say(of_ties)

# %% [markdown]
# ## Another crowd, another tau
#
# If the weights belong to the leaderboard, then a change of leaderboard must change tau and leave the curve alone.
# Keep the trials, the items and every estimate.
# Only judge fewer models: those nearest the median, as if the best and the worst had never been submitted ({numref}`fig-11-crowds`).

# %%
kept = {
    share: mbnb.middle_models(study.matrix, max(2, round(share * study.matrix.n_models)))
    for share in (1, 0.75, 0.5, 0.25)
}
crowds = mbnb.tau_by_spread(six, kept, **study.rule)
shown = crowds["size"].isin({study.size_near(50), study.size_near(250)})
shown &= crowds["selector"].isin(["uniform", "anchor-points"])

# %% mystnb={"figure": {"caption": "The same estimates, judged on all target models and on those nearest the median alone. Above, Kendall's tau; below, the MDAD; 95 % intervals over trials. An interval that is open above leaves the chart. Data: {glue:text}`data`.", "name": "fig-11-crowds"}, "image": {"alt": "Two charts over the share of models kept, from all to a quarter. Above, Kendall's tau falls steadily for every micro-benchmark. Below, the MDAD of each stays nearly level."}} tags=["hide-input"]
mbnb.draw_spread(crowds[shown])

# %% tags=["hide-input"]
whole, middle = (
    crowds[crowds["kept"] == share].set_index(["selector", "size"]) for share in (1, 0.5)
)
shift = (middle["mdad"] - whole["mdad"]).dropna()
fall = whole["tau"] - middle["tau"]
widths = crowds.groupby("kept")["spread"].first()
study.insert(
    fall=f"{fall.mean():.2f}",
    shift=f"{shift.abs().mean():.1f} points" if len(shift) else "an unknown number of points",
)
mbnb.say(
    f"With half of the models gone, the standard deviation of the targets' accuracies is "
    f"{widths[0.5]:.1f} points instead of {widths[1]:.1f}.",
    f"Tau falls by {fall.min():.2f} to {fall.max():.2f}, and the MDAD moves by "
    f"{shift.abs().max():g} points at most."
    if len(shift)
    else f"Tau falls by {fall.min():.2f} to {fall.max():.2f}.",
    f"In {len(middle) - len(shift)} of {len(middle)} cells there is no MDAD to compare: no two of the "
    "models that are left lie far enough apart."
    if len(shift) < len(middle)
    else "",
)

# %% [markdown]
# The MDAD need not stay the same to the half point.
# A bin holds fewer pairs as models go, so its edge is noisier, and models of middling accuracy may disagree on more items than others do.
# But it has no reason to drift, and tau has one.
#
# This is why a tau from one paper cannot be set beside a tau from another.
# A leaderboard with a few weak models at the bottom lends every micro-benchmark a high tau, and each year's crop of strong models, closer together than the last, will take it away again.
#
# ## When tau suffices
#
# Tau is a good number for some questions.
#
# - *The same models, the same items, two ways to choose, and you care for the ranking as a whole.*
#   Then the weights are the same on both sides, and right for you.
# - *Two curves of one shape.*
#   Where one curve lies above the other at every gap, tau and MDAD agree on which is better, unless {term}`ties <tie>`, which tau-b forgives, set them apart; the sizes of one selector are like that.
# - *A single number for a whole leaderboard*, given with the spread of its models.
#
# It does not serve where you ask about two models, compare leaderboards, or expect the next models to be closer than the last.
# There, report the curve, or the MDAD with its threshold.
#
# What would change our mind: taus that can be read across leaderboards, the same number with the same MDAD on each.
# As for choosing a selector on one leaderboard, the last exercise counts what the choice by tau costs; if that is nothing to you, choose by tau.
#
# ## Take-aways
#
# - Over the cells of this page tau and MDAD correlate at {glue:text}`correlation` (reported: {glue:text}`reported`), and most of that is due to size.
# - {glue:text}`take-twins`
# - Tau is a mean of the agreement curve with the leaderboard's gaps as weights: at {glue:text}`size` uniformly drawn items, pairs at least 5 points apart, {glue:text}`far` of all, make {glue:text}`five` of it.
# - Judged on the middle half of the models, tau falls by {glue:text}`fall` on average and the MDAD moves by {glue:text}`shift`.
# - Compare taus of the same models only, and never ask one about a pair.

# %% tags=["remove-cell"]
take_twins = (
    f"At a tau of {fine['tau']:.2f} one micro-benchmark of this page sees gaps from "
    f"{mbnb.in_points(fine['mdad'])} on and another from {mbnb.in_points(coarse['mdad'])}."
    if found
    else "No two micro-benchmarks of this page share a tau and differ in MDAD."
)
answer = (
    f"Two micro-benchmarks with the same Kendall's tau, {fine['tau']:.2f}, can see gaps from "
    f"{mbnb.in_points(fine['mdad'])} and from {mbnb.in_points(coarse['mdad'])}: tau is a mean over "
    "all pairs of models, and how far apart those lie is no doing of the micro-benchmark."
    if found
    else "Kendall's tau is a mean over all pairs of models, and how far apart those lie is no doing "
    "of the micro-benchmark; so it does not say what two close models may expect."
)
study.insert(
    answer=answer,
    take_twins=take_twins,
    correlation=mbnb.signed(both.correlation),
    reported=mbnb.signed(told, 3),
)

# %% [markdown]
# ## Exercises
#
# ```{admonition} Exercise 1: a tau for coin flips
# :class: exercise
#
# Imagine a micro-benchmark that orders every pair at least 5 points apart and tosses a coin for all others.
# What is its tau on this leaderboard, and what its MDAD?
# At which size does uniform sampling have the same tau?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
coin = far_five["share"].sum()
sampled = cells[cells["selector"] == "uniform"].set_index("size")["tau"]
nearest = (sampled - coin).abs().idxmin()
its_mdad = cells[(cells["selector"] == "uniform") & (cells["size"] == nearest)]["mdad"].iloc[0]
mbnb.say(
    "A pair that is always right adds its whole share and a coin adds nothing, so tau (with no "
    f"ties) is the share of pairs at least 5 points apart, {coin:.2f}; the MDAD is 5 points.",
    f"The nearest uniform sample of this page, {nearest:,} items, has a tau of "
    f"{sampled[nearest]:.2f} and an MDAD of {mbnb.in_points(its_mdad)}.",
)

# %% [markdown]
# ```{admonition} Exercise 2: predict the tau of the middle half
# :class: exercise
#
# You know the agreement curve of uniform sampling on all targets, and you know the gaps of the middle half of the models.
# Predict the tau of the middle half without looking at its estimates, by the formula above, and compare it with the tau that was measured.
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
theirs = mbnb.tau_by_gap(six.only(kept[0.5]))
joined = theirs[theirs["selector"] == "uniform"].merge(
    of_uniform[["size", "gap", "agreement"]], on=["size", "gap"], suffixes=("_own", "_all")
)
predicted = (joined["share"] * (2 * joined["agreement_all"] - 1)).groupby(joined["size"]).sum()
actual = theirs[theirs["selector"] == "uniform"].groupby("size")["part"].sum()
mbnb.say(
    *(
        f"At {size:,} items the formula predicts {predicted[size]:.2f}, and {actual[size]:.2f} was "
        "measured."
        for size in sorted(predicted.index)
    ),
    "The curve carries over from one crowd to the other, so the gaps alone say what becomes of tau."
    if (predicted - actual).abs().max() <= 0.05
    else "Where the two differ, the trials are few, or the models of the middle half are harder to order "
    "than others at the same gap.",
)

# %% [markdown]
# ```{admonition} Exercise 3: what the b is for
# :class: exercise
#
# The figures above take apart $(c-d)/n$, the scatter chart shows tau-b.
# By how much do they differ at each size for uniform sampling, in which direction, and why does the difference go away?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
summed = of_uniform.groupby("size")["part"].sum()
gap_of_two = (sampled - summed).dropna()
mbnb.say(
    f"Tau-b is larger, by {gap_of_two.iloc[0]:.3f} at {gap_of_two.index[0]:,} items and "
    f"{gap_of_two.iloc[-1]:.3f} at {gap_of_two.index[-1]:,}.",
    "Its denominator leaves out pairs that tie in the estimates, so a small sample, which ties "
    "often, is not charged for saying nothing. With more items ties become rare and the two meet. "
    "The strict agreement of the MDAD charges a tie in full.",
)

# %% [markdown]
# ```{admonition} Exercise 4: what it costs to choose by tau
# :class: exercise
#
# At each size of each leaderboard that was measured, choose the selector with the highest tau.
# By how many points is its MDAD above the lowest at that size?
# At which sizes is the loss largest, and does the answer hold on the held-out half?
# (A paper on how to evaluate micro-benchmarks would have this table.)
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
every = mbnb.measured("leaderboards")
every = every[~every["dataset"].str.startswith("simulated:")].dropna(subset=["tau", "mdad"])
groups = every.groupby(["half", "size", "dataset"], sort=True)
by_tau = every.loc[groups["tau"].idxmax()].set_index(["half", "size", "dataset"])["mdad"]
loss = (by_tau - groups["mdad"].min()).rename("loss")
sizes_lost = loss["train"].groupby("size").mean()
worst_size = sizes_lost.idxmax()
mbnb.say(
    f"On the train half the choice by tau loses {loss['train'].mean():.1f} points on average, most at "
    f"{worst_size:,} items ({sizes_lost[worst_size]:.1f}); the largest single loss is "
    f"{loss['train'].max():g} points. On the held-out half the average is "
    f"{loss['heldout'].mean():.1f} points.",
    "In "
    f"{mbnb.percent((loss['train'] == 0).mean())} of the cases tau names a selector of the lowest "
    "MDAD, and nothing is lost.",
)

# %% [markdown]
# ## Re-run this chapter
#
# ```bash
# mbnb run 11 -p n_trials=10 -p 'sizes=[10,50]'
# MBNB_DATA=~/leaderboards mbnb run 11 -p dataset=bigcodebench
# ```

# %% tags=["hide-input"]
study.footer(six)
