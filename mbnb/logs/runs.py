"""Which run of a model on a task counts where a folder holds several; concatenates none."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mbnb.data.errors import InputError
from mbnb.logs.grid import Part
from mbnb.logs.values import shortened


def choose_runs(parts: Sequence[Part], rule: str) -> tuple[list[Part], list[str]]:
    """Keep one run of each model and task.

    Parameters
    ----------
    parts : sequence of Part
    rule : str
        "complete": the newest of the runs with as many answers as the log says a whole run has,
        or else as the longest of them; "latest"; "most-rows": the newest of the longest; or a
        run's timestamp.

    Returns
    -------
    (list of Part, list of str)
        Parts of the chosen runs, in the order given, and a note on each choice between runs.

    Raises
    ------
    InputError
        If the rule names a run that some model and task do not have.
    """
    by_pair: dict[tuple[str, str], dict[str, list[Part]]] = {}
    for part in parts:
        pair = (part.answers.model, part.answers.task)
        by_pair.setdefault(pair, {}).setdefault(part.answers.run, []).append(part)
    chosen: list[Part] = []
    notes = []
    short: dict[tuple[str, int, int, bool], list[str]] = {}
    for (model, task), runs in by_pair.items():
        sizes = {
            run: int(np.unique(np.concatenate([part.codes for part in found])).size)
            for run, found in runs.items()
        }
        name = _choose(runs, sizes, rule, model, task)
        chosen += runs[name]
        size = sizes[name]
        if len(runs) > 1:
            files = ", ".join(part.answers.source for part in runs[name])
            notes.append(
                f"{model}, {task}: of {len(runs)} runs {files} was read ({size:,} answers)."
            )
        expected = next((p.answers.expected for p in runs[name] if p.answers.expected), None)
        if expected and size < expected:
            leading = all(part.leading for part in runs[name])
            short.setdefault((task, size, expected, leading), []).append(model)
    return chosen, notes + [_of_short_runs(*what, models) for what, models in short.items()]


def _of_short_runs(task: str, size: int, expected: int, leading: bool, models: list[str]) -> str:
    if len(models) == 1:
        runs = f"{models[0]}, {task}: the run holds"
    else:
        runs = f"{task}: the runs of {len(models):,} models (such as '{models[0]}') hold"
    what = (
        "these are the first ones, as a run with a limit takes them; the first items of a "
        "benchmark are no random sample of it"
        if leading
        else "so a part of the benchmark was run, or the run is unfinished"
    )
    return f"{runs} {size:,} of {expected:,} items; {what}."


def _choose(
    runs: dict[str, list[Part]], sizes: dict[str, int], rule: str, model: str, task: str
) -> str:
    newest_last = sorted(runs)
    if rule == "latest":
        return newest_last[-1]
    if rule in ("complete", "most-rows"):
        most = max(sizes.values())
        if rule == "complete":
            told = [p.answers.expected for found in runs.values() for p in found]
            most = min(most, max((n for n in told if n), default=most))
        return [run for run in newest_last if sizes[run] >= most][-1]
    if rule in runs:
        return rule
    raise InputError(
        f"model '{shortened(model)}' has no run '{shortened(rule)}' of task "
        f"'{shortened(task)}'; it has {', '.join(newest_last) or 'none with a timestamp'}; "
        "allowed are these, complete, latest and most-rows."
    )
