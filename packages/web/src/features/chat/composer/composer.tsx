import { useCallback } from "react";
import type { KeyboardEvent } from "react";
import { SendHorizontal } from "lucide-react";
import type { ChatKey, DraftQuote } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n/i18n.ts";
import { lazyComponent } from "../../../kit/loading/lazy-component.tsx";
import { isShortcut } from "../../../kit/settings/shortcuts.ts";
import { useClient } from "../../../kit/loading/use-client.ts";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import { useHasCoarsePointer, useIsWide } from "../../../ui/use-media.ts";
import { useConversationUi } from "../message/conversation-ui.ts";
import { quoteSummary, useSenderName } from "../message/message-summary.ts";
import type { SelectedFiles } from "./attachments/attach-files.ts";
import { DropOverlay } from "./attachments/drop-overlay.tsx";
import { useAttach, useBeingRead, useTransfer } from "./attachments/pick-files.ts";
import { ComposerBar, ComposerFrame } from "./composer-frame.tsx";
import { handleArrowKey } from "./composer-keys.ts";
import { ComposerTools, SendKeyTool, VoiceTool } from "./composer-tools.tsx";
import { MentionPopover } from "./mentions/mention-popover.tsx";
import { TooLongBar } from "./too-long-bar.tsx";
import { useComposition } from "./use-composition.ts";
import { useTellTyping } from "./use-tell-typing.ts";
import { useVoicePress } from "./voice/use-voice-press.ts";
import styles from "./composer.module.css";

const AttachmentStrip = lazyComponent(() =>
  import("./attachments/attachment-strip.tsx").then((part) => part.AttachmentStrip),
);

const VoiceRecorder = lazyComponent(() =>
  import("./voice/voice-recorder.tsx").then((part) => part.VoiceRecorder),
);

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
  const composition = useComposition(chatKey);
  const { groupId, messageField, mentions, draft, quote, clearQuote, receipt, files } = composition;
  const beingRead = useBeingRead(chatKey);
  const addFiles = useAttach(chatKey);
  const { returnFocus } = messageField;
  const attach = useCallback(
    (chosen: SelectedFiles) => {
      addFiles(chosen);
      returnFocus();
    },
    [addFiles, returnFocus],
  );
  const dropZone = useTransfer(attach);
  const voice = useVoiceRecording(returnFocus);
  const typing = useTellTyping(chatKey, messageField);

  const send = (text: string) => {
    composition.send(text);
    onSent();
    returnFocus();
  };
  const unquote = () => {
    clearQuote();
    returnFocus();
  };

  const handleKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (mentions.handleKeyDown(event)) return true;
    // The default action is kept: it moves the caret to the end.
    if (isShortcut(event.nativeEvent, "toEnd")) onShowNewest();
    if (event.key === "ArrowUp" || event.key === "ArrowDown") handleArrowKey(event, client, ui, chatKey);
    return false;
  };

  return (
    <>
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
            {quote !== null && <QuoteBar chatKey={chatKey} quote={quote} onClose={unquote} />}
            {(files.length > 0 || beingRead > 0) && (
              <AttachmentStrip
                chatKey={chatKey}
                files={files}
                beingRead={beingRead}
                onReturnFocus={messageField.resume}
                waiting={<div className={styles.stripPlaceholder} />}
              />
            )}
            {messageField.textLength.isTooLong && (
              <TooLongBar
                chatKey={chatKey}
                messageField={messageField}
                onClear={() => {
                  draft.clear();
                  typing.stopped();
                }}
                onSplit={composition.sendPieces}
                onSent={onSent}
              />
            )}
            {!isDesktop && receipt.isRequested && (
              <ReceiptBar
                onClose={() => {
                  receipt.setRequested(false);
                  returnFocus();
                }}
              />
            )}
          </>
        }
        popover={
          mentions.query !== null &&
          groupId !== null && (
            <MentionPopover groupId={groupId} query={mentions.query} {...mentions.popover} />
          )
        }
        tools={<ComposerTools chatKey={chatKey} receipt={receipt} onAttach={attach} onSent={onSent} />}
        submitLabel={t("chat.send")}
        submitIcon={<SendHorizontal {...ICON_PROPS} />}
        submitMore={
          !isCoarse && <SendKeyTool canSend={messageField.textLength.canSend || files.length > 0} />
        }
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
              onDone={voice.finish}
              waiting={<div className={styles.recorderPlaceholder} />}
              onMissing={voice.end}
            />
          )
        }
        onSubmit={send}
        onChanged={(inputType) => {
          mentions.textChanged(inputType);
          draft.saveSoon();
          typing.changed();
        }}
        onKey={handleKey}
        onEscape={quote === null ? null : clearQuote}
      />
      {dropZone !== null && <DropOverlay over={dropZone} />}
    </>
  );
}

/** The press on the microphone. `finish` ends it and returns the focus to the field. */
function useVoiceRecording(returnFocus: () => void) {
  const voice = useVoicePress();
  const { end } = voice;
  const finish = useCallback(() => {
    end();
    // After the render that shows the field again.
    requestAnimationFrame(returnFocus);
  }, [end, returnFocus]);
  return { ...voice, finish } as const;
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

/** Says that the next message asks for read receipts. */
function ReceiptBar({ onClose }: { onClose: () => void }) {
  const t = useText();
  return (
    <ComposerBar
      title={t("readers.ask")}
      text={t("readers.asked")}
      closeLabel={t("readers.askNot")}
      onClose={onClose}
    />
  );
}
