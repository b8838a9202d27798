#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bytes/coding.h"

namespace cryo {

// Makes FlatBuffers from front to back: a table, then what its fields refer to.
//
//     FlatMade model;
//     model.number(0, 4, 3).text(3, "made by hand").tables(2, {graph});
//     std::string file = flat_file(model, "TFL3");
class FlatMade {
 public:
  FlatMade& number(uint16_t id, uint32_t width, uint64_t value) {
    std::string bytes;
    put_fixed64(bytes, value);
    inline_[id] = bytes.substr(0, width);
    return *this;
  }
  FlatMade& table(uint16_t id, FlatMade made) {
    tables_[id] = {std::move(made)};
    return *this;
  }
  FlatMade& tables(uint16_t id, std::vector<FlatMade> made) {
    vectors_[id] = std::move(made);
    return *this;
  }
  FlatMade& text(uint16_t id, std::string_view text) {
    std::string bytes;
    put_fixed32(bytes, static_cast<uint32_t>(text.size()));
    return raw(id, bytes + std::string(text) + '\0');
  }
  FlatMade& ints(uint16_t id, const std::vector<int32_t>& numbers) {
    std::string bytes;
    put_fixed32(bytes, static_cast<uint32_t>(numbers.size()));
    for (const int32_t number : numbers) put_fixed32(bytes, static_cast<uint32_t>(number));
    return raw(id, bytes);
  }
  FlatMade& longs(uint16_t id, const std::vector<int64_t>& numbers) {
    std::string bytes;
    put_fixed32(bytes, static_cast<uint32_t>(numbers.size()));
    for (const int64_t number : numbers) put_fixed64(bytes, static_cast<uint64_t>(number));
    return raw(id, bytes);
  }
  FlatMade& floats(uint16_t id, const std::vector<float>& numbers) {
    std::string bytes;
    put_fixed32(bytes, static_cast<uint32_t>(numbers.size()));
    bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * 4);
    return raw(id, bytes);
  }
  FlatMade& bytes(uint16_t id, std::string_view content) {
    std::string bytes;
    put_fixed32(bytes, static_cast<uint32_t>(content.size()));
    return raw(id, bytes + std::string(content));
  }

  // Appends the table; returns its place.
  size_t write(std::string& out) const {
    uint16_t ids = 0;
    const auto count = [&](const auto& fields) {
      for (const auto& field : fields) ids = std::max<uint16_t>(ids, field.first + 1);
    };
    count(inline_), count(raw_), count(tables_), count(vectors_);
    std::vector<uint16_t> places(ids, 0);
    uint16_t size = 4;
    const auto place = [&](uint16_t id, size_t width) {
      places[id] = size;
      size = static_cast<uint16_t>(size + width);
    };
    for (const auto& [id, bytes] : inline_) place(id, bytes.size());
    for (const auto& [id, bytes] : raw_) place(id, 4);
    for (const auto& [id, made] : tables_) place(id, 4);
    for (const auto& [id, made] : vectors_) place(id, 4);
    const size_t vtable = out.size();
    put_u16(out, static_cast<uint16_t>(4 + 2 * ids));
    put_u16(out, size);
    for (const uint16_t each : places) put_u16(out, each);
    const size_t at = out.size();
    put_fixed32(out, static_cast<uint32_t>(at - vtable));
    out.resize(at + size);
    for (const auto& [id, bytes] : inline_) out.replace(at + places[id], bytes.size(), bytes);
    for (const auto& [id, bytes] : raw_) {
      refer(out, at + places[id]);
      out += bytes;
    }
    for (const auto& [id, made] : tables_) {
      const size_t target = made[0].write(out);
      set(out, at + places[id], target);
    }
    for (const auto& [id, made] : vectors_) {
      refer(out, at + places[id]);
      put_fixed32(out, static_cast<uint32_t>(made.size()));
      const size_t first = out.size();
      out.resize(first + 4 * made.size());
      for (size_t i = 0; i < made.size(); ++i) {
        const size_t target = made[i].write(out);
        set(out, first + 4 * i, target);
      }
    }
    return at;
  }

 private:
  FlatMade& raw(uint16_t id, std::string bytes) {
    raw_[id] = std::move(bytes);
    return *this;
  }
  static void put_u16(std::string& out, uint16_t value) {
    out += static_cast<char>(value & 0xFF);
    out += static_cast<char>(value >> 8);
  }
  static void set(std::string& out, size_t place, size_t target) {
    std::string offset;
    put_fixed32(offset, static_cast<uint32_t>(target - place));
    out.replace(place, 4, offset);
  }
  static void refer(std::string& out, size_t place) { set(out, place, out.size()); }

  std::map<uint16_t, std::string> inline_;
  std::map<uint16_t, std::string> raw_;
  std::map<uint16_t, std::vector<FlatMade>> tables_;
  std::map<uint16_t, std::vector<FlatMade>> vectors_;
};

inline std::string flat_file(const FlatMade& root, std::string_view identifier) {
  std::string out(4, '\0');
  out += identifier;
  const size_t at = root.write(out);
  std::string offset;
  put_fixed32(offset, static_cast<uint32_t>(at));
  return out.replace(0, 4, offset);
}

}  // namespace cryo
