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
# **Reading time** 10 minutes.
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
from matplotlib.patches import Rectangle
from myst_nb import glue

import mbnb

mbnb.setup_charts()
p = mbnb.parameters(
    dataset=dataset,
    missing=missing,
    n_trials=n_trials,
    sizes=sizes,
    n_source=n_source,
    n_target=n_target,
    threshold=threshold,
    seed=seed,
)
p

# %% tags=["hide-input"]
matrix, lost = mbnb.prepare(p.dataset, missing=p.missing)
glue("data", mbnb.data_label(matrix, p.n_trials), display=False)
glue("data-one", f"{mbnb.data_label(matrix)}, one trial", display=False)
sizes, too_large = mbnb.possible_sizes(matrix, p.sizes)
n_source, n_target, chosen = mbnb.possible_counts(matrix, p.n_source, p.n_target)
mbnb.say(*lost, chosen)

# %% [markdown]
# ## A trial
#
# You want to know whether a {term}`micro-benchmark` will rank models that do not exist yet.
# They have left no answers, so you let known models stand in for them: you hide some models while the items are chosen, and judge the choice on those.
# One such exercise is a {term}`trial`.
# It takes one call.

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
# A grid of trials holds both, whichever selector was run; uniform sampling is the cheapest.

# %%
trials = mbnb.run_trials(
    matrix,
    ["uniform"],
    sizes,
    n_trials=p.n_trials,
    n_source=n_source,
    n_target=n_target,
    seed=p.seed,
    store=mbnb.ResultStore(),
)
one_size = trials.table[trials.table["size"] == sizes[0]]
shift = 100 * (one_size["train_accuracy"] - one_size["heldout_accuracy"])

# %% tags=["remove-cell"]
level = one_size["train_accuracy"].to_numpy()
per_item = 1 / trials.n_train + 1 / trials.n_heldout
expected = 100 * np.sqrt(np.mean(level * (1 - level)) * per_item)
glue("typical-shift", f"{np.sqrt(np.mean(shift**2)):.1f}", display=False)
glue("expected-shift", f"{expected:.1f}", display=False)
glue("large-shift", f"{np.quantile(np.abs(shift), 0.95):.1f}", display=False)
glue("n-train", f"{trials.n_train:,}", display=False)
glue("n-heldout", f"{trials.n_heldout:,}", display=False)

# %% [markdown]
# The same model, the same benchmark, {glue:text}`n-train` items on one side and {glue:text}`n-heldout` on the other: the accuracy moves by {glue:text}`typical-shift` points (root mean square), and in one case out of twenty by more than {glue:text}`large-shift`.
# Plain sampling predicts $100\sqrt{p(1-p)(1/n_1 + 1/n_2)}$ for 0/1 scores, which over these targets is {glue:text}`expected-shift` points.
# That is derived, not measured.
# Halving within subtasks brings it down a little, and all targets of a trial share its halves, so that in a run of few trials all of them can stray the same way.
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
ceiling = mbnb.mdad(between, threshold=p.threshold, min_pairs=p.n_trials).iloc[0]
curve = between.curve()

# %% mystnb={"figure": {"caption": "How much two halves of one benchmark differ. Above: a model's accuracy on the train half minus that on the held-out half, over all targets and trials. Below: share of pairs of targets that both halves put in the same order, by their gap on the held-out half; bins with at least one pair a trial, and the threshold. Data: {glue:text}`data`.", "name": "fig-02-halves"}, "image": {"alt": "Above, a histogram centred on zero of accuracy differences between the halves, in points. Below, a curve of agreement between the halves that rises with the gap in points, with the threshold as a dotted line."}} tags=["hide-input"]
figure, (above, below) = plt.subplots(2, 1, figsize=(5.4, 5.4), layout="constrained")
above.hist(shift, bins=25, color=mbnb.TINTS[0])
above.set(xlabel="Train − held-out accuracy (points)", ylabel="Targets, all trials")
shown = curve[(curve["gap"] <= 10) & (curve["pairs"] >= p.n_trials)]
below.plot(shown["gap"], shown["agreement"], marker="o", color=mbnb.INK)
below.axhline(p.threshold, linestyle=":", color=mbnb.THRESHOLD)
below.set(xlabel="Gap on the held-out half (points)", ylabel="Agreement", ylim=(0.4, 1.02))
plt.close(figure)
figure

# %% tags=["hide-input"]
glue("ceiling", mbnb.in_points(ceiling["mdad"]), display=False)
mbnb.say(
    "At no gap that occurs do the two halves reach the threshold."
    if np.isnan(ceiling["mdad"])
    else f"The halves reach an agreement of {p.threshold:g} at a gap of "
    f"{mbnb.in_points(ceiling['mdad'])}.",
    "A micro-benchmark that reproduced the train half to the last item would do exactly this on "
    "new items, and no better.",
)

# %% [markdown]
# Keep this number, {glue:text}`ceiling`, in mind for the held-out columns of [](./10_main_tables).
# It is an {term}`MDAD`, which [](./09_agreement_mdad) works through, and it is made only of the noise between two halves: nothing was selected.
# A method whose MDAD on held-out items comes near it has as good as nothing left to gain by choosing better.
#
# ## Why other models
#
# Suppose that the models that choose the items were also those that are ranked.
# Then a selector could pick exactly the items on which those models' sample means happen to be right, and you would measure its memory.
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
glue("n-target", str(n_target), display=False)
glue("n-source", str(n_source), display=False)
glue("nearest-median", f"{100 * np.median(nearest):.0f}", display=False)
glue("nearest-least", f"{100 * nearest.min():.1f}", display=False)
glue("strangers", f"{strangers.median():.0f}", display=False)

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
# That is why exact copies are dropped before anything is drawn, and why `make_split` can keep every {term}`family` on one side (`families=True`) where the families are known.
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
rng = np.random.default_rng(p.seed)
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
common_items = np.isin(other.train, split.train).mean()
glue("common-items", f"{100 * common_items:.0f}", display=False)
glue("common-targets", str(int(np.isin(other.targets, split.targets).sum())), display=False)

# %% [markdown]
# Shuffling changes nothing, and neither does asking for fewer sources: the smaller set is a part of the larger one.
# Adding a trial, a size or a selector changes no result that was there before, for the same reason, and nor does the number of processes that share the work.
# Another trial is another draw: its train half shares {glue:text}`common-items` % of its items with the first, and {glue:text}`common-targets` of its {glue:text}`n-target` targets.
#
# That last sentence limits what the {term}`bootstrap intervals <bootstrap interval>` of this book can say.
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
# ## Re-run this chapter
#
# With fewer trials, another seed, or on real data:
#
# ```bash
# mbnb run 02 -p n_trials=10 -p seed=1
# MBNB_DATA=path/to/data mbnb run 02 -p dataset=bigcodebench
# ```

# %% tags=["hide-input"]
mbnb.footer(matrix, p.seed, trials)
