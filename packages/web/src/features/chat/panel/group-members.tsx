import { useId, useMemo, useState } from "react";
import { MicOff, Search, UserPlus, X } from "lucide-react";
import { RequestSource } from "@parley/protocol/codes";
import { groupPermission } from "@parley/core/model/selectors";
import { openDialog } from "../../../kit/dialogs/open-dialog.ts";
import { membersCountOf, useMember } from "../../../kit/chats/group.ts";
import { useText } from "../../../kit/i18n/i18n.ts";
import { useNameMatch } from "../../../kit/search/pinyin.ts";
import { RoleChip } from "../../../kit/chats/role-chip.tsx";
import { useClient, useClientState } from "../../../kit/loading/use-client.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { ICON_PROPS, ICON_PROPS_14 } from "../../../ui/icon-props.ts";
import { Row, Stack, Text } from "../../../ui/layout.tsx";
import { RowList } from "../../../ui/row-list.tsx";
import { SearchBox } from "../../../ui/search-box.tsx";
import { SkeletonRows } from "../../../ui/skeleton.tsx";
import { useIsMobile } from "../../../ui/use-media.ts";
import { useMemberNames } from "./use-member-names.ts";
import styles from "./group-panel.module.css";

const ROW_PX = 44;
const MOBILE_ROW_PX = 56;
/** The width of a user card with a gap. The card opens beside the panel if there is room. */
const CARD_PX = 288;
/** Without that room the card opens to the right of the member's avatar. */
const AVATAR_END_PX = 56;
const NO_MEMBERS: readonly number[] = [];

/** The members of a group: owner, admins, then the others. */
export function GroupMembers({ groupId }: { groupId: number }) {
  const t = useText();
  const id = useId();
  const client = useClient();
  const isMobile = useIsMobile();
  const [query, setQuery] = useState<string | null>(null);
  const members = useClientState((state) => state.groups.members[groupId]);
  const count = useClientState((state) => membersCountOf(state, groupId));
  const canInvite = useClientState((state) => groupPermission(state, groupId, "invite") === "ok");
  const found = useFoundMembers(groupId, query?.trim() ?? "");
  return (
    <section aria-labelledby={id}>
      <Row className={styles.membersHead}>
        <h3 id={id}>{t("groups.membersCount", { count })}</h3>
        <IconButton
          label={t("groupInfo.findMember")}
          size={36}
          aria-expanded={query !== null}
          onClick={() => setQuery(query === null ? "" : null)}
        >
          {query === null ? <Search {...ICON_PROPS} /> : <X {...ICON_PROPS} />}
        </IconButton>
        {canInvite && (
          <IconButton
            label={t("groups.pick.invite")}
            size={36}
            onClick={() => openDialog({ kind: "pickMembers", groupId, action: "invite" })}
          >
            <UserPlus {...ICON_PROPS} />
          </IconButton>
        )}
      </Row>
      {query !== null && (
        <div className={styles.search}>
          <SearchBox
            label={t("groupInfo.findMember")}
            value={query}
            autoFocus
            onChange={(event) => setQuery(event.currentTarget.value)}
          />
        </div>
      )}
      {members === undefined || (members.state === "loading" && members.order.length === 0) ? (
        <SkeletonRows count={4} />
      ) : members.state === "failed" && members.order.length === 0 ? (
        <Text as="p" padding={16} size={13} tone="tertiary" textAlign="center" role="status">
          {t("groups.membersFailed")}
          <Button variant="ghost" size="small" onClick={() => void client.groups.loadMembers(groupId)}>
            {t("connection.retryNow")}
          </Button>
        </Text>
      ) : found.length === 0 ? (
        <Text as="p" padding={16} size={13} tone="tertiary" textAlign="center" role="status">
          {t("groupInfo.nobody")}
        </Text>
      ) : (
        <RowList
          items={found}
          keyOf={Number}
          rowHeight={isMobile ? MOBILE_ROW_PX : ROW_PX}
          isInScroller
          listLabel={t("groups.membersCount", { count: found.length })}
        >
          {(userId) => <MemberRow groupId={groupId} userId={userId} />}
        </RowList>
      )}
    </section>
  );
}

/** The members whose name matches the query, also by pinyin or initials. An empty query returns all. */
function useFoundMembers(groupId: number, query: string): readonly number[] {
  const order = useClientState((state) => state.groups.members[groupId]?.order ?? NO_MEMBERS);
  const members = useClientState((state) => state.groups.members[groupId]?.byId);
  const friends = useClientState((state) => state.contacts.friends);
  const names = useMemberNames(groupId);
  const { matches } = useNameMatch(query !== "");
  return useMemo(() => {
    if (query === "" || names === null) return order;
    return names
      .filter(({ userId, name }) =>
        [name, members?.[userId]?.showNickName, friends[userId]?.nickName].some(
          (one) => one !== undefined && matches(one, query),
        ),
      )
      .map(({ userId }) => userId);
  }, [order, names, members, friends, query, matches]);
}

function MemberRow({ groupId, userId }: { groupId: number; userId: number }) {
  const t = useText();
  const person = useMember(groupId, userId, null);
  const role = useClientState((state) => state.groups.members[groupId]?.byId[userId]?.role ?? 0);
  const isMuted = useClientState((state) => state.groups.members[groupId]?.byId[userId]?.isMuted === true);
  const isOnline = useClientState(
    (state) =>
      state.connection.kind === "online" && state.groups.members[groupId]?.byId[userId]?.online === true,
  );
  return (
    <Row
      as="button"
      type="button"
      gap={12}
      paddingX={16}
      textAlign="start"
      className={styles.member}
      data-member={userId}
      onClick={(event) => {
        const { left, top } = event.currentTarget.getBoundingClientRect();
        const x = left >= CARD_PX ? left - CARD_PX : left + AVATAR_END_PX;
        openDialog({
          kind: "userCard",
          userId,
          x: Math.round(x),
          y: Math.round(top),
          source: RequestSource.GROUP,
        });
      }}
    >
      <Avatar name={person.name} url={person.picture} id={userId} size={32} isOnline={isOnline} />
      <Text as="bdi" truncate>
        {person.name}
      </Text>
      {isOnline && <span className="visually-hidden">{t("groups.isOnline")}</span>}
      <Row as="span" gap={4} shrink={false} className={styles.markers}>
        {isMuted && (
          <Stack as="span" tone="tertiary" role="img" aria-label={t("groups.isMuted")}>
            <MicOff {...ICON_PROPS_14} />
          </Stack>
        )}
        {person.relation === "me" && <Chip>{t("chat.me")}</Chip>}
        <RoleChip role={role} />
      </Row>
    </Row>
  );
}
