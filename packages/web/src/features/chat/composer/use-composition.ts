import { useCallback, useEffect, useState } from "react";
import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import type { ChatKey, DraftFile } from "@parley/core/model/state";
import { ChatType } from "@parley/protocol/codes";
import { RECEIPT_MEMBERS_MAX } from "@parley/protocol/limits";
import { isVisible } from "@parley/protocol/text";
import { useMessageField } from "../../../kit/message-field/use-message-field.ts";
import { useClient, useClientState } from "../../../kit/loading/use-client.ts";
import { useConversationUi, useConversationUiState } from "../message/conversation-ui.ts";
import { mentionsToSend } from "./mentions/mention-text.ts";
import { useMentions, type Mentions } from "./mentions/use-mentions.ts";
import { useDraft } from "./use-draft.ts";

const NO_FILES: readonly DraftFile[] = [];

/** What a person is about to send to a chat: a text with mentions, a quote, files, and whether receipts are asked for. */
export function useComposition(chatKey: ChatKey) {
  const client = useClient();
  const groupId = groupIdOf(chatKey);
  const [initial] = useState(() => {
    const { draft = "", draftMentions = [] } = client.getState().chats.byKey[chatKey] ?? {};
    return { draft, draftMentions };
  });
  const messageField = useMessageField(initial.draft);
  const mentions = useMentions(messageField, { isEnabled: groupId !== null, initial });
  usePendingMentions(mentions);
  const draft = useDraft(messageField, chatKey, mentions);
  const quote = useClientState((state) => state.chats.byKey[chatKey]?.draftQuote ?? null);
  const receipt = useReceipt(groupId);
  const files = useClientState((state) => state.chats.byKey[chatKey]?.draftFiles ?? NO_FILES);
  const clearQuote = useCallback(() => client.chats.setQuote(chatKey, null), [client, chatKey]);

  const sendText = (text: string, mentioningText = text) => {
    const groupOptions = groupId !== null && {
      mentions: mentionsToSend(client.getState(), groupId, mentioningText, mentions.current()),
      receipt: receipt.isRequested,
    };
    client.chats.sendText(chatKey, text.trim(), groupOptions || undefined);
    draft.clear();
    receipt.setRequested(false);
  };
  /** Sends a text that is too long in pieces. Mentions, quote and receipt go with the first. */
  const sendPieces = (pieces: readonly string[], text: string) => {
    const [first, ...others] = pieces;
    if (first === undefined) return;
    if (files.length > 0) client.chats.sendDraftFiles(chatKey);
    sendText(first, text);
    for (const piece of others) client.chats.sendText(chatKey, piece, { mentions: [] });
  };
  // The files first; quote and receipt belong to the text and stay without one.
  const send = (text: string) => {
    if (files.length > 0) client.chats.sendDraftFiles(chatKey);
    if (isVisible(text)) sendText(text);
  };
  return {
    groupId,
    messageField,
    mentions,
    draft,
    quote,
    clearQuote,
    receipt,
    files,
    send,
    sendPieces,
  } as const;
}

/** The id of the group of a chat; null for other chats. */
function groupIdOf(key: ChatKey): number | null {
  const chat = parseChatKey(key);
  return chat?.type === ChatType.GROUP ? chat.targetId : null;
}

/** Inserts the members whom the person has chosen to mention elsewhere in the conversation. */
function usePendingMentions({ insertMentions }: Mentions): void {
  const ui = useConversationUi();
  const pendingMentions = useConversationUiState((state) => state.pendingMentions);
  useEffect(() => {
    if (pendingMentions === null) return;
    ui.set({ pendingMentions: null });
    insertMentions(pendingMentions);
  }, [ui, pendingMentions, insertMentions]);
}

/** Whether the next message asks for read receipts. Large groups have none. */
function useReceipt(groupId: number | null): ReceiptRequest {
  const [isRequested, setRequested] = useState(false);
  const isAvailable = useClientState(
    (state) =>
      groupId !== null && (state.groups.byId[groupId]?.membersCount ?? Infinity) <= RECEIPT_MEMBERS_MAX,
  );
  return { isAvailable, isRequested: isRequested && isAvailable, setRequested };
}

/** Whether the next message asks for read receipts. */
export interface ReceiptRequest {
  /** False outside groups and in groups that are too large. */
  readonly isAvailable: boolean;
  readonly isRequested: boolean;
  readonly setRequested: (isRequested: boolean) => void;
}
