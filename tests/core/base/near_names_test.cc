#include "base/near_names.h"

#include <gtest/gtest.h>

namespace cryo {
namespace {

using Names = std::vector<std::string>;
const std::vector<std::string_view> kNames = {"attr-missing", "attr-empty", "missing-key",
                                              "unknown-colocation", "cycle"};

TEST(NearNames, HaveFewLettersOther) {
  EXPECT_EQ(near_names("attr-mising", kNames), Names{"attr-missing"});
  EXPECT_EQ(near_names("cycel", kNames), Names());
  EXPECT_EQ(near_names("cycl", kNames), Names{"cycle"});
  EXPECT_EQ(near_names("cycle", kNames), Names{"cycle"});
}

TEST(NearNames, OrHoldTheWholeWord) {
  EXPECT_EQ(near_names("missing", kNames), (Names{"missing-key", "attr-missing"}));
  EXPECT_EQ(near_names("colocation", kNames), Names{"unknown-colocation"});
}

TEST(NearNames, AreFewAndSometimesNone) {
  EXPECT_EQ(near_names("missing", kNames, 1).size(), 1U);
  EXPECT_EQ(near_names("elephant", kNames), Names());
  EXPECT_EQ(near_names("", kNames), Names());
  EXPECT_EQ(near_names(std::string(10000, 'a'), kNames), Names());
}

TEST(NearNames, AreAskedFor) {
  EXPECT_EQ(did_you_mean("missing", kNames), " (did you mean missing-key or attr-missing?)");
  EXPECT_EQ(did_you_mean("elephant", kNames), "");
}

}  // namespace
}  // namespace cryo
