import { ChatType } from "@parley/protocol/codes";
import { chatKey } from "@parley/core/model/rows";
import { useText } from "../../../kit/i18n.ts";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import { QuietSelect } from "../../../ui/quiet-select.tsx";
import { REMINDS } from "../list/reminds.ts";
import { NameRow, tellFailure, TopRow } from "./panel-rows.tsx";
import styles from "./panel.module.css";

/** What I have chosen for a group: when it alerts, whether it stands first, what I am called there. */
export function GroupOwnRows({ groupId }: { groupId: number }) {
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
          <QuietSelect
            label={t("remind.label")}
            value={String(remind)}
            options={REMINDS.map((value) => ({ value: String(value), text: t(`remind.${value}`) }))}
            onChange={(value) => void tellFailure(chats.setRemind(key, Number(value)))}
          />
        </span>
      </div>
      <TopRow chatKey={key} />
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
