#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "formats/write.h"

namespace cryo {

// Writes files to the disk: each under a random name next to its place, all renamed into their
// places at the end, so that an output may be an input. On failure nothing is left and nothing is
// changed: of a set, all files are replaced or none. When it returns without error the disk has
// everything. A folder `out` is made, and those that it needs inside, but none around it. Without
// `force` an existing file is refused.
// `check_inputs` is called before the files are renamed, `progress` with the bytes done and in all.
Status save(const std::vector<OutputFile>& files, const std::string& out, bool force,
            const std::function<Status()>& check_inputs,
            const std::function<void(uint64_t, uint64_t)>& progress);

}  // namespace cryo
