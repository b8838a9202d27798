#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/write.h"

namespace cryo {

// Puts files on disk: each is written beside its place and all are renamed at the end, so that an
// output may be an input, and a failure leaves nothing behind and nothing changed. A folder `out`
// is made, and what it needs inside, but nothing around it. Without `force` an existing file is
// refused.
// `progress` is called with bytes done and in all.
Status save(const std::vector<OutputFile>& files, const std::string& out, bool force,
            const std::atomic<bool>& stop, const std::function<void(uint64_t, uint64_t)>& progress);

}  // namespace cryo
