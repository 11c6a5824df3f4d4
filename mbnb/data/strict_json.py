"""JSON without NaN, twin keys or surprises, and its hash; knows nothing of what it holds."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any, NoReturn

from mbnb.data.errors import InputError

# Above this, reading a whole number takes time that grows with the square of its digits.
MOST_DIGITS = 20


def dump(value: Any) -> str:
    """JSON on one line, floats so that they come back exactly."""
    return json.dumps(value, allow_nan=False, ensure_ascii=False)


def load(text: str, where: str) -> Any:
    """What a JSON text holds.

    Raises
    ------
    InputError
        If it is no strict JSON: the message names `where` it is from.
    """
    try:
        value = json.loads(
            text, object_pairs_hook=_distinct, parse_constant=_no_number, parse_int=_whole
        )
        # What cannot be written again is refused here: 1e999, or half a surrogate pair.
        dump(value).encode()
    except RecursionError:
        raise InputError(f"{where} cannot be read as JSON: it is nested too deeply.") from None
    except UnicodeEncodeError:
        raise InputError(f"{where} holds half a surrogate pair, which is no text.") from None
    except ValueError as error:
        raise InputError(f"{where} cannot be read as JSON: {error}.") from None
    return value


def content_sha256(value: Any) -> str:
    """SHA-256 (hex) of the content, whatever its white space and the order of its keys."""
    text = json.dumps(
        value, allow_nan=False, ensure_ascii=False, sort_keys=True, separators=(",", ":")
    )
    return hashlib.sha256(text.encode()).hexdigest()


def _distinct(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key '{key}' stands twice in one object")
        found[key] = value
    return found


def _no_number(token: str) -> NoReturn:
    raise ValueError(f"{token} is not JSON")


def _whole(token: str) -> int:
    if len(token) > MOST_DIGITS:
        raise ValueError(f"a whole number has {len(token)} digits")
    return int(token)
