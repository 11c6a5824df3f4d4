"""A small book in a folder of its own, for the tests of executing, checking and building."""

from __future__ import annotations

from pathlib import Path

from mbnb.book.chapters import write_twins

CHAPTER = """\
# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # {title}
#
# One sentence, and a formula: $a^2$.

# %% tags=["parameters"]
dataset: str = "simulated:mmlu-pro"
n_trials: int = 50
sizes: list = [10, 25, 50, 100, 250, 500, 1000]

# %%
import os

import matplotlib.pyplot as plt
import mbnb
import pandas as pd

print("trials", n_trials, "sizes", sizes, "workers", os.environ["MBNB_JOBS"], os.listdir("."))
"""
FIGURE = """
# %% mystnb={"figure": {"caption": "A line.", "name": "fig-line"}, "image": {"alt": "It rises."}}
mbnb.figure(plt.plot([1, 2], [3, 4])[0], pd.DataFrame({"x": [1, 2], "y": [3, 4]}))
"""
CLAIM = """
# %% tags=["claims", "remove-cell"]
assert 1 > 2, "one is more than two"
"""
CONFIG = """\
title: A small book
only_build_toc_files: true
execute:
  execute_notebooks: "off"
repository:
  url: ""
bibtex_bibfiles: [book/references.bib]
sphinx:
  extra_extensions: [mbnb.book.extension]
  recursive_update: true
  config:
    mathjax_path: mathjax/tex-svg-full.js
"""


def source(title: str, body: str = "") -> str:
    """The text of a chapter that is sound unless `body` makes it otherwise."""
    return CHAPTER.format(title=title) + body


def make_book(folder: Path, chapters: dict[str, str]) -> Path:
    """Write a book with an introduction and these chapters (text by name) into a folder."""
    (folder / "notebooks").mkdir(parents=True)
    (folder / "book").mkdir()
    (folder / "data").mkdir()
    (folder / "_config.yml").write_text(CONFIG, encoding="utf-8")
    listed = "".join(f"  - file: notebooks/{name}\n" for name in chapters)
    (folder / "_toc.yml").write_text(
        f"format: jb-book\nroot: book/introduction\nchapters:\n{listed}", encoding="utf-8"
    )
    for name, text in {
        "introduction.md": "# A small book\n\nMDAD is a word to find.\n",
        "glossary.md": "# Words\n\n```{glossary}\ngap\n  The difference.\n```\n",
        "references.bib": "",
    }.items():
        (folder / "book" / name).write_text(text, encoding="utf-8")
    for name, text in chapters.items():
        (folder / "notebooks" / f"{name}.py").write_text(text, encoding="utf-8")
    write_twins(folder)
    return folder
