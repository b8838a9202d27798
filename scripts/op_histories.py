#!/usr/bin/env python3
"""Writes how ops, kernels and the importer changed from TensorFlow 1.2 to the installed release: core/data/op_histories.bin.

    build/tensorflow/bin/python scripts/op_histories.py [core/data/op_histories.bin]

Each release answers for itself: it lists its ops and kernels, and its importer judges a few small graphs. Libraries that
are not there are brought (5 GB in all), and removed when their release has answered. The same releases write the same bytes.

    message OpHistories {
      repeated Release release = 1;                // oldest first; others name them by position
      repeated OpHistory op = 2;                   // by name
    }
    message Release {
      string name = 1;                             // "1.15"
      int32 graph_version = 2;
      repeated int32 type = 3 [packed = true];     // the DataTypes that it knows
      bool refuses_unknown_attrs = 4;              // a node's attribute that its op does not have
      bool refuses_function_nodes = 5;             // a node whose op is a function of the library, if it is not named as one
      bool refuses_uses_of_named = 6;              // an input from a node that is named as a function of the library
      bool refuses_more_output_shapes = 7;         // than outputs, in a node's attribute _output_shapes
      bool refuses_angles = 8;                     // ">" in the name of a node
      bool checks_bodies = 9;                      // of functions that nodes call
    }
    message OpHistory {
      string name = 1;
      repeated Definition definition = 2;          // by release, each until the next
      repeated Kernels kernels = 3;                // by release, each until the next
    }
    message Definition {                           // with neither `same` nor `op`: the op is removed
      int32 release = 1;
      bool same = 2;                               // as in core/data/ops.bin
      OpDef op = 3;
    }
    message Kernels {                              // on the CPU; without `kernel`: there are none
      int32 release = 1;
      repeated tensorflow.KernelDef kernel = 2;    // with constraints alone
    }
"""

import base64
import json
import os
import re
import subprocess
import sys
import tempfile

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", TF_ENABLE_ONEDNN_OPTS="0")
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../tests/data/fixtures"))
import importer  # noqa: E402  (the path comes first)
import tensorflow_releases  # noqa: E402
from google.protobuf import text_format  # noqa: E402
from op_registry import bytes_field, varint  # noqa: E402
from tensorflow.core.framework import graph_pb2, kernel_def_pb2, op_def_pb2, types_pb2  # noqa: E402

NO_RELEASE_YET = 2**31 - 1
NOT_OF_LOADING = ("summary", "is_commutative", "is_aggregate", "is_distributed_communication")
PLACEHOLDER = "node { name: '%s' op: 'Placeholder' attr { key: 'dtype' value { type: %s } } } "
IDENTITY = "node { name: 'i' op: 'Identity' input: 'x' attr { key: 'T' value { type: DT_FLOAT } } %s } "
FUNCTION = """library { function {
  signature { name: 'F' input_arg { name: 'a' type: DT_FLOAT } output_arg { name: 'r' type: DT_FLOAT } }
  node_def { name: 'i' op: '%s' input: 'a' attr { key: 'T' value { type: DT_FLOAT } } } ret { key: 'r' value: 'i:output:0' } } }"""
INPUT = PLACEHOLDER % ("x", "DT_FLOAT")
CALL = INPUT + "node { name: 'c' op: 'F' input: 'x' } "
TWO_SHAPES = (
    "attr { key: '_output_shapes' value { list { shape { unknown_rank: true } shape { unknown_rank: true } } } }"
)

# Graphs that a release refuses if it has the rule, in the order of the fields of Release.
REFUSED = {
    "refuses_unknown_attrs": INPUT + IDENTITY % "attr { key: 'foo' value { i: 1 } }",
    "refuses_function_nodes": CALL + FUNCTION % "Identity",
    "refuses_uses_of_named": PLACEHOLDER % ("F", "DT_FLOAT")
    + IDENTITY.replace("'x'", "'F'") % ""
    + FUNCTION % "Identity",
    "refuses_more_output_shapes": INPUT + IDENTITY % TWO_SHAPES,
    "refuses_angles": "node { name: 'a>b' op: 'NoOp' }",
    "checks_bodies": CALL + FUNCTION % "NoSuchOp",
}


def answers_of(folder):
    """Returns the JSON of release_ops.py for the libraries in a folder, or for the installed TensorFlow."""
    program = [sys.executable, os.path.join(HERE, "release_ops.py"), *([folder] if folder else [])]
    return json.loads(subprocess.run(program, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout)


def judge(graphs, folder):
    """Returns the verdicts of a release's importer on GraphDefs in text form."""
    with tempfile.TemporaryDirectory() as work:
        paths = [os.path.join(work, str(place)) for place in range(len(graphs))]
        for path, graph in zip(paths, graphs):
            with open(path, "wb") as file:
                file.write(text_format.Parse(graph, graph_pb2.GraphDef()).SerializeToString())
        return importer.judge(paths, whole=True, libraries=folder)


def release_of(version, folder):
    """Returns a Release message."""
    types = [each for each in types_pb2.DataType.values() if 0 < each < 100]
    graphs = ["versions { min_consumer: %d }" % NO_RELEASE_YET, *REFUSED.values()]
    said, *refused = judge([*graphs, *(PLACEHOLDER % ("x", each) for each in types)], folder)
    refused = [each["code"] != 0 for each in refused]
    known = [each for each, no in zip(types, refused[len(REFUSED) :]) if not no]
    facts = dict(zip(REFUSED, refused))
    facts["checks_bodies"] &= not facts["refuses_function_nodes"]
    graph_version = int(re.search(r"above current version (\d+)", said["message"])[1])
    data = bytes_field(1, ".".join(version.split(".")[:2]).encode()) + int_field(2, graph_version)
    data += bytes_field(3, b"".join(map(varint, known)))
    return data + b"".join(int_field(4 + place, int(facts[name])) for place, name in enumerate(REFUSED))


def int_field(number, value):
    return varint(number << 3) + varint(value) if value else b""


def definitions_of(answers):
    """Returns {op: its definition, serialized}."""
    ops = op_def_pb2.OpList.FromString(base64.b64decode(answers["ops"])).op
    return {op.name: definition(op) for op in ops}


def definition(op):
    """Serializes an OpDef without the fields that no importer reads."""
    for message in [op, *op.input_arg, *op.output_arg, *op.attr]:
        message.ClearField("description")
    for arg in [*op.input_arg, *op.output_arg]:
        arg.ClearField("experimental_full_type")
        arg.ClearField("handle_data")
    for name in NOT_OF_LOADING:
        op.ClearField(name)
    op.DiscardUnknownFields()  # scripts/op_registry.py adds some
    return op.SerializeToString(deterministic=True)


def constraints_of(text):
    """Reads a line of KernelsRegisteredForOp, "device='CPU'; T in [DT_FLOAT, DT_HALF]". None if nodes on the CPU do not get it."""
    device, *parts = text.strip().split("; ")
    if device != "device='CPU'" or any(part.startswith("label=") for part in parts):
        return None
    found = {}
    for part in parts:
        name, values = re.fullmatch(r"(\w+) in \[(.*)\]", part).groups()
        found[name] = frozenset(types_pb2.DataType.Value(each) for each in values.split(", "))
    return found


def listed_constraints(answers):
    """Returns {op: [{attribute: its types}]}, one for each kernel on the CPU. Kernels with a label are skipped: nodes do not get them."""
    found = {}
    for op, text in answers.get("kernel_texts", {}).items():
        lines = [line for line in text.splitlines() if "<no registered kernels>" not in line]
        found[op] = [each for each in map(constraints_of, lines) if each is not None]
    for kernel in kernel_def_pb2.KernelList.FromString(base64.b64decode(answers.get("kernels", ""))).kernel:
        if kernel.device_type in ("CPU", "DEFAULT") and not kernel.label:
            # Kernels by other values than types (a data format) are few, and count as for all values.
            limits = {each.name: frozenset(each.allowed_values.list.type) for each in kernel.constraint}
            found.setdefault(kernel.op, []).append({name: types for name, types in limits.items() if types})
    return found


def in_order(kernel):
    return [(name, sorted(types)) for name, types in kernel]


def joined(kernels):
    """Joins constraints that differ in the types of one attribute, until none do."""
    kernels = {tuple(sorted(kernel.items())) for kernel in kernels}
    while True:
        before = len(kernels)
        for place in range(max(map(len, kernels), default=0)):
            groups = {}
            for kernel in sorted(kernels, key=in_order):
                if len(kernel) > place:
                    key = kernel[:place], kernel[place][0], kernel[place + 1 :]
                    groups[key] = groups.get(key, frozenset()) | kernel[place][1]
            kernels = {kernel for kernel in kernels if len(kernel) <= place}
            kernels |= {(*start, (name, types), *rest) for (start, name, rest), types in groups.items()}
        if len(kernels) == before:
            return kernels


def kernels_of(answers):
    """Returns {op: [its kernels on the CPU, serialized]}, without ops that have none."""
    found = {}
    for op, kernels in listed_constraints(answers).items():
        messages = []
        for constraints in joined(kernels):
            kernel = kernel_def_pb2.KernelDef()
            for name, types in constraints:
                kernel.constraint.add(name=name).allowed_values.list.type.extend(sorted(types))
            messages.append(kernel.SerializeToString(deterministic=True))
        if messages:
            found[op] = sorted(messages)
    return found


def changes(by_release, op):
    """Returns [(release, the op from then on)] where it changes. None: the release does not have it."""
    found = []
    for release, each in enumerate(by_release):
        if each.get(op) != (found[-1][1] if found else None):
            found.append((release, each.get(op)))
    return found


def history_of(op, definitions, kernels):
    """Returns an OpHistory message."""
    data, now = bytes_field(1, op.encode()), definitions[-1].get(op)
    for release, each in changes(definitions, op):
        then = b"" if each is None else int_field(2, 1) if each == now else bytes_field(3, each)
        data += bytes_field(2, int_field(1, release) + then)
    for release, listed in changes(kernels, op):
        data += bytes_field(3, int_field(1, release) + b"".join(bytes_field(2, each) for each in listed or []))
    return data


def main(path):
    releases, definitions, kernels = [], [], []
    for version in [*tensorflow_releases.releases(), None]:
        was_there = version is None or tensorflow_releases.is_there(version)
        folder = version and str(tensorflow_releases.bring(version))
        answers = answers_of(folder)
        releases.append(release_of(answers["version"], folder))
        definitions.append(definitions_of(answers))
        kernels.append({op: each for op, each in kernels_of(answers).items() if op in definitions[-1]})
        print(f"{answers['version']}: {len(definitions[-1])} ops, {len(kernels[-1])} with kernels", flush=True)
        if not was_there:
            tensorflow_releases.remove(version)
    with open(path, "wb") as file:
        for release in releases:
            file.write(bytes_field(1, release))
        for op in sorted({op for each in definitions for op in each}):
            file.write(bytes_field(2, history_of(op, definitions, kernels)))
    print(f"{os.path.getsize(path)} bytes")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "..", "core", "data", "op_histories.bin"))
