"""Input that is no model, or not the one that is meant: a sentence and a status, never a crash."""

import json
import shutil

from support import CANNOT, DATA, DONE, Folder, cryograph


class BadInput(Folder):
    def each_verb(self, path, *words, has_place=True):
        out = self.folder / "out.pb"
        for verb in ["inspect", "validate", "freeze", "prune", "unfreeze"]:
            writes = ["-o", out] if verb in ("freeze", "prune", "unfreeze") else []
            text = self.refused(verb, path, *writes, words=words)
            self.assertIn("fix:", text)
            if has_place:
                self.assertIn(str(path), text)

    def test_an_empty_file(self):
        self.each_verb(self.put("empty.pb", b""), "'empty.pb' is an empty file")

    def test_a_picture(self):
        self.each_verb(self.put("model.pb", b"\x89PNG\r\n\x1a\n" + bytes(100)), "'model.pb' is a PNG image")

    def test_a_page_that_was_downloaded_instead(self):
        self.each_verb(self.put("model.meta", b"<!DOCTYPE html><html>"), "'model.meta' is an HTML page")

    def test_nothing_at_all(self):
        self.each_verb(self.folder / "nothing.pb", "there is no")

    def test_an_empty_folder(self):
        self.each_verb(self.folder, "there is no model here", has_place=False)

    def test_a_cut_graph(self):
        whole = (DATA / "ref/frozen.pb").read_bytes()
        for size in range(len(whole) // 2, len(whole), 37):
            path = self.put("cut.pb", whole[:size])
            result = cryograph("inspect", path)
            if result.returncode == DONE:  # cut between two nodes
                continue
            self.expect(result, CANNOT, "cut.pb", "offset", "fix:")

    def test_a_cut_meta(self):
        whole = (DATA / "ref/model.ckpt.meta").read_bytes()
        self.each_verb(self.put("cut.meta", whole[: len(whole) // 2]), "not a valid protobuf message", "offset")

    def test_a_cut_index(self):
        self.copy("ref")
        index = self.folder / "model.ckpt.index"
        index.write_bytes(index.read_bytes()[:-20])
        self.refused("inspect", self.folder / "model.ckpt", words=["model.ckpt.index", "fix:"])

    def test_a_damaged_index(self):
        self.copy("ref")
        index = self.folder / "model.ckpt.index"
        damaged = bytearray(index.read_bytes())
        damaged[10] ^= 1
        index.write_bytes(damaged)
        self.refused(
            "freeze", self.folder / "model.ckpt", "-o", self.folder / "o.pb", words=["checksum", "model.ckpt.index"]
        )

    def test_a_missing_shard(self):
        meta = self.copy("missing_shard")
        self.expect(cryograph("inspect", meta), DONE, "has 1 of 2 shards", "model.ckpt.data-00001-of-00002")
        out = self.folder / "out.pb"
        self.refused("freeze", meta, "-o", out, words=["missing model.ckpt.data-00001-of-00002", "fix:"])

    def test_a_cut_data_file(self):
        meta = self.copy("ref")
        data = self.folder / "model.ckpt.data-00000-of-00001"
        data.write_bytes(data.read_bytes()[:40])
        self.refused("freeze", meta, "-o", self.folder / "out.pb", words=["error:"])

    def test_a_damaged_tensor_is_found_with_checksum(self):
        meta = self.copy("ref")
        data = self.folder / "model.ckpt.data-00000-of-00001"
        damaged = bytearray(data.read_bytes())
        damaged[3] ^= 0x10
        data.write_bytes(damaged)
        self.expect(cryograph("inspect", meta), DONE)
        self.refused("inspect", meta, "--checksum", words=["Checksum does not match"])

    def test_a_graph_without_its_checkpoint(self):
        self.refused(
            "freeze",
            DATA / "meta_only/model.meta",
            "--outputs",
            "y",
            "-o",
            self.folder / "o.pb",
            words=["no checkpoint was found", "--checkpoint"],
        )

    def test_outputs_that_are_not_there(self):
        self.refused(
            "freeze",
            DATA / "ref/model.ckpt.meta",
            "--outputs",
            "scope/y",
            "-o",
            self.folder / "o.pb",
            words=["scope/y is not in graph", "there is y"],
        )

    def test_weights_without_a_graph(self):
        self.refused("freeze", DATA / "types_keys/keys.index", "-o", self.folder / "o.pb", words=["no graph"])

    def test_json_holds_the_error_and_nothing_else(self):
        result = cryograph("freeze", self.put("x.pb", b""), "-o", self.folder / "o.pb", "--json")
        self.assertEqual(result.returncode, CANNOT)
        report = json.loads(result.stdout)
        self.assertEqual(report["verb"], "freeze")
        self.assertEqual(report["diagnostics"][0]["severity"], "error")
        self.assertEqual(result.stderr, b"")

    def test_standard_input(self):
        result = cryograph("inspect", "-", stdin=(DATA / "ref/frozen.pb").read_bytes())
        self.assertEqual(result.returncode, DONE, result.stderr)
        self.expect(cryograph("inspect", "-", stdin=b"\x89PNG\r\n\x1a\n"), CANNOT, "PNG")

    def test_an_interrupted_save_is_found_by_its_prefix(self):
        """A sharded save leaves its parts in a folder of their own until they are merged."""
        parts = self.folder / "model.ckpt_temp_4f1c"
        parts.mkdir()
        for ending in (".index", ".data-00000-of-00001"):
            shutil.copy(DATA / ("ref/model.ckpt" + ending), parts / ("part-00000-of-00001" + ending))
        result = cryograph("list", self.folder / "model.ckpt", "weights", "--json")
        self.expect(result, DONE)
        self.assertIn("unmerged-checkpoint", [one["code"] for one in json.loads(result.stdout)["diagnostics"]])
        self.assertTrue(json.loads(result.stdout)["weights"])
        self.expect(cryograph("inspect", self.folder / "model.ckpt-1"), CANNOT, "there is no file or checkpoint")
