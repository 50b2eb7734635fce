import { useEffect, useMemo, useState } from "react";
import { ChevronLeft, Plus } from "lucide-react";
import { goUp } from "../../kit/go-up.ts";
import { openDialog } from "../../kit/open-dialog.ts";
import { memberNameOf, useGroup } from "../../kit/group.ts";
import { useText } from "../../kit/i18n.ts";
import { useNameMatch } from "../../kit/pinyin.ts";
import { useClient, useClientState } from "../../kit/use-client.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { SearchIllustration } from "../../ui/illustrations.tsx";
import { BrokenIllustration } from "../../ui/lazy-illustrations.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ICON_PROPS, ICON_PROPS_24 } from "../../ui/icon-props.ts";
import { RowList } from "../../ui/row-list.tsx";
import { SearchBox } from "../../ui/search-box.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { MEMBER_ROW_PX, MemberRow } from "./member-row.tsx";
import { useGroupPermission } from "./use-group-permission.ts";
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
    <div className={styles.page}>
      <header className={styles.bar}>
        <IconButton label={t("groups.backTo", { name })} onClick={() => goUp(`/home/group/${groupId}`)}>
          <ChevronLeft {...ICON_PROPS_24} />
        </IconButton>
        <h1 className={styles.title}>{t("groups.membersOf", { name, count: members?.order.length ?? 0 })}</h1>
        {canInvite && (
          <IconButton
            label={t("groups.pick.invite")}
            onClick={() => openDialog({ kind: "pickMembers", groupId, action: "invite" })}
          >
            <Plus {...ICON_PROPS} />
          </IconButton>
        )}
      </header>
      <div className={styles.search}>
        <SearchBox
          label={t("groups.searchMembers")}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
      </div>
      {found.length > 0 ? (
        <div className={styles.list}>
          <RowList items={found} keyOf={keyOf} rowHeight={MEMBER_ROW_PX} listLabel={t("groups.membersTitle")}>
            {(userId) => <MemberRow groupId={groupId} userId={userId} />}
          </RowList>
        </div>
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
    </div>
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
