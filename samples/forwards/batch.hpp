/// The memory of a batch of sequences on the host, by the names that a decode loop has for it.
#pragma once

#include "sequences.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace forwards {

using Tokens = std::vector<std::int32_t>;

/// What a member is asked for.
struct Request {
  Tokens prompt;
  std::int32_t stop_token = -1;
  /// Prompt included.
  std::int32_t most_tokens = 0;
};

/// Keys and values of every page.
struct PageCache {
  PageCache() = default;
  PageCache(const DecoderShape& of, std::int64_t pages)
      : extents{of.layers, pages, of.page, of.width},
        keys(static_cast<std::size_t>(of.layers * pages * of.page * of.width)),
        values(keys.size()) {}

  /// Calls `visit(name, values, extents)` for both; names begin with the decoder's prefix.
  template <class Visit>
  void each(const Visit& visit, const std::string& prefix = "") {
    visit(prefix + "keys", keys, extents);
    visit(prefix + "values", values, extents);
  }
  void bind(gyre::Executable& executable, const std::string& prefix = "") {
    each([&](const std::string& name, auto& memory,
             const auto& of) { executable.bind(name, memory, of); },
         prefix);
  }

  std::vector<std::int64_t> extents;
  std::vector<float> keys, values;
};

/// The members of a batch, with the cache of one decoder.
struct Batch {
  /// Each member gets pages for `most_tokens`, in turns, so that those of one do not lie side by
  /// side.
  Batch(const DecoderShape& of, const std::vector<Request>& requests)
      : shape(of),
        members(static_cast<std::int64_t>(requests.size())),
        table(requests.size() * static_cast<std::size_t>(of.member_pages()), -1),
        prompt(requests.size() * static_cast<std::size_t>(of.positions)),
        tokens(prompt.size()),
        length(requests.size()),
        cached(requests.size()),
        ended(requests.size()) {
    for (std::size_t m = 0; m < requests.size(); ++m) {
      const Request& request = requests[m];
      std::copy(request.prompt.begin(), request.prompt.end(), prompt.begin() + first_of(m));
      prompt_length.push_back(static_cast<std::int32_t>(request.prompt.size()));
      stop_token.push_back(request.stop_token);
      most_tokens.push_back(request.most_tokens);
    }
    for (int i = 0; i < shape.member_pages(); ++i) {
      for (std::size_t m = 0; m < requests.size(); ++m) {
        if (i * shape.page < most_tokens[m]) page_of(m, i) = static_cast<std::int32_t>(pages++);
      }
    }
    cache = PageCache(of, pages);
  }

  std::int32_t& page_of(std::size_t member, int number) {
    return table[member * static_cast<std::size_t>(shape.member_pages()) +
                 static_cast<std::size_t>(number)];
  }
  /// What member `m` has by now, prompt included.
  Tokens sequence(std::size_t m) const {
    const auto first = tokens.begin() + first_of(m);
    return {first, first + length[m]};
  }

  /// Calls `visit(name, values, extents)` for each buffer.
  template <class Visit>
  void each(const Visit& visit) {
    using Extents = std::vector<std::int64_t>;
    visit("table", table, Extents{members, shape.member_pages()});
    visit("stop_token", stop_token, Extents{members});
    visit("most_tokens", most_tokens, Extents{members});
    visit("prompt", prompt, Extents{members, shape.positions});
    visit("prompt_length", prompt_length, Extents{members});
    visit("tokens", tokens, Extents{members, shape.positions});
    visit("length", length, Extents{members});
    visit("cached", cached, Extents{members});
    visit("ended", ended, Extents{members});
    cache.each(visit);
  }
  void bind(gyre::Executable& executable) {
    each([&](const std::string& name, auto& memory, auto extents) {
      executable.bind(name, memory, std::move(extents));
    });
  }

  DecoderShape shape;
  std::int64_t members, pages = 0;
  std::vector<std::int32_t> table, stop_token, most_tokens, prompt, prompt_length, tokens, length,
      cached, ended;
  PageCache cache;

 private:
  std::ptrdiff_t first_of(std::size_t m) const {
    return static_cast<std::ptrdiff_t>(m) * shape.positions;
  }
};

}  // namespace forwards
