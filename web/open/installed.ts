import type { App } from "../app/app.js";

const kPatience = 3000;  // milliseconds: what a person came for goes first

interface LaunchQueue {
  setConsumer(consumer: (launch: { files: readonly FileSystemFileHandle[] }) => void): void;
}

/** Works offline after the first visit, where the page is served; a file needs nothing. */
export function keepOffline(): void {
  if (location.protocol === "file:") return;
  setTimeout(() => void navigator.serviceWorker?.register("service_worker.js").catch(() => {}), kPatience);
}

/** Files that the system opens with the page, where it is installed. */
export function listenForLaunches(app: App): void {
  const { launchQueue } = window as { launchQueue?: LaunchQueue };
  launchQueue?.setConsumer(({ files }) => {
    if (files.length > 0) void Promise.all(files.map((file) => file.getFile())).then((all) => app.open(all));
  });
}
