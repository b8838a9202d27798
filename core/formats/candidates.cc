#include "formats/candidates.h"

#include <algorithm>
#include <tuple>

#include "base/sort.h"

namespace cryo {
namespace {

// A model that has parts, and the common beginning of their names.
struct Owner {
  std::string stem;
  const Format* format;
  std::string_view name;
};

// Sorts by stem, so that a stem precedes all that begin with it.
std::vector<Owner> owners_among(const std::vector<Candidate>& all) {
  std::vector<Owner> owners;
  for (const Candidate& each : all) {
    if (each.format->owns == nullptr) continue;
    owners.push_back({each.format->stem(each.file->name()), each.format, each.file->name()});
  }
  sort(owners, [](const Owner& a, const Owner& b) {
    return std::tie(a.stem, a.format, a.name) < std::tie(b.stem, b.format, b.name);
  });
  return owners;
}

// The owners whose stems a name begins with, for names in ascending order. The first of several
// owners with one stem and format represents them all.
class OwnersOf {
 public:
  explicit OwnersOf(const std::vector<Owner>& all) : next_(all.begin()), end_(all.end()) {}

  bool owned(const Candidate& part) {
    const std::string_view name = part.file->name();
    for (; next_ != end_ && next_->stem <= name; ++next_) {
      leave_all_but(next_->stem);
      const bool is_open = !open_.empty() && open_.back()->stem == next_->stem &&
                           open_.back()->format == next_->format;
      if (!is_open) open_.push_back(&*next_);
    }
    leave_all_but(name);
    return std::any_of(open_.begin(), open_.end(), [&](const Owner* owner) {
      const bool before =
          owner->format != part.format ? owner->format < part.format : owner->name < name;
      return before && owner->format->owns(owner->name, name);
    });
  }

 private:
  void leave_all_but(std::string_view name) {
    while (!open_.empty() && !name.starts_with(open_.back()->stem)) open_.pop_back();
  }

  std::vector<Owner>::const_iterator next_;
  std::vector<Owner>::const_iterator end_;
  std::vector<const Owner*> open_;  // each one's stem begins with that of the one before
};

}  // namespace

std::vector<Candidate> remove_parts(const std::vector<Candidate>& all) {
  std::vector<const Candidate*> by_name;
  for (const Candidate& each : all) by_name.push_back(&each);
  sort(by_name,
       [](const Candidate* a, const Candidate* b) { return a->file->name() < b->file->name(); });
  const std::vector<Owner> owners = owners_among(all);
  OwnersOf owners_of(owners);
  std::vector<bool> part(all.size());
  for (const Candidate* each : by_name) {
    part[static_cast<size_t>(each - all.data())] = owners_of.owned(*each);
  }
  std::vector<Candidate> whole;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!part[i]) whole.push_back(all[i]);
  }
  const auto is_record = [](const Candidate& each) { return each.format->is_record; };
  if (!std::all_of(whole.begin(), whole.end(), is_record)) std::erase_if(whole, is_record);
  return whole;
}

}  // namespace cryo
