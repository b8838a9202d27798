#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "formats/write.h"

namespace cryo {

// Writes the one file of an output to standard output. `check_inputs` is called before the first
// byte: what was printed cannot be taken back. `progress`: with the bytes done and in all.
// Fails with "bad-option" if there are several files, or if bytes that are no text would be
// printed on a terminal; with "write-failed" if standard output takes no more.
Status write_to_standard_output(const std::vector<OutputFile>& files,
                                const std::function<Status()>& check_inputs,
                                const std::function<void(uint64_t, uint64_t)>& progress);

}  // namespace cryo
