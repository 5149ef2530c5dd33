"""The page of the benchmarks: made of the committed results, and complete in itself."""

import html.parser
import json
import pathlib
import re
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "bench/results"
sys.path.insert(0, str(ROOT / "scripts"))

import bench_report  # noqa: E402
from bench_data import Results, crossing, points  # noqa: E402
from bench_plots import LinearAxis, number  # noqa: E402

# Elements that have no end.
VOID = {"meta", "br"}


class Outline(html.parser.HTMLParser):
    """Fails where elements do not close in order; keeps what refers to something."""

    def __init__(self, page):
        super().__init__()
        self.open, self.tags, self.links = [], [], []
        self.feed(page)
        if self.open:
            raise AssertionError(f"never closed: {self.open}")

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in ("src", "href")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        if self.open.pop() != tag:
            raise AssertionError(f"</{tag}> closes something else")


def make_page(folder):
    with tempfile.TemporaryDirectory() as out:
        page = pathlib.Path(out) / "report.html"
        code = bench_report.main([str(folder), str(page)])
        return code, page.read_text(encoding="utf-8") if page.exists() else ""


class PageOfTheCommittedResults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.code, cls.page = make_page(RESULTS)

    def test_is_made(self):
        self.assertEqual(self.code, 0)

    def test_closes_what_it_opens(self):
        Outline(self.page)

    def test_needs_nothing_from_elsewhere(self):
        outline = Outline(self.page)

        self.assertEqual(outline.links, [])
        self.assertNotIn("script", outline.tags)
        self.assertNotIn("url(", self.page)

    def test_has_plots_that_are_svg(self):
        plots = re.findall(r"<svg.*?</svg>", self.page)

        self.assertGreater(len(plots), 5)
        for plot in plots:
            xml.etree.ElementTree.fromstring(plot)

    def test_has_room_for_what_stands_in_its_plots(self):
        for plot in re.findall(r"<svg.*?</svg>", self.page):
            svg = xml.etree.ElementTree.fromstring(plot)
            width = float((svg.get("viewBox") or "0 0 " + svg.get("width") + " 0").split()[2])
            for text in svg.iter("text"):
                if text.get("text-anchor") == "start" and text.get("transform") is None:
                    end = float(text.get("x")) + 6.3 * len("".join(text.itertext()))
                    self.assertLessEqual(end, width + 1, "".join(text.itertext()))

    def test_shows_every_row(self):
        for bench, rows in Results(RESULTS).rows.items():
            self.assertIn(f"<summary>{bench}: {len(rows)} rows</summary>", self.page)

    def test_names_the_machine_of_each_file(self):
        for path in RESULTS.glob("*.json"):
            machine = json.loads(path.read_text())["machine"]
            self.assertIn(path.name, self.page)
            self.assertIn(machine.get("gpu", machine.get("cpu")), self.page)


class Report(unittest.TestCase):
    def test_of_a_folder_without_results_is_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(make_page(folder), (2, ""))

    def test_of_one_bench_alone_leaves_the_other_plots_out(self):
        row = {"problem": "taken 0 %", "way": "cpu <&>", "by": "gyre", "taken_percent": 0,
               "us": {"median": 2.5}}
        content = {"bench": "branch_latency", "rows": [row], "machine": {"time": 0}}
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "branch_latency.json").write_text(json.dumps(content))

            code, page = make_page(folder)

        self.assertEqual(code, 0)
        Outline(page)
        self.assertEqual(page.count("<svg"), 1)
        self.assertIn("cpu &lt;&amp;&gt;", page)

    def test_plots_forwards_by_how_often_they_take_the_long_way(self):
        rows = [{"problem": f"taken {taken} %", "way": "auto, language", "by": "gyre", "model": "a model",
                 "rows": 8, "taken_percent": taken, "rows_per_s": 1e6,
                 "us": {"median": 8, "p99": 9}} for taken in (0, 50)]
        rows += [{"problem": "2 blocks", "way": "auto, language", "by": "gyre", "model": "a model",
                  "rows": 1, "blocks_run": 2, "rows_per_s": 1e6, "us": {"median": 8, "p99": 9}}]
        content = {"bench": "forwards", "rows": rows, "machine": {"time": 0}}
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "forwards.json").write_text(json.dumps(content))

            code, page = make_page(folder)

        self.assertEqual(code, 0)
        Outline(page)
        self.assertIn('aria-label="a model, 8 rows"', page)
        self.assertIn("auto, language: 8 at 50 taken, %", page)
        self.assertIn('aria-label="Early exit by blocks run, 1 row"', page)
        self.assertIn("<td>a model</td><td>auto, language</td>", page)

    def test_tells_the_requests_from_the_memory_of_shapes(self):
        rows = [{"problem": "memory of 16", "way": "shared", "held_bytes": 1, "taken_bytes": 2,
                 "driver_bytes_each": 3},
                {"problem": "a stream", "way": "buckets", "us_a_request": 4, "buckets": 6,
                 "us_a_request_once_all_is_made": 5, "padding": 0.5, "held_bytes": 7}]
        content = {"bench": "shape_dispatch", "rows": rows, "machine": {"time": 0}}
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "shape_dispatch.json").write_text(json.dumps(content))

            code, page = make_page(folder)

        self.assertEqual(code, 0)
        self.assertIn('<td>memory of 16</td><td>shared</td><td class="n">3</td>', page)
        self.assertIn('<td>a stream</td><td>buckets</td><td class="n">4</td>', page)

    def test_merges_the_files_of_one_bench(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a.json", "a.other.json"):
                content = {"bench": "a", "rows": [{"way": name}], "machine": {"time": 0}}
                (pathlib.Path(folder) / name).write_text(json.dumps(content))

            self.assertEqual([row["way"] for row in Results(folder).of("a")], ["a.json", "a.other.json"])


class Crossing(unittest.TestCase):
    def test_lies_where_two_lines_meet(self):
        self.assertAlmostEqual(crossing([(1, 4), (100, 4)], [(1, 0.4), (100, 40)]), 10)

    def test_is_nowhere_where_the_first_stays_above(self):
        self.assertIsNone(crossing([(1, 2), (10, 20)], [(1, 1), (10, 10)]))

    def test_is_nowhere_where_the_first_lies_below_from_the_start(self):
        self.assertIsNone(crossing([(1, 1), (10, 10)], [(1, 2), (10, 20)]))

    def test_of_several_is_the_last(self):
        first = [(1, 2), (2, 0.5), (4, 2), (8, 0.5)]

        self.assertGreater(crossing(first, [(x, 1) for x, _ in first]), 4)


class LinearAxes(unittest.TestCase):
    def test_start_at_0(self):
        axis = LinearAxis([40, 100], 10, 220)

        self.assertAlmostEqual(axis.at(0), 10)
        self.assertAlmostEqual(axis.at(105), 220)

    def test_have_at_most_nine_round_ticks(self):
        for high in (0.3, 7, 8, 100, 2571):
            ticks = LinearAxis([high], 0, 1).ticks()

            self.assertLessEqual(len(ticks), 9)
            self.assertGreaterEqual(len(ticks), 3)
            self.assertEqual(ticks[0], 0)


class Figures(unittest.TestCase):
    def test_have_three_digits(self):
        shown = [number(value) for value in (0, 0.0466, 0.5, 8.25, 24, 105.4, 16777216)]

        self.assertEqual(shown, ["0", "0.0466", "0.5", "8.25", "24", "105", "16,777,216"])

    def test_of_one_place_are_the_last(self):
        rows = [{"n": 2, "us": {"median": 5}}, {"n": 1, "us": 3}, {"n": 2, "us": 4}]

        self.assertEqual(points(rows, "n", "us"), [(1, 3), (2, 4)])


if __name__ == "__main__":
    unittest.main()
