#include "js_source.h"

#include "base/text.h"

namespace cryo {

using emscripten::typed_memory_view;
using emscripten::val;

JsSource::JsSource(val host)
    : host_(std::move(host)), id_(host_["id"].as<int>()), name_(host_["name"].as<std::string>()) {}

// A double holds whole numbers to 2^53, which is more than any file.
uint64_t JsSource::size() const { return static_cast<uint64_t>(host_.call<double>("size")); }

Status JsSource::read(uint64_t offset, std::span<char> out) const {
  val view(typed_memory_view(out.size(), reinterpret_cast<uint8_t*>(out.data())));
  if (host_.call<bool>("read", static_cast<double>(offset), view)) return Unit{};
  return failure("read-failed", cat(out.size(), " bytes could not be read"),
                 {.file = name_, .offset = offset}, "check that the file is still there");
}

}  // namespace cryo
