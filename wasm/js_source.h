#pragma once

#include <emscripten/val.h>

#include <string>

#include "bytes/source.h"

namespace cryo {

// A file of the JavaScript host: {id, name, size(), read(offset, into)}. Its functions never throw
// (a JavaScript exception that crosses frames of wasm leaks their stack): they record the error,
// and read() returns false.
class JsSource final : public ByteSource {
 public:
  explicit JsSource(emscripten::val host);
  const std::string& name() const override { return name_; }
  uint64_t size() const override;
  Status read(uint64_t offset, std::span<char> out) const override;

  // Returns the host's id of this source.
  int id() const { return id_; }

 private:
  emscripten::val host_;
  int id_;
  std::string name_;
};

}  // namespace cryo
