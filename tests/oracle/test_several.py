"""weights of several checkpoints: put together, or their mean, as TensorFlow and NumPy compute it."""

import os

import numpy as np
from graphs import config, tf, tf1
from program import call
from suite import Suite, expanded, folder, for_each

KINDS = ["float16", "bfloat16", "float32", "float64", "complex64", "complex128", "int8", "int32", "int64", "uint8"]


def random(kind, shape, generator):
    dtype = tf.as_dtype(kind)
    if dtype.is_integer:
        return generator.integers(0, 100, shape).astype(dtype.as_numpy_dtype)
    numbers = generator.standard_normal(shape)
    if dtype.is_complex:
        numbers = numbers + 1j * generator.standard_normal(shape)
    return numbers.astype(dtype.as_numpy_dtype)


def part_of(value):
    """Returns an initializer with a variable's value, of which a partition takes its slice."""

    def initialize(shape, dtype=None, partition_info=None):
        offsets = partition_info.var_offset if partition_info else [0] * len(shape)
        return value[tuple(slice(at, at + size) for at, size in zip(offsets, shape, strict=True))]

    return initialize


def save(path, arrays, partitioner=None, version=tf1.train.SaverDef.V2):
    """Saves variables without their graph; returns the prefix."""
    with tf.Graph().as_default():
        for name, value in arrays.items():
            initializer = part_of(value) if partitioner else tf1.constant_initializer(value)
            tf1.get_variable(name, value.shape, value.dtype, initializer, partitioner=partitioner)
        with tf1.Session(config=config()) as session:
            session.run(tf1.global_variables_initializer())
            saver = tf1.train.Saver(write_version=version)
            saver.save(session, path, write_meta_graph=False, write_state=False)
    return path


def read(prefix):
    # Its get_tensor() knows fewer types of the first version than the op that restores.
    types = tf.train.load_checkpoint(prefix).get_variable_to_dtype_map()
    with tf.Graph().as_default(), tf1.Session(config=config()) as session:
        slices = [""] * len(types)
        values = session.run(
            tf.raw_ops.RestoreV2(
                prefix=prefix, tensor_names=list(types), shape_and_slices=slices, dtypes=list(types.values())
            )
        )
    return dict(zip(types, values, strict=True))


def mean(values):
    """Returns the mean in float64, or the largest of whole numbers."""
    stacked, dtype = np.stack([np.atleast_1d(value) for value in values]), values[0].dtype
    if tf.as_dtype(dtype).is_integer:
        return stacked.max(axis=0).reshape(values[0].shape)
    parts = stacked.view(stacked.real.dtype)  # NumPy divides complex numbers by way of a reciprocal
    made = np.mean(parts.astype("float64"), axis=0).astype(parts.dtype)
    return made.view(dtype).reshape(values[0].shape)


@expanded
class Several(Suite):
    def write(self, place, *arguments):
        out = os.path.join(place, "out.ckpt")
        answer = call("weights", *arguments, "-o", out, "--force")
        self.assertEqual(answer.status, 0, answer)
        return out

    def equal(self, a, b):
        self.assertEqual(a.keys(), b.keys())
        for name, value in a.items():
            self.assertEqual(value.dtype, b[name].dtype, name)
            np.testing.assert_array_equal(value, b[name], name)

    @for_each([(kind, count) for kind in KINDS for count in (1, 2, 3, 5)])
    def test_mean_is_numpys(self, kind_and_count):
        kind, count = kind_and_count
        place, generator = folder("several", f"mean-{kind}-{count}"), np.random.default_rng(count)
        arrays = [{"a/w": random(kind, (70, 90), generator), "b": random(kind, (), generator)} for _ in range(count)]
        prefixes = [save(os.path.join(place, f"{i}.ckpt"), each) for i, each in enumerate(arrays)]
        if count == 1:
            self.assertEqual(call("weights", *prefixes, "--average", "-o", f"{place}/no.ckpt").status, 2)
            return
        made = read(self.write(place, *prefixes, "--average"))
        self.equal(made, {name: mean([each[name] for each in arrays]) for name in arrays[0]})

    @for_each(["sliced", "v1", "v1 and v2"])
    def test_mean_of_stored_forms(self, form):
        place, generator = folder("several", form), np.random.default_rng(3)
        arrays = [{"w": random("float32", (7, 5), generator)} for _ in range(2)]
        partitioner = tf1.fixed_size_partitioner(3) if form == "sliced" else None
        versions = [tf1.train.SaverDef.V1, tf1.train.SaverDef.V2 if form == "v1 and v2" else tf1.train.SaverDef.V1]
        prefixes = [
            save(os.path.join(place, f"{i}.ckpt"), each, partitioner, versions[i]) for i, each in enumerate(arrays)
        ]
        self.equal(read(self.write(place, *prefixes, "--average")), {"w": mean([each["w"] for each in arrays])})

    @for_each(["float32", "bfloat16", "int64"])
    def test_disjoint_ones_together(self, kind):
        place, generator = folder("several", f"together-{kind}"), np.random.default_rng(4)
        arrays = [{f"{scope}/w": random(kind, (3, 4), generator)} for scope in "abc"]
        prefixes = [save(os.path.join(place, f"{i}.ckpt"), each) for i, each in enumerate(arrays)]
        self.equal(read(self.write(place, *prefixes)), {k: v for each in arrays for k, v in each.items()})
        refused = call("weights", *prefixes, prefixes[0], "-o", f"{place}/no.ckpt")
        self.assertEqual(refused.status, 3, refused)
        self.assertFalse(os.path.exists(f"{place}/no.ckpt.index"))

    # Each form of a checkpoint alone becomes the other, which TensorFlow reads, sliced variables too.
    @for_each([(kind, sliced) for kind in ("float16", "float32", "int64", "complex64") for sliced in (False, True)])
    def test_first_and_second_version_both_ways(self, kind_and_sliced):
        kind, sliced = kind_and_sliced
        place, generator = folder("several", f"versions-{kind}-{sliced}"), np.random.default_rng(5)
        arrays = {"a/w": random(kind, (6, 4), generator), "z": random("float32", (5,), generator)}
        partitioner = tf1.fixed_size_partitioner(3) if sliced else None
        for version, form in ((tf1.train.SaverDef.V1, "checkpoint"), (tf1.train.SaverDef.V2, "checkpoint-v1")):
            prefix = save(os.path.join(place, f"from-{version}.ckpt"), arrays, partitioner, version)
            for verb in ("convert", "weights"):
                out = os.path.join(place, f"{verb}-{version}.ckpt")
                answer = call(verb, prefix, "--as", form, "-o", out, "--force")
                self.assertEqual(answer.status, 0, answer)
                self.assertEqual(os.path.exists(out + ".index"), form == "checkpoint")
                self.equal(read(out), arrays)

    # TensorFlow reads the weights that are left, bit for bit; without the option nothing is written.
    @for_each(["truncated", "one byte", "nothing"])
    def test_salvage(self, damage):
        place, generator = folder("several", f"salvage-{damage}"), np.random.default_rng(6)
        arrays = {name: random("float32", (100,), generator) for name in "abcd"}
        prefix = save(os.path.join(place, "from.ckpt"), arrays)
        data = prefix + ".data-00000-of-00001"
        with open(data, "r+b") as file:
            if damage == "truncated":
                file.truncate(900)  # within c
            if damage == "one byte":
                file.seek(500)  # in b
                byte = file.read(1)[0]
                file.seek(500)
                file.write(bytes([byte ^ 4]))
        whole = {"truncated": "ab", "one byte": "acd", "nothing": "abcd"}[damage]
        refused = call("weights", prefix, "-o", os.path.join(place, "refused.ckpt"))
        self.assertEqual(refused.status, 0 if damage == "nothing" else 3, refused)
        answer = call("weights", prefix, "--salvage", "-o", os.path.join(place, "out.ckpt"), "--force")
        self.assertEqual(answer.status, 0, answer)
        self.equal(read(os.path.join(place, "out.ckpt")), {name: arrays[name] for name in whole})
        lost = {"truncated": [("c", 800), ("d", 1200)], "one byte": [("b", 400)], "nothing": []}[damage]
        self.assertEqual([(each["name"], each["offset"]) for each in answer.report["lost"]], lost)
