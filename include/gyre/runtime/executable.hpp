/// From a program to its results: compile once, bind memory, launch again and again.
///
///     auto executable = gyre::compile(program);
///     executable.bind("x", x);
///     executable.set("rtol", 1e-10);
///     const auto result = executable.run();
///     if (result.completed()) use(result.get<double>("rr"));
#pragma once

#include "gyre/executors/executor.hpp"
#include "gyre/ir/half.hpp"
#include "gyre/ir/primitive_library.hpp"
#include "gyre/ir/program.hpp"
#include "gyre/runtime/launch.hpp"
#include "gyre/runtime/shared_arena.hpp"
#include "gyre/runtime/trace.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace gyre {

/// What a launch does while the one before it is still running.
enum class Overlap {
  /// UsageError.
  Refuse,
  /// It waits for its turn.
  Queue,
};

/// A CUDA stream of the caller's: a `cudaStream_t` or `CUstream`, both pointers, so that this
/// header needs none of CUDA's. The null stream is `cudaStreamLegacy`, not a null pointer.
class StreamRef {
 public:
  template <class Stream>
  requires(!std::same_as<Stream, Trace>) StreamRef(Stream* stream)  // NOLINT: stands for it
      : handle_(stream) {}

  void* handle() const { return handle_; }

 private:
  void* handle_;
};

struct CompileOptions {
  /// A name of executors::available_executors(), or `auto`: what the environment variable
  /// GYRE_EXECUTOR names, else the best that this machine has.
  std::string executor = "auto";
  /// Threads of the cpu executor; 0: one for each core.
  int threads = 0;
  /// Also detects broken promises of `independent` and `scatter`, memory that was given back since
  /// it was bound, and launches of checked executables that use the same memory at once.
  bool checked = false;
  /// The limit, per entry, of every while and do that names none.
  std::uint64_t max_trips = ir::default_max_trips;
  Overlap overlap = Overlap::Refuse;
  /// Where temporaries lie, shared with other executables: launches of all of them then count as
  /// those of one, and `overlap` says what becomes of one that another overlaps. Null: the
  /// executable has memory of its own.
  std::shared_ptr<SharedArena> arena = {};
  /// Does sorts and sums of integers on a GPU, as recorded calls: libraries::cub(). Those in
  /// loops are calls where `device_graph` or `host_branch` is asked for by name. Null: all are
  /// loops. Bits are the same.
  std::shared_ptr<const ir::PrimitiveLibrary> library = {};
};

/// Memory that `bind` takes: a vector, an array, a span of what a buffer may hold. A container that
/// would be gone after the call is refused.
template <class R>
concept Memory = std::ranges::contiguous_range<R> && std::ranges::sized_range<R> &&
    std::ranges::borrowed_range<R> && ir::type_of<std::remove_cv_t<std::ranges::range_value_t<R>>>
!= ir::ScalarType::Invalid;

class InputRing;

/// A compiled program with what is bound to it. Any thread may use it; the destructor waits for
/// launches under way.
///
/// Memory is read and written in place while a launch runs, and stays the caller's. Its contents
/// may change between launches; the next launch overwrites outputs. Binding anew is cheap and holds
/// from the next launch on. Every complaint is a UsageError that names the object.
class Executable {
 public:
  Executable(Executable&&) noexcept;
  Executable& operator=(Executable&&) noexcept;
  ~Executable();

  /// Binds memory to a buffer, as one dimension or with these extents. Memory of constants fits
  /// `in` buffers only.
  template <Memory R>
  void bind(std::string_view buffer, R&& memory, std::vector<std::int64_t> extents = {}) {
    using Element = std::remove_reference_t<std::ranges::range_reference_t<R>>;
    const auto count = static_cast<std::int64_t>(std::ranges::size(memory));
    if (extents.empty()) extents = {count};
    bind_counted(buffer,
                 {ir::type_of<std::remove_const_t<Element>>, std::move(extents),
                  const_cast<std::remove_const_t<Element>*>(std::ranges::data(memory))},
                 count, std::is_const_v<Element>);
  }
  void bind(std::string_view buffer, ir::BufferView memory);
  /// Binds memory by its address, of the device or of the host, with these extents.
  template <class T>
  requires(ir::type_of<std::remove_const_t<T>> !=
           ir::ScalarType::Invalid) void bind(std::string_view buffer, T* memory,
                                              std::vector<std::int64_t> extents) {
    bind_typed(buffer,
               {ir::type_of<std::remove_const_t<T>>, std::move(extents),
                const_cast<std::remove_const_t<T>*>(memory)},
               std::is_const_v<T>);
  }

  /// As bind, of an `in` buffer whose contents stay as they are until it is bound again: where it
  /// lies on the host a GPU keeps the copy that the first launch makes.
  template <Memory R>
  void bind_steady(std::string_view buffer, R&& memory, std::vector<std::int64_t> extents = {}) {
    using Element = std::remove_cv_t<std::ranges::range_value_t<R>>;
    const auto count = static_cast<std::int64_t>(std::ranges::size(memory));
    if (extents.empty()) extents = {count};
    ir::BufferView view{ir::type_of<Element>, std::move(extents),
                        const_cast<Element*>(std::ranges::data(memory))};
    view.edition = new_edition();
    bind_counted(buffer, std::move(view), count, true);
  }

  /// Gives an `out` buffer memory of the executable's own, where it runs and with these extents:
  /// no launch copies it to the host, `peek` does. It is kept until other memory is bound to it.
  void keep(std::string_view buffer, std::vector<std::int64_t> extents);
  /// Copies elements of a buffer that is kept, from number `first` on (row-major), as they are now.
  /// While a launch is under way each is of some moment of it, and may be of another than the next.
  template <Memory R>
  void peek(std::string_view buffer, std::int64_t first, R&& to) {
    using Element = std::ranges::range_value_t<R>;
    peek_bytes(buffer, first, ir::type_of<Element>, std::as_writable_bytes(std::span(to)));
  }

  /// Sets an `in` or `inout` scalar for the launches to come. A number that the scalar's type
  /// cannot hold exactly is refused.
  template <class T>
  requires std::is_arithmetic_v<T>
  void set(std::string_view scalar, T value) {
    if constexpr (std::is_same_v<T, bool> || std::floating_point<T>) {
      set(scalar, ir::Value(value));
    } else {
      set_integer(scalar, value, std::in_range<std::int64_t>(value));
    }
  }
  void set(std::string_view scalar, const ir::Value& value);

  /// Gives a size. It may be left out where a bound buffer's extent tells it.
  void set_size(std::string_view size, std::int64_t value);

  /// Does ahead of a launch on what is bound now what the first such launch would do otherwise:
  /// compiling kernels, laying out memory, building graphs.
  void prepare();

  /// Starts a launch that runs beside the caller. What is bound is checked first, here. `trace`,
  /// where there is one, outlives the launch.
  Launch launch(Trace* trace = nullptr);
  /// Puts a launch on the caller's stream, behind what is there, and returns at once; work put
  /// there afterwards finds what it wrote. Buffers are then the device's. Where the host has a part
  /// in the launch (host_branch, cpu, host buffers, a call on the host) it returns at its end.
  ///
  /// On a stream that is being captured the launch becomes part of the capture, with the scalars
  /// that are set now and memory of its own (it may allocate). Each launch into a capture is such a
  /// part.
  Launch launch(StreamRef stream, Trace* trace = nullptr);
  /// Runs a launch to its end in the calling thread.
  Result run(Trace* trace = nullptr);

  /// The memory that it holds beside what is bound, where it runs: temporaries that lie in no
  /// shared arena, state, copies of host buffers. To be asked once it was prepared or has run; what
  /// a driver takes for graphs and modules is not in it.
  std::size_t held_bytes() const;

  /// The name of the executor that was chosen.
  std::string_view executor() const;
  const plan::Plan& plan() const;

 private:
  class State;
  friend class InputRing;
  friend Executable compile(ir::Program program, const CompileOptions& options);
  explicit Executable(std::shared_ptr<State> state);

  /// A number that no view has.
  static std::uint64_t new_edition();
  void bind_typed(std::string_view buffer, ir::BufferView memory, bool constant);
  void bind_counted(std::string_view buffer, ir::BufferView memory, std::int64_t count,
                    bool constant);
  void peek_bytes(std::string_view buffer, std::int64_t first, ir::ScalarType type,
                  std::span<std::byte> to);
  void set_integer(std::string_view scalar, std::int64_t value, bool in_range);
  State& state() const;

  std::shared_ptr<State> state_;
};

/// Verifies and lowers `program` and chooses its executor. ProgramError with every diagnostic where
/// the program is wrong; warnings are logged.
Executable compile(ir::Program program, const CompileOptions& options = {});

}  // namespace gyre
