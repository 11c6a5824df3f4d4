"""The command `mbnb read`: from evaluation logs to a dataset folder."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Any

import click

from mbnb.cli.logs import log_options, read_logs
from mbnb.cli.output import json_text, tell
from mbnb.data.errors import InputError
from mbnb.data.folder import write_folder
from mbnb.logs import ReadReport


@click.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="The dataset folder to make; without it the logs are only looked through.",
)
@click.option("--name", help="What captions call the data; by default the folder's name.")
@log_options
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON object.")
def read(
    logs: tuple[Path, ...], out: Path | None, name: str | None, as_json: bool, **choices: Any
) -> None:
    """Turn LOGS (files, or folders of them) into a dataset folder.

    Prints what was read, kept and dropped, by reason. Formats: samples of lm-evaluation-harness
    and the Open LLM Leaderboards, lighteval, HELM, inspect_ai, SWE-bench results, the paper's
    arrays, and plain tables (model, item, score) as CSV or Parquet.

    \b
    mbnb read logs --metric acc --out my-benchmark
    mbnb read results.csv --out my-benchmark
    """
    if out is not None and out.exists():
        raise InputError(f"--out {out} exists already; give a folder that does not.")
    matrix, report = read_logs(logs, name=name or (out.name if out else None), **choices)
    if out is not None:
        write_folder(matrix, out, _source(logs, choices, report))
        tell(f"Written to {out}; see `mbnb report {out} --out report.html`.")
    click.echo(json_text(report.as_dict()) if as_json else str(report))


def _source(logs: tuple[Path, ...], choices: dict[str, Any], report: ReadReport) -> str:
    """What `SOURCE.md` tells: the logs' names, the choices made, and what came of it."""
    choices = {"metric": ", ".join(choices["metrics"]), **choices}
    choices["task"] = ", ".join(choices.pop("tasks"))
    given = {key: value for key, value in choices.items() if value not in (None, False, "")}
    listed = "\n".join(
        f"- {key}: {value}" for key, value in given.items() if key not in ("jobs", "metrics")
    )
    names = ", ".join(path.name for path in logs)
    return (
        f"# Made from evaluation logs\n\nRead by mbnb {version('mbnb')} from {names}.\n\n"
        f"## Choices\n\n{listed or '- none'}\n\n## What was read\n\n```\n{report.text()}\n```"
    )
