#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace cryo {

// The command line as data: both programs (native, and the npm package's in WebAssembly) parse by
// it and print it as help. The rows are those of surface.json, which the npm package's types, the
// page's fields and the reference are made of, too (scripts/surface.py).

struct VerbRow {
  std::string_view name;
  std::string_view
      positional;  // "PATH...", "PATH WHAT [GLOB...]", "[VERB]"; A and B: paths of two models
  std::string_view summary;
  std::string_view examples;  // a line each
  std::string_view words;     // that its last place takes, comma separated; empty for any
  bool writes;                // takes -o OUT
  bool npm_only;              // needs JavaScript
  bool alone;                 // works on no model
};

struct OptionRow {
  std::string_view name;        // "--outputs", "-o"; draw has another --color than all verbs
  std::string_view short_name;  // "-h" of --help; mostly empty
  std::string_view value;       // placeholder of its value, "NAME"; empty for a flag
  bool list;                    // comma separated, repeatable
  std::string_view choices;     // the values that it takes, comma separated; empty for any
  std::string_view verbs;       // the verbs that accept it, comma separated; "" for all
  std::string_view key;         // of parse_options(); "path" and "other" are paths of two models
  std::string_view group;       // the heading in --help
  std::string_view help;
  bool alone;  // needs no PATH
};

struct FormatRow {
  std::string_view name;     // as --as takes it
  std::string_view endings;  // of OUT, comma separated
  std::string_view summary;
};

std::span<const VerbRow> verb_table();
std::span<const OptionRow> option_table();  // ordered by group
std::span<const FormatRow> format_table();
std::string_view help_title();
std::span<const std::string_view> help_notes();  // paragraphs that concern all verbs

const VerbRow* find_verb(std::string_view name);

// Returns true if a verb needs an option.
bool is_required(const VerbRow& verb, const OptionRow& option);

// Returns true if a verb takes an option. One that works on no model takes the general options.
bool takes(const VerbRow& verb, const OptionRow& option);

// The group of the options that every verb takes, whatever it works on.
constexpr std::string_view kGeneralOptions = "General";

// Returns the text of --help, in lines of at most `width` columns (40 or more): an overview of all
// verbs, or one verb with its options by group and its examples.
constexpr size_t kHelpWidth = 80;
std::string help_text(const VerbRow* only, size_t width = kHelpWidth);

}  // namespace cryo
