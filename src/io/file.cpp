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

// A file beside `path` that is gone again unless it was renamed.
class Temporary {
 public:
  explicit Temporary(const std::string& path)
      : name_(temporary_name(path)),
        file_(::open(name_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
    if (file_.get() < 0) throw std::system_error(errno, std::generic_category());
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (!renamed_) ::unlink(name_.c_str());
  }

  void write(std::string_view bytes) const { write_all(file_.get(), bytes); }
  void rename_to(const std::string& path) {
    if (file_.close() != 0 || ::rename(name_.c_str(), path.c_str()) != 0) {
      throw std::system_error(errno, std::generic_category());
    }
    renamed_ = true;
  }

 private:
  std::string name_;
  Descriptor file_;
  bool renamed_ = false;
};

// Whether `path` is written straight into, being no regular file.
bool is_special(const std::filesystem::file_status& status) {
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

// The file that is replaced: through a symbolic link the one it names, not the link.
std::string target_of(const std::string& path, const std::filesystem::file_status& status) {
  return std::filesystem::exists(status) ? std::filesystem::canonical(path).string() : path;
}

// Without opening it, which a pipe would feel.
void verify_special(const std::string& path, const std::filesystem::file_status& status) {
  if (std::filesystem::is_directory(status)) {
    throw std::system_error(EISDIR, std::generic_category());
  }
  if (::access(path.c_str(), W_OK) != 0) throw std::system_error(errno, std::generic_category());
}

// Calls `act` with the status of `path`; what the system refuses is the machine's fault.
template <class Act>
void writing(const std::string& path, Act act) {
  try {
    act(std::filesystem::status(path));
  } catch (const std::system_error& error) {
    throw EnvironmentError("cannot write '" + path + "': " + error.code().message());
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
  writing(path, [&](const auto& status) {
    if (is_special(status)) return write_straight(path, bytes);
    const std::string target = target_of(path, status);
    Temporary file(target);
    file.write(bytes);
    file.rename_to(target);
  });
}

void verify_writable(const std::string& path) {
  writing(path, [&](const auto& status) {
    if (is_special(status)) return verify_special(path, status);
    const Temporary file(target_of(path, status));
  });
}

}  // namespace gyre::io
