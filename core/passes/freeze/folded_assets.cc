#include "passes/freeze/folded_assets.h"

#include <algorithm>
#include <map>

#include "base/reference.h"
#include "base/text.h"
#include "base/utf8.h"
#include "graph/edges.h"
#include "graph/fresh_names.h"
#include "graph/node_editor.h"
#include "graph/pass_through.h"
#include "model/meta.h"
#include "tensor/number_text.h"
#include "wire/fields.h"

namespace cryo {
namespace {

// Special values of key_index and value_index; others are a column's number.
constexpr int64_t kWholeLine = -2, kLineNumber = -1;

// How a node of the kind reads its file.
struct Reading {
  const Node* node = nullptr;
  std::string file = {};
  char delimiter = '\t';
  int64_t lines = -1;  // as many as there are
  int64_t offset = 0;  // of line numbers
  DType key_type = DType::kInvalid;
  DType value_type = DType::kInvalid;
};

// The keys or the values of a file.
class Column {
 public:
  Column(DType dtype, int64_t index, int64_t offset)
      : dtype_(dtype), index_(index), offset_(offset) {}

  bool needs_columns() const { return index_ >= 0; }

  // Returns false if the line has no such value.
  bool add(std::string_view line, const std::vector<std::string_view>& columns, int64_t number) {
    const bool has = index_ < 0 || static_cast<size_t>(index_) < columns.size();
    if (!has) return false;
    if (index_ == kLineNumber) return add_text(std::to_string(number + offset_));
    return add_text(index_ == kWholeLine ? line : columns[static_cast<size_t>(index_)]);
  }

  // A vector of all that was added, as TensorProto.
  std::string tensor(int64_t count) const {
    std::string dim;
    std::string shape;
    std::string proto;
    put_varint_field(dim, fields::TensorShapeProto::Dim::kSize, static_cast<uint64_t>(count));
    put_bytes_field(shape, fields::TensorShapeProto::kDim, dim);
    put_varint_field(proto, fields::TensorProto::kDtype, static_cast<uint64_t>(dtype_));
    put_bytes_field(proto, fields::TensorProto::kTensorShape, shape);
    if (dtype_ == DType::kString) return proto + content_;
    put_bytes_field(proto, fields::TensorProto::kTensorContent, content_);
    return proto;
  }

 private:
  bool add_text(std::string_view text) {
    if (dtype_ != DType::kString) {
      const size_t first = std::min(text.find_first_not_of(" \t\v\f"), text.size());
      const size_t end = text.find_last_not_of(" \t\v\f") + 1;
      const std::string number(text.substr(first, std::max(first, end) - first));
      return has_number_text(dtype_) && append_number(dtype_, number, content_);
    }
    put_bytes_field(content_, fields::TensorProto::kStringVal, text);
    return true;
  }

  const DType dtype_;
  const int64_t index_;
  const int64_t offset_;
  std::string content_;  // of strings the records
};

// Takes the next line, without its end and without any carriage return. False at the end.
bool take_line(std::string_view& text, std::string& line) {
  if (text.empty()) return false;
  const size_t end = std::min(text.find('\n'), text.size());
  line = text.substr(0, end);
  line.erase(std::remove(line.begin(), line.end(), '\r'), line.end());
  text.remove_prefix(std::min(end + 1, text.size()));
  return true;
}

using AssetFiles = std::map<uint32_t, std::string>;  // by the node that is its path

Failure bad_file(const Reading& reading, std::string_view what) {
  return failure("bad-asset", cat("'", reading.file, "': ", what),
                 {.file = reading.file, .node = reading.node->name},
                 "repair the file, or do without " OPTION("--fold-assets", ""));
}

uint32_t source_node(const Model& model, const Edge& edge) {
  return skip_identities(model.graph.nodes(), model.graph.index().edges(), edge).node;
}

// Returns nullopt for any other node, or if the path is not an asset's.
std::optional<Reading> reading_of(const Model& model, const AssetFiles& files, uint32_t node) {
  const Node& at = model.graph.nodes()[node];
  if (!at.op.starts_with("InitializeTableFromTextFile") ||
      model.graph.index().edges().inputs(node).size() < 2) {
    return std::nullopt;
  }
  const uint32_t table = source_node(model, model.graph.index().edges().inputs(node)[0]);
  const auto file = files.find(source_node(model, model.graph.index().edges().inputs(node)[1]));
  if (table == kNoNode || file == files.end()) return std::nullopt;
  Reading reading{&at, file->second};
  const auto delimiter = string_attr(at, "delimiter");
  if (delimiter && delimiter->size() == 1) reading.delimiter = delimiter->front();
  reading.lines = int_attr(at, "vocab_size").value_or(-1);
  reading.offset = int_attr(at, "offset").value_or(0);
  reading.key_type =
      static_cast<DType>(type_attr(model.graph.nodes()[table], "key_dtype").value_or(0));
  reading.value_type =
      static_cast<DType>(type_attr(model.graph.nodes()[table], "value_dtype").value_or(0));
  return reading;
}

Result<std::string> text_of(const Model& model, const Reading& reading) {
  if (model.saved_model != nullptr) {
    for (const SavedModelParts::File& file : model.saved_model->others) {
      if (file.path != reading.file) continue;
      if (file.source->size() > kMaxMessageBytes) return bad_file(reading, "it is over 2 GiB");
      return read_up_to(*file.source, 0, file.source->size());
    }
  }
  return bad_file(reading, "the SavedModel does not have the file");
}

std::string add_column(std::string_view name, DType dtype, std::string tensor,
                       GraphBuilder& builder, FreshNames& fresh) {
  const std::string made = fresh.take(std::string(name));
  builder.add(constant_node(made, dtype, tensor).finish());
  return made;
}

// The file as the two columns of a table's content.
Result<int64_t> read_columns(const Model& model, const Reading& reading, Column& keys,
                             Column& values) {
  TRY(text, text_of(model, reading));
  std::string_view rest = text;
  std::string line;
  int64_t number = 0;
  for (; number != reading.lines && take_line(rest, line); ++number) {
    std::vector<std::string_view> columns;
    if (keys.needs_columns() || values.needs_columns()) columns = split(line, reading.delimiter);
    if (!keys.add(line, columns, number) || !values.add(line, columns, number)) {
      return bad_file(
          reading, cat("line ", number + 1, " (", quoted(line.substr(0, 80)),
                       ") does not hold a key and a value of types ", dtype_name(reading.key_type),
                       " and ", dtype_name(reading.value_type)));
    }
  }
  if (reading.lines >= 0 && number < reading.lines) {
    return bad_file(reading, cat("it has ", number, " lines of ", reading.lines));
  }
  return number;
}

Status fold_table(const Model& model, GraphBuilder& builder, const Reading& reading,
                  FreshNames& fresh) {
  const Node& node = *reading.node;
  Column keys(reading.key_type, int_attr(node, "key_index").value_or(0), reading.offset);
  Column values(reading.value_type, int_attr(node, "value_index").value_or(0), reading.offset);
  TRY(count, read_columns(model, reading, keys, values));
  NodeEditor editor(node);
  auto& inputs = editor.inputs();
  inputs[1] =
      add_column(cat(node.name, "/keys"), reading.key_type, keys.tensor(count), builder, fresh);
  inputs.insert(inputs.begin() + 2, add_column(cat(node.name, "/values"), reading.value_type,
                                               values.tensor(count), builder, fresh));
  for (const std::string_view attr :
       {"vocab_size", "key_index", "value_index", "delimiter", "offset"}) {
    editor.erase_attr(attr);
  }
  editor.set_op(node.op.ends_with("V2") ? "InitializeTableV2" : "InitializeTable");
  editor.set_attr("Tkey", type_value(reading.key_type));
  editor.set_attr("Tval", type_value(reading.value_type));
  builder.add(editor.finish());
  return Unit{};
}

}  // namespace

Result<Model> fold_assets(const Model& model, Diagnostics& diagnostics) {
  AssetFiles files;
  for (const tensorflow::AssetFileDef& asset : assets_of(parse_meta(model))) {
    const TensorName tensor = parse_tensor_name(asset.tensor_info().name());
    files.emplace(model.graph.index().names().find(tensor.node), cat("assets/", asset.filename()));
  }
  FreshNames fresh(model.graph.index().names());
  GraphBuilder builder(model.graph);
  for (uint32_t i = 0; i < model.graph.nodes().size(); ++i) {
    const auto reading = reading_of(model, files, i);
    if (!reading) {
      builder.add(model.graph.nodes()[i]);
      continue;
    }
    CHECK_OK(fold_table(model, builder, *reading, fresh));
    diagnostics.note("asset-folded",
                     cat("what '", reading->file, "' holds is now in the graph, as constants of '",
                         model.graph.nodes()[i].name, "'"),
                     {.file = reading->file, .node = model.graph.nodes()[i].name});
  }
  builder.add_functions_of(model.graph);
  Model folded = model;
  folded.graph = builder.finish();
  return folded;
}

}  // namespace cryo
