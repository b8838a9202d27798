#include "graph/fresh_names.h"

#include "base/text.h"

namespace cryo {
namespace {

bool is_letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

std::string legal_node_name(std::string_view wanted) {
  std::string name(wanted);
  for (char& c : name) {
    if (!is_letter_or_digit(c) && std::string_view("_.-/").find(c) == std::string_view::npos) {
      c = '_';
    }
  }
  const bool begins = !name.empty() && (is_letter_or_digit(name[0]) || name[0] == '.');
  return begins ? name : cat("tensor", name);
}

std::string FreshNames::take(const std::string& wanted) {
  if (!is_taken(wanted)) {
    given_.insert(wanted);
    return wanted;
  }
  std::string name = wanted;
  for (int& i = next_[wanted]; is_taken(name);) name = cat(wanted, "_", ++i);
  given_.insert(name);
  return name;
}

std::string_view without_number(std::string_view name) {
  const size_t end = name.find_last_not_of("0123456789");
  const bool numbered = end != std::string_view::npos && end + 1 < name.size() && name[end] == '_';
  return numbered ? name.substr(0, end) : name;
}

}  // namespace cryo
