// The core's interface for JavaScript. binding.ts declares the same as types, and describes each
// call.
#include <emscripten.h>
#include <emscripten/bind.h>
#include <google/protobuf/stubs/logging.h>

#include <memory>
#include <new>

#include "base/text.h"
#include "commands/explain.h"
#include "commands/session.h"
#include "formats/gathering.h"
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
std::shared_ptr<cryo::LoadedData>& loaded_data() {
  static auto data = std::make_shared<cryo::LoadedData>();
  return data;
}

bool set_ops(const std::string& op_list) {
  auto ops = cryo::OpRegistry::parse(op_list);
  if (ops) loaded_data()->host.ops = std::move(*ops);
  return ops.ok();
}

void set_releases(const std::string& histories, const std::string& runtimes) {
  cryo::LoadedData& data = *loaded_data();
  data.histories = histories;
  data.runtimes = runtimes;
  data.host.compat = {data.histories, data.runtimes};
}

cryo::Result<cryo::OpenModel> open_files(const val& files, const std::string& options,
                                         cryo::Diagnostics& diagnostics) {
  TRY(parsed, cryo::parse_options(options));
  std::vector<cryo::SourcePtr> sources;
  for (const val& file : emscripten::vecFromJSArray<val>(files)) {
    sources.push_back(std::make_shared<cryo::JsSource>(file));
  }
  return cryo::open_model(sources, parsed.open, diagnostics);
}

val open(const val& files, const std::string& options) {
  cryo::Diagnostics diagnostics;
  auto opened = open_files(files, options, diagnostics);
  if (!opened) {
    return answer("model", val::null(), cryo::cannot("open", "", opened.error(), diagnostics));
  }
  const cryo::Outcome outcome{{"open", opened->model.name, diagnostics}};
  auto handle = std::make_shared<Handle>(std::move(*opened), loaded_data());
  return answer("model", val(std::move(handle)), outcome);
}

// Gathering, for folders that JavaScript lists.
struct JsGathering {
  cryo::Gathering gathering = {};

  void add_below(const std::string& folder) { gathering.add_below(folder); }
  void add_siblings(const std::string& path) { gathering.add_siblings(path); }
  void add_file(const std::string& path) { gathering.add(path); }

  val next() {
    const auto folder = gathering.next();
    return folder ? val(*folder) : val::null();
  }

  void add(const val& files, const val& folders) {
    for (const auto& name : emscripten::vecFromJSArray<std::string>(files)) {
      if (!gathering.add_file(name)) break;
    }
    for (const auto& name : emscripten::vecFromJSArray<std::string>(folders)) {
      gathering.add_folder(name);
    }
  }

  val files() const {
    val names = val::array();
    for (const std::string& name : gathering.files()) names.call<void>("push", name);
    return names;
  }

  std::string capped() const { return gathering.capped(); }
};

std::shared_ptr<JsGathering> gathering() { return std::make_shared<JsGathering>(); }

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
  emscripten::class_<JsGathering>("Gathering")
      .smart_ptr<std::shared_ptr<JsGathering>>("GatheringPtr")
      .function("addBelow", &JsGathering::add_below)
      .function("addSiblings", &JsGathering::add_siblings)
      .function("addFile", &JsGathering::add_file)
      .function("next", &JsGathering::next)
      .function("add", &JsGathering::add)
      .function("files", &JsGathering::files)
      .function("capped", &JsGathering::capped);
  emscripten::class_<cryo::PieceChecks>("PieceChecks")
      .smart_ptr<std::shared_ptr<cryo::PieceChecks>>("PieceChecksPtr")
      .function("take", &cryo::PieceChecks::take)
      .function("finish", &cryo::PieceChecks::finish);
  emscripten::function("setOps", &set_ops);
  emscripten::function("setReleases", &set_releases);
  emscripten::function("gathering", &gathering);
  emscripten::function("open", &open);
  emscripten::function("explain", &explain);
}
