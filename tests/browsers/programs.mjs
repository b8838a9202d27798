// Programs that run during the tests, and folders of theirs. At the end all are removed, whatever happened.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

export const kPatience = 240_000; // milliseconds: a hundred times what the longest wait takes
const kOften = 50;
const kEnding = [];

/** `says(stream, pattern)`: waits until the program has said this. */
export function start(name, options, environment = {}) {
  const program = spawn(name, options, { env: { ...process.env, ...environment }, stdio: ["ignore", "pipe", "pipe"] });
  const said = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"]) program[stream].on("data", (data) => (said[stream] += data));
  const ended = new Promise((done) => program.on("exit", done));
  atEnd(() => {
    program.kill();
    return ended;
  });
  const says = (stream, pattern) => until(`${name} to say ${pattern}`, () => pattern.exec(said[stream]));
  return { says };
}

export function folder() {
  const path = mkdtempSync(join(tmpdir(), "cryograph-browsers-"));
  atEnd(() => rmSync(path, { recursive: true, maxRetries: 20 }));
  return path;
}

/** Registers a cleanup; the last one registered runs first. */
export function atEnd(end) {
  kEnding.unshift(end);
}

export async function endAll() {
  for (const end of kEnding.splice(0)) await end();
}

/** Waits for it, and gives it. */
export async function until(what, look) {
  for (const end = Date.now() + kPatience; Date.now() < end; await setTimeout(kOften)) {
    const found = await look();
    if (found) return found;
  }
  throw new Error(`Waited ${kPatience} ms for ${what}`);
}
