#pragma once

#include <string>
#include <string_view>

namespace cryo {

// Bytes as text (RFC 4648): "NHWC" <-> "TkhXQw==".

void append_base64(std::string& out, std::string_view bytes);

// Both alphabets ("+/" and "-_"), padded or not. False for anything else.
[[nodiscard]] bool decode_base64(std::string_view text, std::string& bytes);

}  // namespace cryo
