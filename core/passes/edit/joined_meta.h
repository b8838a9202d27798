#pragma once

#include <vector>

#include "passes/edit/connections.h"

namespace cryo {

// Joins what surrounds the graphs of two models, `made` being the joined graph with the first
// one's MetaGraphDef:
//
//     signatures    the first one's; for an input that is connected, the inputs of the second that
//                   the tensor in its place needs
//     collections   of both; contexts of loops, which writing completes, are the first one's
//     init op       one that runs both
//     saver         the first one's, if only the first has variables; else none: writing makes one
//
// A GraphDef stays one, unless the second model has variables or an init op. Reports the
// signatures of the second, which are not kept.
void join_meta(const JoinedPair& models, const std::vector<Connection>& connections, Model& made,
               Diagnostics& diagnostics);

}  // namespace cryo
