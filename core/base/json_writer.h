#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace cryo {

class JsonWriter;

// Writes a value of a type of its own; declared next to that type.
template <typename T>
void write_json(JsonWriter& json, const T& value) = delete;

// Writes JSON, without blanks, value by value: the one writer of core.
//
//     JsonWriter json;
//     json.begin_object();
//     json.member("name", "conv1");                            {"name":"conv1",
//     json.key("at");
//     json.object("file", "a.pb", "offset", uint64_t{7});       "at":{"file":"a.pb","offset":7}}
//     json.end_object();
//
// A value is null, a bool, a whole number, a real one, a text, a list, a map of texts to values, an
// optional, or any type that has a function `void write_json(JsonWriter&, const T&)`.
//
// It is written by hand because a library's writer takes a tree of all values: nlohmann's tree of
// the 24,098 nodes of a .meta of 15.5 MB took 21 MB and 57 ms more than writing them.
class JsonWriter {
 public:
  JsonWriter() = default;

  void begin_object() { begin('{'); }
  void end_object() { end('}'); }
  void begin_array() { begin('['); }
  void end_array() { end(']'); }

  // REQUIRES: it is in an object, and a value follows.
  void key(std::string_view name);

  void null() { raw("null"); }
  // Appends a value that is JSON already.
  void raw(std::string_view json);
  // Begins a line. What follows is on it.
  void begin_line();

  template <typename T>
  void value(const T& of) {
    if constexpr (std::same_as<T, std::nullptr_t>) {
      null();
    } else if constexpr (std::same_as<T, bool>) {
      raw(of ? "true" : "false");
    } else if constexpr (std::signed_integral<T>) {
      whole(int64_t{of});
    } else if constexpr (std::unsigned_integral<T>) {
      whole(uint64_t{of});
    } else if constexpr (std::floating_point<T>) {
      real(of);
    } else if constexpr (std::convertible_to<const T&, std::string_view>) {
      quote(of);
    } else if constexpr (requires { typename T::mapped_type; }) {
      begin_object();
      for (const auto& [name, each] : of) member(name, each);
      end_object();
    } else if constexpr (requires {
                           of.begin();
                           of.end();
                         }) {
      begin_array();
      for (const auto& each : of) value(each);
      end_array();
    } else if constexpr (requires {
                           of.has_value();
                           *of;
                         }) {
      of.has_value() ? value(*of) : null();
    } else {
      write_json(*this, of);
    }
  }

  template <typename T>
  void member(std::string_view name, const T& of) {
    key(name);
    value(of);
  }

  // Appends members, each a name and a value.
  template <typename T, typename... Rest>
  void members(std::string_view name, const T& of, const Rest&... rest) {
    member(name, of);
    if constexpr (sizeof...(rest) > 0) members(rest...);
  }

  // Appends a member that is a list. `write` appends each item's value.
  template <typename List, typename Write>
  void list(std::string_view name, const List& items, Write write) {
    key(name);
    begin_array();
    for (const auto& each : items) write(each);
    end_array();
  }

  // Appends an object of these members.
  template <typename... Members>
  void object(const Members&... of) {
    begin_object();
    members(of...);
    end_object();
  }

  const std::string& text() const { return out_; }
  std::string take() { return std::move(out_); }
  bool empty() const { return out_.empty(); }

 private:
  void begin(char opening);
  void end(char closing);
  // Appends a comma if a value precedes.
  void separate();
  // Bytes that are not UTF-8 become U+FFFD, one for each start of a sequence.
  void quote(std::string_view text);
  // A number beyond 2^53 becomes a text: JavaScript's numbers do not hold it.
  void whole(uint64_t number);
  void whole(int64_t number);
  // The shortest digits that are read back as the same number; null if it is not finite.
  void real(double number);

  std::string out_;
  bool first_ = true;  // no value precedes in the innermost object or array
};

// Returns a value as JSON.
template <typename T>
std::string json_of(const T& value) {
  JsonWriter json;
  json.value(value);
  return json.take();
}

// The end of the whole numbers that JavaScript holds exactly.
constexpr uint64_t kMaxExact = uint64_t{1} << 53;

}  // namespace cryo
