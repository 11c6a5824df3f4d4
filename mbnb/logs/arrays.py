"""Opens NumPy arrays that others wrote: nothing is unpickled, nothing allocated on their word."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from mbnb.data.errors import InputError
from mbnb.data.npy_header import read_header
from mbnb.logs.values import shortened


def open_array(path: Path, n_axes: int, kinds: str, meaning: str) -> np.ndarray:
    """An array of a ``.npy`` file, mapped into memory.

    Parameters
    ----------
    path : Path
    n_axes : int
    kinds : str
        Allowed kinds of numbers, as ``dtype.kind`` names them.
    meaning : str
        What its axes are, for messages.

    Raises
    ------
    InputError
        If it is pickled, not of these kinds or axes, or the file is not as long as its header
        says.
    """
    try:
        with path.open("rb") as file:
            shape, dtype = read_header(file, path)
            length = file.tell() + math.prod(shape) * dtype.itemsize
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None
    if dtype.hasobject:
        raise InputError(
            f"{path} holds pickled Python objects, which are never loaded, since they can run any "
            "code; save it as an array of numbers."
        )
    if dtype.kind not in kinds:
        names = {"b": "booleans", "i": "integers", "u": "unsigned integers", "f": "floats"}
        raise InputError(
            f"{path} holds values of type {shortened(str(dtype))}; allowed are "
            f"{', '.join(names[kind] for kind in kinds)}."
        )
    if len(shape) != n_axes or min(shape) < 1:
        raise InputError(
            f"{path} has the shape {_told(shape)}; it should be {meaning}, and none of them empty."
        )
    size = path.stat().st_size
    if size != length:
        raise InputError(
            f"{path} should have {length:,} bytes by its header (shape {_told(shape)}) but has "
            f"{size:,}; it is truncated or damaged."
        )
    try:
        return np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, OSError) as error:
        raise InputError(f"{path} cannot be read: {shortened(str(error), 200)}.") from None


def _told(shape: tuple[int, ...]) -> str:
    return shortened(" × ".join(f"{length:,}" for length in shape) or "of a single number", 80)
