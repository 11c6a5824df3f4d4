"""How near the simulated leaderboards come to real ones, kept as figures that the book shows.

    MBNB_DATA=folder python benchmarks/fidelity.py [PART ...] [--trials N] [--write]

Parts (all where none is named):

    statistics    each shipped profile, and a profile fitted anew, beside the nearest real matrix
    selectors     the MDAD of every selector on scores alone, where the real matrix has the same
                  items, models of the same leaderboard and enough of them: MMLU-Pro mathematics

Needs all the real matrices in $MBNB_DATA. `--write` keeps the results in data/measured/ (see the
README there) and the profile fitted to MMLU-Pro mathematics in data/profiles/fitted/. Finished
trials are kept (MBNB_CACHE).
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

import mbnb
from mbnb.data.profiles import Profile
from mbnb.methods.samples import draw_models
from mbnb.run.paper import SIZES

DATA = Path(__file__).resolve().parents[1] / "data"
MATHS = "mmlu-pro-math"
PARTS = ("statistics", "selectors", "settings")


@dataclass(frozen=True)
class Counterpart:
    """A simulated benchmark and the real matrix nearest to it.

    `part` and `real_part` are subtasks, "" for the whole. With `same_items` the simulation is cut
    to as many items as the real matrix has.
    """

    key: str
    profile: str
    real: str
    part: str = ""
    real_part: str = ""
    without: tuple[str, ...] = ()
    same_items: bool = False
    options: int | None = None

    def real_matrix(self) -> mbnb.ResponseMatrix:
        matrix = mbnb.load(self.real)
        keep = np.flatnonzero(~np.isin(matrix.model_ids, self.without))
        matrix, _ = mbnb.resolve_missing(matrix.subset(models=keep), "drop-items")
        matrix, _ = mbnb.drop_duplicate_models(matrix)
        return of_subtask(matrix, self.real_part)

    def shipped(self, n_items: int) -> mbnb.ResponseMatrix:
        matrix = of_subtask(mbnb.load(f"simulated:{self.profile}"), self.part)
        if not self.same_items:
            return matrix
        drawn = np.random.default_rng([0, n_items]).permutation(matrix.n_items)[:n_items]
        return matrix.subset(items=np.sort(drawn))


COUNTERPARTS = (
    Counterpart(MATHS, "mmlu-pro", "openllm2-mmlu-pro-math", part="math"),
    # That model's answers do not belong to their questions; see chapter 16.
    Counterpart("mmlu-pro", "mmlu-pro", "mmlu-pro-47", without=("Meta-Llama-3-70B-Instruct",)),
    Counterpart("bbh", "bbh", "openllm1-metabench", options=4),
    Counterpart("gpqa", "gpqa", "resampled-t07", real_part="gpqa_cot"),
    Counterpart("mmlu", "mmlu", "openllm1-metabench", real_part="mmlu", same_items=True),
    # The one real matrix with confidences, of another kind of benchmark.
    Counterpart("confidences", "mmlu-pro", "resampled-t07"),
)
SETTINGS: dict[str, dict[str, float]] = {
    "as shipped": {},
    "no turn": {"noise.turn": 0.0},
    "no letter preference": {"noise.letter": 0.0},
    "item loading × 2": {"abilities.item_loading": 2.0},
    "equal sharpness": {"confidence.spread": 0.0},
    "sharpness spread × 3": {"confidence.spread": 3.0},
    "half as sharp": {"confidence.base": 0.5, "confidence.tuned": 0.5},
    "longer top": {},
}


def of_subtask(matrix: mbnb.ResponseMatrix, name: str) -> mbnb.ResponseMatrix:
    if not name:
        return matrix
    return matrix.subset(items=np.flatnonzero((matrix.items["subtask"] == name).to_numpy()))


def statistics_of(found: Counterpart, fitted: dict[str, Profile]) -> pd.DataFrame:
    """A row for each side (real, shipped, fitted) and statistic."""
    real = found.real_matrix()
    shipped = found.shipped(real.n_items)
    n_models = min(real.n_models, shipped.n_models)
    like = mbnb.read_profile(found.profile)
    fit = mbnb.fit_profile(
        real, like, name=found.key, n_models=min(n_models, 470), options=found.options
    )
    fitted[found.key] = fit.profile
    sides = {"real": real, "shipped": shipped, "fitted": mbnb.simulate(fit.profile)}
    tables = []
    for side, matrix in sides.items():
        if real.confidences is None:
            matrix = mbnb.scores_alone(matrix)
        cut = draw_models(matrix, n_models)
        table = mbnb.matrix_statistics(cut)
        table.insert(0, "n_items", cut.n_items)
        table.insert(0, "n_models", cut.n_models)
        table.insert(0, "side", side)
        tables.append(table)
    table = pd.concat(tables)
    for column in ("real_part", "real", "part", "profile", "key"):
        table.insert(0, column.replace("key", "comparison"), getattr(found, column))
    return table


def selectors_of(found: Counterpart, fitted: Profile, n_trials: int) -> pd.DataFrame:
    """MDADs of every selector on scores alone: real, shipped and fitted."""
    real = found.real_matrix()
    sides = {
        "real": real,
        "shipped": found.shipped(real.n_items),
        "fitted": mbnb.simulate(fitted),
    }
    tables = [
        mdads(mbnb.scores_alone(matrix), n_trials).assign(side=side)
        for side, matrix in sides.items()
    ]
    return pd.concat(tables)[["side", *tables[0].columns.drop("side")]]


def settings_of(found: Counterpart, n_trials: int) -> pd.DataFrame:
    """MDADs of every selector under each change of the shipped profile."""
    shipped = mbnb.read_profile(found.profile)
    parts = tuple(subtask for subtask in shipped.subtasks if subtask.name == found.part)
    tables = []
    for setting, factors in SETTINGS.items():
        profile = replace(shipped, subtasks=parts)
        for name, factor in factors.items():
            group, key = name.split(".")
            old = getattr(profile, group)
            new = replace(old, **{key: factor * getattr(old, key)})
            profile = replace(profile, **{group: new})
        if setting == "longer top":
            top = max(cohort.size_b for cohort in profile.cohorts)
            cohorts = (
                replace(c, ability=c.ability + 0.5) if c.size_b == top else c
                for c in profile.cohorts
            )
            profile = replace(profile, cohorts=tuple(cohorts))
        table = mdads(mbnb.simulate(profile), n_trials)
        table.insert(0, "setting", setting)
        tables.append(table)
    return pd.concat(tables)


def mdads(matrix: mbnb.ResponseMatrix, n_trials: int) -> pd.DataFrame:
    n_train = sum(len(rows) // 2 for rows in matrix.items.groupby("subtask").groups.values())
    trials = mbnb.run_trials(
        matrix,
        list(mbnb.SELECTORS),
        [size for size in SIZES if size <= n_train],
        n_trials=n_trials,
        store=mbnb.ResultStore(),
    )
    table = mbnb.mdad(mbnb.agreement(trials), min_pairs=n_trials)
    table = table[["selector", "size", "mdad", "low", "high", "pairs"]]
    return table.assign(n_trials=n_trials)


def keep(table: pd.DataFrame, name: str, write: bool) -> None:
    if write:
        path = DATA / "measured" / f"{name}.csv"
        table.to_csv(path, index=False, float_format="%.5g", lineterminator="\n")
        print(f"written: {path}", file=sys.stderr)
    else:
        print(table.to_string(index=False))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART")
    parser.add_argument("--trials", type=int, default=50)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    parts = given.parts or list(PARTS)
    if unknown := set(parts) - set(PARTS):
        parser.error(f"unknown part {min(unknown)}; there are {', '.join(PARTS)}")
    file = DATA / "profiles" / "fitted" / f"{MATHS}.toml"
    if "statistics" in parts:
        fitted: dict[str, Profile] = {}
        tables = [statistics_of(found, fitted) for found in COUNTERPARTS]
        keep(pd.concat(tables), "fidelity", given.write)
        if given.write:
            file.parent.mkdir(exist_ok=True)
            told = (
                "MMLU-Pro mathematics as 470 simulated models answer it: 1,351 items.",
                "Fitted to the real matrix openllm2-mmlu-pro-math by benchmarks/fidelity.py.",
                "Sizes and names of the models' cohorts are invented.",
            )
            file.write_text(mbnb.profile_text(fitted[MATHS], told), encoding="utf-8")
    if "selectors" in parts:
        profile = replace(mbnb.read_profile(file), name=MATHS)
        keep(selectors_of(COUNTERPARTS[0], profile, given.trials), "fidelity-mdad", given.write)
    if "settings" in parts:
        table = settings_of(COUNTERPARTS[0], given.trials)
        keep(table, "fidelity-settings", given.write)


if __name__ == "__main__":
    main()
