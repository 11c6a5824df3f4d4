"""A page of one notebook needs nothing beside it, and a report is no lesson."""

from __future__ import annotations

import nbformat
import pytest

from mbnb.book.page import as_report, glossary_entries, strays_of, without_exercises

MARKDOWN, CODE = nbformat.v4.new_markdown_cell, nbformat.v4.new_code_cell


@pytest.mark.parametrize(
    "inside",
    [
        '<img alt="x" src="https://other.example/x.png">',
        '<script src="x.js"></script>',
        '<link rel="stylesheet" href="x.css">',
        '<a href="../other.html">x</a>',
    ],
)
def test_what_a_page_asks_for_beyond_itself_is_found(inside: str) -> None:
    fine = '<img src="data:x"><a class="y" href="#x">x</a><a href="https://a.example/">x</a>'
    assert strays_of(fine + '<script>f("<img src=\\"x\\">")</script>') == []
    assert len(strays_of(fine + inside)) == 1


def test_exercises_and_solutions_are_left_out_wherever_they_begin_and_end() -> None:
    cells = [
        MARKDOWN("# A\n\nkept\n\n## Exercises\n\none"),
        CODE("answer()", metadata={"tags": ["solution"]}),
        MARKDOWN("two\n\n## Last\n\nkept too"),
        CODE("kept()"),
    ]
    assert [cell.source for cell in without_exercises(cells)] == [
        "# A\n\nkept",
        "## Last\n\nkept too",
        "kept()",
    ]


def test_a_report_has_its_own_title_names_and_order_and_no_code() -> None:
    def shown(text: str, *tags: str) -> nbformat.NotebookNode:
        output = nbformat.v4.new_output("display_data", {"text/html": f"<b>{text}</b>"})
        return CODE("x", outputs=[output], metadata={"tags": list(tags)})

    notebook = nbformat.v4.new_notebook(
        cells=[
            MARKDOWN("# Chapter\n\nWords."),
            shown("/home/me/mine", "report-last"),
            shown("book", "book-only"),
            shown("R&amp;D of /home/me/mine"),
            CODE("y = 1"),
        ]
    )
    as_report(notebook, "My *own*", {"/home/me/mine": "mine"})
    texts = [c.source if c.cell_type == "markdown" else c.outputs[0] for c in notebook.cells]
    assert texts[0] == "# My \\*own\\*\n\nWords."
    assert texts[1].data["text/html"] == "<b>R&amp;D of mine</b>"
    assert "“Chapter”" in texts[2] and texts[3].data["text/html"] == "<b>mine</b>"
    assert all("remove-input" in c.metadata.tags for c in notebook.cells if c.cell_type == "code")


def test_glossary_entries_are_plain_and_without_formulae() -> None:
    text = (
        "```{glossary}\ngap\nlead\n  A {term}`difference <gap>`, see [here](x.md) {cite:p}`k`.\n\n"
        "tau\n  $x$\n```\n"
    )
    assert glossary_entries(text) == [(["gap", "lead"], ["A difference, see here."])]
