#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "commands/report.h"
#include "commands/text/look.h"

namespace cryo {

// The parts of reports on a terminal: rows of a name and a value.

// The number of items that a terminal shows of a long list.
constexpr size_t kShortList = 12;

// The column at which the value of a row begins.
constexpr size_t kValueColumn = 12;

std::string padded(std::string_view text, size_t width);

// A string without its quotes, "?" for null, all else as JSON.
std::string scalar(const Json& value);

// [1,-1] -> "[1,?]"
std::string shape_text(const Json& shape);

// Reports have numbers beyond 2^53 as strings.
uint64_t number(const Json& value);
std::string bytes_text(const Json& value);

// "float32 [3,3]"
std::string type_text(const Json& tensor);

// "x  float32 [3,3]"
std::string tensor_text(const Json& tensor);

std::string row(std::string_view name, std::string_view value);

// The first items of a list, one a row, under one heading.
template <typename Line>
std::string rows(std::string_view heading, const Json& list, bool verbose, Line line) {
  std::string text;
  size_t shown = 0;
  for (const Json& item : list) {
    if (shown == kShortList && !verbose) break;
    text += row(shown++ == 0 ? heading : "", line(item));
  }
  if (shown < list.size())
    text += row("", cat("... and ", list.size() - shown, " more (--verbose)"));
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
