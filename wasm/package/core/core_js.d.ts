// The module that Emscripten makes of wasm/bindings.cc: a factory of module instances. The bundler resolves the name.
declare module "cryograph-core" {
  import type { Binding } from "./binding.js";

  export interface ModuleOptions {
    wasmBinary?: ArrayBuffer | Uint8Array;
    instantiateWasm?(
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ): object;
    locateFile?(name: string): string;
    print?(line: string): void;
    printErr?(line: string): void;
    onAbort?(what: unknown): void;
  }

  export default function createCore(options: ModuleOptions): Promise<Binding>;
}

// Files in base64. core.wasm as .lzma: in the page's worker and in cryograph-inline. core/data/ops.bin as .gz, and as .lzma
// next to a packed core: 17 kB less, and as fast to unpack after the core, when unlzma() is compiled.
declare module "cryograph-core-text" {
  const text: string;
  export default text;
}
declare module "cryograph-packed-ops-text" {
  const text: string;
  export default text;
}
declare module "cryograph-ops-text" {
  const text: string;
  export default text;
}

// core/data/op_histories.bin and runtime_ops.json in base64: as .gz, and as .lzma next to a packed core.
declare module "cryograph-releases" {
  export const histories: string;
  export const runtimes: string;
}
declare module "cryograph-packed-releases" {
  export const histories: string;
  export const runtimes: string;
}
