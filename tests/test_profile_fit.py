"""Fitting a profile: what is found again, what is taken over, what is refused; and the command."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from conftest import make_matrix

from mbnb.cli import main
from mbnb.data.datasets import load
from mbnb.data.errors import InputError
from mbnb.data.folder import read_folder, write_folder
from mbnb.data.profile_text import profile_text
from mbnb.data.profiles import Profile, profile_names, read_profile
from mbnb.data.responses import ResponseMatrix
from mbnb.data.simulate import simulate
from mbnb.methods.samples import scores_alone
from mbnb.study.simulated import profile_search
from mbnb.study.simulated.fidelity import fidelity
from mbnb.study.simulated.profile_fit import fit_profile
from mbnb.study.simulated.profile_search import BOUNDS

LIKE = read_profile("mmlu-pro")


def small_profile() -> Profile:
    """Sixty models, 160 items in two subtasks, unlike the profile that fits start from."""
    cohorts = tuple(
        replace(cohort, models=20, bases=6, ability=ability, spread=0.4, group="")
        for cohort, ability in zip(LIKE.cohorts, (-0.5, 0.8, 2.0), strict=False)
    )
    first, second = LIKE.subtasks[:2]
    four = ((4, 1.0),)
    return replace(
        LIKE,
        name="small",
        seed=5,
        cohorts=cohorts,
        subtasks=(
            replace(first, items=100, difficulty=0.0, options=four),
            replace(second, items=60, difficulty=1.5, options=four),
        ),
        confidence=replace(LIKE.confidence, base=0.6, tuned=0.6, spread=0.0),
    )


@pytest.fixture(scope="module")
def board() -> ResponseMatrix:
    return simulate(small_profile())


@pytest.fixture(scope="module")
def fitted(board: ResponseMatrix) -> Profile:
    return fit_profile(board, LIKE, name="again").profile


def test_a_fit_finds_accuracies_and_disagreement(board: ResponseMatrix, fitted: Profile) -> None:
    table = fidelity(board, simulate(fitted), sizes=(), singletons=False)
    off = (table["simulated"] - table["real"]).abs().groupby(table["statistic"]).mean()
    assert off["accuracy"] < 2.5, f"accuracies are off by {off['accuracy']:.1f} points on average"
    assert off["disagreement"] < 2.5
    made = simulate(fitted)
    for name in board.subtasks:
        real, ours = (
            m.scores[:, (m.items["subtask"] == name).to_numpy()].mean() for m in (board, made)
        )
        assert abs(real - ours) < 0.04, f"{name}: {real:.3f} there, {ours:.3f} in the fit"


def test_a_fit_is_nearer_than_what_it_started_from(board: ResponseMatrix, fitted: Profile) -> None:
    start = replace(small_profile(), cohorts=LIKE.cohorts)
    near, far = (
        fidelity(board, simulate(profile), sizes=(), singletons=False)
        for profile in (fitted, start)
    )
    for statistic in ("accuracy", "solved"):
        own = near["statistic"] == statistic
        errors = [(t["simulated"] - t["real"])[own].abs().mean() for t in (near, far)]
        assert errors[0] < errors[1], f"{statistic}: {errors}"


@pytest.fixture
def in_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    """One step of one round: for what does not hang on how good a fit is."""
    for name in ("ROUNDS", "STEPS", "LEVEL_STEPS"):
        monkeypatch.setattr(profile_search, name, 1)


def test_the_same_fit_comes_again(board: ResponseMatrix, in_haste: None) -> None:
    first, second = (fit_profile(board, LIKE, seed=3).profile for _ in range(2))
    assert first == second
    assert fit_profile(board, LIKE, seed=4).profile != first


def test_sharpness_is_found_where_there_are_confidences(
    board: ResponseMatrix, fitted: Profile
) -> None:
    assert fitted.confidence.base == fitted.confidence.tuned
    assert 0.4 < fitted.confidence.base < 0.9, "0.6 in the matrix, 1.4 and 2 where the fit began"


def test_without_confidences_they_are_taken_over_and_that_is_said(
    board: ResponseMatrix, in_haste: None
) -> None:
    found = fit_profile(scores_alone(board), LIKE, options=4)
    assert found.profile.confidence == LIKE.confidence
    assert "The matrix has no confidences: how sharp the profile's are is taken from" in str(
        found.notes
    )


def test_options_come_from_the_items_the_caller_or_the_start(
    board: ResponseMatrix, in_haste: None
) -> None:
    part = scores_alone(board)
    bare = replace(part, items=part.items[["subtask"]])
    for matrix, options, expected in ((part, None, 4), (part, 7, 7), (bare, None, 10)):
        found = fit_profile(matrix, LIKE, options=options, n_models=20)
        assert {s.options for s in found.profile.subtasks} == {((expected, 1.0),)}
        said = any("no column 'options'" in note for note in found.notes)
        assert said == (expected == 10)


def test_fitted_settings_lie_within_their_bounds(fitted: Profile) -> None:
    for name, (low, high) in BOUNDS.items():
        group, key = name.split(".")
        assert low * 0.999 <= getattr(getattr(fitted, group), key) <= high * 1.001, name


@pytest.mark.parametrize("name", ["again", *profile_names()])
def test_a_written_profile_is_read_back(name: str, fitted: Profile, tmp_path: Path) -> None:
    profile = fitted if name == "again" else read_profile(name)
    file = tmp_path / "profile.toml"
    file.write_text(profile_text(profile, ["What it is."]), encoding="utf-8")
    assert file.read_text(encoding="utf-8").startswith("# What it is.\n")
    assert read_profile(file) == profile


def test_odd_names_survive_the_file(tmp_path: Path) -> None:
    odd = 'say "maths" \\ ü \x7f\t'
    profile = replace(small_profile(), name=odd)
    file = tmp_path / "profile.toml"
    file.write_text(profile_text(profile), encoding="utf-8")
    assert read_profile(file).name == odd


def test_what_cannot_be_fitted_is_refused(board: ResponseMatrix) -> None:
    few = board.subset(models=np.arange(12))
    with pytest.raises(InputError, match="has 12 models × 160 items; a profile can be fitted to"):
        fit_profile(few, LIKE)
    with pytest.raises(InputError, match="61 models cannot be fitted to .*; allowed are 20 to 60"):
        fit_profile(board, LIKE, n_models=61)
    with pytest.raises(InputError, match="27 options are not possible; allowed are 2 to 26"):
        fit_profile(board, LIKE, options=27)
    equal = make_matrix(np.tile([0, 1], (30, 40)))
    with pytest.raises(InputError, match="all models are equally accurate"):
        fit_profile(equal, LIKE)
    graded = make_matrix(np.full((30, 60), 0.5))
    with pytest.raises(InputError, match="the scores are graded"):
        fit_profile(graded, LIKE)


# The command


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, board: ResponseMatrix) -> Path:
    write_folder(scores_alone(board), tmp_path / "board", "Made up.")
    (tmp_path / "small.toml").write_text(profile_text(small_profile()), encoding="utf-8")
    monkeypatch.setenv("MBNB_DATA", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def mbnb(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def test_command_fits_and_the_profile_is_a_data_set(place: Path, in_haste: None) -> None:
    done = mbnb("simulate", "--fit", "board", "--options", "4", "--out", "my.toml")
    assert done.exit_code == 0, done.output
    assert "Statistics of the data and of the fitted profile" in done.stdout
    assert "use it as simulated:my.toml" in done.stderr
    assert "an assumption that nothing here checks" in done.stderr
    first = (place / "my.toml").read_bytes()
    assert b"#   mbnb simulate --fit board --like mmlu-pro --seed 0" in first
    matrix = load("simulated:my.toml")
    assert (matrix.name, matrix.n_models, matrix.n_items) == ("simulated:my", 60, 160)
    done = mbnb("simulate", "--fit", "board", "--options", "4", "--out", "my.toml", "--json")
    answer = json.loads(done.stdout, parse_constant=lambda token: pytest.fail(token))
    assert {"statistic", "at", "real", "simulated"} == set(answer["statistics"][0])
    assert (place / "my.toml").read_bytes() == first


def test_command_writes_a_simulated_folder(place: Path) -> None:
    done = mbnb("simulate", "small.toml", "--out", "made")
    assert done.exit_code == 0, done.output
    assert done.stdout == "made\n"
    assert "No model of this table exists" in done.stderr
    assert read_folder(place / "made").content_hash == simulate(small_profile()).content_hash
    source = (place / "made" / "SOURCE.md").read_text(encoding="utf-8")
    assert source.startswith("# Simulated: no model of this table exists")
    assert mbnb("simulate", "small.toml", "--out", "made").exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--out", "x"], "one of PROFILE and --fit DATASET must be given; neither is."),
        (["gpqa", "--fit", "board", "--out", "x"], "must be given; both are."),
        (["gpqa"], "--out must be given: a folder for a simulated data set, a .toml file"),
        (["gpqa", "--seed", "3", "--out", "x"], "--seed goes with --fit; a profile says it"),
        (["gpqe", "--out", "x"], "simulated leaderboard 'gpqe' is unknown; known: bbh, gpqa"),
        (["none.toml", "--out", "x"], "profile file 'none.toml' does not exist."),
        (["--fit", "board", "--out", "x.json"], "--out must end in .toml; given: 'x.json'."),
        (["--fit", "nowhere", "--out", "x.toml"], "there is no data set 'nowhere'"),
        (
            ["--fit", "board", "--like", "mmlu-prp", "--out", "x.toml"],
            "simulated leaderboard 'mmlu-prp' is unknown",
        ),
        (
            ["--fit", "board", "--models", "5", "--out", "x.toml"],
            "a profile of 5 models cannot be fitted to board; allowed are 20 to 60",
        ),
    ],
)
def test_command_says_what_is_wrong(place: Path, arguments: list[str], message: str) -> None:
    done = mbnb("simulate", *arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert not (place / "x").exists() and not (place / "x.toml").exists()


def test_a_profile_with_an_unknown_key_is_refused_by_name(place: Path) -> None:
    text = (place / "small.toml").read_text(encoding="utf-8").replace("turn =", "tern =")
    (place / "bad.toml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"bad\.toml: key 'noise\.tern' is unknown; allowed"):
        load("simulated:bad.toml")
