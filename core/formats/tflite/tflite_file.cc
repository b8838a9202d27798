#include "formats/tflite/tflite_file.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "base/utf8.h"
#include "formats/tflite/tflite_schema.h"

namespace cryo {
namespace {

constexpr uint32_t kTables = 4;  // bytes of an element in a vector of tables or texts
constexpr std::string_view kDamagedFile =
    "the file is damaged or incomplete: copy or download it again";

class TfliteFileReader {
 public:
  explicit TfliteFileReader(const SourcePtr& source) : source_(source) {
    file_.bytes = std::make_shared<FlatBuffer>(whole(source));
  }

  Result<TfliteFile> read();

 private:
  struct Code {
    std::string_view name;
    bool is_custom;
  };

  Status check(const FlatTable& table, bool fits, std::string_view message) const;
  Status check() const;
  Status read_codes(const FlatTable& model);
  Status read_buffers(const FlatTable& model);
  void read_external(const FlatTable& model);
  Status read_metadata(const FlatTable& model);
  Status read_signatures(const FlatTable& model);
  Result<TfliteSubgraph> read_subgraph(const FlatTable& table);
  Result<TfliteTensor> read_tensor(const FlatTable& table);
  TfliteQuantization read_quantization(const FlatTable& table) const;
  Result<TfliteOperator> read_operator(const FlatTable& table, const TfliteSubgraph& graph);
  Status check_order(const FlatTable& table, const TfliteSubgraph& graph) const;

  SourcePtr source_;
  TfliteFile file_;
  std::vector<Code> codes_;
  std::vector<Slice> buffers_;
  std::vector<std::pair<uint32_t, std::string>> external_;  // id, name of the file
};

Status TfliteFileReader::check(const FlatTable& table, bool fits, std::string_view message) const {
  CHECK_OK(check());
  if (fits) return Unit{};
  return failure("bad-tflite", message, {.file = source_->name(), .offset = table.at()},
                 kDamagedFile);
}

Status TfliteFileReader::check() const {
  if (file_.bytes->ok()) return Unit{};
  return file_.bytes->error();
}

Status TfliteFileReader::read_codes(const FlatTable& model) {
  using Fields = tflite::OperatorCode;
  const FlatVector all = model.vector(tflite::Model::kOperatorCodes, kTables);
  const auto names = tflite_operator_names();
  file_.custom_codes.reserve(static_cast<size_t>(all.count));
  for (uint64_t i = 0; i < all.count && file_.bytes->ok(); ++i) {
    const FlatTable table = all.table(i);
    // Up to 2.3 there was only a byte, which is 127 for all later operators.
    const auto old = static_cast<int8_t>(table.number(Fields::kDeprecatedBuiltinCode, 1));
    const int32_t code = std::max<int32_t>(old, table.int32(Fields::kBuiltinCode));
    if (code == tflite::BuiltinOperator::kCUSTOM) {
      file_.custom_codes.push_back(table.text(Fields::kCustomCode));
      codes_.push_back({file_.custom_codes.back(), true});
      continue;
    }
    CHECK_OK(check(table, code >= 0 && static_cast<size_t>(code) < names.size(),
                   cat("expected the code of an operator; found ", code)));
    codes_.push_back({names[static_cast<size_t>(code)], false});
  }
  return check();
}

// Bytes are in the FlatBuffer, or after it in files over 2 GB.
Status TfliteFileReader::read_buffers(const FlatTable& model) {
  using Fields = tflite::Buffer;
  const FlatVector all = model.vector(tflite::Model::kBuffers, kTables);
  for (uint64_t i = 0; i < all.count && file_.bytes->ok(); ++i) {
    const FlatTable table = all.table(i);
    const FlatVector data = table.vector(Fields::kData, 1);
    const uint64_t offset = table.number(Fields::kOffset, 8);
    const uint64_t size = table.number(Fields::kSize, 8);
    const uint64_t whole_size = file_.bytes->size();
    buffers_.emplace_back();
    if (data.count > 0) {
      buffers_.back() = data.slice();
    } else if (offset > 1 && size > 0) {
      CHECK_OK(
          check(table, size <= whole_size && offset <= whole_size - size,
                cat("expected a buffer inside of the file; found ", size, " bytes at ", offset)));
      buffers_.back() = file_.bytes->slice(offset, size);
    }
  }
  return check();
}

void TfliteFileReader::read_external(const FlatTable& model) {
  using Fields = tflite::ExternalBuffer;
  const FlatVector groups = model.vector(tflite::Model::kExternalBufferGroups, kTables);
  const FlatVector all = model.vector(tflite::Model::kExternalBuffers, kTables);
  for (uint64_t i = 0; i < all.count && file_.bytes->ok(); ++i) {
    const FlatTable table = all.table(i);
    const uint64_t group = table.number(Fields::kGroup, 4);
    std::string name;
    if (group < groups.count) name = groups.table(group).text(tflite::ExternalBufferGroup::kName);
    external_.emplace_back(static_cast<uint32_t>(table.number(Fields::kId, 4)), std::move(name));
  }
}

Status TfliteFileReader::read_metadata(const FlatTable& model) {
  using Fields = tflite::Metadata;
  const FlatVector all = model.vector(tflite::Model::kMetadata, kTables);
  for (uint64_t i = 0; i < all.count && file_.bytes->ok(); ++i) {
    const FlatTable table = all.table(i);
    const auto buffer = static_cast<size_t>(table.number(Fields::kBuffer, 4));
    CHECK_OK(check(table, buffer < buffers_.size(), "expected the number of a buffer"));
    file_.metadata.emplace_back(table.text(Fields::kName), buffers_[buffer]);
    const Slice& content = file_.metadata.back().second;
    if (file_.metadata.back().first != "min_runtime_version" || content.source == nullptr) continue;
    TRY(version, read_up_to(*content.source, content.offset, std::min<uint64_t>(content.size, 16)));
    file_.runtime_version = version.substr(0, version.find('\0'));
  }
  return check();
}

TfliteQuantization TfliteFileReader::read_quantization(const FlatTable& table) const {
  using Fields = tflite::QuantizationParameters;
  TfliteQuantization read;
  read.scales = table.floats(Fields::kScale);
  read.zero_points = table.longs(Fields::kZeroPoint);
  read.axis = table.int32(Fields::kQuantizedDimension);
  if (read.zero_points.size() < read.scales.size()) read.zero_points.resize(read.scales.size());
  const uint64_t details = table.number(Fields::kDetailsType, 1);
  if (details == tflite::QuantizationDetails::kBlockwiseQuantization) {
    const FlatTable blocks = table.table(Fields::kDetails);
    read.block_scales = blocks.int32(tflite::BlockwiseQuantization::kScales);
    read.block_zeros = blocks.int32(tflite::BlockwiseQuantization::kZeroPoints);
    read.block = std::max(blocks.int32(tflite::BlockwiseQuantization::kBlockSize), 0);
  }
  read.is_unknown = details != 0 && read.block == 0;
  return read;
}

Shape shape_of_ints(const std::vector<int32_t>& dims) {
  Shape shape;
  shape.dims.assign(dims.begin(), dims.end());
  return shape;
}

Result<TfliteTensor> TfliteFileReader::read_tensor(const FlatTable& table) {
  using Fields = tflite::Tensor;
  TfliteTensor tensor;
  tensor.name = table.text(Fields::kName);
  tensor.type = static_cast<int32_t>(table.number(Fields::kType, 1));
  tensor.shape = shape_of_ints(table.ints(Fields::kShape));
  const std::vector<int32_t> signature = table.ints(Fields::kShapeSignature);
  tensor.signature = signature.empty() ? tensor.shape : shape_of_ints(signature);
  tensor.is_variable = table.number(Fields::kIsVariable, 1) != 0;
  tensor.sparsity = table.table(Fields::kSparsity);
  tensor.quantization = read_quantization(table.table(Fields::kQuantization));
  const auto buffer = static_cast<size_t>(table.number(Fields::kBuffer, 4));
  CHECK_OK(check(table, buffer == 0 || buffer < buffers_.size(), "expected a buffer's number"));
  if (buffer < buffers_.size()) tensor.content = buffers_[buffer];
  const uint64_t external = table.number(Fields::kExternalBuffer, 4);
  for (const auto& [id, name] : external_) {
    if (external != 0 && id == external) tensor.external = name;
  }
  const bool has_rank = table.number(Fields::kHasRank, 1) != 0;
  if (tensor.shape.dims.empty() && signature.empty() && !has_rank && !tensor.is_constant()) {
    tensor.signature.unknown_rank = true;
  }
  const auto is_size = [](int64_t size) { return size >= 0; };
  const auto is_unknown_size = [](int64_t size) { return size >= -1; };
  const auto& dims = tensor.shape.dims;
  const auto& of_signature = tensor.signature.dims;
  const bool fits = std::all_of(dims.begin(), dims.end(), is_size) &&
                    std::all_of(of_signature.begin(), of_signature.end(), is_unknown_size) &&
                    dims.size() <= kMaxDims && of_signature.size() <= kMaxDims &&
                    element_count(tensor.shape);
  CHECK_OK(check(table, fits, cat("expected a shape; found ", to_text(tensor.shape))));
  CHECK_OK(check(table, find_dtype(dtype_of_tflite(tensor.type)) != nullptr,
                 cat("expected the type of a tensor; found ", tensor.type)));
  return tensor;
}

bool are_tensors(const std::vector<int32_t>& indices, const TfliteSubgraph& graph, int32_t least) {
  return std::all_of(indices.begin(), indices.end(), [&](int32_t index) {
    return index >= least && (index < 0 || static_cast<size_t>(index) < graph.tensors.size());
  });
}

TfliteOptions options_of(const FlatTable& table) {
  using Fields = tflite::Operator;
  const auto first = static_cast<size_t>(table.number(Fields::kBuiltinOptionsType, 1));
  const auto second = static_cast<size_t>(table.number(Fields::kBuiltinOptions2Type, 1));
  const auto tables = tflite_option_tables();
  const auto tables_2 = tflite_option_tables_2();
  if (second != 0 && second < tables_2.size()) {
    return {tables_2[second], table.table(Fields::kBuiltinOptions2)};
  }
  if (first == 0 || first >= tables.size()) return {};
  return {tables[first], table.table(Fields::kBuiltinOptions)};
}

Result<TfliteOperator> TfliteFileReader::read_operator(const FlatTable& table,
                                                       const TfliteSubgraph& graph) {
  using Fields = tflite::Operator;
  TfliteOperator read;
  const auto code = static_cast<size_t>(table.number(Fields::kOpcodeIndex, 4));
  CHECK_OK(check(table, code < codes_.size(), cat("expected an operator's code; found ", code)));
  read.name = codes_[code].name;
  read.is_custom = codes_[code].is_custom;
  read.inputs = table.ints(Fields::kInputs);
  read.outputs = table.ints(Fields::kOutputs);
  CHECK_OK(check(table, are_tensors(read.inputs, graph, -1) && are_tensors(read.outputs, graph, -1),
                 cat("expected tensors of the graph for ", quoted(read.name))));
  read.options = options_of(table);
  const FlatVector custom = table.vector(Fields::kCustomOptions, 1);
  if (custom.count > 0) read.custom_options = custom.slice();
  const uint64_t offset = table.number(Fields::kLargeCustomOptionsOffset, 8);
  const uint64_t size = table.number(Fields::kLargeCustomOptionsSize, 8);
  if (offset > 1 && size > 0) {
    const uint64_t all = file_.bytes->size();
    CHECK_OK(check(table, size <= all && offset <= all - size, "expected options in the file"));
    read.custom_options = file_.bytes->slice(offset, size);
  }
  return read;
}

Status TfliteFileReader::check_order(const FlatTable& table, const TfliteSubgraph& graph) const {
  std::vector<bool> is_made(graph.tensors.size());
  for (size_t i = 0; i < is_made.size(); ++i) {
    is_made[i] = graph.tensors[i].is_constant() || graph.tensors[i].is_variable;
  }
  for (const int32_t input : graph.inputs) is_made[static_cast<size_t>(input)] = true;
  for (const TfliteOperator& each : graph.operators) {
    for (const int32_t input : each.inputs) {
      const auto place = static_cast<size_t>(input);
      if (input < 0 || is_made[place] || has_no_elements(graph.tensors[place])) continue;
      return check(
          table, false,
          cat("expected that tensor ", input, " is made before ", quoted(each.name), " takes it"));
    }
    for (const int32_t output : each.outputs) {
      if (output < 0) continue;
      const auto place = static_cast<size_t>(output);
      if (is_made[place]) {
        return check(table, false,
                     cat("expected that tensor ", output, " is made once; found ",
                         quoted(each.name), " makes it, too"));
      }
      is_made[place] = true;
    }
  }
  for (const int32_t output : graph.outputs) {
    const auto place = static_cast<size_t>(output);
    CHECK_OK(check(table, is_made[place] || has_no_elements(graph.tensors[place]),
                   "expected outputs that an operator makes"));
  }
  return Unit{};
}

Result<TfliteSubgraph> TfliteFileReader::read_subgraph(const FlatTable& table) {
  using Fields = tflite::SubGraph;
  TfliteSubgraph graph;
  graph.name = table.text(Fields::kName);
  const FlatVector tensors = table.vector(Fields::kTensors, kTables);
  for (uint64_t i = 0; i < tensors.count; ++i) {
    TRY(tensor, read_tensor(tensors.table(i)));
    graph.tensors.push_back(std::move(tensor));
  }
  graph.inputs = table.ints(Fields::kInputs);
  graph.outputs = table.ints(Fields::kOutputs);
  CHECK_OK(check(table, are_tensors(graph.inputs, graph, 0) && are_tensors(graph.outputs, graph, 0),
                 "expected inputs and outputs that are tensors of the graph"));
  const FlatVector operators = table.vector(Fields::kOperators, kTables);
  for (uint64_t i = 0; i < operators.count; ++i) {
    TRY(read, read_operator(operators.table(i), graph));
    graph.operators.push_back(std::move(read));
  }
  CHECK_OK(check());
  CHECK_OK(check_order(table, graph));
  return graph;
}

std::vector<std::pair<std::string, uint32_t>> aliases(const FlatVector& all) {
  std::vector<std::pair<std::string, uint32_t>> read;
  for (uint64_t i = 0; i < all.count && all.file->ok(); ++i) {
    const FlatTable table = all.table(i);
    read.emplace_back(table.text(tflite::TensorMap::kName),
                      static_cast<uint32_t>(table.number(tflite::TensorMap::kTensorIndex, 4)));
  }
  return read;
}

Status TfliteFileReader::read_signatures(const FlatTable& model) {
  using Fields = tflite::SignatureDef;
  const FlatVector all = model.vector(tflite::Model::kSignatureDefs, kTables);
  for (uint64_t i = 0; i < all.count && file_.bytes->ok(); ++i) {
    const FlatTable table = all.table(i);
    TfliteSignature signature;
    signature.key = table.text(Fields::kSignatureKey);
    signature.subgraph = static_cast<uint32_t>(table.number(Fields::kSubgraphIndex, 4));
    signature.inputs = aliases(table.vector(Fields::kInputs, kTables));
    signature.outputs = aliases(table.vector(Fields::kOutputs, kTables));
    const bool has_graph = signature.subgraph < file_.subgraphs.size();
    CHECK_OK(check(table, has_graph, "expected the signature of a graph of the file"));
    const size_t most = file_.subgraphs[signature.subgraph].tensors.size();
    const auto fits = [&](const auto& alias) { return alias.second < most; };
    CHECK_OK(check(table,
                   std::all_of(signature.inputs.begin(), signature.inputs.end(), fits) &&
                       std::all_of(signature.outputs.begin(), signature.outputs.end(), fits),
                   "expected a signature of tensors of its graph"));
    file_.signatures.push_back(std::move(signature));
  }
  return check();
}

Result<TfliteFile> TfliteFileReader::read() {
  const FlatTable model = file_.bytes->root();
  const uint64_t version = model.number(tflite::Model::kVersion, 4);
  CHECK_OK(check(model, version == 3, cat("expected version 3 of the format; found ", version)));
  file_.description = model.text(tflite::Model::kDescription);
  CHECK_OK(read_codes(model));
  CHECK_OK(read_buffers(model));
  read_external(model);
  const FlatVector graphs = model.vector(tflite::Model::kSubgraphs, kTables);
  CHECK_OK(check(model, graphs.count > 0, "expected a graph; found none"));
  for (uint64_t i = 0; i < graphs.count; ++i) {
    TRY(graph, read_subgraph(graphs.table(i)));
    file_.subgraphs.push_back(std::move(graph));
  }
  CHECK_OK(read_metadata(model));
  CHECK_OK(read_signatures(model));
  return std::move(file_);
}

}  // namespace

Result<TfliteFile> read_tflite_file(const SourcePtr& file) {
  TfliteFileReader reader(file);
  return reader.read();
}

bool has_no_elements(const TfliteTensor& tensor) {
  const std::vector<int64_t>& dims = tensor.shape.dims;
  return std::find(dims.begin(), dims.end(), 0) != dims.end();
}

bool looks_like_tflite(std::string_view head) {
  return head.size() >= 8 && head.substr(4, 4) == "TFL3";
}

}  // namespace cryo
