import { ChatType } from "@parley/protocol/codes";
import { mentionedUserIds, nextMention, shiftMentions } from "../model/chats/mentions.ts";
import { parseChatKey } from "../model/chats/chat-rows.ts";
import type { ChatKey, DraftMention, Result } from "../model/state.ts";
import type { ChatActions } from "../client-api.ts";
import { fail } from "../connection/api.ts";
import type { ContactService } from "../contacts/contact-service.ts";
import type { GroupService } from "../groups/group-service.ts";
import type { MessageSearch } from "../search/message-search.ts";
import type { TabSync } from "../storage/tab-sync.ts";
import type { ChatDeps } from "./chat-store.ts";
import type { Deletions } from "./deletions.ts";
import type { DraftFiles } from "./draft-files.ts";
import type { DraftStash } from "./draft-stash.ts";
import type { History } from "./history.ts";
import type { MessageActions } from "./message-actions.ts";
import { NOT_SENDABLE, type Outbox } from "./outbox.ts";
import type { PlayedVoices } from "./played-voices.ts";
import type { ReadPositions } from "./read-positions.ts";
import type { FileUploads } from "./uploads.ts";

/** The services that chat actions use. */
export interface ChatActionsDeps extends ChatDeps {
  uploads: FileUploads;
  outbox: Outbox;
  draftFiles: DraftFiles;
  playedVoices: PlayedVoices;
  history: History;
  messageActions: MessageActions;
  messageSearch: MessageSearch;
  readPositions: ReadPositions;
  deletions: Deletions;
  draftStash: DraftStash;
  tabSync: TabSync;
  contactService: ContactService;
  groupService: GroupService;
}

/** Creates what a user interface can do in chats. */
export function createChatActions(deps: ChatActionsDeps): ChatActions {
  const { ports, stateStore, me, chatStore, outbox, history, messageActions, messageSearch } = deps;
  const { readPositions, deletions, draftStash, draftFiles, tabSync, contactService, groupService } = deps;

  const { chatOf } = chatStore;
  /** The draft's mentions that are still complete in this text. */
  function remainingMentions(key: ChatKey, text: string): readonly DraftMention[] {
    const chat = chatOf(key);
    return chat === undefined ? [] : shiftMentions(chat.draft, chat.draftMentions, text);
  }

  function openChat(key: ChatKey): void {
    chatStore.dispatch([{ kind: "open", key, now: ports.clock.now() }], { lastOpen: key });
    const target = parseChatKey(key);
    if (target?.type === ChatType.GROUP) groupService.onChatShown(target.targetId);
  }

  return {
    open(key) {
      openChat(key);
      void history.loadInitial(key);
    },
    closeOpen: () => chatStore.dispatch([{ kind: "close" }], { lastOpen: null }),
    sendText(key, text, { mentions, receipt = false } = {}) {
      if (text.trim() === "") return;
      const quote = chatOf(key)?.draftQuote ?? null;
      const isGroup = parseChatKey(key)?.type === ChatType.GROUP;
      const atUserIds = isGroup ? mentionedUserIds(mentions ?? remainingMentions(key, text)) : [];
      history.cancelNavigation(key);
      stateStore.batch(() => {
        if (quote !== null) tabSync.dispatch({ kind: "draft", key, quote: null });
        outbox.sendText(key, text, { quote, atUserIds, receipt: isGroup && receipt });
      });
    },
    sendContent(key, type, content) {
      history.cancelNavigation(key);
      outbox.send(key, type, content);
    },
    sendFiles(key, files) {
      history.cancelNavigation(key);
      outbox.sendFiles(
        key,
        files.map(({ type, file, cover, ...upload }) => ({ type, upload, files: { file, cover } })),
      );
    },
    localFile: deps.uploads.fileOf,
    addDraftFiles: draftFiles.addDraftFiles,
    removeDraftFile: draftFiles.removeDraftFile,
    moveDraftFile: draftFiles.moveDraftFile,
    draftFile: draftFiles.draftFile,
    sendDraftFiles(key) {
      history.cancelNavigation(key);
      draftFiles.sendDraftFiles(key);
    },
    resend: outbox.resend,
    discard: (_key, tmpId) => outbox.discard(tmpId),
    loadOlder: (key) => void history.loadOlder(key),
    loadNewer: (key) => void history.loadNewer(key),
    showNewest: (key) => void history.showNewest(key),
    jumpTo(key, to) {
      openChat(key);
      return history.jumpTo(key, to);
    },
    search: messageSearch.find,
    listMedia: messageSearch.listMedia,
    daysWithMessages: messageSearch.days,
    markPlayed: deps.playedVoices.mark,
    markReadUpTo: readPositions.markReadUpTo,
    setDraft(key, text, mentions = remainingMentions(key, text)) {
      draftStash.save(me, { key, text, mentions, edit: chatOf(key)?.draftEdit ?? null });
      tabSync.dispatch({ kind: "draft", key, text, mentions });
    },
    setDraftEdit(key, edit) {
      const chat = chatOf(key);
      if (chat === undefined || (edit === null && chat.draftEdit === null)) return;
      draftStash.save(me, { key, text: chat.draft, mentions: chat.draftMentions, edit });
      tabSync.dispatch({ kind: "draft", key, edit });
    },
    nextMention: (key) => nextMention(chatOf(key)),
    setQuote(key, id) {
      const message = chatStore.messageOf(key, id);
      if (id === null) tabSync.dispatch({ kind: "draft", key, quote: null });
      else if (message !== undefined) {
        const { sendId, sendNickName, type, content } = message;
        tabSync.dispatch({ kind: "draft", key, quote: { id, sendId, sendNickName, type, content } });
      }
    },
    setTop(key, isTop) {
      const target = parseChatKey(key);
      if (target?.type === ChatType.PRIVATE) return contactService.setSettings(target.targetId, { isTop });
      if (target?.type === ChatType.GROUP) return groupService.setSettings(target.targetId, { isTop });
      const chat = chatOf(key);
      // The pin of the system chat is stored only on this device.
      if (target?.type !== ChatType.SYSTEM || chat === undefined) return Promise.resolve(fail(NOT_SENDABLE));
      chatStore.dispatch([{ kind: "settings", key, isTop, msgRemind: chat.msgRemind }]);
      return Promise.resolve(DONE);
    },
    setAlerts(key, msgRemind) {
      const target = parseChatKey(key);
      if (target?.type === ChatType.GROUP) {
        const level = msgRemind === 1 || msgRemind === 2 ? msgRemind : 0;
        return groupService.setSettings(target.targetId, { msgRemind: level, isDnd: level === 2 });
      }
      if (target?.type !== ChatType.PRIVATE) return Promise.resolve(fail(NOT_SENDABLE));
      const isDnd = msgRemind === 0;
      return contactService.setSettings(target.targetId, { msgRemind: isDnd ? 0 : 1, isDnd });
    },
    markUnread: (key) => tabSync.dispatch({ kind: "mark", key, isOn: true }),
    markRead(key) {
      tabSync.dispatch({ kind: "mark", key, isOn: false });
      readPositions.markAllRead(key);
    },
    remove(key) {
      stateStore.batch(() => {
        draftStash.remove(key);
        draftFiles.forget(key);
        readPositions.markAllRead(key);
        tabSync.dispatch({ kind: "remove", key });
      });
    },
    editText: messageActions.editText,
    recall: messageActions.recall,
    recalledText: messageActions.recalledText,
    restoreQuote(key, id) {
      const quote = messageActions.recalledQuoteOf(key, id);
      const currentQuote = chatOf(key)?.draftQuote ?? null;
      if (quote !== null && currentQuote === null) tabSync.dispatch({ kind: "draft", key, quote });
    },
    deleteForMe: deletions.deleteForMe,
    forward: messageActions.forward,
    async clearHistory() {
      const result = await messageActions.clearHistory();
      // Required by spec §7. If this fails, the next login loads them.
      if (result.ok) void Promise.all([contactService.reload(), groupService.reload()]);
      return result;
    },
    loadNotice: messageActions.loadNotice,
  };
}

const DONE: Result<null> = { ok: true, value: null };
