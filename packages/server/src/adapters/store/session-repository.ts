import { type Kysely, sql } from "kysely";
import type {
  SessionReads,
  SessionRow,
  SessionUse,
  SessionWithAccount,
  SessionWrites,
} from "../../ports/account-store.ts";
import { isEmpty } from "./account-repository.ts";
import { inBatches, preparedQuery } from "./prepared-query.ts";
import type { Tables } from "./tables.ts";

/** Reads sessions. */
export function sessionReads(db: Kysely<Tables>): SessionReads {
  const sessionById = preparedQuery(db, (id: string) =>
    db.selectFrom("session").selectAll().where("id", "=", id),
  );
  // Not a join: our SQLite (built with STAT4) plans a join anew whenever values are bound, which costs ten times as much as running it.
  const sessionsWithAccounts = db
    .selectFrom("session")
    .selectAll()
    .select((eb) => {
      const user = eb.selectFrom("user").whereRef("user.id", "=", "session.userId");
      return [user.select("banReason").as("banReason"), user.select("unregisteredAt").as("unregisteredAt")];
    });
  const sessionWithAccount = preparedQuery(db, (id: string) => sessionsWithAccounts.where("id", "=", id));
  const sessionsOf = preparedQuery(db, (userId: number, now: number) =>
    db
      .selectFrom("session")
      .selectAll()
      .where("userId", "=", userId)
      .where("expiresAt", ">", now)
      .where("endedAt", "is", null)
      .orderBy("createdAt"),
  );

  return {
    async findSession(id) {
      return (await sessionById(id)).rows[0];
    },
    async findSessionWithAccount(id) {
      const [row] = (await sessionWithAccount(id)).rows;
      return row && splitAccount(row);
    },
    async findSessionsWithAccounts(ids) {
      const found = new Map<string, SessionWithAccount>();
      for (const batch of inBatches(ids)) {
        const rows = await sessionsWithAccounts.where("id", "in", batch).execute();
        for (const row of rows) found.set(row.id, splitAccount(row));
      }
      return found;
    },
    async listSessions(userId, now) {
      return (await sessionsOf(userId, now)).rows;
    },
  };
}

function splitAccount({
  banReason,
  unregisteredAt,
  ...session
}: SessionRow & SessionWithAccount["account"]): SessionWithAccount {
  return { session, account: { banReason, unregisteredAt } };
}

/** Writes sessions. */
export function sessionWrites(db: Kysely<Tables>): SessionWrites {
  /** A device whose session is over is told of nothing more. */
  const deleteSubscriptions = async (sessionIds: readonly string[]): Promise<void> => {
    for (const batch of inBatches(sessionIds)) {
      await db.deleteFrom("webPushSubscription").where("sessionId", "in", batch).execute();
    }
  };
  /** One statement for many sessions, because each one costs PostgreSQL a round trip, and all that are connected come each minute. */
  const touch = (uses: readonly SessionUse[]) => {
    const rows = sql.join(uses.map(([id, at, address]) => sql`(${id}, ${at}, ${address})`));
    // PostgreSQL takes values whose type nothing tells for text. Both databases name the columns like this.
    const seen = sql<{ id: string; at: number; address: string | null }>`(
      select cast(column1 as text) as "id", cast(column2 as bigint) as "at", cast(column3 as text) as "address"
      from (values ${rows}) as v)`;
    const address = sql<string | null>`coalesce("seen"."address", "session"."address")`;
    return db
      .updateTable("session")
      .from(seen.as("seen"))
      .set((eb) => ({ lastSeenAt: eb.ref("seen.at"), address }))
      .whereRef("session.id", "=", "seen.id")
      .where((eb) =>
        eb.or([
          eb("session.lastSeenAt", "<", eb.ref("seen.at")),
          // A socket may log in within the same millisecond as its session.
          eb.and([
            eb("session.lastSeenAt", "=", eb.ref("seen.at")),
            eb("session.address", "is distinct from", address),
          ]),
        ]),
      )
      .execute();
  };

  return {
    async insertSession(session) {
      await db
        .insertInto("session")
        .values(session)
        .onConflict((oc) => oc.column("id").doNothing())
        .execute();
    },
    async updateSession(id, patch) {
      if (isEmpty(patch)) return;
      await db.updateTable("session").set(patch).where("id", "=", id).execute();
      if (patch.endedAt != null) await deleteSubscriptions([id]);
    },
    async endSessions(userId, exceptId, reason, now) {
      const rows: Pick<SessionRow, "id">[] = await db
        .updateTable("session")
        .set({ endedAt: now, endReason: reason })
        .where("userId", "=", userId)
        .where("endedAt", "is", null)
        .$if(exceptId !== null, (query) => query.where("id", "!=", exceptId))
        .returning("id")
        .execute();
      const ids = rows.map((row) => row.id);
      await deleteSubscriptions(ids);
      return ids;
    },
    async forgetSessions(before, limit) {
      const rows: Pick<SessionRow, "id">[] = await db
        .deleteFrom("session")
        .where("id", "in", (eb) =>
          eb
            .selectFrom("session")
            .select("id")
            .where((or) => or.or([or("expiresAt", "<", before), or("endedAt", "<", before)]))
            .where("lastSeenAt", "<", before)
            .limit(limit),
        )
        .returning("id")
        .execute();
      await deleteSubscriptions(rows.map((row) => row.id));
      return rows.length;
    },
    async touchSessions(uses) {
      for (const batch of inBatches(uses)) await touch(batch);
    },
  };
}
