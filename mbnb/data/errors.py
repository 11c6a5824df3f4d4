"""The error that a person can act on; it knows nothing of the rest of the package."""

from __future__ import annotations

from collections.abc import Iterable


class InputError(ValueError):
    """Input that cannot be used.

    The message is one sentence: what was given, where, and what is allowed. The command line
    prints it and exits with status 2; nothing is left behind.
    """


def check(holds: bool, what: str, given: object, allowed: str | Iterable[object]) -> None:
    """Raise InputError unless an argument is as it must be.

    Parameters
    ----------
    holds : bool
        Whether it is.
    what : str
        Its name, and where it is from.
    given : object
    allowed : str or iterable
        A sentence's end, such as ``"a whole number from 1"``, or the choices.
    """
    if holds:
        return
    choices = allowed if isinstance(allowed, str) else ", ".join(map(str, allowed)) or "none"
    shown = repr(given) if isinstance(given, str) else str(given)
    raise InputError(f"{what} is {shown}; allowed: {choices}.")
