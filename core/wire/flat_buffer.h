#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "bytes/splice.h"

namespace cryo {

class FlatTable;

// A FlatBuffer of which only the visited parts are read, in blocks that are kept: tables, their
// fields and vectors. The first fault is kept; all that is read after it is absent or 0.
//
//     file     u32 offset of the root table | identifier | ...
//     table    i32 distance back to its vtable | fields in place; text, vectors, tables by offset
//     vtable   u16 its size | u16 the table's | u16 place of each field in the table, 0: absent
//     vector   u32 count | elements
//
// All numbers are little-endian, at any alignment: many writers do not align. google/flatbuffers
// needs the whole file in memory; of a .tflite file 3 % are structure.
class FlatBuffer {
 public:
  explicit FlatBuffer(Slice file) : file_(std::move(file)) {}

  FlatTable root();
  uint64_t size() const { return file_.size; }
  Slice slice(uint64_t at, uint64_t size) const { return {file_.source, file_.offset + at, size}; }

  bool ok() const { return !error_.has_value(); }
  const Diagnostic& error() const { return *error_; }

  // Keeps a fault, "bad-flatbuffer", unless there is one.
  void fail(uint64_t at, std::string_view message);

  // Returns a number of so many bytes; text and vectors by the place that an offset is stored at.
  uint64_t number(uint64_t at, uint32_t width);
  uint64_t target(uint64_t at);
  std::string bytes(uint64_t at, uint64_t size);

 private:
  const std::string* block(uint64_t index);

  Slice file_;
  std::optional<Diagnostic> error_;
  std::unordered_map<uint64_t, std::string> blocks_;
  uint64_t last_index_ = ~uint64_t{0};
  const std::string* last_ = nullptr;
  uint64_t reads_ = 0;  // of numbers: a file may name one part very many times
};

// The elements of a vector; none if it is absent.
struct FlatVector {
  FlatBuffer* file = nullptr;
  uint64_t at = 0;  // of the first element
  uint64_t count = 0;
  uint32_t width = 0;

  uint64_t number(uint64_t index) const { return file->number(at + index * width, width); }
  FlatTable table(uint64_t index) const;
  std::string text(uint64_t index) const;
  Slice slice() const { return file->slice(at, count * width); }
};

// A table, or one that is absent: all of its fields are then.
class FlatTable {
 public:
  FlatTable() = default;
  FlatTable(FlatBuffer& file, uint64_t at);

  explicit operator bool() const { return file_ != nullptr; }
  uint64_t at() const { return at_; }

  // Return a field, by its id and the bytes of its type.
  uint64_t number(uint16_t id, uint32_t width, uint64_t otherwise = 0) const;
  int32_t int32(uint16_t id, int32_t otherwise = 0) const {
    return static_cast<int32_t>(number(id, 4, static_cast<uint32_t>(otherwise)));
  }
  FlatTable table(uint16_t id) const;
  FlatVector vector(uint16_t id, uint32_t width) const;
  std::string text(uint16_t id) const;

  // Return a vector of numbers.
  std::vector<int32_t> ints(uint16_t id) const;
  std::vector<int64_t> longs(uint16_t id) const;
  std::vector<float> floats(uint16_t id) const;

 private:
  uint64_t place(uint16_t id) const;  // 0 if the field is absent

  FlatBuffer* file_ = nullptr;
  uint64_t at_ = 0;
  uint64_t vtable_ = 0;
  uint64_t vtable_size_ = 0;
};

}  // namespace cryo
