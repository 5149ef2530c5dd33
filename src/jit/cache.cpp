#include "gyre/jit/cache.hpp"

#include "content_hash.hpp"
#include "disk_cache.hpp"
#include "gyre/base/user_directory.hpp"
#include "gyre/cuda/driver.hpp"
#include "gyre/jit/embedded_headers.hpp"
#include "gyre/jit/nvrtc.hpp"

#include <chrono>
#include <cstdlib>
#include <exception>
#include <future>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace gyre::jit {
namespace {

using Result = std::shared_ptr<const Cubin>;

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

// Every kernel is compiled with all of them. An entry need not hold some hundred kilobytes of text
// that are the same in each.
const std::string& hash_of_headers() {
  static const std::string hash = [] {
    std::string all;
    for (const EmbeddedHeader& header : embedded_headers()) {
      all += "header " + std::string(header.name) + "\n" + header.text;
    }
    return content_hash(all);
  }();
  return hash;
}

bool is_ready(const std::shared_future<Result>& result) {
  return result.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

}  // namespace

CacheSettings cache_settings_from_environment() {
  CacheSettings settings{.directory = user_directory()};
  const std::string megabytes(environment("GYRE_CACHE_MAX_MB"));
  char* end = nullptr;
  const unsigned long long value = std::strtoull(megabytes.c_str(), &end, 10);
  // What is not a number leaves the default: a typo should not switch the cache off.
  if (end != megabytes.c_str() && *end == '\0' && value < (1ULL << 40)) {
    settings.max_bytes = value << 20;
  }
  return settings;
}

std::string cache_key(const CompileRequest& request) {
  const Nvrtc* compiler = nvrtc();
  std::string key =
      "nvrtc " + (compiler == nullptr ? "none" : cuda::version_text(compiler->version)) + "\n";
  for (const std::string& flag : compile_flags(request)) key += flag + "\n";
  // Line information names the file; otherwise equal kernels of two programs are one entry.
  if (request.line_info) key += "name " + request.name + "\n";
  return key + "headers " + hash_of_headers() + "\nsource\n" + request.source;
}

struct KernelCache::State {
  State(CacheSettings settings, Compile compile_)
      : disk(std::move(settings.directory), settings.max_bytes),
        max_memory_bytes(settings.max_memory_bytes),
        compile(std::move(compile_)) {}

  /// From disk or the compiler; runs outside the lock.
  Result make(const CompileRequest& request, const std::string& key);
  void remember_size(std::uint64_t bytes);

  DiskCache disk;
  std::uint64_t max_memory_bytes;
  Compile compile;

  std::mutex mutex;
  // Guarded by `mutex`. A future that is not ready is a compilation under way.
  std::unordered_map<std::string, std::shared_future<Result>> results;
  std::uint64_t memory_bytes = 0;
  CacheCounts counts;
};

Result KernelCache::State::make(const CompileRequest& request, const std::string& key) {
  DiskCache::Found found = disk.find(key);
  {
    const std::lock_guard lock(mutex);
    counts.from_disk += found.cubin ? 1 : 0;
    counts.damaged += found.damaged ? 1 : 0;
    counts.compiled += found.cubin ? 0 : 1;
  }
  if (found.cubin) return std::make_shared<const Cubin>(*std::move(found.cubin));
  auto made = std::make_shared<const Cubin>(compile(request));
  disk.store(key, *made);
  return made;
}

void KernelCache::State::remember_size(std::uint64_t bytes) {
  memory_bytes += bytes;
  if (memory_bytes <= max_memory_bytes) return;
  // Rare, and the disk has them all: a list of last uses would cost more than it saves. Whoever
  // holds a binary keeps it.
  std::erase_if(results, [](const auto& each) { return is_ready(each.second); });
  memory_bytes = 0;
}

KernelCache::KernelCache(CacheSettings settings, Compile compile)
    : state_(std::make_unique<State>(std::move(settings), std::move(compile))) {}

KernelCache::~KernelCache() = default;

Result KernelCache::get(const CompileRequest& request) {
  const std::string key = cache_key(request);
  std::promise<Result> promise;
  {
    std::unique_lock lock(state_->mutex);
    const auto [place, is_new] = state_->results.try_emplace(key);
    if (!is_new) {
      ++state_->counts.from_memory;
      const std::shared_future<Result> result = place->second;
      lock.unlock();
      return result.get();
    }
    place->second = promise.get_future().share();
  }

  try {
    Result made = state_->make(request, key);
    promise.set_value(made);
    const std::lock_guard lock(state_->mutex);
    state_->remember_size(key.size() + made->bytes.size());
    return made;
  } catch (...) {
    // Those who wait for this one fail with it; the next one tries again.
    promise.set_exception(std::current_exception());
    const std::lock_guard lock(state_->mutex);
    state_->results.erase(key);
    throw;
  }
}

CacheCounts KernelCache::counts() const {
  const std::lock_guard lock(state_->mutex);
  return state_->counts;
}

KernelCache& kernel_cache() {
  static KernelCache cache(cache_settings_from_environment());
  return cache;
}

}  // namespace gyre::jit
