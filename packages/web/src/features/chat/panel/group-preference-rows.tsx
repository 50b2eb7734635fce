import { ChatType } from "@parley/protocol/codes";
import { chatKey } from "@parley/core/model/chats/chat-rows";
import { ALERT_LEVELS } from "../../../kit/alert-levels.ts";
import { useText } from "../../../kit/i18n.ts";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import { InlineSelect } from "../../../ui/inline-select.tsx";
import { showFailure } from "../list/chat-commands.tsx";
import { ChatSwitches, NameRow } from "./panel-rows.tsx";
import styles from "./panel.module.css";

/** My preferences for a group: alert level, pinned, my name in the group. */
export function GroupPreferenceRows({ groupId }: { groupId: number }) {
  const t = useText();
  const { chats, groups } = useClient();
  const key = chatKey(ChatType.GROUP, groupId);
  const alertLevel = useClientState((state) => state.groups.byId[groupId]?.msgRemind ?? 0);
  const displayedName = useClientState((state) => state.groups.byId[groupId]?.showNickName ?? "");
  const remarkName = useClientState((state) => state.groups.byId[groupId]?.remarkNickName ?? "");
  const nickName = useClientState((state) => state.me?.nickName ?? "");
  return (
    <div className={styles.rows}>
      <div className={styles.row}>
        <span>{t("remind.label")}</span>
        <span className={styles.value}>
          <InlineSelect
            label={t("remind.label")}
            value={String(alertLevel)}
            options={ALERT_LEVELS.map((value) => ({ value: String(value), text: t(`remind.${value}`) }))}
            onChange={(value) => void showFailure(chats.setAlerts(key, Number(value)))}
          />
        </span>
      </div>
      <ChatSwitches chatKey={key} />
      <NameRow
        label={t("groupInfo.myName")}
        shown={displayedName}
        value={remarkName}
        placeholder={nickName}
        onSave={async (name) => (await groups.modify(groupId, { remarkNickName: name || null })).ok}
      />
    </div>
  );
}
