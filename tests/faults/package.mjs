// Every call of the npm command to its host fails once, as tests/faults/__main__.py has it of the native program.
//
//     node tests/faults/package.mjs          # over dist/
//     node tests/faults/package.mjs write    # calls whose names hold the word
//
// For each verb and each function of node:fs that it calls the 1st, 2nd, ... call fails. After each run the old files are whole or
// the new set is complete, nothing else is left, no descriptor is open, and the status is 3 unless the set is complete. Reads and
// writes of one byte at a time change nothing. In other runs a signal comes before each call that changes the disk. What SIGKILL
// leaves is what is on the disk before that call, which one run sees for all of them; a process that is killed shows that it is so.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { kChanges } from "./faulty_host.mjs";
import { kCli } from "./package_command.mjs";
import { Trial } from "./package_trial.mjs";

const data = resolve(import.meta.dirname, "../data");
const meta = join(data, "ref/model.ckpt.meta");
const frozen = join(data, "ref/frozen.pb");
const savedModel = join(data, "saved_models/counter");

const kVerbs = [
  ["inspect", meta, "--json"],
  ["list", savedModel, "weights", "--json"],
  ["diff", meta, frozen, "--json"],
  ["compat", frozen],
  ["prune", meta, "-o", "o.ckpt", "--force"],
  ["freeze", meta, "-o", "o.pb", "--force"],
  ["unfreeze", frozen, "-o", "o.ckpt"],
  ["transfer", "--from", frozen, "--into", meta, "-o", "o.ckpt", "--force"],
  ["weights", meta, "-o", "o.npz", "--force"],
  ["weights", meta, "-o", "arrays/", "--as", "npy"],
  ["convert", meta, "-o", "model/"],
  ["validate", frozen, "--fix", "-o", "o.pb", "--force"],
  ["verify", meta, frozen, "--script", "compare.py"],
];
const kSignalled = ["prune", "convert"];
const kMaxRuns = 25; // of one call in one verb: the others are stepped over

const wordsAsked = process.argv.slice(2);
const isAsked = (name) => wordsAsked.length === 0 || wordsAsked.some((word) => name.includes(word));
let passed = 0;
let failed = 0;

function count(words, what, wrong) {
  if (wrong) console.log(`${words.join(" ")}: ${what}: ${wrong}`);
  if (wrong) failed++;
  else passed++;
}

const kFault = Object.assign(new Error("EIO: i/o error, faulty"), { code: "EIO", errno: -5, syscall: "faulty" });
const kMemory = new Map([
  ["grow", new RangeError("WebAssembly.Memory.grow(): Maximum memory size exceeded")],
  ["allocate", new RangeError("Array buffer allocation failed")],
]);

function refuse(name) {
  const error = kMemory.get(name) ?? kFault;
  return (real, args) => {
    // The system closes a descriptor also where it reports an error.
    const closed = /^\.?close/.test(name) ? real(...args) : null;
    if (closed instanceof Promise)
      return closed.then(() => {
        throw error;
      });
    throw error;
  };
}

async function failEach(trial, calls) {
  for (const [name, most] of calls) {
    if (!isAsked(name)) continue;
    for (let nth = 1; nth <= most; nth += Math.ceil(most / kMaxRuns)) {
      trial.reset();
      const result = await trial.run((called, number) => (called === name && number === nth ? refuse(name) : null));
      count(trial.words, `${name} ${nth}`, trial.wrong(name, result));
    }
  }
}

// Functions that take (descriptor, buffer, offset, length, position), the first one being `this` of a handle.
const kSteps = new Map([
  ["readSync", 3],
  [".write", 2],
  [".read", 2],
]);

async function shortSteps(trial) {
  trial.reset();
  const result = await trial.run((name) => {
    const at = kSteps.get(name);
    return at === undefined ? null : (real, args) => real(...args.with(at, Math.min(args[at], 1)));
  });
  count(trial.words, "a byte at a time", result.status === 3 ? result.stderr : trial.wrong("", result));
}

// A process of its own, which gets a signal before the n-th change of the disk.
function signalled(trial, signal, nth) {
  const args = ["--import", join(import.meta.dirname, "faulty_host.mjs"), kCli, ...trial.words];
  const env = { ...process.env, FAULT_SIGNAL: signal, FAULT_NTH: String(nth) };
  return new Promise((done) => {
    const child = spawn(process.execPath, args, { cwd: trial.folder, env });
    let stderr = "";
    child.stdout.resume();
    child.stderr.on("data", (text) => {
      stderr += text;
    });
    child.on("close", (status, ended) => done({ status, signal: ended, stderr }));
  });
}

async function terminateEach(trial) {
  for (let nth = 1, ended = "SIGTERM"; ended === "SIGTERM"; nth++) {
    trial.reset();
    const result = await signalled(trial, "SIGTERM", nth);
    count(trial.words, `SIGTERM before change ${nth}`, trial.wrongAfterSignal(result));
    ended = result.signal;
  }
}

// Looks at the disk before each change of one run, and kills a process before the one in the middle.
async function killEach(trial) {
  const disks = [];
  trial.reset();
  await trial.run((name) => {
    if (kChanges.has(name)) disks.push(trial.state());
    return null;
  });
  for (const [i, disk] of disks.entries())
    count(trial.words, `killed before change ${i + 1}`, trial.wrongAfterKill(disk));
  trial.reset();
  const middle = disks.length >> 1;
  const { signal } = await signalled(trial, "SIGKILL", middle + 1);
  const isSame = signal === "SIGKILL" && isAlike(trial.state(), disks[middle]);
  count(
    trial.words,
    `SIGKILL before change ${middle + 1}`,
    isSame ? "" : `ended by ${signal}, ${Object.keys(trial.state())}`,
  );
}

// The names of temporary files are random.
function isAlike(a, b) {
  const plain = (disk) =>
    JSON.stringify(
      Object.entries(disk)
        .map(([name, content]) => [name.replace(/\.cryograph-.*/, ".cryograph-"), content])
        .sort(),
    );
  return plain(a) === plain(b);
}

async function main(scratch) {
  const trials = kVerbs.map((words, i) => new Trial(join(scratch, `${i}`), words));
  process.on("unhandledRejection", (error) => count([], "a failure that nobody waits for", String(error)));
  for (const trial of trials) {
    await failEach(trial, await trial.prepare());
    if (isAsked("step")) await shortSteps(trial);
  }
  for (const trial of trials.filter(({ words }) => kSignalled.includes(words[0]))) {
    if (isAsked("SIGTERM")) await terminateEach(trial);
    if (isAsked("SIGKILL")) await killEach(trial);
  }
}

// A disk in memory, where there is one, syncs at once.
const scratch = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "cryograph-"));
try {
  await main(scratch);
} finally {
  process.chdir(tmpdir());
  rmSync(scratch, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
