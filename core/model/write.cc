#include "model/write.h"

#include "base/text.h"
#include "bytes/zip_writer.h"
#include "model/format.h"

namespace cryo {
namespace {

// "dir/" is a folder: a SavedModel, and of arrays alone a file each; "model.ckpt-1000" a
// checkpoint, for those are numbered behind their ending.
bool asked_by_name(const Model& model, const Format& format, const std::string& out) {
  if (format.ending.empty()) return false;
  if (!model.has_graph && out.ends_with('/')) return format.kind == FileKind::kNpy;
  if (out.ends_with(format.ending)) return true;
  return format.ending == ".ckpt" && base_name(out).find(".ckpt-") != std::string_view::npos;
}

Result<const Format*> format_of(const Model& model, const WriteOptions& options) {
  std::vector<std::string> names;
  for (const Format& format : formats()) {
    if (format.write == nullptr) continue;
    names.emplace_back(format.name);
    const bool asked =
        options.as.empty() ? asked_by_name(model, format, options.out) : options.as == format.name;
    if (asked) return &format;
  }
  if (!options.as.empty()) {
    return failure("unknown-form", cat("'", options.as, "' is not a form that can be written"), {},
                   cat("--as takes one of ", join(names, ", ")));
  }
  return failure("unknown-form",
                 cat("the ending of '", options.out, "' does not say what to write"), {},
                 cat("name the form: --as ", join(names, " | ")));
}

constexpr std::string_view kZip = ".zip";

// "a/m.ckpt.zip" -> m.ckpt.meta, m.ckpt.index, ... in one file.
Result<Files> write_zipped(const Model& model, WriteOptions options, Diagnostics& diagnostics) {
  const std::string path = options.out;
  options.out = base_name(path).substr(0, base_name(path).size() - kZip.size());
  TRY(format, format_of(model, options));
  TRY(files, format->write(model, options, diagnostics));
  std::vector<ZipFile> members;
  for (OutputFile& file : files) members.push_back({file.path, std::move(file.content)});
  TRY(zip, write_zip(members));
  return Files{{path, std::move(zip)}};
}

}  // namespace

Result<std::vector<OutputFile>> write(const Model& model, const WriteOptions& options,
                                      Diagnostics& diagnostics) {
  if (options.out.ends_with(kZip)) return write_zipped(model, options, diagnostics);
  TRY(format, format_of(model, options));
  return format->write(model, options, diagnostics);
}

}  // namespace cryo
