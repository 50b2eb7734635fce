import { ChatType } from "@parley/protocol/codes";
import type { KINDS } from "@parley/protocol/message";
import type { NewPoll } from "@parley/protocol/poll";
import { isVisible } from "@parley/protocol/text";
import { parseChatKey } from "../model/chats/chat-rows.ts";
import { mentionedUserIds, remainingMentions } from "../model/chats/mentions.ts";
import type { ChatKey, DraftMention } from "../model/state.ts";
import type { TabSync } from "../storage/tab-sync.ts";
import type { ChatDeps } from "./chat-store.ts";
import type { History } from "./history.ts";
import type { Outbox } from "./outbox.ts";
import type { LocalFile, OutgoingFile } from "./outgoing-file.ts";
import type { FileUploads } from "./uploads.ts";

/** What a person sends. */
export interface SendActions {
  /**
   * Shows a local echo at once; the outbox sends the message, also after a reload. Includes the draft's quote and clears it. Blank text
   * does nothing. In groups it mentions the users in `options`, else those of the draft's mentions that are still in the text.
   */
  sendText(key: ChatKey, text: string, options?: SendOptions): void;
  /** Sends a location (88), a nudge (92, content "") or a business card (93); the content is a JSON string. The draft's quote stays. */
  sendContent(key: ChatKey, type: SendableType, content: string): void;
  /** Sends a poll with this question. The draft and its quote stay. */
  sendPoll(key: ChatKey, question: string, poll: NewPoll): void;
  /**
   * Sends files, one message each, in this order, behind what was sent before in this chat. Each is shown at once and uploaded first. A
   * failed one can be sent again with `resend` while the page lives; `discard` cancels it.
   */
  sendFiles(key: ChatKey, files: readonly OutgoingFile[]): void;
  /**
   * The file of a message that this page sends, or has sent lately, to show it without loading it from the server; undefined for others,
   * and after a reload.
   */
  localFile(tmpId: string): LocalFile | undefined;
}

/** Options of a text message. */
export interface SendOptions {
  readonly mentions?: readonly DraftMention[];
  /** Groups: ask for read receipts. */
  readonly receipt?: boolean;
}

type Kinds = typeof KINDS;

/** Message types that `sendContent` accepts: those that this server lets clients send, except texts and their edits. */
export type SendableType = {
  [Type in keyof Kinds]: Kinds[Type] extends { sendable: true; shown: true; content: "json" | "empty" }
    ? Kinds[Type] extends { fileFields: readonly string[] }
      ? never
      : Type
    : never;
}[keyof Kinds];

/** What sending needs. */
export interface SendActionsDeps extends Pick<ChatDeps, "stateStore" | "chatStore"> {
  readonly outbox: Outbox;
  readonly uploads: FileUploads;
  readonly history: History;
  readonly tabSync: TabSync;
}

/** Creates the actions that give the outbox what a person has written or chosen. */
export function createSendActions(deps: SendActionsDeps): SendActions {
  const { stateStore, outbox, history, tabSync } = deps;
  const { chatOf } = deps.chatStore;
  return {
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
    sendPoll(key, question, poll) {
      history.cancelNavigation(key);
      outbox.sendPoll(key, question, poll);
    },
    sendFiles(key, files) {
      history.cancelNavigation(key);
      outbox.sendFiles(
        key,
        files.map(({ type, file, cover, ...upload }) => ({ type, upload, files: { file, cover } })),
      );
    },
    localFile: deps.uploads.fileOf,
  };
}
