"""Sample logs of lm-evaluation-harness, 2024 to now, the Open LLM Leaderboard's second among them.

Source of the schema: lm_eval/loggers/evaluation_tracker.py and lm_eval/evaluator.py.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from mbnb.data.errors import InputError
from mbnb.logs.answers import BAD_ROW, Answers
from mbnb.logs.files import COMPANION, LOG, Format, beginning, by_file
from mbnb.logs.json_rows import BadRow, first_row, json_rows, plain, read_json, under
from mbnb.logs.metrics import Measure, choose_measure
from mbnb.logs.options import ReadOptions
from mbnb.logs.rows import REPEATED, Row, answers_of, count_bad, field_of, id_of, unrepeated
from mbnb.logs.values import (
    as_score,
    document_hash,
    fingerprint,
    gold_share,
    model_of_folder,
    shortened,
)

_TIME = r"(?P<time>\d{4}-\d\d-\d\dT\d\d[-:]\d\d[-:]\d\d[^_]*)"
_SAMPLES = re.compile(rf"samples_(?P<task>.+)_{_TIME}\.jsonl?")
_RESULTS = re.compile(rf"results_{_TIME}\.json")
# Keys of a row that are no metric.
_SCHEMA = {
    *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"),
    *("doc_hash", "prompt_hash", "target_hash"),
}
# What the leaderboard shows of its tasks.
_LEADERBOARD = {
    "leaderboard_mmlu_pro": "acc",
    "leaderboard_bbh*": "acc_norm",
    "leaderboard_gpqa*": "acc_norm",
    "leaderboard_musr*": "acc_norm",
    "leaderboard_arc_challenge": "acc_norm",
    "leaderboard_math*": "exact_match",
    "leaderboard_ifeval": "prompt_level_strict_acc",
}
OTHER_FILTER = "row of another filter"
_MANY_INVALID = 0.5


def _role(path: Path) -> str | None:
    if path.suffix not in (".json", ".jsonl"):
        return None
    if _SAMPLES.fullmatch(path.name):
        return LOG
    if _RESULTS.fullmatch(path.name):
        return COMPANION
    start = beginning(path, 1 << 18)
    fits = b'"doc_id"' in start and (b'"resps"' in start or b'"filtered_resps"' in start)
    return LOG if fits else None


def _task(path: Path, options: ReadOptions) -> str:
    """Task of a file; compared as a whole, since one task's name may begin another's."""
    match = _SAMPLES.fullmatch(path.name)
    if match:
        return match["task"]
    # Early 2024: <model arguments>_<task>.jsonl, and the task may hold underscores itself.
    ending = [task for task in options.tasks if path.stem.endswith(f"_{task}")]
    if not ending:
        raise InputError(
            f"{path}: the name does not tell which part of it is the task; name the task."
        )
    return max(ending, key=len)


@dataclass
class _Sample(Row):
    """A row with its filter, and whether no answer could be extracted from it."""

    filter: str = ""
    invalid: bool = False


def read_samples(path: Path, options: ReadOptions) -> list[Answers]:
    """Answers of one samples file.

    Raises
    ------
    InputError
        If a row cannot be read (and that is not to be skipped), the metric or the filter has to
        be named, or an item stands repeatedly.
    """
    task = _task(path, options)
    first = first_row(path)
    named = first.get("metrics")
    if isinstance(named, list) and named and all(isinstance(name, str) for name in named):
        metrics = [name for name in named if name in first]
    else:
        metrics = [key for key in first if key not in _SCHEMA]
    measure = choose_measure(first, metrics, options, task, _LEADERBOARD, str(path))
    texts = options.verify or _needs_texts(first)
    # `acc_mutual_info` is only seen so that a row of mutual information is told apart.
    wanted = {
        **dict.fromkeys(["doc_id", "doc_hash", "filter", "target", "filtered_resps"], True),
        "resps": "filtered_resps" not in first,
        "arguments": texts,
        "doc": options.subtask_field or options.content_field or "doc_hash" not in first,
        "acc_mutual_info": "acc_mutual_info" in first,
        measure.name: True,
    }
    names = [name for name, needed in wanted.items() if needed]
    names += [name for name in ("acc", "acc_norm") if options.verify and name not in names]
    rows: list[_Sample] = []
    verified: list[bool] = []

    def add(line: int, row: dict[str, Any]) -> None:
        rows.append(_sample(line, row, task, measure, texts, options, verified))

    n_bad = count_bad(json_rows(path, names, add), path, options, "line ")
    kept, dropped, chosen = _chosen(rows, options, path)
    told = _told(path, task)
    share = sum(row.invalid for row in kept) / max(len(kept), 1)
    note = (
        f"{told['model']}, {task}: from {share:.0%} of the rows no answer could be extracted "
        "([invalid]); they count as wrong."
    )
    return [
        answers_of(
            kept,
            {**dropped, BAD_ROW: n_bad},
            task=task,
            source=str(path),
            metric=measure.label,
            filter="" if chosen == "none" else chosen,
            verified=(len(verified), verified.count(False)),
            notes=(note,) if share > _MANY_INVALID else (),
            **told,
        )
    ]


FORMAT = Format(
    "lm-eval",
    "lm-evaluation-harness samples",
    _role,
    by_file(read_samples, _task),
    frozenset({"filter", "repeat", "reduce", "subtask_field", "content_field", "verify"}),
)


def _sample(
    line: int,
    row: dict[str, Any],
    task: str,
    measure: Measure,
    texts: bool,
    options: ReadOptions,
    verified: list[bool],
) -> _Sample:
    item = id_of(row.get("doc_id"), "doc_id")
    score = measure.score(row)
    doc, content = row.get("doc"), row.get("doc_hash")
    if options.content_field is not None:
        content = fingerprint(field_of(doc, options.content_field, "its doc"))
    elif content is None:
        content = document_hash(doc) if doc is not None else ""
    elif not isinstance(content, str) or not re.fullmatch("[0-9a-f]{16,}", content):
        raise BadRow(f"has a doc_hash that is no hash ({shortened(content)})")
    subtask = task
    if options.subtask_field is not None:
        subtask = str(field_of(doc, options.subtask_field, "its doc"))
    confidence, values = math.nan, log_likelihoods(row) or []
    options_texts = choice_texts(row, len(values)) if texts and values else None
    gold = gold_of(row.get("target"), len(values), options_texts)
    if values:
        confidence = gold_share(values, [gold] if gold >= 0 else [])
    if options.verify and options_texts is not None and gold >= 0:
        verified.append(recomputed(row, values, options_texts, gold))
    return _Sample(
        item,
        score,
        line,
        content,
        subtask,
        confidence,
        len(values),
        filter=str(row.get("filter") or ""),
        invalid=row.get("filtered_resps") in ("[invalid]", ["[invalid]"]),
    )


def _chosen(
    rows: Sequence[_Sample], options: ReadOptions, path: Path
) -> tuple[list[_Sample], dict[str, int], str]:
    """Rows of the filter that counts, those that are left out by reason, and that filter."""
    found = sorted({row.filter for row in rows}) or [""]
    chosen = options.filter
    listed = ", ".join(name or "(rows without one)" for name in found)
    if chosen is None:
        if len(found) > 1:
            raise InputError(
                f"{path} judges each item by {len(found)} filters ({listed}); name the one that "
                "counts (filter)."
            )
        [chosen] = found
    if chosen not in found:
        raise InputError(f"{path} has no filter '{chosen}'; it has {listed}.")
    cause = (
        "a second run may have been appended"
        if chosen
        else "logs from before November 2024 hold one row for each filter and do not name it"
    )
    here = [row for row in rows if row.filter == chosen]
    kept, n_repeated = unrepeated(here, options, path, cause)
    # Items that only other filters judged are missing, not wrong.
    ids = {row.item for row in kept}
    others = {row.item: row for row in reversed(rows) if row.item not in ids}
    lacking = [replace(row, score=math.nan, n_rows=0, invalid=False) for row in others.values()]
    dropped = {OTHER_FILTER: len(rows) - len(here), REPEATED: n_repeated}
    return [*kept, *lacking], dropped, chosen


def _told(path: Path, task: str) -> dict[str, Any]:
    """What a file's name and the results file beside it say of it."""
    match = _SAMPLES.fullmatch(path.name)
    beside = path.with_name(f"results_{match['time']}.json") if match else path
    if not match or not beside.is_file():
        named = path.name.startswith("samples_")
        folder = path.resolve().parent.name if named else path.stem.removesuffix(f"_{task}")
        return {"model": model_of_folder(folder), "run": match["time"] if match else ""}
    results = read_json(beside)
    if not isinstance(results, dict):
        raise InputError(f"{beside} is not a JSON object.")
    arguments = under(results, "config", "model_args")
    if isinstance(arguments, str):
        arguments = dict(part.partition("=")[::2] for part in arguments.split(","))
    # The kind of model (such as "hf") is no name.
    model = (
        results.get("model_name")
        or plain(arguments).get("pretrained")
        or plain(arguments).get("model")
    )
    expected, shots = under(results, "n-samples", task, "original"), under(results, "n-shot", task)
    versions = {
        "task": under(results, "versions", task),
        "shots": f"{shots}-shot" if type(shots) is int else None,
        "program": results.get("lm_eval_version"),
    }
    return {
        "model": model if isinstance(model, str) and model else model_of_folder(path.parent.name),
        "run": match["time"],
        "expected": expected if type(expected) is int else None,
        "versions": {key: str(value) for key, value in versions.items() if value is not None},
    }


def _needs_texts(row: dict[str, Any]) -> bool:
    """Whether the options' texts are needed to tell which of them is right."""
    try:
        values = log_likelihoods(row)
    except BadRow:
        return True
    return values is not None and gold_of(row.get("target"), len(values), None) < 0


def log_likelihoods(row: Mapping[str, Any]) -> list[float] | None:
    """Log-likelihood of each option of a multiple-choice row; None for generated answers.

    Since 2024 they are quoted, earlier they were numbers, and `resps` nests each pair once more;
    all three give the same.

    Raises
    ------
    BadRow
        If a pair does not begin with a number.
    """
    pairs = row.get("filtered_resps", row.get("resps"))
    if not isinstance(pairs, list) or not pairs:
        return None
    while all(isinstance(pair, list) and len(pair) == 1 for pair in pairs):
        pairs = [pair[0] for pair in pairs]
    if not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs) or len(pairs) < 2:
        return None
    if any(isinstance(greedy, str) and greedy not in ("True", "False") for _, greedy in pairs):
        return None
    values = []
    for first, _ in pairs:
        try:
            values.append(float(first))
        except (TypeError, ValueError, OverflowError):
            raise BadRow(f"has a log-likelihood that is no number ({shortened(first)})") from None
    if "acc_mutual_info" in row and len(values) % 2 == 0:
        # The second half are the options without their question.
        values = values[: len(values) // 2]
    return values


def choice_texts(row: Mapping[str, Any], n_options: int) -> list[str] | None:
    """The options as they were put to the model, or None where they are not logged so."""
    arguments = row.get("arguments")
    if isinstance(arguments, dict):
        parts = [plain(arguments.get(f"gen_args_{k}")).get("arg_1") for k in range(n_options)]
    elif isinstance(arguments, list):
        pairs = [part if isinstance(part, list) else [] for part in arguments[:n_options]]
        parts = [part[1] if len(part) > 1 else None for part in pairs]
    else:
        return None
    texts = [part for part in parts if isinstance(part, str)]
    return texts if len(texts) == n_options else None


def gold_of(target: Any, n_options: int, texts: Sequence[str] | None) -> int:
    """Position of the right option by this row's own target; −1 where it cannot be told.

    A target is the option's text or its position. Options may stand in another order for another
    model, so that a position holds for its row only.
    """
    if isinstance(target, bool) or not isinstance(target, (int, str)):
        return -1
    text = str(target).strip()
    fitting = [k for k, option in enumerate(texts or ()) if option.strip() == text]
    if len(fitting) == 1:
        return fitting[0]
    if text.isascii() and text.isdigit() and len(text) < 4 and int(text) < n_options:
        return int(text)
    return -1


def recomputed(
    row: Mapping[str, Any], values: Sequence[float], texts: Sequence[str], gold: int
) -> bool:
    """Whether the logged accuracies are those that the log-likelihoods give.

    The harness takes the first of equal options, and divides by the option's length in characters
    for `acc_norm`.
    """
    raw = np.array(values)
    lengths = np.array([max(len(text.removeprefix(" ")), 1) for text in texts], dtype=float)
    expected = {"acc": raw, "acc_norm": raw / lengths}
    return all(
        as_score(row[name]) == float(int(np.argmax(by)) == gold)
        for name, by in expected.items()
        if name in row
    )
