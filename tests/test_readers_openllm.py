"""Details of the Open LLM Leaderboards: the columns of the first, the files of the second."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from readers import write_lm_eval
from readers.entries import Entry
from readers.write_openllm_v1 import TIME, as_text, early, flat, later

from mbnb.data.errors import InputError
from mbnb.logs import parquet_rows, read

QUESTION = "Which of these holds more than forty-eight characters, so that its hash names it?"


def put(
    folder: Path,
    rows: list[dict[str, Any]] | pa.Table,
    model: str = "org__model",
    task: str = "harness|arc:challenge|25",
    time: str = TIME,
) -> Path:
    path = folder / f"details_{model}" / time / f"details_{task}_{time}.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(rows if isinstance(rows, pa.Table) else pa.Table.from_pylist(rows), path)
    return path


def rows(row: Any, n: int = 3) -> list[dict[str, Any]]:
    return [row(Entry(k, float(k % 2), gold=k)) for k in range(n)]


# The first leaderboard


@pytest.mark.parametrize("row", [early, later, flat, as_text])
def test_a_score_is_found_in_each_of_its_places(tmp_path: Path, row: Any) -> None:
    matrix, report = read(put(tmp_path, rows(row)), metric="acc")
    assert matrix.scores.tolist() == [[0, 1, 0]]
    assert list(matrix.model_ids) == ["org/model"]
    assert report.tasks["task"].tolist() == ["arc:challenge"]
    assert matrix.confidences is not None
    assert matrix.confidences[0].tolist() == pytest.approx([0.4] * 3)


def test_generations_of_columns_read_alike_and_compare(tmp_path: Path) -> None:
    put(tmp_path, rows(later), "org__a")
    put(tmp_path, rows(flat), "org__b")
    put(tmp_path, rows(as_text), "org__c__d")
    matrix, _ = read(tmp_path, metric="acc")
    assert list(matrix.model_ids) == ["org/a", "org/b", "org/c__d"]
    assert matrix.n_missing == 0
    assert (matrix.scores == matrix.scores[0]).all()


@pytest.mark.parametrize(
    ("task", "metric"),
    [
        ("harness|arc:challenge|25", "acc_norm"),
        ("harness|hellaswag|10", "acc_norm"),
        ("harness|hendrycksTest-anatomy|5", "acc"),
        ("harness|winogrande|5", "acc"),
        ("harness|gsm8k|5", "acc"),
        ("harness_arc_challenge_25", "acc_norm"),
    ],
)
def test_the_metric_is_the_one_that_the_leaderboard_shows(
    tmp_path: Path, task: str, metric: str
) -> None:
    _, report = read(put(tmp_path, rows(later), task=task))
    assert report.tasks["metric"].tolist() == [metric]


def test_the_metric_of_truthfulqa_has_to_be_named_and_has_no_confidence(tmp_path: Path) -> None:
    found = rows(later)
    for row in found:
        row["metrics"] = {"mc1": 1.0, "mc2": 0.25}
    path = put(tmp_path, found, task="harness|truthfulqa:mc|0")
    with pytest.raises(InputError, match=r"holds 2 metrics \(mc1, mc2\); name the one"):
        read(path)
    matrix, _ = read(path, metric="mc2")
    assert matrix.scores.tolist() == [[0.25] * 3]
    assert matrix.confidences is None


def test_prompts_with_other_numbers_of_examples_are_other_versions(tmp_path: Path) -> None:
    put(tmp_path, rows(later), "org__a")
    put(tmp_path, rows(later), "org__b", task="harness|arc:challenge|0")
    with pytest.raises(InputError, match="version 0-shot: 1 models.*version 25-shot: 1 models"):
        read(tmp_path)
    assert read(tmp_path, mixed_versions=True)[0].n_models == 2


def test_a_question_that_stands_twice_is_two_items_for_every_model(tmp_path: Path) -> None:
    def row(example: str, score: float, gold: int = 0) -> dict[str, Any]:
        made = later(Entry(0, score, gold=gold))
        return made | {"example": example}

    order = [row(QUESTION, 1.0, 2), row("short", 1.0), row(QUESTION, 0.0, 1)]
    put(tmp_path, order, "org__a")
    put(tmp_path, order[::-1], "org__b")
    matrix, report = read(tmp_path, metric="acc")
    assert matrix.n_items == 3
    assert report.dropped == {}
    # The right option tells the twins apart, whatever the order they were run in.
    assert (matrix.scores[0] == matrix.scores[1]).all()
    first, second = (item for item in matrix.items.index if "short" not in item)
    assert second == f"{first} (2)"
    assert len(first) == len("arc:challenge/") + 16


def test_exact_twins_with_different_scores_are_neither_merged_nor_dropped(tmp_path: Path) -> None:
    twins = [later(Entry(0, score)) for score in (1.0, 0.0)]
    matrix, _ = read(put(tmp_path, twins), metric="acc")
    assert matrix.scores.tolist() == [[1, 0]]


def test_one_question_with_other_options_is_an_error(tmp_path: Path) -> None:
    put(tmp_path, [later(Entry(0, 1.0))], "org__a")
    changed = later(Entry(0, 1.0)) | {"choices": ["A", "B"], "predictions": [-1.0, -2.0]}
    put(tmp_path, [changed], "org__b")
    with pytest.raises(InputError, match="two different documents"):
        read(tmp_path)


def test_a_numeric_text_of_the_right_answer_is_not_its_position(tmp_path: Path) -> None:
    row = later(Entry(0, 1.0)) | {"choices": ["3", "4", "1", "0"], "gold": ["4"]}
    del row["gold_index"]
    row["predictions"] = [math.log(p) for p in (0.1, 0.2, 0.3, 0.4)]
    matrix, _ = read(put(tmp_path, [row]), metric="acc")
    assert matrix.confidences is not None
    assert matrix.confidences[0, 0] == pytest.approx(0.2)


@pytest.mark.parametrize("pairs", [False, True])
def test_predictions_may_be_quoted_or_stand_in_pairs(tmp_path: Path, pairs: bool) -> None:
    found = rows(later)
    for row in found:
        values = [str(value) for value in row["predictions"]]
        row["predictions"] = [[value, "False"] for value in values] if pairs else values
    matrix, _ = read(put(tmp_path, found), metric="acc")
    assert matrix.confidences is not None
    assert matrix.confidences[0].tolist() == pytest.approx([0.4] * 3)


def test_generated_answers_have_no_confidence(tmp_path: Path) -> None:
    found = rows(later)
    for row in found:
        row |= {"predictions": ["18"], "choices": ["18"], "gold_index": [0]}
    matrix, _ = read(put(tmp_path, found, task="harness|gsm8k|5"))
    assert matrix.confidences is None


def test_flat_columns_of_early_lighteval_are_read_by_its_folders(tmp_path: Path) -> None:
    task = "lighteval|arc|0"
    path = tmp_path / "details" / "org" / "model" / TIME / f"details_{task}_{TIME}.parquet"
    path.parent.mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist(rows(later)), path)
    matrix, _ = read(tmp_path, metric="acc")
    assert list(matrix.model_ids) == ["org/model"]
    assert list(matrix.items["task"].unique()) == [task]


def test_the_hubs_own_cache_is_read_too(tmp_path: Path) -> None:
    place = tmp_path / "datasets--open-llm-leaderboard-old--details_org__model" / "snapshots" / "c0"
    path = place / TIME / f"details_harness|arc|25_{TIME}.parquet"
    path.parent.mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist(rows(later)), path)
    assert list(read(tmp_path)[0].model_ids) == ["org/model"]


def test_files_with_other_columns_are_an_error_that_lists_them(tmp_path: Path) -> None:
    path = put(tmp_path, [{"prompt": "?", "answer": "!", "rating": 3.0}])
    with pytest.raises(
        InputError, match="columns of no details file.*it has prompt, answer, rating"
    ):
        read(path)
    twice = pa.table([[1.0], [0.0], ["x"]], names=["acc", "acc", "example"])
    with pytest.raises(InputError, match="has two columns 'acc'"):
        read(put(tmp_path, twice))


def test_a_row_without_a_question_is_an_error_or_skipped_and_counted(tmp_path: Path) -> None:
    found = rows(later)
    found[2]["example"] = None
    path = put(tmp_path, found)
    with pytest.raises(InputError, match="row 3: the row has no example that is"):
        read(path)
    _, report = read(path, on_bad="skip")
    assert report.dropped == {"row that cannot be read": 1}


# Broken and hostile Parquet


def test_a_file_that_was_cut_is_an_error_at_any_length(tmp_path: Path) -> None:
    path = put(tmp_path, rows(later))
    whole = path.read_bytes()
    for length in (0, 3, 4, 5, 12, len(whole) // 2, len(whole) - 9, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(InputError, match="cannot be read as Parquet"):
            read(path)
    path.write_bytes(whole[:-8] + b"\xff\xff\xff\x7fPAR1")
    with pytest.raises(InputError, match="cannot be read as Parquet"):
        read(path)


def test_a_file_that_git_lfs_did_not_fetch_is_told_as_such(tmp_path: Path) -> None:
    path = put(tmp_path, rows(later))
    path.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n")
    with pytest.raises(InputError, match="fetch it by `git lfs pull`"):
        read(path)


def test_a_small_file_that_unfolds_without_end_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One text of a megabyte, held once and named by each row: 100 GB in one kilobyte."""
    codes = pa.array([0] * 100_000, pa.int32())
    texts = pa.DictionaryArray.from_arrays(codes, pa.array(["x" * 1_000_000]))
    table = pa.table({"example": texts, "acc": [1.0] * 100_000})
    path = put(tmp_path, table)
    assert path.stat().st_size < 100_000
    monkeypatch.setattr(parquet_rows, "_LEAST_BOUND", 8 << 20)
    monkeypatch.setattr(parquet_rows, "_MOST_FOLDED", 10)
    monkeypatch.setattr(parquet_rows, "_BATCH_BYTES", 4 << 20)
    with pytest.raises(InputError, match=r"unfolds to more than 8 MB by row \d+"):
        read(path, metric="acc")


def test_a_file_that_declares_more_rows_than_any_log_has_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet_rows, "MOST_ROWS", 2)
    with pytest.raises(InputError, match="declares 3 rows; allowed are 2 in a file"):
        read(put(tmp_path, rows(later)))


# The second leaderboard's files, which the harness wrote


def sample(item: int, score: float, **changes: Any) -> dict[str, Any]:
    """A row of mid 2024: neither filter nor names of metrics."""
    made = write_lm_eval.row(Entry(item, score))
    del made["filter"], made["metrics"]
    return made | changes


def put_samples(
    folder: Path,
    rows: list[dict[str, Any]],
    model: str = "org__model",
    task: str = "leaderboard_mmlu_pro",
    ending: str = "json",
    array: bool = False,
    time: str = "2024-06-14T01-38-38.014829",
) -> Path:
    path = folder / model / f"samples_{task}_{time}.{ending}"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = "\n".join(json.dumps(row) for row in rows) + "\n"
    path.write_text(json.dumps(rows, indent=2) if array else lines)
    return path


@pytest.mark.parametrize("ending", ["json", "jsonl"])
@pytest.mark.parametrize("array", [False, True])
def test_samples_are_lines_or_one_array_whatever_their_files_end(
    tmp_path: Path, ending: str, array: bool
) -> None:
    put_samples(tmp_path, [sample(0, 1.0), sample(1, 0.0)], ending=ending, array=array)
    matrix, report = read(tmp_path)
    assert matrix.scores.tolist() == [[1, 0]]
    assert report.tasks["metric"].tolist() == ["acc"]


@pytest.mark.parametrize(
    ("folder", "model"),
    [
        ("org__model", "org/model"),
        ("org__my_model__v2.0", "org/my_model__v2.0"),
        ("gpt2", "gpt2"),
        ("0-hero__Matter-0.1-7B", "0-hero/Matter-0.1-7B"),
    ],
)
def test_samples_are_of_the_model_that_their_folder_names(
    tmp_path: Path, folder: str, model: str
) -> None:
    put_samples(tmp_path, [sample(0, 1.0)], model=folder)
    assert list(read(tmp_path)[0].model_ids) == [model]


def test_two_ids_with_one_document_are_two_items(tmp_path: Path) -> None:
    twin = sample(0, 0.0)
    put_samples(tmp_path, [sample(0, 1.0), twin | {"doc_id": 5}])
    matrix, report = read(tmp_path)
    assert matrix.scores.tolist() == [[1, 0]]
    assert report.dropped == {}


def test_one_id_with_other_options_is_an_error(tmp_path: Path) -> None:
    short = sample(0, 1.0, filtered_resps=[["-1.0", "True"], ["-2.0", "False"]])
    for with_hash in (True, False):
        folder = tmp_path / str(with_hash)
        one, other = dict(sample(0, 1.0)), dict(short)
        other["doc"] = {**other["doc"], "options": ["A", "B"]}
        other["doc_hash"] = "ab" * 32
        if not with_hash:
            del one["doc_hash"], other["doc_hash"]
        put_samples(folder, [one], "org__a")
        put_samples(folder, [other], "org__b")
        with pytest.raises(InputError, match="two different (documents|sets of options)"):
            read(folder)


def test_the_second_leaderboards_metrics_are_those_it_shows(tmp_path: Path) -> None:
    shown = {
        "leaderboard_mmlu_pro": "acc",
        "leaderboard_bbh_snarks": "acc_norm",
        "leaderboard_gpqa_diamond": "acc_norm",
        "leaderboard_musr_team_allocation": "acc_norm",
        "leaderboard_arc_challenge": "acc_norm",
        "leaderboard_math_algebra_hard": "exact_match",
        "leaderboard_ifeval": "prompt_level_strict_acc",
    }
    for task in shown:
        more = {"exact_match": 1, "prompt_level_strict_acc": True, "inst_level_strict_acc": [True]}
        put_samples(tmp_path, [sample(0, 1.0, **more)], task=task)
    _, report = read(tmp_path)
    assert dict(zip(report.tasks["task"], report.tasks["metric"], strict=True)) == shown
