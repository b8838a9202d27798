#include "archive/tar.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "archive/member_names.h"
#include "base/reference.h"
#include "base/text.h"
#include "base/utf8.h"
#include "bytes/slice_source.h"

namespace cryo {
namespace {

// A long name or pax's records: longer ones are not names.
constexpr uint64_t kMaxNotes = uint64_t{1024} * 1024;

class TarReader {
 public:
  TarReader(const SourcePtr& tar, DamagedParts* losses) : tar_(tar), losses_(losses) {}

  Result<std::vector<SourcePtr>> read() {
    bool ended = false;
    while (!ended && at_ < tar_->size()) {
      const uint64_t begin = at_;
      Result<bool> next = read_next();
      ended = next && !*next;
      if (next) continue;
      if (losses_ == nullptr || !is_of_file(next.error().code)) return std::move(next).failure();
      CHECK_OK(skip_damage(begin, next.error()));
    }
    if (!ended && losses_ != nullptr) {
      const Failure why = bad_tar("expected the blocks of zeros that end a tar file; found none");
      losses_->push_back({kLostMember, "", 0, *why});
    }
    return std::move(members_);
  }

 private:
  Failure bad_tar(std::string_view message) const {
    return failure(
        "bad-tar", message, {.file = tar_->name(), .offset = at_},
        "the tar file is damaged or incomplete: copy or download it again" ADVICE("or-salvage"));
  }

  // Reads a header and takes its member. Returns false at the end.
  Result<bool> read_next() {
    TRY(block, read_up_to(*tar_, at_, kTarBlock));
    if (block.find_first_not_of('\0') == std::string::npos) {
      TRY(zeros, losses_ == nullptr ? Result<bool>(true) : ends_in_zeros());
      if (zeros) return false;
    }
    TarHeader header;
    if (block.size() < kTarBlock || !read_tar_header(block, header)) {
      return bad_tar("expected the header of a member or the end; found other bytes");
    }
    CHECK_OK(add(header));
    return true;
  }

  // Returns true if no header of a member follows: all blocks from here on are zeros.
  Result<bool> ends_in_zeros() const {
    for (uint64_t at = at_; at < tar_->size(); at += kStep) {
      TRY(bytes, read_up_to(*tar_, at, kStep));
      if (bytes.find_first_not_of('\0') != std::string::npos) return false;
    }
    return true;
  }

  // Moves to the next header. `begin`: the one that failed; what follows it may be read already.
  Status skip_damage(uint64_t begin, const Diagnostic& why) {
    pax_ = {};
    long_name_.clear();
    long_link_.clear();
    at_ = std::max(at_, begin + kTarBlock);
    for (TarHeader header; at_ < tar_->size(); at_ += kTarBlock) {
      TRY(block, read_up_to(*tar_, at_, kTarBlock));
      if (block.size() == kTarBlock && read_tar_header(block, header)) break;
    }
    at_ = std::min(at_, tar_->size());
    losses_->push_back({kLostMember, "", at_ - begin, why});
    return Unit{};
  }

  // Takes a header, its member, and the extended headers' values for the next member.
  Status add(TarHeader& header) {
    const bool notes =
        header.type == kTarLongName || header.type == kTarLongLink || header.type == kTarPax;
    if (!notes && header.has_bytes && pax_.has_size) header.size = pax_.size;
    const uint64_t start = at_ + kTarBlock;
    const uint64_t room = tar_->size() - start;
    const bool cut = header.size > room;
    if (cut && (losses_ == nullptr || notes)) return ends_within(header);
    const Slice bytes = {tar_, start, std::min(header.size, room)};
    Status taken = notes ? take_notes(header.type, bytes) : take_member(header, bytes);
    if (taken && cut) taken = ends_within(header);
    if (!taken) CHECK_OK(lose(header, taken.error()));
    const uint64_t padded = bytes.size + (kTarBlock - bytes.size % kTarBlock) % kTarBlock;
    at_ = std::min(padded, room) + start;
    return Unit{};
  }

  Failure ends_within(const TarHeader& header) const {
    return bad_tar(cat("expected ", header.size, " bytes of ", quoted(header.name),
                       "; found that the file ends before"));
  }

  // Loses a member whose header is whole. Fails without a list for it.
  Status lose(const TarHeader& header, const Diagnostic& why) {
    if (losses_ == nullptr || !is_of_file(why.code)) return why;
    const Result<std::string> path = member_path(*tar_, header.name);
    const std::string name = path ? member_source_name(*tar_, *path) : std::string();
    losses_->push_back({kLostMember, name, header.size, why});
    return Unit{};
  }

  Status take_notes(char type, const Slice& bytes) {
    if (bytes.size > kMaxNotes) {
      return bad_tar(cat("expected a name of at most ", human_bytes(kMaxNotes), "; found ",
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

  static constexpr uint64_t kStep = uint64_t{64} * 1024;

  const SourcePtr& tar_;
  DamagedParts* losses_;
  uint64_t at_ = 0;
  std::vector<SourcePtr> members_;
  std::map<std::string, size_t> by_path_;

  // Set by a GNU or pax header; applies to the next member.
  std::string long_name_;
  std::string long_link_;
  PaxRecords pax_;
};

}  // namespace

Result<std::vector<SourcePtr>> tar_members(const SourcePtr& tar, DamagedParts* losses) {
  return TarReader(tar, losses).read();
}

}  // namespace cryo
