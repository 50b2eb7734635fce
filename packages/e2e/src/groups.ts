import { JoinMode } from "@parley/protocol/codes";
import { MessageType } from "@parley/protocol/codes";
import type { BodyOf } from "@parley/protocol/endpoint";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import type { GroupVO } from "@parley/protocol/entities";
import type { Account } from "./api.ts";

/** Creates a group of friends of `owner` over HTTP. */
export function createGroup(owner: Account, name: string, members: readonly Account[]): Promise<GroupVO> {
  return owner.call(ENDPOINTS.createGroup, {
    body: { name, memberIds: members.map(({ id }) => id), joinMode: JoinMode.FREE, isFindable: true },
  });
}

/** Sends a message to a group and returns its id. */
export async function sendToGroup(
  from: Account,
  groupId: number,
  content: string,
  options: Partial<BodyOf<typeof ENDPOINTS.sendGroupMessage>> = {},
): Promise<number> {
  const body = { groupId, content, type: MessageType.TEXT, ...options };
  return (await from.call(ENDPOINTS.sendGroupMessage, { body })).id;
}
