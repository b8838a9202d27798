#include <array>

#include "base/codes/codes.h"

namespace cryo {
namespace {

// Codes of verbs, sorted. The fix is part of each finding.
constexpr auto kVerbCodes = std::to_array<Explanation>({
    {"always-assigned",
     "Every run assigns a variable before anything reads it. The variable was replaced by the "
     "assigned value, and its value in the checkpoint is not needed."},
    {"ambiguous-scope", "The names of two models agree below one scope as well as below another."},
    {"asset-folded",
     "A table that was filled from an assets file is filled from constants of the graph now."},
    {"asset-needed",
     "The graph reads a file of the SavedModel's assets folder when it runs, and a graph alone "
     "does not carry it."},
    {"assigned-by-init-op",
     "No saver restores this variable and no checkpoint has it. The SavedModel's init op assigns "
     "it when the model is loaded, so freezing replaced it by the assigned value."},
    {"average-mismatch", "The models differ in names, types or shapes of weights."},
    {"bad-asset",
     "A file of the SavedModel's assets folder is missing, or its contents do not suit the table "
     "that is filled from it."},
    {"bad-content",
     "The lengths that precede the bytes of a string tensor do not fit those bytes."},
    {"bad-option", "An option of the command has a value that it cannot have."},
    {"batch-in-constant",
     "A node holds the number that was the batch's, and was not changed: its op takes no other "
     "size, "
     "the shape before it is not known, or nothing in the graph shows that the number is the "
     "batch's. Check that node."},
    {"batch-norm-folded",
     "Batch normalizations became part of the weights of the layers before them. Results differ "
     "from the original's by the rounding of float arithmetic."},
    {"batch-statistics",
     "Outputs are normalized by the mean and variance of the batch that is fed, and the "
     "graph keeps no moving averages that could take their place. The result for one example "
     "depends on the others."},
    {"broken-graph",
     "A verb made a graph that TensorFlow refuses, of one that it accepts. Nothing is written."},
    {"cast-unused", "A rule of casts names a type that none of the weights has."},
    {"checksum",
     "The bytes differ from the ones that were written: their checksum does not match."},
    {"collection-dropped",
     "Entries of the MetaGraphDef's collections name nodes that are not in the smaller graph, and "
     "were removed."},
    {"connect-both-ways", "A connection fits in two directions; the note says which was taken."},
    {"connect-mismatch", "The ends of a connection differ in type, or in a size of their shapes."},
    {"constants-folded",
     "Tensors that follow from constants and known shapes alone were computed. Only ops that give "
     "the same bits everywhere are, so that no number changes."},
    {"dropout-removed",
     "A mask of random numbers was removed, and its input takes its place. With a rate of 0 "
     "the numbers are the same."},
    {"duplicate-name",
     "Two weights would have one name in the output, often after they are renamed."},
    {"duplicates-merged",
     "Nodes that compute the same became one. Equal constants are one, too: two variables of equal "
     "values that were frozen can then not be distinguished."},
    {"edit-refused",
     "TensorFlow would not import the graph with its new names, types or shapes, and it would "
     "import the graph as it was."},
    {"first-value-kept",
     "No checkpoint has this variable, so it became the value that it is given when the model is "
     "loaded."},
    {"function-captures", "Nothing says which tensor of the graph an argument of the function is."},
    {"glob-unused", "A pattern that chooses weights or variables matches none."},
    {"incomplete-nodes", "Nodes need other nodes or functions that the file does not have."},
    {"inexact-cast", "Numbers would change in a cast from or to whole numbers."},
    {"initial-values",
     "Variables that got no weight take the constant that the graph's own initializer assigns."},
    {"input-not-needed", "An input of the signature is not needed for the outputs that were kept."},
    {"input-stays",
     "The graph was cut at one output of a node, or at the reads of a variable, and needs the node "
     "for another."},
    {"input-unused", "An input was named that none of the outputs is computed from."},
    {"maybe-weights",
     "Constants of the model (anchors, an image's mean, a quantization range) are used as these "
     "are, so un-freezing leaves them. Constants that are named next to auto are taken as well."},
    {"merge-index",
     "A node reads which of several branches was taken. With the given values some branches are "
     "removed, so the numbers would mean other branches."},
    {"missing-key",
     "The checkpoint has no tensor of the name that the graph restores the variable from."},
    {"missing-shard", "The checkpoint's index names more data files than are there."},
    {"moving-averages",
     "Normalization used the statistics of the batch that is fed. It uses the moving "
     "averages that training kept, as inference does."},
    {"name-taken", "After renaming two nodes of the graph would have the same name."},
    {"no-average",
     "Some trainable variables have no moving average in the checkpoint. They keep their "
     "own values."},
    {"no-averages",
     "No weight of the checkpoint has a moving average next to it, so there is nothing to "
     "use in its place."},
    {"no-batch",
     "Inputs have no common first dimension that could be the batch, so it is not clear which "
     "sizes to change."},
    {"no-initial-value",
     "The graph's initializer of a variable is missing or not a constant: random, often."},
    {"no-outputs", "No output was named, and the graph has no node that could be one."},
    {"no-pipeline",
     "No op that the outputs need reads an input pipeline, so `auto` names no input."},
    {"no-signature", "The model has no signature of that name, or none at all."},
    {"no-such-function", "Neither the SavedModel's objects nor its library has the function."},
    {"no-target-variables", "The graph that weights are to be put into has no variables."},
    {"no-variables",
     "The outputs need no variable, so freezing changes nothing but what is pruned."},
    {"no-weights", "There is nothing that could become, or be taken as, a weight."},
    {"not-a-constant", "Only a constant has a value that can be replaced."},
    {"not-a-placeholder", "Only placeholders, variables and constants can have a fixed value."},
    {"not-a-scalar", "A placeholder of several values was given a single one."},
    {"not-all-matched",
     "A strict transfer requires that every variable finds a weight or is excluded."},
    {"not-frozen", "TensorFlow.js graph models have no variables, and this model still has some."},
    {"not-in-graph", "The graph has no node of the name that was given."},
    {"not-restored",
     "The graph's own saver excludes these variables, so restoring with it does not set them."},
    {"not-settable", "A function or an op takes the variable itself, and not its value."},
    {"nothing-lost", "All that was to be salvaged is whole, as far as it can be known."},
    {"nothing-matched",
     "No weight of the one model belongs, by its name, to a variable of the other."},
    {"npm-command",
     "This verb runs in Node or in a page alone, where JavaScript brings what it needs."},
    {"objects-dropped", "An edited SavedModel keeps its signatures, and no objects of Python."},
    {"only-weights",
     "One of the two models is weights without a graph, so there is no structure to compare."},
    {"op-assumed",
     "A node's op is not known, so how many tensors each of its outputs has was guessed."},
    {"out-of-memory", "There is not enough memory for the operation."},
    {"output-changed",
     "Another program wrote the output while this one was at work. Its file was kept."},
    {"output-chosen",
     "No output was named, and this one was taken: a signature names it, or it is a likely one."},
    {"output-exists", "A file with the output's name exists, and is overwritten only on request."},
    {"output-guessed",
     "No output was named, and the likely ones were taken. They may not be the ones that are "
     "meant."},
    {"output-removed",
     "With the values given to placeholders, the requested node is in a branch that is never "
     "taken."},
    {"pipeline-cut", "Tensors that an input pipeline gives became placeholders, to be fed."},
    {"pipeline-stays",
     "The result reads its data with a dequeue or an iterator, so it has no input to feed, and "
     "waits or fails where the pipeline is not there."},
    {"port-too-high", "An input takes an output of a function call that the call does not have."},
    {"quantized",
     "Integers of the file stand for real numbers, with which the model computes here."},
    {"random-numbers",
     "The outputs depend on an op that draws random numbers: two runs on one input differ."},
    {"read-failed",
     "The file could not be read: an error of the disk or network, or missing permissions."},
    {"recursive-function", "A function calls itself, so inlining it would never end."},
    {"redacted",
     "The result has zeros for weights and neutral words for names. Ops, edges, types, shapes, "
     "numbers in attributes and small tensors of whole numbers are as they were."},
    {"release-fitted",
     "Nodes got the ops and attributes of an earlier TensorFlow release, which compute the same."},
    {"release-refused",
     "The release of TensorFlow lacks an op, an attribute, a type or a kernel that the result "
     "needs, and no other form of the node that computes the same is known."},
    {"rename-unused", "A renaming rule matches no weight's name; it may be misspelt."},
    {"renamed",
     "An input or output of a signature got a node of its own, by the name that the signature "
     "gives it."},
    {"replica-taken", "The graph was made for the cores of a TPU, of which one is taken."},
    {"restored-then-assigned",
     "TensorFlow's loader restores this variable from the checkpoint and then runs the "
     "SavedModel's init op, which assigns another value to it. Freezing takes the checkpoint's "
     "value; TensorFlow's own tool takes what the init op assigns, where that is a constant."},
    {"several-functions", "The function has several signatures, and one has to be named."},
    {"several-signatures", "The model has several signatures, and one has to be chosen."},
    {"signature-dropped",
     "A signature named nodes that are not in the smaller graph, and was removed."},
    {"signature-exists", "The model has a signature of the key that a new one would have."},
    {"signatures-not-joined", "A joined model has no signatures of the second model."},
    {"source-changed",
     "An input was written to while it was read: what was read may be a mixture. Nothing was "
     "written."},
    {"stored-ranges", "Ranges of fake quantization are those of the variables, not updated ones."},
    {"tables-kept",
     "A lookup table is filled by a node that has to run once before the outputs do, as in the "
     "model itself."},
    {"tensorflow-fails",
     "TensorFlow's own tool fails on this graph, so there is no result of it to reproduce."},
    {"too-large",
     "A message of protobuf holds at most 2 GiB, and a program only so much: this would be more."},
    {"training-loop", "The network is in a loop over steps of training: the first is taken."},
    {"training-switch",
     "A placeholder that chooses between training and inference was set, by what it "
     "controls: only training draws random numbers, updates moving averages, or normalizes "
     "by the statistics of a batch."},
    {"training-switch-unclear",
     "Both sides of a condition draw random numbers or update averages, so it is not known "
     "which of them is inference."},
    {"unknown-code", "The requested code is not that of a diagnostic."},
    {"unknown-format",
     "The output's name does not determine its format, or the format that is named is unknown."},
    {"unknown-function", "A node calls a function that the graph's library does not have."},
    {"unknown-input", "A node takes its input from a node that the graph does not have."},
    {"unknown-type",
     "The type of a tensor cannot be determined, because the op that makes it is not known."},
    {"unsupported-dtype", "The output's format cannot hold tensors of this type."},
    {"unused-weights",
     "Some tensors of the checkpoint belong to no variable of the graph: an optimizer's, often."},
    {"update-dropped",
     "The update of a variable was removed, because no output depends on that variable: a counter "
     "of calls, or the state of a random generator that the inference does not use."},
    {"usage", "The command line has an unexpected option or word, or lacks one."},
    {"values-renamed",
     "Variables took their values from other names of the checkpoint than their own, by a renaming "
     "rule."},
    {"variable-in-use",
     "A variable that an output needs is also assigned on the way, or used in a way that a "
     "constant does not allow."},
    {"variables-without-value",
     "Some variables have no value, so a checkpoint of all variables cannot be written."},
    {"weight-in-several", "Models that are put together have a weight of one name."},
    {"weights-averaged",
     "The weights are the mean of several models, computed in float64 and rounded once."},
    {"weights-cast", "Weights were converted to another type, and by how much numbers changed."},
    {"weights-largest",
     "Whole numbers differ between models that were averaged; the largest was taken."},
    {"weights-lost",
     "Weights of a damaged model that are not whole were not written; the report lists them."},
    {"weights-merged", "The weights of several models were put together."},
    {"weights-quantized",
     "Large float32 weights are stored in 8 bits each, and a Dequantize gives the graph numbers of "
     "float32 again. Each weight has a range of its own, divided into 255 steps. Vectors and the "
     "weights of depthwise convolutions stay as they are: they are small, and would lose most."},
    {"write-failed",
     "The output could not be written: the folder is missing, the disk is full, or permissions "
     "are missing."},
    {"wrong-shape", "The value given to a placeholder does not have its shape."},
});

}  // namespace

std::span<const Explanation> verb_explanations() { return kVerbCodes; }

}  // namespace cryo
