#include "commands/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <system_error>

#include "base/reference.h"
#include "base/text.h"
#include "wire/json/json_tree.h"

namespace cryo {
namespace {

Failure bad_option(const std::string& key, std::string_view expected) {
  return failure("bad-option", cat("the option '", key, "' takes ", expected), {},
                 ADVICE("see-help"));
}

Status set(bool& to, const std::string& key, const OptionValue& value) {
  if (value.kind != OptionValue::kFlag) return bad_option(key, "true or false");
  to = value.flag;
  return Unit{};
}

Status set(std::string& to, const std::string& key, const OptionValue& value) {
  if (value.kind != OptionValue::kText) return bad_option(key, "a text");
  to = value.text;
  return Unit{};
}

Status set(uint64_t& to, const std::string& key, const OptionValue& value) {
  const std::string& text = value.text;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), to);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) {
    return bad_option(key, "a whole number");
  }
  return Unit{};
}

Status set(std::optional<uint64_t>& to, const std::string& key, const OptionValue& value) {
  return set(to.emplace(), key, value);
}

Status set(double& to, const std::string& key, const OptionValue& value) {
  const std::string& text = value.text;
  char* end = nullptr;
  to = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !std::isfinite(to)) return bad_option(key, "a number");
  return Unit{};
}

// Returns the end of a /regular expression/ at the beginning of a list: after a slash that a comma,
// the = of FROM=TO, or nothing follows. 0 if there is none.
size_t expression_end(std::string_view list) {
  for (size_t at = 1; list.starts_with('/') && at < list.size(); ++at) {
    const bool last = at + 1 == list.size() || list[at + 1] == ',' || list[at + 1] == '=';
    if (list[at] == '/' && list[at - 1] != '\\' && last) return at + 1;
  }
  return 0;
}

// A list's first item ends at a comma. Commas within an expression, within the brackets of a value
// (NAME=[2,6], x=uint8[1,8]) and after a backslash belong to the item.
size_t item_end(std::string_view list) {
  size_t at = expression_end(list);
  int depth = 0;
  bool in_value = false;
  for (; at < list.size(); ++at) {
    const char before = at == 0 ? '\0' : list[at - 1];
    in_value = in_value || before == '=';
    if (list[at] == '[' && in_value) ++depth;
    if (list[at] == ']' && depth > 0) --depth;
    if (list[at] == ',' && depth == 0 && before != '\\') break;
  }
  return at;
}

// "a\\,b" -> "a,b".
std::string without_escapes(std::string_view item) {
  std::string text;
  for (size_t i = 0; i < item.size(); ++i) {
    const bool escaped = item[i] == '\\' && i + 1 < item.size() && item[i + 1] == ',';
    if (!escaped) text += item[i];
  }
  return text;
}

void add_names(std::vector<std::string>& to, std::string_view list) {
  while (!list.empty()) {
    const size_t end = item_end(list);
    if (end > 0) to.push_back(without_escapes(list.substr(0, end)));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

// Returns true for options that take an object, too.
bool has_values(std::string_view key) {
  return key == "set" || key == "placeholder" || key == "constant" || key == "connect";
}

// Returns the type of a list's items, in words.
std::string_view items_of(std::string_view key) {
  if (has_values(key)) return "an object {NAME: VALUE}, or a list of \"NAME=VALUE\"";
  if (key == "addSignature") return "a text \"KEY=INPUTS->OUTPUTS\", or a list of them";
  if (key == "feed") return "a list of \"NAME=FILE\"";
  if (key == "rename" || key == "cast") return "a list of \"FROM=TO\"";
  return "a list of names";
}

// Adds the items of a text. A signature has commas of its own: a text is one.
void add_items(std::vector<std::string>& to, const std::string& key, const std::string& text) {
  if (key == "addSignature") {
    to.push_back(text);
  } else {
    add_names(to, text);
  }
}

Status set(std::vector<std::string>& to, const std::string& key, const OptionValue& value) {
  switch (value.kind) {
    case OptionValue::kText:
      add_items(to, key, value.text);
      return Unit{};
    case OptionValue::kList:
      for (const std::string& each : value.items) add_items(to, key, each);
      return Unit{};
    case OptionValue::kPairs:
      if (!has_values(key)) return bad_option(key, items_of(key));
      to.insert(to.end(), value.items.begin(), value.items.end());
      return Unit{};
    default:
      return bad_option(key, items_of(key));
  }
}

Status set(std::optional<std::vector<std::string>>& to, const std::string& key,
           const OptionValue& value) {
  return set(to.emplace(), key, value);
}

Status set(Globs& to, const std::string& key, const OptionValue& value) {
  std::vector<std::string> texts;
  CHECK_OK(set(texts, key, value));
  for (const std::string& text : texts) {
    TRY(glob, Glob::parse(text));
    to.push_back(std::move(glob));
  }
  return Unit{};
}

using Set = Status (*)(Options&, const std::string&, const OptionValue&);

struct Key {
  std::string_view name;
  Set set;
};

// Two options that do not combine.
struct Exclusion {
  std::string_view key;
  std::string_view name;  // a reference (base/reference.h)
  std::string_view other_key;
  std::string_view other_name;
};

#define CRYO_MEMBER(member) CHECK_OK(set(options.member, name, value));
#define CRYO_OPTION(key, members)                                                              \
  Key{key, [](Options& options, const std::string& name, const OptionValue& value) -> Status { \
        members return Unit{};                                                                 \
      }},
#define CRYO_EXCLUDES(...)

// The keys of surface.json, with the members that each sets.
constexpr Key kKeys[] = {
#include "surface_members.inc"
};

#undef CRYO_OPTION
#undef CRYO_EXCLUDES
#define CRYO_OPTION(...)
#define CRYO_EXCLUDES(key, name, other_key, other_name) \
  Exclusion{key, OPTION(name, ""), other_key, OPTION(other_name, "")},

constexpr Exclusion kExclusions[] = {
#include "surface_members.inc"
};

#undef CRYO_EXCLUDES
#undef CRYO_OPTION
#undef CRYO_MEMBER

bool is_set(const GivenOptions& options, std::string_view key) {
  const OptionValue* const value = find_given(options, key);
  return value != nullptr && !value->is_empty();
}

std::string conflict_of(const GivenOptions& options) {
  for (const Exclusion& each : kExclusions) {
    if (is_set(options, each.key) && is_set(options, each.other_key)) {
      return cat(each.name, " and ", each.other_name, " make no sense together");
    }
  }
  return {};
}

// Returns a text verbatim, and all else as JSON.
std::string plain_text(const JsonValue& value) {
  return value.is_string() ? std::string(value.text()) : json_of(value);
}

OptionValue list_value(const JsonValue& json) {
  OptionValue value{.kind = OptionValue::kList};
  for (JsonItems items(json); items.next();) {
    if (!items.value().is_string()) return {};
    value.items.emplace_back(items.value().text());
  }
  return value;
}

// {"is_training": false, "size": [2, 6]} -> "is_training=false", "size=[2,6]".
OptionValue pairs_value(const JsonValue& json) {
  OptionValue value{.kind = OptionValue::kPairs};
  for (JsonItems items(json); items.next();) {
    if (items.value().is_null() || items.value().is_object()) return {};
    value.items.push_back(cat(items.key(), "=", plain_text(items.value())));
  }
  return value;
}

OptionValue option_value(const JsonValue& json) {
  switch (json.kind()) {
    case JsonValue::Kind::kNull:
      return {};
    case JsonValue::Kind::kBool:
      return {.kind = OptionValue::kFlag, .flag = json.is_true()};
    case JsonValue::Kind::kString:
      return {.kind = OptionValue::kText, .text = plain_text(json)};
    case JsonValue::Kind::kArray:
      return list_value(json);
    case JsonValue::Kind::kObject:
      return pairs_value(json);
    default:
      return {.kind = OptionValue::kNumber, .text = plain_text(json)};
  }
}

}  // namespace

bool OptionValue::is_empty() const {
  switch (kind) {
    case kFlag:
      return !flag;
    case kNumber:
      return false;
    case kText:
      return text.empty();
    default:
      return items.empty();
  }
}

const OptionValue* find_given(const GivenOptions& options, std::string_view key) {
  const auto found = std::find_if(options.begin(), options.end(),
                                  [&](const auto& each) { return each.first == key; });
  return found == options.end() ? nullptr : &found->second;
}

OptionValue& given_at(GivenOptions& options, std::string_view key) {
  for (auto& [name, value] : options) {
    if (name == key) return value;
  }
  return options.emplace_back(key, OptionValue()).second;
}

std::string json_of_given(const GivenOptions& options) {
  JsonWriter json;
  json.begin_object();
  for (const auto& [key, value] : options) {
    json.key(key);
    if (value.kind == OptionValue::kFlag) {
      json.value(value.flag);
    } else if (value.kind == OptionValue::kList) {
      json.value(value.items);
    } else {
      json.value(value.text);
    }
  }
  json.end_object();
  return json.take();
}

Result<Options> parse_options(const std::string& json) {
  const Result<JsonTree> tree = JsonTree::parse(json, "");
  if (!tree || !tree->root().is_object()) {
    return failure("bad-option", "options are a JSON object");
  }
  GivenOptions given;
  for (JsonItems items(tree->root()); items.next();) {
    given_at(given, items.key()) = option_value(items.value());
  }
  return options_of(given);
}

Result<Options> options_of(const GivenOptions& given) {
  Options options;
  for (const auto& [name, value] : given) {
    const std::string& wanted = name;
    const auto named = [&](const Key& key) { return key.name == wanted; };
    const auto key = std::find_if(std::begin(kKeys), std::end(kKeys), named);
    if (key == std::end(kKeys)) {
      return failure("bad-option", cat("there is no option '", name, "'"));
    }
    CHECK_OK(key->set(options, name, value));
  }
  if (find_given(given, "outputs") != nullptr && options.prune.selection.outputs.empty()) {
    return failure("no-outputs", "no output is chosen", {},
                   ADVICE("choose-outputs") ", or leave the option out");
  }
  options.conflict = conflict_of(given);
  return options;
}

}  // namespace cryo
