# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Take-home rules
#
# {glue:text}`answer`
#
# **What you will learn**
#
# - eleven rules for anybody who evaluates models on few items, with the figures behind them
# - on what each rests, and when it does not hold
# - which command does it
#
# **Reading time** 11 minutes.
# **Running time** under a minute once the grid of [](./10_main_tables) is stored.

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
import pandas as pd
from myst_nb import glue

import mbnb

p = mbnb.parameters(globals())
p

# %% tags=["hide-input"]
study = mbnb.open_study(p)
study

# %% [markdown]
# Unless a caption says otherwise, the figures of this page were measured on {glue:text}`boards` real leaderboards, {glue:text}`kept-trials` trials each, and are kept with the book; [](./16_real_leaderboards) tells what they are.
# A rule is worth as much as its exceptions, so each has some.
#
# ## 1. Say first which gap your decision hangs on
#
# “How many items do I need?” has no answer before “to see what?”.
# Write down the smallest difference between two models that would change what you do, in points, and read the size off {numref}`fig-28-gaps`.

# %%
trials = study.run("uniform")
own = study.mdad(mbnb.agreement(trials))
real = mbnb.real_mdads()
n_boards = real["dataset"].nunique()
members = mbnb.measured("group").query("dataset == 'openllm2-mmlu-pro-math'")
study.insert(
    live=mbnb.data_label(study.matrix, p.n_trials),
    boards=n_boards,
    better_boards=mbnb.better_mdads().index.unique("dataset").size,
    kept_trials=mbnb.listed([f"{n:,}" for n in sorted(real["n_trials"].unique())]),
    in_group=int(members.set_index("group")["n_target"]["8b-instruct"].max()),
)

# %% mystnb={"figure": {"caption": "The gap that uniform sampling sees (MDAD at a threshold of 0.8) against size: the range over {glue:text}`boards` real leaderboards, at sizes that half of them have; this page’s own data ({glue:text}`live`), and the floor. The vertical axis is even up to 1 point and logarithmic above.", "name": "fig-28-gaps"}, "image": {"alt": "MDAD against size: a falling band for the real leaderboards, a line with marks for this page’s data, and a dotted line for the floor."}} tags=["hide-input"]
mbnb.draw_seen_gaps(own, study.matrix.name)

# %% tags=["hide-input"]
uniform = real[real["selector"] == "uniform"].groupby("size")["mdad"].agg(["min", "max"])
mbnb.say(
    "On the real leaderboards uniform sampling sees "
    + mbnb.listed(
        [
            f"{row['min']:g} to {row['max']:g} points with {size:,} items"
            for size, row in uniform.loc[[10, 100, 500]].iterrows()
        ]
    )
    + ".",
)

# %% [markdown]
# *Not so* when your models are nearly copies of one another: they disagree on few items, and the same gap is easier to see.
# [](../book/choosing_a_size.md) does the sum for your own two models.
#
# ## 2. Plan before you measure
#
# What random items can tell about two models follows from one number, the share of the items on which the two differ.
# `mbnb plan` takes it from answers that you have, or from a guess, and solves for the size, the gap or the {term}`agreement`; no trial is needed, and no benchmark either.

# %% mystnb={"figure": {"caption": "MDAD of uniform sampling as derived and as measured, a dot for each size on each of {glue:text}`planned-boards` real leaderboards; on the dotted line the two agree. Both axes are logarithmic.", "name": "fig-28-planned"}, "image": {"alt": "Dots along a rising dotted line: what was derived and what was measured agree from the smallest MDADs to the largest."}} tags=["hide-input"]
mbnb.draw_planned()

# %% tags=["hide-input"]
planned = mbnb.plans_and_trials()
misses = (planned["measured"] - planned["exact"]).abs()
study.insert(planned_boards=planned["dataset"].nunique())
mbnb.say(
    f"Of {len(planned)} plans {mbnb.percent((misses <= 0.5).mean())} are within half a point of what "
    f"50 trials measure and {mbnb.percent((misses <= 1).mean())} within a whole one.",
)

# %% [markdown]
# *Not so* for anything but random items read with the plain mean: what a choice or a learnt reading gains has to be measured.
# [](./22_theory_and_planning) derives the sum and has a planner to touch.
#
# ## 3. With ten items you rank nothing that is close
#
# The red line of {numref}`fig-28-gaps` is arithmetic and not experience: read with the plain mean, 10 uniformly drawn items tell no pair less than {glue:text}`floor-10` points apart in four samples of five, whatever the models.
# A ten-item comparison of neighbours is a draw by lot with extra steps.
# *Not so* for a screen: the worst of a wide field fall out early.
#
# ## 4. From about 250 items draw at random
#
# Random items need no source models, favour nobody, and come with intervals that are exact.
# {numref}`fig-28-best` shows what you give up by it, compared with the study’s other selectors.

# %% mystnb={"figure": {"caption": "MDAD of uniform sampling minus that of the best of five other selectors, a dot for each of {glue:text}`boards` real leaderboards; the grey band is one bin. The best is chosen with hindsight at every size, so the dots flatter it.", "name": "fig-28-best"}, "image": {"alt": "Columns of dots against size, one dot for each leaderboard: high above zero at the smallest size, falling and closing up as the size grows, and in or beside a grey band about zero at the largest sizes."}} tags=["hide-input"]
mbnb.draw_best_gains()

# %% tags=["hide-input"]
wide = real.pivot(index=["dataset", "size"], columns="selector", values="mdad")
gain = (wide["uniform"] - wide.drop(columns="uniform").min(axis=1)).groupby("size")
better = mbnb.better_mdads()
random_plain, random_learnt, chosen = (better[way] for way in better.columns)
lead = (random_plain - chosen).groupby("size")
at_250 = (
    f"What beats it at that size goes past them: `close-pairs` read with `corrected-mean` sees gaps "
    f"smaller by {mbnb.in_points(lead.median()[250])} in the median ({mbnb.points(lead.min()[250])} to "
    f"{mbnb.points(lead.max()[250])} over the leaderboards)."
    if 250 in lead.groups
    else ""
)
small = [size for size in (10, 25, 50, 100) if size in lead.groups]
past_uniform = (
    "In the median over the real leaderboards random items see "
    + mbnb.listed(
        [
            f"{random_learnt.groupby('size').median()[size]:g} instead of "
            f"{random_plain.groupby('size').median()[size]:g} points at {size} items"
            for size in small
        ]
    )
    + ", by another reading of the very same answers."
)
glue("floor-10", f"{mbnb.uniform_floor([10], 0.8).iloc[0]:.1f}", display=False)
mbnb.say(
    f"Even with hindsight the gain at 250 items is {gain.median()[250]:g} points in the median and "
    f"{gain.max()[250]:g} at most.",
    at_250,
)

# %% [markdown]
# *Not so* if items are dear to answer and half a point is worth a lot: rules 5 and 7 are for that.
#
# ## 5. Read the answers with an estimator that learns, before you choose items
#
# Other models’ answers to your random items tell you which of them stand for many others and which for nothing.
# The {term}`estimator` `corrected-mean` learns that from source models and adds it to the plain mean; the items stay as they are, and so does the cost.

# %% mystnb={"figure": {"caption": "MDAD against size for three ways, the median over {glue:text}`better-boards` real leaderboards as a line and their range as a bar; as many sources as there are, up to 300. The vertical axis is even up to 1 point and logarithmic above.", "name": "fig-28-past"}, "image": {"alt": "Three falling lines against size. Highest is random items with the plain mean; below it the same items with corrected-mean; lowest close pairs. The lines close up as the size grows."}} tags=["hide-input"]
mbnb.draw_past_uniform()

# %% tags=["hide-input"]
glue("past-uniform", mbnb.past_uniform_table(), display=False)
at_25 = better.groupby("size").median().loc[25]
study.insert(
    past_headline=f"On {better.index.unique('dataset').size} real leaderboards the same 25 random "
    f"items see {at_25.iloc[1]:g} points instead of {at_25.iloc[0]:g}, in the median, once an "
    f"estimator that learns from other models reads the answers, and 25 items chosen so that close "
    f"models are told apart see {at_25.iloc[2]:g}.",
)
mbnb.say(past_uniform)

# %% [markdown]
# *Not so* if your source models are unlike the models that you test: then what is learnt may mislead ([](./26_fading)). With ten sources there is already something to gain; fewer were not tried.
# [](./24_better_estimators) compares all estimators.
#
# ## 6. With few items, let known models choose them
#
# Below 50 items a selector that has seen the answers of other models sees gaps that uniform sampling misses.
# {numref}`fig-28-small` compares the study’s six, each read as its authors do.

# %% mystnb={"figure": {"caption": "MDAD at 10, 25 and 50 items: the range over {glue:text}`boards` real leaderboards as a bar, the median as a mark. Sources as many as there are, up to 300.", "name": "fig-28-small"}, "image": {"alt": "A row for each selector with three grey bars, one for each size, that end further left and get shorter as the size grows; a mark on each is the median. At the smallest size the bars of the selectors differ most, at the largest least."}} tags=["hide-input"]
mbnb.draw_small_sizes()

# %% tags=["hide-input"]
medians = real[real["size"].isin([10, 25, 50])].groupby(["size", "selector"])["mdad"].median()
best = {size: own.droplevel(0).idxmin() for size, own in medians.groupby("size")}
mbnb.say(
    "The lowest median belongs to "
    + mbnb.listed(
        [
            f"{mbnb.label(name)} at {size} items ({medians[size, name]:g} points, uniform "
            f"{medians[size, 'uniform']:g})"
            for size, name in best.items()
        ]
    )
    + "."
)

# %% [markdown]
# *Not so* if your models are unlike any that you have answers from, and not beyond 100 items, where Anchor Points falls behind.
#
# ## 7. With thirty source models or more, choose by close pairs; with ten, try it first
#
# The selector `close-pairs` looks for items that tell apart source models which lie close together, and trusts its choice only as far as left-out sources bear it out.
# {numref}`fig-28-choice` shows what that gains over random items that are read the same way.

# %% mystnb={"figure": {"caption": "Points by which the MDAD of close pairs lies below that of uniform sampling at 25 items, both read with `corrected-mean`, against the number of source models; the dots of one real leaderboard are joined, and the grey band is one bin.", "name": "fig-28-choice"}, "image": {"alt": "Dots against the number of source models on a logarithmic axis, most of them points above the grey band about zero; with ten sources one lies below it."}} tags=["hide-input"]
mbnb.draw_choice_gains(25)

# %% tags=["hide-input"]
choice = mbnb.choice_gains(25)
lots = {
    "thirty source models or more": choice[choice["n_source"] >= 30],
    "fewer": choice[choice["n_source"] < 30],
}
mbnb.say(
    "In the median it gains "
    + mbnb.listed(
        [
            f"{own['gain'].median():g} points with {which} "
            f"({int((own['gain'] > 0.5).sum())} of {len(own)} gains exceed one bin, and "
            f"{mbnb.counted(int((own['gain'] < -0.5).sum()), 'loss', 'losses')})"
            for which, own in lots.items()
            if len(own)
        ]
    )
    + ".",
)

# %% [markdown]
# *Not so* if the models of tomorrow are better than all of your sources: what is chosen for close pairs among weaker models can then do worse than plain random items, and [](./26_fading) shows how soon.
# [](./25_selection_for_mdad) has the selector’s objective, its cost, and where it fails.
#
# ## 8. Start with the models you have
#
# Selectors that learn need models to learn from, but fewer than you might think, and more help ever less.

# %% mystnb={"figure": {"caption": "MDAD at 25 items against the number of source models, the mean over the real leaderboards that have up to 300 of them.", "name": "fig-28-sources"}, "image": {"alt": "Lines against the number of source models: uniform sampling is flat, the selectors that learn fall at first and flatten."}} tags=["hide-input"]
mbnb.draw_sources_needed(25)

# %% tags=["hide-input"]
learnt = mbnb.measured("sources").query("half == 'train' and not families and size == 25")
learnt = learnt[mbnb.is_real(learnt)]
learnt = learnt[learnt["dataset"].isin(learnt.loc[learnt["n_source"] == 300, "dataset"])]
anchor = learnt[learnt["selector"] == "anchor-points"].groupby("n_source")["mdad"].mean()
mbnb.say(
    "The MDAD of Anchor Points, the hungriest of them here, is "
    + mbnb.listed(
        [f"{anchor[n]:.1f} points with {n}" for n in (10, 50, 100, 300) if n in anchor.index]
    )
    + " source models.",
)

# %% [markdown]
# *Not so* if they are kin of one another, or of other kinds than the models you will test: [](./15_source_models) counts families.
#
# ## 9. Do not judge a small benchmark by its tau
#
# Most pairs on a leaderboard are far apart, and tau counts them all.
# At the same tau the MDADs in {numref}`fig-28-tau` differ by several points.

# %% mystnb={"figure": {"caption": "Kendall’s tau against MDAD: a dot for each selector and size on each of {glue:text}`boards` real leaderboards.", "name": "fig-28-tau"}, "image": {"alt": "A falling cloud of dots: MDAD goes down as tau goes up, and at one tau the MDADs are spread over several points."}} tags=["hide-input"]
mbnb.draw_tau_hides()

# %% [markdown]
# *Not so* if all models of a wide field matter alike to you.
#
# ## 10. Cut from the bottom, and do not crown the top
#
# A small benchmark is good at finding models that are not worth a second look, and poor at naming the best of those that are.

# %% mystnb={"figure": {"caption": "Above: in how many trials the model with the highest estimate under uniform sampling is truly the best of the targets. Below: how many points of accuracy picking it gives away on average. A line for each real leaderboard.", "name": "fig-28-top"}, "image": {"alt": "Two charts against size, a line for each real leaderboard. Above, the share of trials in which the best model is picked rises with the size; below, the accuracy given away falls towards zero."}} tags=["hide-input"]
mbnb.draw_top_kept()

# %% [markdown]
# *Not so* where one model leads by more than the MDAD: [](./17_top_of_the_ranking).
#
# ## 11. Report ties as ties
#
# Among models of one size most pairs are too close for a small benchmark, whichever selector you take.
# Print an interval beside each score, give models that cannot be told apart one rank, and say with how many items they could be.

# %% mystnb={"figure": {"caption": "Share of the pairs of 8B instruction-tuned models whose gap lies within the MDAD, against size: {glue:text}`in-group` real models on the mathematics subtask of MMLU-Pro, and the simulated group on all of it.", "name": "fig-28-within"}, "image": {"alt": "Four falling lines against size, for uniform sampling and the best selector on real and on simulated models: the share of pairs that are too close is highest at the smallest size."}} tags=["hide-input"]
mbnb.draw_within()

# %% [markdown]
# *Not so* if your models are of very different sizes.
#
# ## The commands

# %% tags=["hide-input"]
mbnb.show(
    pd.DataFrame(
        {
            "Rule": [
                "1 to 3: the size for your gap",
                "4: freeze random items",
                "5: the same, read by what known models teach",
                "6, 7: let known models choose",
                "8: your own source models",
                "10, 11: scores with intervals, ties as ties",
                "all of them on your own results",
            ],
            "Command": [
                "mbnb plan --gap 2 --dataset my-benchmark",
                "mbnb select my-benchmark --size 250 --out micro.json",
                "mbnb select my-benchmark --size 50 --estimator corrected-mean --out micro.json",
                "mbnb select my-benchmark --size 50 --selector close-pairs --out micro.json",
                "mbnb read logs --out my-benchmark",
                "mbnb score micro.json new-logs",
                "mbnb report my-benchmark --out report.html",
            ],
        }
    )
    # A line breaks between words and not within an option.
    .assign(
        Command=lambda table: (
            "<code>"
            + table["Command"].str.replace(
                r"(\S+)", r'<span class="mbnb-name">\1</span>', regex=True
            )
            + "</code>"
        )
    )
    .set_index("Rule")
)

# %% tags=["remove-cell"]
glue(
    "answer",
    f"Say which gap you must see; with 10 uniformly drawn items that is "
    f"{uniform.loc[10, 'min']:g} points at best, with 250 items {uniform.loc[250, 'min']:g} to "
    f"{uniform.loc[250, 'max']:g}. Read random items with an estimator that learns before you choose "
    "any, choose them if you have thirty models or more to learn from, and report ties as ties.",
    display=False,
)

# %% [markdown]
# ## Take-aways
#
# - Gap first, size second, estimator third, selector last.
# - The floor is arithmetic for the plain mean of random items; what other models teach gets below it.
# - What you report should be no finer than what your items can see.
#
# ## Exercises
#
# ```{admonition} Exercise 1: a budget
# :class: exercise
#
# You can pay for 100 answers a model and have to choose between two models that you expect to be 3 points apart.
# What do the rules tell you to do?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
at_hundred = real[real["size"] == 100].groupby("selector")["mdad"].median().sort_values()
mbnb.say(
    f"At 100 items uniform sampling sees {uniform.loc[100, 'min']:g} to "
    f"{uniform.loc[100, 'max']:g} points on the real leaderboards, and the best selector in the "
    f"median, {mbnb.label(str(at_hundred.index[0]))}, {at_hundred.iloc[0]:g}.",
    "So with plain means three points are at or below what you can see (rule 1).",
    f"With source models at hand, read random items with `corrected-mean` (rule 5): "
    f"{random_learnt.groupby('size').median()[100]:g} points in the median; or choose by close pairs "
    f"(rule 7): {chosen.groupby('size').median()[100]:g}.",
    "Else pay for more answers, or decide now what you do if the two come out as tied (rule 11).",
)

# %% [markdown]
# ```{admonition} Exercise 2: which rule would you break?
# :class: exercise
#
# Take the live data of this page.
# At which of its sizes does the MDAD of uniform sampling lie outside the range of the real leaderboards, and what would you tell somebody who applied rule 1 to them?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
live = own.set_index("size")["mdad"]
common = [size for size in live.index if size in uniform.index]
outside = [
    f"{size:,}"
    for size in common
    if not uniform.loc[size, "min"] <= live[size] <= uniform.loc[size, "max"]
]
mbnb.say(
    f"Outside the range: at {mbnb.listed(outside)} items."
    if outside
    else f"At none of the {len(common)} sizes that both have.",
    f"The range comes from {n_boards} leaderboards; another one may lie outside by half a point or a "
    "whole one without breaking any rule, and more than that is a reason to measure it itself "
    "with `mbnb report`.",
)

# %% [markdown]
# ```{admonition} Exercise 3: how much does hindsight flatter?
# :class: exercise
#
# {numref}`fig-28-best` takes the best selector on each leaderboard at each size.
# Take instead the one selector that is best in the median over the other leaderboards, and compute its gain on the one left out.
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
honest = {}
for name in wide.index.unique("dataset"):
    others = wide.drop(index=name, level="dataset").drop(columns="uniform").groupby("size").median()
    for size, row in wide.loc[name].iterrows():
        if size not in others.index:  # a size that no other leaderboard has
            continue
        honest.setdefault(size, []).append(row["uniform"] - row[others.loc[size].idxmin()])
honest = pd.Series({size: pd.Series(values).median() for size, values in honest.items()})
mbnb.say(
    "Median gain with hindsight and without: "
    + mbnb.listed(
        [f"{gain.median()[k]:g} and {honest[k]:g} points at {k:,}" for k in (10, 25, 50, 100, 250)]
    )
    + " items.",
)

# %% [markdown]
# ## Re-run this chapter
#
# ```bash
# mbnb run 28 -p n_trials=10 -p 'sizes=[10,50]'
# MBNB_DATA=~/leaderboards mbnb run 28 -p dataset=bigcodebench
# ```

# %% tags=["hide-input"]
study.footer(trials)
