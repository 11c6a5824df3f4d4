"""The command `mbnb score`: a new model's full score, interval and place from a few answers."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import click

from mbnb.cli.logs import log_options
from mbnb.cli.new_models import read_new
from mbnb.cli.output import json_text, tell
from mbnb.frozen.micro_benchmark import MicroBenchmark, read_micro_benchmark
from mbnb.frozen.scoring import LEVEL, Scored, score

NEAREST = 10
WIDTH = 72


@click.command(name="score")
@click.argument("micro", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("new", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="NEW...")
@click.option(
    "--level",
    type=float,
    default=LEVEL,
    show_default=True,
    help="Of the interval, and of each comparison with a known model.",
)
@click.option(
    "--extra",
    type=click.Choice(("error", "ignore")),
    default="error",
    show_default=True,
    help="What happens to answers to items that are not in the micro-benchmark.",
)
@click.option(
    "--unlike",
    type=click.Choice(("error", "accept")),
    default="error",
    show_default=True,
    help="What happens to a model whose answers do not go with the known models' at all, as "
    "answers under wrong ids would.",
)
@log_options
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print one JSON object, with every pair of models, and nothing else; scores are 0 to 1.",
)
def score_command(
    micro: Path,
    new: tuple[Path, ...],
    level: float,
    extra: str,
    unlike: str,
    as_json: bool,
    **choices: Any,
) -> None:
    """Estimate the full scores of NEW models from their answers to the items frozen in MICRO.

    NEW is a dataset folder, or logs (files or folders), which are read by the same metric and
    filter as those of the known models; the choices of `mbnb read` apply. Prints each model's
    estimate with an interval, its place among the known models, and those that it cannot be told
    apart from. Answers are matched by item id: a missing, unanswered or unknown item is an error.

    \b
    mbnb score micro.json new-logs
    """
    frozen = read_micro_benchmark(micro)
    matrix, told = read_new(frozen, new, choices)
    scored = score(frozen, matrix, level=level, extra=extra, unlike=unlike)
    if as_json:
        click.echo(json_text(_as_json(frozen, scored)))
        return
    shared = [note for note in scored[0].notes if all(note in other.notes for other in scored)]
    tell(*told, *(f"When it was frozen: {note}" for note in frozen.notes), *shared)
    for result in scored:
        tell(*(f"{result.model}: {note}" for note in result.notes if note not in shared))
    click.echo("\n\n".join([_head(frozen), *map(_block, scored), _foot(scored[0])]))


def _head(micro: MicroBenchmark) -> str:
    return (
        f"{micro.dataset}: {micro.size} of {micro.n_items} items ({micro.selector}, "
        f"{micro.estimator}, seed {micro.seed}), {micro.n_models} known models"
    )


def _block(result: Scored) -> str:
    counts = result.pairs["verdict"].value_counts()
    near = result.not_told_apart
    lines = [
        result.model,
        f"  full score  {_points(result.estimate)} points, {100 * result.level:g} % interval "
        f"{_points(result.low)} to {_points(result.high)}",
        f"  place       {result.place} of {len(result.pairs) + 1}, between {result.best_place} and "
        f"{result.worst_place}",
        f"  told apart  from {counts.get('below', 0)} better and {counts.get('above', 0)} worse "
        f"models; not from {len(near)}",
    ]
    if len(near):
        shown = near.head(NEAREST)
        which = "nearest" if len(near) > len(shown) else "all"
        lines.append(f"\n  Not told apart ({which}; place and points by full score):")
        for row in shown.sort_index().itertuples():
            lines.append(f"    {row.place:>4}  {_points(row.score):>5}  {row.model}")
    return "\n".join(lines)


def _foot(result: Scored) -> str:
    about = (
        f"{result.basis} The full score is that over all items of the benchmark, not of any "
        f"beyond it. The place is that by answers to the same items. Each pair is judged on its "
        f"own at {100 * result.level:g} %: of many pairs, a few may be told apart wrongly."
    )
    return textwrap.fill(about, WIDTH)


def _points(share: float) -> str:
    return f"{100 * share:.1f}"


def _as_json(micro: MicroBenchmark, scored: list[Scored]) -> dict[str, Any]:
    fields = ("dataset", "selector", "estimator", "size", "n_items", "seed", "sha256")
    return {
        "micro_benchmark": {name: getattr(micro, name) for name in fields},
        "level": scored[0].level,
        "basis": scored[0].basis,
        "n_known": micro.n_models,
        "models": [
            {
                "model": result.model,
                "estimate": result.estimate,
                "low": result.low,
                "high": result.high,
                "place": result.place,
                "best_place": result.best_place,
                "worst_place": result.worst_place,
                "known_score": result.known_score,
                "not_told_apart": list(result.not_told_apart["model"]),
                "pairs": result.pairs.to_dict("records"),
                "notes": list(result.notes),
            }
            for result in scored
        ],
    }
