"""Brings the native libraries of TensorFlow's releases since 1.2, which tests/data/fixtures/c_api.py loads in any Python.

    build/tensorflow/bin/python scripts/tensorflow_releases.py [RELEASE ...]      those of tests/compat: 195 MB of downloads

`tensorflow_releases.tsv` has the wheel of each release but the installed one (tests/requirements.txt), with its hash.
"""

import csv
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = pathlib.Path(__file__).with_suffix(".tsv")
FOLDER = ROOT / "build" / "compat"
IN_SUITE = ("1.2.0", "1.8.0", "1.15.0")  # that tests/compat always compares with
LIBRARIES = ("_pywrap_tensorflow_internal.so", "libtensorflow_framework.so", "libtensorflow_cc.so")
# Variables that the libraries of wheels for Python up to 3.8 link to and that later ones do not have. Functions may be missing.
OLD_PYTHON = "int _Py_CheckRecursionLimit = 1000;"


def releases():
    """Returns {release: its row}, oldest first."""
    with open(TABLE, encoding="utf-8") as file:
        return {row["release"]: row for row in csv.DictReader(file, delimiter="\t")}


def folder_of(release):
    return FOLDER / release


def is_there(release):
    return (folder_of(release) / "python_symbols.so").exists()  # made last


def bring(release):
    """Downloads the wheel and unpacks its libraries. Returns their folder."""
    folder, row = folder_of(release), releases()[release]
    if is_there(release):
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory(dir=FOLDER) as work:
        download(row, work)
        with zipfile.ZipFile(os.path.join(work, row["wheel"])) as wheel:
            for name in wheel.namelist():
                base = os.path.basename(name)
                if base.startswith(LIBRARIES):
                    with wheel.open(name) as source, open(folder / base, "wb") as target:
                        shutil.copyfileobj(source, target)
    stub = ["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", folder / "python_symbols.so"]
    subprocess.run(stub, input=OLD_PYTHON, text=True, check=True)
    return folder


def download(row, work):
    requirements = os.path.join(work, "requirements.txt")
    with open(requirements, "w", encoding="utf-8") as file:
        file.write(f"{row['project']}=={row['release']} --hash=sha256:{row['sha256']}\n")
    python, abi, platforms = row["wheel"].removesuffix(".whl").split("-")[2:]
    options = ["--python-version", python.removeprefix("cp"), "--implementation", "cp", "--abi", abi]
    for platform in platforms.split("."):
        options += ["--platform", platform]
    pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "--require-hashes"]
    subprocess.run([*pip, *options, "-d", work, "-r", requirements], check=True)


def remove(release):
    shutil.rmtree(folder_of(release))


if __name__ == "__main__":
    for wanted in sys.argv[1:] or IN_SUITE:
        bring(wanted)
