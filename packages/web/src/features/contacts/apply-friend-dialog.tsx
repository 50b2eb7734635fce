import { useState } from "react";
import type { RequestSource } from "@parley/protocol/codes";
import { useText } from "../../kit/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { isRemarkFine, RemarkField } from "./remark-field.tsx";
import { useApply } from "./use-apply.ts";

interface ApplyFriendDialogProps {
  userId: number;
  name: string;
  source?: RequestSource | undefined;
  onClose: () => void;
}

/** Asks one person to be friends, with a few words. */
export function ApplyFriendDialog({ userId, name, source, onClose }: ApplyFriendDialogProps) {
  const t = useText();
  const [remark, setRemark] = useState("");
  const { apply, isBusy } = useApply();
  const send = async () => {
    if (isRemarkFine(remark) && (await apply(userId, remark, source))) onClose();
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t("friend.applyTitle", { name })}
      width={400}
      onSubmit={() => void send()}
      footer={
        <>
          <Button onClick={onClose}>{t("app.cancel")}</Button>
          <Button variant="primary" type="submit" isBusy={isBusy} disabled={!isRemarkFine(remark)}>
            {t("friend.apply")}
          </Button>
        </>
      }
    >
      <RemarkField value={remark} onChange={setRemark} />
    </Dialog>
  );
}
