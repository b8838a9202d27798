#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cryo {

// How a report is printed for a person.
struct Look {
  bool quiet = false;    // without notes
  bool verbose = false;  // whole lists and whole names
  bool color = false;
  size_t width = 0;  // columns of the terminal; 0: lines may have any length
};

// The parts of a text that are colored.
enum class Mark : char { kHeading = 1, kGood, kBad, kDoubtful, kNote, kFix };

// Returns a text between invisible marks, for rendered(). Marks are control characters, which no
// text of a model has once it is escaped (escaped.h).
std::string marked(Mark mark, std::string_view text);

// Returns a text with its marks as colors, or without them. Lines that are longer than the width
// are broken at blanks, and continued below column `indent`:
//
//     ops         Const 4, Identity 4,
//                 MatMul 2
std::string rendered(std::string_view text, const Look& look, size_t indent);

// Returns the number of columns that a text takes on a terminal: that of its characters.
size_t columns_of(std::string_view text);

// Returns a text in at most `width` columns, its middle replaced by "…": names differ at
// their beginnings and ends.
std::string shortened(std::string_view text, size_t width);

// Returns a text in at most `width` columns, "…" in place of its end.
std::string cut(std::string_view text, size_t width);

}  // namespace cryo
