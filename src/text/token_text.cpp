// How tokens are spelled in strings and shown in messages.
#include "gyre/text/lexer.hpp"
#include "utf8.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/core.h>

namespace gyre::text {
namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";

std::string hex_escape(char c) {
  const auto value = static_cast<unsigned char>(c);
  return {'\\', 'x', hex_digits[value >> 4], hex_digits[value & 15]};
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

/// Appends `bytes`, what is no printable text escaped; `quoted` escapes quotes and backslashes too.
void append_escaped(std::string& out, std::string_view bytes, bool quoted) {
  while (!bytes.empty()) {
    const char c = bytes.front();
    const std::size_t length = utf8_length(bytes);
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (quoted && (c == '"' || c == '\\')) {
      out += {'\\', c};
    } else if (length == 0 || is_control(c)) {
      out += hex_escape(c);
    } else {
      out += bytes.substr(0, length);
    }
    bytes.remove_prefix(std::max<std::size_t>(length, 1));
  }
}

struct Escape {
  /// Bytes it takes in the token; 0 where it is none.
  std::size_t length = 0;
  char value = 0;
};

Escape read_escape(std::string_view text) {
  if (text.size() < 2 || text[0] != '\\') return {};
  switch (text[1]) {
    case '"':
    case '\\': return {2, text[1]};
    case 'n': return {2, '\n'};
    case 't': return {2, '\t'};
    case 'x': {
      if (text.size() < 4) return {};
      const int high = hex_value(text[2]);
      const int low = hex_value(text[3]);
      if (high < 0 || low < 0) return {};
      return {4, static_cast<char>(high * 16 + low)};
    }
    default: return {};
  }
}

// U+00E9 of a character of several bytes.
std::string code_point(std::string_view character) {
  const std::size_t length = character.size();
  std::uint32_t code = static_cast<unsigned char>(character.front()) & (0xffU >> (length + 1));
  for (const char next : character.substr(1)) {
    code = code << 6 | (static_cast<unsigned char>(next) & 0x3fU);
  }
  return fmt::format("U+{:04X}", code);
}

std::string describe_string_fault(std::string_view text) {
  constexpr const char* unclosed = "the string has no closing '\"' on its line";
  if (text.size() < 2 || text.back() != '"') return unclosed;
  std::string_view rest = text.substr(1, text.size() - 2);
  while (!rest.empty()) {
    std::size_t length = utf8_length(rest);
    if (rest.front() == '\\') {
      length = read_escape(rest).length;
      // Its last quote is escaped, and so does not close it.
      if (rest.size() == 1) return unclosed;
      if (length == 0) {
        return "unknown escape '" + printable(rest.substr(0, 2)) +
               "' in a string; there are \\\" \\\\ \\n \\t and \\xHH";
      }
    } else if (length == 0 || is_control(rest.front())) {
      return "the string holds the byte '" + hex_escape(rest.front()) + "', which is no text";
    }
    rest.remove_prefix(length);
  }
  return {};
}

}  // namespace

std::string printable(std::string_view bytes) {
  constexpr std::size_t longest = 40;
  std::string out;
  append_escaped(out, bytes.substr(0, longest), false);
  return bytes.size() > longest ? out + "…" : out;
}

std::string describe(const Token& token) {
  if (token.kind == TokenKind::End) return "the end of the file";
  if (token.kind == TokenKind::String) return "a string";
  return "'" + printable(token.text) + "'";
}

std::string describe_fault(const Token& token) {
  const std::string_view text = token.text;
  if (text.starts_with('"')) return describe_string_fault(text);
  const std::string shown = "'" + printable(text) + "'";
  if (text.starts_with('.') && text.size() > 1 && text[1] >= '0' && text[1] <= '9') {
    return shown + " needs a digit before its point";
  }
  if (!text.empty() && text[0] >= '0' && text[0] <= '9') return shown + " is no number";
  if (utf8_length(text) == 0) {
    return "the byte '" + hex_escape(text.empty() ? '\0' : text[0]) + "' is no UTF-8 text";
  }
  const std::string_view character = text.substr(0, utf8_length(text));
  std::string said = "unexpected character '" + printable(character) + "'";
  if (character.size() == 1) return said;
  // Some look like a space or like another character.
  return said + " (" + code_point(character) +
         "); outside comments and strings a program is of ASCII characters";
}

std::string unescape(std::string_view quoted) {
  std::string value;
  std::string_view rest = quoted.substr(1, quoted.size() - 2);
  while (!rest.empty()) {
    const Escape escape = read_escape(rest);
    value += escape.length == 0 ? rest.front() : escape.value;
    rest.remove_prefix(std::max<std::size_t>(escape.length, 1));
  }
  return value;
}

std::string escape(std::string_view value) {
  std::string text = "\"";
  append_escaped(text, value, true);
  return text + "\"";
}

}  // namespace gyre::text
