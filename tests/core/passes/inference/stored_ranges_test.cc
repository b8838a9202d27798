#include "passes/inference/stored_ranges.h"

#include "functions.h"

namespace cryo {
namespace {

std::string fake_quant(const Lines& inputs) { return node("q", "FakeQuantWithMinMaxVars", inputs); }

std::string range_read(const Lines& nodes) {
  GraphChanges changes;
  const Model made = with_stored_ranges(model_of(nodes), changes);
  return described(find(made.graph, "q"));
}

TEST(StoredRanges, TakeThePlaceOfThoseThatAreUpdated) {
  EXPECT_EQ(
      range_read({placeholder("x"), variable("min", {}), variable("max", {}),
                  typed("max/read", "Identity", {"max"}), typed("low", "AssignSub", {"min", "x"}),
                  typed("high", "Assign", {"max", "x"}), fake_quant({"x", "low", "high"})}),
      "q = FakeQuantWithMinMaxVars(x, min/read, max/read)");
}

TEST(StoredRanges, OfHandlesAreReadsThatWaitForNoUpdate) {
  EXPECT_EQ(
      range_read({placeholder("x"), node("min", "VarHandleOp", {}, {{"dtype", type_value(1)}}),
                  node("low", "AssignSubVariableOp", {"min", "x"}),
                  node("after", "ReadVariableOp", {"min", "^low"}, {{"dtype", type_value(1)}}),
                  read_of("before", "min"), fake_quant({"x", "after", "before"})}),
      "q = FakeQuantWithMinMaxVars(x, min/Read/ReadVariableOp, before)");
}

TEST(StoredRanges, OfConstantsStay) {
  EXPECT_EQ(range_read({placeholder("x"), constant("low", {0}, {}), fake_quant({"x", "low", "x"})}),
            "q = FakeQuantWithMinMaxVars(x, low, x)");
}

}  // namespace
}  // namespace cryo
