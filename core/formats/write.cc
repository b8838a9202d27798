#include "formats/write.h"

#include <array>

#include "archive/zip_writer.h"
#include "base/reference.h"
#include "base/text.h"
#include "formats/format.h"
#include "model/variable_initializers.h"

namespace cryo {
namespace {

// Returns true if the path requests the format: "dir/" is a folder, which means a SavedModel or a
// file for each array.
bool asked_by_ending(const Model& model, const Format& format, std::string_view out) {
  if (format.write == nullptr || format.ending.empty()) return false;
  if (!model.has_graph && out.ends_with('/')) return format.kind == FileKind::kNpy;
  return out.ends_with(format.ending);
}

// Returns true if the path is that of a checkpoint with a step: "model.ckpt-1000".
bool has_step(std::string_view out) {
  return base_name(out).find(".ckpt-") != std::string_view::npos;
}

// Returns the format that a path requests, nullptr if none. Of several endings the longest one is
// the most particular.
const Format* asked_format(const Model& model, std::string_view out) {
  const Format* asked = nullptr;
  for (const Format& format : formats()) {
    if (!asked_by_ending(model, format, out)) continue;
    if (asked == nullptr || format.ending.size() > asked->ending.size()) asked = &format;
  }
  return asked == nullptr && has_step(out) ? asked_format(model, ".ckpt") : asked;
}

// Formats of other programs, by their endings.
struct ForeignEnding {
  std::string_view ending;
  std::string_view what;
  std::string_view fix;
};
constexpr std::string_view kToKeras = "write a SavedModel (" OPTION(
    "-o", "NAME/") "), or the weights for Keras (" OPTION("-o", "NAME.npz") ")";
constexpr std::string_view kToPickle =
    "write NAME.npz instead: dict(numpy.load('NAME.npz')) is the dictionary of arrays";
constexpr std::array kForeignEndings = {
    ForeignEnding{".onnx", "ONNX", "freeze to a .pb, and convert that with tf2onnx"},
    ForeignEnding{
        ".tflite", "TensorFlow Lite",
        "freeze to a .pb or write a SavedModel, and convert that with tf.lite.TFLiteConverter"},
    ForeignEnding{".keras", "Keras files", kToKeras},
    ForeignEnding{".h5", "HDF5", kToKeras},
    ForeignEnding{".hdf5", "HDF5", kToKeras},
    ForeignEnding{".pkl", "pickles", kToPickle},
    ForeignEnding{".pickle", "pickles", kToPickle},
    ForeignEnding{".pt", "PyTorch files", "write NAME.safetensors, which PyTorch loads"},
    ForeignEnding{".pth", "PyTorch files", "write NAME.safetensors, which PyTorch loads"},
};

Failure unknown_ending(const std::string& out, const std::vector<std::string>& names) {
  for (const ForeignEnding& each : kForeignEndings) {
    if (!out.ends_with(each.ending)) continue;
    return failure("unknown-format", cat("Cryograph does not write ", each.what, ": '", out, "'"),
                   {}, each.fix);
  }
  return failure("unknown-format", cat("the ending of '", out, "' names no format"), {},
                 cat("choose the format with " OPTION("--as", "") ": ", join(names, ", ")));
}

Result<const Format*> format_of(const Model& model, const WriteOptions& options) {
  if (options.as.empty()) {
    if (const Format* asked = asked_format(model, options.out)) return asked;
  }
  std::vector<std::string> names;
  for (const Format& format : formats()) {
    if (format.write == nullptr) continue;
    if (format.name == options.as) return &format;
    names.emplace_back(format.name);
  }
  if (options.as.empty()) return unknown_ending(options.out, names);
  return failure("unknown-format", cat("'", options.as, "' is not a format that can be written"),
                 {}, cat("choose one with " OPTION("--as", "") ": ", join(names, ", ")));
}

Result<Files> write_as(const Format& format, const Model& model, const WriteOptions& options,
                       Diagnostics& diagnostics) {
  if (format.has_collections) return format.write(model, options, diagnostics);
  return format.write(without_variable_initializers(model), options, diagnostics);
}

constexpr std::string_view kZip = ".zip";

// "a/m.ckpt.zip" -> m.ckpt.meta, m.ckpt.index, ... in one file.
Result<Files> write_zipped(const Model& model, WriteOptions options, Diagnostics& diagnostics) {
  const std::string path = options.out;
  options.out = base_name(path).substr(0, base_name(path).size() - kZip.size());
  TRY(format, format_of(model, options));
  TRY(files, write_as(*format, model, options, diagnostics));
  std::vector<ZipFile> members;
  for (OutputFile& file : files) members.push_back({file.path, std::move(file.content)});
  TRY(zip, write_zip(members));
  return Files{{path, std::move(zip)}};
}

// The format of the members, where they are written into a zip file.
Result<const Format*> unzipped_format(const Model& model, const WriteOptions& options) {
  WriteOptions unzipped = options;
  if (options.out.ends_with(kZip)) unzipped.out.resize(options.out.size() - kZip.size());
  return format_of(model, unzipped);
}

}  // namespace

Result<std::string_view> format_name(const Model& model, const WriteOptions& options) {
  TRY(format, unzipped_format(model, options));
  return format->name;
}

bool is_for_arrays(const Model& model, const WriteOptions& options) {
  const auto format = unzipped_format(model, options);
  return format && (*format)->is_for_arrays;
}

bool is_for_graph_alone(const Model& model, const WriteOptions& options) {
  const auto format = unzipped_format(model, options);
  return format && !(*format)->is_for_arrays && !(*format)->has_signatures;
}

bool is_for_saved_model(const Model& model, const WriteOptions& options) {
  const auto format = unzipped_format(model, options);
  return format && (*format)->kind == FileKind::kSavedModel;
}

bool writes_signatures(const Model& model, const WriteOptions& options) {
  const auto format = unzipped_format(model, options);
  return !format || (*format)->has_signatures;
}

bool writes_collections(const Model& model, const WriteOptions& options) {
  const auto format = unzipped_format(model, options);
  return !format || (*format)->has_collections;
}

Result<std::vector<OutputFile>> write(const Model& model, const WriteOptions& options,
                                      Diagnostics& diagnostics) {
  if (options.out.ends_with(kZip)) return write_zipped(model, options, diagnostics);
  TRY(format, format_of(model, options));
  return write_as(*format, model, options, diagnostics);
}

}  // namespace cryo
