#include "gyre/base/log.hpp"

#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

namespace gyre::log {
namespace {

spdlog::level::level_enum to_spdlog(Level level) {
  return static_cast<spdlog::level::level_enum>(static_cast<int>(level));
}

class UserSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit UserSink(Sink receive) : receive_(std::move(receive)) {}

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    receive_(static_cast<Level>(static_cast<int>(message.level)),
             {message.payload.data(), message.payload.size()});
  }
  void flush_() override {}

 private:
  Sink receive_;
};

spdlog::level::level_enum level_from_environment() {
  const char* name = std::getenv("GYRE_LOG");
  if (name == nullptr) return spdlog::level::warn;
  // spdlog reads an unknown name as "off"; a misspelt level should not silence errors.
  const auto level = spdlog::level::from_str(name);
  return level == spdlog::level::off && std::string(name) != "off" ? spdlog::level::warn : level;
}

std::shared_ptr<spdlog::logger> make_logger(spdlog::sink_ptr sink,
                                            spdlog::level::level_enum level) {
  auto logger = std::make_shared<spdlog::logger>("gyre", std::move(sink));
  logger->set_pattern("gyre: %l: %v");
  logger->set_level(level);
  return logger;
}

spdlog::sink_ptr standard_error() {
  return std::make_shared<spdlog::sinks::stderr_color_sink_mt>();
}

struct State {
  std::mutex mutex;
  std::shared_ptr<spdlog::logger> logger = make_logger(standard_error(), level_from_environment());
};

State& state() {
  static State instance;
  return instance;
}

std::shared_ptr<spdlog::logger> current() {
  const std::lock_guard lock(state().mutex);
  return state().logger;
}

}  // namespace

void set_sink(Sink sink) {
  const std::lock_guard lock(state().mutex);
  auto target = sink ? std::make_shared<UserSink>(std::move(sink)) : standard_error();
  state().logger = make_logger(std::move(target), state().logger->level());
}

void set_level(Level level) {
  current()->set_level(to_spdlog(level));
}

bool enabled(Level level) {
  return current()->should_log(to_spdlog(level));
}

void write(Level level, std::string_view line) {
  current()->log(to_spdlog(level), spdlog::string_view_t(line.data(), line.size()));
}

}  // namespace gyre::log
