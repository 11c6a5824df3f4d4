"""Run folders of HELM: per_instance_stats.json and what stands beside it.

Source of the schema: helm/benchmark/metrics/metric.py, statistic.py and metric_name.py.

A run's task is its name in run_spec.json without what names the model (``model=…``,
``model_deployment=…``), followed by the instances' split: ``mmlu:subject=philosophy,split=test``.
The items of all its splits are one subtask.

There are no confidences: where each option was put to the model by itself, which tokens of a
request are the option depends on the model's tokenizer, which is not logged.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from mbnb.data.errors import InputError
from mbnb.logs.answers import BAD_ROW, Answers
from mbnb.logs.files import COMPANION, LOG, Format, by_file
from mbnb.logs.json_rows import BadRow, decode, plain, read_json, under
from mbnb.logs.metrics import listed
from mbnb.logs.options import ReadOptions
from mbnb.logs.rows import (
    OTHER_REPLICATE,
    Row,
    answers_of,
    count_bad,
    each,
    id_of,
    one_answer_each,
)
from mbnb.logs.values import as_score, fingerprint, shortened

STATS = "per_instance_stats.json"
_BESIDE = {"run_spec.json", "scenario.json", "scenario_state.json", "stats.json"}
KNOWN_SCORES = (
    "exact_match",
    "quasi_exact_match",
    "prefix_exact_match",
    "quasi_prefix_exact_match",
)
# Beginnings of the names of stats that say how a request went, not how good the answer was.
_NO_SCORES = (
    *("num_", "finish_reason_", "training_", "inference_", "batch_size", "prompt_truncated"),
    *("max_prob", "logprob", "perplexity", "bits_per_byte", "logprob_per_byte", "predicted_index"),
    *("estimated_", "runtime", "denoised_"),
)
# The perturbation that changes nothing.
IDENTITY = "identity"
FIELDS = ("input", "references")
PERTURBED = "row of a perturbed instance (kept with perturbed)"
OTHER_SPLIT = "row of a split that was not asked for"


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


class _Instance(msgspec.Struct):
    id: Any = None
    input: Any = None
    references: Any = None
    split: Any = None
    perturbation: Any = None


class _RequestState(msgspec.Struct):
    instance: _Instance


class _State(msgspec.Struct):
    request_states: list[_RequestState]


class Told(NamedTuple):
    """What is told of an instance: fingerprint of its text, number of references, split."""

    content: str = ""
    n_references: int = 0
    split: str = ""


@dataclass
class Cell:
    """All rows of one instance, trial and perturbation; of a stat that stands again, its row."""

    instance: str
    trial: int
    perturbation: str
    line: int
    n_rows: int = 0
    means: dict[str, float] = field(default_factory=dict)
    twice: dict[str, int] = field(default_factory=dict)
    split: str = ""

    def take(self, other: Cell) -> None:
        again = [*other.twice, *(self.means.keys() & other.means.keys())]
        self.twice.update(dict.fromkeys(again, other.line))
        self.means.update(other.means)
        self.split = self.split or other.split
        self.n_rows += other.n_rows


def _role(path: Path) -> str | None:
    if path.name == STATS:
        return LOG
    return COMPANION if path.name in _BESIDE and path.with_name(STATS).is_file() else None


def _spec(path: Path) -> tuple[str, str, bool]:
    """Model, task, and whether an item is a choice between options, as run_spec.json says."""
    beside = path.with_name("run_spec.json")
    if not beside.is_file():
        raise InputError(
            f"{path}: there is no run_spec.json beside it, which says the model and the task; "
            "allowed is a whole run folder."
        )
    spec = read_json(beside)
    model, name = under(spec, "adapter_spec", "model"), under(spec, "name")
    if not isinstance(model, str) or not model or not isinstance(name, str) or not name:
        raise InputError(f"{beside} holds no name, or no adapter_spec with a model, as text.")
    method = str(under(spec, "adapter_spec", "method"))
    return model, task_of(name), method.startswith("multiple_choice")


def task_of(name: str) -> str:
    """A run's name without what names the model; other arguments stay, in their order."""
    head, colon, rest = name.partition(":")
    named = ("model=", "model_deployment=")
    stay = [part for part in rest.split(",") if part and not part.startswith(named)]
    return head + colon + ",".join(stay) if stay else head


def _with_split(task: str, split: str) -> str:
    return f"{task}{',' if ':' in task else ':'}split={split}" if split else task


def _wanted(path: Path, options: ReadOptions) -> str:
    """A run's task, or one of its splits that is asked for."""
    task = _spec(path)[1]
    start = _with_split(task, " ").rstrip()
    return next((name for name in options.tasks if name.startswith(start)), task)


def read_run(path: Path, options: ReadOptions) -> list[Answers]:
    """Answers of one run, one part for each split.

    Raises
    ------
    InputError
        If a row cannot be read (and that is not to be skipped), the metric or what to do with
        several trials has to be named, a stat stands repeatedly, or a split is not there.
    """
    model, task, is_choice = _spec(path)
    cells, n_bad = _cells(path, options)
    known = _instances(path.with_name("scenario_state.json"), options.content_field)
    _settle_splits(cells, known, path)
    cells = _with_identities(cells)
    n_read = sum(cell.n_rows for cell in cells) + n_bad
    kept = [cell for cell in cells if options.perturbed or not cell.perturbation]
    n_perturbed = n_read - n_bad - sum(cell.n_rows for cell in kept)
    if not kept:
        raise InputError(
            f"{path} holds no row of an instance that counts: {n_read:,} rows, of which "
            f"{n_perturbed:,} are perturbed and {n_bad:,} cannot be read."
        )
    names = {split: _with_split(task, split) for split in sorted({cell.split for cell in kept})}
    wanted = [s for s, name in names.items() if options.wants(task) or options.wants(name)]
    if not wanted:
        raise InputError(
            f"{path} has no split that was asked for ({', '.join(options.tasks)}); it has "
            f"{', '.join(names.values())}."
        )
    unasked = sum(cell.n_rows for cell in kept if cell.split not in wanted)
    dropped = {PERTURBED: n_perturbed, OTHER_SPLIT: unasked, BAD_ROW: n_bad}
    notes = []
    if len(wanted) > 1:
        notes.append(
            f"{task} holds items of {len(wanted)} splits ({', '.join(wanted)}); each is a task of "
            "its own, so that one of them can be read alone (tasks)."
        )
    if not known:
        notes.append(
            f"{task}: there is no scenario_state.json beside some logs, so it was not checked "
            "that an instance id means the same item there; HELM's ids differ between limits and "
            "versions."
        )
    found = []
    for split in wanted:
        here = [cell for cell in kept if cell.split == split]
        stat = _choose_stat(here, names[split], task, path, options)
        rows = _rows(here, stat, task, known, is_choice, path)
        rows, n_other, more = one_answer_each(rows, options, path, names[split], "trial")
        expected = sum(one.split == split for key, one in known.items() if not key[1])
        found.append(
            answers_of(
                rows,
                {**dropped, OTHER_REPLICATE: n_other},
                model=model,
                task=names[split],
                source=str(path),
                metric=stat,
                expected=expected or None,
                notes=(*notes, *more),
            )
        )
        dropped = {}  # what the file loses is told once
    return found


FORMAT = Format(
    "helm",
    "HELM run folders",
    _role,
    by_file(read_run, _wanted),
    frozenset({"replicates", "perturbed", "content_field"}),
)


def _cells(path: Path, options: ReadOptions) -> tuple[list[Cell], int]:
    """Rows merged by instance, trial and perturbation; and how many rows cannot be read."""
    cells: dict[tuple[str, int, str], Cell] = {}

    def add(line: int, data: msgspec.Raw) -> None:
        new = _cell(line, decode(bytes(data), _Row))
        cell = cells.setdefault((new.instance, new.trial, new.perturbation), new)
        if new.split and cell.split and new.split != cell.split:
            raise BadRow(
                f"has split '{new.split}', and an earlier one of its instance '{cell.split}'"
            )
        if cell is not new:
            cell.take(new)

    raw = read_json(path, list[msgspec.Raw])
    n_bad = count_bad(each(enumerate(raw, start=1), add), path, options, "row ")
    return list(cells.values()), n_bad


def _cell(line: int, row: _Row) -> Cell:
    if type(row.train_trial_index) is not int:
        raise BadRow(f"has a train_trial_index that is no whole number ({row.train_trial_index!r})")
    instance = id_of(row.instance_id, "instance_id")
    cell = Cell(instance, row.train_trial_index, _perturbation(row.perturbation), line, n_rows=1)
    splits = sorted({stat.name.split for stat in row.stats if stat.name.split})
    if len(splits) > 1:
        raise BadRow(f"has stats of several splits ({', '.join(splits)})")
    cell.split = splits[0] if splits else ""
    for stat in row.stats:
        try:
            mean = as_score(stat.mean)
        except ValueError as error:
            raise BadRow(f"has as mean of '{shortened(stat.name.name)}' {error}") from None
        if math.isnan(mean):
            continue
        if stat.name.name in cell.means:
            cell.twice[stat.name.name] = line
        cell.means[stat.name.name] = mean
    return cell


def _settle_splits(cells: Sequence[Cell], known: dict[tuple[str, str], Told], path: Path) -> None:
    """Rows without stats name no split; the instance's other rows or its scenario may."""
    named = {cell.instance: cell.split for cell in cells if cell.split}
    only = set(named.values())
    for cell in cells:
        if not cell.split:
            told = known.get((cell.instance, ""), Told()).split
            cell.split = named.get(cell.instance) or told or (min(only) if len(only) == 1 else "")
            if not cell.split and only:
                raise InputError(
                    f"{path}, row {cell.line}: instance '{cell.instance}' names no split, and the "
                    f"run has several ({', '.join(sorted(only))})."
                )


def _with_identities(cells: Sequence[Cell]) -> list[Cell]:
    """Cells in which an identity perturbation is the original instance.

    It stays a perturbation where a row without any holds the same stats already.
    """
    original = {(cell.instance, cell.trial): cell for cell in cells if not cell.perturbation}
    found = list(original.values())
    for cell in cells:
        if not cell.perturbation:
            continue
        same = original.get((cell.instance, cell.trial))
        if cell.perturbation == IDENTITY and same and not same.means.keys() & cell.means.keys():
            same.take(cell)
            continue
        if cell.perturbation == IDENTITY and not same:
            cell.perturbation = ""
        found.append(cell)
    return found


def _rows(
    cells: Sequence[Cell],
    stat: str,
    task: str,
    known: dict[tuple[str, str], Told],
    is_choice: bool,
    path: Path,
) -> list[Row]:
    rows = []
    for cell in cells:
        if stat in cell.twice:
            raise InputError(
                f"{path}: instance '{cell.instance}', trial {cell.trial}, holds stat '{stat}' in "
                f"row {cell.line} and again in row {cell.twice[stat]}; allowed is one of each."
            )
        told = known.get((cell.instance, cell.perturbation), Told())
        rows.append(
            Row(
                ",".join(filter(None, [cell.instance, cell.perturbation])),
                cell.means.get(stat, math.nan),
                cell.line,
                told.content,
                task,
                n_options=told.n_references if is_choice else 0,
                replicate=cell.trial,
                n_rows=cell.n_rows,
            )
        )
    return rows


def _choose_stat(
    cells: Sequence[Cell], name: str, task: str, path: Path, options: ReadOptions
) -> str:
    """The stat that is the score: the one named, or the only one of those known to be scores."""
    names = list(dict.fromkeys(stat for cell in cells for stat in cell.means))
    like = [stat for stat in names if not stat.startswith(_NO_SCORES)]
    wanted = options.metric_of(name) or options.metric_of(task)
    if wanted is None:
        scores = [stat for stat in KNOWN_SCORES if stat in names]
        if len(scores) == 1:
            return scores[0]
        raise InputError(
            f"{path}: of {len(names)} stats of '{name}' {len(like)} look like scores "
            f"({listed(like)}); name the one that is the score (metric)."
        )
    if wanted not in names:
        raise InputError(f"{path} has no metric '{wanted}'; it has {listed(like)}.")
    return wanted


def _instances(path: Path, content_field: str | None) -> dict[tuple[str, str], Told]:
    """What scenario_state.json says of instances, by id and perturbation ("" = the original).

    They are known by their input and references, or by one of them (`content_field`).
    """
    if content_field not in (None, *FIELDS):
        raise InputError(
            f"content_field '{content_field}' is no field of HELM's instances; they have "
            f"{', '.join(FIELDS)}."
        )
    found: dict[tuple[str, str], Told] = {}
    states = read_json(path, _State).request_states if path.is_file() else []
    for position, state in enumerate(states, start=1):
        given = state.instance
        if not isinstance(given.id, str):
            continue
        try:
            perturbation = _perturbation(given.perturbation)
        except BadRow as error:
            raise InputError(f"{path}, request {position}: the instance {error}.") from None
        key = (given.id, "" if perturbation == IDENTITY else perturbation)
        references = given.references if isinstance(given.references, list) else []
        content: dict[str, Any] = {
            "input": under(given.input, "text"),
            "references": [
                [under(one, "output", "text"), plain(one).get("tags") or []] for one in references
            ],
        }
        if content_field is not None:
            content = {content_field: content[content_field]}
        split = given.split if isinstance(given.split, str) else ""
        told = Told(fingerprint(content), len(references), split)
        if found.setdefault(key, told) != told:
            raise InputError(
                f"{path}, request {position}: instance '{given.id}' has two different documents."
            )
    return found


def _perturbation(given: Any) -> str:
    """A perturbation as part of an id: its name and what tells it from others of that name."""
    if given is None:
        return ""
    name = plain(given).get("name")
    if not isinstance(name, str) or not name:
        raise BadRow("has a perturbation without a name")
    if name == IDENTITY:
        return name
    classes = {"name", "robustness", "fairness", "computed_on"}
    rest = [f"{k}={v}" for k, v in sorted(given.items()) if k not in classes and v is not None]
    return ",".join([name, *rest])
