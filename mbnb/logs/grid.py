"""The run of a model and task that counts, and the grid that its answers are entered in once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mbnb.data.errors import InputError
from mbnb.logs.answers import Answers
from mbnb.logs.values import shortened


@dataclass
class Part:
    """Answers of one file, their ids as codes of the task's items.

    `leading`: the ids are the whole numbers from 0 on, as those of a task's first items are.
    """

    answers: Answers
    codes: np.ndarray
    contents: np.ndarray | None
    leading: bool = False


def choose_runs(parts: Sequence[Part], rule: str) -> tuple[list[Part], list[str]]:
    """Keep one run of each model and task.

    Parameters
    ----------
    parts : sequence of Part
    rule : str
        "complete": the newest of the runs with as many answers as the log says a whole run has,
        or else as the longest of them; "latest"; "most-rows": the newest of the longest; or a
        run's timestamp.

    Returns
    -------
    (list of Part, list of str)
        Parts of the chosen runs, in the order given, and a note on each choice between runs.

    Raises
    ------
    InputError
        If the rule names a run that some model and task do not have.
    """
    by_pair: dict[tuple[str, str], dict[str, list[Part]]] = {}
    for part in parts:
        pair = (part.answers.model, part.answers.task)
        by_pair.setdefault(pair, {}).setdefault(part.answers.run, []).append(part)
    chosen: list[Part] = []
    notes = []
    short: dict[tuple[str, int, int, bool], list[str]] = {}
    for (model, task), runs in by_pair.items():
        sizes = {
            run: int(np.unique(np.concatenate([part.codes for part in found])).size)
            for run, found in runs.items()
        }
        name = _choose(runs, sizes, rule, model, task)
        chosen += runs[name]
        size = sizes[name]
        if len(runs) > 1:
            files = ", ".join(part.answers.source for part in runs[name])
            notes.append(
                f"{model}, {task}: of {len(runs)} runs {files} was read ({size:,} answers)."
            )
        expected = next((p.answers.expected for p in runs[name] if p.answers.expected), None)
        if expected and size < expected:
            leading = all(part.leading for part in runs[name])
            short.setdefault((task, size, expected, leading), []).append(model)
    return chosen, notes + [_of_short_runs(*what, models) for what, models in short.items()]


def _of_short_runs(task: str, size: int, expected: int, leading: bool, models: list[str]) -> str:
    if len(models) == 1:
        runs = f"{models[0]}, {task}: the run holds"
    else:
        runs = f"{task}: the runs of {len(models):,} models (such as '{models[0]}') hold"
    what = (
        "these are the first ones, as a run with a limit takes them; the first items of a "
        "benchmark are no random sample of it"
        if leading
        else "so a part of the benchmark was run, or the run is unfinished"
    )
    return f"{runs} {size:,} of {expected:,} items; {what}."


def _choose(
    runs: dict[str, list[Part]], sizes: dict[str, int], rule: str, model: str, task: str
) -> str:
    newest_last = sorted(runs)
    if rule == "latest":
        return newest_last[-1]
    if rule in ("complete", "most-rows"):
        most = max(sizes.values())
        if rule == "complete":
            told = [p.answers.expected for found in runs.values() for p in found]
            most = min(most, max((n for n in told if n), default=most))
        return [run for run in newest_last if sizes[run] >= most][-1]
    if rule in runs:
        return rule
    raise InputError(
        f"model '{shortened(model)}' has no run '{shortened(rule)}' of task "
        f"'{shortened(task)}'; it has {', '.join(newest_last) or 'none with a timestamp'}; "
        "allowed are these, complete, latest and most-rows."
    )


@dataclass
class Grid:
    """Models × items while it is filled."""

    scores: np.ndarray
    confidences: np.ndarray
    rows: np.ndarray
    held: np.ndarray
    contents: np.ndarray
    subtasks: np.ndarray
    n_options: np.ndarray
    metric: np.ndarray
    filter: np.ndarray
    fingerprints: np.ndarray
    first: np.ndarray

    @classmethod
    def empty(cls, n_models: int, n_items: int) -> Grid:
        shape = (n_models, n_items)
        return cls(
            scores=np.full(shape, np.nan, np.float32),
            confidences=np.full(shape, np.nan, np.float32),
            rows=np.zeros(shape, np.int32),
            held=np.zeros(shape, bool),
            contents=np.zeros(n_items, np.uint64),
            subtasks=np.full(n_items, "", object),
            n_options=np.zeros(n_items, np.int64),
            metric=np.full(n_items, "", object),
            filter=np.full(n_items, "", object),
            fingerprints=np.full(n_items, "", object),
            first=np.full(n_items, "", object),
        )

    def put(self, part: Part, row: int, column: np.ndarray, ids: list[str]) -> None:
        """Enter the answers of one file.

        Raises
        ------
        InputError
            If an item has an answer already, or another content, subtask or number of options.
        """
        answers, columns = part.answers, column[part.codes]
        twice = self.held[row, columns]
        order = np.argsort(columns, kind="stable")
        again = np.flatnonzero(columns[order][1:] == columns[order][:-1])
        if twice.any() or again.size:
            at = int(np.flatnonzero(twice)[0]) if twice.any() else int(order[again[0] + 1])
            model, item = shortened(answers.model), shortened(ids[columns[at]])
            raise InputError(
                f"model '{model}' answers item '{item}' more than once (again in "
                f"{answers.place(at)}); a model has one answer to an item."
            )
        _check_range(answers, columns, ids)
        self.scores[row, columns] = answers.scores
        if answers.confidences is not None:
            self.confidences[row, columns] = answers.confidences
        self.rows[row, columns] = 1 if answers.rows is None else answers.rows
        self.held[row, columns] = True
        if part.contents is not None:
            self._same(self.contents, columns, part.contents, np.uint64(0), part, ids, "documents")
        if answers.subtasks is not None:
            named = np.array(answers.subtasks, dtype=object)
            self._same(self.subtasks, columns, named, "", part, ids, "subtasks")
        if answers.n_options is not None:
            self._same(self.n_options, columns, answers.n_options, 0, part, ids, "sets of options")
        self.metric[columns] = answers.metric
        self.filter[columns] = answers.filter
        empty = self.first[columns] == ""
        self.first[columns[empty]] = answers.source

    def _same(
        self,
        known: np.ndarray,
        columns: np.ndarray,
        given: np.ndarray,
        unknown: object,
        part: Part,
        ids: list[str],
        what: str,
    ) -> None:
        before = known[columns]
        unlike = (before != unknown) & (given != unknown) & (before != given)
        if unlike.any():
            at = int(np.flatnonzero(unlike)[0])
            model, item = shortened(part.answers.model), shortened(ids[columns[at]])
            raise InputError(
                f"item '{item}' has two different {what}: one in {self.first[columns[at]]}, "
                f"another for model '{model}' in {part.answers.place(at)} "
                f"({int(unlike.sum())} items of that file differ so); the same id must mean the "
                "same item for all models."
            )
        new = given != unknown
        known[columns[new]] = given[new]


def _check_range(answers: Answers, columns: np.ndarray, ids: list[str]) -> None:
    for what, values in (("score", answers.scores), ("confidence", answers.confidences)):
        if values is None:
            continue
        bad = ~(np.isnan(values) | ((values >= 0) & (values <= 1)))
        if bad.any():
            at = int(np.flatnonzero(bad)[0])
            hint = (
                "a confidence is the probability given to the right answer: turn log-likelihoods "
                "or losses into probabilities first (mbnb.logs.values.option_probabilities)"
                if what == "confidence"
                else _scale_hint(values)
            )
            item = shortened(ids[columns[at]])
            raise InputError(
                f"{answers.place(at)}: {what} {float(values[at])!r} of item '{item}' is out of "
                f"range ({int(bad.sum())} in that file); {hint}."
            )


def _scale_hint(scores: np.ndarray) -> str:
    known = scores[~np.isnan(scores)]
    # Marks of 1 to 5 or 1 to 10 are common too.
    if known.min() >= 0 and 10 < known.max() <= 100:
        return (
            "allowed is 0 to 1: it looks like percent, so divide by 100 (if it is not, choose "
            "another metric, or scale this one first)"
        )
    return "allowed is 0 to 1: choose another metric, or scale this one first"
