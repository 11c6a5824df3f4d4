"""HELM run folders: merged rows, perturbations, trials, splits, and a real run."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from readers.entries import Entry
from readers.write_helm import request, stat, write_run

from mbnb.data.errors import InputError
from mbnb.logs import read
from mbnb.logs.helm import task_of

MODEL = "org/model"


def _row(instance: str, *stats: dict[str, Any], trial: int = 0, **more: Any) -> dict[str, Any]:
    return {
        "instance_id": instance,
        "train_trial_index": trial,
        "stats": list(stats),
        **more,
    }


def _exact(mean: float, split: str = "test") -> dict[str, Any]:
    return stat("exact_match", mean, split)


def _run(tmp_path: Path, *rows: dict[str, Any], **more: Any) -> Path:
    return write_run(tmp_path / "run", MODEL, "algebra", list(rows), **more)


CASE = (
    _row("id1", _exact(1.0)),
    _row("id1", stat("num_output_tokens", 3)),
    _row("id1", _exact(0.0), trial=1),
    _row("id1", _exact(0.0), perturbation={"name": "typo", "prob": 0.1, "robustness": True}),
)


def test_rows_of_one_instance_and_trial_are_merged_and_perturbed_ones_dropped_and_counted(
    tmp_path: Path,
) -> None:
    matrix, report = read(_run(tmp_path, *CASE), replicates="mean")
    assert matrix.scores.tolist() == [[0.5]]
    assert list(matrix.item_ids) == ["algebra:split=test/id1"]
    assert report.n_read == 4
    assert report.n_kept == 3
    assert report.dropped == {"row of a perturbed instance (kept with perturbed)": 1}
    matrix, _ = read(tmp_path, replicates="mean", perturbed=True)
    assert list(matrix.items["doc_id"]) == ["id1", "id1,typo,prob=0.1"]
    assert matrix.scores.tolist() == [[0.5, 0.0]]


def test_of_several_trials_the_first_counts_or_their_mean_and_never_silently(
    tmp_path: Path,
) -> None:
    folder = _run(tmp_path, *CASE[::-1])
    matrix, report = read(folder, replicates="first")
    assert matrix.scores.tolist() == [[1]]
    assert report.dropped["answer of another epoch or trial (replicates=first)"] == 1
    with pytest.raises(InputError, match="replicates=mean.*replicates=first"):
        read(folder)


def test_an_identity_perturbation_is_the_original_unless_that_is_there_too(tmp_path: Path) -> None:
    identity = {"name": "identity", "robustness": True}
    rows = [
        _row("id1", _exact(1.0), perturbation=identity),
        _row("id2", stat("num_output_tokens", 3)),
        _row("id2", _exact(1.0), perturbation=identity),
        _row("id3", _exact(0.0)),
        _row("id3", _exact(1.0), perturbation=identity),
    ]
    for order in (rows, rows[::-1]):
        folder = _run(tmp_path / str(order is rows), *order)
        matrix, report = read(folder)
        assert matrix.scores.tolist() == [[1, 1, 0]]
        assert report.n_kept == 4


def test_a_stat_that_stands_twice_is_an_error(tmp_path: Path) -> None:
    folder = _run(tmp_path, _row("id1", _exact(1.0)), _row("id1", _exact(1.0)))
    with pytest.raises(InputError, match=r"'exact_match' in row 1 and again in row 2"):
        read(folder)


def test_with_several_scores_the_metric_is_named_and_only_scores_are_offered(
    tmp_path: Path,
) -> None:
    row = _row(
        "id1", _exact(1.0), stat("quasi_exact_match", 1.0), stat("num_bytes", 9), stat("f1", 0.5)
    )
    with pytest.raises(InputError, match=r"metric.* exact_match, quasi_exact_match, f1\.$"):
        read(_run(tmp_path, row))


def test_splits_are_tasks_of_their_own_and_one_subtask(tmp_path: Path) -> None:
    folder = _run(tmp_path, _row("id1", _exact(1.0)), _row("id2", _exact(0.0, "valid")))
    matrix, _ = read(folder)
    assert list(matrix.items["task"]) == ["algebra:split=test", "algebra:split=valid"]
    assert list(matrix.items["subtask"]) == ["algebra", "algebra"]
    test, kept = read(folder, tasks=("algebra:split=test",))
    assert list(test.items["doc_id"]) == ["id1"]
    assert kept.dropped == {"row of a split that was not asked for": 1}
    with pytest.raises(InputError, match="algebra:split=dev.*algebra:split=test"):
        read(folder, tasks=("algebra:split=dev",))


@pytest.mark.parametrize(
    ("name", "task"),
    [
        ("mmlu:subject=law,method=joint,model=openai_gpt2", "mmlu:subject=law,method=joint"),
        ("boolq:model=org_m,data_augmentation=canonical", "boolq:data_augmentation=canonical"),
        ("imdb:model=org_m,model_deployment=x_m", "imdb"),
    ],
)
def test_a_task_is_the_runs_name_without_the_model(name: str, task: str) -> None:
    assert task_of(name) == task


def test_one_instance_id_with_two_texts_is_an_error_in_a_run_and_between_runs(
    tmp_path: Path,
) -> None:
    def told(text: str) -> dict[str, Any]:
        return request(Entry(1, 1.0, content=text))

    row = _row("id1", _exact(1.0))
    write_run(tmp_path / "a", "a", "algebra", [row], [told("one")])
    write_run(tmp_path / "b", "b", "algebra", [row], [told("two")])
    with pytest.raises(InputError, match="'algebra:split=test/id1' has two different documents"):
        read(tmp_path)
    matrix, _ = read(tmp_path, content_field="references")
    assert matrix.n_models == 2
    write_run(tmp_path / "c", "c", "algebra", [row], [told("one"), told("two")])
    with pytest.raises(InputError, match=r"request 2: instance 'id1' has two different documents"):
        read(tmp_path / "c")
    with pytest.raises(InputError, match="'text'.* input, references"):
        read(tmp_path / "a", content_field="text")


def test_a_run_of_perturbed_rows_only_is_told(tmp_path: Path) -> None:
    row = _row("id1", _exact(1.0), perturbation={"name": "typo"})
    with pytest.raises(InputError, match="1 are of perturbed"):
        read(_run(tmp_path, row))
    _, report = read(tmp_path, perturbed=True)
    assert any("no scenario_state.json" in note for note in report.notes)


def test_a_run_without_its_spec_is_refused_whatever_its_folder_is_called(tmp_path: Path) -> None:
    folder = _run(tmp_path, _row("id1", _exact(1.0)))
    (folder / "run_spec.json").unlink()
    with pytest.raises(InputError, match=r"no run_spec\.json beside it"):
        read(folder)


def test_nan_in_a_stat_is_a_missing_score_and_an_instance_without_rows_is_told(
    tmp_path: Path,
) -> None:
    rows = [_row("id1", _exact(float("nan"))), _row("id2", _exact(1.0))]
    requests = [request(Entry(k, 1.0)) for k in (1, 2, 3)]
    matrix, report = read(_run(tmp_path, *rows, requests=requests))
    assert report.n_missing == 1
    assert matrix.scores[0, 1] == 1
    assert any("2 of 3 items" in note for note in report.notes)


@pytest.mark.parametrize(
    "row",
    [
        _row("", _exact(1.0)),
        _row("id1", _exact(1.0), trial="0"),  # type: ignore[arg-type]
        _row("id1", {"name": {"name": "f1"}, "mean": [1]}),
        _row("id1", {"name": "f1"}),
        _row("id1", _exact(1.0), _exact(1.0, "valid")),
        _row("id0", _exact(1.0, "valid"), trial=1),
        _row("id1", _exact(1.0), perturbation={}),
        {"instance_id": "id1"},
    ],
)
def test_a_bad_row_is_an_error_with_its_position_or_skipped_and_counted(
    tmp_path: Path, row: dict[str, Any]
) -> None:
    folder = _run(tmp_path, _row("id0", _exact(1.0)), row)
    with pytest.raises(InputError, match="per_instance_stats.json, row 2: .*on_bad=skip"):
        read(folder)
    matrix, report = read(folder, on_bad="skip")
    assert matrix.n_items == 1
    assert report.dropped == {"row that cannot be read": 1}


@pytest.mark.parametrize("text", ["", "{", "{}", "[1", '{"a": 1}', "\ufeff[", "[" * 5000])
@pytest.mark.parametrize(
    "name", ["per_instance_stats.json", "run_spec.json", "scenario_state.json"]
)
def test_broken_files_are_errors_that_name_the_file(tmp_path: Path, name: str, text: str) -> None:
    folder = _run(tmp_path, _row("id1", _exact(1.0)), requests=[request(Entry(1, 1.0))])
    (folder / name).write_text(text)
    with pytest.raises(InputError, match=name):
        read(folder)


def _real() -> Path:
    logs = os.environ.get("MBNB_LOGS") or (
        Path(os.environ["MBNB_DATA"]).parent / "logs" if "MBNB_DATA" in os.environ else None
    )
    if logs is None or not (Path(logs) / "helm").is_dir():
        pytest.skip("no real HELM logs: MBNB_LOGS is not set, or holds no folder helm")
    return Path(logs) / "helm"


def test_a_real_run_gives_the_numbers_that_its_json_holds() -> None:
    [path] = _real().rglob("per_instance_stats.json")
    expected = {}
    for row in json.loads(path.read_text()):
        [(split, mean)] = [
            (one["name"]["split"], one["mean"])
            for one in row["stats"]
            if one["name"]["name"] == "exact_match"
        ]
        expected[f"{split}/{row['instance_id']}"] = mean
    matrix, report = read(_real(), metric="exact_match")
    assert list(matrix.model_ids) == ["openai/gpt2"]
    found = {
        f"{task.split('split=')[1]}/{item}": float(score)
        for task, item, score in zip(
            matrix.items["task"], matrix.items["doc_id"], matrix.scores[0], strict=True
        )
    }
    assert found == expected
    assert len(found) == report.n_read == 10
    assert np.mean(list(found.values())) == 0.1
    assert set(matrix.items["subtask"]) == {"mmlu:subject=philosophy,method=multiple_choice_joint"}
    assert set(matrix.items["n_options"]) == {4}
    assert sum(report.ignored.values()) == 3
    with pytest.raises(InputError, match="exact_match, exact_match@5, quasi"):
        read(_real())
