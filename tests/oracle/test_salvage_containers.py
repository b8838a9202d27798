"""--salvage of archives and of checkpoint indexes: TensorFlow reads the weights that are left, bit for bit."""

import gzip
import io
import os
import tarfile
import zipfile

import numpy as np
from graphs import config, tf, tf1
from program import call
from suite import Suite, expanded, folder, for_each

BLOCK = 262144  # bytes after which TensorFlow begins another block of an index


def saved(place, count, size):
    """Saves `count` weights of long names; returns the prefix and the values by name."""
    generator = np.random.default_rng(7)
    letters = generator.integers(ord("a"), ord("z") + 1, (count, 200), dtype=np.uint8)
    arrays = {bytes(row).decode(): generator.standard_normal(size).astype("f") for row in letters}
    names = sorted(arrays)
    prefix = os.path.join(place, "model.ckpt")
    with tf.Graph().as_default(), tf1.Session(config=config()) as session:
        tensors = [tf.constant(arrays[name]) for name in names]
        slices = [""] * count
        session.run(tf.raw_ops.SaveV2(prefix=prefix, tensor_names=names, shape_and_slices=slices, tensors=tensors))
    return prefix, arrays


def saved_first_version(place, count, size):
    """The same in one table, as variables of short names."""
    generator = np.random.default_rng(9)
    arrays = {f"w{i}": generator.standard_normal(size).astype("f") for i in range(count)}
    prefix = os.path.join(place, "model.ckpt")
    with tf.Graph().as_default(), tf1.Session(config=config()) as session:
        variables = [tf1.get_variable(name, initializer=array) for name, array in arrays.items()]
        session.run(tf1.global_variables_initializer())
        saver = tf1.train.Saver(variables, write_version=tf1.train.SaverDef.V1)
        saver.save(session, prefix, write_meta_graph=False, write_state=False)
    return prefix, arrays


def read(prefix):
    reader = tf.train.load_checkpoint(prefix)
    return {name: reader.get_tensor(name) for name in reader.get_variable_to_shape_map()}


def content_of(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)
    return path


def flipped(content, at):
    return content[:at] + bytes([content[at] ^ 4]) + content[at + 1 :]


def packed(form, prefix):
    """Returns the archive of a checkpoint: its index, then its data."""
    out = io.BytesIO()
    files = [prefix + ".index", prefix + ".data-00000-of-00001"]
    if form in ("stored", "deflated"):
        method = zipfile.ZIP_STORED if form == "stored" else zipfile.ZIP_DEFLATED
        with zipfile.ZipFile(out, "w", method) as archive:
            for path in files:
                archive.write(path, os.path.basename(path))
    else:
        with tarfile.open(fileobj=out, mode="w") as archive:
            for path in files:
                archive.add(path, os.path.basename(path))
    return gzip.compress(out.getvalue()) if form == "tar.gz" else out.getvalue()


@expanded
class SalvageContainers(Suite):
    def salvaged(self, verb, path, out):
        """Returns the report and the weights; without the option the file is refused."""
        refused = call(verb, path, "-o", out, "--force")
        self.assertEqual(refused.status, 3, refused)
        answer = call(verb, path, "--salvage", "-o", out, "--force")
        self.assertEqual(answer.status, 0, answer)
        self.assertTrue(answer.report["lost"])
        return answer.report, read(out)

    def expect_some(self, found, arrays, least, most):
        self.assertTrue(least <= len(found) <= most, len(found))
        for name, value in found.items():
            np.testing.assert_array_equal(value, arrays[name])

    @for_each(["a block", "the first block", "the end", "the end and a block", "half"])
    def test_an_index(self, damage):
        place = folder("salvage-index", damage.replace(" ", "-"))
        prefix, arrays = saved(place, 4000, 3)
        index = content_of(prefix + ".index")
        self.assertGreater(len(index), 3 * BLOCK)
        if "block" in damage:
            index = flipped(index, 1000 if "first" in damage else BLOCK + 1000)
        if "end" in damage:
            index = index[:-30]
        if damage == "half":
            index = index[: 2 * BLOCK + 1000]
        write(prefix + ".index", index)
        for verb in ("weights", "convert"):
            report, found = self.salvaged(verb, prefix, os.path.join(place, "out.ckpt"))
            a_block = len(arrays) * BLOCK // (3 * BLOCK)
            least = {"the end": len(arrays), "half": a_block}.get(damage, len(arrays) - 2 * a_block)
            self.expect_some(found, arrays, least, len(arrays) - (0 if damage == "the end" else a_block // 2))
            offsets = [each["offset"] for each in report["lost"] if each["what"] == "block"]
            self.assertEqual(len(offsets), 0 if damage == "the end" else 1)
            if damage == "the first block":
                self.assertEqual(offsets, [0])
                self.assertIn("header", [each["what"] for each in report["lost"]])

    @for_each(["half", "the end", "a block", "a block and the end", "the first block"])
    def test_a_checkpoint_of_the_first_version(self, damage):
        place = folder("salvage-first-version", damage.replace(" ", "-"))
        prefix, arrays = saved_first_version(place, 12, 30000)
        table = content_of(prefix)
        self.assertGreater(len(table), 4 * BLOCK)
        if "block" in damage:
            table = flipped(table, 100000 if "first" in damage else 2 * BLOCK)
        if "end" in damage:
            table = table[:-30]
        write(prefix, table[: len(table) // 2] if damage == "half" else table)
        for verb in ("weights", "convert"):
            report, found = self.salvaged(verb, prefix, os.path.join(place, "out.ckpt"))
            self.expect_some(found, arrays, 12 if damage == "the end" else 3, 12 if damage == "the end" else 11)
            lost = [each["name"] for each in report["lost"] if each["what"] == "weight"]
            self.assertEqual(set(lost) | set(found), set(arrays))
            kinds = {each["what"] for each in report["lost"]} - {"weight"}
            self.assertEqual("directory" in kinds, damage != "a block" and damage != "the first block")
            self.assertEqual("header" in kinds, damage == "the first block")

    @for_each(["stored", "deflated", "tar", "tar.gz"])
    def test_a_cut_archive(self, form):
        place = folder("salvage-archive", form.replace(".", "-"))
        prefix, arrays = saved(place, 50, 200)
        archive = packed(form, prefix)
        name = os.path.join(place, "cut." + (form if form.startswith("tar") else "zip"))
        for left in (0.5, 0.8):
            write(name, archive[: int(len(archive) * left)])
            report, found = self.salvaged("weights", name, os.path.join(place, "out.ckpt"))
            self.expect_some(found, arrays, 50 * left - 20, 49)
            lost = {each["name"] for each in report["lost"] if each["what"] == "weight"}
            self.assertEqual(lost | set(found), set(arrays))

    @for_each(["stored", "deflated"])
    def test_a_zip_file_without_its_directory(self, form):
        place = folder("salvage-archive", form + "-directory")
        prefix, arrays = saved(place, 50, 200)
        archive = packed(form, prefix)
        name = write(os.path.join(place, "cut.zip"), archive[: archive.index(b"PK\1\2") + 10])
        report, found = self.salvaged("weights", name, os.path.join(place, "out.ckpt"))
        self.expect_some(found, arrays, 50, 50)
        self.assertEqual(report["lost"][0]["what"], "directory")

    @for_each(["stored", "deflated", "tar.gz"])
    def test_a_damaged_byte_loses_no_weight_silently(self, form):
        place = folder("salvage-archive", form.replace(".", "-") + "-byte")
        prefix, arrays = saved(place, 50, 200)
        archive = packed(form, prefix)
        name = os.path.join(place, "bad." + (form if form.startswith("tar") else "zip"))
        write(name, flipped(archive, len(archive) * 2 // 3))
        report, found = self.salvaged("weights", name, os.path.join(place, "out.ckpt"))
        self.expect_some(found, arrays, 1, 50)
        lost = {each["name"] for each in report["lost"] if each["what"] == "weight"}
        self.assertEqual(lost | set(found), set(arrays))

    @for_each(["savez", "savez_compressed"])
    def test_arrays(self, writer):
        place = folder("salvage-archive", writer)
        generator = np.random.default_rng(8)
        arrays = {f"w{i}": generator.standard_normal((50, 20)).astype("f") for i in range(5)}
        path = os.path.join(place, "bad.npz")
        getattr(np, writer)(path, **arrays)
        whole = content_of(path)
        cases = {
            "directory": (whole[: whole.index(b"PK\1\2")], "w0 w1 w2 w3 w4"),
            "half": (whole[: len(whole) // 2], "w0 w1"),
            "byte": (flipped(whole, len(whole) // 2), "w0 w1 w3 w4"),
            "byte, directory": (flipped(whole, len(whole) // 2)[:-100], "w0 w1 w3 w4"),
        }
        for label, (content, left) in cases.items():
            report, found = self.salvaged("weights", write(path, content), os.path.join(place, "out.ckpt"))
            self.assertEqual(sorted(found), left.split(), label)
            self.expect_some(found, arrays, 1, 5)
            self.assertTrue(all("offset" in each for each in report["lost"]), report["lost"])
