#include "formats/tensorflow/salvaged_message.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "bytes/joined_source.h"
#include "bytes/slice_source.h"
#include "formats/tensorflow/part_tree.h"
#include "wire/message_probe.h"

namespace cryo {
namespace {

// The most effort (MessageProbe::effort()) that is spent in vain, in addition to a part of the
// file's size.
constexpr uint64_t kMaxEffort = uint64_t{4} << 20;
constexpr uint64_t kStep = uint64_t{1} << 20;

// The most parts in a row that show nothing by themselves.
constexpr int kMaxWeak = 2;

// The first bytes of a field that show what it is.
constexpr uint64_t kFieldHead = 2 * kMaxFieldHeader;

// A field of a message that holds parts.
struct Field {
  const FieldSchema* known = nullptr;
  uint64_t begin = 0;  // of the body
  uint64_t end = 0;
};

class Salvage {
 public:
  Salvage(const Slice& file, const MessageSchema& schema);
  Result<Salvaged> run();

 private:
  uint64_t size() const { return file_.size; }
  bool is_holder(const Field& field, size_t level) const {
    return level + 1 < levels_.size() && field.known->message == levels_[level + 1];
  }

  std::optional<Field> field_at(uint64_t at, size_t level);
  bool is_whole_at(uint64_t at, size_t level, uint64_t& end);
  bool tells(uint64_t at, size_t level, uint64_t& end, int weak = kMaxWeak);
  bool any_tells(uint64_t at, int weak);
  bool is_end(uint64_t at) const;
  bool is_confirmed(uint64_t at, size_t level, uint64_t& end);
  bool is_confirmed(uint64_t at);

  bool take();
  bool take_holder(const Field& field);
  void recover();
  bool goes_on_elsewhere();
  bool is_holder_without_tag();
  std::optional<uint64_t> end_by_length();
  std::optional<uint64_t> end_by_fields();
  void scan(uint64_t from, MessageProbe::Fault why);
  std::optional<size_t> next_level(uint64_t at, std::string_view ahead, uint64_t& end);
  bool looks_like_part(uint64_t at, std::string_view ahead, size_t level) const;
  uint64_t content_around(uint64_t at);
  void lose(uint64_t end, const MessageProbe::Fault& why);

  Slice file_;
  MessageProbe record_;
  std::vector<const MessageSchema*> levels_;  // the file's message, and each holder within
  std::array<bool, 256> tags_ = {};           // of parts that are messages
  uint64_t at_ = 0;
  MessageProbe::Fault fault_;  // of what starts at at_
  uint64_t effort_left_;
  LostParts lost_;
  PartTree tree_;
};

Salvage::Salvage(const Slice& file, const MessageSchema& schema)
    : file_(file),
      record_(file),
      effort_left_(file.size / 4 + kMaxEffort),
      tree_(file, schema, lost_) {
  for (const MessageSchema* level = &schema; level != nullptr;) {
    levels_.push_back(level);
    for (const FieldSchema& field : level->fields) {
      if (field.message != nullptr) tags_[field.number * 8 + 2] = true;
    }
    const FieldSchema* holder = holder_in(*level);
    level = holder == nullptr ? nullptr : holder->message;
  }
}

// Returns the field of a holder of this level that is at `at`; nullopt if there is none.
std::optional<Field> Salvage::field_at(uint64_t at, size_t level) {
  const auto header = record_.header(at);
  if (!header) {
    fault_ = {at, "expected a field's tag and length", size() - at < kMaxFieldHeader};
    return std::nullopt;
  }
  const FieldSchema* known = levels_[level]->find(header->number);
  if (known == nullptr || !fits_wire(*known, header->type)) {
    fault_ = {at, cat("field ", header->number, " of type ", static_cast<int>(header->type),
                      " is not one of ", levels_[level]->name)};
    return std::nullopt;
  }
  const uint64_t begin = at + header->size;
  const uint64_t body = body_size(*header);
  return Field{known, begin, body > kUnknownEnd - begin ? kUnknownEnd : begin + body};
}

// Returns true if a whole part is at `at`, which ends at `end`. A holder is one if it is empty, or
// if its first part is whole; `end` is then that part's.
bool Salvage::is_whole_at(uint64_t at, size_t level, uint64_t& end) {
  if (at >= size()) return false;
  const std::optional<Field> field = field_at(at, level);
  if (!field) return false;
  end = field->end;
  if (is_holder(*field, level) && field->begin != end) {
    return is_whole_at(field->begin, level + 1, end);
  }
  if (field->known->message == nullptr) return end <= size();
  const bool whole = record_.is_whole(*field->known->message, field->begin, end);
  if (!whole) fault_ = record_.fault();
  return whole;
}

bool Salvage::is_end(uint64_t at) const {
  return at == size() || std::any_of(tree_.open().begin(), tree_.open().end(),
                                     [&](const PartHolder* each) { return each->end == at; });
}

// Returns true if a whole part is at `at` that shows by itself that parts begin there, or by what
// follows it: as a library without functions and the versions do. At most `weak` such are passed.
bool Salvage::tells(uint64_t at, size_t level, uint64_t& end, int weak) {
  const std::optional<Field> field = at < size() ? field_at(at, level) : std::nullopt;
  if (!field) return false;
  const bool is_empty = field->begin == field->end;
  if (is_holder(*field, level) && !is_empty) return tells(field->begin, level + 1, end, weak);
  if (!is_whole_at(at, level, end)) return false;
  const MessageSchema* message = field->known->message;
  if (is_end(end) || (message != nullptr && is_distinctive(*message))) return true;
  const bool is_weak = is_holder(*field, level) || field->known->name == "versions";
  return is_weak && weak > 0 && any_tells(end, weak - 1);
}

// Returns true if a part of any level tells at `at`.
bool Salvage::any_tells(uint64_t at, int weak) {
  bool found = false;
  uint64_t unused = 0;
  for (size_t level = 0; level < levels_.size() && !found; ++level) {
    found = tells(at, level, unused, weak);
  }
  return found;
}

// Returns true if a whole part is at `at`, and another one or an end after it.
bool Salvage::is_confirmed(uint64_t at, size_t level, uint64_t& end) {
  if (!tells(at, level, end)) return false;
  return is_end(end) || any_tells(end, kMaxWeak);
}

bool Salvage::is_confirmed(uint64_t at) {
  bool confirmed = false;
  uint64_t unused = 0;
  for (size_t level = levels_.size(); level-- > 0 && !confirmed;) {
    confirmed = is_confirmed(at, level, unused);
  }
  return confirmed;
}

// Takes the part that starts here. Returns false if it is not whole.
bool Salvage::take() {
  const size_t level = tree_.depth();
  const std::optional<Field> field = field_at(at_, level);
  if (!field) return false;
  if (is_holder(*field, level) && field->begin != field->end) return take_holder(*field);
  uint64_t end = 0;
  if (!is_whole_at(at_, level, end)) return false;
  if (end > tree_.top().end) {
    fault_ = {at_, cat("it does not fit in its ", tree_.top().field->name)};
    return false;
  }
  if (field->known->message == nullptr && !lost_.empty() && !is_end(end) && !is_confirmed(end)) {
    fault_ = {at_, "a number without fields after it"};
    return false;
  }
  tree_.keep(at_, end);
  at_ = end;
  return true;
}

// Opens a holder, unless nothing shows that it is one: neither its first part nor its end.
bool Salvage::take_holder(const Field& field) {
  uint64_t unused = 0;
  const bool is_one = is_whole_at(at_, tree_.depth(), unused) || fault_.cut ||
                      (field.end <= size() && (is_end(field.end) || is_confirmed(field.end)));
  if (!is_one) return false;
  tree_.push(*field.known, at_, field.end);
  at_ = field.begin;
  return true;
}

// Loses all from here to `end`, and names the part that starts here.
void Salvage::lose(uint64_t end, const MessageProbe::Fault& why) {
  LostPart part{std::string(kLostBytes)};
  part.bytes = end - at_;
  const std::optional<Field> field = field_at(at_, tree_.depth());
  if (field && field->known->message != nullptr && !is_holder(*field, tree_.depth())) {
    part.name = record_.name_of(*field->known->message, field->begin);
    if (!part.name.empty()) part.what = field->known->name;
  }
  const std::string place =
      why.offset > at_ && !why.cut ? cat(", ", plural(why.offset - at_, "byte"), " into it") : "";
  part.why = *failure("malformed-message", cat(why.what, place),
                      {.file = file_.source->name(), .offset = file_.offset + at_});
  lost_.push_back(std::move(part));
  at_ = end;
}

// Returns true if reading goes on here in another holder than the innermost open one, or in that
// one past its end.
bool Salvage::goes_on_elsewhere() {
  for (size_t level = levels_.size(); level-- > 0;) {
    uint64_t end = 0;
    if (!is_confirmed(at_, level, end)) continue;
    tree_.set_depth(level, at_, end);
    return true;
  }
  return false;
}

// Opens the holder that starts here if its tag, one byte, is damaged: its first part shows it.
bool Salvage::is_holder_without_tag() {
  const FieldSchema* holder = holder_in(*tree_.top().schema);
  if (holder == nullptr || at_ + 1 >= size()) return false;
  const std::string head(record_.bytes().view(at_ + 1, kMaxVarint64));
  std::string_view rest = head;
  uint64_t length = 0;
  if (!take_varint(rest, length) || length == 0) return false;
  const uint64_t begin = at_ + 1 + head.size() - rest.size();
  const uint64_t end = length > kUnknownEnd - begin ? kUnknownEnd : begin + length;
  uint64_t unused = 0;
  const bool is_one = is_end(end) ? is_whole_at(begin, tree_.depth() + 1, unused)
                                  : tells(begin, tree_.depth() + 1, unused);
  if (!is_one) return false;
  tree_.push(*holder, at_, end, "its tag is wrong");
  at_ = begin;
  return true;
}

// Returns the end of the part that starts here by its length, if what follows confirms it: also
// where its tag, one byte, is damaged.
std::optional<uint64_t> Salvage::end_by_length() {
  const std::string head(record_.bytes().view(at_, kMaxFieldHeader));
  std::vector<uint64_t> ends;
  FieldHeader header;
  if (read_field_header(head, header)) ends.push_back(header.size + body_size(header));
  std::string_view length = std::string_view(head).substr(1);
  uint64_t value = 0;
  if (take_varint(length, value)) ends.push_back(head.size() - length.size() + value);
  for (const uint64_t each : ends) {
    const bool fits = each <= size() - at_ && each <= tree_.top().end - at_;
    if (fits && (is_end(at_ + each) || is_confirmed(at_ + each))) return at_ + each;
  }
  return std::nullopt;
}

// Returns the end of the part that starts here by its fields, if what follows confirms it.
std::optional<uint64_t> Salvage::end_by_fields() {
  const std::optional<Field> field = field_at(at_, tree_.depth());
  const bool is_part = field && field->known->message != nullptr && field->begin < size() &&
                       !is_holder(*field, tree_.depth());
  if (!is_part) return std::nullopt;
  const uint64_t end = record_.natural_end(*field->known->message, field->begin);
  const bool follows = end > field->begin && end < size() && is_confirmed(end);
  return follows ? std::optional(end) : std::nullopt;
}

// Returns the end of the content of a text or tensor that begins at `at`, by the tag and length
// just before it; 0 if there are none.
//
//     42 B4 03 | 0A 2F <node> 0A 21 <node> ...      a string of a tensor that is a GraphDef
uint64_t Salvage::content_around(uint64_t at) {
  constexpr std::string_view kTags = "\x0A\x12\x22\x42";
  const uint64_t begin = at - std::min(at, kMaxFieldHeader);
  const std::string before(record_.bytes().view(begin, at - begin));
  for (size_t width = 1; width < before.size(); ++width) {
    const char byte = before[before.size() - width];
    if ((width == 1) == ((byte & 0x80) != 0)) break;
    if (kTags.find(before[before.size() - width - 1]) == std::string_view::npos) continue;
    std::string_view length = std::string_view(before).substr(before.size() - width);
    uint64_t value = 0;
    if (take_varint(length, value) && value <= kMaxMessageBytes) return at + value;
  }
  return 0;
}

// Cheap, and true for every whole part that is a message.
bool Salvage::looks_like_part(uint64_t at, std::string_view ahead, size_t level) const {
  FieldHeader header;
  FieldHeader first;
  if (!read_field_header(ahead, header) || header.type != WireType::kBytes) return false;
  const FieldSchema* known = levels_[level]->find(header.number);
  if (known == nullptr || known->message == nullptr) return false;
  if (header.value == 0 || header.value > size() - at) return false;
  if (!read_field_header(ahead.substr(header.size), first)) return false;
  const FieldSchema* within = known->message->find(first.number);
  return within != nullptr && fits_wire(*within, first.type) && body_size(first) <= header.value;
}

// Returns the level at which reading can go on at `at`, with a part that ends at `end`. Without one
// `end` is where to look next: content of a tensor is skipped.
std::optional<size_t> Salvage::next_level(uint64_t at, std::string_view ahead, uint64_t& end) {
  for (size_t level = levels_.size(); level-- > 0;) {
    if (!looks_like_part(at, ahead, level) || !is_confirmed(at, level, end)) continue;
    const uint64_t around = content_around(at);
    if (around < end) return level;
    end = around;
    return std::nullopt;
  }
  end = at + 1;
  return std::nullopt;
}

// Loses all up to the next place where two whole parts follow each other.
void Salvage::scan(uint64_t from, MessageProbe::Fault why) {
  RandomReader bytes(file_);
  const uint64_t before = record_.effort();
  uint64_t at = from;
  while (at < size() && bytes.ok()) {
    const std::string_view step = bytes.view(at, kStep);
    const uint64_t begin = at;
    const uint64_t end = at + step.size() == size() ? size() : at + step.size() - kFieldHead;
    while (at < end) {
      const std::string_view ahead = step.substr(static_cast<size_t>(at - begin), kFieldHead);
      if (!tags_[static_cast<unsigned char>(ahead[0])]) {
        ++at;
        continue;
      }
      uint64_t next = 0;
      if (const std::optional<size_t> level = next_level(at, ahead, next)) {
        lose(at, why);
        return tree_.set_depth(*level, at, next);
      }
      at = next;
      if (record_.effort() - before <= effort_left_) continue;
      why.what += "; too much of what follows looks like a part and is not";
      return lose(size(), why);
    }
  }
  lose(size(), why);
}

// Goes on after what is not whole here.
void Salvage::recover() {
  const MessageProbe::Fault why = fault_;
  if (goes_on_elsewhere() || is_holder_without_tag()) return;
  std::optional<uint64_t> end = end_by_length();
  if (!end) end = end_by_fields();
  if (end) return lose(*end, why);
  if (why.cut) return lose(size(), why);
  const auto header = record_.header(at_);
  const uint64_t stated = header ? header->size + body_size(*header) : 0;
  // A length after which the fields are wrong from the first one on is not trusted, and neither is
  // that of a holder, whose end would have shown it: its other parts are looked for.
  const std::optional<Field> field = field_at(at_, tree_.depth());
  const bool holds = field && is_holder(*field, tree_.depth());
  const bool is_trusted = !holds && stated > 0 && why.offset > at_ + header->size &&
                          stated < std::min(tree_.top().end, size()) - at_;
  scan(at_ + (is_trusted ? stated : 1), why);
}

Result<Salvaged> Salvage::run() {
  while (at_ < size()) {
    tree_.pop_ended(at_);
    const uint64_t before = record_.effort();
    if (!take()) {
      recover();
      const uint64_t effort = record_.effort() - before;
      if (effort > effort_left_ && at_ < size()) lose(size(), {at_, "too much is damaged"});
      effort_left_ -= std::min(effort, effort_left_);
    }
    if (!record_.bytes().ok()) return record_.bytes().error();
  }
  tree_.end_of_file();
  const auto joined = std::make_shared<JoinedSource>(tree_.message());
  return Salvaged{whole(std::make_shared<SliceSource>(whole(joined), file_.source->name())),
                  std::move(lost_)};
}

}  // namespace

Result<Salvaged> salvage_message(const Slice& file, const MessageSchema& schema) {
  return Salvage(file, schema).run();
}

}  // namespace cryo
