import type { QueryTerm } from "@parley/protocol/search-text";
import { kyselyOver, type ReadConnections, type WriteConnection } from "./postgres-connections.ts";
import { indexAll } from "./search-backfill.ts";
import { type IndexQuery, SEARCH_TABLE, type SearchIndex } from "./search-index.ts";

/**
 * The index has the same terms and tags as that of SQLite, as the lexemes of a `tsvector`. Nothing of PostgreSQL's own parsing takes part:
 * its parsers know no Han words. `fastupdate` is off because terms that wait in its list would make searches slow.
 */
const TERMS_INDEX = `create index "${SEARCH_TABLE}Terms" on "${SEARCH_TABLE}" using gin (terms) with (fastupdate = off)`;
/** The statements that create the index. */
export const CREATE_POSTGRES_SEARCH: readonly string[] = [
  `create table "${SEARCH_TABLE}" (id bigint primary key, terms tsvector not null)`,
  TERMS_INDEX,
];

/** A lexeme may have 2,046 bytes. The index only finds candidates, so the beginning of a longer term is enough. */
const LEXEME_LENGTH_MAX = 255;

/** Creates the index. */
export function postgresSearchIndex(writing: WriteConnection, reading: ReadConnections): SearchIndex {
  return {
    async insert(id, terms, tags) {
      const lexemes = [...tags, ...terms].map(lexemeOf);
      await writing.query(`insert into "${SEARCH_TABLE}" values ($1, array_to_tsvector($2::text[]))`, [
        id,
        lexemes,
      ]);
    },
    async remove(id) {
      await writing.query(`delete from "${SEARCH_TABLE}" where id = $1`, [id]);
    },
    // Autovacuum does it.
    optimize: () => false,
    async find(query) {
      // The matches are collected first: the planner takes a limit for a reason to read the newest messages of all people.
      const { rows } = await reading.queryPlanned(
        `with match as materialized (select id from "${SEARCH_TABLE}" where terms @@ $1::tsquery and id between $2 and $3)
        select id from match order by id desc limit $4`,
        [matchOf(query), query.fromId, query.toId, query.limit],
      );
      return (rows as { id: number }[]).map(({ id }) => id);
    },
  };
}

/** Puts all messages into an empty index, in the transaction of the connection. It takes a tenth of the time of adding one after the other. */
export async function fillPostgresSearch(connection: WriteConnection): Promise<void> {
  // Made anew at the end: growing it row by row takes most of the time.
  await connection.script(`drop index "${SEARCH_TABLE}Terms"`);
  await indexAll(kyselyOver(connection), async (entries) => {
    const lexemes = [...entries.values()].map(({ terms, tags }) =>
      [...tags, ...terms].map(lexemeOf).join(" "),
    );
    await connection.query(
      `insert into "${SEARCH_TABLE}" select id, array_to_tsvector(string_to_array(lexemes, ' ')) from unnest($1::bigint[], $2::text[]) as entry (id, lexemes)`,
      [[...entries.keys()], lexemes],
    );
  });
  await connection.script(`${TERMS_INDEX}; analyze "${SEARCH_TABLE}"`);
}

function matchOf({ terms, tags }: IndexQuery): string {
  const groups = tags.map((list) => `(${list.map(quoted).join(" | ")})`);
  return [...groups, ...terms.map(termOf)].join(" & ");
}

function termOf({ text, isPrefix }: QueryTerm): string {
  return isPrefix ? `${quoted(text)}:*` : quoted(text);
}

function lexemeOf(term: string): string {
  return term.slice(0, LEXEME_LENGTH_MAX);
}

function quoted(term: string): string {
  return `'${lexemeOf(term).replaceAll(/['\\]/g, "$&$&")}'`;
}
