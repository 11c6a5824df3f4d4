"""How a chapter begins: its data, and trials with its parameters; holds no argument of the book."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from IPython.display import Markdown
from myst_nb import glue
from pandas.io.formats.style import Styler

from mbnb.data.datasets import prepare
from mbnb.data.figures import reported
from mbnb.data.groups import GROUPS, group_members
from mbnb.data.responses import ResponseMatrix
from mbnb.judge.agreement import Agreement, agreement, mdad, pair_gaps
from mbnb.judge.comparison import mdad_difference
from mbnb.judge.measures import estimation_error
from mbnb.judge.table import Trials
from mbnb.methods.selectors import SELECTORS, Selector
from mbnb.publish.charts.comparison import YARDSTICK, Comparison, cost_table
from mbnb.publish.charts.style import setup_charts
from mbnb.publish.charts.tables import data_label, footer, listed
from mbnb.run.splits import Split, make_split, possible_counts, possible_sizes
from mbnb.run.store import ResultStore
from mbnb.run.trials import run_trials

# Models of a group that is worth an MDAD of its own.
FEWEST_MEMBERS = 5


@dataclass(frozen=True, eq=False)
class Study:
    """The data of a chapter and the trials that it may run on them.

    Attributes
    ----------
    matrix : ResponseMatrix
        Complete and without copies of models.
    sizes : list of int
        Of the sizes asked for those that the train half allows.
    n_source : int
    n_target : int
    notes : tuple of str
        A sentence about each thing that was left out or chosen from the data; shown where the
        study is the last value of a cell.
    parameters : mapping
        The chapter's own.
    """

    matrix: ResponseMatrix
    sizes: list[int]
    n_source: int
    n_target: int
    notes: tuple[str, ...]
    parameters: Mapping[str, Any] = field(repr=False)

    @cached_property
    def split(self) -> Split:
        """The first trial's halves, sources and targets."""
        return make_split(
            self.matrix,
            seed=self.parameters["seed"],
            trial=0,
            n_source=self.n_source,
            n_target=self.n_target,
        )

    @cached_property
    def train(self) -> ResponseMatrix:
        """What a selector sees in the first trial, the sources' answers to the train half."""
        return self.matrix.subset(self.split.sources, self.split.train)

    @cached_property
    def targets(self) -> ResponseMatrix:
        """What no selector sees, the targets' answers to the first trial's train half."""
        return self.matrix.subset(self.split.targets, self.split.train)

    @property
    def smallest(self) -> int:
        """The smallest size."""
        return min(self.sizes)

    @property
    def largest(self) -> int:
        """The largest size."""
        return max(self.sizes)

    def size_near(self, wanted: int) -> int:
        """The size of this chapter that is nearest to one that its text would like to show."""
        return min(self.sizes, key=lambda size: abs(np.log(size / wanted)))

    def insert(self, **texts: str | int) -> None:
        """Let the chapter's prose name what was computed, by the role ``glue:text``.

        Parameters
        ----------
        **texts
            By name, underscores standing for hyphens; whole numbers get their commas.
        """
        for name, text in texts.items():
            written = text if isinstance(text, str) else f"{text:,}"
            glue(name.replace("_", "-"), written, display=False)

    def run(
        self, selectors: Sequence[str | Selector] | str = tuple(SELECTORS), **changed: Any
    ) -> Trials:
        """Trials of these selectors with the chapter's parameters; finished ones are kept.

        Parameters
        ----------
        selectors : sequence of str or Selector, or str
            The study's six where none are named.
        **changed
            Arguments of `run_trials` that differ from the chapter's: ``sizes``, ``n_source``,
            ``targets``, ``families``, ``estimators`` and so on.
        """
        given = {
            "sizes": self.sizes,
            "n_trials": self.parameters["n_trials"],
            "n_source": self.n_source,
            "n_target": self.n_target,
            "seed": self.parameters["seed"],
            "store": ResultStore(),
        }
        names = [selectors] if isinstance(selectors, str) else list(selectors)
        return run_trials(self.matrix, names, **{**given, **changed})

    def mdad(self, counts: Agreement, **changed: Any) -> pd.DataFrame:
        """`mdad` at the chapter's threshold, where a bin needs one pair a trial to decide."""
        return mdad(counts, **{**self.rule, **changed})

    @property
    def rule(self) -> dict[str, Any]:
        """The arguments ``threshold`` and ``min_pairs`` by which this chapter reads an MDAD."""
        return {
            "threshold": self.parameters["threshold"],
            "min_pairs": self.parameters["n_trials"],
        }

    def compare(self, selector: str) -> Comparison:
        """A selector beside uniform sampling: trials of both, and what follows from them."""
        trials = self.run([YARDSTICK, selector])
        counts = agreement(trials)
        return Comparison(
            selector,
            trials,
            counts,
            self.mdad(counts),
            mdad_difference(counts, YARDSTICK, **self.rule),
            estimation_error(trials),
        )

    def group_mdads(self, threshold: float = 0.8) -> pd.DataFrame:
        """MDAD of uniform sampling within each of the study's fixed groups that the data hold.

        Returns
        -------
        DataFrame
            Columns dataset, group, n_target, selector, size, mdad (points; NaN: not reached) and
            ``within``, the share (0–1) of the group's pairs whose gap lies within it; no row for a
            group with fewer than five models.
        """
        columns = ["dataset", "group", "n_target", "selector", "size", "mdad", "within"]
        tables = [pd.DataFrame(columns=columns)]
        for group in GROUPS:
            members = group_members(self.matrix, group)
            if len(members) < FEWEST_MEMBERS:
                continue
            # Uniform sampling asks no source model, so one is as good as many.
            trials = self.run(YARDSTICK, targets=members, n_source=1)
            table = mdad(agreement(trials), threshold=threshold, min_pairs=trials.n_trials)
            gaps = pair_gaps(self.matrix.subset(models=members).accuracies())
            table["within"] = [np.mean(gaps <= gap + 1e-9) for gap in table["mdad"].fillna(100)]
            own = table.assign(dataset=self.matrix.name, group=group, n_target=len(members))
            tables.append(own.astype({"selector": str})[columns])
        return pd.concat(tables[1:] or tables, ignore_index=True)

    def cost_table(self, costs: pd.DataFrame) -> Styler:
        """Seconds of `time_selector` on `train` beside those reported for the released code."""
        return cost_table(costs, reported("costs"), self.train)

    def footer(self, trials: Trials | None = None) -> Markdown:
        """The last line of the chapter: data, seed, versions, run time."""
        return footer(self.matrix, self.parameters["seed"], trials)

    def _repr_markdown_(self) -> str:
        return " ".join(self.notes)


def open_study(parameters: Mapping[str, Any], *, right_from: float | None = None) -> Study:
    """Load a chapter's data, and set up its charts.

    The page can name the data from then on: the role ``glue:text`` with ``data`` gives, in a
    caption, their name and kind with the numbers of models, items and trials.

    Parameters
    ----------
    parameters : mapping
        From `parameters`: ``dataset`` and ``seed``, and whichever of ``missing``, ``duplicates``,
        ``sizes``, ``n_source``, ``n_target``, ``n_trials`` and ``threshold`` the chapter has.
    right_from : float, optional
        For chapters that can work with right and wrong alone: of graded data, a score counts as
        right from here on, and the notes and the name of the data say so.

    Raises
    ------
    InputError
        If the data cannot be loaded or do not allow a study.
    """
    setup_charts()
    policies = {name: parameters[name] for name in ("missing", "duplicates") if name in parameters}
    matrix, lost = prepare(parameters["dataset"], **policies)
    made_binary = ""
    if right_from is not None:
        matrix, made_binary = _binary(matrix, right_from)
    sizes, too_large = possible_sizes(matrix, parameters.get("sizes", ()))
    n_source, n_target, chosen = possible_counts(
        matrix, parameters.get("n_source"), parameters.get("n_target")
    )
    left_out = f"Sizes above the train half are left out: {listed([f'{k:,}' for k in too_large])}."
    glue("data", data_label(matrix, parameters.get("n_trials")), display=False)
    glue("data-one", f"{data_label(matrix)}, one trial", display=False)
    notes = (*lost, made_binary, chosen, left_out if too_large else "")
    return Study(matrix, sizes, n_source, n_target, tuple(filter(None, notes)), parameters)


def _binary(matrix: ResponseMatrix, right_from: float) -> tuple[ResponseMatrix, str]:
    """Scores of 0 and 1, and a sentence about those that were neither."""
    graded = int(((matrix.scores != 0) & (matrix.scores != 1)).sum())
    if not graded:
        return matrix, ""
    note = (
        f"This chapter needs answers that are right or wrong: {graded:,} of {matrix.scores.size:,} "
        f"scores are neither 0 nor 1, and a score counts as right from {right_from:g} on."
    )
    scores = (matrix.scores >= right_from).astype(np.uint8)
    return replace(matrix, scores=scores, name=f"{matrix.name} at {right_from:g}"), note
