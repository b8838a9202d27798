#pragma once

#include <span>
#include <string>
#include <string_view>

namespace cryo {

// The command line as data: both programs (native, and the npm package's in WebAssembly) parse by
// it and print it as help.

struct VerbRow {
  std::string_view name;
  std::string_view positional;  // "PATH", "PATH WHAT"; A and B are paths of two models
  std::string_view summary;
  bool writes;            // takes -o OUT
  bool npm_only = false;  // needs JavaScript
};

struct OptionRow {
  std::string_view name;   // "--outputs", "-o"
  std::string_view value;  // what it takes, "NAME"; empty for a flag
  bool list;               // comma separated, repeatable
  std::string_view verbs;  // those that take it, comma separated; "" for all
  std::string_view key;    // of parse_options(); "path" and "other" are paths of two models
  std::string_view help;
  bool alone = false;  // asks for something that needs no PATH
};

std::span<const VerbRow> verb_table();
std::span<const OptionRow> option_table();

const VerbRow* find_verb(std::string_view name);

// Whether a verb needs an option.
bool is_required(const VerbRow& verb, const OptionRow& option);

// Whether a verb takes an option.
bool takes(const VerbRow& verb, const OptionRow& option);

// What --help prints: of all verbs, or of one only.
std::string help_text(const VerbRow* only);

}  // namespace cryo
