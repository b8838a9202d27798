import { html } from "lit";

interface PendingList {
  text: string;
  /** It was stopped: nothing is loaded. */
  stopped: boolean;
  words: { stop: string; retry: string };
  stop: () => void;
  retry: () => void;
}

/** The place of a list that is still loaded: it can be stopped, and loaded again. */
export function pendingList({ text, stopped, words, stop, retry }: PendingList) {
  if (stopped)
    return html`<p class="empty-table"><button type="button" class="button small" @click=${retry}>${words.retry}</button></p>`;
  return html`
    <div class="empty-table muted"><p>${text}</p>
      <button type="button" class="button small trying" @click=${stop}>${words.stop}</button></div>`;
}
