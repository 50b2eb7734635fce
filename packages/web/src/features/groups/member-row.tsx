import { Ellipsis } from "lucide-react";
import { GroupRole, RequestSource } from "@parley/protocol/codes";
import type { GroupAction } from "@parley/protocol/group-rights";
import { groupPermission } from "@parley/core/model/selectors";
import { openDialog } from "../../kit/open-dialog.ts";
import { useMember } from "../../kit/group.ts";
import { useText } from "../../kit/i18n.ts";
import { RoleChip } from "../../kit/role-chip.tsx";
import { useClient, useClientState } from "../../kit/use-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { IconButton } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { ICON_PROPS } from "../../ui/icon-props.ts";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import styles from "./member-list.module.css";

/** Height of a row in px; keep it equal to `member-list.module.css`. */
export const MEMBER_ROW_PX = 56;

/** A member: name, role, whether they are muted, and a menu with the permitted actions. */
export function MemberRow({ groupId, userId }: { groupId: number; userId: number }) {
  const t = useText();
  const member = useClientState((state) => state.groups.members[groupId]?.byId[userId]);
  const isLive = useClientState((state) => state.connection.kind === "online");
  const person = useMember(groupId, userId, null);
  const isOnline = isLive && member?.online === true;
  return (
    <div className={styles.row} data-member={userId}>
      <button
        type="button"
        className={styles.person}
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          openDialog({
            kind: "userCard",
            userId,
            x: Math.round(box.left + 240),
            y: Math.round(box.top),
            source: RequestSource.GROUP,
          });
        }}
      >
        <span className="visually-hidden">{t("card.open", { name: person.name })}</span>
        <Avatar name={person.name} url={person.picture} id={userId} size={40} isOnline={isOnline} />
        <span className={styles.words} aria-hidden="true">
          <span className={styles.name}>
            <bdi>{person.name}</bdi>
            {person.relation === "me" && <span className={styles.me}>{t("chat.me")}</span>}
          </span>
          {isLive && (
            <span className={styles.presence}>{t(isOnline ? "groups.isOnline" : "presence.offline")}</span>
          )}
        </span>
      </button>
      {member?.isMuted === true && <Chip>{t("groups.isMuted")}</Chip>}
      <RoleChip role={member?.role ?? GroupRole.MEMBER} />
      <MemberMenu groupId={groupId} userId={userId} name={person.name} isMe={person.relation === "me"} />
    </div>
  );
}

const MEMBER_ACTIONS = [
  "manageAdmins",
  "mute",
  "remove",
  "transfer",
] as const satisfies readonly GroupAction[];

interface MemberMenuProps {
  groupId: number;
  userId: number;
  name: string;
  isMe: boolean;
}

function MemberMenu({ groupId, userId, name, isMe }: MemberMenuProps) {
  const t = useText();
  const { groups } = useClient();
  const member = useClientState((state) => state.groups.members[groupId]?.byId[userId]);
  const allowedActions = useClientState((state) =>
    MEMBER_ACTIONS.filter((action) => groupPermission(state, groupId, action, userId) === "ok").join(" "),
  );
  const can = (action: (typeof MEMBER_ACTIONS)[number]) => allowedActions.split(" ").includes(action);
  if (isMe || member === undefined || allowedActions === "" || member.role === GroupRole.OWNER)
    return <span className={styles.noMenu} />;
  const isAdmin = member.role === GroupRole.ADMIN;
  return (
    <Menu
      align="end"
      width={184}
      trigger={
        <IconButton label={t("groups.memberMenu", { name })} size={36}>
          <Ellipsis {...ICON_PROPS} />
        </IconButton>
      }
    >
      {can("manageAdmins") && (
        <MenuItem onSelect={() => void groups.setManagers(groupId, [userId], !isAdmin)}>
          {t(isAdmin ? "groups.takeAdmin" : "groups.makeAdmin")}
        </MenuItem>
      )}
      {can("mute") && (
        <MenuItem onSelect={() => void groups.setMuted(groupId, [userId], !member.isMuted)}>
          {t(member.isMuted ? "groups.unmute" : "groups.mute")}
        </MenuItem>
      )}
      {can("transfer") && (
        <MenuItem onSelect={() => openDialog({ kind: "transferGroup", groupId, userId })}>
          {t("groups.transfer")}
        </MenuItem>
      )}
      {can("remove") && (
        <>
          <MenuSeparator />
          <MenuItem isDanger onSelect={() => openDialog({ kind: "removeMember", groupId, userId })}>
            {t("groups.removeOne")}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
