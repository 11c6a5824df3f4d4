"""What commands write: notes to stderr, tables to files that are whole or not there at all."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
import pandas as pd

from mbnb.data.errors import InputError


def tell(*notes: str) -> None:
    """Print notes for a person to stderr; an empty one is none."""
    for note in filter(None, notes):
        click.echo(note, err=True)


def check_out(out: Path | None, suffixes: Sequence[str], option: str = "--out") -> None:
    """Refuse an output file before the work is done, not after."""
    if out is None:
        return
    if out.suffix not in suffixes:
        raise InputError(f"{option} must end in {' or '.join(suffixes)}; given: '{out}'.")
    if not out.parent.is_dir() or not os.access(out.parent, os.W_OK):
        fault = "cannot be written" if out.parent.is_dir() else "does not exist"
        raise InputError(f"{option} {out}: the folder {out.parent} {fault}.")


def write_whole(out: Path, fill: Callable[[str], object]) -> None:
    """Let `fill` write a file beside `out` and rename it."""
    handle, unfinished = tempfile.mkstemp(prefix=".mbnb-", dir=out.parent)
    os.close(handle)
    try:
        fill(unfinished)
        # mkstemp's files are for their owner's eyes only; a result is an ordinary file.
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(unfinished, 0o666 & ~mask)
        os.replace(unfinished, out)
    except OSError as error:
        raise InputError(f"--out {out} cannot be written: {error.strerror}.") from None
    finally:
        Path(unfinished).unlink(missing_ok=True)


def json_text(answer: Any) -> str:
    """One JSON object on one line; a number that is not there has to be null already."""
    return json.dumps(answer, allow_nan=False)


def wide_text(title: str, table: pd.DataFrame, column: str, selectors: Sequence[str]) -> str:
    """A titled text table: a row for each selector, a column for each size."""
    wide = table.pivot(index="selector", columns="size", values=column)
    wide = wide.loc[list(selectors)].rename_axis(index=None, columns=None)
    return f"{title}\n{wide.to_string(float_format='{:.2f}'.format)}"
