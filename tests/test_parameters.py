"""Parameters are read as meant or refused with their name and what is allowed."""

from __future__ import annotations

import pytest

from mbnb.book.parameters import Parameters, changed, check_value, parameters, told
from mbnb.data.errors import InputError


@pytest.mark.parametrize(
    ("name", "given", "meant"),
    [
        ("n_trials", "10", 10),
        ("n_trials", 10.0, 10),
        ("sizes", "[10, 25]", (10, 25)),
        ("sizes", [10], (10,)),
        ("selectors", '["uniform"]', ("uniform",)),
        ("n_source", "null", None),
        ("threshold", "0.9", 0.9),
        ("gap", 3, 3.0),
        ("dataset", "01", "01"),
    ],
)
def test_a_value_is_read_as_meant(name: str, given: object, meant: object) -> None:
    assert check_value(name, given) == meant


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("n_trials", 0),
        ("n_trials", True),
        ("n_trials", "many"),
        ("n_trials", 2.5),
        ("sizes", []),
        ("sizes", [10, 10]),
        ("sizes", 10),
        ("threshold", 0.5),
        ("threshold", "nan"),
        ("gap", 0),
        ("seed", -1),
        ("rule", "none"),
        ("missing", ""),
        ("dataset", ""),
    ],
)
def test_a_value_that_cannot_be_meant_is_refused_with_its_name(name: str, given: object) -> None:
    with pytest.raises(InputError, match=name):
        check_value(name, given)
    with pytest.raises(InputError, match=name):
        parameters({name: given})


def test_an_unknown_name_is_answered_with_those_there_are() -> None:
    with pytest.raises(InputError, match=r"'trials'.*n_trials"):
        check_value("trials", 1)


def test_what_is_no_parameter_is_passed_over_and_what_differs_is_told() -> None:
    given = parameters({"n_trials": "5", "pd": object()}, n_trials=10)
    assert given == Parameters(n_trials=5)
    assert changed(given, n_trials=10) == {"n_trials": 5}
    assert changed(parameters({}, n_trials=10), n_trials=10) == {}
    assert told({"sizes": (1, 2), "dataset": "<b>"}) == (
        "<code>sizes = [1, 2]</code>, <code>dataset = &lt;b&gt;</code>"
    )
