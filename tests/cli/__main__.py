"""The native program as a person or a script calls it: bad input, outputs, exit statuses.

python3 tests/cli                 # CRYOGRAPH=build/dev/cryograph for another build
python3 tests/cli missing_shard   # tests whose names hold the word
"""

import json
import sys
import unittest

from bad_input import BadInput  # noqa: F401
from damage import Damage  # noqa: F401  (its tests are run with these)
from files import *  # noqa: F403
from limits import Limits  # noqa: F401
from manners import Manners  # noqa: F401
from pictures import Pictures  # noqa: F401
from releases import Compat  # noqa: F401
from salvage import Salvage  # noqa: F401
from support import BAD_COMMAND_LINE, CANNOT, DATA, DONE, NO, ROOT, Folder, cryograph
from terminals import Completion, ProgressBars, Terminals  # noqa: F401


class Outputs(Folder):
    def test_an_output_that_exists_is_refused(self):
        meta = self.copy("ref")
        out = self.put("out.pb", b"precious")
        self.refused("freeze", meta, "-o", out, words=["exists", "--force", "out.pb"])
        self.expect(cryograph("freeze", meta, "-o", out, "--force"), DONE)
        self.assertNotEqual(out.read_bytes(), b"precious")

    def test_a_failure_leaves_an_existing_output_alone(self):
        meta = self.copy("missing_shard")
        out = self.put("out.pb", b"precious")
        self.refused("freeze", meta, "-o", out, "--force")

    def test_one_existing_file_of_a_checkpoint_is_enough_to_refuse(self):
        self.put("out.ckpt.index", b"precious")
        self.refused("unfreeze", DATA / "ref/frozen.pb", "-o", self.folder / "out.ckpt", words=["out.ckpt.index"])

    def test_the_input_may_be_the_output(self):
        path = self.put("graph.pb", (DATA / "ref/frozen.pb").read_bytes())
        self.expect(cryograph("prune", path, "--outputs", "y", "-o", path, "--force"), DONE)
        self.expect(cryograph("prune", DATA / "ref/frozen.pb", "--outputs", "y", "-o", self.folder / "other.pb"), DONE)
        self.assertEqual(path.read_bytes(), (self.folder / "other.pb").read_bytes())

    def test_a_checkpoint_may_be_written_over_itself(self):
        meta = self.copy("ref")
        elsewhere = self.folder / "elsewhere.ckpt"
        self.expect(cryograph("prune", meta, "--outputs", "y", "-o", elsewhere), DONE)
        self.expect(cryograph("prune", meta, "--outputs", "y", "-o", self.folder / "model.ckpt", "--force"), DONE)
        for part in [".meta", ".index", ".data-00000-of-00001"]:
            self.assertEqual(
                (self.folder / f"model.ckpt{part}").read_bytes(), (self.folder / f"elsewhere.ckpt{part}").read_bytes()
            )

    def test_nothing_but_the_outputs_is_left(self):
        meta = self.copy("ref")
        before = set(self.state())
        self.expect(cryograph("freeze", meta, "-o", self.folder / "out.pb"), DONE)
        self.assertEqual(set(self.state()) - before, {"out.pb"})

    def test_a_folder_that_is_not_there(self):
        self.refused(
            "freeze",
            DATA / "ref/model.ckpt.meta",
            "-o",
            self.folder / "no/such/out.pb",
            words=["does not exist", "fix: make it: mkdir -p"],
        )

    def test_an_ending_that_says_nothing(self):
        self.refused(
            "freeze",
            DATA / "ref/model.ckpt.meta",
            "-o",
            self.folder / "out.onnx",
            words=["tf2onnx"],
            status=BAD_COMMAND_LINE,
        )

    def test_freezing_and_unfreezing_give_back_the_weights(self):
        meta = self.copy("ref")
        self.expect(cryograph("freeze", meta, "--outputs", "y", "-o", self.folder / "f.pb"), DONE)
        self.expect(cryograph("unfreeze", self.folder / "f.pb", "-o", self.folder / "u.ckpt"), DONE)
        self.expect(cryograph("freeze", self.folder / "u.ckpt", "--outputs", "y", "-o", self.folder / "g.pb"), DONE)
        self.assertEqual((self.folder / "f.pb").read_bytes(), (self.folder / "g.pb").read_bytes())


class TwoModels(Folder):
    """transfer and diff."""

    def transfer(self, *more, out="out.ckpt"):
        return cryograph(
            "transfer",
            "--from",
            DATA / "ref/frozen.pb",
            "--into",
            DATA / "ref/model.ckpt.meta",
            "-o",
            self.folder / out,
            *more,
        )

    def test_a_transfer_says_what_became_of_each_variable(self):
        result = self.transfer()
        self.expect(result, DONE)
        text = result.stdout.decode()
        for words in ("variables: ", " matched, ", "same name", "written"):
            self.assertIn(words, text)
        report = json.loads(self.transfer("--json", "--force").stdout)
        listed = json.loads(cryograph("list", DATA / "ref/model.ckpt.meta", "weights", "--json").stdout)
        variables = [each["name"] for each in listed["weights"] if each["source"] != "constant"]
        fates = [each["name"] for kind in ("matched", "excluded", "mismatched", "unmatched") for each in report[kind]]
        self.assertEqual(sorted(fates), sorted(variables))
        self.assertEqual(report["removed"], [])
        self.assertEqual(report["before"], report["after"])

    def test_what_a_step_leaves_is_what_it_writes(self):
        out = cryograph(
            "prune", ROOT / "web/samples/digits/model.ckpt.meta", "-o", self.folder / "small.ckpt", "--json"
        ).stdout
        written = [int(each["bytes"]) for each in json.loads(out)["outputs"]]
        self.assertTrue(max(written) <= int(json.loads(out)["after"]["bytes"]) <= sum(written), out)

    def test_what_was_transferred_from_itself_is_equal(self):
        self.expect(self.transfer(), DONE)
        result = cryograph("diff", self.folder / "out.ckpt", DATA / "ref/model.ckpt.meta")
        self.expect(result, DONE)
        self.assertTrue(result.stdout.startswith(b"equal\n"), result.stdout)

    def test_a_strict_transfer_fails_and_writes_nothing(self):
        self.refused(
            "transfer",
            "--from",
            DATA / "ref/frozen.pb",
            "--into",
            DATA / "resource/model.ckpt.meta",
            "-o",
            self.folder / "o.ckpt",
            "--strict",
            "--exclude",
            "w",
            words=["variable", "--rename", "--match"],
        )

    def test_a_target_without_values_takes_its_initial_values(self):
        result = cryograph(
            "transfer",
            "--from",
            DATA / "ref/frozen.pb",
            "--into",
            DATA / "meta_only/model.meta",
            "-o",
            self.folder / "o.ckpt",
        )
        self.expect(result, DONE, "initial-values")
        self.assertIn("(initial value)", result.stdout.decode())

    def test_a_target_without_variables_and_a_source_without_weights(self):
        self.refused(
            "transfer",
            "--from",
            DATA / "ref/model.ckpt",
            "--into",
            DATA / "ref/frozen.pb",
            "-o",
            self.folder / "o.ckpt",
            words=["has no variables"],
        )
        self.refused(
            "transfer",
            "--from",
            self.folder / "nothing.npz",
            "--into",
            DATA / "ref/model.ckpt",
            "-o",
            self.folder / "o.ckpt",
            words=["there is no", "nothing.npz"],
        )

    def test_both_models_are_named(self):
        for words in [
            ["transfer", "--from", "x", "-o", "o.ckpt"],
            ["transfer", "--into", "x", "-o", "o.ckpt"],
            ["diff", "x"],
            ["diff", "x", "y", "z"],
        ]:
            self.expect(cryograph(*words), BAD_COMMAND_LINE, "error:", "fix:")

    def test_a_difference_is_status_one_and_read_by_anyone(self):
        result = cryograph("diff", DATA / "ref/model.ckpt.meta", DATA / "ref/frozen.pb")
        self.expect(result, NO)
        for words in ("different\n", "removed", "weights", "equal, 0 differing"):
            self.assertIn(words, result.stdout.decode())

    def test_weights_alone_are_compared_as_such(self):
        result = cryograph("diff", DATA / "ref/frozen.pb", DATA / "types_keys/keys.index")
        self.expect(result, NO, "has no graph: only weights are compared")


class CommandLine(Folder):
    def test_words_that_mean_nothing(self):
        for words in [
            ["freeze"],
            ["freeze", "x.pb"],
            ["list", "x.pb"],
            ["inspect", "x.pb", "--nope"],
            ["diff", "a", "b", "c"],
            ["inspect", "x.pb", "--outputs", "y"],
        ]:
            self.expect(cryograph(*words), BAD_COMMAND_LINE, "error:", "fix:")
        self.assertEqual(cryograph().returncode, BAD_COMMAND_LINE)

    def test_a_wrong_command_line_is_told_in_json_too(self):
        result = cryograph("inspect", "x.pb", "--outputs", "y", "--json")
        self.assertEqual(result.returncode, BAD_COMMAND_LINE)
        self.assertEqual(json.loads(result.stdout)["diagnostics"][0]["code"], "usage")
        self.assertEqual(result.stderr, b"")

    def test_what_only_the_npm_command_does(self):
        self.expect(cryograph("verify", "x.pb", "y.pb"), CANNOT, "npx cryograph verify")
        self.expect(cryograph("serve"), CANNOT, "npx cryograph serve")
        self.expect(cryograph("verify", "x.pb"), BAD_COMMAND_LINE, "B is missing")

    def test_a_list_that_there_is_not(self):
        self.expect(cryograph("list", DATA / "ref/frozen.pb", "nonsense"), BAD_COMMAND_LINE, "nodes")

    def test_a_path_alone_is_inspected(self):
        path = DATA / "ref/frozen.pb"
        self.assertEqual(cryograph(path).stdout, cryograph("inspect", path).stdout)

    def test_the_verdict_is_the_status(self):
        self.expect(cryograph("validate", DATA / "ref/frozen.pb"), DONE)
        self.expect(cryograph("validate", DATA / "invalid/duplicate_name.pb"), NO, "is not unique")

    def test_a_code_is_explained_without_a_model(self):
        result = cryograph("validate", "--explain", "unknown-colocation")
        self.expect(result, DONE)
        self.assertIn(b"loc:@NODE", result.stdout)
        self.assertEqual(result.stderr, b"")
        report = json.loads(cryograph("validate", "--explain", "unknown-colocation", "--json").stdout)
        self.assertEqual(report["code"], "unknown-colocation")
        self.expect(
            cryograph("validate", "--explain", "unknown-colocations"),
            BAD_COMMAND_LINE,
            "did you mean unknown-colocation",
        )
        self.expect(cryograph("validate"), BAD_COMMAND_LINE, "PATH")

    def test_what_can_be_mended_is(self):
        path, out = DATA / "invalid/colocation_unknown.pb", self.folder / "mended.pb"
        self.expect(cryograph("validate", path), NO, "[unknown-colocation]")
        result = cryograph("validate", path, "--fix", "-o", out)
        self.expect(result, DONE)
        self.assertIn(b"removed the colocation with", result.stdout)
        self.expect(cryograph("validate", out), DONE)
        self.expect(cryograph("validate", path, "--fix", "-o", out), CANNOT, "mended.pb")
        self.expect(cryograph("validate", path, "--fix"), BAD_COMMAND_LINE, "-o OUT")
        self.expect(cryograph("validate", path, "-o", out), BAD_COMMAND_LINE, "--fix")

    def test_what_cannot_be_mended_is_left_and_said(self):
        out = self.folder / "still.pb"
        self.expect(cryograph("validate", DATA / "invalid/cycle.pb", "--fix", "-o", out), NO, "in a cycle")
        self.assertEqual(out.read_bytes(), (DATA / "invalid/cycle.pb").read_bytes())

    def test_help_and_version(self):
        for words in [["--help"], ["freeze", "--help"], ["--version"]]:
            result = cryograph(*words)
            self.assertEqual(result.returncode, DONE)
            self.assertTrue(result.stdout.startswith((b"Cryograph", b"Usage: cryograph freeze PATH", b"cryograph ")))


if __name__ == "__main__":
    loader = unittest.defaultTestLoader
    loader.testNamePatterns = [f"*{word}*" for word in sys.argv[1:]] or None
    outcome = unittest.TextTestRunner(verbosity=1).run(loader.loadTestsFromModule(sys.modules["__main__"]))
    failed = len(outcome.failures) + len(outcome.errors)
    print(f"{outcome.testsRun - failed - len(outcome.skipped)} passed, {failed} failed")
    sys.exit(failed > 0)
