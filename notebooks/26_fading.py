# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Fading
#
# {glue:text}`answer`
#
# **What you will learn**
#
# - how to measure what a {term}`selector` or an {term}`estimator` loses when its {term}`sources <source models>` are older, weaker or of other families than its {term}`targets <target models>`
# - which of them lose their edge over plain uniform sampling, which keep it, and which end up below it
# - why: items that the new models all solve, and coefficients that were learnt where those models never were
# - what helps, and how to tell that it is time to select anew
#
# **Reading time** 20 minutes.
# **Running time** one to two minutes.

# %% tags=["parameters"]
dataset: str = "simulated:mmlu-pro"
missing: str = "drop-items"
n_trials: int = 10
sizes: list = [10, 25, 50, 100]
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
# ## Chosen yesterday, used tomorrow
#
# A {term}`micro-benchmark` is chosen once, from the answers of models that are there.
# It is then used for months, on models that are not there yet, and these are better: that is why you test them.
# Every trial of the study, and of this book so far, drew sources and targets from one hat.
# So each of its figures answers a kinder question than yours.
#
# Whoever learns from one population and predicts in another has to do with *covariate shift* {cite:p}`shimodaira2000covariate`.
# Those who keep tests for schools have known it as *item drift* for forty years: the parameters of an item do not stay what they were when they were fitted {cite:p}`goldstein1983changes,bock1988drift`.
# For benchmarks of language models, {cite:t}`zhang2025misses` found that methods that predict a score from few items work by likeness of models, and that none beats the mean of a random sample reliably once the new models are better than all that are known.
# This page asks how fast an edge goes, what exactly goes, and what stays.
#
# ## Five lots of sources
#
# Order the models from the worst to the best.
# The last of them are *today*: in every trial some, drawn at random, are targets.
# The sources come from five lots of equal size, and everything else, the targets and the halves of the items, is the same for all five.
#
# - **beside**: the other models of today; no distance at all, as in the study.
# - **near**: drawn from the better half of those before today.
# - **mixed**: drawn from all before today.
# - **far**: drawn from the worse half.
# - **refreshed**: those of far, a fifth of them replaced by models of today.
#
# Plain {term}`uniform sampling` looks at no source, so it cannot fade: it is the same in all five lots, and the yardstick.
# The {term}`edge` of a selector with its estimator is what it is ahead of it by.
# It is told in two units: points of {term}`MDAD`, and the {term}`agreement` of close pairs, those up to five points apart, which is the steadier of the two where trials are few.

# %%
step = max(1, study.matrix.n_items // 3000)
board = study.matrix.sorted_by_id()
board = board.subset(items=np.arange(0, board.n_items, step))
today = replace(study, matrix=board, sizes=mbnb.possible_sizes(board, p.sizes)[0])
study.insert(part=mbnb.data_label(board, p.n_trials))
pools = mbnb.distant_pools(
    mbnb.by_accuracy(board),
    n_pools=p.n_trials,
    n_source=p.n_source,
    n_target=p.n_target,
    seed=p.seed,
)
recipes = [
    ("uniform", ["weighted-mean", "ridge", "corrected-mean", "p-irt"]),
    ("anchor-points", ["weighted-mean"]),
    ("tinybenchmarks", ["weighted-mean"]),
    ("close-pairs", ["corrected-mean"]),
]
kept = mbnb.ResultStore()
lots = mbnb.run_recipes(board, recipes, today.sizes, pools, seed=p.seed, store=kept)
reading = {"threshold": p.threshold, **mbnb.RECOMMENDED_RULE}
edges = mbnb.edges(lots, **reading)

# %% tags=["hide-input"]
apart = mbnb.distances(board, pools)
size = today.size_near(50)
at_size = edges[edges["size"] == size].set_index(["lot", "selector", "estimator"])
mbnb.say(
    f"To be quick, this page uses one item in {step} of {study.matrix.name}, {board.n_items:,} in all."
    if step > 1
    else "",
    f"Five lots need more models than one: each trial of this page has {len(pools[0].targets):,} targets "
    f"and {pools[0].n_source:,} sources.",
    "The mean accuracy of the targets lies above that of their sources by "
    + mbnb.listed([f"{max(gap, 0):.0f} points ({lot})" for lot, gap in apart.items()])
    + ".",
)

# %% mystnb={"figure": {"caption": "Edge over plain uniform sampling by lot of sources, with 95 % intervals; below zero, learning from these sources does harm. In brackets, how far the sources lie below the targets in points. Intervals that leave a chart go on beyond it. MDADs are read by the recommended rule. Data: {glue:text}`part`.", "name": "fig-26-live"}, "image": {"alt": "Two charts above one another, the edge in MDAD and the edge in agreement of close pairs, each with a line for every selector and estimator over the lots beside, near, mixed, far and refreshed."}} tags=["hide-input"]
mbnb.draw_edges(edges, size, names=mbnb.distance_labels(apart))

# %% [markdown]
# In {numref}`fig-26-live` read each line from the left.
# Its height at *beside* is what the study and the chapters before this one measure.
# Its slope is what this page is about.

# %% tags=["hide-input"]
mbnb.edges_table(edges, size)

# %% tags=["hide-input"]
named = {key: mbnb.recipe_name(*key) for key in at_size.loc["beside"].index if key[1:] != ("",)}
named.pop(("uniform", "weighted-mean"))
beside, far, fresh = (at_size.loc[lot] for lot in ("beside", "far", "refreshed"))
sure = [key for key in named if beside.loc[key, "close_edge_low"] > 0]
held = [key for key in named if far.loc[key, "close_edge_low"] > 0]
gone = [key for key in sure if key not in held]
harmed = [key for key in named if far.loc[key, "close_edge_high"] < 0]
best = max(named, key=lambda key: np.nan_to_num(beside.loc[key, "close_edge"], nan=-99))
robust = max(named, key=lambda key: np.nan_to_num(far.loc[key, "close_edge"], nan=-99))
mbnb.say(
    f"At {size:,} items, {len(sure)} of {len(named)} recipes are surely ahead of plain uniform "
    "sampling when their sources stand beside the targets.",
    f"Surely ahead from far sources: {'; '.join(named[key] for key in held)}."
    if held
    else "From far sources none is surely ahead.",
    f"No longer ahead: {'; '.join(named[key] for key in gone)}." if gone and held else "",
    f"Surely below plain uniform sampling: {'; '.join(named[key] for key in harmed)}."
    if harmed
    else "",
)

# %% tags=["hide-input"]
study.insert(
    answer=f"At {size:,} items, the edge of {named[best]} over plain uniform sampling is "
    f"{mbnb.points(round(beside.loc[best, 'close_edge'], 1))} percentage points of close-pair agreement "
    "if its sources are as good as its targets, and "
    f"{mbnb.points(round(far.loc[best, 'close_edge'], 1))} if they are {apart['far']:.0f} points weaker; "
    + (
        f"that of {named[robust]} is {mbnb.points(round(far.loc[robust, 'close_edge'], 1))} then "
        f"({mbnb.points(round(beside.loc[robust, 'close_edge'], 1))} beside). "
        if robust != best
        else "no other does better then. "
    )
    + (
        "What learns most from its sources has most to lose."
        if far.loc[best, "close_edge"] < beside.loc[best, "close_edge"]
        else "With so few models and trials, no fading shows."
    )
)

# %% tags=["hide-input"]
shares = at_size["left"]
rows = {
    named[key]: {lot: mbnb.percent(shares[lot, *key]) for lot in list(apart)[1:]} for key in named
}
mbnb.show(pd.DataFrame.from_dict(rows, orient="index")).set_caption(
    f"Share of the edge of close pairs that is left, at {size:,} items; – where there is no sure "
    "edge beside the targets that could fade. Below 0 %, the recipe is behind plain uniform sampling."
)

# %% [markdown]
# ## Other families
#
# Distance is not only level.
# Sources of the targets' own families may know something that no others do: a fine-tune errs where its base errs.
# Here the targets are of a few families, and the sources come from the same families (*own*), from a few others, or from many others; levels are mixed throughout.

# %%
with_names, recognised = mbnb.with_families(board)
try:
    kin = mbnb.draw_pools(with_names, n_pools=p.n_trials, seed=p.seed)
    obstacle = ""
except mbnb.InputError as reason:
    kin, obstacle = [], f"No such lots can be drawn here: {reason}"
cheap = [recipe for recipe in recipes if recipe[0] in ("uniform", "close-pairs")]
related = mbnb.run_recipes(with_names, cheap, [size], kin, store=kept) if kin else {}
kin_edges = mbnb.edges(related, **reading) if kin else edges.head(0)

# %% tags=["hide-input"]
strangers = kin_edges[kin_edges["lot"] == "many"]
surely = strangers[strangers["close_lost_low"] > 0]
mbnb.say(
    obstacle,
    f"{recognised}" if kin else "",
    (
        f"Going from sources of the targets’ own families to those of many others surely costs "
        f"{mbnb.listed([mbnb.recipe_name(r['selector'], r['estimator']) for _, r in surely.iterrows()])} "
        "a part of the edge."
        if len(surely)
        else "Between sources of the targets’ own families and those of many others no recipe surely "
        "loses anything."
    )
    if kin
    else "",
)

# %% tags=["hide-input"]
mbnb.edges_table(kin_edges, size) if kin else mbnb.say()

# %% [markdown]
# ## On real leaderboards
#
# The same five lots on the real leaderboards that the book measures, ordered by accuracy.

# %% tags=["hide-input"]
real = mbnb.edges_elsewhere()
shown = min(real["size"].unique(), key=lambda k: abs(np.log(k / 50)))
study.insert(
    boards=f"{real['dataset'].nunique()} real leaderboards, {mbnb.listed(list(dict.fromkeys(real['dataset'])))}",
    shown=int(shown),
)

# %% mystnb={"figure": {"caption": "Edge of close pairs over plain uniform sampling by lot of sources, at {glue:text}`shown` items: thin, each leaderboard; thick, their median. Lines that leave a chart go on beyond it. Data: {glue:text}`boards`.", "name": "fig-26-real"}, "image": {"alt": "Small line charts, one for each selector with an estimator, over the lots beside, near, mixed, far and refreshed; a thin line for each leaderboard and a thick one for the median."}} tags=["hide-input"]
mbnb.draw_edges_elsewhere(real, shown)

# %% tags=["hide-input"]
mbnb.surviving_table(real, shown)

# %% tags=["hide-input"]
middle = (
    real[real["size"] == shown]
    .groupby(["selector", "estimator", "lot"])["close_edge"]
    .median()
    .unstack("lot")
)
middle = middle.drop(index=("uniform", "weighted-mean"))
steepest = (middle["beside"] - middle["far"]).idxmax()
steadiest = middle["far"].idxmax()
strongest = middle["beside"].idxmax()
mbnb.say(
    f"Over the leaderboards’ medians, {mbnb.recipe_name(*strongest)} has the largest edge from "
    f"sources beside the targets ({mbnb.points(round(middle.loc[strongest, 'beside'], 1))} percentage points; from far "
    f"ones {mbnb.points(round(middle.loc[strongest, 'far'], 1))}).",
    f"From far sources the largest is that of {mbnb.recipe_name(*steadiest)} "
    f"({mbnb.points(round(middle.loc[steadiest, 'far'], 1))}; beside {mbnb.points(round(middle.loc[steadiest, 'beside'], 1))}).",
    f"The steepest fall is that of {mbnb.recipe_name(*steepest)}, from "
    f"{mbnb.points(round(middle.loc[steepest, 'beside'], 1))} to {mbnb.points(round(middle.loc[steepest, 'far'], 1))}.",
)

# %% [markdown]
# ### By date
#
# Accuracy stands for time, but it is not time: on one day good and bad models come out.
# One leaderboard names the date of each entry, so that *far* can mean *first*.

# %% tags=["hide-input"]
dated = mbnb.edges_elsewhere("date")
far_by = {
    kind: table[table["size"] == shown].set_index(["dataset", "selector", "estimator", "lot"])
    for kind, table in (("accuracy", real), ("date", dated))
}
study.insert(dated=mbnb.listed(list(dict.fromkeys(dated["dataset"]))) or "no leaderboard")

# %% mystnb={"figure": {"caption": "The same edges with models ordered by the date of their entry, at {glue:text}`shown` items, with 95 % intervals. Data: {glue:text}`dated`.", "name": "fig-26-date"}, "image": {"alt": "Two charts above one another, the edge in MDAD and in agreement of close pairs for each selector and estimator, over lots of sources ordered by date."}} tags=["hide-input"]
mbnb.draw_edges(
    dated, shown, names=mbnb.distance_labels(dated.groupby("lot", sort=False)["distance"].first())
)

# %% tags=["hide-input"]
falls = {
    kind: (
        table["close_edge"].xs("beside", level="lot") - table["close_edge"].xs("far", level="lot")
    )
    for kind, table in far_by.items()
}
both = pd.DataFrame(falls).dropna()
both = both[[key[1:] != ("uniform", "weighted-mean") for key in both.index]]
mbnb.say(
    f"Ordered by date the same story is told with other numbers: from beside to far the recipes lose "
    f"{both['date'].median():.1f} percentage points in the median, and {both['accuracy'].median():.1f} "
    "on the same leaderboard ordered by accuracy."
    if len(both)
    else "No leaderboard was measured by date.",
)

# %% [markdown]
# ### Families on real leaderboards
#
# Where names tell families, sources and targets can be kept of different ones.

# %% tags=["hide-input"]
real_kin = mbnb.families_elsewhere()
real_kin = real_kin[
    real_kin["size"] == min(real_kin["size"].unique(), key=lambda k: abs(k - shown))
]
by_recipe = real_kin.groupby(["selector", "estimator"], sort=False)
kin_rows = {
    mbnb.recipe_name(*key): {
        "leaderboards": len(own),
        "mixed": f"{own['mixed'].median():.1f}",
        "apart": f"{own['apart'].median():.1f}",
        "lost, median": f"{(own['mixed'] - own['apart']).median():.1f}",
    }
    for key, own in by_recipe
}
mbnb.show(
    pd.DataFrame.from_dict(kin_rows, orient="index").astype({"leaderboards": int})
).set_caption(
    f"Edge of close pairs in percentage points at {shown:,} items, medians over leaderboards: "
    "families mixed, and families of the targets kept out of the sources."
)

# %% tags=["hide-input"]
cost_kin = (real_kin["mixed"] - real_kin["apart"]).median()
cost_far = (middle["beside"] - middle["far"]).median()
mbnb.say(
    f"Over all recipes and leaderboards, keeping families apart takes {cost_kin:.1f} percentage points "
    f"of the edge in the median, and going from sources beside the targets to far ones {cost_far:.1f}.",
    "Level matters more than kin." if cost_far > cost_kin else "Kin matters as much as level.",
)

# %% [markdown]
# ## Why it fades
#
# ### Items that nobody fails any more
#
# An item orders two models only if they answer it differently.
# A selector that learns looks for items on which its *sources* differ.
# If these are weak, the items on which they differ are the easy ones, and better models solve them all.
# {numref}`fig-26-chosen` shows the chosen items themselves, in the first trials.

# %%
selectors = ["uniform", "tinybenchmarks", "close-pairs"]
chosen = mbnb.chosen_items(board, pools[:3], selectors, size, seed=p.seed)

# %% mystnb={"figure": {"caption": "Items chosen from sources beside the targets (left) and from far ones (right), by the share of the sources and of the targets that solve them. At the upper edge all targets are right, and the item tells no two of them apart. Data: {glue:text}`part`.", "name": "fig-26-chosen"}, "image": {"alt": "Scatter charts of chosen items for three selectors and two lots of sources: share of sources against share of targets that solve an item."}} tags=["hide-input"]
mbnb.draw_chosen(chosen)

# %% tags=["hide-input"]
means = chosen.groupby(["selector", "lot"], sort=False)[["alike", "spread"]].mean()
worn_rows = {
    mbnb.label(selector): {
        f"{what}, {lot}": mbnb.percent(means.loc[(selector, lot), "alike"])
        if what == "alike"
        else f"{means.loc[(selector, lot), 'spread']:.2f}"
        for what in ("alike", "spread")
        for lot in ("beside", "far", "refreshed")
    }
    for selector in selectors
}
mbnb.show(pd.DataFrame.from_dict(worn_rows, orient="index")).set_caption(
    f"Of {size:,} chosen items: the share that all targets answer alike, and the variance of the "
    "targets’ answers on an item as a multiple of its mean over all items."
)

# %% tags=["hide-input"]
spreads = means["spread"].unstack("lot")
mbnb.say(
    f"From sources beside the targets, {mbnb.label('close-pairs')} picks items on which the targets "
    f"vary {spreads.loc['close-pairs', 'beside']:.2f} times as much as on an average one; from far "
    f"sources {spreads.loc['close-pairs', 'far']:.2f} times.",
    "What was an advantage has become a handicap, at the same size and by the same rule."
    if spreads.loc["close-pairs", "beside"] > 1 > spreads.loc["close-pairs", "far"]
    else "",
    "Uniform sampling stays near 1 by construction.",
)

# %% [markdown]
# This is the {term}`saturation <saturated item>` that benchmarks as a whole go through {cite:p}`ott2022mapping`, in fast motion: a selection made from weak models holds the part of the benchmark that saturates first.
#
# ### Coefficients from another level
#
# Ridge regression learns what each answer is worth.
# An item that hardly any source solves has no variance among them and gets next to no coefficient, so the answers that would tell the new models apart are not counted.
# Its estimates are compressed: they grow by less than a point for each point of accuracy.
# That alone would change no order, and ridge does it beside the targets too; but from far sources the correlation falls as well, since what is left of the differences between models drowns in the noise of easy items.
# The corrected mean begins with the plain mean, where every item counts, and learns only what that misses.
# If nothing carries over and its penalty notices, it is still a mean; the penalty is chosen among the sources, though, and cannot know the targets.

# %% tags=["hide-input"]
shape = mbnb.estimate_shape(lots)
shape = shape[(shape["size"] == size) & (shape["selector"] == "uniform")]
shape = shape.set_index(["estimator", "lot"])
wanted = [name for name in recipes[0][1]]
shape_rows = {
    mbnb.recipe_name("uniform", name): {
        f"{what}, {lot}": float(shape.loc[(name, lot), what])
        for what in ("slope", "correlation", "bias")
        for lot in ("beside", "far")
    }
    for name in wanted
}
mbnb.show(pd.DataFrame.from_dict(shape_rows, orient="index").round(2)).set_caption(
    f"Estimates of the targets from {size:,} random items: points of estimate for a point of accuracy "
    "(slope), correlation with accuracy, and mean error in points (bias)."
)

# %% tags=["hide-input"]
slope, bias, close_to = (shape[name] for name in ("slope", "bias", "correlation"))
plainly = close_to["weighted-mean", "far"]
mbnb.say(
    f"From far sources the correlation of ridge’s estimates with accuracy goes from "
    f"{mbnb.signed(close_to['ridge', 'beside'])} to {mbnb.signed(close_to['ridge', 'far'])}, and that "
    f"of the corrected mean from {mbnb.signed(close_to['corrected-mean', 'beside'])} to "
    f"{mbnb.signed(close_to['corrected-mean', 'far'])}; the plain mean has {mbnb.signed(plainly)}.",
    "Here even the correction does harm: what far sources teach is wrong for the targets."
    if close_to["corrected-mean", "far"] < plainly - 0.05
    else "The correction does no harm here.",
    f"Learnt from far sources, ridge gives {mbnb.signed(slope['ridge', 'far'])} points for each point "
    f"of accuracy, and the corrected mean {mbnb.signed(slope['corrected-mean', 'far'])}; learnt beside "
    f"the targets {mbnb.signed(slope['ridge', 'beside'])} and "
    f"{mbnb.signed(slope['corrected-mean', 'beside'])}.",
    f"The level goes wrong too: far sources make ridge err by {mbnb.points(round(bias['ridge', 'far'], 1))} points on "
    f"average, the corrected mean by {mbnb.points(round(bias['corrected-mean', 'far'], 1))}.",
    "A common error of all models changes no order, but whoever reports the estimate as a score "
    "reports it wrong.",
)

# %% [markdown]
# ## What helps
#
# *Put today's models among the sources.*
# In the lot *refreshed*, one source in five is of today.

# %% tags=["hide-input"]
regained = (fresh["close_edge"] - far["close_edge"]).reindex(list(named))
top = regained.astype(float).idxmax()
mbnb.say(
    f"That gives {mbnb.recipe_name(*top)} back the most, {mbnb.points(round(regained[top], 1))} percentage points of "
    f"close agreement (beside the targets it had {mbnb.points(round(beside.loc[top, 'close_edge'], 1))}, from far "
    f"sources {mbnb.points(round(far.loc[top, 'close_edge'], 1))}).",
    f"Over all recipes the median is {mbnb.points(round(regained.median(), 1))}.",
)

# %% [markdown]
# *Learn less.*
# Of two estimators on the same random items, one falls back to the mean and one does not.

# %% tags=["hide-input"]
apart_lots = real[(real["size"] == shown) & real["lot"].isin(["near", "mixed", "far"])]
lowest = apart_lots.groupby(["selector", "estimator"])["close_edge"].min()
mbnb.say(
    f"In the worst case among the real leaderboards’ lots at a distance, at {shown:,} items, the edge of ridge over "
    f"plain uniform sampling ends at {mbnb.points(round(lowest['uniform', 'ridge'], 1))} percentage "
    f"points, that of the corrected mean at {mbnb.points(round(lowest['uniform', 'corrected-mean'], 1))}, and "
    f"that of {mbnb.label('close-pairs')} at "
    f"{mbnb.points(round(lowest['close-pairs', 'corrected-mean'], 1))}.",
)

# %% [markdown]
# *Keep a random part, and look at it.*
# A micro-benchmark that is frozen with a random part beside it carries its own alarm.
# As long as the new models differ more on the chosen items than on random ones, the choice earns its keep; once they differ less, random items of the same number would tell more.
# `mbnb.wear` says which, from the new models' answers and nothing else.

# %%
yesterday = board.subset(models=list(pools[0].sources["far"]))
new = board.subset(models=list(pools[0].targets))
micro = mbnb.freeze(yesterday, "close-pairs", size, seed=p.seed)
random_part = mbnb.freeze(yesterday, "uniform", size, seed=p.seed)
verdict = mbnb.wear(micro, new, random_part)
mbnb.say(f"> {verdict}")

# %% tags=["hide-input"]
lot_edges = at_size["close_edge"].xs("close-pairs", level="selector").droplevel("estimator")
rule = pd.DataFrame({"spread": spreads.loc["close-pairs"], "edge": lot_edges}).reindex(list(apart))
mbnb.show(rule).set_caption(
    f"{mbnb.label('close-pairs')} at {size:,} items: the variance of the targets on a chosen item as a "
    "multiple of that on an average one, and the edge of close pairs (percentage points)."
)

# %% tags=["hide-input"]
order = rule.corr(method="spearman").iloc[0, 1]
mbnb.say(
    f"Over the five lots, the spread and the edge rise and fall together (rank correlation "
    f"{order:.1f}), and only the spread can be seen without the full benchmark."
    if order > 0.5
    else f"Over the five lots, the spread and the edge hardly go together here (rank correlation "
    f"{order:.1f}): take the rule as a first warning, not as a proof.",
    "The rule is meant for selectors that look for items that tell models apart, such as "
    f"{mbnb.label('close-pairs')}; one that looks for representatives, such as "
    f"{mbnb.label('anchor-points')}, may pick items of little spread from the start.",
)

# %% [markdown]
# ## Take-aways
#
# - An edge measured on sources and targets from one hat is the edge of a micro-benchmark on the day it is made.
# - The more a recipe learns from its sources, the more it has to lose; some end below plain uniform sampling, which looks at no source and cannot fade.
# - It fades because the chosen items saturate and because coefficients were learnt where the new models never were.
# - On real leaderboards the corrected mean of random items keeps most, since without the correction it is the plain mean; where sources are near chance, it fails too.
# - A few models of today among the sources bring back a part; a random part beside the selection tells when it is time.
#
# ## What to do on Monday
#
# *What is new.*
# Edges are measured at a known distance, by the very same targets and items at every distance, with the trials paired; and a frozen micro-benchmark can be asked whether it has worn out.
# *What it rests on.*
# Covariate shift {cite:p}`shimodaira2000covariate` and item drift {cite:p}`goldstein1983changes,bock1988drift`; the finding that predictions from few items fail for better models is that of {cite:t}`zhang2025misses`, whose remedy, a mean of the sample that is corrected by what a regression says of the other items, has the same virtue as the corrected mean here.
# *What was measured.*
# {numref}`fig-26-real` and {numref}`fig-26-date`; the script is `benchmarks/better.py`, part `fading`.
#
# 1. If the next models will be better than all you know, and nobody will select anew, draw at random, and take the corrected mean only if your sources are clearly above chance; else the plain mean.
# 2. If you select, put the best and newest models that you have among the sources, even if they are few.
# 3. Freeze a random part along with the selection, and run `mbnb.wear` on every few new models.
# 4. When it says that random items tell more, select anew; the full answers of the models that came since are the new sources.
# 5. Report estimates of learnt rules as ranks, not as scores, for models outside the range of the sources.

# %% [markdown]
# ## Exercises
#
# ```{admonition} Exercise 1: does a larger size protect?
# :class: exercise
#
# A larger selection holds more items, so that some will not have saturated.
# Is the edge that is lost from beside to far smaller at the largest size of this page than at the smallest?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
lost = edges[edges["lot"] == "far"].set_index(["selector", "estimator", "size"])["close_lost"]
changes = {key: lost[(*key, today.largest)] - lost[(*key, today.smallest)] for key in named}
shrunk = [named[key] for key, change in changes.items() if change < 0]
mbnb.say(
    f"From {today.smallest:,} to {today.largest:,} items, the loss shrinks for {len(shrunk)} of "
    f"{len(named)} recipes" + (f" ({mbnb.listed(shrunk)})." if shrunk else "."),
    "Yet plain uniform sampling gets better too, so a loss that stays the same weighs more at a large "
    "size: there the edge was small to begin with.",
)

# %% [markdown]
# ```{admonition} Exercise 2: in points of MDAD
# :class: exercise
#
# The chapter argues with the agreement of close pairs.
# How many recipes are *surely* ahead in MDAD, beside and far?
# Why are they fewer?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
ahead = {
    lot: sum(bool(at_size.loc[(lot, *key), "edge_low"] > 0) for key in named)
    for lot in ("beside", "far")
}
mbnb.say(
    f"At {size:,} items {ahead['beside']} of {len(named)} recipes are surely ahead in MDAD from sources "
    f"beside the targets, and {ahead['far']} from far ones.",
    "An MDAD hangs on the few bins around the threshold, the agreement of close pairs on all pairs up "
    f"to five points, so with {p.n_trials} trials its interval is the narrower.",
)

# %% [markdown]
# ```{admonition} Exercise 3: how much of the benchmark is used up?
# :class: exercise
#
# Wear is not only a fault of selections.
# Which share of *all* items do the models of today answer alike?
# How many items of a random draw does that leave?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
answers = new.scores
used_up = float(np.mean((answers == answers[0]).all(axis=0)))
mbnb.say(
    f"The {new.n_models} targets of the first trial answer {mbnb.percent(used_up)} of the items alike, "
    f"so of {size:,} random items about {size * (1 - used_up):.0f} can tell any two of them apart.",
    "Such items are no loss to a full benchmark, which has them anyway; a selection pays for each.",
)

# %% [markdown]
# ```{admonition} Exercise 4: sources from everywhere
# :class: exercise
#
# Suppose you do not know how good the next models will be.
# For each recipe, compare sources *mixed* from all levels with *near* ones.
# Is width or nearness worth more?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
near, mixed = (at_size["close_edge"].xs(lot, level="lot") for lot in ("near", "mixed"))
nearness = [named[key] for key in named if near[key] > mixed[key]]
mbnb.say(
    f"Near sources do better than mixed ones for {len(nearness)} of {len(named)} recipes"
    + (f" ({'; '.join(nearness)})." if nearness else "."),
    f"They lie {apart['near']:.0f} points below the targets, the mixed ones {apart['mixed']:.0f}: "
    "the lots differ in nearness and in width at once, and on these data "
    + ("nearness" if 2 * len(nearness) > len(named) else "width")
    + " wins more often.",
)

# %% [markdown]
# ## Re-run this chapter
#
# ```bash
# mbnb run 26 -p n_trials=20 -p 'sizes=[25,100]'
# MBNB_DATA=~/leaderboards mbnb run 26 -p dataset=bigcodebench
# MBNB_DATA=~/leaderboards mbnb run 26 -p dataset=swebench-verified
# ```

# %% tags=["hide-input"]
study.footer(lots["beside"])
