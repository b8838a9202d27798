// The core's interface for JavaScript. binding.ts declares the same as types, and describes each
// call.
#include <emscripten.h>
#include <emscripten/bind.h>
#include <google/protobuf/stubs/logging.h>

#include <new>

#include "base/text.h"
#include "commands/command_line.h"
#include "commands/explain.h"
#include "commands/options.h"
#include "commands/text/report_text.h"
#include "formats/open.h"
#include "handle.h"
#include "js_source.h"
#include "pieces.h"

namespace {

using cryo::Handle;
using cryo::Json;
using emscripten::val;

// Without exceptions `new` would hand out nullptr. This ends the instance instead; the loader makes
// another.
EM_JS(void, end_for_want_of_memory, (), { abort("out of memory"); });

// One for an instance of the module.
std::shared_ptr<const cryo::OpRegistry>& op_registry() {
  static std::shared_ptr<const cryo::OpRegistry> ops;
  return ops;
}

bool set_ops(const std::string& op_list) {
  auto ops = cryo::OpRegistry::parse(op_list);
  if (ops) op_registry() = std::make_shared<cryo::OpRegistry>(std::move(*ops));
  return ops.ok();
}

cryo::Result<cryo::Model> open_files(const val& files, const std::string& options,
                                     cryo::Diagnostics& diagnostics) {
  TRY(parsed, cryo::parse_options(options));
  std::vector<cryo::SourcePtr> sources;
  for (const val& file : emscripten::vecFromJSArray<val>(files)) {
    sources.push_back(std::make_shared<cryo::JsSource>(file));
  }
  return cryo::open(sources, parsed.open, diagnostics);
}

val open(const val& files, const std::string& options) {
  cryo::Diagnostics diagnostics;
  auto model = open_files(files, options, diagnostics);
  if (!model) {
    return answer("model", val::null(), cryo::cannot("open", "", model.error(), diagnostics));
  }
  const cryo::Outcome outcome{cryo::new_report("open", model->name, diagnostics)};
  auto handle = std::make_shared<Handle>(std::move(*model), std::move(diagnostics), op_registry());
  return answer("model", val(std::move(handle)), outcome);
}

cryo::Options options_of(const std::string& json) {
  auto options = cryo::parse_options(json);
  return options ? std::move(*options) : cryo::Options();
}

std::string text(const std::string& report, const std::string& options) {
  return cryo::report_text(Json::parse(report), options_of(options).verbose);
}

std::string diagnostics(const std::string& report, const std::string& options) {
  const cryo::Options chosen = options_of(options);
  return cryo::diagnostics_text(Json::parse(report), chosen.quiet, chosen.verbose);
}

std::string usage(const std::string& verb, size_t width) {
  return cryo::help_text(cryo::find_verb(verb), width);
}

// {line: {"verb", "path", "other", "options"} as JSON, or null}
val command_line(const val& arguments) {
  const auto line = cryo::parse_command_line(emscripten::vecFromJSArray<std::string>(arguments));
  if (!line) return answer("line", val::null(), cryo::cannot("", "", line.error()));
  const Json json = {{"verb", line->verb->name},
                     {"path", line->path},
                     {"other", line->other.empty() ? Json(nullptr) : Json(line->other)},
                     {"options", line->options}};
  return answer("line", val(cryo::to_string(json)), cryo::Outcome());
}

val explain(const std::string& code) { return answer("model", val::null(), cryo::explain(code)); }

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

EMSCRIPTEN_BINDINGS(cryograph) {
  std::set_new_handler(end_for_want_of_memory);
  google::protobuf::SetLogHandler(nullptr);  // Cryograph reports the errors itself
  emscripten::class_<Handle>("Handle")
      .smart_ptr<std::shared_ptr<Handle>>("HandlePtr")
      .function("run", &Handle::run)
      .function("write", &Handle::write)
      .function("draw", &Handle::draw)
      .function("nodes", &Handle::nodes)
      .function("node", &Handle::node)
      .function("weight", &Handle::weight);
  emscripten::class_<cryo::PieceChecks>("PieceChecks")
      .smart_ptr<std::shared_ptr<cryo::PieceChecks>>("PieceChecksPtr")
      .function("take", &cryo::PieceChecks::take)
      .function("finish", &cryo::PieceChecks::finish);
  emscripten::function("setOps", &set_ops);
  emscripten::function("open", &open);
  emscripten::function("commandLine", &command_line);
  emscripten::function("usage", &usage);
  emscripten::function("text", &text);
  emscripten::function("diagnostics", &diagnostics);
  emscripten::function("merge", &merge);
  emscripten::function("explain", &explain);
}
