#pragma once

#include <gtest/gtest.h>
#include <zlib.h>

#include <random>
#include <string>
#include <string_view>

#include "bytes/source.h"

namespace cryo {

// Helpers for the tests of archives.

// A deflate stream (RFC 1951) of these bytes, by zlib.
inline std::string deflated(const std::string& plain, int level = Z_DEFAULT_COMPRESSION) {
  z_stream stream = {};
  EXPECT_EQ(deflateInit2(&stream, level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, plain.size()), '\0');
  std::string copy = plain;
  stream.next_in = reinterpret_cast<Bytef*>(copy.data());
  stream.avail_in = static_cast<uInt>(copy.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

// Bytes that deflate to about a third.
inline std::string compressible(size_t size) {
  std::mt19937 random(5);
  std::string out;
  while (out.size() < size) {
    out += static_cast<char>('a' + random() % 8);
  }
  return out;
}

inline std::string read(const ByteSource& source, uint64_t offset, size_t size) {
  std::string out(size, '?');
  const Status status = read_exactly(source, offset, {out.data(), out.size()});
  return status.ok() ? out : status.error().code;
}
inline std::string read_all(const ByteSource& source) {
  return read(source, 0, static_cast<size_t>(source.size()));
}

// A file's little-endian numbers, overwritten.
inline std::string patched(std::string bytes, size_t offset, std::string_view by) {
  return bytes.replace(offset, by.size(), by);
}

}  // namespace cryo
