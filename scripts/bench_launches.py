"""The sections of what stands around launches: making graphs, launches at once, forks, shapes."""

from bench_data import median
from bench_page import section, table
from bench_plots import lines, number
from bench_trips import ITEM, loop_curves


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


def many(results):
    rows = [[row["problem"], row["way"], median(row.get("us_per_launch", row.get("us", 0))),
             row.get("us_per_launch_of_a_thread", row.get("in_turn_us", ""))]
            for row in results.of("many_launches")]
    return section("Launches beside each other",
                   "Loops of 10 trips from several threads; and loops of 1,000 trips at once.",
                   rows and table(["", "executor", "µs a launch, or of all at once",
                                   "µs as a thread sees it, or of all in turn"], rows))


def forks(results):
    rows = [[row["problem"], row["way"], median(row["in_turn_us"]), median(row["at_once_us"]),
             f"{row['gain']:.2f}"] for row in results.of("fork")]
    return section("Arms that run at once",
                   "Independent loops of two sweeps and a fold a trip: one after the other, and as the arms "
                   "of one fork.",
                   rows and table(["", "executor", "µs in turn", "µs at once", "times as fast"], rows))


def shapes(results):
    def rows(member, *others):
        return [[row["problem"], row["way"], row[member]] + [row[name] for name in others]
                for row in results.of("shape_dispatch") if member in row]

    buckets = [[row["problem"], row["capture_us"], row["eager_us"], row["replay_us"], row["even_after"]]
               for row in results.of("shape_dispatch") if "capture_us" in row]
    traffic = rows("us_a_request", "us_a_request_once_all_is_made", "buckets", "padding", "held_bytes")
    memory = rows("driver_bytes_each", "held_bytes", "taken_bytes")
    ahead = rows("launch_us", "copy_then_launch_us", "copied_ahead_us")
    return section("Requests of many shapes",
                   "A forward of two layers for requests of 1 to 64 rows: what a bucket costs, what ways to "
                   "serve a stream of requests come to, and what executables hold. Last, inputs that are "
                   "copied while the launch before still runs.",
                   buckets and table(["", "µs to make ready", "µs eagerly", "µs replayed",
                                      "even after runs"], buckets),
                   traffic and table(["", "way", "µs a request", "once all is made", "buckets",
                                      "part that is padding", "bytes held"], traffic),
                   memory and table(["", "way", "the driver's bytes, each", "bytes held", "bytes taken"],
                                    memory),
                   ahead and table(["", "executor", "µs a launch", "µs, copy then launch",
                                    "µs, copied ahead"], ahead))
