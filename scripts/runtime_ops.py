#!/usr/bin/env python3
"""Writes which ops other runtimes and converters take: core/graph/runtime_ops.json.

    build/tensorflow/bin/python scripts/runtime_ops.py [core/graph/runtime_ops.json]

Each list is read out of the runtime itself. The ops are TensorFlow's names for them, sorted.
"""

import ast
import ctypes
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "data" / "fixtures"))
import c_api  # noqa: E402  (the path comes first)
import release_ops  # noqa: E402

PATH = ROOT / "core" / "graph" / "runtime_ops.json"
TFJS = ROOT / "node_modules" / "@tensorflow" / "tfjs-converter"
TF2ONNX = "tf2onnx==1.17.0 --hash=sha256:%s"
TF2ONNX_SHA256 = "64506e0ff12ddb21918b5659541577a4e9eec06d6bb1f2c7c4ebba5b09f30dba"
TF2ONNX_OPSET = 15  # tf2onnx.constants.PREFERRED_OPSET, which it writes unless another is requested
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


def tfjs():
    lists = str(TFJS / "dist" / "operations" / "op_list")
    program = ["node", "--input-type=module", "-e", LIST_TFJS, lists]
    names = json.loads(subprocess.run(program, stdout=subprocess.PIPE, check=True).stdout)
    version = json.loads((TFJS / "package.json").read_text())["version"]
    return "tfjs", version, "op_list of @tensorflow/tfjs-converter", names


def tflite_select():
    tensorflow = c_api.CApi()
    is_flex = getattr(tensorflow.library, IS_FLEX_OP)
    is_flex.restype, is_flex.argtypes = ctypes.c_bool, [ctypes.POINTER(String)]
    ops = release_ops.op_names(tensorflow.TF_GetAllOpList().contents.bytes())
    names = [op.decode() for op in ops if is_flex(String(op, len(op)))]
    return "tflite-select", tensorflow.TF_Version().decode(), "IsAllowlistedFlexOp of TensorFlow", names


def tf2onnx():
    """The ops with a handler in ONNX's own domain, up to the default opset."""
    with tempfile.TemporaryDirectory() as work:
        requirements = os.path.join(work, "requirements.txt")
        pathlib.Path(requirements).write_text(TF2ONNX % TF2ONNX_SHA256, encoding="utf-8")
        pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--require-hashes", "-d", work]
        subprocess.run([*pip, "-r", requirements], check=True)
        with zipfile.ZipFile(next(pathlib.Path(work).glob("*.whl"))) as wheel:
            sources = [
                wheel.read(name) for name in wheel.namelist() if name.startswith("tf2onnx/") and name.endswith(".py")
            ]
    names = [name for source in sources for name in handled(ast.parse(source))]
    return "tf2onnx", TF2ONNX.split()[0].split("==")[1], f"@tf_op of tf2onnx, opset {TF2ONNX_OPSET}", names


def handled(module):
    """Yields the names in `@tf_op(NAMES)` of classes with a method version_N."""
    for each in ast.walk(module):
        if not isinstance(each, ast.ClassDef):
            continue
        methods = [method.name for method in each.body if isinstance(method, ast.FunctionDef)]
        versions = [int(name[8:]) for name in methods if name.startswith("version_")]
        for call in each.decorator_list:
            if not isinstance(call, ast.Call) or getattr(call.func, "id", "") != "tf_op":
                continue
            own_domain = not any(keyword.arg == "domain" for keyword in call.keywords)
            if own_domain and versions and min(versions) <= TF2ONNX_OPSET:
                names = ast.literal_eval(call.args[0])
                yield from [names] if isinstance(names, str) else names


def report(name, version, source, ops):
    return {"name": name, "version": version, "source": source, "ops": sorted(set(ops))}


def main(path):
    found = [report(*listed()) for listed in (tfjs, tflite_select, tf2onnx)]
    for each in found:
        print(f"{each['name']} {each['version']}: {len(each['ops'])} ops")
    with open(path, "w", encoding="utf-8") as file:
        file.write(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else PATH)
