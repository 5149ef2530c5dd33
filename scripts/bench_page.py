"""What sections of the page of the benchmarks are made of: headings, tables and keys of plots."""

from html import escape

from bench_plots import number


def table(head, rows):
    """`rows` of cells; numbers stand to the right."""
    def cell(kind, value):
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return f'<{kind} class="n">{number(value)}</{kind}>'
        return f"<{kind}>{escape(str(value))}</{kind}>"

    body = "".join("<tr>" + "".join(cell("td", value) for value in row) + "</tr>" for row in rows)
    return (f'<div class="wide"><table><tr>{"".join(cell("th", name) for name in head)}</tr>'
            f"{body}</table></div>")


def section(title, words, *parts):
    parts = [part for part in parts if part]
    return f"<h2>{escape(title)}</h2><p>{words}</p>{''.join(parts)}" if parts else ""


def key_of(ways, styles):
    """The legend of several plots, as a row of words."""
    marks = "".join(
        f'<span style="white-space:nowrap;margin-right:1.2em"><svg style="display:inline;margin:0" '
        f'width="30" height="8"><path d="M0 4h28" stroke="{styles.of(way)[0]}" stroke-width="2" '
        f'stroke-dasharray="{styles.of(way)[1]}"/></svg> {escape(way)}</span>'
        for way in ways)
    return f"<p>{marks}</p>" if marks else ""
