"""Members of a zip archive, read into memory one by one; extracts nothing and knows no format.

Nothing is written, so that a member's name (``..``, an absolute path) or kind (a symbolic link) can
do no harm: a member is bytes under a name.
"""

from __future__ import annotations

import lzma
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pyarrow as pa

from mbnb.data.errors import InputError

# What a member, and all that are read, may inflate to: this many times the compressed size, or
# what is harmless anyway. Logs reach about 100 times, deflate at most 1,032.
MAX_RATIO = 200
HARMLESS = 16 << 20
HARMLESS_IN_ALL = 256 << 20
MAX_MEMBER = 1 << 30
MAX_MEMBERS = 2_000_000
_STORED, _DEFLATED, _ZSTD = 0, 8, 93
_BLOCK = 1 << 20
_FAULTS = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, lzma.LZMAError, struct.error),
    *(EOFError, NotImplementedError, RuntimeError, ValueError, OverflowError, OSError),
)


class Archive:
    """A zip archive opened for reading; a context manager.

    Raises
    ------
    InputError
        On opening or reading: if the file is no whole archive, its members lie over one another,
        or there are more than 2 million of them.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: IO[bytes] | None = None
        try:
            self._file = path.open("rb")
            self._zip = zipfile.ZipFile(self._file)
        except _FAULTS as error:
            self.close()
            raise InputError(
                f"{path} is no whole zip archive ({error}); it may be cut off or another file."
            ) from None
        members = self._zip.infolist()
        self._members: dict[str, zipfile.ZipInfo] = {}
        self._twice: set[str] = set()
        for member in members:
            if member.filename in self._members:
                self._twice.add(member.filename)
            self._members[member.filename] = member
        size = path.stat().st_size
        self._left = max(HARMLESS_IN_ALL, MAX_RATIO * size)
        if len(members) > MAX_MEMBERS or sum(m.compress_size for m in members) > size:
            self.close()
            raise InputError(
                f"{path} is refused: its {len(members):,} members lie over one another or are "
                f"more than {MAX_MEMBERS:,}."
            )

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    @property
    def names(self) -> list[str]:
        """Names of all members, in the archive's order."""
        return list(self._members)

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def read(self, name: str) -> bytes:
        """A member's bytes.

        Raises
        ------
        InputError
            If it is not there, stands twice, is encrypted, a link, damaged, compressed in another
            way than deflate or zstd, or inflates beyond 1 GiB or, above 16 MiB, beyond 200 times
            its compressed size; likewise if all that was read does (above 256 MiB).
        """
        member = self._members.get(name)
        where = f"{self.path}, member {name}"
        if member is None:
            raise InputError(f"{where}: there is no such member.")
        if name in self._twice:
            raise InputError(f"{where}: the name stands twice in the archive; allowed is once.")
        if member.flag_bits & 0x1:
            raise InputError(f"{where} is encrypted; allowed are archives without a password.")
        if stat.S_ISLNK(member.external_attr >> 16):
            raise InputError(f"{where} is a symbolic link; allowed are regular files.")
        limit = min(MAX_MEMBER, self._left, max(HARMLESS, MAX_RATIO * member.compress_size))
        if member.file_size > limit:
            raise InputError(_too_large(where, member.compress_size))
        blocks = self._blocks(member, where)
        found = bytearray()
        try:
            for block in blocks:
                found += block
                if len(found) > limit:
                    raise InputError(_too_large(where, member.compress_size))
        except InputError:
            raise
        except _FAULTS as error:
            raise InputError(f"{where} is damaged ({error or type(error).__name__}).") from None
        if len(found) != member.file_size or zlib.crc32(found) != member.CRC:
            raise InputError(f"{where} is damaged: its size or checksum is not as announced.")
        self._left -= len(found)
        return bytes(found)

    def _blocks(self, member: zipfile.ZipInfo, where: str) -> Iterator[bytes]:
        if member.compress_type in (_STORED, _DEFLATED):
            with self._zip.open(member) as stream:
                yield from iter(lambda: stream.read(_BLOCK), b"")
        elif member.compress_type == _ZSTD and pa.Codec.is_available("zstd"):
            source = pa.BufferReader(self._compressed(member))
            with pa.CompressedInputStream(source, "zstd") as stream:
                yield from iter(lambda: stream.read(_BLOCK), b"")
        else:
            raise InputError(
                f"{where} is compressed by method {member.compress_type}, which cannot be read "
                "here; convert the log first (inspect log convert LOG --to json --output-dir DIR)."
            )

    def _compressed(self, member: zipfile.ZipInfo) -> bytes:
        """A member as it stands in the file, for a method that zipfile does not know."""
        file: Any = self._file
        file.seek(member.header_offset)
        head = file.read(30)
        if len(head) < 30 or head[:4] != b"PK\x03\x04":
            raise zipfile.BadZipFile("no member begins where the archive says")
        n_name, n_extra = struct.unpack("<HH", head[26:30])
        file.seek(n_name + n_extra, 1)
        data: bytes = file.read(member.compress_size)
        return data


def _too_large(where: str, size: int) -> str:
    return (
        f"{where} inflates from {size:,} bytes to more than is read here; allowed are "
        f"{MAX_RATIO} times the compressed size or {HARMLESS >> 20} MiB, at most "
        f"{MAX_MEMBER >> 30} GiB, and as many times the file's size or {HARMLESS_IN_ALL >> 20} MiB "
        "for all members together."
    )
