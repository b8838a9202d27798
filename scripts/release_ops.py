"""Prints the ops and kernels of one TensorFlow release as JSON: `release_ops.py [FOLDER of its libraries]`.

It runs in a child process, because two TensorFlows do not fit into one. `ops` is an OpList; `kernels` a KernelList, both
in base64; `kernel_texts`, of releases that do not list their kernels, has a text for each op.
"""

import base64
import ctypes
import glob
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../tests/data/fixtures"))
import c_api  # noqa: E402  (the path comes first)

# std::string tensorflow::KernelsRegisteredForOp(StringPiece), which TF_GetAllRegisteredKernels replaces from 1.11 on.
KERNELS_OF_OP = "_ZN10tensorflow22KernelsRegisteredForOpENS_11StringPieceE"
SIZE_AT = -24  # a std::string of these releases points at its text, which its size precedes


def varint(data, at):
    value, shift = 0, 0
    while True:
        value |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            return value, at


def op_names(op_list):
    """Yields the names in an OpList: its fields 1 are OpDefs, each of which begins with its name, field 1."""
    at = 0
    while at < len(op_list):
        size, at = varint(op_list, at + 1)
        length, name_at = varint(op_list, at + 1)
        yield op_list[name_at : name_at + length]
        at += size


def kernel_texts(tensorflow, folder, names):
    libraries = [tensorflow.library, *map(ctypes.CDLL, glob.glob(os.path.join(folder, "libtensorflow_framework.so*")))]
    function = next(getattr(each, KERNELS_OF_OP) for each in libraries if hasattr(each, KERNELS_OF_OP))
    function.restype, function.argtypes = None, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
    found = {}
    for name in names:
        text = ctypes.c_void_p()
        function(ctypes.byref(text), name, len(name))
        size = ctypes.c_size_t.from_address(text.value + SIZE_AT).value
        found[name.decode()] = ctypes.string_at(text.value, size).decode()
    return found


def main(folder=None):
    tensorflow = c_api.CApi(folder)
    ops = tensorflow.TF_GetAllOpList().contents.bytes()
    found = {"version": tensorflow.TF_Version().decode(), "ops": base64.b64encode(ops).decode()}
    if tensorflow.TF_GetAllRegisteredKernels:
        kernels = tensorflow.TF_GetAllRegisteredKernels(tensorflow.TF_NewStatus()).contents.bytes()
        found["kernels"] = base64.b64encode(kernels).decode()
    else:
        found["kernel_texts"] = kernel_texts(tensorflow, folder, op_names(ops))
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
