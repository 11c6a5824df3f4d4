"""The command `mbnb cache`: what finished trials are kept, and away with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mbnb.cli import options
from mbnb.cli.options import print_json, tell

if TYPE_CHECKING:
    from mbnb.run.store import Kept


@click.command()
@click.option(
    "--clear",
    type=click.Choice(("stale", "all")),
    help="Delete what was made by other code or other libraries (stale), or everything.",
)
@options.as_json
def cache(clear: str | None, as_json: bool) -> None:
    """Show the finished trials that are kept, or delete them with --clear.

    They are in $MBNB_CACHE, or in the user's cache folder. A result is found again only by the
    same data, parameters, code and libraries: what is stale is never read, and only takes room.
    """
    import pandas as pd

    from mbnb.run.store import ResultStore

    store = ResultStore()
    if clear is not None:
        tell(f"Deleted: {_size(store.clear(stale=clear == 'stale'))}.")
    kept = store.kept()
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
    table = table.groupby(["dataset", "selector", "state"], as_index=False).sum()
    if as_json:
        print_json({"folder": str(store.folder), "kept": table.to_dict("records")})
        return
    click.echo(f"{store.folder}: {_size(kept)}.")
    if kept:
        click.echo(table.to_string(index=False, float_format="{:.1f}".format))


def _size(kept: list[Kept]) -> str:
    units, size = sum(k.n_units for k in kept), sum(k.n_bytes for k in kept)
    return f"{units:,} fits in {len(kept):,} grids of one selector, {size / 1e6:.1f} MB"
