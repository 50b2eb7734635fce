import type Database from "better-sqlite3";
import type { QueryTerm } from "@parley/protocol/search-text";
import { type IndexQuery, SEARCH_TABLE, type SearchIndex } from "./search-index.ts";

/**
 * The full-text index in SQLite: FTS5 without the texts themselves. Words of recalled texts disappear from the file at once
 * (`secure-delete`). Automatic merging is off because it runs in steps of up to 150 ms; `optimize` merges a few pages at a time. Terms
 * contain only letters, digits and "_", so a tag, which begins with "@", is never a term.
 */
export const CREATE_SQLITE_SEARCH: readonly string[] = [
  `create virtual table "${SEARCH_TABLE}" using fts5(terms, content='', detail=none, tokenize="ascii tokenchars '_@'")`,
  `insert into "${SEARCH_TABLE}"("${SEARCH_TABLE}", rank) values ('secure-delete', 1)`,
  `insert into "${SEARCH_TABLE}"("${SEARCH_TABLE}", rank) values ('automerge', 0)`,
  `insert into "${SEARCH_TABLE}"("${SEARCH_TABLE}", rank) values ('crisismerge', 1999)`,
];

/** Pages merged in one step, which takes at most about 12 ms. */
const MERGE_PAGES = 16;

/** Creates the index. `writing` is the connection of the transactions; `reading` sees committed data only. */
export function sqliteSearchIndex(writing: Database.Database, reading: Database.Database): SearchIndex {
  const insert = writing.prepare(`insert into "${SEARCH_TABLE}"(rowid, terms) values (?, ?)`);
  const remove = writing.prepare(
    `insert into "${SEARCH_TABLE}"("${SEARCH_TABLE}", rowid, terms) values ('delete', ?, ?)`,
  );
  const removeSeparators = separatorsOf(writing);
  const merge = writing.prepare(`insert into "${SEARCH_TABLE}"("${SEARCH_TABLE}", rank) values ('merge', ?)`);
  const changes = writing.prepare("select total_changes()").pluck();
  const find = reading
    .prepare(
      `select rowid from "${SEARCH_TABLE}" where "${SEARCH_TABLE}" match ? and rowid >= ? and rowid <= ? order by rowid desc limit ?`,
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
/** So many zeros at the end of a separator are looked for. */
const ZEROS_MAX = 64;

/** What separates a page of a segment from those before it. */
interface Separator {
  readonly segment: number;
  readonly bytes: Buffer;
}

/**
 * Returns a function that removes terms from the separators between the pages of an index, which `secure-delete` leaves as they are: the
 * beginning of the first term of the page or, after a merge that went on after a pause, all of it. Call it after the terms were removed. What
 * terms of other messages begin with stays.
 */
function separatorsOf(db: Database.Database): (terms: readonly string[]) => void {
  const terms = `temp."${SEARCH_TABLE}Terms"`;
  const separators = `"${SEARCH_TABLE}_idx"`;
  db.exec(`create virtual table if not exists ${terms} using fts5vocab(main, "${SEARCH_TABLE}", row)`);
  // A separator that comes from a term is the last one before it. Those that were replaced here have zeros at their end.
  const find = db.prepare<[string], Separator>(`
    with recursive segments(segment) as (
      select min(segid) from ${separators}
      union all
      select (select min(segid) from ${separators} where segid > segment) from segments where segment is not null
    )
    select segment, term as bytes from segments join json_each(?) join ${separators} on segid = segment
      and term < cast('${TERM_MARK}' || value || char(1) as blob) and term >= (
        select max(term) from ${separators} where segid = segment and term <= cast('${TERM_MARK}' || value as blob)
      )
    where length(term) > ${TERM_MARK.length} and term =
      substr(cast('${TERM_MARK}' || value || zeroblob(${ZEROS_MAX}) as blob), 1, length(term))
    group by segment, term order by segment, term`);
  const isBeginning = db.prepare<[Buffer, Buffer]>(
    `select 1 from ${terms} where term >= cast(? as text) and term < cast(? as text) limit 1`,
  );
  const lastTerm = db
    .prepare<[Buffer, Buffer], Buffer | null>(
      `select cast(max(term) as blob) from ${terms} where term >= cast(? as text) and term < cast(? as text)`,
    )
    .pluck();
  const lastSeparator = db
    .prepare<[number, Buffer], Buffer | null>(
      `select max(term) from ${separators} where segid = ? and term < ?`,
    )
    .pluck();

  /** Whether the index has a term that begins so. */
  const isUsed = (bytes: Buffer): boolean =>
    isBeginning.get(bytes, Buffer.concat([bytes, Buffer.of(0xff)])) !== undefined;

  /** The greatest term of the whole index between two bytes; the first ones if there is none. */
  function termBetween(from: Buffer, to: Buffer): Buffer {
    // Most likely the term before it has the same beginning, and the longer that is, the fewer have it.
    for (let length = to.length - 1; length > 0; length--) {
      const beginning = to.subarray(0, length);
      if (Buffer.compare(beginning, from) <= 0) break;
      const found = lastTerm.get(beginning, to) ?? null;
      if (found !== null) return found;
    }
    return lastTerm.get(from, to) ?? from;
  }

  function replace({ segment, bytes }: Separator): void {
    const mark = Buffer.from(TERM_MARK);
    const previous = lastSeparator.get(segment, bytes) ?? mark;
    // It has to be greater than all terms of the pages before, which are not before their own separator, and not greater than it was.
    const greatest = termBetween(previous.subarray(mark.length), bytes.subarray(mark.length));
    const next = Buffer.concat([mark, greatest, Buffer.of(0)]);
    // SQLite protects the tables of its extensions, also from a statement that was prepared before.
    db.unsafeMode(true);
    try {
      db.prepare(`update ${separators} set term = ? where segid = ? and term = ?`).run(next, segment, bytes);
    } finally {
      db.unsafeMode(false);
    }
  }

  return (removed) => {
    for (const separator of find.all(JSON.stringify(removed))) {
      const text = separator.bytes.subarray(TERM_MARK.length);
      const zeros = text.indexOf(0);
      if (!isUsed(zeros < 0 ? text : text.subarray(0, zeros))) replace(separator);
    }
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
