import { ChatType } from "@parley/protocol/codes";
import { isVisible } from "@parley/protocol/text";
import { mentionedUserIds, nextMention, remainingMentions } from "../model/chats/mentions.ts";
import { parseChatKey } from "../model/chats/chat-rows.ts";
import type { ChatKey } from "../model/state.ts";
import type { ChatActions } from "../client-api.ts";
import type { ContactService } from "../contacts/contact-service.ts";
import type { GroupService } from "../groups/group-service.ts";
import type { MessageSearch } from "../search/message-search.ts";
import type { TabSync } from "../storage/tab-sync.ts";
import { createChatSettings } from "./chat-settings.ts";
import type { ChatDeps } from "./chat-store.ts";
import type { Deletions } from "./deletions.ts";
import { createDraftActions } from "./draft-actions.ts";
import type { DraftFiles } from "./draft-files.ts";
import type { DraftStash } from "./draft-stash.ts";
import type { FirstChatsLoader } from "./first-chats.ts";
import type { History } from "./history.ts";
import type { MessageActions } from "./message-actions.ts";
import type { Outbox } from "./outbox.ts";
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
  firstChats: FirstChatsLoader;
  tabSync: TabSync;
  contactService: ContactService;
  groupService: GroupService;
}

/** Creates what a user interface can do in chats. */
export function createChatActions(deps: ChatActionsDeps): ChatActions {
  const { ports, stateStore, chatStore, outbox, history, messageActions, messageSearch } = deps;
  const { readPositions, deletions, draftStash, draftFiles, tabSync, contactService, groupService } = deps;

  const { chatOf } = chatStore;
  function openChat(key: ChatKey): void {
    const isUnknown = deps.firstChats.opening(key);
    chatStore.dispatch([{ kind: "open", key, now: ports.clock.now(), isUnknown }], { lastOpen: key });
    const target = parseChatKey(key);
    if (target?.type === ChatType.GROUP) groupService.onChatShown(target.targetId);
  }

  return {
    ...createDraftActions(deps),
    ...createChatSettings(deps),
    open(key, at) {
      const firstUnreadId = stateStore.get().firstChats?.byKey[key]?.firstUnreadId ?? null;
      openChat(key);
      void history.loadInitial(key, at, firstUnreadId);
    },
    closeOpen: () => chatStore.dispatch([{ kind: "close" }], { lastOpen: null }),
    sendText(key, text, { mentions, receipt = false } = {}) {
      if (!isVisible(text)) return;
      const quote = chatOf(key)?.draftQuote ?? null;
      const isGroup = parseChatKey(key)?.type === ChatType.GROUP;
      const atUserIds = isGroup ? mentionedUserIds(mentions ?? remainingMentions(chatOf(key), text)) : [];
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
    nextMention: (key) => nextMention(chatOf(key)),
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
