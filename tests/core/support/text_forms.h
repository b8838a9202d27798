#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>

#include "base/text.h"
#include "counting_source.h"
#include "wire/elide.h"
#include "wire/text/text_reader.h"
#include "wire/text/text_writer.h"

namespace cryo {

// A text that was read, or a message that was elided, and all that belongs to it.
class Form {
 public:
  static Form of_text(std::string text, std::string_view type) {
    Form form(std::move(text), type);
    form.skeleton_ =
        read_text(whole(form.source_), form.schema_, form.payloads_, form.diagnostics_);
    return form;
  }
  static Form of_wire(std::string message, std::string_view type) {
    Form form(std::move(message), type);
    form.skeleton_ = elide(whole(form.source_), form.schema_, form.payloads_);
    return form;
  }

  bool ok() const { return skeleton_.ok(); }
  const Diagnostic& error() const { return skeleton_.error(); }
  const std::string& skeleton() const { return *skeleton_; }
  const Payloads& payloads() const { return payloads_; }
  const CountingSource& source() const { return *source_; }

  Result<Splice> as_text() const {
    return write_text(*skeleton_, schema_, payloads_, diagnostics_);
  }
  // Returns the findings so far.
  const Diagnostics& diagnostics() const { return diagnostics_; }

  // "bad-text: 1:2: Expected ..." where that is what comes of it.
  std::string wire() const {
    return ok() ? all(expand(*skeleton_, schema_, payloads_)) : problem();
  }
  std::string text() const { return ok() ? all(as_text()) : problem(); }

 private:
  Form(std::string bytes, std::string_view type)
      : source_(std::make_shared<CountingSource>(std::move(bytes), "file")),
        schema_(message_schema(cat("tensorflow.", type))) {}

  static std::string described(const Diagnostic& error) {
    return cat(error.code, ": ", error.message);
  }
  std::string problem() const { return described(error()); }
  static std::string all(const Result<Splice>& splice) {
    if (!splice) return described(splice.error());
    const Result<std::string> bytes = splice->read_all();
    return bytes ? *bytes : described(bytes.error());
  }

  std::shared_ptr<CountingSource> source_;
  const MessageSchema& schema_;
  Payloads payloads_;
  mutable Diagnostics diagnostics_;
  Result<std::string> skeleton_ = std::string();
};

inline std::string wire_of(std::string text, std::string_view type) {
  return Form::of_text(std::move(text), type).wire();
}
inline std::string text_of(std::string wire, std::string_view type) {
  return Form::of_wire(std::move(wire), type).text();
}

// Reads parts out of order, and expects that each takes at most so many bytes of the source.
inline void expect_seeks(const Form& form, const Splice& made, const std::string& expected,
                         uint64_t most) {
  ASSERT_EQ(made.size(), expected.size());
  std::mt19937 random(7);
  for (int i = 0; i < 200; ++i) {
    const size_t offset = random() % expected.size();
    const size_t size = std::min<size_t>(random() % 5000, expected.size() - offset);
    const uint64_t before = form.source().bytes_read();
    const Result<std::string> read = made.sub(offset, size).read_all();
    ASSERT_TRUE(read && *read == expected.substr(offset, size)) << offset << " " << size;
    ASSERT_LE(form.source().bytes_read() - before, most);
  }
}

}  // namespace cryo
