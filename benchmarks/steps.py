"""One trial step by step, and the least that each selector has to do; writes no file."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
from machine import seconds_of
from threadpoolctl import threadpool_limits

import mbnb
from mbnb.data.responses import ResponseMatrix
from mbnb.methods.irt import fit_2pl
from mbnb.methods.tinybenchmarks import N_DIMS
from mbnb.run.splits import key_of

JUDGING = "Agreement and MDAD"
ANY = "every selector"


def measure_steps(
    matrix: ResponseMatrix, sizes: list[int], n_trials: int, repeats: int = 2
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Seconds of each step, and of each selector's trial beside its lower bound.

    Parameters
    ----------
    matrix : ResponseMatrix
    sizes : list of int
    n_trials : int
        Of a grid, for the steps that come once a grid.
    repeats : int
        The shortest time counts.

    Returns
    -------
    (DataFrame, DataFrame)
        Steps: selector, step, size, seconds. Bounds: selector, seconds (split included),
        bound_seconds, ratio, bound.
    """
    n_source, n_target, _ = mbnb.possible_counts(matrix)
    counts = {"n_source": n_source, "n_target": n_target}
    rows: list[tuple[str, str, float, float]] = []
    with threadpool_limits(1):
        split = mbnb.make_split(matrix, seed=0, trial=0, **counts)
        train = matrix.subset(split.sources, split.train)
        targets = matrix.subset(models=split.targets)
        half = targets.subset(items=split.train)

        def prepare_trial() -> None:
            again = mbnb.make_split(matrix, seed=0, trial=0, **counts)
            matrix.subset(again.sources, again.train)
            both = matrix.subset(models=again.targets)
            for items in (again.train, again.heldout):
                both.subset(items=items).accuracies()

        rows.append((ANY, "split", np.nan, seconds_of(prepare_trial, repeats)))
        for name in mbnb.SELECTORS:
            costs = []
            for _ in range(repeats):
                _, selections, table = mbnb.time_selector(
                    name, train, sizes, seed=key_of(name) % 2**32
                )
                costs.append(table["seconds"])
            own = table.assign(seconds=np.min(costs, axis=0))
            rows += own[["selector", "step", "size", "seconds"]].itertuples(index=False, name=None)
            estimator = mbnb.make_selector(name).default_estimator
            seconds = seconds_of(
                lambda chosen=selections, rule=estimator: [
                    mbnb.estimate(rule, selection, half) for selection in chosen.values()
                ]
            )
            rows.append((name, "estimates", np.nan, seconds))
        # Judging costs the same for every selector: one stands for all.
        trials = mbnb.run_trials(matrix, ["uniform"], sizes, n_trials=n_trials, n_jobs=1, **counts)
        judging = seconds_of(lambda: mbnb.mdad(mbnb.agreement(trials)), repeats)
        rows.append((ANY, "agreement", np.nan, judging))
        steps = pd.DataFrame(rows, columns=["selector", "step", "size", "seconds"])
        return steps, _beside_bounds(steps, train, half, sizes, n_trials)


def _beside_bounds(
    steps: pd.DataFrame,
    train: ResponseMatrix,
    targets: ResponseMatrix,
    sizes: list[int],
    n_trials: int,
) -> pd.DataFrame:
    own = steps.groupby("selector", sort=False)["seconds"].sum()
    any_trial, judging = steps[steps["selector"] == ANY]["seconds"]
    rows = []
    for name, (seconds, bound) in lower_bounds(train, targets, sizes, n_trials).items():
        measured = judging if name == JUDGING else own[name] + any_trial
        rows.append((name, measured, seconds, measured / seconds, bound))
    return pd.DataFrame(rows, columns=["selector", "seconds", "bound_seconds", "ratio", "bound"])


def lower_bounds(
    train: ResponseMatrix, targets: ResponseMatrix, sizes: list[int], n_trials: int
) -> dict[str, tuple[float, str]]:
    """Seconds below which a selector cannot go the way it works, and what they are made of."""
    evidence = np.ascontiguousarray(train.evidence)
    n_items = evidence.shape[1]
    answers = np.ascontiguousarray(targets.scores)
    rng = np.random.default_rng(0)
    reading = seconds_of(lambda: (evidence.sum(), answers.sum()))
    read = "the trial's answers read once"
    return {
        "uniform": (reading, read),
        "subtask": (reading, read),
        "confidence": (reading, read),
        "diversity": (
            reading + _diversity_products(n_items, sizes, rng),
            "the same; a product items × k · k × k for each size k",
        ),
        "anchor-points": (
            reading + _anchor_products(evidence, len(sizes)),
            "the same; a product items × sources · sources × items; all distances read once a size",
        ),
        "tinybenchmarks": (
            reading + _irt_products(train.scores, sizes, rng),
            f"the same; the products of each round of the {N_DIMS}-dimensional fit; a product "
            "items × parameters · parameters × k for each size k",
        ),
        JUDGING: (
            _comparisons(n_trials, len(sizes), targets.n_models, rng),
            "each pair of target models compared once, all in one go",
        ),
    }


def _diversity_products(n_items: int, sizes: list[int], rng: np.random.Generator) -> float:
    total = 0.0
    for k in sizes:
        columns, square = rng.random((n_items, k)), rng.random((k, k))
        total += seconds_of(partial(np.matmul, columns, square))
    return total


def _anchor_products(evidence: np.ndarray, n_sizes: int) -> float:
    steps = evidence.astype(np.float64)
    product = seconds_of(lambda: steps.T @ steps, 2)
    distances = np.ones((evidence.shape[1],) * 2, dtype=np.float32)
    return product + n_sizes * seconds_of(distances.sum)


def _irt_products(scores: np.ndarray, sizes: list[int], rng: np.random.Generator) -> float:
    n_source, n_items = scores.shape
    n_rounds = fit_2pl(scores, n_dims=N_DIMS).n_iterations
    cells = rng.random((n_source, n_items), dtype=np.float32)

    def side(rows: int, n_parameters: int) -> list[np.ndarray]:
        """Pairs of parameters for the systems, single ones for the gradients and log-odds."""
        n_pairs = n_parameters * (n_parameters + 1) // 2
        return [rng.random((rows, n), dtype=np.float32) for n in (n_pairs, n_parameters)]

    models, items = side(n_source, N_DIMS + 1), side(n_items, N_DIMS)
    transposed = cells.T

    def one_round() -> None:
        for part in models:
            transposed @ part
        for part in items:
            cells @ part
        for _ in range(2):  # log-odds of all cells, for either turn
            models[1][:, :N_DIMS] @ items[1].T

    points = rng.random((n_items, N_DIMS + 1))
    nearest = sum(seconds_of(lambda k=k: points @ points[:k].T) for k in sizes)
    return n_rounds * seconds_of(one_round) + nearest


def _comparisons(n_trials: int, n_sizes: int, n_target: int, rng: np.random.Generator) -> float:
    first, second = np.triu_indices(n_target, 1)
    full, estimates = rng.random((2, n_trials * n_sizes, n_target))
    return seconds_of(
        lambda: (
            (full[:, first] > full[:, second]) == (estimates[:, first] > estimates[:, second])
        ).sum()
    )
