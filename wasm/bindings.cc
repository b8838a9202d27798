// The core's interface for JavaScript. binding.ts declares the same as types, and describes each
// call.
#include <emscripten.h>
#include <emscripten/bind.h>
#include <google/protobuf/stubs/logging.h>

#include <new>

#include "base/text.h"
#include "commands/explain.h"
#include "commands/options.h"
#include "formats/gathering.h"
#include "formats/open.h"
#include "handle.h"
#include "js_source.h"
#include "pieces.h"

namespace {

using cryo::Handle;
using emscripten::val;

// Without exceptions `new` would hand out nullptr. This ends the instance instead; the loader makes
// another.
EM_JS(void, end_for_want_of_memory, (), { abort("out of memory"); });

// One for an instance of the module.
std::shared_ptr<cryo::HostData>& host_data() {
  static auto data = std::make_shared<cryo::HostData>();
  return data;
}

bool set_ops(const std::string& op_list) {
  auto ops = cryo::OpRegistry::parse(op_list);
  if (ops) host_data()->ops = std::move(*ops);
  return ops.ok();
}

void set_releases(const std::string& histories, const std::string& runtimes) {
  host_data()->histories = histories;
  host_data()->runtimes = runtimes;
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
  auto handle = std::make_shared<Handle>(std::move(*model), std::move(diagnostics), host_data());
  return answer("model", val(std::move(handle)), outcome);
}

// Chooses the files in which a model may be, in folders that JavaScript lists: {"folder", "file",
// "isThere", "checkpoint", "listed": {"models/": [[files], [folders]]}}. Returns {"list": [...]},
// the folders that are not listed yet; if all are, {"files": [...], "warning": {...}}.
std::string gather(const std::string& request) {
  const cryo::Json asked = cryo::Json::parse(request);
  cryo::Gathering gathering;
  const std::string file = asked.value("file", "");
  if (asked.contains("folder")) gathering.add_below(asked["folder"]);
  if (asked.contains("file")) gathering.add_siblings(file);
  if (asked.value("isThere", false)) gathering.add(file);
  if (asked.contains("checkpoint")) gathering.add_siblings(std::string(asked["checkpoint"]));
  cryo::Json unlisted = cryo::Json::array();
  while (const auto folder = gathering.next()) {
    const auto found = asked["listed"].find(*folder);
    if (found == asked["listed"].end()) {
      unlisted.push_back(*folder);
      continue;
    }
    for (const std::string name : (*found)[0]) {
      if (!gathering.add_file(name)) break;
    }
    for (const std::string name : (*found)[1]) gathering.add_folder(name);
  }
  if (!unlisted.empty()) return cryo::to_string({{"list", unlisted}});
  cryo::Json chosen = {{"files", gathering.files()}};
  if (const auto warning = gathering.warning()) chosen["warning"] = cryo::to_json(*warning);
  return cryo::to_string(chosen);
}

val explain(const std::string& code) { return answer("model", val::null(), cryo::explain(code)); }

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
  emscripten::function("setReleases", &set_releases);
  emscripten::function("gather", &gather);
  emscripten::function("open", &open);
  emscripten::function("explain", &explain);
}
