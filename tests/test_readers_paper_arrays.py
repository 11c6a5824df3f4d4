"""The study's released arrays: what fits together, and files that lie about what they hold."""

from __future__ import annotations

import io
import json
import os
import pickle
from pathlib import Path

import numpy as np
import pytest

from mbnb.data.errors import InputError
from mbnb.logs import read

SCORES = np.array([[1, 0, 1], [0, 0, 1]])
# Three options for the first items, two for the last: the third of that is padding.
CHANCES = np.array(
    [
        [[0.7, 0.2, 0.1], [0.3, 0.3, 0.4], [0.1, 0.9, 0.0]],
        [[0.2, 0.6, 0.2], [0.5, 0.25, 0.25], [0.4, 0.6, 0.0]],
    ]
)
LABELS = np.array([0, 1, 1])


def _write(folder: Path, name: str = "ds", **arrays: object) -> Path:
    held: dict[str, object] = {
        "models-by-correctness": SCORES,
        "models-by-confidence": CHANCES,
        "labels": LABELS,
    } | {key.replace("_", "-"): value for key, value in arrays.items()}
    for key, value in held.items():
        if isinstance(value, np.ndarray):
            np.save(folder / f"{name}_{key}.npy", value)
    return folder


def _header(text: str, body: bytes = b"") -> bytes:
    line = text.encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(line).to_bytes(2, "little") + line + body


def test_scores_confidences_of_the_right_option_and_subtasks_are_read(tmp_path: Path) -> None:
    _write(tmp_path)
    (tmp_path / "ds_models.txt").write_text("org/a\norg/b\n")
    (tmp_path / "ds_subtask-idx-ranges.json").write_text("[[0, 2], [2, 3]]")
    matrix, report = read(tmp_path)
    assert matrix.model_ids.tolist() == ["org/a", "org/b"]
    assert matrix.item_ids.tolist() == ["ds/0", "ds/1", "ds/2"]
    assert matrix.scores.tolist() == SCORES.tolist()
    assert matrix.confidences is not None
    expected = [[0.7, 0.3, 0.9], [0.2, 0.25, 0.6]]
    np.testing.assert_allclose(matrix.confidences, expected, rtol=1e-6)
    assert matrix.items["subtask"].tolist() == ["ds-01", "ds-01", "ds-02"]
    assert (report.n_read, report.n_kept, report.n_files) == (6, 6, 2)


def test_models_without_names_are_numbered_and_that_is_told(tmp_path: Path) -> None:
    _write(tmp_path, models_by_correctness=np.tile(SCORES, (6, 1)), models_by_confidence=None)
    matrix, report = read(tmp_path)
    assert matrix.model_ids.tolist() == [f"model-{k:04d}" for k in range(1, 13)]
    assert matrix.confidences is None
    assert any("numbered in the order of their rows" in note for note in report.notes)


def test_names_stand_in_the_releases_own_file_and_arrays_may_be_combined(tmp_path: Path) -> None:
    np.save(tmp_path / "ds_models-by-correctness_combined.npy", SCORES.astype(bool))
    np.save(tmp_path / "ds_models-by-confidence_combined.npy", CHANCES.astype(np.float32))
    np.save(tmp_path / "ds_labels_combined.npy", LABELS.astype(np.uint8))
    (tmp_path / "ds_model-names-in-order.json").write_text('["org__a", "org__b"]')
    (tmp_path / "ds_subtask-idx-ranges.json").write_text('{"law": [1, 3], "art": [0, 1]}')
    matrix, _ = read(tmp_path)
    assert matrix.model_ids.tolist() == ["org__a", "org__b"]
    assert matrix.items["subtask"].tolist() == ["art", "law", "law"]
    assert matrix.confidences is not None


def test_data_sets_of_a_folder_become_tasks(tmp_path: Path) -> None:
    _write(tmp_path, "one")
    _write(tmp_path, "two", models_by_confidence=None)
    matrix, report = read(tmp_path)
    assert matrix.subtasks == ["one", "two"]
    assert matrix.n_models == 2
    assert any("Confidences were left out" in note for note in report.notes)
    only, _ = read(tmp_path, tasks=("one",))
    assert only.subtasks == ["one"]
    assert only.confidences is not None


def test_arrays_in_fortran_order_and_other_byte_order_read_alike(tmp_path: Path) -> None:
    _write(
        tmp_path,
        models_by_correctness=np.asfortranarray(SCORES).astype(">i4", order="K"),
        models_by_confidence=np.asfortranarray(CHANCES).astype(">f8", order="K"),
    )
    matrix, _ = read(tmp_path)
    assert matrix.scores.tolist() == SCORES.tolist()
    assert matrix.confidences is not None
    assert matrix.confidences[0, 2] == np.float32(0.9)


@pytest.mark.parametrize(
    ("chances", "named"),
    [
        (np.log(np.clip(CHANCES, 1e-9, 1)), "option 0 of item 0 .*mbnb.option_probabilities"),
        (CHANCES * 3, "'model-0001' has the value 2.1 for option 0 of item 0"),
        (CHANCES[:1], "1 models and 3 items"),
        (CHANCES[:, :, 0], "models × items × options"),
        (CHANCES.astype(complex), "complex128.* floats"),
    ],
)
def test_confidences_that_are_no_probabilities_or_do_not_fit_are_refused(
    tmp_path: Path, chances: np.ndarray, named: str
) -> None:
    _write(tmp_path, models_by_confidence=chances)
    with pytest.raises(InputError, match=f"ds_models-by-confidence.npy.*{named}"):
        read(tmp_path)


@pytest.mark.parametrize(
    ("labels", "named"),
    [
        (np.array([0, 3, 1]), "label 3 of item 1 .*allowed are 0 to 2"),
        (np.array([0, 1]), "2 items"),
        (np.array([0.0, 1.0, 1.0]), "float64.* integers"),
        (None, "beside"),
    ],
)
def test_labels_must_fit(tmp_path: Path, labels: np.ndarray | None, named: str) -> None:
    _write(tmp_path, labels=labels)
    with pytest.raises(InputError, match=f"ds_labels.npy.*{named}"):
        read(tmp_path)


@pytest.mark.parametrize(
    ("ranges", "named"),
    [
        ([[0, 1], [2, 3]], "item 1 is in 0 "),
        ([[0, 2], [1, 3]], "item 1 is in 2 "),
        ([[0, 4]], "'ds-01' .* 3 items"),
        ([], "item 0 is in 0 "),
        ([[0, 0], [0, 3]], "'ds-01'"),
        ({"": [0, 3]}, "a name"),
        ([[0, 3.0]], r"\[start, end\)"),
    ],
)
def test_subtasks_must_hold_every_item_once(tmp_path: Path, ranges: object, named: str) -> None:
    _write(tmp_path)
    (tmp_path / "ds_subtask-idx-ranges.json").write_text(json.dumps(ranges))
    with pytest.raises(InputError, match=f"ds_subtask-idx-ranges.json.*{named}"):
        read(tmp_path)


@pytest.mark.parametrize(
    ("name", "text", "named"),
    [
        ("ds_models.txt", "a\n", "1 models.* 2"),
        ("ds_models.txt", "a\na\n", "'a' more than once"),
        ("ds_models.txt", "a\n\nb\n", "empty"),
        ("ds_models.json", '["a", 2]', "list"),
        ("ds_models.json", '["a"', "JSON"),
    ],
)
def test_names_must_be_one_for_each_row(tmp_path: Path, name: str, text: str, named: str) -> None:
    _write(tmp_path)
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=f"{name}.*{named}"):
        read(tmp_path)


def test_two_lists_of_names_are_refused(tmp_path: Path) -> None:
    _write(tmp_path)
    (tmp_path / "ds_models.txt").write_text("a\nb\n")
    (tmp_path / "ds_models.json").write_text('["a", "b"]')
    with pytest.raises(InputError, match="ds_models.json and .*ds_models.txt"):
        read(tmp_path)


class _Evil:
    def __reduce__(self) -> tuple:
        return os.mkdir, ("harm",)


def _pickled() -> bytes:
    made = io.BytesIO()
    np.save(made, np.array([[_Evil()]], dtype=object), allow_pickle=True)
    return made.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        _pickled(),
        pickle.dumps(_Evil()),
        _header("{'descr': '<f8', 'fortran_order': False, 'shape': (4000000, 4000000)}", b"x"),
        _header("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999, 2)}"),
        _header("{'descr': '<f8', 'fortran_order': False, 'shape': (-1, -1)}", b"12345678"),
        _header("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 5)}"),
        _header("{'descr': '<f8', 'fortran_order': False, 'shape': ()}", b"12345678"),
        _header("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1)}", b"123456789"),
        _header("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1, 1)}", b"12345678"),
        _header("__import__('os').mkdir('harm')"),
        _header("(" * 100),
        b"\x93NUMPY\x03\x00" + bytes(200),
        b"\x93NUMPY",
        b"",
        b"PK\x03\x04",
    ],
)
def test_arrays_that_lie_are_refused_before_anything_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "ds_models-by-correctness.npy"
    path.write_bytes(data)
    with pytest.raises(InputError, match=path.name):
        read(path)
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


def test_confidences_without_scores_are_refused(tmp_path: Path) -> None:
    _write(tmp_path, models_by_correctness=None)
    with pytest.raises(InputError, match="has no ds_models-by-correctness.npy beside it"):
        read(tmp_path)


def test_labels_that_point_at_padding_and_ranges_that_fit_nothing_are_told(tmp_path: Path) -> None:
    _write(tmp_path, labels=np.array([0, 1, 2]))
    (tmp_path / "bench_subtask-idx-ranges.json").write_text("[[0, 3]]")
    matrix, report = read(tmp_path)
    assert matrix.subtasks == ["ds"]
    told = "\n".join(report.notes)
    assert "to the right option of 1 items (first: 2) every model gives probability 0" in told
    assert "bench_subtask-idx-ranges.json were not read" in told
