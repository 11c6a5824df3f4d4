"""The numbers that matplotlib's artists show, read back from them; draws and writes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection, PolyCollection, QuadMesh
from matplotlib.colors import to_hex, to_rgba_array
from matplotlib.container import BarContainer
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon

Rows = Iterator[dict[str, Any]]
# Of a picture or a set of points; a larger one is thinned evenly and says so. More would make
# files that a spreadsheet opens slowly, of numbers that nobody reads one by one.
MOST_CELLS = 1_000


def legend_names(figure: Figure) -> dict[str, str]:
    """What legends call a colour, where they call it by one name only."""
    legends = [*figure.legends, *(axes.get_legend() for axes in figure.axes)]
    found: dict[str, set[str]] = {}
    for legend in filter(None, legends):
        for handle, text in zip(legend.legend_handles, legend.get_texts(), strict=False):
            colour = _colour(handle)
            if colour:
                found.setdefault(colour, set()).add(text.get_text())
    return {colour: texts.pop() for colour, texts in found.items() if len(texts) == 1}


def _colour(artist: Any) -> str | None:
    for getter in ("get_color", "get_facecolor", "get_edgecolor"):
        try:
            return to_hex(to_rgba_array(getattr(artist, getter)())[0])
        except (AttributeError, IndexError, ValueError, TypeError):
            continue
    return None


def artist_rows(axes: Axes, names: Mapping[str, str]) -> Rows:
    """A row for each point, bar, interval and cell of a panel.

    Parameters
    ----------
    axes : Axes
    names : mapping of str to str
        From `legend_names`.

    Yields
    ------
    dict
        ``series`` and whichever of ``x``, ``y``, ``low``, ``high`` and ``value`` there are, in the
        units of the axes.
    """
    bars = [one for one in axes.containers if isinstance(one, BarContainer)]
    for number, container in enumerate(bars, start=1):
        series = _series(container, names, f"bars {number}")
        yield from _bar_rows(container, series)
    readers: dict[type, tuple[str, Callable[[Any, str], Rows]]] = {
        Line2D: ("line", _line_rows),
        PathCollection: ("points", _point_rows),
        LineCollection: ("intervals", _segment_rows),
        QuadMesh: ("cells", _mesh_rows),
        PolyCollection: ("band", _band_rows),
        AxesImage: ("cells", _image_rows),
        Polygon: ("outline", _outline_rows),
    }
    counts: dict[str, int] = {}
    for artist in axes.get_children():
        if not artist.get_visible():
            continue
        kind = next((known for known in readers if isinstance(artist, known)), None)
        if kind is not None:
            word, read = readers[kind]
            counts[word] = counts.get(word, 0) + 1
            yield from read(artist, _series(artist, names, f"{word} {counts[word]}"))


def _series(artist: Any, names: Mapping[str, str], otherwise: str) -> str:
    """The label, which a histogram gives to its first bar; else what a legend calls the colour."""
    bars = list(getattr(artist, "patches", []))[:1]
    for one in (artist, *bars):
        label = str(one.get_label() or "")
        if label and not label.startswith("_"):
            return label
    return names.get(_colour(bars[0] if bars else artist) or "", otherwise)


def _thinned(count: int) -> np.ndarray:
    return np.linspace(0, count - 1, min(count, MOST_CELLS)).astype(int)


def _told(series: str, count: int) -> str:
    return series if count <= MOST_CELLS else f"{series}, {MOST_CELLS:,} of {count:,}"


def _line_rows(line: Line2D, series: str) -> Rows:
    if line.axes is None:
        return
    # A rule across the panel has a place on one axis only; a tick or a frame has none.
    has_x, has_y = line.get_transform().contains_branch_seperately(line.axes.transData)
    if not (has_x or has_y):
        return
    x, y = (
        np.asarray(values, dtype=float)
        for values in (line.get_xdata(orig=False), line.get_ydata(orig=False))
    )
    told = _told(series, len(x)) if has_x and has_y else series
    for at in _thinned(len(x)) if has_x and has_y else range(min(len(x), 1)):
        yield {"series": told, "x": x[at] if has_x else None, "y": y[at] if has_y else None}


def _point_rows(points: PathCollection, series: str) -> Rows:
    places: np.ndarray = np.ma.filled(np.ma.asarray(points.get_offsets(), dtype=float), np.nan)
    values = points.get_array()
    shown = values if values is not None and np.ndim(values) == 1 else None
    told = _told(series, len(places))
    for at in _thinned(len(places)):
        row = {"series": told, "x": places[at, 0], "y": places[at, 1]}
        if shown is not None and len(shown) == len(places):
            row["value"] = float(shown[at])
        yield row


def _bar_rows(container: BarContainer, series: str) -> Rows:
    lies = container.orientation == "horizontal"
    for bar in container.patches:
        x, y, width, height = bar.get_x(), bar.get_y(), bar.get_width(), bar.get_height()
        middle = y + height / 2 if lies else x + width / 2
        yield {
            "series": series,
            "x": width if lies else middle,
            "y": middle if lies else height,
        }


def _segment_rows(segments: LineCollection, series: str) -> Rows:
    """A segment along one axis is an interval; any other is told by its ends."""
    for part in (np.asarray(one, dtype=float) for one in segments.get_segments()):
        if len(part) != 2 or not np.isfinite(part).any():
            continue
        (x1, y1), (x2, y2) = part
        if x1 == x2:
            yield {"series": series, "x": x1, "low": min(y1, y2), "high": max(y1, y2)}
        elif y1 == y2:
            yield {"series": series, "y": y1, "low": min(x1, x2), "high": max(x1, x2)}
        else:
            yield {"series": series, "x": x1, "y": y1}
            yield {"series": series, "x": x2, "y": y2}


def _band_rows(band: PolyCollection, series: str) -> Rows:
    """The band of `fill_between`: at each x the lowest and the highest y."""
    for path in band.get_paths():
        corners = pd.DataFrame(path.vertices, columns=["x", "y"])
        for x, own in corners.groupby("x")["y"]:
            yield {"series": series, "x": x, "low": own.min(), "high": own.max()}


def _outline_rows(outline: Polygon, series: str) -> Rows:
    if outline.axes is None or not outline.get_transform().contains_branch(outline.axes.transData):
        return
    for x, y in np.asarray(outline.get_xy(), dtype=float):
        yield {"series": series, "x": x, "y": y}


def _image_rows(image: AxesImage, series: str) -> Rows:
    values: np.ndarray = np.ma.filled(np.ma.asarray(image.get_array(), dtype=float), np.nan)
    left, right, bottom, top = image.get_extent()
    n_rows, n_columns = values.shape[:2]
    if image.origin == "upper":
        bottom, top = top, bottom
    x = left + (np.arange(n_columns) + 0.5) * (right - left) / n_columns
    y = bottom + (np.arange(n_rows) + 0.5) * (top - bottom) / n_rows
    yield from _cell_rows(x, y, values, series)


def _mesh_rows(mesh: QuadMesh, series: str) -> Rows:
    corners = np.asarray(mesh.get_coordinates(), dtype=float)
    values = mesh.get_array()
    if values is None:
        return
    x = (corners[0, 1:, 0] + corners[0, :-1, 0]) / 2
    y = (corners[1:, 0, 1] + corners[:-1, 0, 1]) / 2
    shown: np.ndarray = np.ma.filled(np.ma.asarray(values, dtype=float), np.nan)
    yield from _cell_rows(x, y, shown.reshape(len(y), len(x)), series)


def _cell_rows(x: np.ndarray, y: np.ndarray, values: np.ndarray, series: str) -> Rows:
    if values.ndim != 2:  # colours, which stand for no number
        return
    step = int(np.ceil(np.sqrt(values.size / MOST_CELLS))) or 1
    told = series if step == 1 else f"{series}, one row and column in {step}"
    for row in range(0, values.shape[0], step):
        for column in range(0, values.shape[1], step):
            yield {"series": told, "x": x[column], "y": y[row], "value": values[row, column]}
