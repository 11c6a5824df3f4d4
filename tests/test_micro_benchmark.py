"""Frozen micro-benchmarks: what is frozen, its JSON round trip, what is refused, exports."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pandas as pd
import pytest
from conftest import make_matrix
from hypothesis import given, settings
from hypothesis import strategies as st

from mbnb.data import micro_benchmark
from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.data.strict_json import content_sha256
from mbnb.frozen.exports import csv_text, ids_text, samples_text
from mbnb.frozen.freeze import freeze
from mbnb.frozen.micro_benchmark import (
    MicroBenchmark,
    parse_micro_benchmark,
    read_micro_benchmark,
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
    assert (micro.selector, micro.estimator, micro.size, micro.seed) == (
        *("uniform", "weighted-mean"),
        *(10, 3),
    )
    assert micro.data == matrix.content_hash and len(micro.sha256) == 64
    assert micro.weights.tolist() == [0.1] * 10
    assert micro.item_ids == sorted(set(micro.item_ids)) and len(micro.item_ids) == 10
    assert [m.score for m in micro.known] == matrix.accuracies().tolist()
    answers = matrix.subset(items=np.array(micro.item_ids, dtype=object)).scores
    assert [m.answers for m in micro.known] == ["".join(map(str, row)) for row in answers]
    assert [i.mean_score for i in micro.items] == pytest.approx(answers.mean(axis=0))
    assert micro.basis == "random-items" and micro.n_folds == 0


@pytest.mark.parametrize("selector", SELECTORS)
def test_every_selector_freezes_and_comes_back_exactly(selector: str) -> None:
    micro = freeze(make_board(confident=True), selector, 12, 1, n_folds=3)
    text = micro.to_json()
    back = parse_micro_benchmark(text)
    assert back == micro and back.to_json() == text and back.sha256 == micro.sha256
    looks = selector not in ("uniform", "subtask")
    assert micro.basis == (
        "folds" if looks else "same-items" if selector == "subtask" else back.basis
    )
    assert micro.n_folds == (3 if looks else 0)
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


def test_a_selection_of_all_items_estimates_without_error() -> None:
    micro = freeze(make_board(), "confidence", 60, 0, n_folds=3)
    for model in micro.known:
        assert model.estimate == pytest.approx(model.score, abs=1e-12)
        assert model.fold_estimates == pytest.approx([model.score] * 3, abs=1e-12)


def test_sizes_are_draws_of_their_own_unless_nested() -> None:
    matrix = make_board()

    def ids(size: int, nested: bool) -> set[str]:
        return set(freeze(matrix, "uniform", size, 2, nested=nested).item_ids)

    assert ids(5, True) < ids(10, True) < ids(25, True)
    assert not (ids(5, False) <= ids(10, False) <= ids(25, False))
    with pytest.raises(InputError, match="not possible for subtask; only uniform can be nested"):
        freeze(matrix, "subtask", 5, nested=True)


def test_uniform_items_come_from_every_position_alike() -> None:
    # 600 draws of 10 from 60: each item some 100 times. Taking the first would be told at once.
    matrix = make_board(n_models=2)
    counts = pd.Series(0, index=matrix.item_ids)
    for seed in range(600):
        counts[freeze(matrix, "uniform", 10, seed).item_ids] += 1
    # Variance of each is 600 × (1/6) × (5/6); 59 free.
    squares = ((counts - 100) ** 2).sum() / (600 * 5 / 36) * (59 / 60)
    assert 30 < squares < 100


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 61}, "size 61 is not possible: board has 60 items; allowed are 1 to 60"),
        ({"size": 0}, "size 0 is not possible"),
        ({"selector": "random"}, "selector 'random' is unknown; known: uniform"),
        ({"estimator": "median"}, "estimator 'median' is unknown; known: weighted-mean"),
        ({"seed": -1}, "seed -1 is not possible"),
        ({"n_folds": 1}, "1 folds are not possible; allowed are 2 or more"),
    ],
)
def test_what_cannot_be_frozen_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        freeze(make_board(), **{"selector": "uniform", "size": 5} | options)


def test_missing_answers_are_refused() -> None:
    matrix = make_board()
    scores = matrix.scores.copy()
    scores[1, 2] = 255
    with pytest.raises(InputError, match="1 of 1440 answers are missing.*choose a policy"):
        freeze(replace(matrix, scores=scores), "uniform", 5)


def test_one_model_cannot_be_left_out() -> None:
    with pytest.raises(InputError, match="board has 1 models; confidence needs at least 2"):
        freeze(make_board(n_models=1), "confidence", 5)


def test_scores_that_stand_in_for_confidences_are_told() -> None:
    micro = freeze(make_board(), "uniform", 5, estimator="confidence-mean", notes=("First.",))
    assert micro.evidence == "scores"
    assert micro.notes == ("First.", "The matrix has no confidences; scores stand in for them.")


def refreeze(text: str, change: Callable[[dict[str, Any]], object]) -> str:
    """The file with a change and a hash that fits it."""
    parts = json.loads(text)
    change(parts)
    parts.pop("sha256", None)
    parts["sha256"] = content_sha256(parts)
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
    without = {k: v for k, v in json.loads(text).items() if k != "sha256"}
    with pytest.raises(InputError, match="was changed after it was frozen"):
        parse_micro_benchmark(json.dumps(without))
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
    ("change", "message"),
    [
        (_set("format_version", 2), "has format_version 2; this mbnb reads version 1"),
        (_set("format_version", True), "has format_version True"),
        (_set("format", "other"), 'is no micro-benchmark: it must be a JSON object with "format"'),
        (lambda parts: parts.pop("seed"), "missing required field `seed`"),
        (_set("colour", "red"), "unknown field `colour`"),
        (_set("size", "10"), r"Expected `int`, got `str` - at `\$.size`"),
        (_set("size", 9), "a micro-benchmark of size 9 of 60 items lists 10"),
        (_set("items", 0, "weight", -0.1), "weights must be non-negative and sum to 1; given: min"),
        (_set("items", 0, "weight", 0.2), "sum to 1; given: minimum 0.1, sum 1.1"),
        (_set("items", 0, "mean_score", 1.5), "the mean_score of item '.*' is 1.5"),
        (
            lambda parts: parts["items"][0].update(parts["items"][1]),
            "item id '.*' stands more than",
        ),
        (lambda parts: parts["known"].pop(), "of 24 known models lists 23"),
        (_set("known", 0, "id", "m01"), "model id 'm01' stands more than once"),
        (_set("known", 0, "score", 2), "the score of known model 'm00' is 2.0"),
        (
            _set("known", 0, "answers", "01"),
            "answers of known model 'm00' must be 10 digits 0 or 1",
        ),
        (_set("known", 0, "answers", "01234567ab"), "must be 10 digits 0 or 1"),
        (_set("known", 0, "fold", 0), "fold and fold_estimates of known model 'm00' must be"),
        (_set("basis", "folds"), "n_folds is 0 and seed 3 with basis 'folds'"),
        (_set("basis", "faith"), "Invalid enum value 'faith'"),
        (_set("binary", False), "the basis 'random-items' needs binary scores"),
        (_set("seed", -3), "seed -3"),
    ],
)
def test_parts_that_do_not_fit_are_refused_even_with_a_fitting_hash(
    change: Callable[[dict[str, Any]], object], message: str
) -> None:
    with pytest.raises(InputError, match=message) as caught:
        parse_micro_benchmark(refreeze(frozen().to_json(), change), "micro.json")
    assert str(caught.value).startswith("micro.json") and str(caught.value).count("\n") == 0
    assert str(caught.value).endswith(".") and not str(caught.value).endswith("..")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "cannot be read as JSON"),
        ("[" * 200_000, "nested too deeply"),
        ("[1]", "is no micro-benchmark"),
        ("null", "is no micro-benchmark"),
        ('{"a": NaN}', "NaN is not JSON"),
        ('{"a": -Infinity}', "-Infinity is not JSON"),
        ('{"a": 1, "a": 2}', "the key 'a' stands twice"),
        ('{"a": ' + "9" * 10_000 + "}", "a whole number has 10000 digits"),
        (frozen().to_json().replace('"board"', r'"\ud800"'), "holds half a surrogate pair"),
        (frozen().to_json().replace('"weight": 0.1', '"weight": 1e999', 1), "not JSON compliant"),
    ],
)
def test_hostile_json_is_one_sentence(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
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


def test_reading_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "micro.json"
    with pytest.raises(InputError, match="micro.json cannot be read: No such file"):
        read_micro_benchmark(path)
    path.write_bytes(b"\xff\xfe{}")
    with pytest.raises(InputError, match="micro.json is not UTF-8 text"):
        read_micro_benchmark(path)
    micro = frozen()
    path.write_text(micro.to_json(), encoding="utf-8-sig")
    assert read_micro_benchmark(path) == micro
    monkeypatch.setattr(micro_benchmark, "MOST_BYTES", 100)
    with pytest.raises(InputError, match=r"micro.json has \d+ bytes; .* at most 100"):
        read_micro_benchmark(path)


def test_strange_ids_survive() -> None:
    names = ["a,b", 'q"uote', "häß🙂", "\u2028", "x" * 300]
    matrix = make_matrix([[0, 1, 1, 0, 1], [1, 1, 0, 0, 1]], items=names)
    micro = freeze(matrix, "uniform", 5)
    assert parse_micro_benchmark(micro.to_json()) == micro
    assert sorted(micro.item_ids) == sorted(names)


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


def test_exports_that_are_not_possible_say_why() -> None:
    micro = frozen()
    with pytest.raises(InputError, match="item '.*' has task none and doc_id none; the harness's"):
        samples_text(micro)
    assert csv_text(micro).splitlines()[0] == "item_id,weight,subtask,mean_score"
    logged = freeze(with_logs(make_board()), "uniform", 12)
    worded = msgspec.structs.replace(logged.items[0], doc_id="first")
    odd = msgspec.structs.replace(logged, items=(worded, *logged.items[1:]))
    with pytest.raises(InputError, match="has task 't.' and doc_id 'first'"):
        samples_text(odd)
    same = tuple(msgspec.structs.replace(item, task="t", doc_id=1) for item in logged.items)
    with pytest.raises(InputError, match="task 't' has two items of doc_id 1 .the second is"):
        samples_text(msgspec.structs.replace(logged, items=same))
    broken = freeze(make_matrix([[0, 1], [1, 1]], items=["a\nb", "c"]), "uniform", 2)
    with pytest.raises(InputError, match=r"'a\\nb' holds a line break"):
        ids_text(broken)
