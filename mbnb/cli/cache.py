"""The command `mbnb cache`: what finished trials are kept, and away with them."""

from __future__ import annotations

import click
import pandas as pd

from mbnb.cli.output import json_text, tell
from mbnb.run.store import Kept, ResultStore


@click.command()
@click.option(
    "--clear",
    type=click.Choice(("stale", "all")),
    help="Delete what was made by other code or other libraries (stale), or everything.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def cache(clear: str | None, as_json: bool) -> None:
    """Show the finished trials that are kept, or delete them with --clear.

    They are in $MBNB_CACHE, or in the user's cache folder. A result is found again only by the
    same data, parameters, code and libraries: what is stale is never read, and only takes room.
    """
    store = ResultStore()
    if clear is not None:
        gone = store.clear(stale=clear == "stale")
        tell(f"Deleted: {_size(gone)}.")
    kept = store.kept()
    rows = _summary(kept)
    if as_json:
        click.echo(json_text({"folder": str(store.folder), "kept": rows.to_dict("records")}))
        return
    click.echo(f"{store.folder}: {_size(kept)}.")
    if kept:
        click.echo(rows.to_string(index=False, float_format="{:.1f}".format))


def _size(kept: list[Kept]) -> str:
    units, size = sum(k.n_units for k in kept), sum(k.n_bytes for k in kept)
    return f"{units:,} fits in {len(kept):,} grids of one selector, {size / 1e6:.1f} MB"


def _summary(kept: list[Kept]) -> pd.DataFrame:
    """One row for each data set and selector, the current ones apart from the stale."""
    rows = [
        {
            "dataset": entry.about.get("dataset", "unknown"),
            "selector": entry.about.get("selector", "unknown"),
            "state": "current" if entry.current else "stale",
            "grids": 1,
            "fits": entry.n_units,
            "MB": entry.n_bytes / 1e6,
        }
        for entry in kept
    ]
    table = pd.DataFrame(rows, columns=["dataset", "selector", "state", "grids", "fits", "MB"])
    return table.groupby(["dataset", "selector", "state"], as_index=False).sum()
