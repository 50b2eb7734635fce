import { ChevronRight, Plus } from "lucide-react";
import { GroupRole, RequestSource } from "@parley/protocol/codes";
import { Link } from "wouter";
import { openDialog, openUserCard } from "../../kit/dialogs/open-dialog.ts";
import { membersCountOf, useMember } from "../../kit/chats/group.ts";
import type { EntryState } from "../../kit/dialogs/go-up.ts";
import { useText } from "../../kit/i18n/i18n.ts";
import { RoleChip } from "../../kit/chats/role-chip.tsx";
import { useClient, useClientState } from "../../kit/loading/use-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { ICON_PROPS, ICON_PROPS_14 } from "../../ui/icon-props.ts";
import { Row, Text } from "../../ui/layout.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useIsMobile } from "../../ui/use-media.ts";
import { useGroupPermission } from "./use-group-membership.ts";
import styles from "./member-grid.module.css";

/** Number of members shown: two lines of avatars. The member list has all of them. */
const SHOWN_MAX = { desktop: 16, mobile: 10 } as const;

/** The first members of a group, owner and admins first, with a button to invite others. */
export function MemberGrid({ groupId }: { groupId: number }) {
  const t = useText();
  const client = useClient();
  const isMobile = useIsMobile();
  const members = useClientState((state) => state.groups.members[groupId]);
  const count = useClientState((state) => membersCountOf(state, groupId));
  const canInvite = useGroupPermission(groupId, "invite");
  const max = SHOWN_MAX[isMobile ? "mobile" : "desktop"] - (canInvite ? 1 : 0);
  const order = members?.order ?? [];
  const path = `/home/group/${groupId}`;
  return (
    <section className={styles.section} aria-label={t("groups.membersTitle")}>
      <Row as="header" justify="between" className={styles.head}>
        <Text as="h2" size={14} weight="name">
          {t("groups.membersCount", { count })}
        </Text>
        <Link href={`${path}/members`} state={{ below: path } satisfies EntryState} className={styles.all}>
          {t("groups.viewAll")}
          <ChevronRight {...ICON_PROPS_14} />
        </Link>
      </Row>
      {members?.state === "failed" && order.length === 0 ? (
        <Row as="p" gap={12} paddingY={12} tone="secondary">
          {t("groups.membersFailed")}
          <Button size="small" onClick={() => void client.groups.loadMembers(groupId)}>
            {t("app.retry")}
          </Button>
        </Row>
      ) : (
        <ul className={styles.grid} aria-busy={order.length === 0 || undefined}>
          {order.slice(0, max).map((userId) => (
            <MemberTile key={userId} groupId={groupId} userId={userId} />
          ))}
          {order.length === 0 &&
            Array.from({ length: Math.min(max, count) }, (_, index) => (
              <li key={index} className={styles.cell} aria-hidden="true">
                <Skeleton width={44} height={44} radius={999} />
                <Skeleton width={40} height={10} />
              </li>
            ))}
          {canInvite && (
            <li>
              <button
                type="button"
                className={styles.cell}
                onClick={() => openDialog({ kind: "pickMembers", groupId, action: "invite" })}
              >
                <Row as="span" justify="center" tone="secondary" className={styles.plus}>
                  <Plus {...ICON_PROPS} />
                </Row>
                <Text truncate size={12} line={16} tone="secondary" className={styles.name}>
                  {t("groups.invite")}
                </Text>
              </button>
            </li>
          )}
        </ul>
      )}
    </section>
  );
}

function MemberTile({ groupId, userId }: { groupId: number; userId: number }) {
  const t = useText();
  const member = useClientState((state) => state.groups.members[groupId]?.byId[userId]);
  const isLive = useClientState((state) => state.connection.kind === "online");
  const { name, picture } = useMember(groupId, userId, null);
  const role = member?.role === GroupRole.OWNER ? "owner" : member?.role === GroupRole.ADMIN ? "admin" : null;
  const label = t("card.open", { name });
  return (
    <li>
      <button
        type="button"
        className={styles.cell}
        data-member={userId}
        onClick={(event) => openUserCard(userId, event.currentTarget, RequestSource.GROUP)}
      >
        <span className="visually-hidden">
          {role === null ? label : [label, t(`role.${role}`)].join(t("app.listSeparator"))}
        </span>
        <Avatar
          name={name}
          url={picture}
          id={userId}
          size={44}
          isOnline={isLive && member?.online === true}
        />
        <Text truncate size={12} line={16} tone="secondary" className={styles.name} aria-hidden="true">
          <bdi>{name}</bdi>
        </Text>
        {role !== null && (
          <Row as="span" align="stretch" aria-hidden="true">
            <RoleChip role={member?.role ?? GroupRole.MEMBER} />
          </Row>
        )}
      </button>
    </li>
  );
}
