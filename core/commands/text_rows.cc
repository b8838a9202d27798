#include "commands/text_rows.h"

namespace cryo {

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

}  // namespace cryo
