#include "content_hash.hpp"

namespace gyre::jit {
namespace {

__extension__ using Word = unsigned __int128;

constexpr Word word(unsigned long long high, unsigned long long low) {
  return (static_cast<Word>(high) << 64) | low;
}

constexpr Word offset_basis = word(0x6c62272e07bb0142ULL, 0x62b821756295c58dULL);
constexpr Word prime = word(0x0000000001000000ULL, 0x000000000000013bULL);

}  // namespace

std::string content_hash(std::string_view bytes) {
  Word hash = offset_basis;
  for (const char byte : bytes) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= prime;
  }

  std::string digits(32, '0');
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, hash >>= 4) {
    *digit = "0123456789abcdef"[static_cast<unsigned>(hash & 15)];
  }
  return digits;
}

}  // namespace gyre::jit
