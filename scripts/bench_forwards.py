"""The section of whole forwards: by how often they take the long way, by blocks, and as a table."""

from html import escape

from bench_data import points
from bench_page import key_of, section, table
from bench_plots import LinearAxis, LogAxis, Styles, lines


def in_language(way):
    """Whether the layers of a forward are gyre's own, rather than a library's."""
    return way.startswith("auto") or any(form in way for form in ("language", "indexed", "guarded"))


def forwards(results):
    """Whole forwards by how often they take the long way, and early exit by its blocks."""
    # Forms of their own, so that no two ways of a plot look the same.
    styles, parts = Styles(), []
    ways = results.ways("forwards")
    kinds = (("layers in gyre's language, and in guarded kernels", [way for way in ways if in_language(way)]),
             ("layers by cuBLASLt or PyTorch", [way for way in ways if not in_language(way)]))
    for model in dict.fromkeys(row["model"] for row in results.of("forwards")):
        for kind, named in kinds:
            plots = [lines(f"{model}, {count} row{'s' * (count != 1)}", ("taken, %", "µs, mean"),
                           {way: means(results.of("forwards", model=model, rows=count, way=way))
                            for way in named},
                           styles, (312, 270), with_legend=False, axes=(LinearAxis, LogAxis))
                     for count in (1, 8, 64)]
            if any(plots):
                parts.append(f"<p><b>{escape(model)}</b>, {kind}</p>" + key_of(named, styles) +
                             f'<div class="pair">{"".join(plots)}</div>')
    return section(
        "How soon a model's forward is done",
        "From launch to result, by how often the long way is taken: all eight blocks instead of the "
        "first, another expert than the first (of a hundred rows, where rows choose), the expensive "
        "model.", *parts, blocks_run(results, styles), forward_table(results))


def means(rows):
    """(taken, mean time): a median would show the way that more than half of the launches take."""
    return sorted((row["taken_percent"], row["rows"] / row["rows_per_s"] * 1e6) for row in rows
                  if "taken_percent" in row)


def blocks_run(results, styles):
    """Early exit: whether time falls with the blocks that are not run."""
    ways = [way for way in results.ways("forwards") if not way.startswith("PyTorch")]
    parts = []
    for own in (True, False):
        plots = [lines(f"Early exit by blocks run, {count} row{'s' * (count != 1)}",
                       ("blocks", "µs, median"),
                       {way: points([row for row in results.of("forwards", rows=count, way=way)
                                     if "blocks_run" in row], "blocks_run", "us")
                        for way in ways if in_language(way) == own},
                       styles, (440, 330), with_legend=False, axes=(LinearAxis, LinearAxis))
                 for count in (1, 64)]
        if any(plots):
            parts.append(f'<div class="pair">{"".join(plots)}</div>')
    return parts and "<p><b>early exit</b>, by blocks: the keys are those above</p>" + "".join(parts)


def forward_table(results):
    half = results.of("forwards", taken_percent=50)
    counts = sorted({row["rows"] for row in half})
    cells = {(row["model"], row["way"], row["rows"]): [row["us"]["median"], row["us"]["p99"],
                                                       row["rows_per_s"]] for row in half}
    rows = [[model, way] + sum((cells.get((model, way, count), [""] * 3) for count in counts), [])
            for model, way in dict.fromkeys((row["model"], row["way"]) for row in half)]
    head = sum(([f"µs, {count} rows", "p99", "rows/s"] for count in counts), [])
    return rows and table(["taken 50 %", ""] + head, rows)
