"""Executing chapters: what comes of good and bad ones, and that nothing stays behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import nbformat
import psutil
import pytest
from click.testing import CliRunner, Result
from small_book import ENDING, HEADER, make_book, source

from mbnb.book.chapters import Chapter
from mbnb.book.check import executed_file_problems, executed_problems
from mbnb.book.execute import Job, Outcome, absolute_data_folder, execute
from mbnb.cli import main

PLAIN = HEADER.format(kernel="python3", extra="") + "\n# %% [markdown]\n# # Title\n\n# %%\n"
SOURCES = {
    "raises": PLAIN + "x = 1\n\n# %%\n# a comment\nx / 0\n",
    "warns": PLAIN + "import sys\nprint('careful', file=sys.stderr)\n",
    "hangs": PLAIN + "import time\ntime.sleep(600)\n",
    "dies": PLAIN + "import os\nos._exit(9)\n",
    "odd_kernel": PLAIN.replace("python3", "py39_new") + "print('ran on python3')\n",
    "surroundings": PLAIN
    + "import os\nprint(sorted(os.environ['MBNB_JOBS'] + os.environ['OMP_NUM_THREADS']),"
    " os.listdir('.'), os.environ['MBNB_DATA'], os.environ.get('MPLBACKEND'))\n",
}


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Outcome]]:
    """Every kind of chapter, executed once, two at a time; only one has a time limit."""
    folder = tmp_path_factory.mktemp("executed")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("MBNB_DATA", "results")
        patch.setenv("MPLBACKEND", "agg")
        jobs = [
            Job(
                Chapter(folder / f"{name}.py", text),
                {},
                target=folder / f"{name}.ipynb",
                workers=3,
                timeout=4 if name == "hangs" else None,
            )
            for name, text in SOURCES.items()
        ]
        with absolute_data_folder():
            ended = execute(jobs, at_once=2)
    yield {outcome.job.chapter.name: outcome for outcome in ended}


def printed(outcome: Outcome) -> str:
    notebook = nbformat.read(outcome.job.target, as_version=4)
    return str(notebook.cells[-1].outputs[0].text)


def test_a_failing_chapter_stops_no_other(outcomes: dict[str, Outcome]) -> None:
    assert set(outcomes) == set(SOURCES)


def test_an_error_is_told_with_chapter_cell_and_message(outcomes: dict[str, Outcome]) -> None:
    assert str(outcomes["raises"]) == (
        "raises, code cell 2 (# a comment) raised ZeroDivisionError: division by zero"
    )


def test_a_chapter_that_hangs_is_stopped_and_named(outcomes: dict[str, Outcome]) -> None:
    assert str(outcomes["hangs"]) == "hangs raised TimeoutError: stopped after 4 s"
    assert outcomes["hangs"].seconds < 15, "the limit holds"


def test_a_kernel_that_dies_is_told(outcomes: dict[str, Outcome]) -> None:
    assert "dies raised DeadKernelError" in str(outcomes["dies"])


@pytest.mark.parametrize("name", ["raises", "hangs", "dies"])
def test_a_failed_chapter_leaves_no_half_notebook(outcomes: dict[str, Outcome], name: str) -> None:
    target = outcomes[name].job.target
    assert not list(target.parent.glob(f"*{name}*")), "a file of the failed run is left"


def test_stderr_is_found_in_the_executed_notebook(outcomes: dict[str, Outcome]) -> None:
    assert not outcomes["warns"].failed, "printing is no error of the execution"
    assert executed_file_problems(outcomes["warns"].job.target) == [
        "warns, code cell 1 (import sys) printed to stderr: careful"
    ]


def test_the_kernel_is_always_ours(outcomes: dict[str, Outcome]) -> None:
    assert printed(outcomes["odd_kernel"]).strip() == "ran on python3"


def test_what_a_chapter_finds_around_it(outcomes: dict[str, Outcome]) -> None:
    folder = outcomes["surroundings"].job.target.parent
    # Three workers, one thread; an empty working folder; a relative MBNB_DATA made absolute;
    # and matplotlib's backend left to the kernel.
    said = printed(outcomes["surroundings"]).split()
    assert said[:3] == ["['1',", "'3']", "[]"], said
    assert Path(said[3]) == folder / "results", said
    assert "inline" in said[4], said


def test_traces_of_the_run_are_taken_out(outcomes: dict[str, Outcome]) -> None:
    text = outcomes["surroundings"].job.target.read_text(encoding="utf-8")
    for trace in ("papermill", "start_time", "duration", "mbnb-"):
        assert trace not in text, f"the notebook still holds '{trace}'"


# Checks of executed notebooks that no execution here brings about


def test_an_unexecuted_notebook_is_found() -> None:
    notebook = Chapter(Path("01_first.py"), source("First")).notebook
    problems = executed_problems("01_first", notebook)
    assert problems[0] == (
        "01_first, code cell 1 (from mbnb.publish import parameters as mbnb) was not executed"
    )
    assert len(problems) == 4, "each code cell is named"


def test_papermills_banner_and_widgets_are_found() -> None:
    banner = nbformat.v4.new_markdown_cell(
        "failed", metadata={"tags": ["papermill-error-cell-tag"]}
    )
    widget = nbformat.v4.new_output(
        "display_data", {"application/vnd.jupyter.widget-view+json": {"model_id": "1"}}
    )
    cell = nbformat.v4.new_code_cell("bar", execution_count=1, outputs=[widget])
    assert executed_problems("c", nbformat.v4.new_notebook(cells=[banner, cell])) == [
        "c, code cell 1 (bar) shows a widget, which is dead in a book",
        "c bears papermill's banner of a failed run",
    ]


def test_a_broken_file_is_found(tmp_path: Path) -> None:
    (tmp_path / "bad.ipynb").write_text("{", encoding="utf-8")
    assert executed_file_problems(tmp_path / "bad.ipynb")[0].startswith("bad is not a notebook")


# The command


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    refuses = "\n# %%\nfrom mbnb.data.errors import InputError\nraise InputError('no such group')\n"
    return make_book(
        tmp_path_factory.mktemp("run") / "book",
        {
            "01_good": source("Good"),
            "02_refuses": source("Refuses", refuses),
            "03_hangs": source("Hangs", "\n# %%\nimport time\ntime.sleep(600)\n"),
        },
    )


def run(book: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["run", *arguments, "--book", str(book)])


def test_run_executes_a_chapter_with_other_parameters(
    book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(book, "good", "-p", "n_trials=1e1", "-p", "sizes=[5, 7]", "--out", "mine.ipynb")
    assert done.exit_code == 0, done.output
    assert done.stdout == "mine.ipynb\n", "stdout holds the answer alone"
    notebook = nbformat.read(tmp_path / "mine.ipynb", as_version=4)
    assert notebook.cells[-1].outputs[0].text.startswith("sizes (5, 7) trials 10 workers"), (
        "the values arrived as meant"
    )
    assert executed_file_problems(tmp_path / "mine.ipynb") == []


def test_run_answers_an_input_error_of_the_chapter_with_status_2(book: Path) -> None:
    done = run(book, "2")
    assert done.exit_code == 2, done.output
    assert "02_refuses, code cell 4" in done.stderr, "the cell is named"
    assert done.stderr.strip().endswith("raised InputError: no such group"), done.stderr
    assert not (book / ".staging" / "runs" / "02_refuses.ipynb").exists(), "nothing is left"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("9",), "there is no chapter '9'; the chapters are 01_good, 02_refuses, 03_hangs"),
        (
            ("1", "-p", "n_itms=5"),
            "chapter 01_good has no parameter 'n_itms'; it has n_trials, sizes",
        ),
        (("1", "-p", "n_trials=0"), "n_trials must be a whole number ≥ 1; given: 0 (int)"),
        (("1", "-p", "n_trials"), "-p takes NAME=VALUE; given: 'n_trials'"),
        (
            ("1", "-p", "n_trials=1", "-p", "n_trials=2"),
            "the parameter 'n_trials' is given twice",
        ),
    ],
)
def test_run_refuses_bad_input_before_anything_starts(
    book: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = run(book, *arguments)
    assert (done.exit_code, done.stderr) == (2, f"mbnb: {message}\n"), done.output


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_every_process(
    book: Path, number: signal.Signals, tmp_path: Path
) -> None:
    code = "from mbnb.cli import main; main()"
    command = [sys.executable, "-c", code, "run", "3", "--book", str(book)]
    parent = subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        # A shell that runs tests in the background may have interrupts ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    tree: list[psutil.Process] = []
    deadline = time.monotonic() + 40
    # The worker and, in a session of its own, its kernel.
    while len(tree) < 2 and time.monotonic() < deadline:
        time.sleep(0.2)
        tree = psutil.Process(parent.pid).children(recursive=True)
    assert len(tree) >= 2, "the chapter never started"
    parent.send_signal(number)
    parent.communicate(timeout=20)
    _, alive = psutil.wait_procs(tree, timeout=5)
    assert not alive, "processes outlived the command"
    assert not list(tmp_path.glob("mbnb-*")), "temporary files outlived the command"
    assert parent.returncode == 130, "as shells have it for a command that was stopped"


def test_help_teaches_the_commands() -> None:
    done = CliRunner().invoke(main, ["--help"])
    for word in ("build", "run", "check", "n_trials=10"):
        assert word in done.output, f"'{word}' is not in the help"


def test_check_answers_no_with_status_1_and_writes_the_notebooks(tmp_path: Path) -> None:
    book = make_book(tmp_path / "book", {"01_good": source("Good", end=ENDING)})
    (book / "notebooks" / "01_good.ipynb").unlink()
    done = CliRunner().invoke(main, ["check", "--book", str(book)])
    assert done.exit_code == 1, done.output
    assert done.stderr == (
        "notebooks/01_good.py: the notebook beside it is missing; run 'mbnb check --write'\n"
    )
    done = CliRunner().invoke(main, ["check", "--write", "--book", str(book)])
    assert (done.exit_code, done.stderr) == (
        0,
        "written: notebooks/01_good.ipynb\nThe chapters are sound.\n",
    )
