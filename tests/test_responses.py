"""The response matrix: validation, policies, duplicates, subsets, hash."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from conftest import make_matrix

from mbnb.data.datasets import prepare
from mbnb.data.errors import InputError
from mbnb.data.folder import read_folder, write_folder
from mbnb.data.policies import drop_duplicate_models, duplicate_items, resolve_missing
from mbnb.data.responses import ResponseMatrix


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"scores": np.array([[0, 2]], np.uint8)}, "first: 2 for model 'm0', item 'b'"),
        ({"scores": np.array([[0.0, 1.5]], np.float32)}, "first: 1.5 for model 'm0', item 'b'"),
        ({"scores": np.array([[0.0, 1.0]])}, "of type float64; allowed are uint8"),
        ({"scores": np.array([[0, 1, 1]], np.uint8)}, r"shape \(1, 3\), but 1 models × 2 items"),
        ({"models": ["m0", "m1"]}, r"shape \(1, 2\), but 2 models × 2 items"),
        ({"items": ["a", "a"]}, "1 item ids stand more than once \\(first: 'a'\\)"),
        ({"items": ["a", ""]}, "item id '' is not a non-empty string"),
        ({"items": ["a", 7]}, "item id 7 is not a non-empty string"),
        ({"subtasks": ["s", None]}, "1 items have no subtask \\(first: 'b'\\)"),
        (
            {"confidences": np.array([[0.2, -4.2]], np.float32)},
            "first: -4.2.* for model 'm0', item 'b'.*softmax",
        ),
        ({"confidences": np.array([[0.2, 4.2]], np.float32)}, "outside 0 to 1 .*softmax"),
        ({"confidences": np.array([[0.2, np.nan]], np.float32)}, "not missing together in 1 cells"),
        ({"confidences": np.array([[0.2, 0.3]])}, "confidences are of type float64"),
        ({"confidences": np.array([[0.2]], np.float32)}, r"confidences have shape \(1, 1\)"),
    ],
)
def test_bad_matrices_name_the_offender(change: dict, message: str) -> None:
    parts = {
        "scores": np.array([[0, 1]], np.uint8),
        "models": ["m0"],
        "items": ["a", "b"],
        "subtasks": ["s", "s"],
        "confidences": None,
    } | change
    with pytest.raises(InputError, match=message):
        ResponseMatrix(
            parts["scores"],
            pd.DataFrame(index=pd.Index(parts["models"], name="model_id")),
            pd.DataFrame(
                {"subtask": parts["subtasks"]}, index=pd.Index(parts["items"], name="item_id")
            ),
            parts["confidences"],
        )


def test_subtask_column_is_required() -> None:
    with pytest.raises(InputError, match="no column 'subtask' \\(columns given: topic\\)"):
        ResponseMatrix(
            np.zeros((1, 1), np.uint8),
            pd.DataFrame(index=["m"]),
            pd.DataFrame({"topic": ["x"]}, index=["a"]),
        )


def test_an_empty_matrix_is_refused() -> None:
    with pytest.raises(InputError, match="0 models × 2 items"):
        make_matrix(np.zeros((0, 2), np.uint8))


def test_subset_by_position_id_and_mask(toy: ResponseMatrix) -> None:
    by_position = toy.subset(models=[2, 0], items=[5, 1])
    by_id = toy.subset(models=["m2", "m0"], items=["f", "b"])
    assert by_position.scores.tolist() == by_id.scores.tolist() == [[0, 1], [0, 1]]
    assert by_id.items["subtask"].tolist() == ["s2", "s1"]
    assert toy.subset(items=np.array([True] + [False] * 5)).item_ids.tolist() == ["a"]
    with pytest.raises(InputError, match="1 item ids are unknown \\(first: 'z'\\)"):
        toy.subset(items=["a", "z"])
    with pytest.raises(InputError, match=r"model position 4 is outside 0 … 3"):
        toy.subset(models=[4])
    with pytest.raises(InputError, match="names the same item twice"):
        toy.subset(items=["a", "a"])
    with pytest.raises(InputError, match="0 models × 6 items"):
        toy.subset(models=[])


@pytest.fixture
def gaps() -> ResponseMatrix:
    return make_matrix(
        np.array([[1, 0, 255], [1, 1, 1], [0, 1, 255]], np.uint8),
        confidences=[[0.9, 0.2, np.nan], [0.8, 0.7, 0.6], [0.1, 0.5, np.nan]],
    )


def test_missing_answers_are_never_averaged_away(gaps: ResponseMatrix) -> None:
    with pytest.raises(
        InputError,
        match="2 of 9 answers are missing \\(items with one: 1 of 3, models with one: 2 of 3\\); "
        "choose a policy for them: drop-items, drop-models, wrong",
    ):
        gaps.accuracies()


def test_missing_answer_policies(gaps: ResponseMatrix) -> None:
    fewer_items, loss = resolve_missing(gaps, "drop-items")
    assert fewer_items.item_ids.tolist() == ["a", "b"] and loss.items == ("c",)
    assert "1 item with a missing answer left out" in str(loss)
    fewer_models, loss = resolve_missing(gaps, "drop-models")
    assert fewer_models.model_ids.tolist() == ["m1"] and loss.models == ("m0", "m2")
    wrong, loss = resolve_missing(gaps, "wrong")
    assert wrong.scores[:, 2].tolist() == [0, 1, 0] and loss.filled == 2
    assert wrong.confidences is not None and wrong.confidences[0, 2] == 0
    with pytest.raises(InputError, match="choose a policy"):
        resolve_missing(gaps, "error")
    with pytest.raises(InputError, match="'mean'.*drop-items, drop-models, wrong, error"):
        resolve_missing(gaps, "mean")


def test_a_policy_that_leaves_nothing_is_refused() -> None:
    matrix = make_matrix(np.array([[1, 255], [255, 1]], np.uint8))
    with pytest.raises(InputError, match="would leave no item.*drop-models, wrong"):
        resolve_missing(matrix, "drop-items")


def test_duplicates_whatever_the_order_of_rows() -> None:
    rows = [[1, 0, 1], [0, 1, 1], [1, 0, 1], [1, 0, 1]]
    matrix = make_matrix(rows, models=["c", "d", "a", "b"])
    for order in ([0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]):
        kept, dropped = drop_duplicate_models(matrix.subset(models=order))
        assert sorted(kept.model_ids) == ["a", "d"]
        assert dict(zip(dropped["model"], dropped["same_as"], strict=True)) == {"b": "a", "c": "a"}


def with_copies(n_models: int, n_rarer: int, **parts: object) -> ResponseMatrix:
    """Items b and d answered alike, `n_rarer` models right; the other 22 are nobody's copies."""
    scores = np.random.default_rng(0).integers(0, 2, (n_models, 24)).astype(np.uint8)
    scores[:, [1, 3]] = (np.arange(n_models) < n_rarer)[:, None]
    return make_matrix(scores, **parts)  # type: ignore[arg-type]


def test_items_that_all_models_answer_alike_are_copies() -> None:
    assert duplicate_items(with_copies(100, 10)) == [["b", "d"]]
    assert duplicate_items(with_copies(100, 90).subset(items=[3, 0, 1])) == [["b", "d"]]
    assert duplicate_items(with_copies(100, 9)) == duplicate_items(with_copies(99, 40)) == []
    confidences = np.full((100, 24), 0.5)
    assert duplicate_items(with_copies(100, 50, confidences=confidences)) == [["b", "d"]]
    confidences[0, 1] = 0.25
    assert duplicate_items(with_copies(100, 50, confidences=confidences)) == []


def test_items_with_one_fingerprint_are_copies_whatever_the_answers() -> None:
    matrix = make_matrix(np.eye(4, dtype=np.uint8))
    matrix = replace(matrix, items=matrix.items.assign(content=["x", "", "x", ""]))
    assert duplicate_items(matrix) == [["a", "c"]]
    # Linked by answers and by a fingerprint, three items are one group.
    linked = with_copies(100, 50)
    linked = replace(linked, items=linked.items.assign(content=["x", "", "", "x", *[""] * 20]))
    assert duplicate_items(linked) == [["a", "b", "d"]]


def test_copied_items_are_kept_and_marked_or_merged(tmp_path: Path) -> None:
    folder = write_folder(with_copies(120, 40), tmp_path / "data", "made up")
    kept, [note] = prepare(folder)
    assert "1 items" in note and "d of b" in note
    assert kept.content_hash == read_folder(folder).content_hash
    assert kept.items["copy_of"].tolist()[:5] == ["a", "b", "c", "b", "e"]
    merged, _ = prepare(folder, duplicate_items="merge")
    assert merged.item_ids.tolist()[:4] == ["a", "b", "c", "e"] and merged.n_items == 23
    with pytest.raises(InputError, match=r"'drop'.*keep, merge"):
        prepare(folder, duplicate_items="drop")


def test_content_hash_sees_content_only(toy: ResponseMatrix) -> None:
    renamed = ResponseMatrix(toy.scores, toy.models, toy.items, name="other")
    assert renamed.content_hash == toy.content_hash
    changed = toy.scores.copy()
    changed[0, 0] = 0
    assert ResponseMatrix(changed, toy.models, toy.items).content_hash != toy.content_hash
    assert toy.subset(models=[1, 0, 2, 3]).content_hash != toy.content_hash
    assert toy.subset(models=[1, 0, 2, 3]).sorted_by_id().content_hash == toy.content_hash
