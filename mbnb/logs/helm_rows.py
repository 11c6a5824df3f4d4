"""Rows of HELM's per_instance_stats.json, merged by instance, trial and perturbation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from mbnb.data.errors import InputError
from mbnb.logs.helm_scenario import IDENTITY, Instances, perturbation_id
from mbnb.logs.json_rows import BadRow
from mbnb.logs.options import ReadOptions
from mbnb.logs.typed_json import decode
from mbnb.logs.values import as_score, shortened


class _Name(msgspec.Struct):
    name: str
    split: str | None = None


class _Stat(msgspec.Struct):
    name: _Name
    mean: Any = None


class _Row(msgspec.Struct):
    stats: list[_Stat]
    instance_id: Any = None
    train_trial_index: Any = 0
    perturbation: Any = None


@dataclass
class Cell:
    """All rows of one instance, trial and perturbation."""

    instance: str
    trial: int
    perturbation: str
    line: int
    n_rows: int = 0
    means: dict[str, float] = field(default_factory=dict)
    twice: dict[str, int] = field(default_factory=dict)
    split: str = ""

    @property
    def item(self) -> str:
        return f"{self.instance},{self.perturbation}" if self.perturbation else self.instance


def read_cells(path: Path, options: ReadOptions) -> tuple[list[Cell], int, int]:
    """Rows merged by instance, trial and perturbation; rows read; rows that cannot be."""
    try:
        raw = decode(path.read_bytes(), list[msgspec.Raw])
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None
    except BadRow as error:
        raise InputError(f"{path} {error}.") from None
    cells: dict[tuple[str, int, str], Cell] = {}
    n_bad = 0
    for line, data in enumerate(raw, start=1):
        try:
            _add(cells, line, decode(bytes(data), _Row))
        except BadRow as error:
            if options.on_bad == "error":
                raise InputError(
                    f"{path}, row {line}: the row {error}; mend it, or skip such rows by name "
                    "(on_bad=skip)."
                ) from None
            n_bad += 1
    return list(cells.values()), len(raw), n_bad


def _add(cells: dict[tuple[str, int, str], Cell], line: int, row: _Row) -> None:
    if not isinstance(row.instance_id, str) or not row.instance_id:
        raise BadRow(f"has no instance_id that is a text (given: {row.instance_id!r})")
    if type(row.train_trial_index) is not int:
        raise BadRow(f"has a train_trial_index that is no whole number ({row.train_trial_index!r})")
    # All or nothing: a row that fails has added no part of itself.
    means = {}
    splits = {stat.name.split for stat in row.stats if stat.name.split}
    twice = set()
    for stat in row.stats:
        try:
            mean = as_score(stat.mean)
        except ValueError as error:
            raise BadRow(f"has as mean of '{shortened(stat.name.name)}' {error}") from None
        if not np.isnan(mean):
            if stat.name.name in means:
                twice.add(stat.name.name)
            means[stat.name.name] = mean
    if len(splits) > 1:
        raise BadRow(f"has stats of several splits ({', '.join(sorted(splits))})")
    key = (row.instance_id, row.train_trial_index, perturbation_id(row.perturbation))
    cell = cells.setdefault(key, Cell(*key, line=line))
    split = next(iter(splits), "")
    if split and cell.split and split != cell.split:
        raise BadRow(f"has split '{split}', and an earlier one of its instance '{cell.split}'")
    cell.split = cell.split or split
    cell.n_rows += 1
    cell.twice.update(dict.fromkeys([*twice, *(means.keys() & cell.means.keys())], line))
    cell.means.update(means)


def settle_splits(cells: Sequence[Cell], known: Instances, path: Path) -> None:
    """Rows without stats name no split; the instance's other rows or its scenario may."""
    named = {cell.instance: cell.split for cell in cells if cell.split}
    only = set(named.values())
    for cell in cells:
        if not cell.split:
            one = known.get((cell.instance, ""))
            told = one.split if one else ""
            cell.split = named.get(cell.instance) or told or (min(only) if len(only) == 1 else "")
            if not cell.split and only:
                raise InputError(
                    f"{path}, row {cell.line}: instance '{cell.instance}' names no split, and the "
                    f"run has several ({', '.join(sorted(only))})."
                )


def with_identities(cells: Sequence[Cell]) -> list[Cell]:
    """Cells in which an identity perturbation is the original instance.

    It stays a perturbation where a row without any holds the same stats already.
    """
    original = {(cell.instance, cell.trial): cell for cell in cells if not cell.perturbation}
    found = list(original.values())
    for cell in cells:
        if not cell.perturbation:
            continue
        same = original.get((cell.instance, cell.trial))
        if cell.perturbation != IDENTITY or (same and same.means.keys() & cell.means.keys()):
            found.append(cell)
        elif same:
            same.means.update(cell.means)
            same.twice.update(cell.twice)
            same.n_rows += cell.n_rows
        else:
            cell.perturbation = ""
            found.append(cell)
    return found
