"""Tests of the charts, tables and words on what the study costs, and of the figures kept of it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mbnb.data.errors import InputError
from mbnb.data.figures import measured
from mbnb.methods.selectors import SELECTORS
from mbnb.publish.charts.costs import (
    bounds_table,
    compare_steps,
    draw_growth,
    draw_large,
    duration,
    growth_table,
    machine_label,
    planning_table,
    reported_trial,
    show_steps,
)
from mbnb.study.costs.timing import expected_seconds

FOLDER = Path(__file__).parents[1] / "data" / "measured"
PARTS = {"steps", "growth", "workers", "large", "planning"}


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0123, "0.012 s"),
        (9.4, "9.4 s"),
        (9.96, "10 s"),
        (59, "59 s"),
        (60, "1 min"),
        (90, "1.5 min"),
        (3_599, "1 h"),
        (9_000, "2.5 h"),
        (360_000, "100 h"),
    ],
)
def test_a_time_reads_as_people_say_it(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def told() -> pd.DataFrame:
    return pd.DataFrame(
        [
            ("selection", "uniform", np.nan, 0.5),
            ("selection", "diversity", 10, 1.0),
            ("selection", "diversity", 1_000, 100.0),
            ("fit", "tinybenchmarks", np.nan, 20.0),
            ("agreement", np.nan, np.nan, 3.0),
        ],
        columns=["step", "selector", "size", "seconds"],
    )


def timed() -> pd.DataFrame:
    rows = [("fit", name, np.nan, 0.4) for name in ("uniform", "diversity", "tinybenchmarks")]
    rows += [("selection", "uniform", size, 0.1) for size in (10, 100)]
    rows += [("selection", "diversity", size, size / 100) for size in (10, 100)]
    return pd.DataFrame(rows, columns=["step", "selector", "size", "seconds"])


def test_a_reported_trial_is_the_sum_of_its_steps() -> None:
    # Uniform 0.5 twice; diversity 1 at 10 and, half way between 10 and 1,000 in logarithms, 10 at
    # 100; the fit 20; judging is no part of a trial.
    assert reported_trial(told(), [10, 100]) == pytest.approx(2 * 0.5 + 1 + 10 + 20)


def test_a_fit_is_shared_out_among_the_sizes() -> None:
    table = compare_steps(told(), {"here": (timed(), 0.6)})
    assert list(table["reported, released code"]) == [0.5, 1, 100, 20, 3]
    # 0.4 for two sizes; the mean where every size is meant; nothing at a size that was not timed.
    expected = [0.1 + 0.2, 0.1 + 0.2, np.nan, 0.4, 0.3]
    assert list(table["here"]) == pytest.approx(expected, nan_ok=True)
    shown = show_steps(table, "here", "").data
    assert list(shown["reported ÷ measured"]) == ["1.7", "3.3", "–", "50", "10"]


def test_a_factor_that_no_clock_can_tell_is_not_told() -> None:
    table = compare_steps(told(), {"here": (timed().assign(seconds=1e-5), 1e-5)})
    shown = show_steps(table, "here", "").data
    assert shown.loc["Uniform random, each size", "reported ÷ measured"] == "> 100"


def growing() -> pd.DataFrame:
    rows = [("items", n, name, n / 100) for n in (100, 200, 400) for name in SELECTORS]
    rows += [("sources", n, name, 2.0) for n in (10, 20) for name in SELECTORS]
    rows += [("trials", n, "Agreement and MDAD", n**2) for n in (2, 4)]
    return pd.DataFrame(rows, columns=["grows", "value", "selector", "seconds"])


def test_growth_is_the_factor_of_the_last_doubling() -> None:
    table = growth_table(growing()).data
    assert list(table.loc["Anchor Points"]) == ["× 2.0", "× 1.0", "–"]
    assert list(table.loc["Agreement and MDAD"]) == ["–", "–", "× 4.0"]


def test_the_charts_hold_a_curve_for_each_selector() -> None:
    left, right = draw_growth(growing()).axes
    assert len(left.lines) == len(right.lines) == len(SELECTORS)
    assert list(left.lines[0].get_ydata()) == [1, 2, 4]
    large = pd.DataFrame(
        [(name, n, 2.0, 1.0, 100.0, 100.0 + n) for name in SELECTORS for n in (1_000, 2_000)],
        columns=[
            "selector",
            "n_items",
            "fit_seconds",
            "selection_seconds",
            "matrix_mb",
            "peak_mb",
        ],
    )
    left, right = draw_large(large).axes
    assert list(left.lines[0].get_ydata()) == [3, 3]
    assert list(right.lines[0].get_ydata()) == [1_000, 2_000], "what the answers take is no part"


def test_the_plan_leaves_out_sizes_that_half_the_items_do_not_allow() -> None:
    table = planning_table([100, 4_000], [10, 80], n_source=50, n_trials=7, yardstick=0.05).data
    shape = {"n_source": 50, "yardstick": 0.05}
    small = sum(expected_seconds(name, n_items=50, sizes=[10], **shape) for name in SELECTORS)
    assert table.loc["100", "7 trials of all six"] == duration(7 * small)
    large = expected_seconds("diversity", n_items=2_000, sizes=[10, 80], **shape)
    assert table.loc["4,000", "Diversity"] == duration(large)


def test_an_unknown_table_is_refused_with_those_there_are() -> None:
    with pytest.raises(InputError, match="no measured table 'nothing'; known: .*costs-runs"):
        measured("nothing")


def test_every_kept_figure_is_explained_and_every_explained_one_is_kept() -> None:
    explained = re.findall(r"^\| `([a-z*-]+\.csv)` \|", (FOLDER / "README.md").read_text(), re.M)
    kept = {path.name for path in FOLDER.glob("*.csv")}
    found = [{path.name for path in FOLDER.glob(pattern)} for pattern in explained]
    assert all(found), "each line tells of a file that is there"
    assert set().union(*found) == kept


def test_every_part_says_on_which_machine_it_was_measured() -> None:
    runs = measured("costs-runs")
    assert set(runs["part"]) == PARTS, "each part once, and no other"
    assert not runs.isna().any(axis=None)
    for part in PARTS:
        assert str(runs.set_index("part").loc[part, "processor"]) in machine_label(part)


def test_kept_figures_cover_every_selector() -> None:
    for name in ("steps", "growth", "large", "planning", "bounds"):
        assert set(SELECTORS) <= set(measured(f"costs-{name}")["selector"]), name
    bounds = measured("costs-bounds")
    assert (bounds["ratio"] > 1).all(), "nothing beats its lower bound"
    assert len(bounds_table(bounds).data) == len(bounds)
