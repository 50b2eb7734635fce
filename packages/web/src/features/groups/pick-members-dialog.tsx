import { useEffect, useMemo, useState } from "react";
import { groupPermission } from "@parley/core/model/selectors";
import type { Result, State } from "@parley/core/model/state";
import { GroupRole } from "@parley/protocol/codes";
import { GROUP_MEMBERS_MAX } from "@parley/protocol/limits";
import { useText, type Translate } from "../../kit/i18n/i18n.ts";
import { openDialog, type MemberPickerAction } from "../../kit/dialogs/open-dialog.ts";
import {
  friendEntries,
  memberEntries,
  initialSelection,
  selectionChanges,
  type SelectorEntry,
} from "../../kit/people/member-selection.ts";
import { MemberSelector } from "../../kit/people/member-selector.tsx";
import { toasts } from "../../kit/dialogs/toasts.ts";
import { useClient, useClientState } from "../../kit/loading/use-client.ts";
import { Checkbox } from "../../ui/field.tsx";
import { DialogError, useAction } from "./dialog-action.tsx";

interface PickMembersDialogProps {
  groupId: number;
  action: MemberPickerAction;
  onClose: () => void;
}

/** Selects friends to invite, or members for an action. */
export function PickMembersDialog({ groupId, action, onClose }: PickMembersDialogProps) {
  const t = useText();
  const client = useClient();
  const contacts = useClientState((state) => state.contacts);
  const groups = useClientState((state) => state.groups);
  const me = useClientState((state) => state.me);
  const session = useClientState((state) => state.session);
  const [withMessages, setWithMessages] = useState(false);
  const { isBusy, hasFailed, run } = useAction();
  const group = groups.byId[groupId];
  useEffect(() => {
    void client.groups.loadMembers(groupId);
  }, [client, groupId]);
  const entries = useMemo(
    () => entriesOf(action, groupId, { contacts, groups, me, session }, t),
    [action, groupId, contacts, groups, me, session, t],
  );
  const isEditing = action === "managers" || action === "mute";
  const openSeats = (group?.maxMembers ?? GROUP_MEMBERS_MAX) - (group?.membersCount ?? 0);
  // Until the member list is loaded, it is not known who is a member already.
  const areMembersLoaded = (groups.members[groupId]?.order.length ?? 0) > 0;

  const confirm = (userIds: readonly number[]) => {
    if (action === "transfer") {
      const [userId] = userIds;
      if (userId !== undefined) openDialog({ kind: "transferGroup", groupId, userId });
      return;
    }
    run(
      () => send(userIds),
      () => {
        onClose();
        if (action !== "invite") return;
        // Somebody who was removed needs approval even where nobody else does, so look at the requests.
        const { requests } = client.getState().groups;
        const isWaiting = requests.some(
          ({ groupId: id, sendId }) => id === groupId && userIds.includes(sendId),
        );
        toasts.success(t(isWaiting ? "groups.inviteAsked" : "groups.invited"));
      },
    );
  };
  const send = async (userIds: readonly number[]): Promise<Result<null>> => {
    switch (action) {
      case "invite":
        return client.groups.invite(groupId, userIds);
      case "remove":
        return client.groups.removeMembers(groupId, userIds, withMessages);
      case "transfer":
        return NO_CHANGE;
      case "managers":
      case "mute": {
        const change = action === "managers" ? client.groups.setManagers : client.groups.setMuted;
        const { added, removed } = selectionChanges(initialSelection(entries), userIds);
        const first = added.length === 0 ? NO_CHANGE : await change(groupId, added, true);
        return !first.ok || removed.length === 0 ? first : change(groupId, removed, false);
      }
    }
  };
  const problem = t(action === "remove" ? "groups.removeFailed" : "groups.operationFailed");
  return (
    <MemberSelector
      title={t(`groups.pick.${action}`)}
      entries={areMembersLoaded ? entries : NO_ENTRIES}
      isLoading={!areMembersLoaded}
      confirmLabel={(count) =>
        isEditing
          ? t("groups.save")
          : t(`groups.confirm.${action === "transfer" ? "next" : action}`, { count })
      }
      {...(action === "invite" && { maxSize: Math.max(0, openSeats) })}
      isSingle={action === "transfer"}
      canBeEmpty={isEditing}
      isDanger={action === "remove"}
      isBusy={isBusy}
      emptyText={t(action === "invite" ? "friend.empty" : "members.nobody")}
      note={
        hasFailed ? (
          <DialogError text={problem} />
        ) : action === "remove" ? (
          <Checkbox checked={withMessages} onChange={setWithMessages}>
            {t("groups.removeMessages")}
          </Checkbox>
        ) : action === "mute" ? (
          t("groups.muteHint")
        ) : undefined
      }
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}

const NO_ENTRIES: readonly SelectorEntry[] = [];
const NO_CHANGE: Result<null> = { ok: true, value: null };

type MemberState = Pick<State, "contacts" | "groups" | "me" | "session">;

/** The people who can be selected: friends who are not members yet, or the members on whom the action is permitted. */
function entriesOf(
  pickerAction: MemberPickerAction,
  groupId: number,
  state: MemberState,
  t: Translate,
): readonly SelectorEntry[] {
  const members = state.groups.members[groupId]?.byId;
  const can = (action: "mute" | "remove", userId: number) =>
    groupPermission(state, groupId, action, userId) === "ok";
  switch (pickerAction) {
    case "invite":
      return friendEntries(state, (friend) => {
        const member = members?.[friend.id];
        return member === undefined || member.quit ? {} : { locked: true, note: t("groups.isIn") };
      });
    case "remove":
      return memberEntries(state, groupId, t, ({ userId }) => ({
        hide: userId === state.me?.id,
        locked: !can("remove", userId),
      }));
    case "mute":
      return memberEntries(state, groupId, t, ({ userId, isMuted }) => ({
        hide: userId === state.me?.id,
        checked: isMuted,
        locked: !can("mute", userId),
      }));
    case "managers":
      return memberEntries(state, groupId, t, ({ role }) => ({
        hide: role === GroupRole.OWNER,
        checked: role === GroupRole.ADMIN,
      }));
    case "transfer":
      return memberEntries(state, groupId, t, ({ userId }) => ({ hide: userId === state.me?.id }));
  }
}

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
