/// The part of the kernel cache that outlives the process: one file an entry, in one directory that
/// several processes share.
///
/// Nothing here throws for the state of the disk: what cannot be read is absent, what cannot be
/// written is not kept.
#pragma once

#include "gyre/jit/compile.hpp"

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace gyre::jit {

class DiskCache {
 public:
  DiskCache(std::filesystem::path directory, std::uint64_t max_bytes);

  /// What a look on the disk gave; `damaged` where an entry was there but could not be trusted.
  struct Found {
    std::optional<Cubin> cubin;
    bool damaged = false;
  };
  Found find(std::string_view key);
  void store(std::string_view key, const Cubin& cubin);

 private:
  std::filesystem::path path_of(std::string_view key) const;
  void evict(const std::filesystem::path& keep);
  void complain_once(const std::string& what);

  std::filesystem::path directory_;
  std::uint64_t max_bytes_;
  std::once_flag complained_;
};

}  // namespace gyre::jit
