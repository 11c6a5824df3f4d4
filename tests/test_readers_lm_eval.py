"""lm-evaluation-harness sample logs: the faults that people met in them, and the right reading."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mbnb.data.errors import InputError
from mbnb.logs import read
from mbnb.logs.lm_eval import gold_of, log_likelihoods, recomputed
from mbnb.logs.values import as_score, folder_of_model, model_of_folder, option_probabilities

OLD, NEW = "2026-01-01T00-00-00.000001", "2026-02-01T00-00-00.000001"


def generated(doc_id: int, score: Any, **more: Any) -> dict[str, Any]:
    """A row of a task with generated answers."""
    return {
        "doc_id": doc_id,
        "doc": {"question": f"q{doc_id}"},
        "target": "4",
        "resps": [["four"]],
        "filtered_resps": ["four"],
        "filter": "none",
        "metrics": ["exact_match"],
        "doc_hash": f"{doc_id:064x}",
        "exact_match": score,
        **more,
    }


def chosen(doc_id: int, values: list[float], gold: int | str, **more: Any) -> dict[str, Any]:
    """A row of a multiple-choice task."""
    pairs = [[str(value), "False"] for value in values]
    letters = "ABCDEFGHIJ"[: len(values)]
    return {
        "doc_id": doc_id,
        "target": str(gold),
        "arguments": {
            f"gen_args_{k}": {"arg_0": "q", "arg_1": f" {letter}"}
            for k, letter in enumerate(letters)
        },
        "resps": [[pair] for pair in pairs],
        "filtered_resps": pairs,
        "filter": "none",
        "metrics": ["acc"],
        "doc_hash": f"{doc_id:064x}",
        "acc": 1.0,
        **more,
    }


def without(row: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key not in keys}


def write(
    folder: Path,
    rows: list[dict[str, Any]],
    *,
    model: str = "m0",
    task: str = "toy",
    time: str = OLD,
    results: dict[str, Any] | None = None,
) -> Path:
    place = folder / folder_of_model(model)
    place.mkdir(parents=True, exist_ok=True)
    path = place / f"samples_{task}_{time}.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    if results is not None:
        (place / f"results_{time}.json").write_text(json.dumps(results), encoding="utf-8")
    return path


# Filters and repeated rows


def filtered(doc_id: int, strict: int | None, flexible: int | None) -> list[dict[str, Any]]:
    by_filter = {"strict-match": strict, "flexible-extract": flexible}
    return [
        generated(doc_id, score, filter=name)
        for name, score in by_filter.items()
        if score is not None
    ]


def test_several_filters_are_listed_and_one_has_to_be_named(tmp_path: Path) -> None:
    rows = [row for k in range(3) for row in filtered(k, 0, 1)]
    write(tmp_path, rows)
    with pytest.raises(InputError, match=r"2 filters \(flexible-extract, strict-match\)"):
        read(tmp_path)
    matrix, report = read(tmp_path, filter="flexible-extract")
    assert (matrix.n_items, matrix.scores.sum()) == (3, 3)
    assert report.dropped == {"row of another filter": 3}
    assert set(matrix.items["filter"]) == {"flexible-extract"}
    with pytest.raises(InputError, match="no filter 'loose'; it has flexible-extract"):
        read(tmp_path, filter="loose")


def test_old_rows_that_do_not_name_their_filter_are_refused_with_the_cause(tmp_path: Path) -> None:
    rows = [without(row, "filter", "metrics") for k in range(3) for row in filtered(k, k % 2, 1)]
    write(tmp_path, rows)
    with pytest.raises(InputError, match=r"'0' stands in row 1 and again in row 2 .*filter"):
        read(tmp_path)
    first, report = read(tmp_path, repeat="first")
    assert first.scores.tolist() == [[0, 1, 0]]
    assert report.dropped == {"repeated row of an item": 3}
    last, _ = read(tmp_path, repeat="last")
    assert last.scores.tolist() == [[1, 1, 1]]


def test_an_item_that_only_another_filter_judged_is_missing_not_wrong(tmp_path: Path) -> None:
    rows = [*filtered(0, 1, 1), *filtered(1, 0, 1), *filtered(2, 1, None)]
    write(tmp_path, rows)
    matrix, report = read(tmp_path, filter="flexible-extract")
    assert matrix.scores.tolist() == [[1, 1, 255]]
    assert report.n_missing == 1
    assert report.n_read == 5 == report.n_kept + sum(report.dropped.values())


# Identity


def test_an_id_that_sits_on_another_document_is_an_error_not_a_join(tmp_path: Path) -> None:
    hashes = {"h2": "2" * 64, "h5": "5" * 64, "h9": "9" * 64}
    for model, pairs in (
        ("m0", [(2, "h2"), (5, "h5"), (9, "h9")]),
        ("m1", [(5, "h2"), (2, "h5"), (9, "h9")]),
    ):
        rows = [generated(doc_id, 1, doc_hash=hashes[name]) for doc_id, name in pairs]
        write(tmp_path, rows, model=model)
    with pytest.raises(InputError, match="item 'toy/[25]' has two different documents"):
        read(tmp_path)


def test_rows_in_the_order_of_ranks_make_the_same_matrix(tmp_path: Path) -> None:
    rows = [generated(k, k % 2) for k in range(6)]
    write(tmp_path, rows, model="m0")
    write(tmp_path, [rows[k] for k in (0, 2, 4, 1, 3, 5)], model="m1")
    matrix, _ = read(tmp_path)
    assert (matrix.scores[0] == matrix.scores[1]).all()


def test_two_items_with_the_same_content_stay_two_items(tmp_path: Path) -> None:
    rows = [generated(k, k, doc_hash="a" * 64) for k in range(2)]
    write(tmp_path, rows)
    matrix, _ = read(tmp_path)
    assert matrix.scores.tolist() == [[0, 1]]


def test_an_item_whose_options_were_edited_between_runs_is_an_error(tmp_path: Path) -> None:
    write(tmp_path, [chosen(0, [-1, -2, -3], 0)], model="m0")
    write(tmp_path, [chosen(0, [-1, -2, -3, -4, -5], 0)], model="m1")
    with pytest.raises(InputError, match="two different sets of options"):
        read(tmp_path)


def test_the_right_option_is_that_of_the_row_where_models_saw_another_order(
    tmp_path: Path,
) -> None:
    doc = {"Question": "why?"}
    for model, gold, values in (("m0", 2, [-3, -2, -0.1]), ("m1", 0, [-0.1, -2, -3])):
        row = chosen(0, values, gold, doc={**doc, "answer": gold}, doc_hash=f"{gold + 1}" * 64)
        write(tmp_path, [row], model=model)
    with pytest.raises(InputError, match="two different documents"):
        read(tmp_path)
    matrix, _ = read(tmp_path, content_field="Question")
    assert matrix.confidences is not None
    assert matrix.confidences[0, 0] == matrix.confidences[1, 0] > 0.8


# Runs


def test_of_two_runs_the_newest_complete_one_is_read_and_named(tmp_path: Path) -> None:
    write(tmp_path, [generated(k, 0) for k in range(6)], time=OLD)
    write(tmp_path, [generated(k, 1) for k in range(3)], time=NEW)
    matrix, report = read(tmp_path)
    assert matrix.scores.tolist() == [[0] * 6]
    assert report.dropped == {"row of a run that was not chosen": 3}
    assert any(OLD in note and "of 2 runs" in note for note in report.notes)
    assert read(tmp_path, run="latest")[0].n_items == 3
    assert read(tmp_path, run=NEW)[0].n_items == 3
    assert read(tmp_path, run="most-rows")[0].n_items == 6
    with pytest.raises(InputError, match=f"no run '2020'.*{OLD}, {NEW}"):
        read(tmp_path, run="2020")


def test_a_log_that_a_second_run_was_appended_to_is_refused(tmp_path: Path) -> None:
    rows = [generated(k, 1) for k in range(3)]
    write(tmp_path, rows + rows)
    with pytest.raises(InputError, match="a second run may have been appended"):
        read(tmp_path)


def test_a_tasks_name_is_compared_as_a_whole(tmp_path: Path) -> None:
    write(tmp_path, [generated(0, 1)], task="gsm8k", time=OLD)
    write(tmp_path, [generated(0, 0), generated(1, 0)], task="gsm8k_cot", time=NEW)
    matrix, _ = read(tmp_path, tasks=("gsm8k",))
    assert list(matrix.item_ids) == ["gsm8k/0"]


def test_a_run_with_a_limit_is_told_to_be_no_random_sample(tmp_path: Path) -> None:
    results = {"model_name": "m0", "n-samples": {"toy": {"original": 6, "effective": 3}}}
    write(tmp_path, [generated(k, 1) for k in range(3)], results=results)
    _, report = read(tmp_path)
    assert any("3 of 6 items" in note and "no random sample" in note for note in report.notes)


def test_a_model_with_the_first_items_only_is_refused_as_such(tmp_path: Path) -> None:
    write(tmp_path, [generated(k, 1) for k in range(6)], model="m0")
    write(tmp_path, [generated(k, 1) for k in range(3)], model="m1")
    with pytest.raises(InputError, match="'m1' holds 3 of 6 .*the first ones only.*limit"):
        read(tmp_path)


# Values


def test_quoted_truth_values_become_what_they_say(tmp_path: Path) -> None:
    values = ["True", "0.0", 1, True, "False"]
    write(tmp_path, [generated(k, value) for k, value in enumerate(values)])
    matrix, _ = read(tmp_path)
    assert matrix.scores.tolist() == [[1, 0, 1, 1, 0]]


def test_other_text_in_place_of_a_score_is_an_error_with_its_line(tmp_path: Path) -> None:
    path = write(tmp_path, [generated(0, 1), generated(1, "yes")])
    with pytest.raises(InputError, match=f"{path}, line 2: the row has as metric .*'yes'"):
        read(tmp_path)


@pytest.mark.parametrize("text", ["maybe", "1_0", "inf", "0x1", "[1]", "１"])
def test_only_plain_numbers_and_truth_values_are_scores(text: str) -> None:
    with pytest.raises(ValueError, match="the text"):
        as_score(text)


def test_log_likelihoods_are_the_same_quoted_plain_or_nested() -> None:
    expected = [-1.5, -0.2, -3.0]
    quoted = [["-1.5", "False"], ["-0.2", "True"], ["-3", "False"]]
    plain = [[-1.5, False], [-0.2, True], [-3, False]]
    assert log_likelihoods({"filtered_resps": quoted}) == expected
    assert log_likelihoods({"filtered_resps": plain}) == expected
    assert log_likelihoods({"resps": [[pair] for pair in quoted]}) == expected
    assert log_likelihoods({"resps": [[pair] for pair in plain]}) == expected


def test_options_without_their_question_are_left_out_of_mutual_information() -> None:
    pairs = [["-1", "False"], ["-2", "False"], ["-9", "False"], ["-8", "False"]]
    assert log_likelihoods({"filtered_resps": pairs, "acc_mutual_info": 1.0}) == [-1.0, -2.0]


def test_generated_answers_are_no_log_likelihoods() -> None:
    assert log_likelihoods({"filtered_resps": ["four"]}) is None
    assert log_likelihoods({"filtered_resps": [["a", "b"], ["c", "d"]]}) is None


def test_equal_options_share_their_probability() -> None:
    shares = option_probabilities(np.array([-1.5, -1.5, -2.0]))
    expected = 1 / (2 + math.exp(-0.5))
    assert shares[:2].tolist() == pytest.approx([expected, expected])
    assert recomputed({"acc": 1.0, "acc_norm": 1.0}, [-1.5, -1.5, -2.0], [" A", " B", " C"], gold=0)


def test_an_impossible_option_gets_no_probability_and_padding_neither() -> None:
    shares = option_probabilities(np.array([-1.0, -2.0, -math.inf]))
    assert shares[2] == 0
    assert shares.sum() == pytest.approx(1)
    with pytest.raises(ValueError, match="above 0: a probability or a loss"):
        option_probabilities(np.array([-1.0, 4.2]))


def test_a_bare_nan_is_missing_and_minus_infinity_has_no_probability(tmp_path: Path) -> None:
    path = write(tmp_path, [chosen(0, [-0.5, -1], 0), chosen(1, [-0.5, -1], 1)])
    text = path.read_text().replace('"acc": 1.0', '"acc": NaN', 1).replace('"-1"', '"-inf"')
    path.write_text(text)
    matrix, report = read(tmp_path)
    assert matrix.scores.tolist() == [[255, 1]]
    assert report.n_missing == 1
    assert matrix.confidences is not None
    assert matrix.confidences[0, 1] == 0


def test_a_metric_that_is_a_list_needs_a_named_reduction(tmp_path: Path) -> None:
    rows = [
        generated(
            k,
            1,
            metrics=["inst_level_strict_acc", "prompt_level_strict_acc"],
            **{
                "inst_level_strict_acc": values,
                "prompt_level_strict_acc": all(values),
            },
        )
        for k, values in enumerate([[False, True, True], [True]])
    ]
    write(tmp_path, rows, task="ifeval")
    with pytest.raises(InputError, match="a list of judgements.*prompt_level_strict_acc.*reduce"):
        read(tmp_path, metric="inst_level_strict_acc")
    graded, _ = read(tmp_path, metric="inst_level_strict_acc", reduce="mean")
    assert graded.scores[0].tolist() == pytest.approx([2 / 3, 1])
    every, _ = read(tmp_path, metric="inst_level_strict_acc", reduce="all")
    assert every.scores.tolist() == [[0, 1]]
    prompts, _ = read(tmp_path)
    assert prompts.scores.tolist() == [[0, 1]]
    assert set(prompts.items["metric"]) == {"prompt_level_strict_acc"}


# Metrics


def test_of_two_metrics_one_has_to_be_named_and_is_kept_with_the_items(tmp_path: Path) -> None:
    write(tmp_path, [chosen(0, [-1, -2], 0, metrics=["acc", "acc_norm"], acc_norm=0.0)])
    with pytest.raises(InputError, match=r"holds 2 metrics \(acc, acc_norm\); name the one"):
        read(tmp_path)
    matrix, report = read(tmp_path, metric={"to*": "acc_norm"})
    assert matrix.scores.tolist() == [[0]]
    assert set(matrix.items["metric"]) == {"acc_norm"}
    assert "metric acc_norm" in str(report)


@pytest.mark.parametrize(
    ("task", "metric"),
    [
        ("leaderboard_mmlu_pro", "acc"),
        ("leaderboard_bbh_snarks", "acc_norm"),
        ("leaderboard_gpqa_diamond", "acc_norm"),
        ("leaderboard_musr_team_allocation", "acc_norm"),
        ("leaderboard_arc_challenge", "acc_norm"),
    ],
)
def test_the_leaderboards_tasks_have_the_metric_it_shows(
    tmp_path: Path, task: str, metric: str
) -> None:
    row = chosen(0, [-1, -2], 0, metrics=["acc", "acc_norm"], acc=0.0, acc_norm=0.0)
    write(tmp_path, [{**row, metric: 1.0}], task=task)
    matrix, _ = read(tmp_path)
    assert matrix.scores.tolist() == [[1]]


def test_accuracies_are_recomputed_from_log_likelihoods_on_demand(tmp_path: Path) -> None:
    texts = {
        "gen_args_0": {"arg_0": "q", "arg_1": " A"},
        "gen_args_1": {"arg_0": "q", "arg_1": " long answer"},
    }
    right = chosen(
        0, [-3, -4], 1, arguments=texts, metrics=["acc", "acc_norm"], acc=0.0, acc_norm=1.0
    )
    wrong = {**right, "doc_id": 1, "acc": 1.0}
    write(tmp_path, [right, wrong])
    _, report = read(tmp_path, metric="acc", verify=True)
    assert any("differ from the logged ones in 1 of 2 rows" in note for note in report.notes)


def test_a_target_is_read_as_the_options_text_before_its_position() -> None:
    assert gold_of("2", 3, None) == 2
    assert gold_of("B", 3, [" A", " B", " C"]) == 1
    assert gold_of("2", 3, [" 2", " 3", " 4"]) == 0
    assert gold_of("Z", 3, [" A", " B", " C"]) == -1
    assert gold_of("7", 3, None) == -1
    assert gold_of(["a"], 3, None) == -1


# Where a log comes from


def test_different_versions_of_a_task_are_refused_unless_accepted(tmp_path: Path) -> None:
    for model, version in (("m0", 1), ("m1", 2)):
        results = {"model_name": model, "versions": {"toy": version}, "lm_eval_version": "0.4"}
        write(tmp_path, [generated(0, 1)], model=model, results=results)
    with pytest.raises(InputError, match="different versions of task 'toy'.*version 1: 1 models"):
        read(tmp_path)
    _, report = read(tmp_path, mixed_versions=True)
    assert any("version 2: 1 models, such as 'm1'" in note for note in report.notes)


@pytest.mark.parametrize(
    "model", ["org/name", "o:r=g/na|me", "名前/模型", "é🙂", "x" * 300, 'quo"te, comma']
)
def test_any_models_name_comes_from_the_results_file(tmp_path: Path, model: str) -> None:
    place = tmp_path / "anything"
    place.mkdir()
    write(place, [generated(0, 1)], model="short", results={"model_name": model})
    matrix, _ = read(tmp_path)
    assert list(matrix.model_ids) == [model]


@pytest.mark.parametrize(
    "arguments",
    ["pretrained=org/name,dtype=auto", {"pretrained": "org/name"}, {"model": "org/name"}],
)
def test_a_results_file_without_a_models_name_has_it_among_the_arguments(
    tmp_path: Path, arguments: Any
) -> None:
    results = {"config": {"model": "hf", "model_args": arguments}}
    write(tmp_path, [generated(0, 1)], model="somewhere", results=results)
    assert list(read(tmp_path)[0].model_ids) == ["org/name"]


def test_a_file_without_a_time_is_not_cut_at_its_last_underscore(tmp_path: Path) -> None:
    path = write(tmp_path, [generated(0, 1)])
    path.rename(path.with_name("samples_leaderboard_mmlu_pro.jsonl"))
    with pytest.raises(InputError, match="does not tell which part of it is the task"):
        read(tmp_path)
    matrix, _ = read(tmp_path, tasks=("leaderboard_mmlu_pro",), metric="exact_match")
    assert list(matrix.item_ids) == ["leaderboard_mmlu_pro/0"]
    assert list(matrix.model_ids) == ["m0"]


@pytest.mark.parametrize(
    ("folder", "model"),
    [
        ("org__name", "org/name"),
        ("org__na__me_v1.0-x", "org/na__me_v1.0-x"),
        ("alone", "alone"),
    ],
)
def test_only_the_first_double_underscore_is_a_slash(folder: str, model: str) -> None:
    assert model_of_folder(folder) == model
    assert folder_of_model(model) == folder


def test_an_array_in_a_file_of_lines_and_lines_in_a_json_file_are_both_read(
    tmp_path: Path,
) -> None:
    rows = [generated(k, k) for k in range(2)]
    array = write(tmp_path, [], model="m0")
    array.write_text(json.dumps(rows, indent=2))
    lines = write(tmp_path, rows, model="m1")
    lines.rename(lines.with_suffix(".json"))
    matrix, _ = read(tmp_path)
    assert matrix.scores.tolist() == [[0, 1], [0, 1]]


def test_logs_of_early_2024_are_read_once_their_task_is_named(tmp_path: Path) -> None:
    rows = [without(generated(k, 1), "filter", "metrics", "doc_hash") for k in range(2)]
    path = tmp_path / "pretrained__org__name_lambada_openai.jsonl"
    path.write_text(json.dumps(rows, indent=2))
    with pytest.raises(InputError, match="does not tell which part of it is the task"):
        read(tmp_path)
    matrix, _ = read(tmp_path, tasks=("lambada_openai",))
    assert list(matrix.item_ids) == ["lambada_openai/0", "lambada_openai/1"]
    assert matrix.items["content"].str.len().eq(16).all()


def test_an_old_log_without_hashes_fits_a_new_one_with_them(tmp_path: Path) -> None:
    from mbnb.logs.values import document_hash

    doc = {"question": "é?"}
    write(tmp_path, [generated(0, 1, doc=doc, doc_hash=document_hash(doc))], model="m0")
    write(tmp_path, [without(generated(0, 1, doc=doc), "doc_hash")], model="m1")
    assert read(tmp_path)[0].n_models == 2


# Doubtful models


def test_a_model_whose_answers_could_not_be_extracted_is_flagged(tmp_path: Path) -> None:
    rows = [generated(k, 0, filtered_resps=["[invalid]"]) for k in range(4)]
    write(tmp_path, rows, model="m0")
    write(tmp_path, [generated(k, 1) for k in range(4)], model="m1")
    _, report = read(tmp_path)
    notes = " ".join(report.notes)
    assert "m0, toy: from 100% of the rows no answer could be extracted" in notes
    assert "1 models (such as 'm0') have no correct answer at all" in notes


# Broken files


def test_a_cut_last_line_is_an_error_with_its_place_or_skipped_by_name(tmp_path: Path) -> None:
    path = write(tmp_path, [generated(k, 1) for k in range(3)])
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(InputError, match=f"{path}, line 3: the row is not JSON .*on_bad=skip"):
        read(tmp_path)
    matrix, report = read(tmp_path, on_bad="skip")
    assert matrix.n_items == 2
    assert report.dropped == {"row that cannot be read": 1}
    assert report.n_read == 3


def test_marks_line_ends_and_empty_lines_change_nothing(tmp_path: Path) -> None:
    path = write(tmp_path, [generated(k, k % 2) for k in range(3)])
    plain, _ = read(tmp_path)
    text = path.read_text()
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n\r\n").encode())
    marked, report = read(tmp_path)
    assert marked.content_hash == plain.content_hash
    assert report.n_read == 3


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda text: text.encode("utf-16"), "is UTF-16 or UTF-32 text; allowed is UTF-8"),
        (lambda text: text.replace("four", "f\xfcr").encode("latin-1"), "is not UTF-8 text"),
        (lambda text: text.replace('"doc_id": 0', '"doc_id": 0.5').encode(), "has no doc_id"),
        (lambda text: text.replace('"doc_id": 0', '"doc_id": true').encode(), "has no doc_id"),
        (
            lambda text: text.replace(
                '"exact_match": 1', '"exact_match": 1, "exact_match": 0'
            ).encode(),
            "holds the key 'exact_match' twice",
        ),
        (lambda text: (text + "[1, 2]\n").encode(), "is not a JSON object but list"),
        (lambda text: (text + '{"a":' * 100_000 + "\n").encode(), "nested too deeply|not JSON"),
        (
            lambda text: text.replace('"exact_match": 1', '"exact_match": ' + "9" * 5000).encode(),
            "not JSON|out of range|beyond all bounds",
        ),
        (lambda text: text.replace('"exact_match": 1', '"exact_match": 1.5').encode(), "score 1.5"),
        (lambda text: text.replace('"exact_match": 1', '"exact_match": {}').encode(), "type dict"),
        (lambda text: text.replace(f"{0:064x}", "no hash").encode(), "doc_hash that is no hash"),
        (lambda text: b"", "holds no row that can be read"),
        (lambda text: b"\n\n", "holds no row that can be read"),
    ],
    ids=range(13),
)
def test_a_broken_log_gets_one_clear_sentence(tmp_path: Path, damage: Any, message: str) -> None:
    path = write(tmp_path, [generated(0, 1), generated(1, 0)])
    path.write_bytes(damage(path.read_text()))
    with pytest.raises(InputError, match=message) as caught:
        read(tmp_path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_line_of_ten_megabytes_is_read(tmp_path: Path) -> None:
    write(tmp_path, [generated(0, 1, doc={"question": "x" * 10_000_000}), generated(1, 0)])
    assert read(tmp_path)[0].scores.tolist() == [[1, 0]]


def test_ids_that_cannot_be_written_are_refused(tmp_path: Path) -> None:
    write(tmp_path, [generated(0, 1)], results={"model_name": "half \ud800 pair"})
    with pytest.raises(InputError, match="cannot be printed"):
        read(tmp_path)
    write(tmp_path, [generated(0, 1)], results={"model_name": "two\nlines"})
    with pytest.raises(InputError, match="cannot be printed"):
        read(tmp_path)


# Folders


def test_links_to_files_are_followed_and_links_to_folders_are_not(tmp_path: Path) -> None:
    logs, elsewhere = tmp_path / "logs", tmp_path / "elsewhere"
    path = write(elsewhere, [generated(0, 1)], model="m0")
    (logs / "m0").mkdir(parents=True)
    (logs / "m0" / path.name).symlink_to(path)
    (logs / "again").symlink_to(elsewhere / "m0")
    (logs / "round").symlink_to(logs)
    os.mkfifo(logs / "pipe.jsonl")
    matrix, report = read(logs)
    assert list(matrix.model_ids) == ["m0"]
    assert report.ignored == {
        "no regular file": 1,
        "link to a folder": 2,
    }


def test_what_is_no_log_is_counted_and_a_folder_without_any_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "readme.txt").write_text("nothing")
    with pytest.raises(InputError, match="none of the 1 files.*known formats: lm-eval"):
        read(tmp_path)
    write(tmp_path, [generated(0, 1)])
    _, report = read(tmp_path)
    assert report.ignored == {"not recognised": 1}
    with pytest.raises(InputError, match="is not there"):
        read(tmp_path / "gone")


def test_a_choice_that_means_nothing_here_or_anywhere_is_refused(tmp_path: Path) -> None:
    write(tmp_path, [generated(0, 1)])
    with pytest.raises(InputError, match="'replicates' means nothing for lm-evaluation-harness"):
        read(tmp_path, replicates="mean")
    with pytest.raises(InputError, match="read has no choice 'fliter'; it has how"):
        read(tmp_path, fliter="none")
    with pytest.raises(InputError, match="how 'left' is unknown; allowed: strict, inner, outer"):
        read(tmp_path, how="left")
    with pytest.raises(InputError, match="format 'xml' is unknown"):
        read(tmp_path, format="xml")


def test_a_link_that_leads_nowhere_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "nowhere.jsonl").symlink_to(tmp_path / "gone")
    with pytest.raises(InputError, match="nowhere.jsonl"):
        read(tmp_path)
