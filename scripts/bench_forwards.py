"""The sections of whole forwards, by how often they take the long way, and of decoders, by token."""

from html import escape

from bench_data import median, points
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


def decode(results, styles):
    """A token of a loop that the device ends, against one graph a token and kernel by kernel."""
    greedy = [row for row in results.of("decode") if row["problem"].startswith("greedy")]
    plots, ratios = [], []
    for members in sorted({row["members"] for row in greedy}):
        curves = {}
        for row in greedy:
            if row["members"] == members:
                curves.setdefault(row["way"], []).append((row["width"], median(row["us_per_token"])))
        batch = f"{members} member{'s' * (members != 1)}"
        plots.append(lines(f"{batch} of a batch", ("width of the model", "µs a token"), curves, styles,
                           (620, 420)))
        ratios += [[f"{way}, {batch}", *times] for way, times in times_as_long(curves)]
    widths = sorted({row["width"] for row in greedy})
    return section(
        "What a token costs",
        "A transformer of two layers decodes 256 tokens greedily, from launch to result: one launch in "
        "which the host has no part, the same kernels as one graph a token with a look of the host, and "
        "kernel by kernel. The table is how many times as long as the one launch.", *plots,
        ratios and table(["", *(f"width {width}" for width in widths)], ratios),
        other_decoders(results))


def times_as_long(curves):
    """Each other way, and how many times as long as device_graph it takes at each of its widths."""
    alone = sorted(curves.get("device_graph", []))
    for way, values in curves.items():
        if way != "device_graph":
            yield way, [round(dict(values)[width] / us, 2) if width in dict(values) else ""
                        for width, us in alone]


def other_decoders(results):
    rows = [[row["problem"], row["way"], row.get("tokens_per_round", ""),
             median(row.get("us_per_token") or row["us_per_frame"])]
            for row in results.of("decode") if not row["problem"].startswith("greedy")]
    return rows and table(["", "", "tokens a round", "µs a token, or a frame"], rows)
