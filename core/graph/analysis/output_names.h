#pragma once

#include <string_view>

namespace cryo {

// Hints in the names of nodes about their purpose, as people choose them.

// Returns true if a part of the name suggests that the node belongs to a loss, a metric, a
// regularizer or a check.
bool is_named_loss(std::string_view name);

// Returns true if the last part of the name, or the scope before it, is one that people give to
// outputs: "detection_boxes", "Predictions/Reshape_1".
bool is_named_output(std::string_view name);

// Returns true if the last part of the name alone is.
bool has_output_word(std::string_view name);

// Returns true if the node belongs to the discriminator of a GAN.
bool in_discriminator(std::string_view name);

}  // namespace cryo
