#pragma once

#include <string>

#include "picture/picture.h"

namespace cryo {

// The picture as an HTML file that pans and zooms: by mouse, touch, keys and buttons. It loads
// nothing, and its policy allows no script but its own.
std::string picture_html(const Picture& picture, const std::string& model);

}  // namespace cryo
