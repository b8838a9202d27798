#pragma once

#include <emscripten/val.h>

#include "bytes/splice.h"

namespace cryo {

// A splice for the host, as an array of
//
//     {source, offset, size}    bytes of a JsSource, by its id: not read
//     Uint8Array                all else: fresh bytes, and bytes that are computed while they are
//     read
//
// Computed runs that repeat a value are large in no proportion to the file they come from, so equal
// neighbours among the arrays are one array that stands there several times.
Result<emscripten::val> to_pieces(const Splice& splice);

}  // namespace cryo
