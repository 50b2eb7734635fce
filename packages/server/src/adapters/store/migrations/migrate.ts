import type { Kysely } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import type { SearchTable } from "../engine.ts";
import type { Tables } from "../tables.ts";
import { closeDissolvedRequests } from "./close-dissolved-requests.ts";
import { addAdministration } from "./add-administration.ts";
import { addCallOfferCount } from "./add-call-offer-count.ts";
import { addCalls } from "./add-calls.ts";
import { addDeletedUploads } from "./add-deleted-uploads.ts";
import { addFindableBy } from "./add-findable-by.ts";
import { addFileHashes } from "./add-file-hashes.ts";
import { addGroupFirstTexts } from "./add-group-first-texts.ts";
import { addGroupMessageChanges } from "./add-group-message-changes.ts";
import { addGroupCreationKeys } from "./add-group-creation-keys.ts";
import { addGroupStayStarts } from "./add-group-stay-starts.ts";
import { addGroups } from "./add-groups.ts";
import { addMemberChanges } from "./add-member-changes.ts";
import { addMessageFiles } from "./add-message-files.ts";
import { addMessageChanges } from "./add-message-changes.ts";
import { addNoticeCounts } from "./add-notice-counts.ts";
import { addNoticesAndFileUse } from "./add-notices-and-file-use.ts";
import { addReceiptTimes } from "./add-receipt-times.ts";
import { addReports } from "./add-reports.ts";
import { addRequestSource } from "./add-request-source.ts";
import { addSearch } from "./add-search.ts";
import { addSharedScreens } from "./add-shared-screens.ts";
import { addServerState } from "./add-server-state.ts";
import { addSessionAddress } from "./add-session-address.ts";
import { addSessionEnds } from "./add-session-ends.ts";
import { addWaysToBeFound } from "./add-ways-to-be-found.ts";
import { addWebPush } from "./add-web-push.ts";
import { createFirstTables } from "./first-tables.ts";
import { orderTmpIds } from "./order-tmp-ids.ts";
import { rebuildSearch } from "./rebuild-search.ts";

type IdType = "integer" | "bigint";
type SearchStatements = (table: SearchTable) => readonly string[];

/** The statements of the dialect for search indexes. */
interface SearchTables {
  creation: SearchStatements;
  /** Replaces an index of an earlier version. No server of that version may run: it would fill the new one with its own terms. */
  replacement: SearchStatements;
}

/** All migrations by name, in order. */
export function migrationsOf(idType: IdType, searchTables: SearchTables): Record<string, Migration> {
  const replaceSearch = (db: Kysely<Tables>) =>
    rebuildSearch(db, [
      ...searchTables.replacement("privateSearch"),
      ...searchTables.replacement("groupSearch"),
    ]);
  return {
    "0001-start": { up: (db: Kysely<Tables>) => createFirstTables(db, idType) },
    "0002-message-life": { up: (db: Kysely<Tables>) => addMessageChanges(db, idType) },
    "0003-notices": { up: (db: Kysely<Tables>) => addNoticesAndFileUse(db, idType) },
    "0004-search": { up: (db: Kysely<Tables>) => addSearch(db, searchTables.creation("privateSearch")) },
    "0005-groups": { up: (db: Kysely<Tables>) => addGroups(db, idType) },
    "0006-group-life": {
      up: (db: Kysely<Tables>) => addGroupMessageChanges(db, idType, searchTables.creation("groupSearch")),
    },
    "0007-group-first-texts": { up: (db: Kysely<Tables>) => addGroupFirstTexts(db, idType) },
    "0008-group-makings": { up: (db: Kysely<Tables>) => addGroupCreationKeys(db) },
    "0009-group-stay-starts": { up: (db: Kysely<Tables>) => addGroupStayStarts(db) },
    "0010-session-ends": { up: (db: Kysely<Tables>) => addSessionEnds(db) },
    "0011-request-source": { up: (db: Kysely<Tables>) => addRequestSource(db) },
    "0012-dissolved-requests": { up: (db: Kysely<Tables>) => closeDissolvedRequests(db) },
    // Words of recalled texts stayed in the index; a new kind of table removes them.
    "0013-search-without-recalled": { up: replaceSearch },
    "0014-file-hashes": { up: (db: Kysely<Tables>) => addFileHashes(db) },
    "0015-message-files": { up: (db: Kysely<Tables>) => addMessageFiles(db) },
    "0016-deleted-uploads": { up: (db: Kysely<Tables>) => addDeletedUploads(db) },
    "0017-findable-by": { up: (db: Kysely<Tables>) => addFindableBy(db) },
    "0018-web-push": { up: (db: Kysely<Tables>) => addWebPush(db) },
    "0019-calls": { up: (db: Kysely<Tables>) => addCalls(db) },
    "0020-shared-screens": { up: (db: Kysely<Tables>) => addSharedScreens(db) },
    "0021-call-offer-count": { up: (db: Kysely<Tables>) => addCallOfferCount(db) },
    "0022-member-changes": { up: (db: Kysely<Tables>) => addMemberChanges(db) },
    "0023-administration": { up: (db: Kysely<Tables>) => addAdministration(db, idType) },
    "0024-reports": { up: (db: Kysely<Tables>) => addReports(db, idType) },
    "0025-server-state": { up: (db: Kysely<Tables>) => addServerState(db) },
    "0026-notice-counts": { up: (db: Kysely<Tables>) => addNoticeCounts(db) },
    // Before the next one, because it takes long: the table of sessions should not be locked meanwhile.
    "0027-tmp-ids-by-time": { up: (db: Kysely<Tables>) => orderTmpIds(db) },
    "0028-session-address": { up: (db: Kysely<Tables>) => addSessionAddress(db) },
    "0029-ways-to-be-found": { up: (db: Kysely<Tables>) => addWaysToBeFound(db) },
    "0030-receipt-times": { up: (db: Kysely<Tables>) => addReceiptTimes(db, idType) },
    // Messages yield other terms than before: words inside texts without blanks, and signs.
    "0031-search-within-words": { up: replaceSearch },
  };
}

/**
 * Brings the tables up to date. Throws when a migration fails or when a newer server created the database.
 * `isInTransaction` says that the caller has begun a transaction, to which all of it then belongs.
 */
export async function migrate(
  db: Kysely<Tables>,
  idType: IdType,
  searchTables: SearchTables,
  isInTransaction = false,
): Promise<void> {
  const migrator = new Migrator({
    db,
    disableTransactions: isInTransaction,
    provider: { getMigrations: async () => migrationsOf(idType, searchTables) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw newerVersionOf(error) ?? error;
}

/** What the library calls corrupted: a change of the tables that this version does not have. */
const UNKNOWN_CHANGE = /previously executed migration (\S+) is missing/;

function newerVersionOf(error: unknown): Error | undefined {
  const [, name] = UNKNOWN_CHANGE.exec(error instanceof Error ? error.message : "") ?? [];
  if (name === undefined) return undefined;
  return new Error(
    `a newer version of Parley has used it, which changed its tables (${name}); start that version or a later one, or restore a backup from before the upgrade`,
    { cause: error },
  );
}
