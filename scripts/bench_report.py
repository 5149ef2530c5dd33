#!/usr/bin/env python3
"""Makes one page of the results of the benchmarks: plots, tables, the machine, and every row.

    python3 scripts/bench_report.py [RESULTS [PAGE]]

RESULTS (bench/results) is the folder of JSON files that the benches wrote, PAGE (RESULTS/report.html)
the page. It holds everything in itself and needs no network.
"""

import datetime
import pathlib
import sys
from html import escape

from bench_data import Results, crossing, median, most_trips, points
from bench_forwards import forwards
from bench_page import key_of, section, table
from bench_plots import Styles, dots, lines, number

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #222; max-width: 960px; margin: 2.5em auto;
  padding: 0 1em; }
h1 { font-size: 1.6em; } h2 { font-size: 1.2em; margin-top: 2.2em; border-top: 1px solid #ddd;
  padding-top: 0.8em; }
svg { max-width: 100%; height: auto; font-family: system-ui, sans-serif; display: block;
  margin: 1em 0; }
.pair { display: flex; flex-wrap: wrap; gap: 0 1em; } .pair svg { margin: 0.4em 0; }
table { border-collapse: collapse; font-size: 13px; margin: 1em 0; }
td, th { padding: 2px 10px 2px 0; text-align: left; border-bottom: 1px solid #eee;
  vertical-align: top; }
td:first-child { white-space: nowrap; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
summary { cursor: pointer; } .quick { color: #c2262e; } .wide { overflow-x: auto; }
"""


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


ITEM = ".item() loop by hand"


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


def capture_costs(results, styles):
    """After how many launches a graph has earned what making it costs."""
    costs = {row["problem"]: median(row["us"]) for row in
             results.of("launch_costs", way="device_graph") if "us" in row}
    prepare = sum(us for name, us in costs.items() if name.startswith(("prepare", "compile, warm")))
    curves = {}
    for kernels in sorted({row["kernels"] for row in results.of("loop_tax") if "kernels" in row}):
        loop = loop_curves(results, kernels)
        asked = dict(loop.get(ITEM, []))
        earned = [(trips, prepare / (asked[trips] - us)) for trips, us in loop.get("device_graph", [])
                  if asked.get(trips, 0) > us]
        curves[f"{kernels} kernel{'s' * (kernels != 1)} a trip"] = earned
    named = [(row["problem"], row["way"], row["us"]) for row in results.of("launch_costs")
             if "us" in row]
    order = list(dict.fromkeys(name for name, _, _ in named))
    ways = list(dict.fromkeys(way for _, way, _ in named))
    cells = {(name, way): us for name, way, us in named}
    figures = [[name] + [median(cells[name, way]) if (name, way) in cells else "" for way in ways]
               for name in order]
    memory = [[row["way"], row["device_bytes"], row["of_that_temporaries"]]
              for row in results.of("launch_costs") if "device_bytes" in row]
    return section(
        "What stands around a launch, and when it has paid",
        f"Compiling with a warm cache and building the graph takes device_graph {number(prepare)} µs. "
        "Each launch gains what the loop of the same kernels with .item() would take longer; the plot "
        "is after how many launches both are even." if prepare else "",
        prepare and lines("Launches until a graph has paid", ("trips of a launch", "launches"), curves,
                          styles, (560, 360)),
        figures and table(["µs of the host, median"] + ways, figures),
        memory and table(["an executable of CG on 4,096 rows", "bytes on the device",
                          "of that its three vectors"], memory))


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


def solvers(results):
    figures = {}
    for row in results.of("solvers"):
        figures.setdefault(row["way"], {})[int(row["problem"])] = row["us_per_trip"]
    sizes = sorted({size for of_way in figures.values() for size in of_way})
    return section("What a trip of each solver costs",
                   "The five-point matrix of a square, by rows; microseconds a trip.",
                   figures and table(["", *(f"{size:,}" for size in sizes)],
                                     [[way, *(of_way.get(size, "") for size in sizes)]
                                      for way, of_way in figures.items()]))


def solver_contest(results):
    figures = {}
    for row in results.of("solver_contest"):
        figures.setdefault((row["problem"], row["way"]), {})[row["n"]] = median(row["us_per_trip"])
    sizes = sorted({size for of_way in figures.values() for size in of_way})
    return section("Solvers beside cuBLAS and cuSPARSE",
                   "The five-point matrix of a square, by rows; microseconds a trip, from launch to result "
                   "and with everything on the device.",
                   figures and table(["", "", *(f"{size:,}" for size in sizes)],
                                     [[problem, way, *(of_way.get(size, "") for size in sizes)]
                                      for (problem, way), of_way in figures.items()]))


def triangular_solves(results):
    figures = {}
    for row in results.of("triangular_solves"):
        figures.setdefault(row["way"], {})[int(row["problem"])] = row["us_per_application"]
    sizes = sorted({size for of_way in figures.values() for size in of_way})
    return section("What it costs to apply incomplete factors",
                   "ILU(0) of the five-point matrix of a square, by rows; microseconds for both triangles.",
                   figures and table(["", *(f"{size:,}" for size in sizes)],
                                     [[way, *(of_way.get(size, "") for size in sizes)]
                                      for way, of_way in figures.items()]))


def batched_solves(results):
    figures = {}
    for row in results.of("batched_solves"):
        figures.setdefault(row["way"], {})[row["problem"]] = row["us_per_system"]
    problems = list(dict.fromkeys(row["problem"] for row in results.of("batched_solves")))
    return section("Many small systems",
                   "Conjugate gradients to rtol 1e-8, each system with a matrix of its own; microseconds a "
                   "system, at once and one after another.",
                   figures and table(["", *problems],
                                     [[way, *(of_way.get(problem, "") for problem in problems)]
                                      for way, of_way in figures.items()]))


def decode(results, styles):
    """A token of a loop that the device ends, against one graph a token and kernel by kernel."""
    rows = [row for row in results.of("decode") if row["problem"].startswith("greedy")]
    plots, ratios = [], []
    for members in sorted({row["members"] for row in rows}):
        curves = {}
        for row in rows:
            if row["members"] == members:
                curves.setdefault(row["way"], []).append((row["width"], median(row["us_per_token"])))
        plots.append(lines(f"{members} member{'s' * (members != 1)} of a batch",
                           ("width of the model", "µs a token"), curves, styles, (620, 420)))
        alone = dict(curves.get("device_graph", []))
        ratios += [[f"{way}, {members} member{'s' * (members != 1)}",
                    *(round(dict(values)[width] / us, 2) if width in dict(values) else ""
                      for width, us in sorted(alone.items()))]
                   for way, values in curves.items() if way != "device_graph"]
    widths = sorted({row["width"] for row in rows})
    others = [[row["problem"], row["way"], row.get("tokens_per_round", ""),
               median(row.get("us_per_token") or row["us_per_frame"])]
              for row in results.of("decode") if not row["problem"].startswith("greedy")]
    return section(
        "What a token costs",
        "A transformer of two layers decodes 256 tokens greedily, from launch to result: one launch in "
        "which the host has no part, the same kernels as one graph a token with a look of the host, and "
        "kernel by kernel. The table is how many times as long as the one launch.", *plots,
        ratios and table(["", *(f"width {width}" for width in widths)], ratios),
        others and table(["", "", "tokens a round", "µs a token, or a frame"], others))


def primitives(results):
    figures = {}
    for row in results.of("primitives"):
        name = row["problem"].split(",")[0]
        figures.setdefault((name, row["way"]), {})[row["n"]] = median(row["us"])
    sizes = sorted({size for of_way in figures.values() for size in of_way})
    return section("Scans, sorts and selections",
                   "Lists of f32 and i32 on the GPU; microseconds by its clock, from the first kernel of a "
                   "launch to the end of the last.",
                   figures and table(["", "", *(f"{size:,}" for size in sizes)],
                                     [[name, way, *(of_way.get(size, "") for size in sizes)]
                                      for (name, way), of_way in figures.items()]))


def bandwidth(results, styles):
    copy = next((file["copy_gb_per_s"] for file in results.files if "copy_gb_per_s" in file), 0)
    rows = [(way, [(f"n = {row['n']:,}", 100 * row["part_of_copy"])
                   for row in results.of("bandwidth", way=way)]) for way in results.ways("bandwidth")]
    sizes = ", ".join(f"{n:,}" for n in sorted({row["n"] for row in results.of("bandwidth")}))
    return section("How much of the bandwidth is used",
                   f"Conjugate gradients, five points a row; counted are 12 nnz + 4 (n + 1) + 88 n bytes "
                   f"a trip. A copy on the same GPU moves {number(copy)} GB/s. From dark to light: n = "
                   f"{sizes}.", dots("Of the copy bandwidth", "%", rows, styles))


def many(results):
    rows = [[row["problem"], row["way"], median(row.get("us_per_launch", row.get("us", 0))),
             row.get("us_per_launch_of_a_thread", row.get("in_turn_us", ""))]
            for row in results.of("many_launches")]
    return section("Launches beside each other",
                   "Loops of 10 trips from several threads; and loops of 1,000 trips at once.",
                   rows and table(["", "executor", "µs a launch, or of all at once",
                                   "µs as a thread sees it, or of all in turn"], rows))


def shapes(results):
    def rows(member, *others):
        return [[row["problem"], row["way"], row[member]] + [row[name] for name in others]
                for row in results.of("shape_dispatch") if member in row]

    buckets = [[row["problem"], row["capture_us"], row["eager_us"], row["replay_us"], row["even_after"]]
               for row in results.of("shape_dispatch") if "capture_us" in row]
    traffic = rows("us_a_request", "us_a_request_once_all_is_made", "buckets", "padding", "held_bytes")
    memory = rows("held_bytes", "taken_bytes", "driver_bytes_each")
    memory = [row for row in memory if row[0].startswith("memory")]
    ahead = rows("launch_us", "copy_then_launch_us", "copied_ahead_us")
    return section("Requests of many shapes",
                   "A forward of two layers for requests of 1 to 64 rows: what a bucket costs, what ways to "
                   "serve a stream of requests come to, and what executables hold. Last, inputs that are "
                   "copied while the launch before still runs.",
                   buckets and table(["", "µs to make ready", "µs eagerly", "µs replayed",
                                      "even after runs"], buckets),
                   traffic and table(["", "way", "µs a request", "once all is made", "buckets",
                                      "part that is padding", "bytes held"], traffic),
                   memory and table(["", "way", "bytes held", "bytes taken", "the driver's, each"],
                                    memory),
                   ahead and table(["", "executor", "µs a launch", "µs, copy then launch",
                                    "µs, copied ahead"], ahead))


def forks(results):
    rows = [[row["problem"], row["way"], median(row["in_turn_us"]), median(row["at_once_us"]),
             f"{row['gain']:.2f}"] for row in results.of("fork")]
    return section("Arms that run at once",
                   "Independent loops of two sweeps and a fold a trip: one after the other, and as the arms "
                   "of one fork.",
                   rows and table(["", "executor", "µs in turn", "µs at once", "times as fast"], rows))


def machine(results):
    names = {"gpu": "GPU", "driver": "driver", "driver_cuda": "CUDA", "cpu": "processor",
             "cores": "cores", "compiler": "compiler", "build_type": "build", "package": "package"}
    rows = []
    for file in results.files:
        when = datetime.datetime.fromtimestamp(file["time"], datetime.timezone.utc)
        rows.append([file["file"], f"{when:%Y-%m-%d %H:%M}" + (" quick" if file["quick"] else "")] +
                    [str(file.get(name, "")) for name in names])
    return section("What it was measured on", "Each file is what one bench wrote in one run.",
                   table(["results", "UTC"] + list(names.values()), rows))


def raw(results):
    parts = []
    for bench, rows in results.rows.items():
        names = list(dict.fromkeys(name for row in rows for name in row))
        names.sort(key=lambda name: (name not in ("problem", "way"), name))
        shown = lambda value: (", ".join(f"{k} {number(v)}" for k, v in value.items())
                               if isinstance(value, dict) else value)
        parts.append(f"<details><summary>{escape(bench)}: {len(rows)} rows</summary>" +
                     table(names, [[shown(row.get(name, "")) for name in names] for row in rows]) +
                     "</details>")
    left_out = [[what["bench"], what["problem"], what["way"], what["why"]]
                for what in results.left_out]
    if left_out:
        parts.append("<details><summary>left out</summary>" +
                     table(["bench", "problem", "way", "why"], left_out) + "</details>")
    return section("Every row", "As the benches wrote them.", *parts)


def make_page(results):
    styles = Styles()
    quick = any(file["quick"] for file in results.files)
    warning = '<p class="quick">Some of this is of a quick run: see below.</p>' if quick else ""
    return ('<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>gyre: latency</title>'
            f"<style>{STYLE}</style></head><body><h1>gyre: what loops and branches cost on the GPU</h1>"
            f"{warning}{cg(results, styles)}{against_straight_line(results)}{loops(results, styles)}"
            f"{branches(results, styles)}{forwards(results)}{capture_costs(results, styles)}"
            f"{host_modes(results, styles)}"
            f"{persistent_forms(results, styles)}{solvers(results)}{solver_contest(results)}"
            f"{triangular_solves(results)}"
            f"{batched_solves(results)}{decode(results, styles)}"
            f"{primitives(results)}"
            f"{bandwidth(results, styles)}{many(results)}{forks(results)}{shapes(results)}"
            f"{machine(results)}{raw(results)}"
            "</body></html>\n")


def main(arguments):
    folder = pathlib.Path(arguments[0] if arguments else
                          pathlib.Path(__file__).resolve().parents[1] / "bench/results")
    page = pathlib.Path(arguments[1]) if len(arguments) > 1 else folder / "report.html"
    results = Results(folder)
    if not results.files:
        print(f"there are no results in {folder}", file=sys.stderr)
        return 2
    page.write_text(make_page(results), encoding="utf-8")
    print(f"{page}: {sum(map(len, results.rows.values()))} rows of {len(results.files)} files")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
