"""Numbers and families of source models."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.judge.agreement import Agreement, agreement, mdad
from mbnb.publish.charts.sources import hungriest, say_gains, say_lots
from mbnb.run.trials import run_trials
from mbnb.study.sources.numbers import (
    correlation_noise,
    enough_sources,
    join_trials,
    lot_gains,
    source_gains,
)
from mbnb.study.sources.pools import draw_pools, run_pools, sources_apart


def leaderboard(n_families: int = 8, members: int = 6, n_items: int = 60) -> ResponseMatrix:
    rng = np.random.default_rng(5)
    families = np.repeat([f"f{number}" for number in range(n_families)], members)
    ability = rng.uniform(-1, 1, families.size)[:, None]
    chance = 1 / (1 + np.exp(-ability - rng.normal(0, 1, n_items)))
    return ResponseMatrix(
        (rng.random(chance.shape) < chance).astype(np.uint8),
        models=pd.DataFrame(
            {"family": families}, index=[f"m{number:02d}" for number in range(families.size)]
        ),
        items=pd.DataFrame({"subtask": "s"}, index=[f"i{number:02d}" for number in range(n_items)]),
        name="made",
    )


MATRIX = leaderboard()


def test_joined_runs_are_judged_as_each_alone() -> None:
    runs = [
        run_trials(MATRIX, ["uniform", "confidence"], [5, 10], n_trials=3, n_source=n, n_target=10)
        for n in (4, 20)
    ]
    joined = join_trials(runs)
    together = mdad(agreement(joined))
    for run, n in zip(runs, (4, 20), strict=True):
        alone = mdad(agreement(run))
        own = together[together["n_source"] == n].reset_index(drop=True)
        pd.testing.assert_frame_equal(
            own.astype({"selector": str, "estimator": str}),
            alone.astype({"selector": str, "estimator": str}),
        )
    assert joined.n_trials == 3 and joined.n_target == 10


def test_renumbered_runs_count_as_other_trials() -> None:
    runs = [
        run_trials(MATRIX, ["uniform"], [5], n_trials=2, n_source=4, n_target=10, seed=seed)
        for seed in (0, 1)
    ]
    assert join_trials(runs, renumber=True).n_trials == 4
    with pytest.raises(InputError, match="no trials to join"):
        join_trials([])
    with pytest.raises(InputError, match="halves of different sizes"):
        join_trials([runs[0], replace(runs[1], n_train=7)])


def test_uniform_sampling_gains_nothing_from_more_sources() -> None:
    runs = [
        run_trials(MATRIX, ["uniform"], [5, 10], n_trials=4, n_source=n, n_target=10)
        for n in (4, 9, 20)
    ]
    gains = source_gains(agreement(join_trials(runs)), threshold=0.7)
    assert gains["n_source"].tolist() == [4, 9, 4, 9]
    assert (gains["most"] == 20).all()
    reached = gains.dropna(subset=["gain"])
    assert len(reached) and (reached[["gain", "low", "high"]] == 0).all().all()


def counts_of(agreeing: list[list[int]]) -> Agreement:
    cells = pd.DataFrame(
        {"selector": "diversity", "estimator": "weighted-mean", "size": 5, "n_source": [10, 50]}
    )
    right = np.repeat(np.array(agreeing, dtype=float)[:, None], 3, axis=1)
    return Agreement(cells, np.arange(3) * 0.5, np.full(right.shape, 10), right, 0, "made", "train")


def test_the_gain_is_the_fewer_sources_mdad_minus_the_most_sources() -> None:
    counts = counts_of([[1, 5, 9], [1, 9, 9]])
    row = source_gains(counts).iloc[0]
    assert (row["n_source"], row["most"], row["gain"], row["low"], row["high"]) == (
        10, 50, 0.5, 0.5, 0.5,
    )  # fmt: skip
    never = source_gains(counts_of([[1, 1, 1], [1, 9, 9]])).iloc[0]
    assert np.isnan(never["gain"]) and np.isnan(never["low"])


def test_lots_are_compared_cell_by_cell() -> None:
    gains = lot_gains(counts_of([[1, 5, 9], [1, 9, 9]]), counts_of([[1, 9, 9], [1, 9, 9]]))
    assert gains["gain"].tolist() == [-0.5, 0.0]
    assert "Sources of a few see surely smaller gaps than those of many for Diversity at 5" in (
        say_lots(gains, "many", "a few")
    )
    other = counts_of([[1, 5, 9], [1, 9, 9]])
    with pytest.raises(InputError, match="other cells or trials"):
        lot_gains(other, replace(other, cells=other.cells.assign(size=7)))


def table_of(values: dict[int, float], selector: str = "diversity") -> pd.DataFrame:
    return pd.DataFrame(
        {"selector": selector, "size": 50, "n_source": list(values), "mdad": list(values.values())}
    )


@pytest.mark.parametrize(
    ("values", "enough"),
    [
        ({10: 5.0, 50: 3.0, 150: 2.5, 300: 2.5}, 50),
        ({10: 2.5, 50: 4.0, 300: 2.5}, 300),
        ({10: np.nan, 50: 2.5, 300: 2.5}, 50),
        ({10: 2.0, 50: 2.5, 300: 4.0}, 10),
    ],
)
def test_enough_is_where_all_that_follow_stay_within_a_bin_of_the_most(
    values: dict[int, float], enough: int
) -> None:
    found = enough_sources(table_of(values)).iloc[0]
    assert (found["enough"], found["fewest"], found["most"]) == (enough, 10, 300)


def test_an_mdad_that_the_most_do_not_reach_has_no_enough() -> None:
    assert np.isnan(enough_sources(table_of({10: 3.0, 300: np.nan})).iloc[0]["enough"])


def test_the_hungriest_gains_most_and_not_reached_is_more_than_any_number() -> None:
    calm = enough_sources(table_of({10: 3.0, 300: 2.0}, "confidence"))
    starved = enough_sources(table_of({10: np.nan, 300: 2.0}, "anchor-points"))
    flat = enough_sources(table_of({10: 2.0, 300: 2.0}, "diversity"))
    assert hungriest(pd.concat([calm, flat])) == "confidence"
    assert hungriest(pd.concat([calm, starved])) == "anchor-points"
    assert hungriest(flat) == ""


def test_gains_are_told_only_where_the_interval_does_not_hold_zero() -> None:
    enough = enough_sources(table_of({10: 3.0, 300: 2.0}))
    row = {"selector": "diversity", "size": 50, "n_source": 10, "gain": 1.0, "low": 0.5}
    told = say_gains(enough, pd.DataFrame([{**row, "high": 1.5}]))
    assert told == (
        "300 sources instead of 10 surely lower the MDAD of Diversity (at 50 items by 1 point)."
    )
    unsure = say_gains(enough, pd.DataFrame([{**row, "low": 0.0, "high": 1.5}]))
    assert unsure == "Between 10 and 300 sources no selector’s MDAD surely changes."


def test_correlations_of_unrelated_items_stray_by_the_formula() -> None:
    rng = np.random.default_rng(0)
    scores = rng.integers(0, 2, size=(200, 80)).astype(np.uint8)
    matrix = replace(leaderboard(20, 10, 80), scores=scores, name="coins")
    noise = correlation_noise(matrix, [10, 50, 100])
    np.testing.assert_allclose(noise["noise"], noise["expected"], rtol=0.05)
    with pytest.raises(InputError, match="allowed are 3 to 100"):
        correlation_noise(matrix, [101])


def test_the_three_lots_share_targets_and_no_target_is_a_source() -> None:
    for pool in draw_pools(MATRIX, n_pools=6, n_source=6, n_target=6):
        families = MATRIX.models["family"]
        home = set(families[list(pool.targets)])
        assert len(pool.targets) == 6
        assert set(families[list(pool.sources["own"])]) <= home
        assert not home & set(families[list(pool.sources["many"])])
        assert not home & set(families[list(pool.sources["few"])])
        assert all(len(lot) >= 6 for lot in pool.sources.values())
        assert not any(set(pool.targets) & set(lot) for lot in pool.sources.values())
        assert pool.families["few"] == 1 and pool.families["many"] == 6


def test_pools_need_families_that_are_known_and_large() -> None:
    nameless = replace(MATRIX, models=MATRIX.models.drop(columns="family"))
    with pytest.raises(InputError, match="call with_families first"):
        draw_pools(nameless, n_pools=1)
    alone = replace(MATRIX, models=MATRIX.models.assign(family=list(MATRIX.model_ids)))
    with pytest.raises(InputError, match="no families with enough models"):
        draw_pools(alone, n_pools=1)
    with pytest.raises(InputError, match="too few for 20 targets"):
        draw_pools(MATRIX, n_pools=1, n_source=20, n_target=20)


def test_uniform_sampling_is_the_same_in_every_lot() -> None:
    pools = draw_pools(MATRIX, n_pools=3, n_source=6, n_target=6)
    lots = run_pools(MATRIX, ["uniform", "confidence"], [5], pools)
    assert list(lots) == ["own", "few", "many"]
    estimates = {
        lot: run.table[run.table["selector"] == "uniform"]["estimate"].to_numpy()
        for lot, run in lots.items()
    }
    np.testing.assert_array_equal(estimates["own"], estimates["few"])
    np.testing.assert_array_equal(estimates["own"], estimates["many"])
    assert lots["own"].n_trials == 3


def test_sources_apart_is_what_the_split_allows() -> None:
    most = sources_apart(MATRIX, n_trials=3, n_target=10)
    assert most == 36, "ten targets are of two families of six"
    one = replace(MATRIX, models=MATRIX.models.assign(family="all"))
    assert sources_apart(one, n_trials=2, n_target=10) == 0
