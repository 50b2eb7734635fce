import { CHAT_TYPES, ChatType, MessageType } from "@parley/protocol/codes";
import { type ChatDraft, openDraft, placeOf, removeAt, removeUnread, replaceAt, insertAt } from "./draft.ts";
import { applyEvent, type RowEvent } from "./events.ts";
import { insertRow, raiseRead } from "./insert.ts";
import { finishDraft } from "./finish.ts";
import { previewOf } from "./preview.ts";
import { addPage, type Page } from "./page.ts";
import { parseChatKey, positionOf } from "./rows.ts";
import type { Chat, ChatKey, ChatMessage, Chats, Contacts, Failure, Sending } from "./state.ts";

/** One thing that happens to the chats. A batch of them is one new state. */
export type ChatInput =
  /** A row of the server, from wherever it came. */
  | { readonly kind: "row"; readonly key: ChatKey; readonly message: ChatMessage }
  | { readonly kind: "event"; readonly key: ChatKey; readonly event: RowEvent }
  /** `upTo` null: to the newest known. */
  | {
      readonly kind: "read";
      readonly key: ChatKey;
      readonly side: "mine" | "theirs";
      readonly upTo: number | null;
    }
  /** A message of one's own that only this client has. */
  | { readonly kind: "echo"; readonly key: ChatKey; readonly message: ChatMessage }
  | {
      readonly kind: "sending";
      readonly key: ChatKey;
      readonly tmpId: string;
      readonly sending: Sending;
      readonly failure: Failure | null;
    }
  | { readonly kind: "discard"; readonly key: ChatKey; readonly tmpId: string }
  | { readonly kind: "draft"; readonly key: ChatKey; readonly text: string }
  | { readonly kind: "open"; readonly key: ChatKey; readonly now: number }
  | { readonly kind: "close" }
  | { readonly kind: "older"; readonly key: ChatKey; readonly older: Chat["window"]["older"] }
  | { readonly kind: "page"; readonly key: ChatKey; readonly page: Page }
  /** How the person has set this chat up. */
  | { readonly kind: "settings"; readonly key: ChatKey; readonly isTop: boolean; readonly msgRemind: number }
  | { readonly kind: "loading"; readonly type: ChatType; readonly isOn: boolean }
  /** Rows of this kind below `fromId` were left out of a pull. */
  | { readonly kind: "gap"; readonly type: ChatType; readonly fromId: number }
  /** Chats as they lay on disk; those known already stay. */
  | { readonly kind: "restore"; readonly chats: readonly Chat[] };

export interface ChatContext {
  /** Rows below this id were never pulled, by kind: where the known history of a new chat begins. */
  readonly floors: Readonly<Record<ChatType, number>>;
  /** Closed windows may be cut, since the disk has the rest. */
  readonly hasDisk: boolean;
  /** A new chat is pinned and silent as its friend is. */
  readonly friends: Contacts["friends"];
}

export interface ChangedRow {
  readonly key: ChatKey;
  readonly message: ChatMessage;
  /** Not compared with what memory knows: the disk may have a copy to merge with. */
  readonly isBelow: boolean;
}

export interface ChatsChange {
  readonly chats: Chats;
  /** Rows the server has, as they now stand, for the disk. */
  readonly rows: readonly ChangedRow[];
  /** Events whose target is not in memory: the disk's copy is still to be changed. */
  readonly missed: readonly { readonly key: ChatKey; readonly event: RowEvent }[];
}

/** Applies a batch: touched chats get new identities, all others keep theirs, however many rows there are. */
export function changeChats(chats: Chats, inputs: readonly ChatInput[], context: ChatContext): ChatsChange {
  const batch = new Batch(chats, context);
  for (const input of inputs) batch.apply(input);
  return batch.finish();
}

class Batch {
  readonly #base: Chats;
  readonly #context: ChatContext;
  readonly #drafts = new Map<ChatKey, ChatDraft>();
  readonly #restored = new Map<ChatKey, Chat>();
  readonly #rows: ChangedRow[] = [];
  readonly #missed: { key: ChatKey; event: RowEvent }[] = [];
  #openKey: ChatKey | null;
  #loading: Chats["loading"];

  constructor(base: Chats, context: ChatContext) {
    this.#base = base;
    this.#context = context;
    this.#openKey = base.openKey;
    this.#loading = base.loading;
  }

  apply(input: ChatInput): void {
    switch (input.kind) {
      case "row":
        this.#insert(input.key, input.message);
        return;
      case "event":
        return this.#change(input.key, input.event);
      case "read":
        return this.#edit(input.key, (draft) =>
          raiseRead(draft, input.side, input.upTo ?? newestPosition(draft)),
        );
      case "echo":
        return addEcho(this.#draft(input.key), input.message);
      case "sending":
        return this.#edit(input.key, (draft) => setSending(draft, input.tmpId, input.sending, input.failure));
      case "discard":
        return this.#edit(input.key, (draft) => discard(draft, input.tmpId));
      case "draft":
        return this.#edit(input.key, (draft) => set(draft, { draft: input.text }));
      case "open":
        return this.#open(input.key, input.now);
      case "close":
        return this.#close();
      case "older":
        return this.#edit(input.key, (draft) =>
          set(draft, { window: { ...draft.chat.window, older: input.older } }),
        );
      case "page":
        return this.#addPage(input.key, input.page);
      case "settings":
        return this.#edit(input.key, (draft) =>
          set(draft, { isTop: input.isTop, msgRemind: input.msgRemind }),
        );
      case "loading":
        this.#loading = { ...this.#loading, [input.type]: input.isOn };
        return;
      case "gap":
        return this.#markGap(input.type, input.fromId);
      case "restore":
        for (const chat of input.chats)
          if (this.#find(chat.key) === undefined) this.#restored.set(chat.key, chat);
        return;
      default:
        input satisfies never;
    }
  }

  finish(): ChatsChange {
    const changed = new Map(this.#restored);
    for (const [key, draft] of this.#drafts) {
      const chat = finishDraft(draft, { isOpen: key === this.#openKey, hasDisk: this.#context.hasDisk });
      if (chat !== this.#base.byKey[key]) changed.set(key, chat);
    }
    const base = this.#base;
    const isSame = changed.size === 0 && this.#openKey === base.openKey && this.#loading === base.loading;
    if (isSame) return { chats: base, rows: this.#rows, missed: this.#missed };
    const byKey = changed.size === 0 ? base.byKey : { ...base.byKey, ...Object.fromEntries(changed) };
    const isLoading = CHAT_TYPES.some((type) => this.#loading[type]);
    const order = isLoading ? withNewOnes(base.order, byKey) : orderOf(base.order, byKey);
    const chats = { byKey, order, openKey: this.#openKey, loading: this.#loading };
    return { chats, rows: this.#rows, missed: this.#missed };
  }

  #find(key: ChatKey): Chat | undefined {
    return this.#restored.get(key) ?? this.#base.byKey[key];
  }

  /** The draft of a chat, which begins to exist here if it did not. */
  #draft(key: ChatKey): ChatDraft {
    let draft = this.#drafts.get(key);
    if (draft === undefined) {
      draft = openDraft(this.#find(key) ?? newChat(key, this.#context));
      this.#drafts.set(key, draft);
    }
    return draft;
  }

  /** Does something to a chat that exists; what is meant for others is nothing. */
  #edit(key: ChatKey, work: (draft: ChatDraft) => void): void {
    if (this.#drafts.has(key) || this.#find(key) !== undefined) work(this.#draft(key));
  }

  #insert(key: ChatKey, row: ChatMessage): void {
    const draft = this.#draft(key);
    const { message, isBelow } = insertRow(draft, row);
    this.#rows.push({ key, message, isBelow });
    // Requests are pinned: they keep the system chat at the top (spec §4).
    if (isRequest(message) && !draft.chat.isTop) set(draft, { isTop: true });
  }

  #addPage(key: ChatKey, page: Page): void {
    this.#edit(key, (draft) => {
      addPage(draft, page);
      // The disk may have a newer copy than the answer that was long under way.
      if (page.isFresh) for (const message of page.messages) this.#rows.push({ key, message, isBelow: true });
    });
  }

  #change(key: ChatKey, event: RowEvent): void {
    const draft = this.#draft(key);
    const index = placeOf(draft, event.targetId);
    let isFound = draft.messages[index]?.id === event.targetId;
    for (let i = isFound ? index : 0; i < draft.messages.length; i++) {
      const before = draft.messages[i] as ChatMessage;
      const after = applyEvent(before, event);
      if (after === before) continue;
      replaceAt(draft, i, after);
      if (after.id !== null) this.#rows.push({ key, message: after, isBelow: false });
      isFound ||= after.id === event.targetId;
    }
    changeNewest(draft, event);
    if (event.type === MessageType.RECALL) removeUnread(draft, (position) => position === event.targetId);
    if (!isFound) this.#missed.push({ key, event });
  }

  #open(key: ChatKey, now: number): void {
    if (this.#find(key) === undefined && !this.#drafts.has(key)) set(this.#draft(key), { lastSendTime: now });
    if (this.#openKey === key) return;
    this.#close();
    this.#openKey = key;
    this.#draft(key);
  }

  /** The window of the chat that was open is cut when the batch ends. */
  #close(): void {
    if (this.#openKey !== null) this.#edit(this.#openKey, (draft) => (draft.isTouched = true));
    this.#openKey = null;
  }

  #markGap(type: ChatType, fromId: number): void {
    const keys = new Set([
      ...(Object.keys(this.#base.byKey) as ChatKey[]),
      ...this.#restored.keys(),
      ...this.#drafts.keys(),
    ]);
    for (const key of keys) {
      if (!key.startsWith(`${type}:`)) continue;
      const draft = this.#draft(key);
      if (draft.chat.book.knownFrom >= fromId) continue;
      while (draft.confirmed > 0 && (draft.messages[0]?.id ?? fromId) < fromId) removeAt(draft, 0);
      set(draft, {
        book: { ...draft.chat.book, knownFrom: fromId },
        window: { ...draft.chat.window, hasOlder: true },
      });
    }
  }
}

function isRequest(message: ChatMessage): boolean {
  return message.type === MessageType.FRIEND_APPLY || message.type === MessageType.GROUP_APPLY;
}

function set(draft: ChatDraft, part: Partial<Chat>): void {
  draft.chat = { ...draft.chat, ...part };
}

function newestPosition(draft: ChatDraft): number {
  const last = draft.messages[draft.confirmed - 1];
  const inMemory = last === undefined ? -1 : positionOf(last);
  // In the system chat the newest row's id is no position.
  const newest = draft.chat.type === ChatType.SYSTEM ? -1 : (draft.chat.book.newest?.id ?? -1);
  return Math.max(inMemory, newest, draft.unread.at(-1) ?? -1);
}

function addEcho(draft: ChatDraft, echo: ChatMessage): void {
  // Never before what it answers, even when this computer's clock is behind.
  const sendTime = Math.max(echo.sendTime, draft.chat.book.newest?.sendTime ?? 0);
  insertAt(draft, draft.messages.length, { ...echo, sendTime });
}

function pendingIndex(draft: ChatDraft, tmpId: string): number {
  return draft.messages.findIndex((message) => message.id === null && message.tmpId === tmpId);
}

function setSending(draft: ChatDraft, tmpId: string, sending: Sending, failure: Failure | null): void {
  const index = pendingIndex(draft, tmpId);
  const message = draft.messages[index];
  if (message !== undefined) replaceAt(draft, index, { ...message, sending, failure });
}

function discard(draft: ChatDraft, tmpId: string): void {
  const index = pendingIndex(draft, tmpId);
  if (index >= 0) removeAt(draft, index);
}

/** The preview follows the row it was made of, also when that row is not in memory. */
function changeNewest(draft: ChatDraft, event: RowEvent): void {
  const { book } = draft.chat;
  if (book.newest?.id !== event.targetId) return;
  const row = draft.messages[placeOf(draft, event.targetId)];
  const preview =
    row?.id === event.targetId
      ? (previewOf(row) ?? book.newest.preview)
      : event.type === MessageType.EDIT
        ? { ...book.newest.preview, text: event.content }
        : { ...book.newest.preview, key: "content" as const, text: "", tip: { key: "recalled", params: {} } };
  set(draft, { book: { ...book, newest: { ...book.newest, preview } } });
}

/** A chat as it begins: pinned and silent as its friend is. */
export function newChat(key: ChatKey, { floors, friends }: Pick<ChatContext, "floors" | "friends">): Chat {
  const parsed = parseChatKey(key);
  const type = parsed?.type ?? ChatType.PRIVATE;
  const friend = type === ChatType.PRIVATE ? friends[parsed?.targetId ?? 0] : undefined;
  const knownFrom = floors[type];
  return {
    key,
    type,
    targetId: parsed?.targetId ?? 0,
    preview: null,
    lastSendTime: 0,
    unread: 0,
    isTop: friend?.isTop ?? false,
    msgRemind: friend?.msgRemind ?? (type === ChatType.GROUP ? 0 : 1),
    readId: -1,
    theirReadId: -1,
    draft: "",
    window: { messages: [], hasOlder: knownFrom > 0, hasNewer: false, older: "idle", newer: "idle" },
    book: { unread: [], newest: null, knownFrom, tipBase: null },
  };
}

/** Pinned first, then newest first; equal times by key, so that every client shows the same order. */
function compareChats(a: Chat, b: Chat): number {
  if (a.isTop !== b.isTop) return a.isTop ? -1 : 1;
  return b.lastSendTime - a.lastSendTime || (a.key < b.key ? -1 : 1);
}

function orderOf(before: Chats["order"], byKey: Chats["byKey"]): Chats["order"] {
  const order = Object.values(byKey)
    .sort(compareChats)
    .map((chat) => chat.key);
  return order.length === before.length && order.every((key, i) => key === before[i]) ? before : order;
}

/** While a pull runs nothing moves; what a person opens or writes to meanwhile stands in front (spec §4). */
function withNewOnes(before: Chats["order"], byKey: Chats["byKey"]): Chats["order"] {
  if (Object.keys(byKey).length === before.length) return before;
  const known = new Set(before);
  const added = Object.values(byKey)
    .filter((chat) => !known.has(chat.key))
    .sort(compareChats);
  return [...added.map((chat) => chat.key), ...before];
}
