#include "commands/completion.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/codes/codes.h"
#include "base/text.h"
#include "commands/command_table.h"

namespace cryo {
namespace {

using Words = std::vector<std::string>;

// The placeholders of values that are files.
constexpr std::array<std::string_view, 6> kFiles = {"PATH",   "OUT",  "OUT.py",
                                                    "PREFIX", "FILE", "NAME=FILE|VALUE"};

bool takes_file(const OptionRow& option) {
  return std::find(kFiles.begin(), kFiles.end(), option.value) != kFiles.end();
}

Words words_of(std::string_view list) {
  Words words;
  if (list.empty()) return words;
  for (const std::string_view each : split(list, ',')) words.emplace_back(each);
  return words;
}

// Returns the values that an option takes; empty if they are not known.
Words values_of(const OptionRow& option) {
  if (option.key == "explain") {
    Words codes;
    for (const std::string_view code : all_codes()) codes.emplace_back(code);
    return codes;
  }
  if (option.key != "as") return words_of(option.choices);
  Words names;
  for (const FormatRow& format : format_table()) names.emplace_back(format.name);
  return names;
}

// Returns the words that a verb takes in its last place; empty if that is a PATH.
Words places_of(const VerbRow& verb) {
  if (verb.name != "help") return words_of(verb.words);
  Words names;
  for (const VerbRow& each : verb_table()) names.emplace_back(each.name);
  return names;
}

// Calls `visit` with each option of a verb.
template <typename Visit>
void for_each_option(const VerbRow& verb, Visit visit) {
  for (const OptionRow& option : option_table()) {
    if (takes(verb, option)) visit(option);
  }
}

Words names_of(const OptionRow& option) {
  Words names{std::string(option.name)};
  if (!option.short_name.empty()) names.emplace_back(option.short_name);
  return names;
}

// Puts a backslash before each of these characters.
std::string escaped(std::string_view text, std::string_view characters) {
  std::string out;
  for (const char c : text) {
    if (characters.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

// Returns a text as a word of bash and zsh.
std::string quoted_word(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// --- bash ---

// "    freeze:--style) words='ref resource' ;;"
std::string bash_values(const VerbRow& verb) {
  std::string text;
  for_each_option(verb, [&](const OptionRow& option) {
    const Words values = values_of(option);
    if (!values.empty()) {
      text += cat("    ", verb.name, ":", option.name, ") words='", join(values, " "), "' ;;\n");
    }
  });
  return text;
}

std::string bash_options(const VerbRow& verb) {
  Words names;
  for_each_option(verb, [&](const OptionRow& option) {
    for (std::string& name : names_of(option)) names.push_back(std::move(name));
  });
  return cat("    ", verb.name, ":-*) words='", join(names, " "), "' ;;\n");
}

std::string bash_places(const VerbRow& verb) {
  const Words places = places_of(verb);
  return places.empty() ? std::string()
                        : cat("    ", verb.name, ":*) words='", join(places, " "), "' ;;\n");
}

std::string bash_script() {
  Words verbs;
  std::string values, options, places;
  for (const VerbRow& verb : verb_table()) {
    verbs.emplace_back(verb.name);
    values += bash_values(verb);
    options += bash_options(verb);
    places += bash_places(verb);
  }
  return cat(
      R"(# Completion of cryograph for bash. To have it in this shell: source <(cryograph completion bash)
_cryograph() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} verb= word words=
  if [[ $current = '=' ]]; then
    current=
  elif [[ $before = '=' ]]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for word in "${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    case $word in
    )",
      join(verbs, " | "), R"()
      verb=$word
      break
      ;;
    esac
  done
  case ${verb:-inspect}:$before in
)",
      values, R"(  esac
  [[ $words ]] || case ${verb:-inspect}:$current in
)",
      options, places, R"(  esac
  [[ $verb || $current = -* || $words ]] || words=')",
      join(verbs, " "), R"('
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o bashdefault -o default -F _cryograph cryograph
)");
}

// --- zsh ---

// "'--style[the kind of variables]:value:(ref resource)'"
std::string zsh_option(const OptionRow& option) {
  std::string text;
  for (const std::string& name : names_of(option)) {
    const std::string help = escaped(option.help, "[]:\\");
    std::string value;
    if (!option.value.empty()) {
      const Words values = values_of(option);
      const std::string action = !values.empty()      ? cat("(", join(values, " "), ")")
                                 : takes_file(option) ? "_files"
                                                      : " ";
      value = cat(":", escaped(option.value, ":"), ":", action);
    }
    const std::string spec = cat(option.list ? "*" : "", name, "[", help, "]", value);
    text += cat(" \\\n      ", quoted_word(spec));
  }
  return text;
}

std::string zsh_verb(const VerbRow& verb) {
  std::string text = cat("    ", verb.name, ")\n      _arguments");
  for_each_option(verb, [&](const OptionRow& option) { text += zsh_option(option); });
  const Words places = places_of(verb);
  if (!verb.alone) text += " \\\n      '*:file:_files'";
  if (!places.empty()) {
    text += cat(" \\\n      '", verb.alone ? "1" : "2", ":word:(", join(places, " "), ")'");
  }
  return cat(text, "\n      ;;\n");
}

std::string zsh_script() {
  std::string verbs;
  std::string cases;
  for (const VerbRow& verb : verb_table()) {
    verbs += cat("    ", quoted_word(cat(verb.name, ":", escaped(verb.summary, ":"))), "\n");
    cases += zsh_verb(verb);
  }
  return cat(R"(#compdef cryograph
# Completion of cryograph for zsh: a file _cryograph in a folder of $fpath.
_cryograph_verbs() {
  local -a verbs=(
)",
             verbs, R"(  )
  _describe verb verbs
  _files
}
_cryograph() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C '1:verb:_cryograph_verbs' '*::argument:->arguments'
  [[ $state = arguments ]] || return 0
  case $words[1] in
)",
             cases, R"(    *) _files ;;
  esac
}
if [[ $funcstack[1] = _cryograph ]]; then _cryograph "$@"; else compdef _cryograph cryograph; fi
)");
}

// --- fish ---

// "complete -c cryograph -n '__fish_seen_subcommand_from freeze' -l style -x -a 'ref resource' ..."
std::string fish_option(std::string_view when, const OptionRow& option) {
  std::string text = cat("complete -c cryograph -n '", when, "'");
  for (const std::string& name : names_of(option)) {
    const bool named = name.starts_with("--");
    text += cat(named ? " -l " : " -s ", name.substr(named ? 2 : 1));
  }
  const Words values = values_of(option);
  if (!values.empty()) {
    text += cat(" -x -a '", join(values, " "), "'");
  } else if (!option.value.empty()) {
    text += takes_file(option) ? " -r -F" : " -x";
  }
  return cat(text, " -d '", escaped(option.help, "\\'"), "'\n");
}

std::string fish_script() {
  std::string text = "# Completion of cryograph for fish.\n";
  for (const VerbRow& verb : verb_table()) {
    text += cat("complete -c cryograph -n __fish_use_subcommand -a ", verb.name, " -d '",
                escaped(verb.summary, "\\'"), "'\n");
  }
  for (const VerbRow& verb : verb_table()) {
    const std::string when = cat("__fish_seen_subcommand_from ", verb.name);
    for_each_option(verb, [&](const OptionRow& option) { text += fish_option(when, option); });
    const Words places = places_of(verb);
    if (places.empty()) continue;
    text += cat("complete -c cryograph -n '", when, "' ", verb.alone ? "-f " : "", "-a '",
                join(places, " "), "'\n");
  }
  return text;
}

}  // namespace

std::string completion_script(std::string_view shell) {
  if (shell == "bash") return bash_script();
  if (shell == "zsh") return zsh_script();
  return shell == "fish" ? fish_script() : "";
}

}  // namespace cryo
