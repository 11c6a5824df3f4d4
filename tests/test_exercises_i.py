"""What chapters 1 to 4 say of real leaderboards beside the simulated one."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import mbnb
from mbnb.publish.charts import beside_real as room

TABLE = pd.DataFrame(
    [
        ("boards-b", "uniform", 10, "train", 18.5, 9.0),
        ("boards-a", "uniform", 10, "train", 16.5, 8.04),
        ("simulated:mmlu-pro", "uniform", 10, "train", 17.0, 8.5),
        ("simulated:other", "uniform", 10, "train", 1.0, 1.0),
        ("boards-a", "uniform", 25, "train", np.nan, 5.0),
        ("boards-b", "uniform", 25, "train", 9.0, 5.0),
        ("boards-a", "uniform", 10, "heldout", 20.0, 9.0),
        ("simulated:mmlu-pro", "uniform", 500, "train", 1.0, 1.0),
    ],
    columns=["dataset", "selector", "size", "half", "mdad", "error"],
)
FACTS = pd.DataFrame(
    {
        "dataset": ["boards-a", "boards-b", "simulated:mmlu-pro"],
        "turned": [8.94, 1.91, 1.06],
        "bias": [2.4, 0.7, 0.9],
    }
)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = {"leaderboards": TABLE, "first-trial": FACTS}
    monkeypatch.setattr(room, "measured", tables.__getitem__)


@pytest.mark.usefixtures("told")
def test_only_real_leaderboards_make_the_span_and_the_default_data_stand_beside_it() -> None:
    met = mbnb.beside_real("uniform", 10)
    assert met.span == "16.5 to 18.5 points"
    assert (met.n, met.simulated) == (2, 17.0)
    assert list(met.real.index) == ["boards-a", "boards-b"]


@pytest.mark.usefixtures("told")
def test_the_half_and_the_column_are_those_asked_for() -> None:
    assert mbnb.beside_real("uniform", 10, half="heldout").span == "20 points"
    assert mbnb.beside_real("uniform", 10, "error").span == "8 to 9 points"


@pytest.mark.usefixtures("told")
def test_an_mdad_that_is_not_reached_stands_last_and_is_no_number() -> None:
    assert mbnb.beside_real("uniform", 25).span == "9 to not reached"


@pytest.mark.usefixtures("told")
@pytest.mark.parametrize("asked", [("diversity", 10), ("uniform", 500)])
def test_what_was_not_measured_on_real_data_is_refused(asked: tuple[str, int]) -> None:
    with pytest.raises(mbnb.InputError, match=r"nothing was measured.*sizes are 10, 25, 500"):
        mbnb.beside_real(*asked)


@pytest.mark.usefixtures("told")
def test_shares_are_told_in_per_cent_and_biases_in_points() -> None:
    turned, bias = mbnb.facts_beside_real("turned"), mbnb.facts_beside_real("bias")
    assert turned.span == "1.9 to 8.9\N{NO-BREAK SPACE}%"
    assert turned.told(turned.simulated) == "1.1\N{NO-BREAK SPACE}%"
    assert bias.span == "0.7 to 2.4 points"


def test_the_kept_facts_name_the_leaderboards_of_the_kept_grids() -> None:
    facts, grids = mbnb.measured("first-trial"), mbnb.measured("leaderboards")
    assert set(grids["dataset"]) <= set(facts["dataset"])
    numbers = facts.set_index("dataset")[["n_source", "n_target"]]
    kept = grids.groupby("dataset")["n_target"].first()
    assert (numbers.loc[kept.index, "n_target"] == kept).all()
    assert (facts["nearest_least"] <= facts["nearest"]).all()
    assert (facts["nearest"] < facts["strangers"]).all()


def test_a_kept_fact_can_be_measured_again() -> None:
    kept = mbnb.measured("first-trial").set_index("dataset").loc["simulated:gpqa"]
    matrix, _ = mbnb.prepare("simulated:gpqa")
    n_source, n_target, _ = mbnb.possible_counts(matrix)
    split = mbnb.make_split(matrix, seed=0, trial=0, n_source=n_source, n_target=n_target)
    nearest = [
        100 * mbnb.disagreement(matrix, np.full(n_source, target), split.sources).min()
        for target in split.targets
    ]
    assert np.median(nearest) == pytest.approx(kept["nearest"], abs=0.001)
    assert min(nearest) == pytest.approx(kept["nearest_least"], abs=0.001)


@pytest.mark.parametrize("size", [10, 100])
def test_the_default_data_are_among_what_is_kept(size: int) -> None:
    met = mbnb.beside_real("uniform", size)
    assert met.n >= 8
    assert np.isfinite(met.simulated)
