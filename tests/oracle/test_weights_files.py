"""weights: what it writes as .npz, .npy and .safetensors, NumPy's and safetensors' own readers read, bit for bit; what they wrote, it reads."""

import os

import numpy as np
from cases import DATA, HAS_CORPUS, WITH_WEIGHTS, corpus_files
from graphs import tf
from ml_dtypes import bfloat16
from program import call
from safetensors.numpy import load_file, save_file
from suite import Suite, expanded, folder, for_each

ARCHIVES = os.path.join(DATA, "archives")
READERS = {".npz": lambda path: dict(np.load(path)), ".safetensors": load_file}
# Types that a format has no name for are written as integers of the same bits.
SMALL = {"int4": "int8", "uint4": "uint8", "int2": "int8", "uint2": "uint8"}
RAW = {".npz": {"bfloat16": "uint16", **SMALL}, ".safetensors": SMALL}
LEFT_OUT = {".npz": set(), ".safetensors": {"complex128"}}


def bits(arrays):
    """{name: (type, shape, bytes)}, whatever the byte order and the order of dimensions are."""
    out = {}
    for name, array in arrays.items():
        array = np.asarray(array)
        plain = array.astype(array.dtype.newbyteorder("=")) if array.dtype.kind in "biufc" else array
        out[name] = (plain.dtype.name, plain.shape, plain.tobytes())
    return out


def as_written(arrays, ending):
    """Returns the arrays as the format stores them, which lacks types."""
    return {
        name: (RAW[ending].get(kind, kind), shape, data)
        for name, (kind, shape, data) in bits(arrays).items()
        if kind not in LEFT_OUT[ending] and not kind.startswith(("object", "bytes"))
    }


def read(path):
    return READERS[os.path.splitext(path)[1]](path)


def weight_files():
    names = ["stored.npz", "deflated.npz", "orders.npz", "weights.safetensors"]
    yield from (os.path.join(ARCHIVES, name) for name in names)
    if HAS_CORPUS:
        yield from corpus_files(".npz", ".safetensors")


@expanded
class WeightsFiles(Suite):
    def write(self, path, ending, name):
        out = os.path.join(folder("weights", name), "out" + ending)
        answer = call("weights", path, "-o", out, "--force")
        self.assertEqual(answer.status, 0, answer)
        return out, answer

    @for_each([(case, ending) for case in WITH_WEIGHTS for ending in READERS])
    def test_weights_of_a_checkpoint_are_those_tensorflow_reads(self, case_and_ending):
        case, ending = case_and_ending
        if case.name == "renamed":
            self.skipTest("the graph's names are others than the checkpoint's")
        out, answer = self.write(case.path, ending, case.name)
        reader = tf.train.load_checkpoint(case.prefix)
        held = {}
        for name in reader.get_variable_to_shape_map():
            try:
                held[name.removesuffix("/.ATTRIBUTES/VARIABLE_VALUE")] = reader.get_tensor(name)
            except (RuntimeError, tf.errors.OpError):
                pass  # slices and some types of the first format, which this reader does not know
        held.pop("_CHECKPOINTABLE_OBJECT_GRAPH", None)
        theirs = as_written(held, ending)
        ours = bits(read(out))
        # NumPy's names for TensorFlow's quantized types are those of records.
        same = {name: value for name, value in theirs.items() if not value[0].startswith("void")}
        self.same({name: ours.get(name) for name in same}, same, answer)

    @for_each([(path, ending) for path in weight_files() for ending in READERS])
    def test_weights_of_a_file_of_arrays_are_those_its_own_reader_reads(self, path_and_ending):
        path, ending = path_and_ending
        out, answer = self.write(path, ending, os.path.basename(path))
        self.same(bits(read(out)), as_written(read(path), ending), answer)

    @for_each(READERS)
    def test_every_type_shape_and_order_comes_through(self, ending):
        rng = np.random.default_rng(1)
        held = {}
        for kind in "b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16".split():
            for shape in ((), (0,), (1,), (3, 5), (2, 3, 4), (4, 1, 5, 2), (300, 70), (2, 20000)):
                data = rng.integers(0, 2 if kind == "b1" else 256, int(np.prod(shape)) * np.dtype(kind).itemsize, "u1")
                array = data.view(kind).reshape(shape)
                held[f"{kind}/c{len(held)}"] = array
                held[f"{kind}/fortran{len(held)}"] = np.asfortranarray(array)
                held[f"{kind}/big{len(held)}"] = array.astype(array.dtype.newbyteorder(">"))
        for save in (np.savez, np.savez_compressed):
            path = os.path.join(folder("weights", save.__name__), "in.npz")
            save(path, **held)
            out, answer = self.write(path, ending, save.__name__)
            self.same(bits(read(out)), as_written(held, ending), answer)

    @for_each(["stored.npz", "orders.npz"])
    def test_files_of_one_array_are_those_numpy_saves(self, name):
        held = read(os.path.join(ARCHIVES, name))
        here = folder("weights", "npy", name)
        ours, theirs = os.path.join(here, "ours"), os.path.join(here, "theirs.npy")
        answer = call("weights", os.path.join(ARCHIVES, name), "-o", ours, "--as", "npy", "--force")
        self.done(answer)
        for key, array in held.items():
            np.save(theirs, np.ascontiguousarray(array, array.dtype.newbyteorder("<")).reshape(array.shape))
            with open(os.path.join(ours, key + ".npy"), "rb") as mine, open(theirs, "rb") as wanted:
                self.assertEqual(mine.read(), wanted.read(), key)
        self.assertEqual(len(answer.report["outputs"]), len(held), answer)

    def test_weights_are_chosen_by_name(self):
        path = os.path.join(ARCHIVES, "stored.npz")
        names = sorted(read(path))
        out = os.path.join(folder("weights", "chosen"), "out.npz")
        answer = call("weights", path, "-o", out, "--force", "--variables", ",".join(names[:2]), "--exclude", names[0])
        self.done(answer)
        self.assertEqual(list(read(out)), names[1:2], answer)

    def test_bfloat16_is_told_where_numpy_has_no_name_for_it(self):
        path = os.path.join(folder("weights", "brain"), "in.safetensors")
        held = {"b": np.arange(6).astype(bfloat16).reshape(2, 3)}
        save_file(held, path)
        out, answer = self.write(path, ".npz", "brain")
        self.assertIn("raw-numbers", answer.codes("warning"), answer)
        self.assertTrue((read(out)["b"].view(bfloat16) == held["b"]).all())
        out, answer = self.write(path, ".safetensors", "brain")
        self.same(bits(read(out)), bits(held), answer)

    def test_what_safetensors_writes_of_the_same_arrays_is_the_same_file(self):
        path = os.path.join(ARCHIVES, "weights.safetensors")
        theirs = os.path.join(folder("weights", "same"), "theirs.safetensors")
        save_file(read(path), theirs)
        out, answer = self.write(path, ".safetensors", "same")
        with open(out, "rb") as ours, open(theirs, "rb") as wanted:
            self.assertEqual(ours.read(), wanted.read(), answer)
