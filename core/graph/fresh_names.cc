#include "graph/fresh_names.h"

#include "base/text.h"

namespace cryo {

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
