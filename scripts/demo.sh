#!/bin/sh
# Builds gyre and solves a real system, then once more with every executor of this machine, which
# must give the same bits.
#
# Enough on a fresh Debian 12. Run it again after a change: it builds what has changed.
set -eu
cd "$(dirname "$0")/.."
. scripts/packages.sh

need_packages build

log=build/demo.log
mkdir -p build
echo "building (log: $log)"
if ! { cmake --preset default && cmake --build --preset default --target gyre_cli; } >"$log" 2>&1
then
  tail -n 40 "$log" >&2
  exit 3
fi
echo

# The finite-element Laplacian of an L-shaped domain; samples/data/make_l_shape.py made it.
matrix=samples/data/l_shape.mtx
build/bin/gyre solve "$matrix" --method cg --precond jacobi
echo
sh scripts/compare-executors.sh build/bin/gyre "$matrix" --method cg --precond jacobi
