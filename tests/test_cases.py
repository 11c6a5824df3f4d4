"""Faults that people met on the way from logs to a score, where no test of one module holds them:
each is written into logs as it stood there, and the right reading is required."""

from __future__ import annotations

import json
import re
import socket
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner, Result
from conftest import make_matrix
from readers.entries import example, shuffled
from readers.write_helm import stat, write_run
from readers.write_lm_eval import WRITERS as LM_EVAL
from test_micro_benchmark import make_board, refreeze
from test_readers_acceptance import WRITERS
from test_readers_lm_eval import NEW, OLD, chosen, generated, without, write

from mbnb.cli import main
from mbnb.data.errors import InputError
from mbnb.data.folder import read_folder
from mbnb.data.responses import ResponseMatrix
from mbnb.frozen.freeze import freeze
from mbnb.frozen.micro_benchmark import parse_micro_benchmark, read_micro_benchmark
from mbnb.frozen.scoring import Scored, score
from mbnb.logs import lm_eval, read
from mbnb.methods.selectors import SELECTORS, make_selector
from mbnb.run.store import result_key
from mbnb.run.units import unit_name


def mbnb(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def told_of(model: str, task: str, original: int, effective: int) -> dict[str, Any]:
    """A results file that says how many items the task has and how many were run."""
    counts = {"original": original, "effective": effective}
    return {"model_name": model, "versions": {task: 1}, "n-samples": {task: counts}}


# Runs with a limit: the first items of a benchmark are no random sample of it


def sorted_by_subject(n: int, model: int = 0, first: int = 0) -> list[dict[str, Any]]:
    """Rows of a benchmark of 6 items, stored by subject: 4 of law, then 2 of art."""
    return [
        generated(k, (k + model) % 2, doc={"subject": "law" if k < 4 else "art"})
        for k in range(first, first + n)
    ]


def test_a_limit_is_told_with_what_it_took_and_once_for_all_its_models(tmp_path: Path) -> None:
    for model in ("m0", "m1", "m2"):
        write(tmp_path, sorted_by_subject(3), model=model, results=told_of(model, "toy", 6, 3))
    _, report = read(tmp_path)
    [note] = [note for note in report.notes if "of 6 items" in note]
    assert note == (
        "toy: the runs of 3 models (such as 'm0') hold 3 of 6 items; these are the first ones, as "
        "a run with a limit takes them; the first items of a benchmark are no random sample of it."
    )


def test_a_run_of_chosen_items_is_not_taken_for_one_with_a_limit(tmp_path: Path) -> None:
    write(tmp_path, sorted_by_subject(3, first=2), results=told_of("m0", "toy", 6, 3))
    _, report = read(tmp_path)
    [note] = [note for note in report.notes if "of 6 items" in note]
    assert "m0, toy: the run holds 3 of 6 items; so a part of the benchmark was run" in note
    assert "first" not in note


def test_a_limit_in_each_of_several_tasks_is_seen_as_one(tmp_path: Path) -> None:
    for task in ("bird", "fish"):
        write(tmp_path, [generated(k, 1) for k in range(12)], model="m0", task=task)
        write(tmp_path, [generated(k, 1) for k in range(11)], model="m1", task=task)
    with pytest.raises(InputError, match="'m1' holds 22 of 24 .it holds the first ones only, as a"):
        read(tmp_path)
    # A hole in one of the tasks is no limit.
    write(tmp_path, [generated(k, 1) for k in range(12) if k != 4], model="m1", task="fish")
    with pytest.raises(InputError, match="'m1' holds 22 of 24 and lacks 'bird/11'"):
        read(tmp_path)


def test_items_that_are_left_by_a_limit_are_told_to_be_the_first_with_the_subtasks_lost(
    tmp_path: Path,
) -> None:
    write(tmp_path, sorted_by_subject(6), model="m0")
    write(tmp_path, sorted_by_subject(3, 1), model="m1")
    inner, report = read(tmp_path, how="inner", subtask_field="subject")
    assert list(inner.subtasks) == ["law"]
    assert (
        "1 models (such as 'm1') hold the first items of a task only, as a run with a limit does, "
        "so the items that are left are no random sample of the benchmark."
    ) in report.notes
    assert any("1 subtasks (such as 'art') have no item that every" in n for n in report.notes)
    outer, told = read(tmp_path, how="outer", subtask_field="subject")
    assert outer.n_missing == 3
    assert any("'m1') hold the first items of a task only" in note for note in told.notes)
    assert not any("left out" in note for note in told.notes)


def test_a_run_with_a_limit_cannot_be_scored_as_a_micro_benchmark(tmp_path: Path) -> None:
    known, limited, micro = tmp_path / "known", tmp_path / "new", tmp_path / "micro.json"
    draw = np.random.default_rng(3)
    for model in range(8):
        rows = [generated(k, int(draw.random() < 0.5)) for k in range(40)]
        write(known, rows, model=f"m{model}")
    write(limited, [generated(k, 1) for k in range(10)], model="new")
    assert mbnb("read", known, "--out", tmp_path / "data", "--jobs", 1).exit_code == 0
    frozen = mbnb("select", tmp_path / "data", "--size", 10, "--out", micro)
    assert frozen.exit_code == 0, frozen.output
    for words in ([], ["--extra", "ignore"]):
        done = mbnb("score", micro, limited, "--jobs", 1, *words)
        assert done.exit_code == 2
        assert "of the micro-benchmark's 10 items are not there" in done.stderr
        assert "numbered from 0 on, as the first items are that a run with a limit" in done.stderr
        assert done.stdout == ""


# Running the selected items alone


def test_the_harness_runs_the_exported_items_alone_and_they_are_scored(tmp_path: Path) -> None:
    draw = np.random.default_rng(5)
    known, new, data = tmp_path / "known", tmp_path / "new", tmp_path / "data"
    scores = {f"m{m}": (draw.random(60) < 0.2 + 0.08 * m).astype(int) for m in range(8)}
    tasks = {"bird": range(25), "fish": range(25, 60)}
    for model, answers in scores.items():
        for task, places in tasks.items():
            rows = [generated(k, int(answers[place])) for k, place in enumerate(places)]
            write(known, rows, model=model, task=task)
    assert mbnb("read", known, "--out", data, "--jobs", 1).exit_code == 0
    micro = tmp_path / "micro.json"
    words = ("--size", 30, "--out", micro, "--samples", tmp_path / "samples.json")
    assert mbnb("select", data, *words).exit_code == 0
    samples = json.loads((tmp_path / "samples.json").read_text())
    assert set(samples) == set(tasks)
    for task, indices in samples.items():
        # As numbers: 2 comes before 10, and each is the item's own place in its task.
        assert indices == sorted(set(indices)) and max(indices) > 9
        assert all(type(index) is int and 0 <= index < len(tasks[task]) for index in indices)
        rows = [generated(k, int(scores["m4"][tasks[task][k]])) for k in indices]
        results = told_of("fresh", task, len(tasks[task]), len(indices))
        write(new, rows, model="fresh", task=task, results=results)
    done = mbnb("score", micro, new, "--json", "--unlike", "accept", "--jobs", 1)
    assert done.exit_code == 0, done.output
    [model] = json.loads(done.stdout)["models"]
    picked = [tasks[task][k] for task, indices in samples.items() for k in indices]
    assert model["estimate"] == pytest.approx(scores["m4"][picked].mean())


# Filters and answers that could not be extracted


def test_rows_of_which_only_some_name_a_filter_are_no_crash_and_no_guess(tmp_path: Path) -> None:
    rows = [generated(0, 1, filter="strict-match"), without(generated(1, 1), "filter")]
    write(tmp_path, rows)
    with pytest.raises(InputError, match=r"2 filters \(\(rows without one\), strict-match\)"):
        read(tmp_path)
    matrix, report = read(tmp_path, filter="strict-match")
    assert matrix.scores.tolist() == [[1, 255]]
    assert report.n_missing == 1


def test_a_filter_that_found_no_answer_is_flagged_although_another_found_them_all(
    tmp_path: Path,
) -> None:
    rows = []
    for k in range(4):
        rows.append(generated(k, 0, filter="strict-match", filtered_resps=["[invalid]"]))
        rows.append(generated(k, 1, filter="flexible-extract"))
    write(tmp_path, rows)
    _, strict = read(tmp_path, filter="strict-match")
    assert any("m0, toy: from 100% of the rows no answer" in note for note in strict.notes)
    _, flexible = read(tmp_path, filter="flexible-extract")
    assert not any("[invalid]" in note for note in flexible.notes)


def test_choosing_among_repeated_rows_joins_no_two_documents(tmp_path: Path) -> None:
    rows = [generated(2, 1, doc_hash="2" * 64), generated(2, 0, doc_hash="5" * 64)]
    path = write(tmp_path, rows)
    for repeat in (None, "first", "last"):
        with pytest.raises(InputError, match="item '2' has two different documents, in rows 1 a"):
            read(path, repeat=repeat)


# Order


@pytest.mark.parametrize("seed", range(6))
def test_no_order_of_rows_or_models_changes_a_matrix(tmp_path: Path, seed: int) -> None:
    logs = example()
    for name, held in (("plain", logs), ("other", shuffled(logs, seed))):
        (tmp_path / name).mkdir()
        LM_EVAL[0].write(tmp_path / name, held)
    plain, _ = read(tmp_path / "plain", metric="acc")
    other, _ = read(tmp_path / "other", metric="acc")
    assert other.content_hash == plain.content_hash
    assert other.items.equals(plain.items)


def test_ids_are_ordered_as_numbers_whatever_the_order_of_ranks(tmp_path: Path) -> None:
    ranks = [k for rank in range(4) for k in range(rank, 12, 4)]
    write(tmp_path, [generated(k, k % 3 == 0) for k in range(12)], model="m0")
    write(tmp_path, [generated(k, k % 3 == 0) for k in ranks], model="m1")
    matrix, _ = read(tmp_path)
    assert list(matrix.item_ids) == [f"toy/{k}" for k in range(12)]
    assert matrix.scores.tolist() == [[1, 0, 0] * 4] * 2


# Versions


def test_models_that_were_shown_other_numbers_of_examples_are_refused(tmp_path: Path) -> None:
    for model, shots in (("m0", 0), ("m1", 5), ("m2", 5)):
        results = {"model_name": model, "versions": {"toy": 1}, "n-shot": {"toy": shots}}
        write(tmp_path, [generated(0, 1)], model=model, results=results)
    with pytest.raises(
        InputError, match="of task 'toy' .version 0-shot: 1 models, such as 'm0'; version 5-shot: 2"
    ):
        read(tmp_path)
    _, report = read(tmp_path, mixed_versions=True)
    assert any("version 5-shot: 2 models, such as 'm1'" in note for note in report.notes)


def test_other_versions_of_the_program_are_told_with_the_models(tmp_path: Path) -> None:
    for model, release in (("m0", "0.4.2"), ("m1", "0.4.9")):
        results = {"model_name": model, "lm_eval_version": release}
        write(tmp_path, [generated(0, 1)], model=model, results=results)
    _, report = read(tmp_path)
    assert (
        "Different versions of program: version 0.4.2: 1 models, such as 'm0'; version 0.4.9: 1 "
        "models, such as 'm1'."
    ) in report.notes


# Names


def test_a_folder_that_is_called_like_a_file_is_a_folder(tmp_path: Path) -> None:
    place = tmp_path / "out.json" / "o:r=g|x.jsonl"
    place.mkdir(parents=True)
    results = {"model_name": "org/real"}
    path = write(tmp_path / "elsewhere", [generated(0, 1)], results=results)
    for file in path.parent.iterdir():
        file.rename(place / file.name)
    matrix, _ = read(tmp_path / "out.json")
    assert list(matrix.model_ids) == ["org/real"]


@pytest.mark.parametrize("name", ["o:r=g/na|me", "x" * 300, "CON", "名前", "..", 'a"b*?'])
def test_no_name_of_data_or_model_gets_into_the_names_of_kept_files(name: str) -> None:
    key = result_key(name=name, models=[name])
    assert len(key) == 32 and set(key) <= set("0123456789abcdef")
    assert result_key(name=name.upper() + "x", models=[name]) != key
    for selector in map(make_selector, SELECTORS):
        assert re.fullmatch(r"[a-z0-9-]{1,60}", unit_name(selector, 123))


def test_the_newest_run_of_a_task_is_not_that_of_a_task_whose_name_goes_on(tmp_path: Path) -> None:
    write(tmp_path, [generated(k, 1) for k in range(2)], task="mmlu", time=OLD)
    write(tmp_path, [generated(k, 0) for k in range(2)], task="mmlu_anatomy", time=NEW)
    matrix, report = read(tmp_path)
    assert list(matrix.item_ids) == ["mmlu/0", "mmlu/1", "mmlu_anatomy/0", "mmlu_anatomy/1"]
    assert matrix.scores.tolist() == [[1, 1, 0, 0]]
    assert report.dropped == {}


# Values


def test_quoted_plain_and_nested_log_likelihoods_give_one_confidence(tmp_path: Path) -> None:
    values, texts = [-1.5, -0.2, -3.0], [" red", " blue", " green"]
    row = chosen(0, values, "blue")
    row["arguments"] = {
        f"gen_args_{k}": {"arg_0": "q", "arg_1": text} for k, text in enumerate(texts)
    }
    early = {
        **row,
        "arguments": [["q", text] for text in texts],
        "resps": [[[value, False]] for value in values],
        "filtered_resps": [[value, False] for value in values],
    }
    write(tmp_path, [row], model="m0")
    write(tmp_path, [early], model="m1")
    write(tmp_path, [without(row, "filtered_resps")], model="m2")
    write(tmp_path, [without(early, "filtered_resps")], model="m3")
    matrix, _ = read(tmp_path)
    assert matrix.confidences is not None
    expected = np.exp(-0.2) / np.exp(values).sum()
    assert matrix.confidences[:, 0].tolist() == pytest.approx([expected] * 4)


def test_guessing_has_the_chance_of_each_items_own_options(tmp_path: Path) -> None:
    write(tmp_path, [chosen(0, [-1] * 3, 0), chosen(1, [-1] * 10, 0), chosen(2, [-1] * 5, 0)])
    matrix, _ = read(tmp_path)
    assert matrix.items["n_options"].tolist() == [3, 10, 5]
    assert matrix.confidences is not None
    # A model without a preference guesses: no padding takes a share.
    assert matrix.confidences[0].tolist() == pytest.approx([1 / 3, 1 / 10, 1 / 5])


def test_what_is_not_defined_is_null_in_the_reports_json(tmp_path: Path) -> None:
    path = write(tmp_path, [generated(k, 1) for k in range(2)], model="m0")
    write(tmp_path, [generated(k, 1) for k in range(2)], model="m1")
    path.write_text(path.read_text().replace('"exact_match": 1', '"exact_match": NaN'))
    done = mbnb("read", tmp_path, "--json", "--jobs", 1)
    assert done.exit_code == 0, done.output
    answer = json.loads(done.stdout, parse_constant=lambda text: pytest.fail(text))
    assert [model["accuracy"] for model in answer["models"]] == [None, 100]
    assert answer["missing"] == 2


# Averages


def test_the_report_shows_the_mean_over_items_beside_that_over_subtasks(tmp_path: Path) -> None:
    for task, n, right in (("s1", 4, 1), ("s2", 2, 0)):
        write(tmp_path, [generated(k, right) for k in range(n)], task=task)
    matrix, report = read(tmp_path)
    [row] = report.models.to_dict("records")
    assert (row["accuracy"], row["by_subtask"]) == (pytest.approx(200 / 3), 50)
    assert matrix.accuracies() == pytest.approx([2 / 3])


@pytest.mark.parametrize("selector", SELECTORS)
def test_every_selector_has_the_same_target_and_takes_a_subtask_of_one_item(selector: str) -> None:
    board = make_board()
    subtasks = ["one"] + ["some"] * 9 + ["most"] * 50
    matrix = make_matrix(board.scores, subtasks=subtasks, models=list(board.model_ids))
    micro = freeze(matrix, selector, 12, 1, n_folds=3)
    # The mean over items, also for a selector that takes as many of each subtask.
    assert [model.score for model in micro.known] == pytest.approx(matrix.scores.mean(axis=1))
    assert abs(micro.weights.sum() - 1) <= 1e-9 and (micro.weights >= 0).all()


# Estimates


def test_an_estimate_by_confidences_says_so_and_scores_can_be_had_instead() -> None:
    board = make_board(confident=True)
    sure = np.full(60, 0.9)
    right = np.arange(60) % 2
    for estimator, expected, label in (
        ("confidence-mean", 0.9, True),
        ("weighted-mean", None, False),
    ):
        micro = freeze(board, "anchor-points", 12, 0, estimator=estimator, n_folds=3)
        assert micro.estimator == estimator
        ids = micro.item_ids
        answers = dict(zip(board.item_ids, right.tolist(), strict=True))
        confident = dict(zip(board.item_ids, sure.tolist(), strict=True))
        result = score(
            micro,
            {i: answers[i] for i in ids},
            confidences={i: confident[i] for i in ids},
            unlike="accept",
        )
        if expected is None:
            expected = float(np.array([answers[i] for i in ids]) @ micro.weights)
        assert result.estimate == pytest.approx(expected - micro.bias)
        assert any("mean of confidences" in note for note in result.notes) == label


def parted(selector: str, seed: int, size: int = 30) -> tuple[list[Scored], ResponseMatrix]:
    """Ten models scored by a micro-benchmark of thirty others, and their answers to all items."""
    board = make_board(n_models=40, n_items=120)
    new = board.subset(models=np.arange(0, 40, 4))
    known = board.subset(models=[m for m in board.model_ids if m not in set(new.model_ids)])
    micro = freeze(known, selector, size, seed)
    return score(micro, new, extra="ignore", unlike="accept"), new


def test_two_models_of_a_random_draw_are_told_apart_where_the_paired_test_says_so() -> None:
    pairs = pd.concat([result.pairs for result in parted("uniform", 1)[0]])
    apart = pairs["verdict"] != "not told apart"
    assert (apart == ((pairs["p_value"] <= 0.05) & (pairs["gap"] != 0))).all()
    # A lead of the estimate alone says nothing yet.
    assert apart.any() and (~apart & (pairs["gap"].abs() > 0.05)).any()
    assert ((pairs["verdict"] == "above") == (apart & (pairs["gap"] > 0))).all()


def test_two_models_on_the_same_items_are_told_apart_beyond_one_gap() -> None:
    pairs = pd.concat([result.pairs for result in parted("subtask", 1)[0]])
    apart = pairs["verdict"] != "not told apart"
    lead = pairs["gap"].abs()
    assert apart.any() and 0.05 < lead[~apart].max() < lead[apart].min()


def test_verdicts_on_pairs_are_false_no_more_often_than_stated() -> None:
    """Beside the estimate of a level, which is another use of the same few items."""
    n_pairs, n_false = 0, 0
    for seed in range(30):
        results, new = parted("uniform", seed)
        truth = dict(zip(new.model_ids, new.accuracies(), strict=True))
        for result in results:
            ahead = truth[result.model] - result.pairs["score"].to_numpy()
            above, below = ((result.pairs["verdict"] == word) for word in ("above", "below"))
            n_pairs += len(ahead)
            n_false += int((above & (ahead <= 0)).sum() + (below & (ahead >= 0)).sum())
    assert n_pairs == 9000 and n_false / n_pairs <= 0.05


def test_weights_are_not_made_to_fit_again_when_an_item_is_dropped() -> None:
    text = freeze(make_board(), "uniform", 10, 3).to_json()

    def drop(parts: dict[str, Any]) -> None:
        parts["items"].pop()
        parts["size"] = 9
        for model in parts["known"]:
            model["answers"] = model["answers"][:9]

    with pytest.raises(InputError, match=r"weights must sum to 1; given: 0\.9"):
        parse_micro_benchmark(refreeze(text, drop))


# Several answers to an item


@pytest.mark.parametrize(("rule", "what"), [("mean", "their mean"), ("first", "the first of them")])
def test_that_a_score_is_made_of_several_trials_is_told(
    tmp_path: Path, rule: str, what: str
) -> None:
    rows = [
        {"instance_id": "id1", "train_trial_index": trial, "stats": [stat("exact_match", score)]}
        for trial, score in enumerate((1.0, 0.0, 1.0))
    ]
    write_run(tmp_path / "run", "org/model", "algebra", rows)
    matrix, report = read(tmp_path, replicates=rule)
    assert matrix.scores[0, 0] == pytest.approx(2 / 3 if rule == "mean" else 1)
    assert (
        f"algebra:split=test: models have up to 3 answers (trials) to an item, and {what} counts "
        f"(replicates={rule})."
    ) in report.notes


# What every reader is to hold

EVERYTHING = {
    *("null", "confidence", "content", "graded", "metric"),
    *("tasks", "model", "gaps", "twice"),
}
# What the logs of a format cannot hold, so that no test of all readers can ask it of them.
LACKING: dict[str, list[set[str]]] = {
    "lm-eval": [set()],
    "lighteval": [set()],
    # Rows have no id but their question's content: a question twice is two items, and, but for
    # the oldest rows, another content is another item.
    "openllm-v1": [{"twice"}, *[{"twice", "content"}] * 3],
    # Neither logs what each option would have got.
    "helm": [{"confidence"}],
    "inspect": [{"confidence"}] * 2,
    # Places in an array: each once, the same for all; without names, no model can be named.
    "paper-arrays": [
        {"content", "gaps", "twice"},
        {"content", "gaps", "twice", "model", "null"},
    ],
    # An id is resolved or not, and in the lists everything else is not.
    "swe-bench": [
        {"confidence", "content", "graded", "tasks", "null", "gaps", "twice"},
        *[{"confidence", "content", "graded", "tasks"}] * 2,
    ],
    # Scores alone: what each option would have got is not among the fields.
    "every-eval-ever": [{"confidence"}],
    # Wide tables have a cell for every model and item, and nothing but the score in it.
    "table": [
        set(),
        {"confidence", "content", "gaps", "twice", "tasks"},
        {"confidence", "content", "gaps", "twice"},
    ],
}


def test_no_format_is_spared_a_test_but_for_what_it_cannot_hold() -> None:
    found: dict[str, list[set[str]]] = {name: [] for name in LACKING}
    for writer in WRITERS:
        found[writer.format].append(EVERYTHING - writer.columns)
    assert found == LACKING


def test_only_wanted_fields_of_samples_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[set[str]] = []
    real = lm_eval.json_rows

    def seen(path: Path, names: list[str], on_row: Any) -> Any:
        asked.append(set(names))
        return real(path, names, on_row)

    monkeypatch.setattr(lm_eval, "json_rows", seen)
    write(tmp_path, [chosen(k, [-1, -2], 0, doc={"text": "x" * 1000}) for k in range(3)])
    read(tmp_path)
    assert not asked[0] & {"doc", "arguments", "resps"}, "what takes the room"


def test_wide_tables_of_different_items_are_refused_with_the_alternatives(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("model,a,b,c\nm0,1,0,1\n")
    (tmp_path / "two.csv").write_text("model,c,b\nm1,0,1\n")
    with pytest.raises(InputError, match="'m1' holds 2 of 3 .*how=inner .the 2 .*how=outer"):
        read(tmp_path)
    inner, _ = read(tmp_path, how="inner")
    assert (list(inner.item_ids), inner.scores.tolist()) == (["b", "c"], [[0, 1], [1, 0]])
    outer, report = read(tmp_path, how="outer")
    assert (outer.scores[1].tolist(), report.n_missing) == ([255, 1, 0], 1)


def test_from_logs_to_a_score_without_a_connection_and_the_file_tells_what_made_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    for model in range(4):
        rows = [generated(k, (k + model) % 2) for k in range(12)]
        write(tmp_path / "logs", rows, model=f"m{model}")
    data, path = tmp_path / "data", tmp_path / "micro.json"
    made = mbnb("read", tmp_path / "logs", "--out", data, "--jobs", 1)
    assert made.exit_code == 0, made.output
    words = ("--size", 11, "--seed", 4, "--duplicates", "keep", "--jobs", 1, "--out", path)
    assert mbnb("select", data, *words).exit_code == 0
    micro = read_micro_benchmark(path)
    assert micro == freeze(read_folder(data), "uniform", 11, 4, notes=micro.notes)
    assert (micro.seed, micro.mbnb_version) == (4, version("mbnb"))
    assert [item.metric for item in micro.items] == ["exact_match"] * 11
    choices = ("--extra", "ignore", "--unlike", "accept", "--jobs", 1)
    scored = mbnb("score", path, tmp_path / "logs", *choices)
    assert scored.exit_code == 0, scored.output
