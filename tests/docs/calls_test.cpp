// The C++ of docs/calls.md that needs no GPU compiles, and does what the page says; what needs one
// is in on_a_gpu.cu, which compiles it.
#include <gyre/gyre.hpp>

#include <cstdio>

#include <gtest/gtest.h>

namespace {

using namespace gyre;

TEST(CallsPage, TheHostIsCalledInEachTrip) {
  Program p("logged");
  auto rr = p.out("rr", 8.0);

  p.while_(rr > 1, [&] {
    rr *= 0.5;
    p.call("log", reads(rr), [=](HostCallContext& c) {
       std::printf("%g\n", c.scalar(rr));
     }).on_host();
  });

  testing::internal::CaptureStdout();
  auto logged = compile(p.finish());
  logged.run();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "4\n2\n1\n");
}

}  // namespace
