#pragma once

#include <string_view>

namespace cryo {

// What the names of nodes say of their purpose, in programs as people write them.

// Whether a part of the name says that the node belongs to a loss, a metric, a regularizer or a
// check.
bool is_named_loss(std::string_view name);

// Whether the last part of the name, or the scope before it, is one that people give to outputs:
// "detection_boxes", "Predictions/Reshape_1".
bool is_named_output(std::string_view name);

// Whether the last part of the name alone is.
bool has_output_word(std::string_view name);

// Whether the node belongs to the net of a GAN that judges what the other net makes.
bool in_discriminator(std::string_view name);

}  // namespace cryo
