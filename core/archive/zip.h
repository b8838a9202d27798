#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "archive/inflate_source.h"
#include "archive/zip_directory.h"
#include "bytes/checks.h"
#include "bytes/damaged_part.h"

namespace cryo {

// Does a file that begins like this call itself a zip file?
bool looks_like_zip(std::string_view head);

// Returns the files in a zip file, in its directory's order, with the names they would have if the
// archive were a folder: "model.zip/saved_model.pb" (archive/member_names.h). Folders and the files
// that macOS adds (__MACOSX/) are skipped. Reads only the directory.
//
// A stored member is a slice of the zip file. A deflated member is decoded while it is read.
// Checksums are compared as bytes/checks.h describes; `checks` receives them. Three faults are
// reported when a member is read: encryption ("encrypted-member"), another compression
// ("unsupported-compression"), and a size that deflate cannot express ("bad-zip"), so that a member
// is at most 1032 times as large as the zip file.
//
// Fails as read_zip_directory and member_path do, and with "bad-zip" for two members of one path.
// With `losses` gives what is whole of a damaged file, as zip_salvage.h describes; all members are
// read.
Result<std::vector<SourcePtr>> zip_members(const SourcePtr& zip, Checks* checks = nullptr,
                                           DamagedParts* losses = nullptr);

// Returns true for a member that is a file, and none that macOS adds. `path`: its member_path().
bool is_zip_file(std::string_view name, std::string_view path);

// Returns the plain bytes of one member. Members of one zip file share a cache. `tensors`: the
// tensors that it holds, as far as they are known.
SourcePtr zip_member(const SourcePtr& zip, const ZipRecord& record, std::string name,
                     const std::shared_ptr<InflaterCache>& cache, Checks* checks = nullptr,
                     const std::vector<std::string>& tensors = {});

}  // namespace cryo
