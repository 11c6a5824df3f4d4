"""Run folders of HELM: per_instance_stats.json and what stands beside it.

Source of the schema: helm/benchmark/metrics/metric.py, statistic.py and metric_name.py.

A run's task is its name in run_spec.json without what names the model (``model=…``,
``model_deployment=…``), followed by the instances' split: ``mmlu:subject=philosophy,split=test``.
The items of all its splits are one subtask.

There are no confidences: where each option was put to the model by itself, which tokens of a
request are the option depends on the model's tokenizer, which is not logged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mbnb.data.errors import InputError
from mbnb.logs.answers import BAD_ROW, Answers
from mbnb.logs.files import COMPANION, LOG, Format, Job, job
from mbnb.logs.helm_rows import Cell, read_cells, settle_splits, with_identities
from mbnb.logs.helm_scenario import Instances, instances
from mbnb.logs.json_rows import read_json
from mbnb.logs.options import ReadOptions
from mbnb.logs.replicates import OTHER_REPLICATE, one_answer_each
from mbnb.logs.typed_json import plain
from mbnb.logs.values import shortened

STATS = "per_instance_stats.json"
_BESIDE = {"run_spec.json", "scenario.json", "scenario_state.json", "stats.json"}
KNOWN_SCORES = (
    *("exact_match", "quasi_exact_match", "prefix_exact_match", "quasi_prefix_exact_match"),
)
# Beginnings of the names of stats that say how a request went, not how good the answer was.
_NO_SCORES = (
    *("num_", "finish_reason_", "training_", "inference_", "batch_size", "prompt_truncated"),
    *("max_prob", "logprob", "perplexity", "bits_per_byte", "logprob_per_byte", "predicted_index"),
    *("estimated_", "runtime", "denoised_"),
)
PERTURBED = "row of a perturbed instance (kept with perturbed)"
OTHER_SPLIT = "row of a split that was not asked for"


def _role(path: Path) -> str | None:
    if path.name == STATS:
        return LOG
    if path.name in _BESIDE and path.with_name(STATS).is_file():
        return COMPANION
    return None


def _jobs(paths: Sequence[Path], options: ReadOptions) -> list[Job]:
    specs = [_spec(path) for path in paths]
    wanted = [spec for spec in specs if _asked(spec.task, options)]
    if not wanted:
        there = ", ".join(sorted({spec.task for spec in specs}))
        raise InputError(
            f"no log is of task {', '.join(options.tasks)}; the tasks there are: {there}."
        )
    return [job(read_run, spec, options) for spec in wanted]


FORMAT = Format(
    "helm",
    "HELM run folders",
    _role,
    _jobs,
    frozenset({"replicates", "perturbed", "content_field"}),
)


@dataclass(frozen=True)
class Spec:
    """What run_spec.json says of a run."""

    path: Path
    model: str
    task: str
    choices: bool


def _spec(path: Path) -> Spec:
    beside = path.with_name("run_spec.json")
    if not beside.is_file():
        raise InputError(
            f"{path}: there is no run_spec.json beside it, which says the model and the task; "
            "allowed is a whole run folder."
        )
    spec = plain(read_json(beside))
    adapter = plain(spec.get("adapter_spec"))
    model, name = adapter.get("model"), spec.get("name")
    if not isinstance(model, str) or not model or not isinstance(name, str) or not name:
        raise InputError(f"{beside} holds no name, or no adapter_spec with a model, as text.")
    choices = str(adapter.get("method")).startswith("multiple_choice")
    return Spec(path, model, task_of(name), choices)


def task_of(name: str) -> str:
    """A run's name without what names the model; other arguments stay, in their order."""
    head, colon, rest = name.partition(":")
    named = ("model=", "model_deployment=")
    stay = [part for part in rest.split(",") if part and not part.startswith(named)]
    return head + colon + ",".join(stay) if stay else head


def _asked(task: str, options: ReadOptions) -> bool:
    """Whether a task is wanted, whole or by one of its splits."""
    return not options.tasks or any(
        name == task or name.startswith(f"{task},split=") or name.startswith(f"{task}:split=")
        for name in options.tasks
    )


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
    cells, n_read, n_bad = read_cells(spec.path, options)
    known = instances(spec.path.with_name("scenario_state.json"), options.content_field)
    settle_splits(cells, known, spec.path)
    cells = with_identities(cells)
    n_perturbed = 0
    if not options.perturbed:
        n_perturbed = sum(cell.n_rows for cell in cells if cell.perturbation)
        cells = [cell for cell in cells if not cell.perturbation]
    if not cells:
        raise InputError(
            f"{spec.path} holds no row of an instance that counts: {n_read:,} rows, of which "
            f"{n_perturbed:,} are perturbed and {n_bad:,} cannot be read."
        )
    found = sorted({cell.split for cell in cells})
    splits = [
        split
        for split in found
        if options.wants(spec.task) or options.wants(_with_split(spec.task, split))
    ]
    if not splits:
        raise InputError(
            f"{spec.path} has no split that was asked for ({', '.join(options.tasks)}); it has "
            f"{', '.join(_with_split(spec.task, split) for split in found)}."
        )
    unasked = sum(cell.n_rows for cell in cells if cell.split not in splits)
    dropped = {PERTURBED: n_perturbed, OTHER_SPLIT: unasked, BAD_ROW: n_bad}
    parts = []
    for split in splits:
        here = [cell for cell in cells if cell.split == split]
        parts.append(_answers(here, spec, split, known, options, dropped, tuple(splits)))
        dropped = {}
    assert sum(part.n_read for part in parts) == n_read
    return parts


def _answers(
    cells: Sequence[Cell],
    spec: Spec,
    split: str,
    known: Instances,
    options: ReadOptions,
    dropped: dict[str, int],
    splits: tuple[str, ...],
) -> Answers:
    task, path = _with_split(spec.task, split), spec.path
    stat = _choose_stat(cells, task, spec, options)
    for cell in cells:
        if stat in cell.twice:
            raise InputError(
                f"{path}: instance '{cell.item}', trial {cell.trial}, holds stat '{stat}' in row "
                f"{cell.line} and again in row {cell.twice[stat]}; allowed is one of each."
            )
    found = one_answer_each(
        [cell.item for cell in cells],
        [cell.trial for cell in cells],
        [cell.means.get(stat, np.nan) for cell in cells],
        [cell.n_rows for cell in cells],
        options.replicates,
        str(path),
        "trial",
    )
    kept = [cells[k] for k in found.first]
    told = [known.get((cell.instance, cell.perturbation)) for cell in kept]
    reasons = {**dropped, OTHER_REPLICATE: found.n_dropped}
    notes = found.note(task, options.replicates, "trial")
    if len(splits) > 1:
        notes.append(
            f"{spec.task} holds items of {len(splits)} splits ({', '.join(splits)}); each is a "
            "task of its own, so that one of them can be read alone (tasks)."
        )
    if not any(told):
        notes.append(
            f"{task}: there is no scenario_state.json beside some logs, so it was not checked "
            "that an instance id means the same item there; HELM's ids differ between limits and "
            "versions."
        )
    expected = sum(one.split == split for key, one in known.items() if not key[1])
    return Answers(
        model=spec.model,
        task=task,
        source=str(path),
        ids=[cell.item for cell in kept],
        scores=found.scores,
        n_read=int(found.rows.sum()) + sum(reasons.values()),
        rows=found.rows,
        dropped={reason: n for reason, n in reasons.items() if n},
        contents=[one.content if one else "" for one in told],
        subtasks=[spec.task] * len(kept),
        n_options=np.array(
            [one.n_references if one and spec.choices else 0 for one in told], dtype=np.int64
        ),
        lines=np.array([cell.line for cell in kept], dtype=np.int64),
        metric=stat,
        expected=expected or None,
        notes=tuple(notes),
    )


def _choose_stat(cells: Sequence[Cell], task: str, spec: Spec, options: ReadOptions) -> str:
    """The stat that is the score: the one named, or the only one of those known to be scores."""
    names = list(dict.fromkeys(name for cell in cells for name in cell.means))
    like = [name for name in names if not name.startswith(_NO_SCORES)]
    listed = ", ".join(map(shortened, like)) or "none that looks like a score"
    wanted = options.metric_of(task) or options.metric_of(spec.task)
    if wanted is None:
        scores = [name for name in KNOWN_SCORES if name in names]
        if len(scores) == 1:
            return scores[0]
        raise InputError(
            f"{spec.path}: of {len(names)} stats of '{task}' {len(like)} look like scores "
            f"({listed}); name the one that is the score (metric)."
        )
    if wanted not in names:
        raise InputError(f"{spec.path} has no metric '{wanted}'; it has {listed}.")
    return wanted
