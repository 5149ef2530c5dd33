#include "gyre/dispatch/dispatcher.hpp"

#include "gyre/base/error.hpp"
#include "gyre/executors/make_executor.hpp"

#include <algorithm>
#include <utility>

namespace gyre::dispatch {
namespace {

const ir::Symbol& symbol_named(const ir::Program& program, const std::string& name) {
  const auto found = std::find_if(program.symbols.begin(), program.symbols.end(),
                                  [&](const ir::Symbol& symbol) { return symbol.name == name; });
  if (found == program.symbols.end()) {
    throw UsageError("program '" + program.name + "' has nothing named '" + name + "'");
  }
  return *found;
}

void verify(const ir::Program& program, const DispatchOptions& options) {
  if (symbol_named(program, options.rows).kind != ir::SymbolKind::Size) {
    throw UsageError("'" + options.rows + "' of program '" + program.name +
                     "' is no size; the rows of a bucket are bound to one");
  }
  const ir::Symbol& live = symbol_named(program, options.live);
  const bool counts = live.type == ir::ScalarType::I32 || live.type == ir::ScalarType::I64;
  if (live.kind != ir::SymbolKind::Scalar || live.intent != ir::Intent::In || !counts) {
    throw UsageError("'" + options.live + "' of program '" + program.name +
                     "' is no 'in' scalar of type i32 or i64; it takes the number of live rows");
  }
}

// What launches piece by piece where the buckets' executables run.
std::string eager_beside(const std::string& executor) {
  if (executor == "cpu") return "cpu";
  for (const executors::ExecutorInfo& info : executors::available_executors()) {
    if (info.name == "host_branch" && info.available) return "host_branch";
  }
  return "cpu";
}

DispatchOptions checked(const ir::Program& program, DispatchOptions options) {
  verify(program, options);
  if (options.eager_executor.empty()) {
    options.eager_executor = eager_beside(options.compile.executor);
  }
  if (!options.side_by_side && !options.compile.arena) {
    options.compile.arena = std::make_shared<SharedArena>();
  }
  // Whoever else runs in the arena is waited for.
  options.compile.overlap = Overlap::Queue;
  return options;
}

}  // namespace

Dispatcher::Dispatcher(ir::Program program, DispatchOptions options)
    : program_(std::move(program)),
      options_(checked(program_, std::move(options))),
      eager_(make(options_.eager_executor)),
      cache_(options_.limits) {}

std::optional<Dispatcher::Answer> Dispatcher::run(std::int64_t live, const Bind& bind) {
  const auto rows = options_.buckets.bucket_for(live);
  if (live == 0) return std::nullopt;
  if (const auto ready = rows ? ready_for(live, *rows, bind) : nullptr) {
    return Answer{run_in(*ready, live, *rows, bind), *rows, false};
  }
  return Answer{run_in(*eager_, live, live, bind), live, true};
}

std::shared_ptr<Dispatcher::Ready> Dispatcher::make(const std::string& executor) const {
  CompileOptions compiled = options_.compile;
  compiled.executor = executor;
  return std::shared_ptr<Ready>(new Ready{{}, compile(program_, compiled)});
}

std::shared_ptr<Dispatcher::Ready> Dispatcher::ready_for(std::int64_t live, std::int64_t rows,
                                                         const Bind& bind) {
  const std::string mode = options_.compile.executor + (options_.compile.checked ? " checked" : "");
  return cache_.find_or_make({program_.name, mode, {rows}}, [&] {
    const auto ready = make(options_.compile.executor);
    bind_request(ready->executable, live, rows, bind);
    ready->executable.prepare();
    const std::size_t bytes = ready->executable.held_bytes() + options_.driver_bytes;
    return ShapeCache<Ready>::Made{ready, bytes};
  });
}

void Dispatcher::bind_request(Executable& executable, std::int64_t live, std::int64_t rows,
                              const Bind& bind) const {
  bind(executable, rows);
  executable.set_size(options_.rows, rows);
  executable.set(options_.live, live);
}

Result Dispatcher::run_in(Ready& ready, std::int64_t live, std::int64_t rows, const Bind& bind) {
  const std::lock_guard turn(options_.side_by_side ? ready.turn : turn_);
  bind_request(ready.executable, live, rows, bind);
  return ready.executable.run();
}

}  // namespace gyre::dispatch
