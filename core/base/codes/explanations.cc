#include <array>

#include "base/codes/codes.h"

namespace cryo {
namespace {

// Codes of opening, passes and writing, sorted. The fix is part of each finding.
constexpr auto kRows = std::to_array<Explanation>({
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
    {"bad-block",
     "A block of a checkpoint's table is not laid out as blocks are; the file is damaged."},
    {"bad-block-handle",
     "The end of a checkpoint's table places its index at an offset where no block can be; the "
     "file is damaged."},
    {"bad-checkpoint-entry",
     "An entry of a checkpoint's index is not a valid message with the location of a tensor."},
    {"bad-checkpoint-header",
     "The first entry of a checkpoint's index, which gives the number of data files and their "
     "byte order, cannot be read."},
    {"bad-checkpoint-state",
     "The text of a `checkpoint` file, which names the latest checkpoint of its folder, cannot be "
     "read."},
    {"bad-content",
     "The lengths that precede the bytes of a string tensor do not fit those bytes."},
    {"bad-deflate",
     "A compressed member of an archive cannot be unpacked: its bytes are damaged, or end early."},
    {"bad-dtype",
     "A tensor names a type that does not exist, or a reference type, which has no values."},
    {"bad-entry-dtype",
     "A checkpoint's index names a type that no tensor of a checkpoint can have."},
    {"bad-entry-place",
     "A checkpoint's index places a tensor at an impossible offset or in a data file that cannot "
     "exist."},
    {"bad-entry-shape", "A checkpoint's index gives a tensor an invalid shape."},
    {"bad-entry-size",
     "The number of bytes of a tensor in a checkpoint is not its number of elements times the "
     "element size."},
    {"bad-gzip", "The file begins as gzip does, and what follows is not gzip or ends early."},
    {"bad-json",
     "The JSON is truncated or malformed, has a key twice, or has values of another type than the "
     "model's messages."},
    {"bad-key",
     "A checkpoint cannot hold a tensor of this name: keys are not empty, begin with no zero byte, "
     "and in the first version are UTF-8."},
    {"bad-member-name",
     "A member of the archive would be unpacked outside of the target folder. A harmless archive "
     "has no such member."},
    {"bad-npy", "The header of a NumPy array is invalid, or does not fit the bytes after it."},
    {"bad-object-graph",
     "The object graph of a checkpoint, which says which Python object had which variable, cannot "
     "be read."},
    {"bad-option", "An option of the command has a value that it cannot have."},
    {"bad-parts", "The parts of an interrupted save do not belong to one checkpoint."},
    {"bad-safetensors",
     "The header of a safetensors file is invalid, or the tensors that it names do not fill the "
     "file."},
    {"bad-slice",
     "The restore op requests a part of a variable that the tensor of the checkpoint does not "
     "have."},
    {"bad-slices",
     "The parts of a partitioned variable overlap, leave a gap, or are of other shapes than the "
     "whole."},
    {"bad-tar", "A header of a tar archive is invalid: the file is damaged, or ends early."},
    {"bad-tensor", "The value of a constant does not fit its own type and shape."},
    {"bad-text", "The text is not what protobuf's text format allows at this place."},
    {"bad-v1-checkpoint",
     "A record of a checkpoint of the first version is not laid out as TensorFlow lays it out."},
    {"bad-weight-type",
     "A weight of a TensorFlow.js model is of another type than the node that takes it."},
    {"bad-weights-manifest",
     "The list of weights in a TensorFlow.js model is incomplete, or does not fit its files."},
    {"bad-zip",
     "The directory of a ZIP archive is damaged, or does not fit the members that it names."},
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
    {"big-endian-variant",
     "A tensor of variants that a big-endian machine has saved has no layout that others can "
     "read."},
    {"broken-graph",
     "A verb made a graph that TensorFlow refuses, of one that it accepts. Nothing is written."},
    {"cast-unused", "A rule of casts names a type that none of the weights has."},
    {"changed-file",
     "A file has changed since it was opened, so the information read from it is no longer valid."},
    {"checkpoint-chosen",
     "The graph does not name its checkpoint; the only one in its folder was taken."},
    {"checkpoint-mismatch",
     "The checkpoint has a tensor of the variable's name, of another type or shape: it was saved "
     "with another graph."},
    {"checkpoint-version",
     "The checkpoint requires an older or newer TensorFlow than the current one."},
    {"checksum",
     "The bytes differ from the ones that were written: their checksum does not match."},
    {"chunked-graph",
     "TensorFlow's proto splitter has written the graph in chunks (.cpb). Only the weights next "
     "to it are read."},
    {"collection-dropped",
     "Entries of the MetaGraphDef's collections name nodes that are not in the smaller graph, and "
     "were removed."},
    {"connect-both-ways", "A connection fits in two directions; the note says which was taken."},
    {"connect-mismatch", "The ends of a connection differ in type, or in a size of their shapes."},
    {"constants-folded",
     "Tensors that follow from constants and known shapes alone were computed. Only ops that give "
     "the same bits everywhere are, so that no number changes."},
    {"cut-record", "The event file ends within a record, or the length of a record is damaged."},
    {"dequantized",
     "A TensorFlow.js model stored its weights as small integers; the output has the numbers that "
     "they represent."},
    {"dropout-removed",
     "A mask of random numbers was removed, and its input takes its place. With a rate of 0 "
     "the numbers are the same."},
    {"duplicate-key", "Two tensors would have one name in the checkpoint."},
    {"duplicate-name",
     "Two weights would have one name in the output, often after they are renamed."},
    {"duplicates-merged",
     "Nodes that compute the same became one. Equal constants are one, too: two variables of equal "
     "values that were frozen can then not be distinguished."},
    {"edit-refused",
     "TensorFlow would not import the graph with its new names, types or shapes, and it would "
     "import the graph as it was."},
    {"encrypted-member", "A member of the ZIP archive is encrypted, and so cannot be read."},
    {"first-value-kept",
     "No checkpoint has this variable, so it became the value that it is given when the model is "
     "loaded."},
    {"function-captures", "Nothing says which tensor of the graph an argument of the function is."},
    {"glob-unused", "A pattern that chooses weights or variables matches none."},
    {"has-graph", "The model has a graph, and the output's format holds only weights."},
    {"incomplete-nodes", "Nodes need other nodes or functions that the file does not have."},
    {"inexact-cast", "Numbers would change in a cast from or to whole numbers."},
    {"initial-values",
     "Variables that got no weight take the constant that the graph's own initializer assigns."},
    {"input-not-needed", "An input of the signature is not needed for the outputs that were kept."},
    {"input-stays",
     "The graph was cut at one output of a node, or at the reads of a variable, and needs the node "
     "for another."},
    {"input-unused", "An input was named that none of the outputs is computed from."},
    {"keys-out-of-order",
     "The keys of a checkpoint's table do not rise, as they do in every table that TensorFlow "
     "writes."},
    {"layers-model",
     "The model.json holds a Keras model for TensorFlow.js: layers, and no graph of TensorFlow's "
     "ops."},
    {"loop-not-differentiable",
     "To compute gradients through a loop, TensorFlow's Python needs a context that lists the "
     "nodes in the loop. Contexts are made for loops of the structure that tf.while_loop makes; "
     "this loop has another one."},
    {"maybe-weights",
     "Constants of the model (anchors, an image's mean, a quantization range) are used as these "
     "are, so un-freezing leaves them. Constants that are named next to auto are taken as well."},
    {"merge-index",
     "A node reads which of several branches was taken. With the given values some branches are "
     "removed, so the numbers would mean other branches."},
    {"meta-unreadable",
     "Part of a MetaGraphDef outside of its graph is damaged, so TensorFlow refuses the file. The "
     "graph itself can be read."},
    {"missing-key",
     "The checkpoint has no tensor of the name that the graph restores the variable from."},
    {"missing-shard", "The checkpoint's index names more data files than are there."},
    {"missing-weight",
     "A TensorFlow.js model's graph has a constant whose value is in none of its weight files."},
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
    {"no-checkpoint",
     "The values of variables were requested, and the graph was given without its checkpoint."},
    {"no-graph",
     "The input holds only weights, and the operation needs the graph that they belong to."},
    {"no-index",
     "A checkpoint's data file was given without its index, which gives the name, type, shape and "
     "offset of each tensor."},
    {"no-initial-value",
     "The graph's initializer of a variable is missing or not a constant: random, often."},
    {"no-key-for-variable",
     "The model has no saver, and its object graph does not lead to this variable, so its value "
     "cannot be found."},
    {"no-meta-graph", "The message is a SavedModel in which there is no model."},
    {"no-model", "The archive or folder has no file in it that is a model."},
    {"no-outputs", "No output was named, and the graph has no node that could be one."},
    {"no-pipeline",
     "No op that the outputs need reads an input pipeline, so `auto` names no input."},
    {"no-signature", "The model has no signature of that name, or none at all."},
    {"no-such-function", "Neither the SavedModel's objects nor its library has the function."},
    {"no-such-tags", "The SavedModel has no MetaGraphDef with exactly those tags."},
    {"no-target-variables", "The graph that weights are to be put into has no variables."},
    {"no-variables",
     "The outputs need no variable, so freezing changes nothing but what is pruned."},
    {"no-weights", "There is nothing that could become, or be taken as, a weight."},
    {"not-a-constant", "Only a constant has a value that can be replaced."},
    {"not-a-model",
     "The file is not a model, or belongs to a program other than TensorFlow; the message names "
     "its format."},
    {"not-a-placeholder", "Only placeholders, variables and constants can have a fixed value."},
    {"not-a-scalar", "A placeholder of several values was given a single one."},
    {"not-a-table",
     "The file does not end as the tables of checkpoints do: it is another, or cut."},
    {"not-all-matched",
     "A strict transfer requires that every variable finds a weight or is excluded."},
    {"not-found", "There is no such file or folder, and no checkpoint whose files begin so."},
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
    {"other-models", "There are further models next to the one that was opened."},
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
    {"outside-data", "The checkpoint's index places a tensor after the end of the data file."},
    {"parts-lost", "Parts of a damaged graph, archive or index that are not whole were not read."},
    {"pipeline-cut", "Tensors that an input pipeline gives became placeholders, to be fed."},
    {"pipeline-stays",
     "The result reads its data with a dequeue or an iterator, so it has no input to feed, and "
     "waits or fails where the pipeline is not there."},
    {"port-too-high", "An input takes an output of a function call that the call does not have."},
    {"random-numbers",
     "The outputs depend on an op that draws random numbers: two runs on one input differ."},
    {"raw-numbers",
     "The output's format has no name for the type of some weights, so they are written as "
     "integers with the same bits."},
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
    {"several-checkpoints",
     "There are several checkpoints in the graph's folder, and none was taken as its own."},
    {"several-functions", "The function has several signatures, and one has to be named."},
    {"several-graphs", "The event file has recorded several graphs; the last is opened."},
    {"several-models", "There are several models in what was given, and one has to be chosen."},
    {"several-signatures", "The model has several signatures, and one has to be chosen."},
    {"several-tag-sets",
     "The SavedModel has several MetaGraphDefs, each identified by its tags, and one has to be "
     "chosen."},
    {"several-weights", "The output's format holds one array, and there are more."},
    {"shared-bytes",
     "Two tensors of the checkpoint share one location; TensorFlow never writes such a file."},
    {"signature-dropped",
     "A signature named nodes that are not in the smaller graph, and was removed."},
    {"signature-exists", "The model has a signature of the key that a new one would have."},
    {"signatures-left-out", "The output's format holds one signature, and the model has more."},
    {"signatures-not-joined", "A joined model has no signatures of the second model."},
    {"source-changed",
     "An input was written to while it was read: what was read may be a mixture. Nothing was "
     "written."},
    {"stale-data",
     "Data files of an earlier save are next to the checkpoint; they are not part of it."},
    {"stored-narrower",
     "TensorFlow.js has fewer types; every value of these constants fits the smaller one."},
    {"stored-ranges", "Ranges of fake quantization are those of the variables, not updated ones."},
    {"tables-kept",
     "A lookup table is filled by a node that has to run once before the outputs do, as in the "
     "model itself."},
    {"tensorflow-fails",
     "TensorFlow's own tool fails on this graph, so there is no result of it to reproduce."},
    {"too-large",
     "A message of protobuf holds at most 2 GiB, and a program only so much: this would be more."},
    {"too-many-files",
     "A folder has more files than are looked at, and the model may be among the others."},
    {"training-loop", "The network is in a loop over steps of training: the first is taken."},
    {"training-switch",
     "A placeholder that chooses between training and inference was set, by what it "
     "controls: only training draws random numbers, updates moving averages, or normalizes "
     "by the statistics of a batch."},
    {"training-switch-unclear",
     "Both sides of a condition draw random numbers or update averages, so it is not known "
     "which of them is inference."},
    {"truncated", "The file is shorter than the lengths in it require."},
    {"unknown-code", "The requested code is not that of a diagnostic."},
    {"unknown-field",
     "The text has a field that the message does not have; another version of TensorFlow may know "
     "it."},
    {"unknown-fields",
     "Fields that TensorFlow's messages do not have cannot be written in this format, and are "
     "omitted."},
    {"unknown-format",
     "The output's name does not determine its format, or the format that is named is unknown."},
    {"unknown-function", "A node calls a function that the graph's library does not have."},
    {"unknown-input", "A node takes its input from a node that the graph does not have."},
    {"unknown-json", "Members of the JSON that TensorFlow's messages do not have are ignored."},
    {"unknown-type",
     "The type of a tensor cannot be determined, because the op that makes it is not known."},
    {"unmatched-variables",
     "For some variables of the graph the checkpoint has no tensor of their name and shape."},
    {"unmerged-checkpoint",
     "A sharded save was interrupted before its parts became one checkpoint; the parts that are "
     "there were read together."},
    {"unsupported-compression",
     "A member of the archive is compressed in a way other than deflate."},
    {"unsupported-dtype", "The output's format cannot hold tensors of this type."},
    {"unsupported-order",
     "An array in Fortran's order has rows too long to be turned round in bounded memory."},
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
    {"weights-cut-short",
     "The weight files of a TensorFlow.js model are shorter than its list of weights says."},
    {"weights-largest",
     "Whole numbers differ between models that were averaged; the largest was taken."},
    {"weights-left-out",
     "The output's format cannot hold some of the model's values, which are omitted."},
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

std::span<const Explanation> explanation_table() { return kRows; }

}  // namespace cryo
