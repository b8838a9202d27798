// One verb of the npm command in a folder of its own, over and over.
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { begin, calls } from "./faulty_host.mjs";
import { command } from "./package_command.mjs";

const kDone = 0,
  kNo = 1,
  kCannot = 3;
const kEndings = [".meta", ".index", ".data-00000-of-00001"];

/** Every file and folder below a folder, with each file's bytes; those that `counts` returns false for are passed over. */
function state(folder, counts = () => true) {
  const names = readdirSync(folder, { recursive: true }).filter(counts).sort();
  return Object.fromEntries(
    names.map((name) => [
      name,
      statSync(join(folder, name)).isFile() ? readFileSync(join(folder, name), "latin1") : null,
    ]),
  );
}

function same(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}

export class Trial {
  constructor(folder, words) {
    this.folder = folder;
    this.words = words;
  }

  /** Runs the verb without a fault, and keeps what it makes. Returns how often it makes each call: a second run, for the first one
   * loads more. */
  async prepare() {
    let result;
    for (let i = 0; i < 2; i++) {
      this.reset();
      this.before = state(this.folder);
      result = await this.run();
      assert.ok(result.status === kDone || result.status === kNo, result.stderr);
    }
    this.output = result.stdout;
    this.expected = state(this.folder);
    this.descriptors = readdirSync("/proc/self/fd").length;
    return result.calls;
  }

  /** Puts old files where the verb replaces some. */
  reset() {
    rmSync(this.folder, { recursive: true, force: true });
    mkdirSync(this.folder);
    if (!this.words.includes("--force")) return;
    const out = this.words[this.words.indexOf("-o") + 1];
    for (const ending of out.endsWith(".ckpt") ? kEndings : [""])
      writeFileSync(join(this.folder, out + ending), `old ${ending}`);
  }

  async run(act) {
    process.chdir(this.folder);
    begin(act);
    const result = await command(this.words);
    const made = new Map(calls);
    begin();
    return { ...result, calls: made };
  }

  /** Returns what is wrong after a run in which the call `name` failed; "" if nothing is. */
  wrong(name, { status, stdout, stderr }) {
    // A second name of an old file stays where the disk refuses to remove it.
    const now = state(this.folder, (file) => name !== "rmSync" || !file.includes(".cryograph-"));
    const open = readdirSync("/proc/self/fd").length;
    const leaks = open > this.descriptors;
    this.descriptors = open;
    if (leaks) return "a descriptor is open";
    if (status === kDone || status === kNo) {
      return same(now, this.expected) && stdout === this.output
        ? ""
        : `status ${status} and ${Object.keys(now)}: ${stderr}`;
    }
    if (status !== kCannot) return `status ${status}: ${stderr}`;
    if (/not-done/.test(stdout + stderr)) return `an error without a code: ${stdout}${stderr}`;
    // A verdict of verify is 3, too, when a model could not be run; its script is written all the same.
    const whole = same(now, this.before) || (this.words[0] === "verify" && same(now, this.expected));
    return whole ? "" : `left ${Object.keys(now)}: ${stderr}`;
  }

  /** Every file and folder in the trial's folder, with each file's bytes. */
  state() {
    return state(this.folder);
  }

  /** The same of a process that SIGTERM ended. */
  wrongAfterSignal({ status, signal, stderr }) {
    const now = this.state();
    if (signal !== "SIGTERM" && status !== kDone) return `status ${status}, signal ${signal}: ${stderr}`;
    return same(now, this.before) || same(now, this.expected) ? "" : `left ${Object.keys(now)}`;
  }

  /** The same of what a killed process leaves: nothing can be removed then. */
  wrongAfterKill(now) {
    for (const [name, content] of Object.entries(now)) {
      const whole =
        content === null ||
        content === this.before[name] ||
        content === this.expected[name] ||
        name.includes(".cryograph-");
      if (!whole) return `${name} is neither old nor new`;
    }
    const gone = Object.keys(this.before).filter((name) => !(name in now));
    return gone.length > 0 ? `without ${gone}` : "";
  }
}
