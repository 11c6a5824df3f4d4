"""What holds for every reader alike: each format's writer makes logs, `read` has to read them."""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import pkgutil
import socket
from pathlib import Path

import numpy as np
import pytest
import readers
from readers.entries import Logs, Writer, change, example, shuffled

from mbnb import logs
from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.logs import FORMATS, LOG, Answers, Format, ReadOptions, by_file, read
from mbnb.logs.assemble import assemble

WRITERS: list[Writer] = [
    writer
    for found in pkgutil.iter_modules(readers.__path__, "readers.")
    if found.name.startswith("readers.write_")
    for writer in importlib.import_module(found.name).WRITERS
]


def _written(tmp_path: Path, writer: Writer, logs: Logs, name: str = "logs") -> Path:
    folder = tmp_path / name
    folder.mkdir()
    writer.write(folder, logs)
    return folder


def _read(folder: Path, writer: Writer, **choices: object):
    return read(folder, **{**writer.choices, **choices})


def _that_hold(*columns: str) -> pytest.MarkDecorator:
    fitting = [writer for writer in WRITERS if set(columns) <= writer.columns]
    assert fitting
    return pytest.mark.parametrize("writer", fitting, ids=[w.label for w in fitting])


every = _that_hold()


def _same(one: ResponseMatrix, other: ResponseMatrix) -> None:
    assert one.content_hash == other.content_hash
    assert one.items.equals(other.items)


def test_every_format_has_a_writer() -> None:
    assert {writer.format for writer in WRITERS} == set(FORMATS)


@every
def test_a_format_is_recognised_and_its_answers_come_out_as_they_went_in(
    tmp_path: Path, writer: Writer
) -> None:
    logs = example()
    matrix, report = _read(_written(tmp_path, writer, logs), writer)
    assert FORMATS[writer.format].title == report.format
    assert matrix.binary
    assert matrix.n_models == len(logs)
    for row, model in enumerate(matrix.model_ids):
        entries = logs[str(model)] if str(model) in logs else list(logs.values())[row]
        assert matrix.n_items == len(entries)
        expected = sorted(entries, key=lambda entry: (entry.task, entry.item))
        assert matrix.scores[row].tolist() == [entry.score for entry in expected]


@every
def test_the_order_of_rows_models_and_processes_changes_nothing(
    tmp_path: Path, writer: Writer
) -> None:
    if "model" not in writer.columns:
        logs = example()
        other = {model: shuffled({model: entries}, 3)[model] for model, entries in logs.items()}
        if "gaps" not in writer.columns:
            other = logs
    else:
        logs, other = example(), shuffled(example(), 3)
    one, first = _read(_written(tmp_path, writer, logs), writer)
    two, second = _read(_written(tmp_path, writer, other, "others"), writer, n_jobs=2)
    _same(one, two)
    assert first.n_read == second.n_read
    assert (first.dropped, first.n_kept) == (second.dropped, second.n_kept)


@_that_hold("model")
def test_a_models_id_comes_from_the_content_of_its_log(tmp_path: Path, writer: Writer) -> None:
    logs = example()
    matrix, _ = _read(_written(tmp_path, writer, logs), writer)
    assert set(matrix.model_ids) == set(logs)


@_that_hold("twice")
def test_an_item_that_a_model_answers_twice_is_an_error(tmp_path: Path, writer: Writer) -> None:
    logs = example()
    model = next(iter(logs))
    twice = {**logs, model: [*logs[model], logs[model][0]]}
    with pytest.raises(InputError, match="more than once|again|twice"):
        _read(_written(tmp_path, writer, twice), writer)


@_that_hold("metric")
def test_an_unknown_metric_is_an_error_that_lists_those_present(
    tmp_path: Path, writer: Writer
) -> None:
    folder = _written(tmp_path, writer, example())
    with pytest.raises(InputError, match=r"no metric 'bleurt'; it has \w+"):
        _read(folder, writer, metric="bleurt")


@_that_hold("null")
def test_a_missing_score_is_missing_and_counted(tmp_path: Path, writer: Writer) -> None:
    logs = example()
    model = next(iter(logs))
    folder = _written(tmp_path, writer, change(logs, model, 2, score=None))
    matrix, report = _read(folder, writer)
    assert report.n_missing == matrix.n_missing == 1
    assert matrix.missing[list(matrix.model_ids).index(model)].sum() == 1
    lacking = report.models.set_index("model")["missing"]
    assert lacking[model] == 1


@_that_hold("gaps")
def test_models_with_different_items_are_refused_with_the_alternatives(
    tmp_path: Path, writer: Writer
) -> None:
    logs = example()
    model = next(iter(logs))
    folder = _written(tmp_path, writer, {**logs, model: logs[model][1:]})
    with pytest.raises(InputError, match=r"how=inner.*how=outer") as caught:
        _read(folder, writer)
    assert "5 of 6" in str(caught.value)
    inner, kept = _read(folder, writer, how="inner")
    assert (inner.n_items, inner.n_missing) == (5, 0)
    outer, _ = _read(folder, writer, how="outer")
    assert (outer.n_items, outer.n_missing) == (6, 1)
    assert kept.dropped
    assert kept.n_read == kept.n_kept + sum(kept.dropped.values())


@_that_hold("content")
def test_one_id_with_two_contents_is_an_error(tmp_path: Path, writer: Writer) -> None:
    logs = example()
    model = list(logs)[1]
    folder = _written(tmp_path, writer, change(logs, model, 0, content="another question"))
    with pytest.raises(InputError, match="two different documents"):
        _read(folder, writer)


@_that_hold("confidence")
def test_a_confidence_is_that_of_the_rows_own_right_option(tmp_path: Path, writer: Writer) -> None:
    logs = example()
    matrix, _ = _read(_written(tmp_path, writer, logs), writer)
    assert matrix.confidences is not None
    for row, model in enumerate(matrix.model_ids):
        entries = logs[str(model)] if str(model) in logs else list(logs.values())[row]
        expected = sorted(entries, key=lambda entry: (entry.task, entry.item))
        assert len({entry.gold for entry in expected}) > 1
        wanted = [entry.confidence for entry in expected]
        np.testing.assert_allclose(matrix.confidences[row], wanted, rtol=1e-5)


@_that_hold("graded")
def test_graded_scores_stay_what_they_are_unless_binarised_by_name(
    tmp_path: Path, writer: Writer
) -> None:
    folder = _written(tmp_path, writer, example(graded=True))
    matrix, _ = _read(folder, writer)
    assert not matrix.binary
    assert set(np.unique(matrix.scores)) == {0.0, 0.25, 1.0}
    binary, report = _read(folder, writer, binarise=0.25)
    assert binary.binary
    assert (binary.scores == (matrix.scores >= 0.25)).all()
    assert any("became 0 or 1 at 0.25" in note for note in report.notes)


@every
def test_the_reports_counts_add_up(tmp_path: Path, writer: Writer) -> None:
    logs = example()
    _, report = _read(_written(tmp_path, writer, logs), writer)
    assert report.n_read == report.n_kept + sum(report.dropped.values())
    assert report.n_kept > 0
    assert f"{report.n_read:,} rows" in str(report)


@every
def test_reading_opens_no_connection(
    tmp_path: Path, writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a connection was opened")

    folder = _written(tmp_path, writer, example())
    monkeypatch.setattr(socket.socket, "connect", refuse)
    _read(folder, writer)


@every
def test_an_unknown_choice_of_a_task_lists_those_there_are(tmp_path: Path, writer: Writer) -> None:
    folder = _written(tmp_path, writer, example())
    with pytest.raises(InputError, match="no log is of task geometry; the tasks there are: "):
        _read(folder, writer, tasks=("geometry",))


# What is looked at, and by whose formats


def test_what_cannot_be_looked_at_is_an_error_that_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that may not be read, also where the test runs as one who may read all."""
    for name in ("open", "shut"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "t.csv").write_text("model,item,score\nm,a,1\n")
    scan = os.scandir

    def scandir(path: str):
        if str(path).endswith("shut"):
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", scandir)
    with pytest.raises(InputError, match="shut cannot be read: Permission denied"):
        read(tmp_path)


def _read_mine(path: Path, options: ReadOptions) -> list[Answers]:
    ids, scores = zip(*(line.split() for line in path.read_text().splitlines()), strict=True)
    values = np.array(scores, dtype=float)
    return [Answers(path.stem, "mine", str(path), ids, values, len(ids), metric="points")]


MINE = Format(
    "mine",
    "my logs",
    lambda path: LOG if path.suffix == ".mine" else None,
    by_file(_read_mine, lambda path, options: "mine"),
)


def test_another_package_may_bring_a_format(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = importlib.metadata.EntryPoint("mine", f"{__name__}:MINE", "mbnb.logs")
    monkeypatch.setattr(logs, "entry_points", lambda group: [entry])
    for model in ("m0", "m1"):
        (tmp_path / f"{model}.mine").write_text("a 1\nb 0\n")
    matrix, report = read(tmp_path)
    assert (report.format, matrix.scores.tolist()) == ("my logs", [[1, 0], [1, 0]])
    with pytest.raises(InputError, match="the tasks there are: mine"):
        read(tmp_path, tasks=("geometry",))
    broken = importlib.metadata.EntryPoint("bad", f"{__name__}:NOTHING", "mbnb.logs")
    monkeypatch.setattr(logs, "entry_points", lambda group: [broken])
    with pytest.raises(InputError, match="the format 'bad' .* cannot be had"):
        read(tmp_path)


def test_answers_too_thin_for_their_matrix_are_refused_before_it_is_made() -> None:
    parts = [
        Answers(f"m{k}", "t", f"{k}.csv", [f"{k}-{j}" for j in range(50)], np.ones(50), 50)
        for k in range(1000)
    ]
    with pytest.raises(InputError, match="fill less than one cell in 50 of the matrix"):
        assemble(parts, ReadOptions(how="outer"), format="made up", n_files=1000)


def _one(model: str, ids: list[str]) -> Answers:
    return Answers(model, "t", f"{model!r}.json", ids, np.ones(len(ids)), len(ids))


def test_blanks_around_ids_are_taken_off_and_told() -> None:
    parts = [_one(" a", ["1 ", "2"]), _one("b", ["1 ", "2"])]
    matrix, report = assemble(parts, ReadOptions(), format="test", n_files=2)
    assert list(matrix.model_ids) == ["a", "b"]
    assert list(matrix.items.index) == ["t/1", "t/2"]
    assert sum("blanks" in note for note in report.notes) == 2


@pytest.mark.parametrize("pair", [("x y", "x  y"), ("\u00e9", "e\u0301"), ("x", "x ")])
@pytest.mark.parametrize("kind", ["model", "item"])
def test_ids_that_differ_only_in_blanks_or_form_are_refused(
    pair: tuple[str, str], kind: str
) -> None:
    parts = [_one("m", list(pair))] if kind == "item" else [_one(name, ["1"]) for name in pair]
    with pytest.raises(InputError) as caught:
        assemble(parts, ReadOptions(), format="test", n_files=len(parts))
    assert all(ascii(name) in str(caught.value) for name in pair)


def test_a_score_just_above_one_is_shown_in_full() -> None:
    answers = Answers("m", "t", "m.json", ["1"], np.array([1.0000001]), 1)
    with pytest.raises(InputError, match="1.0000001"):
        assemble([answers], ReadOptions(), format="test", n_files=1)
