"""The text of the reference page: every public name by floor and topic; explains none itself.

What a name does stands in its docstring, which Sphinx reads.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import mbnb

# Floor, topic, and the modules or rooms whose names belong to it, the first that fits. A module
# that is in none comes last.
TOPICS: dict[str, dict[str, str]] = {
    "The data": {
        "Response matrices": "data.responses data.policies data.groups data.families errors",
        "Loading and keeping": "data.datasets data.downloads data.folder data.store",
        "Simulated leaderboards": "data.simulate data.profiles data.profile_text",
        "Battles and training runs": "data.arena data.battles data.training_runs",
        "Reading evaluation logs": "data.readers data.logs data.hub",
        "Figures reported and measured": "data.figures",
        "Micro-benchmarks as files": "data.micro_benchmark",
    },
    "The study": {
        "Splits": "study.splits study.samples",
        "Selectors": "study.selectors study.reasons.chosen_pools study.reasons.strata",
        "Estimators": "study.estimators study.irt study.reasons",
        "Trials": "study.trials study.table study.costs",
        "Agreement and MDAD": "study.agreement study.comparison study.pairs study.summary "
        "study.leads study.isotonic study.resampled study.enough_trials",
        "Rank correlation and ranks": "study.measures study.rankings",
        "Theory and planning": "study.theory",
        "New items and subtasks": "study.heldout study.subtask_study",
        "Source models": "study.sources",
        "Your own benchmark": "study.own study.frozen study.beyond.normalised",
        "Beyond accuracy": "study.beyond",
        "Fidelity of the simulation": "study.simulated",
    },
    "The pages": {
        "A chapter’s frame": "publish.opening publish.parameters publish.scorings "
        "publish.charts.tables publish.charts.style",
        "Figures and tables of several chapters": "publish.charts.plots publish.charts.rankings "
        "publish.charts.draw_pairs publish.charts.elsewhere publish.charts.beside_real "
        "publish.charts.reported",
        "Charts to touch": "publish.charts.explore publish.charts.tied "
        "publish.charts.explore_leaderboards publish.charts.explore_plan "
        "publish.charts.explore_ranks publish.charts.explore_rules publish.charts.explore_pairs "
        "publish.charts.explore_tau",
        "Rank correlation": "publish.charts.concordance",
        "Held-out items and subtasks": "publish.charts.heldout",
        "How many source models": "publish.charts.sources publish.charts.draw_sources",
        "Real leaderboards": "publish.charts.leaderboards publish.charts.draw_leaderboards",
        "The top of the ranking": "publish.charts.top",
        "Costs": "publish.charts.costs",
        "Trust in the simulation": "publish.charts.trust publish.charts.draw_trust "
        "publish.charts.own_fit",
        "Planning": "publish.charts.planning",
        "Trustworthy MDAD": "publish.charts.definitions publish.charts.draw_definitions",
        "Better estimators and items": "publish.charts.estimators publish.charts.draw_estimators "
        "publish.charts.shortfall publish.charts.draw_close_pairs",
        "Fading": "publish.charts.fading publish.charts.draw_fading",
        "Battles, grades and training runs": "publish.charts.beyond",
        "Rules": "publish.charts.rules publish.charts.better_rules",
        "The report on your own results": "publish.charts.report publish.charts.doubts",
    },
}
FLOORS = {"data": "The data", "study": "The study", "publish": "The pages"}
# What public functions return, by topic.
RETURNED = {
    "Splits": "study.splits.Split",
    "Selectors": "study.selectors.Selection",
    "Agreement and MDAD": "study.agreement.Agreement",
    "Theory and planning": "study.theory.power.PowerPlan",
    "A chapter’s frame": "publish.opening.Study",
    "Figures and tables of several chapters": "publish.charts.comparison.Comparison",
}
# Constants have no docstrings of their own.
CONSTANTS = {
    "INK": "The colour of words and frames in charts.",
    "LOOKS": "The look of each selector by its name: label, colour, marker, dash, shape.",
    "KNOWN_SELECTORS": "All selectors’ classes by their names: the study’s six and `close-pairs`.",
    "RECOMMENDED_RULE": "How this book recommends to read an MDAD: rule and `min_pairs`.",
    "SELECTORS": "The study’s six selectors’ classes by their names.",
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
            own = [name for place in modules.split() for name in _names_in(place, left)]
            if own:
                found.setdefault(floor, {})[topic] = sorted(own, key=str.lower)
    for module, names in left.items():
        parts_here = found.setdefault(FLOORS[module.split(".")[0]], {})
        parts_here.setdefault("More", []).extend(names)
    return found


def _names_in(place: str, left: dict[str, list[str]]) -> list[str]:
    """The names of a module or of all modules of a room, which are taken out of `left`."""
    modules = [module for module in left if f"{module}.".startswith(f"{place}.")]
    return [name for module in modules for name in left.pop(module)]


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
