import { useId, useState } from "react";
import type { FormEvent, KeyboardEvent } from "react";
import { Check, ChevronRight, X } from "lucide-react";
import { ChatType } from "@parley/protocol/codes";
import { REMARK_MAX } from "@parley/protocol/limits";
import { codePoints } from "@parley/protocol/text";
import { chatKey } from "@parley/core/model/rows";
import type { Result } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n.ts";
import { toasts } from "../../../kit/toasts.ts";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import { IconButton } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import { ICON_16 } from "../../../ui/icon.ts";
import { useImeGuard } from "../../../ui/ime.ts";
import { QuietSelect } from "../../../ui/quiet-select.tsx";
import { Switch } from "../../../ui/switch.tsx";
import { REMINDS } from "../list/reminds.ts";
import styles from "./group-panel.module.css";

/** What I have chosen for a group: when it alerts, whether it stands first, what I am called there. */
export function GroupOwnRows({ groupId }: { groupId: number }) {
  const t = useText();
  const id = useId();
  const { chats } = useClient();
  const key = chatKey(ChatType.GROUP, groupId);
  const remind = useClientState((state) => state.groups.byId[groupId]?.msgRemind ?? 0);
  const isTop = useClientState((state) => state.groups.byId[groupId]?.isTop === true);
  return (
    <div className={styles.rows}>
      <div className={styles.row}>
        <span>{t("remind.label")}</span>
        <span className={styles.value}>
          <QuietSelect
            label={t("remind.label")}
            value={String(remind)}
            options={REMINDS.map((value) => ({ value: String(value), text: t(`remind.${value}`) }))}
            onChange={(value) => void tell(chats.setRemind(key, Number(value)))}
          />
        </span>
      </div>
      <div className={styles.row}>
        <span id={`${id}top`}>{t("groupInfo.top")}</span>
        <span className={styles.value}>
          <Switch labelId={`${id}top`} isOn={isTop} onChange={(isOn) => void tell(chats.setTop(key, isOn))} />
        </span>
      </div>
      <OwnName groupId={groupId} />
    </div>
  );
}

/** Enter keeps, Esc gives up. */
function OwnName({ groupId }: { groupId: number }) {
  const t = useText();
  const [isEditing, setEditing] = useState(false);
  const shown = useClientState((state) => state.groups.byId[groupId]?.showNickName ?? "");
  if (isEditing) return <OwnNameForm groupId={groupId} onDone={() => setEditing(false)} />;
  return (
    <button type="button" className={styles.row} onClick={() => setEditing(true)}>
      <span>{t("groupInfo.myName")}</span>
      <span className={styles.value}>
        <bdi className={styles.ellipsis}>{shown}</bdi>
        <ChevronRight {...ICON_16} />
      </span>
    </button>
  );
}

function OwnNameForm({ groupId, onDone }: { groupId: number; onDone: () => void }) {
  const t = useText();
  const { groups } = useClient();
  const ime = useImeGuard();
  const before = useClientState((state) => state.groups.byId[groupId]?.remarkNickName ?? "");
  const own = useClientState((state) => state.me?.nickName ?? "");
  const [name, setName] = useState(before);
  const [isBusy, setBusy] = useState(false);
  const isTooLong = codePoints(name.trim()) > REMARK_MAX;
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (isTooLong || isBusy) return;
    if (name.trim() === before) return onDone();
    setBusy(true);
    const done = await groups.modify(groupId, { remarkNickName: name.trim() || null });
    setBusy(false);
    if (done.ok) onDone();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== "Escape" && event.key !== "Enter") return;
    if (ime.isComposing(event)) return event.key === "Enter" ? event.preventDefault() : undefined;
    if (event.key !== "Escape") return;
    event.preventDefault();
    onDone();
  };
  return (
    <form className={styles.nameForm} onSubmit={(event) => void save(event)}>
      <TextField
        label={t("groupInfo.myName")}
        className={styles.nameField}
        value={name}
        placeholder={own}
        autoFocus
        autoComplete="off"
        error={isTooLong ? t("groupInfo.nameTooLong", { max: REMARK_MAX }) : null}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={press}
        {...ime.handlers}
      />
      <IconButton label={t("groupInfo.save")} type="submit" size={36} disabled={isTooLong || isBusy}>
        <Check {...ICON_16} />
      </IconButton>
      <IconButton label={t("app.cancel")} size={36} onClick={onDone}>
        <X {...ICON_16} />
      </IconButton>
    </form>
  );
}

/** The core has taken the change back; the person is told why. */
async function tell(change: Promise<Result<null>>): Promise<void> {
  const result = await change;
  if (!result.ok) toasts.failure(result.failure);
}
