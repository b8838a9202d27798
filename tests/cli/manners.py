"""Several models on one command line, annotations, standard output as an output, and what is said about a wrong word."""

import json
import shutil
import subprocess

from support import BAD_COMMAND_LINE, CANNOT, DATA, DONE, NO, PROGRAM, ROOT, Folder, big_array, cryograph

SAMPLE = ROOT / "web/samples/digits/model.ckpt"
KERNELS = ["conv1/weights", "conv2/weights", "hidden/weights", "readout/weights"]


class Manners(Folder):
    good, bad, meta = DATA / "ref/frozen.pb", DATA / "invalid/cycle.pb", DATA / "ref/model.ckpt.meta"

    def test_a_misspelled_verb_is_told_the_right_one(self):
        for words in [["frezze", self.meta], ["frezze", self.meta, "-o", "x.pb"], ["help", "frezze"], ["frezze", "-h"]]:
            self.expect(cryograph(*words), BAD_COMMAND_LINE, "no verb 'frezze' (did you mean freeze?)")
        self.expect(cryograph("frezze"), CANNOT, "no file or checkpoint", "did you mean the verb freeze?")
        self.expect(cryograph("freeze", self.meta), BAD_COMMAND_LINE, "see cryograph freeze --help")

    def test_a_model_may_be_called_as_a_verb_is(self):
        shutil.copytree(DATA / "saved_models/branches", self.folder / "frozen")
        self.expect(cryograph("frozen", cwd=self.folder), DONE)

    def test_help_has_short_names(self):
        self.assertEqual(cryograph("-V").stdout, cryograph("--version").stdout)
        helps = {cryograph(*words).stdout for words in [["help", "freeze"], ["freeze", "--help"], ["-h", "freeze"]]}
        self.assertEqual(len(helps), 1)
        self.assertEqual(cryograph("help").stdout, cryograph("--help").stdout)

    def test_of_several_models_the_worst_status_counts(self):
        missing = self.folder / "no.pb"
        for paths, status in [
            ([self.good, self.meta], DONE),
            ([self.bad, self.good], NO),
            ([self.bad, missing, self.good], CANNOT),
        ]:
            result = cryograph("validate", *paths)
            self.assertEqual(result.returncode, status)
            headings = [line for line in result.stdout.decode().splitlines() if line in map(str, paths)]
            self.assertEqual(headings, list(map(str, paths)))
        self.assertIn(f"at {self.bad}, node", cryograph("validate", self.good, self.bad).stderr.decode())

    def test_lists_are_of_the_names_and_ops_that_are_given(self):
        def names(*words, key="name"):
            report = json.loads(cryograph("list", SAMPLE, *words, "--json").stdout)
            return [row[key] for row in report[words[0]]]

        self.assertEqual(names("nodes", "conv1/*", "--op", "Conv2D,BiasAdd"), ["conv1/Conv2D", "conv1/BiasAdd"])
        self.assertEqual(names("nodes", "--names", "conv?/*", "--op", "Conv2D", "conv2/**"), ["conv2/Conv2D"])
        self.assertEqual(names("weights", "*/weights", "/^readout.biases$/"), [*KERNELS, "readout/biases"])
        self.assertEqual(names("ops", "Conv2D*", key="op"), ["Conv2D", "Conv2DBackpropFilter", "Conv2DBackpropInput"])
        nothing = cryograph("list", SAMPLE, "weights", "conv1/kernel")
        self.expect(nothing, CANNOT, "none of the weights is of that name")
        self.expect(
            cryograph("list", SAMPLE, "weights", "--op", "Conv2D"),
            BAD_COMMAND_LINE,
            "ops are chosen in the list of nodes",
        )

    def test_of_several_models_json_is_one_object(self):
        result = cryograph("inspect", self.good, self.folder / "no.pb", self.meta, "--json")
        self.assertEqual((result.returncode, result.stderr), (CANNOT, b""))
        report = json.loads(result.stdout)
        self.assertEqual((report["verb"], report["model"], report["diagnostics"]), ("inspect", "", []))
        self.assertEqual(
            [each["model"] for each in report["reports"]], [str(self.good), str(self.folder / "no.pb"), str(self.meta)]
        )
        alone = json.loads(cryograph("inspect", self.meta, "--json").stdout)
        self.assertEqual(report["reports"][2], alone)

    def test_annotations_name_the_path_as_given(self):
        shutil.copy(self.bad, self.folder / "a,b.pb")
        result = cryograph("validate", "a,b.pb", "--format", "github", cwd=self.folder)
        self.assertEqual((result.returncode, result.stderr), (NO, b""))
        first, rest = result.stdout.decode().split("\n", 1)
        self.assertRegex(first, r"^::error file=a%2Cb\.pb,title=cycle::.* in a cycle.*%0Aat node .*%0Afix: ")
        self.assertTrue(rest.startswith("not valid: "))
        refused = cryograph("validate", "no.pb", "--format=github")
        self.assertEqual(refused.returncode, CANNOT)
        self.assertTrue(refused.stdout.startswith(b"::error file=no.pb,title=not-found::"), refused.stdout)

    def test_an_output_may_be_standard_output(self):
        for words, ending in [
            (["freeze", self.meta, "--outputs", "y", "--as", "pb"], "pb"),
            (["weights", self.meta, "--as", "npz"], "npz"),
            (["convert", self.good, "--as", "pbtxt"], "pbtxt"),
        ]:
            out = self.folder / f"out.{ending}"
            self.expect(cryograph(*words, "-o", out), DONE)
            result = cryograph(*words, "-o", "-")
            self.expect(result, DONE, "written", "-  ")
            self.assertEqual(result.stdout, out.read_bytes())
        piped = cryograph(
            "inspect", "-", "--json", stdin=cryograph("convert", self.good, "-o", "-", "--as", "pb").stdout
        )
        self.assertEqual(json.loads(piped.stdout)["kind"], "graph-def")

    def test_standard_output_takes_one_file_of_a_known_format(self):
        self.refused("freeze", self.meta, "-o", "-", status=BAD_COMMAND_LINE, words=["--as"])
        for form in ["checkpoint", "checkpoint-v1", "savedmodel"]:
            words = ["convert", self.meta, "-o", "-", "--as", form]
            self.refused(*words, status=BAD_COMMAND_LINE, words=["standard output takes one file"])
        refused = cryograph("freeze", self.meta, "-o", "-", "--as", "pb", "--json")
        self.assertEqual(refused.returncode, BAD_COMMAND_LINE)
        self.assertEqual(json.loads(refused.stdout)["diagnostics"][0]["code"], "usage")

    def test_nothing_damaged_is_printed(self):
        # The damage is in the last of many megabytes, after the first ones could have been printed.
        array, prefix = big_array(self.folder / "w.npy", 8), self.folder / "w.ckpt"
        self.expect(cryograph("weights", array, "-o", prefix), DONE)
        data = self.folder / "w.ckpt.data-00000-of-00001"
        damaged = bytearray(data.read_bytes())
        damaged[-1] ^= 1
        data.write_bytes(damaged)
        result = cryograph("weights", prefix, "-o", "-", "--as", "safetensors")
        self.expect(result, CANNOT, "[checksum]")
        self.assertEqual(result.stdout, b"")

    def test_a_reader_may_leave(self):
        words = ["bash", "-c", '"$0" convert "$1" -o - --as pbtxt --quiet | head -c 10; echo " ${PIPESTATUS[0]}"']
        done = subprocess.run([*words, PROGRAM, str(self.good)], capture_output=True, check=False)
        self.assertTrue(done.stdout.endswith(b" 0\n"), done)
