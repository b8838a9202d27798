#include "handle.h"

#include "base/text.h"
#include "columns.h"
#include "commands/node_report.h"
#include "commands/options.h"
#include "commands/snippet.h"
#include "commands/text/outcome_text.h"
#include "named_tensor.h"
#include "passes/variables/listed_variables.h"
#include "passes/weights/extract.h"
#include "pieces.h"

namespace cryo {

using emscripten::val;

namespace {

Result<val> to_file(const OutputFile& file, std::string_view folder, PieceChecks& checks) {
  TRY(pieces, to_pieces(file.content, checks));
  val object = val::object();
  object.set("path", file.path.substr(folder.size()));
  object.set("size", static_cast<double>(file.content.size()));
  object.set("pieces", pieces);
  return object;
}

Result<val> to_files(const std::vector<OutputFile>& files, std::string_view folder,
                     PieceChecks& checks) {
  val list = val::array();
  for (const OutputFile& file : files) {
    TRY(object, to_file(file, folder, checks));
    list.call<void>("push", object);
  }
  return list;
}

Result<val> to_weight(const Tensor& tensor, PieceChecks& checks) {
  TRY(pieces, to_pieces(tensor.content, checks));
  val shape = val::array();
  for (const int64_t dim : tensor.shape.dims) shape.call<void>("push", static_cast<double>(dim));
  val object = val::object();
  object.set("dtype", dtype_name(tensor.dtype));
  object.set("shape", shape);
  object.set("pieces", pieces);
  return object;
}

Result<val> weight_of(const Model& model, const std::string& name, PieceChecks& checks) {
  TRY(tensor, named_tensor(model, name));
  return to_weight(tensor, checks);
}

val with_checks(val object, std::shared_ptr<PieceChecks> checks) {
  object.set("checks", val(std::move(checks)));
  return object;
}

// Formats that hold no graph take the weights, others the collections that they have.
Result<Model> model_to_write(const Model& model, const WriteOptions& options) {
  if (!model.has_graph) return model;
  if (!is_for_arrays(model, options)) return for_collections(model, options);
  Diagnostics unused;
  TRY(weights, extract_weights(model, {}, {}, nullptr, unused));
  return std::move(weights.model);
}

}  // namespace

val answer(const char* what, val value, const Outcome& outcome) {
  val object = val::object();
  object.set(what, value);
  object.set("report", to_string(outcome));
  object.set("status", static_cast<int>(outcome.status));
  return object;
}

Handle::Handle(Model model, Diagnostics opening, std::shared_ptr<const HostData> data,
               std::vector<std::string> outputs, bool signed_now)
    : model_(std::move(model)),
      opening_(std::move(opening)),
      data_(std::move(data)),
      outputs_(std::move(outputs)),
      signed_now_(signed_now) {}

val Handle::run(const std::string& verb, const std::string& options, const val& others) const {
  Result<Options> parsed = parse_options(options);
  if (!parsed) return answer("model", val::null(), cannot(verb, model_.name, parsed.error()));
  Diagnostics opening = opening_;
  std::vector<const Model*> models;
  for (const auto& other : emscripten::vecFromJSArray<std::shared_ptr<Handle>>(others)) {
    models.push_back(&other->model_);
    for (const Diagnostic& each : other->opening_.all()) opening.add(each);
  }
  parsed->others = std::move(models);
  parsed->compat = {data_->histories, data_->runtimes};
  Outcome outcome = run_verb(verb, model_, *parsed, data_->known_ops(), opening);
  if (!outcome.model) return answer("model", val::null(), outcome);
  auto made =
      std::make_shared<Handle>(std::move(*outcome.model), opening_, data_,
                               std::move(outcome.outputs), !parsed->edit.added_signatures.empty());
  return answer("model", val(std::move(made)), outcome);
}

val Handle::write(const std::string& options) const {
  const auto refused = [&](const Diagnostic& error) {
    return answer("files", val::null(), cannot("write", model_.name, error));
  };
  const Result<Options> parsed = parse_options(options);
  if (!parsed) return refused(parsed.error());
  const Status held = signed_now_ ? check_signatures_held(model_, parsed->write) : Unit{};
  if (!held) return refused(held.error());
  Diagnostics diagnostics;
  const Result<Model> model = model_to_write(model_, parsed->write);
  if (!model) return refused(model.error());
  const auto files = cryo::write(*model, parsed->write, diagnostics);
  if (!files) return refused(files.error());
  auto checks = std::make_shared<PieceChecks>(model_.checks);
  const Result<val> handed_over = to_files(*files, folder_of(parsed->write.out), *checks);
  if (!handed_over) return refused(handed_over.error());
  Outcome outcome{{"write", model_.name, diagnostics}};
  add_outputs(outcome.report, *files);
  add_checked(outcome.report, checks->count());
  if (parsed->snippet)
    add_snippet(outcome.report.members, {*model, parsed->write, outputs_, data_->known_ops()});
  return with_checks(answer("files", *handed_over, outcome), std::move(checks));
}

val Handle::draw(const std::string& options, std::shared_ptr<Handle> other) const {
  Result<Options> parsed = parse_options(options);
  if (!parsed) return answer("files", val::null(), cannot("draw", model_.name, parsed.error()));
  if (other != nullptr) parsed->others = {&other->model_};
  Outcome outcome = run_verb("draw", model_, *parsed, data_->known_ops(), opening_);
  auto checks = std::make_shared<PieceChecks>(CheckLists());
  const auto files = to_files(outcome.files, folder_of(parsed->write.out), *checks);
  if (!files) return answer("files", val::null(), cannot("draw", model_.name, files.error()));
  if (!outcome.files.empty()) add_outputs(outcome.report, outcome.files);
  return with_checks(answer("files", *files, outcome), std::move(checks));
}

val Handle::nodes(const std::string& function) const {
  const Result<NodeColumns> columns = node_columns(model_, function);
  if (!columns) {
    return answer("columns", val::null(), cannot("list", model_.name, columns.error()));
  }
  return answer("columns", to_columns(*columns), {{"list", model_.name}});
}

val Handle::node(const std::string& name, const std::string& function) const {
  Outcome outcome{{"node", model_.name}};
  const Status described =
      describe_node(model_, name, function, data_->known_ops(), outcome.report.members);
  if (!described) outcome = cannot("node", model_.name, described.error());
  return answer("node", val::null(), outcome);
}

val Handle::weight(const std::string& name) const {
  auto checks = std::make_shared<PieceChecks>(model_.checks);
  const Result<val> weight = weight_of(model_, name, *checks);
  if (!weight) {
    return answer("weight", val::null(), cannot("weight", model_.name, weight.error()));
  }
  return with_checks(answer("weight", *weight, {{"weight", model_.name}}), std::move(checks));
}

}  // namespace cryo
