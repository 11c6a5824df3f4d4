"""Details of lighteval: nested columns, as values and as text, whatever they are called."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from readers.entries import Entry
from readers.write_lighteval import TIME, row

from mbnb.data.errors import InputError
from mbnb.logs import read
from mbnb.logs.json_rows import BadRow
from mbnb.logs.literals import unpacked

TASK = "lighteval|algebra|0"


def rows(n: int = 3) -> list[dict[str, Any]]:
    return [row(Entry(k, float(k % 2), gold=k)) for k in range(n)]


def put(
    folder: Path,
    found: list[dict[str, Any]] | pa.Table,
    model: str = "org/model",
    task: str = TASK,
    time: str = TIME,
) -> Path:
    path = folder / "details" / model / time / f"details_{task}_{time}.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(found if isinstance(found, pa.Table) else pa.Table.from_pylist(found), path)
    return path


def test_a_model_without_a_results_file_is_called_as_its_folders(tmp_path: Path) -> None:
    put(tmp_path, rows(), "org/model")
    put(tmp_path, rows(), "local")
    matrix, report = read(tmp_path, metric="acc")
    assert list(matrix.model_ids) == ["local", "org/model"]
    assert list(matrix.items["task"].unique()) == [TASK]
    assert report.format == "lighteval details"
    assert list(matrix.items.index) == [f"{TASK}/{k}" for k in range(3)]


def test_the_results_file_names_model_version_and_size(tmp_path: Path) -> None:
    put(tmp_path, rows(), "vllm")
    results = tmp_path / "results" / "vllm" / f"results_{TIME}.json"
    results.parent.mkdir(parents=True)
    told = {
        "config_general": {"model_name": "org/model"},
        "versions": {TASK: 2},
        "config_tasks": {TASK: {"original_num_docs": 100}},
    }
    results.write_text(json.dumps(told))
    matrix, report = read(tmp_path, metric="acc")
    assert list(matrix.model_ids) == ["org/model"]
    assert any("holds 3 of 100 items" in note for note in report.notes)
    put(tmp_path, rows(), "other")
    (tmp_path / "results" / "other").mkdir()
    told["versions"] = {TASK: 3}
    told["config_general"] = {"model_name": "org/other"}
    (tmp_path / "results" / "other" / f"results_{TIME}.json").write_text(json.dumps(told))
    with pytest.raises(InputError, match="version 2: 1 models.*version 3: 1 models"):
        read(tmp_path, metric="acc")


def test_columns_with_underscores_and_columns_cast_to_text_read_alike(tmp_path: Path) -> None:
    plain, _ = read(put(tmp_path / "plain", rows()), metric="acc")
    for name, change in (
        ("underscores", lambda found: {f"__{part}__": value for part, value in found.items()}),
        ("text", lambda found: {part: str(value) for part, value in found.items()}),
        ("json", lambda found: {part: json.dumps(value) for part, value in found.items()}),
    ):
        path = put(tmp_path / name, [change(found) for found in rows()])
        matrix, _ = read(path, metric="acc")
        assert matrix.content_hash == plain.content_hash, name
        assert matrix.items.equals(plain.items), name
        assert matrix.confidences is not None and plain.confidences is not None
        np.testing.assert_allclose(matrix.confidences, plain.confidences)


def test_a_right_option_is_one_position_or_several(tmp_path: Path) -> None:
    found = rows(2)
    for entry, gold in zip(found, (1, [0, 2]), strict=True):
        entry["doc"]["gold_index"] = json.dumps(gold)
        entry["model_response"]["logprobs"] = [math.log(p) for p in (0.4, 0.3, 0.2, 0.1)]
    table = [{name: json.dumps(part) for name, part in entry.items()} for entry in found]
    for entry, gold in zip(table, (1, [0, 2]), strict=True):
        doc = json.loads(entry["doc"])
        entry["doc"] = json.dumps(doc | {"gold_index": gold})
    matrix, _ = read(put(tmp_path, table), metric="acc")
    assert matrix.confidences is not None
    np.testing.assert_allclose(matrix.confidences[0], [0.3, 0.6], rtol=1e-6)


def test_options_in_another_order_are_another_item_unless_only_the_question_counts(
    tmp_path: Path,
) -> None:
    """The right option differs between two runs, and each row's own counts."""
    put(tmp_path, rows(1), "m0")
    turned = rows(1)
    turned[0]["doc"] |= {"choices": ["D", "C", "B", "A"], "gold_index": [3]}
    turned[0]["model_response"]["logprobs"] = rows(1)[0]["model_response"]["logprobs"][::-1]
    put(tmp_path, turned, "m1")
    with pytest.raises(InputError, match="two different documents"):
        read(tmp_path, metric="acc")
    matrix, _ = read(tmp_path, metric="acc", content_field="query")
    assert matrix.confidences is not None
    assert matrix.confidences[0, 0] == pytest.approx(0.4)
    assert matrix.confidences[1, 0] == pytest.approx(0.4)


def test_generated_answers_have_no_confidence(tmp_path: Path) -> None:
    found = rows()
    for entry in found:
        entry["doc"]["choices"] = ["42"]
        entry["doc"]["gold_index"] = [0]
        entry["model_response"]["logprobs"] = [-3.0]
        entry["metric"] = {"extractive_match": 1.0}
    matrix, report = read(put(tmp_path, found))
    assert matrix.confidences is None
    assert report.tasks["metric"].tolist() == ["extractive_match"]


def test_a_task_without_a_files_name_is_that_of_its_first_row(tmp_path: Path) -> None:
    path = put(tmp_path, rows())
    moved = path.rename(path.with_name("renamed.parquet"))
    matrix, _ = read(moved, metric="acc")
    assert list(matrix.items["task"].unique()) == [TASK]
    for entry in (found := rows()):
        del entry["doc"]["task_name"]
    pq.write_table(pa.Table.from_pylist(found), moved)
    with pytest.raises(InputError, match="neither the file's name.*nor its first row"):
        read(moved, metric="acc")


def test_only_wanted_fields_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    iterate = pq.ParquetFile.iter_batches

    def watched(self: pq.ParquetFile, *args: Any, columns: list[str], **rest: Any) -> Any:
        asked.extend(columns)
        return iterate(self, *args, columns=columns, **rest)

    monkeypatch.setattr(pq.ParquetFile, "iter_batches", watched)
    read(put(tmp_path, rows()), metric="acc")
    assert "model_response.logprobs" in asked
    assert not {"model_response", "doc", "model_response.input"} & set(asked)


@pytest.mark.parametrize(
    ("part", "value", "message"),
    [
        ("doc", {"id": None}, r"row 2: the row has no doc.id that is"),
        ("metric", {"acc": "maybe"}, "row 2: the row has as metric 'acc' the text 'maybe'"),
        ("metric", {"acc": [1, 0]}, "row 2: the row has as metric 'acc' a list of 2 values"),
        ("model_response", {"logprobs": [0.5, 0.1, 0.2, 0.2]}, "log-likelihood of 0.5"),
        ("doc", {"gold_index": 7}, r"row 2: the row names option 7 as the right one"),
        ("metric", "none", "row 2: the row has as metric no object but str"),
        ("doc", "{'id': open('x')}", "row 2: the row holds a text that is neither JSON nor"),
    ],
)
def test_a_row_that_cannot_be_read_is_an_error_with_its_place_or_skipped_and_counted(
    tmp_path: Path, part: str, value: Any, message: str
) -> None:
    found = rows()
    found[1][part] = found[1][part] | value if isinstance(value, dict) else value
    table = [
        {name: v if isinstance(v, str) else json.dumps(v) for name, v in entry.items()}
        for entry in found
    ]
    path = put(tmp_path, table)
    with pytest.raises(InputError, match=message):
        read(path, metric="acc")
    matrix, report = read(path, metric="acc", on_bad="skip")
    assert report.dropped == {"row that cannot be read": 1}
    assert matrix.n_items == 2
    assert (report.n_read, report.n_kept) == (3, 2)


def test_a_subtask_may_be_a_field_of_the_item(tmp_path: Path) -> None:
    found = rows()
    for k, entry in enumerate(found):
        entry["doc"]["topic"] = "ab"[k % 2]
    matrix, _ = read(put(tmp_path, found), metric="acc", subtask_field="topic")
    assert matrix.items["subtask"].tolist() == ["a", "b", "a"]
    with pytest.raises(InputError, match="has no field 'colour' in doc"):
        read(tmp_path, metric="acc", subtask_field="colour")


# Text that stands for a value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{'acc': True, 'n': None}", {"acc": True, "n": None}),
        ('{"acc": true}', {"acc": True}),
        ("[1, -2.5, 'a']", [1, -2.5, "a"]),
        ("(1, 2)", [1, 2]),
        ("{'acc': np.float64(0.5)}", {"acc": 0.5}),
        ("array([1.0, 2.0])", "array([1.0, 2.0])"),
        ("{'v': array([1.0, 2.0])}", {"v": [1.0, 2.0]}),
        ("[-inf, 0.5]", [-math.inf, 0.5]),
        (str({"q": ':( " [' * 40}), {"q": ':( " [' * 40}),
        ("plain text", "plain text"),
        (3, 3),
    ],
)
def test_a_text_is_read_as_json_or_as_python_prints_it(text: Any, value: Any) -> None:
    assert unpacked(text) == value


def test_nan_in_a_text_is_not_a_number() -> None:
    assert math.isnan(unpacked("{'acc': nan}")["acc"])


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "[" * 40 + "]" * 40,
        "[" + "1," * 600_000 + "1]",
        "{'a': __import__('os').system('true')}",
        "[x for x in range(9)]",
        "{'a': 9**9**9}",
        "{**{}}",
        "[1, 2",
        "{[]: 1}",
        "{1: 2}",
        "[\x00]",
        "[" + "-" * 100_000 + "1]",
    ],
)
def test_a_text_that_is_no_plain_value_is_refused_and_nothing_of_it_is_run(text: str) -> None:
    with pytest.raises(BadRow):
        unpacked(text)
