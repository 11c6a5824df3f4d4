"""Inspect logs: values, errors, epochs, scorers, runs, and real files."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from readers.entries import Entry
from readers.write_inspect import header, sample, summary, write_archive, write_json

from mbnb.data.errors import InputError
from mbnb.logs import read
from mbnb.logs.inspect_ai import value_of

HEAD = header("org/model", "quiz")


def _sample(item: int | str = 1, value: Any = "C", epoch: int = 1, **more: Any) -> dict[str, Any]:
    """A sample judged by one scorer; `value` ... for one that no scorer judged."""
    scores = {} if value is ... else {"choice": {"value": value}}
    return {**sample(Entry(1, 1.0)), "id": item, "epoch": epoch, "scores": scores, **more}


def _archive(tmp_path: Path, *samples: dict[str, Any], **more: Any) -> Path:
    return write_archive(tmp_path / "log.eval", HEAD, list(samples), **more)


@pytest.mark.parametrize(
    ("value", "score"),
    [
        *[("C", 1), ("I", 0), ("P", 0.5), ("N", 0), ("yes", 1), ("No", 0), ("True", 1)],
        *[("false", 0), ("0.25", 0.25), (" 1 ", 1), (0.75, 0.75), (1, 1), (True, 1), (False, 0)],
    ],
)
def test_each_value_that_inspect_writes_has_its_number(value: Any, score: float) -> None:
    assert value_of(value) == score


@pytest.mark.parametrize("value", [None, float("nan"), "nan"])
def test_no_value_and_nan_are_no_score(value: Any) -> None:
    assert np.isnan(value_of(value))


@pytest.mark.parametrize(
    ("value", "what"),
    [
        *[("c", "the text 'c'"), ("A", "the text 'A'"), ("", "an empty text")],
        *[("1_0", "the text '1_0'"), ("inf", "the text 'inf'")],
    ],
)
def test_an_unknown_text_is_an_error_that_names_sample_and_text(
    tmp_path: Path, value: str, what: str
) -> None:
    path = _archive(tmp_path, _sample(1), _sample("q2", value))
    with pytest.raises(InputError, match=rf"sample 'q2': .*'choice' {what}"):
        read(path)
    matrix, report = read(path, on_bad="skip")
    assert matrix.n_items == 1
    assert report.dropped == {"row that cannot be read": 1}


FOUR_AND_TWO = [_sample(k) for k in range(4)] + [
    _sample(4, ..., error={"message": "timeout"}),
    _sample(5, float("nan")),
]


def test_samples_without_a_score_need_a_choice_whose_two_means_are_shown(tmp_path: Path) -> None:
    for path in (
        write_archive(tmp_path / "a.eval", HEAD, FOUR_AND_TWO),
        write_json(tmp_path / "b.json", HEAD, FOUR_AND_TWO),
    ):
        with pytest.raises(InputError, match=r"2 of 6 samples have no score \(1 ended in an") as c:
            read(path)
        assert "errors=missing, which leaves them out (mean 1.000)" in str(c.value)
        assert "errors=wrong (mean 0.667)" in str(c.value)
        lenient, report = read(path, errors="missing")
        assert report.models.loc[0, ["missing", "accuracy"]].tolist() == [2, 100]
        strict, told = read(path, errors="wrong")
        assert told.models.loc[0, "accuracy"] == pytest.approx(100 * 4 / 6)
        assert (lenient.n_items, strict.n_missing) == (6, 0)
        assert any("1.000" in note and "0.667" in note for note in told.notes)


def test_nan_as_a_value_changes_no_text_that_says_nan(tmp_path: Path) -> None:
    text = 'Is "x": NaN, or [NaN, -Infinity] JSON?'
    for name, value in (("a", "C"), ("b", float("nan"))):
        samples = [_sample(1, value, input=text), _sample(2)]
        write_json(tmp_path / f"{name}.json", header(name, "quiz"), samples)
    assert read(tmp_path, errors="missing")[0].n_missing == 1


def test_several_epochs_need_a_choice_and_their_mean_stays_a_fraction(tmp_path: Path) -> None:
    epochs = [_sample("q7", v, epoch) for epoch, v in enumerate("CICIC", start=1)]
    path = _archive(tmp_path, *epochs[::-1])
    with pytest.raises(InputError, match=r"up to 5 answers \(epochs\) .*=mean.*=first"):
        read(path)
    matrix, report = read(path, replicates="mean")
    assert matrix.scores.tolist() == [[pytest.approx(0.6)]]
    assert not matrix.binary
    assert report.n_kept == 5
    first, counted = read(path, replicates="first")
    assert first.scores.tolist() == [[1]]
    assert counted.dropped == {"answer of another epoch or trial (replicates=first)": 4}


def test_an_epoch_that_was_not_scored_leaves_the_mean_of_the_others_or_counts_as_wrong(
    tmp_path: Path,
) -> None:
    path = _archive(tmp_path, _sample("q", "C", 1), _sample("q", ..., 2))
    assert read(path, replicates="mean", errors="missing")[0].scores.tolist() == [[1]]
    assert read(path, replicates="mean", errors="wrong")[0].scores.tolist() == [[0.5]]


def test_of_several_scorers_and_of_keys_of_one_the_metric_names_one(tmp_path: Path) -> None:
    scores = {"match": {"value": "I"}, "judge": {"value": {"tone": 0.25, "fact": "C"}}}
    path = _archive(tmp_path, _sample(scores=scores))
    with pytest.raises(InputError, match=r"3 metrics \(judge\.fact, judge\.tone, match\); name"):
        read(path)
    with pytest.raises(InputError, match="no metric 'judge'; it has judge.fact"):
        read(path, metric="judge")
    matrix, _ = read(path, metric="judge.tone")
    assert matrix.scores.tolist() == [[0.25]]
    assert list(matrix.items["metric"]) == ["judge.tone"]
    assert read(path, metric="judge.fact")[0].scores.tolist() == [[1]]


def test_a_list_becomes_a_score_only_in_a_way_that_is_named(tmp_path: Path) -> None:
    path = _archive(tmp_path, _sample(value=["C", "I", "C", "C"]))
    with pytest.raises(InputError, match=r"is a list .*reduce=mean or reduce=all"):
        read(path)
    assert read(path, reduce="mean")[0].scores.tolist() == [[0.75]]
    assert read(path, reduce="all")[0].scores.tolist() == [[0]]


def test_an_unfinished_log_is_read_from_its_journal_and_told(tmp_path: Path) -> None:
    path = write_archive(tmp_path / "log.eval", None, [_sample(1), _sample(2, "I")], start=HEAD)
    matrix, report = read(path)
    assert matrix.scores.tolist() == [[1, 0]]
    assert any("status unfinished" in note for note in report.notes)


def test_a_run_that_did_not_end_well_is_told_with_its_status(tmp_path: Path) -> None:
    path = write_json(tmp_path / "log.json", {**HEAD, "status": "cancelled"}, [_sample()])
    _, report = read(path)
    assert any(
        "status cancelled" in note and "2026-01-21T03:44:18" in note for note in report.notes
    )


def test_of_two_runs_the_newest_whole_one_counts_by_time_in_any_zone(tmp_path: Path) -> None:
    def run(name: str, created: str, *values: str) -> None:
        head = header("org/model", "quiz", created)
        samples = [_sample(k, value) for k, value in enumerate(values)]
        write_archive(tmp_path / f"{name}.eval", head, samples)

    run("a", "2026-01-21T10:00:00+02:00", "I", "I")  # 08:00 in UTC
    run("b", "2026-01-21T09:00:00+00:00", "C", "C")
    run("c", "2026-01-21T23:00:00+00:00", "I")
    matrix, report = read(tmp_path)
    assert matrix.scores.tolist() == [[1, 1]]
    assert any("of 3 runs" in note and "b.eval" in note for note in report.notes)
    assert report.n_read == report.n_kept + sum(report.dropped.values()) == 5
    older, _ = read(tmp_path, run="2026-01-21T08:00:00")
    assert older.scores.tolist() == [[0, 0]]


def test_a_failed_run_without_scores_gives_way_to_a_good_one_and_never_counts_as_wrong(
    tmp_path: Path,
) -> None:
    late = {**header("org/model", "quiz", "2026-02-01T00:00:00Z"), "status": "error"}
    write_archive(tmp_path / "late.eval", late, [_sample(1, ...)])
    with pytest.raises(InputError, match="there is no answer"):
        read(tmp_path)
    write_archive(tmp_path / "good.eval", HEAD, [_sample(1)])
    matrix, report = read(tmp_path)
    assert matrix.scores.tolist() == [[1]]
    assert report.dropped == {"sample of a run that ended before anything was scored": 1}


def test_rows_that_leave_samples_out_are_not_believed(tmp_path: Path) -> None:
    both = [_sample(1), _sample(2, "I")]
    path = _archive(tmp_path, *both, **{"samples/3_epoch_1.json": json.dumps(_sample(3))})
    matrix, report = read(path)
    assert matrix.scores.tolist() == [[1, 0, 1]]
    assert report.n_read == 3


def test_an_archive_and_its_json_form_mean_the_same_items_however_long(tmp_path: Path) -> None:
    long = "word " * 3000
    parts = [{"type": "text", "text": long}, {"type": "image", "image": "data:image/png;base64,"}]
    whole = [
        _sample(1, input=long),
        _sample(2, input=[{"id": "r4nd0m", "role": "user", "content": parts}]),
    ]
    cut = f"{long[:5120]}...\n(content truncated)"
    rows = [
        {**summary(whole[0]), "input": cut},
        {
            **summary(whole[1]),
            "input": [
                {
                    "id": "other",
                    "role": "user",
                    "content": [
                        {"type": "text", "text": cut},
                        {"type": "text", "text": "(Image)"},
                    ],
                }
            ],
        },
    ]
    write_json(tmp_path / "a.json", header("a", "quiz"), whole)
    path = write_archive(tmp_path / "b.eval", header("b", "quiz"), whole)
    assert read(tmp_path)[0].n_models == 2
    path.unlink()
    members = {"summaries.json": json.dumps(rows), "header.json": json.dumps(header("b", "quiz"))}
    write_archive(path, None, whole, start=header("b", "quiz"), **members)
    matrix, _ = read(tmp_path)
    assert (matrix.n_models, matrix.n_items) == (2, 2)
    assert set(matrix.items["n_options"]) == {4}


def test_shuffled_choices_are_another_item_unless_the_input_alone_is_to_count(
    tmp_path: Path,
) -> None:
    turned: dict[str, Any] = {"choices": [f"option {k}" for k in (3, 0, 1, 2)], "target": "B"}
    write_archive(tmp_path / "a.eval", header("a", "quiz"), [_sample()])
    write_archive(tmp_path / "b.eval", header("b", "quiz"), [_sample(value="I", **turned)])
    with pytest.raises(InputError, match="'quiz/1' has two different documents"):
        read(tmp_path)
    matrix, _ = read(tmp_path, content_field="input")
    assert matrix.scores.tolist() == [[1], [0]]
    with pytest.raises(InputError, match="'prompt' is no field .* input, choices, target"):
        read(tmp_path, content_field="prompt")


def test_a_list_of_logs_beside_them_is_no_log(tmp_path: Path) -> None:
    _archive(tmp_path, _sample())
    (tmp_path / "logs.json").write_text(json.dumps({"log.eval": HEAD}))
    matrix, report = read(tmp_path)
    assert matrix.n_items == 1
    assert report.ignored == {"not recognised": 1}


def test_a_field_of_the_metadata_may_name_the_subtask(tmp_path: Path) -> None:
    path = _archive(tmp_path, _sample(1, metadata={"subject": "law"}))
    assert list(read(path, subtask_field="subject")[0].items["subtask"]) == ["law"]
    with pytest.raises(InputError, match=r"no field 'area' in its metadata \(there: subject\)"):
        read(path, subtask_field="area")


def test_of_a_sample_that_was_run_again_it_is_chosen_which_counts(tmp_path: Path) -> None:
    failed = _sample(1, ..., error={"message": "timeout"})
    path = write_json(tmp_path / "log.json", HEAD, [failed, _sample(2, "I"), _sample("1")])
    with pytest.raises(InputError, match=r"item '1' .* row 1 and again in row 3 .*repeat=last"):
        read(path, replicates="first")
    matrix, report = read(path, repeat="last")
    assert matrix.scores.tolist() == [[1, 0]]
    assert report.dropped == {"repeated row of an item": 1}
    first, _ = read(path, repeat="first", errors="missing")
    assert first.scores.tolist() == [[255, 0]]


def test_scores_over_all_epochs_are_read_where_no_samples_were_logged(tmp_path: Path) -> None:
    reductions = [
        {
            "scorer": "choice",
            "samples": [{"value": 0.6, "sample_id": 1}, {"value": 0, "sample_id": 2}],
        }
    ]
    path = tmp_path / "log.json"
    path.write_text(json.dumps({**HEAD, "reductions": reductions}))
    matrix, report = read(path)
    assert matrix.scores.tolist() == [[pytest.approx(0.6), 0]]
    assert any("no samples were logged" in note for note in report.notes)


def test_models_of_different_task_versions_are_refused(tmp_path: Path) -> None:
    for name in ("a", "b"):
        head = header(name, "quiz", task_version=ord(name))
        write_archive(tmp_path / f"{name}.eval", head, [_sample()])
    with pytest.raises(InputError, match="different versions of task 'quiz'"):
        read(tmp_path)
    assert read(tmp_path, mixed_versions=True)[0].n_models == 2


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        ({"id": 1.5}, "no id that is a whole number or a text"),
        ({"id": True}, "no id that is a whole number or a text"),
        ({"epoch": "1"}, "an epoch that is no whole number"),
        ({"scores": [1]}, "scores that are no object"),
        ({"scores": {"choice": 1}}, "a score that is no object"),
        ({"input": 7}, "an input that is neither"),
    ],
)
def test_a_bad_sample_is_an_error_with_its_place(
    tmp_path: Path, more: dict[str, Any], fault: str
) -> None:
    path = write_json(tmp_path / "log.json", HEAD, [_sample(0), {**_sample(1), **more}])
    with pytest.raises(InputError, match=f"sample 2: the row has {fault}"):
        read(path)
    assert read(path, on_bad="skip")[1].dropped == {"row that cannot be read": 1}


@pytest.mark.parametrize("gone", ["model", "task"])
def test_a_log_whose_header_names_no_model_or_task_is_refused(tmp_path: Path, gone: str) -> None:
    head = {**HEAD, "eval": {k: v for k, v in HEAD["eval"].items() if k != gone}}
    path = write_archive(tmp_path / "log.eval", head, [_sample()])
    with pytest.raises(InputError, match=rf"names no {gone} \(eval\.{gone}\)"):
        read(path)


def _real(name: str) -> Path:
    logs = os.environ.get("MBNB_LOGS") or (
        Path(os.environ["MBNB_DATA"]).parent / "logs" if "MBNB_DATA" in os.environ else None
    )
    if logs is None or not (Path(logs) / "inspect_ai" / name).is_file():
        pytest.skip(f"the real log {name} is absent: set MBNB_LOGS to the folder with inspect_ai/")
    return Path(logs) / "inspect_ai" / name


def test_a_real_json_log_gives_the_accuracy_it_logged() -> None:
    path = _real("arc_qwen.json")
    [logged] = json.loads(path.read_text())["results"]["scores"]
    matrix, report = read(path)
    assert logged["metrics"]["accuracy"]["value"] == pytest.approx(1 / 3)
    assert matrix.scores.mean() == logged["metrics"]["accuracy"]["value"]
    assert list(matrix.model_ids) == ["ollama/qwen2.5:0.5b"]
    assert list(matrix.item_ids) == [f"inspect_evals/arc_easy/{k}" for k in (1, 2, 3)]
    assert set(matrix.items["n_options"]) == {4}
    assert any("holds 3 of 2,376 items" in note for note in report.notes)


def test_a_real_archive_gives_its_one_answer_with_the_choices_of_its_sample() -> None:
    matrix, _ = read(_real("mmlu-no-summary-choices.eval"), subtask_field="subject")
    assert matrix.scores.tolist() == [[0]]
    assert list(matrix.model_ids) == ["openai/gpt-4o"]
    assert matrix.items.loc["inspect_evals/mmlu_0_shot/1", "n_options"] == 4
    assert list(matrix.items["subtask"]) == ["college_physics"]


def test_a_real_archive_that_was_never_scored_is_refused_and_not_read_as_wrong() -> None:
    with pytest.raises(InputError, match=r"none of its 10 samples has a score; score the log"):
        read(_real("popularity_run1.eval"), errors="wrong")
