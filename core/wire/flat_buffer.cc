#include "wire/flat_buffer.h"

#include <algorithm>

#include "base/same_bits.h"
#include "base/text.h"
#include "bytes/coding.h"

namespace cryo {
namespace {

constexpr uint64_t kFlatBlock = uint64_t{16} * 1024;
constexpr uint32_t kOffsetSize = 4;

// Numbers that are read of a file of some size: each table and vector once or a few times.
uint64_t most_reads(uint64_t size) { return 8 * size + uint64_t{64} * 1024; }

// The text whose offset is stored at a place.
std::string text_at(FlatBuffer& file, uint64_t place) {
  const uint64_t at = file.target(place);
  const uint64_t size = file.number(at, kOffsetSize);
  if (!file.ok()) return {};
  if (size > file.size() - at - kOffsetSize) {
    file.fail(at, cat("expected a text inside of the file; found ", size, " bytes"));
    return {};
  }
  return file.bytes(at + kOffsetSize, size);
}

}  // namespace

void FlatBuffer::fail(uint64_t at, std::string_view message) {
  if (error_) return;
  error_ = *failure("bad-flatbuffer", message,
                    {.file = file_.source->name(), .offset = file_.offset + at},
                    "the file is damaged or incomplete: copy or download it again");
}

const std::string* FlatBuffer::block(uint64_t index) {
  if (index == last_index_) return last_;
  auto [found, is_new] = blocks_.try_emplace(index);
  if (is_new) {
    const uint64_t from = index * kFlatBlock;
    found->second.resize(static_cast<size_t>(std::min(kFlatBlock, file_.size - from)));
    const Status read = read_exactly(*file_.source, file_.offset + from,
                                     {found->second.data(), found->second.size()});
    if (!read && !error_) error_ = read.error();
  }
  last_index_ = index;
  last_ = &found->second;
  return last_;
}

uint64_t FlatBuffer::number(uint64_t at, uint32_t width) {
  if (at > file_.size || width > file_.size - at) fail(at, "expected a number; found the end");
  if (++reads_ > most_reads(file_.size)) fail(at, "expected parts that are named a few times");
  if (!ok()) return 0;
  uint64_t value = 0;
  const uint64_t within = at % kFlatBlock;
  if (within + width <= kFlatBlock) {
    const std::string& bytes = *block(at / kFlatBlock);
    for (uint32_t i = 0; i < width; ++i) {
      value |= uint64_t{static_cast<uint8_t>(bytes[static_cast<size_t>(within + i)])} << (8 * i);
    }
    return ok() ? value : 0;
  }
  for (uint32_t i = 0; i < width; ++i) value |= number(at + i, 1) << (8 * i);
  return value;
}

uint64_t FlatBuffer::target(uint64_t at) {
  const uint64_t offset = number(at, kOffsetSize);
  if (ok() && (offset == 0 || offset >= file_.size - at)) {
    fail(at, cat("expected an offset inside of the file; found ", offset));
  }
  return ok() ? at + offset : 0;
}

std::string FlatBuffer::bytes(uint64_t at, uint64_t size) {
  std::string all;
  reads_ += size;
  while (ok() && size > 0) {
    const std::string& from = *block(at / kFlatBlock);
    const auto within = static_cast<size_t>(at % kFlatBlock);
    const uint64_t count = std::min<uint64_t>(size, from.size() - within);
    all.append(from, within, static_cast<size_t>(count));
    at += count;
    size -= count;
  }
  return all;
}

FlatTable FlatBuffer::root() {
  const uint64_t at = target(0);
  return ok() ? FlatTable(*this, at) : FlatTable();
}

FlatTable FlatVector::table(uint64_t index) const {
  const uint64_t target = file->target(at + index * width);
  return file->ok() ? FlatTable(*file, target) : FlatTable();
}

std::string FlatVector::text(uint64_t index) const { return text_at(*file, at + index * width); }

FlatTable::FlatTable(FlatBuffer& file, uint64_t at) : file_(&file), at_(at) {
  const auto distance = static_cast<int32_t>(file.number(at, kOffsetSize));
  vtable_ = at - static_cast<uint64_t>(int64_t{distance});
  if (vtable_ >= file.size()) file.fail(at, "expected a vtable inside of the file");
  vtable_size_ = file.number(vtable_, 2);
  if (file.ok() && (vtable_size_ < 4 || vtable_size_ > file.size() - vtable_)) {
    file.fail(vtable_, cat("expected a vtable; found one of ", vtable_size_, " bytes"));
  }
}

uint64_t FlatTable::place(uint16_t id) const {
  const uint64_t entry = 4 + uint64_t{2} * id;
  if (file_ == nullptr || !file_->ok() || entry + 2 > vtable_size_) return 0;
  const uint64_t offset = file_->number(vtable_ + entry, 2);
  return offset == 0 ? 0 : at_ + offset;
}

uint64_t FlatTable::number(uint16_t id, uint32_t width, uint64_t otherwise) const {
  const uint64_t at = place(id);
  return at == 0 ? otherwise : file_->number(at, width);
}

FlatTable FlatTable::table(uint16_t id) const {
  const uint64_t at = place(id);
  if (at == 0) return {};
  const uint64_t target = file_->target(at);
  return file_->ok() ? FlatTable(*file_, target) : FlatTable();
}

FlatVector FlatTable::vector(uint16_t id, uint32_t width) const {
  const uint64_t at = place(id);
  if (at == 0) return {};
  const uint64_t target = file_->target(at);
  const uint64_t count = file_->number(target, kOffsetSize);
  if (!file_->ok()) return {};
  if (count > (file_->size() - target - kOffsetSize) / width) {
    file_->fail(target, cat("expected a vector inside of the file; found ", count, " elements"));
    return {};
  }
  return {file_, target + kOffsetSize, count, width};
}

std::string FlatTable::text(uint16_t id) const {
  const uint64_t at = place(id);
  return at == 0 ? std::string() : text_at(*file_, at);
}

std::vector<int32_t> FlatTable::ints(uint16_t id) const {
  const FlatVector all = vector(id, 4);
  std::vector<int32_t> numbers;
  for (uint64_t i = 0; i < all.count && file_->ok(); ++i) {
    numbers.push_back(static_cast<int32_t>(all.number(i)));
  }
  return numbers;
}

std::vector<int64_t> FlatTable::longs(uint16_t id) const {
  const FlatVector all = vector(id, 8);
  std::vector<int64_t> numbers;
  for (uint64_t i = 0; i < all.count && file_->ok(); ++i) {
    numbers.push_back(static_cast<int64_t>(all.number(i)));
  }
  return numbers;
}

std::vector<float> FlatTable::floats(uint16_t id) const {
  const FlatVector all = vector(id, 4);
  std::vector<float> numbers;
  for (uint64_t i = 0; i < all.count && file_->ok(); ++i) {
    numbers.push_back(same_bits<float>(static_cast<uint32_t>(all.number(i))));
  }
  return numbers;
}

}  // namespace cryo
