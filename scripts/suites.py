"""The suites of tests: what each proves, what it builds, what it reads, and how it is run.

A suite is a command that prints `N passed, N failed`, alone on a line, and fails when anything did; one that prints no such line,
or passed nothing, has failed. `inputs` are all that it reads: sources, and programs by their bytes, so a change that leaves a
program as it was reruns nothing. `cores`: how many it keeps busy.
"""

import dataclasses

# Files that are read by suites of many kinds.
DATA = ["tests/data", "web/samples"]
PROGRAM = ["build/release/cryograph"]
PACKAGE = ["dist", "package.json", "package-lock.json", "docs/schema", "docs/reference"]
PAGE = ["build/web", "build/cryograph.html", "build/packages", *PACKAGE]
NODE_TESTS = ["tests/js/counted", "tests/js/support.mjs", "tests/js/most_bytes.mjs", "tests/js/graph_text.mjs"]
LAWS = [*DATA, "core/data/ops.bin", "tests/attacks", "tests/laws/run"]
# A check of the sources, which is short, is for the whole tree.
EVERYTHING = ["."]

RELEASE = ["release:cryograph"]
JAVASCRIPT = ["wasm:core", "js"]
PYTHON = "build/tensorflow/bin/python"


@dataclasses.dataclass(frozen=True)
class Suite:
    name: str
    proves: str
    command: str
    builds: tuple = ()
    inputs: tuple = ()
    cores: int = 1


def check(name, proves, command, **more):
    """Returns a suite that checks the sources."""
    return Suite(name, proves, command, inputs=tuple(EVERYTHING), **more)


def suite(name, proves, command, builds, *inputs, cores=1):
    """Returns a suite; `builds` and `inputs`: each a name, or a list of some."""
    return Suite(name, proves, command, flat(builds), flat(inputs), cores)


def flat(given):
    return tuple(name for each in given for name in (each if isinstance(each, list) else [each]))


SUITES = [
    # The longest first: the short ones fill the gaps.
    suite(
        "oracle",
        "TensorFlow loads what is written, computes the same bits, trains, and agrees with every verdict",
        f"{PYTHON} tests/oracle",
        [RELEASE],
        PROGRAM,
        DATA,
        "tests/oracle",
        "tests/tfjs",
        "tests/requirements.txt",
        cores=2,
    ),
    suite(
        "e2e",
        "the page in Chromium: every tool, view, state and key, by what a person sees",
        "tests/e2e/run",
        [RELEASE, JAVASCRIPT],
        PROGRAM,
        PAGE,
        DATA,
        NODE_TESTS,
        "tests/e2e",
        "core/commands/surface.json",
        "scripts/bundle_core.mjs",
        cores=2,
    ),
    suite(
        "core",
        "each room of core by itself, with every memory error and undefined step fatal",
        "scripts/googletest build/asan/tests/core/cryograph_tests",
        ["asan:cryograph_tests"],
        "build/asan/tests/core/cryograph_tests",
        DATA,
        "proto",
        "tests/core/code_pairs/examples.txt",
        "scripts/googletest",
        cores=2,
    ),
    suite(
        "laws",
        "the laws of DESIGN over every model at hand: identity, inverse, idempotence, thrift, safety",
        "tests/laws/run build/asan/tests/laws/cryograph_laws",
        ["asan:cryograph_laws"],
        "build/asan/tests/laws/cryograph_laws",
        LAWS,
        cores=2,
    ),
    suite(
        "laws-wasm",
        "the same laws in WebAssembly: hostile files, memory, and a few models",
        "CRYOGRAPH_LAWS=near tests/laws/run node build/wasm/tests/laws/cryograph_laws.cjs",
        ["wasm:cryograph_laws"],
        "build/wasm/tests/laws/cryograph_laws.cjs",
        LAWS,
        cores=2,
    ),
    suite(
        "bytes",
        "gcc's program, clang's and the npm command write the same files, reports and exit statuses",
        "tests/bytes/run",
        [RELEASE, "asan:cryograph", JAVASCRIPT],
        PROGRAM,
        "build/asan/cryograph",
        PACKAGE,
        DATA,
        "tests/bytes",
        "tests/faults/package_command.mjs",
        cores=2,
    ),
    check(
        "tidy",
        "clang-tidy finds nothing",
        "python3 scripts/check_tidy.py build/asan",
        builds=("asan:cryograph_proto,cryograph_generated",),
        cores=2,
    ),
    suite(
        "fuzz",
        "mutated files and command lines end in a diagnostic or a result",
        "tests/fuzz/run",
        [RELEASE, "asan:cryograph_fuzz"],
        "build/asan/tests/fuzz/cryograph_fuzz",
        PROGRAM,
        DATA,
        "tests/fuzz",
        "tests/attacks",
        "tests/laws/run",
        cores=2,
    ),
    suite(
        "consumers",
        "the packed package in projects with the bundlers, servers and runtimes that people have",
        "tests/consumers/run",
        [JAVASCRIPT],
        "build/scripts.key",
        "package.json",
        DATA,
        NODE_TESTS,
        "examples",
        "tests/consumers",
        "tests/e2e/browser.mjs",
        "tests/js/type_projects.mjs",
        cores=2,
    ),
    suite(
        "compat",
        "verdicts on releases and runtimes are what TensorFlow 1.2 to 1.15 and the runtimes say",
        f"{PYTHON} tests/compat",
        [RELEASE],
        PROGRAM,
        DATA,
        "tests/compat",
        "tests/oracle",
        "scripts",
        "core/graph",
        "package-lock.json",
        cores=2,
    ),
    suite(
        "browsers",
        "the main flows in Firefox and WebKit",
        "tests/browsers/run",
        [RELEASE, JAVASCRIPT],
        PROGRAM,
        PAGE,
        DATA,
        NODE_TESTS,
        "tests/browsers",
        "tests/e2e",
        cores=2,
    ),
    suite(
        "js",
        "the npm package in Node: its API, its command, its files, its size",
        "tests/js/run",
        [RELEASE, JAVASCRIPT],
        PROGRAM,
        PAGE,
        DATA,
        "tests/js",
        "tests/consumers",
        "wasm",
        "web",
        "scripts",
        "tests/e2e/protobuf.mjs",
        "tests/faults/package_command.mjs",
        cores=2,
    ),
    suite(
        "faults-js",
        "a failing disk at every call of the npm command loses no file",
        "node tests/faults/package.mjs",
        [JAVASCRIPT],
        PACKAGE,
        DATA,
        "tests/faults",
        cores=2,
    ),
    suite(
        "faults",
        "a failing disk at every call of the native program loses no file",
        "python3 tests/faults",
        [RELEASE, JAVASCRIPT],
        PROGRAM,
        PACKAGE,
        DATA,
        "tests/faults",
        "tests/cli",
        cores=2,
    ),
    suite(
        "cli",
        "the native program: manners, terminals, bad input, limits",
        "python3 tests/cli",
        [RELEASE],
        PROGRAM,
        DATA,
        "tests/cli",
        "tests/attacks",
        "docs",
        "tests/bench",
    ),
    suite(
        "tfjs",
        "TensorFlow.js computes what TensorFlow does on what is written for it",
        "tests/tfjs/run",
        [RELEASE, JAVASCRIPT],
        PROGRAM,
        PACKAGE,
        DATA,
        NODE_TESTS,
        "tests/tfjs",
        "tests/oracle",
    ),
    suite(
        "recipes",
        "each command line and number of the documentation is so",
        f"{PYTHON} tests/recipes",
        [RELEASE, JAVASCRIPT],
        PROGRAM,
        PACKAGE,
        DATA,
        "docs",
        "README.md",
        "tests/recipes",
        "core/commands/surface.json",
        "scripts",
    ),
    suite(
        "run",
        "scripts/run sets up, builds, freezes, un-freezes, and has the same bytes natively and in WebAssembly",
        "scripts/run --once && echo '1 passed, 0 failed'",
        [RELEASE, JAVASCRIPT, "wasm:cryograph_laws"],  # it builds, too: two Ninjas in one folder do not mix
        PROGRAM,
        PACKAGE,
        DATA,
        "scripts",
    ),
    suite(
        "notices",
        "THIRD-PARTY-NOTICES.md has all that is shipped inside",
        "node scripts/check_notices.mjs",
        [JAVASCRIPT],
        PAGE,
        "THIRD-PARTY-NOTICES.md",
        "scripts",
    ),
    suite(
        "examples",
        "the examples of the documentation run",
        "tests/examples/run",
        [RELEASE, JAVASCRIPT],
        PROGRAM,
        PAGE,
        DATA,
        NODE_TESTS,
        "examples",
        "tests/examples",
        "tests/e2e/browser.mjs",
    ),
    suite(
        "install",
        "cmake --install gives a program, a library, a manual and completions that work",
        "tests/install/run",
        [RELEASE],
        PROGRAM,
        "core",
        "proto",
        "CMakeLists.txt",
        "scripts/cmake",
        "docs/cpp.md",
        "examples/cpp",
        "tests/install",
        "tests/data/ref",
    ),
    check("types", "TypeScript's strict checker finds nothing", "scripts/check_types"),
    check("lint", "ESLint, Ruff and ShellCheck find nothing", "scripts/check_lint"),
    check("format", "every file is as its formatter writes it", "scripts/check_format"),
    check("prose", "comments, texts and pages are in plain American English", "python3 scripts/check_prose.py"),
    check("names", "what a comment names exists", "python3 scripts/check_comment_names.py"),
    check("layers", "no file includes a room above its own", "python3 scripts/check_layers.py"),
    check("includes", "each file includes what it names", "python3 scripts/check_includes.py"),
    check(
        "surface",
        "all that is generated from the table of verbs and options is up to date",
        "python3 scripts/surface.py check",
    ),
    check("schemas", "the JSON Schemas of reports are up to date", "node scripts/report_schemas.mjs check"),
    check("budget", "files and functions are small", "python3 scripts/check_budget.py"),
    check("concepts", "core has no more concepts than before", "python3 scripts/check_concepts.py"),
    check(
        "codes", "every diagnostic code is explained, and none that no code raises", "python3 scripts/check_codes.py"
    ),
]
