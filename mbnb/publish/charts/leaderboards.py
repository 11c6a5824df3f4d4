"""Real leaderboards side by side: tables of what was measured on them.

Takes finished tables; measures nothing.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from pandas.io.formats.style import Styler

from mbnb.data.datasets import SIMULATED
from mbnb.judge.agreement import format_mdad
from mbnb.judge.leads import FINDINGS, YARDSTICK, level_sizes
from mbnb.judge.summary import summarise
from mbnb.judge.table import Trials
from mbnb.publish.charts.style import label
from mbnb.publish.charts.tables import NOTHING, listed, points, show, two_lines

# What stands in each matrix, and what its “models” are.
KINDS = {
    "openllm2-mmlu-pro-math": "mathematics, multiple choice by log-likelihood",
    "openllm1-metabench": "six benchmarks, items picked for being informative",
    "openllm1-union": "six benchmarks, wider",
    "mmlu-pro-47": "14 subjects, chain of thought",
    "bigcodebench": "programs that pass all tests",
    "rewardbench": "reward models, two choices",
    "swebench-verified": "agents on real issues, resolved or not",
    "resampled-t07": "twelve benchmarks, a dozen samples an answer",
}
THIS_RUN = "this run"


def is_real(table: pd.DataFrame) -> pd.Series:
    """Which rows of a table with the column ``dataset`` were measured on real models."""
    return ~table["dataset"].astype(str).str.startswith(SIMULATED)


def with_this_run(table: pd.DataFrame, trials: Trials) -> pd.DataFrame:
    """A table of real leaderboards, and below it the rows of the trials of this run.

    Parameters
    ----------
    table : DataFrame
        ``measured("leaderboards")``; its rows of simulated leaderboards are left out.
    trials : Trials
        Their data set is called “NAME, this run”, since a real leaderboard may stand above it too.
    """
    live = summarise(trials).assign(dataset=f"{trials.dataset}, {THIS_RUN}")
    columns = [name for name in table.columns if name in live]
    return pd.concat([table.loc[is_real(table), columns], live[columns]], ignore_index=True)


def leaderboards_table(runs: pd.DataFrame, table: pd.DataFrame) -> Styler:
    """A row for each real matrix: what it is, its shape once it is clean, and what is drawn of it.

    Parameters
    ----------
    runs : DataFrame
        ``measured("leaderboards-runs")``.
    table : DataFrame
        ``measured("leaderboards")``.
    """
    drawn = table.drop_duplicates("dataset").set_index("dataset")
    rows = {}
    for _, run in runs[is_real(runs) & runs["dataset"].isin(drawn.index)].iterrows():
        name = run["dataset"]
        rows[_small_below(name, KINDS.get(name, ""))] = {
            "Models": f"{run['n_models']:,}",
            "Items": f"{run['n_items']:,}",
            "Subtasks": f"{run['n_subtasks']:,}",
            "Train half": f"{drawn.loc[name, 'n_train']:,}",
            "Sources": f"{drawn.loc[name, 'n_source']:,}",
            "Targets": f"{drawn.loc[name, 'n_target']:,}",
        }
    frame = pd.DataFrame.from_dict(rows, orient="index")
    return show(frame).set_caption(
        "Models and items that are left after missing answers and copies."
    )


def selector_table(table: pd.DataFrame, selector: str = YARDSTICK, half: str = "train") -> Styler:
    """One selector's MDAD on each data set: rows are data sets, columns sizes, with intervals."""
    own = table[(table["selector"] == selector) & (table["half"] == half)]
    frame = _by_size(own.assign(name=own["dataset"]), ["name"])
    return show(frame.rename_axis(index=None)).set_caption(
        f"MDAD of {label(selector)} in points, 95 % intervals in brackets."
    )


def every_mdad_table(table: pd.DataFrame, half: str = "train") -> Styler:
    """Each selector's MDAD on each data set, with intervals."""
    own = table[table["half"] == half]
    frame = _by_size(own.assign(name=own["selector"].map(label)), ["dataset", "name"])
    frame.index.names = [None, None]
    return show(frame).set_caption("MDAD in points, 95 % intervals in brackets.")


def _by_size(table: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    cells = table.assign(cell=[two_lines(row) for _, row in table.iterrows()])
    order = list(dict.fromkeys(cells[names].itertuples(index=False, name=None)))
    wide = cells.pivot(index=names, columns="size", values="cell")
    wide = wide.reindex([key if len(names) > 1 else key[0] for key in order]).fillna(NOTHING)
    wide.columns = pd.Index([f"{size:,}" for size in wide.columns], name="Size")
    return wide


def _small_below(text: str, small: str) -> str:
    return f'{text}<br><span class="mbnb-below">{small}</span>' if small else text


def expected_table(table: pd.DataFrame, expected: pd.DataFrame) -> Styler:
    """Measured and expected MDAD of uniform sampling: a row for each data set, both in each cell.

    Parameters
    ----------
    table : DataFrame
        From `with_this_run`.
    expected : DataFrame
        Columns dataset, size and expected, in points.
    """
    both = beside_expected(table, expected)
    cells = both.assign(
        cell=[
            _small_below(format_mdad(row.mdad), f"{row.expected:.1f}")
            for row in both.itertuples(index=False)
        ]
    )
    wide = cells.pivot(index="dataset", columns="size", values="cell")
    wide = wide.reindex(list(dict.fromkeys(both["dataset"]))).fillna(NOTHING)
    wide.columns = pd.Index([f"{size:,}" for size in wide.columns], name="Size")
    return show(wide.rename_axis(index=None)).set_caption(
        "MDAD of uniform sampling in points: measured, and below by the closed form."
    )


def beside_expected(table: pd.DataFrame, expected: pd.DataFrame) -> pd.DataFrame:
    """Rows of uniform sampling on the train half with the closed form's value where there is one.

    Returns
    -------
    DataFrame
        Columns dataset, size, mdad, expected, and ``off`` (measured less expected, points).
    """
    own = table[(table["selector"] == YARDSTICK) & (table["half"] == "train")]
    both = own[["dataset", "size", "mdad"]].merge(expected, on=["dataset", "size"])
    both = both.dropna(subset="expected").reset_index(drop=True)
    return both.assign(off=both["mdad"] - both["expected"])


def leads_table(leads: pd.DataFrame) -> Styler:
    """On each data set, who leads at each size and by how much, and where nobody does any more.

    Parameters
    ----------
    leads : DataFrame
        From `leading_selectors`.
    """
    cells = leads.assign(
        cell=[
            "level"
            if row.leader == YARDSTICK or not row.gain > 0
            else f"{label(row.leader)}<br>{points(row.gain)}{'' if row.clear else ' ?'}"
            for row in leads.itertuples(index=False)
        ]
    )
    wide = cells.pivot(index="dataset", columns="size", values="cell")
    wide = wide.reindex(list(dict.fromkeys(leads["dataset"]))).fillna(NOTHING)
    wide.columns = [f"{size:,}" for size in wide.columns]
    level = level_sizes(leads).reindex(wide.index)
    wide["Nobody clearly ahead from"] = [
        "beyond these sizes" if np.isnan(size) else f"{size:,.0f}" for size in level
    ]
    return show(wide.rename_axis(index=None)).set_caption(
        "The lowest MDAD, and by how many points it lies below that of uniform sampling; “?” where "
        "the two intervals overlap."
    )


def findings_table(found: pd.DataFrame) -> Styler:
    """A row for each data set, a column for each finding: whether it holds there.

    Parameters
    ----------
    found : DataFrame
        From `check_findings`.
    """
    words = {True: "yes", False: "no"}
    cells = [NOTHING if holds is None else words[bool(holds)] for holds in found["holds"]]
    wide = found.assign(cell=cells).pivot(index="dataset", columns="finding", values="cell")
    wide = wide.reindex(list(dict.fromkeys(found["dataset"])))[[f.name for f in FINDINGS]]
    return show(wide.rename_axis(index=None, columns=None))


def findings_sentences(found: pd.DataFrame) -> list[str]:
    """For each finding where it holds and where not, in Markdown.

    Parameters
    ----------
    found : DataFrame
        From `check_findings`, of real leaderboards.
    """
    told = []
    for finding in FINDINGS:
        own = found[(found["finding"] == finding.name) & found["holds"].notna()]
        holds = own["holds"].astype(bool)
        fails = [f"`{row.dataset}` ({row.seen})" for row in own[~holds].itertuples(index=False)]
        text = f"*{finding.sentence}* Holds on {int(holds.sum())} of {len(own)} leaderboards"
        told.append(f"{text}; not on {listed(fails)}." if fails else f"{text}.")
    return told


def losses_table(runs: pd.DataFrame) -> Styler:
    """What was left out of each real matrix before it was measured, and where a note says so.

    Parameters
    ----------
    runs : DataFrame
        ``measured("leaderboards-runs")``.
    """
    own = runs[is_real(runs)].set_index("dataset")["left_out"].fillna("nothing")
    own = own.str.replace(r"\b\d{4,}\b", lambda found: f"{int(found[0]):,}", regex=True)
    return show(own.rename("Left out").rename_axis(None).to_frame())
