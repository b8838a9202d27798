#include "checkpoint/content_checksum.h"

#include <algorithm>
#include <limits>

#include "base/text.h"
#include "bytes/coding.h"
#include "bytes/crc32c.h"

namespace cryo {

ContentChecksum::ContentChecksum(DType dtype, uint64_t elements, bool big_endian)
    : string_(dtype == DType::kString), big_endian_(big_endian), elements_left_(elements) {
  if (string_) expect_ = elements > 0 ? Expect::kLength : Expect::kCheck;
  if (dtype == DType::kVariant) expect_ = elements > 0 ? Expect::kLength : Expect::kEnd;
}

Status ContentChecksum::update(std::string_view chunk) {
  taken_ += chunk.size();
  while (!chunk.empty()) {
    if (wrapped_) return bad_content("String lengths longer than expected");
    if (expect_ == Expect::kEnd) return bad_content("the content goes on after its last element");
    if (expect_ == Expect::kElements || expect_ == Expect::kBytes) {
      const bool all = expect_ == Expect::kElements || bytes_left_ > chunk.size();
      const size_t size = all ? chunk.size() : static_cast<size_t>(bytes_left_);
      crc_ = crc32c_extend(crc_, chunk.substr(0, size));
      chunk.remove_prefix(size);
      bytes_left_ -= expect_ == Expect::kBytes ? size : 0;
      if (expect_ == Expect::kBytes && bytes_left_ == 0) end_bytes();
      continue;
    }
    const char byte = chunk.front();
    chunk.remove_prefix(1);
    if (expect_ == Expect::kLength) {
      take_length_byte(byte);
      continue;
    }
    check_ |= uint32_t{static_cast<unsigned char>(byte)}
              << (big_endian_ ? 24 - check_bits_ : check_bits_);
    check_bits_ += 8;
    if (check_bits_ == 32) CHECK_OK(end_check());
  }
  return Unit{};
}

Result<uint32_t> ContentChecksum::finish() const {
  // No strings at all may also be no bytes at all.
  const bool nothing = string_ && taken_ == 0 && elements_left_ == 0;
  if (expect_ == Expect::kElements || expect_ == Expect::kEnd || nothing) return crc_;
  return bad_content("String lengths longer than expected: the content ends early");
}

void ContentChecksum::take_length_byte(char byte) {
  const uint64_t bits = static_cast<unsigned char>(byte) & 0x7FU;
  if (length_bits_ > 63 || (length_bits_ == 63 && bits > 1)) wrapped_ = true;
  if (!wrapped_) length_ |= bits << length_bits_;
  length_bits_ += 7;
  if (!wrapped_ && (byte & 0x80) == 0) end_length();
}

void ContentChecksum::end_length() {
  std::string plain;
  const bool narrow = string_ && length_ <= std::numeric_limits<uint32_t>::max();
  if (narrow)
    put_fixed32(plain, static_cast<uint32_t>(length_));
  else
    put_fixed64(plain, length_);
  if (big_endian_) std::reverse(plain.begin(), plain.end());
  crc_ = crc32c_extend(crc_, plain);
  wrapped_ = length_ > std::numeric_limits<uint64_t>::max() - bytes_left_;
  bytes_left_ += length_;
  --elements_left_;
  length_ = 0;
  length_bits_ = 0;
  if (!string_)
    expect_ = bytes_left_ > 0 ? Expect::kBytes : Expect::kCheck;
  else if (elements_left_ == 0)
    expect_ = Expect::kCheck;
}

void ContentChecksum::end_bytes() { expect_ = string_ ? Expect::kEnd : Expect::kCheck; }

Status ContentChecksum::end_check() {
  if (unmask_crc(check_) != crc_) {
    return bad_content(cat("The length checksum does not match: expected ", unmask_crc(check_),
                           " but actual is ", crc_));
  }
  std::string stored;
  put_fixed32(stored, check_);
  if (big_endian_) std::reverse(stored.begin(), stored.end());
  crc_ = crc32c_extend(crc_, stored);
  check_ = 0;
  check_bits_ = 0;
  if (string_)
    expect_ = bytes_left_ > 0 ? Expect::kBytes : Expect::kEnd;
  else
    expect_ = elements_left_ > 0 ? Expect::kLength : Expect::kEnd;
  return Unit{};
}

Failure ContentChecksum::bad_content(std::string_view message) const {
  return failure("bad-content", message, {},
                 "the data file is damaged, or is not the index's: copy both again");
}

Status ContentSum::take(uint64_t at, std::string_view bytes) {
  if (at > taken_ || at + bytes.size() <= taken_) return Unit{};
  bytes.remove_prefix(static_cast<size_t>(taken_ - at));
  taken_ += bytes.size();
  if (fault_ != nullptr) return Unit{};
  const Status status = checksum_.update(bytes);
  if (!status) fault_ = std::make_shared<const Diagnostic>(status.error());
  return Unit{};
}

Result<uint32_t> ContentSum::finish() const {
  if (fault_ != nullptr) return *fault_;
  return checksum_.finish();
}

}  // namespace cryo
