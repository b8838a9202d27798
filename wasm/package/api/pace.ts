const kMilliseconds = 10;

/** A long computation's care for others: it pauses for one turn of the event loop after every 10 ms of work. */
export class Pace {
  #since = performance.now();

  /** Waits for a turn of the event loop if it is time for one. */
  async pause(): Promise<void> {
    if (performance.now() - this.#since < kMilliseconds) return;
    await nextTurn();
    this.#since = performance.now();
  }
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
