#!/bin/sh
# Solves one system with every executor of this machine, and checks that all make the same trips, give
# the same bits, and that device_graph and persistent never ask the host.
#
#   sh scripts/compare-executors.sh GYRE MATRIX.mtx [OPTIONS OF gyre solve]
#
# Ends with 1 where they differ. Where an executor cannot run here it says why.
set -eu
gyre="$1"
matrix="$2"
shift 2

results="$(mktemp -d)"
trap 'rm -rf "$results"' EXIT

# figure EXECUTOR NAME: a number of its report.
figure() {
  sed -n "s/^ *\"$2\": *\([-+.0-9e]*\),*\$/\1/p" "$results/$1.json"
}

"$gyre" doctor >"$results/doctor"
# why_not EXECUTOR: the reason that doctor gives; empty where it runs here.
why_not() {
  sed -n "s/^.* $1  *not available: //p" "$results/doctor"
}

missing=""
differing=""
first=""
printf '%-13s %10s %15s %10s  %s\n' executor iterations 'per iteration' 'host syncs' solution
for executor in cpu host_branch device_graph persistent; do
  if [ -n "$(why_not "$executor")" ]; then
    missing="$missing $executor"
    continue
  fi
  "$gyre" solve "$matrix" "$@" --executor "$executor" --output "$results/$executor.mtx" --json \
    >"$results/$executor.json"
  solution="$(sha256sum <"$results/$executor.mtx" | cut -c1-16)"
  iterations="$(figure "$executor" iterations)"
  syncs="$(figure "$executor" host_syncs)"
  time="$(figure "$executor" seconds_per_iteration | awk '{ print $1 < 1e-3 ? sprintf("%.2f us", $1 * 1e6) : sprintf("%.2f ms", $1 * 1e3) }')"
  printf '%-13s %10s %15s %10s  %s\n' "$executor" "$iterations" "$time" "$syncs" "$solution"

  if [ -z "$first" ]; then
    first="$iterations $solution"
  elif [ "$iterations $solution" != "$first" ]; then
    differing="$differing $executor"
  fi
  case "$executor" in
    device_graph | persistent)
      if [ "$syncs" != 0 ]; then
        echo "$executor waited for the host $syncs times; it must never" >&2
        exit 1
      fi
      ;;
  esac
done

echo
for executor in $missing; do
  echo "$executor is not here: $(why_not "$executor")"
done
if [ -n "$differing" ]; then
  echo "not the same trips and bits as the first:$differing" >&2
  exit 1
fi
[ -n "$missing" ] || echo "All made the same trips and gave the same bits."
