import { searchMessages, type SearchHit } from "@parley/protocol/endpoints/search";
import { chatKey, parseChatKey, talkMessage } from "../model/rows.ts";
import type { Result } from "../model/state.ts";
import type { Api } from "./api.ts";
import type { SearchFind, SearchPage, SearchQuery } from "./client-api.ts";

export interface SearchDeps {
  api: Api;
  me(): number;
}

/** Finds messages on the server. */
export function createSearch({ api, me }: SearchDeps): (query: SearchQuery) => Promise<Result<SearchPage>> {
  const found = ({ chatType, targetId, message }: SearchHit): SearchFind => ({
    key: chatKey(chatType, targetId),
    message: talkMessage(message, me()),
  });

  return async ({ text, key, types, ...rest }) => {
    const target = key === undefined ? null : parseChatKey(key);
    const query = {
      q: text,
      ...(target !== null && { chatType: target.type, targetId: target.targetId }),
      ...(types !== undefined && { types: [...types] }),
      ...rest,
    };
    const result = await api.call(searchMessages, { query }, { quiet: true });
    if (!result.ok) return result;
    const { hits, total, next } = result.value;
    return { ok: true, value: { hits: hits.map(found), total, next } };
  };
}
