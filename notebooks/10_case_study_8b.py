# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # What it means for the models you compare
#
# **Of 25 real 8B instruction-tuned models 92 % of all pairs are too close for 25 random items and 66 % for 100; and on eight real leaderboards the model that comes first with 100 random items is the best one in 37 to 83 % of the trials, though it costs only 0.6 to 1.6 points to believe it.**
#
# *You will learn* why models of one size class are hard to rank, what a small benchmark keeps of the top of a ranking, and how to report ties.
# *Time*: 9 minutes to read, a minute to run.

# %% tags=["parameters"]
dataset: str = "simulated:mmlu-pro"
group: str = "8b-instruct"
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

study = mbnb.open_study(globals())
study

# %% [markdown]
# ## A group of close models
#
# You rarely compare a model with all 3,903 of a leaderboard, but with the dozen of its own size.
# These lie close together, and a micro-benchmark that looks fine on the whole leaderboard may order few of *their* pairs.
#
# The question takes four lines: which pairs of the group have a {term}`gap` no wider than the {term}`MDAD`?


# %%
def share_within(accuracies, gap):
    """Share (0–1) of the pairs of models that are at most so many points apart."""
    gaps = 100 * np.abs(accuracies[:, None] - accuracies[None])
    pairs = gaps[np.triu_indices(len(accuracies), 1)]
    return (pairs <= gap + 1e-9).mean()


members = mbnb.group_members(study.matrix, study.p.group)
if len(members) < 5:  # the data hold no such group: the models nearest the median stand in
    ranked = np.argsort(np.abs(study.matrix.accuracies() - np.median(study.matrix.accuracies())))
    members = sorted(study.matrix.model_ids[ranked[: min(25, study.matrix.n_models // 3)]])
accuracies = study.matrix.subset(models=members).accuracies()
print(f"{len(members)} models; {share_within(accuracies, 5):.0%} of the pairs within 5 points")

# %%
assert np.isclose(share_within(accuracies, 5), (mbnb.pair_gaps(accuracies) <= 5 + 1e-9).mean())

# %% [markdown]
# On the mathematics of MMLU-Pro 25 real models of the study's group {cite:p}`yauney2026reliable` are fixed as {term}`targets <target models>`, and the sources come from all others:

# %%
kept = mbnb.measured("group").query("group == '8b-instruct' and half == 'train'")
real = kept[kept["dataset"] == "openllm2-mmlu-pro-math"]
by_size = real.pivot(index="selector", columns="size", values="mdad")
within = real.pivot(index="selector", columns="size", values="within")
table = by_size.map(mbnb.in_points) + ", " + within.map(mbnb.percent)
mbnb.show(
    table.loc[list(mbnb.SELECTORS)].rename(index=mbnb.label),
    "MDAD, and the share of the group's pairs within it: 25 real 8B instruction-tuned models.",
)

# %% tags=["claims", "remove-cell"]
assert tuple(within.loc["uniform", [25, 100]].round(2)) == (0.92, 0.66), "the group, random items"
assert round(within.loc["anchor-points", 25], 2) == 0.7, "the group, Anchor Points"
assert within[500].min() > 0.15 and round(within.loc["uniform", 250], 1) == 0.4, "and many items"

# %% [markdown]
# - Random items: 25 order 8 % of the group's pairs reliably, 100 a third, 250 three fifths.
# - Anchor Points leave 70 % of the pairs too close at 25 items, the least of the six.
# - With 500 items, three quarters of the half, every sixth pair or more is still too close.
#
# With so many items no choice changes that: it is how close the models are.
# {numref}`fig-10-within` shows the {glue:text}`n-group` models of the simulated group, which you can re-run: at {glue:text}`few` items random ones leave {glue:text}`random` of the pairs too close.
# Anchor Points leave only {glue:text}`anchors` there, half of what they leave on real models: the simulation flatters them ([](./A_trust)).

# %%
few = [size for size in (10, 25, 100, 250) if size in study.sizes] or study.sizes[:1]
trials = study.run(
    ["uniform", "anchor-points"],
    targets=members,
    sizes=few,
    n_source=min(study.n_source, study.matrix.n_models - len(members)),
)
here = study.mdad(mbnb.agreement(trials))
here["within"] = [share_within(accuracies, gap) for gap in here["mdad"].fillna(100)]

# %% tags=["remove-cell"]
at_few = here[here["size"] == few[:2][-1]].set_index("selector")["within"]
study.glue(few=few[:2][-1], random=mbnb.percent(at_few["uniform"]))
study.glue(anchors=mbnb.percent(at_few["anchor-points"]), n_group=len(members))

# %% tags=["claims", "remove-cell"]
if study.is_default:
    assert (len(members), few[1]) == (32, 25), "the simulated group at 25 items"
    assert round(at_few["anchor-points"] / within.loc["anchor-points", 25], 1) == 0.5, "half"
    assert at_few["uniform"] > 1.5 * at_few["anchor-points"], "random items leave far more"

# %% mystnb={"figure": {"caption": "Share of the group's pairs that are too close, by size. Data: {glue:text}`data`.", "name": "fig-10-within"}, "image": {"alt": "Two falling lines of the per cent of pairs within the MDAD against size; random items start and stay higher than Anchor Points at few items."}} tags=["remove-input"]
drawing, axes = plt.subplots(figsize=(5.4, 3.6), layout="constrained")
mbnb.draw_lines(axes, here.assign(share=100 * here["within"]), "share", intervals=False)
mbnb.size_axis(axes, few)
axes.set(ylabel="Pairs too close (per cent)", ylim=(0, 102))
axes.legend()
mbnb.figure(drawing, here)

# %% [markdown]
# ## The top of the ranking
#
# What people look at is who comes first.
# In each trial pick the model with the highest estimate and ask whether it is the best, and how many points you give away by believing it, the *regret*:

# %%
first = study.run("uniform").table
best = first.loc[first.groupby(["size", "trial"])["train_accuracy"].idxmax()]
picked = first.loc[first.groupby(["size", "trial"])["estimate"].idxmax()]
top = pd.DataFrame(
    {
        "best picked (per cent)": 100 * (best["model"].to_numpy() == picked["model"].to_numpy()),
        "regret (points)": 100
        * (best["train_accuracy"].to_numpy() - picked["train_accuracy"].to_numpy()),
    },
    index=picked["size"],
)
mbnb.show(top.groupby(level=0).mean().T.astype(float), "Uniform sampling, this run.")

# %%
tops = mbnb.measured("top").query("half == 'train' and selector == 'uniform' and size != 200")
tops = tops[~tops["dataset"].str.startswith("simulated:")]
ones, tens = tops[tops["k"] == 1], tops[tops["k"] == 10]
spans = {
    "best model picked (per cent)": 100 * ones.groupby("size")["best_kept"].agg(["min", "max"]),
    "regret (points)": ones.groupby("size")["regret"].agg(["min", "max"]),
    "of the top ten kept (per cent)": 100 * tens.groupby("size")["kept"].agg(["min", "max"]),
}
shown = {
    name: span.map(("{:.1f}" if "points" in name else "{:.0f}").format).agg("–".join, axis=1)
    for name, span in spans.items()
}
mbnb.show(pd.DataFrame(shown).T, "Random items, lowest and highest of eight real leaderboards.")

# %% tags=["claims", "remove-cell"]
won, regret = (spans[name].loc[100] for name in list(spans)[:2])
assert (round(won["min"]), round(won["max"])) == (37, 83), "the winner at 100 items"
assert (round(regret["min"], 1), round(regret["max"], 1)) == (0.6, 1.6), "regret at 100 items"
many = tops[tops["n_target"] > 15]  # ten of fifteen are not hard to keep
kept_ten, won = (
    100 * many.query("k == @k and size == @size")[column]
    for k, size, column in ((10, 25, "kept"), (1, 100, "best_kept"))
)
assert (len(won), round(kept_ten.min()), round(kept_ten.max())) == (6, 61, 79), "the top ten"
assert (round(won.min()), round(won.max())) == (37, 56), "the winner among some fifty"
assert round(100 * tops.query("k == 10 and size == 25")["kept"].max()) == 94, "of all eight"
few_targets = tops.query("n_target == 15 and k == 1 and size == 100").sort_values("best_kept")
assert few_targets["best_kept"].mul(100).round().tolist() == [81, 83], "the winner of 15"
assert few_targets["lead"].round(1).tolist() == [4.6, 5.5], "who leads by some five points"

# %% mystnb={"figure": {"caption": "How often the model with the highest estimate is the best of the targets, and how many points it costs on average to believe it: random items, a line for each of eight real leaderboards (data/measured).", "name": "fig-10-top"}, "image": {"alt": "Two panels against size. The share of trials in which the best model is picked rises from one to five tenths at ten items to seven tenths or more at the largest size; the regret falls from five to eight points towards zero."}} tags=["remove-input"]
drawing, panels = plt.subplots(1, 2, figsize=(5.4, 3.2), layout="constrained")
for axes, column, factor, title in zip(
    panels,
    ("best_kept", "regret"),
    (100, 1),
    ("Best picked (per cent)", "Regret (points)"),
    strict=True,
):
    for _, own in ones.groupby("dataset"):
        own = own.sort_values("size")
        axes.plot(own["size"], factor * own[column], color=mbnb.LOOKS["uniform"].color, alpha=0.6)
    mbnb.size_axis(axes, [10, 25, 50, 100, 250, 500, 1000])
    axes.tick_params(axis="x", rotation=50)
    axes.set(ylabel=title, ylim=(0, None))
mbnb.figure(drawing, ones[["dataset", "size", "best_kept", "regret"]])

# %% [markdown]
# - **Cut from the bottom**: 25 random items keep 61 to 94 % of the true top ten (61 to 79 % on the six leaderboards that rank more than 15 models).
# - **Do not crown the top**: with 100 items the winner is the best one in 37 to 83 % of the trials, most often where one model leads by several points (on the two leaderboards with 15 targets; 37 to 56 % on the others).
# - **It costs little to be wrong**: 0.6 to 1.6 points on average with 100 items, since those who come first by luck are good ones too.
# - **The winner's estimate flatters it.** Who comes first among many was helped by luck; test it again on other items.
#
# The study reports that the top models' ranks are stable because they are further than the MDAD from most others; from most others, yes, but not from each other.
#
# ## Report ties as ties
#
# Two models closer than the MDAD at your size are tied: print them so.
# Each model then has a range of ranks:

# %%
sorted_accuracy = np.sort(100 * accuracies)[::-1]
at = here.query("selector == 'uniform'").sort_values("size").iloc[-1]
gap = at["mdad"] if np.isfinite(at["mdad"]) else 100
tied = np.abs(sorted_accuracy[:, None] - sorted_accuracy[None]) < gap
ranks = pd.DataFrame(
    {
        "accuracy (points)": sorted_accuracy,
        "ranks from": tied.argmax(axis=1) + 1,
        "to": len(tied) - tied[:, ::-1].argmax(axis=1),
    },
    index=pd.RangeIndex(1, len(tied) + 1, name="rank"),
)
told = f"The group's first ten: {at['size']:,} random items, an MDAD of {gap:g} points, this run."
mbnb.show(ranks.head(10), told)

# %% [markdown]
# Tied is not equal, and it is not transitive: a model may be tied with both its neighbours, and they not with each other.
#
# ## Take-aways
#
# - Judge a micro-benchmark by the gaps between the models that *you* compare.
# - A small benchmark finds models that are not worth a second look; it does not find the best of those that are.
# - Print an interval beside each score, and give models that cannot be ordered one rank.
#
# ## Exercises
#
# ```{admonition} Exercise 1: another group
# :class: exercise
#
# Run this page with `-p group=70b`.
# Which share of its pairs is within 5 points, and why does the same size order more or fewer of them?
# ```

# %% tags=["hide-cell", "solution"]
for group in ("7b", "8b-instruct", "70b"):
    own = mbnb.group_members(study.matrix, group)
    if len(own) > 1:
        share = share_within(study.matrix.subset(models=own).accuracies(), 5)
        print(f"{group}: {len(own)} models, {share:.0%} of the pairs within 5 points")

# %% [markdown]
# ```{admonition} Exercise 2: the winner's flattery
# :class: exercise
#
# By how many points is the estimate of the model that comes first above its accuracy, at each size?
# And the estimate of a random target?
# ```

# %% tags=["hide-cell", "solution"]
flattery = 100 * (picked["estimate"] - picked["train_accuracy"]).groupby(picked["size"]).mean()
everybody = 100 * (first["estimate"] - first["train_accuracy"]).groupby(first["size"]).mean()
pd.DataFrame({"the winner": flattery, "all targets": everybody}).round(1)

# %% [markdown]
# Re-run with other parameters: `mbnb run 10 -p group=70b`, or on your data with `-p dataset=./my-benchmark`.

# %% tags=["remove-input"]
study.footer()
