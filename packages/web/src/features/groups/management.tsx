import { useId } from "react";
import { ChevronRight } from "lucide-react";
import { GroupRole } from "@parley/protocol/codes";
import type { GroupVO } from "@parley/protocol/entities";
import type { GroupRights } from "@parley/core/runtime/client-api";
import { openDialog } from "../../kit/dialogs.ts";
import type { MemberAct } from "../../kit/dialogs.ts";
import { memberNameOf } from "../../kit/groups.ts";
import { useText } from "../../kit/i18n.ts";
import { listNames } from "../../kit/names-text.ts";
import { useClient, useClientState } from "../../kit/use-client.ts";
import { IconButton } from "../../ui/button.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";
import { ICON_16 } from "../../ui/icon.ts";
import { Segmented } from "../../ui/segmented.tsx";
import { Switch } from "../../ui/switch.tsx";
import { GroupRequest } from "./group-requests.tsx";
import { useMay } from "./use-verdict.ts";
import styles from "./group-detail.module.css";

/** What owner and admins do; to others nothing of it is shown. */
export function Management({ group }: { group: GroupVO }) {
  const t = useText();
  const { groups } = useClient();
  const titleId = useId();
  const mayMute = useMay(group.id, "mute");
  const mayMuteAll = useMay(group.id, "muteAll");
  const mayRemove = useMay(group.id, "remove");
  const mayName = useMay(group.id, "manageAdmins");
  if (group.role === GroupRole.MEMBER) return null;
  return (
    <section className={styles.section} aria-labelledby={titleId}>
      <h2 id={titleId} className={styles.sectionTitle}>
        {t("groups.management")}
      </h2>
      <Requests groupId={group.id} />
      <Facts>
        <Admins groupId={group.id} mayChange={mayName} />
        <Muted groupId={group.id} mayChange={mayMute} />
        {mayRemove && (
          <Fact label={t("groups.removeSome")} isFaint words={t("groups.removeHint")}>
            <Opener groupId={group.id} act="remove" />
          </Fact>
        )}
        <Fact label={t("groups.allMuted")} isFaint words={t("groups.allMutedHint")}>
          {({ labelId, hintId }) => (
            <Switch
              labelId={labelId}
              hintId={hintId}
              isOn={group.isAllMuted}
              isDisabled={!mayMuteAll}
              onChange={(isOn) => void groups.setAllMuted(group.id, isOn)}
            />
          )}
        </Fact>
        <Rights group={group} />
      </Facts>
    </section>
  );
}

/** Those who wait to be let into this group. */
function Requests({ groupId }: { groupId: number }) {
  const requests = useClientState((state) => state.groups.requests);
  const me = useClientState((state) => state.me?.id);
  const waiting = requests.filter((request) => request.groupId === groupId);
  if (waiting.length === 0) return null;
  return (
    <div className={styles.requests}>
      {waiting.map((request) => (
        <GroupRequest
          key={request.id}
          request={request}
          isMine={(request.inviterId ?? request.sendId) === me}
        />
      ))}
    </div>
  );
}

function Opener({ groupId, act }: { groupId: number; act: MemberAct }) {
  const t = useText();
  return (
    <IconButton
      label={t(`groups.pick.${act}`)}
      size={32}
      onClick={() => openDialog({ kind: "pickMembers", groupId, act })}
    >
      <ChevronRight {...ICON_16} />
    </IconButton>
  );
}

interface PeopleFactProps {
  groupId: number;
  mayChange: boolean;
}

function Admins({ groupId, mayChange }: PeopleFactProps) {
  const t = useText();
  const names = useNames(groupId, ({ role }) => role === GroupRole.ADMIN);
  return (
    <Fact
      label={t("groups.admins")}
      isFaint={names === ""}
      words={<bdi>{names || t("friend.noRemark")}</bdi>}
    >
      {mayChange && <Opener groupId={groupId} act="managers" />}
    </Fact>
  );
}

function Muted({ groupId, mayChange }: PeopleFactProps) {
  const t = useText();
  const names = useNames(groupId, ({ isMuted }) => isMuted);
  return (
    <Fact
      label={t("groups.mutedPeople")}
      isFaint={names === ""}
      words={<bdi>{names || t("groups.nobodyMuted")}</bdi>}
    >
      {mayChange && <Opener groupId={groupId} act="mute" />}
    </Fact>
  );
}

/** Names of some members in one line. */
function useNames(groupId: number, isOne: (member: { role: number; isMuted: boolean }) => boolean): string {
  const t = useText();
  return useClientState((state) => {
    const members = state.groups.members[groupId];
    const ids = (members?.order ?? []).filter((id) => {
      const member = members?.byId[id];
      return member !== undefined && isOne(member);
    });
    return listNames(
      ids.map((id) => memberNameOf(state, groupId, id, null, t)),
      t,
    );
  });
}

const RIGHTS = ["inviteRole", "editRole", "attrRole"] as const;

/** Who may do what; the owner's matter, admins see how it stands. */
function Rights({ group }: { group: GroupVO }) {
  const t = useText();
  const { groups } = useClient();
  const mayChange = useMay(group.id, "changeSettings");
  const why = !mayChange && <span className={styles.why}>{t("groups.ownerOnly")}</span>;
  const set = (part: GroupRights) => void groups.setRights(group.id, part);
  return (
    <>
      {RIGHTS.map((right) =>
        mayChange ? (
          <Fact key={right} label={t(`groups.${right}`)}>
            {({ labelId }) => (
              <Segmented
                labelId={labelId}
                value={group[right] === 1 ? "1" : "2"}
                options={(["1", "2"] as const).map((value) => ({ value, text: t(`groups.right.${value}`) }))}
                onChange={(value) => set({ [right]: value === "1" ? 1 : 2 })}
              />
            )}
          </Fact>
        ) : (
          <Fact
            key={right}
            label={t(`groups.${right}`)}
            words={
              <>
                {t(group[right] === 1 ? "groups.right.1" : "groups.right.2")}
                {why}
              </>
            }
          />
        ),
      )}
      <Fact
        label={t("groups.joinApproval")}
        isFaint
        words={
          <>
            {t("groups.joinApprovalHint")}
            {why}
          </>
        }
      >
        {({ labelId, hintId }) => (
          <Switch
            labelId={labelId}
            hintId={hintId}
            isOn={group.joinApproval}
            isDisabled={!mayChange}
            onChange={(isOn) => set({ joinApproval: isOn })}
          />
        )}
      </Fact>
    </>
  );
}
