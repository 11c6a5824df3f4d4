"""The six selectors by name; holds no algorithm."""

from __future__ import annotations

from mbnb.errors import InputError
from mbnb.study.selectors.anchor_points import AnchorPointsSelector, singleton_share
from mbnb.study.selectors.base import FittedSelector, Selection, Selector
from mbnb.study.selectors.confidence import ConfidenceSelector
from mbnb.study.selectors.diversity import DiversitySelector
from mbnb.study.selectors.subtask import SubtaskSelector
from mbnb.study.selectors.tinybenchmarks import TinyBenchmarksSelector
from mbnb.study.selectors.uniform import UniformSelector

__all__ = [
    "SELECTORS",
    "FittedSelector",
    "Selection",
    "Selector",
    "make_selector",
    "singleton_share",
]

SELECTORS: dict[str, type[Selector]] = {
    selector.name: selector
    for selector in (
        UniformSelector,
        SubtaskSelector,
        ConfidenceSelector,
        DiversitySelector,
        AnchorPointsSelector,
        TinyBenchmarksSelector,
    )
}


def make_selector(selector: str | Selector) -> Selector:
    """A selector by its name, or the one given.

    Raises
    ------
    InputError
        If the name is unknown; the message lists those that are known.
    """
    if isinstance(selector, Selector):
        return selector
    if selector not in SELECTORS:
        raise InputError(f"selector '{selector}' is unknown; known: {', '.join(SELECTORS)}.")
    return SELECTORS[selector]()
