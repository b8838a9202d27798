#include "formats/archive.h"

#include <map>

#include "archive/gzip.h"
#include "archive/tar.h"
#include "archive/zip.h"
#include "base/text.h"
#include "formats/pairing.h"
#include "formats/recognize.h"

namespace cryo {
namespace {

// "model.json.gz" -> "model.json", "model.tgz" -> "model.tar".
std::string plain_name(const std::string& name) {
  if (name.ends_with(".tgz")) return cat(name.substr(0, name.size() - 4), ".tar");
  if (name.ends_with(".gz")) return name.substr(0, name.size() - 3);
  return cat(name, ".plain");
}

// The files in an archive.
struct Unpacked {
  std::vector<SourcePtr> members = {};
  std::string stream = {};  // the name of the source that was inflated, of which they are parts
};

Result<Unpacked> unpack_any(const SourcePtr& archive, Checks* checks, DamagedParts* losses) {
  TRY(head, read_up_to(*archive, 0, kHeadBytes));
  const bool named_zip = losses != nullptr && archive->name().ends_with(".zip");
  if (looks_like_zip(head) || named_zip) {
    TRY(members, zip_members(archive, checks, losses));
    return Unpacked{std::move(members)};
  }
  if (!looks_like_gzip(head)) {
    TRY(members, tar_members(archive, losses));
    return Unpacked{std::move(members)};
  }
  TRY(plain, gunzip(archive, plain_name(archive->name()), losses));
  TRY(plain_head, read_up_to(*plain, 0, kHeadBytes));
  const bool named_tar = losses != nullptr && plain->name().ends_with(".tar");
  if (!looks_like_tar(plain_head) && !named_tar) return Unpacked{{plain}, plain->name()};
  TRY(members, tar_members(plain, losses));
  return Unpacked{std::move(members), plain->name()};
}

// Returns true for a file of which it can be known what is whole, without its archive's checksum.
Result<bool> shows_damage(const SourcePtr& file) {
  const bool is_text_form = file->name().ends_with(".pbtxt");
  if (is_text_form || !prefix_of(file->name()).empty()) return !is_text_form;
  TRY(head, read_up_to(*file, 0, kHeadBytes));
  TRY(recognised, recognise(file, true));
  const FileKind kind = recognised.kind;
  const bool is_graph = kind == FileKind::kGraphDef || kind == FileKind::kSavedModel;
  return (is_graph && !is_text(head)) || kind == FileKind::kCheckpointV1;
}

// Removes the damaged members that do not show what is whole of them.
Status remove_unknown(Unpacked& unpacked, size_t before, DamagedParts& losses) {
  std::map<std::string, Diagnostic> damaged;
  for (size_t i = before; i < losses.size(); ++i) damaged[losses[i].name] = losses[i].why;
  const auto stream = damaged.find(unpacked.stream);
  std::vector<SourcePtr> kept;
  for (const SourcePtr& member : unpacked.members) {
    const bool is_listed = damaged.contains(member->name());
    const bool is_doubtful = !unpacked.stream.empty() && stream != damaged.end();
    TRY(shows, is_listed || is_doubtful ? shows_damage(member) : Result<bool>(true));
    if (shows) kept.push_back(member);
    if (shows || is_listed) continue;
    losses.push_back({kLostMember, member->name(), member->size(), stream->second});
  }
  unpacked.members = std::move(kept);
  return Unit{};
}

}  // namespace

Result<std::vector<SourcePtr>> unpack(const SourcePtr& archive, Checks* checks,
                                      DamagedParts* losses) {
  const size_t before = losses == nullptr ? 0 : losses->size();
  TRY(unpacked, unpack_any(archive, checks, losses));
  if (losses != nullptr) CHECK_OK(remove_unknown(unpacked, before, *losses));
  return std::move(unpacked.members);
}

}  // namespace cryo
