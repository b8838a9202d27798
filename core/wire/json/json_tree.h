#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_writer.h"
#include "base/result.h"
#include "bytes/source.h"

namespace cryo {

class JsonTree;

// A value of a JsonTree: a view. An absent value is null.
class JsonValue {
 public:
  enum class Kind : uint8_t {
    kNull,
    kBool,
    kInteger,   // below 0
    kUnsigned,  // other whole numbers
    kFloat,
    kString,
    kArray,
    kObject
  };

  JsonValue() = default;
  Kind kind() const;
  bool is_null() const { return kind() == Kind::kNull; }
  bool is_object() const { return kind() == Kind::kObject; }
  bool is_array() const { return kind() == Kind::kArray; }
  bool is_string() const { return kind() == Kind::kString; }

  // Returns a string's text; empty for any other value.
  std::string_view text() const;

  // true for the value `true` alone.
  bool is_true() const;

  // Return a number; a whole number may also be spelled as a string, as in the JSON form of
  // protobuf's 64-bit integers. nullopt for any other value and for numbers out of range.
  std::optional<int64_t> int64() const;
  std::optional<uint64_t> uint64() const;
  std::optional<double> number() const;

  // A member of an object, the last of that key.
  JsonValue find(std::string_view key) const;
  bool contains(std::string_view key) const { return find(key).tree_ != nullptr; }

  // An element of an array, found by a walk from the first.
  JsonValue at(size_t index) const;
  // Returns the number of elements or members, which are counted; 0 for anything else.
  size_t size() const;

 private:
  friend class JsonTree;
  friend class JsonItems;
  JsonValue(const JsonTree* tree, uint32_t at) : tree_(tree), at_(at) {}

  const JsonTree* tree_ = nullptr;
  uint32_t at_ = 0;
};

// The elements of an array, the members of an object; of anything else, none.
//
//   for (JsonItems items(value); items.next();) { ... items.key() ... items.value() }
class JsonItems {
 public:
  explicit JsonItems(const JsonValue& container);
  bool next();
  std::string_view key() const { return key_.text(); }
  JsonValue value() const { return value_; }

 private:
  const JsonTree* tree_;
  bool keyed_;
  uint32_t next_;
  uint32_t end_;
  JsonValue key_;
  JsonValue value_;
};

// A JSON text as one list of its values in the order of the text. A tree of pointers would take
// several times the memory. An object that searches all keys at each access is slow if it has many.
//
//     {"a": [1, 2]}  ->  object to 5, "a", array to 5, 1, 2
class JsonTree {
 public:
  // Reads all of the file. Fails with "bad-json" if it is not JSON (also if it is not UTF-8, or
  // nests deeper than kMaxJsonDepth); with "too-large" beyond kMaxJsonBytes.
  static Result<JsonTree> read(const SourcePtr& file);
  static Result<JsonTree> parse(const std::string& text, const std::string& file_name);

  // Returns the root. REQUIRES: the tree outlives its values, and is not moved.
  JsonValue root() const { return {this, 0}; }

 private:
  friend class JsonValue;
  friend class JsonItems;
  friend class JsonBuilder;
  struct Entry {
    JsonValue::Kind kind = JsonValue::Kind::kNull;
    uint32_t end = 0;   // index of the next value
    uint64_t data = 0;  // of a string, its offset in text_; otherwise the number's bits
    uint64_t size = 0;  // of a string
  };
  std::vector<Entry> entries_;
  std::string text_;  // of all strings
};

constexpr int kMaxJsonDepth = 500;
constexpr uint64_t kMaxJsonBytes = uint64_t{512} << 20;

// Writes the value as JSON again. A whole number stays one, whatever its size.
void write_json(JsonWriter& json, const JsonValue& value);

}  // namespace cryo
