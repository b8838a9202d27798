#include "commands/command_line.h"

#include <algorithm>
#include <optional>

#include "base/near_names.h"
#include "base/text.h"

namespace cryo {
namespace {

Failure usage(std::string_view message) {
  return failure("usage", message, {}, "see cryograph --help");
}

const OptionRow* find_option(std::string_view name) {
  for (const OptionRow& option : option_table()) {
    if (option.name == name) return &option;
  }
  return nullptr;
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

Failure no_such_verb(const std::string& name) {
  std::vector<std::string_view> names;
  for (const VerbRow& verb : verb_table()) names.push_back(verb.name);
  return usage(cat("there is no verb '", name, "'", did_you_mean(name, names)));
}

// Takes the arguments one after the other. The meaning of words is determined at the end, because
// options may precede the verb.
class Parser {
 public:
  explicit Parser(const std::vector<std::string>& arguments) : arguments_(arguments) {}

  Result<CommandLine> run() {
    while (at_ < arguments_.size()) CHECK_OK(take(arguments_[at_++]));
    line_.verb = words_.empty() ? nullptr : find_verb(words_[0]);
    if (line_.verb != nullptr) words_.erase(words_.begin());
    if (line_.verb == nullptr && words_.size() > 1) return no_such_verb(words_[0]);
    if (line_.verb == nullptr) line_.verb = find_verb("inspect");
    CHECK_OK(check_options());
    CHECK_OK(place_words());
    line_.path = take_text("path");
    line_.other = take_text("other");
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
    given_.push_back(option);
    return option->value.empty() ? take_flag(*option, given) : take_value(*option, given);
  }

  Status take_flag(const OptionRow& option, const GivenOption& given) {
    if (given.value) return usage(cat(option.name, " takes no value"));
    line_.options[std::string(option.key)] = true;
    return Unit{};
  }

  Status take_value(const OptionRow& option, GivenOption& given) {
    if (!given.value) {
      if (at_ == arguments_.size() || find_option(arguments_[at_]) != nullptr) {
        return usage(cat(option.name, " takes a value: ", option.name, " ", option.value));
      }
      given.value = arguments_[at_++];
    }
    Json& to = line_.options[std::string(option.key)];
    if (option.list) {
      to.push_back(*given.value);
    } else {
      to = *given.value;
    }
    return Unit{};
  }

  Status check_options() const {
    const VerbRow& verb = *line_.verb;
    for (const OptionRow* option : given_) {
      if (!takes(verb, *option)) return usage(cat(verb.name, " has no option ", option->name));
    }
    for (const OptionRow& option : option_table()) {
      const bool needed =
          is_required(verb, option) || (option.key == "out" && line_.options.contains("fix"));
      if (needed && !line_.options.contains(std::string(option.key))) {
        return usage(cat(verb.name, ": ", option.name, " ", option.value, " is missing"));
      }
    }
    return Unit{};
  }

  // Assigns the words of "list": PATH WHAT.
  Status place_words() {
    std::vector<std::string_view> places;
    if (!line_.verb->positional.empty()) places = split(line_.verb->positional, ' ');
    const bool alone = std::any_of(given_.begin(), given_.end(),
                                   [](const OptionRow* option) { return option->alone; });
    if (alone && words_.empty()) return Unit{};
    if (words_.size() < places.size()) {
      return usage(cat(line_.verb->name, ": ", places[words_.size()], " is missing"));
    }
    if (words_.size() > places.size()) {
      return usage(cat(line_.verb->name, ": unexpected argument ", words_[places.size()]));
    }
    for (size_t i = 0; i < places.size(); ++i) {
      const char* key = places[i] == "WHAT" ? "what" : places[i] == "B" ? "other" : "path";
      line_.options[key] = words_[i];
    }
    return Unit{};
  }

  std::string take_text(const char* key) {
    std::string text = line_.options.value(key, "");
    line_.options.erase(key);
    return text;
  }

  const std::vector<std::string>& arguments_;
  size_t at_ = 0;
  bool only_words_ = false;
  std::vector<std::string> words_;
  std::vector<const OptionRow*> given_;
  CommandLine line_;
};

}  // namespace

Result<CommandLine> parse_command_line(const std::vector<std::string>& arguments) {
  return Parser(arguments).run();
}

}  // namespace cryo
