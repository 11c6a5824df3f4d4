"""Graded scores and checkpoints: the same code for other numbers than accuracy."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import mbnb
from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.data.training_runs import simulate_runs
from mbnb.judge.agreement import agreement
from mbnb.judge.table import Trials
from mbnb.study.beyond.checkpoints import (
    neighbour_agreement,
    neighbour_disagreement,
    progress_calls,
    smoothed,
)
from mbnb.study.beyond.graded import (
    expected_graded_mdad,
    graded,
    judged_by,
    pair_noise,
    sampled_once,
    size_shares,
    spread,
    tied_share,
)


@pytest.fixture(scope="module")
def answers() -> ResponseMatrix:
    """30 models × 400 items with confidences; a score is right where the confidence is ≥ ½."""
    rng = np.random.default_rng(4)
    chance = 1 / (1 + np.exp(-(rng.normal(0, 0.6, (30, 1)) + rng.normal(0, 1.5, (30, 400)))))
    chance = chance.astype(np.float32)
    return ResponseMatrix(
        (chance >= 0.5).astype(np.uint8),
        pd.DataFrame(index=[f"m{i:02}" for i in range(30)]),
        pd.DataFrame({"subtask": "all"}, index=[f"i{j:03}" for j in range(400)]),
        chance,
        "made",
    )


@pytest.fixture(scope="module")
def training() -> ResponseMatrix:
    return simulate_runs(3, 10, 600, seed=1)


@pytest.fixture(scope="module")
def watched(training: ResponseMatrix) -> Trials:
    targets = training.models.index[training.models["family"] != "sim-run-1"]
    return mbnb.run_trials(
        training, ["uniform"], [20, 100], n_trials=3, n_source=5, targets=list(targets)
    )


@pytest.fixture(scope="module")
def checkpoints(training: ResponseMatrix) -> pd.DataFrame:
    return training.models[training.models["family"] != "sim-run-1"]


# Grades


def test_the_grades_are_the_confidences(answers: ResponseMatrix) -> None:
    matrix = graded(answers)
    assert not matrix.binary and matrix.name == "made graded"
    assert matrix.accuracies() == pytest.approx(answers.confidences.mean(axis=1), abs=1e-6)


def test_a_sample_is_right_as_often_as_its_chance(answers: ResponseMatrix) -> None:
    drawn = [sampled_once(answers, seed) for seed in range(40)]
    share = np.mean([matrix.scores for matrix in drawn], axis=0)
    chance = answers.confidences
    off = (share - chance) / np.sqrt(chance * (1 - chance) / 40)
    assert drawn[0].binary and abs(off.mean()) < 0.05 and off.std() == pytest.approx(1, abs=0.05)
    assert (drawn[0].scores == sampled_once(answers, 0).scores).all()


def test_answers_without_grades_are_refused(answers: ResponseMatrix) -> None:
    bare = ResponseMatrix(answers.scores, answers.models, answers.items, name="bare")
    for ask in (graded, sampled_once):
        with pytest.raises(InputError, match="bare has no confidences"):
            ask(bare)


def test_the_variance_of_right_and_wrong_is_disagreement_less_squared_gap(
    answers: ResponseMatrix,
) -> None:
    noise, pairs = pair_noise(answers), mbnb.compare_pairs(answers)
    assert noise["variance"].to_numpy() == pytest.approx(
        (100 * pairs["disagreement"] - pairs["gap"] ** 2).to_numpy(), abs=1e-3
    )


def test_the_variance_of_a_pair_by_hand() -> None:
    grades = np.array([[1.0, 0.5, 0.0], [0.25, 0.5, 0.0]], dtype=np.float32)
    matrix = ResponseMatrix(
        grades,
        pd.DataFrame(index=["a", "b"]),
        pd.DataFrame({"subtask": "all"}, index=["x", "y", "z"]),
        name="made",
    )
    [row] = pair_noise(matrix).to_dict("records")
    assert row["better"] == "a" and row["gap"] == pytest.approx(25)
    assert row["variance"] == pytest.approx(1e4 * np.var([0.75, 0, 0]))


def test_samples_are_noisier_by_the_noise_of_generation(answers: ResponseMatrix) -> None:
    drawn = pair_noise(sampled_once(answers, 1)).set_index(["better", "worse"])["variance"]
    chance = answers.confidences.astype(float)
    by_model = pd.Series((chance * (1 - chance)).mean(axis=1), index=answers.models.index)
    whole = pair_noise(graded(answers))
    extra = 1e4 * (by_model[whole["better"]].to_numpy() + by_model[whole["worse"]].to_numpy())
    expected = whole["variance"].mean() + extra.mean()
    assert drawn.mean() == pytest.approx(expected, rel=0.02)


def test_the_same_scores_need_the_same_items(answers: ResponseMatrix) -> None:
    assert size_shares(answers, answers)["size_share"].to_numpy() == pytest.approx(1)
    saved = size_shares(sampled_once(answers), graded(answers))
    assert 0.2 < saved["variance_share"].median() < 1


def test_the_formula_for_grades_finds_what_trials_find(answers: ResponseMatrix) -> None:
    matrix = graded(answers)
    trials = mbnb.run_trials(matrix, ["uniform"], [20, 50], n_trials=60, n_source=5, n_target=25)
    found = mbnb.mdad(agreement(trials), min_pairs=60).set_index("size")["mdad"]
    expected = expected_graded_mdad(pair_noise(matrix), [20, 50], trials.n_train)
    assert found.tolist() == pytest.approx(expected.tolist(), abs=1)


def test_grades_hardly_ever_tie_and_counts_do(answers: ResponseMatrix) -> None:
    asked = {"n_trials": 5, "n_source": 5, "n_target": 20}
    right, grades = (
        mbnb.run_trials(matrix, ["uniform"], [10], **asked) for matrix in (answers, graded(answers))
    )
    assert tied_share(grades)["tied"].item() == 0
    table = right.table.assign(count=(10 * right.table["estimate"]).round())
    by_hand = []
    for _, rows in table.groupby("trial"):
        first, second = np.triu_indices(20, 1)
        full, told = (rows[name].to_numpy() for name in ("train_accuracy", "count"))
        apart = full[first] != full[second]
        by_hand.append((told[first] == told[second])[apart])
    assert tied_share(right)["tied"].item() == pytest.approx(np.concatenate(by_hand).mean())


def test_the_spread_is_the_standard_deviation_of_the_targets(answers: ResponseMatrix) -> None:
    trials = mbnb.run_trials(answers, ["uniform"], [10, 20], n_trials=1, n_source=5, n_target=20)
    own = trials.table["train_accuracy"].to_numpy()[:20]
    assert spread(trials) == pytest.approx(100 * own.std())


def test_estimates_can_be_judged_by_other_scores(answers: ResponseMatrix) -> None:
    asked = {"n_trials": 3, "n_source": 5, "n_target": 20}
    one = mbnb.run_trials(sampled_once(answers), ["uniform"], [10, 20], **asked)
    other = mbnb.run_trials(graded(answers), ["uniform"], [10], **asked)
    judged = judged_by(one, other)
    assert not judged.binary
    assert judged.table["estimate"].equals(one.table["estimate"])
    for size in (10, 20):
        own = judged.table[judged.table["size"] == size]
        assert own["train_accuracy"].tolist() == other.table["train_accuracy"].tolist()
    fewer = mbnb.run_trials(graded(answers), ["uniform"], [10], **(asked | {"n_trials": 2}))
    with pytest.raises(InputError, match="have no standing"):
        judged_by(one, fewer)


# Checkpoints


def test_a_run_climbs_to_its_plateau(training: ResponseMatrix) -> None:
    run = training.models[training.models["family"] == "sim-run-1"]
    assert run["step"].tolist() == list(range(1, 11))
    assert run["plateau"].sum() == 4
    assert (np.diff(run["trend"])[:5] > 0).all()
    assert run["trend"][run["plateau"]].nunique() == 1
    accuracies = training.accuracies()[:10]
    assert np.abs(accuracies - run["trend"]).max() < 0.1
    assert all(name.startswith("sim-run-") for name in training.model_ids)


def test_neighbours_answer_more_items_alike_than_distant_checkpoints() -> None:
    def plateau(persistence: float) -> list[float]:
        made = simulate_runs(2, 20, 2_000, plateau=1, persistence=persistence, wobble=0)
        return [neighbour_disagreement(made, lag)["disagreement"].mean() for lag in (1, 8)]

    near, far = plateau(0.9)
    assert near < 0.6 * far
    near, far = plateau(0.0)
    assert near == pytest.approx(far, rel=0.05)


def test_the_trend_is_the_mean_of_many_checkpoints() -> None:
    made = simulate_runs(1, 300, 500, plateau=1, persistence=0, wobble=0)
    assert made.accuracies().mean() == pytest.approx(made.models["trend"].iloc[0], abs=0.003)


def test_agreement_of_neighbours_is_counted_pair_by_pair(
    watched: Trials, checkpoints: pd.DataFrame
) -> None:
    for lag, ties in ((1, "wrong"), (3, "half")):
        counts = neighbour_agreement(watched, checkpoints, lag, ties=ties)
        pairs, agreeing, tied = 0, 0.0, 0
        small = watched.table[watched.table["size"] == 20]
        for _, rows in small.groupby("trial"):
            numbers = rows[["train_accuracy", "estimate"]].set_index(rows["model"].astype(str))
            for run in ("sim-run-2", "sim-run-3"):
                of = numbers.loc[[f"{run}/step-{step:03}" for step in range(1, 11)]].to_numpy()
                for full, told in np.sign(of[lag:] - of[:-lag]):
                    tied += full == 0
                    pairs += full != 0
                    half = 0.5 if ties == "half" and told == 0 else 0
                    agreeing += 0 if full == 0 else (1 if full == told else half)
        assert counts.pairs[0].sum() == pairs
        assert counts.agreeing[0].sum() == agreeing
        assert counts.tied_pairs == tied


def test_all_pairs_of_a_run_of_two_are_its_neighbours() -> None:
    made = simulate_runs(1, 2, 400)
    other = simulate_runs(2, 2, 400, seed=0)
    trials = mbnb.run_trials(
        other, ["uniform"], [30], n_trials=4, n_source=1, targets=list(made.models.index)
    )
    whole, near = agreement(trials), neighbour_agreement(trials, made.models)
    assert (whole.pairs == near.pairs).all() and (whole.agreeing == near.agreeing).all()


def test_smoothing_takes_the_mean_of_the_last_checkpoints(
    watched: Trials, checkpoints: pd.DataFrame
) -> None:
    steady = smoothed(watched, checkpoints, 3)
    assert steady.n_target == 16 and not steady.binary

    def estimates(trials: Trials) -> pd.Series:
        own = trials.table[(trials.table["size"] == 100) & (trials.table["trial"] == 2)]
        return own.set_index(own["model"].astype(str))["estimate"]

    before, after = estimates(watched), estimates(steady)
    last = [f"sim-run-3/step-{step:03}" for step in (5, 6, 7)]
    assert after[last[-1]] == pytest.approx(before[last].mean())
    assert "sim-run-3/step-002" not in after
    pd.testing.assert_frame_equal(smoothed(watched, checkpoints, 1).table, watched.table)


def test_progress_is_called_by_the_rule(watched: Trials, checkpoints: pd.DataFrame) -> None:
    called = progress_calls(watched, checkpoints, 0.1).set_index(["rule", "size"])
    table = watched.table[watched.table["size"] == 20]
    wide = table.assign(model=table["model"].astype(str)).pivot(
        index="trial", columns="model", values="estimate"
    )
    margin = 1.6448536 * np.sqrt(0.1 * (1 / 20 - 1 / watched.n_train))
    for rule, least in (("any gain", 1e-12), ("beyond noise", margin)):
        flat, climbs = [], []
        for run in ("sim-run-2", "sim-run-3"):
            for step in range(1, 10):
                late, early = (wide[f"{run}/step-{s:03}"] for s in (step + 1, step))
                if step != 6:
                    (flat if step > 6 else climbs).append((late - early > least).mean())
        row = called.loc[(rule, 20)]
        assert row["false_alarms"] == pytest.approx(np.mean(flat))
        assert row["found"] == pytest.approx(np.mean(climbs))


def test_the_rule_beyond_noise_keeps_its_level_where_nothing_wobbles() -> None:
    made = simulate_runs(2, 30, 1_500, plateau=1, wobble=0, seed=2)
    run = made.models[made.models["family"] == "sim-run-2"]
    trials = mbnb.run_trials(
        made, ["uniform"], [200], n_trials=40, n_source=5, targets=list(run.index)
    )
    rate = neighbour_disagreement(made)["disagreement"].mean() / 100
    called = progress_calls(trials, run, rate).set_index("rule")["false_alarms"]
    assert called["beyond noise"] < 0.09
    assert 0.35 < called["any gain"] < 0.55


@pytest.mark.parametrize(
    ("lag", "message"), [(0, "a lag of 0"), (-1, "0 checkpoints in a row"), (10, "more than 10")]
)
def test_pairs_that_no_run_has_are_refused(
    watched: Trials, checkpoints: pd.DataFrame, lag: int, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        neighbour_agreement(watched, checkpoints, lag)


def test_what_is_no_checkpoint_is_refused(
    watched: Trials, training: ResponseMatrix, checkpoints: pd.DataFrame
) -> None:
    with pytest.raises(InputError, match=r"10 checkpoints are no targets.*sim-run-1/step-001"):
        neighbour_agreement(watched, training.models)
    with pytest.raises(InputError, match="need a column 'step'"):
        neighbour_agreement(watched, checkpoints.drop(columns="step"))
    drawn = mbnb.run_trials(training, ["uniform"], [10], n_trials=3, n_source=5, n_target=9)
    with pytest.raises(InputError, match="not the same in every trial"):
        neighbour_agreement(drawn, checkpoints)


@pytest.mark.parametrize(
    "changed", [{"n_runs": 0}, {"persistence": 1.0}, {"plateau": 1.5}, {"wobble": -1.0}]
)
def test_a_run_that_cannot_be_is_refused(changed: dict) -> None:
    with pytest.raises(InputError, match="allowed are at least 1 run"):
        simulate_runs(**changed)
