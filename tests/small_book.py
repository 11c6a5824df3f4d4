"""A small book in a folder of its own, for the tests of executing, checking and building."""

from __future__ import annotations

from pathlib import Path

from mbnb.book.chapters import write_twins

HEADER = """\
# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: {kernel}
{extra}# ---
"""

SETUP = """
# %% [markdown]
# # {title}
#
# One sentence, and a formula: $a^2$.

# %% tags=["remove-cell"]
from mbnb.publish import parameters as mbnb

# %% tags=["parameters"]
n_trials: int = 20
sizes: list = [10, 25]

# %%
p = mbnb.parameters(globals())
p
"""

ENDING = """
# %%
import os
w = os.environ["MBNB_JOBS"]
shown = "sizes", p.sizes
shown += "trials", p.n_trials
print(*shown, "workers", w)
f = "files here"
print(f, os.listdir("."))
"""

CHART = """
# %% mystnb={"figure": {"caption": "A chart.", "name": "fig-chart"}}
import altair as alt
import pandas as pd
from mbnb.publish.charts.style import setup_charts
setup_charts()
alt.Chart(pd.DataFrame({"x": [1, 2], "y": [3, 4]})).mark_point().encode(x="x", y="y").properties(
    description="Two points"
)

# %% mystnb={"image": {"alt": "A rising line"}}
import matplotlib.pyplot as plt
plt.plot([1, 2], [3, 4])
plt.show()
"""

CONFIG = """\
title: A small book
only_build_toc_files: true
execute:
  execute_notebooks: "off"
repository:
  url: ""
sphinx:
  extra_extensions: [mbnb.book.offline, mbnb.book.extension]
  recursive_update: true
  config:
    mathjax_path: mathjax/tex-svg-full.js
    html_context:
      default_mode: auto
    html_theme_options:
      navbar_persistent: []
"""


def source(
    title: str, body: str = "", *, kernel: str = "python3", extra: str = "", end: str = ENDING
) -> str:
    """The text of a chapter that is sound unless the arguments make it otherwise."""
    return HEADER.format(kernel=kernel, extra=extra) + SETUP.format(title=title) + body + end


def make_book(folder: Path, chapters: dict[str, str], *, introduction: str = "") -> Path:
    """Write a book with an introduction and these chapters (text by name) into a folder."""
    (folder / "notebooks").mkdir(parents=True)
    (folder / "book").mkdir()
    (folder / "_config.yml").write_text(CONFIG, encoding="utf-8")
    listed = "".join(f"  - file: notebooks/{name}\n" for name in chapters)
    (folder / "_toc.yml").write_text(
        f"format: jb-book\nroot: book/introduction\nchapters:\n{listed}", encoding="utf-8"
    )
    (folder / "book" / "introduction.md").write_text(
        introduction or "# A small book\n\nMDAD is a word to find.\n", encoding="utf-8"
    )
    for name, text in chapters.items():
        (folder / "notebooks" / f"{name}.py").write_text(text, encoding="utf-8")
    write_twins(folder)
    return folder
