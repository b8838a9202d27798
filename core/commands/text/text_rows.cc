#include "commands/text/text_rows.h"

#include <algorithm>

namespace cryo {

constexpr size_t kWidestColumn = 48;

std::string padded(std::string_view text, size_t width) {
  return cat(text, std::string(text.size() < width ? width - text.size() : 0, ' '));
}

std::string scalar(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_null() ? "?" : to_string(value);
}

std::string shape_text(const Json& shape) {
  if (!shape.is_array()) return "of unknown shape";
  std::vector<std::string> dims;
  for (const Json& dim : shape) dims.push_back(dim == -1 ? "?" : to_string(dim));
  return cat("[", join(dims, ","), "]");
}

uint64_t number(const Json& value) {
  return value.is_number() ? value.get<uint64_t>() : std::stoull(scalar(value));
}

std::string bytes_text(const Json& value) { return human_bytes(number(value)); }

std::string type_text(const Json& tensor) {
  return cat(scalar(tensor["dtype"]), " ", shape_text(tensor["shape"]));
}

std::string tensor_text(const Json& tensor) {
  return cat(scalar(tensor["name"]), "  ", type_text(tensor));
}

// Returns a row. A name that fills its column is still separated from its value.
std::string row(std::string_view name, std::string_view value) {
  return cat(padded(name, 12), value, "\n");
}

bool write_table(size_t count, const std::function<std::vector<std::string>(size_t)>& cells,
                 const Put& put) {
  std::vector<size_t> widths;
  for (size_t at = 0; at < count; ++at) {
    const std::vector<std::string> line = cells(at);
    widths.resize(std::max(widths.size(), line.size()), 0);
    for (size_t i = 0; i < line.size(); ++i) {
      widths[i] = std::clamp(line[i].size(), widths[i], kWidestColumn);
    }
  }
  std::string text;
  for (size_t at = 0; at < count; ++at) {
    const std::vector<std::string> line = cells(at);
    text.clear();
    for (size_t i = 0; i < line.size(); ++i) {
      text += i + 1 < line.size() ? cat(padded(line[i], widths[i]), "  ") : line[i];
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
    if (!put(text)) return false;
  }
  return true;
}

}  // namespace cryo
