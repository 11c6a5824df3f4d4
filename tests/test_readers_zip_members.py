"""Archives that are hostile or broken: what is refused, and that nothing is ever written."""

from __future__ import annotations

import json
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from readers.entries import Entry
from readers.write_inspect import header, sample, write_archive

from mbnb.data.errors import InputError
from mbnb.logs import read, zip_members
from mbnb.logs.zip_members import Archive


def _log(path: Path, **members: Any) -> Path:
    return write_archive(
        path, header("org/model", "quiz"), [sample(Entry(1, 1.0)), sample(Entry(2, 0.0))], **members
    )


def _read(path: Path) -> list[list[float]]:
    scores: list[list[float]] = read(path, metric="choice")[0].scores.tolist()
    return scores


def _raw_zip(path: Path, members: list[tuple[str, bytes, dict[str, int]]]) -> Path:
    """A zip of stored members whose headers may say anything (method, size, crc, flags, mode)."""
    body, directory = b"", b""
    for name, data, told in members:
        method, size = told.get("method", 0), told.get("size", len(data))
        crc, flags = told.get("crc", zlib.crc32(data)), told.get("flags", 0)
        common = struct.pack("<HHHHIIIHH", flags, method, 0, 0, crc, len(data), size, len(name), 0)
        offset = told.get("offset", len(body))
        directory += b"PK\x01\x02" + struct.pack("<HH", 0x031E, 20) + common
        directory += struct.pack("<HHHII", 0, 0, 0, told.get("mode", 0o100644) << 16, offset)
        directory += name.encode()
        body += b"PK\x03\x04" + struct.pack("<H", 20) + common + name.encode() + data
    n = len(members)
    end = struct.pack("<HHHHIIH", 0, 0, n, n, len(directory), len(body), 0)
    path.write_bytes(body + directory + b"PK\x05\x06" + end)
    return path


def test_members_with_dangerous_names_are_never_read_and_nothing_is_written(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    path = _log(folder / "log.eval", **{"../evil.json": "x", "/evil.json": "x", "a\\..\\b": "x"})
    assert _read(path) == [[1, 0]]
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["log.eval", "logs"]


def test_a_needed_member_that_stands_twice_is_refused(tmp_path: Path) -> None:
    path = _log(tmp_path / "log.eval")
    with zipfile.ZipFile(path, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("summaries.json", "[]")
    with pytest.raises(InputError, match="member summaries.json: the name stands twice"):
        _read(path)


def test_zstd_which_newer_releases_write_is_read(tmp_path: Path) -> None:
    plain = tmp_path / "plain.eval"
    _log(plain)
    members = []
    with zipfile.ZipFile(plain) as archive:
        for name in archive.namelist():
            data = archive.read(name)
            packed = pa.compress(data, codec="zstd", asbytes=True)
            members.append(
                (name, packed, {"method": 93, "size": len(data), "crc": zlib.crc32(data)})
            )
    assert _read(_raw_zip(tmp_path / "zstd.eval", members)) == [[1, 0]]
    name, packed, told = members[-1]
    wrong = _raw_zip(tmp_path / "wrong.eval", [*members[:-1], (name, packed, {**told, "crc": 1})])
    with pytest.raises(InputError, match=r"header\.json is damaged: its size or checksum"):
        _read(wrong)
    for bad in (packed[:-4], packed[:8] + b"\x00" * 8 + packed[16:]):
        broken = _raw_zip(tmp_path / "broken.eval", [*members[:-1], (name, bad, told)])
        with pytest.raises(InputError, match=r"member header\.json is damaged"):
            _read(broken)


@pytest.mark.parametrize(
    ("told", "fault"),
    [
        ({"method": 14}, "compressed by method 14.*inspect log convert"),
        ({"method": 12}, "compressed by method 12"),
        ({"flags": 1}, "is encrypted"),
        ({"mode": 0o120777}, "is a symbolic link"),
        ({"crc": 1}, "is damaged"),
        ({"size": 5}, "is damaged"),
        ({"size": 500}, "is damaged"),
        ({"method": 8}, "is damaged"),
        ({"method": 93}, "is damaged"),
        ({"method": 93, "offset": 3}, "is damaged"),
        ({"offset": 3}, "is damaged"),
    ],
)
def test_a_member_that_is_not_what_it_should_be_is_one_sentence(
    tmp_path: Path, told: dict[str, int], fault: str
) -> None:
    data = json.dumps(header("org/model", "quiz")).encode()
    path = _raw_zip(tmp_path / "log.eval", [("header.json", data, told)])
    with pytest.raises(InputError, match=rf"member header\.json.*{fault}"):
        _read(path)


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, "zstd"])
def test_a_member_that_blows_up_is_refused_by_its_announced_and_by_its_real_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: Any
) -> None:
    monkeypatch.setattr(zip_members, "HARMLESS", 1 << 20)
    zeros = b" " * (4 << 20)
    if method == "zstd":
        packed, number = pa.compress(zeros, codec="zstd", asbytes=True), 93
    else:
        coder = zlib.compressobj(9, zlib.DEFLATED, -15)
        packed, number = coder.compress(zeros) + coder.flush(), 8
    assert len(packed) * zip_members.MAX_RATIO < len(zeros)
    honest = {"method": number, "size": len(zeros), "crc": zlib.crc32(zeros)}
    path = _raw_zip(tmp_path / "honest.eval", [("header.json", packed, honest)])
    with pytest.raises(InputError, match=r"inflates from [0-9,]+ bytes to more than is read"):
        _read(path)
    liar = {**honest, "size": 1000}
    path = _raw_zip(tmp_path / "liar.eval", [("header.json", packed, liar)])
    with pytest.raises(InputError, match="inflates from|is damaged"):
        _read(path)


def test_all_members_together_are_capped_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(zip_members, "HARMLESS_IN_ALL", 3 << 20)
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("a", "b", "c", "d"):
            archive.writestr(name, b" " * (1 << 20))
    assert path.stat().st_size * zip_members.MAX_RATIO < 4 << 20
    with Archive(path) as archive:
        assert [len(archive.read(name)) for name in "abc"] == [1 << 20] * 3
        with pytest.raises(InputError, match="member d inflates from .* for all members together"):
            archive.read("d")


def test_members_that_lie_over_one_another_are_refused(tmp_path: Path) -> None:
    data = b"x" * 1000
    members: list[Any] = [
        (f"samples/{k}_epoch_1.json", data if k == 0 else b"", {}) for k in range(50)
    ]
    path = _raw_zip(tmp_path / "log.eval", members)
    raw = bytearray(path.read_bytes())
    start = raw.index(b"PK\x01\x02")
    while (start := raw.find(b"PK\x01\x02", start)) >= 0:
        raw[start + 20 : start + 24] = struct.pack("<I", 1000)  # compressed size
        start += 4
    path.write_bytes(raw)
    with pytest.raises(InputError, match="50 members lie over one another"):
        Archive(path)


def test_thousands_of_members_are_read_and_only_those_that_are_needed(tmp_path: Path) -> None:
    path = tmp_path / "log.eval"
    extra = {f"_journal/buffer/{k}.json": "{}" for k in range(5000)}
    assert _read(_log(path, **extra, **{"samples_extra/x.json": "not JSON"})) == [[1, 0]]


@pytest.mark.parametrize("kept", [0, 1, 3, 100, 0.5, -1, -30])
def test_an_archive_that_is_cut_off_is_told(tmp_path: Path, kept: float) -> None:
    path = _log(tmp_path / "log.eval")
    data = path.read_bytes()
    path.write_bytes(data[: int(kept * len(data)) if isinstance(kept, float) else kept])
    with pytest.raises(InputError, match=r"log\.eval is no whole zip archive"):
        _read(path)


def test_an_archive_without_a_header_or_with_a_broken_one_is_told(tmp_path: Path) -> None:
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("notes.txt", "x")
    with pytest.raises(InputError, match=r"holds neither header\.json nor _journal/start\.json"):
        _read(path)
    for content in ("", "[1]", "{", '{"eval": 3}', "[" * 5000):
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("header.json", content)
        with pytest.raises(InputError, match=r"header"):
            _read(path)
