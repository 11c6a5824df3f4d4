# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Real leaderboards
#
# On {glue:text}`n-real` real leaderboards ten items drawn at random order two models reliably from {glue:text}`ten-low` to {glue:text}`ten-high` points on, much as a formula says they must; the selector that does best on each lowers that by {glue:text}`lead-ten` points, and with 250 items the widest lead is {glue:text}`lead-250`.
#
# **What you will learn**
#
# - what stands in each of the real matrices, where it comes from, and what was left out of it
# - what holds on all of them: the cost of uniform sampling
# - which {term}`selector` leads where, and from which {term}`size` on none does
# - which findings of the study fail on real data that it did not use
# - how to put your own leaderboard beside these
#
# **Reading time** 16 minutes, and 40 for the exercises.
# **Running time** under a minute once the grid of [](./10_main_tables) is stored, a few minutes otherwise.

# %% tags=["parameters"]
dataset: str = "simulated:mmlu-pro"
missing: str = "drop-items"
n_trials: int = 50
sizes: list = [10, 25, 50, 100, 250, 500, 1000]
n_source: int = None
n_target: int = None
seed: int = 0

# %%
import numpy as np
import pandas as pd
from myst_nb import glue
from scipy.stats import binomtest, norm, spearmanr

import mbnb

p = mbnb.parameters(globals())
p

# %% tags=["hide-input"]
study = mbnb.open_study(p)
study

# %% [markdown]
# ## Measured once, and measured now
#
# The answers of real models may not be passed on with this book, but what was *measured* on them may.
# So this page holds two kinds of numbers.
# Those of real leaderboards were measured once, by the command at the foot of the page, and lie in the folder `data/measured`; you need none of the matrices to read on.
# Those of *this run* come from {glue:text}`data` and were measured when the page was made.
# Both went through the same program: the same halves of the items, the same {term}`trials <trial>`, the same six selectors, a {term}`threshold` of 0.8, and a {term}`bin` decides an {term}`MDAD` only if it holds one pair a trial on average.

# %%
kept = mbnb.measured("leaderboards")
runs = mbnb.measured("leaderboards-runs")
trials = study.run()
everything = mbnb.with_this_run(kept, trials)
real = everything[mbnb.is_real(everything) & everything["dataset"].isin(kept["dataset"])]

# %% tags=["hide-input"]
names = list(dict.fromkeys(real["dataset"]))
this_run = everything["dataset"].iloc[-1]
uniform = real[(real["selector"] == "uniform") & (real["half"] == "train")]
at_ten = uniform[uniform["size"] == 10]["mdad"]
glue("n-real", str(len(names)), display=False)
glue("ten-low", f"{at_ten.min():g}", display=False)
glue("ten-high", f"{at_ten.max():g}", display=False)
glue("kept-trials", f"{kept['n_trials'].max():,}", display=False)
glue("this-run", this_run, display=False)
mbnb.say(
    f"This run is on `{p.dataset}`, which is itself one of the real leaderboards: its rows appear "
    f"twice below, with {kept['n_trials'].max():,} trials as measured once, and with "
    f"{p.n_trials:,} as measured now under the name “{this_run}”."
    if p.dataset in names
    else ""
)

# %% [markdown]
# ## What the matrices are
#
# Each is a {term}`response matrix` of models that somebody ran and somebody else collected.
# The [data cards](../book/data_cards.md) give the files, the terms and the accuracies; here is where each comes from.
#
# - {ref}`openllm2-mmlu-pro-math <card-openllm2-mmlu-pro-math>`: the Open LLM Leaderboard v2 {cite:p}`fourrier2024openllm`, of MMLU-Pro {cite:p}`wang2024mmlupro` the mathematics.
#   It is the study's own source, with one of the study's 14 subjects and several times its models.
# - {ref}`openllm1-metabench <card-openllm1-metabench>` and {ref}`openllm1-union <card-openllm1-union>`: version 1 of that leaderboard, six benchmarks, collected for metabench {cite:p}`kipnis2025metabench`.
# - {ref}`mmlu-pro-47 <card-mmlu-pro-47>`: MMLU-Pro as a whole, with answers written out step by step, from the benchmark’s own repository {cite:p}`wang2024mmlupro`.
# - {ref}`bigcodebench <card-bigcodebench>`: programs {cite:p}`zhuo2024bigcodebench`.
# - {ref}`rewardbench <card-rewardbench>`: reward models that choose between two answers {cite:p}`lambert2024rewardbench`.
# - {ref}`swebench-verified <card-swebench-verified>`: agents that mend real software {cite:p}`jimenez2023swebench`.
# - {ref}`resampled-t07 <card-resampled-t07>`: twelve benchmarks, each item answered about a dozen times {cite:p}`wang2025noises`.

# %% tags=["hide-input"]
mbnb.leaderboards_table(runs, kept)

# %% [markdown]
# They differ in everything that could matter: from dozens of models to thousands, from two choices to programs that pass or fail, from one subject to many.
# Where there are too few models for 50 targets and 300 sources, a third of them are {term}`targets` and the others {term}`sources`.
# Only `resampled-t07` has {term}`confidences <confidence>`, and they are shares of a dozen samples; elsewhere {term}`scores <score>` stand in, as they would for you if you had nothing else.
#
# ## What was left out
#
# A real matrix is never clean.
# Before anything was measured, models and items were left out, each for a reason with a name.

# %% tags=["hide-input"]
mbnb.losses_table(runs)

# %% [markdown]
# **Copies.**
# Leaderboards hold the same model under several names.
# A copy on both sides of the line between sources and targets would let a selector see the answers on which it is judged, so of each set of copies one stays ([](./02_splits)).
#
# **Missing answers.**
# In `mmlu-pro-47` single answers are missing, and the items concerned were left out.
# In `openllm1-union` whole benchmarks are missing for most models, so that no item is answered by all; there the models with gaps were left out, and what remains are the models that somebody cared to run on everything.
# To count missing answers as wrong would have been a mistake in both: the gaps say how the files were put together, not what a model can do.
#
# **Answers to other questions.**
# A good model gets easy items right more often than hard ones.
# So the {term}`difficulty` of an item for all *other* models must go with this model's answers, and where it does not, the answers are filed under the wrong questions.

# %% tags=["hide-input"]
related = mbnb.measured("leaderboards-related")
related = related[mbnb.is_real(related)].set_index("dataset")
odd, others = related.loc["mmlu-pro-47"], related.drop("mmlu-pro-47")
weak = others.loc[others["least"].idxmin()]
least, lowest = (mbnb.signed(row["least"]) for row in (odd, weak))
mbnb.say(
    f"In `mmlu-pro-47` the answers of {odd['model']} correlate at {least} with how easy an item is "
    f"for the other models, though {odd['accuracy']:.0f} % of them are right; the next lowest of "
    f"the {odd['n_models']} models has {odd['second']:.2f}, and the median model "
    f"{odd['median']:.2f}.",
    "An accuracy survives such a shuffle, so no ranking shows it, but a selector that learns from "
    "these answers learns noise: the model was left out.",
    f"Low values alone prove nothing: the lowest elsewhere, {lowest}, is that of {weak['model']} on "
    f"`{weak.name}`, with {weak['accuracy']:.0f} points.",
    "A model at the guessing level may well err where others succeed; a good one may not.",
)

# %% [markdown]
# ## What holds everywhere
#
# Start with {term}`uniform sampling`, which looks at nothing and so has nothing to be misled by.

# %% tags=["hide-input"]
mbnb.selector_table(everything)

# %% [markdown]
# Down each column the numbers are nearly the same.
# Benchmarks of code, of mathematics and of reward models, leaderboards of dozens and of thousands of models, and a simulation: ten random items cost about the same everywhere.
# That is no coincidence but arithmetic.
# How noisy a comparison is depends on the {term}`disagreement rate` of the two models and on the number of items, and at equal gaps disagreement rates are much alike ([](./01_leaderboard)).
# A closed form turns the disagreement rate of each matrix into the MDAD that uniform sampling must have ([](./13_parity_at_250)); the table sets it beside the measured one.

# %% tags=["hide-input"]
closed = mbnb.measured("leaderboards-expected")
pairs = mbnb.compare_pairs(study.matrix, seed=p.seed)
of_this_run = mbnb.expected_mdad(pairs, study.sizes, trials.n_train)
closed_now = of_this_run.rename_axis("size").reset_index().assign(dataset=this_run)
expected = pd.concat([closed, closed_now], ignore_index=True)
mbnb.expected_table(everything, expected)

# %% tags=["hide-input"]
beside = mbnb.beside_expected(everything, expected)
beside = beside[beside["dataset"].isin(names)].dropna(subset="off")
far = beside.loc[beside["off"].abs().idxmax()]
beyond = beside[beside["off"].abs() > 1]
floor = mbnb.uniform_floor([10]).iloc[0]
told = mbnb.reported("mdad-mmlu-pro").query("selector == 'uniform'").set_index("size")["mdad"]
mbnb.say(
    f"Of {len(beside)} measured values on real leaderboards, {int((beside['off'].abs() <= 1).sum())} "
    f"lie within a point of the closed form, and {int((beside['off'].abs() <= 0.5).sum())} within "
    f"one bin. The farthest is off by {abs(far['off']):.1f} points, on `{far['dataset']}` at "
    f"{far['size']:,} items; of the {len(beyond)} that are off by more than a point, "
    f"{int((beyond['size'] <= 25).sum())} are at 10 or 25 items, where a first crossing is noisiest.",
    f"At 10 items no leaderboard is below {at_ten.min():g}: the {told[10]:g} points that are "
    f"reported for uniform sampling on MMLU-Pro lie under the floor of {floor:.1f}, and nothing "
    "measured here comes near them.",
)

# %% [markdown]
# [](./21_reported_and_measured) goes through the reported numbers one by one.
#
# What remains between formula and measurement is luck, nearly all of it: [](./22_theory_and_planning) derives the MDADs exactly, pair by pair, on the trials’ own splits.
#
# You can therefore plan a random micro-benchmark of a leaderboard that you have never seen.
# What you cannot plan from a formula is what a clever choice of items will add.
#
# ## Who leads where
#
# {numref}`fig-16-mdad` draws the MDAD of all six selectors.

# %% mystnb={"figure": {"caption": "MDAD against size on each leaderboard, and in this run; lower is better. Dotted: the floor below which uniform sampling cannot go, whatever the models. Data: the real leaderboards named above the charts, {glue:text}`kept-trials` trials each, and {glue:text}`data`.", "name": "fig-16-mdad"}, "image": {"alt": "Small line charts, one for each leaderboard: MDAD in points against size, both on logarithmic axes, a line for each of six selectors and a dotted floor. The lines fall; they are far apart at ten items and closer together at 250."}} tags=["hide-input"]
mbnb.draw_leaderboards(everything)

# %% [markdown]
# The lines fan out at the left, and most of them close up towards the right.
# {numref}`fig-16-leads` names the lowest line at each size.

# %% mystnb={"figure": {"caption": "The selector with the lowest MDAD, and by how many points it lies below uniform sampling. A full mark: the two 95 % intervals do not overlap. A hollow mark: they do. A dash: none is below uniform sampling. Data: the real leaderboards named at the left, {glue:text}`kept-trials` trials each, and {glue:text}`data`.", "name": "fig-16-leads"}, "image": {"alt": "A grid with a row for each leaderboard and a column for each size; in each place the mark of the leading selector with its lead in points, full where it is clear and hollow where it is not, or a dash where uniform sampling is level."}} tags=["hide-input"]
leads = mbnb.leading_selectors(everything)
mbnb.draw_leads(leads)

# %% tags=["hide-input"]
of_real = leads[leads["dataset"].isin(names)]
level = mbnb.level_sizes(of_real)
first = of_real[of_real["size"] == 10]
who = first["leader"].value_counts()
large = of_real[(of_real["size"] >= 250) & (of_real["leader"] != "uniform")]
clear = large[large["clear"]]
lagging = of_real.explode("behind").dropna(subset="behind")["behind"].value_counts()
glue("lead-ten", f"{first['gain'].min():g} to {first['gain'].max():g}", display=False)
glue("lead-250", mbnb.in_points(of_real[of_real["size"] == 250]["gain"].max()), display=False)
lead_with = mbnb.listed([f"{mbnb.label(k)} on {v}" for k, v in who.items()])
glue("lead-with", f"{lead_with} of the {len(first)}", display=False)
glue(
    "leaders-50",
    str(of_real[of_real["size"] == 50]["leader"].replace("uniform", np.nan).nunique()),
    display=False,
)
mbnb.say(
    f"At 10 items the lead is with {lead_with} of the {len(first)} real leaderboards, by {first['gain'].min():g} to {first['gain'].max():g} "
    "points.",
    f"At 250 items and more, {int(large['clear'].sum())} of {len(large)} leads are clear"
    + (f", the widest of them by {mbnb.in_points(clear['gain'].max())}." if len(clear) else "."),
    f"Nobody is clearly ahead of uniform sampling from {level.min():,.0f} items on where that comes "
    f"first, and from {level.max():,.0f} on where it comes last"
    + (
        f"; on {mbnb.listed([f'`{name}`' for name in level.index[level.isna()]])} somebody still is "
        "at the largest size."
        if level.isna().any()
        else "."
    ),
    f"Clearly *behind* uniform sampling, at one size or another, are "
    f"{mbnb.listed([f'{mbnb.label(k)} ({v} times)' for k, v in lagging.items()])}."
    if len(lagging)
    else "No selector is clearly behind uniform sampling anywhere.",
)

# %% mystnb={"code_prompt_show": "Show the leads as a table", "code_prompt_hide": "Hide the table"} tags=["hide-cell"]
mbnb.leads_table(leads)

# %% [markdown]
# {term}`Anchor Points` was made for confidences, and it groups items by how the source models' answers go together.
# Here it sees mere scores on all leaderboards but one, and on some of them no more than a few dozen models.
# You would expect it to fail where sources are few.

# %% tags=["hide-input"]
anchor = real[(real["selector"] == "anchor-points") & (real["half"] == "train")]
anchor = anchor.merge(uniform[["dataset", "size", "mdad"]], on=["dataset", "size"])
anchor = anchor.assign(gain=anchor["mdad_y"] - anchor["mdad_x"])
mbnb.say(
    *(
        f"On the {own['dataset'].nunique()} leaderboards with {which} 100 sources, Anchor Points "
        "gains "
        + mbnb.listed(
            [
                f"{mbnb.points(rows['gain'].min())} to {mbnb.points(rows['gain'].max())} points at "
                f"{size} items"
                for size, rows in own[own["size"].isin([10, 50, 250])].groupby("size")
            ]
        )
        + "."
        for own, which in (
            (anchor[anchor["n_source"] >= 100], "at least"),
            (anchor[anchor["n_source"] < 100], "fewer than"),
        )
        if own["gain"].notna().any()
    )
)

# %% [markdown]
# Read that with care before you praise the method.
# A tied estimate counts as wrong, and ten items counted alike can take eleven values only; ten items with unequal weights hardly ever tie ([](./03_uniform)).
# So a part of the lead at 10 items comes from weights and not from the choice, which is why {term}`confidence strata <strata>` and {term}`tinyBenchmarks` gain there too.
# Further up the floor falls away, and with it most of the lead.
#
# ## Move it yourself
#
# An MDAD is one point of a curve.
# In {numref}`fig-16-explore` choose a leaderboard and a size; click a selector in the legend, or choose it in the last field, to see it alone.
# Try this: choose `mmlu-pro-47` and step from the smallest size to the largest.
# Then choose “{glue:text}`this-run`”, and see whether it would have told you the same.

# %% mystnb={"figure": {"caption": "Agreement against gap, on the leaderboard and at the size that you choose. It opens on the first leaderboard of the table above at 10 items. Level line: the threshold; upright line: the floor of uniform sampling. Bins with fewer pairs than trials are left out. Data: the real leaderboards in the list, {glue:text}`kept-trials` trials each, and {glue:text}`data`.", "name": "fig-16-explore"}} tags=["hide-input"]
curves = {name: mbnb.measured(f"agreement-{name}") for name in names}
curves[this_run] = mbnb.agreement_counts(trials)
mbnb.explore_leaderboards(curves, min_pairs=min(p.n_trials, 50))

# %% [markdown]
# The two figures above hold the same for print: {numref}`fig-16-mdad` has the gap at which each of these curves meets the threshold.
#
# ## Findings put to the test
#
# The study {cite:p}`yauney2026reliable` measured four benchmarks of one leaderboard.
# Put its findings to leaderboards that it never saw.
# What counts: Anchor Points is *ahead* if no selector has a lower MDAD; uniform sampling is *level* if no interval lies wholly below its own; *behind* is any larger MDAD; and where a finding says *nowhere* or *hardly*, one bin of half a point is allowed.

# %% tags=["hide-input"]
found = mbnb.check_findings(everything)
mbnb.findings_table(found)

# %% tags=["hide-input"]
mbnb.bullets(mbnb.findings_sentences(found[found["dataset"].isin(names)]))

# %% [markdown]
# Where a finding fails, the list says what was seen: two MDADs in points and the size, or in the last case the mean change of the MDAD from the train half to the held-out half.
#
# Two failures are worth a second look.
#
# **Diversity** falls behind uniform sampling, and not only where sources are few.
# The reported tables show nothing of this.
# A likely reason: it takes items that are unlike one another, and the items most unlike all others are the odd ones, those that weak models get right and strong ones wrong, or those with a faulty key ([](./06_diversity)).
#
# **The held-out half** costs more than the study reports.
# Two halves of a few hundred items order close models differently, whatever was chosen from one of them ([](./14_heldout_and_subtasks)); if that is the reason, large leaderboards must suffer less.

# %% tags=["hide-input"]
wide = real.pivot(index=["dataset", "selector", "size"], columns="half", values="mdad")
change = (wide["heldout"] - wide["train"]).groupby("dataset").mean()
n_half = kept.drop_duplicates("dataset").set_index("dataset")["n_train"].loc[change.index]
smallest, largest = n_half.idxmin(), n_half.idxmax()
slope = spearmanr(n_half, change).statistic
mbnb.say(
    f"They {'do' if slope < 0 else 'do not'}: on `{smallest}`, with {n_half[smallest]:,} items in the train half, MDADs rise by "
    f"{change[smallest]:.2f} points on average, and on `{largest}`, with {n_half[largest]:,}, by "
    f"{mbnb.signed(change[largest])}; over all {len(change)} the rank correlation of the rise with "
    f"the number of items is {mbnb.signed(slope)}."
)

# %% [markdown]
# ## What each matrix cannot tell
#
# - `openllm2-mmlu-pro-math` is one subject, and its models are fine-tunes and merges of a few bases: a new model of a new kind is not among the targets.
# - `openllm1-metabench` holds items that were picked for being informative, so a micro-benchmark of it is a selection from a selection, and uniform sampling looks better than it would on the benchmarks as they were.
# - `openllm1-union` keeps only models that are complete.
# - `mmlu-pro-47` and `resampled-t07` have few models: pairs of the same targets return in trial after trial, and the intervals, which resample trials, do not know that other models would differ.
# - In `bigcodebench` nobody can guess, in `rewardbench` everybody can: with two choices half of the answers are right by luck.
# - In `swebench-verified` many agents share a model, and its train half ends before 250 items, so it says nothing of parity at 250.
# - `resampled-t07` has confidences, and each of them is itself a sample of a dozen.
#
# ## Your own beside these
#
# You have results of your own: one command measures them as these were measured, another writes a page about them.
#
# ```bash
# mbnb study my-results
# mbnb report my-results --out report.html --gap 2
# ```
#
# `mbnb study` prints the MDAD table that stands here as one row; [](./19_your_own_benchmark) and [the how-to](../book/your_own_results.md) tell how your files become a matrix.
# Put the row beside the tables of this page.
# If uniform sampling lies well outside the range of the other leaderboards, look for copies, for missing answers that count as wrong, and for answers under wrong questions (`mbnb.item_fit`) before you look for an explanation.
#
# ## Take-aways
#
# - Uniform sampling costs about the same everywhere: {glue:text}`ten-low` to {glue:text}`ten-high` points at 10 items, on {glue:text}`n-real` leaderboards of very different kinds.
# - At 10 items the lead is with {glue:text}`lead-with`; at 50 items there are {glue:text}`leaders-50` different leaders, and nothing but a measurement tells who leads on yours.
# - At 250 items the widest lead over uniform sampling is {glue:text}`lead-250`.
# - Half of the work on a real matrix is done before the first trial: copies, gaps, and answers that belong to other questions.
#
# ## Exercises
#
# ```{admonition} Exercise 1: who cannot be asked
# :class: exercise
#
# On which of the real leaderboards can nobody ask what 250 or 500 items do, and why?
# How many items must a benchmark have at least for a size of 250?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
halves = real.drop_duplicates("dataset").set_index("dataset").index
drawn_from = kept.drop_duplicates("dataset").set_index("dataset")["n_train"].loc[list(halves)]
cannot = {size: list(drawn_from.index[drawn_from < size]) for size in (250, 500)}
mbnb.say(
    *(
        f"{size} items are more than the train half of "
        f"{mbnb.listed([f'`{n}` ({drawn_from[n]:,})' for n in lacking]) or 'none of them'}."
        for size, lacking in cannot.items()
    ),
    "Items are chosen from one half and judged on both, so a benchmark needs twice as many items as "
    "the largest size, 500 for 250, and a few more, since odd subtasks are rounded down.",
)

# %% [markdown]
# ```{admonition} Exercise 2: nine times out of ten
# :class: exercise
#
# The counts behind the curves are there: `mbnb.measured("agreement-bigcodebench")` and its like.
# Read off the MDAD of uniform sampling at 50 items with a threshold of 0.9 instead of 0.8, on every real leaderboard.
# If noise were normal and ties were rare, by which factor would it grow?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
strict = {}
for name in names:
    own = curves[name].query("half == 'train' and pairs >= 50")
    share = own["uniform-50"] / own["pairs"]
    strict[name] = [own["gap"][share >= t - 1e-9].min() for t in (0.8, 0.9)]
strict = pd.DataFrame(strict, index=["at 0.8", "at 0.9"]).T
strict["factor"] = strict["at 0.9"] / strict["at 0.8"]
mbnb.show(strict)

# %% mystnb={"code_prompt_show": "Show the answer in words", "code_prompt_hide": "Hide the answer in words"} tags=["hide-cell", "solution"]
mbnb.say(
    f"A normal variable stays above −{norm.ppf(0.8):.2f} standard errors in 80 % of cases and above "
    f"−{norm.ppf(0.9):.2f} in 90 %, so you expect a factor of {norm.ppf(0.9) / norm.ppf(0.8):.2f}.",
    f"Measured: {strict['factor'].min():.2f} to {strict['factor'].max():.2f}, with a median of "
    f"{strict['factor'].median():.2f}. A first crossing is read to half a point and stops at the "
    "first lucky bin, and that is most of the scatter.",
)

# %% [markdown]
# ```{admonition} Exercise 3: the root of the size
# :class: exercise
#
# An error of sampling falls with the square root of the number of items.
# Fit a line to the logarithm of the MDAD of uniform sampling against the logarithm of the size on each leaderboard.
# Is the slope −½?
# If not, is it steeper or flatter, and which end of the range is to blame?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
positive = uniform[uniform["mdad"] > 0].dropna(subset="mdad")
slopes = {
    reach: [
        np.polyfit(np.log(own["size"]), np.log(own["mdad"]), 1)[0]
        for _, own in positive[positive["size"] <= reach].groupby("dataset")
    ]
    for reach in (100, 1000)
}
mbnb.say(
    f"Up to 100 items the slopes run from {min(slopes[100]):.2f} to {max(slopes[100]):.2f}, over "
    f"all sizes from {min(slopes[1000]):.2f} to {max(slopes[1000]):.2f}.".replace("-", "−"),
    "Two things make most lines steeper than −½. At few items a tie counts as wrong, and ties go away "
    "faster than the root. At many items a good part of the half has been drawn, and what is drawn "
    "is no longer uncertain: the MDAD falls to nothing as the size nears the half.",
)

# %% [markdown]
# ```{admonition} Exercise 4: leads on items that nobody saw
# :class: exercise
#
# A selector's lead on the train half may be a lead on the very items that it learnt from.
# How many of the clear leads on real leaderboards are still clear against the held-out half, and with the same leader?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
held = mbnb.leading_selectors(real, half="heldout")
both = mbnb.leading_selectors(real).merge(held, on=["dataset", "size"], suffixes=("", "_held"))
sure = both[both["clear"]]
still, lost = sure[sure["clear_held"]], sure[~sure["clear_held"]]
mbnb.say(
    f"Of {len(sure)} clear leads {len(still)} are clear on the held-out half too, "
    f"{int((still['leader'] == still['leader_held']).sum())} of them with the same leader.",
    f"The median lead among all {len(sure)} goes from {mbnb.in_points(sure['gain'].median())} to "
    f"{mbnb.in_points(sure['gain_held'].median())}.",
    f"Those no longer clear are at {mbnb.listed([f'{k:,}' for k in sorted(set(lost['size']))])} items."
    if len(lost)
    else "None is lost.",
    "What is gained on the train half is hardly learnt by heart: a selector that had memorised items "
    "would lose its lead on new ones.",
)

# %% [markdown]
# ```{admonition} Exercise 5: leaderboards are few
# :class: exercise
#
# You want to publish “selector A beats uniform sampling at 50 items”, with leaderboards as the unit and not trials.
# On how many of them must A be ahead for a sign test at 5 %?
# Which selectors pass?
# Would more trials help?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
wide = real.query("half == 'train' and size == 50").pivot(
    index="dataset", columns="selector", values="mdad"
)
ahead = wide.drop(columns="uniform").lt(wide["uniform"], axis=0).sum()
behind = wide.drop(columns="uniform").gt(wide["uniform"], axis=0).sum()
verdicts = pd.DataFrame({"ahead": ahead, "behind": behind, "level": len(wide) - ahead - behind})
verdicts["p"] = [
    binomtest(int(a), int(a + b)).pvalue if a + b else 1.0
    for a, b in zip(ahead, behind, strict=True)
]
mbnb.show(verdicts.rename(index=mbnb.label).rename_axis(None))

# %% mystnb={"code_prompt_show": "Show the answer in words", "code_prompt_hide": "Hide the answer in words"} tags=["hide-cell", "solution"]
boards = len(wide)
needed = [k for k in range(boards + 1) if 2 * k > boards and binomtest(k, boards).pvalue <= 0.05]
passing = [mbnb.label(name) for name in verdicts.index[verdicts["p"] <= 0.05]]
mbnb.say(
    f"With {boards} leaderboards and no ties, {needed[0]} wins are needed."
    if needed
    else f"With {boards} leaderboards no count of wins is enough.",
    f"{mbnb.listed(passing)} {'passes' if len(passing) == 1 else 'pass'}."
    if passing
    else "No selector passes.",
    "More trials make each MDAD surer and the number of leaderboards no larger: a claim about "
    "*benchmarks* needs more benchmarks.",
    f"And {len(verdicts)} selectors were tested, so one at 5 % passes by luck in "
    f"{100 * (1 - 0.95 ** len(verdicts)):.0f} % of such tables.",
)

# %% [markdown]
# ## Re-run this chapter
#
# ```bash
# mbnb run 16 -p n_trials=10 -p 'sizes=[10,50]'
# MBNB_DATA=~/leaderboards mbnb run 16 -p dataset=bigcodebench
# ```
#
# The measured tables are made anew by these commands, for those leaderboards that lie under `MBNB_DATA`.
# The first takes hours and can be stopped and started again.
#
# ```bash
# MBNB_DATA=~/leaderboards python benchmarks/leaderboards.py grids --write
# MBNB_DATA=~/leaderboards python benchmarks/leaderboard_facts.py --write
# ```
#
# All MDADs behind this page, with intervals, are folded into this table.

# %% mystnb={"code_prompt_show": "Show every MDAD", "code_prompt_hide": "Hide every MDAD"} tags=["hide-cell"]
mbnb.every_mdad_table(everything)

# %% tags=["hide-input"]
study.footer(trials)
