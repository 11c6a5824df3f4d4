# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Reported and measured
#
# {glue:text}`answer`
#
# **What you will learn**
#
# - what the study reports, number by number, and what this book measures in its place
# - which differences come from other data, which from another rule, and which from neither
# - why one reported number cannot be right under the study's own definition
# - how to read a table of MDADs that somebody else has made
#
# **Reading time** 12 minutes.
# **Running time** under a minute once the grid of [](./10_main_tables) is stored.

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

import mbnb

p = mbnb.parameters(globals())
p

# %% tags=["hide-input"]
study = mbnb.open_study(p)
study

# %% [markdown]
# ## What is compared with what
#
# The study {cite:p}`yauney2026reliable` measured real models of the Open LLM Leaderboard 2 on four benchmarks.
# Their answers are not part of this book, so no number below can be *reproduced* in the strict sense.
# Each is set beside the nearest thing that could be measured: a simulated leaderboard of the same shape, and the one real matrix that comes from the same leaderboard, the mathematics subtask of MMLU-Pro.
# Reported tables reach us through a reading of the paper’s figures, so a difference of half a point may be the reader’s.
# Measured figures are kept with the book (`data/measured`), each with its interval; the ones of this page’s own run are marked as live.
#
# ## The two tables
#
# {numref}`fig-21-mmlu-pro` draws the first reported table, MMLU-Pro, with both measurements.

# %% tags=["hide-input"]
claims = mbnb.reported("claims").set_index(["claim", "benchmark"])["value"]
kept = mbnb.measured("leaderboards").query("half == 'train'")
shapes = kept.drop_duplicates("dataset").set_index("dataset")
told = {"MMLU-Pro": mbnb.reported("mdad-mmlu-pro"), "BBH": mbnb.reported("mdad-bbh")}
STAND_INS = {
    "MMLU-Pro": {
        "simulated:mmlu-pro": "simulated models",
        "openllm2-mmlu-pro-math": "real models, mathematics only",
    },
    "BBH": {"simulated:bbh": "simulated models"},
}
beside = {
    benchmark: {
        name: mbnb.beside_reported(told[benchmark], kept[kept["dataset"] == dataset])
        for dataset, name in stand_ins.items()
    }
    for benchmark, stand_ins in STAND_INS.items()
}
study.insert(kept_trials=mbnb.listed([f"{n:,}" for n in sorted(shapes["n_trials"].unique())]))

# %% mystnb={"figure": {"caption": "MDAD on MMLU-Pro as reported, and as measured on two stand-ins: simulated models on all 14 subtasks (simulated:mmlu-pro) and real models on the mathematics subtask alone (openllm2-mmlu-pro-math), {glue:text}`kept-trials` trials each. The red line is the floor of uniform sampling. Both axes are logarithmic.", "name": "fig-21-mmlu-pro"}, "image": {"alt": "Six panels, one for each selector: MDAD against size. The reported values are dots, the measured ones two lines above them; those of real models come down to them at the largest size. In the panel of uniform sampling a red dotted line is the floor."}} tags=["hide-input"]
mbnb.draw_reported(beside["MMLU-Pro"], mbnb.uniform_floor(p.sizes, 0.8))

# %% tags=["hide-input"]
mbnb.reported_table(
    beside["MMLU-Pro"]["simulated models"],
    "MMLU-Pro: MDAD in points as reported, measured on simulated:mmlu-pro, and the difference.",
)

# %% tags=["hide-input"]
mbnb.reported_table(
    beside["MMLU-Pro"]["real models, mathematics only"],
    "MMLU-Pro: as reported, measured on real models and its mathematics subtask alone "
    f"(openllm2-mmlu-pro-math, {shapes['n_train']['openllm2-mmlu-pro-math']:,} items in the train "
    "half), and the difference.",
)

# %% tags=["hide-input"]
mbnb.say(
    *(mbnb.say_differences(table, name) for name, table in beside["MMLU-Pro"].items()),
)

# %% [markdown]
# Three things move these numbers.
# *The data*: simulated models differ from real ones ([](./20_trust_in_the_simulation)), and mathematics is one subtask of fourteen.
# *The rule*: a bin decides here only if it holds one pair a trial on average, and the paper’s rule has no such minimum.
# *The reading*: somebody read the reported values off a chart.
# None of the three can carry uniform sampling at 10 items from {glue:text}`told-ten` points to where it is measured; the next section says what could.
#
# BBH has a simulated stand-in alone.

# %% tags=["hide-input"]
mbnb.reported_table(
    beside["BBH"]["simulated models"],
    "BBH: MDAD in points as reported (to whole points), measured on simulated:bbh, and the "
    "difference.",
)

# %% tags=["hide-input"]
mbnb.say(mbnb.say_differences(beside["BBH"]["simulated models"], "simulated models"))

# %% [markdown]
# ## The number that cannot be
#
# For MMLU-Pro the study reports that 10 uniformly drawn items detect a gap of {glue:text}`told-ten` points.
# Take the best case again: the better model wins a share $d$ of the items and loses none.
# A sample of $k$ items holds one of those with probability $1-(1-d)^k$, and where it holds none the two models tie, which counts as wrong.
# For 80 % agreement at 10 items, $d$ must be at least $1-0.2^{1/10}$.

# %% tags=["hide-input"]
strict = mbnb.uniform_floor([10], 0.8).iloc[0]
lenient = mbnb.uniform_floor([10], 0.8, ties="half").iloc[0]
bbh_value = told["BBH"].set_index(["selector", "size"])["mdad"]["uniform", 10]
told_value = told["MMLU-Pro"].set_index(["selector", "size"])["mdad"]["uniform", 10]
at_told = 100 * (1 - (1 - told_value / 100) ** 10)
study.insert(told_ten=f"{told_value:g}")
mbnb.say(
    f"That is {strict:.1f} points, for any benchmark and any models.",
    f"At a gap of {told_value:g} points the best that could happen is an agreement of "
    f"{at_told:.0f} %, and real pairs lose items too.",
    f"The value reported for BBH, "
    f"{bbh_value:g}, {'keeps to' if bbh_value >= strict - 0.5 else 'breaks'} the bound.",
    f"If a tie counted as half an agreement, the bound would be {lenient:.1f} points, and a value "
    f"of {told_value:g} would {'at least' if told_value >= lenient - 0.5 else 'still not'} be possible.",
)

# %% [markdown]
# So the reported value was made by another rule than the one that is described, or misread, or decided by a bin with a handful of pairs.
# Which rule could it have been?
# The next table takes the live trials of this page and reads them by each rule that we can think of.

# %%
trials = study.run("uniform")
READINGS = {
    "as this book does": ({}, {"min_pairs": p.n_trials}),
    "no minimum of pairs (the paper’s rule)": ({}, {}),
    "the released code’s bins and ties": ({"binning": "floor", "full_ties": "order"}, {}),
    "a tie is half an agreement": ({"ties": "half"}, {"min_pairs": p.n_trials}),
    "the same, no minimum of pairs": ({"ties": "half"}, {}),
    "threshold 0.7": ({}, {"min_pairs": p.n_trials, "threshold": 0.7}),
    "threshold 0.7, half for a tie": (
        {"ties": "half"},
        {"min_pairs": p.n_trials, "threshold": 0.7},
    ),
}
readings = pd.DataFrame(
    {
        name: mbnb.mdad(mbnb.agreement(trials, **count), **{"threshold": 0.8, **read})
        .set_index("size")["mdad"]
        .map(mbnb.format_mdad)
        for name, (count, read) in READINGS.items()
    }
).T
readings.columns = pd.Index([f"{size:,}" for size in readings.columns], name="Size")
uniform_told = told["MMLU-Pro"].query("selector == 'uniform'").set_index("size")["mdad"]
readings.loc["reported for MMLU-Pro"] = [
    mbnb.format_mdad(uniform_told[k]) if k in uniform_told.index else "–" for k in study.sizes
]
mbnb.show(readings).set_caption(
    f"MDAD of uniform sampling in points, read by other rules. Data: {study.matrix.name}, live."
)

# %% tags=["hide-input"]
values = readings.replace(["not reached", "–"], "nan").astype(float)
away = values.sub(values.loc["reported for MMLU-Pro"]).drop("reported for MMLU-Pro")
distance = away.abs().mean(axis=1)
nearest = distance.idxmin()
smallest = values.columns[0]
mbnb.say(
    f"At {smallest} items the readings run from {values[smallest].min():g} to "
    f"{values[smallest].max():g} points.",
    f"Over all sizes the nearest to the reported row is *{nearest}*, {distance[nearest]:.1f} points "
    f"away on average; the study’s own rule is {distance.iloc[1]:.1f} away.",
    "That is no proof: these models are not those of the study, and two wrongs can meet.",
)

# %% [markdown]
# It would settle the matter to see the number of pairs in each bin of the reported curve.
# Until then this book does not use the value, and shows the bound wherever uniform sampling is drawn.
#
# ## The sentences
#
# What the study says in words can be put to the test as well.
# Each row is a claim of the study, its reported number, and what was measured for it.

# %% tags=["hide-input"]
selectors = list(mbnb.SELECTORS)
anchor = mbnb.make_selector("anchor-points").fit(study.train)
most = study.sizes[-1]
picked = anchor.select(most, np.random.default_rng(p.seed))
singletons = 100 * mbnb.singleton_share(picked, study.train.n_items)
at_ten = kept[kept["size"] == 10].groupby("dataset")["mdad"].min()
real = kept[~kept["dataset"].str.startswith("simulated:")]
correlations = {
    name: mbnb.tau_mdad_correlation(rows)
    for name, rows in (("real", real), ("simulated", kept.drop(index=real.index)))
}
wide = kept.pivot_table(
    index=["dataset", "size"], columns="selector", values="mdad", sort=False
).fillna(np.inf)
lead = (wide["uniform"] - wide.min(axis=1)).unstack()
leads = {
    size: int((lead[size].dropna() > 1).sum()) for size in lead.columns if size in (100, 250, 500)
}
halves = mbnb.measured("leaderboards").pivot_table(
    index=["dataset", "selector", "size"], columns="half", values="mdad"
)
alone = mbnb.measured("subtasks").query("part == 'all'")
alone = alone.pivot_table(index=["dataset", "selector", "share"], columns="half", values="mdad")
rows = [
    (
        "With 10 items no selector separates so many points on MMLU-Pro, BBH and GPQA "
        "(those in brackets come from a summary of the paper)",
        f"{claims['no-selector-10', 'MMLU-Pro']:g}; {claims['no-selector-10', 'BBH']:g} "
        f"({claims['no-selector-10-summary', 'BBH']:g}); "
        f"({claims['no-selector-10-summary', 'GPQA']:g})",
        "; ".join(
            f"{name.removeprefix('simulated:')} {at_ten[f'simulated:{name}']:g}"
            for name in ("mmlu-pro", "bbh", "gpqa")
        )
        + " points for the best selector on simulated models; "
        + f"{at_ten[real['dataset'].unique()].min():g} to {at_ten[real['dataset'].unique()].max():g} "
        "on the real matrices",
    ),
    (
        "Anchor Points: share of clusters that hold one item, at 1,000 items",
        f"{claims['anchor-singletons', 'MMLU-Pro']:g} %",
        f"{singletons:.0f} % at {most:,} items ({study.matrix.name}, live, one trial)",
    ),
    (
        "Items from which uniform sampling is level with every method, on all four benchmarks",
        f"about {claims['parity', 'all four']:g}",
        "; ".join(
            f"at {size} items a selector is more than a point ahead on {count} of "
            f"{lead[size].count()} data sets"
            for size, count in leads.items()
        ),
    ),
    (
        "Correlation of tau and MDAD (Kendall)",
        f"{claims['tau-mdad', 'MMLU-Pro']:g}".replace("-", "−"),
        f"{correlations['real']:.2f} over the real matrices, {correlations['simulated']:.2f} over "
        "the simulated ones".replace("-", "−"),
    ),
    (
        "Held-out MDAD hardly differs from train MDAD for pooled selection",
        "no number",
        f"higher by {(halves['heldout'] - halves['train']).mean():.1f} points on average over all "
        "data sets, selectors and sizes",
    ),
    (
        "For selection within each subtask it is somewhat worse",
        "no number",
        f"higher by {(alone['heldout'] - alone['train']).mean():.1f} points on average over real "
        "matrices, selectors and shares",
    ),
]
said = mbnb.show(pd.DataFrame(rows, columns=["Claim", "Reported", "Measured"]))
said.hide(axis="index").set_caption(
    "Claims of the study beside what this book measures "
    f"({' or '.join(f'{n:,}' for n in sorted(shapes['n_trials'].unique()))} trials each)."
)

# %% [markdown]
# Chapter by chapter, the reasons are in [](./07_anchor_points) (singletons and the stall), [](./13_parity_at_250), [](./11_rank_correlation), [](./14_heldout_and_subtasks) and [](./17_top_of_the_ranking).
#
# ## The fixed groups
#
# Within a size class models lie close together, so the study fixes its target models to such groups as well.
# For MMLU-Pro its released code names {glue:text}`named-7b` instruction-tuned models of 7B parameters, {glue:text}`named-8b` of 8B and {glue:text}`named-70b` of 70B.
# Of these groups the reported values of 8B alone have reached us; for 7B and 70B there is nothing reported to compare with, and the table shows what we measure.
# The real mathematics matrix holds some models of each, and the simulated leaderboard has groups of the same names, whose members are not the study’s.

# %% tags=["hide-input"]
case = mbnb.reported("case-study-8b")
study.insert(
    **{
        f"named_{name}": len(mbnb.reported(f"group-{name}-instruct"))
        for name in ("7b", "8b", "70b")
    }
)
group = mbnb.measured("group").query("half == 'train'")
live = study.group_mdads()
is_kept = live["group"].isin(group.loc[group["dataset"] == study.matrix.name, "group"])
of_groups = pd.concat([group, live[~is_kept].assign(dataset=f"{study.matrix.name} (live)")])
mbnb.groups_table(of_groups, case)

# %% tags=["hide-input"]
few = of_groups[of_groups["size"] <= 25].groupby("group")["within"].agg(["min", "max"])
told_few = case.loc[case["size"] <= 25, "share_of_pairs"].max()
mbnb.say(
    f"For the 8B group the study says that {mbnb.percent(told_few)} of the pairs or more lie within "
    "the MDAD with 25 items.",
    "Measured with at most 25 items, by the selector and the data: "
    + mbnb.listed(
        [
            f"{mbnb.percent(row['min'])} to {mbnb.percent(row['max'])} of the pairs of the group "
            f"{name}"
            for name, row in few.iterrows()
        ]
    )
    + ".",
    "A wide group has fewer pairs within its MDAD than a narrow one, with the same items.",
)

# %% [markdown]
# On mathematics alone the train half has too few items for the largest size.
# [](./28_rules) draws the share of the 8B group against size.
#
# ## The costs
#
# The released code was timed once for this book on a small machine; [](./18_what_the_study_costs) sets each step beside ours.

# %% tags=["hide-input"]
ours = mbnb.measured("costs-steps")
theirs = mbnb.reported_trial(mbnb.reported("costs"), p.sizes)
mine = ours[ours["step"] != "agreement"]["seconds"].sum()
mbnb.say(
    f"One trial of all selectors and sizes: about {claims['cost-trial', 'MMLU-Pro']:g} seconds as "
    f"reported, {theirs:.0f} by the sum of the reported steps; measured {mine:.0f} seconds on one core, on simulated:mmlu-pro.",
    "The machines differ, so take the factor and not the seconds.",
)

# %% tags=["remove-cell"]
first = beside["MMLU-Pro"]["simulated models"]
known = first.dropna(subset="difference")
small, large = known[known["size"] <= 25], known[known["size"] >= 250]
glue(
    "answer",
    f"Below 50 items the measured MDADs are {small['difference'].mean():.1f} points above the "
    f"reported ones on average, from 250 on {abs(large['difference'].mean()):.1f} points "
    f"{'above' if large['difference'].mean() >= 0 else 'below'}; one reported number, uniform "
    f"sampling at 10 items, contradicts its own definition.",
    display=False,
)
glue("take-floor", f"{strict:.1f} points", display=False)
glue("take-large", f"{abs(large['difference']).mean():.1f} points", display=False)

# %% [markdown]
# ## Take-aways
#
# - From 250 items on, reported and measured MDADs are {glue:text}`take-large` apart on average, on other models and by other code: that part of the study stands on its own.
# - At 10 items no uniform sample detects less than {glue:text}`take-floor` while ties count as wrong; a table that says so has another rule or few pairs.
# - An MDAD without its rule for ties, its minimum of pairs and its threshold cannot be compared with another.
# - The order of the selectors at small sizes carries over better than their numbers do.
#
# ## Exercises
#
# ```{admonition} Exercise 1: check the bound by hand
# :class: exercise
#
# A colleague shows you a table in which 25 uniformly drawn items detect 5 points at a threshold of 0.8.
# Ties count as wrong.
# Can that be?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
bound = 100 * (1 - 0.2 ** (1 / 25))
mbnb.say(
    f"No. At 25 items the bound is {bound:.1f} points: a best-case pair 5 points apart is seen in "
    f"{100 * (1 - 0.95**25):.0f} % of the samples, and a tie counts as wrong."
)

# %% [markdown]
# ```{admonition} Exercise 2: how far a rule can move a table
# :class: exercise
#
# Read the live trials by the sustained rule instead of the first (`rule="sustained"`), without a minimum of pairs.
# At which sizes does the MDAD change, and in which direction can it only change?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
counted = mbnb.agreement(trials)
by_rule = {
    rule: mbnb.mdad(counted, threshold=0.8, rule=rule).set_index("size")["mdad"]
    for rule in ("first", "sustained")
}
moved = by_rule["sustained"].fillna(np.inf) - by_rule["first"].fillna(np.inf)
changed = [f"{size:,}" for size, change in moved.items() if change > 0]
mbnb.say(
    "A curve that stays above the threshold has also reached it, so the sustained MDAD can only be "
    "higher.",
    f"It is, at {mbnb.listed(changed)} items: one later bin with few pairs is enough to spoil it."
    if changed
    else "On these trials it is the same at every size.",
)

# %% [markdown]
# ```{admonition} Exercise 3: is the order of the selectors reproduced?
# :class: exercise
#
# For each size, compute Kendall’s tau between the reported MDADs of the six selectors on MMLU-Pro and the measured ones on simulated models.
# What does it say that differences in points do not?
# ```

# %% mystnb={"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"} tags=["hide-cell", "solution"]
orders = {
    f"{size:,}": own["reported"].corr(own["mdad"], method="kendall")
    for size, own in known.groupby("size")
    if own["mdad"].nunique() > 1 and own["reported"].nunique() > 1
}
mbnb.say(
    "Tau between the two orders: "
    + mbnb.listed([f"{tau:.2f} at {size} items".replace("-", "−") for size, tau in orders.items()])
    + ".",
    "At small sizes, where selectors differ by many points, a common order is evidence that the "
    "methods and not the data decide; at large sizes they are within a bin of one another, and an "
    "order among equals means nothing.",
)

# %% [markdown]
# ## Re-run this chapter
#
# ```bash
# mbnb run 21 -p n_trials=10 -p 'sizes=[10,50]'
# MBNB_DATA=~/leaderboards mbnb run 21 -p dataset=openllm2-mmlu-pro-math
# ```

# %% tags=["hide-input"]
study.footer(trials)
