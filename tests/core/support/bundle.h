#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "bytes/crc32c.h"
#include "checkpoint/checkpoint.h"
#include "checkpoint/tensor_slice.h"
#include "counting_source.h"
#include "files.h"
#include "proto/checkpoint.pb.h"
#include "sstable/table_writer.h"

namespace cryo {

// A checkpoint written by hand, valid or not.
struct Bundle {
  std::string header = unhex("08011A020801");
  std::map<std::string, tensorflow::BundleEntryProto> entries = {};
  std::map<int, std::shared_ptr<const CountingSource>> shards = {};
  Diagnostics diagnostics = {};

  tensorflow::BundleEntryProto& add(const std::string& key, const std::vector<int64_t>& dims,
                                    int64_t offset, int64_t size, const std::string& bytes = "") {
    tensorflow::BundleEntryProto& entry = entries[key];
    entry.set_dtype(tensorflow::DT_FLOAT);
    entry.mutable_shape();
    for (const int64_t dim : dims) entry.mutable_shape()->add_dim()->set_size(dim);
    entry.set_offset(offset);
    entry.set_size(size);
    entry.set_crc32c(mask_crc(crc32c(bytes)));
    return entry;
  }

  void add_shard(const std::string& bytes, int shard = 0, int count = 1) {
    shards[shard] =
        std::make_shared<CountingSource>(bytes, checkpoint_shard_name("m", shard, count));
  }

  std::string index() const {
    TableWriter table;
    table.add("", header);
    for (const auto& [key, entry] : entries) table.add(key, entry.SerializeAsString());
    return *table.finish().read_all();
  }

  Result<Checkpoint> read() {
    return read_checkpoint(
        std::make_shared<MemorySource>(index(), "m.index"),
        [&](int shard, int) -> SourcePtr {
          const auto found = shards.find(shard);
          return found == shards.end() ? nullptr : found->second;
        },
        diagnostics);
  }
};

// Expects that the bundle's only fault is that of "x", with this code.
inline void expect_fault(Bundle& bundle, std::string_view code) {
  const Result<Checkpoint> checkpoint = bundle.read();
  ASSERT_TRUE(checkpoint.ok()) << checkpoint.error().message;
  const CheckpointEntry* entry = checkpoint->find("x");
  ASSERT_NE(entry, nullptr);
  ASSERT_NE(entry->fault, nullptr);
  EXPECT_EQ(entry->fault->code, code) << entry->fault->message;
  EXPECT_EQ(entry->fault->where.tensor, "x");
  EXPECT_FALSE(entry->fault->where.file.empty());
  EXPECT_TRUE(entry->parts.empty());
  EXPECT_EQ(entry->content.size(), 0U);
  EXPECT_FALSE(verify(*entry).ok());
  ASSERT_EQ(bundle.diagnostics.all().size(), 1U);
  EXPECT_EQ(bundle.diagnostics.all()[0].code, code);
}

// A tensor [2, 3] of floats in two slices: columns 0..1 and column 2.
inline Bundle sliced() {
  Bundle bundle;
  tensorflow::BundleEntryProto& whole = bundle.add("x", {2, 3}, 0, 0);
  whole.clear_crc32c();
  for (const auto& [start, length] : {std::pair(0, 2), std::pair(2, 1)}) {
    tensorflow::TensorSliceProto* slice = whole.add_slices();
    slice->add_extent();
    slice->add_extent()->set_start(start);
    slice->mutable_extent(1)->set_length(length);
  }
  bundle.add(slice_key("x", std::vector<Extent>{{}, {0, 2}}), {2, 2}, 8, 16, "aaaabbbbccccdddd");
  bundle.add(slice_key("x", std::vector<Extent>{{}, {2, 1}}), {2, 1}, 0, 8, "eeeeffff");
  bundle.add_shard("eeeeffffaaaabbbbccccdddd");
  return bundle;
}

}  // namespace cryo
