"""What commands take and print alike: types of values, shared options, tables; computes nothing.

Names that a choice offers stand here as they do in the rooms, since importing those takes seconds.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Sequence
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    import pandas as pd

SELECTORS = ("uniform", "subtask", "confidence", "diversity", "anchor-points", "tinybenchmarks")
KNOWN_SELECTORS = (*SELECTORS, "close-pairs")
ESTIMATORS = ("weighted-mean", "confidence-mean", "ridge", "corrected-mean", "p-irt", "gp-irt")
MISSING = ("error", "drop-items", "drop-models", "wrong")
DUPLICATES = ("drop", "keep")
RULES = ("first", "sustained", "isotonic", "interpolated")
RECOMMENDED_RULE = "interpolated"

Option = Callable[[Any], Any]


class CommaList(click.ParamType):
    """Values of one type with commas between, as a tuple."""

    name = "list"

    def __init__(self, entry: click.ParamType = click.STRING) -> None:
        self.entry = entry

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[Any, ...]:
        if not isinstance(value, str):
            return tuple(value)
        parts = [part.strip() for part in value.split(",") if part.strip()]
        if not parts:
            self.fail("at least one is needed, with commas between.", param, ctx)
        return tuple(self.entry.convert(part, param, ctx) for part in parts)


class Given(click.Path):
    """A path as a person gives it: `~` is the home folder in `--out=~/x` too."""

    def __init__(self, **rules: Any) -> None:
        super().__init__(path_type=Path, **rules)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return super().convert(os.path.expanduser(value), param, ctx)


class NewFolder(Given):
    """A folder that a command makes; nothing may be there yet."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = super().convert(value, param, ctx)
        if path.exists() or path.is_symlink():
            self.fail(f"{path} exists already; give a folder that does not.", param, ctx)
        return path


class OutFile(Given):
    """A file that a command writes; refused before the work is done, not after."""

    def __init__(self, *suffixes: str) -> None:
        super().__init__(dir_okay=False, writable=True)
        self.suffixes = suffixes

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = super().convert(value, param, ctx)
        if path.suffix not in self.suffixes:
            self.fail(f"it must end in {' or '.join(self.suffixes)}; given: '{path}'.", param, ctx)
        if not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
            fault = "cannot be written" if path.parent.is_dir() else "does not exist"
            self.fail(f"{path}: the folder {path.parent} {fault}.", param, ctx)
        return path


def together(*options: Option) -> Option:
    """One decorator of several options, in this order."""
    return lambda command: reduce(lambda made, option: option(made), reversed(options), command)


def typed(ctx: click.Context) -> dict[str, str]:
    """Of what was typed and not left to its default: name in the program to name as typed."""
    source = click.core.ParameterSource.COMMANDLINE
    return {
        str(p.name): p.opts[0] if isinstance(p, click.Option) else p.human_readable_name
        for p in ctx.command.params
        if ctx.get_parameter_source(str(p.name)) is source
        and ctx.params[str(p.name)] not in ((), None)
    }


def available_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


as_json = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object and nothing else."
)
jobs = click.option(
    "--jobs",
    type=click.IntRange(1),
    default=available_cores,
    show_default="one for each core",
    help="Processes that may work at once.",
)
seed = click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
missing = click.option(
    "--missing",
    type=click.Choice(MISSING),
    default="error",
    show_default=True,
    help="What happens to missing answers.",
)
duplicates = click.option(
    "--duplicates",
    type=click.Choice(DUPLICATES),
    default="drop",
    show_default=True,
    help="What happens to models that are exact copies of another.",
)
book = click.option(
    "--book",
    type=Given(exists=True, file_okay=False),
    help="Folder of the book (with _toc.yml); by default the one around this folder.",
)


def grid(selectors: Sequence[str] = SELECTORS) -> Option:
    """The choices of a grid: selectors, sizes, trials, models, policies, seed, processes."""
    return together(
        click.option(
            "--selectors",
            type=CommaList(),
            default=",".join(selectors),
            show_default=True,
            help="Names, with commas between.",
        ),
        click.option(
            "--sizes",
            type=CommaList(click.IntRange(1)),
            help="Numbers of items, with commas between; by default those of the study "
            "(10,25,50,100,250,500,1000) that the data allow.",
        ),
        click.option("--trials", "n_trials", type=click.IntRange(1), default=50, show_default=True),
        click.option(
            "--sources",
            "n_source",
            type=click.IntRange(1),
            help="Source models; by default 300, or what is left beside the targets.",
        ),
        click.option(
            "--targets",
            "n_target",
            type=click.IntRange(2),
            help="Target models; by default 50, or a part where there are too few for that.",
        ),
        missing,
        duplicates,
        seed,
        jobs,
    )


def tell(*notes: str) -> None:
    """Print notes for a person to stderr; an empty one is none."""
    for note in filter(None, notes):
        click.echo(note, err=True)


def print_json(answer: Any) -> None:
    """Print one JSON object on one line; what is not there (NaN) is null."""
    click.echo(json.dumps(_without_nan(answer), allow_nan=False))


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nan(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(entry) for entry in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def wide_text(title: str, table: pd.DataFrame, column: str, selectors: Sequence[str]) -> str:
    """A titled text table: a row for each selector, a column for each size."""
    wide = table.pivot(index="selector", columns="size", values=column)
    wide = wide.loc[list(selectors)].rename_axis(index=None, columns=None)
    return f"{title}\n{wide.to_string(float_format='{:.2f}'.format)}"


def write_whole(out: Path, fill: Callable[[Path], object]) -> None:
    """Let `fill` write a file beside `out`, which is renamed once all is written."""
    from mbnb.data.paths import replacing

    with replacing(out) as place:
        fill(place)
