"""Pairs of models: gaps, disagreement and the floor of uniform sampling."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pandas as pd
import pytest

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.judge import pairs as pairs_module
from mbnb.judge.pairs import compare_pairs, disagreement, typical_pair, uniform_floor


def matrix_of(scores: list[list[int]]) -> ResponseMatrix:
    array = np.array(scores, dtype=np.uint8)
    return ResponseMatrix(
        scores=array,
        models=pd.DataFrame(index=[f"m{i}" for i in range(array.shape[0])]),
        items=pd.DataFrame(
            {"subtask": "all"}, index=[f"i{i}" for i in range(array.shape[1])], dtype=object
        ),
    )


# m0 has 3 of 4 right, m1 has 2, m2 has 2.
SMALL = matrix_of([[1, 1, 1, 0], [1, 0, 0, 1], [1, 1, 0, 0]])


def test_pairs_worked_by_hand() -> None:
    pairs = compare_pairs(SMALL)
    told = {(row.better, row.worse): (row.gap, row.disagreement) for row in pairs.itertuples()}
    # m0 and m1 differ on items 1, 2 and 3 (wins 2, loses 1); m0 and m2 on item 2 alone.
    assert told[("m0", "m1")] == (25.0, 75.0)
    assert told[("m0", "m2")] == (25.0, 25.0)
    assert len(pairs) == 3, "three models make three pairs"
    tied = pairs[pairs["gap"] == 0].iloc[0]
    assert {tied["better"], tied["worse"]} == {"m1", "m2"} and tied["disagreement"] == 50.0


def test_the_rate_is_never_below_the_gap_and_a_sample_holds_no_pair_twice() -> None:
    rng = np.random.default_rng(1)
    matrix = matrix_of(rng.integers(0, 2, (60, 40)).tolist())
    pairs = compare_pairs(matrix, n_pairs=700)
    assert len(pairs) == 700
    assert (pairs["disagreement"] >= pairs["gap"] - 1e-9).all()
    names = {frozenset(pair) for pair in pairs[["better", "worse"]].to_numpy()}
    assert len(names) == 700 and all(len(pair) == 2 for pair in names), "a pair stands twice"


def test_the_order_of_the_rows_changes_nothing() -> None:
    rng = np.random.default_rng(3)
    matrix = matrix_of(rng.integers(0, 2, (40, 30)).tolist())
    turned = matrix.subset(models=np.arange(40)[::-1], items=rng.permutation(30))
    told, again = (compare_pairs(m, n_pairs=100, seed=5) for m in (matrix, turned))
    assert {frozenset(p) for p in told[["better", "worse"]].to_numpy()} == {
        frozenset(p) for p in again[["better", "worse"]].to_numpy()
    }


@pytest.mark.parametrize("answers", [1, 50, 1 << 20])
def test_pairs_compared_a_few_at_a_time_are_those_compared_at_once(
    answers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(4)
    matrix = matrix_of(rng.integers(0, 2, (9, 20)).tolist())
    first, second = np.triu_indices(9, 1)
    expected = [
        (matrix.scores[a] != matrix.scores[b]).mean() for a, b in zip(first, second, strict=True)
    ]
    monkeypatch.setattr(pairs_module, "ANSWERS", answers)
    np.testing.assert_array_equal(disagreement(matrix, first, second), expected)


def test_a_sample_of_millions_of_pairs_takes_the_memory_of_a_sample() -> None:
    # All 7.6 million pairs' numbers alone would be 61 MB.
    matrix = matrix_of(np.random.default_rng(5).integers(0, 2, (3903, 12)).tolist())
    tracemalloc.start()
    try:
        told = compare_pairs(matrix, n_pairs=2000)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(told) == 2000 and peak < 10e6, f"{peak / 1e6:.1f} MB"


def test_the_typical_pair_has_the_median_disagreement_of_the_nearest() -> None:
    pairs = pd.DataFrame(
        {
            "better": list("abcde"),
            "worse": list("vwxyz"),
            "gap": [1.0, 2.0, 2.1, 1.9, 9.0],
            "disagreement": [50.0, 30.0, 10.0, 20.0, 20.0],
        }
    )
    assert typical_pair(pairs, 2, n_near=3)["better"] == "d"


def test_the_floor_of_uniform_sampling() -> None:
    floor = uniform_floor([10, 25, 50, 100, 250])
    # 1 − 0.2^(1/10) = 0.1487, and so on.
    assert floor.round(1).to_dict() == {10: 14.9, 25: 6.2, 50: 3.2, 100: 1.6, 250: 0.6}
    assert uniform_floor([10], ties="half").round(1).to_dict() == {10: 8.8}


def test_one_model_makes_no_pair() -> None:
    with pytest.raises(InputError, match="1 models; a pair needs at least 2"):
        compare_pairs(matrix_of([[0, 1]]))
