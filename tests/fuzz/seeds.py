"""Seeds of the fuzz targets, made of the fixtures (tests/data) and of what was found before (tests/attacks/found) into a folder
a target."""

import hashlib
import itertools
import pathlib
import shutil
import subprocess
import tempfile

import corpus

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "tests/data"
FOUND = ROOT / "tests/attacks/found"
PROGRAM = ROOT / "build/release/cryograph"
MOST_BYTES = 16384  # libFuzzer's -max_len: small files are changed thoroughly


def folders():
    """Returns the folders that hold a model, and the model's folders."""
    for folder in sorted(path for path in DATA.rglob("*") if path.is_dir()):
        if not {"fixtures", "variables", "assets"} & set(folder.parts):
            yield folder


def as_folder(folder):
    """Returns a folder in the form that tests/fuzz/input.h splits again."""
    parts = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        parts.append(b"==> %s <==\n%s" % (str(path.relative_to(folder)).encode(), path.read_bytes()))
    return b"\n".join(parts)


def written(verb, path, name, *more):
    """Returns the program's output for a model: its folder, and its files' content. Both are empty if it refuses."""
    with tempfile.TemporaryDirectory() as out:
        subprocess.run([PROGRAM, verb, path, "-o", pathlib.Path(out) / name, *more], capture_output=True, check=False)
        return as_folder(pathlib.Path(out)), [
            each.read_bytes() for each in sorted(pathlib.Path(out).rglob("*")) if each.is_file()
        ]


def seeds():
    """(target, bytes)"""
    for path in sorted(FOUND.glob("*/*")):
        yield path.parent.name, path.read_bytes()
    for folder in folders():
        for target in ["open", "passes", "checkpoints"]:
            yield target, as_folder(folder)
    for path in sorted(path for path in DATA.rglob("*") if path.is_file()):
        content = path.read_bytes()
        if path.suffix in {".pb", ".meta"}:
            yield "json", content
            yield from models(path)
        if path.suffix == ".index" or path.name.endswith(("ckpt", "-of-00002")):
            yield "table", content
        if path.parent.name == "archives":
            for target in ["archive", "open", "passes"]:
                yield target, content
            # Among other files, too.
            yield "open", b"==> a/%s <==\n%s\n==> b.txt <==\ntext" % (path.name.encode(), content)
        if path.suffix in {".npz", ".npy", ".zip"}:
            yield "npz", content
        if path.suffix == ".safetensors":
            yield "safetensors", content
        if path.suffix == ".tflite":
            for target in ["tflite", "open", "passes"]:
                yield target, content


def models(path):
    """One model in every form."""
    for target in ["open", "passes"]:
        yield target, path.read_bytes()
    for text in written("convert", path, "m.pbtxt")[1]:
        for target in ["text", "open", "passes"]:
            yield target, text
    folder, files = written("convert", path, "model.json")
    for target in ["open", "passes", "tfjs"]:
        yield target, folder
    for each in files:
        yield "json", topology(each)
    for kind in [["m.ckpt"], ["v1", "--as", "checkpoint-v1"]]:
        yield "checkpoints", written("convert", path, *kind)[0]
    for name, target in [("m.npz", "npz"), ("m.safetensors", "safetensors")]:
        for weights in written("weights", path, name)[1]:
            for each in [target, "open", "passes"]:
                yield each, weights


def topology(model_json):
    """The graph within a model.json."""
    begin, end = model_json.find(b'"modelTopology":'), model_json.find(b',"weightsManifest"')
    return model_json[begin + len('"modelTopology":') : end] if 0 <= begin < end else b""


def write_seeds(folder, targets):
    shutil.rmtree(folder, ignore_errors=True)
    for target in targets:
        (folder / target).mkdir(parents=True)
    kept = ((target, content) for target in targets for content in corpus.inputs(target))
    for target, content in itertools.chain(seeds(), kept):
        if target not in targets or not 0 < len(content) <= MOST_BYTES:
            continue
        path = folder / target / hashlib.sha256(content).hexdigest()[:16]
        path.write_bytes(content)
