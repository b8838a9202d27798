#include "bytes/checks.h"

#include <algorithm>
#include <set>

#include "base/text.h"

namespace cryo {
namespace {

// Bytes that stay in the processor's cache between reading and summing.
constexpr size_t kCachedBytes = size_t{128} * 1024;

}  // namespace

CheckedSlice::CheckedSlice(Slice slice, uint32_t stated, std::unique_ptr<Sum> sum,
                           std::string_view fix, std::vector<std::string> tensors)
    : Checked(std::move(tensors)),
      slice_(std::move(slice)),
      stated_(stated),
      fix_(fix),
      sum_(std::move(sum)) {}

Status CheckedSlice::read(uint64_t offset, std::span<char> out) const {
  need();
  while (!out.empty()) {
    const std::span<char> step = out.first(std::min(kCachedBytes, out.size()));
    CHECK_OK(read_exactly(*slice_.source, slice_.offset + offset, step));
    CHECK_OK(take(offset, {step.data(), step.size()}));
    offset += step.size();
    out = out.subspan(step.size());
  }
  return Unit{};
}

Status CheckedSlice::take(uint64_t offset, std::string_view bytes) const {
  need();
  if (fault_ != nullptr) return *fault_;
  if (sum_ == nullptr) return Unit{};
  CHECK_OK(sum_->take(offset, bytes));
  const Sum::ByteRange missing = sum_->missing();
  return missing.begin < missing.end ? Status(Unit{}) : compare();
}

Status CheckedSlice::finish() const {
  need();
  std::string buffer;
  while (sum_ != nullptr && fault_ == nullptr) {
    const Sum::ByteRange missing = sum_->missing();
    if (missing.begin == missing.end) return compare();
    buffer.resize(
        static_cast<size_t>(std::min<uint64_t>(kCachedBytes, missing.end - missing.begin)));
    CHECK_OK(read_exactly(*slice_.source, slice_.offset + missing.begin, buffer));
    CHECK_OK(take(missing.begin, buffer));
  }
  return fault_ == nullptr ? Status(Unit{}) : Status(*fault_);
}

Status CheckedSlice::compare() const {
  const Result<uint32_t> computed = sum_->finish();
  sum_ = nullptr;
  if (computed && *computed == stated_) return Unit{};
  Failure why = computed ? mismatch(*computed) : failure(computed.error());
  why->where.file = slice_.source->name();
  why->where.offset = slice_.offset;
  if (!tensors().empty()) why->where.tensor = tensors().front();
  fault_ = std::make_shared<const Diagnostic>(*why);
  return why;
}

Failure CheckedSlice::mismatch(uint32_t computed) const {
  const std::string shared =
      tensors().size() > 1 ? cat(", which hold ", join(tensors(), ", ", kMaxListed)) : "";
  return failure(
      "checksum",
      cat("Checksum does not match: stored ", stated_, " vs. calculated on the restored bytes ",
          computed, " (", plural(slice_.size, "byte"), shared, ")"),
      {}, fix_);
}

Status DependentSource::read(uint64_t offset, std::span<char> out) const {
  check_->need();
  return read_exactly(*bytes_.source, bytes_.offset + offset, out);
}

Status Checks::finish() const {
  for (const auto& check : all_) {
    if (check->is_needed()) CHECK_OK(check->finish());
  }
  return Unit{};
}

Status finish_checks(const CheckLists& lists) {
  for (const auto& list : lists) CHECK_OK(list->finish());
  return Unit{};
}

// If no check names a tensor, whole files are counted: a graph in an archive.
CheckCount count_checks(const CheckLists& lists,
                        const std::vector<std::shared_ptr<const Checked>>& planned) {
  std::set<const Checked*> also;
  for (const auto& check : planned) also.insert(check.get());
  std::set<std::string_view> names;
  uint64_t of_tensors = 0;
  uint64_t of_files = 0;
  for (const auto& list : lists) {
    for (const auto& check : list->all()) {
      if (!check->is_needed() && also.count(check.get()) == 0) continue;
      for (const std::string& name : check->tensors()) names.insert(name);
      (check->tensors().empty() ? of_files : of_tensors) += check->covered();
    }
  }
  return {names.size(), names.empty() ? of_files : of_tensors};
}

std::shared_ptr<const CheckedSlice> make_check(Checks* list, Slice slice, uint32_t stated,
                                               std::unique_ptr<Sum> sum, std::string_view fix,
                                               std::vector<std::string> tensors) {
  if (list != nullptr && !list->is_on()) return nullptr;
  auto check = std::make_shared<const CheckedSlice>(std::move(slice), stated, std::move(sum), fix,
                                                    std::move(tensors));
  if (list != nullptr) list->add(check);
  return check;
}

}  // namespace cryo
