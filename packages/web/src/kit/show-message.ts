import { useSyncExternalStore } from "react";
import type { ChatKey } from "@parley/core/model/state";

/** A place in a chat's history that somebody wants to see. */
export interface ShowRequest {
  readonly key: ChatKey;
  readonly to: { readonly id: number } | { readonly time: number };
}

let request: ShowRequest | null = null;
const listeners = new Set<() => void>();

function replace(next: ShowRequest | null): void {
  request = next;
  for (const listener of listeners) listener();
}

/** Opens a chat at one of its messages, however old, and lets the message flash. From anywhere: a quote, a found message, a notification. */
export function showMessage(key: ChatKey, id: number): void {
  replace({ key, to: { id } });
}

/** Opens a chat at the first message sent at this time (epoch ms) or after. */
export function showTime(key: ChatKey, time: number): void {
  replace({ key, to: { time } });
}

/** For whoever fulfils a wish: it is being seen to. A newer one stays. */
export function claimShowRequest(taken: ShowRequest): void {
  if (request === taken) replace(null);
}

/** The wish that nobody has seen to yet. */
export function useShowRequest(): ShowRequest | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => request,
  );
}
