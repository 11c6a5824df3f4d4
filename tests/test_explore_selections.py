"""Tests of the chart of chosen items: what it holds, and that it stays small."""

from __future__ import annotations

import numpy as np
import pytest

from mbnb.data.errors import InputError
from mbnb.methods.selectors import Selection
from mbnb.publish.charts.explore import MAX_ROWS, explore_selections

LABELS = ("First axis", "Second axis")


def spread(n_items: int, *sizes: int) -> tuple[np.ndarray, dict[int, Selection]]:
    points = np.random.default_rng(0).normal(size=(n_items, 2))
    return points, {size: Selection.of(np.arange(size)) for size in sizes}


def rows_of(chart: object) -> list[int]:
    return [len(rows) for rows in chart.to_dict()["datasets"].values()]  # type: ignore[attr-defined]


def test_every_size_is_there_and_the_crowd_is_thinned() -> None:
    chart = explore_selections(
        *spread(3000, 10, 100), selector="anchor-points", axis_labels=LABELS, n_items=500
    )
    assert sorted(rows_of(chart)) == [110, 500]
    assert "Anchor Points chooses at the size you pick (10, 100)" in chart.description


def test_sizes_too_large_for_a_page_are_left_out() -> None:
    chart = explore_selections(
        *spread(6000, 10, 5000), selector="diversity", axis_labels=LABELS, n_items=1000
    )
    assert sum(rows_of(chart)) <= MAX_ROWS
    assert "(10)" in chart.description


def test_a_chart_without_a_size_that_fits_is_refused() -> None:
    with pytest.raises(InputError, match="allowed are selections of up to 4,000 items"):
        explore_selections(
            *spread(6000, 5000), selector="diversity", axis_labels=LABELS, n_items=1000
        )
