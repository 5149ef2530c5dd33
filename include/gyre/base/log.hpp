/// What gyre says while it works, behind a sink that the user can replace.
///
/// The level comes from the environment variable GYRE_LOG (trace, debug, info, warn, error, off;
/// default warn). Without a sink of the user's, lines go to standard error.
#pragma once

#include <functional>
#include <string_view>

namespace gyre::log {

enum class Level { Trace, Debug, Info, Warn, Error, Off };

/// Receives each line that passes the level, from any thread, one at a time.
using Sink = std::function<void(Level, std::string_view)>;

/// Replaces the sink; an empty one brings standard error back.
void set_sink(Sink sink);
/// Replaces the level that GYRE_LOG chose.
void set_level(Level level);
/// Whether a line at `level` would be written: ask before building a costly one.
bool enabled(Level level);
void write(Level level, std::string_view line);

inline void debug(std::string_view line) {
  write(Level::Debug, line);
}
inline void info(std::string_view line) {
  write(Level::Info, line);
}
inline void warn(std::string_view line) {
  write(Level::Warn, line);
}
inline void error(std::string_view line) {
  write(Level::Error, line);
}

}  // namespace gyre::log
