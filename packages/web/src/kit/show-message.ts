import { useSyncExternalStore } from "react";
import type { ChatKey } from "@parley/core/model/state";

/** A request to show a position in the history of a chat: a message or a time. */
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

/** Opens a chat at one of its messages, however old, and highlights the message. Used by quotes, search results and notifications. */
export function showMessage(key: ChatKey, id: number): void {
  replace({ key, to: { id } });
}

/** Opens a chat at the first message sent at this time (epoch ms) or after. */
export function showTime(key: ChatKey, time: number): void {
  replace({ key, to: { time } });
}

/** Marks a request as taken by the conversation that handles it. A newer request stays. */
export function claimShowRequest(claimed: ShowRequest): void {
  if (request === claimed) replace(null);
}

/** The request that has not been claimed yet. */
export function useShowRequest(): ShowRequest | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => request,
  );
}
