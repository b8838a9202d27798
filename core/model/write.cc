#include "model/write.h"

#include "base/text.h"
#include "model/format.h"

namespace cryo {
namespace {

// "dir/" is a folder; "model.ckpt-1000" a checkpoint, for those are numbered behind their ending.
bool asked_by_name(const Format& format, const std::string& out) {
  if (format.ending.empty()) return false;
  if (out.ends_with(format.ending)) return true;
  return format.ending == ".ckpt" && base_name(out).find(".ckpt-") != std::string_view::npos;
}

Result<const Format*> format_of(const WriteOptions& options) {
  std::vector<std::string> names;
  for (const Format& format : formats()) {
    if (format.write == nullptr) continue;
    names.emplace_back(format.name);
    const bool asked =
        options.as.empty() ? asked_by_name(format, options.out) : options.as == format.name;
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

}  // namespace

Result<std::vector<OutputFile>> write(const Model& model, const WriteOptions& options,
                                      Diagnostics& diagnostics) {
  TRY(format, format_of(options));
  return format->write(model, options, diagnostics);
}

}  // namespace cryo
