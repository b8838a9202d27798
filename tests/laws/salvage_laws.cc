// Law: what is salvaged of a damaged graph is what the graph had, byte for byte.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/text.h"
#include "formats/recognize.h"
#include "formats/tensorflow/part_tree.h"
#include "formats/tensorflow/salvaged_message.h"
#include "laws.h"
#include "road.h"
#include "wire/elide.h"

namespace cryo::laws {
namespace {

// A part of a message, and where it is.
struct Part {
  size_t offset;
  std::string_view bytes;
};

void add_parts(std::string_view message, const MessageSchema& schema, const char* begin,
               std::vector<Part>& parts) {
  const FieldSchema* holder = holder_in(schema);
  for (WireCursor cursor(message); cursor.next();) {
    const WireField& field = cursor.field();
    const bool holds = holder != nullptr && field.number == holder->number && !field.bytes.empty();
    if (holds) {
      add_parts(field.bytes, *holder->message, begin, parts);
    } else {
      parts.push_back({static_cast<size_t>(field.record.data() - begin), field.record});
    }
  }
}

std::vector<Part> parts_of(const std::string& message, const MessageSchema& schema) {
  std::vector<Part> parts;
  add_parts(message, schema, message.data(), parts);
  return parts;
}

bool is_readable(const std::string& file, const MessageSchema& schema) {
  Payloads payloads;
  return elide(whole(std::make_shared<MemorySource>(file)), schema, payloads).ok();
}

// A file, and how it is damaged.
struct Damaged {
  std::string bytes;
  size_t begin;  // of the damaged bytes
  size_t end;    // of them
};

Damaged cut(const std::string& file, std::mt19937& random) {
  const size_t at = random() % file.size();
  return {file.substr(0, at), at, file.size()};
}

Damaged flipped(const std::string& file, std::mt19937& random) {
  const size_t at = random() % file.size();
  std::string bytes = file;
  bytes[at] = static_cast<char>(bytes[at] ^ (1 << (random() % 8)));
  return {std::move(bytes), at, at + 1};
}

Damaged blanked(const std::string& file, std::mt19937& random) {
  const size_t at = random() % file.size();
  const size_t end = std::min(file.size(), at + 512);
  std::string bytes = file;
  std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(at),
            bytes.begin() + static_cast<std::ptrdiff_t>(end), '\0');
  return {std::move(bytes), at, end};
}

// Every salvaged part is one of the file: as it was, or with damage in a number or text of it that
// its form does not show. Returns the number of whole parts that were lost.
size_t expect_parts_of(const std::string& file, const Damaged& damaged, const Salvaged& salvaged,
                       const MessageSchema& schema) {
  const std::string message = *Splice(salvaged.message).read_all();
  EXPECT_TRUE(is_readable(message, schema));
  const std::vector<Part> before = parts_of(file, schema);
  size_t next = 0;
  size_t lost = 0;
  const auto is_whole = [&](const Part& part) {
    return part.offset + part.bytes.size() <= damaged.begin || part.offset >= damaged.end;
  };
  for (const Part& part : parts_of(message, schema)) {
    const auto is_it = [&](const Part& each) {
      return damaged.bytes.substr(std::min(each.offset, damaged.bytes.size()), each.bytes.size()) ==
             part.bytes;
    };
    const size_t first = next;
    while (next < before.size() && !is_it(before[next])) ++next;
    EXPECT_LT(next, before.size()) << "a part that the file does not have";
    if (next == before.size()) return lost;
    for (size_t i = first; i < next; ++i) lost += is_whole(before[i]) ? 1U : 0U;
    ++next;
  }
  for (; next < before.size(); ++next) lost += is_whole(before[next]) ? 1U : 0U;
  return lost;
}

const MessageSchema* schema_of(const std::string& path) {
  const auto found = recognise(std::make_shared<CountedFile>(path));
  if (!found) return nullptr;
  if (found->kind == FileKind::kGraphDef) return &message_schema("tensorflow.GraphDef");
  if (found->kind == FileKind::kMetaGraph) return &message_schema("tensorflow.MetaGraphDef");
  return nullptr;
}

constexpr size_t kMaxBytes = size_t{400} * 1024;

// A whole part after damage is lost only where too little follows it to confirm it: those count as
// exceptions.
void gives_back_what_the_graph_had(Road& road, Tally& tally) {
  constexpr size_t kStep = 8;
  if (road.of().place % kStep != 0) return;
  const std::string& path = road.of().path;
  const std::string file = bytes_of(path);
  const MessageSchema* schema = schema_of(path);
  if (schema == nullptr || file.size() > kMaxBytes || !is_readable(file, *schema)) return;
  std::mt19937 random(static_cast<uint32_t>(file.size()));
  for (const auto damage : {cut, flipped, blanked}) {
    const Damaged damaged = damage(file, random);
    SCOPED_TRACE(cat("at ", damaged.begin));
    if (is_readable(damaged.bytes, *schema)) {
      tally.skip("the damage does not show in the form");
      continue;
    }
    const auto source = std::make_shared<MemorySource>(damaged.bytes, path);
    const Result<Salvaged> salvaged = salvage_message(whole(source), *schema);
    ASSERT_TRUE(salvaged.ok());
    EXPECT_FALSE(salvaged->lost.empty());
    tally.missed += expect_parts_of(file, damaged, *salvaged, *schema);
    ++tally.held;
  }
}

}  // namespace

std::vector<Law> salvage_laws() {
  return {{"salvage gives back what the graph had", 20, gives_back_what_the_graph_had, 0.25}};
}

}  // namespace cryo::laws
