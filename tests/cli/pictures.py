"""The verb draw: its formats, its report, what it refuses."""

import base64
import hashlib
import json
import re
import xml.etree.ElementTree

from support import BAD_COMMAND_LINE, CANNOT, DATA, DONE, ROOT, Folder, cryograph

DIGITS = ROOT / "web/samples/digits/model.ckpt.meta"


class Pictures(Folder):
    def draw(self, model, name, *options):
        path = self.folder / name
        result = cryograph("draw", model, "-o", path, *options)
        self.expect(result, DONE)
        return path.read_text(), result.stdout.decode()

    def test_the_layout_has_every_node_once(self):
        text, report = self.draw(DIGITS, "digits.json")
        layout = json.loads(text)
        self.assertEqual(layout["verb"], "draw")
        parents = {box["parent"] for box in layout["boxes"]}
        closed = [box for box in layout["boxes"] if box["id"] not in parents]
        self.assertEqual(sum(box["nodes"] for box in closed), layout["view"]["nodes"])
        self.assertEqual({box["kind"] for box in layout["boxes"]}, {"node", "group", "tray"})
        self.assertIn("309", report)

    def test_the_report_has_the_view(self):
        _, report = self.draw(DIGITS, "digits.svg", "--json")
        report = json.loads(report)
        self.assertEqual(report["view"]["nodes"], 309)
        self.assertEqual(report["outputs"][0]["path"], str(self.folder / "digits.svg"))

    def test_the_same_bytes_twice(self):
        for name in ["digits.svg", "digits.html", "digits.json"]:
            first, _ = self.draw(DIGITS, name)
            self.assertEqual(first, self.draw(DIGITS, name, "--force")[0])

    def test_svg_is_xml_and_loads_nothing(self):
        text, _ = self.draw(DIGITS, "digits.svg")
        xml.etree.ElementTree.fromstring(text)
        self.assertNotRegex(text.replace('xmlns="http://www.w3.org/2000/svg"', ""), r"https?:|url\(|@import")

    def test_html_allows_its_own_script_alone(self):
        text, _ = self.draw(DIGITS, "digits.html")
        script = re.search(r"<script>(.*)</script>", text, re.DOTALL)[1]
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        self.assertIn(f"script-src 'sha256-{digest}'", text)
        self.assertIn("default-src 'none'", text)

    def test_depth_and_open(self):
        closed = json.loads(self.draw(DIGITS, "0.json", "--depth", "0")[0])
        self.assertEqual(closed["view"]["open"], [])
        opened = json.loads(self.draw(DIGITS, "1.json", "--open", "conv1")[0])
        self.assertEqual(opened["view"]["open"], ["conv1"])
        self.assertGreater(len(opened["boxes"]), len(closed["boxes"]))

    def test_only_what_outputs_need(self):
        layout = json.loads(self.draw(DIGITS, "hidden.json", "--outputs", "hidden/BiasAdd")[0])
        names = {box["name"] for box in layout["boxes"]}
        self.assertIn("hidden/BiasAdd", names)
        self.assertNotIn("probabilities", names)

    def test_against_another_model(self):
        small = self.folder / "small.pbtxt"
        self.expect(cryograph("prune", DIGITS, "--outputs", "hidden/BiasAdd", "-o", small), DONE)
        layout = json.loads(self.draw(small, "diff.json", "--against", DIGITS, "--depth", "9")[0])
        colors = {box["name"]: box["color"] for box in layout["boxes"] if box["kind"] == "node"}
        self.assertEqual(colors["hidden/BiasAdd"], "same")
        self.assertEqual(colors["probabilities"], "removed")

    def test_the_first_view_fits_its_pane(self):
        for width, height in [(900, 760), (400, 1200)]:
            layout = json.loads(self.draw(DIGITS, f"{width}.json", "--size", f"{width}x{height}")[0])
            self.assertGreaterEqual(min(width / layout["width"], height / layout["height"]), 0.85)

    def test_what_is_refused(self):
        out = self.folder / "out"
        self.refused("draw", DIGITS, "-o", f"{out}.png", words=[".svg, .html or .json"], status=BAD_COMMAND_LINE)
        self.refused("draw", DIGITS, "-o", f"{out}.svg", "--color", "pink", words=["weights"], status=BAD_COMMAND_LINE)
        for size in ["900", "900x", "0x760", "900x760px"]:
            self.refused("draw", DIGITS, "-o", f"{out}.svg", "--size", size, words=[size], status=BAD_COMMAND_LINE)
        self.refused("draw", DIGITS, "-o", f"{out}.svg", "--function", "f", words=["no function 'f'"])
        self.refused(
            "draw", DATA / "ref/model.ckpt.index", "-o", f"{out}.svg", "--outputs", "nothing", words=["nothing"]
        )
        self.assertEqual(cryograph("draw", DIGITS).returncode, BAD_COMMAND_LINE)
        self.put("out.svg", b"mine")
        self.refused("draw", DIGITS, "-o", f"{out}.svg", words=["out.svg"], status=CANNOT)
