"""Splits: the halves of the items and the sources and targets among the models; chooses no item.

Every choice is made by a pseudo-random priority that each id draws for itself from (seed, trial,
purpose): the order of rows and columns changes nothing, and a model or an item that is added moves
no other than the one it displaces.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix

# The study's numbers of models.
DEFAULT_SOURCES = 300
DEFAULT_TARGETS = 50


@dataclass(frozen=True, eq=False)
class Split:
    """One trial's split; all are ascending positions in the matrix.

    Attributes
    ----------
    train, heldout : ndarray of int64
        Items: within each subtask floor(n / 2) are train, the rest held out.
    sources, targets : ndarray of int64
        Models whose answers choose the items, and models whose ranking is judged.
    """

    train: np.ndarray
    heldout: np.ndarray
    sources: np.ndarray
    targets: np.ndarray


def key_of(text: str) -> int:
    """A 64-bit number that stands for a text, the same everywhere."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def priorities(ids: np.ndarray, *key: int) -> np.ndarray:
    """Independent uniform 64-bit priorities, one for each id, given a key; shape (n_ids,).

    The ids' hashes are mixed with the key by the finaliser of SplitMix64 (Steele, Lea and Flood
    2014).
    """
    salt = np.random.SeedSequence(list(key)).generate_state(1, np.uint64)
    state = np.array([key_of(str(name)) for name in ids], dtype=np.uint64) ^ salt
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        state = (state ^ (state >> np.uint64(shift))) * np.uint64(factor)
    return state ^ (state >> np.uint64(31))


def split_items(matrix: ResponseMatrix, seed: int, trial: int) -> tuple[np.ndarray, np.ndarray]:
    """Train and held-out halves: within each subtask floor(n / 2) items are train.

    A subtask of one item goes to the held-out half.

    Raises
    ------
    InputError
        If no subtask has two items, so that the train half would be empty.
    """
    draw = priorities(matrix.item_ids, seed, trial, key_of("items"))
    order = np.lexsort((draw, matrix.subtask_codes))
    codes = matrix.subtask_codes[order]
    starts = np.searchsorted(codes, np.arange(len(matrix.subtasks)))
    counts = np.bincount(codes, minlength=len(matrix.subtasks))
    rank = np.arange(codes.size) - starts[codes]
    in_train = rank < (counts // 2)[codes]
    if not in_train.any():
        raise InputError(
            f"{matrix.name}: no subtask has two items, so half of each leaves the train half "
            "empty; at least one subtask must have two."
        )
    return np.sort(order[in_train]), np.sort(order[~in_train])


def split_models(
    matrix: ResponseMatrix,
    seed: int,
    trial: int,
    *,
    n_source: int,
    n_target: int,
    targets: Sequence[str] | None = None,
    families: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """Source and target models.

    Parameters
    ----------
    n_source, n_target : int
        How many of each; `n_target` is not used where `targets` are named.
    targets : sequence of str, optional
        Ids of fixed target models.
    families : bool
        Keep every family (column ``family`` of the models) on one side: families are taken in
        random order until they fill the targets; the rest of a family taken is left out.

    Raises
    ------
    InputError
        If there are too few models (the message says how many are possible), a target is unknown,
        or the families are.
    """
    draw = priorities(matrix.model_ids, seed, trial, key_of("models"))
    order = np.argsort(draw)
    if targets is not None:
        if len(set(targets)) != len(targets) or not len(targets):
            raise InputError("targets must be named once each, and at least one of them.")
        chosen = np.sort([matrix.models.index.get_loc(t) for t in _known(matrix, targets)])
    elif families:
        chosen = _whole_families(matrix, order, seed, trial, n_target)
    else:
        chosen = np.sort(order[:n_target])
    closed = np.zeros(matrix.n_models, dtype=bool)
    closed[chosen] = True
    if families:
        closed = np.isin(_families(matrix), _families(matrix)[chosen])
    sources = order[~closed[order]][:n_source]
    wanted = len(targets) if targets is not None else n_target
    if len(chosen) < wanted or len(sources) < n_source:
        raise InputError(
            f"{matrix.name}: {n_source} sources and {wanted} targets are asked for, but of its "
            f"{matrix.n_models} models {int((~closed).sum())} are left as sources beside "
            f"{len(chosen)} targets{' of other families' if families else ''}; ask for fewer."
        )
    return np.sort(sources), chosen


def make_split(
    matrix: ResponseMatrix,
    *,
    seed: int,
    trial: int,
    n_source: int,
    n_target: int = 50,
    targets: Sequence[str] | None = None,
    families: bool = False,
) -> Split:
    """One trial's split of items and models; see `split_items` and `split_models`."""
    train, heldout = split_items(matrix, seed, trial)
    sources, chosen = split_models(
        matrix,
        seed,
        trial,
        n_source=n_source,
        n_target=n_target,
        targets=targets,
        families=families,
    )
    return Split(train, heldout, sources, chosen)


def possible_sizes(matrix: ResponseMatrix, sizes: Iterable[int]) -> tuple[list[int], list[int]]:
    """The sizes that the train half allows, and those it does not, each in the order given."""
    counts = np.bincount(matrix.subtask_codes)
    n_train = int((counts // 2).sum())
    sizes = list(sizes)
    return [s for s in sizes if s <= n_train], [s for s in sizes if s > n_train]


def possible_counts(
    matrix: ResponseMatrix, n_source: int | None = None, n_target: int | None = None
) -> tuple[int, int, str]:
    """Numbers of source and target models that a matrix allows, and a sentence about them.

    What is not given is the study's 50 targets and 300 sources where there are enough models,
    else a third of the models as targets and the rest as sources.

    Returns
    -------
    (int, int, str)
        n_source, n_target, and what was chosen and why ("" where both were given).

    Raises
    ------
    InputError
        If the numbers given are more than there are models; the message says what is possible.
    """
    n_models = matrix.n_models
    if n_models < 3:
        raise InputError(
            f"{matrix.name} has {n_models} models; at least 3 are needed: two targets to compare "
            "and a source."
        )
    given = n_source, n_target
    if n_target is None:
        room = n_models - (n_source or 0)
        enough = n_models >= DEFAULT_TARGETS + (n_source or DEFAULT_SOURCES)
        n_target = DEFAULT_TARGETS if enough else max(2, min(room, n_models // 3))
    if n_source is None:
        n_source = min(DEFAULT_SOURCES, n_models - n_target)
    if n_target < 2 or n_source < 1 or n_source + n_target > n_models:
        raise InputError(
            f"{matrix.name} has {n_models} models, so {n_source} sources and {n_target} targets "
            f"are not possible; allowed are at least 1 source and 2 targets, {n_models} in all."
        )
    if None not in given:
        return n_source, n_target, ""
    note = f"{n_target} of the {n_models} models are targets, {n_source} are sources"
    if (n_source, n_target) != (DEFAULT_SOURCES, DEFAULT_TARGETS):
        note += f" (the study has {DEFAULT_TARGETS} and {DEFAULT_SOURCES})"
    note += "."
    return n_source, n_target, note


def _known(matrix: ResponseMatrix, targets: Sequence[str]) -> Sequence[str]:
    unknown = [t for t in targets if t not in matrix.models.index]
    if unknown:
        raise InputError(
            f"{matrix.name}: {len(unknown)} target models are unknown (first: '{unknown[0]}'); "
            f"allowed are the ids of its {matrix.n_models} models."
        )
    return targets


def _families(matrix: ResponseMatrix) -> np.ndarray:
    if "family" not in matrix.models.columns:
        raise InputError(
            f"{matrix.name}: its models have no column 'family', so families cannot be kept apart."
        )
    return pd.factorize(matrix.models["family"], use_na_sentinel=False)[0]


def _whole_families(
    matrix: ResponseMatrix, order: np.ndarray, seed: int, trial: int, n_target: int
) -> np.ndarray:
    codes = _families(matrix)
    names = matrix.models["family"].astype(str).to_numpy(dtype=object)
    draw = priorities(names, seed, trial, key_of("families"))
    # Models by their family's priority, then by their own.
    rank = np.empty(order.size, dtype=np.int64)
    rank[order] = np.arange(order.size)
    by_family = np.lexsort((rank, codes, draw))
    return np.sort(by_family[:n_target])
