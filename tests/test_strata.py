"""Tests of what layers explain."""

from __future__ import annotations

import numpy as np
import pytest

from mbnb.study.reasons.strata import between_share


def test_the_share_between_layers_is_the_analysis_of_variance() -> None:
    # Layer means 1 and 3, overall 2: between = (1 + 1)/2 = 1; total = (4 + 0 + 1 + 1)/4 = 1.5.
    values = np.array([[0.0, 2.0, 3.0, 3.0], [1.0, 1.0, 1.0, 1.0]])
    shares = between_share(values, np.array([7, 7, 2, 2]))
    assert shares[0] == pytest.approx(2 / 3), "1 of a variance of 1.5 lies between the layers"
    assert np.isnan(shares[1]), "a row without variance has no share"


def test_one_layer_explains_nothing_and_a_layer_for_each_item_everything() -> None:
    values = np.random.default_rng(0).random((3, 20))
    assert between_share(values, np.zeros(20, dtype=int)) == pytest.approx(0)
    assert between_share(values, np.arange(20)) == pytest.approx(1)
