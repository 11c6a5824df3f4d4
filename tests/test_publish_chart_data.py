"""The data behind figures and charts: what is read back, and where it goes."""

from __future__ import annotations

import io
from pathlib import Path

import altair as alt
import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from mbnb.book.figure_files import FILES, GLUED, take_out_data
from mbnb.publish.charts.chart_data import CSV, chart_csv, figure_csv
from mbnb.publish.charts.drawn import MOST_CELLS


def told(figure: Figure) -> pd.DataFrame:
    text = figure_csv(figure)
    plt.close(figure)
    assert text is not None
    return pd.read_csv(io.StringIO(text))


def test_a_line_is_told_by_its_points_its_legend_and_its_axes() -> None:
    figure, axes = plt.subplots()
    axes.plot([1, 2], [0.5, 0.25], label="Uniform random")
    axes.set(xlabel="Size", ylabel="Agreement", title="Ten\nitems")
    assert told(figure).to_dict("list") == {
        "panel": ["Ten items"] * 2,
        "series": ["Uniform random"] * 2,
        "x": [1, 2],
        "y": [0.5, 0.25],
        "x axis": ["Size"] * 2,
        "y axis": ["Agreement"] * 2,
    }


def test_intervals_are_named_as_the_legend_names_their_colour() -> None:
    figure, axes = plt.subplots()
    axes.plot([1, 2], [3, 4], color="red", label="A")
    axes.vlines([1, 2], [2, 3], [5, 6], color="red", alpha=0.4)
    axes.plot([1, 2], [7, 8], color="blue", label="B")
    axes.legend()
    rows = told(figure)
    intervals = rows[rows["low"].notna()]
    assert list(intervals["series"]) == ["A", "A"]
    assert intervals[["x", "low", "high"]].to_numpy().tolist() == [[1, 2, 5], [2, 3, 6]]


def test_a_colour_that_two_entries_of_the_legend_share_names_nothing() -> None:
    figure, axes = plt.subplots()
    axes.plot([1], [1], color="red", label="A")
    axes.plot([2], [2], color="red", label="B")
    axes.vlines([1], [0], [2], color="red")
    axes.legend()
    assert "intervals 1" in set(told(figure)["series"])


def test_a_rule_across_the_panel_has_a_place_on_one_axis() -> None:
    figure, axes = plt.subplots()
    axes.axhline(0.8, label="threshold")
    axes.axvline(3)
    rows = told(figure)
    assert rows["y"].tolist()[0] == 0.8 and np.isnan(rows["x"].tolist()[0])
    assert rows["x"].tolist()[1] == 3 and np.isnan(rows["y"].tolist()[1])


def test_bars_and_the_words_below_them() -> None:
    figure, (upright, lying) = plt.subplots(1, 2)
    upright.bar(["p", "q"], [3, 4], label="count")
    lying.barh([0, 1], [5, 6])
    lying.set_yticks([0, 1], ["one", "two"])
    rows = told(figure)
    assert rows[rows["panel"] == 1][["x label", "y", "series"]].to_numpy().tolist() == [
        ["p", 3, "count"],
        ["q", 4, "count"],
    ]
    assert rows[rows["panel"] == 2][["x", "y label"]].to_numpy().tolist() == [
        [5, "one"],
        [6, "two"],
    ]


def test_a_stacked_histogram_tells_each_layer_by_itself() -> None:
    figure, axes = plt.subplots()
    axes.hist([[0, 0, 1], [0, 1, 1]], bins=[-0.5, 0.5, 1.5], stacked=True, label=["a", "b"])
    rows = told(figure)
    assert rows[["series", "x", "y"]].to_numpy().tolist() == [
        ["a", 0, 2],
        ["a", 1, 1],
        ["b", 0, 1],
        ["b", 1, 2],
    ]


def test_points_bands_and_cells_tell_what_they_show() -> None:
    figure, (points, band, cells) = plt.subplots(1, 3)
    points.scatter([1, 2], [3, 4], c=[0.1, 0.2], label="items")
    band.fill_between([1, 2], [0, 1], [2, 3], label="95 %")
    figure.colorbar(cells.imshow([[1, 2, 3], [4, 5, 6]]))
    rows = told(figure)
    assert set(rows["panel"]) == {1, 2, 3}, "the colour bar is no panel"
    assert rows[rows["series"] == "items"]["value"].tolist() == [0.1, 0.2]
    assert rows[rows["series"] == "95 %"][["low", "high"]].to_numpy().tolist() == [[0, 2], [1, 3]]
    assert rows[(rows["panel"] == 3) & (rows["y"] == 1)]["value"].tolist() == [4, 5, 6]


def test_a_large_picture_is_thinned_evenly_and_says_so() -> None:
    figure, axes = plt.subplots()
    axes.imshow(np.zeros((300, 700)))
    rows = told(figure)
    assert 0 < len(rows) <= MOST_CELLS
    assert rows["series"].iloc[0] == "cells 1, one row and column in 15"


def test_a_large_set_of_points_is_thinned_evenly_and_says_so() -> None:
    figure, axes = plt.subplots()
    axes.scatter(np.arange(12_001), np.zeros(12_001), label="items")
    rows = told(figure)
    assert len(rows) == MOST_CELLS
    assert rows["x"].iloc[[0, -1]].tolist() == [0, 12_000]
    assert set(rows["series"]) == {f"items, {MOST_CELLS:,} of 12,001"}


def test_marks_side_by_side_around_a_size_are_told_at_the_size() -> None:
    figure, axes = plt.subplots()
    axes.set_xscale("log")
    axes.set_xticks([10, 25, 100], ["10", "25", "100"])
    axes.plot([9.6, 24, 96], [3, 2, 1])
    axes.plot([10.4, 26], [3, 2])
    assert told(figure)["x"].tolist() == [10, 25, 100, 10, 25]
    figure, axes = plt.subplots()
    axes.set_xscale("log")
    axes.set_xticks([10, 100], ["10", "100"])
    axes.plot([9.6, 50], [3, 2])
    assert told(figure)["x"].tolist() == [9.6, 50], "a curve goes on between the ticks"


def test_a_figure_without_data_has_none() -> None:
    figure, _ = plt.subplots()
    assert figure_csv(figure) is None
    plt.close(figure)


def test_a_chart_brings_its_tables_and_flattens_what_it_flattens() -> None:
    first = alt.Chart(pd.DataFrame({"x": [1], "name": ["</script>"]})).mark_point().encode(x="x")
    assert chart_csv(first.to_dict()) == "x,name\n1,</script>\n"
    second = alt.Chart(pd.DataFrame({"z": [[1, 2]], "who": ["a"]})).mark_point()
    both = alt.vconcat(first, second, first).to_dict()
    assert chart_csv(
        both
    ) == "table,x,name,z,who\n1,1.0,</script>,,\n2,,,1.0,a\n2,,,2.0,a\n".replace(
        "1.0", "1"
    ).replace("2.0", "2"), "a table that two views share is told once"
    assert chart_csv({"mark": "point"}) is None


# Into files


def notebook(*outputs: nbformat.NotebookNode, **metadata: object) -> nbformat.NotebookNode:
    cell = nbformat.v4.new_code_cell("1", outputs=list(outputs), metadata=metadata)
    return nbformat.v4.new_notebook(cells=[cell])


def shown(text: str, kind: str = CSV, key: str | None = None) -> nbformat.NotebookNode:
    metadata = {"scrapbook": {"name": key}} if key else {}
    return nbformat.v4.new_output(
        "display_data", data={kind: text, "text/plain": "x"}, metadata=metadata
    )


def test_a_file_is_named_by_the_figure_and_taken_out_of_the_notebook(tmp_path: Path) -> None:
    made = notebook(shown("a"), shown("b"), mystnb={"figure": {"name": "fig-03-a"}})
    files = take_out_data(made, "03_uniform", tmp_path)
    assert [path.name for path in files] == ["fig-03-a.csv", "fig-03-a-2.csv"]
    assert [path.read_text() for path in files] == ["a", "b"]
    assert made.cells[0].metadata[FILES] == ["fig-03-a.csv", "fig-03-a-2.csv"]
    assert CSV not in str(made), "a download of the notebook does not hold the data twice"


def test_what_is_pasted_elsewhere_has_a_file_and_no_link_here(tmp_path: Path) -> None:
    made = notebook(shown("a", GLUED, "finding-chart"))
    assert take_out_data(made, "10_tables", tmp_path) == [tmp_path / "finding-chart.csv"]
    assert FILES not in made.cells[0].metadata


@pytest.mark.parametrize("tag", ["remove-cell", "remove-output"])
def test_what_a_page_leaves_out_is_not_linked_to(tmp_path: Path, tag: str) -> None:
    made = notebook(shown("a"), tags=[tag])
    take_out_data(made, "01_a", tmp_path)
    assert FILES not in made.cells[0].metadata
