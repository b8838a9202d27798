#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bytes/splice.h"
#include "bytes/sum.h"

namespace cryo {

// Bytes whose checksum their container states. They are compared while they are read; finish()
// reads the rest.
class Checked {
 public:
  explicit Checked(std::vector<std::string> tensors) : tensors_(std::move(tensors)) {}
  virtual ~Checked() = default;

  // Reads the bytes that were not read yet and compares. Fails with "checksum"; the verdict is
  // kept.
  virtual Status finish() const = 0;

  // Returns the number of bytes that the checksum covers.
  virtual uint64_t covered() const = 0;

  // Returns true if an output may depend on these bytes: some of them were read.
  bool is_needed() const { return needed_; }
  void need() const { needed_ = true; }

  // The tensors that the bytes hold, as far as they are known.
  const std::vector<std::string>& tensors() const { return tensors_; }
  void add_tensor(const std::string& name) const { tensors_.push_back(name); }

 private:
  mutable std::vector<std::string> tensors_;
  mutable bool needed_ = false;
};

// A slice with the checksum that its container states. The checksum is compared once all of it has
// been read, in any order: the last read fails with "checksum", and every one after it.
class CheckedSlice final : public ByteSource, public Checked {
 public:
  // `stated`: the checksum, not masked. `fix`: the fix if it differs; must live forever.
  CheckedSlice(Slice slice, uint32_t stated, std::unique_ptr<Sum> sum, std::string_view fix,
               std::vector<std::string> tensors = {});

  const std::string& name() const override { return slice_.source->name(); }
  uint64_t size() const override { return slice_.size; }
  Status read(uint64_t offset, std::span<char> out) const override;

  Status finish() const override;
  uint64_t covered() const override { return slice_.size; }

  // Takes bytes that a host read of slice() by itself, as read() does.
  Status take(uint64_t offset, std::string_view bytes) const;

  const Slice& slice() const { return slice_; }

 private:
  Status compare() const;
  Failure mismatch(uint32_t computed) const;

  Slice slice_;
  uint32_t stated_;
  std::string_view fix_;
  mutable std::unique_ptr<Sum> sum_;  // null when it was compared
  mutable std::shared_ptr<const Diagnostic> fault_ = {};
};

// Bytes that were taken out of checked ones, read before with structure: reading them needs the
// check.
class DependentSource final : public ByteSource {
 public:
  DependentSource(Slice bytes, std::shared_ptr<const Checked> check)
      : bytes_(std::move(bytes)), check_(std::move(check)) {}
  const std::string& name() const override { return bytes_.source->name(); }
  uint64_t size() const override { return bytes_.size; }
  Status read(uint64_t offset, std::span<char> out) const override;

 private:
  Slice bytes_;
  std::shared_ptr<const Checked> check_;
};

// All checks of one opened model. A host calls finish() after it has read its outputs, before it
// publishes them.
class Checks {
 public:
  // `on`: false: nothing is checked (--no-checksum).
  explicit Checks(bool on = true) : on_(on) {}

  bool is_on() const { return on_; }
  void add(std::shared_ptr<const Checked> check) { all_.push_back(std::move(check)); }
  const std::vector<std::shared_ptr<const Checked>>& all() const { return all_; }

  // Finishes the checks whose bytes an output may depend on.
  Status finish() const;

 private:
  bool on_;
  std::vector<std::shared_ptr<const Checked>> all_;
};

// The checks of several models, for a result that was made from several.
using CheckLists = std::vector<std::shared_ptr<const Checks>>;
Status finish_checks(const CheckLists& lists);

// The number of tensors and bytes that were checked, including `planned` ones, which are checked
// once the outputs have been read.
struct CheckCount {
  uint64_t tensors = 0;
  uint64_t bytes = 0;
};
CheckCount count_checks(const CheckLists& lists,
                        const std::vector<std::shared_ptr<const Checked>>& planned = {});

// Makes a checked slice and adds it to `list`. Returns null if `list` is off. `list` may be
// null.
std::shared_ptr<const CheckedSlice> make_check(Checks* list, Slice slice, uint32_t stated,
                                               std::unique_ptr<Sum> sum, std::string_view fix,
                                               std::vector<std::string> tensors = {});

}  // namespace cryo
