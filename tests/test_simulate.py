"""The simulated leaderboards: the right shapes, believable numbers, the same bits every time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mbnb.data.errors import InputError
from mbnb.data.profiles import Profile, read_profile
from mbnb.data.responses import ResponseMatrix
from mbnb.data.simulate import simulate

NAMES = ("bbh", "gpqa", "mmlu", "mmlu-pro")
SIZES = {"bbh": (5761, 24), "gpqa": (448, 1), "mmlu": (10631, 48), "mmlu-pro": (12032, 14)}
# Train halves by floor(n/2) of each subtask, as the study reports them.
HALVES = {"bbh": 2880, "gpqa": 224, "mmlu": 5306, "mmlu-pro": 6012}
HASHES = {
    "bbh": "83ff5af7cf94c9b28c5186d4ac60343bc93670b89c0a7133c65d264ad5850327",
    "gpqa": "535b779807492814269efe48f25e25a61a3a19d1575ac9e02e7506231e94323c",
    "mmlu": "01c401feea958e1ece1bdbb2219b1cb6088be66de18eb24956c2f9c5051d0f68",
    "mmlu-pro": "bbd41a18db57c1f5d4c349946951d7f633f39754c11f9d090448b287f420690c",
}

# A small leaderboard to change one thing at a time in.
SMALL = """
name = "small"
seed = 7
options = { 2 = 0.25, 4 = 0.75 }
subtasks = [
  { name = "sums", items = 40, difficulty = 0.0 },
  { name = "words", items = 24, difficulty = 1.0, options = { 5 = 1.0 } },
]
cohorts = [
  { group = "", size_b = 1.5, models = 12, bases = 4, tuned = 0.5, ability = -1.0, spread = 0.5 },
  { group = "8b-instruct", size_b = 8, models = 8, bases = 3, tuned = 1, ability = 1, spread = 0 },
]
[abilities]
dimensions = 3
subtask_loading = 0.4
item_loading = 0.6
[knowledge]
difficulty_spread = 1.2
gain = 1.5
gain_spread = 0.6
[noise]
appeal = 1.0
turn = 0.5
own = 0.8
drift_low = 0.01
drift_high = 1.0
letter = 3.0
letter_ability = -1.0
[confidence]
base = 1.4
tuned = 2.0
spread = 0.2
"""


@pytest.fixture(scope="module")
def boards() -> dict[str, ResponseMatrix]:
    return {name: simulate(read_profile(name)) for name in NAMES}


def read_text(folder: Path, text: str) -> Profile:
    file = folder / "small.toml"
    file.write_text(text, encoding="utf-8")
    return read_profile(file)


# The four benchmarks


@pytest.mark.parametrize("name", NAMES)
def test_sizes_and_names_are_the_studys(boards: dict[str, ResponseMatrix], name: str) -> None:
    matrix = boards[name]
    n_items, n_subtasks = SIZES[name]
    assert matrix.name == f"simulated:{name}"
    assert (matrix.n_models, matrix.n_items) == (470, n_items)
    assert len(matrix.subtasks) == n_subtasks
    assert matrix.binary and matrix.n_missing == 0
    assert matrix.item_ids[17] == f"{name}/00017"
    halves = np.bincount(matrix.subtask_codes) // 2
    assert halves.sum() == HALVES[name], "floor(n/2) of each subtask must give the study's half"


@pytest.mark.parametrize("name", NAMES)
def test_the_same_bits_on_every_machine(boards: dict[str, ResponseMatrix], name: str) -> None:
    assert boards[name].content_hash == HASHES[name], (
        f"simulated:{name} has changed: if that is meant, pin the new hash and measure again"
    )


def test_models_are_the_same_in_all_and_look_like_none_real(
    boards: dict[str, ResponseMatrix],
) -> None:
    models = boards["mmlu-pro"].models
    assert list(models.columns) == ["family", "size_b", "tuned", "group"]
    assert models.index.str.match(r"sim-[a-z]+-[\d.]+b-(chat|base)-\d\d$").all()
    assert models["group"].value_counts().to_dict() == {
        "": 388,
        "8b-instruct": 32,
        "7b": 30,
        "70b": 20,
    }
    assert models.loc[models["group"] == "8b-instruct", "tuned"].all()
    assert (models.loc[models["group"] == "8b-instruct", "size_b"] == 8).all()
    assert models["family"].nunique() >= 20
    for name in NAMES:
        assert boards[name].models.equals(models), f"{name} is answered by other models"
        confidences = boards[name].confidences
        assert confidences is not None
        assert len(np.unique(confidences, axis=0)) == 470, "no model is another's exact twin"


# Ranges that the Open LLM Leaderboard v2's accuracies fall into, in points: 5 %, median, 95 %.
@pytest.mark.parametrize(
    ("name", "low", "median", "high"),
    [
        ("mmlu-pro", (10, 14), (27, 33), (48, 60)),
        ("bbh", (27, 33), (40, 48), (58, 68)),
        ("gpqa", (22, 26), (28, 33), (38, 44)),
        ("mmlu", (25, 33), (55, 66), (74, 84)),
    ],
)
def test_accuracies_are_believable(
    boards: dict[str, ResponseMatrix],
    name: str,
    low: tuple[int, int],
    median: tuple[int, int],
    high: tuple[int, int],
) -> None:
    points = 100 * np.percentile(boards[name].accuracies(), [5, 50, 95])
    for value, (least, most), what in zip(points, (low, median, high), (5, 50, 95), strict=True):
        assert least <= value <= most, f"{name}: the {what} % quantile is {value:.1f} points"


def test_relatives_err_alike(boards: dict[str, ResponseMatrix]) -> None:
    # Real MMLU-Pro mathematics: the median model's nearest neighbour differs on 10 % of the items,
    # while models less than a point apart differ on 20 %.
    scores = boards["mmlu-pro"].scores.astype(np.float32)
    solved = scores.sum(axis=1)
    differ = (solved[:, None] + solved - 2 * scores @ scores.T) / scores.shape[1]
    near = (np.abs(solved[:, None] - solved) < 120) & ~np.eye(470, dtype=bool)
    assert 0.19 < differ[near].mean() < 0.25
    np.fill_diagonal(differ, 1)
    assert 0.06 < np.median(differ.min(axis=1)) < 0.12


# The generator


def test_deterministic_and_seeded(tmp_path: Path) -> None:
    first = simulate(read_text(tmp_path, SMALL))
    assert simulate(read_text(tmp_path, SMALL)).content_hash == first.content_hash
    other = simulate(read_text(tmp_path, SMALL.replace("seed = 7", "seed = 8")))
    assert other.content_hash != first.content_hash


def test_models_do_not_depend_on_the_benchmark(tmp_path: Path) -> None:
    first = simulate(read_text(tmp_path, SMALL))
    other = simulate(read_text(tmp_path, SMALL.replace('"small"', '"other"')))
    assert other.models.equals(first.models)
    assert (other.scores != first.scores).any()


# Profiles


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("seed = 7", "sead = 7", ["sead"]),
        ("own = 0.8", "", ["noise", "own", "missing"]),
        ("[knowledge]", "[abilities.x]", ["abilities", "x"]),
        ("options = { 2 = 0.25, 4 = 0.75 }", "", ["sums", "options"]),
        ("items = 24", "items = 2.5", ["subtasks[1].items is 2.5", "int"]),
        ("items = 24", "items = true", ["subtasks[1].items is True", "int"]),
        ("gain = 1.5", "gain = 0", ["knowledge.gain is 0", "> 0"]),
        ("tuned = 0.5", "tuned = 1.5", ["cohorts[0].tuned is 1.5", "<= 1"]),
        ("own = 0.8", "own = nan", ["noise.own is nan", "> 0"]),
        ("own = 0.8", 'own = "big"', ["noise.own is 'big'", "float"]),
        ("bases = 4", "bases = 40", ["cohorts[0]", "bases is 40", "12"]),
        ("drift_high = 1.0", "drift_high = 0.001", ["noise", "drift_low is 0.01", "0.001"]),
        ("4 = 0.75", "4 = 0.7", ["options", "0.95"]),
        ("5 = 1.0", "1 = 1.0", ["subtasks[1].options", "'1'", ">= 2"]),
        ('"words"', '"sums"', ["'sums'", "no other subtask"]),
        ('name = "small"', "name = 3", ["name is 3", "str"]),
        ('name = "small"', 'name = ""', ["name is ''", "length >= 1"]),
        ("cohorts = [", "cohorts = []\nx = [", ["x"]),
        ("seed = 7", "seed = ", ["TOML"]),
    ],
)
def test_bad_profiles_say_what_is_wrong(
    tmp_path: Path, old: str, new: str, named: list[str]
) -> None:
    assert SMALL.count(old) >= 1
    with pytest.raises(InputError) as caught:
        read_text(tmp_path, SMALL.replace(old, new, 1))
    assert str(caught.value).startswith(f"{tmp_path / 'small.toml'}: ")
    assert all(part in str(caught.value) for part in named), caught.value
