"""Agreement and MDAD: the reference values, hand-worked matrices, rules, ties, intervals."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mbnb.data.errors import InputError
from mbnb.judge.agreement import (
    Agreement,
    Reading,
    agreement,
    format_mdad,
    gap_bins,
    mdad,
    pair_gaps,
)
from mbnb.judge.measures import estimation_error, kendall_tau
from mbnb.judge.table import COLUMNS, Trials


def make_trials(
    runs: list[tuple[list[int], list[int], list[float]]], n_train: int, n_heldout: int
) -> Trials:
    """Trials of one cell from (train counts, held-out counts, estimates) of each trial."""
    frames = [
        pd.DataFrame(
            {
                "selector": "uniform",
                "estimator": "weighted-mean",
                "size": 20,
                "n_source": 1,
                "trial": trial,
                "model": [f"m{i}" for i in range(len(train))],
                "train_accuracy": np.array(train) / n_train,
                "heldout_accuracy": np.array(heldout) / n_heldout,
                "estimate": estimates,
            }
        )
        for trial, (train, heldout, estimates) in enumerate(runs)
    ]
    table = pd.concat(frames, ignore_index=True)[COLUMNS].astype({"selector": "category"})
    return Trials(table, "test", n_train, n_heldout, binary=True)


@pytest.fixture(scope="module")
def golden() -> dict:
    folder = os.environ.get("MBNB_DATA")
    path = Path(folder).parent / "golden" / "paper_agreement.json" if folder else None
    if path is None or not path.is_file():
        pytest.skip("the reference values are absent: set MBNB_DATA to the folder beside golden/")
    return json.loads(path.read_text())


@pytest.mark.parametrize("half", ["train", "heldout"])
def test_the_released_codes_values_are_reproduced(golden: dict, half: str) -> None:
    n, k = golden["n_items_half"], golden["k"]
    trials = make_trials(
        [
            (r["train_correct"], r["heldout_correct"], [c / k for c in r["estimate_correct"]])
            for r in golden["runs"]
        ],
        n,
        n,
    )
    counts = agreement(trials, half, Reading(binning="floor", full_ties="order"))
    curve = counts.curve()
    assert curve["gap"].tolist() == golden[f"{half}_bins_percent"]
    assert curve["pairs"].tolist() == golden[f"{half}_pairs"]
    assert curve["agreeing"].tolist() == golden[f"{half}_agreeing_pairs"]
    for threshold, suffix in ((0.8, ""), (0.7, "_at_0.7"), (0.9, "_at_0.9")):
        value = mdad(counts, Reading(threshold=threshold))["mdad"].item()
        assert value == golden[f"{half}_mdad_percent{suffix}"]
    if half == "train":
        assert estimation_error(trials)["error"].item() == pytest.approx(
            100 * np.mean(golden["mean_abs_error_train"]), abs=1e-12
        )
        assert kendall_tau(trials)["tau"].item() == pytest.approx(
            np.mean(golden["kendall_tau_train"]), abs=1e-12
        )


def test_hand_worked_agreement() -> None:
    # Four models, 6 train items: correct 5, 4, 2, 1, so accuracies in points 83.3 66.7 33.3 16.7.
    # Gaps (items): 01: 1, 02: 3, 03: 4, 12: 2, 13: 3, 23: 1.
    # Points: 1/6 = 16.67 -> bin centre 16.5 ([16.25, 16.75)), 2/6 = 33.33 -> 33.5 ([33.25, 33.75)),
    # 3/6 = 50, 4/6 = 66.67 -> 66.5.
    # Estimates 1.0 0.5 0.5 0.75: 01 right, 02 right, 03 right, 12 tied, 13 wrong, 23 wrong.
    trials = make_trials([([5, 4, 2, 1], [3, 3, 3, 0], [1.0, 0.5, 0.5, 0.75])], 6, 6)
    curve = agreement(trials).curve()
    assert curve["gap"].tolist() == [16.5, 33.5, 50.0, 66.5]
    assert curve["pairs"].tolist() == [2, 1, 2, 1]
    assert curve["agreeing"].tolist() == [1, 0, 1, 1]
    half = agreement(trials, reading=Reading(ties="half")).curve()
    assert half["agreeing"].tolist() == [1, 0.5, 1, 1]
    # Held-out: three models tie (three pairs left out); the pairs with m3 have gap 50: 1 of 3 right
    # (m0 above m3; m1 and m2 are estimated below it).
    heldout = agreement(trials, "heldout")
    assert heldout.tied_pairs == 3
    assert heldout.curve()[["gap", "pairs", "agreeing"]].values.tolist() == [[50.0, 3.0, 1.0]]
    assert mdad(agreement(trials))["mdad"].item() == 66.5
    # Mean |estimate − accuracy|: (16.67 + 16.67 + 16.67 + 58.33) / 4.
    assert estimation_error(trials)["error"].item() == pytest.approx(325 / 12)
    # tau-b: 3 concordant, 2 discordant, one tie in the estimates: (3 − 2) / sqrt(6 × 5).
    assert kendall_tau(trials)["tau"].item() == pytest.approx(1 / np.sqrt(30))


def test_order_of_models_changes_nothing() -> None:
    rng = np.random.default_rng(5)
    runs = [
        (rng.integers(0, 30, 8).tolist(), rng.integers(0, 30, 8).tolist(), rng.random(8).tolist())
        for _ in range(6)
    ]
    order = rng.permutation(8)
    moved = [tuple([part[i] for i in order] for part in run) for run in runs]
    a = agreement(make_trials(runs, 30, 30))
    b = agreement(make_trials(moved, 30, 30))  # type: ignore[arg-type]
    pd.testing.assert_frame_equal(a.curve(), b.curve())
    pd.testing.assert_frame_equal(mdad(a), mdad(b))


def test_no_edge_is_moved_by_rounding() -> None:
    # 0.29 − 0.28 is a hair below 0.01 in floating point; as counts it is exactly 1 of 100.
    for a, b in ((29, 28), (57, 56), (6, 5)):
        assert gap_bins(np.array([a - b]), 0.5, "floor", 100).item() == 2
        assert gap_bins(np.array([a / 100 - b / 100]), 0.5, "floor").item() == 2
    # Every gap k / N of several N, against exact fractions.
    from fractions import Fraction

    for n in (6, 40, 100, 400, 401, 6012):
        gaps = np.arange(n + 1)
        points = [Fraction(100 * int(g), n) for g in gaps]
        centred = [int((p + Fraction(1, 4)) / Fraction(1, 2)) for p in points]
        floor = [int(p / Fraction(1, 2)) for p in points]
        assert gap_bins(gaps, 0.5, "centred", n).tolist() == centred
        assert gap_bins(gaps, 0.5, "floor", n).tolist() == floor


def curve_counts(agreements: list[float], pairs: list[int] | None = None) -> Agreement:
    n = np.array(pairs or [10] * len(agreements))
    return Agreement(
        cells=pd.DataFrame({"selector": ["u"], "estimator": ["w"], "size": [10], "n_source": [1]}),
        gaps=np.arange(len(agreements)) * 0.5,
        pairs=n[None, None],
        agreeing=(n * np.array(agreements))[None, None],
        tied_pairs=0,
        dataset="test",
        half="train",
    )


def test_rules() -> None:
    always = curve_counts([0.7, 0.7, 0.7])
    assert np.isnan(mdad(always)["mdad"].item())
    assert format_mdad(mdad(always)["mdad"].item()) == "not reached"
    wavering = curve_counts([0.9, 0.6, 0.9])
    assert mdad(wavering)["mdad"].item() == 0.0
    assert mdad(wavering, Reading(rule="sustained"))["mdad"].item() == 1.0
    # A bin of two pairs decides the first rule, unless min_pairs keeps it from doing so.
    sparse = curve_counts([0.5, 1.0, 0.7, 0.8], [50, 2, 50, 50])
    assert mdad(sparse)["mdad"].item() == 0.5
    assert mdad(sparse, Reading(min_pairs=3))["mdad"].item() == 1.5
    assert mdad(sparse, Reading(0.7, min_pairs=3))["mdad"].item() == 1.0
    assert format_mdad(1.5) == "1.5"
    assert mdad(sparse, Reading(0.7))["threshold"].item() == 0.7, "told with the result"


def test_threshold_is_met_exactly() -> None:
    # 4 of 5 is 0.8, though 0.8 × 5 may exceed 4 in floating point; likewise 7 of 10 at 0.7.
    for rule in ("first", "isotonic"):
        assert mdad(curve_counts([0.8], [5]), Reading(rule=rule))["mdad"].item() == 0
        assert mdad(curve_counts([0.7], [10]), Reading(0.7, rule))["mdad"].item() == 0


def test_interval_may_be_open() -> None:
    agreeing = np.array([[[10.0], [10.0], [10.0], [10.0], [0.0]]])
    counts = replace(curve_counts([1.0]), pairs=np.full((1, 5, 1), 10), agreeing=agreeing)
    row = mdad(counts).iloc[0]
    assert (row["mdad"], row["low"]) == (0.0, 0.0) and np.isnan(row["high"])


def test_interval_resamples_trials() -> None:
    # In each trial all pairs agree or none do: pairs resampled one by one would hide that.
    pairs = np.full((1, 10, 2), 20)
    agreeing = np.zeros((1, 10, 2))
    agreeing[0, :9, 0] = 20
    agreeing[0, :, 1] = 20
    counts = Agreement(
        cells=curve_counts([1.0]).cells,
        gaps=np.array([0.0, 0.5]),
        pairs=pairs,
        agreeing=agreeing,
        tied_pairs=0,
        dataset="test",
        half="train",
    )
    row = mdad(counts).iloc[0]
    # 9 of 10 trials agree in the first bin; a resample has fewer than 8 with probability 7 %.
    assert (row["mdad"], row["low"], row["high"]) == (0.0, 0.0, 0.5)


def test_tau_of_equal_estimates_is_undefined_not_zero() -> None:
    trials = make_trials(
        [([5, 4, 2], [1, 2, 3], [0.5, 0.5, 0.5]), ([5, 4, 2], [1, 2, 3], [0.9, 0.5, 0.1])], 6, 6
    )
    row = kendall_tau(trials).iloc[0]
    assert (row["tau"], row["n_undefined"]) == (1.0, 1)


def test_pair_gaps() -> None:
    assert pair_gaps(np.array([0.5, 0.25, 0.75])).tolist() == [25.0, 25.0, 50.0]


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("binning", "ceil", "centred, floor"),
        ("ties", "coin", "wrong, half"),
        ("full_ties", "coin", "excluded, order"),
        ("rule", "last", "first, sustained, isotonic, interpolated"),
        ("threshold", 0.5, "above 0.5"),
        ("min_pairs", 0, "at least 1"),
        ("width", 0, "above 0"),
        ("level", 1, "between 0 and 1"),
    ],
)
def test_what_a_reading_may_not_be(name: str, value: object, allowed: str) -> None:
    with pytest.raises(InputError, match=f"{name} '?{value}.*allowed: {allowed}"):
        Reading(**{name: value})  # type: ignore[arg-type]


def test_an_unknown_half_is_refused() -> None:
    trials = make_trials([([1, 2], [1, 2], [0.1, 0.2])], 10, 10)
    with pytest.raises(InputError, match="half 'test' is unknown; allowed: train, heldout"):
        agreement(trials, "test")
