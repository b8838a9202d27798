#include "base/pattern/globs.h"

namespace cryo {

Globs::Globs(std::initializer_list<Glob> globs) {
  for (const Glob& glob : globs) push_back(glob);
}

void Globs::push_back(Glob glob) {
  by_ending_[std::string(ending_of_weight(glob))].add(glob, static_cast<uint32_t>(all_.size()));
  all_.push_back(std::move(glob));
}

bool Globs::any_names(std::string_view weight) const {
  return any_candidate(weight, [&](uint32_t i) { return names_weight(all_[i], weight); });
}

}  // namespace cryo
