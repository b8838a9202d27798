"""Runs the recipes of docs/ in folders of their own, and checks their outcomes and the commands in other texts.

build/tensorflow/bin/python tests/recipes            # CRYOGRAPH=build/dev/cryograph for another build
build/tensorflow/bin/python tests/recipes freeze     # recipes whose names hold the word
"""

import os
import sys
import time
import traceback

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", TF_ENABLE_ONEDNN_OPTS="0")
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../data/fixtures"), os.path.join(HERE, "../../scripts")]
import commands  # noqa: E402  (the path comes first)
import facts_arrays  # noqa: E402
import facts_checking  # noqa: E402
import facts_editing  # noqa: E402
import facts_freezing  # noqa: E402
import facts_looking  # noqa: E402
from place import PROGRAM, Place  # noqa: E402
from recipe import recipes  # noqa: E402

FACTS = {
    name: fact
    for module in (facts_arrays, facts_checking, facts_editing, facts_freezing, facts_looking)
    for name, fact in vars(module).items()
    if callable(fact) and getattr(fact, "__module__", "") == module.__name__ and not name.startswith("_")
}


def run(recipe):
    place = Place(recipe)
    try:
        place.run()
        FACTS[recipe.name](place)
    finally:
        place.close()


def main():
    if not PROGRAM.exists():
        sys.exit(f"there is no program at {PROGRAM}: build it, or set CRYOGRAPH")
    words = sys.argv[1:]
    found, started = recipes(), time.time()
    problems = [
        f"{recipe.page}: nothing checks the recipe {name}" for name, recipe in found.items() if name not in FACTS
    ]
    problems += [f"no page has the recipe {name}" for name in FACTS if name not in found]
    wrong = commands.problems()
    problems += wrong
    passed = commands.count() - len(wrong)
    for name, recipe in found.items():
        if name not in FACTS or (words and not any(word in name for word in words)):
            continue
        try:
            run(recipe)
            passed += 1
        except Exception:
            problems.append(f"{recipe.page}, {name}\n{traceback.format_exc()}")
    for problem in problems:
        print(f"FAILED: {problem}")
    print(f"{len(found)} recipes, in {time.time() - started:.0f} s")
    print(f"{passed} passed, {len(problems)} failed")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
