// An NVRTC that compiles kernels for the host. GYRE_EMULATED_CXX is the compiler,
// GYRE_EMULATED_SOURCES the sources of gyre, GYRE_EMULATED_MODULES the folder for what is made, and
// GYRE_EMULATED_PRECOMPILED one that may have emulated_gpu/kernels.hpp, precompiled with `flags`.
#include <atomic>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include <nvrtc.h>
#include <unistd.h>

namespace {

// tests/CMakeLists.txt precompiles with the same.
constexpr const char* flags = " -std=c++20 -O0 -fPIC -ffp-contract=off -w";

struct Program {
  std::string source;
  std::string library;
  std::string log;
};

Program& program_of(nvrtcProgram handle) {
  return *reinterpret_cast<Program*>(handle);
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string setting(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// What `source` includes directly of kernels/, which may hold kernels as well.
std::string included_headers(const std::string& source) {
  const std::string mark = "#include \"kernels/";
  std::string text;
  for (std::size_t at = source.find(mark); at != std::string::npos; at = source.find(mark, at)) {
    at += mark.size();
    text += text_of(setting("GYRE_EMULATED_SOURCES") + "/kernels/" +
                    source.substr(at, source.find('"', at) - at));
  }
  return text;
}

// "kernel:3;…": how many parameters each kernel takes, which a launch does not say.
std::string parameter_counts(const std::string& source) {
  const std::string mark = "__global__";
  std::string counts;
  for (std::size_t at = source.find(mark); at != std::string::npos; at = source.find(mark, at)) {
    std::string name;
    std::size_t open = at;
    do {
      open = source.find('(', open + 1);
      std::size_t begin = open;
      while (is_name(source[begin - 1])) --begin;
      name = source.substr(begin, open - begin);
    } while (name == "__launch_bounds__");
    int depth = 0;
    int count = 1;
    std::size_t i = open;
    do {
      if (source[i] == '(' || source[i] == '<') ++depth;
      if (source[i] == ')' || source[i] == '>') --depth;
      if (source[i] == ',' && depth == 1) ++count;
      ++i;
    } while (depth != 0);
    counts += name + ":" + std::to_string(count) + ";";
    at = i;
  }
  return counts;
}

}  // namespace

extern "C" {

const char* nvrtcGetErrorString(nvrtcResult result) {
  return result == NVRTC_SUCCESS ? "no error" : "the host's compiler refused";
}
nvrtcResult nvrtcVersion(int* major, int* minor) {
  *major = 13;
  *minor = 0;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcCreateProgram(nvrtcProgram* handle, const char* source, const char*, int,
                               const char* const*, const char* const*) {
  *handle = reinterpret_cast<nvrtcProgram>(new Program{source, {}, {}});
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcDestroyProgram(nvrtcProgram* handle) {
  delete &program_of(*handle);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram handle, int, const char* const*) {
  static std::atomic<int> modules = 0;
  Program& program = program_of(handle);
  const std::string base = setting("GYRE_EMULATED_MODULES") + "/module" + std::to_string(getpid()) +
                           "_" + std::to_string(modules++);
  const std::string sources = setting("GYRE_EMULATED_SOURCES");
  std::ofstream(base + ".cpp") << "#include \"emulated_gpu/kernels.hpp\"\n"
                               << program.source
                               << "\nextern \"C\" const char* const parameter_counts = \""
                               << parameter_counts(program.source +
                                                   included_headers(program.source))
                               << "\";\n";
  const std::string precompiled = setting("GYRE_EMULATED_PRECOMPILED");
  const std::string command = setting("GYRE_EMULATED_CXX") + flags + " -shared" +
                              (precompiled.empty() ? "" : " -I" + precompiled) + " -I" + sources +
                              " -I" + sources + "/include -I" + sources + "/tests -o " + base +
                              ".so " + base + ".cpp 2> " + base + ".log";
  const int result = std::system(command.c_str());
  program.log = text_of(base + ".log");
  program.library = base + ".so";
  return result == 0 ? NVRTC_SUCCESS : NVRTC_ERROR_COMPILATION;
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram handle, std::size_t* size) {
  *size = program_of(handle).log.size() + 1;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetProgramLog(nvrtcProgram handle, char* log) {
  std::strcpy(log, program_of(handle).log.c_str());
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram handle, std::size_t* size) {
  *size = program_of(handle).library.size() + 1;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram handle, char* cubin) {
  std::strcpy(cubin, program_of(handle).library.c_str());
  return NVRTC_SUCCESS;
}

}  // extern "C"
