import { useMemo } from "react";
import { canSendDraft } from "@parley/core/model/broadcast/broadcast-draft";
import { isRunning } from "@parley/core/model/broadcast/broadcast-run";
import { useText } from "../../kit/i18n/i18n.ts";
import { friendEntries, selectedEntries } from "../../kit/people/member-selection.ts";
import { toasts } from "../../kit/dialogs/toasts.ts";
import { useClient, useClientState } from "../../kit/loading/use-client.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Stack, Text } from "../../ui/layout.tsx";
import { FriendPicker, SelectedFriends } from "./friend-picker.tsx";
import { AttachmentList, DropTarget, MessageField } from "./message-field.tsx";
import { BROADCAST_WIDTH_PX, Progress } from "./progress.tsx";
import styles from "./broadcast.module.css";

/** The broadcast tool (spec §2): composing, then the progress and the result for each friend. */
export function BroadcastDialog({ onClose }: { onClose: () => void }) {
  const t = useText();
  const client = useClient();
  const run = useClientState((state) => state.broadcast.run);
  const close = () => {
    if (run !== null && isRunning(run)) toasts.long(t("broadcast.goesOn"));
    // Nothing is left to do about a success; what has failed can still be tried again later.
    else if (run?.recipients.every(({ state }) => state === "sent") === true) client.broadcast.dismiss();
    onClose();
  };
  return run === null ? <Compose onClose={close} /> : <Progress run={run} onClose={close} />;
}

/** Composes a broadcast: friends on the left, text and attachments on the right. The draft stays when the dialog is closed. */
function Compose({ onClose }: { onClose: () => void }) {
  const t = useText();
  const client = useClient();
  const contacts = useClientState((state) => state.contacts);
  const draft = useClientState((state) => state.broadcast.draft);
  const entries = useMemo(() => friendEntries({ contacts }), [contacts]);
  const selected = useMemo(() => selectedEntries(entries, draft.userIds), [entries, draft.userIds]);
  const canSend = canSendDraft(
    draft,
    selected.map(({ userId }) => userId),
  );
  const statuses = new Set(draft.attachments.map(({ status }) => status));
  const note = statuses.has("uploading")
    ? "broadcast.waitForUploads"
    : statuses.has("failed")
      ? "broadcast.failedNotSent"
      : "broadcast.order";
  return (
    <Dialog
      isOpen
      isFlush
      isSheet
      onClose={onClose}
      title={t("broadcast.title")}
      width={BROADCAST_WIDTH_PX}
      footer={
        <>
          <Text as="output" grow size={13} tone="secondary" textAlign="start" className={styles.note}>
            {t(note)}
          </Text>
          <Button onClick={onClose}>{t("app.cancel")}</Button>
          <Button variant="primary" disabled={!canSend} onClick={() => client.broadcast.send()}>
            {t("broadcast.send", { count: selected.length })}
          </Button>
        </>
      }
    >
      <div className={styles.panes} data-broadcast-drop>
        <FriendPicker entries={entries} selected={selected} />
        <Stack gap={12} paddingX={24} paddingY={16} scroll className={styles.compose}>
          <SelectedFriends selected={selected} />
          <MessageField text={draft.text} />
          {draft.attachments.length > 0 && <AttachmentList attachments={draft.attachments} />}
        </Stack>
        <DropTarget />
      </div>
    </Dialog>
  );
}
