/// Memory that several executors use in turns, for what programs keep only while they run.
///
/// Leaves out whose turn it is (runtime/shared_arena.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <typeindex>
#include <vector>

namespace gyre::executors {

/// Pieces of memory that never move, each of which lives as long as somebody holds it. All who ask
/// get the largest one; a larger one is made where that is too small. So those that ask again come
/// to share a single piece, and those that do not keep what they have.
///
/// A Piece is made from a number of bytes, and has `bytes()`. Any thread may ask.
template <class Piece>
class ArenaPieces {
 public:
  std::shared_ptr<Piece> take(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Piece> largest;
    std::erase_if(pieces_, [&](const std::weak_ptr<Piece>& one) {
      const auto piece = one.lock();
      if (piece && (!largest || piece->bytes() > largest->bytes())) largest = piece;
      return piece == nullptr;
    });
    if (largest && largest->bytes() >= bytes) return largest;
    auto made = std::make_shared<Piece>(bytes);
    pieces_.push_back(made);
    return made;
  }

  /// Of all pieces that somebody holds.
  std::size_t held_bytes() const {
    const std::lock_guard lock(mutex_);
    std::size_t bytes = 0;
    for (const std::weak_ptr<Piece>& one : pieces_) {
      if (const auto piece = one.lock()) bytes += piece->bytes();
    }
    return bytes;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::weak_ptr<Piece>> pieces_;
};

/// Such memory of one kind: the host's, or a device's.
class ArenaPart {
 public:
  virtual ~ArenaPart() = default;
  virtual std::size_t held_bytes() const = 0;
};

/// The parts that executors have made of it.
class ArenaMemory {
 public:
  /// The one of that kind, made where nobody has asked for it before.
  template <class Part>
  std::shared_ptr<Part> part() {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<ArenaPart>& part = parts_[std::type_index(typeid(Part))];
    if (!part) part = std::make_shared<Part>();
    return std::static_pointer_cast<Part>(part);
  }

  std::size_t held_bytes() const {
    const std::lock_guard lock(mutex_);
    std::size_t bytes = 0;
    for (const auto& [kind, part] : parts_) bytes += part->held_bytes();
    return bytes;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::type_index, std::shared_ptr<ArenaPart>> parts_;
};

}  // namespace gyre::executors
