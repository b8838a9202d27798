// core.wasm as a module, from wherever it comes.

declare const CRYOGRAPH_CHECKS: boolean;

const kMagic = [0x00, 0x61, 0x73, 0x6d]; // "\0asm"
const kShown = 40;

/** Returns core.wasm, compiled. Fails with its address and with what came from there instead. */
export async function fetchWasm(url: string | URL): Promise<WebAssembly.Module> {
  const answer = await fetch(url).catch((error: unknown) => {
    throw new Error(`${String(url)} could not be fetched: ${String(error)}`, { cause: error });
  });
  const type = answer.headers.get("content-type") ?? "of no type";
  if (!answer.ok) throw new Error(`${String(url)} gave HTTP status ${answer.status}`);
  // Other types forbid streaming.
  if (type === "application/wasm") return WebAssembly.compileStreaming(answer);
  return compileBytes(await answer.arrayBuffer(), `${String(url)}, ${type},`);
}

/** Returns bytes, compiled. `name`: theirs, for people. */
export async function compileBytes(wasm: BufferSource, name: string): Promise<WebAssembly.Module> {
  if (CRYOGRAPH_CHECKS) {
    const {
      buffer,
      byteOffset = 0,
      byteLength,
    } = ArrayBuffer.isView(wasm) ? wasm : { buffer: wasm, byteLength: wasm.byteLength };
    const bytes = new Uint8Array(buffer, byteOffset, byteLength);
    if (kMagic.some((byte, i) => bytes[i] !== byte)) {
      const text = JSON.stringify(new TextDecoder("latin1").decode(bytes.subarray(0, kShown)));
      throw new Error(`${name} is not WebAssembly: ${bytes.length} bytes that begin with ${text}`);
    }
  }
  return WebAssembly.compile(wasm);
}
