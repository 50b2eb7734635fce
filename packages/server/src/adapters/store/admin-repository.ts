import type { PeopleState } from "@parley/protocol/admin-entities";
import { type Compilable, type Expression, type Kysely, type SelectQueryBuilder, sql } from "kysely";
import type { UserRow } from "../../ports/account-store.ts";
import type { AdminReads, AdminWrites, AuditFilter, Page, PageOptions } from "../../ports/admin-store.ts";
import type { GroupRow } from "../../ports/group-store.ts";
import { deleteMeta, findMeta, setMeta } from "./meta.ts";
import { nextId } from "./next-id.ts";
import type { Tables } from "./tables.ts";

const SETUP_KEY = "adminSetup";
/** No text that begins with a prefix is above the prefix with this behind it. */
const LAST_CHARACTER = "\u{10FFFF}";

/** What the lists read by other repositories. */
interface RowReads {
  findUsers(ids: readonly number[]): Promise<Map<number, UserRow>>;
  findGroups(ids: readonly number[]): Promise<Map<number, GroupRow>>;
}

type IdQuery = SelectQueryBuilder<Tables, "user" | "chatGroup", { id: number }>;

/** The ids that match, of all people or of those in one state, and how many there are. */
export interface IdPageQueries {
  ids: Compilable<{ id: number }> & { execute(): Promise<{ id: number }[]> };
  total: Compilable<{ count: number | string }> & {
    executeTakeFirstOrThrow(): Promise<{ count: number | string }>;
  };
}

const startsWith = (column: Expression<unknown>, key: string) =>
  sql<boolean>`${column} collate "BINARY" >= ${key} and ${column} collate "BINARY" < ${key + LAST_CHARACTER}`;

/** The id that a query is, apart from the beginning of a name. */
const idOf = (query: string): number | undefined => (/^\d{1,15}$/.test(query) ? Number(query) : undefined);

/** The columns of each table by whose beginnings rows are found. */
const SEARCHED = { user: ["userNameKey", "nickNameKey"], chatGroup: ["nameKey"] } as const;
type Searched = keyof typeof SEARCHED;

/** A search that finds more rows is not sorted, but filters all rows in the order in which they are shown. */
const SORTED_MAX = 2_000;

/** The ids of rows that match, in no order, by the indexes of the names. One more than `SORTED_MAX` at most. */
export function matchingIdsQuery(
  db: Kysely<Tables>,
  table: Searched,
  query: string,
): Compilable<{ id: number }> & { execute(): Promise<{ id: number }[]> } {
  const from = () => (db.selectFrom(table) as unknown as IdQuery).select("id");
  const id = idOf(query);
  const parts = SEARCHED[table].map((column) =>
    from().where(startsWith(sql.ref(column), query.toLowerCase())),
  );
  if (id !== undefined) parts.push(from().where("id", "=", id));
  return parts.reduce((all, part) => all.union(part)).limit(SORTED_MAX + 1);
}

/** A row whose name begins so, or that has this id. The names are not read from their indexes, which have another order than the page. */
const matches = (table: Searched, query: string) => {
  const id = idOf(query);
  const named = SEARCHED[table].map(
    (column) => sql<boolean>`(${startsWith(sql`(${sql.ref(column)} || '')`, query.toLowerCase())})`,
  );
  const conditions = id === undefined ? named : [...named, sql<boolean>`"id" = ${id}`];
  return sql<boolean>`(${sql.join(conditions, sql` or `)})`;
};

/** A page of the rows that match so many that sorting them would take longer than looking at all. */
export function filteredPageQueries(
  db: Kysely<Tables>,
  table: Searched,
  query: string,
  { offset, limit }: PageOptions,
): IdPageQueries {
  const rows = (db.selectFrom(table) as unknown as IdQuery).where(matches(table, query));
  return {
    ids: rows.select("id").orderBy("id", "desc").limit(limit).offset(offset),
    total: rows.clearSelect().select((eb) => eb.fn.countAll<number | string>().as("count")),
  };
}

/** A page of the people in a state, of all of them if `query` is empty. */
export function statePageQueries(
  db: Kysely<Tables>,
  query: string,
  state: Exclude<PeopleState, "all">,
  { offset, limit }: PageOptions,
): IdPageQueries {
  const inState = {
    banned: sql<boolean>`"banReason" is not null`,
    unregistered: sql<boolean>`"unregisteredAt" is not null`,
    admin: sql<boolean>`"isAdmin" = 1`,
  }[state];
  const all = db.selectFrom("user").where(inState);
  const people = query === "" ? all : all.where(matches("user", query));
  return {
    ids: people.select("id").orderBy("id", "desc").limit(limit).offset(offset),
    total: people.select((eb) => eb.fn.countAll<number | string>().as("count")),
  };
}

/** The query of a page of everybody: the ids of these tables have no gaps, so a page is a range of them. */
export function idRangeQuery(
  db: Kysely<Tables>,
  table: "user" | "chatGroup",
  newest: number,
  { offset, limit }: PageOptions,
): Compilable<{ id: number }> & { execute(): Promise<{ id: number }[]> } {
  return (db.selectFrom(table) as unknown as IdQuery)
    .select("id")
    .where("id", "<=", newest - offset)
    .where("id", ">", newest - offset - limit)
    .orderBy("id", "desc");
}

/** Reads the lists for administrators. */
export function adminReads(db: Kysely<Tables>, rowsOf: RowReads): AdminReads {
  const newestId = async (table: "user" | "chatGroup" | "notice" | "adminAudit") =>
    (await db.selectFrom(table).select("id").orderBy("id", "desc").limit(1).executeTakeFirst())?.id ?? 0;
  const idsOf = async ({ ids, total }: IdPageQueries): Promise<Page<number>> => ({
    total: Number((await total.executeTakeFirstOrThrow()).count),
    rows: (await ids.execute()).map(({ id }) => id),
  });
  const rangeOf = async (table: "user" | "chatGroup", page: PageOptions): Promise<Page<number>> => {
    const newest = await newestId(table);
    return {
      total: newest,
      rows: (await idRangeQuery(db, table, newest, page).execute()).map(({ id }) => id),
    };
  };
  const load = async <Row>(
    { total, rows }: Page<number>,
    find: (ids: readonly number[]) => Promise<Map<number, Row>>,
  ): Promise<Page<Row>> => {
    const found = await find(rows);
    return { total, rows: rows.flatMap((id) => found.get(id) ?? []) };
  };

  const searchedPage = async (table: Searched, query: string, page: PageOptions): Promise<Page<number>> => {
    if (query === "") return rangeOf(table, page);
    const found = await matchingIdsQuery(db, table, query).execute();
    if (found.length > SORTED_MAX) return idsOf(filteredPageQueries(db, table, query, page));
    const sorted = found.map(({ id }) => id).sort((one, other) => other - one);
    return { total: sorted.length, rows: sorted.slice(page.offset, page.offset + page.limit) };
  };

  return {
    async listPeoplePage(query, state, page) {
      const ids =
        state === "all"
          ? await searchedPage("user", query, page)
          : await idsOf(statePageQueries(db, query, state, page));
      return load(ids, rowsOf.findUsers);
    },
    async listLastSeen(userIds) {
      if (userIds.length === 0) return new Map();
      const rows = await db
        .selectFrom("session")
        .select(["userId", (eb) => eb.fn.max("lastSeenAt").as("at")])
        .where("userId", "in", userIds)
        .groupBy("userId")
        .execute();
      return new Map(rows.map(({ userId, at }) => [userId, at]));
    },
    async countActiveAdmins() {
      const { count } = await db
        .selectFrom("user")
        .select((eb) => eb.fn.countAll<number | string>().as("count"))
        .where(sql<boolean>`"isAdmin" = 1`)
        .where("banReason", "is", null)
        .where("unregisteredAt", "is", null)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    async hasAdmin() {
      const found = await db
        .selectFrom("user")
        .select("id")
        .where(sql<boolean>`"isAdmin" = 1`)
        .where("unregisteredAt", "is", null)
        .limit(1)
        .executeTakeFirst();
      return found !== undefined;
    },
    async listGroupsPage(query, page) {
      return load(await searchedPage("chatGroup", query, page), rowsOf.findGroups);
    },
    async listMembersPage(groupId, { offset, limit }) {
      const members = db.selectFrom("groupMember").where("groupId", "=", groupId).where("quit", "=", 0);
      const { count } = await members
        .select((eb) => eb.fn.countAll<number | string>().as("count"))
        .executeTakeFirstOrThrow();
      const rows = await members
        .select(["userId", "role", "isMuted"])
        .orderBy("role", "desc")
        .orderBy("userId")
        .limit(limit)
        .offset(offset)
        .execute();
      return {
        total: Number(count),
        rows: rows.map(({ isMuted, ...row }) => ({ ...row, isMuted: isMuted === 1 })),
      };
    },
    async listInviteCodes({ offset, limit }) {
      const { count } = await db
        .selectFrom("inviteCode")
        .select((eb) => eb.fn.countAll<number | string>().as("count"))
        .executeTakeFirstOrThrow();
      const rows = await db
        .selectFrom("inviteCode")
        .selectAll()
        .orderBy("code")
        .limit(limit)
        .offset(offset)
        .execute();
      return { total: Number(count), rows };
    },
    async listNotices({ offset, limit }) {
      const total = await newestId("notice");
      const rows = await db
        .selectFrom("notice")
        .selectAll()
        .where("id", "<=", total - offset)
        .where("id", ">", total - offset - limit)
        .orderBy("id", "desc")
        .execute();
      return { total, rows };
    },
    async listAudit(filter, { offset, limit }) {
      const acts = auditQuery(db, filter);
      const { count } = await acts
        .select((eb) => eb.fn.countAll<number | string>().as("count"))
        .executeTakeFirstOrThrow();
      const rows = await acts.selectAll().orderBy("id", "desc").limit(limit).offset(offset).execute();
      return { total: Number(count), rows: rows.map((row) => ({ ...row, isLook: row.isLook === 1 })) };
    },
    findSetupHash: () => findMeta(db, SETUP_KEY),
  };
}

function auditQuery(db: Kysely<Tables>, { actorId, action, isLook }: AuditFilter) {
  let acts = db.selectFrom("adminAudit");
  if (actorId !== undefined) acts = acts.where("actorId", actorId === null ? "is" : "=", actorId);
  if (action !== undefined) acts = acts.where("action", "=", action);
  if (isLook !== undefined) acts = acts.where("isLook", "=", Number(isLook));
  return acts;
}

/** Writes for administrators. */
export function adminWrites(db: Kysely<Tables>): AdminWrites {
  return {
    async setAdmin(userId, isAdmin) {
      await db
        .updateTable("user")
        .set({ isAdmin: Number(isAdmin) })
        .where("id", "=", userId)
        .execute();
    },
    async insertAudit({ isLook, ...row }) {
      await db
        .insertInto("adminAudit")
        .values({ ...row, id: await nextId(db, "adminAudit"), isLook: Number(isLook) })
        .execute();
    },
    setSetupHash: (hash) => (hash === null ? deleteMeta(db, SETUP_KEY) : setMeta(db, SETUP_KEY, hash)),
    async deleteInviteCode(code) {
      const { numDeletedRows } = await db
        .deleteFrom("inviteCode")
        .where("code", "=", code)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}
