"""From train to held-out halves: the ceiling, differences, the formula, and subtasks alone."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from conftest import make_matrix
from test_concordance import make_trials

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.judge.agreement import agreement, mdad
from mbnb.judge.normal import expected_mdad
from mbnb.judge.pairs import compare_pairs
from mbnb.publish.charts.heldout import (
    draw_half_difference,
    draw_half_ratio,
    draw_subtasks,
    one_decimal,
)
from mbnb.run.paper import SHARES, paper_pieces, paper_table
from mbnb.run.trials import run_grids, run_trials
from mbnb.study.heldout import expected_on_halves, half_difference, whole_half
from mbnb.study.subtask_study import SubtaskStudy, run_subtasks

N_TRIALS = 6


@pytest.fixture(scope="module")
def matrix() -> ResponseMatrix:
    """Thirty models of rising ability on a large and a small subtask."""
    rng = np.random.default_rng(1)
    ability = np.linspace(0.25, 0.8, 30)[:, None]
    scores = (rng.random((30, 500)) < ability).astype(np.uint8)
    return make_matrix(scores, subtasks=["large"] * 400 + ["small"] * 100)


@pytest.fixture(scope="module")
def alone(matrix: ResponseMatrix) -> SubtaskStudy:
    return run_subtasks(matrix, ["uniform", "confidence"], n_trials=N_TRIALS, n_source=15)


def test_the_whole_half_is_right_about_itself_and_not_about_the_other(
    matrix: ResponseMatrix,
) -> None:
    trials = run_trials(matrix, ["uniform"], [10, 50], n_trials=N_TRIALS, n_source=5, n_target=20)
    whole = whole_half(trials)
    own = agreement(whole, "train")
    assert len(own.cells) == 1 and own.cells["size"].item() == trials.n_train
    assert own.agreeing.sum() == own.pairs.sum() > 0
    other = agreement(whole, "heldout")
    assert 0.5 < other.agreeing.sum() / other.pairs.sum() < 1
    assert (trials.table["selector"] == "uniform").all(), "the trials themselves stay"


def test_the_difference_is_that_of_the_two_mdads() -> None:
    trials = make_trials({("uniform", 10): 0.1, ("uniform", 50): 0.03})
    rng = np.random.default_rng(0)
    noisy = np.round(200 * (trials.table["train_accuracy"] + rng.normal(0, 0.1, len(trials.table))))
    trials.table["heldout_accuracy"] = noisy / 200
    train, heldout = (agreement(trials, half) for half in ("train", "heldout"))
    found = half_difference(train, heldout, min_pairs=6)
    assert found["train"].tolist() == mdad(train, min_pairs=6)["mdad"].tolist()
    assert found["heldout"].tolist() == mdad(heldout, min_pairs=6)["mdad"].tolist()
    assert (found["difference"] == found["heldout"] - found["train"]).all()
    assert (found["low"] <= found["high"]).all()
    assert found["difference"].iloc[1] > 0, "a noisy judge costs a good estimate the most"
    same = half_difference(train, train, min_pairs=6)
    assert (same[["difference", "low", "high"]] == 0).all(axis=None), "what is alike cancels"


def test_counts_of_other_trials_are_refused() -> None:
    a = agreement(make_trials({("uniform", 10): 0.1}))
    b = agreement(make_trials({("uniform", 10): 0.1, ("uniform", 50): 0.1}))
    c = agreement(make_trials({("uniform", 10): 0.1}, n_trials=4))
    for other in (b, c):
        with pytest.raises(InputError, match="both must be of the same trials"):
            half_difference(a, other)


def test_one_trial_has_a_difference_and_no_interval() -> None:
    counts = agreement(make_trials({("uniform", 10): 0.02}, n_trials=1))
    found = half_difference(counts, counts).iloc[0]
    assert found["difference"] == 0 and np.isnan(found["low"]) and np.isnan(found["high"])


def test_the_formula_for_the_train_half_is_that_of_the_theory(matrix: ResponseMatrix) -> None:
    pairs = compare_pairs(matrix)
    found = expected_on_halves(pairs, [10, 50, 200], 250, 250)
    # There the variance has n − 1 in the place of n.
    theory = expected_mdad(pairs, [10, 50, 200], 250)
    assert np.allclose(found["train"], theory, atol=0.05)
    assert (found["heldout"] > found["train"]).all()
    # With few of the items chosen, both are the same; with all, the train half has no error left.
    assert found.loc[10, "heldout"] - found.loc[10, "train"] < 0.05 * found.loc[10, "train"]
    assert expected_on_halves(pairs, [250], 250, 250)["train"].item() < 0.5
    with pytest.raises(InputError, match="size 251 is not possible; allowed are 1 to 250"):
        expected_on_halves(pairs, [251], 250, 250)


def test_the_ratio_of_the_halves_follows_the_share_chosen() -> None:
    # One disagreement rate and a large half, so that the correction for ties is small.
    pairs = pd.DataFrame({"gap": np.arange(0, 40.0), "disagreement": 40.0})
    n = 100_000
    for share in (0.1, 0.4, 0.8):
        found = expected_on_halves(pairs, [int(share * n)], n, n).iloc[0]
        expected = np.sqrt((1 + share) / (1 - share))
        # Gaps are searched in hundredths of a point.
        assert found["heldout"] / found["train"] == pytest.approx(expected, rel=0.1)


def test_the_formula_foretells_what_simulated_coins_do() -> None:
    rng = np.random.default_rng(7)
    ability = rng.uniform(0.3, 0.7, 60)[:, None]
    scores = (rng.random((60, 800)) < ability).astype(np.uint8)
    coins = make_matrix(scores)
    trials = run_trials(coins, ["uniform"], [100], n_trials=40, n_source=1, n_target=59)
    expected = expected_on_halves(compare_pairs(coins), [100, 400], 400, 400)
    for half in ("train", "heldout"):
        found = mdad(agreement(trials, half), min_pairs=40)["mdad"].item()
        assert found == pytest.approx(expected.loc[100, half], abs=1.5)
    found = mdad(agreement(whole_half(trials), "heldout"), min_pairs=40)["mdad"].item()
    assert found == pytest.approx(expected.loc[400, "heldout"], abs=1.0)


def test_subtasks_are_run_as_the_papers_grids_are(
    matrix: ResponseMatrix, alone: SubtaskStudy
) -> None:
    selectors = ["uniform", "confidence"]
    assert list(alone.trials) == ["large", "small"]
    same = run_subtasks(matrix, selectors, n_trials=N_TRIALS).table(min_pairs=N_TRIALS)
    pieces = [
        piece
        for piece in paper_pieces(matrix, selectors, n_trials=N_TRIALS)[0]
        if piece.variant == "subtask"
    ]
    paper = paper_table(pieces, run_grids([piece.grid for piece in pieces]))
    for half in ("train", "heldout"):
        own = paper[paper["half"] == half].set_index(["part", "selector", "share"])["mdad"]
        mine = same.assign(selector=same["selector"].astype(str))
        mine = mine.set_index(["part", "selector", "share"])[half]
        own.index = own.index.set_levels(own.index.levels[1].astype(str), level=1)
        both = mine.to_frame("mine").join(own.rename("paper"))
        assert len(both) == 3 * 2 * len(SHARES)
        pd.testing.assert_series_equal(both["mine"], both["paper"], check_names=False)


def test_the_numbers_of_models_are_those_asked_for(alone: SubtaskStudy) -> None:
    for trials in alone.trials.values():
        assert (trials.table["n_source"] == 15).all()
        assert trials.n_target == 10


def test_all_subtasks_count_the_pairs_of_each(alone: SubtaskStudy) -> None:
    table = alone.table(min_pairs=1)
    together = table[table["part"] == "all"]
    assert sorted(together["share"].unique()) == sorted(SHARES)
    assert together["size"].isna().all() and (together["items"] == 250).all()
    single = table[table["part"] == "small"]
    assert single["size"].tolist()[: len(SHARES)] == [1, 2, 4, 8, 12, 16, 20]


def test_a_small_subtask_has_the_higher_ceiling(alone: SubtaskStudy) -> None:
    ceilings = alone.ceilings(min_pairs=N_TRIALS).set_index("part")
    assert ceilings["items"].to_dict() == {"large": 200, "small": 50}
    assert ceilings.loc["small", "mdad"] > ceilings.loc["large", "mdad"]


def test_a_single_subtask_is_all_of_them(matrix: ResponseMatrix) -> None:
    whole = make_matrix(matrix.scores)
    table = run_subtasks(whole, ["uniform"], n_trials=2).table(min_pairs=2)
    own, together = (table[table["part"] == part]["train"].tolist() for part in ("s1", "all"))
    assert own == pytest.approx(together, nan_ok=True)


def test_charts_are_drawn_with_and_without_an_mdad(alone: SubtaskStudy) -> None:
    table = alone.table(min_pairs=N_TRIALS)
    together = table[table["part"] == "all"]
    figure = draw_half_difference(together, across="share")
    assert "per cent" in figure.axes[0].get_xlabel()
    none = together.assign(difference=np.nan, low=np.nan, high=np.nan)
    assert draw_half_difference(none, across="share").axes
    rows = table[(table["part"] != "all") & (table["share"] == 40)]
    rows = rows[rows["selector"] == "uniform"]
    drawn = draw_subtasks(rows, alone.ceilings(min_pairs=N_TRIALS)).axes[0]
    assert [label.get_text() for label in drawn.get_yticklabels()] == ["small (50)", "large (200)"]
    ratios = pd.DataFrame(
        {"selector": "uniform", "share": [0.1, 0.4], "train": [2.0, 0.0], "heldout": [3.0, 1.0]}
    )
    points = draw_half_ratio(ratios, ["uniform"]).axes[0].lines[1]
    assert points.get_ydata().tolist() == [1.5], "nothing is divided by 0"


def test_many_subtasks_are_thinned() -> None:
    parts = [f"s{i:03d}" for i in range(90)]
    rows = pd.DataFrame({"part": parts, "items": range(90), "train": 1.0, "heldout": 2.0})
    ceilings = pd.DataFrame({"part": parts, "mdad": 1.5})
    assert len(draw_subtasks(rows, ceilings).axes[0].get_yticks()) == 30


def test_derived_values_are_worded() -> None:
    assert one_decimal(4.56) == "4.6"
    assert one_decimal(float("nan")) == "not reached"
