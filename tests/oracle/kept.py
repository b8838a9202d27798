"""Keeps TensorFlow's answers about files that no change of the program changes, so that the next run asks about new files alone.

An answer is found by the bytes of these files, the release of TensorFlow, and the code of this suite: with other code, all
are computed again.
"""

import functools
import glob
import hashlib
import importlib.metadata
import os
import pickle
import shutil
import tempfile

from program import ROOT

FOLDER = os.path.join(ROOT, "build", "oracle")


@functools.cache
def folder():
    """The folder of the answers to this code. Those of other code are removed."""
    versions = sorted((each.name, each.version) for each in importlib.metadata.distributions())
    key = hashlib.sha256(repr(versions).encode())
    for path in sorted(glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), "*.py"))):
        key.update(bytes_of(path))
    name = key.hexdigest()
    for other in os.listdir(FOLDER) if os.path.isdir(FOLDER) else []:
        if other != name:
            shutil.rmtree(os.path.join(FOLDER, other), ignore_errors=True)
    os.makedirs(os.path.join(FOLDER, name), exist_ok=True)
    return os.path.join(FOLDER, name)


def bytes_of(path):
    with open(path, "rb") as file:
        return file.read()


def files(*paths):
    """The contents of files and of the files in folders, for a key."""
    found = []
    for path in paths:
        inside = glob.glob(os.path.join(glob.escape(path), "**"), recursive=True) if os.path.isdir(path) else [path]
        found += [(os.path.relpath(each, path), bytes_of(each)) for each in sorted(inside) if os.path.isfile(each)]
    return found


def answer(key, ask, *arguments):
    """Returns ask(*arguments), which depends on nothing but the key: texts, numbers and bytes."""
    name = hashlib.sha256(pickle.dumps((ask.__module__, ask.__qualname__, key))).hexdigest()
    path = os.path.join(folder(), name)
    if os.path.exists(path):
        return pickle.loads(bytes_of(path))
    found = ask(*arguments)
    with tempfile.NamedTemporaryFile(dir=folder(), delete=False) as file:
        file.write(pickle.dumps(found))
    os.replace(file.name, path)
    return found
