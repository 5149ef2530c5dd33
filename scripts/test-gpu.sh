#!/bin/sh
# Runs what a GPU adds to the tests, many processes at once, and prints a line for each part.
#
#   sh scripts/test-gpu.sh [PART ...]
#
# Parts are calls, device, conformance, random, forwards and races; all but races unless some are named.
# GYRE_TEST_PROGRAMS names the folder of test programs that are built already, GYRE_TEST_PROCESSES (one a
# core) how many run at once, GYRE_TEST_SECONDS (500) how long each of them may take, GYRE_TEST_LOGS
# (build/gpu-tests) where what they print goes, GYRE_PROPERTY_COUNT (2000) how many random programs each
# way of running them gets. Paths are read from the root of the sources, which programs built elsewhere find
# by GYRE_SOURCE_DIR: this one, unless it names another.
set -u
cd "$(dirname "$0")/.." || exit 2
script="$PWD/scripts/test-gpu.sh"

: "${GYRE_TEST_PROCESSES:=$(nproc)}" "${GYRE_TEST_SECONDS:=500}" "${GYRE_TEST_LOGS:=build/gpu-tests}"
: "${GYRE_PROPERTY_COUNT:=2000}"
: "${GYRE_SOURCE_DIR:=$PWD}"
export GYRE_SOURCE_DIR GYRE_TEST_PROCESSES GYRE_TEST_SECONDS GYRE_TEST_LOGS GYRE_PROPERTY_COUNT

# How often a log has that many tests of that word, as gtest counts them.
count() {
  sed -n "s/^\[  $2 *\] \([0-9]*\) tests\{0,1\}[.,].*/\1/p" "$1" | tail -n 1 | grep . || echo 0
}

# one PART SHARDS SHARD PROGRAM FILTER: runs that share of the tests, and notes how it went.
one() {
  log="$GYRE_TEST_LOGS/$1-$3.log"
  began="$(date +%s)"
  tool=""
  [ "$1" = races ] && tool="compute-sanitizer --tool racecheck --force-blocking-launches --error-exitcode 9"
  # Now and then racecheck loses track of a launch, which says nothing of the kernels: it looks again.
  for attempt in 1 2 3; do
    # shellcheck disable=SC2086
    GTEST_TOTAL_SHARDS="$2" GTEST_SHARD_INDEX="$3" GYRE_TEST_THREADS=2 \
      timeout "$GYRE_TEST_SECONDS" $tool "$4" --gtest_brief=1 --gtest_filter="$5" >"$log" 2>&1
    code=$?
    grep -q "failure to track a kernel launch" "$log" || break
  done
  echo "$1 $code $(count "$log" PASSED) $(count "$log" FAILED) $(count "$log" SKIPPED)" \
    "$(($(date +%s) - began)) $attempt $log" >>"$GYRE_TEST_LOGS/results"
}

if [ "${1:-}" = --one ]; then
  shift
  one "$@"
  exit 0
fi

case " $* " in
  *[!a-z\ ]*) sed -n 's/^#   sh/usage: sh/p' "$0" >&2 && exit 2 ;;
esac
parts="${*:-calls device conformance random forwards}"
for part in $parts; do
  case " calls device conformance random forwards races " in
    *" $part "*) ;;
    *) echo "there is no part '$part'" >&2 && exit 2 ;;
  esac
done

if [ -z "${GYRE_TEST_PROGRAMS:-}" ]; then
  . scripts/packages.sh
  need_packages build
  cmake --preset default >/dev/null && cmake --build --preset default --target gyre_calls_tests \
    gyre_device_tests gyre_conformance_tests gyre_forwards_tests || exit 3
  GYRE_TEST_PROGRAMS=build/bin
fi

# Where there is no GPU every test skips, which is no result.
"$GYRE_TEST_PROGRAMS/gyre_device_tests" --gtest_filter='DeviceLaunch.*' 2>/dev/null | grep -q '       OK' || {
  echo "no test runs on a GPU here; gyre doctor says why" >&2
  exit 2
}

rm -rf "$GYRE_TEST_LOGS" && mkdir -p "$GYRE_TEST_LOGS"

# together PART SHARDS PROGRAM FILTER: that many processes, as many at once as may be.
together() {
  shard=0
  while [ "$shard" -lt "$2" ]; do
    printf '%s\n' "$1" "$2" "$shard" "$GYRE_TEST_PROGRAMS/gyre_$3_tests" "$4"
    shard=$((shard + 1))
  done | xargs -d '\n' -n 5 -P "$GYRE_TEST_PROCESSES" sh "$script" --one
}

for part in $parts; do
  case "$part" in
    calls) together calls 1 calls '*' ;;
    # By itself, since some of its tests are of the device's memory.
    device) together device 1 device '-*RandomProgramsOnTheGpu*' ;;
    # Each process keeps all cores busy by itself.
    random) together random 4 device '*RandomProgramsOnTheGpu*' ;;
    conformance) together conformance "$GYRE_TEST_PROCESSES" conformance 'DeviceGraph*:Persistent*:HostBranch*' ;;
    forwards) together forwards "$GYRE_TEST_PROCESSES" forwards '*' ;;
    races) together races $((GYRE_TEST_PROCESSES * 3 / 2)) conformance 'HostBranchPolled.*' ;;
  esac
done

awk '
  { passed[$1] += $3; failed[$1] += $4; skipped[$1] += $5; processes[$1]++ }
  $6 > seconds[$1] { seconds[$1] = $6 }
  $2 != 0 { ended[$1]++; bad = bad "\n" $8 " ended with " $2 }
  END {
    printf "%-12s %7s %7s %8s %10s %6s %8s\n", "part", "passed", "failed", "skipped", "processes", "bad", "seconds"
    for (part in processes) {
      printf "%-12s %7d %7d %8d %10d %6d %8d\n", part, passed[part], failed[part], skipped[part],
        processes[part], ended[part], seconds[part]
      if (passed[part] == 0) bad = bad "\nno test of " part " ran"
    }
    if (bad != "") { print bad; exit 1 }
  }' "$GYRE_TEST_LOGS/results"
