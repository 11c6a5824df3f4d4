"""What the chapter on selection for MDAD tabulates and draws."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import mbnb
from mbnb.data.errors import InputError
from mbnb.data.profiles import read_profile
from mbnb.data.simulate import simulate
from mbnb.publish.charts.shortfall import rank_by_shortfall

POOLS = (1, 4, None)


def made_table() -> pd.DataFrame:
    """Two leaderboards, two sizes, both halves; one way is best but at one place."""
    rows = []
    for dataset in ("a", "b"):
        for half in ("train", "heldout"):
            for size in (10, 50):
                for selector, estimator, mdad in (
                    ("close-pairs", "corrected-mean", 4.0 if (dataset, size) != ("b", 50) else 6.0),
                    ("uniform", "weighted-mean", 5.0),
                    ("uniform", "corrected-mean", np.nan if dataset == "b" else 4.5),
                ):
                    low, high = (mdad - 0.5, mdad + 0.5) if half == "train" else (mdad, np.nan)
                    row = (dataset, 10, selector, estimator, size, half, mdad, low, high)
                    rows.append(row)
    names = ["dataset", "n_source", "selector", "estimator", "size", "half", "mdad", "low", "high"]
    return pd.DataFrame(rows, columns=names)


@pytest.fixture(scope="module")
def small_runs() -> dict[object, mbnb.Trials]:
    """Trials of close pairs on a small simulated leaderboard, by the pools that it may choose."""
    matrix = simulate(read_profile("gpqa")).subset(models=np.arange(60))
    run = {"sizes": [5, 20], "n_trials": 4, "n_source": 30, "n_target": 20}
    selectors = {c: mbnb.ClosePairsSelector(pools=(c,)) for c in POOLS}
    selectors["own"] = mbnb.ClosePairsSelector(pools=POOLS)
    return {key: mbnb.run_trials(matrix, [own], **run) for key, own in selectors.items()}


def test_the_shortfall_is_counted_from_the_best_of_the_same_place() -> None:
    table = mbnb.shortfalls(made_table()).set_index(["dataset", "half", "size", "selector"])
    proposed = table[table["estimator"] == "corrected-mean"]["shortfall"]
    assert proposed["a", "train", 10, "close-pairs"] == 0
    assert proposed["b", "train", 50, "close-pairs"] == 1
    assert proposed["a", "heldout", 50, "uniform"] == 0.5
    assert np.isnan(proposed["b", "train", 10, "uniform"])
    assert table["shortfall"].min() == 0


def test_an_interval_holds_the_best_unless_it_ends_before_or_begins_after() -> None:
    table = mbnb.shortfalls(made_table()).set_index(["dataset", "half", "size", "selector"])
    holds = table[table["estimator"] != "weighted-mean"]["holds_best"]
    assert holds["a", "train", 10, "close-pairs"]
    # 4 to 5 holds the best, 4; from 4.5 upwards does not.
    assert holds["a", "train", 10, "uniform"]
    assert not holds["a", "heldout", 10, "uniform"]
    assert not holds["b", "train", 50, "close-pairs"]


def test_what_is_not_reached_counts_as_the_worst_of_its_place() -> None:
    ranked = rank_by_shortfall(mbnb.shortfalls(made_table()))
    assert ranked.index[0] == ("close-pairs", "corrected-mean")
    own = ranked.loc[("close-pairs", "corrected-mean")]
    assert (own["mean"], own["worst"], own["where"]) == (0.25, 1.0, "b, 50")
    # On a always half a point, on b not reached: 1 and 1 where others lie at 1 and 0.
    assert ranked.loc[("uniform", "corrected-mean")]["mean"] == pytest.approx(0.75)
    assert own["within"] == 0.75


def test_the_table_shows_the_best_and_those_a_reader_looks_for() -> None:
    html = mbnb.shortfall_table(mbnb.shortfalls(made_table()), n_best=1).to_html()
    assert "Close pairs, corrected mean" in html
    assert "Uniform random, weighted mean" in html


def test_the_pool_chosen_is_the_smallest_with_the_same_estimates(
    small_runs: dict[object, mbnb.Trials],
) -> None:
    fixed = {c: small_runs[c] for c in POOLS}
    chosen = mbnb.chosen_pools(small_runs["own"], fixed)
    assert len(chosen) == 2 * 4
    assert set(chosen["pool"]) <= {"1", "4", "all"}
    for c in POOLS:
        own = mbnb.chosen_pools(small_runs[c], fixed)["pool"]
        assert own.eq("all" if c is None else str(c)).all()
    # Twice the same trials under two names: the first of the two is told.
    twice = mbnb.chosen_pools(small_runs[4], {1: small_runs[4], 4: small_runs[4]})
    assert twice["pool"].eq("1").all()


def test_trials_of_no_known_pool_are_refused(small_runs: dict[object, mbnb.Trials]) -> None:
    with pytest.raises(InputError, match=r"is none of those of c = 1; give trials of every c"):
        mbnb.chosen_pools(small_runs[None], {1: small_runs[1]})


def test_each_way_has_a_line_of_its_own() -> None:
    table = pd.concat(
        [
            pd.DataFrame({"size": [10, 50], "mdad": [9.0, n], "low": 1.0, "high": 9.0, "way": way})
            for n, way in enumerate(("one", "two", "three"))
        ]
    )
    axes = mbnb.draw_variants(table).axes[0]
    lines = [line for line in axes.lines if not line.get_label().startswith("_")]
    assert [line.get_label() for line in lines] == ["one", "two", "three"]
    assert len({(line.get_color(), line.get_marker()) for line in lines}) == 3


def test_each_leaderboard_has_a_chart_for_each_half() -> None:
    figure = mbnb.draw_shortfalls(mbnb.shortfalls(made_table()))
    assert [axes.get_title() for axes in figure.axes] == ["a", "held-out", "b", "held-out"]
    top = figure.axes[0].lines
    assert any(list(line.get_ydata()) == [0, 0] for line in top)


def test_bars_of_the_chosen_pools_fill_up_to_all_trials() -> None:
    chosen = pd.DataFrame(
        {"size": [10, 10, 10, 50], "trial": [0, 1, 2, 0], "pool": ["1", "4", "4", "all"]}
    )
    mdads = pd.DataFrame({"pool": ["1", "4", "all"] * 2, "size": [10] * 3 + [50] * 3, "mdad": 2.0})
    below = mbnb.draw_chosen_pools(mdads, chosen, ["1", "4", "all"]).axes[1]
    widths = np.array([[bar.get_width() for bar in bars] for bars in below.containers])
    assert widths.sum(axis=0) == pytest.approx([100, 100])
    assert widths[:, 0] == pytest.approx([100 / 3, 200 / 3, 0])


def test_fewer_sources_are_drawn_at_one_size_by_leaderboard() -> None:
    table = pd.concat(
        [made_table().assign(n_source=n, mdad=lambda t, n=n: t["mdad"] + n) for n in (10, 100)]
    )
    figure = mbnb.draw_fewer_sources(table[table["half"] == "train"], 50)
    assert [axes.get_title() for axes in figure.axes if axes.get_visible()] == ["a", "b"]
    close = next(
        line for line in figure.axes[1].lines if line.get_label().startswith("Close pairs")
    )
    assert list(close.get_ydata()) == [16, 106]


def test_items_asked_are_marked_among_all() -> None:
    figure = mbnb.draw_asked(
        np.linspace(0, 1, 20), np.linspace(-1, 1, 20), {"one": np.arange(3), "two": np.arange(5)}
    )
    marked = [axes.collections[1].get_offsets() for axes in figure.axes]
    assert [len(points) for points in marked] == [3, 5]
    assert marked[0][2].tolist() == pytest.approx([100 * 2 / 19, -1 + 4 / 19])
