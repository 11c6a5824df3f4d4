"""Differences of MDADs, agreement pair by pair, and the formula for uniform sampling."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import multivariate_hypergeom

from mbnb.data.errors import InputError
from mbnb.judge.agreement import Agreement, mdad
from mbnb.judge.comparison import mdad_difference
from mbnb.judge.normal import expected_mdad, normal_agreement


def counts(agreeing: dict[str, list[list[int]]]) -> Agreement:
    """Ten pairs in each of three bins (0, 0.5, 1 points) and trial; agreeing as given."""
    names = list(agreeing)
    cells = pd.DataFrame(
        {"selector": names, "estimator": "weighted-mean", "size": 10, "n_source": 3}
    )
    array = np.array([agreeing[name] for name in names], dtype=float)
    pairs = np.full(array.shape, 10, dtype=np.int64)
    return Agreement(cells, np.array([0.0, 0.5, 1.0]), pairs, array, 0, "test", "train")


def test_the_difference_is_that_of_the_mdads() -> None:
    # uniform reaches 0.8 in the bin 1, the other in 0.5.
    both = counts({"uniform": [[5, 6, 8], [5, 6, 9]], "other": [[5, 8, 9], [5, 9, 10]]})
    table = mdad_difference(both)
    assert list(table["selector"]) == ["other"], "the baseline has no row"
    assert table["gain"].tolist() == [0.5]
    # Each trial alone gives the same two MDADs, so every resample does.
    assert table[["low", "high"]].iloc[0].tolist() == [0.5, 0.5]
    values = mdad(both)["mdad"]
    assert table["gain"][0] == values[0] - values[1]


def test_what_both_share_cancels() -> None:
    # Trial 1 is hard for both, trial 2 easy for both: each MDAD has a wide interval, their
    # difference has none.
    both = counts({"uniform": [[0, 0, 9], [9, 9, 9]], "other": [[0, 0, 9], [9, 9, 9]]})
    single = mdad(both)
    assert (single["low"] < single["high"]).all()
    assert mdad_difference(both)[["gain", "low", "high"]].iloc[0].tolist() == [0, 0, 0]


def test_not_reached_lies_above_every_gap() -> None:
    never = [[5, 6, 7], [5, 6, 7]]
    always = [[9, 9, 9], [9, 9, 9]]
    worse = mdad_difference(counts({"uniform": always, "other": never}))
    assert np.isnan(worse[["gain", "low", "high"]].to_numpy()).all(), "no number for “not reached”"
    neither = mdad_difference(counts({"uniform": never, "other": never}))
    assert np.isnan(neither[["gain", "low", "high"]].to_numpy()).all()


def test_one_trial_gives_no_interval() -> None:
    table = mdad_difference(counts({"uniform": [[5, 6, 8]], "other": [[9, 9, 9]]}))
    assert table["gain"][0] == 1.0
    assert np.isnan(table["low"][0]) and np.isnan(table["high"][0])


def test_an_unknown_baseline_is_refused() -> None:
    with pytest.raises(InputError, match=r"baseline 'best' is not among the selectors \(uniform\)"):
        mdad_difference(counts({"uniform": [[5, 6, 8]]}), "best")


def test_a_baseline_with_several_estimators_needs_one_named() -> None:
    both = counts({"uniform": [[5, 6, 8], [5, 6, 9]], "twin": [[5, 8, 9], [5, 9, 10]]})
    cells = both.cells.assign(selector="uniform", estimator=["weighted-mean", "corrected-mean"])
    read = replace(both, cells=cells)
    with pytest.raises(
        InputError, match="comes with several estimators; name one of weighted-mean"
    ):
        mdad_difference(read)
    with pytest.raises(InputError, match="with 'ridge' is not there; name one of weighted-mean"):
        mdad_difference(read, estimator="ridge")
    table = mdad_difference(read, estimator="weighted-mean")
    assert table["estimator"].tolist() == ["corrected-mean"] and table["gain"].tolist() == [0.5]
    assert mdad_difference(read, estimator="corrected-mean")["gain"].tolist() == [-0.5]


@pytest.mark.parametrize(("size", "slack"), [(10, 0.03), (50, 0.02), (250, 0.02)])
@pytest.mark.parametrize("gap", [2, 5, 10, 20])
def test_the_normal_approximation_is_near_the_exact_value(
    size: int, slack: float, gap: int
) -> None:
    # Of 1,000 items 30 % differ; the exact chance that wins exceed losses, summed.
    n_items, differ = 1000, 300
    wins = (differ + 10 * gap) // 2
    losses = differ - wins
    w, l = np.meshgrid(np.arange(size + 1), np.arange(size + 1), indexing="ij")  # noqa: E741
    right = (w > l) & (w + l <= size)
    x = np.stack([w[right], l[right], size - w[right] - l[right]], axis=-1)
    exact = multivariate_hypergeom.pmf(x, [wins, losses, n_items - differ], size).sum()
    near = normal_agreement(np.array([float(gap)]), np.array([30.0]), size, n_items)[0]
    assert near == pytest.approx(exact, abs=slack), f"{near:.3f} for {exact:.3f}"


def test_the_expected_mdad_falls_with_the_size_and_rises_with_disagreement() -> None:
    gaps = np.linspace(0, 30, 61)
    few = pd.DataFrame({"gap": gaps, "disagreement": 20.0 + gaps / 2})
    many = few.assign(disagreement=few["disagreement"] + 20)
    sizes = [10, 100, 1000]
    first, second = (expected_mdad(pairs, sizes, 6000) for pairs in (few, many))
    assert first.is_monotonic_decreasing and (second > first).all()


def test_no_gap_wide_enough_is_not_reached() -> None:
    pairs = pd.DataFrame({"gap": [0.0, 1.0, 2.0], "disagreement": 30.0})
    assert np.isnan(expected_mdad(pairs, [10], 6000)[10])


def test_a_size_beyond_the_half_is_refused() -> None:
    with pytest.raises(InputError, match="size 11 is not possible; allowed are 1 to 10"):
        normal_agreement(np.array([1.0]), np.array([30.0]), 11, 10)
