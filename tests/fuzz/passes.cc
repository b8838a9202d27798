// A model that opens is run through everything: every report and pass, every result written in
// every format.

#include "formats/open.h"
#include "graph/op_registry.h"
#include "input.h"
#include "native/embedded_ops.h"
#include "targets.h"
#include "whole_road.h"

namespace cryo::fuzz {

void fuzz_passes(std::string_view input) {
  static const auto ops = OpRegistry::parse(std::string(embedded_ops()));
  Diagnostics diagnostics;
  const auto model = open(files_of(input), {}, diagnostics);
  laws::Codes codes;
  if (model) laws::whole_road(*model, *ops, codes);
}

}  // namespace cryo::fuzz
