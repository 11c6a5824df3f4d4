"""The commands `mbnb build`, `mbnb run` and `mbnb check`: the book's chapters."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mbnb.cli import BAD_INPUT, NO, options
from mbnb.cli.options import tell
from mbnb.data.errors import InputError

if TYPE_CHECKING:
    from mbnb.book.chapters import Chapter


@click.command()
@click.option("--dataset", help="Data set for every chapter that takes one: a name or a path.")
@click.option("--missing", type=click.Choice(options.MISSING), help="Policy for missing answers.")
@click.option(
    "--profile",
    type=click.Choice(("full", "quick")),
    default="full",
    show_default=True,
    help="quick: a few trials in each chapter, to see whether everything works.",
)
@click.option(
    "--out",
    type=options.Given(file_okay=False),
    help="Folder for the pages; by default _build/html of the book's folder.",
)
@click.option(
    "--repository",
    metavar="URL",
    help="Where the sources are (GitHub or GitLab): adds links to them, to Binder and to Colab.",
)
@click.option("--branch", help="Branch, tag or commit that those links open; by default main.")
@click.option("--pdf", is_flag=True, help="Print the whole book into a PDF beside the pages.")
@options.jobs
@options.book
def build(
    dataset: str | None,
    missing: str | None,
    profile: str,
    out: Path | None,
    repository: str | None,
    branch: str | None,
    pdf: bool,
    jobs: int,
    book: Path | None,
) -> None:
    """Execute the chapters that changed and build the book's pages.

    If anything fails, the pages of the last successful build stay.
    """
    from mbnb.book.build import BuildFailed, Edition, build_book
    from mbnb.book.chapters import find_root
    from mbnb.book.repository import MAIN, Repository

    root = find_root(book)
    if branch and not repository:
        raise InputError(f"--branch {branch} is given without --repository URL")
    place = Repository.checked(repository, branch or MAIN) if repository else None
    try:
        edition = Edition.checked(dataset, missing, profile)
        pages = build_book(root, edition, jobs, out, place, pdf=pdf)
    except BuildFailed as failure:
        tell(f"{failure}\nThe book was not built.")
        raise click.exceptions.Exit(NO) from None
    click.echo(pages / "index.html")


@click.command()
@click.argument("chapter")
@click.option(
    "-p",
    "--parameter",
    "texts",
    multiple=True,
    metavar="NAME=VALUE",
    help="A parameter's value, as JSON or plain text: -p n_trials=10 -p 'sizes=[10,50]'.",
)
@click.option("--out", type=options.OutFile(".ipynb"), help="File for the executed notebook.")
@options.jobs
@options.book
def run(
    chapter: str, texts: tuple[str, ...], out: Path | None, jobs: int, book: Path | None
) -> None:
    """Execute CHAPTER (its number or name) with other parameters.

    Prints where the executed notebook is.

    \b
    mbnb run 09 -p n_trials=10
    """
    from mbnb.book.cache import STAGING
    from mbnb.book.chapters import find_chapter, find_root
    from mbnb.book.execute import Job, absolute_data_folder, execute

    root = find_root(book)
    found = find_chapter(root, chapter)
    given = _read_parameters(found, texts)
    target = out or root / STAGING / "runs" / f"{found.name}.ipynb"
    tell(f"{found.name}: executing")
    with absolute_data_folder():
        [outcome] = execute([Job(found, given, target.resolve(), jobs)])
    if outcome.failed:
        tell(str(outcome))
        raise click.exceptions.Exit(BAD_INPUT if outcome.error == InputError.__name__ else NO)
    tell(f"{found.name}: executed in {outcome.seconds:.0f} s")
    click.echo(target)


@click.command()
@click.option(
    "--write", is_flag=True, help="First make the notebook beside each chapter from its .py file."
)
@options.book
def check(write: bool, book: Path | None) -> None:
    """Check the chapters and, where the book was built, what was executed."""
    from mbnb.book.cache import STAGING
    from mbnb.book.chapters import FOLDER, find_root, write_twins
    from mbnb.book.check import executed_file_problems, source_problems

    root = find_root(book)
    if write:
        for path in write_twins(root):
            tell(f"written: {path.relative_to(root)}")
    problems = source_problems(root)
    for path in sorted((root / STAGING / "site" / FOLDER).glob("*.ipynb")):
        problems += [f"executed: {text}" for text in executed_file_problems(path)]
    if problems:
        tell("\n".join(problems))
        raise click.exceptions.Exit(NO)
    tell("The chapters are sound.")


def _read_parameters(chapter: Chapter, texts: tuple[str, ...]) -> dict[str, Any]:
    from mbnb.book.parameters import check_value

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
        given[name] = check_value(name, value)
    return given
