import type { Kysely } from "kysely";
import type { ServerStateReads, ServerStateWrites } from "../../ports/server-state-store.ts";
import type { Tables } from "./tables.ts";

/** Reads settings and nodes. */
export function serverStateReads(db: Kysely<Tables>): ServerStateReads {
  return {
    async listSettings() {
      const rows = await db.selectFrom("serverSetting").selectAll().execute();
      return new Map(rows.map(({ name, json }) => [name, json]));
    },
    async listNodes() {
      const rows = await db.selectFrom("node").selectAll().orderBy("startedAt").orderBy("id").execute();
      return rows.map((row) => ({ ...row, roles: row.roles.split(",") }));
    },
  };
}

/** Writes settings and nodes. */
export function serverStateWrites(db: Kysely<Tables>): ServerStateWrites {
  return {
    async setSetting(name, json) {
      if (json === null) {
        await db.deleteFrom("serverSetting").where("name", "=", name).execute();
        return;
      }
      await db
        .insertInto("serverSetting")
        .values({ name, json })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ json }))
        .execute();
    },
    async saveNode({ roles, ...node }, forgetBefore) {
      const row = { ...node, roles: roles.join(",") };
      await db.deleteFrom("node").where("seenAt", "<", forgetBefore).execute();
      await db
        .insertInto("node")
        .values(row)
        .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
        .execute();
    },
    async removeNode(id) {
      await db.deleteFrom("node").where("id", "=", id).execute();
    },
  };
}
