import { useState } from "react";
import { parseChatKey } from "@parley/core/model/rows";
import { AT_LIST_MAX } from "@parley/protocol/limits";
import { failureText } from "../../../kit/failure-text.ts";
import { useMember } from "../../../kit/groups.ts";
import { useText } from "../../../kit/i18n.ts";
import { RoleChip } from "../../../kit/role-chip.tsx";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { ChatsDrawing, SearchDrawing } from "../../../ui/drawings.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { RowList } from "../../../ui/row-list.tsx";
import { SkeletonRows } from "../../../ui/skeleton.tsx";
import { Tabs } from "../../../ui/tabs.tsx";
import { useDesk } from "../message/desk.ts";
import { useCanWrite } from "../message/use-can-write.ts";
import styles from "./readers-dialog.module.css";
import { useReaders } from "./use-readers.ts";

const ROW_PX = 48;
const NOBODY_KNOWN = { read: [], unread: [] } as const;

/** Who has read a message of a group, and who has not. It follows what happens while it is open. */
export function ReadersDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const t = useText();
  const client = useClient();
  const desk = useDesk();
  const canWrite = useCanWrite();
  const groupId = parseChatKey(desk.key)?.targetId ?? 0;
  const { people: known, failure, again } = useReaders(desk.key, groupId, id);
  const { read, unread } = known ?? NOBODY_KNOWN;
  const [tab, setTab] = useState<"read" | "unread">("read");

  const remind = () => {
    const members = client.getState().groups.members[groupId]?.byId;
    const naming = unread.slice(0, AT_LIST_MAX).flatMap((userId) => {
      const name = members?.[userId]?.showNickName;
      return name ? [{ userId, name }] : [];
    });
    desk.set({ dialog: null, editing: null, naming });
  };

  const listOf = (people: readonly number[], label: string, nobody: string) => (
    <div
      className={styles.list}
      tabIndex={0}
      role="group"
      aria-label={label}
      aria-busy={known === null || undefined}
    >
      {failure !== null ? (
        <EmptyState
          drawing={<SearchDrawing />}
          text={failureText(failure, t)}
          action={<Button onClick={again}>{t("app.retry")}</Button>}
        />
      ) : known === null ? (
        <SkeletonRows />
      ) : people.length === 0 ? (
        <EmptyState drawing={<ChatsDrawing />} text={nobody} />
      ) : (
        <RowList items={people} keyOf={Number} rowHeight={ROW_PX} listLabel={label} isInScroller>
          {(userId) => <MemberRow groupId={groupId} userId={userId} />}
        </RowList>
      )}
    </div>
  );
  const readText = t("readers.read", { count: read.length });
  const unreadText = t("readers.unread", { count: unread.length });
  return (
    <Dialog
      isOpen
      isFlush
      onClose={onClose}
      title={t("readers.title")}
      width={400}
      footer={
        canWrite && unread.length > 0 ? (
          <Button onClick={remind}>
            {unread.length > AT_LIST_MAX
              ? t("readers.remindSome", { max: AT_LIST_MAX })
              : t("readers.remind")}
          </Button>
        ) : undefined
      }
    >
      <Tabs
        label={t("readers.title")}
        value={tab}
        onChange={setTab}
        tabs={[
          { value: "read", text: readText, content: listOf(read, readText, t("readers.nobody")) },
          { value: "unread", text: unreadText, content: listOf(unread, unreadText, t("readers.everybody")) },
        ]}
      />
    </Dialog>
  );
}

function MemberRow({ groupId, userId }: { groupId: number; userId: number }) {
  const member = useMember(groupId, userId, null);
  const role = useClientState((state) => state.groups.members[groupId]?.byId[userId]?.role ?? 0);
  return (
    <div className={styles.row}>
      <Avatar name={member.name} url={member.picture} id={userId} size={32} />
      <span className={styles.name}>
        <bdi>{member.name}</bdi>
      </span>
      <RoleChip role={role} />
    </div>
  );
}
