"""The command `mbnb datasets`: what data sets there are, and public ones downloaded."""

from __future__ import annotations

from pathlib import Path

import click

from mbnb.cli import options
from mbnb.cli.options import print_json, tell


@click.group(invoke_without_command=True)
@options.as_json
@click.pass_context
def datasets(ctx: click.Context, as_json: bool) -> None:
    """List the data sets there are: simulated, local ($MBNB_DATA), downloaded, downloadable.

    \b
    mbnb datasets
    mbnb datasets get bigcodebench
    """
    if ctx.invoked_subcommand is None:
        _list(as_json)


@datasets.command("list")
@options.as_json
def list_command(as_json: bool) -> None:
    """List the data sets there are."""
    _list(as_json)


@datasets.command()
@click.argument("name")
@click.option(
    "--out",
    type=options.NewFolder(),
    help="Dataset folder to write; by default one in your data folder, found by its name.",
)
@click.option(
    "--mirror",
    metavar="URL",
    help="Look for the files under this address, by the same paths; by default $MBNB_DOWNLOADS, "
    "where that is set.",
)
def get(name: str, out: Path | None, mirror: str | None) -> None:
    """Download NAME, a public response matrix, and print its dataset folder.

    Every file is checked, and so is the matrix made from it. A download that was cut goes on when
    the command is run again.
    """
    from mbnb.data.datasets import available
    from mbnb.data.downloads import download, downloaded_names
    from mbnb.data.registry import read_download

    entry = read_download(name)
    was_there = out is None and name in downloaded_names()
    if not was_there:
        tell(f"{name}: downloading {entry.answers.bytes / 1e6:.1f} MB")
    folder = download(name, out, mirror)
    tell(
        f"{name} is there already." if was_there else "",
        entry.title + ".",
        f"Licence: {entry.licence}",
        f"Where it comes from and what to mind: {folder / 'SOURCE.md'}",
    )
    found = available().query("kind == 'downloaded'")["name"].tolist()
    tell(f"Use it: mbnb report {name if out is None and name in found else folder}")
    click.echo(folder)


def _list(as_json: bool) -> None:
    from mbnb.data.datasets import catalogue

    table = catalogue()
    if as_json:
        print_json({"datasets": table.to_dict("records")})
        return
    rows = [("name", "kind", "models × items", "where")]
    for name, kind, models, items, where in table.itertuples(index=False):
        shape = "unreadable" if models is None else f"{models:,} × {items:,}"
        how = {"simulated": "generated when used", "downloadable": f"mbnb datasets get {name}"}
        rows.append((name, kind, shape, how.get(kind, where)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)]
        click.echo("  ".join(cells).rstrip())
