"""Tau beside the MDAD: hand-worked sums, same-tau pairs, verdicts, spreads, and their charts."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau, somersd

from mbnb.judge.agreement import agreement, mdad
from mbnb.judge.measures import kendall_tau
from mbnb.judge.table import COLUMNS, Trials
from mbnb.publish.charts.concordance import (
    cell_name,
    draw_curves,
    draw_leaderboards_tau,
    draw_spread,
    draw_tau_by_gap,
    draw_tau_mdad,
    signed,
)
from mbnb.publish.charts.explore_tau import explore_tau
from mbnb.study.rankings.concordance import (
    clustered_correlation,
    same_tau,
    tau_and_mdad,
    tau_by_gap,
    tau_by_spread,
    tau_by_trial,
    tau_mdad_correlation,
    tau_verdicts,
)

N_ITEMS = 200


def make_trials(noises: dict[tuple[str, int], float], n_trials: int = 6, n: int = 24) -> Trials:
    """Cells (selector, size) whose estimates are accuracies with so much noise, in fiftieths."""
    rng = np.random.default_rng(3)
    frames = []
    right = np.rint(np.linspace(40, 160, n)).astype(int) + rng.integers(-9, 10, (n_trials, n))
    for (selector, size), noise in noises.items():
        for trial in range(n_trials):
            told = right[trial] / N_ITEMS + rng.normal(0, noise, n)
            frames.append(
                pd.DataFrame(
                    {
                        "selector": selector,
                        "estimator": "weighted-mean",
                        "size": size,
                        "n_source": 1,
                        "trial": trial,
                        "model": [f"m{i:02d}" for i in range(n)],
                        "train_accuracy": right[trial] / N_ITEMS,
                        "heldout_accuracy": right[trial] / N_ITEMS,
                        "estimate": np.round(told * 50) / 50,
                    }
                )
            )
    table = pd.concat(frames, ignore_index=True)[COLUMNS]
    table["selector"] = pd.Categorical(
        table["selector"], list(dict.fromkeys(name for name, _ in noises))
    )
    return Trials(table, "test", N_ITEMS, N_ITEMS, binary=True)


@pytest.fixture(scope="module")
def trials() -> Trials:
    noises = {("uniform", 10): 0.2, ("uniform", 50): 0.05, ("anchor-points", 10): 0.1}
    return make_trials({**noises, ("anchor-points", 50): 0.02})


def test_the_parts_of_a_cell_sum_to_somers_d(trials: Trials) -> None:
    parts = tau_by_gap(trials)
    own = parts[(parts["selector"] == "uniform") & (parts["size"] == 10)]
    rows = trials.table[(trials.table["selector"] == "uniform") & (trials.table["size"] == 10)]
    # Each trial has its own number of pairs untied in accuracy, so trials are weighted by it.
    ds, weights = [], []
    for _, one in rows.groupby("trial"):
        ds.append(somersd(one["train_accuracy"], one["estimate"]).statistic)
        accuracy = one["train_accuracy"].to_numpy()
        first, second = np.triu_indices(accuracy.size, 1)
        weights.append((accuracy[first] != accuracy[second]).sum())
    assert own["part"].sum() == pytest.approx(np.average(ds, weights=weights), abs=1e-12)
    assert own["share"].sum() == pytest.approx(1)


def test_what_lies_above_a_gap_is_the_rest_of_the_sum(trials: Trials) -> None:
    for _, own in tau_by_gap(trials).groupby(["selector", "size"], observed=True):
        assert own["above"].iloc[0] == pytest.approx(1)
        rest = own["part"].iloc[5:].sum() / own["part"].sum()
        assert own["above"].iloc[5] == pytest.approx(rest)


def test_a_coin_adds_nothing_and_no_share_is_told_of_a_tau_below_zero() -> None:
    found = make_trials({("uniform", 10): 0.1})
    backwards = found.table.assign(estimate=1 - found.table["train_accuracy"])
    parts = tau_by_gap(Trials(backwards, "test", N_ITEMS, N_ITEMS, binary=True))
    assert (parts["part"] <= 0).all() and parts["above"].isna().all()
    tied = found.table.assign(estimate=0.5)
    parts = tau_by_gap(Trials(tied, "test", N_ITEMS, N_ITEMS, binary=True))
    assert (parts["part"] == 0).all() and parts["above"].isna().all()


def test_tau_and_mdad_are_those_told_elsewhere(trials: Trials) -> None:
    both = tau_and_mdad(trials, threshold=0.8, min_pairs=6)
    pd.testing.assert_series_equal(both.table["tau"], kendall_tau(trials)["tau"])
    alone = mdad(agreement(trials), min_pairs=6)
    pd.testing.assert_frame_equal(both.table[alone.columns], alone)
    assert (both.table["tau_low"] <= both.table["tau"]).all()
    assert (both.table["tau"] <= both.table["tau_high"]).all()
    assert both.low <= both.correlation <= both.high
    expected = kendalltau(both.table["tau"], both.table["mdad"]).statistic
    assert both.correlation == pytest.approx(expected)


def test_a_tie_counted_half_can_only_lower_the_mdad(trials: Trials) -> None:
    strict, half = (tau_and_mdad(trials, ties=ties).table["mdad"] for ties in ("wrong", "half"))
    assert (half <= strict).all() and (half < strict).any()


def test_one_trial_has_a_tau_and_no_interval() -> None:
    both = tau_and_mdad(make_trials({("uniform", 10): 0.1, ("uniform", 50): 0.02}, n_trials=1))
    assert both.table["tau"].notna().all()
    assert both.table[["low", "tau_low", "tau_high"]].isna().all(axis=None)
    assert np.isfinite(both.correlation) and np.isnan(both.low) and np.isnan(both.high)


def test_trials_without_a_tau_are_left_out_of_the_mean() -> None:
    found = make_trials({("uniform", 10): 0.1}, n_trials=3)
    found.table.loc[found.table["trial"] == 1, "estimate"] = 0.5
    taus = tau_by_trial(found)
    assert np.isnan(taus[0, 1]) and np.isfinite(taus[0, [0, 2]]).all()
    assert tau_and_mdad(found).table["tau"].item() == pytest.approx(np.nanmean(taus))
    found.table["estimate"] = 0.5
    both = tau_and_mdad(found)
    assert np.isnan(both.table["tau"].item()) and np.isnan(both.correlation)


def test_an_mdad_that_is_not_reached_ranks_last() -> None:
    table = pd.DataFrame({"tau": [0.9, 0.8, 0.1], "mdad": [1.0, 2.0, np.nan]})
    assert tau_mdad_correlation(table) == pytest.approx(-1)
    assert np.isnan(tau_mdad_correlation(table.head(1)))
    assert np.isnan(tau_mdad_correlation(table.assign(mdad=2.0)))


def test_leaderboards_are_resampled_whole() -> None:
    rng = np.random.default_rng(0)
    tau = rng.random(40)
    table = pd.DataFrame({"dataset": np.repeat(list("abcd"), 10), "tau": tau, "mdad": 9 - 9 * tau})
    assert clustered_correlation(table) == pytest.approx((-1, -1, -1))
    # Within each leaderboard the order is perfect; between them the levels differ.
    table["mdad"] += np.repeat([0, 3, 6, 9], 10)
    value, low, high = clustered_correlation(table)
    assert low < value < 0 and low < high
    alone = clustered_correlation(table[table["dataset"] == "a"])
    assert alone[0] == pytest.approx(-1) and np.isnan(alone[1:]).all()


def test_the_pair_of_equal_tau_has_the_most_different_mdads() -> None:
    table = pd.DataFrame(
        {
            "name": list("abcdef"),
            "tau": [0.500, 0.505, 0.509, 0.700, 0.900, np.nan],
            "mdad": [9.0, 5.0, 4.0, 2.0, 1.0, 50.0],
        }
    )
    assert same_tau(table, 0.01)["name"].tolist() == ["c", "a"]
    assert same_tau(table, 0.006)["name"].tolist() == ["b", "a"]
    assert same_tau(table, 0.001).empty
    assert same_tau(table.assign(mdad=3.0)).empty
    # Of equally different pairs, the one with the nearest taus.
    even = pd.DataFrame({"tau": [0.5, 0.508, 0.51], "mdad": [4.0, 6.0, 6.0]})
    assert same_tau(even).index.tolist() == [0, 1]


def test_verdicts_are_counted_within_and_between_sizes() -> None:
    table = pd.DataFrame(
        {
            "size": [10, 10, 10, 50],
            "tau": [0.5, 0.6, 0.5, 0.9],
            "mdad": [9.0, 7.0, 8.0, np.nan],
        }
    )
    found = tau_verdicts(table)
    # Same size: (0, 1) agrees, (0, 2) has equal taus, (1, 2) agrees. Size 50 ranks last: never.
    assert found.loc["same size"].tolist() == [3, 2.5]
    assert found.loc["different sizes"].tolist() == [3, 0]
    assert tau_verdicts(table, margin=1.0).loc["same size"].tolist() == [1, 1]


def test_fewer_models_have_a_lower_tau_by_the_same_estimates(trials: Trials) -> None:
    means = trials.table.groupby("model", observed=True)["train_accuracy"].mean()
    middle = (means - means.median()).abs().sort_values().index
    groups = {1: list(means.index), 0.5: list(middle[:12]), 0.1: list(middle[:1]), 0.0: []}
    found = tau_by_spread(trials, groups, min_pairs=2)
    assert set(found["kept"]) == {1, 0.5}, "one model alone makes no pair"
    whole = found[found["kept"] == 1].reset_index(drop=True)
    pd.testing.assert_series_equal(whole["tau"], kendall_tau(trials)["tau"])
    spread = 100 * trials.table["train_accuracy"].std(ddof=0)
    assert whole["spread"].iloc[0] == pytest.approx(spread)
    half = found[found["kept"] == 0.5].reset_index(drop=True)
    assert (half["tau"] < whole["tau"]).all() and (half["spread"] < spread).all()


def test_charts_are_drawn_from_cells_with_and_without_an_mdad(trials: Trials) -> None:
    both = tau_and_mdad(trials)
    table = both.table.assign(mdad=[np.nan, *both.table["mdad"][1:]])
    assert draw_tau_mdad(table).axes[0].get_xlabel().startswith("Kendall")
    parts = tau_by_gap(trials)
    uniform = parts[parts["selector"] == "uniform"]
    drawn = draw_tau_by_gap(uniform, table[table["selector"] == "uniform"])
    assert len(drawn.axes[0].lines) == 5, "two sizes with their marks, and the share of pairs"
    groups = {1: list(trials.table["model"].unique())}
    assert len(draw_spread(tau_by_spread(trials, groups)).axes) == 2
    curve = agreement(trials).curve()
    figure = draw_curves({"all": (curve[curve["size"] == 10], None)})
    assert figure.axes[0].get_ylabel() == "Agreement"
    many = table.assign(dataset=["a", "a", "simulated:b", "simulated:b"])
    assert len(draw_leaderboards_tau(many).axes[0].lines) == 2


def test_the_chart_to_touch_begins_with_the_rows_given(trials: Trials) -> None:
    both = tau_and_mdad(trials)
    curve = agreement(trials).curve()
    spec = explore_tau(both.table, curve, both.table.iloc[[0, 2]]).to_dict()
    chosen = next(param for param in spec["params"] if param["name"] == "clicked")
    assert [value["cell"] for value in chosen["value"]] == [
        "Uniform random, 10 items",
        "Anchor Points, 10 items",
    ]
    rows = [len(rows) for rows in spec["datasets"].values()]
    assert max(rows) <= 5000
    empty = explore_tau(both.table, curve, both.table.head(0)).to_dict()
    assert len(next(p for p in empty["params"] if p["name"] == "clicked")["value"]) == 1


def test_cells_and_correlations_are_worded() -> None:
    assert cell_name(pd.Series({"selector": "uniform", "size": 1000})) == (
        "Uniform random, 1,000 items"
    )
    assert signed(-0.787, 3) == "−0.787"
    assert signed(float("nan")) == "–"
