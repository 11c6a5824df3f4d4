"""The command `mbnb plan`: size, gap and agreement of random items, any one from the other two."""

from __future__ import annotations

import math
import sys
from dataclasses import asdict
from typing import Any

import click
import pandas as pd

from mbnb.cli.output import json_text, tell
from mbnb.data.datasets import DUPLICATES, prepare
from mbnb.data.errors import InputError
from mbnb.data.responses import POLICIES
from mbnb.judge.pairs import compare_pairs, is_binary
from mbnb.judge.plan_table import plan_for_others
from mbnb.judge.power import PowerPlan, plan

AGREEMENT = 0.8
# What the command line calls the rules for ties.
TIES = {"strict": "wrong", "half": "half"}
NAMES = {rule: name for name, rule in TIES.items()}
NO = 1


@click.command("plan")
@click.option("--gap", type=float, help="Difference of the two models' accuracies, in points.")
@click.option("--size", type=int, help="Items drawn at random.")
@click.option(
    "--agreement",
    type=float,
    help="Chance that the items order the two as the whole benchmark does.  "
    f"[default: {AGREEMENT}, where only one of --gap and --size is given]",
)
@click.option(
    "--disagreement",
    type=float,
    help="Share (0 to 1) of the items on which the two models differ.",
)
@click.option(
    "--dataset",
    help="Take the disagreement, by gap, and the number of items from this data set (a name or a "
    "path).",
)
@click.option(
    "--items",
    "n_items",
    type=int,
    help="Items of the benchmark; by default those of --dataset, and without one as many as you "
    "like.",
)
@click.option(
    "--ties",
    type=click.Choice(list(TIES)),
    default="strict",
    show_default=True,
    help="What equal scores on the items drawn count: nothing, or a half.",
)
@click.option(
    "--missing",
    type=click.Choice(POLICIES),
    help="What happens to missing answers of --dataset.  [default: error]",
)
@click.option(
    "--duplicates",
    type=click.Choice(DUPLICATES),
    help="What happens to models of --dataset that are exact copies of another.  "
    f"[default: {DUPLICATES[0]}]",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def plan_command(
    gap: float | None,
    size: int | None,
    agreement: float | None,
    disagreement: float | None,
    dataset: str | None,
    n_items: int | None,
    ties: str,
    missing: str | None,
    duplicates: str | None,
    as_json: bool,
) -> None:
    """How many items, drawn at random, order two models rightly? Or: what do so many items see?

    Give two of --gap, --size and --agreement; the third is solved for, exactly and without any
    trial. How noisy a comparison is depends on how often the two models differ: say so by
    --disagreement, or let it be read from the answers of --dataset.

    \b
    mbnb plan --gap 2 --disagreement 0.25                 the size
    mbnb plan --size 250 --dataset my-benchmark           the gap
    mbnb plan --gap 2 --size 250 --dataset my-benchmark   the agreement

    Exit status 1: no size, or no gap, will do.
    """
    if agreement is None and (gap is None) != (size is None):
        agreement = AGREEMENT
    pairs = None
    if dataset is not None:
        if disagreement is not None:
            raise InputError("--disagreement and --dataset both say how often models differ.")
        pairs, n_items = _from_data(dataset, missing, duplicates, n_items)
    elif disagreement is None:
        raise InputError(
            "--disagreement or --dataset must say how often the two models differ, such as in: "
            "mbnb plan --gap 2 --disagreement 0.25."
        )
    elif missing or duplicates:
        raise InputError("--missing and --duplicates need a --dataset.")
    source = disagreement if pairs is None else pairs
    assert source is not None
    found = plan(
        gap=gap,
        size=size,
        agreement=agreement,
        disagreement=source,
        n_items=n_items,
        ties=TIES[ties],
    )
    others = () if pairs is None or gap is None or found.why else plan_for_others(found, pairs)
    if as_json:
        click.echo(json_text({**_as_json(found), "others": [_as_json(other) for other in others]}))
    elif found.why:
        tell(f"mbnb: {found.why}")
    else:
        click.echo("\n".join([*_lines(found), *_lines_on_others(others)]))
    if found.why:
        sys.exit(NO)


def _from_data(
    dataset: str, missing: str | None, duplicates: str | None, n_items: int | None
) -> tuple[pd.DataFrame, int]:
    """Pairs of models, and the items of the benchmark."""
    matrix, notes = prepare(
        dataset, missing=missing or "error", duplicates=duplicates or DUPLICATES[0]
    )
    tell(*notes)
    if not is_binary(matrix):
        raise InputError(
            f"{matrix.name} has graded scores; this command plans for right and wrong alone "
            "(`mbnb report` has the sizes for graded scores)."
        )
    return compare_pairs(matrix), n_items or matrix.n_items


def _as_json(found: PowerPlan) -> dict[str, Any]:
    values = {**asdict(found), "ties": NAMES[found.ties], "why": found.why or None}
    return {
        name: None if isinstance(value, float) and math.isnan(value) else value
        for name, value in values.items()
    }


def _lines(found: PowerPlan) -> list[str]:
    benchmark = "an endless benchmark" if found.n_items is None else f"{found.n_items:,} items"
    rows = {
        "size": f"{found.size:,} items drawn from {benchmark}",
        "gap": f"{found.gap:.2f} points",
        "agreement": f"{found.agreement:.3f}, ties {NAMES[found.ties]}",
        "disagreement": f"{100 * found.disagreement:.1f} % of the items",
    }
    order = [found.solved, *(name for name in rows if name != found.solved)]
    return [f"{name:<14}{rows[name]}" for name in order]


def _lines_on_others(others: tuple[PowerPlan, ...]) -> list[str]:
    """What pairs that differ less or more than the mean need, or get."""
    if not others:
        return []
    told = [
        f"{other.agreement:.3f}"
        if other.solved == "agreement"
        else "none"
        if other.size is None
        else f"{other.size:,} items"
        for other in others
    ]
    rates = [f"{100 * other.disagreement:.1f} %" for other in others]
    return [
        f"Of pairs about so far apart one in ten differs on less than {rates[0]} ({told[0]}), one "
        f"in ten on more than {rates[1]} ({told[1]})."
    ]
