import { MessageType } from "@parley/protocol/codes";
import { searchMessages, type SearchHit } from "@parley/protocol/endpoints/search";
import { SEARCH_PAGE } from "@parley/protocol/limits";
import { searchTextOf } from "@parley/protocol/search-text";
import { chatKey, parseChatKey, toChatMessage } from "../model/chats/chat-rows.ts";
import type { ChatKey, Result } from "../model/state.ts";
import type { Api } from "../connection/api.ts";
import { type FindDays, findDays, isServerUnavailable } from "./find-days.ts";
import type { LocalDatabase } from "../storage/local-database.ts";
import type { Ports } from "../ports.ts";
import { listLinks } from "./list-links.ts";
import type { FoundMessage, MediaKind, SearchPage, SearchQuery } from "./search-query.ts";
import { type HitPosition, listLocal, searchLocal } from "./local-search.ts";

/** What the message search needs. */
export interface MessageSearchDeps {
  ports: Ports;
  api: Api;
  database: LocalDatabase;
  /** The id of the person signed in. */
  me: number;
}

/**
 * Where a page ended, so that either source can continue: the server by its own token or from that time, the local database after the last
 * hit.
 */
interface SearchCursor {
  readonly server: string | null;
  /** The last hit; null: no hit so far. */
  readonly last: HitPosition | null;
  readonly total: number;
}

/** Searches for messages and for days with messages. */
export interface SearchActions {
  /** Searches messages, newest first. Asks the server; without a connection, searches the local database. */
  search(query: SearchQuery): Promise<Result<SearchPage>>;
  /**
   * Messages of a chat with pictures and videos, files, or links: newest first, page by page. `next`: that of the previous page, null for
   * the first. Asks the server; without a connection, the local database.
   */
  listMedia(key: ChatKey, kind: MediaKind, next: string | null): Promise<Result<SearchPage>>;
  readonly daysWithMessages: FindDays;
}

/** Creates the search: the server knows all messages; without its answer the local database is searched. */
export function createMessageSearch({ ports, api, database, me }: MessageSearchDeps): SearchActions {
  const toFoundMessage = ({ chatType, targetId, message }: SearchHit): FoundMessage => ({
    key: chatKey(chatType, targetId),
    message: toChatMessage(message, me),
  });

  async function searchServer(query: SearchQuery, cursor: SearchCursor | null): Promise<Result<SearchPage>> {
    const target = query.key === undefined ? null : parseChatKey(query.key);
    const { sendId, types, from } = query;
    // A search that began in the local database continues from the time of its last hit, which is returned again and left out.
    const resumed = cursor?.server === null ? cursor.last : null;
    const to = resumed?.sendTime ?? query.to;
    const result = await api.call(
      searchMessages,
      {
        query: {
          q: query.text,
          ...(target !== null && { chatType: target.type, targetId: target.targetId }),
          ...(types !== undefined && { types: [...types] }),
          ...(sendId !== undefined && { sendId }),
          ...(from !== undefined && { from }),
          ...(to !== undefined && { to }),
          ...(typeof cursor?.server === "string" && { next: cursor.server }),
        },
      },
      { silent: true },
    );
    if (!result.ok) return result;
    const { next } = result.value;
    const isNew = createDeduplicator();
    const hits = result.value.hits
      .map(toFoundMessage)
      .filter((hit) => isNew(hit) && (resumed === null || isAfterHit(hit, resumed)));
    const total = cursor?.total ?? result.value.total;
    const last = positionOfHit(hits.at(-1)) ?? cursor?.last ?? null;
    // An empty page need not be the end, because the server reads a limited number of messages per page.
    const nextCursor = next === null ? null : encodeCursor({ server: next, last, total });
    return { ok: true, value: { hits, total, next: nextCursor } };
  }

  async function searchDatabase(query: SearchQuery, cursor: SearchCursor | null): Promise<SearchPage> {
    const after = cursor?.last ?? null;
    const search = query.text === "" ? listLocal : searchLocal;
    const { hits, total: counted, next } = await search(database, query, { limit: SEARCH_PAGE, after });
    const total = cursor?.total ?? counted;
    return { hits, total, next: next === null ? null : encodeCursor({ server: null, last: next, total }) };
  }

  async function find({ kind, ...rest }: SearchQuery): Promise<Result<SearchPage>> {
    if (kind === "links") return listLinks(find, rest);
    const request = kind === undefined ? rest : { ...rest, types: MEDIA_TYPES[kind] };
    const text = searchTextOf(request.text);
    if (text === "" && !isMediaQuery(request)) return { ok: true, value: NO_HITS };
    const query = { ...request, text };
    const cursor = decodeCursor(request.next);
    if (database.isUsable() && !ports.environment.hasNetwork())
      return { ok: true, value: await searchDatabase(query, cursor) };
    const result = await searchServer(query, cursor);
    if (result.ok || !database.isUsable() || !isServerUnavailable(result.failure)) return result;
    return { ok: true, value: await searchDatabase(query, cursor) };
  }

  return {
    search: find,
    listMedia: (key, kind, next) => find({ key, text: "", kind, ...(next !== null && { next }) }),
    daysWithMessages: findDays({ ports, api, database }),
  };
}

const MEDIA_TYPES: Readonly<Record<Exclude<MediaKind, "links">, readonly MessageType[]>> = {
  pictures: [MessageType.IMAGE, MessageType.VIDEO],
  files: [MessageType.FILE],
};

/** Whether a query without a text asks for something: the messages of some types in one chat. */
function isMediaQuery({ key, types }: SearchQuery): boolean {
  return key !== undefined && types !== undefined;
}

const NO_HITS: SearchPage = { hits: [], total: 0, next: null };

function createDeduplicator(): (hit: FoundMessage) => boolean {
  const seen = new Set<string>();
  return ({ key, message }) => {
    const messageKey = `${key} ${message.id}`;
    const isNew = !seen.has(messageKey);
    seen.add(messageKey);
    return isNew;
  };
}

function positionOfHit(hit: FoundMessage | undefined): HitPosition | null {
  return hit === undefined ? null : { key: hit.key, id: hit.message.id ?? 0, sendTime: hit.message.sendTime };
}

function isAfterHit({ key, message }: FoundMessage, last: HitPosition): boolean {
  const isSameType = parseChatKey(key)?.type === parseChatKey(last.key)?.type;
  return isSameType ? (message.id ?? 0) < last.id : message.sendTime < last.sendTime;
}

function encodeCursor(cursor: SearchCursor): string {
  return JSON.stringify(cursor);
}

/** Reads a cursor. The text comes from `encodeCursor`, because callers only hand it back. */
function decodeCursor(text: string | undefined): SearchCursor | null {
  return text === undefined ? null : (JSON.parse(text) as SearchCursor);
}
