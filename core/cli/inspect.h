#pragma once

#include "cli/report.h"

namespace cryo {

class OpRegistry;

// What a model holds, as INTERFACE.md's report of `inspect`. `ops` may be null: then unknown ops
// are not told.
void inspect(const Model& model, const OpRegistry* ops, Json& report);

// Parts of it that `list` shows as well.
Json signatures_json(const Model& model);
Json endpoints_json(const Model& model,
                    const OpRegistry* ops);  // {"inputs", "outputs", "outputsCertain"}

// A tensor's type and shape as far as its node says: {"name", "dtype", "shape"}.
Json tensor_json(const Model& model, const std::string& name, const OpRegistry* ops);

}  // namespace cryo
