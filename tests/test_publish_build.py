"""Building a whole small book: its pages, its editions, what is kept and what failure leaves."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from click.testing import CliRunner, Result
from conftest import make_matrix
from mbnb.book.cache import KEPT, chapter_key, keep, kept_run
from small_book import CHART, make_book, source

from mbnb.book import cache, site
from mbnb.book.build import Edition
from mbnb.book.chapters import Chapter, write_twins
from mbnb.book.site import SiteFailed
from mbnb.cli import main
from mbnb.data.folder import write_folder

WITH_DATASET = (
    source("Second", extra="#   mbnb:\n#     exclusive: true\n#     quick:\n#       sizes: [5]\n")
    .replace("sizes: list", 'dataset: str = "simulated:gpqa"\nsizes: list')
    .replace("print(f,", "print(p.dataset, f,")
)


def mbnb_build(book: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["build", "--jobs", "2", *arguments, "--book", str(book)])


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A book that was built once, from a folder that is not its own."""
    book = make_book(
        tmp_path_factory.mktemp("build") / "book",
        {"01_chart": source("Chart", CHART), "02_data": WITH_DATASET},
    )
    done = mbnb_build(book)
    assert done.exit_code == 0, done.output
    lines = done.stderr.splitlines()
    assert lines[0] == "02_data: executing", "a chapter that uses all cores comes first, alone"
    assert re.fullmatch(r"02_data: executed after \d+ s \(1 of 2\)", lines[1]), lines
    assert lines[2] == "01_chart: executing", lines
    assert done.stdout == f"{book / '_build' / 'html' / 'index.html'}\n", done.stdout
    return book


@pytest.fixture
def page(book: Path) -> Callable[[str], str]:
    return lambda name: (book / "_build" / "html" / name).read_text(encoding="utf-8")


# The pages


def test_the_landing_page_leads_to_the_introduction(page: Callable[[str], str]) -> None:
    assert 'content="0; url=book/introduction.html"' in page("index.html")
    assert "<title>A small book" in page("index.html"), "it bears the title of the first page"


def test_no_page_names_a_script_or_style_of_another_host(book: Path) -> None:
    for path in (book / "_build" / "html").rglob("*.html"):
        remote = re.findall(
            r"""(?:src|<link[^>]+href)=["']?(?:https?:)?//[^"' >]+""", path.read_text("utf-8")
        )
        assert not remote, f"{path.name} asks for {remote}"
        text = path.read_text("utf-8")
        for host in ("unpkg.com", "jsdelivr", "cloudflare", "THEBE_JS_URL", "binder-examples"):
            assert host not in text, f"{path.name} names {host}"


def test_vega_is_loaded_before_the_chart_and_only_where_one_is(page: Callable[[str], str]) -> None:
    chart = page("notebooks/01_chart.html")
    assert chart.count("vega-bundle.js") == 1, "once"
    assert chart.index("vega-bundle.js") < chart.index("VEGA_DEBUG"), "before it is needed"
    assert "vega-bundle.js" not in page("book/introduction.html"), "a page without charts"


def test_mathjax_lies_beside_the_pages(book: Path, page: Callable[[str], str]) -> None:
    assert "_static/mathjax/tex-svg-full.js" in page("notebooks/01_chart.html")
    assert (book / "_build" / "html" / "_static" / "mathjax" / "tex-svg-full.js").is_file()


def test_figures_bear_alternative_text(page: Callable[[str], str]) -> None:
    assert 'alt="A rising line"' in page("notebooks/01_chart.html")


def test_the_workers_of_each_chapter(page: Callable[[str], str]) -> None:
    assert "workers 1" in page("notebooks/01_chart.html"), "beside others: one process each"
    assert "workers 2" in page("notebooks/02_data.html"), "alone: all of them"


def test_the_book_as_published_announces_nothing(page: Callable[[str], str]) -> None:
    assert "Quick profile" not in page("book/introduction.html")
    assert "This edition" not in page("book/introduction.html")


def test_the_data_behind_each_chart_can_be_downloaded(
    book: Path, page: Callable[[str], str]
) -> None:
    text = page("notebooks/01_chart.html")
    links = re.findall(
        r'Data behind this figure: <a class="[^"]*" download="" href="([^"]+)"', text
    )
    assert [Path(link).name for link in links] == ["fig-chart.csv", "01_chart-cell-5.csv"]
    chart, figure = (book / "_build" / "html" / "notebooks" / link for link in links)
    assert chart.read_text("utf-8") == "x,y\n1,3\n2,4\n"
    assert figure.read_text("utf-8").startswith("panel,series,x,y,x axis,y axis\n1,line 1,1,3,,\n")
    assert "1,line 1" not in text, "the page itself does not grow"
    assert "Data behind" not in page("notebooks/02_data.html")


def test_each_chapter_can_be_downloaded_as_it_was_executed(
    book: Path, page: Callable[[str], str]
) -> None:
    [link] = re.findall(r'<a href="([^"]+\.ipynb)" download', page("notebooks/01_chart.html"))
    notebook = nbformat.read(book / "_build" / "html" / "notebooks" / link, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source]
    assert all(cell.execution_count for cell in code), "every cell was executed"
    assert "image/png" in str(notebook) and "text/csv" not in str(notebook)
    assert "Executed notebook (.ipynb)" in page("notebooks/01_chart.html")


def test_every_page_says_at_its_end_what_it_is_made_of(book: Path) -> None:
    for path in (book / "_build" / "html").rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        if path.name != "index.html" and "_static" not in path.parts:
            assert "Data of this edition: simulated:gpqa. Profile: full." in text, path.name


def test_without_a_repository_no_page_leads_to_one(book: Path) -> None:
    for path in (book / "_build" / "html").rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        for word in ("mybinder", "colab", "launch-buttons", "source-buttons"):
            assert word not in text, f"{path.name} names {word}"


# What is kept


def test_a_second_build_executes_nothing(book: Path) -> None:
    begun = time.monotonic()
    done = mbnb_build(book)
    assert done.exit_code == 0, done.output
    assert done.stderr == "01_chart: unchanged\n02_data: unchanged\npages: unchanged\n"
    assert time.monotonic() - begun < 20, "nothing was to be done"


def test_an_incomplete_site_is_built_again(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(staged: Path) -> Path:
        raise SiteFailed("the pages are built again")

    monkeypatch.setattr(site, "_jupyter_book", asked)
    page = book / "_build" / "html" / "notebooks" / "02_data.html"
    page.rename(book / "lost.html")
    assert "the pages are built again" in mbnb_build(book).stderr
    (book / "lost.html").rename(page)
    assert mbnb_build(book).stderr.endswith("pages: unchanged\n"), "complete again"


def test_what_a_key_covers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chapter = Chapter(tmp_path / "02_data.py", WITH_DATASET)
    first = chapter_key(tmp_path, chapter, {})
    assert chapter_key(tmp_path, chapter, {}) == first, "the same for the same"
    folder = write_folder(make_matrix([[1, 0], [0, 1]]), tmp_path / "mine", "made for a test")
    keys = {
        "nothing": first,
        "chapter": chapter_key(tmp_path, Chapter(chapter.path, WITH_DATASET + "\n"), {}),
        "parameters": chapter_key(tmp_path, chapter, {"n_trials": 5}),
        "data set": chapter_key(tmp_path, chapter, {"dataset": str(folder)}),
    }
    (folder / "SOURCE.md").write_text("changed", encoding="utf-8")
    keys["a file of the data set"] = chapter_key(tmp_path, chapter, {"dataset": str(folder)})
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "figures.csv").write_text("1", encoding="utf-8")
    keys["the book's data"] = chapter_key(tmp_path, chapter, {})
    monkeypatch.setattr(cache, "_package_hash", lambda: "another package")
    keys["package"] = chapter_key(tmp_path, chapter, {})
    monkeypatch.setattr(cache, "versions", lambda names: dict.fromkeys(names, "0"))
    keys["libraries"] = chapter_key(tmp_path, chapter, {})
    assert len(set(keys.values())) == len(keys), f"two of these have the same key: {keys}"


def test_a_changed_function_of_the_package_changes_its_hash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mbnb" / "study").mkdir(parents=True)
    monkeypatch.setattr(cache.mbnb, "__file__", str(tmp_path / "mbnb" / "__init__.py"))
    room = tmp_path / "mbnb" / "study" / "agreement.py"
    hashes = []
    for text in ("def f(): return 1\n", "def f(): return 2\n", "def f(): return 1\n"):
        room.write_text(text, encoding="utf-8")
        hashes.append(cache._package_hash.__wrapped__())
    assert hashes[0] == hashes[2] != hashes[1]


def test_only_the_newest_executed_notebooks_are_kept(tmp_path: Path) -> None:
    for number in range(KEPT + 2):
        fresh = tmp_path / "fresh.ipynb"
        fresh.write_text(str(number), encoding="utf-8")
        keep(tmp_path, "01_a", f"key{number}", fresh, {"seconds": number})
        time.sleep(0.01)
    kept = list((tmp_path / ".staging" / "executed" / "01_a").glob("*.ipynb"))
    assert {path.stem for path in kept} == {f"key{number}" for number in range(2, KEPT + 2)}
    records = (tmp_path / ".staging" / "executed" / "01_a").glob("*.json")
    assert {path.stem for path in records} == {path.stem for path in kept}, "with their records"
    assert {kept_run(path)["seconds"] for path in kept} == set(range(2, KEPT + 2))


def test_an_execution_is_recorded_beside_its_notebook_and_not_in_it(book: Path) -> None:
    [kept] = (book / ".staging" / "executed" / "02_data").glob("*.ipynb")
    run = kept_run(kept)
    assert run["seconds"] > 0 and run["workers"] == 2 and run["parameters"] == {}
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", run["finished"])
    assert run["finished"] not in kept.read_text("utf-8"), (
        "the notebook says nothing of this minute"
    )


# Editions


def test_an_edition_says_what_it_is_and_leaves_the_book_alone(
    book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_folder(make_matrix([[1, 0], [0, 1]]), tmp_path / "mine", "made for a test")
    monkeypatch.chdir(tmp_path)
    done = mbnb_build(book, "--dataset", "./mine", "--profile", "quick", "--out", "edition")
    assert done.exit_code == 0, done.output
    for path in (
        "book/introduction.html",
        "notebooks/02_data.html",
        "search.html",
        "genindex.html",
    ):
        text = (tmp_path / "edition" / path).read_text(encoding="utf-8")
        assert "This edition is built on the data set mine." in text, path
        assert "Quick profile" in text, path
    printed = nbformat.read(
        tmp_path / "edition" / "_sources" / "notebooks" / "02_data.ipynb", as_version=4
    ).cells[-1]
    # Five trials and the chapter's own quick sizes; the path is absolute, whatever the folder.
    assert printed.outputs[0].text.startswith("sizes (5,) trials 5 workers 2"), printed
    assert str(tmp_path / "mine") in printed.outputs[0].text
    assert "unchanged\npages: unchanged\n" in mbnb_build(book).stderr, "the book is as it was"


def test_an_edition_sets_only_what_differs() -> None:
    chapter = Chapter(Path("02_data.py"), WITH_DATASET)
    assert Edition(dataset="simulated:gpqa").parameters_for(chapter) == {}
    assert Edition(dataset="simulated:bbh", missing="wrong").parameters_for(chapter) == {
        "dataset": "simulated:bbh"
    }, "the chapter has no parameter 'missing'"
    assert Edition(profile="quick").parameters_for(chapter) == {"n_trials": 5, "sizes": [5]}
    assert Edition(dataset="simulated:gpqa").announcement([chapter]) == "", "its own data set"


def test_an_unknown_data_set_is_answered_with_those_there_are(book: Path) -> None:
    done = mbnb_build(book, "--dataset", "mmlu-prp")
    assert done.exit_code == 2, done.output
    assert done.stderr.startswith("mbnb: there is no data set 'mmlu-prp'; allowed are simulated:")


def test_a_folder_with_other_files_is_not_replaced(book: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work", encoding="utf-8")
    done = mbnb_build(book, "--out", str(tmp_path))
    assert (done.exit_code, done.stderr) == (
        2,
        f"mbnb: {tmp_path} holds other files than a built book; give another folder\n",
    )


def test_a_repository_gives_links_to_its_sources_and_to_services_that_run_them(
    book: Path, tmp_path: Path
) -> None:
    words = ["--repository", "https://github.com/me/book", "--branch", "dev"]
    done = mbnb_build(book, *words, "--out", str(tmp_path / "pages"))
    assert done.exit_code == 0, done.output
    chapter = (tmp_path / "pages" / "notebooks" / "01_chart.html").read_text("utf-8")
    for link in (
        "https://mybinder.org/v2/gh/me/book/dev?urlpath=lab/tree/notebooks/01_chart.ipynb",
        "https://colab.research.google.com/github/me/book/blob/dev/notebooks/01_chart.ipynb",
        "https://github.com/me/book/blob/dev/notebooks/01_chart.py",
    ):
        assert f'href="{link}"' in chapter, link
    introduction = (tmp_path / "pages" / "book" / "introduction.html").read_text("utf-8")
    assert "mybinder" not in introduction, "prose has nothing to run"
    assert 'href="https://github.com/me/book/blob/dev/book/introduction.md' in introduction
    for text in (chapter, introduction):
        remote = re.findall(r"""(?:src|<link[^>]+href)=["']?(?:https?:)?//[^"' >]+""", text)
        assert not remote, "nothing is asked for before a reader follows a link"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--repository", "me/book"], "mbnb: the repository 'me/book' cannot be linked to; "),
        (["--branch", "dev"], "mbnb: --branch dev is given without --repository URL\n"),
    ],
)
def test_a_repository_that_cannot_be_linked_to_is_told(
    book: Path, words: list[str], message: str
) -> None:
    done = mbnb_build(book, *words)
    assert done.exit_code == 2, done.output
    assert done.stderr.startswith(message)


# Failure


@pytest.fixture
def edited(book: Path) -> Callable[[str, str], Result]:
    """Build with one source file changed, and put the file back."""

    def build(name: str, text: str) -> Result:
        path = book / name
        before = path.read_text(encoding="utf-8")
        published = snapshot(book)
        try:
            path.write_text(text, encoding="utf-8")
            write_twins(book)
            done = mbnb_build(book)
        finally:
            path.write_text(before, encoding="utf-8")
            write_twins(book)
        assert done.exit_code == 1, done.output
        assert done.stdout == "", "no page is announced"
        assert done.stderr.endswith("The book was not built.\n"), done.stderr
        assert snapshot(book) == published, "the pages of the last good build stay"
        return done

    return build


def snapshot(book: Path) -> dict[Path, int]:
    files = (book / "_build").rglob("*")
    return {path: path.stat().st_mtime_ns for path in files if path.is_file()}


def test_a_chapter_that_raises_fails_the_build(edited: Callable[[str, str], Result]) -> None:
    done = edited("notebooks/02_data.py", WITH_DATASET + "\n# %%\n1 / 0\n")
    assert (
        "02_data, code cell 5 (1 / 0) raised ZeroDivisionError: division by zero\n" in done.stderr
    )
    assert "01_chart: unchanged" in done.stderr, "other chapters are not executed for it"


def test_a_chapter_that_warns_fails_the_build(edited: Callable[[str, str], Result]) -> None:
    warns = "\n# %%\nimport warnings\nwarnings.warn('old')\n"
    done = edited("notebooks/02_data.py", WITH_DATASET + warns)
    assert "code cell 5 (import warnings) printed to stderr:" in done.stderr, done.stderr


def test_a_broken_reference_fails_the_build(edited: Callable[[str, str], Result]) -> None:
    done = edited("book/introduction.md", "# A small book\n\n[](#nowhere) {term}`nothing`\n")
    assert "book/introduction.md:3: WARNING: " in done.stderr, done.stderr
    assert "nowhere" in done.stderr, done.stderr


def test_a_faulty_source_fails_before_anything_is_executed(
    edited: Callable[[str, str], Result],
) -> None:
    done = edited("notebooks/01_chart.py", source("Chart", kernel="py39"))
    assert done.stderr == (
        "notebooks/01_chart.py: its kernelspec is 'py39'; only 'python3' is allowed\n"
        "The book was not built.\n"
    )
