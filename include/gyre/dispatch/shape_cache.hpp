/// What is made ready for one shape each, as executables are, within a budget of bytes.
///
/// A thing is handed out as a shared pointer and is never dropped while somebody holds it. Leaves
/// out how things are made, what runs in them at once, and which shapes requests are rounded up to
/// (buckets.hpp).
#pragma once

#include "gyre/dispatch/shape.hpp"
#include "gyre/dispatch/shape_ledger.hpp"

#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace gyre::dispatch {

/// A cache of things of type T. Any thread may ask.
template <class T>
class ShapeCache {
 public:
  /// A thing and the memory that it holds.
  struct Made {
    std::shared_ptr<T> thing;
    std::size_t bytes = 0;
  };
  using Make = std::function<Made()>;

  explicit ShapeCache(CacheLimits limits) : ledger_(std::move(limits)) {}

  /// The thing for that shape, made by `make_it` where need be; while one thread makes it, others
  /// that want the same wait. Null where the request is to run eagerly: the shape has not been
  /// asked for often enough yet. Where what is in use leaves no room the thing is made all the
  /// same, and not kept. What `make_it` throws comes through, to all who waited; the next request
  /// tries again.
  std::shared_ptr<T> find_or_make(const Shape& shape, const Make& make_it) {
    std::unique_lock lock(mutex_);
    if (const auto found = things_.find(shape); found != things_.end()) {
      ledger_.hit(shape);
      const auto thing = found->second;
      // What is there is taken at once: until then somebody else might drop it.
      if (thing.wait_for(std::chrono::seconds(0)) == std::future_status::ready) return thing.get();
      lock.unlock();
      return thing.get();
    }
    if (!ledger_.is_worth_making(shape)) return nullptr;
    std::promise<std::shared_ptr<T>> promise;
    things_.emplace(shape, promise.get_future().share());
    lock.unlock();
    return make(shape, make_it, promise);
  }

  /// Drops whatever nobody holds.
  void clear() {
    Dropped dropped;
    const std::lock_guard lock(mutex_);
    ledger_.drop_all([&](const Shape& shape) { return drop(shape, dropped); });
  }

  CacheCounts counts() const {
    const std::lock_guard lock(mutex_);
    return ledger_.counts();
  }

 private:
  using Pending = std::shared_future<std::shared_ptr<T>>;
  /// What ends once the lock is gone: it may take its time.
  using Dropped = std::vector<Pending>;

  std::shared_ptr<T> make(const Shape& shape, const Make& make_it,
                          std::promise<std::shared_ptr<T>>& promise) {
    Dropped dropped;
    try {
      Made made = make_it();
      const std::lock_guard lock(mutex_);
      if (ledger_.make_room(made.bytes, [&](const Shape& held) { return drop(held, dropped); })) {
        ledger_.keep(shape, made.bytes);
      } else {
        // It serves those who wait, and goes with the last of them.
        ledger_.pass_on();
        things_.erase(shape);
      }
      promise.set_value(made.thing);
      return made.thing;
    } catch (...) {
      const std::lock_guard lock(mutex_);
      things_.erase(shape);
      promise.set_exception(std::current_exception());
      throw;
    }
  }

  // Whether nobody holds it, so that it goes.
  bool drop(const Shape& shape, Dropped& dropped) {
    const auto found = things_.find(shape);
    if (found->second.get().use_count() > 1) return false;
    dropped.push_back(std::move(found->second));
    things_.erase(found);
    return true;
  }

  mutable std::mutex mutex_;
  ShapeLedger ledger_;
  std::map<Shape, Pending> things_;
};

}  // namespace gyre::dispatch
