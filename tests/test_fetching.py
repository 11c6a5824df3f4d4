"""One file over HTTP: it comes whole and checked, goes on where it was cut, or says why not."""

from __future__ import annotations

import hashlib
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from web_host import Host, serving

from mbnb.data import fetching
from mbnb.data.errors import InputError
from mbnb.data.fetching import fetch

CONTENT = bytes(range(256)) * 1000
SHA256 = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(fetching, "TIMEOUT", (2.0, 2.0))
    with serving() as started:
        started.files["/file.bin"] = CONTENT
        yield started


def files_below(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def get(host: Host, tmp_path: Path, path: str = "/file.bin") -> Path:
    return fetch(
        host.url + path,
        tmp_path / "files" / "file.bin",
        tmp_path / "unfinished" / "file.bin",
        n_bytes=len(CONTENT),
        sha256=SHA256,
    )


def test_a_file_is_fetched_once(host: Host, tmp_path: Path) -> None:
    assert get(host, tmp_path).read_bytes() == CONTENT
    assert get(host, tmp_path).read_bytes() == CONTENT
    assert host.asked == [("/file.bin", None)]
    assert files_below(tmp_path) == ["files/file.bin"]


def test_a_finished_file_that_was_changed_is_fetched_anew(host: Host, tmp_path: Path) -> None:
    get(host, tmp_path).write_bytes(b"changed")
    assert get(host, tmp_path).read_bytes() == CONTENT


def test_a_redirect_is_followed(host: Host, tmp_path: Path) -> None:
    host.redirects["/moved"] = host.url + "/file.bin"
    assert get(host, tmp_path, "/moved").read_bytes() == CONTENT


def test_a_wrong_hash_is_told_with_both_and_leaves_nothing(host: Host, tmp_path: Path) -> None:
    wrong = CONTENT[::-1]
    host.files["/file.bin"] = wrong
    with pytest.raises(InputError) as raised:
        get(host, tmp_path)
    text = str(raised.value)
    assert "is not the file that is pinned" in text
    assert SHA256 in text and hashlib.sha256(wrong).hexdigest() in text
    assert files_below(tmp_path) == []


@pytest.mark.parametrize("lengths", [True, False])
@pytest.mark.parametrize("content", [CONTENT + b"x", CONTENT * 3])
def test_a_longer_file_is_refused(
    lengths: bool, content: bytes, host: Host, tmp_path: Path
) -> None:
    host.files["/file.bin"], host.lengths = content, lengths
    with pytest.raises(InputError, match=r"(256,001|768,000) bytes long, expected|is longer than"):
        get(host, tmp_path)
    assert files_below(tmp_path) == []


def test_a_shorter_file_is_refused_before_it_is_read(host: Host, tmp_path: Path) -> None:
    host.files["/file.bin"] = b"<html>Please log in</html>"
    with pytest.raises(InputError, match="is 26 bytes long, expected are 256,000: it is not the"):
        get(host, tmp_path)
    assert files_below(tmp_path) == []


@pytest.mark.parametrize("lengths", [True, False])
def test_a_cut_download_goes_on_where_it_was_cut(lengths: bool, host: Host, tmp_path: Path) -> None:
    host.cut, host.lengths = 100_000, lengths
    with pytest.raises(InputError) as raised:
        get(host, tmp_path)
    form = r"cut after ([\d,]+) of 256,000 bytes .* goes on from there"
    found = re.search(form, str(raised.value))
    assert found is not None
    assert files_below(tmp_path) == ["unfinished/file.bin"]
    done = (tmp_path / "unfinished" / "file.bin").stat().st_size
    assert found.group(1) == f"{done:,}" and 0 < done <= 100_000
    host.cut = None
    assert get(host, tmp_path).read_bytes() == CONTENT
    assert host.asked[-1] == ("/file.bin", f"bytes={done}-")
    assert files_below(tmp_path) == ["files/file.bin"]


def test_a_host_that_cannot_go_on_sends_the_file_again(host: Host, tmp_path: Path) -> None:
    host.cut, host.ranges = 100_000, False
    with pytest.raises(InputError, match="cut after"):
        get(host, tmp_path)
    host.cut = None
    assert get(host, tmp_path).read_bytes() == CONTENT
    assert len(host.asked) == 2


def test_going_on_with_another_file_s_beginning_is_found_out(host: Host, tmp_path: Path) -> None:
    (tmp_path / "unfinished").mkdir()
    (tmp_path / "unfinished" / "file.bin").write_bytes(b"of something else")
    with pytest.raises(InputError, match="is not the file that is pinned"):
        get(host, tmp_path)
    assert files_below(tmp_path) == []
    assert get(host, tmp_path).read_bytes() == CONTENT


@pytest.mark.parametrize("extra", [b"", b"too much"])
def test_a_process_killed_at_the_last_byte_is_gone_on_from(
    extra: bytes, host: Host, tmp_path: Path
) -> None:
    (tmp_path / "unfinished").mkdir()
    (tmp_path / "unfinished" / "file.bin").write_bytes(CONTENT + extra)
    assert get(host, tmp_path).read_bytes() == CONTENT
    assert host.asked == ([("/file.bin", None)] if extra else [])


def test_a_file_of_unknown_length_that_was_all_there_starts_again(
    host: Host, tmp_path: Path
) -> None:
    (tmp_path / "part").write_bytes(CONTENT)
    goal = fetch(host.url + "/file.bin", tmp_path / "f", tmp_path / "part", most_bytes=300_000)
    assert goal.read_bytes() == CONTENT
    assert [wanted for _, wanted in host.asked] == ["bytes=256000-", None]


def test_no_more_is_read_than_is_allowed(host: Host, tmp_path: Path) -> None:
    for host.lengths in (True, False):
        with pytest.raises(InputError, match="allowed are 1,000|longer than the 1,000 bytes"):
            fetch(host.url + "/file.bin", tmp_path / "f", tmp_path / "part", most_bytes=1000)
        assert files_below(tmp_path) == []


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"files": {}}, r"/file.bin is not there \(status 404\)"),
        ({"status": 503}, r"answered with status 503 \(Service Unavailable\) for http"),
        ({"status": 416}, "answered with status 416"),
        ({"hang_up": True}, "closed the connection without an answer; run the same command again"),
    ],
)
def test_a_host_that_has_or_gives_no_file(
    setting: dict[str, object], message: str, host: Host, tmp_path: Path
) -> None:
    for name, value in setting.items():
        setattr(host, name, value)
    with pytest.raises(InputError, match=message):
        get(host, tmp_path)
    assert files_below(tmp_path) == []


def test_a_host_that_does_not_answer(
    host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "TIMEOUT", (0.1, 0.1))
    host.silent = 0.5
    with pytest.raises(InputError, match=r"127.0.0.1:\d+ does not answer within 0.1 seconds"):
        get(host, tmp_path)
    assert files_below(tmp_path) == []


def test_no_network(host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        host.url = f"http://127.0.0.1:{unused.getsockname()[1]}"
    with pytest.raises(InputError, match=r"127.0.0.1:\d+ cannot be reached: there is no network"):
        get(host, tmp_path)

    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(InputError, match="cannot be reached: there is no network here, or the"):
        get(host, tmp_path)
    assert files_below(tmp_path) == []


def test_a_folder_that_cannot_be_written(host: Host, tmp_path: Path) -> None:
    (tmp_path / "files").write_text("")
    with pytest.raises(InputError, match=r"file.bin cannot be written \(.*\); make room"):
        get(host, tmp_path)


def test_a_host_that_stops_in_the_middle(
    host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "TIMEOUT", (0.2, 0.2))
    host.cut, host.stall = 100_000, 1
    with pytest.raises(InputError, match=r"cut after [\d,]+ of 256,000 bytes .*, and it goes on"):
        get(host, tmp_path)
    host.cut, host.stall = None, 0
    assert get(host, tmp_path).read_bytes() == CONTENT
    assert host.asked[-1][1] is not None


def test_two_processes_do_not_write_into_one_file(
    host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class OtherProcess(fetching.tqdm):  # type: ignore[misc]
        def update(self, n: float | None = 1) -> None:
            with (tmp_path / "unfinished" / "file.bin").open("ab") as file:
                file.write(b"from elsewhere")

    monkeypatch.setattr(fetching, "tqdm", OtherProcess)
    with pytest.raises(InputError, match=r"another process is downloading http.*/file.bin, too"):
        get(host, tmp_path)
    assert not (tmp_path / "files" / "file.bin").exists()


def test_a_host_that_is_busy_takes_nothing_away(host: Host, tmp_path: Path) -> None:
    (tmp_path / "unfinished").mkdir()
    (tmp_path / "unfinished" / "file.bin").write_bytes(CONTENT[:1000])
    host.status = 503
    with pytest.raises(InputError, match="status 503"):
        get(host, tmp_path)
    host.status = None
    assert get(host, tmp_path).read_bytes() == CONTENT
    assert host.asked[-1] == ("/file.bin", "bytes=1000-")
