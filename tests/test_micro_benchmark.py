"""Frozen micro-benchmarks: what is frozen, its JSON round trip, what is refused, exports."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import make_matrix
from hypothesis import given, settings
from hypothesis import strategies as st

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.frozen.freeze import freeze
from mbnb.frozen.micro_benchmark import (
    MicroBenchmark,
    _sha256,
    csv_text,
    ids_text,
    parse_micro_benchmark,
    samples_text,
)
from mbnb.methods.selectors import SELECTORS


def make_board(
    n_models: int = 24, n_items: int = 60, *, confident: bool = False, graded: bool = False
) -> ResponseMatrix:
    """Models of rising ability on items of three subtasks, by a logistic model."""
    rng = np.random.default_rng(5)
    chance = 1 / (1 + np.exp(rng.normal(0, 1.5, n_items) - np.linspace(-2, 2, n_models)[:, None]))
    scores = (rng.random(chance.shape) < chance).astype(np.uint8)
    return make_matrix(
        chance.astype(np.float32) if graded else scores,
        subtasks=[f"s{j % 3}" for j in range(n_items)],
        confidences=chance if confident else None,
        models=[f"m{i:02d}" for i in range(n_models)],
        name="board",
    )


def with_logs(matrix: ResponseMatrix) -> ResponseMatrix:
    """The same with the columns that matrices from logs have; two tasks, indices descending."""
    n = matrix.n_items
    items = matrix.items.assign(
        task=[f"t{j % 2}" for j in range(n)],
        doc_id=[n - j for j in range(n)],
        metric="acc",
        filter="none",
        content=[f"{j:08x}" for j in range(n)],
        n_options=[4.0 if j % 5 else np.nan for j in range(n)],
    )
    return replace(matrix, items=items)


def frozen(**options: Any) -> MicroBenchmark:
    return freeze(make_board(), "uniform", 10, 3, **options)


def test_what_is_frozen() -> None:
    matrix = make_board()
    micro = freeze(matrix, "uniform", 10, 3)
    assert (micro.dataset, micro.n_models, micro.n_items) == ("board", 24, 60)
    assert (micro.selector, micro.estimator, micro.size) == ("uniform", "weighted-mean", 10)
    assert micro.data == matrix.content_hash and len(micro.sha256) == 64
    assert micro.weights.tolist() == [0.1] * 10
    assert micro.item_ids == sorted(set(micro.item_ids)) and len(micro.item_ids) == 10
    assert micro.scores.tolist() == matrix.accuracies().tolist()
    answers = matrix.subset(items=np.array(micro.item_ids, dtype=object)).scores
    assert [m.answers for m in micro.known] == ["".join(map(str, row)) for row in answers]
    assert [i.mean_score for i in micro.items] == pytest.approx(answers.mean(axis=0))
    assert (micro.basis, micro.n_folds, micro.bias) == ("random-items", 0, 0)


@pytest.mark.parametrize("selector", SELECTORS)
def test_every_selector_freezes_and_comes_back_exactly(selector: str) -> None:
    micro = freeze(make_board(confident=True), selector, 12, 1, n_folds=3)
    text = micro.to_json()
    back = parse_micro_benchmark(text)
    assert back == micro and back.to_json() == text and back.sha256 == micro.sha256
    blind = {"uniform": "random-items", "subtask": "same-items"}
    assert micro.basis == blind.get(selector, "folds")
    assert micro.n_folds == (0 if selector in blind else 3)
    assert micro.evidence == ("confidences" if selector == "anchor-points" else "scores")


def test_the_same_data_give_the_same_bytes_in_any_order_and_with_any_workers() -> None:
    matrix = make_board()
    rng = np.random.default_rng(0)
    shuffled = matrix.subset(rng.permutation(24), rng.permutation(60))
    for selector in ("uniform", "anchor-points"):
        text = freeze(matrix, selector, 10, 3, n_folds=3).to_json()
        assert freeze(shuffled, selector, 10, 3, n_folds=3).to_json() == text
        assert freeze(matrix, selector, 10, 4, n_folds=3).to_json() != text
    assert freeze(matrix, "anchor-points", 10, 3, n_folds=3, n_jobs=2).to_json() == text


def test_models_are_left_out_of_the_selection_that_estimates_them() -> None:
    matrix = make_board()
    micro = freeze(matrix, "confidence", 12, 1, n_folds=4)
    folds = np.array([m.fold for m in micro.known])
    assert np.bincount(folds).tolist() == [6, 6, 6, 6]
    # Other answers of the models of fold 0 change what is selected for every fold but theirs.
    scores = matrix.scores.copy()
    scores[folds == 0] = 1 - scores[folds == 0]
    other = freeze(replace(matrix, scores=scores), "confidence", 12, 1, n_folds=4)
    before, after = (
        np.array([m.fold_estimates for m in b.known])[folds != 0] for b in (micro, other)
    )
    assert before[:, 0].tolist() == after[:, 0].tolist()
    assert all((before[:, f] != after[:, f]).any() for f in (1, 2, 3))


def test_an_item_of_a_subtask_counts_for_its_share_of_all_items() -> None:
    matrix = make_board()
    matrix = replace(matrix, items=matrix.items.assign(subtask=["a"] * 6 + ["b"] * 54))
    micro = freeze(matrix, "subtask", 10, 0)
    counts = pd.Series([item.subtask for item in micro.items]).value_counts()
    assert counts.to_dict() == {"a": 5, "b": 5}
    by_hand = {"a": 6 / 60 / 5, "b": 54 / 60 / 5}
    assert micro.weights == pytest.approx([by_hand[item.subtask] for item in micro.items])
    # A subtask without a drawn item is stood for by the others.
    assert freeze(matrix, "subtask", 1, 0).weights.tolist() == [1]


def test_sizes_are_draws_of_their_own_unless_nested() -> None:
    matrix = make_board()

    def ids(size: int, nested: bool) -> set[str]:
        return set(freeze(matrix, "uniform", size, 2, nested=nested).item_ids)

    assert ids(5, True) < ids(10, True) < ids(25, True)
    assert not (ids(5, False) <= ids(10, False) <= ids(25, False))


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"size": 61}, "size 61 .*1 to 60, the items of board"),
        ({"size": 0}, "size 0 "),
        ({"selector": "random"}, "'random'.*uniform"),
        ({"estimator": "median"}, "'median'.*weighted-mean"),
        ({"estimator": "gp-irt"}, "'gp-irt'.*ridge and corrected-mean"),
        ({"seed": -1}, "seed -1 "),
        ({"n_folds": 1}, "n_folds 1 .*2 or more"),
        ({"selector": "subtask", "nested": True}, "subtask; only uniform"),
    ],
)
def test_what_cannot_be_frozen_is_refused(options: dict[str, Any], named: str) -> None:
    with pytest.raises(InputError, match=named):
        freeze(make_board(), **{"selector": "uniform", "size": 5} | options)


def refreeze(text: str, change: Callable[[dict[str, Any]], object]) -> str:
    """The file with a change and a hash that fits it."""
    parts = json.loads(text)
    change(parts)
    parts.pop("sha256", None)
    parts["sha256"] = _sha256(parts)
    return json.dumps(parts)


def test_a_changed_file_is_told() -> None:
    text = frozen().to_json()
    for old, new in (
        ('"seed": 3', '"seed": 4'),
        ('"weight": 0.1', '"weight": 0.10000000000000002'),
        ('"dataset": "board"', '"dataset": "bored"'),
    ):
        assert old in text
        with pytest.raises(InputError, match="was changed after it was frozen"):
            parse_micro_benchmark(text.replace(old, new, 1))
    # Other white space and another order of keys are the same content.
    assert parse_micro_benchmark(json.dumps(json.loads(text), sort_keys=True)) == frozen()


def _set(*path: Any) -> Callable[[Any], object]:
    *places, last, value = path

    def change(parts: Any) -> None:
        for place in places:
            parts = parts[place]
        parts[last] = value

    return change


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (_set("format_version", 2), "format_version"),
        (_set("format_version", True), "format_version"),
        (_set("format", "other"), "'other'"),
        (lambda parts: parts.pop("seed"), "`seed`"),
        (_set("colour", "red"), "`colour`"),
        (_set("size", "10"), r"`int`.*\$.size"),
        (_set("size", 9), "items: 9 are announced, 10 are listed"),
        (_set("n_items", 9), "size is 10; allowed are 1 to 9"),
        (_set("items", 0, "weight", -0.1), r"\$.items\[0\].weight"),
        (_set("items", 0, "weight", 0.2), "weights must sum to 1; given: 1.1"),
        (_set("items", 0, "mean_score", 1.5), "mean_score"),
        (lambda parts: parts["items"][0].update(parts["items"][1]), "items: 10 .* 9 of them"),
        (lambda parts: parts["known"].pop(), "known models: 24 .* 23"),
        (_set("known", 0, "id", "m01"), "known models: 24"),
        (_set("known", 0, "score", 2), r"\$.known\[0\].score"),
        (_set("known", 0, "answers", "01"), "'m00'.* all 10 items"),
        (_set("known", 0, "answers", "01234567ab"), r"\$.known\[0\].answers"),
        (_set("known", 0, "fold", 0), "'m00'.* a fold"),
        (_set("basis", "folds"), "n_folds is 0 with the basis 'folds'"),
        (_set("basis", "faith"), "'faith'"),
        (_set("binary", False), "'random-items' needs binary"),
        (_set("intercept", 0.5), "a coefficient"),
        (_set("seed", -3), r"\$.seed"),
    ],
)
def test_parts_that_do_not_fit_are_refused_even_with_a_fitting_hash(
    change: Callable[[dict[str, Any]], object], named: str
) -> None:
    with pytest.raises(InputError, match=named) as caught:
        parse_micro_benchmark(refreeze(frozen().to_json(), change), "micro.json")
    assert str(caught.value).startswith("micro.json") and str(caught.value).count("\n") == 0


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[" * 200_000,
        "[1]",
        '{"a": NaN}',
        '{"a": ' + "9" * 10_000 + "}",
        frozen().to_json().replace('"board"', r'"\ud800"'),
        frozen().to_json().replace('"board"', '"\ud800"'),
        frozen().to_json().replace('"weight": 0.1', '"weight": 1e999', 1),
    ],
)
def test_hostile_json_is_one_short_sentence(text: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_micro_benchmark(text)
    assert len(str(caught.value)) < 400


TEXT = freeze(make_board(n_models=4, n_items=8), "confidence", 3, n_folds=2).to_json()


@settings(max_examples=300, deadline=None)
@given(
    start=st.integers(0, len(TEXT)),
    length=st.integers(0, 12),
    put=st.one_of(
        st.text(max_size=6),
        st.sampled_from(
            ["null", "[", "{", '"', "-", "1e999", "NaN", "[]", "{}", "true", "\\ud800"]
        ),
    ),
)
def test_a_damaged_file_is_refused_or_unchanged(start: int, length: int, put: str) -> None:
    damaged = TEXT[:start] + put + TEXT[start + length :]
    try:
        assert parse_micro_benchmark(damaged).to_json() == TEXT
    except InputError as error:
        assert "\n" not in str(error).strip()


def test_exports_of_items_from_logs() -> None:
    matrix = with_logs(make_board())
    micro = freeze(matrix, "uniform", 12, 0)
    chosen = matrix.items.loc[micro.item_ids]
    assert parse_micro_benchmark(micro.to_json()) == micro
    samples = json.loads(samples_text(micro))
    assert list(samples) == ["t0", "t1"]
    for task, indices in samples.items():
        assert indices == sorted(chosen.loc[chosen["task"] == task, "doc_id"])
    assert ids_text(micro).splitlines() == micro.item_ids
    lines = csv_text(micro).splitlines()
    assert lines[0] == (
        "item_id,weight,subtask,mean_score,task,doc_id,metric,filter,content,n_options"
    )
    assert len(lines) == 13
    first = dict(zip(lines[0].split(","), lines[1].split(","), strict=True))
    assert first["item_id"] == micro.item_ids[0] and float(first["weight"]) == micro.weights[0]
    options = chosen["n_options"].iloc[0]
    assert first["n_options"] == ("" if np.isnan(options) else "4")
