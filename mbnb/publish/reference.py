"""The text of the reference page: every public name by floor and topic; explains none itself.

What a name does stands in its docstring, which Sphinx reads.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import mbnb

# Floor, topic, and the modules whose names belong to it. A module that is in none comes last.
TOPICS: dict[str, dict[str, str]] = {
    "The data": {
        "Response matrices": "data.responses data.policies data.groups data.families errors",
        "Loading and keeping": "data.datasets data.downloads data.folder data.store",
        "Simulated leaderboards": "data.simulate data.profiles data.profile_text",
        "Reading evaluation logs": "data.readers data.logs.values data.hub.fetch",
        "Figures reported and measured": "data.figures",
        "Micro-benchmarks as files": "data.micro_benchmark",
    },
    "The study": {
        "Splits": "study.splits",
        "Selectors and estimators": "study.selectors study.estimators study.strata "
        "study.item_fit study.irt",
        "Trials": "study.trials study.table study.costs",
        "Agreement and MDAD": "study.agreement study.comparison study.pairs study.summary "
        "study.leads",
        "Rank correlation and ranks": "study.measures study.concordance study.ranks study.ties "
        "study.top study.crowding",
        "Theory and planning": "study.theory study.exact study.derivation study.power "
        "study.plan_table study.planning",
        "New items and subtasks": "study.heldout study.subtask_study",
        "Source models": "study.sources study.pools",
        "Your own benchmark": "study.own study.verdict study.glance study.freeze study.scoring "
        "study.normalised",
        "Fidelity of the simulation": "study.fidelity study.profile_fit",
    },
    "The pages": {
        "A chapter’s frame": "publish.opening publish.parameters publish.tables publish.style",
        "Figures and tables of several chapters": "publish.plots publish.comparison "
        "publish.rankings publish.pairs publish.elsewhere publish.beside_real publish.reported",
        "Charts to touch": "publish.explore publish.tied publish.explore_leaderboards "
        "publish.explore_ranks",
        "Rank correlation": "publish.concordance",
        "Held-out items and subtasks": "publish.heldout",
        "How many source models": "publish.sources",
        "Real leaderboards": "publish.leaderboards publish.draw_leaderboards",
        "The top of the ranking": "publish.top",
        "Planning": "publish.planning publish.explore_plan",
        "Costs": "publish.costs",
        "Trust in the simulation": "publish.trust publish.own_fit",
        "Rules": "publish.rules",
        "The report on your own results": "publish.report publish.doubts",
    },
}
FLOORS = {"data": "The data", "study": "The study", "publish": "The pages"}
# What public functions return, by topic.
RETURNED = {
    "Splits": "study.splits.Split",
    "Selectors and estimators": "study.selectors.Selection",
    "Agreement and MDAD": "study.agreement.Agreement",
    "Theory and planning": "study.power.PowerPlan",
    "A chapter’s frame": "publish.opening.Study",
    "Figures and tables": "publish.comparison.Comparison",
}
# Constants have no docstrings of their own.
CONSTANTS = {
    "FINDINGS": "The study’s findings as claims that tables of MDADs can be checked for.",
    "INK": "The colour of words and frames in charts.",
    "LOOKS": "The look of each selector by its name: label, colour, marker, dash, shape.",
    "SELECTORS": "The six selectors’ classes by their names.",
    "THRESHOLD": "The colour of a threshold in charts.",
    "TINTS": "Colours for what is no selector.",
}


def reference_text() -> str:
    """The page's text, in Markdown with directives of autodoc."""
    return "\n\n".join(_blocks())


def topics() -> dict[str, dict[str, list[str]]]:
    """Every public name by floor and topic, topics without names left out."""
    left = {module.removeprefix("mbnb."): names.split() for module, names in mbnb._NAMES.items()}
    found: dict[str, dict[str, list[str]]] = {}
    for floor, parts in TOPICS.items():
        for topic, modules in parts.items():
            names = [name for module in modules.split() for name in left.pop(module, [])]
            if names:
                found.setdefault(floor, {})[topic] = sorted(names, key=str.lower)
    for module, names in left.items():
        parts_here = found.setdefault(FLOORS[module.split(".")[0]], {})
        parts_here.setdefault("More", []).extend(names)
    return found


def _blocks() -> Iterator[str]:
    for floor, parts in topics().items():
        yield f"## {floor}"
        for topic, names in parts.items():
            yield f"### {topic}"
            described = [_directive(name) for name in names]
            if topic in RETURNED:
                described.append(f".. autoclass:: mbnb.{RETURNED[topic]}\n   :members:")
            yield "```{eval-rst}\n" + "\n\n".join(described) + "\n```"


def _directive(name: str) -> str:
    thing: Any = getattr(mbnb, name)
    if inspect.isclass(thing):
        members = "" if issubclass(thing, Exception) else "\n   :members:"
        return f".. autoclass:: mbnb.{name}{members}"
    if callable(thing):
        return f".. autofunction:: mbnb.{name}"
    told = CONSTANTS.get(name, f"A constant of type {type(thing).__name__}.")
    return f".. py:data:: mbnb.{name}\n\n   {told}"
