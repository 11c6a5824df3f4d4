"""What all commands share: help at once, statuses, and one sentence for what is no bug."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from conftest import make_matrix

from mbnb.cli import PLACES, main, options
from mbnb.data.datasets import DUPLICATES
from mbnb.data.folder import write_folder
from mbnb.data.responses import POLICIES
from mbnb.judge.agreement import RULES
from mbnb.logs import FORMATS
from mbnb.methods.estimators import ESTIMATORS
from mbnb.methods.selectors import KNOWN_SELECTORS, SELECTORS

COMMAND = [sys.executable, "-c", "from mbnb.cli import main; main(prog_name='mbnb')"]


def mbnb(*arguments: object, **more: object) -> subprocess.CompletedProcess[bytes]:
    words = [os.fsencode(str(word)) for word in arguments]
    settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "check": False} | more
    return subprocess.run([*COMMAND, *words], **settings)  # type: ignore[call-overload]


def test_choices_are_those_of_the_rooms() -> None:
    from mbnb.cli.logs import FORMATS as NAMED

    assert tuple(SELECTORS) == options.SELECTORS
    assert tuple(KNOWN_SELECTORS) == options.KNOWN_SELECTORS
    assert tuple(ESTIMATORS) == options.ESTIMATORS
    assert set(options.MISSING) == set(POLICIES) and options.DUPLICATES == DUPLICATES
    assert tuple(RULES) == options.RULES and tuple(FORMATS) == NAMED


@pytest.mark.parametrize("command", PLACES)
def test_help_needs_no_library(command: str) -> None:
    code = (
        "import sys\nfrom mbnb.cli import main\n"
        f"try: main([{command!r}, '--help'])\nexcept SystemExit as e: assert e.code == 0\n"
        "assert not {'numpy', 'pandas', 'scipy', 'sklearn', 'nbformat'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert command.encode() in done.stdout


def test_all_commands_are_listed_and_gone_ones_are_refused() -> None:
    done = CliRunner().invoke(main, [])
    assert done.exit_code == 0 and all(f"\n  {name} " in done.output for name in PLACES)
    for gone in ("fetch", "rate", "wear", "download"):
        done = CliRunner().invoke(main, [gone])
        assert done.exit_code == 2 and f"'{gone}'" in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
def test_a_full_disk_is_told() -> None:
    with open("/dev/full", "wb") as full:
        done = mbnb("datasets", stdout=full)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1 and b"No space" in done.stderr


def test_a_reader_that_leaves_is_no_fault() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = mbnb("datasets", stdout=writing)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


def test_an_interrupt_while_modules_load_ends_with_130(tmp_path: Path) -> None:
    # A library that takes long to load.
    (tmp_path / "pandas.py").write_text("print('loading', flush=True)\nimport time; time.sleep(30)")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    process = subprocess.Popen(
        [*COMMAND, "datasets"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
        # A shell that runs tests in the background may have interrupts ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert process.stdout is not None and process.stdout.readline() == b"loading\n"
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=20)
    assert (process.returncode, told.strip()) == (130, b"mbnb: stopped.")


@pytest.fixture
def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    matrix = make_matrix(
        np.tile([[0, 1, 1, 0], [1, 1, 0, 1], [0, 1, 0, 0]], (1, 3)).astype(np.uint8),
        models=["modèle→", "b", "c"],
    )
    write_folder(matrix, tmp_path / "board", "Made up.")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
def test_any_name_can_be_printed_anywhere(board: Path, encoding: str) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    for words in (
        ["select", "./board", "--size", 4, "--out", "micro.json"],
        ["score", "micro.json", "board", "--extra", "ignore", "--unlike", "accept"],
    ):
        done = mbnb(*words, env=environment)
        assert done.returncode == 0, done.stderr
    assert b"\\u2192" in done.stdout


def test_a_name_that_is_no_utf8_is_told_as_a_name(board: Path) -> None:
    Path(os.fsdecode(b"caf\xe9.csv")).write_text("no,table")
    done = mbnb("read", os.fsdecode(b"caf\xe9.csv"))
    assert done.returncode == 2, done.stderr
    assert len(done.stderr.splitlines()) == 1 and b"caf" in done.stderr
    Path("bad.json").write_bytes(b"\xff\xfe")
    done = mbnb("score", "bad.json", "board")
    assert done.returncode == 2 and b"bad.json" in done.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root can read everything")
def test_a_file_that_cannot_be_read_is_told(board: Path) -> None:
    Path("secret.json").write_text("{}")
    Path("secret.json").chmod(0)
    done = mbnb("score", "secret.json", "board")
    assert done.returncode == 2 and b"secret.json" in done.stderr


def test_simulated_data_sets_are_listed_and_written(board: Path) -> None:
    listed = json.loads(mbnb("datasets", "--json").stdout)["datasets"]
    assert listed == json.loads(mbnb("datasets", "list", "--json").stdout)["datasets"]
    assert {"simulated:gpqa", "bigcodebench"} <= {row["name"] for row in listed}
    done = mbnb("simulate", "gpqa", "--out", "made", "--json")
    told = json.loads(done.stdout)
    assert told["content"] in Path("made", "SOURCE.md").read_text()
    again = mbnb("simulate", "gpqa", "--out", "made")
    assert again.returncode == 2 and b"made exists already" in again.stderr
    assert mbnb("simulate", "nothing", "--out", "new").returncode == 2
    assert not Path("new").exists()
