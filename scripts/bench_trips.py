"""The sections of what a trip of a loop and a branch cost, by who decides them."""

from bench_data import crossing, median, most_trips, points
from bench_page import key_of, section, table
from bench_plots import dots, lines, number

# The way that the others are held against: a host loop that reads after each trip.
ITEM = ".item() loop by hand"


def cg_curves(results, problem):
    rows = most_trips(results.of("cg_per_trip", problem=problem))
    return {way: points([row for row in rows if row["way"] == way], "n", "us_per_trip")
            for way in results.ways("cg_per_trip", problem=problem)}


def cg(results, styles):
    large = lines("5 points a row, f64", ("rows", "µs a trip"), cg_curves(results, "5 points"), styles,
                  (640, 500))
    small = [lines(f"{problem} a row", ("rows", "µs a trip"), cg_curves(results, problem), styles,
                   (440, 330), with_legend=False) for problem in ("7 points", "27 points")]
    return section(
        "What a trip of conjugate gradients costs",
        "From launch to result, divided by the trips. Hand-written ways do gyre's arithmetic in the "
        "same order and give its bits; a straight line knows how many trips there will be, all others "
        "decide after each.", large, f'<div class="pair">{"".join(small)}</div>' if any(small) else "",
        real_matrices(results))


def real_matrices(results):
    rows = [row for row in results.of("cg_per_trip") if not row["problem"].endswith(" points")]
    matrices = sorted({(row["n"], row["problem"]) for row in rows})
    cells = {(row["way"], row["problem"]): median(row["us_per_trip"]) for row in rows}
    ways = list(dict.fromkeys(row["way"] for row in rows))
    trips = {row["problem"]: row["trips"] for row in reversed(rows)}
    head = ["µs a trip, to rtol 1e-8"] + [f"{name}, {n:,} rows, {trips[name]:,} trips"
                                          for n, name in matrices]
    return rows and table(head, [[way] + [cells.get((way, name), "") for _, name in matrices]
                                 for way in ways])


def against_straight_line(results):
    """device_graph and auto against the graph that decides nothing, by trips and size."""
    rows = []
    found = results.of("cg_per_trip", problem="5 points")
    for n, trips in sorted({(row["n"], row["trips"]) for row in found}):
        at = {row["way"]: median(row["us_per_trip"]) for row in found
              if (row["n"], row["trips"]) == (n, trips)}
        line = at.get("straight-line graph")
        if line and "device_graph" in at:
            rows.append([n, trips, line, at["device_graph"], round(at["device_graph"] / line, 3),
                         round(at["auto"] / line, 3) if "auto" in at else "",
                         round(at["straight-line graph, PDL"] / line, 3)
                         if "straight-line graph, PDL" in at else ""])
    return section("Against a graph that decides nothing",
                   "Of the same five-point systems: how many times as long as the straight-line graph.",
                   rows and table(["rows", "trips", "straight line, µs a trip", "device_graph, µs",
                                   "device_graph", "auto", "straight line with PDL"], rows))


def loop_curves(results, kernels):
    return {way: points(results.of("loop_tax", kernels=kernels, way=way), "trips", "us")
            for way in results.ways("loop_tax", kernels=kernels)}


def loops(results, styles):
    plots = []
    for kernels in sorted({row["kernels"] for row in results.of("loop_tax") if "kernels" in row}):
        curves = loop_curves(results, kernels)
        mark = None
        if curves.get("device_graph") and curves.get(ITEM):
            at = crossing(curves["device_graph"], curves[ITEM])
            first = curves["device_graph"][0]
            if at:
                mark = (at, f"device ahead from {number(at)} trips")
            elif first[1] < curves[ITEM][0][1]:
                mark = (first[0], "device ahead from the first trip")
        name = "Body of one counting thread" if kernels == 0 else f"Body of {kernels} kernels"
        plots.append(lines(name.replace("1 kernels", "1 kernel"),
                           ("trips", "µs from launch to result"), curves, styles, (440, 330),
                           with_legend=False, mark=mark))
    depth = {way: points([row for row in results.of("loop_tax", way=way) if "depth" in row],
                         "depth", "us_per_trip") for way in results.ways("loop_tax")}
    legend = lines("Loops in loops, one kernel innermost, about 256 of its trips",
                   ("loops in one another", "µs a trip of the innermost"), depth, styles, (560, 330))
    return section(
        "What a loop costs beside its body: the device against .item()",
        "Kernels over 65,536 floats that no pass can join. The red line is where device_graph comes to "
        "be faster than a host loop of the same kernels that reads after each trip whether there is "
        "another.", plots and f'<div class="pair">{"".join(plots)}</div>',
        key_of(results.ways("loop_tax"), styles), legend)


def branches(results, styles):
    def rows(bench, label):
        return [(way, sorted((row[label], median(row["us"])) for row in results.of(bench, way=way)))
                for way in results.ways(bench)]

    taken = [(way, [(f"taken {percent} %", us) for percent, us in values])
             for way, values in rows("branch_latency", "taken_percent")]
    widths = {way: values for way, values in rows("switch_width", "cases")}
    return section(
        "How soon a branch is done",
        "A forward over 65,536 floats, h = 2x; if p then h + 1 else h − 1, where p lies on the GPU: from "
        "launch to result. The three dots are the branch taken 0, 50 and 100 % of the time.",
        dots("One branch", "µs from launch to result", taken, styles),
        lines("One switch, by its number of cases", ("cases", "µs from launch to result"), widths,
              styles, (560, 380)))


def host_modes(results, styles):
    plots = [dots(problem, "µs a trip of conjugate gradients",
                  [(f"{row['executor']}: {row['way']}", [("median", median(row["us_per_trip"]))])
                   for row in results.of("host_branch_modes", problem=problem)], styles)
             for problem in dict.fromkeys(row["problem"] for row in results.of("host_branch_modes"))]
    return section("What each way of asking the host costs",
                   "host_branch by how a decision reaches the host, whether kernels are launched one by "
                   "one or as graphs, and how often it asks.", *plots)


def persistent_forms(results, styles):
    curves = {way: points([row for row in results.of("persistent_forms", way=way)
                           if row["problem"].startswith("5 points")], "n", "us_per_trip")
              for way in results.ways("persistent_forms")}
    return section("What a loop of one kernel costs",
                   "Conjugate gradients on each form of persistent, five points a row: one block, one "
                   "cluster of blocks, the whole grid.",
                   lines("By form", ("rows", "µs a trip"), curves, styles, (620, 400)))


def bandwidth(results, styles):
    copy = next((file["copy_gb_per_s"] for file in results.files if "copy_gb_per_s" in file), 0)
    rows = [(way, [(f"n = {row['n']:,}", 100 * row["part_of_copy"])
                   for row in results.of("bandwidth", way=way)]) for way in results.ways("bandwidth")]
    sizes = ", ".join(f"{n:,}" for n in sorted({row["n"] for row in results.of("bandwidth")}))
    return section("How much of the bandwidth is used",
                   f"Conjugate gradients, five points a row; counted are 12 nnz + 4 (n + 1) + 88 n bytes "
                   f"a trip. A copy on the same GPU moves {number(copy)} GB/s. From dark to light: n = "
                   f"{sizes}.", dots("Of the copy bandwidth", "%", rows, styles))
