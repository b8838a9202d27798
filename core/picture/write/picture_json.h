#pragma once

#include <string>

#include "picture/picture.h"

namespace cryo {

// The picture as Layout JSON. `model`: the name of what was opened.
std::string picture_json(const Picture& picture, const std::string& model);

// A length in quarters of a pixel, exactly: "12", "0.25".
std::string length_text(double value);

}  // namespace cryo
