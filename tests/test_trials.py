"""The grid: what its numbers depend on, what it keeps, what it refuses."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from conftest import make_matrix
from threadpoolctl import threadpool_info, threadpool_limits

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.judge.agreement import agreement, mdad
from mbnb.judge.table import Trials
from mbnb.methods.selector import Selection
from mbnb.methods.selectors import SELECTORS
from mbnb.methods.uniform import FittedUniform, UniformSelector
from mbnb.run.splits import make_split
from mbnb.run.store import ResultStore
from mbnb.run.trials import run_trials

ALL = list(SELECTORS)
GRID = {"n_trials": 3, "n_source": 20, "n_target": 8}


@pytest.fixture(scope="module")
def matrix() -> ResponseMatrix:
    """40 models of rising ability × 60 items of rising difficulty in three subtasks."""
    rng = np.random.default_rng(11)
    ability, difficulty = rng.normal(0, 1, (40, 1)), rng.normal(0, 1, 60)
    confidence = 1 / (1 + np.exp(difficulty - ability + rng.normal(0, 0.3, (40, 60))))
    scores = (rng.random((40, 60)) < confidence).astype(np.uint8)
    return make_matrix(
        scores, confidences=confidence, subtasks=["s1"] * 30 + ["s2"] * 20 + ["s3"] * 10
    )


@pytest.fixture(scope="module")
def trials(matrix: ResponseMatrix) -> Trials:
    return run_trials(matrix, ALL, [1, 5, 30], **GRID)


def by_id(trials: Trials) -> pd.DataFrame:
    table = trials.table.astype({"selector": str, "estimator": str, "model": str})
    return table.sort_values(["selector", "size", "trial", "model"], ignore_index=True)


def test_the_table(matrix: ResponseMatrix, trials: Trials) -> None:
    assert list(trials.table.columns) == [
        "selector",
        "estimator",
        "size",
        "n_source",
        "trial",
        "model",
        "train_accuracy",
        "heldout_accuracy",
        "estimate",
    ]
    assert len(trials.table) == 6 * 3 * 3 * 8
    assert (trials.n_train, trials.n_heldout, trials.binary) == (30, 30, True)
    assert trials.selectors == ALL and trials.sizes == [1, 5, 30] and trials.n_trials == 3
    own = trials.table.drop_duplicates("selector").set_index("selector")["estimator"]
    assert own["anchor-points"] == "confidence-mean" and own["uniform"] == "weighted-mean"
    values = trials.table[["train_accuracy", "heldout_accuracy", "estimate"]]
    assert ((values >= 0) & (values <= 1)).all(axis=None)


def test_accuracies_are_those_of_the_split(matrix: ResponseMatrix, trials: Trials) -> None:
    split = make_split(matrix, seed=0, trial=2, n_source=20, n_target=8)
    scores = matrix.scores[np.ix_(split.targets, split.train)]
    rows = trials.table[
        (trials.table["trial"] == 2)
        & (trials.table["size"] == 5)
        & (trials.table["selector"] == "uniform")
    ].set_index("model")["train_accuracy"]
    assert rows.loc[matrix.model_ids[split.targets]].tolist() == scores.mean(axis=1).tolist()


def test_order_of_models_and_items_changes_no_number(
    matrix: ResponseMatrix, trials: Trials
) -> None:
    rng = np.random.default_rng(2)
    shuffled = matrix.subset(rng.permutation(40), rng.permutation(60))
    again = run_trials(shuffled, ALL, [1, 5, 30], **GRID)
    pd.testing.assert_frame_equal(by_id(again), by_id(trials), check_exact=True)


def test_more_workers_change_no_number(matrix: ResponseMatrix, trials: Trials) -> None:
    again = run_trials(matrix, ALL, [1, 5, 30], n_jobs=2, **GRID)
    pd.testing.assert_frame_equal(again.table, trials.table, check_exact=True)
    assert again.notes == trials.notes


def test_what_is_added_changes_nothing_that_was_there(
    matrix: ResponseMatrix, trials: Trials
) -> None:
    some = run_trials(matrix, ["diversity", "uniform"], [5], n_trials=2, n_source=20, n_target=8)
    table = by_id(trials)
    kept = table[
        table["selector"].isin(["diversity", "uniform"])
        & (table["size"] == 5)
        & (table["trial"] < 2)
    ]
    pd.testing.assert_frame_equal(by_id(some), kept.reset_index(drop=True), check_exact=True)


class Watching(UniformSelector):
    """Uniform sampling that notes how many threads the libraries would take."""

    name = "watching"

    def fit(self, train: ResponseMatrix) -> FittedUniform:
        threads = max(pool["num_threads"] for pool in threadpool_info())
        fitted = super().fit(train)
        fitted.notes = (f"{threads} threads",)
        return fitted


def test_a_unit_of_work_takes_one_thread(matrix: ResponseMatrix) -> None:
    with threadpool_limits(2):
        trials = run_trials(matrix, [Watching()], [5], **GRID)
    assert trials.notes == ("1 threads",)


def test_nested_selections(matrix: ResponseMatrix) -> None:
    def added(nested: bool) -> np.ndarray:
        """How many right answers the sixth item adds, for each trial and model."""
        table = run_trials(matrix, ["uniform"], [5, 6], nested=nested, **GRID).table
        right = table["estimate"] * table["size"]
        wide = right.groupby([table["trial"], table["model"], table["size"]], observed=True).sum()
        return np.rint(wide.unstack()[6] - wide.unstack()[5]).to_numpy()

    assert set(added(nested=True)) == {0, 1}, "six items are the five and one more"
    assert not set(added(nested=False)) <= {0, 1}, "by default each size is drawn anew"
    with pytest.raises(InputError, match="nested selections are not possible for anchor-points"):
        run_trials(matrix, ["uniform", "anchor-points"], [5], nested=True, **GRID)


def test_a_store_keeps_finished_units(matrix: ResponseMatrix, tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    first = run_trials(matrix, ["uniform", "subtask"], [5], store=store, **GRID)
    files = sorted(tmp_path.rglob("*.npz"))
    assert len(files) == 6
    stamps = [file.stat().st_mtime_ns for file in files]
    again = run_trials(matrix, ["uniform", "subtask"], [5], store=store, **GRID)
    pd.testing.assert_frame_equal(first.table, again.table, check_exact=True)
    assert [file.stat().st_mtime_ns for file in files] == stamps
    # More trials and another selector add files and leave the old ones.
    run_trials(matrix, ["uniform", "diversity"], [5], store=store, **(GRID | {"n_trials": 4}))
    assert len(list(tmp_path.rglob("*.npz"))) == 6 + 1 + 4
    assert [file.stat().st_mtime_ns for file in files] == stamps


def test_a_broken_file_is_made_anew(matrix: ResponseMatrix, tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    first = run_trials(matrix, ["uniform"], [5], store=store, **GRID)
    next(iter(tmp_path.rglob("*.npz"))).write_bytes(b"cut off")
    again = run_trials(matrix, ["uniform"], [5], store=store, **GRID)
    pd.testing.assert_frame_equal(first.table, again.table, check_exact=True)


def test_other_data_have_another_key(matrix: ResponseMatrix, tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    run_trials(matrix, ["uniform"], [5], store=store, **GRID)
    scores = matrix.scores.copy()
    scores[0, 0] ^= 1
    changed = ResponseMatrix(scores, matrix.models, matrix.items, matrix.confidences)
    run_trials(changed, ["uniform"], [5], store=store, **GRID)
    assert len(list(tmp_path.iterdir())) == 2


def test_an_unwritable_store(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="results cannot be kept in .*file.*set MBNB_CACHE"):
        ResultStore(tmp_path / "file" / "cache")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sizes": [5, 31]}, "size 31 is not possible, since the train half has 30 items"),
        ({"sizes": [0]}, "size 0 is not possible"),
        ({"sizes": []}, "sizes are empty"),
        ({"sizes": [5, 5]}, "sizes hold one twice"),
        ({"selectors": ["random"]}, "random.*uniform, subtask, confidence"),
        ({"n_source": 33}, "33 sources and 8 targets are asked for, but of its 40 models 32"),
        ({"n_trials": 0}, "0 trials"),
        ({"seed": -1}, "seed -1"),
        ({"estimators": ["mean"]}, "estimator 'mean' is unknown; known: weighted-mean"),
        ({"targets": ["m0001", "x"]}, "1 target models are unknown"),
    ],
)
def test_impossible_grids(matrix: ResponseMatrix, change: dict, message: str) -> None:
    arguments = {"selectors": ["uniform"], "sizes": [5], **GRID} | change
    with pytest.raises(InputError, match=message):
        run_trials(matrix, **arguments)


def test_missing_answers_are_refused() -> None:
    matrix = make_matrix(np.array([[1, 255], [0, 1], [1, 1]], np.uint8))
    with pytest.raises(InputError, match="1 of 6 answers are missing"):
        run_trials(matrix, ["uniform"], [1], n_trials=1, n_source=1, n_target=2)


def test_a_tie_is_a_tie_whatever_the_items() -> None:
    # Every model answers exactly 7 of 14 train items right, each a different seven; a selection of
    # all but one leaves counts of 6 or 7 of 13, and equal counts must give equal estimates.
    rng = np.random.default_rng(0)
    scores = np.zeros((30, 28), np.uint8)
    for row in scores:
        row[rng.permutation(28)[:14]] = 1
    trials = run_trials(make_matrix(scores), ["uniform"], [13], n_trials=5, n_source=1, n_target=29)
    counts = trials.table["estimate"] * 13
    assert np.unique(trials.table["estimate"]).size == np.unique(np.rint(counts)).size


def test_uniform_sampling_against_every_possible_sample() -> None:
    # Two targets on a train half of 4 items: m0 solves a and b, m1 solves c. Of the 6 samples of
    # size 2, m0 is strictly ahead in {a,b}, {a,d}, {b,d}; tied in {a,c}, {b,c}; behind in {c,d}.
    # So agreement is 3/6; the half is the same in every trial since items i and i+4 are twins.
    first, second = [1, 1, 0, 0], [0, 0, 1, 0]
    ahead = [
        sum(first[i] for i in pair) > sum(second[i] for i in pair)
        for pair in itertools.combinations(range(4), 2)
    ]
    assert sum(ahead) == 3
    twins = make_matrix(
        [first * 2, second * 2, [1] * 8],
        subtasks=["t0", "t1", "t2", "t3"] * 2,
    )
    trials = run_trials(twins, ["uniform"], [2], n_trials=1000, n_source=1, targets=["m0", "m1"])
    curve = agreement(trials).curve()
    assert curve["gap"].tolist() == [25.0] and curve["pairs"].tolist() == [1000]
    # Binomial(1000, 1/2): four standard deviations are 6.3 points.
    assert curve["agreement"].item() == pytest.approx(0.5, abs=0.063)
    assert np.isnan(mdad(agreement(trials))["mdad"].item())


def test_selection_checks_itself() -> None:
    with pytest.raises(InputError, match="unique and ascending"):
        Selection(np.array([1, 1]), np.array([0.5, 0.5]))
    with pytest.raises(InputError, match="sum to 1"):
        Selection(np.array([0, 1]), np.array([0.5, 0.6]))
    with pytest.raises(InputError, match="at least one"):
        Selection(np.array([], dtype=np.int64), np.array([]))
