import { useEffect, useState } from "react";
import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import type { ChatKey } from "@parley/core/model/state";
import { ChatType } from "@parley/protocol/codes";
import { AT_LIST_MAX } from "@parley/protocol/limits";
import { failureText } from "../../../kit/i18n/failure-text.ts";
import { useMember } from "../../../kit/chats/group.ts";
import { type TextId, useText } from "../../../kit/i18n/i18n.ts";
import { RoleChip } from "../../../kit/chats/role-chip.tsx";
import { useClient, useClientState } from "../../../kit/loading/use-client.ts";
import { type Loaded, useLoaded } from "../../../kit/loading/use-loaded.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog, Dialog } from "../../../ui/dialog.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ChatsIllustration, SearchIllustration } from "../../../ui/illustrations.tsx";
import { Row, Text } from "../../../ui/layout.tsx";
import { RowList } from "../../../ui/row-list.tsx";
import { SkeletonRows } from "../../../ui/skeleton.tsx";
import { Tabs } from "../../../ui/tabs.tsx";
import { useCanWrite, useConversationUi } from "./conversation-ui.ts";
import { startRemoval } from "./message-actions.ts";
import { ForwardToDialog } from "./forward-to-dialog.tsx";
import styles from "./message-dialogs.module.css";

// The dialogs of message actions: one file, loaded when the first of them is opened.

interface RecallDialogProps {
  id: number;
  /** The name of the sender. */
  name: string;
  onClose: () => void;
}

/** Asks for confirmation before a message of somebody else is recalled. */
export function RecallDialog({ id, name, onClose }: RecallDialogProps) {
  const t = useText();
  const client = useClient();
  const ui = useConversationUi();
  const [endRemoval] = useState(startRemoval);
  const recall = () => {
    onClose();
    void client.chats.recall(ui.key, id).then(endRemoval);
  };
  return (
    <ConfirmDialog
      isOpen
      isDanger
      title={t("moderate.recallTitle", { name })}
      body={t("moderate.recallBody")}
      confirmLabel={t("act.recall")}
      cancelLabel={t("app.cancel")}
      onCancel={onClose}
      onConfirm={recall}
    />
  );
}

/** Asks for confirmation before messages are deleted for me. */
export function DeleteDialog({ ids, onClose }: { ids: readonly number[]; onClose: () => void }) {
  const t = useText();
  const client = useClient();
  const ui = useConversationUi();
  const me = useClientState((state) => state.me?.id);
  const [endRemoval] = useState(startRemoval);
  const remove = () => {
    ui.set({ selected: null });
    onClose();
    void client.chats.deleteForMe(ui.key, ids).then(endRemoval);
  };
  return (
    <ConfirmDialog
      isOpen
      isDanger
      title={t("compose.deleteTitle", { count: ids.length })}
      body={t(deleteDialogText(ui.key, me))}
      confirmLabel={t("act.delete")}
      cancelLabel={t("app.cancel")}
      onCancel={onClose}
      onConfirm={remove}
    />
  );
}

/** The text that says who keeps the deleted messages: the other person, the group, or nobody in the chat with oneself. */
export function deleteDialogText(key: ChatKey, me: number | undefined): TextId {
  const chat = parseChatKey(key);
  if (chat?.type === ChatType.GROUP) return "compose.deleteGroupBody";
  return chat?.targetId === me ? "compose.deleteSelfBody" : "compose.deleteBody";
}

/** Sends copies of messages of this conversation, and ends the selection. */
export function ForwardDialog({ ids, onClose }: { ids: readonly number[]; onClose: () => void }) {
  const ui = useConversationUi();
  return (
    <ForwardToDialog from={ui.key} ids={ids} onSend={() => ui.set({ selected: null })} onClose={onClose} />
  );
}

const ROW_PX = 48;
const UNKNOWN_READERS = { read: [], unread: [] } as const;

/** Lists who has read a group message and who has not. It is updated while it is open. */
export function ReadersDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const t = useText();
  const client = useClient();
  const ui = useConversationUi();
  const canWrite = useCanWrite();
  const groupId = parseChatKey(ui.key)?.targetId ?? 0;
  const { value: readers, failure, reload } = useReaders(ui.key, groupId, id);
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
      {readers === null && failure !== null ? (
        <EmptyState
          illustration={<SearchIllustration />}
          text={failureText(failure, t)}
          action={<Button onClick={reload}>{t("app.retry")}</Button>}
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
    <Row gap={12} paddingX={24} className={styles.row}>
      <Avatar name={member.name} url={member.picture} id={userId} size={32} />
      <Text grow truncate>
        <bdi>{member.name}</bdi>
      </Text>
      <RoleChip role={role} />
    </Row>
  );
}

interface ReaderIds {
  readonly read: readonly number[];
  /** Members who can see the message and have not read it. */
  readonly unread: readonly number[];
}

/** Loads who has read a message and who has not, again whenever the number of readers or members changes. */
function useReaders(key: ChatKey, groupId: number, id: number): Loaded<ReaderIds> {
  const { groups } = useClient();
  const readedCount = useClientState(
    (state) => state.chats.byKey[key]?.window.messages.find((one) => one.id === id)?.group?.readedCount,
  );
  const membersCount = useClientState((state) => state.groups.byId[groupId]?.membersCount);
  const areMembersLoaded = useClientState((state) => state.groups.members[groupId]?.state === "loaded");

  useEffect(() => {
    if (!areMembersLoaded) void groups.loadMembers(groupId);
  }, [groups, groupId, areMembersLoaded]);
  const loaded = useLoaded(async () => {
    const [read, unread] = await Promise.all([
      groups.readers(groupId, id, "read"),
      groups.readers(groupId, id, "unread"),
    ]);
    if (!read.ok) return read;
    return unread.ok ? { ok: true, value: { read: read.value, unread: unread.value } } : unread;
  }, `${id} ${readedCount} ${membersCount}`);
  return {
    ...loaded,
    reload() {
      if (!areMembersLoaded) void groups.loadMembers(groupId);
      loaded.reload();
    },
  };
}
