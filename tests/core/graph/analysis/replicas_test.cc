#include "graph/analysis/replicas.h"

#include <gtest/gtest.h>

namespace cryo {
namespace {

TEST(Replicas, NameTheNodeOfTheFirst) {
  EXPECT_EQ(name_in_first_replica("replica_1/dense/MatMul"), "dense/MatMul");
  EXPECT_EQ(name_in_first_replica("while/replica_12/MatMul"), "while/MatMul");
  EXPECT_EQ(name_in_first_replica("dense/kernel/replica_1"), "dense/kernel");
  EXPECT_EQ(name_in_first_replica("w/replica_1/Read/ReadVariableOp"), "w/Read/ReadVariableOp");
  for (const char* name :
       {"dense/MatMul", "replica_/x", "replica_a/x", "my_replica_1/x", "", "replica_1"}) {
    EXPECT_EQ(name_in_first_replica(name), std::nullopt) << name;
  }
}

}  // namespace
}  // namespace cryo
