/** Lists those who did the same to a message. */
import type { PeoplePage } from "@parley/protocol/endpoints/message-extras";
import { PEOPLE_PAGE } from "@parley/protocol/limits";
import type { TallyKind } from "@parley/protocol/message-extra";
import type { MessagesReads } from "./messages-store.ts";

/** A page of those who have chosen a key of a message, the earliest first; `after` is `next` of the page before. */
export async function listPeople(
  store: Pick<MessagesReads, "listTally" | "findUsers">,
  kind: TallyKind,
  id: number,
  key: string,
  after = 0,
): Promise<PeoplePage> {
  const entries = await store.listTally(kind, id, key, after, PEOPLE_PAGE);
  const users = await store.findUsers(entries.map(({ userId }) => userId));
  return {
    people: entries.map(({ userId, at }) => ({ userId, nickName: users.get(userId)?.nickName ?? "", at })),
    next: entries.length < PEOPLE_PAGE ? null : (entries.at(-1)?.v ?? null),
  };
}
