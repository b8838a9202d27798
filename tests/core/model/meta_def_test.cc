#include "graphs.h"
#include "model/meta.h"

namespace cryo {
namespace {

std::string meta_with_tag(const std::string& tag) {
  tensorflow::MetaGraphDef meta;
  meta.mutable_meta_info_def()->add_tags(tag);
  return meta.SerializeAsString();
}

TEST(MetaDef, CopiesShareTheParsedMessage) {
  Model model;
  model.meta = meta_with_tag("serve");
  const Model copy = model;
  EXPECT_EQ(&parse_meta(model), &parse_meta(copy));
  EXPECT_EQ(parse_meta(copy).meta_info_def().tags(0), "serve");
}

TEST(MetaDef, AChangedOneIsParsedAgainAndCopiesKeepTheOld) {
  Model model;
  model.meta = meta_with_tag("serve");
  const Model copy = model;
  tensorflow::MetaGraphDef meta = parse_meta(model);
  meta.mutable_meta_info_def()->set_tags(0, "train");
  set_meta(model, meta);
  EXPECT_EQ(parse_meta(model).meta_info_def().tags(0), "train");
  EXPECT_EQ(parse_meta(copy).meta_info_def().tags(0), "serve");
  EXPECT_FALSE(model.meta == copy.meta);
}

TEST(MetaDef, IsNotWholeAfterTextThatIsNotUtf8) {
  EXPECT_TRUE(MetaDef().is_whole());
  EXPECT_TRUE(MetaDef(meta_with_tag("serve")).is_whole());
  EXPECT_FALSE(MetaDef(meta_with_tag("\xFF")).is_whole());
}

}  // namespace
}  // namespace cryo
