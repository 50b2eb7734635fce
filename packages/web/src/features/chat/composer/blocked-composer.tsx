import { UserRound } from "lucide-react";
import type { Person } from "../../../kit/person.ts";
import { openDialog } from "../../../kit/open-dialog.ts";
import { useText } from "../../../kit/i18n.ts";
import { useClientState } from "../../../kit/use-client.ts";
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
