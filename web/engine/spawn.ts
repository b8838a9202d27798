// The worker is made of a text this page carries: a worker made that way is bound by the page's own content security policy
// (one with an address is bound by its server's headers alone), so `connect-src 'none'` holds for everything that ever
// touches a model.
import { failure, kEndingCodes, portTo } from "../../wasm/package/entries/page.js";
import type { Answer, Port } from "../../wasm/package/entries/page.js";
import type { Sent } from "./sent.js";

/**
 * Starts a worker. Its script, the definitions of ops, and what opening and showing a model do not need of the core are
 * files of the page's own, in this order, so that the page is there sooner. Messages wait for the script.
 */
export function spawn(): Port {
  let port: Port | null = null;
  const waiting: ((port: Port) => void)[] = [];
  const use = (work: (port: Port) => void) => (port ? work(port) : void waiting.push(work));
  return {
    address: "",
    post: (message) => use(({ post }) => post(message)),
    listen(message, lost) {
      addressOfScript()
        .then((address) => {
          const made = (port = portTo(new Worker(address)));
          listenTo(made, message, lost);
          for (const work of waiting) work(made);
          return sendFiles(made);
        })
        .catch(lost);
    },
    terminate: () => use(({ terminate }) => terminate()),
    hold() {},
  };
}

function listenTo(port: Port, message: (data: unknown) => void, lost: (error: unknown) => void): void {
  port.listen(
    (answer) => {
      message(answer);
      if (isLast(answer as Answer)) whenEnded();
    },
    (error) => {
      lost(error);
      whenEnded();
    },
  );
}

let whenEnded = () => {};

/** Calls `restarted` when the worker has ended by a fault, with all models in it. Each is made again when it is used next. */
export function watchWorker(restarted: () => void): void {
  whenEnded = restarted;
}

function isLast(answer: Answer): boolean {
  return "error" in answer && (answer.error.diagnostics ?? []).some(({ code }) => kEndingCodes.includes(code));
}

let address = "";

async function addressOfScript(): Promise<string> {
  const { default: script } = await import("cryograph-worker-text").catch(notLoaded("the worker that reads models"));
  return (address ||= URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
}

async function sendFiles(port: Port): Promise<void> {
  const send = (sent: Sent) => port.post(sent);
  const { default: ops } = await import("cryograph-packed-ops-text").catch(
    notLoaded("the definitions of TensorFlow's ops"),
  );
  send({ ops });
  await import("cryograph-rest-text").then(
    ({ default: rest }) => send({ rest }),
    (error: unknown) => send({ withoutRest: String(error) }),
  );
}

function notLoaded(what: string): (error: unknown) => never {
  return (error) => {
    throw failure(
      "core-not-loaded",
      `The file of this page with ${what} could not be loaded`,
      "reload the page where it can be reached",
      error,
    );
  };
}
