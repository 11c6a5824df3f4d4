"""The statistics that hold a simulated matrix against a real one, and the kept table of them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from conftest import make_matrix

from mbnb.data.datasets import load
from mbnb.data.errors import InputError
from mbnb.data.figures import measured
from mbnb.data.profiles import read_profile
from mbnb.data.responses import ResponseMatrix
from mbnb.data.simulate import simulate
from mbnb.methods.samples import draw_models, scores_alone
from mbnb.publish.charts.trust import card_table, fidelity_of, misses
from mbnb.study.simulated.answer_statistics import added_variance, matrix_statistics
from mbnb.study.simulated.fidelity import fidelity

ROOT = Path(__file__).resolve().parents[1]


def values_of(matrix: ResponseMatrix, *, singletons: bool = False) -> pd.Series:
    table = matrix_statistics(matrix, sizes=(10, 50), singletons=singletons)
    return table.set_index(["statistic", "at"])["value"]


@pytest.fixture(scope="module")
def board() -> ResponseMatrix:
    rng = np.random.default_rng(3)
    chance = 1 / (1 + np.exp(-(rng.normal(size=(24, 1)) - rng.normal(size=120))))
    scores = rng.random((24, 120)) < chance
    scores[:, 7] = True  # an item that every model solves: it has no correlation
    return make_matrix(scores, subtasks=["s1"] * 70 + ["s2"] * 50)


def test_statistics_are_what_they_say(board: ResponseMatrix) -> None:
    scores, found = board.scores.astype(float), values_of(board)
    accuracy = 100 * scores.mean(axis=1)
    assert found["accuracy", "50"] == pytest.approx(np.median(accuracy))
    assert found["accuracy", "100"] == pytest.approx(accuracy.max())
    solved = 100 * scores.mean(axis=0)
    assert found["solved", "95"] == pytest.approx(np.percentile(solved, 95))
    pairs = [
        (abs(accuracy[a] - accuracy[b]), 100 * (scores[a] != scores[b]).mean())
        for a, b in combinations(range(24), 2)
    ]
    near = [differ for gap, differ in pairs if 4 <= gap < 7]
    assert found["disagreement", "4–7"] == pytest.approx(np.mean(near))
    nearest = [
        100 * min((scores[a] != scores[b]).mean() for b in range(24) if b != a) for a in range(24)
    ]
    assert found["nearest", "25"] == pytest.approx(np.percentile(nearest, 25), abs=1e-4)


def test_correlations_and_components_are_those_of_the_full_tables(board: ResponseMatrix) -> None:
    scores, found = board.scores.astype(float), values_of(board)
    varied = np.flatnonzero(scores.std(axis=0) > 0)
    assert varied.size < 120, "the item that all solve must be there for the test"
    table = np.corrcoef(scores[:, varied].T)
    upper = np.triu_indices(varied.size, 1)
    assert found["correlation", "all"] == pytest.approx(table[upper].mean())
    alike = board.subtask_codes[varied][upper[0]] == board.subtask_codes[varied][upper[1]]
    assert found["correlation", "same subtask"] == pytest.approx(table[upper][alike].mean())
    eigenvalues = np.sort(np.linalg.eigvalsh(np.cov(scores.T)))[::-1]
    for place in (1, 5):
        share = 100 * eigenvalues[place - 1] / eigenvalues.sum()
        assert found["component", str(place)] == pytest.approx(share)


def test_weak_and_strong_models_agree_on_what_is_hard_or_do_not() -> None:
    # The weak solve the first half of the items, the strong the second and all but one besides.
    weak = np.tile([1] * 6 + [0] * 6, (4, 1))
    strong = np.tile([1] * 5 + [0] + [1] * 6, (4, 1))
    same = np.tile([1] * 11 + [0], (4, 1))
    assert values_of(make_matrix(np.vstack([weak, strong])))["weak and strong", ""] < 0
    assert values_of(make_matrix(np.vstack([weak, same])))["weak and strong", ""] > 0


def test_confidence_statistic_is_one_for_even_and_zero_for_certain_models() -> None:
    even, certain = np.full(10, 0.3), np.repeat([0.0, 1.0], 5)
    assert added_variance(np.array([even, certain])) == pytest.approx([1, 0])


def test_rows_in_another_order_change_nothing(board: ResponseMatrix) -> None:
    turned = board.subset(models=np.arange(24)[::-1])
    first, second = values_of(board, singletons=True), values_of(turned, singletons=True)
    assert first.index.equals(second.index)
    assert second.to_numpy() == pytest.approx(first.to_numpy(), nan_ok=True)
    drawn = draw_models(board, 9), draw_models(turned, 9)
    assert set(drawn[0].model_ids) == set(drawn[1].model_ids)


def test_both_sides_have_as_many_models(board: ResponseMatrix) -> None:
    # Copies of a model at the end: with all 48 models every nearest neighbour would be at 0.
    twins = make_matrix(np.vstack([board.scores, board.scores]), subtasks=list(board.items.subtask))
    table = fidelity(twins, board, sizes=(10,), singletons=False)
    assert list(table.columns) == ["statistic", "at", "real", "simulated"]
    rows = table.set_index(["statistic", "at"])
    assert rows.loc[("nearest", "75"), "real"] > 0
    assert rows.loc[("accuracy", "50"), "simulated"] == values_of(board)["accuracy", "50"]


def test_what_one_side_cannot_tell_is_empty() -> None:
    matrix = simulate(read_profile("gpqa"))
    table = fidelity(scores_alone(matrix), matrix, sizes=(10,), singletons=False)
    own = table[table["statistic"] == "confidence"]
    assert own["real"].isna().all() and own["simulated"].notna().all() and len(own) == 4


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([[0.5, 1.0]], "the scores are graded (from 0.5 to 1); a simulation makes right and wrong"),
        ([[0, 1]], "has 1 models × 2 items; at least 8 × 10 are needed to describe it."),
        ([[0, 255]], "1 of 2 answers are missing"),
    ],
)
def test_what_cannot_be_described_is_refused(scores: list[list[float]], message: str) -> None:
    array = np.array(scores, dtype=np.float32 if 0.5 in scores[0] else np.uint8)
    with pytest.raises(InputError) as caught:
        matrix_statistics(make_matrix(array))
    assert message in str(caught.value)


# The kept table

sys.path.insert(0, str(ROOT / "benchmarks"))
from fidelity import COUNTERPARTS  # noqa: E402


@pytest.mark.parametrize("found", COUNTERPARTS, ids=lambda found: found.key)
def test_the_kept_real_side_is_that_of_the_matrix(
    found: object, real_data: Callable[[str], ResponseMatrix], monkeypatch: pytest.MonkeyPatch
) -> None:
    real_data(found.real)  # skips where it is absent
    real = found.real_matrix()
    kept = fidelity_of(found.key).set_index(["statistic", "at"])["real"].dropna()
    n_models = int(measured("fidelity").query("comparison == @found.key")["n_models"].iloc[0])
    cut = draw_models(real, n_models)
    made = matrix_statistics(cut, singletons=False).set_index(["statistic", "at"])["value"]
    made = made.dropna()
    # The table has five digits.
    assert made.to_numpy() == pytest.approx(kept.loc[made.index].to_numpy(), rel=1e-4, abs=1e-9)


def test_the_kept_simulated_side_is_that_of_the_profile() -> None:
    found = next(found for found in COUNTERPARTS if found.key == "mmlu-pro-math")
    matrix = scores_alone(found.shipped(0))
    made = matrix_statistics(matrix).set_index(["statistic", "at"])["value"]
    kept = fidelity_of(found.key).set_index(["statistic", "at"])["shipped"]
    assert made.to_numpy() == pytest.approx(kept.loc[made.index].to_numpy(), rel=1e-4, abs=1e-9)


def test_the_data_cards_tell_the_kept_figures() -> None:
    page = (ROOT / "book" / "data_cards.md").read_text(encoding="utf-8")
    keys = [found.key for found in COUNTERPARTS if found.key != "confidences"]
    for line in card_table(keys).splitlines():
        assert line in page, f"data_cards.md lacks the line {line}"


def test_the_fitted_profile_is_a_data_set_of_its_own() -> None:
    matrix = load("simulated:fitted/mmlu-pro-math")
    assert (matrix.n_models, matrix.n_items) == (470, 1351)
    kept = fidelity_of("mmlu-pro-math").set_index(["statistic", "at"])["fitted"]
    made = matrix_statistics(scores_alone(matrix)).set_index(["statistic", "at"])["value"]
    assert made.to_numpy() == pytest.approx(kept.loc[made.index].to_numpy(), rel=1e-4, abs=1e-9)
    with pytest.raises(InputError, match="'fitted/none' is unknown"):
        load("simulated:fitted/none")


def test_misses_are_mean_distances_from_the_reference() -> None:
    table = pd.DataFrame(
        {
            "statistic": ["a", "a", "b"],
            "at": ["1", "2", ""],
            "data": [1.0, 2.0, 5.0],
            "fitted": [2.0, 4.0, np.nan],
        }
    )
    assert misses(table)["fitted"].to_dict() == pytest.approx({"a": 1.5, "b": np.nan}, nan_ok=True)
