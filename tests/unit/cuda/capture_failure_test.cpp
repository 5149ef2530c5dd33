#include "gyre/cuda/capture_failure.hpp"

#include <cctype>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gyre::cuda {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

TEST(CaptureFailure, EveryErrorOfCapturesHasItsRow) {
  for (int code = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
       code <= CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD; ++code) {
    const CaptureFault* fault = find_capture_fault(static_cast<CUresult>(code));

    ASSERT_NE(fault, nullptr) << code;
    EXPECT_EQ(fault->code, code);
    EXPECT_THAT(std::string(fault->driver_name), StartsWith("CUDA_ERROR_"));
    EXPECT_THAT(std::string(fault->runtime_name), StartsWith("cudaError"));
  }
  EXPECT_EQ(find_capture_fault(CUDA_SUCCESS), nullptr);
  EXPECT_EQ(find_capture_fault(CUDA_ERROR_ILLEGAL_ADDRESS), nullptr);
}

TEST(CaptureFailure, RowsAreTwoPartsOfOneSentenceAndAllDiffer) {
  std::set<std::string_view> said;
  for (const CaptureFault& fault : capture_faults()) {
    EXPECT_TRUE(said.insert(fault.does).second) << fault.does;
    EXPECT_TRUE(std::islower(fault.does.front()) != 0) << fault.does;
    EXPECT_THAT(std::string(fault.does) + std::string(fault.instead), Not(HasSubstr(".")));
    EXPECT_THAT(std::string(fault.instead), Not(IsEmpty()));
  }
}

TEST(CaptureFailure, RowIsFoundByEachOfItsNames) {
  for (const CaptureFault& fault : capture_faults()) {
    for (const std::string_view name : {fault.driver_name, fault.runtime_name, fault.text}) {
      const std::string text = "spmv.cu:17: failed with " + std::string(name) + "!";
      EXPECT_EQ(find_capture_fault(text), &fault) << name;
    }
  }
  EXPECT_EQ(find_capture_fault("out of memory"), nullptr);
  EXPECT_EQ(find_capture_fault(""), nullptr);
}

TEST(CaptureFailure, WorkThatWasRecordedHasNoReason) {
  EXPECT_THAT(why_not_recorded({}), IsEmpty());
}

TEST(CaptureFailure, ForgottenJoinIsNamed) {
  EXPECT_THAT(why_not_recorded({.code = CUDA_ERROR_STREAM_CAPTURE_UNJOINED}),
              AllOf(StartsWith("forks work"), HasSubstr("not joined back; record an event there")));
}

TEST(CaptureFailure, WhatBrokeTheCaptureIsSaidRatherThanThatItIsBroken) {
  const auto why = why_not_recorded(
      {.code = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
       .thrown = "operation would make the legacy stream depend on a capturing blocking stream"});

  EXPECT_THAT(why, AllOf(StartsWith("uses the legacy default stream"), HasSubstr("(it threw: ")));
}

TEST(CaptureFailure, CodeOfTheExceptionCountsMost) {
  const auto why = why_not_recorded({.code = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
                                     .thrown_code = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                                     .thrown = "stopped by cudaErrorStreamCaptureImplicit"});

  EXPECT_THAT(why, StartsWith("waits for the GPU or allocates"));
}

TEST(CaptureFailure, WhatTheDriverSaysIsReadAndToldOn) {
  const auto why =
      why_not_recorded({.code = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
                        .driver_log = "CUDA_ERROR_STREAM_CAPTURE_ISOLATION in cuStreamWaitEvent"});

  EXPECT_THAT(why, AllOf(StartsWith("waits for an event of outside"),
                         EndsWith("(CUDA says: CUDA_ERROR_STREAM_CAPTURE_ISOLATION in "
                                  "cuStreamWaitEvent)")));
}

TEST(CaptureFailure, BrokenCaptureOfUnknownCauseListsWhatMayBe) {
  const auto why = why_not_recorded({.code = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED});

  EXPECT_THAT(why, AllOf(HasSubstr("cannot be recorded"), HasSubstr("cudaMalloc"),
                         HasSubstr("legacy default stream"), HasSubstr("event of outside")));
}

TEST(CaptureFailure, WorkThatThrewForReasonsOfItsOwnIsQuoted) {
  EXPECT_EQ(why_not_recorded({.thrown = "no plan for this shape"}),
            "threw while it was recorded: no plan for this shape");
}

}  // namespace
}  // namespace gyre::cuda
