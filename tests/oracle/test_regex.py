"""--rename: a regular expression finds what RE2 finds, which TensorFlow's regex_replace is, and takes the groups that it takes."""

import os
import random
import re

import numpy as np
from graphs import tf, tf1
from program import call
from safetensors.numpy import load_file, save_file
from suite import NOTES, Suite, folder

PATTERNS = int(os.environ.get("CRYOGRAPH_PATTERNS", 300))
SEED = int(os.environ.get("CRYOGRAPH_SEED", 1))
ATOMS = ["a", "b", "c", "1", "_", ".", r"\d", r"\w", r"\W", r"\.", "[ab]", "[^a]", "[a-c1]", r"[\d_]", r"\/"]
TIMES = ["*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,1}?", "{2,}"]


def pattern(random_, depth=0):
    """An expression of what both have."""
    parts = []
    for _ in range(random_.randint(1, 4)):
        kind = random_.random()
        if kind < 0.25 and depth < 3:
            part = random_.choice(["(", "(?:"]) + pattern(random_, depth + 1) + ")"
        elif kind < 0.32:
            parts.append(random_.choice("^$"))
            continue
        else:
            part = random_.choice(ATOMS)
        parts.append(part + (random_.choice(TIMES) if random_.random() < 0.4 else ""))
    both = "".join(parts)
    return f"{both}|{pattern(random_, depth + 1)}" if random_.random() < 0.2 and depth < 3 else both


def texts(random_, count=60):
    return sorted({"".join(random_.choice("aabbc1_/.") for _ in range(random_.randint(1, 9))) for _ in range(count)})


class Re2:
    """TensorFlow's op, in a graph that is built once."""

    def __init__(self):
        with tf.Graph().as_default():
            self.session, self.feeds = tf1.Session(), [tf1.placeholder(tf.string, shape) for shape in ((None,), (), ())]
            self.replaced = tf.raw_ops.RegexReplace(
                input=self.feeds[0], pattern=self.feeds[1], rewrite=self.feeds[2], replace_global=False
            )

    def rename(self, names, expression, to):
        return [
            text.decode() for text in self.session.run(self.replaced, dict(zip(self.feeds, (names, expression, to))))
        ]


class Regex(Suite):
    def test_finds_what_re2_finds(self):
        random_, re2, place, found = random.Random(SEED), Re2(), folder("regex"), 0
        source, out = (os.path.join(place, name) for name in ("in.safetensors", "out.safetensors"))
        for _ in range(PATTERNS):
            names, expression = texts(random_), pattern(random_)
            to = r"<\0|\1>" if re.search(r"\((?!\?)", expression) else r"<\0>"
            expected = re2.rename(names, expression, to)
            save_file({name: np.zeros(1) for name in names}, source)
            answer = call("weights", source, "-o", out, "--force", "--rename", f"/{expression}/={to}")
            if expected == names:
                self.assertEqual(answer.status, 3, f"{expression}: {answer}")
                continue
            self.assertEqual(answer.status, 0, f"{expression}: {answer}")
            self.assertEqual(sorted(load_file(out)), sorted(expected), expression)
            found += 1
        NOTES.append(f"regular expressions: {found} of {PATTERNS} found something, and what RE2 finds")
