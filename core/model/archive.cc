#include "model/archive.h"

#include "base/text.h"
#include "bytes/gzip.h"
#include "bytes/tar.h"
#include "bytes/zip.h"

namespace cryo {
namespace {

constexpr uint64_t kHead = 512;  // a tar file tells itself at byte 257

Result<std::string> head_of(const ByteSource& source) {
  std::string head(static_cast<size_t>(std::min(source.size(), kHead)), '\0');
  CHECK_OK(read_exactly(source, 0, head));
  return head;
}

// "model.json.gz" -> "model.json", "model.tgz" -> "model.tar".
std::string plain_name(const std::string& name) {
  if (name.ends_with(".tgz")) return cat(name.substr(0, name.size() - 4), ".tar");
  if (name.ends_with(".gz")) return name.substr(0, name.size() - 3);
  return cat(name, ".plain");
}

}  // namespace

Result<std::vector<SourcePtr>> unpack(const SourcePtr& archive) {
  TRY(head, head_of(*archive));
  if (looks_like_zip(head)) return zip_members(archive);
  if (!looks_like_gzip(head)) return tar_members(archive);
  TRY(plain, gunzip(archive, plain_name(archive->name())));
  TRY(plain_head, head_of(*plain));
  if (looks_like_tar(plain_head)) return tar_members(plain);
  return std::vector<SourcePtr>{plain};
}

}  // namespace cryo
