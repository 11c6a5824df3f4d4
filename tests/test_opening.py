"""How a chapter opens: its data and its notes, and a selector set beside uniform sampling."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from conftest import make_matrix

from mbnb.book.opening import Study, open_study
from mbnb.book.parameters import parameters
from mbnb.data.errors import InputError
from mbnb.data.folder import write_folder
from mbnb.data.responses import ResponseMatrix
from mbnb.publish import opening
from mbnb.publish.charts import elsewhere
from mbnb.publish.charts.elsewhere import (
    draw_elsewhere,
    elsewhere_table,
    gains_elsewhere,
    place_simulation,
)


def answers(n_models: int = 12, n_items: int = 24) -> ResponseMatrix:
    """Models of rising ability on items of rising difficulty, no two alike."""
    rng = np.random.default_rng(0)
    chance = np.linspace(0.2, 0.9, n_models)[:, None] + np.linspace(0.2, -0.2, n_items)
    return make_matrix((rng.random((n_models, n_items)) < chance).astype(np.uint8), name="small")


def chapter(folder: Path, matrix: ResponseMatrix, **changed: object) -> dict[str, object]:
    path = write_folder(matrix, folder / "small", "Made up for a test.")
    return {
        "dataset": str(path),
        "missing": "drop-items",
        "n_trials": 4,
        "sizes": [3, 6, 1000],
        "n_source": None,
        "n_target": None,
        "threshold": 0.8,
        "seed": 0,
    } | changed


@pytest.fixture
def glued(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What a page can name, instead of IPython's display."""
    kept: dict[str, str] = {}
    monkeypatch.setattr(opening, "glue", lambda name, text, display: kept.update({name: text}))
    return kept


@pytest.fixture
def study(tmp_path: Path, glued: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Study:
    monkeypatch.setenv("MBNB_CACHE", str(tmp_path / "kept"))
    return open_study(parameters(**chapter(tmp_path, answers())))


def test_a_study_says_what_it_chose_and_what_it_left_out(study: Study) -> None:
    assert study.sizes == [3, 6]
    assert (study.n_source, study.n_target) == (8, 4)
    assert study._repr_markdown_() == (
        "4 of the 12 models are targets, 8 are sources (the study has 50 and 300). "
        "Sizes above the train half are left out: 1,000."
    )


def test_a_caption_can_name_the_data(study: Study, glued: dict[str, str]) -> None:
    assert glued == {
        "data": "small (12 models × 24 items, 4 trials)",
        "data-one": "small (12 models × 24 items), one trial",
    }


def test_prose_can_name_what_was_computed(study: Study, glued: dict[str, str]) -> None:
    study.insert(bias_small="1.5", largest=12000)
    assert (glued["bias-small"], glued["largest"]) == ("1.5", "12,000")


def test_the_first_trial_keeps_sources_and_targets_apart(study: Study) -> None:
    assert study.train.scores.shape == (8, 12) and study.targets.scores.shape == (4, 12)
    assert not set(study.train.model_ids) & set(study.targets.model_ids)
    assert (study.train.item_ids == study.targets.item_ids).all()


def test_the_size_to_show_is_the_nearest_on_a_log_axis(study: Study) -> None:
    assert [study.size_near(wanted) for wanted in (1, 4, 5, 250)] == [3, 3, 6, 6]
    assert (study.smallest, study.largest) == (3, 6)


def test_trials_take_the_parameters_of_the_chapter_unless_told_otherwise(study: Study) -> None:
    own, changed = study.run("uniform"), study.run(["uniform"], n_trials=2, sizes=[5])
    assert (own.n_trials, sorted(own.table["size"].unique())) == (4, [3, 6])
    assert (changed.n_trials, sorted(changed.table["size"].unique())) == (2, [5])


def test_a_comparison_judges_by_the_rule_of_the_chapter(study: Study) -> None:
    both = study.compare("confidence")
    assert list(dict.fromkeys(both.mdads["selector"])) == ["uniform", "confidence"]
    assert set(both.mdads["threshold"]) == {0.8} and both.trials.n_trials == 4
    assert study.rule == {"threshold": 0.8, "min_pairs": 4}
    # The same by hand.
    again = study.mdad(both.counts)
    pd.testing.assert_frame_equal(again, both.mdads)


def test_a_comparison_draws_tabulates_and_tells(study: Study) -> None:
    both = study.compare("confidence")
    told, missed = both.sentences()
    assert told.startswith("The measured MDAD of confidence strata is ")
    assert missed.startswith("The mean estimation error of confidence strata is ")
    assert "nan" not in told + missed
    assert [axes.get_ylabel() for axes in both.draw().axes] == [
        "MDAD (points)",
        "Mean estimation error (points)",
    ]
    assert "Confidence strata" in both.table().to_html()


def test_the_footer_tells_data_and_seed(study: Study) -> None:
    text = study.footer(study.run("uniform")).data
    assert "small (12 models × 24 items, 4 trials)" in text and "**Seed** 0" in text


def test_graded_scores_stay_graded_unless_a_chapter_needs_right_and_wrong(
    tmp_path: Path, glued: dict[str, str]
) -> None:
    matrix = answers()
    scores = matrix.scores.astype(np.float32)
    scores[:, :2] = np.linspace(0, 1, 12, dtype=np.float32)[:, None]
    scores[5, 2] = 0.5
    given = chapter(tmp_path, make_matrix(scores, name="small"))
    assert not open_study(parameters(**given)).matrix.binary
    made = open_study(parameters(**given), right_from=0.5)
    assert made.matrix.binary and made.matrix.scores[5, 2] == 1
    assert made.matrix.scores[:, 0].sum() == 6
    # Twelve steps from 0 to 1 in two columns, of which the ends are no grades, and one half.
    assert made.notes[0] == (
        "This chapter needs answers that are right or wrong: 21 of 288 scores are neither 0 nor 1, "
        "and a score counts as right from 0.5 on."
    )
    assert glued["data"].startswith("small at 0.5 (")


def test_right_and_wrong_are_left_as_they_are(tmp_path: Path, glued: dict[str, str]) -> None:
    made = open_study(parameters(**chapter(tmp_path, answers())), right_from=0.5)
    assert made.matrix.name == "small" and not any("right or wrong" in note for note in made.notes)


def test_data_that_allow_no_study_are_refused_in_one_sentence(
    tmp_path: Path, glued: dict[str, str]
) -> None:
    given = chapter(tmp_path, answers(), n_source=10, n_target=5)
    with pytest.raises(InputError, match="12 models, so 10 sources and 5 targets"):
        open_study(parameters(**given))


# What was measured elsewhere


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        (dataset, selector, size, half, mdad, 1.0)
        for dataset, values in {
            "real-a": {10: (16, 12), 25: (9, 9.5)},
            "real-b": {10: (18, np.nan), 25: (10, 12)},
            "simulated:mmlu-pro": {10: (20, 12), 25: (11, 11)},
        }.items()
        for size, pair in values.items()
        for selector, mdad in zip(("uniform", "diversity"), pair, strict=True)
        for half in ("train", "heldout")
    ]
    columns = ["dataset", "selector", "size", "half", "mdad", "error"]
    table = pd.DataFrame(rows, columns=columns).assign(n_source=300)
    monkeypatch.setattr(elsewhere, "measured", lambda name: table)


@pytest.mark.usefixtures("kept")
def test_a_gain_is_uniform_samplings_mdad_minus_the_selectors() -> None:
    gains = gains_elsewhere("diversity").set_index(["dataset", "size"])["gain"]
    assert gains["real-a", 10] == 4 and gains["real-b", 25] == -2
    assert np.isnan(gains["real-b", 10])


@pytest.mark.usefixtures("kept")
def test_the_table_counts_real_leaderboards_and_no_difference_within_a_bin() -> None:
    frame = elsewhere_table("diversity").data
    assert frame["10"].to_list() == ["1", "0", "0", "+4", "+8"]
    assert frame["25"].to_list() == ["0", "1", "1", "−2 to −0.5", "0"]


@pytest.mark.usefixtures("kept")
def test_a_simulation_that_flatters_is_told_so() -> None:
    assert place_simulation("diversity", 10) == (
        "At 10 items the gain on `simulated:mmlu-pro`, +8, lies above all those on real "
        "leaderboards, +4 points."
    )
    assert place_simulation("diversity", 11) == ""


@pytest.mark.usefixtures("kept")
def test_every_leaderboard_has_its_line() -> None:
    figure = draw_elsewhere("diversity")
    assert [text.get_text() for text in figure.legends[0].get_texts()] == [
        "real-a",
        "real-b",
        "simulated:mmlu-pro",
    ]


@pytest.mark.usefixtures("kept")
def test_a_selector_that_was_not_measured_is_refused() -> None:
    with pytest.raises(InputError, match="selector 'mine' was not measured; allowed: diversity"):
        gains_elsewhere("mine")
