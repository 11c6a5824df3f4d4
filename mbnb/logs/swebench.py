"""Results of SWE-bench runs: lists of resolved instances, or details of each.

Layouts: ``<run>/results/results.json``, which names the resolved instances only, so that the ids of
all have to be given, and ``<run>/per_instance_details.json``, which holds every instance. A model
is called what ``metadata.yaml`` (or ``.yml``) of its run says under ``info.name``, else what its
run's folder is called.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from mbnb.data.errors import InputError
from mbnb.logs.answers import Answers
from mbnb.logs.files import COMPANION, LOG, Format, Job, beginning, job
from mbnb.logs.json_rows import read_json
from mbnb.logs.options import ReadOptions
from mbnb.logs.values import shortened

TASK = "swe-bench"
REPEATED = "instance that stands in the list of resolved ones again"
_RESULTS, _DETAILS = "results.json", "per_instance_details.json"
_METADATA = ("metadata.yaml", "metadata.yml")
# Further lists of instances that boards of several years hold.
_LISTS = (
    "no_generation",
    "no_logs",
    "generated",
    "with_logs",
    "applied",
    "install_fail",
    "reset_failed",
    "no_apply",
    "test_errored",
    "test_timeout",
)
_METADATA_LIMIT = 100_000


def _role(path: Path) -> str | None:
    if path.name == _DETAILS and b'"resolved"' in beginning(path):
        return LOG
    if path.name == _RESULTS and path.absolute().parent.name == "results":
        start = beginning(path, 1 << 20)
        return LOG if b'"resolved"' in start or b'"no_generation"' in start else None
    if path.name in _METADATA:
        run = path.parent
        if (run / _DETAILS).is_file() or (run / "results" / _RESULTS).is_file():
            return COMPANION
    return None


def _jobs(paths: Sequence[Path], options: ReadOptions) -> list[Job]:
    if not options.wants(TASK):
        raise InputError(
            f"no log is of task {', '.join(options.tasks)}; the tasks there are: {TASK}."
        )
    if options.items is not None:
        twice = [item for item, n in Counter(options.items).items() if n > 1]
        if not options.items or twice:
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
    notes: list[str] = []
    if path.name == _DETAILS:
        ids, scores = _details(path, held, options)
        n_repeated = 0
    else:
        ids, scores, n_repeated, notes = _lists(path, held, options)
    run = path.absolute().parent
    run = run.parent if path.name == _RESULTS else run
    model = _model(run)
    return [
        Answers(
            model=model,
            task=TASK,
            source=str(path),
            ids=ids,
            scores=np.array(scores, dtype=float),
            n_read=len(ids) + n_repeated,
            dropped={REPEATED: n_repeated} if n_repeated else {},
            subtasks=[repository(item) for item in ids],
            metric="resolved",
            # Folders begin with the date of the run, so that they sort as runs do.
            run=run.name,
            expected=len(options.items) if options.items else None,
            notes=tuple(f"{model}: {note}" for note in notes),
        )
    ]


def repository(instance: str) -> str:
    """Repository of an instance: ``astropy__astropy-12907`` is of ``astropy/astropy``."""
    name, dash, number = instance.rpartition("-")
    owner, mark, rest = name.partition("__")
    if not (dash and number.isdecimal() and owner and mark and rest):
        return TASK
    return f"{owner}/{rest}"


def _details(
    path: Path, held: dict[str, Any], options: ReadOptions
) -> tuple[list[str], list[float]]:
    if not held:
        raise InputError(f"{path} holds no instance.")
    known = None if options.items is None else set(options.items)
    scores = []
    for instance, entry in held.items():
        resolved = entry.get("resolved") if isinstance(entry, dict) else None
        if type(resolved) is not bool and not (
            resolved is None and isinstance(entry, dict) and "resolved" in entry
        ):
            raise InputError(
                f"{path}: instance '{shortened(instance)}' does not say whether it is resolved; "
                "allowed are true, false, and null where it was not judged."
            )
        if known is not None and instance not in known:
            raise _unknown(path, instance, "the file", len(known))
        scores.append(float("nan") if resolved is None else float(resolved))
    return list(held), scores


def _lists(
    path: Path, held: dict[str, Any], options: ReadOptions
) -> tuple[list[str], list[float], int, list[str]]:
    if "resolved" not in held:
        raise InputError(f"{path} has no list 'resolved'.")
    if options.items is None:
        raise InputError(
            f"{path} names the resolved instances only, so what a model did not solve cannot be "
            "seen in it; give the ids of all items (items), such as the 500 of SWE-bench Verified."
        )
    known = set(options.items)
    lists: dict[str, list[str]] = {}
    for name in ("resolved", *_LISTS):
        if name not in held:
            continue
        listed = held[name]
        if not isinstance(listed, list) or not all(isinstance(item, str) for item in listed):
            raise InputError(f"{path}: '{name}' is not a list of instances' ids.")
        for item in listed:
            if item not in known:
                raise _unknown(path, item, f"the list '{name}'", len(known))
        lists[name] = listed
    resolved = set(lists["resolved"])
    both = sorted(resolved & set(lists.get("no_generation", ())))
    if both:
        raise InputError(
            f"{path}: instance '{shortened(both[0])}' is among the resolved ones and among those "
            f"without a generation ({len(both)} are); it can be one only."
        )
    notes = []
    for name in ("resolved", "no_generation"):
        again = len(lists.get(name, ())) - len(set(lists.get(name, ())))
        if again:
            notes.append(f"{again} ids stand in the list '{name}' again; each counts once.")
    ids = list(options.items)
    n_repeated = len(lists["resolved"]) - len(resolved)
    return ids, [float(item in resolved) for item in ids], n_repeated, notes


def _unknown(path: Path, instance: str, where: str, n_known: int) -> InputError:
    return InputError(
        f"{path}: {where} names '{shortened(instance)}', which is none of the {n_known:,} ids "
        "given (items); is it of another split of the benchmark?"
    )


def _model(run: Path) -> str:
    """The name that a run's metadata give, or the run's folder."""
    there = [run / name for name in _METADATA if (run / name).is_file()]
    if len(there) > 1:
        raise InputError(f"{there[0]} and {there[1]} both describe the run; keep one of them.")
    for path in there:
        name = _named(path)
        if name:
            return name
    return run.name


def _named(path: Path) -> str | None:
    if path.stat().st_size > _METADATA_LIMIT:
        raise InputError(f"{path} is longer than metadata of a run can be.")
    try:
        # With this loader all stays text: no object is made, and a name such as 1e5 is kept.
        held = yaml.load(path.read_text("utf-8-sig"), Loader=yaml.BaseLoader)
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8 text; save it as UTF-8.") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{path}, line {mark.line + 1}," if mark else str(path)
        problem = getattr(error, "problem", None) or type(error).__name__
        raise InputError(f"{where} is no proper YAML ({shortened(str(problem))}).") from None
    info = held.get("info") if isinstance(held, dict) else None
    name = info.get("name") if isinstance(info, dict) else None
    if isinstance(name, str) and name.strip() and name.strip().lower() not in ("null", "~"):
        return name.strip()
    return None
