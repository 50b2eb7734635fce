import { useState } from "react";
import type { RequestSource } from "@parley/protocol/codes";
import { useText } from "../../kit/i18n/i18n.ts";
import { isRemarkValid, RemarkField } from "../../kit/forms/remark-field.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { useSendFriendRequest } from "./use-send-friend-request.ts";

interface ApplyFriendDialogProps {
  userId: number;
  name: string;
  source?: RequestSource | undefined;
  onClose: () => void;
}

/** Sends a friend request to a person, with a remark. */
export function ApplyFriendDialog({ userId, name, source, onClose }: ApplyFriendDialogProps) {
  const t = useText();
  const [remark, setRemark] = useState("");
  const { sendRequest, isBusy } = useSendFriendRequest();
  const send = async () => {
    if (isRemarkValid(remark) && (await sendRequest(userId, remark, source))) onClose();
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
          <Button variant="primary" type="submit" isBusy={isBusy} disabled={!isRemarkValid(remark)}>
            {t("friend.apply")}
          </Button>
        </>
      }
    >
      <RemarkField placeholder={t("friend.applyHint")} value={remark} onChange={setRemark} />
    </Dialog>
  );
}
