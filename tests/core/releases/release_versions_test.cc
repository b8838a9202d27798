#include "releases/release_versions.h"

#include "checked.h"
#include "native/embedded_compat.h"
#include "releases/op_histories.h"

namespace cryo {
namespace {

TEST(ReleaseVersions, AreThoseOfTheHistories) {
  const OpHistories histories = *OpHistories::parse(embedded_histories(), ops());
  ASSERT_EQ(release_versions().size(), histories.releases().size());
  for (size_t i = 0; i < release_versions().size(); ++i) {
    EXPECT_EQ(release_versions()[i].name, histories.releases()[i].name);
    EXPECT_EQ(release_versions()[i].graph_version, histories.releases()[i].graph_version);
  }
}

TEST(ReleaseVersions, AProducerNamesItsReleases) {
  EXPECT_EQ(made_by(0), "");
  EXPECT_EQ(made_by(-1), "");
  EXPECT_EQ(made_by(21), "TensorFlow before 1.2");
  EXPECT_EQ(made_by(22), "TensorFlow 1.2 or earlier");
  EXPECT_EQ(made_by(24), "TensorFlow 1.3 to 1.5");
  EXPECT_EQ(made_by(134), "TensorFlow 1.15");
  EXPECT_EQ(made_by(119), "TensorFlow 2.0");
  EXPECT_EQ(made_by(500), "a build between TensorFlow 2.3 and 2.4");
  EXPECT_EQ(made_by(120), "a build between TensorFlow 2.0 and 1.15") << "by their versions";
  EXPECT_EQ(made_by(2474), "TensorFlow 2.21");
  EXPECT_EQ(made_by(2475), "TensorFlow after 2.21");
}

TEST(ReleaseVersions, AMinConsumerNamesTheFirstReleaseThatTakesIt) {
  EXPECT_EQ(loads_from(0), "");
  EXPECT_EQ(loads_from(22), "");
  EXPECT_EQ(loads_from(23), "1.3");
  EXPECT_EQ(loads_from(24), "1.3");
  EXPECT_EQ(loads_from(25), "1.6");
  EXPECT_EQ(loads_from(9999), "");
}

}  // namespace
}  // namespace cryo
