/// What breaks the recording of somebody's work, in words: CUDA says only that a capture failed.
///
/// One table, which errors of gyre's own calls are explained from too. Leaves out recording
/// (recording.hpp) and work that is recorded and still may not run in a graph (body_audit.hpp).
#pragma once

#include "gyre/cuda/driver.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gyre::cuda {

/// One way in which a capture fails.
struct CaptureFault {
  CUresult code;
  /// How the driver and cudart call it.
  std::string_view driver_name;
  std::string_view runtime_name;
  std::string_view text;
  /// What the work does, behind its name: "uses the legacy default stream …".
  std::string_view does;
  /// What to do instead.
  std::string_view instead;
};

/// Every error that the driver has for captures.
std::span<const CaptureFault> capture_faults();

/// Null where `code` is no error of captures.
const CaptureFault* find_capture_fault(CUresult code);

/// The error of captures that `text` names, by any of its names; null where it names none. Of
/// several one that explains more than CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, which follows from
/// others.
const CaptureFault* find_capture_fault(std::string_view text);

/// How a recording ended.
struct CaptureEnding {
  /// What ending the capture returned.
  CUresult code = CUDA_SUCCESS;
  /// The error that the work itself threw, if it is known.
  CUresult thrown_code = CUDA_SUCCESS;
  /// The text of what the work threw.
  std::optional<std::string> thrown = {};
  /// What the driver said meanwhile; empty for those before 12.9.
  std::string driver_log = {};
};

/// Why the work could not be recorded, as the end of a sentence that starts with its name; empty
/// where it was.
std::string why_not_recorded(const CaptureEnding& ending);

}  // namespace gyre::cuda
