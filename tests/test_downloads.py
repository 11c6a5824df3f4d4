"""Downloads: what comes is what is registered; a failure is one sentence and no half folder."""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from mbnb.data import paths
from mbnb.data.datasets import available, catalogue, load
from mbnb.data.downloads import dataset_folder, download, downloads_folder
from mbnb.data.errors import InputError
from mbnb.data.folder import read_folder
from mbnb.data.registry import read_download
from mbnb.data.responses import MISSING, ResponseMatrix

# Items that are out of order, a model with too few answers, and a second file for the subtasks.
TABLE = "model,x/2,x/10,x/1\nA,1,0.0,1.0\nnobody,,,1\nB,0,,1\n"
LABELS = b'item_id,content\nx/1,"[low] one\n"\nx/2,[low] two\nx/10,"[high] [ten]"\n'
IDS = 'rule = "ids"\n[subtasks.ids]\nlow = "1-2"\nhigh = "3-9 10-10"\n'
BRACKETS = 'rule = "brackets"\nurl = "https://example.org/labels.csv"\n'
TOY = """
name = "toy"
title = "Toy: 2 models × 3 items"
n_models = 2
n_items = 3
content_hash = "728709e2939fc89dbf81297a054a187417b7185e0adb7bfa88c934af066bef9d"
licence = "MIT"
source = "Made by hand."
[answers]
url = "https://example.org/data/toy.csv"
bytes = 42
sha256 = "{sha256}"
[table]
rows = "models"
corner = "model"
item_prefix = "toy/"
order = "number"
least_answered = 0.6
[subtasks]
"""


@dataclass
class Host:
    """Files by path; `cut` is the number of bytes after which a connection is cut."""

    url: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    cut: int | None = None
    asked: list[str] = field(default_factory=list)


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    served = Host()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            served.asked.append(self.path)
            if self.path not in served.files:
                self.send_error(404)
                return
            content = served.files[self.path]
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            with suppress(ConnectionError):
                self.wfile.write(content[: served.cut])

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}).start()
    served.url = f"http://127.0.0.1:{server.server_address[1]}"
    yield served
    server.shutdown()
    server.server_close()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("MBNB_DOWNLOADS", raising=False)
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_: str(tmp_path / "home"))
    return tmp_path / "home"


def register(folder: Path, name: str, text: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Register one data set alone."""
    (folder / "downloads").mkdir(parents=True, exist_ok=True)
    (folder / "downloads" / f"{name}.toml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(paths, "_KEPT", (folder,))
    return folder / "downloads" / f"{name}.toml"


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: Host) -> Callable[..., Path]:
    """Register the toy data set alone, and serve it."""

    def make(table: str = TABLE, rule: str = IDS, labels: bytes = LABELS) -> Path:
        monkeypatch.delenv("MBNB_DATA", raising=False)
        host.files = {"/data/toy.csv": table.encode(), "/labels.csv": labels}
        text = TOY.format(sha256=hashlib.sha256(table.encode()).hexdigest()) + rule
        return register(tmp_path / "register", "toy", text, monkeypatch)

    return make


def files_below(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


@pytest.mark.parametrize("rule", [IDS, BRACKETS])
def test_a_download_becomes_a_data_set_that_has_a_name(
    rule: str, host: Host, toy: Callable[..., Path], home: Path
) -> None:
    toy(rule=rule)
    with pytest.raises(InputError, match="datasets get toy"):
        load("toy")
    assert host.asked == [] and "toy" not in set(available()["name"])
    assert catalogue().set_index("name").loc["toy", "kind"] == "downloadable"
    folder = download("toy", mirror=host.url + "/")
    assert folder == dataset_folder("toy") and home in folder.parents
    matrix = load("toy")
    assert matrix.model_ids.tolist() == ["A", "B"]
    assert matrix.item_ids.tolist() == ["toy/x/1", "toy/x/2", "toy/x/10"]
    assert matrix.items["subtask"].tolist() == ["low", "low", "high"]
    assert matrix.scores.tolist() == [[1, 1, 0], [1, 0, MISSING]]
    source = (folder / "SOURCE.md").read_text()
    assert "https://example.org/data/toy.csv (SHA-256 " in source and host.url in source
    row = catalogue().set_index("name").loc["toy"]
    assert row.tolist() == ["downloaded", 2, 3, str(folder)]
    # Nothing is fetched again, and a folder that was changed is not passed off.
    n = len(host.asked)
    assert download("toy", mirror=host.url) == folder and len(host.asked) == n
    models = folder / "models.csv"
    models.write_text(models.read_text().replace("A", "Z"))
    with pytest.raises(InputError, match="not the registered data set 'toy'"):
        download("toy", mirror=host.url)


@pytest.mark.parametrize("rule", [IDS, BRACKETS])
def test_a_half_file_never_passes_for_a_whole_one(
    rule: str, host: Host, toy: Callable[..., Path], tmp_path: Path
) -> None:
    toy(rule=rule)
    host.cut = 30
    with pytest.raises(InputError, match=re.escape(host.url)):
        download("toy", tmp_path / "out", host.url)
    assert files_below(downloads_folder()) == [] and not (tmp_path / "out").exists()
    host.cut = None
    assert download("toy", tmp_path / "out", host.url).is_dir()


def test_no_network_another_file_and_no_file_are_one_sentence(
    host: Host, toy: Callable[..., Path], tmp_path: Path
) -> None:
    toy()
    with pytest.raises(InputError, match="network"):
        download("toy", tmp_path / "out", "http://127.0.0.1:9")
    host.files["/data/toy.csv"] = TABLE.replace("1.0", "0.0").encode()
    with pytest.raises(InputError, match="SHA-256"):
        download("toy", tmp_path / "out", host.url)
    host.files.clear()
    with pytest.raises(InputError, match="404"):
        download("toy", tmp_path / "out", host.url)
    with pytest.raises(InputError, match="'ftp://x'.*http"):
        download("toy", tmp_path / "out", "ftp://x")
    with pytest.raises(InputError, match="exists already"):
        download("toy", tmp_path, host.url)
    with pytest.raises(InputError, match=r"'gsm8k'.*toy"):
        download("gsm8k")
    assert files_below(downloads_folder()) == [] and not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("table", "named"),
    [
        (TABLE.replace("0.0", "0.5"), "line 2, column 'x/10'.*'0.5'"),
        (TABLE.replace("B,0", "B"), "line 4: 3 cells"),
        (TABLE.replace("model", "Model"), "'Model'.*'model'"),
        ("model,x\n", "1 lines"),
        (TABLE.replace("x/2", "x"), "'x'.*number"),
        (TABLE.replace("x/2", "x/1"), "'toy/x/1'"),
        (TABLE.replace("1.0", "0.0"), "not the registered data set 'toy'"),
    ],
)
def test_a_table_that_is_not_as_registered(
    table: str, named: str, host: Host, toy: Callable[..., Path], tmp_path: Path
) -> None:
    toy(table)
    with pytest.raises(InputError, match=named):
        download("toy", tmp_path / "out", host.url)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("https://example.org/data", "http://x", "answers.url is 'http://x/toy.csv'.*https"),
        ('sha256 = "', 'sha256 = "x', "answers.sha256"),
        ("bytes = ", "bytes = -", "answers.bytes is -42"),
        ('licence = "MIT"\n', "", "licence"),
        ('name = "toy"', 'name = "boy"', "'boy'.*toy"),
        ('rows = "models"', 'rows = "m"', "table.rows is 'm'"),
        ('rule = "ids"', 'rule = "domains"', "subtasks.*url"),
        ('rule = "ids"', 'rule = "repository"', "subtasks.*ids"),
        ('low = "1-2"', 'low = "1..2"', "subtasks.ids"),
    ],
)
def test_a_broken_register_names_the_key(
    old: str, new: str, named: str, toy: Callable[..., Path]
) -> None:
    path = toy()
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(InputError, match=named):
        read_download("toy")


# The public files themselves, written from the real matrices

CORNERS = {"bigcodebench": "Model", "swebench-verified": "model"}


@pytest.mark.parametrize("name", CORNERS)
def test_a_public_table_byte_for_byte(
    name: str, real_data: Callable[[str], ResponseMatrix], host: Host, tmp_path: Path
) -> None:
    real, entry = real_data(name), read_download(name)
    order = sorted(range(real.n_items), key=lambda j: real.item_ids[j])
    rows = [[CORNERS[name], *real.item_ids[order]]]
    rows += [
        [m, *map(str, scores)]
        for m, scores in zip(real.model_ids, real.scores[:, order], strict=True)
    ]
    content = "".join(",".join(row) + "\n" for row in rows).encode()
    # The published file itself, by the size and the hash that are registered for it.
    assert len(content) == entry.answers.bytes
    assert hashlib.sha256(content).hexdigest() == entry.answers.sha256
    host.files[urlsplit(entry.answers.url).path] = content
    if entry.subtasks.url is not None:
        told = {item: ["General", subtask] for item, subtask in real.items["subtask"].items()}
        host.files[urlsplit(entry.subtasks.url).path] = json.dumps(told).encode()
    made = read_folder(download(name, tmp_path / name, host.url))
    assert made.content_hash == real.content_hash and made.items.equals(real.items)
