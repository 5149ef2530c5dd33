# Decides whether the GPU executors are built (GYRE_HAS_CUDA).
#
# nvcc being there is the sign that a machine means to use CUDA, yet gyre's own GPU code is plain
# C++ that needs the toolkit's headers only (docs/decisions/0002): the CUDA language, whose compiler
# tests take seconds, is enabled by gyre_enable_cuda_language() for a target that needs nvcc.
set(GYRE_HAS_CUDA OFF)
if(NOT GYRE_CUDA STREQUAL "OFF")
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    find_package(CUDAToolkit 12.4 QUIET)
  endif()
  if(CUDAToolkit_FOUND)
    set(GYRE_HAS_CUDA ON)
  elseif(GYRE_CUDA STREQUAL "ON")
    message(FATAL_ERROR "GYRE_CUDA=ON, but no CUDA Toolkit 12.4 or later was found. Install one, "
                        "name nvcc with CUDACXX, or configure with GYRE_CUDA=OFF.")
  endif()
endif()
if(GYRE_HAS_CUDA)
  message(STATUS "gyre: CUDA ${CUDAToolkit_VERSION}")
else()
  message(STATUS "gyre: without CUDA (GYRE_CUDA=${GYRE_CUDA}); the cpu executor runs everything")
endif()

# Lets .cu files stand in this project, at C++20. A macro, since enable_language() must run at the
# caller's scope.
macro(gyre_enable_cuda_language)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 80 90)
  endif()
  if(CMAKE_CXX_COMPILER_LAUNCHER AND NOT CMAKE_CUDA_COMPILER_LAUNCHER)
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
  endif()
  enable_language(CUDA)
  # CMake 3.25.1 does not know that nvcc has C++20 and drops the standard without a word.
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
  endif()
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
endmacro()
