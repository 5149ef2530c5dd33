#include "gyre/base/error.hpp"
#include "gyre/io/file.hpp"

#ifdef GYRE_HAS_ZLIB
#include <zlib.h>
#endif

#include <algorithm>
#include <limits>

namespace gyre::io {

bool is_gzip(std::string_view bytes) {
  return bytes.size() >= 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b';
}

#ifdef GYRE_HAS_ZLIB

namespace {

std::size_t inflated_limit(std::size_t compressed) {
  constexpr std::size_t always_allowed = std::size_t{256} << 20;
  constexpr std::size_t ratio = 100;
  if (compressed > std::numeric_limits<std::size_t>::max() / ratio) return compressed;
  return std::max(always_allowed, compressed * ratio);
}

// zlib's stream over a text that stays where it is; freed on every way out.
class Inflater {
 public:
  Inflater(std::string_view bytes, const std::string& name)
      : rest_(bytes), limit_(inflated_limit(bytes.size())), name_(name) {
    constexpr int gzip_only = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, gzip_only) != Z_OK) throw EnvironmentError("zlib cannot start");
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream_); }

  // Appends the member that `rest` begins with.
  void inflate_member(std::string& out) {
    inflateReset(&stream_);
    int code = Z_OK;
    while (code != Z_STREAM_END) {
      const std::size_t given = feed();
      const std::size_t old_size = out.size();
      out.resize(old_size + chunk);
      stream_.next_out = reinterpret_cast<Bytef*>(out.data() + old_size);
      stream_.avail_out = chunk;
      code = inflate(&stream_, Z_NO_FLUSH);
      out.resize(old_size + chunk - stream_.avail_out);
      rest_.remove_prefix(given - stream_.avail_in);
      if (code == Z_BUF_ERROR && rest_.empty()) fail("is a truncated gzip file");
      if (code != Z_OK && code != Z_STREAM_END) fail("is a damaged gzip file");
      if (out.size() > limit_) {
        fail("inflates to more than " + std::to_string(limit_ >> 20) +
             " MiB, which no matrix of its size does");
      }
    }
  }

  std::string_view rest() const { return rest_; }

  [[noreturn]] void fail(const std::string& what) const {
    throw UsageError("'" + name_ + "' " + what);
  }

 private:
  static constexpr uInt chunk = 1 << 18;

  // zlib counts in 32 bits.
  std::size_t feed() {
    const std::size_t given = std::min<std::size_t>(rest_.size(), 1u << 30);
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest_.data()));
    stream_.avail_in = static_cast<uInt>(given);
    return given;
  }

  z_stream stream_{};
  std::string_view rest_;
  std::size_t limit_;
  const std::string& name_;
};

}  // namespace

std::string gunzip(std::string_view bytes, const std::string& name) {
  std::string out;
  Inflater inflater(bytes, name);
  do {
    inflater.inflate_member(out);
  } while (is_gzip(inflater.rest()));
  // Tapes and block devices pad with zeros; anything else is not gzip's.
  if (inflater.rest().find_first_not_of('\0') != std::string_view::npos) {
    inflater.fail("holds bytes after the end of its gzip data");
  }
  return out;
}

#else

std::string gunzip(std::string_view, const std::string& name) {
  throw UsageError("'" + name + "' is a gzip file and this build has no zlib; gunzip it first");
}

#endif

}  // namespace gyre::io
