"""What learnt estimators gain, taken apart; and the tables and figures of it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import mbnb
from mbnb.judge.table import Trials
from mbnb.methods.linear import PENALTIES
from mbnb.study.reasons.covariance import covariance_rule


@pytest.fixture(scope="module")
def matrix() -> mbnb.ResponseMatrix:
    rng = np.random.default_rng(7)
    ability, hard = rng.normal(size=60), rng.normal(size=80)
    sharp = rng.choice([0.0, 2.0], size=80)
    chance = 1 / (1 + np.exp(-(sharp * ability[:, None] - hard)))
    return mbnb.ResponseMatrix(
        scores=(rng.random((60, 80)) < chance).astype(np.uint8),
        models=pd.DataFrame(index=[f"m{number:02}" for number in range(60)]),
        items=pd.DataFrame({"subtask": "all"}, index=[f"i{number:02}" for number in range(80)]),
        name="made",
    )


@pytest.fixture(scope="module")
def trials(matrix: mbnb.ResponseMatrix) -> Trials:
    return mbnb.run_trials(
        matrix,
        ["uniform"],
        [5, 20],
        n_trials=6,
        n_source=40,
        n_target=15,
        estimators=["weighted-mean", "ridge", "corrected-mean"],
    )


def noisy_trials(slope: float, sd: float) -> Trials:
    rng = np.random.default_rng(3)
    accuracy = rng.uniform(0.2, 0.8, size=4000)
    table = pd.DataFrame(
        {
            "selector": pd.Categorical(["uniform"] * 4000),
            "estimator": pd.Categorical(["weighted-mean"] * 4000),
            "size": 10,
            "n_source": 1,
            "trial": np.repeat(np.arange(40), 100),
            "model": pd.Categorical([f"m{number}" for number in range(100)] * 40),
            "train_accuracy": accuracy,
            "heldout_accuracy": accuracy,
            "estimate": 0.1 + slope * accuracy + rng.normal(scale=sd, size=4000),
        }
    )
    return Trials(table, "made", 100, 100, False)


def test_covariance_weights_are_the_direction_of_ridge_under_a_huge_penalty() -> None:
    rng = np.random.default_rng(1)
    answers = (rng.random((30, 12)) < 0.5).astype(float)
    values = answers @ rng.uniform(size=12) + rng.normal(size=30)
    centred = answers - answers.mean(axis=0)
    penalty = 1e6 * PENALTIES[-1]
    ridge = np.linalg.solve(
        centred.T @ centred + penalty * np.eye(12), centred.T @ (values - values.mean())
    )
    told = covariance_rule(answers, values).coefficients
    assert np.allclose(told / np.linalg.norm(told), ridge / np.linalg.norm(ridge), atol=1e-6)


def test_covariance_weights_are_on_the_scale_of_the_accuracies() -> None:
    rng = np.random.default_rng(1)
    answers = (rng.random((30, 12)) < 0.5).astype(float)
    values = answers.mean(axis=1) + rng.normal(scale=0.01, size=30)
    fitted = covariance_rule(answers, values).apply(answers)
    slope, intercept = np.polyfit(fitted, values, 1)
    assert slope == pytest.approx(1)
    assert intercept == pytest.approx(0, abs=1e-9)


def test_items_that_all_answer_alike_have_no_covariance_weight_and_no_correlation() -> None:
    rule = covariance_rule(np.ones((5, 3)), np.linspace(0, 1, 5))
    assert rule.coefficients.tolist() == [0, 0, 0]
    assert rule.intercept == pytest.approx(0.5)


def test_covariance_trials_keep_models_and_accuracies_and_join_with_the_others(
    matrix: mbnb.ResponseMatrix, trials: Trials
) -> None:
    weighed = mbnb.covariance_trials(matrix, trials)
    joined = mbnb.join_trials([trials, weighed])
    assert set(joined.table["estimator"]) == {
        "weighted-mean",
        "ridge",
        "corrected-mean",
        "covariance-weights",
    }
    one = trials.table[trials.table["estimator"] == "ridge"].reset_index(drop=True)
    for column in ("size", "trial", "model", "train_accuracy"):
        assert (weighed.table[column].astype(str) == one[column].astype(str)).all()
    # The same items: on few sources' answers both see the same thing, and tell nearly the same.
    own = np.corrcoef(weighed.table["estimate"], one["estimate"])[0, 1]
    assert own > 0.9


def test_covariance_trials_refuse_trials_of_other_selectors(
    matrix: mbnb.ResponseMatrix, trials: Trials
) -> None:
    other = mbnb.run_trials(matrix, ["diversity"], [5], n_trials=2, n_source=40, n_target=15)
    with pytest.raises(mbnb.InputError, match="covariance weights need trials of uniform"):
        mbnb.covariance_trials(matrix, other)


def test_coefficients_reward_items_that_go_with_the_score(matrix: mbnb.ResponseMatrix) -> None:
    items = mbnb.item_coefficients(matrix, 40)
    for rule in ("covariance-weights", "ridge", "corrected-mean"):
        assert items["correlation"].corr(items[rule]) > 0.5
    exact = [
        np.corrcoef(matrix.scores[:, list(matrix.items.index).index(name)], matrix.accuracies())
        for name in items["item"].head(3)
    ]
    assert items["correlation"].head(3).tolist() == pytest.approx([c[0, 1] for c in exact])


def test_the_noise_of_a_difference_is_found_where_it_is_known() -> None:
    found = mbnb.difference_noise(noisy_trials(slope=0.5, sd=0.04)).iloc[0]
    assert found["slope"] == pytest.approx(0.5, abs=0.02)
    assert found["noise"] == pytest.approx(100 * 0.04 * np.sqrt(2), rel=0.03)
    assert found["blur"] == pytest.approx(found["noise"] / found["slope"])


def test_normal_noise_tells_the_mdad() -> None:
    made = noisy_trials(slope=0.5, sd=0.04)
    expected = mbnb.difference_noise(made)["expected"].iloc[0]
    measured = mbnb.mdad(mbnb.agreement(made), rule="interpolated")["mdad"].iloc[0]
    # Pairs share models, so that one bin is not as sure as its pairs are many.
    assert measured == pytest.approx(expected, abs=1)


def test_targets_that_are_all_equally_good_have_no_slope() -> None:
    made = noisy_trials(slope=0.5, sd=0.04)
    made.table["train_accuracy"] = 0.5
    assert mbnb.difference_noise(made)[["slope", "noise", "blur"]].isna().all(axis=None)


def test_the_lean_of_compressed_scores_changes_sign() -> None:
    lean = mbnb.score_lean(noisy_trials(slope=0.5, sd=0.0))
    assert lean["part"].tolist() == [0, 1, 2, 3, 4]
    assert np.diff(lean["accuracy"]).min() > 0
    # 0.1 + 0.5 a − a is 10 − a/2 points.
    assert np.allclose(lean["lean"], 10 - lean["accuracy"] / 2)


def test_tied_models_tie_on_the_items_and_are_widest_apart(matrix: mbnb.ResponseMatrix) -> None:
    sources = matrix.subset(models=np.arange(40))
    targets = matrix.subset(models=np.arange(40, 60))
    items, pair = mbnb.tied_example(sources, targets, 6)
    assert pair["mean"].iloc[0] == pytest.approx(pair["mean"].iloc[1])
    assert pair["score"].iloc[0] > pair["score"].iloc[1]
    assert items[pair.index].mean().tolist() == pytest.approx(pair["mean"].tolist())
    change = (items[pair.index[0]] - items[pair.index[1]]) @ items["corrected-mean"] / 6
    assert pair["learnt"].iloc[0] - pair["learnt"].iloc[1] == pytest.approx(change)


def test_models_that_never_tie_give_no_example(matrix: mbnb.ResponseMatrix) -> None:
    sources = matrix.subset(models=np.arange(40))
    items, pair = mbnb.tied_example(sources, matrix.subset(models=[41]), 6)
    assert pair.empty
    assert len(items) == 6


def test_gains_set_each_estimator_beside_the_plain_mean(trials: Trials) -> None:
    figures = mbnb.estimator_figures(trials)
    gains = mbnb.estimator_gains(figures)
    assert set(gains["estimator"]) == {"ridge", "corrected-mean"}
    assert len(gains) == 2 * 2 * 2
    row = gains.iloc[0]
    plain = figures[
        (figures["estimator"] == "weighted-mean")
        & (figures["size"] == row["size"])
        & (figures["half"] == row["half"])
    ].iloc[0]
    assert row["plain"] == plain["mdad"] or np.isnan(plain["mdad"])
    assert row["closer"] == pytest.approx(row["close"] - plain["close"])
    assert figures["dataset"].unique().tolist() == ["made, this run"]


def made_gains() -> pd.DataFrame:
    plain = {"estimator": "weighted-mean", "mdad": 10.0, "low": 9.0, "high": 11.0}
    better = {"estimator": "corrected-mean", "mdad": 5.0, "low": 4.0, "high": 6.0}
    rows = [
        {"dataset": name, "n_source": 30, "selector": "uniform", "size": size, "half": half}
        | kind
        | {"mdad": kind["mdad"] * (2 if name == "b" and kind is better else 1)}
        | {"close": 0.5, "error": 3.0, "mdad_half_ties": kind["mdad"], "tau": 0.5}
        for name in ("a", "b")
        for size in (10, 50)
        for half in ("train", "heldout")
        for kind in (plain, better)
    ]
    return mbnb.estimator_gains(pd.DataFrame(rows))


def test_intervals_that_lie_apart_give_a_verdict() -> None:
    gains = made_gains()
    assert (gains["verdict"] == "smaller").all()
    assert gains["ratio"].tolist() == [0.5] * 4 + [1.0] * 4


def test_the_table_of_gains_tells_geometric_means() -> None:
    table = mbnb.gain_table(made_gains())
    assert table.data.loc["Uniform random", "10"] == "−29 → −29"
    assert np.isnan(mbnb.mean_ratio(pd.Series([np.nan])))


def test_a_part_that_was_not_measured_has_no_rows() -> None:
    assert mbnb.better_figures("nothing").empty


def test_figures_show_what_they_are_given(matrix: mbnb.ResponseMatrix, trials: Trials) -> None:
    figures = mbnb.estimator_figures(trials)
    headline = mbnb.draw_headline(figures)
    lines = {line.get_label(): line for line in headline.axes[0].lines}
    expected = figures[
        (figures["half"] == "train") & (figures["estimator"] == "corrected-mean")
    ].sort_values("size")
    told = lines["The same random items, corrected mean"].get_ydata()
    assert np.array_equal(told, expected["mdad"], equal_nan=True)

    lean = mbnb.draw_lean(mbnb.score_lean(trials).query("size == 5"))
    assert {line.get_label() for line in lean.axes[0].lines} >= {"plain mean", "ridge"}

    items = mbnb.item_coefficients(matrix, 40)
    dots = mbnb.draw_coefficients(items).axes[1].collections[0].get_offsets()
    assert np.allclose(dots[:, 1], items["corrected-mean"])

    few = mbnb.draw_few_sources(made_gains())
    assert few.axes[0].lines[0].get_ydata()[0] == pytest.approx(np.sqrt(0.5))

    steps = pd.DataFrame({"step": ["a", "b"], "estimator": "ridge", "size": 10, "mdad": [4.0, 0.0]})
    assert len(mbnb.draw_steps(steps).axes[0].lines) == 2
