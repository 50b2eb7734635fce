import { useState } from "react";
import { RequestStatus } from "@parley/protocol/codes";
import { REMARK_MAX } from "@parley/protocol/limits";
import { countCodePoints } from "@parley/protocol/text";
import { SearchPanelRequestForm } from "../../kit/search-panel.tsx";
import { useText } from "../../kit/i18n.ts";
import { toasts } from "../../kit/toasts.ts";
import { useClient, useClientState } from "../../kit/use-client.ts";
import { TextField } from "../../ui/field.tsx";
import { useImeGuard } from "../../ui/ime.ts";
import { joinFailureText } from "./join-failure-text.ts";

/** Sends a request to join a group, with a remark. */
export function JoinRequestForm({ groupId, onDone }: { groupId: number; onDone: () => void }) {
  const t = useText();
  const client = useClient();
  const ime = useImeGuard();
  const me = useClientState((state) => state.me);
  const [remark, setRemark] = useState("");
  const [isBusy, setBusy] = useState(false);
  const isTooLong = countCodePoints(remark.trim()) > REMARK_MAX;
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
      isValid={!isTooLong}
      onSubmit={() => void send()}
      onCancel={onDone}
    >
      <TextField
        label={t("friend.applyRemark")}
        placeholder={t("groups.applyHint")}
        value={remark}
        autoFocus
        autoComplete="off"
        dir="auto"
        error={isTooLong ? t("friend.remarkTooLong", { max: REMARK_MAX }) : undefined}
        onChange={(event) => setRemark(event.currentTarget.value)}
        onKeyDown={(event) => {
          // The input method uses this Enter to accept a word; do not submit the form.
          if (event.key === "Enter" && ime.isComposing(event)) event.preventDefault();
        }}
        {...ime.handlers}
      />
    </SearchPanelRequestForm>
  );
}
