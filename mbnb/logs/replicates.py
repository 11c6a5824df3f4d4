"""Several answers of one model to one item (epochs, trials) become one, by a named choice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mbnb.data.errors import InputError

OTHER_REPLICATE = "answer of another epoch or trial (replicates=first)"


@dataclass(frozen=True)
class Reduced:
    """One answer an item.

    Attributes
    ----------
    first : ndarray of int, shape (n_items,)
        Position of each item's first replicate.
    scores : ndarray of float, shape (n_items,)
    rows : ndarray of int, shape (n_items,)
        Rows behind each answer.
    n_dropped : int
        Rows of replicates that do not count.
    n_replicates : int
        Most replicates that an item has.
    """

    first: np.ndarray
    scores: np.ndarray
    rows: np.ndarray
    n_dropped: int
    n_replicates: int

    def note(self, task: str, rule: str | None, word: str) -> list[str]:
        """What was made of several answers, if there were any."""
        if self.n_replicates < 2:
            return []
        what = "their mean" if rule == "mean" else "the first of them"
        return [
            f"{task}: models have up to {self.n_replicates} answers ({word}s) to an item, and "
            f"{what} counts (replicates={rule})."
        ]


def one_answer_each(
    ids: Sequence[str],
    replicates: Sequence[int],
    scores: Sequence[float],
    rows: Sequence[int],
    rule: str | None,
    source: str,
    word: str,
) -> Reduced:
    """Reduce replicates.

    Parameters
    ----------
    ids, replicates, scores, rows : sequences of length n
        Item, number of the replicate, score (NaN = missing) and rows of each answer.
    rule : {"mean", "first"} or None
        "mean": over the replicates that have a score, so that a fraction stays a fraction;
        "first": that of the lowest number, missing where that one has no score.
    source, word : str
        The file, and what a replicate is called there, for messages.

    Raises
    ------
    InputError
        If an item has several replicates and no rule is given, or one stands repeatedly.
    """
    groups: dict[str, list[int]] = {}
    for position, item in enumerate(ids):
        groups.setdefault(item, []).append(position)
    most = max(map(len, groups.values()), default=0)
    for item, members in groups.items():
        numbers = [replicates[k] for k in members]
        if len(set(numbers)) < len(numbers):
            twice = next(n for n in numbers if numbers.count(n) > 1)
            raise InputError(
                f"{source}: item '{item}' stands more than once with {word} {twice}; allowed is "
                "one answer of each."
            )
    if most > 1 and rule is None:
        n_several = sum(len(members) > 1 for members in groups.values())
        raise InputError(
            f"{source} holds up to {most} answers ({word}s) to each of {n_several:,} items; choose "
            "what counts (replicates=mean, which may leave fractions, or replicates=first)."
        )
    first, means, counts = [], [], []
    for members in groups.values():
        members.sort(key=lambda k: replicates[k])
        used = members[:1] if rule == "first" else members
        known = [scores[k] for k in used if not np.isnan(scores[k])]
        first.append(members[0])
        means.append(sum(known) / len(known) if known else np.nan)
        counts.append(sum(rows[k] for k in used))
    return Reduced(
        np.array(first, dtype=np.int64),
        np.array(means, dtype=float),
        np.array(counts, dtype=np.int64),
        int(sum(rows)) - int(sum(counts)),
        most,
    )
