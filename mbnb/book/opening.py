"""How a chapter begins and ends: its data, trials with its parameters, and what its prose names."""

from __future__ import annotations

import importlib.metadata
import platform
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pandas as pd
from IPython.display import Markdown, display
from myst_nb import glue

from mbnb.book.parameters import SIX, Parameters, changed, parameters, told
from mbnb.data.datasets import SIMULATED, prepare
from mbnb.data.responses import ResponseMatrix
from mbnb.data.simulate import MADE_UP
from mbnb.judge.agreement import Agreement, Reading, mdad
from mbnb.judge.table import Trials
from mbnb.methods.selector import Selector
from mbnb.plots import setup_charts
from mbnb.run.splits import Split, make_split, possible_counts, possible_sizes
from mbnb.run.store import ResultStore
from mbnb.run.trials import run_trials

_STARTED = time.monotonic()
VERSIONS = ("mbnb", "numpy", "scipy", "scikit-learn", "pandas", "kmedoids", "altair", "seaborn")


@dataclass(frozen=True, eq=False)
class Study:
    """The data of a chapter and the trials that it may run on them.

    Attributes
    ----------
    p : Parameters
        The chapter's, checked.
    matrix : ResponseMatrix
        Complete and without copies of models.
    sizes : list of int
        Of the sizes asked for those that the train half allows.
    n_source, n_target : int
        As asked for, or as many as the data allow.
    notes : tuple of str
        A sentence about each thing that was left out or chosen from the data.
    changed : mapping
        The parameters that differ from those for which the words were written.
    """

    p: Parameters
    matrix: ResponseMatrix
    sizes: list[int]
    n_source: int
    n_target: int
    notes: tuple[str, ...]
    changed: Mapping[str, Any] = field(repr=False)

    @property
    def is_default(self) -> bool:
        """Whether this is the run for which the words were written: only then claims hold."""
        return not self.changed

    @cached_property
    def split(self) -> Split:
        """The first trial's halves, sources and targets."""
        return make_split(
            self.matrix,
            seed=self.p.seed,
            trial=0,
            n_source=self.n_source,
            n_target=self.n_target,
        )

    @cached_property
    def train(self) -> ResponseMatrix:
        """What a selector learns from in the first trial: the sources' answers, train half."""
        return self.matrix.subset(self.split.sources, self.split.train)

    @cached_property
    def targets(self) -> ResponseMatrix:
        """What no selector is given: the targets' answers to the first trial's train half."""
        return self.matrix.subset(self.split.targets, self.split.train)

    @property
    def reading(self) -> Reading:
        """How this chapter reads an MDAD: at its threshold, from bins of a pair a trial."""
        return Reading(threshold=self.p.threshold, min_pairs=self.p.n_trials)

    def run(self, selectors: Sequence[str | Selector] | str = SIX, **more: Any) -> Trials:
        """Trials of these selectors with the chapter's parameters; finished ones are kept.

        Parameters
        ----------
        selectors : sequence of str or Selector, or str
            The study's six where none are named.
        **more
            Arguments of `run_trials` that differ from the chapter's: ``sizes``, ``n_source``,
            ``targets``, ``families``, ``estimators`` and so on.
        """
        given = {
            "sizes": self.sizes,
            "n_trials": self.p.n_trials,
            "n_source": self.n_source,
            "n_target": self.n_target,
            "seed": self.p.seed,
            "store": ResultStore(),
        }
        names = [selectors] if isinstance(selectors, str) else list(selectors)
        return run_trials(self.matrix, names, **{**given, **more})

    def mdad(self, counts: Agreement) -> pd.DataFrame:
        """`mbnb.mdad` as this chapter reads it."""
        return mdad(counts, self.reading)

    def glue(self, **texts: str | int) -> None:
        """Let the chapter's prose name what was computed, by the role ``glue:text``.

        Parameters
        ----------
        **texts
            By name, underscores standing for hyphens; whole numbers get their commas.
        """
        for name, text in texts.items():
            written = text if isinstance(text, str) else f"{text:,}"
            glue(name.replace("_", "-"), written, display=False)

    def footer(self) -> Markdown:
        """The last line of a chapter: data, seed, versions, run time."""
        versions = " · ".join(f"{name} {importlib.metadata.version(name)}" for name in VERSIONS)
        return Markdown(
            f"<small>{data_label(self.matrix)}, content `{self.matrix.content_hash[:12]}` · seed "
            f"{self.p.seed} · Python {platform.python_version()} · {versions} · "
            f"{time.monotonic() - _STARTED:.0f} s</small>"
        )

    def _ipython_display_(self) -> None:
        """What a reader must know of this run, above all that it is another than described."""
        lines = [" ".join(self.notes)] if self.notes else []
        if self.changed:
            lines.insert(
                0,
                f"**Another run than the one described**: {told(self.changed)}. The figures, "
                "tables and numbers are this run's; the words were written for the default one.",
            )
        if lines:
            display(Markdown("\n\n".join(lines)))


def open_study(values: Mapping[str, Any], **defaults: Any) -> Study:
    """Load a chapter's data, check its parameters and set up its charts.

    The page can name the data from then on: the role ``glue:text`` with ``data`` gives, in a
    caption, their name and kind with the numbers of models, items and trials; ``data-one`` the
    same for one trial.

    Parameters
    ----------
    values : mapping
        ``globals()`` of a chapter, right after its parameters cell; see `Parameters`.
    **defaults
        Where the chapter's default is not the book's, such as ``n_trials=10``.

    Raises
    ------
    InputError
        If a parameter is not allowed, or the data cannot be loaded or do not allow a study.

    Examples
    --------
    >>> study = open_study({"dataset": "simulated:gpqa"})
    >>> study.n_source, study.matrix.n_items
    (300, 448)
    """
    setup_charts()
    study = load_study(parameters(values, **defaults), **defaults)
    label = data_label(study.matrix)
    glue("data", f"{label}, {study.p.n_trials:,} trials", display=False)
    glue("data-one", f"{label}, one trial", display=False)
    return study


def load_study(p: Parameters, **defaults: Any) -> Study:
    """The study of checked parameters, outside a chapter; see `open_study`."""
    matrix, notes = prepare(p.dataset, missing=p.missing, duplicates=p.duplicates)
    sizes, too_large = possible_sizes(matrix, p.sizes)
    n_source, n_target, chosen = possible_counts(matrix, p.n_source, p.n_target)
    left_out = ", ".join(f"{size:,}" for size in too_large)
    left_out = f"Sizes above the train half are left out: {left_out}." if too_large else ""
    words = tuple(filter(None, (*notes, chosen, left_out)))
    return Study(p, matrix, sizes, n_source, n_target, words, changed(p, **defaults))


def data_label(matrix: ResponseMatrix) -> str:
    """What a caption says of its data: name, kind and number of models and items."""
    # A folder that `mbnb simulate` wrote has a name of the reader's; its models tell what they are.
    simulated = matrix.name.startswith(SIMULATED) or all(
        str(model).startswith(MADE_UP) for model in matrix.models.index
    )
    kind = "simulated models" if simulated else "models"
    return f"{matrix.name} ({matrix.n_models:,} {kind} × {matrix.n_items:,} items)"
