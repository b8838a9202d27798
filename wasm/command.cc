// The npm command's interface to what is of command lines and terminals alone, as a module of its
// own: programs that use the core do not load it. command_binding.ts declares the same as types,
// and describes each call.
#include <emscripten.h>
#include <emscripten/bind.h>

#include "base/text.h"
#include "commands/command_line.h"
#include "commands/completion.h"
#include "commands/text/diagnostics_text.h"
#include "commands/text/progress_text.h"
#include "commands/text/report_text.h"

namespace {

using cryo::Json;
using cryo::Look;
using emscripten::val;

Json to_json(const cryo::CommandLine& line) {
  return {{"verb", line.verb->name},    {"paths", line.paths},
          {"others", line.others},      {"subject", line.subject},
          {"nearVerb", line.near_verb}, {"toStandardOutput", cryo::is_to_standard_output(line)},
          {"options", line.options}};
}

Json to_json(const cryo::PrintOptions& options) {
  return {{"json", options.json},
          {"quiet", options.quiet},
          {"verbose", options.verbose},
          {"github", options.github},
          {"color", options.color}};
}

// {line: the command line, or null and a `report`; version: true, if only that is requested}
std::string command_line(const val& arguments) {
  const auto words = emscripten::vecFromJSArray<std::string>(arguments);
  const auto line = cryo::parse_command_line(words);
  Json json = {{"line", nullptr},
               {"version", line && line->version},
               {"printing", to_json(cryo::print_options(words))}};
  if (!line) {
    cryo::Diagnostics diagnostics;
    diagnostics.add(line.error());
    json["report"] = cryo::new_report("", "", diagnostics);
  } else if (!line->version) {
    json["line"] = to_json(*line);
  }
  return cryo::to_string(json);
}

std::string usage(const std::string& verb, size_t width) {
  return cryo::help_text(cryo::find_verb(verb), width);
}

std::string completion(const std::string& shell) { return cryo::completion_script(shell); }

std::string text(const std::string& report, const Look& look) {
  return cryo::report_text(Json::parse(report), look);
}

std::string heading(const std::string& path, const Look& look) {
  return cryo::heading_text(path, look);
}

std::string diagnostics(const std::string& report, const Look& look, const std::string& path) {
  return cryo::diagnostics_text(Json::parse(report), look, path);
}

std::string annotations(const std::string& report, const Look& look, const std::string& path) {
  return cryo::annotations_text(Json::parse(report), look, path);
}

std::string progress(const std::string& doing, double done, double total, double seconds,
                     size_t width) {
  return cryo::progress_text(
      {doing, static_cast<uint64_t>(done), static_cast<uint64_t>(total), seconds}, width);
}

// Merges the reports of one command's steps: the first, with the additions of later ones.
std::string merge(const std::string& reports) {
  Json merged = Json::object();
  for (const Json& report : Json::parse(reports)) {
    for (const auto& member : report.items()) {
      Json& to = merged[member.key()];
      if (to.is_null()) {
        to = member.value();
      } else if (member.key() == "diagnostics") {
        to.insert(to.end(), member.value().begin(), member.value().end());
      }
    }
  }
  return cryo::to_string(merged);
}

}  // namespace

EMSCRIPTEN_BINDINGS(cryograph_command) {
  emscripten::value_object<Look>("Look")
      .field("quiet", &Look::quiet)
      .field("verbose", &Look::verbose)
      .field("color", &Look::color)
      .field("width", &Look::width);
  emscripten::function("commandLine", &command_line);
  emscripten::function("usage", &usage);
  emscripten::function("completion", &completion);
  emscripten::function("text", &text);
  emscripten::function("heading", &heading);
  emscripten::function("diagnostics", &diagnostics);
  emscripten::function("annotations", &annotations);
  emscripten::function("progress", &progress);
  emscripten::function("merge", &merge);
}
