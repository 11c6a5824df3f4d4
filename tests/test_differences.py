"""Differences of two MDADs whose trials are drawn alike, worked by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd

from mbnb.judge.agreement import Agreement, mdad
from mbnb.judge.differences import mdad_differences


def counts_of(*cells: list[list[int]]) -> Agreement:
    """Of 10 pairs in each bin (0, 0.5, 1 points) so many agree: a row for each trial."""
    agreeing = np.array(cells, dtype=float)
    names = pd.DataFrame({"selector": [f"s{i}" for i in range(len(cells))]})
    return Agreement(
        cells=names.assign(estimator="plain", size=10, n_source=5),
        gaps=np.array([0.0, 0.5, 1.0]),
        pairs=np.full(agreeing.shape, 10),
        agreeing=agreeing,
        tied_pairs=0,
        dataset="made up",
        half="train",
    )


SOON, LATE, NEVER = [[9, 9, 9], [8, 9, 9]], [[5, 6, 9], [5, 6, 8]], [[5, 5, 5], [5, 5, 5]]


def test_the_difference_is_the_first_mdad_minus_the_second() -> None:
    counts = counts_of(SOON, LATE)
    table = mdad_differences(counts, counts, [(1, 0), (0, 1), (1, 1)], n_resamples=50)
    assert table["first"].tolist() == [1, 0, 1] and table["second"].tolist() == [0, 1, 1]
    assert table["difference"].tolist() == [1, -1, 0]
    assert mdad(counts)["mdad"].tolist() == [0, 1], "as each cell has it alone"


def test_what_is_alike_in_both_cancels() -> None:
    uneven = [[9, 9, 9], [5, 5, 9], [7, 9, 9], [6, 7, 9]]
    counts, same = counts_of(uneven), counts_of(uneven)
    alone = mdad(counts, n_resamples=200).iloc[0]
    assert alone["low"] < alone["high"], "the MDAD itself is unsure"
    difference = mdad_differences(counts, same, [(0, 0)], n_resamples=200).iloc[0]
    assert (difference["low"], difference["high"]) == (0, 0)


def test_an_mdad_that_is_not_reached_leaves_the_difference_and_that_end_open() -> None:
    sometimes = [[5, 5, 9], [5, 5, 9], [5, 5, 5], [5, 5, 9]]
    counts = counts_of(sometimes, SOON * 2)
    row = mdad_differences(counts, counts, [(0, 1)], n_resamples=200).iloc[0]
    assert row["difference"] == 1
    assert np.isnan(row["high"]), "some resamples do not reach it"
    never = counts_of(NEVER, NEVER)
    row = mdad_differences(never, never, [(0, 1)], n_resamples=20).iloc[0]
    assert row.isna().all()


def test_one_trial_has_no_interval_and_no_pair_no_row() -> None:
    counts = counts_of(SOON[:1], LATE[:1])
    row = mdad_differences(counts, counts, [(1, 0)]).iloc[0]
    assert row["difference"] == 1 and np.isnan(row["low"]) and np.isnan(row["high"])
    assert mdad_differences(counts, counts, []).empty
