"""Sources at a distance, the edge that is left, and the wear of a frozen selection."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from conftest import make_matrix

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.frozen.freeze import freeze
from mbnb.frozen.wear import chosen_items, estimate_shape, wear
from mbnb.judge.agreement import agreement, mdad
from mbnb.methods.selector import FittedSelector, Selection, Selector
from mbnb.publish.charts import fading as charts
from mbnb.publish.charts.draw_fading import draw_chosen, draw_edges, draw_edges_elsewhere
from mbnb.study.sources.fading import (
    LOTS,
    by_accuracy,
    by_date,
    distances,
    distant_pools,
    edges,
    run_recipes,
)

RNG = np.random.default_rng(5)
ABILITY = np.linspace(-2, 3, 40)
DIFFICULTY = RNG.normal(0, 2, 200)
CHANCE = 1 / (1 + np.exp(DIFFICULTY - ABILITY[:, None]))
MATRIX = make_matrix((RNG.random(CHANCE.shape) < CHANCE).astype(np.uint8))
POOLS = distant_pools(by_accuracy(MATRIX), n_pools=4)
RECIPES = [("uniform", ["weighted-mean", "corrected-mean"]), ("close-pairs", ["corrected-mean"])]


@pytest.fixture(scope="module")
def lots() -> dict:
    return run_recipes(MATRIX, RECIPES, [5, 20], POOLS)


@pytest.fixture(scope="module")
def table(lots: dict) -> pd.DataFrame:
    return edges(lots)


def test_models_are_ordered_from_the_worst_to_the_best_and_equals_by_id() -> None:
    matrix = make_matrix([[1, 1], [0, 1], [1, 0], [0, 0]], models=["d", "c", "b", "a"])
    assert by_accuracy(matrix) == ["a", "b", "c", "d"]


def test_models_are_ordered_by_the_date_in_their_ids() -> None:
    matrix = make_matrix([[1], [0], [1]], models=["20250101_x", "20240301_y", "20240302_a"])
    assert by_date(matrix) == ["20240301_y", "20240302_a", "20250101_x"]


def test_an_id_without_a_date_is_named() -> None:
    with pytest.raises(InputError, match=r"1 model ids do not begin with a date \(first: 'y'\)"):
        by_date(make_matrix([[1], [0]], models=["20250101_x", "y"]))


def test_targets_and_lots_come_from_where_they_are_said_to_come_from() -> None:
    order = [f"m{number:02d}" for number in range(44)]
    for pool in distant_pools(order, n_pools=5, n_source=10, n_target=8):
        band, before = set(order[26:]), order[:26]
        assert list(pool.sources) == list(LOTS)
        assert set(pool.targets) | set(pool.sources["beside"]) == band
        assert set(pool.sources["near"]) < set(before[13:])
        assert set(pool.sources["far"]) < set(before[:13])
        assert set(pool.sources["mixed"]) < set(before)
        fresh = set(pool.sources["refreshed"])
        assert len(fresh & set(pool.sources["far"])) == 8
        assert len(fresh & set(pool.sources["beside"])) == 2
        for sources in pool.sources.values():
            assert len(set(sources)) == 10
            assert not set(sources) & set(pool.targets)


def test_pools_have_other_targets_each_and_do_not_change_when_one_is_added() -> None:
    order = [f"m{number:02d}" for number in range(44)]
    pools = distant_pools(order, n_pools=3)
    assert pools[0].targets != pools[1].targets
    assert distant_pools(order, n_pools=4)[:3] == pools


def test_too_few_models_for_lots_that_share_none_are_refused() -> None:
    with pytest.raises(InputError, match="20 models do not make 1 pools of 5 targets"):
        distant_pools([str(number) for number in range(20)], n_pools=1, n_target=5, n_source=6)
    assert distant_pools([str(number) for number in range(20)], n_pools=1, n_target=5, n_source=5)


def test_lots_lie_further_below_the_targets_the_further_they_are_called() -> None:
    found = distances(MATRIX, POOLS)
    assert abs(found["beside"]) < found["near"] < found["mixed"] < found["far"]
    assert found["beside"] < found["refreshed"] < found["far"]


def test_plain_uniform_sampling_is_the_same_in_every_lot(lots: dict, table: pd.DataFrame) -> None:
    plain = table[(table["selector"] == "uniform") & (table["estimator"] == "weighted-mean")]
    assert (plain["edge"] == 0).all()
    assert (plain["close_edge"] == 0).all()
    assert plain.groupby("size")["mdad"].nunique(dropna=False).eq(1).all()
    estimates = [
        trials.table.query("selector == 'uniform' and estimator == 'weighted-mean'")["estimate"]
        for trials in lots.values()
    ]
    for other in estimates[1:]:
        np.testing.assert_array_equal(other.to_numpy(), estimates[0].to_numpy())


def test_edges_are_differences_of_mdads_and_of_close_agreement(
    lots: dict, table: pd.DataFrame
) -> None:
    counts = agreement(lots["far"])
    own = mdad(counts, rule="interpolated").reset_index(drop=True)
    near = counts.gaps <= 5
    close = (
        100
        * counts.agreeing[:, :, near].sum(axis=(1, 2))
        / counts.pairs[:, :, near].sum(axis=(1, 2))
    )
    told = table[table["lot"] == "far"].reset_index(drop=True)
    np.testing.assert_allclose(told["mdad"], own["mdad"])
    np.testing.assert_allclose(told["close"], close)
    base = {
        size: number
        for number, (selector, estimator, size) in enumerate(
            zip(told["selector"], told["estimator"], told["size"], strict=True)
        )
        if (selector, estimator) == ("uniform", "weighted-mean")
    }
    for number, row in told.iterrows():
        at = base[row["size"]]
        assert row["close_edge"] == pytest.approx(close[number] - close[at])
        assert row["edge"] == pytest.approx(own["mdad"][at] - own["mdad"][number], nan_ok=True)


def test_nothing_is_lost_in_the_first_lot_and_the_losses_add_up(table: pd.DataFrame) -> None:
    keys = ["selector", "estimator", "size"]
    first = table[table["lot"] == "beside"].set_index(keys)
    far = table[table["lot"] == "far"].set_index(keys)
    assert (first["close_lost"] == 0).all()
    np.testing.assert_allclose(far["close_lost"], first["close_edge"] - far["close_edge"])
    sure = first["close_edge_low"] > 0
    assert sure.any()
    np.testing.assert_allclose(
        far.loc[sure, "left"], far.loc[sure, "close_edge"] / first.loc[sure, "close_edge"]
    )
    assert far.loc[~sure, "left"].isna().all()
    for name in ("close_edge", "close_lost"):
        assert (table[f"{name}_low"] <= table[name] + 1e-9).all()
        assert (table[name] <= table[f"{name}_high"] + 1e-9).all()


def test_edges_need_plain_uniform_sampling() -> None:
    lots = run_recipes(MATRIX, [("uniform", ["corrected-mean"])], [5], POOLS[:1])
    with pytest.raises(InputError, match="has not been run at 5 items; add it to the recipes"):
        edges(lots)


def test_chosen_items_tell_what_sources_and_targets_make_of_them() -> None:
    items = chosen_items(MATRIX, POOLS[:1], ["uniform", "close-pairs"], 15)
    assert len(items) == 15 * 2 * len(LOTS)
    one = items[(items["lot"] == "far") & (items["selector"] == "close-pairs")]
    answers = pd.DataFrame(MATRIX.scores, MATRIX.model_ids, MATRIX.item_ids)[one["item"]]
    targets, sources = (list(ids) for ids in (POOLS[0].targets, POOLS[0].sources["far"]))
    np.testing.assert_allclose(one["target_score"], answers.loc[targets].mean())
    np.testing.assert_allclose(one["source_score"], answers.loc[sources].mean())
    np.testing.assert_array_equal(one["alike"], answers.loc[targets].nunique() == 1)
    assert one["spread"][one["alike"]].eq(0).all()


def test_items_chosen_from_far_sources_spread_the_targets_less() -> None:
    items = chosen_items(MATRIX, POOLS, ["close-pairs"], 20)
    spread = items.groupby("lot")["spread"].mean()
    assert spread["far"] < spread["beside"]


def test_the_shape_of_estimates_is_their_bias_slope_and_correlation(lots: dict) -> None:
    shape = estimate_shape(lots)
    rows = lots["far"].table.query(
        "selector == 'uniform' and estimator == 'corrected-mean' and size == 20"
    )
    found = shape.query(
        "lot == 'far' and selector == 'uniform' and estimator == 'corrected-mean' and size == 20"
    ).iloc[0]
    parts = [own for _, own in rows.groupby("trial")]
    slopes = [np.polyfit(own["train_accuracy"], own["estimate"], 1)[0] for own in parts]
    assert found["slope"] == pytest.approx(np.mean(slopes))
    assert found["bias"] == pytest.approx(100 * (rows["estimate"] - rows["train_accuracy"]).mean())


class FirstItems(Selector):
    """Chooses the first items by id."""

    name = "first-items"

    def fit(self, train: ResponseMatrix) -> FittedSelector:
        return FittedFirst(train.n_items)


class FittedFirst(FittedSelector):
    def _select(self, size: int, rng: np.random.Generator) -> Selection:
        return Selection.of(np.arange(size))


def _answers(n_models: int, first: float | None, rest: float | None) -> ResponseMatrix:
    """Answers to 200 items: the first 40 and the rest solved with a chance, or all where None."""
    scores = np.ones((n_models, 200), dtype=np.uint8)
    for columns, chance in ((slice(0, 40), first), (slice(40, 200), rest)):
        if chance is not None:
            scores[:, columns] = RNG.random(scores[:, columns].shape) < chance
    return make_matrix(scores, models=[f"m{number}" for number in range(n_models)])


KNOWN = _answers(24, 0.5, 0.1)
MICRO, RANDOM_PART = freeze(KNOWN, FirstItems(), 40), freeze(KNOWN, "uniform", 40)


def test_wear_counts_items_answered_alike_and_compares_with_the_random_part() -> None:
    new = _answers(6, 0.8, 0.3)
    found = wear(MICRO, new, RANDOM_PART)
    scores = new.scores[:, :40].astype(float)
    others = new.subset(items=RANDOM_PART.item_ids).scores.astype(float)
    assert found.alike == np.mean([len(set(column)) == 1 for column in scores.T])
    assert found.spread == pytest.approx(scores.var(axis=0, ddof=1).mean())
    assert found.ratio == pytest.approx(found.spread / others.var(axis=0, ddof=1).mean())
    assert found.low < found.ratio < found.high
    assert str(found).startswith("6 new models answer")


def test_a_selection_whose_items_saturated_is_worn_and_one_that_tells_apart_is_not() -> None:
    saturated = wear(MICRO, _answers(8, 0.98, 0.5), RANDOM_PART)
    assert saturated.worn is True
    assert saturated.advice.endswith("select anew.")
    lively = wear(MICRO, _answers(8, 0.5, 0.02), RANDOM_PART)
    assert lively.worn is False
    assert lively.advice.endswith("the selection still earns its keep.")


def test_wear_does_not_decide_where_it_is_not_sure() -> None:
    found = wear(MICRO, _answers(6, 0.5, 0.5), RANDOM_PART)
    assert found.low < 1 < found.high
    assert found.worn is None
    assert "must decide" in found.advice


def test_without_a_random_part_wear_gives_no_verdict() -> None:
    found = wear(MICRO, _answers(6, 0.8, 0.3))
    assert found.worn is None
    assert np.isnan(found.random_spread)
    assert "Freeze a random part too" in found.advice


def test_a_benchmark_that_all_new_models_solve_is_used_up() -> None:
    found = wear(MICRO, _answers(6, None, None), RANDOM_PART)
    assert found.alike == 1
    assert found.worn is None
    assert "the benchmark itself is used up" in found.advice


def test_wear_refuses_few_models_and_a_part_that_is_not_random() -> None:
    with pytest.raises(InputError, match="has 4 new models; wear can be told from 5 on"):
        wear(MICRO, _answers(4, 0.5, 0.5), RANDOM_PART)
    with pytest.raises(InputError, match="it must be drawn by 'uniform'"):
        wear(MICRO, _answers(6, 0.5, 0.5), MICRO)


def test_a_figure_has_a_line_for_every_recipe_but_the_yardstick(table: pd.DataFrame) -> None:
    figure = draw_edges(table, 20, names=charts.distance_labels(distances(MATRIX, POOLS)))
    above, below = figure.axes
    assert [text.get_text() for text in figure.legends[0].get_texts()] == [
        "Uniform random, corrected mean",
        "Close pairs",
    ]
    assert [tick.get_text().split("\n")[0] for tick in below.get_xticklabels()] == list(LOTS)
    assert "MDAD" in above.get_title("left")


def test_a_table_gives_edges_with_their_intervals(table: pd.DataFrame) -> None:
    shown = charts.edges_table(table, 20).data
    row = table[
        (table["lot"] == "far") & (table["selector"] == "close-pairs") & (table["size"] == 20)
    ].iloc[0]
    assert list(shown.columns) == list(LOTS)
    expected = f"{row['close_edge']:+.1f}".replace("-", "−")
    assert shown.loc["Close pairs", "far"].startswith(expected + "<br>")


def test_leaderboards_surely_ahead_and_behind_are_counted(
    table: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = pd.concat(
        table.assign(dataset=name, order="accuracy", half="train", distance=1.0)
        for name in ("one", "two", "simulated:x")
    )
    monkeypatch.setattr(charts, "measured", lambda name: kept)
    elsewhere = charts.edges_elsewhere()
    assert set(elsewhere["dataset"]) == {"one", "two"}
    assert charts.edges_elsewhere("date").empty
    elsewhere.loc[elsewhere["dataset"] == "two", ["close_edge_low", "close_edge_high"]] = -9.0, -2.0
    elsewhere.loc[elsewhere["dataset"] == "one", ["close_edge_low", "close_edge_high"]] = 2.0, 9.0
    shown = charts.surviving_table(elsewhere, 20).data
    assert (shown == "1 : 1").all(axis=None)
    figure = draw_edges_elsewhere(elsewhere, 20)
    assert [len(axes.lines) for axes in figure.axes] == [7, 7]


def test_families_apart_and_mixed_are_told_over_their_own_yardstick(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = [
        ("a", False, "uniform", "weighted-mean", 0.6),
        ("a", False, "close-pairs", "corrected-mean", 0.8),
        ("a", True, "uniform", "weighted-mean", 0.7),
        ("a", True, "close-pairs", "corrected-mean", 0.75),
        ("b", False, "uniform", "weighted-mean", 0.5),
        ("b", False, "close-pairs", "corrected-mean", 0.9),
    ]
    table = pd.DataFrame(rows, columns=["dataset", "families", "selector", "estimator", "close"])
    monkeypatch.setattr(charts, "measured", lambda name: table.assign(half="train", size=50))
    found = charts.families_elsewhere()
    assert list(found["dataset"]) == ["a"]
    assert found["mixed"].iloc[0] == pytest.approx(20)
    assert found["apart"].iloc[0] == pytest.approx(5)


def test_chosen_items_are_drawn_for_both_lots() -> None:
    items = chosen_items(MATRIX, POOLS[:1], ["uniform", "close-pairs"], 15)
    figure = draw_chosen(items)
    assert [axes.get_title("left") for axes in figure.axes] == [
        "Uniform random, beside",
        "Uniform random, far",
        "Close pairs, beside",
        "Close pairs, far",
    ]
    assert all(len(axes.collections[0].get_offsets()) == 15 for axes in figure.axes)
