#!/usr/bin/env bash
# Proves that gyre holds to CUDA 12.4, the oldest toolkit that it supports, on a machine that has
# another one or none:
#
# 1. Every source that speaks to CUDA compiles against the headers of 12.4: the rooms cuda/, jit/ and
#    executors/gpu/, their tests, the benchmarks, and whatever else asks whether there is CUDA. Tests of
#    calls are left out, and what is compared with or made of libraries: they are written as users' code
#    is, against cudart, cuBLAS and cuSPARSE, whose headers would be 400 MB more.
# 2. Every kernel that gyre emits compiles with the NVRTC of 12.4: those of samples/programs, those
#    of random programs, and the device headers.
#
#   scripts/check-cuda-12.4.sh [BUILD_DIRECTORY]
#
# Needs g++ and pip with access to PyPI, and downloads about 25 MB once, into GYRE_CUDA_12_4 or
# ~/.cache/gyre-cuda-12.4. The second step runs the unit tests of BUILD_DIRECTORY (build) and is left
# out, with a word, where they are not built.
set -euo pipefail
cd "$(dirname "$0")/.."

build=${1:-build}
wheels=${GYRE_CUDA_12_4:-${XDG_CACHE_HOME:-$HOME/.cache}/gyre-cuda-12.4}
version=12.4.127
nvrtc=$wheels/nvidia/cuda_nvrtc/lib/libnvrtc.so.12

fetch() {
  [[ -f $wheels/nvidia/cuda_runtime/include/cuda.h && -f $nvrtc ]] && return
  mkdir -p "$wheels"
  python3 -m pip download --quiet --no-deps --dest "$wheels" \
    "nvidia-cuda-runtime-cu12==$version" "nvidia-cuda-nvrtc-cu12==$version"
  for wheel in "$wheels"/*.whl; do python3 -m zipfile --extract "$wheel" "$wheels"; done
}

# Of sources those that reach no header of cuBLAS or cuSPARSE, not through others either.
without_libraries() {
  while read -r source; do
    g++ -std=c++20 -M -MG -Iinclude -Itests -Ibench -Isamples "$source" 2>/dev/null |
      grep -qE '(cublas|cusparse)[A-Za-z_0-9]*\.h' || echo "$source"
  done
}

sources() {
  {
    find src/cuda src/jit src/executors/gpu tests/device bench -name '*.cpp'
    grep -rlE --include='*.cpp' '<cuda|<nvrtc|gyre/(cuda|jit)/|executors/gpu|GYRE_HAS_CUDA' \
      src tests bench samples
  } | grep -v '^tests/device/calls/' | sort -u | without_libraries
}

compile() {
  "${CXX:-g++}" -std=c++20 -fopenmp -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Werror \
    -DGYRE_HAS_CUDA '-DGYRE_NVRTC_HINT="libnvrtc.so"' '-DGYRE_SOURCE_DIR="."' \
    '-DGYRE_PROGRAM="gyre"' '-DGYRE_FAKE_DRIVER="libcuda.so.1"' '-DGYRE_FAKE_DRIVER_FOLDER="."' \
    '-DGYRE_VERSION="0"' '-DGYRE_COMPILER="g++"' '-DGYRE_BUILD_TYPE="Release"' \
    -Iinclude -Itests -Ibench -Isamples -Isrc/executors/gpu \
    -isystem "$wheels/nvidia/cuda_runtime/include" -isystem "$wheels/nvidia/cuda_nvrtc/include" \
    "$1" || { echo "does not compile against CUDA 12.4: $1" >&2; return 1; }
}
export -f compile
export wheels

# Tests that skip have proved nothing: only those for an architecture newer than 12.4 may.
run_kernel_tests() {
  local output skipped
  output=$(GYRE_NVRTC=$nvrtc GYRE_CACHE_MAX_MB=0 "$build/bin/gyre_unit_tests" \
    --gtest_filter='*Compile*') || { echo "$output" >&2; return 1; }
  skipped=$(grep -oP '^\[  SKIPPED \] \S+(?= \()' <<<"$output" | grep -v sm_100 || true)
  if [[ -n $skipped ]]; then
    echo "these were skipped, so NVRTC $version was not asked: $skipped" >&2
    return 1
  fi
  grep -c '^\[       OK \]' <<<"$output"
}

fetch
found=$(sources)
xargs -P "$(nproc)" -I{} bash -c 'compile {}' <<<"$found"
echo "$(wc -l <<<"$found") sources compile against the headers of CUDA $version"

if [[ ! -x $build/bin/gyre_unit_tests ]]; then
  echo "kernels are not tried: there is no $build/bin/gyre_unit_tests" >&2
  exit
fi
passed=$(run_kernel_tests)
echo "emitted kernels compile with the NVRTC of CUDA $version ($passed tests)"
