#pragma once

#include <string>

namespace cryo {

// Returns the project's folder. A call, so that the path is compiled into one file of the tests: a
// compiler cache has all others, wherever the project is.
std::string source_folder();

}  // namespace cryo
