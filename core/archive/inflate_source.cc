#include "archive/inflate_source.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "bytes/crc32.h"
#include "bytes/damaged_part.h"

namespace cryo {
namespace {

constexpr size_t kScratch = size_t{64} * 1024;

Failure damaged(const Slice& packed, std::string_view message) {
  return failure("bad-deflate", message, {.file = packed.source->name(), .offset = packed.offset},
                 "the file is damaged: copy or download it again");
}

}  // namespace

std::unique_ptr<Inflater> InflaterCache::take(uint64_t owner) {
  for (auto each = entries_.begin(); each != entries_.end(); ++each) {
    if (each->owner != owner) continue;
    std::unique_ptr<Inflater> found = std::move(each->inflater);
    entries_.erase(each);
    return found;
  }
  return nullptr;
}

void InflaterCache::put(uint64_t owner, std::unique_ptr<Inflater> inflater) {
  if (entries_.size() == kMax) entries_.erase(entries_.begin());
  entries_.push_back(Entry{owner, std::move(inflater)});
}

InflateSource::InflateSource(Slice packed, Claim claim, std::string name,
                             std::shared_ptr<InflaterCache> cache, std::vector<std::string> tensors)
    : Checked(std::move(tensors)),
      packed_(std::move(packed)),
      claim_(claim),
      name_(std::move(name)),
      cache_(std::move(cache)),
      id_(cache_->join()) {}

Status InflateSource::read(uint64_t offset, std::span<char> out) const {
  need();
  if (fault_) return *fault_;
  if (out.empty()) return Unit{};
  InflaterPtr inflater = decoder_before(offset);
  CHECK_OK(read_with(*inflater, offset, out));
  if (inflater->position() < claim_.size) cache_->put(id_, std::move(inflater));
  return Unit{};
}

Status InflateSource::finish() const {
  std::string scratch(kScratch, '\0');
  while (frontier_ < claim_.size && !fault_) {
    const auto left =
        static_cast<size_t>(std::min<uint64_t>(claim_.size - frontier_, scratch.size()));
    CHECK_OK(read(frontier_, {scratch.data(), left}));
  }
  return fault_ ? Status(*fault_) : Status(Unit{});
}

// Returns the decoder with the fewest bytes to decode before it reaches `offset`.
InflateSource::InflaterPtr InflateSource::decoder_before(uint64_t offset) const {
  InflaterPtr current = cache_->take(id_);
  const bool usable = current && current->position() <= offset;
  const auto after = std::upper_bound(
      places_.begin(), places_.end(), offset,
      [](uint64_t wanted, const InflaterPtr& place) { return wanted < place->position(); });
  if (after != places_.begin()) {
    const Inflater& place = **(after - 1);
    if (usable && current->position() >= place.position()) return current;
    if (InflaterPtr copy = place.clone()) return copy;
  }
  return usable ? std::move(current) : std::make_unique<Inflater>(packed_);
}

Status InflateSource::read_with(Inflater& inflater, uint64_t offset, std::span<char> out) const {
  std::string scratch;
  while (inflater.position() < offset) {
    scratch.resize(kScratch);
    const auto left =
        static_cast<size_t>(std::min<uint64_t>(offset - inflater.position(), scratch.size()));
    CHECK_OK(step(inflater, {scratch.data(), left}));
  }
  while (!out.empty()) {
    TRY(made, step(inflater, out));
    out = out.subspan(made);
  }
  if (inflater.position() == claim_.size && !claim_.cut && !fault_) return check_end(inflater);
  return Unit{};
}

// Decodes some of `out`, at least one byte. Bytes that are decoded for the first time go into the
// checksum; a step never crosses the frontier.
Result<size_t> InflateSource::step(Inflater& inflater, std::span<char> out) const {
  const bool first_time = inflater.position() == frontier_;
  uint64_t most = first_time ? distance_ : frontier_ - inflater.position();
  most = std::min<uint64_t>(most, out.size());
  out = out.first(static_cast<size_t>(most));
  TRY(made, inflater.read(out));
  if (made < out.size() && inflater.position() < claim_.size) {
    return damaged(packed_, cat("expected ", claim_.size, " bytes; found that only ",
                                inflater.position(), " come of the compressed ones"));
  }
  if (first_time) {
    crc_ = crc32_extend(crc_, {out.data(), made});
    frontier_ += made;
    keep_place(inflater);
  }
  return made;
}

// The decoder has made all bytes there should be. Are they all there are, and the right ones?
Status InflateSource::check_end(Inflater& inflater) const {
  char beyond = 0;
  TRY(more, inflater.read({&beyond, 1}));
  if (more > 0) {
    fault_ = *damaged(packed_, cat("expected ", claim_.size,
                                   " bytes; found that more come of the compressed ones"));
  } else if (claim_.crc && *claim_.crc != crc_) {
    fault_ = *failure(
        "checksum",
        cat("the checksum of ", name_, " does not match: expected ", *claim_.crc, ", found ", crc_),
        {.file = packed_.source->name(), .offset = packed_.offset},
        "the file is damaged: copy or download it again");
    if (!tensors().empty()) fault_->where.tensor = tensors().front();
  }
  return fault_ ? Status(*fault_) : Status(Unit{});
}

void InflateSource::keep_place(const Inflater& inflater) const {
  const uint64_t last = places_.empty() ? 0 : places_.back()->position();
  if (inflater.position() - last < distance_ || inflater.ended()) return;
  if (places_.size() == kMaxPlaces) {
    for (size_t i = 0; i < kMaxPlaces / 2; ++i) places_[i] = std::move(places_[2 * i + 1]);
    places_.resize(kMaxPlaces / 2);
    distance_ *= 2;
  }
  if (InflaterPtr place = inflater.clone()) places_.push_back(std::move(place));
}

Result<InflateSource::Learnt> InflateSource::learn(Slice packed, std::string name,
                                                   std::shared_ptr<InflaterCache> cache,
                                                   bool prefix) {
  auto source = std::make_shared<InflateSource>(packed, Claim(), std::move(name), std::move(cache));
  Inflater inflater(std::move(packed));
  std::string scratch(kScratch, '\0');
  std::optional<Diagnostic> fault;
  while (!inflater.ended() && !fault) {
    const Result<size_t> made = source->step(inflater, {scratch.data(), scratch.size()});
    if (made) continue;
    if (!prefix || !is_of_file(made.error().code)) return made.error();
    fault = made.error();
  }
  const bool cut = fault.has_value();
  const auto crc = cut ? std::nullopt : std::optional(source->crc_);
  source->claim_ = {inflater.position(), crc, cut};
  return Learnt{source, inflater.consumed(), source->crc_, std::move(fault)};
}

}  // namespace cryo
