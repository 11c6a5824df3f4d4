"""Uniform sampling's agreement by gap on real splits, derived pair by pair; draws no item."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.judge.agreement import PAPER, Agreement, Reading, gap_bins
from mbnb.judge.counting import pair_blocks
from mbnb.judge.exact import exact_agreement
from mbnb.judge.normal import normal_agreement
from mbnb.judge.pairs import is_binary
from mbnb.judge.table import HALVES
from mbnb.run.splits import DEFAULT_SOURCES, DEFAULT_TARGETS, Split, make_split

METHODS = ("exact", "normal")


def derive_agreement(
    matrix: ResponseMatrix,
    sizes: Sequence[int],
    *,
    n_trials: int = 50,
    n_source: int = DEFAULT_SOURCES,
    n_target: int = DEFAULT_TARGETS,
    targets: Sequence[str] | None = None,
    families: bool = False,
    seed: int = 0,
    half: str = "train",
    reading: Reading = PAPER,
    method: str = "exact",
) -> Agreement:
    """What `agreement` would count for uniform sampling, if each trial drew all its samples.

    The halves and the targets are those of `run_trials` with the same arguments. Of every pair of
    targets, the items of the train half that only one of them solves are counted, and the chance
    that a random sample orders the pair rightly follows exactly; nothing is drawn.

    Parameters
    ----------
    matrix : ResponseMatrix
        Complete, of binary scores.
    sizes : sequence of int
        At most the items of the train half.
    n_trials, n_source, n_target, targets, families, seed
        See `make_grid`. The sources are not used, but say which models are left as targets where
        families are kept apart.
    half : {"train", "heldout"}
        The half whose accuracies give the gap and the right order; items come from the train half.
    reading : Reading
        See `agreement`; pairs tied on the full half are left out.
    method : {"exact", "normal"}
        How the chance of a pair is computed: by `exact_agreement`, or by `normal_agreement`.

    Returns
    -------
    Agreement
        A cell for each size, of the selector ``uniform`` and the method as estimator. ``agreeing``
        holds the sums of the pairs' chances, so that `mdad` reads it as it does a count; its
        interval is then that of the choice of models and halves alone.

    Raises
    ------
    InputError
        If scores are graded, or an argument is not allowed.
    """
    matrix.require_complete()
    if not is_binary(matrix):
        raise InputError(
            f"{matrix.name} has graded scores; the exact agreement is known for right and wrong "
            "alone."
        )
    if half not in HALVES:
        raise InputError(f"half '{half}' is unknown; allowed: {', '.join(HALVES)}.")
    if method not in METHODS:
        raise InputError(f"method '{method}' is unknown; allowed: {', '.join(METHODS)}.")
    options = {"n_source": n_source, "n_target": n_target, "targets": targets}
    splits = [
        make_split(matrix, seed=seed, trial=trial, families=families, **options)  # type: ignore[arg-type]
        for trial in range(n_trials)
    ]
    trial_of, bin_of, wins, losses, tied = _pairs_of(matrix, splits, half, reading)
    n_drawn = splits[0].train.size
    if method == "exact":
        chances = exact_agreement(wins, losses, sizes, n_drawn, ties=reading.ties)
    else:
        gaps, rates = 100 * (wins - losses) / n_drawn, 100 * (wins + losses) / n_drawn
        chances = np.array(
            [normal_agreement(gaps, rates, k, n_drawn, ties=reading.ties) for k in sizes]
        )
    n_bins = int(bin_of.max(initial=0)) + 1
    place, shape = trial_of * n_bins + bin_of, (n_trials, n_bins)
    pairs = np.bincount(place, minlength=n_trials * n_bins).reshape(shape)
    agreeing = np.array(
        [np.bincount(place, own, minlength=n_trials * n_bins).reshape(shape) for own in chances]
    ).reshape(len(sizes), *shape)
    cells = pd.DataFrame(
        {"selector": "uniform", "estimator": method, "size": list(sizes), "n_source": n_source}
    )
    return Agreement(
        cells=cells,
        gaps=np.arange(n_bins) * reading.width,
        pairs=np.repeat(pairs[None], len(sizes), axis=0),
        agreeing=agreeing,
        tied_pairs=tied,
        dataset=matrix.name,
        half=half,
        reading=reading,
    )


def _pairs_of(
    matrix: ResponseMatrix, splits: Sequence[Split], half: str, reading: Reading
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, int]:
    """Trial, bin, wins and losses of every pair of targets, and how many pairs are tied."""
    parts, tied = [], 0
    for trial, split in enumerate(splits):
        judging = split.heldout if half == "heldout" else split.train
        drawn, judged = (
            matrix.scores[np.ix_(split.targets, items)] for items in (split.train, judging)
        )
        counts = np.concatenate(_pair_counts(drawn, judged), axis=1)
        tied += int((counts[2] == 0).sum())
        counts = counts[:, counts[2] > 0]
        bins = gap_bins(counts[2], reading.width, reading.binning, judging.size)
        parts.append((np.full(bins.size, trial), bins, counts[0], counts[1]))
    trial_of, bin_of, wins, losses = (np.concatenate(column) for column in zip(*parts, strict=True))
    return trial_of, bin_of, wins, losses, tied


def _pair_counts(drawn: np.ndarray, judged: np.ndarray) -> list[np.ndarray]:
    """Wins and losses of the better model of each pair, and its gap in items; shape (3, n_pairs).

    Wins and losses are counted on the items drawn from, the gap on those that judge.
    """
    # Floats: only their products are BLAS's, and counts are exact in them.
    own = drawn.astype(np.float32)
    both = (own @ own.T).astype(np.int64)
    solved = drawn.sum(axis=1, dtype=np.int64)
    standing = judged.sum(axis=1, dtype=np.int64)
    found = []
    for first, second in pair_blocks(len(drawn)):
        gap = standing[first] - standing[second]
        better, worse = np.where(gap >= 0, (first, second), (second, first))
        shared = both[better, worse]
        found.append(np.array([solved[better] - shared, solved[worse] - shared, np.abs(gap)]))
    return found
