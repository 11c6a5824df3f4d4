"""Tables and charts of what decides an MDAD."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import mbnb
from mbnb.judge.agreement import Agreement


def made_counts(n_trials: int = 20) -> Agreement:
    """Two sizes, agreement rising from ½ to 1 over ten points, the larger size faster."""
    rng = np.random.default_rng(2)
    gaps = np.arange(30) / 2
    pairs = rng.poisson(6, size=(1, n_trials, gaps.size)).repeat(2, axis=0)
    chance = np.stack([np.clip(0.5 + gaps / 20, 0, 1), np.clip(0.5 + gaps / 10, 0, 1)])
    return Agreement(
        cells=pd.DataFrame(
            {"selector": "uniform", "estimator": "w", "size": [10, 50], "n_source": 1}
        ),
        gaps=gaps,
        pairs=pairs,
        agreeing=rng.binomial(pairs, chance[:, None, :]).astype(float),
        tied_pairs=0,
        dataset="made",
        half="train",
    )


def test_each_rule_has_a_column() -> None:
    counts = made_counts()
    table = mbnb.read_by_rules(counts, 0.7, {"first": 20})
    for rule, least in (("first", 20), ("interpolated", 1)):
        expected = mbnb.mdad(counts, threshold=0.7, rule=rule, min_pairs=least)["mdad"]
        assert table[rule].equals(expected.rename(rule))


def test_the_chart_to_touch_is_small_and_reads_as_mdad_does() -> None:
    counts = made_counts()
    chart = mbnb.explore_rules(counts, 4, threshold=0.8, size=50).to_dict()
    assert len(json.dumps(chart)) < 300_000
    assert {p["name"] for p in chart["params"]} == {"place", "size", "limit", "trials"}
    rows = [row for data in chart["datasets"].values() for row in data if "sustained" in row]
    told = {(row["set"], row["size"], row["threshold"]): row for row in rows}
    for rule in ("first", "isotonic", "interpolated"):
        expected = mbnb.mdad(counts, threshold=0.75, rule=rule)["mdad"].tolist()
        assert [told["all 20", size, 0.75][rule] for size in (10, 50)] == expected


def test_doubling_is_read_from_all_cells_at_once() -> None:
    rows = [
        (dataset, size, 0, n_trials, n_target, sets, 8.0, level * n_trials**-0.5 * n_target**-0.25)
        for dataset, size, level in (("a", 10, 3.0), ("a", 25, 1.0), ("b", 10, 0.2))
        for n_trials, sets in ((5, 100), (20, 25), (80, 6))
        for n_target in (10, 40)
    ]
    first = ["dataset", "size", "pairs_a_trial", "n_trials", "n_target"]
    names = [*first, "sets", "reference", "spread"]
    table = pd.DataFrame(rows, columns=names)
    trials, targets = mbnb.doubling(table)
    assert trials == pytest.approx(2**-0.5) and targets == pytest.approx(2**-0.25)


def test_a_choice_is_compared_with_the_usual_setting_of_its_rule() -> None:
    usual = {"ties": "wrong", "threshold": 0.8, "width": 0.5, "binning": "centred"}
    table = pd.DataFrame(
        [
            {"dataset": "a", "rule": "first", "min_pairs": 50, **usual, "u-10": 9, "u-500": np.nan},
            {"dataset": "a", "rule": "first", "min_pairs": 1, **usual, "u-10": 7, "u-500": np.nan},
            {"dataset": "b", "rule": "first", "min_pairs": 50, **usual, "u-10": 8, "u-500": 1},
            {"dataset": "b", "rule": "first", "min_pairs": 1, **usual, "u-10": 8, "u-500": np.nan},
        ]
    )
    moved = mbnb.moved_by(table, "first", min_pairs=1).set_index(["dataset", "cell"])
    assert len(moved) == 3, "a size that a matrix does not allow is no cell"
    assert moved.loc[("a", "u-10")].tolist() == [9, 7]
    assert moved.loc[("b", "u-500"), "before"] == 1 and np.isnan(moved.loc[("b", "u-500"), "after"])


def test_widths_of_intervals_are_compared_cell_by_cell() -> None:
    rows = [
        ("a", 15, by, "uniform", size, 1.0, 0.0, high * scale)
        for by, scale in (("trials", 1.0), ("models", 1.5), ("both", 2.0))
        for size, high in ((10, 4.0), (25, 1.0), (50, np.nan))
    ]
    names = ["dataset", "n_target", "by", "selector", "size", "mdad", "low", "high"]
    [row] = mbnb.interval_widths(pd.DataFrame(rows, columns=names)).to_dict("records")
    assert (row["trials"], row["models"], row["both"]) == (2.5, 1.5, 2.0)


def test_the_kept_figures_can_be_drawn_and_told() -> None:
    errors = mbnb.rule_errors(mbnb.measured("definitions-precision"))
    at = errors.set_index(["rule", "n_trials"])
    assert at.loc[("first", 5), "bias"] < 0 < at.loc[("sustained", 5), "bias"]
    assert abs(at.loc[("interpolated", 5), "bias"]) < 5
    for figure, n_axes in (
        (mbnb.draw_rule_errors(errors), 2),
        (mbnb.draw_trials_needed(mbnb.measured("definitions-targets")), 1),
        (mbnb.draw_rules(made_counts(), "uniform", 10), 1),
    ):
        assert len(figure.axes) == n_axes
    table = mbnb.choices_table(mbnb.measured("definitions"), ["first", "interpolated"])
    assert table.data.shape == (12, 6)
    assert mbnb.coverage_table(mbnb.measured("definitions-coverage")).data.shape[0] == 6
