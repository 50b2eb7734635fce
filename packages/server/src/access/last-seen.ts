/** When somebody was last seen: only friends may know, if both tell it, and never across a block. */
import type { UserRow } from "../ports/account-store.ts";
import type { FriendRow } from "../ports/contact-store.ts";
import { isAccountActive, isFriend } from "./people.ts";

interface LastSeenReads {
  findUser(id: number): Promise<UserRow | undefined>;
  findFriend(ownerId: number, friendId: number): Promise<FriendRow | undefined>;
  isBlocked(ownerId: number, otherId: number): Promise<boolean>;
  listLastSeen(userIds: readonly number[]): Promise<Map<number, number>>;
}

const MINUTE_MS = 60_000;

/** When this person was last seen, in epoch ms to the minute; null if `me` may not know, or it is not known any more. */
export async function findVisibleLastSeen(
  reads: LastSeenReads,
  me: number,
  userId: number,
): Promise<number | null> {
  const [reader, person] = [await reads.findUser(me), await reads.findUser(userId)];
  if (reader?.lastSeenShown !== true || person?.lastSeenShown !== true || !isAccountActive(person))
    return null;
  for (const [ownerId, otherId] of [
    [me, userId],
    [userId, me],
  ] as const) {
    if (!isFriend(await reads.findFriend(ownerId, otherId)) || (await reads.isBlocked(ownerId, otherId)))
      return null;
  }
  const at = (await reads.listLastSeen([userId])).get(userId);
  return at === undefined ? null : at - (at % MINUTE_MS);
}
