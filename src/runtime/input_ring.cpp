#include "gyre/runtime/input_ring.hpp"

#include "executable_state.hpp"
#include "gyre/base/error.hpp"
#include "own_memory.hpp"

#include <mutex>

namespace gyre {

struct InputRing::Places {
  /// Held while a place is written.
  std::mutex mutex;
  std::vector<std::shared_ptr<FedPlace>> all = {};
  std::size_t next = 0;
};

InputRing::InputRing(Executable& executable, std::string input, std::vector<std::int64_t> extents,
                     std::size_t places)
    : executable_(executable.state_),
      input_(std::move(input)),
      type_(executable.state().type_of_input(input_, extents)),
      extents_(std::move(extents)),
      places_(std::make_shared<Places>()) {
  if (places < 2 || places > most_places) {
    throw UsageError("a ring for '" + input_ + "' has 2 to " + std::to_string(most_places) +
                     " places, not " + std::to_string(places) +
                     ": one is written while others are read");
  }
  const std::size_t bytes = bytes_to_own(input_, type_, extents_, "written ahead");
  elements_ = bytes / ir::size_of(type_);
  for (std::size_t i = 0; i < places; ++i) {
    places_->all.push_back(executable.state().make_place(bytes));
  }
}

void InputRing::check(ir::ScalarType type, std::size_t elements) const {
  if (type != type_) {
    throw UsageError("buffer '" + input_ + "' is of " + std::string(name_of(type_)) + ", but " +
                     std::string(name_of(type)) + " is written to its ring");
  }
  if (elements != elements_) {
    throw UsageError("buffer '" + input_ + "' is " + ir::shape_text(type_, extents_) + ", but " +
                     std::to_string(elements) + " elements are written to its ring");
  }
}

void InputRing::fill_bytes(const std::function<void(std::span<std::byte>)>& fill) {
  const auto executable = executable_.lock();
  if (!executable) {
    throw UsageError("the executable that the ring for '" + input_ + "' writes to is gone");
  }
  const std::lock_guard lock(places_->mutex);
  const std::shared_ptr<FedPlace>& place = places_->all[places_->next];
  executable->wait_for_readers(*place);
  fill(place->memory->values());
  place->memory->send();
  executable->feed(input_, {type_, extents_, place->memory->data()}, place);
  places_->next = (places_->next + 1) % places_->all.size();
}

}  // namespace gyre
