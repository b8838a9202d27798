#include <algorithm>
#include <array>

#include "base/codes/codes.h"

namespace cryo {
namespace {

struct Row {
  std::string_view code;
  std::string_view explanation;
};

// Codes of opening, passes and writing, sorted. What to do stands in each finding itself.
constexpr auto kRows = std::to_array<Row>({
    {"always-assigned",
     "A variable is assigned in each run before anything reads it, so it became what it is "
     "assigned, and what the checkpoint has of it is not needed."},
    {"ambiguous-scope", "The names of two models agree below one scope as well as below another."},
    {"asset-folded",
     "A table that was filled from a file of the SavedModel's assets folder is filled from "
     "constants of the graph now."},
    {"asset-needed",
     "The graph reads a file of the SavedModel's assets folder when it runs, and a graph alone "
     "does not carry it."},
    {"assigned-by-init-op",
     "No saver restores this variable and no checkpoint has it. The SavedModel's init op assigns "
     "it "
     "when it is loaded, so freezing made it the value that is assigned."},
    {"bad-asset",
     "A file of the SavedModel's assets folder is missing, or does not hold what the table wants "
     "that is filled from it."},
    {"bad-block",
     "A block of a checkpoint's table is not laid out as blocks are; the file is damaged."},
    {"bad-block-handle",
     "The end of a checkpoint's table says that its index lies where no block can be; the file is "
     "damaged."},
    {"bad-checkpoint-entry",
     "An entry of a checkpoint's index is no message that says where a tensor lies."},
    {"bad-checkpoint-header",
     "The first entry of a checkpoint's index, which tells how many data files there are and in "
     "which byte order, cannot be read."},
    {"bad-checkpoint-state",
     "The text of a `checkpoint` file, which names the latest checkpoint of its folder, cannot be "
     "read."},
    {"bad-content",
     "The lengths that stand before a tensor of strings do not fit the bytes behind them."},
    {"bad-deflate",
     "A compressed member of an archive cannot be unpacked: its bytes are damaged, or end early."},
    {"bad-dtype",
     "A tensor names a type that does not exist, or a reference type, which has no values."},
    {"bad-entry-dtype",
     "A checkpoint's index names a type that no tensor of a checkpoint can have."},
    {"bad-entry-place",
     "A checkpoint's index says that a tensor lies at a place or in a data file that cannot be."},
    {"bad-entry-shape", "A checkpoint's index gives a tensor a shape that is none."},
    {"bad-entry-size",
     "The bytes of a tensor in a checkpoint are not its elements times the size of one."},
    {"bad-gzip", "The file begins as gzip does, and what follows is not gzip or ends early."},
    {"bad-json",
     "The JSON is cut or misspelt, says a thing twice, or has values of another kind than the "
     "model's messages."},
    {"bad-key",
     "A checkpoint cannot hold a tensor of this name: keys are not empty, begin with no zero byte, "
     "and in the first version are UTF-8."},
    {"bad-member-name",
     "A member of the archive would be unpacked outside of the folder it is unpacked in, which a "
     "harmless archive never asks for."},
    {"bad-npy", "The header of a NumPy array is none, or does not fit the bytes behind it."},
    {"bad-object-graph",
     "The object graph of a checkpoint, which says which Python object had which variable, cannot "
     "be read."},
    {"bad-option", "An option of the command has a value that it cannot have."},
    {"bad-parts", "The parts of an interrupted save do not belong to one checkpoint."},
    {"bad-safetensors",
     "The header of a safetensors file is none, or the tensors that it names do not fill the "
     "file."},
    {"bad-slice",
     "The restore op asks for a part of a variable that the tensor of the checkpoint does not "
     "have."},
    {"bad-slices",
     "The parts of a partitioned variable overlap, leave a gap, or are of other shapes than the "
     "whole."},
    {"bad-tar", "A header of a tar archive is none: the file is damaged, or ends early."},
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
    {"big-endian-variant",
     "A tensor of variants that a big-endian machine has saved has no layout that others can "
     "read."},
    {"broken-graph",
     "Cryograph made a graph that TensorFlow would refuse of one that it would take. That is a "
     "fault "
     "of Cryograph's own; builds for developers look for it."},
    {"cast-unused", "A rule of --cast names a type that none of the weights has."},
    {"changed-file",
     "A file has changed since it was opened, so what was learnt of it does not hold any more."},
    {"checkpoint-chosen",
     "The graph does not say which checkpoint is its own; the only one beside it was taken."},
    {"checkpoint-mismatch",
     "The checkpoint has a tensor of the variable's name, of another type or shape: it was saved "
     "with another graph."},
    {"checkpoint-version",
     "The checkpoint says that TensorFlow of today is too old, or too new, to read it."},
    {"checksum", "Bytes are not those that were written: their checksum is another."},
    {"chunked-graph",
     "TensorFlow's proto splitter has written the graph in chunks (.cpb), of which only the "
     "weights beside it are read."},
    {"collection-dropped",
     "Entries of the MetaGraphDef's collections name nodes that are not in the smaller graph, and "
     "were removed."},
    {"decided-away",
     "With the values given to placeholders, what was asked for lies in a branch that is never "
     "taken."},
    {"dequantized",
     "A TensorFlow.js model kept its weights as small integers; what is written are the numbers "
     "they stand for."},
    {"duplicate-key", "Two tensors would have one name in the checkpoint."},
    {"duplicate-name", "Two weights would have one name in the output, after --rename often."},
    {"encrypted-member", "A member of the ZIP archive is encrypted, and so cannot be read."},
    {"first-value-kept",
     "No checkpoint has this variable, so it became the value that it is given when the model is "
     "loaded."},
    {"glob-unused", "A pattern that chooses weights or variables matches none."},
    {"has-graph", "The model has a graph, and the output's form has place for weights alone."},
    {"inexact-cast", "Numbers would change in a cast from or to whole numbers."},
    {"initial-values",
     "Variables that got no weight take the constant that the graph's own initializer assigns."},
    {"input-not-needed", "An input of the signature is not needed for the outputs that were kept."},
    {"input-unused", "An input was named that none of the outputs is computed from."},
    {"keys-out-of-order",
     "The keys of a checkpoint's table do not rise, as they do in every table that TensorFlow "
     "writes."},
    {"layers-model",
     "The model.json holds a Keras model for TensorFlow.js: layers, and no graph of TensorFlow's "
     "ops."},
    {"loop-not-differentiable",
     "TensorFlow's Python needs a context of each loop to compute gradients through it, which "
     "lists "
     "what is in the loop. It was made from the graph's frames for loops of the form that "
     "tf.while_loop makes; this one has another."},
    {"maybe-weights",
     "Constants of the model (anchors, an image's mean, a quantization range) are used as these "
     "are, so un-freezing leaves them; --constants auto,NAME takes them as well."},
    {"merge-index",
     "A node asks which of several branches was taken, and with the values given some of them are "
     "gone, so that the numbers would mean others."},
    {"meta-unreadable",
     "What stands beside the graph in a MetaGraphDef is not whole, so TensorFlow refuses the file, "
     "though the graph itself can be read."},
    {"missing-key",
     "The checkpoint has no tensor of the name that the graph restores the variable from."},
    {"missing-shard", "The checkpoint's index names more data files than are there."},
    {"missing-weight",
     "A TensorFlow.js model's graph has a constant whose value is in none of its weight files."},
    {"no-checkpoint",
     "The values of variables are asked for, and the graph was given without its checkpoint."},
    {"no-graph",
     "What was given holds weights alone, and the operation needs the graph that they belong to."},
    {"no-index",
     "A checkpoint's data file was given without its index, and alone says nothing of what lies "
     "where."},
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
    {"no-such-tags", "The SavedModel has no MetaGraphDef with exactly those tags."},
    {"no-target-variables", "The graph that weights are to be put into has no variables."},
    {"no-variables",
     "The outputs need no variable, so freezing changes nothing but what is pruned."},
    {"no-weights", "There is nothing that could become, or be taken as, a weight."},
    {"not-a-model",
     "The file is no model, or of a program other than TensorFlow; what it is stands in the "
     "message."},
    {"not-a-placeholder", "Only a placeholder can be given a fixed value."},
    {"not-a-scalar", "A placeholder of several values was given a single one."},
    {"not-a-table",
     "The file does not end as the tables of checkpoints do: it is another, or cut."},
    {"not-all-matched", "With --strict every variable has to find a weight, or to be excluded."},
    {"not-found", "There is no such file or folder, and no checkpoint whose files begin so."},
    {"not-frozen", "TensorFlow.js graph models have no variables, and this model still has some."},
    {"not-in-graph", "The graph has no node of the name that was given."},
    {"not-restored",
     "The graph's own saver leaves these variables out, so restoring by it does not set them."},
    {"nothing-matched",
     "No weight of the one model belongs, by its name, to a variable of the other."},
    {"npm-command",
     "This verb runs in Node or in a page alone: there JavaScript brings what it needs, "
     "TensorFlow.js "
     "or a server."},
    {"only-weights",
     "One of the two models is weights without a graph, so there is no structure to compare."},
    {"op-assumed",
     "A node's op is not known, so how many tensors each of its outputs has was guessed."},
    {"other-models", "There are further models beside the one that was opened."},
    {"out-of-memory", "There is no memory left for what the operation needs."},
    {"output-changed",
     "Another program wrote the output while this one was at work. Its file was kept."},
    {"output-chosen",
     "No output was named, and this one was taken: a signature names it, or it is a likely one."},
    {"output-exists",
     "A file of the output's name is there, and is not overwritten unless that is asked for."},
    {"output-guessed",
     "No output was named, and the likely ones were taken. They may not be the ones that are "
     "meant."},
    {"outside-data",
     "The checkpoint's index says that a tensor lies where the data file has already ended."},
    {"pipeline-stays",
     "The result reads its data with a dequeue or an iterator, so it has no input to feed, and "
     "waits "
     "or fails where the pipeline is not there."},
    {"port-too-high", "An input takes an output of a function call that the call does not have."},
    {"raw-numbers",
     "The output's form has no name for the type of some weights, so they are written as integers "
     "of the same bits."},
    {"read-failed",
     "The file could not be read: the disk, the network or the rights to it say no."},
    {"recursive-function",
     "A function calls itself, and would have to be put into itself without end."},
    {"rename-unused", "A rule of --rename matches no weight's name; it may be misspelt."},
    {"renamed",
     "An input or output of a signature got a node of its own, by the name that the signature "
     "gives it."},
    {"restored-then-assigned",
     "TensorFlow's loader restores this variable from the checkpoint and then runs the "
     "SavedModel's "
     "init op, which assigns another value to it. Freezing takes the checkpoint's value; "
     "--like-tensorflow takes what the init op assigns, where that is a constant."},
    {"several-checkpoints",
     "Several checkpoints lie beside the graph, and none was taken as its own."},
    {"several-models", "There are several models in what was given, and one has to be chosen."},
    {"several-signatures", "The model has several signatures, and one has to be chosen."},
    {"several-tag-sets",
     "The SavedModel has several MetaGraphDefs, told apart by their tags, and one has to be "
     "chosen."},
    {"several-weights", "A file that holds one array was asked for, and there are more."},
    {"shared-bytes",
     "Two tensors of the checkpoint lie at one place; TensorFlow never writes that."},
    {"signature-dropped",
     "A signature named nodes that are not in the smaller graph, and was left out."},
    {"signatures-left-out", "The output's form holds one signature, and the model has more."},
    {"source-changed",
     "An input was written to while it was read: what was read may be a mixture. Nothing was "
     "written."},
    {"stale-data",
     "Data files of an earlier save lie beside the checkpoint; they are not part of it."},
    {"stored-narrower",
     "TensorFlow.js has fewer types; every value of these constants fits the smaller one."},
    {"tables-kept",
     "A lookup table is filled by a node that has to run once before the outputs do, as in the "
     "model itself."},
    {"tensorflow-fails",
     "TensorFlow's own tool fails on this graph, so there is nothing that --like-tensorflow could "
     "be "
     "like."},
    {"too-large",
     "A message of protobuf holds at most 2 GiB, and a program only so much: this would be more."},
    {"too-many-files",
     "A folder has more files than are looked at, and the model may be among the others."},
    {"truncated", "The file ends before what its own lengths announce."},
    {"unknown-code", "What was asked for with --explain is the code of no diagnostic."},
    {"unknown-field",
     "A field of the text is none of the message's; TensorFlow of another version may know it."},
    {"unknown-fields",
     "Fields that TensorFlow's messages do not have cannot be written in this form, and are left "
     "out."},
    {"unknown-form",
     "The output's name does not say which form it is to have, or --as names none that there is."},
    {"unknown-function", "A node calls a function that the graph's library does not have."},
    {"unknown-input", "A node takes its input from a node that the graph does not have."},
    {"unknown-json",
     "Members of the JSON that TensorFlow's messages do not have are not looked at."},
    {"unknown-type",
     "The type of a tensor cannot be told, because the op that makes it is not known."},
    {"unmatched-variables",
     "Some variables of the graph find no tensor of their name and shape in the checkpoint."},
    {"unmerged-checkpoint",
     "A sharded save was interrupted before its parts became one checkpoint; the parts that are "
     "there were read together."},
    {"unsupported-compression",
     "A member of the archive is compressed in a way other than deflate."},
    {"unsupported-dtype", "The output's form has no place for tensors of this type."},
    {"unsupported-order",
     "An array in Fortran's order has rows too long to be turned round in bounded memory."},
    {"unused-weights",
     "Some tensors of the checkpoint belong to no variable of the graph: an optimizer's, often."},
    {"update-dropped",
     "What changes a variable was left out, as no output's value shows that variable: a counter of "
     "calls, or the state of a random generator that the inference does not draw from."},
    {"usage", "The command line has an option or a word too many, or lacks one."},
    {"values-renamed",
     "Variables took their values from other names of the checkpoint than their own, by --rename."},
    {"variable-in-use",
     "A variable that an output needs is also assigned on the way, or used in a way that a "
     "constant cannot be."},
    {"variables-without-value",
     "Some variables got no value and had none, so no checkpoint of all can be written."},
    {"weights-cast", "Weights were converted to another type, and by how much numbers changed."},
    {"weights-cut-short",
     "The weight files of a TensorFlow.js model together are shorter than its list of weights "
     "says."},
    {"weights-left-out",
     "The output's form has no place for some of the model's values, which are left out."},
    {"write-failed",
     "The output could not be written: the folder is missing, the disk is full, or the rights say "
     "no."},
    {"wrong-shape", "The value that a placeholder was given is not of its shape."},
});

}  // namespace

std::string_view explanation_of(std::string_view code) {
  if (const CodeInfo* info = find_code(code)) return info->explanation;
  const auto found =
      std::lower_bound(kRows.begin(), kRows.end(), code,
                       [](const Row& row, std::string_view wanted) { return row.code < wanted; });
  return found != kRows.end() && found->code == code ? found->explanation : std::string_view();
}

std::vector<std::string_view> all_codes() {
  std::vector<std::string_view> codes;
  for (const CodeInfo& info : code_table()) codes.push_back(info.code);
  for (const Row& row : kRows) codes.push_back(row.code);
  return codes;
}

}  // namespace cryo
