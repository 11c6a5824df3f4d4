"""Runs calls side by side, here, in processes or on a cluster; knows nothing of what they compute.

The calls share something large that they only read, such as a response matrix. It reaches a process
once, not once a call: its large arrays are written to one file, which every process of this machine
maps into its memory, so that eight processes hold one copy between them and not eight. Passing
it to each process as it starts would be shorter, but would copy it into each, and would need new
processes, a second or two of imports, for each grid. joblib keeps the file, and its resource
tracker removes it even where this process is killed.
"""

from __future__ import annotations

import os
import pickle
import re
import threading
import time
import uuid
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any, TypeVar

import joblib
import numpy as np
from joblib.externals.loky.process_executor import TerminatedWorkerError

from mbnb.data.errors import InputError

R = TypeVar("R")
S = TypeVar("S")

# Arrays of more bytes are handed to processes as a file; less is as quickly sent with each call.
_MAPPED_BYTES = 100_000
_SECONDS_BETWEEN_LOOKS = 1.0


def side_by_side(
    task: Callable[..., R],
    shared: S,
    arguments: Sequence[tuple[Any, ...]],
    *,
    n_jobs: int,
    scheduler: str | None = None,
) -> Generator[tuple[int, R], None, None]:
    """Call ``task(shared, *each)`` for each of `arguments`; yield results as calls finish.

    Closing the iterator before its end stops the processes, or takes the calls back from the
    cluster. An exception in a call comes out as it is and ends the iteration.

    Parameters
    ----------
    task : callable
        A function of a module, so that another process can import it.
    shared : object
        What every call reads and none changes; its arrays may be read-only in another process.
    arguments : sequence of tuple
        What the calls differ in; small, since it is sent with each.
    n_jobs : int
        Processes; 1 runs the calls in this one, −1 takes as many as there are processors. Where a
        scheduler is given, its workers count and this number does not.
    scheduler : str, optional
        Address of a Dask scheduler, such as ``tcp://10.0.0.5:8786``; see `mbnb.run.cluster`. One
        call alone runs in this process.

    Yields
    ------
    position : int
        Position of the call in `arguments`.
    result : object
        What the call returned.

    Raises
    ------
    InputError
        If a process is killed, the file that processes share cannot be written, or the cluster
        cannot be used.
    """
    if len(arguments) > 1 and scheduler is not None:
        calls = _on_cluster(task, shared, arguments, scheduler)
    elif len(arguments) > 1 and joblib.effective_n_jobs(n_jobs) > 1:
        calls = _in_processes(task, shared, arguments, n_jobs)
    else:
        calls = ((position, task(shared, *each)) for position, each in enumerate(arguments))
    yield from calls


def _on_cluster(
    task: Callable[..., R], shared: S, arguments: Sequence[tuple[Any, ...]], scheduler: str
) -> Iterator[tuple[int, R]]:
    try:
        from mbnb.run.cluster import on_cluster
    except ModuleNotFoundError as error:
        raise InputError(
            f"the scheduler {scheduler} needs Dask, which is not installed here (no module named "
            f"'{error.name}'); install it with: pip install 'mbnb[dask]'."
        ) from None
    return on_cluster(task, shared, arguments, scheduler)


def _in_processes(
    task: Callable[..., R], shared: S, arguments: Sequence[tuple[Any, ...]], n_jobs: int
) -> Iterator[tuple[int, R]]:
    parcel = _Parcel(shared)
    parallel = joblib.Parallel(
        n_jobs=min(n_jobs, len(arguments)),
        backend="loky",
        return_as="generator_unordered",
        batch_size=1,
        max_nbytes=_MAPPED_BYTES,
        # The same for each grid of this process, so that joblib can keep its processes.
        initializer=_end_with,
        initargs=(os.getpid(),),
    )
    outcomes = parallel(
        joblib.delayed(_call)(parcel.token, parcel.arrays, task, position, each)
        for position, each in enumerate(arguments)
    )
    try:
        # Not `yield from`, which would close `outcomes` before the warnings are off.
        for outcome in outcomes:  # noqa: UP028
            yield outcome
    except pickle.PicklingError as error:
        # joblib tells in text alone what went wrong on the way.
        reason = re.search(r"\[Errno \d+\] (.+)", str(error.__cause__))
        if reason is None:
            raise
        raise InputError(
            f"the answers cannot be written to the file that processes share ({reason[1]}); set "
            "JOBLIB_TEMP_FOLDER to a folder with more room, or run one process."
        ) from None
    except TerminatedWorkerError:
        raise InputError(
            "a process was killed from outside in the middle of its work, most often because "
            "memory ran out; what was finished is kept where results are kept, so run it again, "
            "with fewer processes if memory is short."
        ) from None
    finally:
        with warnings.catch_warnings():
            # joblib warns of calls that nobody will use, which is what closing early asks for.
            warnings.simplefilter("ignore", UserWarning)
            outcomes.close()


class _Parcel:
    """An object as arrays of bytes, the pickle first and then its large buffers, not copied."""

    def __init__(self, shared: object) -> None:
        large: list[np.ndarray] = []

        def stays_inside(buffer: pickle.PickleBuffer) -> bool:
            view = buffer.raw()
            if view.nbytes <= _MAPPED_BYTES:
                return True
            large.append(np.frombuffer(view, dtype=np.uint8))
            return False

        pickled = pickle.dumps(shared, protocol=5, buffer_callback=stays_inside)
        self.token = uuid.uuid4().hex
        self.arrays = [np.frombuffer(pickled, dtype=np.uint8), *large]


# In a process that works for another

_opened: tuple[str, Any] = ("", None)


def _call(
    token: str,
    arrays: list[np.ndarray],
    task: Callable[..., R],
    position: int,
    each: tuple[Any, ...],
) -> tuple[int, R]:
    """One call in a process that opens the parcel only if it is not the one it had before."""
    global _opened
    if _opened[0] != token:
        _opened = ("", None)  # the old one goes before the new one comes
        _opened = (token, pickle.loads(arrays[0].data, buffers=arrays[1:]))
    return position, task(_opened[1], *each)


def _end_with(parent: int) -> None:
    """End this process soon after its parent, which may be killed and then can tell nobody."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_SECONDS_BETWEEN_LOOKS)
        os._exit(1)

    threading.Thread(target=watch, name="parent-watch", daemon=True).start()
