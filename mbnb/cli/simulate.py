"""The commands `mbnb simulate` and `mbnb example`: simulated answers and logs on disk."""

from __future__ import annotations

from pathlib import Path

import click

from mbnb.cli import options
from mbnb.cli.options import print_json, tell

SIMULATED = "simulated:"


@click.command()
@click.argument("profile")
@click.option("--out", type=options.NewFolder(), required=True, help="The dataset folder to make.")
@options.as_json
def simulate(profile: str, out: Path, as_json: bool) -> None:
    """Simulate the leaderboard of PROFILE (a name or a .toml file) and write a dataset folder.

    \b
    mbnb simulate mmlu-pro --out simulated-mmlu-pro
    """
    from mbnb.data.datasets import load
    from mbnb.data.folder import write_folder

    name = profile.removeprefix(SIMULATED)
    matrix = load(SIMULATED + name)
    source = (
        "# Simulated: no model of this table exists\n\n"
        f"Made by `mbnb simulate {name}`, content {matrix.content_hash}.\n"
    )
    if name.endswith(".toml"):
        text = Path(name).expanduser().read_text(encoding="utf-8")
        source += f"\n## The profile\n\n```toml\n{text}```\n"
    write_folder(matrix, out, source)
    if as_json:
        print_json(
            {
                "profile": name,
                "models": matrix.n_models,
                "items": matrix.n_items,
                "content": matrix.content_hash,
                "out": str(out),
            }
        )
        return
    tell(
        f"{matrix.n_models:,} simulated models × {matrix.n_items:,} items. No model of this table "
        "exists: say so where you show what was measured on it."
    )
    click.echo(out)


@click.command()
@click.argument("folder", type=options.NewFolder())
def example(folder: Path) -> None:
    """Make FOLDER, a small folder of evaluation logs of simulated models.

    \b
    mbnb example logs
    mbnb read logs/known --out my-benchmark
    mbnb score micro.json logs/new --extra ignore
    """
    from mbnb.logs.example import KNOWN, NEW, write_example

    made = write_example(folder)
    tell(
        f"{made / KNOWN}: logs of models that answered everything; {made / NEW}: one more model. "
        "All are simulated."
    )
    click.echo(made)
