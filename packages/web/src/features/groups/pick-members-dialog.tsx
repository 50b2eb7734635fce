import { useEffect, useMemo, useState } from "react";
import { GroupRole } from "@parley/protocol/codes";
import { GROUP_MEMBERS_MAX } from "@parley/protocol/limits";
import type { Result, State } from "@parley/core/model/state";
import { groupVerdict } from "@parley/core/model/selectors";
import { openDialog } from "../../kit/dialogs.ts";
import type { MemberAct } from "../../kit/dialogs.ts";
import { useText } from "../../kit/i18n.ts";
import type { Text } from "../../kit/i18n.ts";
import { friendEntries, memberEntries } from "../../kit/selector/entries.ts";
import { MemberSelector } from "../../kit/selector/member-selector.tsx";
import type { SelectorEntry } from "../../kit/selector/rules.ts";
import { toasts } from "../../kit/toasts.ts";
import { useClient, useClientState } from "../../kit/use-client.ts";
import { Checkbox } from "../../ui/field.tsx";
import { Problem } from "./problem.tsx";
import { useDeed } from "./use-deed.ts";

interface PickMembersDialogProps {
  groupId: number;
  act: MemberAct;
  onClose: () => void;
}

/** Chooses friends to invite, or members for what is done to members. */
export function PickMembersDialog({ groupId, act, onClose }: PickMembersDialogProps) {
  const t = useText();
  const client = useClient();
  const contacts = useClientState((state) => state.contacts);
  const groups = useClientState((state) => state.groups);
  const me = useClientState((state) => state.me);
  const session = useClientState((state) => state.session);
  const [withMessages, setWithMessages] = useState(false);
  const { isBusy, hasFailed, run } = useDeed();
  const group = groups.byId[groupId];
  useEffect(() => {
    void client.groups.loadMembers(groupId);
  }, [client, groupId]);
  const entries = useMemo(
    () => entriesOf(act, groupId, { contacts, groups, me, session }, t),
    [act, groupId, contacts, groups, me, session, t],
  );
  const isEditing = act === "managers" || act === "mute";
  const room = (group?.maxMembers ?? GROUP_MEMBERS_MAX) - (group?.membersCount ?? 0);
  // Without the list nobody knows who is in already.
  const isKnown = (groups.members[groupId]?.order.length ?? 0) > 0;

  const confirm = (userIds: readonly number[]) => {
    if (act === "transfer") {
      const [userId] = userIds;
      if (userId !== undefined) openDialog({ kind: "transferGroup", groupId, userId });
      return;
    }
    run(
      () => send(userIds),
      () => {
        onClose();
        if (act !== "invite") return;
        const isAsked = group?.joinApproval === true && group.role === GroupRole.MEMBER;
        toasts.success(t(isAsked ? "groups.inviteAsked" : "groups.invited"));
      },
    );
  };
  const send = async (userIds: readonly number[]): Promise<Result<null>> => {
    switch (act) {
      case "invite":
        return client.groups.invite(groupId, userIds);
      case "remove":
        return client.groups.removeMembers(groupId, userIds, withMessages);
      case "transfer":
        return NOTHING;
      case "managers":
      case "mute": {
        const change = act === "managers" ? client.groups.setManagers : client.groups.setMuted;
        const { added, taken } = differences(entries, userIds);
        const first = added.length === 0 ? NOTHING : await change(groupId, added, true);
        return !first.ok || taken.length === 0 ? first : change(groupId, taken, false);
      }
    }
  };
  const problem = t(act === "remove" ? "groups.removeFailed" : "groups.operationFailed");
  return (
    <MemberSelector
      title={t(`groups.pick.${act}`)}
      entries={isKnown ? entries : NO_ENTRIES}
      isLoading={!isKnown}
      confirmLabel={(count) =>
        isEditing ? t("groups.save") : t(`groups.confirm.${act === "transfer" ? "next" : act}`, { count })
      }
      {...(act === "invite" && { maxSize: Math.max(0, room) })}
      isSingle={act === "transfer"}
      mayBeEmpty={isEditing}
      isDanger={act === "remove"}
      isBusy={isBusy}
      emptyText={t(act === "invite" ? "friend.empty" : "members.nobody")}
      note={
        hasFailed ? (
          <Problem text={problem} />
        ) : act === "remove" ? (
          <Checkbox checked={withMessages} onChange={setWithMessages}>
            {t("groups.removeMessages")}
          </Checkbox>
        ) : act === "mute" ? (
          t("groups.muteHint")
        ) : undefined
      }
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}

const NO_ENTRIES: readonly SelectorEntry[] = [];
const NOTHING: Result<null> = { ok: true, value: null };

type Known = Pick<State, "contacts" | "groups" | "me" | "session">;

/** Who can be chosen: friends who are not in yet, or the members to whom this may be done. */
function entriesOf(act: MemberAct, groupId: number, state: Known, t: Text): readonly SelectorEntry[] {
  const members = state.groups.members[groupId]?.byId;
  const may = (action: "mute" | "remove", userId: number) =>
    groupVerdict(state, groupId, action, userId) === "ok";
  switch (act) {
    case "invite":
      return friendEntries(state, (friend) => {
        const member = members?.[friend.id];
        return member === undefined || member.quit ? {} : { locked: true, note: t("groups.isIn") };
      });
    case "remove":
      return memberEntries(state, groupId, t, ({ userId }) => ({
        hide: userId === state.me?.id,
        locked: !may("remove", userId),
      }));
    case "mute":
      return memberEntries(state, groupId, t, ({ userId, isMuted }) => ({
        hide: userId === state.me?.id,
        checked: isMuted,
        locked: !may("mute", userId),
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

/** Who is chosen now and was not, and the other way round. */
function differences(entries: readonly SelectorEntry[], chosen: readonly number[]) {
  const now = new Set(chosen);
  const free = entries.filter((entry) => !entry.hide && !entry.locked);
  const before = new Set(free.filter((entry) => entry.checked).map((entry) => entry.userId));
  return {
    added: chosen.filter((id) => !before.has(id)),
    taken: [...before].filter((id) => !now.has(id)),
  };
}
