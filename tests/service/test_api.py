"""What a program that calls the service can rely on."""

import gzip
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from crosscount.compare import as_json
from crosscount.compare.comparison import compare
from crosscount.compare.engines import find
from crosscount.compare.verify_certificate import Rejected, verify
from crosscount.puzzles.read import read_one
from tests.service.conftest import Service, eventually

FOUR = "1...\n..2.\n.3..\n...4\n"


def timeless(result: dict[str, Any]) -> dict[str, Any]:
    """Without what differs between two runs."""
    engines = [{k: v for k, v in engine.items() if not k.endswith("seconds")} for engine in result["engines"]]
    return {**result, "engines": engines}


def test_compare_returns_the_object_of_the_command_line(service: Service) -> None:
    job = service.ask("compare", puzzle="@course-3", engines=["bt", "SAT", "fc_mrv"])
    puzzle = read_one("@course-3").puzzle
    expected = as_json.comparison(compare(puzzle, [find("bt"), find("sat"), find("fc-mrv")]))
    assert timeless(job["result"]) == timeless(expected)
    assert job["status"] == "done"
    assert job["result"]["count"] == 413


@pytest.mark.parametrize("text", [FOUR, "1.....2..3.....4", 'family = "sudoku"\ngrid = """\n' + FOUR + '"""\n'])
def test_the_same_puzzle_in_any_format_is_one_job(service: Service, text: str) -> None:
    first = service.ask("count", puzzle=FOUR, engine="bt")
    assert service.ask("count", puzzle=text, engine="BT")["id"] == first["id"]
    assert service.ask("count", puzzle=text, engine="gac")["id"] != first["id"]
    assert service.ask("count", puzzle=text, engine="bt", time_limit=7)["id"] != first["id"]


def test_counts_past_53_bits_are_decimal_strings(service: Service) -> None:
    assert service.ask("count", puzzle="p cnf 53 0\n")["result"]["count"] == 2**53
    result = service.ask("count", puzzle="p cnf 200 0\n")["result"]
    assert (result["count"], result["at_least"]) == (str(2**200), str(2**200))


def test_check_names_what_is_broken(service: Service) -> None:
    puzzle = "." * 16
    assert service.ask("check", puzzle=puzzle, answer="1234 3412 2143 4321")["result"]["valid"] is True
    result = service.ask("check", puzzle=puzzle, answer="1234 3412 4321 2141")["result"]
    assert result["valid"] is False
    assert any("column" in sentence for sentence in result["broken"])


def test_several_answers_are_each_checked(service: Service) -> None:
    result = service.ask("check", puzzle="." * 16, answer="1234341221434321\n1111341221434321\n")["result"]
    assert [one["valid"] for one in result["answers"]] == [True, False]
    assert result["valid"] is False
    assert all(sentence.startswith("answer 2: ") for sentence in result["broken"])


def test_solve_lists_solutions_and_pages_through_them(service: Service, api: httpx.Client) -> None:
    job = service.ask("solve", puzzle="@course-3", engine="fc-mrv", all=True)
    assert len(job["result"]["solutions"]) == 413
    page = api.get(job["links"]["solutions"], params={"limit": 200}).json()
    listed = page["solutions"]
    assert page["total"] == 413
    assert page["complete"] is True
    while page["next"]:
        page = api.get(page["next"]).json()
        listed += page["solutions"]
    assert listed == sorted(listed)
    assert len({json.dumps(solution) for solution in listed}) == 413
    puzzle = read_one("@course-3").puzzle
    assert not any(puzzle.violated([x for row in rows for x in row]) for rows in listed)
    with api.stream("GET", job["links"]["solutions"], headers={"Accept": "application/x-ndjson"}) as stream:
        assert stream.headers["content-type"].startswith("application/x-ndjson")
        assert [json.loads(line) for line in stream.iter_lines()] == listed
    assert api.get(job["links"]["solutions"], params={"offset": 412}).json()["solutions"] == listed[412:]
    assert api.get(job["links"]["solutions"], params={"offset": 413}).json()["solutions"] == []


def test_one_solution_without_all(service: Service) -> None:
    result = service.ask("solve", puzzle="@course-3", engine="bt")["result"]
    assert len(result["solutions"]) == 1
    assert result["exact"] is False


def test_cells_count_every_value(service: Service, api: httpx.Client) -> None:
    job = service.ask("compare", puzzle="@course-1", engines=["bt", "sat"])
    cells = api.get(f"{job['links']['self']}/cells").json()
    assert cells["total"] == 2
    assert cells["exact"] is True
    assert all(sum(counts.values()) == 2 for counts in cells["cells"])
    assert sum(len(counts) > 1 for counts in cells["cells"]) == 4


def test_cells_are_counted_where_nobody_lists(service: Service, api: httpx.Client) -> None:
    job = service.ask("count", puzzle="@latin-6", cells=True)
    cells = api.get(f"{job['links']['self']}/cells").json()
    assert (cells["source"], cells["total"]) == ("counting", 812851200)
    assert cells["cells"] == [{str(x): 812851200 // 6 for x in range(1, 7)}] * 36
    free = service.ask("count", puzzle="p cnf 60 1\n1 0\n", cells=True)
    cells = api.get(f"{free['links']['self']}/cells").json()["cells"]
    assert cells[:2] == [{"1": str(2**59)}, {"0": str(2**58), "1": str(2**58)}]
    assert job["result"]["backbone"] == {}
    assert free["result"]["backbone"] == {"v1": 1}
    without = service.ask("count", puzzle="@latin-6")
    assert api.get(f"{without['links']['self']}/cells").status_code == 404


@pytest.mark.parametrize("kind", ["listing", "counting"])
def test_a_certificate_can_be_downloaded_and_verified(
    service: Service, api: httpx.Client, tmp_path: Path, kind: str
) -> None:
    job = service.ask("count", puzzle="@course-1", certificate=kind)
    answer = api.get(f"{job['links']['self']}/certificate")
    assert answer.status_code == 200
    assert job["result"]["certificate"] == {
        "file": "certificate",
        "kind": kind,
        "bytes": len(answer.content),
        "reason": "",
    }
    file = tmp_path / "certificate"
    file.write_bytes(answer.content)
    header, count, _ = verify(str(file))
    assert (header["kind"], count) == (kind, 2)
    # Whoever changes a letter of it is found out.
    whole = gzip.decompress(answer.content).replace(b'"count": 2', b'"count": 3')
    file.write_bytes(gzip.compress(whole))
    with pytest.raises(Rejected):
        verify(str(file))


def test_why_there_is_no_certificate_is_said(service: Service, api: httpx.Client) -> None:
    job = service.ask("count", puzzle="@course-4", certificate="listing", engine="fc-mrv")
    assert job["result"]["certificate"]["file"] is None
    assert "286470 solutions" in job["result"]["certificate"]["reason"]
    assert api.get(f"{job['links']['self']}/certificate").status_code == 404


def test_tree_compares_and_audits(service: Service) -> None:
    result = service.ask("tree", tree="[[3, 5], [2, 9]]")["result"]
    assert (result["verdict"], result["value"], result["moves"]) == ("agree", 3, [0])
    audited = service.ask("tree", tree="[[3, 5], [2, 9]]", answer="value: 9\nvisited: 3 5 2")["result"]
    assert audited["verdict"] == "disagree"
    assert audited["answer"]["passed"] is False


def test_a_lying_engine_is_caught(service: Service) -> None:
    result = service.ask("compare", puzzle="@course-1", engines=["bt", "sat", "liar"])["result"]
    assert result["verdict"] == "disagree"
    assert {finding["engine"] for finding in result["findings"]} == {"liar"}


def runs_of(service: Service, engines: list[str], **limits: int) -> dict[str, tuple[str, str]]:
    job = service.ask("compare", puzzle=FOUR, engines=engines, **limits)
    assert job["status"] == "done"
    return {engine["name"]: (engine["status"], engine["reason"]) for engine in job["result"]["engines"]}


def test_a_crash_a_hang_and_a_memory_kill_are_statuses_of_runs(service: Service) -> None:
    runs = runs_of(service, ["bt", "hangs", "sat"], time_limit=2)
    assert runs["bt"] == runs["sat"] == ("complete", "")
    assert runs["hangs"] == ("stopped", "time")
    runs = runs_of(service, ["bt", "dies", "swells", "sat"], time_limit=60, max_memory=700)
    assert runs["bt"] == runs["sat"] == ("complete", "")
    assert runs["dies"] == ("failed", "killed by SIGSEGV")
    assert runs["swells"][0] == "failed"
    assert "MB of memory" in runs["swells"][1]
    assert service.ask("count", puzzle=FOUR, engine="sat")["status"] == "done"


def test_without_waiting_the_job_is_accepted_and_found_at_its_address(api: httpx.Client) -> None:
    answer = api.post("/api/count", json={"puzzle": "@queens-8", "engine": "bt"})
    assert answer.status_code == 202
    address = answer.headers["location"]
    job = eventually(lambda: (found := api.get(address).json())["status"] == "done" and found)
    assert job["result"]["count"] == 92
    again = api.post("/api/count", json={"puzzle": "@queens-8", "engine": "bt"})
    assert (again.status_code, again.headers["location"]) == (200, address)


def test_prefer_wait_does_the_same(api: httpx.Client) -> None:
    answer = api.post("/api/count", json={"puzzle": "@queens-6", "engine": "bt"}, headers={"Prefer": "wait=30"})
    assert answer.status_code == 200
    assert answer.json()["result"]["count"] == 4


def read_events(lines: Any) -> list[tuple[int, str, dict[str, Any]]]:
    found, seq, kind = [], 0, ""
    for line in lines:
        name, _, value = line.partition(": ")
        if name == "id":
            seq = int(value)
        elif name == "event":
            kind = value
        elif name == "data":
            found.append((seq, kind, json.loads(value)))
    return found


def test_events_tell_engines_and_verdict_and_resume(api: httpx.Client) -> None:
    job = api.post("/api/compare", json={"puzzle": "@course-2", "engines": ["bt", "sat", "gac"]}).json()
    with api.stream("GET", job["links"]["events"]) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        told = read_events(stream.iter_lines())
    kinds = [kind for _, kind, _ in told]
    assert kinds[0] == "started"
    assert kinds[-1] == "done"
    assert {data["name"] for _, kind, data in told if kind == "engine"} == {"bt", "sat", "gac"}
    assert (told[-1][2]["verdict"], told[-1][2]["count"]) == ("agree", 48)
    assert [seq for seq, _, _ in told] == sorted({seq for seq, _, _ in told})
    before_last = str(told[-2][0])
    with api.stream("GET", job["links"]["events"], headers={"Last-Event-ID": before_last}) as stream:
        assert read_events(stream.iter_lines()) == [told[-1]]
    nothing = api.get(job["links"]["events"], headers={"Last-Event-ID": str(told[-1][0])})
    assert nothing.status_code == 204


def test_cancel_ends_a_long_job(service: Service, api: httpx.Client) -> None:
    job = api.post("/api/count", json={"puzzle": "@course-5", "engine": "bf", "time_limit": 300}).json()
    address = job["links"]["self"]
    progress = eventually(lambda: api.get(address).json()["progress"])
    assert progress["engines"][0]["name"] == "bf"
    with service.client("127.0.0.9") as stranger:
        assert stranger.delete(address).status_code == 403
    assert api.delete(address).json()["status"] == "cancelled"
    assert api.delete(address).json()["status"] == "cancelled"
    again = api.post("/api/count", json={"puzzle": "@course-5", "engine": "bf", "time_limit": 300}).json()
    assert again["id"] != job["id"]
    api.delete(again["links"]["self"])


def test_a_job_that_two_clients_want_goes_on_when_one_leaves(service: Service, api: httpx.Client) -> None:
    request = {"puzzle": "@course-5", "engine": "bt", "time_limit": 299}
    with service.client("127.0.0.9") as other:
        address = api.post("/api/count", json=request).json()["links"]["self"]
        assert other.post("/api/count", json=request).json()["links"]["self"] == address
        assert api.delete(address).json()["status"] in ("queued", "running")
        assert other.delete(address).json()["status"] == "cancelled"


def test_engines_and_puzzles_are_listed(api: httpx.Client) -> None:
    engines = {engine["name"]: engine for engine in api.get("/api/engines").json()}
    assert engines["sat"]["family"] == "cnf"
    assert engines["bt"]["default"] is True
    puzzles = {puzzle["name"]: puzzle for puzzle in api.get("/api/puzzles").json()}
    assert puzzles["@course-3"]["count"] == 413
    assert puzzles["@blank-9"]["count"] == "6670903752021072936960"


def test_health_and_metrics(service: Service, api: httpx.Client) -> None:
    service.ask("count", puzzle=FOUR, engine="bt")
    health = api.get("/health").json()
    assert health["status"] == "ok"
    text = api.get("/metrics").text
    assert 'crosscount_jobs{status="queued"}' in text
    assert 'crosscount_requests_total{method="POST",route="/api/count",status="200"}' in text
    assert 'crosscount_jobs_ended_total{status="done"}' in text


def test_the_example_in_openapi_is_a_real_answer(service: Service, api: httpx.Client) -> None:
    schema = api.get("/openapi.json").json()
    described = schema["paths"]["/api/count"]["post"]["responses"]["200"]
    shown = described["content"]["application/json"]["example"]
    job = service.ask("count", **shown["request"])
    assert timeless(job["result"]) == timeless(shown["result"])
    assert set(shown) <= set(job)
    for name in ("compare", "count", "check", "solve", "tree"):
        (example,) = schema["components"]["schemas"][f"{name.title()}Request"]["examples"]
        assert service.ask(name, **example)["status"] == "done"


def test_openapi_is_complete(api: httpx.Client) -> None:
    schema = api.get("/openapi.json").json()
    for operation in ("compare", "count", "check", "solve", "tree"):
        post = schema["paths"][f"/api/{operation}"]["post"]
        assert {"200", "202", "413", "422", "429"} <= set(post["responses"])
        assert "application/problem+json" in post["responses"]["429"]["content"]
        assert "example" in post["responses"]["200"]["content"]["application/json"]
    assert {"/api/jobs/{job_id}", "/api/jobs/{job_id}/events", "/health", "/metrics"} <= set(schema["paths"])
