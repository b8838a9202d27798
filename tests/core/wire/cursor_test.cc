#include "wire/cursor.h"

#include <gtest/gtest.h>

#include "files.h"
#include "wire_message.h"

namespace cryo {
namespace {

// Fields in all; -1 where the message is malformed.
int count_fields(std::string_view message) {
  int count = 0;
  WireCursor cursor(message);
  while (cursor.next()) ++count;
  return cursor.ok() ? count : -1;
}

TEST(WireCursor, HandsOutFieldsWithTheirRecords) {
  const std::string message =
      unhex("08 9601  11 0102030405060708  1A 03 616263  25 01020304  2B 30 07 2C");
  WireCursor cursor(message);
  ASSERT_TRUE(cursor.next());
  EXPECT_EQ(cursor.field().number, 1U);
  EXPECT_EQ(cursor.field().value, 150U);
  EXPECT_EQ(cursor.field().record.size(), 3U);
  ASSERT_TRUE(cursor.next());
  EXPECT_EQ(cursor.field().value, 0x0807060504030201U);
  ASSERT_TRUE(cursor.next());
  EXPECT_EQ(cursor.field().type, WireType::kBytes);
  EXPECT_EQ(cursor.field().bytes, "abc");
  EXPECT_EQ(cursor.field().record, unhex("1A 03 616263"));
  ASSERT_TRUE(cursor.next());
  EXPECT_EQ(cursor.field().value, 0x04030201U);
  ASSERT_TRUE(cursor.next());
  EXPECT_EQ(cursor.field().type, WireType::kGroup);
  EXPECT_EQ(cursor.field().bytes, unhex("30 07"));
  EXPECT_EQ(cursor.field().record, unhex("2B 30 07 2C"));
  EXPECT_FALSE(cursor.next());
  EXPECT_TRUE(cursor.ok());
}

TEST(WireCursor, ItsRecordsTogetherAreTheMessage) {
  RandomMessages messages(5);
  for (int i = 0; i < 300; ++i) {
    const Widths widths(messages.random());
    const WireMessage logical = messages.next(message_schema("tensorflow.NodeDef"));
    const std::string message = serialise(logical, widths);
    std::string records;
    size_t fields = 0;
    WireCursor cursor(message);
    for (; cursor.next(); ++fields) records += cursor.field().record;
    ASSERT_TRUE(cursor.ok());
    ASSERT_EQ(records, message);
    ASSERT_EQ(fields, logical.fields.size());
  }
}

TEST(WireCursor, RefusesWhatProtobufRefuses) {
  for (const char* digits :
       {"08", "08 80", "00 01", "0E 01", "0F", "0C", "0A 05 61", "0D 010203", "09 01020304050607",
        "0A FFFFFFFFFFFFFFFFFF01", "0B", "0B 14", "0B 08", "0B 0B 0C", "FFFFFFFF7F 00"}) {
    EXPECT_EQ(count_fields(unhex(digits)), -1) << digits;
  }
  EXPECT_EQ(count_fields(""), 0);
}

TEST(WireCursor, ItsErrorStays) {
  WireCursor cursor("\x0E\x08\x01");
  EXPECT_FALSE(cursor.next());
  EXPECT_FALSE(cursor.next());
  EXPECT_FALSE(cursor.ok());
}

TEST(WireCursor, FollowsGroupsToADepthOfAHundred) {
  const auto nested = [](size_t depth) {
    return std::string(depth, '\x0B') + std::string(depth, '\x0C');
  };
  EXPECT_EQ(count_fields(nested(100)), 1);
  EXPECT_EQ(count_fields(nested(101)), -1);
  EXPECT_EQ(count_fields(nested(1000000)), -1);
}

TEST(LastBytes, TheLastOfANumberCounts) {
  const std::string message = unhex("0A 01 61  08 07  12 01 62  0A 01 63");
  EXPECT_EQ(last_bytes(message, 1), "c");
  EXPECT_EQ(last_bytes(message, 2), "b");
  EXPECT_EQ(last_bytes(message, 3), "");
}

TEST(PutField, WritesTheShortestForm) {
  std::string out;
  put_varint_field(out, 1, 150);
  put_bytes_field(out, 2047, "ab");
  EXPECT_EQ(out, unhex("08 9601 FA7F 02 6162"));
}

}  // namespace
}  // namespace cryo
