"""The planner: solved in each direction, against brute force; what is impossible, and bad input."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import multinomial

import mbnb
from mbnb.judge.exact import exact_agreement
from mbnb.judge.one_pair import make_pair
from mbnb.judge.power import MOST, plan


def by_multinomial(gap: float, rate: float, size: int) -> tuple[float, float]:
    """P(W > L) and P(W = L) of an endless benchmark, term by term."""
    w, l_ = (rate + gap / 100) / 2, (rate - gap / 100) / 2
    a, b = np.meshgrid(np.arange(size + 1), np.arange(size + 1), indexing="ij")
    possible = a + b <= size
    a, b = a[possible], b[possible]
    drawn = np.stack([a, b, size - a - b], axis=1)
    mass = multinomial.pmf(drawn, size, [w, l_, 1 - w - l_])
    return mass[a > b].sum(), mass[a == b].sum()


@pytest.mark.parametrize(
    ("gap", "rate", "size"),
    [(2, 0.25, 40), (10, 0.1, 10), (5, 1.0, 21), (30, 0.6, 12), (1, 0.5, 1)],
)
def test_an_endless_benchmark_is_multinomial(gap: float, rate: float, size: int) -> None:
    strict, tied = by_multinomial(gap, rate, size)
    found = plan(gap=gap, size=size, disagreement=rate)
    assert found.agreement == pytest.approx(strict, abs=1e-9)
    half = plan(gap=gap, size=size, disagreement=rate, ties="half")
    assert half.agreement == pytest.approx(strict + tied / 2, abs=1e-9)


@pytest.mark.parametrize("ties", ["wrong", "half"])
@pytest.mark.parametrize("rate", [0.2, 0.5, 0.8, 1.0])
@pytest.mark.parametrize("gap", [3, 10, 20])
@pytest.mark.parametrize("n_items", [60, 101])
def test_the_size_is_the_smallest_from_which_on_agreement_stays(
    n_items: int, gap: float, rate: float, ties: str
) -> None:
    found = plan(gap=gap, agreement=0.8, disagreement=rate, n_items=n_items, ties=ties)
    pair = make_pair(gap, rate, n_items, ties)
    wins, losses = np.array([int(pair.wins)]), np.array([int(pair.losses)])
    by_size = exact_agreement(wins, losses, range(1, n_items + 1), n_items, ties=ties)[:, 0]
    fails = np.flatnonzero(by_size < 0.8 - 1e-9)
    assert found.size == (fails[-1] + 2 if fails.size else 1)
    assert found.agreement == pytest.approx(by_size[found.size - 1], abs=1e-9)


@pytest.mark.parametrize("n_items", [None, 400, 12032])
@pytest.mark.parametrize("ties", ["wrong", "half"])
def test_the_gap_is_the_smallest_that_reaches_it(n_items: int | None, ties: str) -> None:
    given = {"disagreement": 0.3, "n_items": n_items, "ties": ties}
    found = plan(size=100, agreement=0.8, **given)
    step = 100 / n_items if n_items else 0.01
    assert plan(gap=found.gap, size=100, **given).agreement >= 0.8 - 1e-9
    assert plan(gap=found.gap - step, size=100, **given).agreement < 0.8


def test_the_size_is_that_of_mcnemars_formula_for_a_test_of_level_one_half() -> None:
    # A test of level ½ rejects half the time where nothing is there: it is the order alone, and
    # Connor's (1987) sample size for paired proportions then has no term for the level.
    z, rate, gap = 0.8416, 0.25, 0.02
    formula = (z * np.sqrt(rate - gap**2) / gap) ** 2
    found = plan(gap=2, agreement=0.8, disagreement=0.25, ties="half")
    assert found.size == pytest.approx(formula, rel=0.005)


def test_disagreement_is_taken_from_pairs_at_their_gap() -> None:
    pairs = pd.DataFrame({"gap": [0.0, 2.0, 4.0], "disagreement": [10.0, 20.0, 40.0]})
    found = plan(gap=3, size=50, disagreement=pairs, n_items=1000)
    assert found.disagreement == pytest.approx(0.3)
    found = plan(size=50, agreement=0.8, disagreement=pairs, n_items=1000)
    assert "4 points ahead, the most that is possible here" in found.why


def test_what_no_gap_reaches_is_said_in_a_sentence() -> None:
    found = plan(size=5, agreement=0.8, disagreement=0.25)
    assert np.isnan(found.gap)
    assert found.agreement == pytest.approx(1 - 0.75**5)
    assert found.why == (
        "With 5 items no gap reaches an agreement of 0.8: even a model 25 points ahead, the most "
        "that is possible here, comes out ahead with a chance of only 0.76."
    )


def test_what_no_size_reaches_is_said_in_a_sentence() -> None:
    found = plan(gap=0.001, agreement=0.9, disagreement=0.3)
    assert found.size is None
    assert found.why == (
        f"No size up to {MOST:,} items orders two models 0.001 points apart with an agreement of "
        "0.9."
    )


GOOD = {"gap": 2.0, "agreement": 0.8, "disagreement": 0.25, "n_items": 500}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"agreement": None}, "two of gap, size and agreement must be given.*given: gap"),
        ({"size": 10}, "given: gap, size, agreement"),
        ({"gap": 0}, "a gap of 0 points is not possible; allowed: above 0, at most 100"),
        ({"gap": 0.09}, "less than half of one of the 500 items; allowed are gaps from 0.2 points"),
        ({"gap": 30}, "differ on a share of at least 0.3"),
        ({"disagreement": 0}, "disagreement 0 is not possible"),
        ({"disagreement": 25}, "disagreement 25 is not possible"),
        ({"agreement": 0.5}, "an agreement of 0.5 is not possible; allowed: above 0.5, at most 1"),
        ({"agreement": 1, "n_items": None}, "allowed: above 0.5, below 1"),
        ({"gap": None, "size": 501}, "size 501 is not possible; allowed are 1 to 500"),
        ({"n_items": 0}, "0 items are not possible"),
        ({"ties": "strict"}, "ties 'strict' is unknown; allowed: wrong, half"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(changed: dict[str, object], message: str) -> None:
    with pytest.raises(mbnb.InputError, match=message):
        plan(**{**GOOD, **changed})
