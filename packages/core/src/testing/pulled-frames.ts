import { Cmd, MessageType } from "@parley/protocol/codes";
import { NOON, ownRow, privateRow } from "./builders.ts";

/** The frames of a pull: `count` rows in `chats` chats in turn, every fourth one sent by the user. */
export function pulledFrames(count: number, chats: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const friendId = 2 + (i % chats);
    const part = {
      id: i + 1,
      sendTime: NOON + i * 1_000,
      content: `message number ${i} with some words in it`,
    };
    const row =
      i % 4 === 0
        ? ownRow({ ...part, recvId: friendId, tmpId: `tmp-${i}-0123456789abcdef` })
        : privateRow({ ...part, sendId: friendId, tmpId: `theirs-${i}-0123456789abcdef` });
    return JSON.stringify({ cmd: Cmd.PRIVATE, data: row });
  });
}

/** The end of the pulls of private chats, groups and the system chat. */
export function pullEndFrames(): string[] {
  const data = { type: MessageType.LOADING, content: "false" };
  return [Cmd.GROUP, Cmd.SYSTEM, Cmd.PRIVATE].map((cmd) => JSON.stringify({ cmd, data }));
}
