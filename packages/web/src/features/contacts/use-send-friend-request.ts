import { useState } from "react";
import { type RequestSource, RequestStatus } from "@parley/protocol/codes";
import { useText } from "../../kit/i18n/i18n.ts";
import { toasts } from "../../kit/dialogs/toasts.ts";
import { useClient } from "../../kit/loading/use-client.ts";

/** Sends a friend request and shows a toast on success; `sendRequest` returns whether it succeeded. */
export function useSendFriendRequest() {
  const t = useText();
  const client = useClient();
  const [isBusy, setBusy] = useState(false);
  const sendRequest = async (userId: number, remark: string, source?: RequestSource): Promise<boolean> => {
    setBusy(true);
    const result = await client.contacts.apply(userId, remark.trim(), source);
    setBusy(false);
    if (!result.ok) return false;
    toasts.success(t(result.value.status === RequestStatus.APPROVED ? "friend.added" : "friend.asked"));
    return true;
  };
  return { isBusy, sendRequest };
}
