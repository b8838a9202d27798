#include "base/pattern/glob_index.h"

namespace cryo {

void GlobIndex::add(const Glob& glob, uint32_t place) {
  const std::string& text = glob.text();
  const size_t head = glob.regex() != nullptr ? 0 : text.find('*');
  Places& places = head == std::string::npos ? whole_ : by_head_[head];
  places[text.substr(0, head)].push_back(place);
}

}  // namespace cryo
