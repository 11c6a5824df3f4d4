"""The command `mbnb read`: from evaluation logs to a dataset folder."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Any

import click

from mbnb.cli import options, shown
from mbnb.cli.logs import log_options, read_logs
from mbnb.cli.options import print_json, tell


@click.command()
@click.argument("logs", nargs=-1, required=True, type=options.Given(exists=True, allow_dash=True))
@click.option(
    "--out",
    type=options.NewFolder(),
    help="The dataset folder to make; without it the logs are only looked through.",
)
@click.option("--name", help="What captions call the data; by default the folder's name.")
@log_options
@options.as_json
def read(
    logs: tuple[Path, ...], out: Path | None, name: str | None, as_json: bool, **choices: Any
) -> None:
    """Turn LOGS (files, folders of them, or - for standard input) into a dataset folder.

    Prints what was read, kept and dropped, by reason. Formats: samples of lm-evaluation-harness
    and the Open LLM Leaderboards, lighteval, HELM, inspect_ai, SWE-bench results, the paper's
    arrays, and plain tables (model, item, score) as CSV or Parquet.

    \b
    mbnb read logs --metric acc --out my-benchmark
    mbnb read results.csv --out my-benchmark
    """
    matrix, report = read_logs(logs, name=name or (shown(out.name) if out else None), **choices)
    if out is not None:
        from mbnb.data.folder import write_folder

        told = {"metric": ", ".join(choices["metrics"]), **choices}
        told["task"] = ", ".join(told.pop("tasks"))
        listed = [
            f"- {key}: {value}"
            for key, value in told.items()
            if value not in (None, False, "") and key not in ("jobs", "metrics")
        ]
        source = (
            f"# Made from evaluation logs\n\nRead by mbnb {version('mbnb')} from "
            f"{', '.join(shown(path.name) for path in logs)}.\n\n## Choices\n\n"
            + ("\n".join(listed) or "- none")
            + f"\n\n## What was read\n\n```\n{report.text()}\n```"
        )
        write_folder(matrix, out, source)
        tell(f"Written to {out}; see `mbnb report {out} --out report.html`.")
    if as_json:
        print_json(report.as_dict())
    else:
        click.echo(str(report))
