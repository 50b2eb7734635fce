import { CircleAlert, MicOff, UsersRound } from "lucide-react";
import type { GroupActionResult } from "@parley/protocol/group-rights";
import { useText } from "../../../kit/i18n.ts";
import type { Text } from "../../../kit/i18n.ts";
import { useClientState } from "../../../kit/use-client.ts";
import { classNames } from "../../../ui/class-names.ts";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import styles from "./composer.module.css";

/** In place of the composer while nothing can be said in a group: why. `null`: it is not known yet. */
export function BlockedGroupComposer({
  groupId,
  verdict,
}: {
  groupId: number;
  verdict: GroupActionResult | null;
}) {
  const t = useText();
  const group = useClientState((state) => state.groups.byId[groupId]);
  const isMute = verdict === "muted" || verdict === "allMuted";
  const Icon = isMute ? MicOff : verdict === "banned" ? CircleAlert : UsersRound;
  const names = { name: group?.name ?? "", reason: group?.reason ?? "" };
  return (
    <div className={styles.blocked} data-blocked={verdict ?? "loading"}>
      <div className={classNames(styles.box, styles.why)} role="status" aria-busy={verdict === null}>
        {verdict !== null && (
          <>
            <Icon {...ICON_PROPS} className={styles.whyIcon} />
            <span>{textFor(verdict, names, t)}</span>
          </>
        )}
      </div>
    </div>
  );
}

function textFor(verdict: GroupActionResult, names: { name: string; reason: string }, t: Text): string {
  switch (verdict) {
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
