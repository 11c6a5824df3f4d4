"""The choices that commands which read evaluation logs share."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import reduce
from pathlib import Path
from typing import Any

import click

from mbnb.book.build import available_cores
from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.logs import FORMATS, ReadReport, read
from mbnb.logs.options import (
    ERRORS,
    HOW,
    ON_BAD,
    REDUCE,
    REPEATS,
    REPLICATES,
    ReadOptions,
)

_OPTIONS = [
    click.option("--format", type=click.Choice(list(FORMATS)), help="Recognised if not given."),
    click.option(
        "--metric",
        "metrics",
        multiple=True,
        metavar="[TASK=]NAME",
        help="The logged number that is the score; TASK may be a pattern such as bbh_*.",
    ),
    click.option("--filter", help="lm-evaluation-harness: the filter whose rows count."),
    click.option("--task", "tasks", multiple=True, help="Read this task only (repeatable)."),
    click.option(
        "--how",
        type=click.Choice(HOW),
        default=HOW[0],
        show_default=True,
        help="Where models hold different items: refuse, keep the shared ones, or keep all.",
    ),
    click.option(
        "--run",
        default="complete",
        show_default=True,
        metavar="RULE",
        help="Of several runs: complete, latest, most-rows, or a timestamp.",
    ),
    click.option(
        "--on-bad",
        type=click.Choice(ON_BAD),
        default=ON_BAD[0],
        show_default=True,
        help="What happens to a row that cannot be read.",
    ),
    click.option(
        "--repeat",
        type=click.Choice(REPEATS),
        help="Which of an item's rows counts where one stands repeatedly.",
    ),
    click.option(
        "--replicates",
        type=click.Choice(REPLICATES),
        help="Epochs or trials: which score an item gets.",
    ),
    click.option(
        "--errors", type=click.Choice(ERRORS), help="What samples that ended in an error are."
    ),
    click.option(
        "--reduce", type=click.Choice(REDUCE), help="How a metric that is a list becomes a score."
    ),
    click.option("--subtask-field", metavar="NAME", help="Field of an item that is its subtask."),
    click.option(
        "--content-field",
        metavar="NAME",
        help="Field of an item by which it is checked that one id means one item.",
    ),
    click.option("--perturbed", is_flag=True, help="HELM: keep perturbed instances too."),
    click.option(
        "--items",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="SWE-bench: text file of all item ids, one a line.",
    ),
    click.option("--mixed-versions", is_flag=True, help="Accept different versions of a task."),
    click.option(
        "--verify",
        is_flag=True,
        help="lm-evaluation-harness: recompute accuracies from log-likelihoods, and count.",
    ),
    click.option(
        "--binarise",
        type=float,
        metavar="SCORE",
        help="Turn scores into 1 (at least SCORE) and 0.",
    ),
    click.option("--jobs", type=click.IntRange(1), help="Processes; by default one a core."),
]


def log_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the choices of `read_logs`."""
    return reduce(lambda made, option: option(made), reversed(_OPTIONS), command)


def read_logs(
    paths: Sequence[Path],
    *,
    name: str | None = None,
    metrics: Sequence[str] = (),
    items: Path | None = None,
    jobs: int | None = None,
    **choices: Any,
) -> tuple[ResponseMatrix, ReadReport]:
    """Read logs with the choices of the command line.

    Raises
    ------
    InputError
        See `mbnb.read`.
    """
    ids = None if items is None else _ids(items)
    try:
        return read(
            *paths,
            name=name,
            n_jobs=jobs or available_cores(),
            metric=_metric(metrics),
            items=ids,
            **choices,
        )
    except InputError as error:
        raise InputError(_as_typed(str(error))) from None


def _as_typed(message: str) -> str:
    """A message of `read` with its choices in the words of the command line."""

    def option(found: re.Match[str]) -> str:
        name, _, value = found[0].partition("=")
        return f"--{name.replace('_', '-')} {value}".rstrip()

    names = "|".join(field.name for field in fields(ReadOptions))
    message = re.sub(rf"\b(?:{names})=[a-z]+\b", option, message)
    # In brackets at the end of a sentence stands the choice that it asks for.
    return re.sub(rf"(?<=\()(?:{names})(?=\))", option, message)


def _metric(texts: Sequence[str]) -> str | dict[str, str] | None:
    if not texts:
        return None
    if len(texts) == 1 and "=" not in texts[0]:
        return texts[0]
    by_task: dict[str, str] = {}
    for text in texts:
        # A task's name may hold "=" itself, as HELM's do.
        task, equals, name = text.rpartition("=")
        if not equals or not task or not name or task in by_task:
            raise InputError(
                f"--metric takes one NAME, or TASK=NAME for each task; given: {', '.join(texts)}."
            )
        by_task[task] = name
    return by_task


def _ids(path: Path) -> tuple[str, ...]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError):
        raise InputError(f"--items {path} cannot be read as UTF-8 text.") from None
    return tuple(line.strip() for line in lines if line.strip())
