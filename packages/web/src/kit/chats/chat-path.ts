import type { ChatKey } from "@parley/core/model/state";

/** Route of a chat. */
export function chatPath(key: ChatKey): string {
  return `/home/chat/${key}`;
}
