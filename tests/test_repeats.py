"""Code that chapters repeat from one another is found."""

from __future__ import annotations

from pathlib import Path

from mbnb.book.chapters import Chapter
from mbnb.book.repeats import SHORTEST, repeated_lines

HEAD = '# %% tags=["parameters"]\nseed: int = 0  # the same in both, as it has to be\n\n'


def chapter(name: str, code: str) -> Chapter:
    return Chapter(Path(f"{name}.py"), f"{HEAD}# %%\n{code}\n")


def test_a_line_of_two_chapters_is_named_with_both() -> None:
    line = "table = some_function(matrix, p.seed)"
    found = list(repeated_lines([chapter("01_a", line), chapter("02_b", f"if True:\n    {line}")]))
    assert found == [f"the line `{line}` stands in 01_a.py, 02_b.py; put it into mbnb"]


def test_a_line_twice_in_one_chapter_is_no_repetition() -> None:
    line = "table = some_function(matrix, p.seed)"
    assert not list(repeated_lines([chapter("01_a", f"{line}\n{line}"), chapter("02_b", "x = 1")]))


def test_imports_comments_parameters_the_opening_and_short_lines_do_not_count() -> None:
    code = (
        "from mbnb.judge.agreement import agreement\n# a comment that is long enough to be seen\n"
        f"p = mbnb.parameters(globals())\n{'x' * (SHORTEST - 1)}"
    )
    assert not list(repeated_lines([chapter("01_a", code), chapter("02_b", code)]))
