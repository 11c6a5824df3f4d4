"""The page that tells when and how each chapter was executed; executes none."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from typing import Any

from mbnb.book.cache import LIBRARIES, versions
from mbnb.book.chapters import FOLDER

UNKNOWN = "not recorded"


def executions_text(runs: Mapping[str, Mapping[str, Any]]) -> str:
    """A table with a row for each chapter, and the versions that all of them ran with.

    Parameters
    ----------
    runs : mapping
        By chapter: ``seconds``, ``finished`` (UTC, to the minute), ``workers`` and ``parameters``
        set from outside; empty where nothing was recorded.
    """
    header = ["| Chapter | Seconds | Finished (UTC) | Processes | Set for this edition |"]
    rows = [*header, "|---|--:|---|--:|---|", *(_row(name, run) for name, run in runs.items())]
    known = [run["seconds"] for run in runs.values() if run]
    libraries = [f"{name} {version}" for name, version in versions(LIBRARIES).items()]
    total = (
        f"Together the chapters ran for {_span(sum(known))}; one that finds its trials kept from "
        "an earlier run is quick."
    )
    # A chapter is executed anew when a version changes, so these are every chapter's.
    with_what = f"All ran with Python {platform.python_version()}, {', '.join(libraries)}."
    return "\n".join([*rows, "", *([total] if known else []), with_what])


def _row(name: str, run: Mapping[str, Any]) -> str:
    link = f"[](../{FOLDER}/{name})"
    if not run:
        return f"| {link} | {UNKNOWN} | {UNKNOWN} | {UNKNOWN} | {UNKNOWN} |"
    given = [f"`{key}={value}`" for key, value in run["parameters"].items()]
    cells: Sequence[str] = (
        link,
        f"{run['seconds']:,.0f}",
        f'<span class="mbnb-name">{run["finished"]}</span>',
        str(run["workers"]),
        ", ".join(given).replace("|", "\\|") or "nothing",
    )
    return f"| {' | '.join(cells)} |"


def _span(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} seconds"
    minutes = seconds / 60
    return f"{minutes:.0f} minutes" if minutes < 120 else f"{minutes / 60:.1f} hours"
