import { useCallback, useEffect, useState } from "react";
import type { KeyboardEvent } from "react";
import { SendHorizontal } from "lucide-react";
import type { ChatKey, DraftQuote } from "@parley/core/model/state";
import { useChoice } from "../../../kit/choices.ts";
import { useText } from "../../../kit/i18n.ts";
import { isPressed } from "../../../kit/keys.ts";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import { ICON } from "../../../ui/icon.ts";
import { useHasCoarsePointer } from "../../../ui/use-media.ts";
import { offerWriting, useDesk } from "../message/desk.ts";
import { actLimits, actsOf, lastToEdit } from "../message/message-acts.ts";
import { quoteWords } from "../message/message-words.ts";
import { useTalker } from "../message/use-talker.ts";
import { ComposerBar } from "./composer-bar.tsx";
import { ComposerFrame } from "./composer-frame.tsx";
import { EmoticonTool } from "./emoticon-tool.tsx";
import { enterDoes } from "./enter-key.ts";
import { PlusTool } from "./plus-tool.tsx";
import { nextQuoted } from "./next-quoted.ts";
import { SendKeyTool } from "./send-key-tool.tsx";
import { fitOf } from "./text-length.ts";
import { useDraft } from "./use-draft.ts";
import { useField } from "./use-field.ts";

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
  const [sendKey] = useChoice("sendKey");
  const [isPicking, setPicking] = useState(false);
  const [start] = useState(() => client.getState().chats.byKey[chatKey]?.draft ?? "");
  const { field, composing, fit, measure, focus, insert, isComposing, handlers } = useField(start);
  const draft = useDraft(field, chatKey, composing, measure);
  const quote = useClientState((state) => state.chats.byKey[chatKey]?.draftQuote ?? null);

  useEffect(() => offerWriting(desk, { focus, insert }), [desk, focus, insert]);
  useEffect(() => {
    measure();
    // A finger that opened the chat did not ask for the keyboard.
    if (!window.matchMedia("(pointer: coarse)").matches) focus();
  }, [measure, focus]);

  const send = () => {
    const element = field.current;
    if (element === null || composing.current || !fitOf(element.value).canSend) return;
    client.chats.sendText(chatKey, element.value.trim());
    element.value = "";
    draft.keep("");
    measure();
    setPicking(false);
    onSent();
    element.focus({ preventScroll: true });
  };

  const unquote = useCallback(() => client.chats.setQuote(chatKey, null), [client, chatKey]);

  /** ↑ edits the last text that may still be edited, with Ctrl it chooses what to quote. */
  const pressArrow = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.currentTarget.value !== "" || event.altKey || event.shiftKey) return;
    const { chats, config } = client.getState();
    const messages = chats.byKey[chatKey]?.window.messages ?? [];
    const limits = actLimits(config, Date.now(), true);
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
    if (isComposing(event)) return;
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
      bar={quote !== null && <QuoteBar chatKey={chatKey} quote={quote} onClose={unquote} />}
      tools={
        <>
          <EmoticonTool isOpen={isPicking} onOpen={setPicking} onPick={insert} onLeave={focus} />
          <PlusTool chatKey={chatKey} onSent={onSent} />
        </>
      }
      field={{
        ref: field,
        defaultValue: start,
        placeholder: t("chat.placeholder"),
        "aria-label": t("chat.placeholder"),
        enterKeyHint: isCoarse ? "enter" : "send",
        onKeyDown: press,
        onBlur: draft.save,
        ...handlers(draft.saveSoon),
      }}
      fit={fit}
      submitLabel={t("chat.send")}
      submitIcon={<SendHorizontal {...ICON} />}
      submitMore={!isCoarse && <SendKeyTool canSend={fit.canSend} />}
      onSubmit={send}
    />
  );
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
