// The module that Emscripten makes of wasm/command.cc: a factory of module instances. The bundler resolves the name.
declare module "cryograph-command" {
  import type { CommandBinding } from "./command_binding.js";

  export default function createCommand(options: {
    wasmBinary: Uint8Array;
    print?(line: string): void;
    printErr?(line: string): void;
  }): Promise<CommandBinding>;
}
