#pragma once

#include <emscripten/val.h>

#include <memory>
#include <string>
#include <vector>

#include "bytes/checks.h"

namespace cryo {

// The checks of pieces that JavaScript reads by itself. Every method returns "", or the errors as
// JSON: a list of diagnostics.
class PieceChecks {
 public:
  explicit PieceChecks(CheckLists lists) : lists_(std::move(lists)) {}

  // Returns the number by which JavaScript names the check.
  uint32_t add(std::shared_ptr<const CheckedSlice> check);

  // Takes bytes that were read of a piece; `at`: their offset in the range that the check covers.
  std::string take(uint32_t number, double at, const emscripten::val& bytes);

  // Reads and compares the bytes that these checks cover, and all others that an output depends on.
  std::string finish(const emscripten::val& numbers) const;

  CheckCount count() const;

 private:
  CheckLists lists_;
  std::vector<std::shared_ptr<const CheckedSlice>> all_;
  std::string buffer_;
};

// Converts a splice to an array for the host, of
//
//     {source, offset, size, check, at}   bytes of a JsSource, by its id: not read. `check`: its
//                                         number in `checks`, if it has one; `at`: the offset of
//                                         the bytes within the checked range
//     Uint8Array                          all else: fresh bytes, and bytes that are computed while
//                                         they are read
//
// A computed run that repeats a value can be far larger than the file it comes from, so equal
// adjacent arrays are one array that is listed several times.
Result<emscripten::val> to_pieces(const Splice& splice, PieceChecks& checks);

}  // namespace cryo
