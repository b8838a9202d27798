#include "commands/command_line.h"

#include <algorithm>
#include <optional>

#include "base/suggestions.h"
#include "base/text.h"

namespace cryo {
namespace {

// `verb`: the one whose help has what is wrong; may be null.
Failure usage(std::string_view message, const VerbRow* verb = nullptr) {
  const std::string of = verb == nullptr ? std::string() : cat(verb->name, " ");
  return failure("usage", message, {}, cat("see cryograph ", of, "--help"));
}

bool is_named(const OptionRow& option, std::string_view name) {
  return option.name == name || (!option.short_name.empty() && option.short_name == name);
}

const OptionRow* find_option(std::string_view name) {
  for (const OptionRow& option : option_table()) {
    if (is_named(option, name)) return &option;
  }
  return nullptr;
}

// "a,b" -> "a, b".
std::string listed(std::string_view list) {
  std::vector<std::string> words;
  for (const std::string_view each : split(list, ',')) words.emplace_back(each);
  return join(words, ", ");
}

bool is_one_of(std::string_view list, std::string_view word) {
  const auto words = split(list, ',');
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_choice(const OptionRow& option, std::string_view value) {
  return option.choices.empty() || is_one_of(option.choices, value);
}

// An option as written, and the value after it.
struct GivenOption {
  std::string name = {};
  std::optional<std::string> value = {};
};

// "--outputs=logits", "-ofrozen.pb": name and value in one.
GivenOption given_of(const std::string& argument) {
  const bool named = argument.starts_with("--");
  const size_t end = named ? std::min(argument.find('='), argument.size()) : 2;
  GivenOption given{argument.substr(0, end)};
  if (end < argument.size()) given.value = argument.substr(named ? end + 1 : end);
  return given;
}

Failure no_such_option(const std::string& name) {
  std::vector<std::string_view> names;
  for (const OptionRow& option : option_table()) names.push_back(option.name);
  return usage(cat("there is no option ", name, did_you_mean(name, names)));
}

std::vector<std::string_view> verb_names() {
  std::vector<std::string_view> names;
  for (const VerbRow& verb : verb_table()) names.push_back(verb.name);
  return names;
}

Failure no_such_verb(const std::string& name) {
  return usage(cat("there is no verb '", name, "'", did_you_mean(name, verb_names())));
}

// Returns true for a word that may be a misspelled verb. Names of files mostly have a dot, a slash
// or an underscore.
bool is_like_a_verb(std::string_view word) {
  return std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

// Takes the arguments one after the other. The meaning of words and options is determined at the
// end, because options may precede the verb.
class Parser {
 public:
  explicit Parser(const std::vector<std::string>& arguments) : arguments_(arguments) {}

  Result<CommandLine> run() {
    while (at_ < arguments_.size()) CHECK_OK(take(arguments_[at_++]));
    line_.version = is_given("version");
    if (line_.version) return std::move(line_);
    if (arguments_.empty() || is_given("help")) return help();
    CHECK_OK(find_the_verb());
    CHECK_OK(set_options());
    CHECK_OK(check_options());
    CHECK_OK(place_words());
    CHECK_OK(check_paths());
    if (line_.verb->writes) move_others();
    return std::move(line_);
  }

 private:
  Status take(const std::string& argument) {
    if (argument == "--" && !only_words_) {
      only_words_ = true;
      return Unit{};
    }
    if (only_words_ || argument == "-" || !argument.starts_with('-')) {
      words_.push_back(argument);
      return Unit{};
    }
    GivenOption given = given_of(argument);
    const OptionRow* option = find_option(given.name);
    if (option == nullptr) return no_such_option(given.name);
    CHECK_OK(option->value.empty() ? check_flag(*option, given) : find_value(*option, given));
    given_.push_back(std::move(given));
    return Unit{};
  }

  static Status check_flag(const OptionRow& option, const GivenOption& given) {
    if (given.value) return usage(cat(option.name, " takes no value"));
    return Unit{};
  }

  Status find_value(const OptionRow& option, GivenOption& given) {
    if (given.value) return Unit{};
    if (at_ == arguments_.size() || find_option(arguments_[at_]) != nullptr) {
      return usage(cat(option.name, " takes a value: ", option.name, " ", option.value));
    }
    given.value = arguments_[at_++];
    return Unit{};
  }

  bool is_given(std::string_view key) const {
    return std::any_of(given_.begin(), given_.end(), [&](const GivenOption& given) {
      return find_option(given.name)->key == key;
    });
  }

  // Makes it one of help: with the verb among the words, or with none.
  Result<CommandLine> help() {
    line_.verb = find_verb("help");
    if (!words_.empty() && find_verb(words_[0]) == nullptr && is_like_a_verb(words_[0])) {
      return no_such_verb(words_[0]);
    }
    if (!words_.empty() && find_verb(words_[0]) != nullptr) line_.subject = words_[0];
    return std::move(line_);
  }

  Status find_the_verb() {
    line_.verb = words_.empty() ? nullptr : find_verb(words_[0]);
    if (line_.verb != nullptr) {
      words_.erase(words_.begin());
      return Unit{};
    }
    line_.verb = find_verb("inspect");
    if (words_.empty() || !is_like_a_verb(words_[0])) return Unit{};
    const bool one_path = words_.size() == 1 &&
                          std::all_of(given_.begin(), given_.end(), [&](const GivenOption& given) {
                            return row_of(given) != nullptr;
                          });
    if (!one_path) return no_such_verb(words_[0]);
    const auto near = suggestions(words_[0], verb_names(), 1);
    if (!near.empty()) line_.near_verb = near[0];
    return Unit{};
  }

  // Returns the row of an option for the verb: of several, the one that takes the value. Null if
  // the verb does not take the option.
  const OptionRow* row_of(const GivenOption& given) const {
    const OptionRow* found = nullptr;
    for (const OptionRow& option : option_table()) {
      if (!is_named(option, given.name) || !takes(*line_.verb, option)) continue;
      if (found == nullptr || is_choice(option, given.value.value_or(""))) found = &option;
    }
    return found;
  }

  Status set_options() {
    for (const GivenOption& given : given_) {
      const OptionRow* option = row_of(given);
      if (option == nullptr) {
        return usage(cat(line_.verb->name, " has no option ", given.name), line_.verb);
      }
      if (given.value && !is_choice(*option, *given.value)) {
        return usage(cat(given.name, " takes one of ", listed(option->choices), "; found '",
                         *given.value, "'"),
                     line_.verb);
      }
      set(*option, given.value);
      alone_ = alone_ || option->alone;
    }
    return Unit{};
  }

  // The last value of an option counts, unless it is a list.
  void set(const OptionRow& option, const std::optional<std::string>& given) {
    OptionValue& value = given_at(line_.options, option.key);
    if (option.list) {
      value.kind = OptionValue::kList;
      value.items.push_back(*given);
    } else if (given) {
      value = {.kind = OptionValue::kText, .text = *given};
    } else {
      value = {.kind = OptionValue::kFlag, .flag = true};
    }
  }

  Status check_options() {
    for (const OptionRow& option : option_table()) {
      const bool needed = is_required(*line_.verb, option) || (option.key == "out" && has("fix"));
      if (needed && !has(option.key)) {
        return usage(cat(line_.verb->name, ": ", option.name, " ", option.value, " is missing"),
                     line_.verb);
      }
    }
    const std::string format = take_text("format");  // print_options() has these two
    take_text("terminalColor");
    if (has("json") && !format.empty() && format != "text") {
      return usage("--json and --format github are two formats; take one of them", line_.verb);
    }
    if (has("json") && is_to_standard_output(line_)) {
      return usage("--json and -o - both print to standard output; take one of them", line_.verb);
    }
    if (has("snippet") && is_to_standard_output(line_)) {
      return usage("--snippet loads the output by its name, and -o - has none", line_.verb);
    }
    return Unit{};
  }

  bool has(std::string_view key) const { return find_given(line_.options, key) != nullptr; }

  // Assigns the words of "list": PATH WHAT [GLOB...]. A place in brackets may have none; the last
  // place takes several if it ends in "...".
  Status place_words() {
    const VerbRow& verb = *line_.verb;
    std::vector<std::string_view> places;
    if (!verb.positional.empty()) places = split(verb.positional, ' ');
    const bool several = verb.positional.find("...") != std::string_view::npos;
    const auto is_needed = [](std::string_view place) { return !place.starts_with('['); };
    const auto needed = static_cast<size_t>(std::count_if(places.begin(), places.end(), is_needed));
    if (words_.size() < needed && !(alone_ && words_.empty())) {
      const std::string_view place = places[words_.size()];
      return usage(cat(verb.name, ": ", place.substr(0, place.find('.')), " is missing"), &verb);
    }
    if (words_.size() > places.size() && !several) {
      return usage(cat(verb.name, ": unexpected argument ", words_[places.size()]), &verb);
    }
    for (size_t i = 0; i < words_.size(); ++i) {
      CHECK_OK(place(places[std::min(i, places.size() - 1)], words_[i]));
    }
    if (has("other")) line_.others = {take_text("other")};
    if (has("path")) line_.paths = {take_text("path")};
    return Unit{};
  }

  Status place(std::string_view place, const std::string& word) {
    if (place == "WHAT")
      given_at(line_.options, "what") = {.kind = OptionValue::kText, .text = word};
    if (place == "[GLOB...]") {
      OptionValue& names = given_at(line_.options, "names");
      names.kind = OptionValue::kList;
      names.items.push_back(word);
    }
    if (place == "B") line_.others = {word};
    if (place == "[VERB]" || place == "SHELL") line_.subject = word;
    if (place == "[VERB]" && find_verb(word) == nullptr) return no_such_verb(word);
    if (place == "SHELL" && !is_one_of(line_.verb->words, word)) {
      return usage(
          cat("no completion for '", word, "'; SHELL is one of ", listed(line_.verb->words)),
          line_.verb);
    }
    if (place.starts_with("PATH") || place == "A") line_.paths.push_back(word);
    return Unit{};
  }

  Status check_paths() const {
    if (line_.paths.size() < 2) return Unit{};
    for (const char* key : {"checkpoint", "fix"}) {
      if (!has(key)) continue;
      const OptionRow* option = find_option(cat("--", key));
      return usage(cat(option->name, " is for one PATH, and there are ", line_.paths.size()),
                   line_.verb);
    }
    return Unit{};
  }

  // Makes the further PATHs models of the same call: the output is made of all together.
  void move_others() {
    std::vector<std::string>& paths = line_.paths;
    if (paths.size() < 2 || !line_.others.empty()) return;
    line_.others.assign(paths.begin() + 1, paths.end());
    paths.resize(1);
  }

  // Removes an option. Returns its text; empty if it is not given.
  std::string take_text(std::string_view key) {
    std::string text;
    const auto found = std::find_if(line_.options.begin(), line_.options.end(),
                                    [&](const auto& each) { return each.first == key; });
    if (found == line_.options.end()) return text;
    text = std::move(found->second.text);
    line_.options.erase(found);
    return text;
  }

  const std::vector<std::string>& arguments_;
  size_t at_ = 0;
  bool only_words_ = false;
  bool alone_ = false;  // an option that needs no PATH is given
  std::vector<std::string> words_;
  std::vector<GivenOption> given_;
  CommandLine line_;
};

}  // namespace

Result<CommandLine> parse_command_line(const std::vector<std::string>& arguments) {
  return Parser(arguments).run();
}

PrintOptions print_options(const std::vector<std::string>& arguments) {
  PrintOptions options;
  for (size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    if (!arguments[i].starts_with("--")) continue;
    const GivenOption given = given_of(arguments[i]);
    const std::string next = i + 1 < arguments.size() ? arguments[i + 1] : "";
    const std::string value = given.value.value_or(next);
    options.json = options.json || given.name == "--json";
    options.quiet = options.quiet || given.name == "--quiet";
    options.verbose = options.verbose || given.name == "--verbose";
    if (given.name == "--format") options.github = value == "github";
    const bool when = value == "auto" || value == "always" || value == "never";
    if (given.name == "--color" && when) options.color = value;
  }
  return options;
}

Diagnostic with_near_verb(const CommandLine& line, Diagnostic error) {
  if (!line.near_verb.empty()) error.fix += cat("; or did you mean the verb ", line.near_verb, "?");
  return error;
}

bool is_to_standard_output(const CommandLine& line) {
  const OptionValue* const out = find_given(line.options, "out");
  return out != nullptr && out->text == kStandardOutput;
}

}  // namespace cryo
