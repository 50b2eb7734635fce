import { isRecord } from "../storage/key-value-storage.ts";
import type { Ports } from "../ports.ts";

/** Who logs out wants to be out in all tabs of this browser, also in those that nobody sees. */

const LOGOUT_MESSAGE = "loggedOut";

/** Null: everybody. */
export function broadcastLogout({ tabs }: Ports, userId: number | null): void {
  tabs.broadcast({ kind: LOGOUT_MESSAGE, userId });
}

/** Calls when another tab has logged somebody out. Cleared site data, of which the tab that cleared it hears nothing, is such a word to all. */
export function listenForLogouts(ports: Ports, onLoggedOut: (userId: number | null) => void): () => void {
  const stopListening = ports.tabs.listen((message) => {
    if (!isRecord(message) || message["kind"] !== LOGOUT_MESSAGE) return;
    const { userId } = message;
    if (userId === null || typeof userId === "number") onLoggedOut(userId);
  });
  const stopWatching = ports.storage.onCleared(() => {
    broadcastLogout(ports, null);
    onLoggedOut(null);
  });
  return () => {
    stopListening();
    stopWatching();
  };
}
