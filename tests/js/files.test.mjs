// How the npm command writes and reads files, and what signals leave. tests/cli/files.py has the same of the native program.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { command, data, native, root, scratch } from "./support.mjs";

const meta = join(data, "ref/model.ckpt.meta");
const frozen = join(data, "ref/frozen.pb");
const cli = join(root, "dist/cli.js");

function fails(args, words, options = {}) {
  const { status, stderr } = command(args, options);
  assert.equal(status, 3, stderr);
  for (const word of words) assert.match(stderr, word);
}

function mkfifo(path) {
  assert.equal(spawnSync("mkfifo", [path]).status, 0);
  return path;
}

// A command that has written files of a checkpoint and waits in an open: one of them is a FIFO without a reader.
async function writtenUpToAFifo(folder, path = meta) {
  mkfifo(join(folder, "o.ckpt.index"));
  const child = spawn(process.execPath, [cli, "convert", path, "-o", join(folder, "o.ckpt"), "--force"]);
  let stderr = "";
  child.stderr.on("data", (text) => {
    stderr += text;
  });
  const ended = new Promise((done) => {
    child.on("exit", (status, signal) => done({ status, signal, stderr: () => stderr }));
  });
  while (child.exitCode === null && !(unfinished(folder).length > 0 && opens(child.pid))) await turn();
  return { child, ended };
}

// True while a thread waits in an open (Linux): by the name of the kernel's function, or by the number of the system call.
function opens(pid) {
  return readdirSync(`/proc/${pid}/task`).some((thread) => {
    const [place, call] = ["wchan", "syscall"].map((name) => readIfThere(`/proc/${pid}/task/${thread}/${name}`));
    return place === "wait_for_partner" || /^(257|56) /.test(call); // openat of x86-64, and of ARM
  });
}

function readIfThere(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // the thread has ended
  }
}

// A node of a GraphDef.
function node(name) {
  const text = Buffer.from(name);
  return Buffer.concat([
    Buffer.from([10, text.length + 8, 10, text.length]),
    text,
    Buffer.from([18, 4]),
    Buffer.from("NoOp"),
  ]);
}

function unfinished(folder) {
  return readdirSync(folder).filter((name) => name.startsWith(".cryograph-"));
}

test("the mode of a replaced file stays", (t) => {
  const out = join(scratch(t), "out.pb");
  for (const mode of [0o600, 0o640, 0o444]) {
    writeFileSync(out, "old");
    chmodSync(out, mode);
    assert.equal(command(["prune", frozen, "-o", out, "--force"]).status, 0);
    assert.equal(statSync(out).mode & 0o777, mode);
    rmSync(out);
  }
});

test("a name as long as it may be", (t) => {
  const out = join(scratch(t), `${"x".repeat(252)}.pb`);
  assert.equal(command(["prune", frozen, "-o", out]).status, 0);
});

test("the target of a link is written", (t) => {
  const folder = scratch(t);
  const [target, link] = [join(folder, "target.pb"), join(folder, "link.pb")];
  symlinkSync("target.pb", link);
  for (const more of [[], ["--force"]]) {
    assert.equal(command(["prune", frozen, "-o", link, ...more]).status, 0);
    assert.ok(lstatSync(link).isSymbolicLink());
    assert.deepEqual(readFileSync(target), readFileSync(frozen));
    writeFileSync(target, "old");
  }
});

test("a FIFO is written to and not replaced", async (t) => {
  const fifo = mkfifo(join(scratch(t), "out.pb"));
  const child = spawn(process.execPath, [cli, "prune", frozen, "-o", fifo, "--force"]);
  const ended = new Promise((done) => {
    child.on("exit", done);
  });
  const reader = spawnSync("timeout", ["20", "cat", fifo], { encoding: "buffer" });
  assert.equal(await ended, 0);
  assert.deepEqual(reader.stdout, readFileSync(frozen));
  assert.ok(statSync(fifo).isFIFO());
});

test("a folder in the place of a file changes nothing", (t) => {
  const folder = scratch(t);
  assert.equal(command(["convert", meta, "-o", join(folder, "o.ckpt")]).status, 0);
  rmSync(join(folder, "o.ckpt.index"));
  mkdirSync(join(folder, "o.ckpt.index"));
  const before = statSync(join(folder, "o.ckpt.meta")).ino;
  fails(["convert", meta, "-o", join(folder, "o.ckpt"), "--force"], [/a folder/]);
  assert.equal(statSync(join(folder, "o.ckpt.meta")).ino, before);
  assert.deepEqual(unfinished(folder), []);
});

test("a rename that fails puts the whole set back", (t) => {
  const folder = scratch(t);
  assert.equal(command(["convert", meta, "-o", join(folder, "o.ckpt")]).status, 0);
  const before = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).ino]);
  for (const nth of [1, 2, 3]) {
    const faulty = join(folder, "faulty.cjs");
    writeFileSync(
      faulty,
      `const fs = require("fs"); const real = fs.renameSync; let calls = 0;
      fs.renameSync = (...args) => { if (++calls === ${nth}) throw Object.assign(new Error("EIO: i/o error, rename"), { code: "EIO" }); return real(...args); };
      require("module").syncBuiltinESMExports();`,
    );
    const { status, stderr } = spawnSync(
      process.execPath,
      ["--require", faulty, cli, "convert", meta, "-o", join(folder, "o.ckpt"), "--force"],
      { encoding: "utf8" },
    );
    rmSync(faulty);
    assert.equal(status, 3, stderr);
    assert.match(stderr, /rename the finished file into place: I\/o error/);
    assert.deepEqual(
      readdirSync(folder).map((name) => [name, statSync(join(folder, name)).ino]),
      before,
    );
  }
});

test("a signal removes what is unfinished and is the end", async (t) => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    const folder = scratch(t);
    const { child, ended } = await writtenUpToAFifo(folder);
    child.kill(signal);
    assert.equal((await ended).signal, signal);
    assert.deepEqual(readdirSync(folder), ["o.ckpt.index"]);
  }
});

test("an output that another program writes meanwhile is kept", async (t) => {
  const folder = scratch(t);
  const { ended } = await writtenUpToAFifo(folder);
  writeFileSync(join(folder, "o.ckpt.meta"), "theirs");
  spawn("cat", [join(folder, "o.ckpt.index")]);
  const { status, stderr } = await ended;
  assert.equal(status, 3);
  assert.match(stderr(), /\[output-changed\]/);
  assert.equal(readFileSync(join(folder, "o.ckpt.meta"), "utf8"), "theirs");
  assert.deepEqual(readdirSync(folder), ["o.ckpt.index", "o.ckpt.meta"]);
});

test("a file that changes while it is read", async (t) => {
  const [folder, input] = [scratch(t), scratch(t)];
  for (const name of readdirSync(join(data, "ref"))) copyFileSync(join(data, "ref", name), join(input, name));
  const { ended } = await writtenUpToAFifo(folder, join(input, "model.ckpt.meta"));
  writeFileSync(join(input, "model.ckpt.data-00000-of-00001"), "changed");
  spawn("cat", [join(folder, "o.ckpt.index")]);
  const { status, stderr } = await ended;
  assert.equal(status, 3);
  assert.match(stderr(), /\[source-changed\]/);
  assert.deepEqual(readdirSync(folder), ["o.ckpt.index"]);
});

test("an output whose name is not UTF-8 is refused", (t) => {
  const folder = scratch(t);
  const { status, stderr } = spawnSync(
    "bash",
    ["-c", `"${process.execPath}" "${cli}" prune "${frozen}" -o $'\\xff.pb'`],
    { cwd: folder, encoding: "utf8" },
  );
  assert.equal(status, 3);
  assert.match(stderr, /not UTF-8/);
  assert.deepEqual(readdirSync(folder), []);
});

test("a full standard output is told", { skip: !existsSync("/dev/full") && "NOT RUN: no /dev/full here" }, () => {
  const full = openSync("/dev/full", "w");
  for (const args of [["list", frozen, "nodes"], ["inspect", frozen, "--json"], ["--help"]]) {
    fails(args, [/standard output: No space left/], { stdio: ["ignore", full, "pipe"] });
  }
  closeSync(full);
});

test("a core that cannot be loaded is told", () => {
  for (const more of [[], ["--json"]]) {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ["--wasm-max-mem-pages=10", cli, "inspect", frozen, ...more],
      { encoding: "utf8" },
    );
    assert.equal(status, 3, stderr);
    if (more.length === 0) assert.match(stderr, /^error: .*\[core-not-loaded\]\n {2}fix: install /);
    else assert.equal(JSON.parse(stdout).diagnostics[0].code, "core-not-loaded");
  }
});

test("a lack of memory is told", (t) => {
  const folder = scratch(t);
  const many = join(folder, "many.pb");
  writeFileSync(many, Buffer.concat(Array.from({ length: 400_000 }, (_, i) => node(`node${i}`))));
  for (const more of [[], ["--json"]]) {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ["--wasm-max-mem-pages=600", cli, "inspect", many, ...more],
      { encoding: "utf8" },
    );
    assert.equal(status, 3, stderr);
    if (more.length === 0) assert.match(stderr, /\[out-of-memory\]/);
    else assert.equal(JSON.parse(stdout).diagnostics[0].code, "out-of-memory");
  }
});

test("a pipe is read, and what may not be read is told", (t) => {
  const piped = spawnSync("bash", ["-c", `"${process.execPath}" "${cli}" inspect <(cat "${frozen}")`], {
    encoding: "utf8",
  });
  assert.equal(piped.status, 0, piped.stderr);
  const secret = join(scratch(t), "secret.pb");
  copyFileSync(frozen, secret);
  chmodSync(secret, 0);
  if (process.getuid() !== 0) fails(["inspect", secret], [/Permission denied/]);
});

test("a folder of very many files", () => {
  const folder = mkdtempSync(join(tmpdir(), "cryograph-"));
  try {
    for (let i = 0; i < 20_050; i++) closeSync(openSync(join(folder, `aa${i}`), "w"));
    for (const name of readdirSync(join(data, "ref"))) copyFileSync(join(data, "ref", name), join(folder, name));
    assert.equal(command(["inspect", join(folder, "model.ckpt")]).status, 0);
    for (const path of [folder, join(folder, "other.ckpt")])
      assert.match(command(["inspect", path]).stderr, /more than 20000 files/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("names forge nothing on a terminal, and the native program prints the same", (t) => {
  const names = [
    "esc\x1b[31m",
    "line\n::error file=x::forged",
    "::error::start",
    "##[error]old",
    "c1\u009b31m",
    "bidi\u202egp.exe",
    "over\rwritten",
  ];
  const path = join(scratch(t), "hostile\n::error::x.pb");
  writeFileSync(path, Buffer.concat(names.map(node)));
  for (const args of [
    ["list", path, "nodes"],
    ["inspect", path, "--verbose"],
    ["validate", path],
    ["diff", path, frozen],
    ["inspect", `${path}\x1b`],
  ]) {
    const { stdout, stderr } = command(args);
    for (const line of `${stdout}${stderr}`.split("\n")) {
      assert.match(line, /^[ -~]*$/);
      assert.doesNotMatch(line, /^\s*::|##\[/);
    }
    const theirs = native(args);
    assert.equal(stdout + stderr, theirs.stdout + theirs.stderr);
  }
  const { nodes } = JSON.parse(command(["list", path, "nodes", "--json"]).stdout);
  assert.deepEqual(
    nodes.map(({ name }) => name),
    names,
  );
});
