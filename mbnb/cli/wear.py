"""The command `mbnb wear`: whether new models have worn a frozen micro-benchmark down."""

from __future__ import annotations

import math
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from mbnb.cli.logs import log_options
from mbnb.cli.new_models import read_new
from mbnb.cli.output import json_text, tell
from mbnb.frozen.micro_benchmark import read_micro_benchmark
from mbnb.frozen.wear import wear

NO = 1

file_type = click.Path(dir_okay=False, path_type=Path)


@click.command(name="wear")
@click.argument("micro", type=file_type)
@click.argument("new", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="NEW...")
@click.option(
    "--random",
    "random_part",
    type=file_type,
    help="A micro-benchmark that was drawn by uniform sampling from the same data and is answered "
    "along; without one nothing is advised.",
)
@log_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def wear_command(
    micro: Path,
    new: tuple[Path, ...],
    random_part: Path | None,
    as_json: bool,
    **choices: Any,
) -> None:
    """Say whether the items frozen in MICRO still tell NEW models apart.

    NEW is a dataset folder, or logs, as for `mbnb score`: five models or more, with answers to at
    least the frozen items and those of the random part. Items that all new models answer alike
    order no two of them; once the frozen items differ less between the new models than random
    items do, a selection is worn.

    \b
    mbnb select mine --selector close-pairs --size 50 --out micro.json
    mbnb select mine --size 50 --out random.json
    mbnb wear micro.json newer --random random.json

    Exit status 1: worn, select anew.
    """
    frozen = read_micro_benchmark(micro)
    matrix, told = read_new(frozen, new, choices)
    drawn = None if random_part is None else read_micro_benchmark(random_part)
    found = wear(frozen, matrix, drawn)
    tell(*told)
    if as_json:
        # JSON has no NaN: what a random part would tell is null without one.
        values = {
            name: None if isinstance(value, float) and math.isnan(value) else value
            for name, value in asdict(found).items()
        }
        click.echo(json_text({**values, "worn": found.worn}))
    else:
        click.echo(str(found))
    if found.worn:
        sys.exit(NO)
