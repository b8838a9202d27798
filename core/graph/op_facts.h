#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace cryo {

// The facts that passes ask of ops, all in one table. A fact is a bit.
//
//     Identity         kPassesOn | kHandsOn | kStatistic
//     Relu             kElementwise
//     *Conv2D*         kLayer          also of ops that no release registers: _FusedConv2D
using OpFacts = uint64_t;

constexpr OpFacts op_fact(int bit) { return OpFacts{1} << bit; }

constexpr OpFacts kVariable = op_fact(0);
constexpr OpFacts kPlaceholderOp = op_fact(1);
constexpr OpFacts kReads = op_fact(2);  // gives the value behind a handle
// Output 0 is input 0 (of Merge, any input), be it a value, a reference or a handle.
constexpr OpFacts kPassesOn = op_fact(3);
constexpr OpFacts kHandsOn = op_fact(4);      // output 0 has the value of input 0
constexpr OpFacts kReshapes = op_fact(5);     // input 0's elements in order, in another shape
constexpr OpFacts kRearranges = op_fact(6);   // input 0's elements in another order
constexpr OpFacts kPicks = op_fact(7);        // some elements of input 0, or those several times
constexpr OpFacts kJoins = op_fact(8);        // the elements of all inputs
constexpr OpFacts kConverts = op_fact(9);     // input 0's elements in another type, or rounded
constexpr OpFacts kTakesRange = op_fact(10);  // inputs 1 and 2 are the ends of a range of numbers
constexpr OpFacts kElementwise = op_fact(11);
constexpr OpFacts kArithmetic = op_fact(12);  // of two tensors; one may be a bias or a scale
constexpr OpFacts kTests = op_fact(13);       // gives truth values
constexpr OpFacts kAsksShape = op_fact(14);   // takes the shape of its input alone, gives sizes
constexpr OpFacts kFills = op_fact(15);       // takes the shape of its input alone, and fills it
constexpr OpFacts kLayer = op_fact(16);       // computes with weights in nearly every network
constexpr OpFacts kBatchNorm = op_fact(17);   // FusedBatchNorm and its versions
constexpr OpFacts kRandom = op_fact(18);
constexpr OpFacts kUpdates = op_fact(19);  // changes a variable
constexpr OpFacts kStep = op_fact(20);     // an update that is an optimizer's step
constexpr OpFacts kSaves = op_fact(21);    // saves or restores variables, or is for that
constexpr OpFacts kEffect = op_fact(22);   // runs for what it does; without updates and savers
constexpr OpFacts kSummary = op_fact(23);
constexpr OpFacts kNoValue = op_fact(24);  // has no outputs, or gives a handle of a queue, a table
constexpr OpFacts kEnqueues = op_fact(25);
constexpr OpFacts kReadsPipeline = op_fact(26);
constexpr OpFacts kDecodes = op_fact(27);   // makes tensors of stored bytes
constexpr OpFacts kBranches = op_fact(28);  // Switch and Merge, of references too
constexpr OpFacts kEnter = op_fact(29);
constexpr OpFacts kExit = op_fact(30);
constexpr OpFacts kNext = op_fact(31);    // NextIteration
constexpr OpFacts kPython = op_fact(36);  // calls a function of the Python process that made it
// Judgements, by which the likely outputs are found (analysis/inference_subgraph.h).
constexpr OpFacts kJudges = op_fact(32);     // combines a label with a prediction, or follows such
constexpr OpFacts kLossOp = op_fact(33);     // between a prediction and a loss
constexpr OpFacts kStatistic = op_fact(34);  // between a tensor and its summary
constexpr OpFacts kMinor = op_fact(35);      // prepares a tensor for another op

// A row of the table. `op`: a name, or "Apply*", "*Dataset" (with any version: DatasetV2),
// "*Conv2D*". Source: the ops' definitions and kernels in TensorFlow.
struct OpRow {
  std::string_view op;
  OpFacts facts;
};
std::span<const OpRow> named_op_rows();  // by name
std::span<const OpRow> op_pattern_rows();

// Returns true if an op has the name, or one that fits the pattern of a row.
bool fits_op_pattern(std::string_view op, std::string_view pattern);

// Returns the facts of an op, as bits: of its row and of all patterns that fit.
OpFacts facts_of(std::string_view op);

// Returns true if any of these facts is one of the op's.
bool has_fact(std::string_view op, OpFacts facts);

}  // namespace cryo
