import { useCallback, useEffect, useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import { Check, Pencil } from "lucide-react";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { useUserSetting } from "../../../kit/user-settings.ts";
import { useText } from "../../../kit/i18n.ts";
import { toasts } from "../../../kit/toasts.ts";
import { useClient } from "../../../kit/use-client.ts";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import { useHasCoarsePointer } from "../../../ui/use-media.ts";
import { registerComposer, useConversationUi } from "../message/conversation-ui.ts";
import { messageSummary } from "../message/message-summary.ts";
import { ComposerBar } from "./composer-bar.tsx";
import { ComposerFrame } from "./composer-frame.tsx";
import { EmoticonTool } from "./emoticon-tool.tsx";
import { enterAction } from "./enter-action.ts";
import { fieldText } from "./field-text.ts";
import { useField } from "./use-field.ts";
import { useAutosave } from "./use-autosave.ts";

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
  const ui = useConversationUi();
  const isCoarse = useHasCoarsePointer();
  const [sendKey] = useUserSetting("sendKey");
  // What is being edited may change elsewhere; what is typed here stays.
  const [original] = useState(message.content);
  const [start] = useState(() => {
    const left = client.getState().chats.byKey[chatKey]?.draftEdit ?? null;
    return left !== null && left.id === message.id ? left.text : original;
  });
  const messageField = useField(start);
  const { field, composing, textLength, measure, focus, insert, isComposing, handlers } = messageField;
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
  const autosave = useAutosave(field, composing, { start, sign: String, store });

  const currentText = () => (field.current === null ? "" : fieldText(field.current));
  const leave = () => {
    autosave.note(currentText());
    client.chats.setDraftEdit(chatKey, null);
    onDone();
  };

  useEffect(() => registerComposer(ui, { focus, insert }), [ui, focus, insert]);
  useEffect(() => {
    measure();
    focus();
  }, [measure, focus]);

  const leaveIfGone = () => {
    if (!isGone || composing.current) return;
    const words = currentText().trim();
    const draft = client.getState().chats.byKey[chatKey]?.draft ?? "";
    if (words !== "" && words !== original.trim()) {
      client.chats.setDraft(chatKey, draft === "" ? words : `${draft}\n${words}`);
    }
    leave();
  };
  useEffect(leaveIfGone);

  const save = async () => {
    const text = currentText().trim();
    if (message.id === null || composing.current || isSaving.current || !textLength.canSend) return;
    if (text === message.content) return leave();
    isSaving.current = true;
    const result = await client.chats.editText(chatKey, message.id, text);
    isSaving.current = false;
    if (result.ok) leave();
    else toasts.failure(result.failure);
  };

  const handleKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event)) return;
    if (event.key === "Escape") {
      event.preventDefault();
      if (isPicking) setPicking(false);
      else leave();
    } else if (event.key === "Enter") {
      const does = enterAction(event, sendKey, isCoarse);
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
          icon={<Pencil {...ICON_PROPS} />}
          title={t("chat.editing")}
          text={messageSummary(message, t)}
          closeLabel={t("chat.editCancel")}
          onClose={leave}
        />
      }
      tools={<EmoticonTool isOpen={isPicking} onOpen={setPicking} onPick={insert} onLeave={focus} />}
      field={{
        ref: field,
        defaultValue: messageField.startText,
        "aria-label": t("chat.editing"),
        enterKeyHint: isCoarse ? "enter" : "done",
        onKeyDown: handleKeyDown,
        onBlur: autosave.save,
        ...handlers(() => {
          autosave.saveSoon();
          leaveIfGone();
        }),
      }}
      layer={messageField.layer}
      description={messageField.words}
      textLength={textLength}
      submitLabel={t("chat.editSave")}
      submitIcon={<Check {...ICON_PROPS} />}
      onSubmit={() => void save()}
    />
  );
}
