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
                   std::string_view nothing, const GraphChanges& changes,
                   Diagnostics& diagnostics) {
  size_t count = 0;
  for (const GraphChange& each : changes) count += each.what == what ? 1U : 0U;
  diagnostics.note(code, count == 0 ? std::string(nothing) : cat(done, " (", count, ")"));
}

}  // namespace

Result<Model> optimize(const Model& model, const Optimization& optimization, const Ends& ends,
                       const OpRegistry* ops, GraphChanges& changes, Diagnostics& diagnostics) {
  Model made = model;
  const auto become = [&](Result<Model> next) -> Status {
    if (!next) return std::move(next).failure();
    TRY(pruned, prune_to_outputs(*next, without_inputs(ends), ops, diagnostics));
    made = std::move(pruned);
    return Unit{};
  };
  if (optimization.fold_batch_norm) {
    CHECK_OK(become(with_folded_batch_norm(made, ends.outputs, changes)));
    count_changes(kBatchNormFolded, "batch-norm-folded",
                  "put batch normalizations into the weights of the layers before them; results "
                  "differ by rounding",
                  "no batch normalization follows a layer with constant weights", changes,
                  diagnostics);
  }
  if (optimization.fold_constants) {
    CHECK_OK(become(with_folded_constants(made, ends.outputs, ops, changes)));
    count_changes(
        kConstantFolded, "constants-folded", "computed what does not depend on the inputs",
        "nothing that can be computed exactly is independent of the inputs", changes, diagnostics);
  }
  if (optimization.quantize_weights)
    CHECK_OK(become(with_quantized_constants(made, changes, diagnostics)));
  if (!optimization.cast.empty())
    CHECK_OK(become(with_cast_constants(made, optimization.cast, changes, diagnostics)));
  // Last: weights in smaller types come with constants that may be equal.
  if (optimization.merge_duplicates && ops != nullptr) {
    CHECK_OK(become(with_merged_duplicates(made, ends.outputs, *ops, changes)));
    count_changes(kMerged, "duplicates-merged", "merged nodes that compute the same",
                  "no two nodes compute the same", changes, diagnostics);
  }
  return made;
}

}  // namespace cryo
