"""The choices that commands which read evaluation logs share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mbnb.cli import options
from mbnb.data.errors import InputError

if TYPE_CHECKING:
    from mbnb.data.responses import ResponseMatrix
    from mbnb.logs import ReadReport

FORMATS = (
    *("lm-eval", "lighteval", "openllm-v1", "helm"),
    *("inspect", "paper-arrays", "swe-bench", "every-eval-ever", "table"),
)


def _choice(name: str, values: tuple[str, ...], text: str, default: bool = False) -> options.Option:
    first = values[0] if default else None
    return click.option(
        f"--{name}", type=click.Choice(values), default=first, show_default=default, help=text
    )


log_options = options.together(
    click.option(
        "--format",
        metavar="NAME",
        help=f"Recognised if not given: {', '.join(FORMATS)}, or another package's.",
    ),
    click.option(
        "--metric",
        "metrics",
        multiple=True,
        metavar="[TASK=]NAME",
        help="The logged number that is the score; TASK may be a pattern such as bbh_*.",
    ),
    click.option("--filter", help="lm-evaluation-harness: the filter whose rows count."),
    click.option("--task", "tasks", multiple=True, help="Read this task only (repeatable)."),
    _choice(
        "how",
        ("strict", "inner", "outer"),
        "Where models hold different items: refuse, keep the shared ones, or keep all.",
        default=True,
    ),
    click.option(
        "--run",
        default="complete",
        show_default=True,
        metavar="RULE",
        help="Of several runs: complete, latest, most-rows, or a timestamp.",
    ),
    _choice("on-bad", ("error", "skip"), "What happens to a row that cannot be read.", True),
    _choice("repeat", ("first", "last"), "Which of an item's rows counts if it stands repeatedly."),
    _choice("replicates", ("mean", "first"), "Epochs or trials: which score an item gets."),
    _choice("errors", ("missing", "wrong"), "What samples that ended in an error are."),
    _choice("reduce", ("mean", "all"), "How a metric that is a list becomes a score."),
    click.option("--subtask-field", metavar="NAME", help="Field of an item that is its subtask."),
    click.option(
        "--content-field",
        metavar="NAME",
        help="Field of an item by which it is checked that one id means one item.",
    ),
    click.option("--perturbed", is_flag=True, help="HELM: keep perturbed instances too."),
    click.option(
        "--items",
        type=options.Given(exists=True, dir_okay=False),
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
        type=click.FloatRange(0, 1, min_open=True),
        metavar="SCORE",
        help="Turn scores into 1 (at least SCORE) and 0.",
    ),
    options.jobs,
)


def read_logs(
    paths: Sequence[Path],
    *,
    metrics: Sequence[str],
    items: Path | None,
    jobs: int,
    name: str | None = None,
    **choices: Any,
) -> tuple[ResponseMatrix, ReadReport]:
    """Read logs with the choices of the command line.

    Raises
    ------
    InputError
        See `mbnb.read`; its choices are named as they are typed.
    """
    from mbnb.logs import read

    ids = None
    if items is not None:
        lines = items.read_text(encoding="utf-8-sig").splitlines()
        ids = tuple(line.strip() for line in lines if line.strip())
    metric = _metric(metrics)
    try:
        if Path("-") in paths:
            paths = [_standard_input() if path == Path("-") else path for path in paths]
        return read(*paths, name=name, n_jobs=jobs, metric=metric, items=ids, **choices)
    except InputError as error:
        raise InputError(_as_typed(str(error))) from None


def _standard_input() -> Path:
    """Standard input as a file, whose ending says what its first bytes say; gone at the end."""
    import atexit
    import shutil
    import sys
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix="mbnb-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    data = sys.stdin.buffer.read()
    endings = {b"PAR1": ".parquet", b"PK": ".eval", b"{": ".jsonl", b"[": ".jsonl"}
    start = data.lstrip()[:4]
    ending = next((e for mark, e in endings.items() if start.startswith(mark)), ".csv")
    path = folder / f"stdin{ending}"
    path.write_bytes(data)
    return path


def _as_typed(message: str) -> str:
    """A message of `read` with its choices in the words of the command line."""
    from dataclasses import fields

    from mbnb.logs.options import ReadOptions

    def option(found: re.Match[str]) -> str:
        name, _, value = found[0].partition("=")
        return f"--{name.replace('_', '-')} {value}".rstrip()

    names = "|".join(field.name for field in fields(ReadOptions))
    message = re.sub(rf"\b(?:{names})=[a-z]+\b", option, message)
    # In brackets at the end of a sentence stands the choice that it asks for.
    return re.sub(rf"(?<=\()(?:{names})(?=\))", option, message)


def _metric(texts: Sequence[str]) -> str | dict[str, str] | None:
    if len(texts) == 1 and "=" not in texts[0]:
        return texts[0]
    by_task: dict[str, str] = {}
    for text in texts:
        # A task's name may hold "=" itself, as HELM's do.
        task, _, name = text.rpartition("=")
        if not task or not name or task in by_task:
            raise InputError(
                f"--metric takes one NAME, or TASK=NAME for each task; given: {', '.join(texts)}."
            )
        by_task[task] = name
    return by_task or None
