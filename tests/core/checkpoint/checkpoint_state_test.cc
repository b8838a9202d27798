#include "checkpoint/checkpoint_state.h"

#include <gtest/gtest.h>

#include "files.h"

namespace cryo {
namespace {

CheckpointState read(std::string_view text) {
  const Result<CheckpointState> state = read_checkpoint_state(text, "checkpoint");
  EXPECT_TRUE(state.ok()) << text;
  return state.ok() ? *state : CheckpointState{};
}

TEST(CheckpointState, IsReadAsTensorFlowWritesIt) {
  const CheckpointState state = read(
      "model_checkpoint_path: \"model.ckpt-46900\"\n"
      "all_model_checkpoint_paths: \"model.ckpt-0\"\n"
      "all_model_checkpoint_paths: \"model.ckpt-46900\"\n"
      "all_model_checkpoint_timestamps: 1588100000.123\n"
      "last_preserved_timestamp: 1.588e+09\n");
  EXPECT_EQ(state.latest, "model.ckpt-46900");
  EXPECT_EQ(state.all, (std::vector<std::string>{"model.ckpt-0", "model.ckpt-46900"}));
}

TEST(CheckpointState, IsReadInTheWholeTextFormat) {
  const CheckpointState state = read(
      "# made by hand\r\nmodel_checkpoint_path:'a\\\"b' \"\\143\\x64\\n\" , unknown: inf;"
      "all_model_checkpoint_paths : \"c:\\\\d\" all_model_checkpoint_paths: \"\"  # end");
  EXPECT_EQ(state.latest, "a\"bcd\n");
  EXPECT_EQ(state.all, (std::vector<std::string>{"c:\\d", ""}));
  EXPECT_EQ(read("").latest, "");
}

TEST(CheckpointState, IsReadBackAsWritten) {
  std::string every;
  for (int byte = 0; byte < 256; ++byte) every += static_cast<char>(byte);
  const CheckpointState state = {"models/caf\xC3\xA9.ckpt-1", {every, "models/caf\xC3\xA9.ckpt-1"}};
  const CheckpointState again = read(write_checkpoint_state(state));
  EXPECT_EQ(again.latest, state.latest);
  EXPECT_EQ(again.all, state.all);
}

TEST(CheckpointState, IsWrittenAsTensorFlowDoes) {
  for (const char* folder : {"ref", "two_checkpoints", "partitioned"}) {
    const std::string text = file_bytes(fixture(folder) / "checkpoint");
    ASSERT_FALSE(text.empty());
    EXPECT_EQ(write_checkpoint_state(read(text)), text) << folder;
  }
  EXPECT_EQ(write_checkpoint_state({"caf\xC3\xA9\t'\x01", {}}),
            "model_checkpoint_path: \"caf\\303\\251\\t\\'\\001\"\n");
}

TEST(CheckpointState, ThatIsNoneIsRefusedWithItsPlace) {
  for (const char* text :
       {"model_checkpoint_path", "model_checkpoint_path: ", "x: \"a", "x: \"a\nb\"", "x: \"\\q\"",
        "x: \"\\x\"", "x: \"\\777\"", "{}", "x: \"\\"}) {
    const Result<CheckpointState> state = read_checkpoint_state(text, "checkpoint");
    ASSERT_FALSE(state.ok()) << text;
    EXPECT_EQ(state.error().where.file, "checkpoint");
  }
}

}  // namespace
}  // namespace cryo
