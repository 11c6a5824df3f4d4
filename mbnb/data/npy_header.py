"""What a NumPy array in a file claims to be, read before anything is allocated on its word."""

from __future__ import annotations

from typing import IO

import numpy as np

from mbnb.data.errors import InputError


def read_header(file: IO[bytes], where: object) -> tuple[tuple[int, ...], np.dtype]:
    """Shape and type of an array in ``.npy`` form; the file is left at its first value.

    Parameters
    ----------
    file : binary file
    where : object
        Its name, for messages.

    Raises
    ------
    InputError
        If there is no such header, or it is damaged or claims what no array has.
    OSError
        If the file cannot be read.
    """
    readers = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }
    try:
        version = np.lib.format.read_magic(file)
        if version not in readers:
            raise InputError(f"{where} is a .npy file of version {version}; known are 1.0 and 2.0.")
        shape, _, dtype = readers[version](file)
    except (InputError, OSError):
        raise
    # The header is a Python literal of any kind, so that reading it can fail in any way.
    except Exception:
        raise InputError(f"{where} has no header of a .npy file, or a damaged one.") from None
    if any(type(length) is not int or length < 0 for length in shape):
        claimed = " × ".join(str(length)[:20] for length in shape[:9])
        raise InputError(f"{where} claims the shape {claimed}, which no array has.")
    return shape, dtype
