"""What `mbnb report` makes of data of any shape: trials they allow, and advice they bear."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from conftest import make_answers, make_matrix

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.judge.agreement import PAPER
from mbnb.methods.selectors import KNOWN_SELECTORS, SELECTORS
from mbnb.run.advice import (
    Advice,
    Measured,
    advise,
    advise_fewer,
    judge_trials,
    pairs_to_decide,
    plan_trials,
    run_plan,
)
from mbnb.run.store import ResultStore
from mbnb.run.trials import run_trials

SIZES = (10, 25, 50, 100, 250, 500, 1000)


def small(n_models: int = 6, n_items: int = 40) -> ResponseMatrix:
    halves = ["left"] * (n_items // 2) + ["right"] * (n_items - n_items // 2)
    return make_matrix(make_answers(n_models, n_items), subtasks=halves, name="small")


def test_three_models_are_too_few_for_trials_and_the_reason_is_said() -> None:
    plan = plan_trials(small(3), list(SELECTORS), SIZES)
    assert plan.why_not.startswith("with 3 models there are too few")
    assert plan.sizes == (10, 20, 25, 30), "sizes are those of the whole benchmark then"


def test_a_benchmark_of_lone_items_cannot_be_halved() -> None:
    matrix = make_matrix(make_answers(8, 4), subtasks=["a", "b", "c", "d"])
    assert "no subtask has two items" in plan_trials(matrix, ["uniform"], [1]).why_not


def test_of_few_models_half_are_targets_and_parts_of_the_half_are_sizes() -> None:
    plan = plan_trials(small(7), list(SELECTORS), SIZES)
    assert (plan.n_source, plan.n_target, plan.n_train, plan.why_not) == (3, 4, 20, "")
    assert plan.sizes == (5, 10, 15)
    assert "parts of it are added (5, 15)" in " ".join(plan.notes)


def test_selectors_that_do_not_suit_the_data_are_left_out_with_a_reason() -> None:
    matrix = small(80)
    assert plan_trials(matrix, list(SELECTORS), SIZES).selectors == tuple(SELECTORS)
    graded = replace(matrix, scores=matrix.scores.astype(np.float32) * np.float32(0.5))
    plan = plan_trials(graded, list(SELECTORS), SIZES)
    assert "tinybenchmarks" not in plan.selectors
    assert "The scores are graded" in " ".join(plan.notes)
    plan = plan_trials(small(8), list(SELECTORS), SIZES)
    assert "4 source models are too few" in " ".join(plan.notes)
    one = make_matrix(make_answers(80, 40))
    plan = plan_trials(one, ["subtask", "confidence"], SIZES)
    assert plan.selectors == ("uniform", "confidence"), "uniform sampling is the baseline"
    assert "There is one subtask" in " ".join(plan.notes)


def test_what_no_matrix_allows_is_refused() -> None:
    with pytest.raises(InputError, match="selector 'best' is unknown; known: uniform"):
        plan_trials(small(), ["best"], SIZES)
    with pytest.raises(InputError, match="has 1 model; a comparison needs at least 2"):
        plan_trials(small(1), ["uniform"], SIZES)
    with pytest.raises(InputError, match="has 6 models, so 5 sources and 4 targets"):
        plan_trials(small(), ["uniform"], SIZES, 5, 4)


def test_a_bin_needs_a_pair_a_trial_and_twenty_at_least() -> None:
    assert pairs_to_decide(50, 50) == 50, "the book's rule"
    assert pairs_to_decide(100, 10) == 45
    assert pairs_to_decide(50, 3) == 20
    assert pairs_to_decide(3, 50) == 20


def test_bins_are_wider_where_few_pairs_would_not_fill_them() -> None:
    matrix = replace(small(6), scores=small(6).scores.astype(np.float32) * np.float32(0.37))
    trials = run_trials(matrix, ["uniform"], [10], n_trials=20, n_source=3, n_target=3)
    assert judge_trials(trials).reading.width > 0.5
    many = run_trials(small(80), ["uniform"], [10], n_trials=20, n_source=20, n_target=50)
    assert judge_trials(many).reading.width == 0.5


WAYS = [
    ("uniform", "weighted-mean"),
    ("uniform", "corrected-mean"),
    ("confidence", "weighted-mean"),
]

HALF, WHOLE = pd.Series({10: 5.0}), pd.Series({10: 5.5})


def measured_with(
    low: float = 0.5,
    held: float = 0.5,
    learnt: float = -0.5,
    learnt_mdad: float = 2.0,
    n_trials: int = 20,
) -> Measured:
    """Results at 10 items: ends of the leads of confidence strata and of `corrected-mean`."""
    trials = run_trials(
        small(20), ["uniform", "confidence"], [10], n_trials=n_trials, n_source=8, n_target=6
    )
    table = pd.DataFrame(WAYS, columns=["selector", "estimator"]).assign(size=10)
    mdad = table.assign(mdad=[4.0, learnt_mdad, 2.0], low=1.0, high=[5.0, 2.5, 2.5])
    others = table.iloc[1:]
    gains = others.assign(gain=[4.0 - learnt_mdad, 2.0], low=[learnt, low], high=3.0)
    heldout = others.assign(gain=1.0, low=[learnt, held], high=3.0)
    return Measured(trials, mdad, mdad.iloc[:0], gains, heldout, PAPER)


def test_a_selector_is_advised_only_if_it_is_surely_better() -> None:
    best = advise(measured_with(), 3.0, 60, HALF, WHOLE)
    assert (best.selector, best.size, best.measured) == ("confidence", 10, True)
    assert best.estimator == "weighted-mean"
    assert best.mdad == pytest.approx(2.2), "scaled from the half to the whole"
    for other in (
        advise(measured_with(low=0.0), 3.0, 60, HALF, WHOLE),
        advise(measured_with(held=0.0), 3.0, 60, HALF, WHOLE),
        advise(measured_with(held=np.nan), 3.0, 60, HALF, WHOLE),
        advise(measured_with(), 2.6, 60, HALF, WHOLE),
        advise(measured_with(n_trials=5), 3.0, 60, HALF, WHOLE),
    ):
        assert (other.selector, other.size, other.measured) == ("uniform", 60, False)
        assert other.estimator == "weighted-mean"


def test_random_items_read_otherwise_are_advised_where_no_choice_is_half_a_point_better() -> None:
    level = advise(measured_with(learnt=0.5, learnt_mdad=2.4), 3.0, 60, HALF, WHOLE)
    assert (level.selector, level.estimator) == ("uniform", "corrected-mean")
    assert level.measured and level.mdad == pytest.approx(2.4 * 1.1)
    behind = advise(measured_with(learnt=0.5, learnt_mdad=2.6), 3.0, 60, HALF, WHOLE)
    assert (behind.selector, behind.estimator) == ("confidence", "weighted-mean")


def test_whoever_pays_for_fewer_items_is_told_the_best_that_is_sure() -> None:
    fewer = advise_fewer(measured_with(learnt=0.5, learnt_mdad=2.6), 60, HALF, WHOLE)
    assert fewer == Advice("confidence", "weighted-mean", 10, pytest.approx(2.2), True)
    assert advise_fewer(measured_with(), 10, HALF, WHOLE) is None, "no fewer than it is asked for"
    assert advise_fewer(measured_with(held=0.0), 60, HALF, WHOLE) is None
    assert advise_fewer(measured_with(n_trials=5), 60, HALF, WHOLE) is None
    assert advise_fewer(judge_trials(None), 60, HALF, WHOLE) is None


def test_a_plan_runs_uniform_sampling_both_ways_and_close_pairs_where_there_are_sources(
    tmp_path: Path,
) -> None:
    matrix = small(34)
    plan = plan_trials(matrix, list(KNOWN_SELECTORS), [5, 10], 22, 8)
    assert plan.learnt and "close-pairs" in plan.selectors
    plan = replace(plan, selectors=("uniform", "close-pairs"))
    trials = run_plan(matrix, plan, n_trials=3, seed=0, store=ResultStore(tmp_path))
    assert trials is not None
    table = trials.table.astype({"selector": str, "estimator": str})
    ways = list(table.groupby(["selector", "estimator"]).groups)
    assert ways == [
        ("close-pairs", "corrected-mean"),
        ("uniform", "corrected-mean"),
        ("uniform", "weighted-mean"),
    ]
    alone = run_trials(matrix, ["uniform"], [5, 10], n_trials=3, n_source=22, n_target=8)
    plain_rows = table[(table["selector"] == "uniform") & (table["estimator"] == "weighted-mean")]
    assert plain_rows["estimate"].tolist() == alone.table["estimate"].tolist()
    judged = judge_trials(trials, rule="interpolated")
    assert set(zip(judged.gains["selector"], judged.gains["estimator"], strict=True)) == set(
        ways[:2]
    ), "all are held against the plain mean of uniform sampling"


def test_with_few_sources_nothing_is_learnt_and_that_is_said(tmp_path: Path) -> None:
    plan = plan_trials(small(20), list(KNOWN_SELECTORS), [5, 10])
    assert not plan.learnt and "close-pairs" not in plan.selectors
    said = " ".join(plan.notes)
    assert "10 source models teach too little (at least 20 do)" in said
    assert "`close-pairs` and `corrected-mean` are left out" in said
    none = plan_trials(small(3), ["uniform"], [5])
    assert run_plan(small(3), none, n_trials=3, seed=0, store=ResultStore(tmp_path)) is None
