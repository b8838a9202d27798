// The npm command's interface to what is of command lines and terminals alone, as a module of its
// own: programs that use the core do not load it. command_binding.ts declares the same as types,
// and describes each call.
#include <emscripten.h>
#include <emscripten/bind.h>

#include "base/text.h"
#include "commands/command_line.h"
#include "commands/completion.h"
#include "commands/report.h"
#include "commands/text/diagnostics_text.h"
#include "commands/text/merged_reports.h"
#include "commands/text/progress_text.h"
#include "commands/text/report_text.h"

namespace {

using cryo::JsonTree;
using cryo::JsonWriter;
using cryo::Look;
using emscripten::val;

void write_line(JsonWriter& json, const cryo::CommandLine& line) {
  json.begin_object();
  json.members("verb", line.verb->name, "paths", line.paths, "others", line.others, "subject",
               line.subject, "nearVerb", line.near_verb, "toStandardOutput",
               cryo::is_to_standard_output(line));
  json.key("options");
  json.raw(cryo::json_of_given(line.options));
  json.end_object();
}

// {line: the command line, or null and a `report`; version: true, if only that is requested}
std::string command_line(const val& arguments) {
  const auto words = emscripten::vecFromJSArray<std::string>(arguments);
  const auto line = cryo::parse_command_line(words);
  const cryo::PrintOptions printing = cryo::print_options(words);
  JsonWriter json;
  json.begin_object();
  json.key("line");
  if (line && !line->version) {
    write_line(json, *line);
  } else {
    json.null();
  }
  json.member("version", line && line->version);
  json.key("printing");
  json.object("json", printing.json, "quiet", printing.quiet, "verbose", printing.verbose, "github",
              printing.github, "color", printing.color);
  if (!line) {
    cryo::Report report;
    report.diagnostics.add(line.error());
    json.member("report", report);
  }
  json.end_object();
  return json.take();
}

std::string usage(const std::string& verb, size_t width) {
  return cryo::help_text(cryo::find_verb(verb), width);
}

std::string completion(const std::string& shell) { return cryo::completion_script(shell); }

std::string text(const std::string& report, const Look& look) {
  const auto tree = JsonTree::parse(report, "");
  return tree ? cryo::report_text(tree->root(), look) : "";
}

std::string heading(const std::string& path, const Look& look) {
  return cryo::heading_text(path, look);
}

std::string diagnostics(const std::string& report, const Look& look, const std::string& path) {
  const auto tree = JsonTree::parse(report, "");
  return tree ? cryo::diagnostics_text(tree->root(), look, path) : "";
}

std::string annotations(const std::string& report, const Look& look, const std::string& path) {
  const auto tree = JsonTree::parse(report, "");
  return tree ? cryo::annotations_text(tree->root(), look, path) : "";
}

std::string progress(const std::string& doing, double done, double total, double seconds,
                     size_t width) {
  return cryo::progress_text(
      {doing, static_cast<uint64_t>(done), static_cast<uint64_t>(total), seconds}, width);
}

// Merges the reports of one command's steps: the first, with the additions of later ones.
std::string merge(const std::string& reports) {
  const auto tree = JsonTree::parse(reports, "");
  return tree ? cryo::merged_reports(tree->root()) : "";
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
