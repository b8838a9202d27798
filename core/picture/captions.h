#pragma once

#include "picture/groups/group_tree.h"
#include "picture/picture.h"

namespace cryo {

// "weights [3,3,32,64]".
std::string parameter_text(const Parameter& parameter);

// Room in a box, in CSS pixels.
constexpr double kTitleHeight = 26;   // of the first line
constexpr double kDetailHeight = 16;  // of the second line, if there is one
constexpr double kLineHeight = 15;    // of each parameter
constexpr double kTextInset = 10;     // of text from the box's sides

// Text and size of a closed box. `hosted`: the nodes that are folded into it.
void caption_node(const GroupTree& tree, uint32_t at, const std::vector<uint32_t>& hosted,
                  Box& box);
void caption_group(const GroupTree& tree, uint32_t group, const std::vector<uint32_t>& hosted,
                   Box& box);

// The narrowest an open box may be for its label to fit.
double open_width(const Box& box);

}  // namespace cryo
