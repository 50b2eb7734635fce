import { useEffect, useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import { Check, Pencil } from "lucide-react";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { useChoice } from "../../../kit/choices.ts";
import { useText } from "../../../kit/i18n.ts";
import { toasts } from "../../../kit/toasts.ts";
import { useClient } from "../../../kit/use-client.ts";
import { ICON } from "../../../ui/icon.ts";
import { useHasCoarsePointer } from "../../../ui/use-media.ts";
import { offerWriting, useDesk } from "../message/desk.ts";
import { messageWords } from "../message/message-words.ts";
import { ComposerBar } from "./composer-bar.tsx";
import { ComposerFrame } from "./composer-frame.tsx";
import { EmoticonTool } from "./emoticon-tool.tsx";
import { enterDoes } from "./enter-key.ts";
import { useField } from "./use-field.ts";

interface EditComposerProps {
  chatKey: ChatKey;
  /** A text of one's own that the server has. */
  message: ChatMessage;
  /** It was recalled or deleted meanwhile. */
  isGone: boolean;
  onDone: () => void;
}

/**
 * In place of the composer while a message is being edited. Enter saves, Esc gives up; the draft waits meanwhile. Of a message that goes
 * the new words are kept in the draft.
 */
export function EditComposer({ chatKey, message, isGone, onDone }: EditComposerProps) {
  const t = useText();
  const client = useClient();
  const desk = useDesk();
  const isCoarse = useHasCoarsePointer();
  const [sendKey] = useChoice("sendKey");
  // What is being edited may change elsewhere; what is typed here stays.
  const [start] = useState(message.content);
  const { field, composing, fit, measure, focus, insert, isComposing, handlers } = useField(start);
  const [isPicking, setPicking] = useState(false);
  const isSaving = useRef(false);

  useEffect(() => offerWriting(desk, { focus, insert }), [desk, focus, insert]);
  useEffect(() => {
    measure();
    focus();
  }, [measure, focus]);

  const leaveIfGone = () => {
    if (!isGone || composing.current) return;
    const words = field.current?.value.trim() ?? "";
    const draft = client.getState().chats.byKey[chatKey]?.draft ?? "";
    if (words !== "" && words !== start.trim()) {
      client.chats.setDraft(chatKey, draft === "" ? words : `${draft}\n${words}`);
    }
    onDone();
  };
  useEffect(leaveIfGone);

  const save = async () => {
    const text = field.current?.value.trim() ?? "";
    if (message.id === null || composing.current || isSaving.current || !fit.canSend) return;
    if (text === message.content) return onDone();
    isSaving.current = true;
    const result = await client.chats.editText(chatKey, message.id, text);
    isSaving.current = false;
    if (result.ok) onDone();
    else toasts.failure(result.failure);
  };

  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event)) return;
    if (event.key === "Escape") {
      event.preventDefault();
      if (isPicking) setPicking(false);
      else onDone();
    } else if (event.key === "Enter") {
      const does = enterDoes(event, sendKey, isCoarse);
      if (does === "browser") return;
      event.preventDefault();
      if (does === "send") void save();
      else insert("\n");
    }
  };

  return (
    <ComposerFrame
      bar={
        <ComposerBar
          icon={<Pencil {...ICON} />}
          title={t("chat.editing")}
          line={messageWords(message, t)}
          closeLabel={t("chat.editCancel")}
          onClose={onDone}
        />
      }
      tools={<EmoticonTool isOpen={isPicking} onOpen={setPicking} onPick={insert} onLeave={focus} />}
      field={{
        ref: field,
        defaultValue: start,
        "aria-label": t("chat.editing"),
        enterKeyHint: isCoarse ? "enter" : "done",
        onKeyDown: press,
        ...handlers(leaveIfGone),
      }}
      fit={fit}
      submitLabel={t("chat.editSave")}
      submitIcon={<Check {...ICON} />}
      onSubmit={() => void save()}
    />
  );
}
