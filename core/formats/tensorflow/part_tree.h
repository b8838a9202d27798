#pragma once

#include <limits>
#include <list>
#include <string_view>
#include <vector>

#include "model/lost.h"
#include "wire/message_probe.h"
#include "wire/schema.h"

namespace cryo {

constexpr uint64_t kUnknownEnd = std::numeric_limits<uint64_t>::max();

// Returns the field of a message whose message holds parts of its own: meta_graphs, graph_def,
// library. Each message has at most one; nullptr if it has none.
const FieldSchema* holder_in(const MessageSchema& schema);

// A message that holds parts.
struct PartHolder {
  const MessageSchema* schema = nullptr;
  const FieldSchema* field = nullptr;  // of the holder around it; null for the file's message
  uint64_t begin = 0;                  // of its tag
  uint64_t end = kUnknownEnd;          // as its length states it
  bool stated_wrongly = false;

  // A part's bytes, or the holder within.
  struct Item {
    Slice bytes = {};
    PartHolder* holder = nullptr;
  };
  std::vector<Item> items = {};
  PartHolder* last = nullptr;  // the last holder within
};

// The whole parts of a damaged message, in the messages that hold them, while the file is read:
//
//     SavedModel { meta_graphs { .. graph_def { node node ..     <- open, each in the one before
class PartTree {
 public:
  PartTree(Slice file, const MessageSchema& schema, LostParts& lost);

  size_t depth() const { return open_.size() - 1; }
  const PartHolder& top() const { return *open_.back(); }
  const std::vector<PartHolder*>& open() const { return open_; }

  // Adds the part in [begin, end) to the innermost open holder.
  void keep(uint64_t begin, uint64_t end);

  // Opens a holder within the innermost one. `fault`: what is wrong with its tag, which is then
  // reported as lost.
  void push(const FieldSchema& field, uint64_t begin, uint64_t end, std::string_view fault = {});

  // Closes the holders that end at `at`.
  void pop_ended(uint64_t at);

  // Makes the last holder of this level the innermost open one, for a part at `at` that ends at
  // `end`. Lengths that disagree are reported as lost.
  void set_depth(size_t level, uint64_t at, uint64_t end);

  // Reports what is open at the end of the file as cut off.
  void end_of_file();

  Splice message() const { return message_of(holders_.front()); }

 private:
  void lose_header(const PartHolder& holder, std::string_view why);
  void lose_length(PartHolder& holder, std::string_view why);
  static Splice message_of(const PartHolder& holder);

  Slice file_;
  std::list<PartHolder> holders_;
  std::vector<PartHolder*> open_;  // from the file's message on
  LostParts& lost_;
};

}  // namespace cryo
