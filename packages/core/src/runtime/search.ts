import { searchMessages, type SearchHit } from "@parley/protocol/endpoints/search";
import { SEARCH_PAGE, SEARCH_QUERY_MAX } from "@parley/protocol/limits";
import { chatKey, parseChatKey, talkMessage } from "../model/rows.ts";
import type { Result } from "../model/state.ts";
import type { Api } from "./api.ts";
import type { SearchFind, SearchPage, SearchQuery } from "./client-api.ts";
import { type FindDays, findDays, isSilence } from "./days.ts";
import { isRecord } from "./keep.ts";
import type { Disk } from "./persist.ts";
import type { Ports } from "./ports.ts";
import { type FindPlace, searchDisk } from "./search-disk.ts";

export interface SearchDeps {
  ports: Ports;
  api: Api;
  disk: Disk;
  me(): number;
}

/** Where a page ended, for whoever answers the next one: the server goes on by its own token, or from that moment. */
interface Bookmark {
  readonly server: string | null;
  /** null: so far nothing was found. */
  readonly last: FindPlace | null;
  readonly total: number;
}

export interface Search {
  find(query: SearchQuery): Promise<Result<SearchPage>>;
  days: FindDays;
}

/** Finds messages: the server knows them all, and without it this device answers from what it keeps. */
export function createSearch({ ports, api, disk, me }: SearchDeps): Search {
  const found = ({ chatType, targetId, message }: SearchHit): SearchFind => ({
    key: chatKey(chatType, targetId),
    message: talkMessage(message, me()),
  });

  async function askServer(query: SearchQuery, mark: Bookmark | null): Promise<Result<SearchPage>> {
    const target = query.key === undefined ? null : parseChatKey(query.key);
    const { sendId, types, from } = query;
    // Begun on this device, continued there: from the moment of the last find on, which comes again and is left out.
    const resumed = mark?.server === null ? mark.last : null;
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
          ...(typeof mark?.server === "string" && { next: mark.server }),
        },
      },
      { quiet: true },
    );
    if (!result.ok) return result;
    const { next } = result.value;
    const isNew = once();
    const hits = result.value.hits
      .map(found)
      .filter((find) => isNew(find) && (resumed === null || isBehind(find, resumed)));
    const total = mark?.total ?? result.value.total;
    const last = placeOf(hits.at(-1)) ?? mark?.last ?? null;
    // A page may be empty and yet not the end: the server looks at so many messages at once.
    const mine = next === null ? null : write({ server: next, last, total });
    return { ok: true, value: { hits, total, next: mine } };
  }

  async function askDisk(query: SearchQuery, mark: Bookmark | null): Promise<SearchPage> {
    const after = mark?.last ?? null;
    const { hits, total: counted, next } = await searchDisk(disk, query, { limit: SEARCH_PAGE, after });
    const total = mark?.total ?? counted;
    return { hits, total, next: next === null ? null : write({ server: null, last: next, total }) };
  }

  async function find(asked: SearchQuery): Promise<Result<SearchPage>> {
    const text = asked.text.trim().slice(0, SEARCH_QUERY_MAX);
    if (text === "") return { ok: true, value: NOTHING };
    const query = { ...asked, text };
    const mark = read(asked.next);
    if (disk.isUsable() && !ports.environment.hasNetwork())
      return { ok: true, value: await askDisk(query, mark) };
    const result = await askServer(query, mark);
    if (result.ok || !disk.isUsable() || !isSilence(result.failure)) return result;
    return { ok: true, value: await askDisk(query, mark) };
  }

  return { find, days: findDays({ ports, api, disk }) };
}

const NOTHING: SearchPage = { hits: [], total: 0, next: null };

function once(): (find: SearchFind) => boolean {
  const seen = new Set<string>();
  return ({ key, message }) => {
    const name = `${key} ${message.id}`;
    const isNew = !seen.has(name);
    seen.add(name);
    return isNew;
  };
}

function placeOf(find: SearchFind | undefined): FindPlace | null {
  return find === undefined
    ? null
    : { key: find.key, id: find.message.id ?? 0, sendTime: find.message.sendTime };
}

function isBehind({ key, message }: SearchFind, last: FindPlace): boolean {
  const isSameType = parseChatKey(key)?.type === parseChatKey(last.key)?.type;
  return isSameType ? (message.id ?? 0) < last.id : message.sendTime < last.sendTime;
}

function write(mark: Bookmark): string {
  return JSON.stringify(mark);
}

/** A bookmark is handed out and comes back as it was. */
function read(text: string | undefined): Bookmark | null {
  const value: unknown = text === undefined ? null : JSON.parse(text);
  return isRecord(value) ? (value as unknown as Bookmark) : null;
}
