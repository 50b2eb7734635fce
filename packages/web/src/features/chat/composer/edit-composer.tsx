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
  /** A text message of mine that the server has stored. */
  message: ChatMessage;
  /** The message was recalled or deleted during the edit. */
  isRemoved: boolean;
  onDone: () => void;
}

/**
 * Replaces the composer while a message is being edited. Enter saves, Esc cancels; the draft stays as it is. An edit that is left
 * unfinished is restored when the chat is opened again. If the message is recalled or deleted, the edited text is added to the draft.
 */
export function EditComposer({ chatKey, message, isRemoved, onDone }: EditComposerProps) {
  const t = useText();
  const client = useClient();
  const ui = useConversationUi();
  const isCoarse = useHasCoarsePointer();
  const [sendKey] = useUserSetting("sendKey");
  // The message may change elsewhere during the edit; what is typed here stays.
  const [original] = useState(message.content);
  const [initialText] = useState(() => {
    const unsentEdit = client.getState().chats.byKey[chatKey]?.draftEdit ?? null;
    return unsentEdit !== null && unsentEdit.id === message.id ? unsentEdit.text : original;
  });
  const messageField = useField(initialText);
  const { field, composing, textLength, refresh, focus, insert, isComposing, handlers } = messageField;
  const [isPickerOpen, setPickerOpen] = useState(false);
  const isSaving = useRef(false);
  const { id } = message;
  const store = useCallback(
    (text: string) => {
      const isSame = id === null || text.trim() === original.trim();
      client.chats.setDraftEdit(chatKey, isSame ? null : { id, text });
    },
    [client, chatKey, id, original],
  );
  const autosave = useAutosave(field, composing, { initial: initialText, fingerprint: String, store });

  const currentText = () => (field.current === null ? "" : fieldText(field.current));
  const closeEditor = () => {
    autosave.markSaved(currentText());
    client.chats.setDraftEdit(chatKey, null);
    onDone();
  };

  useEffect(() => registerComposer(ui, { focus, insert }), [ui, focus, insert]);
  useEffect(() => {
    refresh();
    focus();
  }, [refresh, focus]);

  const closeIfRemoved = () => {
    if (!isRemoved || composing.current) return;
    const editedText = currentText().trim();
    const draft = client.getState().chats.byKey[chatKey]?.draft ?? "";
    if (editedText !== "" && editedText !== original.trim()) {
      client.chats.setDraft(chatKey, draft === "" ? editedText : `${draft}\n${editedText}`);
    }
    closeEditor();
  };
  useEffect(closeIfRemoved);

  const save = async () => {
    const text = currentText().trim();
    if (message.id === null || composing.current || isSaving.current || !textLength.canSend) return;
    if (text === message.content) return closeEditor();
    isSaving.current = true;
    const result = await client.chats.editText(chatKey, message.id, text);
    isSaving.current = false;
    if (result.ok) closeEditor();
    else toasts.failure(result.failure);
  };

  const handleKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event)) return;
    if (event.key === "Escape") {
      event.preventDefault();
      if (isPickerOpen) setPickerOpen(false);
      else closeEditor();
    } else if (event.key === "Enter") {
      const keyAction = enterAction(event, sendKey, isCoarse);
      if (keyAction === "browser") return;
      event.preventDefault();
      if (keyAction === "send") void save();
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
          onClose={closeEditor}
        />
      }
      tools={
        <EmoticonTool
          isOpen={isPickerOpen}
          onOpenChange={setPickerOpen}
          onPick={insert}
          onReturnFocus={focus}
        />
      }
      field={{
        ref: field,
        defaultValue: messageField.initialValue,
        "aria-label": t("chat.editing"),
        enterKeyHint: isCoarse ? "enter" : "done",
        onKeyDown: handleKeyDown,
        onBlur: autosave.save,
        ...handlers(() => {
          autosave.saveSoon();
          closeIfRemoved();
        }),
      }}
      layer={messageField.layer}
      description={messageField.description}
      textLength={textLength}
      submitLabel={t("chat.editSave")}
      submitIcon={<Check {...ICON_PROPS} />}
      onSubmit={() => void save()}
    />
  );
}
