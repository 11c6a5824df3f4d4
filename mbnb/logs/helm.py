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
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec

from mbnb.data.errors import InputError
from mbnb.logs.answers import BAD_ROW, Answers
from mbnb.logs.files import COMPANION, LOG, Format, Job, job, no_task
from mbnb.logs.json_rows import BadRow, decode, plain, read_json, under
from mbnb.logs.metrics import listed
from mbnb.logs.options import ReadOptions
from mbnb.logs.rows import OTHER_REPLICATE, Row, answers_of, count_bad, each, one_answer_each
from mbnb.logs.values import fingerprint

STATS = "per_instance_stats.json"
_BESIDE = {"run_spec.json", "scenario.json", "scenario_state.json", "stats.json"}
_SCORES = ("exact_match", "quasi_exact_match", "prefix_exact_match", "quasi_prefix_exact_match")
# Beginnings of the names of stats that say how a request went, not how good the answer was.
_NO_SCORES = (
    *("num_", "finish_reason_", "training_", "inference_", "batch_size", "prompt_truncated"),
    *("max_prob", "logprob", "perplexity", "bits_per_byte", "logprob_per_byte", "predicted_index"),
    *("estimated_", "runtime", "denoised_"),
)
PERTURBED = "row of a perturbed instance (kept with perturbed)"
OTHER_SPLIT = "row of a split that was not asked for"
# The perturbation that changes nothing.
_IDENTITY = "identity"
_CONTENT_FIELDS = ("input", "references")

_Text = Annotated[str, msgspec.Meta(min_length=1)]


class _Adapter(msgspec.Struct):
    model: _Text
    method: str = ""


class _RunSpec(msgspec.Struct):
    name: _Text
    adapter_spec: _Adapter


class _Name(msgspec.Struct):
    name: str
    split: str | None = None


class _Stat(msgspec.Struct):
    name: _Name
    mean: float | None = None


class _Row(msgspec.Struct):
    instance_id: _Text
    stats: list[_Stat]
    train_trial_index: int = 0
    perturbation: dict[str, Any] | None = None


class _Instance(msgspec.Struct):
    id: str | None = None
    input: Any = None
    references: list[Any] | None = None
    split: str | None = None
    perturbation: dict[str, Any] | None = None


class _Request(msgspec.Struct):
    instance: _Instance


class _State(msgspec.Struct):
    request_states: list[_Request]


class Spec(NamedTuple):
    """What run_spec.json says of a run."""

    path: Path
    model: str
    task: str
    choices: bool


class Key(NamedTuple):
    """What one model answers once: an instance, in one trial, perturbed or not ("")."""

    instance: str
    trial: int
    perturbation: str

    @property
    def item(self) -> str:
        return f"{self.instance},{self.perturbation}" if self.perturbation else self.instance


@dataclass
class Cell:
    """All rows of one key: the first one's line, the stats, and where one stands again."""

    line: int
    n_rows: int = 0
    means: dict[str, float] = field(default_factory=dict)
    twice: dict[str, int] = field(default_factory=dict)


class Told(NamedTuple):
    """What scenario_state.json says of an instance."""

    content: str
    n_references: int
    split: str


Instances = dict[tuple[str, str], Told]


def _role(path: Path) -> str | None:
    if path.name == STATS:
        return LOG
    if path.name in _BESIDE and path.with_name(STATS).is_file():
        return COMPANION
    return None


def _jobs(paths: Sequence[Path], options: ReadOptions) -> list[Job]:
    specs = []
    for path in paths:
        beside = path.with_name("run_spec.json")
        if not beside.is_file():
            raise InputError(
                f"{path}: there is no run_spec.json beside it, which says the model and the task; "
                "allowed is a whole run folder."
            )
        held = read_json(beside, _RunSpec)
        adapter = held.adapter_spec
        choices = adapter.method.startswith("multiple_choice")
        specs.append(Spec(path, adapter.model, task_of(held.name), choices))
    # A task may be asked for whole or by one of its splits.
    asked = {name.rpartition("split=")[0][:-1] for name in options.tasks} | set(options.tasks)
    wanted = [spec for spec in specs if not asked or spec.task in asked]
    if not wanted:
        no_task(options, (spec.task for spec in specs))
    return [job(read_run, spec, options) for spec in wanted]


_OPTIONS = frozenset({"replicates", "perturbed", "content_field"})
FORMAT = Format("helm", "HELM run folders", _role, _jobs, _OPTIONS)


def task_of(name: str) -> str:
    """A run's name without what names the model; other arguments stay, in their order."""
    head, colon, rest = name.partition(":")
    named = ("model=", "model_deployment=")
    stay = [part for part in rest.split(",") if part and not part.startswith(named)]
    return head + colon + ",".join(stay) if stay else head


def _with_split(task: str, split: str) -> str:
    return f"{task}{',' if ':' in task else ':'}split={split}" if split else task


def read_run(spec: Spec, options: ReadOptions) -> list[Answers]:
    """Answers of one run, one part for each split.

    Raises
    ------
    InputError
        If a row cannot be read (and that is not to be skipped), the metric or what to do with
        several trials has to be named, a stat stands repeatedly, or a split is not there.
    """
    path = spec.path
    cells, splits, n_bad = _read_cells(path, options)
    known = _instances(path.with_name("scenario_state.json"), options.content_field)
    _merge_identities(cells)
    dropped = Counter({BAD_ROW: n_bad})
    if not options.perturbed:
        for key in [key for key in cells if key.perturbation]:
            dropped[PERTURBED] += cells.pop(key).n_rows
    if not cells:
        raise InputError(
            f"{path} holds no row of an instance that counts; {dropped[PERTURBED]:,} are of "
            f"perturbed ones, and {n_bad:,} cannot be read."
        )
    # Rows without stats name no split; the instance's scenario may, or there is only one.
    named = set(splits.values())
    only = min(named) if len(named) == 1 else ""
    splits = {key[0]: told.split for key, told in known.items() if not key[1]} | splits
    parts: dict[str, dict[Key, Cell]] = {}
    for key, cell in cells.items():
        task = _with_split(spec.task, splits.get(key.instance) or only)
        parts.setdefault(task, {})[key] = cell
    wanted = [task for task in sorted(parts) if options.wants(spec.task) or options.wants(task)]
    if not wanted:
        raise InputError(
            f"{path} has no split that was asked for ({', '.join(options.tasks)}); it has "
            f"{', '.join(sorted(parts))}."
        )
    for task in parts.keys() - set(wanted):
        dropped[OTHER_SPLIT] += sum(cell.n_rows for cell in parts[task].values())
    return [
        _answers(parts[task], spec, task, known, options, Counter() if k else dropped)
        for k, task in enumerate(wanted)
    ]


def _read_cells(path: Path, options: ReadOptions) -> tuple[dict[Key, Cell], dict[str, str], int]:
    """Rows merged by their keys, splits of instances, and how many rows cannot be read."""
    cells: dict[Key, Cell] = {}
    splits: dict[str, str] = {}

    def add(line: int, data: msgspec.Raw) -> None:
        row = decode(bytes(data), _Row)
        key = Key(row.instance_id, row.train_trial_index, _perturbation_id(row.perturbation))
        named = {stat.name.split for stat in row.stats} | {splits.get(key.instance)}
        found = sorted(split for split in named if split)
        if len(found) > 1:
            raise BadRow(f"is of an instance that has several splits ({', '.join(found)})")
        if found:
            splits[key.instance] = found[0]
        cell = cells.setdefault(key, Cell(line))
        cell.n_rows += 1
        for stat in row.stats:
            if stat.mean is not None:
                if stat.name.name in cell.means:
                    cell.twice[stat.name.name] = line
                cell.means[stat.name.name] = stat.mean

    raw = enumerate(read_json(path, list[msgspec.Raw]), start=1)
    n_bad = count_bad(each(raw, add), path, options, "row ")
    return cells, splits, n_bad


def _merge_identities(cells: dict[Key, Cell]) -> None:
    """Make identity perturbations the original, unless that holds the same stats already."""
    for key in [key for key in cells if key.perturbation == _IDENTITY]:
        cell = cells[key]
        original = cells.setdefault(key._replace(perturbation=""), Cell(cell.line))
        if not original.means.keys() & cell.means.keys():
            original.n_rows += cell.n_rows
            original.means |= cell.means
            original.twice |= cell.twice
            del cells[key]


def _perturbation_id(given: dict[str, Any] | None) -> str:
    """A perturbation as part of an id: its name and what tells it from others of that name."""
    if given is None:
        return ""
    name = given.get("name")
    if not isinstance(name, str) or not name:
        raise BadRow("has a perturbation without a name")
    if name == _IDENTITY:
        return name
    classes = {"name", "robustness", "fairness", "computed_on"}
    rest = [f"{k}={v}" for k, v in sorted(given.items()) if k not in classes and v is not None]
    return ",".join([name, *rest])


def _instances(path: Path, content_field: str | None) -> Instances:
    """What is told of instances, by id and perturbation; nothing where the file is not there."""
    if content_field not in (None, *_CONTENT_FIELDS):
        raise InputError(
            f"content_field '{content_field}' is no field of HELM's instances; they have "
            f"{', '.join(_CONTENT_FIELDS)}."
        )
    found: Instances = {}
    requests = read_json(path, _State).request_states if path.is_file() else []
    for position, request in enumerate(requests, start=1):
        given = request.instance
        if given.id is None:
            continue
        try:
            perturbation = _perturbation_id(given.perturbation)
        except BadRow as error:
            raise InputError(f"{path}, request {position}: the instance {error}.") from None
        references = given.references or []
        content: dict[str, Any] = {
            "input": under(given.input, "text"),
            "references": [
                [under(one, "output", "text"), plain(one).get("tags") or []] for one in references
            ],
        }
        if content_field is not None:
            content = {content_field: content[content_field]}
        told = Told(fingerprint(content), len(references), given.split or "")
        key = (given.id, "" if perturbation == _IDENTITY else perturbation)
        if found.setdefault(key, told) != told:
            raise InputError(
                f"{path}, request {position}: instance '{given.id}' has two different documents."
            )
    return found


def _answers(
    cells: dict[Key, Cell],
    spec: Spec,
    task: str,
    known: Instances,
    options: ReadOptions,
    dropped: Counter[str],
) -> Answers:
    path = spec.path
    stat = _choose_stat(cells, task, spec, options)
    rows = []
    for key, cell in cells.items():
        if stat in cell.twice:
            raise InputError(
                f"{path}: instance '{key.item}', trial {key.trial}, holds stat '{stat}' in row "
                f"{cell.line} and again in row {cell.twice[stat]}; allowed is one of each."
            )
        told = known.get((key.instance, key.perturbation)) or Told("", 0, "")
        row = Row(key.item, cell.means.get(stat, math.nan), cell.line, told.content, spec.task)
        row.n_options = told.n_references if spec.choices else 0
        row.replicate, row.n_rows = key.trial, cell.n_rows
        rows.append(row)
    rows, dropped[OTHER_REPLICATE], notes = one_answer_each(rows, options, path, task, "trial")
    if not any(row.content for row in rows):
        notes.append(
            f"{task}: there is no scenario_state.json beside some logs, so it was not checked "
            "that an instance id means the same item there; HELM's ids differ between limits and "
            "versions."
        )
    whole = [_with_split(spec.task, one.split) for key, one in known.items() if not key[1]]
    return answers_of(
        rows,
        dropped,
        model=spec.model,
        task=task,
        source=str(path),
        metric=stat,
        expected=whole.count(task) or None,
        notes=tuple(notes),
    )


def _choose_stat(cells: dict[Key, Cell], task: str, spec: Spec, options: ReadOptions) -> str:
    """The stat that is the score: the one named, or the only one of those known to be scores."""
    names = list(dict.fromkeys(name for cell in cells.values() for name in cell.means))
    wanted = options.metric_of(task) or options.metric_of(spec.task)
    if wanted in names:
        return wanted
    scores = [name for name in _SCORES if name in names]
    if wanted is None and len(scores) == 1:
        return scores[0]
    like = [name for name in names if not name.startswith(_NO_SCORES)]
    fault = f"has no metric '{wanted}'" if wanted else "needs the score named (metric)"
    raise InputError(f"{spec.path} {fault}; it has {listed(like)}.")
