#!/usr/bin/env bash
# Compiles every source that speaks to CUDA against the headers of CUDA 12.4, the oldest toolkit that
# gyre supports, whatever toolkit this machine has; and where a build's tests are given, compiles the
# test kernels with the NVRTC of 12.4 as well.
#
#   scripts/check-cuda-12.4.sh [BUILD_DIRECTORY]
#
# Needs g++ and pip with access to PyPI; downloads about 25 MB once, into GYRE_CUDA_12_4 or
# ~/.cache/gyre-cuda-12.4.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
wheels=${GYRE_CUDA_12_4:-${XDG_CACHE_HOME:-$HOME/.cache}/gyre-cuda-12.4}
version=12.4.127

if [[ ! -f $wheels/nvidia/cuda_runtime/include/cuda.h ]]; then
  mkdir -p "$wheels"
  python3 -m pip download --quiet --no-deps --dest "$wheels" \
    "nvidia-cuda-runtime-cu12==$version" "nvidia-cuda-nvrtc-cu12==$version"
  for wheel in "$wheels"/*.whl; do python3 -m zipfile --extract "$wheel" "$wheels"; done
fi

failed=0
while IFS= read -r source; do
  "${CXX:-g++}" -std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Werror \
    -DGYRE_HAS_CUDA '-DGYRE_NVRTC_HINT="libnvrtc.so"' -I"$root/include" -I"$root/src" \
    -isystem "$wheels/nvidia/cuda_runtime/include" -isystem "$wheels/nvidia/cuda_nvrtc/include" \
    "$source" || { echo "does not compile against CUDA 12.4: $source" >&2; failed=1; }
done < <(find "$root/src/cuda" "$root/src/jit" "$root/src/executors/gpu" -name '*.cpp' 2>/dev/null)
[[ $failed == 0 ]] || exit 1
echo "all sources compile against the headers of CUDA $version"

if [[ $# -gt 0 ]]; then
  GYRE_NVRTC=$wheels/nvidia/cuda_nvrtc/lib/libnvrtc.so.12 \
    "$1/bin/gyre_unit_tests" --gtest_brief=1 --gtest_filter='*Compile*'
fi
