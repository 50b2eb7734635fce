import { useEffect, useRef, useState } from "react";
import type { FormEvent } from "react";
import { RequestStatus } from "@parley/protocol/codes";
import { REMARK_MAX } from "@parley/protocol/limits";
import { codePoints } from "@parley/protocol/text";
import { useText } from "../../kit/i18n.ts";
import { toasts } from "../../kit/toasts.ts";
import { useClient, useClientState } from "../../kit/use-client.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { useImeGuard } from "../../ui/ime.ts";
import { joinFailureText } from "./join-failure.ts";
import styles from "./dialogs.module.css";

/** Asks to join a group, with a few words. */
export function ApplyForm({ groupId, onDone }: { groupId: number; onDone: () => void }) {
  const t = useText();
  const client = useClient();
  const ime = useImeGuard();
  const me = useClientState((state) => state.me);
  const [remark, setRemark] = useState("");
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // Answers a promise in newer browsers, which is no way to end an effect.
    form.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const isTooLong = codePoints(remark.trim()) > REMARK_MAX;
  const send = async () => {
    if (isTooLong || isBusy) return;
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
    <form
      ref={form}
      className={styles.apply}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void send();
      }}
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
          // Enter would submit the form although the input method only takes its word.
          if (event.key === "Enter" && ime.isComposing(event)) event.preventDefault();
        }}
        {...ime.handlers}
      />
      <div className={styles.buttons}>
        <Button size="small" onClick={onDone}>
          {t("app.cancel")}
        </Button>
        <Button variant="primary" size="small" type="submit" isBusy={isBusy} disabled={isTooLong}>
          {t("groups.apply")}
        </Button>
      </div>
    </form>
  );
}
