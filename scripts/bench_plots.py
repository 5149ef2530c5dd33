"""Plots as inline SVG: lines over logarithmic or linear axes, and dots in rows.

They need nothing but the page they stand in: no scripts, no fonts or files from elsewhere. Each point
tells its figures when it is pointed at.
"""

from html import escape
from math import ceil, floor, log10

# gyre's executors in strong colours; rivals follow in muted ones, dashed.
STRONG = {"auto": "#111111", "device_graph": "#1261c4", "persistent": "#c2262e",
          "host_branch": "#d98200", "cpu": "#3d8b37"}
MUTED = ["#7a5195", "#2a9d8f", "#b56576", "#8d6b3f", "#5c7c9c", "#a44a9c", "#6b8e23", "#c77d5a",
         "#4b4b8f", "#999933", "#888888", "#cc6677"]
DASHES = ["6 3", "2 2", "8 3 2 3", "4 2"]
SHORT = "font-size:11px;fill:#555"


def number(value):
    """Three digits, with thousands apart: 0.51, 8.3, 1,024."""
    if value == 0:
        return "0"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    digits = max(0, 2 - floor(log10(abs(value))))
    text = f"{value:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


class Styles:
    """One colour and dash for each name, the same in every plot of a page."""

    def __init__(self):
        self.forms, self.muted = {"": 0}, {}

    def of(self, name):
        """Of `device_graph, expressions` the colour is the executor's, the dash its form's."""
        executor, _, form = name.partition(", ")
        if executor in STRONG:
            at = self.forms.setdefault(form, len(self.forms))
            return STRONG[executor], ("", *DASHES)[at % (len(DASHES) + 1)], 2.2
        at = self.muted.setdefault(name, len(self.muted))
        return MUTED[at % len(MUTED)], DASHES[at % len(DASHES)], 1.4


class LogAxis:
    """Values between `low` and `high` on so many pixels."""

    def __init__(self, values, start, end):
        self.values = sorted(set(values))
        self.low, self.high = min(values) / 1.15, max(values) * 1.15
        self.start, self.end = start, end

    def at(self, value):
        part = (log10(value) - log10(self.low)) / (log10(self.high) - log10(self.low))
        return self.start + part * (self.end - self.start)

    def ticks(self):
        if len(self.values) <= 5:
            return self.values
        decades = range(floor(log10(self.low)), ceil(log10(self.high)) + 1)
        steps = (1, 2, 5) if len(decades) <= 4 else (1,)
        return [step * 10.0**decade for decade in decades for step in steps
                if self.low <= step * 10.0**decade <= self.high]


class LinearAxis:
    """Values from 0 to the largest on so many pixels."""

    def __init__(self, values, start, end):
        self.high = max(values) * 1.05
        self.start, self.end = start, end

    def at(self, value):
        return self.start + value / self.high * (self.end - self.start)

    def ticks(self):
        spacing = round_spacing(self.high)
        return [spacing * i for i in range(int(self.high / spacing) + 1)]


def round_spacing(high):
    """The distance of ticks from 0 to `high`: 1, 2 or 5 times a power of ten, at most eight of them."""
    spacing = 10.0**floor(log10(high / 4))
    return spacing * next(step for step in (1, 2, 5, 10) if high / (spacing * step) <= 8)


def thousands(value):
    """A tick: 0.5, 20, 4k, 16M."""
    for limit, letter in ((1e6, "M"), (1e3, "k")):
        if value >= limit:
            return number(value / limit) + letter
    return number(value)


def text(x, y, words, anchor="middle", style=SHORT):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" style="{style}">{escape(words)}</text>'


def grid(x, y, box, labels):
    """Axes with their ticks, and what they are called."""
    left, top, right, bottom = box
    parts = []
    for tick in x.ticks():
        at = x.at(tick)
        parts.append(f'<path d="M{at:.1f} {top}V{bottom}" stroke="#e4e4e4"/>')
        parts.append(text(at, bottom + 16, thousands(tick)))
    for tick in y.ticks():
        at = y.at(tick)
        parts.append(f'<path d="M{left} {at:.1f}H{right}" stroke="#e4e4e4"/>')
        parts.append(text(left - 6, at + 4, thousands(tick), "end"))
    parts.append(f'<path d="M{left} {top}V{bottom}H{right}" fill="none" stroke="#888"/>')
    parts.append(text((left + right) / 2, bottom + 34, labels[0]))
    parts.append(text(left - 40, top - 9, labels[1], "start"))
    return "".join(parts)


def curve(points, x, y, style, name, labels):
    colour, dash, width = style
    path = "".join(f"{'ML'[i > 0]}{x.at(px):.1f} {y.at(py):.1f}" for i, (px, py) in enumerate(points))
    parts = [f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}" '
             f'stroke-dasharray="{dash}"/>']
    for px, py in points:
        parts.append(f'<circle cx="{x.at(px):.1f}" cy="{y.at(py):.1f}" r="{width + 0.9:.1f}" '
                     f'fill="{colour}"><title>{escape(name)}: {number(py)} at {number(px)} '
                     f'{escape(labels[0])}</title></circle>')
    return "".join(parts)


def legend(names, styles, left, top):
    parts = []
    for i, name in enumerate(names):
        colour, dash, width = styles.of(name)
        at = top + 17 * i
        parts.append(f'<path d="M{left} {at - 4}h26" stroke="{colour}" stroke-width="{width}" '
                     f'stroke-dasharray="{dash}"/>')
        parts.append(text(left + 32, at, name, "start", "font-size:11.5px;fill:#222"))
    return "".join(parts)


def legend_width(names):
    """Room for the longest name, by the mean width of a letter of that size."""
    return max(265, 44 + 6.6 * max(len(name) for name in names))


def lines(title, labels, curves, styles, size=(620, 400), with_legend=True, mark=None,
          axes=(LogAxis, LogAxis)):
    """A plot of `curves`, name -> [(x, y)], over these axes. `mark` is an x and what it is."""
    curves = {name: points for name, points in curves.items() if points}
    if not curves:
        return ""
    width, height = size
    full = round(width + (legend_width(curves) if with_legend else 0))
    box = (56, 52, width - 14, height - 46)
    x = axes[0]([px for points in curves.values() for px, _ in points], box[0], box[2])
    y = axes[1]([py for points in curves.values() for _, py in points], box[3], box[1])
    # The dearest in front, as the eye meets the lines at their right end.
    names = sorted(curves, key=lambda name: -curves[name][-1][1])
    parts = [text(16, 18, title, "start", "font-size:13.5px;font-weight:600;fill:#111"),
             grid(x, y, box, labels)]
    parts += [curve(curves[name], x, y, styles.of(name), name, labels) for name in reversed(names)]
    if mark:
        at = x.at(mark[0])
        parts.append(f'<path d="M{at:.1f} {box[1]}V{box[3]}" stroke="#c2262e" stroke-dasharray="3 3"/>')
        side, shift = ("start", 5) if at < (box[0] + box[2]) / 2 else ("end", -5)
        parts.append(text(at + shift, box[1] + 12, mark[1], side, "font-size:11.5px;fill:#c2262e"))
    if with_legend:
        parts.append(legend(names, styles, width + 4, box[1] + 8))
    return (f'<svg viewBox="0 0 {full} {height}" width="{full}" role="img" '
            f'aria-label="{escape(title)}">{"".join(parts)}</svg>')


def dots(title, unit, rows, styles, marks=()):
    """A row of dots for each name: `rows` is [(name, [(label, value)])], labels in shades. Of
    `executor: name` the executor only gives its colour."""
    rows = [(name, values) for name, values in rows if values]
    if not rows:
        return ""
    left, step, width = 290, 22, 860
    bottom = 44 + step * len(rows)
    high = max(value for _, values in rows for _, value in values) * 1.08
    at = lambda value: left + value / high * (width - left - 30)
    spacing = round_spacing(high)
    parts = [text(16, 18, title, "start", "font-size:13.5px;font-weight:600;fill:#111")]
    for i in range(int(high / spacing) + 1):
        parts.append(f'<path d="M{at(i * spacing):.1f} 32V{bottom}" stroke="#e4e4e4"/>')
        parts.append(text(at(i * spacing), bottom + 16, number(i * spacing)))
    parts.append(text((left + width) / 2, bottom + 34, unit))
    for value, words in marks:
        parts.append(f'<path d="M{at(value):.1f} 32V{bottom}" stroke="#c2262e" stroke-dasharray="3 3"/>')
        parts.append(text(at(value), 30, words, "middle", "font-size:11px;fill:#c2262e"))
    for i, (name, values) in enumerate(rows):
        y = 48 + step * i
        like, _, name = name.rpartition(": ")
        colour = styles.of(like or name)[0]
        parts.append(text(left - 12, y + 4, name, "end", "font-size:11.5px;fill:#222"))
        low, top = (at(f(value for _, value in values)) for f in (min, max))
        parts.append(f'<path d="M{low:.1f} {y}H{top:.1f}" stroke="{colour}" stroke-width="2"/>')
        for shade, (label, value) in enumerate(values):
            parts.append(f'<circle cx="{at(value):.1f}" cy="{y}" r="5" fill="{colour}" '
                         f'fill-opacity="{1 - 0.32 * min(shade, 2):.2f}"><title>{escape(name)}, '
                         f'{escape(str(label))}: {number(value)} {escape(unit)}</title></circle>')
        parts.append(text(top + 12, y + 4, number(max(v for _, v in values)), "start"))
    return (f'<svg viewBox="0 0 {width} {bottom + 42}" width="{width}" role="img" '
            f'aria-label="{escape(title)}">{"".join(parts)}</svg>')
