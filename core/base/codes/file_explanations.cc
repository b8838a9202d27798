#include <array>

#include "base/codes/codes.h"

namespace cryo {
namespace {

// Codes of files that are opened, sorted. The fix is part of each finding.
constexpr auto kFileCodes = std::to_array<Explanation>({
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
    {"bad-flatbuffer",
     "A table, text or vector of the file is not inside of it: the file is damaged."},
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
    {"bad-tflite",
     "A TensorFlow Lite file names what it does not have, or a constant's bytes do not suit it."},
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
    {"changed-file",
     "A file has changed since it was opened, so the information read from it is no longer valid."},
    {"checkpoint-chosen",
     "The graph does not name its checkpoint; the only one in its folder was taken."},
    {"checkpoint-mismatch",
     "The checkpoint has a tensor of the variable's name, of another type or shape: it was saved "
     "with another graph."},
    {"checkpoint-version",
     "The checkpoint requires an older or newer TensorFlow than the current one."},
    {"chunked-graph",
     "TensorFlow's proto splitter has written the graph in chunks (.cpb). Only the weights next "
     "to it are read."},
    {"cut-record", "The event file ends within a record, or the length of a record is damaged."},
    {"dequantized",
     "A TensorFlow.js model stored its weights as small integers; the output has the numbers that "
     "they represent."},
    {"duplicate-key", "Two tensors would have one name in the checkpoint."},
    {"encrypted-member", "A member of the ZIP archive is encrypted, and so cannot be read."},
    {"has-graph", "The model has a graph, and the output's format holds only weights."},
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
    {"meta-unreadable",
     "Part of a MetaGraphDef outside of its graph is damaged, so TensorFlow refuses the file. The "
     "graph itself can be read."},
    {"missing-weight",
     "The graph has a constant whose value is in none of the files that are read."},
    {"no-checkpoint",
     "The values of variables were requested, and the graph was given without its checkpoint."},
    {"no-graph",
     "The input holds only weights, and the operation needs the graph that they belong to."},
    {"no-index",
     "A checkpoint's data file was given without its index, which gives the name, type, shape and "
     "offset of each tensor."},
    {"no-key-for-variable",
     "The model has no saver, and its object graph does not lead to this variable, so its value "
     "cannot be found."},
    {"no-meta-graph", "The message is a SavedModel in which there is no model."},
    {"no-model", "The archive or folder has no file in it that is a model."},
    {"no-such-tags", "The SavedModel has no MetaGraphDef with exactly those tags."},
    {"not-a-model",
     "The file is not a model, or belongs to a program other than TensorFlow; the message names "
     "its format."},
    {"not-a-table",
     "The file does not end as the tables of checkpoints do: it is another, or cut."},
    {"not-found", "There is no such file or folder, and no checkpoint whose files begin so."},
    {"other-models", "There are further models next to the one that was opened."},
    {"outside-data", "The checkpoint's index places a tensor after the end of the data file."},
    {"parts-lost", "Parts of a damaged graph, archive or index that are not whole were not read."},
    {"raw-numbers",
     "The output's format has no name for the type of some weights, so they are written as "
     "integers with the same bits."},
    {"several-checkpoints",
     "There are several checkpoints in the graph's folder, and none was taken as its own."},
    {"several-graphs", "The event file has recorded several graphs; the last is opened."},
    {"several-models", "There are several models in what was given, and one has to be chosen."},
    {"several-tag-sets",
     "The SavedModel has several MetaGraphDefs, each identified by its tags, and one has to be "
     "chosen."},
    {"several-weights", "The output's format holds one array, and there are more."},
    {"shared-bytes",
     "Two tensors of the checkpoint share one location; TensorFlow never writes such a file."},
    {"signatures-left-out", "The output's format holds one signature, and the model has more."},
    {"stale-data",
     "Data files of an earlier save are next to the checkpoint; they are not part of it."},
    {"stored-narrower",
     "TensorFlow.js has fewer types; every value of these constants fits the smaller one."},
    {"too-many-files",
     "A folder has more files than are looked at, and the model may be among the others."},
    {"truncated", "The file is shorter than the lengths in it require."},
    {"unknown-field",
     "The text has a field that the message does not have; another version of TensorFlow may know "
     "it."},
    {"unknown-fields",
     "Fields that TensorFlow's messages do not have cannot be written in this format, and are "
     "omitted."},
    {"unknown-json", "Members of the JSON that TensorFlow's messages do not have are ignored."},
    {"unknown-operator",
     "An operator of the file has no translation, and is a node that TensorFlow does not run."},
    {"unmatched-variables",
     "For some variables of the graph the checkpoint has no tensor of their name and shape."},
    {"unmerged-checkpoint",
     "A sharded save was interrupted before its parts became one checkpoint; the parts that are "
     "there were read together."},
    {"unsupported-compression",
     "A member of the archive is compressed in a way other than deflate."},
    {"unsupported-order",
     "An array in Fortran's order has rows too long to be turned round in bounded memory."},
    {"weights-cut-short",
     "The weight files of a TensorFlow.js model are shorter than its list of weights says."},
    {"weights-left-out",
     "The output's format cannot hold some of the model's values, which are omitted."},
});

}  // namespace

std::span<const Explanation> file_explanations() { return kFileCodes; }

}  // namespace cryo
