import { create } from "zustand";
import type { ChatKey } from "@parley/core/model/state";

/** A request to show a position in the history of a chat: a message or a time. */
export interface ShowRequest {
  readonly key: ChatKey;
  readonly to: { readonly id: number } | { readonly time: number };
}

const useStore = create<{ readonly request: ShowRequest | null }>(() => ({ request: null }));

/** Opens a chat at one of its messages, however old, and highlights the message. Used by quotes, search results and notifications. */
export function showMessage(key: ChatKey, id: number): void {
  useStore.setState({ request: { key, to: { id } } });
}

/** Opens a chat at the first message sent at this time (epoch ms) or after. */
export function showTime(key: ChatKey, time: number): void {
  useStore.setState({ request: { key, to: { time } } });
}

/** Marks a request as taken by the conversation that handles it. A newer request stays. */
export function claimShowRequest(claimed: ShowRequest): void {
  if (useStore.getState().request === claimed) useStore.setState({ request: null });
}

/** The request that has not been claimed yet. */
export function useShowRequest(): ShowRequest | null {
  return useStore(({ request }) => request);
}

/** Route of a chat. */
export function chatPath(key: ChatKey): string {
  return `/home/chat/${key}`;
}
