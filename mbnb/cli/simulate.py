"""The command `mbnb simulate`: a simulated leaderboard as a dataset folder."""

from __future__ import annotations

from pathlib import Path

import click

from mbnb.cli.output import json_text, tell
from mbnb.data.datasets import SIMULATED, load
from mbnb.data.folder import write_folder


@click.command("simulate")
@click.argument("profile")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder to make.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def simulate_command(profile: str, out: Path, as_json: bool) -> None:
    """Simulate the leaderboard of PROFILE (a name or a .toml file) and write a dataset folder.

    \b
    mbnb simulate mmlu-pro --out simulated-mmlu-pro
    """
    name = profile.removeprefix(SIMULATED)
    matrix = load(SIMULATED + name)
    source = (
        "# Simulated: no model of this table exists\n\n"
        f"Made by `mbnb simulate {name}`, content {matrix.content_hash}.\n"
    )
    write_folder(matrix, out, source)
    if as_json:
        answer = {
            "profile": name,
            "models": matrix.n_models,
            "items": matrix.n_items,
            "content": matrix.content_hash,
            "out": str(out),
        }
        click.echo(json_text(answer))
        return
    tell(
        f"{matrix.n_models:,} simulated models × {matrix.n_items:,} items. No model of this table "
        "exists: say so where you show what was measured on it."
    )
    click.echo(out)
