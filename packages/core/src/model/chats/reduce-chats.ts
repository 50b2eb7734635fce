import { CHAT_TYPES, ChatType, MessageType } from "@parley/protocol/codes";
import type { ChangedRow, ChatContext, ChatInput, ChatsChange, Removal } from "./chat-input.ts";
import {
  type ChatBuilder,
  beginChat,
  confirmedIndexOf,
  removeAt,
  removeUnread,
  replaceAt,
} from "./chat-builder.ts";
import { addLocalEcho, discardLocalEcho, setSending, setUpload } from "./local-echoes.ts";
import { applyRowEvent, applyRowEvents, recordRowEvent } from "./row-events.ts";
import { CLOSED_WINDOW_MAX_MESSAGES, commitChat } from "./commit-chat.ts";
import {
  clearMessages,
  type ClearedPositions,
  deleteForMe,
  isCleared,
  isDeletedForMe,
  restoreDeleted,
} from "./deleted-for-me.ts";
import { insertRow, advanceReadPosition } from "./insert-row.ts";
import { sortedChatKeys, withNewChatsFirst } from "./chat-order.ts";
import { updateNewestPreview, updateDraftReferences } from "./event-effects.ts";
import { newChat } from "./new-chat.ts";
import { addPage, type PagePurpose } from "./add-page.ts";
import type { MessagePage } from "./message-page.ts";
import { isRemovedByModerator, removeByModerator, maskRemovedQuotes } from "./removed-by-moderator.ts";
import { applyExtras, type MessageExtraChange, recordExtra, withExtra } from "./extras.ts";
import { applyReceipts, recordReceipt, withReceipt } from "./receipts.ts";
import { invalidateMessages } from "./invalidate-messages.ts";
import { positionOf, chatTypeOf } from "./chat-rows.ts";
import { addGap, addKnownRange, dropBelow } from "./known-ranges.ts";
import type {
  Chat,
  ChatSync,
  ChatKey,
  ChatMessage,
  Chats,
  ModeratorRemoval,
  Receipt,
  RowEvent,
} from "../state.ts";

/** Applies a batch. Changed chats are copied once, however many rows the batch has; all others keep their identity. */
export function reduceChats(chats: Chats, inputs: readonly ChatInput[], context: ChatContext): ChatsChange {
  const batch = new ChatsBatch(chats, context);
  for (const input of inputs) batch.apply(input);
  return batch.commit();
}

const EMPTY_DRAFT = {
  draft: "",
  draftMentions: [],
  draftQuote: null,
  draftEdit: null,
  draftFiles: [],
} as const;

class ChatsBatch {
  readonly #base: Chats;
  readonly #context: ChatContext;
  readonly #builders = new Map<ChatKey, ChatBuilder>();
  readonly #restored = new Map<ChatKey, Chat>();
  #rows: ChangedRow[] = [];
  readonly #missedEvents: { key: ChatKey; event: RowEvent }[] = [];
  readonly #missedReceipts: { key: ChatKey; receipt: Receipt }[] = [];
  readonly #missedExtras: { key: ChatKey; change: MessageExtraChange }[] = [];
  readonly #rejectedRows: ChangedRow[] = [];
  readonly #removals: Removal[] = [];
  #clearedPositions: ClearedPositions;
  #openKey: ChatKey | null;
  #loading: Chats["loading"];

  constructor(base: Chats, context: ChatContext) {
    this.#base = base;
    this.#context = context;
    this.#openKey = base.openKey;
    this.#loading = base.loading;
    this.#clearedPositions = context.clearedPositions;
  }

  apply(input: ChatInput): void {
    switch (input.kind) {
      case "row":
        this.#insert(input.key, input.message);
        return;
      case "event":
        return this.#applyEvent(input.key, input.event);
      case "read":
        return this.#editExisting(input.key, (builder) =>
          advanceReadPosition(builder, input.side, input.upTo ?? newestPosition(builder)),
        );
      case "localEcho":
        return addLocalEcho(this.#builderOf(input.key), input.message);
      case "sending":
        return this.#editExisting(input.key, (builder) =>
          setSending(builder, input.tmpId, input.sending, input.failure),
        );
      case "discard":
        return this.#editExisting(input.key, (builder) => discardLocalEcho(builder, input.tmpId));
      case "upload":
        return this.#editExisting(input.key, (builder) => setUpload(builder, input));
      case "draft":
        return this.#editExisting(input.key, (builder) =>
          set(builder, {
            ...(input.text !== undefined && { draft: input.text }),
            ...(input.mentions !== undefined && { draftMentions: input.mentions }),
            ...(input.quote !== undefined && { draftQuote: input.quote }),
            ...(input.edit !== undefined && { draftEdit: input.edit }),
            ...(input.files !== undefined && { draftFiles: input.files }),
          }),
        );
      case "remove":
        return this.#remove(input.key);
      case "deleteForMe":
        return this.#deleteForMe(input.key, input.ids);
      case "restoreDeleted":
        return this.#restoreDeleted(input.key, input.ids, input.messages);
      case "removeByModerator":
        return this.#removeByModerator(input.key, input.removal);
      case "receipt":
        return this.#applyReceipt(input.key, input.receipt);
      case "extra":
        return this.#applyExtra(input.key, input.change);
      case "cleared":
        return this.#clear(input.type, input.upTo);
      case "invalidate":
        return this.#invalidate(input.key);
      case "open":
        return this.#open(input.key, input.now, input.isUnknown === true);
      case "known":
        return this.#editExisting(input.key, (builder) => {
          const { sync } = builder.chat;
          set(builder, { sync: { ...sync, ...addKnownRange(sync, { from: input.from, to: Infinity }) } });
        });
      case "close":
        return this.#close();
      case "older":
        return this.#editExisting(input.key, (builder) =>
          set(builder, { window: { ...builder.chat.window, older: input.older } }),
        );
      case "newer":
        return this.#editExisting(input.key, (builder) =>
          set(builder, { window: { ...builder.chat.window, newer: input.newer } }),
        );
      case "page":
        return this.#addPage(input.key, input.page, input.purpose);
      case "evict":
        return this.#evict(input.key, input.below, input.at);
      case "settings":
        return this.#editExisting(input.key, (builder) =>
          set(builder, { isTop: input.isTop, msgRemind: input.msgRemind }),
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

  commit(): ChatsChange {
    const changed = new Map(this.#restored);
    for (const [key, builder] of this.#builders) {
      const { hasLocalDatabase, closedWindow = CLOSED_WINDOW_MAX_MESSAGES } = this.#context;
      const chat = commitChat(builder, {
        isOpen: key === this.#openKey,
        hasLocalDatabase,
        closedWindow,
      });
      if (chat !== this.#base.byKey[key]) changed.set(key, chat);
    }
    const base = this.#base;
    const isSame = changed.size === 0 && this.#openKey === base.openKey && this.#loading === base.loading;
    const effects = {
      rows: this.#rows,
      missedEvents: this.#missedEvents,
      missedReceipts: this.#missedReceipts,
      missedExtras: this.#missedExtras,
      rejectedRows: this.#rejectedRows,
      removals: this.#removals,
    };
    if (isSame) return { chats: base, ...effects };
    const byKey = changed.size === 0 ? base.byKey : { ...base.byKey, ...Object.fromEntries(changed) };
    const isLoading = CHAT_TYPES.some((type) => this.#loading[type]);
    const order = isLoading ? withNewChatsFirst(base.order, byKey) : sortedChatKeys(base.order, byKey);
    const chats = { byKey, order, openKey: this.#openKey, loading: this.#loading };
    return { chats, ...effects };
  }

  #find(key: ChatKey): Chat | undefined {
    return this.#restored.get(key) ?? this.#base.byKey[key];
  }

  /** The builder of a chat; creates the chat if it does not exist. */
  #builderOf(key: ChatKey): ChatBuilder {
    let builder = this.#builders.get(key);
    if (builder === undefined) {
      builder = beginChat(this.#find(key) ?? newChat(key, this.#context), this.#context.me);
      this.#builders.set(key, builder);
    }
    return builder;
  }

  /** Changes a chat if it exists. */
  #editExisting(key: ChatKey, edit: (builder: ChatBuilder) => void): void {
    if (this.#builders.has(key) || this.#find(key) !== undefined) edit(this.#builderOf(key));
  }

  /** The builder of a chat. A new chat stays out of the list: the input only has to be remembered for messages that come later. */
  #unlistedBuilderOf(key: ChatKey): ChatBuilder {
    const isNew = !this.#builders.has(key) && this.#find(key) === undefined;
    const builder = this.#builderOf(key);
    if (isNew) set(builder, { isRemoved: true });
    return builder;
  }

  /** Takes over the rows that arrived before the local database was read. The outbox shows unsent messages again, in order. */
  #restore(chat: Chat): void {
    const unrestored = this.#base.byKey[chat.key];
    this.#restored.set(chat.key, chat);
    for (const message of unrestored?.window.messages ?? [])
      if (message.id !== null) this.#insert(chat.key, message);
  }

  #insert(key: ChatKey, row: ChatMessage): void {
    if (isCleared(this.#clearedPositions, key, row)) return this.#reject(key, row);
    const builder = this.#builderOf(key);
    const { sync } = builder.chat;
    if (isDeletedForMe(builder, row) || isRemovedByModerator(row, sync.removedByModerator))
      return this.#reject(key, row);
    const newestBefore = sync.newest?.id ?? -1;
    const unreadBefore = builder.unread.length;
    const { message, isOutsideWindow } = insertRow(builder, applyLaterChanges(row, sync));
    this.#rows.push({ key, message, isOutsideWindow });
    // A copy of a known row comes again with each pull, and must not undo what was done since. One whose push was lost comes after newer ones.
    if ((message.id ?? Infinity) <= newestBefore && builder.unread.length <= unreadBefore) return;
    if (builder.chat.isRemoved) set(builder, { isRemoved: false });
    // Messages such as requests pin the system chat (spec §4).
    if (message.system?.isTop && !builder.chat.isTop) set(builder, { isTop: true });
  }

  /** Rejects a row and removes its local echo. */
  #reject(key: ChatKey, row: ChatMessage): void {
    this.#rejectedRows.push({ key, message: row, isOutsideWindow: true });
    const { tmpId } = row;
    if (row.selfSend && tmpId !== null)
      this.#editExisting(key, (builder) => discardLocalEcho(builder, tmpId));
  }

  #addPage(key: ChatKey, page: MessagePage, purpose: PagePurpose): void {
    this.#editExisting(key, (builder) => {
      const { sync } = builder.chat;
      const messages: ChatMessage[] = [];
      const changed: ChatMessage[] = [];
      for (const message of page.messages) {
        if (isCleared(this.#clearedPositions, key, message)) continue;
        if (isDeletedForMe(builder, message) || isRemovedByModerator(message, sync.removedByModerator))
          continue;
        const after = applyLaterChanges(message, sync);
        messages.push(after);
        if (page.isFromServer || after !== message) changed.push(after);
      }
      addPage(builder, { ...page, messages }, purpose);
      for (const message of changed) {
        const shown = builder.messages[confirmedIndexOf(builder, message.id ?? Infinity)];
        // The local database may have a newer copy than a slow answer.
        this.#rows.push({ key, message: shown?.id === message.id ? shown : message, isOutsideWindow: true });
      }
    });
  }

  #applyEvent(key: ChatKey, incoming: RowEvent): void {
    // An edit with empty content belongs to a message that was recalled since. The recall will arrive too.
    if (incoming.type === MessageType.EDIT && incoming.content === "") return;
    // A cleared message stays away, but quotes of it may be here. Such an event does not create a chat.
    const isCleared = incoming.targetId <= this.#clearedPositions[chatTypeOf(key)];
    if (isCleared && !this.#builders.has(key) && this.#find(key) === undefined) return;
    const builder = this.#unlistedBuilderOf(key);
    const { events, event } = recordRowEvent(builder.chat.sync.events, incoming);
    if (events !== builder.chat.sync.events) set(builder, { sync: { ...builder.chat.sync, events } });
    const index = confirmedIndexOf(builder, event.targetId);
    let isFound = builder.messages[index]?.id === event.targetId;
    for (let i = isFound ? index : 0; i < builder.messages.length; i++) {
      const before = builder.messages[i] as ChatMessage;
      const after = applyRowEvent(before, event);
      if (after === before) continue;
      replaceAt(builder, i, after);
      if (after.id !== null) this.#rows.push({ key, message: after, isOutsideWindow: false });
      isFound ||= after.id === event.targetId;
    }
    updateNewestPreview(builder, event);
    updateDraftReferences(builder, event);
    if (event.type === MessageType.RECALL) removeUnread(builder, (position) => position === event.targetId);
    if (!isFound && !isCleared) this.#missedEvents.push({ key, event });
  }

  #open(key: ChatKey, now: number, isUnknown: boolean): void {
    if (this.#find(key) === undefined && !this.#builders.has(key)) {
      const { chat } = this.#builderOf(key);
      set(this.#builderOf(key), {
        lastSendTime: now,
        ...(isUnknown && {
          sync: { ...chat.sync, knownFrom: Infinity },
          window: { ...chat.window, hasOlder: true },
        }),
      });
    }
    const builder = this.#builderOf(key);
    if (builder.chat.isRemoved)
      set(builder, { isRemoved: false, lastSendTime: builder.chat.lastSendTime || now });
    if (this.#openKey === key) return;
    this.#close();
    this.#openKey = key;
    set(builder, { sync: { ...builder.chat.sync, openedAt: now } });
  }

  #remove(key: ChatKey): void {
    if (this.#openKey === key) this.#close();
    this.#editExisting(key, (builder) => {
      advanceReadPosition(builder, "mine", newestPosition(builder));
      set(builder, { isRemoved: true, ...EMPTY_DRAFT });
    });
  }

  #deleteForMe(key: ChatKey, ids: readonly number[]): void {
    deleteForMe(this.#unlistedBuilderOf(key), ids);
    this.#recordRemoval({ key, ids });
  }

  #restoreDeleted(key: ChatKey, ids: readonly number[], messages: readonly ChatMessage[]): void {
    this.#editExisting(key, (builder) => restoreDeleted(builder, ids));
    for (const message of messages) this.#insert(key, message);
  }

  #removeByModerator(key: ChatKey, removal: ModeratorRemoval): void {
    const changed = removeByModerator(this.#unlistedBuilderOf(key), removal);
    if (changed === null) return;
    for (const message of changed) this.#rows.push({ key, message, isOutsideWindow: false });
    this.#recordRemoval({ key, byModerator: removal });
  }

  #applyReceipt(key: ChatKey, receipt: Receipt): void {
    this.#changeMessage(
      key,
      receipt.id,
      (message) => withReceipt(message, receipt),
      (builder) => {
        const { sync } = builder.chat;
        const receipts = recordReceipt(sync.receipts, receipt);
        if (receipts === sync.receipts) return;
        set(builder, { sync: { ...sync, receipts } });
        this.#missedReceipts.push({ key, receipt });
      },
    );
  }

  #applyExtra(key: ChatKey, change: MessageExtraChange): void {
    this.#changeMessage(
      key,
      change.id,
      (message) => withExtra(message, change.extra),
      (builder) => {
        const { sync } = builder.chat;
        set(builder, { sync: { ...sync, extras: recordExtra(sync.extras, change) } });
        this.#missedExtras.push({ key, change });
      },
    );
  }

  /** Changes a message of the server unless it is cleared. `remember` is called if it is not in memory. */
  #changeMessage(
    key: ChatKey,
    id: number,
    change: (message: ChatMessage) => ChatMessage,
    remember: (builder: ChatBuilder) => void,
  ): void {
    if (id <= this.#clearedPositions[chatTypeOf(key)]) return;
    const builder = this.#unlistedBuilderOf(key);
    const index = confirmedIndexOf(builder, id);
    const known = builder.messages[index];
    if (known?.id !== id) return remember(builder);
    const after = change(known);
    if (after === known) return;
    replaceAt(builder, index, after);
    this.#rows.push({ key, message: after, isOutsideWindow: false });
  }

  #clear(type: ChatType, upTo: number): void {
    if (upTo <= this.#clearedPositions[type]) return;
    this.#clearedPositions = { ...this.#clearedPositions, [type]: upTo };
    for (const key of this.#keysOf(type)) {
      const builder = this.#builderOf(key);
      clearMessages(builder, upTo, this.#openKey === key);
      // The local database finds messages by id only. In the system chat, marks are no ids, so it is emptied when no message is left.
      const isByIds = type !== ChatType.SYSTEM;
      if (isByIds || builder.chat.sync.newest === null)
        this.#recordRemoval({ key, upTo: isByIds ? upTo : Infinity });
    }
  }

  #invalidate(key: ChatKey): void {
    this.#editExisting(key, (builder) => {
      invalidateMessages(builder, newestPosition(builder));
      this.#recordRemoval({ key, upTo: Infinity });
    });
  }

  /** Records what the local database has to delete, and drops such rows of this batch. */
  #recordRemoval(removal: Removal): void {
    this.#removals.push(removal);
    this.#rows = this.#rows.filter(
      ({ key, message }) => key !== removal.key || !isRemovedBy(removal, message),
    );
  }

  /** Closes the open chat. Its window is cut when the batch is committed. */
  #close(): void {
    if (this.#openKey !== null) this.#editExisting(this.#openKey, (builder) => (builder.isChanged = true));
    this.#openKey = null;
  }

  /** Every chat of a kind. */
  #keysOf(type: ChatType): ChatKey[] {
    const keys = new Set([
      ...(Object.keys(this.#base.byKey) as ChatKey[]),
      ...this.#restored.keys(),
      ...this.#builders.keys(),
    ]);
    return [...keys].filter((key) => key.startsWith(`${type}:`));
  }

  #evict(key: ChatKey, below: number, at: number): void {
    this.#editExisting(key, (builder) => {
      const { sync } = builder.chat;
      const evictedAt = Math.max(at, sync.evictedAt);
      set(builder, { sync: { ...sync, ...dropBelow(sync, below), evictedAt } });
    });
  }

  #markGap(type: ChatType, fromId: number, upTo: number): void {
    for (const key of this.#keysOf(type)) {
      const builder = this.#builderOf(key);
      const { sync } = builder.chat;
      // A chat that was opened before the pulls may show messages of the server from below the gap.
      if (sync.knownFrom >= fromId && sync.knownFrom !== Infinity) continue;
      set(builder, { sync: { ...sync, ...addGap(sync, fromId, upTo) } });
      // Drop the messages below the gap, unless the window is in the past and the person is reading there.
      if (builder.chat.window.hasNewer) continue;
      while (builder.confirmedCount > 0 && (builder.messages[0]?.id ?? fromId) < fromId) removeAt(builder, 0);
      set(builder, { window: { ...builder.chat.window, hasOlder: true } });
    }
  }
}

/** Brings a copy that may be late up to date with changes that arrived before it. */
function applyLaterChanges(
  message: ChatMessage,
  { events, receipts, extras, removedByModerator }: ChatSync,
): ChatMessage {
  return maskRemovedQuotes(
    applyExtras(applyReceipts(applyRowEvents(message, events), receipts), extras),
    removedByModerator,
  );
}

function isRemovedBy(removal: Removal, message: ChatMessage): boolean {
  if ("byModerator" in removal) return isRemovedByModerator(message, [removal.byModerator]);
  const id = message.id ?? Infinity;
  return "ids" in removal ? removal.ids.includes(id) : id <= removal.upTo;
}

function set(builder: ChatBuilder, part: Partial<Chat>): void {
  builder.chat = { ...builder.chat, ...part };
}

function newestPosition(builder: ChatBuilder): number {
  const last = builder.messages[builder.confirmedCount - 1];
  const inMemory = last === undefined ? -1 : positionOf(last);
  // In the system chat, positions are seqNos and not ids.
  const newest = builder.chat.type === ChatType.SYSTEM ? -1 : (builder.chat.sync.newest?.id ?? -1);
  return Math.max(inMemory, newest, builder.unread.at(-1) ?? -1);
}
