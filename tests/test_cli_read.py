"""From logs on disk to a scored model, by the commands alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from readers.entries import Writer, example
from readers.write_lm_eval import WRITERS as LM_EVAL
from test_readers_acceptance import WRITERS

from mbnb.cli import main
from mbnb.data.datasets import load
from mbnb.data.errors import InputError
from mbnb.data.folder import read_folder
from mbnb.logs import read
from mbnb.logs.example import write_example


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def options(writer: Writer) -> list[str]:
    """What the writer's logs need, in the words of the command line."""
    words: list[str] = []
    for name, value in writer.choices.items():
        if isinstance(value, bool):
            words += [f"--{name.replace('_', '-')}"] * value
        elif name != "items":
            words += [f"--{name.replace('_', '-')}", str(value)]
    return words


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    folder = tmp_path / "logs"
    folder.mkdir()
    LM_EVAL[0].write(folder, example())
    return folder


@pytest.mark.parametrize("writer", WRITERS, ids=[w.label for w in WRITERS])
def test_logs_of_every_format_are_read_frozen_and_scored_by_the_commands(
    tmp_path: Path, writer: Writer
) -> None:
    folder, data, micro = tmp_path / "logs", tmp_path / "data", tmp_path / "micro.json"
    folder.mkdir()
    writer.write(folder, example())
    words = options(writer)
    if "items" in writer.choices:
        (tmp_path / "ids.txt").write_text("\n".join(writer.choices["items"]) + "\n")
        words += ["--items", str(tmp_path / "ids.txt")]
    made = run("read", folder, "--out", data, *words)
    assert made.exit_code == 0, made.output
    direct, _ = read(folder, **writer.choices)
    assert read_folder(data).content_hash == direct.content_hash
    frozen = run("select", data, "--size", 3, "--duplicates", "keep", "--out", micro)
    assert frozen.exit_code == 0, frozen.output
    # The metric is known from the frozen items; other choices are of the log.
    again = [word for word in words if word not in ("--metric", writer.choices.get("metric"))]
    scored = run(
        "score", micro, folder, "--extra", "ignore", "--unlike", "accept", "--json", *again
    )
    assert scored.exit_code == 0, scored.output
    models = json.loads(scored.stdout)["models"]
    assert [model["model"] for model in models] == sorted(direct.model_ids)


def test_the_folder_says_where_it_comes_from_and_what_was_dropped(
    tmp_path: Path, logs: Path
) -> None:
    out = tmp_path / "data"
    done = run("read", logs, "--metric", "acc", "--out", out)
    assert done.exit_code == 0
    source = (out / "SOURCE.md").read_text()
    assert "metrics: ('acc',)" not in source
    assert "- metric: acc" in source
    assert "18 rows: 18 kept, 0 dropped" in source
    assert "18 rows: 18 kept, 0 dropped" in done.stdout
    assert str(tmp_path) not in source
    assert load(out).name == "data"


def test_what_cannot_be_read_leaves_no_folder(tmp_path: Path, logs: Path) -> None:
    out = tmp_path / "data"
    done = run("read", logs, "--out", out)
    assert done.exit_code == 2
    assert "holds 2 metrics (acc, acc_norm)" in done.stderr
    assert "Traceback" not in done.output
    assert {path.name for path in tmp_path.iterdir()} == {"logs"}


def test_a_folder_that_is_there_is_never_written_over(tmp_path: Path, logs: Path) -> None:
    out = tmp_path / "data"
    out.mkdir()
    (out / "mine.txt").write_text("mine")
    done = run("read", logs, "--metric", "acc", "--out", out)
    assert done.exit_code == 2
    assert f"{out} exists already" in done.stderr
    assert [path.name for path in out.iterdir()] == ["mine.txt"]


def test_a_model_is_scored_by_the_metric_that_was_frozen(tmp_path: Path, logs: Path) -> None:
    data, micro = tmp_path / "data", tmp_path / "micro.json"
    run("read", logs, "--metric", "acc_norm", "--out", data)
    run("select", data, "--size", 2, "--duplicates", "keep", "--out", micro)
    fits = run("score", micro, logs, "--extra", "ignore", "--json")
    assert fits.exit_code == 0, fits.output
    other = run("score", micro, logs, "--extra", "ignore", "--metric", "acc")
    assert other.exit_code == 2
    assert "has the metric 'acc', but was frozen with 'acc_norm'" in other.stderr


def test_the_example_is_simulated_complete_and_the_same_each_time(tmp_path: Path) -> None:
    one, two = write_example(tmp_path / "one"), write_example(tmp_path / "two")
    files = sorted(path.relative_to(one) for path in one.rglob("*"))
    assert files == sorted(path.relative_to(two) for path in two.rglob("*"))
    assert all(
        (one / f).read_bytes() == (two / f).read_bytes() for f in files if (one / f).is_file()
    )
    matrix, report = read(one / "known", verify=True)
    assert all(name.startswith("sim-") for name in matrix.model_ids)
    assert matrix.confidences is not None
    assert matrix.n_missing == 0
    assert any("differ from the logged ones in 0 of" in note for note in report.notes)
    [new] = read(one / "new")[0].model_ids
    assert new not in matrix.model_ids
    with pytest.raises(InputError, match="exists already"):
        write_example(one)


def test_a_dataset_folder_is_not_read_as_logs(tmp_path: Path, logs: Path) -> None:
    out = logs / "data"
    assert run("read", logs, "--metric", "acc", "--out", out).exit_code == 0
    done = run("read", out)
    assert done.exit_code == 2
    assert f"{out} is a dataset folder already; give it to mbnb report" in done.stderr
    again = run("read", logs, "--metric", "acc", "--json")
    assert json.loads(again.stdout)["ignored_files"]["file of a dataset folder"] == 4
    swapped = run("select", logs, "--size", 2, "--out", tmp_path / "micro.json")
    assert swapped.exit_code == 2
    assert f"make one of them: mbnb read {logs} --out my-benchmark" in swapped.stderr


def test_one_log_may_come_by_standard_input() -> None:
    table = "model,item,score\na,x,1\nb,x,0\n"
    done = CliRunner().invoke(main, ["read", "-", "--json"], input=table)
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["rows"] == 2
