"""Downloads: what comes is what is registered; a failure is one sentence and no half folder."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner, Result
from web_host import Host, serving

from mbnb.book.build import Edition
from mbnb.cli import main
from mbnb.data import fetching, registry
from mbnb.data.datasets import available, catalogue, load
from mbnb.data.downloads import dataset_folder, download, downloads_folder
from mbnb.data.errors import InputError
from mbnb.data.folder import read_folder, write_folder
from mbnb.data.registry import download_names, parse_download, read_download
from mbnb.data.responses import MISSING, ResponseMatrix

# Items that are out of order, a model with too few answers, and a subtask rule of each kind.
TABLE = "model,x/2,x/10,x/1\nA,1,0.0,1.0\nnobody,,,1\nB,0,,1\n"
ITEMS = ["toy/x/1", "toy/x/2", "toy/x/10"]
TOY = """
name = "toy"
title = "Toy: 2 models × 3 items"
n_models = 2
n_items = 3
content_hash = "{content_hash}"
licence = "MIT"
source = "Made by hand."

[answers]
url = "https://example.org/data/toy.csv"
bytes = {n_bytes}
sha256 = "{sha256}"

[table]
rows = "models"
corner = "model"
item_prefix = "toy/"
order = "number"
least_answered = 0.6

[subtasks]
"""
IDS = 'rule = "ids"\n[subtasks.ids]\nlow = "1-2"\nhigh = "3-9 10-10"\n'
BRACKETS = """rule = "brackets"
[subtasks.file]
url = "https://example.org/labels.csv"
most_bytes = 1000
git_blob = "{git_blob}"
"""
LABELS = b'item_id,content\nx/1,"[low] one\n"\nx/2,[low] two\nx/10,"[high] [ten]"\n'


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(fetching, "TIMEOUT", (2.0, 2.0))
    with serving() as started:
        yield started


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("MBNB_DOWNLOADS", raising=False)
    folder = tmp_path / "home"
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_: str(folder))
    return folder


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Register the toy data set alone, with the pins of the table given."""

    def register(table: str = TABLE, rule: str = IDS, git_blob: str = "") -> Path:
        folder = tmp_path / "register"
        folder.mkdir(exist_ok=True)
        matrix = ResponseMatrix(
            np.array([[1, 1, 0], [1, 0, MISSING]], np.uint8),
            pd.DataFrame(index=pd.Index(["A", "B"])),
            pd.DataFrame({"subtask": ["low", "low", "high"]}, index=pd.Index(ITEMS)),
        )
        text = TOY.format(
            content_hash=matrix.content_hash,
            n_bytes=len(table.encode()),
            sha256=hashlib.sha256(table.encode()).hexdigest(),
        )
        (folder / "toy.toml").write_text(text + rule.format(git_blob=git_blob))
        monkeypatch.setattr(registry, "_FOLDERS", (folder,))
        monkeypatch.delenv("MBNB_DATA", raising=False)
        return folder / "toy.toml"

    return register


def files_below(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


# A data set


def serve_toy(host: Host, labels: bytes | None = None) -> None:
    host.files["/data/toy.csv"] = TABLE.encode()
    if labels is not None:
        host.files["/labels.csv"] = labels


def blob(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


def test_a_download_becomes_a_data_set_that_has_a_name(
    host: Host, toy: Callable[..., Path], home: Path
) -> None:
    toy()
    serve_toy(host)
    with pytest.raises(InputError, match="not here yet; `mbnb download toy` downloads it"):
        load("toy")
    assert host.asked == []
    assert catalogue().set_index("name").loc["toy", "kind"] == "downloadable"
    assert "toy" not in set(available()["name"])
    folder = download("toy", mirror=host.url + "/")
    assert folder == dataset_folder("toy") and home in folder.parents
    matrix = load("toy")
    assert matrix.model_ids.tolist() == ["A", "B"]
    assert matrix.item_ids.tolist() == ITEMS
    assert matrix.items["subtask"].tolist() == ["low", "low", "high"]
    assert matrix.scores.tolist() == [[1, 1, 0], [1, 0, MISSING]]
    source = (folder / "SOURCE.md").read_text()
    assert "https://example.org/data/toy.csv (SHA-256 " in source and "Licence: MIT" in source
    assert f"Fetched from the mirror {host.url}." in source
    row = catalogue().set_index("name").loc["toy"]
    assert row.tolist() == ["downloaded", 2, 3, str(folder)]
    assert available().set_index("name").loc["toy", "kind"] == "downloaded"
    assert Edition.checked("toy", None, "full").dataset == "toy"
    # Nothing is fetched again, and nothing unfinished is left.
    n = len(host.asked)
    assert download("toy", mirror=host.url) == folder and len(host.asked) == n
    assert files_below(home) == [
        "downloads/datasets/toy/SOURCE.md",
        "downloads/datasets/toy/items.csv",
        "downloads/datasets/toy/models.csv",
        "downloads/datasets/toy/responses.npz",
        "downloads/files/toy-answers.csv",
    ]


def test_an_edition_of_the_book_needs_the_download_first(toy: Callable[..., Path]) -> None:
    toy()
    with pytest.raises(InputError, match="`mbnb download toy` downloads it"):
        Edition.checked("toy", None, "full")


def test_the_order_of_places(
    host: Host, toy: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    toy()
    serve_toy(host)
    download("toy", mirror=host.url)
    other = load("toy").subset(models=["A"])
    write_folder(other, tmp_path / "here" / "toy", "x")
    monkeypatch.chdir(tmp_path / "here")
    assert load("toy").n_models == 2 and load("./toy").n_models == 1
    monkeypatch.setenv("MBNB_DATA", str(tmp_path / "here"))
    assert load("toy").n_models == 1
    assert available()["name"].tolist().count("toy") == 1


def test_a_downloaded_data_set_that_was_changed_is_not_passed_off(
    host: Host, toy: Callable[..., Path]
) -> None:
    toy()
    serve_toy(host)
    folder = download("toy", mirror=host.url)
    models = folder / "models.csv"
    models.write_text(models.read_text().replace("A", "Z"))
    with pytest.raises(InputError, match=r"not the registered data set 'toy'.*delete that folder"):
        download("toy", mirror=host.url)


def test_a_second_file_tells_the_subtasks(host: Host, toy: Callable[..., Path]) -> None:
    toy(rule=BRACKETS, git_blob=blob(LABELS))
    serve_toy(host, LABELS)
    folder = download("toy", mirror=host.url)
    assert read_folder(folder).items["subtask"].tolist() == ["low", "low", "high"]
    assert hashlib.sha256(LABELS).hexdigest() in (folder / "SOURCE.md").read_text()


def test_a_second_file_with_another_blob_is_refused(host: Host, toy: Callable[..., Path]) -> None:
    toy(rule=BRACKETS, git_blob=blob(LABELS))
    changed = LABELS.replace(b"two", b"TWO")
    serve_toy(host, changed)
    with pytest.raises(InputError, match=f"blob is {blob(changed)}, expected is {blob(LABELS)}"):
        download("toy", mirror=host.url)
    assert files_below(downloads_folder()) == ["files/toy-answers.csv"]
    host.files["/labels.csv"] = LABELS
    assert download("toy", mirror=host.url).is_dir()


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (LABELS.replace(b"[high]", b"[low]"), "what was downloaded is not the registered data set"),
        (b"item_id,content\nx/1,[low] 1\n", "tells no subtask for 2 items .first: 'x/2'"),
        (b"<html>\nx\n</html>\n", r"toy-subtasks.csv, row 2: expected an id and a text"),
    ],
)
def test_a_second_file_without_a_pin_is_found_out_by_the_result(
    labels: bytes, message: str, host: Host, toy: Callable[..., Path], tmp_path: Path
) -> None:
    toy(rule=BRACKETS)
    serve_toy(host, labels)
    with pytest.raises(InputError, match=message):
        download("toy", tmp_path / "out", host.url)
    assert not (tmp_path / "out").exists()
    assert files_below(downloads_folder()) == ["files/toy-answers.csv"]
    host.files["/labels.csv"] = LABELS
    assert read_folder(download("toy", tmp_path / "out", host.url)).n_models == 2


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (
            TABLE.replace("0.0", "0.5"),
            r"line 2, column 'x/10': the score is '0.5'; allowed are",
        ),
        (TABLE.replace("B,0", "B"), "line 4: 3 cells; the header has 4"),
        (
            TABLE.replace("model", "Model"),
            r"line 1: the first header is \['Model'\]; expected 'm",
        ),
        ("model,x\n", "holds 1 lines; expected a header and rows"),
        (TABLE.replace("x/2", "x"), "the item id 'x' does not end in a number"),
        (TABLE.replace("x/2", "x/1"), r"item ids stand more than once \(first: 'toy/x/1'\)"),
        (TABLE.replace("1.0", "0.0"), "what was downloaded is not the registered data set 'toy'"),
    ],
)
def test_a_table_that_is_not_as_registered(
    table: str, message: str, host: Host, toy: Callable[..., Path], tmp_path: Path
) -> None:
    toy(table)
    host.files["/data/toy.csv"] = table.encode()
    with pytest.raises(InputError, match=message):
        download("toy", tmp_path / "out", host.url)
    assert not (tmp_path / "out").exists()


def test_an_out_folder_that_exists_is_left_alone(
    host: Host, toy: Callable[..., Path], tmp_path: Path
) -> None:
    toy()
    with pytest.raises(InputError, match="exists already"):
        download("toy", tmp_path, host.url)
    assert host.asked == []


# The register


def test_the_registered_downloads_are_sound() -> None:
    names = download_names()
    assert names == ["bigcodebench", "mmlu-pro-47", "rewardbench", "swebench-verified"]
    for entry in map(read_download, names):
        assert re.search(r"/[0-9a-f]{40}/", entry.answers.url), "a commit pins the address"
        assert str(entry.n_models) in entry.title and f"{entry.n_items:,}" in entry.title
    ids = read_download("mmlu-pro-47").subtasks.ids
    assert len(ids) == 14
    assert sum(b - a + 1 for ranges in ids.values() for a, b in ranges) == 12032
    with pytest.raises(InputError, match="no data set 'gsm8k' can be downloaded; allowed: bigcode"):
        read_download("gsm8k")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "https://example.org/data",
            "http://x",
            "key 'answers.url' is 'http://x/toy.csv'; a",
        ),
        ('sha256 = "', 'sha256 = "x', "key 'answers.sha256' is 'x.*; allowed are 64 hexadecimal"),
        ("bytes = ", "bytes = -", "key 'answers.bytes' is -.*; allowed is a whole number from 1"),
        ('licence = "MIT"\n', "", "key 'licence' is missing"),
        ('name = "toy"', 'name = "boy"', "key 'name' is 'boy'; allowed is 'toy'"),
        ('rows = "models"', 'rows = "m"', "key 'table.rows' is 'm'; allowed: models, items"),
        ('rule = "ids"', 'rule = "id"', "key 'subtasks.rule' is 'id'; allowed: repository, ids"),
        (
            'rule = "ids"',
            'rule = "domains"',
            "'subtasks.file' is missing; the rule 'domains'",
        ),
        ('rule = "ids"', 'rule = "repository"', "'subtasks.ids' is too many; the rule"),
        ('low = "1-2"', 'low = "1..2"', "key 'subtasks.ids.low' is '1..2'; allowed are ranges"),
        ("[table]", "[table", "not a TOML file"),
    ],
)
def test_a_broken_register_names_the_key(
    old: str, new: str, message: str, toy: Callable[..., Path]
) -> None:
    path = toy()
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(InputError, match=message):
        parse_download(path)


# The commands


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def test_the_command_downloads_and_tells_what_and_how_to_go_on(
    host: Host, toy: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    toy()
    serve_toy(host)
    monkeypatch.setenv("MBNB_DOWNLOADS", host.url)
    done = run("download", "toy")
    assert done.exit_code == 0, done.output
    assert done.stdout == f"{dataset_folder('toy')}\n"
    for part in (
        "toy: downloading",
        "Toy: 2 models × 3 items.",
        "Licence: MIT",
        "SOURCE.md",
        "mbnb report toy",
    ):
        assert part in done.stderr
    assert "toy is there already." in run("download", "toy").stderr
    out = tmp_path / "mine"
    again = run("download", "toy", "--out", str(out))
    assert f"mbnb report {out}" in again.stderr and read_folder(out).n_models == 2


def test_a_failing_command_says_one_sentence_and_leaves_nothing(
    host: Host, toy: Callable[..., Path], tmp_path: Path
) -> None:
    toy()
    done = run("download", "toy", "--out", str(tmp_path / "out"), "--mirror", host.url)
    assert done.exit_code == 2 and done.stdout == ""
    assert done.stderr.splitlines()[-1].startswith(f"mbnb: {host.url}/data/toy.csv is not there")
    assert not (tmp_path / "out").exists() and files_below(downloads_folder()) == []
    done = run("download", "toy", "--mirror", "ftp://x")
    assert done.exit_code == 2 and "the mirror (MBNB_DOWNLOADS) is 'ftp://x'" in done.stderr
    done = run("download", "no-such")
    assert done.exit_code == 2 and "allowed: toy." in done.stderr


def test_without_a_name_the_command_lists_what_can_be_had() -> None:
    done = run("download")
    assert done.exit_code == 0
    assert [line.split()[0] for line in done.stdout.splitlines()] == download_names()


def test_the_list_of_data_sets(
    toy: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    toy()
    (tmp_path / "data" / "broken").mkdir(parents=True)
    (tmp_path / "data" / "broken" / "responses.npz").write_text("no archive")
    monkeypatch.setenv("MBNB_DATA", str(tmp_path / "data"))
    rows = json.loads(run("datasets", "--json").stdout)["datasets"]
    by_name = {row["name"]: row for row in rows}
    assert by_name["simulated:gpqa"] == {
        "name": "simulated:gpqa",
        "kind": "simulated",
        "n_models": 470,
        "n_items": 448,
        "where": None,
    }
    assert by_name["broken"]["kind"] == "local" and by_name["broken"]["n_models"] is None
    assert by_name["toy"]["kind"] == "downloadable" and by_name["toy"]["n_items"] == 3
    text = run("datasets").stdout
    assert re.search(r"toy +downloadable +2 × 3 +mbnb download toy\n", text)
    assert re.search(r"broken +local +unreadable +/", text)


# The public files themselves, written from the real matrices


def as_table(matrix: ResponseMatrix, corner: str, prefix: str, form: str) -> list[list[str]]:
    """A table of models × items, the header first, items in the order of their ids' text."""
    order = sorted(range(matrix.n_items), key=lambda j: matrix.item_ids[j])
    words = {0: f"0{form}", 1: f"1{form}", MISSING: ""}
    rows = [[corner, *(matrix.item_ids[j].removeprefix(prefix) for j in order)]]
    for model, scores in zip(matrix.model_ids, matrix.scores[:, order], strict=True):
        rows.append([model, *(words[int(score)] for score in scores)])
    return rows


def as_bytes(rows: list[list[str]]) -> bytes:
    return "".join(",".join(row) + "\n" for row in rows).encode()


def path_of(url: str) -> str:
    return urlsplit(url).path


@pytest.mark.parametrize(
    ("name", "corner"), [("bigcodebench", "Model"), ("swebench-verified", "model")]
)
def test_a_public_table_byte_for_byte(
    name: str,
    corner: str,
    real_data: Callable[[str], ResponseMatrix],
    host: Host,
    tmp_path: Path,
) -> None:
    real, entry = real_data(name), read_download(name)
    content = as_bytes(as_table(real, corner, "", ""))
    # The published file itself, by the size and the hash that are registered for it.
    assert len(content) == entry.answers.bytes
    assert hashlib.sha256(content).hexdigest() == entry.answers.sha256
    host.files[path_of(entry.answers.url)] = content
    if entry.subtasks.file is not None:
        told = real.items["subtask"].items()
        domains = {item: ["General", subtask, "Other"] for item, subtask in told}
        for item, subtask in real.items["subtask"].items():
            if subtask == "General":
                domains[item] = ["General", "General"]
        host.files[path_of(entry.subtasks.file.url)] = json.dumps(domains).encode()
    made = read_folder(download(name, tmp_path / name, host.url))
    assert made.content_hash == real.content_hash
    assert made.items.equals(real.items) and made.models.index.equals(real.models.index)


def repin(name: str, folder: Path, content: bytes, labels: bytes | None) -> None:
    """Register a data set with the pins of other files; its content hash stays."""
    entry = read_download(name)
    [path] = [f / f"{name}.toml" for f in registry._FOLDERS if (f / f"{name}.toml").is_file()]
    text = path.read_text(encoding="utf-8")
    text = text.replace(entry.answers.sha256, hashlib.sha256(content).hexdigest())
    text = text.replace(f"bytes = {entry.answers.bytes}", f"bytes = {len(content)}")
    if labels is not None and entry.subtasks.file is not None:
        text = text.replace(entry.subtasks.file.git_blob, blob(labels))
    folder.mkdir()
    (folder / f"{name}.toml").write_text(text, encoding="utf-8")


def test_rewardbench_with_the_models_that_are_left_out(
    real_data: Callable[[str], ResponseMatrix],
    host: Host,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real, entry = real_data("rewardbench"), read_download("rewardbench")
    rows = as_table(real, "model", "rewardbench/", ".0")
    header, body = rows[0], rows[1:]
    # 149 of 2,985 missing answers are less than 5 %, 150 are more.
    gaps = ["half", *([""] * 150), *(["1.0"] * (real.n_items - 150))]
    content = as_bytes([header, *sorted([*body, gaps])])
    labels = "item_id,content\n" + "".join(
        f'{item.removeprefix("rewardbench/")},"[{subtask}] a text,\nwith ""quotes""\n"\n'
        for item, subtask in real.items["subtask"].items()
    )
    assert entry.subtasks.file is not None
    repin("rewardbench", tmp_path / "register", content, labels.encode())
    monkeypatch.setattr(registry, "_FOLDERS", (tmp_path / "register",))
    host.files[path_of(entry.answers.url)] = content
    host.files[path_of(entry.subtasks.file.url)] = labels.encode()
    made = read_folder(download("rewardbench", tmp_path / "out", host.url))
    assert made.content_hash == real.content_hash


def test_mmlu_pro_with_the_models_and_items_that_are_left_out(
    real_data: Callable[[str], ResponseMatrix],
    host: Host,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real, entry = real_data("mmlu-pro-47"), read_download("mmlu-pro-47")
    numbers = [int(item.removeprefix("mmlu_pro/")) for item in real.item_ids]
    rows = {number: real.scores[:, j] for j, number in enumerate(numbers)}
    words = {0: "0.0", 1: "1.0", MISSING: ""}
    table = [["question_id", *real.model_ids[:40], "gemini-few", *real.model_ids[40:]]]
    for number in range(12257):
        scores = [words[int(s)] for s in rows[number]] if number in rows else ["1.0"] + [""] * 46
        few = "1.0" if number % 13 == 0 else ""
        table.append([str(number), *scores[:40], few, *scores[40:]])
    content = as_bytes(table)
    repin("mmlu-pro-47", tmp_path / "register", content, None)
    monkeypatch.setattr(registry, "_FOLDERS", (tmp_path / "register",))
    host.files[path_of(entry.answers.url)] = content
    made = read_folder(download("mmlu-pro-47", tmp_path / "out", host.url))
    assert made.content_hash == real.content_hash
    assert made.items.equals(real.items)
