"""SWE-bench runs: what is not listed is not solved, and ids are those of the benchmark."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mbnb.data.errors import InputError
from mbnb.logs import read
from mbnb.logs.swebench import repository

ITEMS = tuple("abcdef")


def _lists(folder: Path, run: str = "20250101_run", metadata: str = "", **lists: object) -> Path:
    place = folder / run / "results"
    place.mkdir(parents=True)
    (place / "results.json").write_text(json.dumps(lists))
    if metadata:
        (folder / run / "metadata.yaml").write_text(metadata)
    return folder


def _details(folder: Path, details: object, run: str = "20250101_run") -> Path:
    (folder / run).mkdir()
    (folder / run / "per_instance_details.json").write_text(json.dumps(details))
    return folder


def test_what_is_not_resolved_is_wrong_and_repeated_ids_count_once(tmp_path: Path) -> None:
    _lists(tmp_path, resolved=["a", "a", "b"], no_generation=["c", "c"])
    matrix, report = read(tmp_path, items=ITEMS)
    assert matrix.model_ids.tolist() == ["20250101_run"]
    assert matrix.scores.tolist() == [[1, 1, 0, 0, 0, 0]]
    assert matrix.accuracies()[0] == 2 / 6
    assert (report.n_read, report.n_kept) == (7, 6)
    assert report.dropped == {"instance that stands in the list of resolved ones again": 1}


def test_the_ids_of_all_items_are_needed_where_only_resolved_ones_are_listed(
    tmp_path: Path,
) -> None:
    _lists(tmp_path, resolved=["a"])
    with pytest.raises(InputError, match=r"results.json names the resolved .*give the ids of all"):
        read(tmp_path)
    with pytest.raises(InputError, match="ids of all items .* hold 'a' more than once"):
        read(tmp_path, items=("a", "b", "a"))
    with pytest.raises(InputError, match="ids of all items .* are none"):
        read(tmp_path, items=())


@pytest.mark.parametrize(
    ("lists", "named"),
    [
        ({"resolved": ["a", "x"]}, "'x'.* none of the 6 ids"),
        ({"resolved": [], "no_logs": ["x"]}, "'x'.* none of the 6 ids"),
        ({"resolved": ["a", "b"], "no_generation": ["b"]}, "'b'.* without a generation"),
        ({"resolved": {"a": True}}, "'resolved'"),
        ({"resolved": [1]}, "'resolved'"),
        ({"no_generation": []}, "'resolved'"),
    ],
)
def test_lists_that_contradict_themselves_or_the_benchmark_are_refused(
    tmp_path: Path, lists: dict, named: str
) -> None:
    _lists(tmp_path, **lists)
    with pytest.raises(InputError, match=f"results.json.*{named}"):
        read(tmp_path, items=ITEMS)


def test_details_name_every_instance_themselves(tmp_path: Path) -> None:
    _details(
        tmp_path,
        {
            "astropy__astropy-12907": {"resolved": True, "cost": 0.1, "api_calls": 3},
            "scikit-learn__scikit-learn-9": {"resolved": False},
            "django__django-10": {"resolved": None},
        },
    )
    matrix, report = read(tmp_path)
    assert matrix.items["subtask"].tolist() == [
        "astropy/astropy",
        "django/django",
        "scikit-learn/scikit-learn",
    ]
    assert matrix.item_ids[0] == "swe-bench/astropy__astropy-12907"
    assert matrix.scores.tolist() == [[1, 255, 0]]
    assert report.n_missing == 1


def test_details_are_checked_against_the_ids_where_they_are_given(tmp_path: Path) -> None:
    _details(tmp_path, {"a": {"resolved": True}, "b": {"resolved": False}})
    matrix, report = read(tmp_path, items=ITEMS)
    assert matrix.n_items == 2
    assert any("holds 2 of 6 items" in note for note in report.notes)
    with pytest.raises(InputError, match="names 'b'.* 2 ids"):
        read(tmp_path, items=("a", "c"))


@pytest.mark.parametrize("entry", [{"resolved": "true"}, {"cost": 1}, True])
def test_details_that_do_not_say_whether_are_refused(tmp_path: Path, entry: object) -> None:
    _details(tmp_path, {"a": entry, "b": {"resolved": True}})
    with pytest.raises(InputError, match="per_instance_details.json: instance 'a'"):
        read(tmp_path)


def _report(folder: Path, name: str = "org__m-4.1.try_1.json", **lists: list[str]) -> Path:
    held = {"total_instances": 4, "submitted_instances": 3, **lists, "schema_version": 2}
    (folder / name).write_text(json.dumps(held))
    return folder


def test_in_a_run_report_what_was_not_submitted_is_missing_and_not_wrong(tmp_path: Path) -> None:
    lists = {"submitted_ids": ["a", "b", "c"], "resolved_ids": ["b"], "error_ids": ["c"]}
    _report(tmp_path, **lists, incomplete_ids=["d"])
    matrix, report = read(tmp_path)
    assert matrix.model_ids.tolist() == ["org/m-4.1"]
    assert matrix.scores.tolist() == [[0, 1, 0, 255]]
    assert (report.n_read, report.n_kept, report.n_missing) == (4, 4, 1)
    wider, _ = read(tmp_path, items=ITEMS)
    assert wider.scores.tolist() == [[0, 1, 0, 255, 255, 255]]
    with pytest.raises(InputError, match="'d'.* none of the 3 ids"):
        read(tmp_path, items=("a", "b", "c"))


@pytest.mark.parametrize(
    ("lists", "named"),
    [
        ({"submitted_ids": ["a"], "resolved_ids": ["b"]}, "'b'.*not submitted"),
        ({"submitted_ids": ["a"], "resolved_ids": ["b"], "incomplete_ids": ["b"]}, "'b'"),
        ({"submitted_ids": ["a", "a"], "resolved_ids": []}, "'a'.*more than once"),
        ({"submitted_ids": ["a"], "resolved_ids": [], "incomplete_ids": ["a"]}, "'a'"),
        ({"submitted_ids": ["a"]}, "'resolved_ids'"),
        ({"submitted_ids": [], "resolved_ids": []}, "no instance"),
    ],
)
def test_a_run_report_that_contradicts_itself_is_refused(
    tmp_path: Path, lists: dict[str, list[str]], named: str
) -> None:
    with pytest.raises(InputError, match=rf"try_1\.json.*{named}"):
        read(_report(tmp_path, **lists))


def test_both_layouts_read_together(tmp_path: Path) -> None:
    _lists(tmp_path, "20240101_one", resolved=["a"])
    _details(tmp_path, {item: {"resolved": item == "b"} for item in ITEMS}, "20250101_two")
    matrix, _ = read(tmp_path, items=ITEMS)
    assert matrix.model_ids.tolist() == ["20240101_one", "20250101_two"]
    assert matrix.scores[:, :2].tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("metadata", "model"),
    [
        ("info:\n  name: Agent 1.0 (Some Model)\ntags:\n  model: [x]\n", "Agent 1.0 (Some Model)"),
        ("info:\n  name: 1e5\n", "1e5"),
        ("- a\n", "20250101_run"),
    ],
)
def test_a_model_is_called_what_its_metadata_say_or_as_its_folder(
    tmp_path: Path, metadata: str, model: str
) -> None:
    _lists(tmp_path, metadata=metadata, resolved=["a"])
    matrix, report = read(tmp_path, items=ITEMS)
    assert matrix.model_ids.tolist() == [model]
    assert sum(report.ignored.values()) == 1


@pytest.mark.parametrize("metadata", ["info: {name: [", "[" * 20_000])
def test_broken_metadata_are_refused(tmp_path: Path, metadata: str) -> None:
    _lists(tmp_path, metadata=metadata, resolved=["a"])
    with pytest.raises(InputError, match="metadata.yaml"):
        read(tmp_path, items=ITEMS)


def test_metadata_run_no_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    metadata = "info:\n  name: !!python/object/apply:os.mkdir [harm]\n"
    _lists(tmp_path / "logs", metadata=metadata, resolved=["a"])
    matrix, _ = read(tmp_path / "logs", items=ITEMS)
    assert matrix.model_ids.tolist() == ["20250101_run"]
    assert not (tmp_path / "harm").exists()


def test_of_two_runs_of_one_model_the_newer_counts_and_that_is_told(tmp_path: Path) -> None:
    metadata = "info: {name: agent}\n"
    _lists(tmp_path, "20240101_agent", metadata, resolved=["a"])
    _lists(tmp_path, "20250101_agent", metadata, resolved=["a", "b"])
    matrix, report = read(tmp_path, items=ITEMS)
    assert matrix.accuracies().tolist() == [2 / 6]
    assert report.dropped == {"row of a run that was not chosen": 6}
    assert any("of 2 runs" in note and "20250101_agent" in note for note in report.notes)
    older, _ = read(tmp_path, items=ITEMS, run="20240101_agent")
    assert older.accuracies().tolist() == [1 / 6]


@pytest.mark.parametrize(
    ("instance", "expected"),
    [
        ("astropy__astropy-12907", "astropy/astropy"),
        ("a", "swe-bench"),
        ("a__b-c", "swe-bench"),
    ],
)
def test_the_repository_is_read_from_an_instances_id(instance: str, expected: str) -> None:
    assert repository(instance) == expected
