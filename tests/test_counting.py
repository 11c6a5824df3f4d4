"""Counting pairs in blocks: equal to a count pair by pair, bounded in memory."""

from __future__ import annotations

import tracemalloc
from fractions import Fraction
from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mbnb.data.errors import InputError
from mbnb.judge import agreement as agreement_module
from mbnb.judge.agreement import Agreement, Reading, agreement
from mbnb.judge.counting import count_pairs, pair_blocks, row_blocks
from mbnb.judge.measures import estimation_error, kendall_tau
from mbnb.judge.table import COLUMNS, Trials, by_trial, cells_of

# Equal as numbers written down, unequal or nearly equal as floats; two chains of steps that are
# ties one by one (below half of 10⁻¹²) and none taken together.
NEAR = [0.3, 0.1 + 0.2, 0.305, 0.5, 0.5 + 4e-13, 0.5 + 8e-13, 0.5 - 1e-16, 1.0, 0.9999999999996]


def make_trials(
    accuracies: list[list[float]], estimates: list[list[list[float]]], n_items: int, binary: bool
) -> Trials:
    """Trials from accuracies by trial, and estimates by cell (sizes 1, 2, …) and trial."""
    frames = [
        pd.DataFrame({"size": c + 1, "trial": t, "train_accuracy": own, "estimate": told[t]})
        for c, told in enumerate(estimates)
        for t, own in enumerate(accuracies)
    ]
    table = pd.concat(frames, ignore_index=True).assign(
        selector="uniform", estimator="weighted-mean", n_source=1, heldout_accuracy=0.0, model="m"
    )
    table = table[COLUMNS].astype({"selector": "category"})
    return Trials(table, "test", n_items, n_items, binary)


def pair_by_pair(
    accuracies: list[float],
    estimates: list[float],
    n_items: int | None,
    *,
    binning: str,
    ties: str,
    full_ties: str,
    width: float,
) -> tuple[dict[int, list[float]], int]:
    """Pairs and agreeing pairs by bin, and pairs tied on the half, as the definition has it."""
    found: dict[int, list[float]] = {}
    n_tied = 0
    for a, b in combinations(range(len(accuracies)), 2):
        if n_items is not None:
            gap = round(accuracies[a] * n_items) - round(accuracies[b] * n_items)
            size = Fraction(100 * abs(gap), n_items) / Fraction(str(width))
            bin_ = int(size + (Fraction(1, 2) if binning == "centred" else 0))
        else:
            gap = round(accuracies[a] - accuracies[b], 12)
            bin_ = int(abs(gap) * 100 / width + (0.5 if binning == "centred" else 0) + 1e-9)
        n_tied += gap == 0
        if gap == 0 and full_ties == "excluded":
            continue
        # Tied on the half, the first in the table counts as the better.
        better, worse = (a, b) if gap >= 0 else (b, a)
        if estimates[better] == estimates[worse]:
            credit = 0.5 if ties == "half" else 0.0
        else:
            credit = float(estimates[better] > estimates[worse])
        count = found.setdefault(bin_, [0, 0])
        count[0] += 1
        count[1] += credit
    return found, n_tied


options = st.fixed_dictionaries(
    {
        "binning": st.sampled_from(["centred", "floor"]),
        "ties": st.sampled_from(["wrong", "half"]),
        "full_ties": st.sampled_from(["excluded", "order"]),
        "width": st.sampled_from([0.5, 2.5, 10, 100]),
    }
)


@st.composite
def grids(draw: st.DrawFn, binary: bool) -> tuple[list, list, int]:
    """Accuracies of one to three trials, estimates of one to three cells, items."""
    n_items = draw(st.sampled_from([3, 7, 40, 400]))
    of_models = st.integers(0, n_items).map(lambda count: count / n_items)
    accuracy = of_models if binary else st.one_of(st.sampled_from(NEAR), st.floats(0, 1))
    estimate = st.one_of(st.integers(0, 4).map(lambda count: count / 4), st.floats(0, 1))
    sizes = draw(st.lists(st.integers(1, 9), min_size=1, max_size=3))
    n_cells = draw(st.integers(1, 3))
    accuracies = [draw(st.lists(accuracy, min_size=n, max_size=n)) for n in sizes]
    estimates = [
        [draw(st.lists(estimate, min_size=n, max_size=n)) for n in sizes] for _ in range(n_cells)
    ]
    return accuracies, estimates, n_items


def assert_as_counted_one_by_one(
    found: Agreement, accuracies: list, estimates: list, n_items: int | None, chosen: dict
) -> None:
    tied = 0
    for t, own in enumerate(accuracies):
        for c, told in enumerate(estimates):
            expected, n_tied = pair_by_pair(own, told[t], n_items, **chosen)
            bins = np.flatnonzero(found.pairs[c, t])
            counted = {
                int(b): [int(found.pairs[c, t, b]), float(found.agreeing[c, t, b])] for b in bins
            }
            assert counted == expected, (own, told[t], chosen)
        tied += n_tied
    assert found.tied_pairs == tied


@pytest.mark.parametrize("block", [1, 5, 1 << 16])
@pytest.mark.parametrize("binary", [True, False])
def test_blocks_count_what_counting_pair_by_pair_does(binary: bool, block: int) -> None:
    @settings(max_examples=25, deadline=None)
    @given(grids(binary), options)
    def check(grid: tuple[list, list, int], chosen: dict) -> None:
        accuracies, estimates, n_items = grid
        trials = make_trials(accuracies, estimates, n_items, binary)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(agreement_module, "count_pairs", partial(count_pairs, block=block))
            found = agreement(trials, reading=Reading(**chosen))
        items = n_items if binary else None
        assert_as_counted_one_by_one(found, accuracies, estimates, items, chosen)

    check()


@pytest.mark.parametrize("block", [1, 10, 27, 1 << 16])
@pytest.mark.parametrize("n_models", [0, 1, 2, 3, 28])
def test_blocks_of_pairs_hold_each_pair_once_and_in_order(n_models: int, block: int) -> None:
    nobody = np.empty((2, 0), dtype=np.int64)
    pairs = np.concatenate([nobody, *map(np.array, pair_blocks(n_models, block))], axis=1)
    np.testing.assert_array_equal(pairs, np.triu_indices(n_models, 1))
    for rows in row_blocks(n_models, block):
        places = (rows.stop - rows.start) * (n_models - 1 - rows.start)
        assert places <= block or rows.stop - rows.start == 1


def random_trials(n_models: int, n_cells: int, binary: bool, seed: int = 3) -> Trials:
    rng = np.random.default_rng(seed)
    counts = rng.binomial(675, rng.beta(4, 12, n_models))
    accuracies = counts / 675 if binary else rng.beta(4, 12, n_models)
    estimates = np.round(accuracies + rng.normal(0, 0.03, (n_cells, n_models)), 3)
    return make_trials([accuracies.tolist()], [[row.tolist()] for row in estimates], 675, binary)


@pytest.mark.parametrize("binary", [True, False])
def test_counting_the_pairs_of_3903_models_takes_less_than_10_megabytes(binary: bool) -> None:
    # All pairs as rows: 61 MB for one column of numbers.
    trials = random_trials(3903, 2, binary)
    agreement(random_trials(5, 1, binary))
    tracemalloc.start()
    try:
        counts = agreement(trials, reading=Reading(ties="half", full_ties="order"))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert counts.pairs.sum() == 2 * 3903 * 3902 // 2
    assert peak < 10e6, f"{peak / 1e6:.1f} MB"


def test_rows_in_any_order_are_read_cell_by_cell() -> None:
    rng = np.random.default_rng(6)
    accuracies = [rng.integers(0, 30, n) / 30 for n in (8, 6, 7)]
    estimates = [[rng.random(own.size).tolist() for own in accuracies] for _ in range(3)]
    trials = make_trials([own.tolist() for own in accuracies], estimates, 30, True)
    mixed = trials.table.sample(frac=1, random_state=0).reset_index(drop=True)
    shuffled = Trials(mixed, "test", 30, 30, True)
    own, other = agreement(trials), agreement(shuffled)
    # Cells come in the order in which the table names them first.
    np.testing.assert_array_equal(own.pairs, other.pairs[np.argsort(other.cells["size"])])
    np.testing.assert_array_equal(own.agreeing, other.agreeing[np.argsort(other.cells["size"])])
    for measure in (kendall_tau, estimation_error):
        told = measure(shuffled).sort_values("size", ignore_index=True)
        pd.testing.assert_frame_equal(measure(trials), told, check_categorical=False)


def test_cells_whose_targets_differ_are_counted_apart() -> None:
    # Two grids in one table: the second has other target models in the same trial.
    first = make_trials([[0.1, 0.2, 0.3]], [[[0.1, 0.2, 0.3]], [[0.3, 0.2, 0.1]]], 10, True)
    second = make_trials([[0.9, 0.1]], [[[0.9, 0.1]]], 10, True)
    table = pd.concat([first.table, second.table.assign(n_source=2)], ignore_index=True)
    both = Trials(table.astype({"selector": "category"}), "test", 10, 10, True)
    parts = [cells.tolist() for _, cells, _, _ in by_trial(both, "train")]
    assert parts == [[0, 1], [2]], "cells with the same accuracies come together"
    assert cells_of(both)["n_source"].tolist() == [1, 1, 2]
    counts = agreement(both)
    assert counts.pairs.sum(axis=(1, 2)).tolist() == [3, 3, 1]
    assert counts.agreeing.sum(axis=(1, 2)).tolist() == [3, 0, 1]


def test_a_table_without_rows_is_refused() -> None:
    trials = make_trials([[0.1, 0.2]], [[[0.1, 0.2]]], 10, True)
    none = Trials(trials.table.iloc[:0], "test", 10, 10, True)
    with pytest.raises(InputError, match="has no rows; it needs at least one"):
        agreement(none)
