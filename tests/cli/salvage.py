"""convert --salvage writes and reports the whole parts of damaged graphs; without it nothing is written."""

import json
import random
import tarfile
import zipfile

from support import BAD_COMMAND_LINE, CANNOT, DATA, DONE, Folder, cryograph


class Salvage(Folder):
    def salvaged(self, path, out, *options):
        result = cryograph("convert", path, "--salvage", "-o", self.folder / out, "--force", "--json", *options)
        return result, json.loads(result.stdout)

    def test_a_cut_graph(self):
        content = (DATA / "ref/frozen.pb").read_bytes()
        path = self.put("cut.pb", content[: len(content) // 2])
        self.refused("convert", path, "-o", self.folder / "out.pb", words=["not a valid protobuf message", "offset"])
        result, report = self.salvaged(path, "out.pb")
        self.expect(result, DONE)
        written = (self.folder / "out.pb").read_bytes()
        self.assertTrue(content.startswith(written))
        lost = report["lost"]
        self.assertEqual(lost[-1]["offset"], len(written))
        self.assertEqual(lost[-1]["bytes"], len(content) // 2 - len(written))
        self.assertTrue(lost[-1]["why"] and lost[-1]["file"].endswith("cut.pb"))
        codes = {each["code"]: each["severity"] for each in report["diagnostics"]}
        self.assertEqual(codes["parts-lost"], "warning")
        self.expect(cryograph("inspect", self.folder / "out.pb"), DONE)
        text = cryograph("convert", path, "--salvage", "-o", self.folder / "again.pb")
        self.expect(text, DONE, "warning:", "lost")
        self.assertIn(b"lost ", text.stdout)

    def test_nodes_that_need_lost_ones_are_listed(self):
        content = (DATA / "ref/frozen.pb").read_bytes()
        place = content.index(b"\x0a\x01w\x12\x05Const") + 3  # the op of w
        path = self.put("g.pb", content[:place] + b"\x1f" + content[place + 1 :])
        result, report = self.salvaged(path, "out.pb")
        self.expect(result, DONE)
        self.assertEqual([(each["what"], each.get("name")) for each in report["lost"]], [("node", "w")])
        self.assertEqual([each["needs"] for each in report["incomplete"]], [["w"]])
        self.assertIn("incomplete-nodes", [each["code"] for each in report["diagnostics"]])

    def test_a_whole_graph_is_as_it_was(self):
        path = self.put("g.pb", (DATA / "ref/frozen.pb").read_bytes())
        result, report = self.salvaged(path, "out.pb")
        self.expect(result, DONE)
        self.assertEqual((report["lost"], report["incomplete"]), ([], []))
        self.assertIn("nothing-lost", [each["code"] for each in report["diagnostics"]])
        self.assertEqual((self.folder / "out.pb").read_bytes(), path.read_bytes())

    def test_a_cut_checkpoint_of_the_first_version_is_known_by_its_beginning(self):
        content = (DATA / "types_v1/model.ckpt").read_bytes()
        path = self.put("model.ckpt", content[:-30])
        self.refused("convert", path, "-o", self.folder / "out.ckpt", words=["bad magic number", "--salvage"])
        result, report = self.salvaged(path, "out.ckpt")
        self.expect(result, DONE)
        self.assertEqual([each["what"] for each in report["lost"]], ["directory"])
        names = []
        for prefix in (self.put("whole.ckpt", content), self.folder / "out.ckpt"):
            listed = json.loads(cryograph("list", prefix, "weights", "--json").stdout)
            names.append([each["name"] for each in listed["weights"]])
        self.assertEqual(len(names[0]), 22)
        self.assertEqual(*names)

    def test_a_damaged_beginning_is_known_by_its_name(self):
        for name, source in (("g.pb", "ref/frozen.pb"), ("m.meta", "ref/model.ckpt.meta")):
            path = self.put(name, bytes(20) + (DATA / source).read_bytes()[20:])
            self.refused("convert", path, "-o", self.folder / "out.pb")
            result, report = self.salvaged(path, "out.pb")
            self.expect(result, DONE)
            self.assertGreater(report["after"]["nodes"], 3)

    def test_a_meta_with_a_damaged_weight(self):
        meta = self.copy("ref")
        data = self.folder / "model.ckpt.data-00000-of-00001"
        content = bytearray(data.read_bytes())
        content[3] ^= 1
        data.write_bytes(content)
        meta.write_bytes(meta.read_bytes()[:-7])
        result, report = self.salvaged(meta, "out.ckpt")
        self.expect(result, DONE)
        kinds = [each["what"] for each in report["lost"]]
        self.assertIn("weight", kinds)
        self.assertGreater(len(set(kinds)), 1)
        self.expect(cryograph("inspect", self.folder / "out.ckpt"), DONE)
        self.expect(cryograph("convert", meta, "--salvage", "--no-checksum", "-o", "x.ckpt"), BAD_COMMAND_LINE)

    def test_a_cut_archive(self):
        for name in ("stored.npz", "deflated.npz"):
            content = (DATA / "archives" / name).read_bytes()
            path = self.put("a.npz", content[: content.index(b"PK\1\2") + 3])
            self.refused("convert", path, "-o", self.folder / "out.npz", words=["zip", "--salvage"])
            result, report = self.salvaged(path, "out.npz")
            self.expect(result, DONE)
            self.assertEqual([each["what"] for each in report["lost"]][:1], ["directory"])
            self.assertGreater(report["after"]["variables"], 0)

    def test_a_graph_whose_checkpoint_is_lost(self):
        meta = self.copy("ref")
        index = self.folder / "model.ckpt.index"
        index.write_bytes(index.read_bytes()[:30])
        self.refused("convert", meta, "-o", self.folder / "out.pb")
        result, report = self.salvaged(meta, "out.pb")
        self.expect(result, DONE)
        self.assertEqual(report["lost"][0]["what"], "directory")
        self.assertTrue(report["lost"][0]["file"].endswith(".index"))
        result, report = self.salvaged(meta, "out.ckpt")
        self.expect(result, CANNOT)

    def test_a_damaged_member_without_checksums_of_its_own_is_lost(self):
        weights = (DATA / "archives/weights.safetensors").read_bytes()
        for name in ("a.zip", "a.tar.gz"):
            path = self.put(name, b"")
            if name == "a.zip":
                with zipfile.ZipFile(path, "w") as archive:
                    archive.writestr("weights.safetensors", weights)
                content = bytearray(path.read_bytes())
                content[content.index(weights) + len(weights) - 1] ^= 1
            else:
                with tarfile.open(path, "w:gz") as archive:
                    archive.add(DATA / "archives/weights.safetensors", "weights.safetensors")
                content = bytearray(path.read_bytes())
                content[-8] ^= 1  # its checksum
            path.write_bytes(content)
            self.refused("weights", path, "--salvage", "-o", self.folder / "out.npz", words=["lost", "checksum"])

    def test_an_archive_with_nothing_whole(self):
        for name in ("a.zip", "a.npz", "a.tar"):
            self.refused("convert", self.put(name, bytes(2000)), "--salvage", "-o", self.folder / "out.pb")
        self.refused("convert", self.put("a.zip", b"PK\3\4" + bytes(99)), "--salvage", "-o", self.folder / "out.pb")

    def test_nothing_is_whole(self):
        self.refused("convert", self.put("g.pb", bytes(300)), "--salvage", "-o", self.folder / "out.pb")
        content = (DATA / "ref/frozen.pb").read_bytes()
        self.refused("convert", self.put("g.pb", content[:20]), "--salvage", "-o", self.folder / "out.pb")

    def test_no_damage_crashes_it(self):
        generator = random.Random(3)
        content = (DATA / "call/model.ckpt.meta").read_bytes()
        for _ in range(40):
            damaged = bytearray(content)
            for _ in range(generator.randrange(1, 5)):
                damaged[generator.randrange(len(content))] ^= 1 << generator.randrange(8)
            path = self.put("m.meta", bytes(damaged[: generator.randrange(len(content) // 2, len(content))]))
            result, report = self.salvaged(path, "out.pb")
            self.assertIn(result.returncode, (DONE, CANNOT), result.stderr)
            self.assertTrue(result.returncode == CANNOT or report["lost"])
