"""Differences of MDADs, agreement pair by pair, and the formula for uniform sampling."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import multivariate_hypergeom

from mbnb.data.errors import InputError
from mbnb.judge import comparison
from mbnb.judge.agreement import Agreement, mdad
from mbnb.judge.comparison import mdad_difference, pair_agreement
from mbnb.judge.normal import expected_mdad, normal_agreement
from mbnb.judge.table import Trials


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


def trials(estimates: list[list[float]], accuracies: list[list[float]]) -> Trials:
    """Models a, b, c in each trial."""
    rows = [
        ("uniform", "weighted-mean", 10, 3, t, model, accuracies[t][i], 0.0, estimates[t][i])
        for t in range(len(estimates))
        for i, model in enumerate("abc")
    ]
    names = ["selector", "estimator", "size", "n_source", "trial", "model"]
    table = pd.DataFrame(rows, columns=[*names, "train_accuracy", "heldout_accuracy", "estimate"])
    return Trials(table, "test", 10, 10, True)


def test_agreement_of_each_pair_over_the_trials() -> None:
    # a > b > c on the half in trial 0; in trial 1 a and b are tied, so only the other two count.
    # Estimates: trial 0 orders a, b right, ties b, c (wrong), a, c right; trial 1 has c above both.
    told = pair_agreement(
        trials([[0.9, 0.5, 0.5], [0.2, 0.3, 0.4]], [[0.7, 0.6, 0.5], [0.6, 0.6, 0.5]])
    ).set_index(["first", "second"])
    assert told.loc[("a", "b"), ["agreement", "n_trials"]].tolist() == [1.0, 1]
    assert told.loc[("a", "c"), ["agreement", "n_trials"]].tolist() == [0.5, 2]
    assert told.loc[("b", "c"), ["agreement", "n_trials"]].tolist() == [0.0, 2]


def test_a_pair_that_is_always_tied_has_no_row() -> None:
    told = pair_agreement(trials([[0.9, 0.5, 0.4]], [[0.7, 0.7, 0.5]]))
    assert set(zip(told["first"], told["second"], strict=True)) == {("a", "c"), ("b", "c")}


def fixed_targets(n_models: int, n_trials: int, n_cells: int) -> Trials:
    """Accuracies and estimates with ties; cells differ in size."""
    rng = np.random.default_rng(7)
    accuracies = rng.integers(0, 20, (n_trials, n_models)) / 20
    frames = [
        pd.DataFrame(
            {
                "selector": "uniform",
                "estimator": "weighted-mean",
                "size": cell + 1,
                "n_source": 3,
                "trial": np.repeat(np.arange(n_trials), n_models),
                "model": np.tile([f"m{i:04d}" for i in range(n_models)], n_trials),
                "train_accuracy": accuracies.ravel(),
                "estimate": rng.integers(0, 10, n_trials * n_models) / 10,
            }
        )
        for cell in range(n_cells)
    ]
    return Trials(pd.concat(frames, ignore_index=True), "test", 20, 20, True)


@pytest.mark.parametrize("block", [1, 40, 1 << 16])
def test_pairs_in_blocks_are_those_counted_one_by_one(
    block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparison, "BLOCK", block)
    trials = fixed_targets(9, 4, 2)
    told = pair_agreement(trials)
    rows = []
    for size, cell in trials.table.groupby("size"):
        halves = cell.pivot(index="model", columns="trial", values="train_accuracy")
        estimates = cell.pivot(index="model", columns="trial", values="estimate")
        for a, b in combinations(halves.index, 2):
            counted = [t for t in halves if halves.at[a, t] != halves.at[b, t]]
            right = [
                (halves.at[a, t] > halves.at[b, t]) == (estimates.at[a, t] > estimates.at[b, t])
                and estimates.at[a, t] != estimates.at[b, t]
                for t in counted
            ]
            if counted:
                rows.append((size, a, b, sum(right) / len(right), len(counted)))
    found = told[["size", "first", "second", "agreement", "n_trials"]]
    assert list(found.itertuples(index=False, name=None)) == rows


def test_a_single_target_makes_no_pair() -> None:
    assert pair_agreement(fixed_targets(1, 3, 2)).empty


def test_more_pairs_than_a_table_can_hold_are_refused() -> None:
    with pytest.raises(InputError, match="3,201 models .* may fill 5,121,600 rows; at most 5,000,"):
        pair_agreement(fixed_targets(3201, 1, 1))


def test_pairs_that_never_meet_are_not_held_against_a_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Three targets a trial: three pairs, of the 66 that twelve models make.
    monkeypatch.setattr(comparison, "MAX_ROWS", 12)
    trials = fixed_targets(3, 4, 1)
    trials.table["model"] = [f"m{i:04d}" for i in range(12)]
    assert 0 < len(pair_agreement(trials)) <= 12
    monkeypatch.setattr(comparison, "MAX_ROWS", 11)
    with pytest.raises(InputError, match="12 models .* may fill 12 rows; at most 11"):
        pair_agreement(trials)


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


def test_the_whole_half_orders_every_pair() -> None:
    assert normal_agreement(np.array([0.5]), np.array([30.0]), 1000, 1000)[0] == 1.0


def test_the_expected_mdad_falls_with_the_size_and_rises_with_disagreement() -> None:
    gaps = np.linspace(0, 30, 61)
    few = pd.DataFrame({"gap": gaps, "disagreement": 20.0 + gaps / 2})
    many = few.assign(disagreement=few["disagreement"] + 20)
    sizes = [10, 100, 1000]
    first, second = (expected_mdad(pairs, sizes, 6000) for pairs in (few, many))
    assert first.is_monotonic_decreasing and (second > first).all()


def test_the_expected_mdad_agrees_with_the_rule_of_thumb() -> None:
    # 0.84 √(0.3 / 100 × (1 − 100 / 6000)) + 1 / 200 = 0.0507: 5.1 points.
    pairs = pd.DataFrame({"gap": np.linspace(0, 30, 61), "disagreement": 30.0})
    assert expected_mdad(pairs, [100], 6000)[100] == pytest.approx(5.1, abs=0.1)


def test_no_gap_wide_enough_is_not_reached() -> None:
    pairs = pd.DataFrame({"gap": [0.0, 1.0, 2.0], "disagreement": 30.0})
    assert np.isnan(expected_mdad(pairs, [10], 6000)[10])


def test_a_size_beyond_the_half_is_refused() -> None:
    with pytest.raises(InputError, match="size 11 is not possible; allowed are 1 to 10"):
        normal_agreement(np.array([1.0]), np.array([30.0]), 11, 10)
