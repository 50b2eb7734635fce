import type { ChatKey, ChatMessage } from "../model/state.ts";

/** What the side panel of a chat lists. */
export type MediaKind = "pictures" | "files" | "links";

/** What to search for. */
export interface SearchQuery {
  /** A message must contain every part of it (`protocol/search-text`). Empty, with `key` and `kind`: every such message. */
  readonly text: string;
  readonly key?: ChatKey;
  readonly sendId?: number;
  /** Only messages with these. With `links`, `total` counts a message with two kinds of links twice. */
  readonly kind?: MediaKind;
  readonly types?: readonly number[];
  /** Epoch ms, both inclusive. */
  readonly from?: number;
  readonly to?: number;
  /** `next` of the previous page. */
  readonly next?: string;
}

/** One page of search results. */
export interface SearchPage {
  readonly hits: readonly FoundMessage[];
  /** The number of hits on all pages, at most 1,000. */
  readonly total: number;
  readonly next: string | null;
}

/** A search result. */
export interface FoundMessage {
  readonly key: ChatKey;
  readonly message: ChatMessage;
}
