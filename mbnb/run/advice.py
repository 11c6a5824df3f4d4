"""A study of one's own benchmark, however small: what trials it allows, and what they advise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.judge.agreement import RISING, Agreement, Reading, agreement, mdad
from mbnb.judge.comparison import mdad_difference
from mbnb.judge.pairs import is_binary
from mbnb.judge.table import Trials
from mbnb.methods.irt import N_DIMS
from mbnb.methods.selectors import KNOWN_SELECTORS
from mbnb.run.splits import possible_counts
from mbnb.run.store import ResultStore
from mbnb.run.trials import make_grid, run_grids

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
# A trial of this many pairs fills the bins; of fewer, a bin cannot hold one a trial on average.
ENOUGH_PAIRS = 100
FEWEST_TO_DECIDE = 20
# Widths of bins in points, and the share of the pairs that must lie in bins that decide.
WIDTHS = (0.5, 1.0, 2.0, 5.0)
MOST = 0.8
# Intervals over fewer trials are no ground to prefer a selector.
ENOUGH_TRIALS = 20
# MDADs that differ by no more points are level.
LEVEL = 0.5
# What names a way of choosing items and reading the answers at one size.
WAY = ["selector", "estimator", "size"]


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
    fixed = n_source is not None and n_target is not None
    why_not = _why_not(matrix.n_models, n_train, fixed=fixed)
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


def _why_not(n_models: int, n_train: int, *, fixed: bool) -> str:
    """Why no trial is possible; empty where trials are."""
    if not n_train:
        return (
            "no subtask has two items, so the items cannot be halved within subtasks; one "
            "subtask must have two"
        )
    if n_models < FEWEST_MODELS and not fixed:
        return (
            f"with {n_models} models there are too few to take some as sources, whose answers "
            f"choose the items, and to rank others; at least {FEWEST_MODELS} are needed"
        )
    return ""


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


def run_plan(
    matrix: ResponseMatrix, plan: TrialPlan, *, n_trials: int, seed: int, store: ResultStore
) -> Trials | None:
    """Every selector of a plan with its own estimator, and uniform sampling with what is learnt.

    Uniform sampling with the plain mean comes first; None where the plan allows no trial.
    """
    if plan.why_not:
        return None
    lots: list[tuple[list[str], list[str] | None]] = [
        ([BASELINE], [PLAIN, LEARNT] if plan.learnt else [PLAIN]),
        ([name for name in plan.selectors if name != BASELINE], None),
    ]
    grids = [
        make_grid(
            matrix,
            selectors,
            plan.sizes,
            n_trials=n_trials,
            n_source=plan.n_source,
            n_target=plan.n_target,
            estimators=estimators,
            seed=seed,
        )
        for selectors, estimators in lots
        if selectors
    ]
    runs = run_grids(grids, store=store)
    names = ["selector", "estimator", "model"]
    table = pd.concat([run.table.astype(dict.fromkeys(names, object)) for run in runs])
    for name in names:
        table[name] = pd.Categorical(table[name], list(dict.fromkeys(table[name])))
    notes = tuple(dict.fromkeys(note for run in runs for note in run.notes))
    return replace(runs[0], table=table.reset_index(drop=True), notes=notes)


def pairs_to_decide(n_trials: int, n_target: int) -> int:
    """How many pairs a bin of gaps must hold to decide an MDAD.

    One a trial on average, the book's rule; with few targets, whose pairs cannot fill the bins,
    in proportion fewer; but at least 20, or an agreement of 0.8 is told from one of 0.6 by luck.
    """
    pairs = n_target * (n_target - 1) // 2
    in_proportion = round(n_trials * min(1.0, pairs / ENOUGH_PAIRS))
    return max(FEWEST_TO_DECIDE, in_proportion)


@dataclass(frozen=True, eq=False)
class Measured:
    """What trials of one matrix say; its tables are empty where there were none.

    Attributes
    ----------
    trials : Trials or None
    mdad, heldout : DataFrame
        From `mdad`, judged on the train and on the held-out half.
    gains, heldout_gains : DataFrame
        From `mdad_difference`, against uniform sampling read with the plain mean.
    reading : Reading
        By which MDADs are read; the width of its bins is half a point where these fill.
    n_bins, n_thin : int
        Bins of gaps that occur, of uniform sampling, and those that hold fewer.
    """

    trials: Trials | None
    mdad: pd.DataFrame
    heldout: pd.DataFrame
    gains: pd.DataFrame
    heldout_gains: pd.DataFrame
    reading: Reading
    n_bins: int = 0
    n_thin: int = 0

    @property
    def sure(self) -> pd.DataFrame:
        """Of `gains` those that hold, with the whole interval above zero on both halves.

        Its columns, and ``heldout`` with the gain in points on the held-out half.
        """
        held = self.heldout_gains[[*WAY, "gain", "low"]]
        both = self.gains.merge(held, on=WAY, suffixes=("", "_heldout"))
        both = both[(both["low"] > 0) & (both["low_heldout"] > 0)]
        kept = both.drop(columns="low_heldout").rename(columns={"gain_heldout": "heldout"})
        return kept.reset_index(drop=True)


def judge_trials(trials: Trials | None, threshold: float = 0.8, rule: str = "first") -> Measured:
    """MDADs on both halves and their differences from uniform sampling.

    Parameters
    ----------
    trials : Trials or None
        With uniform sampling among the selectors, read with the plain mean and perhaps with others;
        None where the matrix allows none.
    threshold, rule
        See `mdad`.
    """
    cell = ["selector", "estimator", "size", "n_source"]
    if trials is None:
        values = pd.DataFrame(columns=[*cell, "mdad", "low", "high", "pairs", "threshold"])
        gains = pd.DataFrame(columns=[*cell, "gain", "low", "high"])
        return Measured(None, values, values, gains, gains, Reading(threshold, rule))
    least = pairs_to_decide(trials.n_trials, trials.n_target)
    width = bin_width(trials, least)
    reading = Reading(threshold, rule, min_pairs=1 if rule in RISING else least, width=width)
    halves = [agreement(trials, half, reading) for half in ("train", "heldout")]
    table, heldout = (mdad(counts) for counts in halves)
    gains, heldout_gains = (mdad_difference(counts, BASELINE, estimator=PLAIN) for counts in halves)
    filled = _filled(halves[0])
    return Measured(
        trials,
        table,
        heldout,
        gains,
        heldout_gains,
        reading,
        n_bins=int(filled.size),
        n_thin=int((filled < least).sum()),
    )


def bin_width(trials: Trials, least: int) -> float:
    """The narrowest bins, of `WIDTHS` points, of which those with enough pairs hold most pairs.

    A leaderboard of hundreds fills bins of half a point. The pairs of a few models do not, and with
    graded scores hardly two of them share a bin.
    """
    table = trials.table
    plain = (table["selector"] == BASELINE) & (table["estimator"] == PLAIN)
    one = replace(trials, table=table[plain])
    one = replace(one, table=one.table[one.table["size"] == one.table["size"].iloc[0]])
    for width in WIDTHS:
        filled = _filled(agreement(one, reading=Reading(width=width)))
        if filled[filled >= least].sum() >= MOST * filled.sum():
            return width
    return WIDTHS[-1]


def _filled(counts: Agreement) -> np.ndarray:
    """Pairs over all trials in each bin of uniform sampling that holds any."""
    pairs = counts.pairs[0].sum(axis=0)
    return pairs[pairs > 0]


@dataclass(frozen=True)
class Advice:
    """How many items to take, and how to choose them, for a gap that one must see.

    Attributes
    ----------
    selector, estimator : str
    size : int
    mdad : float
        In points, that this size may be expected to have on the whole benchmark.
    measured : bool
        Whether trials say so (scaled from a half to the whole), or the theory of sampling alone.
    """

    selector: str
    estimator: str
    size: int
    mdad: float
    measured: bool


def advise(
    measured: Measured,
    gap: float,
    needed: int,
    on_half: pd.Series,
    on_whole: pd.Series,
) -> Advice:
    """The smallest size that sees a gap: uniform sampling's, or one that is surely smaller.

    Another way of choosing items, or of reading the answers, comes first only where, over at least
    20 trials, the whole interval of its lead over uniform sampling read with the plain mean lies
    above zero, on the train half and on the held-out half, and the upper end of its MDAD, scaled
    to the whole benchmark, is at most the gap. Of several at one size, uniform sampling is taken
    where its MDAD is within half a point of the smallest: it favours no model.

    Parameters
    ----------
    measured : Measured
    gap : float
        In points.
    needed : int
        Items that uniform sampling needs for it; see `needed_sizes`.
    on_half, on_whole : Series
        By size, the MDAD expected of uniform sampling from the train half and from all items; see
        `scale_to_whole`.
    """
    fallback = Advice(BASELINE, PLAIN, needed, gap, False)
    trials = measured.trials
    if trials is None or trials.n_trials < ENOUGH_TRIALS:
        return fallback
    ways = _sure_ways(measured, on_half, on_whole)
    fit = ways[(ways["ceiling"] <= gap + 1e-9) & (ways["size"] < needed)]
    return fallback if fit.empty else _simplest(fit[fit["size"] == fit["size"].min()])


def advise_fewer(
    measured: Measured, below: int, on_half: pd.Series, on_whole: pd.Series
) -> Advice | None:
    """The most items below a number at which some way is surely better, and the best way there.

    For those who can pay for fewer items than `advise` says; None where nothing is sure.

    Parameters
    ----------
    measured : Measured
    below : int
        Items.
    on_half, on_whole : Series
        As in `advise`.
    """
    if measured.trials is None or measured.trials.n_trials < ENOUGH_TRIALS:
        return None
    ways = _sure_ways(measured, on_half, on_whole).dropna(subset=["expected"])
    fit = ways[ways["size"] < below]
    return None if fit.empty else _simplest(fit[fit["size"] == fit["size"].max()])


def _sure_ways(measured: Measured, on_half: pd.Series, on_whole: pd.Series) -> pd.DataFrame:
    """Ways that surely gain, with the MDAD expected on the whole benchmark and its upper end."""
    sure = measured.sure.merge(measured.mdad, on=WAY, suffixes=("_gain", ""))
    scale = scale_to_whole(sure["size"], on_half, on_whole)
    return sure.assign(expected=sure["mdad"] * scale, ceiling=sure["high"] * scale)


def _simplest(ways: pd.DataFrame) -> Advice:
    """Of ways at one size the one with the smallest MDAD, or random items where they are level."""
    ways = ways.sort_values("expected", kind="stable")
    level = ways["expected"] <= ways["expected"].iloc[0] + LEVEL
    simple = ways[level & (ways["selector"] == BASELINE)]
    best = (simple if len(simple) else ways).iloc[0]
    size, expected = int(best["size"]), float(best["expected"])
    return Advice(str(best["selector"]), str(best["estimator"]), size, expected, True)


def scale_to_whole(sizes: pd.Series, on_half: pd.Series, on_whole: pd.Series) -> np.ndarray:
    """By how much an MDAD of each size grows from the train half to the whole benchmark.

    A sample is a smaller part of the whole than of the half and leaves more to chance. The factor
    is that of uniform sampling, by theory; NaN where it is not known.
    """
    ratio = on_whole.reindex(on_half.index) / on_half.where(on_half > 0)
    return ratio.reindex(sizes).to_numpy(dtype=float)
