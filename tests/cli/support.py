"""Helpers for the tests of the native program: the program, its exit statuses, a folder for each test."""

import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = os.environ.get("CRYOGRAPH", str(ROOT / "build/release/cryograph"))
DATA = ROOT / "tests/data"
DONE, NO, BAD_COMMAND_LINE, CANNOT = range(4)


def cryograph(*arguments, stdin=None, cwd=None):
    words = [PROGRAM, *map(str, arguments)]
    return subprocess.run(words, input=stdin, capture_output=True, timeout=120, cwd=cwd, check=False)


def big_array(path, megabytes):
    """Writes a .npy of so many mebibytes of zeros."""
    header = f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({megabytes << 20},), }}".ljust(117) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", 118) + header.encode() + bytes(megabytes << 20))
    return path


class Folder(unittest.TestCase):
    """Each test has a folder of its own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def copy(self, fixture):
        shutil.copytree(DATA / fixture, self.folder, dirs_exist_ok=True)
        return self.folder / "model.ckpt.meta"

    def put(self, name, content):
        (self.folder / name).write_bytes(content)
        return self.folder / name

    def until(self, condition):
        """Waits for a condition. The limit only ends what hangs."""
        end = time.monotonic() + 60
        while not condition():
            self.assertLess(time.monotonic(), end, "nothing happened")
            time.sleep(0.01)

    def state(self):
        return {path.name: path.read_bytes() for path in self.folder.iterdir()}

    def expect(self, result, status, *words):
        """The status, and words of the message; nothing but a report on standard output."""
        text = result.stderr.decode()
        self.assertEqual(result.returncode, status, text)
        for word in words:
            self.assertIn(word, text)
        return text

    def refused(self, *arguments, words=(), status=CANNOT):
        """Refused with a place and advice; nothing written, nothing changed."""
        before = self.state()
        text = self.expect(cryograph(*arguments), status, "error:", *words)
        self.assertEqual(self.state(), before)
        return text
