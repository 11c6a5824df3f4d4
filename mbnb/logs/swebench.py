"""Results of SWE-bench runs: lists of resolved instances, or details of each.

Layouts: ``<run>/results/results.json``, which names the resolved instances only, so that the ids of
all have to be given, and ``<run>/per_instance_details.json``, which holds every instance. A model
is called what ``metadata.yaml`` (or ``.yml``) of its run says under ``info.name``, else what its
run's folder is called.
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import yaml

from mbnb.data.errors import InputError
from mbnb.logs.answers import Answers
from mbnb.logs.files import COMPANION, LOG, Format, beginning, by_file
from mbnb.logs.json_rows import read_json, under
from mbnb.logs.options import ReadOptions
from mbnb.logs.rows import Row, answers_of
from mbnb.logs.values import shortened

TASK = "swe-bench"
REPEATED = "instance that stands in the list of resolved ones again"
_RESULTS, _DETAILS = "results.json", "per_instance_details.json"
_METADATA = ("metadata.yaml", "metadata.yml")
# Further lists of instances that boards of several years hold.
_LISTS = (
    *("no_generation", "no_logs", "generated", "with_logs", "applied", "install_fail"),
    *("reset_failed", "no_apply", "test_errored", "test_timeout"),
)
_METADATA_LIMIT = 100_000


def _role(path: Path) -> str | None:
    if path.name == _DETAILS and b'"resolved"' in beginning(path):
        return LOG
    if path.name == _RESULTS and path.absolute().parent.name == "results":
        start = beginning(path, 1 << 20)
        return LOG if b'"resolved"' in start or b'"no_generation"' in start else None
    run = path.parent
    if path.name in _METADATA and (
        (run / _DETAILS).is_file() or (run / "results" / _RESULTS).is_file()
    ):
        return COMPANION
    return None


def _task(path: Path, options: ReadOptions) -> str:
    return TASK


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
    if not isinstance(held, dict) or not held:
        raise InputError(f"{path} is not a JSON object, or one that holds nothing.")
    items = options.items
    if items is not None and (not items or len(set(items)) < len(items)):
        twice = next((item for item in items if items.count(item) > 1), None)
        fault = f"hold '{shortened(twice)}' more than once" if twice else "are none"
        raise InputError(f"the ids of all items (items) {fault}; give each item's id once.")
    notes: list[str] = []
    n_repeated = 0
    if path.name == _DETAILS:
        scores = {item: _resolved(path, item, entry) for item, entry in held.items()}
        _check_known(path, list(held), "the file", items)
        run = path.absolute().parent
    else:
        lists = _lists(path, held, items)
        for name in ("resolved", "no_generation"):
            again = len(lists.get(name, ())) - len(set(lists.get(name, ())))
            if again:
                notes.append(f"{again} ids stand in the list '{name}' again; each counts once.")
        resolved = set(lists["resolved"])
        n_repeated = len(lists["resolved"]) - len(resolved)
        scores = {item: float(item in resolved) for item in items or ()}
        run = path.absolute().parent.parent
    model = _model(run)
    rows = [
        Row(item, score, position, "", repository(item))
        for position, (item, score) in enumerate(scores.items(), start=1)
    ]
    return [
        answers_of(
            rows,
            {REPEATED: n_repeated},
            model=model,
            task=TASK,
            source=str(path),
            metric="resolved",
            # Folders begin with the date of the run, so that they sort as runs do.
            run=run.name,
            expected=len(items) if items else None,
            notes=tuple(f"{model}: {note}" for note in notes),
        )
    ]


FORMAT = Format(TASK, "SWE-bench results", _role, by_file(read_run, _task), frozenset({"items"}))


def repository(instance: str) -> str:
    """Repository of an instance: ``astropy__astropy-12907`` is of ``astropy/astropy``."""
    match = re.fullmatch(r"(.+?)__(.+)-\d+", instance)
    return f"{match[1]}/{match[2]}" if match else TASK


def _resolved(path: Path, instance: str, entry: Any) -> float:
    resolved = under(entry, "resolved")
    if type(resolved) is bool:
        return float(resolved)
    if isinstance(entry, dict) and "resolved" in entry and resolved is None:
        return math.nan
    raise InputError(
        f"{path}: instance '{shortened(instance)}' does not say whether it is resolved; allowed "
        "are true, false, and null where it was not judged."
    )


def _lists(path: Path, held: dict[str, Any], items: tuple[str, ...] | None) -> dict[str, list[str]]:
    """The lists of a run's instances, all of them known ids."""
    if "resolved" not in held:
        raise InputError(f"{path} has no list 'resolved'.")
    if items is None:
        raise InputError(
            f"{path} names the resolved instances only, so what a model did not solve cannot be "
            "seen in it; give the ids of all items (items), such as the 500 of SWE-bench Verified."
        )
    lists = {name: held[name] for name in ("resolved", *_LISTS) if name in held}
    for name, listed in lists.items():
        if not isinstance(listed, list) or not all(isinstance(item, str) for item in listed):
            raise InputError(f"{path}: '{name}' is not a list of instances' ids.")
        _check_known(path, listed, f"the list '{name}'", items)
    both = sorted(set(lists["resolved"]) & set(lists.get("no_generation", ())))
    if both:
        raise InputError(
            f"{path}: instance '{shortened(both[0])}' is among the resolved ones and among those "
            f"without a generation ({len(both)} are); it can be one only."
        )
    return lists


def _check_known(path: Path, listed: list[str], where: str, items: tuple[str, ...] | None) -> None:
    known = set(listed if items is None else items)
    unknown = next((item for item in listed if item not in known), None)
    if unknown is not None:
        raise InputError(
            f"{path}: {where} names '{shortened(unknown)}', which is none of the {len(known):,} "
            "ids given (items); is it of another split of the benchmark?"
        )


def _model(run: Path) -> str:
    """The name that a run's metadata give, or the run's folder."""
    there = [run / name for name in _METADATA if (run / name).is_file()]
    if len(there) > 1:
        raise InputError(f"{there[0]} and {there[1]} both describe the run; keep one of them.")
    if not there:
        return run.name
    [path] = there
    if path.stat().st_size > _METADATA_LIMIT:
        raise InputError(f"{path} is longer than metadata of a run can be.")
    try:
        # With this loader all stays text: no object is made, and a name such as 1e5 is kept.
        held = yaml.load(path.read_text("utf-8-sig"), Loader=yaml.BaseLoader)
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8 text; save it as UTF-8.") from None
    except (OSError, yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{path}, line {mark.line + 1}," if mark else str(path)
        problem = getattr(error, "problem", None) or type(error).__name__
        raise InputError(f"{where} is no proper YAML ({shortened(str(problem))}).") from None
    name = under(held, "info", "name")
    if not isinstance(name, str) or name.strip().lower() in ("", "null", "~"):
        return run.name
    return name.strip()
