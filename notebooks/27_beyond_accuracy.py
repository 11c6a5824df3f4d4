# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Beyond accuracy
#
# {glue:text}`answer`
#
# **What you will learn**
#
# - what an {term}`MDAD` means where answers have {term}`grades <graded score>`, and how many items a grade saves
# - how to measure agreement for ratings from preferences, with {term}`battles <battle>` in the place of items
# - what a gap of so many {term}`rating` points is worth, and how many battles see it
# - why neighbouring {term}`checkpoints <checkpoint>` of a training run are easy to tell apart, and why progress is still imagined
#
# **Reading time** 25 minutes.
# **Running time** one to two minutes.

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

import mbnb

p = mbnb.parameters(globals())
p

# %% tags=["hide-input"]
study = mbnb.open_study(p)
study

# %% [markdown]
# Every page so far asked which of two models has more answers right.
# Yet {term}`agreement` needs no right and wrong.
# It needs three things: a number for each model by the whole benchmark, a number by the part of it that you can afford, and pairs of models whose order by the one is looked up in the other.
# The {term}`gap` is the difference by the whole, in whatever unit the number has, and the MDAD is the smallest gap at which four pairs out of five keep their order.
# This page takes that to three other places: grades, preferences, and the checkpoints of one training run.
#
# ## Grades
#
# An answer may be worth something between nothing and all: the share of unit tests that pass, a judge's mark, the probability given to the right option, the share of repeated samples that are right.
# Three ways to score the very same answers are set side by side here.
#
# - **Right or wrong**: the answer that the model thinks likeliest, 0 or 1.
# - **Sampled once**: one answer drawn at random from what the model might say, 0 or 1.
#   Its chance of being right is the {term}`confidence`.
# - **Graded**: the confidence itself, which is the mean of infinitely many samples.
#
# {numref}`fig-27-scorings` draws the MDAD of {term}`uniform sampling` for each, in points of its own mean score.

# %%
kinds = mbnb.scorings(study)
runs = {kind: own.run("uniform") for kind, own in kinds.studies.items()}
mdads = pd.concat(
    study.mdad(mbnb.agreement(trials)).assign(selector=kind) for kind, trials in runs.items()
)

# %% tags=["hide-input"]
mbnb.say(kinds.note)

# %% mystnb={"figure": {"caption": "MDAD of uniform sampling for three ways of scoring the same answers, each judged by its own full half, with 95 % intervals. Data: {glue:text}`graded-data`.", "name": "fig-27-scorings"}, "image": {"alt": "Line chart: MDAD in points against size for answers that are right or wrong, sampled once, and graded. All three fall; the line of graded answers is the lowest at every size."}} tags=["hide-input"]
by_scoring = mbnb.draw_mdad(mdads)
plt.close(by_scoring)
by_scoring

# %% tags=["hide-input"]
facts = []
for kind, trials in runs.items():
    own = mdads[mdads["selector"] == kind].set_index("size")["mdad"]
    tied = mbnb.tied_share(trials).set_index("size")["tied"]
    shared = own / mbnb.spread(trials)
    for name, row in (
        ("MDAD (points)", own.map(mbnb.format_mdad)),
        ("MDAD ÷ spread", shared.map("{:.2f}".format).where(shared.notna(), "not reached")),
        ("pairs tied", tied.map(mbnb.percent)),
    ):
        facts.append({"scoring": kind, "": name} | {f"{k:,}": row[k] for k in row.index})
mbnb.show(pd.DataFrame(facts).set_index(["scoring", ""]))

# %% tags=["hide-input"]
smallest, right, grades = study.smallest, runs["right or wrong"], runs["graded"]
by_ties = [
    study.mdad(mbnb.agreement(right, ties=ties)).set_index("size")["mdad"]
    for ties in ("wrong", "half")
]
matrices = {kind: own.matrix for kind, own in kinds.studies.items()}
standing = pd.DataFrame({kind: m.accuracies() for kind, m in matrices.items()})
tau = standing["right or wrong"].corr(standing["graded"], method="kendall")
first_sizes = sorted(mdads["size"].unique())
mbnb.say(
    "*Spread: the standard deviation of the target models' full scores, in points, by which MDADs "
    "of different scales can be compared.*",
    f"The spread is {mbnb.spread(right):.1f} points for right or wrong and "
    f"{mbnb.spread(grades):.1f} for grades.",
    f"With ties counted half, the MDAD of right or wrong at {first_sizes[0]:,} items is "
    f"{mbnb.format_mdad(by_ties[1].iloc[0])} in the place of "
    f"{mbnb.format_mdad(by_ties[0].iloc[0])}; with grades it is "
    f"{mbnb.format_mdad(mdads[mdads['selector'] == 'graded']['mdad'].iloc[0])}.",
    f"The two full rankings are not the same: Kendall’s tau between them is {tau:.2f}.",
)

# %% [markdown]
# Read the table in this order.
#
# *The unit.*
# A point of the mean grade is no point of accuracy, and grades may be more crowded or less.
# Divide by the spread before you compare two scales.
#
# *The ties.*
# Two counts out of ten are often equal, and a tie counts as wrong.
# Two mean grades are hardly ever equal, so a part of the gain at small sizes is that ties are gone.
# It is a real gain if you must decide, and none if a tie is an answer that you can live with.
#
# *The goal.*
# A mean grade ranks models by something else than accuracy.
# An over-confident model is punished by it, and a model that is right by a hair is not rewarded as one that knows.
# Say first which of the two you want to know.
#
# ### Where the saving comes from
#
# Call $p_A$ and $p_B$ the grades of two models on an item.
# A single sample each differs by $X_A-X_B$, and its variance over items splits:
#
# $$\begin{gathered}\operatorname{Var}(X_A-X_B)=\underbrace{\operatorname{Var}(p_A-p_B)}_{\text{items}}\\+\;\underbrace{\operatorname{E}\bigl[p_A(1-p_A)+p_B(1-p_B)\bigr]}_{\text{generation}}\end{gathered}$$
#
# The gap is the same on both sides, so grades take away the second part, the {term}`generation noise` {cite:p}`miller2024error,wang2025noises`, and leave the first.
# A pair is ordered by $k$ items as surely as $k\,d^2/\operatorname{Var}$ is large, so the items that do the same go with $\operatorname{Var}/d^2$.

# %%
scored_as = [
    ("sampled once", "graded"),
    ("right or wrong", "graded"),
    ("sampled once", "right or wrong"),
]
share_of = {
    (few, many): mbnb.size_shares(matrices[few], matrices[many], 5_000, p.seed)
    for few, many in scored_as
}

# %% tags=["hide-input"]
saved = pd.DataFrame(
    {
        "in the place of": [few for few, _ in share_of],
        "scored as": [many for _, many in share_of],
        "pairs": [f"{len(table):,}" for table in share_of.values()],
        "variance": [mbnb.percent(t["variance_share"].median()) for t in share_of.values()],
        "items needed": [mbnb.percent(t["size_share"].median()) for t in share_of.values()],
        "half of the pairs": [
            f"{mbnb.percent(t['size_share'].quantile(0.25))} to "
            f"{mbnb.percent(t['size_share'].quantile(0.75))}"
            for t in share_of.values()
        ],
    }
).set_index("in the place of")
once = share_of["sampled once", "graded"]["size_share"].median()
mbnb.show(saved)

# %% tags=["hide-input"]
noise = mbnb.pair_noise(matrices["graded"], 5_000, p.seed)
expected = mbnb.expected_graded_mdad(noise, first_sizes, grades.n_train, p.threshold)
measured_own = mdads[mdads["selector"] == "graded"].set_index("size")["mdad"]
off = (measured_own - expected).abs().mean()
study.insert(once=mbnb.percent(once))
mbnb.say(
    "*Of pairs of models that both scorings order alike: variance of the difference of two scores, "
    "and items that do the same, as a share of what the scoring in the first column has and needs; "
    "medians.*",
    "A formula says as much without a trial: by the normal approximation the MDADs of grades are "
    + mbnb.listed([f"{expected[k]:.1f} at {k:,}" for k in first_sizes])
    + f" items, {off:.1f} points from those measured on average.",
)

# %% [markdown]
# With grades you need {glue:text}`once` of the items that single samples need.
# That is no free gift where a grade is a mean of samples.
# With $m$ samples on each of $k$ items the noise is $(V_{\text{items}}+V_{\text{generation}}/m)/k$ at a cost of $mk$ answers, and at a given cost it is least at $m=1$.
# So **ask a new item before you ask an old one again**, as long as there are new ones.
# Grades pay where they cost nothing (log-probabilities, unit tests that ran anyway), where asking costs less than an item does, and where the items have run out.
#
# ### On real answers
#
# One of the real leaderboards comes with grades: open models answered the items of twelve benchmarks several times at a temperature of 0.7, and the grade is the share of right answers {cite:p}`wang2025noises`.

# %% tags=["hide-input"]
kept = mbnb.measured("graded")
real = kept[kept["dataset"] == "resampled-t07"]
shown = {
    "uniform": [
        "right or wrong",
        "sampled once",
        "graded",
        "sampled once, judged by grades",
        "graded, judged by right or wrong",
    ],
    "anchor-points": ["right or wrong", "graded"],
}
told = pd.concat(
    real[(real["selector"] == selector) & (real["scoring"] == scoring)]
    for selector, scorings in shown.items()
    for scoring in scorings
)
wide = told.assign(mdad=told["mdad"].map(mbnb.format_mdad)).pivot(
    index=["selector", "scoring"], columns="size", values="mdad"
)
wide = wide.loc[list(dict.fromkeys(zip(told["selector"], told["scoring"], strict=True)))]
wide = wide.rename(index=mbnb.label, level=0)
wide = wide.rename(columns="{:,}".format).rename_axis(columns="Size", index=[None, None])
mbnb.show(wide)

# %% tags=["hide-input"]
shares = mbnb.measured("graded-shares").set_index(["dataset", "scoring", "other"])
real_once = shares.loc[("resampled-t07", "sampled once", "graded")]
real_right = shares.loc[("resampled-t07", "right or wrong", "graded")]
plain = real[real["selector"] == "uniform"].set_index(["scoring", "size"])
theory_off = (plain["mdad"] - plain["expected"]).abs().groupby("scoring").mean()
by_cell = real.set_index(["selector", "scoring", "size"])["mdad"].sort_index()
anchors = by_cell["anchor-points", "right or wrong"]
counted, averaged = (
    by_cell["uniform", scoring]
    for scoring in ("right or wrong", "graded, judged by right or wrong")
)
study.insert(real_once=mbnb.percent(real_once["median"]))
mbnb.say(
    "*MDAD in points on the train half, resampled-t07, measured for this book. “Judged by” says "
    "whose order is asked for: one sample an item may have to tell the order of the mean grades, and "
    "grades the order of right and wrong.*",
    f"Grades need {mbnb.percent(real_once['median'])} of the items of single samples in the median "
    f"pair ({mbnb.percent(real_once['q25'])} to {mbnb.percent(real_once['q75'])} in half of them), "
    f"and {mbnb.percent(real_right['median'])} of those of right or wrong by majority.",
    f"The formula is {theory_off['graded']:.1f} points off on average for grades.",
    "These grades are means of about a dozen samples, not of infinitely many, and still hold a "
    "twelfth of the generation noise.",
)

# %% [markdown]
# One row of this table throws light on another chapter.
# {term}`Anchor Points` averages confidences and not scores, so it has grades even where the order of right and wrong is asked for.
# Give uniform sampling the same grades before you compare.

# %% tags=["hide-input"]
mbnb.say(
    f"At 10, 25 and 50 items uniform sampling of right and wrong has MDADs of "
    f"{mbnb.listed([mbnb.format_mdad(counted[k]) for k in (10, 25, 50)])} points, Anchor Points "
    f"{mbnb.listed([mbnb.format_mdad(anchors[k]) for k in (10, 25, 50)])}, and uniform sampling that "
    "averages the grades of the same items "
    f"{mbnb.listed([mbnb.format_mdad(averaged[k]) for k in (10, 25, 50)])}.",
    f"So of a lead of {(counted - anchors).loc[[10, 25, 50]].mean():.1f} points on average, "
    f"{(counted - averaged).loc[[10, 25, 50]].mean():.1f} come from what is averaged and not from "
    "which items are asked.",
)

# %% [markdown]
# Here a grade costs some dozen answers and saves about half of the items.
# At equal cost, a dozen times as many items asked once would have seen far smaller gaps.
#
# ## Preferences
#
# Where no answer is right, people or judges say which of two they prefer.
# Such a {term}`battle` is one row of the data: two models, a prompt, a winner or a tie.
# Arenas turn battles into {term}`ratings <rating>` {cite:p}`chiang2024arena` by the model of Bradley and Terry {cite:p}`bradley1952rank`: each model has a strength $\beta$, and $A$ beats $B$ with probability $1/(1+e^{\beta_B-\beta_A})$.
# The strengths that make the battles likeliest exist if, and only if, the models cannot be split into two groups of which one never beat the other {cite:p}`ford1957solution`; `mbnb` checks that and names the models that stand apart.
# A tie counts as half a win of each.
# Ratings are told on the scale of chess (Elo): 400 points are odds of ten to one.
#
# Now let **battles be the items**.
# The full benchmark is all battles, the micro-benchmark some of them, a model's number its rating, the gap a difference in rating points.
# Nothing else changes: a {term}`trial` halves the prompts, rates all models on each half, draws some battles of the train half, and rates again.
# The tables that result are those of every other chapter, and so is the function that counts agreement; only the width of a {term}`bin` is given in rating points, here 10.

# %%
arena = mbnb.simulate_arena(seed=p.seed)
ratings = mbnb.fit_ratings(arena)["rating"]
counts_of = [100, 250, 500, 1000, 2500, 5000]
fought = mbnb.run_battles(arena, counts_of, n_trials=p.n_trials, seed=p.seed)
rated = mbnb.agreement(fought, width=10)

# %% mystnb={"figure": {"caption": "Agreement of ratings by few battles with ratings by all of the train half, by the gap in rating points; above, how often the better model of such a pair wins. Battles drawn uniformly. Data: a simulated arena whose models, prompts and judges do not exist.", "name": "fig-27-ratings"}, "image": {"alt": "Curves of agreement against the gap in rating points, one for each number of battles. Each rises from one half to one; with more battles the rise comes at smaller gaps."}} tags=["hide-input"]
rating_curve = rated.curve()
mbnb.draw_rating_agreement(
    rating_curve[rating_curve["selector"] == "uniform"], threshold=p.threshold
)

# %% tags=["hide-input"]
ways = {"uniform": "at random", "prompts": "whole prompts", "neighbours": "near neighbours"}
rating_mdad = study.mdad(rated)
by_way = rating_mdad.assign(
    text=[mbnb.format_interval(row) for _, row in rating_mdad.iterrows()]
).pivot(index="selector", columns="size", values="text")
by_way = by_way.rename(index=str).loc[list(ways)].rename(index=ways)
derived = mbnb.expected_rating_mdad(
    ratings,
    counts_of,
    fought.n_train,
    tie_share=arena.tie_share,
    threshold=p.threshold,
)
by_way.loc["derived, at random"] = derived.map("{:.0f}".format)
by_way.columns = pd.Index([f"{size:,}" for size in by_way.columns], name="Battles")
by_way.index.name = None
mbnb.show(by_way)

# %% tags=["hide-input"]
at_random = rating_mdad[rating_mdad["selector"] == "uniform"].set_index("size")["mdad"]
chances = {gap: mbnb.win_probability(gap) for gap in (10, 20, 50, 100)}
seen = at_random[1000]
mbnb.say(
    f"*MDAD in rating points with 95 % intervals, {arena.n_models} models, {fought.n_train:,} "
    "battles in a train half.*",
    *fought.notes,
    f"The better of two models that are {mbnb.listed([str(gap) for gap in chances])} points apart wins "
    + mbnb.listed([f"{100 * chance:.1f}\N{NO-BREAK SPACE}%" for chance in chances.values()])
    + " of the battles.",
    f"A thousand battles among {arena.n_models} models see "
    + (
        f"{seen:g} points, a better model that wins {mbnb.percent(mbnb.win_probability(seen))} of the time."
        if np.isfinite(seen)
        else "no gap that occurs."
    ),
)

# %% [markdown]
# ### A formula for arenas
#
# If pairs are drawn with equal chance and models are about equally strong, each battle carries an information of ¼, and the difference of two ratings among $n$ models has variance
#
# $$\frac{4\,(n-1)}{k}\quad\text{in squared log-odds,}$$
#
# so that with 0.84 standard deviations, and 400 points for odds of ten to one,
#
# $$\begin{aligned}\text{MDAD}&\approx0.84\cdot\frac{400}{\ln 10}\cdot2\sqrt{\frac{n-1}{k}}\\&\approx292\sqrt{\frac{n-1}{k}}\ \text{rating points.}\end{aligned}$$
#
# The last row of the table refines it: each pair's own chance, the ties, and the battles that a finite half has.
# It lies somewhat below the measured rows, since an MDAD moves in steps of a bin and is rounded up, and since 100 battles are too few for an approximation.
# Two things follow.
# Battles are shared by all models, so **the price of a gap grows with the number of models**: what counts is battles *per model*, $2k/n$.
# And as with items, half the gap takes four times the battles.
#
# ### Can one choose battles?
#
# A battle between unequal models says little, since one knows who wins.
# So the row “near neighbours” spends half of its battles at random and the other half on models that these placed close together.
# Arenas do something of the kind: they draw those pairs more often whose battles reduce the uncertainty most {cite:p}`chiang2024arena`.

# %% tags=["hide-input"]
grid = rating_mdad.pivot(index="size", columns="selector", values="mdad")
shares_of = {
    way: float(np.exp(np.log((grid[way] / grid["uniform"])[grid["uniform"] > 0]).mean()))
    for way in ("neighbours", "prompts")
}
information = [
    float(np.mean(chance * (1 - chance)))
    for near in (False, True)
    for gaps in [np.abs(np.subtract.outer(ratings.to_numpy(), ratings.to_numpy()))]
    for rank in [ratings.rank().to_numpy()]
    for close in [np.abs(np.subtract.outer(rank, rank)) <= (arena.n_models / 6 if near else 99)]
    for chance in [mbnb.win_probability(gaps[close & (gaps > 0)])]
]
mbnb.say(
    f"Its MDAD is {mbnb.percent(shares_of['neighbours'])} of that of random battles, in the "
    "geometric mean over the sizes"
    + ("." if shares_of["neighbours"] < 0.95 else ": here it does not pay."),
    f"The reason can be computed: a battle's information is at most 0.25, is {information[0]:.3f} on "
    f"average over all pairs and {information[1]:.3f} between neighbours, so at most "
    f"{mbnb.percent(1 - information[0] / information[1])} of the battles can be saved, and the half "
    "that is drawn blindly saves nothing.",
    f"Whole prompts, with {arena.n_battles / np.unique(arena.prompt).size:.0f} battles each, have "
    f"{mbnb.percent(shares_of['prompts'])} of the MDAD of single battles.",
)

# %% [markdown]
# Active choice pays where strengths lie far apart (Exercise 3), or where you care about a few models alone: then spend the battles on *them*.
#
# ### Battles in a response matrix
#
# A response matrix holds battles too: on an item on which two models disagree, the one that is right wins.
# {glue:text}`battles-note`
# Measured for this book on real leaderboards, and a simulated one, it comes out as follows.

# %% tags=["hide-input"]
own_models = sorted(map(str, study.targets.model_ids))
implied = mbnb.battles_of(study.matrix, 20_000, models=own_models, seed=p.seed)
implied_ratings = mbnb.fit_ratings(implied, prior=1)["rating"]
own_accuracy = pd.Series(study.matrix.accuracies(), index=study.matrix.model_ids.astype(str))
rank_tau = implied_ratings.corr(own_accuracy.loc[own_models], method="kendall")
study.insert(
    battles_note=(
        f"Rated by {implied.n_battles:,} such battles, the {implied.n_models} target models of the "
        f"first trial on {study.matrix.name} come in an order like that of their accuracies "
        f"(Kendall’s tau {rank_tau:.2f})."
    )
)
battles_kept = mbnb.measured("battles")
train_battles = battles_kept[battles_kept["half"] == "train"]
table = train_battles[train_battles["way"] != "neighbours"].pivot(
    index=["dataset", "way"], columns="size", values="mdad"
)
table = table.map(mbnb.format_mdad).sort_index(level="way", ascending=False, sort_remaining=False)
table = table.sort_index(level="dataset", sort_remaining=False).rename(index=ways, level=1)
table = table.rename(columns="{:,}".format).rename_axis(columns="Battles", index=[None, None])
traits = battles_kept.drop_duplicates("dataset").set_index("dataset")
for place, (name, column) in enumerate((("spread", "spread"), ("tau", "tau_accuracy"))):
    told_as = traits[column].map("{:.2f}".format if name == "tau" else "{:.0f}".format)
    table.insert(place, name, [told_as[row[0]] for row in table.index])
mbnb.show(table)

# %% tags=["hide-input"]
by_choice = train_battles.pivot(index=["dataset", "size"], columns="way", values="mdad")
by_choice["expected"] = train_battles[train_battles["way"] == "uniform"].set_index(
    ["dataset", "size"]
)["expected"]
both = by_choice.dropna()
both = both[(both > 0).all(axis=1)]
ratio = both["neighbours"] / both["uniform"]
dependent = np.log(both["prompts"] / both["uniform"]).groupby("dataset").mean().map(np.exp)
off_battles = (both["uniform"] - both["expected"]).abs()[both.index.get_level_values("size") >= 500]
mbnb.say(
    "*MDAD in rating points, 30 models and 20,000 battles of each matrix; spread: standard deviation "
    "of the ratings; tau: rank correlation of ratings and accuracies.*",
    f"The formula is {off_battles.mean():.0f} points off on average from 500 battles on.",
    f"Near neighbours see a smaller gap than random battles in {(ratio < 1).sum()} of {len(ratio)} "
    f"cells and a larger one in {(ratio > 1).sum()}; their MDAD is "
    f"{mbnb.percent(float(np.exp(np.log(ratio).mean())))} of that of random battles in the geometric "
    "mean.",
)

# %% [markdown]
# Look at the whole prompts.
# In the simulated arena they cost little, with few battles on each prompt and judges who err by themselves.
# Here a model that is right on an item beats everybody who is wrong on it, so the battles on one item are nearly one and the same piece of news; the fewer the items, the more battles each of them has.

# %% tags=["hide-input"]
mbnb.say(
    "The MDAD of as many battles on whole prompts is "
    f"{mbnb.percent(dependent.min())} ({dependent.idxmin()}) to {mbnb.percent(dependent.max())} "
    f"({dependent.idxmax()}) of that of battles drawn at random.",
    "What counts is prompts as much as battles: spread your battles over as many prompts as you can.",
)

# %% [markdown]
# ## Checkpoints of one run
#
# While a model is trained, a micro-benchmark is asked again and again, and the question is always the same: is the run getting better?
# The pairs that matter are no longer all pairs, but a {term}`checkpoint` and the one after it, or some steps after.
#
# The runs of this section are simulated.
# An item's answer is carried from checkpoint to checkpoint, with some learnt and some forgotten; the ability climbs, then stays on a plateau; and each checkpoint wobbles a little as a whole, up or down, as real ones do {cite:p}`heineman2025signal`.

# %%
training = mbnb.simulate_runs(8, seed=p.seed)
runs_judged = training.models[training.models["family"] != "sim-run-1"]
watched = mbnb.run_trials(
    training,
    ["uniform"],
    [size for size in (10, 25, 50, 100, 250, 500, 1000)],
    n_trials=p.n_trials,
    n_source=30,
    targets=list(runs_judged.index),
    estimators=["weighted-mean", "confidence-mean"],
    seed=p.seed,
    store=mbnb.ResultStore(),
)

# %% mystnb={"figure": {"caption": "One training run: the accuracy that its ability alone would give, that of its checkpoints on a whole half, and two estimates from the same 100 items. Data: a simulated run, first trial.", "name": "fig-27-run"}, "image": {"alt": "Accuracy against checkpoint. A broad line rises and levels off; the accuracy on the whole half follows it with small wobbles; the estimate from 100 items follows with larger ones, at some distance; the mean confidence follows smoothly."}} tags=["hide-input"]
one_run = runs_judged[runs_judged["family"] == "sim-run-2"]
first = watched.table[(watched.table["trial"] == 0) & (watched.table["size"] == 100)]
first = first.assign(step=first["model"].astype(str).map(one_run["step"])).dropna(subset="step")
lines = {
    estimator: 100 * rows.set_index("step")[["train_accuracy", "estimate"]].sort_index()
    for estimator, rows in first.groupby("estimator", observed=True)
}
mbnb.draw_run(
    {
        "what its ability alone would give": 100 * one_run.set_index("step")["trend"],
        f"accuracy, {watched.n_train:,} items": lines["weighted-mean"]["train_accuracy"],
        "accuracy, 100 items": lines["weighted-mean"]["estimate"],
        "mean confidence, 100 items": lines["confidence-mean"]["estimate"],
    }
)

# %% [markdown]
# ### Why fewer items do
#
# The noise of a comparison hangs on the {term}`disagreement rate` $r$: items needed are about $(0.84/d)^2\,(r-d^2)$ for a gap $d$.
# Strangers disagree on a good part of the items.
# Neighbours are almost the same model.

# %% tags=["hide-input"]
rows = {}
for lag in (1, 2, 5, 10):
    apart = mbnb.neighbour_disagreement(training, lag)
    near = apart[apart["gap"].abs().between(1, 3)]
    rows[f"{lag} checkpoint{'s' if lag > 1 else ''} apart"] = near["disagreement"].median()
strangers = mbnb.compare_pairs(
    training.subset(models=list(training.models.index[~training.models["plateau"]])), seed=p.seed
)
family = training.models["family"]
other_run = strangers["better"].map(family) != strangers["worse"].map(family)
rows["of two runs"] = strangers[other_run & strangers["gap"].between(1, 3)]["disagreement"].median()
needed = pd.DataFrame(
    {
        "disagreement": [mbnb.percent(rate / 100) for rate in rows.values()],
        **{
            f"items for {gap} point{'s' if gap > 1 else ''}": [
                f"{(0.8416 / gap) ** 2 * (100 * rate - gap**2):,.0f}" for rate in rows.values()
            ]
            for gap in (1, 2, 4)
        },
    },
    index=list(rows),
)
mbnb.show(needed)

# %% tags=["hide-input"]
lags = {lag: mbnb.neighbour_agreement(watched, runs_judged, lag) for lag in (1, 5)}
lag_rows = {
    f"all pairs, {estimator}": rows
    for estimator, rows in study.mdad(mbnb.agreement(watched)).groupby("estimator", observed=True)
}
for lag, own_counts in lags.items():
    for estimator, own_rows in study.mdad(own_counts).groupby("estimator", observed=True):
        lag_rows[f"{lag} apart, {estimator}"] = own_rows
lag_table = pd.DataFrame(
    {
        name.replace("weighted-mean", "accuracy").replace("confidence-mean", "mean confidence"): {
            f"{int(row['size']):,}": mbnb.format_mdad(row["mdad"]) for _, row in rows.iterrows()
        }
        for name, rows in lag_rows.items()
    }
).T
lag_table.columns.name = "Size"
mbnb.show(lag_table)

# %% tags=["hide-input"]
strict, kind = (
    mbnb.neighbour_agreement(watched, runs_judged, 1, ties=ties) for ties in ("wrong", "half")
)
is_accuracy = (strict.cells["estimator"] == "weighted-mean").to_numpy()
tied_at = 2 * (kind.agreeing - strict.agreeing).sum(axis=(1, 2)) / strict.pairs.sum(axis=(1, 2))
ties_by_size = dict(zip(strict.cells["size"][is_accuracy], tied_at[is_accuracy], strict=True))
saving = mbnb.percent(rows["1 checkpoint apart"] / rows["of two runs"])
study.insert(neighbour_share=saving)
mbnb.say(
    "*First table: median disagreement of pairs one to three points apart, and the items that order "
    "a pair with that disagreement four times in five. Second table: MDAD in points, by how far "
    "apart the two checkpoints are, and by what is averaged over the items.*",
    f"Neighbours need {saving} of the items that models of two runs need for the same gap.",
    "At small sizes that does not show, and the reason is the same: among few items there is hardly "
    "one on which neighbours differ, so "
    + mbnb.listed([f"{mbnb.percent(ties_by_size[k])} at {k}" for k in (10, 50, 250)])
    + " items tie, and a tie is no answer.",
)

# %% [markdown]
# A grade helps here more than anywhere: it moves on every item, also where the answer stays.
# The rows of the mean confidence see small gaps with few items.
# Smooth measures are recommended for training runs for that reason {cite:p}`schaeffer2023mirage,heineman2025signal`.
# Be careful with the size of this gain: the simulated confidences are read off the very number that decides about the answer, and those of a real run may drift for other reasons than ability.
#
# ### When noise looks like progress
#
# Agreement is asked of pairs that differ.
# On a plateau there is nothing to agree with, and “the later one has the higher estimate” is then true about every other time.
# {numref}`fig-27-calls` shows three rules.
#
# - **Any gain**: the later checkpoint has the higher estimate.
# - **Beyond noise**: its gain is above what drawing the items explains, $1.64\sqrt{r\,(1/k-1/N)}$ with the disagreement rate of such pairs.
# - **Beyond noise, means of five**: the same rule on the mean of five checkpoints and the mean of the five before.
#
# All compare checkpoints five steps apart.

# %%
apart = 5
rate = mbnb.neighbour_disagreement(training, apart)["disagreement"].mean() / 100
called = mbnb.progress_calls(watched, runs_judged, rate, lag=apart)
steady = mbnb.smoothed(watched, runs_judged, apart)
late = runs_judged[runs_judged["step"] >= apart]
called_steady = mbnb.progress_calls(steady, late, rate, lag=apart)

# %% mystnb={"figure": {"caption": "How often progress is called between checkpoints five steps apart, by three rules. Above, pairs on the climb, where there is some; below, pairs on the plateau, where there is none; the dotted line is the 5 % that the second rule is made for. Data: seven simulated runs.", "name": "fig-27-calls"}, "image": {"alt": "Two charts against size. Above, all three rules find more progress with more items, any gain the most. Below, any gain raises false alarms in nearly half of the pairs at every size; the rule beyond noise starts under five per cent and rises above it at the largest sizes; with means of five it stays low."}} tags=["hide-input"]
by_rule = {
    "any gain": called[called["rule"] == "any gain"],
    "beyond noise": called[called["rule"] == "beyond noise"],
    "beyond noise, means of five": called_steady[called_steady["rule"] == "beyond noise"],
}
by_rule = {name: rows[rows["estimator"] == "weighted-mean"] for name, rows in by_rule.items()}
mbnb.draw_calls(by_rule)

# %% tags=["hide-input"]
at = {name: rows.set_index("size") for name, rows in by_rule.items()}
alarms = {name: rows["false_alarms"] for name, rows in at.items()}
found = {name: rows["found"] for name, rows in at.items()}
study.insert(plateau_alarms=mbnb.percent(alarms["any gain"][100]))
mbnb.say(
    f"At 100 items “any gain” is a false alarm in {mbnb.percent(alarms['any gain'][100])} of the pairs on the "
    f"plateau and finds {mbnb.percent(found['any gain'][100])} of the climbs; the rule beyond noise has "
    f"{mbnb.percent(alarms['beyond noise'][100])} and {mbnb.percent(found['beyond noise'][100])}.",
    f"More items do not cure everything: at 1,000 the same rule raises {mbnb.percent(alarms['beyond noise'][1000])} "
    "false alarms, since by then it sees the wobble of the checkpoints, which is there on the whole "
    "benchmark too.",
    f"Averaging checkpoints takes the wobble away: {mbnb.percent(alarms['beyond noise, means of five'][1000])} "
    f"false alarms, and {mbnb.percent(found['beyond noise, means of five'][1000])} of the climbs found.",
)

# %% [markdown]
# So there are two noises, and each has its own cure.
# Drawing items makes noise that more items remove; the wobble of checkpoints is noise that only more checkpoints remove.
# The first is the micro-benchmark's fault, the second is not.
#
# ## Take-aways
#
# - Agreement and the MDAD need a number for each model by the whole and by a part, and nothing else; say the unit, and divide by the spread before you compare units.
# - Grades need {glue:text}`once` of the items of single samples here, and {glue:text}`real-once` on real answers.
#   Where a grade is a mean of samples, the same effort spent on new items sees more.
# - Compare selectors with the same grades: most of the lead of Anchor Points at small sizes came from them here.
# - Ratings by $k$ battles of $n$ models see gaps of about $292\sqrt{(n-1)/k}$ rating points; choosing the battles gains little unless strengths lie far apart.
#   Battles on one prompt may tell little more than one of them.
# - Neighbouring checkpoints need {glue:text}`neighbour-share` of the items that strangers need, if ties are dealt with.
# - On a plateau, “the later one is higher” is a false alarm in {glue:text}`plateau-alarms` of the pairs at 100 items.
#
# ## What to do on Monday
#
# **What is new.**
# Agreement and MDAD for mean grades, for ratings with battles as items, and for neighbouring checkpoints, with one and the same code; and how each follows from a variance.
#
# **What it rests on.**
# The Bradley–Terry model {cite:p}`bradley1952rank`, with Ford's condition {cite:p}`ford1957solution` (other algorithms for it: {cite:t}`hunter2004mm`), as arenas use it {cite:p}`chiang2024arena`; the split into the noise of items and of generation {cite:p}`miller2024error,wang2025noises`; measures and averages of checkpoints {cite:p}`heineman2025signal,schaeffer2023mirage`.
#
# **What was measured.**
# Grades on one real leaderboard and three simulated ones; battles that real response matrices imply, and a simulated arena; training runs that are simulated throughout.
# No figure of this page was measured on votes of people, nor on the checkpoints of a real run.
#
# **What to do.**
#
# 1. Keep the grades: if your harness writes probabilities or shares of passed tests, do not round them to 0 and 1 before you rank. `mbnb.graded` makes a matrix of them, and every command and function works with it.
# 2. With a budget of answers, ask each item once.
# 3. Before you read a difference of ratings, count the battles per model: `mbnb rate battles.csv` tells what gap they see.
#    Spread new battles over new prompts.
# 4. In a training run, fix the items, use the same at every checkpoint, and compare means of a few checkpoints; call progress only beyond $1.64\sqrt{r/k}$.
#
# ## Exercises
#
# ```{admonition} Exercise 1: samples or items
# :class: exercise
#
# You can pay for 1,000 answers of each model.
# You may ask 1,000 items once, 250 items four times, or 100 items ten times.
# Take the variances of the two noises from this page's grades, for pairs one to five points apart.
# How large a gap does each way see, four times in five?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
of_items = noise[noise["gap"].between(1, 5)]["variance"].median()
single = mbnb.pair_noise(matrices["sampled once"], 5_000, p.seed)
in_all = single[single["gap"].between(1, 5)]["variance"].median()
of_answers = max(in_all - of_items, 0)
seen_by = {m: 0.8416 * np.sqrt((of_items + of_answers / m) / (1000 // m)) for m in (1, 4, 10)}
mbnb.say(
    f"Of a variance of {in_all:,.0f} squared points, {of_items:,.0f} are of the items and "
    f"{of_answers:,.0f} of the answers. The ways see "
    + mbnb.listed(
        [
            f"{gap:.1f} points with {1000 // m:,} items{'' if m == 1 else f' asked {m} times'}"
            for m, gap in seen_by.items()
        ]
    )
    + ". Asking m times divides the answers' part by m; having m times fewer items multiplies both "
    "parts by m.",
)

# %% [markdown]
# ```{admonition} Exercise 2: a hundred models in the arena
# :class: exercise
#
# How many battles does it take to see 20 rating points among 30 models?
# And among 100?
# How many battles per model is that?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
unit = 0.8416 * 2 * 400 / np.log(10)
battles_for = {n: (unit / 20) ** 2 * (n - 1) for n in (30, 100)}
mbnb.say(
    "By the formula, "
    + mbnb.listed(
        [f"{k:,.0f} battles for {n} models ({2 * k / n:,.0f} each)" for n, k in battles_for.items()]
    )
    + f". The better of two models 20 points apart wins {100 * mbnb.win_probability(20):.1f}\N{NO-BREAK SPACE}% of its battles, "
    "which is why it takes so many.",
)

# %% [markdown]
# ```{admonition} Exercise 3: when choosing battles pays
# :class: exercise
#
# Simulate an arena whose strengths are five times as far apart, and compare random battles with near neighbours at 500 and 2,500 battles.
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
steep = mbnb.simulate_arena(spread=500, seed=p.seed)
steep_trials = mbnb.run_battles(
    steep, [500, 2500], ["uniform", "neighbours"], n_trials=min(p.n_trials, 20), seed=p.seed
)
steep_mdad = study.mdad(mbnb.agreement(steep_trials, width=20), min_pairs=steep_trials.n_trials)
steep_by = steep_mdad.set_index(["size", "selector"])["mdad"]
mbnb.say(
    "The MDAD is "
    + mbnb.listed(
        [
            f"{mbnb.format_mdad(steep_by[size, 'uniform'])} points at random and "
            f"{mbnb.format_mdad(steep_by[size, 'neighbours'])} with neighbours from {size:,} battles"
            for size in (500, 2500)
        ]
    )
    + ". Where most pairs are one-sided, a random battle is often a foregone conclusion, and one "
    "between neighbours is not.",
)

# %% [markdown]
# ```{admonition} Exercise 4: a run that forgets
# :class: exercise
#
# In the simulated runs an item's luck is carried over with a correlation of 0.9.
# Set the persistence to 0.
# How much larger is the disagreement of neighbours, and how many times the items does a comparison of neighbours need?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
forgetful = mbnb.simulate_runs(3, persistence=0.0, seed=p.seed)
rates = [mbnb.neighbour_disagreement(m, 1)["disagreement"].median() for m in (training, forgetful)]
mbnb.say(
    f"The median disagreement rises from {rates[0]:.1f} % to {rates[1]:.1f} %, and the items needed "
    f"with it, {rates[1] / rates[0]:.1f} times as many. What makes checkpoints cheap to compare is "
    "that they remember.",
)

# %% [markdown]
# ## Re-run this chapter
#
# ```bash
# mbnb run 27 -p n_trials=10
# mbnb run 27 -p dataset=simulated:gpqa
# MBNB_DATA=~/leaderboards mbnb run 27 -p dataset=resampled-t07
# ```

# %% tags=["remove-cell"]
study.insert(
    answer=(
        "Agreement asks for no right and wrong: it works for grades, which need "
        f"{mbnb.percent(once)} of the items that single answers do, for ratings from preferences, where "
        f"{1000:,} battles of {arena.n_models} models see {mbnb.in_points(seen)} of rating, and for "
        f"checkpoints of one run, which need {saving} of the items of strangers but seem to make "
        f"progress where there is none."
    )
)

# %% tags=["hide-input"]
study.footer(runs["graded"])
