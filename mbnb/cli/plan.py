"""The command `mbnb plan`: size, gap and agreement of random items, any one from the other two."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from mbnb.cli import NO, options
from mbnb.cli.options import print_json, tell
from mbnb.data.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from mbnb.judge.power import PowerPlan

# What the command line calls the rules for ties.
TIES = {"strict": "wrong", "half": "half"}
NAMES = {rule: name for name, rule in TIES.items()}


@click.command()
@click.option(
    "--gap",
    type=click.FloatRange(0, 100, min_open=True),
    help="Difference of the two models' accuracies, in points.",
)
@click.option("--size", type=click.IntRange(1), help="Items drawn at random.")
@click.option(
    "--agreement",
    type=click.FloatRange(0.5, 1, min_open=True),
    help="Chance that the items order the two as the whole benchmark does.  [default: 0.8, where "
    "only one of --gap and --size is given]",
)
@click.option(
    "--disagreement",
    type=click.FloatRange(0, 1, min_open=True),
    help="Share of the items on which the two models differ.",
)
@click.option(
    "--dataset",
    help="Take the disagreement, by gap, and the number of items from this data set (a name or a "
    "path).",
)
@click.option(
    "--items",
    "n_items",
    type=click.IntRange(1),
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
@options.missing
@options.duplicates
@options.as_json
def plan(
    gap: float | None,
    size: int | None,
    agreement: float | None,
    disagreement: float | None,
    dataset: str | None,
    n_items: int | None,
    ties: str,
    missing: str,
    duplicates: str,
    as_json: bool,
) -> None:
    """How many items, drawn at random, order two models rightly? Or: what gap do so many detect?

    Give two of --gap, --size and --agreement; the third is solved for, exactly and without any
    trial. How noisy a comparison is depends on how often the two models differ: say so by
    --disagreement, or let it be taken from the answers of --dataset.

    \b
    mbnb plan --gap 2 --disagreement 0.25                 the size
    mbnb plan --size 250 --dataset my-benchmark           the gap
    mbnb plan --gap 2 --size 250 --dataset my-benchmark   the agreement

    Exit status 1: no size, or no gap, will do.
    """
    from mbnb.judge import power
    from mbnb.judge.plan_table import plan_for_others

    if (dataset is None) == (disagreement is None):
        given = "neither is" if dataset is None else "both are"
        raise InputError(
            f"one of --disagreement and --dataset must say how often the two models differ, such "
            f"as in: mbnb plan --gap 2 --disagreement 0.25; {given} given."
        )
    if agreement is None and (gap is None) != (size is None):
        agreement = 0.8
    source: Any = disagreement
    if dataset is not None:
        source, whole = _from_data(dataset, missing, duplicates)
        n_items = n_items or whole
    found = power.plan(
        gap=gap,
        size=size,
        agreement=agreement,
        disagreement=source,
        n_items=n_items,
        ties=TIES[ties],
    )
    asked = dataset is not None and gap is not None and not found.why
    others = plan_for_others(found, source) if asked else ()
    if as_json:
        print_json({**_as_dict(found), "others": [_as_dict(other) for other in others]})
    elif found.why:
        tell(f"mbnb: {found.why}")
    else:
        click.echo("\n".join([*_lines(found), *_lines_on_others(others)]))
    if found.why:
        raise click.exceptions.Exit(NO)


def _from_data(dataset: str, missing: str, duplicates: str) -> tuple[pd.DataFrame, int]:
    """Pairs of models, and the items of the benchmark."""
    from mbnb.data.datasets import prepare
    from mbnb.judge.pairs import compare_pairs, is_binary

    matrix, notes = prepare(dataset, missing=missing, duplicates=duplicates)
    tell(*notes)
    if not is_binary(matrix):
        raise InputError(
            f"{matrix.name} has graded scores; this command plans for right and wrong alone "
            "(`mbnb report` has the sizes for graded scores)."
        )
    return compare_pairs(matrix), matrix.n_items


def _as_dict(found: PowerPlan) -> dict[str, Any]:
    return {**asdict(found), "ties": NAMES[found.ties], "why": found.why or None}


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
