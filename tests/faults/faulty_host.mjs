// Counts the calls of this process to its host (files, memory), and lets the n-th one of a name fail. Preloaded into a process of
// its own (node --import) it raises a signal before the n-th call that changes the disk:
//
//     FAULT_NTH=3 FAULT_SIGNAL=SIGKILL node --import ./tests/faults/faulty_host.mjs dist/cli.js ...
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** Calls that change the disk, by their names in node:fs; FileHandle's begin with a dot. */
export const kChanges = new Set([
  "mkdirSync",
  "linkSync",
  "renameSync",
  "rmSync",
  "rmdirSync",
  "fsyncSync",
  ".write",
  ".chown",
  ".chmod",
  ".sync",
]);

/** name -> how often it was called since begin(). */
export const calls = new Map();
/** The calls in their order. */
let plan = () => null;
let inner = 0; // rmSync() is made of other calls

/** Counts from zero. `act` gets each call's name and number, and returns what is done instead, if anything. */
export function begin(act = () => null) {
  calls.clear();
  plan = act;
}

// Scripts are read by Node itself, for import().
function reached(name, args = []) {
  if (inner > 0 || /\.js(\?\d+)?$/.test(String(args[0]))) return null;
  const nth = (calls.get(name) ?? 0) + 1;
  calls.set(name, nth);
  return plan(name, nth);
}

function replaceSync(object, name) {
  const real = object[name];
  object[name] = function (...args) {
    const instead = reached(name, args);
    inner++;
    try {
      return instead ? instead((...more) => real.apply(this, more), args) : real.apply(this, args);
    } finally {
      inner--;
    }
  };
}

function replaceAsync(object, name, shown) {
  const real = object[name];
  object[name] = async function (...args) {
    const instead = reached(shown, args);
    return instead ? instead((...more) => real.apply(this, more), args) : real.apply(this, args);
  };
}

function replaceFiles() {
  for (const name of Object.keys(fs)) if (name.endsWith("Sync")) replaceSync(fs, name);
  for (const [name, value] of Object.entries(fs.promises))
    if (typeof value === "function") replaceAsync(fs.promises, name, name);
  syncBuiltinESMExports();
}

async function replaceHandles() {
  const handle = await fs.promises.open(import.meta.filename);
  const methods = Object.getPrototypeOf(handle);
  await handle.close();
  for (const name of ["read", "write", "sync", "chown", "chmod", "stat", "close"])
    replaceAsync(methods, name, `.${name}`);
}

// Replaces the allocations of a given size in JavaScript, and the growth of wasm memory.
function replaceMemory() {
  replaceSync(WebAssembly.Memory.prototype, "grow");
  globalThis.Uint8Array = new Proxy(Uint8Array, {
    construct(real, args, target) {
      const instead = typeof args[0] === "number" ? reached("allocate") : null;
      return instead ? instead() : Reflect.construct(real, args, target);
    },
  });
}

function raise(signal) {
  let changes = 0;
  begin((name) => {
    if (kChanges.has(name) && ++changes === Number(process.env.FAULT_NTH)) process.kill(process.pid, signal);
    return null;
  });
}

await replaceHandles();
replaceFiles();
replaceMemory();
if (process.env.FAULT_SIGNAL) raise(process.env.FAULT_SIGNAL);
