#include "wire/payloads.h"

#include <gtest/gtest.h>

namespace cryo {
namespace {

Payload of(uint32_t field) { return {field, 0, {}}; }

TEST(Payloads, AboveATableLeaveItAsItIsAndHaveAllOfIt) {
  const auto opened = std::make_shared<Payloads>();
  opened->add(of(10));
  opened->add(of(11));
  const auto frozen = std::make_shared<Payloads>(opened);
  EXPECT_TRUE(frozen->adds_nothing());
  EXPECT_EQ(frozen->add(of(12)), 2U);
  EXPECT_FALSE(frozen->adds_nothing());
  EXPECT_EQ(opened->size(), 2U);
  EXPECT_EQ(opened->find(2), nullptr);
  Payloads unfrozen(frozen);
  EXPECT_EQ(unfrozen.add(of(13)), 3U);
  for (uint32_t handle = 0; handle < 4; ++handle) {
    ASSERT_NE(unfrozen.find(handle), nullptr);
    EXPECT_EQ(unfrozen.find(handle)->field, handle + 10);
  }
  EXPECT_EQ(unfrozen.find(4), nullptr);
}

TEST(Payloads, AddedBelowLaterAreNotSeenAbove) {
  const auto opened = std::make_shared<Payloads>();
  opened->add(of(10));
  Payloads frozen(opened);
  opened->add(of(11));
  EXPECT_EQ(frozen.find(1), nullptr);
  EXPECT_EQ(frozen.add(of(12)), 1U);
  EXPECT_EQ(frozen.find(1)->field, 12U);
}

}  // namespace
}  // namespace cryo
