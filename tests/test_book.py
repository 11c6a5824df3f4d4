"""A book is executed and built: what changed and nothing else, strictly; nothing is left over."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import nbformat
import psutil
import pytest
from click.testing import CliRunner
from small_book import CLAIM, FIGURE, make_book, source

from mbnb.book import build, keys
from mbnb.book.build import BuildFailed, Edition, build_book, dataset_named
from mbnb.book.chapters import find_chapter, read_chapters, write_twins
from mbnb.book.execute import Job, execute
from mbnb.book.keys import chapter_key
from mbnb.book.site import check_target
from mbnb.cli.book import run
from mbnb.data.errors import InputError

# The trials that real chapters share; the chapters of the small book run none.
NO_TRIALS = "_run_shared_trials"


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A built book of two chapters."""
    chapters = {"01_first": source("First", FIGURE), "02_second": source("Second")}
    root = make_book(tmp_path_factory.mktemp("small") / "book", chapters)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, NO_TRIALS, lambda *_: None)
        build_book(root, Edition(), 2)
    return root


@pytest.fixture
def executed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the chapters that a build executes."""
    names: list[str] = []

    def spy(jobs: list[Job], at_once: int) -> object:
        names.extend(job.chapter.name for job in jobs)
        return execute(jobs, at_once)

    monkeypatch.setattr(build, NO_TRIALS, lambda *_: None)
    monkeypatch.setattr(build, "execute", spy)
    return names


def page(book: Path, name: str) -> str:
    return (book / "_build" / "html" / f"{name}.html").read_text("utf-8")


@pytest.mark.slow
def test_pages_have_pictures_data_and_a_foot_and_ask_no_other_host(book: Path) -> None:
    first = page(book, "notebooks/01_first")
    assert 'alt="It rises."' in first
    [link] = re.findall(r'href="([^"]*fig-line\.csv)"', first)
    assert (book / "_build/html/notebooks" / link).read_text("utf-8") == "x,y\n1,3\n2,4\n"
    assert "Profile: full." in first and "bd-header-announcement" not in first
    assert "book/introduction.html" in page(book, "index")
    for path in (book / "_build" / "html").rglob("*.html"):
        scripts = re.findall(
            r'<(?:script|link)[^>]+(?:src|href)="(https?:[^"]+)"', path.read_text()
        )
        assert not scripts, f"{path.name} asks {scripts}"


@pytest.mark.slow
def test_a_second_build_executes_nothing_and_a_changed_chapter_only_itself(
    book: Path, executed: list[str]
) -> None:
    begun = time.monotonic()
    build_book(book, Edition(), 2)
    assert executed == [] and time.monotonic() - begun < 5
    path = book / "notebooks" / "02_second.py"
    path.write_text(path.read_text("utf-8") + "\nprint('more')\n", encoding="utf-8")
    write_twins(book)
    build_book(book, Edition(), 2)
    assert executed == ["02_second"]
    assert "more" in page(book, "notebooks/02_second")


@pytest.mark.slow
def test_an_edition_says_what_it_is_and_leaves_the_book_alone(
    book: Path, executed: list[str], tmp_path: Path
) -> None:
    before = page(book, "notebooks/01_first")
    out = build_book(book, Edition("simulated:gpqa", None, "quick"), 2, tmp_path / "edition")
    text = (out / "notebooks" / "01_first.html").read_text("utf-8")
    assert "built on the data set simulated:gpqa" in text and "trials 5 " in text
    assert page(book, "notebooks/01_first") == before


@pytest.mark.slow
def test_a_claim_that_fails_stops_the_build_and_is_named_and_the_pages_stay(
    book: Path, executed: list[str]
) -> None:
    path = book / "notebooks" / "02_second.py"
    text, before = path.read_text("utf-8"), page(book, "notebooks/02_second")
    path.write_text(text + CLAIM, encoding="utf-8")
    write_twins(book)
    with pytest.raises(BuildFailed, match=r"02_second.*one is more than two"):
        build_book(book, Edition(), 2)
    assert page(book, "notebooks/02_second") == before
    path.write_text(text + "\n# %% [markdown]\n# {ref}`nowhere`\n", encoding="utf-8")
    write_twins(book)
    with pytest.raises(BuildFailed, match="nowhere"):
        build_book(book, Edition(), 2)
    path.write_text(text, encoding="utf-8")
    write_twins(book)


@pytest.mark.slow
def test_failures_stop_no_other_chapter_and_leave_no_notebook(tmp_path: Path) -> None:
    book = make_book(
        tmp_path / "book",
        {
            "01_raises": source("Raises", "\n# %%\nraise ValueError('five')\n"),
            "02_dies": source("Dies", "\n# %%\nos._exit(3)\n"),
            "03_input": source("Input", "\n# %%\nmbnb.load('nothing')\n"),
            "04_works": source("Works"),
        },
    )
    jobs = [Job(c, {}, tmp_path / f"{c.name}.ipynb") for c in read_chapters(book)]
    outcomes = {outcome.job.chapter.name: outcome for outcome in execute(jobs, 2)}
    assert "'raise ValueError('five')' raised ValueError: five" in outcomes["01_raises"].message
    assert outcomes["02_dies"].error == "DeadKernelError"
    assert outcomes["03_input"].error == "InputError"
    assert not outcomes["04_works"].error
    assert [path.name for path in tmp_path.glob("*.ipynb")] == ["04_works.ipynb"]
    kept = nbformat.read(tmp_path / "04_works.ipynb", as_version=4)
    assert "papermill" not in json.dumps(kept)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_no_process(tmp_path: Path, number: signal.Signals) -> None:
    book = make_book(tmp_path / "book", {"01_long": source("Long", "import time; time.sleep(99)")})
    command = [sys.executable, "-c", "from mbnb.cli import main; main()", "run", "01"]
    started = subprocess.Popen([*command, "--book", str(book)], start_new_session=True)
    family: list[psutil.Process] = []
    end = time.monotonic() + 60
    while not any("ipykernel" in " ".join(one.cmdline()) for one in family):
        assert time.monotonic() < end, "no kernel began"
        time.sleep(0.2)
        family = psutil.Process(started.pid).children(recursive=True)
    os.killpg(started.pid, number) if number == signal.SIGINT else started.send_signal(number)
    assert started.wait(20) == 130
    _, alive = psutil.wait_procs(family, timeout=10)
    assert not alive, [one.cmdline() for one in alive]
    assert not (book / "_build").exists()


@pytest.mark.slow
def test_run_writes_a_notebook_and_a_page_named_by_what_was_changed(
    book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine").mkdir()
    monkeypatch.chdir(tmp_path)
    words = ["01", "-p", "n_trials=7", "-p", "dataset=./mine", "--book", str(book)]
    done = CliRunner().invoke(run, words)
    assert done.exit_code == 0, done.output
    made = book / "_build" / "runs" / "01_first-n_trials=7-dataset=mine"
    text = made.with_name(made.name + ".html").read_text("utf-8")
    assert "trials 7" in text and 'src="data:image/png' in text
    injected = nbformat.read(made.with_name(made.name + ".ipynb"), as_version=4)
    assert str(tmp_path / "mine") in json.dumps(injected), "the worker's folder is another"


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["9"], "'9'"),
        (["01", "-p", "n_trials"], "NAME=VALUE"),
        (["01", "-p", "colour=1"], "colour"),
        (["01", "-p", "n_trials=0"], "n_trials"),
        (["01", "-p", "n_trials=1", "-p", "n_trials=2"], "twice"),
        (["01", "-p", "dataset=nowhere"], "nowhere"),
        (["01", "--out", "x.html"], "x.html"),
    ],
)
def test_run_refuses_bad_input_before_anything_starts(
    tmp_path: Path, words: list[str], named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = make_book(tmp_path / "book", {"01_first": source("First")})
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(run, [*words, "--book", str(book)])
    assert named in f"{done.exception} {done.output}"
    assert isinstance(done.exception, InputError) or done.exit_code == 2
    assert not (book / "_build").exists()


@pytest.fixture
def key_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """A chapter's key after a part of the package was edited."""
    package = tmp_path / "package"
    for room in (*keys.ROOMS, *keys.MORE_ROOMS, "plots.py"):
        place = package / room
        place = place if room.endswith(".py") else place / "module.py"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f'"""Of {room}."""\ndef one():\n    """Old."""\n    return 1\n')
    charts = (
        "A = 1\ndef figure():\n    return axis()\ndef axis():\n    return A\ndef label(): pass\n"
    )
    (package / "plots.py").write_text(charts)
    monkeypatch.setattr(keys, "PACKAGE", package)
    book = make_book(tmp_path / "book", {"01_first": source("First", FIGURE)})

    def key(place: str = "", old: str = "", new: str = "", **injected: object) -> str:
        if place:
            path = (book if place.startswith("data/x") else package) / place
            path.write_text(path.read_text().replace(old, new) if old else new)
        keys._code_of.cache_clear()
        keys._reached.cache_clear()
        return chapter_key(book, find_chapter(book, "1"), injected)

    yield key
    keys._code_of.cache_clear()
    keys._reached.cache_clear()


def test_what_changes_a_chapters_key(key_of: Callable[..., str]) -> None:
    seen = [key_of(), key_of(n_trials=5), key_of("data/x.csv", "", "1")]
    seen.append(key_of("judge/module.py", "return 1", "return 2"))
    seen.append(key_of("plots.py", "return A", "return A + 1"))  # behind `figure`
    assert len(set(seen)) == len(seen)


def test_what_leaves_a_chapters_key_as_it_is(key_of: Callable[..., str]) -> None:
    first = key_of()
    assert key_of("judge/module.py", "Old", "New") == first, "a docstring"
    assert key_of("run/module.py", "return 1", "return 1  # one") == first, "a comment"
    assert key_of("plots.py", "def label(): pass", "def label(): ...") == first, "another chart"
    assert key_of("logs/module.py", "return 1", "return 2") == first, "a room it does not use"


def test_a_data_set_is_named_as_every_process_finds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert dataset_named("simulated:gpqa") == "simulated:gpqa"
    assert dataset_named("./mine") == dataset_named("~/mine") == str(tmp_path / "mine")
    with pytest.raises(InputError, match="nothing"):
        dataset_named("nothing")


def test_a_folder_with_other_files_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(InputError, match="other files"):
        check_target(tmp_path)
