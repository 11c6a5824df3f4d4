"""The data behind a figure or a chart as CSV, read from what is drawn; draws nothing itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from IPython import get_ipython
from IPython.core.formatters import BaseFormatter
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedFormatter, FixedLocator, FuncFormatter
from traitlets import ObjectName, Unicode

from mbnb.publish.charts.drawn import artist_rows, legend_names

CSV = "text/csv"
COLUMNS = (
    "panel",
    "series",
    "x",
    "x label",
    "y",
    "y label",
    "low",
    "high",
    "value",
    "x axis",
    "y axis",
)
# What every table has; the others only where they say something.
ALWAYS = ("panel", "series", "x", "y", "x axis", "y axis")
DIGITS = "%.8g"
# Marks for one tick are drawn at most so many times off it.
BESIDE = 1.13


class _CsvFormatter(BaseFormatter):
    """Finds the printer of figures by itself: a backend that starts takes away registered ones."""

    format_type = Unicode(CSV)
    print_method = ObjectName("_repr_csv_")
    _return_type = str

    def lookup_by_type(self, typ: type) -> Callable[[Any], str | None]:
        if isinstance(typ, type) and issubclass(typ, Figure):
            return figure_csv
        raise KeyError(typ)


def keep_chart_data() -> None:
    """Let every matplotlib figure that a notebook shows carry its data; nothing elsewhere.

    A chart of Altair gets its own from the renderer (`mbnb.publish.charts.style`).
    """
    shell = get_ipython()
    if shell is not None:
        shell.display_formatter.formatters[CSV] = _CsvFormatter(parent=shell.display_formatter)


def figure_csv(figure: Figure) -> str | None:
    """What a figure shows, a row for each point, bar, interval and cell.

    Parameters
    ----------
    figure : Figure

    Returns
    -------
    str, optional
        CSV with the columns panel (title or number), series (as in the legend), x, y and the names
        of both axes; ``x label`` and ``y label`` where an axis has words for its numbers, ``low``
        and ``high`` for intervals and bands, ``value`` for what a colour shows. None where the
        figure holds no data.
    """
    names = legend_names(figure)
    colour_bars = {id(axes) for axes in figure.axes if hasattr(axes, "_colorbar")}
    panels = [axes for axes in figure.axes if axes.get_visible() and id(axes) not in colour_bars]
    rows = []
    for number, axes in enumerate(panels, start=1):
        titles = (axes.get_title(loc=side) for side in ("left", "center", "right"))
        panel = next(filter(None, titles), "").replace("\n", " ") or str(number)
        told = [_Axis(axes, figure, name) for name in ("x", "y")]
        own = [{"panel": panel, **row} for row in artist_rows(axes, names)]
        for axis in told:
            axis.describe(own)
        rows += own
    if not rows:
        return None
    table = pd.DataFrame(rows)
    used = [name for name in COLUMNS if name in ALWAYS or _says_something(table.get(name))]
    return str(table.reindex(columns=used).to_csv(index=False, float_format=DIGITS))


def chart_csv(spec: Mapping[str, Any]) -> str | None:
    """The tables that a Vega-Lite chart brings along, one below the other.

    Parameters
    ----------
    spec : mapping
        As a renderer of Altair gets it.

    Returns
    -------
    str, optional
        CSV; with several tables a first column counts them. None where there is none.
    """
    tables: list[list[dict[str, Any]]] = []
    for rows in _tables_in(spec):
        whole = [one for row in rows for one in _unfolded(row)]
        if whole and whole not in tables:
            tables.append(whole)
    if len(tables) == 1:
        table = pd.DataFrame(tables[0])
    else:
        numbered = enumerate(tables, start=1)
        table = pd.DataFrame([{"table": n, **row} for n, rows in numbered for row in rows])
    return None if table.empty else str(table.to_csv(index=False, float_format=DIGITS))


def _unfolded(row: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A row that holds lists of one length, which a chart flattens, as so many rows."""
    lists = {key: value for key, value in row.items() if isinstance(value, list)}
    if len({len(value) for value in lists.values()}) != 1:
        yield dict(row)
        return
    for values in zip(*lists.values(), strict=True):
        yield {**row, **dict(zip(lists, values, strict=True))}


def _tables_in(part: Any) -> Iterator[list[Mapping[str, Any]]]:
    if isinstance(part, Mapping):
        for key, value in part.items():
            if key == "datasets" and isinstance(value, Mapping):
                yield from (rows for rows in value.values() if _is_table(rows))
            elif key == "data" and isinstance(value, Mapping) and _is_table(value.get("values")):
                yield value["values"]
            else:
                yield from _tables_in(value)
    elif isinstance(part, list | tuple):
        for value in part:
            yield from _tables_in(value)


def _is_table(rows: Any) -> bool:
    return isinstance(rows, list) and all(isinstance(row, Mapping) for row in rows)


def _says_something(column: pd.Series | None) -> bool:
    return column is not None and bool((column.notna() & (column != "")).any())


class _Axis:
    """What one axis of a panel is called, and the words that it has for its numbers."""

    def __init__(self, axes: Axes, figure: Figure, name: str) -> None:
        siblings = getattr(axes, f"get_shared_{name}_axes")().get_siblings(axes)
        told = [getattr(one, f"get_{name}label")() for one in (axes, *siblings)]
        of_figure = getattr(figure, f"get_sup{name}label")()
        self.name = name
        self.label = next(filter(None, (*told, of_figure)), "").replace("\n", " ")
        self.words = _words(getattr(axes, f"{name}axis"))

        self.steps = _steps(getattr(axes, f"{name}axis"))

    def describe(self, rows: list[dict[str, Any]]) -> None:
        """Add the axis's name and words to the rows of its panel, in place."""
        placed = [row for row in rows if row.get(self.name) is not None]
        nearest = [_nearest(row[self.name], self.steps) for row in placed]
        if all(nearest):
            for row, step in zip(placed, nearest, strict=True):
                row[self.name] = step
        for row in rows:
            row[f"{self.name} axis"] = self.label
        for row in placed if self.words else ():
            row[f"{self.name} label"] = self.words.get(round(float(row[self.name]), 6), "")


def _steps(axis: Any) -> np.ndarray:
    """The ticks of a logarithmic axis, where they were set by hand: the sizes of a study."""
    locator = axis.get_major_locator()
    is_set = axis.get_scale() == "log" and isinstance(locator, FixedLocator)
    return np.asarray(locator.locs, dtype=float) if is_set else np.empty(0)


def _nearest(place: float, steps: np.ndarray) -> float | None:
    """The tick around which marks stand side by side so that equal ones can be seen."""
    near = steps[(steps > place / BESIDE) & (steps < place * BESIDE)]
    return float(near[np.abs(near - place).argmin()]) if near.size else None


def _words(axis: Any) -> dict[float, str]:
    """The words that an axis has for its numbers, by number; none where they are the numbers."""
    mapping = getattr(axis.units, "_mapping", None)
    if mapping:
        return {float(place): str(word) for word, place in mapping.items()}
    formatter = axis.get_major_formatter()
    if not isinstance(formatter, FixedFormatter | FuncFormatter):
        return {}
    places = axis.get_majorticklocs()
    told = zip(places, formatter.format_ticks(places), strict=False)
    words = {round(float(place), 6): word.replace("\n", " ") for place, word in told}
    return words if any(_is_word(word) for word in words.values()) else {}


def _is_word(text: str) -> bool:
    try:
        float(text.replace(",", "").replace("−", "-").rstrip("% "))
    except ValueError:
        return bool(text.strip())
    return False
