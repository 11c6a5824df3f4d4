"""Tables and sentences that more than one chapter shows; each takes finished results."""

from __future__ import annotations

import importlib.metadata
import platform
import time
from collections.abc import Sequence

import numpy as np
import pandas as pd
from IPython.display import Markdown
from pandas.io.formats.style import Styler

from mbnb.data.datasets import SIMULATED
from mbnb.data.responses import ResponseMatrix
from mbnb.data.simulate import MADE_UP
from mbnb.publish.style import series_of
from mbnb.study.agreement import format_interval, format_mdad
from mbnb.study.table import Trials

_STARTED = time.monotonic()
NOTHING = "–"
VERSIONS = ("mbnb", "numpy", "scipy", "scikit-learn", "pandas", "kmedoids", "altair", "seaborn")


def data_label(matrix: ResponseMatrix, n_trials: int | None = None) -> str:
    """What a caption says of its data: name, kind and number of models, items, trials."""
    # A folder that `mbnb simulate` wrote has a name of the reader's; its models tell what they are.
    simulated = matrix.name.startswith(SIMULATED) or all(
        str(model).startswith(MADE_UP) for model in matrix.models.index
    )
    kind = "simulated models" if simulated else "models"
    text = f"{matrix.name} ({matrix.n_models:,} {kind} × {matrix.n_items:,} items"
    return text + (")" if n_trials is None else f", {n_trials:,} trials)")


def mdad_table(table: pd.DataFrame, reported: pd.DataFrame | None = None) -> Styler:
    """MDAD in points: a row for each selector, a column for each size, intervals beneath.

    The caption tells the threshold, without which an MDAD says nothing.

    Parameters
    ----------
    table : DataFrame
        From `mdad`, of one threshold. Where a selector comes with several estimators or n_source,
        each has a row.
    reported : DataFrame, optional
        Columns selector, size, mdad: shown in a second row beneath the measured ones.
    """
    sizes = sorted(int(size) for size in table["size"].unique())
    rows: dict[tuple[str, str], list[str]] = {}
    for name, (_, own) in series_of(table).items():
        measured = {int(row["size"]): _two_lines(row) for _, row in own.iterrows()}
        rows[name, "measured"] = [measured.get(size, NOTHING) for size in sizes]
        if reported is not None:
            told = reported[reported["selector"] == own["selector"].iloc[0]]
            value = dict(zip(told["size"], told["mdad"], strict=True))
            rows[name, "reported"] = [
                format_mdad(value[size]) if size in value else NOTHING for size in sizes
            ]
    columns = pd.Index([f"{size:,}" for size in sizes], name="Size")
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=columns)
    frame.index = pd.MultiIndex.from_tuples(list(rows))
    caption = f"Points at a threshold of {table['threshold'].iloc[0]:g}; intervals in brackets."
    return show(frame if reported is not None else frame.droplevel(1)).set_caption(caption)


def _two_lines(row: pd.Series) -> str:
    """Value and interval below one another, so that seven sizes fit a page."""
    value, _, interval = format_interval(row).partition(" [")
    return f'{value}<br><span class="mbnb-interval">[{interval}</span>' if interval else value


def percent(share: float) -> str:
    """A share (0–1) as people read it: “51 %”; “–” where there is none."""
    return NOTHING if np.isnan(share) else f"{100 * share:.0f}\N{NO-BREAK SPACE}%"


def points(gain: float) -> str:
    """A difference in points with its sign: “+1.5”, “−0.5”, “0”; “–” where there is none."""
    return NOTHING if np.isnan(gain) else f"{gain:+g}".replace("-", "−") if gain else "0"


def show(frame: pd.DataFrame) -> Styler:
    """A table as the book shows it: plain cells, no changing ids in the HTML."""
    style = frame.style.set_uuid("mbnb").set_table_attributes('class="mbnb-table"')
    return style.format(lambda value: f"{value:,.3g}" if isinstance(value, float) else str(value))


def say(*sentences: str) -> Markdown | None:
    """Sentences that depend on the data, as a paragraph; nothing where all are empty."""
    text = " ".join(sentence for sentence in sentences if sentence)
    # Jupyter shows the name of the class in the place of an empty text.
    return Markdown(text) if text else None


def listed(names: Sequence[str]) -> str:
    """Names as a person lists them: “a, b and c”."""
    names = list(names)
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def in_points(value: float) -> str:
    """A gap or an MDAD with its unit: “1 point”, “2.5 points”, or “not reached”."""
    unit = "" if np.isnan(value) else " point" if value == 1 else " points"
    return format_mdad(value) + unit


def footer(matrix: ResponseMatrix, seed: int, trials: Trials | None = None) -> Markdown:
    """The last line of a chapter: data, seed, versions, run time."""
    versions = " · ".join(f"{name} {importlib.metadata.version(name)}" for name in VERSIONS)
    lines = [
        f"**Data** {data_label(matrix, trials.n_trials if trials else None)}, content "
        f"`{matrix.content_hash[:12]}`",
        f"**Seed** {seed}",
        f"**Versions** Python {platform.python_version()} · {versions}",
        f"**Run time** {time.monotonic() - _STARTED:.0f} s",
    ]
    return Markdown("<small>\n\n" + "  \n".join(lines) + "\n\n</small>")
