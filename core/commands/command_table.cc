#include "commands/command_table.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace cryo {
namespace {

constexpr std::array<VerbRow, 12> kVerbs = {{
    {"inspect", "PATH",
     "what it holds: kind, inputs and outputs, variables, sizes, what is missing", false},
    {"list", "PATH WHAT",
     "WHAT: nodes ops weights inputs outputs signatures functions assets collections", false},
    {"validate", "PATH",
     "every fault, with place, reason and fix; exit 1 when TensorFlow would refuse it", false},
    {"prune", "PATH", "keep what the outputs need, back to the inputs", true},
    {"freeze", "PATH", "variables become constants", true},
    {"unfreeze", "PATH", "constants become variables, with a checkpoint of their values", true},
    {"transfer", "", "weights of one model into the variables of another, by name", true},
    {"weights", "PATH", "the name -> array dictionary, as .npz, .safetensors or a checkpoint",
     true},
    {"convert", "PATH", "the same model in another format", true},
    {"diff", "A B", "structure and numbers, bit for bit; exit 1 when they differ", false},
    {"verify", "A B",
     "runs both on the same input and compares every output; exit 1 when one differs, 3 when one "
     "could not be run (npm command)",
     false, true},
    {"serve", "", "the page, to this machine alone (npm command)", false, true},
}};

// Those that may write: validate does with --fix.
constexpr std::string_view kAnyWriters = "validate,prune,freeze,unfreeze,transfer,weights,convert";
constexpr std::string_view kForceVerbs =
    "validate,prune,freeze,unfreeze,transfer,weights,convert,verify";

constexpr std::array<OptionRow, 51> kOptions = {{
    {"--from", "PATH", false, "transfer", "other",
     "the model, checkpoint, .npz or .safetensors whose weights are taken"},
    {"--into", "PATH", false, "transfer", "path", "the graph whose variables take them"},
    {"-o", "OUT", false, kAnyWriters, "out",
     "the file to write; NAME.ckpt is a checkpoint with its .meta, NAME/ a SavedModel, NAME.json a "
     "TensorFlow.js model, NAME.meta.pbtxt and NAME/saved_model.pbtxt the texts of theirs; with "
     ".zip behind, all in one file"},
    {"--as", "KIND", false, kAnyWriters, "as",
     "pb, pbtxt, meta, meta-pbtxt, checkpoint, checkpoint-v1, savedmodel, savedmodel-pbtxt, tfjs, "
     "npz, npy (a file each, in the folder OUT) or safetensors; default: from OUT's ending"},
    {"--shard-size", "BYTES", false, kAnyWriters, "shardSize",
     "of a TensorFlow.js model's weight files; default: 4194304. Of a checkpoint's data files; "
     "default: all in one"},
    {"--force", "", false, kForceVerbs, "force",
     "overwrite; without it an existing OUT is refused"},
    {"--outputs", "NAME", true, "prune,freeze,verify", "outputs",
     "where the kept graph ends: nodes or tensors; verify: what is compared"},
    {"--inputs", "NAME", true, "prune,freeze,verify", "inputs",
     "where it begins; any tensor becomes a placeholder; auto: where a pipeline's data enters"},
    {"--tag", "TAG", true, "", "tag",
     "the tags of the MetaGraphDef that is meant, of a SavedModel"},
    {"--signature", "KEY", true, "", "signature",
     "these signatures of a SavedModel alone. prune, freeze: their outputs; weights: what they "
     "need"},
    {"--set", "NAME=VALUE", true, "prune,freeze,verify", "set",
     "set a placeholder to a constant (is_training=false, size=[2,6]) and remove the branches it "
     "rules out; verify: in each model that has it"},
    {"--variables", "GLOB", true, "freeze,weights", "variables",
     "only these. freeze: what stays a variable is written with its checkpoint, -o NAME.ckpt"},
    {"--keep-variables", "GLOB", true, "freeze", "keepVariables", "freeze all but these"},
    {"--like-tensorflow", "", false, "prune,freeze", "likeTensorflow",
     "byte for byte what TensorFlow's extract_sub_graph and freeze_graph give"},
    {"--lower-control-flow", "", false, "freeze", "lowerControlFlow",
     "While, If and Case become plain nodes (Switch, Merge, Enter), as runtimes of TensorFlow 1 "
     "have them"},
    {"--no-inline", "", false, "freeze", "noInline", "leave calls of functions be"},
    {"--no-record", "", false, "freeze", "noRecord",
     "constants do not tell what variables they were (kind, trainable, collections, partitions), "
     "which unfreeze goes by"},
    {"--fold-assets", "", false, "freeze", "foldAssets",
     "tables that a SavedModel fills from files are filled from constants"},
    {"--drop-checks", "", false, "prune,freeze", "dropChecks",
     "leave out Assert, Print and CheckNumerics"},
    {"--splice-identities", "", false, "prune,freeze", "spliceIdentities",
     "leave out Identity nodes where that is safe"},
    {"--clear-devices", "", false, "prune,freeze", "clearDevices", "no node asks for a device"},
    {"--strip-defaults", "", false, "prune,freeze", "stripDefaults",
     "leave out attributes that hold the op's default: an older TensorFlow may not know them"},
    {"--constants", "GLOB", true, "unfreeze,transfer,weights,diff", "constants",
     "choose by hand which constants are weights: only these; with auto among them, these and what "
     "is detected"},
    {"--exclude", "GLOB", true, "unfreeze,transfer,weights,diff", "exclude",
     "leave these weights out; of transfer the variables that keep their values"},
    {"--rename", "FROM=TO", true, "freeze,unfreeze,transfer,weights,diff", "rename",
     "rules for names: FROM a glob, whose stars are carried over to TO; or /expression/, whose "
     "groups are \\1 to \\9 in TO. freeze: from which name of the checkpoint a variable takes its "
     "value; unfreeze: what variables are called, else as the constants"},
    {"--match", "value|shape", true, "transfer,diff", "match",
     "also pair what names leave over: by equal bytes; by unique shape, and place in the graph"},
    {"--no-slots", "", false, "transfer,weights,diff", "noSlots",
     "leave optimizer slots and step counters out; without it nothing is left out"},
    {"--partial", "", false, "transfer", "partial",
     "write the matched variables alone, as a checkpoint for tf.train.init_from_checkpoint; "
     "default: "
     "the others keep the target's values, or take their constant initial values"},
    {"--cast", "FROM=TO", true, "transfer,weights", "cast",
     "weights of type FROM become type TO (float64=float32), rounded to nearest even"},
    {"--function", "NAME", false, "list", "function",
     "nodes: of the body of this library function, its arguments first"},
    {"--style", "ref|resource", false, "unfreeze", "style",
     "the kind of variables; default: what the graph came from, else resource"},
    {"--resource-gather", "", false, "unfreeze", "resourceGather",
     "a GatherV2 of a resource variable becomes a ResourceGather, which reads only the rows"},
    {"--initial-values", "", false, "unfreeze", "initialValues",
     "the .meta holds the values, so that global_variables_initializer() needs no checkpoint; "
     "default: it restores from the checkpoint that is written with the graph"},
    {"--checkpoint", "PREFIX", false, "", "checkpoint", "the checkpoint that belongs to the graph"},
    {"--checksum", "", false, "inspect,validate,diff", "checksum",
     "read every weight and check its CRC"},
    {"--no-checksum", "", false, "prune,freeze,unfreeze,transfer,weights,convert,diff,verify",
     "noChecksum",
     "do not check stored CRCs; default: every weight that is read or copied is checked"},
    {"--strict", "", false, "validate,transfer", "strict",
     "validate: exit 1 also when not sound; transfer: fail unless all variables are matched or "
     "excluded"},
    {"--fix", "", false, "validate", "fix",
     "write the repaired model to OUT: what can be mended without a guess"},
    {"--explain", "CODE", false, "validate", "explain",
     "what a diagnostic's code means; needs no PATH", true},
    {"--feed", "NAME=FILE|VALUE", true, "verify", "feed",
     "values for an input: a .npy, a number, true, false, or a list ([[1,2],[3,4]]). The others "
     "get seeded random numbers, within the range of the table that they index"},
    {"--image", "FILE", false, "verify", "image",
     "a PNG or JPEG, for the input that takes images: resized to it, each value (x - mean) * "
     "scale"},
    {"--mean", "X", false, "verify", "mean", "of --image; default: 0"},
    {"--scale", "Y", false, "verify", "scale", "of --image; default: 1"},
    {"--seed", "N", false, "verify", "seed", "of the random numbers; default: 0"},
    {"--tolerance", "T", false, "verify", "tolerance",
     "numbers are equal where |a - b| <= T * max(1, |a|, |b|); default: 0, bit for bit"},
    {"--script", "OUT.py", false, "verify", "script",
     "also write a Python script that compares both in TensorFlow on the same input, with the "
     "frozen models and the input next to it"},
    {"--port", "N", false, "serve", "port", "default: 8080, or the next that is free"},
    {"--json", "", false, "", "json", "one JSON object on standard output, and nothing else there"},
    {"--quiet", "", false, "", "quiet", "no progress, no notes"},
    {"--verbose", "", false, "", "verbose", "whole lists, all notes"},
    {"--help", "", false, "", "help", "this text"},
}};

std::string padded(std::string_view text, size_t width) {
  return cat(text, std::string(text.size() < width ? width - text.size() : 1, ' '));
}

std::string option_line(const OptionRow& option) {
  const std::string name = option.value.empty()
                               ? std::string(option.name)
                               : cat(option.name, " ", option.value, option.list ? "..." : "");
  return cat("  ", padded(name, 24), option.help, "\n");
}

// What a verb cannot do without, and what it does.
std::string usage_line(const VerbRow& verb) {
  std::string call(verb.name);
  if (!verb.positional.empty()) call += cat(" ", verb.positional);
  for (const OptionRow& option : kOptions) {
    if (is_required(verb, option)) call += cat(" ", option.name, " ", option.value);
  }
  constexpr size_t kWidth = 24;
  const std::string gap = call.size() < kWidth ? "" : cat("\n", std::string(12 + kWidth, ' '));
  return cat("  cryograph ", gap.empty() ? padded(call, kWidth) : call, gap, verb.summary, "\n");
}

}  // namespace

std::span<const VerbRow> verb_table() { return kVerbs; }
std::span<const OptionRow> option_table() { return kOptions; }

const VerbRow* find_verb(std::string_view name) {
  const auto named = [&](const VerbRow& verb) { return verb.name == name; };
  const auto found = std::find_if(kVerbs.begin(), kVerbs.end(), named);
  return found == kVerbs.end() ? nullptr : &*found;
}

bool is_required(const VerbRow& verb, const OptionRow& option) {
  if (!takes(verb, option)) return false;
  return option.key == "out" ? verb.writes : option.key == "path" || option.key == "other";
}

bool takes(const VerbRow& verb, const OptionRow& option) {
  const auto verbs = split(option.verbs, ',');
  return option.verbs.empty() || std::find(verbs.begin(), verbs.end(), verb.name) != verbs.end();
}

std::string help_text(const VerbRow* only) {
  std::string text =
      "Cryograph: open, prune, validate, freeze and un-freeze TensorFlow models.\n\n";
  for (const VerbRow& verb : kVerbs) {
    if (only != nullptr && only != &verb) continue;
    text += usage_line(verb);
  }
  text += only == nullptr ? "  cryograph PATH                the same as inspect\n\nOptions\n"
                          : "\nOptions\n";
  for (const OptionRow& option : kOptions) {
    if (only == nullptr || takes(*only, option)) text += option_line(option);
  }
  text +=
      "\nPATH is a .pb, a .meta, a checkpoint's prefix, a TensorFlow.js model.json, a folder, or - "
      "for "
      "standard input (1 GiB at most).\n"
      "GLOB: * within a scope, ** across scopes, or /regular expression/. Lists are comma "
      "separated "
      "or repeated; \\, is a comma in a name.\n"
      "Exit status: 0 done; 1 the answer is no; 2 the command line is wrong; 3 it could not be "
      "done, or not be decided.\n";
  return text;
}

}  // namespace cryo
