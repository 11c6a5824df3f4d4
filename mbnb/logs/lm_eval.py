"""Sample logs of lm-evaluation-harness, 2024 to now, the Open LLM Leaderboard's second among them.

Source of the schema: lm_eval/loggers/evaluation_tracker.py and lm_eval/evaluator.py.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from mbnb.data.errors import InputError
from mbnb.logs.answers import BAD_ROW, Answers
from mbnb.logs.files import COMPANION, LOG, Format, Job, beginning, job
from mbnb.logs.json_rows import BadRow, first_row, json_rows, read_json
from mbnb.logs.lm_eval_options import (
    choice_texts,
    gold_of,
    log_likelihoods,
    option_confidences,
    recomputed,
)
from mbnb.logs.metrics import Measure, choose_measure
from mbnb.logs.names import model_of_folder
from mbnb.logs.options import ReadOptions
from mbnb.logs.values import document_hash, fingerprint, shortened

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
_INVALID = "[invalid]"
REPEATED = "repeated row of an item"
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
    if b'"doc_id"' in start and (b'"resps"' in start or b'"filtered_resps"' in start):
        return LOG
    return None


def _jobs(paths: Sequence[Path], options: ReadOptions) -> list[Job]:
    named = [(path, *_names(path, options)) for path in paths]
    wanted = [entry for entry in named if options.wants(entry[1])]
    if not wanted:
        there = sorted({task for _, task, _ in named})
        raise InputError(
            f"no log is of task {', '.join(options.tasks)}; the tasks there are: "
            f"{', '.join(there)}."
        )
    return [job(read_samples, path, task, time, options) for path, task, time in wanted]


FORMAT = Format(
    "lm-eval",
    "lm-evaluation-harness samples",
    _role,
    _jobs,
    frozenset({"filter", "repeat", "reduce", "subtask_field", "content_field", "verify"}),
)


def _names(path: Path, options: ReadOptions) -> tuple[str, str]:
    """Task and time of a file; compared as a whole, since one task's name may begin another's."""
    match = _SAMPLES.fullmatch(path.name)
    if match:
        return match["task"], match["time"]
    # Early 2024: <model arguments>_<task>.jsonl, and the task may hold underscores itself.
    ending = [task for task in options.tasks if path.stem.endswith(f"_{task}")]
    if not ending:
        raise InputError(
            f"{path}: the name does not tell which part of it is the task; name the task."
        )
    return max(ending, key=len), ""


@dataclass(frozen=True)
class _Told:
    """What the results file beside a log says of it."""

    model: str
    expected: int | None = None
    versions: dict[str, str] = field(default_factory=dict)


def _told(path: Path, task: str, time: str) -> _Told:
    beside = path.with_name(f"results_{time}.json")
    if time and beside.is_file():
        results = read_json(beside)
        if not isinstance(results, dict):
            raise InputError(f"{beside} is not a JSON object.")

        def under(*keys: str) -> Any:
            value: Any = results
            for key in keys:
                value = value.get(key) if isinstance(value, dict) else None
            return value

        model = under("model_name") or _pretrained(under("config", "model_args"))
        expected = under("n-samples", task, "original")
        shots = under("n-shot", task)
        versions = {
            "task": under("versions", task),
            "shots": f"{shots}-shot" if type(shots) is int else None,
            "program": under("lm_eval_version"),
        }
        return _Told(
            model if isinstance(model, str) and model else model_of_folder(path.parent.name),
            expected if type(expected) is int else None,
            {key: str(value) for key, value in versions.items() if value is not None},
        )
    if path.name.startswith("samples_"):
        return _Told(model_of_folder(path.resolve().parent.name))
    return _Told(model_of_folder(path.stem.removesuffix(f"_{task}")))


def _pretrained(arguments: Any) -> Any:
    """The model's name among the arguments of its kind (such as "hf"), which is no name."""
    if isinstance(arguments, str):
        arguments = dict(part.partition("=")[::2] for part in arguments.split(","))
    if not isinstance(arguments, dict):
        return None
    return arguments.get("pretrained") or arguments.get("model")


class _Rows:
    """Rows of one file as columns, while they are read."""

    def __init__(self, task: str, measure: Measure, options: ReadOptions, texts: bool) -> None:
        self.task, self.measure, self.options, self.texts = task, measure, options, texts
        self.ids: list[str] = []
        self.lines: list[int] = []
        self.filters: list[str] = []
        self.scores: list[float] = []
        self.contents: list[str] = []
        self.subtasks: list[str] = []
        self.likelihoods: list[list[float] | None] = []
        self.golds: list[int] = []
        self.invalid: list[bool] = []
        self.n_disagreeing = 0
        self.n_verified = 0

    def add(self, line: int, row: dict[str, Any]) -> None:
        doc_id = row.get("doc_id")
        if type(doc_id) not in (int, str):
            raise BadRow(
                f"has no doc_id that is a whole number or a text (given: {shortened(doc_id)})"
            )
        score = self.measure.score(row)
        doc = row.get("doc")
        content = row.get("doc_hash")
        if self.options.content_field is not None:
            content = fingerprint(_field(doc, self.options.content_field))
        elif content is None:
            content = document_hash(doc) if doc is not None else ""
        elif not isinstance(content, str) or not re.fullmatch("[0-9a-f]{16,}", content):
            raise BadRow(f"has a doc_hash that is no hash ({shortened(content)})")
        subtask = self.task
        if self.options.subtask_field is not None:
            subtask = str(_field(doc, self.options.subtask_field))
        values = log_likelihoods(row)
        texts = choice_texts(row, len(values)) if self.texts and values else None
        gold = -1 if values is None else gold_of(row.get("target"), len(values), texts)
        if self.options.verify and values is not None and texts is not None and gold >= 0:
            self.n_verified += 1
            self.n_disagreeing += not recomputed(row, values, texts, gold)
        invalid = row.get("filtered_resps") in (_INVALID, [_INVALID])
        # All or nothing: a row that fails has added no part of itself.
        self.ids.append(str(doc_id))
        self.lines.append(line)
        self.filters.append(str(row.get("filter") or ""))
        self.scores.append(score)
        self.contents.append(content)
        self.subtasks.append(subtask)
        self.likelihoods.append(values)
        self.golds.append(gold)
        self.invalid.append(invalid)


def read_samples(path: Path, task: str, time: str, options: ReadOptions) -> list[Answers]:
    """Answers of one samples file.

    Raises
    ------
    InputError
        If a row cannot be read (and that is not to be skipped), the metric or the filter has to
        be named, or an item stands repeatedly.
    """
    first = first_row(path)
    measure = choose_measure(first, _metric_names(first), options, task, _LEADERBOARD, str(path))
    texts = options.verify or _needs_texts(first)
    names = ["doc_id", "doc_hash", "filter", "target", "filtered_resps", measure.name]
    names += ["resps"] * ("filtered_resps" not in first)
    names += ["arguments"] * texts + ["acc", "acc_norm"] * options.verify
    whole_doc = options.subtask_field or options.content_field or "doc_hash" not in first
    names += ["doc"] * bool(whole_doc)
    # Only seen so that a row of mutual information is told apart.
    names += ["acc_mutual_info"] * ("acc_mutual_info" in first)
    rows = _Rows(task, measure, options, texts)
    n_bad = 0
    for line, fault in json_rows(path, list(dict.fromkeys(names)), rows.add):
        if options.on_bad == "error":
            raise InputError(
                f"{path}, line {line}: the row {fault}; mend it, or skip such rows by name "
                "(on_bad=skip)."
            )
        n_bad += 1
    told = _told(path, task, time)
    return [_answers(rows, path, told, time, n_bad)]


def _needs_texts(row: dict[str, Any]) -> bool:
    """Whether the options' texts are needed to tell which of them is right."""
    try:
        values = log_likelihoods(row)
    except BadRow:
        return True
    return values is not None and gold_of(row.get("target"), len(values), None) < 0


def _metric_names(row: dict[str, Any]) -> list[str]:
    named = row.get("metrics")
    if isinstance(named, list) and all(isinstance(name, str) for name in named) and named:
        return [name for name in named if name in row]
    return [key for key in row if key not in _SCHEMA]


def _answers(rows: _Rows, path: Path, told: _Told, time: str, n_bad: int) -> Answers:
    filters = np.array(rows.filters, dtype=object)
    chosen = _choose_filter(rows, path)
    keep, dropped = _one_row_each(rows, filters == chosen, path)
    n_other = int((filters != chosen).sum())
    kept_ids = {rows.ids[k] for k in keep}
    # Items that only other filters judged are missing, not wrong.
    others: dict[str, int] = {}
    for position in np.flatnonzero(filters != chosen):
        if rows.ids[position] not in kept_ids:
            others.setdefault(rows.ids[position], int(position))
    order = [*keep, *others.values()]
    counts = np.array([1] * len(keep) + [0] * len(others), dtype=np.int64)
    scores = np.array([rows.scores[k] for k in order], dtype=float)
    scores[counts == 0] = np.nan
    confidences, n_options = option_confidences(
        [rows.likelihoods[k] for k in order], [rows.golds[k] for k in order]
    )
    if confidences is not None:
        confidences[np.isnan(scores)] = np.nan
    reasons = {OTHER_FILTER: n_other, REPEATED: dropped, BAD_ROW: n_bad}
    return Answers(
        model=told.model,
        task=rows.task,
        source=str(path),
        ids=[rows.ids[k] for k in order],
        scores=scores,
        n_read=len(rows.ids) + n_bad,
        rows=counts,
        dropped={reason: n for reason, n in reasons.items() if n},
        confidences=confidences,
        contents=[rows.contents[k] for k in order],
        subtasks=[rows.subtasks[k] for k in order],
        n_options=n_options,
        lines=np.array([rows.lines[k] for k in order], dtype=np.int32),
        metric=rows.measure.label,
        filter="" if chosen == "none" else chosen,
        run=time,
        expected=told.expected,
        versions=told.versions,
        verified=(rows.n_verified, rows.n_disagreeing),
        notes=_notes(rows, keep, told.model),
    )


def _choose_filter(rows: _Rows, path: Path) -> str:
    found = sorted(set(rows.filters))
    wanted = rows.options.filter
    if wanted is None and len(found) <= 1:
        return found[0] if found else ""
    if wanted in found:
        return wanted
    listed = ", ".join(name or "(rows without one)" for name in found)
    if wanted is None:
        raise InputError(
            f"{path} judges each item by {len(found)} filters ({listed}); name the one that "
            "counts (filter)."
        )
    raise InputError(f"{path} has no filter '{wanted}'; it has {listed}.")


def _one_row_each(rows: _Rows, chosen: np.ndarray, path: Path) -> tuple[list[int], int]:
    """Positions of one row an item, and how many repeated rows that leaves out."""
    place: dict[str, int] = {}
    repeat = rows.options.repeat
    n_repeated = 0
    for position in map(int, np.flatnonzero(chosen)):
        item = rows.ids[position]
        before = place.get(item)
        if before is None:
            place[item] = position
            continue
        if rows.contents[before] != rows.contents[position]:
            raise InputError(
                f"{path}: doc_id {item} has two different documents, in lines "
                f"{rows.lines[before]} and {rows.lines[position]}."
            )
        if repeat is None:
            cause = (
                "logs from before November 2024 hold one row for each filter and do not name it"
                if not rows.filters[position]
                else "a second run may have been appended"
            )
            raise InputError(
                f"{path}: doc_id {item} stands in line {rows.lines[before]} and again in line "
                f"{rows.lines[position]} ({cause}); choose which row counts (repeat=first or "
                "repeat=last)."
            )
        n_repeated += 1
        if repeat == "last":
            place[item] = position
    return list(place.values()), n_repeated


def _notes(rows: _Rows, kept: Sequence[int], model: str) -> tuple[str, ...]:
    # Of the rows that count: another filter may well have found the answers.
    share = sum(rows.invalid[k] for k in kept) / len(kept) if kept else 0.0
    if share <= _MANY_INVALID:
        return ()
    return (
        f"{model}, {rows.task}: from {share:.0%} of the rows no answer could be extracted "
        "([invalid]); they count as wrong.",
    )


def _field(doc: Any, name: str) -> Any:
    if not isinstance(doc, dict) or name not in doc:
        there = shortened(", ".join(map(str, doc)) if isinstance(doc, dict) else "no object", 200)
        raise BadRow(f"has no field '{name}' in its doc (there: {there})")
    return doc[name]
