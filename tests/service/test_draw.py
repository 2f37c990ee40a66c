"""What the server draws: well-formed, named, and true to the numbers."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import crosscount.service
from crosscount.compare.ambiguity import of_solutions
from crosscount.puzzles import collection
from crosscount.puzzles.read import read_one
from crosscount.service.draw import draw, heat_class, values_of
from crosscount.service.draw_chart import Bar, bars, count_tick, seconds_tick
from crosscount.service.pages_grid import ambiguity_map, broken_cells, finding, givens, short

STATIC = Path(crosscount.service.__file__).parent / "static"


@pytest.mark.parametrize("name", collection.names())
def test_every_bundled_puzzle_is_drawn_with_all_its_cells(name: str) -> None:
    puzzle = collection.entry(name).puzzle
    for slots in (False, True):
        drawn = ElementTree.fromstring(draw(puzzle, values_of(puzzle), "a & b", slots=slots))
        assert len(drawn.findall(".//*[@data-cell]")) == len(puzzle.domains)
        assert drawn.get("aria-label") == "a & b"
    assert "blank" in givens(puzzle) or all(len(domain) == 1 for domain in puzzle.domains)


def test_thick_lines_are_where_regions_meet() -> None:
    drawn = ElementTree.fromstring(givens(read_one("@four-1").puzzle))
    thick = drawn.find(".//*[@class='thick']")
    assert thick is not None
    # Around a 4x4 grid 16 pieces, and 8 more for the cross in its middle.
    assert len(re.findall("M", thick.get("d") or "")) == 24


def test_broken_cells_are_those_that_repeat_a_value_and_those_around_them() -> None:
    puzzle = read_one("@four-1").puzzle
    blank = read_one("@blank-4").puzzle
    values = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 2]
    styles = broken_cells(blank, values)
    assert {v for v, style in styles.items() if style == "broken"} == {7, 14, 15}
    assert styles[3] == "inside"
    given = next(v for v, domain in enumerate(puzzle.domains) if len(domain) == 1)
    solved = [domain[0] for domain in puzzle.domains]
    solved[given] = solved[given] % 4 + 1
    assert broken_cells(puzzle, solved)[given] == "broken"


def test_a_missing_solution_is_shown_with_how_it_differs() -> None:
    puzzle = read_one("@blank-4").puzzle
    rows = [[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]]
    other = (1, 2, 3, 4, 3, 4, 1, 2, 4, 3, 2, 1, 2, 1, 4, 3)
    shown = finding(puzzle, {"kind": "missing", "engine": "mine", "because": "it lacks one", "witness": rows}, [other])
    assert "lacks" in shown.caption
    assert shown.svg.count("found differs") == 8
    bare = finding(puzzle, {"kind": "crashed", "engine": "mine", "because": "it failed", "witness": None}, [])
    assert bare.svg == ""


def test_the_map_is_warm_where_solutions_differ() -> None:
    puzzle = read_one("@four-3").puzzle
    blank = [v for v, domain in enumerate(puzzle.domains) if len(domain) > 1]
    base = [domain[0] for domain in puzzle.domains]
    second = [2 if v == blank[0] else x for v, x in enumerate(base)]
    found = of_solutions([base, second], exact=True)
    svg = ambiguity_map(puzzle, found, {blank[0]: 2})
    assert svg.count("heat-8") == 1
    assert svg.count('class="outline"') == 1
    assert f"{puzzle.names[blank[0]]}: 1 in 1, 2 in 1 of 2 solutions" in svg


def test_heat_has_eight_shades() -> None:
    assert [heat_class(x) for x in (0.0, 0.01, 0.5, 1.0)] == ["", "heat-1", "heat-4", "heat-8"]


def test_bars_are_on_a_logarithmic_scale() -> None:
    svg = bars(
        [Bar("a", 100, "100"), Bar("b", 10_000, "10k"), Bar("c", 1_000_000, "1M"), Bar("d", None, "-")], "x", str
    )
    widths = [float(w) for w in re.findall(r'class="bar [^>]*width="([\d.]+)"', svg)]
    assert len(widths) == 3
    assert widths[1] - widths[0] == pytest.approx(widths[2] - widths[1], abs=0.2)
    ElementTree.fromstring(bars([], "nothing", str))
    ElementTree.fromstring(bars([Bar("a", 0, "0")], "zero", str))


def test_ticks_and_short_numbers() -> None:
    assert [count_tick(10.0**k) for k in (-1, 0, 3, 7)] == ["", "1", "1k", "10M"]
    assert [seconds_tick(10.0**k) for k in (-4, -2, 1)] == ["100 µs", "10 ms", "10 s"]
    assert [short(n) for n in (9, 9999, 14200, 2680, 3 * 10**8)] == ["9", "9999", "14k", "2680", "300M"]


def luminance(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """As WCAG 2 defines it."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def schemes() -> dict[str, dict[str, str]]:
    """The colours of the stylesheets, light and dark."""
    found: dict[str, dict[str, str]] = {"light": {}, "dark": {}}
    for file in ("page.css", "drawing.css"):
        text = (STATIC / file).read_text(encoding="utf-8")
        light, dark = (re.search(pattern, text, re.DOTALL | re.MULTILINE) for pattern in (LIGHT, DARK))
        assert light is not None
        assert dark is not None
        found["light"] |= dict(re.findall(r"--([\w-]+): (#[0-9a-fA-F]{6})", light[1]))
        found["dark"] |= dict(re.findall(r"--([\w-]+): (#[0-9a-fA-F]{6})", dark[1]))
    found["dark"] = found["light"] | found["dark"]
    return found


LIGHT = r"^:root \{(.*?)^\}"
DARK = r"prefers-color-scheme: dark\) \{\s*:root \{(.*?)\}"
PAIRS = [
    *[("ink", ground) for ground in ("ground", "panel", "sunken", "agree-soft", "disagree-soft", "undecided-soft")],
    *[("muted", ground) for ground in ("ground", "panel", "sunken")],
    *[("accent", ground) for ground in ("ground", "panel", "accent-soft")],
    *[(tone, f"{tone}-soft") for tone in ("agree", "disagree", "undecided")],
    *[("accent-ink", "accent"), ("disagree", "panel"), ("given", "cell"), ("found", "cell"), ("mark", "cell")],
    *[("broken-ink", "broken"), ("found", "inside"), ("found", "differs"), ("found", "current"), ("given", "square")],
    *[("given", f"heat-{k}") for k in range(1, 9)],
]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), PAIRS)
def test_text_can_be_read_on_its_ground(scheme: str, text: str, ground: str) -> None:
    colours = schemes()[scheme]
    assert contrast(colours[text], colours[ground]) >= 4.5


def test_the_check_of_contrast_can_fail() -> None:
    assert contrast("#777777", "#888888") < 4.5
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
