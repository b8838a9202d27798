#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cryo {

// References in texts for a person. Messages and fixes are read on a command line, in JavaScript
// and in the page, which give an option, a verb or a repair different names. A text refers to them,
// and each host words the reference:
//
//   "name the outputs: " OPTION("--outputs", "NAME")
//
//     command line   name the outputs: --outputs NAME
//     JavaScript     name the outputs: { outputs: ["NAME"] }
//     page           name the outputs: “Outputs to keep”
//     JSON           ["name the outputs: ", {"action": "option", "option": "outputs", ...}]
//
// The actions are the rows of "references" in commands/surface.json, with their arguments and the
// words of each host. One shape is for messages and fixes, because both mention options within a
// sentence; a repair as data is the references of its fix. scripts/surface.py checks that every
// reference in core has a row, and every option a name in each host.
//
// A reference within a text:
//
//   ┌──────┬────────┬──────┬──────────┬─────┬──────┐
//   │ \x01 │ action │ \x02 │ argument │ ... │ \x03 │
//   └──────┴────────┴──────┴──────────┴─────┴──────┘
//
#define CRYO_REFERENCE_1(action) "\x01" action "\x03"
#define CRYO_REFERENCE_3(action, first, second) "\x01" action "\x02" first "\x02" second "\x03"

// An option; `value` is a placeholder that a person replaces, or "".
#define OPTION(name, value) CRYO_REFERENCE_3("option", name, value)
// An option with the value to give it; "" for a flag.
#define SETTING(name, value) CRYO_REFERENCE_3("set", name, value)
// A list of the model, to see the `names` in.
#define LIST(names, list) CRYO_REFERENCE_3("list", names, list)
// A verb to run, and what it writes.
#define RUN(verb, out) CRYO_REFERENCE_3("run", verb, out)
// An action without arguments.
#define ADVICE(action) CRYO_REFERENCE_1(action)

// The same with arguments that are known when the program runs.
std::string option(std::string_view name, std::string_view value = "");
std::string setting(std::string_view name, std::string_view value);
std::string reference(std::string_view action, std::string_view argument);

// A row of "references" in commands/surface.json.
struct ReferenceRow {
  std::string_view action;
  std::string_view arguments;  // their names, comma separated
  std::string_view words;      // on a command line; {argument} is replaced
};

std::span<const ReferenceRow> reference_table();

// A part of a text: a reference with its arguments, or plain text where `row` is nullptr.
struct TextPart {
  std::string_view text;
  const ReferenceRow* row = nullptr;
  std::vector<std::string_view> arguments = {};
};

// Splits a text at its references. Bytes that only look like one stay text.
std::vector<TextPart> text_parts(std::string_view text);

// Returns a text with its references in the words of the command line.
std::string in_command_words(std::string_view text);

}  // namespace cryo
