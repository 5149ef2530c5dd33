#include "gyre/io/file.hpp"

#include "gyre/base/error.hpp"

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gyre::io {

namespace {

// A pipe may never end.
constexpr std::size_t unsized_limit = std::size_t{1} << 30;

std::string system_text(int code) {
  return std::generic_category().message(code);
}

// An open file that is closed on every way out.
class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  int get() const { return value_; }
  // Some file systems report a full disk only here.
  int close() { return ::close(std::exchange(value_, -1)); }

 private:
  int value_;
};

std::string read_all(const Descriptor& file, const std::string& path) {
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) {
    throw EnvironmentError("cannot read '" + path + "': " + system_text(errno));
  }
  if (S_ISDIR(status.st_mode)) throw UsageError("cannot read '" + path + "': it is a directory");
  if (S_ISCHR(status.st_mode)) throw UsageError("cannot read '" + path + "': it is a device");
  const bool sized = S_ISREG(status.st_mode);
  std::string bytes;
  std::size_t filled = 0;
  // One byte more than the size, so that the read that meets the end needs no growing.
  std::size_t room = sized ? static_cast<std::size_t>(status.st_size) + 1 : 1 << 16;
  while (true) {
    if (filled == room) room += room / 2 + 1;
    bytes.resize(room);
    const ssize_t got = ::read(file.get(), bytes.data() + filled, room - filled);
    if (got == 0) break;
    if (got < 0) {
      if (errno == EINTR) continue;
      throw EnvironmentError("reading '" + path + "' failed: " + system_text(errno));
    }
    filled += static_cast<std::size_t>(got);
    if (!sized && filled > unsized_limit) {
      throw UsageError("'" + path + "' is no regular file and gave more than 1 GiB");
    }
  }
  bytes.resize(filled);
  return bytes;
}

void write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(file, bytes.data(), bytes.size());
    if (done < 0) {
      if (errno == EINTR) continue;
      throw std::system_error(errno, std::generic_category());
    }
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
}

void write_straight(const std::string& path, std::string_view bytes) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.get() < 0) throw std::system_error(errno, std::generic_category());
  write_all(file.get(), bytes);
}

// A name that no other writer of `path` uses, in this process or another.
std::string temporary_name(const std::string& path) {
  static std::atomic<unsigned> count{0};
  return path + "." + std::to_string(::getpid()) + "." + std::to_string(count++) + ".tmp";
}

void write_and_rename(const std::string& path, std::string_view bytes) {
  const std::string temporary = temporary_name(path);
  Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (file.get() < 0) throw std::system_error(errno, std::generic_category());
  try {
    write_all(file.get(), bytes);
    if (file.close() != 0 || ::rename(temporary.c_str(), path.c_str()) != 0) {
      throw std::system_error(errno, std::generic_category());
    }
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
}

}  // namespace

std::string read_file(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) throw UsageError("cannot open '" + path + "': " + system_text(errno));
  try {
    std::string bytes = read_all(file, path);
    return is_gzip(bytes) ? gunzip(bytes, path) : bytes;
  } catch (const std::bad_alloc&) {
    throw EnvironmentError("reading '" + path + "' failed: it does not fit in memory");
  } catch (const std::length_error&) {
    throw EnvironmentError("reading '" + path + "' failed: it does not fit in memory");
  }
}

void write_file(const std::string& path, std::string_view bytes) {
  namespace fs = std::filesystem;
  try {
    const auto status = fs::status(path);
    if (fs::exists(status) && !fs::is_regular_file(status)) {
      write_straight(path, bytes);
    } else {
      // Through a symbolic link the file it names is replaced, not the link.
      write_and_rename(fs::exists(status) ? fs::canonical(path).string() : path, bytes);
    }
  } catch (const std::system_error& error) {
    throw EnvironmentError("cannot write '" + path + "': " + error.code().message());
  }
}

}  // namespace gyre::io
