"""Runs graphs in another TensorFlow than the installed one, in a child process: input "x" of float32, output "y"."""

import argparse
import ctypes
import json
import os
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../data/fixtures"))
import c_api  # noqa: E402  (the path comes first)

FLOAT = 1
HANDLE = c_api.HANDLE
FUNCTIONS = {
    "TF_AllocateTensor": (HANDLE, [ctypes.c_int, ctypes.POINTER(ctypes.c_int64), ctypes.c_int, ctypes.c_size_t]),
    "TF_TensorData": (HANDLE, [HANDLE]),
    "TF_TensorByteSize": (ctypes.c_size_t, [HANDLE]),
    "TF_TensorType": (ctypes.c_int, [HANDLE]),
    "TF_DeleteTensor": (None, [HANDLE]),
    "TF_SessionRun": (
        None,
        [HANDLE, HANDLE, *[ctypes.POINTER(c_api.Output), ctypes.POINTER(HANDLE), ctypes.c_int] * 2]
        + [ctypes.POINTER(HANDLE), ctypes.c_int, HANDLE, HANDLE],
    ),
}


def run(paths, x, libraries):
    """Returns the values of "y" in each graph; a text that says why, where there are none."""
    child = subprocess.run(
        [sys.executable, os.path.abspath(__file__), libraries],
        input=json.dumps({"paths": paths, "shape": x.shape, "x": x.tolist()}),
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    said = [json.loads(line) for line in child.stdout.splitlines()]
    said += [f"the child ended with {child.returncode}"] * (len(paths) - len(said))
    return [np.array(each, np.float32) if isinstance(each, list) else each for each in said]


def tensor(tensorflow, values):
    shape = (ctypes.c_int64 * values.ndim)(*values.shape)
    made = tensorflow.TF_AllocateTensor(FLOAT, shape, values.ndim, values.nbytes)
    ctypes.memmove(tensorflow.TF_TensorData(made), values.tobytes(), values.nbytes)
    return made


def run_one(tensorflow, path, x):
    with open(path, "rb") as file:
        graph, code, message = tensorflow.import_graph(file.read())
    if code:
        return message
    status, options = tensorflow.TF_NewStatus(), tensorflow.TF_NewSessionOptions()
    session = tensorflow.TF_NewSession(graph, options, status)
    ends = [c_api.Output(tensorflow.TF_GraphOperationByName(graph, name), 0) for name in (b"x", b"y")]
    feeds, fetches, found = (HANDLE * 1)(tensor(tensorflow, x)), (HANDLE * 1)(), status
    tensorflow.TF_SessionRun(
        *(session, None, (c_api.Output * 1)(ends[0]), feeds, 1, (c_api.Output * 1)(ends[1]), fetches, 1),
        *(None, 0, None, found),
    )
    code, message = tensorflow.said(status)
    if code:
        return message
    size = tensorflow.TF_TensorByteSize(fetches[0])
    assert tensorflow.TF_TensorType(fetches[0]) == FLOAT
    return np.frombuffer(ctypes.string_at(tensorflow.TF_TensorData(fetches[0]), size), np.float32).tolist()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("libraries")
    tensorflow = c_api.CApi(parser.parse_args().libraries, FUNCTIONS)
    asked = json.load(sys.stdin)
    x = np.array(asked["x"], np.float32).reshape(asked["shape"])
    for path in asked["paths"]:
        print(json.dumps(run_one(tensorflow, path, x)), flush=True)


if __name__ == "__main__":
    main()
