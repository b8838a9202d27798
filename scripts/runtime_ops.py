#!/usr/bin/env python3
"""Writes which ops other runtimes and converters take: core/data/runtime_ops.json.

    build/tensorflow/bin/python scripts/runtime_ops.py              all; takes an hour
    build/tensorflow/bin/python scripts/runtime_ops.py tfjs onnx    these only

Each list is read from the runtime's own, or made by having it load a graph of each op (runtime_probes.py).
"""

import ctypes
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "data" / "fixtures"))
import c_api  # noqa: E402  (the path comes first)
import release_ops  # noqa: E402
import runtime_probes  # noqa: E402
import runtimes  # noqa: E402
import tfjs_runtime  # noqa: E402
from tensorflow.core.framework import op_def_pb2  # noqa: E402

PATH = ROOT / "core" / "data" / "runtime_ops.json"
TFJS = ROOT / "node_modules" / "@tensorflow" / "tfjs-converter"
# Ops of input pipelines, training, clusters and accelerators, which no runtime has. To try them would take another hour.
FOREIGN = re.compile(
    "Accumulator|Apply|Barrier|Boosted|Collective|CudnnRNN|Dataset|DataService|Debug|Experimental|Iterator|Mutex|Nccl|Nvshmem"
    "|Queue|Reader|Record|Restore|Risc|Save|Sdca|Stage|Summary|TPU|Tpu|Xla"
)
# bool tflite::flex::IsAllowlistedFlexOp(const std::string&)
IS_FLEX_OP = "_ZN6tflite4flex19IsAllowlistedFlexOpERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
LIST_TFJS = """
import { readdirSync } from "node:fs";
const names = [];
for (const file of readdirSync(process.argv[1])) {
  if (!file.endsWith(".js")) continue;
  for (const op of (await import(process.argv[1] + "/" + file)).json) names.push(op.tfOpName);
}
console.log(JSON.stringify(names));
"""


class String(ctypes.Structure):
    """A std::string."""

    _fields_ = [("text", ctypes.c_char_p), ("size", ctypes.c_size_t), ("space", ctypes.c_char * 16)]


def listed_by_tfjs():
    """Returns (version, the ops that it lists)."""
    lists = str(TFJS / "dist" / "operations" / "op_list")
    program = ["node", "--input-type=module", "-e", LIST_TFJS, lists]
    names = json.loads(subprocess.run(program, stdout=subprocess.PIPE, check=True).stdout)
    version = json.loads((TFJS / "package.json").read_text())["version"]
    names.append("PlaceholderV2")  # the mapper takes every op whose name begins so for an input
    return version, names


def is_layout(attr):
    """Returns True for the attribute with the order of an image's dimensions, if an op allows several."""
    return attr.name == "data_format" and attr.HasField("allowed_values")


def tfjs():
    version, names = listed_by_tfjs()
    ops = op_def_pb2.OpList.FromString(c_api.CApi().TF_GetAllOpList().contents.bytes()).op
    taken, _ = runtime_probes.taken_ops([op for op in ops if op.name in names], tfjs_runtime.ask, lists_unclear=True)
    source = "op_list of @tensorflow/tfjs-converter, and its CPU backend on a graph of each op"
    # Its executors read the layout of a few ops, and the strides of all as those of NHWC.
    limits = {
        op.name: {attr.name: [attr.default_value.s.decode()]} for op in ops for attr in op.attr if is_layout(attr)
    }
    return version, source, False, {name: {**taken.get(name, {}), **limits.get(name, {})} for name in names}, []


def tflite_select():
    tensorflow = c_api.CApi()
    is_flex = getattr(tensorflow.library, IS_FLEX_OP)
    is_flex.restype, is_flex.argtypes = ctypes.c_bool, [ctypes.POINTER(String)]
    ops = release_ops.op_names(tensorflow.TF_GetAllOpList().contents.bytes())
    flex = {op.decode(): {} for op in ops if is_flex(String(op, len(op)))}
    return (
        tensorflow.TF_Version().decode(),
        "tflite, and IsAllowlistedFlexOp of TensorFlow",
        True,
        {**written()["tflite"]["ops"], **flex},
        [],
    )


def probed(name, source):
    """Returns the function that finds the ops and types of which a runtime loads a graph of one node."""

    def found():
        runtimes.bring()
        ops = op_def_pb2.OpList.FromString(c_api.CApi().TF_GetAllOpList().contents.bytes()).op
        taken, ranked = runtime_probes.taken_ops(
            [op for op in ops if not FOREIGN.search(op.name)], runtimes.ASK[name], lists_unclear=name == "openvino"
        )
        return runtimes.version_of(name), source, name not in ("openvino", "opencv"), taken, ranked

    return found


def opencv():
    """The ops of which it has a layer. Which types and inputs it takes its rules say (core/compat/opencv.h)."""
    version, source, folds_constants, taken, _ = probed("opencv", "cv::dnn of OpenCV, on a graph of each op")()
    return version, source, folds_constants, dict.fromkeys(taken, {}), []


# Facts of its executor, and how it takes nodes (core/compat/runtimes.h).
LISTS_OF_SIZE = {"sized_lists": ["EmptyTensorList", "TensorListReserve"]}
FACTS = {
    "tfjs": {"guarded": ["Assert"], "forgets_invariants": True, "has_tfjs_constants": True},
    "tflite": LISTS_OF_SIZE,
    "tflite-select": LISTS_OF_SIZE,
    "opencv": {"has_opencv_rules": True},
}
LISTS = {
    "tfjs": tfjs,
    "tflite": probed("tflite", "TFLiteConverter of TensorFlow, on a graph of each op"),
    "tflite-select": tflite_select,
    "onnx": probed("onnx", "tf2onnx with ONNX Runtime, on a graph of each op"),
    "openvino": probed("openvino", "OpenVINO's TensorFlow frontend and CPU plugin, on a graph of each op"),
    "opencv": opencv,
}


def written():
    """Returns the runtimes of core/data/runtime_ops.json, by name."""
    return {each["name"]: each for each in json.loads(PATH.read_text(encoding="utf-8"))}


def report(name):
    """Returns the entry of a runtime in core/data/runtime_ops.json, made by the runtime that is installed."""
    version, source, folds_constants, ops, ranked = LISTS[name]()
    ops = {op: dict(sorted(ops[op].items())) for op in sorted(ops)}
    about = {"name": name, "version": version, "source": source, "folds_constants": folds_constants}
    return {**about, "ranked": ranked, **FACTS.get(name, {}), "ops": ops}


def text_of(reports):
    """Returns the file's text, with a line for each op."""
    parts = []
    for each in reports:
        head = json.dumps({**each, "ops": {}})[:-2]
        ops = [f" {json.dumps(op)}: {json.dumps(types)}" for op, types in each["ops"].items()]
        parts.append(head + "\n" + ",\n".join(ops) + "\n}}")
    return "[\n" + ",\n".join(parts) + "\n]\n"


def main(names):
    found = written()
    for name in names or LISTS:
        found[name] = report(name)
        print(f"{name} {found[name]['version']}: {len(found[name]['ops'])} ops", flush=True)
        PATH.write_text(text_of([found[each] for each in LISTS if each in found]), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
