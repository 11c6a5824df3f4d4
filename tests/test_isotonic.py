"""The isotonic curve, the MDAD that is read from it, and intervals over models."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.isotonic import IsotonicRegression

import mbnb
from mbnb.data.errors import InputError
from mbnb.judge.agreement import RECOMMENDED, Reading, crossing, mdad
from mbnb.judge.isotonic import interpolated_crossing, isotonic_crossing, isotonic_curve
from mbnb.judge.resampled import resampled_mdad
from mbnb.judge.summary import counts_from_table
from mbnb.judge.table import Trials


def some_curves(n_curves: int = 300, n_bins: int = 30) -> tuple[np.ndarray, np.ndarray]:
    """Noisy rising curves, with bins that are empty or hold few pairs."""
    rng = np.random.default_rng(5)
    pairs = rng.poisson(np.linspace(20, 0.5, n_bins), size=(n_curves, n_bins))
    share = np.linspace(0.4, rng.uniform(0.7, 1, size=n_curves), n_bins).T
    return pairs, rng.binomial(pairs, share)


def test_the_curve_is_that_of_scikit_learn() -> None:
    for pairs, agreeing in zip(*some_curves(), strict=True):
        held = pairs > 0
        gaps = np.flatnonzero(held)
        peer = IsotonicRegression().fit_transform(
            gaps, agreeing[held] / pairs[held], sample_weight=pairs[held]
        )
        np.testing.assert_allclose(isotonic_curve(pairs, agreeing)[held], peer, atol=1e-12)
        assert np.isnan(isotonic_curve(pairs, agreeing)[~held]).all()


@pytest.mark.parametrize("threshold", [0.6, 0.8, 0.95])
def test_lines_join_the_steps_of_the_curve(threshold: float) -> None:
    pairs, agreeing = some_curves()
    gaps = np.arange(pairs.shape[1]) / 2
    found = interpolated_crossing(pairs, agreeing, gaps, threshold)
    for value, own_pairs, own_agreeing in zip(found, pairs, agreeing, strict=True):
        held = own_pairs > 0
        curve = isotonic_curve(own_pairs, own_agreeing)[held].round(12)
        heights, step = np.unique(curve, return_inverse=True)
        weight = np.bincount(step, own_pairs[held])
        centres = np.bincount(step, own_pairs[held] * gaps[held]) / weight
        above = np.flatnonzero(heights >= threshold - 1e-9)
        if not above.size:
            assert np.isnan(value)
        elif above[0] == 0:
            assert value == gaps[held][0]
        else:
            k = above[0]
            expected = np.interp(threshold, heights[k - 1 : k + 1], centres[k - 1 : k + 1])
            assert value == pytest.approx(expected)
    assert np.unique(found).size > 20, "the case is not trivial"


def test_interpolation_does_not_depend_on_the_width_of_bins() -> None:
    # Agreement that rises by a straight line from a half at no gap to 1 at 10 points.
    for width in (0.1, 0.5, 1.0, 2.0):
        gaps = np.arange(0, 10 + width / 2, width)
        pairs = np.full((1, gaps.size), 1000)
        found = crossing(pairs, pairs * (0.5 + gaps / 20), gaps, RECOMMENDED)
        assert found.tolist() == [6.0]


def test_an_empty_bin_decides_nothing() -> None:
    pairs, agreeing = np.array([[10, 0, 10]]), np.array([[5, 0, 9]])
    assert isotonic_crossing(pairs, agreeing, 0.8).tolist() == [2]
    assert isotonic_crossing(pairs, agreeing, 0.95).tolist() == [3], "not reached"


def test_a_curve_needs_a_pair() -> None:
    with pytest.raises(InputError, match="no pairs in any bin"):
        isotonic_curve(np.zeros(3), np.zeros(3))


def test_thin_bins_are_left_out_of_the_fit() -> None:
    pairs, agreeing = np.array([[50, 2, 50, 2]]), np.array([[25, 2, 45, 0]])
    gaps = np.array([0.0, 0.5, 1.0, 1.5])
    thin, none = (Reading(rule="isotonic", min_pairs=least) for least in (3, 100))
    assert crossing(pairs, agreeing, gaps, thin).tolist() == [1.0]
    assert np.isnan(crossing(pairs, agreeing, gaps, none)).all()


@pytest.fixture(scope="module")
def trials() -> Trials:
    matrix = mbnb.load("simulated:gpqa")
    return mbnb.run_trials(
        matrix, ["uniform", "subtask"], [25, 100], n_trials=8, n_source=5, n_target=12, n_jobs=1
    )


def by_hand(trials: Trials, by: str, n_resamples: int, seed: int, ties: str) -> pd.DataFrame:
    """Low and high ends with every pair written out and weighted, one resample at a time."""
    table = trials.table.assign(model=trials.table["model"].astype(str))
    models, ids = sorted(table["model"].unique()), sorted(table["trial"].unique())
    of_models, of_trials = (np.random.default_rng([seed, k]) for k in (0, 1))
    drawn = of_models.multinomial(len(models), np.full(len(models), 1 / len(models)), n_resamples)
    times = np.ones((n_resamples, len(ids)))
    if by == "both":
        times = of_trials.multinomial(len(ids), np.full(len(ids), 1 / len(ids)), n_resamples)
    rows = []
    for _, cell in table.groupby(["selector", "size"], observed=True, sort=False):
        n_bins = 202
        pairs, agreeing = (np.zeros((n_resamples, n_bins)) for _ in range(2))
        for trial, own in cell.groupby("trial"):
            told = own.sort_values("train_accuracy", ascending=False, kind="stable")
            place = [models.index(name) for name in told["model"]]
            score = np.rint(told["train_accuracy"].to_numpy() * trials.n_train).astype(int)
            estimate = told["estimate"].to_numpy()
            for i in range(len(told)):
                for j in range(i + 1, len(told)):
                    if score[i] == score[j]:
                        continue
                    gap = int(np.floor((score[i] - score[j]) * 200 / trials.n_train + 0.5))
                    weight = drawn[:, place[i]] * drawn[:, place[j]] * times[:, ids.index(trial)]
                    right = float(estimate[i] > estimate[j])
                    if ties == "half" and estimate[i] == estimate[j]:
                        right = 0.5
                    pairs[:, gap] += weight
                    agreeing[:, gap] += weight * right
        found = crossing(pairs, agreeing, np.arange(n_bins) / 2, RECOMMENDED)
        ranked = np.where(np.isnan(found), np.inf, found)
        low, high = np.quantile(ranked, [(1 - 0.95) / 2, 0.975], method="inverted_cdf")
        rows.append((low, high if np.isfinite(high) else np.nan))
    return pd.DataFrame(rows, columns=["low", "high"])


@pytest.mark.parametrize(("by", "ties"), [("models", "wrong"), ("both", "half")])
def test_models_are_resampled_as_by_hand(trials: Trials, by: str, ties: str) -> None:
    found = resampled_mdad(
        trials, by, reading=replace(RECOMMENDED, ties=ties), n_resamples=40, seed=3
    )
    pd.testing.assert_frame_equal(
        found[["low", "high"]], by_hand(trials, by, 40, 3, ties), check_dtype=False
    )
    values = mdad(mbnb.agreement(trials, reading=Reading(ties=ties)), RECOMMENDED)["mdad"]
    assert found["mdad"].equals(values), "the MDAD itself is that of the trials"


def test_what_is_resampled_has_a_name(trials: Trials) -> None:
    with pytest.raises(InputError, match="by 'items' is unknown; allowed: trials, models, both"):
        resampled_mdad(trials, "items")


def test_kept_counts_are_read_as_they_were_told(trials: Trials) -> None:
    table = mbnb.agreement_counts(trials)
    counts = mbnb.agreement(trials, "heldout")
    again = counts_from_table(table, "again", "heldout")
    for reading in (Reading(min_pairs=5), RECOMMENDED):
        expected = mdad(counts, reading)["mdad"]
        found = mdad(again, reading)
        assert found["mdad"].equals(expected)
        assert found["selector"].tolist() == ["uniform", "uniform", "subtask", "subtask"]
    with pytest.raises(InputError, match="no bin of the half"):
        counts_from_table(table[table["half"] == "train"], "again", "heldout")


def test_kept_definitions_agree_with_the_kept_counts() -> None:
    kept = mbnb.measured("definitions")
    usual = kept[(kept["ties"] == "wrong") & (kept["width"] == 0.5)]
    usual = usual[(usual["binning"] == "centred") & (usual["threshold"] == 0.8)]
    for dataset, own in usual.groupby("dataset"):
        kept_counts = mbnb.measured(f"agreement-{str(dataset).replace(':', '-')}")
        counts = counts_from_table(kept_counts, str(dataset))
        for _, row in own.iterrows():
            reading = Reading(rule=row["rule"], min_pairs=row["min_pairs"])
            read = mdad(counts, reading, n_resamples=1)
            cells = read["selector"] + "-" + read["size"].astype(str)
            told = row[list(cells)].to_numpy(dtype=float)
            np.testing.assert_allclose(told, read["mdad"], err_msg=f"{dataset} {row['rule']}")
