#include "source_file.hpp"

#include "gyre/io/file.hpp"

#include <iostream>
#include <iterator>
#include <utility>

namespace gyre::cli {

std::shared_ptr<const SourceText> read_source(const std::string& file) {
  SourceText source;
  if (file == "-") {
    source = {"<stdin>", std::string(std::istreambuf_iterator<char>(std::cin), {})};
  } else {
    source = {file, io::read_file(file)};
  }
  return std::make_shared<const SourceText>(std::move(source));
}

}  // namespace gyre::cli
