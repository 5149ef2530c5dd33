#include "gyre/jit/compile.hpp"

#include "gyre/base/error.hpp"
#include "gyre/jit/embedded_headers.hpp"
#include "gyre/jit/nvrtc.hpp"

#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gyre::jit {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class CompileCubin : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (nvrtc() == nullptr) GTEST_SKIP() << why_no_nvrtc();
    if (std::string_view(GetParam()) == "sm_100" && nvrtc()->version < 12080) {
      GTEST_SKIP() << "NVRTC knows sm_100 from CUDA 12.8 on";
    }
  }

  static Cubin compile(const std::string& source) {
    return compile_cubin({.source = source, .name = "test", .architecture = GetParam()});
  }
};

bool is_elf(const Cubin& cubin) {
  return cubin.bytes.size() > 4 && std::string_view(cubin.bytes.data(), 4) ==
                                       "\x7f"
                                       "ELF";
}

bool mentions(const Cubin& cubin, std::string_view name) {
  return std::string_view(cubin.bytes.data(), cubin.bytes.size()).find(name) !=
         std::string_view::npos;
}

TEST_P(CompileCubin, KernelBecomesABinary) {
  const Cubin cubin =
      compile("extern \"C\" __global__ void twice(float* x) { x[threadIdx.x] *= 2.0f; }");

  EXPECT_TRUE(is_elf(cubin));
  EXPECT_TRUE(mentions(cubin, "twice"));
  EXPECT_THAT(cubin.log, IsEmpty());
}

TEST_P(CompileCubin, KernelsThatOnlyCalibratingRunsCompile) {
  const Cubin cubin =
      compile("#include \"kernels/primitives.cuh\"\n#include \"kernels/sweep_primitives.cuh\"\n");

  EXPECT_TRUE(mentions(cubin, "gyre_grid_barriers"));
  EXPECT_TRUE(mentions(cubin, "gyre_cluster_trips"));
  EXPECT_THAT(cubin.log, IsEmpty());
}

TEST_P(CompileCubin, OperatorsAndStrandsCompile) {
  const Cubin cubin = compile(R"(
#include "gyre/ir/scalar_ops.hpp"
#include "gyre/ir/strands.hpp"

template <class T>
void every_operator(T* x) {
  using namespace gyre::ops;
  x[0] = select(lt(x[0], x[1]), min(x[0], x[1]), max(x[0], x[1]));
  x[1] = add(x[0], sub(x[1], mul(x[2], div(x[3], neg(x[0])))));
  x[2] = abs(x[2]);
  x[3] = convert<T>(x[0]) + convert<T>(convert<int>(x[1])) + convert<T>(convert<long long>(x[2]));
  x[4] = argmin(Located<T>{x[0], 0}, Located<T>{x[1], 1}).value;
}

extern "C" __global__ void kernel(int* i, long long* l, float* f, double* d, long long m) {
  using namespace gyre;
  every_operator(i);
  every_operator(l);
  every_operator(f);
  every_operator(d);
  i[5] = ops::rem(ops::shl(i[0], i[1]), ops::shr(i[2], ops::bit_not(i[3])));
  l[5] = ops::extent(l[0], l[1], l[2]) + strands::outer(m) + strands::inner(m);
  f[5] = ops::rsqrt(ops::sqrt(f[0])) + ops::pow(f[1], ops::atan2(f[2], ops::round(f[3])));
  d[5] = ops::erf(ops::tanh(ops::floor(d[0]))) + ops::log1p(ops::expm1(d[1]));
  d[6] = strands::combine_tree(d, m, [](double a, double b) { return a + b; });
}
)");

  EXPECT_TRUE(is_elf(cubin));
  EXPECT_THAT(cubin.log, IsEmpty());
}

TEST_P(CompileCubin, ConditionalHandleIsSetWithoutDeviceLinking) {
  const Cubin cubin = compile(R"(
typedef unsigned long long cudaGraphConditionalHandle;
extern "C" __device__ void cudaGraphSetConditional(cudaGraphConditionalHandle, unsigned);

extern "C" __global__ void count_down(int* trips, cudaGraphConditionalHandle more) {
  *trips -= 1;
  cudaGraphSetConditional(more, *trips > 0);
}
)");

  EXPECT_TRUE(is_elf(cubin));
  EXPECT_TRUE(mentions(cubin, "count_down"));
}

INSTANTIATE_TEST_SUITE_P(Architectures, CompileCubin, testing::Values("sm_80", "sm_90", "sm_100"),
                         [](const auto& each) { return std::string(each.param); });

TEST(Compile, WrongSourceIsOurFaultAndShowsItsLines) {
  if (nvrtc() == nullptr) GTEST_SKIP() << why_no_nvrtc();

  std::string message;
  try {
    compile_cubin({.source = "extern \"C\" __global__ void kernel(int* x) {\n"
                             "  int y = 1;\n"
                             "  *x = y + z;\n"
                             "}\n",
                   .name = "wrong",
                   .architecture = "sm_90"});
  } catch (const InternalError& error) {
    message = error.what();
  }

  EXPECT_THAT(message, HasSubstr("compiling the kernels of wrong for sm_90"));
  EXPECT_THAT(message, HasSubstr(">    3 |   *x = y + z;"));
  EXPECT_THAT(message, HasSubstr("     2 |   int y = 1;"));
}

TEST(Compile, UnknownArchitectureIsTheMachinesFault) {
  if (nvrtc() == nullptr) GTEST_SKIP() << why_no_nvrtc();

  EXPECT_THROW(compile_cubin({.source = "", .name = "p", .architecture = "sm_1"}),
               EnvironmentError);
}

TEST(Compile, ArithmeticIsNeverContracted) {
  const auto flags = compile_flags({.source = "", .name = "p", .architecture = "sm_90"});

  for (const char* flag : {"-fmad=false", "-ftz=false", "-prec-div=true", "-prec-sqrt=true",
                           "--gpu-architecture=sm_90"}) {
    EXPECT_THAT(flags, testing::Contains(flag));
  }
}

TEST(Nvrtc, MissingLibraryIsAReason) {
  const FoundNvrtc found = load_nvrtc("libthere-is-no-nvrtc.so");

  EXPECT_EQ(found.nvrtc, nullptr);
  EXPECT_THAT(found.reason, HasSubstr("libthere-is-no-nvrtc.so"));
}

TEST(Nvrtc, LibraryOfAnotherKindIsAReason) {
  const FoundNvrtc found = load_nvrtc("libm.so.6");

  EXPECT_EQ(found.nvrtc, nullptr);
  EXPECT_THAT(found.reason, HasSubstr("libm.so.6 is not an NVRTC"));
}

TEST(EmbeddedHeaders, AreNamedAsTheyAreIncluded) {
  std::vector<std::string> names;
  for (const EmbeddedHeader& header : embedded_headers()) names.emplace_back(header.name);

  EXPECT_THAT(names, testing::Contains("gyre/ir/scalar_ops.hpp"));
  EXPECT_THAT(names, testing::Contains("gyre/ir/strands.hpp"));
}

}  // namespace
}  // namespace gyre::jit
