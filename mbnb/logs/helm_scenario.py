"""What HELM's scenario_state.json says of the instances of a run: their text, options and split."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from mbnb.data.errors import InputError
from mbnb.logs.json_rows import BadRow
from mbnb.logs.typed_json import decode, plain
from mbnb.logs.values import fingerprint

# The perturbation that changes nothing.
IDENTITY = "identity"
FIELDS = ("input", "references")


@dataclass(frozen=True)
class Instance:
    """An instance: fingerprint of its text, number of references, split."""

    content: str
    n_references: int
    split: str


class _Instance(msgspec.Struct):
    id: Any = None
    input: Any = None
    references: Any = None
    split: Any = None
    perturbation: Any = None


class _RequestState(msgspec.Struct):
    instance: _Instance


class _State(msgspec.Struct):
    request_states: list[_RequestState]


Instances = dict[tuple[str, str], Instance]


def instances(path: Path, content_field: str | None) -> Instances:
    """Instances by id and perturbation ("" for the original).

    Parameters
    ----------
    path : Path
        Nothing is known where it is not there.
    content_field : {"input", "references"} or None
        By what an instance is known; by both where it is None.

    Raises
    ------
    InputError
        If the file cannot be read, or one instance has two texts in it.
    """
    if content_field is not None and content_field not in FIELDS:
        raise InputError(
            f"content_field '{content_field}' is no field of HELM's instances; they have "
            f"{', '.join(FIELDS)}."
        )
    if not path.is_file():
        return {}
    try:
        state = decode(path.read_bytes(), _State)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None
    except BadRow as error:
        raise InputError(f"{path} {error}.") from None
    found: Instances = {}
    for position, request in enumerate(state.request_states, start=1):
        given = request.instance
        if not isinstance(given.id, str):
            continue
        try:
            perturbation = perturbation_id(given.perturbation)
        except BadRow as error:
            raise InputError(f"{path}, request {position}: the instance {error}.") from None
        key = (given.id, "" if perturbation == IDENTITY else perturbation)
        one = _instance(given, content_field)
        if found.setdefault(key, one) != one:
            raise InputError(
                f"{path}, request {position}: instance '{given.id}' has two different documents."
            )
    return found


def _instance(given: _Instance, content_field: str | None) -> Instance:
    references = given.references if isinstance(given.references, list) else []
    content: dict[str, Any] = {
        "input": plain(given.input).get("text"),
        "references": [
            [plain(plain(one).get("output")).get("text"), plain(one).get("tags") or []]
            for one in references
        ],
    }
    if content_field is not None:
        content = {content_field: content[content_field]}
    split = given.split if isinstance(given.split, str) else ""
    return Instance(fingerprint(content), len(references), split)


def perturbation_id(given: Any) -> str:
    """A perturbation as part of an id: its name and what tells it from others of that name.

    Raises
    ------
    BadRow
        If it has no name.
    """
    if given is None:
        return ""
    name = plain(given).get("name")
    if not isinstance(name, str) or not name:
        raise BadRow("has a perturbation without a name")
    if name == IDENTITY:
        return name
    classes = {"name", "robustness", "fairness", "computed_on"}
    rest = [f"{k}={v}" for k, v in sorted(given.items()) if k not in classes and v is not None]
    return ",".join([name, *rest])
