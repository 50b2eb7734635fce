import { useId, useState } from "react";
import type { FormEvent, KeyboardEvent } from "react";
import { Check, Pencil, X } from "lucide-react";
import type { FriendVO } from "@parley/protocol/entities";
import { REMARK_MAX } from "@parley/protocol/limits";
import { codePoints } from "@parley/protocol/text";
import { useText } from "../../kit/i18n.ts";
import { useClient } from "../../kit/use-client.ts";
import { IconButton } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { TextField } from "../../ui/field.tsx";
import { ICON_16 } from "../../ui/icon.ts";
import { useImeGuard } from "../../ui/ime.ts";
import styles from "./friend-detail.module.css";

/** My own name for a friend, and its editing in place: Enter keeps, Esc gives up. */
export function RemarkRow({ friend }: { friend: FriendVO }) {
  const t = useText();
  const labelId = useId();
  const [isEditing, setEditing] = useState(false);
  return (
    <div className={styles.row}>
      <dt id={labelId} className={styles.label}>
        {t("friend.remark")}
      </dt>
      <dd className={classNames(styles.value, styles.remarkLine)}>
        {isEditing ? (
          <RemarkForm friend={friend} onDone={() => setEditing(false)} />
        ) : (
          <>
            <bdi className={classNames(styles.remarkText, !friend.remarkNickName && styles.faint)}>
              {friend.remarkNickName || t("friend.noRemark")}
            </bdi>
            <IconButton label={t("friend.editRemark")} size={32} onClick={() => setEditing(true)}>
              <Pencil {...ICON_16} />
            </IconButton>
          </>
        )}
      </dd>
    </div>
  );
}

function RemarkForm({ friend, onDone }: { friend: FriendVO; onDone: () => void }) {
  const t = useText();
  const client = useClient();
  const ime = useImeGuard();
  const [remark, setRemark] = useState(friend.remarkNickName ?? "");
  const isTooLong = codePoints(remark.trim()) > REMARK_MAX;
  const save = async () => {
    if (isTooLong) return;
    const result = await client.contacts.setRemark(friend.id, remark.trim());
    if (result.ok) onDone();
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (ime.isComposing(event)) {
      // Enter would submit the form although the input method only takes its word.
      if (event.key === "Enter") event.preventDefault();
    } else if (event.key === "Escape") {
      event.stopPropagation();
      onDone();
    }
  };
  return (
    <form
      className={styles.remark}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextField
        className={styles.remarkField}
        label={t("friend.remark")}
        isLabelHidden
        value={remark}
        autoFocus
        dir="auto"
        error={isTooLong ? t("friend.remarkTooLong", { max: REMARK_MAX }) : undefined}
        onChange={(event) => setRemark(event.currentTarget.value)}
        onKeyDown={press}
        {...ime.handlers}
      />
      <IconButton label={t("friend.saveRemark")} type="submit" size={32}>
        <Check {...ICON_16} />
      </IconButton>
      <IconButton label={t("app.cancel")} size={32} onClick={onDone}>
        <X {...ICON_16} />
      </IconButton>
    </form>
  );
}
