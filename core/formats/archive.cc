#include "formats/archive.h"

#include "archive/gzip.h"
#include "archive/tar.h"
#include "archive/zip.h"
#include "base/text.h"
#include "formats/recognize.h"

namespace cryo {
namespace {

// "model.json.gz" -> "model.json", "model.tgz" -> "model.tar".
std::string plain_name(const std::string& name) {
  if (name.ends_with(".tgz")) return cat(name.substr(0, name.size() - 4), ".tar");
  if (name.ends_with(".gz")) return name.substr(0, name.size() - 3);
  return cat(name, ".plain");
}

}  // namespace

Result<std::vector<SourcePtr>> unpack(const SourcePtr& archive, Checks* checks) {
  TRY(head, read_up_to(*archive, 0, kHeadBytes));
  if (looks_like_zip(head)) return zip_members(archive, checks);
  if (!looks_like_gzip(head)) return tar_members(archive);
  TRY(plain, gunzip(archive, plain_name(archive->name())));
  TRY(plain_head, read_up_to(*plain, 0, kHeadBytes));
  if (looks_like_tar(plain_head)) return tar_members(plain);
  return std::vector<SourcePtr>{plain};
}

}  // namespace cryo
