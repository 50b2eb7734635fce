import { useCallback, useEffect, useRef, useState } from "react";
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
import { textIn } from "./field-text.ts";
import { useField } from "./use-field.ts";
import { useKept } from "./use-kept.ts";

interface EditComposerProps {
  chatKey: ChatKey;
  /** A text of one's own that the server has. */
  message: ChatMessage;
  /** It was recalled or deleted meanwhile. */
  isGone: boolean;
  onDone: () => void;
}

/**
 * In place of the composer while a message is being edited. Enter saves, Esc gives up; the draft waits meanwhile. Whoever goes
 * elsewhere finds the edit as it was. Of a message that goes the new words are kept in the draft.
 */
export function EditComposer({ chatKey, message, isGone, onDone }: EditComposerProps) {
  const t = useText();
  const client = useClient();
  const desk = useDesk();
  const isCoarse = useHasCoarsePointer();
  const [sendKey] = useChoice("sendKey");
  // What is being edited may change elsewhere; what is typed here stays.
  const [original] = useState(message.content);
  const [start] = useState(() => {
    const left = client.getState().chats.byKey[chatKey]?.draftEdit ?? null;
    return left !== null && left.id === message.id ? left.text : original;
  });
  const writing = useField(start);
  const { field, composing, fit, measure, focus, insert, isComposing, handlers } = writing;
  const [isPicking, setPicking] = useState(false);
  const isSaving = useRef(false);
  const { id } = message;
  const store = useCallback(
    (text: string) => {
      const isSame = id === null || text.trim() === original.trim();
      client.chats.setDraftEdit(chatKey, isSame ? null : { id, text });
    },
    [client, chatKey, id, original],
  );
  const kept = useKept(field, composing, { start, sign: String, store });

  const says = () => (field.current === null ? "" : textIn(field.current));
  const leave = () => {
    kept.note(says());
    client.chats.setDraftEdit(chatKey, null);
    onDone();
  };

  useEffect(() => offerWriting(desk, { focus, insert }), [desk, focus, insert]);
  useEffect(() => {
    measure();
    focus();
  }, [measure, focus]);

  const leaveIfGone = () => {
    if (!isGone || composing.current) return;
    const words = says().trim();
    const draft = client.getState().chats.byKey[chatKey]?.draft ?? "";
    if (words !== "" && words !== original.trim()) {
      client.chats.setDraft(chatKey, draft === "" ? words : `${draft}\n${words}`);
    }
    leave();
  };
  useEffect(leaveIfGone);

  const save = async () => {
    const text = says().trim();
    if (message.id === null || composing.current || isSaving.current || !fit.canSend) return;
    if (text === message.content) return leave();
    isSaving.current = true;
    const result = await client.chats.editText(chatKey, message.id, text);
    isSaving.current = false;
    if (result.ok) leave();
    else toasts.failure(result.failure);
  };

  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event)) return;
    if (event.key === "Escape") {
      event.preventDefault();
      if (isPicking) setPicking(false);
      else leave();
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
          onClose={leave}
        />
      }
      tools={<EmoticonTool isOpen={isPicking} onOpen={setPicking} onPick={insert} onLeave={focus} />}
      field={{
        ref: field,
        defaultValue: writing.startText,
        "aria-label": t("chat.editing"),
        enterKeyHint: isCoarse ? "enter" : "done",
        onKeyDown: press,
        onBlur: kept.save,
        ...handlers(() => {
          kept.saveSoon();
          leaveIfGone();
        }),
      }}
      layer={writing.layer}
      words={writing.words}
      fit={fit}
      submitLabel={t("chat.editSave")}
      submitIcon={<Check {...ICON} />}
      onSubmit={() => void save()}
    />
  );
}
