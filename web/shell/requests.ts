import type { App } from "../actions/app.js";

/**
 * Counts the page's requests to addresses outside of its own folder. The content security policy blocks all of them,
 * and this shows that nothing tries.
 */
export function watchRequests(app: App): void {
  const own = new URL(".", location.href).href;
  const isForeign = ({ name }: PerformanceEntry) =>
    !name.startsWith(own) && !/^(blob|data|chrome-extension|moz-extension):/.test(name);
  new PerformanceObserver((list) => {
    const foreign = list.getEntries().filter(isForeign).length;
    if (foreign > 0) app.set({ blockedRequests: app.state.blockedRequests + foreign });
  }).observe({ type: "resource", buffered: true });
}
