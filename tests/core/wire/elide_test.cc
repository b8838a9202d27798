#include "wire/elide.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "counting_source.h"
#include "files.h"
#include "proto/graph.pb.h"
#include "wire_message.h"

namespace cryo {
namespace {

const MessageSchema& tensor_schema() { return message_schema("tensorflow.TensorProto"); }
const MessageSchema& graph_schema() { return message_schema("tensorflow.GraphDef"); }

// An elided message and all that belongs to it.
struct Elided {
  Elided(std::string bytes, const MessageSchema& schema)
      : source(std::make_shared<CountingSource>(std::move(bytes), "file")),
        skeleton(elide(whole(source), schema, payloads)),
        schema_(schema) {}

  std::string expanded() const {
    if (!skeleton) return skeleton.error().code;
    const Result<Splice> splice = expand(*skeleton, schema_, payloads);
    return splice ? *splice->read_all() : splice.error().code;
  }

  std::shared_ptr<CountingSource> source;
  Payloads payloads;
  Result<std::string> skeleton;

 private:
  const MessageSchema& schema_;
};

// Returns the fields taken out of a message, which expands to the same bytes.
std::vector<uint32_t> taken_out(const std::string& bytes, const MessageSchema& schema) {
  const Elided elided(bytes, schema);
  EXPECT_TRUE(elided.expanded() == bytes);
  std::vector<uint32_t> fields;
  for (uint32_t i = 0; i < elided.payloads.size(); ++i) {
    fields.push_back(elided.payloads.find(i)->field);
  }
  return fields;
}

using Fields = std::vector<uint32_t>;

TEST(Elide, TakesOutTensorBulkLongerThanItsThreshold) {
  const auto content = [](size_t size) {
    return serialise(WireMessage().bytes(4, std::string(size, 'x')));
  };
  EXPECT_EQ(taken_out(content(kBulkTensorBytes), tensor_schema()), Fields{});
  EXPECT_EQ(taken_out(content(kBulkTensorBytes + 1), tensor_schema()), Fields{4});
}

TEST(Elide, TakesOutOtherBytesLongerThanTheirs) {
  const MessageSchema& value = message_schema("tensorflow.AttrValue");
  for (const uint32_t field : {2U, 999U}) {  // s; unknown
    const auto bytes = [&](size_t size) {
      return serialise(WireMessage().bytes(field, std::string(size, 'x')));
    };
    EXPECT_EQ(taken_out(bytes(kBulkBytes), value), Fields{});
    EXPECT_EQ(taken_out(bytes(kBulkBytes + 1), value), Fields{field});
  }
}

TEST(Elide, LeavesStringsAndGroupsWhateverTheirLength) {
  const std::string big(2 * kBulkBytes, 'x');
  const MessageSchema& node = message_schema("tensorflow.NodeDef");
  EXPECT_EQ(taken_out(serialise(WireMessage().bytes(1, big)), node), Fields{});
  const WireMessage group = WireMessage().message(4, WireMessage().bytes(4, big), WireType::kGroup);
  EXPECT_EQ(taken_out(serialise(group), tensor_schema()), Fields{});
}

TEST(Elide, TakesOutAnyFieldNumberedAsHandlesAre) {
  const WireMessage message = WireMessage().varint(2047, 0).bytes(2047, "").varint(1, 3);
  const std::string bytes = serialise(message);
  EXPECT_EQ(taken_out(bytes, tensor_schema()), (Fields{2047, 2047}));
  EXPECT_EQ(taken_out(bytes, graph_schema()), (Fields{2047, 2047}));
}

TEST(Elide, FollowsNestedBulkAndReadsNoneOfIt) {
  const std::string big(3'000'000, 'x');
  const WireMessage tensor = WireMessage().varint(1, 1).bytes(4, big);
  const WireMessage list = WireMessage().message(8, tensor).message(8, tensor);
  const WireMessage value = WireMessage().message(1, list);
  const WireMessage node =
      WireMessage().bytes(1, "w").message(5, WireMessage().bytes(1, "k").message(2, value));
  const std::string bytes = serialise(WireMessage().message(1, node).message(1, node));
  Elided elided(bytes, graph_schema());
  EXPECT_EQ(elided.payloads.size(), 4U);
  EXPECT_LT(elided.skeleton->size(), 200U);
  EXPECT_LT(elided.source->bytes_read(), 5U * 16 * 1024);
  EXPECT_TRUE(elided.expanded() == bytes);
  tensorflow::GraphDef graph;
  ASSERT_TRUE(graph.ParseFromString(*elided.skeleton));
  EXPECT_EQ(graph.node(1).attr(0).value().list().tensor(1).payload(0), 3U);
}

TEST(Elide, KeepsMixedChunksOfAListInTheirOrder) {
  const WireMessage tensor = WireMessage()
                                 .bytes(10, std::string(300, '\1'))
                                 .varint(10, 5)
                                 .bytes(10, std::string(10, '\2'))
                                 .bytes(10, std::string(400, '\3'));
  EXPECT_EQ(taken_out(serialise(tensor), tensor_schema()), (Fields{10, 10}));
}

TEST(Elide, GivesBackOverLongVarintsAndLengths) {
  const WireMessage tensor = WireMessage().varint(1, 1).bytes(4, std::string(1000, 'x'));
  const WireMessage value = WireMessage().message(8, tensor);
  for (size_t padding = 0; padding < 10; ++padding) {
    const std::string bytes = serialise(value, Widths(padding));
    EXPECT_EQ(taken_out(bytes, message_schema("tensorflow.AttrValue")), Fields{4});
  }
}

TEST(Elide, GivesBackEveryRandomMessage) {
  RandomMessages messages(2);
  for (const char* name :
       {"tensorflow.GraphDef", "tensorflow.MetaGraphDef", "tensorflow.TensorProto",
        "tensorflow.NodeDef", "tensorflow.SavedModel"}) {
    for (int i = 0; i < 400; ++i) {
      const WireMessage message = messages.next(message_schema(name));
      for (const std::string& bytes :
           {serialise(message), serialise(message, Widths(messages.random()))}) {
        const Elided elided(bytes, message_schema(name));
        ASSERT_TRUE(elided.skeleton.ok()) << to_text(elided.skeleton.error());
        ASSERT_TRUE(elided.expanded() == bytes) << name << " " << i;
      }
    }
  }
}

// Lengths at which a message's fields end: what a prefix may have.
std::set<size_t> field_ends(const std::string& message) {
  std::set<size_t> ends = {0};
  for (WireCursor cursor(message); cursor.next();) {
    ends.insert(*ends.rbegin() + cursor.field().record.size());
  }
  return ends;
}

TEST(Elide, RefusesAMessageCutAnywhereButBetweenFields) {
  RandomMessages messages(3);
  int refused = 0;
  for (int i = 0; i < 60; ++i) {
    const std::string bytes = serialise(messages.next(graph_schema()), Widths(messages.random()));
    if (bytes.size() > 3000) continue;
    const std::set<size_t> ends = field_ends(bytes);
    for (size_t size = 0; size < bytes.size(); ++size) {
      const Elided elided(bytes.substr(0, size), graph_schema());
      ASSERT_EQ(elided.skeleton.ok(), ends.contains(size)) << i << " cut to " << size;
      if (elided.skeleton) continue;
      ++refused;
      ASSERT_EQ(elided.skeleton.error().code, "malformed-message");
      ASSERT_EQ(elided.skeleton.error().where.file, "file");
      ASSERT_LE(*elided.skeleton.error().where.offset, size);
    }
  }
  EXPECT_GT(refused, 1000);
}

TEST(Elide, RefusesWhatProtobufRefuses) {
  for (const char* digits :
       {"00 01", "0E 01", "0C", "0A 05 0A 04 61 61 61", "0A 03 0A 02 61", "0B", "0B 14",
        "0A FFFFFFFFFFFFFFFFFF01", "0A FEFFFFFFFFFFFFFFFF01", "0A FFFFFFFF0F", "FFFFFFFF7F 00"}) {
    const Elided elided(unhex(digits), graph_schema());
    ASSERT_FALSE(elided.skeleton.ok()) << digits;
    EXPECT_EQ(elided.skeleton.error().code, "malformed-message") << digits;
  }
}

// A GraphDef that holds a NameAttrList in an attribute of the one before it, so many messages deep.
std::string nested_functions(size_t levels) {
  std::string list;
  for (size_t i = 0; i < levels; ++i) {
    std::string value;
    put_bytes_field(value, 10, list);  // AttrValue.func
    std::string entry;
    put_bytes_field(entry, 2, value);
    list.clear();
    put_bytes_field(list, 2, entry);  // NameAttrList.attr
  }
  return list;
}

TEST(Elide, RefusesNestingOverAHundred) {
  const MessageSchema& list = message_schema("tensorflow.NameAttrList");
  EXPECT_TRUE(Elided(nested_functions(33), list).skeleton.ok());
  EXPECT_EQ(Elided(nested_functions(34), list).expanded(), "malformed-message");
  const auto groups = [](size_t depth) {
    return std::string(depth, '\x0B') + std::string(depth, '\x0C');
  };
  EXPECT_TRUE(Elided(groups(100), list).skeleton.ok());
  EXPECT_FALSE(Elided(groups(101), list).skeleton.ok());
  EXPECT_FALSE(Elided(groups(1'000'000), list).skeleton.ok());
}

TEST(Elide, HandsOnTheErrorOfARead) {
  Payloads payloads;
  const auto source = std::make_shared<MemorySource>("\x0A\x02", "short");
  const auto skeleton = elide({source, 0, 100}, graph_schema(), payloads);
  ASSERT_FALSE(skeleton.ok());
  EXPECT_EQ(skeleton.error().code, "truncated");
}

TEST(Expand, ComputesLengthsAnewWhereAMessageGrew) {
  Payloads payloads;
  const std::string big(70'000, 'x');
  const uint32_t handle = payloads.add(make_payload(4, Splice(fresh(big))));
  const WireMessage tensor = WireMessage().varint(1, 1).varint(kPayloadField, handle);
  const WireMessage skeleton = WireMessage().message(8, tensor);
  const WireMessage whole_tensor = WireMessage().varint(1, 1).bytes(4, big);
  const auto expanded =
      expand(serialise(skeleton), message_schema("tensorflow.AttrValue"), payloads);
  EXPECT_TRUE(*expanded->read_all() == serialise(WireMessage().message(8, whole_tensor)));
}

TEST(Expand, RefusesMoreThanProtobufReads) {
  // Half a message's most, thrice; nothing of it is there.
  const auto half = std::make_shared<MemorySource>(std::string(64 * 1024, 'x'));
  Splice body;
  for (uint64_t size = 0; size < kMaxMessageBytes / 2; size += half->size())
    body.append(whole(half));
  Payloads payloads;
  WireMessage skeleton;
  for (int i = 0; i < 2; ++i) {
    skeleton.message(1, WireMessage().varint(kPayloadField, payloads.add(make_payload(4, body))));
  }
  const auto expanded = expand(serialise(skeleton), graph_schema(), payloads);
  ASSERT_FALSE(expanded.ok());
  EXPECT_EQ(expanded.error().code, "too-large");
}

TEST(ExpandDeathTest, AHandleThatNamesNothingIsOurBug) {
  const std::string skeleton = serialise(WireMessage().varint(kPayloadField, 0));
  EXPECT_DEATH((void)expand(skeleton, graph_schema(), Payloads()), "payload");
}

TEST(Payloads, AreFoundByTheirHandles) {
  Payloads payloads;
  EXPECT_EQ(payloads.find(0), nullptr);
  EXPECT_EQ(payloads.add(make_payload(4, Splice(fresh("abc")))), 0U);
  EXPECT_EQ(payloads.add(make_payload(2047, Splice())), 1U);
  EXPECT_EQ(*payloads.find(0)->record.read_all(), unhex("22 03 616263"));
  EXPECT_EQ(*payloads.find(0)->body().read_all(), "abc");
  EXPECT_EQ(*payloads.find(1)->record.read_all(), unhex("FA7F 00"));
  EXPECT_EQ(payloads.find(1)->body().size(), 0U);
  EXPECT_EQ(payloads.find(uint64_t{1} << 32), nullptr);
}

TEST(Fixtures, ComeBackFromElisionByteForByte) {
  int files = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(fixture(""))) {
    const bool meta = file.path().extension() == ".meta";
    if (!meta && file.path().extension() != ".pb") continue;
    const bool saved = file.path().filename() == "saved_model.pb";
    const std::string bytes = file_bytes(file.path());
    const Elided elided(bytes, message_schema(saved  ? "tensorflow.SavedModel"
                                              : meta ? "tensorflow.MetaGraphDef"
                                                     : "tensorflow.GraphDef"));
    EXPECT_TRUE(elided.expanded() == bytes) << file.path();
    ++files;
  }
  EXPECT_GT(files, 100);
}

}  // namespace
}  // namespace cryo
