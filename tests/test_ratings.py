"""Bradley–Terry ratings: against hand, published values and scikit-learn; and their sampling."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from mbnb.data.arena import simulate_arena
from mbnb.data.battles import POINTS, Battles
from mbnb.data.errors import InputError
from mbnb.judge.agreement import agreement, mdad
from mbnb.study.beyond.battle_trials import run_battles
from mbnb.study.beyond.ratings import expected_rating_mdad, fit_ratings, strengths, win_probability

# Wins of the row over the column among the seven teams of baseball's American League East in 1987
# (Agresti, 2002, Categorical Data Analysis): Milwaukee, Detroit, Toronto, New York, Boston,
# Cleveland, Baltimore; and the strengths that statistics packages print for them.
TEAMS = np.array(
    [
        [0, 7, 9, 7, 7, 9, 11],
        [6, 0, 7, 5, 11, 9, 9],
        [4, 6, 0, 7, 7, 8, 12],
        [6, 8, 6, 0, 6, 7, 10],
        [6, 2, 6, 7, 0, 7, 12],
        [4, 4, 5, 6, 6, 0, 6],
        [2, 4, 1, 3, 1, 7, 0],
    ],
    dtype=float,
)
PRINTED = [1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0]


def battles_from(wins: np.ndarray) -> Battles:
    first, second = (place for place in np.nonzero(wins))
    times = wins[first, second].astype(int)
    first, second = np.repeat(first, times), np.repeat(second, times)
    names = np.array([f"m{i}" for i in range(len(wins))])
    return Battles(names, first, second, np.ones(first.size), np.arange(first.size))


def test_two_models_are_apart_by_the_log_odds_of_their_wins() -> None:
    ratings = fit_ratings(battles_from(np.array([[0, 30], [10, 0]])))
    assert ratings["rating"].tolist() == pytest.approx([POINTS * np.log(3) / 2] * 2 * np.r_[1, -1])
    # The difference has variance 1 / (n p (1 − p)); each is half of it from the mean.
    assert ratings["error"].tolist() == pytest.approx([POINTS / np.sqrt(40 * 3 / 16) / 2] * 2)
    assert ratings["battles"].tolist() == [40, 40]


def test_a_published_fit_is_found_again() -> None:
    found = strengths(TEAMS, 0)
    assert found - found[-1] == pytest.approx(PRINTED, abs=5e-5)


def test_logistic_regression_without_a_penalty_says_the_same() -> None:
    arena = simulate_arena(9, 1_500, seed=2)
    design = np.zeros((arena.n_battles, 9))
    design[np.arange(arena.n_battles), arena.first] = 1
    design[np.arange(arena.n_battles), arena.second] -= 1
    # A tie is half a win and half a loss.
    rows, won = np.tile(design, (2, 1)), np.repeat([1, 0], arena.n_battles)
    weights = np.concatenate([arena.result, 1 - arena.result])
    other = LogisticRegression(C=np.inf, fit_intercept=False, tol=1e-10, max_iter=10_000)
    other.fit(rows, won, weights)
    told = POINTS * (other.coef_[0] - other.coef_[0].mean())
    assert fit_ratings(arena)["rating"].to_numpy() == pytest.approx(told, abs=0.01)


def test_the_order_of_battles_and_of_the_two_in_them_changes_nothing() -> None:
    arena = simulate_arena(7, 500, seed=5)
    order = np.random.default_rng(0).permutation(500)
    turned = Battles(
        arena.models,
        arena.second[order],
        arena.first[order],
        1 - arena.result[order],
        arena.prompt[order],
    )
    assert fit_ratings(turned)["rating"].to_numpy() == pytest.approx(
        fit_ratings(arena)["rating"].to_numpy()
    )


def test_renumbering_the_models_renumbers_the_ratings() -> None:
    order = np.array([3, 0, 6, 1, 5, 2, 4])
    assert strengths(TEAMS[order][:, order], 0) == pytest.approx(strengths(TEAMS, 0)[order])


def test_every_battle_twice_halves_the_variance_alone() -> None:
    once, twice = (fit_ratings(battles_from(k * TEAMS)) for k in (1, 2))
    assert twice["rating"].tolist() == pytest.approx(once["rating"].tolist())
    assert twice["error"].tolist() == pytest.approx((once["error"] / np.sqrt(2)).tolist())


def test_all_turned_round_turns_the_ratings_round() -> None:
    assert strengths(TEAMS.T, 0.5) == pytest.approx(-strengths(TEAMS, 0.5))


def test_models_that_cannot_be_compared_are_named() -> None:
    wins = np.array([[0, 2, 0, 1], [1, 0, 3, 0], [0, 1, 0, 0], [0, 0, 0, 0]])
    with pytest.raises(InputError, match=r"8 battles cannot rate 1 of 4 models \(first: 'm3'\)"):
        fit_ratings(battles_from(wins))
    ratings = fit_ratings(battles_from(wins), prior=1)["rating"]
    assert ratings.idxmin() == "m3" and np.isfinite(ratings).all()


def test_a_large_prior_makes_all_alike() -> None:
    spreads = [np.ptp(strengths(TEAMS, prior)) for prior in (0, 1, 100, 1e6)]
    assert spreads == sorted(spreads, reverse=True) and spreads[-1] < 1e-3


def test_one_sided_battles_have_ratings_with_a_prior() -> None:
    wins = np.zeros((3, 3))
    wins[0, 1:] = 5_000
    assert np.isfinite(strengths(wins, 1)).all()


def test_four_hundred_points_are_ten_to_one() -> None:
    assert win_probability(400) == pytest.approx(10 / 11)
    assert win_probability(0) == 0.5
    assert win_probability(np.array([-400.0, 400.0])).sum() == pytest.approx(1)


def test_equal_models_have_the_simple_formula() -> None:
    import pandas as pd

    n, size = 12, 500
    found = expected_rating_mdad(pd.Series(np.zeros(n)), [size], 10**9)[size]
    assert found == pytest.approx(0.8416212 * POINTS * np.sqrt(4 * (n - 1) / size), rel=1e-4)
    tied = expected_rating_mdad(pd.Series(np.zeros(n)), [size], 10**9, tie_share=0.19)[size]
    assert tied / found == pytest.approx(np.sqrt(0.81))
    assert expected_rating_mdad(pd.Series(np.zeros(n)), [size], size)[size] == 0


def test_trials_of_battles_are_read_by_agreement_in_rating_points() -> None:
    arena = simulate_arena(10, 6_000, n_prompts=1_500, seed=1)
    trials = run_battles(arena, [200, 2_000], ["uniform"], n_trials=20)
    counts = agreement(trials, width=20)
    table = mdad(counts, min_pairs=20).set_index("size")["mdad"]
    assert counts.gaps.max() > 150  # beyond where accuracies end
    assert counts.pairs.sum() == 2 * 20 * 45
    expected = expected_rating_mdad(
        fit_ratings(arena)["rating"], [200, 2_000], trials.n_train, tie_share=arena.tie_share
    )
    assert table[200] == pytest.approx(expected[200], abs=30)
    assert table[2_000] == pytest.approx(expected[2_000], abs=20)
    assert table[2_000] < table[200]


def test_all_battles_of_the_half_rate_as_the_half_does() -> None:
    arena = simulate_arena(6, 2_000, n_prompts=400, seed=3)
    half = run_battles(arena, [1], n_trials=1).n_train
    trials = run_battles(arena, [half], n_trials=1, prior=1e-6)
    for _, rows in trials.table.groupby("selector", observed=True):
        assert rows["estimate"].to_numpy() == pytest.approx(rows["train_accuracy"].to_numpy(), 1e-4)


def test_a_way_or_a_size_that_is_added_changes_no_other() -> None:
    arena = simulate_arena(6, 1_000, n_prompts=200)
    one = run_battles(arena, [50], ["neighbours"], n_trials=2).table
    more = run_battles(arena, [50, 100], ["uniform", "neighbours"], n_trials=3).table
    same = more[(more["selector"] == "neighbours") & (more["size"] == 50) & (more["trial"] < 2)]
    assert same["estimate"].tolist() == one["estimate"].tolist()


def test_whole_prompts_bring_all_their_battles() -> None:
    from mbnb.study.beyond.battle_trials import WAYS

    arena = simulate_arena(6, 1_000, n_prompts=100)
    chosen = WAYS["prompts"](arena, 200, np.random.default_rng(0))
    names, counts = np.unique(arena.prompt[chosen], return_counts=True)
    whole = counts == np.bincount(arena.prompt)[names]
    assert len(set(chosen.tolist())) == 200 and (~whole).sum() <= 1


def test_neighbours_fight_nearer_models() -> None:
    from mbnb.study.beyond.battle_trials import WAYS

    arena = simulate_arena(18, 5_000, spread=300)
    place = fit_ratings(arena)["rating"].rank().to_numpy()
    apart = np.abs(place[arena.first] - place[arena.second])
    means = {
        way: apart[WAYS[way](arena, 1_000, np.random.default_rng(0))].mean()
        for way in ("uniform", "neighbours")
    }
    assert means["neighbours"] < 0.8 * means["uniform"]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"ways": ["uniform", "best"]}, "allowed are some of uniform, neighbours, prompts"),
        ({"sizes": [10_000]}, "size 10000 is not possible"),
        ({"n_trials": 0}, "at least one trial"),
        ({"prior": 0.0}, "a prior above 0"),
    ],
)
def test_trials_that_cannot_be_are_refused(changed: dict, message: str) -> None:
    given = {"sizes": [50], "ways": ["uniform"], "n_trials": 1} | changed
    with pytest.raises(InputError, match=message):
        run_battles(simulate_arena(6, 1_000, n_prompts=200), **given)
