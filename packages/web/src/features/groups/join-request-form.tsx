import { useState } from "react";
import { RequestStatus } from "@parley/protocol/codes";
import { isRemarkValid, RemarkField } from "../../kit/remark-field.tsx";
import { SearchPanelRequestForm } from "../../kit/search-panel.tsx";
import { useText } from "../../kit/i18n.ts";
import { toasts } from "../../kit/toasts.ts";
import { useClient, useClientState } from "../../kit/use-client.ts";
import { joinFailureText } from "./join-failure-text.ts";

/** Sends a request to join a group, with a remark. */
export function JoinRequestForm({ groupId, onDone }: { groupId: number; onDone: () => void }) {
  const t = useText();
  const client = useClient();
  const me = useClientState((state) => state.me);
  const [remark, setRemark] = useState("");
  const [isBusy, setBusy] = useState(false);
  const send = async () => {
    if (me === null) {
      toasts.error(t("groups.meLoading"));
      return;
    }
    setBusy(true);
    const result = await client.groups.apply(groupId, remark.trim());
    setBusy(false);
    if (!result.ok) {
      toasts.error(joinFailureText(result.failure, t));
      return;
    }
    toasts.success(t(result.value.status === RequestStatus.APPROVED ? "groups.joined" : "groups.asked"));
    onDone();
  };
  return (
    <SearchPanelRequestForm
      submit={t("groups.apply")}
      isBusy={isBusy}
      isValid={isRemarkValid(remark)}
      onSubmit={() => void send()}
      onCancel={onDone}
    >
      <RemarkField placeholder={t("groups.applyHint")} value={remark} onChange={setRemark} />
    </SearchPanelRequestForm>
  );
}
