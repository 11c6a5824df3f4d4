"""Reported figures beside measured ones: what is compared, said and drawn, worked by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from conftest import make_matrix

from mbnb.book.opening import Study
from mbnb.data.figures import reported
from mbnb.publish.charts.reported import (
    beside_reported,
    draw_reported,
    groups_table,
    reported_table,
    say_differences,
)

NAN = float("nan")


def told() -> pd.DataFrame:
    rows = [("uniform", 10, 10.0), ("uniform", 50, 4.0), ("diversity", 10, 8.0)]
    return pd.DataFrame(rows, columns=["selector", "size", "mdad"])


def measured() -> pd.DataFrame:
    rows = [
        ("uniform", 10, 18.0, 16.0, 20.0),
        ("uniform", 50, 4.5, 4.0, 5.0),
        ("diversity", 10, 9.0, 8.25, NAN),
        ("diversity", 50, 3.0, 2.0, 4.0),
    ]
    return pd.DataFrame(rows, columns=["selector", "size", "mdad", "low", "high"])


def test_differences_are_measured_less_reported_of_what_is_reported() -> None:
    table = beside_reported(told(), measured())
    assert list(zip(table["selector"], table["size"], strict=True)) == [
        ("uniform", 10),
        ("uniform", 50),
        ("diversity", 10),
    ]
    assert table["difference"].tolist() == [8, 0.5, 1]


def test_a_reported_value_is_inside_to_half_a_bin_and_below_an_open_end() -> None:
    table = beside_reported(told(), measured())
    assert table["inside"].tolist() == [False, True, True], "8 is 0.25 below 8.25, open above"
    lower = told().assign(mdad=[10.0, 3.5, 7.9])
    assert not beside_reported(lower, measured())["inside"].any()


def test_what_was_not_measured_is_left_open() -> None:
    table = beside_reported(told(), measured().query("selector == 'uniform'"))
    last = table.iloc[-1]
    assert np.isnan(last["difference"]) and not last["inside"]
    shown = reported_table(table, "A caption.")
    assert shown.data.loc[("Diversity", "measured"), "10"] == "–"
    assert shown.data.loc[("Diversity", "difference"), "10"] == "–"
    assert shown.caption == "A caption."


def test_the_table_has_three_rows_a_selector_and_a_column_for_each_size() -> None:
    frame = reported_table(beside_reported(told(), measured()), "").data
    assert frame.columns.tolist() == ["10", "50"]
    assert frame["10"].tolist() == [
        *("10", '18<br><span class="mbnb-interval">[16–20]</span>', "+8"),
        *("8", '9<br><span class="mbnb-interval">[8.25–…]</span>', "+1"),
    ]
    assert frame["50"].tolist() == [
        "4",
        '4.5<br><span class="mbnb-interval">[4–5]</span>',
        "+0.5",
        "–",
        "–",
        "–",
    ]


def test_the_sentence_counts_what_lies_inside_and_names_the_widest_difference() -> None:
    text = say_differences(beside_reported(told(), measured()), "made-up models")
    assert text == (
        "Measured on made-up models, 2 of 3 reported values lie within the interval; the measured "
        "MDAD is on average 4.5 points higher at 10 items and 0.5 higher at 50. The widest "
        "difference is +8 points, Uniform random at 10 items."
    )


def test_without_a_measured_value_there_is_nothing_to_say() -> None:
    table = beside_reported(told(), measured().iloc[:0])
    assert say_differences(table, "nothing") == "On nothing there is nothing to compare."


def test_a_panel_for_each_selector_shows_reported_and_measured_and_uniform_its_floor() -> None:
    table = beside_reported(told(), measured())
    floor = pd.Series({10: 14.9, 50: 3.2})
    figure = draw_reported({"first": table, "second": table}, floor)
    panels = {axes.get_title(): axes for axes in figure.axes if axes.get_visible()}
    assert list(panels) == ["Uniform random", "Diversity"]
    lines = {line.get_label(): line for line in panels["Uniform random"].lines}
    assert list(lines) == ["reported", "first", "second", "floor"]
    assert lines["reported"].get_ydata().tolist() == [10, 4]
    assert lines["first"].get_ydata().tolist() == [18, 4.5]
    assert lines["floor"].get_ydata().tolist() == [14.9, 3.2]
    assert "floor" not in [line.get_label() for line in panels["Diversity"].lines]


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Study:
    """Seven models of 7B and two of 70B among thirty."""
    monkeypatch.setenv("MBNB_CACHE", str(tmp_path))
    rng = np.random.default_rng(0)
    scores = (rng.random((30, 200)) < np.linspace(0.2, 0.9, 30)[:, None]).astype(np.uint8)
    matrix = make_matrix(scores, name="grouped")
    groups = ["7b"] * 7 + ["70b"] * 2 + [""] * 21
    matrix.models.insert(0, "group", groups)
    return Study(matrix, [10, 50], 10, 10, (), {"n_trials": 5, "seed": 0})


def test_groups_of_five_models_or_more_are_measured(study: Study) -> None:
    rows = study.group_mdads()
    assert rows["group"].unique().tolist() == ["7b"], "two models are too few"
    assert rows["size"].tolist() == [10, 50] and (rows["n_target"] == 7).all()
    members = study.matrix.accuracies()[:7]
    gaps = [100 * abs(a - b) for i, a in enumerate(members) for b in members[:i]]
    for _, row in rows.iterrows():
        reach = 100 if np.isnan(row["mdad"]) else row["mdad"] + 1e-9
        assert row["within"] == pytest.approx(np.mean([gap <= reach for gap in gaps]))


def test_data_without_groups_have_no_rows(study: Study) -> None:
    study.matrix.models["group"] = ""
    assert study.group_mdads().empty


def test_the_table_of_groups_sets_the_best_selector_beside_uniform_and_the_reported() -> None:
    columns = ["dataset", "group", "n_target", "selector", "size", "mdad", "within"]
    rows = [
        ("board", "8b-instruct", 25, "uniform", 10, 14.0, 0.99),
        ("board", "8b-instruct", 25, "diversity", 10, 9.0, 0.9),
        ("board", "70b", 11, "uniform", 10, NAN, 1.0),
    ]
    frame = groups_table(pd.DataFrame(rows, columns=columns), reported("case-study-8b")).data
    first = frame["10"].to_dict()
    assert first == {
        (
            "8b-instruct",
            "reported, MMLU-Pro",
            "every selector",
        ): "at least 5; 51\N{NO-BREAK SPACE}%",
        ("8b-instruct", "board, 25 models", "best selector"): "9; 90\N{NO-BREAK SPACE}%",
        ("8b-instruct", "board, 25 models", "Uniform random"): "14; 99\N{NO-BREAK SPACE}%",
        ("70b", "board, 11 models", "Uniform random"): "not reached; 100\N{NO-BREAK SPACE}%",
    }
    assert (frame["1,000"].iloc[1:] == "–").all()
