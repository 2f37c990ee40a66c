"""The page in a real browser. Any error in its console, and any request to elsewhere, fails the test it happens in."""

import os
import re
import shutil
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect, sync_playwright

from tests.service.conftest import Service

CHROMIUM = shutil.which("chromium")
ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
]
REQUIRED = "chromium" in os.environ.get("CROSSCOUNT_REQUIRE", "")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None and not REQUIRED, reason="needs Debian's chromium: apt-get install chromium"),
]
COURSE_3 = """
. . . | . . 8 | . 4 .
. 9 . | 6 . . | 8 . 3
. . . | 1 5 . | . . .
2 . . | 7 3 . | . 6 .
4 . 6 | . 1 . | . 7 .
. . . | . . . | . . .
7 . 5 | . . 1 | . . .
8 . . | . . . | . . .
9 6 3 | 8 . . | 5 . .
"""
TREE = "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    assert CHROMIUM is not None, "CROSSCOUNT_REQUIRE asks for chromium, and there is none"
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield found
        found.close()


class Watch:
    """Opens pages, and notes whatever they should not do."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser, self.address = browser, address
        self.contexts: list[BrowserContext] = []
        self.wrong: list[str] = []

    def __call__(self, path: str = "/", allow: str | None = None, **options: Any) -> Page:
        """`allow` is a pattern of console errors that a test brings about on purpose."""
        context = self.browser.new_context(base_url=self.address, **options)
        self.contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)

        def on_console(message: ConsoleMessage) -> None:
            if message.type in ("error", "warning") and not (allow and re.search(allow, message.text)):
                self.wrong.append(f"console: {message.text}")

        def on_request(request: Request) -> None:
            if urlsplit(request.url).hostname not in ("127.0.0.1", None):
                self.wrong.append(f"request: {request.url}")

        page.on("console", on_console)
        page.on("pageerror", lambda error: self.wrong.append(f"script: {error}"))
        page.on("request", on_request)
        page.goto(path)
        return page


@pytest.fixture
def open_page(browser: Browser, service: Service) -> Iterator[Watch]:
    watch = Watch(browser, service.url)
    yield watch
    for context in watch.contexts:
        context.close()
    assert not watch.wrong, "\n".join(watch.wrong)


def test_errors_forbidden_styles_and_requests_to_elsewhere_are_noticed(open_page: Watch) -> None:
    page = open_page("/")
    page.evaluate("console.error('something went wrong')")
    page.evaluate("setTimeout(() => { throw new Error('thrown') })")
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<p style=\"color: red\">inline</p>')")
    page.evaluate("fetch('http://localhost:9/').catch(() => 0)")
    page.wait_for_timeout(200)
    noted = "\n".join(open_page.wrong)
    open_page.wrong.clear()
    for words in ("something went wrong", "script: thrown", "inline style", "localhost:9"):
        assert words in noted, noted


@pytest.fixture(scope="module")
def course_1(service: Service) -> str:
    return f"/jobs/{service.ask('compare', puzzle='@course-1', cells=True)['id']}"


def fill_of(page: Page, selector: str) -> str:
    """The colour that a cell really has."""
    return str(page.eval_on_selector(selector, "element => getComputedStyle(element).fill"))


def test_the_start_page_says_what_it_does_before_anything_is_typed(open_page: Watch) -> None:
    page = open_page("/")
    expect(page.get_by_role("heading", level=1)).to_have_text("How many solutions does this puzzle have, and which?")
    expect(page.get_by_text("every grid is checked")).to_be_visible()
    expect(page.get_by_role("button", name="Compare the engines")).to_be_visible()


def test_a_pasted_puzzle_is_compared_to_exactly_413(open_page: Watch) -> None:
    page = open_page("/")
    page.get_by_label("The puzzle, in any format").fill(COURSE_3)
    expect(page.locator("#preview")).to_contain_text("Sudoku, 9×9: 81 cells, 25 given")  # noqa: RUF001 - as on the page
    page.get_by_role("button", name="Compare the engines").click()
    expect(page.get_by_role("heading", name="Exactly 413 solutions")).to_be_visible(timeout=30_000)
    for engine in ("bf", "bt", "fc-mrv", "gac", "sat", "cpsat"):
        expect(page.get_by_role("row", name=re.compile(rf"^{engine} "))).to_contain_text("exactly 413")
    expect(page.locator("#announce")).to_contain_text("Exactly 413 solutions")
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    assert "\ngac,native,complete,,413," in download.value.path().read_text()
    page.get_by_role("link", name="Solutions").click()
    expect(page.get_by_text("1 to 12 of 413, which are all")).to_be_visible()
    page.get_by_role("link", name="Last").first.click()
    expect(page.get_by_text("409 to 413 of 413")).to_be_visible()


def test_what_cannot_be_read_is_said_where_it_was_typed(open_page: Watch) -> None:
    page = open_page("/", allow="status of 422")
    page.get_by_label("The puzzle, in any format").fill("1 2 3\n4 5")
    page.get_by_role("button", name="Compare the engines").click()
    expect(page.get_by_role("alert").first).to_contain_text("expected")
    expect(page.get_by_label("The puzzle, in any format")).to_have_value("1 2 3\n4 5")


def test_a_lying_engine_shows_a_coloured_finding(open_page: Watch) -> None:
    page = open_page("/?source=bundled&bundled=@course-1")
    page.get_by_text("Engines and limits").click()
    for box in page.get_by_role("group", name="Engines").get_by_role("checkbox").all():
        box.set_checked(box.get_attribute("value") in ("liar", "bt", "sat"))
    page.get_by_role("button", name="Compare the engines").click()
    expect(page.get_by_role("heading", name="liar is wrong")).to_be_visible(timeout=30_000)
    finding = page.locator(".finding").filter(has_text="not a solution").first
    expect(finding).to_contain_text("liar")
    assert finding.locator(".cell.broken").count() >= 2
    assert fill_of(page, ".finding .cell.broken rect") == "rgb(246, 181, 174)"
    assert fill_of(page, ".finding .cell:not(.broken):not(.inside) rect") == "rgb(255, 255, 255)"


def test_a_long_job_is_cancelled(open_page: Watch) -> None:
    page = open_page("/?source=bundled&bundled=@blank-9&time_limit=120")
    page.get_by_role("button", name="Compare the engines").click()
    expect(page.locator("tr.running").first).to_contain_text("so far", timeout=30_000)
    expect(page.get_by_role("heading", name="Searching")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("heading", name="Cancelled")).to_be_visible()
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)


def test_a_page_goes_on_by_itself_once_the_connection_is_back(open_page: Watch) -> None:
    page = open_page("/?source=bundled&bundled=@course-2", allow="ERR_INTERNET_DISCONNECTED|htmx")
    page.get_by_text("Engines and limits").click()
    page.get_by_label("hangs").check()
    page.get_by_label("Seconds for each engine").fill("3")
    page.get_by_role("button", name="Compare the engines").click()
    expect(page.get_by_role("heading", name="Searching")).to_be_visible()
    page.context.set_offline(True)
    page.wait_for_timeout(1500)
    page.context.set_offline(False)
    expect(page.get_by_role("heading", name="Exactly 48 solutions")).to_be_visible(timeout=20_000)


def test_a_permanent_link_shows_the_same_to_anybody(open_page: Watch, course_1: str) -> None:
    page = open_page(course_1)
    expect(page.get_by_role("heading", name="Exactly 2 solutions")).to_be_visible()
    before = page.locator("#live").inner_text()
    page.reload()
    assert page.locator("#live").inner_text() == before
    assert open_page(course_1).locator("#live").inner_text() == before


def test_the_replay_steps_plays_and_scrubs_through_two_searches(open_page: Watch, course_1: str) -> None:
    page = open_page(f"{course_1}/replay?left=bf&right=fc-mrv")
    left, right = page.locator("[data-side=left]"), page.locator("[data-side=right]")
    slider = page.get_by_role("slider", name="Step")
    expect(slider).to_be_visible(timeout=30_000)
    page.get_by_role("button", name="One step on").click()
    expect(left.locator("[data-nodes]")).to_have_text("1")
    expect(left.locator(".cell.current")).to_have_count(1)
    expect(right.locator(".mark.on").first).to_be_visible()
    page.get_by_role("button", name="Play").click()
    expect(slider).not_to_have_value("1")
    page.get_by_role("button", name="Pause").click()
    slider.focus()
    page.keyboard.press("End")
    # As in the course's own reports.
    expect(left.locator("[data-nodes]")).to_have_text("2,205")
    expect(right.locator("[data-nodes]")).to_have_text("45")
    expect(right.locator("[data-found]")).to_have_text("2")
    expect(left.locator("[data-because]")).to_contain_text("exactly 2 solutions")
    page.keyboard.press("Home")
    expect(left.locator("[data-nodes]")).to_have_text("0")
    page.get_by_label("Search on the left").select_option("bt")
    slider.focus()
    page.keyboard.press("End")
    expect(left.locator("[data-nodes]")).to_have_text("246")
    dead = next(k for k in range(1, 60) if _at(page, k) and left.locator(".cell.broken").count())
    assert dead
    expect(left.locator("[data-because]")).to_contain_text("no value fits")


def _at(page: Page, step: int) -> bool:
    page.eval_on_selector("#slider", f"s => {{ s.value = {step}; s.dispatchEvent(new Event('input')) }}")
    return True


def test_the_ambiguity_map_of_the_first_homework_puzzle(open_page: Watch, course_1: str) -> None:
    page = open_page(f"{course_1}/map")
    expect(page.locator(".map .cell.open")).to_have_count(4)
    expect(page.get_by_text("Exact: from all 2 solutions")).to_be_visible()
    expect(page.locator(".map .cell.open title").first).to_have_text("r4c5: 1 in 1, 6 in 1 of 2 solutions")
    assert fill_of(page, ".map .cell.open rect") != fill_of(page, ".map .cell.given rect")
    expect(page.locator(".clues")).to_contain_text("1 extra clue makes it unique: r4c5 = 1. No smaller set does.")
    page.get_by_role("button", name="Compare it with this clue").click()
    expect(page.get_by_role("heading", name="Exactly 1 solution")).to_be_visible(timeout=30_000)


def test_a_tree_is_stepped_through_and_an_answer_audited(open_page: Watch) -> None:
    page = open_page("/tree")
    page.get_by_label("The tree").fill(TREE)
    page.get_by_role("button", name="Search the tree").click()
    expect(page.get_by_role("heading", name="Alpha-beta and minimax agree: 3")).to_be_visible(timeout=30_000)
    expect(page.locator("svg.tree .strike")).to_have_count(2)
    slider = page.get_by_role("slider", name="Step")
    slider.focus()
    page.keyboard.press("Home")
    expect(page.locator("[data-beta]")).to_have_text("∞")
    _at(page, 8)
    expect(page.locator("[data-alpha]")).to_have_text("3")
    expect(page.locator("[data-beta]")).to_have_text("2")
    expect(page.locator("#tree-player [data-because]")).to_contain_text("beta <= alpha: the last 2 branches of /1")
    page.get_by_label("The leaves a student visited").fill("3 12 8 2 14")
    page.get_by_role("button", name="Audit it").click()
    expect(page.get_by_role("heading", name="The answer is wrong")).to_be_visible(timeout=30_000)
    expect(page.locator(".finding")).to_contain_text("pruned without right")
    expect(page.locator("svg.tree .wrong")).to_have_count(1)


def test_a_grid_is_typed_and_run_with_the_keyboard_alone(open_page: Watch) -> None:
    page = open_page("/?size=4")
    page.get_by_label("Paste").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")  # the family
    page.keyboard.press("Tab")  # the size
    page.keyboard.press("Tab")  # the grid, which is one stop
    page.keyboard.type("1234")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    page.keyboard.type("34")
    page.keyboard.press("Backspace")  # nothing there: clears the cell before
    expect(page.get_by_label("row 1 column 4")).to_have_value("4")
    expect(page.get_by_label("row 2 column 1")).to_have_value("3")
    expect(page.get_by_label("row 2 column 2")).to_have_value("")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Exactly 6 solutions")).to_be_visible(timeout=30_000)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Ambiguity":
            break
    page.keyboard.press("Enter")
    expect(page.locator(".map svg.puzzle")).to_be_visible()


def test_every_page_fits_a_phone(open_page: Watch, course_1: str, service: Service) -> None:
    tree = f"/jobs/{service.ask('tree', tree=TREE)['id']}"
    page = open_page("/", **PHONE)
    for path in ("/?edit=@course-3", "/tree", course_1, f"{course_1}/solutions", f"{course_1}/map", tree):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
    page.goto(f"{course_1}/replay")
    expect(page.get_by_role("slider", name="Step")).to_be_visible(timeout=30_000)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_dark_and_light_follow_the_reader(open_page: Watch, course_1: str) -> None:
    grounds = {
        scheme: open_page(course_1, color_scheme=scheme).evaluate("getComputedStyle(document.body).backgroundColor")
        for scheme in ("light", "dark")
    }
    assert grounds == {"light": "rgb(247, 246, 243)", "dark": "rgb(20, 22, 26)"}


def test_it_works_without_scripts(open_page: Watch, course_1: str) -> None:
    page = open_page("/?source=bundled&bundled=@four-4", java_script_enabled=False)
    page.get_by_role("button", name="Compare the engines").click()
    expect(page.get_by_role("heading", name="Exactly 3 solutions")).to_be_visible(timeout=30_000)
    page.goto(f"{course_1}/replay?left=bt&right=fc-mrv&step=20")
    expect(page.locator("[data-side=left] .cell.current")).to_have_count(1)
    page.get_by_role("link", name="Next").click()
    assert "step=21" in page.url


def test_everything_has_a_name_for_those_who_listen(open_page: Watch, course_1: str) -> None:
    nameless = """() => [...document.querySelectorAll("button, a, input, select, textarea, svg[role=img]")]
        .filter(e => e.type !== "hidden" && !e.hidden && !e.closest("[hidden]"))
        .filter(e => !(e.getAttribute("aria-label") || e.textContent.trim() || (e.labels && e.labels.length)))
        .map(e => e.outerHTML.slice(0, 120))"""
    page = open_page("/")
    for path in ("/", "/tree", course_1, f"{course_1}/solutions", f"{course_1}/map", f"{course_1}/replay"):
        page.goto(path)
        assert page.evaluate(nameless) == [], path
        assert page.get_by_role("heading", level=1).count() == 1, path
        assert page.get_by_role("main").count() == 1, path
