"""The selectors by name; holds no algorithm."""

from __future__ import annotations

from mbnb.data.errors import InputError
from mbnb.methods.anchor_points import AnchorPointsSelector, singleton_share
from mbnb.methods.close_pairs import ClosePairsSelector
from mbnb.methods.confidence import ConfidenceSelector
from mbnb.methods.diversity import DiversitySelector
from mbnb.methods.selector import FittedSelector, Selection, Selector
from mbnb.methods.subtask import SubtaskSelector
from mbnb.methods.tinybenchmarks import TinyBenchmarksSelector
from mbnb.methods.uniform import UniformSelector

__all__ = [
    "KNOWN_SELECTORS",
    "SELECTORS",
    "FittedSelector",
    "Selection",
    "Selector",
    "make_selector",
    "singleton_share",
]

# The study's six.
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
# With what goes past it.
KNOWN_SELECTORS: dict[str, type[Selector]] = {
    **SELECTORS,
    ClosePairsSelector.name: ClosePairsSelector,
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
    if selector not in KNOWN_SELECTORS:
        raise InputError(f"selector '{selector}' is unknown; known: {', '.join(KNOWN_SELECTORS)}.")
    return KNOWN_SELECTORS[selector]()
