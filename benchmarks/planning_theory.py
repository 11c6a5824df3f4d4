"""Uniform sampling on every leaderboard at hand: measured beside derived, with no experiment.

    MBNB_DATA=folder python benchmarks/planning_theory.py [--datasets NAME ...] [--write]

For each leaderboard of `leaderboards.py` that is at hand, on the very splits of its 50 trials:

``planning-uniform.csv``
    The MDAD that was measured (``leaderboards.csv``; each trial draws one sample), the one that
    follows exactly, the normal approximation on the same pairs, the floor, and what samples say
    when each trial draws 200 of them: taken together, and each for itself as a study of its own.
``planning-agreement.csv``
    Agreement by gap on the train half: exact, by the normal approximation, and of the 200 samples.
``planning-disagreement.csv``
    How often two models differ, by gap: quantiles over pairs.

`--write` keeps the results in data/measured/; see the README there. No trial is run: the script
takes a few minutes.
"""

from __future__ import annotations

import argparse
from time import perf_counter

import numpy as np
import pandas as pd
from leaderboards import FOLDER, LEADERBOARDS, Leaderboard, keep

import mbnb
from mbnb.judge.agreement import Agreement, crossing, gap_bins
from mbnb.judge.counting import count_pairs
from mbnb.judge.planning import sampling_floor
from mbnb.judge.table import HALVES
from mbnb.run.paper import possible_paper_sizes
from mbnb.run.splits import key_of

TRIALS, DRAWS, SEED = 50, 200, 0
WIDEST = 25


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--datasets", nargs="+", default=[board.name for board in LEADERBOARDS])
    parser.add_argument("--write", action="store_true", help=f"keep the results in {FOLDER}")
    arguments = parser.parse_args()
    there = set(mbnb.available()["name"])
    for board in LEADERBOARDS:
        if board.name not in arguments.datasets:
            continue
        if board.name not in there:
            print(f"{board.name} is not here (MBNB_DATA) and was skipped", flush=True)
            continue
        began = perf_counter()
        tables = planning_tables(board)
        print(f"{board.name}: {perf_counter() - began:.0f} s", flush=True)
        print(tables["planning-uniform"].to_string(index=False), flush=True)
        if arguments.write:
            keep(board, "planning", tables)


def planning_tables(board: Leaderboard) -> dict[str, pd.DataFrame]:
    """The rows of one data set in each of the files."""
    matrix, _ = board.matrix()
    sizes, _ = possible_paper_sizes(matrix)
    n_source, n_target, _ = mbnb.possible_counts(matrix)
    plan = {"n_trials": TRIALS, "n_source": n_source, "n_target": n_target, "seed": SEED}
    rows, curves = [], []
    for half in HALVES:
        exact, normal = (
            mbnb.derive_agreement(matrix, sizes, half=half, method=method, **plan)
            for method in ("exact", "normal")
        )
        drawn = redraw(matrix, sizes, half, exact)
        rows.append(mdad_rows(board.name, exact, normal, drawn))
        if half == "train":
            curves.append(curve_rows(board.name, exact, normal, drawn))
    pairs = mbnb.compare_pairs(matrix)
    return {
        "planning-uniform": pd.concat(rows, ignore_index=True),
        "planning-agreement": pd.concat(curves, ignore_index=True),
        "planning-disagreement": disagreement_rows(board.name, pairs),
    }


def redraw(matrix: mbnb.ResponseMatrix, sizes: list[int], half: str, like: Agreement) -> np.ndarray:
    """Agreeing pairs of many samples in each trial, shape (n_sizes, n_draws, n_trials, n_bins)."""
    n_bins = like.gaps.size
    found = np.zeros((len(sizes), DRAWS, TRIALS, n_bins))
    n_source = int(like.cells["n_source"].iloc[0])
    n_target = mbnb.possible_counts(matrix)[1]
    for trial in range(TRIALS):
        split = mbnb.make_split(
            matrix, seed=SEED, trial=trial, n_source=n_source, n_target=n_target
        )
        answers = matrix.scores[np.ix_(split.targets, split.train)].astype(np.float32)
        judged = split.train if half == "train" else split.heldout
        standings = matrix.scores[np.ix_(split.targets, judged)].sum(axis=1, dtype=np.int64)
        bins = gap_bins(np.arange(judged.size + 1), 0.5, "centred", judged.size).astype(np.int32)
        key = [SEED, trial, key_of("planning theory")]
        rng = np.random.default_rng(np.random.SeedSequence(key))
        # The first of one random order are a sample of each size.
        order = rng.permuted(np.tile(np.arange(split.train.size), (DRAWS, 1)), axis=1)
        for s, size in enumerate(sizes):
            chosen = np.zeros((DRAWS, split.train.size), dtype=np.float32)
            np.put_along_axis(chosen, order[:, :size], 1, axis=1)
            counts = chosen @ answers.T
            _, agreeing, _ = count_pairs(standings, counts, bins.take, max(n_bins, bins.max() + 1))
            found[s, :, trial] = agreeing[:, :n_bins]
    return found


def mdad_rows(dataset: str, exact: Agreement, normal: Agreement, drawn: np.ndarray) -> pd.DataFrame:
    """Measured, derived and redrawn MDADs of one half."""
    reading = mbnb.Reading(min_pairs=TRIALS)
    kept = mbnb.measured("leaderboards")
    kept = kept[
        (kept["dataset"] == dataset)
        & (kept["selector"] == "uniform")
        & (kept["half"] == exact.half)
    ].set_index("size")[["mdad", "low", "high"]]
    sizes = list(exact.cells["size"])
    pairs = exact.pairs[0].sum(axis=0)
    derived = mbnb.mdad(exact, reading, n_resamples=2).set_index("size")["mdad"]
    table = kept.rename(columns={"mdad": "measured"}).reindex(sizes)
    table["exact"] = derived
    table["normal"] = mbnb.mdad(normal, reading, n_resamples=2).set_index("size")["mdad"]
    for s, size in enumerate(sizes):
        own = drawn[s].sum(axis=1)
        alone = crossing(np.tile(pairs, (DRAWS, 1)), own, exact.gaps, reading)
        of_all = mbnb.Reading(min_pairs=DRAWS * TRIALS)
        together = crossing(DRAWS * pairs[None], own.sum(axis=0)[None], exact.gaps, of_all)
        ranked = np.where(np.isnan(alone), np.inf, alone)
        ends = np.quantile(ranked, [0.025, 0.5, 0.975], method="inverted_cdf")
        table.loc[size, ["redrawn", "lowest", "middle", "highest"]] = [together[0], *ends]
    table = table.replace(np.inf, np.nan)
    n_train = int(drawn_from(exact))
    table["floor"] = sampling_floor(sizes, n_train)
    at = exact.gaps.searchsorted(derived.reindex(sizes).to_numpy())
    table["pairs"] = [pairs[place] if place < pairs.size else 0 for place in at]
    table.insert(0, "half", exact.half)
    table.insert(0, "dataset", dataset)
    return table.rename_axis("size").reset_index()[
        ["dataset", "half", "size", *table.columns.drop(["dataset", "half"])]
    ]


def drawn_from(exact: Agreement) -> int:
    """Items of the train half, from the figures that were kept of the trials."""
    kept = mbnb.measured("leaderboards")
    return int(kept.loc[kept["dataset"] == exact.dataset, "n_train"].iloc[0])


def curve_rows(
    dataset: str, exact: Agreement, normal: Agreement, drawn: np.ndarray
) -> pd.DataFrame:
    """Agreement by gap of each size."""
    curve = exact.curve()
    curve = curve.assign(
        dataset=dataset, exact=curve["agreement"], normal=normal.curve()["agreement"]
    )
    place = exact.gaps.searchsorted(curve["gap"])
    s = curve["size"].map({size: s for s, size in enumerate(exact.cells["size"])}).to_numpy()
    curve["redrawn"] = drawn.mean(axis=1).sum(axis=1)[s, place] / curve["pairs"]
    columns = ["dataset", "size", "gap", "pairs", "exact", "normal", "redrawn"]
    return curve.loc[curve["gap"] <= WIDEST, columns]


def disagreement_rows(dataset: str, pairs: pd.DataFrame) -> pd.DataFrame:
    """Quantiles of the disagreement rate of pairs (per cent of the items) by whole gaps."""
    near = pairs[pairs["gap"] <= WIDEST + 0.5]
    groups = near.groupby(np.rint(near["gap"]).astype(int))["disagreement"]
    table = groups.quantile([0.1, 0.5, 0.9]).unstack()
    table.columns = ["low", "median", "high"]
    table = table.assign(mean=groups.mean(), pairs=groups.size(), dataset=dataset)
    return table.rename_axis("gap").reset_index()[
        ["dataset", "gap", "pairs", "low", "median", "high", "mean"]
    ]


if __name__ == "__main__":
    main()
