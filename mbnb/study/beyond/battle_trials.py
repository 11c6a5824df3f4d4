"""Trials whose items are battles and whose accuracies are ratings; judges nothing.

A trial halves the prompts, rates all models on each half's battles, takes some battles of the train
half, and rates the models again by these alone. The table is that of every other study, so that
`agreement` and `mdad` read it: its accuracies and estimates hold ratings in hundreds of rating
points, and gaps come out in rating points.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from mbnb.data.battles import POINTS, Battles
from mbnb.data.errors import InputError
from mbnb.judge.table import COLUMNS, Trials
from mbnb.methods.estimators import DECIMALS
from mbnb.run.splits import key_of, priorities
from mbnb.study.beyond.ratings import components, fit_ratings, strengths

# Of the prior of every micro-benchmark: few battles seldom have ratings of maximum likelihood.
PRIOR = 1.0
# How far apart, in places of the ranking so far, neighbours may be: this share of the models.
REACH = 1 / 6
# Share of its battles that `neighbours` draws blindly, to have a ranking at all.
BLIND = 0.5


def run_battles(
    battles: Battles,
    sizes: Sequence[int],
    ways: Sequence[str] = ("uniform", "neighbours", "prompts"),
    *,
    n_trials: int = 50,
    prior: float = PRIOR,
    seed: int = 0,
) -> Trials:
    """Rate all models by few battles, chosen in each way at each size, in every trial.

    Parameters
    ----------
    battles : Battles
    sizes : sequence of int
        Battles chosen.
    ways : sequence of str
        “uniform”: at random. “neighbours”: half of them at random, and the rest at random among
        the models that these place near one another; no result is seen before its battle is
        chosen. “prompts”: all battles on prompts drawn at random.
    n_trials : int
    prior : float
        Of the ratings by few battles; see `fit_ratings`. Those of a half are by maximum likelihood.
    seed : int
        Every random choice is keyed by it, the trial, the way and the size.

    Returns
    -------
    Trials
        ``train_accuracy``, ``heldout_accuracy`` and ``estimate`` are ratings in hundreds of rating
        points, so that `agreement` with a ``width`` of some rating points tells gaps in rating
        points. A note says how many of the selections had ratings without the prior.

    Raises
    ------
    InputError
        If a way is unknown, a size is above the battles of a train half, or the battles of a half
        cannot rate all models.
    """
    unknown = [way for way in ways if way not in WAYS]
    if unknown or not ways or len(set(ways)) < len(ways):
        raise InputError(
            f"ways {', '.join(ways) or '(none)'} are not possible; allowed are some of "
            f"{', '.join(WAYS)}, each once."
        )
    if n_trials < 1 or seed < 0 or not sizes or min(sizes) < 1 or not 0 < prior < np.inf:
        raise InputError(
            f"{n_trials} trials of sizes {', '.join(map(str, sizes)) or '(none)'} with seed {seed} "
            f"and prior {prior:g} are not possible; allowed are at least one trial, sizes of at "
            "least 1, a seed that is not negative and a prior above 0."
        )
    rows = []
    connected: list[bool] = []
    halves = [_halves(battles, seed, trial) for trial in range(n_trials)]
    n_train = min(train.n_battles for train, _ in halves)
    if max(sizes) > n_train:
        raise InputError(
            f"{battles.name}: size {max(sizes)} is not possible, since the train half of a trial "
            f"has {n_train:,} battles; allowed are 1 to {n_train}."
        )
    for trial, (train, heldout) in enumerate(halves):
        full = [fit_ratings(half)["rating"].to_numpy() / 100 for half in (train, heldout)]
        for way in ways:
            for size in sizes:
                rng = np.random.default_rng([seed, trial, key_of(way), size])
                chosen = train.subset(WAYS[way](train, size, rng))
                wins = chosen.wins()
                connected.append(components(wins) == 1)
                told = np.round(POINTS * strengths(wins, prior) / 100, DECIMALS)
                rows.append((way, size, trial, *full, told))
    return Trials(
        table=_table(battles, ways, rows),
        dataset=battles.name,
        n_train=n_train,
        n_heldout=min(heldout.n_battles for _, heldout in halves),
        binary=False,
        notes=(
            f"{sum(connected):,} of {len(connected):,} selections would have ratings without the "
            "prior.",
        ),
    )


def _halves(battles: Battles, seed: int, trial: int) -> tuple[Battles, Battles]:
    """The battles on one half of the prompts, and those on the other."""
    prompts = np.unique(battles.prompt)
    draw = priorities(prompts, seed, trial, key_of("prompts"))
    own = np.isin(battles.prompt, prompts[np.argsort(draw)[: prompts.size // 2]])
    if own.all() or not own.any():
        raise InputError(f"{battles.name} has {prompts.size} prompts; halves need at least 2.")
    return battles.subset(np.flatnonzero(own)), battles.subset(np.flatnonzero(~own))


def _uniform(train: Battles, size: int, rng: np.random.Generator) -> np.ndarray:
    return rng.choice(train.n_battles, size, replace=False)


def _neighbours(train: Battles, size: int, rng: np.random.Generator) -> np.ndarray:
    order = rng.permutation(train.n_battles)
    blind = order[: max(1, round(BLIND * size))]
    told = strengths(train.subset(blind).wins(), PRIOR)
    place = np.argsort(np.argsort(-told, kind="stable"))
    rest = order[blind.size :]
    apart = np.abs(place[train.first[rest]] - place[train.second[rest]])
    near = apart <= max(1, round(REACH * train.n_models))
    # Where there are too few near ones, the others follow.
    return np.concatenate([blind, rest[np.argsort(~near, kind="stable")]])[:size]


def _prompts(train: Battles, size: int, rng: np.random.Generator) -> np.ndarray:
    names, code = np.unique(train.prompt, return_inverse=True)
    order = rng.permutation(train.n_battles)
    return order[np.argsort(rng.permutation(names.size)[code[order]], kind="stable")][:size]


WAYS: dict[str, Callable[[Battles, int, np.random.Generator], np.ndarray]] = {
    "uniform": _uniform,
    "neighbours": _neighbours,
    "prompts": _prompts,
}


def _table(battles: Battles, ways: Sequence[str], rows: list[tuple]) -> pd.DataFrame:
    """The rows in the order way, size, trial, model."""
    order = {way: number for number, way in enumerate(ways)}
    rows = sorted(rows, key=lambda row: (order[row[0]], row[1], row[2]))
    n = battles.n_models
    way, size, trial, train, heldout, told = zip(*rows, strict=True)
    table = pd.DataFrame(
        {
            "selector": pd.Categorical(np.repeat(way, n), list(ways)),
            "estimator": pd.Categorical(["bradley-terry"] * (n * len(rows))),
            "size": np.repeat(size, n),
            "n_source": 0,
            "trial": np.repeat(trial, n),
            "model": pd.Categorical.from_codes(np.tile(np.arange(n), len(rows)), battles.models),
            "train_accuracy": np.concatenate(train),
            "heldout_accuracy": np.concatenate(heldout),
            "estimate": np.concatenate(told),
        }
    )
    return table[COLUMNS]
