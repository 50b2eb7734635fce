import { isVisible } from "@parley/protocol/text";
import { useCallback, useEffect, useRef, useState } from "react";
import { Check, Pencil } from "lucide-react";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n/i18n.ts";
import { toasts } from "../../../kit/dialogs/toasts.ts";
import { useClient } from "../../../kit/loading/use-client.ts";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import { useHasCoarsePointer } from "../../../ui/use-media.ts";
import { messageSummary } from "../message/message-summary.ts";
import { ComposerBar, ComposerFrame } from "./composer-frame.tsx";
import { fieldText } from "../../../kit/message-field/field-text.ts";
import { useMessageField } from "../../../kit/message-field/use-message-field.ts";
import { useAutosave } from "./use-draft.ts";

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
  const isCoarse = useHasCoarsePointer();
  // The message may change elsewhere during the edit; what is typed here stays.
  const [original] = useState(message.content);
  const [initialText] = useState(() => {
    const unsentEdit = client.getState().chats.byKey[chatKey]?.draftEdit ?? null;
    return unsentEdit !== null && unsentEdit.id === message.id ? unsentEdit.text : original;
  });
  const messageField = useMessageField(initialText);
  const { field, composing } = messageField;
  const isSaving = useRef(false);
  const { id } = message;
  const store = useCallback(
    (text: string) => {
      const isSame = id === null || text.trim() === original.trim();
      client.chats.setDraftEdit(chatKey, isSame ? null : { id, text });
    },
    [client, chatKey, id, original],
  );
  const autosave = useAutosave(messageField, { initial: initialText, fingerprint: String, store });

  const currentText = () => (field.current === null ? "" : fieldText(field.current));
  const closeEditor = () => {
    autosave.markSaved(currentText());
    client.chats.setDraftEdit(chatKey, null);
    onDone();
  };

  const closeIfRemoved = () => {
    if (!isRemoved || composing.current) return;
    const editedText = currentText().trim();
    const draft = client.getState().chats.byKey[chatKey]?.draft ?? "";
    if (isVisible(editedText) && editedText !== original.trim()) {
      client.chats.setDraft(chatKey, draft === "" ? editedText : `${draft}\n${editedText}`);
    }
    closeEditor();
  };
  useEffect(closeIfRemoved);

  const save = async (text: string) => {
    if (message.id === null || isSaving.current) return;
    if (text === message.content) return closeEditor();
    isSaving.current = true;
    const result = await client.chats.editText(chatKey, message.id, text);
    isSaving.current = false;
    if (result.ok) closeEditor();
    else toasts.failure(result.failure);
  };

  return (
    <ComposerFrame
      messageField={messageField}
      label={t("chat.editing")}
      attributes={{ enterKeyHint: isCoarse ? "enter" : "done", onBlur: autosave.save }}
      shouldFocusOnTouch
      bar={
        <ComposerBar
          icon={<Pencil {...ICON_PROPS} />}
          title={t("chat.editing")}
          text={messageSummary(message, t)}
          closeLabel={t("chat.editCancel")}
          onClose={closeEditor}
        />
      }
      submitLabel={t("chat.editSave")}
      submitIcon={<Check {...ICON_PROPS} />}
      onSubmit={(text) => void save(text.trim())}
      onChanged={() => {
        autosave.saveSoon();
        closeIfRemoved();
      }}
      onEscape={closeEditor}
    />
  );
}
