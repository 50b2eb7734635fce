import { CircleAlert, MicOff, UserRound, UsersRound } from "lucide-react";
import type { GroupActionResult } from "@parley/protocol/group-rights";
import { useText, type Translate } from "../../../kit/i18n/i18n.ts";
import { openDialog } from "../../../kit/dialogs/open-dialog.ts";
import type { Person } from "../../../kit/people/person.ts";
import { useClientState } from "../../../kit/loading/use-client.ts";
import { Button } from "../../../ui/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import styles from "./composer.module.css";

/** Replaces the composer if this person accepts no messages from us: gives the reason and offers a friend request. */
export function BlockedComposer({ person }: { person: Person }) {
  const t = useText();
  const hasSentRequest = useClientState((state) =>
    state.contacts.requests.some((request) => request.recvId === person.id),
  );
  return (
    <div className={styles.blocked}>
      <div className={classNames(styles.box, styles.reason)}>
        <UserRound {...ICON_PROPS} />
        <span>{t(person.relation === "ended" ? "chat.blockedDeleted" : "chat.blockedStranger")}</span>
        {hasSentRequest ? (
          <span>{t("friend.asked")}</span>
        ) : (
          <Button
            variant="ghost"
            size="small"
            onClick={() => openDialog({ kind: "applyFriend", userId: person.id, name: person.name })}
          >
            {t("friend.add")}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Replaces the composer while I may not write in a group, and gives the reason. `permission` is null while it is unknown. */
export function BlockedGroupComposer({
  groupId,
  permission,
}: {
  groupId: number;
  permission: GroupActionResult | null;
}) {
  const t = useText();
  const group = useClientState((state) => state.groups.byId[groupId]);
  const isMuted = permission === "muted" || permission === "allMuted";
  const Icon = isMuted ? MicOff : permission === "banned" ? CircleAlert : UsersRound;
  const names = { name: group?.name ?? "", reason: group?.reason ?? "" };
  return (
    <div className={styles.blocked} data-blocked={permission ?? "loading"}>
      <div className={classNames(styles.box, styles.reason)} role="status" aria-busy={permission === null}>
        {permission !== null && (
          <>
            <Icon {...ICON_PROPS} />
            <span>{textFor(permission, names, t)}</span>
          </>
        )}
      </div>
    </div>
  );
}

function textFor(
  permission: GroupActionResult,
  names: { name: string; reason: string },
  t: Translate,
): string {
  switch (permission) {
    case "muted":
      return t("error.message.muted");
    case "allMuted":
      return t("error.message.allMuted");
    case "banned":
      return t("error.group.banned", names);
    case "dissolved":
      return t("error.group.dissolved", names);
    case "notMember":
      return t("error.message.notInGroup");
    case "ok":
    case "noRight":
    case "ownerStays":
      return t("error.group.noRight");
  }
}
