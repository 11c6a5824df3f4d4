# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Choosing items for close pairs
#
# {glue:text}`answer`
#
# **What you will learn**
#
# - what the items must tell if close pairs are to be ordered right, as one formula, and how to choose them by it
# - what that costs beside {term}`Anchor Points`
# - why a free choice learns its {term}`source models` by heart, and how sources that are left out say how far to trust it
# - how near one {term}`selector` with one {term}`estimator` comes to the best of all, on real leaderboards, new items and other families
# - what you publish together with such items, and what you must not do with them
#
# **Reading time** 20 minutes.
# **Running time** one to two minutes; seconds once the trials are stored.

# %% tags=["parameters"]
dataset: str = "simulated:mmlu-pro"
missing: str = "drop-items"
n_trials: int = 15
sizes: list = [10, 25, 50, 100, 250]
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
# ## What a close pair hangs on
#
# Every selector of Part II chooses items that *represent* the benchmark: its subtasks, its difficulties, its clusters.
# None of them knows what the items are for.
# You want two models whose accuracies lie close together to come out in the right order, and that is a narrower wish.
#
# Let $x_i$ be the answers of model $i$ to the $N$ items, 1 for right and 0 for wrong.
# Two models are told apart by the *difference* of their answers, $x_i-x_j$, and by nothing else: what both know and what neither knows cancels.
# The {term}`gap` is the mean of that difference over all $N$ items.
# So ask: if you see the difference on a few items $S$, how uncertain are you about its mean over all of them?
#
# The sources say what such differences look like.
# Take all pairs of sources and weigh each by how close it is, $w_{ij}\propto\exp\bigl(-\tfrac12(\text{gap}_{ij}/h)^2\bigr)$ with a bandwidth $h$ of {glue:text}`bandwidth` points.
# The mean product of differences on two items, over these pairs, fills a matrix
#
# $$\Sigma=\sum_{i<j}w_{ij}\,(x_i-x_j)(x_i-x_j)^{\mathsf T}=X^{\mathsf T}LX .$$
#
# $X$ holds the sources' answers, and $L$ is the Laplacian of the graph that joins close pairs.
# If all pairs weighed alike, $\Sigma$ would be the ordinary covariance of the items, times two.
# The weights change it: a pair of models thirty points apart differs on every item that measures ability at all, and an ordinary covariance is full of such pairs.
#
# Now treat differences as Gaussian with covariance $\Sigma+\sigma^2I$, where $\sigma^2$ stands for what each item has of its own.
# Then the variance of the mean difference $m$ that is left, once you know the differences on $S$, is
#
# $$\operatorname{Var}(m)-c_S^{\mathsf T}\,(\Sigma_{SS}+\sigma^2I)^{-1}c_S$$
#
# with $c_j=\operatorname{Cov}(m,x_j)$.
# **Choose $S$ so that this is smallest.**
# This is the objective, and it is an old friend in new clothes: predicting a mean from a few observations is kriging, and choosing the observations so that one linear function is known best is a design problem of 1952 {cite:p}`elfving1952optimum`, in its Bayesian form {cite:p}`chaloner1995bayesian`.
# $\sigma^2$ is set to the mean of $\Sigma$'s diagonal.
# That is large on purpose: with few sources, most of $\Sigma$ is luck.
#
# ## One item after another
#
# The best $S$ cannot be found among so many, but a good one can: take the item that lowers the variance most, then the one that lowers most what is then left, and so on.
# This is forward selection.
# An item's gain is
#
# $$\frac{\operatorname{Cov}(m,x_j\mid S)^2}{\operatorname{Var}(x_j\mid S)} ,$$
#
# and after each choice, covariances and variances of all the others are brought up to date by one product of the items with one vector, as in a pivoted Cholesky factorisation.
# $\Sigma$ itself, which has $N^2$ entries, is never written down; its root has a row for each source.
# So a step costs (sources × items) multiplications, and a larger choice goes on from a smaller one.
# How good is greed?
# For choosing variables that predict another one, forward selection comes within a constant factor of the best, as long as the variables are not too nearly collinear {cite:p}`das2018approximate`; for the information of sensors the like is known {cite:p}`krause2008near`.
#
# Watch it work.
# `free` below chooses among all items by what the sources say, once by close pairs and once with all pairs alike ($h=\infty$).
# The estimator is `corrected-mean` of [](./24_better_estimators): the mean of the answers, and a ridge regression, learnt on the sources, of what it misses.

# %%
corrected = study.run("uniform", estimators=["corrected-mean"])
plain = study.run("uniform", estimators=["weighted-mean"])
pools = (1, 2, 4, 16, None)
fixed = {c: study.run([mbnb.ClosePairsSelector(pools=(c,))]) for c in pools}
alike = study.run([mbnb.ClosePairsSelector(bandwidth=np.inf, pools=(None,))])
guarded = study.run("close-pairs")

# %% tags=["remove-cell"]
compared = {
    "Uniform, plain mean": plain,
    "Uniform, corrected mean": corrected,
    "All pairs alike, free": alike,
    "Close pairs, free": fixed[None],
    "Close pairs": guarded,
}
rows, close_rows = [], {}
for name, run in compared.items():
    on_half = mbnb.agreement(run)
    own = mbnb.mdad(on_half, threshold=p.threshold, **mbnb.RECOMMENDED_RULE)
    rows.append(own.assign(way=name))
    narrow = on_half.gaps <= 5
    right, pairs = (v[:, :, narrow].sum(axis=(1, 2)) for v in (on_half.agreeing, on_half.pairs))
    close_rows[name] = dict(zip(on_half.cells["size"], right / pairs, strict=True))
live = pd.concat(rows, ignore_index=True)
by_name = live.pivot(index="way", columns="size", values="mdad")
close_share = pd.DataFrame(close_rows).T

# %% mystnb={"figure": {"caption": "MDAD of the choice for close pairs, with and without its safeguard, of the same with all pairs alike, and of items drawn at random; interpolated rule, intervals over trials. Data: {glue:text}`data`.", "name": "fig-25-live"}, "image": {"alt": "MDAD against size on a logarithmic axis, five lines that fall. Uniform sampling with the plain mean lies highest, with the corrected mean lower; the three lines of chosen items lie lowest and close together."}} tags=["hide-input"]
mbnb.draw_variants(live)

# %% tags=["hide-input"]
shown = close_share.map(mbnb.percent)
shown.columns = pd.Index([f"{size:,}" for size in shown.columns], name="Size")
mbnb.show(shown)

# %% tags=["hide-input"]
small = study.smallest
mbnb.say(
    "*Share of the pairs of targets up to five points apart that are ordered right, on the train "
    f"half; {study.matrix.name}.*",
    f"With {small:,} items close pairs see gaps of {mbnb.one_decimal(by_name.loc['Close pairs', small])} "
    f"points, and random items with the plain mean see "
    f"{mbnb.one_decimal(by_name.loc['Uniform, plain mean', small])}.",
    f"With the corrected mean, random items see "
    f"{mbnb.one_decimal(by_name.loc['Uniform, corrected mean', small])}: so much is the "
    "estimator's doing, and the rest is the choice's.",
)

# %% [markdown]
# ### How close is close?
#
# A narrow bandwidth asks about the right pairs, a wide one has more of them to learn from.
# The table leaves the choice free, without the safeguard that comes next, so that nothing but the bandwidth differs.

# %% tags=["hide-input"]
bandwidth = f"{mbnb.ClosePairsSelector().bandwidth:g} points"
learnt = mbnb.measured("better-estimators")
proposed = learnt[learnt["selector"].eq("close-pairs") & learnt["estimator"].eq("corrected-mean")]
ablated = pd.concat([proposed, mbnb.measured("better-ablation")], ignore_index=True)
ablated = ablated.groupby(["dataset", "half", "selector"], sort=False)["mdad"].mean()
ablated = ablated.unstack("selector").dropna()
free = {
    "close-pairs, free, 3 points": "3 points",
    "close-pairs, free, 6 points": "6 points",
    "close-pairs, free": bandwidth,
    "close-pairs, free, all pairs alike": "all pairs alike",
}
by_width = ablated[list(free)].rename(columns=free).groupby("dataset", sort=False).mean()
mbnb.show(by_width.map("{:.2f}".format).rename_axis(index=None, columns=None))

# %% tags=["hide-input"]
means = by_width.mean()
elsewhere = pd.Series(
    {board: by_width.drop(index=board).mean().idxmin() for board in by_width.index}
)
told_by_others = np.mean([by_width.loc[board, width] for board, width in elsewhere.items()])
gain = means["all pairs alike"] - means[bandwidth]
mbnb.say(
    "*MDAD of a free choice in points, mean over sizes and both halves, by bandwidth.*",
    "On average over leaderboards it is "
    + mbnb.listed([f"{value:.2f} with {width}" for width, value in means.items()])
    + ".",
    "Lest that be hindsight, let the other leaderboards choose the bandwidth for each one: they choose "
    + mbnb.listed([f"{width} in {n} cases" for width, n in elsewhere.value_counts().items()])
    + f", and the mean is {told_by_others:.2f}.",
    f"So {bandwidth} are the default. The weights matter, but less than the idea would let one hope: "
    "what tells close models apart is, by and large, what tells all models apart."
    if means.idxmin() == bandwidth and gain < 1
    else "",
)

# %% [markdown]
# There is a reason why narrower is not simply better.
# Weights that close in on equal pairs ask about the right pairs, but they take the signal away with the noise: models that are equally good differ on single items as much as any, and in the mean by nothing, so that there is nothing left to predict.
# In the end the choice follows luck.
# Weights that are too wide ask about pairs that any items order right.
# Exercise 1 turns the bandwidth from one end to the other.

# %% [markdown]
# ## A choice that knows its sources by heart
#
# A variance that the sources put at its smallest is too small.
# From thousands of items a greedy search finds those that fit *these* models, by luck as well as by merit, and the fewer the models, the more by luck.
# That is overfitting in the choice itself, and no penalty in the estimator repairs it, since the items are paid for by then {cite:p}`cawley2010overfitting`.
#
# The safeguard has one screw.
# Draw $c\cdot k$ items at random and choose the $k$ among *them*.
# With $c=1$ the draw is uniform, and nothing is trusted; with all items the choice is free.
# In between, the sources may pick, but only from what chance lays before them.
# (Stochastic greedy algorithms also look at random parts, there to save time {cite:p}`mirzasoleiman2014lazier`; here it is to save oneself.)
#
# Which $c$ is right?
# The sources decide, by models that were *not* asked.
# They are dealt into five folds; without each fold in turn the items are chosen and the estimator is learnt, and the differences of the pairs of the fold are estimated, a pair weighing as before.
# The $c$ with the least mean squared error wins, for each size anew, and of equals the smallest {cite:p}`stone1974crossvalidatory`.
# (One could count the pairs that come out in the right order; but few sources have few pairs to count.)
# {numref}`fig-25-pools` shows what each $c$ would have given with target models, and which one the left-out sources chose.

# %%
chosen = mbnb.chosen_pools(guarded, fixed)
names = ["all" if c is None else str(c) for c in pools]
pool_mdads = pd.concat(
    [
        mbnb.mdad(mbnb.agreement(trials), threshold=p.threshold, **mbnb.RECOMMENDED_RULE).assign(
            pool=name
        )
        for name, trials in zip(names, fixed.values(), strict=True)
    ],
    ignore_index=True,
)

# %% mystnb={"figure": {"caption": "Above: MDAD if items are chosen among c times as many random ones, for each c (interpolated rule). Below: which c the left-out sources chose, in so many per cent of the trials. Data: {glue:text}`data`.", "name": "fig-25-pools"}, "image": {"alt": "Above, a line for each size: MDAD falls from the random choice at the left towards freer choices at the right, steeply at small sizes. Below, stacked bars for each size: the shares of trials in which each pool factor was chosen."}} tags=["hide-input"]
mbnb.draw_chosen_pools(pool_mdads, chosen, names)

# %% tags=["hide-input"]
of_pool = pool_mdads.pivot(index="pool", columns="size", values="mdad")
lost = by_name.loc["Close pairs"] - of_pool.min()
most_free = chosen["pool"].isin(names[-2:]).mean()
mbnb.say(
    f"In {mbnb.percent(most_free)} of the choices 16 times the size or all items were let in, and in "
    f"{mbnb.percent((chosen['pool'] == '1').mean())} the draw stayed random.",
    f"Against the best c of each size, which nobody knows beforehand, the safeguard loses "
    f"{max(lost.mean(), 0):.1f} points on average."
    if lost.notna().any()
    else "",
)

# %% [markdown]
# On real leaderboards the price and the prize of the safeguard are the difference to a free choice.

# %% tags=["hide-input"]
guards = {"close-pairs": "as it is", "close-pairs, free": "free"}
of_guards = ablated[list(guards)].rename(columns=guards)
by_half = of_guards.unstack("half").swaplevel(axis=1)[["train", "heldout"]]
by_half.columns = [f"{half.replace('out', '-out')}, {name}" for half, name in by_half.columns]
mbnb.show(by_half.map("{:.2f}".format).rename_axis(None))

# %% tags=["hide-input"]
prize = of_guards["free"] - of_guards["as it is"]
per_board = prize.groupby("dataset").mean()
n_source_of = proposed.groupby("dataset")["n_source"].first()
mbnb.say(
    "*MDAD in points, mean over the sizes measured.*",
    f"The safeguard {'gains' if prize.mean() > 0 else 'costs'} {abs(prize.mean()):.2f} points on "
    "average over leaderboards and halves.",
    f"It gains most on {per_board.idxmax()} ({mbnb.signed(per_board.max())}, with "
    f"{n_source_of[per_board.idxmax()]:,} sources) and least on {per_board.idxmin()} "
    f"({mbnb.signed(per_board.min())}, with {n_source_of[per_board.idxmin()]:,})."
    if len(per_board) > 1
    else "",
)

# %% [markdown]
# {numref}`fig-25-sources` takes sources away.
# With ten of them there is less to learn, and a selector that does not notice might do harm.

# %% mystnb={"figure": {"caption": "MDAD with 50 items by the number of source models, train half. Data: measured on {glue:text}`boards-sources`.", "name": "fig-25-sources"}, "image": {"alt": "Small charts, one for each leaderboard: MDAD against the number of sources on a logarithmic axis. Uniform sampling with the plain mean is level; the corrected mean and close pairs fall as sources grow, close pairs to the lowest values."}} tags=["hide-input"]
fewer = mbnb.measured("better-sources")
fewer = fewer[fewer["half"] == "train"]
mbnb.draw_fewer_sources(fewer, 50)

# %% tags=["hide-input"]
cells = ["dataset", "size", "n_source"]
wide = fewer.assign(way=fewer["selector"] + ", " + fewer["estimator"])
wide = wide.pivot_table(index=cells, columns="way", values="mdad")
over = wide["close-pairs, corrected-mean"] - wide["uniform, weighted-mean"]
at_most = {
    "at_ten": mbnb.signed(over.xs(10, level="n_source").mean(), 1),
    "harm_ten": f"{int((over.xs(10, level='n_source') > 0.5).sum())} of "
    f"{len(over.xs(10, level='n_source'))}",
}
over_corrected = wide["close-pairs, corrected-mean"] - wide["uniform, corrected-mean"]
at_ten = over.index.get_level_values("n_source") == 10
study.insert(**at_most, boards_sources=mbnb.listed(list(dict.fromkeys(fewer["dataset"]))))
mbnb.say(
    f"With ten sources the MDAD of close pairs differs from that of random items with the plain mean "
    f"by {mbnb.signed(over[at_ten].mean())} points on average over leaderboards and sizes, and from "
    f"that of random items with the same estimator by {mbnb.signed(over_corrected[at_ten].mean())}; it is "
    f"more than half a point worse than the plain mean in {int((over[at_ten] > 0.5).sum())} of "
    f"{int(at_ten.sum())} cells.",
    f"With more sources the differences are {mbnb.signed(over[~at_ten].mean())} and "
    f"{mbnb.signed(over_corrected[~at_ten].mean())} points.",
)

# %% [markdown]
# ## Against all others
#
# Now the whole field: every selector with every estimator, at every size, on real leaderboards.
# {numref}`fig-25-shortfall` asks of each how far it lies from the best *at that place*, its {term}`shortfall`.
# A combination that one could always recommend would lie flat along the bottom.
#
# Mind what the yardstick is: the smallest of {glue:text}`n-ways` MDADs, each with luck of its own, so that even the best of them all would not lie at zero.
# That is worst where targets are few ({glue:text}`fewest`).

# %% tags=["remove-cell"]
short = mbnb.shortfalls(learnt)
n_ways = len(short[["selector", "estimator"]].drop_duplicates())
fewest_at = short.loc[short["n_target"].idxmin()]
at_500 = short[(short["size"] == 500) & (short["estimator"] == "corrected-mean")]
at_500 = at_500.groupby("selector")["mdad"].mean()
large_gain = at_500["uniform"] - at_500["close-pairs"]
study.insert(
    n_ways=n_ways,
    fewest=f"{fewest_at['dataset']} has {fewest_at['n_target']:,}",
    boards=mbnb.listed(list(dict.fromkeys(short["dataset"]))),
    large_size=500,
    large_gain=f"{large_gain:.1f}",
    bandwidth=f"{mbnb.ClosePairsSelector().bandwidth:g}",
)

# %% mystnb={"figure": {"caption": "MDAD minus the smallest of all selectors and estimators at that size; left on the train half, right on the held-out half. Lines that leave a chart go on above it. Data: measured on {glue:text}`boards`; 50 trials each.", "name": "fig-25-shortfall"}, "image": {"alt": "Small charts in two columns, a row for each leaderboard. Close pairs with the corrected mean runs along the bottom nearly everywhere; uniform sampling with the plain mean starts far above and comes down with size; Anchor Points lie between and do not come down as far; others in grey."}} tags=["hide-input"]
mbnb.draw_shortfalls(short)

# %% tags=["hide-input"]
mbnb.shortfall_table(short)

# %% tags=["hide-input"]
is_own = short["selector"].eq("close-pairs") & short["estimator"].eq("corrected-mean")
mine = short[is_own]
near, far = mine["shortfall"] <= 0.5 + 1e-9, mine[mine["shortfall"] > 1 + 1e-9]
far_at = [
    f"{board} ({rows['n_source'].iloc[0]:,} sources; "
    f"{', '.join(f'{k:,}' for k in sorted(set(rows['size'])))} items)"
    for board, rows in far.groupby("dataset", sort=False)
]
outside = mine[~mine["holds_best"]]
mbnb.say(
    "*Shortfall in points: mean on each half, largest and where; share of places within half a "
    "point of the best; share in which the 95 % interval holds the best.*",
    f"Close pairs with the corrected mean are within half a point of the best in {int(near.sum())} "
    f"of {len(mine)} places (leaderboard, size and half), and within one point in "
    f"{len(mine) - len(far)}.",
    f"They are farther off on {mbnb.listed(far_at)}." if far_at else "",
    f"In {int(mine['holds_best'].sum())} places their interval holds the best MDAD; where it does "
    f"not, the shortfall is {outside['shortfall'].mean():.1f} points on average."
    if len(outside)
    else "Their interval holds the best MDAD everywhere.",
)

# %% [markdown]
# ### Is the aim met?
#
# The aim was one selector with one estimator that is at or near the best at every size, on every leaderboard, held-out items included, and that falls back to something like uniform sampling where sources are few.

# %% tags=["hide-input"]
halves = mine.groupby("half")["shortfall"].mean()
mean_short = short.groupby(["selector", "estimator"])["shortfall"].mean().sort_values()
rank = 1 + list(mean_short.index).index(("close-pairs", "corrected-mean"))
others = mean_short[[key for key in mean_short.index if key[0] != "close-pairs"]]
rival = others.index[0]
unlike = short[short["selector"] != "close-pairs"].fillna({"shortfall": np.inf})
worst_of = unlike.groupby(["selector", "estimator", "dataset"])["shortfall"].max()
most_within = int((worst_of <= 1 + 1e-9).groupby(["selector", "estimator"]).sum().max())
boards_far = far["dataset"].nunique()
n_boards = mine["dataset"].nunique()
mbnb.say(
    f"**{'Met on all' if not boards_far else 'Met on'} {n_boards - boards_far} of {n_boards} "
    "leaderboards**, if “near” is one point."
    if boards_far
    else f"**Met on all {n_boards} leaderboards**, if “near” is one point.",
    f"By mean shortfall it ranks {rank} of {n_ways} with {mean_short.iloc[rank - 1]:.2f} points; the "
    f"best that chooses otherwise is {mbnb.label(rival[0])} with `{rival[1]}`, at "
    f"{others.iloc[0]:.2f}.",
    f"No combination with other items is within one point everywhere on more than {most_within} of "
    "them."
    if most_within
    else "No combination with other items is within one point everywhere on even one of them.",
    f"On new items the shortfall is {halves['heldout']:.2f}, on those chosen from "
    f"{halves['train']:.2f}: what the choice has learnt carries over."
    if abs(halves["heldout"] - halves["train"]) < 0.25
    else f"On new items the shortfall is {halves['heldout']:.2f}, on those chosen from "
    f"{halves['train']:.2f}.",
    "Ahead of it are the same items, read by "
    f"{mbnb.listed([f'`{key[1]}`' for key in mean_short.index[: rank - 1]])}; the corrected mean is "
    "proposed all the same, since it comes down to one coefficient for each item, to be published "
    "and applied anywhere, and an estimator by IRT does not."
    if rank > 1 and all(key[0] == "close-pairs" for key in mean_short.index[: rank - 1])
    else "",
)

# %% [markdown]
# ### Families held out
#
# A choice that suits its sources might fail for models of another {term}`family`.
# So whole families stand on one side: no target has a relative among the sources.
# There are as many sources with families mixed as with families apart, which on small leaderboards leaves few.

# %% tags=["hide-input"]
kin = mbnb.measured("better-families")
kin = kin[(kin["half"] == "train") & (kin["size"] == 50)]
is_split = kin.groupby("dataset")["families"].transform("nunique") == 2
kin = kin[is_split]
kin = kin.assign(
    dataset=kin["dataset"] + " (" + kin["n_source"].astype(str) + " sources)",
    way=kin["selector"] + ", " + kin["estimator"],
)
lines = {
    "close-pairs, corrected-mean": "Close pairs, corrected",
    "uniform, corrected-mean": "Uniform, corrected",
    "uniform, weighted-mean": "Uniform, mean",
    "anchor-points, weighted-mean": "Anchor Points, mean",
}
sides = kin[kin["way"].isin(lines)].pivot_table(
    index="dataset", columns=["way", "families"], values="mdad", dropna=False, sort=False
)
both = [way for way in lines if {(way, False), (way, True)} <= set(sides.columns)]
apart_from = pd.DataFrame(
    {
        lines[way]: [
            f"{mbnb.format_mdad(mixed)} → {mbnb.format_mdad(apart)}"
            for mixed, apart in zip(sides[way, False], sides[way, True], strict=True)
        ]
        for way in both
    },
    index=sides.index,
).rename_axis(None)
mbnb.show(apart_from)

# %% tags=["hide-input"]
lost_kin = {way: (sides[way, True] - sides[way, False]).mean() for way in both}
mbnb.say(
    "*MDAD in points with 50 items, families on both sides → families apart; train half.*",
    *[
        f"Close pairs lose {mbnb.signed(lost_kin[both[0]])} points on average, uniform sampling "
        f"with the plain mean, which learns nothing, {mbnb.signed(lost_kin['uniform, weighted-mean'])}."
        for _ in [0]
        if "close-pairs, corrected-mean" in both and "uniform, weighted-mean" in both
    ],
)

# %% [markdown]
# ## What it costs
#
# A choice of $k$ items costs $k$ steps.
# The safeguard multiplies: five folds, up to four pools that are not random, every size anew, and at last the choice itself.
# Measured on this machine, on the sources of the first trial, beside the selector that costs most in the paper:

# %%
timed = {
    selector: mbnb.time_selector(selector, study.train, study.sizes, seed=p.seed)[2]
    for selector in ("close-pairs", "anchor-points")
}

# %% tags=["hide-input"]
seconds = pd.DataFrame(
    {
        mbnb.label(selector): ["fit", *(f"{size:,} items" for size in study.sizes)]
        and costs["seconds"].to_numpy()
        for selector, costs in timed.items()
    },
    index=["fit", *(f"{size:,} items" for size in study.sizes)],
)
seconds.loc["together"] = seconds.sum()
mbnb.show(seconds.map("{:.2f}".format))

# %% tags=["hide-input"]
together = seconds.loc["together"]
mbnb.say(
    f"*Seconds of one core, once, for {study.train.n_models:,} sources × {study.train.n_items:,} items.*",
    f"That is {together.iloc[0] / together.iloc[1]:.1f} times what Anchor Points take here.",
    "The distances of Anchor Points grow with the square of the number of items; the steps of close "
    "pairs grow with items × sources × size, so that they do best on large benchmarks and worst at "
    "large sizes.",
)

# %% [markdown]
# ## Which items it asks
#
# {numref}`fig-25-asked` shows where the chosen items lie among all, by how many sources solve them and how well they go with the accuracy.

# %% tags=["remove-cell"]
size = study.size_near(100)
train = study.train
rng = np.random.default_rng(p.seed)
picked = {
    "Close pairs": mbnb.make_selector("close-pairs").fit(train).select(size, rng).items,
    "All pairs alike": mbnb.ClosePairsSelector(bandwidth=np.inf, pools=(None,))
    .fit(train)
    .select(size, rng)
    .items,
    "Uniform": mbnb.make_selector("uniform").fit(train).select(size, rng).items,
}
solved = train.scores.mean(axis=0)
centred = train.scores - solved
ability = train.accuracies() - train.accuracies().mean()
spread = np.sqrt((centred**2).mean(axis=0) * (ability**2).mean())
goes_with = np.divide(
    (centred * ability[:, None]).mean(axis=0), spread, out=np.zeros(train.n_items), where=spread > 0
)
study.insert(asked=size)

# %% mystnb={"figure": {"caption": "Where {glue:text}`asked` chosen items lie among all items of the train half (grey): the share of sources that are right, and the correlation of the answers with the accuracy. First trial. Data: {glue:text}`data`.", "name": "fig-25-asked"}, "image": {"alt": "Three scatter charts of the same items. Items chosen for close pairs and with all pairs alike lie high, at large correlations, spread over middling difficulties; those of uniform sampling are spread like all items."}} tags=["hide-input"]
mbnb.draw_asked(solved, goes_with, picked)

# %% tags=["hide-input"]
codes, n_parts = train.subtask_codes, len(train.subtasks)
shares = {
    name: np.bincount(codes[items], minlength=n_parts) / size for name, items in picked.items()
}
whole = np.bincount(codes, minlength=n_parts) / train.n_items
moved = {name: 0.5 * np.abs(part - whole).sum() for name, part in shares.items()}
most = int((shares["Close pairs"] - whole).argmax())
common = np.intersect1d(picked["Close pairs"], picked["All pairs alike"]).size
mbnb.say(
    f"Items for close pairs correlate with the accuracy by {goes_with[picked['Close pairs']].mean():.2f} "
    f"on average, all items by {goes_with.mean():.2f}; "
    f"{mbnb.percent(solved[picked['Close pairs']].mean())} of the sources solve them, and "
    f"{mbnb.percent(solved.mean())} all items.",
    f"With all pairs alike {common:,} of the {size:,} items would be the same.",
    f"By subtask they differ from the benchmark in {mbnb.percent(moved['Close pairs'])} of the items "
    f"(random ones in {mbnb.percent(moved['Uniform'])}); “{train.subtasks[most]}” gains most, with "
    f"{mbnb.percent(shares['Close pairs'][most])} of the items instead of {mbnb.percent(whole[most])}."
    if n_parts > 1
    else "",
)

# %% [markdown]
# So a set chosen for close pairs is no small copy of the benchmark.
# It leaves out what all sources know and what none knows, however much your readers would like to see it asked, and its mix of subtasks is its own.
#
# ### What goes out with the items
#
# Since the items are no fair sample, their plain mean is no estimate of the accuracy: its *level* is off.
# The order that it gives may still be good.

# %% tags=["hide-input"]
on_train = learnt[(learnt["half"] == "train") & (learnt["size"] == 50)]
read_by = {
    "Close pairs, corrected mean": ("close-pairs", "corrected-mean"),
    "Close pairs, plain mean": ("close-pairs", "weighted-mean"),
    "Uniform, corrected mean": ("uniform", "corrected-mean"),
    "Uniform, plain mean": ("uniform", "weighted-mean"),
}
level = pd.DataFrame(
    {
        name: on_train[(on_train["selector"] == key[0]) & (on_train["estimator"] == key[1])][
            ["mdad", "error"]
        ].mean()
        for name, key in read_by.items()
    }
).T
level.columns = ["MDAD", "error of the accuracy"]
mbnb.show(level.map("{:.1f}".format))

# %% tags=["hide-input"]
errors = level["error of the accuracy"]
mbnb.say(
    f"*Points, with 50 items; mean over {on_train['dataset'].nunique()} real leaderboards, train half.*",
    f"Read by the plain mean, items for close pairs are off by {errors.iloc[1]:.1f} points, random ones "
    f"by {errors.iloc[3]:.1f}; the corrected mean is off by {errors.iloc[0]:.1f}.",
    f"The order survives: the MDAD is {level['MDAD'].iloc[1]:.1f} instead of {level['MDAD'].iloc[0]:.1f}.",
)

# %% [markdown]
# So publish *the items with their coefficients*: one number for each item and an intercept, which `mbnb select` writes into the file and `mbnb score` applies.
# Whoever has no such tool may count right answers and compare two models by them, but must not print the share as an accuracy.
#
# And mind the danger.
# The items are chosen for differences between models *like the sources*.
# Models better than any of them may differ on items that no source solved, and of those the sources' answers say nothing.
# How fast the edge is lost is the subject of [](./26_fading).
#
# ## What is new, and what it rests on
#
# *Old* are the parts: forward selection under a Gaussian model and its guarantees {cite:p}`das2018approximate,krause2008near`, designs for one linear function {cite:p}`elfving1952optimum,chaloner1995bayesian`, ridge regression, and choosing by what was left out {cite:p}`stone1974crossvalidatory`.
# That an order is learnt from differences of pairs is old as well: ranking by support vectors takes $x_i-x_j$ as its examples {cite:p}`herbrich1999support,joachims2002optimizing`.
# *New* here, as far as we know, is to choose a benchmark's items by the variance left in the difference of close pairs of models, with the Laplacian in the place of the covariance; to let left-out sources set how far the choice departs from a random draw; and to judge it by MDAD against all others.
#
# What would change our mind: a leaderboard with a hundred sources or more where it lies more than a point from the best, on new items, with intervals that say so.
#
# ## Take-aways
#
# - What orders a pair is the difference of its answers, so choose the items that leave least variance in the mean difference.
# - A free choice can learn its sources by heart; left-out sources tell how far to trust it, and it costs seconds.
# - With the corrected mean it is within half a point of the best of {glue:text}`n-ways` combinations in {glue:text}`near` places on real leaderboards.
# - Weighing close pairs, within {glue:text}`bandwidth` points or so, makes an MDAD {glue:text}`weighing` on average than with all pairs alike: what counts most is to ask what the items say about a difference of accuracies.
# - Its items are no small copy of the benchmark: publish the coefficients with them, and choose anew when models outgrow the sources.
#
# ## What to do on Monday
#
# If thirty models or more have answered everything, choose the items so, and freeze the rule with them:
#
# ```bash
# mbnb select mine --selector close-pairs --size 50 --out micro.json
# mbnb score micro.json new-answers.csv
# ```
#
# - **With ten sources** its MDAD differs from that of random items with the plain mean by {glue:text}`at-ten` points on average, and is worse than those by more than half a point in {glue:text}`harm-ten` cells: look at what you gain before you give up a draw that anybody can check.
# - **With {glue:text}`large-size` items** it saves {glue:text}`large-gain` points against random items with the same estimator: draw at random there, and owe nobody an explanation.
# - **Choose anew** when new models lie above all sources ([](./26_fading)).
# - **Compare on your own data first**: `mbnb study mine --selectors uniform,anchor-points,close-pairs`.

# %% tags=["remove-cell"]
study.insert(
    near=f"{int(near.sum())} of {len(mine)}",
    weighing=f"{abs(gain):.2f} points {'smaller' if gain > 0 else 'larger'}",
    answer=(
        "Choose the items that leave least doubt about the difference of two close models, trust the "
        "choice as far as left-out sources bear it out, and you are within half a point of the best "
        f"of {n_ways} combinations of selectors and estimators in {int(near.sum())} of {len(mine)} "
        f"places on {n_boards} real leaderboards."
    ),
)

# %% [markdown]
# ## Exercises
#
# ```{admonition} Exercise 1: how close is close?
# :class: exercise
#
# Let the choice be free (`pools=(None,)`) and try bandwidths of 1, 3, 10 and 100 points.
# Which is best at the smallest size, and how much does it matter?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
by_bandwidth = {}
for bandwidth in (1.0, 3.0, 10.0, 100.0):
    tried = study.run([mbnb.ClosePairsSelector(bandwidth, (None,))])
    found = mbnb.mdad(mbnb.agreement(tried), threshold=p.threshold, **mbnb.RECOMMENDED_RULE)
    by_bandwidth[bandwidth] = found.set_index("size")["mdad"]
by_bandwidth = pd.DataFrame(by_bandwidth)
over_sizes = by_bandwidth.mean()
mbnb.say(
    f"With {study.smallest:,} items the MDADs are "
    f"{mbnb.listed([mbnb.one_decimal(v) for v in by_bandwidth.loc[study.smallest]])} points; averaged "
    f"over sizes {mbnb.listed([mbnb.one_decimal(v) for v in over_sizes])}.",
    f"At that size {by_bandwidth.loc[study.smallest].idxmin():g} is best, over all sizes "
    f"{over_sizes.idxmin():g}, and between 3 and 100 lie "
    f"{np.ptp(over_sizes.iloc[1:].to_numpy()):.1f} points; at 1 it is "
    f"{over_sizes.iloc[0] - over_sizes.min():.1f} above the best.",
    "Too narrow is a danger, since pairs without a gap have no difference that could be predicted."
    if over_sizes.iloc[0] > over_sizes.min() + 0.25
    else "",
    "Too wide is one as well: pairs far apart drown those that you ask about."
    if over_sizes.iloc[-1] > over_sizes.min() + 0.25
    else "Too wide is hardly one here.",
)

# %% [markdown]
# ```{admonition} Exercise 2: twenty sources
# :class: exercise
#
# Run `close-pairs` with 20 sources and find what the left-out ones choose.
# Do they trust less?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
few = min(20, study.n_source)
with_few = study.run("close-pairs", n_source=few)
fixed_few = {c: study.run([mbnb.ClosePairsSelector(pools=(c,))], n_source=few) for c in pools}
trusted = [
    table["pool"].isin(names[-2:]).mean()
    for table in (chosen, mbnb.chosen_pools(with_few, fixed_few))
]
mbnb.say(
    "Yes." if trusted[1] < trusted[0] else "No.",
    f"With {few} sources 16 times the size or more is chosen in {mbnb.percent(trusted[1])} of cases, "
    f"with {study.n_source:,} in {mbnb.percent(trusted[0])}.",
    "Folds of a few models are a small sample, so the verdict is noisier.",
)

# %% [markdown]
# ```{admonition} Exercise 3: the level of the plain mean
# :class: exercise
#
# Read the chosen items by `weighted-mean` and look at estimate minus accuracy.
# Is it the same for weak and strong models?
# What does that do to the *order*?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
raw = study.run("close-pairs", estimators=["weighted-mean"], sizes=[study.size_near(50)]).table
off = 100 * (raw["estimate"] - raw["train_accuracy"])
strong = raw["train_accuracy"] > raw["train_accuracy"].median()
mbnb.say(
    f"The plain mean is off by {mbnb.signed(off.mean(), 1)} points on average: {mbnb.signed(off[~strong].mean(), 1)} "
    f"for the weaker half of the models and {mbnb.signed(off[strong].mean(), 1)} for the stronger.",
    "Items that go with the accuracy stretch the scale: a model's lead on them is larger than its "
    "lead on all."
    if off[strong].mean() > off[~strong].mean()
    else "The scale is pressed together.",
    "A shift or a stretch that is the same for all changes no order.",
)

# %% [markdown]
# ```{admonition} Exercise 4: can a rival guess your items?
# :class: exercise
#
# Fit `close-pairs` on the sources of the first trial and choose twice, with two generators.
# How many items are in both?
# What follows for a benchmark whose items should stay secret, and what if you want two sets that are alike?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
fitted = mbnb.make_selector("close-pairs").fit(train)
twice = [fitted.select(study.size_near(50), np.random.default_rng(s)).items for s in (1, 2)]
shared = np.intersect1d(*twice).size
pooled = mbnb.ClosePairsSelector(pools=(4,)).fit(train)
others_twice = [pooled.select(twice[0].size, np.random.default_rng(s)).items for s in (1, 2)]
mbnb.say(
    f"{shared} of {twice[0].size} items are in both; of two random draws it would be "
    f"{twice[0].size ** 2 / train.n_items:.1f} on average.",
    f"With `pools=(4,)` it would be {np.intersect1d(*others_twice).size}.",
    "A free choice is a function of the sources' answers: who has these has your items.",
    "A pool of a few times the size gives sets that are alike in kind and differ more in content.",
)

# %% [markdown]
# ## Re-run this chapter
#
# ```bash
# mbnb run 25 -p n_trials=50
# MBNB_DATA=~/leaderboards mbnb run 25 -p dataset=bigcodebench
# ```

# %% tags=["hide-input"]
study.footer(guarded)
