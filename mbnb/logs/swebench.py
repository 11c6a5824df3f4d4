"""Results of SWE-bench runs, which say of each instance whether the model resolved it.

Three layouts: ``<run>/results/results.json`` of the leaderboard names the resolved instances only,
so that the ids of all have to be given; ``<run>/per_instance_details.json`` holds every instance;
and the harness writes ``<model>.<run>.json`` with the ids that were submitted and resolved. On the
leaderboard a model is called what ``metadata.yaml`` (or ``.yml``) says under ``info.name``, else
what its run's folder is called.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from mbnb.data.errors import InputError
from mbnb.logs.answers import Answers
from mbnb.logs.files import COMPANION, LOG, Format, Job, beginning, job
from mbnb.logs.json_rows import read_json
from mbnb.logs.options import ReadOptions
from mbnb.logs.values import model_of_folder, shortened

TASK = "swe-bench"
REPEATED = "instance that stands in the list of resolved ones again"
_RESULTS, _DETAILS = "results.json", "per_instance_details.json"
_METADATA = ("metadata.yaml", "metadata.yml")
# Further lists of instances that leaderboards of several years hold.
_LISTS = (
    *("no_generation", "no_logs", "generated", "with_logs", "applied", "install_fail"),
    *("reset_failed", "no_apply", "test_errored", "test_timeout"),
)


def _role(path: Path) -> str | None:
    if path.name in _METADATA:
        beside = (path.with_name(_DETAILS), path.parent / "results" / _RESULTS)
        return COMPANION if any(place.is_file() for place in beside) else None
    if path.name == _DETAILS:
        marks = [b'"resolved"']
    elif path.name == _RESULTS and path.absolute().parent.name == "results":
        marks = [b'"resolved"', b'"no_generation"']
    elif re.fullmatch(r".+\..+\.json", path.name):
        marks = [b'"submitted_instances"']
    else:
        return None
    start = beginning(path, 1 << 20 if path.name == _RESULTS else 4096)
    return LOG if any(mark in start for mark in marks) else None


def _jobs(paths: Sequence[Path], options: ReadOptions) -> list[Job]:
    if not options.wants(TASK):
        raise InputError(
            f"no log is of task {', '.join(options.tasks)}; the tasks there are: {TASK}."
        )
    items = options.items
    if items is not None and (not items or len(set(items)) < len(items)):
        twice = [item for item in items if items.count(item) > 1]
        fault = f"hold '{shortened(twice[0])}' more than once" if twice else "are none"
        raise InputError(f"the ids of all items (items) {fault}; give each item's id once.")
    return [job(read_run, path, options) for path in paths]


FORMAT = Format(TASK, "SWE-bench results", _role, _jobs, frozenset({"items"}))


def read_run(path: Path, options: ReadOptions) -> list[Answers]:
    """Answers of one run.

    Raises
    ------
    InputError
        If the ids of all instances are needed and were not given, an id is none of them, or the
        file contradicts itself.
    """
    if options.metric_of(TASK) not in (None, "resolved"):
        raise InputError(f"{path} has no metric '{options.metric_of(TASK)}'; it has resolved.")
    held = read_json(path)
    if not isinstance(held, dict):
        raise InputError(f"{path} is not a JSON object.")
    n_repeated = 0
    folder = path.absolute().parent
    if path.name == _RESULTS:
        scores, n_repeated = _results(path, held, options.items)
        folder = folder.parent
        model, run = _model(folder), folder.name
    elif path.name == _DETAILS:
        scores = _details(path, held)
        model, run = _model(folder), folder.name
    else:
        scores = _report(path, held, options.items)
        name, _, run = path.stem.rpartition(".")
        model = model_of_folder(name)
    _check_known(path, scores, options.items)
    return [
        Answers(
            model=model,
            task=TASK,
            source=str(path),
            ids=list(scores),
            scores=np.array(list(scores.values()), dtype=float),
            n_read=len(scores) + n_repeated,
            dropped={REPEATED: n_repeated} if n_repeated else {},
            subtasks=[repository(item) for item in scores],
            metric="resolved",
            # Folders begin with the date of the run, so that they sort as runs do.
            run=run,
            expected=len(options.items) if options.items else None,
        )
    ]


def repository(instance: str) -> str:
    """Repository of an instance: ``astropy__astropy-12907`` is of ``astropy/astropy``."""
    parts = re.fullmatch(r"(.+?)__(.+)-\d+", instance)
    return f"{parts[1]}/{parts[2]}" if parts else TASK


def _details(path: Path, held: dict[str, Any]) -> dict[str, float]:
    if not held:
        raise InputError(f"{path} holds no instance.")
    scores = {}
    for instance, entry in held.items():
        resolved = entry.get("resolved", "nothing") if isinstance(entry, dict) else "nothing"
        if resolved is not None and not isinstance(resolved, bool):
            raise InputError(
                f"{path}: instance '{shortened(instance)}' does not say whether it is resolved; "
                "allowed are true, false, and null where it was not judged."
            )
        scores[instance] = np.nan if resolved is None else float(resolved)
    return scores


def _results(
    path: Path, held: dict[str, Any], items: tuple[str, ...] | None
) -> tuple[dict[str, float], int]:
    """Scores, and how many ids of resolved instances stand there again."""
    listed = _ids(path, held, "resolved")
    if items is None:
        raise InputError(
            f"{path} names the resolved instances only, so what a model did not solve cannot be "
            "seen in it; give the ids of all items (items), such as the 500 of SWE-bench Verified."
        )
    for name in ("resolved", *(name for name in _LISTS if name in held)):
        _check_known(path, _ids(path, held, name), items)
    resolved = set(listed)
    both = sorted(resolved.intersection(held.get("no_generation", ())))
    if both:
        raise InputError(
            f"{path}: instance '{shortened(both[0])}' is among the resolved ones and among those "
            f"without a generation ({len(both)} are); it can be one only."
        )
    return {item: float(item in resolved) for item in items}, len(listed) - len(resolved)


def _report(path: Path, held: dict[str, Any], items: tuple[str, ...] | None) -> dict[str, float]:
    """What was submitted and not resolved is wrong; what was not submitted is missing."""
    submitted, resolved = _ids(path, held, "submitted_ids"), _ids(path, held, "resolved_ids")
    others = _ids(path, held, "incomplete_ids") if "incomplete_ids" in held else []
    listed = [*submitted, *others]
    if not listed:
        raise InputError(f"{path} holds no instance.")
    scores = dict.fromkeys([*others, *(items or ())], np.nan) | dict.fromkeys(submitted, 0.0)
    if len(set(listed)) < len(listed):
        twice = next(item for item in listed if listed.count(item) > 1)
        raise InputError(
            f"{path}: instance '{shortened(twice)}' stands more than once among those submitted "
            "and those left incomplete."
        )
    for item in set(resolved):
        if scores.get(item) != 0:
            raise InputError(f"{path}: '{shortened(item)}' was resolved, but not submitted.")
        scores[item] = 1.0
    return scores


def _ids(path: Path, held: dict[str, Any], name: str) -> list[str]:
    listed = held.get(name)
    if not isinstance(listed, list) or not all(isinstance(item, str) for item in listed):
        raise InputError(f"{path} should hold a list '{name}' of instances' ids.")
    return listed


def _check_known(path: Path, ids: Iterable[str], items: tuple[str, ...] | None) -> None:
    known = set(items or ())
    unknown = [item for item in ids if item not in known]
    if known and unknown:
        raise InputError(
            f"{path} names '{shortened(unknown[0])}', none of the {len(known):,} ids given "
            "(items); is it of another split of the benchmark?"
        )


def _model(run: Path) -> str:
    """The name that a run's metadata give, or the run's folder."""
    there = [run / name for name in _METADATA if (run / name).is_file()]
    if not there:
        return run.name
    if len(there) > 1:
        raise InputError(f"{there[0]} and {there[1]} both describe the run; keep one of them.")
    try:
        # With this loader all stays text: no object is made, and a name such as 1e5 is kept.
        held = yaml.load(there[0].read_text("utf-8-sig"), Loader=yaml.BaseLoader)
    except (OSError, yaml.YAMLError, ValueError, RecursionError) as error:
        fault = shortened(str(error), 120)
        raise InputError(f"{there[0]} cannot be read as YAML in UTF-8 ({fault}).") from None
    info = held.get("info") if isinstance(held, dict) else None
    name = info.get("name") if isinstance(info, dict) else None
    named = name.strip() if isinstance(name, str) else ""
    return named if named.lower() not in ("", "null", "~") else run.name
