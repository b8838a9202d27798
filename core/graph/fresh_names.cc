#include "graph/fresh_names.h"

#include "base/text.h"

namespace cryo {

std::string FreshNames::take(const std::string& wanted) {
  std::string name = wanted;
  for (int& i = next_[wanted]; is_taken(name);) name = cat(wanted, "_", ++i);
  given_.insert(name);
  return name;
}

}  // namespace cryo
