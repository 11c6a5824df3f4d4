"""The command `mbnb example`: a small folder of logs to try the others on."""

from __future__ import annotations

from pathlib import Path

import click

from mbnb.cli.output import tell
from mbnb.logs.example import KNOWN, NEW, write_example


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
def example(folder: Path) -> None:
    """Make FOLDER, a small folder of evaluation logs of simulated models.

    \b
    mbnb example logs
    mbnb read logs/known --out my-benchmark
    mbnb score micro.json logs/new --extra ignore
    """
    made = write_example(folder)
    tell(
        f"{made / KNOWN}: logs of models that answered everything; {made / NEW}: one more model. "
        "All are simulated."
    )
    click.echo(made)
