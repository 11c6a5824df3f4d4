"""Breaks logs in the ways that disks, editors, other programs and enemies break them."""

from __future__ import annotations

import io
import json
import random
import warnings
import zipfile
import zlib
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

TOKENS = [
    *(b"NaN", b"Infinity", b"-Infinity", b"null", b"true", b'""', b"{}", b"[]", b"1e999", b"-0"),
    *(b"9" * 400, b"[" * 3000, b'{"a":' * 3000, b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\r\n"),
    *(b"\r", b",", b'"', b"\\", b"\\ud800", b"\xed\xa0\x80", "🙂".encode(), b"../../etc", b";"),
]
VALUES: list[Any] = [
    *(None, True, 0, 1, -1, 2, 0.5, 1e308, float("nan"), float("inf"), 10**30, "", "x", "1", "NaN"),
    *([], {}, [[]], [None], {"a": 1}, [0.1, 0.2], "../../x", "\u0000", "\ud800", "é🙂", "y" * 5000),
    *("2026-01-01", "-1", "1e5", "C", [["-1", "False"]], -(2**63), 2**64),
]
# What opening a file raises that an earlier change broke.
BROKEN = (
    *(ValueError, OSError, IndexError, EOFError, RuntimeError, OverflowError),
    *(zipfile.BadZipFile, zlib.error, pa.ArrowException),
)


def mutated(data: bytes, name: str, draw: random.Random) -> bytes:
    """Another version of a file, broken in one to three places."""
    for _ in range(draw.choice((1, 1, 2, 3))):
        change = draw.choice((_bytes, _bytes, _structure))
        data = change(data, name, draw)
    return data


def _bytes(data: bytes, name: str, draw: random.Random) -> bytes:
    start = draw.randrange(len(data) + 1)
    end = min(len(data), start + draw.choice((0, 1, 1, 2, 8, 64, 1000)))
    kind = draw.randrange(7)
    if kind == 0:
        return data[:start]
    if kind == 1:
        return data[:start] + draw.choice(TOKENS) + data[end:]
    if kind == 2:
        return data[:start] + bytes(draw.randrange(256) for _ in range(end - start)) + data[end:]
    if kind == 3:
        return data[:start] + data[end:]
    if kind == 4:
        return data[:end] + data[start:end] * draw.choice((1, 2, 20)) + data[end:]
    if kind == 5:
        return data + data
    lines = data.splitlines(keepends=True)
    draw.shuffle(lines)
    return b"".join(lines)


def _structure(data: bytes, name: str, draw: random.Random) -> bytes:
    """A change that leaves the file one of its kind, where it still is."""
    try:
        if name.endswith((".eval", ".zip")):
            return _zip(data, draw)
        if name.endswith(".parquet"):
            return _parquet(data, draw)
        if name.endswith(".jsonl"):
            lines = data.splitlines()
            at = draw.randrange(len(lines))
            lines[at] = _json(lines[at], draw)
            return b"\n".join(lines)
        return _json(data, draw)
    except BROKEN:
        return _bytes(data, name, draw)


def _json(data: bytes, draw: random.Random) -> bytes:
    value = json.loads(data)
    places: list[tuple[Any, Any]] = []

    def walk(node: Any) -> None:
        keys = node.keys() if isinstance(node, dict) else range(len(node))
        for key in list(keys):
            places.append((node, key))
            if isinstance(node[key], (dict, list)):
                walk(node[key])

    if not isinstance(value, (dict, list)):
        return json.dumps(draw.choice(VALUES)).encode()
    walk(value)
    node, key = draw.choice(places)
    if draw.random() < 0.25:
        del node[key]
    else:
        node[key] = draw.choice(VALUES)
    return json.dumps(value).encode()


def _zip(data: bytes, draw: random.Random) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [(info.filename, archive.read(info)) for info in archive.infolist()]
    at = draw.randrange(len(members))
    name, content = members[at]
    kind = draw.randrange(6)
    if kind == 0:
        members[at] = (draw.choice(("../../x.json", "/x.json", "a\\..\\b", "")), content)
    elif kind == 1:
        del members[at]
    elif kind == 2:
        members.append((name, content))
    elif kind == 3:
        members[at] = (name, _bytes(content, "x", draw))
    else:
        members[at] = (name, _json(content, draw))
    buffer = io.BytesIO()
    method = draw.choice((zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED, zipfile.ZIP_BZIP2))
    with warnings.catch_warnings(), zipfile.ZipFile(buffer, "w", method) as archive:
        warnings.simplefilter("ignore")  # of a name that is written twice
        for name, content in members:
            archive.writestr(zipfile.ZipInfo(name or "x"), content, method)
    return buffer.getvalue()


def _parquet(data: bytes, draw: random.Random) -> bytes:
    table = pq.read_table(io.BytesIO(data))
    at = draw.randrange(table.num_columns)
    name, rows = table.column_names[at], table.num_rows
    kind = draw.randrange(6)
    if kind == 0:
        table = table.remove_column(at)
    elif kind == 1:
        table = table.set_column(at, name, pa.array([draw.choice(VALUES[:13])] * rows))
    elif kind == 2:
        table = table.set_column(at, name, pa.array([draw.choice(["", "x", "é", "1"])] * rows))
    elif kind == 3:
        table = table.rename_columns([c if c != name else "x" for c in table.column_names])
    elif kind == 4:
        table = pa.concat_tables([table, table])
    else:
        values = table.column(at).to_pylist()
        values[draw.randrange(rows)] = None
        table = table.set_column(at, name, pa.array(values, type=table.schema.field(at).type))
    buffer = io.BytesIO()
    pq.write_table(table, buffer)
    return buffer.getvalue()
