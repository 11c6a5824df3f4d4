"""The named choices of `read`: what to take where logs leave room; reads nothing."""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from mbnb.data.errors import InputError

HOW = ("strict", "inner", "outer")
ON_BAD = ("error", "skip")
REPEATS = ("first", "last")
REPLICATES = ("mean", "first")
ERRORS = ("missing", "wrong")
REDUCE = ("mean", "all")


@dataclass(frozen=True)
class ReadOptions:
    """Choices where logs leave room; none is made silently.

    Attributes
    ----------
    how : {"strict", "inner", "outer"}
        Models that hold different items: refuse, keep the items that all hold, or keep all items
        (what a model lacks is missing).
    on_bad : {"error", "skip"}
        A row that cannot be read: refuse, or skip and count it.
    metric : str or mapping of task (a pattern such as ``bbh_*``) to str, optional
        The logged number that is the score.
    filter : str, optional
        lm-evaluation-harness: the filter whose rows count.
    repeat : {"first", "last"}, optional
        Rows of one item that stand repeatedly (lm-evaluation-harness without a filter's name,
        Inspect's samples that were run again): which of them counts.
    run : str
        Of several runs of one model and task: "complete" (the newest of those that hold all
        rows), "latest", "most-rows" (the newest of the longest), or a timestamp.
    tasks : tuple of str
        Read these tasks only; all where it is empty.
    subtask_field : str, optional
        The field of a log's item that names its subtask; otherwise the task is the subtask.
    content_field : str, optional
        The field of a log's item by which it is checked that one id means one item; otherwise all
        of it, so that options in another order are another item.
    replicates : {"mean", "first"}, optional
        Several answers of a model to one item (epochs, trials): their mean, or the first.
    errors : {"missing", "wrong"}, optional
        Samples that ended in an error or were not scored: missing, or wrong.
    reduce : {"mean", "all"}, optional
        A metric that is a list: its mean, or whether all of it holds.
    perturbed : bool
        HELM: keep perturbed instances too, as items of their own.
    items : tuple of str, optional
        Ids of all items where a log names only the solved ones (SWE-bench).
    mixed_versions : bool
        Accept models that were judged by different versions of a task.
    verify : bool
        lm-evaluation-harness: recompute accuracies from log-likelihoods and count disagreements.
    binarise : float, optional
        Turn scores into 1 (at least this) and 0; otherwise they stay what they are.
    """

    how: str = "strict"
    on_bad: str = "error"
    metric: str | Mapping[str, str] | None = None
    filter: str | None = None
    repeat: str | None = None
    run: str = "complete"
    tasks: tuple[str, ...] = ()
    subtask_field: str | None = None
    content_field: str | None = None
    replicates: str | None = None
    errors: str | None = None
    reduce: str | None = None
    perturbed: bool = False
    items: tuple[str, ...] | None = None
    mixed_versions: bool = False
    verify: bool = False
    binarise: float | None = None

    def __post_init__(self) -> None:
        for name, allowed in (
            ("how", HOW),
            ("on_bad", ON_BAD),
            ("repeat", (None, *REPEATS)),
            ("replicates", (None, *REPLICATES)),
            ("errors", (None, *ERRORS)),
            ("reduce", (None, *REDUCE)),
        ):
            if getattr(self, name) not in allowed:
                known = ", ".join(str(value) for value in allowed if value is not None)
                raise InputError(f"{name} '{getattr(self, name)}' is unknown; allowed: {known}.")
        if self.binarise is not None and not 0 < self.binarise <= 1:
            raise InputError(
                f"binarise is {self.binarise:g}; allowed is a score above 0 and up to 1."
            )

    def metric_of(self, task: str) -> str | None:
        """The metric asked for in a task, if any; of several patterns the longest that fits."""
        if self.metric is None or isinstance(self.metric, str):
            return self.metric
        fitting = [p for p in self.metric if p == task or fnmatch.fnmatchcase(task, p)]
        return self.metric[max(fitting, key=len)] if fitting else None

    def wants(self, task: str) -> bool:
        return not self.tasks or task in self.tasks

    def given(self) -> dict[str, Any]:
        """The choices that differ from the default."""
        return {
            f.name: getattr(self, f.name)
            for f in fields(self)
            if getattr(self, f.name) != f.default
        }
