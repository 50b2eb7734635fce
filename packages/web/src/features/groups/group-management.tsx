import { useId } from "react";
import type { ReactNode } from "react";
import { ChevronRight } from "lucide-react";
import { GroupRole } from "@parley/protocol/codes";
import type { GroupVO } from "@parley/protocol/entities";
import type { GroupRights } from "@parley/core/groups/group-actions";
import { joinModeOf } from "@parley/core/model/groups/groups-state";
import { JoinModeChoice } from "../../kit/chats/join-mode-choice.tsx";
import { openDialog } from "../../kit/dialogs/open-dialog.ts";
import type { MemberPickerAction } from "../../kit/dialogs/open-dialog.ts";
import { memberNameOf } from "../../kit/chats/group.ts";
import { useText } from "../../kit/i18n/i18n.ts";
import { listNames } from "../../kit/i18n/names-text.ts";
import { useClient, useClientState } from "../../kit/loading/use-client.ts";
import { IconButton } from "../../ui/button.tsx";
import { KeyValueRow, KeyValueList } from "../../ui/key-value-list.tsx";
import { ICON_PROPS_16 } from "../../ui/icon-props.ts";
import { Box, Text } from "../../ui/layout.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { Switch } from "../../ui/switch.tsx";
import { GroupRequestCard } from "./group-requests.tsx";
import { useGroupPermission } from "./use-group-membership.ts";
import styles from "./group-detail.module.css";

/** Settings for the owner and the admins; ordinary members see nothing of it. */
export function GroupManagement({ group }: { group: GroupVO }) {
  const t = useText();
  const { groups } = useClient();
  const titleId = useId();
  const canMute = useGroupPermission(group.id, "mute");
  const canMuteAll = useGroupPermission(group.id, "muteAll");
  const canRemove = useGroupPermission(group.id, "remove");
  const canManageAdmins = useGroupPermission(group.id, "manageAdmins");
  if (group.role === GroupRole.MEMBER) return null;
  return (
    <Box as="section" marginTop={32} aria-labelledby={titleId}>
      <Text as="h2" id={titleId} size={14} weight="name" marginBottom={8}>
        {t("groups.management")}
      </Text>
      <Requests groupId={group.id} />
      <KeyValueList>
        <AdminsRow groupId={group.id} canChange={canManageAdmins} />
        <MutedMembersRow groupId={group.id} canChange={canMute} />
        {canRemove && (
          <KeyValueRow label={t("groups.removeSome")} isMuted text={t("groups.removeHint")}>
            <PickMembersButton groupId={group.id} action="remove" />
          </KeyValueRow>
        )}
        <KeyValueRow label={t("groups.allMuted")} isMuted text={t("groups.allMutedHint")}>
          {({ labelId, hintId }) => (
            <Switch
              labelId={labelId}
              hintId={hintId}
              isOn={group.isAllMuted}
              isDisabled={!canMuteAll}
              onChange={(isOn) => void groups.setAllMuted(group.id, isOn)}
            />
          )}
        </KeyValueRow>
        <RightsRows group={group} />
      </KeyValueList>
    </Box>
  );
}

/** The pending requests to join this group. */
function Requests({ groupId }: { groupId: number }) {
  const requests = useClientState((state) => state.groups.requests);
  const me = useClientState((state) => state.me?.id);
  const waiting = requests.filter((request) => request.groupId === groupId);
  if (waiting.length === 0) return null;
  return (
    <div className={styles.requests}>
      {waiting.map((request) => (
        <GroupRequestCard
          key={request.id}
          request={request}
          isMine={(request.inviterId ?? request.sendId) === me}
        />
      ))}
    </div>
  );
}

function PickMembersButton({ groupId, action }: { groupId: number; action: MemberPickerAction }) {
  const t = useText();
  return (
    <IconButton
      label={t(`groups.pick.${action}`)}
      size={32}
      onClick={() => openDialog({ kind: "pickMembers", groupId, action })}
    >
      <ChevronRight {...ICON_PROPS_16} />
    </IconButton>
  );
}

interface MemberNamesRowProps {
  groupId: number;
  canChange: boolean;
}

function AdminsRow({ groupId, canChange }: MemberNamesRowProps) {
  const t = useText();
  const names = useNames(groupId, ({ role }) => role === GroupRole.ADMIN);
  return (
    <KeyValueRow
      label={t("groups.admins")}
      isMuted={names === ""}
      text={<bdi>{names || t("friend.noRemark")}</bdi>}
    >
      {canChange && <PickMembersButton groupId={groupId} action="managers" />}
    </KeyValueRow>
  );
}

function MutedMembersRow({ groupId, canChange }: MemberNamesRowProps) {
  const t = useText();
  const names = useNames(groupId, ({ isMuted }) => isMuted);
  return (
    <KeyValueRow
      label={t("groups.mutedPeople")}
      isMuted={names === ""}
      text={<bdi>{names || t("groups.nobodyMuted")}</bdi>}
    >
      {canChange && <PickMembersButton groupId={groupId} action="mute" />}
    </KeyValueRow>
  );
}

/** The names of the matching members in one line. */
function useNames(
  groupId: number,
  isListed: (member: { role: number; isMuted: boolean }) => boolean,
): string {
  const t = useText();
  return useClientState((state) => {
    const members = state.groups.members[groupId];
    const ids = (members?.order ?? []).filter((id) => {
      const member = members?.byId[id];
      return member !== undefined && isListed(member);
    });
    return listNames(
      ids.map((id) => memberNameOf(state, groupId, id, null, t)),
      t,
    );
  });
}

const RIGHTS = ["inviteRole", "editRole", "attrRole"] as const;

/** Who may do what in the group. The owner can change it; admins only see it. */
function RightsRows({ group }: { group: GroupVO }) {
  const t = useText();
  const { groups } = useClient();
  const canChange = useGroupPermission(group.id, "changeSettings");
  const ownerOnlyNote = !canChange && <span className={styles.why}>{t("groups.ownerOnly")}</span>;
  const setRights = (part: GroupRights) => void groups.setRights(group.id, part);
  return (
    <>
      {RIGHTS.map((right) =>
        canChange ? (
          <KeyValueRow key={right} label={t(`groups.${right}`)}>
            {({ labelId }) => (
              <Segmented
                labelId={labelId}
                value={group[right] === 1 ? "1" : "2"}
                options={(["1", "2"] as const).map((value) => ({ value, text: t(`groups.right.${value}`) }))}
                onChange={(value) => setRights({ [right]: value === "1" ? 1 : 2 })}
              />
            )}
          </KeyValueRow>
        ) : (
          <KeyValueRow
            key={right}
            label={t(`groups.${right}`)}
            text={
              <>
                {t(group[right] === 1 ? "groups.right.1" : "groups.right.2")}
                {ownerOnlyNote}
              </>
            }
          />
        ),
      )}
      <JoiningRows group={group} ownerOnlyNote={ownerOnlyNote} canChange={canChange} onChange={setRights} />
    </>
  );
}

interface JoiningRowsProps {
  group: GroupVO;
  /** Why an admin only sees it. */
  ownerOnlyNote: ReactNode;
  canChange: boolean;
  onChange: (part: GroupRights) => void;
}

/** How people join the group, and whether they find it. */
function JoiningRows({ group, ownerOnlyNote, canChange, onChange }: JoiningRowsProps) {
  const t = useText();
  const mode = joinModeOf(group);
  return (
    <>
      <KeyValueRow
        label={t("groups.joinMode")}
        isMuted
        isBelow
        text={
          <>
            {t(`groups.joinModeHint.${mode}`)}
            {ownerOnlyNote}
          </>
        }
      >
        {({ labelId }) =>
          canChange && (
            <JoinModeChoice labelId={labelId} value={mode} onChange={(joinMode) => onChange({ joinMode })} />
          )
        }
      </KeyValueRow>
      {group.isFindable !== undefined && (
        <KeyValueRow
          label={t("groups.isFindable")}
          isMuted
          text={
            <>
              {t("groups.isFindableHint")}
              {ownerOnlyNote}
            </>
          }
        >
          {({ labelId, hintId }) => (
            <Switch
              labelId={labelId}
              hintId={hintId}
              isOn={group.isFindable}
              isDisabled={!canChange}
              onChange={(isFindable) => onChange({ isFindable })}
            />
          )}
        </KeyValueRow>
      )}
    </>
  );
}
