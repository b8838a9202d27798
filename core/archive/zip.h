#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "archive/inflate_source.h"
#include "archive/zip_directory.h"
#include "bytes/checks.h"

namespace cryo {

// Does a file that begins like this call itself a zip file?
bool looks_like_zip(std::string_view head);

// The files in a zip file, in its directory's order, named as though it were a folder:
// "model.zip/saved_model.pb" (archive/member_names.h); folders, and what macOS adds (__MACOSX/),
// are left out. Reads the directory alone.
//
// What is stored is a slice of the zip file. What is deflated is decoded as it is read. Checksums
// are compared as bytes/checks.h says; `checks` receives them. What is encrypted or packed in
// another way is told when it is read: "encrypted-member", "unsupported-compression"; so is a size
// that deflate cannot express
// ("bad-zip"), so that sizes of members are at most 1032 times that of the zip file.
//
// Fails as read_zip_directory and member_path do, and with "bad-zip" for two members of one path.
Result<std::vector<SourcePtr>> zip_members(const SourcePtr& zip, Checks* checks = nullptr);

// The plain bytes of one member. Members of one zip file share a cache. `tensors`: what it holds,
// as far as that is known.
SourcePtr zip_member(const SourcePtr& zip, const ZipRecord& record, std::string name,
                     const std::shared_ptr<InflaterCache>& cache, Checks* checks = nullptr,
                     const std::vector<std::string>& tensors = {});

}  // namespace cryo
