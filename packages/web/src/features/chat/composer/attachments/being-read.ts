import { create } from "zustand";
import type { ChatKey } from "@parley/core/model/state";

const useCounts = create<Readonly<Record<ChatKey, number>>>(() => ({}));

/** How many chosen files of a chat are still being read. */
export function useBeingRead(chatKey: ChatKey): number {
  return useCounts((counts) => counts[chatKey] ?? 0);
}

/** The same, at this moment. */
export function beingReadNow(chatKey: ChatKey): number {
  return useCounts.getState()[chatKey] ?? 0;
}

/** Counts files whose reading begins, or ends with a negative number. */
export function countBeingRead(chatKey: ChatKey, change: number): void {
  useCounts.setState((counts) => ({ ...counts, [chatKey]: beingReadNow(chatKey) + change }));
}
