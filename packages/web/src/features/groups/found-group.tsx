import { useState } from "react";
import { ChatType } from "@parley/protocol/codes";
import type { GroupCard } from "@parley/protocol/entities";
import { chatKey } from "@parley/core/model/rows";
import { useLocation } from "wouter";
import { chatPath } from "../../kit/chat-path.ts";
import { useText } from "../../kit/i18n.ts";
import { useClient } from "../../kit/use-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { ApplyForm } from "./apply-form.tsx";
import { useStanding } from "./use-standing.ts";
import styles from "./dialogs.module.css";

interface FoundGroupProps {
  group: GroupCard;
  /** The dialog goes, e.g. to the chat of this group. */
  onLeave: () => void;
  /** The question was put or taken back, and its form went with the focus in it. */
  onDone: () => void;
}

/** A group that was found, and what I can do: ask to join, wait, or write. */
export function FoundGroup({ group, onLeave, onDone }: FoundGroupProps) {
  const t = useText();
  const client = useClient();
  const [, navigate] = useLocation();
  const standing = useStanding(group.id);
  const [isAsking, setAsking] = useState(false);
  const picture = group.headImageThumb || group.headImage;
  return (
    <li className={styles.group} data-group={group.id}>
      <div className={styles.line}>
        <Avatar
          name={group.name}
          url={picture && client.fileUrl(picture)}
          id={group.id}
          size={40}
          shape="rounded"
        />
        <div className={styles.words}>
          <div className={styles.groupName}>
            <bdi>{group.name}</bdi>
          </div>
          <div className={styles.second}>
            {t("groups.people", { count: group.membersCount })} ·{" "}
            {t("groups.numberIs", { id: String(group.id) })}
          </div>
        </div>
        {standing === "member" && (
          <>
            <span className={styles.standing}>{t("error.group.already")}</span>
            <Button
              size="small"
              onClick={() => {
                navigate(chatPath(chatKey(ChatType.GROUP, group.id)));
                onLeave();
              }}
            >
              {t("friend.message")}
            </Button>
          </>
        )}
        {standing === "asked" && <span className={styles.standing}>{t("groups.waiting")}</span>}
        {standing === "stranger" && !isAsking && (
          <Button variant="primary" size="small" onClick={() => setAsking(true)}>
            {t("groups.joinShort")}
          </Button>
        )}
      </div>
      {isAsking && standing === "stranger" && (
        <ApplyForm
          groupId={group.id}
          onDone={() => {
            setAsking(false);
            onDone();
          }}
        />
      )}
    </li>
  );
}
