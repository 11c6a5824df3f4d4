"""Scores with guessing taken out, and the gate between them and raw ones."""

from __future__ import annotations

import numpy as np
import pytest

import mbnb
from mbnb.data.errors import InputError
from mbnb.study.beyond.normalised import check_same_scale, normalised_score, raw_score


def test_a_score_shown_by_the_leaderboard_follows_from_the_raw_mean() -> None:
    assert mbnb.normalised_score is normalised_score
    assert float(normalised_score(0.5309, 0.1)) == pytest.approx(0.4788, abs=5e-5)


def test_guessing_is_0_a_perfect_score_1_and_nothing_is_below() -> None:
    found = normalised_score([0.25, 1.0, 0.2, 0.0, np.nan], 0.25)
    np.testing.assert_allclose(found, [0, 1, 0, 0, np.nan])
    assert normalised_score(0.3, 0.0) == 0.3


def test_each_subtask_has_a_chance_of_its_own() -> None:
    raw = np.array([[0.5, 0.625], [1.0, 0.25]])
    np.testing.assert_allclose(normalised_score(raw, [0.5, 0.25]), [[0, 0.5], [1, 0]])


def test_raw_scores_come_back() -> None:
    raw = np.linspace(0.1, 1, 19)
    np.testing.assert_allclose(raw_score(normalised_score(raw, 0.1), 0.1), raw)
    assert raw_score(0.0, 0.25) == 0.25


@pytest.mark.parametrize("chance", [1.0, -0.1, 10, np.nan])
def test_a_chance_is_a_share_below_1(chance: float) -> None:
    with pytest.raises(InputError, match="a chance is .*allowed is at least 0 and below 1"):
        normalised_score(0.5, chance)


def test_points_are_refused() -> None:
    with pytest.raises(InputError, match="a raw score is 53.09; allowed is 0 to 1"):
        normalised_score(53.09, 0.1)


def test_scores_of_one_scale_pass_up_to_a_point() -> None:
    raw = np.array([0.5309, 0.3, np.nan])
    check_same_scale(raw, raw, 0.1)
    check_same_scale(raw + 0.01, raw)


def test_normalised_scores_are_not_compared_with_raw_means() -> None:
    raw = np.array([0.5309, 0.3])
    with pytest.raises(InputError, match=r"22.22 points and the raw mean.*30.00.*normalised_score"):
        check_same_scale([0.4788, 0.2222], raw, 0.1)
    with pytest.raises(InputError, match="see that both are of the same items") as caught:
        check_same_scale([0.4788, 0.9], raw, 0.1)
    assert "60.00 points apart (allowed: 1)" in str(caught.value)
    with pytest.raises(InputError, match="1.10 points apart"):
        check_same_scale(raw + 0.011, raw)


def test_points_and_missing_models_are_told_apart() -> None:
    with pytest.raises(InputError, match="divide points by 100"):
        check_same_scale([47.88], [0.5309], 0.1)
    with pytest.raises(InputError, match="2 scores are shown for 1 raw means"):
        check_same_scale([0.5, 0.4], [0.5])
