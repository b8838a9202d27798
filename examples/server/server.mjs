// A server that takes an uploaded model and answers with the frozen one.
//   node server.mjs [PORT]
//   curl --data-binary @model.zip 'http://localhost:3000/freeze?outputs=logits' -o frozen.pb
import { createServer } from "node:http";
import { CryographError, init, open } from "cryograph/worker";

const kMost = 1 << 28; // bytes of an upload, which is held in memory

init({ workers: 2 });

/** Returns the body of a request, or null if it is larger than allowed. */
async function bodyOf(request) {
  const parts = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > kMost) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

async function freeze(body, outputs) {
  const model = await open({ model: body });
  try {
    const frozen = await model.freeze(outputs ? { outputs: outputs.split(",") } : {});
    const [file] = await frozen.write({ as: "pb" });
    const bytes = await file.bytes();
    frozen.close();
    return bytes;
  } finally {
    model.close();
  }
}

const server = createServer(async (request, response) => {
  const answer = (status, type, body) => response.writeHead(status, { "Content-Type": type }).end(body);
  const { pathname, searchParams } = new URL(request.url, "http://localhost");
  if (request.method !== "POST" || pathname !== "/freeze") return answer(404, "text/plain", "POST /freeze\n");
  try {
    const body = await bodyOf(request);
    if (!body) return answer(413, "text/plain", `more than ${kMost} bytes\n`);
    answer(200, "application/octet-stream", await freeze(body, searchParams.get("outputs")));
  } catch (error) {
    if (!(error instanceof CryographError)) throw error;
    const { code, diagnostics } = error;
    answer(422, "application/json", JSON.stringify({ code, diagnostics }));
  }
});

server.listen(process.argv[2] ?? 3000, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}/freeze`);
});
