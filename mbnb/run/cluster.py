"""Runs calls on a Dask cluster whose workers are fit for it; knows nothing of what they compute.

It speaks to Dask itself and not through joblib's Dask backend, which waits for ever where a worker
dies of the same call again and again or the scheduler is gone, and which runs everything in this
process where the cluster has one worker. What the calls share travels in a worker plugin, which the
scheduler hands to every worker, those that join or start again later too. Data that are scattered
would be lost with the last worker that holds them, and Dask's memory manager thins out copies.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import re
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from importlib.metadata import version
from typing import Any, TypeVar, cast

from distributed import (
    Client,
    Future,
    KilledWorker,
    Worker,
    WorkerPlugin,
    as_completed,
    get_worker,
)
from distributed.core import rpc
from distributed.security import Security

from mbnb.data.code import LIBRARIES, code_hash
from mbnb.data.errors import InputError

R = TypeVar("R")

_ADDRESS = re.compile(r"(tcp|tls|ws|wss)://(\[[0-9a-fA-F:.]+\]|[^\s:/\[\]]+):\d{1,5}")
_CONNECT_SECONDS = 10
_FIRST_WORKER_SECONDS = 15
# A worker that is started again is back in a few seconds; a batch system may take longer.
_NO_WORKER_SECONDS = 120
_LOOK_SECONDS = 5
_PAUSE_SECONDS = 0.02
# Longer messages do not reach a worker, which takes them apart with signed 32-bit lengths.
_LARGEST_PARCEL = 2_000_000_000
_PLUGIN = "mbnb-shared-of-"

_KEPT = "what was finished is kept where results are kept, so run it again"


def on_cluster(
    task: Callable[..., R], shared: object, arguments: Sequence[tuple[Any, ...]], address: str
) -> Iterator[tuple[int, R]]:
    """Call ``task(shared, *each)`` for each of `arguments` on the workers of a Dask scheduler.

    A call whose worker dies is made again on another. Every worker has to run the same code and
    the same numeric libraries as this process, and one thread: the limit on BLAS threads holds for
    a whole process, so that one call would lift it in the middle of another.

    Parameters and what is yielded are those of `mbnb.run.workers.side_by_side`.

    Raises
    ------
    InputError
        If the address is malformed, nothing or no scheduler answers there, no worker comes or is
        left, a worker is not fit, a call is the death of several workers, or the scheduler is lost.
    """
    parcel = pickle.dumps(shared, protocol=5)
    if len(parcel) > _LARGEST_PARCEL:
        raise InputError(
            f"the data are {len(parcel) / 1e9:.1f} GB, and a cluster can be handed at most "
            f"{_LARGEST_PARCEL / 1e9:.0f} GB; leave out models, items or confidences, or run "
            "without a scheduler."
        )
    _check_address(address)
    ours = describe()
    with _silence(), _client(address) as client:
        with _reaching(address):
            _check_workers(client, address, ours)
            _remove_left_behind(client)
            name = _PLUGIN + client.id
            client.register_plugin(SharedPlugin(parcel, ours), name=name)
        del parcel
        try:
            with _reaching(address):
                calls = client.map(
                    _call, arguments, plugin=name, task=task, pure=False, key="mbnb-call"
                )
            yield from _results(client, address, calls)
        finally:
            _if_it_is_there(client, lambda: client.unregister_worker_plugin(name))


def describe(dask_worker: Worker | None = None) -> dict[str, str | int]:
    """What decides the numbers of a process: its code, its libraries, and a worker's threads."""
    return {
        "code": code_hash(),
        **{library: version(library) for library in LIBRARIES},
        "threads": 1 if dask_worker is None else dask_worker.state.nthreads,
    }


class SharedPlugin(WorkerPlugin):
    """Holds, on each worker, what the calls share."""

    def __init__(self, parcel: bytes, ours: dict[str, str | int]) -> None:
        self._parcel: bytes | None = parcel
        self._shared: Any = None
        self._ours = ours

    def shared_on(self, worker: Worker) -> Any:
        """The shared object, opened at the first call; InputError where the worker is not fit."""
        if self._parcel is not None:
            # Here too, since a worker may have joined after the others were looked at.
            _require_fit(worker.address, describe(worker), self._ours)
            self._shared = pickle.loads(self._parcel)
            self._parcel = None
        return self._shared


def _call(each: tuple[Any, ...], *, plugin: str, task: Callable[..., R]) -> R:
    worker = get_worker()
    return task(cast(SharedPlugin, worker.plugins[plugin]).shared_on(worker), *each)


def _results(client: Client, address: str, calls: list[Future]) -> Iterator[tuple[int, Any]]:
    finished = as_completed(calls, loop=client.loop)
    waiting = {call: position for position, call in enumerate(calls)}
    calls.clear()  # a worker keeps a result as long as somebody here refers to it
    seen = looked = time.monotonic()
    try:
        while waiting:
            for call in finished.next_batch(block=False):
                try:
                    result = call.result(timeout=_LOOK_SECONDS)
                except KilledWorker as error:
                    raise _death(error) from None
                except (OSError, CancelledError) as error:
                    if call.status == "error":
                        raise  # the call's own
                    if not isinstance(error, TimeoutError):
                        raise _lost(address) from None
                    finished.add(call)  # its worker died with the result, and it is made again
                    continue
                yield waiting.pop(call), result
                seen = time.monotonic()
            call = result = None
            time.sleep(_PAUSE_SECONDS)
            if time.monotonic() - max(seen, looked) > _LOOK_SECONDS:
                looked = time.monotonic()
                with suppress(OSError):
                    if client.nthreads():
                        seen = looked
                if looked - seen > _NO_WORKER_SECONDS:
                    raise InputError(
                        f"no worker is left at {address}, and none came in {_NO_WORKER_SECONDS} "
                        f"seconds; {_KEPT}, with workers."
                    )
    finally:
        if waiting:
            _if_it_is_there(client, lambda: client.cancel(list(waiting), force=True))


# The cluster


def _check_address(address: str) -> None:
    if not _ADDRESS.fullmatch(address):
        raise InputError(
            f"'{address}' is not the address of a Dask scheduler; write it as tcp://host:port, for "
            "example tcp://127.0.0.1:8786."
        )

    async def who() -> str:
        security = Security().get_connection_args("client")
        async with rpc(address, connection_args=security) as server:
            return (await asyncio.wait_for(server.identity(), _CONNECT_SECONDS))["type"]

    try:
        # A client waits for ever for a server that accepts and says nothing, and it leaves much
        # behind where the server speaks another protocol; so one question comes first. In a thread
        # of its own, since in a notebook this one has an event loop that runs.
        with ThreadPoolExecutor(1) as thread:
            kind = thread.submit(asyncio.run, who()).result()
    except OSError:
        raise InputError(
            f"no Dask scheduler answers at {address} within {_CONNECT_SECONDS} seconds; start it "
            "(dask scheduler), and see that this machine can reach it."
        ) from None
    except Exception as error:
        # Whatever garbage makes of Dask's own protocol.
        raise InputError(
            f"what answers at {address} does not speak as a Dask scheduler does "
            f"({type(error).__name__}: {error})."
        ) from None
    if kind != "Scheduler":
        raise InputError(f"a Dask {kind.lower()} answers at {address}; give its scheduler's.")


@contextmanager
def _reaching(address: str) -> Iterator[None]:
    try:
        yield
    except (OSError, CancelledError):
        raise _lost(address) from None


def _if_it_is_there(client: Client, tidy: Callable[[], object]) -> None:
    """Tidy up on the cluster; where the scheduler is gone, all that is gone with it."""
    if client.status == "running":
        with suppress(OSError, CancelledError):
            tidy()


@contextmanager
def _client(address: str) -> Iterator[Client]:
    with _reaching(address):
        client = Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
    try:
        yield client
    finally:
        client.close()


def _check_workers(client: Client, address: str, ours: dict[str, str | int]) -> None:
    try:
        client.wait_for_workers(1, timeout=_FIRST_WORKER_SECONDS)
    except TimeoutError:
        raise InputError(
            f"the scheduler at {address} has no worker, and none came in {_FIRST_WORKER_SECONDS} "
            f"seconds; start some: dask worker {address} --nthreads 1 --nworkers 4."
        ) from None
    for worker, theirs in client.run(describe, on_error="return").items():
        _require_fit(worker, theirs, ours)


def _require_fit(
    worker: str, theirs: dict[str, str | int] | Exception, ours: dict[str, str | int]
) -> None:
    if isinstance(theirs, Exception):
        raise InputError(
            f"the worker at {worker} cannot run mbnb ({theirs}); install "
            "on every machine what is installed here, and start the workers again."
        )
    for library in LIBRARIES:
        if theirs[library] != ours[library]:
            raise InputError(
                f"the worker at {worker} has {library} {theirs[library]} and this process "
                f"{ours[library]}; install the same on every machine, and start the workers again."
            )
    if theirs["code"] != ours["code"]:
        raise InputError(
            f"the worker at {worker} runs other code of mbnb than this process; install the same "
            "on every machine, and start the workers again."
        )
    if theirs["threads"] != 1:
        raise InputError(
            f"the worker at {worker} has {theirs['threads']} threads, and results are the same "
            "everywhere only with one; start it with --nthreads 1, and --nworkers for the number."
        )


def _remove_left_behind(client: Client) -> None:
    """Free what workers still hold for processes that were killed and could not tell them."""

    # Defined here, so that the scheduler gets it as it is and need not have mbnb.
    def orphans(prefix: str, dask_scheduler: Any) -> list[str]:
        return [
            name
            for name in dask_scheduler.worker_plugins
            if name.startswith(prefix) and name.removeprefix(prefix) not in dask_scheduler.clients
        ]

    for name in client.run_on_scheduler(orphans, _PLUGIN):
        client.unregister_worker_plugin(name)


def _lost(address: str) -> InputError:
    return InputError(f"the connection to the scheduler at {address} is lost; {_KEPT}.")


def _death(error: KilledWorker) -> InputError:
    return InputError(
        "several workers were killed one after another in the same call, most often because memory "
        f"ran out (the last at {error.last_worker.address}); {_KEPT}, with more memory for each "
        "worker (--memory-limit)."
    )


@contextmanager
def _silence() -> Iterator[None]:
    """No log of a connection that is lost or made again: an error says it in one sentence."""
    loggers = [logging.getLogger(f"distributed.{name}") for name in ("client", "core")]
    levels = [logger.level for logger in loggers]
    try:
        for logger in loggers:
            logger.setLevel(logging.CRITICAL + 1)
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
