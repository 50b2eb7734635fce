import { useEffect, useMemo } from "react";
import { useText } from "../../kit/i18n.ts";
import { memberEntries } from "../../kit/selector/entries.ts";
import { MemberSelector } from "../../kit/selector/member-selector.tsx";
import type { SelectorEntry } from "../../kit/selector/selection.ts";
import { useClient, useClientState } from "../../kit/use-client.ts";

interface CallMembersDialogProps {
  groupId: number;
  how: "start" | "invite";
  onClose: () => void;
}

/** Selects members of a group to call, or to invite to its call. A call has at most `webrtc.maxChannel` people (spec §6). */
export function CallMembersDialog({ groupId, how, onClose }: CallMembersDialogProps) {
  const t = useText();
  const client = useClient();
  const contacts = useClientState((state) => state.contacts);
  const groups = useClientState((state) => state.groups);
  const me = useClientState((state) => state.me);
  const session = useClientState((state) => state.session);
  const maxPeople = useClientState((state) => state.config?.webrtc.maxChannel ?? Infinity);
  const call = useClientState((state) => state.call);
  const people = call?.kind === "group" && call.groupId === groupId ? call.people : null;
  useEffect(() => {
    void client.groups.loadMembers(groupId);
  }, [client, groupId]);
  const isCallOver = how === "invite" && people === null;
  useEffect(() => {
    if (isCallOver) onClose();
  }, [isCallOver, onClose]);
  const entries = useMemo(() => {
    const inCall = new Set(people?.map(({ userId }) => userId));
    return memberEntries({ contacts, groups, me, session }, groupId, t, ({ userId }) => ({
      hide: userId === me?.id || inCall.has(userId),
    }));
  }, [contacts, groups, me, session, groupId, people, t]);
  const areMembersLoaded = (groups.members[groupId]?.order.length ?? 0) > 0;

  const confirm = (userIds: readonly number[]) => {
    onClose();
    if (how === "invite") client.calls.invite(userIds);
    else client.calls.startGroup(groupId, userIds);
  };
  return (
    <MemberSelector
      title={t(`groups.pick.${how === "invite" ? "callMore" : "call"}`)}
      entries={areMembersLoaded ? entries : NO_ENTRIES}
      isLoading={!areMembersLoaded}
      confirmLabel={(count) => t(`groups.confirm.${how === "invite" ? "invite" : "call"}`, { count })}
      maxSize={Math.max(0, maxPeople - 1 - (people?.length ?? 0))}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}

const NO_ENTRIES: readonly SelectorEntry[] = [];
