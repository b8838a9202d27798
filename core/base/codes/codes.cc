#include "base/codes/codes.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "base/reference.h"

namespace cryo {
namespace {

constexpr auto kCodes = std::to_array<CodeInfo>({
    {"asset-missing", "put the file back into the folder assets",
     "A SavedModel names a file of its folder assets that is not there. Loading looks for it when "
     "the graph reads it, a vocabulary when its table is filled."},
    {"asset-tensor", "name a tensor of the graph, or remove the asset",
     "A SavedModel says into which tensor the path of an asset is to be fed when it is loaded, and "
     "the graph does not have it: loading fails."},
    {"attr-below-minimum", "raise the number, or make the list longer",
     "The op's definition has a smallest value for this attribute, or a smallest length for this "
     "list, and the node goes below it. TensorFlow refuses to import the graph."},
    {"attr-default-missing",
     "nothing has to be done; programs that do not know TensorFlow's ops may want them written "
     "down",
     "Attributes that have a default may be absent: TensorFlow strips them so that older releases "
     "can read the graph, and fills them in on import.",
     "writes the defaults down", "wrote down the default of {}"},
    {"attr-empty", "give the attribute a value, or remove it if it has a default",
     "The attribute is there, but no value is set in it. An absent attribute takes its default; "
     "one that is present and empty is refused.",
     "gives the attribute its default, where the op has one", "gave the attribute {} its default"},
    {"attr-invalid-type", "set the attribute to a type that TensorFlow has",
     "The attribute names a data type by a number that TensorFlow does not define, or by 0 "
     "(DT_INVALID)."},
    {"attr-missing", "set the attribute; the op has no default for it",
     "The op's definition requires an attribute that the node does not have, and gives no "
     "default. Often the node was made for another op, or by a newer TensorFlow whose defaults "
     "were stripped."},
    {"attr-not-a-count", "set the attribute to the number of tensors",
     "The attribute says how many inputs or outputs the node has, and its value is negative, above "
     "2^31, or no number."},
    {"attr-not-allowed", "use one of the allowed values",
     "The op's definition lists the values that this attribute may take, and the node's is not "
     "among them: the op does not exist for that type, or a mode is misspelt."},
    {"attr-ref-type", "use the type without _ref",
     "A reference type (float_ref) may be the type of an output, never the value of an attribute."},
    {"attr-unknown", "remove the attribute if you want no log line",
     "The op's definition has no attribute of this name. TensorFlow logs it and goes on, so "
     "nothing breaks; a newer TensorFlow wrote it, or it is misspelt and the default counts "
     "instead.",
     "removes the attribute if it has the default that it had for the TensorFlow which wrote the "
     "graph (the MetaGraphDef's stripped_op_list)",
     "removed the attribute {}"},
    {"attr-wrong-kind", "set the attribute to a value of the kind that is expected",
     "The attribute holds a value of another kind than the op's definition says: a number where a "
     "type belongs, a single value where a list belongs."},
    {"bad-device", "correct the device, or remove it",
     "A device is written /job:NAME/replica:N/task:N/device:TYPE:N, in which any part may be "
     "absent, or /cpu:0. TensorFlow's Python importer refuses a graph with other text. Its C++ "
     "importer accepts the graph but does not run it."},
    {"bad-node-name", "rename the node",
     "A node's name begins with a letter, a digit or a dot, goes on with these, '_', '-' and '/', "
     "and may have '>' between such parts."},
    {"bad-output-port", "connect to an output that the node has",
     "An input says NODE:K, and NODE has no output K. Outputs are counted from 0."},
    {"bad-shape", "correct the shape: sizes are -1 (unknown), 0 or more",
     "A shape in an attribute is invalid: it has a size below -1, more than 254 dimensions, "
     "dimensions although its rank is marked unknown, or more than 2^63 - 1 elements. If import "
     "reads the attribute this is an error, otherwise a warning."},
    {"bad-signature", "correct the function's signature",
     "A library function's signature does not say of which type an argument is, or names an "
     "attribute that it does not have."},
    {"call-arguments", "give the function as many arguments as it takes",
     "A node calls a function with another number of arguments than it has, or has fewer outputs "
     "than the function returns. Too few of either is refused at import, too many when run."},
    {"call-types", "cast the argument, or correct the function's signature",
     "A node hands a function an argument of another type than its signature says. TensorFlow "
     "finds it when the graph runs."},
    {"collection-node", "remove the name from the collection, or the collection",
     "A collection of the MetaGraphDef lists nodes or tensors, or loops, branches and queues that "
     "are made of such, and some are not in the graph: import_meta_graph fails on it. Pruning that "
     "leaves collections as they were is the usual cause."},
    {"collection-variable", "remove the variable from the collection",
     "A collection of variables names a variable, its initializer or its value, and that node is "
     "not in the graph: import_meta_graph fails on it."},
    {"const-length", "give the value as many bytes as its shape and type need",
     "The bytes of a constant (tensor_content) are not elements times element size. TensorFlow "
     "imports the graph and fails when it runs. A file that was cut or edited looks like this."},
    {"const-no-type", "set the tensor's dtype",
     "The value of a constant does not say its type, or says one that does not exist. TensorFlow "
     "imports the graph and fails when it runs."},
    {"const-not-read", "give the constant a value of its own type and shape",
     "The shapes of a node depend on the value of an input. That input is a constant whose bytes "
     "do not fit its type and shape. TensorFlow refuses the graph at import; elsewhere it would "
     "fail only when the constant runs."},
    {"const-shape", "give the constant a shape whose sizes are all known",
     "A constant's value needs a shape of sizes 0 or more, at most 254 of them, with at most 2^63 "
     "- 1 elements."},
    {"const-type", "make the attribute dtype and the value's dtype the same",
     "The attribute dtype of a constant and the type of its value differ. TensorFlow imports the "
     "graph, uses the attribute's type, and fails when the constant runs."},
    {"consumer-refused", "use another version of TensorFlow",
     "The graph names this very version of TensorFlow among its bad_consumers."},
    {"consumer-too-old", "use a newer TensorFlow",
     "The graph's versions.min_consumer is above what this TensorFlow reads."},
    {"control-input-order", "move the control inputs after the data inputs",
     "A node's inputs are first its data inputs, in order, then control inputs (^NODE).",
     "moves the control inputs after the data inputs",
     "moved the control inputs after the data inputs"},
    {"control-port", "write a port that exists",
     "The port is 4294967295, which TensorFlow keeps as -1, its own mark of a control edge. The "
     "node is imported without this input."},
    {"cycle", "break the cycle; a loop goes back by NextIteration -> Merge",
     "Nodes that wait for each other can never run. The only way back that TensorFlow knows is "
     "from a NextIteration to a Merge that also has one input from outside the loop. The number "
     "counts all nodes in a cycle or after one, as TensorFlow does."},
    {"cyclic-gradients", "remove a gradient, or bring a function without one into the library",
     "Every function of the library has a gradient function in it. TensorFlow's Python importer "
     "starts with functions that have none, finds no such, and refuses the graph."},
    {"device-elsewhere",
     "remove the devices (" OPTION("--clear-devices", "") "), or run it in that cluster",
     "The node is to run in another process: its device names a job that is not localhost, or a "
     "replica or task other than 0. TensorFlow imports the graph, but a session on one machine "
     "refuses to run anything that needs this node, even with soft placement. Models that were "
     "trained on several machines are often saved so. Reported for the first node of each such "
     "device."},
    {"duplicate-control-input", "nothing has to be done",
     "A node names the same control input more than once. TensorFlow counts it once.",
     "keeps the first and removes the others", "removed repeated control inputs: {}"},
    {"duplicate-function", "rename one of the functions and its calls",
     "Two functions of the library have one name and differ. (Identical copies are dropped.)"},
    {"duplicate-gradient", "keep one of the gradients",
     "The library names two different functions as the gradient of one function."},
    {"duplicate-node-name", "rename one of the nodes",
     "Two nodes have one name, so an input that says the name could mean either. In a function's "
     "body arguments and returns count as nodes too.",
     "keeps one of several nodes that are the same in all", "removed a copy of the node"},
    {"duplicate-tags", "give one of them other tags",
     "A SavedModel holds several MetaGraphDefs, each identified by its set of tags, and two have "
     "the same set. Loading takes the first; the other is never loaded."},
    {"enter-without-name", "set frame_name",
     "An Enter opens the frame that its attribute frame_name names, and here that is empty. "
     "TensorFlow imports the graph and refuses to run it."},
    {"exit-without-frame", "remove the Exit, or bring its Enter back",
     "An Exit leaves a loop's frame, and nothing before it has entered one. TensorFlow imports the "
     "graph and refuses to run it."},
    {"function-empty-list", "give the argument at least one type",
     "An argument of a function stands for a list of tensors, and the list of its types is empty."},
    {"function-named-as-op", "rename the function and its calls",
     "A function of the library has the name of an op of TensorFlow."},
    {"function-recursion", "break the circle; a While can repeat instead",
     "A function calls itself, directly or through others. TensorFlow's importer follows calls "
     "without end and crashes."},
    {"function-return", "correct the function's ret entry",
     "Each output of a function's signature has an entry in ret that names a tensor of the body, "
     "of the output's own type."},
    {"input-count", "connect as many inputs as the op takes",
     "The op's definition, with the node's own attributes (N, T, Tin), says how many data inputs "
     "the node has, and it has more or fewer."},
    {"input-type", "cast the input, or correct the type attribute",
     "An input is of another type than the node takes. A reference (float_ref) may be given where "
     "a value is expected; a value never where a reference is, as by Assign, nor where a resource "
     "is, as by ReadVariableOp: a frozen variable cannot be assigned."},
    {"malformed-message", "get the file again from where it came",
     "The bytes are not a message of the kind that is expected here."},
    {"merge-inputs", "leave the Merge one input from outside of the loop",
     "A Merge that a NextIteration feeds has several inputs from outside of its loop. TensorFlow's "
     "importer counts on one and ends its process on more."},
    {"missing-function", "bring the function into the library, or remove the node",
     "A node names a function that the library does not have. TensorFlow imports the graph, and "
     "then runs no part of it."},
    {"missing-gradient", "bring the function into the library, or remove the gradient",
     "The library says that a function computes the gradient of another, and lacks one of the two. "
     "TensorFlow's C++ importer lets it through; its Python importer refuses the graph, unless the "
     "library has no functions at all."},
    {"mixed-frames", "bring the tensor in by an Enter, or out by an Exit",
     "A node takes one tensor from inside of a loop and another from outside of it. TensorFlow "
     "imports the graph; running it hangs or fails."},
    {"more-findings", "correct what is listed first",
     "More was found than is listed. The counts are complete."},
    {"newer-producer", "if something fails, use a TensorFlow as new as the model's",
     "The graph was written by a newer TensorFlow (versions.producer) than the one whose ops are "
     "checked against here. TensorFlow promises to read only graphs that are at most three weeks "
     "newer."},
    {"no-kernel", "run it where the op has a kernel, or cut the graph before it",
     "TensorFlow imports the graph, and then runs no part of it on a processor: it has no kernel "
     "of this op for one, only for other devices, or none at all in this release."},
    {"no-op", "name the node's op", "A node says which op it runs; here that is empty."},
    {"not-utf8", "write the text as UTF-8",
     "Names and other texts in a graph are UTF-8. Protobuf refuses the whole file for one that is "
     "not."},
    {"object-without-value", "give the checkpoint that was saved with its object graph, whole",
     "A checkpoint of TensorFlow 2 has an object graph, which says under which key each variable "
     "is saved, and there is no tensor of this key."},
    {"old-producer", "write the true version into versions.producer",
     "versions.producer in a graph records which TensorFlow made it, and the graph is read by the "
     "rules of that version. Up to version 21, or without a version, the shape [] of a "
     "placeholder means an unknown one, and ops that were removed since are accepted."},
    {"op-deprecated", "nothing has to be done, as long as the graph keeps its version",
     "The op was removed from TensorFlow for newer graphs. This graph is of a version "
     "(versions.producer) that may still use it; the same graph written by a current TensorFlow "
     "would be refused."},
    {"op-removed", "convert the graph with the TensorFlow that made it, or replace the op",
     "The op was removed from TensorFlow for graphs of this graph's version (versions.producer) "
     "and later; older graphs may still use it."},
    {"ops-not-loaded", "load ops.bin",
     "The definitions of TensorFlow's ops, or for compat those of its earlier releases, were not "
     "available. What needs them was skipped or refused."},
    {"output-shapes-count", "remove the attribute _output_shapes",
     "The annotation _output_shapes has fewer shapes than the node has outputs. It is only a hint "
     "and can be removed.",
     "removes the attribute", "removed the attribute {}"},
    {"output-shapes-invalid", "remove the attribute _output_shapes",
     "The annotation _output_shapes has an invalid shape. It is only a hint and can be removed.",
     "removes the attribute", "removed the attribute {}"},
    {"output-shapes-wrong", "remove the attribute _output_shapes",
     "The annotation _output_shapes gives another shape than the node's inputs and attributes do. "
     "It is only a hint and can be removed: a graph that was changed after it was annotated still "
     "has the old shapes.",
     "removes the attribute", "removed the attribute {}"},
    {"placeholder-not-fed",
     "make the placeholder an input of the signature, or give it a value (" OPTION(
         "--set", "NAME=VALUE") ")",
     "The outputs of a signature need a placeholder that is not among its inputs, so running the "
     "signature fails: nothing feeds it. A switch such as is_training, left from training, is the "
     "usual case."},
    {"producer-too-old", "write the graph again with a current TensorFlow",
     "The graph's versions.producer is below what this TensorFlow reads."},
    {"python-function", "replace the function by ops of TensorFlow before exporting",
     "A PyFunc or EagerPyFunc calls a Python function that is registered in the process which made "
     "the graph, under a token. TensorFlow imports the graph in any process and runs it in that "
     "one alone."},
    {"save-key-twice", "give each tensor a key of its own",
     "A SaveV2 writes two tensors under one key. TensorFlow imports the graph, and saving fails."},
    {"saver-node", "write the model again with a saver, or remove saver_def",
     "The MetaGraphDef says which nodes save and restore the variables (SaverDef), and one is not "
     "in the graph: the checkpoint cannot be restored through it."},
    {"shape-mismatch",
     "feed shapes that fit, or correct the attribute or the constant that says the shape",
     "The shapes of a node's inputs do not fit its op, as two matrices that cannot be multiplied. "
     "TensorFlow infers shapes from placeholders, constants and variables on when it imports a "
     "graph, and refuses it."},
    {"signature-tensor", "name a tensor of the graph in the signature, or remove it",
     "A signature says which tensors of the graph are its inputs and outputs, and one of them is "
     "not there: a node that was pruned or renamed, or an output that it does not have. TensorFlow "
     "loads the model and fails when the signature is used."},
    {"signature-type", "make the signature's dtype that of the tensor",
     "A signature gives another type than the tensor it names has, so programs that rely on the "
     "signature feed or expect the wrong type."},
    {"table-not-filled",
     "run the node that fills the table first, or restore the table's initializer",
     "Nothing fills a lookup table that the outputs need, or nothing that fills it runs when the "
     "SavedModel is loaded. Lookups find nothing, or fail."},
    {"too-many-types", "call the function with fewer types",
     "The attributes that a function is called with make so many tensors of its body that checking "
     "them would take too long. What is listed for the function is not complete."},
    {"unbound-placeholder", "hand the attribute in where the function is called",
     "An attribute in a function's body stands for an attribute of the function, which no caller "
     "gives and which has no default."},
    {"unknown-colocation", "remove the entry from _class",
     "A node asks to live on the device of another (loc:@NODE) that is not in the graph. Pruning "
     "that leaves such entries behind is the usual cause.",
     "removes the entry", "removed the colocation with {}"},
    {"unknown-input-node", "connect the input to a node of the graph, or remove it",
     "An input names a node that the graph does not have. In a function's body inputs are written "
     "ARGUMENT, NODE:OUTPUT:INDEX or ^NODE.",
     "removes the input if it is a control input", "removed the control input {}"},
    {"unknown-op", "load the library that registers the op before the graph",
     "The op is neither one of TensorFlow's nor a function of the graph's library. Plain "
     "TensorFlow refuses the graph; a program that has loaded the op's library (TensorFlow Text, "
     "Addons, a plug-in of its own) takes it. Everything around the node is checked all the same."},
    {"variable-type", "set the read's dtype to the variable's",
     "A ReadVariableOp says another type than the variable that its handle stands for."},
    {"variables-missing", "copy the folder `variables` of the SavedModel again",
     "A SavedModel keeps the values of its variables in variables/variables.index and the data "
     "files next to it. This one has variables to restore and no such file: TensorFlow's loaders "
     "refuse it, and no initial value may take the place of what is missing."},
});

// Returns the row of a code in a sorted table; nullptr if there is none.
template <typename Row>
const Row* find_row(std::span<const Row> rows, std::string_view code) {
  const auto found =
      std::lower_bound(rows.begin(), rows.end(), code,
                       [](const Row& row, std::string_view wanted) { return row.code < wanted; });
  return found != rows.end() && found->code == code ? &*found : nullptr;
}

}  // namespace

std::span<const CodeInfo> code_table() { return kCodes; }

bool fails_when_run(std::string_view code) {
  constexpr std::string_view kCodesOfRuns[] = {"const-length", "const-no-type", "const-type",
                                               "saver-node"};
  return std::find(std::begin(kCodesOfRuns), std::end(kCodesOfRuns), code) !=
         std::end(kCodesOfRuns);
}

const CodeInfo* find_code(std::string_view code) { return find_row(code_table(), code); }

std::string_view explanation_of(std::string_view code) {
  if (const CodeInfo* info = find_code(code)) return info->explanation;
  for (const auto table : {file_explanations(), verb_explanations()}) {
    if (const Explanation* found = find_row(table, code)) return found->explanation;
  }
  return {};
}

std::vector<std::string_view> all_codes() {
  std::vector<std::string_view> codes;
  for (const CodeInfo& info : code_table()) codes.push_back(info.code);
  for (const auto table : {file_explanations(), verb_explanations()}) {
    for (const Explanation& row : table) codes.push_back(row.code);
  }
  return codes;
}

}  // namespace cryo
