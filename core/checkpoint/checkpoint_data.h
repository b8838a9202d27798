#pragma once

#include <map>
#include <string>
#include <vector>

#include "checkpoint/checkpoint.h"
#include "checkpoint/checkpoint_index.h"

namespace cryo {

// The properties of a tensor that its index record gives by itself.
struct TensorSpec {
  DType dtype = DType::kInvalid;
  uint64_t element_size = 0;  // bytes; 0: not fixed
  Shape shape = {};
  uint64_t elements = 0;

  // Returns the bytes of the elements; 0 if the element size is not fixed.
  uint64_t bytes() const { return elements * element_size; }
};

// Fails on types and shapes that no stored tensor has. The error names `key`.
Result<TensorSpec> read_spec(const IndexRecord& record, const std::string& key);

// The data files of a checkpoint, of which only the sizes are asked.
class CheckpointData {
 public:
  // Asks for each shard that a record refers to, once.
  // `checks` receives the checksums of the parts.
  CheckpointData(const CheckpointIndex& index, std::string index_name, FindShard find_shard,
                 Checks* checks);

  // Returns the location of a record's bytes, checked against its spec and against the data file.
  // Errors name the tensor `key`, of which the record may be a slice.
  Result<CheckpointPart> find_part(const IndexRecord& record, const TensorSpec& spec,
                                   const std::string& key) const;

  // The tensor's bytes in a part, as a little-endian machine has them.
  Result<Slice> content(const CheckpointPart& part, const TensorSpec& spec,
                        const std::string& key) const;

  // Names of the data files that are not there.
  const std::vector<std::string>& missing() const { return missing_; }

  // "has 1 of 2 shards; missing model.ckpt.data-00001-of-00002"
  Failure missing_shards() const;

 private:
  struct DataFile {
    SourcePtr source = {};
    uint64_t size = 0;
  };

  void add_check(CheckpointPart& part, const TensorSpec& spec, const std::string& key) const;
  Failure fault(std::string_view code, std::string_view message, const std::string& key) const;

  std::string index_name_;
  int num_shards_;
  bool big_endian_;
  Checks* checks_;
  std::map<int, DataFile> files_;
  std::vector<std::string> missing_;
};

}  // namespace cryo
