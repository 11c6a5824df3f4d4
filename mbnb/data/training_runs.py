"""Simulated training runs: models whose accuracy climbs from checkpoint to checkpoint.

What the simulated world is made of
-----------------------------------
An item has a difficulty, and each run finds it somewhat easier or harder for good. The run's
ability climbs steeply at first, then slowly, and stops at the plateau. A checkpoint knows an item
where ability − difficulty + noise > 0; what it does not know it may guess. The noise has two
parts. One is of this item and goes from checkpoint to checkpoint as an autoregressive series, so
that neighbours answer most items alike, and what is learnt may be forgotten. The other is the
wobble, one number for all items of a checkpoint, and new at the next: a step that ended well.

Confidences are read off the very distance that decides about knowing, so they are a better witness
than those of real models may be.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.special import expit, ndtr

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix

GUESSED = 0.25  # of the items that are not known
OWN = 0.5  # spread of what a run finds easier or harder for good, beside difficulties of spread 1
NOISE = 0.6  # spread of the noise of an item
SHARPNESS = 3.0  # of confidences, in log-odds for each unit of ability
START, END = -1.5, 0.6  # ability, in spreads of difficulty
SUBTASKS = ("counting", "facts", "logic", "reading")


def simulate_runs(
    n_runs: int = 6,
    n_checkpoints: int = 40,
    n_items: int = 4_000,
    *,
    plateau: float = 0.4,
    persistence: float = 0.9,
    wobble: float = 0.03,
    seed: int = 0,
) -> ResponseMatrix:
    """Answers of all checkpoints of some training runs.

    Parameters
    ----------
    n_runs, n_checkpoints, n_items : int
    plateau : float
        Share of the checkpoints, the last ones, on which ability no longer rises.
    persistence : float
        Correlation of an item's noise from one checkpoint to the next, from 0 to below 1.
    wobble : float
        Spread of what a checkpoint gains or loses on all items alike, in spreads of difficulty.
    seed : int

    Returns
    -------
    ResponseMatrix
        Binary scores and confidences. ``models`` are checkpoints, with the columns family (the
        run), step, plateau (bool) and trend: the accuracy (0–1) on these items that the run's
        ability alone would give, without either noise.

    Raises
    ------
    InputError
        If a number is not as above.
    """
    fits = min(n_runs, n_items) >= 1 and n_checkpoints >= 2 and seed >= 0
    if not (fits and 0 <= plateau <= 1 and 0 <= persistence < 1 and 0 <= wobble < np.inf):
        raise InputError(
            f"{n_runs} runs of {n_checkpoints} checkpoints on {n_items} items with plateau "
            f"{plateau:g}, persistence {persistence:g} and wobble {wobble:g} are not possible; "
            "allowed are at least 1 run, 2 checkpoints and 1 item, a plateau from 0 to 1, a "
            "persistence from 0 to below 1 and a wobble of at least 0."
        )
    difficulty = np.random.default_rng([seed, n_items]).standard_normal(n_items)
    climbing = n_checkpoints - round(plateau * n_checkpoints)
    flat = np.arange(n_checkpoints) >= climbing
    way = np.where(flat, 1, np.arange(n_checkpoints) / max(climbing - 1, 1))
    ability = START + (END - START) * (1 - np.exp(-3 * way)) / (1 - np.exp(-3))
    scores = np.empty((n_runs * n_checkpoints, n_items), dtype=np.uint8)
    confidences = np.empty(scores.shape, dtype=np.float32)
    tables = []
    for run in range(n_runs):
        rng = np.random.default_rng([seed, n_items, run + 1])
        distance = -difficulty + OWN * rng.standard_normal(n_items)
        noise, guess = rng.standard_normal((2, n_items))
        trend = []
        for step in range(n_checkpoints):
            if step:
                fresh = np.sqrt(1 - persistence**2) * rng.standard_normal((2, n_items))
                noise, guess = persistence * np.array([noise, guess]) + fresh
            ahead = ability[step] + distance
            known = ahead + wobble * rng.standard_normal() + NOISE * noise
            row = run * n_checkpoints + step
            scores[row] = (known > 0) | (ndtr(guess) < GUESSED)
            chance = GUESSED + (1 - GUESSED) * expit(SHARPNESS * known)
            confidences[row] = chance.astype(np.float16)
            trend.append(float(np.mean(GUESSED + (1 - GUESSED) * ndtr(ahead / NOISE))))
        name = f"sim-run-{run + 1}"
        ids = [f"{name}/step-{step + 1:03d}" for step in range(n_checkpoints)]
        tables.append(
            pd.DataFrame(
                {
                    "family": name,
                    "step": np.arange(1, n_checkpoints + 1),
                    "plateau": flat,
                    "trend": trend,
                },
                index=pd.Index(ids, name="model_id"),
            )
        )
    items = pd.DataFrame(
        {"subtask": np.resize(np.array(SUBTASKS, dtype=object), n_items)},
        index=pd.Index([f"run-item/{number:05d}" for number in range(n_items)], name="item_id"),
    )
    return ResponseMatrix(scores, pd.concat(tables), items, confidences, "simulated:training runs")
