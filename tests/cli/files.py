"""Files of the native program: how outputs are written, what signals leave, how inputs are read, what a terminal gets."""

import json
import os
import pathlib
import resource
import shutil
import signal
import stat
import subprocess
import threading

from support import CANNOT, DATA, DONE, PROGRAM, Folder, cryograph

META, FROZEN = DATA / "ref/model.ckpt.meta", DATA / "ref/frozen.pb"
NOBODY = 65534


def varint(number):
    out = b""
    while number > 127:
        out, number = out + bytes([number & 127 | 128]), number >> 7
    return out + bytes([number])


def field(number, content):
    return varint(number << 3 | 2) + varint(len(content)) + content


def constant(name, size, byte=b"x"):
    """A GraphDef of one Const of uint8."""
    shape = field(2, field(2, b"\x08" + varint(size)))
    tensor = b"\x08\x04" + shape + field(4, byte * size)
    attrs = field(5, field(1, b"dtype") + field(2, b"\x30\x04")) + field(
        5, field(1, b"value") + field(2, field(8, tensor))
    )
    return field(1, field(1, name) + field(2, b"Const") + attrs)


def node(name):
    return field(1, field(1, name) + field(2, b"NoOp"))


class Running(Folder):
    def start(self, *arguments, **more):
        process = subprocess.Popen(
            [PROGRAM, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more
        )
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def is_waiting(self, process):
        """Returns True while a process sleeps: here, in the open of a FIFO. A process that waits for a processor does not sleep."""
        stat_line = pathlib.Path(f"/proc/{process.pid}/stat").read_text()
        return stat_line.rpartition(")")[2].split()[0] == "S"

    def unfinished(self):
        return [path.name for path in self.folder.rglob("*") if path.name.startswith(".cryograph-")]

    def written_up_to_a_fifo(self, path=META, **more):
        """A program that writes a checkpoint and waits in an open: its .meta is written, its .index is a FIFO without a reader."""
        os.mkfifo(self.folder / "o.ckpt.index")
        process = self.start("convert", path, "-o", self.folder / "o.ckpt", "--force", **more)
        self.until(lambda: process.poll() is not None or (self.unfinished() and self.is_waiting(process)))
        self.assertIsNone(process.poll(), "it did not wait")
        return process

    def read_fifo(self):
        """Reads to the end. The reader is a thread, because an open without a writer would wait forever."""
        reader = threading.Thread(target=(self.folder / "o.ckpt.index").read_bytes, daemon=True)
        reader.start()
        reader.join(60)
        self.assertFalse(reader.is_alive(), "nothing writes")


class Writing(Running):
    def test_a_planted_link_is_not_followed(self):
        """The name of the temporary file was OUT.part-PID, and a link of that name was followed."""
        precious = self.put("precious", b"precious")
        plant = f'import os; os.symlink("precious", f"out.pb.part-{{os.getpid()}}"); os.execv({PROGRAM!r}, ["c", "prune", {str(FROZEN)!r}, "-o", "out.pb"])'
        subprocess.run(["python3", "-c", plant], cwd=self.folder, check=True, capture_output=True)
        self.assertEqual(precious.read_bytes(), b"precious")
        self.assertFalse((self.folder / "out.pb").is_symlink())

    def test_a_name_as_long_as_it_may_be(self):
        for length in (245, 255):
            out = self.folder / ("x" * (length - 3) + ".pb")
            self.expect(cryograph("prune", FROZEN, "-o", out), DONE)
            self.assertEqual(out.read_bytes(), FROZEN.read_bytes())

    def test_the_mode_of_a_replaced_file_stays(self):
        for mode in (0o600, 0o640, 0o444):
            out = self.put("out.pb", b"old")
            out.chmod(mode)
            self.expect(cryograph("prune", FROZEN, "-o", out, "--force"), DONE)
            self.assertEqual(stat.S_IMODE(out.stat().st_mode), mode)
            out.unlink()

    def test_the_target_of_a_link_is_written(self):
        target, link = self.put("target.pb", b"old"), self.folder / "link.pb"
        link.symlink_to("target.pb")
        self.refused("prune", FROZEN, "-o", link, words=["exists"])
        self.expect(cryograph("prune", FROZEN, "-o", link, "--force"), DONE)
        self.assertTrue(link.is_symlink())
        self.assertEqual(target.read_bytes(), FROZEN.read_bytes())
        target.unlink()
        self.expect(cryograph("prune", FROZEN, "-o", link), DONE)
        self.assertTrue(link.is_symlink())
        self.assertEqual(target.read_bytes(), FROZEN.read_bytes())

    def test_two_outputs_of_one_place_are_refused(self):
        self.put("x", b"old")
        for name in ("o.ckpt.index", "o.ckpt.meta"):
            (self.folder / name).symlink_to("x")
        self.refused("convert", META, "-o", self.folder / "o.ckpt", "--force", words=["same place"])

    def test_a_fifo_is_written_to_and_not_replaced(self):
        fifo, read = self.folder / "out.pb", []
        os.mkfifo(fifo)
        reader = threading.Thread(target=lambda: read.append(fifo.read_bytes()), daemon=True)
        reader.start()
        self.expect(cryograph("prune", FROZEN, "-o", fifo, "--force"), DONE)
        self.assertTrue(stat.S_ISFIFO(fifo.stat().st_mode))
        reader.join(20)
        self.assertEqual(read, [FROZEN.read_bytes()])

    def test_a_device_is_not_replaced(self):
        device = self.folder / "null"
        try:
            os.mknod(device, stat.S_IFCHR | 0o666, os.makedev(1, 3))
        except PermissionError:
            self.skipTest("only root makes devices")
        self.assertIn(cryograph("prune", FROZEN, "-o", device, "--as", "pb", "--force").returncode, (DONE, CANNOT))
        self.assertTrue(stat.S_ISCHR(device.stat().st_mode))

    def test_a_folder_in_the_place_of_a_file_changes_nothing(self):
        self.expect(cryograph("convert", META, "-o", self.folder / "o.ckpt"), DONE)
        (self.folder / "o.ckpt.index").unlink()
        (self.folder / "o.ckpt.index").mkdir()
        before = (self.folder / "o.ckpt.meta").stat().st_ino
        self.expect(
            cryograph("convert", META, "-o", self.folder / "o.ckpt", "--force"), CANNOT, "a folder", "o.ckpt.index"
        )
        self.assertEqual((self.folder / "o.ckpt.meta").stat().st_ino, before)
        self.assertEqual(self.unfinished(), [])

    def test_of_two_writers_one_wins_whole(self):
        for name, byte in (("a.pb", b"a"), ("b.pb", b"b")):
            self.put(name, constant(b"c", 3_000_000, byte))
        inputs = [(self.folder / name).read_bytes() for name in ("a.pb", "b.pb")]
        out = self.folder / "out.pb"
        for _ in range(5):
            writers = [self.start("convert", self.folder / name, "-o", out) for name in ("a.pb", "b.pb")]
            self.assertEqual(sorted(writer.wait(60) for writer in writers), [DONE, CANNOT])
            self.assertIn(out.read_bytes(), inputs)
            self.assertEqual(self.unfinished(), [])
            out.unlink()

    def test_an_output_that_another_writes_meanwhile_is_kept(self):
        self.put("o.ckpt.data-00000-of-00001", b"old")
        process = self.written_up_to_a_fifo()
        self.put("o.ckpt.meta", b"theirs")
        self.read_fifo()
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, CANNOT, errors)
        self.assertIn(b"[output-changed]", errors)
        self.assertEqual((self.folder / "o.ckpt.meta").read_bytes(), b"theirs")
        self.assertEqual((self.folder / "o.ckpt.data-00000-of-00001").read_bytes(), b"old")
        self.assertEqual(self.unfinished(), [])

    def test_names_are_bytes(self):
        for name in (b"\xff.pb", b"\xfe.pb"):
            self.expect(cryograph("prune", FROZEN, "-o", os.fsdecode(bytes(self.folder) + b"/" + name)), DONE)
        self.assertEqual(sorted(os.listdir(bytes(self.folder))), [b"\xfe.pb", b"\xff.pb"])
        shown = cryograph("inspect", os.fsdecode(bytes(self.folder) + b"/\xff.pb"))
        self.expect(shown, DONE)
        self.assertIn("\N{REPLACEMENT CHARACTER}.pb".encode(), shown.stdout)

    def test_a_full_standard_output_is_told(self):
        for words in (["list", FROZEN, "nodes"], ["inspect", FROZEN, "--json"], ["--help"], ["--version"]):
            with open("/dev/full", "wb") as full:
                result = subprocess.run([PROGRAM, *map(str, words)], stdout=full, stderr=subprocess.PIPE, check=False)
            self.assertEqual(result.returncode, CANNOT)
            self.assertIn(b"standard output: No space left", result.stderr)

    def test_a_closed_standard_output_is_told_and_harms_no_file(self):
        script = f'"{PROGRAM}" prune "{FROZEN}" -o out.pb >&-'
        result = subprocess.run(["sh", "-c", script], cwd=self.folder, capture_output=True, check=False)
        self.assertEqual(result.returncode, CANNOT)
        self.assertEqual((self.folder / "out.pb").read_bytes(), FROZEN.read_bytes())

    def test_a_lack_of_memory_is_told(self):
        small = lambda: resource.setrlimit(resource.RLIMIT_AS, (64 << 20, 64 << 20))  # noqa: E731
        for more in ([], ["--json"]):
            result = subprocess.run(
                [PROGRAM, "inspect", "-", *more],
                input=bytes(100 << 20),
                preexec_fn=small,
                capture_output=True,
                check=False,
            )
            self.assertEqual(result.returncode, CANNOT, result.stderr)
            self.assertIn(b"not enough memory", result.stdout if more else result.stderr)
            if more:
                self.assertEqual(json.loads(result.stdout)["diagnostics"][0]["code"], "out-of-memory")


class Signals(Running):
    def setUp(self):
        super().setUp()
        # A shell's background jobs ignore the one, and what nohup starts the other: this may be such a process.
        for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
            self.addCleanup(signal.signal, number, signal.signal(number, handler))

    def test_a_signal_removes_what_is_unfinished(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = self.written_up_to_a_fifo()
            process.send_signal(number)
            process.wait(20)
            self.assertEqual(process.returncode, -number)
            self.assertEqual(list(self.state_of_names()), ["o.ckpt.index"])
            (self.folder / "o.ckpt.index").unlink()

    def state_of_names(self):
        return sorted(path.name for path in self.folder.iterdir())

    def test_an_ignored_signal_stays_ignored(self):
        process = self.written_up_to_a_fifo(preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        process.send_signal(signal.SIGHUP)  # would end it before the open returns
        self.read_fifo()
        self.assertEqual(process.wait(20), DONE)

    def test_a_limit_of_file_size_leaves_nothing(self):
        path = self.put("in.pb", constant(b"c", 4_000_000))
        small = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1_500_000, 1_500_000))  # noqa: E731
        process = self.start("convert", path, "-o", self.folder / "out.pb", preexec_fn=small)
        self.assertEqual(process.wait(20), -signal.SIGXFSZ)
        self.assertEqual(self.state_of_names(), ["in.pb"])

    def test_waiting_for_a_pipe_is_stopped(self):
        os.mkfifo(self.folder / "p")
        process = self.start("inspect", self.folder / "p")
        self.until(lambda: self.is_waiting(process))
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(20), -signal.SIGINT)


class Reading(Running):
    def test_a_file_that_changes_while_it_is_read(self):
        self.copy("ref")
        data = self.folder / "model.ckpt.data-00000-of-00001"
        process = self.written_up_to_a_fifo(self.folder / "model.ckpt.meta")
        with open(data, "r+b") as file:
            file.write(b"changed")
        self.read_fifo()
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, CANNOT, errors)
        self.assertIn(b"[source-changed]", errors)
        self.assertFalse((self.folder / "o.ckpt.meta").exists())
        self.assertEqual(self.unfinished(), [])

    def as_nobody(self, *arguments):
        if os.geteuid() != 0:
            return cryograph(*arguments)
        self.folder.chmod(0o755)
        program = self.folder.parent / f"{self.folder.name}.program"
        shutil.copy(PROGRAM, program)
        self.addCleanup(program.unlink, missing_ok=True)
        return subprocess.run([program, *map(str, arguments)], user=NOBODY, capture_output=True, check=False)

    def test_a_file_that_may_not_be_read(self):
        path = self.put("secret.pb", FROZEN.read_bytes())
        path.chmod(0)
        self.expect(self.as_nobody("inspect", path), CANNOT, "Permission denied", "secret.pb")

    def test_weights_that_may_not_be_read(self):
        meta = self.copy("ref")
        for path in self.folder.iterdir():
            path.chmod(0o644)
        (self.folder / "model.ckpt.data-00000-of-00001").chmod(0)
        (self.folder / "out").mkdir(mode=0o777)
        (self.folder / "out").chmod(0o777)
        self.expect(self.as_nobody("freeze", meta, "-o", self.folder / "out/o.pb"), CANNOT, "Permission denied")

    def test_a_folder_that_may_not_be_read(self):
        folder = self.folder / "secret"
        shutil.copytree(DATA / "ref", folder)
        folder.chmod(0)
        self.addCleanup(folder.chmod, 0o755)
        for path in (folder, folder / "model.ckpt"):
            self.expect(self.as_nobody("inspect", path), CANNOT, "Permission denied")

    def many(self, *names):
        for i in range(20_050):
            (self.folder / f"aa{i}").touch()
        for name in names:
            shutil.copy(DATA / "ref" / name, self.folder / name)

    def test_a_folder_of_very_many_files(self):
        self.many("model.ckpt.index", "model.ckpt.data-00000-of-00001", "model.ckpt.meta")
        self.expect(cryograph("inspect", self.folder / "model.ckpt"), DONE)
        self.expect(cryograph("inspect", self.folder / "model.ckpt.meta", "--checksum"), DONE)
        for path in (self.folder, self.folder / "other.ckpt"):
            text = cryograph("inspect", path).stderr.decode()
            self.assertIn("more than 20000 files", text)

    def test_a_pipe_is_read(self):
        fifo = self.folder / "p"
        os.mkfifo(fifo)
        threading.Thread(target=lambda: fifo.write_bytes(FROZEN.read_bytes()), daemon=True).start()
        self.expect(cryograph("inspect", fifo), DONE)
        self.expect(cryograph("inspect", "/dev/stdin", stdin=FROZEN.read_bytes()), DONE)
        result = subprocess.run(
            ["bash", "-c", f'"{PROGRAM}" inspect <(cat "{FROZEN}")'], capture_output=True, check=False
        )
        self.expect(result, DONE)


class Terminal(Folder):
    NAMES = (
        "esc\x1b[31m",
        "line\n::error file=x::forged",
        "::error::start",
        "\u00a0::error::blank",
        "##[error]old",
        "c1\u009b31m",
        "bidi\u202egp.exe",
        "return\rover",
        "del\x7f",
        "separator\u2028::error::x",
        "tab\t",
        "bell\x07",
    )

    def check(self, output):
        text = output.decode()
        for line in text.split("\n"):
            self.assertFalse(line.strip().startswith("::") or "##[" in line, line)
            self.assertTrue(all(" " <= c < "\x7f" or c in "\u00a0" for c in line), ascii(line))

    def test_names_forge_nothing(self):
        path = self.put("hostile.pb", b"".join(node(name.encode()) for name in self.NAMES))
        other = self.put("other\x1b[31m\n::error::x.pb", node(b"x"))
        for words in (
            ["list", path, "nodes"],
            ["inspect", path, "--verbose"],
            ["validate", path],
            ["diff", path, other],
            ["diff", other, path, "--verbose"],
            ["inspect", other],
            ["inspect", f"{other}\n::error::none"],
            ["freeze", path, "-o", self.folder / "o.pb", "--outputs", "\x1b[31mx"],
            ["prune", path, "--outputs", self.NAMES[0], "-o", self.folder / "o.pb", "--verbose"],
            ["\x1b[31m\n::error::x"],
            ["inspect", "--\x1b[31m\n::error::x"],
        ):
            result = cryograph(*words)
            self.check(result.stdout)
            self.check(result.stderr)
        listed = json.loads(cryograph("list", path, "nodes", "--json").stdout)
        self.assertEqual([each["name"] for each in listed["nodes"]], list(self.NAMES))


__all__ = ["Reading", "Signals", "Terminal", "Writing"]
