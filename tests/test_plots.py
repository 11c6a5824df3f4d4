"""Plots show the table that they are given; tables and words are as people read them."""

from __future__ import annotations

import json

import altair as alt
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from mbnb import plots

NAN = float("nan")


@pytest.fixture(autouse=True)
def charts() -> None:
    plots.setup_charts()


@pytest.fixture
def table() -> pd.DataFrame:
    """MDADs of two selectors at two sizes; one is not reached, one open above."""
    return pd.DataFrame(
        {
            "selector": ["uniform", "uniform", "mine", "mine"],
            "size": [10, 25, 10, 25],
            "threshold": 0.8,
            "mdad": [16.0, 8.0, NAN, 6.0],
            "low": [14.0, 7.0, 18.0, 5.0],
            "high": [19.0, 9.0, NAN, 7.0],
        }
    )


@pytest.fixture
def curve() -> pd.DataFrame:
    gaps = np.arange(0.5, 25, 0.5)
    rows = [
        pd.DataFrame(
            {"selector": name, "size": size, "gap": gaps, "agreement": np.minimum(gaps / 20, 1)}
        )
        for name in ("uniform", "subtask")
        for size in (10, 25)
    ]
    return pd.concat(rows, ignore_index=True)


def lines_of(shown: plots.Shown) -> dict[str, plt.Line2D]:
    axes = shown.drawing.axes[0]
    return {str(line.get_label()): line for line in axes.get_lines()}


def test_a_figure_is_shown_once_with_its_data() -> None:
    drawing, axes = plt.subplots()
    shown = plots.figure(axes, pd.DataFrame({"x": [1 / 3]}))
    assert not plt.fignum_exists(drawing.number)
    bundle = shown._repr_mimebundle_()
    assert set(bundle) == {"image/png", "text/csv"}
    assert bundle["text/csv"] == "x\n0.33333333\n"


def test_every_selector_differs_in_marker_or_dash_and_in_colour() -> None:
    looks = plots.LOOKS.values()
    assert len({look.color for look in looks}) == len(plots.LOOKS)
    assert len({(look.marker, look.dash) for look in looks}) == len(plots.LOOKS)


def test_mdads_are_drawn_where_the_table_has_them(table: pd.DataFrame) -> None:
    floor = pd.Series([14.9, 6.2], index=[10, 25])
    shown = plots.draw_mdad(table, floor=floor)
    lines = lines_of(shown)
    np.testing.assert_array_equal(lines["Uniform random"].get_ydata(), [16, 8])
    np.testing.assert_array_equal(lines["mine"].get_ydata(), [NAN, 6])
    np.testing.assert_array_equal(lines["Floor of uniform sampling"].get_ydata(), [14.9, 6.2])
    np.testing.assert_array_equal(shown.data["floor"], [14.9, 6.2, 14.9, 6.2])
    assert shown.drawing.axes[0].get_ylim()[1] < 25, "an open interval does not stretch the axis"


def test_agreement_has_a_panel_for_each_size_and_leaves_out_wide_gaps(curve: pd.DataFrame) -> None:
    shown = plots.draw_agreement(curve)
    assert [axes.get_title() for axes in shown.drawing.axes if axes.get_visible()] == [
        "10 items",
        "25 items",
    ]
    assert shown.data["gap"].max() == plots.WIDEST_GAP


def test_the_chart_to_touch_offers_each_size_and_selector(
    curve: pd.DataFrame, table: pd.DataFrame
) -> None:
    mdads = table.assign(selector=["uniform", "uniform", "subtask", "subtask"])
    spec = plots.explore_agreement(curve, mdads).drawing.to_dict()
    binds = {one["name"]: one.get("bind", {}).get("options") for one in spec["params"]}
    assert binds["items"] == [10, 25]
    assert binds["shown"] == ["all selectors", "Uniform random", "Subtask-stratified"]
    texts = json.dumps(spec, ensure_ascii=False)
    assert "Uniform random: 16" in texts and "not reached" in texts
    assert "10, 25 items" in spec["description"]


def test_no_text_of_the_data_ends_a_charts_script() -> None:
    frame = pd.DataFrame({"x": [1], "name": ["</script><script>taken = 1</script>"]})
    chart = alt.Chart(frame).mark_point().encode(x="x", tooltip="name")
    made = plots.figure(chart, frame)._repr_mimebundle_()["text/html"]
    assert "</script><script>taken" not in made and "\\u003c/script>" in made


@pytest.mark.parametrize(
    ("told", "as_read"),
    [
        (plots.percent(0.514), "51\N{NO-BREAK SPACE}%"),
        (plots.percent(-0.004), "0\N{NO-BREAK SPACE}%"),
        (plots.percent(NAN), "–"),
        (plots.in_points(1.0), "1 point"),
        (plots.in_points(2.5), "2.5 points"),
        (plots.in_points(NAN), "not reached"),
        (plots.signed(1.5), "+1.5"),
        (plots.signed(-0.5), "−0.5"),
        (plots.signed(0.0), "0"),
    ],
)
def test_numbers_in_words(told: str, as_read: str) -> None:
    assert told == as_read


def test_a_tables_numbers_of_a_column_are_alike_and_texts_escape() -> None:
    frame = pd.DataFrame({"a": [1234.5, NAN], "b": [0.5, 0.25], "n": [12000, -1]}, index=[1000, 2])
    made = plots.show(frame, "In points.").to_html()
    for cell in ("1,234", "–", "0.50", "0.25", "12,000", "−1", "1,000", "In points."):
        assert f">{cell}<" in made, cell


def test_the_table_of_mdads_has_intervals_beneath_and_reported_values(table: pd.DataFrame) -> None:
    made = plots.mdad_table(table).to_html()
    assert '16<br><span class="mbnb-interval">[14–19]</span>' in made
    assert "not reached" in made and "threshold of 0.8" in made
    reported = pd.DataFrame({"selector": ["uniform"], "size": [10], "mdad": [17.0]})
    assert ">17<" in plots.mdad_table(table, reported).to_html()
