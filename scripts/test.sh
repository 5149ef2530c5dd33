#!/bin/sh
# Builds and runs everything that must hold before a change goes in; CI calls it.
#
# GYRE_TEST_QUICK=1 leaves out the sanitizers and the fuzzers. GYRE_FUZZ_SECONDS (60) is the time of
# each fuzzer. Needs no GPU.
set -eu
cd "$(dirname "$0")/.."
. scripts/packages.sh

quick="${GYRE_TEST_QUICK:-0}"
fuzz_seconds="${GYRE_FUZZ_SECONDS:-60}"
jobs="$(nproc)"
started="$(date +%s)"
done_steps=""
failed_steps=""

# step NAME COMMAND ...: runs it, and goes on to the next one whatever comes of it.
step() {
  name="$1"
  shift
  step_began="$(date +%s)"
  echo "== $name"
  if "$@"; then
    done_steps="$done_steps $name $(($(date +%s) - step_began)),"
  else
    failed_steps="$failed_steps $name"
    echo "== $name failed" >&2
  fi
}

build() {
  cmake --preset "$1" >/dev/null && cmake --build --preset "$1" -j "$jobs"
}

# Headers, samples and the package are the same with sanitizers: only what is run is built.
build_sanitized() {
  cmake --preset asan >/dev/null &&
    cmake --build --preset asan -j "$jobs" --target gyre_cli gyre_unit_tests gyre_golden_tests \
      gyre_property_tests gyre_cli_tests gyre_conformance_tests
}

# Tests that need minutes without sanitizers are not run with them: property tests do fewer programs.
sanitized() {
  GYRE_PROPERTY_COUNT="${GYRE_PROPERTY_COUNT:-300}" \
    ctest --preset asan -j "$jobs" -L 'unit|golden|property|cli|conformance' -E EmittedKernels
}

# All fuzzers at once, each on a copy of its corpus.
fuzz() {
  rm -rf build-fuzz/run && mkdir -p build-fuzz/run
  pids=""
  for fuzzer in build-fuzz/bin/gyre_*_fuzz; do
    target="$(basename "$fuzzer" _fuzz)"
    corpus="build-fuzz/run/$target"
    mkdir -p "$corpus"
    cp -r "tests/fuzz/corpus/${target#gyre_}/." "$corpus/" 2>/dev/null || true
    "$fuzzer" -max_total_time="$fuzz_seconds" -timeout=20 -rss_limit_mb=3000 -print_final_stats=1 \
      -artifact_prefix="build-fuzz/run/$target-" "$corpus" >"build-fuzz/run/$target.log" 2>&1 &
    pids="$pids $!:$target"
  done
  [ -n "$pids" ] || { echo "there is no fuzzer in build-fuzz/bin" >&2; return 1; }
  result=0
  for pid in $pids; do
    if wait "${pid%%:*}"; then
      echo "${pid#*:}: $(grep -a 'number_of_executed_units' "build-fuzz/run/${pid#*:}.log")"
    else
      tail -n 40 "build-fuzz/run/${pid#*:}.log" >&2
      result=1
    fi
  done
  return "$result"
}

# The benchmarks that the step `build` has made.
bench() {
  mkdir -p build-ci/results
  GYRE_BENCH_PROGRAMS=build-ci/bin/bench GYRE_BENCH_RESULTS=build-ci/results \
    sh scripts/bench.sh --quick
}

need_packages build check

step build build ci
step format cmake --build --preset ci --target format-check
step tests ctest --preset ci -j "$jobs"
step demo env GYRE_PRESET=ci sh scripts/demo.sh
step bench bench
if [ "$quick" != 1 ]; then
  step fuzz-build build fuzz
  step fuzz fuzz
  step asan-build build_sanitized
  step asan sanitized
fi

took="$(($(date +%s) - started))"
if [ -n "$failed_steps" ]; then
  echo "FAILED:$failed_steps (passed, in seconds:$done_steps all $took)"
  exit 1
fi
echo "passed, in seconds:$done_steps all $took"
