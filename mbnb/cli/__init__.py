"""The commands; each hands its work to the floors below and computes nothing itself."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import click

from mbnb.book.build import PROFILES, BuildFailed, Edition, available_cores, build_book, say
from mbnb.book.cache import STAGING
from mbnb.book.chapters import FOLDER, Chapter, find_chapter, find_root, write_twins
from mbnb.book.check import executed_file_problems, source_problems
from mbnb.book.execute import Job, absolute_data_folder, execute
from mbnb.book.parameters import read_text
from mbnb.book.repository import MAIN, Repository
from mbnb.cli.cache import cache
from mbnb.cli.download import datasets, download_command
from mbnb.cli.example import example
from mbnb.cli.plan import plan_command
from mbnb.cli.read import read
from mbnb.cli.report import report
from mbnb.cli.score import score_command
from mbnb.cli.select import select
from mbnb.cli.simulate import simulate_command
from mbnb.cli.study import study
from mbnb.data.errors import InputError
from mbnb.data.responses import POLICIES

BAD_INPUT = 2
NO = 1
STOPPED = 130  # as shells have it


class Commands(click.Group):
    """Commands that answer bad input with one sentence and status 2."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except InputError as error:
            _leave(f"mbnb: {error}", BAD_INPUT)
        except KeyboardInterrupt:
            _leave("mbnb: stopped.", STOPPED)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="mbnb")
def main() -> None:
    """The micro-benchmark book: how small may a benchmark be before its ranking fails?

    \b
    Your own results
    mbnb example logs                      make a small folder of logs to try this on
    mbnb read logs/known --out mine        turn evaluation logs into a dataset folder
    mbnb report mine --out report.html     write one page: how small may it be?
    mbnb select mine --size 250 --out micro.json    freeze a micro-benchmark
    mbnb score micro.json logs/new         a new model's full score from few answers
    mbnb plan --gap 2 --dataset mine       how many items show a gap of two points

    \b
    Data
    mbnb datasets                          list the data sets there are
    mbnb download bigcodebench             get a public response matrix
    mbnb simulate gpqa --out my-data       write a simulated leaderboard

    \b
    The study and the book
    mbnb study simulated:mmlu-pro          run a grid without a notebook
    mbnb study --paper                     run the paper's whole study
    mbnb cache                             show the finished trials that are kept
    mbnb build                             build the whole book
    mbnb run 09 -p n_trials=10             execute one chapter with other parameters
    mbnb check                             check the chapters without executing them

    Exit status: 0 done, 1 the answer is "no" (a check or a chapter failed), 2 bad input,
    130 stopped.
    """
    # A terminated command has to end its children as an interrupted one does.
    signal.signal(signal.SIGTERM, _interrupt)


book_option = click.option(
    "--book",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of the book (with _toc.yml); by default the one around this folder.",
)
jobs_option = click.option(
    "--jobs",
    type=click.IntRange(min=1),
    help="Processes that may work at once; by default one for each core.",
)


@main.command()
@click.option("--dataset", help="Data set for every chapter that takes one: a name or a path.")
@click.option("--missing", type=click.Choice(POLICIES), help="Policy for missing answers.")
@click.option(
    "--profile",
    type=click.Choice(PROFILES),
    default=PROFILES[0],
    show_default=True,
    help="quick: a few trials in each chapter, to see whether everything works.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Folder for the pages; by default _build/html of the book's folder.",
)
@click.option(
    "--repository",
    metavar="URL",
    help="Where the sources are (GitHub or GitLab): adds links to them, to Binder and to Colab.",
)
@click.option("--branch", help="Branch, tag or commit that those links open; by default main.")
@click.option(
    "--pdf", is_flag=True, help="Print the whole book into a PDF beside the pages (Chromium)."
)
@jobs_option
@book_option
def build(
    dataset: str | None,
    missing: str | None,
    profile: str,
    out: Path | None,
    repository: str | None,
    branch: str | None,
    pdf: bool,
    jobs: int | None,
    book: Path | None,
) -> None:
    """Execute the chapters that changed and build the book's pages.

    If anything fails, the pages of the last successful build stay.
    """
    root = find_root(book)
    if branch and not repository:
        raise InputError(f"--branch {branch} is given without --repository URL")
    place = Repository.checked(repository, branch or MAIN) if repository else None
    edition = Edition.checked(dataset, missing, profile)
    try:
        pages = build_book(root, edition, jobs or available_cores(), out, place, pdf=pdf)
    except BuildFailed as failure:
        _leave(f"{failure}\nThe book was not built.", NO)
    click.echo(pages / "index.html")


@main.command()
@click.argument("chapter")
@click.option(
    "-p",
    "--parameter",
    "texts",
    multiple=True,
    metavar="NAME=VALUE",
    help="A parameter's value, as JSON or plain text: -p n_trials=10 -p 'sizes=[10,50]'.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File for the executed notebook.",
)
@jobs_option
@book_option
def run(
    chapter: str, texts: tuple[str, ...], out: Path | None, jobs: int | None, book: Path | None
) -> None:
    """Execute CHAPTER (its number or name) with other parameters.

    Prints where the executed notebook is.
    """
    root = find_root(book)
    found = find_chapter(root, chapter)
    given = _read_parameters(found, texts)
    target = out or root / STAGING / "runs" / f"{found.name}.ipynb"
    say(f"{found.name}: executing")
    with absolute_data_folder():
        job = Job(found, given, target.resolve(), jobs or available_cores())
        [outcome] = execute([job])
    if outcome.failed:
        _leave(str(outcome), BAD_INPUT if outcome.error == InputError.__name__ else NO)
    say(f"{found.name}: executed in {outcome.seconds:.0f} s")
    click.echo(target)


@main.command()
@click.option(
    "--write", is_flag=True, help="First make the notebook beside each chapter from its .py file."
)
@book_option
def check(write: bool, book: Path | None) -> None:
    """Check the chapters and, where the book was built, what was executed."""
    root = find_root(book)
    if write:
        for path in write_twins(root):
            say(f"written: {path.relative_to(root)}")
    problems = source_problems(root)
    for path in sorted((root / STAGING / "site" / FOLDER).glob("*.ipynb")):
        problems += [f"executed: {text}" for text in executed_file_problems(path)]
    if problems:
        _leave("\n".join(problems), NO)
    say("The chapters are sound.")


main.add_command(study)
main.add_command(read)
main.add_command(report)
main.add_command(example)
main.add_command(cache)
main.add_command(download_command)
main.add_command(datasets)
main.add_command(select)
main.add_command(score_command)
main.add_command(plan_command)
main.add_command(simulate_command)


def _read_parameters(chapter: Chapter, texts: tuple[str, ...]) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise InputError(f"-p takes NAME=VALUE; given: '{text}'")
        if name not in chapter.defaults:
            raise InputError(
                f"chapter {chapter.name} has no parameter '{name}'; it has "
                f"{', '.join(chapter.defaults) or 'none'}"
            )
        if name in given:
            raise InputError(f"the parameter '{name}' is given twice")
        given[name] = read_text(name, value)
    return given


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def _leave(message: str, status: int) -> NoReturn:
    click.echo(message, err=True)
    sys.exit(status)
