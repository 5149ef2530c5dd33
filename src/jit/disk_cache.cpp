#include "disk_cache.hpp"

#include "content_hash.hpp"
#include "gyre/base/log.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>
#include <vector>

#include <unistd.h>

namespace gyre::jit {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view magic = "gyre kernel 1\n";
constexpr std::string_view extension = ".gyrekernel";
constexpr std::size_t hash_digits = 32;

/// magic, checksum of all that follows, sizes of key, log and binary, and these three.
std::string encode(std::string_view key, const Cubin& cubin) {
  std::string rest = std::to_string(key.size()) + " " + std::to_string(cubin.log.size()) + " " +
                     std::to_string(cubin.bytes.size()) + "\n";
  rest.append(key).append(cubin.log).append(cubin.bytes.data(), cubin.bytes.size());
  return std::string(magic) + content_hash(rest) + "\n" + rest;
}

/// Takes a decimal number and the one character after it off the front of `text`.
std::optional<std::size_t> take_number(std::string_view& text, char end) {
  std::size_t value = 0;
  std::size_t i = 0;
  for (; i < text.size() && i < 12 && text[i] >= '0' && text[i] <= '9'; ++i) {
    value = 10 * value + static_cast<std::size_t>(text[i] - '0');
  }
  if (i == 0 || i == text.size() || text[i] != end) return std::nullopt;
  text.remove_prefix(i + 1);
  return value;
}

/// An entry's parts, which point into its text.
struct Entry {
  std::string_view key, log, bytes;
};

std::optional<Entry> decode(std::string_view text) {
  const std::size_t head = magic.size() + hash_digits + 1;
  if (text.size() < head || !text.starts_with(magic)) return std::nullopt;
  const std::string_view checksum = text.substr(magic.size(), hash_digits);
  text.remove_prefix(head);
  if (content_hash(text) != checksum) return std::nullopt;

  const auto key_size = take_number(text, ' ');
  const auto log_size = take_number(text, ' ');
  const auto bytes_size = take_number(text, '\n');
  if (!key_size || !log_size || !bytes_size) return std::nullopt;
  if (text.size() != *key_size + *log_size + *bytes_size) return std::nullopt;
  return Entry{.key = text.substr(0, *key_size),
               .log = text.substr(*key_size, *log_size),
               .bytes = text.substr(*key_size + *log_size)};
}

std::optional<std::string> read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string text{std::istreambuf_iterator<char>(file), {}};
  return file.bad() ? std::nullopt : std::optional(std::move(text));
}

/// A name beside `path` that no other process or thread uses.
fs::path temporary_beside(const fs::path& path) {
  static std::atomic<unsigned> next{0};
  return path.string() + "." + std::to_string(getpid()) + "." + std::to_string(next++) + ".tmp";
}

struct File {
  fs::path path;
  fs::file_time_type used;
  std::uint64_t bytes;
};

/// The entries of a directory, and what interrupted writers left there.
std::vector<File> files_in(const fs::path& directory) {
  std::vector<File> files;
  std::error_code error;
  fs::directory_iterator entries(directory, error);
  for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
    const fs::path& path = entries->path();
    if (path.filename().string().find(extension) == std::string::npos) continue;
    // Another process may delete the file between these calls; then it is not counted.
    std::error_code gone;
    const auto used = fs::last_write_time(path, gone);
    const auto bytes = gone ? 0 : fs::file_size(path, gone);
    if (!gone) files.push_back({path, used, bytes});
  }
  return files;
}

}  // namespace

DiskCache::DiskCache(fs::path directory, std::uint64_t max_bytes)
    : directory_(std::move(directory)), max_bytes_(max_bytes) {}

fs::path DiskCache::path_of(std::string_view key) const {
  return directory_ / (content_hash(key) + std::string(extension));
}

DiskCache::Found DiskCache::find(std::string_view key) {
  if (directory_.empty() || max_bytes_ == 0) return {};
  const fs::path path = path_of(key);
  const std::optional<std::string> text = read_file(path);
  if (!text) return {};

  const std::optional<Entry> entry = decode(*text);
  if (!entry) {
    log::info("the kernel cache entry " + path.string() + " is damaged and will be made anew");
    return {.cubin = std::nullopt, .damaged = true};
  }
  if (entry->key != key) return {};
  // The time of last use decides what is deleted first.
  std::error_code ignored;
  fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
  return {.cubin = Cubin{.bytes = {entry->bytes.begin(), entry->bytes.end()},
                         .log = std::string(entry->log)},
          .damaged = false};
}

void DiskCache::store(std::string_view key, const Cubin& cubin) {
  if (directory_.empty() || max_bytes_ == 0) return;
  std::error_code error;
  fs::create_directories(directory_, error);
  if (error) return complain_once(error.message());

  // Readers see the old file or the new one, never half of one.
  const fs::path path = path_of(key);
  const fs::path temporary = temporary_beside(path);
  std::ofstream file(temporary, std::ios::binary);
  const std::string text = encode(key, cubin);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file) {
    fs::remove(temporary, error);
    return complain_once("cannot write " + temporary.string());
  }
  fs::rename(temporary, path, error);
  if (error) {
    const std::string what = error.message();
    fs::remove(temporary, error);
    return complain_once(what);
  }
  evict(path);
}

void DiskCache::evict(const fs::path& keep) {
  std::vector<File> files = files_in(directory_);
  std::uint64_t total = 0;
  for (const File& file : files) total += file.bytes;
  std::sort(files.begin(), files.end(),
            [](const File& a, const File& b) { return a.used < b.used; });

  const auto an_hour_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
  for (const File& file : files) {
    const bool temporary = file.path.extension() == ".tmp";
    // A fresh temporary is some process's write in progress; an old one is a crash's debris.
    if (temporary ? file.used > an_hour_ago : total <= max_bytes_ || file.path == keep) continue;
    std::error_code ignored;
    fs::remove(file.path, ignored);
    total -= file.bytes;
  }
}

void DiskCache::complain_once(const std::string& what) {
  std::call_once(complained_, [&] {
    log::warn("compiled kernels are not kept in " + directory_.string() + ": " + what +
              " (GYRE_CACHE_DIR names another directory)");
  });
}

}  // namespace gyre::jit
