#!/bin/sh
# Builds gyre and solves a real system, then once more with every executor of this machine, which
# must give the same bits.
#
# Enough on a fresh Debian 12. Run it again after a change: it builds what has changed. GYRE_PRESET
# names another preset than `default` to build.
set -eu
cd "$(dirname "$0")/.."
. scripts/packages.sh

need_packages build

preset="${GYRE_PRESET:-default}"
folder=build
[ "$preset" = default ] || folder="build-$preset"
log="$folder/demo.log"
mkdir -p "$folder"
echo "building (log: $log)"
if ! { cmake --preset "$preset" && cmake --build --preset "$preset" --target gyre_cli; } >"$log" 2>&1
then
  tail -n 40 "$log" >&2
  exit 3
fi
echo

# The finite-element Laplacian of an L-shaped domain; samples/data/make_l_shape.py made it.
matrix=samples/data/l_shape.mtx
"$folder/bin/gyre" solve "$matrix" --method cg --precond jacobi
echo
sh scripts/compare-executors.sh "$folder/bin/gyre" "$matrix" --method cg --precond jacobi
