import { isRecord } from "./keep.ts";
import type { Ports } from "./ports.ts";

/** Who logs out wants to be out in all tabs of this browser, also in those that nobody sees. */

const LOGGED_OUT = "loggedOut";

/** Null: everybody. */
export function tellLoggedOut({ tabs }: Ports, userId: number | null): void {
  tabs.tell({ kind: LOGGED_OUT, userId });
}

/** Calls when another tab has logged somebody out. Cleared site data, of which the tab that cleared it hears nothing, is such a word to all. */
export function followTabs(ports: Ports, onLoggedOut: (userId: number | null) => void): () => void {
  const stopListening = ports.tabs.listen((message) => {
    if (!isRecord(message) || message["kind"] !== LOGGED_OUT) return;
    const { userId } = message;
    if (userId === null || typeof userId === "number") onLoggedOut(userId);
  });
  const stopWatching = ports.storage.onCleared(() => {
    tellLoggedOut(ports, null);
    onLoggedOut(null);
  });
  return () => {
    stopListening();
    stopWatching();
  };
}
