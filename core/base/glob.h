#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cryo {

// Whether `name` matches `glob`: `*` is anything within a scope, `**` anything across scopes, all
// else itself.
//     matches("conv*/weights", "conv1/weights")   matches("logits/**", "logits/a/b")
bool matches(std::string_view glob, std::string_view name);

// The same, and what each star took, as little as it could:
//     matches("a/*/**", "a/b/c/d", taken)   taken: "b", "c/d"
bool matches(std::string_view glob, std::string_view name, std::vector<std::string_view>& taken);

bool matches_any(const std::vector<std::string>& globs, std::string_view name);

}  // namespace cryo
