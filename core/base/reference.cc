#include "base/reference.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace cryo {
namespace {

constexpr char kBegin = '\x01';
constexpr char kNext = '\x02';
constexpr char kEnd = '\x03';

#include "references.inc"

// Returns the reference between its first and last byte; without a row if there is no such action.
TextPart parse(std::string_view inside) {
  TextPart part{inside};
  const std::vector<std::string_view> fields = split(inside, kNext);
  for (const ReferenceRow& row : kReferences) {
    const size_t count = row.arguments.empty() ? 0 : split(row.arguments, ',').size();
    if (row.action != fields[0] || fields.size() != count + 1) continue;
    part.row = &row;
    part.arguments.assign(fields.begin() + 1, fields.end());
  }
  return part;
}

// "old/**=new/**" -> "'old/**=new/**'": a value as a shell reads it.
std::string shell_word(std::string_view value) {
  if (value.find_first_of(" *?[]$&;|<>()'\"\\`") == std::string_view::npos) {
    return std::string(value);
  }
  std::string word = "'";
  for (const char c : value) {
    if (c == '\'') word += "'\\'";
    word += c;
  }
  return word + "'";
}

std::string words_of(const TextPart& part) {
  std::string words;
  std::string_view rest = part.row->words;
  const std::vector<std::string_view> names = split(part.row->arguments, ',');
  for (size_t open = rest.find('{'); open != std::string_view::npos; open = rest.find('{')) {
    const size_t close = rest.find('}', open);
    const auto name =
        std::find(names.begin(), names.end(), rest.substr(open + 1, close - open - 1));
    words += rest.substr(0, open);
    const std::string_view argument = part.arguments[static_cast<size_t>(name - names.begin())];
    words += part.row->action == "set" ? shell_word(argument) : std::string(argument);
    rest.remove_prefix(close + 1);
  }
  words += rest;
  if (words.ends_with(' ')) words.pop_back();  // an option without a value
  return words;
}

std::string made(std::string_view action, std::string_view first, std::string_view second) {
  return cat(kBegin, action, kNext, first, kNext, second, kEnd);
}

}  // namespace

std::string option(std::string_view name, std::string_view value) {
  return made("option", name, value);
}

std::string setting(std::string_view name, std::string_view value) {
  return made("set", name, value);
}

std::string reference(std::string_view action, std::string_view argument) {
  return cat(kBegin, action, kNext, argument, kEnd);
}

std::span<const ReferenceRow> reference_table() { return kReferences; }

std::vector<TextPart> text_parts(std::string_view text) {
  std::vector<TextPart> parts;
  size_t plain = 0;
  for (size_t at = text.find(kBegin); at != std::string_view::npos; at = text.find(kBegin, at)) {
    const size_t end = text.find(kEnd, at);
    if (end == std::string_view::npos) break;
    TextPart part = parse(text.substr(at + 1, end - at - 1));
    ++at;
    if (part.row == nullptr) continue;
    if (at - 1 > plain) parts.push_back({text.substr(plain, at - 1 - plain)});
    parts.push_back(std::move(part));
    plain = at = end + 1;
  }
  if (plain < text.size()) parts.push_back({text.substr(plain)});
  return parts;
}

std::string in_command_words(std::string_view text) {
  std::string words;
  for (const TextPart& part : text_parts(text)) {
    words += part.row == nullptr ? std::string(part.text) : words_of(part);
  }
  return words;
}

}  // namespace cryo
