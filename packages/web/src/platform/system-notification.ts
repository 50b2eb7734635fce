/** A notification on the screen of the device. */
export interface ShownNotification {
  close(): void;
}

/** Shows one; `tag` names what it is about, and a newer one of the same takes its place. null: the browser did not let it. */
export function showSystemNotification(
  tag: string,
  words: { title: string; body: string; icon: string | null },
  onClick: () => void,
): ShownNotification | null {
  try {
    const { title, body, icon } = words;
    // The sound is the page's own: it can be switched off, and one tab plays it.
    const options = { body, tag, renotify: true, silent: true, ...(icon !== null && { icon }) };
    const notification = new Notification(title, options);
    notification.addEventListener("click", () => {
      notification.close();
      window.focus();
      onClick();
    });
    return { close: () => notification.close() };
  } catch {
    // Browsers of phones show none without a worker.
    return null;
  }
}

/**
 * Tells the other tabs of this browser what this one has told its reader, and hears what they have. Answers `said` and what ends it.
 */
export function tabChannel(
  name: string,
  heard: (what: string) => void,
): { said(what: string): void; end(): void } {
  const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(`parley.${name}`) : null;
  channel?.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    if (typeof data === "string") heard(data);
  });
  return { said: (what) => channel?.postMessage(what), end: () => channel?.close() };
}

/** Calls `begin` as soon as no other tab stands in this place, for as long as this one lives. Answers what gives the place up. */
export function becomeLeader(name: string, begin: () => void): () => void {
  const locks = "locks" in navigator ? (navigator.locks as LockManager | undefined) : undefined;
  if (locks === undefined) {
    begin();
    return () => undefined;
  }
  const giveUp = new AbortController();
  const left = new Promise<void>((resolve) => giveUp.signal.addEventListener("abort", () => resolve()));
  locks
    .request(`parley.${name}`, { signal: giveUp.signal }, () => {
      begin();
      return left;
    })
    // Given up before it was its turn.
    .catch(() => undefined);
  return () => giveUp.abort();
}
