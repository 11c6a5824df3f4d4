# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Appendix C: What it costs, and what differs from the released code
#
# **One trial of one of the study's selectors at seven sizes takes 0.03 to 6 seconds on one core, from uniform sampling to Anchor Points, so that the study's grid on one benchmark is a matter of minutes and not of the 140 that the released code takes.**
#
# *You will learn* where the time and the memory go, and where this book departs from the study's released code, and why.
# *Time*: 5 minutes to read, a minute to run.

# %% tags=["parameters"]
dataset: str = "simulated:mmlu-pro"
missing: str = "drop-items"
sizes: list = [10, 25, 50, 100, 250, 500, 1000]
n_source: int = None
n_target: int = None
seed: int = 0

# %%
from time import perf_counter

import numpy as np
import pandas as pd

import mbnb

study = mbnb.open_study(globals())
study

# %% [markdown]
# ## What a trial costs
#
# A selector is fitted once a {term}`trial` and then selects at every {term}`size`; everything else (the split, the estimates, the counting of pairs) is cheap.
# On the machine that makes this page:

# %%
train = study.train
seconds = {}
for name in mbnb.KNOWN_SELECTORS:
    began = perf_counter()
    fitted = mbnb.make_selector(name).fit(train)
    seconds[name] = {"fit": perf_counter() - began}
    for size in [k for k in (10, 100, 500) if k in study.sizes]:
        began = perf_counter()
        fitted.select(size, np.random.default_rng([study.p.seed, size]))
        seconds[name][f"{size} items"] = perf_counter() - began
mbnb.show(
    pd.DataFrame(seconds).T.rename(index=mbnb.label),
    f"Seconds, {train.n_models:,} source models × {train.n_items:,} items.",
)

# %% [markdown]
# Measured once on an idle machine of two cores (`data/measured`), with what the released code takes on another machine of two cores (both 300 sources × 6,012 items); compare ratios, not seconds.

# %%
steps = mbnb.measured("costs-steps")
ours = steps[steps["step"].isin(["fit", "selection"])].groupby("selector")["seconds"].sum()
released = mbnb.reported("costs").query("step in ['fit', 'selection']")
n_sizes = steps.loc[steps["step"] == "selection"].groupby("selector").size()
per_size = released[released["size"].isna() & (released["step"] == "selection")]
theirs = per_size.set_index("selector")["seconds"] * n_sizes.reindex(per_size["selector"])
theirs["tinybenchmarks"] = released.query("step == 'fit'")["seconds"].sum()
table = pd.DataFrame({"this book": ours, "released code": theirs}).loc[ours.index]
mbnb.show(
    table.rename(index=mbnb.label).map(lambda v: "" if np.isnan(v) else f"{v:.2g}"),
    "Seconds for one trial at seven sizes (tinyBenchmarks: the fit alone in the released code).",
)

# %% tags=["claims", "remove-cell"]
assert ours["uniform"] < 0.05 and 5 < ours["anchor-points"] < 6, "one trial, one selector"
assert theirs["tinybenchmarks"] > 40 * ours["tinybenchmarks"], "the item response model"
cost = mbnb.reported("claims").set_index("claim")["value"]
assert cost["cost-benchmark"] == 140, "the released code's grid"

# %% [markdown]
# The whole grid of a benchmark (six selectors, seven sizes, 50 trials) is some 9 seconds a trial, so 4 to 8 minutes on two cores; finished trials are kept, and a chapter that needs them again loads them.
# Close pairs cost most among the selectors where sources and items are many, since the safeguard chooses anew in five folds.
#
# **Memory.** A worker holds one trial: about 500 MB for a grid of this size.
# Pairs of models are never held as rows, so 3,903 models (7.6 million pairs) cost 3 MB.
# Above 10,000 items Anchor Points hold the distances of a sample only; 100,000 items take 20 seconds and 1.3 GB.
#
# **More machines.** `mbnb study … --jobs N` spreads trials over cores, one thread each; `--scheduler tcp://…` over a Dask cluster ([](../book/rerunning)).
# The result is the same for any number of either.
#
# ## What differs from the released code
#
# The study's released code (GitHub `dill-lab/micro-benchmarking-reliability`, MIT) leaves some things to chance or to convention.
# Where a setting matters for a comparison, it can be had by name.
#
# | | released code | this book | to have theirs |
# |---|---|---|---|
# | randomness | Python's and NumPy's global states, unseeded, in forked workers | every draw has a key of seed, trial, selector and size; nothing else moves it | |
# | bins of gaps | floor of the difference as it is (0.29 − 0.28 falls into 0.5), named by the left edge | centred on 0, 0.5, 1, … points, as whole counts of items | `Reading(binning="floor")` |
# | tie on the full half | decided by the order of the models | left out and counted | `Reading(full_ties="order")` |
# | threshold not reached | written as 50 points | {term}`not reached`, and no number | |
# | thin bins | any bin decides | a bin needs one pair a trial on average | `Reading(min_pairs=1)` |
# | intervals | pairs drawn as if independent | whole trials drawn: pairs of a trial share models and items | |
# | subtask quotas | must be smaller than the subtask | a small subtask gives what it has, the others the rest | |
# | confidence strata | quotas rounded one by one (they may sum to 0), filled at random, weights that ignore that | largest remainders, weights exact | |
# | diversity | the outer 1 % of each axis can never be chosen; needs as many candidates as items | every item can be chosen; missing ranks are filled at random and noted | |
# | Anchor Points | distances anew for each size; a left-over exit ends the function | once a trial; items that all answer alike have distance 1 and are counted | |
# | tinyBenchmarks | 2,000 variational steps with hierarchical priors; two centres may pick one item; one fixed seed | the mode under fixed priors; the closer centre keeps the item; a key for each trial | |
#
# ## Take-aways
#
# - Anchor Points, tinyBenchmarks and close pairs cost seconds a trial, diversity about one, the others next to nothing.
# - The result does not depend on the number of workers.
# - Each departure from the released code has a reason, and those that move numbers have a switch.
#
# ## Exercises
#
# ```{admonition} Exercise 1: which switch moves most
# :class: exercise
#
# Judge the trials of uniform sampling with `binning="floor"`, `full_ties="order"` and `min_pairs=1`, all three together.
# How far does the MDAD move at 10 items?
# ```

# %% tags=["hide-cell", "solution"]
trials = study.run("uniform")
theirs = mbnb.Reading(binning="floor", full_ties="order", min_pairs=1)
for name, reading in (("this book", study.reading), ("released code", theirs)):
    found = mbnb.mdad(mbnb.agreement(trials, reading=reading), n_resamples=2)
    print(name, found["mdad"].tolist())

# %% [markdown]
# ```{admonition} Exercise 2: what grows how
# :class: exercise
#
# Double the items of the train half: which selector's time doubles, which one's grows fourfold, and why?
# (`data/measured/costs-growth.csv` has it measured.)
# ```
#
# Re-run with other parameters: `mbnb run C -p dataset=simulated:gpqa`.

# %% tags=["remove-input"]
study.footer()
