"""How often the intervals of frozen micro-benchmarks hold a left-out model's full score.

    MBNB_DATA=folder python benchmarks/coverage.py [--datasets NAME ...] [--repeats N]

Twenty models are left out, the rest frozen, the twenty scored; for every selector with every
estimator that can be frozen. Repetitions are independent, models of one are not.
"""

from __future__ import annotations

import argparse

import numpy as np
import pandas as pd

import mbnb

ESTIMATORS = ("weighted-mean", "confidence-mean", "ridge", "corrected-mean")
LEVELS = (0.8, 0.95)
OUT = 20
MOST_MODELS, MOST_ITEMS, SIZE = 120, 600, 50


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--datasets", nargs="+", default=["bigcodebench", "helm-med_qa", "swebench-verified"]
    )
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--selectors", nargs="+", default=list(mbnb.KNOWN_SELECTORS))
    arguments = parser.parse_args()
    boards = [skewed_board()]
    for name in arguments.datasets:
        boards.append(smaller(mbnb.prepare(name, missing="drop-items")[0]))
    for board in boards:
        rows = [
            (selector, estimator, *measured(board, selector, estimator, arguments.repeats))
            for selector in arguments.selectors
            for estimator in ESTIMATORS
        ]
        columns = ["selector", "estimator", *(f"within {100 * x:g} %" for x in LEVELS)]
        table = pd.DataFrame(rows, columns=[*columns, "bias", "mean error", "estimate outside"])
        print(f"{board.name}: {board.n_models} models × {board.n_items} items, size {SIZE}")
        print(table.to_string(index=False, float_format="{:.1f}".format), flush=True)


def skewed_board() -> mbnb.ResponseMatrix:
    """Subtasks of 10, 90 and 10 items, the large one much harder than the small ones."""
    rng = np.random.default_rng(8)
    counts = [10, 90, 10]
    hardness = np.repeat([-2.0, 0.8, -2.0], counts) + rng.normal(0, 1, sum(counts))
    lead = rng.normal(0, 1, 80)[:, None] - hardness
    models = pd.DataFrame(index=pd.Index([f"m{i:02d}" for i in range(80)], name="model_id"))
    ids = pd.Index([f"i{j:03d}" for j in range(sum(counts))], name="item_id")
    items = pd.DataFrame({"subtask": np.repeat(["a", "b", "c"], counts)}, index=ids)
    right = rng.random(lead.shape) < 1 / (1 + np.exp(-lead))
    return mbnb.ResponseMatrix(right.astype(np.uint8), models, items, name="skewed subtasks")


def smaller(board: mbnb.ResponseMatrix) -> mbnb.ResponseMatrix:
    rng = np.random.default_rng(0)
    models = np.sort(rng.permutation(board.n_models)[:MOST_MODELS])
    return board.subset(models, np.sort(rng.permutation(board.n_items)[:MOST_ITEMS]))


def measured(
    board: mbnb.ResponseMatrix, selector: str, estimator: str, repeats: int
) -> tuple[float, ...]:
    """Shares of full scores within (per cent), bias and mean error (points), estimates outside."""
    within: list[list[bool]] = [[], []]
    errors, outside = [], 0
    for repeat in range(repeats):
        order = np.random.default_rng([1, repeat]).permutation(board.n_models)
        known, new = board.subset(models=order[OUT:]), board.subset(models=order[:OUT])
        micro = mbnb.freeze(known, selector, SIZE, repeat, estimator=estimator, n_folds=5)
        truth = dict(zip(new.model_ids, new.accuracies(), strict=True))
        for place, level in enumerate(LEVELS):
            for one in mbnb.score(micro, new, level=level, extra="ignore", unlike="accept"):
                full = truth[one.model]
                within[place].append(one.low - 1e-9 <= full <= one.high + 1e-9)
                errors.append(100 * (one.estimate - full))
                outside += not one.low <= one.estimate <= one.high
    shares = [100 * float(np.mean(inside)) for inside in within]
    return (*shares, float(np.mean(errors)), float(np.abs(errors).mean()), float(outside))


if __name__ == "__main__":
    main()
