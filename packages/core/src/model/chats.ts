import { CHAT_TYPES, ChatType, MessageType } from "@parley/protocol/codes";
import type { ChangedRow, ChatContext, ChatInput, ChatsChange, Gone } from "./chat-input.ts";
import { type ChatDraft, openDraft, placeOf, removeAt, removeUnread, replaceAt } from "./draft.ts";
import { addEcho, discard, setSending } from "./echoes.ts";
import { applyEvent, applyEvents, noteEvent } from "./events.ts";
import { CLOSED_WINDOW_MAX, finishDraft } from "./finish.ts";
import { clearMessages, type ClearedMarks, hideMessages, isCleared, isHidden, showAgain } from "./gone.ts";
import { insertRow, raiseRead } from "./insert.ts";
import { orderOf, withNewOnes } from "./order.ts";
import { changeNewest, changeQuoted } from "./last-line.ts";
import { newChat } from "./new-chat.ts";
import { addPage, type Page, type PageUse } from "./page.ts";
import { isPurged, purgeMessages, withoutPurged } from "./purge.ts";
import { applyReceipts, noteReceipt, withReceipt } from "./receipts.ts";
import { forgetMessages } from "./renew.ts";
import { positionOf, typeOfKey } from "./rows.ts";
import { withGap, withoutBelow } from "./spans.ts";
import type { Chat, ChatBook, ChatKey, ChatMessage, Chats, Purge, Receipt, RowEvent } from "./state.ts";

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
  #rows: ChangedRow[] = [];
  readonly #missed: { key: ChatKey; event: RowEvent }[] = [];
  readonly #receipts: { key: ChatKey; receipt: Receipt }[] = [];
  readonly #refused: ChangedRow[] = [];
  readonly #gone: Gone[] = [];
  #cleared: ClearedMarks;
  #openKey: ChatKey | null;
  #loading: Chats["loading"];

  constructor(base: Chats, context: ChatContext) {
    this.#base = base;
    this.#context = context;
    this.#openKey = base.openKey;
    this.#loading = base.loading;
    this.#cleared = context.cleared;
  }

  apply(input: ChatInput): void {
    switch (input.kind) {
      case "row":
        this.#insert(input.key, input.message);
        return;
      case "event":
        return this.#change(input.key, input.event);
      case "read":
        return this.#edit(input.key, (draft) => {
          raiseRead(draft, input.side, input.upTo ?? newestPosition(draft));
          if (input.side === "mine" && input.upTo === null) set(draft, { isMarkedUnread: false });
        });
      case "echo":
        return addEcho(this.#draft(input.key), input.message);
      case "sending":
        return this.#edit(input.key, (draft) => setSending(draft, input.tmpId, input.sending, input.failure));
      case "discard":
        return this.#edit(input.key, (draft) => discard(draft, input.tmpId));
      case "draft":
        return this.#edit(input.key, (draft) =>
          set(draft, {
            ...(input.text !== undefined && { draft: input.text }),
            ...(input.mentions !== undefined && { draftMentions: input.mentions }),
            ...(input.quote !== undefined && { draftQuote: input.quote }),
            ...(input.edit !== undefined && { draftEdit: input.edit }),
          }),
        );
      case "mark":
        return this.#edit(input.key, (draft) => set(draft, { isMarkedUnread: input.isOn }));
      case "remove":
        return this.#remove(input.key);
      case "hide":
        return this.#hide(input.key, input.ids);
      case "unhide":
        return this.#unhide(input.key, input.ids, input.messages);
      case "purge":
        return this.#purge(input.key, input.purge);
      case "receipt":
        return this.#count(input.key, input.receipt);
      case "cleared":
        return this.#clear(input.type, input.upTo);
      case "renew":
        return this.#renew(input.key);
      case "open":
        return this.#open(input.key, input.now);
      case "close":
        return this.#close();
      case "older":
        return this.#edit(input.key, (draft) =>
          set(draft, { window: { ...draft.chat.window, older: input.older } }),
        );
      case "newer":
        return this.#edit(input.key, (draft) =>
          set(draft, { window: { ...draft.chat.window, newer: input.newer } }),
        );
      case "page":
        return this.#addPage(input.key, input.page, input.use);
      case "trim":
        return this.#trim(input.key, input.below, input.at);
      case "settings":
        return this.#edit(input.key, (draft) =>
          set(draft, { isTop: input.isTop, msgRemind: input.msgRemind }),
        );
      case "loading":
        this.#loading = { ...this.#loading, [input.type]: input.isOn };
        return;
      case "gap":
        return this.#markGap(input.type, input.fromId, input.upTo);
      case "restore":
        for (const chat of input.chats) this.#restore(chat);
        return;
      default:
        input satisfies never;
    }
  }

  finish(): ChatsChange {
    const changed = new Map(this.#restored);
    for (const [key, draft] of this.#drafts) {
      const { hasDisk, closedWindow = CLOSED_WINDOW_MAX } = this.#context;
      const chat = finishDraft(draft, { isOpen: key === this.#openKey, hasDisk, closedWindow });
      if (chat !== this.#base.byKey[key]) changed.set(key, chat);
    }
    const base = this.#base;
    const isSame = changed.size === 0 && this.#openKey === base.openKey && this.#loading === base.loading;
    const told = {
      rows: this.#rows,
      missed: this.#missed,
      receipts: this.#receipts,
      refused: this.#refused,
      gone: this.#gone,
    };
    if (isSame) return { chats: base, ...told };
    const byKey = changed.size === 0 ? base.byKey : { ...base.byKey, ...Object.fromEntries(changed) };
    const isLoading = CHAT_TYPES.some((type) => this.#loading[type]);
    const order = isLoading ? withNewOnes(base.order, byKey) : orderOf(base.order, byKey);
    const chats = { byKey, order, openKey: this.#openKey, loading: this.#loading };
    return { chats, ...told };
  }

  #find(key: ChatKey): Chat | undefined {
    return this.#restored.get(key) ?? this.#base.byKey[key];
  }

  /** The draft of a chat, which begins to exist here if it did not. */
  #draft(key: ChatKey): ChatDraft {
    let draft = this.#drafts.get(key);
    if (draft === undefined) {
      draft = openDraft(this.#find(key) ?? newChat(key, this.#context), this.#context.me);
      this.#drafts.set(key, draft);
    }
    return draft;
  }

  /** Does something to a chat that exists; what is meant for others is nothing. */
  #edit(key: ChatKey, work: (draft: ChatDraft) => void): void {
    if (this.#drafts.has(key) || this.#find(key) !== undefined) work(this.#draft(key));
  }

  /** What is only remembered about a chat nobody has seen a message of does not put it into the list. */
  #quietDraft(key: ChatKey): ChatDraft {
    const isNew = !this.#drafts.has(key) && this.#find(key) === undefined;
    const draft = this.#draft(key);
    if (isNew) set(draft, { isRemoved: true });
    return draft;
  }

  /** Of a chat that was written in before the disk was read its rows are taken over; what is on its way the outbox shows again, in order. */
  #restore(chat: Chat): void {
    const early = this.#base.byKey[chat.key];
    this.#restored.set(chat.key, chat);
    for (const message of early?.window.messages ?? [])
      if (message.id !== null) this.#insert(chat.key, message);
  }

  #insert(key: ChatKey, row: ChatMessage): void {
    if (isCleared(this.#cleared, key, row)) return this.#refuse(key, row);
    const draft = this.#draft(key);
    const { book } = draft.chat;
    if (isHidden(draft, row) || isPurged(row, book.purged)) return this.#refuse(key, row);
    const newestBefore = book.newest?.id ?? -1;
    const { message, isOutside } = insertRow(draft, upToDate(row, book));
    this.#rows.push({ key, message, isOutside });
    if (draft.chat.isRemoved && (message.id ?? Infinity) > newestBefore) set(draft, { isRemoved: false });
    // Requests and the like keep the system chat at the top (spec §4).
    if (message.system?.isTop && !draft.chat.isTop) set(draft, { isTop: true });
  }

  /** A row that stays away; what this client still shows of it goes too. */
  #refuse(key: ChatKey, row: ChatMessage): void {
    this.#refused.push({ key, message: row, isOutside: true });
    const { tmpId } = row;
    if (row.selfSend && tmpId !== null) this.#edit(key, (draft) => discard(draft, tmpId));
  }

  #addPage(key: ChatKey, page: Page, use: PageUse): void {
    this.#edit(key, (draft) => {
      const { book } = draft.chat;
      const messages: ChatMessage[] = [];
      const changed: ChatMessage[] = [];
      for (const message of page.messages) {
        if (isCleared(this.#cleared, key, message)) continue;
        if (isHidden(draft, message) || isPurged(message, book.purged)) continue;
        const after = upToDate(message, book);
        messages.push(after);
        if (page.isFresh || after !== message) changed.push(after);
      }
      addPage(draft, { ...page, messages }, use);
      for (const message of changed) {
        const shown = draft.messages[placeOf(draft, message.id ?? Infinity)];
        // The disk may have a newer copy than the answer that was long under way.
        this.#rows.push({ key, message: shown?.id === message.id ? shown : message, isOutside: true });
      }
    });
  }

  #change(key: ChatKey, came: RowEvent): void {
    // An edit without words is of a message that was taken back since: its recall is on the way.
    if (came.type === MessageType.EDIT && came.content === "") return;
    // What was cleared stays away, but what quotes it may be here; of it alone no chat comes into being.
    const isCleared = came.targetId <= this.#cleared[typeOfKey(key)];
    if (isCleared && !this.#drafts.has(key) && this.#find(key) === undefined) return;
    const draft = this.#quietDraft(key);
    const { events, event } = noteEvent(draft.chat.book.events, came);
    if (events !== draft.chat.book.events) set(draft, { book: { ...draft.chat.book, events } });
    const index = placeOf(draft, event.targetId);
    let isFound = draft.messages[index]?.id === event.targetId;
    for (let i = isFound ? index : 0; i < draft.messages.length; i++) {
      const before = draft.messages[i] as ChatMessage;
      const after = applyEvent(before, event);
      if (after === before) continue;
      replaceAt(draft, i, after);
      if (after.id !== null) this.#rows.push({ key, message: after, isOutside: false });
      isFound ||= after.id === event.targetId;
    }
    changeNewest(draft, event);
    changeQuoted(draft, event);
    if (event.type === MessageType.RECALL) removeUnread(draft, (position) => position === event.targetId);
    if (!isFound && !isCleared) this.#missed.push({ key, event });
  }

  #open(key: ChatKey, now: number): void {
    if (this.#find(key) === undefined && !this.#drafts.has(key)) set(this.#draft(key), { lastSendTime: now });
    const draft = this.#draft(key);
    if (draft.chat.isRemoved || draft.chat.isMarkedUnread) {
      const { isRemoved, lastSendTime } = draft.chat;
      set(draft, {
        isRemoved: false,
        isMarkedUnread: false,
        lastSendTime: isRemoved && lastSendTime === 0 ? now : lastSendTime,
      });
    }
    if (this.#openKey === key) return;
    this.#close();
    this.#openKey = key;
    set(draft, { book: { ...draft.chat.book, openedAt: now } });
  }

  #remove(key: ChatKey): void {
    if (this.#openKey === key) this.#close();
    this.#edit(key, (draft) => {
      raiseRead(draft, "mine", newestPosition(draft));
      const nothing = { draft: "", draftMentions: [], draftQuote: null, draftEdit: null } as const;
      set(draft, { isRemoved: true, isMarkedUnread: false, ...nothing });
    });
  }

  #hide(key: ChatKey, ids: readonly number[]): void {
    hideMessages(this.#quietDraft(key), ids);
    this.#forget({ key, ids });
  }

  #unhide(key: ChatKey, ids: readonly number[], messages: readonly ChatMessage[]): void {
    this.#edit(key, (draft) => showAgain(draft, ids));
    for (const message of messages) this.#insert(key, message);
  }

  #purge(key: ChatKey, purge: Purge): void {
    const changed = purgeMessages(this.#quietDraft(key), purge);
    if (changed === null) return;
    for (const message of changed) this.#rows.push({ key, message, isOutside: false });
    this.#forget({ key, purge });
  }

  #count(key: ChatKey, receipt: Receipt): void {
    if (receipt.id <= this.#cleared[typeOfKey(key)]) return;
    const draft = this.#quietDraft(key);
    const index = placeOf(draft, receipt.id);
    const known = draft.messages[index];
    if (known?.id !== receipt.id) {
      const { book } = draft.chat;
      const receipts = noteReceipt(book.receipts, receipt);
      if (receipts === book.receipts) return;
      set(draft, { book: { ...book, receipts } });
      this.#receipts.push({ key, receipt });
      return;
    }
    const after = withReceipt(known, receipt);
    if (after === known) return;
    replaceAt(draft, index, after);
    this.#rows.push({ key, message: after, isOutside: false });
  }

  #clear(type: ChatType, upTo: number): void {
    if (upTo <= this.#cleared[type]) return;
    this.#cleared = { ...this.#cleared, [type]: upTo };
    for (const key of this.#keysOf(type)) {
      const draft = this.#draft(key);
      clearMessages(draft, upTo, this.#openKey === key);
      // The disk knows ids alone; of the system chat it is told when nothing is left.
      const isByIds = type !== ChatType.SYSTEM;
      if (isByIds || draft.chat.book.newest === null) this.#forget({ key, upTo: isByIds ? upTo : Infinity });
    }
  }

  #renew(key: ChatKey): void {
    this.#edit(key, (draft) => {
      forgetMessages(draft, newestPosition(draft));
      this.#forget({ key, upTo: Infinity });
    });
  }

  /** Also what this very batch has brought. */
  #forget(gone: Gone): void {
    this.#gone.push(gone);
    this.#rows = this.#rows.filter(({ key, message }) => key !== gone.key || !isAmong(gone, message));
  }

  /** The window of the chat that was open is cut when the batch ends. */
  #close(): void {
    if (this.#openKey !== null) this.#edit(this.#openKey, (draft) => (draft.isTouched = true));
    this.#openKey = null;
  }

  /** Every chat of a kind. */
  #keysOf(type: ChatType): ChatKey[] {
    const keys = new Set([
      ...(Object.keys(this.#base.byKey) as ChatKey[]),
      ...this.#restored.keys(),
      ...this.#drafts.keys(),
    ]);
    return [...keys].filter((key) => key.startsWith(`${type}:`));
  }

  #trim(key: ChatKey, below: number, at: number): void {
    this.#edit(key, (draft) => {
      const { book } = draft.chat;
      const trimmedAt = Math.max(at, book.trimmedAt);
      set(draft, { book: { ...book, ...withoutBelow(book, below), trimmedAt } });
    });
  }

  #markGap(type: ChatType, fromId: number, upTo: number): void {
    for (const key of this.#keysOf(type)) {
      const draft = this.#draft(key);
      if (draft.chat.book.knownFrom >= fromId) continue;
      const { book } = draft.chat;
      set(draft, { book: { ...book, ...withGap(book, fromId, upTo) } });
      // What stands below the gap goes, unless somebody is reading there: then it is the newest that are not in the window.
      if (draft.chat.window.hasNewer) continue;
      while (draft.confirmed > 0 && (draft.messages[0]?.id ?? fromId) < fromId) removeAt(draft, 0);
      set(draft, { window: { ...draft.chat.window, hasOlder: true } });
    }
  }
}

/** A copy that may have been long under way, with what was told of it meanwhile. */
function upToDate(message: ChatMessage, { events, receipts, purged }: ChatBook): ChatMessage {
  return withoutPurged(applyReceipts(applyEvents(message, events), receipts), purged);
}

function isAmong(gone: Gone, message: ChatMessage): boolean {
  if ("purge" in gone) return isPurged(message, [gone.purge]);
  const id = message.id ?? Infinity;
  return "ids" in gone ? gone.ids.includes(id) : id <= gone.upTo;
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
