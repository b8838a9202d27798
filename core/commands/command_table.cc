#include "commands/command_table.h"

#include <algorithm>

#include "base/text.h"

namespace cryo {
namespace {

constexpr size_t kNameColumn = 24;  // column of an option's help
constexpr size_t kLeastWidth = 40;

// Appends the words of a text from column `at` on, continued below column `indent`.
void add_wrapped(std::string& to, std::string_view text, size_t at, size_t indent, size_t width) {
  for (const std::string_view word : split(text, ' ')) {
    const bool fits = at + 1 + word.size() <= width;
    if (at > indent && !fits) {
      to += cat("\n", std::string(indent, ' '));
      at = indent;
    }
    if (at > indent) to += ' ';
    at += word.size() + (at > indent ? 1 : 0);
    to += word;
  }
  to += '\n';
}

// "  NAME VALUE       what it is", the second column wrapped.
void add_row(std::string& to, std::string_view left, std::string_view right, size_t width) {
  const size_t column = width < 2 * kNameColumn ? kNameColumn / 2 : kNameColumn;
  to += cat("  ", left);
  if (left.size() + 2 >= column) {
    to += cat("\n", std::string(column, ' '));
  } else {
    to += std::string(column - 2 - left.size(), ' ');
  }
  add_wrapped(to, right, column, column, width);
}

void add_option(std::string& to, const OptionRow& option, size_t width) {
  const std::string_view more = option.list ? "..." : "";
  const std::string names = option.short_name.empty() ? std::string(option.name)
                                                      : cat(option.short_name, ", ", option.name);
  add_row(to, option.value.empty() ? names : cat(names, " ", option.value, more), option.help,
          width);
}

// Returns "cryograph freeze PATH -o OUT": a verb with its required arguments.
std::string usage_of(const VerbRow& verb) {
  std::string call = cat("cryograph ", verb.name);
  if (!verb.positional.empty()) call += cat(" ", verb.positional);
  for (const OptionRow& option : option_table()) {
    if (is_required(verb, option)) call += cat(" ", option.name, " ", option.value);
  }
  return call;
}

std::string overview(size_t width) {
  std::string text;
  add_wrapped(text, help_title(), 0, 0, width);
  text +=
      "\nUsage: cryograph VERB PATH [options]\n       cryograph PATH (the same as "
      "inspect)\n\nVerbs\n";
  for (const VerbRow& verb : verb_table()) {
    add_row(text, cat(verb.name, " ", verb.positional), verb.summary, width);
  }
  text += "\nOptions of all verbs (more: cryograph VERB --help)\n";
  for (const OptionRow& option : option_table()) {
    if (option.verbs.empty()) add_option(text, option, width);
  }
  for (const std::string_view note : help_notes()) {
    text += '\n';
    add_wrapped(text, note, 0, 0, width);
  }
  return text;
}

bool takes_format(const VerbRow& verb) {
  return std::any_of(option_table().begin(), option_table().end(), [&](const OptionRow& option) {
    return option.key == "as" && takes(verb, option);
  });
}

void add_formats(std::string& to, size_t width) {
  std::string names = "FORMAT:";
  for (const FormatRow& row : format_table()) names += cat(" ", row.name);
  to += '\n';
  add_wrapped(to, names, 0, 0, width);
}

std::string verb_help(const VerbRow& verb, size_t width) {
  std::string text = cat("Usage: ", usage_of(verb), " [options]\n\n");
  add_row(text, verb.name, verb.summary, width);
  std::string_view group;
  for (const OptionRow& option : option_table()) {
    if (!takes(verb, option)) continue;
    if (option.group != group) text += cat("\n", option.group, "\n");
    group = option.group;
    add_option(text, option, width);
  }
  if (takes_format(verb)) add_formats(text, width);
  text += "\nExamples\n";
  for (const std::string_view example : split(verb.examples, '\n')) {
    text += cat("  ", example, "\n");
  }
  return text;
}

}  // namespace

const VerbRow* find_verb(std::string_view name) {
  const auto named = [&](const VerbRow& verb) { return verb.name == name; };
  const auto found = std::find_if(verb_table().begin(), verb_table().end(), named);
  return found == verb_table().end() ? nullptr : &*found;
}

bool is_required(const VerbRow& verb, const OptionRow& option) {
  if (!takes(verb, option)) return false;
  if (option.key == "out") return verb.writes;
  return verb.positional.empty() && (option.key == "path" || option.key == "other");
}

bool takes(const VerbRow& verb, const OptionRow& option) {
  const auto verbs = split(option.verbs, ',');
  if (option.verbs.empty()) return !verb.alone || option.group == kGeneralOptions;
  return std::find(verbs.begin(), verbs.end(), verb.name) != verbs.end();
}

std::string help_text(const VerbRow* only, size_t width) {
  width = std::max(width, kLeastWidth);
  return only == nullptr ? overview(width) : verb_help(*only, width);
}

}  // namespace cryo
