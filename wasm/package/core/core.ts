import createCore, { type ModuleOptions } from "cryograph-core";
import type { Binding } from "./binding.js";
import { needsReleases, orReleasesFailure, type PackedReleases, type Releases } from "./releases.js";
import { compileBytes } from "./compile.js";
import { checkedText, jsonOfOptions, tagOf } from "../base/argument.js";
import { CryographError, failure } from "../base/errors.js";
import { kValueOptions, setRules } from "../base/set_rules.js";
import { apiWords, inWords } from "../base/words.js";
import { type CallRow, kCalls } from "../types/calls.js";
import type { Explanation, InitOptions, SetValues } from "../types/types.js";

declare const CRYOGRAPH_CHECKS: boolean;

type Wasm = BufferSource | WebAssembly.Module;

/** Locates core.wasm: a file in Node, a URL in browsers, inside the module for `./inline`. */
export type FindWasm = (url: string | URL | undefined) => Promise<Wasm>;

/** Returns the data of TensorFlow's releases. `sent`: the other thread has loaded it. */
export type FindReleases = (sent?: PackedReleases) => Promise<Releases>;

/** The rest of a core that was split (scripts/split_core.py). */
export type FindRest = () => Promise<BufferSource>;

// Options that the core does not have.
const kOfCalls = new Set(["signal", "onProgress", "download"]);

/** One instance of the WebAssembly core. A trap inside (out of memory, a failed assert) ends this instance, not the page. */
export class Core {
  #binding: Binding;
  #findReleases: FindReleases;
  #hasReleases = false;
  #loadRest: (() => Promise<void>) | null;
  #rest: Promise<void> | undefined;
  #dead: CryographError | null = null;
  #sources = 0;
  #depth = 0;
  #unneeded: { delete(): void }[] = [];

  /** `loadRest`: null where the core is whole. */
  constructor(binding: Binding, findReleases: FindReleases, loadRest: (() => Promise<void>) | null) {
    this.#binding = binding;
    this.#findReleases = findReleases;
    this.#loadRest = loadRest;
  }

  get alive(): boolean {
    return this.#dead === null;
  }

  /**
   * Runs `work` inside wasm. Callbacks never throw, so what is thrown here is a trap or an abort, which ends this
   * instance; or Embind's refusal of an argument, before the call, which does not.
   */
  call<T>(work: (binding: Binding) => T): T {
    if (this.#dead) throw this.#dead;
    this.#depth++;
    try {
      return work(this.#binding);
    } catch (thrown) {
      if (isRefusal(thrown)) throw failure("internal-error", thrown.message, kOurFault, thrown);
      this.#dead ??= coreLost(thrown); // calls may be nested
      throw this.#dead;
    } finally {
      if (--this.#depth === 0) for (const free of this.#unneeded.splice(0)) this.free(free);
    }
  }

  /** Frees something in wasm memory. During a call, whose callbacks may close models, that is done after it. */
  free(object: { delete(): void }): void {
    if (this.#depth > 0) this.#unneeded.push(object);
    else if (this.alive) this.call(() => object.delete());
  }

  /** Returns the meaning of a diagnostic's code. */
  explain(code: string): Explanation {
    const asked = checkedText("explain", "the code of a diagnostic", code);
    const { report, status } = this.call((binding) => binding.explain(asked));
    const explanation = JSON.parse(report) as Explanation;
    if (status > 0) throw new CryographError(explanation.diagnostics, explanation, { status });
    return inWords(explanation, apiWords);
  }

  /**
   * Loads what a call needs and this instance has not; null if it has all. Fails with "ops-not-loaded" or
   * "core-not-loaded".
   */
  lacking(call: string, options: object): Promise<void> | null {
    const rest = this.#loadRest !== null && needsRest(call, options);
    const releases = !this.#hasReleases && needsReleases(call, options);
    return rest || releases ? this.#load(rest, releases) : null;
  }

  async #load(rest: boolean, releases: boolean): Promise<void> {
    if (rest) await this.needRest();
    if (releases) await this.needReleases();
  }

  /** Loads the rest of the core, unless this instance is whole. */
  async needRest(): Promise<void> {
    await (this.#rest ??= this.#loadRest?.());
    this.#loadRest = null;
  }

  /** Loads the data of TensorFlow's releases, unless this instance has it. Fails with "ops-not-loaded". */
  async needReleases(sent?: PackedReleases): Promise<void> {
    if (this.#hasReleases) return;
    const { histories, runtimes } = await orReleasesFailure(this.#findReleases(sent));
    this.call((binding) => binding.setReleases(histories, runtimes));
    this.#hasReleases = true;
  }

  nextSourceId(): number {
    return ++this.#sources;
  }

  /** Returns options as the core reads them, without the calls' own. A list may be one text: the core splits it. */
  options(options: object): string {
    const plain: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(options)) {
      if (value === undefined || kOfCalls.has(key)) continue;
      plain[key] = kValueOptions.includes(key) ? setRules(value as SetValues, key) : value;
    }
    return jsonOfOptions(plain);
  }
}

/** Loads the core once and again only after an instance was lost; the compiled module is kept. */
export class CoreLoader {
  #options: InitOptions = {};
  #module: Promise<WebAssembly.Module> | null = null;
  #core: Promise<Core> | null = null;

  /** `findOps`: core/data/ops.bin. `findRest`: where `findWasm` finds the first part of a core alone. */
  constructor(
    private readonly findWasm: FindWasm,
    private readonly findOps: () => Promise<Uint8Array>,
    private readonly findReleases: FindReleases,
    private readonly findRest: FindRest | null = null,
  ) {}

  init(options: InitOptions): void {
    this.#options = options;
    this.#module = null;
    this.#core = null;
  }

  async get(): Promise<Core> {
    const core = await (this.#core ??= this.#load());
    if (core.alive) return core;
    this.#core = null;
    return this.get();
  }

  async #load(): Promise<Core> {
    try {
      const [module, ops] = await Promise.all([(this.#module ??= this.#compile()), this.findOps()]);
      const core = await instantiate(module, this.findReleases, this.findRest);
      if (!core.call((binding) => binding.setOps(new Uint8Array(ops))))
        throw new Error("the definitions of ops are damaged");
      return core;
    } catch (error) {
      this.#core = this.#module = null;
      throw notLoaded("core.wasm", error);
    }
  }

  async #compile(): Promise<WebAssembly.Module> {
    const { wasmModule, wasmBinary, wasmUrl } = this.#options;
    const wasm = (wasmModule ?? wasmBinary ?? (await this.findWasm(wasmUrl))) as Wasm;
    return tagOf(wasm) === "WebAssembly.Module"
      ? (wasm as WebAssembly.Module)
      : compileBytes(wasm as BufferSource, "core.wasm");
  }
}

function instantiate(module: WebAssembly.Module, findReleases: FindReleases, findRest: FindRest | null): Promise<Core> {
  return new Promise((ready, failed) => {
    let primary: WebAssembly.Exports;
    const instantiateWasm: ModuleOptions["instantiateWasm"] = (imports, done) => {
      WebAssembly.instantiate(module, { ...imports, placeholder: kPlaceholders })
        .then((instance) => {
          primary = instance.exports;
          done(instance, module);
        })
        .catch(failed);
      return {};
    };
    const loadRest = findRest && (() => instantiateRest(findRest, { ...primary }));
    // Printing is off: the errors that the core throws contain its messages.
    // locateFile: else the glue looks for the address of core.wasm, and some hosts of workers know no address of a module.
    createCore({ instantiateWasm, locateFile: (name) => name, print() {}, printErr() {} }).then(
      (binding) => ready(new Core(binding, findReleases, loadRest)),
      failed,
    );
  });
}

// The rest puts its functions in place of the placeholders.
async function instantiateRest(findRest: FindRest, primary: WebAssembly.ModuleImports): Promise<void> {
  try {
    await WebAssembly.instantiate(await findRest(), { primary });
  } catch (error) {
    throw notLoaded("the rest of core.wasm", error);
  }
}

// Whatever a core that is not whole would call of its rest.
const kPlaceholders = new Proxy(
  {},
  {
    get: () => () => {
      throw new Error("the rest of the core was not loaded");
    },
  },
);

function needsRest(call: string, options: object): boolean {
  const { inputs, outputs } = options as { inputs?: unknown; outputs?: unknown };
  const isOfFirstPart = (kCalls as Readonly<Record<string, CallRow>>)[call]?.first === true;
  return !isOfFirstPart || inputs !== undefined || outputs !== undefined;
}

// The page has the core inside.
const kWhereToLoad = !CRYOGRAPH_CHECKS
  ? "open the page again"
  : 'init({ wasmUrl }), with the address of "cryograph/core.wasm" as your bundler gives it; for Vite\'s development server, ' +
    'optimizeDeps: { exclude: ["cryograph"] }; in a page that is a file, import "cryograph/inline"';
const kOurFault = "this is a fault of cryograph; please report it";

function isRefusal(thrown: unknown): thrown is Error {
  return thrown instanceof Error && thrown.name === "BindingError";
}

function notLoaded(what: string, error: unknown): CryographError {
  const said = error instanceof Error ? error.message : String(error);
  return failure("core-not-loaded", `${what} could not be loaded: ${said}`, kWhereToLoad, error);
}

function coreLost(trap: unknown): CryographError {
  const said = trap instanceof Error ? trap.message : String(trap);
  if (/out of memory/i.test(said)) {
    return failure("out-of-memory", "The model's structure does not fit into memory", [{ action: "use-native" }], trap);
  }
  return failure("core-lost", `The core stopped: ${said}`, kOurFault, trap);
}
