import { useCallback, useEffect, useId, useState } from "react";
import type { KeyboardEvent } from "react";
import { SendHorizontal } from "lucide-react";
import { parseChatKey } from "@parley/core/model/rows";
import type { ChatKey, DraftMention, DraftQuote } from "@parley/core/model/state";
import { ChatType } from "@parley/protocol/codes";
import { RECEIPT_MEMBERS_MAX } from "@parley/protocol/limits";
import { useChoice } from "../../../kit/choices.ts";
import { useText } from "../../../kit/i18n.ts";
import { lazyPart } from "../../../kit/lazy-part.tsx";
import { isPressed } from "../../../kit/keys.ts";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import { ICON } from "../../../ui/icon.ts";
import { useHasCoarsePointer, useIsWide } from "../../../ui/use-media.ts";
import { mentionsToSend } from "../mention/mentions-to-send.ts";
import { useMentions } from "../mention/use-mentions.ts";
import { offerWriting, useDesk, useDeskState } from "../message/desk.ts";
import { groupLimits } from "../message/member-acts.ts";
import { actLimits, actsOf, lastToEdit } from "../message/message-acts.ts";
import { quoteWords } from "../message/message-words.ts";
import { useTalker } from "../message/use-talker.ts";
import { ComposerBar } from "./composer-bar.tsx";
import { ComposerFrame } from "./composer-frame.tsx";
import { EmoticonTool } from "./emoticon-tool.tsx";
import { enterDoes } from "./enter-key.ts";
import { textIn } from "./field-text.ts";
import { PlusTool } from "./plus-tool.tsx";
import { nextQuoted } from "./next-quoted.ts";
import type { Receipt } from "./receipt-tool.tsx";
import { SendKeyTool } from "./send-key-tool.tsx";
import { fitOf } from "./text-length.ts";
import { useDraft } from "./use-draft.ts";
import { useField } from "./use-field.ts";
import styles from "./composer.module.css";

const MentionPopover = lazyPart(() => import("../in-groups.ts").then((part) => part.MentionPopover));

const ReceiptTool = lazyPart(() => import("../in-groups.ts").then((part) => part.ReceiptTool));

const NOBODY: readonly DraftMention[] = [];

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
  const desk = useDesk();
  const isCoarse = useHasCoarsePointer();
  const isDesktop = useIsWide();
  const [sendKey] = useChoice("sendKey");
  const [isPicking, setPicking] = useState(false);
  const groupId = groupOf(chatKey);
  const [start] = useState(() => {
    const { draft = "", draftMentions = [] } = client.getState().chats.byKey[chatKey] ?? {};
    return { draft, draftMentions };
  });
  const writing = useField(start.draft);
  const { field, composing, fit, measure, focus, insert, write, isComposing, handlers } = writing;
  const mentions = useMentions({
    field,
    layer: writing.layer,
    drawn: writing.drawn,
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
  const naming = useDeskState((state) => state.naming);
  const receipt = useReceipt(groupId);
  const [activeName, setActiveName] = useState<string | null>(null);
  const namesId = useId();

  useEffect(() => offerWriting(desk, { focus, insert }), [desk, focus, insert]);
  useEffect(() => {
    measure();
    // A finger that opened the chat did not ask for the keyboard.
    if (!window.matchMedia("(pointer: coarse)").matches) focus();
  }, [measure, focus]);

  useEffect(() => {
    if (naming === null || !isReady) return;
    desk.set({ naming: null });
    name(naming);
  }, [desk, naming, isReady, name]);

  const send = () => {
    const element = field.current;
    if (element === null || composing.current) return;
    const text = textIn(element);
    if (!fitOf(text).canSend) return;
    const how = groupId !== null && {
      mentions: mentionsToSend(client.getState(), groupId, text, mentions.current()),
      receipt: receipt.isAsked,
    };
    client.chats.sendText(chatKey, text.trim(), how || undefined);
    replace("", NOBODY);
    draft.keep("");
    setPicking(false);
    receipt.setAsked(false);
    onSent();
    element.focus({ preventScroll: true });
  };

  const unquote = useCallback(() => client.chats.setQuote(chatKey, null), [client, chatKey]);

  /** ↑ edits the last text that may still be edited, with Ctrl it chooses what to quote. */
  const pressArrow = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.currentTarget.value !== "" || event.altKey || event.shiftKey) return;
    const state = client.getState();
    const { chats, config } = state;
    const messages = chats.byKey[chatKey]?.window.messages ?? [];
    const limits = actLimits(config, Date.now(), true, groupLimits(state, chatKey));
    if (event.ctrlKey || event.metaKey) {
      const quotable = messages.filter((one) => actsOf(one, limits).includes("quote"));
      event.preventDefault();
      client.chats.setQuote(
        chatKey,
        nextQuoted(quotable, quote?.id ?? null, event.key === "ArrowUp" ? -1 : 1),
      );
    } else if (event.key === "ArrowUp") {
      const last = lastToEdit(chats.byKey[chatKey]?.window, limits);
      if (last === null) return;
      event.preventDefault();
      desk.set({ editing: last });
    }
  };

  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event) || mentions.press(event)) return;
    // The caret goes to the end as well.
    if (isPressed(event.nativeEvent, "toEnd")) onEnd();
    switch (event.key) {
      case "Escape":
        if (isPicking) setPicking(false);
        else if (quote !== null) unquote();
        else return;
        event.preventDefault();
        break;
      case "ArrowUp":
      case "ArrowDown":
        pressArrow(event);
        break;
      case "Enter": {
        const does = enterDoes(event, sendKey, isCoarse);
        if (does === "browser") return;
        event.preventDefault();
        if (does === "send") send();
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
              line={t("readers.asked")}
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
      layer={writing.layer}
      words={writing.words}
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
        defaultValue: writing.startText,
        placeholder: t("chat.placeholder"),
        "aria-label": t("chat.placeholder"),
        enterKeyHint: isCoarse ? "enter" : "send",
        ...(activeName !== null && {
          "aria-autocomplete": "list",
          "aria-controls": namesId,
          "aria-activedescendant": activeName,
        }),
        onKeyDown: press,
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
      fit={fit}
      submitLabel={t("chat.send")}
      submitIcon={<SendHorizontal {...ICON} />}
      submitMore={!isCoarse && <SendKeyTool canSend={fit.canSend} />}
      onSubmit={send}
    />
  );
}

/** The group of a chat, if it is one's. */
function groupOf(key: ChatKey): number | null {
  const chat = parseChatKey(key);
  return chat?.type === ChatType.GROUP ? chat.targetId : null;
}

/** Whether the message being written asks who reads it. Large groups do not tell. */
function useReceipt(groupId: number | null): Receipt {
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
  const name = useTalker(chatKey, quote.sendId, quote.sendNickName);
  return (
    <ComposerBar
      title={t("chat.replyTo", { name })}
      line={quoteWords(quote, t)}
      closeLabel={t("chat.unquote")}
      onClose={onClose}
    />
  );
}
