// The module that Emscripten makes of wasm/bindings.cc: a factory of module instances. The bundler resolves the name.
declare module "cryograph-core" {
  import type { Binding } from "./binding.js";

  export interface ModuleOptions {
    wasmBinary?: ArrayBuffer | Uint8Array;
    instantiateWasm?(
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ): object;
    print?(line: string): void;
    printErr?(line: string): void;
    onAbort?(what: unknown): void;
  }

  export default function createCore(options: ModuleOptions): Promise<Binding>;
}

// Files written as text: the same wasm, .lzma, for the entry that carries it inside; and core/graph/ops.bin, .gz, which is read in no time.
declare module "cryograph-core-text" {
  const text: string;
  export default text;
}
declare module "cryograph-ops-text" {
  const text: string;
  export default text;
}
