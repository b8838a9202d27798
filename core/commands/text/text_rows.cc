#include "commands/text/text_rows.h"

#include <algorithm>

#include "commands/text/escaped.h"
#include "tensor/shape.h"

namespace cryo {

namespace {

constexpr size_t kWidestColumn = 48;
constexpr size_t kNarrowestColumn = 8;  // in a terminal that is too narrow for the table
constexpr std::string_view kGap = "  ";

// Returns the widest that a column may be so that a line has `most` columns.
size_t widest_that_fits(const std::vector<size_t>& widths, size_t most) {
  size_t widest = *std::max_element(widths.begin(), widths.end());
  const auto size_with = [&](size_t limit) {
    size_t size = kGap.size() * (widths.size() - 1);
    for (const size_t width : widths) size += std::min(width, limit);
    return size;
  };
  while (widest > kNarrowestColumn && size_with(widest) > most) --widest;
  return widest;
}

std::vector<size_t> column_widths(size_t count,
                                  const std::function<std::vector<std::string>(size_t)>& cells) {
  std::vector<size_t> widths;
  for (size_t at = 0; at < count; ++at) {
    const std::vector<std::string> line = cells(at);
    widths.resize(std::max(widths.size(), line.size()), 0);
    for (size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], columns_of(line[i]));
  }
  return widths;
}

}  // namespace

std::string padded(std::string_view text, size_t width) {
  const size_t columns = columns_of(text);
  return cat(text, std::string(columns < width ? width - columns : 0, ' '));
}

std::string scalar(const JsonValue& value) {
  if (value.is_string()) return shown_text(value.text());
  return value.is_null() ? "?" : json_of(value);
}

std::string shape_text(const JsonValue& shape) {
  if (!shape.is_array()) return "of unknown shape";
  std::vector<std::string> dims;
  for (JsonItems dim(shape); dim.next();) {
    dims.push_back(dim.value().int64() == kUnknownDim ? "?" : scalar(dim.value()));
  }
  return cat("[", join(dims, ","), "]");
}

uint64_t number(const JsonValue& value) { return value.uint64().value_or(0); }

std::string bytes_text(const JsonValue& value) { return human_bytes(number(value)); }

std::string type_text(const JsonValue& tensor) {
  return cat(scalar(tensor.find("dtype")), " ", shape_text(tensor.find("shape")));
}

std::string tensor_text(const JsonValue& tensor) {
  return cat(scalar(tensor.find("name")), "  ", type_text(tensor));
}

// Returns a row. A name that fills its column is still separated from its value.
std::string row(std::string_view name, std::string_view value) {
  return cat(padded(marked(Mark::kHeading, name), kValueColumn), value, "\n");
}

bool write_table(size_t count, const std::function<std::vector<std::string>(size_t)>& cells,
                 const Look& look, const Put& put) {
  if (count == 0) return true;
  std::vector<size_t> widths = column_widths(count, cells);
  const bool fits = look.width > 0 && !look.verbose;
  const size_t widest = fits ? widest_that_fits(widths, look.width) : kWidestColumn;
  for (size_t& width : widths) width = std::min(width, widest);
  std::string text;
  for (size_t at = 0; at < count; ++at) {
    const std::vector<std::string> line = cells(at);
    text.clear();
    for (size_t i = 0; i < line.size(); ++i) {
      const std::string cell = fits ? shortened(line[i], widths[i]) : line[i];
      text += i + 1 < line.size() ? cat(padded(cell, widths[i]), kGap) : cell;
    }
    text.erase(text.find_last_not_of(' ') + 1);
    if (fits) text = cut(text, look.width);  // too many columns for this terminal
    text += "\n";
    if (!put(text)) return false;
  }
  return true;
}

}  // namespace cryo
