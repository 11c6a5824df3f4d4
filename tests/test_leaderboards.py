"""Real leaderboards side by side: who leads, which findings hold, and the chart to touch."""

from __future__ import annotations

import json

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import mbnb
from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.frozen.item_fit import item_fit
from mbnb.judge.leads import check_findings, leading_selectors, level_sizes
from mbnb.publish.charts.draw_leaderboards import draw_leaderboards, draw_leads
from mbnb.publish.charts.explore_leaderboards import explore_leaderboards
from mbnb.publish.charts.leaderboards import beside_expected, findings_sentences, with_this_run
from mbnb.study.rankings.crowding import crowded_top


def rows(name: str, size: int, half: str = "train", **mdads: float) -> list[dict]:
    """Rows of one data set and size; every interval reaches one point to either side."""
    return [
        {
            "dataset": name,
            "selector": selector.replace("_", "-"),
            "size": size,
            "half": half,
            "mdad": mdad,
            "low": mdad - 1,
            "high": mdad + 1,
            "n_source": 300,
        }
        for selector, mdad in mdads.items()
    ]


def table_of(*parts: list[dict]) -> pd.DataFrame:
    return pd.DataFrame([row for part in parts for row in part])


SMALL = table_of(
    rows("a", 10, uniform=18, anchor_points=8, diversity=20.5),
    rows("a", 250, uniform=2.5, anchor_points=3, diversity=2),
    rows("a", 10, "heldout", uniform=18, anchor_points=9, diversity=20.5),
    rows("a", 250, "heldout", uniform=2.5, anchor_points=3, diversity=2),
    rows("b", 10, uniform=17, anchor_points=17, diversity=17),
    rows("b", 10, "heldout", uniform=19, anchor_points=19, diversity=19),
)


def test_leads_worked_by_hand() -> None:
    leads = leading_selectors(SMALL).set_index(["dataset", "size"])
    first, later, level = (leads.loc[key] for key in (("a", 10), ("a", 250), ("b", 10)))
    assert (first["leader"], first["gain"], first["clear"]) == ("anchor-points", 10, True)
    assert first["behind"] == ("diversity",), "19.5 lies above 19, the upper end of uniform's"
    assert (later["leader"], later["gain"], later["clear"]) == ("diversity", 0.5, False)
    assert (level["leader"], level["gain"], level["behind"]) == ("uniform", 0, ())


def test_nobody_is_ahead_from_the_first_size_without_a_clear_lead_on() -> None:
    level = level_sizes(leading_selectors(SMALL))
    assert level["a"] == 250 and level["b"] == 10
    ahead = leading_selectors(SMALL[SMALL["size"] == 10].query("dataset == 'a'"))
    assert np.isnan(level_sizes(ahead)["a"]), "clearly ahead at the largest size"


def test_an_mdad_that_is_not_reached_never_leads() -> None:
    table = table_of(rows("a", 10, uniform=np.nan, anchor_points=20, diversity=np.nan))
    lead = leading_selectors(table).iloc[0]
    assert lead["leader"] == "anchor-points" and np.isnan(lead["gain"]) and not lead["clear"]
    nobody = table_of(rows("a", 10, uniform=np.nan, anchor_points=np.nan))
    assert np.isnan(leading_selectors(nobody).iloc[0]["gain"])


def test_findings_worked_by_hand() -> None:
    found = check_findings(SMALL).set_index(["dataset", "finding"])
    holds = found["holds"]
    assert holds["a", "small gaps"] and holds["a", "Anchor Points leads"]
    assert holds["a", "level from 250"], "the intervals at 250 items overlap"
    assert holds["b", "level from 250"] is None, "250 items were not drawn there"
    assert not holds["a", "Diversity keeps up"]
    assert found["seen"]["a", "Diversity keeps up"] == "20.5 against 18 at 10"
    assert holds["a", "held-out alike"], "a sixth of a point on average"
    assert not holds["b", "held-out alike"] and found["seen"]["b", "held-out alike"] == "+2.0"


def test_a_finding_is_told_with_those_that_it_fails_on() -> None:
    told = findings_sentences(check_findings(SMALL))
    diversity = next(text for text in told if "Diversity" in text)
    assert "Holds on 1 of 2 leaderboards; not on `a` (20.5 against 18 at 10)." in diversity


def test_a_table_without_the_yardstick_is_refused() -> None:
    with pytest.raises(InputError, match="a has no row of uniform sampling at size 10"):
        leading_selectors(table_of(rows("a", 10, diversity=3)))
    with pytest.raises(InputError, match="lacks the column low"):
        leading_selectors(SMALL.drop(columns="low"))


def test_the_closed_form_is_set_beside_uniform_sampling_alone() -> None:
    expected = pd.DataFrame({"dataset": ["a"], "size": [10], "expected": [19.0]})
    both = beside_expected(SMALL, expected)
    assert both[["dataset", "size", "off"]].to_numpy().tolist() == [["a", 10, -1.0]]


def test_this_run_stands_below_the_real_leaderboards() -> None:
    matrix = mbnb.load("simulated:gpqa")
    trials = mbnb.run_trials(matrix, ["uniform"], [10], n_trials=2, n_source=5, n_target=6)
    simulated = table_of(rows("simulated:bbh", 10, uniform=1))
    table = with_this_run(pd.concat([SMALL, simulated]), trials)
    assert list(dict.fromkeys(table["dataset"])) == ["a", "b", "simulated:gpqa, this run"]
    assert set(table.iloc[-2:]["half"]) == {"train", "heldout"}


def test_the_small_charts_draw_each_leaderboard_and_the_grid_each_lead() -> None:
    figure = draw_leaderboards(SMALL)
    shown = [axes for axes in figure.axes if axes.get_visible()]
    assert [axes.get_title() for axes in shown] == ["a", "b"]
    assert all(len(axes.lines) == 4 for axes in shown), "three selectors and the floor"
    grid = draw_leads(leading_selectors(SMALL))
    assert {text.get_text() for text in grid.axes[0].texts} == {"+10", "+0.5"}
    plt.close("all")


def test_the_chart_holds_the_agreement_of_the_counts() -> None:
    counts = pd.DataFrame(
        {
            "half": ["train", "train", "train", "heldout"],
            "gap": [0.0, 1.0, 2.0, 1.0],
            "pairs": [100, 60, 40, 80],
            "uniform-10": [40, 54, 40, 0],
        }
    )
    chart = json.loads(explore_leaderboards({"a": counts}).to_json())
    (curve,) = [
        r
        for data in chart["datasets"].values()
        for r in data
        if "agreement" in r and r.get("selector")
    ]
    assert curve["gap"] == [0.0, 1.0] and curve["agreement"] == [0.4, 0.9]
    assert curve["MDAD"] == "1", "the bin at 2 points holds too few pairs"


def test_what_was_measured_fits_into_a_page() -> None:
    names = mbnb.measured("leaderboards")["dataset"].unique()
    real = [name for name in names if not name.startswith("simulated:")]
    chart = explore_leaderboards({name: mbnb.measured(f"agreement-{name}") for name in real})
    assert len(chart.to_json(indent=None)) < 300_000


def matrix_of(scores: np.ndarray) -> ResponseMatrix:
    return ResponseMatrix(
        scores=scores.astype(np.uint8),
        models=pd.DataFrame(index=[f"m{i:02d}" for i in range(scores.shape[0])]),
        items=pd.DataFrame({"subtask": "all"}, index=[f"i{i}" for i in range(scores.shape[1])]),
        name="test",
    )


def test_shuffled_answers_no_longer_go_with_the_items() -> None:
    rng = np.random.default_rng(0)
    chances = np.linspace(0.1, 0.9, 400)
    scores = rng.random((12, 400)) < chances
    scores[3] = rng.permutation(scores[3])
    fit = item_fit(matrix_of(scores))
    assert fit.idxmin() == "m03" and abs(fit["m03"]) < 0.15 and fit.drop("m03").min() > 0.3


def test_the_fit_is_the_plain_correlation_with_the_others() -> None:
    scores = np.array([[1, 1, 0, 0], [1, 0, 1, 0], [1, 1, 1, 0]])
    by_hand = np.corrcoef(scores[0], scores[1:].mean(axis=0))[0, 1]
    assert item_fit(matrix_of(scores))["m00"] == pytest.approx(by_hand)
    with pytest.raises(InputError, match="at least two of each"):
        item_fit(matrix_of(scores[:1]))


def test_the_crowd_is_the_closest_run_of_models_and_the_rest_is_spread() -> None:
    counts = [100, 90, 80, 79, 78, 60, 50, 40, 30, 20, 10]
    scores = np.array([[1] * n + [0] * (100 - n) for n in counts])
    group = crowded_top(matrix_of(scores), 6, 3)
    assert group[:3] == ["m02", "m03", "m04"], "80, 79, 78; those above are left out"
    assert group[3] == "m05" and group[-1] == "m10" and len(set(group)) == 6
    with pytest.raises(InputError, match="3 of 3 models as a crowd"):
        crowded_top(matrix_of(scores), 3, 3)
    assert crowded_top(matrix_of(scores), 11, 3) == [f"m{i:02d}" for i in range(11)]
