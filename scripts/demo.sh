#!/bin/sh
# Builds gyre and solves a real system with every executor of this machine.
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
build/bin/gyre solve samples/data/l_shape.mtx --method cg --precond jacobi --executor all
