#pragma once

#include <string>
#include <vector>

#include "wire/text/text_tokens.h"

namespace cryo {

// The fields of a text that the schema does not have. A later TensorFlow writes such fields, and
// programs that print unknown fields by number:
//
//     node { name: "a" new_field: "x" 12 { 1: 5 } }
//                      ^              ^                  skipped and reported
class UnknownFields {
 public:
  // Skips the value of a field after its name, as libprotobuf does if unknown fields are allowed: a
  // value of any type, a list, a message. Returns false if the value is broken: tokens.fail() was
  // called. `what`: libprotobuf's words for such a field.
  bool skip(TextTokens& tokens, const std::string& what);

  // Reports one warning for each field, "unknown-field", with its name and its first position.
  // Fails with the first field if a text with so many `known` fields has too many unknown ones: it
  // is another message.
  Status report(const TextTokens& tokens, uint64_t known, Diagnostics& diagnostics) const;

 private:
  struct Field {
    std::string what;
    uint64_t offset;
    uint64_t times;
  };

  std::vector<Field> fields_;  // the first ones
  uint64_t count_ = 0;
};

}  // namespace cryo
