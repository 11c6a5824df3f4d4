"""Details are fetched from a hub on this machine, which fails in all the ways a hub does."""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from hub_host import COMMIT, NEWER, Hub, serving
from readers import write_lm_eval, write_openllm_v1
from readers.entries import Entry

from mbnb.cli import main
from mbnb.data.errors import InputError
from mbnb.data.hub.fetch import fetch_details
from mbnb.data.hub.names import hub_names
from mbnb.data.hub.pace import MOST_SECONDS, TRIES
from mbnb.logs import read

OLD, NEW = "2024-06-12T01-02-03.000001", "2024-07-12T01-02-03.000001"
TASK = "leaderboard_mmlu_pro"


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A hub that nothing of the user's own settings reaches, and no other host is."""
    from huggingface_hub import constants
    from huggingface_hub.utils import _detect_agent

    connect = socket.socket.connect

    def local_only(self: socket.socket, address: tuple[str, int]) -> None:
        assert address[0] == "127.0.0.1", f"a connection to {address} was opened"
        connect(self, address)

    for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HF_ENDPOINT"):
        monkeypatch.delenv(name, raising=False)
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(tmp_path / "no-token"))
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "no-cache"))
    monkeypatch.setattr(_detect_agent, "_registry", _detect_agent._EMPTY_REGISTRY)
    monkeypatch.setattr(socket.socket, "connect", local_only)
    with serving() as found:
        yield found


def samples(task: str = TASK, n: int = 3, time: str = NEW) -> bytes:
    rows = [write_lm_eval.row(Entry(k, float(k % 2), task)) for k in range(n)]
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def put(hub: Hub, model: str, *tasks: str, time: str = NEW) -> str:
    """Give the hub a v2 repository with samples of these tasks."""
    names = hub_names(model, "v2")
    files = hub.repositories.setdefault(names.repository, {"README.md": b"what it is"})
    for task in tasks or (TASK,):
        files[f"{names.folder}/samples_{task}_{time}.jsonl"] = samples(task)
    return names.repository


def downloads(hub: Hub) -> list[str]:
    return [path for method, path in hub.asked if method == "GET" and "/resolve/" in path]


# Names


@pytest.mark.parametrize(
    ("model", "v2", "v1"),
    [
        ("meta-llama/Llama-3.1-8B", "meta-llama__Llama-3.1-8B-details", None),
        ("org/my_model__v2.0", "org__my_model__v2.0-details", None),
        ("gpt2", "gpt2-details", "details_gpt2"),
        ("a_b/c-details", "a_b__c-details-details", "details_a_b__c-details"),
        ("0-hero/Matter-0.1-7B", "0-hero__Matter-0.1-7B-details", None),
    ],
)
def test_a_models_id_and_its_repositories_lead_to_each_other(
    model: str, v2: str, v1: str | None
) -> None:
    second, first = hub_names(model, "v2"), hub_names(model, "v1")
    assert second.repository == f"open-llm-leaderboard/{v2}"
    assert first.repository == "open-llm-leaderboard-old/" + (
        v1 or f"details_{model.replace('/', '__')}"
    )
    for names in (first, second):
        assert hub_names(names.repository, names.leaderboard) == names
    assert hub_names(second.configuration("leaderboard_bbh_snarks"), "v2") == second
    # Before the first leaderboard's repositories were moved.
    moved = first.repository.replace("-old/", "/")
    assert hub_names(moved, "v1") == first


def test_a_tasks_configuration_is_called_as_the_hub_calls_it() -> None:
    names = hub_names("meta-llama/Llama-3.1-8B", "v2")
    assert names.configuration(TASK) == "meta-llama__Llama-3.1-8B__leaderboard_mmlu_pro"
    first = hub_names("org/model", "v1")
    assert first.configuration("harness|arc:challenge|25") == "harness_arc_challenge_25"
    wide = "harness|hendrycksTest-world_religions|5"
    assert first.configuration(wide) == "harness_hendrycksTest_world_religions_5"


@pytest.mark.parametrize(
    "model", ["../x", "a/../b", "/etc/passwd", "a/b/c", "", "a b", "org/", "C:\\x", "a/.git", "-rf"]
)
def test_a_name_that_is_no_model_id_is_refused_before_anything_is_written(
    tmp_path: Path, model: str
) -> None:
    with pytest.raises(InputError, match="is no model id; allowed are ORG/MODEL or MODEL"):
        fetch_details([model], folder=tmp_path / "logs")
    assert not list(tmp_path.iterdir())


def test_an_organisation_that_could_not_be_told_back_is_refused() -> None:
    with pytest.raises(InputError, match="would be read back as 'my/org__name'"):
        hub_names("my__org/name", "v2")


# Fetching


def test_fetched_logs_are_read_as_local_files(hub: Hub, tmp_path: Path) -> None:
    models = ["org/model-a", "org/model_b__x", "gpt2"]
    for model in models:
        put(hub, model)
    logs = tmp_path / "logs"
    fetched = fetch_details(models, folder=logs, endpoint=hub.url)
    assert fetched.failed == {}
    assert fetched.commits == dict.fromkeys(models, COMMIT)
    assert [model.n_new for model in fetched.models] == [1, 1, 1]
    matrix, report = read(logs)
    assert set(matrix.model_ids) == set(models)
    assert matrix.n_items == 3
    assert report.tasks["metric"].tolist() == ["acc"]
    assert set(hub.tokens) == {""}


def test_the_newest_runs_file_of_exactly_the_tasks_asked_for_comes(
    hub: Hub, tmp_path: Path
) -> None:
    names = hub_names("org/model", "v2")
    put(hub, "org/model", "leaderboard_math", "leaderboard_math_hard", time=NEW)
    put(hub, "org/model", "leaderboard_math", "leaderboard_bbh_a", "leaderboard_bbh_b", time=OLD)
    wanted = ("leaderboard_math", "leaderboard_bbh_*")
    fetched = fetch_details(["org/model"], folder=tmp_path / "logs", tasks=wanted, endpoint=hub.url)
    assert fetched.models[0].files == [
        f"{names.folder}/samples_leaderboard_bbh_a_{OLD}.jsonl",
        f"{names.folder}/samples_leaderboard_bbh_b_{OLD}.jsonl",
        f"{names.folder}/samples_leaderboard_math_{NEW}.jsonl",
    ]


def test_the_first_leaderboards_details_are_fetched_and_read(hub: Hub, tmp_path: Path) -> None:
    time = write_openllm_v1.TIME
    rows = [write_openllm_v1.later(Entry(k, float(k == 1))) for k in range(3)]
    path = tmp_path / "one.parquet"
    pq.write_table(pa.Table.from_pylist(rows), path)
    names = hub_names("org/model_x", "v1")
    files = {
        f"{time}/details_harness|{task}|{shots}_{time}.parquet": path.read_bytes()
        for task, shots in (("arc:challenge", 25), ("hendrycksTest-anatomy", 5))
    }
    hub.repositories[names.repository] = files | {f"results_{time}.json": b"{}"}
    logs = tmp_path / "logs"
    fetched = fetch_details(
        ["org/model_x"],
        folder=logs,
        leaderboard="v1",
        tasks=("hendrycksTest-*",),
        endpoint=hub.url,
    )
    assert fetched.failed == {}
    matrix, _ = read(logs)
    assert list(matrix.model_ids) == ["org/model_x"]
    assert list(matrix.subtasks) == ["hendrycksTest-anatomy"]


def test_a_second_run_fetches_nothing(hub: Hub, tmp_path: Path) -> None:
    put(hub, "org/model", TASK, "leaderboard_ifeval")
    logs = tmp_path / "logs"
    fetch_details(["org/model"], folder=logs, endpoint=hub.url)
    before = (logs / "fetched.json").read_bytes()
    hub.asked.clear()
    again = fetch_details(["org/model"], folder=logs, endpoint=hub.url)
    assert again.models[0].n_new == 0
    assert len(again.models[0].files) == 2
    # What there is has to be asked; no file is.
    assert hub.asked == [("GET", "/api/datasets/open-llm-leaderboard/org__model-details")]
    assert (logs / "fetched.json").read_bytes() == before


def test_a_file_that_was_cut_or_changed_here_is_fetched_again(hub: Hub, tmp_path: Path) -> None:
    put(hub, "org/model")
    logs = tmp_path / "logs"
    first = fetch_details(["org/model"], folder=logs, endpoint=hub.url)
    local = logs / "org__model-details" / first.models[0].files[0]
    whole = local.read_bytes()
    for wrong in (whole[:100], whole.replace(b"question", b"QUESTION"), b""):
        local.write_bytes(wrong)
        again = fetch_details(["org/model"], folder=logs, endpoint=hub.url)
        assert again.models[0].n_new == 1
        assert local.read_bytes() == whole


def test_a_connection_cut_in_the_middle_goes_on_from_there(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "DOWNLOAD_CHUNK_SIZE", 100)
    repository = put(hub, "org/model")
    [name] = [name for name in hub.repositories[repository] if name.endswith("jsonl")]
    hub.cuts[name] = [300]
    fetched = fetch_details(["org/model"], folder=tmp_path / "logs", endpoint=hub.url)
    assert fetched.failed == {}
    assert hub.ranges == ["bytes=300-"]
    local = tmp_path / "logs" / "org__model-details" / name
    assert local.read_bytes() == hub.repositories[repository][name]


def test_a_file_that_comes_damaged_is_deleted_and_told(hub: Hub, tmp_path: Path) -> None:
    repository = put(hub, "org/model")
    hub.spoilt = set(hub.repositories[repository])
    logs = tmp_path / "logs"
    fetched = fetch_details(["org/model"], folder=logs, endpoint=hub.url)
    assert "came damaged and was deleted" in fetched.failed["org/model"]
    assert not logs.exists()


# Failures


def test_a_failed_model_is_told_with_its_reason_and_stops_no_other(
    hub: Hub, tmp_path: Path
) -> None:
    put(hub, "org/good")
    put(hub, "org/other", "leaderboard_ifeval")
    hub.gated.add(put(hub, "org/gated"))
    lost = put(hub, "org/lost")
    hub.lost = {name for name in hub.repositories[lost] if "lost" in name}
    hub.repositories[hub_names("org/empty", "v2").repository] = {"README.md": b""}
    models = ["org/gated", "org/nobody", "org/lost", "org/other", "org/empty", "org/good"]
    logs = tmp_path / "logs"
    fetched = fetch_details(models, folder=logs, tasks=(TASK,), endpoint=hub.url)
    assert list(fetched.commits) == ["org/good"]
    failed = fetched.failed
    page = f"{hub.url}/datasets/open-llm-leaderboard/org__gated-details"
    assert f"log in by `hf auth login`, ask for access on {page}" in failed["org/gated"]
    assert "there is no" in failed["org/nobody"] and "spells it otherwise" in failed["org/nobody"]
    assert "a file that open-llm-leaderboard/org__lost-details lists" in failed["org/lost"]
    assert f"holds no task '{TASK}'; it has leaderboard_ifeval" in failed["org/other"]
    assert "holds no details of org__empty" in failed["org/empty"]
    assert all("\n" not in reason for reason in failed.values())
    # Nothing is left of those that failed.
    assert sorted(path.name for path in logs.iterdir()) == ["fetched.json", "org__good-details"]
    assert list(json.loads((logs / "fetched.json").read_text())["models"]) == ["org/good"]


def test_forbidden_and_hidden_repositories_are_told_apart_from_absent_ones(
    hub: Hub, tmp_path: Path
) -> None:
    for status, expected in ((403, "ask for access on"), (401, "not to be seen without a login")):
        hub.refusals = [(status, {})]
        fetched = fetch_details(["org/model"], folder=tmp_path / "logs", endpoint=hub.url)
        assert expected in fetched.failed["org/model"]
    # A repository may list its files to all and give them to some.
    put(hub, "org/model")
    hub.forbidden = True
    fetched = fetch_details(["org/model"], folder=tmp_path / "logs", endpoint=hub.url)
    assert "ask for access on" in fetched.failed["org/model"]


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "7"}, 8),
        (
            {"RateLimit": '"api";r=0;t=55', "RateLimit-Policy": '"fixed window";"api";q=500;w=300'},
            56,
        ),
        ({"Retry-After": "soon"}, 2),
        ({}, 2),
    ],
)
def test_a_hub_that_is_busy_is_asked_again_when_it_says_so(
    hub: Hub, tmp_path: Path, headers: dict[str, str], seconds: float
) -> None:
    put(hub, "org/model")
    hub.refusals = [(429, headers)]
    waited: list[float] = []
    fetched = fetch_details(
        ["org/model"], folder=tmp_path / "logs", endpoint=hub.url, sleep=waited.append
    )
    assert fetched.failed == {}
    assert waited == [pytest.approx(seconds, abs=0.5)]


def test_files_are_asked_for_at_the_same_pace(hub: Hub, tmp_path: Path) -> None:
    repository = put(hub, "org/model")
    waited: list[float] = []

    def busy(seconds: float) -> None:
        waited.append(seconds)

    # The listing passes; what asks for the file is refused twice.
    listed = hub._list

    def then_busy(request: object, path: str) -> None:
        listed(request, path)  # type: ignore[arg-type]
        hub.refusals += [(429, {"Retry-After": "3"}), (503, {})]

    hub._list = then_busy  # type: ignore[method-assign]
    fetched = fetch_details(["org/model"], folder=tmp_path / "logs", endpoint=hub.url, sleep=busy)
    assert fetched.failed == {}
    assert waited == [pytest.approx(4, abs=0.5), pytest.approx(4, abs=0.5)]
    assert len(downloads(hub)) == 1
    assert repository in downloads(hub)[0]


def test_a_hub_that_stays_busy_is_left_alone_and_all_others_are_told_so(
    hub: Hub, tmp_path: Path
) -> None:
    for model in ("org/a", "org/b", "org/c"):
        put(hub, model)
    hub.refusals = [(429, {"Retry-After": "1"})] * 50
    fetched = fetch_details(
        ["org/a", "org/b", "org/c"],
        folder=tmp_path / "logs",
        endpoint=hub.url,
        n_jobs=1,
        sleep=lambda _: None,
    )
    assert len(hub.asked) == TRIES
    for reason in fetched.failed.values():
        assert "not fetched: the hub answered 5 times with status 429" in reason
        assert "run the same command again later" in reason
    assert len(fetched.failed) == 3
    assert not (tmp_path / "logs").exists()


def test_an_interrupted_command_leaves_nothing_half(hub: Hub, tmp_path: Path) -> None:
    def interrupted(_: float) -> None:
        raise KeyboardInterrupt

    for model in ("org/a", "org/b"):
        put(hub, model)
    hub.refusals = [(429, {"Retry-After": "1"})]
    with pytest.raises(KeyboardInterrupt):
        fetch_details(
            ["org/a", "org/b"],
            folder=tmp_path / "logs",
            endpoint=hub.url,
            n_jobs=1,
            sleep=interrupted,
        )
    assert not (tmp_path / "logs").exists()


def test_a_wait_beyond_all_patience_is_not_waited(hub: Hub, tmp_path: Path) -> None:
    put(hub, "org/model")
    hub.refusals = [(429, {"Retry-After": str(int(MOST_SECONDS) * 10)})]
    waited: list[float] = []
    fetched = fetch_details(
        ["org/model"], folder=tmp_path / "logs", endpoint=hub.url, sleep=waited.append
    )
    assert waited == []
    assert "asks to wait 6,001 s" in fetched.failed["org/model"]


def test_a_hub_that_is_not_there_is_told_once_for_all(tmp_path: Path, hub: Hub) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nowhere = f"http://127.0.0.1:{free.getsockname()[1]}"
    waited: list[float] = []
    fetched = fetch_details(
        ["org/a", "org/b"],
        folder=tmp_path / "logs",
        endpoint=nowhere,
        n_jobs=1,
        sleep=waited.append,
    )
    assert "the hub cannot be reached" in fetched.failed["org/b"]
    assert len(waited) == TRIES - 1


def test_no_more_than_a_few_requests_are_under_way_at_once(hub: Hub, tmp_path: Path) -> None:
    models = [f"org/m{k:02d}" for k in range(12)]
    for model in models:
        put(hub, model)
    hub.slow = 0.02
    fetched = fetch_details(models, folder=tmp_path / "logs", endpoint=hub.url)
    assert [model.names.model for model in fetched.models] == models
    assert fetched.failed == {}
    assert 1 < hub.most_open <= 4


def test_no_more_than_a_few_models_can_be_asked_for_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="n_jobs is 64; allowed are 1 to 4 models at once"):
        fetch_details(["org/a"], folder=tmp_path / "logs", n_jobs=64)


def test_the_librarys_session_is_left_as_it_was(hub: Hub, tmp_path: Path) -> None:
    from huggingface_hub.utils import get_session

    put(hub, "org/model")
    fetch_details(["org/model"], folder=tmp_path / "logs", endpoint=hub.url)
    assert "send" not in vars(get_session())


def test_without_the_library_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(InputError, match=r"install it with `pip install mbnb\[hub\]`"):
        fetch_details(["org/a"], folder=tmp_path / "logs")


def test_a_hub_that_was_told_to_stay_offline_is_not_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(InputError, match="HF_HUB_OFFLINE is set"):
        fetch_details(["org/a"], folder=tmp_path / "logs")
    assert not (tmp_path / "logs").exists()


def test_a_token_of_the_environment_goes_to_the_hub_only_where_it_may(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_made_up")
    put(hub, "org/model")
    fetch_details(["org/model"], folder=tmp_path / "logs", endpoint=hub.url, token=False)
    assert set(hub.tokens) == {""}


# The same again


def test_what_was_fetched_is_written_down_and_can_be_fetched_again(
    hub: Hub, tmp_path: Path
) -> None:
    repository = put(hub, "org/model")
    logs = tmp_path / "logs"
    fetch_details(["org/model"], folder=logs, endpoint=hub.url)
    told = json.loads((logs / "fetched.json").read_text())
    assert told["leaderboard"] == "v2"
    assert told["hub"] == hub.url
    assert told["models"]["org/model"]["commit"] == COMMIT
    # The repository goes on: what is there now is not what was fetched.
    put(hub, "org/model", TASK, "leaderboard_ifeval", time="2025-01-01T00-00-00.000001")
    same = tmp_path / "same"
    again = fetch_details([], folder=same, endpoint=hub.url, again=logs / "fetched.json")
    assert again.failed == {}
    assert (same / "fetched.json").read_bytes() == (logs / "fetched.json").read_bytes()
    hub.commits[repository] = NEWER
    hub.asked.clear()
    gone = fetch_details(
        [], folder=tmp_path / "other", endpoint=hub.url, again=logs / "fetched.json"
    )
    assert gone.failed == {"org/model": f"{repository} has no such commit"}
    assert hub.asked == [("GET", f"/api/datasets/{repository}/revision/{COMMIT}")]
    with pytest.raises(InputError, match="holds no commit of 'org/other'; it has 1 models"):
        fetch_details(["org/other"], folder=tmp_path / "x", again=logs / "fetched.json")


def test_a_file_that_is_no_manifest_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "fetched.json"
    for text in ("[]", '{"models": {"a": {}}}', '{"models": 3}'):
        path.write_text(text)
        with pytest.raises(InputError, match="is not what `mbnb fetch` wrote"):
            fetch_details(["org/a"], folder=tmp_path / "logs", again=path)
    assert not (tmp_path / "logs").exists()


def test_what_came_before_the_hub_had_enough_stays_and_is_not_fetched_again(
    hub: Hub, tmp_path: Path
) -> None:
    put(hub, "org/model", TASK, "leaderboard_ifeval")
    logs = tmp_path / "logs"
    served = hub._file

    def then_busy(request: object, path: str) -> None:
        served(request, path)  # type: ignore[arg-type]
        if len(downloads(hub)) == 1:
            hub.refusals += [(429, {"Retry-After": "90000"})] * 9

    hub._file = then_busy  # type: ignore[method-assign]
    first = fetch_details(["org/model"], folder=logs, endpoint=hub.url)
    assert "run the same command again later" in first.failed["org/model"]
    assert [model.n_new for model in first.models] == [1]
    hub.refusals.clear()
    hub._file = served  # type: ignore[method-assign]
    second = fetch_details(["org/model"], folder=logs, endpoint=hub.url)
    assert second.failed == {}
    assert (second.models[0].n_new, len(second.models[0].files)) == (1, 2)


def test_more_models_are_added_to_what_was_fetched_before(hub: Hub, tmp_path: Path) -> None:
    put(hub, "org/a")
    put(hub, "org/b")
    logs = tmp_path / "logs"
    fetch_details(["org/b"], folder=logs, endpoint=hub.url)
    fetch_details(["org/a"], folder=logs, endpoint=hub.url)
    assert list(json.loads((logs / "fetched.json").read_text())["models"]) == ["org/a", "org/b"]
    with pytest.raises(InputError, match="is of leaderboard v2, not v1"):
        fetch_details(["org/a"], folder=logs, leaderboard="v1", endpoint=hub.url)


def test_a_repositorys_path_cannot_lead_out_of_its_folder(hub: Hub, tmp_path: Path) -> None:
    files = hub.repositories.setdefault(hub_names("org/model", "v2").repository, {})
    for place in ("..", "org__model/..", "/tmp", "org__model/../../x"):
        files[f"{place}/samples_{TASK}_{NEW}.jsonl"] = b"{}"
    first = hub.repositories.setdefault(hub_names("org/model", "v1").repository, {})
    time = write_openllm_v1.TIME
    for place in ("..", ".", "/tmp", "a/.."):
        first[f"{place}/details_harness|arc|25_{time}.parquet"] = b"PAR1"
    for leaderboard in ("v2", "v1"):
        fetched = fetch_details(
            ["org/model"],
            folder=tmp_path / "in" / "logs",
            leaderboard=leaderboard,
            endpoint=hub.url,
        )
        assert "holds no details" in fetched.failed["org/model"]
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


# The command


def test_the_command_fetches_and_exits_with_1_where_a_model_failed(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", hub.url)
    put(hub, "org/a")
    put(hub, "org/b")
    listed = tmp_path / "models.txt"
    listed.write_text("# mine\norg/b\n\n")
    logs = tmp_path / "logs"
    done = CliRunner().invoke(main, ["fetch", "org/a", "--models", str(listed), "--out", str(logs)])
    assert done.exit_code == 0, done.stderr
    assert done.stdout.strip() == str(logs)
    assert "2 of 2 models are here, 2 files were fetched. Read them: mbnb read" in done.stderr
    failed = CliRunner().invoke(main, ["fetch", "org/a", "org/c", "--out", str(logs), "--json"])
    assert failed.exit_code == 1
    assert "org/c: there is no" in failed.stderr
    told = {entry["model"]: entry for entry in json.loads(failed.stdout)["models"]}
    assert (told["org/a"]["new"], told["org/a"]["reason"]) == (0, None)
    assert told["org/c"]["commit"] is None
    again = tmp_path / "again"
    manifest = str(logs / "fetched.json")
    same = CliRunner().invoke(main, ["fetch", "--again", manifest, "--out", str(again)])
    assert same.exit_code == 0, same.stderr
    assert (again / "fetched.json").read_bytes() == (logs / "fetched.json").read_bytes()
    nothing = CliRunner().invoke(main, ["fetch", "--out", str(again)])
    assert nothing.exit_code == 2
    assert "no model is given" in nothing.stderr
