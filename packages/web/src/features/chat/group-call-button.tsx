import { Phone } from "lucide-react";
import { useGroupCall } from "../../kit/chats/use-group-call.ts";
import { IconButton } from "../../ui/button.tsx";
import { ICON_PROPS } from "../../ui/icon-props.ts";
import styles from "./group-call-button.module.css";

/** Calls members of a group, or joins its running call. Its name says why that is not possible. */
export function GroupCallButton({ groupId }: { groupId: number }) {
  const call = useGroupCall(groupId);
  if (call === null) return null;
  return (
    <IconButton
      label={call.label}
      isOn={call.can === "join"}
      // Not `disabled`: the reason must be reachable with the keyboard.
      aria-disabled={!call.isPossible}
      className={styles.button}
      onClick={call.press}
    >
      <Phone {...ICON_PROPS} />
    </IconButton>
  );
}
