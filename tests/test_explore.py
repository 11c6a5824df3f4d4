"""Charts to touch: what they hold and say at first, and that a page can carry them."""

from __future__ import annotations

import matplotlib

matplotlib.use("Agg")

import json
from typing import Any

import altair as alt
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from mbnb.data.errors import InputError
from mbnb.publish.charts.draw_pairs import draw_pairs
from mbnb.publish.charts.explore import MAX_ROWS, explore_agreement
from mbnb.publish.charts.explore_pairs import explore_pairs
from mbnb.publish.charts.style import LOOKS

NAN = float("nan")
SIX = list(LOOKS)
SEVEN = [10, 25, 50, 100, 250, 500, 1000]


def cells(selectors: list[str], sizes: list[int]) -> pd.DataFrame:
    rows = [(name, "weighted-mean", size, 300) for name in selectors for size in sizes]
    return pd.DataFrame(rows, columns=["selector", "estimator", "size", "n_source"])


def curve(table: pd.DataFrame, n_gaps: int = 20) -> pd.DataFrame:
    gaps = pd.DataFrame({"gap": 0.5 * np.arange(n_gaps)})
    return table.merge(gaps, how="cross").assign(pairs=100, agreement=0.7)


def mdads(table: pd.DataFrame, value: float = 4.0) -> pd.DataFrame:
    return table.assign(mdad=value, low=value - 0.5, high=value + 1, threshold=0.8)


def tables(chart: alt.LayerChart) -> list[list[dict[str, Any]]]:
    return list(chart.to_dict()["datasets"].values())


def table_with(chart: alt.LayerChart, column: str) -> list[dict[str, Any]]:
    return next(rows for rows in tables(chart) if column in rows[0])


def parameters(chart: alt.LayerChart) -> dict[str, dict[str, Any]]:
    return {parameter["name"]: parameter for parameter in chart.to_dict()["params"]}


def kilobytes(chart: alt.LayerChart) -> float:
    return len(json.dumps(chart.to_dict())) / 1000


# Agreement


@pytest.mark.parametrize("selectors", [["uniform"], SIX, ["my-selector", "uniform"]])
@pytest.mark.parametrize("sizes", [[10], [10, 25, 1000]])
def test_it_takes_any_selectors_and_sizes(selectors: list[str], sizes: list[int]) -> None:
    table = cells(selectors, sizes)
    assert explore_agreement(curve(table), mdads(table)).to_dict()["layer"]


def test_it_describes_itself() -> None:
    description = explore_agreement(curve(cells(SIX, [10, 1000]))).to_dict()["description"]
    for word in ("Anchor Points", "10, 1,000", "0.8", "10 at first"):
        assert word in description, f"the description lacks “{word}”"


def test_the_slider_has_a_place_for_each_size_and_begins_where_it_is_told() -> None:
    given = parameters(explore_agreement(curve(cells(SIX, SEVEN)), size=90))
    assert given["place"]["value"] == 4, "of the sizes 100 is nearest to 90"
    assert (given["place"]["bind"]["min"], given["place"]["bind"]["max"]) == (1, 7)
    assert given["size"]["expr"] == f"{SEVEN}[place - 1]"
    assert "10 · 25 · 50" in given["place"]["bind"]["name"], "the slider's own number is a place"


def test_one_size_needs_no_slider() -> None:
    assert "bind" not in parameters(explore_agreement(curve(cells(SIX, [10]))))["place"]


def test_selectors_are_chosen_without_a_mouse_too() -> None:
    menu = parameters(explore_agreement(curve(cells(SIX, [10]))))["shown"]["bind"]
    assert menu["input"] == "select" and menu["options"][1:] == [LOOKS[s].label for s in SIX]


def test_each_mdad_is_told_in_words_and_ringed_on_its_curve() -> None:
    table = cells(["uniform", "diversity"], [10, 25])
    told = mdads(table)
    told.loc[0, ["mdad", "low", "high"]] = [NAN, 12.0, NAN]
    rows = table_with(explore_agreement(curve(table), told), "said")
    said = {(row["series"], row["size"]): row for row in rows}
    lost, found = said["Uniform random", 10], said["Diversity", 25]
    assert lost["text"] == "Uniform random: not reached" and lost["gap"] is None
    assert found["text"] == "Diversity: 4" and found["said"] == "4 [3.5–5]"
    assert (found["gap"], found["agreement"]) == (4.0, 0.7)


def test_an_mdad_beyond_the_axis_is_told_but_not_drawn() -> None:
    table = cells(["uniform"], [10])
    row = table_with(explore_agreement(curve(table, n_gaps=100), mdads(table, 30.0)), "said")[0]
    assert row["text"].endswith("30") and row["gap"] is None


def test_it_keeps_to_gaps_that_tell_something() -> None:
    chart = explore_agreement(curve(cells(["uniform"], [10]), n_gaps=100))
    assert len(table_with(chart, "gap")) == 51, "gaps 0, 0.5, … 25"


def test_a_gap_that_one_selector_lacks_is_a_hole_and_no_zero() -> None:
    whole = curve(cells(["uniform", "diversity"], [10]))
    rows = table_with(explore_agreement(whole.iloc[:-1]), "gap")
    assert rows[-1]["Diversity"] is None and rows[-1]["Uniform random"] == 0.7


@pytest.mark.parametrize("n_sizes", [7, 40, 400])
def test_no_chart_ships_more_than_five_thousand_points(n_sizes: int) -> None:
    table = cells(SIX, list(range(10, 10 + n_sizes)))
    rows = table_with(explore_agreement(curve(table, n_gaps=100)), "gap")
    assert 0 < len(rows) * len(SIX) <= MAX_ROWS


def test_the_whole_grid_is_light_enough_for_the_first_page() -> None:
    table = cells(SIX, SEVEN)
    uneven = curve(table, n_gaps=51)
    uneven["agreement"] = np.linspace(0.4, 0.999, len(uneven))
    assert kilobytes(explore_agreement(uneven, mdads(table))) < 120


# Pairs of a group


def pair_table(n_models: int, selectors: list[str], sizes: list[int]) -> pd.DataFrame:
    first, second = np.triu_indices(n_models, 1)
    pairs = pd.DataFrame({"first": [f"m{i:03d}" for i in first]})
    pairs["second"] = [f"m{i:03d}" for i in second]
    return cells(selectors, sizes).merge(pairs, how="cross").assign(agreement=0.9, n_trials=50)


def ladder(n_models: int) -> pd.Series:
    """Each model a point above the one before."""
    names = [f"m{i:03d}" for i in range(n_models)]
    return pd.Series(np.arange(n_models, dtype=float), index=names)


def test_pairs_of_a_group_fit_into_a_page() -> None:
    table = cells(SIX[:4], [10, 25, 100, 1000])
    chart = explore_pairs(pair_table(32, SIX[:4], [10, 25, 100, 1000]), ladder(32), mdads(table))
    rows = table_with(chart, "gap")
    assert len(rows) == 32 * 31 // 2, "a row for each pair"
    assert kilobytes(chart) < 300
    assert "32 models" in chart.to_dict()["description"]
    # m031 is best: it has rank 1, and the better of two models names the row.
    assert all(row["row"] < row["column"] for row in rows)
    assert table_with(chart, "name")[0] == {"place": 1, "name": "m031"}


def test_what_is_counted_is_what_is_said() -> None:
    # Three models a point apart each: gaps 1, 1 and 2, of which one is above an MDAD of 1.
    pairs = pair_table(3, ["uniform"], [10])
    pairs["agreement"] = [0.8, 0.78, 1.0]
    given = parameters(explore_pairs(pairs, ladder(3), mdads(cells(["uniform"], [10]), 1.0)))
    text = given["said"]["expr"].encode().decode("unicode_escape")
    assert "2 of 3 (67 %) pairs right in ≥ 80 % of trials" in text
    assert "1 of 3 (33 %) pairs: gap above MDAD (1)" in text
    # Of m002, which is best, one pair is told apart; of m000 and m001 …
    assert '["1 of 2 (50 %)", "2 of 2 (100 %)", "1 of 2 (50 %)"]' in text


def test_nothing_lies_above_an_mdad_that_is_not_reached() -> None:
    table = mdads(cells(["uniform"], [10]), NAN)
    given = parameters(explore_pairs(pair_table(3, ["uniform"], [10]), ladder(3), table))
    assert "none of 3 pairs: gap above MDAD (not reached)" in given["said"]["expr"].encode().decode(
        "unicode_escape"
    )


def test_too_many_pairs_are_refused() -> None:
    with pytest.raises(InputError, match="101 models has 5,050 pairs, .* at most 1,500 and 40"):
        explore_pairs(
            pair_table(101, ["uniform"], [10]), ladder(101), mdads(cells(["uniform"], [10]))
        )


def test_a_model_without_an_accuracy_is_named() -> None:
    with pytest.raises(InputError, match="'m003' has no accuracy"):
        explore_pairs(pair_table(4, ["uniform"], [10]), ladder(3), mdads(cells(["uniform"], [10])))


def test_a_pair_without_trials_at_a_size_is_no_cell() -> None:
    pairs = pair_table(3, ["uniform"], [10, 25]).iloc[:-1]
    chart = explore_pairs(pairs, ladder(3), mdads(cells(["uniform"], [10, 25])))
    rows = table_with(chart, "gap")
    assert [row["uniform 25"] for row in rows].count(None) == 1
    assert all(row["uniform 10"] == 45 for row in rows)


def test_no_name_can_end_the_words_of_the_chart() -> None:
    names = ["a'b", 'c"d', "e\\f"]
    pairs = pair_table(3, ["uniform"], [10])
    pairs[["first", "second"]] = pairs[["first", "second"]].replace(
        dict(zip(["m000", "m001", "m002"], names, strict=True))
    )
    chart = explore_pairs(pairs, ladder(3).set_axis(names), mdads(cells(["uniform"], [10])))
    assert [row["name"] for row in table_with(chart, "name")] == names[::-1]
    assert not any(name in json.dumps(parameters(chart)["said"]) for name in names)


def test_the_still_figure_tells_the_share_of_each_triangle() -> None:
    pairs = pair_table(3, ["uniform", "diversity"], [10, 25])
    pairs.loc[pairs["size"] == 10, "agreement"] = [0.9, 0.5, 0.5] * 2
    figure = draw_pairs(
        pairs,
        ladder(3),
        mdads(cells(["uniform", "diversity"], [10, 25])),
        selectors=["uniform", "diversity"],
        sizes=[10, 25],
    )
    figure.canvas.draw()
    assert [axes.texts[0].get_text() for axes in figure.axes] == ["33 %", "100 %"] * 2
    assert figure.axes[2].get_ylabel() == "Diversity"
    plt.close(figure)
