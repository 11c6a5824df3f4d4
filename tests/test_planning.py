"""Theory beside measurement, and the planner's chart, which must say what `plan` says."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from pathlib import Path
from types import ModuleType

import altair
import numpy as np
import pandas as pd
import pytest
import vl_convert
from mbnb.publish.charts.explore_plan import explore_plan
from mbnb.publish.charts.planning import draw_luck

import mbnb
from mbnb.judge.plan_table import plan_table

ROOT = Path(__file__).resolve().parents[1]
NAME = "swebench-verified"
BIN = 0.5 + 1e-9


@pytest.fixture(scope="module")
def script() -> ModuleType:
    folder = ROOT / "benchmarks"
    sys.path.insert(0, str(folder))
    try:
        spec = importlib.util.spec_from_file_location(
            "planning_theory", folder / "planning_theory.py"
        )
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(folder))
    return module


def test_the_kept_figures_of_one_leaderboard_are_made_again(script: ModuleType) -> None:
    if NAME not in set(mbnb.available()["name"]):
        pytest.skip(f"{NAME} is not here: set MBNB_DATA to the folder with the real matrices")
    [board] = [board for board in script.LEADERBOARDS if board.name == NAME]
    for name, made in script.planning_tables(board).items():
        kept = mbnb.measured(name)
        kept = kept[kept["dataset"] == NAME].reset_index(drop=True)
        pd.testing.assert_frame_equal(
            kept, made.reset_index(drop=True), check_dtype=False, rtol=1e-3, atol=1e-4
        )


@pytest.fixture(scope="module")
def beside() -> pd.DataFrame:
    return mbnb.measured("planning-uniform")


def test_the_table_holds_what_was_measured(beside: pd.DataFrame) -> None:
    kept = mbnb.measured("leaderboards").query("selector == 'uniform'")
    both = beside.merge(kept, on=["dataset", "half", "size"], validate="one_to_one")
    assert len(both) == len(beside) == len(kept)
    pd.testing.assert_series_equal(both["measured"], both["mdad"], check_names=False)


def test_theory_is_within_one_bin_of_many_samples_everywhere(beside: pd.DataFrame) -> None:
    apart = (beside["exact"] - beside["redrawn"]).dropna()
    assert len(apart) >= 0.98 * len(beside)
    assert apart.abs().max() <= BIN
    assert (beside["exact"].isna() == beside["redrawn"].isna()).all()


def test_of_single_studies_nineteen_in_twenty_are_where_luck_alone_puts_them(
    beside: pd.DataFrame,
) -> None:
    known = beside.dropna(subset="measured")
    inside = (known["measured"] >= known["lowest"]) & (
        known["measured"] <= known["highest"].fillna(np.inf)
    )
    assert inside.mean() >= 0.9


def test_the_figure_of_luck_draws_a_panel_for_each_leaderboard(beside: pd.DataFrame) -> None:
    train = beside[beside["half"] == "train"]
    figure = draw_luck(train)
    titles = [axes.get_title(loc="left") for axes in figure.axes if axes.get_visible()]
    assert titles == list(dict.fromkeys(train["dataset"]))


QUESTIONS = {
    "gaps": [0.5, 2, 10],
    "rates": [0.05, 0.25],
    "agreements": [0.8, 0.95],
    "n_items": [500, 12_000, None],
    "ties": ["wrong", "half"],
}


@pytest.fixture(scope="module")
def questions() -> pd.DataFrame:
    return plan_table(**QUESTIONS)


def test_questions_that_have_no_sense_are_left_out(questions: pd.DataFrame) -> None:
    assert not ((questions["gap"] == 10) & (questions["rate"] == 0.05)).any()
    assert len(questions) == (3 * 2 - 1) * 2 * 3 * 2
    assert plan_table([0.05], [0.25], n_items=[200]).empty


def told(questions: pd.DataFrame, **places: float | str) -> list[str]:
    """The texts of the chart with its sliders at these places."""
    spec = json.loads(explore_plan(questions).to_json())
    for param in spec["params"]:
        if param["name"] in places:
            param["value"] = places[param["name"]]
    spec["width"] = 500
    version = ".".join(altair.VEGALITE_VERSION.removeprefix("v").split(".")[:2])
    svg = vl_convert.vegalite_to_svg(spec, vl_version=version)
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg)


@pytest.mark.parametrize("rule", ["wrong", "half"])
@pytest.mark.parametrize(
    ("gap", "rate", "agreement", "items"),
    [(2, 2, 1, 2), (1, 1, 1, 3), (1, 2, 2, 1), (3, 2, 2, 3), (2, 1, 2, 2)],
)
def test_the_chart_says_what_the_command_says(
    questions: pd.DataFrame, gap: int, rate: int, agreement: int, items: int, rule: str
) -> None:
    found = mbnb.plan(
        gap=QUESTIONS["gaps"][gap - 1],
        disagreement=QUESTIONS["rates"][rate - 1],
        agreement=QUESTIONS["agreements"][agreement - 1],
        n_items=QUESTIONS["n_items"][items - 1],
        ties=rule,
    )
    texts = told(
        questions,
        gap_place=gap,
        rate_place=rate,
        agreement_place=agreement,
        items_place=items,
        ties=rule,
    )
    assert f"{found.size:,} items" in texts
    assert any(text.startswith("all ") for text in texts) == (found.n_items is not None)


def test_a_gap_that_cannot_be_is_told_in_words(questions: pd.DataFrame) -> None:
    texts = told(questions, gap_place=3, rate_place=1)
    assert "Two models 10 points apart differ on at least 10 %" in texts
    assert not any(re.fullmatch(r"[\d,]+ items", text) for text in texts)


def test_the_chart_begins_at_the_nearest_values_and_is_light(questions: pd.DataFrame) -> None:
    chart = explore_plan(questions, gap=1.8, rate=0.3, agreement=0.9, items=9000)
    spec = chart.to_dict()
    places = {param["name"]: param.get("value") for param in spec["params"]}
    assert places["gap_place"] == 2 and places["rate_place"] == 2
    assert places["items_place"] == 2 and places["agreement_place"] == 2
    assert len(json.dumps(spec)) < 30_000
    assert "items" in spec["description"].lower()


def test_a_table_that_is_no_plan_is_refused(questions: pd.DataFrame) -> None:
    with pytest.raises(mbnb.InputError, match="it lacks the column ties"):
        explore_plan(questions.drop(columns="ties"))
    with pytest.raises(mbnb.InputError, match="at least one row"):
        explore_plan(questions.iloc[:0])
