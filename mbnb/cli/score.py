"""The command `mbnb score`: a new model's full score, interval and place from a few answers."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mbnb.cli import options
from mbnb.cli.logs import log_options, read_logs
from mbnb.cli.options import print_json, tell
from mbnb.data.errors import InputError

if TYPE_CHECKING:
    from mbnb.data.responses import ResponseMatrix
    from mbnb.frozen.micro_benchmark import MicroBenchmark
    from mbnb.frozen.scoring import Scored

NEAREST = 10
WIDTH = 72
TOLD = ("model", "estimate", "low", "high", "place", "best_place", "worst_place", "known_score")


@click.command()
@click.argument("micro", type=options.Given(exists=True, dir_okay=False))
@click.argument("new", nargs=-1, required=True, type=options.Given(exists=True), metavar="NEW...")
@click.option(
    "--level",
    type=click.FloatRange(0.5, 1, max_open=True),
    default=0.95,
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
@options.as_json
def score(
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
    from mbnb.frozen import scoring
    from mbnb.frozen.micro_benchmark import read_micro_benchmark

    frozen = read_micro_benchmark(micro)
    matrix, told = _read_new(frozen, new, choices)
    scored = scoring.score(frozen, matrix, level=level, extra=extra, unlike=unlike)
    if as_json:
        print_json(_as_dict(frozen, scored))
        return
    shared = [note for note in scored[0].notes if all(note in other.notes for other in scored)]
    tell(*told, *(f"When it was frozen: {note}" for note in frozen.notes), *shared)
    for result in scored:
        tell(*(f"{result.model}: {note}" for note in result.notes if note not in shared))
    head = (
        f"{frozen.dataset}: {frozen.size} of {frozen.n_items} items ({frozen.selector}, "
        f"{frozen.estimator}, seed {frozen.seed}), {frozen.n_models} known models"
    )
    about = (
        f"{scored[0].basis} The full score is that over all items of the benchmark, not of any "
        f"beyond it. The place is that by answers to the same items. Each pair is judged on its "
        f"own at {100 * level:g} %: of many pairs, a few may be told apart wrongly."
    )
    click.echo("\n\n".join([head, *map(_block, scored), textwrap.fill(about, WIDTH)]))


def _read_new(
    frozen: MicroBenchmark, paths: Sequence[Path], choices: dict[str, Any]
) -> tuple[ResponseMatrix, Sequence[str]]:
    """The new models' answers, and what to know of them: from a dataset folder, or from logs.

    Logs are read by the metric and filter by which the frozen items were read, unless others are
    named; `score` refuses what does not fit.
    """
    from mbnb.data.folder import FILES, read_folder

    folders = [path for path in paths if (path / FILES[0]).is_file()]
    if folders and len(paths) > 1:
        raise InputError(
            f"{folders[0]} is a dataset folder, and {len(paths)} paths are given; give one "
            "dataset folder, or logs."
        )
    if folders:
        return read_folder(folders[0]), ()
    given = {name: value for name, value in choices.items() if value}
    matrix, report = read_logs(paths, **{**choices, **_as_frozen(frozen, given), **given})
    return matrix, report.notes


def _as_frozen(frozen: MicroBenchmark, given: dict[str, Any]) -> dict[str, Any]:
    """The choices by which the frozen items were read, as far as they tell them."""
    from mbnb.logs.metrics import choices_of

    choices: dict[str, Any] = {}
    labels = {item.task: item.metric for item in frozen.items if item.task and item.metric}
    if labels and not given.get("metrics"):
        found = {task: choices_of(label) for task, label in labels.items()}
        names = {task: each.pop("metric") for task, each in found.items()}
        same = len(set(names.values())) == 1
        choices["metrics"] = (
            list(names.values())[:1] if same else [f"{t}={name}" for t, name in names.items()]
        )
        for each in found.values():
            choices |= each
    filters = {item.filter for item in frozen.items} - {None, ""}
    if len(filters) == 1:
        [choices["filter"]] = filters
    return choices


def _block(result: Scored) -> str:
    counts = result.pairs["verdict"].value_counts()
    near = result.not_told_apart
    estimate, low, high = (f"{100 * v:.1f}" for v in (result.estimate, result.low, result.high))
    lines = [
        result.model,
        f"  full score  {estimate} points, {100 * result.level:g} % interval {low} to {high}",
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
            lines.append(f"    {row.place:>4}  {100 * row.score:>5.1f}  {row.model}")
    return "\n".join(lines)


def _as_dict(micro: MicroBenchmark, scored: list[Scored]) -> dict[str, Any]:
    """The answer as JSON has it; scores are 0 to 1."""
    fields = ("dataset", "selector", "estimator", "size", "n_items", "seed", "sha256")
    return {
        "micro_benchmark": {name: getattr(micro, name) for name in fields},
        "level": scored[0].level,
        "basis": scored[0].basis,
        "n_known": micro.n_models,
        "models": [
            {
                **{name: getattr(result, name) for name in TOLD},
                "not_told_apart": list(result.not_told_apart["model"]),
                "pairs": result.pairs.to_dict("records"),
                "notes": list(result.notes),
            }
            for result in scored
        ],
    }
