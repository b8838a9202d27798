const kMilliseconds = 10;

let lastTurn = performance.now();

/** Waits for a turn of the event loop if the last one that was waited for is 10 ms ago. Long computations call it between steps. */
export async function pause(): Promise<void> {
  if (performance.now() - lastTurn < kMilliseconds) return;
  await nextTurn();
  lastTurn = performance.now();
}

// A timer alone would wait 4 ms in browsers.
function nextTurn(): Promise<void> {
  return new Promise((done) => {
    if (typeof setImmediate === "function") return void setImmediate(done);
    if (typeof MessageChannel !== "function") return void setTimeout(done);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(null);
  });
}
