#include "checked.h"
#include "validate/graph/device.h"
#include "validate/graph/shapes.h"

namespace cryo {
namespace {

std::string dims(const std::vector<int64_t>& sizes) {
  tensorflow::TensorShapeProto proto;
  for (const int64_t size : sizes) proto.add_dim()->set_size(size);
  return proto.SerializeAsString();
}

std::string shape_of_placeholder(const std::string& shape) {
  return found(
      {node("p", "Placeholder", {}, {{"dtype", type_value(1)}, {"shape", shape_value(shape)}})});
}

TEST(CheckShapes, ShapesInAttributesAreShapes) {
  EXPECT_EQ(shape_of_placeholder(dims({-1, 2, 0})), "");
  EXPECT_EQ(shape_of_placeholder(dims({-2, 2})), "error bad-shape");
  EXPECT_EQ(shape_of_placeholder(dims(std::vector<int64_t>(254, 1))), "");
  EXPECT_EQ(shape_of_placeholder(dims(std::vector<int64_t>(255, 1))), "error bad-shape");
  EXPECT_EQ(shape_of_placeholder(dims({int64_t{1} << 62, 2})), "error bad-shape");
  EXPECT_EQ(shape_of_placeholder(dims({int64_t{1} << 62, 0, 2})), "");
  EXPECT_EQ(shape_of_placeholder(dims({-1, int64_t{1} << 62, 4})), "");
  tensorflow::TensorShapeProto both;
  both.set_unknown_rank(true);
  EXPECT_EQ(shape_of_placeholder(both.SerializeAsString()), "");
  both.add_dim();
  EXPECT_EQ(shape_of_placeholder(both.SerializeAsString()), "error bad-shape");
}

TEST(CheckShapes, WhereImportDoesNotReadThemItIsAWarning) {
  tensorflow::AttrValue shapes;
  shapes.mutable_list()->add_shape()->add_dim()->set_size(-2);
  const std::string queue =
      node("q", "FIFOQueueV2", {},
           {{"component_types", type_list_value({1})}, {"shapes", shapes.SerializeAsString()}});
  EXPECT_EQ(found({queue}), "warning bad-shape");
}

TEST(CheckShapes, AreToldAsTensorFlowTellsThem) {
  EXPECT_EQ(shape_fault(dims({-2, 2}), false),
            "Shape [-2,2] has dimensions with values below -1 (where -1 means unknown)");
  EXPECT_EQ(shape_fault(dims({-1, 3}), true), "Shape [?,3] is not fully defined");
}

std::string found_of_output_shapes(const std::string& value) {
  return found(base_with("out", {node("out", "Identity", {"add"},
                                      {{"T", type_value(1)}, {"_output_shapes", value}})}));
}

TEST(CheckShapes, OutputShapesAreOneForEachOutput) {
  tensorflow::AttrValue value;
  value.mutable_list();
  EXPECT_EQ(found_of_output_shapes(value.SerializeAsString()), "error output-shapes-count");
  value.mutable_list()->add_shape()->add_dim()->set_size(-1);
  value.mutable_list()->mutable_shape(0)->add_dim()->set_size(3);
  EXPECT_EQ(found_of_output_shapes(value.SerializeAsString()), "");
  value.mutable_list()->add_shape();
  EXPECT_EQ(found_of_output_shapes(value.SerializeAsString()), "") << "too many do not matter";
  value.mutable_list()->mutable_shape(0)->mutable_dim(0)->set_size(-5);
  EXPECT_EQ(found_of_output_shapes(value.SerializeAsString()), "error output-shapes-invalid");
  EXPECT_EQ(found_of_output_shapes(int_value(1)), "") << "of a wrong kind it is passed over";
}

std::string found_of_const(const tensorflow::TensorProto& tensor, int dtype = 1) {
  return found(
      {node("c", "Const", {},
            {{"dtype", type_value(dtype)}, {"value", tensor_value(tensor.SerializeAsString())}})});
}

tensorflow::TensorProto tensor(const std::vector<int64_t>& sizes, size_t bytes) {
  tensorflow::TensorProto tensor;
  tensor.set_dtype(tensorflow::DT_FLOAT);
  tensor.mutable_tensor_shape()->ParseFromString(dims(sizes));
  tensor.set_tensor_content(std::string(bytes, '\0'));
  return tensor;
}

TEST(CheckConstants, ShapesAreFullyDefined) {
  EXPECT_EQ(found_of_const(tensor({2, 3}, 24)), "");
  EXPECT_EQ(found_of_const(tensor({-1, 3}, 24)), "error const-shape");
  EXPECT_EQ(found_of_const(tensor({int64_t{1} << 62, int64_t{1} << 62}, 0)), "error const-shape");
}

TEST(CheckConstants, BytesAreAsManyAsTheShapeNeeds) {
  EXPECT_EQ(found_of_const(tensor({2, 3}, 20)), "warning const-length");
  EXPECT_EQ(found_of_const(tensor({2, 3}, 28)), "warning const-length");
  EXPECT_EQ(found_of_const(tensor({2, 3}, 0)), "") << "no bytes, and so zeros";
}

TEST(CheckConstants, BytesThatLieElsewhereCountToo) {
  const auto with_payload = [](size_t bytes) {
    Payloads payloads;
    tensorflow::TensorProto value = tensor({2, 300}, 0);
    value.add_payload(payloads.add(make_payload(4, Splice(fresh(std::string(bytes, '\0'))))));
    const Graph graph = graph_of(
        {node("c", "Const", {},
              {{"dtype", type_value(1)}, {"value", tensor_value(value.SerializeAsString())}})});
    return check_graph(graph, ops(), payloads).warnings;
  };
  EXPECT_EQ(with_payload(2400), 0U);
  EXPECT_EQ(with_payload(2396), 1U);
}

TEST(CheckConstants, TheValueIsOfTheTypeThatItSays) {
  EXPECT_EQ(found_of_const(tensor({2, 3}, 24), 3), "warning const-type");
  tensorflow::TensorProto untyped = tensor({2, 3}, 24);
  untyped.clear_dtype();
  EXPECT_EQ(found_of_const(untyped), "warning const-no-type");
}

TEST(CheckDevices, DevicesAreWrittenAsTensorFlowReadsThem) {
  for (const char* good : {"", "/cpu:0", "/gpu:*", "/device:GPU:7",
                           "/job:ps/replica:0/task:3/device:CPU:0", "/job:worker"}) {
    EXPECT_TRUE(is_device(good)) << good;
  }
  for (const char* bad : {"garbage", "cpu:0", "/cpu", "/device:GPU", "/job:", "/task:x"})
    EXPECT_FALSE(is_device(bad)) << bad;
  NodeEditor editor("n", "NoOp");
  editor.set_device("garbage");
  EXPECT_EQ(found({editor.finish()}), "error bad-device");
  // Import does not read the device of a node that is colocated with another.
  editor.set_attr("_class", string_list_value({"loc:@other"}));
  EXPECT_EQ(found({editor.finish(), node("other", "NoOp")}), "warning bad-device");
}

// tests/oracle/test_missing.py asks Python's importer about the same.
TEST(CheckDevices, PythonReadsOtherDevicesThanARunner) {
  for (const char* good : {"", "/", "/cpu", "cpu:0", "//TPU:1/", "/job:", "/job:a b", "/device::0",
                           "/device:FOO:*", "/task:+1", "/gpu:-1", "/job:a/job:b"}) {
    EXPECT_TRUE(is_python_device(good)) << good;
  }
  for (const char* bad : {"garbage", "/device:GPU", "/task:x", "/replica:*", "/cpu:", "/job:a:b",
                          "/xla_cpu:0", "/cpu:0/gpu:0", "/device:CPU:"}) {
    EXPECT_FALSE(is_python_device(bad)) << bad;
  }
}

TEST(CheckDevices, APythonFunctionRunsInOneProcess) {
  const Attrs attrs = {{"token", string_value("pyfunc_0")},
                       {"Tin", type_list_value({kFloat32})},
                       {"Tout", type_list_value({kFloat32})}};
  EXPECT_EQ(found({placeholder("x"), node("n", "PyFunc", {"x"}, attrs)}),
            "warning python-function");
}

TEST(CheckColocation, ClassIsAListOfStrings) {
  const auto with = [](const std::string& value) {
    return found({node("n", "NoOp", {}, {{"_class", value}})});
  };
  EXPECT_EQ(with(string_list_value({"loc:@n"})), "");
  EXPECT_EQ(with(string_list_value({})), "");
  EXPECT_EQ(with(string_value("")), "");
  EXPECT_EQ(with(string_value("loc:@n")), "error attr-wrong-kind");
  EXPECT_EQ(with(type_list_value({1})), "error attr-wrong-kind");
  EXPECT_EQ(with(bool_value(true)), "error attr-wrong-kind");
  EXPECT_EQ(with(string_list_value({"\xFF"})), "error attr-wrong-kind");
}

TEST(CheckDevices, ADeviceOfAnotherProcessIsToldOfOnce) {
  const auto on = [](std::string_view name, std::string_view device) {
    return NodeEditor(name, "NoOp").set_device(device).finish();
  };
  EXPECT_EQ(found({on("a", "/job:ps/task:0"), on("b", "/job:ps/task:0"), on("c", "/replica:1")}),
            "warning device-elsewhere, warning device-elsewhere");
  EXPECT_EQ(found({on("a", "/job:localhost/replica:0/task:0/device:GPU:7"), on("b", "/cpu:*")}),
            "");
}

}  // namespace
}  // namespace cryo
