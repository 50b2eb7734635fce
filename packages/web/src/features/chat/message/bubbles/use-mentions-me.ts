import { EVERYONE } from "@parley/protocol/codes";
import type { ChatMessage } from "@parley/core/model/state";
import { myIdOf } from "../../../../kit/person.ts";
import { useClientState } from "../../../../kit/use-client.ts";

/** Whether a message of somebody else mentions me or everyone. */
export function useMentionsMe({ selfSend, group }: ChatMessage): boolean {
  return useClientState((state) => {
    if (selfSend || group === null || group.atUserIds.length === 0) return false;
    const myId = myIdOf(state);
    return group.atUserIds.some((id) => isMentionOfMe(id, myId));
  });
}

/** Whether a mentioned id is me or everyone. */
export function isMentionOfMe(id: number, myId: number): boolean {
  return id === myId || id === EVERYONE;
}
