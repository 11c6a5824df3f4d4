"""`mbnb report`: what it computes for data of any shape, and the one page that it writes."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import nbformat
import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner, Result
from conftest import make_matrix
from mbnb.book.alone import glossary_entries, set_alone
from mbnb.book.exercises import chapter_without_exercises, without_exercises
from mbnb.publish.charts.doubts import doubts
from mbnb.publish.charts.report import (
    how_chosen,
    named,
    next_steps,
    plain,
    same_items,
    sure_gains,
    way_label,
)
from mbnb.study.own.glance import describe
from mbnb.study.own.planned import run_plan
from mbnb.study.own.possible import TrialPlan, plan_trials
from mbnb.study.own.verdict import (
    Advice,
    Measured,
    advise,
    advise_fewer,
    judge_trials,
    mdads_on_whole,
    pairs_to_decide,
    plain_mdads,
)
from mbnb.study.rankings.ties import rank_models, tie_ranges
from scipy.stats import hypergeom

from mbnb.book.chapters import find_chapter
from mbnb.book.page import write_page
from mbnb.book.site import SiteFailed
from mbnb.cli import main
from mbnb.data.datasets import prepare
from mbnb.data.errors import InputError
from mbnb.data.folder import write_folder
from mbnb.data.responses import ResponseMatrix
from mbnb.judge.normal import expected_mdad, normal_agreement
from mbnb.judge.pairs import compare_pairs
from mbnb.judge.planning import expected_gap, needed_sizes, noisy_pairs, sampling_floor
from mbnb.methods.selectors import KNOWN_SELECTORS, SELECTORS
from mbnb.run.trials import run_trials

ROOT = Path(__file__).parents[1]
SIZES = (10, 25, 50, 100, 250, 500, 1000)


def answers(n_models: int, n_items: int, seed: int = 0) -> np.ndarray:
    """Right and wrong answers of models whose ability rises from one to the next."""
    rng = np.random.default_rng(seed)
    ability, difficulty = np.linspace(-1, 1.5, n_models), rng.normal(size=n_items)
    chance = 1 / (1 + np.exp(difficulty[None] - ability[:, None]))
    return (rng.random(chance.shape) < chance).astype(np.uint8)


def small(n_models: int = 6, n_items: int = 40) -> ResponseMatrix:
    halves = ["left"] * (n_items // 2) + ["right"] * (n_items - n_items // 2)
    return make_matrix(answers(n_models, n_items), subtasks=halves, name="small")


# What uniform sampling needs


def test_the_size_needed_is_the_smallest_that_reaches_the_threshold() -> None:
    pairs = noisy_pairs(small(20, 400))
    needed = needed_sizes(pairs, [1.0, 2.0, 5.0, 10.0], 400)
    assert needed.is_monotonic_decreasing, "wider gaps need fewer items"
    for gap in (2.0, 5.0):
        rate = pairs["noise"][np.rint(pairs["gap"]) == gap].mean()
        size = int(needed[gap])
        found = [
            normal_agreement(np.array([gap]), np.array([rate]), k, 400)[0] for k in (size - 1, size)
        ]
        assert found[0] < 0.8 <= found[1]


def test_of_binary_scores_theory_is_the_books_own_where_the_floor_allows_it() -> None:
    pairs = noisy_pairs(small(20, 400))
    assert (pairs["noise"] == pairs["disagreement"]).all()
    ours = expected_gap(pairs, [10, 50, 200], 400)
    books = expected_mdad(pairs, [10, 50, 200], 400)
    assert ours.tolist() == np.maximum(books, sampling_floor([10, 50, 200], 400)).tolist()


def test_graded_scores_that_differ_little_are_little_noise() -> None:
    matrix = make_matrix(np.float32([[0.5, 0.5, 1.0], [0.5, 0.75, 0.5]]))
    pairs = noisy_pairs(matrix)
    assert pairs["noise"].tolist() == pytest.approx([100 * (0.25**2 + 0.5**2) / 3])
    assert pairs["disagreement"].tolist() == pytest.approx([200 / 3])
    graded = np.float32(answers(12, 300) * 0.2 + 0.4)
    needed = needed_sizes(noisy_pairs(make_matrix(graded)), [2.0], 300, binary=False)
    assert needed[2.0] < needed_sizes(noisy_pairs(small(12, 300)), [2.0], 300)[2.0]


def test_the_floor_of_a_finite_benchmark_is_the_hypergeometric_one() -> None:
    floor = sampling_floor([1, 5, 20, 40], 40)
    for size in (1, 5, 20, 40):
        wins = next(w for w in range(1, 41) if hypergeom.pmf(0, 40, w, size) <= 0.2 + 1e-9)
        assert floor[size] == pytest.approx(100 * wins / 40)
    assert floor[40] == 2.5, "all items see a difference of one"


# What trials a matrix allows


def test_three_models_are_too_few_for_trials_and_the_reason_is_said() -> None:
    plan = plan_trials(small(3), list(SELECTORS), SIZES)
    assert plan.why_not.startswith("with 3 models there are too few")
    assert plan.sizes == (10, 20, 25, 30), "sizes are those of the whole benchmark then"


def test_a_benchmark_of_lone_items_cannot_be_halved() -> None:
    matrix = make_matrix(answers(8, 4), subtasks=["a", "b", "c", "d"])
    assert "no subtask has two items" in plan_trials(matrix, ["uniform"], [1]).why_not


def test_of_few_models_half_are_targets_and_parts_of_the_half_are_sizes() -> None:
    plan = plan_trials(small(7), list(SELECTORS), SIZES)
    assert (plan.n_source, plan.n_target, plan.n_train, plan.why_not) == (3, 4, 20, "")
    assert plan.sizes == (5, 10, 15)
    assert "parts of it are added (5, 15)" in " ".join(plan.notes)


def test_sizes_that_all_fit_are_taken_as_they_are() -> None:
    assert plan_trials(small(7), ["uniform"], [8]).sizes == (8,)


def test_selectors_that_do_not_suit_the_data_are_left_out_with_a_reason() -> None:
    matrix = small(80)
    assert plan_trials(matrix, list(SELECTORS), SIZES).selectors == tuple(SELECTORS)
    graded = replace(matrix, scores=matrix.scores.astype(np.float32) * np.float32(0.5))
    plan = plan_trials(graded, list(SELECTORS), SIZES)
    assert "tinybenchmarks" not in plan.selectors
    assert "The scores are graded" in " ".join(plan.notes)
    plan = plan_trials(small(8), list(SELECTORS), SIZES)
    assert "4 source models are too few" in " ".join(plan.notes)
    one = make_matrix(answers(80, 40))
    plan = plan_trials(one, ["subtask", "confidence"], SIZES)
    assert plan.selectors == ("uniform", "confidence"), "uniform sampling is the baseline"
    assert "There is one subtask" in " ".join(plan.notes)


def test_what_no_matrix_allows_is_refused() -> None:
    with pytest.raises(InputError, match="selector 'best' is unknown; known: uniform"):
        plan_trials(small(), ["best"], SIZES)
    with pytest.raises(InputError, match="has 1 model; a comparison needs at least 2"):
        plan_trials(small(1), ["uniform"], SIZES)
    with pytest.raises(InputError, match="has 6 models, so 5 sources and 4 targets"):
        plan_trials(small(), ["uniform"], SIZES, 5, 4)


def test_a_bin_needs_a_pair_a_trial_and_twenty_at_least() -> None:
    assert pairs_to_decide(50, 50) == 50, "the book's rule"
    assert pairs_to_decide(100, 10) == 45
    assert pairs_to_decide(50, 3) == 20
    assert pairs_to_decide(3, 50) == 20


def test_bins_are_wider_where_few_pairs_would_not_fill_them() -> None:
    matrix = replace(small(6), scores=small(6).scores.astype(np.float32) * np.float32(0.37))
    trials = run_trials(matrix, ["uniform"], [10], n_trials=20, n_source=3, n_target=3)
    assert judge_trials(trials).width > 0.5
    many = run_trials(small(80), ["uniform"], [10], n_trials=20, n_source=20, n_target=50)
    assert judge_trials(many).width == 0.5


# The advice


WAYS = [
    ("uniform", "weighted-mean"),
    ("uniform", "corrected-mean"),
    ("confidence", "weighted-mean"),
]
HALF, WHOLE = pd.Series({10: 5.0}), pd.Series({10: 5.5})


def measured_with(
    low: float = 0.5,
    held: float = 0.5,
    learnt: float = -0.5,
    learnt_mdad: float = 2.0,
    n_trials: int = 20,
) -> Measured:
    """Results at 10 items: ends of the leads of confidence strata and of `corrected-mean`."""
    trials = run_trials(
        small(20), ["uniform", "confidence"], [10], n_trials=n_trials, n_source=8, n_target=6
    )
    table = pd.DataFrame(WAYS, columns=["selector", "estimator"]).assign(size=10)
    mdad = table.assign(mdad=[4.0, learnt_mdad, 2.0], low=1.0, high=[5.0, 2.5, 2.5])
    others = table.iloc[1:]
    gains = others.assign(gain=[4.0 - learnt_mdad, 2.0], low=[learnt, low], high=3.0)
    heldout = others.assign(gain=1.0, low=[learnt, held], high=3.0)
    return Measured(trials, mdad, mdad.iloc[:0], gains, heldout, threshold=0.8)


def test_a_selector_is_advised_only_if_it_is_surely_better() -> None:
    best = advise(measured_with(), 3.0, 60, HALF, WHOLE)
    assert (best.selector, best.size, best.measured) == ("confidence", 10, True)
    assert best.estimator == "weighted-mean"
    assert best.mdad == pytest.approx(2.2), "scaled from the half to the whole"
    for other in (
        advise(measured_with(low=0.0), 3.0, 60, HALF, WHOLE),
        advise(measured_with(held=0.0), 3.0, 60, HALF, WHOLE),
        advise(measured_with(held=np.nan), 3.0, 60, HALF, WHOLE),
        advise(measured_with(), 2.6, 60, HALF, WHOLE),
        advise(measured_with(n_trials=5), 3.0, 60, HALF, WHOLE),
    ):
        assert (other.selector, other.size, other.measured) == ("uniform", 60, False)
        assert other.estimator == "weighted-mean"


def test_random_items_read_otherwise_are_advised_where_no_choice_is_half_a_point_better() -> None:
    level = advise(measured_with(learnt=0.5, learnt_mdad=2.4), 3.0, 60, HALF, WHOLE)
    assert (level.selector, level.estimator) == ("uniform", "corrected-mean")
    assert level.measured and level.mdad == pytest.approx(2.4 * 1.1)
    behind = advise(measured_with(learnt=0.5, learnt_mdad=2.6), 3.0, 60, HALF, WHOLE)
    assert (behind.selector, behind.estimator) == ("confidence", "weighted-mean")


def test_whoever_pays_for_fewer_items_is_told_the_best_that_is_sure() -> None:
    fewer = advise_fewer(measured_with(learnt=0.5, learnt_mdad=2.6), 60, HALF, WHOLE)
    assert fewer == Advice("confidence", "weighted-mean", 10, pytest.approx(2.2), True)
    assert advise_fewer(measured_with(), 10, HALF, WHOLE) is None, "no fewer than it is asked for"
    assert advise_fewer(measured_with(held=0.0), 60, HALF, WHOLE) is None
    assert advise_fewer(measured_with(n_trials=5), 60, HALF, WHOLE) is None
    assert advise_fewer(judge_trials(None), 60, HALF, WHOLE) is None


def test_the_ties_are_those_of_the_advised_estimator_and_not_of_another() -> None:
    measured = measured_with(learnt_mdad=3.0)
    by_learnt = Advice("uniform", "corrected-mean", 10, 3.3, True)
    assert mdads_on_whole(measured, by_learnt, HALF, WHOLE).to_dict() == {10: pytest.approx(3.3)}
    by_theory = Advice("uniform", "weighted-mean", 10, 5.5, False)
    assert mdads_on_whole(measured, by_theory, HALF, WHOLE).to_dict() == {10: 5.5}
    assert plain_mdads(measured).to_dict() == {10: 4.0}


def test_what_the_same_items_gain_by_another_reading_is_said_where_it_is_sure() -> None:
    said = same_items(measured_with(learnt=0.5, learnt_mdad=3.0))
    assert said == (
        "Read with corrected-mean in place of the plain mean, the same 10 random items see "
        "3 points instead of 4."
    )
    assert same_items(measured_with(learnt=0.0)) == ""
    sure = sure_gains(measured_with(learnt=0.5))
    assert sure == {"Uniform random, corrected-mean": [10], "Confidence strata": [10]}


def test_a_way_is_named_by_its_estimator_only_where_that_is_not_the_selectors_own() -> None:
    assert way_label("uniform", "weighted-mean") == "Uniform random"
    assert way_label("uniform", "corrected-mean") == "Uniform random, corrected-mean"
    assert way_label("close-pairs", "corrected-mean") == "Close pairs"
    assert way_label("anchor-points", "weighted-mean") == "Anchor Points, weighted-mean"
    ways = {
        ("uniform", "weighted-mean"): "drawn at random",
        ("uniform", "corrected-mean"): "drawn at random and read with corrected-mean",
        ("close-pairs", "corrected-mean"): "chosen by Close pairs and read with corrected-mean",
        ("anchor-points", "confidence-mean"): "chosen by Anchor Points",
    }
    for (selector, estimator), told in ways.items():
        assert how_chosen(Advice(selector, estimator, 10, 2.0, True)) == told


# Trials of a plan


def test_a_plan_runs_uniform_sampling_both_ways_and_close_pairs_where_there_are_sources() -> None:
    matrix = small(34)
    plan = plan_trials(matrix, list(KNOWN_SELECTORS), [5, 10], 22, 8)
    assert plan.learnt and "close-pairs" in plan.selectors
    plan = replace(plan, selectors=("uniform", "close-pairs"))
    trials = run_plan(matrix, plan, n_trials=3)
    table = trials.table.astype({"selector": str, "estimator": str})
    ways = list(table.groupby(["selector", "estimator"]).groups)
    assert ways == [
        ("close-pairs", "corrected-mean"),
        ("uniform", "corrected-mean"),
        ("uniform", "weighted-mean"),
    ]
    alone = run_trials(matrix, ["uniform"], [5, 10], n_trials=3, n_source=22, n_target=8)
    plain_rows = table[(table["selector"] == "uniform") & (table["estimator"] == "weighted-mean")]
    assert plain_rows["estimate"].tolist() == alone.table["estimate"].tolist()
    judged = judge_trials(trials, rule="interpolated")
    assert set(zip(judged.gains["selector"], judged.gains["estimator"], strict=True)) == set(
        ways[:2]
    ), "all are held against the plain mean of uniform sampling"


def test_with_few_sources_nothing_is_learnt_and_the_page_says_so() -> None:
    plan = plan_trials(small(20), list(KNOWN_SELECTORS), [5, 10])
    assert not plan.learnt and "close-pairs" not in plan.selectors
    said = " ".join(plan.notes)
    assert "10 source models teach too little (at least 20 do)" in said
    assert "`close-pairs` and `corrected-mean` are left out" in said
    with pytest.raises(InputError, match="small: no trial is possible, since with 3 models"):
        run_plan(small(3), plan_trials(small(3), ["uniform"], [5]))


# Your data at a glance, ties, doubts


def test_the_glance_counts_by_hand() -> None:
    matrix = make_matrix(
        [[1, 1, 0, 0, 0, 1], [1, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 0], [0, 0, 0, 0, 0, 0]],
        subtasks=["s", "s", "s", "s", "t", "t"],
    )
    facts = describe(matrix)
    assert (facts.all_right, facts.all_wrong, facts.zero_models) == (0, 1, ("m3",))
    # m0: 3 of 6, subtasks (1/2, 1/2); m1: 2 of 6, (1/4, 1/2); m2: 3 of 6, (3/4, 0).
    assert (facts.best_by_items, facts.best_by_subtasks) == ("m0", "m0")
    assert (facts.turned_pairs, facts.n_pairs) == (0, 6), "a tie is turned by neither"
    assert (facts.lowest, facts.highest) == (0, 50)


def test_a_log_that_a_limit_may_have_cut_is_pointed_out() -> None:
    matrix = small(6, 40)
    items = matrix.items.assign(
        task=["cut"] * 20 + ["whole"] * 20, doc_id=[*range(20), *range(5, 25)]
    )
    assert describe(replace(matrix, items=items)).counted_tasks == ("cut",)


def test_tied_ranks_are_those_less_than_an_mdad_away() -> None:
    matrix = make_matrix([[1] * 10, [1] * 9 + [0], [1] * 9 + [0], [1] * 6 + [0] * 4])
    ranking = rank_models(matrix)
    assert ranking["rank"].tolist() == [1, 2, 2, 4]
    assert ranking["shared"].tolist() == [False, True, True, False]
    ranges = tie_ranges(ranking, 30.0)
    assert ranges["first"].tolist() == [1, 1, 1, 4], "a gap of just the MDAD can be seen"
    assert ranges["last"].tolist() == [2, 2, 2, 4]
    assert tie_ranges(ranking, np.nan)["last"].tolist() == [4, 4, 4, 4]
    assert tie_ranges(ranking, 0.0)["first"].tolist() == [1, 2, 2, 4]


def test_doubts_say_what_is_wrong_with_the_data() -> None:
    scores = answers(6, 40)
    scores[0] = 0
    matrix = make_matrix(scores)
    plan = TrialPlan(("uniform",), (10,), 0, 0, 20, (), "there are too few")
    found = doubts(
        describe(matrix),
        plan,
        judge_trials(None),
        noisy_pairs(matrix),
        gap=2.0,
        missing_note="3 missing answers: counted as wrong (policy “wrong”).",
    )
    text = "\n".join(found)
    assert found[0].startswith("**No trial was run**: there are too few.")
    for part in ("`m0`", "No confidences", "policy “wrong”", "2.5 points", "Models of tomorrow"):
        assert part in text, f"{part} is not said"
    assert "Two averages" not in text, "one subtask has one average"


def test_names_cannot_act_as_markdown() -> None:
    assert plain("a_b*c [x](y) <i>") == r"a\_b\*c \[x\](y) \<i\>"
    assert named("tick`s") == "`tickˋs`"


def test_the_commands_repeat_what_is_not_their_default() -> None:
    chosen = {"dataset": "my data", "missing": "wrong", "duplicates": "drop", "seed": 3}
    said = next_steps(chosen, 25).data
    assert (
        "mbnb select 'my data' --selector uniform --estimator weighted-mean --size 25 "
        "--out micro.json --missing wrong --seed 3\n"
    ) in said
    said = next_steps(chosen, 50, "close-pairs", "corrected-mean").data
    assert "--selector close-pairs --estimator corrected-mean --size 50 --out" in said


# A notebook on its own


def notebook_of(*texts: str) -> nbformat.NotebookNode:
    cells = [nbformat.v4.new_markdown_cell(text) for text in texts]
    return nbformat.v4.new_notebook(cells=cells)


def test_links_and_terms_work_without_the_book() -> None:
    notebook = notebook_of(
        "# Chapter\n\nSee [](./10_main_tables), [there](../book/rerunning.md) and [a](https://a.b/).",
        "The {term}`MDADs <MDAD>` and a {term}`floor`.",
    )
    set_alone(notebook, ROOT, "A *title*", {})
    first, second, words, how = (cell.source for cell in notebook.cells)
    assert first.startswith("# A \\*title\\*\n")
    assert "(./" not in first and "[a](https://a.b/)" in first and "See “" in first
    assert "{term}`MDADs <MDAD>`" in second, "a term is explained below"
    assert "a floor." in second, "one whose explanation needs a formula is plain"
    assert "```{glossary}\nMDAD\n" in words and "{term}" not in words
    assert "“Chapter”" in how


def test_every_entry_of_the_glossary_without_a_formula_is_read() -> None:
    text = (ROOT / "book" / "glossary.md").read_text(encoding="utf-8")
    terms = [term for entry, _ in glossary_entries(text) for term in entry]
    assert {"MDAD", "gap", "trial", "targets", "selector"} <= set(terms)
    assert len(terms) > 40 and "floor" not in terms


def test_a_page_that_asks_for_a_file_or_a_warning_is_refused(tmp_path: Path) -> None:
    outside = nbformat.v4.new_output(
        "display_data", {"text/html": '<img src="https://a.b/c.png" alt="x">'}
    )
    code = nbformat.v4.new_code_cell("x", outputs=[outside], execution_count=1)
    notebook = notebook_of("# Page")
    notebook.cells.append(code)
    nbformat.write(notebook, tmp_path / "n.ipynb")
    with pytest.raises(SiteFailed, match="asks for what is not in it: img src=https://a.b/c.png"):
        write_page(tmp_path / "n.ipynb", ROOT, "Page")
    nbformat.write(notebook_of("# Page\n\n{numref}`nowhere`"), tmp_path / "n.ipynb")
    with pytest.raises(SiteFailed, match="Sphinx refused the page"):
        write_page(tmp_path / "n.ipynb", ROOT, "Page")


# The command


class Page(HTMLParser):
    """What a page shows and what it asks for."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: list[tuple[str, str]] = []
        self.text = ""
        self.silent = False
        self.feed(text)
        self.text = re.sub(r"\s+", " ", self.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.silent = tag in ("script", "style")
        self.addresses += [
            (tag, value or "") for name, value in attrs if name in ("src", "href", "srcset")
        ]

    def handle_endtag(self, tag: str) -> None:
        self.silent = False

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.text += data


def report(*words: str) -> Result:
    return CliRunner().invoke(main, ["report", *words], catch_exceptions=False)


def page_of(matrix: ResponseMatrix, folder: Path, *words: str) -> tuple[str, Result]:
    write_folder(matrix, folder / "data", "made by a test")
    out = folder / "report.html"
    done = report(str(folder / "data"), "--out", str(out), "--jobs", "1", *words)
    assert done.exit_code == 0, done.output
    assert done.stdout == f"{out}\n", "stdout is where the page is and nothing else"
    assert sorted(path.name for path in folder.iterdir()) == ["data", "report.html"]
    return out.read_text(encoding="utf-8"), done


@pytest.fixture(scope="module")
def small_page(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    folder = tmp_path_factory.mktemp("report")
    names = ["a_b_c", "<b>bold</b>", "d*e*", "$x$", "plain", "with `tick`"]
    matrix = replace(small(), models=small().models.set_index(pd.Index(names, name="model_id")))
    text, _ = page_of(matrix, folder, "--trials", "4", "--gap", "5", "--title", "My <own> title")
    return text, folder


def test_the_page_is_one_file_that_asks_for_nothing(small_page: tuple[str, Path]) -> None:
    text, _ = small_page
    page = Page(text)
    strays = [
        (tag, address[:60])
        for tag, address in page.addresses
        if not address.startswith(("#", "data:"))
        and not (tag == "a" and address.startswith(("http://", "https://")))
    ]
    assert not strays
    styles = "".join(re.findall(r"<style[^>]*>(.*?)</style>", text, re.DOTALL))
    assert "url(" not in styles.replace("url(data:", "") and "@import" not in styles
    assert len(text) < 3_000_000
    assert "<title>My &lt;own&gt; title</title>" in text
    images = [address for tag, address in page.addresses if tag == "img"]
    assert len(images) == 2 and all(i.startswith("data:image/png;base64,") for i in images)


def test_names_from_the_data_are_shown_as_they_are(small_page: tuple[str, Path]) -> None:
    page = Page(small_page[0])
    for name in ("a_b_c", "<b>bold</b>", "d*e*", "$x$", "with `tick`"):
        assert name in page.text, f"{name} is not shown as it is"


def test_the_numbers_of_the_page_are_those_of_the_functions(small_page: tuple[str, Path]) -> None:
    text, folder = small_page
    page = Page(text)
    matrix, _ = prepare(folder / "data")
    needed = needed_sizes(noisy_pairs(matrix), [5.0], 40)
    assert f"Drawn at random, {needed[5.0]} of the 40 items" in page.text
    accuracies = 100 * matrix.accuracies()
    assert f"accuracies from {accuracies.min():.1f} to {accuracies.max():.1f} points" in page.text
    plan = plan_trials(matrix, list(SELECTORS), SIZES)
    trials = run_trials(
        matrix, plan.selectors, plan.sizes, n_trials=4, n_source=3, n_target=3, seed=0
    )
    table = judge_trials(trials, rule="interpolated").mdad
    row = re.search(r"Uniform random (.*?) Subtask-stratified", page.text.split("brackets.")[1])
    assert row is not None
    shown = re.findall(r"not reached|[\d.]+(?= |$)", re.sub(r"\[.*?\]", " ", row[1]))
    wanted = table[table["selector"] == "uniform"]["mdad"]
    assert shown == ["not reached" if np.isnan(v) else f"{v:g}" for v in wanted]


def test_the_page_names_no_path_of_the_machine_but_the_one_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_folder(small(3), tmp_path / "my results", "made by a test")
    done = report("./my results", "--out", "r.html", "--title", "T")
    assert done.exit_code == 0, done.output
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert str(tmp_path) not in text
    page = Page(text)
    select = "mbnb select './my results' --selector uniform --estimator weighted-mean --size"
    assert select in page.text
    assert "No trials are possible here: with 3 models there are too few" in page.text
    assert "IPython.core.display" not in text, "an empty sentence leaves no trace"
    assert "No trials are possible: with 3 models" in done.stderr


def test_graded_scores_with_missing_answers_make_a_page(tmp_path: Path) -> None:
    scores = np.float32(answers(6, 40) * 0.6 + 0.2)
    scores[1, 4] = np.nan
    matrix = replace(small(), scores=scores)
    write_folder(matrix, tmp_path / "data", "made by a test")
    out = tmp_path / "report.html"
    refused = report(str(tmp_path / "data"), "--out", str(out))
    assert refused.exit_code == 2
    assert "choose a policy for them: drop-items, drop-models, wrong" in refused.stderr
    assert not out.exists()
    done = report(
        str(tmp_path / "data"), "--out", str(out), "--missing", "drop-items", "--trials", "2"
    )
    assert done.exit_code == 0, done.output
    page = Page(out.read_text(encoding="utf-8"))
    assert "The scores are graded, and tinyBenchmarks takes scores of 0 and 1 alone" in page.text
    assert "1 missing answer: 1 item with a missing answer left out" in page.text
    assert "--missing drop-items" in page.text
    assert "1 missing answer: 1 item" in done.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--out", "r.pdf"], "--out must end in .html; given: 'r.pdf'."),
        (["--out", "none/r.html"], "the folder none does not exist"),
        (["--out", "r.html", "--sizes", "10,x"], "--sizes takes whole numbers with commas"),
        (["--out", "r.html", "--sizes", "30"], "size 30 is not possible, since the half"),
        (["--out", "r.html", "--gap", "0"], "gap must be a number of points above 0"),
        (["--out", "r.html", "--selectors", "best"], "selectors must be a list, without repeats"),
        (["--out", "r.html", "--sources", "9"], "so 9 sources and"),
        (["--out", "r.html", "--book", "."], "name the folder of the book's sources by --book."),
    ],
)
def test_bad_input_is_answered_in_a_sentence_and_leaves_nothing(
    words: list[str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_folder(small(), tmp_path / "data", "made by a test")
    done = report("data", *words)
    assert done.exit_code == 2
    assert sentence in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, "one sentence"
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_an_unknown_data_set_is_answered_with_those_there_are(tmp_path: Path) -> None:
    done = report("nowhere", "--out", str(tmp_path / "r.html"))
    assert done.exit_code == 2
    assert "there is no data set 'nowhere'; allowed are simulated:bbh" in done.stderr


def test_compare_pairs_is_what_noise_is_added_to() -> None:
    matrix = small()
    pd.testing.assert_frame_equal(
        noisy_pairs(matrix).drop(columns="noise"), compare_pairs(matrix), check_like=True
    )


# Exercises


def lesson() -> nbformat.NotebookNode:
    notebook = notebook_of("# Chapter\n\nText.", "## Take-aways\n\n- one\n\n## Exercises\n\nFirst?")
    solution = nbformat.v4.new_code_cell("1 + 1", metadata={"tags": ["solution"]})
    loose = nbformat.v4.new_code_cell("loose")
    for cell in (solution, loose):
        cell.outputs = [nbformat.v4.new_output("display_data", {"text/markdown": "The answer."})]
    after = nbformat.v4.new_markdown_cell("### A hint\n\nHint.\n\n## After\n\nMore.")
    last = nbformat.v4.new_code_cell("last", outputs=solution.outputs)
    notebook.cells += [solution, nbformat.v4.new_markdown_cell("Second?"), loose, after, last]
    return notebook


def test_the_section_of_exercises_and_every_solution_are_left_out() -> None:
    kept = without_exercises(lesson().cells)
    assert [cell.source for cell in kept] == [
        "# Chapter\n\nText.",
        "## Take-aways\n\n- one",
        "## After\n\nMore.",
        "last",
    ]


def test_a_page_shows_no_exercise() -> None:
    notebook = lesson()
    set_alone(notebook, ROOT, "Title", {})
    text = "\n".join(cell.source for cell in notebook.cells)
    assert "Exercises" not in text and "First?" not in text and "Second?" not in text
    assert "Take-aways" in text and "## After" in text
    assert [cell.source for cell in notebook.cells if cell.cell_type == "code"] == ["last"]


def test_the_reports_chapter_has_exercises_and_none_of_them_is_executed() -> None:
    chapter = find_chapter(ROOT, "19")
    assert any("solution" in cell.metadata.get("tags", []) for cell in chapter.code_cells)
    plain_chapter = chapter_without_exercises(chapter)
    assert "Exercises" not in plain_chapter.text and "solution" not in plain_chapter.text
    assert plain_chapter.defaults == chapter.defaults
    kept = [cell.source for cell in plain_chapter.code_cells]
    taught = [
        cell for cell in chapter.code_cells if "solution" not in cell.metadata.get("tags", [])
    ]
    assert kept == [cell.source for cell in taught]


def test_the_page_of_the_command_has_no_exercise(small_page: tuple[str, Path]) -> None:
    page = Page(small_page[0])
    assert "Exercise" not in page.text and "Show the solution" not in page.text
    assert "What to do next" in page.text and "Re-run this chapter" not in page.text
