"""Figures of the take-home rules show what the kept figures say, worked by hand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mbnb.data.figures import measured
from mbnb.judge.pairs import uniform_floor
from mbnb.publish.charts import rules
from mbnb.publish.charts.style import LOOKS

Rows = list[tuple[object, ...]]


def leaderboards(rows: Rows) -> pd.DataFrame:
    columns = ["dataset", "selector", "size", "half", "mdad", "tau"]
    return pd.DataFrame(rows, columns=columns)


BOARDS = leaderboards(
    [
        ("a", "uniform", 10, "train", 18.0, 0.5),
        ("a", "uniform", 50, "train", 7.0, 0.7),
        ("a", "diversity", 10, "train", 14.0, 0.6),
        ("a", "diversity", 50, "train", 8.0, 0.7),
        ("a", "anchor-points", 10, "train", 8.0, 0.6),
        ("a", "uniform", 10, "heldout", 99.0, 0.1),
        ("b", "uniform", 10, "train", 16.0, 0.4),
        ("b", "diversity", 10, "train", 15.0, 0.4),
        ("simulated:c", "uniform", 10, "train", 40.0, 0.2),
    ]
)


@pytest.fixture
def keep(monkeypatch: pytest.MonkeyPatch) -> Callable[[pd.DataFrame], None]:
    """Put a table in the place of the kept one."""

    def put(table: pd.DataFrame) -> None:
        monkeypatch.setattr(rules, "measured", lambda name: table)

    return put


def dots(axes: Axes) -> list[tuple[float, float]]:
    """What is drawn with a marker, from left to right."""
    drawn = [
        point
        for line in axes.lines
        if line.get_marker() not in ("", "None")
        for point in zip(line.get_xdata(), line.get_ydata(), strict=True)
    ]
    return sorted((float(x), float(y)) for x, y in drawn)


def only(figure: Figure) -> Axes:
    [axes] = figure.axes
    return axes


def test_only_real_leaderboards_and_one_half_count(keep: Callable[..., None]) -> None:
    keep(BOARDS)
    table = rules.real_mdads()
    assert set(table["dataset"]) == {"a", "b"} and 99.0 not in table["mdad"].tolist()
    assert rules.real_mdads("heldout")["mdad"].tolist() == [99.0]


def test_the_seen_gaps_are_the_range_of_uniform_sampling_this_run_and_the_floor(
    keep: Callable[..., None],
) -> None:
    keep(BOARDS)
    own = pd.DataFrame({"size": [10, 100], "mdad": [20.0, 5.0]})
    axes = only(rules.draw_seen_gaps(own, "mine"))
    lines = {line.get_label(): line for line in axes.lines}
    assert list(lines) == ["mine", "floor"]
    assert lines["mine"].get_ydata().tolist() == [20, 5]
    assert list(lines["floor"].get_xdata()) == [10, 50, 100]
    assert lines["floor"].get_ydata().tolist() == uniform_floor([10, 50, 100]).tolist()
    [band] = axes.collections
    heights = band.get_paths()[0].vertices[:, 1]
    assert heights.max() == 18 and heights.min() == 7


def test_a_size_that_few_leaderboards_have_does_not_narrow_the_range(
    keep: Callable[..., None],
) -> None:
    extra: Rows = [
        ("c", "uniform", 10, "train", 17.0, 0.4),
        ("c", "uniform", 20, "train", 9.0, 0.5),
    ]
    keep(pd.concat([BOARDS, leaderboards(extra)]))
    own = pd.DataFrame({"size": [10, 50], "mdad": [20.0, 5.0]})
    [band] = only(rules.draw_seen_gaps(own, "mine")).collections
    assert set(band.get_paths()[0].vertices[:, 0]) == {10}


def test_the_best_gain_is_uniform_less_the_lowest_of_the_others(keep: Callable[..., None]) -> None:
    keep(BOARDS)
    drawn = dots(only(rules.draw_best_gains()))
    assert [gain for _, gain in drawn] == [10, 1, -1]
    assert [round(size) for size, _ in drawn] == [9, 11, 47], "a leaderboard's dots are shifted"


def test_no_leaderboard_is_left_out_however_many_there_are(keep: Callable[..., None]) -> None:
    rows: Rows = []
    for number in range(12):
        rows.append((f"board {number}", "uniform", 10, "train", 10.0, 0.5))
        rows.append((f"board {number}", "diversity", 10, "train", 10.0 - number, 0.5))
    keep(leaderboards(rows))
    gains = [gain for _, gain in dots(only(rules.draw_best_gains()))]
    assert sorted(gains) == list(range(12))


def test_the_small_sizes_show_a_range_and_a_median_for_each_selector(
    keep: Callable[..., None],
) -> None:
    keep(BOARDS)
    axes = only(rules.draw_small_sizes((10,)))
    medians = {row: value for value, row in dots(axes)}
    row = {name: number for number, name in enumerate(LOOKS)}
    assert medians == {row["uniform"]: 17, row["diversity"]: 14.5, row["anchor-points"]: 8}
    ranges = [tuple(bar.get_segments()[0][:, 0]) for bar in axes.collections]
    assert (16, 18) in ranges and (14, 15) in ranges


def test_tau_and_mdad_are_drawn_for_every_selector_and_size(keep: Callable[..., None]) -> None:
    keep(BOARDS)
    axes = only(rules.draw_tau_hides())
    real = BOARDS[(BOARDS["half"] == "train") & (BOARDS["dataset"] != "simulated:c")]
    assert dots(axes) == sorted(zip(real["tau"], real["mdad"], strict=True))
    assert len(axes.lines) == 3


def test_the_top_has_a_line_for_each_real_leaderboard(keep: Callable[..., None]) -> None:
    rows = [
        ("a", "train", 1, "uniform", 50, 0.6, 1.0),
        ("a", "train", 1, "uniform", 10, 0.25, 4.0),
        ("a", "train", 3, "uniform", 10, 0.9, 9.0),
        ("a", "heldout", 1, "uniform", 10, 0.1, 9.0),
        ("a", "train", 1, "diversity", 10, 0.1, 9.0),
        ("b", "train", 1, "uniform", 10, 0.5, 2.0),
        ("simulated:c", "train", 1, "uniform", 10, 0.9, 9.0),
    ]
    columns = ["dataset", "half", "k", "selector", "size", "best_kept", "regret"]
    keep(pd.DataFrame(rows, columns=columns))
    above, below = rules.draw_top_kept().axes
    assert [line.get_ydata().tolist() for line in above.lines] == [[25, 60], [50]]
    assert [line.get_ydata().tolist() for line in below.lines] == [[4, 1], [2]]


def test_pairs_within_are_those_of_one_group_for_uniform_and_the_best(
    keep: Callable[..., None],
) -> None:
    rows = [
        ("a", "8b-instruct", "uniform", 10, "train", 0.9),
        ("a", "8b-instruct", "diversity", 10, "train", 0.5),
        ("a", "8b-instruct", "uniform", 10, "heldout", 0.1),
        ("a", "70b", "uniform", 10, "train", 0.2),
        ("simulated:c", "8b-instruct", "uniform", 10, "train", 1.0),
    ]
    columns = ["dataset", "group", "selector", "size", "half", "within"]
    keep(pd.DataFrame(rows, columns=columns))
    axes = only(rules.draw_within())
    drawn = {line.get_label(): list(line.get_ydata()) for line in axes.lines}
    assert drawn == {
        "uniform, real models": [90],
        "best selector, real models": [50],
        "uniform, simulated models": [100],
        "best selector, simulated models": [100],
    }


def test_sources_are_averaged_over_leaderboards_that_have_every_number(
    keep: Callable[..., None],
) -> None:
    rows = [
        ("a", "diversity", 25, "train", False, 10, 12.0),
        ("a", "diversity", 25, "train", False, 300, 8.0),
        ("a", "diversity", 25, "train", True, 10, 99.0),
        ("b", "diversity", 25, "train", False, 10, 14.0),
        ("b", "diversity", 25, "train", False, 300, 9.0),
        ("few", "diversity", 25, "train", False, 10, 99.0),
        ("a", "diversity", 50, "train", False, 10, 99.0),
    ]
    columns = ["dataset", "selector", "size", "half", "families", "n_source", "mdad"]
    keep(pd.DataFrame(rows, columns=columns))
    [line] = only(rules.draw_sources_needed(25)).lines
    assert list(line.get_xdata()) == [10, 300] and list(line.get_ydata()) == [13, 8.5]


def test_every_figure_can_be_drawn_of_what_is_kept() -> None:
    own = pd.DataFrame({"size": [10, 50], "mdad": [np.nan, 7.0]})
    assert only(rules.draw_seen_gaps(own, "not reached at 10 items"))
    n_real = rules.real_mdads()["dataset"].nunique()
    above, _ = rules.draw_top_kept().axes
    assert len(above.lines) == n_real
    assert set(measured("group")["group"]) >= {"8b-instruct", "70b"}
    for draw in (rules.draw_small_sizes, rules.draw_tau_hides, rules.draw_sources_needed):
        assert only(draw()).lines
