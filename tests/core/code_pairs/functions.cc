#include "functions.h"

#include "code_pairs.h"

namespace cryo {
namespace {

using Functions = std::vector<tensorflow::FunctionDef>;

Model calling(const Functions& functions, const std::string& node = call("c", "F")) {
  return as_model(Parts{{placeholder("x"), node}, functions});
}

// F, with its one node changed.
template <typename Change>
tensorflow::FunctionDef changed(Change change) {
  tensorflow::FunctionDef f = function("F");
  change(f);
  return f;
}

// F(a) calls `callee`.
tensorflow::FunctionDef passing_on_to(const std::string& callee) {
  tensorflow::FunctionDef f = function("F", callee, "r");
  f.mutable_node_def(0)->clear_attr();
  return f;
}

Model with_gradients(const Lines& gradients) {
  Parts parts{{}, {function("F"), function("A"), function("B")}};
  for (const std::string& each : gradients) {
    std::string gradient;
    put_bytes_field(gradient, 1, "F");
    put_bytes_field(gradient, 2, each);
    put_bytes_field(parts.library, 2, gradient);
  }
  return as_model(parts);
}

// F(a: a list of types L).
tensorflow::FunctionDef of_list() {
  return changed([](auto& f) {
    f.mutable_signature()->mutable_input_arg(0)->clear_type();
    f.mutable_signature()->mutable_input_arg(0)->set_type_list_attr("L");
    f.mutable_signature()->add_attr()->set_name("L");
    f.mutable_signature()->mutable_attr(0)->set_type("list(type)");
  });
}

// A call of eleven nodes with as many outputs each as the list is long.
Model wide(size_t types) {
  tensorflow::FunctionDef f;
  f.mutable_signature()->set_name("W");
  f.mutable_signature()->add_attr()->set_name("L");
  f.mutable_signature()->mutable_attr(0)->set_type("list(type)");
  for (int i = 0; i < 11; ++i) {
    f.add_node_def()->ParseFromString(
        node(cat("n", i), "IdentityN", {}, {{"T", placeholder_value("L")}}));
  }
  std::vector<int> list;
  for (size_t i = 0; i < types; ++i) list.push_back(i % 2 == 0 ? kFloat32 : kInt32);
  return as_model(Parts{{node("c", "W", {}, {{"L", type_list_value(list)}})}, {f}});
}

// A body whose node is no message, or an empty one.
Model with_node(const std::string& bytes) {
  Parts parts{{}, {function("F")}};
  std::string f = function("G").SerializeAsString();
  put_bytes_field(f, 3, bytes);
  put_bytes_field(parts.library, 1, f);
  return as_model(parts);
}

void add_library(CodePairs& pairs) {
  const Model sound = calling({function("F")});
  pairs.push_back(CodePair{"duplicate-function", calling({function("F"), function("F", "Abs")}),
                           calling({function("F"), function("F")})});
  pairs.push_back(
      CodePair{"duplicate-gradient", with_gradients({"A", "B"}), with_gradients({"A", "A"})});
  pairs.push_back(CodePair{"missing-gradient", with_gradients({"C"}), with_gradients({"A"})});
  Parts cyclic{{}, {function("F")}};
  std::string gradient;
  put_bytes_field(gradient, 1, "F");
  put_bytes_field(gradient, 2, "F");
  put_bytes_field(cyclic.library, 2, gradient);
  Parts plain = cyclic;
  plain.functions.push_back(function("G"));
  pairs.push_back(CodePair{"cyclic-gradients", as_model(cyclic), as_model(plain)});
  pairs.push_back(CodePair{"function-named-as-op", as_model(Parts{{}, {function("MatMul")}}),
                           as_model(Parts{{}, {function("MyMatMul")}})});
  pairs.push_back(CodePair{"function-recursion", calling({passing_on_to("F")}),
                           calling({passing_on_to("G"), function("G")})});
  pairs.push_back(CodePair{"missing-function", calling({}), sound});
  pairs.push_back(
      CodePair{"malformed-message", with_node("\x0A\x05"), with_node(node("n2", "NoOp"))});
}

void add_bodies(CodePairs& pairs) {
  const Model sound = calling({function("F")});
  const auto nothing_returned = changed([](auto& f) { f.clear_ret(); });
  pairs.push_back(CodePair{"function-return", calling({nothing_returned}), sound});
  const auto untyped =
      changed([](auto& f) { f.mutable_signature()->mutable_input_arg(0)->clear_type(); });
  pairs.push_back(CodePair{"bad-signature", calling({untyped}, node("c", "F", {"x"})),
                           calling({function("F")}, node("c", "F", {"x"}))});
  const auto listed = [](const Lines& inputs) {
    return calling({of_list()},
                   node("c", "F", inputs,
                        {{"L", type_list_value(std::vector<int>(inputs.size(), kFloat32))}}));
  };
  pairs.push_back(CodePair{"function-empty-list", listed({}), listed({"x"})});
  const auto polymorphic = changed([](auto& f) {
    f.mutable_node_def(0)->mutable_attr(0)->mutable_value()->set_placeholder("Q");
  });
  pairs.push_back(
      CodePair{"unbound-placeholder", calling({polymorphic}, node("c", "F", {"x"})),
               calling({polymorphic}, node("c", "F", {"x"}, {{"Q", type_value(kFloat32)}}))});
  pairs.push_back(CodePair{"too-many-types", wide(2'000'000), wide(2)});
}

void add_calls(CodePairs& pairs) {
  const Model sound = calling({function("F")});
  pairs.push_back(
      CodePair{"call-arguments", calling({function("F")}, call("c", "F", {"x", "x"})), sound});
  tensorflow::FunctionDef integer = function("F", "Abs");
  integer.mutable_signature()->mutable_input_arg(0)->set_type(tensorflow::DT_INT32);
  integer.mutable_signature()->mutable_output_arg(0)->set_type(tensorflow::DT_INT32);
  integer.mutable_node_def(0)->mutable_attr(0)->mutable_value()->set_type(tensorflow::DT_INT32);
  pairs.push_back(CodePair{"call-types", calling({integer}), sound});
}

}  // namespace

void add_function_pairs(CodePairs& pairs) {
  add_library(pairs);
  add_bodies(pairs);
  add_calls(pairs);
}

}  // namespace cryo
