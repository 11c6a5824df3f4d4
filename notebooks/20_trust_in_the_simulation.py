# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # How far the simulation can be trusted
#
# On the one benchmark where a real leaderboard has the same items, the simulation puts the {term}`MDAD` of {term}`uniform sampling` within {glue:text}`uniform-off` points of the real one at every {term}`size`; for {term}`selectors <selector>` that look at answers it is a good guess, and a better fit of its statistics made one of them worse.
#
# **What you will learn**
#
# - which statistics of a {term}`response matrix` decide what chapters of this book conclude
# - where the shipped {term}`profiles <profile>` are near to real leaderboards, where not, and where nobody can say
# - what each known fault does to which conclusion
# - why a simulation that fits better need not answer better
# - how to fit a simulation to your own results
#
# **Reading time** 14 minutes, and 40 for the exercises.
# **Running time** one or two minutes.

# %% tags=["parameters"]
dataset: str = "simulated:mmlu-pro"
missing: str = "drop-items"
n_trials: int = 20
seed: int = 0

# %%
from dataclasses import replace

import numpy as np
import pandas as pd
from myst_nb import glue

import mbnb

p = mbnb.parameters(globals())
p

# %% tags=["hide-input"]
study = mbnb.open_study(p)
study

# %% [markdown]
# ## What a simulation has to get right
#
# Most charts of this book show a {term}`simulated leaderboard`, because the answers of real models may not be passed on with it.
# A simulation need not be right in everything.
# It has to be right in what the question depends on, and the questions here depend on few things:
#
# - *Uniform sampling* depends on the {term}`gap` of a pair, on its {term}`disagreement rate`, and on the number of items ([](./03_uniform)).
#   Nothing else enters the formula.
# - *Which pairs there are* depends on how accuracies lie: a long thin top has wide gaps and few close pairs.
# - *Selectors that look at answers* live on what items have in common: their {term}`difficulty`, their correlations, the {term}`family` ties of models.
# - *Selectors that look at {term}`confidences <confidence>`* depend on how sure models are, too.
#
# The function `mbnb.fidelity` measures all of these on two matrices, cut to the same number of models.
# The real matrices stay where they are; what was measured on them is kept with the book, by the command at the foot of this page.

# %% tags=["hide-input"]
compared = ["mmlu-pro-math", "mmlu-pro", "bbh", "gpqa", "mmlu"]
mbnb.counterparts_table(compared)

# %% [markdown]
# Only the first row compares like with like: the same 1,351 items, models of the same leaderboard, answers by log-likelihood.
# The second has the items of the whole benchmark, but answered at length by stronger models.
# The other three have no counterpart, and stand beside the nearest thing there is:
#
# - `simulated:bbh` beside six tasks of another leaderboard, which share neither items nor format with it;
# - `simulated:gpqa` beside the very items of GPQA, but answered at length, several times, so that a model can fall below the {term}`guessing level` by giving no answer;
# - `simulated:mmlu` beside 102 items of MMLU that were picked for being informative, with as many of its own items.
#
# What is off in these rows may be off because the counterpart is another benchmark.

# %% tags=["remove-cell"]
maths = mbnb.fidelity_of("mmlu-pro-math").set_index(["statistic", "at"])
own = mbnb.counterpart("mmlu-pro-math")
glue("maths-models", f"{own['n_models']:,}", display=False)
for name, key in {
    "best": ("accuracy", "100"),
    "top": ("accuracy", "95"),
    "middle": ("accuracy", "50"),
    "close": ("disagreement", "0–1"),
    "wider": ("disagreement", "4–7"),
    "near": ("nearest", "50"),
    "together": ("correlation", "all"),
    "subtask": ("correlation", "same subtask"),
    "second": ("component", "2"),
    "shared": ("weak and strong", ""),
}.items():
    digits = 3 if key[0] in ("correlation", "weak and strong") else 1
    for side in ("real", "shipped", "fitted"):
        glue(f"{name}-{side}", f"{maths.loc[key, side]:.{digits}f}", display=False)
off = (maths["shipped"] - maths["real"]).abs()
glue("uniform-off", f"{np.ceil(10 * off['uniform MDAD'].max()) / 10:.1f}", display=False)
off_fitted = (maths["fitted"] - maths["real"]).abs()
glue("nearer", f"{(off_fitted < off).sum()}", display=False)
glue("farther", f"{(off_fitted > off).sum()}", display=False)

# %% [markdown]
# ## The mathematics of MMLU-Pro
#
# {numref}`fig-20-maths` lays the real leaderboard (ink) over the shipped profile's subtask *math*.
# The third line, *fitted*, is a profile that a program fitted to the real matrix; set it aside until further down.

# %% mystnb={"figure": {"caption": "Statistics of a real leaderboard and of the simulation: shipped, and fitted anew. Data: openllm2-mmlu-pro-math (real), simulated:mmlu-pro (subtask math) and simulated:fitted/mmlu-pro-math, {glue:text}`maths-models` models × 1,351 items each, scores alone.", "name": "fig-20-maths"}, "image": {"alt": "Eight small charts with a line for the real leaderboard, the shipped and the fitted simulation: accuracy, shares of models that solve an item, disagreement by gap, nearest model, components, correlations, expected MDAD and clusters of one item. The lines nearly coincide but for the top accuracies, the second component and the correlations, where the shipped simulation is lower."}} tags=["hide-input"]
mbnb.draw_fidelity(mbnb.fidelity_of("mmlu-pro-math"))

# %% [markdown]
# **What is right.**
# Close pairs differ on as many items: {glue:text}`close-real` % there, {glue:text}`close-shipped` % here for gaps below a point.
# So the MDAD of uniform sampling follows, within {glue:text}`uniform-off` points at every size.
# The middle of the leaderboard lies where it should (median {glue:text}`middle-real` and {glue:text}`middle-shipped` points), and relatives err alike: the median model's nearest neighbour differs on {glue:text}`near-real` and {glue:text}`near-shipped` % of the items.
#
# **What is wrong.**
#
# - *The top is too short.*
#   The best model solves {glue:text}`best-real` % of the items there and {glue:text}`best-shipped` % here; at the 95th percentile it is {glue:text}`top-real` and {glue:text}`top-shipped`.
# - *Models a few points apart differ too little*, on {glue:text}`wider-shipped` % instead of {glue:text}`wider-real` % of the items at gaps of 4 to 7 points.
# - *Items hang together too little.*
#   Their mean correlation is {glue:text}`together-shipped` instead of {glue:text}`together-real`, and items of one source of questions, which are nearer kin in reality ({glue:text}`subtask-real`), are not so in the simulation, where all of mathematics is one subtask.
#   The second component holds {glue:text}`second-shipped` % of the variance instead of {glue:text}`second-real` %: reality has one more large thing, beside being good, that models differ in.
# - *Weak and strong models agree too little on which items are hard*: the correlation between the weakest and the strongest quarter is {glue:text}`shared-shipped` instead of {glue:text}`shared-real`.
#
# All numbers stand in the folded table.

# %% tags=["hide-cell"]
mbnb.fidelity_table(mbnb.fidelity_of("mmlu-pro-math"))

# %% [markdown]
# ## The other profiles
#
# For each statistic, how far on average is the simulation from its real counterpart?
# In each cell stands the shipped profile's distance, and after the arrow that of a profile fitted to the counterpart by the same generator.
# The first number says how near the shipped profile is; the second, how much of that is the fault of its *settings* and not of the generator's *form*.

# %% tags=["hide-input"]
mbnb.misses_table(compared)

# %% tags=["remove-cell"]
gpqa = mbnb.fidelity_of("gpqa").set_index(["statistic", "at"])
glue("gpqa-weak-real", f"{gpqa.loc[('accuracy', '5'), 'real']:.1f}", display=False)
glue("gpqa-weak-fitted", f"{gpqa.loc[('accuracy', '5'), 'fitted']:.1f}", display=False)
whole = mbnb.fidelity_of("mmlu-pro").set_index(["statistic", "at"])
whole_off = (whole["shipped"] - whole["real"]).abs()["uniform MDAD"].max()
glue("whole-mdad", f"{np.ceil(10 * whole_off) / 10:.1f}", display=False)
glue("whole-middle-real", f"{whole.loc[('accuracy', '50'), 'real']:.0f}", display=False)
glue("whole-middle-shipped", f"{whole.loc[('accuracy', '50'), 'shipped']:.0f}", display=False)

# %% [markdown]
# Three things follow.
#
# - *Accuracies may be far off, and the MDAD of uniform sampling right.*
#   On the whole of MMLU-Pro the real models are far stronger (median {glue:text}`whole-middle-real` points against {glue:text}`whole-middle-shipped`), and still the MDAD is off by {glue:text}`whole-mdad` points at most.
#   Disagreement at a given gap varies little from one leaderboard to the next.
# - *Most of the distance is settings.*
#   The same generator, fitted, comes much nearer to most counterparts.
# - *GPQA shows the form's limit.*
#   The weakest real models score {glue:text}`gpqa-weak-real` points there, since an answer that is not given is wrong.
#   Every simulated model answers, so the fit cannot go below chance ({glue:text}`gpqa-weak-fitted` points).
#   A simulated leaderboard is one of multiple choice; for programs, agents and free answers, choose many options and trust it less.
#
# ## A better fit
#
# The shipped profiles were set by hand, by comparing statistics, before there was a program that fits them.
# Are they what the program would find?
# No: it finds other settings, and comes nearer in {glue:text}`nearer` of the statistics in the folded table above; in {glue:text}`farther` the shipped profile is the nearer one.
# For the mathematics items it lengthens the top (best model {glue:text}`best-fitted` points, where {glue:text}`best-real` are real), raises the second component to {glue:text}`second-fitted` % and the correlation to {glue:text}`together-fitted`.
#
# Then it is the better simulation?
# Neither profile was ever shown which selector wins.
# So that question can judge them.
# {numref}`fig-20-selectors` runs all six selectors, on scores alone, on the real leaderboard and on both simulations.

# %% tags=["remove-cell"]
judged = mbnb.measured("fidelity-mdad")
glue("judged-trials", f"{judged['n_trials'].max():,}", display=False)
by_cell = judged.pivot(index=["selector", "size"], columns="side", values="mdad")
far = by_cell.sub(by_cell["real"], axis=0).abs().groupby("selector").mean()
for side in ("shipped", "fitted"):
    glue(f"far-{side}", f"{far[side].drop('diversity').mean():.1f}", display=False)
    glue(f"diversity-{side}", f"{by_cell.loc[('diversity', 50), side]:g}", display=False)
glue("diversity-real", f"{by_cell.loc[('diversity', 50), 'real']:g}", display=False)
glue("uniform-fitted", f"{by_cell.loc[('uniform', 50), 'fitted']:g}", display=False)

# %% mystnb={"figure": {"caption": "MDAD with 95 % intervals of each selector on the real leaderboard and on the two simulations (markers side by side). Data: openllm2-mmlu-pro-math (real, 3,903 models), simulated:mmlu-pro (subtask math) and simulated:fitted/mmlu-pro-math (470 models each); 1,351 items, scores alone, {glue:text}`judged-trials` trials.", "name": "fig-20-selectors"}, "image": {"alt": "Six small line charts of MDAD against size, one for each selector, each with a line for the real leaderboard, the shipped and the fitted simulation. The three nearly coincide for five selectors; for diversity the fitted simulation lies above the other two at most sizes."}} tags=["hide-input"]
mbnb.draw_selectors()

# %% [markdown]
# For five selectors the shipped simulation is off by {glue:text}`far-shipped` points on average and the fitted one by {glue:text}`far-fitted`.
# For {term}`diversity <DPP>` the better fit is the worse judge: at 50 items the real leaderboard has an MDAD of {glue:text}`diversity-real` points, the shipped profile {glue:text}`diversity-shipped`, and the fitted one {glue:text}`diversity-fitted`, behind its own uniform sampling ({glue:text}`uniform-fitted`).
#
# A statistic that is not in the list is not fitted, however well all others are.
# Diversity picks items that lie *outside*, and no statistic here says what outlying items are like.
# Exercise 3 finds the setting behind it.
# Two rules follow, for this simulation and for yours:
#
# - Trust a simulation for a selector only where a real leaderboard has been seen to agree.
# - Keep a question that the fit has never seen, and ask it before you trust the fit.
#
# For this reason, too, the shipped profiles stay as they are.
# The fitted one is there as `simulated:fitted/mmlu-pro-math`, for whoever wants the longer top.
#
# ## What each fault does
#
# To see what hangs on a setting, change it and measure again.
# Each row of the table changes one setting of the shipped profile (mathematics alone, confidences included) and gives the MDADs.
# Bold: its 95 % interval and that of the first row share no point.

# %% tags=["hide-input"]
mbnb.settings_table([10, 50, 250], ["uniform", "confidence", "diversity", "anchor-points"])

# %% tags=["remove-cell"]
tried = mbnb.measured("fidelity-settings")
wide = tried.pivot(index=["selector", "size"], columns="setting", values="mdad")
swing = wide.max(axis=1) - wide.min(axis=1)
glue("setting-trials", f"{tried['n_trials'].max():,}", display=False)
glue("swing-uniform", f"{swing['uniform'].drop(10, errors='ignore').max():g}", display=False)
glue("swing-anchor", f"{swing['anchor-points'].drop(10, errors='ignore').max():g}", display=False)
glue("swing-diversity", f"{swing['diversity'].drop(10, errors='ignore').max():g}", display=False)
glue("anchor-scores", f"{by_cell.loc[('anchor-points', 50), 'shipped']:g}", display=False)
glue("anchor-real", f"{by_cell.loc[('anchor-points', 50), 'real']:g}", display=False)
glue("anchor-sure", f"{wide.loc[('anchor-points', 50), 'as shipped']:g}", display=False)

# %% [markdown]
# At 25 items and more (also those that the table leaves out) the rows lie at most {glue:text}`swing-uniform` points apart for uniform sampling, {glue:text}`swing-anchor` for {term}`Anchor Points`, {glue:text}`swing-diversity` for diversity ({glue:text}`setting-trials` trials, so a point is noise).
# What matters more is *that* there are confidences: at 50 items Anchor Points has an MDAD of {glue:text}`anchor-sure` points with the simulated confidences, {glue:text}`anchor-scores` on the simulated scores alone, and {glue:text}`anchor-real` on the real scores.
#
# The next table says where each fault matters.
# Where the one above has not measured it, the middle column is reasoning.
#
# | what is off | what it does | where to be careful |
# |---|---|---|
# | the top is short | real benchmarks have wider gaps and fewer close pairs at the top | [](./17_top_of_the_ranking): {term}`regret` and ties at the top probably look worse than they are |
# | models a few points apart differ too little | uniform sampling looks a little better than it is, by the tenths of a point of {numref}`fig-20-maths` | [](./03_uniform), [](./13_parity_at_250): the order of selectors is not touched |
# | items hang together too little, and one large component is missing | selectors that look for structure find less of it | [](./08_tinybenchmarks), [](./07_anchor_points): their lead on scores is a careful guess |
# | weak and strong models agree too little on what is hard | what the sources find hard says less about a target of another strength | [](./05_confidence), [](./15_source_models): strata and sources probably look weaker than they are |
# | diversity depends on settings that no statistic here fixes | it may lag more, or less, than on real data | [](./06_diversity): believe the real figures of [](./16_real_leaderboards) first |
# | all items of a subtask come from one urn | the {term}`held-out half` is as like the {term}`train half` as can be | [](./14_heldout_and_subtasks): a new set of items is never so kind |
# | confidences | see below | [](./05_confidence), [](./06_diversity), [](./07_anchor_points) |
#
# ## Confidences
#
# One real matrix at hand holds confidences, and they are shares of about a dozen samples of an answer, not probabilities of options.
# It is another kind of benchmark, too.
# Of a confidence's variance, one part is how good the model is and how hard the item; the other is what a single item's answer adds.
# The second part is small where a model is sure of itself, right or wrong.

# %% tags=["hide-input"]
sure = mbnb.fidelity_of("confidences")
sure = sure[sure["statistic"].isin(["confidence", "confidence correlation", "correlation"])]
mbnb.fidelity_table(sure)

# %% tags=["remove-cell"]
sure = sure.set_index(["statistic", "at"])
for side in ("real", "shipped", "fitted"):
    ratio = (
        sure.loc[("confidence correlation", "all"), side] / sure.loc[("correlation", "all"), side]
    )
    glue(f"clean-{side}", f"{ratio:.2f}", display=False)
    glue(f"weakest-{side}", f"{sure.loc[('confidence', '1'), side]:.2f}", display=False)
given = mbnb.read_profile("mmlu-pro").confidence
glue("sharpness-spread", f"{given.spread:g}", display=False)

# %% [markdown]
# Quarter 1 are the weakest models.
# A single answer adds {glue:text}`weakest-real` of the variance there, and {glue:text}`weakest-shipped` in the shipped profile: its weakest models are too sure of themselves.
# Correlations between items rise by a factor of {glue:text}`clean-real` from scores to confidences in the real matrix and of {glue:text}`clean-shipped` in the simulation.
# A dozen samples have noise of their own, which lowers the first factor, so the two are nearer than they look; but a selector that reads confidences may still be flattered here.
#
# How much sharpness *differs between models* (a standard deviation of {glue:text}`sharpness-spread` in logarithms) is an assumption.
# No matrix here holds confidences from log-likelihoods, so nothing can check it.
# The table of settings says what hangs on it: *equal sharpness* and *sharpness spread × 3* are the two rows to read.
#
# ## Fit your own
#
# A simulation of *your* leaderboard has its number of items, its accuracies, its disagreement.
# Use it to plan a study before its data exist, or to hand somebody data that are not yours to give.
#
# ```bash
# mbnb simulate --fit my-benchmark --options 4 --out my.toml
# mbnb study simulated:my.toml
# mbnb simulate my.toml --out my-simulated-benchmark
# ```
#
# The fit is by simulated moments {cite:p}`mcfadden1989simulated`: simulate a profile, compare its statistics with yours, move the settings until they agree as well as they can.
# It always draws the same random numbers, so the same matrix gives the same profile.
# Without confidences it takes their sharpness from a shipped profile, and says so.
# Here it runs on a part of {glue:text}`data`; a simulated leaderboard is fitted from *another* profile than its own, so that there is something to find.

# %%
fit = mbnb.own_fit(study.matrix, seed=p.seed)

# %% tags=["hide-input"]
mbnb.say(*fit.notes) if fit else mbnb.say("No fit is possible here:", mbnb.why_no_fit(study.matrix))

# %% mystnb={"figure": {"caption": "Statistics of this run's data, and of a profile fitted to them. Data: a part of {glue:text}`data`.", "name": "fig-20-own"}, "image": {"alt": "Small charts with a line for the data of this run and one for the fitted simulation; the lines lie close to each other."}} tags=["hide-input"]
fit.draw() if fit else mbnb.say("There is nothing to draw.")

# %% tags=["hide-input"]
fit.settings() if fit else None

# %% tags=["hide-input"]
mbnb.say(
    f"On average the fit is off by {fit.off('accuracy'):.1f} points in accuracy, "
    f"{fit.off('disagreement'):.1f} % of the items in disagreement and "
    f"{fit.off('uniform MDAD'):.2f} points in the expected MDAD of uniform sampling.",
    "The true settings are known here, and some are not found again although the statistics are: "
    "several combinations of discrimination, spread of difficulty and noise answer alike. Read a "
    "fitted profile as a machine that makes such data, and not as a finding about your models."
    if fit.truth
    else "Nobody knows true settings of a real leaderboard, and several combinations answer alike: "
    "read a fitted profile as a machine that makes such data, not as a finding about your models.",
) if fit else None

# %% [markdown]
# ## Take-aways
#
# - Trust the simulation for uniform sampling: it depends on disagreement at a gap, which is right within {glue:text}`uniform-off` points of MDAD.
# - Trust it with care for selectors that read scores; for diversity, and for anything that reads confidences, look at real leaderboards first ([](./16_real_leaderboards)).
# - A better fit is not a better answer: judge a simulation by a question that it was not fitted to.
# - No sentence about `simulated:…` is one about real models.
#
# ## Exercises
#
# ```{admonition} Exercise 1: why uniform sampling forgives
# :class: exercise
#
# The real accuracies of the whole of MMLU-Pro are nearly twice the simulated ones, and yet the MDADs agree.
# Suppose the disagreement rate were a quarter higher or lower at every gap than it is in the simulation's mathematics.
# By how much would the expected MDAD move at 50 items?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
shipped = mbnb.load("simulated:mmlu-pro")
is_maths = np.flatnonzero((shipped.items["subtask"] == "math").to_numpy())
pairs = mbnb.compare_pairs(shipped.subset(items=is_maths))
moved = {
    factor: mbnb.expected_mdad(
        pairs.assign(disagreement=factor * pairs["disagreement"]), [50], is_maths.size // 2
    )[50]
    for factor in (0.75, 1, 1.25)
}
mbnb.say(
    f"From {moved[1]:.1f} points down to {moved[0.75]:.1f} or up to {moved[1.25]:.1f}.",
    "The noise of a sample goes with the square root of the disagreement rate, so an error of a "
    "quarter in the rate is one of an eighth in the MDAD. Accuracies enter only through the "
    "disagreement that they allow.",
)

# %% [markdown]
# ```{admonition} Exercise 2: luck of the draw
# :class: exercise
#
# A simulated leaderboard is one draw.
# Simulate the mathematics of the shipped profile with five other seeds.
# Which differences from the real matrix are more than such luck can explain, say more than three standard deviations?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
profile = mbnb.read_profile("mmlu-pro")
only = tuple(subtask for subtask in profile.subtasks if subtask.name == "math")
drawn = {
    number: mbnb.matrix_statistics(
        mbnb.simulate(replace(profile, subtasks=only, seed=number)), singletons=False
    ).set_index(["statistic", "at"])["value"]
    for number in range(101, 106)
}
luck = pd.DataFrame(drawn).std(axis=1)
luck = luck[~luck.index.get_level_values("statistic").str.startswith("confidence")]
miss = (maths["shipped"] - maths["real"]).abs().reindex(luck.index)
beyond = miss[miss > 3 * luck].groupby("statistic", sort=False).size()
mbnb.say(
    f"Of {miss.notna().sum()} statistics {int(beyond.sum())} are off by more than three standard "
    "deviations of the draw:",
    mbnb.listed([f"{name} ({count})" for name, count in beyond.items()]) + ".",
    "The rest may be luck. The real matrix is a draw too (470 of its models), so the true count "
    "is a little lower.",
)

# %% [markdown]
# ```{admonition} Exercise 3: what makes diversity lag
# :class: exercise
#
# The fitted profile puts diversity behind uniform sampling, the real leaderboard does not.
# Two settings rose in the fit: how fast the appeal of wrong options turns with {term}`ability`, and the weak models' preference for letters.
# Take each away in turn and measure diversity again at 50 items.
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
fitted = mbnb.read_profile("fitted/mmlu-pro-math")
versions = {
    "as fitted": fitted,
    "no turn": replace(fitted, noise=replace(fitted.noise, turn=0.0)),
    "no letters": replace(fitted, noise=replace(fitted.noise, letter=0.0)),
    "neither": replace(fitted, noise=replace(fitted.noise, turn=0.0, letter=0.0)),
}
lag = {}
for name, changed in versions.items():
    runs = mbnb.run_trials(
        mbnb.scores_alone(mbnb.simulate(changed)),
        ["uniform", "diversity"],
        [50],
        n_trials=p.n_trials,
        seed=p.seed,
        store=mbnb.ResultStore(),
    )
    found = mbnb.mdad(mbnb.agreement(runs), min_pairs=p.n_trials).set_index("selector")["mdad"]
    lag[name] = f"{mbnb.format_mdad(found['diversity'])} ({mbnb.format_mdad(found['uniform'])})"
mbnb.say(
    "MDAD of diversity in points, in brackets that of uniform sampling: "
    + mbnb.listed([f"{value} {name}" for name, value in lag.items()])
    + f" ({p.n_trials} trials).",
    "Either alone explains a part at most: outlying items seem to be those on which weak models "
    "are drawn to a wrong letter, or to other wrong options than strong models are. Diversity "
    "collects such items, and they say little about who is better.",
)

# %% [markdown]
# ```{admonition} Exercise 4: does your simulation answer your question?
# :class: exercise
#
# Run uniform sampling, Anchor Points and diversity on the data of the fit above and on what the fit simulates, and compare the MDADs.
# Would you have drawn the same conclusion from both?
# (Done on a leaderboard of your own, with all selectors and 50 trials, this is a result that is worth publishing: how often does a fitted simulation get the order of selectors right?)
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
outcome = {}
for name, matrix in {"data": fit.matrix, "simulation": fit.simulated}.items() if fit else ():
    n_source, n_target, _ = mbnb.possible_counts(matrix)
    usable, _ = mbnb.possible_sizes(matrix, (10, 50))
    runs = mbnb.run_trials(
        matrix,
        ["uniform", "anchor-points", "diversity"],
        usable,
        n_trials=p.n_trials,
        n_source=n_source,
        n_target=n_target,
        seed=p.seed,
        store=mbnb.ResultStore(),
    )
    found = mbnb.mdad(mbnb.agreement(runs), min_pairs=p.n_trials)
    outcome[name] = found.set_index(["selector", "size"]).apply(mbnb.format_interval, axis=1)
mbnb.say(
    *(
        f"{mbnb.label(selector)} at {size} items: {outcome['data'][selector, size]} points in the "
        f"data, {outcome['simulation'][selector, size]} in the simulation."
        for selector, size in outcome["data"].index
    ),
    f"In brackets are 95 % intervals of {p.n_trials} trials: where they overlap, the two have not "
    "been told apart.",
) if outcome else mbnb.say("These data allow no fit, so there is nothing to compare.")

# %% [markdown]
# ## Re-run this chapter
#
# ```bash
# mbnb run 20 -p n_trials=5
# MBNB_DATA=~/leaderboards mbnb run 20 -p dataset=openllm2-mmlu-pro-math
# ```
#
# The figures that were measured once, with all real matrices at hand:
#
# ```bash
# MBNB_DATA=~/leaderboards python benchmarks/fidelity.py --write
# ```

# %% tags=["hide-input"]
study.footer()
