"""Bars on a logarithmic scale as SVG: engines side by side from microseconds to hours."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

WIDTH, LEFT, RIGHT, TOP, ROW = 460, 84, 84, 8, 26


@dataclass(frozen=True, slots=True)
class Bar:
    """One engine; `value` None where there is nothing to show, and then `text` says why."""

    name: str
    value: float | None
    text: str
    style: str = ""


def bars(rows: Sequence[Bar], label: str, show: Callable[[float], str]) -> str:
    """Horizontal bars, with a tick at every power of ten; `show` names a tick."""
    known = [row.value for row in rows if row.value is not None and row.value > 0]
    low = floor(log10(min(known))) if known else 0
    high = ceil(log10(max(known))) if known else 1
    # A bar at the lowest power would have no length at all.
    low, high = (low - 1, max(high, low + 1)) if known and min(known) <= 10**low * 1.5 else (low, max(high, low + 1))
    room = WIDTH - LEFT - RIGHT

    def place(value: float) -> float:
        return LEFT + room * (log10(value) - low) / (high - low)

    height = TOP + ROW * len(rows) + 22
    parts = [_tick(place(10.0**power), show(10.0**power), height) for power in _ticks(low, high)]
    for k, row in enumerate(rows):
        y = TOP + k * ROW
        parts.append(f'<text class="engine" x="{LEFT - 8}" y="{y + 12}" dy=".36em">{escape(row.name)}</text>')
        end = float(LEFT)
        if row.value is not None and row.value > 0:
            end = place(row.value)
            parts.append(
                f'<rect class="bar {row.style}" x="{LEFT}" y="{y + 4}" width="{max(1.0, end - LEFT):.1f}" '
                f'height="{ROW - 10}" rx="2"/>'
            )
        parts.append(f'<text class="figure" x="{end + 6:.1f}" y="{y + 12}" dy=".36em">{escape(row.text)}</text>')
    return (
        f'<svg class="chart" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(label)}">'
        f"{''.join(parts)}</svg>"
    )


def _ticks(low: int, high: int) -> range:
    """No more than six of them."""
    return range(low, high + 1, max(1, ceil((high - low) / 5)))


def _tick(x: float, text: str, height: int) -> str:
    bottom = height - 22
    return (
        f'<path class="tick" d="M{x:.1f} {TOP}V{bottom}"/>'
        f'<text class="tick" x="{x:.1f}" y="{bottom + 14}">{escape(text)}</text>'
    )


def count_tick(value: float) -> str:
    """1, 1k, 1M, 1G; below one nothing."""
    if value < 1:
        return ""
    for power, letter in ((12, "T"), (9, "G"), (6, "M"), (3, "k")):
        if value >= 10**power:
            return f"{value / 10**power:g}{letter}"
    return f"{value:g}"


def seconds_tick(value: float) -> str:
    """1 ms, 10 s."""
    if value < 1e-3:
        return f"{value * 1e6:g} µs"
    return f"{value * 1e3:g} ms" if value < 1 else f"{value:g} s"
