"""Values that a writer put into text, as JSON or as Python prints them; runs nothing of it."""

from __future__ import annotations

import ast
import math
from typing import Any

from mbnb.logs.json_rows import BadRow, parse_json
from mbnb.logs.values import shortened

MOST_CHARACTERS = 1 << 20
_MOST_DEPTH = 32
_WORDS = {"nan": math.nan, "inf": math.inf, "null": None, "true": True, "false": False}


def unpacked(value: Any) -> Any:
    """What a text says, where it is a list, an object, a number or a word; else as it is.

    Raises
    ------
    BadRow
        If a text that begins like a list or an object is none, or is too long or nested too
        deeply to be one.
    """
    if not isinstance(value, str) or value.lstrip()[:1] not in ("[", "{", "("):
        return value
    if len(value) > MOST_CHARACTERS:
        raise BadRow(f"holds a text of {len(value):,} characters where a list or object belongs")
    if _depth(value) > _MOST_DEPTH:
        raise BadRow("is nested too deeply")
    try:
        return parse_json(value)
    except BadRow:
        pass
    try:
        return _value(ast.parse(value.strip(), mode="eval").body)
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        raise BadRow(
            f"holds a text that is neither JSON nor a Python value ('{shortened(value)}')"
        ) from None


def _depth(text: str) -> int:
    """How deeply brackets nest at most, those within quotes left out."""
    most = depth = 0
    quote = ""
    escaped = False
    for character in text:
        if quote:
            if escaped:
                escaped = False
            elif character == "\\":
                escaped = True
            elif character == quote:
                quote = ""
        elif character in "'\"":
            quote = character
        elif character in "[{(":
            depth += 1
            most = max(most, depth)
        elif character in "]})":
            depth -= 1
    return most


def _value(node: ast.expr) -> Any:
    """A literal's value, and what `str` makes of numbers of NumPy."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, (ast.List, ast.Tuple)):
        return [_value(part) for part in node.elts]
    if isinstance(node, ast.Dict):
        names = [_value(key) for key in node.keys if key is not None]
        if not all(isinstance(name, str) for name in names):
            raise ValueError("a key that is no text")
        return dict(zip(names, map(_value, node.values), strict=True))
    if isinstance(node, ast.Name) and node.id in _WORDS:
        return _WORDS[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand)
    if isinstance(node, ast.Call) and len(node.args) == 1 and _called(node.func):
        return _value(node.args[0])
    raise ValueError(type(node).__name__)


def _called(function: ast.expr) -> bool:
    """Whether it only says of which kind a number or an array is: array(…), np.float64(…)."""
    if isinstance(function, ast.Attribute):
        return isinstance(function.value, ast.Name) and function.value.id in ("np", "numpy")
    return isinstance(function, ast.Name) and function.id in ("array", "tensor")
