// Every law of every model, a test a model. At the end a line for each law has its tally, which
// tests/laws/run adds up: a program may run a share of the models.

#include "laws.h"

#include <gtest/gtest.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "road.h"

namespace cryo::laws {
namespace {

// A law and its tally in this program.
struct Counted {
  Law law;
  Tally tally = {};
};

std::vector<Counted>& all_laws() {
  static std::vector<Counted> all = [] {
    std::vector<Counted> laws;
    for (auto& some : {identity_laws(), thrift_laws(), inverse_laws(), pass_laws(), pair_laws(),
                       option_laws(), salvage_laws(), redaction_laws(), picture_laws()}) {
      for (const Law& law : some) laws.push_back({law});
    }
    return laws;
  }();
  return all;
}

class Laws : public testing::TestWithParam<Case> {
 protected:
  static void TearDownTestSuite() {
    for (const auto& [law, tally] : all_laws()) {
      const nlohmann::json line = {
          {"law", law.name},          {"held", tally.held},         {"missed", tally.missed},
          {"skipped", tally.skipped}, {"more_than", law.more_than}, {"exceptions", law.exceptions}};
      std::cout << "TALLY " << line.dump() << std::endl;
    }
  }
};

TEST_P(Laws, Hold) {
  Road road(GetParam());
  ASSERT_TRUE(road.opened().model.ok()) << to_text(road.opened().model.error());
  for (auto& [law, tally] : all_laws()) {
    SCOPED_TRACE(law.name);
    law.check(road, tally);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Laws, testing::ValuesIn(cases()),
                         [](const auto& each) { return test_name(each.param.name()); });

TEST(Corpus, IsAtHand) {
  if (corpus_folder().empty())
    GTEST_SKIP()
        << "no corpus at ../shared/corpus: the laws were held against fixtures and sample alone";
}

}  // namespace
}  // namespace cryo::laws
