#pragma once

#include <string>
#include <vector>

#include "wire/text/text_tokens.h"

namespace cryo {

// The fields of a text that the schema does not have, as a later TensorFlow writes them, or a
// program that prints a field it does not know by its number:
//
//     node { name: "a" new_field: "x" 12 { 1: 5 } }
//                      ^              ^                  passed over, and told
class UnknownFields {
 public:
  // Passes over what stands behind the field's name, as libprotobuf does where it is allowed to:
  // a value of any kind, a list, a message. False where that is broken: tokens.fail() was called.
  // `what`: libprotobuf's words for such a field.
  bool skip(TextTokens& tokens, const std::string& what);

  // One warning a field, "unknown-field", with its name and its first place. Fails with the first
  // one where a text of so many `known` fields has too many of them: it is no such message.
  Status tell(const TextTokens& tokens, uint64_t known, Diagnostics& diagnostics) const;

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
