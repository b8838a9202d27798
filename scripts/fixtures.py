#!/usr/bin/env python3
"""Writes tests/data with real TensorFlow: small models of every kind, their purposes, and TensorFlow's errors for the
bad ones.

    build/tensorflow/bin/python scripts/fixtures.py [DIRECTORY]

The same TensorFlow writes the same bytes again (maps are sorted, values are drawn from seeds). The kinds are
described in tests/data/fixtures/*.py, one function a fixture; its docstring is the row of tests/data/README.md.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "..", "tests", "data")
sys.path.insert(0, DATA)

from fixtures import write_all  # noqa: E402  (the path comes first)

if __name__ == "__main__":
    write_all(os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else DATA))
