"""Every weight that is read or copied is compared with the checksum that its container states."""

import json
import zipfile

from support import CANNOT, DATA, DONE, NO, Folder, cryograph


class Damage(Folder):
    def damage(self, name, at, bit=0x10):
        path = self.folder / name
        content = bytearray(path.read_bytes())
        content[at] ^= bit
        path.write_bytes(content)

    def test_no_verb_copies_a_damaged_weight(self):
        meta = self.copy("ref")
        self.damage("model.ckpt.data-00000-of-00001", 3)
        out = self.folder / "out"
        writes = [
            ("freeze", "out.pb"),
            ("freeze", "out.json"),
            ("freeze", "out.pb", "--like-tensorflow"),
            ("convert", "out.ckpt"),
            ("prune", "out.ckpt"),
            ("convert", "out.ckpt", "--shard-size", "16"),
            ("convert", "out", "--as", "checkpoint-v1"),
            ("convert", "out", "--as", "savedmodel"),
            ("weights", "out.npz"),
            ("weights", "out.safetensors"),
            ("weights", "out.ckpt"),
        ]
        for verb, name, *options in writes:
            with self.subTest(verb=verb, name=name, options=options):
                self.refused(
                    verb,
                    meta,
                    "-o",
                    self.folder / name,
                    *options,
                    words=["Checksum does not match", "model.ckpt.data-00000-of-00001", "at"],
                )
        result = cryograph("freeze", meta, "-o", self.folder / "out.pb", "--no-checksum")
        self.expect(result, DONE)
        self.refused(
            "transfer",
            "--from",
            self.folder / "model.ckpt",
            "--into",
            DATA / "ref/model.ckpt.meta",
            "-o",
            f"{out}.ckpt",
            words=["Checksum does not match"],
        )

    def test_no_verb_copies_a_damaged_block_of_a_v1_checkpoint(self):
        meta = self.copy("v1")
        content = (self.folder / "model.ckpt").read_bytes()
        self.damage("model.ckpt", content.find(b"\x2a") + 4)
        for verb, name, *options in [
            ("convert", "out.ckpt"),
            ("convert", "out", "--as", "checkpoint-v1"),
            ("freeze", "out.pb"),
            ("weights", "out.npz"),
        ]:
            with self.subTest(verb=verb, name=name):
                self.refused(verb, meta, "-o", self.folder / name, *options)

    def test_members_of_a_zip_are_compared(self):
        for name, content in [("frozen.pb", (DATA / "ref/frozen.pb").read_bytes())]:
            for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                path = self.folder / "m.zip"
                with zipfile.ZipFile(path, "w", method) as archive:
                    archive.writestr(name, content)
                self.expect(cryograph("convert", path, "-o", self.folder / "good.pb", "--force"), DONE)
                with zipfile.ZipFile(path) as archive:
                    entry = archive.getinfo(name)
                data = bytearray(path.read_bytes())
                record = data.rindex(b"PK\x01\x02")
                data[record + 16] ^= 1  # the directory states another checksum
                path.write_bytes(data)
                self.refused("convert", path, "-o", self.folder / "out.pb", words=["checksum"])
                self.assertEqual(entry.filename, name)

    def test_arrays_of_an_npz_are_compared(self):
        for fixture in ("stored.npz", "deflated.npz"):
            data = bytearray((DATA / "archives" / fixture).read_bytes())
            record = data.rindex(b"PK\x01\x02")
            data[record + 16] ^= 1
            path = self.put("w.npz", data)
            for out in ("out.npz", "out.safetensors", "out.ckpt"):
                with self.subTest(fixture=fixture, out=out):
                    self.refused("weights", path, "-o", self.folder / out, words=["hecksum"])
                    self.expect(cryograph("inspect", path, "--checksum"), CANNOT, "hecksum")

    def test_a_weight_that_cannot_be_read_is_refused_with_and_without_the_graph(self):
        meta = self.copy("ref")
        data = self.folder / "model.ckpt.data-00000-of-00001"
        data.write_bytes(data.read_bytes()[:-4])
        for source in (meta, self.folder / "model.ckpt.index"):
            self.refused("weights", source, "-o", self.folder / "out.npz", words=["data file ends"])
        meta.unlink()
        for verb, *options in [("weights",), ("convert",)]:
            self.refused(verb, self.folder / "model.ckpt", "-o", self.folder / "out.ckpt", words=["data file ends"])
        self.refused(
            "transfer",
            "--from",
            self.folder / "model.ckpt",
            "--into",
            DATA / "ref/model.ckpt.meta",
            "-o",
            self.folder / "out.ckpt",
            words=["data file ends"],
        )
        result = cryograph("validate", self.folder / "model.ckpt")
        self.expect(result, NO)
        self.assertNotIn(b"would import it", result.stdout)

    def test_a_missing_shard_is_an_error_to_validate(self):
        meta = self.copy("missing_shard")
        report = json.loads(cryograph("validate", meta, "--json").stdout)
        self.assertIn(("missing-shard", "error"), [(each["code"], each["severity"]) for each in report["diagnostics"]])
        meta.unlink()
        self.expect(cryograph("validate", self.folder / "model.ckpt"), NO, "error: has 1 of 2 shards")

    def test_reports_say_what_was_checked(self):
        meta = self.copy("ref")
        result = cryograph("weights", meta, "-o", self.folder / "o.npz", "--json")
        checked = json.loads(result.stdout)["checked"]
        size = (self.folder / "model.ckpt.data-00000-of-00001").stat().st_size
        self.assertEqual(checked["bytes"], size)
        self.assertGreater(checked["tensors"], 1)
        result = cryograph("weights", meta, "-o", self.folder / "o.npz", "--json", "--no-checksum", "--force")
        self.assertEqual(json.loads(result.stdout)["checked"], {"tensors": 0, "bytes": 0})
