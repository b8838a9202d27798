#include "passes/pass.h"

#include <algorithm>
#include <array>

#include "passes/extract.h"
#include "passes/freeze.h"
#include "passes/prune.h"
#include "passes/unfreeze.h"

namespace cryo {
namespace {

// The model as it is, to be written in another form.
Result<Model> convert(const Model& model, const PassOptions&, PassLog&) { return model; }

constexpr std::array kPasses = {
    Pass{"prune", "keep what the outputs need, back to the inputs", prune},
    Pass{"freeze", "variables become constants", freeze},
    Pass{"unfreeze", "constants become variables, with a checkpoint of their values", unfreeze},
    Pass{"weights", "the name -> array dictionary, as .npz, .safetensors or a checkpoint",
         extract_weights, false},
    Pass{"convert", "the same model in another format", convert, false},
};

}  // namespace

std::span<const Pass> passes() { return kPasses; }

const Pass* find_pass(std::string_view name) {
  const auto named = [&](const Pass& pass) { return pass.name == name; };
  const auto found = std::find_if(kPasses.begin(), kPasses.end(), named);
  return found == kPasses.end() ? nullptr : &*found;
}

}  // namespace cryo
