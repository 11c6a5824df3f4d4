"""The simulated leaderboards: from a profile to a response matrix; reads no real answers.

What the simulated world is made of
-----------------------------------
*Models.* A cohort is a set of models of one size whose abilities θ are spread normally around a
mean that grows with size. Every model is a fine-tune of a base model; a few bases are popular. What
a base hands down (rank within the cohort, special abilities t, tastes, errors), its fine-tunes
share but for a drift: some are near-copies, some have hardly anything left of their base.

*Items.* An item has a difficulty b (its subtask's plus its own), a gain a (discrimination, log-
normal), loadings l on the special abilities (its subtask's plus its own), a number of options and a
right letter, drawn evenly.

*Answers.* A model gives every option a logit, the sum of

- the option's appeal to models of that ability. Appeal turns with ability, since what fools a weak
  model is not what fools a strong one: cos(turn · θ) z₁ + sin(turn · θ) z₂ for normal z₁, z₂;
- the pull of the lineage and of the model's own, so that relatives err alike;
- a preference for letters, strong in weak models and gone in able ones;
- for the right option only, the lead that knowledge gives: a · log(1 + exp(θ + l·t − b)).

The highest logit is the answer. The lead is never negative and everything else treats the right
option as any other, so a model that knows nothing scores 1/options over many items.

*Confidences.* The softmax of the logits times the model's sharpness, at the right option. So a
confidence above 1/2 is surely correct, one below 1/options surely wrong, and between them it
depends on how the rest is spread. Sharpness differs between models and changes no score.

The response functions are those of item response theory with a nominal (Luce) choice rule (Bock,
1972, Psychometrika 37); what the numbers in a profile are fitted to is told in the data card.

Randomness comes from PCG64 streams keyed by the profile's seed and a position, so a profile gives
the same matrix on every machine. The models depend on the seed and the cohorts alone, not on the
benchmark: profiles that share both are several benchmarks of one leaderboard.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import ndtri

from mbnb.data.profiles import MOST_OPTIONS, Cohort, Profile, Subtask
from mbnb.data.responses import ResponseMatrix

# Begins the name of every simulated model, and keeps it apart from real ones.
MADE_UP = "sim-"
# Birds.
FAMILIES = (
    "heron", "plover", "wren", "dunlin", "godwit", "avocet", "curlew", "dipper", "egret", "fulmar",
    "gannet", "hoopoe", "jacana", "kittiwake", "lapwing", "nuthatch", "osprey", "petrel", "quail",
    "redshank", "siskin", "teal", "whimbrel", "bittern",
)  # fmt: skip
_BLOCK = 16  # items worked on at once: the logits of a block stay in the processor's cache
_LETTER_SHARED = 0.2  # share of the letter preference's variance that all models have in common
_MODELS, _LETTERS, _ITEMS, _ANSWERS = range(4)  # streams


def simulate(profile: Profile) -> ResponseMatrix:
    """Make the response matrix of a simulated leaderboard.

    Parameters
    ----------
    profile : Profile
        See `read_profile`.

    Returns
    -------
    ResponseMatrix
        Binary scores and confidences (float32, rounded to what float16 can hold, so that a
        dataset folder keeps them exactly). ``models`` has the columns family, size_b (billions of
        parameters), tuned and group (name of a fixed target group, or ""); ``items`` has subtask
        and options. The name is ``simulated:`` and the profile's.
    """
    models = _draw_models(profile)
    scores = np.empty((profile.n_models, profile.n_items), dtype=np.uint8)
    confidences = np.empty(scores.shape, dtype=np.float32)
    options = np.empty(profile.n_items, dtype=np.int64)
    start = 0
    for position, subtask in enumerate(profile.subtasks):
        items = _draw_items(profile, subtask, position)
        for block, low in enumerate(range(0, subtask.items, _BLOCK)):
            part = slice(low, min(low + _BLOCK, subtask.items))
            rng = _stream(profile.seed, _ANSWERS, _benchmark(profile), position, block)
            logits, lead = _logits(profile, models, items, part, rng)
            cells = slice(start + part.start, start + part.stop)
            correct, p = _answer(logits, lead, items.key[part], models.sharpness[:, None])
            scores[:, cells] = correct
            confidences[:, cells] = p.astype(np.float16)
        options[start : start + subtask.items] = items.options
        start += subtask.items
    return ResponseMatrix(
        scores=scores,
        models=models.table,
        items=_item_table(profile, options),
        confidences=confidences,
        name=f"simulated:{profile.name}",
    )


@dataclass(frozen=True)
class _Models:
    table: pd.DataFrame
    ability: np.ndarray  # (n_models,)
    special: np.ndarray  # (n_models, dimensions)
    base: np.ndarray  # (n_models,) position of the base model
    drift: np.ndarray  # (n_models,) share of variance that is the model's own, not its base's
    letters: np.ndarray  # (n_models, MOST_OPTIONS) logits
    sharpness: np.ndarray  # (n_models,)


@dataclass(frozen=True)
class _Items:
    difficulty: np.ndarray  # (n_items,)
    gain: np.ndarray  # (n_items,)
    loadings: np.ndarray  # (n_items, dimensions)
    options: np.ndarray  # (n_items,)
    key: np.ndarray  # (n_items,) the right letter, 0 = A
    absent: np.ndarray  # (n_items, most options) whether an item has no such option
    appeal: np.ndarray  # (2, n_items, most options) logits, to two opposite kinds of model


def _stream(seed: int, *position: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, *position])))


def _benchmark(profile: Profile) -> int:
    return zlib.crc32(profile.name.encode())


def _draw_models(profile: Profile) -> _Models:
    rng = _stream(profile.seed, _MODELS)
    low, high = profile.noise.drift_low, profile.noise.drift_high
    tables, abilities, specials, bases, drifts = [], [], [], [], []
    n_bases = 0
    for position, cohort in enumerate(profile.cohorts):
        base = _lineages(cohort)
        drift = low * (high / low) ** rng.uniform(size=cohort.models)
        ability = _inherit(rng, base, drift, 1)[:, 0]
        abilities.append(cohort.ability + cohort.spread * _normal_scores(ability))
        specials.append(_inherit(rng, base, drift, profile.abilities.dimensions))
        tables.append(_cohort_table(cohort, position, base, rng))
        bases.append(base + n_bases)
        drifts.append(drift)
        n_bases += int(base.max()) + 1
    table = pd.concat(tables)
    table.index = pd.Index(_model_ids(table), name="model_id")
    ability, base, drift = (np.concatenate(parts) for parts in (abilities, bases, drifts))
    median = np.where(table["tuned"], profile.confidence.tuned, profile.confidence.base)
    return _Models(
        table=table,
        ability=ability,
        special=np.concatenate(specials),
        base=base,
        drift=drift,
        sharpness=median * np.exp(profile.confidence.spread * rng.standard_normal(len(table))),
        letters=_letter_preferences(profile, ability, base, drift),
    )


def _lineages(cohort: Cohort) -> np.ndarray:
    """Base of each model; a few bases are popular and most have few fine-tunes."""
    share = (np.arange(cohort.models) + 0.5) / cohort.models
    base = np.floor(cohort.bases * share**2).astype(np.int64)
    # Few models over many bases leave gaps; close them so that every base counted has a model.
    return np.unique(base, return_inverse=True)[1]


def _inherit(
    rng: np.random.Generator, base: np.ndarray, drift: np.ndarray, width: int
) -> np.ndarray:
    """Standard normal traits, shape (n_models, width), handed down but for a share `drift`."""
    lineage = rng.standard_normal((base.max() + 1, width))
    own = rng.standard_normal((base.size, width))
    return np.sqrt(1 - drift)[:, None] * lineage[base] + np.sqrt(drift)[:, None] * own


def _normal_scores(raw: np.ndarray) -> np.ndarray:
    """Standard normal quantiles in the order of `raw`: the spread is then no matter of luck."""
    ranks = np.empty(raw.size)
    ranks[np.argsort(raw, kind="stable")] = np.arange(raw.size)
    scores = ndtri((ranks + 0.5) / raw.size)
    return scores / scores.std() if raw.size > 1 else scores


def _cohort_table(
    cohort: Cohort, position: int, base: np.ndarray, rng: np.random.Generator
) -> pd.DataFrame:
    tuned = np.arange(cohort.models) < round(cohort.tuned * cohort.models)
    return pd.DataFrame(
        {
            # Cohorts start at different birds, so that no family holds a base in all of them.
            "family": [FAMILIES[(5 * position + b) % len(FAMILIES)] for b in base],
            "size_b": cohort.size_b,
            "tuned": rng.permutation(tuned),
            "group": cohort.group,
        }
    )


def _model_ids(table: pd.DataFrame) -> list[str]:
    stems = [
        f"{MADE_UP}{family}-{size:g}b-{'chat' if tuned else 'base'}"
        for family, size, tuned in zip(
            table["family"], table["size_b"], table["tuned"], strict=True
        )
    ]
    count = pd.Series(stems).groupby(stems).cumcount() + 1
    return [f"{stem}-{number:02d}" for stem, number in zip(stems, count, strict=True)]


def _letter_preferences(
    profile: Profile, ability: np.ndarray, base: np.ndarray, drift: np.ndarray
) -> np.ndarray:
    rng = _stream(profile.seed, _LETTERS)
    everyone = rng.standard_normal(MOST_OPTIONS)
    own = _inherit(rng, base, drift, MOST_OPTIONS)
    taste = np.sqrt(_LETTER_SHARED) * everyone + np.sqrt(1 - _LETTER_SHARED) * own
    strength = profile.noise.letter / (1 + np.exp(2 * (ability - profile.noise.letter_ability)))
    return strength[:, None] * taste


def _draw_items(profile: Profile, subtask: Subtask, position: int) -> _Items:
    rng = _stream(profile.seed, _ITEMS, _benchmark(profile), position)
    n, knowledge, abilities = subtask.items, profile.knowledge, profile.abilities
    shares_by_count = subtask.options or profile.options
    assert shares_by_count is not None, "a profile is refused where a subtask has no options"
    counts, shares = np.array(sorted(shares_by_count.items())).T
    options = rng.permutation(_spread(counts.astype(np.int64), shares, n))
    absent = np.arange(options.max()) >= options[:, None]
    together = rng.standard_normal(abilities.dimensions)
    apart = rng.standard_normal((n, abilities.dimensions))
    loadings = abilities.subtask_loading * together + abilities.item_loading * apart
    return _Items(
        difficulty=subtask.difficulty + knowledge.difficulty_spread * rng.standard_normal(n),
        gain=knowledge.gain * np.exp(knowledge.gain_spread * rng.standard_normal(n)),
        loadings=loadings / np.sqrt(abilities.dimensions),
        options=options,
        key=rng.integers(options),
        absent=absent,
        appeal=profile.noise.appeal * rng.standard_normal((2, n, options.max())),
    )


def _spread(values: np.ndarray, shares: np.ndarray, n: int) -> np.ndarray:
    """`n` values in the given shares, rounded by cumulative share."""
    edges = np.round(np.cumsum(shares) * n)
    return values[np.searchsorted(edges, np.arange(n), side="right").clip(max=values.size - 1)]


def _item_table(profile: Profile, options: np.ndarray) -> pd.DataFrame:
    ids = [f"{profile.name}/{number:05d}" for number in range(profile.n_items)]
    subtasks = np.repeat([s.name for s in profile.subtasks], [s.items for s in profile.subtasks])
    return pd.DataFrame(
        {"subtask": subtasks.astype(object), "options": options},
        index=pd.Index(ids, name="item_id"),
    )


def _logits(
    profile: Profile, models: _Models, items: _Items, part: slice, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Logits without knowledge (options, n_models, n_items) and the lead (n_models, n_items)."""
    width, n = items.absent[part].T.shape
    own = profile.noise.own
    lineage = rng.standard_normal((width, models.base.max() + 1, n))
    logits = rng.standard_normal((width, models.base.size, n))
    logits *= own * np.sqrt(models.drift)[:, None]
    logits += own * np.sqrt(1 - models.drift)[:, None] * lineage[:, models.base]
    angle = profile.noise.turn * models.ability
    for side, weight in zip(items.appeal[:, part], (np.cos(angle), np.sin(angle)), strict=True):
        logits += weight[:, None] * side.T[:, None, :]
    logits += models.letters.T[:width, :, None]
    logits.swapaxes(1, 2)[items.absent[part].T] = -np.inf
    # A sum over dimensions in a fixed order, not a BLAS product: the same bits on every machine.
    special = np.zeros(logits.shape[1:])
    for strengths, loadings in zip(models.special.T, items.loadings[part].T, strict=True):
        special += np.multiply.outer(strengths, loadings)
    distance = models.ability[:, None] + special - items.difficulty[part]
    return logits, items.gain[part] * np.logaddexp(0, distance)


def _answer(
    logits: np.ndarray, lead: np.ndarray, key: np.ndarray, sharpness: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Whether the right option wins, and its probability, each (n_models, n_items)."""
    items = np.arange(key.size)
    right = logits[key, :, items].T + lead
    logits[key, :, items] = -np.inf
    rival = logits.max(axis=0)
    top = np.maximum(right, rival)
    logits -= top
    logits *= sharpness
    rest = np.exp(logits, out=logits).sum(axis=0)
    odds = np.exp(sharpness * (right - top))
    return right > rival, odds / (odds + rest)
