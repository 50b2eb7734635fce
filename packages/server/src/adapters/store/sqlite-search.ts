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
  const merge = writing.prepare(`insert into "${table}"("${table}", rank) values ('merge', ?)`);
  const changes = writing.prepare("select total_changes()").pluck();
  const find = reading
    .prepare(
      `select rowid from "${table}" where "${table}" match ? and rowid >= ? and rowid <= ? order by rowid desc limit ?`,
    )
    .pluck();

  return {
    insert: (id, terms, tags) => void insert.run(id, [...tags, ...terms].join(" ")),
    remove: (id, terms, tags) => void remove.run(id, [...tags, ...terms].join(" ")),
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
