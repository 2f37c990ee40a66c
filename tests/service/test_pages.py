"""The pages as a browser without scripts gets them, and the forms as it sends them."""

import html
import json
import re
from typing import Any

import httpx
import pytest

from crosscount.compare.replay import replay, to_object
from crosscount.puzzles.read import read_one
from tests.service.conftest import Service

NAMED = 'family = "sudoku"\nname = "<script>alert(1)</script>"\ngrid = """\n1 . . .\n. . . .\n. . . 2\n. . . .\n"""\n'
TREE = "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"


@pytest.fixture(scope="module")
def four(service: Service) -> str:
    return f"/jobs/{service.ask('compare', puzzle='@four-4', cells=True)['id']}"


@pytest.fixture(scope="module")
def tree(service: Service) -> str:
    return f"/jobs/{service.ask('tree', tree=TREE)['id']}"


def page(api: httpx.Client, path: str, status: int = 200) -> str:
    answer = api.get(path, headers={"accept": "text/html"})
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"].startswith("text/html")
    return answer.text


def sent(api: httpx.Client, path: str, **form: Any) -> httpx.Response:
    return api.post(path, data=form, headers={"accept": "text/html"})


def test_a_form_becomes_a_job_and_the_same_form_the_same_job(api: httpx.Client) -> None:
    first = sent(api, "/compare", source="paste", text="1... .... ...2 ....")
    again = sent(api, "/compare", source="paste", text="1 0 0 0\n0 0 0 0\n0 0 0 2\n0 0 0 0")
    assert first.status_code == again.status_code == 303
    assert first.headers["location"].startswith("/jobs/")
    assert first.headers["location"] == again.headers["location"]


def test_the_grid_editor_sends_its_cells(api: httpx.Client) -> None:
    cells = ["1", "", "", "", *[""] * 12]
    grid = sent(api, "/compare", source="grid", kind="sudoku", size="4", cell=cells)
    text = sent(api, "/compare", source="paste", text="1... .... .... ....")
    assert grid.headers["location"] == text.headers["location"]
    other = sent(api, "/compare", source="grid", kind="latin", size="4", cell=cells)
    assert other.headers["location"] != text.headers["location"]


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"source": "paste", "text": ""}, "Nothing was pasted"),
        ({"source": "paste", "text": "1 2 3\n4 5"}, "expected"),
        ({"source": "bundled", "bundled": "@nowhere"}, "no such puzzle"),
        ({"source": "grid", "size": "4", "cell": ["7"]}, "r1c1 is 7, expected 1 to 4"),
        ({"source": "paste", "text": "@four-1", "time_limit": "soon"}, "expected a number above 0"),
        ({"source": "paste", "text": "@four-1", "time_limit": "9999"}, "expected at most 300"),
        ({"source": "paste", "text": "@four-1", "engines": ["gacc"]}, "did you mean gac?"),
    ],
)
def test_a_form_that_cannot_be_used_comes_back_with_what_is_wrong(
    api: httpx.Client, form: dict[str, Any], words: str
) -> None:
    answer = sent(api, "/compare", **form)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert words in answer.text.replace("&#39;", "'")


def test_the_preview_draws_what_was_read_or_says_why_not(api: httpx.Client) -> None:
    assert "<svg" in sent(api, "/preview", source="paste", text="@jigsaw").text
    assert "81 cells, 25 given" in sent(api, "/preview", source="bundled", bundled="@course-3").text
    assert 'role="alert"' in sent(api, "/preview", source="paste", text="12 of these").text


def test_names_are_text_and_never_markup(api: httpx.Client, service: Service) -> None:
    identity = service.ask("compare", puzzle=NAMED, engines=["bt", "sat"])["id"]
    for part in ("", "/solutions", "/map", "/replay", "/print"):
        text = page(api, f"/jobs/{identity}{part}")
        assert "<script>alert" not in text
        assert "&lt;script&gt;alert(1)" in text


def test_a_job_that_does_not_exist_is_a_page_for_people_and_a_problem_for_programs(api: httpx.Client) -> None:
    assert "no job is called nowhere" in page(api, "/jobs/nowhere", 404)
    assert api.get("/jobs/nowhere").headers["content-type"] == "application/problem+json"


def test_no_page_needs_what_the_content_security_policy_forbids(api: httpx.Client, four: str, tree: str) -> None:
    paths = ["/", "/tree", "/login", "/?edit=@course-3", "/jobs/nowhere", four, tree]
    paths += [f"{four}/{part}" for part in ("solutions", "map", "replay", "print", "replay?step=3")]
    addresses: set[str] = set()
    for path in paths:
        text = api.get(path, headers={"accept": "text/html"}).text
        assert not re.search(r"\sstyle\s*=|<style|\son[a-z]+\s*=|javascript:|hx-on|hx-vals=.js", text), path
        assert not re.search(r"<script(?![^>]*\ssrc=)", text), path
        addresses.update(re.findall(r'(?:src|href|action|hx-get|hx-post)="([^"#]*)"', text))
    assert all(address.startswith(("/", "?")) or not address for address in addresses), addresses
    for address in sorted(address for address in addresses if address.startswith("/static/")):
        assert api.get(address).status_code == 200, address


def test_the_player_gets_the_steps_of_the_search(api: httpx.Client, four: str) -> None:
    puzzle = read_one("@four-4").puzzle
    for engine in ("bt", "gac"):
        told = api.get(f"{four}/replay.json", params={"engine": engine}).json()
        assert told == json.loads(json.dumps(to_object(replay(puzzle, engine))))
    refused = api.get(f"{four}/replay.json", params={"engine": "sat"})
    assert (refused.status_code, "expected one of bf, bt" in refused.json()["detail"]) == (422, True)


def test_a_map_is_drawn_from_counting_where_not_all_solutions_are_kept(api: httpx.Client, service: Service) -> None:
    identity = service.ask("count", puzzle="@course-4", cells=True)["id"]
    text = page(api, f"/jobs/{identity}/map")
    assert "Exact: from all 286,470 solutions, counted without listing them." in text
    assert "4 extra clues make it unique: " in text
    assert "It is the smallest that was found; that none is smaller is not shown." in text
    form = re.search(r'<textarea hidden name="text">(.*?)</textarea>', text, re.DOTALL)
    assert form is not None
    clued = service.ask("compare", puzzle=html.unescape(form[1]), engines=["gac", "sat"])
    assert (clued["result"]["verdict"], clued["result"]["count"]) == ("agree", 1)


def test_a_map_of_some_solutions_says_so(api: httpx.Client, service: Service) -> None:
    identity = service.ask("solve", puzzle="@course-3", engine="bt", limit=20)["id"]
    text = page(api, f"/jobs/{identity}/map")
    assert "From 20 solutions that were kept; there may be more." in text
    assert "extra clues make it unique" in text
    assert "others may differ in those that are not known" in text
    counting = api.post(f"/jobs/{identity}/count")
    assert counting.status_code == 303
    service.ask("count", puzzle="@course-3", cells=True, time_limit=300)  # the same job, once it has ended
    assert "Exact: from all 413 solutions, counted without listing them." in page(api, counting.headers["location"])


def test_the_printable_view_has_everything(api: httpx.Client, four: str) -> None:
    text = page(api, f"{four}/print")
    for words in ("Exactly 3 solutions", "Nodes and time", "Ambiguity", "The solutions", "make it unique"):
        assert words in text
    assert text.count('<svg class="puzzle') == 1 + 1 + 3


def test_engines_as_csv(api: httpx.Client, four: str) -> None:
    lines = api.get(f"{four}/engines.csv").text.splitlines()
    assert lines[0] == "name,family,status,reason,count,nodes,seconds,search_seconds"
    assert any(line.startswith("gac,native,complete,,3,") for line in lines)


def test_an_answer_that_is_wrong_is_shown_with_its_broken_cells(api: httpx.Client, service: Service) -> None:
    wrong = service.ask("check", puzzle="@four-4", answer="1234 1234 3412 4321")
    text = page(api, f"/jobs/{wrong['id']}")
    assert "The answer is not a solution" in text
    assert text.count('class="cell found broken"') + text.count('class="cell given broken"') > 0
    assert all(sentence in text for sentence in wrong["result"]["broken"])


def test_an_answer_is_checked_from_the_start_page(api: httpx.Client) -> None:
    form = {"source": "bundled", "bundled": "@blank-4"}
    asked = sent(api, "/check", **form, answer="1234 3412 2143 4321")
    assert asked.status_code == 303
    assert api.get("/api" + asked.headers["location"], params={"wait": 30}).json()["result"]["valid"]
    assert "The answer is a solution" in page(api, asked.headers["location"])
    assert "No answer to check" in sent(api, "/check", **form).text


def test_a_tree_is_drawn_into_the_page_and_into_a_file(api: httpx.Client, tree: str) -> None:
    text = page(api, tree)
    assert '<svg class="tree"' in text
    assert text.count('class="strike"') == 2
    drawing = api.get(f"{tree}/tree.svg")
    assert "<style>" in drawing.text
    assert drawing.headers["content-disposition"].startswith("attachment")
    assert api.get(f"{tree}/tree.json").json()["steps"][0][:4] == ["enter", 0, "-∞", "∞"]


def test_leaves_alone_are_an_answer(api: httpx.Client, service: Service) -> None:
    moved = sent(api, "/tree", tree=TREE, answer="3 12 8 2 14 5 2")
    assert moved.status_code == 303
    service.ask("tree", tree=TREE, answer="visited: 3 12 8 2 14 5 2")
    assert "The answer holds" in page(api, moved.headers["location"])
    refused = sent(api, "/tree", tree="[[3, 5], [")
    assert (refused.status_code, 'role="alert"' in refused.text) == (422, True)


def test_what_belongs_to_another_kind_of_job_is_not_found(api: httpx.Client, four: str, tree: str) -> None:
    for path in (f"{tree}/solutions", f"{tree}/map", f"{tree}/replay", f"{four}/tree.svg", f"{four}/tree.json"):
        assert api.get(path).status_code == 404, path


def test_a_browser_without_the_token_is_asked_for_it(api: httpx.Client) -> None:
    text = page(api, "/login?next=/jobs/x%22%3E")
    assert 'name="next" value="/jobs/x&#34;&gt;"' in text
    assert 'type="password"' in text
    assert "Try again" in api.post("/login", data={"token": "guess"}, headers={"accept": "text/html"}).text
