"""Pages that the build writes itself, and what every page says: texts, links, addresses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from docutils import nodes
from docutils.utils import new_document
from mbnb.book.reference import CONSTANTS, RETURNED, reference_text, topics
from small_book import make_book, source

import mbnb
from mbnb.book.build import Edition
from mbnb.book.chapters import Chapter, toc_entries
from mbnb.book.citation import bibtex, citation_text, in_words
from mbnb.book.executions import executions_text
from mbnb.book.extension import _hold_units, _part_attributes
from mbnb.book.repository import Repository
from mbnb.book.staging import Imprint, stage
from mbnb.data.errors import InputError

ROOT = Path(__file__).parents[1]

# The reference


def test_every_public_name_is_on_the_reference_page_once() -> None:
    found = re.findall(r"^\.\. (?:auto\w+|py:data):: mbnb\.(\w+)$", reference_text(), re.MULTILINE)
    assert sorted(found) == mbnb.__all__


def test_names_are_grouped_by_floor_and_topic() -> None:
    grouped = topics()
    assert list(grouped) == ["The data", "The study", "The pages"]
    assert "make_split" in grouped["The study"]["Splits"]
    assert "InputError" in grouped["The data"]["Response matrices"]


def test_what_functions_return_stands_under_a_topic_that_there_is() -> None:
    there = {topic for parts in topics().values() for topic in parts}
    assert set(RETURNED) <= there
    for place in RETURNED.values():
        assert f".. autoclass:: mbnb.{place}\n" in reference_text()


def test_every_constant_is_explained() -> None:
    constants = {n for n in mbnb.__all__ if not callable(getattr(mbnb, n))}
    assert constants == set(CONSTANTS)


# How to cite


def test_the_citation_is_made_from_the_citation_file() -> None:
    told = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    text = citation_text(ROOT)
    assert f"*{told['title']}* (Version {told['version']})" in text
    [study] = told["references"]
    assert study["title"] in text and str(study["year"]) in text
    assert "Yauney, G., Warraich, S. S., & Swayamdipta, S. (2026)." in text
    assert "author    = {Yauney, Gregory and Warraich, Shahzaib Saqib and" in text


def test_a_work_in_words_and_as_bibtex() -> None:
    work = {
        "type": "software",
        "title": "A Tool",
        "authors": [{"name": "The Tool Group"}],
        "date-released": "2027-03-01",
        "version": 2,
        "doi": "10.1/x",
    }
    assert in_words(work) == (
        "The Tool Group. (2027). *A Tool* (Version 2) [Computer software]. <https://doi.org/10.1/x>"
    )
    assert bibtex(work) == (
        "@software{thetoolgroup2027a,\n  title     = {{A Tool}},\n"
        "  author    = {{The Tool Group}},\n  year      = {2027},\n  version   = {2},\n"
        "  url       = {https://doi.org/10.1/x},\n}"
    )


def test_a_citation_file_without_authors_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"CITATION\.cff is not there"):
        citation_text(tmp_path)
    (tmp_path / "CITATION.cff").write_text("title: x\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"lacks what a citation needs \(KeyError\('authors'\)\)"):
        citation_text(tmp_path)


# How the chapters were executed


def test_the_executions_tell_seconds_time_and_what_was_set() -> None:
    run = {
        "seconds": 75.4,
        "finished": "2027-01-02 03:04",
        "workers": 2,
        "parameters": {"n_trials": 5},
    }
    text = executions_text({"01_a": run, "02_b": {}})
    finished = '<span class="mbnb-name">2027-01-02 03:04</span>'
    assert f"| [](../notebooks/01_a) | 75 | {finished} | 2 | `n_trials=5` |" in text
    assert "| [](../notebooks/02_b) | not recorded |" in text
    assert "ran for 75 seconds" in text
    assert re.search(r"All ran with Python 3\.\d+\.\d+, numpy \d", text)


# Repositories


@pytest.mark.parametrize("url", ["https://github.com/me/book", "https://github.com/me/book.git/"])
def test_a_repository_on_github_gets_binder_and_colab(url: str) -> None:
    config: dict[str, object] = {"launch_buttons": {"thebe": False}}
    Repository.checked(url, "v1.0").configure(config)
    assert config["repository"] == {
        "url": "https://github.com/me/book",
        "branch": "v1.0",
        "path_to_book": "",
    }
    assert config["launch_buttons"] == {
        "thebe": False,
        "notebook_interface": "jupyterlab",
        "binderhub_url": "https://mybinder.org",
        "colab_url": "https://colab.research.google.com",
    }


def test_colab_reads_from_github_alone() -> None:
    config: dict[str, dict[str, object]] = {}
    repository = Repository.checked("https://gitlab.com/me/book")
    repository.configure(config)
    assert "colab_url" not in config["launch_buttons"]
    assert "Colab" not in repository.told()


@pytest.mark.parametrize(
    "url",
    [
        "github.com/me/book",
        "http://github.com/me/book",
        "https://github.com/me",
        "https://github.com/me/book/tree/main",
        "https://github.com.evil.org/me/book",
        'https://github.com/me/"><script>',
        "git@github.com:me/book.git",
    ],
)
def test_an_address_that_the_links_cannot_use_is_refused(url: str) -> None:
    with pytest.raises(InputError) as refusal:
        Repository.checked(url)
    assert str(refusal.value) == (
        f"the repository '{url}' cannot be linked to; allowed is https://github.com/OWNER/NAME or "
        "https://gitlab.com/OWNER/NAME"
    )


@pytest.mark.parametrize("branch", ["", "a b", "../x", "a..b", "a/", "x?y", "x\n"])
def test_a_branch_is_a_plain_name(branch: str) -> None:
    with pytest.raises(InputError, match="is not the name of a branch"):
        Repository.checked("https://github.com/me/book", branch)


# The stage


def test_a_page_that_asks_for_an_unknown_text_is_told(tmp_path: Path) -> None:
    book = make_book(tmp_path / "book", {}, introduction="# A\n\n% generated: weather\n")
    with pytest.raises(InputError, match=r"introduction\.md asks for the generated text 'weather'"):
        stage(book, {}, Imprint(), {})


def test_the_stage_fills_pages_and_leaves_the_sources_alone(tmp_path: Path) -> None:
    text = "# A\n\n% generated: executions\n\n% generated: repository\n"
    book = make_book(tmp_path / "book", {}, introduction=text)
    staged = stage(book, {}, Imprint(footer="<b>"), {})
    page = (staged / "book" / "introduction.md").read_text("utf-8")
    assert "| Chapter | Seconds |" in page
    assert "% generated" not in page
    assert (book / "book" / "introduction.md").read_text("utf-8") == text
    config = yaml.safe_load((staged / "_config.yml").read_text("utf-8"))
    assert config["html"]["extra_footer"] == '<p class="mbnb-imprint">&lt;b&gt;</p>'
    assert "announcement" not in config["html"], "the book's own edition announces nothing"
    place = Repository.checked("https://github.com/me/book")
    staged = stage(book, {}, Imprint(repository=place), {})
    assert "%pip install --quiet git+https://github.com/me/book@main" in (
        staged / "book" / "introduction.md"
    ).read_text("utf-8")


def test_the_foot_of_a_page_names_data_profile_and_builders() -> None:
    chapters = [
        Chapter(
            Path("01_a.py"), source("A").replace("sizes: list", 'dataset: str = "x"\nsizes: list')
        )
    ]
    foot = Edition(profile="quick").footer(chapters)
    assert foot.startswith("Data of this edition: x. Profile: quick. Built with Python 3.")
    assert "jupyter-book 1" in foot and "mbnb " in foot
    assert "Data of this edition: mine." in Edition(dataset="/home/me/mine").footer(chapters)


def test_the_reference_part_of_the_book_has_every_generated_page() -> None:
    entries = toc_entries(ROOT)
    for name in ("api", "executions", "changelog", "citing"):
        assert f"book/{name}" in entries
        assert (ROOT / "book" / f"{name}.md").is_file()


def test_the_landing_page_shows_the_finding_before_anything_else() -> None:
    text = (ROOT / "book" / "introduction.md").read_text("utf-8")
    before, chart, _ = text.partition("```{glue:any} finding-chart")
    assert chart, "there is no chart"
    assert len(before.split()) < 40, "more than a heading and a sentence above the chart"
    assert "(../notebooks/finding-chart.csv)" in text, "the chart has no download of its data"


def test_a_number_and_its_unit_share_a_line_and_code_stays_as_written() -> None:
    prose = nodes.paragraph(
        "",
        "",
        nodes.Text("95 % of them, 2.1 h, 3 hours and "),
        nodes.inline("", "", nodes.Text("7")),
        nodes.Text(" % more, "),
        nodes.literal("", "5 % 3"),
    )
    document = new_document("page")
    document += prose
    _hold_units(None, document, "page")  # type: ignore[arg-type]
    assert prose.astext() == "95_% of them, 2.1_h, 3 hours and 7_% more, 5 % 3".replace(
        "_", "\N{NO-BREAK SPACE}"
    )


def test_attributes_that_share_a_line_have_one_each_on_the_reference_page() -> None:
    lines = ["Attributes", "----------", "n, m : int", "    Counts.", "Notes", "-----", "a, b : c"]
    _part_attributes(None, "class", "name", None, None, lines)  # type: ignore[arg-type]
    assert lines[2:5] == ["n : int", "m : int", "    Counts."]
    assert lines[-1] == "a, b : c"
