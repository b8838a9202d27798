#pragma once

#include "commands/report.h"

namespace cryo {

class OpRegistry;

// Fills INTERFACE.md's report of `inspect`. `ops` may be null: unknown ops are then not reported.
void inspect(const Model& model, const OpRegistry* ops, Json& report);

// Parts of it that `list` shows as well.
Json signatures_json(const Model& model);

// {"inputs", "outputs", "outputsCertain"}, the first `most` of each list.
Json endpoints_json(const Model& model, const OpRegistry* ops, size_t most);

}  // namespace cryo
