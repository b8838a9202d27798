#include "base/pattern/glob.h"

#include <algorithm>

#include "base/text.h"

namespace cryo {

namespace {

// One run of a glob over a name. A star takes as little as it can. On a mismatch the last `*` takes
// one character more, or else the last `**`, which starts another try of the part behind it:
//
//     **a*b   over   aac/ab      tries a*b at 0, at 1, and at 4, where it matches
//
// Each star of a part remembers how far it came in earlier tries. A later try that comes to the
// star no further fails as those did, so each character is looked at once by each star.
class GlobRun {
 public:
  GlobRun(std::string_view glob, std::string_view name, std::vector<std::string_view>& taken)
      : glob_(glob == "*" ? "**" : glob), name_(name), taken_(taken) {}
  bool run();

 private:
  static constexpr size_t kNone = std::string_view::npos;
  struct Star {
    size_t after = kNone;  // where the glob continues
    size_t place = 0;      // among the stars
  };

  void begin(Star& star, size_t width);
  bool lengthen(const Star& star);
  bool try_part_again();
  bool was_tried() const;
  size_t end_of(size_t place) const {
    return static_cast<size_t>(taken_[place].data() - name_.data()) + taken_[place].size();
  }

  std::string_view glob_;
  std::string_view name_;
  std::vector<std::string_view>& taken_;  // by each star so far
  size_t g_ = 0;
  size_t n_ = 0;
  Star wide_;                    // the last `**`
  Star narrow_;                  // the last `*` after it
  std::vector<size_t> reached_;  // in earlier tries, by each `*` after it
};

void GlobRun::begin(Star& star, size_t width) {
  g_ += width;
  star = {g_, taken_.size()};
  taken_.push_back(name_.substr(n_, 0));
}

// Lets a star take one character more, and undoes everything behind it.
bool GlobRun::lengthen(const Star& star) {
  const size_t end = star.after == kNone ? name_.size() : end_of(star.place);
  if (end == name_.size()) return false;
  const size_t size = taken_[star.place].size() + 1;
  taken_.resize(star.place + 1);
  taken_.back() = name_.substr(end + 1 - size, size);
  g_ = star.after;
  n_ = end + 1;
  return true;
}

bool GlobRun::try_part_again() {
  if (wide_.after == kNone) return false;
  const size_t first = wide_.place + 1;
  reached_.resize(std::max(reached_.size(), taken_.size() - first));
  for (size_t i = first; i < taken_.size(); ++i) reached_[i - first] = end_of(i);
  narrow_ = {};
  return lengthen(wide_);
}

// Returns true if an earlier try of this part reached the next star at this place or later.
bool GlobRun::was_tried() const {
  const size_t star = taken_.size() - wide_.place - 1;
  return wide_.after != kNone && star < reached_.size() && n_ <= reached_[star];
}

bool GlobRun::run() {
  taken_.clear();
  while (n_ < name_.size() || g_ < glob_.size()) {
    const std::string_view rest = glob_.substr(g_);
    if (rest.starts_with("**")) {
      begin(wide_, 2);
      narrow_ = {};
      reached_.clear();
    } else if (rest.starts_with('*')) {
      if (!was_tried()) {
        begin(narrow_, 1);
      } else if (!try_part_again()) {
        return false;
      }
    } else if (!rest.empty() && n_ < name_.size() && rest.front() == name_[n_]) {
      ++g_;
      ++n_;
    } else {
      const bool within = narrow_.after != kNone && end_of(narrow_.place) < name_.size() &&
                          name_[end_of(narrow_.place)] != '/';
      if (!(within ? lengthen(narrow_) : try_part_again())) return false;
    }
  }
  return true;
}

}  // namespace

bool matches(std::string_view glob, std::string_view name, std::vector<std::string_view>& taken) {
  return GlobRun(glob, name, taken).run();
}

bool matches(std::string_view glob, std::string_view name) {
  std::vector<std::string_view> taken;
  return matches(glob, name, taken);
}

Result<Glob> Glob::parse(std::string_view text) {
  Glob glob(text);
  if (text.size() > kMaxGlobBytes && text.find('*') != std::string_view::npos) {
    return failure("bad-option",
                   cat("a glob has ", text.size(), " characters; expected at most ", kMaxGlobBytes),
                   {}, "name what is meant with fewer characters");
  }
  if (text.size() < 2 || text.front() != '/' || text.back() != '/') return glob;
  TRY(regex, Regex::parse(text.substr(1, text.size() - 2)));
  glob.regex_ = std::make_shared<const Regex>(std::move(regex));
  return glob;
}

}  // namespace cryo
