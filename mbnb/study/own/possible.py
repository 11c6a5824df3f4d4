"""What trials a benchmark of any size allows; runs none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.judge.pairs import is_binary
from mbnb.methods.irt import N_DIMS
from mbnb.methods.selectors import KNOWN_SELECTORS
from mbnb.run.splits import possible_counts

# The items, and what is made of the answers, that all else is held against.
BASELINE, PLAIN = "uniform", "weighted-mean"
# What the baseline's items are read with besides, where there are models to learn from.
LEARNT = "corrected-mean"
# With fewer, what is learnt is luck; the kept figures begin to gain between 10 and 30.
FEWEST_TO_LEARN = 20
# Three targets make three pairs and two sources differ: less is no ranking and no choice.
FEWEST_MODELS = 5
# With fewer models, half are targets: of a third, too few pairs could be made.
SMALL_GROUP = 30
# Fewer points than dimensions say nothing of the dimensions; three a dimension say little.
FEWEST_FOR_IRT = 3 * N_DIMS


@dataclass(frozen=True)
class TrialPlan:
    """What trials a matrix allows.

    Attributes
    ----------
    selectors : tuple of str
        Uniform sampling first.
    sizes : tuple of int
        Rising.
    n_source, n_target, n_train : int
        Models of each kind, and items of the train half.
    notes : tuple of str
        What was left out, added or chosen, a sentence each.
    why_not : str
        Why no trial is possible; empty where trials are.
    learnt : bool
        Whether the items of uniform sampling are read with `corrected-mean` as well.
    """

    selectors: tuple[str, ...]
    sizes: tuple[int, ...]
    n_source: int
    n_target: int
    n_train: int
    notes: tuple[str, ...] = ()
    why_not: str = ""
    learnt: bool = False


def plan_trials(
    matrix: ResponseMatrix,
    selectors: Sequence[str],
    sizes: Sequence[int],
    n_source: int | None = None,
    n_target: int | None = None,
) -> TrialPlan:
    """Fit the study to a matrix, however small.

    Parameters
    ----------
    matrix : ResponseMatrix
        Complete.
    selectors : sequence of str
        Uniform sampling is added as the baseline. Left out are `tinybenchmarks` where scores are
        graded or fewer than 30 models are sources, `subtask` where there is one subtask, and
        `close-pairs` where fewer than 20 models are sources.
    sizes : sequence of int
        Those above the train half are left out; where fewer than three stay, a quarter, a half and
        three quarters of the train half are added.
    n_source, n_target : int, optional
        As in `possible_counts`, but with fewer than 30 models half of them are targets.

    Raises
    ------
    InputError
        If there are fewer than two models, a selector is unknown, or more sources and targets are
        asked for than there are models.
    """
    if matrix.n_models < 2:
        raise InputError(
            f"{matrix.name} has {matrix.n_models} model; a comparison needs at least 2."
        )
    unknown = [name for name in selectors if name not in KNOWN_SELECTORS]
    if unknown:
        raise InputError(
            f"selector '{unknown[0]}' is unknown; known: {', '.join(KNOWN_SELECTORS)}."
        )
    names = tuple(dict.fromkeys([BASELINE, *selectors]))
    n_train = int((np.bincount(matrix.subtask_codes) // 2).sum())
    why_not = ""
    if not n_train:
        why_not = (
            "no subtask has two items, so the items cannot be halved within subtasks; one "
            "subtask must have two"
        )
    elif (n_source is None or n_target is None) and matrix.n_models < FEWEST_MODELS:
        why_not = (
            f"with {matrix.n_models} models there are too few to take some as sources, whose "
            f"answers choose the items, and to rank others; at least {FEWEST_MODELS} are needed"
        )
    if why_not:
        chosen, size_note = _sizes(sizes, matrix.n_items, "benchmark")
        return TrialPlan(names, chosen, 0, 0, n_train, (size_note,), why_not)
    chosen, size_note = _sizes(sizes, n_train, "train half")
    few = matrix.n_models < SMALL_GROUP
    if few and n_source is None and n_target is None:
        n_target = -(-matrix.n_models // 2)
    n_source, n_target, count_note = possible_counts(matrix, n_source, n_target)
    names, notes = _fitting(matrix, names, n_source)
    told = (*notes, size_note, count_note)
    return TrialPlan(
        names,
        chosen,
        n_source,
        n_target,
        n_train,
        tuple(filter(None, told)),
        learnt=n_source >= FEWEST_TO_LEARN,
    )


def _fitting(
    matrix: ResponseMatrix, names: tuple[str, ...], n_source: int
) -> tuple[tuple[str, ...], list[str]]:
    """The selectors that the data suit, and sentences on what is left out."""
    left_out: dict[str, str] = {}
    if "tinybenchmarks" in names and not is_binary(matrix):
        left_out["tinybenchmarks"] = (
            "The scores are graded, and tinyBenchmarks takes scores of 0 and 1 alone: it is left "
            "out."
        )
    elif "tinybenchmarks" in names and n_source < FEWEST_FOR_IRT:
        left_out["tinybenchmarks"] = (
            f"tinyBenchmarks fits {N_DIMS} dimensions of ability, for which {n_source} source "
            f"models are too few (at least {FEWEST_FOR_IRT}): it is left out."
        )
    if "subtask" in names and len(matrix.subtasks) == 1:
        left_out["subtask"] = (
            "There is one subtask, so drawing by subtask would be uniform sampling: it is left out."
        )
    notes = list(left_out.values())
    if n_source < FEWEST_TO_LEARN:
        learners = " and ".join(f"`{n}`" for n in ("close-pairs", LEARNT) if n in (*names, LEARNT))
        notes.append(
            f"{n_source} source models teach too little (at least {FEWEST_TO_LEARN} do): "
            f"{learners} {'are' if 'close-pairs' in names else 'is'} left out."
        )
        left_out["close-pairs"] = ""
    return tuple(name for name in names if name not in left_out), notes


def _sizes(sizes: Sequence[int], n_items: int, of_what: str) -> tuple[tuple[int, ...], str]:
    kept = {size for size in sizes if size <= n_items}
    if len(kept) == len(sizes):
        return tuple(sorted(kept)), ""
    note = f"The {of_what} has {n_items:,} items, so larger sizes are left out"
    added: list[int] = []
    if len(kept) < 3:
        added = sorted({max(1, n_items * quarters // 4) for quarters in (1, 2, 3)} - kept)
    if added:
        note += f"; parts of it are added ({', '.join(map(str, added))})"
    return tuple(sorted({*kept, *added})), f"{note}."
