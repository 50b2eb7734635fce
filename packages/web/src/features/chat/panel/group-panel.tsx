import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { chatKey } from "@parley/core/model/chats/chat-rows";
import { groupPermission } from "@parley/core/model/selectors";
import { ChatType } from "@parley/protocol/codes";
import { useAlertLevelEnd } from "../../../kit/chats/alert-level-end.ts";
import { ALERT_LEVELS, useGroup } from "../../../kit/chats/group.ts";
import { useText } from "../../../kit/i18n/i18n.ts";
import { openDialog } from "../../../kit/dialogs/open-dialog.ts";
import { useClient, useClientState } from "../../../kit/loading/use-client.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { InlineSelect } from "../../../ui/inline-select.tsx";
import { Row, Text } from "../../../ui/layout.tsx";
import { showFailure } from "../list/chat-commands.tsx";
import { GroupMembers } from "./group-members.tsx";
import { PanelFrame, PanelIdentity, type PanelProps } from "./panel-frame.tsx";
import { ActionRow, ChatSwitches, NameRow, PartRows, RowLabel, SearchRow } from "./panel-rows.tsx";
import styles from "./group-panel.module.css";
import panelStyles from "./panel.module.css";

/** The side panel of a group: name and picture, notice, my preferences, members (interface §1). */
export function GroupPanel({ groupId, onSearch, onPart, ...frame }: PanelProps & { groupId: number }) {
  const t = useText();
  const [, navigate] = useLocation();
  const { isGone } = useGroup(groupId);
  const canEdit = useClientState((state) => groupPermission(state, groupId, "editInfo") === "ok");
  return (
    <PanelFrame title={t("chat.groupInfo")} {...frame}>
      <Identity groupId={groupId} />
      <GroupNotice groupId={groupId} canEdit={canEdit} />
      {!isGone && <GroupPreferenceRows groupId={groupId} />}
      <SearchRow onSearch={onSearch} />
      <PartRows onPart={onPart} />
      {!isGone && (
        <>
          <ActionRow onPress={() => navigate(`/home/group/${groupId}`)}>{t("groupInfo.all")}</ActionRow>
          <GroupMembers groupId={groupId} />
        </>
      )}
    </PanelFrame>
  );
}

function Identity({ groupId }: { groupId: number }) {
  const t = useText();
  const group = useGroup(groupId);
  const isDissolved = useClientState((state) => state.groups.byId[groupId]?.dissolve === true);
  const online = useClientState((state) => {
    const members = state.groups.members[groupId];
    if (members === undefined || state.connection.kind !== "online") return null;
    return members.order.filter((userId) => members.byId[userId]?.online).length;
  });
  const details = group.isGone
    ? [t(isDissolved ? "chat.dissolved" : "chat.left")]
    : [
        t("chat.membersCount", { count: group.membersCount }),
        online !== null && t("groups.online", { count: online }),
      ];
  return (
    <PanelIdentity
      picture={<Avatar name={group.name} url={group.picture} id={groupId} size={56} shape="rounded" />}
      name={group.name}
      details={details.filter(Boolean).join(" · ")}
    />
  );
}

/** A notice with more characters or lines than this is shown shortened first. */
const LONG_CHARACTERS = 140;
const LONG_LINES = 6;

/** The notice of a group. Showing it here marks it as read. */
function GroupNotice({ groupId, canEdit }: { groupId: number; canEdit: boolean }) {
  const t = useText();
  const client = useClient();
  const notice = useClientState((state) => state.groups.byId[groupId]?.notice ?? "");
  const [isExpanded, setExpanded] = useState(false);
  const isLong = notice.length > LONG_CHARACTERS || notice.split("\n", LONG_LINES + 1).length > LONG_LINES;
  useEffect(() => {
    if (notice !== "") client.groups.readNotice(groupId);
  }, [client, groupId, notice]);
  return (
    <section className={styles.notice} aria-label={t("groupInfo.notice")}>
      <Row justify="between" className={styles.noticeHead}>
        <h3>{t("groupInfo.notice")}</h3>
        {canEdit && (
          <button
            type="button"
            className={styles.edit}
            aria-label={t("groups.editNotice")}
            onClick={() => openDialog({ kind: "groupNotice", groupId })}
          >
            {t("groupInfo.edit")}
          </button>
        )}
      </Row>
      {notice === "" ? (
        <Text as="p" size={13} line={20} tone="tertiary" className={styles.muted}>
          {t("groups.noNotice")}
        </Text>
      ) : (
        <p className={classNames(styles.noticeText, isLong && !isExpanded && styles.clamped)} dir="auto">
          {notice}
        </p>
      )}
      {isLong && (
        <button
          type="button"
          className={styles.edit}
          aria-expanded={isExpanded}
          onClick={() => setExpanded(!isExpanded)}
        >
          {t(isExpanded ? "groupInfo.less" : "groupInfo.more")}
        </button>
      )}
    </section>
  );
}

/** My preferences for a group: alert level, pinned, my name in the group. */
function GroupPreferenceRows({ groupId }: { groupId: number }) {
  const t = useText();
  const { chats, groups } = useClient();
  const key = chatKey(ChatType.GROUP, groupId);
  const alertLevel = useClientState((state) => state.groups.byId[groupId]?.msgRemind ?? 0);
  const levelEnd = useAlertLevelEnd({ type: ChatType.GROUP, targetId: groupId });
  const displayedName = useClientState((state) => state.groups.byId[groupId]?.showNickName ?? "");
  const remarkName = useClientState((state) => state.groups.byId[groupId]?.remarkNickName ?? "");
  const nickName = useClientState((state) => state.me?.nickName ?? "");
  return (
    <div className={panelStyles.rows}>
      <div className={panelStyles.row}>
        <RowLabel until={levelEnd}>{t("remind.label")}</RowLabel>
        <Row as="span" justify="end" gap={4} grow tone="secondary">
          <InlineSelect
            label={t("remind.label")}
            value={String(alertLevel)}
            options={ALERT_LEVELS.map((value) => ({ value: String(value), text: t(`remind.${value}`) }))}
            onChange={(value) => void showFailure(chats.setAlerts(key, Number(value)))}
          />
        </Row>
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
