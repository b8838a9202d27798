#include "whole_road.h"

#include <algorithm>
#include <cassert>

#include "commands/make_model.h"
#include "commands/verbs.h"
#include "formats/format.h"

namespace cryo::laws {
namespace {

void keep_codes(const Report& report, Codes& codes) {
  for (const Diagnostic& each : report.diagnostics.all()) codes.insert(each.code);
}

// Outputs are hung together from slices; of a huge one (a constant of 2^40 zeros) only the
// beginning is read.
void write_all(const Model& model, Codes& codes) {
  for (const Format& format : formats()) {
    if (format.write == nullptr) continue;
    Diagnostics diagnostics;
    const auto files = write(model, {std::string(format.name), "out"}, diagnostics);
    if (!files) {
      codes.insert(files.error().code);
      continue;
    }
    for (const OutputFile& file : *files) {
      const uint64_t most = std::min<uint64_t>(file.content.size(), Splice::kStep);
      const auto bytes = file.content.sub(0, most).read_all();
      if (!bytes) codes.insert(bytes.error().code);
    }
  }
}

}  // namespace

void whole_road(const Model& model, const OpRegistry& ops, Codes& codes) {
  Options options;
  options.checksum = true;
  for (const char* verb : {"inspect", "validate"}) {
    keep_codes(run_verb(verb, model, options, &ops, Diagnostics()).report, codes);
  }
  options.edit.redact = true;  // which edit alone takes, and without which it has nothing to do
  for (const ModelVerb& verb : model_verbs()) {
    const Outcome outcome = run_verb(verb.name, model, options, &ops, Diagnostics());
    keep_codes(outcome.report, codes);
    assert(codes.count("broken-graph") == 0);  // make_model.h looks for it
    if (outcome.model) write_all(*outcome.model, codes);
  }
  for (const char* what : {"nodes", "ops", "weights", "inputs", "outputs", "signatures",
                           "functions", "assets", "collections"}) {
    options.what = what;
    keep_codes(run_verb("list", model, options, &ops, Diagnostics()).report, codes);
  }
}

}  // namespace cryo::laws
