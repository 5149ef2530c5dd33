/// Inputs that are copied to where a program runs while it still runs on the ones before.
///
///     gyre::InputRing x(executable, "x", {n});
///     for (const auto& batch : batches) {
///       x.write(batch);                            // beside the launch that is under way
///       launches.push_back(executable.launch());   // reads what was written last
///     }
///
/// Leaves out launching: who compiles with Overlap::Queue need not wait for one launch before the
/// next is put behind it.
#pragma once

#include "gyre/runtime/executable.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gyre {

/// Several places for one `in` buffer of an executable, which belong to the ring alone. Each write
/// goes to the next place, and launches from then on read that one. A place is written again only
/// behind all launches that read it, so that no write is ever seen by a launch that was started
/// before it. On a GPU events see to that: a write waits for the copy that was sent from the same
/// place before, and for nothing else. Elsewhere it waits for the launches themselves.
///
/// Binding other memory to the buffer ends the ring's part until the next write. Any thread may
/// write. A write is a UsageError once the executable is gone.
class InputRing {
 public:
  /// UsageError where the program has no such `in` buffer, or one of another rank, and for fewer
  /// than two places or more than most_places.
  static constexpr std::size_t most_places = 4096;
  InputRing(Executable& executable, std::string input, std::vector<std::int64_t> extents,
            std::size_t places = 2);

  /// Copies `values`, one for each element; they may change as soon as it returns.
  template <std::ranges::sized_range R>
  void write(const R& values) {
    using Element = std::remove_cv_t<std::ranges::range_value_t<R>>;
    check(ir::type_of<Element>, std::ranges::size(values));
    fill<Element>([&](std::span<Element> place) { std::ranges::copy(values, place.begin()); });
  }
  /// Lets `fill` write the elements into memory from which they are sent without another copy. What
  /// it throws comes through, and nothing is sent then. Its span is of no use afterwards.
  template <class T, std::invocable<std::span<T>> Fill>
  void fill(const Fill& fill) {
    check(ir::type_of<T>, elements_);
    fill_bytes([&](std::span<std::byte> place) {
      fill(std::span(reinterpret_cast<T*>(place.data()), place.size() / sizeof(T)));
    });
  }

 private:
  void check(ir::ScalarType type, std::size_t elements) const;
  void fill_bytes(const std::function<void(std::span<std::byte>)>& fill);

  struct Places;

  std::weak_ptr<Executable::State> executable_;
  std::string input_;
  ir::ScalarType type_;
  std::vector<std::int64_t> extents_;
  std::size_t elements_;
  std::shared_ptr<Places> places_;
};

}  // namespace gyre
