import { useState } from "react";
import type { SavedItem } from "@parley/core/model/chats/saved-messages";
import { SAVED_NOTE_MAX, SAVED_TAG_MAX, SAVED_TAGS_MAX } from "@parley/protocol/limits";
import { countCodePoints, isVisible } from "@parley/protocol/text";
import { type Translate, useText } from "../../../kit/i18n/i18n.ts";
import { useClient } from "../../../kit/loading/use-client.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Stack } from "../../../ui/layout.tsx";
import { TextArea } from "../../../ui/text-area.tsx";
import { tagsIn } from "./saved-kinds.ts";

/** Edits the note and the tags of a saved message. */
export function SavedDialog({ item, onClose }: { item: SavedItem; onClose: () => void }) {
  const t = useText();
  const client = useClient();
  const [note, setNote] = useState(item.note);
  const before = item.tags.join(t("app.listSeparator"));
  const [typedTags, setTypedTags] = useState(before);
  const tags = tagsIn(typedTags).filter(isVisible);
  const noteError =
    countCodePoints(note.trim()) > SAVED_NOTE_MAX ? t("saved.noteTooLong", { max: SAVED_NOTE_MAX }) : null;
  const tagsError = tagsErrorOf(tags, t);
  const canSave = noteError === null && tagsError === null;
  const save = () => {
    if (!canSave) return;
    client.chats.save(item.key, item.id, { note: note.trim(), tags: [...tags] });
    onClose();
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t("saved.edit")}
      onSubmit={save}
      footer={
        <>
          <Button onClick={onClose}>{t("app.cancel")}</Button>
          <Button variant="primary" type="submit" disabled={!canSave}>
            {t("saved.confirm")}
          </Button>
        </>
      }
    >
      <Stack gap={16}>
        <TextArea
          label={t("saved.note")}
          value={note}
          rows={3}
          dir="auto"
          autoFocus
          error={noteError}
          data-unsaved={note !== item.note || undefined}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <TextField
          label={t("saved.tags")}
          value={typedTags}
          autoComplete="off"
          dir="auto"
          hint={t("saved.tagsHint", { max: SAVED_TAGS_MAX })}
          error={tagsError}
          data-unsaved={typedTags !== before || undefined}
          onChange={(event) => setTypedTags(event.currentTarget.value)}
        />
      </Stack>
    </Dialog>
  );
}

function tagsErrorOf(tags: readonly string[], t: Translate): string | null {
  if (tags.length > SAVED_TAGS_MAX) return t("saved.tooManyTags", { max: SAVED_TAGS_MAX });
  return tags.some((tag) => countCodePoints(tag) > SAVED_TAG_MAX)
    ? t("saved.tagTooLong", { max: SAVED_TAG_MAX })
    : null;
}
