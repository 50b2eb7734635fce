import type { Kysely } from "kysely";
import type { ChangeSet } from "../../ports/change-store.ts";
import type { GroupMemberWrites } from "../../ports/group-store.ts";
import { membersChangeCounter } from "./change-counter.ts";
import { memberUnpinning } from "./message-extras.ts";
import { fileRelease } from "./message-files.ts";
import { preparedQuery } from "./prepared-query.ts";
import { savedMessageChanges } from "./saved-messages.ts";
import type { Tables } from "./tables.ts";

/** Removes what a member has written in a group, for everybody. `newestMessage`: the newest message over all chats. */
export function memberMessageRemoval(
  db: Kysely<Tables>,
  newestMessage: () => Promise<{ id: number }>,
): GroupMemberWrites["removeMessagesOfMember"] {
  const incrementMembers = membersChangeCounter(db);
  const release = fileRelease(db);
  const unpin = memberUnpinning(db);
  const saved = savedMessageChanges(db);
  const recordRemoval = preparedQuery(db, (groupId: number, userId: number) =>
    db
      .insertInto("groupPurgeNews")
      .columns(["ownerId", "groupId", "userId", "changed"])
      .expression((eb) =>
        eb
          .selectFrom("groupMember as m")
          .innerJoin("userState as s", "s.userId", "m.userId")
          .select((row) => [
            "m.userId as ownerId",
            "m.groupId",
            row.cast<number>(row.val(userId), "bigint").as("userId"),
            "s.lastChange",
          ])
          .where("m.groupId", "=", groupId),
      )
      .onConflict((conflict) =>
        conflict
          .columns(["ownerId", "groupId", "userId"])
          .doUpdateSet((eb) => ({ changed: eb.ref("excluded.changed") })),
      ),
  );

  return async (groupId, userId) => {
    const upTo = (await newestMessage()).id;
    await db
      .insertInto("groupPurge")
      .values({ groupId, userId, upTo })
      .onConflict((conflict) => conflict.columns(["groupId", "userId"]).doUpdateSet({ upTo }))
      .execute();
    await unpin(groupId, userId);
    await release.ofMember(groupId, userId, upTo);
    await incrementMembers(groupId);
    await recordRemoval(groupId, userId);
    return { upTo, savedBy: await saved.removeOfMember(groupId, userId) };
  };
}

/** Returns the removals of which a person has to hear since a change number. */
export function removalChanges(
  db: Kysely<Tables>,
): (userId: number, since: number) => Promise<ChangeSet["purged"]> {
  const removals = preparedQuery(db, (userId: number, since: number) =>
    db
      .selectFrom("groupPurgeNews as n")
      .innerJoin("groupPurge as p", (join) =>
        join.onRef("p.groupId", "=", "n.groupId").onRef("p.userId", "=", "n.userId"),
      )
      .select(["p.groupId", "p.userId", "p.upTo"])
      .where("n.ownerId", "=", userId)
      .where("n.changed", ">", since)
      .orderBy("n.changed"),
  );
  return async (userId, since) => (await removals(userId, since)).rows;
}
