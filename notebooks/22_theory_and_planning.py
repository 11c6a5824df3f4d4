# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Planning without an experiment
#
# {glue:text}`answer`
#
# **What you will learn**
#
# - the exact chance that a random sample puts two models in the right order, and when the usual approximation of it fails
# - how the {term}`MDAD` of {term}`uniform sampling` follows from the answers, with no {term}`trial` at all, and how near that comes to what was measured on eight real leaderboards
# - why uniform sampling sees what it sees with 250 items, and what would move that
# - how to turn “I must see two points” into a number of items: a {term}`planner <power plan>` for the page, for Python and for the shell
#
# **Reading time** 20 minutes.
# **Running time** under a minute.

# %% tags=["parameters"]
dataset: str = "simulated:mmlu-pro"
missing: str = "drop-items"
n_trials: int = 50
sizes: list = [10, 25, 50, 100, 250, 500, 1000]
n_source: int = None
n_target: int = None
threshold: float = 0.8
gap: float = 2.0
seed: int = 0

# %%
import numpy as np
import pandas as pd

import mbnb

p = mbnb.parameters(globals())
p

# %% tags=["hide-input"]
study = mbnb.open_study(p, right_from=0.5)  # wins and losses
study

# %% [markdown]
# ## One pair
#
# Begin with two models.
# Of the $N$ {term}`items <item>` some are solved by both and some by neither; these say nothing about which of the two is better.
# What is left are the items on which they differ: $w$ that only the better model solves, its *wins*, and $l$ that only the other one does, its *losses*.
# The {term}`gap` is $w-l$ items wide, and the {term}`disagreement rate` is $w+l$ of $N$.
#
# Take two models of this leaderboard whose gap is about as wide as the one that you must see.

# %%
pairs = mbnb.compare_pairs(study.matrix, seed=p.seed, n_pairs=20_000)
pair = mbnb.typical_pair(pairs, p.gap, n_near=min(101, 1 + len(pairs) // 50))
n_items = study.matrix.n_items
differing, lead = (round(n_items * pair[name] / 100) for name in ("disagreement", "gap"))
wins, losses = (differing + lead) // 2, (differing - lead) // 2

# %% tags=["hide-input"]
mbnb.say(
    f"{pair['better']} and {pair['worse']} lie {mbnb.in_points(round(pair['gap'], 2))} apart.",
    f"Of {n_items:,} items they differ on {differing:,}, which is {pair['disagreement']:.0f} %: "
    f"{wins:,} wins and {losses:,} losses.",
)

# %% [markdown]
# Now draw $k$ of the $N$ items at random.
# The sample holds $W$ of the wins and $L$ of the losses, and it puts the two models in the right order if $W>L$.
# Drawing without replacement makes $(W,L)$ multivariate hypergeometric, so the {term}`agreement` of this pair is a sum that anybody can write down:
#
# $$P(W>L)=\sum_{a>b}\frac{\binom wa\binom lb\binom{N-w-l}{k-a-b}}{\binom Nk} .$$
#
# It has too many terms to be of use for the pairs of a leaderboard, but it comes apart.
# Draw first how *many* of the items on which the two differ are in the sample, $D=W+L$; that depends on $w+l$ alone.
# Then draw *which*: given $D$, the chance $S(D)$ that the better model leads is that of a card game with $w$ winning and $l$ losing cards, whatever $N$ and $k$ are.
# And from one card to the next $S$ changes only in two ways: the two are level and the better model wins the next card, or it is one ahead and loses it.
# So all of $S$ is one running sum, and $P(W>L)=\sum_D P(D)\,S(D)$.
# `mbnb.exact_agreement` does this for 60,000 pairs and seven sizes in a second or two; {numref}`fig-22-pair` shows it for one pair.

# %%
every = np.unique(np.geomspace(1, n_items, 90).astype(int))
one_pair = pd.DataFrame(
    {
        "a tie is wrong": mbnb.exact_agreement([wins], [losses], every, n_items)[:, 0],
        "a tie is worth a half": mbnb.exact_agreement(
            [wins], [losses], every, n_items, ties="half"
        )[:, 0],
        "normal approximation": [
            mbnb.normal_agreement(pair["gap"], pair["disagreement"], k, n_items) for k in every
        ],
    },
    index=every,
)

# %% mystnb={"figure": {"caption": "The chance that a random sample orders one pair of models rightly, by the number of items drawn. The broken line is the threshold. Data: {glue:text}`data`.", "name": "fig-22-pair"}, "image": {"alt": "Three curves of agreement against the number of items drawn, on a logarithmic axis. With a tie worth a half the curve starts near one half, with a tie wrong it starts far lower; they join as items grow and rise to one. A dotted normal approximation lies on the strict curve but for the smallest sizes."}} tags=["hide-input"]
mbnb.draw_one_pair(one_pair, threshold=p.threshold)

# %% tags=["hide-input"]
shown = study.size_near(250)
draws = 100_000
rng = np.random.default_rng([p.seed, shown])
drawn = rng.multivariate_hypergeometric([wins, losses, n_items - differing], shown, size=draws)
by_luck = np.mean(drawn[:, 0] > drawn[:, 1])
exactly = mbnb.exact_agreement([wins], [losses], [shown], n_items)[0, 0]
mbnb.say(
    f"With {shown:,} items the formula says {exactly:.4f}; of {draws:,} samples drawn for a check, "
    f"{by_luck:.4f} have the right order.",
    "The lower curve starts at the bottom, because a sample of one item is a tie unless it happens "
    f"to be one of the {differing:,} on which the two differ.",
)

# %% [markdown]
# ### Ties, and a curve that may fall
#
# The two rules for {term}`ties <tie>` differ by half the chance of one.
# If a tie is worth a half, more items never hurt: with each item more the agreement rises or stays.
# If a tie is worth nothing, it may *fall* from an odd number of items to the next even one, since only an even number of differences can be level.
# That happens to pairs that differ on more than half of the items, and exercise 3 shows it.
# A size to be relied on is therefore the smallest *from which on* agreement stays at the threshold; that is what every size of this chapter means.
#
# ### Where the normal approximation fails
#
# The dotted curve takes the difference of the two counts as normal, with the same mean and variance, and half an item off for the tie ([](./13_parity_at_250)).
# It needs no sum, and it is good where many items tell the two models apart.
# Where few do, it is not ({numref}`fig-22-normal`).

# %%
drawn_sizes = [10, 25, 50, 100, 250, 500, 1000]
worst = {}
for rate in (0.05, 0.1, 0.25, 0.5):
    n = round(rate * 12_000)
    a = np.arange(n // 2 + 1, n + 1)
    exact = mbnb.exact_agreement(a, n - a, drawn_sizes, 12_000)
    gaps, rates = 100 * (2 * a - n) / 12_000, np.full(a.size, 100 * rate)
    near = [mbnb.normal_agreement(gaps, rates, size, 12_000) for size in drawn_sizes]
    worst[rate] = np.abs(exact - near).max(axis=1)
normal_error = pd.DataFrame(worst, index=drawn_sizes)

# %% mystnb={"figure": {"caption": "The largest error of the normal approximation at any gap, by the items drawn, for pairs that differ on so many per cent of 12,000 items. Computed; no data.", "name": "fig-22-normal"}, "image": {"alt": "Four lines falling with the number of items drawn, on a logarithmic axis: the largest error of agreement. The lines of pairs that differ on few items lie highest; beyond a few hundred items all are near zero."}} tags=["hide-input"]
mbnb.draw_normal_error(normal_error)

# %% tags=["hide-input"]
smallest = normal_error.index[0]
mbnb.say(
    f"With {smallest:,} items the approximation is off by up to "
    f"{normal_error.loc[smallest].max():.2f}, and for a pair that differs on a quarter of the "
    f"items still by {normal_error.loc[smallest, 0.25]:.3f}; with {normal_error.index[-1]:,} it is "
    f"by {normal_error.iloc[-1].max():.4f} at most.",
    "It does not know the floor either: it can promise what no sample can keep.",
)

# %% [markdown]
# ## From pairs to an MDAD
#
# An MDAD needs nothing more.
# Take the targets of a trial and its {term}`train half`, count the wins and losses of every pair, compute each pair's agreement, and average by {term}`bin` of the gap: that is what the trial would count, if it drew *all* its samples and not one.
# `mbnb.derive_agreement` does so on the very splits that trials use, and hands over what `mbnb.mdad` reads.

# %%
splits = {"n_source": study.n_source, "n_target": study.n_target, "seed": p.seed}
derived = mbnb.derive_agreement(study.matrix, study.sizes, n_trials=p.n_trials, **splits)
by_normal = mbnb.derive_agreement(
    study.matrix, study.sizes, n_trials=p.n_trials, method="normal", **splits
)
trials = study.run("uniform")
counts = mbnb.agreement(trials)

# %% mystnb={"figure": {"caption": "Agreement of uniform sampling by gap: counted in trials (marks) and derived from the answers without drawing one item (lines). Data: {glue:text}`data`.", "name": "fig-22-derived"}, "image": {"alt": "Agreement against the gap in points for a few sizes: lines that rise from near zero or one half towards one, steeper for larger sizes, with marks scattered closely about them. A dotted line marks the threshold."}} tags=["hide-input"]
few = list(dict.fromkeys(study.size_near(size) for size in (10, 50, 250, 1000)))
mbnb.draw_derived(counts.curve(), derived.curve(), few, threshold=p.threshold)

# %% tags=["hide-input"]
measured = study.mdad(counts).set_index("size")
exact_mdad = study.mdad(derived).set_index("size")["mdad"]
normal_mdad = study.mdad(by_normal).set_index("size")["mdad"]
floor = mbnb.sampling_floor(study.sizes, trials.n_train, p.threshold)
here = pd.DataFrame(
    {
        "measured": [mbnb.format_interval(row) for _, row in measured.iterrows()],
        "derived": exact_mdad.map(mbnb.format_mdad).to_numpy(),
        "normal": normal_mdad.map(mbnb.format_mdad).to_numpy(),
        "floor": floor.map("{:.1f}".format).to_numpy(),
    },
    index=pd.Index(map("{:,}".format, study.sizes), name="Size"),
)
mbnb.show(here)

# %% tags=["hide-input"]
off = (measured["mdad"] - exact_mdad).dropna()
mbnb.say(
    f"*MDAD of uniform sampling in points, at a threshold of {p.threshold:g}. The floor is that of "
    f"{trials.n_train:,} items drawn without replacement, a little below that of an endless benchmark, "
    "which earlier chapters draw.*",
    f"Of {len(off)} measured values {int((off.abs() <= 0.5 + 1e-9).sum())} lie within one bin of "
    f"the derived one; none is more than {off.abs().max():g} points off."
    if len(off)
    else "The threshold is reached at no size, so there is nothing to compare.",
    f"With {mbnb.counted(p.n_trials, 'trial')} no more samples than that were drawn at a size, and "
    "luck may move a measured MDAD by many points."
    if p.n_trials < 20
    else "",
)

# %% [markdown]
# ## Eight real leaderboards
#
# Do the same for the real leaderboards of [](./16_real_leaderboards), on the splits of their 50 trials.
# {numref}`fig-22-real` shows how far from the derived MDAD the measured ones lie.
#
# They cannot agree exactly, because a trial draws *one* sample at each size and judges all its pairs by it.
# Fifty trials are fifty samples, and a lucky sample is lucky for every pair of its trial.
# So each of the 50 trials was given 200 samples in place of one.
# Taken one by one, they are 200 studies that might have been run; the bars hold 95 of 100 of them.

# %%
beside = mbnb.measured("planning-uniform")
real = beside[mbnb.is_real(beside)]
real_train = real[real["half"] == "train"]

# %% mystnb={"figure": {"caption": "MDAD of uniform sampling on real leaderboards, train half, as points from the derived one: measured in 50 trials, and where 95 of 100 studies come out that have the same splits and differ in their samples alone. Shaded: one bin either way. Data: measured for this book, `data/measured/planning-uniform.csv`.", "name": "fig-22-real"}, "image": {"alt": "Eight small charts, one for each leaderboard: against size on a logarithmic axis, a zero line for the derived MDAD, bars about it that are long at small sizes and on leaderboards with few models and reach further down than up, and a dot for the measured value, nearly always within its bar."}} tags=["hide-input"]
mbnb.draw_luck(real_train)

# %% tags=["hide-input"]
wide = (
    real_train.assign(
        both=[
            f"{mbnb.format_mdad(row['measured'])} / {mbnb.format_mdad(row['exact'])}"
            for _, row in real_train.iterrows()
        ]
    )
    .pivot(index="dataset", columns="size", values="both")
    .fillna("–")
)
wide = wide.rename(columns="{:,}".format).rename_axis(index=None, columns="Size")
mbnb.show(wide)

# %% tags=["hide-input"]
apart = (real_train["measured"] - real_train["exact"]).abs()
settled = (real_train["redrawn"] - real_train["exact"]).abs()
inside = (real_train["measured"] >= real_train["lowest"]) & (
    real_train["measured"] <= real_train["highest"].fillna(np.inf)
)
beyond = real_train[apart > 0.5 + 1e-9]
lean = (real_train["middle"] - real_train["exact"]).groupby(real_train["pairs"] < 100).mean()
study.insert(
    within=f"{int((apart <= 0.5 + 1e-9).sum())} of {len(real_train)}",
    settled=f"{int((settled <= 0.5 + 1e-9).sum())} of {len(settled)}",
)
mbnb.say(
    "*MDAD of uniform sampling in points, measured / derived; a dash where the train half has "
    "fewer items.*",
    f"Of {len(real_train)} measured values {int((apart <= 0.5 + 1e-9).sum())} lie within one bin "
    f"of the derived one, and {int(inside.sum())} within the bars.",
    f"Of the {len(beyond)} that are farther off, {int((beyond['size'] <= 50).sum())} are at 50 "
    f"items or fewer and {int((beyond['measured'] < beyond['exact']).sum())} are too low.",
    f"Give each trial its 200 samples and take them together, and all but "
    f"{int((settled > 0.5 + 1e-9).sum())} of {len(settled)} values come within one bin, the "
    f"farthest {settled.max():g} points off."
    if (settled > 0.5 + 1e-9).any()
    else f"Give each trial its 200 samples and take them together, and all {len(settled)} values "
    "come within one bin of the derived ones.",
)

# %% [markdown]
# So what is left between theory and trials is luck, and a bias that the luck brings with it.
# The {term}`first rule` takes the first bin that reaches the threshold; with many bins that nearly do, some bin is there too early.

# %% tags=["hide-input"]
mbnb.say(
    f"Where fewer than 100 pairs lie in the bin that decides, the middle one of 200 studies is "
    f"{mbnb.signed(lean[True], 1)} points from the derived MDAD; where there are more it is "
    f"{mbnb.signed(lean[False], 1)}."
    if {True, False} <= set(lean.index)
    else "",
    "A measured MDAD of uniform sampling is, as a rule, a little too good, and with few items on a "
    "leaderboard of few models by whole points.",
    "The derived one is free of this, and it is what a selector should be compared with when you "
    "ask how much it gains.",
)

# %% [markdown]
# The held-out half is no harder: draw from the train half, and ask for the order on the other one.

# %% tags=["hide-input"]
real_heldout = real[real["half"] == "heldout"]
apart_heldout = (real_heldout["measured"] - real_heldout["exact"]).abs()
settled_heldout = (real_heldout["redrawn"] - real_heldout["exact"]).abs()
by_formula = (real["normal"] - real["exact"]).abs()
mbnb.say(
    f"There {int((apart_heldout <= 0.5 + 1e-9).sum())} of {len(real_heldout)} measured values lie "
    f"within one bin, and {int((settled_heldout <= 0.5 + 1e-9).sum())} of {len(settled_heldout)} "
    "where each trial has its 200 samples.",
    f"The normal approximation, on the same pairs, gives an MDAD within "
    f"{mbnb.in_points(by_formula.max())} of the exact one everywhere: its errors in agreement are "
    "largest at gaps far from where the threshold is crossed.",
)

# %% [markdown]
# ## Why 250
#
# The study's rule of thumb says that from about 250 items uniform sampling is as good as anything {cite:p}`yauney2026reliable`.
# Now you can derive where uniform sampling stands there, and see what the number hangs on.
# Solve for the gap that a sample sees, and then change one thing at a time.

# %%
at = study.size_near(250)
n_train = trials.n_train
settings = {"agreement": p.threshold, "disagreement": pairs, "n_items": n_train}
halved, doubled = (
    pairs.assign(disagreement=(factor * pairs["disagreement"]).clip(pairs["gap"], 100))
    for factor in (0.5, 2)
)
changes = {
    f"{at:,} of {n_train:,} items": {},
    "models differ half as often": {"disagreement": halved},
    "models differ twice as often": {"disagreement": doubled},
    "an agreement of 0.7 is enough": {"agreement": 0.7},
    "an agreement of 0.95 is asked for": {"agreement": 0.95},
    "a tie is worth a half": {"ties": "half"},
    "the benchmark has twice as many items as are drawn": {"n_items": 2 * at},
    "the benchmark is endless": {"n_items": 1_000_000},
}
moved = {name: mbnb.plan(size=at, **{**settings, **new}) for name, new in changes.items()}

# %% tags=["hide-input"]
base = moved[f"{at:,} of {n_train:,} items"].gap
what_moves = pd.DataFrame(
    {
        "gap that is seen": [mbnb.one_decimal(found.gap) for found in moved.values()],
        "change": [
            mbnb.points(round(round(found.gap, 1) - round(base, 1), 1)) for found in moved.values()
        ],
    },
    index=list(moved),
)
mbnb.show(what_moves)

# %% tags=["hide-input"]
rate = moved[next(iter(moved))].disagreement
rough = 100 * 0.8416 * np.sqrt(rate / at)
kept_rates = mbnb.measured("planning-disagreement")
kept_rates = kept_rates[mbnb.is_real(kept_rates) & (kept_rates["gap"] == 3)]
at_250 = real_train[real_train["size"] == 250]
twice = moved["models differ twice as often"].gap / base
rest = {name: found.gap - base for name, found in moved.items() if "often" not in name}
most = max(rest, key=lambda name: np.nan_to_num(abs(rest[name])))
mbnb.say(
    f"*Gap in points that {at:,} randomly drawn items show with the agreement asked for.*",
    f"The start is simple: pairs of that gap differ on {100 * rate:.0f} % of the items, and "
    f"0.84 √(r/k) is {rough:.1f} points; the tie adds half an item, and that no item is drawn twice "
    f"takes something off, which leaves {mbnb.one_decimal(base)}."
    if p.threshold == 0.8 and not np.isnan(base)
    else "",
    "The gap that is seen goes about with the square root of the disagreement rate: twice the "
    f"disagreement makes it {twice:.1f} times as wide."
    if not np.isnan(twice)
    else "",
    f"Of the other changes the largest is this: {most}."
    if not np.isnan(rest[most]) and rest[most]
    else "",
    "The size of the benchmark matters where the sample is a good part of it, and hardly otherwise.",
)

# %% [markdown]
# Disagreement rates are much alike on all leaderboards, and that is why one rule of thumb fits them all.

# %% tags=["hide-input"]
study.insert(
    rates=f"{kept_rates['mean'].min():.0f} to {kept_rates['mean'].max():.0f} %",
    seen=f"{at_250['exact'].min():g} to {at_250['exact'].max():g}",
)
mbnb.say(
    f"On the {len(kept_rates)} real leaderboards pairs 3 points apart differ on "
    f"{kept_rates['mean'].min():.0f} to {kept_rates['mean'].max():.0f} % of the items on average, "
    f"and 250 random items see {at_250['exact'].min():g} to {at_250['exact'].max():g} points on the "
    f"{len(at_250)} whose train half has so many.",
    "Single pairs are less alike: one in ten differs on less than "
    f"{kept_rates['low'].median():.0f} %, one in ten on more than "
    f"{kept_rates['high'].median():.0f} %, in the median over leaderboards.",
)

# %% [markdown]
# And why is that where the selectors lose their lead?
# A {term}`selector` that removes a share $s$ of the noise variance multiplies the MDAD by about $\sqrt{1-s}$.
# To be *one point* better it must therefore remove more, the smaller the MDAD is already.

# %% tags=["hide-input"]
def_mdad = exact_mdad.dropna()
shares = 1 - ((def_mdad - 1).clip(lower=0) / def_mdad.where(def_mdad > 0)) ** 2
others = mbnb.measured("leaderboards").query("half == 'train' and selector != 'uniform'")
best = (
    others[mbnb.is_real(others)]
    .groupby(["dataset", "size"])["mdad"]
    .min()
    .rename("best")
    .reset_index()
)
best = best.merge(real_train[["dataset", "size", "exact"]], on=["dataset", "size"])
best = best[best["exact"] >= 2]
removed = (1 - (best["best"] / best["exact"]) ** 2).groupby(best["size"]).median()
lead_table = pd.DataFrame(
    {
        "MDAD of uniform sampling": def_mdad.map(mbnb.format_mdad),
        "to be removed for one point": shares.map(mbnb.percent),
        "removed by the best, real": removed.reindex(def_mdad.index).map(mbnb.percent),
    }
)
lead_table.index = pd.Index([f"{size:,}" for size in def_mdad.index], name="Size")
mbnb.show(lead_table)

# %% tags=["hide-input"]
mbnb.say(
    "*The derived MDAD of uniform sampling in points; the share of the noise variance that a "
    "selector must remove to be one point better; and, as a median over real leaderboards, the "
    "share that the best of the five other selectors removes by its measured MDAD, where uniform "
    "sampling has two points or more.*",
    f"With {study.smallest:,} items a point is there for {mbnb.percent(shares.iloc[0])} of the "
    f"variance; with {at:,} it takes {mbnb.percent(shares[at])}."
    if at in shares.index and not np.isnan(shares[at]) and study.smallest in shares.index
    else "",
    f"What the best selectors do remove falls from {mbnb.percent(removed.iloc[0])} at "
    f"{removed.index[0]:,} items to {mbnb.percent(removed.iloc[-1])} at {removed.index[-1]:,}, and "
    "that is flattery: the best of five, by measured MDADs."
    if removed.iloc[-1] < removed.iloc[0]
    else f"What the best selectors remove does not fall with the size: it is "
    f"{mbnb.percent(removed.iloc[0])} at {removed.index[0]:,} items and "
    f"{mbnb.percent(removed.iloc[-1])} at {removed.index[-1]:,}.",
)

# %% [markdown]
# So parity is no law of nature, and it has two sides.
# One can be derived: at which size a point is worth most of the noise that is left.
# That side moves to larger sizes where models differ on more items, and where you must be surer of the order.
# The other is up to the selectors, and only trials show it: how much of the noise they still remove when items are many.
# A selector that went on removing at 250 items what the best remove at ten would push parity far to the right.
#
# ## The planner
#
# Turn it round.
# You know the gap that you must see; what you want is the size.
# Move the sliders of {numref}`fig-22-planner`: each answer in it is exact, and the page needs no network.

# %%
questions = mbnb.plan_table(
    [0.5, 1, 1.5, 2, 3, 4, 5, 7, 10, 15, 20],
    [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5],
    agreements=[0.7, 0.8, 0.9, 0.95],
    n_items=[200, 500, 1000, 3000, 12_000, None],
    ties=["wrong", "half"],
)

# %% mystnb={"figure": {"caption": "Items that uniform sampling needs, for the gap, the disagreement rate, the agreement, the number of items in the benchmark and the rule for ties that you choose. Level line: all items of the benchmark. Computed; no data.", "name": "fig-22-planner"}} tags=["hide-input"]
mbnb.explore_plan(questions, gap=p.gap, rate=0.25, agreement=p.threshold, items=12_000)

# %% [markdown]
# Which disagreement rate is yours?
# Two checkpoints or two sizes of one {term}`family` differ on fewer items than two strangers, and on the real leaderboards above {glue:text}`rates` are the rule for pairs three points apart.
# {numref}`fig-22-needed` holds a part of the same for print.

# %% mystnb={"figure": {"caption": "Items that uniform sampling needs to order two models with an agreement of 0.8, if a tie is wrong, of a benchmark with 12,000 items, for pairs that differ on so many per cent of them. Computed; no data.", "name": "fig-22-needed"}, "image": {"alt": "Four falling lines on logarithmic axes: items needed against the gap in points, for four disagreement rates. Half the gap takes about four times the items; the lines of higher disagreement lie higher; a broken level line marks all items."}} tags=["hide-input"]
printed = questions[
    (questions["agreement"] == 0.8)
    & (questions["items"] == 12_000)
    & (questions["ties"] == "wrong")
    & questions["rate"].isin([0.1, 0.2, 0.3, 0.5])
]
mbnb.draw_needed(printed, n_items=12_000)

# %% [markdown]
# With data of your own, let the answers say how often models differ.
# In Python:

# %%
found = mbnb.plan(gap=p.gap, agreement=p.threshold, disagreement=pairs, n_items=n_items)
easier, harder = mbnb.plan_for_others(found, pairs)
found

# %% tags=["hide-input"]
study.insert(
    plan_gap=mbnb.in_points(round(p.gap, 2)),
    plan_size=f"{found.size:,}",
    plan_range=f"{easier.size:,} to {harder.size:,}",
)
mbnb.say(
    f"Of this leaderboard {found.size:,} of {n_items:,} items order two models "
    f"{mbnb.in_points(round(found.gap, 2))} apart with an agreement of {p.threshold:g}, if they "
    f"differ on {100 * found.disagreement:.0f} % of the items, as pairs of that gap do on average.",
    f"One pair in ten differs on less than {100 * easier.disagreement:.0f} %, and for it "
    f"{easier.size:,} are enough; one in ten on more than {100 * harder.disagreement:.0f} %, and "
    f"needs {harder.size:,}.",
    f"The normal approximation says {found.normal:,.0f}.",
)

# %% [markdown]
# In the shell the same, in all three directions:
#
# ```bash
# mbnb plan --gap 2 --dataset simulated:mmlu-pro
# mbnb plan --size 250 --disagreement 0.25 --items 12032
# mbnb plan --gap 2 --size 250 --disagreement 0.25 --ties half --json
# ```
#
# Where no size or no gap will do, it says so in a sentence, with status 1.
#
# ## What it rests on, and where it ends
#
# That only the items on which two models differ say which is better is McNemar's insight {cite:p}`mcnemar1947note`, and the number of items that a *test* of it needs is an old result {cite:p}`connor1987sample`.
# Power analysis came to language models with a warning that most comparisons are too small {cite:p}`card2020little`, and with formulas for the difference of two models on the same questions {cite:p}`miller2024error`.
# New here is that the question is not whether a difference is significant but whether the *order* is right, that the answer is exact for draws without replacement, ties included, and that it is carried through to a leaderboard's agreement curve and MDAD, which were then held against trials.
#
# It ends in four places.
# It knows scores of right and wrong, no graded ones.
# It knows uniform sampling, and no selector that looks at answers.
# It knows the benchmark that you have: whether the benchmark itself is a good sample of what you mean is the question of [](./14_heldout_and_subtasks).
# And it takes a model's answers as given; those that change from run to run ({term}`generation noise`) add to the disagreement, and the disagreement between two runs of *one* model is the least that you can expect.
#
# ## Take-aways
#
# - What uniform sampling does for a pair follows exactly from two counts, its wins and its losses.
# - Derived on the splits of the trials, the MDAD of uniform sampling is within one bin of the measured one in {glue:text}`within` cases on real leaderboards, and in {glue:text}`settled` where the luck of single samples is averaged out.
# - 250 random items see {glue:text}`seen` points on real leaderboards, because pairs of models differ on {glue:text}`rates` of the items.
# - On this leaderboard a gap of {glue:text}`plan-gap` takes {glue:text}`plan-size` random items; for the middle four of five pairs it is {glue:text}`plan-range`.
#
# ## What to do on Monday
#
# - **Write down the gap that matters** before you choose a size, and run `mbnb plan` with it.
# - **Measure the disagreement of the models that you compare.**
#   Twenty models' answers are enough for it, and it is worth more than any rule of thumb.
# - **Plan for the harder pairs**, by the upper of the two numbers, when a decision hangs on a single pair.
# - **Compare a new selector with the derived MDAD** of uniform sampling, not with a measured one: the yardstick should not have luck of its own.
# - **Say how a tie counts.**
#   At small sizes the rule alone moves the answer by points.

# %% tags=["remove-cell"]
study.insert(
    answer=(
        "What random items can tell about two models follows exactly from the items on which they "
        f"differ: without any trial, {found.size:,} items are known to be needed here for a gap of "
        f"{mbnb.in_points(round(p.gap, 2))}, and the MDADs derived so agree with those of real "
        "leaderboards as nearly as luck allows."
    )
)

# %% [markdown]
# ## Exercises
#
# ```{admonition} Exercise 1: a plan for a small benchmark
# :class: exercise
#
# Your benchmark has 500 items, your two candidates differ on a fifth of them, and you can pay for 100 answers of each.
# Which gap do you see?
# How many answers would show a gap of two points?
# Use the planner of this page first, then `mbnb.plan`.
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
small = {"agreement": 0.8, "disagreement": 0.2, "n_items": 500}
seen = mbnb.plan(size=100, **small)
enough = mbnb.plan(gap=2, **small)
mbnb.say(
    f"A hundred items see {mbnb.in_points(round(seen.gap, 2))}; two points take {enough.size:,} of "
    f"the 500 items ({mbnb.percent(enough.size / 500)}).",
    "A small benchmark is used up fast: close pairs leave little to save.",
)

# %% [markdown]
# ```{admonition} Exercise 2: does the benchmark's size matter?
# :class: exercise
#
# How many items does a gap of two points take at a disagreement of 25 %, if the benchmark has 600, 3,000 or 12,000 items, or no end?
# From which size on could you forget about it?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
by_items = {
    n: mbnb.plan(gap=2, agreement=0.8, disagreement=0.25, n_items=n).size
    for n in (600, 3000, 12_000, None)
}
mbnb.say(
    mbnb.listed(
        [
            f"{size:,} items of {'an endless benchmark' if n is None else f'{n:,}'}"
            for n, size in by_items.items()
        ]
    )
    + ".",
    "What counts is the share that is drawn: with k of N items the noise shrinks by 1 − k/N, and "
    "where the sample is below a tenth of the benchmark that is a tenth of the variance at most.",
)

# %% [markdown]
# ```{admonition} Exercise 3: the item that made it worse
# :class: exercise
#
# Two models of an endless benchmark never agree: on every item exactly one of them is right, and the better one wins 56 % of them.
# Plot or print the agreement for 1, 2, 3, … items with a tie worth nothing.
# Why does it go up and down?
# Which size would you rely on for an agreement of 0.8, and which is merely the first to reach it?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
strangers = {"gap": 12, "disagreement": 1.0}
rising = pd.Series({k: mbnb.plan(size=k, **strangers).agreement for k in range(1, 100)})
lasting = mbnb.plan(agreement=0.8, **strangers).size
reaches = rising.index[rising >= 0.8][0]
mbnb.say(
    f"With 1, 2, 3 and 4 items it is {mbnb.listed([f'{v:.2f}' for v in rising.iloc[:4]])}: only an "
    "even number of answers can be level, and a level sample counts as wrong.",
    f"The first size to reach 0.8 is {reaches}, but {reaches + 1} fall short again with "
    f"{rising[reaches + 1]:.2f}; from {lasting} on it lasts, and that is what `mbnb.plan` answers.",
    "With a tie worth a half an even size is exactly as good as the odd one before it, and nothing "
    "ever falls.",
)

# %% [markdown]
# ```{admonition} Exercise 4: new items
# :class: exercise
#
# Derive the MDAD of uniform sampling on the held-out half too (`half="heldout"`).
# At which size is the loss largest?
# Why would some of it be left if all items of the train half were asked?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
new_items = mbnb.derive_agreement(
    study.matrix, study.sizes, n_trials=p.n_trials, half="heldout", **splits
)
loss = study.mdad(new_items).set_index("size")["mdad"] - exact_mdad
known = loss.dropna()
mbnb.say(
    f"The loss is {mbnb.listed([f'{mbnb.points(v)} at {k:,}' for k, v in known.items()])} items, in points, "
    f"and largest at {known.idxmax():,}."
    if len(known)
    else "One of the two is not reached at any size, so there is no loss to tell.",
    "A loss of less than a bin reads as 0. Even all items of the train half order some pairs otherwise than the held-out half does: the "
    "order that is asked for is that of other items, and the two halves differ by luck of their own.",
)

# %% [markdown]
# ## Re-run this chapter
#
# ```bash
# mbnb run 22 -p gap=1 -p threshold=0.9
# MBNB_DATA=~/leaderboards mbnb run 22 -p dataset=bigcodebench
# ```

# %% tags=["hide-input"]
study.footer(trials)
