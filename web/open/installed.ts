import type { App } from "../actions/app.js";

const kPatience = 3000; // milliseconds: a person's own task comes first

interface LaunchQueue {
  setConsumer(consumer: (launch: { files: readonly FileSystemFileHandle[] }) => void): void;
}

/** Makes the page work offline after the first visit, if it is served; a file needs nothing. */
export function keepOffline(): void {
  if (location.protocol === "file:") return;
  setTimeout(() => void navigator.serviceWorker?.register("service_worker.js").catch(() => {}), kPatience);
}

/** Opens files that the system opens with the page, if it is installed. */
export function listenForLaunches(app: App): void {
  const { launchQueue } = window as { launchQueue?: LaunchQueue };
  launchQueue?.setConsumer(({ files }) => {
    if (files.length > 0) void Promise.all(files.map((file) => file.getFile())).then((all) => app.files.open(all));
  });
}
