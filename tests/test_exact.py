"""The exact agreement of uniform sampling: against enumeration, SciPy, simulation and trials."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest
from conftest import make_matrix
from scipy.stats import multivariate_hypergeom

import mbnb
from mbnb.judge.agreement import agreement, mdad
from mbnb.judge.exact import exact_agreement
from mbnb.run.derivation import derive_agreement
from mbnb.run.trials import run_trials


def one(wins: int, losses: int, size: int, n_items: int, ties: str = "wrong") -> float:
    return exact_agreement(np.array([wins]), np.array([losses]), [size], n_items, ties=ties)[0, 0]


def by_enumeration(wins: int, losses: int, size: int, n_items: int, ties: str) -> float:
    items = [1] * wins + [-1] * losses + [0] * (n_items - wins - losses)
    sums = [sum(sample) for sample in combinations(items, size)]
    credit = [1.0 if s > 0 else 0.5 if s == 0 and ties == "half" else 0.0 for s in sums]
    return float(np.mean(credit))


@pytest.mark.parametrize("ties", ["wrong", "half"])
def test_it_is_the_share_of_all_samples_that_order_a_pair_rightly(ties: str) -> None:
    for n_items in range(1, 9):
        for wins in range(n_items + 1):
            for losses in range(n_items + 1 - wins):
                for size in range(1, n_items + 1):
                    expected = by_enumeration(wins, losses, size, n_items, ties)
                    found = one(wins, losses, size, n_items, ties)
                    assert found == pytest.approx(expected, abs=1e-12)


def test_the_tails_that_are_left_out_do_not_matter_on_a_large_benchmark() -> None:
    wins, losses, size, n_items = 420, 360, 900, 3000
    found = 0.0
    lost = np.arange(losses + 1)
    for won in range(wins + 1):
        below = lost[(lost < won) & (won + lost <= size)]
        drawn = np.stack([np.full(below.size, won), below, size - won - below], axis=1)
        rest = n_items - wins - losses
        if below.size:
            found += multivariate_hypergeom.pmf(drawn, [wins, losses, rest], size).sum()
    assert one(wins, losses, size, n_items) == pytest.approx(found, abs=1e-9)


def test_all_items_order_every_pair_and_leave_a_tied_one_tied() -> None:
    assert one(51, 50, 400, 400) == pytest.approx(1)
    assert one(50, 50, 400, 400) == pytest.approx(0, abs=1e-12)
    assert one(50, 50, 400, 400, "half") == pytest.approx(0.5)
    assert one(50, 51, 400, 400) == pytest.approx(0, abs=1e-12)


def test_with_a_tie_worth_a_half_more_items_never_lower_agreement() -> None:
    for n_items in (7, 12, 25):
        for n in range(1, n_items + 1):
            wins = np.arange((n + 1) // 2, n + 1)
            found = exact_agreement(wins, n - wins, range(1, n_items + 1), n_items, ties="half")
            assert np.diff(found, axis=0).min(initial=0) > -1e-12


def test_pairs_keep_their_order_and_may_repeat() -> None:
    wins, losses = np.array([30, 5, 30, 12]), np.array([20, 0, 20, 3])
    found = exact_agreement(wins, losses, [10, 3], 100)
    assert found.shape == (2, 4)
    assert found[0, 0] == found[0, 2]
    for p in range(4):
        assert found[1, p] == pytest.approx(one(wins[p], losses[p], 3, 100))
    assert exact_agreement(wins[:0], losses[:0], [10], 100).shape == (1, 0)


@pytest.mark.parametrize(
    ("wins", "losses", "sizes", "message"),
    [
        ([60], [50], [10], "wins and losses must be counts of the 100 items"),
        ([-1], [0], [10], "wins and losses must be counts of the 100 items"),
        ([6, 5], [5], [10], "both must be lists of one count for each pair"),
        ([6], [5], [0], "size 0 is not possible; allowed are 1 to 100."),
        ([6], [5], [101], "size 101 is not possible; allowed are 1 to 100."),
    ],
)
def test_what_is_no_count_is_refused(
    wins: list[int], losses: list[int], sizes: list[int], message: str
) -> None:
    with pytest.raises(mbnb.InputError, match=message):
        exact_agreement(np.array(wins), np.array(losses), sizes, 100)
    with pytest.raises(mbnb.InputError, match="ties 'third' is unknown; allowed: wrong, half"):
        exact_agreement(np.array([6]), np.array([5]), [10], 100, ties="third")


@pytest.fixture(scope="module")
def matrix() -> mbnb.ResponseMatrix:
    rng = np.random.default_rng(0)
    ability, difficulty = rng.normal(0, 0.7, 40), rng.normal(0, 1.2, 120)
    chance = 1 / (1 + np.exp(difficulty[None] - ability[:, None]))
    scores = (rng.random(chance.shape) < chance).astype(np.uint8)
    return make_matrix(scores, subtasks=["a", "b"] * 60, name="small")


def test_trials_without_end_come_to_the_derived_agreement(matrix: mbnb.ResponseMatrix) -> None:
    plan = {"n_trials": 200, "n_source": 10, "n_target": 20}
    trials = run_trials(matrix, ["uniform"], [5, 20], n_jobs=1, **plan)
    for half, ties in product(("train", "heldout"), ("wrong", "half")):
        derived = derive_agreement(
            matrix, [5, 20], half=half, reading=mbnb.Reading(ties=ties), **plan
        )
        counted = agreement(trials, half, mbnb.Reading(ties=ties))
        # The same pairs in the same bins, exactly; their chances within the luck of 200 samples.
        np.testing.assert_array_equal(derived.pairs, counted.pairs)
        assert derived.tied_pairs == counted.tied_pairs
        for cell in range(2):
            apart = derived.agreeing[cell].sum(axis=1) - counted.agreeing[cell].sum(axis=1)
            assert abs(apart.mean()) < 4 * np.std(apart) / np.sqrt(apart.size)


def test_at_the_whole_half_everything_is_ordered(matrix: mbnb.ResponseMatrix) -> None:
    derived = derive_agreement(matrix, [60], n_trials=3, n_source=10, n_target=20)
    np.testing.assert_allclose(derived.agreeing, derived.pairs, atol=1e-9)
    assert (
        mdad(derived)["mdad"].iloc[0] == derived.gaps[np.flatnonzero(derived.pairs.sum((0, 1)))[0]]
    )


def test_the_order_of_the_models_changes_nothing(matrix: mbnb.ResponseMatrix) -> None:
    turned = matrix.subset(models=np.arange(40)[::-1])
    first, second = (
        derive_agreement(m, [10], n_trials=3, n_source=10, n_target=20) for m in (matrix, turned)
    )
    np.testing.assert_allclose(first.agreeing, second.agreeing, atol=1e-9)


def test_graded_scores_and_unknown_settings_are_refused(matrix: mbnb.ResponseMatrix) -> None:
    graded = replace(matrix, scores=matrix.scores * np.float32(0.5))
    plan = {"n_trials": 1, "n_source": 10, "n_target": 20}
    with pytest.raises(mbnb.InputError, match="small has graded scores"):
        derive_agreement(graded, [10], **plan)
    for name, message in (("method", "allowed: exact, normal"), ("half", "train, heldout")):
        with pytest.raises(mbnb.InputError, match=message):
            derive_agreement(matrix, [10], **{name: "other"}, **plan)
