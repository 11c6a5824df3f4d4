"""Charts and tables of results: what they must survive, and what a page may carry."""

from __future__ import annotations

import matplotlib

matplotlib.use("Agg")

from collections.abc import Iterator
from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from conftest import make_matrix
from matplotlib.figure import Figure

from mbnb.publish.charts.plots import (
    draw_agreement,
    draw_gain,
    draw_matrix,
    draw_mdad,
    points_axis,
    size_axis,
)
from mbnb.publish.charts.rankings import draw_gap_shares, draw_ranking, ranked_labels
from mbnb.publish.charts.style import LOOKS, OTHERS, series_of, setup_charts
from mbnb.publish.charts.tables import data_label, footer, listed, mdad_table, percent, points, show

NAN = float("nan")


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    setup_charts()
    yield
    plt.close("all")


def cells(
    selectors: list[str],
    sizes: list[int],
    estimators: tuple[str, ...] = ("weighted-mean",),
    n_source: tuple[int, ...] = (300,),
) -> pd.DataFrame:
    return pd.DataFrame(
        [
            (selector, estimator, size, sources)
            for selector in selectors
            for estimator in estimators
            for sources in n_source
            for size in sizes
        ],
        columns=["selector", "estimator", "size", "n_source"],
    )


def mdads(table: pd.DataFrame, value: float = 4.0) -> pd.DataFrame:
    return table.assign(mdad=value, low=value - 0.5, high=value + 1, pairs=1000, threshold=0.8)


def curve(table: pd.DataFrame, n_gaps: int = 20) -> pd.DataFrame:
    gaps = pd.DataFrame({"gap": 0.5 * np.arange(n_gaps)})
    whole = table.merge(gaps, how="cross")
    return whole.assign(pairs=100, agreeing=70.0, agreement=0.7)


def drawn(figure: Figure) -> Figure:
    """Draw it as a page would, since much fails only then."""
    figure.canvas.draw()
    return figure


SIX = list(LOOKS)


# Static charts


@pytest.mark.parametrize("selectors", [["uniform"], SIX, ["my-selector", "uniform"]])
@pytest.mark.parametrize("sizes", [[10], [10, 25, 1000]])
def test_every_chart_takes_any_selectors_and_sizes(selectors: list[str], sizes: list[int]) -> None:
    table = cells(selectors, sizes)
    drawn(draw_mdad(mdads(table)))
    drawn(draw_gain(table.assign(gain=1.0, low=-0.5, high=2.0)))
    drawn(draw_agreement(curve(table)))


def test_an_mdad_that_is_not_reached_is_no_point() -> None:
    table = mdads(cells(["uniform", "diversity"], [10, 25]))
    table.loc[0, ["mdad", "low", "high"]] = [NAN, 12.0, NAN]
    axes = drawn(draw_mdad(table)).axes[0]
    line = next(line for line in axes.lines if line.get_label() == "Uniform random")
    assert np.isnan(line.get_ydata()[0]), "“not reached” must leave a hole"
    assert axes.get_ylim()[1] < 20, "an open interval must not stretch the axis"


@pytest.mark.parametrize("draw", [draw_mdad, draw_gain])
def test_a_chart_without_any_value_is_drawn(draw: object) -> None:
    columns = dict.fromkeys(("mdad", "gain", "low", "high"), NAN)
    drawn(draw(cells(SIX, [10, 25]).assign(**columns)))  # type: ignore[operator]


def test_an_mdad_of_zero_is_shown() -> None:
    axes = drawn(draw_mdad(mdads(cells(["uniform"], [10]), value=0.0))).axes[0]
    assert axes.get_ylim()[0] < 0, "0 lies on the axis"
    assert "0" in [tick.get_text() for tick in axes.get_yticklabels()]


def test_floor_and_expected_are_named_lines() -> None:
    sizes = [10, 25]
    floor = pd.Series([14.9, 6.2], index=sizes)
    figure = drawn(draw_mdad(mdads(cells(["uniform"], sizes)), floor=floor, expected=floor + 2))
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    assert names == [
        "Uniform random",
        "Floor of uniform sampling",
        "Expected of uniform sampling",
    ]


def test_sizes_are_the_ticks() -> None:
    axes = drawn(draw_mdad(mdads(cells(SIX, [10, 250, 1000])))).axes[0]
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["10", "250", "1,000"]


def test_estimators_and_source_counts_are_lines_of_their_own() -> None:
    table = cells(["uniform", "my-own"], [10, 25], ("weighted-mean", "ridge"))
    series = series_of(table)
    assert list(series) == [
        "Uniform random, weighted-mean",
        "Uniform random, ridge",
        "my-own, weighted-mean",
        "my-own, ridge",
    ]
    looks = [look for look, _ in series.values()]
    assert looks[0].color == looks[1].color == LOOKS["uniform"].color
    assert (looks[0].marker, looks[0].dash) != (looks[1].marker, looks[1].dash)
    assert looks[2].color == OTHERS[0].color, "a stranger has a look that no selector has"
    assert all(len(rows) == 2 for _, rows in series.values()), "one row a size"
    assert list(series_of(cells(["uniform"], [10], n_source=(50, 300)))) == [
        "Uniform random, 50 sources",
        "Uniform random, 300 sources",
    ]


def test_the_picture_of_a_graded_matrix_shows_its_scores() -> None:
    confidences = [[0.3, 0.3], [0.3, 0.3]]
    matrix = make_matrix([[0.5, 0.0], [1.0, 0.75]], confidences=confidences)
    # The better model above, the easier item left.
    shown = drawn(draw_matrix(matrix)).axes[0].images[0].get_array()
    assert shown is not None and shown.tolist() == [[1.0, 0.75], [0.5, 0.0]]


def test_equal_models_share_a_rank_and_stand_by_name() -> None:
    # 30, 20, 20, 10: ranks 1, 2, 2, 4.
    accuracies = pd.Series({"c": 20.0, "d": 10.0, "b": 20.0, "a": 30.0})
    axes = drawn(draw_ranking(accuracies, {"MDAD": 5.0, "none": NAN})).axes[0]
    names = [tick.get_text() for tick in axes.get_yticklabels()]
    assert names == ["a  1", "b  2=", "c  2=", "d  4"]
    assert [text.get_text() for text in axes.texts] == ["MDAD"], "a mark of NaN is left out"
    assert ranked_labels(pd.Series([1.0], index=["x"])) == ["x  1"]


def test_rounding_breaks_no_tie_in_a_ranking() -> None:
    # 0.1 + 0.2 exceeds 0.3 by rounding alone; the two share rank 1, in the order of their names.
    axes = drawn(draw_ranking(pd.Series({"z": 100 * (0.1 + 0.2), "a": 30.0}), {})).axes[0]
    assert [tick.get_text() for tick in axes.get_yticklabels()] == ["a  1=", "z  1="]


def test_gap_shares_join_equal_marks_and_skip_missing_ones() -> None:
    marks = {"10 items": 2.0, "25 items": 2.0, "50 items": NAN, "far": 40.0}
    axes = drawn(draw_gap_shares(np.array([1.0, 2.0, 3.0, 4.0]), marks)).axes[0]
    # Two of four gaps are at most 2, all of them at most 40.
    assert [text.get_text() for text in axes.texts] == ["10 items, 25 items: 50 %", "far: 100 %"]


# Tables and words


def test_the_table_shows_intervals_and_what_was_reported() -> None:
    table = mdads(cells(["uniform", "anchor-points"], [10, 1000]))
    table.loc[0, ["mdad", "low", "high"]] = [NAN, 12.0, NAN]
    told = pd.DataFrame({"selector": ["uniform"], "size": [10], "mdad": [10.0]})
    page = mdad_table(table, told).to_html()
    for word in ("not reached", "[12–…]", "[3.5–5]", "measured", "reported", "1,000", "–</td>"):
        assert word in page, f"the table lacks “{word}”"
    assert "nan" not in page.lower()
    assert "threshold of 0.8" in page, "an MDAD says nothing without its threshold"
    assert "reported" not in mdad_table(table).to_html()


def test_the_table_has_a_row_for_each_estimator() -> None:
    page = mdad_table(mdads(cells(["uniform"], [10], ("weighted-mean", "ridge")))).to_html()
    assert "Uniform random, weighted-mean" in page and "Uniform random, ridge" in page


def test_the_footer_tells_data_seed_versions_and_time() -> None:
    matrix = make_matrix([[1, 0], [0, 1]], name="mine")
    text = footer(matrix, seed=7).data
    assert f"mine (2 models × 2 items), content `{matrix.content_hash[:12]}`" in text
    assert "**Seed** 7" in text
    assert f"numpy {np.__version__}" in text and "mbnb " in text
    assert "**Run time** " in text


def test_words_for_numbers() -> None:
    assert [percent(0.514), percent(NAN), percent(1.0)] == ["51\xa0%", "–", "100\xa0%"]
    assert [points(x) for x in (1.5, -0.5, 0.0, NAN)] == ["+1.5", "−0.5", "0", "–"]
    assert [listed(list("abc"[:n])) for n in range(4)] == ["", "a", "a and b", "a, b and c"]


def test_the_label_says_that_models_are_simulated_whatever_the_data_are_called() -> None:
    matrix = make_matrix(np.eye(3, dtype=np.uint8))
    made_up = replace(
        matrix, models=matrix.models.set_axis([f"sim-{m}" for m in matrix.models.index])
    )
    assert "simulated" not in data_label(replace(matrix, name="mine"))
    assert "simulated models" in data_label(replace(made_up, name="mine"))
    assert "simulated models" in data_label(replace(matrix, name="simulated:gpqa"))


def test_negative_points_carry_a_minus_sign() -> None:
    _, axes = plt.subplots()
    points_axis(axes, 5, both_ways=True)
    told = [text.get_text() for text in axes.get_yticklabels()]
    assert "−5" in told and "+5" in told
    assert not any("-" in text for text in told)


def test_the_numbers_of_a_column_have_the_decimals_that_its_largest_needs() -> None:
    frame = pd.DataFrame(
        {"score": [86.0, 81.3, -5.25], "share": [0.0166, 1.65, np.nan], "count": [12032, -3, 0]},
        index=[10, 100, 1000],
    )
    html = show(frame).to_html()
    for told in ("86.0", "81.3", "−5.2", "0.02", "1.65", "–", "12,032", "−3", "1,000"):
        assert f">{told}<" in html, told


def test_numbers_too_different_for_one_precision_keep_their_own() -> None:
    html = show(pd.DataFrame({"both": [12032.0, 0.35]})).to_html()
    assert ">12,032<" in html and ">0.350<" in html


def test_a_number_stays_on_one_line_with_its_interval_and_words_may_break() -> None:
    frame = pd.DataFrame({"cell": ["19 [18–21.5]", "23 → 24", "12 repositories, of which two"]})
    classes = show(frame).to_html().count("mbnb-number")
    assert classes == 2


def test_a_table_may_name_two_rows_or_columns_alike() -> None:
    assert ">1.5<" in show(pd.DataFrame([[1.5], [2.5]], index=["a", "a"])).to_html()
    assert ">2.5<" in show(pd.DataFrame([[1.5, 2.5]], columns=["a", "a"])).to_html()


def test_of_two_sizes_that_touch_the_larger_is_labelled() -> None:
    _, axes = plt.subplots()
    size_axis(axes, [10, 100, 200, 250, 1000])
    assert [text.get_text() for text in axes.get_xticklabels()] == ["10", "100", "", "250", "1,000"]
