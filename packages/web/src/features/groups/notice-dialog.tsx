import { useState } from "react";
import { NOTICE_MAX } from "@parley/protocol/limits";
import { countCodePoints } from "@parley/protocol/text";
import { groupPermission } from "@parley/core/model/selectors";
import { useText } from "../../kit/i18n/i18n.ts";
import { useClient, useClientState } from "../../kit/loading/use-client.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextArea } from "../../ui/text-area.tsx";
import { DialogError, useAction } from "./dialog-action.tsx";
import detail from "./group-detail.module.css";

/** The full notice of a group; people with the permission can edit it. */
export function NoticeDialog({ groupId, onClose }: { groupId: number; onClose: () => void }) {
  const t = useText();
  const { groups } = useClient();
  const notice = useClientState((state) => state.groups.byId[groupId]?.notice ?? "");
  const canEdit = useClientState((state) => groupPermission(state, groupId, "editInfo") === "ok");
  const [text, setText] = useState(notice);
  // Somebody else may change the notice while the dialog is open.
  const [isTyped, setTyped] = useState(false);
  const { isBusy, hasFailed, run } = useAction();
  const length = countCodePoints(text.trim());
  const isTooLong = length > NOTICE_MAX;
  if (!canEdit) {
    return (
      <Dialog isOpen isReading onClose={onClose} title={t("groups.notice")}>
        <p className={detail.wholeNotice} dir="auto">
          {notice || t("groups.noNotice")}
        </p>
      </Dialog>
    );
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t("groups.notice")}
      onSubmit={() => {
        if (!isTooLong) run(() => groups.modify(groupId, { notice: text.trim() }), onClose);
      }}
      footer={
        <>
          {hasFailed && <DialogError text={t("groups.saveFailed")} />}
          <Button onClick={onClose}>{t("app.cancel")}</Button>
          <Button variant="primary" type="submit" isBusy={isBusy} disabled={isTooLong}>
            {t("groups.save")}
          </Button>
        </>
      }
    >
      <TextArea
        label={t("groups.notice")}
        isLabelHidden
        value={text}
        rows={8}
        autoFocus
        data-unsaved={isTyped || undefined}
        dir="auto"
        hint={t("chat.length", { length, max: NOTICE_MAX })}
        error={isTooLong ? t("friend.remarkTooLong", { max: NOTICE_MAX }) : undefined}
        onChange={(event) => {
          setTyped(true);
          setText(event.currentTarget.value);
        }}
      />
    </Dialog>
  );
}
