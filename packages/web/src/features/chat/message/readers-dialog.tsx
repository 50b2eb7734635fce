import { useState } from "react";
import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import { AT_LIST_MAX } from "@parley/protocol/limits";
import { failureText } from "../../../kit/failure-text.ts";
import { useMember } from "../../../kit/group.ts";
import { useText } from "../../../kit/i18n.ts";
import { RoleChip } from "../../../kit/role-chip.tsx";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { ChatsIllustration, SearchIllustration } from "../../../ui/illustrations.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { RowList } from "../../../ui/row-list.tsx";
import { SkeletonRows } from "../../../ui/skeleton.tsx";
import { Tabs } from "../../../ui/tabs.tsx";
import { useConversationUi } from "./conversation-ui.ts";
import { useCanWrite } from "./use-can-write.ts";
import styles from "./readers-dialog.module.css";
import { useReaders } from "./use-readers.ts";

const ROW_PX = 48;
const UNKNOWN_READERS = { read: [], unread: [] } as const;

/** Lists who has read a group message and who has not. It is updated while it is open. */
export function ReadersDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const t = useText();
  const client = useClient();
  const ui = useConversationUi();
  const canWrite = useCanWrite();
  const groupId = parseChatKey(ui.key)?.targetId ?? 0;
  const { readers, failure, retry } = useReaders(ui.key, groupId, id);
  const { read, unread } = readers ?? UNKNOWN_READERS;
  const [chosenTab, setTab] = useState<"read" | "unread" | null>(null);
  // At first the tab with people is shown; it does not change by itself when one more reads the message.
  if (chosenTab === null && readers !== null)
    setTab(read.length === 0 && unread.length > 0 ? "unread" : "read");
  const tab = chosenTab ?? "read";

  const remind = () => {
    const members = client.getState().groups.members[groupId]?.byId;
    const pendingMentions = unread.slice(0, AT_LIST_MAX).flatMap((userId) => {
      const name = members?.[userId]?.showNickName;
      return name ? [{ userId, name }] : [];
    });
    ui.set({ dialog: null, editing: null, pendingMentions });
  };

  const listOf = (people: readonly number[], label: string, emptyText: string) => (
    <div
      className={styles.list}
      tabIndex={0}
      role="group"
      aria-label={label}
      aria-busy={readers === null || undefined}
    >
      {failure !== null ? (
        <EmptyState
          illustration={<SearchIllustration />}
          text={failureText(failure, t)}
          action={<Button onClick={retry}>{t("app.retry")}</Button>}
        />
      ) : readers === null ? (
        <SkeletonRows />
      ) : people.length === 0 ? (
        <EmptyState illustration={<ChatsIllustration />} text={emptyText} />
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
