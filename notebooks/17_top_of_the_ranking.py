# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # What the top of the ranking keeps
#
# With {glue:text}`shown` random items the best model moves by {glue:text}`move-top` ranks on average, where models in the middle move by {glue:text}`move-middle`, and yet it comes out first in {glue:text}`first` % of the {term}`trials <trial>`: ranks at the top are stable where the gaps there are wide, and a winner needs more than a stable rank.
#
# **What you will learn**
#
# - how often a {term}`micro-benchmark` keeps the best model, and the best three, five and ten
# - what it costs in {term}`points` to take the model that looks best, and how a shortlist saves most of it
# - why the ranks of the best are stable, and a case in which they are not
# - by how much the winner's own score is too high
#
# **Reading time** 14 minutes, and 45 for the exercises.
# **Running time** under a minute once the grid of [](./10_main_tables) is stored, a few minutes otherwise.

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
from dataclasses import replace

import numpy as np
import pandas as pd
from myst_nb import glue
from scipy.stats import spearmanr

import mbnb

p = mbnb.parameters(globals())
p

# %% tags=["hide-input"]
study = mbnb.open_study(p)
study

# %% [markdown]
# ## Is the winner safe?
#
# A leaderboard is read from the top.
# Nobody asks whether rank 31 should be rank 34; the question is which model to take.
# The study {cite:p}`yauney2026reliable` has good news for this reader: the ranks of the best models are reported to be stable, because these models lie further than the {term}`MDAD` from most others.
# This chapter asks what that is worth.
#
# Take the trials of all six {term}`selectors <selector>`, and in each trial look only at the {term}`targets` with the highest estimates.
# Where several are {term}`tied <tie>` for the last place, a lot decides; the numbers below are averages over all ways in which it can fall.

# %%
trials = study.run()
top = mbnb.top_table(trials)

# %% mystnb={"figure": {"caption": "How much of the true top is among as many models with the highest estimates. The dotted line is what a draw of names from a hat would keep. Data: {glue:text}`data`.", "name": "fig-17-kept"}, "image": {"alt": "Small line charts for the best model and the best few: the per cent kept against size, a line for each of six selectors, all rising with the size and far above a dotted line for chance."}} tags=["hide-input"]
mbnb.draw_kept(top)

# %% tags=["hide-input"]
shown = min(study.sizes, key=lambda size: abs(size - 50))
largest = study.sizes[-1]
uniform = top[top["selector"] == "uniform"].set_index(["k", "size"])
depth = int(top["k"].max())
ranked = top[(top["k"] == 1) & (top["size"] == shown)].sort_values("best_kept", kind="stable")
worst, best = ranked.iloc[0], ranked.iloc[-1]
glue("shown", f"{shown:,}", display=False)
glue("first", f"{100 * uniform.loc[(1, shown), 'best_kept']:.0f}", display=False)
glue("depth", f"{depth}", display=False)
glue("among-depth", f"{100 * uniform.loc[(depth, shown), 'best_kept']:.0f}", display=False)
mbnb.say(
    f"With {shown:,} random items the best of {study.n_target} models comes out first in "
    f"{mbnb.percent(uniform.loc[(1, shown), 'best_kept'])} of the trials"
    + (
        f", and with {largest:,} in {mbnb.percent(uniform.loc[(1, largest), 'best_kept'])}."
        if largest > shown
        else "."
    ),
    f"By selector, at {shown:,} items, it ranges from {mbnb.percent(worst['best_kept'])} "
    f"({mbnb.label(worst['selector'])}) to {mbnb.percent(best['best_kept'])} "
    f"({mbnb.label(best['selector'])}).",
    "The first place is not safe at that size, with any selector."
    if best["best_kept"] < 0.8
    else "At that size the first place is safe with the best of them.",
)

# %% [markdown]
# The best model is seldom far away, though: among the {glue:text}`depth` models with the highest estimates it is found in {glue:text}`among-depth` % of the trials with {glue:text}`shown` random items.
# The table says where to look for it: in what share of the trials the best model is among the first $k$.

# %% tags=["hide-input"]
mbnb.top_table_shown(top, "best_kept")

# %% [markdown]
# ## What a wrong winner costs
#
# To miss the best model by a hair is no loss.
# What counts is the {term}`regret`: the best model's accuracy minus that of the model that you took.
# {numref}`fig-17-regret` shows it for two ways of choosing.
# You may *take the first*, the model with the highest estimate.
# Or you may use the micro-benchmark to draw up a shortlist, *measure the first $k$* on the whole benchmark, and take the best of these.

# %% mystnb={"figure": {"caption": "Regret: how many points the model you end up with lies below the best. Top left: you take the model with the highest estimate. Elsewhere: you measure the first few in full and take the best of them. Even up to 1 point and logarithmic above. Data: {glue:text}`data`.", "name": "fig-17-regret"}, "image": {"alt": "Small line charts: regret in points against size, a line for each of six selectors. It falls with the size, and for a shortlist of three or more it is near zero from small sizes on."}} tags=["hide-input"]
mbnb.draw_regret(top)

# %% tags=["hide-input"]
mdads = study.mdad(mbnb.agreement(trials))
of_uniform = mdads[mdads["selector"] == "uniform"].set_index("size")["mdad"]
some = sorted({k for k, _ in uniform.index})[:2]
mbnb.say(
    f"With {shown:,} random items you lose {uniform.loc[(1, shown), 'regret']:.1f} points on average "
    f"by taking the first (MDAD: {mbnb.in_points(of_uniform[shown])}). Where two models are too close "
    "to be told apart, it matters little which you take.",
    f"If you measure the first {some[-1]} in full, {uniform.loc[(some[-1], shown), 'regret']:.2f} "
    "points are lost"
    + (
        f", and with {largest:,} items {uniform.loc[(some[-1], largest), 'regret']:.2f}."
        if largest > shown
        else "."
    ),
)

# %% [markdown]
# A micro-benchmark is a good sieve and a poor judge.
#
# ## Why the top is stable
#
# {numref}`fig-17-ranks` follows the models of each true rank through all trials: the middle of the ranks they come out at, and a range that holds four out of five.
# Towards both ends the ranges grow shorter.

# %% mystnb={"figure": {"caption": "Where the model of each true rank comes out with uniform sampling: the median, and a range that holds four of five trials. A tied model stands anywhere in its tie. Data: {glue:text}`data`.", "name": "fig-17-ranks"}, "image": {"alt": "Small charts, one for each of up to three sizes: the rank by the estimates against the true rank, with vertical ranges around a diagonal. The ranges are long with few items and in the middle, short with many items and at the ends."}} tags=["hide-input"]
ranges = mbnb.rank_ranges(trials)
three = sorted({study.sizes[0], shown, min(study.sizes, key=lambda size: abs(size - 250))})
of_random = ranges[ranges["selector"] == "uniform"]
mbnb.draw_rank_ranges(of_random, three)

# %% [markdown]
# A model can only change places with models that are near.
# So look at how near they are ({numref}`fig-17-room`): how many points to the closest other target, and what share of the targets is at least an MDAD away.

# %% mystnb={"figure": {"caption": "Room, by true rank. Above: the distance to the closest other target, averaged over trials. Below: the share of the other targets that is at least the MDAD of uniform sampling away. Data: {glue:text}`data`.", "name": "fig-17-room"}, "image": {"alt": "Above, bars of the distance to the next model by true rank, highest at the first rank. Below, one line for each size: the per cent of the other models an MDAD away, higher at the two ends of the ranking than in the middle and higher for larger sizes."}} tags=["hide-input"]
apart = mbnb.told_apart(trials, mdads)
of_random_apart = apart[apart["selector"] == "uniform"]
mbnb.draw_room(of_random, of_random_apart[of_random_apart["size"].isin(three)])

# %% tags=["hide-input"]
rows = of_random[of_random["size"] == shown].merge(
    of_random_apart[["size", "rank", "apart"]], on=["size", "rank"]
)
middle = rows[rows["rank"].between(study.n_target / 3, 2 * study.n_target / 3)]
leader = rows[rows["rank"] == rows["rank"].min()].iloc[0]
glue("move-top", f"{leader['shift']:.1f}", display=False)
glue("move-middle", f"{middle['shift'].mean():.1f}", display=False)
mbnb.say(
    f"With {shown:,} random items {mbnb.percent(leader['apart'])} of the other models are an MDAD or "
    f"more away from the best one, and {mbnb.percent(middle['apart'].mean())} from a model in the "
    f"middle third. The best moves by {leader['shift']:.1f} ranks on average, the middle third by "
    f"{middle['shift'].mean():.1f}: the reported finding "
    f"{'holds here' if leader['shift'] < middle['shift'].mean() else 'does not hold here'}.",
    f"But the closest rival of the best model is {leader['near']:.1f} points away on average "
    f"(MDAD: {mbnb.in_points(of_uniform[shown])}).",
)

# %% [markdown]
# Both halves of this matter.
# Being an MDAD away from *most* others keeps a model's rank within a few places.
# To keep the *first* place, it would have to be an MDAD away from the *second*.
# A part of the stability is no merit at all: whoever is first can move in one direction only.
#
# {numref}`fig-17-explore` lets you choose a rank and a selector.
# It opens on the best model and uniform sampling; then step down to the middle, and see how slowly the band closes.

# %% mystnb={"figure": {"caption": "The rank by the estimates against size, for the model at the true rank that you choose (dashed). The line is the median, the band holds four of five trials; grey lines are the other ranks. Data: {glue:text}`data`.", "name": "fig-17-explore"}} tags=["hide-input"]
mbnb.explore_ranks(ranges)

# %% [markdown]
# ## A crowded top
#
# If stability comes from gaps and not from being on top, then a top without gaps must be unstable.
# Build one: take {glue:text}`n-crowd` neighbours of the ranking, those that span the fewest points; leave out all who are better; and spread the other targets evenly below them.
# Now the crowd is the top.

# %%
n_crowd = max(1, min(10, study.n_target // 3))
group = mbnb.crowded_top(study.matrix, study.n_target, n_crowd)
crowded = study.run("uniform", targets=group)

# %% mystnb={"figure": {"caption": "How far ranks move with uniform sampling at {glue:text}`shown` items, for targets drawn at random and for a group whose top is crowded. Left: by true rank. Right: by how many other targets are within an MDAD. Full marks: the five best of each. Data: {glue:text}`data`.", "name": "fig-17-crowded"}, "image": {"alt": "Two scatter charts of the mean move in ranks. On the left, against true rank: the top of the random targets moves least, the top of the crowded group moves much. On the right, against the number of others within an MDAD: both groups rise together."}} tags=["hide-input"]
at_shown = [
    of_random[of_random["size"] == shown],
    of_random_apart[of_random_apart["size"] == shown],
]
# Judged by one MDAD, so that the two groups are measured alike.
same_mdads = mdads[mdads["selector"] == "uniform"]
glue("n-crowd", str(n_crowd), display=False)
of_crowd = [mbnb.rank_ranges(crowded), mbnb.told_apart(crowded, same_mdads)]
of_crowd = [table[table["size"] == shown] for table in of_crowd]
mbnb.draw_crowding({"Targets at random": at_shown, "Crowded top": of_crowd}, 5)

# %% tags=["hide-input"]
joined = [ranks.merge(near[["rank", "apart"]], on="rank") for ranks, near in (at_shown, of_crowd)]
moves = [table[table["rank"] <= 5]["shift"].mean() for table in joined]
within = pd.concat([(1 - table["apart"]) * (study.n_target - 1) for table in joined])
shift = pd.concat([table["shift"] for table in joined])
varied = min(within.nunique(), shift.nunique()) > 1
crowd_top = mbnb.top_table(crowded, [1]).set_index("size").loc[shown]
mbnb.say(
    f"The five best of the crowded group move by {moves[1]:.1f} ranks on average, those of random "
    f"targets by {moves[0]:.1f}.",
    f"Over both groups, the rank correlation of a model's move with the number of others within an "
    f"MDAD is {mbnb.signed(spearmanr(within, shift).statistic)}."
    if varied
    else "",
    f"In the crowd the best model comes out first in {mbnb.percent(crowd_top['best_kept'])} of the "
    f"trials, against {mbnb.percent(uniform.loc[(1, shown), 'best_kept'])} with random targets; the "
    f"regret is {crowd_top['regret']:.1f} points against {uniform.loc[(1, shown), 'regret']:.1f}.",
)

# %% [markdown]
# The stability is about gaps.
# And it fails where it does the least harm: a crowd is hard to put in order because its members are alike, and so the wrong one costs little.
#
# Expect a crowd wherever the best of a field have the same base, the same recipe, or a benchmark that they have all but solved.
#
# ## The winner's curse
#
# The model with the highest estimate was chosen *because* its estimate is high.
# It owes that in part to ability and in part to luck, and luck does not repeat: its estimate is too high on average, although the estimate of every single model may be unbiased.
# This is the {term}`winner’s curse`.
#
# {numref}`fig-17-curse` measures it: the error of the estimate of the seeming winner, less the error of the estimate of the truly best model, so that a selector that rates all able models too high or too low is not blamed for it.

# %% mystnb={"figure": {"caption": "The winner's curse: estimate minus accuracy of the model with the highest estimate, less the same of the model that is truly best. Data: {glue:text}`data`.", "name": "fig-17-curse"}, "image": {"alt": "A line chart over size: points by which the winner is overrated, a line for each of six selectors, from many points at the smallest size falling towards zero."}} tags=["hide-input"]
mbnb.draw_curse(top)

# %% tags=["hide-input"]
small = uniform.loc[(1, study.sizes[0])]
at = uniform.loc[(1, shown)]
of_shown = top[(top["k"] == 1) & (top["size"] == shown)]
biased = of_shown.loc[of_shown["bias"].abs().idxmax()]
glue("curse", f"{at['curse']:.1f}", display=False)
last = uniform.loc[(1, largest), "curse"]
interval = f" ({at['curse_low']:.1f} to {at['curse_high']:.1f} at 95 %)" if p.n_trials > 1 else ""
mbnb.say(
    f"With {study.sizes[0]:,} random items the winner is overrated by {small['curse']:.1f} points, "
    f"with {shown:,} by {at['curse']:.1f}{interval}"
    + (f", and with {largest:,} by {last:.1f}." if largest > shown else "."),
    f"With {shown:,} items its estimate as it stands is off by {mbnb.signed(at['excess'], 1)} points, that of the "
    f"average target by {mbnb.signed(at['bias'], 1)}.",
    f"The selector that misjudges the average target the most is {mbnb.label(biased['selector'])}, "
    f"by {mbnb.signed(biased['bias'], 1)} points, and a ranking does not show that.",
)

# %% [markdown]
# So never announce the score on which you chose.
# Measure the chosen model on other items, or shrink the estimate towards the mean (exercise 5).
#
# ## On real leaderboards
#
# The same was measured on the real leaderboards of [](./16_real_leaderboards), and on the four simulated ones.
# {numref}`fig-17-real` puts them in the order of the lead: how many points the best target is ahead of the second, on average over trials.

# %% mystnb={"figure": {"caption": "How often the best model comes out first with uniform sampling, on each leaderboard, from the smallest lead of the best over the second (below) to the largest (above); leads in points behind the names. Data: the leaderboards named at the left, 50 trials each, measured once.", "name": "fig-17-real"}, "image": {"alt": "A row for each leaderboard with a mark for each of three sizes: the per cent of trials in which the best model comes out first. Marks move to the right with the size."}} tags=["hide-input"]
everywhere = mbnb.measured("top").query("half == 'train'")
elsewhere = everywhere[everywhere["k"] == 1]
mbnb.draw_best_kept(elsewhere, "uniform", [10, 50, 100])

# %% tags=["hide-input"]
real = elsewhere[mbnb.is_real(elsewhere)]
ten, hundred = (
    real[(real["size"] == size) & (real["selector"] == "uniform")] for size in (10, 100)
)
among_ten = everywhere[mbnb.is_real(everywhere)].query(
    "k == 10 and size == 100 and selector == 'uniform'"
)["best_kept"]
best_of = real[real["size"] == 100].sort_values("regret").drop_duplicates("dataset")
won = best_of["selector"].value_counts()
mbnb.say(
    f"On {len(ten)} real leaderboards, 10 random items put the best model first in "
    f"{mbnb.percent(ten['best_kept'].min())} to {mbnb.percent(ten['best_kept'].max())} of the "
    f"trials, and 100 items in {mbnb.percent(hundred['best_kept'].min())} to "
    f"{mbnb.percent(hundred['best_kept'].max())}; the regret falls from between "
    f"{ten['regret'].min():.1f} and {ten['regret'].max():.1f} points to between "
    f"{hundred['regret'].min():.1f} and {hundred['regret'].max():.1f}.",
    f"Among the first ten, 100 random items have the best model in "
    f"{mbnb.percent(among_ten.min())} of the trials or more, on every one of them.",
    f"The selector with the least regret at 100 items is "
    f"{mbnb.listed([f'{mbnb.label(name)} on {count}' for name, count in won.items()])} of them.",
)

# %% [markdown]
# The picture is the same: a good sieve and a poor judge, and the judge is the poorer the smaller the lead.
#
# ## What to do
#
# 1. Use the micro-benchmark as a sieve: keep as many models as {numref}`fig-17-regret` asks for the regret that you can bear.
# 2. Measure those on the whole benchmark, or on as many fresh items as you can pay for.
# 3. Report the second score, not the first.
# 4. If two are still within the MDAD, say that they share the place; take the cheaper one.
#
# ## Take-aways
#
# - With {glue:text}`shown` random items the best of the models comes out first in {glue:text}`first` % of the trials and is among the first {glue:text}`depth` in {glue:text}`among-depth` %.
# - Ranks are stable where gaps are wide; a crowded top is as restless as a crowded middle.
# - A wrong winner costs little, for the same reason for which it is wrong.
# - The score that made a model win is too high: by {glue:text}`curse` points at {glue:text}`shown` random items.
#
# ## Exercises
#
# ```{admonition} Exercise 1: stable, and yet not first
# :class: exercise
#
# The best model moves by little, and yet it often loses the first place.
# How can both be true?
# How far must a model move on average if it comes out first in a share $q$ of the trials and second in all others, and how far does it really move?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
q = uniform.loc[(1, shown), "best_kept"]
mbnb.say(
    f"A move of one place in the other trials makes {1 - q:.1f} ranks on average; measured are "
    f"{leader['shift']:.1f}. So where it loses the first place at {shown:,} items, it falls by "
    + (f"{leader['shift'] / (1 - q):.1f} places." if q < 1 else "none, since it never does."),
    "The loss of the first place is the smallest move there is. A mean move of two ranks among "
    f"{study.n_target} models sounds like a rock, and is compatible with never being first.",
)

# %% [markdown]
# ```{admonition} Exercise 2: two stages on a budget
# :class: exercise
#
# You have as many models as there are targets here, and want to lose at most a quarter of a point on average.
# All of them answer a random sample of one size; the first $k$ then answer the rest of the train half.
# Which size and which $k$ cost the fewest answers?
# Compare with asking every model everything.
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
stages = mbnb.top_table(trials, range(1, study.n_target + 1)).query("selector == 'uniform'")
stages = stages.assign(
    answers=study.n_target * stages["size"] + stages["k"] * (trials.n_train - stages["size"])
)
# With one model left there is nothing to measure.
stages.loc[stages["k"] == 1, "answers"] = study.n_target * stages["size"]
enough = stages[stages["regret"] <= 0.25].sort_values("answers")
everything = study.n_target * trials.n_train
mbnb.say(
    f"{int(enough['size'].iloc[0]):,} items for all and a shortlist of {int(enough['k'].iloc[0])}: "
    f"{int(enough['answers'].iloc[0]):,} answers, {mbnb.percent(enough['answers'].iloc[0] / everything)} "
    f"of the {everything:,} of a full measurement, with a regret of {enough['regret'].iloc[0]:.2f}.",
    "The search took the best of many estimates, so that this regret too is a winner's and a little "
    "too good; repeat it on other trials (another `seed`) before you rely on it.",
)

# %% [markdown]
# ```{admonition} Exercise 3: only the best
# :class: exercise
#
# Take as targets the best models of the whole leaderboard, as many as there are targets here.
# Is their top stable?
# What has changed: the gaps, the MDAD, or both?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
elite = list(mbnb.rank_models(study.matrix)["model"].iloc[: study.n_target])
among_best = study.run("uniform", targets=elite)
elite_moves = mbnb.rank_ranges(among_best).query("size == @shown").set_index("rank")
elite_mdad = study.mdad(mbnb.agreement(among_best)).set_index("size")["mdad"][shown]
all_moves = at_shown[0].set_index("rank")
mbnb.say(
    f"The best model moves by {elite_moves['shift'].iloc[0]:.1f} ranks at {shown:,} items, where "
    f"among random targets it moves by {all_moves['shift'].iloc[0]:.1f}; the middle one by "
    f"{elite_moves['shift'].iloc[len(elite_moves) // 2]:.1f} against "
    f"{all_moves['shift'].iloc[len(all_moves) // 2]:.1f}.",
    f"The mean distance to the next model went from {all_moves['near'].mean():.2f} to "
    f"{elite_moves['near'].mean():.2f} points, and the MDAD from {mbnb.format_mdad(of_uniform[shown])} "
    f"to {mbnb.in_points(elite_mdad)}: the gaps have changed, and an MDAD says how wide a gap must be "
    "and not how wide gaps are.",
    "Rank 1 of a better field is no safer for being better."
    if elite_moves["shift"].iloc[0] > all_moves["shift"].iloc[0]
    else f"The very best stands {elite_moves['near'].iloc[0]:.1f} points from the next even here, and "
    "so it stays.",
)

# %% [markdown]
# ```{admonition} Exercise 4: a perfect micro-benchmark
# :class: exercise
#
# Suppose the micro-benchmark were the whole train half.
# How often would the model that is best on the *held-out* half come out first?
# What does that say about the numbers of this chapter, and about leaderboards?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
table = trials.table.query("selector == 'uniform' and size == @largest")
perfect = replace(trials, table=table.assign(estimate=table["train_accuracy"]))
limit = mbnb.top_table(perfect, [1], half="heldout").iloc[0]
new_items = mbnb.top_table(replace(trials, table=table), [1], half="heldout").iloc[0]
mbnb.say(
    f"In {mbnb.percent(limit['best_kept'])} of the trials, with a regret of {limit['regret']:.2f} "
    f"points. {largest:,} random items reach {mbnb.percent(new_items['best_kept'])} and "
    f"{new_items['regret']:.2f} points on the held-out half.",
    f"No choice among the {trials.n_train:,} items can do better on new items than all of them but "
    "by luck. The whole benchmark is itself a sample: its first place, too, is an estimate, and its "
    "winner's score too high.",
)

# %% [markdown]
# ```{admonition} Exercise 5: lift the curse
# :class: exercise
#
# Shrink the estimates of each trial towards their mean, by a factor that you learn from the estimates alone.
# Take two halves of the evidence for it: the variance of the estimates, and the part of it that is noise.
# How much of the winner's curse is left?
# (Hint: models err alike on the same items, so the noise of a *difference* is smaller than that of a score.)
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
own = trials.table.query("selector == 'uniform' and size == @shown").groupby("trial")
naive, alike, measured = [], [], []
for _, rows in own:
    told, true = rows["estimate"].to_numpy(), rows["train_accuracy"].to_numpy()
    centre, spread = told.mean(), max(told.var(), 1e-12)
    full = np.mean(told * (1 - told)) / shown * (1 - shown / trials.n_train)
    # What the models share of their errors moves all of them and no difference between two.
    shared = full - (told - true).var()
    for kept, noise in ((naive, 0.0), (alike, full), (measured, full - shared)):
        factor = max(0.0, 1 - noise / spread)
        winner = told.argmax()
        kept.append(100 * (centre + factor * (told[winner] - centre) - true[winner]))
mbnb.say(
    f"The winner is overrated by {mbnb.signed(np.mean(naive), 1)} points as it stands, by "
    f"{mbnb.signed(np.mean(alike), 1)} after shrinking with the noise of single scores, and by "
    f"{mbnb.signed(np.mean(measured), 1)} with the smaller noise that differences have.",
    "The last was read off the true accuracies; from answers to single items you can estimate it by "
    "halving the sample. One factor for all models is a simplification either way: noise goes with "
    "p (1 − p), so it is largest near 50 points, and winners come from where the noise is large.",
    "The shrinkage is the same for every model of a trial, so it mends the score and not the choice.",
)

# %% [markdown]
# ## Re-run this chapter
#
# ```bash
# mbnb run 17 -p n_trials=10 -p 'sizes=[10,50]'
# MBNB_DATA=~/leaderboards mbnb run 17 -p dataset=swebench-verified
# ```
#
# The measured table of real leaderboards is made by this command.
#
# ```bash
# MBNB_DATA=~/leaderboards python benchmarks/leaderboards.py top --write
# ```

# %% tags=["hide-input"]
study.footer(trials)
