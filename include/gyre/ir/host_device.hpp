/// How a function is written that host and device share.
///
/// Plain C++ that g++, nvcc and NVRTC compile; leaves out the functions themselves (scalar_ops.hpp,
/// random_ops.hpp).
#pragma once

#ifndef __CUDACC_RTC__
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#endif

#ifdef __CUDACC__
#define GYRE_HOST_DEVICE __host__ __device__
/// The mathematical library's function of that name.
#define GYRE_MATH(name) ::name
#else
#define GYRE_HOST_DEVICE
#define GYRE_MATH(name) std::name
#endif
