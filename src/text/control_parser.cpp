// The statements that choose, repeat and jump.
#include "statement_parser.hpp"

#include <limits>
#include <string>
#include <utility>

namespace gyre::text {

void StatementParser::parse_foreach(Items& items) {
  const Token start = cursor_.take();
  const Names::Block block(names_);
  ir::Foreach loop;
  loop.ranges = exprs_.parse_ranges();
  loop.independent = cursor_.accept("independent");
  if (cursor_.accept("team")) loop.team = parse_team();
  loop.body = parse_block("before the body of 'foreach'");
  items.push_back(ir::make_region(std::move(loop), cursor_.loc(start)));
}

ir::Team StatementParser::parse_team() {
  if (cursor_.accept("warp")) return ir::Team::Warp;
  if (cursor_.accept("block")) return ir::Team::Block;
  cursor_.fail_expected("'warp' or 'block' after 'team'");
}

void StatementParser::parse_if(Items& items) {
  const auto depth = depth_;
  items.push_back(parse_if_region());
  depth_ = depth;
}

// An `else if` stands as the only statement of the else arm, and so is one block deeper.
ir::Region StatementParser::parse_if_region() {
  const Token start = cursor_.take();
  ir::If branch;
  branch.condition = exprs_.parse();
  branch.then = parse_block("before the arm of 'if'");
  const Token other = cursor_.peek();
  if (cursor_.accept("else")) {
    if (!cursor_.at("if")) {
      branch.otherwise = parse_block("before the arm of 'else'");
    } else {
      if (++depth_ >= ir::max_region_depth) {
        cursor_.fail("nesting", cursor_.loc(other),
                     "'else if' is nested deeper than " + std::to_string(ir::max_region_depth),
                     "use 'switch', or several branches in a row");
      }
      branch.otherwise = ir::make_seq({parse_if_region()}, cursor_.loc(other));
    }
  }
  return ir::make_region(std::move(branch), cursor_.loc(start));
}

void StatementParser::parse_limits(ir::While& loop) {
  if (cursor_.accept("limit")) loop.limit = exprs_.parse();
  if (cursor_.accept("expect")) loop.expect = exprs_.parse();
}

void StatementParser::parse_while(Items& items) {
  const Token start = cursor_.take();
  ir::While loop;
  loop.condition = exprs_.parse();
  parse_limits(loop);
  loop.body = parse_block("before the body of 'while'");
  items.push_back(ir::make_region(std::move(loop), cursor_.loc(start)));
}

void StatementParser::parse_do(Items& items) {
  const Token start = cursor_.take();
  ir::While loop;
  loop.test_last = true;
  loop.body = parse_block("before the body of 'do'");
  cursor_.expect("while", "after the body of 'do'");
  loop.condition = exprs_.parse();
  parse_limits(loop);
  items.push_back(ir::make_region(std::move(loop), cursor_.loc(start)));
}

void StatementParser::parse_for(Items& items) {
  const Token start = cursor_.take();
  const Names::Block block(names_);
  ir::For loop;
  loop.range = exprs_.parse_range();
  if (cursor_.at(",")) {
    cursor_.fail_expected("'{' before the body of 'for'", "'for' has one range; nest another loop");
  }
  loop.body = parse_block("before the body of 'for'");
  items.push_back(ir::make_region(std::move(loop), cursor_.loc(start)));
}

void StatementParser::parse_switch(Items& items) {
  const Token start = cursor_.take();
  ir::Switch choice;
  choice.selector = exprs_.parse();
  const Token open = cursor_.expect("{", "before the cases of 'switch'");
  parse_cases(choice.cases);
  if (cursor_.accept("default")) choice.otherwise = parse_block("before the arm of 'default'");
  if (cursor_.at("case")) {
    cursor_.report("syntax", cursor_.loc(), "'default' is the last arm of a 'switch'");
    parse_cases(choice.cases);
  }
  if (cursor_.at(TokenKind::End)) {
    cursor_.report("unclosed-block", cursor_.loc(open), "this '{' is never closed");
    throw GiveUp{};
  }
  if (!cursor_.at("}")) {
    cursor_.fail_expected("'case', 'default' or '}'", "a 'switch' holds only its cases");
  }
  cursor_.take();
  items.push_back(ir::make_region(std::move(choice), cursor_.loc(start)));
}

void StatementParser::parse_cases(std::vector<ir::Case>& cases) {
  while (cursor_.at("case")) {
    const Token start = cursor_.peek();
    const auto depth = depth_;
    try {
      cases.push_back(parse_case());
    } catch (const Abandon&) {
      depth_ = depth;
      cursor_.skip_statement(start);
    }
  }
}

ir::Case StatementParser::parse_case() {
  ir::Case arm;
  arm.loc = cursor_.loc(cursor_.take());
  do {
    arm.labels.push_back(parse_label());
  } while (cursor_.accept(","));
  arm.body = parse_block("before the arm of 'case'");
  return arm;
}

ir::Case::Label StatementParser::parse_label() {
  constexpr std::string_view what = "a label: an integer, or a range like 2..5";
  const auto loc = cursor_.loc();
  const std::int64_t first = exprs_.parse_integer(what);
  if (cursor_.accept("..")) return {first, exprs_.parse_integer(what)};
  if (first == std::numeric_limits<std::int64_t>::max()) {
    cursor_.report("literal-range", loc, "the greatest i64 cannot be a label");
    return {first, first};
  }
  return {first, first + 1};
}

void StatementParser::parse_fork(Items& items) {
  const Token start = cursor_.take();
  ir::Fork fork;
  fork.arms.push_back(parse_block("before the first arm of 'fork'"));
  while (cursor_.accept("and")) fork.arms.push_back(parse_block("before the arm of 'and'"));
  items.push_back(ir::make_region(std::move(fork), cursor_.loc(start)));
}

void StatementParser::parse_break(Items& items) {
  items.push_back(ir::make_region(ir::Break{}, cursor_.loc(cursor_.take())));
}

void StatementParser::parse_continue(Items& items) {
  items.push_back(ir::make_region(ir::Continue{}, cursor_.loc(cursor_.take())));
}

void StatementParser::parse_stop(Items& items) {
  const Token start = cursor_.take();
  if (!cursor_.at(TokenKind::String)) {
    cursor_.fail_expected("the label of 'stop' in double quotes");
  }
  ir::Stop stop{.label = unescape(cursor_.take().text), .code = nullptr};
  if (cursor_.accept(",")) stop.code = exprs_.parse();
  items.push_back(ir::make_region(std::move(stop), cursor_.loc(start)));
}

}  // namespace gyre::text
