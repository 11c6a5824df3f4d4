"""What newer models leave of chosen items and learnt estimates: spread, slope; selects no item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.frozen.matching import match
from mbnb.frozen.micro_benchmark import MicroBenchmark
from mbnb.judge.table import CELL, Trials
from mbnb.methods.selectors import Selector, make_selector
from mbnb.run.splits import key_of, make_split
from mbnb.study.sources.pools import Pool

# Of so few models most items are answered alike by chance.
FEWEST_NEW = 5
N_RESAMPLES = 2000


def chosen_items(
    matrix: ResponseMatrix,
    pools: Sequence[Pool],
    selectors: Sequence[str | Selector],
    size: int,
    *,
    seed: int = 0,
) -> pd.DataFrame:
    """The items that selectors choose from each lot of sources, and what the targets make of them.

    Parameters
    ----------
    matrix : ResponseMatrix
        Complete.
    pools : sequence of Pool
    selectors : sequence of str or Selector
    size, seed : int

    Returns
    -------
    DataFrame
        A row for each chosen item: ``pool``, ``lot``, ``selector``, ``item``; ``source_score`` and
        ``target_score``, the mean scores (0–1) of the lot's sources and of the targets; ``alike``,
        whether all targets have the same score; and ``spread``, the variance of the targets' scores
        on the item as a multiple of its mean over the train half.
    """
    tables = []
    for number, pool in enumerate(pools):
        for lot, sources in pool.sources.items():
            part = matrix.subset(models=sorted((*pool.targets, *sources)))
            split = make_split(
                part, seed=seed + number, trial=0, n_source=pool.n_source, targets=pool.targets
            )
            train = part.subset(split.sources, split.train)
            answers = part.subset(split.targets, split.train).scores.astype(np.float64)
            variance = answers.var(axis=0)
            for selector in map(make_selector, selectors):
                rng = np.random.default_rng([seed + number, key_of(selector.name), size])
                items = selector.fit(train).select(size, rng).items
                tables.append(
                    pd.DataFrame(
                        {
                            "pool": number,
                            "lot": lot,
                            "selector": selector.name,
                            "item": train.item_ids[items].astype(str),
                            "source_score": train.scores[:, items].mean(axis=0, dtype=np.float64),
                            "target_score": answers[:, items].mean(axis=0),
                            "alike": variance[items] == 0,
                            "spread": variance[items] / max(variance.mean(), 1e-12),
                        }
                    )
                )
    return pd.concat(tables, ignore_index=True)


def estimate_shape(lots: Mapping[str, Trials]) -> pd.DataFrame:
    """How estimates of the targets lie to their accuracies on the train half, lot after lot.

    Parameters
    ----------
    lots : mapping of str to Trials
        From `run_recipes`.

    Returns
    -------
    DataFrame
        A row for each lot and cell, means over trials: ``bias`` (estimate minus accuracy, in
        points), ``slope`` (points of estimate for each point of accuracy: below 1 estimates are
        compressed) and ``correlation`` of the two. Trials whose targets are all alike, in accuracy
        or in estimate, have no slope or correlation and are left out of its mean.
    """
    tables = []
    for lot, trials in lots.items():
        own = trials.table.groupby([*CELL, "trial"], observed=True, sort=False)
        rows = own[["train_accuracy", "estimate"]].apply(_shape)
        tables.append(rows.groupby(CELL, observed=True, sort=False).mean().reset_index())
        tables[-1].insert(0, "lot", lot)
    return pd.concat(tables, ignore_index=True)


def _shape(rows: pd.DataFrame) -> pd.Series:
    truth, told = rows["train_accuracy"].to_numpy(float), rows["estimate"].to_numpy(float)
    covariance = np.cov(truth, told)
    truths, tolds = covariance[0, 0], covariance[1, 1]
    return pd.Series(
        {
            "bias": 100 * (told - truth).mean(),
            "slope": covariance[0, 1] / truths if truths > 0 else np.nan,
            "correlation": covariance[0, 1] / np.sqrt(truths * tolds)
            if truths > 0 and tolds > 1e-20
            else np.nan,
        }
    )


@dataclass(frozen=True)
class Wear:
    """How far newer models have worn a frozen micro-benchmark down.

    Attributes
    ----------
    n_models, size : int
        New models, and items frozen.
    alike : float
        Share of the items (0–1) that all new models answer alike: they tell no two of them apart.
    spread, random_spread : float
        Mean variance of the new models' scores on a frozen item, and on one of a random part of the
        benchmark; the latter NaN where none was given.
    ratio, low, high : float
        The first by the second, with a 95 % interval (items resampled); NaN without a random part,
        or where the new models answer it alike.
    advice : str
        A sentence for a reader.
    """

    n_models: int
    size: int
    alike: float
    spread: float
    random_spread: float
    ratio: float
    low: float
    high: float
    advice: str

    @property
    def worn(self) -> bool | None:
        """Whether a random item tells the new models apart better; None where it is not sure."""
        return True if self.high < 1 else False if self.low > 1 else None

    def __str__(self) -> str:
        return self.advice


def wear(
    micro: MicroBenchmark, new: ResponseMatrix, random_part: MicroBenchmark | None = None
) -> Wear:
    """Whether a frozen micro-benchmark should be selected anew for the models that came since.

    What orders two models on an item is that they answer it differently. A selection earns its keep
    as long as its items differ more between the new models than random items of the benchmark do;
    once they differ less, a random draw of the same size tells more.

    Parameters
    ----------
    micro : MicroBenchmark
    new : ResponseMatrix
        New models' answers to at least the frozen items, and to those of `random_part`; five models
        or more.
    random_part : MicroBenchmark, optional
        One that was frozen from the same data by uniform sampling, and is answered along.

    Returns
    -------
    Wear

    Raises
    ------
    InputError
        If there are fewer than five new models, answers are missing, or `random_part` was drawn
        otherwise or from other data.
    """
    if new.n_models < FEWEST_NEW:
        raise InputError(
            f"{new.name} has {new.n_models} new models; wear can be told from {FEWEST_NEW} on."
        )
    own = _variances(micro, new)
    alike = float((own == 0).mean())
    text = f"{new.n_models} new models answer {int((own == 0).sum())} of {micro.size} items alike."
    random_spread = ratio = low = high = np.nan
    if random_part is None:
        text += " Freeze a random part too, to see whether random items would tell more."
    else:
        if random_part.selector != "uniform" or random_part.data != micro.data:
            raise InputError(
                f"the random part was drawn by '{random_part.selector}' from "
                f"{random_part.dataset}; it must be drawn by 'uniform' from the data of the "
                f"micro-benchmark, {micro.dataset}."
            )
        others = _variances(random_part, new)
        random_spread = float(others.mean())
        if random_spread > 0:
            ratio = float(own.mean()) / random_spread
            low, high = _ratio_ends(own, others)
    found = Wear(
        n_models=new.n_models,
        size=micro.size,
        alike=alike,
        spread=float(own.mean()),
        random_spread=random_spread,
        ratio=ratio,
        low=low,
        high=high,
        advice=text,
    )
    return found if random_part is None else replace(found, advice=f"{text} {_advice(found)}")


def _variances(micro: MicroBenchmark, new: ResponseMatrix) -> np.ndarray:
    """Of the new models' scores on each frozen item, shape (size,)."""
    answers, _ = match(micro, new, extra="ignore", unlike="accept")
    return answers.scores.astype(np.float64).var(axis=0, ddof=1)


def _ratio_ends(own: np.ndarray, others: np.ndarray) -> tuple[float, float]:
    rng = np.random.default_rng(key_of("wear"))
    above, below = (
        rng.choice(values, (N_RESAMPLES, values.size)).mean(axis=1) for values in (own, others)
    )
    ratios = np.divide(above, below, out=np.full(above.shape, np.inf), where=below > 0)
    low, high = np.quantile(ratios, [0.025, 0.975], method="inverted_cdf")
    return float(low), float(high)


def _advice(found: Wear) -> str:
    if np.isnan(found.ratio):
        return "They answer the random part alike too: the benchmark itself is used up."
    told = (
        f"Their scores vary {found.ratio:.2f} times as much as on a random item "
        f"(95 % interval {found.low:.2f} to {found.high:.2f}): "
    )
    if found.worn is None:
        return told + "more new models or a larger random part must decide."
    return told + ("select anew." if found.worn else "the selection still earns its keep.")
