"""The verb compat: its verdicts, targets, exit statuses, and what it refuses."""

import itertools
import json
import shlex

from support import BAD_COMMAND_LINE, CANNOT, DATA, DONE, NO, Folder, cryograph

FROZEN = DATA / "frozen_convnet/graph.pb"
LAYERS = "Conv2D,DepthwiseConv2dNative,MatMul"


def models():
    """Yields graphs of the fixtures, of which each has another fault for some target."""
    yield FROZEN
    yield from sorted(DATA.glob("*/model.ckpt.meta"))
    yield from sorted(path.parent for path in DATA.glob("saved_models/*/saved_model.pb"))


def options_of(fix):
    """Returns the options of "freeze with --a x and --b"; none of "freeze it"."""
    return [word for word in shlex.split(fix.partition("freeze with ")[2]) if word != "and"]


class Compat(Folder):
    def report(self, path, *options, status=DONE):
        result = cryograph("compat", path, "--json", *options)
        self.assertEqual((result.returncode, result.stderr), (status, b""))
        return {each["name"]: each for each in json.loads(result.stdout)["targets"]}

    def test_a_row_names_successive_releases_of_one_verdict(self):
        result = cryograph("compat", FROZEN)
        self.expect(result, DONE)
        text = result.stdout.decode()
        self.assertIn("TensorFlow 2.5 to 2.21: loads, runs\n", text)
        self.assertIn("TensorFlow 1.14 to 2.4: does not load; freeze with --strip-defaults\n", text)
        self.assertIn("TensorFlow 1.2 to 1.4: does not load; freeze with --for tensorflow-1.2\n", text)
        self.assertRegex(text, r"\n +openvino 20\d\d\.\d\S*: loads, runs\n")
        self.assertIn("the op has no attribute 'grad_a'; freeze with --strip-defaults\n", text)
        self.assertEqual(text.count("TensorFlow 1.15"), 0)

    def test_what_an_option_removes_is_removed_by_it(self):
        before = self.report(FROZEN)["tensorflow-1.15"]
        self.assertEqual({each["fix"] for each in before["blockers"]}, {"freeze with --strip-defaults"})
        stripped = self.folder / "stripped.pb"
        self.expect(cryograph("freeze", FROZEN, "--strip-defaults", "-o", stripped), DONE)
        after = self.report(stripped)["tensorflow-1.15"]
        self.assertEqual((before["loads"], after["loads"], after["blockers"]), (False, True, []))

    def layers(self, path, *options):
        """Returns the number of layers that freezing keeps, with those of branches and loops."""
        made = self.folder / "lowered.pb"
        self.expect(cryograph("freeze", path, "-o", made, "--lower-control-flow", "--force", *options), DONE)
        listed = json.loads(cryograph("list", made, "nodes", "--op", LAYERS, "--json").stdout)
        return len(listed.get("nodes", []))  # the list of none is an error

    def test_every_fix_helps_and_loses_no_layer(self):
        """A fix that several targets have is tried on one of them."""
        tried = 0
        for path in models():
            found = json.loads(cryograph("compat", path, "--json").stdout).get("targets", [])
            fixes = sorted((each["fix"], each["name"]) for each in found if "freeze" in each.get("fix", ""))
            if not fixes:
                continue
            made = self.folder / "made.pb"
            for fix, targets in itertools.groupby(fixes, key=lambda each: each[0]):
                _, target = next(targets)
                with self.subTest(model=str(path.relative_to(DATA)), fix=fix, target=target):
                    self.expect(cryograph("freeze", path, "-o", made, "--force", *options_of(fix)), DONE)
                    self.assertTrue(self.report(made, "--target", target)[target]["runs"])
                    used = ["--inference"] if "--inference" in fix else []  # a branch for training is no loss
                    self.assertGreaterEqual(self.layers(path, *options_of(fix)), self.layers(path, *used))
                    tried += 1
        self.assertGreater(tried, 30)

    def test_only_named_targets_decide_the_exit_status(self):
        self.report(FROZEN)
        self.assertEqual(list(self.report(FROZEN, "--target", "tfjs,tensorflow-2.21")), ["tfjs", "tensorflow-2.21"])
        self.report(FROZEN, "--target", "tfjs", "--target", "tensorflow-1.15", status=NO)

    def test_a_model_that_loads_and_does_not_run(self):
        found = self.report(DATA / "types/model.ckpt.meta")
        loads = {name for name, target in found.items() if target["loads"]}
        runs = {name for name, target in found.items() if target["runs"]}
        self.assertLess(runs, loads)
        for name in loads - runs:
            self.assertTrue(all(each["loads"] for each in found[name]["blockers"]), name)

    def test_refusals(self):
        self.refused(
            "compat", FROZEN, "--target", "tensorflow-9", status=BAD_COMMAND_LINE, words=["there is no target"]
        )
        self.refused("compat", FROZEN, "--outputs", "y", status=BAD_COMMAND_LINE)
        self.refused("compat", self.folder / "no.pb", words=["not-found"])
        weights = self.folder / "weights.npz"
        self.expect(cryograph("weights", self.copy("ref"), "-o", weights), DONE)
        self.assertEqual(cryograph("compat", weights).returncode, CANNOT)
