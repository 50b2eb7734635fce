import { useState } from "react";
import type { Failure } from "@parley/core/model/state";
import { RequestStatus } from "@parley/protocol/codes";
import { failureText } from "../../kit/i18n/failure-text.ts";
import { useText, type Translate } from "../../kit/i18n/i18n.ts";
import { isRemarkValid, RemarkField } from "../../kit/forms/remark-field.tsx";
import { SearchPanelRequestForm } from "../../kit/search/search-panel.tsx";
import { toasts } from "../../kit/dialogs/toasts.ts";
import { useClient, useClientState } from "../../kit/loading/use-client.ts";

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

/** Text for a failed attempt to join a group: the cause if it is known, else a general text (spec §8). */
export function joinFailureText(failure: Failure, t: Translate): string {
  const isKnown =
    failure.kind === "loggedOut" ||
    (failure.kind === "refused" && failure.key !== null) ||
    (failure.kind === "network" && (failure.reason === "offline" || failure.reason === "timeout"));
  return isKnown ? failureText(failure, t) : t("groups.joinFailed");
}
