"""Tests of the tables and sentences that set a selector beside uniform sampling."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from mbnb.data.responses import ResponseMatrix
from mbnb.publish.charts.comparison import (
    compare_error,
    compare_mdad,
    comparison_table,
    cost_table,
    draw_comparison,
)

SIZES = [10, 25, 50]


def gains(rows: list[tuple[float, float, float]]) -> pd.DataFrame:
    table = pd.DataFrame(rows, columns=["gain", "low", "high"])
    return table.assign(selector="diversity", size=SIZES[: len(rows)])


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (
            [(4, 2, 5), (-1, -2, -0.5), (0.5, 0, 1)],
            "The measured MDAD of diversity is below that of uniform sampling at 10 (by 4), above "
            "it at 25 (by 1) and not to be told from it at 50 items.",
        ),
        (
            [(np.nan, 3, np.nan), (np.nan, np.nan, -1)],
            "The measured MDAD of diversity is below that of uniform sampling at 10 and above it "
            "at 25 items.",
        ),
        (
            [(4, np.nan, np.nan)],
            "The measured MDAD of diversity is not to be told from that of uniform sampling at 10 "
            "items.",
        ),
    ],
    ids=["all three verdicts", "open intervals", "no interval"],
)
def test_a_gain_counts_only_where_its_interval_excludes_zero(
    rows: list[tuple[float, float, float]], sentence: str
) -> None:
    assert compare_mdad(gains(rows), "diversity") == sentence


def errors() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "selector": ["uniform"] * 3 + ["diversity"] * 3,
            "size": SIZES * 2,
            "error": [12.0, 8.0, 5.0, 9.0, 8.1, 6.0],
        }
    )


def test_what_holds_at_every_size_is_said_without_a_list() -> None:
    low = errors().assign(error=[12.0, 8.0, 5.0, 6.0, 4.0, 2.0])
    assert compare_error(low, "diversity").endswith("has 12.0 and 5.0: lower at every size.")


def test_errors_within_a_twentieth_are_called_alike() -> None:
    assert compare_error(errors(), "diversity") == (
        "The mean estimation error of diversity is 9.0 points at 10 items and 6.0 at 50, where "
        "uniform sampling has 12.0 and 5.0: lower at 10, higher at 50 and within "
        "5\N{NO-BREAK SPACE}% of it at 25 items."
    )


def mdads() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "selector": ["uniform"] * 3 + ["diversity"] * 3,
            "size": SIZES * 2,
            "mdad": [np.nan, 8, 5, 9, 7, 5],
            "low": [12, 7, 4, 8, 6, np.nan],
            "high": [np.nan, 9, 6, 10, 8, np.nan],
            "threshold": 0.8,
        }
    )


def test_the_table_shows_what_was_not_reached_and_what_was_not_reported() -> None:
    reported = pd.DataFrame({"selector": ["uniform"], "size": [10], "mdad": [16]})
    html = comparison_table(mdads(), errors(), reported, "BBH").to_html()
    for text in (
        "not reached",
        "MDAD, reported for BBH",
        "–",
        '8<br><span class="mbnb-interval">[7–9]</span>',
        "12.0",
        "MDAD at a threshold of 0.8",
    ):
        assert text in html, f"'{text}' is missing from the table"


def test_the_figure_stands_values_that_were_not_reached() -> None:
    figure = draw_comparison(mdads(), errors())
    assert [axes.get_ylabel() for axes in figure.axes] == [
        "MDAD (points)",
        "Mean estimation error (points)",
    ]


def test_costs_stand_beside_the_reported_ones_by_size() -> None:
    costs = pd.DataFrame(
        {
            "step": ["fit", "selection", "selection"],
            "selector": "diversity",
            "size": [np.nan, 10, 25],
            "seconds": [1.234, 0.001, 20.4],
        }
    )
    reported = pd.DataFrame(
        {"step": ["selection"], "selector": ["diversity"], "size": [10], "seconds": [0.6]}
    )
    train = ResponseMatrix(
        scores=np.zeros((2, 3), dtype=np.uint8),
        models=pd.DataFrame(index=pd.Index(["a", "b"], name="model_id")),
        items=pd.DataFrame({"subtask": "s"}, index=pd.Index(["x", "y", "z"], name="item_id")),
    )
    frame = cost_table(costs, reported, train).data
    assert frame["measured in this run"].to_list() == ["1.2", "< 0.01", "20"]
    assert frame["reported, released code"].to_list() == ["–", "0.6", "–"]
