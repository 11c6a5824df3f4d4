"""The choices that commands which run trials share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any

import click

from mbnb.data.datasets import DUPLICATES
from mbnb.data.errors import InputError
from mbnb.data.responses import POLICIES
from mbnb.methods.selectors import SELECTORS
from mbnb.run.paper import SIZES


def _selectors(names: Iterable[str]) -> Callable[..., Any]:
    return click.option(
        "--selectors",
        default=",".join(names),
        show_default=True,
        help="Names, with commas between.",
    )


_OPTIONS = [
    click.option(
        "--sizes",
        help="Numbers of items, with commas between; by default those of the study "
        f"({','.join(map(str, SIZES))}) that the data allow.",
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
    click.option(
        "--missing",
        type=click.Choice(POLICIES),
        default="error",
        show_default=True,
        help="What happens to missing answers.",
    ),
    click.option(
        "--duplicates",
        type=click.Choice(DUPLICATES),
        default=DUPLICATES[0],
        show_default=True,
        help="What happens to models that are exact copies of another.",
    ),
    click.option("--seed", type=click.IntRange(0), default=0, show_default=True),
    click.option("--jobs", type=click.IntRange(1), help="Processes; by default one for each core."),
]


def grid_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the choices of a grid: selectors, sizes, trials, models, policies, seed."""
    return grid_options_with(SELECTORS)(command)


def grid_options_with(selectors: Iterable[str]) -> Callable[..., Any]:
    """As `grid_options`, with other selectors where none are named."""
    options = [_selectors(selectors), *_OPTIONS]
    return lambda command: reduce(lambda made, option: option(made), reversed(options), command)


def split_names(text: str) -> list[str]:
    """The parts of a text with commas between."""
    return [part.strip() for part in text.split(",") if part.strip()]


def split_sizes(text: str) -> list[int]:
    """Whole numbers with commas between.

    Raises
    ------
    InputError
        If there is none, or a part is something else.
    """
    parts = split_names(text)
    if not parts or not all(part.isdecimal() for part in parts):
        raise InputError(
            f"--sizes takes whole numbers with commas between, such as 10,100; given: '{text}'."
        )
    return [int(part) for part in parts]
