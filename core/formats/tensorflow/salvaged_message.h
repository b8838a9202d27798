#pragma once

#include "bytes/splice.h"
#include "model/lost.h"
#include "wire/schema.h"

namespace cryo {

// The whole parts of a damaged GraphDef, MetaGraphDef or SavedModel, as a message of that kind:
//
//     file      0A 20 <node a>  0A 2F <node b, damaged>  0A 1C <node c>  22 05 <versions, cut off
//     message   0A 20 <node a>                           0A 1C <node c>
//     lost      node b, its offset and reason; the versions
//
// Parts are nodes, functions, gradients, versions, collections, signatures and the other fields of
// these messages. A part is kept, byte for byte, or lost. What is whole is judged by form
// (wire/message_probe.h); there are no checksums.
//
// After damage, reading goes on at the first place that is confirmed by what follows it. In this
// order: where a message that holds parts goes on despite its length; where the damaged part ends
// by its length; where it ends by its fields; the next place at which two whole parts follow each
// other. A message that is itself the content of a tensor or text is not taken for parts.
// Takes time in proportion to the file: gives up on the rest when it has looked at too much.
struct Salvaged {
  Slice message = {};
  LostParts lost = {};
};

// Fails only if the file cannot be read.
Result<Salvaged> salvage_message(const Slice& file, const MessageSchema& schema);

}  // namespace cryo
