import type Database from "better-sqlite3";
import type { QueryTerm } from "@parley/protocol/search-text";
import type { SearchTable } from "./engine.ts";
import type { IndexQuery, SearchIndex } from "./search-index.ts";

/**
 * The full-text index in SQLite: FTS5 without the texts themselves. Words of recalled texts disappear from the file at once
 * (`secure-delete`). Automatic merging is off because it runs in steps of up to 150 ms; `optimize` merges a few pages at a time. Terms
 * contain only letters, digits and "_", so a tag, which begins with "@", is never a term.
 */
const creation = (table: SearchTable) => [
  `create virtual table "${table}" using fts5(terms, content='', detail=none, tokenize="ascii tokenchars '_@'")`,
  `insert into "${table}"("${table}", rank) values ('secure-delete', 1)`,
  `insert into "${table}"("${table}", rank) values ('automerge', 0)`,
  `insert into "${table}"("${table}", rank) values ('crisismerge', 1999)`,
];

/** The statements that create an index, and those that replace one of an earlier version. `secure_delete` of the connection overwrites what is dropped. */
export const SQLITE_SEARCH_TABLES = {
  creation,
  replacement: (table: SearchTable) => [`drop table "${table}"`, ...creation(table)],
};

/** Pages merged in one step, which takes at most about 12 ms. */
const MERGE_PAGES = 16;

/** Creates the index over a table. `writing` is the connection of the transactions; `reading` sees committed data only. */
export function sqliteSearchIndex(
  table: SearchTable,
  writing: Database.Database,
  reading: Database.Database,
): SearchIndex {
  const insert = writing.prepare(`insert into "${table}"(rowid, terms) values (?, ?)`);
  const remove = writing.prepare(`insert into "${table}"("${table}", rowid, terms) values ('delete', ?, ?)`);
  const removeSeparators = separatorsOf(table, writing);
  const merge = writing.prepare(`insert into "${table}"("${table}", rank) values ('merge', ?)`);
  const changes = writing.prepare("select total_changes()").pluck();
  const find = reading
    .prepare(
      `select rowid from "${table}" where "${table}" match ? and rowid >= ? and rowid <= ? order by rowid desc limit ?`,
    )
    .pluck();

  return {
    insert: (id, terms, tags) => void insert.run(id, [...tags, ...terms].join(" ")),
    remove(id, terms, tags) {
      remove.run(id, [...tags, ...terms].join(" "));
      removeSeparators(terms);
    },
    optimize() {
      // A merge without work changes exactly one row, its own.
      const before = Number(changes.get());
      merge.run(MERGE_PAGES);
      return Number(changes.get()) - before > 1;
    },
    // Only the id column is selected.
    find: (query) => find.all(matchOf(query), query.fromId, query.toId, query.limit) as number[],
  };
}

/** Begins every term in the tables of FTS5. */
const TERM_MARK = "0";

/** A separator before a page of a segment, and the term that it holds. */
interface Separator {
  readonly segment: number;
  readonly term: string;
  readonly bytes: Buffer;
}

/**
 * Returns a function that removes terms from the separators between the pages of an index, which `secure-delete` leaves as they are. A merge
 * that goes on after a pause writes a whole term there. Call it after the terms were removed; those that other messages have stay.
 */
function separatorsOf(table: SearchTable, db: Database.Database): (terms: readonly string[]) => void {
  const terms = `temp."${table}Terms"`;
  db.exec(`create virtual table if not exists ${terms} using fts5vocab(main, "${table}", row)`);
  // Those that this has made have zeros after the term.
  const find = db.prepare<[string], Separator>(`
    with recursive segments(segment) as (
      select min(segid) from "${table}_idx"
      union all
      select (select min(segid) from "${table}_idx" where segid > segment) from segments where segment is not null
    )
    select segment, value as term, separators.term as bytes from segments join json_each(?)
    join "${table}_idx" as separators
    on segid = segment and separators.term >= cast('${TERM_MARK}' || value as blob)
      and separators.term < cast('${TERM_MARK}' || value || char(1) as blob)
    order by segment, bytes`);
  const isUsed = db.prepare(`select 1 from ${terms} where term = ?`);
  const lastTerm = db
    .prepare<[string, string], string | null>(`select max(term) from ${terms} where term >= ? and term < ?`)
    .pluck();
  const lastSeparator = db
    .prepare<[number, Buffer], Buffer | null>(
      `select max(term) from "${table}_idx" where segid = ? and term < ?`,
    )
    .pluck();

  /** The greatest term of the whole index before this one; "" if there is none. */
  function termBefore(term: string): string {
    const characters = [...term];
    // Most likely a term before it has the same beginning, and the longer that is, the fewer have it.
    for (let length = characters.length - 1; length > 0; length--) {
      const found = lastTerm.get(characters.slice(0, length).join(""), term);
      if (typeof found === "string") return found;
    }
    return lastTerm.get("", term) ?? "";
  }

  function replace({ segment, term, bytes }: Separator): void {
    const before = Buffer.from(TERM_MARK + termBefore(term));
    const previous = lastSeparator.get(segment, bytes) ?? before;
    const greatest = Buffer.compare(previous, before) > 0 ? previous : before;
    // A separator is greater than all terms of the pages before it, and not greater than those of its page. This is the next possible one.
    const next = Buffer.concat([greatest, Buffer.of(0)]);
    // SQLite protects the tables of its extensions, also from a statement that was prepared before.
    db.unsafeMode(true);
    try {
      const change = db.prepare(`update "${table}_idx" set term = ? where segid = ? and term = ?`);
      change.run(next, segment, bytes);
    } finally {
      db.unsafeMode(false);
    }
  }

  return (removed) => {
    for (const separator of find.all(JSON.stringify(removed)))
      if (isUsed.get(separator.term) === undefined) replace(separator);
  };
}

function matchOf({ terms, tags }: IndexQuery): string {
  const groups = tags.map((list) => `(${list.map(quoted).join(" OR ")})`);
  return [...groups, ...terms.map(termOf)].join(" AND ");
}

function termOf({ text, isPrefix }: QueryTerm): string {
  return isPrefix ? `${quoted(text)} *` : quoted(text);
}

function quoted(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}
