import { searchMessages, type SearchHit } from "@parley/protocol/endpoints/search";
import { SEARCH_PAGE, SEARCH_QUERY_MAX } from "@parley/protocol/limits";
import { chatKey, parseChatKey, toChatMessage } from "../model/chats/chat-rows.ts";
import type { Result } from "../model/state.ts";
import type { Api } from "../connection/api.ts";
import type { FoundMessage, SearchPage, SearchQuery } from "../client-api.ts";
import { type FindDays, findDays, isServerUnavailable } from "./find-days.ts";
import { isRecord } from "../storage/key-value-storage.ts";
import type { LocalDatabase } from "../storage/local-database.ts";
import type { Ports } from "../ports.ts";
import { type HitPosition, searchLocal } from "./local-search.ts";

export interface MessageSearchDeps {
  ports: Ports;
  api: Api;
  database: LocalDatabase;
  me(): number;
}

/** Where a page ended, for whoever answers the next one: the server goes on by its own token, or from that moment. */
interface SearchCursor {
  readonly server: string | null;
  /** null: so far nothing was found. */
  readonly last: HitPosition | null;
  readonly total: number;
}

export interface MessageSearch {
  find(query: SearchQuery): Promise<Result<SearchPage>>;
  days: FindDays;
}

/** Finds messages: the server knows them all, and without it this device answers from what it keeps. */
export function createMessageSearch({ ports, api, database, me }: MessageSearchDeps): MessageSearch {
  const found = ({ chatType, targetId, message }: SearchHit): FoundMessage => ({
    key: chatKey(chatType, targetId),
    message: toChatMessage(message, me()),
  });

  async function searchServer(query: SearchQuery, cursor: SearchCursor | null): Promise<Result<SearchPage>> {
    const target = query.key === undefined ? null : parseChatKey(query.key);
    const { sendId, types, from } = query;
    // Begun on this device, continued there: from the moment of the last find on, which comes again and is left out.
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
      .map(found)
      .filter((find) => isNew(find) && (resumed === null || isAfterHit(find, resumed)));
    const total = cursor?.total ?? result.value.total;
    const last = positionOfHit(hits.at(-1)) ?? cursor?.last ?? null;
    // A page may be empty and yet not the end: the server looks at so many messages at once.
    const mine = next === null ? null : encodeCursor({ server: next, last, total });
    return { ok: true, value: { hits, total, next: mine } };
  }

  async function searchDatabase(query: SearchQuery, cursor: SearchCursor | null): Promise<SearchPage> {
    const after = cursor?.last ?? null;
    const { hits, total: counted, next } = await searchLocal(database, query, { limit: SEARCH_PAGE, after });
    const total = cursor?.total ?? counted;
    return { hits, total, next: next === null ? null : encodeCursor({ server: null, last: next, total }) };
  }

  async function find(request: SearchQuery): Promise<Result<SearchPage>> {
    const text = request.text.trim().slice(0, SEARCH_QUERY_MAX);
    if (text === "") return { ok: true, value: NO_HITS };
    const query = { ...request, text };
    const cursor = decodeCursor(request.next);
    if (database.isUsable() && !ports.environment.hasNetwork())
      return { ok: true, value: await searchDatabase(query, cursor) };
    const result = await searchServer(query, cursor);
    if (result.ok || !database.isUsable() || !isServerUnavailable(result.failure)) return result;
    return { ok: true, value: await searchDatabase(query, cursor) };
  }

  return { find, days: findDays({ ports, api, database }) };
}

const NO_HITS: SearchPage = { hits: [], total: 0, next: null };

function createDeduplicator(): (find: FoundMessage) => boolean {
  const seen = new Set<string>();
  return ({ key, message }) => {
    const name = `${key} ${message.id}`;
    const isNew = !seen.has(name);
    seen.add(name);
    return isNew;
  };
}

function positionOfHit(find: FoundMessage | undefined): HitPosition | null {
  return find === undefined
    ? null
    : { key: find.key, id: find.message.id ?? 0, sendTime: find.message.sendTime };
}

function isAfterHit({ key, message }: FoundMessage, last: HitPosition): boolean {
  const isSameType = parseChatKey(key)?.type === parseChatKey(last.key)?.type;
  return isSameType ? (message.id ?? 0) < last.id : message.sendTime < last.sendTime;
}

function encodeCursor(mark: SearchCursor): string {
  return JSON.stringify(mark);
}

/** A bookmark is handed out and comes back as it was. */
function decodeCursor(text: string | undefined): SearchCursor | null {
  const value: unknown = text === undefined ? null : JSON.parse(text);
  return isRecord(value) ? (value as unknown as SearchCursor) : null;
}
