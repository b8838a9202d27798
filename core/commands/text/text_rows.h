#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "commands/text/look.h"
#include "wire/json/json_tree.h"

namespace cryo {

// The parts of reports on a terminal: rows of a name and a value.

// The number of items that a terminal shows of a long list.
constexpr size_t kShortList = 12;

// The column at which the value of a row begins.
constexpr size_t kValueColumn = 12;

std::string padded(std::string_view text, size_t width);

// A string escaped (escaped.h), "?" for null, all else as JSON.
std::string scalar(const JsonValue& value);

// [1,-1] -> "[1,?]"
std::string shape_text(const JsonValue& shape);

// Reports have numbers beyond 2^53 as strings.
uint64_t number(const JsonValue& value);
std::string bytes_text(const JsonValue& value);

// "float32 [3,3]"
std::string type_text(const JsonValue& tensor);

// "x  float32 [3,3]"
std::string tensor_text(const JsonValue& tensor);

std::string row(std::string_view name, std::string_view value);

// The first items of a list, one a row, under one heading.
template <typename Line>
std::string rows(std::string_view heading, const JsonValue& list, bool verbose, Line line) {
  std::string text;
  size_t shown = 0;
  size_t left = 0;
  for (JsonItems items(list); items.next();) {
    if (shown == kShortList && !verbose) {
      ++left;
    } else {
      text += row(shown++ == 0 ? heading : "", line(items.value()));
    }
  }
  if (left > 0) text += row("", cat("... and ", left, " more (--verbose)"));
  return text;
}

// Takes the next piece of a text; returns false if it takes no more.
using Put = std::function<bool(std::string_view)>;

// Writes lines of cells. Every column is as wide as its widest cell, but for the few that are very
// wide: so `cells` is called twice for each line. With a width, cells are shortened so that a line
// fits, unless it is verbose. Returns false if `put` did.
bool write_table(size_t count, const std::function<std::vector<std::string>(size_t)>& cells,
                 const Look& look, const Put& put);

}  // namespace cryo
