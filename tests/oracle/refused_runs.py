"""Graphs that TensorFlow's C++ importer takes, and that it refuses to run, or to import from Python: {code of our finding: how}."""

from google.protobuf import text_format
from graphs import tf1

FLOAT_TYPE = 'attr {key: "%s" value {type: DT_FLOAT}}'
X = 'node {name: "x" op: "Const" attr {key: "dtype" value {type: DT_FLOAT}} attr {key: "value" value {tensor {dtype: DT_FLOAT tensor_shape {} float_val: 1}}}}'
INT = X.replace('"x"', '"i"').replace("DT_FLOAT", "DT_INT32").replace("float_val", "int_val")
P = X.replace('"x"', '"p"').replace("DT_FLOAT", "DT_BOOL").replace("float_val: 1", "bool_val: true")
F = """library {function {signature {name: "F" input_arg {name: "a" type: DT_FLOAT} output_arg {name: "r" type: DT_FLOAT}}
    node_def {name: "n" op: "Tanh" input: "a" attr {key: "T" value {type: DT_FLOAT}}} ret {key: "r" value: "n:y:0"} %s}}"""
LIST = 'attr {key: "%s" value {list {type: [%s]}}}'
FUNC = 'attr {key: "%s" value {func {name: "%s"}}}'


def strings(name, *values):
    texts = " ".join(f'string_val: "{value}"' for value in values)
    shape = f"dim {{size: {len(values)}}}" if name != "prefix" else ""
    return (
        f'node {{name: "{name}" op: "Const" attr {{key: "dtype" value {{type: DT_STRING}}}} attr {{key: "value" value {{tensor '
        f"{{dtype: DT_STRING tensor_shape {{{shape}}} {texts}}}}}}}}}"
    )


def constant(of_attr, tensor):
    return f'node {{name: "n" op: "Const" attr {{key: "dtype" value {{type: {of_attr}}}}} attr {{key: "value" value {{tensor {{{tensor}}}}}}}}}'


def call(argument, given, function="F"):
    return (
        f'node {{name: "n" op: "PartitionedCall" input: "{argument}" {LIST % ("Tin", given)} {LIST % ("Tout", "DT_FLOAT")} '
        f"{FUNC % ('f', function)}}}"
    )


def branch(argument, given, taken):
    return (
        f'node {{name: "n" op: "If" input: "p" input: "{argument}" attr {{key: "Tcond" value {{type: DT_BOOL}}}} {LIST % ("Tin", given)} '
        f"{LIST % ('Tout', taken)} {FUNC % ('then_branch', 'F')} {FUNC % ('else_branch', 'F')}}}"
    )


def saver(op, keys, inputs, types):
    return " ".join(
        [
            X,
            strings("prefix", "/nowhere/at/all"),
            strings("keys", *keys),
            strings("slices", *[""] * len(keys)),
            f'node {{name: "n" op: "{op}" input: "prefix" input: "keys" input: "slices" '
            + " ".join(f'input: "{each}"' for each in inputs)
            + " "
            + LIST % ("dtypes", types)
            + "}",
        ]
    )


def enter(frame):
    return f'{X} node {{name: "n" op: "Enter" input: "x" {FLOAT_TYPE % "T"} attr {{key: "frame_name" value {{s: "{frame}"}}}}}}'


# The node n is run.
RUNS = {
    "const-length": constant(
        "DT_FLOAT", 'dtype: DT_FLOAT tensor_shape {dim {size: 2}} tensor_content: "\\000\\000\\000\\000"'
    ),
    "const-type": constant("DT_INT32", "dtype: DT_FLOAT tensor_shape {} float_val: 1"),
    "const-no-type": constant("DT_FLOAT", "tensor_shape {} float_val: 1"),
    "enter-without-name": enter(""),
    "exit-without-frame": f'{X} node {{name: "n" op: "Exit" input: "x" {FLOAT_TYPE % "T"}}}',
    "missing-function": X + call("x", "DT_FLOAT", "nope"),
    "call-types": INT + call("i", "DT_INT32") + F % "",
    "call-types of a branch's input": P + INT + branch("i", "DT_INT32", "DT_FLOAT") + F % "",
    "call-types of a branch's output": P + X + branch("x", "DT_FLOAT", "DT_INT32") + F % "",
    "call-arguments of a branch": P + X + branch("x", "DT_FLOAT", "DT_FLOAT, DT_FLOAT") + F % "",
    "save-key-twice": saver("SaveV2", ["w", "w"], ["x", "x"], "DT_FLOAT, DT_FLOAT"),
    "no-kernel": f'{X} node {{name: "n" op: "NcclAllReduce" input: "x" {FLOAT_TYPE % "T"} attr {{key: "reduction" value {{s: "min"}}}} '
    'attr {key: "num_devices" value {i: 1}} attr {key: "shared_name" value {s: ""}}}',
    "device-elsewhere": X + f'node {{name: "n" op: "Neg" input: "x" device: "/job:worker" {FLOAT_TYPE % "T"}}}',
    "device-elsewhere of a task": X
    + f'node {{name: "n" op: "Neg" input: "x" device: "/job:localhost/task:1" {FLOAT_TYPE % "T"}}}',
    "device-elsewhere of a replica": X
    + f'node {{name: "n" op: "Neg" input: "x" device: "/replica:1" {FLOAT_TYPE % "T"}}}',
    "bad-device of a body": X
    + call("x", "DT_FLOAT")
    + F
    % 'node_def {name: "m" op: "Neg" input: "a" device: "garbage" '
    'attr {key: "T" value {type: DT_FLOAT}}}',
}
# Graphs that only Python's importer refuses.
IMPORTS = {
    "bad-device": 'node {name: "n" op: "NoOp" device: "garbage"}',
    "missing-gradient": 'node {name: "n" op: "NoOp"} '
    + (F % "")[:-1]
    + ' gradient {function_name: "F" gradient_func: "G"}}',
}


def graph_of(text):
    graph = text_format.Parse(text, tf1.GraphDef())
    graph.versions.producer = tf1.version.GRAPH_DEF_VERSION
    return graph
