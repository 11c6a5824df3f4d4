"""Parameters of a chapter: what papermill makes of them is read as meant, or refused plainly."""

from __future__ import annotations

import numpy as np
import pytest

from mbnb.book.parameters import RULES, check_value, parameters, read_text
from mbnb.data.errors import InputError


@pytest.mark.parametrize(
    ("name", "given", "meant"),
    [
        # Plain papermill: -p leaves lists and null as text, makes 1e3 a float and 007 a 7.
        ("sizes", "[10,25]", (10, 25)),
        ("n_source", "null", None),
        ("n_source", "None", None),
        ("n_source", None, None),
        ("n_trials", 1000.0, 1000),
        ("seed", 7, 7),
        ("seed", "007", 7),
        ("n_trials", "1_000", 1000),
        ("sizes", [1e1, 25.0], (10, 25)),
        # A sweep hands over what NumPy makes.
        ("n_trials", np.int64(3), 3),
        ("sizes", np.array([10, 50]), (10, 50)),
        ("threshold", np.float32(0.75), 0.75),
        ("sizes", (10, 50), (10, 50)),
        ("threshold", "0.9", 0.9),
        ("threshold", 1, 1.0),
        ("selectors", "['uniform', 'subtask']", ("uniform", "subtask")),
        ("selectors", '["anchor-points"]', ("anchor-points",)),
        ("dataset", "simulated:mmlu-pro", "simulated:mmlu-pro"),
        ("missing", "wrong", "wrong"),
        ("seed", 0, 0),
    ],
)
def test_a_value_is_read_as_meant(name: str, given: object, meant: object) -> None:
    read = check_value(name, given)
    assert read == meant, f"{name} = {given!r} was read as {read!r}"
    assert type(read) is type(meant), f"{name} = {given!r} became a {type(read).__name__}"


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("sizes", 10),
        ("sizes", []),
        ("sizes", [10, 10]),
        ("sizes", [0, 10]),
        ("sizes", [10, True]),
        ("sizes", {10, 25}),
        ("sizes", "10 25"),
        ("n_trials", 0),
        ("n_trials", 2.5),
        ("n_trials", True),
        ("n_trials", None),
        ("n_trials", float("nan")),
        ("n_trials", float("inf")),
        ("n_trials", "nan"),
        ("n_trials", [3]),
        ("seed", -1),
        ("threshold", 0.5),
        ("threshold", 80),
        ("threshold", "high"),
        ("selectors", ["uniform", "anchors"]),
        ("selectors", "uniform"),
        ("selector", "Uniform"),
        ("missing", "ignore"),
        ("dataset", ""),
        ("dataset", 123),
        ("dataset", None),
        ("datasets", []),
    ],
)
def test_a_value_that_cannot_be_meant_is_refused_with_name_and_value(
    name: str, given: object
) -> None:
    with pytest.raises(InputError) as caught:
        check_value(name, given)
    message = str(caught.value)
    assert message.startswith(f"{name} must be "), message
    assert message.endswith(f"given: {given!r} ({type(given).__name__})"), message


def test_the_message_is_one_a_person_can_act_on() -> None:
    with pytest.raises(InputError) as caught:
        parameters(seed=0, sizes="abc")
    assert str(caught.value) == (
        "sizes must be a list of whole numbers ≥ 1, without repeats, such as [10, 25]; "
        "given: 'abc' (str)"
    )


def test_choices_are_listed() -> None:
    with pytest.raises(InputError, match="one of drop-items, drop-models, wrong, error"):
        check_value("missing", "skip")
    with pytest.raises(InputError, match="of uniform, subtask, confidence, diversity"):
        check_value("selectors", ["random"])


def test_an_unknown_name_is_a_fault_of_the_program() -> None:
    with pytest.raises(TypeError, match="no rule says what the parameter 'n_itms' may be"):
        parameters(n_itms=5)


@pytest.mark.parametrize(
    ("name", "text", "meant"),
    [
        # Text stays text where text is due, so that a data set may be called 007 or null.
        ("dataset", "007", "007"),
        ("dataset", "null", "null"),
        ("dataset", '"quoted"', "quoted"),
        ("sizes", "[10,50]", (10, 50)),
        ("n_target", "null", None),
        ("n_trials", "1e1", 10),
        ("threshold", "0.7", 0.7),
    ],
)
def test_text_from_a_command_line(name: str, text: str, meant: object) -> None:
    assert read_text(name, text) == meant, f"{name}={text}"


def test_the_record_cannot_be_changed_and_keeps_the_order_given() -> None:
    record = parameters(seed=3, sizes=[10], n_source=None)
    assert list(record) == ["seed", "sizes", "n_source"], "the order is the chapter's"
    assert (record.seed, record["sizes"]) == (3, (10,)), "both ways of reading agree"
    assert dict(record) == {"seed": 3, "sizes": (10,), "n_source": None}, "it is a mapping"
    with pytest.raises(AttributeError, match="cannot be changed"):
        record.seed = 4
    with pytest.raises(AttributeError, match="no parameter 'size'"):
        _ = record.size


def test_the_table_names_its_rows_and_escapes_values() -> None:
    shown = parameters(dataset="<b>a & b</b>", sizes=[10, 25], n_source=None)._repr_html_()
    assert "&lt;b&gt;a &amp; b&lt;/b&gt;" in shown, "a value must not become markup"
    assert shown.count('<th scope="row">') == 3, "each parameter heads its row"
    assert "<caption>The parameters of this run</caption>" in shown, "the table has a caption"
    assert "<td>10, 25</td>" in shown, "lists are shown as people write them"
    assert "<td>chosen from the data</td>" in shown, "None is said in words"


def test_every_rule_says_what_is_allowed() -> None:
    for name, rule in RULES.items():
        assert rule.allowed().strip(), f"{name} has no description"
