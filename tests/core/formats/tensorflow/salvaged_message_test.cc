#include "formats/tensorflow/salvaged_message.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "files.h"
#include "graphs.h"
#include "wire/cursor.h"

namespace cryo {
namespace {

const MessageSchema& graph_schema() { return message_schema("tensorflow.GraphDef"); }

std::string field(uint32_t number, std::string_view bytes) {
  std::string out;
  put_bytes_field(out, number, bytes);
  return out;
}

std::string named(std::string_view name, const std::vector<std::string>& inputs = {}) {
  return field(1, node(name, "NoOp", inputs));
}

const std::string kVersions = field(4, unhex("08aa13100c"));

struct Outcome {
  std::string message = {};
  Lines lost = {};  // "what name offset bytes"
};

Outcome salvaged(const std::string& file, const MessageSchema& schema = graph_schema()) {
  const Slice slice = whole(std::make_shared<MemorySource>(file, "g.pb"));
  const Result<Salvaged> salvaged = salvage_message(slice, schema);
  if (!salvaged) return {salvaged.error().message};
  Outcome outcome{*Splice(salvaged->message).read_all()};
  for (const LostPart& part : salvaged->lost) {
    EXPECT_EQ(part.why.where.file, "g.pb");
    outcome.lost.push_back(cat(part.what, " ", part.name.empty() ? "-" : part.name, " ",
                               *part.why.where.offset, " ", part.bytes));
  }
  return outcome;
}

// Returns a text with one byte replaced.
std::string with(std::string text, size_t at, char byte) {
  text[at] = byte;
  return text;
}

TEST(SalvagedMessage, IsTheFileWhereNothingIsDamaged) {
  const std::string file = named("a") + named("b") + field(2, "") + kVersions;
  const Outcome outcome = salvaged(file);
  EXPECT_EQ(outcome.message, file);
  EXPECT_EQ(outcome.lost, Lines{});
}

TEST(SalvagedMessage, KeepsTheNodesBeforeTheEndOfACutFile) {
  const std::string whole = named("a") + named("b");
  const std::string file = (whole + named("c", {"a"}) + kVersions).substr(0, whole.size() + 9);
  const Outcome outcome = salvaged(file);
  EXPECT_EQ(outcome.message, whole);
  EXPECT_EQ(outcome.lost, Lines{cat("node c ", whole.size(), " 9")});
}

// The length of b is right: c follows it.
TEST(SalvagedMessage, LosesANodeThatIsDamagedWithin) {
  const std::string a = named("a");
  const std::string b = named("b", {"a"});
  const std::string rest = named("c") + kVersions;
  const std::string damaged = with(b, b.size() - 2, '\x7F');  // the length of its input
  EXPECT_EQ(salvaged(a + damaged + rest).message, a + rest);
  EXPECT_EQ(salvaged(a + damaged + rest).lost, Lines{cat("node b ", a.size(), " ", b.size())});
}

// The fields of b are whole, and end where c begins.
TEST(SalvagedMessage, FindsTheEndOfANodeWhoseLengthIsDamaged) {
  const std::string a = named("a");
  const std::string b = named("b", {"a"});
  const std::string rest = named("c") + named("d") + kVersions;
  for (const char length : {'\x00', '\x05', '\x7F'}) {
    const Outcome outcome = salvaged(a + with(b, 1, length) + rest);
    EXPECT_EQ(outcome.message, a + rest);
    EXPECT_EQ(outcome.lost.size(), 1U);
  }
}

TEST(SalvagedMessage, FindsTheEndOfANodeWhoseTagIsDamaged) {
  const std::string a = named("a");
  const std::string b = named("b", {"a"});
  const std::string rest = named("c") + named("d") + kVersions;
  for (int bit = 0; bit < 8; ++bit) {
    const auto tag = static_cast<char>(0x0A ^ (1 << bit));
    EXPECT_EQ(salvaged(a + with(b, 0, tag) + rest).message, a + rest) << bit;
  }
}

TEST(SalvagedMessage, GoesOnAfterABlankStretch) {
  std::string nodes;
  std::vector<size_t> starts;
  for (int i = 0; i < 40; ++i) {
    starts.push_back(nodes.size());
    nodes += named(cat("node", i), {"x"});
  }
  std::string file = nodes + kVersions;
  file.replace(starts[10] + 5, 100, 100, '\0');
  const auto next = static_cast<size_t>(
      std::upper_bound(starts.begin(), starts.end(), starts[10] + 105) - starts.begin());
  const Outcome outcome = salvaged(file);
  EXPECT_EQ(outcome.message, file.substr(0, starts[10]) + file.substr(starts[next]));
  EXPECT_EQ(outcome.lost.size(), 1U);
}

// A graph that is the text of a tensor has no nodes of this graph.
TEST(SalvagedMessage, TakesNoNodesOutOfATensor) {
  std::string inner;
  for (int i = 0; i < 9; ++i) inner += named(cat("inner", i));
  const std::string tensor = unhex("0807 1200") + field(8, inner);
  const std::string holds = field(1, node("dataset", "Const", {}, {{"value", field(8, tensor)}}));
  const std::string a = named("a");
  const std::string rest = named("c") + named("d") + kVersions;
  std::string damaged = holds;
  damaged.replace(0, 12, 12, '\0');  // its tag, length and name
  EXPECT_EQ(salvaged(a + damaged + rest).message, a + rest);
  const std::string cut = (a + holds + rest).substr(0, a.size() + holds.size() - 20);
  EXPECT_EQ(salvaged(cut).message, a);
}

TEST(SalvagedMessage, KeepsTheOtherFunctionsOfALibrary) {
  const auto function = [](std::string_view name) {
    return field(1, field(1, field(1, name)) + field(3, node("n", "NoOp")));
  };
  const std::string f = function("f");
  const std::string g = function("g");
  const std::string h = function("h");
  const std::string damaged = with(g, g.size() - 2, '\x7F');
  const std::string a = named("a");
  const std::string file = a + field(2, f + damaged + h) + kVersions;
  const Outcome outcome = salvaged(file);
  EXPECT_EQ(outcome.message, a + field(2, f + h) + kVersions);
  EXPECT_EQ(outcome.lost, Lines{cat("function g ", a.size() + 2 + f.size(), " ", g.size())});
}

// A MetaGraphDef whose graph's length or tag is wrong: its nodes, and what follows them, are there.
TEST(SalvagedMessage, ReadsOnWhereTheLengthOfTheGraphIsWrong) {
  const MessageSchema& schema = message_schema("tensorflow.MetaGraphDef");
  const std::string graph = named("a") + named("b") + kVersions;
  const std::string saver = field(3, field(1, "save/Const:0") + field(2, "save/control:0"));
  const std::string file = field(2, graph) + saver + saver;
  for (const char length : {'\x01', '\x0B', '\x7F'}) {
    const Outcome outcome = salvaged(with(file, 1, length), schema);
    EXPECT_EQ(outcome.message, file) << int{length};
    EXPECT_EQ(outcome.lost, Lines{"graph_def - 0 0"}) << int{length};
  }
  const Outcome outcome = salvaged(with(file, 0, '\x32'), schema);
  EXPECT_EQ(outcome.message, file);
  EXPECT_EQ(outcome.lost, Lines{"graph_def - 0 0"});
}

// Bytes that are gone move the end of the graph, and its first node does not show that it is one.
TEST(SalvagedMessage, FindsTheNodesAfterAFirstOneThatLacksBytes) {
  const MessageSchema& schema = message_schema("tensorflow.MetaGraphDef");
  const std::string first = field(1, node("first", "NoOp", {"a", "b", "c"}));
  const std::string rest = named("d") + named("e") + named("f") + kVersions;
  const std::string saver = field(3, field(1, "save/Const:0") + field(2, "save/control:0"));
  const std::string file = field(2, first + rest) + saver;
  for (size_t gone = 1; gone < 6; ++gone) {
    std::string damaged = file;
    damaged.erase(8, gone);
    const Outcome outcome = salvaged(damaged, schema);
    EXPECT_NE(outcome.message.find(named("d") + named("e") + named("f")), std::string::npos)
        << gone;
    EXPECT_EQ(outcome.message.find("first"), std::string::npos);
    EXPECT_FALSE(outcome.lost.empty());
  }
}

TEST(SalvagedMessage, ReportsWhatACutFileLacks) {
  const MessageSchema& schema = message_schema("tensorflow.MetaGraphDef");
  const std::string graph = field(2, named("a") + named("b"));
  const Outcome outcome = salvaged(graph.substr(0, graph.size() - 3), schema);
  EXPECT_EQ(outcome.message, field(2, named("a")));
  EXPECT_EQ(outcome.lost.back(), cat("graph_def - ", graph.size() - 3, " 3"));
}

TEST(SalvagedMessage, GivesUpOnAFileOfFalseBeginnings) {
  std::string file;
  constexpr uint64_t kSize = uint64_t{1} << 21;
  while (file.size() < kSize) {
    std::string header = "\x0A";
    put_varint(header, kSize + 20 - file.size(), 5);
    file += header + unhex("0A0161 120141 1A0161 1A0161");
  }
  EXPECT_EQ(salvaged(file + std::string(40, '\0')).message, "");
}

// Other messages begin like nodes: a variable has the names of a tensor and of two nodes.
TEST(SalvagedMessage, TakesNoVariablesForNodes) {
  const MessageSchema& schema = message_schema("tensorflow.MetaGraphDef");
  std::string variables;
  for (const std::string_view name : {"a", "b", "c", "d"}) {
    variables += field(1, field(1, cat(name, ":0")) + field(2, cat(name, "/Assign")) +
                              field(3, cat(name, "/read:0")));
  }
  const std::string graph = field(2, named("a") + named("b"));
  std::string file = graph + field(4, field(1, "variables") + field(2, field(2, variables)));
  file.replace(graph.size(), 14, 14, '\0');  // up to the list of variables
  EXPECT_EQ(salvaged(file, schema).message, graph);
}

// Parts that show nothing by themselves are passed without end neither in time nor on the stack.
TEST(SalvagedMessage, PassesManyEmptyParts) {
  std::string file = named("a") + unhex("0B");
  for (int i = 0; i < 300000; ++i) file += unhex("1200");
  EXPECT_EQ(salvaged(file + unhex("07")).message, named("a"));
}

}  // namespace
}  // namespace cryo
