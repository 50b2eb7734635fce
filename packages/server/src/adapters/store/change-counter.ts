import { sql, type Kysely } from "kysely";
import { preparedQuery } from "./prepared-query.ts";
import type { Tables } from "./tables.ts";

/** Gives a person's next change number, to be asked inside a write. */
export function changeCounter(db: Kysely<Tables>): (userId: number) => Promise<number> {
  const bump = preparedQuery(db, (userId: number) =>
    db
      .insertInto("userState")
      .values({ userId, lastChange: 1, systemRead: -1, systemReadChanged: 0 })
      .onConflict((conflict) =>
        conflict.column("userId").doUpdateSet({ lastChange: sql`${sql.ref("userState.lastChange")} + 1` }),
      )
      .returning("lastChange"),
  );
  return async (userId) => {
    const [row] = (await bump(userId)).rows;
    if (row === undefined) throw new Error("the change counter answered no row");
    return row.lastChange;
  };
}

/** Gives everybody who is or was in a group their next change number, in one statement. */
export function membersChangeCounter(db: Kysely<Tables>): (groupId: number) => Promise<unknown> {
  return preparedQuery(db, (groupId: number) =>
    db
      .insertInto("userState")
      .columns(["userId", "lastChange", "systemRead", "systemReadChanged"])
      .expression((eb) =>
        eb
          .selectFrom("groupMember")
          .select([
            "userId",
            sql<number>`1`.as("lastChange"),
            sql<number>`-1`.as("systemRead"),
            sql<number>`0`.as("systemReadChanged"),
          ])
          .where("groupId", "=", groupId)
          // In one order always: two nodes that count for the same people never wait for each other.
          .orderBy("userId"),
      )
      .onConflict((conflict) =>
        conflict.column("userId").doUpdateSet({ lastChange: sql`${sql.ref("userState.lastChange")} + 1` }),
      ),
  );
}
