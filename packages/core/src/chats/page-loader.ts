import { HISTORY_PAGE_MAX } from "@parley/protocol/limits";
import type { JumpTarget, MessagePage, Side } from "../model/chats/message-page.ts";
import type { ChatKey } from "../model/state.ts";
import { createLocalPages } from "./local-pages.ts";
import { createServerPages, type PageDeps } from "./server-pages.ts";

/** How many messages are requested at once in one direction. */
export const PAGE_SIZE = HISTORY_PAGE_MAX / 2;

/**
 * Reads pages of a chat. null: the local database has no known range there; or the server did not answer, or has no history of this kind
 * of chat.
 */
export interface PageLoader {
  /** Messages below an id, or from an id on, out of the local database. */
  local(key: ChatKey, side: Side, edge: number): Promise<MessagePage | null>;
  /** The same from the server. */
  server(key: ChatKey, side: Side, edge: number): Promise<MessagePage | null>;
  /** The messages around an id, if the local database has as much of them as the server could send. */
  fullLocalAround(key: ChatKey, id: number): Promise<MessagePage | null>;
  /** From the local database if it has as much as the server could send, or if the server does not answer. */
  around(key: ChatKey, to: JumpTarget): Promise<MessagePage | null>;
  /** The end of the chat; from the server only if the local database has no message there. */
  newest(key: ChatKey): Promise<MessagePage | null>;
}

/** Creates the page loader. */
export function createPageLoader(deps: PageDeps): PageLoader {
  const serverPages = createServerPages(deps);
  const localPages = createLocalPages(deps, serverPages);

  return {
    local: localPages.page,
    server: serverPages.page,
    async fullLocalAround(key, id) {
      const page = await localPages.around(key, id);
      return page?.isFull === true ? page : null;
    },
    async around(key, to) {
      const id = "id" in to ? to.id : await localPages.idAt(key, to.time);
      const localPage = id === null ? null : await localPages.around(key, id);
      return localPage?.isFull === true ? localPage : ((await serverPages.around(key, to)) ?? localPage);
    },
    async newest(key) {
      const localPage = await localPages.page(key, "older", Infinity);
      const hasMessages = localPage !== null && localPage.messages.length > 0;
      return hasMessages ? localPage : ((await serverPages.page(key, "older", Infinity)) ?? localPage);
    },
  };
}
