"""The commands of the book: `mbnb build`, `mbnb run` and `mbnb check`."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mbnb.cli import BAD_INPUT, NO, options
from mbnb.cli.options import tell
from mbnb.data.errors import InputError

if TYPE_CHECKING:
    from mbnb.book.chapters import Chapter

RUNS = Path("_build") / "runs"


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
    "--pdf", is_flag=True, help="Print the whole book into a PDF beside the pages (Chromium)."
)
@options.jobs
@options.book
def build(
    dataset: str | None,
    missing: str | None,
    profile: str,
    out: Path | None,
    pdf: bool,
    jobs: int,
    book: Path | None,
) -> None:
    """Execute the chapters that changed and build the book's pages.

    If anything fails, the pages of the last successful build stay.
    """
    from mbnb.book.build import BuildFailed, Edition, build_book, dataset_named
    from mbnb.book.chapters import find_root

    edition = Edition(dataset and dataset_named(dataset), missing, profile)
    try:
        pages = build_book(find_root(book), edition, jobs, out, pdf=pdf)
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
@click.option(
    "--out",
    type=options.OutFile(".ipynb"),
    help="File for the executed notebook; its page lies beside it (.html).",
)
@options.jobs
@options.book
def run(
    chapter: str, texts: tuple[str, ...], out: Path | None, jobs: int, book: Path | None
) -> None:
    """Execute CHAPTER (its number, letter or name) with other parameters.

    Writes the executed notebook and a page to look at, and prints where the page is.
    """
    from mbnb.book.chapters import find_chapter, find_root
    from mbnb.book.execute import Job, execute
    from mbnb.book.page import chapter_page
    from mbnb.data.paths import replacing

    root = find_root(book)
    found = find_chapter(root, chapter)
    given = _read_parameters(found, texts)
    target = out or root / RUNS / f"{_run_name(found, given)}.ipynb"
    with tempfile.TemporaryDirectory(prefix="mbnb-run-") as folder:
        executed = Path(folder) / target.name
        [outcome] = execute([Job(found, given, executed, jobs)])
        if outcome.error:
            tell(outcome.message)
            raise click.exceptions.Exit(BAD_INPUT if outcome.error == "InputError" else NO)
        page = chapter_page(executed, root, found)
        with replacing(target) as place:
            place.write_bytes(executed.read_bytes())
    with replacing(target.with_suffix(".html")) as place:
        place.write_text(page, encoding="utf-8")
    click.echo(target.with_suffix(".html"))


def _read_parameters(chapter: Chapter, texts: tuple[str, ...]) -> dict[str, Any]:
    from mbnb.book.build import dataset_named
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
        meant = check_value(name, value)
        given[name] = list(meant) if isinstance(meant, tuple) else meant
    if "dataset" in given:
        given["dataset"] = dataset_named(given["dataset"])
    return given


def _run_name(chapter: Chapter, given: dict[str, Any]) -> str:
    """A name for what was run, so that runs side by side do not overwrite one another."""
    told = [f"{name}={Path(v).name if name == 'dataset' else v}" for name, v in given.items()]
    return re.sub(r"[^\w.=,-]", "", "-".join([chapter.name, *told]))[:150]


@click.command()
@click.option(
    "--write", is_flag=True, help="First make the notebook beside each chapter from its .py file."
)
@options.book
def check(write: bool, book: Path | None) -> None:
    """Check the chapters and, where the book was built, what was executed."""
    from mbnb.book.build import STAGING
    from mbnb.book.chapters import FOLDER, find_root, write_twins
    from mbnb.book.check import executed_problems, source_problems

    root = find_root(book)
    if write:
        for path in write_twins(root):
            tell(f"written: {path.relative_to(root)}")
    problems = source_problems(root)
    for path in sorted((root / STAGING / "site" / FOLDER).glob("*.ipynb")):
        problems += [f"executed: {text}" for text in executed_problems(path)]
    if problems:
        tell("\n".join(problems))
        raise click.exceptions.Exit(NO)
    tell("The chapters are sound.")
