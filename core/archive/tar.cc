#include "archive/tar.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "archive/member_names.h"
#include "base/text.h"
#include "base/utf8.h"
#include "bytes/slice_source.h"

namespace cryo {
namespace {

// A long name or pax's records: longer ones are not names.
constexpr uint64_t kMostNotes = uint64_t{1024} * 1024;

class TarReader {
 public:
  explicit TarReader(const SourcePtr& tar) : tar_(tar) {}

  Result<std::vector<SourcePtr>> read() {
    while (tar_->size() - at_ >= kTarBlock) {
      char block[kTarBlock];
      CHECK_OK(read_exactly(*tar_, at_, block));
      const std::string_view bytes(block, sizeof block);
      if (bytes.find_first_not_of('\0') == std::string_view::npos) break;
      TarHeader header;
      if (!read_tar_header(bytes, header)) {
        return bad_tar("expected the header of a member or the end; found other bytes");
      }
      CHECK_OK(add(header));
    }
    return std::move(members_);
  }

 private:
  Failure bad_tar(std::string_view message) const {
    return failure("bad-tar", message, {.file = tar_->name(), .offset = at_},
                   "the tar file is damaged or incomplete: copy or download it again");
  }

  // Takes a header, its member, and the extended headers' values for the next member.
  Status add(TarHeader& header) {
    const bool notes =
        header.type == kTarLongName || header.type == kTarLongLink || header.type == kTarPax;
    if (!notes && header.has_bytes && pax_.has_size) header.size = pax_.size;
    const uint64_t start = at_ + kTarBlock;
    if (header.size > tar_->size() - start) {
      return bad_tar(cat("expected ", header.size, " bytes of ", quoted(header.name),
                         "; found that the file ends before"));
    }
    const Slice bytes = {tar_, start, header.size};
    CHECK_OK(notes ? take_notes(header.type, bytes) : take_member(header, bytes));
    const uint64_t padded = header.size + (kTarBlock - header.size % kTarBlock) % kTarBlock;
    at_ = std::min(padded, tar_->size() - start) + start;
    return Unit{};
  }

  Status take_notes(char type, const Slice& bytes) {
    if (bytes.size > kMostNotes) {
      return bad_tar(cat("expected a name of at most ", human_bytes(kMostNotes), "; found ",
                         human_bytes(bytes.size)));
    }
    TRY(text, Splice(bytes).read_all());
    if (type == kTarLongName) {
      long_name_ = text.substr(0, text.find('\0'));
    } else if (type == kTarLongLink) {
      long_link_ = text.substr(0, text.find('\0'));
    } else if (!read_pax(text, pax_)) {
      return bad_tar("expected pax records, \"LENGTH KEY=VALUE\"; found other bytes");
    }
    return Unit{};
  }

  Status take_member(TarHeader& header, const Slice& bytes) {
    const PaxRecords pax = std::exchange(pax_, {});
    for (const std::string& name : {pax.path, std::exchange(long_name_, {})}) {
      if (!name.empty()) header.name = name;
    }
    for (const std::string& link : {pax.link, std::exchange(long_link_, {})}) {
      if (!link.empty()) header.link = link;
    }
    if (header.type == kTarSparse || pax.sparse) {
      return failure("unsupported-compression",
                     cat(quoted(header.name), " is stored with holes (as a sparse file)"),
                     {.file = tar_->name(), .offset = at_}, "unpack the tar file first");
    }
    const bool file = header.type == kTarFile && !header.name.ends_with('/');
    if (!file && header.type != kTarHardLink) return Unit{};
    TRY(path, member_path(*tar_, header.name));
    if (file) {
      put(path, bytes);
      return Unit{};
    }
    TRY(target, member_path(*tar_, header.link));
    const auto found = by_path_.find(target);
    if (found == by_path_.end()) {
      return bad_tar(cat("expected ", quoted(target), " before ", quoted(path),
                         ", which links to it; found no such member"));
    }
    put(path, *members_[found->second]->underlying());
    return Unit{};
  }

  void put(const std::string& path, Slice bytes) {
    auto member = std::make_shared<SliceSource>(std::move(bytes), member_source_name(*tar_, path));
    const auto added = by_path_.emplace(path, members_.size());
    if (added.second) members_.emplace_back();
    members_[added.first->second] = std::move(member);
  }

  const SourcePtr& tar_;
  uint64_t at_ = 0;
  std::vector<SourcePtr> members_;
  std::map<std::string, size_t> by_path_;

  // Told by members before the one they are about.
  std::string long_name_;
  std::string long_link_;
  PaxRecords pax_;
};

}  // namespace

Result<std::vector<SourcePtr>> tar_members(const SourcePtr& tar) { return TarReader(tar).read(); }

}  // namespace cryo
