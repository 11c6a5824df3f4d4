"""Tables, sentences and a figure of “Your own benchmark”; each takes finished results."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Markdown
from matplotlib.figure import Figure
from pandas.io.formats.style import Styler

from mbnb.judge.agreement import format_mdad
from mbnb.methods.selectors import KNOWN_SELECTORS
from mbnb.publish.charts.plots import draw_mdad, points_axis, size_axis
from mbnb.publish.charts.style import THRESHOLD, WIDTH, label
from mbnb.publish.charts.tables import NOTHING, in_points, percent, points, show
from mbnb.study.own.glance import Glance
from mbnb.study.own.possible import BASELINE, LEARNT, PLAIN
from mbnb.study.own.verdict import Advice, Measured, plain_mdads

_MARKS = re.compile(r"([\\`*_{}\[\]<>#$|~^])")


def plain(text: str) -> str:
    """Text that holds names from the data, so that Markdown takes no part of it for its own."""
    return _MARKS.sub(r"\\\1", text)


def named(name: str) -> str:
    """A name from the data as code; names may hold whatever a file's name may."""
    return f"`{name.replace('`', 'ˋ')}`"


def some(names: Sequence[str], most: int = 3) -> str:
    """A few names as code, and how many more there are."""
    shown = ", ".join(named(name) for name in names[:most])
    more = len(names) - most
    return f"{shown} and {more:,} more" if more > 0 else shown


def counted(number: int, one: str, many: str = "") -> str:
    """“1 item”, “2 items”, “no items”."""
    return f"{f'{number:,}' if number else 'no'} {one if number == 1 else many or one + 's'}"


def bullets(texts: Sequence[str]) -> Markdown:
    """Sentences in Markdown as a list."""
    return Markdown("\n".join(f"- {text}" for text in texts))


def glance_table(facts: Glance) -> Styler:
    """The facts of `describe`, a row each."""
    subtasks = f"{facts.n_subtasks:,}"
    if facts.n_subtasks > 1:
        alike = facts.smallest == facts.largest
        sizes = f"{facts.smallest:,}" if alike else f"{facts.smallest:,} to {facts.largest:,}"
        subtasks += f" (of {sizes} items)"
    rows = {
        "Models": f"{facts.n_models:,}",
        "Items": f"{facts.n_items:,}",
        "Subtasks": subtasks,
        "Scores": "0 or 1" if facts.binary else "graded, from 0 to 1",
        "Confidences": "yes" if facts.has_confidences else "none: scores stand in for them",
        "Accuracies": f"{facts.lowest:.1f} to {facts.highest:.1f} points, half of them above "
        f"{facts.median:.1f}",
        "Items that every model gets right": f"{facts.all_right:,}",
        "Items that no model gets right": f"{facts.all_wrong:,}",
        "Models without one right answer": f"{len(facts.zero_models):,}",
    }
    return show(pd.DataFrame({"": rows})).hide(axis="columns")


def way_label(selector: str, estimator: str) -> str:
    """What the page calls a selector with an estimator, which is named if it is not its own."""
    known = KNOWN_SELECTORS.get(selector)
    own = known is None or known.default_estimator == estimator
    return label(selector) if own else f"{label(selector)}, {estimator}"


def how_chosen(advice: Advice) -> str:
    """An advised way in running text: “drawn at random and read with corrected-mean”."""
    chosen = (
        "drawn at random" if advice.selector == BASELINE else f"chosen by {label(advice.selector)}"
    )
    return f"{chosen} and read with {LEARNT}" if advice.estimator == LEARNT else chosen


def draw_own_mdad(
    measured: Measured, expected: pd.Series, floor: pd.Series | None = None
) -> Figure:
    """`draw_mdad` with theory beside what was measured, or theory alone where there were no trials.

    Parameters
    ----------
    measured : Measured
    expected : Series
        MDAD in points that theory expects of uniform sampling, by size.
    floor : Series, optional
        By size, the gap in points below which uniform sampling cannot go.
    """
    if len(measured.mdad):
        return draw_mdad(measured.mdad, floor=floor, expected=expected)
    figure, axes = plt.subplots(figsize=(WIDTH, 3.6), layout="constrained")
    lines = {"Expected of uniform sampling": expected}
    if floor is not None:
        lines["Floor of uniform sampling"] = floor
    for (name, line), dash in zip(lines.items(), ("-", ":"), strict=False):
        axes.plot(line.index, line, color=THRESHOLD, marker="o", linestyle=dash, label=name)
    size_axis(axes, list(expected.index))
    values = np.concatenate([line.to_numpy() for line in lines.values()])
    points_axis(axes, float(np.nanmax(values)) if np.isfinite(values).any() else 1.0)
    axes.set_ylabel("MDAD (points)")
    axes.legend()
    return figure


def gains_table(gains: pd.DataFrame, sizes: Sequence[int]) -> Styler:
    """Points by which selectors see smaller gaps than uniform sampling, with intervals.

    Parameters
    ----------
    gains : DataFrame
        From `mdad_difference`.
    sizes : sequence of int
    """
    rows: dict[str, dict[str, str]] = {}
    for _, row in gains.iterrows():
        text = points(row["gain"])
        if not np.isnan(row["gain"]) and not (np.isnan(row["low"]) and np.isnan(row["high"])):
            # Two minus signs of a column are told from a range's dash by a word.
            ends = [
                "…" if np.isnan(row[end]) else points(row[end]).lstrip("+")
                for end in ("low", "high")
            ]
            text += f'<br><span class="mbnb-interval">[{" to ".join(ends)}]</span>'
        name = way_label(str(row["selector"]), str(row["estimator"]))
        rows.setdefault(name, {})[f"{int(row['size']):,}"] = text
    columns = pd.Index([f"{size:,}" for size in sizes], name="Size")
    return show(pd.DataFrame.from_dict(rows, orient="index").reindex(columns=columns))


def sure_gains(measured: Measured) -> dict[str, list[int]]:
    """Ways that are surely better than uniform sampling, and the sizes at which they are."""
    sure: dict[str, list[int]] = {}
    for _, row in measured.sure.iterrows():
        name = way_label(str(row["selector"]), str(row["estimator"]))
        sure.setdefault(name, []).append(int(row["size"]))
    return sure


def same_items(measured: Measured) -> str:
    """What the items of uniform sampling gain by another reading alone, at the ends of the sizes.

    Empty where they surely gain nothing.
    """
    sure = measured.sure
    own = sure[(sure["selector"] == BASELINE) & (sure["estimator"] == LEARNT)].sort_values("size")
    if own.empty:
        return ""
    plain_mean = plain_mdads(measured)
    told: list[str] = []
    for _, row in own.iloc[sorted({0, len(own) - 1})].iterrows():
        before = float(plain_mean[row["size"]])
        after = in_points(round(before - row["gain"], 1))
        told.append(
            f"the same {int(row['size']):,}{'' if told else ' random'} items see {after} instead "
            f"of {before:g}"
        )
    return f"Read with {LEARNT} in place of the plain mean, {' and '.join(told)}."


def sampling_table(columns: Mapping[str, pd.Series]) -> Styler:
    """MDADs of uniform sampling by size, a column each; “–” where a column has no such size."""
    frame = pd.DataFrame(columns).sort_index()
    known = {name: set(series.index) for name, series in columns.items()}
    text = pd.DataFrame(
        {
            name: [
                format_mdad(round(value, 1)) if size in known[name] else NOTHING
                for size, value in frame[name].items()
            ]
            for name in frame
        },
        index=[f"{int(size):,} items" for size in frame.index],
    )
    return show(text)


def needed_table(needed: pd.Series, n_items: int) -> Styler:
    """Items that uniform sampling needs for each gap, and their share of the benchmark."""
    frame = pd.DataFrame(
        {
            "items drawn at random": [f"{int(size):,}" for size in needed],
            "share of the benchmark": [percent(size / n_items) for size in needed],
        },
        index=[f"{gap:g} {'point' if gap == 1 else 'points'}" for gap in needed.index],
    )
    frame.columns.name = "To see a gap of"
    return show(frame)


def next_steps(
    chosen: Mapping[str, Any], size: int, selector: str = BASELINE, estimator: str = PLAIN
) -> Markdown:
    """The commands that make a micro-benchmark and score new models by it.

    Parameters
    ----------
    chosen : mapping
        The parameters of the run: what is not the commands' default is said again.
    size : int
    selector, estimator : str
    """
    words = ["mbnb", "select", chosen["dataset"], "--selector", selector]
    words += ["--estimator", estimator, "--size", str(size), "--out", "micro.json"]
    for name, default in (("missing", "error"), ("duplicates", "drop"), ("seed", 0)):
        if chosen[name] != default:
            words += [f"--{name}", str(chosen[name])]
    return Markdown(f"```bash\n{shlex.join(words)}\nmbnb score micro.json NEW-LOGS\n```")


def gap_seen(mdad: float, width: float) -> str:
    """An MDAD in a sentence; the bin around 0 holds gaps of up to half its width."""
    return in_points(mdad) if mdad > 0 else f"less than {in_points(width / 2)}"


def best_rows(measured: Measured) -> pd.DataFrame:
    """Of each size the row of the smallest MDAD; no row for a size at which none is reached."""
    reached = measured.mdad.dropna(subset=["mdad"])
    ordered = reached.sort_values(["size", "mdad"], kind="stable")
    return ordered.drop_duplicates("size").reset_index(drop=True)
