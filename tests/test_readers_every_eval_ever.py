"""What every_eval_ever's records leave to choose: metric, filter, result, errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from readers.entries import Entry
from readers.write_every_eval_ever import record

from mbnb.data.errors import InputError
from mbnb.logs import read


def _write(path: Path, *rows: dict) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def _rows(*scores: float | None) -> list[dict]:
    return [record("org/m", Entry(k, score)) for k, score in enumerate(scores)]


def test_the_metric_is_named_only_where_the_two_differ(tmp_path: Path) -> None:
    path = _write(tmp_path / "a_samples.jsonl", *_rows(1, 0, None))
    matrix, report = read(path)
    assert matrix.scores.tolist() == [[1, 0, 255]]
    assert report.tasks["metric"].tolist() == ["is_correct"]
    assert any("1 answer " in note and "errors=wrong" in note for note in report.notes)
    assert read(path, errors="wrong")[0].scores.tolist() == [[1, 0, 0]]
    graded = _write(tmp_path / "b_samples.jsonl", *_rows(1, 0.5))
    with pytest.raises(InputError, match="2 metrics .is_correct, score.*differ in 1 of 2"):
        read(graded)
    assert read(graded, metric="score")[0].scores.tolist() == [[1, 0.5]]
    assert read(graded, metric="is_correct")[0].scores.tolist() == [[1, 0]]


def test_a_score_without_a_bound_is_refused_and_is_correct_is_not(tmp_path: Path) -> None:
    rows = _rows(1, 0)
    rows[0]["evaluation"]["score"] = 37.5
    path = _write(tmp_path / "a_samples.jsonl", *rows)
    with pytest.raises(InputError, match="line 1: score 37.5 of item 'algebra/0' is out of range"):
        read(path, metric="score")
    assert read(path, metric="is_correct")[0].scores.tolist() == [[1, 0]]


def test_rows_of_filters_are_never_read_as_more_items(tmp_path: Path) -> None:
    rows = [
        record(
            "org/m",
            Entry(k, float(k == n)),
            evaluation_name=f"gsm8k/{name}",
            metadata={"filter": name},
        )
        for n, name in enumerate(["strict-match", "flexible-extract"])
        for k in range(3)
    ]
    path = _write(tmp_path / "a_samples.jsonl", *rows)
    with pytest.raises(InputError, match="'gsm8k' by the filters flexible-extract, strict-match"):
        read(path)
    matrix, report = read(path, filter="strict-match")
    assert (matrix.item_ids.tolist(), matrix.scores.tolist()) == (
        ["gsm8k/0", "gsm8k/1", "gsm8k/2"],
        [[1, 0, 0]],
    )
    assert report.dropped == {"row of a filter that was not asked for": 3}


def test_several_results_of_a_sample_are_refused(tmp_path: Path) -> None:
    rows = [{**row, "evaluation_result_id": name} for name in ("r1", "r2") for row in _rows(1, 0)]
    with pytest.raises(InputError, match="'algebra/0' more than once .again in .*line 3"):
        read(_write(tmp_path / "a_samples.jsonl", *rows))


def test_of_two_runs_the_later_is_read_and_a_field_names_subtasks(tmp_path: Path) -> None:
    _write(tmp_path / "a_samples.jsonl", *_rows(0, 0))
    later = [{**row, "evaluation_id": "board/org/m/1770000000"} for row in _rows(1, 1)]
    _write(tmp_path / "b_samples.jsonl", *later)
    matrix, report = read(tmp_path, subtask_field="subject")
    assert matrix.scores.tolist() == [[1, 1]] and report.n_read == 4
    assert matrix.subtasks == ["algebra"]


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"sample_id": " "}, "sample_id"),
        ({"model_id": None}, "model_id"),
        ({"evaluation": {"score": "?", "is_correct": True}}, "score the text"),
    ],
)
def test_a_bad_row_is_refused_with_its_line_or_skipped(
    tmp_path: Path, change: dict, named: str
) -> None:
    path = _write(tmp_path / "a_samples.jsonl", *_rows(1), {**_rows(1, 0)[1], **change})
    with pytest.raises(InputError, match=f"line 2: .*{named}"):
        read(path)
    _, report = read(path, on_bad="skip")
    assert (report.n_read, report.dropped) == (2, {"row that cannot be read": 1})
