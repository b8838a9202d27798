"""The native program on a terminal: colors, widths, progress; and what shells make of its completion scripts."""

import fcntl
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import termios
import threading
import time
import unittest

from support import BAD_COMMAND_LINE, DATA, DONE, PROGRAM, Folder, big_array

ANSI = re.compile(r"\x1b\[[0-9;]*[mK]")


class Terminal:
    """A terminal that a program prints to; what it prints is collected."""

    def __init__(self, columns=80):
        self.ours, self.theirs = pty.openpty()
        fcntl.ioctl(self.theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.text = ""
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        while True:
            try:
                piece = os.read(self.ours, 65536)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            self.text += piece.decode()

    def close(self):
        """Returns all that was printed."""
        os.close(self.theirs)
        self.reader.join()
        os.close(self.ours)
        return self.text.replace("\r\n", "\n")


def on_terminal(*arguments, columns=80, **variables):
    """Returns what the program prints with both outputs on a terminal, and its exit status."""
    terminal = Terminal(columns)
    environment = {"PATH": os.environ["PATH"], "TERM": "xterm", **variables}
    words = [PROGRAM, *map(str, arguments)]
    done = subprocess.run(words, stdout=terminal.theirs, stderr=terminal.theirs, env=environment, check=False)
    return terminal.close(), done.returncode


class Terminals(Folder):
    model = DATA / "ref/model.ckpt.meta"

    def test_colors_are_for_terminals(self):
        colored, _ = on_terminal("validate", DATA / "invalid/cycle.pb")
        self.assertIn("\x1b[1;31merror:\x1b[0m ", colored)
        for variables in [{"NO_COLOR": "1"}, {"TERM": "dumb"}]:
            plain, _ = on_terminal("validate", DATA / "invalid/cycle.pb", **variables)
            self.assertEqual(plain, ANSI.sub("", colored))
        always, _ = on_terminal("validate", DATA / "invalid/cycle.pb", "--color", "always", NO_COLOR="1")
        self.assertEqual(always, colored)
        never, _ = on_terminal("validate", DATA / "invalid/cycle.pb", "--color=never")
        self.assertEqual(never, ANSI.sub("", colored))

    def test_no_line_is_wider_than_the_terminal(self):
        # Only a name or a path may be: it is not broken.
        for columns in [60, 90]:
            for words in [["list", self.model, "nodes"], ["list", self.model, "weights"], ["inspect", self.model]]:
                text, status = on_terminal(*words, columns=columns, NO_COLOR="1")
                self.assertEqual(status, DONE)
                lines = text.replace(str(self.model), "model.ckpt.meta").split("\n")
                wide = [line for line in lines if len(line) > columns and " " in line.strip()]
                self.assertEqual(wide, [], words)

    def test_a_long_name_keeps_its_beginning_and_its_end(self):
        narrow, _ = on_terminal("list", self.model, "nodes", columns=60, NO_COLOR="1")
        whole, _ = on_terminal("list", self.model, "nodes", "--verbose", columns=60, NO_COLOR="1")
        self.assertIn("…", narrow)
        self.assertNotIn("…", whole)

    def test_help_is_as_wide_as_the_terminal(self):
        for columns in [60, 100]:
            text, _ = on_terminal("help", "freeze", columns=columns)
            usage = text.split("\nExamples\n")[0]
            self.assertTrue(columns - 12 < max(map(len, usage.split("\n"))) <= columns)

    def test_a_model_is_not_printed_on_a_terminal(self):
        text, status = on_terminal("freeze", self.model, "-o", "-", "--as", "pb", NO_COLOR="1")
        self.assertEqual(status, BAD_COMMAND_LINE)
        self.assertIn("standard output is a terminal", text)


class ProgressBars(Folder):
    def start(self, *more):
        """Starts a program on a terminal, and returns when it waits for someone to read the 4 MB of a model that it writes."""
        terminal = Terminal()
        words = [PROGRAM, "weights", str(self.folder / "w.npy"), "-o", "-", "--as", "npz", *more]
        program = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=terminal.theirs)
        self.addCleanup(program.kill)
        select.select([program.stdout], [], [])
        return program, terminal

    def finish(self, program, terminal):
        """Returns what it printed on the terminal."""
        size = len(program.stdout.read())
        program.stdout.close()
        self.assertEqual(program.wait(), DONE)
        self.assertGreater(size, 4 << 20)
        return terminal.close()

    def test_what_takes_longer_than_a_second_shows_how_far_it_is_unless_quiet(self):
        big_array(self.folder / "w.npy", 4)
        quiet, shown = self.start("--quiet"), self.start()
        time.sleep(1.1)  # now both take longer than a second
        text = self.finish(*shown)
        self.assertRegex(
            text, r"\r\x1b\[Kwriting  \d+%  \[#*-*\]  \d\.\d MB of 4\.2 MB  \d+\.\d [kM]B/s  (\d+ min )?\d+ s left"
        )
        self.assertRegex(text, r"left\r\x1b\[K\S*model")  # and is removed
        self.assertNotIn("reading", text)
        self.assertNotIn("writing", self.finish(*quiet))

    def test_a_short_one_has_none(self):
        text, _ = on_terminal("freeze", Terminals.model, "-o", self.folder / "f.pb")
        self.assertNotIn("\x1b[K", text)


class Completion(Folder):
    def script(self, shell):
        return subprocess.run([PROGRAM, "completion", shell], capture_output=True, text=True, check=True).stdout

    def bash(self, *words):
        """Returns the words that bash offers for the last one."""
        program = self.script("bash") + (
            'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _cryograph; printf "%s\\n" "${COMPREPLY[@]}"'
        )
        done = subprocess.run(
            ["bash", "-uc", program, "bash", "cryograph", *words], capture_output=True, text=True, check=False
        )
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_bash_offers_verbs_options_and_values(self):
        self.assertEqual(self.bash("fre"), ["freeze"])
        self.assertIn("--outputs", self.bash("freeze", "model.pb", "--"))
        self.assertNotIn("--style", self.bash("freeze", "model.pb", "--"))
        self.assertEqual(self.bash("unfreeze", "f.pb", "--style", ""), ["ref", "resource"])
        self.assertEqual(self.bash("unfreeze", "f.pb", "--style", "=", "res"), ["resource"])
        self.assertEqual(self.bash("freeze", "m", "--as", "savedm"), ["savedmodel", "savedmodel-pbtxt"])
        self.assertEqual(self.bash("--json", "list", "m", "wei"), ["weights"])
        self.assertEqual(self.bash("completion", ""), ["bash", "zsh", "fish"])
        self.assertEqual(self.bash("help", "unf"), ["unfreeze"])
        self.assertEqual(self.bash("validate", "--explain", "unknown-col"), ["unknown-colocation"])
        self.assertEqual(self.bash("freeze", "mod"), [])  # files, which bash adds

    @unittest.skipUnless(shutil.which("zsh"), "NOT RUN: there is no zsh")
    def test_zsh_completes_what_is_typed(self):
        (self.folder / "_cryograph").write_text(self.script("zsh"))
        setup = (
            f"fpath=({self.folder} $fpath); autoload -Uz compinit; compinit -u -D; "
            'cryograph() {{ print -r -- "[$*]" >> {out}; }}\n'
        ).format(out=self.folder / "typed")
        terminal = Terminal(200)
        words = ["zsh", "-f", "-i"]
        shell = subprocess.Popen(
            words, stdin=terminal.theirs, stdout=terminal.theirs, stderr=terminal.theirs, start_new_session=True
        )
        for line in [
            setup,
            "cryograph unfr\tf.pb --sty\tres\t\n",
            "cryograph compl\tfi\t\n",
            "cryograph list m wei\t\n",
        ]:
            for key in line:
                os.write(terminal.ours, key.encode())
                if key in "\t\n":
                    time.sleep(0.5)
        os.write(terminal.ours, b"exit\n")
        shell.wait(20)
        terminal.close()
        typed = (self.folder / "typed").read_text().split("\n")
        self.assertEqual(typed[:3], ["[unfreeze f.pb --style resource]", "[completion fish]", "[list m weights]"])

    @unittest.skipUnless(shutil.which("fish"), "NOT RUN: there is no fish")
    def test_fish_offers_verbs_options_and_values(self):
        path = self.folder / "cryograph.fish"
        path.write_text(self.script("fish"))

        def offered(line):
            program = f"source {path}; complete -C '{line}'"
            done = subprocess.run(["fish", "-Nc", program], capture_output=True, text=True, check=False)
            self.assertEqual(done.stderr, "")
            return [each.split("\t")[0] for each in done.stdout.splitlines()]

        self.assertEqual(offered("cryograph fre"), ["freeze"])
        self.assertEqual(offered("cryograph unfreeze f.pb --style re"), ["ref", "resource"])
        self.assertIn("--outputs", offered("cryograph freeze m --out"))
        self.assertEqual(offered("cryograph completion z"), ["zsh"])
