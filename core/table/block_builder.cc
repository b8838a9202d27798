#include "table/block_builder.h"

#include <algorithm>

#include "bytes/coding.h"
#include "bytes/crc32c.h"

namespace cryo {

void BlockBuilder::add(std::string_view key, std::string_view value) {
  size_t shared = 0;
  if (since_restart_ < restart_interval_) {
    const size_t limit = std::min(key.size(), last_key_.size());
    while (shared < limit && key[shared] == last_key_[shared]) ++shared;
  } else {
    restarts_.push_back(static_cast<uint32_t>(entries_.size()));
    since_restart_ = 0;
  }
  put_varint(entries_, shared);
  put_varint(entries_, key.size() - shared);
  put_varint(entries_, value.size());
  entries_ += key.substr(shared);
  entries_ += value;
  last_key_ = key;
  ++since_restart_;
}

std::string BlockBuilder::finish() {
  std::string block = std::move(entries_);
  for (const uint32_t restart : restarts_) put_fixed32(block, restart);
  put_fixed32(block, static_cast<uint32_t>(restarts_.size()));
  *this = BlockBuilder(restart_interval_);
  return block;
}

BlockHandle put_block(std::string& file, std::string_view contents) {
  const size_t start = file.size();
  file += contents;
  file += '\0';
  std::string_view checked = file;
  checked.remove_prefix(start);
  const uint32_t crc = mask_crc(crc32c(checked));
  put_fixed32(file, crc);
  return {start, contents.size()};
}

}  // namespace cryo
