"""The top of a ranking: hand-worked trials, ties broken by lot, and what must always hold."""

from __future__ import annotations

import json
from itertools import permutations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import mbnb
from mbnb.data.errors import InputError
from mbnb.judge.table import COLUMNS, Trials
from mbnb.publish.charts.explore_ranks import explore_ranks
from mbnb.publish.charts.top import draw_best_kept, draw_curse, draw_kept, draw_regret
from mbnb.study.rankings.ranks import rank_ranges, told_apart
from mbnb.study.rankings.top import possible_tops, regret, top_kept, top_table


def make_trials(runs: list[tuple[list[float], list[float]]]) -> Trials:
    """Trials of one cell from (accuracies in points, estimates in points) of each trial."""
    frames = [
        pd.DataFrame(
            {
                "selector": "uniform",
                "estimator": "weighted-mean",
                "size": 10,
                "n_source": 1,
                "trial": trial,
                "model": [f"m{i}" for i in range(len(accuracies))],
                "train_accuracy": np.array(accuracies) / 100,
                "heldout_accuracy": np.array(accuracies[::-1]) / 100,
                "estimate": np.array(estimates) / 100,
            }
        )
        for trial, (accuracies, estimates) in enumerate(runs)
    ]
    table = pd.concat(frames, ignore_index=True)[COLUMNS].astype({"selector": "category"})
    return Trials(table, "test", 100, 100, binary=True)


def only(trials: Trials, k: int, half: str = "train") -> pd.Series:
    return top_table(trials, [k], half).iloc[0]


def test_one_trial_worked_by_hand() -> None:
    # True order m0 m1 m2 m3; the estimates say m1 m2 m0 m3.
    trials = make_trials([([60, 50, 40, 30], [45, 70, 55, 20])])
    one, two, three = (only(trials, k) for k in (1, 2, 3))
    assert (one["kept"], one["whole"], one["best_kept"]) == (0, 0, 0)
    assert one["regret"] == pytest.approx(10), "m1 is taken for the best, ten points below it"
    assert one["excess"] == pytest.approx(20), "70 was promised and 50 kept"
    assert one["lead"] == pytest.approx(10)
    assert (two["kept"], two["whole"], two["best_kept"]) == (0.5, 0, 0)
    assert two["regret"] == pytest.approx(10) and two["excess"] == pytest.approx(17.5)
    assert (three["kept"], three["whole"], three["best_kept"]) == (1, 1, 1)
    assert three["regret"] == pytest.approx(0) and three["lead"] == pytest.approx(30)
    assert one["bias"] == three["bias"] == pytest.approx(2.5), "45 + 70 + 55 + 20 is 190, not 180"
    # The best model itself is underrated by 15, the one taken for the best overrated by 20.
    assert one["top_bias"] == pytest.approx(-15) and one["curse"] == pytest.approx(35)
    assert two["top_bias"] == pytest.approx(2.5) and three["curse"] == pytest.approx(0)


def test_a_tie_at_the_edge_is_broken_by_lot() -> None:
    # One seat of two is m1's; m0, m2 and m3 are tied for the other.
    trials = make_trials([([60, 50, 40, 30], [50, 70, 50, 50])])
    two = only(trials, 2)
    assert two["best_kept"] == pytest.approx(1 / 3) and two["whole"] == pytest.approx(1 / 3)
    assert two["kept"] == pytest.approx((1 + 1 / 3) / 2)
    assert two["regret"] == pytest.approx(10 * 2 / 3), "m1's 50 stays where m0 is not drawn"


def test_all_tied_is_pure_chance() -> None:
    trials = make_trials([([60, 50, 40, 30], [50, 50, 50, 50])])
    assert only(trials, 1)["best_kept"] == pytest.approx(1 / 4)
    assert only(trials, 2)["kept"] == pytest.approx(2 / 4)
    assert only(trials, 2)["whole"] == pytest.approx(1 / 6), "one pair of six"
    assert only(trials, 1)["regret"] == pytest.approx((0 + 10 + 20 + 30) / 4)
    assert only(trials, 1)["excess"] == pytest.approx(only(trials, 1)["bias"])


def test_models_tied_at_the_true_edge_stand_for_one_another() -> None:
    # m0 and m1 share the first rank: either is the best, and taking m1 costs nothing.
    one = only(make_trials([([60, 60, 40], [50, 70, 55])]), 1)
    assert (one["kept"], one["best_kept"], one["regret"], one["lead"]) == (1, 1, 0, 0)


@pytest.mark.parametrize("seed", range(6))
def test_the_lot_among_ties_is_the_mean_over_all_orders(seed: int) -> None:
    rng = np.random.default_rng(seed)
    accuracies, told = 10.0 * rng.integers(0, 5, 6), 10.0 * rng.integers(0, 3, 6)
    truth = np.sort(accuracies)[::-1]
    for k in (1, 2, 3, 5):
        found = []
        for lot in permutations(range(6)):
            chosen = np.lexsort((lot, -told))[:k]
            good = (accuracies[chosen] >= truth[k - 1]).sum()
            best = accuracies[chosen].max()
            excess = (told[chosen] - accuracies[chosen]).mean()
            found.append((good / k, good == k, best == truth[0], truth[0] - best, excess))
        row = only(make_trials([(list(accuracies), list(told))]), k)
        names = ["kept", "whole", "best_kept", "regret", "excess"]
        assert row[names].to_numpy(float) == pytest.approx(np.mean(found, axis=0))


def test_trials_are_averaged_and_their_spread_is_the_interval() -> None:
    right, wrong = ([60, 50, 40], [60, 50, 40]), ([60, 50, 40], [50, 60, 40])
    table = top_kept(make_trials([right, wrong, right, right]), 1)
    row = table.iloc[0]
    assert row["best_kept"] == 0.75 and row["best_low"] < 0.75 < row["best_high"]
    lost = regret(make_trials([right, wrong, right, right]), 1).iloc[0]
    assert lost["regret"] == pytest.approx(2.5) and lost["regret_low"] == 0
    assert np.isnan(top_kept(make_trials([right]), 1).iloc[0]["best_low"]), "one trial, no interval"


def test_the_held_out_half_has_its_own_best_model() -> None:
    trials = make_trials([([60, 50, 40], [60, 50, 40])])
    assert only(trials, 1)["best_kept"] == 1 and only(trials, 1, "heldout")["best_kept"] == 0
    assert only(trials, 1, "heldout")["regret"] == pytest.approx(20)


def test_a_larger_shortlist_never_costs_more() -> None:
    rng = np.random.default_rng(0)
    runs = [(list(rng.integers(20, 80, 9)), list(10.0 * rng.integers(2, 8, 9))) for _ in range(5)]
    table = top_table(make_trials(runs), range(1, 10))
    assert (np.diff(table["regret"]) <= 1e-9).all() and (np.diff(table["best_kept"]) >= -1e-9).all()
    last = table.iloc[-1]
    assert (last["kept"], last["whole"], last["regret"]) == (1, 1, 0) and np.isnan(last["lead"])


def test_a_top_larger_than_the_ranking_is_refused() -> None:
    trials = make_trials([([60, 50, 40], [60, 50, 40])])
    with pytest.raises(InputError, match="k 4 is not possible; a trial ranks 3 models"):
        top_table(trials, [4])
    assert possible_tops(5) == [1, 3] and possible_tops(50) == [1, 3, 5, 10]


def test_ranks_worked_by_hand() -> None:
    # m0 is first in one trial and last in the other; m1 is always second.
    trials = make_trials([([60, 50, 40], [9, 5, 1]), ([60, 50, 40], [1, 5, 9])])
    table = rank_ranges(trials).set_index("rank")
    assert list(table["mean"]) == [2, 2, 2] and list(table["models"]) == [2, 2, 2]
    assert list(table["low"]) == [1, 2, 1] and list(table["high"]) == [3, 2, 3]
    assert list(table["shift"]) == [1, 0, 1], "two ranks off every other time"
    assert list(table["near"]) == pytest.approx([10, 10, 10])


def test_a_tied_model_may_stand_anywhere_in_its_tie() -> None:
    table = rank_ranges(make_trials([([60, 50, 40, 30], [5, 5, 5, 1])]), level=0.9).set_index(
        "rank"
    )
    assert list(table["low"]) == [1, 1, 1, 4] and list(table["high"]) == [3, 3, 3, 4]
    assert list(table["mean"]) == pytest.approx([2, 2, 2, 4])
    assert list(table["shift"]) == pytest.approx([1, 2 / 3, 1, 0])


def test_models_tied_on_the_half_share_the_better_rank() -> None:
    table = rank_ranges(make_trials([([60, 60, 40], [9, 5, 1])]))
    assert list(table["rank"]) == [1, 3] and list(table["models"]) == [2, 1]
    assert table["near"].iloc[0] == 0, "each has the other right beside it"


def test_the_share_of_models_an_mdad_away_is_counted_by_hand() -> None:
    trials = make_trials([([60, 50, 48, 47, 30], [5, 4, 3, 2, 1])])
    cell = trials.table[["selector", "estimator", "size", "n_source"]].iloc[:1]
    table = told_apart(trials, cell.assign(mdad=2.0))
    assert list(table["rank"]) == [1, 2, 3, 4, 5]
    # 50 and 48 are two points apart, which is enough; 48 and 47 are not.
    assert list(table["apart"]) == [1, 1, 0.75, 0.75, 1]
    assert not told_apart(trials, cell.assign(mdad=np.nan))["apart"].any(), "nothing is told apart"
    tied = make_trials([([60, 60, 40], [5, 4, 3])])
    assert list(told_apart(tied, cell.assign(mdad=0.0))["apart"]) == [0.5, 1]


def test_a_scale_that_is_off_for_all_is_no_curse() -> None:
    right = make_trials([([60, 50, 40], [50, 45, 40])])
    assert only(right, 1)["excess"] == pytest.approx(-10) and only(right, 1)["curse"] == 0


@pytest.fixture(scope="module")
def study_trials() -> Trials:
    matrix = mbnb.load("simulated:gpqa")
    return mbnb.run_trials(
        matrix, ["uniform", "subtask"], [10, 50], n_trials=3, n_source=5, n_target=12
    )


def test_the_charts_draw_a_line_for_each_selector(study_trials: Trials) -> None:
    table = top_table(study_trials)
    for figure, extra in ((draw_kept(table), 1), (draw_regret(table), 0)):
        shown = [axes for axes in figure.axes if axes.get_visible()]
        assert len(shown) == 4 and all(len(axes.lines) == 2 + extra for axes in shown)
    assert len(draw_curse(table).axes[0].lines) == 3, "two selectors and zero"
    plt.close("all")


def test_the_chart_of_ranks_holds_the_ranges_that_were_found(study_trials: Trials) -> None:
    ranges = rank_ranges(study_trials)
    chart = json.loads(explore_ranks(ranges, [1, 6]).to_json())
    (data,) = chart["datasets"].values()
    told = {(row["s"], row["size"], row["rank"]): row["middle"] for row in data}
    own = ranges[(ranges["selector"] == "uniform") & ranges["rank"].isin([1, 6])]
    assert len(told) <= 8 and {key[2] for key in told} <= {1, 6}
    for row in own.itertuples():
        assert told["Uniform random", row.size, row.rank] == row.middle


def test_a_row_for_each_leaderboard_in_order_of_the_lead() -> None:
    rows = [("far", 5.0, 0.9), ("near", 0.5, 0.2)]
    table = pd.DataFrame(rows, columns=["dataset", "lead", "best_kept"])
    figure = draw_best_kept(table.assign(selector="uniform", size=10), "uniform", [10, 50])
    labels = [text.get_text() for text in figure.axes[0].get_yticklabels()]
    assert labels == ["near: 0.5", "far: 5.0"]
    plt.close("all")
