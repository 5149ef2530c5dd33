/// Compiled kernels, kept in memory and on disk: the same text is compiled once a machine.
///
/// An entry on disk holds the whole text that it was made from, so that a hash is never trusted
/// alone, and a checksum, so that a damaged entry is made anew. Several processes may share a
/// directory. A directory that cannot be written costs one line of the log and nothing else.
#pragma once

#include "gyre/jit/compile.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace gyre::jit {

struct CacheSettings {
  /// Empty: nothing is kept on disk.
  std::filesystem::path directory;
  /// Past this the entries that were used longest ago are deleted; 0: nothing is kept on disk.
  std::uint64_t max_bytes = 512ULL << 20;
  /// The same for the texts and binaries in this process.
  std::uint64_t max_memory_bytes = 128ULL << 20;
};

/// The directory is the user's (base/user_directory.hpp); GYRE_CACHE_MAX_MB bounds it.
CacheSettings cache_settings_from_environment();

/// How requests were served.
struct CacheCounts {
  std::uint64_t from_memory = 0;
  std::uint64_t from_disk = 0;
  std::uint64_t compiled = 0;
  /// Entries on disk that were damaged, and so compiled again.
  std::uint64_t damaged = 0;
};

/// Any number of threads may ask at once; two that want the same text wait for one compilation.
class KernelCache {
 public:
  using Compile = std::function<Cubin(const CompileRequest&)>;

  explicit KernelCache(CacheSettings settings, Compile compile = compile_cubin);
  ~KernelCache();
  KernelCache(const KernelCache&) = delete;
  KernelCache& operator=(const KernelCache&) = delete;

  /// The binary of `request`. Throws what compiling throws; a failure is not remembered.
  std::shared_ptr<const Cubin> get(const CompileRequest& request);

  CacheCounts counts() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The cache of this process, with the settings of its environment.
KernelCache& kernel_cache();

/// Everything that decides what compiling `request` gives: flags, the compiler's version, a hash of
/// the embedded headers and the source. Equal texts mean equal binaries.
std::string cache_key(const CompileRequest& request);

}  // namespace gyre::jit
