import { ChatType } from "@parley/protocol/codes";
import { chatKey } from "@parley/core/model/chats/chat-rows";
import { useText } from "../../../kit/i18n.ts";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import { InlineSelect } from "../../../ui/inline-select.tsx";
import { REMIND_LEVELS } from "../list/remind-levels.ts";
import { NameRow, showFailure, PinRow } from "./panel-rows.tsx";
import styles from "./panel.module.css";

/** What I have chosen for a group: when it alerts, whether it stands first, what I am called there. */
export function GroupPreferenceRows({ groupId }: { groupId: number }) {
  const t = useText();
  const { chats, groups } = useClient();
  const key = chatKey(ChatType.GROUP, groupId);
  const remind = useClientState((state) => state.groups.byId[groupId]?.msgRemind ?? 0);
  const shown = useClientState((state) => state.groups.byId[groupId]?.showNickName ?? "");
  const chosen = useClientState((state) => state.groups.byId[groupId]?.remarkNickName ?? "");
  const own = useClientState((state) => state.me?.nickName ?? "");
  return (
    <div className={styles.rows}>
      <div className={styles.row}>
        <span>{t("remind.label")}</span>
        <span className={styles.value}>
          <InlineSelect
            label={t("remind.label")}
            value={String(remind)}
            options={REMIND_LEVELS.map((value) => ({ value: String(value), text: t(`remind.${value}`) }))}
            onChange={(value) => void showFailure(chats.setAlerts(key, Number(value)))}
          />
        </span>
      </div>
      <PinRow chatKey={key} />
      <NameRow
        label={t("groupInfo.myName")}
        shown={shown}
        value={chosen}
        placeholder={own}
        onSave={async (name) => (await groups.modify(groupId, { remarkNickName: name || null })).ok}
      />
    </div>
  );
}
