import { useCallback, useEffect, useId, useState } from "react";
import type { KeyboardEvent } from "react";
import { SendHorizontal } from "lucide-react";
import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import type { ChatKey, DraftMention, DraftQuote } from "@parley/core/model/state";
import { ChatType } from "@parley/protocol/codes";
import { RECEIPT_MEMBERS_MAX } from "@parley/protocol/limits";
import { useUserSetting } from "../../../kit/user-settings.ts";
import { useText } from "../../../kit/i18n.ts";
import { lazyComponent } from "../../../kit/lazy-component.tsx";
import { isShortcut } from "../../../kit/shortcuts.ts";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import { useHasCoarsePointer, useIsWide } from "../../../ui/use-media.ts";
import { mentionsToSend } from "./mentions/mentions-to-send.ts";
import { useMentions } from "./mentions/use-mentions.ts";
import { registerComposer, useConversationUi, useConversationUiState } from "../message/conversation-ui.ts";
import { groupPermissions } from "../message/member-actions.ts";
import { actionLimits, allowedActions, lastEditable } from "../message/message-actions.ts";
import { quoteSummary } from "../message/message-summary.ts";
import { useSenderName } from "../message/use-sender-name.ts";
import { ComposerBar } from "./composer-bar.tsx";
import { ComposerFrame } from "./composer-frame.tsx";
import { EmoticonTool } from "./emoticon-tool.tsx";
import { enterAction } from "./enter-action.ts";
import { fieldText } from "./field-text.ts";
import { PlusTool } from "./plus-tool.tsx";
import { nextQuoted } from "./next-quoted.ts";
import type { ReceiptRequest } from "./receipt-tool.tsx";
import { SendKeyTool } from "./send-key-tool.tsx";
import { textLength } from "./text-length.ts";
import { useDraft } from "./use-draft.ts";
import { useField } from "./use-field.ts";
import styles from "./composer.module.css";

const MentionPopover = lazyComponent(() => import("../group-modules.ts").then((part) => part.MentionPopover));

const ReceiptTool = lazyComponent(() => import("../group-modules.ts").then((part) => part.ReceiptTool));

const NO_MENTIONS: readonly DraftMention[] = [];

interface ComposerProps {
  chatKey: ChatKey;
  onSent: () => void;
  /** The person wants to see the newest message. */
  onEnd: () => void;
}

/** Where messages are written. */
export function Composer({ chatKey, onSent, onEnd }: ComposerProps) {
  const t = useText();
  const client = useClient();
  const ui = useConversationUi();
  const isCoarse = useHasCoarsePointer();
  const isDesktop = useIsWide();
  const [sendKey] = useUserSetting("sendKey");
  const [isPicking, setPicking] = useState(false);
  const groupId = groupIdOf(chatKey);
  const [start] = useState(() => {
    const { draft = "", draftMentions = [] } = client.getState().chats.byKey[chatKey] ?? {};
    return { draft, draftMentions };
  });
  const messageField = useField(start.draft);
  const { field, composing, measure, focus, insert, write, isComposing, handlers } = messageField;
  const mentions = useMentions({
    field,
    layer: messageField.layer,
    drawn: messageField.drawn,
    composing,
    isOn: groupId !== null,
    start,
  });
  const { isReady, name, reset } = mentions;
  const replace = useCallback(
    (text: string, named: readonly DraftMention[]) => {
      write(text);
      reset(text, named);
      measure();
    },
    [write, reset, measure],
  );
  const draft = useDraft(field, chatKey, composing, mentions.current, replace);
  const quote = useClientState((state) => state.chats.byKey[chatKey]?.draftQuote ?? null);
  const pendingMentions = useConversationUiState((state) => state.pendingMentions);
  const receipt = useReceipt(groupId);
  const [activeName, setActiveName] = useState<string | null>(null);
  const namesId = useId();

  useEffect(() => registerComposer(ui, { focus, insert }), [ui, focus, insert]);
  useEffect(() => {
    measure();
    // A finger that opened the chat did not ask for the keyboard.
    if (!window.matchMedia("(pointer: coarse)").matches) focus();
  }, [measure, focus]);

  useEffect(() => {
    if (pendingMentions === null || !isReady) return;
    ui.set({ pendingMentions: null });
    name(pendingMentions);
  }, [ui, pendingMentions, isReady, name]);

  const send = () => {
    const element = field.current;
    if (element === null || composing.current) return;
    const text = fieldText(element);
    if (!textLength(text).canSend) return;
    const how = groupId !== null && {
      mentions: mentionsToSend(client.getState(), groupId, text, mentions.current()),
      receipt: receipt.isAsked,
    };
    client.chats.sendText(chatKey, text.trim(), how || undefined);
    replace("", NO_MENTIONS);
    draft.keep("");
    setPicking(false);
    receipt.setAsked(false);
    onSent();
    element.focus({ preventScroll: true });
  };

  const unquote = useCallback(() => client.chats.setQuote(chatKey, null), [client, chatKey]);

  /** ↑ edits the last text that may still be edited, with Ctrl it chooses what to quote. */
  const handleArrowKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.currentTarget.value !== "" || event.altKey || event.shiftKey) return;
    const state = client.getState();
    const { chats, config } = state;
    const messages = chats.byKey[chatKey]?.window.messages ?? [];
    const limits = actionLimits(config, Date.now(), true, groupPermissions(state, chatKey));
    if (event.ctrlKey || event.metaKey) {
      const quotable = messages.filter((one) => allowedActions(one, limits).includes("quote"));
      event.preventDefault();
      client.chats.setQuote(
        chatKey,
        nextQuoted(quotable, quote?.id ?? null, event.key === "ArrowUp" ? -1 : 1),
      );
    } else if (event.key === "ArrowUp") {
      const last = lastEditable(chats.byKey[chatKey]?.window, limits);
      if (last === null) return;
      event.preventDefault();
      ui.set({ editing: last });
    }
  };

  const handleKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event) || mentions.press(event)) return;
    // The caret goes to the end as well.
    if (isShortcut(event.nativeEvent, "toEnd")) onEnd();
    switch (event.key) {
      case "Escape":
        if (isPicking) setPicking(false);
        else if (quote !== null) unquote();
        else return;
        event.preventDefault();
        break;
      case "ArrowUp":
      case "ArrowDown":
        handleArrowKey(event);
        break;
      case "Enter": {
        const keyAction = enterAction(event, sendKey, isCoarse);
        if (keyAction === "browser") return;
        event.preventDefault();
        if (keyAction === "send") send();
        else insert("\n");
      }
    }
  };

  return (
    <ComposerFrame
      bar={
        <>
          {quote !== null && <QuoteBar chatKey={chatKey} quote={quote} onClose={unquote} />}
          {!isDesktop && receipt.isAsked && (
            <ComposerBar
              title={t("readers.ask")}
              text={t("readers.asked")}
              closeLabel={t("readers.askNot")}
              onClose={() => receipt.setAsked(false)}
            />
          )}
        </>
      }
      popover={
        mentions.query !== null &&
        groupId !== null && (
          <MentionPopover
            id={namesId}
            groupId={groupId}
            query={mentions.query}
            control={mentions.popover}
            onActive={setActiveName}
            onPick={mentions.pick}
            onMissing={mentions.close}
          />
        )
      }
      layer={messageField.layer}
      description={messageField.words}
      tools={
        <>
          <EmoticonTool isOpen={isPicking} onOpen={setPicking} onPick={insert} onLeave={focus} />
          <PlusTool
            chatKey={chatKey}
            receipt={receipt.isPossible && !isDesktop ? receipt : null}
            onSent={onSent}
          />
          {receipt.isPossible && isDesktop && (
            <ReceiptTool receipt={receipt} waiting={<span className={styles.gap} />} />
          )}
        </>
      }
      field={{
        ref: field,
        defaultValue: messageField.startText,
        placeholder: t("chat.placeholder"),
        "aria-label": t("chat.placeholder"),
        enterKeyHint: isCoarse ? "enter" : "send",
        ...(activeName !== null && {
          "aria-autocomplete": "list",
          "aria-controls": namesId,
          "aria-activedescendant": activeName,
        }),
        onKeyDown: handleKeyDown,
        onSelect: () => mentions.query !== null && mentions.look(),
        onBlur: () => {
          mentions.close();
          draft.save();
        },
        ...handlers((inputType) => {
          mentions.changed(inputType);
          draft.saveSoon();
        }),
      }}
      textLength={messageField.textLength}
      submitLabel={t("chat.send")}
      submitIcon={<SendHorizontal {...ICON_PROPS} />}
      submitMore={!isCoarse && <SendKeyTool canSend={messageField.textLength.canSend} />}
      onSubmit={send}
    />
  );
}

/** The group of a chat, if it is one's. */
function groupIdOf(key: ChatKey): number | null {
  const chat = parseChatKey(key);
  return chat?.type === ChatType.GROUP ? chat.targetId : null;
}

/** Whether the message being written asks who reads it. Large groups do not tell. */
function useReceipt(groupId: number | null): ReceiptRequest {
  const [isAsked, setAsked] = useState(false);
  const isPossible = useClientState(
    (state) =>
      groupId !== null && (state.groups.byId[groupId]?.membersCount ?? Infinity) <= RECEIPT_MEMBERS_MAX,
  );
  return { isPossible, isAsked: isAsked && isPossible, setAsked };
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
