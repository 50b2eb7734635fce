import { useCallback, useEffect, useState } from "react";
import type { KeyboardEvent } from "react";
import { SendHorizontal } from "lucide-react";
import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import type { ChatKey, DraftFile, DraftQuote } from "@parley/core/model/state";
import { ChatType } from "@parley/protocol/codes";
import { RECEIPT_MEMBERS_MAX } from "@parley/protocol/limits";
import { useText } from "../../../kit/i18n.ts";
import { lazyComponent } from "../../../kit/lazy-component.tsx";
import { isShortcut } from "../../../kit/shortcuts.ts";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import { useHasCoarsePointer, useIsWide } from "../../../ui/use-media.ts";
import { mentionsToSend } from "./mentions/mentions-to-send.ts";
import { useMentions } from "./mentions/use-mentions.ts";
import { useConversationUi, useConversationUiState } from "../message/conversation-ui.ts";
import { quoteSummary } from "../message/message-summary.ts";
import { useSenderName } from "../message/use-sender-name.ts";
import { handleArrowKey } from "./arrow-keys.ts";
import { ComposerBar } from "./composer-bar.tsx";
import { ComposerFrame } from "./composer-frame.tsx";
import { PlusTool } from "./plus-tool.tsx";
import type { ReceiptRequest } from "./receipt-tool.tsx";
import { SendKeyTool } from "./send-key-tool.tsx";
import { useDraft } from "./use-draft.ts";
import { useField } from "./use-field.ts";
import { Announcement } from "./announcement.tsx";
import { useBeingRead } from "./attachments/being-read.ts";
import { useAttach } from "./attachments/use-attach.ts";
import { useTransfer } from "./attachments/use-transfer.ts";
import { useVoicePress } from "./voice/use-voice-press.ts";
import { VoiceTool } from "./voice/voice-tool.tsx";
import styles from "./composer.module.css";

const MentionPopover = lazyComponent(() => import("../group-modules.ts").then((part) => part.MentionPopover));

const ReceiptTool = lazyComponent(() => import("../group-modules.ts").then((part) => part.ReceiptTool));

const AttachmentStrip = lazyComponent(() =>
  import("./attachments/attachment-strip.tsx").then((part) => part.AttachmentStrip),
);

const DropOverlay = lazyComponent(() =>
  import("./attachments/drop-overlay.tsx").then((part) => part.DropOverlay),
);

const VoiceRecorder = lazyComponent(() =>
  import("./voice/voice-recorder.tsx").then((part) => part.VoiceRecorder),
);

const NO_FILES: readonly DraftFile[] = [];

interface ComposerProps {
  chatKey: ChatKey;
  onSent: () => void;
  /** The person asks for the newest message. */
  onShowNewest: () => void;
}

/** The field in which new messages are written, with its tools and bars. */
export function Composer({ chatKey, onSent, onShowNewest }: ComposerProps) {
  const t = useText();
  const client = useClient();
  const ui = useConversationUi();
  const isCoarse = useHasCoarsePointer();
  const isDesktop = useIsWide();
  const groupId = groupIdOf(chatKey);
  const [initial] = useState(() => {
    const { draft = "", draftMentions = [] } = client.getState().chats.byKey[chatKey] ?? {};
    return { draft, draftMentions };
  });
  const messageField = useField(initial.draft);
  const mentions = useMentions(messageField, { isEnabled: groupId !== null, initial });
  const { isReady, insertMentions } = mentions;
  const draft = useDraft(messageField, chatKey, mentions);
  const quote = useClientState((state) => state.chats.byKey[chatKey]?.draftQuote ?? null);
  const pendingMentions = useConversationUiState((state) => state.pendingMentions);
  const receipt = useReceipt(groupId);
  const files = useClientState((state) => state.chats.byKey[chatKey]?.draftFiles ?? NO_FILES);
  const beingRead = useBeingRead(chatKey);
  const attach = useAttach(chatKey);
  const dropZone = useTransfer(attach);
  const voice = useVoicePress();
  const endVoice = voice.end;

  useEffect(() => {
    if (pendingMentions === null || !isReady) return;
    ui.set({ pendingMentions: null });
    insertMentions(pendingMentions);
  }, [ui, pendingMentions, isReady, insertMentions]);

  const sendMessage = (text: string) => {
    const groupOptions = groupId !== null && {
      mentions: mentionsToSend(client.getState(), groupId, text, mentions.current()),
      receipt: receipt.isRequested,
    };
    client.chats.sendText(chatKey, text.trim(), groupOptions || undefined);
    draft.clear();
    receipt.setRequested(false);
  };
  // The files first; quote and receipt belong to the text and stay without one.
  const send = (text: string) => {
    if (files.length > 0) client.chats.sendDraftFiles(chatKey);
    if (text.trim() !== "") sendMessage(text);
    onSent();
    messageField.field.current?.focus({ preventScroll: true });
  };
  const finishVoice = useCallback(() => {
    endVoice();
    // After the render that shows the field again. On a touch device the focus would open the on-screen keyboard.
    requestAnimationFrame(() => {
      if (!window.matchMedia("(pointer: coarse)").matches) messageField.focus();
    });
  }, [endVoice, messageField]);

  const clearQuote = useCallback(() => client.chats.setQuote(chatKey, null), [client, chatKey]);

  const handleKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (mentions.handleKeyDown(event)) return true;
    // The default action is kept: it moves the caret to the end.
    if (isShortcut(event.nativeEvent, "toEnd")) onShowNewest();
    if (event.key === "ArrowUp" || event.key === "ArrowDown") handleArrowKey(event, client, ui, chatKey);
    return false;
  };

  const frame = (
    <ComposerFrame
      messageField={messageField}
      label={t("chat.placeholder")}
      attributes={{
        placeholder: t("chat.placeholder"),
        enterKeyHint: isCoarse ? "enter" : "send",
        ...mentions.combobox,
        onSelect: () => mentions.query !== null && mentions.updateQuery(),
        onBlur: () => {
          mentions.close();
          draft.save();
        },
      }}
      shouldFocusOnTouch={false}
      bar={
        <>
          {quote !== null && <QuoteBar chatKey={chatKey} quote={quote} onClose={clearQuote} />}
          {(files.length > 0 || beingRead > 0) && (
            <AttachmentStrip
              chatKey={chatKey}
              files={files}
              beingRead={beingRead}
              onReturnFocus={messageField.focus}
              waiting={<div className={styles.stripPlaceholder} />}
            />
          )}
          {!isDesktop && receipt.isRequested && (
            <ComposerBar
              title={t("readers.ask")}
              text={t("readers.asked")}
              closeLabel={t("readers.askNot")}
              onClose={() => receipt.setRequested(false)}
            />
          )}
        </>
      }
      popover={
        mentions.query !== null &&
        groupId !== null && <MentionPopover groupId={groupId} query={mentions.query} {...mentions.popover} />
      }
      tools={
        <>
          <PlusTool
            chatKey={chatKey}
            receipt={receipt.isAvailable && !isDesktop ? receipt : null}
            onAttach={attach}
            onSent={onSent}
          />
          {receipt.isAvailable && isDesktop && (
            <ReceiptTool receipt={receipt} waiting={<span className={styles.receiptPlaceholder} />} />
          )}
        </>
      }
      submitLabel={t("chat.send")}
      submitIcon={<SendHorizontal {...ICON_PROPS} />}
      submitMore={!isCoarse && <SendKeyTool canSend={messageField.textLength.canSend || files.length > 0} />}
      hasMore={files.length > 0}
      isWaiting={beingRead > 0}
      voice={<VoiceTool press={voice.press} handlers={voice.handlers} />}
      recorder={
        voice.press === null ? undefined : (
          <VoiceRecorder
            chatKey={chatKey}
            press={voice.press}
            slide={voice.slide}
            onSent={onSent}
            onDone={finishVoice}
            waiting={<div className={styles.recorderPlaceholder} />}
            onMissing={endVoice}
          />
        )
      }
      onSubmit={send}
      onChanged={(inputType) => {
        mentions.textChanged(inputType);
        draft.saveSoon();
      }}
      onKey={handleKey}
      onEscape={quote === null ? null : clearQuote}
    />
  );
  return (
    <>
      {frame}
      <Announcement />
      {dropZone !== null && <DropOverlay over={dropZone} />}
    </>
  );
}

/** The id of the group of a chat; null for other chats. */
function groupIdOf(key: ChatKey): number | null {
  const chat = parseChatKey(key);
  return chat?.type === ChatType.GROUP ? chat.targetId : null;
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

interface QuoteBarProps {
  chatKey: ChatKey;
  quote: DraftQuote;
  onClose: () => void;
}

function QuoteBar({ chatKey, quote, onClose }: QuoteBarProps) {
  const t = useText();
  const name = useSenderName(chatKey, quote.sendId, quote.sendNickName);
  return (
    <ComposerBar
      title={t("chat.replyTo", { name })}
      text={quoteSummary(quote, t)}
      closeLabel={t("chat.unquote")}
      onClose={onClose}
    />
  );
}
