# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Two cuts through the matrix
#
# A fair test cuts the matrix twice, items into halves and models into sources and targets, and the first cut alone moves a model's accuracy by {glue:text}`typical-shift` points from one half to the other.
#
# **What you will learn**
#
# - how the items are halved, and why halves at all
# - why the models that choose the items must not be those that are ranked
# - what a seed fixes, and what changes nothing
# - how far two halves of the same benchmark agree, which is all that a perfect copy of one half could do
#
# **Reading time** 12 minutes, and three quarters of an hour for the exercises.
# **Running time** about a minute; less where the trials are stored.

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

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import display
from matplotlib.patches import Rectangle
from scipy.stats import kendalltau

import mbnb

p = mbnb.parameters(globals())
p

# %% tags=["hide-input"]
study = mbnb.open_study(p)
study

# %% tags=["remove-cell"]
matrix, n_source, n_target = study.matrix, study.n_source, study.n_target
study.insert(n_target=n_target, n_source=n_source)

# %% [markdown]
# ## A trial
#
# You want to know whether a {term}`micro-benchmark` will rank models that do not exist yet.
# They have left no answers, so you let known models stand in for them: you hide some models while the items are chosen, and judge the choice on those.
# One such exercise is a {term}`trial`.
# It takes one call, which `study.split` makes for you in later chapters.

# %%
split = mbnb.make_split(matrix, seed=p.seed, trial=0, n_source=n_source, n_target=n_target)

# %% [markdown]
# The split cuts the matrix into the blocks of {numref}`fig-02-blocks`.
# A {term}`selector` sees the {term}`source models` on the {term}`train half`, and nothing else.
# The {term}`target models` then answer the chosen items, and their estimated accuracies are held against their accuracies on the whole train half and on the whole {term}`held-out half`.
# The held-out answers of the sources are not used at all.

# %% mystnb={"figure": {"caption": "One trial. Widths and heights are in proportion to the numbers of items and models. Models that are neither sources nor targets sit this trial out. Data: {glue:text}`data-one`.", "name": "fig-02-blocks"}, "image": {"alt": "A rectangle cut into blocks: train half on the left and held-out half on the right; target models above, source models below. The block of sources and train half chooses items, that of targets and train half gives estimates and accuracies, that of targets and held-out half tests new items, that of sources and held-out half is not used."}} tags=["hide-input"]
figure, axes = plt.subplots()
width, rest = split.train.size, split.heldout.size
blocks = [
    (0, n_source, width, n_target, mbnb.TINTS[0], "targets: estimated,\nthen judged here"),
    (width, n_source, rest, n_target, mbnb.TINTS[0], "targets: judged again\non new items"),
    (0, 0, width, n_source, mbnb.TINTS[1], "sources:\nthey choose the items"),
    (width, 0, rest, n_source, mbnb.TINTS[2], "not used"),
]
for left, bottom, wide, high, color, text in blocks:
    axes.add_patch(Rectangle((left, bottom), wide, high, fc=color, alpha=0.25, ec="white", lw=4))
    axes.text(left + wide / 2, bottom + high / 2, text, ha="center", va="center", size="small")
axes.set(xlim=(0, width + rest), ylim=(0, n_source + n_target))
axes.set_xticks(
    [width / 2, width + rest / 2],
    [f"train half\n{width:,} items", f"held-out half\n{rest:,} items"],
)
axes.set_yticks(
    [n_source / 2, n_source + n_target / 2], [f"{n_source:,}\nsources", f"{n_target:,}\ntargets"]
)
axes.grid(visible=False)
axes.spines[:].set_visible(False)
axes.tick_params(length=0)
plt.close(figure)
figure

# %% [markdown]
# ## Halves, subtask by subtask
#
# The items are halved within each {term}`subtask`: of $n$ items $\lfloor n/2 \rfloor$ go to the train half and the rest to the held-out half.
# So each subtask weighs the same in both, and no half is short of law or of mathematics by bad luck.
# An odd item always goes to the held-out half, and a subtask of one item is never trained on.

# %% tags=["hide-input"]
halves = pd.DataFrame(
    {
        "items": np.bincount(matrix.subtask_codes),
        "train": np.bincount(matrix.subtask_codes[split.train], minlength=len(matrix.subtasks)),
        "held out": np.bincount(matrix.subtask_codes[split.heldout]),
    },
    index=pd.Index(matrix.subtasks, name="subtask"),
)
mbnb.show(pd.concat([halves, halves.sum().to_frame("all").T]))

# %% [markdown]
# ## Why halves
#
# Could the items be chosen from the whole benchmark and judged on the whole benchmark?
# That answers one question, how well the chosen items stand for *these* items, and the train half answers it here.
# It leaves the other question open: whether they stand for the *kind* of item.
# A selector that looks at answers can pick items whose quirks suit the half that it sees.
# Only items that it never saw can tell, and so one half is held out.
# Equal parts make the two judgements about equally noisy; a smaller held-out part would be a worse judge, and a smaller train part a worse benchmark.
#
# The price is that the halves differ.
# Take every target's accuracy in every trial, on one half and on the other.
# A grid of trials holds both, whichever selector was run; {term}`uniform sampling` is the cheapest.

# %%
trials = study.run("uniform")
one_size = trials.table[trials.table["size"] == study.smallest]
shift = 100 * (one_size["train_accuracy"] - one_size["heldout_accuracy"])

# %% tags=["remove-cell"]
level = one_size["train_accuracy"].to_numpy()
per_item = 1 / trials.n_train + 1 / trials.n_heldout
expected = 100 * np.sqrt(np.mean(level * (1 - level)) * per_item)
study.insert(
    typical_shift=f"{np.sqrt(np.mean(shift**2)):.1f}",
    expected_shift=f"{expected:.1f}",
    large_shift=f"{np.quantile(np.abs(shift), 0.95):.1f}",
    n_train=trials.n_train,
    n_heldout=trials.n_heldout,
)

# %% [markdown]
# The same model, the same benchmark, {glue:text}`n-train` items on one side and {glue:text}`n-heldout` on the other: the accuracy moves by {glue:text}`typical-shift` points (root mean square), and in one case out of twenty by more than {glue:text}`large-shift`.
# Plain sampling predicts $100\sqrt{p(1-p)(1/n_1 + 1/n_2)}$ for 0/1 scores, which over these targets is {glue:text}`expected-shift` points.
# That is derived, not measured.
# Halving within subtasks brings it down as far as the accuracy of a model differs from subtask to subtask, and all targets of a trial share its halves, so that in a run of few trials all of them can stray the same way.
# Exercise 3 takes the two apart.
#
# ## How far the halves agree
#
# What matters for a ranking is how a *pair* moves.
# Now pretend that the whole train half is the micro-benchmark, and ask how often it orders two targets as the held-out half does.
# In code this is one replacement: the estimate becomes the accuracy on the train half.

# %%
whole_half = replace(
    trials, table=one_size.assign(estimate=one_size["train_accuracy"], size=trials.n_train)
)
between = mbnb.agreement(whole_half, half="heldout")
ceiling = study.mdad(between).iloc[0]
curve = between.curve()

# %% mystnb={"figure": {"caption": "How much two halves of one benchmark differ. Above: a model's accuracy on the train half minus that on the held-out half, over all targets and trials. Below: share of pairs of targets that both halves put in the same order, by their gap on the held-out half; bins with at least one pair a trial, and the threshold. Data: {glue:text}`data`.", "name": "fig-02-halves"}, "image": {"alt": "Above, a histogram centred on zero of accuracy differences between the halves, in points. Below, a curve of agreement between the halves that rises with the gap in points, with the threshold as a dotted line."}} tags=["hide-input"]
figure, (above, below) = plt.subplots(2, 1, figsize=(5.4, 5.2), layout="constrained")
above.hist(shift, bins=25, color=mbnb.TINTS[0])
above.set(xlabel="Train − held-out accuracy (points)", ylabel="Targets, all trials")
shown = curve[(curve["gap"] <= 10) & (curve["pairs"] >= p.n_trials)]
below.plot(shown["gap"], shown["agreement"], marker="o", color=mbnb.INK)
below.axhline(p.threshold, linestyle=":", color=mbnb.THRESHOLD)
below.set(xlabel="Gap on the held-out half (points)", ylabel="Agreement", ylim=(0.4, 1.02))
plt.close(figure)
figure

# %% tags=["hide-input"]
study.insert(ceiling=mbnb.in_points(ceiling["mdad"]))
mbnb.say(
    "At no gap that occurs do the two halves reach the threshold."
    if np.isnan(ceiling["mdad"])
    else f"The halves reach an agreement of {p.threshold:g} at a gap of "
    f"{mbnb.in_points(ceiling['mdad'])}.",
    "A micro-benchmark that reproduced the train half to the last item would do exactly this on "
    "new items, and no better.",
)

# %% [markdown]
# {numref}`fig-02-halves` shows both, the shift of single models and the agreement of pairs.
# Keep this number, {glue:text}`ceiling`, in mind for the held-out columns of [](./10_main_tables).
# It is an {term}`MDAD`, a gap at which {term}`agreement` is good enough, which [](./09_agreement_mdad) works through, and it is made only of the noise between two halves: nothing was selected.
# A method whose MDAD on held-out items comes near it has as good as nothing left to gain by choosing better.
#
# ## Why other models
#
# Suppose that the models that choose the items were also those that are ranked.
# Then a selector could pick exactly the items on which those models' sample means happen to be right, and you would measure its memory (exercise 2 does).
# So targets are drawn first, {glue:text}`n-target` of them, and sources from the rest.
#
# This line leaks where models are relatives.
# A copy of a target among the sources hands its answers to the selector, and fine-tunes of one base come close to that.
# Ask of each target on how many items its nearest source differs from it.

# %%
nearest = np.array(
    [
        mbnb.disagreement(matrix, np.full(n_source, target), split.sources).min()
        for target in split.targets
    ]
)
strangers = mbnb.compare_pairs(matrix, n_pairs=5000, seed=p.seed)["disagreement"]

# %% tags=["remove-cell"]
study.insert(
    nearest_median=f"{100 * np.median(nearest):.0f}",
    nearest_least=f"{100 * nearest.min():.1f}",
    strangers=f"{strangers.median():.0f}",
)

# %% mystnb={"figure": {"caption": "How like the sources the targets are. For each target, the share of items on which its nearest source differs from it; beside it, the same share for random pairs of models. Data: {glue:text}`data-one`.", "name": "fig-02-nearest"}, "image": {"alt": "Two histograms over the per cent of items on which two models differ: one of targets and their nearest source, to the left, and one of random pairs of models, to the right."}} tags=["hide-input"]
figure, axes = plt.subplots(figsize=(5.4, 3.2))
edges = np.linspace(0, max(strangers.max(), 100 * nearest.max()), 31)
for values, color, text in (
    (strangers, mbnb.TINTS[2], "random pairs"),
    (100 * nearest, mbnb.TINTS[1], "a target and its nearest source"),
):
    weights = np.full(len(values), 100 / len(values))
    axes.hist(values, edges, weights=weights, alpha=0.55, color=color, label=text)
axes.set(xlabel="Items on which the two differ (per cent)", ylabel="Per cent of pairs")
axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2)
plt.close(figure)
figure

# %% [markdown]
# The median target has a source that differs from it on {glue:text}`nearest-median` % of the items, where two random models differ on {glue:text}`strangers` % ({numref}`fig-02-nearest`).
# The closest couple differs on {glue:text}`nearest-least` %.

# %% tags=["hide-input"]
nearest_real = mbnb.facts_beside_real("nearest")
couples_real = mbnb.facts_beside_real("nearest_least")
mbnb.say(
    f"Real leaderboards vary more: on {nearest_real.n} of them the median target’s nearest source "
    f"was measured to differ on {nearest_real.span} of the items and the closest couple on "
    f"{couples_real.span}, where the simulated MMLU-Pro has "
    f"{nearest_real.told(nearest_real.simulated)} and {couples_real.told(couples_real.simulated)}.",
    "The fewer models, the rarer a close relative; among thousands you find models that are one "
    "and the same but for a handful of answers, which the simulation does not copy.",
)

# %% [markdown]
# [](./20_trust_in_the_simulation) says what else it copies and what not.
#
# Relatives are why exact copies are dropped before anything is drawn, and why `make_split` can keep every {term}`family` on one side (`families=True`) where the families are known.
# The study draws models without regard to families, and so do the main tables.
# What they say holds for new models that resemble the old ones as much as these targets resemble these sources.
#
# ## What seeds do
#
# A trial is random, and must be the same for everyone who repeats it.
# Here each item and each model draws a priority for itself, made of its id, the seed and the number of the trial.
# The items with the lowest priorities within a subtask are the train half, and the models with the lowest priorities are the targets.
# So the order of rows and columns cannot matter.
# Shuffle everything and look.

# %%
rng = np.random.default_rng([p.seed, 2])
shuffled = matrix.subset(
    models=rng.permutation(matrix.n_models), items=rng.permutation(matrix.n_items)
)
again = mbnb.make_split(shuffled, seed=p.seed, trial=0, n_source=n_source, n_target=n_target)
fewer = mbnb.make_split(matrix, seed=p.seed, trial=0, n_source=1, n_target=n_target)
other = mbnb.make_split(matrix, seed=p.seed, trial=1, n_source=n_source, n_target=n_target)
checks = pd.DataFrame(
    {
        "same train half": [
            set(shuffled.item_ids[again.train]) == set(matrix.item_ids[split.train]),
            set(fewer.train) == set(split.train),
            set(other.train) == set(split.train),
        ],
        "same targets": [
            set(shuffled.model_ids[again.targets]) == set(matrix.model_ids[split.targets]),
            set(fewer.targets) == set(split.targets),
            set(other.targets) == set(split.targets),
        ],
    },
    index=["rows and columns shuffled", "one source instead of all", "another trial"],
)
mbnb.show(checks.replace({True: "yes", False: "no"}))

# %% tags=["remove-cell"]
study.insert(
    common_items=f"{100 * np.isin(other.train, split.train).mean():.0f}",
    common_targets=int(np.isin(other.targets, split.targets).sum()),
)

# %% [markdown]
# Shuffling changes nothing, and neither does asking for fewer sources: the smaller set is a part of the larger one.
# Adding a trial, a size or a selector changes no result that was there before, for the same reason, and nor does the number of processes that share the work.
# Another trial is another draw: its train half shares {glue:text}`common-items` % of its items with the first, and {glue:text}`common-targets` of its {glue:text}`n-target` targets.
#
# This limits what the {term}`bootstrap intervals <bootstrap interval>` of this book can say.
# Trials are draws from one matrix.
# An interval over trials tells you how far the result depends on which half and which models were drawn.
# It cannot tell you what another benchmark, or next year's models, would have given.

# %% [markdown]
# ## Take-aways
#
# - A trial cuts items into halves within each subtask, by $\lfloor n/2 \rfloor$, and models into {glue:text}`n-source` sources and {glue:text}`n-target` targets.
# - The selector sees sources on the train half; targets judge it there and again on the held-out half.
# - A model's accuracy moves by {glue:text}`typical-shift` points between the halves, and the MDAD of one half for the other is {glue:text}`ceiling`: gaps below that are hardly known by the benchmark itself.
# - Relatives on both sides of the line make selection look easier than it is: the median target's nearest source differs on {glue:text}`nearest-median` % of the items.
# - Everything follows from ids, seed and trial number; order of rows, number of sources and added trials change nothing.
#
# ## Exercises
#
# ```{admonition} Exercise 1: odd items
# :class: exercise
#
# A subtask has 7 items, another has 1.
# How many of them are in the train half?
# By how many items do the halves of this benchmark differ, and why is the held-out half never the smaller one?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
of_subtask = np.bincount(matrix.subtask_codes)
odd = int((of_subtask % 2).sum())
mbnb.say(
    "Of 7 items 3 are in the train half, of 1 item none: halves are rounded down.",
    "Each subtask with an odd number of items puts one more into the held-out half, so that this "
    "half is larger by as many items as there are odd subtasks.",
    f"Here {odd} of the {of_subtask.size} subtasks {'is' if odd == 1 else 'are'} odd, and the "
    f"halves differ by {trials.n_heldout - trials.n_train}.",
)

# %% [markdown]
# ```{admonition} Exercise 2: a choice that remembers
# :class: exercise
#
# Draw 500 micro-benchmarks of about 25 items at random from the train half.
# Keep the one that ranks the *source* models best, by {term}`Kendall’s tau <tau>` to their accuracies on the half.
# How good does it look on the sources, and how good is it on the targets?
# Compare both with the average draw, and repeat it with ten sources.
# ([](./15_source_models) does so with every selector.)
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
size, rng = study.size_near(25), np.random.default_rng([p.seed, 2])
draws = [rng.choice(study.train.n_items, size, replace=False) for _ in range(500)]
few = study.train.subset(models=rng.choice(n_source, min(10, n_source), replace=False))
taus = {
    name: np.array(
        [kendalltau(part.accuracies(), part.scores[:, d].mean(axis=1)).statistic for d in draws]
    )
    for name, part in {
        "ten sources": few,
        "all sources": study.train,
        "targets": study.targets,
    }.items()
}
on_targets, judged = taus.pop("targets"), {}
for name, tau in taus.items():
    best = np.nanargmax(tau)
    judged[name] = {
        "average draw, on them": np.nanmean(tau),
        "best draw, on them": tau[best],
        "average draw, on the targets": np.nanmean(on_targets),
        "best draw, on the targets": on_targets[best],
    }
memory = pd.DataFrame(judged).T.rename_axis("who chooses")
display(mbnb.show(memory.map("{:.3f}".format)))
seen = memory["best draw, on them"] - memory["average draw, on them"]
kept = memory["best draw, on the targets"] - memory["average draw, on the targets"]
mbnb.say(
    f"The best of 500 draws of {size:,} items looks better than the average one by a tau of "
    f"{seen.iloc[0]:.2f} to the ten that chose it, and on the targets its tau differs from the "
    f"average by {mbnb.signed(kept.iloc[0], 2)}; where all {n_source:,} sources choose, these are "
    f"{seen.iloc[1]:.2f} and {mbnb.signed(kept.iloc[1], 2)}.",
    "The difference is memory: a draw that suits ten models may suit just these.",
    "A draw that suits hundreds mostly suits others like them too, so that many sources and other "
    "targets are two answers to one problem.",
)

# %% [markdown]
# ```{admonition} Exercise 3: luck that all models share
# :class: exercise
#
# All targets of a trial have the same halves.
# How much of the shift between the halves moves all of them alike, and how much moves them against one another?
# Which of the two harms a ranking?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
by_trial = shift.groupby(one_size["trial"])
common, own = by_trial.mean().pow(2).mean(), by_trial.var(ddof=0).mean()
mbnb.say(
    f"Of the mean squared shift of {common + own:.2f} squared points, {common:.2f} is the square of "
    f"the trials’ own means, {100 * common / (common + own):.0f} %: an easier half is easier for "
    "everyone.",
    "That part leaves every ranking as it is.",
    f"What is left, {np.sqrt(own):.2f} points a model (root mean square), is what reorders models; "
    "for a pair it counts twice, once for each.",
    f"All this is an average over {mbnb.counted(trials.n_trials, 'trial')}, and with so few trials "
    "the first part is known badly."
    if trials.n_trials < 20
    else "",
)

# %% [markdown]
# ```{admonition} Exercise 4: families on one side
# :class: exercise
#
# `make_split` with `families=True` keeps every {term}`family` on one side of the line.
# How far away is the median target's nearest source then?
# Which claim would you trust that split with, and which the other?
# ([](./15_source_models) measures what families apart cost.)
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
known = matrix if "family" in matrix.models.columns else mbnb.with_families(matrix)[0]
n_families = known.models["family"].nunique()
counts = {"n_source": min(n_source, matrix.n_models // 2), "n_target": min(n_target, 30)}
try:
    apart = mbnb.make_split(known, seed=p.seed, trial=0, families=True, **counts)
    strict = np.array(
        [
            mbnb.disagreement(known, np.full(apart.sources.size, t), apart.sources).min()
            for t in apart.targets
        ]
    )
    found = (
        f"With {n_families} families kept apart, the median target’s nearest source differs on "
        f"{100 * np.median(strict):.0f} % of the items, against {100 * np.median(nearest):.0f} % "
        f"where they are mixed, and the closest couple on {100 * strict.min():.1f} %."
    )
except mbnb.InputError as refusal:
    found = f"These data do not allow it: {refusal}"
unsorted = (
    "So these families do not hold the relatives together: names say which line a model comes "
    "from, not which other model it was merged with."
)
mbnb.say(
    found,
    unsorted if "against" in found and np.median(strict) <= np.median(nearest) else "",
    "Mixed families answer how well the items will rank the next fine-tune of a model that the "
    "sources know; families apart answer how well they will rank a model of a new line.",
    "The second is the safer claim for a benchmark that is to last.",
)

# %% [markdown]
# ```{admonition} Exercise 5: could you halve better?
# :class: exercise
#
# Besides halving within subtasks there are plain random halves, and matched halves: sort the items by how many source models get them right, take neighbours in pairs, and toss a coin for each pair.
# Halve thirty times in each of the three ways.
# By how much do the targets' accuracies differ between the halves, and by how much the gaps of pairs of targets?
# Would matched halves make a better study?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
rng, tests = np.random.default_rng([p.seed, 2]), matrix.subset(split.targets).scores
easiness = matrix.subset(split.sources).scores.mean(axis=0)
first, second = np.triu_indices(n_target, 1)
n = matrix.n_items
moved = {"plain": [], "within subtasks": [], "matched by difficulty": []}
for trial in range(30):
    by_ease = np.lexsort((rng.random(n), easiness))[: n // 2 * 2].reshape(-1, 2)
    coins = rng.integers(0, 2, n // 2)
    halves_of = {
        "plain": rng.permutation(n)[: n // 2],
        "within subtasks": mbnb.make_split(
            matrix, seed=p.seed, trial=trial, n_source=1, n_target=n_target
        ).train,
        "matched by difficulty": by_ease[np.arange(n // 2), coins],
    }
    for way, items in halves_of.items():
        one, both = tests[:, items].sum(axis=1, dtype=float), tests.sum(axis=1, dtype=float)
        difference = 100 * (one / items.size - (both - one) / (n - items.size))
        gaps_moved = difference[first] - difference[second]
        moved[way].append((np.mean(difference**2), np.mean(gaps_moved**2)))
ways = pd.DataFrame(
    {way: np.sqrt(np.mean(rows, axis=0)) for way, rows in moved.items()},
    index=["accuracy", "gap of a pair"],
).T
display(mbnb.show(ways.map("{:.2f}".format)))
saved = 100 * (1 - ways.loc["matched by difficulty"] / ways.loc["plain"])
mbnb.say(
    "The table shows root mean squares, in points.",
    f"Matching by difficulty makes a model’s two accuracies {saved['accuracy']:.0f} % closer than "
    f"plain halves do, and the two gaps of a pair {saved['gap of a pair']:.0f} %.",
    "Difficulty is common to all models, so it moves accuracies more than gaps; a study of "
    "rankings gains little from it."
    if saved["gap of a pair"] < 0.5 * saved["accuracy"]
    else "",
    "And halves that are more alike than two independent sets of items would make held-out items "
    "look better than new ones are.",
)

# %% [markdown]
# ## Re-run this chapter
#
# With fewer trials, another seed, or on real data:
#
# ```bash
# mbnb run 02 -p n_trials=10 -p seed=1
# MBNB_DATA=path/to/data mbnb run 02 -p dataset=bigcodebench
# ```

# %% tags=["hide-input"]
study.footer(trials)
