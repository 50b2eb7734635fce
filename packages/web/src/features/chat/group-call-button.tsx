import { Phone } from "lucide-react";
import { useText } from "../../kit/i18n.ts";
import type { TextId } from "../../kit/i18n.ts";
import { openDialog } from "../../kit/open-dialog.ts";
import { useClient, useClientState } from "../../kit/use-client.ts";
import { IconButton } from "../../ui/button.tsx";
import { ICON_PROPS } from "../../ui/icon-props.ts";
import { groupCallState } from "./group-call-state.ts";
import styles from "./group-call-button.module.css";

/** Calls members of a group, or joins its running call. Its name says why that is not possible. */
export function GroupCallButton({ groupId }: { groupId: number }) {
  const t = useText();
  const client = useClient();
  const can = useClientState((state) => groupCallState(state, groupId));
  if (can === "never") return null;
  const press = () => {
    if (can === "join") client.calls.joinGroup(groupId);
    if (can === "start") openDialog({ kind: "callMembers", groupId, how: "start" });
  };
  return (
    <IconButton
      label={t(LABELS[can])}
      isOn={can === "join"}
      // Not `disabled`: the reason must be reachable with the keyboard.
      aria-disabled={can !== "start" && can !== "join"}
      className={styles.button}
      onClick={press}
    >
      <Phone {...ICON_PROPS} />
    </IconButton>
  );
}

const LABELS = {
  start: "groupCall.start",
  join: "groupCall.join",
  inCall: "groupCall.startInCall",
  muted: "groupCall.startMuted",
  allMuted: "groupCall.startAllMuted",
} as const satisfies Record<string, TextId>;
