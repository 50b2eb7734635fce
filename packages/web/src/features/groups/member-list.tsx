import { useEffect, useMemo, useState } from "react";
import { ChevronLeft, Ellipsis, Plus } from "lucide-react";
import { groupPermission } from "@parley/core/model/selectors";
import { GroupRole, RequestSource } from "@parley/protocol/codes";
import type { GroupAction } from "@parley/protocol/group-rights";
import { goUp } from "../../kit/dialogs/go-up.ts";
import { memberNameOf, useGroup, useMember } from "../../kit/chats/group.ts";
import { useText } from "../../kit/i18n/i18n.ts";
import { openDialog } from "../../kit/dialogs/open-dialog.ts";
import { useNameMatch } from "../../kit/search/pinyin.ts";
import { RoleChip } from "../../kit/chats/role-chip.tsx";
import { useClient, useClientState } from "../../kit/loading/use-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ICON_PROPS, ICON_PROPS_24 } from "../../ui/icon-props.ts";
import { SearchIllustration } from "../../ui/illustrations.tsx";
import { Box, Row, Stack, Text } from "../../ui/layout.tsx";
import { BrokenIllustration } from "../../ui/lazy-illustrations.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { RowList } from "../../ui/row-list.tsx";
import { SearchBox } from "../../ui/search-box.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { useGroupPermission } from "./use-group-membership.ts";
import styles from "./member-list.module.css";

/** All members of a group, with their roles and the permitted actions. */
export function MemberList({ groupId }: { groupId: number }) {
  const t = useText();
  const client = useClient();
  const { name } = useGroup(groupId);
  const members = useClientState((state) => state.groups.members[groupId]);
  const canInvite = useGroupPermission(groupId, "invite");
  const [query, setQuery] = useState("");
  const found = useFoundMembers(groupId, query);
  useEffect(() => {
    void client.groups.loadMembers(groupId);
  }, [client, groupId]);
  return (
    <Stack grow>
      <Row as="header" gap={4} shrink={false} paddingX={12} className={styles.bar}>
        <IconButton label={t("groups.backTo", { name })} onClick={() => goUp(`/home/group/${groupId}`)}>
          <ChevronLeft {...ICON_PROPS_24} />
        </IconButton>
        <Text as="h1" grow truncate size={16} weight="title">
          {t("groups.membersOf", { name, count: members?.order.length ?? 0 })}
        </Text>
        {canInvite && (
          <IconButton
            label={t("groups.pick.invite")}
            onClick={() => openDialog({ kind: "pickMembers", groupId, action: "invite" })}
          >
            <Plus {...ICON_PROPS} />
          </IconButton>
        )}
      </Row>
      <Row align="stretch" shrink={false} paddingX={24} paddingY={12} className={styles.search}>
        <SearchBox
          label={t("groups.searchMembers")}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
      </Row>
      {found.length > 0 ? (
        <Stack grow>
          <RowList items={found} keyOf={keyOf} rowHeight={MEMBER_ROW_PX} listLabel={t("groups.membersTitle")}>
            {(userId) => <MemberRow groupId={groupId} userId={userId} />}
          </RowList>
        </Stack>
      ) : members?.state === "failed" && members.order.length === 0 ? (
        <EmptyState
          illustration={<BrokenIllustration />}
          text={t("groups.membersFailed")}
          action={
            <Button size="small" onClick={() => void client.groups.loadMembers(groupId)}>
              {t("app.retry")}
            </Button>
          }
        />
      ) : query.trim() !== "" ? (
        <EmptyState
          illustration={<SearchIllustration />}
          text={t("members.notFound")}
          action={
            <Button size="small" onClick={() => setQuery("")}>
              {t("friend.clearSearch")}
            </Button>
          }
        />
      ) : (
        <SkeletonRows />
      )}
    </Stack>
  );
}

const keyOf = (userId: number) => userId;

/** The members of whom a name matches: the shown one, the name in the group, or the nickname. */
function useFoundMembers(groupId: number, query: string): readonly number[] {
  const t = useText();
  const contacts = useClientState((state) => state.contacts);
  const groups = useClientState((state) => state.groups);
  const me = useClientState((state) => state.me);
  const session = useClientState((state) => state.session);
  const { matches } = useNameMatch(query.trim() !== "");
  return useMemo(() => {
    const members = groups.members[groupId];
    return (members?.order ?? []).filter((id) => {
      const friend = contacts.friends[id];
      const names = [
        memberNameOf({ contacts, groups, me, session }, groupId, id, null, t),
        members?.byId[id]?.showNickName ?? "",
        friend?.nickName ?? "",
      ];
      return names.some((name) => matches(name, query));
    });
  }, [groups, contacts, me, session, groupId, query, matches, t]);
}

/** Height of a row in px; keep it equal to `member-list.module.css`. */
const MEMBER_ROW_PX = 56;

/** A member: name, role, whether they are muted, and a menu with the permitted actions. */
export function MemberRow({ groupId, userId }: { groupId: number; userId: number }) {
  const t = useText();
  const member = useClientState((state) => state.groups.members[groupId]?.byId[userId]);
  const isLive = useClientState((state) => state.connection.kind === "online");
  const person = useMember(groupId, userId, null);
  const isOnline = isLive && member?.online === true;
  return (
    <Row gap={8} paddingX={24} className={styles.row} data-member={userId}>
      <Row
        as="button"
        type="button"
        gap={12}
        grow
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
        <Stack as="span" grow aria-hidden="true">
          <Text nowrap line={20} weight="name" textAlign="start" className={styles.name}>
            <bdi>{person.name}</bdi>
            {person.relation === "me" && <span className={styles.me}>{t("chat.me")}</span>}
          </Text>
          {isLive && (
            <Text size={12} line={16} tone="tertiary" textAlign="start">
              {t(isOnline ? "groups.isOnline" : "presence.offline")}
            </Text>
          )}
        </Stack>
      </Row>
      {member?.isMuted === true && <Chip>{t("groups.isMuted")}</Chip>}
      <RoleChip role={member?.role ?? GroupRole.MEMBER} />
      <MemberMenu groupId={groupId} userId={userId} name={person.name} isMe={person.relation === "me"} />
    </Row>
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
    return <Box as="span" shrink={false} className={styles.noMenu} />;
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
