import { useLocation } from "wouter";
import { groupPermission } from "@parley/core/model/selectors";
import { useGroup } from "../../../kit/group.ts";
import { useText } from "../../../kit/i18n.ts";
import { useClientState } from "../../../kit/use-client.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { GroupMembers } from "./group-members.tsx";
import { GroupNotice } from "./group-notice.tsx";
import { GroupPreferenceRows } from "./group-preference-rows.tsx";
import { PanelFrame, PanelIdentity } from "./panel-frame.tsx";
import type { PanelProps } from "./panel-frame.tsx";
import { SearchRow, ActionRow } from "./panel-rows.tsx";

/** The side panel of a group: name and picture, notice, my preferences, members (interface §1). */
export function GroupPanel({ groupId, onSearch, onMedia, ...frame }: PanelProps & { groupId: number }) {
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
      <ActionRow onPress={onMedia}>{t("media.title")}</ActionRow>
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
