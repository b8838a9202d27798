#include "wire/canonical.h"

#include <gtest/gtest.h>

#include "graph/node_editor.h"
#include "wire/elide.h"
#include "wire_message.h"

namespace cryo {
namespace {

std::string canonical_of(const WireMessage& message, std::string_view type,
                         const Payloads& payloads = {}) {
  return canonical(serialise(message), message_schema(type), payloads);
}

std::string entry(std::string_view key, int64_t value) {
  std::string out;
  put_bytes_field(out, 1, key);
  put_bytes_field(out, 2, int_value(value));
  return out;
}

WireMessage entry_of(uint64_t key, const std::string& value) {
  return WireMessage().varint(1, key).bytes(2, value);
}

TEST(Canonical, PutsFieldsInTheOrderOfTheirNumbers) {
  const WireMessage given =
      WireMessage().bytes(12345, "?").bytes(3, "x").bytes(2, "Op").bytes(3, "y").bytes(1, "n");
  EXPECT_EQ(canonical_of(given, "tensorflow.NodeDef"),
            serialise(WireMessage().bytes(1, "n").bytes(2, "Op").bytes(3, "x").bytes(3, "y").bytes(
                12345, "?")));
}

TEST(Canonical, SortsMapsAsUpbDoes) {
  WireMessage given, sorted;
  for (const char* key : {"T", "a", "Tshape", "", "B", "Tidx", "ab"}) {
    given.bytes(5, entry(key, 1));
  }
  for (const char* key : {"B", "Tidx", "Tshape", "T", "ab", "a", ""}) {
    sorted.bytes(5, entry(key, 1));
  }
  EXPECT_EQ(canonical_of(given, "tensorflow.NodeDef"), serialise(sorted));
  given = WireMessage().message(7, entry_of(0, "")).message(7, entry_of(300, ""));
  sorted = WireMessage().message(7, entry_of(300, "")).message(7, entry_of(0, ""));
  EXPECT_EQ(canonical_of(given, "tensorflow.FunctionDef"), serialise(sorted));
}

TEST(Canonical, OfWhatComesTwiceTheLastCounts) {
  const WireMessage given =
      WireMessage().bytes(1, "old").bytes(5, entry("N", 1)).bytes(1, "new").bytes(5, entry("N", 2));
  EXPECT_EQ(canonical_of(given, "tensorflow.NodeDef"),
            serialise(WireMessage().bytes(1, "new").bytes(5, entry("N", 2))));
  // A oneof has one member, messages merge.
  EXPECT_EQ(canonical(int_value(7) + bool_value(false), message_schema("tensorflow.AttrValue"), {}),
            bool_value(false));
  const WireMessage versions =
      WireMessage().message(4, WireMessage().varint(1, 9)).message(4, WireMessage().varint(2, 8));
  EXPECT_EQ(canonical_of(versions, "tensorflow.GraphDef"),
            serialise(WireMessage().message(4, WireMessage().varint(1, 9).varint(2, 8))));
}

TEST(Canonical, LeavesOutDefaultsThatSayNothing) {
  EXPECT_EQ(canonical_of(WireMessage().varint(1, 0).bytes(2, ""), "tensorflow.TensorProto"),
            serialise(WireMessage().bytes(2, "")));
  EXPECT_EQ(canonical(int_value(0), message_schema("tensorflow.AttrValue"), {}), int_value(0));
}

TEST(Canonical, PacksListsInTheShortestVarints) {
  const WireMessage given =
      WireMessage().varint(7, 5).bytes(7, std::string("\x80\x01\x81\x00", 4)).varint(7, 1);
  EXPECT_EQ(canonical_of(given, "tensorflow.TensorProto"),
            serialise(WireMessage().bytes(7, std::string("\x05\x80\x01\x01\x01"))));
  // Negative numbers of 32 bits are written with 64.
  EXPECT_EQ(canonical_of(WireMessage().varint(3, 0xFFFFFFFF), "tensorflow.GraphDef"),
            serialise(WireMessage().varint(3, ~uint64_t{0})));
}

TEST(Canonical, BulkStandsWhereItsFieldBelongs) {
  Payloads payloads;
  const uint32_t handle = payloads.add(make_payload(4, Splice(fresh("abcd"))));
  const WireMessage given = WireMessage().varint(kPayloadField, handle).varint(3, 1).varint(1, 3);
  const std::string made = canonical_of(given, "tensorflow.TensorProto", payloads);
  const auto expanded = expand(made, message_schema("tensorflow.TensorProto"), payloads);
  EXPECT_EQ(*expanded->read_all(),
            serialise(WireMessage().varint(1, 3).varint(3, 1).bytes(4, "abcd")));
}

TEST(Canonical, IsItsOwnCanonicalForm) {
  RandomMessages messages(1);
  for (int i = 0; i < 2000; ++i) {
    const MessageSchema& schema = message_schema("tensorflow.FunctionDef");
    const std::string once = canonical(serialise(messages.next(schema)), schema, {});
    EXPECT_EQ(canonical(once, schema, {}), once);
  }
}

}  // namespace
}  // namespace cryo
