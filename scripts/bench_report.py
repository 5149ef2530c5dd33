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

from bench_data import Results
from bench_forwards import decode, forwards
from bench_launches import capture_costs, forks, many, shapes
from bench_page import section, table
from bench_plots import Styles, number
from bench_tables import batched_solves, primitives, solver_contest, solvers, triangular_solves
from bench_trips import (against_straight_line, bandwidth, branches, cg, host_modes, loops,
                         persistent_forms)

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
    sections = [
        cg(results, styles), against_straight_line(results), loops(results, styles),
        branches(results, styles), forwards(results), capture_costs(results, styles),
        host_modes(results, styles), persistent_forms(results, styles), solvers(results),
        solver_contest(results), triangular_solves(results), batched_solves(results),
        decode(results, styles), primitives(results), bandwidth(results, styles), many(results),
        forks(results), shapes(results), machine(results), raw(results)]
    return ('<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>gyre: latency</title>'
            f"<style>{STYLE}</style></head><body><h1>gyre: what loops and branches cost on the GPU</h1>"
            f"{warning}{''.join(sections)}</body></html>\n")


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
