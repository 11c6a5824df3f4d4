"""The models × items grid that the answers of many files are entered in, each cell once."""

from __future__ import annotations

import copy
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from mbnb.data.errors import InputError
from mbnb.logs.answers import Answers
from mbnb.logs.values import shortened

LONGEST_ID = 2_000


@dataclass
class Part:
    """Answers of one file, their ids as codes of the task's items.

    `leading`: the ids are the whole numbers from 0 on, as those of a task's first items are.
    """

    answers: Answers
    codes: np.ndarray
    contents: np.ndarray | None
    leading: bool = False

    @property
    def n_rows(self) -> int:
        rows = self.answers.rows
        return len(self.codes) if rows is None else int(rows.sum())


@dataclass
class Names:
    """Models and tasks as they are called, and the items of each task by their numbers.

    Blanks at the ends of names and ids are left out here, and nowhere else.
    """

    items: dict[str, dict[str, int]] = field(default_factory=dict)
    stripped: list[tuple[str, str]] = field(default_factory=list)

    def part(self, answers: Answers) -> Part:
        """Answers with ids as codes; the texts do not live on.

        Raises
        ------
        InputError
            If an id is empty, cannot be printed, or is no id by its length.
        """
        slim = copy.copy(answers)
        for name in ("model", "task"):
            object.__setattr__(slim, name, self._stripped(getattr(answers, name), answers.source))
        _check_id(slim.model, "model", answers.source)
        codes = self.items.setdefault(slim.task, {})
        ids = [item.strip() for item in answers.ids]
        for item, bare in zip(answers.ids, ids, strict=True):
            if bare not in codes:
                _check_id(bare, "item", answers.source)
                codes[bare] = len(codes)
            if len(bare) < len(item):
                self.stripped.append((item, answers.source))
        contents = None
        if answers.contents is not None:
            # Two fingerprints in a hundred million rows meet by chance about once in 4,000 years.
            texts = (int(text[:16], 16) if text else 0 for text in answers.contents)
            contents = np.fromiter(texts, np.uint64, len(ids))
        numbers = np.fromiter((codes[item] for item in ids), np.int32, len(ids))
        short = bool(answers.expected and len(ids) < answers.expected)
        leading = short and set(ids) == {str(k) for k in range(len(ids))}
        object.__setattr__(slim, "ids", ())
        object.__setattr__(slim, "contents", None)
        return Part(slim, numbers, contents, leading)

    def _stripped(self, name: str, source: str) -> str:
        if name != name.strip():
            self.stripped.append((name, source))
        return name.strip()

    def note(self) -> list[str]:
        """What to know of blanks that were left out."""
        if not self.stripped:
            return []
        name, source = self.stripped[0]
        return [
            f"Blanks at the ends of {len(self.stripped):,} ids were left out (first: "
            f"{shortened(repr(name))} in {source})."
        ]

    def check_alike(self, parts: Sequence[Part]) -> None:
        """Refuse two names of one thing: ids that differ in blanks, case or Unicode form only.

        Two such items are two where a model answers both.

        Raises
        ------
        InputError
        """
        models = dict.fromkeys(part.answers.model for part in parts)
        for what, names in (("models", models), ("tasks", self.items)):
            for one, other in _alike(names):
                raise _same_name(what, one, other)
        for task, codes in self.items.items():
            for one, other in _alike(codes):
                held: dict[str, set[int]] = {}
                for part in parts:
                    if part.answers.task == task:
                        held.setdefault(part.answers.model, set()).update(part.codes.tolist())
                if not any({codes[one], codes[other]} <= numbers for numbers in held.values()):
                    raise _same_name(f"items of task '{task}'", one, other)


def _alike(names: Iterable[str]) -> list[tuple[str, str]]:
    groups: dict[str, list[str]] = {}
    for name in names:
        key = "".join(unicodedata.normalize("NFC", name).casefold().split())
        groups.setdefault(key, []).append(name)
    return [pair for group in groups.values() for pair in combinations(sorted(group), 2)]


def _same_name(what: str, one: str, other: str) -> InputError:
    return InputError(
        f"two {what} are called {shortened(ascii(one))} and {shortened(ascii(other))}, which "
        "differ in blanks, case or Unicode form only; name them alike, or so that they differ."
    )


def _check_id(text: str, what: str, source: str) -> None:
    if not text:
        raise InputError(f"{source}: {what} id is empty; every {what} needs one.")
    if not text.isprintable():
        raise InputError(
            f"{source}: {what} id '{shortened(text)}' holds a character that cannot be printed, "
            "such as a line break or half of a surrogate pair; allowed is any printable text."
        )
    if len(text) > LONGEST_ID:
        raise InputError(
            f"{source}: {what} id '{shortened(text)}' has {len(text):,} characters; allowed are up "
            f"to {LONGEST_ID:,}."
        )


class Grid:
    """Models × items while it is filled."""

    def __init__(self, models: list[str], ids: list[str]) -> None:
        shape, n_items = (len(models), len(ids)), len(ids)
        self.models, self.ids = models, ids
        self.scores = np.full(shape, np.nan, np.float32)
        self.confidences = np.full(shape, np.nan, np.float32)
        self.rows = np.zeros(shape, np.int32)
        self.held = np.zeros(shape, bool)
        self.contents = np.zeros(n_items, np.uint64)
        self.subtasks, self.metric, self.filter, self.first = (
            np.full(n_items, "", object) for _ in range(4)
        )
        self.n_options = np.zeros(n_items, np.int64)

    def put(self, part: Part, row: int, columns: np.ndarray) -> None:
        """Enter the answers of one file.

        Raises
        ------
        InputError
            If an item has an answer already, or another content, subtask or number of options, or
            a score is out of range.
        """
        answers = part.answers
        again = np.ones(len(columns), bool)
        again[np.unique(columns, return_index=True)[1]] = False
        again |= self.held[row, columns]
        if again.any():
            at = int(again.argmax())
            model, item = shortened(answers.model), shortened(self.ids[columns[at]])
            raise InputError(
                f"model '{model}' answers item '{item}' more than once (again in "
                f"{answers.place(at)}); a model has one answer to an item."
            )
        self._check_range(answers, columns)
        self.scores[row, columns] = answers.scores
        if answers.confidences is not None:
            self.confidences[row, columns] = answers.confidences
        self.rows[row, columns] = 1 if answers.rows is None else answers.rows
        self.held[row, columns] = True
        if part.contents is not None:
            self._same(self.contents, columns, part.contents, np.uint64(0), part, "documents")
        if answers.subtasks is not None:
            named = np.array(answers.subtasks, dtype=object)
            self._same(self.subtasks, columns, named, "", part, "subtasks")
        if answers.n_options is not None:
            self._same(self.n_options, columns, answers.n_options, 0, part, "sets of options")
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
        what: str,
    ) -> None:
        before = known[columns]
        unlike = (before != unknown) & (given != unknown) & (before != given)
        if unlike.any():
            at = int(unlike.argmax())
            model, item = shortened(part.answers.model), shortened(self.ids[columns[at]])
            raise InputError(
                f"item '{item}' has two different {what}: one in {self.first[columns[at]]}, "
                f"another for model '{model}' in {part.answers.place(at)} "
                f"({int(unlike.sum())} items of that file differ so); the same id must mean the "
                "same item for all models."
            )
        new = given != unknown
        known[columns[new]] = given[new]

    def _check_range(self, answers: Answers, columns: np.ndarray) -> None:
        for what, values in (("score", answers.scores), ("confidence", answers.confidences)):
            bad = ~(np.isnan(values) | ((values >= 0) & (values <= 1))) if values is not None else 0
            if values is None or not np.any(bad):
                continue
            at = int(np.argmax(bad))
            hint = (
                "a confidence is the probability given to the right answer: turn log-likelihoods "
                "or losses into probabilities first (mbnb.option_probabilities)"
            )
            # Marks of 1 to 5 or 1 to 10 are common too.
            if what == "score" and np.nanmin(values) >= 0 and 10 < np.nanmax(values) <= 100:
                hint = (
                    "allowed is 0 to 1: it looks like percent, so divide by 100 (if it is not, "
                    "choose another metric, or scale this one first)"
                )
            elif what == "score":
                hint = "allowed is 0 to 1: choose another metric, or scale this one first"
            raise InputError(
                f"{answers.place(at)}: {what} {values[at]:g} of item "
                f"'{shortened(self.ids[columns[at]])}' is out of range ({int(np.sum(bad))} in that "
                f"file); {hint}."
            )
