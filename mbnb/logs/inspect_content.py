"""What an Inspect sample is about, the same from a whole sample and from the row summing it up."""

from __future__ import annotations

from typing import Any

from mbnb.logs.inspect_files import Sample
from mbnb.logs.json_rows import BadRow
from mbnb.logs.typed_json import plain
from mbnb.logs.values import fingerprint

FIELDS = ("input", "choices", "target")
# Where the writer cuts texts for rows that sum samples up.
_CUT = 5120


def content_of(sample: Sample, choices: Any, field: str | None) -> str:
    """Fingerprint of a sample's input, choices and target, or of one of them ("" if it has none).

    Texts are compared up to 5,120 characters, since rows that sum samples up hold no more; images
    and the like by their kind.
    """
    if sample.input is None:
        return ""
    targets = sample.target if isinstance(sample.target, list) else [sample.target]
    content = {
        "input": _input(sample.input),
        "choices": choices if isinstance(choices, list) else [],
        "target": [_cut(text) if isinstance(text, str) else text for text in targets],
    }
    return fingerprint(content if field is None else content[field])


def _input(given: Any) -> Any:
    if isinstance(given, str):
        return _cut(given)
    if not isinstance(given, list):
        raise BadRow("has an input that is neither a text nor a list of messages")
    return [
        [plain(message).get("role"), _parts(plain(message).get("content"))] for message in given
    ]


def _parts(content: Any) -> list[Any]:
    if not isinstance(content, list):
        return [_cut(content) if isinstance(content, str) else content]
    texts = []
    for part in map(plain, content):
        text = part.get("text")
        if part.get("type") == "text" and isinstance(text, str):
            texts.append(_cut(text))
        else:
            texts.append(f"({str(part.get('type')).capitalize()})")
    return texts


def _cut(text: str) -> str:
    return text[:_CUT]
