import { sql, type Kysely, type SelectQueryBuilder } from "kysely";
import { preparedQuery } from "./prepared-query.ts";
import type { Tables } from "./tables.ts";

/** Increments and returns a person's change number. Call the function inside a write. */
export function changeCounter(db: Kysely<Tables>): (userId: number) => Promise<number> {
  const increment = preparedQuery(db, (userId: number) =>
    db
      .insertInto("userState")
      .values({ userId, lastChange: 1, systemRead: -1, systemReadChanged: 0 })
      .onConflict((conflict) =>
        conflict.column("userId").doUpdateSet({ lastChange: sql`${sql.ref("userState.lastChange")} + 1` }),
      )
      .returning("lastChange"),
  );
  return async (userId) => {
    const [row] = (await increment(userId)).rows;
    if (row === undefined) throw new Error("the change counter returned no row");
    return row.lastChange;
  };
}

/** Increments the change numbers of all current and former members of a group, in one statement. */
export function membersChangeCounter(db: Kysely<Tables>): (groupId: number) => Promise<unknown> {
  return preparedQuery(db, (groupId: number) =>
    incrementOfAll(db, db.selectFrom("groupMember").select("userId").where("groupId", "=", groupId)),
  );
}

/** The statement that increments the change numbers of these people, of whom a query may name somebody more than once. */
export function incrementOfAll(
  db: Kysely<Tables>,
  people: SelectQueryBuilder<Tables, keyof Tables, { userId: number }>,
) {
  return db
    .insertInto("userState")
    .columns(["userId", "lastChange", "systemRead", "systemReadChanged"])
    .expression((eb) =>
      eb
        .selectFrom(people.distinct().as("person"))
        .select([
          "person.userId",
          sql<number>`1`.as("lastChange"),
          sql<number>`-1`.as("systemRead"),
          sql<number>`0`.as("systemReadChanged"),
        ])
        // SQLite takes the "on" of "on conflict" for that of a join unless there is a condition.
        .where(sql<boolean>`true`)
        // Always in the same order, so that two nodes that update the same people cannot deadlock.
        .orderBy("person.userId"),
    )
    .onConflict((conflict) =>
      conflict.column("userId").doUpdateSet({ lastChange: sql`${sql.ref("userState.lastChange")} + 1` }),
    );
}
