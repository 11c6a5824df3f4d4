"""The command `mbnb report`: the book's study of somebody's own results, as one HTML file."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mbnb.cli import NO, options
from mbnb.cli.options import tell, write_whole
from mbnb.data.errors import InputError

if TYPE_CHECKING:
    from mbnb.book.chapters import Chapter
    from mbnb.data.responses import ResponseMatrix

CHAPTER = "your_own_benchmark"


@click.command()
@click.argument("dataset")
@click.option(
    "--out", type=options.OutFile(".html"), required=True, help="File for the page (.html)."
)
@click.option("--title", help="Title of the page; by default the data's name.")
@click.option(
    "--gap",
    type=click.FloatRange(0, 100, min_open=True),
    default=2.0,
    show_default=True,
    help="The difference of two models, in points, that you must be able to detect.",
)
@click.option(
    "--rule",
    type=click.Choice(options.RULES),
    default=options.RECOMMENDED_RULE,
    show_default=True,
    help="How an MDAD is read off the agreement by gap; see `mbnb study --help`.",
)
@options.grid(options.KNOWN_SELECTORS)
@options.book
def report(
    dataset: str,
    out: Path,
    title: str | None,
    gap: float,
    rule: str,
    n_trials: int,
    selectors: tuple[str, ...],
    sizes: tuple[int, ...] | None,
    n_source: int | None,
    n_target: int | None,
    missing: str,
    duplicates: str,
    seed: int,
    jobs: int,
    book: Path | None,
) -> None:
    """Run the study on DATASET (a name, a path or simulated:…) and write one page about it.

    The page says how far apart two models must be at each size, which selector or estimator
    helps, what a random sample needs, which models are tied and what to doubt. It is one file that
    needs no network; the notebook behind it is the book's chapter “Your own benchmark”.

    \b
    mbnb report my-results --out report.html
    mbnb report my-results --out report.html --gap 3 --trials 20 --missing drop-items
    """
    from mbnb.book.parameters import check_value
    from mbnb.data.datasets import available, locate, prepare

    root, chapter = _book(book)
    wanted = {
        "missing": missing,
        "duplicates": duplicates,
        "n_trials": n_trials,
        "selectors": selectors,
        "n_source": n_source,
        "n_target": n_target,
        "gap": gap,
        "rule": rule,
        "seed": seed,
    }
    if sizes is not None:
        wanted["sizes"] = sizes
    wanted = {name: check_value(name, value) for name, value in wanted.items()}
    matrix, notes = prepare(dataset, missing=missing, duplicates=duplicates)
    _check_plan(matrix, wanted, chapter)
    tell(*notes)
    known = dataset in set(available()["name"])
    place = dataset if known else str(locate(dataset))
    tell(f"{matrix.name}: running {n_trials} trials and writing the page …")
    page = _made(
        root,
        chapter,
        {"dataset": place, **wanted},
        jobs,
        {
            "title": title or f"{matrix.name}: how small may it be?",
            "names": {place: dataset},
        },
    )
    write_whole(out, lambda path: Path(path).write_text(page, encoding="utf-8"))
    click.echo(out)


def _book(given: Path | None) -> tuple[Path, Chapter]:
    """The book and its chapter on one's own results; the package's own book if this is another."""
    from mbnb.book.chapters import find_chapter, find_root

    places = [given] if given else [None, Path(__file__).parents[2]]
    for place in places:
        try:
            root = find_root(place)
            return root, find_chapter(root, CHAPTER)
        except InputError:
            continue
    where = f"{given} holds no book with it" if given else "no book with it is here"
    raise InputError(
        f"mbnb report runs the book's notebook “Your own benchmark”, and {where}; name the folder "
        "of the book's sources by --book."
    )


def _check_plan(matrix: ResponseMatrix, wanted: Mapping[str, Any], chapter: Chapter) -> None:
    """Refuse what the notebook could not do, before it is run."""
    from mbnb.run.advice import plan_trials

    sizes = wanted.get("sizes", chapter.defaults["sizes"])
    plan = plan_trials(matrix, wanted["selectors"], sizes, wanted["n_source"], wanted["n_target"])
    limit, half = (
        (matrix.n_items, "it") if plan.why_not else (plan.n_train, "the half that is chosen from")
    )
    if "sizes" in wanted and max(sizes) > limit:
        raise InputError(
            f"{matrix.name}: size {max(sizes)} is not possible, since {half} has {limit} items; "
            f"allowed are 1 to {limit}."
        )
    tell(*plan.notes, f"No trials are possible: {plan.why_not}." if plan.why_not else "")


def _made(
    root: Path,
    chapter: Chapter,
    parameters: Mapping[str, Any],
    workers: int,
    page: Mapping[str, Any],
) -> str:
    """Execute the chapter in a temporary place and make the page of it."""
    from mbnb.book.check import executed_problems
    from mbnb.book.execute import Job, execute
    from mbnb.book.page import chapter_without_exercises, write_report
    from mbnb.book.site import SiteFailed

    with tempfile.TemporaryDirectory(prefix="mbnb-report-") as folder:
        executed = Path(folder) / f"{chapter.name}.ipynb"
        own = {name: list(v) if isinstance(v, tuple) else v for name, v in parameters.items()}
        # A solution is for readers of the book, and must not fail on somebody's data.
        lesson_free = chapter_without_exercises(chapter)
        [outcome] = execute([Job(lesson_free, own, executed, workers)])
        if outcome.error == InputError.__name__:
            raise InputError(outcome.message)
        problems = [outcome.message] if outcome.error else executed_problems(executed)
        if not problems:
            try:
                return write_report(executed, root, page["title"], page["names"])
            except SiteFailed as failure:
                problems = [str(failure)]
    tell(*problems, "The report was not written.")
    raise click.exceptions.Exit(NO)
