#!/bin/sh
# Builds and runs the benchmarks, gyre's rivals among them, and makes one page of what they find.
#
#   sh scripts/bench.sh [--filter TEXT] [--quick]
#
# --filter measures only rows whose name (bench/problem/way) holds TEXT, --quick fewer sizes and runs.
# Results go to the folder that GYRE_BENCH_RESULTS names, else to bench/results, where the committed
# ones lie; those of a part or of a quick run to build-bench/results instead. GYRE_MATRICES may name a
# folder of real matrices. GYRE_BENCH_PROGRAMS names programs that are built already, GYRE_PYTHON the
# python3 that has PyTorch, CuPy and JAX. What cannot run here says why and is left out.
set -u
cd "$(dirname "$0")/.."

filter=""
quick=""
results="bench/results"
while [ $# -gt 0 ]; do
  results="build-bench/results"
  case "$1" in
    --filter) filter="${2:?--filter wants a text}" && shift 2 ;;
    --quick) quick="--quick" && shift ;;
    *) sed -n 's/^#   sh/usage: sh/p' "$0" >&2 && exit 2 ;;
  esac
done
results="${GYRE_BENCH_RESULTS:-$results}"
programs="${GYRE_BENCH_PROGRAMS:-build-bench/bin/bench}"
python="${GYRE_PYTHON:-python3}"
mkdir -p "$results"
GYRE_BENCH_RESULTS="$(cd "$results" && pwd)"
export GYRE_BENCH_RESULTS

if [ -z "${GYRE_BENCH_PROGRAMS:-}" ]; then
  . scripts/packages.sh
  need_packages build
  log=build-bench/build.log
  mkdir -p build-bench
  echo "building (log: $log)"
  if ! { cmake --preset bench && cmake --build --preset bench --target gyre_benches; } >"$log" 2>&1
  then
    tail -n 40 "$log" >&2
    exit 3
  fi
fi

failed=""
# bench COMMAND ...: one after the other, since they would slow each other down.
bench() {
  began="$(date +%s)"
  "$@" --filter "$filter" $quick
  code=$?
  echo "$* took $(($(date +%s) - began)) s"
  [ "$code" -eq 0 ] || [ "$code" -eq 77 ] || failed="$failed $*"
}

for program in "$programs"/*; do
  bench "$program"
done
if command -v "$python" >/dev/null; then
  bench "$python" bench/rivals/pytorch.py
  bench "$python" bench/rivals/pytorch_forwards.py
  bench "$python" bench/rivals/cupy_cg.py
  bench "$python" bench/rivals/cupy_solvers.py
  bench "$python" bench/rivals/jax_while.py
  bench "$python" bench/rivals/jax_while.py --command-buffers
  if ls "$GYRE_BENCH_RESULTS"/*.json >/dev/null 2>&1; then
    "$python" scripts/bench_report.py "$GYRE_BENCH_RESULTS" || failed="$failed report"
  fi
else
  echo "no python3: rivals in Python and the page are left out"
fi

[ -z "$failed" ] || { echo "FAILED:$failed" >&2; exit 1; }
