# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Appendix D: Beyond accuracy
#
# **{term}`Agreement` needs no right and wrong: by grades instead of single samples a real leaderboard detects 9 points with 10 random items instead of 14, and a thousand votes of people on 20 models order two whose ratings differ by 37 points, about as well as a thousand verdicts of GPT-4 (38), while GPT-3.5, which names the first answer in 86 % of the cases, needs 190.**
#
# *You will learn* how to measure agreement for graded scores, for ratings from {term}`battles <battle>` and for checkpoints, whether a judge model may vote in people's place, and what each costs.
# *Time*: 11 minutes to read, a minute to run.

# %% tags=["parameters"]
dataset: str = "simulated:mmlu-pro"
battles: str = "simulated"
missing: str = "drop-items"
n_trials: int = 50
sizes: list = [10, 25, 50, 100, 250, 500, 1000]
n_source: int = None
n_target: int = None
threshold: float = 0.8
seed: int = 0

# %%
from dataclasses import replace
from pathlib import Path

import evalica
import numpy as np
import pandas as pd

import mbnb

study = mbnb.open_study(globals())
study

# %% [markdown]
# Agreement needs three things: a number for each model by the whole benchmark, a number by the part of it that you can afford, and pairs of models.
# The {term}`gap` is the difference by the whole, in whatever unit the number has.
#
# ## Grades
#
# An answer may be worth something between nothing and all: the share of unit tests that pass, the probability given to the right option, the share of repeated samples that are right.
# The same answers can be scored in three ways: *right or wrong*, *sampled once* (right with the {term}`confidence` as its chance), and *graded* (the confidence itself, the mean of infinitely many samples).

# %%
matrix = study.matrix
if matrix.confidences is None or not matrix.binary:
    matrix = mbnb.load("simulated:bbh")  # the data of this run have no confidences
matrix = matrix.sorted_by_id()  # so that the order of rows changes no draw
grades = matrix.confidences.astype(np.float32)
sample = np.random.default_rng(study.p.seed).random(grades.shape, dtype=np.float32) < grades
scorings = {
    "right or wrong": matrix,
    "sampled once": replace(matrix, scores=sample.astype(np.uint8)),
    "graded": replace(matrix, scores=grades),
}
n_source, n_target, _ = mbnb.possible_counts(matrix)
by_scoring = {}
for name, scored in scorings.items():
    own = replace(study, matrix=scored, n_source=n_source, n_target=n_target)
    by_scoring[name] = study.mdad(mbnb.agreement(own.run("uniform"))).set_index("size")["mdad"]
mbnb.show(
    pd.DataFrame(by_scoring).T, "MDAD of uniform sampling in points of its own score, this run."
)

# %% [markdown]
# On real answers, twelve benchmarks answered a dozen times at a temperature of 0.7 {cite:p}`wang2025noises`:

# %%
graded = mbnb.measured("graded").query("dataset == 'resampled-t07'")
real = graded.pivot(index=["selector", "scoring"], columns="size", values="mdad")
rows = ["right or wrong", "sampled once", "graded", "graded, judged by right or wrong"]
mbnb.show(real.loc["uniform"].loc[rows], "MDAD of uniform sampling in points, resampled-t07.")

# %% tags=["claims", "remove-cell"]
assert tuple(real.loc["uniform", 10][["graded", "sampled once"]]) == (9, 14), "grades at ten items"
assert real.loc[("anchor-points", "right or wrong"), 10] == 7, "Anchor Points by right or wrong"
assert real.loc[("uniform", "graded, judged by right or wrong"), 10] == 8.5, "random with grades"
share = mbnb.measured("graded-shares").set_index(["dataset", "scoring", "other"])["median"]
assert round(share["resampled-t07", "sampled once", "graded"], 2) == 0.48, "items saved by grades"

# %% [markdown]
# - **Say first which order you want.** A mean grade ranks by something other than accuracy: it punishes over-confidence. The last row asks grades for the order by right and wrong.
# - **Grades take away the noise of generation** and leave that of items. Of the variance of a difference $X_A - X_B$, a share $\operatorname{E}[p_A(1-p_A)+p_B(1-p_B)]$ comes from single draws {cite:p}`miller2024error`. For the median pair, grades need 48 % of the items that single samples need.
# - **They pay where they cost nothing**: with $m$ samples on each of $k$ items the noise is $(V_\text{items} + V_\text{generation}/m)/k$ at a cost of $mk$ answers, least at $m = 1$. Ask a new item before you ask an old one again.
# - **A part of Anchor Points' lead is grades.** They average confidences; random items with the same grades detect 8.5 points at 10 items, and Anchor Points 7.
#
# ## Battles
#
# Where no answer is right, people or judges say which of two they prefer.
# Arenas turn such battles into {term}`ratings <rating>` {cite:p}`chiang2024arena` by the model of Bradley and Terry {cite:p}`bradley1952rank`: A beats B with probability $1/(1+10^{(R_B-R_A)/400})$.
# Let battles be the items: a {term}`trial` halves the *prompts*, so that two verdicts on one prompt never count as independent, rates all models on each half, draws prompts of the train half, and rates again.
# The ratings are fitted by `evalica`, a package for just that.

# %%
WINNERS = {"model_a": evalica.Winner.X, "model_b": evalica.Winner.Y}


def ratings(battles, models, voter):
    """Bradley–Terry ratings, 400 points for odds of ten to one; a tie is half a win of each.

    One tied battle spread over all pairs keeps ratings finite where a model won all its battles.
    """
    first, second = np.triu_indices(len(models), 1)
    votes = [WINNERS.get(vote, evalica.Winner.Draw) for vote in battles[voter]]
    fit = evalica.bradley_terry(
        [*battles["model_a"], *models[first]],
        [*battles["model_b"], *models[second]],
        [*votes, *[evalica.Winner.Draw] * len(first)],
        index=pd.Index(models),
        weights=[*np.ones(len(votes)), *np.full(len(first), 1 / len(first))],
        limit=1000,
    )
    scores = 400 * np.log10(fit.scores.reindex(models))
    return scores - scores.mean()


def battle_trials(battles, counts, voters, n_trials, seed, threshold_voter="winner"):
    """Trials as for items; ratings stand in hundreds, so that gaps come out in rating points."""
    models = np.unique(battles[["model_a", "model_b"]])
    prompts = np.unique(battles["question_id"])
    rows = []
    for trial in range(n_trials):
        rng = np.random.default_rng([seed, trial])
        order = rng.permutation(prompts)
        train, heldout = (
            battles[battles["question_id"].isin(half)] for half in np.array_split(order, 2)
        )
        truth = [ratings(half, models, threshold_voter) / 100 for half in (train, heldout)]
        for count in counts:
            drawn = train[train["question_id"].isin(order[:count])]
            for voter in voters:
                own = pd.DataFrame(
                    {"train_accuracy": truth[0], "heldout_accuracy": truth[1]}, index=models
                ).assign(estimate=ratings(drawn, models, voter) / 100)
                rows.append(own.assign(selector=voter, size=count, trial=trial))
    table = pd.concat(rows).rename_axis("model").reset_index()
    table = table.assign(estimator="ratings", n_source=0)
    for name in ("selector", "estimator", "model"):
        table[name] = pd.Categorical(table[name], list(dict.fromkeys(table[name])))
    table = table.sort_values(["selector", "size", "trial"], kind="stable").reset_index(drop=True)
    n_half = len(prompts) // 2
    return mbnb.Trials(table, "battles", n_half, len(prompts) - n_half, binary=False)


# %% [markdown]
# The battles of this run are simulated unless you give a table of your own, `-p battles=my.csv` with columns `question_id`, `model_a`, `model_b` and `winner` (and one more for each judge).


# %%
def simulated_battles(seed, n_battles=20_000, n_models=20):
    """An arena whose models and judges do not exist; the hasty judge often names the first."""
    rng = np.random.default_rng([seed, 27])
    strength = np.sort(rng.normal(0, 100, n_models))
    a, b = rng.integers(n_models, size=(2, n_battles))
    b = np.where(a == b, (b + 1) % n_models, b)
    chance = 1 / (1 + 10 ** ((strength[b] - strength[a]) / 400))
    tie = rng.random(n_battles) < 0.25
    names = np.array([f"sim-player-{k:02d}" for k in range(n_models)])
    table = pd.DataFrame({"model_a": names[a], "model_b": names[b]})
    table.insert(0, "question_id", [f"q{k}" for k in range(n_battles)])
    table["winner"] = np.where(tie, "tie", np.where(rng.random(n_battles) < chance, *WINNERS))
    hasty = rng.random(n_battles) < 0.6
    careful = np.where(rng.random(n_battles) < chance, *WINNERS)
    table["hasty judge"] = np.where(hasty, "model_a", careful)
    return table


def read_battles(path):
    """A table of battles; blanks at the ends go, and a missing prompt is a prompt of its own."""
    table = pd.read_csv(Path(path).expanduser(), dtype=str)
    named = ["question_id", "model_a", "model_b", "winner"]
    if absent := [name for name in named if name not in table]:
        raise mbnb.InputError(
            f"{path} has no column {', '.join(absent)}; it has {', '.join(table)}."
        )
    table = table.apply(lambda column: column.str.strip().replace("", None))
    if table[named[1:]].isna().any(axis=None):
        raise mbnb.InputError(f"{path} has battles without a model or a winner.")
    alone = [f"row {number}" for number in table.index]
    return table.assign(question_id=table["question_id"].fillna(pd.Series(alone, table.index)))


given = study.p.battles
arena = simulated_battles(study.p.seed) if given == "simulated" else read_battles(given)
voters = [name for name in arena if name not in ("question_id", "model_a", "model_b")]
n_prompts = arena["question_id"].nunique() // 2
counts = [k for k in (100, 250, 500, 1000, 2500, 5000) if k <= n_prompts]
fought = battle_trials(arena, counts, voters, study.p.n_trials, study.p.seed)
reading = mbnb.Reading(study.p.threshold, "interpolated", width=10)
votes = mbnb.mdad(mbnb.agreement(fought, reading=reading))
told = votes.assign(text=votes.apply(mbnb.format_interval, axis=1))
mbnb.show(
    told.pivot(index="selector", columns="size", values="text").rename(index=str),
    "MDAD in rating points by battles drawn, judged by the ratings of people's votes on the half.",
)

# %% [markdown]
# If pairs meet equally often and are about equally strong, each battle carries an information of ¼, and
#
# $$\text{MDAD}\approx 0.84\cdot\frac{400}{\ln 10}\cdot 2\sqrt{\frac{n-1}{k}}\approx 292\sqrt{\frac{n-1}{k}}\ \text{rating points}$$
#
# for $k$ battles among $n$ models: the price of a gap grows with the number of models, and half the gap takes four times the battles.
#
# ### Real votes, and judges in people's place
#
# In 26,919 votes of people on 190 pairs of 20 models, with the verdicts of three judge models on the same battles, the same trials give:

# %%
kept = mbnb.measured("votes")
people = kept.query("half == 'train'").pivot(index="voter", columns="size", values="mdad")
mbnb.show(people, "MDAD in rating points, judged by people's votes: 26,919 battles, 50 trials.")

# %% tags=["claims", "remove-cell"]
human, gpt4, gpt35 = (
    people.loc["winner"],
    people.loc["gpt-4-0125-preview"],
    people.loc["gpt-3.5-turbo"],
)
assert (round(human[1000]), round(gpt4[1000]), round(gpt35[1000])) == (37, 38, 192), (
    "a thousand votes"
)
assert (gpt4 < human)[[100, 250, 500]].all() and 25 < gpt4[[5000, 10000]].min() < gpt4.loc[
    2500
] < 28
assert round(kept.set_index("voter")["first"]["gpt-3.5-turbo"].iloc[0], 2) == 0.86, "position bias"
assert human[10000] < 7 and (people.loc["claude-3-opus-20240229"] > human).all(), "people go on"

# %% [markdown]
# - **Up to some 500 battles GPT-4's verdicts order models as people's votes do better than as many votes of people would**: it is less noisy than a person. Then it stalls at about 26 rating points, which is its own taste: more verdicts repeat it. People's votes go on to 7 points at 10,000.
# - **Claude 3 Opus needs more verdicts than people need votes at every size.**
# - **Position bias is expensive**: GPT-3.5 names the first answer in 86 % of its verdicts, and a thousand of them detect no gap below 190 points, a better model that wins three battles of four.
#
# So calibrate a judge on a few hundred votes of people, and look at the gap at which it stalls, before you let it vote alone.
#
# ## Checkpoints
#
# Neighbouring {term}`checkpoints <checkpoint>` of one training run differ on few items, and theory says what that does ([](./11_parity_at_250)):

# %%
pairs = {"two models": 0.25, "neighbouring checkpoints": 0.08}
needed = {
    name: {gap: mbnb.plan(gap=gap, agreement=0.8, disagreement=rate).size for gap in (1, 2, 3)}
    for name, rate in pairs.items()
}
mbnb.show(pd.DataFrame(needed).T, "Random items needed, by gap in points.")

# %% tags=["claims", "remove-cell"]
assert needed["two models"][2] > 2.5 * needed["neighbouring checkpoints"][2], "checkpoints"

# %% [markdown]
# They need about a third of the items that two models need which differ on a quarter.
# Progress is imagined all the same when you look at twenty checkpoints and keep the best: the gap that a sample of this size detects is the step that you may believe {cite:p}`heineman2025signal`.
#
# ## Take-aways
#
# - Agreement carries over to any number per model; say which order you ask for.
# - A new item is worth more than a second sample; grades pay where they are free.
# - A judge model may be less noisy than a person and yet stall at its own bias; a position bias costs most of its verdicts.
#
# ## Exercises
#
# ```{admonition} Exercise 1: each verdict twice
# :class: exercise
#
# Enter every battle twice, the second time with the models swapped.
# Do the MDADs shrink, as they would if the two verdicts counted as independent?
# ```

# %% tags=["hide-cell", "solution"]
swap = {"model_a": "model_b", "model_b": "model_a"}
swapped = arena.rename(columns=swap).assign(**{v: arena[v].replace(swap) for v in voters})
twice = battle_trials(pd.concat([arena, swapped]), counts[:2], ["winner"], 10, study.p.seed)
once = battle_trials(arena, counts[:2], ["winner"], 10, study.p.seed)
for name, run in (("once", once), ("twice", twice)):
    print(name, mbnb.mdad(mbnb.agreement(run, reading=reading))["mdad"].round(0).tolist())

# %% [markdown]
# ```{admonition} Exercise 2: how many battles
# :class: exercise
#
# You compare eight models and want to order two that are 30 rating points apart.
# How many battles does the formula ask for?
# How many after twelve more models have joined?
# ```

# %% tags=["hide-cell", "solution"]
for n in (8, 20):
    print(n, "models:", round((n - 1) * (292 / 30) ** 2), "battles")

# %% [markdown]
# Re-run with other parameters: `mbnb run D -p battles=my-battles.csv`, or `-p dataset=./my-benchmark` for your own grades.

# %% tags=["remove-input"]
study.footer()
