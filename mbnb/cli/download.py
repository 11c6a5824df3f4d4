"""The commands `mbnb download` and `mbnb datasets`: public response matrices, and what there is."""

from __future__ import annotations

from pathlib import Path

import click
import pandas as pd

from mbnb.cli.output import json_text, tell
from mbnb.data.datasets import available, catalogue
from mbnb.data.downloads import MIRROR_VARIABLE, download, downloaded_names
from mbnb.data.registry import download_names, read_download


@click.command("download")
@click.argument("name", required=False)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Dataset folder to write; by default one in your data folder, found by its name.",
)
@click.option(
    "--mirror",
    metavar="URL",
    help="Look for the files under this address, by the same paths; by default "
    f"${MIRROR_VARIABLE}, where that is set.",
)
def download_command(name: str | None, out: Path | None, mirror: str | None) -> None:
    """Download NAME, a public response matrix; without NAME, list those there are.

    Every file is checked, and so is the matrix made from it. A download that was cut goes on when
    the command is run again. Prints the dataset folder.

    \b
    mbnb download
    mbnb download bigcodebench
    mbnb download bigcodebench --out my-folder
    """
    if name is None:
        click.echo(
            "\n".join(f"{known:<20}{read_download(known).title}" for known in download_names())
        )
        tell("Get one with `mbnb download NAME`.")
        return
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
    call = name if out is None and name in found else str(folder)
    tell(f"Use it: mbnb report {call}")
    click.echo(folder)


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def datasets(as_json: bool) -> None:
    """List the data sets there are: simulated, local ($MBNB_DATA), downloaded, downloadable."""
    table = catalogue()
    if as_json:
        click.echo(json_text({"datasets": table.to_dict("records")}))
        return
    shown = pd.DataFrame(
        {
            "name": table["name"],
            "kind": table["kind"],
            "models × items": [
                "unreadable" if models is None else f"{models:,} × {items:,}"
                for models, items in zip(table["n_models"], table["n_items"], strict=True)
            ],
            "where": [
                where if kind in ("local", "downloaded") else _how(name, kind)
                for name, kind, where in zip(
                    table["name"], table["kind"], table["where"], strict=True
                )
            ],
        }
    )
    click.echo(_left_aligned(shown))


def _how(name: str, kind: str) -> str:
    return "generated when used" if kind == "simulated" else f"mbnb download {name}"


def _left_aligned(table: pd.DataFrame) -> str:
    rows = [list(table.columns), *table.to_numpy().tolist()]
    widths = [max(len(row[i]) for row in rows) for i in range(len(table.columns))]
    lines = ["  ".join(f"{cell:<{w}}" for cell, w in zip(r, widths, strict=True)) for r in rows]
    return "\n".join(line.rstrip() for line in lines)
