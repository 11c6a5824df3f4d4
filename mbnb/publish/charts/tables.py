"""Tables and sentences that more than one chapter shows; each takes finished results."""

from __future__ import annotations

import importlib.metadata
import platform
import re
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from IPython.display import Markdown
from pandas.io.formats.style import Styler

from mbnb.data.datasets import SIMULATED
from mbnb.data.responses import ResponseMatrix
from mbnb.data.simulate import MADE_UP
from mbnb.judge.agreement import format_interval, format_mdad
from mbnb.judge.table import Trials
from mbnb.publish.charts.style import series_of

_STARTED = time.monotonic()
NOTHING = "–"
# A number with what belongs to it, such as “19 [18–21.5]” or “12 → 9 points”: kept on one line.
_NUMBER = re.compile(r"[+−-]?\d[^a-z]{0,24}(to |[a-z]{1,6}$)?[^a-z]{0,14}$")
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
        measured = {int(row["size"]): two_lines(row) for _, row in own.iterrows()}
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


def two_lines(row: pd.Series) -> str:
    """Value and interval below one another, so that seven sizes fit a page."""
    value, _, interval = format_interval(row).partition(" [")
    return f'{value}<br><span class="mbnb-interval">[{interval}</span>' if interval else value


def percent(share: float) -> str:
    """A share (0–1) as people read it: “51 %”; “–” where there is none."""
    if np.isnan(share):
        return NOTHING
    whole = round(100 * share)  # an integer, so that a small loss is no “−0”
    return f"{whole}\N{NO-BREAK SPACE}%".replace("-", "−")


def points(gain: float) -> str:
    """A difference in points with its sign: “+1.5”, “−0.5”, “0”; “–” where there is none."""
    return NOTHING if np.isnan(gain) else f"{gain:+g}".replace("-", "−") if gain else "0"


def show(frame: pd.DataFrame) -> Styler:
    """A table as the book shows it: numbers of a column alike, no changing ids in the HTML."""
    style = frame.style.set_uuid("mbnb").set_table_attributes('class="mbnb-table"')
    style = style.format(
        {name: _cell_format(frame.iloc[:, at]) for at, name in enumerate(frame.columns)}
    )
    style = style.format_index(_label, axis=0).format_index(_label, axis=1)
    if not (frame.index.is_unique and frame.columns.is_unique):
        return style  # pandas gives such tables no classes
    is_number = frame.map(lambda value: bool(_NUMBER.match(str(value))))
    return style.set_td_classes(is_number.map(lambda yes: "mbnb-number" if yes else ""))


def _cell_format(column: pd.Series) -> Callable[[Any], str]:
    """Three digits of the largest number, and as many decimals for the others below it.

    Where the numbers differ so much that the small ones would vanish, each has its three digits.
    """
    numbers = [
        abs(float(value)) for value in column if isinstance(value, float) and np.isfinite(value)
    ]
    sized = [value for value in numbers if value]
    decimals: int | None = 0
    if sized:
        most = int(np.clip(2 - np.floor(np.log10(max(sized))), 0, 4))
        needed = (n for n in range(most) if np.allclose(numbers, np.round(numbers, n), atol=1e-9))
        decimals = next(needed, most)
        if round(min(sized), decimals) == 0 or max(sized) >= 1000 > min(sized):
            decimals = None

    def told(value: Any) -> str:
        if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
            return f"{value:,}".replace("-", "−")
        if not isinstance(value, float):
            return str(value)
        if np.isnan(value):
            return NOTHING
        if decimals is not None:
            text = f"{round(value, decimals) + 0.0:,.{decimals}f}"  # + 0.0: no “−0.0”
        else:
            text = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:#.3g}".rstrip(".")
        return text.replace("-", "−") if "e" not in text else text

    return told


def _label(value: Any) -> str:
    """What stands at the head of a row or a column."""
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return f"{value:,}"
    text = str(value)
    if text.startswith(SIMULATED):
        # A narrow column breaks it after the colon and nowhere else.
        profile = text.removeprefix(SIMULATED)
        return f'{SIMULATED}<wbr><span class="mbnb-name">{profile}</span>'
    return text.replace(" ", "\N{NO-BREAK SPACE}") if _NUMBER.match(text) else text


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
