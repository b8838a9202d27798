#include "base/sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace cryo {
namespace {

TEST(Sort, PutsThingsInOrder) {
  std::vector<std::string> few = {"b"};
  sort(few);
  EXPECT_EQ(few, std::vector<std::string>{"b"});
  std::vector<std::string> more = {"d", "b", "a", "e", "c", "f"};
  sort(more);
  EXPECT_EQ(more, (std::vector<std::string>{"a", "b", "c", "d", "e", "f"}));
  sort(more, [](const std::string& a, const std::string& b) { return a > b; });
  EXPECT_EQ(more, (std::vector<std::string>{"f", "e", "d", "c", "b", "a"}));
}

TEST(Sort, OrdersEveryPermutation) {
  std::array<int, 5> places = {0, 1, 2, 3, 4};
  do {
    std::vector<std::unique_ptr<int>> things;
    for (const int place : places) things.push_back(std::make_unique<int>(place));
    sort(things, [](const auto& a, const auto& b) { return *a < *b; });
    for (int i = 0; i < 5; ++i) EXPECT_EQ(*things[static_cast<size_t>(i)], i);
  } while (std::next_permutation(places.begin(), places.end()));
}

TEST(Sort, LeavesEqualThingsInTheirOrder) {
  std::vector<std::pair<int, int>> things;
  for (int i = 0; i < 100; ++i) things.emplace_back(i * 7 % 10, i);
  sort(things, [](const auto& a, const auto& b) { return a.first < b.first; });
  for (size_t i = 1; i < things.size(); ++i) EXPECT_LT(things[i - 1], things[i]);
}

TEST(Sort, OfASpanLeavesTheRestAlone) {
  std::vector<int> all = {9, 3, 2, 1, 0};
  sort(std::span(all).subspan(1, 3));
  EXPECT_EQ(all, (std::vector<int>{9, 1, 2, 3, 0}));
}

}  // namespace
}  // namespace cryo
