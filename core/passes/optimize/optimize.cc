#include "passes/optimize/optimize.h"

#include <algorithm>

#include "base/text.h"
#include "passes/optimize/folded_batch_norm.h"
#include "passes/optimize/folded_constants.h"
#include "passes/optimize/merged_duplicates.h"
#include "passes/optimize/small_weights.h"
#include "passes/prune/pruner.h"

namespace cryo {
namespace {

void count_changes(std::string_view what, std::string_view code, std::string_view done,
                   std::string_view nothing, PassLog& log) {
  size_t count = 0;
  for (const GraphChange& each : log.changes) count += each.what == what ? 1U : 0U;
  log.diagnostics.note(code, count == 0 ? std::string(nothing) : cat(done, " (", count, ")"));
}

}  // namespace

bool is_optimized(const PassOptions& options) {
  return options.fold_batch_norm || options.fold_constants || options.merge_duplicates ||
         options.quantize_weights || !options.cast.empty();
}

Result<Model> optimized(const Model& model, const PassOptions& options, PassLog& log) {
  Model made = model;
  const auto become = [&](Result<Model> next) -> Status {
    if (!next) return std::move(next).failure();
    TRY(pruned, prune_to_outputs(*next, without_inputs(options), log));
    made = std::move(pruned);
    return Unit{};
  };
  if (options.fold_batch_norm) {
    CHECK_OK(become(with_folded_batch_norm(made, options.outputs, log)));
    count_changes(kBatchNormFolded, "batch-norm-folded",
                  "put batch normalizations into the weights of the layers before them; results "
                  "differ by rounding",
                  "no batch normalization follows a layer with constant weights", log);
  }
  if (options.fold_constants) {
    CHECK_OK(become(with_folded_constants(made, options.outputs, options.ops, log)));
    count_changes(kConstantFolded, "constants-folded",
                  "computed what does not depend on the inputs",
                  "nothing that can be computed exactly is independent of the inputs", log);
  }
  if (options.quantize_weights) CHECK_OK(become(with_quantized_constants(made, log)));
  if (!options.cast.empty()) CHECK_OK(become(with_cast_constants(made, options, log)));
  // Last: weights in smaller types come with constants that may be equal.
  if (options.merge_duplicates && options.ops != nullptr) {
    CHECK_OK(become(with_merged_duplicates(made, options.outputs, *options.ops, log)));
    count_changes(kMerged, "duplicates-merged", "merged nodes that compute the same",
                  "no two nodes compute the same", log);
  }
  return made;
}

}  // namespace cryo
