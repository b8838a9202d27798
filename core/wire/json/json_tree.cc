#include "wire/json/json_tree.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/same_bits.h"
#include "base/text.h"
#include "bytes/splice.h"

namespace cryo {

using Json = nlohmann::ordered_json;

// The handler that nlohmann's parser calls for each value, in the order of the text.
class JsonBuilder {
 public:
  using Kind = JsonValue::Kind;

  bool null() { return add(Kind::kNull, 0); }
  bool boolean(bool value) { return add(Kind::kBool, value ? 1 : 0); }
  bool number_integer(int64_t value) { return add(Kind::kInteger, static_cast<uint64_t>(value)); }
  bool number_unsigned(uint64_t value) { return add(Kind::kUnsigned, value); }
  bool number_float(double value, const std::string&) {
    return add(Kind::kFloat, same_bits<uint64_t>(value));
  }
  bool string(const std::string& text) {
    add(Kind::kString, tree.text_.size(), text.size());
    tree.text_ += text;
    return true;
  }
  bool key(const std::string& text) { return string(text); }
  bool binary(const Json::binary_t&) { return false; }  // JSON as text has none
  bool start_object(size_t) { return open(Kind::kObject); }
  bool start_array(size_t) { return open(Kind::kArray); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  template <typename Error>
  bool parse_error(size_t position, const std::string&, const Error&) {
    error_position = position;
    return false;
  }

  JsonTree tree = {};
  std::optional<size_t> error_position = {};

 private:
  bool add(Kind kind, uint64_t data, uint64_t size = 0) {
    const auto end = static_cast<uint32_t>(tree.entries_.size() + 1);
    tree.entries_.push_back({kind, end, data, size});
    return true;
  }
  bool open(Kind kind) {
    open_.push_back(static_cast<uint32_t>(tree.entries_.size()));
    add(kind, 0);
    return open_.size() <= static_cast<size_t>(kMaxJsonDepth);
  }
  bool close() {
    tree.entries_[open_.back()].end = static_cast<uint32_t>(tree.entries_.size());
    open_.pop_back();
    return true;
  }
  std::vector<uint32_t> open_;  // the arrays and objects that have not ended
};

Result<JsonTree> JsonTree::read(const SourcePtr& file) {
  if (file->size() > kMaxJsonBytes) {
    return failure("too-large",
                   cat("expected JSON of at most ", human_bytes(kMaxJsonBytes), "; found ",
                       human_bytes(file->size())),
                   {.file = file->name()});
  }
  TRY(text, Splice(whole(file)).read_all());
  return parse(text, file->name());
}

Result<JsonTree> JsonTree::parse(const std::string& text, const std::string& file_name) {
  JsonBuilder builder;
  if (Json::sax_parse(text, &builder)) return std::move(builder.tree);
  LocationRef where{.file = file_name};
  if (!builder.error_position) {
    return failure("bad-json", cat("the JSON nests deeper than ", kMaxJsonDepth), where,
                   "no model is so deep: get the file again from its source");
  }
  where.offset = *builder.error_position;
  return failure("bad-json", "expected JSON: the text ends or breaks off here", where,
                 "the file is damaged: get it again from its source");
}

JsonValue::Kind JsonValue::kind() const {
  return tree_ == nullptr ? Kind::kNull : tree_->entries_[at_].kind;
}

std::string_view JsonValue::text() const {
  if (!is_string()) return {};
  const JsonTree::Entry& entry = tree_->entries_[at_];
  return std::string_view{tree_->text_}.substr(static_cast<size_t>(entry.data),
                                               static_cast<size_t>(entry.size));
}

bool JsonValue::is_true() const { return kind() == Kind::kBool && tree_->entries_[at_].data != 0; }

std::optional<double> JsonValue::number() const {
  if (tree_ == nullptr) return std::nullopt;
  const uint64_t bits = tree_->entries_[at_].data;
  switch (kind()) {
    case Kind::kInteger:
      return static_cast<double>(static_cast<int64_t>(bits));
    case Kind::kUnsigned:
      return static_cast<double>(bits);
    case Kind::kFloat:
      return same_bits<double>(bits);
    default:
      return std::nullopt;
  }
}

namespace {

template <typename Integer>
std::optional<Integer> spelled(std::string_view text) {
  Integer value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

// A float that is a whole number which 53 bits hold.
std::optional<int64_t> whole_number(double value) {
  constexpr double kExact = 9007199254740992.0;
  if (!(value >= -kExact && value <= kExact) || value != std::floor(value)) return std::nullopt;
  return static_cast<int64_t>(value);
}

}  // namespace

std::optional<int64_t> JsonValue::int64() const {
  if (is_string()) return spelled<int64_t>(text());
  if (kind() == Kind::kFloat) return whole_number(*number());
  if (kind() != Kind::kInteger && kind() != Kind::kUnsigned) return std::nullopt;
  const uint64_t bits = tree_->entries_[at_].data;
  if (kind() == Kind::kUnsigned && bits > uint64_t{std::numeric_limits<int64_t>::max()}) {
    return std::nullopt;
  }
  return static_cast<int64_t>(bits);
}

std::optional<uint64_t> JsonValue::uint64() const {
  if (is_string()) return spelled<uint64_t>(text());
  if (kind() == Kind::kUnsigned) return tree_->entries_[at_].data;
  const std::optional<int64_t> value = int64();
  if (!value || *value < 0) return std::nullopt;
  return static_cast<uint64_t>(*value);
}

JsonValue JsonValue::find(std::string_view key) const {
  JsonValue found;
  if (!is_object()) return found;
  for (JsonItems items(*this); items.next();) {
    if (items.key() == key) found = items.value();
  }
  return found;
}

JsonValue JsonValue::at(size_t index) const {
  for (JsonItems items(*this); items.next(); --index) {
    if (index == 0) return items.value();
  }
  return {};
}

size_t JsonValue::size() const {
  size_t count = 0;
  for (JsonItems items(*this); items.next();) ++count;
  return count;
}

JsonItems::JsonItems(const JsonValue& container)
    : tree_(container.tree_),
      keyed_(container.is_object()),
      next_(container.at_ + 1),
      end_(keyed_ || container.is_array() ? tree_->entries_[container.at_].end : next_) {}

bool JsonItems::next() {
  if (next_ >= end_) return false;
  if (keyed_) key_ = {tree_, next_++};
  value_ = {tree_, next_};
  next_ = tree_->entries_[next_].end;
  return true;
}

void write_json(JsonWriter& json, const JsonValue& value) {
  switch (value.kind()) {
    case JsonValue::Kind::kNull:
      return json.null();
    case JsonValue::Kind::kBool:
      return json.value(value.is_true());
    case JsonValue::Kind::kInteger:
      return json.raw(cat(*value.int64()));
    case JsonValue::Kind::kUnsigned:
      return json.raw(cat(*value.uint64()));
    case JsonValue::Kind::kFloat:
      return json.value(*value.number());
    case JsonValue::Kind::kString:
      return json.value(value.text());
    case JsonValue::Kind::kArray:
      json.begin_array();
      for (JsonItems items(value); items.next();) json.value(items.value());
      return json.end_array();
    case JsonValue::Kind::kObject:
      json.begin_object();
      for (JsonItems items(value); items.next();) json.member(items.key(), items.value());
      return json.end_object();
  }
}

}  // namespace cryo
