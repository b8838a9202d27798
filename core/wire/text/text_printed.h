#pragma once

#include "wire/block_source.h"
#include "wire/schema.h"

namespace cryo {

// How the text format shows the values of a field:
//
//     bytes, string          00 01 "a"        ->  \000\001a            the inside of a literal
//     packed numbers         00 00 80 3F ..   ->  float_val: 1         a line each, with `before`
//                                                 float_val: ..        in front
//     number                 1                ->  DT_FLOAT

// One number, bool or enum: `bits` as the wire has them.
void print_number(const FieldSchema& field, uint64_t bits, std::string& out);

// Prints packed numbers, one a line; false if the last number is incomplete.
bool print_packed(const FieldSchema& field, std::string_view packed, std::string_view before,
                  std::string& out);

// Returns bulk as text, computed whenever it is read; all of it is read once now to measure the
// text. A field of bytes becomes the inside of a literal, others become lines. Fails with
// "malformed-message" if the last packed number is incomplete.
Result<Slice> printed(const FieldSchema& field, const Splice& bulk, std::string_view before);

}  // namespace cryo
