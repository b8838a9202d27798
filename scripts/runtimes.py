"""Loads graphs in other runtimes, through their converters.

Each takes a GraphDef with its inputs and outputs ("x:0"), and raises Refused if it does not load it. TensorFlow Lite comes with
TensorFlow. The others are packages of PyPI, which bring() installs into build/compat/runtimes.
"""

import json
import logging
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np  # noqa: E402  (messages are switched off first)
import tensorflow as tf  # noqa: E402
from tensorflow.core.framework import types_pb2  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "compat" / "runtimes"
REQUIREMENTS = ROOT / "scripts" / "runtimes.txt"
INSTALLED = FOLDER / "runtimes.txt"  # the requirements that FOLDER has
LARGEST_INPUT = 10_000_000  # elements
# The words of refusals, as opposed to those of other faults.
REFUSALS = (
    "neither a custom op nor a flex op",
    "failed to legalize",
    "Could not translate",
    "Unsupported TensorFlow type",
)
UNKNOWN = ("neither a custom op nor a flex op", "No Op registered", "No conversion rule")


class Refused(Exception):
    pass


def says_unknown(error):
    """Returns true if the error says that the runtime does not have an op, or not for its types."""
    return isinstance(error, Refused) and any(text in str(error) for text in UNKNOWN)


def bring():
    """Installs the packages of REQUIREMENTS, unless they are there."""
    if not is_there():
        shutil.rmtree(FOLDER, ignore_errors=True)
        pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--require-hashes", "--target", str(FOLDER)]
        subprocess.run([*pip, "-r", str(REQUIREMENTS)], check=True)
        shutil.copy(REQUIREMENTS, INSTALLED)
    if str(FOLDER) not in sys.path:
        sys.path.append(str(FOLDER))


def is_there():
    return INSTALLED.is_file() and INSTALLED.read_bytes() == REQUIREMENTS.read_bytes()


def imported(graph):
    """Returns a function of the whole graph. Raises what TensorFlow does if it refuses the graph."""
    logging.getLogger("tensorflow").setLevel(logging.ERROR)
    return tf.compat.v1.wrap_function(lambda: tf.compat.v1.import_graph_def(graph, name=""), [])


def convert_to_tflite(graph, inputs, outputs, ops):
    whole = imported(graph)
    pruned = whole.prune(*([whole.graph.get_tensor_by_name(name) for name in names] for names in (inputs, outputs)))
    converter = tf.lite.TFLiteConverter.from_concrete_functions([pruned], pruned)
    converter.target_spec.supported_ops = ops
    try:
        return converter.convert()
    except Exception as error:
        if any(text in str(error) for text in REFUSALS):
            raise Refused(str(error)) from error
        raise


def tflite(graph, inputs, outputs):
    convert_to_tflite(graph, inputs, outputs, [tf.lite.OpsSet.TFLITE_BUILTINS])


def tflite_select(graph, inputs, outputs):
    convert_to_tflite(graph, inputs, outputs, [tf.lite.OpsSet.TFLITE_BUILTINS, tf.lite.OpsSet.SELECT_TF_OPS])


def onnx(graph, inputs, outputs):
    """The graph converted by tf2onnx, in ONNX Runtime."""
    import onnxruntime
    import tf2onnx

    logging.disable(logging.ERROR)
    onnxruntime.set_default_logger_severity(4)
    shaped = imported(graph).graph.as_graph_def(add_shapes=True)
    model, _ = tf2onnx.convert.from_graph_def(shaped, input_names=inputs, output_names=outputs)
    try:
        onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    except Exception as error:
        raise Refused(str(error)) from error


def openvino(graph, inputs, outputs):
    """Takes the whole graph: its inputs and outputs are its ends."""
    import openvino as package

    core = package.Core()
    with tempfile.TemporaryDirectory() as work:
        path = pathlib.Path(work) / "graph.pb"
        path.write_bytes(graph.SerializeToString())
        try:
            core.compile_model(core.read_model(str(path)), "CPU")
        except Exception as error:
            raise Refused(str(error)) from error


def opencv(graph, inputs, outputs):
    """Takes the whole graph. Runs it on zeros, unless the size of an input is unknown but for that of the batch."""
    import cv2

    cv2.setNumThreads(1)
    try:
        net = cv2.dnn.readNetFromTensorflow(np.frombuffer(graph.SerializeToString(), np.uint8))
        for name in net.getLayerNames():
            net.getLayer(name)  # makes it
        feeds = zeros(graph)
        for name, value in feeds.items():
            net.setInput(value, name)
        if feeds:
            net.forward()
    except Exception as error:
        raise Refused(str(error)) from error


def zeros(graph):
    """Returns zeros for each placeholder of a graph, as OpenCV takes them (NCHW, NCDHW); none if they are too large or of unknown size."""
    feeds = {}
    for node in graph.node:
        if node.op != "Placeholder" or node.attr["dtype"].type == types_pb2.DT_BOOL:  # a bool is no input of OpenCV
            continue
        shape = node.attr["shape"].shape
        sizes = [dim.size for dim in shape.dim]
        sizes[:1] = [max(size, 1) for size in sizes[:1]]
        if min(sizes, default=0) < 1 or np.prod(sizes) > LARGEST_INPUT:
            return {}
        value = np.zeros(sizes, np.float32)
        feeds[node.name] = np.moveaxis(value, -1, 1).copy() if len(sizes) in (4, 5) else value
    return feeds


def version_of(name):
    """Returns the version of a runtime."""
    if name.startswith("tflite"):
        return tf.__version__
    import importlib.metadata

    return importlib.metadata.version({"onnx": "tf2onnx", "opencv": "opencv-python-headless"}.get(name, name))


ASK = {"tflite": tflite, "tflite-select": tflite_select, "onnx": onnx, "openvino": openvino, "opencv": opencv}
CRASHING = ("opencv",)  # it ends the process on graphs that it does not read


def in_child(function, seconds):
    """Calls in a child process, silently: runtimes crash. Returns what it returns as JSON; None if it was ended."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        signal.alarm(seconds)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        os.write(writing, json.dumps(function()).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        text = answer.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else None
