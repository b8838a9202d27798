#pragma once

#include <string>

#include "picture/picture.h"

namespace cryo {

// The picture as an SVG file that needs nothing else: colors follow the reader's light or dark
// scheme.
std::string picture_svg(const Picture& picture, const std::string& model);

// The style sheet of the picture, for its colors and fonts.
std::string_view picture_style();

// Text for XML: markup characters escaped, control characters visible.
std::string xml_text(std::string_view text);

}  // namespace cryo
