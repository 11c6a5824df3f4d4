"""Halves and model splits: sizes, invariance, fixed targets, families, messages."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from conftest import make_matrix

from mbnb.data.errors import InputError
from mbnb.data.profiles import read_profile
from mbnb.data.responses import ResponseMatrix
from mbnb.run.splits import (
    make_split,
    possible_counts,
    split_items,
    split_models,
)

MMLU_PRO = [1351, 1299, 1132, 1101, 969, 924, 844, 818, 798, 789, 717, 499, 410, 381]
BBH = [250] * 21 + [187, 146, 178]
MMLU = [subtask.items for subtask in read_profile("mmlu").subtasks]


def matrix_of(subtask_sizes: list[int], n_models: int = 3) -> ResponseMatrix:
    subtasks = [f"t{i}" for i, n in enumerate(subtask_sizes) for _ in range(n)]
    rng = np.random.default_rng(0)
    scores = rng.integers(0, 2, (n_models, len(subtasks))).astype(np.uint8)
    items = [f"i{j:05d}" for j in range(len(subtasks))]
    return make_matrix(scores, subtasks=subtasks, items=items)


@pytest.mark.parametrize(
    ("sizes", "n_train"),
    [(MMLU_PRO, 6012), (BBH, 2880), ([448], 224), (MMLU, 5306)],
    ids=["mmlu-pro", "bbh", "gpqa", "mmlu"],
)
def test_halves_have_the_studys_sizes(sizes: list[int], n_train: int) -> None:
    matrix = matrix_of(sizes)
    train, heldout = split_items(matrix, seed=0, trial=0)
    assert train.size == n_train
    assert np.array_equal(np.sort(np.concatenate([train, heldout])), np.arange(matrix.n_items))
    in_train = np.bincount(matrix.subtask_codes[train])
    assert in_train.tolist() == [n // 2 for n in sizes]


def test_a_subtask_of_one_item_is_held_out() -> None:
    # t0 has two items, so one is train; t1 has one item, so floor(1 / 2) = 0 are.
    train, heldout = split_items(matrix_of([2, 1]), seed=0, trial=0)
    assert train.size == 1 and train[0] in (0, 1)
    assert 2 in heldout


def test_no_train_half_is_refused() -> None:
    with pytest.raises(InputError, match="no subtask has two items"):
        split_items(matrix_of([1, 1, 1]), seed=0, trial=0)


def test_order_of_rows_and_columns_changes_no_split() -> None:
    matrix = matrix_of([7, 5, 4], n_models=12)
    rng = np.random.default_rng(1)
    shuffled = matrix.subset(rng.permutation(12), rng.permutation(16))
    for trial in range(5):
        a = make_split(matrix, seed=3, trial=trial, n_source=5, n_target=4)
        b = make_split(shuffled, seed=3, trial=trial, n_source=5, n_target=4)
        for part in ("train", "heldout"):
            ids = matrix.item_ids[getattr(a, part)], shuffled.item_ids[getattr(b, part)]
            assert set(ids[0]) == set(ids[1])
        for part in ("sources", "targets"):
            ids = matrix.model_ids[getattr(a, part)], shuffled.model_ids[getattr(b, part)]
            assert set(ids[0]) == set(ids[1])


def test_a_model_that_is_added_moves_only_the_one_it_displaces() -> None:
    matrix = matrix_of([6], n_models=30)
    fewer = matrix.subset(models=np.arange(29))
    moved = 0
    for trial in range(20):
        _, more = split_models(matrix, 0, trial, n_source=10, n_target=10)
        _, before = split_models(fewer, 0, trial, n_source=10, n_target=10)
        gone = set(before) - set(more)
        assert len(gone) <= 1
        moved += len(gone)
    # The added model is a target in about a third of the trials (10 of 30).
    assert 1 <= moved <= 15


def test_trials_and_seeds_differ_and_are_fair() -> None:
    matrix = matrix_of([40], n_models=4)
    counts = np.zeros(40)
    for trial in range(400):
        counts[split_items(matrix, 0, trial)[0]] += 1
    # Binomial(400, 1/2) has standard deviation 10: five of them on either side.
    assert abs(counts - 200).max() < 50
    a, b = split_items(matrix, 0, 0)[0], split_items(matrix, 1, 0)[0]
    assert not np.array_equal(a, b)


def test_sources_and_targets_are_apart() -> None:
    matrix = matrix_of([4], n_models=20)
    sources, targets = split_models(matrix, 0, 0, n_source=15, n_target=5)
    assert not set(sources) & set(targets)
    assert (sources.size, targets.size) == (15, 5)


def test_families_stay_on_one_side() -> None:
    matrix = matrix_of([4], n_models=24)
    models = matrix.models.assign(family=[f"f{i % 6}" for i in range(24)])
    matrix = ResponseMatrix(matrix.scores, models, matrix.items)
    for trial in range(10):
        sources, targets = split_models(matrix, 0, trial, n_source=12, n_target=6, families=True)
        family = models["family"].to_numpy()
        assert not set(family[sources]) & set(family[targets])
    with pytest.raises(
        InputError, match="16 are left as sources beside 6 targets of other families"
    ):
        split_models(matrix, 0, 0, n_source=17, n_target=6, families=True)


def test_too_many_models_asked_for() -> None:
    with pytest.raises(InputError, match="8 sources and 3 targets are asked for, but of its 10"):
        split_models(matrix_of([4], 10), 0, 0, n_source=8, n_target=3)


@pytest.mark.parametrize(
    ("n_models", "given", "expected"),
    [
        (470, (None, None), (300, 50)),
        (350, (None, None), (300, 50)),
        (153, (None, None), (102, 51)),
        (47, (None, None), (32, 15)),
        (470, (10, None), (10, 50)),
        (470, (None, 32), (300, 32)),
        (47, (30, None), (30, 15)),
    ],
)
def test_possible_counts(
    n_models: int, given: tuple[int | None, int | None], expected: tuple[int, int]
) -> None:
    matrix = matrix_of([2], n_models)
    n_source, n_target, note = possible_counts(matrix, *given)
    assert (n_source, n_target) == expected
    assert f"{expected[1]} of the {n_models} models are targets" in note


def test_impossible_counts() -> None:
    matrix = matrix_of([2], 47)
    with pytest.raises(InputError, match="47 models, so 300 sources and 50 targets are not"):
        possible_counts(matrix, 300, 50)
    with pytest.raises(InputError, match="has 2 models; at least 3"):
        possible_counts(matrix_of([2], 2))


def test_split_is_a_function_of_ids_alone() -> None:
    # Adding a column to the tables moves nobody.
    matrix = matrix_of([6, 6], 9)
    described = ResponseMatrix(
        matrix.scores,
        matrix.models.assign(family="f"),
        pd.concat([matrix.items, pd.DataFrame({"n": 1}, index=matrix.items.index)], axis=1),
    )
    a = make_split(matrix, seed=0, trial=1, n_source=4, n_target=3)
    b = make_split(described, seed=0, trial=1, n_source=4, n_target=3)
    assert np.array_equal(a.targets, b.targets) and np.array_equal(a.train, b.train)
