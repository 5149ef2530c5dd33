# cmake -DOUTPUT=… -DROOTS=… -DHEADERS=… -P EmbedHeaders.cmake
#
# Writes a .cpp that holds each of HEADERS as a string, under the name by which code includes it:
# its path relative to the one of ROOTS that it lies in. Lists are separated by `|`.
string(REPLACE "|" ";" ROOTS "${ROOTS}")
string(REPLACE "|" ";" HEADERS "${HEADERS}")

set(entries "")
foreach(header IN LISTS HEADERS)
  foreach(root IN LISTS ROOTS)
    cmake_path(IS_PREFIX root "${header}" NORMALIZE inside)
    if(inside)
      file(RELATIVE_PATH name "${root}" "${header}")
      break()
    endif()
  endforeach()
  if(NOT inside)
    message(FATAL_ERROR "${header} lies in none of ${ROOTS}")
  endif()
  # As bytes, because no raw string delimiter is safe from every text and literals have a length
  # limit.
  file(READ "${header}" bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
  string(MAKE_C_IDENTIFIER "${name}" symbol)
  string(APPEND arrays "constexpr char ${symbol}[] = {${bytes}'\\0'};\n")
  string(APPEND entries "    {\"${name}\", ${symbol}},\n")
endforeach()

file(WRITE "${OUTPUT}.new" "// Made by cmake/EmbedHeaders.cmake.
#include \"gyre/jit/embedded_headers.hpp\"

namespace gyre::jit {
namespace {

${arrays}
constexpr EmbeddedHeader headers[] = {
${entries}};

}  // namespace

std::span<const EmbeddedHeader> embedded_headers() {
  return headers;
}

}  // namespace gyre::jit
")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
