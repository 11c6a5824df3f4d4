"""What the study costs, as charts, tables and words; measures nothing."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from pandas.io.formats.style import Styler

from mbnb.data.datasets import prepare
from mbnb.data.figures import measured
from mbnb.methods.selectors import SELECTORS
from mbnb.publish.charts.plots import LEGEND
from mbnb.publish.charts.style import LOOKS, PAPER, WIDTH, label
from mbnb.publish.charts.tables import NOTHING, show
from mbnb.run.paper import BENCHMARKS, paper_pieces
from mbnb.study.costs.forecast import unit_seconds
from mbnb.study.costs.timing import expected_seconds

JUDGING = "agreement"
# The selectors whose own work outweighs the split.
DEAR = ("diversity", "anchor-points", "tinybenchmarks")


def duration(seconds: float) -> str:
    """A time as people read it, to two digits: “0.02 s”, “35 s”, “4.2 min”, “2.3 h”."""
    for unit, length in (("h", 3600.0), ("min", 60.0), ("s", 1.0)):
        if seconds >= 0.995 * length or unit == "s":
            value = seconds / length
            return f"{value:.0f} {unit}" if value >= 9.95 else f"{value:.2g} {unit}"
    raise AssertionError("every time has a unit")


def machine_label(part: str) -> str:
    """On which machine and when a part of ``data/measured`` was measured, for a caption."""
    runs = measured("costs-runs")
    run = runs[runs["part"] == part].iloc[0]
    return f"{run['processor']}, {run['cores']} cores, {run['memory_gb']} GB, {run['date']}"


def reported_trial(reported: pd.DataFrame, sizes: Sequence[int]) -> float:
    """Seconds of one trial at these sizes, from the reported seconds of its steps.

    Sizes that lie between two reported ones are interpolated on logarithmic axes; judging is left
    out, and so is what was not reported.

    Parameters
    ----------
    reported : DataFrame
        ``reported("costs")``; a size of NaN there stands for every size.
    sizes : sequence of int
    """
    steps = reported[reported["step"] != JUDGING]
    once = steps.loc[steps["step"] == "fit", "seconds"].sum()
    choosing = steps[steps["step"] == "selection"]
    alike = choosing.loc[choosing["size"].isna(), "seconds"].sum() * len(sizes)
    total = once + alike
    for _, rows in choosing.dropna(subset="size").groupby("selector"):
        rows = rows.sort_values("size")
        logs = np.interp(np.log(sizes), np.log(rows["size"]), np.log(rows["seconds"]))
        total += np.exp(logs).sum()
    return float(total)


def compare_steps(
    reported: pd.DataFrame, timed: dict[str, tuple[pd.DataFrame, float]]
) -> pd.DataFrame:
    """Seconds of each step that was reported, as reported and as timed.

    Parameters
    ----------
    reported : DataFrame
        ``reported("costs")``.
    timed : dict of str to (DataFrame, float)
        By what the column is called: what `time_selector` gives for every selector, and the
        seconds of judging one selector at all its sizes. A fit that is shared by the sizes is
        shared out among them.

    Returns
    -------
    DataFrame
        Indexed by the step's name, a column for what was reported and one for each timing; NaN
        where a size was not timed.
    """
    names = [_step_name(row) for _, row in reported.iterrows()]
    columns = {"reported, released code": reported["seconds"].to_numpy()}
    for title, (costs, judging) in timed.items():
        n_sizes = max(1, costs["size"].nunique())
        columns[title] = np.array(
            [
                judging / n_sizes if row["step"] == JUDGING else _like(row, costs)
                for _, row in reported.iterrows()
            ]
        )
    return pd.DataFrame(columns, index=pd.Index(names, name="Step"))


def _step_name(row: pd.Series) -> str:
    if row["step"] == JUDGING:
        return "Agreement, MDAD and intervals of a grid, each selector and size"
    if row["step"] == "fit":
        return f"{label(row['selector'])}, fit"
    size = "each size" if np.isnan(row["size"]) else f"{row['size']:,.0f} items"
    return f"{label(row['selector'])}, {size}"


def _like(row: pd.Series, costs: pd.DataFrame) -> float:
    """What was timed of a reported step."""
    own = costs[costs["selector"] == row["selector"]]
    fit = own.loc[own["step"] == "fit", "seconds"].sum()
    if row["step"] == "fit":
        return float(fit)
    chosen = own[own["step"] == "selection"]
    wanted = chosen if np.isnan(row["size"]) else chosen[chosen["size"] == row["size"]]
    # Each size has its share of the fit, since the released code fits for each size anew.
    return float(wanted["seconds"].mean() + fit / max(1, len(chosen)))


def show_steps(table: pd.DataFrame, timed: str, caption: str) -> Styler:
    """The table of `compare_steps`, with the factor between what was reported and one timing."""
    factors = table["reported, released code"] / table[timed]
    shown = table.map(lambda value: NOTHING if np.isnan(value) else _seconds(value))
    shown["reported ÷ measured"] = [NOTHING if np.isnan(f) else _factor(f) for f in factors]
    return show(shown).set_caption(caption)


def bounds_table(bounds: pd.DataFrame) -> Styler:
    """Each selector: seconds of a trial, the least that its way of working needs, and the ratio."""
    rows = {
        label(row["selector"]): {
            "one trial (s)": _seconds(row["seconds"]),
            "bound (s)": _seconds(row["bound_seconds"]),
            "trial ÷ bound": _factor(row["ratio"]),
            "what the bound counts": row["bound"],
        }
        for _, row in bounds.iterrows()
    }
    return show(pd.DataFrame.from_dict(rows, orient="index"))


def growth_table(growth: pd.DataFrame) -> Styler:
    """By what factor the seconds grow when items, source models or trials double the last time."""
    seconds = growth.sort_values("value").groupby(["selector", "grows"], sort=False)["seconds"]
    factors = seconds.agg(lambda curve: curve.iloc[-1] / curve.iloc[-2]).unstack()
    order = [name for name in (*SELECTORS, *factors.index) if name in factors.index]
    factors = factors.loc[list(dict.fromkeys(order)), ["items", "sources", "trials"]]
    factors.index = [label(str(name)) for name in factors.index]
    factors.columns = ["twice the items", "twice the source models", "twice the trials"]
    return show(factors.map(lambda f: NOTHING if np.isnan(f) else f"× {f:.1f}"))


def draw_growth(growth: pd.DataFrame) -> Figure:
    """Seconds of one trial against items (left) and source models (right), logarithmic axes.

    Parameters
    ----------
    growth : DataFrame
        ``measured("costs-growth")``.
    """
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(WIDTH, 4.4), sharey=True, layout="constrained"
    )
    titles = {"items": "Items of the train half", "sources": "Source models"}
    for axes, (grows, title) in zip((left, right), titles.items(), strict=True):
        _draw_curves(axes, growth[growth["grows"] == grows], "value", "seconds")
        axes.set_xlabel(title)
    left.set_ylabel("Seconds of one trial")
    figure.legend(*left.get_legend_handles_labels(), **LEGEND)
    plt.close(figure)  # a page shows what is returned, and would show an open figure again
    return figure


def draw_large(large: pd.DataFrame) -> Figure:
    """Seconds (left) and memory beyond the answers (right) against items, logarithmic axes.

    Parameters
    ----------
    large : DataFrame
        ``measured("costs-large")``.
    """
    table = large.assign(
        seconds=large["fit_seconds"] + large["selection_seconds"],
        # A process that needs next to nothing reads as 1 MB, not as a gap in the curve.
        extra=(large["peak_mb"] - large["matrix_mb"]).clip(lower=1),
    )
    figure, (left, right) = plt.subplots(1, 2, figsize=(WIDTH, 4.4), layout="constrained")
    for axes, column in ((left, "seconds"), (right, "extra")):
        _draw_curves(axes, table, "n_items", column)
        axes.set_xlabel("Items of the train half")
        axes.tick_params(axis="x", rotation=45)
    left.set_ylabel("Seconds, fit and one selection")
    right.set_ylabel("Memory beyond the answers (MB)")
    figure.legend(*left.get_legend_handles_labels(), **LEGEND)
    plt.close(figure)  # a page shows what is returned, and would show an open figure again
    return figure


def _draw_curves(axes: Axes, table: pd.DataFrame, x: str, y: str) -> None:
    for name in SELECTORS:
        rows = table[table["selector"] == name].sort_values(x)
        look = LOOKS[name]
        axes.plot(
            rows[x],
            rows[y],
            color=look.color,
            marker=look.marker,
            markeredgecolor=PAPER,
            markeredgewidth=0.6,
            dashes=look.dash or (None, None),
            linewidth=1.6,
            label=look.label,
        )
    values = sorted(table[x].unique())
    axes.set(xscale="log", yscale="log", xticks=values)
    axes.set_xticklabels([f"{value:,}" for value in values])
    axes.minorticks_off()
    axes.yaxis.set_major_formatter("{x:g}")


def planning_table(
    n_items: Sequence[int],
    sizes: Sequence[int],
    *,
    n_source: int,
    n_trials: int,
    yardstick: float,
) -> Styler:
    """Expected time of one trial of each selector, and of a grid, on one core: a row a benchmark.

    Parameters
    ----------
    n_items : sequence of int
        Of whole benchmarks, of which half are the train half.
    sizes : sequence of int
        Those above the train half are left out.
    n_source, n_trials : int
    yardstick : float
        From `measure_yardstick`.
    """
    rows = {}
    for count in n_items:
        half = count // 2
        possible = [size for size in sizes if size <= half]
        each = {
            name: expected_seconds(
                name, n_items=half, n_source=n_source, sizes=possible, yardstick=yardstick
            )
            for name in SELECTORS
        }
        dear = {label(name): duration(each[name]) for name in DEAR}
        rows[f"{count:,}"] = {
            **dear,
            "the three others": duration(sum(each[name] for name in SELECTORS if name not in DEAR)),
            f"{n_trials:,} trials of all six": duration(n_trials * sum(each.values())),
        }
    frame = pd.DataFrame.from_dict(rows, orient="index")
    frame.index.name = "Items of the benchmark"
    return show(frame)


def paper_costs(yardstick: float, n_trials: int) -> pd.DataFrame:
    """Expected cost of the paper's whole study on the four simulated benchmarks.

    Returns
    -------
    DataFrame
        A row for each grid and selector: dataset, variant, selector, n_units (trials), seconds of
        one of them on one core.
    """
    rows = []
    for dataset in BENCHMARKS:
        matrix, _ = prepare(dataset, missing="drop-items")
        pieces, _ = paper_pieces(matrix, list(SELECTORS), n_trials=n_trials)
        rows += [
            (dataset, piece.variant, selector.name, n_trials, each)
            for piece in pieces
            for selector in piece.grid.selectors
            for each in [unit_seconds(piece.grid, selector, yardstick)]
        ]
    return pd.DataFrame(rows, columns=["dataset", "variant", "selector", "n_units", "seconds"])


def _seconds(value: float) -> str:
    return "<\u00a00.001" if value < 0.001 else f"{value:.2g}" if value < 10 else f"{value:,.0f}"


def _factor(value: float) -> str:
    # Beyond a hundred one of the two is too short to be timed well.
    return f"{value:.1f}" if value < 9.95 else f"{value:.0f}" if value <= 100 else "> 100"
