"""What the models and the subtasks of each leaderboard are like, in the first trial of seed 0.

    MBNB_DATA=folder python benchmarks/first_trial.py [--write]

For each leaderboard of `leaderboards.py` that is at hand one row of ``first-trial.csv``: how near
relatives stand on both sides of the line between sources and targets (chapter 2), and what
subtasks do to the targets' scores (chapter 4). No trial is run; it takes a minute.
"""

from __future__ import annotations

import argparse

import numpy as np
import pandas as pd
from leaderboards import FOLDER, LEADERBOARDS, Leaderboard

import mbnb

SEED = 0
N_PAIRS = 5000


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help=f"keep the results in {FOLDER}")
    arguments = parser.parse_args()
    there = set(mbnb.available()["name"])
    table = pd.DataFrame([row_of(board) for board in LEADERBOARDS if board.name in there])
    print(table.to_string())
    if arguments.write:
        table.to_csv(FOLDER / "first-trial.csv", index=False)


def row_of(board: Leaderboard) -> dict[str, str | int | float]:
    """One leaderboard; all but the counts are in per cent or points."""
    matrix, _ = board.matrix()
    n_source, n_target, _ = mbnb.possible_counts(matrix)
    split = mbnb.make_split(matrix, seed=SEED, trial=0, n_source=n_source, n_target=n_target)
    nearest = [
        mbnb.disagreement(matrix, np.full(n_source, target), split.sources).min()
        for target in split.targets
    ]
    strangers = mbnb.compare_pairs(matrix, n_pairs=N_PAIRS, seed=SEED)["disagreement"]
    targets = matrix.subset(split.targets, split.train)
    pooled, by_subtask = 100 * targets.accuracies(), 100 * targets.accuracies("subtasks")
    scores, codes = targets.scores.astype(np.float32), targets.subtask_codes
    first, second = np.triu_indices(n_target, 1)
    order = np.sign(np.round(pooled[first] - pooled[second], 9))
    other = np.sign(np.round(by_subtask[first] - by_subtask[second], 9))
    row: dict[str, str | int | float] = {
        "dataset": board.name,
        "n_models": matrix.n_models,
        "n_subtasks": len(matrix.subtasks),
        "n_source": n_source,
        "n_target": n_target,
    }
    measures = {
        "nearest": 100 * np.median(nearest),
        "nearest_least": 100 * min(nearest),
        "strangers": strangers.median(),
        "bias": np.abs(by_subtask - pooled).mean(),
        "bias_spread": (by_subtask - pooled).std(),
        "turned": 100 * np.mean(order != other),
        "between_scores": 100 * np.nanmedian(mbnb.between_share(scores, codes)),
        "between_pairs": 100
        * np.nanmedian(mbnb.between_share(scores[first] - scores[second], codes)),
    }
    return row | {name: round(float(value), 3) for name, value in measures.items()}


if __name__ == "__main__":
    main()
