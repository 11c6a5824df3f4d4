"""Rows of Parquet files, of wanted columns alone and within bounds; knows no format of logs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from mbnb.data.errors import InputError
from mbnb.logs.files import beginning
from mbnb.logs.values import shortened

# The largest benchmark's log has some ten thousand rows; what lies beyond is no log but a bomb.
MOST_ROWS = 5_000_000
MOST_BYTES = 4 << 30
# What a file of any size may unfold to, and how often its own size beyond that.
_LEAST_BOUND = 256 << 20
_MOST_FOLDED = 1000
# How well text packs; a row group that tells more than that may hold one value for all its rows.
_MOST_PACKED = 100
_BATCH_BYTES = 64 << 20
_BATCH_ROWS = 64
_LEAST_ROWS = 8
_FAULTS = (pa.ArrowException, OSError, ValueError, ArithmeticError, MemoryError, LookupError)


def parquet_schema(path: Path) -> pa.Schema:
    """Names and types of a file's columns, from its footer alone.

    Raises
    ------
    InputError
        If it is no Parquet file, its footer is broken, or two columns have one name.
    """
    with _faults(path), _opened(path) as file:
        schema = file.schema_arrow
        counts = Counter(schema.names)
    twice = min((name for name, count in counts.items() if count > 1), default=None)
    if twice is not None:
        raise InputError(f"{path} has two columns '{shortened(twice)}'; allowed is one.")
    return schema


def parquet_rows(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Rows with their number, from 1 on.

    Parameters
    ----------
    path : Path
    columns : sequence of str
        Columns, or fields of columns such as ``doc.id``; only these are read, and those that the
        file lacks are not in the rows.

    Yields
    ------
    (int, dict)

    Raises
    ------
    InputError
        If the file is broken, or holds or unfolds to more than any log does (`MOST_ROWS`,
        `MOST_BYTES`).
    """
    number = 0
    n_bytes = 0
    with _faults(path), _opened(path) as file:
        size = _batch_rows(file.metadata, path)
        most = min(MOST_BYTES, max(_LEAST_BOUND, _MOST_FOLDED * path.stat().st_size))
        for batch in file.iter_batches(size, columns=list(columns), use_threads=False):
            n_bytes += batch.nbytes
            if n_bytes > most:
                raise InputError(
                    f"{path} unfolds to more than {most >> 20:,} MB by row {number + 1:,}; no log "
                    "of its size does."
                )
            for row in batch.to_pylist():
                number += 1
                yield number, row


def _batch_rows(metadata: pq.FileMetaData, path: Path) -> int:
    """Rows that are held at a time, few enough even where each of them repeats one long value.

    A row group tells its bytes; that its columns do is not asked, since pyarrow ends the process
    where what a broken footer says of a column does not fit.
    """
    if metadata.num_rows > MOST_ROWS:
        raise InputError(
            f"{path} declares {metadata.num_rows:,} rows; allowed are {MOST_ROWS:,} in a file."
        )
    groups = range(metadata.num_row_groups)
    largest = max((metadata.row_group(group).total_byte_size for group in groups), default=0)
    folded = largest > _MOST_PACKED * path.stat().st_size
    return min(_BATCH_ROWS, max(1 if folded else _LEAST_ROWS, _BATCH_BYTES // max(largest, 1)))


@contextmanager
def _opened(path: Path) -> Iterator[pq.ParquetFile]:
    # Without memory mapping: a file that is cut while it is read would end the process.
    with pq.ParquetFile(path, memory_map=False, page_checksum_verification=True) as file:
        yield file


@contextmanager
def _faults(path: Path) -> Iterator[None]:
    try:
        yield
    except InputError:
        raise
    except _FAULTS as error:
        if beginning(path, 24) == b"version https://git-lfs.":
            raise InputError(
                f"{path} only says where Git LFS keeps the file; fetch it by `git lfs pull`."
            ) from None
        raise InputError(
            f"{path} cannot be read as Parquet ({shortened(str(error), 120)}); if it came by "
            "download, get it again."
        ) from None
