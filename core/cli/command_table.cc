#include "cli/command_table.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "cli/report.h"

namespace cryo {
namespace {

constexpr std::array<VerbRow, 8> kVerbs = {{
    {"inspect", "PATH",
     "what it holds: kind, inputs and outputs, variables, sizes, what is missing", false},
    {"list", "PATH WHAT",
     "WHAT: nodes ops weights inputs outputs signatures functions assets collections", false},
    {"validate", "PATH",
     "every fault, with place, reason and fix; exit 1 when TensorFlow would refuse it", false},
    {"prune", "PATH", "keep what the outputs need, back to the inputs", true},
    {"freeze", "PATH", "variables become constants", true},
    {"unfreeze", "PATH", "constants become variables, with a checkpoint of their values", true},
    {"weights", "PATH", "the name -> array dictionary, as .npz, .safetensors or a checkpoint",
     true},
    {"convert", "PATH", "the same model in another format", true},
}};

constexpr std::string_view kWriters = "prune,freeze,unfreeze,weights,convert";

constexpr std::array<OptionRow, 24> kOptions = {{
    {"-o", "OUT", false, kWriters, "out",
     "the file to write; NAME.ckpt is a checkpoint with its .meta, NAME/ a SavedModel, NAME.json a "
     "TensorFlow.js model, NAME.meta.pbtxt and NAME/saved_model.pbtxt the texts of theirs; with "
     ".zip behind, all in one file"},
    {"--as", "KIND", false, kWriters, "as",
     "pb, pbtxt, meta, meta-pbtxt, checkpoint, checkpoint-v1, savedmodel, savedmodel-pbtxt, tfjs, "
     "npz or safetensors; default: from OUT's ending"},
    {"--shard-size", "BYTES", false, kWriters, "shardSize",
     "of a TensorFlow.js model's weight files; default: 4194304. Of a checkpoint's data files; "
     "default: all in one"},
    {"--force", "", false, kWriters, "force", "overwrite; without it an existing OUT is refused"},
    {"--outputs", "NAME", true, "prune,freeze", "outputs",
     "where the kept graph ends: nodes or tensors"},
    {"--inputs", "NAME", true, "prune,freeze", "inputs",
     "where it begins; any tensor becomes a placeholder"},
    {"--tag", "TAG", true, "", "tag",
     "the tags of the MetaGraphDef that is meant, of a SavedModel"},
    {"--signature", "KEY", true, "prune,freeze", "signature",
     "the signatures whose outputs are kept"},
    {"--set", "NAME=VALUE", true, "prune,freeze", "set",
     "a placeholder gets a fixed value (is_training=false), and what that decides is decided"},
    {"--variables", "GLOB", true, "freeze", "variables",
     "freeze only these; what stays a variable is written with its checkpoint: -o NAME.ckpt"},
    {"--keep-variables", "GLOB", true, "freeze", "keepVariables", "freeze all but these"},
    {"--like-tensorflow", "", false, "prune,freeze", "likeTensorflow",
     "byte for byte what TensorFlow's extract_sub_graph and freeze_graph give"},
    {"--constants", "GLOB", true, "unfreeze", "constants",
     "choose by hand what becomes a variable"},
    {"--exclude", "GLOB", true, "unfreeze", "exclude", "leave these constants out"},
    {"--rename", "FROM=TO", true, "weights", "rename",
     "rules for names: FROM a glob, whose stars are carried over to TO; or /expression/, whose "
     "groups are \\1 to \\9 in TO"},
    {"--no-slots", "", false, "weights", "noSlots",
     "leave optimizer slots and step counters out; without it nothing is left out"},
    {"--style", "ref|resource", false, "unfreeze", "style",
     "the kind of variables; default: what the graph came from, else resource"},
    {"--checkpoint", "PREFIX", false, "", "checkpoint", "the checkpoint that belongs to the graph"},
    {"--checksum", "", false, "inspect,validate", "checksum",
     "read every weight and check its CRC"},
    {"--strict", "", false, "validate", "strict", "exit 1 also when not sound"},
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

}  // namespace

std::span<const VerbRow> verb_table() { return kVerbs; }
std::span<const OptionRow> option_table() { return kOptions; }

const VerbRow* find_verb(std::string_view name) {
  const auto named = [&](const VerbRow& verb) { return verb.name == name; };
  const auto found = std::find_if(kVerbs.begin(), kVerbs.end(), named);
  return found == kVerbs.end() ? nullptr : &*found;
}

bool takes(const VerbRow& verb, const OptionRow& option) {
  const auto verbs = split(option.verbs, ',');
  return option.verbs.empty() || std::find(verbs.begin(), verbs.end(), verb.name) != verbs.end();
}

std::string command_table_json() {
  Json verbs = Json::array();
  for (const VerbRow& verb : kVerbs) {
    verbs.push_back({{"name", verb.name},
                     {"positional", split(verb.positional, ' ')},
                     {"summary", verb.summary},
                     {"writes", verb.writes}});
  }
  Json options = Json::array();
  for (const OptionRow& option : kOptions) {
    Json of = Json::array();
    for (const VerbRow& verb : kVerbs) {
      if (takes(verb, option)) of.push_back(verb.name);
    }
    options.push_back({{"name", option.name},
                       {"value", option.value.empty() ? Json(nullptr) : Json(option.value)},
                       {"list", option.list},
                       {"verbs", std::move(of)},
                       {"key", option.key},
                       {"help", option.help}});
  }
  return to_string({{"verbs", std::move(verbs)}, {"options", std::move(options)}});
}

std::string help_text(const VerbRow* only) {
  std::string text =
      "Cryograph: open, prune, validate, freeze and un-freeze TensorFlow models.\n\n";
  for (const VerbRow& verb : kVerbs) {
    if (only != nullptr && only != &verb) continue;
    text += cat("  cryograph ",
                padded(cat(verb.name, " ", verb.positional, verb.writes ? " -o OUT" : ""), 24),
                verb.summary, "\n");
  }
  text += only == nullptr ? "  cryograph PATH                the same as inspect\n\nOptions\n"
                          : "\nOptions\n";
  for (const OptionRow& option : kOptions) {
    if (only == nullptr || takes(*only, option)) text += option_line(option);
  }
  text +=
      "\nPATH is a .pb, a .meta, a checkpoint's prefix, a TensorFlow.js model.json, a folder, or - "
      "for "
      "standard input.\n"
      "GLOB: * within a scope, ** across scopes, or /regular expression/.\n"
      "Exit status: 0 done; 1 the answer is no; 2 the command line is wrong; 3 it could not be "
      "done.\n";
  return text;
}

}  // namespace cryo
