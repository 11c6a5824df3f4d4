# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Uniform sampling
#
# Draw items blindly and you get an unbiased score whose error you know before you start; what {glue:text}`smallest` items cannot give you is the order of two models less than {glue:text}`floor-smallest` points apart, whoever they are, as long as you read the answers by their plain mean.
#
# **What you will learn**
#
# - why the yardstick of this book looks at no model at all
# - how large the error of a score is, from a formula that you can do in your head
# - why a small sample ties, and what gap no uniform sample of a given {term}`size` can show
# - when blind sampling is the right choice, and what it costs you
#
# **Reading time** 11 minutes, and half an hour for the exercises.
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
import itertools

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import display
from scipy.stats import multinomial

import mbnb

p = mbnb.parameters(globals())
p

# %% tags=["hide-input"]
study = mbnb.open_study(p)
study

# %% [markdown]
# ## How it works
#
# Put the items of the {term}`train half` into a random order and take the first $k$.
# You have drawn {term}`uniformly <uniform sampling>`: every set of $k$ items is equally likely, and the {term}`estimator` is the plain mean of the {term}`scores <score>`.
# No {term}`source model <source models>` is asked, so this {term}`selector` can be used on the day a benchmark appears, when nobody has answered it.
#
# {numref}`fig-03-draw` shows one trial.
# The curve sorts the items by {term}`difficulty`; the ticks below it mark the items chosen.
# Since each row is the beginning of the same random order, each contains the row above it.

# %%
train, sizes = study.train, study.sizes
fitted, selections, costs = mbnb.time_selector("uniform", train, sizes, seed=p.seed)
difficulty = 100 * (1 - train.scores.mean(axis=0, dtype=np.float64))
rank = np.argsort(np.argsort(difficulty, kind="stable"))

# %% mystnb={"figure": {"caption": "One uniform draw. Above: the items of the train half from the easiest to the hardest, and the per cent of source models that get each wrong. Below: a tick for each chosen item, one row for each of the smaller sizes, with the mean difficulty of the row. Rows are nested. Data: {glue:text}`data-one`.", "name": "fig-03-draw"}, "image": {"alt": "A rising curve of item difficulty above rows of tick marks that show which items were drawn at each size; the ticks lie irregularly over the whole range."}} tags=["hide-input"]
figure, (curve, rug) = plt.subplots(2, 1, figsize=(5.4, 4.8), sharex=True, layout="constrained")
place = np.linspace(0, train.n_items - 1, min(train.n_items, 500)).astype(int)
curve.plot(place, np.sort(difficulty)[place], color=mbnb.LOOKS["uniform"].color)
curve.set(ylabel="Models that are wrong\n(per cent)", ylim=(0, 100))
rows = sizes[:4]
for row, size in enumerate(rows):
    items = selections[size].items
    rug.plot(rank[items], np.full(size, row), "|", color=mbnb.LOOKS["uniform"].color, markersize=14)
means = [f"{size:,} items\nmean {difficulty[selections[size].items].mean():.0f}" for size in rows]
rug.set_yticks(range(len(rows)), means)
rug.set(
    xlabel=f"Rank among {train.n_items:,} items, easiest to hardest", ylim=(len(rows) - 0.5, -0.5)
)
rug.grid(visible=False)
plt.close(figure)
figure

# %% tags=["hide-input"]
nested = all(
    np.isin(selections[a].items, selections[b].items).all() for a, b in itertools.pairwise(sizes)
)
mbnb.say(
    f"The whole half has a mean difficulty of {difficulty.mean():.1f}.",
    f"The draw of {sizes[0]:,} has {difficulty[selections[sizes[0]].items].mean():.1f}, that of "
    f"{sizes[-1]:,} has {difficulty[selections[sizes[-1]].items].mean():.1f}.",
    "Each draw holds all the smaller ones." if nested and len(sizes) > 1 else "",
)

# %% [markdown]
# A small draw has gaps and clumps, and nothing in the method notices them.
# Some draws are too easy, some too hard, but no item is favoured: over many draws the scores centre on the right value.
#
# ## The error of a score
#
# For a model with {term}`accuracy` $a$, the score on $k$ of $N$ items has a {term}`standard error` of $\sqrt{a (1 - a) / k}$, times a correction for not drawing an item twice.
# The mean absolute error of a bell curve is $\sqrt{2/\pi} \approx 0.8$ of that.
# {numref}`fig-03-error` draws the formula, averaged over the {term}`target models`, through the {term}`errors <estimation error>` measured in the {term}`trials <trial>`.

# %%
trials = study.run("uniform")
error = mbnb.estimation_error(trials)["error"]
accuracy = trials.table.loc[trials.table["size"] == sizes[0], "train_accuracy"]
spread = np.sqrt(accuracy * (1 - accuracy)).mean()
half = train.n_items
formula = [100 * spread * np.sqrt(2 / np.pi * (half - k) / (half - 1) / k) for k in sizes]

# %% mystnb={"figure": {"caption": "Estimation error of uniform sampling: dots are measured, the line is derived from the accuracies of the target models alone. Both axes are logarithmic: four times the items halve the error. Data: {glue:text}`data`.", "name": "fig-03-error"}, "image": {"alt": "Mean absolute estimation error in points against size, both on logarithmic axes: a falling straight line from a formula, with measured dots beside it."}} tags=["hide-input"]
figure, axes = plt.subplots()
axes.plot(sizes, formula, color=mbnb.THRESHOLD, label="derived")
axes.plot(sizes, error, "o", color=mbnb.LOOKS["uniform"].color, label="measured")
axes.set_yscale("log")
ticks = [tick for tick in (0.2, 0.5, 1, 2, 5, 10, 20) if 0.8 * min(formula) < tick]
axes.set_yticks(ticks, map(str, ticks))
axes.minorticks_off()
axes.set_ylabel("Mean estimation error (points)")
mbnb.size_axis(axes, sizes)
axes.legend()
plt.close(figure)
figure

# %% tags=["remove-cell"]
strict = mbnb.agreement(trials)
lenient = mbnb.agreement(trials, ties="half")
ties = 200 * (lenient.agreeing - strict.agreeing).sum(axis=(1, 2)) / strict.pairs.sum(axis=(1, 2))
table = study.mdad(strict)
floor = mbnb.uniform_floor(sizes, p.threshold)
study.insert(
    smallest=sizes[0],
    largest=sizes[-1],
    floor_smallest=f"{floor.iloc[0]:.1f}",
    threshold=f"{p.threshold:g}",
    mdad_smallest=mbnb.in_points(table["mdad"].iloc[0]),
    mdad_largest=mbnb.in_points(table["mdad"].iloc[-1]),
    error_smallest=f"{error.iloc[0]:.1f}",
    ties_smallest=f"{ties[0]:.0f}",
    ties_largest=f"{ties[-1]:.0f}",
    values=sizes[0] + 1,
)

# %% [markdown]
# ## Why a small draw cannot rank
#
# An error of {glue:text}`error-smallest` points at {glue:text}`smallest` items does not yet say that models closer than that are in the wrong order, since both models answer the same items and share much of the luck.
# What hurts is coarseness.
# A plain mean of {glue:text}`smallest` right-or-wrong scores takes one of {glue:text}`values` values, so models tie: {glue:text}`ties-smallest` % of the pairs at {glue:text}`smallest` items, {glue:text}`ties-largest` % at {glue:text}`largest`.
# A {term}`tie` is no order, and the study counts it as wrong.
#
# That alone sets a limit.
# Take the best case, a model that wins a share $d$ of the items and loses none.
# A sample shows a difference only if it holds one of those items, which happens with probability $1 - (1 - d)^k$.
# For an {term}`agreement` of $t =$ {glue:text}`threshold` you therefore need $d \ge 1 - (1 - t)^{1/k}$, the {term}`floor`.
# Most pairs also lose items, so the {term}`MDAD` lies above it ({numref}`fig-03-mdad`).
# [](./09_agreement_mdad) builds up both words; until then, read MDAD as “the smallest gap that is ordered rightly often enough”.

# %% mystnb={"figure": {"caption": "MDAD of uniform sampling by size, with 95 % intervals, and the floor that holds for any two models. Bins decide only if they hold one pair a trial on average. Data: {glue:text}`data`.", "name": "fig-03-mdad"}, "image": {"alt": "MDAD in points against size on a logarithmic axis: a falling line with intervals, above a dotted falling line, the floor."}} tags=["hide-input"]
drawn = mbnb.draw_mdad(table, floor=floor)
plt.close(drawn)
drawn

# %% tags=["hide-input"]
told = {
    name: mbnb.reported(f"mdad-{name}").query("selector == 'uniform'").set_index("size")["mdad"]
    for name in ("mmlu-pro", "bbh")
}
beside = pd.DataFrame(
    {
        "floor (derived)": [f"{value:.1f}" for value in floor],
        "measured here": [mbnb.format_mdad(value) for value in table["mdad"]],
        "reported, MMLU-Pro": [
            mbnb.format_mdad(told["mmlu-pro"].get(k, np.nan)) if k in told["mmlu-pro"] else "–"
            for k in sizes
        ],
        "reported, BBH": [
            mbnb.format_mdad(told["bbh"].get(k, np.nan)) if k in told["bbh"] else "–" for k in sizes
        ],
        "tied pairs (per cent)": [f"{value:.1f}" for value in ties],
    },
    index=pd.Index([f"{k:,}" for k in sizes], name="Size"),
)
mbnb.show(beside).set_caption("MDAD of uniform sampling, in points.")

# %% tags=["hide-input"]
lowest = mbnb.uniform_floor(told["mmlu-pro"].index)
broken = [
    f"{told[name][k]:g} points on {title} at {k:,} items, where the floor is {lowest[k]:.1f}"
    for name, title in (("mmlu-pro", "MMLU-Pro"), ("bbh", "BBH"))
    for k in lowest.index
    if told[name][k] < lowest[k] - 0.25
]
lucky = [k for k, value in zip(sizes, table["mdad"], strict=True) if value < floor[k] - 0.25]
mbnb.say(
    "The reported values reach us through a reader’s summary of the paper’s figures, so they are approximate.",
    f"{'One' if len(broken) == 1 else 'Some'} cannot be right under the strict rule for ties, however "
    f"they were read: {mbnb.listed(broken)}."
    if broken
    else "None of them lies below the floor.",
    f"The values measured here fall below it at {mbnb.listed([f'{k:,}' for k in lucky])} items, by "
    "luck: agreement is a share of finitely many pairs, and the first bin to reach the threshold "
    "counts, so few trials read too low."
    if lucky
    else "No value measured here lies below it.",
)

# %% [markdown]
# Nothing in this section asked whether the models are real.

# %% tags=["hide-input"]
at_ten, at_hundred = mbnb.beside_real("uniform", 10), mbnb.beside_real("uniform", 100)
mbnb.say(
    f"On {at_ten.n} real leaderboards the MDAD of uniform sampling was measured as {at_ten.span} at "
    f"10 items and as {at_hundred.span} at 100, on the simulated MMLU-Pro as "
    f"{mbnb.in_points(at_ten.simulated)} and {mbnb.in_points(at_hundred.simulated)}.",
    f"Of the {at_ten.n}, {int((at_ten.real < mbnb.uniform_floor([10]).iloc[0]).sum()) or 'none'} "
    "lie below the floor.",
)

# %% [markdown]
# How hard a pair is to order depends on its {term}`disagreement rate`; [](./20_trust_in_the_simulation) shows how well the simulation meets it.
#
# The same limit does not bind a selector whose estimate is finer than a count of right answers.
# Weights break ties, and so do {term}`confidences <confidence>`: [](./07_anchor_points) shows how far that alone goes.
#
# ## When it is good, and when not
#
# Uniform sampling is the right choice when you have no source models, when you cannot trust that new models err like the old ones, or when you can afford some hundreds of items.
# From there on nothing beats it by much ([](./13_parity_at_250)), and its error is known without a study.
# It is a poor choice at ten or twenty-five items.
# If you want to enlarge the sample later, draw one random order and go on along it (exercise 4).
# What would change your mind at larger sizes is another selector whose MDAD lies below this one with intervals apart; the next five chapters look for it.
#
# ## What it costs

# %% tags=["hide-input"]
study.cost_table(costs)

# %% [markdown]
# Nothing, in other words: the seconds go into everything else.
#
# ## What differs from the released code
#
# - The released code draws from Python's and NumPy's global random states, unseeded, in forked workers, so that no run can be repeated.
#   Here each draw has a key made of the seed, the {term}`trial`, the selector and the size; more workers or more selectors change no number.
# - Both draw each size anew in the trials, so that sizes are independent of one another.
#   Nested draws, as in {numref}`fig-03-draw`, are what you want when you plan to enlarge a micro-benchmark later; `run_trials(nested=True)` makes them.
# - The released code writes 50 points where the threshold is not reached; here such an MDAD is {term}`not reached`, and no number.
#
# ## Take-aways
#
# - Uniform sampling needs no source models, favours no item, and its error follows a formula.
# - Its MDAD is {glue:text}`mdad-smallest` at {glue:text}`smallest` items, where the floor is {glue:text}`floor-smallest`, and {glue:text}`mdad-largest` at {glue:text}`largest`.
# - Ties do much of the harm: {glue:text}`ties-smallest` % of the pairs tie at {glue:text}`smallest` items.
# - It is the yardstick for the five selectors that follow.
#
# ## Exercises
#
# ```{admonition} Exercise 1: in your head
# :class: exercise
#
# A model has 50 points.
# What is the standard error of its score on 100 items, and how many items make it half as large?
# Why does the score of a model with 10 points have a smaller error, and why does that not make it easier to rank?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
mbnb.say(
    f"√(0.5 · 0.5 / 100) is {100 * np.sqrt(0.25 / 100):.0f} points, and four times the items, 400, "
    "halve it.",
    f"At 10 points it is √(0.1 · 0.9 / 100), {100 * np.sqrt(0.09 / 100):.0f} points, since a score "
    "near an end has less room to vary.",
    "But what orders two models is the items on which they differ, and not the error of either "
    "score.",
)

# %% [markdown]
# ```{admonition} Exercise 2: a tie foretold
# :class: exercise
#
# Two models have the same accuracy and differ on a share $r$ of the items.
# With which probability do they tie on {glue:text}`smallest` items?
# Compute it for the typical disagreement rate of close pairs, and for a rate of 5 %.
# Which models tie most, and what does a tie then tell you?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
fewest = sizes[0]
close = mbnb.compare_pairs(study.matrix, seed=p.seed).query("gap <= 2")["disagreement"]
typical = close.median() / 100 if len(close) else 0.2
won = np.arange(fewest // 2 + 1)
outcomes = np.column_stack([won, won, fewest - 2 * won])
tied = {
    r: 100 * multinomial.pmf(outcomes, fewest, [r / 2, r / 2, 1 - r]).sum() for r in (typical, 0.05)
}
mbnb.say(
    "They tie if as many items are won as lost: add up the trinomial probabilities of 0, 1, 2, … "
    "wins with as many losses.",
    f"At a rate of {100 * typical:.0f} %, typical of pairs within 2 points, that is "
    f"{tied[typical]:.0f} % of the draws of {fewest:,}; at a rate of 5 % it is {tied[0.05]:.0f} %.",
    f"Over all pairs, close or not, {ties[0]:.0f} % were measured to tie.",
    "Relatives tie most, so a tie says that two models are alike rather than that they are equal "
    "in accuracy.",
)

# %% [markdown]
# ```{admonition} Exercise 3: at best, and really
# :class: exercise
#
# You must see a gap of 2 points.
# How many items does uniform sampling need at the very least, by the floor?
# How many does it need for pairs that disagree as close pairs of these data do?
# `mbnb.needed_sizes` answers the second question, and [](../book/choosing_a_size.md) turns it into a plan.
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
at_best = int(np.ceil(np.log(1 - p.threshold) / np.log(1 - 0.02))) if p.threshold < 1 else np.inf
noisy = mbnb.noisy_pairs(study.matrix, seed=p.seed)
binary = study.matrix.binary
really = mbnb.needed_sizes(noisy, [2.0], train.n_items, p.threshold, binary=binary).iloc[0]
mbnb.say(
    f"From 1 − (1 − 0.02)ᵏ ≥ {p.threshold:g} follows k ≥ {at_best:,}: with fewer items, two "
    "models two points apart are told apart too seldom even if the worse one never wins an item.",
    f"Really it takes {really:,} items of the {train.n_items:,}, {really / at_best:.0f} times as "
    "many, since wins and losses must be counted against one another.",
    "The floor is a proof that something cannot be; it is no plan.",
)

# %% [markdown]
# ```{admonition} Exercise 4: does bad luck stay?
# :class: exercise
#
# You evaluate on a few items, find the result odd, and draw more.
# If you keep the first items (`nested=True`), how much of their luck is still in the larger sample?
# Compare, over the trials, the mean error at the two smallest sizes: how do they correlate for nested draws, and how for fresh ones?
# Does nesting make the larger sample worse than a fresh one?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
later = sizes[min(1, len(sizes) - 1)]
linked, final = {}, {}
for name, drawn in (("nested", study.run("uniform", nested=True)), ("fresh", trials)):
    missed = drawn.table.assign(missed=drawn.table["estimate"] - drawn.table["train_accuracy"])
    luck = missed.pivot_table(index="trial", columns="size", values="missed")
    linked[name] = luck[sizes[0]].corr(luck[later])
    final[name] = mbnb.estimation_error(drawn).set_index("size").loc[later, "error"]
left = (train.n_items - later) / (train.n_items - sizes[0])
expected = np.sqrt(sizes[0] / later * left)
mbnb.say(
    f"The luck of {sizes[0]:,} items, the mean error over a trial’s targets, goes with that of "
    f"{later:,} by a correlation of {linked['nested']:.2f} where draws are nested; with fresh draws "
    f"it is {linked['fresh']:.2f}.".replace("-", "−")
    if p.n_trials >= 10 and len(sizes) > 1
    else f"{mbnb.counted(p.n_trials, 'trial')} and {mbnb.counted(len(sizes), 'size')} are too few "
    "for a correlation.",
    f"Theory expects √(k₁/k₂), corrected for the finite half, which is {expected:.2f}, and 0; "
    f"{mbnb.counted(p.n_trials, 'trial')} place it within about ±{min(1, 2 / np.sqrt(p.n_trials)):.1f}.",
    f"The errors at {later:,} are {final['nested']:.2f} points nested and {final['fresh']:.2f} "
    "fresh, alike but for chance.",
    "So bad luck is diluted, and nesting costs nothing, as long as you do not stop when you like "
    "what you see.",
)

# %% [markdown]
# ```{admonition} Exercise 5: is it only the rule for ties?
# :class: exercise
#
# Count a tied estimate as half right instead of wrong.
# What is the MDAD of uniform sampling then, at each size, and what is the floor?
# Which rule would you use for a leaderboard, and which for a choice between two models?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
half_right = study.mdad(lenient)
rules = pd.DataFrame(
    {
        "MDAD, a tie is wrong": map(mbnb.format_mdad, table["mdad"]),
        "MDAD, a tie is half right": map(mbnb.format_mdad, half_right["mdad"]),
        "floor, wrong": floor.map("{:.1f}".format).to_numpy(),
        "floor, half right": mbnb.uniform_floor(sizes, p.threshold, ties="half")
        .map("{:.1f}".format)
        .to_numpy(),
    },
    index=pd.Index([f"{k:,}" for k in sizes], name="size"),
)
display(mbnb.show(rules))
eased = table["mdad"] - half_right["mdad"]
mbnb.say(
    f"At {sizes[0]:,} items the milder rule lowers the MDAD by {mbnb.in_points(eased.iloc[0])}, at "
    f"{sizes[-1]:,} by {mbnb.in_points(eased.iloc[-1])}."
    if eased.iloc[[0, -1]].notna().all()
    else "Where one of the two is not reached there is no difference to tell.",
    "If you must choose one of two models and toss a coin at a tie, half right is what you get. "
    "A leaderboard that prints two models side by side has told nobody anything, and the strict "
    "rule says so.",
    f"So state the rule with the number: the floor at {sizes[0]:,} items falls from "
    f"{floor.iloc[0]:.1f} to {rules['floor, half right'].iloc[0]} points by the rule alone.",
)

# %% [markdown]
# ## Re-run this chapter
#
# With fewer trials and sizes, or on real data:
#
# ```bash
# mbnb run 03 -p n_trials=10 -p 'sizes=[10,50]'
# MBNB_DATA=path/to/data mbnb run 03 -p dataset=bigcodebench
# ```

# %% tags=["hide-input"]
study.footer(trials)
