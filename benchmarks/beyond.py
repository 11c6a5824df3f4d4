"""Graded scores and battles on every leaderboard at hand, kept as figures that the book shows.

    MBNB_DATA=folder python benchmarks/beyond.py [PART ...] [--trials N] [--write]

Parts (all where none is named):

    graded     the same answers as right or wrong, sampled once, and graded
    battles    ratings by few of the battles that a response matrix implies

Real matrices are looked for in $MBNB_DATA; those that are not there are skipped, saying so.
`--write` keeps the results in data/measured/; see the README there.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pandas as pd
from mbnb.study.beyond.ratings import expected_rating_mdad
from scipy.stats import kendalltau

import mbnb
from mbnb.run.splits import priorities
from mbnb.study.beyond.graded import expected_graded_mdad, pair_noise, size_shares, tied_share

FOLDER = Path(__file__).resolve().parents[1] / "data" / "measured"
SIZES = [10, 25, 50, 100, 250, 500, 1000]
# With confidences. Item response models are left out: theirs are made for right and wrong.
GRADED = ("resampled-t07", "simulated:mmlu-pro", "simulated:bbh", "simulated:gpqa")
SELECTORS = ["uniform", "subtask", "confidence", "diversity", "anchor-points"]
FOUGHT = (
    "openllm2-mmlu-pro-math", "mmlu-pro-47", "bigcodebench", "rewardbench", "swebench-verified",
    "resampled-t07", "simulated:mmlu-pro",
)  # fmt: skip
BATTLES, FIGHTERS, BATTLE_SIZES, WIDTH = 20_000, 30, [100, 250, 500, 1000, 2500, 5000], 10


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help="of " + ", ".join(PARTS))
    parser.add_argument("--trials", type=int, default=50)
    parser.add_argument("--write", action="store_true", help=f"keep the results in {FOLDER}")
    arguments = parser.parse_args()
    if unknown := set(arguments.parts) - set(PARTS):
        parser.error(f"no part is called {', '.join(unknown)}; known: {', '.join(PARTS)}")
    there = set(mbnb.available()["name"])
    for part in arguments.parts or PARTS:
        names, measure = PARTS[part]
        found: dict[str, list[pd.DataFrame]] = {}
        for name in names:
            if name not in there:
                print(f"{name} is not here (MBNB_DATA) and was skipped", flush=True)
                continue
            print(f"{part}: {name}", flush=True)
            try:
                tables = measure(name, arguments.trials)
            except mbnb.InputError as error:
                print(f"{name} was skipped: {error}", flush=True)
                continue
            for file, table in tables.items():
                table.insert(0, "dataset", name)
                found.setdefault(file, []).append(table)
        for file, parts in found.items():
            table = pd.concat(parts, ignore_index=True)
            print(table.to_string(max_rows=40))
            if arguments.write:
                table.to_csv(FOLDER / f"{file}.csv", index=False, float_format="%.6g")


def measure_graded(name: str, n_trials: int) -> dict[str, pd.DataFrame]:
    matrix, _ = mbnb.prepare(name)
    kinds = {
        "right or wrong": matrix,
        "sampled once": mbnb.sampled_once(matrix),
        "graded": mbnb.graded(matrix),
    }
    n_source, n_target, _ = mbnb.possible_counts(matrix)
    sizes, _ = mbnb.possible_sizes(matrix, SIZES)
    selectors = ["uniform"] if name.startswith("simulated:") else SELECTORS
    runs = {
        kind: mbnb.run_trials(
            scored,
            selectors,
            sizes,
            n_trials=n_trials,
            n_source=n_source,
            n_target=n_target,
            store=mbnb.ResultStore(),
        )
        for kind, scored in kinds.items()
    }
    runs["sampled once, judged by grades"] = mbnb.judged_by(runs["sampled once"], runs["graded"])
    runs["graded, judged by right or wrong"] = mbnb.judged_by(
        runs["graded"], runs["right or wrong"]
    )
    rows = []
    for kind, trials in runs.items():
        rule = {"min_pairs": n_trials}
        table = mbnb.mdad(mbnb.agreement(trials), **rule)[
            ["selector", "size", "mdad", "low", "high"]
        ]
        half = mbnb.mdad(mbnb.agreement(trials, ties="half"), n_resamples=1, **rule)["mdad"]
        table = table.assign(half=half, tied=tied_share(trials)["tied"], spread=mbnb.spread(trials))
        if kind in kinds:
            expected = expected_graded_mdad(pair_noise(kinds[kind]), sizes, trials.n_train)
            table["expected"] = table["size"].map(expected).where(table["selector"] == "uniform")
        table.insert(0, "scoring", kind)
        rows.append(table)
    shares = []
    for kind, other in (
        ("right or wrong", "graded"),
        ("sampled once", "graded"),
        ("sampled once", "right or wrong"),
    ):
        table = size_shares(kinds[kind], kinds[other])
        quantiles = table["size_share"].quantile([0.1, 0.25, 0.5, 0.75, 0.9])
        close = table.loc[table["gap"].between(1, 5), "size_share"].median()
        shares.append((kind, other, len(table), *quantiles, close))
    columns = ["scoring", "other", "pairs", "q10", "q25", "median", "q75", "q90", "close"]
    return {
        "graded": pd.concat(rows, ignore_index=True),
        "graded-shares": pd.DataFrame(shares, columns=columns),
    }


def measure_battles(name: str, n_trials: int) -> dict[str, pd.DataFrame]:
    matrix, _ = mbnb.prepare(name, missing="drop-items")
    # A model that (hardly) ever wins cannot be rated: those of the middle 90 % fight.
    low, high = np.quantile(matrix.accuracies(), [0.05, 0.95])
    middle = matrix.model_ids[(matrix.accuracies() >= low) & (matrix.accuracies() <= high)]
    order = np.argsort(priorities(middle, 0, len(middle)))
    models = sorted(map(str, middle[order[:FIGHTERS]]))
    battles = mbnb.battles_of(matrix, BATTLES, models=models)
    ratings = mbnb.fit_ratings(battles)["rating"]
    accuracies = pd.Series(matrix.accuracies(), index=matrix.models.index.astype(str))
    trials = mbnb.run_battles(battles, BATTLE_SIZES, n_trials=n_trials)
    rows = []
    for half in ("train", "heldout"):
        counts = mbnb.agreement(trials, half, width=WIDTH)
        table = mbnb.mdad(counts, min_pairs=n_trials)
        rows.append(table[["selector", "size", "mdad", "low", "high", "pairs"]].assign(half=half))
    expected = expected_rating_mdad(ratings, BATTLE_SIZES, trials.n_train)
    table = pd.concat(rows, ignore_index=True).rename(columns={"selector": "way"})
    return {
        "battles": table.assign(
            expected=table["size"].map(expected).where(table["way"] == "uniform"),
            n_models=len(models),
            n_train=trials.n_train,
            spread=ratings.std(ddof=0),
            tau_accuracy=kendalltau(ratings, accuracies.loc[models]).statistic,
        )
    }


PARTS = {"graded": (GRADED, measure_graded), "battles": (FOUGHT, measure_battles)}

if __name__ == "__main__":
    main()
