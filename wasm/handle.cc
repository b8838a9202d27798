#include "handle.h"

#include "base/text.h"
#include "columns.h"
#include "commands/node_report.h"
#include "commands/text/outcome_text.h"
#include "named_tensor.h"
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

}  // namespace

val answer(const char* what, val value, const Outcome& outcome) {
  val object = val::object();
  object.set(what, value);
  object.set("report", to_string(outcome));
  object.set("status", static_cast<int>(outcome.status));
  return object;
}

Handle::Handle(OpenModel opened, std::shared_ptr<const LoadedData> data)
    : opened_(std::move(opened)), data_(std::move(data)) {}

val Handle::run(const std::string& verb, const std::string& options, const val& others) const {
  const Result<Options> parsed = parse_options(options);
  if (!parsed) return answer("model", val::null(), cannot(verb, name(), parsed.error()));
  // These keep the others alive.
  const auto handles = emscripten::vecFromJSArray<std::shared_ptr<Handle>>(others);
  std::vector<const OpenModel*> models;
  for (const auto& handle : handles) models.push_back(&handle->opened_);
  Outcome outcome = run_on(opened_, verb, *parsed, models, data_->host);
  if (!outcome.model) return answer("model", val::null(), outcome);
  auto made = std::make_shared<Handle>(taken_model(outcome, opened_, *parsed), data_);
  return answer("model", val(std::move(made)), outcome);
}

val Handle::write(const std::string& options) const {
  const auto refused = [&](const Diagnostic& error) {
    return answer("files", val::null(), cannot("write", name(), error));
  };
  const Result<Options> parsed = parse_options(options);
  if (!parsed) return refused(parsed.error());
  Outcome outcome{{"write", name()}};
  const Result<OutputSet> set = files_of(opened_, *parsed, outcome.report.diagnostics);
  if (!set) return refused(set.error());
  auto checks = std::make_shared<PieceChecks>(set->checks);
  const Result<val> files = to_files(set->files, folder_of(parsed->write.out), *checks);
  if (!files) return refused(files.error());
  add_written(outcome.report, *set, checks->count());
  add_requested_snippet(outcome.report, *set, opened_.outputs, *parsed, data_->host);
  return with_checks(answer("files", *files, outcome), std::move(checks));
}

val Handle::draw(const std::string& options, std::shared_ptr<Handle> other) const {
  const Result<Options> parsed = parse_options(options);
  if (!parsed) return answer("files", val::null(), cannot("draw", name(), parsed.error()));
  std::vector<const OpenModel*> others;
  if (other != nullptr) others.push_back(&other->opened_);
  Outcome outcome = run_on(opened_, "draw", *parsed, others, data_->host);
  auto checks = std::make_shared<PieceChecks>(CheckLists());
  const Result<val> files = to_files(outcome.files, folder_of(parsed->write.out), *checks);
  if (!files) return answer("files", val::null(), cannot("draw", name(), files.error()));
  if (!outcome.files.empty()) add_written(outcome.report, {outcome.files}, checks->count());
  return with_checks(answer("files", *files, outcome), std::move(checks));
}

val Handle::nodes(const std::string& function) const {
  const Result<NodeColumns> columns = node_columns(opened_.model, function);
  if (!columns) {
    return answer("columns", val::null(), cannot("list", name(), columns.error()));
  }
  return answer("columns", to_columns(*columns), {{"list", name()}});
}

val Handle::node(const std::string& node, const std::string& function) const {
  Outcome outcome{{"node", name()}};
  const Status described =
      describe_node(opened_.model, node, function, data_->host.known_ops(), outcome.report.members);
  if (!described) outcome = cannot("node", name(), described.error());
  return answer("node", val::null(), outcome);
}

val Handle::weight(const std::string& weight) const {
  auto checks = std::make_shared<PieceChecks>(opened_.model.checks);
  const Result<val> found = weight_of(opened_.model, weight, *checks);
  if (!found) {
    return answer("weight", val::null(), cannot("weight", name(), found.error()));
  }
  return with_checks(answer("weight", *found, {{"weight", name()}}), std::move(checks));
}

}  // namespace cryo
