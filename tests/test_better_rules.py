"""The rules past the study show what the kept figures say, worked by hand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from mbnb.data.errors import InputError
from mbnb.publish.charts import better_rules

PLAIN, LEARNT, CHOSEN = better_rules.WAYS.values()


def row(
    dataset: str, n_source: int, way: tuple[str, str], size: int, mdad: float, half: str = "train"
) -> tuple[object, ...]:
    return dataset, n_source, *way, size, half, mdad


ROWS = [
    row("a", 300, PLAIN, 10, 18.0),
    row("a", 300, LEARNT, 10, 12.0),
    row("a", 300, CHOSEN, 10, 5.0),
    row("a", 300, CHOSEN, 10, 7.0, "heldout"),
    row("a", 300, ("close-pairs", "ridge"), 10, 1.0),
    row("a", 300, PLAIN, 50, 7.0),
    row("a", 300, LEARNT, 50, 4.0),
    row("a", 300, CHOSEN, 50, 2.5),
    row("b", 83, PLAIN, 10, 16.0),
    row("b", 83, LEARNT, 10, 13.0),
    row("b", 83, CHOSEN, 10, 13.5),
    row("c", 31, PLAIN, 10, 16.0),
    row("c", 31, LEARNT, 10, np.nan),
    row("c", 31, CHOSEN, 10, 12.0),
    row("simulated:d", 300, PLAIN, 10, 40.0),
    row("simulated:d", 300, LEARNT, 10, 30.0),
    row("simulated:d", 300, CHOSEN, 10, 20.0),
]
COLUMNS = ["dataset", "n_source", "selector", "estimator", "size", "half", "mdad"]
BETTER = pd.DataFrame(ROWS, columns=COLUMNS)


@pytest.fixture
def keep(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Put tables in the place of those that are kept, by name."""

    def put(**tables: pd.DataFrame) -> None:
        def measured(name: str) -> pd.DataFrame:
            if name.replace("-", "_") not in tables:
                raise InputError(f"no measured table '{name}'")
            return tables[name.replace("-", "_")]

        monkeypatch.setattr(better_rules, "measured", measured)

    return put


def lines(figure: Figure) -> dict[str, tuple[list[float], list[float]]]:
    [axes] = figure.axes
    return {
        str(line.get_label()): (list(line.get_xdata()), list(line.get_ydata()))
        for line in axes.lines
    }


def test_only_real_leaderboards_on_which_all_ways_are_reached_are_set_side_by_side(
    keep: Callable[..., None],
) -> None:
    keep(better_estimators=BETTER)
    table = better_rules.better_mdads()
    assert table.loc["a", 300, 10].tolist() == [18, 12, 5]
    assert sorted(table.index) == [("a", 300, 10), ("a", 300, 50), ("b", 83, 10)]
    assert better_rules.better_mdads("heldout").empty


def test_the_lines_are_medians_and_the_bars_reach_from_end_to_end(
    keep: Callable[..., None],
) -> None:
    keep(better_estimators=BETTER)
    figure = better_rules.draw_past_uniform()
    drawn = lines(figure)
    assert [y for _, y in drawn.values()] == [[17, 7], [12.5, 4], [9.25, 2.5]]
    bars = figure.axes[0].collections[2].get_segments()
    assert bars[0][:, 1].tolist() == [5, 13.5]


def test_the_table_has_sizes_that_every_leaderboard_has(keep: Callable[..., None]) -> None:
    keep(better_estimators=BETTER)
    shown = better_rules.past_uniform_table().data
    assert list(shown.columns) == ["10"], "b has no figure at 50"
    assert shown["10"].tolist() == ["17", "12.5", "9.25"]


def test_a_gain_of_the_choice_is_over_the_same_estimator(keep: Callable[..., None]) -> None:
    keep(better_estimators=BETTER)
    gains = better_rules.choice_gains(10).set_index("dataset")["gain"]
    assert gains.to_dict() == {"a": 7.0, "b": -0.5}
    few = BETTER.assign(n_source=10, mdad=BETTER["mdad"] / 2)
    keep(better_estimators=BETTER, better_sources=pd.concat([BETTER, few]))
    gains = better_rules.choice_gains(10)
    assert sorted(zip(gains["dataset"], gains["n_source"], gains["gain"], strict=True)) == [
        ("a", 10, 3.5),
        ("a", 300, 7.0),
        ("b", 10, -0.25),
        ("b", 83, -0.5),
    ]
    dots = [line for line in better_rules.draw_choice_gains(10).axes[0].lines][1:]
    assert list(dots[0].get_xdata()) == [10, 300] and list(dots[0].get_ydata()) == [3.5, 7]


def test_plans_are_set_against_trials_on_real_leaderboards_alone(keep: Callable[..., None]) -> None:
    table = pd.DataFrame(
        [
            ("a", "train", 10, 18.5, 19.5),
            ("a", "train", 25, np.nan, 10.0),
            ("a", "heldout", 10, 17.0, 18.0),
            ("simulated:d", "train", 10, 20.0, 20.0),
        ],
        columns=["dataset", "half", "size", "measured", "exact"],
    )
    keep(planning_uniform=table)
    assert better_rules.plans_and_trials()["measured"].tolist() == [18.5]
    [line] = better_rules.draw_planned().axes[0].lines[1:]
    assert (list(line.get_xdata()), list(line.get_ydata())) == ([19.5], [18.5])


def test_a_plan_of_the_kept_figures_is_near_what_was_measured() -> None:
    table = better_rules.plans_and_trials()
    misses = (table["exact"] - table["measured"]).abs()
    assert misses.median() <= 0.5
    assert better_rules.draw_planned().axes
