import { broadcastToTabs, listenToTabs } from "../storage/tab-messages.ts";
import type { Ports } from "../ports.ts";

/** A logout in one tab logs out all tabs of this browser, hidden ones included. */

/** Asks the other tabs to log this user out; null: every user. */
export function broadcastLogout({ tabs }: Ports, userId: number | null): void {
  broadcastToTabs(tabs, { kind: "loggedOut", userId });
}

/** Calls `onLoggedOut` when another tab has logged a user out. Clearing the site data logs out every user, also in this tab. */
export function listenForLogouts(ports: Ports, onLoggedOut: (userId: number | null) => void): () => void {
  const stopListening = listenToTabs(ports.tabs, "loggedOut", ({ userId }) => onLoggedOut(userId));
  const stopWatching = ports.storage.onCleared(() => {
    broadcastLogout(ports, null);
    onLoggedOut(null);
  });
  return () => {
    stopListening();
    stopWatching();
  };
}
