# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Better estimators at the same items
#
# {glue:text}`answer`
#
# **What you will learn**
#
# - how the answers of known models turn into coefficients for items that were drawn at random
# - how much smaller the {term}`MDAD` gets, on every real leaderboard and with every {term}`selector`
# - where the gain comes from: ties, items that say little, and items that say the same
# - how few {term}`source models` are enough
# - four ways in which it fails, and what to freeze on Monday
#
# **Reading time** 25 minutes.
# **Running time** about a minute, half of that where the trials are stored.

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
# ## Two models, one score
#
# Everything so far in this book asks *which* items to choose.
# What is done with the answers is always the same: a mean.
# This chapter leaves the items alone, draws them at random, and asks what else the answers can tell.
#
# Take a few random items and two models that answer equally many of them right.
# Of the {term}`targets` of the first {term}`trial`, here are the two that tie and are farthest apart on the whole half.

# %% tags=["hide-input"]
asked, tied = mbnb.tied_example(study.train, study.targets, study.smallest, p.seed)
shown = asked.sort_values("accuracy", ascending=False).reset_index(drop=True)
shown.index = pd.Index([f"Item {number}" for number in range(1, len(shown) + 1)])
in_words = pd.DataFrame(
    {
        "sources right": shown["accuracy"].map(mbnb.percent),
        "correlation with the score": shown["correlation"].map(mbnb.signed),
        "coefficient": shown["corrected-mean"].map(mbnb.signed),
        **{
            f"Model {letter}": shown[name].map(lambda right: "right" if right else "wrong")
            for letter, name in zip("AB", tied.index, strict=False)
        },
    }
)
mbnb.show(in_words)

# %% tags=["hide-input"]
gaps = (
    100 * (tied.iloc[0] - tied.iloc[1])
    if len(tied)
    else pd.Series({"mean": 0.0, "learnt": 0.0, "score": 0.0})
)
mbnb.say(
    f"*{study.smallest} random items; coefficients are those of `corrected-mean`, times "
    f"{study.smallest}, so that the plain mean would give each item 1.*",
    f"Both models answer {mbnb.percent(tied['mean'].iloc[0])} of these items right, but over the whole "
    f"half model A ({tied.index[0]}) is {gaps['score']:.1f} points better than model B "
    f"({tied.index[1]})."
    if len(tied)
    else "No two targets tie on these items.",
    (
        f"The plain mean shows no gap. The coefficients show {abs(gaps['learnt']):.1f} points"
        + (
            ", in the right order: A’s right answers are on items that go with the score."
            if gaps["learnt"] > 0.05
            else ", in the wrong order: they help on average, and not here."
            if gaps["learnt"] < -0.05
            else ", no gap either: they help on average, and not here."
        )
    )
    if len(tied)
    else "",
)

# %% [markdown]
# Which items a model gets right says more than how many.
# An item that strong models solve and weak ones do not says much about a model's score.
# One that is solved by luck, or by everybody, says little.
# The source models tell which is which: their answers to these items are known, and so are their full scores.
#
# ## A weighted sum, with coefficients of any sign
#
# An {term}`estimator` turns the answers $x_1, \dots, x_k$ of a new model into an estimate of its full score.
# The plain mean is a weighted sum whose weights $w_i$ are fixed before any answer is seen ($1/k$ for random items):
#
# $$\hat s = \sum_i w_i x_i .$$
#
# **`ridge`** lets the sources choose the coefficients.
# It is the regression of their full scores $s_m$ on their answers $x_{mi}$, with an intercept, under a penalty $\lambda$ on large coefficients {cite:p}`hoerl1970ridge`:
#
# $$\hat s = \beta_0 + \sum_i \beta_i x_i,$$
#
# $$\min_\beta \sum_m \Bigl(s_m - \beta_0 - \sum_i \beta_i x_{mi}\Bigr)^2 + \lambda \sum_i \beta_i^2 .$$
#
# The penalty is not a matter of taste.
# Leave out one source, learn from the others, and see how far its score is missed; take the $\lambda$ that misses least, over all sources.
# No refit is needed: the error of a source left out is $e_m / (1 - h_m)$, its error in the full fit over one minus its leverage {cite:p}`golub1979generalized`.
#
# **`corrected-mean`** keeps the mean, and learns only what the mean misses:
#
# $$\hat s = \beta_0 + \sum_i (w_i + \gamma_i)\, x_i .$$
#
# Here $\gamma$ comes from a ridge regression of $s_m - \sum_i w_i x_{mi}$, what the plain mean misses.
#
# Where the sources teach nothing, the penalty grows, the $\gamma_i$ vanish, and the order of the models is that of the mean.
# Ridge has another place to retreat to: the mean of the sources, the same for every model.
#
# **`p-irt`** fits an {term}`IRT` model to the sources, places the new model in it by its answers, and fills in the items $j$ that were not asked with probabilities of a right answer {cite:p}`polo2024tinybenchmarks`:
#
# $$\hat s = \frac1N \Bigl( \sum_{i\ \text{asked}} x_i + \sum_{j\ \text{not asked}} \sigma(a_j^\top \hat\theta - b_j) \Bigr) .$$
#
# **`gp-irt`** mixes the two, $c \sum_i w_i x_i + (1 - c)\, \hat s_{\text{p-irt}}$, with a share $c$ that is learnt on sources the fit has not seen.
#
# None of this is new as statistics.
# Survey samplers call it a regression estimator: something that is known of the whole population, and goes with what is measured on the sample, sharpens the estimate {cite:p}`cochran1977sampling,sarndal1992model`.
# Tests of language models have used it too: metabench fits a curve from a short test to the full score {cite:p}`kipnis2025metabench`, and tinyBenchmarks gave the two IRT estimators.
# What is missing is what it does to the gaps that a *randomly drawn* micro-benchmark can see.
#
# ## What it gains
#
# {numref}`fig-24-gain` compares three ways to spend the same number of answers.

# %%
learnt = ["weighted-mean", "ridge", "corrected-mean"]
trials = study.run("uniform", estimators=learnt)
live = mbnb.estimator_figures(trials, p.threshold)
kept = mbnb.better_figures("estimators")
boards = pd.concat([kept, live], ignore_index=True) if len(kept) else live
gains = mbnb.estimator_gains(kept)
here = mbnb.estimator_gains(live)
study.insert(n_boards=int(kept["dataset"].nunique()))

# %% mystnb={"figure": {"caption": "MDAD by size: random items with their plain mean, the very same items with the corrected mean, and Anchor Points, which choose their items. Bands are 95 % intervals over trials. Data: measured on {glue:text}`n-boards` real leaderboards (`data/measured/better-estimators.csv`), and “this run” {glue:text}`data`.", "name": "fig-24-gain"}, "image": {"alt": "A small chart for each leaderboard, MDAD in points against size, both on logarithmic axes. The line of the corrected mean lies well below that of the plain mean at 10 to 50 items, mostly level with Anchor Points or nearly so, and the two lines come together towards 250 items."}} tags=["hide-input"]
mbnb.draw_headline(boards)

# %% tags=["hide-input"]
random = gains[(gains["selector"] == "uniform") & (gains["estimator"] == "corrected-mean")]
told = []
for size in (10, 25, 50, 100, 250):
    own = random[(random["size"] == size) & (random["half"] == "train")]
    new = random[(random["size"] == size) & (random["half"] == "heldout")]
    if own["ratio"].notna().any():
        told.append(
            f"{-round(100 * (mbnb.mean_ratio(own['ratio']) - 1))} % at {size} items "
            f"(held-out {-round(100 * (mbnb.mean_ratio(new['ratio']) - 1))} %)"
        )
small = random[random["size"].isin([10, 25, 50])]
apart = small["verdict"].value_counts()
here_small = here[(here["estimator"] == "corrected-mean") & (here["half"] == "train")]
mbnb.say(
    f"On {kept['dataset'].nunique()} real leaderboards the MDAD of random items shrinks by "
    + mbnb.listed(told)
    + ", as a geometric mean."
    if told
    else "",
    f"At 10, 25 and 50 items, on both halves, that is {len(small)} comparisons; in "
    f"{apart.get('smaller', 0)} of them the intervals lie apart with the corrected mean below, in "
    f"{apart.get('larger', 0)} above."
    if len(small)
    else "",
    f"On {study.matrix.name}, this run: "
    + mbnb.listed(
        [
            f"{mbnb.format_mdad(row['plain'])} → {mbnb.in_points(row['mdad'])} at {row['size']:,} items"
            for _, row in here_small.head(4).iterrows()
        ]
    )
    + ".",
)

# %% [markdown]
# The items cost the same, the answers are the same, and no selector ran.
# How does it compare with choosing better items?
# And do items that were chosen gain as well?

# %% tags=["hide-input"]
choosing = kept[(kept["half"] == "train") & (kept["size"] <= 100)]
rival = choosing[
    (choosing["selector"] == "anchor-points") & (choosing["estimator"] == "weighted-mean")
]
base = choosing[(choosing["selector"] == "uniform") & (choosing["estimator"] == "corrected-mean")]
race = base.merge(rival, on=["dataset", "size"], suffixes=("", "_rival"))
mbnb.say(
    f"At up to 100 items, on {race['dataset'].nunique()} leaderboards, random items with the corrected "
    f"mean have a smaller MDAD than Anchor Points with their weighted mean in "
    f"{(race['mdad'] < race['mdad_rival']).sum()} of {len(race)} cells, the same in "
    f"{(race['mdad'] == race['mdad_rival']).sum()} and a larger one in "
    f"{(race['mdad'] > race['mdad_rival']).sum()}."
    if len(race)
    else "",
)

# %% tags=["hide-input"]
by_selector = gains[(gains["estimator"] == "corrected-mean") & (gains["size"] <= 500)]
mbnb.gain_table(by_selector)

# %% tags=["hide-input"]
of_selectors = by_selector[by_selector["half"] == "train"].groupby("selector")["ratio"]
ranked_gains = of_selectors.agg(mbnb.mean_ratio).dropna().sort_values()
mbnb.say(
    "*Change of the MDAD in per cent from the weighted mean to the corrected mean of the same items, "
    f"train half → held-out half; geometric means over {kept['dataset'].nunique()} real leaderboards.*",
    f"Of the {len(by_selector)} cells behind this table the intervals lie apart in favour of the "
    f"corrected mean in {(by_selector['verdict'] == 'smaller').sum()}, against it in "
    f"{(by_selector['verdict'] == 'larger').sum()}.",
    f"Over all sizes the gain is largest for {mbnb.label(ranked_gains.index[0])} "
    f"({mbnb.percent(1 - ranked_gains.iloc[0])}) and smallest for "
    f"{mbnb.label(ranked_gains.index[-1])} ({mbnb.percent(1 - ranked_gains.iloc[-1])}): "
    "weights that speak for neighbouring items have made a part of the correction already."
    if len(ranked_gains)
    else "",
)

# %% [markdown]
# One caution: the gain on held-out items is limited by the halves themselves ([](./14_heldout_and_subtasks)), since nothing learnt on one half removes what the other half adds.
#
# Does it matter which of the estimators?

# %% tags=["hide-input"]
by_estimator = gains[(gains["selector"] == "uniform") & (gains["size"] <= 500)]
mbnb.gain_table(by_estimator, "estimator")

# %% tags=["hide-input"]
learnt_close = by_estimator[by_estimator["half"] == "train"]
learnt_close = learnt_close.pivot_table(index="size", columns="estimator", values="close")
mbnb.say(
    "*As above, for random items and each estimator.*",
    "In agreement on pairs up to five points apart, a finer measure than an MDAD that moves in half "
    f"points, the {learnt_close.shape[1]} differ at no size by more than "
    f"{100 * np.ptp(learnt_close, axis=1).max():.1f} percentage points, averaged over leaderboards.",
    "A ten-dimensional IRT model of the sources takes seconds to fit, where ridge takes "
    "milliseconds, and it needs scores of 0 and 1.",
) if len(by_estimator) else mbnb.say("")

# %% [markdown]
# ## Why: three gains in one
#
# Take the gain apart on {glue:text}`data`, one step at a time.
#
# 1. **Ties.** A plain mean of ten items has eleven values, so that many pairs tie, and a tie is counted as disagreement.
#    Coefficients that differ make nearly every sum a different number.
#    So first count a tie one half, as a coin would: what is gained then is no knowledge, only an answer where there was none.
# 2. **Items that say little.** Weigh each item by its covariance with the full score, and by nothing else.
#    This is where ridge begins, under a penalty beyond all measure.
# 3. **Items that say the same.** Two items that go together should not count twice.
#    Ridge regression knows, since it fits all coefficients at once.
#
# {numref}`fig-24-steps` shows the MDAD after each step, and ties count one half from the second line on.

# %%
weighed = mbnb.covariance_trials(study.matrix, trials, seed=p.seed)
steps = mbnb.join_trials([trials, weighed])
strict, halved = (
    study.mdad(mbnb.agreement(steps, ties=ties)).astype({"estimator": str})
    for ties in ("wrong", "half")
)
of = {
    "plain mean, ties wrong": (strict, "weighted-mean"),
    "plain mean, ties one half": (halved, "weighted-mean"),
    "each item by its covariance": (halved, "covariance-weights"),
    "all items at once: ridge": (halved, "ridge"),
}
taken = pd.concat(
    [table[table["estimator"] == name].assign(step=step) for step, (table, name) in of.items()]
)

# %% mystnb={"figure": {"caption": "The gain step by step: MDAD of the same random items, first with ties counted as wrong, then as one half, then weighed by covariance with the score, then by ridge. Data: {glue:text}`data`.", "name": "fig-24-steps"}, "image": {"alt": "Four falling lines of MDAD against size on logarithmic axes. The step from the first to the second line is large at ten items and gone by a hundred. Covariance weights lie below the mean at small sizes and meet or cross it at large ones. Ridge lies lowest throughout, its lead over covariance weights growing with size."}} tags=["hide-input"]
mbnb.draw_steps(taken)

# %% tags=["hide-input"]
wide = taken.pivot(index="size", columns="step", values="mdad")[list(of)]
at_few, at_many = study.smallest, study.largest
sentences = []
for size in dict.fromkeys((at_few, at_many)):
    values = wide.loc[size]
    sentences.append(
        f"At {size:,} items the MDAD goes from {mbnb.format_mdad(values.iloc[0])} points over "
        f"{mbnb.format_mdad(values.iloc[1])} and {mbnb.format_mdad(values.iloc[2])} to "
        f"{mbnb.in_points(values.iloc[3])}."
    )
mbnb.say(
    *sentences,
    "Ties matter where items are few. Covariance weights use each item for what it tells alone, and do "
    "not improve for ever: what many items tell together is counted many times, and their noise no "
    "longer averages out. That is left to ridge.",
)

# %% [markdown]
# What ties cost on real leaderboards can be read from what was measured there, since both ways of counting were kept.

# %% tags=["hide-input"]
first_sizes = kept[(kept["half"] == "train") & kept["size"].isin([10, 50])]
first_sizes = first_sizes[(first_sizes["selector"] == "uniform")].set_index(
    ["dataset", "size", "estimator"]
)
rows = {}
for name in kept["dataset"].unique():
    row = {}
    for size in (10, 50):
        for estimator, called in (("weighted-mean", "mean"), ("corrected-mean", "corrected")):
            if (name, size, estimator) in first_sizes.index:
                cell = first_sizes.loc[(name, size, estimator)]
                row[f"{called}, {size} items"] = (
                    f"{mbnb.format_mdad(cell['mdad'])} → {mbnb.format_mdad(cell['mdad_half_ties'])}"
                )
    rows[name] = row
mbnb.show(pd.DataFrame.from_dict(rows, orient="index").fillna("–"))

# %% tags=["hide-input"]
ten = random[(random["size"] == 10) & (random["half"] == "train")].dropna(subset=["plain", "mdad"])
lead = ten["plain"] - ten["mdad"]
only_ties = ten.loc[ten["mdad_half_ties"] >= ten["plain_half_ties"], "dataset"]
from_ties = (ten["plain"] - ten["plain_half_ties"]) - (ten["mdad"] - ten["mdad_half_ties"])
mbnb.say(
    "*MDAD of random items in points, ties wrong → ties one half; train half, measured.*",
    f"At 10 items the corrected mean leads by {lead.mean():.1f} points on average, and by "
    f"{(lead - from_ties).mean():.1f} where ties count one half: {mbnb.percent(from_ties.sum() / lead.sum())} "
    "of the gain is that it has an answer at all, the rest is that the answer is better."
    if len(ten) and lead.sum() > 0
    else "",
    f"On {mbnb.listed(list(only_ties))} it is all ties: with those counted one half, nothing is gained "
    "at 10 items."
    if len(only_ties)
    else "",
)

# %% [markdown]
# ### What the coefficients reward
#
# {numref}`fig-24-coefficients` shows the coefficients of one draw.

# %%
drawn = study.size_near(50)
items = mbnb.item_coefficients(study.train, drawn, p.seed)
goes_with = items[["accuracy", "correlation", "corrected-mean"]].corr()["corrected-mean"]

# %% mystnb={"figure": {"caption": "Coefficients of the corrected mean, times the size, of items drawn at random in the first trial, against how many sources answer them right and how their answers correlate with the sources’ scores. Broken line: the plain mean, which gives each item 1. Data: {glue:text}`data`.", "name": "fig-24-coefficients"}, "image": {"alt": "Two scatter charts of coefficients. Against the share of sources that answer right, they form a wide cloud. Against the correlation with the score they rise, from about zero for items without correlation to the largest for those with most."}} tags=["hide-input"]
mbnb.draw_coefficients(items)

# %% tags=["hide-input"]
negative = int((items["corrected-mean"] < 0).sum())
mbnb.say(
    f"Over these {drawn:,} items the coefficient correlates with how easy the item is by "
    f"{mbnb.signed(goes_with['accuracy'])}, and with the item’s correlation with the score by "
    f"{mbnb.signed(goes_with['correlation'])}.",
    "One coefficient is negative."
    if negative == 1
    else f"{negative} coefficients are negative."
    if negative
    else "No coefficient is negative.",
)

# %% [markdown]
# Test theory calls the quantity on the right the item–total correlation, or discrimination.
# Items that all or none answer have none, and that is why very easy and very hard items count little.
# They are not useless for the *level* of a score: they are what the intercept is made of.
# They are useless for the order.
#
# ### What happens to a difference
#
# The order of two models hangs on the difference of their estimates, so look at that.
# An estimator does two things to a gap $d$ between two scores: it shows a part $b\,d$ of it, and adds noise with a standard deviation $\sigma$.
# A slope $b$ below one draws the scores together, which changes no order.
# What counts is $\sigma/b$, the noise in points of gap.
# If it is normal, the agreement at a gap $d$ is $\Phi(d\,b/\sigma)$, and reaches the threshold $t$ at $d = \Phi^{-1}(t)\,\sigma/b$.

# %% tags=["hide-input"]
noise = mbnb.difference_noise(steps, threshold=p.threshold).astype({"estimator": str})
few = [size for size in (10, 50, 250, 1000) if size in study.sizes] or study.sizes[:3]
cells = noise[noise["size"].isin(few)].assign(
    text=lambda rows: [f"{r.noise:.1f} ÷ {r.slope:.2f} = {r.blur:.1f}" for r in rows.itertuples()]
)
by_size = cells.pivot(index="estimator", columns="size", values="text")
by_size = by_size.loc[["weighted-mean", "covariance-weights", "ridge", "corrected-mean"]]
by_size.columns = pd.Index([f"{size:,}" for size in by_size.columns], name="Size")
by_size.index.name = None
mbnb.show(by_size)

# %% tags=["hide-input"]
blur = noise.pivot(index="size", columns="estimator", values="blur")
worth = (blur["weighted-mean"] / blur["corrected-mean"]) ** 2
predicted = noise.merge(halved[["estimator", "size", "mdad"]], on=["estimator", "size"])
study.insert(worth=f"{np.exp(np.log(worth.dropna()).mean()):.1f}")
missed = (predicted["expected"] - predicted["mdad"]).abs().mean()
mbnb.say(
    "*Noise of a difference ÷ slope = noise in points of gap; random items, pairs of targets.*",
    f"The gap at which this noise leaves an agreement of {p.threshold:g} is off the measured MDAD "
    f"(ties one half) by {missed:.1f} points on average, so these two numbers are the whole story."
    if missed < 1
    else f"The gap at which this noise leaves an agreement of {p.threshold:g} is off the measured MDAD "
    f"(ties one half) by {missed:.1f} points on average.",
    "Noise variance falls with one over the size, so a smaller noise is worth more items: the "
    "corrected mean makes "
    + mbnb.listed(
        [
            f"{size:,} random items worth {size * worth[size]:,.0f}"
            for size in few
            if np.isfinite(worth[size])
        ]
    )
    + ", ties apart.",
)

# %% [markdown]
# ## Close pairs only
#
# An MDAD is decided where gaps are wide, at small sizes ten points and more.
# People look at neighbours.
# Of the pairs at most five points apart, how many are put in the right order?

# %% tags=["hide-input"]
both = pd.concat([kept, live], ignore_index=True) if len(kept) else live
near = both[(both["selector"] == "uniform") & (both["half"] == "train") & (both["size"] <= 250)]
near = near[near["estimator"].isin(["weighted-mean", "corrected-mean"])]
near = near.sort_values("size", kind="stable")
shares = near.pivot_table(
    index=["dataset", "size"], columns="estimator", values="close", sort=False
)
told_shares = (
    shares["weighted-mean"].map(mbnb.percent) + " → " + shares["corrected-mean"].map(mbnb.percent)
).unstack("size")
told_shares.columns = pd.Index([f"{size:,}" for size in told_shares.columns], name="Size")
told_shares.index.name = None
mbnb.show(told_shares.fillna("–"))

# %% tags=["hide-input"]
closer = (shares["corrected-mean"] - shares["weighted-mean"]).groupby("size").mean()
mbnb.say(
    "*Agreement on pairs up to five points apart, plain mean → corrected mean of the same random "
    "items; ties count as wrong.*",
    f"The gain is {100 * closer.iloc[0]:.0f} percentage points at {closer.index[0]:,} items and "
    f"{100 * closer.iloc[-1]:.0f} at {closer.index[-1]:,}.",
    "At the smallest size the corrected mean still orders not many more of these pairs than a coin: it "
    "does not turn ten items into a test of neighbours."
    if shares["corrected-mean"].groupby("size").mean().iloc[0] < 0.6
    else "",
)

# %% [markdown]
# ## How few sources are enough
#
# The estimator learns from models that answered everything.
# Three hundred are a luxury; who builds a new benchmark has ten.
# {numref}`fig-24-sources` repeats the trials with fewer sources, same items and same targets.

# %%
up_to = [size for size in study.sizes if size <= 250]
fewer = [number for number in (10, 30, 100) if number < study.n_source]
repeats = max(1, p.n_trials // 2)
runs = {
    number: study.run("uniform", n_source=number, n_trials=repeats, sizes=up_to, estimators=learnt)
    for number in [*fewer, study.n_source]
}
by_sources = mbnb.estimator_gains(
    pd.concat(
        [mbnb.estimator_figures(run, p.threshold) for run in runs.values()], ignore_index=True
    )
)
only_corrected = by_sources[by_sources["estimator"] == "corrected-mean"]

# %% mystnb={"figure": {"caption": "MDAD of the corrected mean over that of the plain mean of the same random items, by number of source models; below the broken line it gains. Data: {glue:text}`data`, half of the trials.", "name": "fig-24-sources"}, "image": {"alt": "A line for each size of the ratio of MDADs against the number of source models on a logarithmic axis. Lines fall with more sources; most lie below one already at ten sources, and those of larger sizes lie nearest to one."}} tags=["hide-input"]
mbnb.draw_few_sources(only_corrected)

# %% tags=["hide-input"]
real_sources = mbnb.better_figures("sources")
lots = mbnb.estimator_gains(real_sources)
lots = lots[(lots["selector"] == "uniform") & lots["estimator"].isin(["ridge", "corrected-mean"])]
lots = lots.assign(
    sources=[
        f"{n} sources" if n in (10, 30, 100, 300) else "all there are" for n in lots["n_source"]
    ]
)
lots = lots.assign(row=lots["estimator"] + ", " + lots["sources"])
order = [
    f"{e}, {n}"
    for e in ("ridge", "corrected-mean")
    for n in ("10 sources", "30 sources", "100 sources", "300 sources", "all there are")
]
lots = lots.set_index("row").loc[[row for row in order if (lots["row"] == row).any()]].reset_index()
mbnb.gain_table(lots, "row") if len(lots) else mbnb.say("")

# %% tags=["hide-input"]
ten_sources = lots[(lots["n_source"] == 10) & (lots["half"] == "train")]
at_ten = ten_sources[ten_sources["estimator"] == "corrected-mean"].dropna(subset="ratio")
at_ten_ridge = ten_sources[ten_sources["estimator"] == "ridge"].dropna(subset="ratio")
mbnb.say(
    "*Change of the MDAD in per cent against the plain mean of the same random items, train half → "
    f"held-out half; geometric means over {real_sources['dataset'].nunique()} real leaderboards.*",
    f"With ten sources the corrected mean has a smaller MDAD than the plain mean in "
    f"{(at_ten['ratio'] < 1).sum()} of {len(at_ten)} cells (train half), the same in "
    f"{(at_ten['ratio'] == 1).sum()} and a larger one in {(at_ten['ratio'] > 1).sum()}."
    if len(at_ten)
    else "",
    f"Ridge: {(at_ten_ridge['ratio'] < 1).sum()}, {(at_ten_ridge['ratio'] == 1).sum()} and "
    f"{(at_ten_ridge['ratio'] > 1).sum()}."
    if len(at_ten_ridge)
    else "",
) if len(lots) else mbnb.say("")

# %% [markdown]
# The corrected mean has the safer retreat.
# With few sources leaving one out shows that little can be learnt, the penalty rises, and what is left is the plain mean.
#
# ## When it fails
#
# ### Many items, few sources
#
# At all the items of the half, the plain mean *is* the score.
# Ridge regression does not know that: it has more items than sources, must shrink, and is off.
# The corrected mean finds nothing to correct.

# %%
n_train = study.split.train.size
large = sorted({study.largest, n_train // 2, n_train} - {0})
whole = study.run("uniform", sizes=large, n_trials=max(1, p.n_trials // 10), estimators=learnt)
errors = mbnb.estimation_error(whole).astype({"estimator": str})
off = errors.pivot(index="estimator", columns="size", values="error").round(2)

# %% tags=["hide-input"]
shown_off = off.map("{:.2f}".format).loc[learnt]
shown_off.columns = pd.Index([f"{size:,}" for size in off.columns], name="Size")
shown_off.index.name = None
mbnb.show(shown_off)

# %% tags=["hide-input"]
mbnb.say(
    f"*Mean absolute error of the estimate in points; {study.n_source} sources, up to all {n_train:,} "
    "items of the half.*",
    f"At all of them ridge is still off by {off.loc['ridge', n_train]:.2f} points, enough to swap "
    "neighbours that the plain mean orders without fault."
    if off.loc["ridge", n_train] > 0.01
    else "With so many sources for so few items, ridge finds the plain mean by itself.",
)

# %% [markdown]
# This is why `corrected-mean` exists, and why this book recommends it over `ridge`.
# They are level at small sizes, and only one of them is right at the end.
#
# ### Models better than all that are known
#
# What is learnt is what told known models apart.
# Now let the best models be the targets, so that every source is worse than each of them.
# An MDAD counts ties as wrong, which flatters whatever breaks them, so look at {term}`Kendall’s tau` too.

# %%
n_best = min(study.n_target, study.matrix.n_models // 3)
ranked = study.matrix.model_ids[np.argsort(-study.matrix.accuracies(), kind="stable")]
judged = {"best": ranked[:n_best], "every second of the best": ranked[: 2 * n_best : 2]}
apart_runs = {
    name: study.run(
        "uniform",
        targets=list(models),
        n_source=min(study.n_source, study.matrix.n_models - n_best),
        n_trials=repeats,
        sizes=up_to,
        estimators=["weighted-mean", "corrected-mean"],
    )
    for name, models in judged.items()
}
top = {
    name: mbnb.estimator_figures(run, p.threshold).query("half == 'train'")
    for name, run in apart_runs.items()
}

# %% tags=["hide-input"]
two = ["weighted-mean", "corrected-mean"]
at_random = live[live["half"] == "train"].query("estimator in @two and size in @up_to")
fails = {}
for name, table, column in (
    ("MDAD, targets at random", at_random, "mdad"),
    ("MDAD, every second of the best", top["every second of the best"], "mdad"),
    ("MDAD, the best", top["best"], "mdad"),
    ("tau, targets at random", at_random, "tau"),
    ("tau, the best", top["best"], "tau"),
):
    pair = table.pivot(index="size", columns="estimator", values=column)[two]
    told_as = mbnb.format_mdad if column == "mdad" else mbnb.signed
    fails[name] = pair.map(told_as).agg(" → ".join, axis=1)
shown_fails = pd.DataFrame(fails)
shown_fails.index = pd.Index([f"{size:,}" for size in shown_fails.index], name="Size")
mbnb.show(shown_fails)

# %% tags=["hide-input"]
taus = top["best"].pivot(index="size", columns="estimator", values="tau")[two]
lost = (taus["corrected-mean"] - taus["weighted-mean"]).iloc[0]
lean_top = mbnb.score_lean(apart_runs["best"], parts=1).astype({"estimator": str})
low = lean_top.query("estimator == 'corrected-mean'").sort_values("size")["lean"].iloc[0]
ratio_of = {
    name: mbnb.mean_ratio(mbnb.estimator_gains(table)["ratio"])
    for name, table in {"random": at_random, **top}.items()
}
mbnb.say(
    f"*Plain mean → corrected mean of the same random items; MDAD in points, and Kendall’s tau. "
    f"The {n_best} best models, with sources that are all worse; and every second of "
    f"the {2 * n_best} best, where the sources may be as good.*",
    f"From the plain to the corrected mean the MDAD changes by {mbnb.percent(ratio_of['random'] - 1)} "
    f"where targets are drawn at random, and by {'+' if ratio_of['best'] > 1 else ''}"
    f"{mbnb.percent(ratio_of['best'] - 1)} for the best."
    if np.isfinite(ratio_of["random"]) and np.isfinite(ratio_of["best"])
    else "",
    f"Tau of the best {'falls' if lost < -0.01 else 'rises' if lost > 0.01 else 'hardly moves,'} from {mbnb.signed(taus.iloc[0, 0])} to "
    f"{mbnb.signed(taus.iloc[0, 1])} at {taus.index[0]:,} items"
    + (": the corrected mean orders them worse than the plain mean does." if lost < -0.01 else ".")
    if np.isfinite(lost)
    else "",
    f"And their scores are {'under' if low < 0 else 'over'}estimated, by {abs(low):.1f} points at "
    f"{taus.index[0]:,} items.",
)

# %% [markdown]
# This is the case that matters most, since new models are built to be better.
# A model that is better than all others gets right what the others get wrong, and the coefficients of such items were learnt from models that could not tell.
# Where sources as good are among the others, in the column of every second model, they can teach it, if they are not too few.
# [](./26_fading) measures how fast the gain fades as the sources get old.
#
# ### Families of which no source is known

# %% tags=["hide-input"]
kin = mbnb.estimator_gains(mbnb.better_figures("families"))
kin = kin[(kin["selector"] == "uniform") & (kin["estimator"] == "corrected-mean")]
kin = kin.assign(row=kin["families"].map({True: "families kept apart", False: "models at random"}))
in_both = kin.groupby("dataset")["row"].nunique()
kin = kin[kin["dataset"].isin(in_both.index[in_both == 2])]
mbnb.gain_table(kin, "row") if len(kin) else mbnb.say(
    "How the gain depends on relatives among the sources was not measured."
)

# %% tags=["hide-input"]
mbnb.say(
    "*Change of the MDAD in per cent from plain to corrected mean of the same random items, train half "
    f"→ held-out half; geometric means over {kin['dataset'].nunique()} real leaderboards whose models’ "
    "names tell their families.*",
    "With families kept apart no target has a relative among the sources. Over all sizes the MDAD "
    f"falls by {mbnb.percent(1 - mbnb.mean_ratio(kin.loc[kin['families'].astype(bool), 'ratio']))} then, and by "
    f"{mbnb.percent(1 - mbnb.mean_ratio(kin.loc[~kin['families'].astype(bool), 'ratio']))} where models are "
    "drawn at random.",
) if len(kin) else mbnb.say("")

# %% [markdown]
# ### The level of a score
#
# A regression draws estimates towards the mean of what it knows.
# That changes no order, but it changes what you print.
# {numref}`fig-24-lean` shows by how much.

# %%
lean = mbnb.score_lean(trials).astype({"estimator": str})
lean_here = lean[(lean["size"] == study.smallest) & (lean["estimator"] != "ridge")]

# %% mystnb={"figure": {"caption": "Estimate minus score, by score: means of five equal groups of targets, with a band of one standard deviation; the smallest size. Data: {glue:text}`data`.", "name": "fig-24-lean"}, "image": {"alt": "Two lines of estimate minus score against score in points. That of the plain mean stays near zero within a wide band. That of the corrected mean falls from above zero for the weakest models to below zero for the strongest, within a narrower band."}} tags=["hide-input"]
mbnb.draw_lean(lean_here)

# %% tags=["hide-input"]
ends = lean_here[lean_here["estimator"] == "corrected-mean"].sort_values("accuracy")
mean_scatter = lean_here.groupby("estimator")["scatter"].mean()
mbnb.say(
    f"At {study.smallest:,} items the corrected mean estimates the weakest fifth of the targets "
    f"{abs(ends['lean'].iloc[0]):.1f} points too {'high' if ends['lean'].iloc[0] > 0 else 'low'} on "
    f"average, the strongest {abs(ends['lean'].iloc[-1]):.1f} too "
    f"{'high' if ends['lean'].iloc[-1] > 0 else 'low'}.",
    f"The plain mean has no such lean, and a scatter of {mean_scatter['weighted-mean']:.1f} points "
    f"against {mean_scatter['corrected-mean']:.1f}.",
    "For a single score it is the better bargain; but never compare a corrected estimate of one model "
    "with a plain score of another.",
)

# %% [markdown]
# ## What to do on Monday
#
# **What is new** is small and worth a lot: regression estimators, which are old, set against the gaps that micro-benchmarks can see.
# **What it rests on** is named above {cite:p}`hoerl1970ridge,golub1979generalized,cochran1977sampling,polo2024tinybenchmarks`.
# **What was measured**: every selector with every estimator on {glue:text}`n-boards` real leaderboards, train and held-out half.
#
# - **Where you have a full response matrix, stop printing plain means of small random samples.**
#   Use `corrected-mean`: `ridge` is level with it on few items and wrong on many, the IRT estimators gain no more, take far longer and cannot be frozen.
# - **See what it does for your data**, before you believe this page:
#
# ```bash
# mbnb study my-benchmark --selectors uniform --estimators weighted-mean,corrected-mean
# mbnb select my-benchmark --selector uniform --size 30 --estimator corrected-mean --out micro.json
# mbnb score micro.json new-model.csv
# ```
#
# The second line freezes items, coefficients and an interval, which is made of the errors on known models that the coefficients had not seen.

# %%
frozen_size = min(30, study.matrix.n_items)
widths = {}
for estimator in ("weighted-mean", "corrected-mean"):
    frozen = mbnb.freeze(study.matrix, "uniform", frozen_size, p.seed, estimator=estimator)
    widths[estimator] = mbnb.typical_interval(frozen)

# %% tags=["hide-input"]
spans = {name: 100 * (high - low_end) for name, (low_end, high) in widths.items()}
study.insert(
    frozen_size=frozen_size,
    plain_width=f"{spans['weighted-mean']:.0f}",
    learnt_width=f"{spans['corrected-mean']:.0f}",
)
mbnb.say(
    f"Frozen here, {frozen_size} random items of {study.matrix.name}: the 95 % interval for the full "
    f"score of a middling model is {spans['weighted-mean']:.0f} points wide with the plain mean "
    f"and {spans['corrected-mean']:.0f} with the corrected mean.",
)

# %% [markdown]
# The two intervals have different warrants.
# That of the plain mean is exact for any model whatever, as long as the items were drawn at random.
# That of the corrected mean holds for models *like those you know*.
#
# - **Keep the raw answers.** The plain mean of the same items is your check: where the two disagree by more than the noise, the new model is unlike the known ones.
# - **Order models that may beat all you know by the plain mean**, or ask them more items.
# - **Refit when models get better.** Answers of new strong models to all items are what keeps the coefficients honest.
# - **With fewer than ten known models** expect little, and lose little.
#
# What would change our mind: a leaderboard on which the corrected mean's interval lies above the plain mean's, with targets drawn like the sources.
#
# ## Take-aways
#
# - Which items a model gets right says more than how many: on {glue:text}`data` the corrected mean makes each random item worth {glue:text}`worth` on average.
# - The gain is three gains: ties broken, uninformative items ignored, related items counted once.
#   The first two matter when items are few, the third when they are many.
# - It needs known models like the new one.
#   For models better than all of them expect little or no gain in order, possibly a loss, and a score that is too low.
# - `corrected-mean` falls back to the plain mean where there is nothing to learn, and is exact when all items are asked; ridge is neither.
# - A frozen micro-benchmark of {glue:text}`frozen-size` random items has an interval {glue:text}`learnt-width` points wide instead of {glue:text}`plain-width`.

# %% tags=["remove-cell"]
first = random[(random["half"] == "train") & (random["size"] <= 50)]
first_ratio = mbnb.mean_ratio(first["ratio"])
live_ratio = mbnb.mean_ratio(here_small.loc[here_small["size"] <= 50, "ratio"])
where = (
    f"on {kept['dataset'].nunique()} real leaderboards"
    if np.isfinite(first_ratio)
    else f"on {study.matrix.name}"
)
answer_ratio = first_ratio if np.isfinite(first_ratio) else live_ratio
study.insert(
    answer=(
        "Draw items at random, but let known models tell what each is worth: "
        + (
            f"{where} that shrinks the smallest gap which 10 to 50 items can see by "
            f"{round(100 * (1 - answer_ratio))} %, without one more answer; "
            if np.isfinite(answer_ratio)
            else "that can shrink the smallest gap which a few items can see, without one more answer; "
        )
        + "do not trust it with models better than all that are known."
    )
)

# %% [markdown]
# ## Exercises
#
# ```{admonition} Exercise 1: the penalty at work
# :class: exercise
#
# At which penalty does ridge regression order models as covariance weights do?
# Without running anything: what happens to $\beta = (X^\top X + \lambda I)^{-1} X^\top s$ as $\lambda \to \infty$, with centred $X$ and $s$?
# Then look up in the table of noise at which sizes covariance weights are as good as ridge.
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
as_good = [
    f"{size:,}"
    for size in blur.index
    if blur.loc[size, "covariance-weights"] < 1.05 * blur.loc[size, "ridge"]
]
mbnb.say(
    "For a large penalty β is about Xᵀs ÷ λ: each item’s covariance with the score, over a constant that "
    "moves no order. So covariance weights are the limit, and the penalty decides how far one goes from "
    "there towards least squares.",
    f"Within 5 % of ridge’s noise they are at {mbnb.listed(as_good)} items."
    if as_good
    else "At no size of this page are they within 5 % of ridge’s noise.",
)

# %% [markdown]
# ```{admonition} Exercise 2: what it would cost in items
# :class: exercise
#
# You ask 50 random items and use the plain mean.
# How many could you do with if you used the corrected mean, at the same noise in points of gap?
# Interpolate the noise on a logarithmic scale of sizes.
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
level = blur["weighted-mean"].loc[drawn]
falling = blur["corrected-mean"].sort_values()
log_needed = np.interp(np.log(level), np.log(falling), np.log(falling.index.to_numpy(float)))
needed = np.exp(log_needed)
mbnb.say(
    f"The plain mean of {drawn:,} items has a noise of {level:.1f} points. The corrected mean is there "
    + (
        f"with about {needed:.0f} items, {mbnb.percent(1 - needed / drawn)} fewer."
        if level < falling.max()
        else f"already with {study.smallest:,} items or fewer, the least that was tried."
    )
)

# %% [markdown]
# ```{admonition} Exercise 3: is it the sources' number or their kind?
# :class: exercise
#
# Teach the estimator with the *worst* models instead of random ones, as many, and let random others be the targets.
# Does the corrected mean still gain?
# (Take the lower half of the models as the only ones to learn from.)
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
upper = ranked[: len(ranked) // 2]
spaced = list(upper[:: max(1, len(upper) // n_best)])[:n_best]
weak = study.matrix.subset(
    models=np.flatnonzero(~np.isin(study.matrix.model_ids, np.setdiff1d(upper, spaced)))
)
taught = mbnb.run_trials(
    weak,
    ["uniform"],
    [drawn],
    n_trials=repeats,
    n_source=min(study.n_source, weak.n_models - len(spaced)),
    targets=spaced,
    estimators=["weighted-mean", "corrected-mean"],
    seed=p.seed,
    store=mbnb.ResultStore(),
)
weak_noise = mbnb.difference_noise(taught).astype({"estimator": str}).set_index("estimator")["blur"]
here_worth = (weak_noise["weighted-mean"] / weak_noise["corrected-mean"]) ** 2
mbnb.say(
    f"Taught by the weaker half, with targets spread over the stronger half, the corrected mean makes "
    f"{drawn:,} items worth {drawn * here_worth:,.0f} as the plain mean counts; taught by random models "
    f"and for random targets it was {drawn * worth[drawn]:,.0f}.",
    "It does harm: what told weak models apart misleads about strong ones."
    if here_worth < 0.9
    else "What told weak models apart tells strong ones apart less well."
    if here_worth < worth[drawn]
    else "Here the weak teach as well as any.",
)

# %% [markdown]
# ```{admonition} Exercise 4: undo the compression
# :class: exercise
#
# The corrected mean draws scores together.
# Divide each estimate's distance from the sources' mean by the slope of this page's table.
# Does that change the MDAD?
# Does it make the mean absolute error smaller or larger?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
table = trials.table
one = table[(table["estimator"] == "corrected-mean") & (table["size"] == study.smallest)]
slope = noise.set_index(["estimator", "size"])["slope"].loc["corrected-mean", study.smallest]
centre = study.train.accuracies().mean()
stretched = centre + (one["estimate"] - centre) / slope
before, after = (
    100 * (told_scores - one["train_accuracy"]).abs().mean()
    for told_scores in (one["estimate"], stretched)
)
mbnb.say(
    "The MDAD stays as it is: stretching all estimates alike moves no order.",
    f"The mean absolute error goes from {before:.1f} to {after:.1f} points at {study.smallest:,} items. "
    + (
        "Stretching takes off the lean and multiplies the noise, and the noise weighs more."
        if after > before
        else "Here the lean weighed more than the noise."
    ),
)

# %% [markdown]
# ## Re-run this chapter
#
# ```bash
# mbnb run 24 -p n_trials=10 -p 'sizes=[10,50,250]'
# mbnb run 24 -p dataset=simulated:gpqa
# MBNB_DATA=~/leaderboards mbnb run 24 -p dataset=bigcodebench
# ```

# %% tags=["hide-input"]
study.footer(trials)
