"""The error that a person can act on; it knows nothing of the rest of the package."""

from __future__ import annotations


class InputError(ValueError):
    """Input that cannot be used.

    The message is one sentence: what was given, where, and what is allowed. The command line
    prints it and exits with status 2; nothing is left behind.
    """
