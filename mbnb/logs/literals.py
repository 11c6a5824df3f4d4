"""Values that a writer put into text, as JSON or as Python prints them; runs nothing of it."""

from __future__ import annotations

import ast
import math
import re
from itertools import accumulate
from typing import Any

from mbnb.logs.json_rows import BadRow, parse_json
from mbnb.logs.values import shortened

MOST_CHARACTERS = 1 << 20
_MOST_DEPTH = 32
_WORDS = {"nan": math.nan, "inf": math.inf, "null": None, "true": True, "false": False}
_QUOTED = re.compile(r"""'(?:[^'\\]++|\\.)*+'|"(?:[^"\\]++|\\.)*+\"""", re.DOTALL)


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
    bare = _QUOTED.sub("", value)
    steps = ((mark in "[{(") - (mark in "]})") for mark in bare)
    if max(accumulate(steps), default=0) > _MOST_DEPTH:
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
    # array(…), np.float64(…): these only say of which kind a number or an array is.
    if isinstance(node, ast.Call) and len(node.args) == 1:
        called = ast.unparse(node.func)
        if called in ("array", "tensor") or called.startswith(("np.", "numpy.")):
            return _value(node.args[0])
    raise ValueError(type(node).__name__)
