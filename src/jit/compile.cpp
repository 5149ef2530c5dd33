#include "gyre/jit/compile.hpp"

#include "gyre/base/error.hpp"
#include "gyre/cuda/driver.hpp"
#include "gyre/cuda/profiler_range.hpp"
#include "gyre/jit/embedded_headers.hpp"
#include "gyre/jit/nvrtc.hpp"

#include <memory>
#include <type_traits>

namespace gyre::jit {
namespace {

const Nvrtc& loaded_nvrtc() {
  const Nvrtc* found = nvrtc();
  if (found == nullptr) throw EnvironmentError(why_no_nvrtc());
  return *found;
}

void check(const Nvrtc& compiler, nvrtcResult result, const char* call) {
  if (result == NVRTC_SUCCESS) return;
  throw EnvironmentError(std::string(call) + " failed with " + compiler.get_error_string(result));
}

struct DestroyProgram {
  const Nvrtc* compiler;
  void operator()(nvrtcProgram program) const noexcept { compiler->destroy_program(&program); }
};
using Program = std::unique_ptr<std::remove_pointer_t<nvrtcProgram>, DestroyProgram>;

Program make_program(const Nvrtc& compiler, const CompileRequest& request) {
  std::vector<const char*> names;
  std::vector<const char*> texts;
  for (const EmbeddedHeader& header : embedded_headers()) {
    names.push_back(header.name);
    texts.push_back(header.text);
  }
  const std::string file = request.name + ".cu";
  nvrtcProgram program = nullptr;
  check(compiler,
        compiler.create_program(&program, request.source.c_str(), file.c_str(),
                                static_cast<int>(names.size()), texts.data(), names.data()),
        "nvrtcCreateProgram");
  return Program(program, DestroyProgram{&compiler});
}

std::string read_log(const Nvrtc& compiler, const Program& program) {
  std::size_t size = 0;
  check(compiler, compiler.get_log_size(program.get(), &size), "nvrtcGetProgramLogSize");
  std::string log(size, '\0');
  if (size != 0) check(compiler, compiler.get_log(program.get(), log.data()), "nvrtcGetProgramLog");
  while (!log.empty() && (log.back() == '\0' || log.back() == '\n')) log.pop_back();
  return log;
}

[[noreturn]] void report_failure(const Nvrtc& compiler, nvrtcResult result,
                                 const CompileRequest& request, const std::string& log) {
  const std::string what = "compiling the kernels of " + request.name + " for " +
                           request.architecture + " with NVRTC " +
                           cuda::version_text(compiler.version) + ": ";
  if (result != NVRTC_ERROR_COMPILATION) {
    throw EnvironmentError(what + compiler.get_error_string(result) + ". " + log +
                           " (hint: this NVRTC may not know the GPU; GYRE_NVRTC names another)");
  }
  throw InternalError("gyre internal error: " + what + "the generated source is wrong.\n" + log +
                      "\n" + source_excerpt(request.source, log) +
                      "This is a fault of gyre, not of your program; please report it.");
}

}  // namespace

std::vector<std::string> compile_flags(const CompileRequest& request) {
  std::vector<std::string> flags = {"-std=c++20", "-fmad=false", "-ftz=false", "-prec-div=true",
                                    "-prec-sqrt=true", "-default-device",
                                    // A program may name what it never uses.
                                    "-diag-suppress=177,550",
                                    "--gpu-architecture=" + request.architecture};
  if (request.line_info) flags.emplace_back("-lineinfo");
  if (request.resource_report) flags.emplace_back("--ptxas-options=-v");
  return flags;
}

Cubin compile_cubin(const CompileRequest& request) {
  const cuda::ProfilerRange range(("compile " + request.name).c_str());
  const Nvrtc& compiler = loaded_nvrtc();
  const Program program = make_program(compiler, request);
  const std::vector<std::string> flags = compile_flags(request);
  std::vector<const char*> arguments;
  for (const std::string& flag : flags) arguments.push_back(flag.c_str());

  const nvrtcResult result =
      compiler.compile_program(program.get(), static_cast<int>(arguments.size()), arguments.data());
  Cubin cubin{.bytes = {}, .log = read_log(compiler, program)};
  if (result != NVRTC_SUCCESS) report_failure(compiler, result, request, cubin.log);

  std::size_t size = 0;
  check(compiler, compiler.get_cubin_size(program.get(), &size), "nvrtcGetCUBINSize");
  cubin.bytes.resize(size);
  check(compiler, compiler.get_cubin(program.get(), cubin.bytes.data()), "nvrtcGetCUBIN");
  return cubin;
}

}  // namespace gyre::jit
