#pragma once

#include <fuzzer/FuzzedDataProvider.h>

#include <string>
#include <vector>

#include "model/model.h"

namespace cryo::fuzz {

// A command line of the verb and options of the command table, as bytes of the fuzzer choose them.
// Values are words of their grammar and names of the model.
std::vector<std::string> command_of(const Model& model, FuzzedDataProvider& choices);

}  // namespace cryo::fuzz
