import type { GroupMessage, PrivateMessage } from "@parley/protocol/message";
import { toChatMessage } from "@parley/core/model/chats/chat-rows";
import { groupRow, ME, ownRow, privateRow } from "@parley/core/testing/builders";

/** When the gallery was opened. */
export const NOW = Date.now();

/** Later than the message before it, but within the same run. */
const timeOf = (id: number) => NOW - 600_000 + id * 1_000;

/** A message of the friend. */
export const theirs = (id: number, part: Partial<PrivateMessage> = {}) =>
  toChatMessage(privateRow({ id, sendTime: timeOf(id), ...part }), ME);

/** A message of the reader. */
export const mine = (id: number, part: Partial<PrivateMessage> = {}) =>
  toChatMessage(ownRow({ id, sendTime: timeOf(id), ...part }), ME);

/** A message in a group. */
export const inGroup = (id: number, part: Partial<GroupMessage> = {}) =>
  toChatMessage(groupRow({ id, sendTime: timeOf(id), ...part }), ME);
