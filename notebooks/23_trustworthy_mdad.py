# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # An MDAD to trust
#
# {glue:text}`answer`
#
# **What you will learn**
#
# - why the paper's rule reads an {term}`MDAD` too low when bins are thin, and its opposite too high
# - how a curve that may only rise removes both faults, and half the settings with them
# - how many {term}`trials <trial>` an MDAD needs, and why more {term}`targets` do as well as more trials, though not more pairs
# - what an interval over trials leaves out, and whether it matters
# - how far each choice in the definition moves a published table
#
# **Reading time** 20 minutes.
# **Running time** under a minute where the trials are stored.

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
# ## One curve, three answers
#
# [](./09_agreement_mdad) defines the MDAD and shows that the definition has joints.
# Which way should each be set?
# Begin with a case in which it matters.
#
# {numref}`fig-23-thin` shows one cell of the main tables: real models that reason about MMLU-Pro, {glue:text}`thin-size` items drawn at random.
# Each trial has only {glue:text}`thin-targets` targets, since the leaderboard has {glue:text}`thin-models` models, so a {term}`bin` holds few pairs and the dots scatter.
# The {term}`first rule`, the paper's, takes the first dot above the {term}`threshold`: {glue:text}`thin-first` points.
# The {term}`sustained rule` waits until no later dot lies below it: {glue:text}`thin-sustained`.
# A thousand trials instead of {glue:text}`thin-trials` leave hardly any scatter, and give {glue:text}`thin-reference` points.

# %% tags=["remove-cell"]
thin = mbnb.kept_counts("mmlu-pro-47")
by_rule = mbnb.read_by_rules(thin)
one = by_rule[(by_rule["selector"] == "uniform") & (by_rule["size"] == 10)].iloc[0]
precision = mbnb.measured("definitions-precision")
many = precision[(precision["dataset"] == "mmlu-pro-47") & (precision["size"] == 10)]
truth = many[(many["rule"] == "interpolated") & (many["pairs_a_trial"] == 0)]["reference"].iloc[0]
shapes = mbnb.measured("leaderboards").groupby("dataset").first()
study.insert(
    thin_size=10,
    thin_targets=int(shapes.loc["mmlu-pro-47", "n_target"]),
    thin_models=int(shapes.loc["mmlu-pro-47", "n_models"]),
    thin_trials=int(shapes.loc["mmlu-pro-47", "n_trials"]),
    thin_first=f"{one['first']:g}",
    thin_sustained=f"{one['sustained']:g}",
    thin_isotonic=f"{one['isotonic']:g}",
    thin_interpolated=f"{one['interpolated']:g}",
    thin_reference=f"{truth:g}",
)

# %% mystnb={"figure": {"caption": "One cell, read three ways. Each dot is a bin of half a point, its area the number of pairs; the dark line is the rising curve nearest to them; the dotted line is the threshold of 0.8. Data: measured on mmlu-pro-47 (46 models × 9,811 items, 50 trials), uniform sampling of 10 items.", "name": "fig-23-thin"}, "image": {"alt": "Dots of agreement against gap that scatter widely about a rising step curve. Three vertical lines mark where the first rule reads the MDAD, at the left; where the rising curve meets the threshold, in the middle; and where the sustained rule does, at the right."}} tags=["hide-input"]
mbnb.draw_rules(thin, "uniform", 10)

# %% [markdown]
# Both rules look at the extremes of the scatter.
# Of several dots near the threshold the first rule takes the luckiest and the sustained rule the unluckiest, so one reads low, the other high, and the thinner the bins the more.
# A minimum of pairs (`min_pairs`) throws the thinnest bins away; the bins here hold enough pairs to pass it, and scatter all the same, because pairs of one trial share their items.
#
# ## A curve that may only rise
#
# Wider gaps are easier to see, so agreement should not fall as the gap grows.
# Take that as known, and look for the rising curve that lies nearest to the dots, each weighted by its pairs.
# This is {term}`isotonic regression <isotonic>` {cite:p}`barlow1972statistical`, and pooling neighbours that fall until none does finds it {cite:p}`ayer1955empirical`.
# A thin bin has little weight, so nothing need be thrown away, and a lucky bin is pooled with its unlucky neighbours.
# The dark line in {numref}`fig-23-thin` is that curve.
#
# Where does it reach the threshold $t$?
# No curve need be fitted to know.
# Go up the gaps and keep a balance: for each bin add its agreeing pairs and take off $t$ times all its pairs.
# The balance falls as long as agreement is below the threshold and rises where it is above.
# *The isotonic MDAD lies just beyond the place where the balance is lowest* (the switch relation of {cite:t}`groeneboom2014nonparametric`).
# Said otherwise, it is the cut between “not yet” and “reliable” that speaks against the fewest pairs, if a wrong order above it weighs $t$ and a right order below it $1 - t$.
#
# The curve has steps, and a bin has a width, so that this `isotonic` rule still answers in half points: {glue:text}`thin-isotonic` here.
# Join the steps by straight lines and read where the line meets the threshold, and you get {glue:text}`thin-interpolated`.
# This is the `interpolated` rule.
# It answers in tenths of a point and, as you see below, no longer cares how wide the bins are.

# %%
uniform = study.run("uniform")
counts = mbnb.agreement(uniform)
few = max(1, p.n_trials // 10)
recommended = mbnb.mdad(counts, threshold=p.threshold, **mbnb.RECOMMENDED_RULE)

# %% [markdown]
# Try it in {numref}`fig-23-explore`.
# With the few first trials, move the threshold slowly: which of the four marks jump, and which glide?
# Then choose all trials, and larger sizes: the four come together.

# %% mystnb={"figure": {"caption": "Four rules on one curve. Dots are bins, areas their pairs; the dark line is the rising curve. Choose how many trials stand behind it, the size and the threshold; each vertical line is where one rule reads the MDAD. Gaps up to 30 points. Data: {glue:text}`data`, uniform sampling.", "name": "fig-23-explore"}} tags=["hide-input"]
mbnb.explore_rules(counts, few, threshold=p.threshold, size=study.sizes[0])

# %% [markdown]
# ## Which rule is right more often
#
# A rule is good if a few trials tell what very many would.
# So uniform sampling ran a thousand times on each of {glue:text}`n-boards` leaderboards, {glue:text}`n-real` of them real, and the thousand trials were cut into sets of 5, 10, 20, 50 and 100.
# {numref}`fig-23-rules` compares the MDAD of a set with that of all thousand.
# (With all of them the three rules that answer in bins differ by {glue:text}`apart` at most.)

# %% tags=["remove-cell"]
errors = mbnb.rule_errors(precision)
boards = precision["dataset"].unique()
real = [name for name in boards if not name.startswith("simulated:")]
at = errors.set_index(["rule", "n_trials"])
held = precision.dropna(subset="covered")
held = held[(held["reference"] >= 2) & (held["n_trials"] == 50)]
held_few = held[held["size"] == held["size"].min()].groupby("rule")["covered"].mean()
paper_like = precision[(precision["rule"] == "first") & (precision["pairs_a_trial"] == 1)]
low = paper_like.loc[paper_like[paper_like["n_trials"] == 50]["bias"].idxmin()]
by_bins = precision[(precision["rule"] != "interpolated") & (precision["n_trials"] == 50)]
apart = by_bins.groupby(["dataset", "size"])["reference"].agg(np.ptp).max()
cover = held.groupby("rule")["covered"].mean()
study.insert(
    n_boards=len(boards),
    n_real=len(real),
    apart=mbnb.in_points(apart),
    first_bias=f"{abs(at.loc[('first', 50), 'bias']):.0f}",
    sustained_bias=f"{at.loc[('sustained', 50), 'bias']:.0f}",
    interpolated_bias=f"{abs(at.loc[('interpolated', 50), 'bias']):.1f}",
    first_few=f"{abs(at.loc[('first', 5), 'bias']):.0f}",
    sustained_few=f"{at.loc[('sustained', 5), 'bias']:.0f}",
    interpolated_few=f"{abs(at.loc[('interpolated', 5), 'bias']):.1f}",
    first_error=f"{at.loc[('first', 50), 'error']:.0f}",
    interpolated_error=f"{at.loc[('interpolated', 50), 'error']:.0f}",
    first_worst=f"{abs(low['bias']):.1f}",
    worst_cell=f"{low['dataset']} at {low['size']:,} items",
    cover_first_few=mbnb.percent(held_few["first"]),
    cover_interpolated_few=mbnb.percent(held_few["interpolated"]),
    cover_first=mbnb.percent(cover["first"]),
    cover_interpolated=mbnb.percent(cover["interpolated"]),
)

# %% mystnb={"figure": {"caption": "What a set of trials gets wrong, by rule. Left: mean deviation from the MDAD of a thousand trials; right: root mean square deviation; both in per cent of that MDAD, averaged over leaderboards and sizes with an MDAD of at least two points. First and sustained rule with at least one pair a trial in a bin. Data: measured on {glue:text}`n-boards` leaderboards, {glue:text}`n-real` of them real; uniform sampling.", "name": "fig-23-rules"}, "image": {"alt": "Two panels against the number of trials. Left: the bias of the first rule lies below zero and that of the sustained rule above it, both shrinking towards zero with more trials; isotonic and interpolated stay near zero. Right: the error of all falls with trials; that of the sustained rule is largest, of the interpolated rule smallest."}} tags=["hide-input"]
mbnb.draw_rule_errors(errors)

# %% [markdown]
# With 50 trials the first rule is on average {glue:text}`first-bias` % too low, the sustained rule {glue:text}`sustained-bias` % too high, and the interpolated rule off by {glue:text}`interpolated-bias` %; with five trials it is {glue:text}`first-few`, {glue:text}`sustained-few` and {glue:text}`interpolated-few` %.
# In the worst cell, {glue:text}`worst-cell`, the first rule reads {glue:text}`first-worst` points too low on average even with 50 trials.
# The error falls too, from {glue:text}`first-error` to {glue:text}`interpolated-error` % of the MDAD, because a whole bin of rounding is gone.
#
# A bias also spoils intervals.
# Of the 95 % {term}`bootstrap intervals <bootstrap interval>` over 50 trials, those of the first rule hold the MDAD of a thousand trials in {glue:text}`cover-first` of cases, those of the interpolated rule in {glue:text}`cover-interpolated`; at ten items, where bins are thinnest, in {glue:text}`cover-first-few` and {glue:text}`cover-interpolated-few`.
#
# ## How many trials are enough
#
# {numref}`fig-23-trials` answers in standard deviations: how far does the MDAD of one set of trials lie from that of another?

# %% tags=["remove-cell"]
targets = mbnb.measured("definitions-targets")
more_trials, more_targets = mbnb.doubling(targets)
alone = [mbnb.doubling(own)[1] for _, own in targets.groupby("dataset")]
study.insert(
    spread_5=f"{mbnb.spread_of(targets, 50, 5):.0f}",
    spread_50=f"{mbnb.spread_of(targets, 50, 50):.0f}",
    with_targets=mbnb.listed(list(targets["dataset"].unique())),
    twice_trials=f"{more_trials:.2f}",
    twice_targets=f"{more_targets:.2f}",
    least_targets=f"{min(alone):.2f}",
    most_targets=f"{max(alone):.2f}",
    few_targets=f"{mbnb.spread_of(targets, 10, 100):.0f}",
    many_targets=f"{mbnb.spread_of(targets, 100, 10):.0f}",
)

# %% mystnb={"figure": {"caption": "How far an MDAD scatters from one set of trials to the next, by the number of trials in a set and of targets in a trial; standard deviation in per cent of the MDAD, interpolated rule, averaged over sizes with an MDAD of at least two points. Data: measured on {glue:text}`with-targets`; uniform sampling.", "name": "fig-23-trials"}, "image": {"alt": "Four falling lines on two logarithmic axes, standard deviation against trials, one for each of 10, 25, 50 and 100 targets. They fall alike, and the more targets, the lower the line."}} tags=["hide-input"]
mbnb.draw_trials_needed(targets)

# %% [markdown]
# With 50 targets, five trials leave a standard deviation of {glue:text}`spread-5` % of the MDAD and fifty leave {glue:text}`spread-50` %.
# Twice the trials multiply it by {glue:text}`twice-trials`, near the $1/\sqrt{2}$, or 0.71, of independent draws.
# Twice the targets, which make *four* times the pairs, multiply it by {glue:text}`twice-targets`, and no more than that; on single leaderboards by {glue:text}`least-targets` to {glue:text}`most-targets`.
# So it is not the pairs that count.
# The pairs of one model share its luck with the items, and the pairs of one trial share the items.
# Ten targets in each of a hundred trials leave {glue:text}`few-targets` %, a hundred targets in each of ten trials {glue:text}`many-targets` %: both are a thousand targets in all, but the latter are eleven times as many pairs, and no better for it.
# Count targets times trials, and if one of the two is free, take more of it.
#
# What do your own trials say?
# Cut those of this page into sets and compare.

# %%
numbers = [k for k in (5, 10, 25) if 4 * k <= p.n_trials]
own = mbnb.spread_over_trials(counts, numbers, threshold=p.threshold) if numbers else None

# %% tags=["hide-input"]
interval = recommended.set_index("size").apply(mbnb.format_interval, axis=1)
per_set = interval.to_frame("all trials, interval").T
if own is not None:
    own["text"] = [
        "–" if np.isnan(row["spread"]) else f"{row['spread']:.1f}" for _, row in own.iterrows()
    ]
    spreads = own.pivot(index="n_trials", columns="size", values="text")
    per_set = pd.concat([spreads.rename(index=lambda k: f"{k} trials, spread"), per_set])
per_set.columns = pd.Index([f"{size:,}" for size in per_set.columns], name="Size")
per_set.index.name = None
mbnb.show(per_set)

# %% [markdown]
# *Standard deviation in points of the MDAD over sets of this page's trials that share none, and MDAD with its interval from all of them; uniform sampling.*
#
# ## Whose interval?
#
# Draw the trials anew and you learn how the MDAD of *this leaderboard* might have come out.
# With ever more trials that interval shrinks to nothing.
# But the models are a sample too, and you will use the micro-benchmark on models that are not on the leaderboard yet.
# What is uncertain then does not shrink with more trials: it is set by how many models you had.
#
# To see it, draw the *models* anew, with replacement.
# A pair counts as often as the product of its two models' counts, in every trial in which it met, and if trials are drawn too, times the trial's.
# This is the {term}`pigeonhole bootstrap` {cite:p}`owen2007pigeonhole`; products of weights for units that cross are treated by {cite:t}`owen2012bootstrapping`, who show that they err, mildly, on the wide side.

# %%
intervals = {
    by: mbnb.resampled_mdad(uniform, by, threshold=p.threshold)
    for by in ("trials", "models", "both")
}

# %% tags=["hide-input"]
named = {"trials": "trials anew", "models": "models anew", "both": "both anew"}
beside = pd.DataFrame(
    {
        named[by]: table.set_index("size").apply(mbnb.format_interval, axis=1)
        for by, table in intervals.items()
    }
)
beside.index = pd.Index([f"{size:,}" for size in beside.index], name="Size")
mbnb.show(beside.T)

# %% tags=["hide-input"]
lengths = pd.DataFrame(
    {by: table["high"].to_numpy() - table["low"].to_numpy() for by, table in intervals.items()}
)
factor = (lengths["both"] / lengths["trials"].where(lengths["trials"] > 0)).median()
widths = mbnb.interval_widths(mbnb.measured("definitions-intervals"))
widths = widths[~widths["dataset"].str.startswith("simulated:")]
n_pool = uniform.table["model"].nunique()
mbnb.say(
    f"*MDAD of uniform sampling with 95 % intervals in points.* The targets of all trials are "
    f"{n_pool:,} different models.",
    "" if np.isnan(factor) else f"Here the interval over both is {factor:.1f} times as wide.",
    f"On the {len(widths)} real leaderboards, all selectors and sizes, it is "
    f"{widths['both'].min():.1f} to {widths['both'].max():.1f} times as wide as over trials alone, "
    f"and over models alone {widths['models'].min():.1f} to {widths['models'].max():.1f} times.",
)

# %% [markdown]
# Do these intervals keep their word?
# To test that takes a population of models whose MDAD is known: {glue:text}`n-population` simulated models, and {glue:text}`n-leaderboards` leaderboards of each of two sizes that are random shares of them.
# On each, fifty trials; and then the question how often the interval holds the MDAD of the *population*.

# %%
coverage = mbnb.measured("definitions-coverage")
mbnb.coverage_table(coverage)

# %% tags=["hide-input"]
total = coverage.groupby(["share", "by"])["covered"].mean()
large, small = coverage["share"].max(), coverage["share"].min()
population = round(coverage[coverage["share"] == large]["n_models"].mean() / large, -2)
study.insert(
    n_population=f"{population:,.0f}", n_leaderboards=int(coverage["leaderboards"].iloc[0])
)
mbnb.say(
    "*Share of 95 % intervals that hold the MDAD of the population, and their median width in "
    "points; simulated models, uniform sampling.*",
    f"Averaged over sizes, intervals over trials hold it in {mbnb.percent(total[large, 'trials'])} "
    f"of the larger leaderboards and {mbnb.percent(total[small, 'trials'])} of the smaller, "
    f"intervals over models in {mbnb.percent(total[large, 'models'])} and "
    f"{mbnb.percent(total[small, 'models'])}, over both in {mbnb.percent(total[large, 'both'])} and "
    f"{mbnb.percent(total[small, 'both'])}.",
)

# %% [markdown]
# The answer is reassuring.
# With fifty trials the interval over trials keeps its word for the population as well: a trial draws its targets anew, so that it holds much of the chance of models already.
# The interval over both is too careful, since it counts the same chance twice, as its authors warn.
# The interval over models is about as good as that over trials; it is the one that stays when trials become many.
#
# So report the interval over trials, and beside it the one over models where models are few or trials very many; the wider of the two is safe.
# For “selector A sees smaller gaps than B” take the interval of the *difference* over trials (`mbnb.mdad_difference`).
# No bootstrap reaches further than its sample: a leaderboard of old families says nothing of new ones that err in other ways.
#
# ## What each choice moves
#
# Now the published tables.
# Every cell of the grids of [](./16_real_leaderboards) was read again with one choice changed at a time, by the paper's rule (with the minimum of pairs that this book uses) and by the recommended one.

# %%
definitions = mbnb.measured("definitions")
real_ones = definitions[~definitions["dataset"].str.startswith("simulated:")]
mbnb.choices_table(real_ones, ["first", "interpolated"])

# %% tags=["hide-input"]
wide_first, wide_read = (
    mbnb.moved_by(real_ones, rule, width=2.0) for rule in ("first", "interpolated")
)
shift_first, shift_read = (
    (t["after"] - t["before"]).abs().median() for t in (wide_first, wide_read)
)
half_ties = mbnb.moved_by(real_ones, "interpolated", ties="half")
tied = half_ties.assign(size=half_ties["cell"].str.rpartition("-")[2].astype(int))
tied = (tied["after"] - tied["before"]).groupby(tied["size"]).median()
mbnb.say(
    f"*Points by which the MDADs of {real_ones['dataset'].nunique()} real leaderboards move, six "
    "selectors at all sizes: median, and least and largest move.*",
    f"Bins four times as wide move the first rule's MDAD by {mbnb.in_points(shift_first)} in the "
    f"median and the interpolated one by {shift_read:g}; floor bins, labelled by their left edge, "
    "move the latter by what the label moves.",
    f"Counting ties a half moves the median MDAD at {tied.index[0]:,} items by "
    f"{mbnb.points(round(tied.iloc[0], 1))} points and at {tied.index[-1]:,} by "
    f"{mbnb.points(round(tied.iloc[-1], 1))}.",
)

# %% [markdown]
# Two kinds of choices stand in this table.
# The width of bins, where they begin and how many pairs they need are *technical*: nobody wants to know about them, and a rule under which they matter little is a better rule.
# Ties and the threshold are *meaning*: they say what you count as a success and how often you want it.
# No statistics decides those, so state them.
#
# ## The recommended reading
#
# `mbnb.RECOMMENDED_RULE` holds it, and `mbnb.mdad(counts, **mbnb.RECOMMENDED_RULE)` reads by it:
#
# - *interpolated rule, no minimum of pairs*: least bias, least error, and nothing technical to choose;
# - *ties count as wrong*, as in the paper: a sample on which two models tie has not told you which is better;
# - *threshold 0.8*, a convention that lets your number stand beside others;
# - *interval over trials*, or over models if that is wider;
# - *fifty trials*, more where an interval is too wide for what you want to say.
#
# The other chapters keep the paper's rule, with one pair a trial, since they are compared with the paper.
# Where trials and targets are many, the difference is rounding: the paper's rule gives the first half point at which the curve has crossed, so it reads about a quarter of a point above the crossing itself.

# %%
usual = study.mdad(counts).set_index("size")["mdad"]
read = recommended.set_index("size")["mdad"]
in_all = pd.DataFrame(
    {
        "paper’s rule": usual.map(mbnb.format_mdad),
        "recommended": read.map(mbnb.format_mdad),
    }
).T
in_all.columns = pd.Index([f"{size:,}" for size in usual.index], name="Size")
mbnb.show(in_all)

# %% tags=["remove-cell"]
smallest, largest = study.sizes[0], study.sizes[-1]
beside_first = precision[(precision["n_trials"] == 50) & (precision["reference"] >= 2)]
study.insert(
    answer="The paper's rule takes the first lucky bin and so reads low when bins are thin, by "
    f"{abs(at.loc[('first', 5), 'bias']):.0f} % on average with five trials; a curve that may only "
    "rise, read between its steps, is right on average, does not depend on how you cut the bins, "
    "and needs no minimum of pairs.",
)

# %% [markdown]
# ## Take-aways
#
# - The first rule takes the luckiest bin, the sustained rule the unluckiest; with thin bins they miss by points, in opposite directions.
# - A rising curve weighs bins by their pairs; where it meets the threshold is an MDAD without that bias.
# - Read between the steps, the answer does not depend on how wide the bins are.
# - Precision comes from targets times trials, not from pairs: pairs share their models and their items.
# - An interval over fifty trials holds for models of the same kind too; one over both trials and models is about twice as wide, and wider than need be.
#
# ## What to do on Monday
#
# *What is new*: reading the MDAD off a rising curve, with the balance that finds the crossing in one pass; an interval over models; measured bias and coverage of the paper's rule.
# *What it rests on*: isotonic regression {cite:p}`ayer1955empirical,barlow1972statistical,groeneboom2014nonparametric` and the bootstrap for crossed units {cite:p}`efron1993bootstrap,owen2007pigeonhole,owen2012bootstrapping`.
# *What was measured*: a thousand trials on each of {glue:text}`n-boards` leaderboards, and every cell of the main tables under every choice.
#
# 1. Read your MDADs with `mbnb.RECOMMENDED_RULE`, or `mbnb study DATASET --rule interpolated`; keep the paper's rule for a comparison with the paper.
# 2. Run fifty trials before you quote an MDAD, and quote it with its interval.
# 3. With few models or very many trials look at `mbnb.resampled_mdad(trials, "models")` too, and quote the wider interval.
# 4. State threshold and ties; you need not state the bins.
#
# ## Exercises
#
# ```{admonition} Exercise 1: the balance by hand
# :class: exercise
#
# Five bins of ten pairs each have 4, 9, 6, 8 and 10 agreeing pairs.
# Keep the balance for a {term}`threshold` of 0.8.
# Where is it lowest?
# Where do the first, the isotonic and the sustained rule put the MDAD?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
balance = np.cumsum(np.array([4, 9, 6, 8, 10]) - 0.8 * 10)
mbnb.say(
    f"The balance runs {', '.join(mbnb.points(value) for value in balance.round())}. "
    f"It is lowest after bin {balance.argmin() + 1}, so the isotonic MDAD is bin "
    f"{balance.argmin() + 2}.",
    "The first rule takes bin 2, whose 9 of 10 lie among bins of 4 and 6. The sustained rule takes "
    "bin 4 as well: from there on no bin is below 0.8.",
)

# %% [markdown]
# ```{admonition} Exercise 2: who is hurt most?
# :class: exercise
#
# Of all cells of the eight real leaderboards, in which does the {term}`first rule` read lowest against the interpolated rule?
# What do the leaderboards with the largest differences have in common?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
parts = [mbnb.read_by_rules(mbnb.kept_counts(name)).assign(dataset=name) for name in real]
cells = pd.concat(parts, ignore_index=True)
cells["too_low"] = cells["interpolated"] - cells["first"]
worst = cells.sort_values("too_low", kind="stable").iloc[-1]
far = cells[cells["too_low"] >= 1.5].groupby("dataset")["size"].size()
n_targets = shapes.loc[far.index, "n_target"].astype(int)
mbnb.say(
    f"In {worst['dataset']}, {mbnb.label(worst['selector'])} at {worst['size']} items: "
    f"{worst['first']:g} points by the first rule, {worst['interpolated']:g} by the interpolated.",
    f"Cells that differ by 1.5 points or more lie in {mbnb.listed(list(far.index))}, with "
    f"{mbnb.listed([str(k) for k in n_targets])} targets a trial.",
    "Few targets make few pairs, and with few items the curve crosses the threshold slowly, so that "
    "many bins have a chance to be the first.",
)

# %% [markdown]
# ```{admonition} Exercise 3: a million pairs
# :class: exercise
#
# A colleague has 1,000 target models and one trial: half a million pairs, thousands in every bin.
# He draws *pairs* with replacement and reports an interval of a tenth of a point.
# What has he overlooked?
# What does the interval become when he draws models, and what when he draws trials?
# ```

# %% mystnb={"code_prompt_show": "Show the solution in words", "code_prompt_hide": "Hide the solution in words"} tags=["hide-cell", "solution"]
mbnb.say(
    "All pairs share one sample of items. If that sample happens to favour some models, it does so "
    "in thousands of pairs at once.",
    "Drawing models shows how a thousand models vary, but not how samples of items do; with one "
    "trial nothing can, and the interval over trials does not exist.",
    "Twenty trials with fifty targets each cost as many answers and would have told him.",
)

# %% [markdown]
# ```{admonition} Exercise 4: does the winner change?
# :class: exercise
#
# Compare the selectors of the kept leaderboards by the first and by the interpolated rule.
# In how many of their columns (one size on one leaderboard) does another selector have the lowest MDAD?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
groups = cells.groupby(["dataset", "size"])
kept = sum(
    group.loc[group["interpolated"].idxmin(), "first"] <= group["first"].min()
    for _, group in groups
)
mbnb.say(
    f"In {kept} of {len(groups)} the selector with the lowest interpolated MDAD is lowest, or level "
    f"with the lowest, by the first rule too; in {len(groups) - kept} another one is.",
    "A winner that changes with the rule was no clear winner: look at the interval of the "
    "difference.",
)

# %% [markdown]
# ## Re-run this chapter
#
# ```bash
# mbnb run 23 -p n_trials=10
# MBNB_DATA=~/leaderboards mbnb run 23 -p dataset=bigcodebench
# ```
#
# The kept figures, anew, from a checkout of the repository:
#
# ```bash
# MBNB_DATA=~/leaderboards .venv/bin/python benchmarks/definitions.py --write
# ```

# %% tags=["hide-input"]
study.footer(uniform)
