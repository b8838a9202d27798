#include "formats/tensorflow/part_tree.h"

#include <algorithm>

#include "base/text.h"

namespace cryo {

const FieldSchema* holder_in(const MessageSchema& schema) {
  for (const FieldSchema& field : schema.fields) {
    const bool holds =
        field.message != nullptr && (field.message->name == "tensorflow.MetaGraphDef" ||
                                     field.message->name == "tensorflow.GraphDef" ||
                                     field.message->name == "tensorflow.FunctionDefLibrary");
    if (holds) return &field;
  }
  return nullptr;
}

PartTree::PartTree(Slice file, const MessageSchema& schema, LostParts& lost)
    : file_(std::move(file)), lost_(lost) {
  holders_.push_back({&schema});
  open_.push_back(&holders_.back());
}

void PartTree::keep(uint64_t begin, uint64_t end) {
  open_.back()->items.push_back({{file_.source, file_.offset + begin, end - begin}, nullptr});
}

void PartTree::push(const FieldSchema& field, uint64_t begin, uint64_t end,
                    std::string_view fault) {
  PartHolder& around = *open_.back();
  holders_.push_back({field.message, &field, begin, end});
  around.last = &holders_.back();
  around.items.push_back({{}, around.last});
  if (end > around.end) lose_length(*around.last, "it is larger than what holds it");
  open_.push_back(around.last);
  if (!fault.empty()) lose_header(*around.last, fault);
}

void PartTree::pop_ended(uint64_t at) {
  while (open_.size() > 1 && top().end == at) open_.pop_back();
}

void PartTree::set_depth(size_t level, uint64_t at, uint64_t end) {
  for (; depth() > level; open_.pop_back()) {
    if (top().end != at) lose_length(*open_.back(), "other fields follow before it ends");
  }
  while (depth() < level) {
    PartHolder& around = *open_.back();
    if (around.last == nullptr) {
      push(*holder_in(*around.schema), at, kUnknownEnd);
      around.last->stated_wrongly = true;
      continue;
    }
    lose_length(*around.last, "more of its fields follow after it ends");
    open_.push_back(around.last);
  }
  if (end > top().end) lose_length(*open_.back(), "its last field ends after it");
}

void PartTree::lose_header(const PartHolder& holder, std::string_view why) {
  LostPart part{std::string(holder.field->name)};
  part.why = *failure("malformed-message", cat(why, "; its fields are read nevertheless"),
                      {.file = file_.source->name(), .offset = file_.offset + holder.begin});
  lost_.push_back(std::move(part));
}

void PartTree::lose_length(PartHolder& holder, std::string_view why) {
  if (holder.stated_wrongly || holder.field == nullptr) return;
  lose_header(holder, cat("its length is wrong: ", why));
  holder.stated_wrongly = true;
  holder.end = kUnknownEnd;
}

// The holder that most bytes are missing of is the outermost one.
void PartTree::end_of_file() {
  for (const PartHolder* each : open_) {
    if (each->end == kUnknownEnd || each->end <= file_.size) continue;
    const uint64_t missing = each->end - file_.size;
    LostPart part{std::string(each->field->name)};
    part.bytes = missing;
    part.why = *failure("malformed-message",
                        cat("the file ends ", plural(missing, "byte"), " before it does"),
                        {.file = file_.source->name(), .offset = file_.offset + file_.size});
    lost_.push_back(std::move(part));
    return;
  }
}

// Omits a library without functions: all of them are lost.
Splice PartTree::message_of(const PartHolder& holder) {
  Splice message;
  for (const PartHolder::Item& item : holder.items) {
    if (item.holder == nullptr) {
      message.append(item.bytes);
      continue;
    }
    const Splice within = message_of(*item.holder);
    if (within.size() == 0 && item.holder->field->name == "library") continue;
    std::string header;
    put_tag(header, item.holder->field->number, WireType::kBytes);
    put_varint(header, within.size());
    message.append(fresh(std::move(header)));
    message.append(within);
  }
  return message;
}

}  // namespace cryo
