"""Downloaded tables become response matrices here, by the register's rules; nothing is fetched.

An item's subtask comes from one of four rules:

- ``repository``: the id is ``owner__name-number``, the subtask ``owner/name``;
- ``ids``: the register names the subtask of every range of item numbers;
- ``domains``: a JSON file gives each item a list of domains; the first that is not General counts;
- ``brackets``: a CSV file gives each item a text that begins with ``[subtask]``.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.data.registry import Download, Subtasks
from mbnb.data.responses import MISSING, ResponseMatrix

_SCORES = {"": MISSING, "0": 0, "0.0": 0, "1": 1, "1.0": 1}
_ODD = 254
_GENERAL = "General"


def convert(entry: Download, answers: Path, labels: Path | None) -> ResponseMatrix:
    """The response matrix that a downloaded table holds.

    Parameters
    ----------
    entry : Download
    answers : Path
        The table of answers: CSV, 0 or 1 in each cell, empty where the answer is missing.
    labels : Path or None
        The file with the items' subtasks, where the rule needs one.

    Returns
    -------
    ResponseMatrix, shape (n_models, n_items)
        Models in the order of the file, items in that of the register. Models that answered too
        few of the items are left out.

    Raises
    ------
    InputError
        If a file does not look as the register says; the message names the file and the place.
    """
    rows, columns, scores = _read(answers, entry.table.corner)
    if entry.table.rows == "items":
        items, models, scores = rows, columns, scores.T
    else:
        models, items = rows, columns
    order = _order(items, entry, answers)
    subtasks = _subtasks([items[i] for i in order], entry.subtasks, answers, labels)
    chosen = [(i, s) for i, s in zip(order, subtasks, strict=True) if s is not None]
    scores = scores[:, [i for i, _ in chosen]]
    enough = (scores != MISSING).mean(axis=1) >= entry.table.least_answered
    ids = [entry.table.item_prefix + items[i] for i, _ in chosen]
    return ResponseMatrix(
        scores=np.ascontiguousarray(scores[enough]),
        models=pd.DataFrame(
            index=pd.Index([m for m, kept in zip(models, enough, strict=True) if kept])
        ).rename_axis(index="model_id"),
        items=pd.DataFrame({"subtask": [s for _, s in chosen]}, index=pd.Index(ids)).rename_axis(
            index="item_id"
        ),
        name=entry.name,
    )


def _read(path: Path, corner: str) -> tuple[list[str], list[str], np.ndarray]:
    """Ids of the rows and columns, and the scores: uint8, shape (rows, columns)."""
    header, *body = _csv_rows(path)
    if header[:1] != [corner]:
        raise InputError(f"{path}, line 1: the first header is {header[:1]}; expected '{corner}'.")
    for line, row in enumerate(body, start=2):
        if len(row) != len(header):
            raise InputError(
                f"{path}, line {line}: {len(row)} cells; the header has {len(header)}."
            )
    scores = np.full((len(body), len(header) - 1), _ODD, dtype=np.uint8)
    for line, row in enumerate(body):
        scores[line] = [_SCORES.get(cell, _ODD) for cell in row[1:]]
    odd = np.argwhere(scores == _ODD)
    if odd.size:
        line, column = odd[0]
        raise InputError(
            f"{path}, line {line + 2}, column '{header[column + 1]}': the score is "
            f"'{body[line][column + 1]}'; allowed are 0, 1 and nothing."
        )
    return [row[0] for row in body], header[1:], scores


def _csv_rows(path: Path) -> list[list[str]]:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path} cannot be read as a UTF-8 CSV table: {error}.") from None
    if len(rows) < 2:
        raise InputError(f"{path} holds {len(rows)} lines; expected a header and rows.")
    return rows


def _order(items: Sequence[str], entry: Download, path: Path) -> list[int]:
    positions = list(range(len(items)))
    if entry.table.order == "file":
        return positions
    return sorted(positions, key=lambda i: _number(items[i], path))


def _number(item: str, path: Path) -> int:
    found = re.search(r"\d+$", item)
    if found is None:
        raise InputError(f"{path}: the item id '{item}' does not end in a number.")
    return int(found.group())


def _subtasks(
    items: Sequence[str], rule: Subtasks, answers: Path, labels: Path | None
) -> Sequence[str | None]:
    """Each item's subtask, None for items that are left out."""
    if rule.rule == "repository":
        return [_repository(item, answers) for item in items]
    if rule.rule == "ids":
        known = {
            number: subtask
            for subtask, ranges in (rule.ids or {}).items()
            for first, last in (map(int, part.split("-")) for part in ranges.split())
            for number in range(first, last + 1)
        }
        return [known.get(_number(item, answers)) for item in items]
    assert labels is not None, "the register gives these rules a second file"
    told = _domains(labels) if rule.rule == "domains" else _brackets(labels)
    lacking = [item for item in items if item not in told]
    if lacking:
        raise InputError(
            f"{labels} tells no subtask for {len(lacking)} items (first: '{lacking[0]}')."
        )
    return [told[item] for item in items]


def _repository(item: str, path: Path) -> str:
    found = re.fullmatch(r"(.+?)__(.+)-\d+", item)
    if found is None:
        raise InputError(f"{path}: the item id '{item}' is not of the form owner__name-number.")
    return "/".join(found.groups())


def _domains(path: Path) -> dict[str, str]:
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
        return {
            item: next((domain for domain in domains if domain != _GENERAL), _GENERAL)
            for item, domains in table.items()
        }
    except (ValueError, AttributeError, TypeError) as error:
        raise InputError(f"{path} is not a JSON object of lists of domains ({error}).") from None


def _brackets(path: Path) -> dict[str, str]:
    told = {}
    for line, row in enumerate(_csv_rows(path)[1:], start=2):
        found = re.match(r"\[([^\]]+)\]", row[1]) if len(row) == 2 else None
        if found is None:
            raise InputError(f"{path}, row {line}: expected an id and a text with [subtask].")
        told[row[0]] = found.group(1)
    return told
