"""Tests of the clock, of what a trial is expected to cost, and of the rates behind it."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from conftest import make_matrix
from threadpoolctl import threadpool_info

from mbnb.data.errors import InputError
from mbnb.methods.selectors import SELECTORS
from mbnb.run.trials import run_trials
from mbnb.study.costs import timing as costs
from mbnb.study.costs.rates import RATES
from mbnb.study.costs.timing import (
    BOOKKEEPING,
    SAMPLED,
    expected_seconds,
    measure_yardstick,
    time_judging,
    work,
)

SHAPE = {"n_items": 4_000, "n_source": 200, "sizes": [10, 500], "yardstick": 0.05}


def expect(selector: str, **changed: object) -> float:
    return expected_seconds(selector, **(SHAPE | changed))  # type: ignore[arg-type]


def test_every_step_of_a_selector_is_timed() -> None:
    matrix = make_matrix(np.random.default_rng(1).integers(0, 2, (12, 40)).astype(np.uint8))
    fitted, selections, table = costs.time_selector("uniform", matrix, [5, 20], seed=3)
    assert fitted.n_items == 40
    assert list(table["step"]) == ["fit", "selection", "selection"]
    assert table["size"].to_list()[1:] == [5, 20]
    assert np.isnan(table["size"].iloc[0]), "the fit has no size"
    assert (table["seconds"] >= 0).all()
    assert np.isin(selections[5].items, selections[20].items).all(), (
        "each size starts from the same state, so uniform draws nest"
    )


def test_judging_is_timed() -> None:
    matrix = make_matrix(np.random.default_rng(1).integers(0, 2, (12, 40)).astype(np.uint8))
    trials = run_trials(matrix, ["uniform"], [5], n_trials=2, n_source=4, n_target=6, n_jobs=1)
    assert time_judging(trials) > 0


def test_the_expected_time_is_the_sum_of_its_terms(monkeypatch: pytest.MonkeyPatch) -> None:
    rates = {
        BOOKKEEPING: ((2.0, 0.0, 1.0), (3.0,)),
        "anchor-points": ((0.0, 1.0, 10.0), (0.5, 0.0, 2.0)),
    }
    monkeypatch.setattr(costs, "RATES", rates)
    # With 3,000 items, 50 sources and 50 targets, in millions: bookkeeping 2e-6 + 3,000 · 100, and
    # 3e-6 for each of two sizes; fit 3,000² and 10 · 3,000² · 50; a selection of 3 or 15 half of
    # 3,000², and twice the 5 million distances that no cache holds, times log2(4) or log2(16).
    by_hand = 2e-6 + 0.3 + 2 * 3e-6 + 9 + 4_500 + (4.5 + 2 * 5 * 2) + (4.5 + 2 * 5 * 4)
    seconds = expected_seconds(
        "anchor-points", n_items=3_000, n_source=50, sizes=[3, 15], yardstick=0.1
    )
    assert seconds == pytest.approx(0.1 * by_hand)


@pytest.mark.parametrize("selector", SELECTORS)
def test_a_slower_machine_takes_longer_in_proportion(selector: str) -> None:
    assert expect(selector, yardstick=0.1) == pytest.approx(2 * expect(selector))


@pytest.mark.parametrize("selector", SELECTORS)
def test_more_of_anything_never_costs_less(selector: str) -> None:
    cost = expect(selector)
    assert cost > 0
    assert expect(selector, n_items=8_000) > cost
    assert expect(selector, n_source=400) >= cost
    assert expect(selector, sizes=[10, 100, 500]) >= cost
    assert expect(selector, sizes=[10, 1_000]) >= cost


def test_every_selector_has_a_rate_for_each_of_its_terms() -> None:
    assert set(RATES) == {BOOKKEEPING, SAMPLED, *SELECTORS}
    for name, (fit, selection) in RATES.items():
        assert len(fit) == len(work(name, 100, 10)), f"the fit of {name}"
        assert len(selection) == len(work(name, 100, 10, 5)), f"a selection of {name}"
        assert min((*fit, *selection), default=0) >= 0, f"{name}: no term can save time"


@pytest.mark.parametrize("selector", ["anchor-points", "diversity", "tinybenchmarks"])
def test_taking_every_item_chooses_nothing_and_costs_nothing(selector: str) -> None:
    assert not any(work(selector, 300, 10, 300)), "nothing is chosen"
    assert expect(selector, n_items=300, sizes=[300]) < expect(selector, n_items=300, sizes=[200])


@pytest.mark.parametrize(
    ("selector", "changed", "message"),
    [
        ("mine", {}, "the cost of selector 'mine' is not known; known are uniform, subtask"),
        (BOOKKEEPING, {}, f"the cost of selector '{BOOKKEEPING}' is not known"),
        ("uniform", {"sizes": [10, 4_001]}, "size 4001 is not possible: the train half has 4000"),
        ("uniform", {"sizes": [0]}, "size 0 is not possible"),
        ("uniform", {"n_source": 0}, "4000 items, 0 source models"),
        ("uniform", {"yardstick": 0.0}, "a yardstick of 0.0 s are not possible"),
        ("uniform", {"yardstick": float("nan")}, "a yardstick of nan s are not possible"),
    ],
)
def test_what_has_no_expectation_is_refused(
    selector: str, changed: dict[str, object], message: str
) -> None:
    with pytest.raises(InputError) as caught:
        expect(selector, **changed)
    assert message in str(caught.value)


def test_the_yardstick_leaves_the_threads_as_they_were() -> None:
    def threads() -> list[int]:
        return [pool["num_threads"] for pool in threadpool_info()]

    before = threads()
    assert measure_yardstick() > 0
    assert threads() == before


def test_calibration_finds_the_rates_that_made_the_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(__file__).parents[1] / "benchmarks"
    monkeypatch.syspath_prepend(str(folder))
    calibrate = importlib.import_module("calibrate")
    try:
        rows = [
            (name, n, s, size, float(np.dot(rates, work(name, n, s, size))) + 1e-9)
            for name, steps in RATES.items()
            for n in (50, 224, 700, 2_000, 6_012, 20_000, 50_000)
            for s in (10, 50, 100, 300)
            for size, rates in ((None, steps[0]), (10, steps[1]), (25, steps[1]), (40, steps[1]))
        ]
        columns = ["name", "n_items", "n_source", "size", "cost"]
        observed = pd.DataFrame(rows, columns=columns)
        found = calibrate.fit_rates(observed)
        table = calibrate.errors(observed, found)
        assert np.nanmax(np.abs(table.to_numpy() - 1)) < 0.05, "the costs are met again"
    finally:
        for name in ("calibrate", "machine", "memory"):
            sys.modules.pop(name, None)
