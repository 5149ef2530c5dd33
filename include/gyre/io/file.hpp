/// Whole files in and out: a gzip file reads as what it holds, and a file that is written is either
/// there in full or not at all.
///
/// Leaves out what the bytes mean.
#pragma once

#include <string>
#include <string_view>

namespace gyre::io {

/// The bytes of `path`, inflated where they begin as gzip does. A pipe is read to its end, at most
/// 1 GiB; a folder or a device is refused. Throws UsageError with the system's text when the path
/// cannot be opened, EnvironmentError when reading fails halfway or memory runs out.
std::string read_file(const std::string& path);

/// Makes `bytes` the content of `path`: written beside it and renamed over it, so a reader sees
/// the old file or the new one, and a failure leaves the old one. What is no regular file (a pipe,
/// /dev/stdout) is written straight into. Throws EnvironmentError.
void write_file(const std::string& path, std::string_view bytes);

/// Throws the EnvironmentError that `write_file` would, and leaves `path` as it is: for work that
/// takes long before there is something to write. A disk may still fill up meanwhile.
void verify_writable(const std::string& path);

/// Whether `bytes` begin with gzip's magic number.
bool is_gzip(std::string_view bytes);

/// What the gzip file `bytes` holds; several members follow each other as gzip has it. `name`
/// stands in errors. Throws UsageError for a truncated or damaged file, and for one that inflates
/// past max(256 MiB, 100 x its size), which is a bomb rather than a matrix; also in a build without
/// zlib.
std::string gunzip(std::string_view bytes, const std::string& name);

}  // namespace gyre::io
