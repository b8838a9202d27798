#include "sstable/table_writer.h"

#include <algorithm>
#include <cassert>

namespace cryo {
namespace {

unsigned char byte_at(std::string_view text, size_t i) {
  return static_cast<unsigned char>(text[i]);
}

// Returns a short key k with before <= k < after: "conv1/weights", "fc/bias" -> "d". `before`
// itself if no shorter key exists.
std::string shortest_separator(std::string_view before, std::string_view after) {
  const size_t limit = std::min(before.size(), after.size());
  size_t common = 0;
  while (common < limit && before[common] == after[common]) ++common;
  std::string key(before);
  if (common == limit) return key;
  if (byte_at(before, common) + 1 < byte_at(after, common)) {
    key.resize(common + 1);
    ++key.back();
  }
  return key;
}

// Returns a short key that is not before `key`: "x" -> "y". `key` itself if none exists.
std::string short_successor(std::string_view key) {
  std::string successor(key);
  const size_t place = successor.find_first_not_of('\xFF');
  if (place == std::string::npos) return successor;
  successor.resize(place + 1);
  ++successor.back();
  return successor;
}

}  // namespace

void TableWriter::add(std::string_view key, std::string_view value) {
  begin(key, value.size());
  data_.add(key, value);
  if (data_.size() >= kTableBlockBytes) flush();
}

void TableWriter::add(std::string_view key, const Splice& value, uint32_t crc) {
  begin(key, value.size());
  data_.add(key, value, crc);
  if (data_.size() >= kTableBlockBytes) flush();
}

void TableWriter::begin(std::string_view key, uint64_t value_size) {
  assert(first_ || key > last_key_);
  if (!first_ && key.size() + value_size >= 2 * kTableBlockBytes) flush();
  if (pending_) put_index_entry(shortest_separator(last_key_, key));
  first_ = false;
  last_key_ = key;
}

Splice TableWriter::finish() {
  flush();
  Footer footer;
  footer.metaindex = put_block(file_, BlockBuilder(1).finish());
  if (pending_) put_index_entry(short_successor(last_key_));
  footer.index = put_block(file_, index_.finish());
  put_footer(file_.bytes(), footer);
  return file_.finish();
}

void TableWriter::flush() {
  if (data_.empty()) return;
  pending_handle_ = put_block(file_, data_.finish());
  pending_ = true;
}

void TableWriter::put_index_entry(std::string_view key) {
  std::string handle;
  put_handle(handle, pending_handle_);
  index_.add(key, handle);
  pending_ = false;
}

}  // namespace cryo
