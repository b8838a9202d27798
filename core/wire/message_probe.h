#pragma once

#include <optional>
#include <string>

#include "bytes/random_reader.h"
#include "wire/field_header.h"
#include "wire/schema.h"

namespace cryo {

// Returns true for messages that other bytes are not taken for: nodes, functions, collections. One
// that is whole shows that a message begins at its place.
bool is_distinctive(const MessageSchema& schema);

// Judges whether messages of a damaged file are whole, by their form alone: protobuf states no
// checksums. A whole message is what a writer of its schema makes: every field is known and of its
// type, lengths fit in each other, a field that is not repeated occurs once, texts are UTF-8,
// packed numbers end, and what each message of its kind has (a node's name and op) is there.
// Damage within a number or a text leaves this form as it is.
class MessageProbe {
 public:
  explicit MessageProbe(const Slice& file) : bytes_(file) {}

  // The first thing that is wrong with a message.
  struct Fault {
    uint64_t offset = 0;
    std::string what = {};
    bool cut = false;  // all bytes of the message up to the end of the file are right
  };

  // Judges the message in [begin, end), which may end past the end of the file.
  bool is_whole(const MessageSchema& schema, uint64_t begin, uint64_t end);

  // REQUIRES: is_whole() returned false.
  const Fault& fault() const { return fault_; }

  // Returns the place where the fields of a message end that begins there, when its length is not
  // known: the first place that cannot be one more field of it.
  uint64_t natural_end(const MessageSchema& schema, uint64_t begin);

  // Returns the name that a message begins with: a node's, a function's, a collection's key. Empty
  // where it cannot be read.
  std::string name_of(const MessageSchema& schema, uint64_t begin);

  // Reads the header of the field at `at`; nullopt if there is none.
  std::optional<FieldHeader> header(uint64_t at);

  RandomReader& bytes() { return bytes_; }

  // Returns how much was looked at: fields, blocks of text and of numbers, and reads.
  uint64_t effort() const { return looked_at_ + kReadEffort * bytes_.reads(); }

 private:
  bool message(const MessageSchema& schema, uint64_t begin, uint64_t end, int depth);
  bool field(const MessageSchema& schema, const FieldHeader& header, uint64_t at, uint64_t end,
             int depth);
  bool text(const MessageSchema& schema, const FieldSchema& known, uint64_t begin, uint64_t size);
  bool packed(const FieldSchema& known, uint64_t begin, uint64_t size);
  bool wrong(uint64_t offset, std::string what, bool cut = false);

  RandomReader bytes_;
  Fault fault_;
  uint64_t looked_at_ = 0;

  static constexpr uint64_t kReadEffort = 64;
};

}  // namespace cryo
