"""Paths that people give, and files and folders that are whole or not there at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from mbnb.data.errors import InputError
from mbnb.data.paths import given_path, replacing


def test_a_given_path_starts_at_home_or_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    assert given_path("~/mine") == tmp_path / "home" / "mine"
    assert given_path("logs/new") == tmp_path / "logs" / "new"
    assert given_path(tmp_path / "there") == tmp_path / "there"


@pytest.mark.parametrize("text", ["", " ", "~nobody-has-this-name/mine"])
def test_a_path_that_means_nothing_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        given_path(text)


def test_a_file_and_a_folder_appear_whole(tmp_path: Path) -> None:
    file, folder = tmp_path / "new" / "a.txt", tmp_path / "b"
    with replacing(file) as unfinished:
        unfinished.write_text("whole")
        assert unfinished.suffix == ".txt" and not file.exists()
    with replacing(folder) as unfinished:
        unfinished.mkdir()
        (unfinished / "part").write_text("whole")
    assert file.read_text() == (folder / "part").read_text() == "whole"
    ordinary = tmp_path / "ordinary"
    ordinary.touch()
    assert file.stat().st_mode == ordinary.stat().st_mode
    assert sorted(p.name for p in tmp_path.iterdir()) == ["b", "new", "ordinary"]
    assert [p.name for p in file.parent.iterdir()] == ["a.txt"]


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt])
def test_what_fails_half_way_leaves_the_old_file(
    tmp_path: Path, failure: type[BaseException]
) -> None:
    file = tmp_path / "a.txt"
    file.write_text("old")
    with pytest.raises(failure), replacing(file) as unfinished:
        unfinished.write_text("ha")
        raise failure
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError) as caught, replacing(tmp_path / "file" / "a.txt"):
        pass
    assert str(tmp_path / "file" / "a.txt") in str(caught.value)
