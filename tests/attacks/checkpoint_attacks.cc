#include "attacks.h"
#include "bundle.h"
#include "graphs.h"
#include "tables.h"

namespace cryo::attacks {
namespace {

constexpr int64_t kFar = int64_t{1} << 40;
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
const std::string kFourBytes = "abcd";
const std::string kHeader = unhex("08011A020801");  // of one shard

// A graph that reads x, and the checkpoint of it.
laws::Files model(std::string index, const std::string& data = kFourBytes) {
  std::string meta;
  put_bytes_field(meta, 1, "");
  put_bytes_field(
      meta, 2,
      graph_of({variable("x", {1}), node("y", "Identity", {"x"}, {{"T", type_value(1)}})})
          .skeleton());
  return laws::Files()
      .put("m.meta", std::move(meta))
      .put("m.index", std::move(index))
      .put("m.data-00000-of-00001", data);
}

laws::Files one_entry(const std::vector<int64_t>& dims, int64_t offset, int64_t size,
                      int shard = 0) {
  Bundle bundle;
  bundle.add("x", dims, offset, size).set_shard_id(shard);
  return model(bundle.index());
}

laws::Files outside() { return one_entry({1}, kFar, 4); }
laws::Files offset_overflows() { return one_entry({1}, kMax, 4); }
laws::Files offset_negative() { return one_entry({1}, -1, 4); }
laws::Files huge_shape() {
  return one_entry({int64_t{1} << 31, int64_t{1} << 31, int64_t{1} << 31}, 0, 4);
}
laws::Files size_lies() { return one_entry({1'000'000'000}, 0, 4); }
laws::Files shard_of_many() {
  Bundle bundle;
  bundle.header = unhex("08FFFFFFFF07 1A020801");  // 2^31 - 1 shards
  bundle.add("x", {1}, 0, 4).set_shard_id(0x40000000);
  return model(bundle.index());
}

laws::Files overlapping_slices() {
  Bundle bundle = sliced();
  tensorflow::TensorSliceProto* again = bundle.entries["x"].add_slices();
  *again = bundle.entries["x"].slices(0);
  return model(bundle.index(), "eeeeffffaaaabbbbccccdddd");
}

// One slice of a tensor without elements: 2^60 rows of nothing.
laws::Files rows_of_nothing() {
  Bundle bundle;
  bundle.add("x", {int64_t{1} << 60, 0, 5}, 0, 0);
  tensorflow::TensorProto names;
  names.set_dtype(tensorflow::DT_STRING);
  names.mutable_tensor_shape()->add_dim()->set_size(1);
  names.add_string_val("x");
  tensorflow::TensorProto slices = names;
  slices.set_string_val(0, "1152921504606846976 0 5 -:-:0,2");
  const auto strings = [](std::string_view name, const tensorflow::TensorProto& tensor) {
    return node(name, "Const", {},
                {{"dtype", type_value(7)}, {"value", tensor_value(tensor.SerializeAsString())}});
  };
  std::string meta;
  put_bytes_field(meta, 1, "");
  put_bytes_field(
      meta, 2,
      graph_of({variable("x", {-1, 0, 2}), strings("names", names), strings("slices", slices),
                node("restore", "RestoreV2", {"names", "names", "slices"}),
                node("assign", "Assign", {"x", "restore"}),
                node("y", "Identity", {"x"}, {{"T", type_value(1)}})})
          .skeleton());
  return laws::Files()
      .put("m.meta", meta)
      .put("m.index", bundle.index())
      .put("m.data-00000-of-00001", "");
}

laws::Files huge_block() { return model(finish_table("", {0, uint64_t{1} << 31})); }
laws::Files block_overflows() { return model(finish_table("", {~uint64_t{0} - 2, 8})); }
laws::Files block_of_footer() { return model(finish_table("", {30, 1000})); }

laws::Files snappy_bomb() {
  std::string packed;
  put_varint(packed, uint64_t{1} << 30);
  packed += "\xFE\x01\x00";  // a copy of 64 bytes
  return model(table_of(packed, 1));
}
laws::Files snappy_past_32_bits() {
  std::string packed;
  put_varint(packed, (uint64_t{1} << 32) + 8);
  return model(table_of(packed + "\x1C"
                                 "abcdefgh",
                        1));
}

laws::Files restart_count() { return model(table_of(block_of(entry(0, "", kHeader), 0xFFFFFFFF))); }
laws::Files restart_count_of_zero() { return model(table_of(block_of(entry(0, "", kHeader), 0))); }
laws::Files shared_beyond_the_key() {
  return model(table_of(block_of(entry(0, "", kHeader) + entry(1000, "x", "v"))));
}
laws::Files lengths_wrap() {
  return model(table_of(block_of(entry(0, "", kHeader) + unhex("00 FFFFFFFF0F 03") + "xyz")));
}

// Each key is the one before and a byte more: n entries spell n^2 / 2 bytes of keys.
laws::Files keys_that_grow() {
  std::string entries = entry(0, "", kHeader);
  for (uint64_t i = 0; i < 100'000; ++i) entries += entry(i, "k", "");
  return model(table_of(block_of(entries)));
}

}  // namespace

std::vector<Attack> checkpoint_attacks() {
  return {
      {"index-points-outside", outside, "outside-data"},
      {"index-offset-overflows", offset_overflows, "outside-data"},
      {"index-offset-negative", offset_negative, "bad-entry-place"},
      {"index-of-huge-shape", huge_shape, "bad-entry-shape"},
      {"index-size-lies", size_lies, "bad-entry-size"},
      {"index-of-2-billion-shards", shard_of_many, "missing-shard"},
      {"slices-overlap", overlapping_slices, "bad-slices"},
      {"rows-of-nothing", rows_of_nothing, ""},
      {"block-of-2-gigabytes", huge_block, "bad-block"},
      {"block-offset-overflows", block_overflows, "bad-block"},
      {"block-over-the-footer", block_of_footer, "bad-block"},
      {"snappy-bomb", snappy_bomb, "bad-block"},
      {"snappy-length-past-32-bits", snappy_past_32_bits, "bad-block"},
      {"restart-count", restart_count, "bad-block"},
      {"restart-count-of-zero", restart_count_of_zero, ""},
      {"shared-beyond-the-key", shared_beyond_the_key, "bad-block"},
      {"lengths-that-wrap", lengths_wrap, "bad-block"},
      {"keys-that-grow", keys_that_grow, "bad-block"},
  };
}

}  // namespace cryo::attacks
