#include "attacks.h"
#include "graphs.h"
#include "wire_message.h"

namespace cryo::attacks {
namespace {

// A function without arguments whose body calls others.
WireMessage function(const std::string& name, const std::vector<std::string>& calls) {
  WireMessage def = WireMessage().message(1, WireMessage().bytes(1, name));
  for (size_t i = 0; i < calls.size(); ++i) def.bytes(3, node(cat("call", i), calls[i]));
  return def;
}

laws::Files library(const std::vector<WireMessage>& functions, const std::string& called) {
  WireMessage all;
  for (const WireMessage& each : functions) all.message(1, each);
  const WireMessage graph =
      WireMessage().bytes(1, node("y", called)).bytes(1, placeholder("x")).message(2, all);
  return laws::Files().put("m.pb", serialise(graph));
}

std::string named(int i) { return cat("f", i); }

laws::Files circle() { return library({function("f", {"g"}), function("g", {"f"})}, "f"); }
laws::Files itself() { return library({function("f", {"f"})}, "f"); }

laws::Files deep() {
  std::vector<WireMessage> functions;
  for (int i = 0; i < 20'000; ++i) functions.push_back(function(named(i), {named(i + 1)}));
  functions.push_back(function(named(20'000), {}));
  return library(functions, named(0));
}

// Each calls the next twice: 2^60 calls in all.
laws::Files doubling() {
  std::vector<WireMessage> functions;
  for (int i = 0; i < 60; ++i)
    functions.push_back(function(named(i), {named(i + 1), named(i + 1)}));
  functions.push_back(function(named(60), {}));
  return library(functions, named(0));
}

laws::Files equal_functions() {
  return library(std::vector<WireMessage>(20'000, function("f", {"NoOp"})), "f");
}

laws::Files gradients_in_a_circle() {
  WireMessage all = WireMessage().message(1, function("f", {})).message(1, function("g", {}));
  all.message(2, WireMessage().bytes(1, "f").bytes(2, "g"))
      .message(2, WireMessage().bytes(1, "g").bytes(2, "f"));
  return laws::Files().put(
      "m.pb",
      serialise(WireMessage().bytes(1, node("y", "f")).bytes(1, placeholder("x")).message(2, all)));
}

laws::Files many_gradients() {
  WireMessage all;
  for (int i = 0; i < 8'000; ++i) {
    all.message(1, function(named(i), {named(i + 1)}));
    all.message(2, WireMessage().bytes(1, named(i)).bytes(2, named(0)));
  }
  return laws::Files().put(
      "m.pb",
      serialise(
          WireMessage().bytes(1, node("y", "f0")).bytes(1, placeholder("x")).message(2, all)));
}

// A saver restores by a call of "f0". Each function calls the next eight times, the last "f0".
laws::Files restores_through(int last) {
  WireMessage all;
  for (int i = 0; i <= last; ++i) {
    WireMessage signature =
        WireMessage().bytes(1, named(i)).message(2, WireMessage().bytes(1, "a"));
    WireMessage def = WireMessage().message(1, signature);
    for (int call = 0; call < 8; ++call) {
      def.bytes(3, node(cat("call", call), "StatefulPartitionedCall", {"a"},
                        {{"f", func_value(named(i == last ? 0 : i + 1))}}));
    }
    all.message(1, def);
  }
  const std::string restore =
      node("restore", "StatefulPartitionedCall", {"v"}, {{"f", func_value("f0")}});
  const WireMessage graph =
      WireMessage().bytes(1, variable("v", {1}, "VarHandleOp")).bytes(1, restore).message(2, all);
  const WireMessage meta =
      WireMessage().message(1, {}).message(2, graph).message(3, WireMessage().bytes(3, "restore"));
  return laws::Files().put("m.meta", serialise(meta));
}

laws::Files restores_that_branch() { return restores_through(24); }
laws::Files restores_in_a_circle() { return restores_through(0); }

}  // namespace

std::vector<Attack> function_attacks() {
  return {
      {"functions-in-a-circle", circle, "function-recursion"},
      {"function-that-calls-itself", itself, "function-recursion"},
      {"functions-20000-deep", deep, ""},
      {"functions-that-double", doubling, ""},
      {"equal-functions", equal_functions, ""},
      {"gradients-in-a-circle", gradients_in_a_circle, ""},
      {"gradients-of-8000", many_gradients, ""},
      {"restores-that-branch", restores_that_branch, ""},
      {"restores-in-a-circle", restores_in_a_circle, ""},
  };
}

}  // namespace cryo::attacks
