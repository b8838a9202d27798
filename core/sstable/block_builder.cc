#include "sstable/block_builder.h"

#include <algorithm>

#include "bytes/coding.h"
#include "bytes/crc32c.h"

namespace cryo {

void BlockBuilder::add(std::string_view key, std::string_view value) {
  add_key(key, value.size());
  entries_.bytes() += value;
}

void BlockBuilder::add(std::string_view key, const Splice& value, uint32_t crc) {
  add_key(key, value.size());
  take_checksum();
  crc_ = crc32c_combine(crc_, crc, value.size());
  entries_.add(value);
}

void BlockBuilder::add_key(std::string_view key, uint64_t value_size) {
  size_t shared = 0;
  if (since_restart_ < restart_interval_) {
    const size_t limit = std::min(key.size(), last_key_.size());
    while (shared < limit && key[shared] == last_key_[shared]) ++shared;
  } else {
    restarts_.push_back(static_cast<uint32_t>(entries_.size()));
    since_restart_ = 0;
  }
  put_varint(entries_.bytes(), shared);
  put_varint(entries_.bytes(), key.size() - shared);
  put_varint(entries_.bytes(), value_size);
  entries_.bytes() += key.substr(shared);
  last_key_ = key;
  ++since_restart_;
}

// Adds the fresh bytes to the checksum. REQUIRES: a splice is added next, or the block is finished.
void BlockBuilder::take_checksum() { crc_ = crc32c_extend(crc_, entries_.bytes()); }

Block BlockBuilder::finish() {
  for (const uint32_t restart : restarts_) put_fixed32(entries_.bytes(), restart);
  put_fixed32(entries_.bytes(), static_cast<uint32_t>(restarts_.size()));
  take_checksum();
  Block block = {entries_.finish(), crc_};
  *this = BlockBuilder(restart_interval_);
  return block;
}

BlockHandle put_block(SpliceBuilder& file, const Block& block) {
  const BlockHandle handle = {file.size(), block.contents.size()};
  file.add(block.contents);
  const char type = 0;
  const uint32_t crc = mask_crc(crc32c_extend(block.crc, {&type, 1}));
  file.bytes() += type;
  put_fixed32(file.bytes(), crc);
  return handle;
}

}  // namespace cryo
