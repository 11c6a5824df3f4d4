"""Scoring new models: intervals, paired tests, places, what is refused, and whether it holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import make_matrix
from scipy.stats import binomtest, hypergeom
from test_micro_benchmark import make_board, with_logs

from mbnb.data.errors import InputError
from mbnb.data.profiles import read_profile
from mbnb.data.responses import ResponseMatrix
from mbnb.data.simulate import simulate
from mbnb.frozen.freeze import freeze
from mbnb.frozen.intervals import (
    error_bounds,
    exact_interval,
    gap_bound,
    models_needed,
    paired_test,
)
from mbnb.frozen.micro_benchmark import read_micro_benchmark
from mbnb.frozen.scoring import score, typical_interval
from mbnb.methods.estimators import estimate
from mbnb.methods.selectors import SELECTORS, Selection

# The interval of a random draw


@pytest.mark.parametrize(
    ("n_items", "size"), [(1, 1), (12, 5), (40, 1), (40, 10), (60, 59), (60, 60)]
)
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_the_exact_interval_covers_every_true_count(n_items: int, size: int, level: float) -> None:
    ends = [exact_interval(correct, size, n_items, level) for correct in range(size + 1)]
    worst = 1.0
    for count in range(n_items + 1):
        chances = hypergeom.pmf(np.arange(size + 1), n_items, count, size)
        covered = [low <= count / n_items <= high for low, high in ends]
        worst = min(worst, chances[covered].sum())
    assert worst >= level - 1e-9
    # Neither end may be moved in by one item: the rule is as tight as it can be.
    tail = (1 - level) / 2
    for correct, (low, high) in enumerate(ends):
        least, most = round(low * n_items), round(high * n_items)
        assert least == correct or hypergeom.sf(correct - 1, n_items, least - 1, size) <= tail
        assert (
            most == n_items - size + correct
            or hypergeom.cdf(correct, n_items, most + 1, size) <= tail
        )


# Pairs


def test_mcnemar_by_hand() -> None:
    # 25 items decide; 5 or fewer of them for one: (1 + 25 + … + 53130) / 2^25, twice.
    assert paired_test(5, 20) == pytest.approx(2 * 68406 / 2**25)
    assert (
        paired_test(5, 20)
        == pytest.approx(binomtest(5, 25).pvalue)
        == pytest.approx(0.004077, abs=1e-6)
    )
    wins, losses = np.array([20, 0, 3, 1]), np.array([5, 0, 3, 0])
    assert paired_test(wins, losses).tolist() == pytest.approx([0.004077, 1, 1, 1], abs=1e-6)


def test_equal_models_are_told_apart_no_more_often_than_stated() -> None:
    # Exact: every m for which both models win m of 30 items, 12 drawn; the draw's chances by
    # the multivariate hypergeometric.
    n_items, size = 30, 12
    table = np.array([[float(paired_test(b, c, n_items - size)) if b + c <= size else 1.0
                       for c in range(size + 1)] for b in range(size + 1)])  # fmt: skip
    for alpha in (0.05, 0.2):
        most = 0.0
        for m in range(n_items // 2 + 1):
            named = 0.0
            for b in range(min(m, size) + 1):
                first = hypergeom.pmf(b, n_items, m, size)
                left = np.arange(size - b + 1)
                rest = hypergeom.pmf(left, n_items - m, m, size - b)
                named += first * rest[table[b, : size - b + 1] <= alpha].sum()
            most = max(most, named)
        assert 0 < most <= alpha


# What known models' errors say of a new one's


def test_error_bounds_by_hand() -> None:
    errors = np.arange(1, 40) / 100  # 39 models: 2.5 % of 40 is one on either side
    assert error_bounds(errors) == (0.01, 0.39)
    assert error_bounds(np.arange(1, 80) / 100) == (0.02, 0.78)
    # 38 models allow 5 % on one side only: symmetric.
    assert error_bounds(errors[:38]) == (-0.38, 0.38)
    assert error_bounds(errors[:18]) == (-np.inf, np.inf)
    assert models_needed(0.95) == 19 and models_needed(0.8) == 4
    assert error_bounds(errors[:19])[1] == 0.19


def test_gap_bound_is_the_quantile_of_all_pairs() -> None:
    rng = np.random.default_rng(2)
    errors = rng.normal(0, 0.05, 60)
    gaps = np.abs(errors[:, None] - errors[None])[~np.eye(60, dtype=bool)].reshape(60, 59)
    bound = gap_bound([(errors, errors)], 0.9, own=True)
    # 61 count, the new model among them with infinite errors: 0.9 × 61 of 60.
    assert (gaps <= bound).mean() >= 0.9 * 61 / 60 - 1e-9
    assert (gaps < bound - 1e-6).mean() < 0.9 * 61 / 60
    left, known = errors[:20], errors[20:]
    bound = gap_bound([(left, known)], 0.9)
    share = (np.abs(left[:, None] - known) <= bound).mean()
    assert 0.9 * 21 / 20 - 1e-9 <= share < 0.9 * 21 / 20 + 0.01
    assert gap_bound([(left[:18], known)], 0.95) == np.inf
    assert gap_bound([(np.zeros(30), np.zeros(30))], 0.95, own=True) < 1e-8


# Scoring


@pytest.fixture
def board() -> ResponseMatrix:
    return make_board(n_models=40)


def halves(board: ResponseMatrix, selector: str = "uniform", size: int = 30, **options: Any):
    """A micro-benchmark of the even models, and the odd ones' answers to its items."""
    micro = freeze(board.subset(models=np.arange(0, 40, 2)), selector, size, 1, **options)
    new = board.subset(models=np.arange(1, 40, 2))
    return micro, new.subset(items=np.array(micro.item_ids, dtype=object))


def test_a_new_model_by_hand() -> None:
    known = make_matrix(
        [[1] * 20, [1] * 12 + [0] * 8, [1] * 12 + [0] * 8, [0] * 20],
        models=["all", "some", "same", "none"],
    )
    micro = freeze(known, "uniform", 20)
    answers = dict(zip(micro.item_ids, [1] * 12 + [0] * 8, strict=True))
    result = score(micro, answers, model="new", unlike="accept")
    # All items were drawn: the score is known.
    assert (result.model, result.estimate, result.low, result.high) == ("new", 0.6, 0.6, 0.6)
    assert result.pairs["model"].tolist() == ["all", "same", "some", "none"]
    assert result.pairs["place"].tolist() == [1, 2, 2, 4]
    verdicts = ["below", "not told apart", "not told apart", "above"]
    assert result.pairs["verdict"].tolist() == verdicts
    assert result.pairs["wins"].tolist() == [0, 0, 0, 12]
    assert result.pairs["losses"].tolist() == [8, 0, 0, 0]
    # Equal with “same” and “some”, with whom it shares place 2.
    assert (result.place, result.best_place, result.worst_place) == (2, 2, 4)
    assert result.not_told_apart["model"].tolist() == ["same", "some"]
    assert result.known_score is None and "Items were matched by their ids alone." in result.notes


@pytest.mark.parametrize("selector", ["uniform", "subtask", "confidence", "anchor-points"])
def test_answers_are_matched_by_id_in_any_order(board: ResponseMatrix, selector: str) -> None:
    micro, new = halves(board, selector, n_folds=4)
    plain = score(micro, new)
    shuffled = score(micro, new.subset(items=np.random.default_rng(0).permutation(30)))
    for one, other in zip(plain, shuffled, strict=True):
        assert (one.model, one.estimate, one.low, one.high) == (
            *(other.model, other.estimate),
            *(other.low, other.high),
        )
        pd.testing.assert_frame_equal(one.pairs, other.pairs)
        assert 0 <= one.low <= one.estimate <= one.high <= 1
        assert one.best_place <= one.place <= one.worst_place
    row = dict(zip(new.item_ids, new.scores[3].tolist(), strict=True))
    for answers in (row, pd.Series(row)[::-1]):
        single = score(micro, answers, model=plain[3].model)
        assert (single.estimate, single.low) == (plain[3].estimate, plain[3].low)


def test_too_few_known_models_claim_nothing() -> None:
    board = make_board(n_models=12)
    micro = freeze(board, "subtask", 30)
    [result, *_] = score(micro, board.subset(items=np.array(micro.item_ids, dtype=object)))
    assert (result.low, result.high) == (0, 1)
    assert "12 known models are too few for an interval of 95 %: 19 are needed" in result.basis
    assert set(result.pairs["verdict"]) == {"not told apart"}
    assert (result.best_place, result.worst_place) == (1, 12)
    [result, *_] = score(
        micro, board.subset(items=np.array(micro.item_ids, dtype=object)), level=0.8
    )
    assert 0 < result.high - result.low < 1


def test_a_known_model_is_told_and_not_compared_with_itself(board: ResponseMatrix) -> None:
    micro = freeze(board, "uniform", 30)
    part = board.subset(models=["m10"], items=np.array(micro.item_ids, dtype=object))
    [result] = score(micro, part)
    assert result.known_score == board.accuracies()[10]
    assert len(result.pairs) == 39 and "m10" not in set(result.pairs["model"])
    assert result.notes[0].startswith("m10 is itself one of the known models: its full score is")


def test_confidences_are_what_the_estimator_needs() -> None:
    board = make_board(n_models=40, confident=True)
    micro, new = halves(board, "anchor-points", n_folds=4)
    weighted = new.confidences.astype(np.float64) @ micro.weights - micro.bias
    found = [(r.estimate, r.low, r.high) for r in score(micro, new)]
    expected = [np.clip(w, low, high) for w, (_, low, high) in zip(weighted, found, strict=True)]
    assert [e for e, _, _ in found] == pytest.approx(expected)
    assert any("a mean of confidences" in note for note in score(micro, new)[0].notes)
    bare = replace(new, confidences=None)
    with pytest.raises(InputError, match="has no confidences, but the estimator confidence-mean"):
        score(micro, bare)
    scores = dict(zip(new.item_ids, new.scores[0].tolist(), strict=True))
    confidences = dict(zip(new.item_ids, new.confidences[0].tolist(), strict=True))
    single = score(micro, scores, confidences=confidences)
    assert single.estimate == pytest.approx(expected[0])
    confidences.pop(new.item_ids[0])
    with pytest.raises(InputError, match="answers and confidences differ in 1 item ids"):
        score(micro, scores, confidences=confidences)
    # Frozen on scores, confidences are not looked at.
    micro, new = halves(replace(board, confidences=None), "anchor-points", n_folds=4)
    loud = replace(new, confidences=np.ones(new.scores.shape, np.float32))
    assert [r.estimate for r in score(micro, loud)] == [r.estimate for r in score(micro, new)]


# The estimate

SKEWED = [10, 90, 10]


def skewed_board(n_models: int = 66) -> ResponseMatrix:
    """Subtasks of 10, 90 and 10 items; the large one is much harder than the small ones."""
    rng = np.random.default_rng(8)
    hardness = np.repeat([-2.0, 0.8, -2.0], SKEWED) + rng.normal(0, 1, sum(SKEWED))
    lead = rng.normal(0, 1, n_models)[:, None] - hardness
    return make_matrix(
        (rng.random(lead.shape) < 1 / (1 + np.exp(-lead))).astype(np.uint8),
        subtasks=[name for name, n in zip("abc", SKEWED, strict=True) for _ in range(n)],
    )


@pytest.mark.parametrize("selector", [*SELECTORS, "close-pairs"])
def test_an_estimate_is_of_the_score_over_all_items_and_lies_in_its_interval(
    selector: str,
) -> None:
    board = skewed_board()
    known, new = board.subset(models=np.arange(45)), board.subset(models=np.arange(45, 66))
    errors = []
    for seed in range(3):
        micro = freeze(known, selector, 30, seed, n_folds=5)
        results = score(micro, new, extra="ignore", unlike="accept")
        assert all(r.low <= r.estimate <= r.high for r in results)
        errors += [r.estimate - t for r, t in zip(results, new.accuracies(), strict=True)]
    # Equal quotas and a plain mean would be 20 points too high.
    assert abs(np.mean(errors)) < 0.05 and np.abs(errors).mean() < 0.08


# What is refused


def test_wrong_missing_and_surplus_items_are_errors(board: ResponseMatrix) -> None:
    micro, new = halves(board)
    with pytest.raises(
        InputError, match="board: 2 of the micro-benchmark's 30 items are not there"
    ):
        score(micro, new.subset(items=np.arange(2, 30)))
    whole = board.subset(models=[1, 3])
    with pytest.raises(
        InputError, match="30 of its 60 items are not in the micro-b.*--extra ignore"
    ):
        score(micro, whole)
    [result, _] = score(micro, whole, extra="ignore")
    assert result.estimate == score(micro, new)[0].estimate
    assert "30 items beyond the micro-benchmark's were ignored." in result.notes
    renamed = new.items.rename(index={new.item_ids[4]: "other"})
    with pytest.raises(InputError, match=f"1 of .* not there .first: '{new.item_ids[4]}'"):
        score(micro, replace(new, items=renamed))
    # The first thirty items are not the thirty that were drawn, however many they are.
    with pytest.raises(InputError, match="items are not there"):
        score(micro, whole.subset(items=np.arange(30)), extra="ignore")
    scores = new.scores.copy()
    scores[2, 5] = 255
    with pytest.raises(
        InputError, match=f"1 answers .* missing .first: model 'm05', item '{new.item_ids[5]}'"
    ):
        score(micro, replace(new, scores=scores))


def test_another_item_under_the_same_id_is_an_error() -> None:
    micro, new = halves(with_logs(make_board(n_models=40)))
    assert "Items were matched by their ids alone." not in score(micro, new)[0].notes
    ids = list(new.item_ids)
    ids[0], ids[1] = ids[1], ids[0]
    permuted = replace(new, items=new.items.set_axis(pd.Index(ids, name="item_id")))
    a, b = (new.items.loc[i, "content"] for i in ids[:2])
    with pytest.raises(
        InputError, match=f"item '.*' has the content '({a}|{b})', but was frozen with '({a}|{b})'"
    ):
        score(micro, permuted)
    for column, value in (("metric", "acc_norm"), ("filter", "strict-match")):
        other = replace(new, items=new.items.assign(**{column: value}))
        with pytest.raises(InputError, match=f"has the {column} '{value}', but was frozen with"):
            score(micro, other)
    # What one side does not know is not compared.
    score(micro, replace(new, items=new.items[["subtask"]]))


def test_permuted_ids_show_where_content_is_not_known() -> None:
    # Difficulties so far apart that every model's answers go with the others'.
    rng = np.random.default_rng(6)
    lead = np.linspace(-2, 2, 40)[:, None] - rng.normal(0, 4, 60)
    scores = (rng.random(lead.shape) < 1 / (1 + np.exp(-lead))).astype(np.uint8)
    micro, new = halves(make_matrix(scores, models=[f"m{i:02d}" for i in range(40)]), size=50)
    assert micro.unrelated_share <= 0.05
    shift = new.items.set_axis(pd.Index(np.roll(new.item_ids, 7), name="item_id"))
    middle = replace(new, items=shift).subset(models=[10])
    with pytest.raises(InputError, match="the answers of 'm21' look shuffled.*--unlike accept"):
        score(micro, middle)
    [result] = score(micro, middle, unlike="accept")
    assert any("check the ids" in note for note in result.notes)
    # Of a model with the same answer everywhere nothing can be said.
    flat = replace(new, scores=np.ones_like(new.scores)).subset(models=[0])
    assert score(micro, flat)[0].estimate == 1


def test_graded_answers_to_a_binary_benchmark_are_an_error(board: ResponseMatrix) -> None:
    micro, new = halves(board)
    scores = new.scores.astype(np.float32)
    scores[1, 2] = 0.5
    with pytest.raises(
        InputError, match="1 scores are neither 0 nor 1 .first: 0.5 for model 'm03'"
    ):
        score(micro, replace(new, scores=scores))
    whole = replace(new, scores=new.scores.astype(np.float32))
    assert score(micro, whole)[0].low == score(micro, new)[0].low
    graded = make_board(n_models=40, graded=True)
    micro, part = halves(graded)
    assert micro.basis == "same-items" and not micro.binary
    wholes = replace(part, scores=np.rint(part.scores)).subset(models=[5])
    assert any("known models' scores are graded" in note for note in score(micro, wholes)[0].notes)


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ([1, 0, 1], "answers are of type list, without item ids; give a dict or Series"),
        (np.ones(30), "answers are of type ndarray, without item ids"),
        (pd.Series(np.ones(30)), "labelled by 30 values that are no item ids .first: 0"),
        ({}, "labelled by 0 values"),
        ({"a": "1"}, "answers for item 'a': '1' is no number"),
        ({"a": 1.5}, "1 scores are out of range .first: 1.5"),
        (pd.Series([1, 0], index=["a", "a"]), "1 item ids more than once .first: 'a'"),
        ({"nowhere": 1}, "30 of the micro-benchmark's 30 items are not there"),
    ],
)
def test_answers_without_ids_are_refused(board: ResponseMatrix, answers: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        score(halves(board)[0], answers)


# Whether it holds


def repeat(
    matrix: ResponseMatrix, selector: str, size: int, n: int, level: float
) -> tuple[float, float, float]:
    """Leave 20 models out, freeze on the rest, score them; n times.

    Returns the share of full scores inside their interval, its standard error (repetitions are
    independent, models of one are not), and the share of pairs that are told apart the wrong way
    round.
    """
    covered, wrong, pairs = [], 0, 0
    for repetition in range(n):
        order = np.random.default_rng([11, repetition]).permutation(matrix.n_models)
        micro = freeze(matrix.subset(models=np.sort(order[20:])), selector, size, repetition)
        new = matrix.subset(models=np.sort(order[:20]))
        truth = dict(zip(new.model_ids, new.accuracies(), strict=True))
        results = score(micro, new, level=level, extra="ignore", unlike="accept")
        covered.append(np.mean([r.low - 1e-9 <= truth[r.model] <= r.high + 1e-9 for r in results]))
        for result in results:
            lead = truth[result.model] - result.pairs["score"]
            verdict = result.pairs["verdict"]
            pairs += len(lead)
            wrong += int(((verdict == "above") & (lead <= 0)).sum())
            wrong += int(((verdict == "below") & (lead >= 0)).sum())
    return float(np.mean(covered)), float(np.std(covered) / np.sqrt(n)), wrong / pairs


@pytest.mark.slow
@pytest.mark.parametrize(
    ("selector", "size", "n", "level"),
    [("uniform", 100, 30, 0.95), ("subtask", 60, 40, 0.8), ("anchor-points", 50, 8, 0.8)],
)
def test_intervals_hold_what_they_claim_on_real_answers(
    real_data: Callable[[str], ResponseMatrix], selector: str, size: int, n: int, level: float
) -> None:
    share, error, wrong = repeat(real_data("bigcodebench"), selector, size, n, level)
    assert share >= level - 3 * error, f"{share:.3f} ± {error:.3f}"
    # An interval that always held would be none.
    assert share < 0.995
    assert wrong <= 1 - level


@pytest.mark.parametrize("selector", ["uniform", "close-pairs"])
def test_a_learnt_estimate_is_frozen_and_scored_as_it_was_learnt(
    selector: str, tmp_path: Path
) -> None:
    matrix = simulate(read_profile("gpqa")).subset(models=np.arange(60))
    known, new = matrix.subset(models=np.arange(50)), matrix.subset(models=np.arange(50, 60))
    micro = freeze(known, selector, 20, estimator="corrected-mean", n_folds=5)
    path = tmp_path / "micro.json"
    path.write_text(micro.to_json())
    again = read_micro_benchmark(path)
    assert again == micro, "a file says all that was learnt"
    chosen = np.isin(new.item_ids, micro.item_ids)
    scored = score(again, new.subset(items=chosen))
    selection = Selection.of(np.flatnonzero(np.isin(known.item_ids, micro.item_ids)))
    expected = estimate("corrected-mean", selection, new, known)
    told = [one.estimate for one in scored]
    expected = np.clip(expected, 0, 1) - micro.bias
    np.testing.assert_allclose(told, np.clip(expected, 0, 1), atol=1e-9)
    assert micro.basis == "folds", "models that were learnt from are not new"
    assert all(one.low <= one.estimate <= one.high for one in scored)
    plain = freeze(known, selector, 20, estimator="weighted-mean", n_folds=5)
    assert plain.learnt is None
    assert "coefficient" not in plain.to_json()
    wide, narrow = (np.ptp(typical_interval(one)) for one in (plain, micro))
    assert narrow < wide
