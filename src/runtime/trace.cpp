#include "gyre/runtime/trace.hpp"

#include <fmt/format.h>

namespace gyre {
namespace {

double microseconds(std::chrono::nanoseconds time) {
  return static_cast<double>(time.count()) / 1000.0;
}

}  // namespace

void Trace::start() {
  events_.clear();
  dropped_ = 0;
  end_ = {};
  start_ = Clock::now();
}

void Trace::add(std::string_view region, std::uint64_t trip,
                std::optional<std::chrono::nanoseconds> at) {
  if (events_.size() == capacity_) {
    ++dropped_;
    return;
  }
  auto found = regions_.find(region);
  if (found == regions_.end()) found = regions_.emplace(region, regions_.size()).first;
  events_.push_back({found->first, trip, at ? *at : Clock::now() - start_});
}

void Trace::stop(std::optional<std::chrono::nanoseconds> at, std::uint64_t dropped) {
  end_ = at ? *at : Clock::now() - start_;
  dropped_ += dropped;
}

std::string Trace::to_chrome_json() const {
  // A trip ends where the next of its loop starts; walking backwards knows where that is.
  std::map<std::string_view, std::chrono::nanoseconds> next;
  std::vector<std::string> slices(events_.size());
  for (std::size_t i = events_.size(); i-- > 0;) {
    const Event& event = events_[i];
    const auto end = next.contains(event.region) ? next[event.region] : end_;
    next[event.region] = event.at;
    // Paths are names, digits and punctuation that JSON takes as it is.
    slices[i] = fmt::format(
        R"({{"name":"{0}","ph":"X","pid":1,"tid":{1},"ts":{2:.3f},"dur":{3:.3f},"args":{{"trip":{4}}}}})",
        event.region, regions_.at(std::string(event.region)), microseconds(event.at),
        microseconds(end - event.at), event.trip);
  }
  return fmt::format("{{\"traceEvents\":[\n{}\n]}}\n", fmt::join(slices, ",\n"));
}

std::string Trace::to_csv() const {
  std::string csv = "region,trip,microseconds\n";
  for (const Event& event : events_) {
    csv += fmt::format("{},{},{:.3f}\n", event.region, event.trip, microseconds(event.at));
  }
  return csv;
}

}  // namespace gyre
