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

// Packed numbers, a line each; false where they are not whole numbers.
bool print_packed(const FieldSchema& field, std::string_view packed, std::string_view before,
                  std::string& out);

// Bulk as text, computed whenever it is read; to know the text's size all of it is read once now.
// For a field of bytes the inside of the literal, else lines.
// `malformed-message` where packed numbers end amid one.
Result<Slice> printed(const FieldSchema& field, const Splice& bulk, std::string_view before);

}  // namespace cryo
