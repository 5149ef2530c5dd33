/// The driver's calls on streams and events.
#pragma once

#include "streams.hpp"

#include <cuda.h>

namespace emulated {

inline Stream& stream_of(CUstream stream) {
  const bool is_legacy =
      stream == nullptr || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD;
  return is_legacy ? streams().legacy() : *reinterpret_cast<Stream*>(stream);
}
inline Event& event_of(CUevent event) {
  return *reinterpret_cast<Event*>(event);
}
inline CUresult stream_create(CUstream* stream, unsigned, int) {
  *stream = reinterpret_cast<CUstream>(streams().make());
  return CUDA_SUCCESS;
}
inline CUresult stream_synchronize(CUstream stream) {
  stream_of(stream).wait();
  return CUDA_SUCCESS;
}
inline CUresult stream_query(CUstream stream) {
  return stream_of(stream).is_done() ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}
inline CUresult stream_wait_event(CUstream stream, CUevent handle, unsigned) {
  Event& event = event_of(handle);
  stream_of(stream).put([&event, record = event.recorded()] { event.wait_for(record); });
  return CUDA_SUCCESS;
}
inline CUresult synchronize_all() {
  streams().wait_for_all();
  return CUDA_SUCCESS;
}
inline CUresult event_create(CUevent* event, unsigned) {
  *event = reinterpret_cast<CUevent>(new Event);
  return CUDA_SUCCESS;
}
inline CUresult event_record(CUevent handle, CUstream stream) {
  Event& event = event_of(handle);
  stream_of(stream).put([&event, record = event.record()] { event.reach(record); });
  return CUDA_SUCCESS;
}
inline CUresult event_query(CUevent handle) {
  Event& event = event_of(handle);
  return event.is_reached(event.recorded()) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}
inline CUresult event_synchronize(CUevent handle) {
  Event& event = event_of(handle);
  event.wait_for(event.recorded());
  return CUDA_SUCCESS;
}

}  // namespace emulated
